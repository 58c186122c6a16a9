"""Reads a record from an uploaded file, whatever is in that file, as a match that is not stored.

A file is small, a record has few lines and few takebacks, each of which folds the record again: so an upload cannot
make the bot compute for long. An invalid file raises `Refusal` with a sentence for the user.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from bot.core.game.notation import LONGEST
from bot.core.library.catalogue import offered
from bot.core.library.replay import parsed
from bot.core.match.loaded_match import Fold, LoadedMatch, Refusal
from bot.core.match.match import BrokenRecord, entered, opened
from bot.core.match.stored import Player, Stored
from bot.core.values.computer_users import LEVELS, computer, unnamed
from bot.core.values.ids import ChannelId, GuildId, MatchId, UserId
from bot.core.values.seats import Seat

IMPORTED = MatchId(0)
"""The number of a match that is not kept here."""
MOST_BYTES = 64 * 1024
MOST_STEPS = 2_000
"""How many lines may be folded, those that a takeback folds again included."""
NO_FILE = "A record is a small text file, at most 64 KiB, as /match record gives it."
NO_RECORD = "There is no record in this file. /match record gives such files."
NO_SUCH = "This file has {count} records, so there is no record {number}."
NO_COMPUTERS = "The computers of a record are a list of seats with levels, like [[2, 3]]."
TOO_LONG = "This record is too long for me: I go through {most} lines, and takebacks count what they undo."
AT_LINE = "Line {line} of the record can't be played: {why}"
REMEMBERED = 32


def chosen(data: bytes, number: int) -> bytes:
    """The record with a number, from 1, of those in a file: one to a line, or one that fills the file."""
    if len(data) > MOST_BYTES:
        raise Refusal(NO_FILE)
    try:
        whole = isinstance(json.loads(data, parse_int=str), dict)  # what is wrong with it is said by who reads it
    except (ValueError, RecursionError):
        whole = False
    lines = [data] if whole else [line for line in data.splitlines() if line.strip()]
    if not lines:
        raise Refusal(NO_RECORD)
    if not 1 <= number <= len(lines):
        raise Refusal(NO_SUCH.format(count=len(lines), number=number))
    return lines[number - 1]


@lru_cache(REMEMBERED)
def imported(record: bytes, guild: GuildId, channel: ChannelId) -> LoadedMatch:
    """A record as a match that a user views in a channel; its players have no names."""
    try:
        row: Any = parsed(record)
        fold = _folded(row)
    except BrokenRecord as fault:
        raise Refusal(str(fault) if fault.at is None else AT_LINE.format(line=fault.at + 1, why=fault)) from None
    except RecursionError:
        raise Refusal(NO_RECORD) from None
    match, computers = fold.match, _computers(row.get("computers", []), fold.match.seats)
    users = {seat: computers.get(seat) or unnamed(seat) for seat in range(1, match.seats + 1)}
    players = tuple(Player(user, seat, seat, False, False, None, None) for seat, user in users.items())
    stored = Stored(
        id=IMPORTED, guild=guild, channel=channel, thread=None, game=match.game.key, game_version=match.game.version,
        options=match.options.record(), seats=match.seats, seating="order", rated=False, host=users[1],
        state="finished" if match.finished else "live", version=1 + len(match.record), plies=len(match.record),
        turn=match.turn, created=0, expires=None, started=0, ended=None, shown_version=0, lobby_message=None,
        board_channel=None, board_message=None, shown_plies=0, publish_error=None, close_reason=None, published=True,
        rematch_of=None, rename_pending=False, pace="none", paused=None, proposal=None, proposed=None, refused=None,
        substitutions=None, legs=1, thinks=None, source_match=None, imported_plies=0, premove_plies=(),
        awaits_thread=False, told_version=0, told_message=None, announce_until=None, announcement=None, round=None,
        moved=None, players=players, record=match.record,
    )  # fmt: skip
    return LoadedMatch(stored, match.game, match, fold.starts[-1] if fold.starts else None)


def _folded(row: Any) -> Fold:
    fold, steps = Fold(opened(offered(), row)), 0
    for at, line in enumerate(row["moves"]):
        match line:
            case [_, str(text)] if len(text) > LONGEST:
                raise BrokenRecord(f"I read at most {LONGEST} characters of a move.", at)
            case _:
                after = entered(fold.match, line, at)
        fold = fold.enter(after.record[-1], after)
        steps += 1 if after.record[-1].text != "takeback" else len(after.standing) + 1
        if steps > MOST_STEPS:
            raise BrokenRecord(TOO_LONG.format(most=MOST_STEPS), None)
    return fold


def _computers(given: Any, seats: int) -> Mapping[Seat, UserId]:
    """The computers of a record, by their seats."""
    found: dict[Seat, UserId] = {}
    listed: list[object] = given if isinstance(given, list) else [None]  # pyright: ignore[reportUnknownVariableType]
    for one in listed:
        match one:
            case [int(seat), int(level)] if 1 <= seat <= seats and level in LEVELS and seat not in found:
                found[seat] = computer(level, len(found) + 1)
            case _:
                raise Refusal(NO_COMPUTERS)
    return found
