"""Pictures that show every shape, mark and board, for tests and golden images."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rendering.boards import (
    Layout,
    draw_arrow,
    draw_grid,
    draw_lattice,
    draw_number,
    draw_paragraph,
    draw_segment,
    place_chip,
    shade_square,
    spot_on_circle,
    square_centre,
)
from rendering.charts import ChartLine, draw_chart
from rendering.pages import LegendEntry, draw_legend, legend_height
from rendering.shapes import (
    LABEL,
    SEAT_INKS,
    SEAT_PENS,
    Arc,
    Box,
    Chip,
    Disc,
    Line,
    Path,
    Picture,
    Ring,
    Shape,
    Text,
    group_digits,
)


def picture(layout: Layout, base: Iterable[Shape], shapes: Iterable[Shape], name: str = "sample") -> Picture:
    return Picture(name, layout.page_extent, tuple(base), tuple(shapes), "A sample.")


ENTRIES = [
    LegendEntry(seat, f"seat {seat}", group_digits(seat * 7919**2), seat == 3, moves=seat == 5) for seat in range(1, 9)
]


def seats() -> Picture:
    layout = Layout(8, 2, below=20 + legend_height(ENTRIES))
    return picture(layout, draw_grid(layout), _seats(layout), "seats")


def _seats(layout: Layout) -> Iterator[Shape]:
    for seat in range(1, 9):
        ground = "gold" if seat % 4 == 0 else "tint2" if seat == 2 else "paper"
        if ground != "paper":
            yield shade_square(layout, seat - 1, 0, ground)
        yield place_chip(seat - 1, 0, seat, ground)
        middle, size = square_centre(seat - 1, 1), layout.fit(str(seat * 41), 0.7, 0.45 / layout.squares_per_point)
        yield Chip(*middle, 0.86, seat, corner=True)
        yield Text(*middle, str(seat * 41), size, SEAT_PENS[seat - 1], on=SEAT_INKS[seat - 1])
    yield from draw_legend(layout, ENTRIES, 20)


def drawn() -> Picture:
    layout = Layout(2, 2, left=250, right=250, above=250, below=120)
    return picture(layout, _circle(layout), _drawn(layout), "drawn")


def _circle(layout: Layout) -> Iterator[Shape]:
    size, weight = LABEL * layout.squares_per_point, 2 * layout.squares_per_point
    yield Ring(1, 1, 1, "ink", weight)
    for angle in range(0, 360, 10):
        yield Line(*spot_on_circle(angle), *spot_on_circle(angle, 1.025 if angle % 30 else 1.05), "faded", weight)
    for angle in range(0, 360, 30):
        yield Text(*spot_on_circle(angle, 1.05 + 1.1 * size), f"{angle}°", size, "faded")


def _drawn(layout: Layout) -> Iterator[Shape]:
    yield Path((spot_on_circle(10), spot_on_circle(60), spot_on_circle(200)), None, closed=True, fill="tint1")
    yield draw_segment(layout, spot_on_circle(10), spot_on_circle(200), "seat1")
    yield draw_segment(layout, spot_on_circle(60), spot_on_circle(200), "seat2", dash=12)
    yield Arc(1, 1, 0.6, 20, 100, "seat2", 0.03)
    yield Disc(0.7, 1.2, 0.3, "tint2")
    yield Disc(*spot_on_circle(10), 0.03)
    yield Chip(1.3, 0.7, 0.12, 2, round=True)
    yield draw_arrow(1.2, 1.5, "left", 0.1)
    yield draw_arrow(1.4, 1.5, "up", 0.1, hollow=0.012)
    yield Box(1.2, 1.1, 0.4, 0.2, "paper", "ink", 0.01, 0.04)


def others() -> Iterator[Picture]:
    """The boards that the other samples leave out."""
    square = Layout(7, 7)
    yield picture(
        square, draw_lattice(square), [draw_segment(square, square_centre(3, 3), square_centre(3, 2), "seat1")]
    )
    yield picture(square, draw_grid(square), [draw_number(square, 2, 2, "1000000007"), shade_square(square, 1, 1)])
    large = Layout(16, 16, below=120)
    corners = [(1, 1), (9, 1), (9, 5), (13, 5), (13, 14), (1, 14)]
    ring = Path(tuple(square_centre(*corner) for corner in corners), "ink", 5 * large.squares_per_point, closed=True)
    yield picture(large, draw_grid(large), [ring, *draw_paragraph(large, ["A long remark, " * 12], 20)])
    courses = [ChartLine(tuple(seat * step**3 for step in range(9 - seat // 4)), seat) for seat in range(1, 9)]
    yield draw_chart("chart", "A chart.", courses, ["Said."], ENTRIES)
