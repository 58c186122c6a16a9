"""Lies planted in a database are found; what is right is not complained of; ratings can be computed anew."""

from __future__ import annotations

import asyncio
import re
import shutil
import sqlite3
from collections.abc import Iterable
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bot.play import ratings
from bot.play.ratings import Rating, Result
from cogs.binary_primes import GAME
from data.engine.errors import Damaged
from data.queries import standings
from data.store import Reader, Store
from data.upkeep.hindrance import Report, SchemaTooNew, SchemaTooOld, known_revisions
from data.upkeep.integrity import check_database
from tests.data.acts import begun, entered, new, only_sqlite, played, scribble, transaction
from tests.data.raw import told

GAMES = {GAME.key: GAME}


def can_write(file: Path) -> bool:
    """Whether nobody else is writing."""
    with closing(sqlite3.connect(file, timeout=0, isolation_level=None)) as other:
        try:
            other.execute("BEGIN IMMEDIATE")
        except sqlite3.OperationalError:
            return False
        return True


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


@pytest.fixture(scope="module")
def filled(empty: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database with those matches in one file, made once."""
    file = Path(shutil.copy(empty, tmp_path_factory.mktemp("filled") / "matches.db"))

    async def fill() -> None:
        store = Store(f"sqlite:///{file}")
        await populated(store)
        await store.close()

    asyncio.run(fill())
    return file


def plant(file: Path, lie: str) -> None:
    """Change the database behind the program's back."""
    with closing(sqlite3.connect(file)) as connection:
        assert connection.execute(lie).rowcount
        connection.commit()


async def test_a_database_without_lies_is_sound(store: Store, url: str) -> None:
    await populated(store)
    assert await check_database(url, GAMES) == Report(("5 matches, 5 of them replayed: no faults.",), True)


async def test_takebacks_and_draws_are_replayed_and_a_draw_is_rated(store: Store, url: str) -> None:
    drawn = await begun(store)
    for act, (seat, text) in enumerate(((1, "a1"), (2, "b1"), (1, "takeback"), (1, "c1"), (2, "a2"), (1, "draw")), 1):
        assert await entered(store, drawn, text, act=act, seat=seat)
    assert await check_database(url, GAMES) == Report(("1 match, 1 replayed: no faults.",), True)
    standings = await store.ask(Reader.leaderboard, 1, GAME.key)
    assert [(standing.drawn, standing.played) for standing in standings] == [(1, 1), (1, 1)]


async def test_a_draw_without_a_move_by_each_is_not_rated(store: Store) -> None:
    match = await begun(store)
    for act, (seat, text) in enumerate(((1, "a1"), (1, "takeback"), (2, "draw")), 1):
        assert await entered(store, match, text, act=act, seat=seat)
    assert await store.ask(Reader.leaderboard, 1, GAME.key) == ()


LIES = [
    ("UPDATE matches SET turn = '[1]' WHERE id = 2", "match 2: turn stored as [1], the record gives [2]"),
    ("UPDATE matches SET turn = '[2]' WHERE id = 1", "match 1: turn stored as [2], the record gives []"),
    ("UPDATE matches SET turn = 'x' WHERE id = 2", "match 2: it can't be read (Expecting value"),
    ("UPDATE matches SET plies = 3 WHERE id = 1", "match 1: plies stored as 3, the record gives 4"),
    ("UPDATE matches SET version = 4 WHERE id = 1", "match 1: it is at version 4 after 4 plies"),
    ("UPDATE matches SET shown_version = 9 WHERE id = 1", "match 1: version 9 was shown, but it is at 6"),
    ("UPDATE matches SET told_version = 9 WHERE id = 1", "match 1: of version 9 people were told, but it is at 6"),
    ("UPDATE matches SET state = 'live' WHERE id = 1", 'match 1: state stored as "live", the record gives "finished"'),
    ("UPDATE matches SET state = 'open' WHERE id = 2", "match 2: moves stored as 1, the record gives 0"),
    (
        "UPDATE matches SET options = '{\"size\": 4}' WHERE id = 1",
        "match 1: its record breaks a rule: size must be an odd",
    ),
    ("UPDATE matches SET shown_plies = 9 WHERE id = 1", "match 1: 9 plies were shown, but there are 4"),
    ("UPDATE matches SET shown_plies = -1 WHERE id = 1", "match 1: shown_plies is -1, not an allowed number"),
    ("UPDATE matches SET ended = NULL WHERE id = 1", "match 1: it is finished, but never ended"),
    ("UPDATE matches SET ended = NULL WHERE id = 5", "match 5: it is aborted, but never ended"),
    ("UPDATE matches SET ended = 5 WHERE id = 2", "match 2: it is live, but has ended"),
    ("UPDATE matches SET ended = 'soon' WHERE id = 1", "match 1: ended is 'soon', not an allowed number"),
    ("UPDATE matches SET expires = NULL WHERE id = 3", "match 3: it is open but never expires"),
    ("UPDATE matches SET started = NULL WHERE id = 2", "match 2: it is live, but never started"),
    ("UPDATE matches SET state = 'lost' WHERE id = 3", "match 3: there is no such state: 'lost'"),
    ("UPDATE matches SET seating = 'round' WHERE id = 3", "match 3: there is no such seating: 'round'"),
    (
        "UPDATE matches SET seats = 2000000000 WHERE id = 1",
        "match 1: it is for 2000000000 players, but binary",
    ),
    (
        "UPDATE matches SET game = 'chess' WHERE id = 2",
        "match 2: it is live, but this program doesn't have the game 'chess'",
    ),
    ("UPDATE matches SET game_version = 7 WHERE id = 2", "match 2: it is live, but this program has version 1 of"),
    ("UPDATE matches SET rematch_of = 99 WHERE id = 2", "match 2: it follows match 99, which doesn't exist"),
    ("UPDATE matches SET rated = 2 WHERE id = 3", "match 3: rated is 2, neither yes nor no"),
    ("UPDATE matches SET options = '[1]' WHERE id = 2", "match 2: options is '[1]', not a set of options"),
    ('UPDATE matches SET options = \'{"size": "x"}\' WHERE id = 2', "match 2: its record breaks a rule: "),
    ("UPDATE matches SET created = 1e300 WHERE id = 2", "match 2: created is 1e+300, not an allowed number"),
    ("UPDATE matches SET guild = -1 WHERE id = 3", "match 3: guild is -1, not an allowed number"),
    ("UPDATE matches SET close_reason = x'00ff' WHERE id = 3", "match 3: close_reason is b'\\x00\\xff', not a text"),
    (
        "UPDATE players SET mention_version = 9 WHERE match = 1 AND seat = 1",
        "match 1: somebody is to be told of version 9, but it",
    ),
    ("UPDATE players SET joined = 1 WHERE match = 2", "match 2: its players didn't join one after the other"),
    (
        "UPDATE players SET score = 'many' WHERE match = 1 AND seat = 1",
        "match 1, player 1: score is 'many', not a",
    ),
    (
        "UPDATE players SET rank = 'x' WHERE match = 1 AND seat = 1",
        "match 1, player 1: rank is 'x', not an allowed",
    ),
    ("UPDATE moves SET seat = 99 WHERE match = 1 AND ply = 4", "match 1: "),
    ("UPDATE moves SET seat = 'x' WHERE match = 1 AND ply = 4", "match 1, ply 4: seat is 'x', not an allowed number"),
    (
        "UPDATE moves SET text = x'00ff' WHERE match = 1 AND ply = 4",
        "match 1, ply 4: text is b'\\x00\\xff', not",
    ),
    ("UPDATE moves SET at = 'now' WHERE match = 1 AND ply = 4", "match 1, ply 4: at is 'now', not an allowed number"),
    (
        "INSERT INTO settings (guild, channels, threads) VALUES (8, 'x', 1)",
        "server 8: channels is 'x', not a list of numbers",
    ),
    (
        "INSERT INTO settings (guild, channels, threads) VALUES (8, '[\"a\"]', 1)",
        "server 8: channels is '[\"a\"]', not a list of numbers",
    ),
    (
        "INSERT INTO settings (guild, channels, threads) VALUES (8, '[]', 'maybe')",
        "server 8: threads is 'maybe', neither yes nor no",
    ),
    ("UPDATE matches SET pace = '9' WHERE id = 2", "match 2: pace is '9', not one of the allowed values"),
    (
        "INSERT INTO settings (guild, channels, threads, pace) VALUES (8, '[]', 1, '9')",
        "server 8: pace is '9', not one",
    ),
    (
        "INSERT INTO settings (guild, channels, threads, zone) VALUES (8, '[]', 1, 'X')",
        "server 8: zone is 'X', not a ti",
    ),
    ("INSERT INTO preferences (user, confirm, zone) VALUES (8, 1, 'X/Y')", "of 8: zone is 'X/Y', not a time zone"),
    ("INSERT INTO preferences (user, confirm, reminders) VALUES (8, 1, 'owl')", "of 8: reminders is 'owl', not one of"),
    ("INSERT INTO preferences (user, confirm, zone) VALUES (8, 1, 'Asia/Tokyo')", None),
    ("INSERT INTO away VALUES (1, 2, 500, 500)", "absence in server 1 of 2 from 500 on: it ends before it begins"),
    (
        "INSERT INTO away VALUES (1, 2, 500, 'x')",
        "absence in server 1 of 2 from 500 on: ends is 'x', not an allowed",
    ),
    ("INSERT INTO away VALUES (1, 2, 500, 900)", None),
    ("INSERT INTO preferences (user, confirm) VALUES (8, 'x')", "preferences of 8: confirm is 'x', neither yes nor no"),
    (
        "UPDATE ratings SET mu = 'x' WHERE game = '' AND user = 1",
        "rating in server 1 of all games, all time, player 1: mu is",
    ),
    (
        "UPDATE ratings SET sigma = 9e999 WHERE game <> '' AND user = 1",
        "rating in server 1 of binary-primes, all time, player 1: ",
    ),
    ("UPDATE ratings SET guild = 'x' WHERE game = '' AND user = 1", "ratings cannot be told apart by server and game"),
    ("DROP INDEX ix_matches_lagging", "the database file: the index ix_matches_lagging is missing"),
    ("DROP INDEX uq_players_match_seat", "the database file: the index uq_players_match_seat is missing"),
    ("ALTER TABLE key_values ADD COLUMN colour TEXT", None),
    ("UPDATE matches SET proposal = 'tango 1' WHERE id = 2", "match 2: what its players ask each other can't be"),
    ("UPDATE matches SET refused = 'draw 1' WHERE id = 2", "match 2: what its players ask each other can't be"),
    (
        "UPDATE matches SET premove_plies = '[2]' WHERE id = 2",
        "match 2: lines [2] of its record can't be prepared moves",
    ),
    (
        "UPDATE players SET prepared = 'x' WHERE match = 2 AND seat = 1",
        "match 2: the prepared moves of seat 1 are wrong",
    ),
    (
        """UPDATE players SET prepared = '{"lines": [[[2, "z9"], [1, "b1"]]]}' WHERE match = 2 AND seat = 1""",
        "match 2: the prepared moves of seat 1 are wrong: ",
    ),
    (
        """UPDATE players SET prepared = '{"lines": [[[2, "c3"]]]}' WHERE match = 2 AND seat = 1""",
        'match 2: seat 1 can\'t have prepared [[2, "c3"]]',
    ),
    (
        """UPDATE players SET prepared = '{"lines": []}' WHERE match = 1 AND seat = 1""",
        "match 1: seat 1 has prepared moves, though nothing can be prepared",
    ),
    ("UPDATE matches SET substitutions = 'to Bea' WHERE id = 2", "match 2: who handed a seat on can't be read"),
    (
        "UPDATE matches SET substitutions = '1 9 0 0 1' WHERE id = 2",
        "match 2: one of its seats was handed on, but it counts",
    ),
    ("UPDATE matches SET pace = '2' WHERE id = 2", "match 2: the clock of seat 1 is missing"),
    (
        "UPDATE players SET forfeit_at = 9 WHERE match = 2 AND seat = 2",
        "match 2: the clock of seat 2 is to be claimed, ",
    ),
    (
        "UPDATE players SET next_reminder_at = 9 WHERE match = 2 AND seat = 1",
        "match 2: the clock of seat 1 does not run, but",
    ),
    (
        "UPDATE players SET seconds_left = 9 WHERE match = 2 AND seat = 2",
        "match 2: the clock of seat 2 is one that there ",
    ),
    (
        "UPDATE players SET allotted = 9, seconds_left = 9, since = 9, deadline = 9 WHERE match = 2 AND seat = 2",
        "match 2: the clock of seat 2 has 9 seconds left, but runs out before",
    ),
    (
        "UPDATE players SET deadline = 9 WHERE match = 2 AND seat = 2",
        "match 2: the clock of seat 2 neither runs nor stands still",
    ),
    (
        "UPDATE players SET since = 9, deadline = 18 WHERE match = 2 AND seat = 1",
        "match 2: the clock of seat 1 runs, though it is not for them to move",
    ),
    ("UPDATE players SET deadline = 'x' WHERE match = 2", "match 2, player 2: deadline is 'x', not an allowed number"),
    ("UPDATE players SET score = '22' WHERE match = 1 AND seat = 1", "match 1: scores stored as [22, "),
    ("UPDATE players SET rank = 2 WHERE match = 4", "match 4: ranks stored as [2, 2], the record gives [2, 1]"),
    ("UPDATE players SET rank = 1 WHERE match = 2", "match 2: ranks stored as [1, 1], the record gives [null, null]"),
    ("UPDATE players SET seat = 3 WHERE match = 2 AND seat = 1", "match 2: seats stored as [2, 3], the record gives"),
    (
        "UPDATE moves SET text = 'b1' WHERE match = 1 AND ply = 4",
        "match 1: its record breaks a rule: Player 2 has already filled b1",
    ),
    ("UPDATE moves SET text = 'A2' WHERE match = 1 AND ply = 4", "match 1: its record isn't in canonical notation"),
    ("UPDATE moves SET ply = 9 WHERE match = 1 AND ply = 2", "match 1: its record has a gap"),
    ("DELETE FROM moves WHERE match = 2", "match 2: plies stored as 1, the record gives 0"),
    ("INSERT INTO deliveries VALUES (5, 77, 1)", "the database file: deliveries "),
    ("UPDATE ratings SET mu = mu + 0.001 WHERE game = '' AND user = 1", "ratings of all games in server 1: 1 differ"),
    ("UPDATE ratings SET won = 7 WHERE game <> ''", "ratings of binary-primes in server 1: 3 differ"),
    ("DELETE FROM ratings WHERE game = ''", "ratings of all games in server 1: 3 differ from what the matches say"),
    ("UPDATE ratings SET places = '[1, 2]' WHERE game = '' AND user = 2", "ratings of all games in server 1: 1 differ"),
    ("UPDATE ratings SET guild = 9 WHERE game <> '' AND user = 3", "ratings of binary-primes in server 9: 1 differ"),
    (
        "UPDATE ratings SET longest = 7 WHERE game = '' AND season > 0 AND user = 1",
        "ratings of all games in server 1, 1970 Q1: 1 differs from what the matches say: run check with --ratings",
    ),
    (
        "UPDATE ratings SET season = 20264 WHERE game <> '' AND season > 0",
        "ratings of binary-primes in server 1, 2026 Q4: 3 differ",
    ),
]


@only_sqlite
@pytest.mark.parametrize(("lie", "found"), LIES, ids=[lie[:60] for lie, _ in LIES])
async def test_a_planted_lie_is_found(filled: Path, url: str, file: Path, lie: str, found: str | None) -> None:
    shutil.copy(filled, file)
    plant(file, lie)
    report = await check_database(url, GAMES)
    assert report.sound == (found is None), report.lines
    if found is None:  # what a host has added does no harm
        return
    assert found in "\n".join(report.lines)
    assert re.fullmatch(r"5 matches, [45] of them replayed: \d faults?\.", report.lines[-1])


SERVERS_LIES = [
    ("UPDATE matches SET turn = '[1]' WHERE id = 2", "match 2: turn stored as [1], the record gives [2]"),
    ("UPDATE matches SET plies = 3 WHERE id = 1", "match 1: plies stored as 3, the record gives 4"),
    ("UPDATE matches SET ended = NULL WHERE id = 5", "match 5: it is aborted, but never ended"),
    ("UPDATE matches SET guild = -1 WHERE id = 3", "match 3: guild is -1, not an allowed number"),
    ("UPDATE moves SET ply = 9 WHERE match = 4 AND ply = 2", "match 4: its record has a gap"),
    ("INSERT INTO away VALUES (1, 2, 500, 500)", "absence in server 1 of 2 from 500 on: it ends before it begins"),
    (
        "INSERT INTO preferences (\"user\", confirm, reminders) VALUES (8, true, 'owl')",
        "of 8: reminders is 'owl', not one of",
    ),
    ("DROP INDEX ix_matches_lagging", "the database file: the index ix_matches_lagging is missing"),
    ("UPDATE ratings SET mu = mu + 0.001 WHERE game = '' AND \"user\" = 1", "ratings of all games in server 1"),
]
"""What can be planted in a database that minds what kind of value stands where."""


async def test_lies_planted_in_either_kind_of_database_are_found(store: Store, url: str) -> None:
    await populated(store)
    told(url, *(lie for lie, _ in SERVERS_LIES))
    lines = "\n".join((await check_database(url, GAMES)).lines)
    assert [found for _, found in SERVERS_LIES if found not in lines] == []


async def test_ratings_are_computed_anew_when_asked_for(store: Store, url: str) -> None:
    await populated(store)
    before = await store.ask(Reader.leaderboard, 1), await store.ask(Reader.leaderboard, 1, GAME.key)
    await store.close()
    told(url, 'UPDATE ratings SET mu = 50, played = 9 WHERE "user" = 1', 'DELETE FROM ratings WHERE "user" = 2')
    report = await check_database(url, GAMES, ratings=True)
    assert report.sound
    assert [line.endswith("they were recomputed") for line in report.lines] == [True] * 4 + [False]
    assert (await store.ask(Reader.leaderboard, 1), await store.ask(Reader.leaderboard, 1, GAME.key)) == before
    assert (await check_database(url, GAMES)).lines == ("5 matches, 5 of them replayed: no faults.",)


@only_sqlite
async def test_of_many_odd_values_in_a_column_some_are_named(store: Store, url: str, file: Path) -> None:
    await store.close()
    for guild in range(7):
        plant(file, f"INSERT INTO settings (guild, channels, threads) VALUES ({guild}, 'x', {guild + 1})")
    lines = (await check_database(url, GAMES)).lines
    assert lines[:5] == tuple(f"server {guild}: channels is 'x', not a list of numbers" for guild in range(5))
    assert lines[5] == "settings: channels is wrong in 2 more rows"
    assert lines[6] == "server 1: threads is 2, neither yes nor no" and len(lines) == 13
    assert lines[11] == "settings: threads is wrong in 1 more row"


@only_sqlite
async def test_others_write_while_ratings_are_computed_anew(
    store: Store, url: str, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await populated(store)
    plant(file, "UPDATE ratings SET mu = 1")
    free: list[bool] = []

    def folded(results: Iterable[Result], *before: Any) -> dict[int, Rating]:
        if counted := list(results):
            free.append(can_write(file))
        return ratings.fold_results(counted, *before)

    monkeypatch.setattr(standings, "fold_results", folded)
    assert (await check_database(url, GAMES, ratings=True)).sound
    assert free and all(free)


async def test_results_of_an_earlier_version_of_a_game_stand(store: Store, url: str) -> None:
    await populated(store)
    await store.close()
    told(url, "UPDATE players SET score = '1' WHERE match = 1")
    later = {GAME.key: replace(GAME, version=GAME.version + 1)}
    told(url, "DELETE FROM moves WHERE match = 2")
    told(url, "UPDATE matches SET state = 'aborted', ended = 300 WHERE state IN ('live', 'open')")
    assert await check_database(url, later) == Report(("5 matches, 0 of them replayed: no faults.",), True)
    assert await check_database(url, {}) == Report(("5 matches, 0 of them replayed: no faults.",), True)


async def test_a_match_that_the_program_cannot_carry_on_is_told(store: Store, url: str) -> None:
    await populated(store)
    later = {GAME.key: replace(GAME, version=GAME.version + 1)}
    assert (await check_database(url, later)).lines == (
        "match 2: it is live, but this program has version 2 of binary-primes, not 1",
        "5 matches, 0 of them replayed: 1 fault.",
    )
    assert (await check_database(url, {})).lines == (
        "match 2: it is live, but this program doesn't have the game 'binary-primes'",
        "match 3: it is open, but this program doesn't have the game 'binary-primes'",
        "5 matches, 0 of them replayed: 2 faults.",
    )


@only_sqlite
async def test_a_damaged_file_is_found(store: Store, url: str, file: Path) -> None:
    await populated(store)
    await store.close()
    plant(file, "INSERT INTO key_values VALUES ('padding', hex(zeroblob(20000)))")
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("PRAGMA journal_mode = DELETE")
        connection.execute("PRAGMA writable_schema = ON")
        root = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = 'ix_matches_thread'").fetchone()[0]
        size = connection.execute("PRAGMA page_size").fetchone()[0]
    scribble(file, bytes([10]) + bytes(size - 1), at=(root - 1) * size)
    report = await check_database(url, GAMES)
    assert not report.sound
    assert any(line.startswith("the database file: ") for line in report.lines)


async def test_what_cannot_be_looked_at_is_said(url: str, tmp_path: Path) -> None:
    absent = tmp_path / "absent.db"
    with pytest.raises(
        FileNotFoundError, match=re.escape(f"There is no database at {absent}. The first start makes one; ")
    ):
        await check_database(f"sqlite:///{absent}", GAMES)
    assert not absent.exists()
    told(url, "UPDATE alembic_version SET version_num = '9999'")
    with pytest.raises(SchemaTooNew, match=r"written by a newer version of Graph Paper \(its schema is 9999"):
        await check_database(url, GAMES)
    told(url, "DELETE FROM alembic_version")
    advice = "start the bot, which updates the database, or run"
    with pytest.raises(SchemaTooOld, match=f"The database is not at schema {known_revisions()[-1]}: {advice}"):
        await check_database(url, GAMES)


@only_sqlite
async def test_a_file_beyond_reading_is_said_so(store: Store, url: str, file: Path) -> None:
    await populated(store)
    await store.close()
    for content, at in ((bytes(100_000), 8192), (b"x" * 5000, None)):
        scribble(file, content, at)
        with pytest.raises(Damaged, match="is damaged|too damaged to read"):
            await check_database(url, GAMES)
