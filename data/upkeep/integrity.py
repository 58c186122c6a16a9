"""`check`: replays all matches and recomputes all ratings; and the refusal while a bot runs."""

from __future__ import annotations

import asyncio
import os
import sqlite3
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager, closing
from dataclasses import replace
from functools import partial
from math import isclose
from pathlib import Path

from sqlalchemy import Connection, exists, func, inspect, or_, select, text

from bot.games.game import Game
from bot.games.wording import Plural
from bot.play import ratings
from bot.play.ratings import Leaderboard, Rating, name_of
from data.engine.address import address_of_file, file_of, parse_address
from data.engine.database import LOOKING, Database, find_damage
from data.engine.driver import HOSTS, TimeLimits
from data.engine.errors import Damaged, Unusable
from data.queries import standings
from data.store import Reader
from data.tables.schema import away, matches, moves
from data.upkeep.backups import borrow_copy
from data.upkeep.checks import examine_match, find_league_faults, find_misplaced, find_misshapen, find_missing
from data.upkeep.file_check import (
    NONE_THERE,
    CommandRefused,
    Progress,
    notes_among,
    recognise,
    refuse_no_copy,
    run_on_thread,
    show_nothing,
    stop_on_cancel,
    verify,
)
from data.upkeep.health import HEARTBEAT, UNHEARD_SECONDS, describe_left_by, format_age, seconds_silent
from data.upkeep.hindrance import Report, SchemaError, refuse_newer, refuse_older
from data.upkeep.sole_writer import allows_two_writers
from data.upkeep.upgrade import revision_of, upgrade_schema

# The check of a database for `python -m bot check`.


ALL = Plural("1 match, {replayed} replayed: {faults}.", "{number} matches, {replayed} of them replayed: {faults}.")
FAULTS = Plural("1 fault", "{number} faults")
OFF = Plural("{which}: 1 differs from what the matches say", "{which}: {number} differ from what the matches say")
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


async def check_database(
    url: str, games: Mapping[str, Game], ratings: bool = False, progress: Progress = show_nothing
) -> Report:
    """Compare all stored values with the records. `ratings`: correct ratings that differ.

    If a second process should not, or cannot, open the database like the bot, a copy of it is checked.
    `FileNotFoundError`, `SchemaError` or `Unavailable` if there is nothing to check.
    """
    file = file_of(parse_address(url))
    if file is None or ratings or not file.exists() or (allows_two_writers() and os.access(file.parent, os.W_OK)):
        return await _check_all(url, games, ratings, progress)
    if os.access(file.parent, os.W_OK):
        await recognise(file)
    async with borrow_copy(file, progress) as (copy, unread):
        report = await _check_all(address_of_file(copy), games, False, progress)
    return replace(report, lines=(*report.lines, unread)) if unread else report


async def check_copy(file: Path, games: Mapping[str, Game], progress: Progress = show_nothing) -> Report:
    """Check whether a copy can be restored and is consistent; the file is only read. `CommandRefused`,
    `Unavailable`."""
    await asyncio.to_thread(refuse_no_copy, file)
    async with _borrow_copy(file, progress) as (copy, unread):
        try:
            await run_on_thread(partial(_verify_copy, copy), progress)
            await upgrade_schema(address_of_file(copy))
        except (CommandRefused, SchemaError, Unusable) as fault:
            return Report((f"{file} can't be restored. {fault}",), False)
        report = await _check_all(address_of_file(copy), games, False, progress)
    verdict = f"{file} can be restored." if report.sound else f"{file} can be restored, with the faults above."
    return replace(report, lines=(*report.lines, *filter(None, [unread]), verdict))


@asynccontextmanager
async def _borrow_copy(file: Path, progress: Progress) -> AsyncGenerator[tuple[Path, str]]:
    try:
        async with borrow_copy(file, progress) as held:
            yield held
    except Damaged as fault:  # its advice is for the bot's own database
        raise CommandRefused(f"{file} can't be restored. It is damaged ({fault.__cause__ or fault}).") from fault


def _verify_copy(copy: Path, progress: Progress) -> None:
    with closing(sqlite3.connect(copy)) as connection:
        verify(connection, progress)


async def _check_all(url: str, games: Mapping[str, Game], ratings: bool, progress: Progress) -> Report:
    async with open_existing(url) as database:
        lost, odd = await database.read(_check_shape)
        if lost:
            return Report((*lost, "Nothing else was checked."), False)
        with stop_on_cancel(progress) as told:
            found, total, replayed = await _check_matches(database, odd, games, told)
            mended, wrong = await _check_ratings(database, ratings, told)
        gone = await database.read(lambda connection: describe_left_by(Reader(connection)))
    faults = len(found) + len(wrong)
    summary = ALL.fill_in(total, replayed=replayed, faults=FAULTS.fill_in(faults) if faults else "no faults")
    return Report((*found, *wrong, *mended, summary, *filter(None, [gone])), not faults)


@asynccontextmanager
async def open_existing(url: str, limits: TimeLimits | None = HOSTS) -> AsyncGenerator[Database]:
    """An existing database; raises `FileNotFoundError`."""
    if file := file_of(parse_address(url)):
        if not file.exists():
            raise FileNotFoundError(NONE_THERE.format(file=file))
        await recognise(file)
    database = Database(url, LOOKING, limits)
    try:
        yield database
    finally:
        await database.close()


