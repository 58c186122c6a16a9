"""Copies: taken while others write, put back only where they belong."""

from __future__ import annotations

import asyncio
import os
import re
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from bot.play.ids import MatchId, UserId
from bot.play.rows import PendingMessage, Preferences
from cogs.binary_primes import GAME
from data.store import Reader, Store, Transaction
from data.upkeep.backups import backup
from data.upkeep.file_check import CommandRefused
from data.upkeep.hindrance import SCRIPTS
from data.upkeep.integrity import check_database
from data.upkeep.upgrade import migrate
from tests.data.acts import begun, loaded, new, played, scribble, transaction
from tests.support.upkeep import restore
from tests.support.waiting import until


@pytest.fixture
def url(sqlite: str) -> str:
    """The address of an empty database that is a file: of nothing else is this about."""
    return sqlite


def files(folder: Path) -> list[str]:
    """The names of all files in a folder."""
    return sorted(path.name for path in folder.iterdir())


def contents(folder: Path) -> dict[str, bytes]:
    """What is in all files of a folder; of a link, where it leads."""
    return {
        path.name: os.readlink(path).encode() if path.is_symlink() else path.read_bytes() for path in folder.iterdir()
    }


async def test_a_copy_taken_while_others_write_is_one_moment(store: Store, url: str, folder: Path) -> None:
    match = await begun(store)
    stop = asyncio.Event()

    def one(tx: Transaction, ply: int) -> None:
        assert tx.update(match, 1 + ply, plies=ply)
        tx.append(match, ply, 1, "a1", 120)

    written: list[int] = []

    async def write() -> None:
        while not stop.is_set():
            await store.do(one, len(written) + 1)
            written.append(len(written) + 1)

    writing = asyncio.create_task(write())
    copies = [folder / "copies" / f"{number}.db" for number in range(5)]
    (folder / "copies").mkdir()
    said: list[str] = []
    for copy in copies:
        before = len(written)
        said.append(await backup(url, copy))
        await until(lambda before=before: len(written) > before)
    stop.set()
    await writing
    assert said[0] == f"The database was copied to {copies[0]} ({copies[0].stat().st_size} bytes)."
    assert files(folder / "copies") == [copy.name for copy in copies]
    seen: list[int] = []
    for copy in copies:
        other = Store(f"sqlite:///{copy}")
        row = await loaded(other, match)
        assert row.plies == len(row.record) == row.version - 2
        seen.append(row.plies)
        await other.close()
    assert seen == sorted(seen) and seen[0] < seen[-1]


async def test_a_copy_put_back_is_the_database_it_was_taken_of(store: Store, url: str, folder: Path) -> None:
    match = await played(store)
    row, board = await loaded(store, match), await store.ask(Reader.leaderboard, 1)
    copy = folder / "copy.db"
    await backup(url, copy)
    later = await played(store, now=200)
    await store.close()
    said = await restore(copy, url, force=True, clock=lambda: 300)
    numbers = later + 1_000 + (300 - 120) + 1
    assert said == (
        f"The database at {folder}/matches.db is now the one from {copy}; new matches are numbered from {numbers}."
        f" The old one is kept as {folder}/matches.db.replaced-1."
    )
    assert files(folder) == ["copy.db", "matches.db", "matches.db.replaced-1"]
    assert await loaded(store, match) == row
    assert await store.ask(Reader.load_match, match + 1) is None
    assert await store.ask(Reader.leaderboard, 1) == board
    assert (await check_database(url, {GAME.key: GAME})).sound


async def test_a_copy_can_be_put_where_nothing_is(store: Store, url: str, folder: Path) -> None:
    match = await played(store)
    # A reminder that was on its way when the copy was taken has long arrived.
    pending = PendingMessage(UserId(1), MatchId(match), 1, None, False, 5, 5)
    await store.do(Transaction.keep_pending, pending)
    await backup(url, folder / "copy.db")
    elsewhere = f"sqlite:///{folder}/new/place/matches.db"
    await restore(folder / "copy.db", elsewhere)
    other = Store(elsewhere)
    assert await loaded(other, match) == await loaded(store, match)
    assert await store.ask(Reader.find_abandoned_messages, 9, 9) == (pending,)
    assert await other.ask(Reader.find_abandoned_messages, 9, 9) == ()
    await other.close()


async def test_a_copy_replaces_an_older_one_only_if_it_is_told_to(store: Store, url: str, folder: Path) -> None:
    copy = folder / "copy.db"
    await backup(url, copy)
    before = copy.read_bytes()
    await played(store)
    sentence = f"{copy} is there already: use --force to replace that copy, or name another file."
    with pytest.raises(CommandRefused, match=re.escape(sentence)):
        await backup(url, copy)
    assert copy.read_bytes() == before
    await backup(url, copy, force=True)
    with closing(sqlite3.connect(copy)) as written:
        assert written.execute("SELECT count(*) FROM moves").fetchone() == (4,)


