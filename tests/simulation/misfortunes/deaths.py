"""What befalls processes in a story: they die at any step, also while they start, stop as a host stops them, or all are
away for days. One thing happens to processes at a time."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from contextlib import suppress
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tests.simulation.life import Life
    from tests.simulation.story import Story

STEPS = 300
"""A death comes at most this many callbacks of the loop later."""
REBIRTH = (0.0, 0.5, 5.0)
"""Seconds after which a bot that died is begun again."""
LED_ANEW = (0.0, 5.0, 70.0)
"""Seconds after which the leader is begun again; after the last of them another leads."""
STOPPED_WITHIN = 8.0
"""Seconds for a host's stop: the bot promises four, and a slow disk or connection takes more."""


async def death(story: Story) -> None:
    """A process dies at any step, and is begun again."""
    async with story.changing:
        await _die(story, story.rng.randrange(len(story.lives)))


async def death_at_start(story: Story) -> None:
    """A process dies, and again while it starts."""
    async with story.changing:
        await _die(story, story.rng.randrange(len(story.lives)), again=story.rng.randint(1, 3))


async def death_of_the_leader(story: Story) -> None:
    """The process that leads dies, where there is one, and now and then it stays away until another leads."""
    async with story.changing:
        leader = story.leader()
        which = story.rng.randrange(len(story.lives)) if leader is None else leader
        await _die(story, which, pauses=LED_ANEW)


async def _die(story: Story, which: int, again: int = 0, pauses: tuple[float, ...] = REBIRTH) -> None:
    life = story.lives[which]
    story.loop.at_step(story.loop.steps + story.rng.choice((1, story.rng.randint(1, STEPS))), life.kill)
    while not life.dead:  # noqa: ASYNC110  a kill tells nobody
        await asyncio.sleep(0.01)
    await buried(story, which)
    await asyncio.sleep(story.rng.choice(pauses))
    story.lives[which] = await story.begun(which, again)


async def buried(story: Story, which: int) -> None:
    story.log.note(f"process {which} is dead")
    story.report.kills += 1
    await _gone(story, which, story.lives[which])


async def _gone(story: Story, which: int, life: Life) -> None:
    """Wait until nothing of a process is left; people's acts that it was at get no answer."""
    homes = story.town.of(story.plan.shares[which])
    for home in homes:
        home.died.set()
    await life.end()
    for home in homes:
        home.died.clear()


def is_any_dead(story: Story) -> bool:
    """Whether a process is dead that was not begun again."""
    return any(life.dead for life in story.lives)


async def reborn(story: Story) -> None:
    """Bury those who died, and begin them again."""
    for which, life in enumerate(story.lives):
        if life.dead:
            await buried(story, which)
            story.lives[which] = await story.begun(which)


async def cut_short(story: Story, act: Coroutine[Any, Any, object]) -> None:
    """Await a user's act, and give up if the process that should answer dies meanwhile."""
    doing = asyncio.ensure_future(act)
    while not doing.done() and not is_any_dead(story):
        await asyncio.wait({doing}, timeout=0.1)
    doing.cancel()
    with suppress(asyncio.CancelledError):
        await doing


async def stop(story: Story) -> None:
    """A host stops a process, and begins it again."""
    async with story.changing:
        which = story.rng.randrange(len(story.lives))
        await restarted(story, which, story.rng.choice(REBIRTH))


async def restarted(story: Story, which: int, pause: float = 0.0) -> None:
    """Stop a process as a host does, and begin it again."""
    began, life = story.loop.time(), story.lives[which]
    await _gone(story, which, life)
    took = story.loop.time() - began
    story.log.note(f"process {which} has stopped")
    story.note("outlived", life.outlived)
    if took > STOPPED_WITHIN:
        story.note("slow_stop", [f"process {which} took {took:.1f} s to stop"])
    await asyncio.sleep(pause)
    story.lives[which] = await story.begun(which)


async def absence(story: Story) -> None:
    """All processes are dead for a night or for days, which are given back."""
    async with story.changing:
        for life in story.lives:
            life.kill()
        for which in range(len(story.lives)):
            await buried(story, which)
        story.days.pass_dead()
        for which in range(len(story.lives)):
            story.lives[which] = await story.begun(which)
