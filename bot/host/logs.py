"""Begins to log, and keeps out of every line what it is not to hold: tokens, moves, and what people have typed.

Libraries write at DEBUG what passes through them, payloads and statements with all that is in them: so what is not ours
never says more than INFO. In what is left, the token of an interaction stands in addresses, and what was typed in the
sentences of errors that nobody foresaw: the first are cut out, of the second only those are kept that cannot hold it.
"""

from __future__ import annotations

import logging
import re
import sys
import traceback
from collections.abc import Iterator

from bot.host.exit_status import UNREACHED, words
from bot.settings import Settings

OURS = ("bot", "cogs", "data", "rendering", "graphpaper")
"""The loggers that write at the level which a host has set."""
ADDRESS = re.compile(r"""/(webhooks|interactions)/([0-9]+)/[^/\s?"'<>)]+""")
"""Where Discord's addresses hold the token of an interaction, which is good for a quarter of an hour."""
TELLING = ("aiohttp.", "data.", "discord.errors.", "sqlalchemy.exc.", "sqlite3.")
"""Where those errors are from whose sentences say what a host needs, and repeat nothing that somebody has typed; the
statements of the database's errors come without their values (`data.engine.database`)."""


def in_a_line(record: logging.LogRecord) -> bool:
    """Have a lost connection told in a line: it is no fault of the program, whose traceback says nothing more."""
    fault = record.exc_info and record.exc_info[1]
    if isinstance(fault, UNREACHED):
        record.msg, record.args, record.exc_info = f"{record.getMessage()} ({words(fault)})", (), None
    return True


def start_logging(settings: Settings) -> None:
    """Log to standard error, which is what containers and terminals show."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s", "%Y-%m-%d %H:%M:%S"))
    handler.addFilter(Discretion(settings.token.get_secret_value() if settings.token else ""))
    logging.getLogger("alembic").setLevel(logging.WARNING)
    # Voice libraries are none of our business, and their absence is no news.
    logging.getLogger("discord.client").addFilter(lambda record: "voice will NOT" not in record.getMessage())
    for name in ("discord.client", "discord.shard"):
        logging.getLogger(name).addFilter(in_a_line)
    # Before there is a handler: a library's thread may have something to say at this very moment.
    keep_to_ourselves(settings.log)
    logging.basicConfig(handlers=[handler], force=True)


def keep_to_ourselves(level: str) -> None:
    """Let what is ours say as much as a host wishes, and libraries no more than INFO."""
    for name in OURS:
        logging.getLogger(name).setLevel(level)
    logging.getLogger().setLevel(max(logging.getLevelNamesMapping()[level], logging.INFO))


class Discretion(logging.Filter):
    """Takes out of a log line what it is not to hold; every line passes."""

    def __init__(self, token: str = "") -> None:
        super().__init__()
        self.token = token

    def filter(self, record: logging.LogRecord) -> bool:
        """Write the line out, so that nothing of it is added later, and mask it."""
        record.msg, record.args = self.masked(said(record)), ()
        fault = record.exc_info[1] if record.exc_info else None
        if fault:
            record.exc_text = self.masked("\n".join(traced(fault)))
        if record.stack_info:
            record.stack_info = self.masked(record.stack_info)
        return True

    def masked(self, text: str) -> str:
        """A text without tokens."""
        text = ADDRESS.sub(r"/\1/\2/[token]", text)
        return text.replace(self.token, "[token]") if self.token else text


def said(record: logging.LogRecord) -> str:
    """What a log line says. asyncio adds the tasks and errors that it is about, with all they say."""
    try:
        text = record.getMessage()
    except (TypeError, ValueError):
        # The line does not fit its values; to complain of that, logging would print them.
        text = str(record.msg)
    return text.partition("\n")[0] if record.name == "asyncio" else text


def traced(fault: BaseException) -> Iterator[str]:
    """The lines of a traceback, the first error first, without the sentences of those that may repeat a text."""
    chain = [fault]
    while (before := _before(chain[-1])) and before not in chain:
        chain.append(before)
    for one in reversed(chain):
        yield f"{''.join(traceback.format_tb(one.__traceback__))}{named(one)}"


def _before(fault: BaseException) -> BaseException | None:
    return fault.__cause__ or (None if fault.__suppress_context__ else fault.__context__)


def named(fault: BaseException) -> str:
    """An error by its name, with its sentence where that can hold nothing typed."""
    kind = type(fault)
    telling = isinstance(fault, OSError) or f"{kind.__module__}.".startswith(TELLING)
    return f"{kind.__module__}.{kind.__qualname__}: {fault if telling else '(its sentence is not logged)'}"
