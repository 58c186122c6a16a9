"""What befalls leagues in a story: their weeks end, mostly while the bot may not write in their channel."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from tests.simulation.misfortunes.places import for_a_while
from tests.world.league_findings import WEEKS_END
from tests.world.league_life import PLACES

if TYPE_CHECKING:
    from tests.simulation.story import Story

TAKEN = (("send_messages", "send_messages_in_threads"), ("view_channel",), ("attach_files",))
"""Permissions without which a league is not shown, and which are taken away together."""
CLOSED = 0.7
"""How often channels are closed meanwhile."""
LIVE = "select count(*) from leagues where state = 'live'"
WAITED = 20
"""Seconds in which a league begins, perhaps."""


async def over(story: Story) -> None:
    """The weeks of all leagues that are played end."""
    for _ in range(WAITED):
        if not story.disk.locked() and story.ledger.ask(LIVE)[0][0]:
            break
        await asyncio.sleep(1)
    if story.rng.random() >= CLOSED:
        return _end(story)
    faults, names = story.sandbox.faults, story.rng.choice(TAKEN)

    def close() -> None:
        for place in PLACES:
            faults.deny(place, *names)
        _end(story)

    def open_() -> None:
        for place in PLACES:
            faults.allow(place, *names)

    return await for_a_while(story, close, open_)


def _end(story: Story) -> None:
    if not story.disk.locked():
        story.ledger.change(WEEKS_END.format(now=story.clock()))
