"""Runs the sandbox and the bot on it, as `python -m bot` does without a token.

The stand-in for Discord runs in this process, the bot in a child process. When the bot is killed, from the chat page or
from outside, it is restarted and continues where it was, since it holds neither matches nor messages in memory.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sys
from pathlib import Path

from bot.host.exit_status import UNFIT
from bot.host.machine import process_name
from bot.platform.processes import describe_holder
from bot.sandbox.stand_in import Sandbox
from bot.sandbox.world import UnreadableWorld
from bot.settings import Settings
from data.engine.address import address_of_file
from data.engine.errors import Unusable
from data.upkeep.sole_writer import Occupied, be_sole_writer

RESTART_AFTER = 1.0
"""Seconds between the end of the bot and its restart."""
MARGIN = 0.5
"""Seconds for which the sandbox waits for an answer longer than the bot tries, as Discord does."""
PATIENCE = 5.0
"""Seconds for the bot to stop before it is killed."""
IN_USE = (
    "The sandbox in {folder} is used by {holder}. Stop that first, or set GRAPHPAPER_SANDBOX_FOLDER to another folder."
)


def say(text: str) -> None:
    """Print without buffering."""
    print(text, flush=True)


class Supervisor:
    """Runs the bot in a child process, and restarts it when it ends unasked."""

    def __init__(self, sandbox: Sandbox, settings: Settings) -> None:
        self.sandbox = sandbox
        self.settings = settings
        self.process: asyncio.subprocess.Process | None = None
        self.wanted = asyncio.Event()
        self.wanted.set()

    def bot_environment(self) -> dict[str, str]:
        """The environment of the bot: the sandbox's token and addresses, and a separate database."""
        return {
            **os.environ,
            "DISCORD_TOKEN": self.sandbox.token,
            "GRAPHPAPER_API": self.sandbox.api_url,
            "GRAPHPAPER_GATEWAY": self.sandbox.gateway_url,
            "GRAPHPAPER_DATABASE": self.settings.sandbox_database,
            "GRAPHPAPER_CONTAINER": "0",
            "GRAPHPAPER_BACKUPS": "off",  # or its copies would replace the real bot's
            "GRAPHPAPER_ALIVE": "off",  # or it would report that the real bot is alive
        }

    async def run(self) -> None:
        """Keep the bot running while it is wanted, for ever."""
        while True:
            await self.wanted.wait()
            self.process = await asyncio.create_subprocess_exec(
                sys.executable, "-m", "bot", "run", env=self.bot_environment(), start_new_session=True
            )
            say(f"The bot runs as process {self.process.pid}. If you kill it, it is restarted and goes on.")
            status = await self.process.wait()
            say(f"The bot ended ({describe_ending(status)}).")
            if status == UNFIT:
                self.wanted.clear()
                say("It won't restart by itself. Fix that, then press Start on the page.")
            await asyncio.sleep(RESTART_AFTER)

    async def obey(self, order: str) -> None:
        """Execute an order of the chat page: start, stop or restart the bot."""
        if order == "stop":
            self.wanted.clear()
        else:
            self.wanted.set()
        if order in ("stop", "restart"):
            await self.stop()

    async def stop(self) -> None:
        """Terminate the bot, and kill it if it does not stop in time."""
        process = self.process
        if process is None or process.returncode is not None:
            return
        with contextlib.suppress(ProcessLookupError):
            process.terminate()
            try:
                await asyncio.wait_for(process.wait(), PATIENCE)
            except TimeoutError:
                process.kill()
                await process.wait()


def describe_ending(status: int) -> str:
    """An exit status in words."""
    return f"signal {signal.Signals(-status).name}" if status < 0 else f"exit status {status}"


async def serve_sandbox(settings: Settings) -> None:
    """Serve the sandbox until the process is told to stop; raises `Unusable` where another one serves its folder.

    Each keeps its whole state in memory and in one file, so two would overwrite each other's.
    """
    folder = settings.sandbox_folder / "discord"
    try:
        async with be_sole_writer(address_of_file(folder / "world.json"), describe_holder(process_name()), begin=True):
            await serve_from(folder, settings)
    except Occupied as fault:
        raise Unusable(IN_USE.format(folder=settings.sandbox_folder, holder=fault.holder)) from fault


async def serve_from(folder: Path, settings: Settings) -> None:
    """Serve the sandbox from a folder that is locked."""
    try:
        sandbox = Sandbox(folder, settings.port, answer_seconds=settings.answer_within + MARGIN, limits=True)
    except UnreadableWorld as fault:
        raise Unusable(str(fault)) from fault
    await sandbox.start()
    supervisor = Supervisor(sandbox, settings)
    sandbox.supervisor = supervisor.obey
    say(f"Graph Paper's sandbox, a stand-in for Discord: {sandbox.page_url}")
    say("Open it in two browser tabs, as two people, and type /play in one of them. Ctrl+C ends it.")
    running = asyncio.create_task(supervisor.run())
    for name in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(name, running.cancel)
    try:
        await running
    except asyncio.CancelledError:
        say("Everything is saved. The same command continues here.")
    finally:
        await supervisor.stop()
        await sandbox.stop()
