"""Draws Plexus: the network, the dots that the next segment may start from, and where points were made.

An endpoint is a ring, a midpoint a disc, a dot without a segment a faint speck; while the match goes on, dots that have
no free dot next to them are small and faded. Seat 1 draws plain lines, seat 2 double ones, and the given segment is
thin. What a seat has drawn last lies on gold; of two segments the answer has a 1, the first of the next pair a 2. A
chip sits on each segment that scored, and when the match is over a list says what the other seat lacked there; a list
that is too long for the board's page has pages of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache, partial

from bot.games.grids import squares_of
from bot.games.notation import Square
from bot.games.position import BOTH
from cogs.plexus.rules import AN, Kind, Plexus, Point, Segment
from rendering import boards, frames
from rendering import pages as rendering_pages
from rendering.boards import Layout, Sign
from rendering.pages import (
    LegendEntry,
    ListRow,
    describe_scores,
    join_facts,
    make_heading_row,
    make_list_pages,
    make_page,
    seat_colour,
)
from rendering.shapes import (
    EDGE,
    LABEL,
    LEAST,
    POINTS,
    SEAT_INKS,
    TINT_INKS,
    Box,
    Chip,
    Disc,
    Ink,
    Line,
    Path,
    Picture,
    Shape,
    Spot,
    Text,
    text_width,
)

TITLE, NAME = "Plexus", "plexus"

# In points.
AWAY = 52
"""From the outermost dots to the coordinates, and to what stands below the board."""
PITCH = 150
"""From dot to dot, at most."""
LARGEST, SYMBOL = 84, 50
"""What is drawn on the board is measured in units: the pitch, but no more than this; those of the key are fixed."""
ROW, HEADING, CHIP = 42, 48, 30
"""The height of a row and of the heading of the list of points, and a chip there."""
ROWS = 6
"""How many rows of two points stand at most below the board."""

# In units.
RING, BORE, DISC, SPECK = 0.21, 0.13, 0.19, 0.065
"""The radius of an endpoint, of the hole in it, of a midpoint, and of a dot without a segment."""
HALO, GOLD = 0.38, 0.84
"""The radius of the ground of a dot that may be drawn from; the width of the ground of the latest segments."""
WEIGHTS, CORE = (0.07, 0.17, 0.26), 0.1
"""The weight of the given segment and of those of seats 1 and 2, and of the gap in the middle of seat 2's."""
SCORED, RIM = 0.4, 0.48
"""A chip on a segment, and the paper around it."""
USED = 0.62
"""How large a dot is that has no free dot next to it, in parts of the others."""
TURN = 0.27
"""The radius of the ground of a segment's number in its turn."""

HEADED = "Lines that could not be answered"
ENDPOINT, MIDPOINT, USED_UP = "endpoint: one line", "midpoint: more lines", "grey: none can start"
STARTS, ANSWERS = "{seat} can start here", "{seat} answers here"
NEWER = "the newer line"
POINTS_MADE = "on a line: a point for who drew it"
LACKED: dict[Kind | None, str] = {"endpoint": "no endpoint", "midpoint": "no midpoint", None: "no free dot"}


def pictures(position: Plexus) -> tuple[Picture, ...]:
    """The board; when the match is over with more points than fit below it, also pages that list them."""
    points = () if position.turn else position.points
    if len(points) <= 2 * ROWS:
        return (_make_board(position, points),)
    rows = [ListRow(ROW, partial(_draw_on_page, position, points[at : at + 2])) for at in range(0, len(points), 2)]
    alt = f"{TITLE}, all points, each with the segment that scored it."
    return (_make_board(position, ()), *make_list_pages(f"{NAME}-points", alt, rows, head=make_heading_row(HEADED)))


# The board.


@lru_cache(maxsize=64)
def _make_layout(size: int, listed: int) -> Layout:
    before, after = EDGE + text_width("00", LABEL) + AWAY, EDGE + LARGEST * HALO
    pitch = min(PITCH, (POINTS - before - after) / (size - 1))
    first = max(before, (POINTS - pitch * (size - 1)) / 2)
    return Layout(
        columns=size,
        rows=size,
        left=first - pitch / 2,
        right=POINTS - first - pitch * (size - 0.5),
        above=boards.ABOVE - boards.GAP + AWAY - pitch / 2,
        below=AWAY - pitch / 2 + _list_height(listed),
    )


