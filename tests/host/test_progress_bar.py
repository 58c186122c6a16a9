"""The progress of a long command as a host sees it, and the state that Ctrl+C leaves."""

from __future__ import annotations

import asyncio
import io
import os
import signal
import threading
from collections.abc import Callable, Generator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import pytest

from bot.__main__ import main
from bot.host.commands import ProgressLines, show_progress
from bot.host.machine import seconds_since_boot
from data.upkeep.file_check import Progress

AWAITED = 60.0
"""Seconds for what comes at once, unless it never does."""


class Terminal(io.StringIO):
    """A stream that says that somebody looks at it."""

    def isatty(self) -> bool:
        return True


def test_a_log_gets_a_line_every_ten_seconds_and_one_at_the_end_of_each_part() -> None:
    stream, now = io.StringIO(), [0.0]
    lines = ProgressLines(stream, lambda: now[0])
    for second in range(25):
        now[0] = float(second)
        lines.show_progress("matches", second, 25)
    now[0] = 25.0
    lines.show_progress("matches", 25, 25)
    now[0] = 40.0
    lines.show_progress("leaderboards", 3, 3)
    lines.show_progress("rows", 1, 3)
    lines.close()
    assert stream.getvalue().splitlines() == [
        "matches: 10 of 25 (40 %) after 0:10",
        "matches: 20 of 25 (80 %) after 0:20",
        "matches: 25 of 25 (100 %) after 0:40",
        "leaderboards: 3 of 3 (100 %) after 0:40",
    ]


def test_what_is_done_at_once_shows_nothing() -> None:
    for stream in (io.StringIO(), Terminal()):
        with show_progress(stream, seconds_since_boot) as progress:
            progress("matches", 1, 2)
            progress("matches", 2, 2)
            progress("leaderboards", 1, 0)
        assert stream.getvalue() == ""


def test_a_terminal_gets_a_bar_that_is_gone_when_the_part_is_done(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.host.commands.QUICK_SECONDS", 0)
    stream = Terminal()
    with show_progress(stream, seconds_since_boot) as progress:
        progress("matches", 1, 3)
        assert "matches:  33%" in stream.getvalue()
        progress("leaderboards", 0, 2)
        assert stream.getvalue().rpartition("\r")[2].startswith("leaderboards:   0%")
    assert stream.getvalue().endswith("\r")


def test_a_terminal_that_knows_no_size_gets_a_bar_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.host.commands.QUICK_SECONDS", 0)
    screen, keyboard = os.openpty()
    with os.fdopen(keyboard, "w") as stream, show_progress(stream, seconds_since_boot) as progress:
        progress("matches", 1, 3)
        assert b"matches:  33%" in os.read(screen, 10_000)
    os.close(screen)


# --- broken off


class Noted(threading.Event):
    """What a thread hears from a loop by."""

    def __init__(self) -> None:
        super().__init__()
        self.loop = asyncio.get_running_loop()


@contextmanager
def breaking_off(stopped: Callable[[], Noted]) -> Generator[Progress]:
    """Press Ctrl+C when the first progress is told, and go on when the command has heard of it. A loop that was about
    to wait when it was pressed would hear of it with its next event: there is one."""

    def told(_what: str, _done: int, _whole: int) -> None:
        os.kill(os.getpid(), signal.SIGINT)
        if threading.current_thread() is not threading.main_thread():
            stopped().loop.call_soon_threadsafe(int)
            assert stopped().wait(AWAITED)

    yield told


@pytest.fixture
def heard() -> Generator[None]:
    """Hear of Ctrl+C even where the tests were started in the background, which has it ignored."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.fixture
def interrupted(monkeypatch: pytest.MonkeyPatch, heard: None) -> None:
    """Have every command broken off in the middle."""
    events: list[Noted] = []

    def noted() -> Noted:
        events.append(Noted())
        return events[-1]

    monkeypatch.setattr("data.upkeep.file_check.Event", noted)

    def breaking(_stream: object, _clock: object) -> AbstractContextManager[Progress]:
        return breaking_off(lambda: events[-1])

    monkeypatch.setattr("bot.host.commands.show_progress", breaking)


def test_ctrl_c_ends_a_command_with_a_sentence_and_leaves_nothing_unfinished(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], request: pytest.FixtureRequest
) -> None:
    file, kept, copy = (tmp_path / name for name in ("matches.db", "kept.db", "copy.db"))
    monkeypatch.setenv("GRAPHPAPER_DATABASE", f"sqlite:///{file}")
    assert main(["migrate", "--new"]) == main(["backup", str(kept)]) == 0
    before = file.read_bytes()
    request.getfixturevalue("interrupted")
    capsys.readouterr()
    for words in (["backup", str(copy)], ["restore", str(kept), "--force"], ["check"], ["check", "--ratings"]):
        assert main(words) == 130, words
        said = capsys.readouterr()
        last = "The ratings of each leaderboard" if "--ratings" in words else "Nothing was changed."
        assert said.out == "" and said.err.startswith(f"Interrupted. {last}"), words
    assert file.read_bytes() == before
    assert {path.name for path in tmp_path.iterdir()} == {"matches.db", "kept.db"}
