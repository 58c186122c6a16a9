"""A database that is missing: said at a start where there ever was one, whatever became of it; begun where none was."""

from __future__ import annotations

import asyncio
import shutil
import sqlite3
import threading
from argparse import Namespace
from collections.abc import Callable, Collection, Generator
from contextlib import closing
from pathlib import Path

import pytest

from bot import settings
from bot.__main__ import main
from bot.host import run, serving
from bot.host.exit_status import Unreachable
from bot.sandbox import commands as sandbox_commands
from bot.sandbox.stand_in import Sandbox
from bot.settings import Settings
from data.engine.errors import Unusable
from data.upkeep.file_check import EMPTY
from data.upkeep.upgrade import migrate
from tests.support.postgres import server

PLAYED_BEFORE = ", but a bot with this token has played before: Discord has its commands. "
Started = Callable[..., tuple[int, str]]


@pytest.fixture(scope="module")
def stand_in() -> Generator[Sandbox]:
    """Discord's stand-in, in a thread of its own, which refuses every bot before it plays."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever)
    thread.start()
    sandbox = Sandbox()
    asyncio.run_coroutine_threadsafe(sandbox.start(), loop).result()
    sandbox.faults.refuse_identify(4014)
    try:
        yield sandbox
    finally:
        asyncio.run_coroutine_threadsafe(sandbox.stop(), loop).result()
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()


@pytest.fixture
def start(
    stand_in: Sandbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Started:
    """Start the bot, and see its exit status and its last words; 1 is that Discord refused it, with a database."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(settings, "PROGRAM", tmp_path / "program")
    monkeypatch.setattr("data.upkeep.file_check.MAKING_SECONDS", 0.05)
    usual = {
        "DISCORD_TOKEN": stand_in.token,
        "GRAPHPAPER_API": stand_in.api_url,
        "GRAPHPAPER_GATEWAY": stand_in.gateway_url,
    }

    def started(database: str = "", played: bool = True, known: Collection[str] = serving.OURS) -> tuple[int, str]:
        told = [{"name": name, "type": 1, "description": "What it does."} for name in known if played]
        world = stand_in.world
        world.commands = sandbox_commands.overwrite_commands([], told, world.me, None, world.new_id)
        for name, value in (usual | {"GRAPHPAPER_DATABASE": database}).items():
            monkeypatch.setenv(name, value)
        status = run.run(Namespace(sandbox=False))
        said = [line for line in capsys.readouterr().err.splitlines() if " INFO " not in line]
        assert len(said) == 1, said
        return status, said[0]

    return started


def missing(folder: Path) -> str:
    return f"sqlite:///{folder}/graphpaper.db"


def unmounted(folder: Path) -> str:
    """The folder is there, and what should be mounted on it is not."""
    (folder / "mnt").mkdir()
    return f"sqlite:///{folder}/mnt/graphpaper.db"


def without_folder(folder: Path) -> str:
    return f"sqlite:///{folder}/mnt/usb/graphpaper.db"


def relative(_: Path) -> str:
    """An address that leads from the current folder, which is another one today."""
    return "sqlite:///var/graphpaper.db"


def usual(_: Path) -> str:
    """The host names no place."""
    return ""


def empty_file(folder: Path) -> str:
    (folder / "graphpaper.db").touch()
    return missing(folder)


def without_tables(folder: Path) -> str:
    """Somebody has copied a young database without what SQLite keeps beside it."""
    with closing(sqlite3.connect(folder / "graphpaper.db")) as made:
        made.execute("PRAGMA journal_mode = WAL")
        made.execute("PRAGMA application_id = 5")
    return missing(folder)


WRONG_PLACES: list[tuple[Callable[[Path], str], str]] = [
    (missing, "There is no database at {folder}/graphpaper.db"),
    (unmounted, "There is no database at {folder}/mnt/graphpaper.db"),
    (without_folder, "There is no database at {folder}/mnt/usb/graphpaper.db"),
    (relative, "There is no database at var/graphpaper.db"),
    (usual, "There is no database at {folder}/program/var/graphpaper.db"),
    (empty_file, "The database at {folder}/graphpaper.db is empty (0 bytes)"),
    (without_tables, "The database at {folder}/graphpaper.db has no tables"),
]


@pytest.mark.parametrize(("place", "gap"), WRONG_PLACES, ids=[place.__name__ for place, _ in WRONG_PLACES])
def test_where_there_was_a_database_a_start_does_not_begin_anew(
    start: Started, tmp_path: Path, place: Callable[[Path], str], gap: str
) -> None:
    url = place(tmp_path)
    before = {path: path.read_bytes() if path.is_file() else b"" for path in tmp_path.rglob("*")}
    force = " --force" if (tmp_path / "graphpaper.db").exists() else ""
    assert start(url) == (
        2,
        f"{gap.format(folder=tmp_path)}{PLAYED_BEFORE}Mount its folder or correct GRAPHPAPER_DATABASE, or put a copy"
        f" back with `python -m bot restore FILE{force}`; to begin with an empty one, run"
        " `python -m bot migrate --new` once.",
    )
    assert {path: path.read_bytes() if path.is_file() else b"" for path in tmp_path.rglob("*")} == before