def refuse_outdated(connection: Connection) -> None:
    """Raise a `SchemaError` unless the database is at the program's schema."""
    revision = revision_of(connection)
    refuse_newer(revision)
    refuse_older(revision)


async def _check_matches(
    database: Database, odd: list[str], games: Mapping[str, Game], progress: Progress
) -> tuple[list[str], int, int]:
    """The faults of the file and of the matches; the number of matches, and of those replayed."""
    found, ids = await database.read(partial(_check_file, odd=odd, progress=progress))
    replayed = 0
    for done, match in enumerate(ids):
        progress("matches", done, len(ids))
        # Each in a snapshot of its own, so that a long check does not block writers.
        lies, counted = await database.read(partial(examine_match, match=match, games=games))
        found += [f"match {match}: {lie}" for lie in lies]
        replayed += counted
    progress("matches", len(ids), len(ids))
    return found, len(ids), replayed


def _check_shape(connection: Connection) -> tuple[list[str], list[str]]:
    """The missing tables without which nothing can be checked, and the other faults of the schema."""
    refuse_outdated(connection)
    return [f"the database file: {line}" for line in find_missing(connection)], find_misshapen(connection)


def _check_file(connection: Connection, odd: list[str], progress: Progress) -> tuple[list[str], Sequence[int]]:
    """The faults of the file, and the ids of its matches."""
    found = [f"the database file: {line}" for line in (*find_damage(connection), *odd)]
    found += find_misplaced(connection, progress)
    found += [f"match {match}: its record has a gap" for match in connection.execute(GAPS).scalars()]
    found += [
        f"absence in server {guild} of {user} from {begins} on: it ends before it begins"
        for guild, user, begins in connection.execute(ENDLESS)
    ]
    found += find_league_faults(connection)
    found += [
        f"match {match}: it follows match {other}, which doesn't exist"
        for match, other in connection.execute(FOLLOWING)
    ]
    return found, connection.execute(IDS).scalars().all()


async def _check_ratings(database: Database, mend: bool, progress: Progress) -> tuple[list[str], list[str]]:
    """The leaderboards whose ratings were wrong: the corrected ones, and those that still are."""
    mended: list[str] = []
    wrong: list[str] = []
    try:
        boards = await database.read(standings.list_boards)
    except TypeError as fault:
        return [], [f"ratings cannot be told apart by server and game ({fault})"]
    for done, board in enumerate(boards, 1):
        progress("leaderboards", done, len(boards))
        game = board.game or "all games"
        season = [name_of(board.season)] if board.season else []
        which = ", ".join([f"ratings of {game} in server {board.guild}", *season])
        try:
            off = await _check_board(database, board, mend)
        except (TypeError, ValueError, ArithmeticError) as fault:  # of a value that was reported before
            wrong.append(f"{which} can't be computed ({fault})")
            continue
        if not off:
            continue
        line = OFF.fill_in(off, which=which)
        if mend:
            mended.append(f"{line}; they were recomputed")
        else:
            wrong.append(f"{line}: run check with --ratings")
    return mended, wrong


async def _check_board(database: Database, board: Leaderboard, mend: bool) -> int:
    """The number of stored ratings of a leaderboard that differ from those by the matches; with `mend` they are
    corrected.

    Computing takes long, so it works on a snapshot, while others go on writing.
    """
    while True:
        off, computed, seen = await database.read(partial(_compare_ratings, board=board))
        written = partial(standings.rewrite_ratings, board=board, after=computed, seen=seen)
        if not (off and mend) or await database.write(written):
            return off


def _compare_ratings(connection: Connection, board: Leaderboard) -> tuple[int, dict[int, Rating], ratings.ResultsMark]:
    """The number of stored ratings that differ from those computed, the computed ones, and the mark of the results."""
    stored, computed = standings.load_ratings(connection, board), standings.compute_ratings(connection, board)
    off = sum(not _agree(stored.get(user), computed.get(user)) for user in stored.keys() | computed.keys())
    return off, computed, standings.read_results_mark(connection, board.guild)


def _agree(one: Rating | None, other: Rating | None) -> bool:
    # Approximately: other processors may add in another order.
    if one is None or other is None:
        return False
    near = all(isclose(*pair, rel_tol=1e-9) for pair in ((one.mu, other.mu), (one.sigma, other.sigma)))
    return near and replace(one, mu=other.mu, sigma=other.sigma) == other


# The refusal of hosts' commands while a bot runs, by its heartbeat in the database.


async def refuse_where_one_runs(url: str, clock: Callable[[], float]) -> None:
    """Raise `CommandRefused` if a bot's heartbeat is recent; not without a database."""
    try:
        async with open_existing(url) as database:
            await database.read(lambda connection: refuse_heard(connection, int(clock())))
    except FileNotFoundError:
        return


def refuse_heard(connection: Connection, now: int) -> None:
    """The same for an open database."""
    if not (table := notes_among(inspect(connection).get_table_names())):
        return
    notes = connection.execute(text(f"SELECT name, value FROM {table}"))
    silent = seconds_silent({name: value for name, value in notes if name.startswith(HEARTBEAT)}, now)
    if silent is not None:
        raise CommandRefused(
            f"A bot was heard on this database {format_age(max(0, silent))} ago: stop it first. If it is stopped"
            f" already, wait until it has not been heard for {UNHEARD_SECONDS} seconds, or give --force."
        )
