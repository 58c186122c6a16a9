"""Draws Cross, Don't Cross: the circle with numbered intersections, and lenses over those that crowd.

Chords are heavy lines in the defence's colour, segments thin ones in the offence's; the last line lies on gold. What
the next segment must do stands above the circle. Legal segments are dashed; where they are many, a number on the
offence's tint is one from which some lead. Two large or three small lenses stand below the circle, more on a page of
their own, and while chords are drawn the round before. When the match is over, the first page shows all rounds side by
side with their counts. A round that has not begun is an empty circle: the one before stands large above it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import product
from typing import NamedTuple

from bot.games.position import BOTH, Seat
from bot.games.wording import Plural
from cogs.cross_dont_cross.crossings import Drawing
from cogs.cross_dont_cross.rules import CrossDontCross, attacking_seat, defending_seat, format_count
from cogs.cross_dont_cross.scene import (
    CAPTION,
    CHORD,
    CORNER,
    DASH,
    DASHED,
    LARGE,
    NAME,
    SEGMENT,
    SMALL,
    TITLE,
    UNIT,
    DrawingScene,
    Lens,
    LensSize,
    ScenePage,
    View,
    draw_circle,
    draw_lens,
    draw_lenses,
    draw_small_round,
    list_live_points,
    make_lens_page,
    place_lenses,
    spot_on_page,
    whole_circle,
)
from rendering import boards, frames
from rendering import pages as rendering_pages
from rendering.boards import Layout, Sign, make_remark_sign
from rendering.pages import LegendEntry, describe_scores, join_facts, make_page, seat_colour
from rendering.shapes import EDGE, LEAST, LEGEND, POINTS, TINT_INKS, Box, Ink, Line, Picture, Shape, Spot, Text

ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
LETTERS = (*ALPHABET, *(first + second for first in "ABC" for second in ALPHABET))
"""Names of lenses: there are fewer of them than intersections."""

# In points.
STATUS = 56
"""The height of the line that says what is next."""
SIDE, SCALE_SIDE, AWAY, SCALE_AWAY = 70, 185, 50, 130
"""Left and right of the circle, and above and below it: without degrees, and with them."""
LENS_SIDE = 150
"""Left and right of a circle that has lenses below it."""
CHORD_SIDE, ALONE_SIDE, CORNER_SIDE, NARROW_SIDE, NARROWEST_SIDE = 250, 110, 165, 225, 300
"""Left and right of the circle on a pad for a chord and for a segment, so that the keys fit: without lenses, with
lenses in the corners, with more below, and where lenses on a page of their own show what is small on the circle."""
CORNER_LEFT, CORNER_EDGE, CORNER_GAP = 70, 12, 48
"""Left of a circle with lenses in the corners, between these and the page's edge, and between both."""
SAMPLE = 56
"""A line in the key."""
RANGE = "–"
"""Between the ends of an arc that is chosen."""
MIDDLE: Spot = (1.0, 1.0)
"""Where the middle of the circle lies, in squares."""
RADIUS = 10
"""On a pad, the radius of what is left free within a ring."""
SMALL_GAP, SMALL_CAPTION, STACKED = 40, 92, 280
"""Between two rounds side by side, below each, and the radius of two rounds one above the other."""
BEFORE, BESIDE, BEFORE_AT = 105, 200, (581.0, 470.0)
"""The radius of the round before, that of the circle beside it on which chords are drawn, and how far right of its left
end and below its top the middle of the other lies."""
FEW_POINTS, NUMBERS = 8, 36
"""Rounds side by side with no more points have their numbers, for which the circles are so much smaller."""


def pictures(position: CrossDontCross) -> tuple[Picture, ...]:
    """The board, with lenses where it takes them; at a round's end that round again, after the last one all rounds."""
    if not position.turn:
        last = (replace(page, last=True) for page in _make_boards(position, position.round))
        return (_make_summary(position), *last)
    if position.round > 1 and not position.current_drawing.chords:
        over = (
            replace(page, ended=position.opening is not None) for page in _make_boards(position, position.round - 1)
        )
        return (_make_empty_board(position), *over)
    return tuple(_make_boards(position, position.round))


