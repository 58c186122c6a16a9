"""Lies planted in a database are found; what is right is not complained of; ratings can be computed anew."""

from __future__ import annotations

import re
import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from data.check import Report, check, health
from data.engine import Damaged, Unavailable
from data.migrate import SchemaTooNew, SchemaTooOld
from data.store import Reader, Store
from tests.data.acts import GAME, begun, entered, new, played, scribble, transaction

GAMES = {GAME.key: GAME}


async def populated(store: Store) -> None:
    """Matches 1 to 5: finished, live, open, resigned and aborted."""
    await played(store)
    live = await begun(store, (2, 3))
    await entered(store, live, "b2", act=1)
    with transaction(store) as tx:
        tx.create(new())
    await played(store, (3, 1), now=300, moves=("a1", "b1", "resign"))
    aborted = await begun(store)
    await entered(store, aborted, "c3", act=2)
    with transaction(store) as tx:
        assert tx.update(aborted, 3, state="aborted", ended=310, turn=())


def plant(file: Path, lie: str) -> None:
    """Change the database behind the program's back."""
    with closing(sqlite3.connect(file)) as connection:
        assert connection.execute(lie).rowcount
        connection.commit()


async def test_a_database_without_lies_is_sound(store: Store, url: str) -> None:
    await populated(store)
    assert await check(url, GAMES) == Report(("5 matches, 5 of them replayed: no faults.",), True)


async def test_takebacks_and_draws_are_replayed_and_a_draw_is_rated(store: Store, url: str) -> None:
    drawn = await begun(store)
    for act, (seat, text) in enumerate(((1, "a1"), (2, "b1"), (1, "takeback"), (1, "c1"), (2, "a2"), (1, "draw"))):
        assert await entered(store, drawn, text, act=act, seat=seat)
    assert await check(url, GAMES) == Report(("1 matches, 1 of them replayed: no faults.",), True)
    standings = await store.ask(Reader.leaderboard, 1, GAME.key)
    assert [(standing.drawn, standing.played) for standing in standings] == [(1, 1), (1, 1)]


async def test_a_draw_without_a_move_by_each_is_not_rated(store: Store) -> None:
    match = await begun(store)
    for act, (seat, text) in enumerate(((1, "a1"), (1, "takeback"), (2, "draw"))):
        assert await entered(store, match, text, act=act, seat=seat)
    assert await store.ask(Reader.leaderboard, 1, GAME.key) == ()


LIES = [
    ("UPDATE matches SET turn = '[1]' WHERE id = 2", "match 2: turn stored as [1], the record gives [2]"),
    ("UPDATE matches SET turn = '[2]' WHERE id = 1", "match 1: turn stored as [2], the record gives []"),
    ("UPDATE matches SET turn = 'x' WHERE id = 2", "match 2: it cannot be read (Expecting value"),
    ("UPDATE matches SET plies = 3 WHERE id = 1", "match 1: plies stored as 3, the record gives 4"),
    ("UPDATE matches SET version = 4 WHERE id = 1", "match 1: it is at version 4 after 4 plies"),
    ("UPDATE matches SET shown_version = 9 WHERE id = 1", "match 1: version 9 was shown, but it is at 6"),
    ("UPDATE matches SET state = 'live' WHERE id = 1", 'match 1: state stored as "live", the record gives "finished"'),
    ("UPDATE matches SET state = 'open' WHERE id = 2", "match 2: moves stored as 1, the record gives 0"),
    ("UPDATE matches SET options = '{\"size\": 4}' WHERE id = 1", "match 1: its record breaks a rule: size is an odd"),
    ("UPDATE players SET score = '22' WHERE match = 1 AND seat = 1", "match 1: scores stored as [22, "),
    ("UPDATE players SET rank = 2 WHERE match = 4", "match 4: ranks stored as [2, 2], the record gives [2, 1]"),
    ("UPDATE players SET rank = 1 WHERE match = 2", "match 2: ranks stored as [1, 1], the record gives [null, null]"),
    ("UPDATE players SET seat = 3 WHERE match = 2 AND seat = 1", "match 2: seats stored as [2, 3], the record gives"),
    ("UPDATE moves SET text = 'b1' WHERE match = 1 AND ply = 4", "match 1: its record breaks a rule: b1 is already"),
    ("UPDATE moves SET text = 'A2' WHERE match = 1 AND ply = 4", "match 1: its record is not in canonical notation"),
    ("UPDATE moves SET ply = 9 WHERE match = 1 AND ply = 2", "match 1: its record has a gap"),
    ("DELETE FROM moves WHERE match = 2", "match 2: plies stored as 1, the record gives 0"),
    ("INSERT INTO deliveries VALUES (5, 77, 1)", "the database file: deliveries "),
    ("UPDATE ratings SET mu = mu + 0.001 WHERE game = '' AND user = 1", "ratings of all games in server 1: 1 differ"),
    ("UPDATE ratings SET won = 7 WHERE game <> ''", "ratings of binary-primes in server 1: 3 differ"),
    ("DELETE FROM ratings WHERE game = ''", "ratings of all games in server 1: 3 differ from what the matches give"),
    ("INSERT INTO ratings VALUES (9, 'plexus', 1, 25, 8, 1, 1, 0, 0)", "ratings of plexus in server 9: 1 differ"),
]


