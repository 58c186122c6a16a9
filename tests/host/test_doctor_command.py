"""`python -m bot doctor` as it is typed: its exit status, the terminal at which it asks, and Ctrl+C."""

from __future__ import annotations

import asyncio
import logging
import os
import pty
import select
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Generator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from bot.__main__ import main
from bot.sandbox.stand_in import Sandbox
from tests.support.sampled import sampled
from tests.support.waiting import PATIENCE

ROOT = Path(__file__).parents[2]
HALFWAY = "holds: A post that is repeated gives the first message"


@pytest.fixture(autouse=True)
def quiet_again(caplog: pytest.LogCaptureFixture) -> None:
    """The doctor silences the library's log for its whole process: it gets its level back after each test."""
    caplog.set_level(logging.WARNING, logger="discord")


@pytest.fixture(scope="module")
def stand_in() -> Generator[Sandbox]:
    """Discord's stand-in, in a thread of its own: the command has the main one."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever)
    thread.start()
    sandbox = Sandbox()
    sandbox.faults.set_bot_role(allow=("manage_threads",))
    asyncio.run_coroutine_threadsafe(sandbox.start(), loop).result()
    try:
        yield sandbox
    finally:
        asyncio.run_coroutine_threadsafe(sandbox.stop(), loop).result()
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()


@pytest.fixture
def env(stand_in: Sandbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """The settings of a host whose Discord is the stand-in."""
    monkeypatch.chdir(tmp_path)
    usual = {
        "DISCORD_TOKEN": stand_in.token,
        "GRAPHPAPER_API": stand_in.api_url,
        "GRAPHPAPER_GATEWAY": stand_in.gateway_url,
        "GRAPHPAPER_DATABASE": f"sqlite:///{tmp_path / 'graphpaper.db'}",
    }
    for name, value in usual.items():
        monkeypatch.setenv(name, value)
    return {**os.environ, "PYTHONPATH": str(ROOT)}


def games(sandbox: Sandbox) -> str:
    return str(sandbox.channel("games")["id"])


def behind(sandbox: Sandbox) -> list[Any]:
    """What is left of the doctor's messages and threads."""
    world = sandbox.world
    left = [one for place in world.messages.values() for one in place.values() if one["author"]["id"] == world.me]
    return left + [one["name"] for one in world.channels.values() if "doctor" in one["name"]]


Typed = Callable[..., tuple[int, str, str]]


@pytest.fixture
def typed(capsys: pytest.CaptureFixture[str]) -> Typed:
    """Type the command, within this process."""

    def run(*words: str) -> tuple[int, str, str]:
        status = main(["doctor", *words])
        told = capsys.readouterr()
        return status, told.out, told.err

    return run


def test_all_is_told_line_by_line(typed: Typed, env: dict[str, str], stand_in: Sandbox) -> None:
    status, out, err = typed("--channel", games(stand_in))
    assert (status, err) == (0, "")
    assert out.splitlines()[-1].startswith("Holds: 26. Does not hold: 2. Could not be tried: 7. The bot copes")
    assert behind(stand_in) == []


def test_a_refused_token_is_said_so(
    typed: Typed, env: dict[str, str], stand_in: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DISCORD_TOKEN", "not.the.token")
    status, out, err = typed("--channel", games(stand_in))
    assert (status, len(out.splitlines())) == (2, 2)
    assert err == "Discord refused the token. Copy it again from the developer portal into DISCORD_TOKEN.\n"


def test_a_host_without_a_token_is_told_so(typed: Typed, env: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DISCORD_TOKEN")
    sentence = "There is no DISCORD_TOKEN. Set it to the bot's token from Discord's developer portal.\n"
    assert typed("--channel", "12") == (2, "", sentence)


def test_a_channel_is_a_number(typed: Typed, env: dict[str, str]) -> None:
    sentence = "After --channel comes the channel's ID, a whole number (in Discord: Copy Channel ID).\n"
    for text in ("games", "#games", "-1", "1" * 21, "", "١٢"):
        assert typed(f"--channel={text}") == (2, "", sentence), text


def test_where_nobody_can_be_asked_a_channel_is_needed(
    typed: Typed, env: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with open(os.devnull) as nothing:
        monkeypatch.setattr("sys.stdin", nothing)
        sentence = "Name a text channel with --channel ID: nobody can be asked here, since this is no terminal.\n"
        assert typed() == (2, "", sentence)


def test_an_unreachable_discord_is_status_1(typed: Typed, env: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GRAPHPAPER_API", "http://127.0.0.1:9/api/v10")
    status, _, err = typed("--channel", "12")
    assert status == 1
    assert err.startswith("Discord can't be reached (") and len(err.splitlines()) == 1


def test_the_help_says_that_a_running_bot_hears_of_it(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["doctor", "--help"])
    said = " ".join(capsys.readouterr().out.split())
    assert "A bot that runs with the same token may go on: it hears of these messages too" in said


# --- at a terminal


def until_said(terminal: int, wanted: str) -> str:
    """Read from a terminal until something is said there."""
    said = ""
    while wanted not in said:
        ready, _, _ = select.select([terminal], [], [], PATIENCE)
        assert ready, f"nothing came any more after: {said}"
        said += os.read(terminal, 4096).decode()
    return said


def test_the_host_is_asked_at_a_terminal(env: dict[str, str], stand_in: Sandbox) -> None:
    ours, theirs = pty.openpty()
    try:
        with closing(os.fdopen(theirs, "rb+", buffering=0)) as end:
            command = [sys.executable, "-m", "bot", "doctor"]
            running = subprocess.Popen(command, stdin=end, stdout=end, stderr=end, env=env, start_new_session=True)
        assert "   2  The Sandbox, #games" in until_said(ours, "Type its number.")
        os.write(ours, b"2\n")
        assert "holds: A thread is renamed." in until_said(ours, "Holds: ")
        assert running.wait(PATIENCE) == 0
    finally:
        os.close(ours)
    assert behind(stand_in) == []


@sampled("number", [signal.SIGINT, signal.SIGTERM])
def test_whoever_breaks_it_off_leaves_nothing_behind(env: dict[str, str], stand_in: Sandbox, number: int) -> None:
    command = [sys.executable, "-m", "bot", "doctor", "--channel", games(stand_in)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=env, text=True) as running:
        assert running.stdout and running.stderr
        assert any(line.startswith(HALFWAY) for line in running.stdout)
        running.send_signal(number)
        _, err = running.communicate(timeout=PATIENCE)
    assert running.returncode == 130
    assert err == "Interrupted. All that was posted is deleted, but for what is named above.\n"
    assert behind(stand_in) == []
