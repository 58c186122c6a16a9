"""What a sentence advises can be typed as it stands, and is about the same database as the sentence."""

from __future__ import annotations

import ast
import re
import shlex
import shutil
import sqlite3
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from bot.__main__ import main, parser
from bot.host.commands import database_url
from bot.host.machine import program_call
from bot.settings import Settings
from data.upkeep.hindrance import HERE
from tests.sentences import ROOT

Typed = Callable[..., str]
PLACEHOLDERS = {"FILE", "URL"}


@pytest.fixture(params=[False, True], ids=["bot", "sandbox"])
def sandbox(request: pytest.FixtureRequest) -> bool:
    """Whether the sandbox's database is meant."""
    return request.param


@pytest.fixture
def typed(sandbox: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Typed:
    """Types commands about one of two databases; what they print."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("data.upkeep.file_check.MAKING_SECONDS", 0.02)
    monkeypatch.setenv("DISCORD_TOKEN", "no.such.token")
    monkeypatch.setenv("GRAPHPAPER_DATABASE", f"sqlite:///{tmp_path}/bot/graphpaper.db")
    monkeypatch.setenv("GRAPHPAPER_SANDBOX_FOLDER", f"{tmp_path}/sand box")

    def said(*words: str) -> str:
        main([*words, *(["--sandbox"] if sandbox else [])])
        told = capsys.readouterr()
        return told.out + told.err

    return said


@pytest.fixture
def file(typed: Typed, sandbox: bool, tmp_path: Path) -> Path:
    """The file of the database that is meant, which is not there."""
    folder = tmp_path / ("sand box" if sandbox else "bot")
    folder.mkdir()
    return folder / "graphpaper.db"


def missing(_: Path, __: Path) -> None:
    pass


def empty_file(file: Path, _: Path) -> None:
    file.touch()


def broken(file: Path, _: Path) -> None:
    file.write_bytes(b"x" * 5000)


def damaged(file: Path, empty: Path) -> None:
    shutil.copy(empty, file)
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute("DROP TABLE moves")


def old(file: Path, empty: Path) -> None:
    shutil.copy(empty, file)
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute("UPDATE alembic_version SET version_num = '0004'")


def copy_beside(file: Path, empty: Path) -> None:
    shutil.copy(empty, file.with_name("a copy.db"))


def left_over(file: Path, _: Path) -> None:
    file.with_name(f"{file.name}-wal").write_bytes(b"x" * 5000)


def folder_there(file: Path, _: Path) -> None:
    file.mkdir()


def strange(file: Path, _: Path) -> None:
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute("CREATE TABLE theirs (id)")


def moved(file: Path, empty: Path) -> None:
    shutil.copy(empty, file)
    gone = '{"number": "1", "target": "postgresql://db/matches", "begun": 1, "pulses": {}, "done": true}'
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute("INSERT INTO key_values VALUES ('moved', ?)", (gone,))


def on_the_move(file: Path, empty: Path) -> None:
    shutil.copy(empty, file)
    mark = '{"number": "1", "source": "sqlite:////srv/old.db", "begun": 1}'
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute("INSERT INTO key_values VALUES ('moving', ?)", (mark,))


TROUBLES = [
    missing, empty_file, broken, damaged, old, copy_beside, left_over, folder_there, strange, moved, on_the_move,
]  # fmt: skip
COMMANDS = [
    ("health",), ("status",), ("check",), ("migrate",), ("backup", "copy.db"), ("export", "5"),
    ("forget", "5", "--yes"), ("move-to", "sqlite:///other.db"),
]  # fmt: skip


def advised(text: str) -> list[str]:
    """The commands in a text."""
    return re.findall(r"`([^`]*-m bot [^`]*)`", text)


@pytest.mark.parametrize("trouble", TROUBLES, ids=lambda one: one.__name__)
def test_what_is_advised_is_about_the_database_that_was_meant(
    typed: Typed, sandbox: bool, file: Path, empty: Path, trouble: Callable[[Path, Path], None]
) -> None:
    settings = Settings.read()
    meant = settings.sandbox_database if sandbox else settings.database
    seen = 0
    for words in COMMANDS:
        shutil.rmtree(file.parent)
        file.parent.mkdir()
        trouble(file, empty)
        said = typed(*words)
        assert "Traceback" not in said
        assert sandbox is False or "GRAPHPAPER_DATABASE" not in said, said
        assert "Errno" not in said and said.strip()
        for command in advised(said):
            program, *given = shlex.split(command)
            assert given[:2] == ["-m", "bot"] and (shutil.which(program) or Path(program).exists())
            read = parser().parse_args(given[2:])
            assert database_url(settings, read) == meant, said
            named = getattr(read, "file", None)
            assert named in PLACEHOLDERS or named is None or Path(named).exists(), said
            seen += 1
    assert seen or trouble in (folder_there, strange), "nothing was advised"


def test_a_command_begins_as_this_one_was_called(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", "/usr/bin")
    monkeypatch.setattr(sys, "executable", f"{tmp_path}/.venv/bin/python")
    assert program_call(container=False) == ".venv/bin/python -m bot"
    monkeypatch.setattr(sys, "executable", "/opt/graph paper/.venv/bin/python")
    assert program_call(container=False) == "'/opt/graph paper/.venv/bin/python' -m bot"
    made = tmp_path / "bin/python"
    made.parent.mkdir()
    made.touch(0o755)
    monkeypatch.setattr(sys, "executable", str(made))
    monkeypatch.setenv("PATH", str(made.parent))
    assert program_call(container=False) == "python -m bot"
    assert program_call(container=True) == "docker compose run --rm bot"


def written() -> Iterator[tuple[str, str]]:
    """Every text of the program that is no docstring, with its module."""
    for path in [*(ROOT / "bot").rglob("*.py"), *(ROOT / "data").rglob("*.py")]:
        tree = ast.parse(path.read_text())
        docs = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docs:
                yield str(path.relative_to(ROOT)), node.value


def test_no_sentence_writes_a_command_by_itself() -> None:
    """Else it would be about another database than the one that is meant."""
    ours = {"data/upkeep/hindrance.py", "bot/host/machine.py"}
    public = {"bot/host/doctor_visit.py"}  # a message on Discord that all can read
    found = {module for module, text in written() if "-m bot" in text and "-m bot.engine" not in text}
    assert found - ours - public == set()


def test_this_process_says_how_it_is_typed(typed: Typed, sandbox: bool) -> None:
    typed("health")
    assert HERE.sandbox is sandbox