@pytest.mark.parametrize(("lie", "found"), LIES, ids=[lie[:60] for lie, _ in LIES])
async def test_a_planted_lie_is_found(store: Store, url: str, file: Path, lie: str, found: str) -> None:
    await populated(store)
    await store.close()
    plant(file, lie)
    report = await check(url, GAMES)
    assert not report.sound
    assert found in "\n".join(report.lines)
    assert re.fullmatch(r"5 matches, [45] of them replayed: \d faults?\.", report.lines[-1])


async def test_ratings_are_computed_anew_when_asked_for(store: Store, url: str, file: Path) -> None:
    await populated(store)
    before = await store.ask(Reader.leaderboard, 1), await store.ask(Reader.leaderboard, 1, GAME.key)
    await store.close()
    plant(file, "UPDATE ratings SET mu = 50, played = 9 WHERE user = 1")
    plant(file, "DELETE FROM ratings WHERE user = 2")
    report = await check(url, GAMES, ratings=True)
    assert report.sound
    assert [line.endswith("they were computed anew") for line in report.lines] == [True, True, False]
    assert (await store.ask(Reader.leaderboard, 1), await store.ask(Reader.leaderboard, 1, GAME.key)) == before
    assert (await check(url, GAMES)).lines == ("5 matches, 5 of them replayed: no faults.",)


async def test_results_of_an_earlier_version_of_a_game_stand(store: Store, url: str, file: Path) -> None:
    await populated(store)
    await store.close()
    plant(file, "UPDATE players SET score = '1' WHERE match = 1")
    later = {GAME.key: replace(GAME, version=GAME.version + 1)}
    assert await check(url, later) == Report(("5 matches, 0 of them replayed: no faults.",), True)
    assert await check(url, {}) == Report(("5 matches, 0 of them replayed: no faults.",), True)


async def test_a_damaged_file_is_found(store: Store, url: str, file: Path) -> None:
    await populated(store)
    await store.close()
    plant(file, "INSERT INTO notes VALUES ('padding', hex(zeroblob(20000)))")
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("PRAGMA journal_mode = DELETE")
        connection.execute("PRAGMA writable_schema = ON")
        root = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = 'ix_matches_thread'").fetchone()[0]
        size = connection.execute("PRAGMA page_size").fetchone()[0]
    scribble(file, bytes([10]) + bytes(size - 1), at=(root - 1) * size)
    report = await check(url, GAMES)
    assert not report.sound
    assert any(line.startswith("the database file: ") for line in report.lines)


async def test_health_says_what_there_is(store: Store, url: str) -> None:
    assert await health(url) == "The database can be read and written. Matches: none yet."
    await populated(store)
    states = "1 aborted, 2 finished, 1 live, 1 open"
    assert await health(url) == f"The database can be read and written. Matches: {states}."


async def test_what_cannot_be_looked_at_is_said(url: str, file: Path, tmp_path: Path) -> None:
    absent = tmp_path / "absent.db"
    for look in (health(f"sqlite:///{absent}"), check(f"sqlite:///{absent}", GAMES)):
        with pytest.raises(FileNotFoundError, match=re.escape(f"There is no database at {absent}: start the bot, or")):
            await look
    assert not absent.exists()
    plant(file, "UPDATE alembic_version SET version_num = '9999'")
    for look in (health(url), check(url, GAMES)):
        with pytest.raises(SchemaTooNew, match=r"written by a newer version of Graph Paper \(its schema is 9999"):
            await look
    plant(file, "DELETE FROM alembic_version")
    for look in (health(url), check(url, GAMES)):
        with pytest.raises(SchemaTooOld, match="The database is not at schema 0003: run `python -m bot migrate`."):
            await look


async def test_a_file_beyond_reading_is_said_so(store: Store, url: str, file: Path) -> None:
    await populated(store)
    await store.close()
    for content, at in ((bytes(100_000), 8192), (b"x" * 5000, None)):
        scribble(file, content, at)
        for look in (check(url, GAMES), health(url)):
            with pytest.raises(Damaged, match="The database is damaged: whoever runs this bot has to restore a backup"):
                await look


async def test_a_locked_database_is_not_healthy(url: str, file: Path) -> None:
    with closing(sqlite3.connect(file, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(Unavailable):
            await health(url)
