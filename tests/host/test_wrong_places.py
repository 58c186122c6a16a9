"""Wrong names, wrong files and wrong places: a sentence that says what to do, in nobody's words but our own."""

from __future__ import annotations

import errno
import logging
import os
import shutil
import sqlite3
import sys
from collections.abc import Callable, Generator
from contextlib import closing
from pathlib import Path

import pytest

from bot import settings
from bot.__main__ import main
from bot.host import run, serving
from bot.host.serving import DailyCopies
from bot.platform.metrics import Metrics
from bot.settings import Settings
from data.engine.errors import Unavailable, explain_error
from data.upkeep.file_check import connect_to_file
from data.upkeep.health import format_age
from data.upkeep.hindrance import SENTENCES, explain_hindrance

NOBODY = 65534
Typed = Callable[..., tuple[int, str]]


@pytest.fixture
def file(folder: Path, empty: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The bot's database, in a folder of its own, which everybody may look into."""
    monkeypatch.setenv("DISCORD_TOKEN", "no.such.token")
    monkeypatch.setattr("data.upkeep.file_check.MAKING_SECONDS", 0.02)
    folder.chmod(0o755)
    monkeypatch.chdir(folder)
    (folder / "bot").mkdir()
    file = Path(shutil.copy(empty, folder / "bot/matches.db"))
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("PRAGMA journal_mode = DELETE")
    monkeypatch.setenv("GRAPHPAPER_DATABASE", f"sqlite:///{file}")
    return file


@pytest.fixture
def typed(file: Path, capsys: pytest.CaptureFixture[str]) -> Typed:
    """Types a command; its status, and what it prints."""

    def said(*words: str) -> tuple[int, str]:
        status = main(words)
        told = capsys.readouterr()
        return status, told.out + told.err

    return said


@pytest.fixture
def nobody(file: Path, typed: Typed, monkeypatch: pytest.MonkeyPatch) -> Generator[Typed]:
    """Types a command as somebody who owns nothing of it."""
    monkeypatch.setattr("tempfile.tempdir", "/tmp")
    for words in (["backup", "loaded.db"], ["check", "loaded.db"], ["check"], ["status"], ["restore", "none.db"]):
        typed(*words)  # all is loaded while it can be
    printed = file.parent.with_name("printed")

    def said(*words: str) -> tuple[int, str]:
        if not (child := os.fork()):
            status = 99
            try:
                sys.stdout = sys.stderr = printed.open("w")
                if os.geteuid() == 0:
                    os.setgroups([])
                    os.setresgid(NOBODY, NOBODY, NOBODY)
                    os.setresuid(NOBODY, NOBODY, NOBODY)
                status = main(words)
                sys.stdout.flush()
            finally:
                os._exit(status)
        _, ended = os.waitpid(child, 0)
        return os.waitstatus_to_exitcode(ended), printed.read_text()

    yield said
    file.parent.chmod(0o755)


ROOTS = f"belongs to user {os.getuid()}, and the bot runs as user {NOBODY}: give it the files, or "
AS_ROOT = pytest.mark.skipif(os.geteuid() != 0, reason="only root can become nobody")
# --- names


@pytest.mark.parametrize("name", [".env", ".env.db", "bot.py", "compose.yml", "pyproject.toml", "nowhere", "a.db-wal"])
def test_a_copy_is_made_only_under_a_name_of_a_copy(typed: Typed, name: str) -> None:
    assert typed("backup", name) == (
        2,
        f"{name} isn't the name of a copy: let it end in .db, like graphpaper-copy.db, or name a folder.\n",
    )
    assert not Path(name).exists()


@pytest.mark.parametrize("name", ["copy.db", "2026-11-28.sqlite3", "Copy.DB", "graphpaper.db.bak"])
def test_names_of_copies_are_taken(typed: Typed, name: str) -> None:
    assert typed("backup", name)[0] == 0 and Path(name).is_file()


def test_a_copy_under_an_earlier_name_is_replaced(typed: Typed) -> None:
    """As a timer does that was set up before."""
    typed("backup", "copy.db")
    os.rename("copy.db", "nightly")
    assert typed("backup", "nightly", "--force")[0] == 0


def test_a_slash_at_the_end_means_a_folder(typed: Typed) -> None:
    sentence = (
        "There is no folder no where/: make it with `mkdir -p 'no where/'`, or name a file, without a slash at its end."
    )
    assert typed("backup", "no where/") == (2, f"{sentence}\n")
    assert not Path("no where").exists()
    Path("there").mkdir()
    assert typed("backup", "there/")[0] == 0 and len(list(Path("there").iterdir())) == 1


def test_no_name_is_no_folder(typed: Typed) -> None:
    """As where a timer's variable is not set."""
    assert typed("backup", "") == (2, "Name a file for the copy, like graphpaper-copy.db, or a folder.\n")


# --- files that are none of ours


@pytest.mark.parametrize("words", [("check",), ("restore", "--force")])
def test_what_is_no_database_is_no_copy(typed: Typed, words: tuple[str, ...]) -> None:
    Path("README.md").write_text("# Graph Paper\n" * 50)
    sentence = "README.md isn't a database, so it is no copy of one. Name a copy that `backup` has made.\n"
    assert typed(words[0], "README.md", *words[1:]) == (2, sentence)


@pytest.mark.parametrize("command", ["check", "restore"])
def test_advice_about_a_damaged_copy_is_not_about_the_database(typed: Typed, file: Path, command: str) -> None:
    typed("backup", "copy.db")
    whole = Path("copy.db").read_bytes()
    Path("copy.db").write_bytes(whole[:4096] + b"x" * (len(whole) - 4096))
    status, said = typed(command, "copy.db", *(["--force"] if command == "restore" else []))
    assert status in (1, 2) and said.count("\n") == 1, said
    assert "damaged" in said and "GRAPHPAPER_DATABASE" not in said and "--force" not in said


# --- rights


@AS_ROOT
def test_a_copy_into_a_folder_that_cannot_be_written(nobody: Typed, file: Path) -> None:
    file.chmod(0o644)
    sentence = f"{file} was not copied. bot can't be used: bot {ROOTS}name a file in another folder.\n"
    assert nobody("backup", "bot/copy.db") == (2, sentence)


@AS_ROOT
def test_a_database_that_cannot_be_read(nobody: Typed, file: Path) -> None:
    file.chmod(0o600)
    Path("theirs").mkdir(mode=0o777)
    Path("theirs").chmod(0o777)
    elsewhere = "set GRAPHPAPER_DATABASE to a file that only the bot uses"
    assert nobody("backup", "theirs/copy.db") == (
        2,
        f"{file} was not copied. {file} can't be used: {file} {ROOTS}{elsewhere}.\n",
    )
    for command in ("health", "status", "check", "migrate"):
        status, said = nobody(command)
        assert status == (1 if command in ("health", "status") else 2)
        assert f"{file} {ROOTS}{elsewhere}" in said and "Errno" not in said, said


@AS_ROOT
def test_a_folder_that_may_not_be_looked_into(nobody: Typed, file: Path) -> None:
    file.parent.chmod(0o700)
    for command in ("health", "status", "check", "migrate", "export"):
        status, said = nobody(command, *(["5"] if command == "export" else []))
        assert status in (1, 2)
        assert f"{file} can't be used: {file.parent} {ROOTS}" in said, said


@AS_ROOT
def test_a_copy_is_not_restored_where_nothing_can_be_written(nobody: Typed, file: Path) -> None:
    shutil.copy(file, "copy.db")
    Path("copy.db").chmod(0o644)
    file.unlink()
    status, said = nobody("restore", "copy.db")
    assert status == 2 and said.endswith(
        f"{file.parent} {ROOTS}set GRAPHPAPER_DATABASE to a file that only the bot uses.\n"
    )


@pytest.mark.parametrize("number", [*SENTENCES, errno.EACCES, errno.EROFS, errno.EBUSY])
def test_no_error_of_the_system_is_told_in_its_words_alone(number: int) -> None:
    fault = OSError(number, os.strerror(number), "/srv/copies/one.db")
    said = explain_hindrance(fault, Path("other"), "name another")
    assert "Errno" not in said and said.endswith(".") and (": " in said)
    assert os.strerror(number) not in said or number == errno.EBUSY


def test_what_sqlite_says_is_told_in_words(tmp_path: Path) -> None:
    with pytest.raises(Unavailable) as raised, connect_to_file(tmp_path / "nowhere.db"):
        pass
    assert explain_error(Unavailable()) == "it didn't answer in time"
    assert (
        explain_error(raised.value.__cause__ or raised.value)
        == "its file, or what SQLite keeps beside it, can't be opened"
    )


# --- copies by themselves


@AS_ROOT
def test_a_folder_for_copies_that_cannot_be_written_is_said_by_health_and_status(
    nobody: Typed, typed: Typed, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("copies").mkdir(mode=0o755)
    file.parent.chmod(0o777)
    file.chmod(0o666)
    monkeypatch.setenv("GRAPHPAPER_BACKUPS", "copies")
    sentence = f"No copies can be made in copies: copies {ROOTS}set GRAPHPAPER_BACKUPS to another folder."
    for command in ("health", "status"):
        assert sentence in nobody(command)[1].splitlines()
    monkeypatch.setenv("GRAPHPAPER_BACKUPS", "/nowhere/copies")
    sentence = "There is no folder /nowhere/copies for copies. Make it, mount it, or correct GRAPHPAPER_BACKUPS."
    assert sentence in typed("health")[1].splitlines() and sentence in typed("status")[1].splitlines()
    monkeypatch.setenv("GRAPHPAPER_BACKUPS", str(file))
    sentence = f"{file} is no folder, so no copies can be made there: set GRAPHPAPER_BACKUPS to another folder."
    assert sentence in typed("health")[1].splitlines()
    monkeypatch.setenv("GRAPHPAPER_BACKUPS", str(file.parent / "made by the first copy"))
    assert typed("health")[1].count("\n") == 1


async def test_a_start_says_at_once_that_no_copies_can_be_made(
    file: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def asleep(_: float) -> None:
        raise StopAsyncIteration

    monkeypatch.setattr(serving.asyncio, "sleep", asleep)
    keeper = DailyCopies(f"sqlite:///{file}", Path("/nowhere/copies"), lambda: 1.0, Metrics())
    with pytest.raises(StopAsyncIteration):
        await keeper.keep()
    assert [record.message for record in caplog.records if record.levelno == logging.ERROR] == [
        "There is no folder /nowhere/copies for copies. Make it, mount it, or correct GRAPHPAPER_BACKUPS."
    ]


# --- which settings


def test_check_and_status_say_which_settings_were_read(
    typed: Typed, file: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    programs = folder / "program/.env"
    monkeypatch.setattr(settings, "PROGRAMS_ENV_FILE", programs)
    alone = f"Settings: the environment alone, since there is no {programs}."
    assert typed("status")[1].splitlines()[2] == alone
    assert typed("check")[1].splitlines()[-1] == f"Checked was sqlite:///{file}. {alone}"
    programs.parent.mkdir()
    programs.touch(0o600)
    assert f"Settings: {programs}, and before it the environment." in typed("status")[1].splitlines()
    Path(".env").touch(0o600)
    sentence = (
        f"Settings: {folder}/.env, as it is in this folder, in place of {programs}, and before it the environment."
    )
    assert sentence in typed("status")[1].splitlines() and sentence in typed("check")[1]


def test_a_setting_in_the_environment_counts_before_any_file(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    Path(".env").write_text("GRAPHPAPER_PORT=1\nGRAPHPAPER_SEARCHERS=3\n")
    monkeypatch.setenv("GRAPHPAPER_PORT", "2")
    assert (Settings.read().port, Settings.read().searchers) == (2, 3)


def test_a_start_says_which_settings_it_has_read(typed: Typed, monkeypatch: pytest.MonkeyPatch) -> None:
    async def served(_: Settings) -> None:
        pass

    monkeypatch.setattr(run, "_load_serve", lambda: served)
    assert "Settings: " in typed("run")[1].splitlines()[1]


# --- counts, and the doctor


def test_one_is_not_told_as_many(typed: Typed) -> None:
    assert [format_age(seconds) for seconds in (0, 1, 2, 120)] == ["0 seconds", "1 second", "2 seconds", "2 minutes"]


@pytest.mark.parametrize(
    "words", [("doctor", "--sandbox"), ("--sandbox", "doctor"), ("doctor", "--sandbox", "--press")]
)
def test_the_doctor_has_nothing_to_try_in_the_sandbox(typed: Typed, words: tuple[str, ...]) -> None:
    sentence = "The doctor tries the real Discord, so there is nothing for it in the sandbox: leave out --sandbox.\n"
    assert typed(*words) == (2, sentence)
