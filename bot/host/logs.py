"""Configures logging, and keeps tokens, moves, typed text and repetitions out of the log.

At DEBUG libraries log whole payloads and statements, so only our own loggers may log below INFO. At INFO and above,
URLs contain interaction tokens, which are masked. The messages of unforeseen errors may contain what people typed, so
only those of known kinds of errors are kept.
"""

from __future__ import annotations

import logging
import re
import sys
import traceback
from collections.abc import Iterator

from discord.gateway import ReconnectWebSocket

from bot.games.wording import Plural
from bot.host.exit_status import UNREACHED, error_words
from bot.platform.shards import ClosedBeforeHello
from bot.settings import Settings

OURS = ("bot", "cogs", "data", "rendering", "graphpaper")
"""The loggers that use the host's level."""
ADDRESS = re.compile(r"""/(webhooks|interactions)/([0-9]+)/[^/\s?"'<>)]+""")
"""Where Discord's URLs contain the token of an interaction, which is valid for 15 minutes."""
SECRET_FROM = 8
"""The shortest text that is masked as a secret; a shorter one might occur anywhere."""
REPEATED_AFTER, REMEMBERED = 60.0, 1_000
"""Seconds after which an equal warning is written again, and how many lines are remembered for that."""
AGAIN = Plural("{text} (once more in the last {seconds} s)", "{text} ({number} more times in the last {seconds} s)")
TELLING = ("aiohttp.", "data.", "discord.errors.", "sqlalchemy.exc.", "sqlite3.")
"""The modules of errors whose messages help a host and repeat nothing that people typed. Statements in errors of the
database come without their values (`data.engine.database`, `data.tables.statements`)."""


def log_in_one_line(record: logging.LogRecord) -> bool:
    """A logging filter that writes a lost connection in one line: a traceback would add nothing."""
    fault = record.exc_info and record.exc_info[1]
    fault = ClosedBeforeHello() if isinstance(fault, ReconnectWebSocket) else fault
    if isinstance(fault, UNREACHED):
        record.msg, record.args, record.exc_info = f"{record.getMessage()} ({error_words(fault)})", (), None
    return True


def start_logging(settings: Settings) -> None:
    """Log to standard error, which containers and terminals show."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s", "%Y-%m-%d %H:%M:%S"))
    handler.addFilter(RepeatsFilter())
    handler.addFilter(SecretsFilter(settings.token or "", secret_of(settings.alive or "")))
    logging.getLogger("alembic").setLevel(logging.WARNING)
    # The bot needs no voice libraries.
    logging.getLogger("discord.client").addFilter(lambda record: "voice will NOT" not in record.getMessage())
    for name in ("discord.client", "discord.shard"):
        logging.getLogger(name).addFilter(log_in_one_line)
    # Before the handler is added: a library's thread may be logging already.
    set_own_level(settings.log)
    logging.basicConfig(handlers=[handler], force=True)


def set_own_level(level: str) -> None:
    """Let our own loggers write at this level, and libraries at INFO at most."""
    for name in OURS:
        logging.getLogger(name).setLevel(level)
    logging.getLogger().setLevel(max(logging.getLevelNamesMapping()[level], logging.INFO))


class SecretsFilter(logging.Filter):
    """Masks tokens, the secret of a URL and unknown error messages in each log record; every record passes."""

    def __init__(self, token: str = "", secret: str = "") -> None:
        super().__init__()
        self.token, self.secret = token, secret

    def filter(self, record: logging.LogRecord) -> bool:
        """Format the record now, so that nothing can be added later, and mask it."""
        record.msg, record.args = self.mask_secrets(record_text(record)), ()
        fault = record.exc_info[1] if record.exc_info else None
        if fault:
            record.exc_text = self.mask_secrets("\n".join(format_traceback(fault)))
        if record.stack_info:
            record.stack_info = self.mask_secrets(record.stack_info)
        return True

    def mask_secrets(self, text: str) -> str:
        text = ADDRESS.sub(r"/\1/\2/[token]", text)
        text = text.replace(self.secret, "/[secret]") if self.secret else text
        return text.replace(self.token, "[token]") if self.token else text


class RepeatsFilter(logging.Filter):
    """Drops a warning that was written in the last minute; the next one like it says how many were dropped."""

    def __init__(self) -> None:
        super().__init__()
        self._said: dict[tuple[str, str, str], tuple[float, int]] = {}
        """For each line, when it was last written and how many equal ones were dropped since."""

    def filter(self, record: logging.LogRecord) -> bool:
        if record.levelno < logging.WARNING:
            return True
        fault, text = record.exc_info[1] if record.exc_info else None, record_text(record)
        line, now = (record.name, text, repr(fault)), record.created
        since, left_out = self._said.get(line, (-REPEATED_AFTER, 0))
        if 0 <= now - since < REPEATED_AFTER:
            self._said[line] = since, left_out + 1
            return False
        if len(self._said) >= REMEMBERED:
            self._said.clear()
        self._said[line] = now, 0
        if left_out:
            record.msg, record.args = AGAIN.fill_in(left_out, text=text, seconds=f"{now - since:.0f}"), ()
        return True


def secret_of(address: str) -> str:
    """What follows the host name in a secret URL; empty where that is too short to be a secret."""
    rest = address.partition("://")[2]
    secret = rest[len(re.split(r"[/?#]", rest, maxsplit=1)[0]) :]
    return secret if len(secret) >= SECRET_FROM else ""


def record_text(record: logging.LogRecord) -> str:
    """The message of a record; of asyncio's only the first line, since asyncio appends tasks and errors."""
    try:
        text = record.getMessage()
    except (TypeError, ValueError):
        # The arguments do not fit the format; logging would print them in its complaint.
        text = str(record.msg)
    return text.partition("\n")[0] if record.name == "asyncio" else text


def format_traceback(fault: BaseException) -> Iterator[str]:
    """The lines of a traceback, the first error first, each with its message only where that is safe."""
    chain = [fault]
    while (before := _cause_of(chain[-1])) and before not in chain:
        chain.append(before)
    for one in reversed(chain):
        yield f"{''.join(traceback.format_tb(one.__traceback__))}{describe_error(one)}"


def _cause_of(fault: BaseException) -> BaseException | None:
    return fault.__cause__ or (None if fault.__suppress_context__ else fault.__context__)


def describe_error(fault: BaseException) -> str:
    """The name of an error, with its message where that cannot contain what people typed."""
    kind = type(fault)
    telling = isinstance(fault, OSError) or f"{kind.__module__}.".startswith(TELLING)
    sentence = "\n".join([str(fault), *getattr(fault, "__notes__", [])]) if telling else "(its sentence is not logged)"
    return f"{kind.__module__}.{kind.__qualname__}: {sentence}"
