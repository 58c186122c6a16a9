"""Figures with their limits, and the timing of things that take turns."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any


@dataclass(frozen=True)
class Figure:
    """Something measured; it should be at most `limit`, if it has one."""

    name: str
    value: float
    unit: str = ""
    limit: float | None = None

    @property
    def ok(self) -> bool:
        """Whether it is within its limit."""
        return self.limit is None or self.value <= self.limit

    def __str__(self) -> str:
        verdict = "" if self.limit is None else f"at most {self.limit:g}  {'ok' if self.ok else 'MISSED'}"
        return f"  {self.name:<62}{self.value:>10.3f} {self.unit:<8}{verdict}".rstrip()


@dataclass
class Sheet:
    """All figures of a run, printed as they come."""

    figures: list[Figure] = field(default_factory=list[Figure])

    def title(self, text: str) -> None:
        """Begin a group."""
        print(text, flush=True)

    def add(self, name: str, value: float, unit: str = "", limit: float | None = None) -> None:
        """Note a figure and print it."""
        figure = Figure(name, value, unit, limit)
        self.figures.append(figure)
        print(figure, flush=True)

    def summary(self) -> str:
        """How many limits were kept, and which were not."""
        held = [figure for figure in self.figures if figure.limit is not None]
        missed = [figure.name for figure in held if not figure.ok]
        return "\n".join(
            [f"{len(held) - len(missed)} of {len(held)} limits kept.", *(f"MISSED: {it}" for it in missed)]
        )

    def rows(self) -> list[dict[str, Any]]:
        """The figures as JSON values."""
        return [{**asdict(figure), "ok": figure.ok} for figure in self.figures]


def seconds(work: Callable[[], object]) -> float:
    """How long something takes."""
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def effort(work: Callable[[], object]) -> float:
    """How long something keeps the processor busy: for slowest cases, which others on the machine must not make."""
    began = time.thread_time()
    work()
    return time.thread_time() - began


def in_turns(things: Mapping[str, Callable[[], object]], rounds: int) -> dict[str, list[float]]:
    """Time several things one after the other, again and again; seconds by name."""
    times: dict[str, list[float]] = {name: [] for name in things}
    for _ in range(rounds):
        for name, work in things.items():
            times[name].append(seconds(work))
    return times


def median(values: Sequence[float]) -> float:
    """The middle one."""
    return statistics.median(values)


def percentile(values: Sequence[float], percent: float) -> float:
    """The value that so many percent of the values do not exceed."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * percent / 100))]
