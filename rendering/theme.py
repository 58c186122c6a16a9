"""The look of pictures: their colours, at most sixteen in a picture, and the marks of the seats.

A picture's file has four bits a pixel if it has at most sixteen colours, including the blends that smooth edges. So
each picture has a palette of its own, by the inks it uses: first the greys between ink and paper, which text needs
most, then blends of each seat's colour with the paper and with the gold behind the last move.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache

from rendering.shapes import INKS, SEAT_INKS, SEAT_PENS, Box, Disc, Ink, Path, Ring, Shape, Spot

Colour = tuple[int, int, int]
"""Red, green, blue: 0 to 255."""
Blend = tuple[Ink, Ink, float]
"""An ink, the ink behind it, and the proportion of the first."""

COLOURS_AT_MOST = 16
COLOURS_OF_MANY = 64
"""The most colours of a film: a whole match may use more inks than a single picture."""
LEVELS = 16
"""Steps of coverage, for each of which the nearest colour is taken."""

HEX: dict[Ink, str] = {
    "paper": "FAF8F0", "ink": "263246", "faded": "646E7D", "rule": "EFEFE9", "gold": "FFD65A", "white": "FFFFFF",
    "seat1": "55ACEE", "seat2": "F4900C", "seat3": "78B159", "seat4": "AA8ED6",
    "seat5": "DD2E44", "seat6": "C1694F", "seat7": "31373D", "seat8": "FDCB58",
    "tint1": "BBDBEF", "tint2": "F8D39E", "tint3": "C6DCB4", "tint4": "DACEE6",
    "tint5": "F3C8C7", "tint6": "E9CDC0", "tint7": "D2D1CC", "tint8": "FCDF9C",
}  # fmt: skip
"""Seats have the colours of the squares that stand for them in sentences, as Discord draws those (the SVG files of its
package `@discordapp/twemoji` 16.0.1). A tint is a fifth to a half of its seat's colour on paper."""
COLOURS: dict[Ink, Colour] = {
    ink: (int(value[:2], 16), int(value[2:4], 16), int(value[4:], 16)) for ink, value in HEX.items()
}

ALWAYS: tuple[Ink, ...] = ("paper", "ink", "faded", "rule", "gold")
"""Inks in every palette, so that it does not change during a match."""
NEUTRAL: frozenset[Ink] = frozenset[Ink](("paper", "ink", "faded"))
GREYS: tuple[Blend, ...] = (("faded", "paper", 1 / 2), ("faded", "paper", 1 / 4), ("faded", "paper", 3 / 4))
FEW_SEATS: tuple[tuple[Ink, float], ...] = (("paper", 2 / 3), ("paper", 1 / 3), ("gold", 1 / 2))
"""The blends of a seat, the most important first, if three of each seat fit into the palette, and if not."""
MANY_SEATS: tuple[tuple[Ink, float], ...] = (("paper", 1 / 2), ("gold", 1 / 2))
LAST: tuple[Blend, ...] = (("ink", "faded", 1 / 2), ("ink", "gold", 1 / 2), ("ink", "paper", 1 / 2))


@dataclass(frozen=True, slots=True, eq=False)
class Palette:
    """The colours; `index` has the index of each ink, `sources` the inks of which each colour is made."""

    colours: tuple[Colour, ...]
    index: dict[Ink, int]
    sources: tuple[frozenset[Ink], ...]


@lru_cache(maxsize=256)
def palette_for(used: frozenset[Ink], most: int = COLOURS_AT_MOST) -> Palette:
    """The palette of a picture with these inks, the same object for equal inks.

    Raises ValueError for more inks than `most`.
    """
    inks: list[Ink] = sorted(used.union(ALWAYS), key=INKS.index)
    if len(inks) > most:
        raise ValueError(f"A picture has at most {most} inks, this one {len(inks)}: use fewer tints.")
    made: dict[Colour, frozenset[Ink]] = {COLOURS[ink]: frozenset[Ink]((ink,)) for ink in inks}
    for ink, on, share in _wanted_blends(inks, most):
        if len(made) < most:
            made.setdefault(_blend_colour(ink, on, share), frozenset[Ink]((ink, on)))
    return Palette(tuple(made), {ink: place for place, ink in enumerate(inks)}, tuple(made.values()))


