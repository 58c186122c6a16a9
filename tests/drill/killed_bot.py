"""The process that is killed: the bot, served as `python -m bot run` serves it, with a halt at one checkpoint.

Loading Python's modules takes longer than everything else about a start, so this process loads them once and forks a
bot for every order it reads: a line with the name of a checkpoint and how often it is to be passed before the halt, or
an empty line for a bot that never halts. At the halt the bot says so and stops itself, all its threads included, so
that the kill hits exactly there. Each line that it writes is one of: started PID, reached CHECKPOINT, ended STATUS.
"""

from __future__ import annotations

import asyncio
import importlib
import logging
import os
import signal
import sys

from bot.features.computer import loop as computer_loop
from bot.games.catalogue import list_cog_modules, load_games
from bot.host.logs import start_logging
from bot.host.serving import serve
from bot.settings import Settings
from rendering.painter import paint

PAUSE = 0.05
"""Seconds that the computer takes at least: lives are short here."""


def say(line: str) -> None:
    """Tell the drill; a short line is written whole, even if others write too."""
    os.write(sys.stdout.fileno(), f"{line}\n".encode())


class Halt(logging.Handler):
    """Stops this process when a checkpoint has been reached for the `times`-th time."""

    def __init__(self, checkpoint: str, times: int) -> None:
        super().__init__()
        self.checkpoint = checkpoint
        self.times = times

    def emit(self, record: logging.LogRecord) -> None:
        """Count a step."""
        if str(record.msg).partition(" ")[0] == self.checkpoint:
            self.times -= 1
            if self.times == 0:
                say(f"reached {self.checkpoint}")
                os.kill(os.getpid(), signal.SIGSTOP)


def live(order: str) -> None:
    """Be the bot until killed."""
    computer_loop.PAUSE = PAUSE
    settings = Settings.read()
    start_logging(settings)
    steps = logging.getLogger("graphpaper.steps")
    steps.propagate = False
    if order:
        checkpoint, times = order.split()
        steps.setLevel(logging.DEBUG)
        steps.addHandler(Halt(checkpoint, int(times)))
    asyncio.run(serve(settings))


def load() -> None:
    """Import what a bot imports later than at its start; nothing that opens a file or starts a thread."""
    for module in ("openskill.models", "sympy.ntheory", *list_cog_modules()):
        importlib.import_module(module)
    load_games()
    paint.warm_up()


def main() -> None:
    """Fork a bot for every order, and report how it ends."""
    load()
    for line in sys.stdin:
        child = os.fork()
        if child == 0:
            try:
                live(line.strip())
            finally:
                os._exit(0)
        say(f"started {child}")
        _, status = os.waitpid(child, 0)
        say(f"ended {os.waitstatus_to_exitcode(status)}")


if __name__ == "__main__":
    main()
