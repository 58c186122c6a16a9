"""Checks one match for `integrity`: its stored row for contradictions, and against the replay of its record.

Nothing is changed. Every fault of a row becomes a line of text, never an exception.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import get_args

from sqlalchemy import Connection

from bot.core.entry.prepared import Prepared
from bot.core.game.game import Game
from bot.core.game.options import BadOptions
from bot.core.game.position import MoveError
from bot.core.game.two_legs import table
from bot.core.match.declined import is_noted
from bot.core.match.handover import handings
from bot.core.match.match import Match
from bot.core.match.proposal import Proposal, refusals_of
from bot.core.match.stored import Player, Seating, State, Stored
from bot.core.values.computer_users import is_computer
from bot.core.values.plural import Plural
from data.store.reader import Reader

SHOWN = Plural("1 ply was shown, but there are {there}", "{number} plies were shown, but there are {there}")
GIVEN = Plural("it goes on from 1 line, which it can't", "it goes on from {number} lines, which it can't")
PLIES = Plural("it is at version {version} after 1 ply", "it is at version {version} after {number} plies")
LEFT = Plural("has 1 second left, but runs out before", "has {number} seconds left, but runs out before")

BEGUN = ("live", "finished", "aborted")


def examined(connection: Connection, match: int, games: Mapping[str, Game]) -> tuple[list[str], bool]:
    """What is wrong with a match, and whether it could be replayed."""
    try:
        row = Reader(connection).load(match)
        if row is None:
            return [], False
        found = [*told(row)]
        game = games.get(row.game)
        if game is None or game.version != row.game_version:
            return [*found, *unplayable(row, game)], False
        return [*found, *lies(row, game)], True
    except Exception as fault:  # whatever stands there, the other matches are looked at too
        return [f"it can't be read ({fault})"], False


def told(row: Stored) -> Iterator[str]:
    """The contradictions within a stored match, which are faults in any game."""
    if row.state not in get_args(State):
        yield f"there is no such state: {row.state!r}"
    if row.seating not in get_args(Seating):
        yield f"there is no such seating: {row.seating!r}"
    if row.shown_version > row.version:
        yield f"version {row.shown_version} was shown, but it is at {row.version}"
    if row.told_version > row.version:
        yield f"of version {row.told_version} people were told, but it is at {row.version}"
    if row.shown_plies > row.plies:
        yield SHOWN.of(row.shown_plies, there=row.plies)
    if not 0 <= row.imported_plies <= row.plies or (row.rated and row.imported_plies):
        yield GIVEN.of(row.imported_plies)
    if row.version <= row.plies - row.imported_plies:
        yield PLIES.of(row.plies, version=row.version)
    if len({player.joined for player in row.players if player.joined}) < len(row.players):
        yield "its players didn't join one after the other"
    for player in row.players:
        if player.mention_version > row.version:
            yield f"somebody is to be told of version {player.mention_version}, but it is at {row.version}"
    yield from _times(row)
    yield from _agreed(row)
    yield from _ready(row)
    for player in row.players:
        yield from (f"the clock of seat {player.seat} {odd}" for odd in _clock(row, player))


def _agreed(row: Stored) -> Iterator[str]:
    """Where what its players asked of each other cannot be, or was not done."""
    try:
        if row.proposal is not None:
            Proposal.parse(row.proposal)
        if row.started is not None or not is_noted(row.refused):
            refusals_of(row.refused)
    except ValueError:
        yield "what its players ask each other can't be read"
    try:
        handed = handings(row.substitutions)
    except ValueError:
        yield "who handed a seat on can't be read"
        return
    if handed and row.rated:
        yield "one of its seats was handed on, but it counts for ratings"


def _ready(row: Stored) -> Iterator[str]:
    """Where prepared moves cannot have been played, or stand where nobody can have prepared any."""
    if list(row.premove_plies) != sorted({*row.premove_plies}) or not all(
        1 < ply <= len(row.record) for ply in row.premove_plies
    ):
        yield f"lines {list(row.premove_plies)} of its record can't be prepared moves"
    for player in row.players:
        if player.prepared is not None and (row.state != "live" or row.seats != 2):
            yield f"seat {player.seat} has prepared moves, though nothing can be prepared"


def unprepared(row: Stored, match: Match) -> Iterator[str]:
    """Prepared moves that could not have been prepared, or cannot be played any more."""
    for player in row.players:
        try:
            lines = Prepared.parse(player.prepared).lines
            for line in lines:
                after = match
                for move in line:
                    after = after.play(*move)
                if match.game.secret or line[0].seat == player.seat or line[-1].seat != player.seat:
                    yield f"seat {player.seat} can't have prepared {json.dumps(line)}"
        except (ValueError, MoveError) as fault:
            yield f"the prepared moves of seat {player.seat} are wrong: {fault}"


def _times(row: Stored) -> Iterator[str]:
    over = row.state not in ("open", "live")
    if row.state == "open" and row.expires is None:
        yield "it is open but never expires"
    if row.state in ("live", "finished") and row.started is None:
        yield f"it is {row.state}, but never started"
    if over and row.ended is None:
        yield f"it is {row.state}, but never ended"
    if not over and row.ended is not None:
        yield f"it is {row.state}, but has ended"


def _clock(row: Stored, player: Player) -> Iterator[str]:
    """Where somebody's clock makes no sense, whatever time it is."""
    timed, runs = row.pace != "none" and player.seat is not None, player.deadline is not None
    if (player.seconds_left is None) != (player.allotted is None) or (player.seconds_left is not None and not timed):
        yield "is one that there cannot be"
    if is_computer(player.user) and player.seconds_left is not None:
        yield "is a computer's, which needs none"
    if row.state == "live" and timed and player.seconds_left is None and not is_computer(player.user):
        yield "is missing"
    if (player.since is None) == runs:
        yield "neither runs nor stands still"
    if runs and (row.state != "live" or row.paused is not None or player.seat not in row.turn):
        yield "runs, though it is not for them to move"
    if runs and (player.deadline or 0) < (player.since or 0) + (player.seconds_left or 0):
        yield LEFT.of(player.seconds_left or 0)
    if player.forfeit_at is not None and (not runs or player.forfeit_at < (player.deadline or 0)):
        yield "is to be claimed, though it has not run out"
    if player.next_reminder_at is not None and (not runs or player.forfeit_at is not None):
        yield "does not run, but they are to be reminded"


