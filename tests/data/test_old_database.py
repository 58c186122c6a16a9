"""A database that the version before wrote, with an open challenge, a live and a finished match of every game: whatever
rules and defaults have become since, it is migrated, well, and played on."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import AsyncGenerator
from contextlib import closing
from pathlib import Path
from random import Random

import pytest

from bot.games.catalogue import load_games
from bot.games.position import MoveError
from bot.play import acts
from bot.play.ids import InteractionId, MatchId
from bot.umpire.acts import Sweeper
from bot.umpire.umpire import Umpire
from data.store import Reader, Store
from data.upkeep.integrity import check_database
from data.upkeep.upgrade import migrate
from tests.contract.playing import stepped

DUMP = Path(__file__).with_name("before.sql")
"""Written by umpire calls at schema 0002, the games in the order of their keys: challenges of nobody's options, five
moves, and a playout or seventy moves and a resignation."""
THEN = frozenset(
    re.findall(r"""^INSERT INTO "matches" VALUES\(\d+,1,10,NULL,'([a-z-]+)'""", DUMP.read_text(), re.MULTILINE)
)
"""The games that there were."""
RAISED = {"flipping-bits"}
"""Games whose version is another now: their live matches are closed, unrated."""
MOST = 12
"""So many moves are played on; a match that is not over then is resigned."""
NOW = 1_770_000_000


@pytest.fixture
async def umpire(folder: Path) -> AsyncGenerator[Umpire]:
    """The umpire of today over the database of then, which must be well at the end."""
    file = folder / "before.db"
    with closing(sqlite3.connect(file)) as connection:
        connection.executescript(DUMP.read_text())
    url = f"sqlite:///{file}"
    await migrate(url)
    store = Store(url)
    yield Umpire(store, load_games(), lambda: NOW, Random(2))
    await Sweeper(store, load_games(), lambda: NOW).close_outdated()  # as the bot does
    await store.close()
    report = await check_database(url, load_games())
    assert report.sound, report.lines


async def test_every_game_is_there_in_every_state(umpire: Umpire) -> None:
    assert await umpire.store.ask(Reader.count_by_state) == dict.fromkeys(("open", "live", "finished"), len(THEN))
    live = await umpire.store.ask(Reader.list_matches, 1, ("live",))
    assert {row.game for row in live} == THEN <= set(load_games())
    closed = await Sweeper(umpire.store, umpire.games, umpire.clock).close_outdated()
    assert {row.game for row in live if row.id in closed} == RAISED


async def test_live_matches_are_played_on(umpire: Umpire) -> None:
    rng, act = Random(3), 10**6
    for row in await umpire.store.ask(Reader.list_matches, 1, ("live",)):
        if row.game in RAISED:
            continue
        loaded = await umpire.load(row.id)
        for _ in range(MOST):
            if not loaded.turn:
                break
            line = stepped(loaded.begun_match, rng).record[-1]
            act += 1
            loaded = (await umpire.move(InteractionId(act), row.id, loaded.user_at(line.seat), line.text)).after
        if loaded.turn:
            act += 1
            loaded = (await umpire.act(InteractionId(act), row.id, loaded.user_at(loaded.turn[0]), acts.resign)).after
        assert loaded.row.state == "finished", row.game


async def test_open_challenges_are_accepted_and_finished_matches_shown(umpire: Umpire) -> None:
    umpire.clock = lambda: 1_760_000_100  # before the challenges expire
    act = 2 * 10**6
    for number in map(MatchId, range(1, 3 * len(THEN) + 1)):
        loaded = await umpire.load(number)
        if loaded.row.state == "open":
            for player in loaded.row.players[1:]:
                act += 1
                loaded = (await umpire.act(InteractionId(act), number, player.user, acts.accept)).after
            assert loaded.turn, loaded.game.key
            with pytest.raises(MoveError):
                await umpire.move(InteractionId(act + 1), number, loaded.user_at(loaded.turn[0]), "@everyone")
        elif loaded.row.state == "finished":
            assert loaded.begun_match.is_over and loaded.game.pictures(loaded.begun_match.position)


async def test_seasons_and_runs_of_wins_are_counted_from_what_there_was(folder: Path) -> None:
    """Of all quarters, the time from before they were counted included."""
    file = folder / "before.db"
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.executescript(DUMP.read_text())
        connection.execute("UPDATE matches SET ended = ended - 8000000 WHERE id < 30")
    await migrate(f"sqlite:///{file}")
    store = Store(f"sqlite:///{file}")
    assert await store.ask(Reader.seasons, 1) == (20254, 20253)
    seasons = [await store.ask(Reader.leaderboard, 1, "", 9, season) for season in (20253, 20254, 0)]
    assert [sum(line.played for line in lines) for lines in seasons] == [2 * 9, 2 * 10, 2 * 19]
    assert max(line.longest for line in seasons[2]) > 1
    await store.close()
    report = await check_database(f"sqlite:///{file}", load_games())
    assert not [line for line in report.lines if "ratings" in line], report.lines
