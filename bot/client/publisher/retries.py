"""Retries the rows of an outbox: edits of old messages and reminders that Discord has not taken yet.

Each outbox is a table. Its worker takes the rows that are due, sends each within `SEND_WITHIN` seconds, and then drops
the row or writes down when to retry. The backoff and the log lines are the same for all of them.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass
from math import ceil

import aiohttp
import discord

from bot.client.runtime.job_queue import Backoff, retry_after
from bot.core.values.ids import MatchId
from data.engine.database_errors import Unavailable

SEND_WITHIN = 20.0
"""Seconds for one row; a rate limit may take a while."""

UNEXPECTED = "an unexpected error"

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Retries:
    """How often rows of an outbox are tried, and when; `what` names one of them in the log."""

    what: str
    backoff: Backoff
    most: int

    def after(self, match: MatchId, failures: int, fault: Exception) -> int | None:
        """Seconds until a retry after so many failures, this one included; None where the row is given up."""
        last = failures >= self.most
        pause = max(ceil(self.backoff.pause(failures)), ceil(retry_after(fault)))
        what = "is given up" if last else f"is tried again in {pause} s"
        why = failure_reason(fault)
        # A failure that is expected is no concern of the host until nobody tries any more.
        level = logging.INFO if why and not last else logging.WARNING
        text = "%s of match %d %s: %s."
        log.log(level, text, self.what, match, what, why or UNEXPECTED, exc_info=None if why else fault)
        return None if last else pause


def failure_reason(fault: Exception) -> str | None:
    """Why Discord was not reached or did not take something, in a few words; None for an unexpected error."""
    match fault:
        case discord.RateLimited():
            return "Discord asked for patience"
        case discord.HTTPException():
            return f"Discord answered {fault.status}, code {fault.code}"
        case TimeoutError():
            return "Discord did not answer in time"
        case aiohttp.ClientError() | OSError():
            return f"Discord could not be reached ({type(fault).__name__})"
        case Unavailable():
            return "the database cannot be used"
        case _:
            return None
