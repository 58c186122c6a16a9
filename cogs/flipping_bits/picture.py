"""Draws Flipping Bits: the present row, with the latest patterns of the round, or at the end how each round ended.

Filled squares are dark, empty ones light. What was flipped last has a gold frame, and positions whose flip would bring
back an earlier pattern are struck out; where no single flip will do, the legal moves are listed. The patterns of the
round stand in the order in which they came. In each the squares that were flipped are underlined in the colour of the
seat that did it, in a round's last pattern the one that scored.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import chain
from math import ceil
from typing import NamedTuple

from bot.games.wording import Plural, join_words
from cogs.flipping_bits.rules import FlippingBits, first_pattern, format_count
from rendering import boards, frames
from rendering import pages as rendering_pages
from rendering.boards import GILDED, HAIR, PLAIN, Layout, Sign
from rendering.pages import LegendEntry, describe_leavers, join_facts, make_page, seat_colour
from rendering.shapes import (
    EDGE,
    LABEL,
    LEAST,
    POINTS,
    SEAT_INKS,
    Box,
    Chip,
    Ink,
    Line,
    Picture,
    Shape,
    Text,
    text_width,
)

TITLE, NAME = "Flipping Bits", "flipping-bits"
GOAL = "one square alone filled, or alone empty, scores its number"
STRUCK = "struck out: an earlier pattern"
MOST_LISTED = 36
"""Moves of several flips are listed when they are no more than this."""

# In points.
PAGE = POINTS - 2 * EDGE
UNDER, REMARK, HEADING, ROW, CHIP = 16, 36, 50, 50, 34
"""From the row to the remarks; the heights of a remark, a heading and a line with a pattern; a chip there."""
NUMBER, SEAT, PATTERN, SCORE = 64, 70, 110, 44
"""From the left edge: where a line's number ends, and where its chip and its pattern begin; a score's width."""
STROKE = 5
"""The line below a square that was flipped or that scored."""

ROWS, ENDED_ROWS = 5, 10
"""The most patterns shown of a round: of this one, where what flips would bring back is struck out, and of the only
one at its end."""
ALL, LATEST = "this round", "the last {shown} of {made} flips in this round"
FINISHED = Plural("finished after 1 round", "finished after {number} rounds")
OVER = Plural("{round}, over after 1 move", "{round}, over after {number} moves")
MADE = Plural("{round}, 1 move made", "{round}, {number} moves made")
BEGINS = "{round}, {seat} begins"


def pictures(position: FlippingBits) -> tuple[Picture, ...]:
    """The board; at a round's end that round, too."""
    board = _make_board(position, position)
    if not position.opening:
        return (board,)
    before = replace(
        position,
        rounds=len(position.outcomes),
        pattern=position.outcomes[-1].pattern,
        flips=position.ended,
        ended=(),
    )
    return board, replace(_make_board(before, position), name=f"{NAME}-{before.round}", ended=True)


def _make_board(position: FlippingBits, now: FlippingBits) -> Picture:
    """A round's board, its last one where the round has ended, with the totals as they are `now`."""
    plan, alt = _make_plan(position), _write_alt_text(position, now)
    entries = [entry._replace(moves=entry.moves and position is now) for entry in _make_legend_entries(now)]
    return make_page(plan.layout, NAME, alt, (), _draw_on_board(position, plan), entries, _make_key_signs(position))


def _make_key_signs(position: FlippingBits) -> tuple[Sign, ...]:
    """What scores, and what is struck out."""
    if not position.turn:
        return ()
    struck = position.flips_needed == 1 and len(list(position.legal_flips())) < position.squares
    # On a pad, too, a struck number needs its reason.
    return boards.make_remark_sign(GOAL), *([boards.make_remark_sign(STRUCK, now=True)] if struck else [])


def sketch(position: FlippingBits, seat: int, kind: str, chosen: Mapping[str, str]) -> tuple[Picture, ...]:
    """The board with the squares to flip framed, and as they would be."""
    # What is struck out keeps its reason.
    board = replace(_make_board(position, position).without_explanations, foot=0)
    positions = chosen.get("positions", "").split()
    grounds = [
        frames.fill_square(int(at) - 1, 0, "paper" if position.pattern[int(at) - 1] == "1" else "ink", at)
        for at in positions
    ]
    marks = chain(grounds, *(frames.frame_square(int(at) - 1, 0, at, board.squares_per_point) for at in positions))
    return (frames.draw_over(board, marks),)


class _Plan(NamedTuple):
    """A board: its remarks, the moves listed below them, how many of this round's patterns are shown, and of the rounds
    that are over, and in points where each begin."""

    layout: Layout
    remarks: tuple[str, ...]
    listed: tuple[str, ...]
    shown: int
    over: int
    tops: tuple[float, float]


