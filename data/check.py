"""Whether the database is well: what follows from the records is compared with what is stored beside them.

`check` replays every match of a game whose version is the current one, computes all ratings anew, and has the database
look at itself; `health` is a glance, for whatever watches a running bot.
"""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import asdict, dataclass
from functools import partial
from math import isclose

from sqlalchemy import Connection, func, or_, select

from bot.core.game import Game, MoveError
from bot.core.match import Match
from bot.core.options import BadOptions
from bot.core.ratings import Rating
from bot.core.rows import Stored
from data import standings
from data.engine import Database, address, damage, file_of
from data.migrate import refuse_newer, refuse_older, revision_of
from data.reads import Reader
from data.schema import matches, moves

IDS = select(matches.c.id).order_by(matches.c.id)
GAPS = (
    select(moves.c.match)
    .group_by(moves.c.match)
    .having(or_(func.min(moves.c.ply) != 1, func.max(moves.c.ply) != func.count()))
)
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
        found, total, replayed = await _matches(database, games)
        mended, wrong = await _ratings(database, mend=ratings)
    faults = len(found) + len(wrong)
    summary = f"{total} matches, {replayed} of them replayed: {faults or 'no'} fault{'s' * (faults != 1)}."
    return Report((*found, *wrong, *mended, summary), not faults)


async def health(url: str) -> str:
    """A sentence about what is in a database that can be written and is at the program's schema.

    `FileNotFoundError`, `SchemaError` or `Unavailable` for any other.
    """

    def seen(connection: Connection) -> dict[str, int]:
        up_to_date(connection)
        return Reader(connection).counts()

    async with opened(url) as database:
        counts = await database.write(seen)
    states = ", ".join(f"{number} {state}" for state, number in sorted(counts.items())) or "none yet"
    return f"The database can be read and written. Matches: {states}."


@asynccontextmanager
async def opened(url: str) -> AsyncGenerator[Database]:
    """A database that is there already, or `FileNotFoundError`."""
    file = file_of(address(url))
    if file and not file.exists():
        raise FileNotFoundError(f"There is no database at {file}: start the bot, or run `python -m bot migrate`.")
    database = Database(url)
    try:
        yield database
    finally:
        await database.close()


def up_to_date(connection: Connection) -> None:
    """Raise a `SchemaError` unless the database is at the program's schema."""
    revision = revision_of(connection)
    refuse_newer(revision)
    refuse_older(revision)


async def _matches(database: Database, games: Mapping[str, Game]) -> tuple[list[str], int, int]:
    """What is wrong with the file and with the matches; how many matches there are, and how many were replayed."""
    found, ids = await database.read(_file)
    replayed = 0
    for match in ids:
        # Each in a snapshot of its own, so that a long check holds nobody up.
        lies, counted = await database.read(partial(_examined, match=match, games=games))
        found += [f"match {match}: {lie}" for lie in lies]
        replayed += counted
    return found, len(ids), replayed


def _file(connection: Connection) -> tuple[list[str], Sequence[int]]:
    """What is wrong with the file, and the numbers of the matches in it."""
    up_to_date(connection)
    found = [f"the database file: {line}" for line in damage(connection)]
    found += [f"match {match}: its record has a gap" for match in connection.execute(GAPS).scalars()]
    return found, connection.execute(IDS).scalars().all()


def _examined(connection: Connection, match: int, games: Mapping[str, Game]) -> tuple[list[str], bool]:
    """What is wrong with a match, and whether it could be replayed."""
    try:
        row = Reader(connection).load(match)
    except (ValueError, TypeError) as fault:
        return [f"it cannot be read ({fault})"], False
    if row is None:
        return [], False
    game = games.get(row.game)
    if game is None or game.version != row.game_version:
        return [*_counters(row)], False
    return [*_counters(row), *lies(row, game)], True


def _counters(row: Stored) -> Iterator[str]:
    if row.shown_version > row.version:
        yield f"version {row.shown_version} was shown, but it is at {row.version}"
    if row.version <= row.plies:
        yield f"it is at version {row.version} after {row.plies} plies"


def lies(row: Stored, game: Game) -> Iterator[str]:
    """Where what is stored of a match is not what its record gives, a few words each."""
    try:
        match = Match.start(game, row.options, row.seats)
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
    yield "turn", list(row.turn), list(match.turn) if row.state == "live" else []
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
    for guild, game in await database.read(standings.boards):
        off = await database.read(partial(_off, guild=guild, game=game))
        if not off:
            continue
        line = f"ratings of {game or 'all games'} in server {guild}: {off} differ from what the matches give"
        if mend:
            await database.write(partial(standings.rewrite, guild=guild, board=game))
            mended.append(f"{line}; they were computed anew")
        else:
            wrong.append(f"{line}: run check with --ratings")
    return mended, wrong


def _off(connection: Connection, guild: int, game: str) -> int:
    """How many stored ratings of a board are not what the matches give."""
    stored, computed = standings.stored(connection, guild, game), standings.computed(connection, guild, game)
    return sum(not _agree(stored.get(user), computed.get(user)) for user in stored.keys() | computed.keys())


def _agree(one: Rating | None, other: Rating | None) -> bool:
    # Not to the last bit: another processor may add in another order.
    if one is None or other is None:
        return False
    mine, yours = asdict(one), asdict(other)
    return all(isclose(mine[name], yours[name], rel_tol=1e-9) for name in mine)