@pytest.mark.parametrize("place", [missing, without_folder, usual, empty_file, without_tables])
def test_where_there_never_was_one_it_is_begun(start: Started, tmp_path: Path, place: Callable[[Path], str]) -> None:
    status, said = start(place(tmp_path), played=False)
    assert status == 1 and "intents" in said
    (file,) = tmp_path.rglob("graphpaper.db")
    with closing(sqlite3.connect(file)) as made:
        assert made.execute("SELECT count(*) FROM matches").fetchone() == (0,)
    assert start(place(tmp_path) if place is usual else f"sqlite:///{file}")[0] == 1, "it is there now"


async def test_where_discord_is_not_up_yet_it_is_asked_again_before_anything_is_begun(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    answers: list[bool | Exception] = [Unreachable("no route"), Unreachable("no answer came in time"), True]

    async def asked(_: object) -> bool:
        assert not begun(tmp_path)
        answer = answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer

    monkeypatch.setattr(serving, "has_played", asked)
    monkeypatch.setattr(run, "FIRST_PAUSE", 0.0)
    with pytest.raises(Unusable, match="a bot with this token has played before"):
        await run.serve_patiently(
            serving.serve, Settings(token="a.b.c", api="http://127.0.0.1:1", database=missing(tmp_path))
        )
    assert caplog.messages == [
        f"Discord can't be reached ({why}): connect this machine to the internet. Trying again."
        for why in ("no route", "no answer came in time")
    ]
    assert not begun(tmp_path)


def begun(folder: Path) -> list[Path]:
    """What a start has made."""
    return list(folder.iterdir())


def test_another_program_s_commands_are_no_sign_of_a_database(start: Started, tmp_path: Path) -> None:
    assert start(missing(tmp_path), known=("play", "stop", "skip"))[0] == 1


def test_one_that_another_process_begins_meanwhile_is_used(
    start: Started, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def meanwhile(_: object) -> bool:
        await migrate(missing(tmp_path))
        return True

    monkeypatch.setattr(serving, "has_played", meanwhile)
    assert start(missing(tmp_path))[0] == 1


def test_a_server_without_our_tables_is_missing_too(start: Started, capsys: pytest.CaptureFixture[str]) -> None:
    """Of several volumes a server may have got an empty one."""
    with server().database("template0") as url:
        status, said = start(url)
        assert status == 2 and " has no tables" + PLAYED_BEFORE in said
        assert "pg_restore and then `python -m bot renew`" in said
        assert main(["renew"]) == main(["migrate"]) == 2
        told = capsys.readouterr().err.splitlines()
        assert told[0].endswith(" has no tables: put a copy back with pg_restore first.")
        assert start(url, played=False)[0] == 1


def test_migrate_begins_one_only_if_it_is_told_to(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("data.upkeep.file_check.MAKING_SECONDS", 0.05)
    monkeypatch.setenv("DISCORD_TOKEN", "no.such.token")
    monkeypatch.setenv("GRAPHPAPER_DATABASE", "sqlite:///kept/matches.db")
    assert main(["migrate"]) == 2
    assert capsys.readouterr().err == (
        "There is no database at kept/matches.db. Mount its folder or correct GRAPHPAPER_DATABASE, or put a copy back"
        " with `python -m bot restore FILE`; to begin with an empty one, run `python -m bot migrate --new` once.\n"
    )
    assert not Path("kept").exists()
    assert main(["migrate", "--new"]) == main(["migrate"]) == main(["migrate", "--anew"]) == 0


def test_an_empty_file_is_missing_to_those_who_only_look(
    tmp_path: Path, empty: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("data.upkeep.file_check.MAKING_SECONDS", 0.05)
    monkeypatch.setenv("DISCORD_TOKEN", "no.such.token")
    monkeypatch.setenv("GRAPHPAPER_DATABASE", "sqlite:///matches.db")
    Path("matches.db").touch()
    assert (main(["health"]), main(["check"]), main(["migrate"])) == (1, 2, 2)
    told = capsys.readouterr()
    gap = EMPTY.format(file="matches.db")
    assert all(line.startswith(gap) for line in (told.out + told.err).splitlines())
    shutil.copy(empty, "copy.db")
    assert main(["migrate"]) == 2
    assert capsys.readouterr().err.startswith(f"{gap}, but copy.db beside it is one of Graph Paper's: put it in place")
