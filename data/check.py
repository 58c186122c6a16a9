"""Whether the database is well: what follows from the records is compared with what is stored beside them.

`check` replays every match of a game whose version is the current one, computes all ratings anew, and has the database
look at itself.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from functools import partial
from math import isclose
from typing import get_args

from sqlalchemy import Connection, exists, func, or_, select

from bot.core.computers import is_computer
from bot.core.game import Game, MoveError
from bot.core.handing import handings
from bot.core.match import Match
from bot.core.options import BadOptions
from bot.core.proposals import Proposal, refusals_of
from bot.core.ratings import Rating
from bot.core.rows import Board, Player, Seating, State, Stored
from bot.core.seasons import name_of
from bot.core.twofold import table
from data import standings
from data.engine import LOOKING, Database, address, damage, file_of
from data.migrate import refuse_newer, refuse_older, revision_of
from data.preparing import recognise
from data.reads import Reader
from data.schema import away, matches, moves
from data.shape import misplaced, misshapen

IDS = select(matches.c.id).order_by(matches.c.id)
GAPS = (
    select(moves.c.match)
    .group_by(moves.c.match)
    .having(or_(func.min(moves.c.ply) != 1, func.max(moves.c.ply) != func.count()))
)
FOLLOWED = matches.alias()
FOLLOWING = select(matches.c.id, matches.c.rematch_of).where(
    matches.c.rematch_of.is_not(None), ~exists().where(FOLLOWED.c.id == matches.c.rematch_of)
)
ENDLESS = select(away.c.guild, away.c.user, away.c.begins).where(away.c.ends <= away.c.begins)
BEGUN = ("live", "finished", "aborted")


@dataclass(frozen=True, slots=True)
class Report:
    """What was found, a sentence a line, and whether all is well."""

    lines: tuple[str, ...]
    sound: bool


async def check(url: str, games: Mapping[str, Game], ratings: bool = False) -> Report:
    """Compare all that is stored with the records. `ratings`: write down computed ratings where they differ.

    `FileNotFoundError`, `SchemaError` or `Unavailable` where there is nothing that could be checked.
    """
    async with opened(url) as database:
        lost, odd = await database.read(_shape)
        if lost:
            return Report((*lost, "Nothing else was looked at."), False)
        found, total, replayed = await _matches(database, odd, games)
        mended, wrong = await _ratings(database, mend=ratings)
    faults = len(found) + len(wrong)
    summary = f"{total} matches, {replayed} of them replayed: {faults or 'no'} fault{'s' * (faults != 1)}."
    return Report((*found, *wrong, *mended, summary), not faults)


@asynccontextmanager
async def opened(url: str) -> AsyncGenerator[Database]:
    """A database that is there already, or `FileNotFoundError`."""
    if file := file_of(address(url)):
        if not file.exists():
            raise FileNotFoundError(f"There is no database at {file}: start the bot, or run `python -m bot migrate`.")
        await asyncio.to_thread(recognise, file)
    database = Database(url, LOOKING)
    try:
        yield database
    finally:
        await database.close()


def up_to_date(connection: Connection) -> None:
    """Raise a `SchemaError` unless the database is at the program's schema."""
    revision = revision_of(connection)
    refuse_newer(revision)
    refuse_older(revision)


async def _matches(database: Database, odd: list[str], games: Mapping[str, Game]) -> tuple[list[str], int, int]:
    """What is wrong with the file and with the matches; how many matches there are, and how many were replayed."""
    found, ids = await database.read(partial(_file, odd=odd))
    replayed = 0
    for match in ids:
        # Each in a snapshot of its own, so that a long check holds nobody up.
        lies, counted = await database.read(partial(_examined, match=match, games=games))
        found += [f"match {match}: {lie}" for lie in lies]
        replayed += counted
    return found, len(ids), replayed


def _shape(connection: Connection) -> tuple[list[str], list[str]]:
    """What is missing of the tables without which nothing can be looked at, and what else is not as it should be."""
    up_to_date(connection)
    lost, odd = misshapen(connection)
    return [f"the database file: {line}" for line in lost], odd


def _file(connection: Connection, odd: list[str]) -> tuple[list[str], Sequence[int]]:
    """What is wrong with the file, and the numbers of the matches in it."""
    found = [f"the database file: {line}" for line in (*damage(connection), *odd)]
    found += misplaced(connection)
    found += [f"match {match}: its record has a gap" for match in connection.execute(GAPS).scalars()]
    found += [
        f"absence in server {guild} of {user} from {begins} on: it ends before it begins"
        for guild, user, begins in connection.execute(ENDLESS)
    ]
    found += [
        f"match {match}: it follows match {other}, which there is not" for match, other in connection.execute(FOLLOWING)
    ]
    return found, connection.execute(IDS).scalars().all()


def _examined(connection: Connection, match: int, games: Mapping[str, Game]) -> tuple[list[str], bool]:
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
        return [f"it cannot be read ({fault})"], False


def told(row: Stored) -> Iterator[str]:
    """Where what is stored of a match does not fit to itself, whatever its game is."""
    if row.state not in get_args(State):
        yield f"there is no state {row.state!r}"
    if row.seating not in get_args(Seating):
        yield f"there is no seating {row.seating!r}"
    if row.shown_version > row.version:
        yield f"version {row.shown_version} was shown, but it is at {row.version}"
    if row.shown_plies > row.plies:
        yield f"{row.shown_plies} plies were shown, but there are {row.plies}"
    if row.version <= row.plies:
        yield f"it is at version {row.version} after {row.plies} plies"
    if len({player.joined for player in row.players if player.joined}) < len(row.players):
        yield "its players have not joined one after the other"
    for player in row.players:
        if player.due > row.version:
            yield f"somebody is to be told of version {player.due}, but it is at {row.version}"
    yield from _times(row)
    yield from _agreed(row)
    for player in row.players:
        yield from (f"the clock of seat {player.seat} {odd}" for odd in _clock(row, player))


