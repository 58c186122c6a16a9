"""Who was forgotten stays so: whatever copy a host puts back, moves, or starts on. What a host can do for people."""

from __future__ import annotations

import asyncio
import json
import os
import stat
import time
from collections.abc import Awaitable, Callable
from io import StringIO
from pathlib import Path

import pytest

from bot.play.ids import UserId
from cogs.binary_primes import GAME
from data.store import Reader, Store
from data.upkeep.integrity import check_database
from tests.data.acts import begun, played
from tests.data.test_privacy import numbers
from tests.host.test_host_commands import Host, file, host, made

__all__ = ["file", "host", "made"]

ANN, BEA, CEM = map(UserId, (700001, 700002, 700003))
AGAIN = "The copy knew a person who has been forgotten since: they are forgotten here, too."


def filled(file: Path) -> str:
    """A database with a match of Ann and Bea that is over, one that goes on, and one of Bea and Cem."""

    async def fill(store: Store) -> None:
        await played(store, (ANN, BEA))
        await begun(store, (ANN, BEA))
        await played(store, (BEA, CEM), guild=5)

    return with_store(file, fill)


def with_store(file: Path, work: Callable[[Store], Awaitable[None]]) -> str:
    url = f"sqlite:///{file}"

    async def done() -> None:
        store = Store(url)
        await work(store)
        await store.close()

    asyncio.run(done())
    return url


def test_a_restore_brings_nobody_back(host: Host, file: Path) -> None:
    url = filled(file)
    assert host("backup", "copy.db").status == 0
    said = host("forget", str(ANN), "--yes")
    assert (said.status, said.out, said.err) == (
        0, f"User {ANN} is forgotten. No copy that you put back here brings them back.\n", ""
    )  # fmt: skip
    assert ANN not in numbers(url)
    said = host("restore", "copy.db", "--force")
    assert said.status == 0 and said.out.rstrip().endswith(AGAIN), said
    assert ANN not in numbers(url) and {BEA, CEM} <= numbers(url)
    assert asyncio.run(check_database(url, {GAME.key: GAME})).sound
    said = host("restore", "copy.db", "--force")
    assert said.out.rstrip().endswith(AGAIN), "each time anew"


def test_the_list_names_nobody_and_only_the_bot_can_read_it(host: Host, file: Path) -> None:
    filled(file)
    host("forget", str(ANN), "--yes")
    listed = file.with_name("matches.db-forgotten")
    text = listed.read_text()
    assert str(ANN) not in text and " person " in text
    assert stat.S_IMODE(listed.stat().st_mode) == 0o600
    listed.write_text(text + "2026-11-28 person 0123")
    said = host("forget", str(BEA), "--yes")
    assert said.status == 0, "what a crash has cut off is passed over"
    assert listed.read_text().count(" person ") == 3 and listed.read_text().endswith("\n")


def test_a_copy_from_after_somebody_began_anew_keeps_them(host: Host, file: Path) -> None:
    url = filled(file)
    host("forget", str(ANN), "--yes")

    async def returns(store: Store) -> None:
        await played(store, (ANN, CEM))

    with_store(file, returns)
    host("backup", "later.db")
    said = host("restore", "later.db", "--force")
    assert AGAIN not in said.out
    assert ANN in numbers(url)


def test_a_new_database_in_the_place_of_an_old_one_forgets_nobody_who_comes_later(host: Host, file: Path) -> None:
    url = filled(file)
    host("forget", str(ANN), "--yes")
    file.unlink()
    assert host("migrate", "--new").status == 0
    host("forget", str(BEA), "--yes")

    async def comes(store: Store) -> None:
        await played(store, (ANN, CEM))

    with_store(file, comes)
    host("forget", str(CEM), "--yes")
    assert ANN in numbers(url)