def secret(file: Path) -> str:
    file.write_text("DISCORD_TOKEN=precious")
    return f"{file} is there already, and no copy of Graph Paper's. Name another file."


def dangling(file: Path) -> str:
    file.symlink_to("nowhere")
    return f"{file} is there already, and no copy of Graph Paper's. Name another file."


def others_database(file: Path) -> str:
    with closing(sqlite3.connect(file)) as made, made:
        made.execute("CREATE TABLE songs (title)")
    return f"{file} is there already, and no copy of Graph Paper's. Name another file."


def used_database(file: Path) -> str:
    shutil.copy(file.with_name("matches.db"), file)
    file.with_name(f"{file.name}-wal").touch()
    return f"{file} is a database with {file.name}-wal beside it, so a bot may use it. Name another file."


def in_the_way(file: Path) -> str:
    """Something else has the name under which a copy is written."""
    file.with_name(f"{file.name}.part").write_text("half a film")
    return f"{file}.part is in the way of a copy, and none of Graph Paper's. Move it, or name another file."


@pytest.mark.parametrize("there", [secret, dangling, others_database, used_database, in_the_way])
@pytest.mark.parametrize("force", [False, True])
async def test_nothing_else_is_replaced_by_a_copy(
    url: str, folder: Path, there: Callable[[Path], str], force: bool
) -> None:
    file = folder / (".env" if there is not in_the_way else "copy.db")
    sentence = there(file)
    before = contents(folder)
    with pytest.raises(CommandRefused, match=re.escape(sentence)):
        await backup(url, file, force=force)
    assert contents(folder) == before


async def test_what_belongs_to_the_database_is_not_replaced(store: Store, url: str, file: Path) -> None:
    await played(store)
    with pytest.raises(
        CommandRefused, match=re.escape(f"{file}-wal belongs to the database itself. Name another file.")
    ):
        await backup(url, file.with_name("matches.db-wal"), force=True)


async def test_a_file_that_comes_meanwhile_stays(url: str, folder: Path) -> None:
    def come(what: str, *_: int) -> None:
        if what == "pages":
            (folder / "copy.db").write_text("precious")

    with pytest.raises(CommandRefused, match=re.escape(f"{folder}/copy.db is there already. Name another file.")):
        await backup(url, folder / "copy.db", come)
    assert (folder / "copy.db").read_text() == "precious"
    assert "copy.db.part" not in files(folder)


