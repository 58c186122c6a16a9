"""What can befall the bot in a story besides Discord's faults, each by its name: a seed chooses which there are."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.simulation.story import Story

STEPS = 300
"""A death comes so many callbacks of the loop later, at most."""
REBIRTH = (0.0, 0.5, 5.0)
"""Seconds after which a bot that died is begun again."""


async def death(story: Story) -> None:
    """A process dies at any step, and is begun again."""
    await die(story, story.lots.randrange(len(story.lives)))


async def die(story: Story, which: int) -> None:
    """Let one of the processes die before a callback that the seed chooses, and begin it again."""
    life = story.lives[which]
    story.loop.at_step(story.loop.steps + story.lots.choice((1, story.lots.randint(1, STEPS))), life.kill)
    while not life.dead:  # noqa: ASYNC110  a kill tells nobody
        await asyncio.sleep(0.01)
    story.log.note(f"process {which} is dead")
    story.report.kills += 1
    story.house.died.set()
    await life.end()
    story.house.died.clear()
    await asyncio.sleep(story.lots.choice(REBIRTH))
    story.lives[which] = await story.begun(story.plan.shares[which])


async def absence(story: Story) -> None:
    """All processes are dead for a night or for days, which are given back."""
    for life in story.lives:
        life.kill()
    story.house.died.set()
    for life in story.lives:
        await life.end()
    story.days.pass_dead()
    story.house.died.clear()
    story.lives[:] = [await story.begun(share) for share in story.plan.shares]


MISFORTUNES: Mapping[str, Callable[[Story], Awaitable[None]]] = {
    "death": death,
    "absence": absence,
}
