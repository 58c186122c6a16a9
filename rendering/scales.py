"""Scales for the edge of a chart: which round numbers stand there, and how high other numbers lie.

Scores are whole numbers of any size, also below nought. Round numbers stand at equal distances. Where that would put
half of all scores on the lowest line, each line is a multiple of the one before it instead (ten times, a thousand
times), and a sentence says so. Only the place on the paper is rounded.
"""

from __future__ import annotations

import math
from collections.abc import Collection
from dataclasses import dataclass
from itertools import chain
from typing import NamedTuple

from rendering.shapes import grouped

MOST_STEPS = 6
"""The most steps between the numbers on an edge."""
LARGE, CROWDED = 1000, 50
"""Scores are crowded if the largest is at least the first number, and half of them are below its 50th part."""
STRIDES = (1, 2, 3, 6, 9, 12, 15, 30, 60, 120)
"""How many more digits each line of a large scale may have than the one before it."""
WRITTEN = 10**7
"""Numbers below this are written out along the edge."""
TIMES = {1: "ten", 2: "a hundred", 3: "a thousand", 6: "a million"}
UNITS = {3: "thousands", 6: "millions", 9: "billions (10^9)"}


class Tick(NamedTuple):
    """A number on an edge as it is written, and how far along it stands, from 0 to 1. `10^9` is ten to the ninth."""

    label: str
    at: float


@dataclass(frozen=True, slots=True)
class Scale:
    """An edge from its first number to its last; with a `stride` each number has that many more digits than the last.

    `lowest` and `highest` count the steps of a large scale from nought, or are the numbers themselves.
    """

    lowest: int
    highest: int
    step: int
    stride: int = 0
    nought: bool = True
    """Whether there is a line for nought below the line for 1; there is none where all numbers are positive."""

    @property
    def steps(self) -> int:
        """How many steps there are between the numbers."""
        return (self.highest - self.lowest) // self.step

    def at(self, number: int) -> float:
        """How far along a number stands, from 0 to 1."""
        if not self.stride:
            return (number - self.lowest) / (self.highest - self.lowest)
        return (self._height(number) - self.lowest) / (self.highest - self.lowest)

    @property
    def ticks(self) -> tuple[Tick, ...]:
        """The numbers on the edge."""
        places = range(self.lowest, self.highest + 1, self.step)
        at = ((place - self.lowest) / (self.highest - self.lowest) for place in places)
        return tuple(Tick(self._label(place), where) for place, where in zip(places, at, strict=True))

    @property
    def remark(self) -> str:
        """A sentence that says how to read the numbers; empty where they are written out at equal distances."""
        if not self.stride:
            return f"The numbers are {_named(self._unit)}." if self._unit else ""
        times = TIMES.get(self.stride, f"10^{self.stride}")
        if self.lowest < 0:
            return f"Each line is {times} times the one before it on the way from 0, where 1 comes first."
        if self.nought:
            return f"Each line is {times} times the one below it, but for 1 above 0."
        return f"Each line is {times} times the one below it."

    def _height(self, number: int) -> float:
        if not number:
            return 0
        return math.copysign(math.log10(abs(number)) / self.stride + self.nought, number)

    def _label(self, place: int) -> str:
        if not self.stride:
            return grouped(place // 10**self._unit)
        if self.nought and not place:
            return "0"
        digits, sign = (abs(place) - self.nought) * self.stride, "-" if place < 0 else ""
        plain = max(abs(self.lowest), self.highest) - self.nought
        if not digits or 10 ** (plain * self.stride) < WRITTEN:
            return sign + grouped(10**digits)
        return f"{sign}10^{digits}"

    @property
    def _unit(self) -> int:
        """How many zeros all numbers of the edge leave away."""
        if max(abs(self.lowest), abs(self.highest)) < WRITTEN:
            return 0
        zeros = len(str(self.step)) - 1
        return zeros - zeros % 3


def scale(numbers: Collection[int], base: int | None = 0) -> Scale:
    """The edge for some numbers. It begins at `base` or beyond it, unless that is None.

    >>> [tick.label for tick in scale([3, 17]).ticks], scale([3, 17]).remark
    (['0', '5', '10', '15', '20'], '')
    >>> [tick.label for tick in scale([0, 40, 5_000_000_000_000]).ticks]
    ['0', '1', '10^3', '10^6', '10^9', '10^12', '10^15']
    """
    return _large(numbers) if base == 0 and crowded(numbers) else _even(numbers, base)


def crowded(numbers: Collection[int]) -> bool:
    """Whether half of some numbers would lie on the lowest line if lines stood for equal differences."""
    sizes = sorted(abs(number) for number in numbers if number)
    return bool(sizes) and sizes[-1] >= LARGE and sizes[(len(sizes) - 1) // 2] * CROWDED < sizes[-1]


def rounded(least: int) -> int:
    """The smallest round number (1, 2 or 5 with zeros behind it) that is at least `least`."""
    power = 10 ** max(0, len(str(least)) - 1)
    return next(times * power for times in (1, 2, 5, 10) if times * power >= least)


def _even(numbers: Collection[int], base: int | None) -> Scale:
    low = min(chain(numbers, () if base is None else (base,)))
    high = max(chain(numbers, () if base is None else (base,)))
    step = rounded(max(1, -(-(high - low) // (MOST_STEPS - 1))))
    lowest = low - low % step
    return Scale(lowest, max(lowest + step, high + -high % step), step)


def _large(numbers: Collection[int]) -> Scale:
    nought = min(numbers) <= 0
    scales = (_strided(numbers, stride, nought) for stride in STRIDES)
    return next(found for found in scales if found.steps <= MOST_STEPS or found.stride == STRIDES[-1])


def _strided(numbers: Collection[int], stride: int, nought: bool) -> Scale:
    high, low = max(numbers), min(numbers)
    top = _line(high, stride) + nought if high > 0 else 0
    bottom = _power(low) // stride if low > 0 else -_line(-low, stride) - 1 if low < 0 else 0
    return Scale(bottom, max(top, bottom + 1), 1, stride, nought)


def _line(number: int, stride: int) -> int:
    """The first line at or above a positive number, counted from the line for 1."""
    power = _power(number)
    return -(-(power + (10**power < number)) // stride)


def _power(number: int) -> int:
    """The exponent of the greatest power of ten up to a number.

    >>> _power(999), _power(1000), _power(10**40 - 1)
    (2, 3, 39)
    """
    power = int(math.log10(number))
    return power - (10**power > number) + (10 ** (power + 1) <= number)


def _named(unit: int) -> str:
    return f"in {UNITS[unit]}" if unit in UNITS else f"in units of 10^{unit}"