async def test_on_a_volume_where_a_file_has_one_name_it_is_not_replaced_either(
    url: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(*_: object) -> None:
        raise PermissionError

    monkeypatch.setattr(os, "link", refused)
    await backup(url, folder / "copy.db")
    assert "copy.db" in files(folder)
    with pytest.raises(CommandRefused):
        await backup(url, folder / "copy.db")


async def test_a_copy_leaves_room_for_the_bot(url: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("data.upkeep.backups.RESERVE", 10**18)
    with pytest.raises(CommandRefused, match=re.escape(f"There is too little room in {folder} for a copy of ")):
        await backup(url, folder / "copy.db")
    assert files(folder) == ["matches.db"]


async def refused(copy: Path, url: str, sentence: str, force: bool = True) -> None:
    """Restoring is refused with this sentence, and the database stays as it was."""
    store = Store(url)
    before = await loaded(store, 1)
    await store.close()
    with pytest.raises(CommandRefused, match=re.escape(sentence)):
        await restore(copy, url, force)
    assert await loaded(store, 1) == before
    await store.close()
    assert not list(copy.parent.glob("*.part*"))


async def test_what_cannot_be_put_back_is_refused(store: Store, url: str, file: Path, folder: Path) -> None:
    await played(store)
    await store.close()
    copy = folder / "copy.db"
    await refused(copy, url, f"There is no file {copy}.")
    await refused(folder, url, f"{folder} is a folder. Name a copy in it.")
    await backup(url, copy)
    await refused(copy, url, f"There is a database at {file}: use --force to replace it with {copy}.", force=False)
    await refused(file, url, f"{file} is the database itself. Name a copy of it.")

    good = copy.read_bytes()
    scribble(copy, b"Dear diary, " * 1000)
    await refused(copy, url, f"{copy} isn't a database, so it is no copy of one. Name a copy that `backup` has made.")
    scribble(copy, good[: len(good) // 2])
    await refused(copy, url, f"{copy} ")

    for change, sentence in (
        ("UPDATE alembic_version SET version_num = '9999'", "written by a newer version of Graph Paper"),
        ("DELETE FROM matches", f"{copy} was not copied. It is damaged: a row of "),
        ("DROP TABLE alembic_version", f"{copy} was not copied. It is damaged: its table alembic_version is missing."),
        ("PRAGMA application_id = 5", f"{copy} was not copied. It isn't a Graph Paper database."),
    ):
        scribble(copy, good)
        with closing(sqlite3.connect(copy)) as connection:
            connection.execute(change)
            connection.commit()
        await refused(copy, url, sentence)


async def test_a_database_in_use_is_not_replaced(store: Store, url: str, file: Path, folder: Path) -> None:
    match = await played(store)
    copy = folder / "copy.db"
    await backup(url, copy)
    later = await played(store, now=200)
    with pytest.raises(CommandRefused, match=re.escape(f"The database at {file} is in use. Stop the bot first.")):
        await restore(copy, url, force=True)
    assert (await loaded(store, match)).id < (await loaded(store, later)).id
    await store.close()
    await restore(copy, url, force=True)
    assert await store.ask(Reader.load_match, later) is None


async def test_a_database_beyond_reading_can_be_replaced(store: Store, url: str, file: Path, folder: Path) -> None:
    match = await played(store)
    row = await loaded(store, match)
    await backup(url, folder / "copy.db")
    await store.close()
    scribble(file, b"x" * 5000)
    scribble(file.with_name("matches.db-wal"), b"y" * 500)
    await restore(folder / "copy.db", url, force=True)
    assert {"matches.db.replaced-1", "matches.db.replaced-1-wal"} < {*files(folder)}
    assert {"matches.db-wal", "copy.db.part"}.isdisjoint(files(folder))
    assert (folder / "matches.db.replaced-1").read_bytes() == b"x" * 5000
    assert await loaded(store, match) == row


async def test_what_is_left_of_a_deleted_database_does_not_get_into_the_copy(
    store: Store, url: str, file: Path, folder: Path
) -> None:
    match = await played(store)
    row = await loaded(store, match)
    await backup(url, folder / "copy.db")
    later = await played(store, now=200)
    log = file.with_name("matches.db-wal")
    left = log.read_bytes()
    await store.close()
    os.remove(file)
    scribble(log, left)
    await restore(folder / "copy.db", url)
    assert files(folder) == ["copy.db", "matches.db"]
    assert await loaded(store, match) == row
    assert await store.ask(Reader.load_match, later) is None
    assert (await check_database(url, {GAME.key: GAME})).sound


async def test_copies_that_make_no_sense_are_refused(url: str, file: Path, folder: Path) -> None:
    for address, copy, sentence in (
        (url, file, f"{file} is the database itself. Name another file."),
        (f"sqlite:///{folder}/absent.db", folder / "copy.db", f"There is no database at {folder}/absent.db."),
        ("postgresql://here/it", folder / "copy.db", "This command copies SQLite databases only. For PostgreSQL use"),
    ):
        with pytest.raises(CommandRefused, match=re.escape(sentence)):
            await backup(address, copy)
    assert files(folder) == ["matches.db"]


async def challenged(url: str) -> int:
    """The number of a new match."""
    store = Store(url)
    match = await store.do(Transaction.create, new())
    await store.close()
    return match


async def test_numbers_that_were_handed_out_after_a_copy_never_come_again(url: str, file: Path, folder: Path) -> None:
    """Not even on another machine, nor when the same copy is put back twice: matches are fewer than seconds."""
    copy = folder / "copy.db"
    handed = {await challenged(url)}  # created at second 100
    await backup(url, copy)
    handed |= {await challenged(url) for _ in range(3)}
    for number, moment in enumerate((150, 155, 160, 100_000, 100_010)):
        elsewhere = f"sqlite:///{folder}/{number}/matches.db"
        where = url if number == 0 else elsewhere
        await restore(copy, where, force=True, clock=lambda moment=moment: moment)
        match = await challenged(where)
        assert match > max(handed)
        handed.add(match)
    await restore(copy, url, force=True, clock=lambda: 150)
    assert await challenged(url) not in handed, "what is replaced has its say too"
    assert max(handed) < 10**9, "numbers stay short enough for custom_ids and nonces"


@pytest.mark.parametrize("moment", [99, 0, -5, 2**62], ids=["a second early", "1970", "before that", "far ahead"])
async def test_a_clock_that_is_wrong_hands_out_no_number_twice(url: str, folder: Path, moment: int) -> None:
    await challenged(url)
    await backup(url, folder / "copy.db")
    await restore(folder / "copy.db", url, force=True, clock=lambda: moment)
    assert 1_000_000 < await challenged(url) < 10**9


async def test_matches_that_go_on_leave_all_versions_behind_that_discord_may_know(
    store: Store, url: str, folder: Path
) -> None:
    """Nonces are made of the versions; and the board is shown anew, to tell whose move it is."""
    live, over, parked = await begun(store), await played(store), await begun(store)
    challenge = await store.do(Transaction.create, new())
    await store.do(Transaction.join, challenge, 7, invited=True)
    for match in (live, over, parked):
        row = await loaded(store, match)
        await store.do(Transaction.mark_shown, match, row.version, 10, 1000 + match, row.plies)
    await store.do(Transaction.park, parked, "I may not write there")
    await store.do(Transaction.set_note, "commands of 5", "as they were")
    before = {match: await loaded(store, match) for match in (live, over, parked, challenge)}
    await backup(url, folder / "copy.db")
    await store.close()
    await restore(folder / "copy.db", url, force=True)
    after = {match: await loaded(store, match) for match in before}
    assert after[over] == before[over]
    assert [match for match, _ in await store.ask(Reader.find_lagging_matches, 10)] == [live, parked, challenge]
    for match in (live, parked, challenge):
        assert after[match].shown_version >= before[match].version + 999
        assert after[match].version == after[match].shown_version + 1
    for match in (live, parked):
        assert [player.mention_version for player in after[match].players] == [after[match].version, 0], (
            "seat 1 is to move"
        )
    assert [player.mention_version for player in after[challenge].players] == [0, after[challenge].version], (
        "7 was not told yet"
    )
    assert await store.ask(Reader.read_note, "commands of 5") is None, "Discord may know others by now"
    assert (await check_database(url, {GAME.key: GAME})).sound


async def test_a_database_that_was_replaced_can_be_put_back_too(store: Store, url: str, folder: Path) -> None:
    await backup(url, folder / "copy.db")
    later = await played(store)
    row = await loaded(store, later)
    await store.close()
    await restore(folder / "copy.db", url, force=True)
    assert await store.ask(Reader.load_match, later) is None
    await store.close()
    await restore(folder / "matches.db.replaced-1", url, force=True)
    assert await loaded(store, later) == row
    assert {"matches.db.replaced-1", "matches.db.replaced-2"} < {*files(folder)}


@pytest.mark.parametrize("step", ["link", "replace"])
async def test_restoring_that_stops_in_the_middle_changes_nothing(
    store: Store, url: str, folder: Path, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    await backup(url, folder / "copy.db")
    later = await played(store)
    row = await loaded(store, later)
    await store.close()

    class Killed(BaseException):
        pass

    def killed(*_: object) -> None:
        raise Killed

    monkeypatch.setattr(os, step, killed)
    with pytest.raises(Killed):
        await restore(folder / "copy.db", url, force=True)
    monkeypatch.undo()
    assert await migrate(url)
    assert await loaded(store, later) == row


async def test_a_copy_of_an_earlier_schema_is_brought_up_to_date(folder: Path) -> None:
    scripts = Path(shutil.copytree(SCRIPTS, folder / "old"))
    for step in (scripts / "versions").glob("0*.py"):
        if step.name[:4] > "0001":
            step.unlink()
    old, new_one = folder / "old.db", f"sqlite:///{folder}/matches.db"
    assert await migrate(f"sqlite:///{old}", scripts) == "0001"
    await restore(old, new_one)
    assert await challenged(new_one) > 1_000_000


async def test_a_copy_that_is_put_back_sends_no_digest_that_was_due_since(store: Store, url: str, folder: Path) -> None:
    eight = 8 * 3600
    await store.do(Transaction.change_preferences, 1, lambda _: Preferences(reminders="digest", digest=eight))
    await store.do(Transaction.change_preferences, 2, lambda _: Preferences(reminders="digest", digest=9 * 86_400))
    await backup(url, folder / "copy.db")
    await store.close()
    now = 5 * 86_400 + eight + 100
    await restore(folder / "copy.db", url, force=True, clock=lambda: now)
    assert await store.ask(Reader.digests_due, now, 10) == ()
    assert (await store.ask(Reader.load_preferences, 1)).digest == 6 * 86_400 + eight
    assert (await store.ask(Reader.load_preferences, 2)).digest == 9 * 86_400


async def test_a_copy_taken_in_steps_is_of_one_moment_although_others_write_meanwhile(
    store: Store, url: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("data.upkeep.backups.PAGES", 1)
    await played(store)
    steps: list[int] = []

    def write(what: str, done: int, _whole: int) -> None:
        if what == "pages":
            assert done not in steps, "begun anew"
            steps.append(done)
            with transaction(store) as tx:
                tx.set_note(f"note {done}", "written meanwhile")

    await backup(url, folder / "copy.db", write)
    assert len(steps) > 10
    with closing(sqlite3.connect(folder / "copy.db")) as connection:
        assert connection.execute("SELECT count(*) FROM key_values WHERE name LIKE 'note %'").fetchone() == (0,)
