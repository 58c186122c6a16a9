"""What befalls the connections to Discord in a story: the gateway, single requests, their order and their limits."""

from __future__ import annotations

import asyncio
import copy
import random
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from tests.world.discord_faults import CALLBACK, MAILBOX, MESSAGE, MESSAGES
from tests.world.visible_matches import CHANNEL

if TYPE_CHECKING:
    from bot.sandbox.stand_in import Sandbox
    from tests.simulation.story import Story


ASKED = (
    ("POST", MESSAGES),
    ("PATCH", MESSAGE),
    ("DELETE", MESSAGE),
    ("GET", MESSAGES),
    ("GET", MESSAGE),
    ("POST", "/channels/{channel_id}/messages/{message_id}/threads"),
    ("PATCH", "/channels/{channel_id}"),
    ("GET", "/guilds/{guild_id}/members/{user_id}"),
)
"""The routes of the bot that Discord limits, often used ones first."""
ANSWER = ("POST", CALLBACK)
PASSING = (4000, 4007, 4008, 4009)
"""Codes with which the gateway closes a connection that may begin again."""
NO_THREADS = (20.0, 60.0, 200.0)
"""Seconds for which Discord makes no thread; 136 to 280 were seen."""
FLAGGED = 20026
ALL_OF_THEM = 10**6
LATENCIES = (0.3, 0.8, 1.5, 0.8, 0.3)
"""Seconds that bytes take at most, one way, while the connection grows worse and recovers."""


class Deliveries:
    """What Discord tells the bot: it may come late, interactions also in another order, events never."""

    def __init__(self, sandbox: Sandbox, rng: random.Random) -> None:
        self.gateway = sandbox.gateway
        self.rng = rng
        self.longest = 0.0
        """Seconds that something is late, at most."""
        self._arrives = 0.0
        sandbox.interactions.send = self.interaction
        listeners = sandbox.world.listeners
        listeners[listeners.index(self.gateway.hear)] = self.event

    def interaction(self, payload: dict[str, Any]) -> None:
        """Deliver an interaction, late."""
        self._at(self._drawn(), self.gateway.send_interaction, payload)

    def event(self, event: str, data: dict[str, Any]) -> None:
        """Something has changed."""
        self._arrives = max(self._arrives, self._drawn())
        self._at(self._arrives, self.gateway.hear, event, data)

    def _drawn(self) -> float:
        return asyncio.get_running_loop().time() + (self.longest and self.rng.random() * self.longest)

    def _at(self, when: float, give: Callable[..., None], *what: Any) -> None:
        loop = asyncio.get_running_loop()
        if when <= loop.time():
            give(*what)
        else:
            loop.call_at(when, give, *copy.deepcopy(what))


# --- the gateway


async def gateway_lost(story: Story) -> None:
    """The connection breaks off, sometimes again before it is mended, and may not be resumed."""
    for _ in range(story.rng.choice((1, 1, 2))):
        await story.sandbox.faults.close_gateway(resumable=story.rng.random() < 0.5)
        await asyncio.sleep(story.rng.uniform(0, 3))


async def gateway_refused(story: Story) -> None:
    """The connection breaks off, and for a while none may begin."""
    story.sandbox.faults.refuse_identify(story.rng.choice(PASSING))
    await story.sandbox.faults.close_gateway(resumable=False)
    await asyncio.sleep(story.rng.uniform(2, 30))
    story.sandbox.faults.refuse_identify(0)


async def twice(story: Story) -> None:
    """Interactions are delivered twice."""
    story.sandbox.faults.deliver_twice(story.rng.randint(1, 10))


async def late_deliveries(story: Story) -> None:
    """Interactions overtake each other, and events come late."""
    story.deliveries.longest = story.rng.choice((0.1, 1.0, 5.0))
    await asyncio.sleep(story.rng.uniform(2, 10))
    story.deliveries.longest = 0.0


# --- requests


JUST_NOW = 15.0
"""Seconds; no request of the bot's is under way for longer."""


async def forgotten_nonces(story: Story) -> None:
    """Discord forgets nonces, as it does after some minutes, but none of just now."""
    story.sandbox.faults.forget_nonces(JUST_NOW)


async def hanging(story: Story) -> None:
    """Requests of one route wait for long before they are carried out."""
    _hang(story, story.rng.choice((*ASKED, ANSWER)))


async def hanging_though_done(story: Story) -> None:
    """Requests of one route are carried out, and answered long after."""
    _hang(story, story.rng.choice((*ASKED, ANSWER)), applied=True)


async def posted_late(story: Story) -> None:
    """Messages are posted after the bot has given up waiting for that."""
    _hang(story, ASKED[0], late=True)


def _hang(story: Story, route: tuple[str, str], applied: bool = False, late: bool = False) -> None:
    seconds, times = story.rng.choice((2.0, 5.0, 15.0, 25.0, 45.0, 60.0)), story.rng.randint(1, 3)
    story.sandbox.faults.delay_requests(*route, seconds * story.rng.uniform(0.5, 1), times, applied=applied, late=late)


async def slow_connection(story: Story) -> None:
    """Everything takes longer and longer for a while."""
    for latency in LATENCIES:
        story.latency = max(latency, story.plan.latency)
        await asyncio.sleep(story.rng.uniform(0.5, 3))
    story.latency = story.plan.latency


async def limited(story: Story) -> None:
    """Discord limits one route."""
    story.sandbox.faults.rate_limit(*story.rng.choice(ASKED), story.rng.uniform(0.5, 20), lasting=True)


async def limited_everywhere(story: Story) -> None:
    """Discord limits all requests of the bot."""
    seconds = story.rng.uniform(0.5, 10)
    for route in ASKED:
        story.sandbox.faults.rate_limit(*route, seconds, lasting=True, everywhere=True)


async def threads_limited(story: Story) -> None:
    """Discord makes no thread for a while in one of the channels where people play, at once or after some more."""
    home = story.rng.choice(story.town.homes)
    channel = story.sandbox.world.channel_named(CHANNEL, home.server)
    after = story.rng.choice((0, 0, 1, 2))
    story.sandbox.faults.limit_threads(story.rng.choice(NO_THREADS), channel, after=after)


async def flagged(story: Story) -> None:
    """Discord takes no direct message of the bot any more, until all is well."""
    faults = story.sandbox.faults
    faults.fail_requests("POST", MAILBOX, 403, ALL_OF_THEM, code=FLAGGED)
    for mailbox in story.sandbox.world.private:
        faults.fail_requests("POST", MESSAGES, 403, ALL_OF_THEM, code=FLAGGED).channel = mailbox
    story.refused_reminders.flagged = True
