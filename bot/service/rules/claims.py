"""Claims: what happens in a match when a player's time has run out. Pure decisions.

The others can claim the match, and the seat leaves it, or give more time. After some days the seat leaves by itself,
and until then its player may still move. They can also claim it against a player who has left the server. Where
everybody's time has run out, as can happen where several move at once, the match is aborted: nobody has won.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from bot.core.match.clocks import DAY, STILL
from bot.core.match.loaded_match import LoadedMatch, Refusal, person
from bot.core.match.stored import Player
from bot.core.values.computer_users import is_computer
from bot.core.values.ids import UserId
from bot.core.values.plural import together
from bot.core.values.seats import Seat
from bot.service.rules.decisions import Change, recorded
from bot.service.rules.refusals import NOBODY, Closed, NotYours, expect_live, expect_seat, to_move

CLAIMED_AFTER = 3 * DAY
"""Seconds after which a seat that ran out of time leaves the match by itself."""
EXTRA_DAYS = 3
"""Days that the others can give to a player who ran out of time."""
EXTRA_TIME = EXTRA_DAYS * DAY
"""The same in seconds."""
NOTHING_DUE = "Nobody has run out of time."
ABANDONED = "Everybody ran out of time, so the match was closed. It is not rated."


def due(seated: LoadedMatch, now: int) -> tuple[Player, ...]:
    """The players whose time has run out by now, and who are not marked as out of time yet."""
    running = (player for player in seated.row.players if player.deadline is not None and player.forfeit_at is None)
    return tuple(player for player in running if player.seat in seated.turn and (player.deadline or 0) <= now)


def waiting(seated: LoadedMatch, gone: Sequence[Player] = ()) -> tuple[Player, ...]:
    """The people who wait: still in the match and in the server, with time left."""
    still = (player for player in seated.players if player.seat not in seated.folded.withdrawn and not player.gone)
    return tuple(
        player for player in still if player.forfeit_at is None and player not in gone and not is_computer(player.user)
    )


def running_out(seated: LoadedMatch, now: int) -> Change:
    """Somebody's time has passed: they are told, and those who wait are asked to claim or to give time. Where nobody
    waits, all leave together."""
    expect_live(seated)
    out = due(seated, now)
    if not out:
        raise Refusal(NOTHING_DUE)
    asked = waiting(seated, out)
    gone = out if asked else (*seated.late, *out)
    columns = {player.user: {"forfeit_at": now + CLAIMED_AFTER, "next_reminder_at": None} for player in gone}
    known = all(player.gone for player in out)  # those who wait were told when these left the server
    return Change(players=columns, tell=() if known and asked else users((*asked, *gone)))


def lapsing(seated: LoadedMatch, now: int) -> Change:
    """Claim a seat that was not claimed in time. A match in which no player waits is aborted, unrated, when that is due
    for the last seat."""
    expect_live(seated)
    gone = seated.late
    over = [player for player in gone if (player.forfeit_at or 0) <= now]
    if not over:
        raise Refusal(NOTHING_DUE)
    if waiting(seated):
        return leaving(seated, over[0], NOBODY)
    last = max(player.forfeit_at or 0 for player in gone)
    if last > now:
        return Change(players={player.user: {"forfeit_at": last} for player in over})
    return Change({"close_reason": ABANDONED}, ends="aborted", tell=users(gone))


def claiming(seated: LoadedMatch, user: UserId, seat: Seat | None) -> Change:
    """A waiting player claims the match against a seat that is out of time, or whose player has left the server: the
    one named, else the earliest."""
    expect_waiting(seated, user)
    return leaving(seated, expect_claimable(seated, seat), user)


def giving(seated: LoadedMatch, user: UserId, seat: Seat | None) -> Change:
    """A waiting player gives more time, which runs from when the board shows it."""
    expect_waiting(seated, user)
    player = expect_late(seated, seat)
    if not may_give(seated, player):
        raise Refusal(
            f"{person(player.user)} was already given more time for this move, and nobody gets that twice. Claim "
            f"now, or wait: they are out automatically <t:{player.forfeit_at}:R>."
        )
    columns = {
        **STILL,
        "allotted": EXTRA_TIME,
        "seconds_left": EXTRA_TIME,
        "reminder_count": 0,
        "extra_time_count": player.extra_time_count + 1,
    }
    return Change(players={player.user: columns}, tell=(player.user,))


def may_give(seated: LoadedMatch, player: Player) -> bool:
    """Whether a player may be given more time. Where several wait, once a turn: else one of them could keep the others
    waiting without end."""
    return not player.extra_time_count or len(waiting(seated)) == 1


def leaving(seated: LoadedMatch, player: Player, user: UserId) -> Change:
    """Withdraw a seat that is out of time; its player and all who are still in the match are notified."""
    assert player.seat is not None
    change = recorded(seated, seated.folded.withdraw(player.seat, "timeout"), user)
    left = {**change.players.get(player.user, {}), "consent": False}
    still = (one for one in seated.players if one.seat not in seated.folded.withdrawn)
    tell = change.tell if change.ends else tuple(one.user for one in still if one.user != user)
    return replace(change, players={**change.players, player.user: left}, tell=tell)


def expect_waiting(seated: LoadedMatch, user: UserId) -> None:
    """Refuse a user who is not among those who wait."""
    seat = expect_seat(seated, user)
    if seat in seated.folded.withdrawn:
        raise NotYours("You have left this match, so you can't claim it or give more time.")
    player = seated.row.player(user)
    if player and player in seated.late:
        raise NotYours("You have run out of time yourself. Make your move before somebody claims the match.")


def expect_claimable(seated: LoadedMatch, seat: Seat | None) -> Player:
    """The player on a seat who has left the server or is out of time; or a refusal."""
    found = next((player for player in seated.missing if seat in (None, player.seat)), None)
    return found if found and (seat is not None or not seated.late) else expect_late(seated, seat)


def expect_late(seated: LoadedMatch, seat: Seat | None) -> Player:
    """The player on a seat who is out of time, or the earliest where no seat is named; or a refusal."""
    out = seated.late
    found = next((player for player in out if seat in (None, player.seat)), None)
    if found:
        return found
    if seat is not None and seat in seated.folded.withdrawn:
        raise Closed(f"{person(seated.user_at(seat))} has already left this match.")
    if seat is not None and any(player.seat == seat for player in seated.players):
        raise Closed(f"{person(seated.user_at(seat))} has moved by now, or was given more time. Nothing was changed.")
    until = min((player.deadline for player in seated.players if player.deadline is not None), default=None)
    told = f"Nobody has run out of time. {to_move(seated)} is to move."
    raise Closed(f"{told} Their time ends <t:{until}:R>." if until is not None and len(seated.turn) == 1 else told)


def users(players: Sequence[Player]) -> tuple[UserId, ...]:
    """The people of some seats."""
    return tuple(player.user for player in players)


def who(seated: LoadedMatch) -> str:
    """The names of those who are out of time, for a sentence."""
    return together([person(player.user) for player in seated.late])
