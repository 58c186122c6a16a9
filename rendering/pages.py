"""Boards and lists on pages, legends, and alternative texts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple, Protocol

from rendering import boards
from rendering.boards import ACROSS, HAIR, LINE, Layout, Sign, draw_arrow
from rendering.shapes import (
    EDGE,
    LABEL,
    LEAST,
    LEGEND,
    NOTE,
    POINTS,
    TOTAL,
    Box,
    Chip,
    Ink,
    Line,
    Picture,
    Shape,
    Text,
    fit_type_size,
    group_digits,
    text_width,
    wrap_text,
)

# The legend below a board: each seat's chip, what it scores, and its total.


ROW, CHIP, SPACE = 62, 44, 16
"""The height of a line, the side of a chip, and the gap between it and the words, in points."""
MOVER = 30
"""The size of the triangle at a seat that is to move, in points."""
PLATE = 48
"""The height of the gold behind a winning total, in points."""
FEWEST = 3 * LEAST
"""The least width for a total, in points."""
COLOURS = ("blue", "orange", "green", "purple", "red", "brown", "black", "yellow")
"""The names of the seats' colours, by which pictures and alternative texts name players."""
SEAT, MOVES = "legend", "to move"
"""Tags of a seat's chip, and of the triangle at a seat that is to move."""


def seat_colour(seat: int) -> str:
    return COLOURS[seat - 1]


class LegendEntry(NamedTuple):
    """A seat in the legend. `tag` is the fact behind its total; without a total, a score or a word, nothing has it."""

    seat: int
    label: str
    total: str
    won: bool = False
    tag: str = ""
    moves: bool = False

    @property
    def words(self) -> str:
        """What is written beside the chip: the label, unless it only names the chip's colour."""
        return "" if self.label == seat_colour(self.seat) else self.label


class HasScores(Protocol):
    """A position with the scores and ranks of its seats."""

    @property
    def turn(self) -> tuple[int, ...]: ...
    def scores(self) -> tuple[int, ...]: ...
    def ranks(self) -> tuple[int, ...] | None: ...


class HasWorking(HasScores, Protocol):
    """A position with working by seat: `working_of` ends with the line of the total."""

    def working_of(self, seat: int, /) -> Sequence[str]: ...


def make_legend_entries(
    position: HasScores, labels: Sequence[str] = (), totals: Sequence[str] = (), tags: Sequence[str] = ()
) -> tuple[LegendEntry, ...]:
    """The legend of a position: for each seat what it scores, its total, and as a tag the line of working behind that.

    By default labels are the names of the seats' colours, totals are the scores, and there are no tags.
    """
    totals = totals or [str(score) for score in position.scores()]
    labels = labels or [seat_colour(seat) for seat in range(1, len(totals) + 1)]
    ranks = position.ranks() or (0,) * len(labels)
    return tuple(
        LegendEntry(seat, label, total, rank == 1, tags[seat - 1] if tags else "", seat in position.turn)
        for seat, (label, total, rank) in enumerate(zip(labels, totals, ranks, strict=True), 1)
    )


def make_legend_with_working(
    position: HasWorking, labels: Sequence[str], totals: Sequence[str] = ()
) -> tuple[LegendEntry, ...]:
    """The legend of a position whose totals have the last line of each seat's working as their tags."""
    tags = [position.working_of(seat)[-1] for seat in range(1, len(labels) + 1)]
    return make_legend_entries(position, labels, totals, tags)


@dataclass(frozen=True, slots=True)
class LegendPlan:
    """The layout of a legend, in points: seats in a row, the type size of totals, and the lines of a seat."""

    abreast: int
    size: float
    lines: tuple[tuple[str, ...], ...]

    @property
    def column_width(self) -> float:
        """The width of a seat's column, in points."""
        return column_width(self.abreast)

    @property
    def seat_height(self) -> float:
        """The height of a seat, with totals below the words, in points."""
        below = max((len(line) for line in self.lines if self.has_totals_below), default=0)
        return ROW + below * 1.4 * self.size

    @property
    def has_totals_below(self) -> bool:
        """Whether totals are below the words."""
        return any(len(line) > 1 for line in self.lines)


