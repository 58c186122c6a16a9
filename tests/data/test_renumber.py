"""After PostgreSQL's own tools have put a copy back, nothing in it is mistaken for what Discord has seen since."""

from __future__ import annotations

import subprocess
from collections.abc import Generator
from pathlib import Path

import pytest

from bot.play.rows import Preferences
from data.store import Reader, Store, Transaction
from data.upkeep.file_check import CommandRefused
from data.upkeep.integrity import check_database
from tests.data.acts import begun, loaded, new, played
from tests.data.test_check import GAMES
from tests.support.postgres import Postgres, program
from tests.support.upkeep import renew

EIGHT, DAY = 8 * 3600, 86_400
NOW = 5 * DAY + EIGHT + 100


@pytest.fixture
def url(postgres: Postgres) -> Generator[str]:
    """A database of PostgreSQL's."""
    with postgres.database() as made:
        yield made


@pytest.fixture
def elsewhere(postgres: Postgres) -> Generator[str]:
    """Another one."""
    with postgres.database() as made:
        yield made


def copied(source: str, target: str, file: Path) -> None:
    """Copy a database by the server's own tools, as the guide says."""
    subprocess.run([program("pg_dump"), "--format=custom", f"--file={file}", f"--dbname={source}"], check=True)
    subprocess.run([program("pg_restore"), "--clean", "--if-exists", f"--dbname={target}", file], check=True)


async def test_a_copy_put_back_by_the_servers_own_tools_can_be_gone_on_with(
    store: Store, url: str, elsewhere: str, tmp_path: Path
) -> None:
    live, over, challenge = await begun(store), await played(store), await store.do(Transaction.create, new())
    assert await store.do(Transaction.mark_shown, over, (await loaded(store, over)).version, 10, 1000)
    before = await loaded(store, live), await loaded(store, over)
    for name in ("commands of 5", "heartbeat", "heartbeat 0-3/16"):
        await store.do(Transaction.set_note, name, "as it was")
    await store.do(Transaction.change_preferences, 1, lambda _: Preferences(reminders="digest", digest=EIGHT))
    copied(url, elsewhere, tmp_path / "copy")
    later = await store.do(Transaction.create, new())
    said = await renew(elsewhere, lambda: NOW)
    back = Store(elsewhere)
    made = await back.do(Transaction.create, new())
    assert said == f"The database is ready: the next match is number {made}, and every board is shown again."
    assert made > later + NOW - DAY, "a number for each second since the copy"
    after = await loaded(back, live)
    assert after.version == after.shown_version + 1 >= before[0].version + 1000
    assert [player.mention_version for player in after.players] == [after.version, 0], "seat 1 is to move"
    assert await loaded(back, over) == before[1]
    assert [match for match, _ in await back.ask(Reader.find_lagging_matches, 10)] == [live, challenge, made]
    assert [await back.ask(Reader.read_note, name) for name in ("commands of 5", "heartbeat", "heartbeat 0-3/16")] == [
        None
    ] * 3
    assert (await back.ask(Reader.load_preferences, 1)).digest == 6 * DAY + EIGHT, "the digest of that time was sent"
    assert (await check_database(elsewhere, GAMES)).sound
    await back.close()


async def test_what_is_done_twice_passes_over_more_numbers_and_harms_nothing(store: Store, url: str) -> None:
    match = await begun(store)
    await renew(url, lambda: NOW)
    await renew(url, lambda: NOW)
    assert (await loaded(store, match)).version >= 2000
    assert (await check_database(url, GAMES)).sound


async def test_a_file_is_put_back_by_the_command_for_files(sqlite: str) -> None:
    with pytest.raises(CommandRefused) as refused:
        await renew(sqlite)
    assert str(refused.value) == "For a SQLite database, `restore` does this too. Nothing was changed."
