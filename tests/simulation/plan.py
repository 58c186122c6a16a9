"""What a seed decides before a story begins: how many processes there are, what befalls them, who plays how much."""

from __future__ import annotations

import random
from dataclasses import dataclass, replace

from tests.simulation.misfortunes.table import MISFORTUNES

KINDS = 6
"""The most kinds of misfortunes in a story."""
DEATHS: tuple[tuple[str, ...], ...] = ((), ("death",), ("death",) * 4)
"""How often processes die, besides what else there is."""
LEADER = "death of the leader"
"""What befalls several processes besides."""
LEAGUES = ("league over", "league over")
"""What befalls leagues besides, where there are any."""
ANYWHERE = sorted(MISFORTUNES.keys() - LEAGUES)
"""What can befall any story."""
BRIEF = 8.0
"""Seconds in which something befalls the bot, in a brief story."""
ALONE: tuple[str | None, ...] = (None,)
TWINS: tuple[str | None, ...] = (None, None)
APART: tuple[str | None, ...] = ("0/4", "1/4", "2/4", "3/4")
"""The processes of a story by their shards: one, two that serve the same servers, or four with shards of their own."""


@dataclass(frozen=True)
class Plan:
    """What a seed decides before the story begins."""

    tables: int
    """How many matches are played at a time in a server, about."""
    matches: int
    """The number of matches after which no other is begun there."""
    seconds: float
    calm: float
    """Seconds from one misfortune to the next, on the average."""
    misfortunes: tuple[str, ...]
    """Which there are."""
    faults: bool
    shares: tuple[str | None, ...]
    patient: bool
    """Whether Discord wants five seconds between two sessions that begin."""
    latency: float
    """Seconds that bytes take at most, one way."""
    disk: float
    """Seconds that the disk takes at most."""
    days: int
    """How many pass."""
    hasty: bool
    """Whether people act without a pause."""
    leagues: int
    """How many leagues people open."""
    posts: bool
    """Whether the daily puzzle and the week are posted."""
    servers: int = 1
    """In how many everybody is."""

    @property
    def apart(self) -> bool:
        """Whether each process has servers of its own."""
        return self.shares == APART

    @classmethod
    def drawn(cls, rng: random.Random) -> Plan:
        """A plan by lot. Where Discord refuses sessions, it wants some seconds between them too, or a bot would try
        again without end in no time. Where there are four servers, less is played in each."""
        plan = cls(
            tables=rng.choice((1, 2, 3)),
            matches=rng.choice((2, 3, 4, 6)),
            seconds=rng.choice((20.0, 40.0)),
            calm=rng.choice((2.0, 5.0, 15.0)),
            misfortunes=(*rng.choice(DEATHS), *rng.sample(ANYWHERE, rng.randint(1, KINDS))),
            faults=rng.random() < 0.7,
            shares=rng.choice((ALONE, ALONE, TWINS, APART)),
            patient=rng.random() < 0.3,
            latency=rng.choice((0.0, 0.03, 0.3)),
            disk=rng.choice((0.0, 0.005, 0.1)),
            days=rng.choice((0, 0, 1, 2, 3, 6, 10, 20)),
            hasty=rng.random() < 0.5,
            leagues=rng.choice((0, 0, 0, 1, 2)),
            posts=rng.random() < 0.3,
        )
        plan = replace(plan, patient=plan.patient or "gateway refused" in plan.misfortunes)
        if plan.apart:
            plan = replace(
                plan, tables=1, matches=min(plan.matches, 2), days=min(plan.days, 3), seconds=20.0,
                misfortunes=(*plan.misfortunes, LEADER), leagues=0,
            )  # fmt: skip
        if plan.leagues:
            plan = replace(plan, matches=min(plan.matches, 2), misfortunes=(*plan.misfortunes, *LEAGUES))
        return plan

    def brief(self) -> Plan:
        """A few seconds of it."""
        return replace(self, seconds=BRIEF, tables=1, matches=3, days=min(self.days, 1), hasty=True)
