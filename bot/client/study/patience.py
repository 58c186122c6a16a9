"""Tells a person who waits for an answer of their own that others are before them, once, in the place of the answer."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeVar

from bot.client.interactions.context import Interaction
from bot.client.runtime.fair_queue import Wait
from bot.client.study.public_posts import forgotten
from bot.client.text import clock_text
from bot.client.views import edits, views

Result = TypeVar("Result")

PATIENT = 10.0
"""Seconds after which people read that others are before them."""


async def patiently(
    interaction: Interaction, work: Awaitable[Result], wait: Callable[[], Wait | None], then: str
) -> Result:
    """What comes of some work, for an ephemeral answer that is deferred; the answer itself replaces the sentence."""
    finding = asyncio.ensure_future(work)
    try:
        await asyncio.wait([finding], timeout=PATIENT)
        if not finding.done() and (found := wait()):
            with forgotten():
                await edits.answer(interaction, views.notice(f"⏳ {clock_text.waits(*found, then)}"))
        return await finding
    finally:
        finding.cancel()
