"""The faults that a request can meet: single ones that wait for their route, and a rota that goes through all of
them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace


def pattern(route: str) -> str:
    """A route with `*` for each parameter, for comparing."""
    return re.sub(r"\{[^}]*\}", "*", route)


@dataclass
class Fault:
    """One scripted fault on a route, in one channel or all; `times` counts down.

    `applied`: how often the request is carried out before the answer: 0, 1 or 2 times. `late`: a request that waits is
    carried out even if nobody waits for its answer any more. `scope`: whose rate limit it is, `user`, `global` or
    `shared`. `reset`: a connection that is cut is reset (RST). `spares`: so many requests come first that it lets
    through; a rate limit begins with the last of them.
    """

    method: str
    route: str
    times: int = 1
    status: int | None = None
    code: int = 0
    applied: int = 0
    seconds: float = 0.0
    late: bool = False
    drop: bool = False
    reset: bool = False
    limits: bool = False
    scope: str = "user"
    until: float | None = None
    channel: str | None = None
    spares: int = 0

    def hits(self, method: str, route: str, channel: str | None) -> bool:
        """Whether the fault hits a request."""
        named = (self.method, self.route) in ((method, pattern(route)), ("*", "*"))
        return self.times > 0 and named and self.channel in (None, channel)

    def wait(self, now: float) -> float:
        """Seconds that a rate limit asks for, or that are left of one that lasts."""
        return self.seconds if self.until is None else max(0.0, self.until - now)


FAULT_KINDS: Mapping[str, Fault] = {
    "500": Fault("*", "*", status=500),
    "502 though done": Fault("*", "*", status=502, applied=1),
    "429": Fault("*", "*", limits=True, seconds=0.3),
    "400": Fault("*", "*", status=400, code=200001),
    "hangs": Fault("*", "*", seconds=4.0),
    "hangs though done": Fault("*", "*", seconds=4.0, applied=1),
    "cut": Fault("*", "*", drop=True),
    "cut though done": Fault("*", "*", drop=True, applied=1),
    "twice": Fault("*", "*", applied=2),
}
"""Every kind of fault by name, in the order of `Faults.in_turn`."""


@dataclass
class Rota:
    """Gives each route every fault in turn; `suffered` counts what has happened to which route."""

    every: int
    spared: Mapping[tuple[str, str], Sequence[str]]
    seldom: Mapping[tuple[str, str], int]
    asked: Counter[tuple[str, str]] = field(default_factory=Counter[tuple[str, str]])
    suffered: Counter[tuple[str, str, str]] = field(default_factory=Counter[tuple[str, str, str]])

    def take(self, method: str, route: str) -> Fault | None:
        """The fault that this request meets, if it is its turn."""
        self.asked[method, route] += 1
        number, rest = divmod(self.asked[method, route], self.seldom.get((method, pattern(route)), self.every))
        names = self.names(method, route)
        if rest or not names:
            return None
        name = names[(number - 1) % len(names)]
        self.suffered[method, route, name] += 1
        return replace(FAULT_KINDS[name])

    def names(self, method: str, route: str) -> list[str]:
        """The faults of a route."""
        spared = (*self.spared.get((method, "*"), ()), *self.spared.get((method, pattern(route)), ()))
        return [name for name in FAULT_KINDS if name not in spared]

    def missing(self) -> list[tuple[str, str, str]]:
        """The faults that a requested route has not met yet."""
        asked = [(*which, name) for which in self.asked for name in self.names(*which)]
        return [one for one in asked if not self.suffered[one]]