def _agreed(row: Stored) -> Iterator[str]:
    """Where what its players asked of each other cannot be, or was not done."""
    try:
        if row.proposal is not None:
            Proposal.parse(row.proposal)
        refusals_of(row.refused)
    except ValueError:
        yield "what its players ask of each other cannot be read"
    try:
        handed = handings(row.handed)
    except ValueError:
        yield "who has handed a seat on cannot be read"
        return
    if handed and row.rated:
        yield "a seat of it was handed on, but it counts for ratings"


def _times(row: Stored) -> Iterator[str]:
    over = row.state not in ("open", "live")
    if row.state == "open" and row.expires is None:
        yield "it is open, but never expires"
    if row.state in ("live", "finished") and row.started is None:
        yield f"it is {row.state}, but never started"
    if over and row.ended is None:
        yield f"it is {row.state}, but never ended"
    if not over and row.ended is not None:
        yield f"it is {row.state}, but has ended"


def _clock(row: Stored, player: Player) -> Iterator[str]:
    """Where somebody's clock makes no sense, whatever time it is."""
    timed, runs = row.pace != "none" and player.seat is not None, player.deadline is not None
    if (player.left is None) != (player.allotted is None) or (player.left is not None and not timed):
        yield "is one that there cannot be"
    if is_computer(player.user) and player.left is not None:
        yield "is a computer's, which needs none"
    if row.state == "live" and timed and player.left is None and not is_computer(player.user):
        yield "is missing"
    if (player.since is None) == runs:
        yield "neither runs nor stands still"
    if runs and (row.state != "live" or row.paused is not None or player.seat not in row.turn):
        yield "runs, though it is not for them to move"
    if runs and (player.deadline or 0) < (player.since or 0) + (player.left or 0):
        yield f"has {player.left} seconds left, but runs out before"
    if player.lapse is not None and (not runs or player.lapse < (player.deadline or 0)):
        yield "is to be claimed, though it has not run out"
    if player.remind is not None and (not runs or player.lapse is not None):
        yield "does not run, but they are to be reminded"


def unplayable(row: Stored, game: Game | None) -> Iterator[str]:
    """Why a match that goes on cannot; one that is over stands as it is."""
    if game is None and row.state in ("open", "live"):
        yield f"it is {row.state}, but this program has no game {row.game!r}"
    if game and row.state == "live":
        yield f"it is live, but this program has version {game.version} of {row.game}, not {row.game_version}"


def lies(row: Stored, game: Game) -> Iterator[str]:
    """Where what is stored of a match is not what its record gives, a few words each."""
    if row.seats not in game.seats:
        yield f"it is for {row.seats} players, which {game.key} is not"
        return
    try:
        match = Match.start(table(game, row.legs), row.options, row.seats)
        for entry in row.record:
            match = match.enter(entry.seat, entry.text)
    except (BadOptions, MoveError) as refusal:
        yield f"its record breaks a rule: {refusal}"
        return
    if match.record != row.record:
        yield "its record is not in canonical notation"
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
        yield "moves", len(row.record), 0


async def _ratings(database: Database, mend: bool) -> tuple[list[str], list[str]]:
    """The boards whose ratings were wrong: those written anew, and those that still are."""
    mended: list[str] = []
    wrong: list[str] = []
    try:
        boards = await database.read(standings.boards)
    except TypeError as fault:
        return [], [f"ratings cannot be told apart by server and game ({fault})"]
    for board in boards:
        season = f", {name_of(board.season)}" if board.season else ""
        which = f"ratings of {board.game or 'all games'} in server {board.guild}{season}"
        try:
            off = await _looked_at(database, board, mend)
        except (TypeError, ValueError, ArithmeticError) as fault:  # of a value that was told of already
            wrong.append(f"{which} cannot be computed ({fault})")
            continue
        if not off:
            continue
        line = f"{which}: {off} differ from what the matches give"
        if mend:
            mended.append(f"{line}; they were computed anew")
        else:
            wrong.append(f"{line}: run check with --ratings")
    return mended, wrong


async def _looked_at(database: Database, board: Board, mend: bool) -> int:
    """How many stored ratings of a board are not what the matches give; with `mend` they are from now on.

    What the matches give takes long to compute, so that is done on a snapshot, while others go on writing.
    """
    while True:
        off, computed, seen = await database.read(partial(_off, board=board))
        written = partial(standings.rewrite, board=board, after=computed, seen=seen)
        if not (off and mend) or await database.write(written):
            return off


def _off(connection: Connection, board: Board) -> tuple[int, dict[int, Rating], standings.Mark]:
    """How many stored ratings of a board are not what the matches give, what they give, and until when."""
    stored, computed = standings.stored(connection, board), standings.computed(connection, board)
    off = sum(not _agree(stored.get(user), computed.get(user)) for user in stored.keys() | computed.keys())
    return off, computed, standings.mark(connection, board.guild)


def _agree(one: Rating | None, other: Rating | None) -> bool:
    # Not to the last bit: another processor may add in another order.
    if one is None or other is None:
        return False
    near = all(isclose(*pair, rel_tol=1e-9) for pair in ((one.mu, other.mu), (one.sigma, other.sigma)))
    return near and replace(one, mu=other.mu, sigma=other.sigma) == other