# A round.


@lru_cache(maxsize=64)
def _make_layout(degrees: bool, row: float = 0, side: float = SIDE, scale_side: float = SCALE_SIDE) -> Layout:
    """The layout of a circle, with `row` points below it."""
    side, away = (scale_side, SCALE_AWAY) if degrees else (side, AWAY)
    return Layout(2, 2, side, side, EDGE / 2 + STATUS + away, away + row)


@lru_cache(maxsize=1)
def _make_layout_beside() -> Layout:
    """The layout of a circle on which chords are drawn, with the round before in a corner."""
    left, below = POINTS - EDGE - BEFORE - BEFORE_AT[0], BEFORE_AT[1] + BEFORE + SMALL_CAPTION - 2 * BESIDE
    return Layout(2, 2, left, POINTS - left - 2 * BESIDE, EDGE / 2 + STATUS + SCALE_AWAY, below)


Ends = Sequence[tuple[str, int]]
"""Ends chosen on a pad: what each is called, and which point it is."""


class LensPlan(NamedTuple):
    """How a round is shown: what is left and right of the circle, its lenses and their size, and whether they stand
    with the circle."""

    side: float
    top: Lens
    kind: LensSize
    beside: bool

    @property
    def in_corners(self) -> bool:
        return self.beside and self.kind == CORNER


Ways = Sequence[tuple[float, LensSize]]
"""What may be left and right of the circle with lenses of a size, the largest circle first; the last of them is for
lenses on a page of their own."""
ON_BOARD: Ways = tuple(product((SIDE, LENS_SIDE), (LARGE, SMALL)))
ON_PAD: Ways = ((ALONE_SIDE, CORNER), (CORNER_SIDE, CORNER), (NARROW_SIDE, SMALL), (NARROWEST_SIDE, SMALL))


def _plan_lenses(drawing: Drawing, ways: Ways, radius: Callable[[float], float], alone: bool = False) -> LensPlan:
    """The largest circle, and lenses, that fit on a page; else the smallest circle, with pages for lenses.

    `radius` is that of the circle for what is left and right of it; if it stands `alone`, lenses have pages.
    """
    plans = [
        LensPlan(side, whole_circle(drawing.points, radius(side), kind.radius, list_live_points(drawing)), kind, False)
        for side, kind in ways
    ]
    for plan in plans:
        count = len([*plan.top.iter_all()])
        if not count or count <= plan.kind.abreast and plan.side >= LENS_SIDE and not alone:
            return plan._replace(beside=count > 0)
    last = [plan for plan in plans if plan.side == plans[-1].side]
    return next((plan for plan in last if len([*plan.top.iter_all()]) <= plan.kind.most), last[-1])


CORNER_RADIUS = POINTS / 2 - CORNER_SIDE
CORNER_RIGHT = POINTS - CORNER_EDGE - CORNER.radius - CORNER_LEFT - CORNER_RADIUS
CORNER_DOWN = math.sqrt((CORNER_RADIUS + CORNER.radius + CORNER_GAP) ** 2 - CORNER_RIGHT**2)
"""The radius of a circle with lenses in the corners, and how far right of its middle, and above or below, those of
lenses lie."""


@lru_cache(maxsize=2)
def _make_corner_layout(lenses: int) -> Layout:
    """The layout of a circle with a lens in the lower right corner, and with two also in the upper one."""
    right, beyond = POINTS - CORNER_LEFT - 2 * CORNER_RADIUS, CORNER_DOWN + CORNER.radius - CORNER_RADIUS + CORNER_EDGE
    return Layout(2, 2, CORNER_LEFT, right, beyond if lenses > 1 else EDGE / 2 + STATUS + AWAY, beyond)