def test_move_to_takes_the_list_along(host: Host, file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    filled(file)
    host("backup", "copy.db")
    host("forget", str(ANN), "--yes")
    assert host("move-to", "sqlite:///other.db").status == 0
    monkeypatch.setenv("GRAPHPAPER_DATABASE", "sqlite:///other.db")
    said = host("restore", "copy.db", "--force")
    assert said.out.rstrip().endswith(AGAIN), said
    assert ANN not in numbers(f"sqlite:///{tmp_path / 'other.db'}")


def test_a_copy_that_is_moved_forgets_on_the_way(host: Host, file: Path, tmp_path: Path) -> None:
    filled(file)
    host("backup", "copy.db")
    host("forget", str(ANN), "--yes")
    (tmp_path / "copy.db").replace(file)
    said = host("move-to", "sqlite:///other.db")
    assert said.status == 0 and AGAIN in said.out, said
    assert ANN not in numbers(f"sqlite:///{tmp_path / 'other.db'}")


def test_a_host_is_asked_before(host: Host, file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    url = filled(file)
    said = host("forget", str(ANN))
    assert (said.status, said.err) == (
        2, "Nothing was changed: nobody can be asked here, since this is no terminal. Add --yes if you mean it.\n"
    )  # fmt: skip
    typed = StringIO("no\n")
    typed.isatty = lambda: True
    monkeypatch.setattr("sys.stdin", typed)
    said = host("forget", str(ANN))
    assert said.status == 2 and said.err == (
        f"About user {ANN} is kept: 1 match that goes on, which they lose, 1 match that is over and ratings in"
        " 1 server. All that goes for good, and finished matches stay without them. Type yes to go on:"
        " Nothing was changed.\n"
    )
    assert ANN in numbers(url) and not file.with_name("matches.db-forgotten").exists()
    typed.seek(0)
    typed.write("yes\n")
    typed.seek(0)
    assert host("forget", str(ANN)).status == 0
    assert ANN not in numbers(url)
    for command in ("forget", "export", "forget-server"):
        said = host(command, "@ann")
        assert (said.status, said.err) == (
            2, "@ann is no ID: it is a whole number, which Discord shows in developer mode.\n"
        )  # fmt: skip


def test_a_host_gives_people_what_is_kept_about_them(host: Host, file: Path) -> None:
    url = filled(file)
    said = host("export", str(ANN))
    kept = json.loads(said.out)
    assert said.status == 0 and kept["user"] == ANN and len(kept["matches"]) == 2
    assert url and host("export", "5").status == 0


def test_a_number_that_nobody_knows_is_said_to_be_unknown(host: Host, file: Path) -> None:
    filled(file)
    for command, what in (("forget", "user"), ("forget-server", "server")):
        said = host(command, "12", "--yes")
        assert (said.status, said.out) == (
            0, f"Nothing was kept about {what} 12. No copy that you put back here brings anything back.\n"
        )  # fmt: skip


def test_a_server_is_deleted_for_good(host: Host, file: Path) -> None:
    url = filled(file)
    host("backup", "copy.db")
    said = host("forget-server", "5", "--yes")
    assert (said.status, said.out) == (
        0, "All of server 5 is deleted. No copy that you put back here brings it back.\n"
    )  # fmt: skip

    def left() -> set[int]:
        found = set[int]()

        async def look(store: Store) -> None:
            found.update(await store.ask(Reader.list_servers))

        with_store(file, look)
        return found

    assert left() == {1} and CEM not in numbers(url)
    said = host("restore", "copy.db", "--force")
    assert said.out.rstrip().endswith("It held a server that has been deleted since: that is deleted here, too.")
    assert left() == {1} and CEM not in numbers(url)
    assert asyncio.run(check_database(url, {GAME.key: GAME})).sound


def test_status_names_what_else_holds_those_who_were_forgotten(host: Host, file: Path) -> None:
    filled(file)
    host("backup", "copy.db")
    host("restore", "copy.db", "--force")
    day = 86_400
    for name, days in (("copy.db", 3), ("matches.db.replaced-1", 40)):
        os.utime(file.with_name(name), (time.time() - days * day, time.time() - days * day))
    half = file.with_name("matches.db.part")
    half.write_bytes(bytes(2048))
    os.utime(half, (time.time() - 7260, time.time() - 7260))
    file.with_name("notes.txt").write_text("the host's own")
    said = host("status").out
    lines = [" ".join(line.split()) for line in said.splitlines()]
    at = lines.index("left beside it matches.db.part, not finished, last written 2 hours ago, 2.0 KiB")
    assert lines[at + 1].startswith("copy.db, last written 3 days ago, ")
    assert lines[at + 2].startswith("matches.db.replaced-1, last written 40 days ago, ")
    assert "notes.txt" not in said and "-forgotten" not in said
