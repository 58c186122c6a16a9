"""Draws Sums Grid: a player's own grids while the match goes on, everybody's when it is over.

The numbers 1, 2, 3, … are the board of this game. Players see which of them their own grid makes and how, and the first
that is missing; a spectator sees who is still at work. At the end the grids stand side by side, each above a bar that
shows how far it got, and the winner's sums are listed.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from itertools import count, groupby
from math import ceil

from bot.games.position import Seat, name_seats
from bot.games.wording import Plural, join_words
from cogs.sums_grid.rules import (
    PAR,
    Grid,
    Run,
    SumsGrid,
    describe_best,
    describe_score,
    find_reach,
    find_sums,
    format_sum,
    list_runs,
)
from rendering import frames
from rendering import pages as rendering_pages
from rendering.boards import BOLD, HAIR, Direction, column_name, draw_arrow, row_name
from rendering.pages import UNIT, WIDE, WORDS, LegendEntry, draw_seat_label, join_facts, seat_colour
from rendering.shapes import (
    LABEL,
    LEAST,
    SEAT_INKS,
    TINT_INKS,
    Box,
    Ink,
    Line,
    Picture,
    Shape,
    Text,
    group_digits,
    text_width,
)

# Draws the parts of Sums Grid's pictures, measured in squares of 30 points.


TITLE, NAME = "Sums Grid", "sums-grid"
HAIRLINE, THICK = HAIR / UNIT, BOLD / UNIT
MIDDLE, LITTLE = LABEL / UNIT, LEAST / UNIT
"""Sizes of type."""

STRIP = {2: (5, 2.8), 3: (5, 2.7), 4: (13, 1.9), 5: (14, 1.7)}
"""How many numbers of the strip stand on a line, and how high a line is; without diagonals the last is full."""
SPELLED, SPELLING = (2, 3), 1.15
"""The sizes where the sum that makes a number of the strip fits below it, and its type at most."""
INSET = 0.1
"""How far a frame stays inside its squares."""
PITCH, GUTTER = 1.3, 0.8
"""From line to line and between the columns of a list."""
COLUMNS = (4, 3, 2)
"""How many columns a list has: the first of these where its lines fit."""
BAR, ABOVE_BAR, BELOW_BAR = 0.9, 2.0, 1.7
"""The height of the bar, and of what stands above and below it."""


def make_page(
    name: str,
    height: float,
    shapes: Iterable[Shape],
    alt: str,
    base: Iterable[Shape],
    entries: Sequence[LegendEntry] = (),
) -> Picture:
    """A page with content of this height and the legend below it; its origin is the content's top left corner."""
    return rendering_pages.make_page(
        rendering_pages.make_page_layout(height), f"{NAME}{name}", alt, base, shapes, entries
    )


def fit_type_size(text: str, size: float, width: float) -> float:
    """The type size, at most `size` and still legible, at which a text fits into `width`."""
    return max(LITTLE, min(size, size * width / text_width(text, size)))


# A grid.


@cache
def draw_empty_grid(left: float, top: float, wide: float, size: int) -> tuple[Shape, ...]:
    ends = [step * wide / size for step in range(size + 1)]
    upright = (Line(left + end, top, left + end, top + wide, "ink", HAIRLINE) for end in ends)
    level = (Line(left, top + end, left + wide, top + end, "ink", HAIRLINE) for end in ends)
    return (*upright, *level)


