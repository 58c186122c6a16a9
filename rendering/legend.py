"""Draws the legend below a board: each seat's chip, what the seat counts, and its total.

A triangle in the margin points at a seat that is to move, and its words are dark; a winner's total stands on gold. Two
seats share a line if both fit; a total that is too long even for a line of its own stands below the seat's words, on
as many lines as it needs.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from rendering.boards import Layout, arrow
from rendering.shapes import EDGE, LEAST, LEGEND, POINTS, TOTAL, Box, Chip, Ink, Shape, Text, fitting, width, wrapped

ROW, CHIP, SPACE = 62, 44, 16
"""The height of a line, the side of a chip, and what is between it and the words, in points."""
MOVER = 30
"""The triangle at a seat that is to move, in points."""
PLATE = 48
"""The height of the gold under a total that has won, in points."""
FEWEST = 3 * LEAST
"""The least width for a total, in points."""
COLOURS = ("blue", "orange", "green", "purple", "yellow", "light blue", "brown", "black")
"""What people call the inks of the seats: pictures and their alternative texts name players so."""
SEAT, MOVES = "legend", "to move"
"""Tags of a seat's chip, and of the triangle at one that is to move."""


def colour(seat: int) -> str:
    """The name of a seat's colour."""
    return COLOURS[seat - 1]


class Entry(NamedTuple):
    """A seat in the legend."""

    seat: int
    label: str
    total: str
    won: bool = False
    tag: str = ""
    moves: bool = False


class Standing(Protocol):
    """What a position says about its seats."""

    @property
    def turn(self) -> tuple[int, ...]: ...
    def scores(self) -> tuple[int, ...]: ...
    def ranks(self) -> tuple[int, ...] | None: ...


class Summed(Standing, Protocol):
    """A position that says how each seat's score comes about: `working_of` ends with the line that adds all up."""

    def working_of(self, seat: int, /) -> Sequence[str]: ...


def entries(
    position: Standing, labels: Sequence[str] = (), totals: Sequence[str] = (), tags: Sequence[str] = ()
) -> tuple[Entry, ...]:
    """The legend of a position: for each seat what it counts, its total, and as a tag the line of working behind it.

    By default labels are the names of the seats' colours, totals are the scores, and there are no tags.
    """
    totals = totals or [str(score) for score in position.scores()]
    labels = labels or [colour(seat) for seat in range(1, len(totals) + 1)]
    ranks = position.ranks() or (0,) * len(labels)
    return tuple(
        Entry(seat, label, total, rank == 1, tags[seat - 1] if tags else "", seat in position.turn)
        for seat, (label, total, rank) in enumerate(zip(labels, totals, ranks, strict=True), 1)
    )


def summed(position: Summed, labels: Sequence[str], totals: Sequence[str] = ()) -> tuple[Entry, ...]:
    """The legend of a position whose totals have the last line of each seat's working as their tags."""
    tags = [position.working_of(seat)[-1] for seat in range(1, len(labels) + 1)]
    return entries(position, labels, totals, tags)


@dataclass(frozen=True, slots=True)
class Plan:
    """How a legend is laid out, in points: seats on a line, the type of totals, and the lines that a seat takes."""

    abreast: int
    size: float
    lines: tuple[tuple[str, ...], ...]

    @property
    def wide(self) -> float:
        """The width of a seat's column, in points."""
        return room(self.abreast)

    @property
    def tall(self) -> float:
        """The height of a seat: its words and totals that stand below them."""
        below = max((len(line) for line in self.lines if self.under), default=0)
        return ROW + below * 1.4 * self.size

    @property
    def under(self) -> bool:
        """Whether totals stand below the words."""
        return any(len(line) > 1 for line in self.lines)


def plan(listed: Sequence[Entry]) -> Plan:
    """The layout of a legend: two seats on a line, or one, or one with totals below the words."""
    for abreast in (2, 1) if len(listed) > 1 else (1,):
        rooms = [room(abreast) - _words(entry) for entry in listed]
        if all(max(FEWEST, width(it.total, LEAST)) <= free for it, free in zip(listed, rooms, strict=True)):
            size = min(fitting(it.total, TOTAL, free, LEAST) for it, free in zip(listed, rooms, strict=True))
            return Plan(abreast, size, tuple((entry.total,) for entry in listed))
    return Plan(1, LEAST, tuple(("", *wrapped(entry.total, LEAST, POINTS - 2 * EDGE)) for entry in listed))


def room(abreast: int) -> float:
    """The width of a seat's column in points where `abreast` of them share a line, with two edges between them."""
    return (POINTS - 2 * EDGE * abreast) / abreast


def _words(entry: Entry) -> float:
    # What chip and words take, with the space before the total, in points.
    return CHIP + 2 * SPACE + width(entry.label, LEGEND)


def height(listed: Sequence[Entry]) -> float:
    """Points a legend needs, with the empty edge below."""
    laid = plan(listed)
    return -(-len(listed) // laid.abreast) * laid.tall + EDGE / 2


def legend(layout: Layout, listed: Sequence[Entry], top: float) -> Iterator[Shape]:
    """Mark, chip, words and total of every seat, from `top` points below the board."""
    laid, unit, (left, _) = plan(listed), layout.point, layout.edges
    for place, (entry, totals) in enumerate(zip(listed, laid.lines, strict=True)):
        line, column = divmod(place, laid.abreast)
        x, y = left + column * (laid.wide + 2 * EDGE) * unit, layout.rows + (top + laid.tall * line + ROW / 2) * unit
        yield from _seat(layout, entry, x, y)
        for below, total in enumerate(totals):
            if total:
                at = y + 1.4 * below * laid.size * unit
                yield from _total(layout, entry, total, x + laid.wide * unit, at, laid.size * unit)


def _seat(layout: Layout, entry: Entry, x: float, y: float) -> Iterator[Shape]:
    unit = layout.point
    ink: Ink = "ink" if entry.moves else "faded"
    if entry.moves:
        yield arrow(x - EDGE / 2 * unit, y, "right", MOVER * unit, tag=MOVES)
    yield Chip(x + CHIP / 2 * unit, y, CHIP * unit, entry.seat, tag=SEAT)
    yield Text(x + (CHIP + SPACE) * unit, y, entry.label, LEGEND * unit, ink, "left")


def _total(layout: Layout, entry: Entry, total: str, right: float, y: float, size: float) -> Iterator[Shape]:
    unit = layout.point
    on: Ink = "gold" if entry.won else "paper"
    if entry.won:
        wide, tall = width(total, size) + 20 * unit, min(PLATE * unit, 1.4 * size)
        yield Box(right - wide + 10 * unit, y - tall / 2, wide, tall, "gold", radius=8 * unit)
    yield Text(right, y, total, size, "ink", "right", on, entry.tag)