def _place_in_corners(lenses: Sequence[Lens], layout: Layout) -> list[tuple[Lens, Spot]]:
    unit = layout.squares_per_point
    downs = (CORNER_DOWN,) if len(lenses) == 1 else (-CORNER_DOWN, CORNER_DOWN)
    spots = [spot_on_page(MIDDLE, (CORNER_RIGHT, down), unit) for down in downs]
    return [*zip(lenses, spots, strict=True)]


def _make_boards(position: CrossDontCross, which: int) -> Iterator[Picture]:
    return (page.picture for page in make_pages(position, which))


def make_pages(
    position: CrossDontCross, which: int, ways: Ways = ON_BOARD, start: int | None = None
) -> Iterator[ScenePage]:
    """The page of a round and those for its lenses where they are many; on a pad segments from the chosen `start`."""
    drawing = position.drawings[which - 1]
    degrees = len(drawing.chords) < position.chords
    before = degrees and which > 1
    plan = (
        _plan_lenses(drawing, [way for way in ways if way[0] == ways[-1][0]], lambda side: BESIDE, alone=True)
        if before
        else _plan_lenses(drawing, ways, lambda side: 1 / _make_layout(degrees, 0, side).squares_per_point)
    )
    lenses = tuple(plan.top.iter_all())
    layout = _lay_out(plan, degrees, before, len(lenses))
    letters = dict(zip(lenses, LETTERS, strict=False))
    scene = DrawingScene.of_round(drawing, which, letters, layout.squares_per_point, ways == ON_PAD, start)
    row = _place_beside(plan, lenses, layout) if plan.beside else []
    alt = join_facts(TITLE, _describe_progress(position, which), FEWEST, describe_scores(position.scores()))
    shapes = (
        *_draw_on_board(position, scene, plan, layout),
        *_draw_beside(scene, plan, row, layout),
        *(_draw_round_before(position, which - 1, layout) if before else ()),
    )
    signs = tuple(_make_key_signs(position, scene, layout))
    board = make_page(
        layout,
        f"{NAME}-{which}",
        alt,
        draw_circle(layout, degrees),
        shapes,
        _make_legend_entries(position, which),
        signs,
    )
    yield ScenePage(board, [(plan.top.view, MIDDLE), *((lens.view, middle) for lens, middle in row)])
    if not plan.beside:
        for number, first in enumerate(range(0, len(lenses), plan.kind.most), 1):
            yield make_lens_page(scene, lenses[first : first + plan.kind.most], number, plan.kind)


def _lay_out(plan: LensPlan, degrees: bool, before: bool, lenses: int) -> Layout:
    if before:
        return _make_layout_beside()
    if plan.in_corners:
        return _make_corner_layout(lenses)
    return _make_layout(degrees, 2 * plan.kind.radius + CAPTION if plan.beside else 0, plan.side)


def _place_beside(plan: LensPlan, lenses: Sequence[Lens], layout: Layout) -> list[tuple[Lens, Spot]]:
    """Where lenses lie that stand with the circle."""
    if plan.in_corners:
        return _place_in_corners(lenses, layout)
    y = layout.rows + (layout.below - plan.kind.radius - CAPTION) * layout.squares_per_point
    return place_lenses(lenses, layout, y, plan.kind)


def _draw_beside(
    scene: DrawingScene, plan: LensPlan, row: Sequence[tuple[Lens, Spot]], layout: Layout
) -> Iterator[Shape]:
    if not plan.in_corners:
        yield from draw_lenses(scene, row, layout)
        return
    for lens, middle in row:
        yield from draw_lens(scene, lens, middle)
        yield from scene.draw_letter(lens, middle)


def _make_empty_board(position: CrossDontCross) -> Picture:
    """The circle of a later round, without a chord."""
    layout = _make_layout(False)
    alt = join_facts(TITLE, _describe_progress(position, position.round), FEWEST, describe_scores(position.scores()))
    entries = _make_legend_entries(position, position.round)
    return make_page(layout, f"{NAME}-{position.round}", alt, draw_circle(layout, False), (), entries)