def colour_ramp(colours: Palette, ink: Ink, on: Ink) -> tuple[int, ...]:
    """The index of the nearest colour of the palette for each coverage 0 … 255 of `ink` over `on`.

    Only colours of the two inks and greys are used: another seat's colour would leave a fringe.
    """
    allowed = [place for place, made in enumerate(colours.sources) if made <= NEUTRAL | {ink, on}]
    steps = [_nearest_colour(colours, allowed, _blend_colour(ink, on, level / LEVELS)) for level in range(LEVELS + 1)]
    # The ends are exact, also where two inks share a colour.
    steps[0], steps[-1] = colours.index[on], colours.index[ink]
    return tuple(steps[round(coverage * LEVELS / 255)] for coverage in range(256))


def _wanted_blends(inks: list[Ink], most: int) -> Iterator[Blend]:
    seats: list[Ink] = sorted(set(inks).intersection(SEAT_INKS), key=INKS.index)
    yield from GREYS
    left = most - len(inks) - len(GREYS)
    for on, share in FEW_SEATS if len(FEW_SEATS) * len(seats) <= left else MANY_SEATS:
        for seat in seats:
            yield seat, on, share
    yield from LAST


def _blend_colour(ink: Ink, on: Ink, share: float) -> Colour:
    red, green, blue = (
        round(share * over + (1 - share) * under) for over, under in zip(COLOURS[ink], COLOURS[on], strict=True)
    )
    return red, green, blue


def _nearest_colour(colours: Palette, allowed: list[int], colour: Colour) -> int:
    red, green, blue = colour

    def distance(place: int) -> int:
        r, g, b = colours.colours[place]
        return (r - red) ** 2 + (g - green) ** 2 + (b - blue) ** 2

    return min(allowed, key=distance)


# The marks of the seats, which distinguish their chips without colour.

Drawing = tuple[tuple[Spot, ...], ...]

STROKE = 0.09
HEAVY = 0.1
"""The weight of a mark, and of a small one in a corner."""
OUTLINE = 0.03
"""The weight of a chip's outline, without which the pale ones could not be seen on paper and on gold."""
STROKES: dict[int, Drawing] = {
    3: (((-0.2, 0), (0.2, 0)),),
    4: (((-0.16, -0.16), (0.16, 0.16)), ((-0.16, 0.16), (0.16, -0.16))),
    6: (((-0.2, 0), (0.2, 0)), ((0, -0.2), (0, 0.2))),
    7: (((-0.1, -0.17), (-0.1, 0.17)), ((0.1, -0.17), (0.1, 0.17))),
}
"""Marks made of lines, around the middle of the chip."""
TRIANGLE: tuple[Spot, ...] = ((0, -0.2), (0.2, 0.15), (-0.2, 0.15))


@cache
def seat_mark(seat: int, corner: bool) -> tuple[Shape, ...]:
    """A seat's mark in a chip that reaches from (0, 0) to (1, 1); none for seat 1."""
    x, y, size, weight = (0.81, 0.19, 0.42, HEAVY) if corner else (0.5, 0.5, 1.0, STROKE)
    on, pen = SEAT_INKS[seat - 1], SEAT_PENS[seat - 1]

    def place(spots: tuple[Spot, ...]) -> tuple[Spot, ...]:
        return tuple((x + size * dx, y + size * dy) for dx, dy in spots)

    match seat:
        case 2:
            return (Ring(x, y, 0.24 * size, pen, weight * size**0.5, on),)
        case 5:
            return (Path(place(TRIANGLE), None, closed=True, fill=pen, on=on),)
        case 8:
            return (Disc(x, y, 0.18 * size, pen, on),)
        case _:
            lines = STROKES.get(seat, ())
            return tuple(Path(place(spots), pen, weight * size**0.5, on=on) for spots in lines)


def chip_body(seat: int, round_: bool, on: Ink) -> tuple[Shape, ...]:
    """The chip without its mark, from (0, 0) to (1, 1)."""
    ink = SEAT_INKS[seat - 1]
    if round_:
        return Disc(0.5, 0.5, 0.5, "ink", on), Disc(0.5, 0.5, 0.5 - OUTLINE, ink, "ink")
    return (Box(0, 0, 1, 1, ink, "ink", OUTLINE, 0.18, on),)
