"""What most boards share, as one picture: the painter warms up with it, so that the first board is not slow."""

from __future__ import annotations

from collections.abc import Iterator

from rendering.shapes import LABEL, LEAST, LEGEND, POINTS, TOTAL, Chip, Ink, Path, Picture, Shape, Text

TYPES: tuple[tuple[float, Ink, Ink], ...] = (
    (LEAST, "ink", "paper"),
    (LEAST, "faded", "paper"),
    (LABEL, "faded", "paper"),
    (LABEL, "ink", "paper"),
    (LEGEND, "faded", "paper"),
    (TOTAL, "ink", "paper"),
    (TOTAL, "ink", "gold"),
)
"""Type sizes, their ink and the ink behind it."""


def _sample() -> Iterator[Shape]:
    """Every letter as remarks, coordinates, scores and totals show it, and the blends of two seats' chips."""
    for place, (size, ink, on) in enumerate(TYPES):
        for line, start in enumerate(range(32, 127, 48)):
            letters = "".join(map(chr, range(start, min(start + 48, 127))))
            yield Text(0, 20 + 40 * (2 * place + line), letters, size, ink, "left", on)
    for place, seat in enumerate((1, 1, 2, 2)):
        yield Chip(60 + 90 * place, 700, 60, seat, on="gold" if place % 2 else "paper")
    yield Path(((500, 660), (540, 700), (500, 740)), closed=True, weight=3)


SAMPLE = Picture("sample", (0, 0, POINTS, POINTS), (), tuple(_sample()), "All letters.")
