"""The marks of the eight seats, as shapes in a unit square: what tells their chips apart without colour."""

from __future__ import annotations

from functools import cache

from rendering.shapes import SEAT_INKS, Box, Disc, Ink, Path, Ring, Shape, Spot

Drawing = tuple[tuple[Spot, ...], ...]

STROKE = 0.09
HEAVY = 0.1
"""The weight of a mark, and of a small one in a corner."""
STROKES: dict[int, Drawing] = {
    3: (((-0.2, 0), (0.2, 0)),),
    4: (((-0.16, -0.16), (0.16, 0.16)), ((-0.16, 0.16), (0.16, -0.16))),
    6: (((-0.2, 0), (0.2, 0)), ((0, -0.2), (0, 0.2))),
    7: (((-0.1, -0.17), (-0.1, 0.17)), ((0.1, -0.17), (0.1, 0.17))),
}
"""Marks made of lines, about the middle of the chip."""
TRIANGLE: tuple[Spot, ...] = ((0, -0.2), (0.2, 0.15), (-0.2, 0.15))


@cache
def mark(seat: int, corner: bool) -> tuple[Shape, ...]:
    """A seat's mark in a chip that reaches from (0, 0) to (1, 1); none for seat 1."""
    x, y, size, weight = (0.83, 0.17, 0.42, HEAVY) if corner else (0.5, 0.5, 1.0, STROKE)
    on = SEAT_INKS[seat - 1]

    def placed(spots: tuple[Spot, ...]) -> tuple[Spot, ...]:
        return tuple((x + size * dx, y + size * dy) for dx, dy in spots)

    match seat:
        case 2:
            return (Ring(x, y, 0.24 * size, "paper", weight * size**0.5, on),)
        case 5:
            return (Path(placed(TRIANGLE), None, closed=True, fill="paper", on=on),)
        case 8:
            return (Disc(x, y, 0.18 * size, "paper", on),)
        case _:
            lines = STROKES.get(seat, ())
            return tuple(Path(placed(spots), "paper", weight * size**0.5, on=on) for spots in lines)


def body(seat: int, round_: bool, on: Ink) -> Shape:
    """The chip itself, from (0, 0) to (1, 1)."""
    ink = SEAT_INKS[seat - 1]
    return Disc(0.5, 0.5, 0.5, ink, on) if round_ else Box(0, 0, 1, 1, ink, radius=0.18, on=on)