def _make_plan(position: FlippingBits) -> _Plan:
    remarks, listed = _make_remarks(position)
    top = UNDER + REMARK * (len(remarks) + ceil(len(listed) / _count_columns(listed)))
    over = 0 if position.turn else len(position.outcomes)
    most = ROWS if position.turn else 0 if over > 1 else ENDED_ROWS
    shown = min(len(position.flips) + 1, most)
    second = top + HEADING + ROW * shown if shown else top
    bottom = second + HEADING + ROW * over if over else second
    # The squares of all patterns stand below those of the row.
    layout = Layout(position.squares, 1, EDGE + PATTERN, EDGE + SCORE, boards.ABOVE, bottom + UNDER)
    return _Plan(layout, remarks, listed, shown, over, (top, second))


def _make_remarks(position: FlippingBits) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """What is said below the row, and the moves to list there."""
    if position.is_played_out:
        return (_describe_alone(position),), ()
    if position.is_deserted:
        return (), ()
    if position.outcomes and not position.flips:
        return (f"round {position.round - 1}: {_describe_alone(position)}",), ()
    needed, ways = position.flips_needed, list(position.legal_flips())
    if needed == 1:
        return (), ()
    if len(ways) > MOST_LISTED:
        return (f"it takes {format_count(needed)}: {len(ways)} choices make a new pattern",), ()
    words = tuple(" ".join(map(str, way)) for way in ways)
    return (f"it takes {format_count(needed)} to make a new pattern now:",), words


def _describe_alone(position: FlippingBits) -> str:
    outcome = position.outcomes[-1]
    return f"{outcome.describe_alone()}: {outcome.points} for {seat_colour(outcome.seat)}"


def _count_columns(listed: tuple[str, ...]) -> int:
    # How many moves stand on a line.
    return int(PAGE / (max((text_width(move, LEAST) for move in listed), default=0) + 2 * UNDER))


# The row as it is.


def _draw_on_board(position: FlippingBits, plan: _Plan) -> Iterator[Shape]:
    layout = plan.layout
    yield from _draw_positions(position, layout)
    yield from _draw_squares(position, layout)
    for place, remark in enumerate(plan.remarks):
        yield from boards.draw_paragraph(layout, [remark], UNDER + REMARK * place)
    yield from _draw_moves(plan)
    yield from _draw_history(position, plan) if plan.shown else ()
    yield from _draw_rounds(position, plan) if plan.over else ()


def _draw_moves(plan: _Plan) -> Iterator[Shape]:
    """The moves to list, each on a ground of its own."""
    unit, across = plan.layout.squares_per_point, _count_columns(plan.listed)
    wide = PAGE / across - UNDER
    for place, move in enumerate(plan.listed):
        line, column = divmod(place, across)
        x, y = (
            ((wide + UNDER) * column - PATTERN) * unit,
            1 + (UNDER + REMARK * (len(plan.remarks) + line + 0.5)) * unit,
        )
        yield Box(x, y - 0.45 * REMARK * unit, wide * unit, 0.9 * REMARK * unit, "rule", radius=8 * unit)
        yield Text(x + wide / 2 * unit, y, move, LEAST * unit, on="rule")


def _draw_positions(position: FlippingBits, layout: Layout) -> Iterator[Shape]:
    """The numbers of the squares; struck out where a flip would bring back an earlier pattern."""
    size = layout.fit("00", 0.8)
    y = -boards.GAP * layout.squares_per_point - size / 2
    single = position.turn and position.flips_needed == 1
    free = {way[0] for way in position.legal_flips()} if single else set(range(1, position.squares + 1))
    for at in range(1, position.squares + 1):
        yield from boards.draw_place_number(layout, at, y, size, at not in free)


def _draw_squares(position: FlippingBits, layout: Layout) -> Iterator[Shape]:
    """The row, filled squares dark; those flipped last on gold."""
    last = position.flips[-1].positions if position.flips else ()
    for at, digit in enumerate(position.pattern, 1):
        yield from boards.draw_bit(layout, at - 1, 0, digit, at in last)
    if position.is_played_out:
        seat, at, *_ = position.outcomes[-1]
        y = 1 + 1.5 * STROKE * layout.squares_per_point
        yield Line(at - 1 + GILDED, y, at - GILDED, y, SEAT_INKS[seat - 1], 1.5 * STROKE * layout.squares_per_point)


# Patterns in lists.


