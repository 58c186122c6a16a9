"""A server that has grown: 20,000 finished matches of 5,000 players. What ends and what is ranked there costs no more.

The matches are written by hand, since playing them would take hours, and the ratings are drawn by lot.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Awaitable, Callable
from contextlib import closing
from dataclasses import replace
from functools import partial
from pathlib import Path
from random import Random

from bot.features.board.match_pictures import Renderer
from bot.features.ranking.handlers import CareerCache
from bot.features.ranking.words import MOST_MATCHES
from bot.games.catalogue import load_games
from bot.host.machine import this_machine
from bot.play.acts import Outcome
from bot.play.ids import ChannelId, GuildId, UserId
from bot.play.ratings import ALL_TIME
from bot.play.record import Move
from bot.play.rows import MatchRecordRow, NewMatch
from bot.umpire.transactions import write_outcome
from data.store import Reader, Store, Transaction
from data.upkeep.upgrade import migrate
from tests.bench.figures import Sheet, median

MATCHES, PLAYERS, ROUNDS, LISTED = 20_000, 5_000, 15, 20
SEASONS, FRIENDS = (20253, 20254, 20261), (PLAYERS + 1, PLAYERS + 2)
GUILD, NOW, BEHIND = GuildId(1), 1_770_000_000, 3600
MATCH = """INSERT INTO matches (id, guild, channel, game, game_version, options, seats, seating, rated, host, state,
version, plies, turn, created, ended, shown_version, shown_plies, published)
VALUES (?, 1, 10, ?, 1, '{}', 2, 'lot', 1, ?, 'finished', 4, 2, '[]', ?, ?, 4, 2, 0)"""
PLAYER = 'INSERT INTO players ("match", user, joined, seat, invited, consent, rank) VALUES (?, ?, ?, ?, 0, 0, ?)'
MOVE = 'INSERT INTO moves ("match", ply, seat, text, at) VALUES (?, ?, ?, ?, ?)'
RATING = (
    "INSERT INTO ratings (guild, game, season, user, mu, sigma, played, won, drawn, lost)"
    " VALUES (1, ?, ?, ?, ?, 2, ?, 0, 0, 0)"
)


def grow(file: Path) -> None:
    """Write the server into a migrated database."""
    rng, keys = Random(5), sorted(load_games())
    with closing(sqlite3.connect(file)) as connection, connection:
        for match in range(1, MATCHES + 1):
            one, other = FRIENDS if match % 20 == 0 else rng.sample(range(1, PLAYERS + 1), 2)
            at = NOW - 60 * (MATCHES - match)
            connection.execute(MATCH, (match, rng.choice(keys), one, at, at))
            connection.executemany(PLAYER, [(match, one, 1, 1, 1), (match, other, 2, 2, 2)])
            connection.executemany(MOVE, [(match, seat, seat, "a1", at) for seat in (1, 2)])
        for key in ("", *keys):
            for season in (ALL_TIME, *SEASONS):
                rows = [(key, season, user, rng.gauss(25, 2), rng.randrange(9)) for user in range(1, PLAYERS + 1)]
                connection.executemany(RATING, rows)


def begun(tx: Transaction) -> MatchRecordRow:
    """A live match in which both have moved."""
    new = NewMatch(GUILD, ChannelId(10), "plexus", 1, {}, 2, "lot", True, UserId(1), NOW)
    match = tx.create(new)
    tx.join(match, 2)
    for seat in (1, 2):
        tx.set_player(match, seat, seat=seat)
        tx.append(match, seat, seat, "a1", NOW)
    tx.update(match, 1, state="live", plies=2)
    row = tx.load_match(match)
    assert row
    return row


def moved(row: MatchRecordRow, ends: bool, now: int) -> Outcome:
    """A move of the first seat, which may end the match."""
    after = replace(row, version=row.version + 1, plies=3, record=(*row.record, Move(1, "b1")))
    if ends:
        players = (replace(one, rank=rank, score=2 - rank) for rank, one in enumerate(row.players, 1))
        after = replace(after, state="finished", ended=now, players=tuple(players))
    return Outcome(after)


MOVES = (("move", False, NOW), ("finish", True, NOW), ("late", True, NOW - BEHIND))
"""A move, a move that ends the match, and one that ends it by a clock that is behind; each with its time."""


async def timed(work: Callable[[], Awaitable[object]], clock: Callable[[], float]) -> float:
    """Milliseconds by some clock."""
    began = clock()
    await work()
    return (clock() - began) * 1e3


async def written(store: Store, act: int, row: MatchRecordRow, outcome: Outcome, now: int) -> None:
    """One act."""
    await store.do(write_outcome, act, row, outcome, now)


def ranked(reader: Reader, season: int = ALL_TIME) -> None:
    """What a leaderboard asks for."""
    reader.leaderboard(GUILD, "", LISTED, season)
    reader.count_rated(GUILD, "", season)


def seasonal(reader: Reader) -> None:
    """What a leaderboard of a season asks for, and what is offered while it is chosen."""
    ranked(reader, SEASONS[-1])
    reader.seasons(GUILD)


def profiled(reader: Reader) -> None:
    """What a profile asks for."""
    for game in reader.profile(GUILD, 7):
        reader.find_users_ahead(GUILD, 7, game, LISTED)


def met(reader: Reader) -> None:
    """What a profile asks for besides where somebody else looks at it: two who have met more often than anybody."""
    assert reader.scores(GUILD, *FRIENDS) and reader.find_matches_between(GUILD, *FRIENDS)


async def careers(store: Store) -> tuple[float, float]:
    """Milliseconds of the processor for the picture of how a rating went: when nobody has asked since the start, and
    when a match has ended since somebody did."""
    renderer = Renderer(this_machine().processors)
    archive, board = CareerCache(renderer), (GUILD, "")

    async def asked() -> None:
        seen = archive.get_mark(board)
        came = await store.ask(Reader.find_results_since, *board, seen, MOST_MATCHES)
        assert came and archive.fold_and_draw(board, seen, came, UserId(7), "all games")

    first = await timed(asked, time.process_time)
    row = await store.do(begun)
    await written(store, 10**6, row, moved(row, True, NOW), NOW)
    later = await timed(asked, time.process_time)
    renderer.close()
    return first, later


async def measure(sheet: Sheet, folder: Path) -> None:
    """The figures of a server that has grown."""
    sheet.title(f"A server with {MATCHES} finished matches of {PLAYERS} players")
    file = folder / "grown.db"
    await migrate(f"sqlite:///{file}")
    grow(file)
    store, times = Store(f"sqlite:///{file}"), dict[str, list[float]]()
    first, later = await careers(store)
    for act in range(1, ROUNDS + 1):
        for number, (name, ends, now) in enumerate(MOVES):
            row = await store.do(begun)
            writing = partial(written, store, act * 10 + number, row, moved(row, ends, now), now)
            times.setdefault(name, []).append(await timed(writing, time.perf_counter))
        questions = {"leaderboard": ranked, "season": seasonal, "profile": profiled, "met": met}
        for name, question in questions.items():
            times.setdefault(name, []).append(await timed(partial(store.ask, question), time.process_time))
    await store.close()
    middle = {name: median(values) for name, values in times.items()}
    sheet.add("a move that ends a match / a move", middle["finish"] / middle["move"], limit=5)
    sheet.add("the same by a clock an hour behind / a move", middle["late"] / middle["move"], limit=6)
    sheet.add("processor time of what a leaderboard asks for", middle["leaderboard"], "ms", limit=15)
    sheet.add("the same of a season, with its choices", middle["season"], "ms", limit=15)
    sheet.add("processor time of what a profile asks for", middle["profile"], "ms", limit=15)
    sheet.add("processor time of comparing two who have met a thousand times", middle["met"], "ms", limit=15)
    sheet.add("processor time of how a rating went, the first time", first, "ms", limit=2500)
    sheet.add("the same after one match more", later, "ms", limit=60)