def _draw_round_before(position: CrossDontCross, which: int, layout: Layout) -> Iterator[Shape]:
    """The result to beat, beside the circle of the next round."""
    yield from draw_small_round(position, which, View(0, 0, UNIT, BEFORE), BEFORE_AT, layout, 2 * (BEFORE + EDGE))


def _draw_on_board(position: CrossDontCross, scene: DrawingScene, plan: LensPlan, layout: Layout) -> Iterator[Shape]:
    middle, top, view = MIDDLE, plan.top, plan.top.view
    yield from _draw_status(position, scene, layout, with_choice=not plan.in_corners)
    yield from scene.draw_lines(view, middle)
    yield from scene.draw_legal_segments(view, middle)
    yield from scene.draw_outside_numbers(view, middle)
    yield from scene.draw_dots(view, middle)
    yield from scene.draw_numbers(top, middle, whole=True)
    if scene.letters and not plan.beside:
        names = [*scene.letters.values()]
        span = names[0] if len(names) == 1 else f"{names[0]} to {names[-1]}"
        words, y = f"{span}: next picture", layout.rows + (layout.below - 12) * layout.squares_per_point
        yield Text(layout.edges[1], y, words, LEAST * layout.squares_per_point, "ink", "right")


def _draw_status(
    position: CrossDontCross, scene: DrawingScene, layout: Layout, with_choice: bool = True
) -> Iterator[Shape]:
    """What the next line must do, and perhaps how much choice there is, or how the round ended."""
    unit, (left, right) = layout.squares_per_point, layout.edges
    y = -layout.above * unit + (EDGE / 2 + STATUS / 2) * unit
    words, choice = _describe_next_line(position, scene.which)
    yield Text(left, y, words, LEGEND * unit, "ink", "left")
    if with_choice:
        yield Text(right, y, choice, LEAST * unit, "faded", "right")


def _make_key_signs(position: CrossDontCross, scene: DrawingScene, layout: Layout) -> Iterator[Sign]:
    """What lines and grounds mean, and what wins."""
    unit = layout.squares_per_point

    def line(ink: Ink, weight: float, dash: float = 0) -> Callable[[float, float], Iterable[Shape]]:
        return lambda x, y: (Line(x, y, x + SAMPLE * unit, y, ink, weight * unit, dash * unit),)

    def ground(x: float, y: float) -> Iterator[Shape]:
        yield Box(x, y - 13 * unit, 36 * unit, 26 * unit, TINT_INKS[attacking_seat(scene.which) - 1])

    (chords, segments), next_line = scene.line_inks, []
    if scene.legal:
        next_line = [Sign("may be drawn", SAMPLE, line("ink", DASHED, DASH))]
    elif scene.drawing.crossings:
        next_line = [Sign("may begin it", 36, ground)]
    told = Sign("chords", SAMPLE, line(chords, CHORD)), Sign("segments", SAMPLE, line(segments, SEGMENT))
    yield boards.join_signs(layout, (*told, *next_line))
    if position.turn and (aim := _describe_aim(position)):
        yield make_remark_sign(aim, now=True)


# All rounds.


