"""Takes docs/dashboard.png: the dashboard with the figures of a bot that people have played with for some minutes.

    python -m tests.dashboard [--seconds 240] [--hands 2] [FILE]

Needed are `prometheus` and a Chromium. Prometheus is a real one, and what it is asked stands in docs/grafana.json; the
panels are drawn by a page of our own (panels.js), since Grafana's server is in no package that this project uses. In
the middle of the time Discord misbehaves.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import re
import shutil
import socket
import sys
import tempfile
import time
from asyncio.subprocess import DEVNULL, PIPE
from collections.abc import AsyncGenerator, Coroutine
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import aiohttp
from PIL import Image
from playwright.async_api import async_playwright

from bot.sandbox import Reply, Sandbox
from tests.browser.page import chromium
from tests.dashboard.asked import Prometheus
from tests.drill import weather
from tests.drill.doing import House
from tests.drill.people import NAMES, Hand

HERE, DOCS = Path(__file__).parent, Path(__file__).parent.parent.parent / "docs"
TOLD = re.compile(r"What is measured is told at http://(\S+)/metrics")
EVERY = 2
"""Seconds between two questions of Prometheus's to the bot."""
WIDTH, HEIGHT, COLOURS = 1600, 900, 128
THOUGHT = (0.05, 0.8)
"""Seconds that people think before they act, at least and at most."""
PARTS = (0.45, 0.15, 0.2, 0.2)
"""The parts of the time: until Discord misbehaves, is well again, cuts the connection, and the rest."""
TABLES = 12


class Player(Hand):
    """Somebody who thinks for a moment before each act, none of which is delivered twice."""

    async def attempt(self, act: Coroutine[Any, Any, Reply], again: bool = False) -> Reply | None:
        """Do something."""
        return await super().attempt(act)

    async def act(self) -> bool:
        """Do one thing, after a moment."""
        await asyncio.sleep(self.lots.uniform(*THOUGHT))
        return await super().act()


@asynccontextmanager
async def process(*command: str, **about: Any) -> AsyncGenerator[asyncio.subprocess.Process]:
    """A process that is ended with this."""
    made = await asyncio.create_subprocess_exec(*command, stdout=DEVNULL, start_new_session=True, **about)
    try:
        yield made
    finally:
        if made.returncode is None:
            made.terminate()
        await made.wait()


async def address_of(bot: asyncio.subprocess.Process) -> str:
    """Where the bot says that it tells what is measured; what it says further is read and dropped."""
    assert bot.stderr
    async for line in bot.stderr:
        if found := TOLD.search(line.decode()):
            return found[1]
    sys.exit("The bot ended before it could be asked.")


async def listened(bot: asyncio.subprocess.Process) -> None:
    """Read what the bot says, so that it can go on."""
    assert bot.stderr
    while await bot.stderr.read(4096):
        pass


