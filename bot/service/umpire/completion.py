"""Completes a decision for the umpire before it is written: time, drawn seats, mentions, computers to move.

Pure but for the lots that it is given.
"""

from __future__ import annotations

from dataclasses import replace

from bot.core.game.mind import Lots
from bot.core.match.loaded_match import LoadedMatch
from bot.core.match.match import Match
from bot.core.values.computer_users import is_computer
from bot.core.values.ids import UserId
from bot.service.rules import decisions
from bot.service.rules.decisions import Change
from bot.service.umpire.transactions import ending


def completed(seated: LoadedMatch, change: Change, now: int, lots: Lots) -> Change:
    """A change with what decisions do not know: the time, and the drawn seats of a match that begins."""
    if change.ends:
        return replace(change, columns={**change.columns, **ending(change.ends, now)})
    if change.begins is None:
        return change
    options = decisions.configured(seated.game, seated.row.options, change.begins)
    match = Match.start(seated.game, options, change.begins)
    players = {
        user: {**change.players.get(user, {}), "seat": seat}
        for seat, user in enumerate(_in_order(seated, change, lots), 1)
    }
    columns = {"seats": change.begins, "options": options, "state": "live", "started": now}
    people = sum(not is_computer(user) for user in players)
    alone: dict[str, str | bool] = {"pace": "none"} if people == 1 else {"pace": seated.row.pace}
    if people < change.begins or people == 1:
        alone["rated"] = False
    # By the rules of today, which may have been corrected since the challenge.
    columns = {**change.columns, **columns, **alone, "turn": match.turn, "game_version": seated.game.version}
    return replace(change, columns=columns, players=players)


def _in_order(seated: LoadedMatch, change: Change, lots: Lots) -> list[UserId]:
    """The users of a match that begins, in order of seats."""
    joined = sorted(seated.row.players, key=lambda player: player.joined)
    users = [player.user for player in joined if player.user not in change.leave]
    users += [change.join] if change.join is not None else []
    if seated.row.seating == "lot":
        lots.shuffle(users)
    return users[1:] + users[:1] if seated.row.seating == "guest" else users


def thinking(seated: LoadedMatch, change: Change) -> Change:
    """A change that also notes the seat of the computer that is to move now, if one is."""
    if "turn" not in change.columns:
        return change
    seats = {player.seat: player.user for player in seated.row.players}
    seats |= {columns["seat"]: user for user, columns in change.players.items() if "seat" in columns}
    waits = next((seat for seat in change.columns["turn"] if is_computer(seats[seat])), None)
    return replace(change, columns={**change.columns, "thinks": waits})


def mentioning(seated: LoadedMatch, user: UserId, change: Change) -> Change:
    """A change that also notes whom the next board mentions. The user who acts has seen the match, and is no longer
    mentioned; but in a game with secrets they still are, since a missing mention would tell that they moved."""
    due = dict.fromkeys((one for one in change.tell if not is_computer(one)), seated.row.version + 1)
    handed = change.hands is not None and change.hands[0] == user
    if user in seated.untold and not seated.game.secret and not handed:
        due[user] = 0
    columns = {other: {**change.players.get(other, {}), "due": version} for other, version in due.items()}
    return replace(change, players={**change.players, **columns})