def _list_height(points: int) -> float:
    return HEADING + ROW * ((points + 1) // 2) + 12 if points else 0


def _list_distance(layout: Layout) -> float:
    # Points from the edge of the squares, whose middles the dots are, to the coordinates and to what is below.
    return AWAY - 0.5 / layout.squares_per_point


def _board_unit(layout: Layout) -> float:
    return min(1.0, LARGEST * layout.squares_per_point)


def _make_board(position: Plexus, points: Sequence[Point]) -> Picture:
    layout = _make_layout(position.size, len(points))
    alt = join_facts(
        TITLE, f"{position.size} by {position.size}", *_describe_progress(position), describe_scores(position.scores())
    )
    base = boards.draw_lattice(layout, SPECK * _board_unit(layout), _list_distance(layout))
    shapes = (*_draw_on_board(position, layout), *_draw_list(position, layout, points))
    return make_page(
        layout, NAME, alt, base, shapes, _make_legend_entries(position), tuple(_make_key_signs(position, layout))
    )


def _draw_on_board(position: Plexus, layout: Layout) -> Iterator[Shape]:
    unit = _board_unit(layout)
    yield from _draw_grounds(position, unit)
    for place, (start, end, seat) in enumerate(position.segments, len(position.latest) - len(position.segments)):
        on: Ink = "gold" if place >= 0 else "paper"
        yield from _draw_segment(_spot_of(position, start), _spot_of(position, end), seat, unit, on)
    yield from _draw_points(position, unit)
    if len(position.latest) == 2:
        yield from _number_turn(position, layout, unit)
    for dot in squares_of(position.endpoints | position.midpoints):
        used = bool(position.turn and not position.free_neighbours(dot))
        yield from _draw_dot(_spot_of(position, dot), position.kind_of(dot), unit, used)


def _draw_grounds(position: Plexus, unit: float) -> Iterator[Shape]:
    """Gold under the latest segments, and the tint of the seat to move under the dots that it may draw from."""
    for way in _merge_segments(position.latest):
        yield Path(tuple(_spot_of(position, dot) for dot in way), "gold", GOLD * unit)
    gilded = {dot for segment in position.latest for dot in segment[:2]}
    for seat in position.turn:
        for dot in position.starting_dots(position.kind):
            on: Ink = "gold" if dot in gilded else "paper"
            yield Disc(*_spot_of(position, dot), HALO * unit, TINT_INKS[seat - 1], on)


def _merge_segments(latest: Sequence[Segment]) -> Iterator[tuple[int, ...]]:
    """The latest segments as lines through dots: two that share a dot are one line, so that their gold has no seam."""
    ends = [segment[:2] for segment in latest]
    shared = set(ends[0]).intersection(*ends[1:]) if len(ends) == 2 else set[int]()
    if not shared:
        yield from ends
    for dot in shared:
        first, last = (sum(pair) - dot for pair in ends)
        yield first, dot, last


def _draw_segment(start: Spot, end: Spot, seat: int, unit: float, on: Ink) -> Iterator[Shape]:
    """An upright or level segment as its seat draws it: thin when it was given, plain, or double."""
    yield Line(*start, *end, SEAT_INKS[seat - 1] if seat else "ink", WEIGHTS[seat] * unit, on=on)
    if seat == 2:
        # Lines end half their weight beyond their spots: the gap is to be as long as what it divides.
        (x1, y1), (x2, y2) = sorted((start, end))
        dx, dy = ((WEIGHTS[2] - CORE) / 2 * unit * (high > low) for low, high in ((x1, x2), (y1, y2)))
        yield Line(x1 - dx, y1 - dy, x2 + dx, y2 + dy, on, CORE * unit)


def _number_turn(position: Plexus, layout: Layout, unit: float) -> Iterator[Shape]:
    """The numbers of the two segments of a turn, where no chip is on them."""
    scored = {point.segments for point in position.points}
    for number, segment in enumerate(position.latest, 1):
        if len(position.segments) - 2 + number not in scored:
            (x1, y1), (x2, y2) = (_spot_of(position, dot) for dot in segment[:2])
            x, y, size = (x1 + x2) / 2, (y1 + y2) / 2, LEAST * layout.squares_per_point
            yield Disc(x, y, max(TURN * unit, 0.5 * size), "gold")
            yield Text(x, y, str(number), max(size, 0.4 * unit), "ink", on="gold")


def _draw_dot(spot: Spot, kind: Kind | None, unit: float, used: bool = False) -> Iterator[Shape]:
    """An endpoint or a midpoint; one without a free dot next to it is `used` up."""
    ink: Ink = "faded" if used else "ink"
    unit *= USED if used else 1
    if kind == "endpoint":
        yield Disc(*spot, RING * unit, ink)
        yield Disc(*spot, BORE * unit, "paper", ink)
    elif kind == "midpoint":
        yield Disc(*spot, DISC * unit, ink)


def _draw_points(position: Plexus, unit: float) -> Iterator[Shape]:
    """A chip on each segment that scored."""
    for point in position.points:
        start, end, _ = position.scoring_segment(point)
        x, y = (sum(pair) / 2 for pair in zip(_spot_of(position, start), _spot_of(position, end), strict=True))
        yield Box(x - RIM / 2 * unit, y - RIM / 2 * unit, RIM * unit, RIM * unit, "paper")
        yield Chip(x, y, SCORED * unit, point.seat, tag="" if position.turn else position.explain(point))


def _spot_of(position: Plexus, dot: int) -> Spot:
    row, column = divmod(dot, position.size)
    return boards.square_centre(column, row)


# On a pad.


def sketch(position: Plexus, seat: int, kind: str, chosen: Mapping[str, str]) -> tuple[Picture, ...]:
    """The board with the chosen dots framed, and the segment between them."""
    board, unit = pictures(position)[0], _board_unit(_make_layout(position.size, 0))
    dots = {name: boards.square_centre(*Square.parse(name, position.size, position.size)) for name in chosen.values()}
    marks = [
        shape
        for name, spot in dots.items()
        for shape in frames.draw_ring(*spot, RING * unit, name, board.squares_per_point)
    ]
    if len(dots) == 2:
        start, end = dots.values()
        marks += frames.draw_line_between(start, end, RING * unit, "segment", board.squares_per_point)
    return (frames.draw_over(board, marks),)


# Below the board.


def _make_key_signs(position: Plexus, layout: Layout) -> Iterator[Sign]:
    """What dots, their grounds, lines and chips mean."""
    unit, high = SYMBOL * layout.squares_per_point, HALO * SYMBOL * layout.squares_per_point

    def dot(kind: Kind | None, mover: int = 0, used: bool = False) -> Callable[[float, float], Iterator[Shape]]:
        def draw(x: float, y: float) -> Iterator[Shape]:
            if mover:
                yield Disc(x + high, y, high, TINT_INKS[mover - 1])
            yield from _draw_dot((x + high, y), kind, unit, used)

        return draw

    def draw_used(x: float, y: float) -> Iterator[Shape]:
        yield from dot("endpoint", used=True)(x - 0.4 * high, y)
        yield from dot("midpoint", used=True)(x + 0.4 * high, y)

    def draw_chips(x: float, y: float) -> Iterator[Shape]:
        for seat in BOTH:
            side = CHIP * layout.squares_per_point
            yield Chip(x + (1.2 * seat - 0.7) * side, y, side, seat)

    def draw_newer(x: float, y: float) -> Iterator[Shape]:
        yield Disc(x + high, y, high, "gold")
        yield Text(x + high, y, "2", LEAST * layout.squares_per_point, "ink", on="gold")

    wide = 2 * HALO * SYMBOL
    ends, middles = Sign(ENDPOINT, wide, dot("endpoint")), Sign(MIDPOINT, wide, dot("midpoint"))
    yield boards.join_signs(layout, (ends, middles))
    if not position.turn:
        return
    (seat,) = position.turn
    told = (ANSWERS if position.kind else STARTS).format(seat=seat_colour(seat), kind=position.kind)
    starts, used = Sign(told, wide, dot(position.kind, seat)), Sign(USED_UP, wide, draw_used)
    yield boards.join_signs(layout, (starts, used))
    if position.points:
        yield Sign(POINTS_MADE, 2.2 * CHIP, draw_chips)
    if len(position.latest) == 2:
        yield Sign(NEWER, wide, draw_newer)


# The list of points.


def _draw_list(position: Plexus, layout: Layout, points: Sequence[Point]) -> Iterator[Shape]:
    """Who scored when, with which segment, and what the other seat lacked, two points to a row."""
    if points:
        top = _list_distance(layout)
        yield from boards.draw_paragraph(layout, [HEADED], top)
        for at in range(0, len(points), 2):
            y = layout.rows + (top + HEADING + ROW * (at // 2 + 0.5)) * layout.squares_per_point
            yield from _draw_pair(position, points[at : at + 2], y, layout.edges[0], layout.squares_per_point)


def _draw_on_page(position: Plexus, points: Sequence[Point], y: float) -> Iterator[Shape]:
    return _draw_pair(position, points, y, EDGE, 1)


def _draw_pair(position: Plexus, points: Sequence[Point], y: float, left: float, unit: float) -> Iterator[Shape]:
    for column, scored in enumerate(points):
        x, tag = left + column * (POINTS / 2 - EDGE) * unit, position.explain(scored)
        yield Chip(x + CHIP / 2 * unit, y, CHIP * unit, scored.seat, tag=tag)
        text = f"{position.name_scoring_line(scored)}: {LACKED[position.lacking_kind(scored)]}"
        yield Text(x + (CHIP + 12) * unit, y, text, LEAST * unit, "ink", "left", tag=tag)


# What is said.


def _make_legend_entries(position: Plexus) -> tuple[LegendEntry, ...]:
    return rendering_pages.make_legend_entries(position)


def _describe_progress(position: Plexus) -> tuple[str, ...]:
    drawn = len(position.segments)
    if position.withdrawn:
        return (f"{seat_colour(position.withdrawn[0])} is out in pair {position.full_move}",)
    if not position.turn:
        return (f"finished after {position.full_move - 1} pairs of turns",)
    (seat,) = position.turn
    if position.kind:
        return f"pair {position.full_move}", f"{seat_colour(seat)} follows from {AN[position.kind]}"
    begins = f"{seat_colour(seat)} begins pair {position.full_move}"
    if position.points and position.points[-1].segments == drawn:
        return f"{seat_colour(position.points[-1].seat)} scored", begins
    return (begins,)
