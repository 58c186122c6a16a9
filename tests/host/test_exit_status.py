"""How the program ends for its host: one sentence that says what to do, no traceback, and a status that tells why."""

from __future__ import annotations

import asyncio
import logging
import math
import re
import resource
import socket
import sqlite3
import ssl
import threading
from argparse import Namespace
from collections.abc import Callable, Generator
from contextlib import ExitStack
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import discord
import pytest
from sqlalchemy import make_url

from bot.host import run as host_run
from bot.host import supervisor
from bot.sandbox.stand_in import Sandbox
from bot.settings import Settings
from data.engine import errors
from data.engine.driver import TimeLimits
from data.upkeep.file_check import classify_error
from tests.support.postgres import server
from tests.support.waiting import PATIENCE, Hurry

Env = dict[str, str]
TOKEN = "Discord refused the token. Copy it again from the developer portal into DISCORD_TOKEN."
NO_WAY = "Discord can't be reached ("
CONNECT = "): connect this machine to the internet."
NOTHING_CAME = f"{NO_WAY}no answer came in time{CONNECT}"


@pytest.fixture(scope="module")
def stand_in() -> Generator[Sandbox]:
    """Discord's stand-in, in a thread of its own: the program has the main one."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever)
    thread.start()
    sandbox = Sandbox()
    asyncio.run_coroutine_threadsafe(sandbox.start(), loop).result()
    try:
        yield sandbox
    finally:
        asyncio.run_coroutine_threadsafe(sandbox.stop(), loop).result()
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()


@pytest.fixture
def run(
    stand_in: Sandbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[..., tuple[Any, list[str]]]:
    """Run the bot, without patience, and see its exit status and what it said beside its log."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("bot.host.run.PATIENCE", 0.0)
    usual = {
        "DISCORD_TOKEN": stand_in.token,
        "GRAPHPAPER_API": stand_in.api_url,
        "GRAPHPAPER_GATEWAY": stand_in.gateway_url,
        "GRAPHPAPER_DATABASE": f"sqlite:///{tmp_path / 'graphpaper.db'}",
    }

    def ended(**env: str) -> tuple[Any, list[str]]:
        stand_in.world.commands = []  # no bot has played with this token before
        for name, value in (usual | env).items():
            monkeypatch.setenv(name, value)
        try:
            status: Any = host_run.run(Namespace(sandbox=False))
        except Exception as fault:
            status = f"{type(fault).__name__}: {fault}"
        err = capsys.readouterr().err.splitlines()
        assert not any("Traceback" in line or line.startswith("  File ") for line in err), err
        return status, [line for line in err if " INFO " not in line]

    return ended


@pytest.fixture
def nowhere() -> str:
    """An address at which nobody is."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return f"127.0.0.1:{free.getsockname()[1]}"


def test_a_refused_token_is_said_so(run: Callable[..., Any]) -> None:
    assert run(DISCORD_TOKEN="not.the.token") == (1, [TOKEN])


@pytest.mark.parametrize("code", [4004, 4011, 4014])
def test_a_connection_that_discord_closes_for_good_is_said_so(
    run: Callable[..., Any], stand_in: Sandbox, code: int
) -> None:
    stand_in.faults.refuse_identify(code)
    try:
        status, lines = run()
    finally:
        stand_in.faults.refuse_identify(0)
    assert (status, len(lines)) == (1, 1)
    said = lines[0]
    assert said == TOKEN if code == 4004 else f"{code})" in said


def test_every_code_with_which_discord_closes_for_good_has_a_sentence() -> None:
    from bot.host import exit_status

    assert [*exit_status.CLOSED] == [4004, *range(4010, 4015)]
    for code, sentence in exit_status.CLOSED.items():
        socket: Any = SimpleNamespace(close_code=code)
        assert exit_status.explain_ending(discord.ConnectionClosed(socket, shard_id=None)) == (sentence, 1)


def test_a_machine_without_a_network_is_told_so(
    run: Callable[..., Any], nowhere: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whether it is the login that does not get through, or the connection after it."""
    monkeypatch.setattr("discord.shard.asyncio", Hurry())
    for env in ({"GRAPHPAPER_API": f"http://{nowhere}/api/v10"}, {"GRAPHPAPER_GATEWAY": f"ws://{nowhere}/gateway"}):
        status, said = run(**env)
        assert status == 1
        assert said[-1].startswith(NO_WAY) and said[-1].endswith(CONNECT)


