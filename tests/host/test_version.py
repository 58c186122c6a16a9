"""One version is told wherever a host looks: its number, and where it comes from."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import pytest

from bot import VERSION
from bot.__main__ import main
from bot.host import machine

ROOT = Path(__file__).parents[2]


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A checkout of one commit."""
    git = ["git", "-C", str(tmp_path), "-c", "user.name=A", "-c", "user.email=a@b", "-c", "init.defaultBranch=main"]
    for words in (["init", "--quiet"], ["commit", "--quiet", "--allow-empty", "--message=One"]):
        day = {"GIT_COMMITTER_DATE": "2026-11-28T12:00:00+0000", "GIT_AUTHOR_DATE": "2020-01-01T12:00:00+0000"}
        subprocess.run([*git, *words], check=True, env=os.environ | day)
    return tmp_path


def test_a_checkout_tells_its_commit_and_day(checkout: Path) -> None:
    assert re.fullmatch(rf"{re.escape(VERSION)} \([0-9a-f]{{7,}}, 2026-11-28\)", machine.version_in(checkout))


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away")
def test_a_checkout_that_belongs_to_somebody_else_does_too(checkout: Path) -> None:
    """Where git would refuse to look, since the bot runs as a user of its own."""
    for path in (checkout, *checkout.rglob("*")):
        os.chown(path, 12_345, 12_345)
    assert "2026-11-28" in machine.version_in(checkout)


def test_a_checkout_around_the_program_is_not_its_own(checkout: Path) -> None:
    (checkout / "lib").mkdir()
    assert machine.version_in(checkout / "lib") == VERSION


def test_an_image_tells_its_day(tmp_path: Path) -> None:
    (tmp_path / "BUILT").write_text("2026-11-28\n")
    assert machine.version_in(tmp_path) == f"{VERSION} (built 2026-11-28)"
    (tmp_path / "BUILT").write_bytes(b"\xff\n")
    assert machine.version_in(tmp_path) == VERSION


def test_without_git_there_is_the_number(checkout: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(checkout))
    assert machine.version_in(checkout) == VERSION


def test_what_the_environment_says_of_another_checkout_does_not_count(
    checkout: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GIT_DIR", str(ROOT / ".git"))
    assert "2026-11-28" in machine.version_in(checkout)


def test_it_is_an_option_of_the_program(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == f"Graph Paper {machine.version()}\n"