def free_port() -> int:
    """A port that nobody listens at."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]


@asynccontextmanager
async def prometheus(folder: Path, target: str) -> AsyncGenerator[str]:
    """A Prometheus that asks the bot, and its address."""
    config = folder / "prometheus.yml"
    jobs = f"scrape_configs: [{{job_name: graphpaper, static_configs: [{{targets: ['{target}']}}]}}]"
    config.write_text(f"global: {{scrape_interval: {EVERY}s}}\n{jobs}\n")
    place = f"127.0.0.1:{free_port()}"
    store = f"--storage.tsdb.path={folder / 'prometheus'}"
    command = ("prometheus", f"--config.file={config}", store, f"--web.listen-address={place}")
    async with process(*command, stderr=DEVNULL):
        yield f"http://{place}"


async def played(sandbox: Sandbox, hands: int, seconds: float) -> None:
    """People play for a while, in good weather and in bad."""
    house = House(sandbox, random.Random(1), TABLES)
    sandbox.world.listeners.append(house.seen.heard)
    ann = sandbox.person("Ann")
    await ann.command("settings challenges", open=1000, from_one=1000, from_everybody=1000)
    people = [asyncio.create_task(Player(house, name).play()) for name in NAMES for _ in range(hands)]
    for number, part in enumerate(PARTS):
        await asyncio.sleep(part * seconds)
        if number == 0:
            weather.break_out(sandbox)
        elif number == 1:
            sandbox.faults.clear()
        elif number == 2:
            await sandbox.faults.close_gateway()
    house.closing = True
    ended = await asyncio.gather(*people, return_exceptions=True)
    for fault in ended:
        if isinstance(fault, BaseException):
            print(f"Somebody stopped playing: {fault!r}", file=sys.stderr)


async def drawn(data: dict[str, Any], file: Path) -> None:
    """Draw the dashboard, and take a picture of it."""
    executable = chromium()
    if executable is None:
        sys.exit("There is no Chromium: install one, or name it in the variable CHROMIUM.")
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=executable, args=["--no-sandbox"])
        page = await browser.new_page(viewport={"width": WIDTH, "height": HEIGHT})
        await page.set_content((HERE / "panels.html").read_text())
        await page.add_script_tag(content=(HERE / "panels.js").read_text())
        await page.evaluate("draw", data)
        await page.screenshot(path=file, full_page=True)
        await browser.close()
    with Image.open(file) as taken:
        taken.quantize(COLOURS).save(file, optimize=True)


async def main(given: argparse.Namespace) -> None:
    """Play, ask, draw."""
    if shutil.which("prometheus") is None:
        sys.exit("There is no prometheus: install it (Debian: apt-get install prometheus).")
    with tempfile.TemporaryDirectory() as name:
        folder, dashboard = Path(name), json.loads((DOCS / "grafana.json").read_text())
        async with Sandbox() as sandbox:
            environment = {
                **os.environ,
                "DISCORD_TOKEN": sandbox.token,
                "GRAPHPAPER_API": sandbox.api_url,
                "GRAPHPAPER_GATEWAY": sandbox.gateway_url,
                "GRAPHPAPER_DATABASE": f"sqlite:///{folder / 'graphpaper.db'}",
                "GRAPHPAPER_METRICS": "0",
            }
            async with process(sys.executable, "-m", "bot", "run", env=environment, stderr=PIPE) as bot:
                target = await address_of(bot)
                listening = asyncio.create_task(listened(bot))
                await sandbox.wait_for(lambda world: world.commands and sandbox.gateway.online, 60)
                async with prometheus(folder, target) as address, aiohttp.ClientSession() as session:
                    begin = time.time() + EVERY
                    await played(sandbox, given.hands, given.seconds)
                    end = time.time()
                    asked = Prometheus(address, session)
                    found = {panel["id"]: await asked.shown(panel, begin, end) for panel in dashboard["panels"]}
                listening.cancel()
    subtitle = f"{given.seconds:.0f} seconds of people playing on the sandbox, asked by Prometheus every {EVERY} s"
    data = {"dashboard": dashboard, "found": found, "begin": begin, "end": end, "subtitle": subtitle}
    (DOCS.parent / "var").mkdir(exist_ok=True)
    (DOCS.parent / "var" / "dashboard.json").write_text(json.dumps(data))
    await drawn(data, given.file)
    print(f"{given.file}: {sum(map(bool, found.values()))} panels with figures.")


if __name__ == "__main__":
    arguments = argparse.ArgumentParser("tests.dashboard", description="Take a picture of the dashboard.")
    arguments.add_argument("--seconds", type=float, default=240, help="how long people play (240)")
    arguments.add_argument("--hands", type=int, default=2, help="how many hands each of the four has (2)")
    arguments.add_argument("file", nargs="?", type=Path, default=DOCS / "dashboard.png", metavar="FILE")
    asyncio.run(main(arguments.parse_args()))
