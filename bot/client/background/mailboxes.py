"""Remembers what Discord's refusals say of direct messages: that all wait, that none can be sent, or none to somebody.

Nothing of it is kept: after a restart the first refusal says it anew.
"""

from __future__ import annotations

import logging

import discord

from bot.client.runtime.error_codes import Code, Route, Then, entry, follows, is_code
from bot.client.runtime.loop_time import loop_time
from bot.core.values.ids import UserId

APART = 0.5
"""Seconds between two direct messages; Discord takes many at once for a flood."""
FLAGGED = (
    "Discord has flagged this bot and takes no direct messages of it (error %d): reminders go to the threads of their"
    " matches for a day. To have it lifted, write to Discord: https://dis.gd/appeal."
)

log = logging.getLogger(__name__)


class Mailboxes:
    """Whether direct messages can be sent, and when the next one."""

    def __init__(self) -> None:
        self._next = 0.0
        self._waits_until = 0.0
        self._shut_until = 0.0
        self._refused: dict[UserId, float] = {}
        """Until when people are written to in threads."""

    def turn(self) -> float:
        """Seconds until another direct message may be sent; it takes that turn."""
        at = max(loop_time(), self._next)
        self._next = at + APART
        return at - loop_time()

    def wait(self) -> float:
        """Seconds for which no direct message is to be tried, since Discord has asked for that."""
        return max(0.0, self._waits_until - loop_time())

    def takes(self, user: UserId) -> bool:
        """Whether a direct message to somebody may be tried, now or after the wait."""
        now = loop_time()
        if self._refused.get(user, now) <= now:
            self._refused.pop(user, None)
        return self._shut_until <= now and user not in self._refused

    def refused(self, user: UserId, fault: discord.HTTPException) -> None:
        """Note that Discord has refused a direct message to somebody."""
        until = loop_time() + entry(fault).pause
        if follows(fault, Route.DIRECT) is Then.LATER:
            if fault.code:
                log.info("Direct messages wait %d s: %s", entry(fault).pause, fault.text)
            self._waits_until = max(self._waits_until, until)
        elif is_code(fault, Code.QUARANTINED):
            if self._shut_until <= loop_time():
                log.warning(FLAGGED, fault.code)
            self._shut_until = until
        else:
            self._refused[user] = until
