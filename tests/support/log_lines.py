"""Reads the bot's log as a host would."""

from __future__ import annotations

import io
import logging
import sys
from collections.abc import Generator
from contextlib import contextmanager

from bot.host.logs import start_logging
from bot.settings import Settings

NAMED = ("", "bot", "cogs", "data", "rendering", "graphpaper", "alembic")


@contextmanager
def logging_to(level: str = "DEBUG", token: str = "the.token") -> Generator[io.StringIO]:
    """Log as a host has set it, into a text; other listeners to the log go on listening."""
    root, written, stderr = logging.getLogger(), io.StringIO(), sys.stderr
    levels = {name: logging.getLogger(name).level for name in NAMED}
    kept, root.handlers, sys.stderr = root.handlers, [], written
    try:
        start_logging(Settings.model_validate({"DISCORD_TOKEN": token, "log": level}))
        sys.stderr = stderr
        root.handlers += kept
        yield written
    finally:
        sys.stderr, root.handlers = stderr, kept
        for name, before in levels.items():
            logging.getLogger(name).setLevel(before)
