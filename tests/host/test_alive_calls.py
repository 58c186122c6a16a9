"""The address that is called while all is well, as a dead man's switch wants it: who calls it, when, and what is said.

The switch is a real server on this machine.
"""

from __future__ import annotations

import asyncio
import logging
import shutil
import socket
from collections.abc import AsyncGenerator
from io import StringIO
from pathlib import Path

import pytest
from aiohttp import web

from bot.host import serving
from bot.host.serving import AliveCalls
from bot.host.supervisor import Supervisor
from bot.play.ids import ShardShare
from bot.sandbox.stand_in import Sandbox
from bot.settings import Settings
from data.store import Store, Transaction
from data.upkeep.health import Pulse
from tests.support.log_lines import logging_to
from tests.support.waiting import until

NOW = 1_800_000_000
SECRET = "4f1c9d3e-hush"


class Switch:
    """A dead man's switch that notes who called, and answers as it is told to."""

    def __init__(self) -> None:
        self.calls: list[str] = []
        self.status = 200
        self.hangs = False
        self.port = 0
        self.sender = ""
        self.over = asyncio.Event()

    async def called(self, request: web.Request) -> web.Response:
        """Note a call."""
        self.calls.append(request.path_qs)
        self.sender = request.headers["User-Agent"]
        if self.hangs:
            await self.over.wait()
        away = {"Location": f"ftp://there/{SECRET}"} if self.status == 302 else {}
        return web.Response(status=self.status, headers=away)

    @property
    def address(self) -> str:
        """Where it is called, which is its secret."""
        return f"http://127.0.0.1:{self.port}/{SECRET}?a=b"


@pytest.fixture
async def switch() -> AsyncGenerator[Switch]:
    made = Switch()
    app = web.Application()
    app.router.add_get("/{name}", made.called)
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=0)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    made.port = runner.addresses[0][1]
    yield made
    made.over.set()
    await runner.cleanup()


@pytest.fixture
def url(empty: Path, folder: Path) -> str:
    """The address of a database."""
    return f"sqlite:///{shutil.copy(empty, folder / 'matches.db')}"


async def heard(url: str, share: str = "", connected: int = NOW) -> None:
    """A process, of some shards or all, has noted a heartbeat."""
    store = Store(url)
    await store.do(Transaction.set_note, f"heartbeat {share}".strip(), str(Pulse(NOW, connected)))
    await store.close()


def calls(url: str, switch: Switch | str, leads: bool = True, shards: str | None = None) -> AliveCalls:
    address = switch if isinstance(switch, str) else switch.address
    settings = Settings(database=url, alive=address, shards=ShardShare.parse(shards) if shards else None)
    return AliveCalls(settings, address, lambda: leads, lambda: NOW)


def lines(log: StringIO) -> list[str]:
    """What the log says, without when and who; the secret is in none of it."""
    assert SECRET not in log.getvalue() and "hush" not in log.getvalue()
    return [line.partition(": ")[2] for line in log.getvalue().splitlines() if "serving: " in line]


async def test_the_address_is_called_while_all_is_well(url: str, switch: Switch) -> None:
    await heard(url)
    calling = calls(url, switch)
    with logging_to() as log:
        await calling.look()
        await calling.look()
    assert switch.calls == [f"/{SECRET}?a=b"] * 2 and switch.sender == "Graph Paper"
    assert lines(log) == ["GRAPHPAPER_ALIVE was called, and will be each minute while all is well."]


async def test_it_is_not_called_while_health_says_otherwise(url: str, switch: Switch) -> None:
    calling = calls(url, switch)
    await heard(url)
    await calling.look()
    await heard(url, connected=NOW - 600)
    with logging_to() as log:
        await calling.look()
        await calling.look()
        assert len(switch.calls) == 1
        await heard(url)
        await calling.look()
    assert len(switch.calls) == 2
    assert lines(log) == [
        "GRAPHPAPER_ALIVE isn't called: The database is readable and writable; the bot is running, but hasn't been"
        " connected to Discord for 10 minutes.",
        "GRAPHPAPER_ALIVE was called, and will be each minute while all is well.",
    ]