def plan_legend(listed: Sequence[LegendEntry]) -> LegendPlan:
    """The layout of a legend: two seats in a row, or one, or one with totals below the words."""
    for abreast in (2, 1) if len(listed) > 1 else (1,):
        widths = [column_width(abreast) - _words_width(entry) for entry in listed]
        if all(max(FEWEST, text_width(it.total, LEAST)) <= free for it, free in zip(listed, widths, strict=True)):
            size = min(fit_type_size(it.total, TOTAL, free, LEAST) for it, free in zip(listed, widths, strict=True))
            return LegendPlan(abreast, size, tuple((entry.total,) for entry in listed))
    return LegendPlan(1, LEAST, tuple(("", *wrap_text(entry.total, LEAST, POINTS - 2 * EDGE)) for entry in listed))


def column_width(abreast: int) -> float:
    """The width of a seat's column in points if `abreast` of them are in a row, two edges apart."""
    return (POINTS - 2 * EDGE * abreast) / abreast


def _words_width(entry: LegendEntry) -> float:
    # Of chip and words, with the gap before the total, in points.
    return CHIP + 2 * SPACE + text_width(entry.words, LEGEND)


def legend_height(listed: Sequence[LegendEntry]) -> float:
    """The height of a legend, with the empty edge below, in points."""
    laid = plan_legend(listed)
    return -(-len(listed) // laid.abreast) * laid.seat_height + EDGE / 2


def draw_legend(layout: Layout, listed: Sequence[LegendEntry], top: float) -> Iterator[Shape]:
    """Triangle, chip, words and total of every seat, from `top` points below the board."""
    laid, unit, (left, _) = plan_legend(listed), layout.squares_per_point, layout.edges
    for place, (entry, totals) in enumerate(zip(listed, laid.lines, strict=True)):
        line, column = divmod(place, laid.abreast)
        x, y = (
            left + column * (laid.column_width + 2 * EDGE) * unit,
            layout.rows + (top + laid.seat_height * line + ROW / 2) * unit,
        )
        yield from _draw_seat(layout, entry, x, y)
        for below, total in enumerate(totals):
            if total:
                at = y + 1.4 * below * laid.size * unit
                yield from _draw_total(layout, entry, total, x + laid.column_width * unit, at, laid.size * unit)


def _draw_seat(layout: Layout, entry: LegendEntry, x: float, y: float) -> Iterator[Shape]:
    unit = layout.squares_per_point
    ink: Ink = "ink" if entry.moves else "faded"
    if entry.moves:
        yield draw_arrow(x - EDGE / 2 * unit, y, "right", MOVER * unit, tag=MOVES)
    yield Chip(x + CHIP / 2 * unit, y, CHIP * unit, entry.seat, tag=SEAT)
    if words := entry.words:
        yield Text(x + (CHIP + SPACE) * unit, y, words, LEGEND * unit, ink, "left")


def _draw_total(layout: Layout, entry: LegendEntry, total: str, right: float, y: float, size: float) -> Iterator[Shape]:
    unit = layout.squares_per_point
    on: Ink = "gold" if entry.won else "paper"
    if entry.won:
        wide, tall = text_width(total, size) + 20 * unit, min(PLATE * unit, 1.4 * size)
        yield Box(right - wide + 10 * unit, y - tall / 2, wide, tall, "gold", radius=8 * unit)
    yield Text(right, y, total, size, "ink", "right", on, entry.tag)


# Pages: pictures of boards and lists, with a key and a legend.


TALLEST = 1400
"""The greatest height of a list, in points: about the screen of a phone."""
LIST = Layout(POINTS, 0, left=0, right=0, above=EDGE / 2, below=0)
"""The layout of a list, in points."""
UNIT = 30
"""The side of a square, in points, on a page of several boards (`make_page_layout`)."""
WIDE = (POINTS - 2 * EDGE) / UNIT
"""The width of such a page between its edges, in squares."""
ALT = 1000
"""The most characters of lines of working in an alternative text (Discord allows 1,024 in all)."""
CHIP_UNITS, WORDS = CHIP / UNIT, LEGEND / UNIT
"""The side of a chip there, and the type size of words, in squares."""


def make_page(
    layout: Layout,
    name: str,
    alt: str,
    base: Iterable[Shape],
    shapes: Iterable[Shape],
    entries: Sequence[LegendEntry] = (),
    key: Sequence[Sign] = (),
) -> Picture:
    """A board on its page, with a key and the legend below it; of the key, what explains stands last."""
    now, explained = [sign for sign in key if sign.now], [sign for sign in key if not sign.now]
    middle = layout.below + boards.key_height(now)
    top = middle + boards.key_height(explained)
    left, above, right, _ = layout.page_extent
    bottom = layout.rows + (top + (legend_height(entries) if entries else EDGE / 2)) * layout.squares_per_point
    facts, signs = tuple(boards.draw_key(layout, now, layout.below)), tuple(boards.draw_key(layout, explained, middle))
    legend = tuple(draw_legend(layout, entries, top)) if entries else ()
    ground, under_facts, under_key = (
        layout.rows + (height + EDGE / 2) * layout.squares_per_point for height in (layout.below, middle, top)
    )
    return Picture(
        name,
        (left, above, right, bottom),
        tuple(base),
        (*shapes, *facts, *signs, *legend),
        alt,
        foot=len(facts) + len(signs) + len(legend),
        ground=min(ground, bottom),
        explained=len(signs) + len(legend),
        explained_ground=min(under_facts, bottom),
        legend=len(legend),
        legend_ground=min(under_key, bottom),
    )


def make_thumbnail(picture: Picture) -> Picture:
    """The board alone in the middle of a square page: Discord crops thumbnails to a square."""
    picture = picture.without_legend
    left, top, right, bottom = picture.extent
    side = max(right - left, bottom - top)
    left, top = (left + right - side) / 2, (top + bottom - side) / 2
    extent = (left, top, left + side, top + side)
    return replace(picture, name=f"{picture.name}-small", extent=extent, small=True)


ROUND_SHARE = 0.24
"""The type size on the card of a round, in parts of its side: it is seen small."""


def make_round_card(picture: Picture, round: int) -> Picture:
    """Which round begins, as a thumbnail in place of its board, which has no move yet and nobody could read."""
    picture = make_thumbnail(picture)
    left, top, right, bottom = picture.extent
    x, y, size = (left + right) / 2, (top + bottom) / 2, ROUND_SHARE * (right - left)
    lines = enumerate(("round", str(round)))
    words = (Text(x, y + (place - 0.5) * 1.1 * size, line, size, "ink") for place, line in lines)
    return replace(picture, base=(), shapes=tuple(words))


class ListRow(NamedTuple):
    """A row of a list: its height, and the function that draws it around a y, both in points."""

    height: float
    draw: Callable[[float], Iterable[Shape]]


def make_heading_row(*words: str) -> ListRow:
    """The heading of a list, of one or several lines."""
    size = LABEL

    def draw(y: float) -> Iterator[Text]:
        for place, line in enumerate(words):
            yield Text(EDGE, y + (place - (len(words) - 1) / 2) * 1.35 * size, line, size, "faded", "left")

    return ListRow(1.35 * size * len(words) + 16, draw)


def make_sentence_row(words: str, tag: str = "") -> ListRow:
    """A sentence of a list, on as many lines as it needs."""
    lines = wrap_text(words, NOTE, ACROSS)

    def draw(y: float) -> Iterator[Text]:
        for place, line in enumerate(lines):
            yield Text(EDGE, y + (place - (len(lines) - 1) / 2) * LINE, line, NOTE, "ink", "left", tag=tag)

    return ListRow(LINE * len(lines) + 10, draw)


def make_list_pages(
    name: str, alt: str, rows: Sequence[ListRow], entries: Sequence[LegendEntry] = (), head: ListRow | None = None
) -> Iterator[Picture]:
    """Rows on as many pictures as needed, the heading on each, the legend on the last."""
    pages = split_into_pages([row.height for row in rows], TALLEST - (head.height if head else 0))
    for number, part in enumerate(pages, 1):
        shown = [*([head] if head else []), *rows[part.start : part.stop]]
        last = number == len(pages)
        stem, said = (name, alt) if len(pages) == 1 else (f"{name}-{number}", f"{alt} Page {number} of {len(pages)}.")
        yield _make_list_page(stem, said, shown, entries if last else ())


def _make_list_page(name: str, alt: str, rows: Sequence[ListRow], entries: Sequence[LegendEntry]) -> Picture:
    shapes: list[Shape] = []
    top = 0.0
    for row in rows:
        shapes += row.draw(top + row.height / 2)
        top += row.height
    if entries:
        top += 10
        shapes.append(Line(EDGE, top, POINTS - EDGE, top, "ink", HAIR))
        top += 10
    return make_page(replace(LIST, rows=top), name, alt, (), shapes, entries)


def split_into_pages(heights: Sequence[float], most: float) -> list[range]:
    """Rows in pages at most `most` high, of about equal height and never empty.

    >>> split_into_pages([3, 3, 3, 9, 1], 6)
    [range(0, 2), range(2, 3), range(3, 4), range(4, 5)]
    >>> split_into_pages([1, 1, 1, 1], 3)
    [range(0, 2), range(2, 4)]
    """
    pages = _fill_pages(heights, most)
    even = sum(heights) / len(pages) + max(heights, default=0) / 2
    evenly = _fill_pages(heights, min(most, even))
    return evenly if len(evenly) == len(pages) else pages


def _fill_pages(heights: Sequence[float], most: float) -> list[range]:
    starts, filled = [0], 0.0
    for place, height in enumerate(heights):
        if place > starts[-1] and filled + height > most:
            starts.append(place)
            filled = 0
        filled += height
    return [range(start, end) for start, end in zip(starts, [*starts[1:], len(heights)], strict=True)]


# Pages of several boards, measured in squares of 30 points.


def make_page_layout(height: float) -> Layout:
    """The layout of such a page with content of this height; its origin is the content's top left corner."""
    return Layout(WIDE, height, EDGE, EDGE, EDGE / 2, EDGE / 2)


def draw_seat_label(seat: int, words: str, left: float, y: float, ink: Ink = "faded", tag: str = "") -> Iterator[Shape]:
    """A seat's chip with the label of what is below."""
    yield Chip(left + CHIP_UNITS / 2, y, CHIP_UNITS, seat)
    yield Text(left + CHIP_UNITS + 0.5, y, words, WORDS, ink, "left", tag=tag)


# Alternative texts.


class HasTurn(Protocol):
    """A position with the seats to move and those that have left."""

    @property
    def turn(self) -> tuple[int, ...]: ...
    @property
    def withdrawn(self) -> tuple[int, ...]: ...


def join_facts(*said: str) -> str:
    """Facts as sentences: "Plexus. 7 by 7. Blue has 2 and orange has 1."; empty ones are left out."""
    return " ".join(f"{one[0].upper()}{one[1:]}." for one in said if one)


def describe_progress(position: HasTurn, made: int, whole: int, now: str = "") -> str:
    """The progress of a match of two: `now` or "move 17 of 24" while it is played, else how it ended."""
    if position.withdrawn:
        return f"{seat_colour(position.withdrawn[0])} is out after {made} of {whole} moves"
    if position.turn:
        return now or f"move {made} of {whole}"
    return f"finished after {made} moves"


def describe_leavers(position: HasTurn) -> str:
    """The seats that have left: "blue, green and purple are out"; empty without any."""
    if not position.withdrawn:
        return ""
    names, one = join_with_and(map(seat_colour, sorted(position.withdrawn))), len(position.withdrawn) == 1
    return f"{names} is out" if one else f"{names} are out"


def describe_scores(scores: Iterable[int]) -> str:
    """The scores of all seats: "blue has 7 and orange has 9"."""
    return join_with_and(f"{seat_colour(seat)} has {group_digits(score)}" for seat, score in enumerate(scores, 1))


def join_with_and(things: Iterable[str]) -> str:
    """Things in a sentence: "a", "a and b", "a, b and c"."""
    *most, last = things
    return f"{', '.join(most)} and {last}" if most else last


def abridge_lines(lines: Iterable[str]) -> str:
    """The lines of working that fit into an alternative text."""
    said = "; ".join(lines)
    return said if len(said) <= ALT else f"{said[:ALT].rpartition(';')[0]}; and more"


def describe_board(title: str, board: str, said: str, entries: Sequence[LegendEntry]) -> str:
    """The alternative text of a board: the game, its size, the progress of the match, and the totals."""
    return join_facts(title, board, said, join_with_and(f"{entry.label} {entry.total}" for entry in entries))