def draw_numbers(left: float, top: float, wide: float, grid: Grid, seat: int, tag: str = "") -> Iterator[Shape]:
    """The numbers of a grid; those that make the last number without a gap are framed, with the tag, in the colours of
    a seat or without one in none."""
    size, run = grid.size, find_last_run(grid)
    cell = wide / size
    # A diagonal has a frame around each of its squares.
    straight = len({square // size for square in run}) == 1 or len({square % size for square in run}) == 1
    pieces = [run] if straight else [(square,) for square in run]
    yield from (_frame_run(left, top, cell, piece, size, seat, tag) for piece in pieces)
    for square, value in enumerate(grid.numbers):
        row, column = divmod(square, size)
        at = left + (column + 0.5) * cell, top + (row + 0.5) * cell
        on = _choose_inks(seat)[0] if square in run else "paper"
        yield Text(*at, group_digits(value), fit_type_size(group_digits(value), 0.42 * cell, 0.78 * cell), on=on)


def find_last_run(grid: Grid) -> Run:
    """The run that makes the last number without a gap; empty where not even 1 is made."""
    return find_sums(grid).get(find_reach(grid), ())


def _frame_run(left: float, top: float, cell: float, run: Run, size: int, seat: int, tag: str) -> Box:
    (row, column), (last_row, last_column) = divmod(run[0], size), divmod(run[-1], size)
    wide, high = (last_column - column + 1) * cell, (last_row - row + 1) * cell
    return make_reach_sign(left + column * cell, top + row * cell, wide, high, seat, inset=0, tag=tag)


def make_reach_sign(
    x: float, y: float, wide: float, high: float, seat: int, inset: float = INSET, tag: str = ""
) -> Box:
    """The sign for the last number without a gap and for what makes it."""
    tint, ink = _choose_inks(seat)
    return Box(x + inset, y + inset, wide - 2 * inset, high - 2 * inset, tint, ink, THICK, 0.3, tag=tag)


def _choose_inks(seat: int) -> tuple[Ink, Ink]:
    return (TINT_INKS[seat - 1], SEAT_INKS[seat - 1]) if seat else ("paper", "ink")


def make_gap_sign(x: float, y: float, wide: float, high: float) -> Box:
    """The sign for the first number that is missing."""
    return Box(x + INSET, y + INSET, wide - 2 * INSET, high - 2 * INSET, "ink", radius=0.3)


# The strip of numbers.


def first_out_of_reach(size: int, diagonals: bool) -> int:
    """The first number that no grid can reach: one more than there are runs."""
    return len(list_runs(size, diagonals)) + 1


def strip_height(size: int, diagonals: bool) -> float:
    across, high = STRIP[size]
    return high * ceil(first_out_of_reach(size, diagonals) / across)


def draw_strip(top: float, size: int, diagonals: bool, grid: Grid, seat: int) -> Iterator[Shape]:
    """The numbers 1, 2, 3, …: those reached on the seat's pale colour, the first missing one dark."""
    across, high = STRIP[size]
    wide, made, reached = WIDE / across, find_sums(grid), find_reach(grid)
    for place in range(first_out_of_reach(size, diagonals)):
        line, column = divmod(place, across)
        x, y, number = column * wide, top + line * high, place + 1
        sign = _make_sign(x, y, wide, high, number, reached, number in made, seat)
        yield sign
        ink: Ink = "paper" if number == reached + 1 else "ink" if number in made else "faded"
        if size in SPELLED:
            words = "missing" if number == reached + 1 else explain_number(grid, number)
            yield from _draw_numeral(sign, str(number), words, ink, MIDDLE)
        else:
            yield from _draw_numeral(sign, str(number), "", ink, LITTLE)


def explain_number(grid: Grid, number: int) -> str:
    """The sum that makes a number; empty where a single square holds it, or nothing makes it."""
    run = find_sums(grid).get(number, ())
    return format_sum(grid, run, "+") if len(run) > 1 else ""


def _make_sign(x: float, y: float, wide: float, high: float, number: int, reached: int, made: bool, seat: int) -> Box:
    if number == reached:
        return make_reach_sign(x, y, wide, high, seat)
    if number == reached + 1:
        return make_gap_sign(x, y, wide, high)
    fill = TINT_INKS[seat - 1] if number < reached else None
    line: Ink | None = None if fill else SEAT_INKS[seat - 1] if made else "faded"
    return Box(x + INSET, y + INSET, wide - 2 * INSET, high - 2 * INSET, fill, line, HAIRLINE, 0.3)


def _draw_numeral(sign: Box, number: str, words: str, ink: Ink, size: float) -> Iterator[Text]:
    """A number in its box, with what makes it below."""
    x, on, width = sign.left + sign.width / 2, sign.fill or "paper", sign.width - 0.2
    middle = 0.33 if words else 0.5
    yield Text(x, sign.top + middle * sign.height, number, fit_type_size(number, size, width), ink, on=on)
    if words:
        yield Text(x, sign.top + 0.73 * sign.height, words, fit_type_size(words, SPELLING, width), ink, on=on)


# The bar.


def draw_bar(
    left: float, top: float, wide: float, grid: Grid, seat: int, best: int | None, most: int, tag: str
) -> Iterator[Shape]:
    """The numbers up to `most` side by side: those reached, in pale colour other sums; the best score above."""
    made, reached = find_sums(grid), find_reach(grid)
    step, y = wide / most, top + ABOVE_BAR
    for is_made, group in groupby(range(1, most + 1), lambda number: number in made):
        numbers = list(group)
        ink = SEAT_INKS[seat - 1] if numbers[0] <= reached else TINT_INKS[seat - 1]
        if is_made:
            yield Box(left + (numbers[0] - 1) * step, y, len(numbers) * step, BAR, ink)
    yield Box(left, y, wide, BAR, None, "ink", HAIRLINE, tag=tag)
    if best:
        words = describe_best(grid.size) if grid else str(best)
        yield from _draw_mark(left, wide, (best - 0.5) * step, y - 0.3, "down", words, "faded")
    yield from _draw_mark(left, wide, (reached + 0.5) * step, y + BAR + 0.3, "up", f"{reached + 1} is missing", "ink")


def _draw_mark(left: float, wide: float, x: float, y: float, way: Direction, words: str, ink: Ink) -> Iterator[Shape]:
    """A small triangle that points at the bar, and its words beyond it, kept between the ends of the bar."""
    half = text_width(words, WORDS) / 2
    yield draw_arrow(left + x, y, way, 0.5, ink)
    middle = left + min(max(x, half), wide - half)
    yield Text(middle, y + (0.8 if way == "up" else -0.8), words, WORDS, ink)


# The list.


def draw_sums_list(grid: Grid, top: float) -> tuple[float, tuple[Shape, ...]]:
    """How a grid makes each number up to its reach, and where that ends: squares first, then sums in columns."""
    numbers = range(1, find_reach(grid) + 1)
    single = [str(number) for number in numbers if not explain_number(grid, number)]
    added = [f"{number} = {words}" for number in numbers if (words := explain_number(grid, number))]
    intro = [
        Text(0, top + (line + 0.5) * PITCH, text, LITTLE, "ink", "left")
        for line, text in enumerate(_split_into_rows(single))
    ]
    top += (len(intro) + 0.5) * PITCH
    columns = next(many for many in COLUMNS if many == COLUMNS[-1] or _fits_columns(added, _column_width(many)))
    width, high = _column_width(columns), -(-(len(added) + 1) // columns)
    spots = [(place // high * (width + GUTTER), top + place % high * PITCH) for place in range(len(added) + 1)]
    texts = [
        Text(x, y + PITCH / 2, line, fit_type_size(line, LITTLE, width), "ink", "left")
        for (x, y), line in zip(spots, added, strict=False)
    ]
    return top + high * PITCH, (*intro, *texts, *draw_missing_number(*spots[-1], find_reach(grid) + 1))


def _column_width(columns: int) -> float:
    return (WIDE + GUTTER) / columns - GUTTER


def _fits_columns(lines: Sequence[str], width: float) -> bool:
    return all(text_width(line, LITTLE) <= width for line in lines)


def _split_into_rows(numbers: Sequence[str]) -> Iterator[str]:
    """Lines of the numbers that are squares of the grid, as many on each as fit."""
    row = "squares alone:"
    for place, number in enumerate(numbers, 1):
        longer = f"{row} {number}{',' if place < len(numbers) else ''}".strip()
        if text_width(longer, LITTLE) > WIDE:
            yield row
            longer = longer.removeprefix(row).strip()
        row = longer
    yield row


def draw_missing_number(x: float, y: float, number: int) -> Iterator[Shape]:
    """The first number that is missing, as a line of the list."""
    sign = make_gap_sign(x - INSET, y - INSET, text_width(str(number), LITTLE) + 0.8, PITCH + 2 * INSET)
    yield sign
    yield Text(sign.left + sign.width / 2, y + PITCH / 2, str(number), LITTLE, "paper", on="ink")
    yield Text(sign.left + sign.width + 0.3, y + PITCH / 2, "is missing", LITTLE, "ink", "left")


SIDE = 11
"""The side of a grid that has a page to itself."""
BESIDE = SIDE + 1.6
"""Where the facts about it begin."""
HEAD, LARGE, BEGUN = 3.4, 14.0, 1.4
"""Above a grid that is being put together, its side, and left of it."""
FIGURE = 3.2
KEYS, MOST_KEYS = {2: 3, 3: 4, 4: 6, 5: 8}, 96
"""How many numbers stand in a line beside a grid that is being put together, and how many at most in all."""
EXAMPLE, EXAMPLE_SIDE, EXAMPLE_KEYS, AIM = (1, 2, 4, 3), 5.4, 4, 1.5
"""The grid that shows a spectator what is looked for, its side, how many numbers are in a line beside it, and the type
size of the aim."""
TASK = ("Find, in secret, different", "numbers whose sums are", "1, 2, 3, ... without a gap.")
SEARCH = ("Find a grid whose sums are 1, 2, 3, ...", "without a gap, as far as you can.")
ADDING = ("A sum adds up squares that", "stand side by side in a row", "or one above the other.")
ADDING_ALL = ("A sum adds up squares that", "follow one another in a row,", "a column or a diagonal.")
BEYOND, FRAMED = "is a sum beyond the gap", "framed: makes the last number before the gap"
MAKES = Plural("how the best grid makes 1", "how the best grid makes 1 to {number}")
MAKES_OF = Plural("how {seat}'s best grid makes 1", "how {seat}'s best grid makes 1 to {number}")
SQUARE, WITH_DIAGONALS = "{size} by {size}", "{size} by {size} with diagonals"
PANEL = 13
"""The width of a grid that shares its page with others; as many share one as there are colours for."""
PANELS = 4
SMALL, SMALL_ABREAST = 6.3, 4
"""The width of a grid where all players share a page, and how many are in a row."""
LISTS = 4
"""The most grids that are explained number by number, where several are equally good."""


def pictures(position: SumsGrid) -> tuple[Picture, ...]:
    """What the viewer may see: own grids, everybody's, or who is at work."""
    own = 1 if position.is_alone else position.viewer
    if own and position.can_see(own) and (position.turn or position.is_alone):
        return tuple(_make_own_pages(position, own))
    if not any(position.can_see(seat) for seat in position.seats):
        return (_make_status(position),)
    return (*_make_final_pages(position), *_make_lists(position))


# A player's own grids.


def _make_own_pages(position: SumsGrid, seat: Seat) -> Iterator[Picture]:
    best, latest, _ = position.sheets[seat - 1]
    yield _make_sheet(position, seat, best, "best")
    if latest != best and position.turn:
        yield _make_sheet(position, seat, latest, "latest")
    if find_reach(best) and position.size not in SPELLED:
        yield _make_list(position, seat)


def _make_sheet(position: SumsGrid, seat: Seat, grid: Grid, which: str) -> Picture:
    size, top = position.size, SIDE + 1.4
    below = top + strip_height(size, position.diagonals)
    shapes = [*_draw_facts(position, seat, grid, which), *draw_strip(top, size, position.diagonals, grid, seat)]
    if grid:
        tag = "" if position.turn else position.working_of(seat)[-1]
        shapes = [*draw_numbers(0, 0.4, SIDE, grid, seat, tag), *shapes]
    name, subtitle = "" if which == "best" else f"-{which}", _make_subtitle(position, seat)
    told = f"Your {which} grid" if position.viewer == seat else f"The {which} grid"
    said = join_facts(TITLE, *subtitle, told, describe_score(find_reach(grid)) if grid else "none yet")
    return make_page(
        name,
        below,
        shapes,
        said,
        draw_empty_grid(0, 0.4, SIDE, size),
        _make_state_entries(position) if which == "best" else (),
    )


def _draw_facts(position: SumsGrid, seat: Seat, grid: Grid, which: str) -> Iterator[Shape]:
    """At the right of a grid: how far it reaches, with the signs that stand for this in the grid and in the strip."""
    label = f"{which} grid" if grid else "no grid yet" if position.turn else "no grid"
    tag = "" if position.turn else position.working_of(seat)[0]
    yield from draw_seat_label(seat, label, BESIDE, 1.1, tag=tag)
    if not grid:
        yield from _draw_lines((*TASK, "", *(ADDING_ALL if position.diagonals else ADDING)), BESIDE, 3.4)
        return
    score, y = find_reach(grid), 3
    if score:
        yield from _draw_labelled_sign(
            make_reach_sign(BESIDE, y, 2.6, 2, seat), score, f"= {format_sum(grid, find_sums(grid)[score])}"
        )
        y += 2.6
    yield from _draw_labelled_sign(make_gap_sign(BESIDE, y, 2.6, 2), score + 1, "is missing")
    shown = range(score + 2, first_out_of_reach(grid.size, grid.diagonals))
    if beyond := next((number for number in shown if number in find_sums(grid)), 0):
        sign = _make_sign(BESIDE, y + 2.6, 2.6, 2, beyond, score, True, seat)
        yield from _draw_labelled_sign(sign, beyond, BEYOND)


def _draw_labelled_sign(sign: Box, number: int, words: str) -> Iterator[Shape]:
    yield sign
    y = sign.top + sign.height / 2
    ink, on = ("paper", "ink") if sign.fill == "ink" else ("ink", sign.fill or "paper")
    yield Text(sign.left + sign.width / 2, y, str(number), MIDDLE, ink, on=on)
    x = sign.left + sign.width + 0.5
    yield Text(x, y, words, fit_type_size(words, WORDS, WIDE - x), "ink", "left")


def _draw_lines(lines: Sequence[str], x: float, y: float) -> Iterator[Text]:
    return (Text(x, y + 1.3 * place, line, WORDS, "ink", "left") for place, line in enumerate(lines) if line)


def _make_state_entries(position: SumsGrid) -> tuple[LegendEntry, ...]:
    """Who is still at work."""
    return rendering_pages.make_legend_entries(
        position, totals=[position.describe_state(seat) for seat in position.seats]
    )


# On a pad.


def sketch(position: SumsGrid, seat: Seat, kind: str, chosen: Mapping[str, str]) -> tuple[Picture, ...]:
    """A grid with the numbers chosen so far, how far their sums go, and a frame where the next goes or about all."""
    numbers, size, cell = chosen.get("grid", "").split(), position.size, LARGE / position.size
    hole = next((at for at, number in enumerate(numbers) if not number.isdecimal()), len(numbers))
    known = [int(number) if number.isdecimal() else 0 for number in numbers]
    shapes = list(draw_seat_label(seat, _describe_begun(known, position), BEGUN, 0.9))
    shapes += _name_lines(size)
    for at, number in ((at, number) for at, number in enumerate(numbers) if at != hole):
        row, column = divmod(at, size)
        x, y = BEGUN + (column + 0.5) * cell, HEAD + (row + 0.5) * cell
        said = group_digits(int(number))
        shapes.append(Text(x, y, said, fit_type_size(said, 0.42 * cell, 0.78 * cell), tag=frames.tag_of_mark(number)))
    shapes += _draw_keys(position, seat, known)
    alt = join_facts(TITLE, "a new grid", " ".join(numbers) or "empty")
    board = make_page("-new", HEAD + LARGE, shapes, alt, draw_empty_grid(BEGUN, HEAD, LARGE, size))
    return (frames.draw_over(board, _frame_next(hole, size, board.squares_per_point)),)


def _describe_begun(numbers: Sequence[int], position: SumsGrid) -> str:
    """How far the sums of a grid go that is being put together: of its runs only those without an empty square."""
    return describe_score(_find_begun_reach(_find_begun_sums(numbers, position)))


def _find_begun_sums(numbers: Sequence[int], position: SumsGrid) -> frozenset[int]:
    """The sums of the runs without an empty square."""
    filled = [*numbers, *[0] * (position.size**2 - len(numbers))]
    runs = list_runs(position.size, position.diagonals)
    return frozenset(sum(filled[square] for square in run) for run in runs if all(filled[square] for square in run))


def _find_begun_reach(made: Collection[int]) -> int:
    return next(number for number in count() if number + 1 not in made)


def _draw_keys(position: SumsGrid, seat: Seat, numbers: Sequence[int]) -> Iterator[Shape]:
    """The numbers 1, 2, 3, … beside a grid that is being put together, as in the strip below a whole one."""
    made, across, left = _find_begun_sums(numbers, position), KEYS[position.size], BEGUN + LARGE + 0.8
    reached, most = _find_begun_reach(made), min(first_out_of_reach(position.size, position.diagonals), MOST_KEYS)
    wide, lines = (WIDE - left) / across, ceil(most / across)
    high = min(LARGE / lines, 2.4)
    for place in range(most):
        line, column = divmod(place, across)
        number = place + 1
        sign = _make_sign(left + column * wide, HEAD + line * high, wide, high, number, reached, number in made, seat)
        ink: Ink = "paper" if number == reached + 1 else "ink" if number in made else "faded"
        yield sign
        yield from _draw_numeral(sign, str(number), "", ink, LITTLE)


def _name_lines(size: int) -> Iterator[Text]:
    """The names of columns and rows, as buttons have them."""
    for at in range(size):
        middle = (at + 0.5) * LARGE / size
        yield Text(BEGUN + middle, HEAD - 0.8, column_name(at), MIDDLE, "faded")
        yield Text(BEGUN - 0.4, HEAD + middle, row_name(at), MIDDLE, "faded", "right")


def _frame_next(filled: int, size: int, unit: float) -> Iterator[Shape]:
    """A frame about the square that is filled next; about all of them when none is left."""
    (row, column), cell = divmod(filled, size), LARGE / size
    left, top, side = (column * cell, row * cell, cell) if row < size else (0.0, 0.0, LARGE)
    return frames.frame_box(BEGUN + left, HEAD + top, side, side, "grid", unit)


# Who is at work.


def _make_status(position: SumsGrid) -> Picture:
    """What is looked for, with an example, and of each player only whether they are done; at the end of a solo match
    the score."""
    said = join_words([f"{seat_colour(seat)} {position.describe_state(seat)}" for seat in position.seats])
    alt, entries = join_facts(TITLE, *_make_subtitle(position), said), _make_state_entries(position)
    if position.is_alone and not position.turn:
        score = position.scores()[0]
        shapes = [Text(0, 2, str(score), FIGURE, "ink", "left"), *_draw_lines([describe_score(score)], 0, 4.6)]
        return make_page("", 5.4, shapes, alt, (), entries)
    top, across = 5.4, WIDE - EXAMPLE_SIDE - 1
    grid = Grid(EXAMPLE, position.diagonals)
    shapes = [Text(0, 1 + 1.6 * line, words, AIM, "ink", "left") for line, words in enumerate(SEARCH)]
    shapes += [*draw_numbers(0, top, EXAMPLE_SIDE, grid, 0), *_draw_reached(WIDE - across, top, across, grid)]
    base = draw_empty_grid(0, top, EXAMPLE_SIDE, grid.size)
    return make_page("", top + EXAMPLE_SIDE, shapes, alt, base, entries)


def _draw_reached(left: float, top: float, across: float, grid: Grid) -> Iterator[Shape]:
    """The numbers that an example makes, and how, up to the first that is missing."""
    reached = find_reach(grid)
    wide, high = across / EXAMPLE_KEYS, EXAMPLE_SIDE / 2
    for place in range(reached + 1):
        line, column = divmod(place, EXAMPLE_KEYS)
        x, y, number = left + column * wide, top + line * high, place + 1
        sign, words = make_gap_sign(x, y, wide, high), "missing"
        if number <= reached:
            frame: Ink | None = "ink" if number == reached else None
            sign, words = replace(sign, fill="rule", line=frame, weight=THICK), explain_number(grid, number)
        yield sign
        yield from _draw_numeral(sign, str(number), words, "ink" if number <= reached else "paper", MIDDLE)


# Everybody's grids.


def _make_final_pages(position: SumsGrid) -> Iterator[Picture]:
    """The best grids, some on a page; of more players than fit on one all small, where they are legible, then all."""
    entries = rendering_pages.make_legend_entries(position, totals=[str(sheet.score) for sheet in position.sheets])
    if _fits_overview(position):
        yield _make_overview(position)
    for first in range(0, len(position.seats), PANELS):
        seats = position.seats[first : first + PANELS]
        shapes, base, top = list[Shape](), list[Shape](), 0.0
        for place, seat in enumerate(seats):
            left, top = _panel_corner(place)
            shapes += _draw_panel(position, seat, left, top)
            base += draw_empty_grid(left, top + HEADER, PANEL, position.size)
        said = [name_seats(position.working_of(seat)[0], seat_colour) for seat in seats]
        name = f"-{first // PANELS + 1}" if first else ""
        yield make_page(
            name,
            top + TALL - 0.6,
            shapes,
            join_facts(TITLE, *_make_subtitle(position), *said),
            base,
            entries[first : first + PANELS],
        )


def _fits_overview(position: SumsGrid) -> bool:
    """Whether there are more players than share a page, and their numbers are legible on small grids."""
    numbers = [str(number) for sheet in position.sheets for number in sheet.best.numbers]
    widest = max((text_width(number, LITTLE) for number in numbers), default=0)
    return len(position.sheets) > PANELS and widest <= SMALL / position.size


def _make_overview(position: SumsGrid) -> Picture:
    """Everybody's best grid, each below how far it got."""
    shapes, base, high = list[Shape](), list[Shape](), HEADER + SMALL + 1.2
    for seat in position.seats:
        row, column = divmod(seat - 1, SMALL_ABREAST)
        left, top = column * (WIDE - SMALL) / (SMALL_ABREAST - 1), row * high + 0.4
        shapes += _draw_best(position, seat, left, top, SMALL, tinted=False)
        base += draw_empty_grid(left, top + HEADER, SMALL, position.size)
    said = [name_seats(position.working_of(seat)[0], seat_colour) for seat in position.seats]
    bottom = -(-len(position.sheets) // SMALL_ABREAST) * high
    shapes.append(Text(0, bottom, FRAMED, WORDS, "faded", "left"))
    return make_page("-all", bottom + 0.8, shapes, join_facts(TITLE, *_make_subtitle(position), *said), base)


HEADER = 2.2
TALL = HEADER + PANEL + ABOVE_BAR + BAR + BELOW_BAR + 0.8


def _panel_corner(place: int) -> tuple[float, float]:
    """Where the panel with this place on its page begins."""
    return place % 2 * (WIDE - PANEL), place // 2 * TALL + 0.4


def _draw_panel(position: SumsGrid, seat: Seat, left: float, top: float) -> Iterator[Shape]:
    """A seat with its grid, and how far that reaches."""
    yield from _draw_best(position, seat, left, top, PANEL)
    best, reached = None if position.diagonals else PAR[position.size], position.working_of(seat)[0]
    most = max(best or 1, *position.scores()) + 1
    yield from draw_bar(left, top + HEADER + PANEL, PANEL, position.sheets[seat - 1].best, seat, best, most, reached)


def _draw_best(
    position: SumsGrid, seat: Seat, left: float, top: float, wide: float, tinted: bool = True
) -> Iterator[Shape]:
    """A seat with its best grid, if it has one; a picture has too few colours for the tints of all."""
    sheet = position.sheets[seat - 1]
    has_left = position.describe_state(seat) == "left"
    yield from draw_seat_label(seat, "left" if has_left else "", left, top + 1, "ink")
    _, *last = position.working_of(seat)
    if sheet.best:
        yield from draw_numbers(left, top + HEADER, wide, sheet.best, seat if tinted else 0, "".join(last))
    else:
        yield Box(left + 0.5, top + HEADER + wide / 2 - 1.2, wide - 1, 2.4, "paper")
        yield Text(left + wide / 2, top + HEADER + wide / 2, "no grid", MIDDLE, "faded")


def _make_lists(position: SumsGrid) -> Iterator[Picture]:
    """How the viewer's own grid and the winners' grids make their numbers."""
    ranks = position.ranks() or ()
    winners = [seat for seat, rank in enumerate(ranks, 1) if rank == 1 and seat != position.viewer]
    wanted = [*([position.viewer] if ranks and position.viewer else []), *winners]
    reaching = [seat for seat in wanted if position.sheets[seat - 1].score]
    yield from (_make_list(position, seat) for seat in reaching[:LISTS])


def _make_list(position: SumsGrid, seat: Seat) -> Picture:
    grid = position.sheets[seat - 1].best
    bottom, texts = draw_sums_list(grid, 2.4)
    reach = find_reach(grid)
    heading = draw_seat_label(seat, MAKES.fill_in(reach), 0, 1, "ink")
    alt = join_facts(TITLE, MAKES_OF.fill_in(reach, seat=seat_colour(seat)))
    return make_page(f"-sums-{seat}", bottom, (*heading, *texts), alt, ())


def _make_subtitle(position: SumsGrid, seat: Seat | None = None) -> tuple[str, str, str]:
    """The size, how far the match is, and the best score, where it is known."""
    size, state = (WITH_DIAGONALS if position.diagonals else SQUARE).format(size=position.size), ""
    if not position.turn:
        state = "finished"
    elif seat and position.describe_state(seat) != "working":
        state = "you are done" if position.describe_state(seat) == "done" else "you have left"
    return size, state, "" if position.diagonals else describe_best(position.size)