def test_a_gateway_that_closes_before_its_first_word_is_said_so(
    run: Callable[..., Any], stand_in: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("discord.shard.asyncio", Hurry())
    stand_in.faults.shut_gateway("closed")
    try:
        status, said = run()
    finally:
        stand_in.faults.open_gateway()
    assert status == 1
    assert "(Discord closed the connection before it said anything): connect" in said[-1]


@pytest.mark.parametrize(
    ("changed", "status", "sentence"),
    [
        ({"username": "nobody"}, 2, "The database does not let the bot's user in: this bot's host has to name "),
        ({"database": "nowhere"}, 2, "There is no such database on the server: this bot's host has to create it"),
        ({"query": {"host": "/nowhere"}}, 1, "The database can't be used: no server answers at its address ("),
        ({"host": "nowhere.invalid", "query": {}}, 1, "The database can't be used: no server answers at its address"),
        ({"host": "127.0.0.1", "port": 1, "query": {}}, 1, "The database can't be used: no server answers at its "),
        ({"query": {"sslmode": "some"}}, 2, "The database's address can't be used: "),
    ],
)
def test_a_server_that_cannot_be_used_is_said_so(
    run: Callable[..., Any], changed: dict[str, Any], status: int, sentence: str
) -> None:
    url = make_url(server().url("empty")).set(password="hunter2").set(**changed)
    ended, lines = run(GRAPHPAPER_DATABASE=url.render_as_string(hide_password=False))
    assert (ended, [line[: len(sentence)] for line in lines]) == (status, [sentence])
    assert "hunter2" not in lines[0]


@pytest.fixture(params=[False, True])
def hole(request: pytest.FixtureRequest) -> Generator[str]:
    """An address that swallows everything: nobody speaks there, or nobody even takes the call."""
    with socket.create_server(("127.0.0.1", 0), backlog=0) as mute, ExitStack() as callers:
        for _ in range(3 * request.param):
            caller = callers.enter_context(socket.socket())
            caller.setblocking(False)
            caller.connect_ex(mute.getsockname())
        yield f"127.0.0.1:{mute.getsockname()[1]}"


@pytest.mark.minutes
def test_a_server_that_says_nothing_is_said_so_soon(
    run: Callable[..., Any], hole: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("data.engine.driver.HOSTS", TimeLimits(wait=0.3, run=math.inf))
    ended, lines = run(GRAPHPAPER_DATABASE=f"postgresql://ann:hunter2@{hole}/matches")
    sentence = "The database can't be used: no server answers at its address (no answer came in time). Start the "
    assert (ended, [line[: len(sentence)] for line in lines]) == (1, [sentence])


def test_a_network_that_swallows_everything_is_said_so(
    run: Callable[..., Any], hole: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.host.serving.ANSWERS_WITHIN", 0.3)
    ended, lines = run(GRAPHPAPER_API=f"http://{hole}/api/v10")
    assert (ended, lines) == (1, [NOTHING_CAME])


def test_a_gateway_that_never_greets_is_said_so(
    run: Callable[..., Any], hole: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("discord.shard.asyncio", Hurry())
    monkeypatch.setattr("bot.host.serving.GREETS_WITHIN", 0.3, raising=False)
    ended, lines = run(GRAPHPAPER_GATEWAY=f"ws://{hole}/gateway")
    assert (ended, lines[-1]) == (1, NOTHING_CAME)


@pytest.mark.parametrize(
    ("env", "sentence"),
    [
        ({"GRAPHPAPER_PORT": "70000"}, "GRAPHPAPER_PORT can't be used: it is a whole number from 0 to 65535."),
        ({"GRAPHPAPER_SHARDS": "4/4"}, "GRAPHPAPER_SHARDS can't be used: of 4 shards the first is 0 and the last 3: "),
        ({"GRAPHPAPER_LOG": "LOUD"}, "GRAPHPAPER_LOG can't be used: it is DEBUG, INFO, WARNING, ERROR or CRITICAL."),
        ({"GRAPHPAPER_DATABASE": "mysql://ann:secret@db/matches"}, "The database is SQLite or PostgreSQL, not mysql."),
        ({"GRAPHPAPER_DATABASE": "graphpaper.db"}, "I can't read the database's address. It looks like sqlite:///"),
        ({"GRAPHPAPER_DATABASE": "sqlite:///."}, "The database cannot be at ., which is a folder: "),
        ({"GRAPHPAPER_DATABASE": "sqlite:////dev/null/graphpaper.db"}, "The database cannot be "),
        ({"DISCORD_TOKEN": "", "GRAPHPAPER_CONTAINER": "1"}, "There is no DISCORD_TOKEN. Set it to "),
    ],
)
def test_settings_that_cannot_be_used_are_named(run: Callable[..., Any], env: Env, sentence: str) -> None:
    status, lines = run(**env)
    assert (status, len(lines)) == (2, 1)
    said = lines[0]
    assert said[: len(sentence)] == sentence
    assert "secret" not in said and "moment" not in said


@pytest.mark.parametrize(
    ("error", "file"),
    [(sqlite3.SQLITE_IOERR, "graphpaper.db"), (sqlite3.SQLITE_IOERR_READ, "graphpaper.db")],
)
def test_a_disk_that_fails_is_no_question_of_rights_or_backups(tmp_path: Path, error: int, file: str) -> None:
    (tmp_path / file).touch()
    fault = sqlite3.OperationalError("disk I/O error")
    fault.sqlite_errorcode = error
    said = str(classify_error(fault, tmp_path / file))
    assert "look at the disk" in said and "belongs to user" not in said and "restore" not in said


def test_a_disk_that_fails_while_a_database_is_made_is_the_hosts_to_mend(run: Callable[..., Any]) -> None:
    _, most = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (50_000, most))  # to SQLite an error like any other of the disk's
    try:
        status, lines = run()
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))
    assert (status, lines) == (
        2,
        [
            "The database can't be used: disk I/O error. Look at the disk and at the machine's log, or put the database"
            " on another disk (GRAPHPAPER_DATABASE)."
        ],
    )


def test_a_folder_that_cannot_be_made_is_said_so(run: Callable[..., Any]) -> None:
    status, lines = run(GRAPHPAPER_DATABASE="sqlite:////proc/nowhere/graphpaper.db")
    assert (status, len(lines)) == (2, 1)
    assert "cannot be made" in lines[0] and "belongs to user" not in lines[0]


@pytest.mark.long
async def test_the_sandbox_does_not_start_a_bot_again_that_cannot_begin(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GRAPHPAPER_LOG", "LOUD")
    monkeypatch.setattr(supervisor, "RESTART_AFTER", 0)
    said: asyncio.Queue[str] = asyncio.Queue()
    monkeypatch.setattr(supervisor, "say", said.put_nowait)
    minding = supervisor.Supervisor(Sandbox(), Settings(log="INFO"))
    running = asyncio.create_task(minding.run())
    try:
        lines = [await asyncio.wait_for(said.get(), PATIENCE) for _ in range(3)]
    finally:
        running.cancel()
    assert lines[1:] == [
        "The bot ended (exit status 2).",
        "It won't restart by itself. Fix that, then press Start on the page.",
    ]
    assert not minding.wanted.is_set()


@pytest.mark.parametrize(
    ("code", "words", "sentence"),
    [
        (
            9,
            "certificate is not yet valid",
            "Discord can't be reached, because its certificate is not yet valid by this machine's clock. The clock is"
            " behind: set it.",
        ),
        (
            10,
            "certificate has expired",
            "Discord can't be reached, because its certificate has expired by this machine's clock. If the clock is"
            " ahead, set it.",
        ),
        (18, "self-signed certificate", f"{NO_WAY}certificate verify failed: self-signed certificate{CONNECT}"),
    ],
)
def test_a_clock_that_is_off_is_not_the_network(code: int, words: str, sentence: str) -> None:
    from bot.host.exit_status import Unreachable, explain_ending

    assert explain_ending(Unreachable(f"certificate verify failed: {words}")) == (sentence, 1)
    refused = ssl.SSLCertVerificationError(1, words)
    refused.verify_code, refused.verify_message = code, words
    meant = errors.classify_error(refused)
    assert meant
    end = explain_ending(meant)
    assert end and end[1] == (1 if code == 9 else 2), "nobody has to put right a clock that sets itself"
    assert code != 9 or "not yet valid by this machine's clock, which is behind" in end[0]


def test_a_clock_that_nobody_has_set_is_said(run: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> None:
    """A small machine has no clock of its own, and begins where its last one stood, or in 1970."""
    monkeypatch.setattr("bot.host.run.wall_time", lambda: 750.0)
    said = "This machine's clock is wrong: it says 1970-01-01 00:12 UTC. Set it."
    assert run(GRAPHPAPER_API="", GRAPHPAPER_GATEWAY="") == (1, [said])


def test_log_lines_have_dates(run: Callable[..., Any], nowhere: str, capsys: pytest.CaptureFixture[str]) -> None:
    run(GRAPHPAPER_API=f"http://{nowhere}/api/v10")
    logging.getLogger("bot").warning("A line.")
    assert re.match(r"20\d\d-\d\d-\d\d \d\d:\d\d:\d\d WARNING bot: A line\.", capsys.readouterr().err)