def _draw_heading(plan: _Plan, part: int, words: str) -> Text:
    unit = plan.layout.squares_per_point
    return Text(-PATTERN * unit, 1 + (plan.tops[part] + HEADING / 2 + 4) * unit, words, LEAST * unit, "faded", "left")


def _draw_gold(plan: _Plan, y: float) -> Box:
    """The gold behind a line."""
    unit = plan.layout.squares_per_point
    return Box((-PATTERN - 10) * unit, y - ROW / 2 * unit, (PAGE + 16) * unit, ROW * unit, "gold", radius=8 * unit)


def _draw_line(
    plan: _Plan, y: float, number: str, pattern: str, seat: int, marked: tuple[int, ...], on: Ink, tag: str = ""
) -> Iterator[Shape]:
    """A line: a number, a seat's chip, and a pattern with some squares underlined in its colour."""
    layout, unit = plan.layout, plan.layout.squares_per_point
    yield Text((NUMBER - PATTERN) * unit, y, number, layout.fit(number, NUMBER * unit, LEAST), "faded", "right", on)
    if seat:
        yield Chip((SEAT - PATTERN + CHIP / 2) * unit, y, CHIP * unit, seat, on=on, tag=tag)
    wide, high = 1 - 2 * PLAIN, 33 * unit
    top = y - high / 2 - 3 * unit
    for at, digit in enumerate(pattern, 1):
        left = at - 1 + PLAIN
        yield Box(left, top, wide, high, "ink" if digit == "1" else "paper", "ink", HAIR * unit, on=on)
        if at in marked:
            under = top + high + (STROKE / 2 + 2) * unit
            inset = STROKE / 2 * unit
            yield Line(left + inset, under, left + wide - inset, under, SEAT_INKS[seat - 1], STROKE * unit, on=on)


def _draw_history(position: FlippingBits, plan: _Plan) -> Iterator[Shape]:
    """This round's patterns in the order in which they came, the latest as many as fit."""
    made, shown = len(position.flips), plan.shown
    head = LATEST if shown <= made else ALL
    yield _draw_heading(plan, 0, head.format(shown=shown, made=made))
    for place, at in enumerate(range(made + 1 - shown, made + 1)):
        y = _middle_of(plan, 0, place)
        if not at:
            yield from _draw_line(plan, y, "start", first_pattern(position.squares), 0, (), "paper")
            continue
        if at == made:
            yield _draw_gold(plan, y)
        seat, positions, pattern = position.flips[at - 1]
        yield from _draw_line(plan, y, str(at), pattern, seat, positions, "gold" if at == made else "paper")


def _draw_rounds(position: FlippingBits, plan: _Plan) -> Iterator[Shape]:
    """The rounds that are over: who scored what, and with which pattern."""
    yield _draw_heading(plan, 1, "finished rounds")
    for at, (seat, points, pattern, _) in enumerate(position.outcomes):
        y, tag, unit = _middle_of(plan, 1, at), position.explain(at), plan.layout.squares_per_point
        latest = at == plan.over - 1 and position.is_played_out
        on: Ink = "gold" if latest else "paper"
        if latest:
            yield _draw_gold(plan, y)
        yield from _draw_line(plan, y, str(at + 1), pattern, seat, (points,), on, tag)
        yield Text((PAGE - PATTERN) * unit, y, str(points), LABEL * unit, "ink", "right", on, tag)


def _middle_of(plan: _Plan, part: int, row: int) -> float:
    """The middle of a line of this round's patterns, or of the rounds that are over."""
    return 1 + (plan.tops[part] + HEADING + ROW * (row + 0.5)) * plan.layout.squares_per_point


# What all say.


def _make_legend_entries(position: FlippingBits) -> tuple[LegendEntry, ...]:
    return rendering_pages.make_legend_entries(
        position, tags=[position.describe_total(seat) for seat in range(1, position.seats + 1)]
    )


def _describe_state(position: FlippingBits, rounds: int) -> str:
    now, made = f"round {position.round} of {rounds}", len(position.flips)
    if len(position.outcomes) == position.round < rounds:
        return OVER.fill_in(made, round=now)
    if position.is_played_out:
        return FINISHED.fill_in(position.rounds)
    if position.is_deserted:
        return f"ended in {now}"
    return MADE.fill_in(made, round=now) if made else BEGINS.format(round=now, seat=seat_colour(position.seat_to_move))


def _write_alt_text(position: FlippingBits, now: FlippingBits) -> str:
    totals = join_words(f"{entry.label} has {entry.total}" for entry in _make_legend_entries(now))
    board, pattern = f"{position.squares} squares", f"the pattern is {position.pattern}"
    return join_facts(TITLE, board, _describe_state(position, now.rounds), describe_leavers(now), pattern, totals)
