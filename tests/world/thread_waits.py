"""Matches that wait for a thread: which board still stands in the channel though Discord makes threads again."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from bot.sandbox.errors import Json
from bot.sandbox.rest import RequestLogEntry
from bot.sandbox.world import THREADS, World
from tests.world.findings import Ledger
from tests.world.visible_matches import board

ASKED = re.compile(r"/channels/\d+/(?:messages/\d+/)?threads$")
RATE_LIMITED = 429
WAITING = "select count(*) from matches where state = 'live' and awaits_thread"
NOWHERE = "select id from matches where state in ('live', 'finished', 'aborted') and thread is null and {board}"


class ThreadWaits:
    """Follows what Discord says of making threads, and the boards that are posted. `now` is the loop's time."""

    def __init__(self, world: World, ledger: Ledger, now: Callable[[], float]) -> None:
        self.world = world
        self.ledger = ledger
        self.now = now
        self.until = 0.0
        """When Discord makes threads again everywhere, as far as it has told the bot."""
        self.since: float | None = None
        """From when on no request is under way that was refused a thread; None where nobody knows."""
        self.found: list[str] = []

    def answered(self, entry: RequestLogEntry) -> None:
        """Discord has answered a request."""
        if entry.status == RATE_LIMITED and entry.method == "POST" and ASKED.search(entry.path):
            self.until = max(self.until, self.now() + entry.answer["retry_after"])

    def heard(self, event: str, message: Json) -> None:
        """A message was posted: no board stands in a channel any more whose match only waits for its thread."""
        shown = board(message) if event == "MESSAGE_CREATE" and not message.get("ephemeral_for") else None
        if shown is None or self.since is None or self.now() < max(self.since, self.until):
            return
        place: Any = self.world.channels.get(message["channel_id"])
        if place and place["type"] not in THREADS and self.waiting(shown.match):
            self.found.append(f"match {shown.match} goes on in its channel, and there are threads again")

    def waiting(self, match: int | None = None) -> bool:
        """Whether a match waits for its thread, or any does."""
        return bool(self.ledger.ask(WAITING + (f" and id = {match}" if match else ""))[0][0])

    def nowhere(self) -> list[str]:
        """Matches that have begun and have no place, when all is shown."""
        asked = NOWHERE.format(board="shown_version = version")
        return [f"match {match} has no place" for (match,) in self.ledger.ask(asked)]
