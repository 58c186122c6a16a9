"""Reads the bot's log as a host would."""

from __future__ import annotations

import io
import logging
from collections.abc import Generator
from contextlib import contextmanager, redirect_stderr

from bot.host.logs import start_logging
from bot.settings import Settings

NAMED = ("", "bot", "cogs", "data", "rendering", "graphpaper", "alembic", "discord.client", "discord.shard")
"""The loggers that a bot sets up when it begins its log."""


@contextmanager
def log_as_before() -> Generator[None]:
    """Take away what listens to the log since now: a bot that starts within a test begins its log for good."""
    root, named = logging.getLogger(), [logging.getLogger(name) for name in NAMED]
    kept, before = root.handlers[:], [(logger.level, logger.filters[:]) for logger in named]
    try:
        yield
    finally:
        root.handlers[:] = kept
        for logger, (level, filters) in zip(named, before, strict=True):
            logger.setLevel(level)
            logger.filters[:] = filters


@contextmanager
def logging_to(level: str = "DEBUG", token: str = "the.token", alive: str | None = None) -> Generator[io.StringIO]:
    """Log as a host has set it, into a text; other listeners to the log go on listening."""
    root, written = logging.getLogger(), io.StringIO()
    with log_as_before():
        kept, root.handlers = root.handlers[:], []
        with redirect_stderr(written):
            start_logging(Settings(token=token, log=level, alive=alive))
        root.handlers += kept
        yield written