def _make_summary(position: CrossDontCross) -> Picture:
    """All rounds: two one above the other with their counts beside them, unless they are simple; else side by side."""
    abreast = 2 if position.round <= 4 else 3
    size = (POINTS - 2 * EDGE - (abreast - 1) * SMALL_GAP) / abreast / 2
    numbers = NUMBERS if all(_can_be_numbered(drawing, size - NUMBERS) for drawing in position.drawings) else 0
    stacked = position.round == 2 and not numbers
    if stacked:
        abreast, size = 1, STACKED
    rows, pitch = -(-position.round // abreast), 2 * size + (SMALL_GAP if stacked else SMALL_CAPTION)
    layout = Layout(2, rows * pitch / (POINTS - 2 * EDGE) * 2, EDGE, EDGE, EDGE / 2, 10)
    found: list[Shape] = []
    for place in range(position.round):
        row, column = divmod(place, abreast)
        middle, view = (size + column * (2 * size + SMALL_GAP), size + row * pitch), View(0, 0, UNIT, size - numbers)
        found += draw_small_round(position, place + 1, view, middle, layout, 2 * size, numbers > 0, stacked)
    alt = join_facts(
        TITLE, _describe_progress(position, position.round, over=True), FEWEST, describe_scores(position.scores())
    )
    return make_page(layout, NAME, alt, (), found, _make_legend_entries(position, 0))


def _can_be_numbered(drawing: Drawing, radius: float) -> bool:
    """Whether all points of a round can be told apart on a small circle."""
    return len(drawing.points) <= FEW_POINTS and not whole_circle(drawing.points, radius, SMALL.radius).inner


# What is said.


FEWEST = "fewest segments win"
FEWER = Plural("fewer than 1 segment wins", "fewer than {number} segments win")


def _describe_next_line(position: CrossDontCross, which: int) -> tuple[str, str]:
    """What the next line of a round must do and how much choice there is; of a round that is over, how it ended."""
    drawing = position.drawings[which - 1]
    rule = "cross exactly one" if drawing.must_cross else "cross nothing"
    if position.withdrawn and which == position.round:
        return f"{seat_colour(position.withdrawn[0]).capitalize()} is out", ""
    if len(drawing.chords) < position.chords:
        who = seat_colour(defending_seat(which)).capitalize()
        left = position.chords - len(drawing.chords)
        return f"{who}: {left} of {position.chords} chords to draw", "0 to 359 degrees"
    if drawing.crossings:
        legal = len(list(drawing.legal_segments()))
        who = seat_colour(attacking_seat(which)).capitalize()
        told = f"{who}: segment {len(drawing.segments) + 1}, {rule}"
        return told, f"{legal} legal"
    return (
        f"{seat_colour(attacking_seat(which)).capitalize()} drew {format_count(len(drawing.segments))}",
        "",
    )


def _describe_aim(position: CrossDontCross) -> str:
    """How few segments win in the last round; nothing where that is not possible any more: the message says so."""
    lead, drawn = position.segments_to_win, len(position.current_drawing.segments)
    # While the offence is to move, it has to draw one more.
    return FEWER.fill_in(lead) if lead and (position.is_chording or drawn + 1 < lead) else ""


def _make_legend_entries(position: CrossDontCross, which: int) -> list[LegendEntry]:
    """The legend: both seats with their parts in a round and their scores; for round 0 without parts, with sums."""
    roles = {defending_seat(which): "chords", attacking_seat(which): "segments"} if which else {}
    facts = () if position.turn else [position.working_of(seat) for seat in BOTH]
    sums = () if which else [fact.partition(": ")[2] for fact in facts]
    listed = rendering_pages.make_legend_entries(
        position, [roles.get(seat, seat_colour(seat)) for seat in BOTH], sums, facts
    )
    return [entry._replace(moves=entry.moves and which == position.round) for entry in listed]


def _describe_progress(position: CrossDontCross, which: int, over: bool = False) -> str:
    """How far a round is, or the whole match when it is over."""
    if position.withdrawn and (over or which == position.round):
        return f"{seat_colour(position.withdrawn[0])} is out in round {which} of {position.rounds}"
    if over:
        return f"finished after {position.rounds} rounds"
    drawing = position.drawings[which - 1]
    done = "over" if which < position.round or not position.turn else _describe_stage(position, drawing)
    return f"round {which} of {position.rounds}, {done}"


def _describe_stage(position: CrossDontCross, drawing: Drawing) -> str:
    if len(drawing.chords) < position.chords:
        return f"{len(drawing.chords)} of {position.chords} chords"
    return format_count(len(drawing.segments))


# On a pad.


def sketch(position: CrossDontCross, seat: Seat, kind: str, chosen: Mapping[str, str]) -> tuple[Picture, ...]:
    """The circle with the chosen ends marked and the line between them; for segments also what lenses show of it."""
    if kind == "chord":
        return (_sketch_chord(position, chosen),)
    ends = [(name, int(name) - 1) for name in chosen.values()]
    first, *lenses = make_pages(position, position.round, ON_PAD, ends[0][1] if ends else None)
    pages = [first, *(page for page in lenses if len(ends) < 2 or _shows_end(position, page, ends))]
    return tuple(frames.draw_over(page.picture, _draw_segment(position, page, ends)) for page in pages)


def _sketch_chord(position: CrossDontCross, chosen: Mapping[str, str]) -> Picture:
    """The circle without lenses, which no chord needs, and what is chosen of one."""
    layout, which = _make_layout(True, scale_side=CHORD_SIDE), position.round
    scene, view = (
        DrawingScene(position.current_drawing, which, {}, layout.squares_per_point),
        whole_circle((), 1 / layout.squares_per_point, SMALL.radius).view,
    )
    shapes = (
        *_draw_status(position, scene, layout),
        *scene.draw_lines(view, MIDDLE),
        *_draw_chord(chosen, layout.squares_per_point),
    )
    alt = join_facts(TITLE, _describe_progress(position, which), FEWEST, describe_scores(position.scores()))
    return make_page(layout, f"{NAME}-{which}", alt, draw_circle(layout, True), shapes)


def _draw_chord(chosen: Mapping[str, str], unit: float) -> Iterator[Shape]:
    yield from sorted(_draw_arcs(chosen, unit), key=lambda mark: bool(mark.tag))  # rims first
    whole = [degree for degree in chosen.values() if degree.isdecimal()]
    spots = [boards.spot_on_circle(int(degree)) for degree in whole]
    for degree, spot in zip(whole, spots, strict=True):
        yield from frames.draw_ring(*spot, RADIUS * unit, degree, unit)
    if len(spots) == 2:
        yield from frames.draw_line_between(spots[0], spots[1], RADIUS * unit, "chord", unit)


def _draw_arcs(chosen: Mapping[str, str], unit: float) -> Iterator[Shape]:
    """The arcs of which only the range is chosen."""
    for arc in (one for one in chosen.values() if not one.isdecimal()):
        first, last = map(int, arc.split(RANGE))
        for degree in range(first, last):
            start, end = (boards.spot_on_circle(one) for one in (degree, degree + 1))
            yield from frames.draw_line(start, end, arc, unit)


def _shows_end(position: CrossDontCross, page: ScenePage, ends: Ends) -> bool:
    """Whether a page of lenses shows a chosen end."""
    return any(view.holds(position.current_drawing.points[place]) for view, _ in page.views for _, place in ends)


def _draw_segment(position: CrossDontCross, page: ScenePage, ends: Ends) -> Iterator[Shape]:
    unit = page.picture.squares_per_point
    for view, middle in page.views:
        for name, place in ends:
            point = position.current_drawing.points[place]
            if view.holds(point):
                yield from frames.draw_ring(*spot_on_page(middle, view.spot(point), unit), RADIUS * unit, name, unit)
        if len(ends) == 2:
            yield from _draw_line(position, view, middle, ends, unit)


def _draw_line(position: CrossDontCross, view: View, middle: Spot, ends: Ends, unit: float) -> Iterator[Shape]:
    start, end = (position.current_drawing.points[place] for _, place in ends)
    if stretch := view.visible_stretch(start, end):
        first, last = (spot_on_page(middle, spot, unit) for spot in stretch)
        yield from frames.draw_line_between(first, last, RADIUS * unit, "segment", unit)