async def test_a_database_that_is_gone_is_a_reason_too(url: str, switch: Switch) -> None:
    with logging_to() as log:
        await calls("sqlite:////nowhere/matches.db", switch).look()
    assert switch.calls == []
    assert "GRAPHPAPER_ALIVE isn't called: There is no database" in lines(log)[0]


async def test_of_several_processes_the_leader_calls_and_speaks_for_all(url: str, switch: Switch) -> None:
    await heard(url, "0/4")
    await heard(url, "1-2/4")
    await heard(url, "1/2", connected=NOW)  # as it was before there were four
    leader, other = calls(url, switch, shards="0/4"), calls(url, switch, leads=False, shards="1-2/4")
    with logging_to() as log:
        await leader.look()
        await other.look()
        assert switch.calls == []
        await heard(url, "3/4", connected=0)
        await leader.look()
        assert switch.calls == []
        await heard(url, "3/4")
        await other.look()
        await leader.look()
    assert len(switch.calls) == 1
    assert lines(log) == [
        "GRAPHPAPER_ALIVE isn't called: The database is readable and writable; no bot that is well serves the shards"
        " 3/4.",
        "GRAPHPAPER_ALIVE was called, and will be each minute while all is well.",
    ]


IN_VAIN = {
    "refuses": "it answered 404",
    "sends away": "it can't be reached",
    "hangs": "no answer came within 0 s",
    "is gone": "Connection refused",
    "is none": "it can't be reached",
}


@pytest.mark.parametrize("ill", IN_VAIN)
async def test_a_switch_that_fails_disturbs_nobody_and_its_secret_is_in_no_log(
    url: str, switch: Switch, monkeypatch: pytest.MonkeyPatch, ill: str
) -> None:
    monkeypatch.setattr(serving, "WITHIN", 0.3 if ill == "hangs" else 20.0)
    await heard(url)
    free = socket.create_server(("127.0.0.1", 0))
    gone = f"http://127.0.0.1:{free.getsockname()[1]}/{SECRET}"
    free.close()
    address = {"is gone": gone, "is none": f"http://a..b/{SECRET}"}.get(ill, switch.address)
    switch.hangs, switch.status = ill == "hangs", {"refuses": 404, "sends away": 302}.get(ill, 200)
    calling = calls(url, address)
    with logging_to() as log:
        await calling.look()
        await calling.look()
        assert lines(log) == [f"GRAPHPAPER_ALIVE was called in vain: {IN_VAIN[ill]}. It is tried again each minute."]
        if address == switch.address:
            switch.hangs, switch.status = False, 204
            await calling.look()
            assert len(lines(log)) == 2, "and that it works again"


async def test_what_libraries_say_of_the_address_is_masked(switch: Switch) -> None:
    with logging_to(alive=switch.address) as log:
        logging.getLogger("aiohttp.client").warning("Connection timeout to host %s", switch.address)
        logging.getLogger("aiohttp.client").warning("GET /%s?a=b", SECRET)
    assert SECRET not in log.getvalue() and "127.0.0.1" in log.getvalue()


async def test_it_is_called_again_and_again_until_the_bot_stops(
    url: str, switch: Switch, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(serving, "CALLED_EVERY", 0.01)
    await heard(url)
    calling = asyncio.create_task(calls(url, switch).keep())
    await until(lambda: switch.calls[3:])
    calling.cancel()
    await asyncio.wait([calling])
    assert calling.cancelled()


async def test_what_nobody_foresaw_ends_no_calling(url: str, switch: Switch, monkeypatch: pytest.MonkeyPatch) -> None:
    async def broken(*_: object, **__: object) -> None:
        raise RuntimeError(SECRET)

    calling = calls(url, switch)
    await heard(url)
    with monkeypatch.context() as patched, logging_to() as log:
        patched.setattr(serving, "check_health", broken)
        await calling.look()
    assert lines(log) == ["GRAPHPAPER_ALIVE isn't called, for RuntimeError."]
    await calling.look()
    assert switch.calls


def test_the_bot_on_the_sandbox_does_not_say_that_the_real_one_lives(tmp_path: Path) -> None:
    supervisor = Supervisor(Sandbox(folder=tmp_path), Settings(alive=f"https://there/{SECRET}"))
    assert supervisor.bot_environment()["GRAPHPAPER_ALIVE"] == "off"
