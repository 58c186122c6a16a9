"""The command `doctor`: whether the real Discord does what the bot builds on. It posts, and deletes what it posted."""

from __future__ import annotations

import asyncio
import logging
import signal
import sys
from argparse import Namespace

from bot.host.commands.host_work import INTERRUPTED
from bot.host.doctor.examination import Wanted, examine
from bot.host.doctor.findings import Stop
from bot.host.exit_status import UNFIT, complain, ending
from bot.host.this_machine import lots, wall
from bot.settings import Settings

NO_TOKEN = "There is no DISCORD_TOKEN. Set it to the bot's token from Discord's developer portal."
NO_SANDBOX = "The doctor tries the real Discord, so there is nothing for it in the sandbox: leave out --sandbox."
NO_CHANNEL = "Name a text channel with --channel ID: nobody can be asked here, since this is no terminal."
NO_NUMBER = "After --channel comes the channel's ID, a whole number (in Discord: Copy Channel ID)."
BROKEN_OFF = "Interrupted. All that was posted is deleted, but for what is named above."
MOST_DIGITS = 20


def doctor(given: Namespace) -> int:
    """Print a line for each thing that the bot builds on; 0 where all holds or the bot copes, 1 where it does not or
    Discord is away, 2 where a person has to put something right."""
    if given.sandbox:
        return complain(NO_SANDBOX, UNFIT)
    logging.getLogger("discord").setLevel(logging.CRITICAL)  # what goes wrong is told by the lines
    try:
        settings = Settings.read()
        if settings.token is None:
            return complain(NO_TOKEN, UNFIT)
        number: str | None = given.channel
        if number is not None and not (number.isascii() and number.isdecimal() and len(number) <= MOST_DIGITS):
            return complain(NO_NUMBER, UNFIT)
        if number is None and not sys.stdin.isatty():
            return complain(NO_CHANNEL, UNFIT)
        return asyncio.run(_examined(settings, Wanted(int(number) if number else None, given.press)))
    except Stop as fault:
        return complain(str(fault), fault.status)
    except (KeyboardInterrupt, asyncio.CancelledError):
        return complain(BROKEN_OFF, INTERRUPTED)
    except Exception as fault:
        if not (end := ending(fault)):
            raise
        return complain(*end)


async def _examined(settings: Settings, wanted: Wanted) -> int:
    running = asyncio.current_task()
    assert running
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, running.cancel)  # as Ctrl+C: clean up, then end
    return await examine(settings, wanted, say, typed, wall, f"{lots.getrandbits(32):08x}")


def say(line: str) -> None:
    """Tell the host, at once."""
    print(line, flush=True)


async def typed() -> str:
    """The next line that the host types at the terminal."""
    loop = asyncio.get_running_loop()
    line: asyncio.Future[str] = loop.create_future()

    def read() -> None:
        if not line.done():
            line.set_result(sys.stdin.readline())

    loop.add_reader(sys.stdin, read)
    try:
        return await line
    finally:
        loop.remove_reader(sys.stdin)
