"""A bot that is watched: the stand-in for Discord, the bot's real processes, and a Prometheus with the rules."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import socket
import subprocess
import sys
from asyncio.subprocess import DEVNULL, Process
from collections.abc import Callable
from contextlib import AsyncExitStack
from pathlib import Path
from textwrap import dedent
from typing import Any

import aiohttp
from aiohttp import web

from bot.sandbox.stand_in import Sandbox

ROOT = Path(__file__).parents[2]
RULES = ROOT / "docs/rules.yml"
PAGE = (ROOT / "docs/watching.md").read_text()
READY_WITHIN = 180.0
"""Seconds for everything to be up, beside much else on the machine."""
LOOK = 1.0
ALERTMANAGERS = re.compile(r"^alerting:\n(?: .*\n)+", re.MULTILINE)


def free_port() -> int:
    """A port of this machine that nobody listens at."""
    with socket.create_server(("127.0.0.1", 0)) as found:
        return int(found.getsockname()[1])


def configuration(ports: list[int], job: str = "graphpaper") -> str:
    """The configuration of docs/watching.md for the bots at these ports, without anybody to tell."""
    text = PAGE[PAGE.index("    rule_files:") :]
    text = ALERTMANAGERS.sub("", dedent(text[: text.index("\n\n")]))
    targets = ", ".join(f'"127.0.0.1:{port}"' for port in ports)
    text = text.replace("[rules.yml]", f"[{RULES}]").replace('"127.0.0.1:9464"', targets)
    return text.replace("job_name: graphpaper", f"job_name: {job}")


class Bot:
    """A process of the bot, which can be started, killed, and held for a while."""

    def __init__(self, environment: dict[str, str], log: Path) -> None:
        self.environment, self.log = {**os.environ, **environment}, log
        self._process: Process | None = None

    async def start(self) -> None:
        """Start it."""
        with self.log.open("ab") as log:
            self._process = await asyncio.create_subprocess_exec(
                sys.executable, "-m", "bot", "run", env=self.environment, stderr=log, cwd=ROOT, start_new_session=True
            )

    def signal(self, number: signal.Signals) -> None:
        """Send it a signal, if it lives."""
        if self._process and self._process.returncode is None:
            os.kill(self._process.pid, number)

    async def kill(self) -> None:
        """End it at once."""
        self.signal(signal.SIGKILL)
        if self._process:
            await self._process.wait()


class Scene:
    """Everything that one trouble needs; what was started is ended with it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.sandbox = Sandbox()
        self.bots: list[Bot] = []
        self.ports: list[int] = []
        self.calls = 0
        """How often the address of GRAPHPAPER_ALIVE was called."""
        self._ends = AsyncExitStack()
        self._api = ""

    async def __aenter__(self) -> Scene:
        self.folder.mkdir(parents=True)
        await self._ends.enter_async_context(self.sandbox)
        return self

    async def __aexit__(self, *exc: object) -> None:
        for bot in self.bots:
            await bot.kill()
        await self._ends.aclose()

    async def begin(self, database: str | None = None, **settings: str) -> Bot:
        """Start a bot on a database of its own, or a given one, and wait until people can play."""
        number, port = len(self.bots), free_port()
        environment = {
            "DISCORD_TOKEN": self.sandbox.token,
            "GRAPHPAPER_API": self.sandbox.api_url,
            "GRAPHPAPER_GATEWAY": self.sandbox.gateway_url,
            "GRAPHPAPER_DATABASE": database or f"sqlite:///{self.folder / f'bot-{number}.db'}",
            "GRAPHPAPER_METRICS": str(port),
            "GRAPHPAPER_CONTAINER": "0",
            "GRAPHPAPER_SEARCHERS": "0",
            "GRAPHPAPER_BACKUPS": "off",
            "GRAPHPAPER_ALIVE": "off",
            **settings,
        }
        bot = Bot(environment, self.folder / f"bot-{number}.log")
        self.bots.append(bot)
        self.ports.append(port)
        await bot.start()
        await self.ready(bot)
        return bot

    async def ready(self, bot: Bot, times: int = 1) -> None:
        """Wait until a bot has said so many times that people can play."""
        await until(lambda: bot.log.read_text().count("Ready as ") >= times)

    async def switch(self) -> str:
        """The address of a dead man's switch, which counts its calls."""

        async def called(_: web.Request) -> web.Response:
            self.calls += 1
            return web.Response()

        app = web.Application()
        app.router.add_get("/secret-of-the-switch", called)
        runner = web.AppRunner(app, access_log=None)
        await runner.setup()
        self._ends.push_async_callback(runner.cleanup)
        port = free_port()
        await web.TCPSite(runner, "127.0.0.1", port).start()
        return f"http://127.0.0.1:{port}/secret-of-the-switch"

    def memory(self, megabytes: int) -> Path:
        """A small disk."""
        place = self.folder / "disk"
        place.mkdir()
        mount = ["mount", "--types", "tmpfs", "--options", f"size={megabytes}m", "tmpfs", str(place)]
        subprocess.run(mount, check=True)
        self._ends.callback(subprocess.run, ["umount", "--lazy", str(place)], check=False)
        return place

    # --- Prometheus

    async def watch(self, job: str = "graphpaper") -> None:
        """Start a Prometheus that watches the bots, and wait until it has asked all of them."""
        file, port = self.folder / "prometheus.yml", free_port()
        file.write_text(configuration(self.ports or [1], job))
        self._api = f"http://127.0.0.1:{port}/api/v1"
        with (self.folder / "prometheus.log").open("ab") as log:
            process = await asyncio.create_subprocess_exec(
                "prometheus", f"--config.file={file}", f"--storage.tsdb.path={self.folder / 'series'}",
                f"--web.listen-address=127.0.0.1:{port}", stdout=DEVNULL, stderr=log, start_new_session=True,
            )  # fmt: skip
        self._ends.push_async_callback(ended, process)
        async with asyncio.timeout(READY_WITHIN):
            while len(await self.asked("query", query="up == 1")) < len(self.ports):  # noqa: ASYNC110  nobody tells of it
                await asyncio.sleep(LOOK)

    async def asked(self, what: str, **query: str) -> list[dict[str, Any]]:
        """What Prometheus answers; nothing while it is not up yet."""
        try:
            async with aiohttp.ClientSession() as session, session.get(f"{self._api}/{what}", params=query) as answer:
                data = (await answer.json()).get("data", {})
        except (aiohttp.ClientError, OSError, ValueError):
            return []
        return data.get("result" if what == "query" else "alerts", [])

    async def firing(self) -> set[str]:
        """The alarms that ring now."""
        return {one["labels"]["alertname"] for one in await self.asked("alerts") if one["state"] == "firing"}


async def until(met: Callable[[], object]) -> None:
    """Look again and again whether something is so, for what nobody tells of."""
    async with asyncio.timeout(READY_WITHIN):
        while not met():  # noqa: ASYNC110  nobody tells of it
            await asyncio.sleep(LOOK)


async def ended(process: Process) -> None:
    """End a process that was started here."""
    if process.returncode is None:
        process.kill()
    await process.wait()