def unplayable(row: Stored, game: Game | None) -> Iterator[str]:
    """Why a match that goes on cannot; one that is over stands as it is."""
    if game is None and row.state in ("open", "live"):
        yield f"it is {row.state}, but this program doesn't have the game {row.game!r}"
    if game and row.state == "live":
        yield f"it is live, but this program has version {game.version} of {row.game}, not {row.game_version}"


def lies(row: Stored, game: Game) -> Iterator[str]:
    """The stored values of a match that differ from those its record gives, a few words each."""
    if row.seats not in game.seats:
        yield f"it is for {row.seats} players, but {game.key} isn't"
        return
    try:
        match = Match.start(table(game, row.legs), row.options, row.seats)
        for entry in row.record:
            match = match.enter(entry.seat, entry.text)
    except (BadOptions, MoveError) as refusal:
        yield f"its record breaks a rule: {refusal}"
        return
    if match.record != row.record:
        yield "its record isn't in canonical notation"
    yield from unprepared(row, match)
    for name, said, so in facts(row, match):
        if said != so:
            yield f"{name} stored as {json.dumps(said)}, the record gives {json.dumps(so)}"


def facts(row: Stored, match: Match) -> Iterator[tuple[str, object, object]]:
    """What a match is stored with beside its record: its name, the value stored, and the value it must have."""
    over = row.state == "finished"
    seats = range(1, row.seats + 1) if row.state in BEGUN else [None] * len(row.players)
    ranks = match.ranks if over else None
    scores = match.scores if over else None
    yield "plies", row.plies, len(match.record)
    turn = list(match.turn) if row.state == "live" else []
    yield "turn", list(row.turn), turn
    yield "thinks", row.thinks, next((seat for seat in turn if is_computer(row.at(seat) or 0)), None)
    yield "seats", [player.seat for player in row.players], [*seats]
    yield "ranks", [player.rank for player in row.players], [*(ranks or [None] * len(row.players))]
    yield "scores", [player.score for player in row.players], [*(scores or [None] * len(row.players))]
    if row.state in ("live", "finished"):
        yield "state", row.state, "finished" if match.finished else "live"
    if row.state not in BEGUN:
        yield "moves", len(row.record), row.imported_plies
