"""Databases that earlier versions wrote, by acts of their umpires: they are brought up to date without loss, are well
afterwards, and what was under way in them goes on."""

from __future__ import annotations

import runpy
import sqlite3
from collections.abc import AsyncGenerator
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import pytest

from bot.games.catalogue import load_games
from bot.play.ids import InteractionId, MatchId, UserId
from bot.umpire.umpire import Umpire
from data.store import Store
from data.upkeep.hindrance import SCRIPTS
from data.upkeep.integrity import check_database
from data.upkeep.upgrade import migrate
from tests.contract.planted import MARKS

NAMES: dict[str, Any] = runpy.run_path(str(SCRIPTS / "versions" / "0020_names.py"))
GAMES = {**load_games(), MARKS.key: MARKS}
ANN, BEA = UserId(1), UserId(2)
LIVE = MatchId(2)
"""In each of them a match of Ann and Bea in which Bea is to move, by a clock that runs."""
OLD = {"clocks": "0004", "leagues": "0012"}
"""The schemas of the databases: the first has matches in every state, clocks, preferences and an absence; the second
also prepared moves, a league, a try at a puzzle and what a review found."""

Rows = dict[str, list[dict[str, Any]]]


class Upgraded(NamedTuple):
    """A database that was brought up to date: what it held before, and where it is."""

    before: Rows
    file: Path


def rows(connection: sqlite3.Connection) -> Rows:
    """All that a database holds, as it stands there."""
    connection.row_factory = sqlite3.Row
    names = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'")
    return {
        name: [dict(row) for row in connection.execute(f"SELECT * FROM {name} ORDER BY rowid")]
        for (name,) in names.fetchall()
    }


@pytest.fixture(params=OLD)
async def upgraded(request: pytest.FixtureRequest, folder: Path) -> AsyncGenerator[Upgraded]:
    file = folder / "before.db"
    with closing(sqlite3.connect(file)) as connection:
        connection.executescript(Path(__file__).with_name(f"{request.param}.sql").read_text())
        before = rows(connection)
    assert before["alembic_version"] == [{"version_num": OLD[request.param]}]
    await migrate(f"sqlite:///{file}")
    yield Upgraded(before, file)
    report = await check_database(f"sqlite:///{file}", GAMES)
    assert report.sound, report.lines


async def test_every_value_is_where_its_new_name_says(upgraded: Upgraded) -> None:
    with closing(sqlite3.connect(upgraded.file)) as connection:
        after = rows(connection)
    for table, found in upgraded.before.items():
        if table == "alembic_version":
            continue
        names = NAMES["COLUMNS"].get(table, {})
        kept = after[NAMES["TABLES"].get(table, table)]
        known = [{names.get(name, name): value for name, value in row.items()} for row in found]
        assert [{name: row[name] for name in one} for row, one in zip(kept, known, strict=True)] == known, table


async def test_a_live_match_is_played_on_by_its_clock(upgraded: Upgraded) -> None:
    store = Store(f"sqlite:///{upgraded.file}")
    umpire = Umpire(store, GAMES, lambda: 1_000_100, Random(2))
    before = (await umpire.load(LIVE)).row
    bea = before.find_player(BEA)
    assert bea and (bea.since, bea.deadline, bea.seconds_left) == (1_000_000, 1_172_800, 172_800)
    ready = any(player.prepared for player in before.players)
    after = (await umpire.move(InteractionId(10**6), LIVE, BEA, "a3")).after.row
    lines = [entry.text for entry in after.record[before.plies :]]
    assert (lines, after.turn) == ((["a3", "c1"], (2,)) if ready else (["a3"], (1,)))
    await store.close()
