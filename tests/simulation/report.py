"""What is left of a story: its log, a line for everything that happened, and what came of it."""

from __future__ import annotations

import hashlib
import json
from collections import Counter, deque
from collections.abc import Callable
from dataclasses import dataclass, field

from bot.sandbox.rest import RequestLogEntry
from tests.simulation.loop import SimulatedLoop


class Log:
    """What happened, a line each; only their digest is kept, and the lines if they are to be read."""

    def __init__(self, loop: SimulatedLoop, keep: bool) -> None:
        self.loop = loop
        self.lines: list[str] | None = [] if keep else None
        self.many = 0
        self._digest = hashlib.sha256()

    def note(self, what: str) -> None:
        """Something has happened."""
        line = f"{self.loop.time():.6f} {what}"
        self.many += 1
        self._digest.update(line.encode() + b"\n")
        if self.lines is not None:
            self.lines.append(line)

    @property
    def digest(self) -> str:
        """What tells this log from any other."""
        return self._digest.hexdigest()


class Requests(deque[RequestLogEntry]):
    """The sandbox's list of requests, each of which is noted; `listeners` hear of each."""

    def __init__(self, log: Log, kept: int, listeners: list[Callable[[RequestLogEntry], None]]) -> None:
        super().__init__(maxlen=kept)
        self.note = log.note
        self.listeners = listeners

    def append(self, entry: RequestLogEntry) -> None:
        """Note one."""
        said = hashlib.sha1(json.dumps([entry.body, entry.answer], sort_keys=True, default=str).encode()).hexdigest()
        self.note(f"{entry.method} {entry.path} {entry.status} {said[:10]}")
        super().append(entry)
        for hear in self.listeners:
            hear(entry)


@dataclass
class Report:
    """What came of a story."""

    seed: int
    events: int = 0
    digest: str = ""
    seconds: float = 0.0
    days: float = 0.0
    processes: int = 0
    kills: int = 0
    faults: int = 0
    misfortunes: Counter[str] = field(default_factory=Counter[str])
    matches: int = 0
    moves: int = 0
    ready: int = 0
    """How many of the moves were prepared."""
    acts: Counter[str] = field(default_factory=Counter[str])
    clocks: Counter[str] = field(default_factory=Counter[str])
    """What a referee of time has judged."""
    findings: dict[str, set[str]] = field(default_factory=dict[str, set[str]])
