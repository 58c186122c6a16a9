"""Draws Sums Grid: a player's own grids while the match goes on, everybody's when it is over.

The numbers 1, 2, 3, … are the board of this game. Players see which of them their own grid makes and how, and the first
that is missing; a spectator sees who is still at work. At the end the grids stand side by side, each above a bar that
shows how far it got, and the winner's sums are listed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from bot.core.values.plural import Plural, together
from bot.core.values.seats import Seat, peopled
from cogs.sums_grid import pages
from cogs.sums_grid.pages import MIDDLE, bar, dark, filling, fitted, frame, framed, page
from cogs.sums_grid.rules import GREATEST, PAR, SumsGrid, fact, par
from cogs.sums_grid.sums import Grid, expression, reach, sums
from rendering import frames, legend
from rendering.legend import Entry, colour
from rendering.pages import WIDE, WORDS, facts, whose
from rendering.shapes import Box, Picture, Shape, Text, grouped

SIDE = 12
"""The side of a grid that has a page to itself."""
BESIDE = SIDE + 1.6
"""Where the facts about it begin."""
HEAD, LARGE, TOTALS = 2.0, 14.0, 1.6
"""Above a grid that is being put together, and its side."""
FIGURE = 3.2
TASK = ("Find, in secret, different", "numbers whose sums are", "1, 2, 3, ... without a gap.")
SEARCH = ("In secret everybody looks for different numbers", "whose sums are 1, 2, 3, ... without a gap.")
ADDING = ("A sum adds up squares that", "stand side by side in a row", "or one above the other.")
ADDING_ALL = ("A sum adds up squares that", "follow one another in a row,", "a column or a diagonal.")
PARS = ("{} has been found", "{} is the maximum")
"""What is known of the best grids of a size."""
MAKES = Plural("how {seat}'s best grid makes 1", "how {seat}'s best grid makes 1 to {number}")
SQUARE, WITH_DIAGONALS = "{size} by {size}", "{size} by {size} with diagonals"
PANEL = 13
"""The width of a grid that shares its page with others; as many share one as there are colours for."""
PANELS = 4
LISTS = 4
"""The most grids that are explained number by number, where several are equally good."""


def pictures(position: SumsGrid) -> tuple[Picture, ...]:
    """What the viewer may see: own grids, everybody's, or who is at work."""
    own = 1 if position.alone else position.viewer
    if own and position.shows(own) and (position.turn or position.alone):
        return tuple(_own(position, own))
    if not any(position.shows(seat) for seat in position.seats):
        return (_status(position),)
    return (*_final(position), *_lists(position))


# A player's own grids.


def _own(position: SumsGrid, seat: Seat) -> Iterator[Picture]:
    best, latest, _ = position.sheets[seat - 1]
    yield _sheet(position, seat, best, "best")
    if latest != best and position.turn:
        yield _sheet(position, seat, latest, "latest")
    if reach(best) and position.size not in pages.SPELLED:
        yield _list(position, seat)


def _sheet(position: SumsGrid, seat: Seat, grid: Grid, which: str) -> Picture:
    size, top = position.size, SIDE + 1.4
    below = top + pages.strip_height(size, position.diagonals)
    shapes = [*_facts(position, seat, grid, which), *pages.strip(top, size, position.diagonals, grid, seat)]
    if grid:
        tag = "" if position.turn else position.working_of(seat)[-1]
        shapes = [*filling(0, 0.4, SIDE, grid, seat, tag), *shapes]
    name, subtitle = "" if which == "best" else f"-{which}", _subtitle(position, seat)
    told = f"Your {which} grid" if position.viewer == seat else f"The {which} grid"
    said = facts(pages.TITLE, *subtitle, told, fact(reach(grid)) if grid else "none yet")
    return page(name, below, shapes, said, frame(0, 0.4, SIDE, size), _states(position) if which == "best" else ())


def _facts(position: SumsGrid, seat: Seat, grid: Grid, which: str) -> Iterator[Shape]:
    """At the right of a grid: how far it reaches, with the signs that stand for this in the grid and in the strip."""
    label = f"{which} grid reaches" if grid else "no grid yet" if position.turn else "no grid"
    tag = "" if position.turn else position.working_of(seat)[0]
    yield from whose(seat, label, BESIDE, 1.1, tag=tag)
    if not grid:
        yield from _lines((*TASK, "", *(ADDING_ALL if position.diagonals else ADDING)), BESIDE, 3.4)
        return
    score, y = reach(grid), 6
    yield Text(BESIDE, 4.1, str(score), FIGURE, "ink", "left", tag=tag)
    if score:
        yield from _signed(framed(BESIDE, y, 2.6, 2, seat), score, f"= {expression(grid, sums(grid)[score])}")
        y += 2.6
    yield from _signed(dark(BESIDE, y, 2.6, 2), score + 1, "is missing")
    if not position.diagonals:
        yield Text(BESIDE, y + 3.6, PARS[position.size in GREATEST].format(PAR[position.size]), WORDS, "faded", "left")


def _signed(sign: Box, number: int, words: str) -> Iterator[Shape]:
    yield sign
    y = sign.top + sign.height / 2
    ink, on = ("paper", "ink") if sign.fill == "ink" else ("ink", sign.fill or "paper")
    yield Text(sign.left + sign.width / 2, y, str(number), MIDDLE, ink, on=on)
    x = sign.left + sign.width + 0.5
    yield Text(x, y, words, fitted(words, WORDS, WIDE - x), "ink", "left")


def _lines(lines: Sequence[str], x: float, y: float) -> Iterator[Text]:
    return (Text(x, y + 1.3 * place, line, WORDS, "ink", "left") for place, line in enumerate(lines) if line)


def _states(position: SumsGrid) -> tuple[Entry, ...]:
    """Who is still at work."""
    return legend.entries(position, totals=[position.state(seat) for seat in position.seats])


# On a pad.


def sketch(position: SumsGrid, seat: Seat, kind: str, chosen: Mapping[str, str]) -> tuple[Picture, ...]:
    """A grid with the numbers chosen so far, the sums of its lines, and a frame where the next goes or about all."""
    numbers, size, cell = chosen.get("grid", "").split(), position.size, LARGE / position.size
    hole = next((at for at, number in enumerate(numbers) if not number.isdecimal()), len(numbers))
    shapes = list(whose(seat, f"{len(numbers)} of {size**2} numbers", 0, 0.9))
    for at, number in ((at, number) for at, number in enumerate(numbers) if at != hole):
        row, column = divmod(at, size)
        x, y = (column + 0.5) * cell, HEAD + (row + 0.5) * cell
        said = grouped(int(number))
        shapes.append(Text(x, y, said, fitted(said, 0.42 * cell, 0.78 * cell), tag=frames.tagged(number)))
    alt = facts(pages.TITLE, "a new grid", " ".join(numbers) or "empty")
    shapes += _beside([int(number) if number.isdecimal() else 0 for number in numbers], size)
    board = page("-new", HEAD + LARGE + TOTALS, shapes, alt, frame(0, HEAD, LARGE, size))
    return (frames.over(board, _next(hole, size, board.point)),)


def _beside(numbers: Sequence[int], size: int) -> Iterator[Shape]:
    """The sums of the rows beside a grid, and of the columns below it."""
    cell = LARGE / size
    for line in range(size):
        row, column = sum(numbers[line * size : (line + 1) * size]), sum(numbers[line::size])
        if row:
            yield Text(LARGE + 0.7, HEAD + (line + 0.5) * cell, grouped(row), pages.LITTLE, "faded", "left")
        if column:
            yield Text((line + 0.5) * cell, HEAD + LARGE + 0.9, grouped(column), pages.LITTLE, "faded")


def _next(filled: int, size: int, unit: float) -> Iterator[Shape]:
    """A frame about the square that is filled next; about all of them when none is left."""
    (row, column), cell = divmod(filled, size), LARGE / size
    left, top, side = (column * cell, row * cell, cell) if row < size else (0.0, 0.0, LARGE)
    return frames.box(left, HEAD + top, side, side, "grid", unit)


# Who is at work.


def _status(position: SumsGrid) -> Picture:
    """An empty grid, and of everybody only whether they are done; of somebody alone at the end the score."""
    shapes: list[Shape] = []
    score = position.scores()[0]
    if position.alone and not position.turn:
        shapes.append(Text(BESIDE, 4.4, str(score), FIGURE, "ink", "left"))
        shapes += _lines(fact(score).replace(", ", ",|").split("|"), BESIDE, 7)
        top = SIDE
    else:
        shapes += _lines(SEARCH, 0, SIDE + 1.8)
        top = SIDE + 3.2
    said = together([f"{colour(seat)} {position.state(seat)}" for seat in position.seats])
    alt = facts(pages.TITLE, *_subtitle(position), said)
    return page("", top, shapes, alt, pages.veiled(0, 0.4, SIDE, position.size), _states(position))


# Everybody's grids.


def _final(position: SumsGrid) -> Iterator[Picture]:
    """The best grids, some on a page."""
    for first in range(0, len(position.seats), PANELS):
        seats = position.seats[first : first + PANELS]
        shapes = [shape for place, seat in enumerate(seats) for shape in _panel(position, seat, *_corner(place))]
        base = [line for place in range(len(seats)) for line in frame(*_beneath(place), PANEL, position.size)]
        _, top = _corner(len(seats) - 1)
        said = [peopled(position.working_of(seat)[0], colour) for seat in seats]
        name = f"-{first // PANELS + 1}" if first else ""
        yield page(
            name,
            top + TALL - 0.6,
            shapes,
            facts(pages.TITLE, *_subtitle(position), *said),
            base,
            _totals(position)[first : first + PANELS],
        )


HEADER = 2.2
TALL = HEADER + PANEL + pages.ABOVE_BAR + pages.BAR + pages.BELOW_BAR + 0.8


def _corner(place: int) -> tuple[float, float]:
    """Where the panel with this place on its page begins."""
    return place % 2 * (WIDE - PANEL), place // 2 * TALL + 0.4


def _beneath(place: int) -> tuple[float, float]:
    left, top = _corner(place)
    return left, top + HEADER


def _panel(position: SumsGrid, seat: Seat, left: float, top: float) -> Iterator[Shape]:
    """A seat with its grid, and how far that reaches."""
    sheet = position.sheets[seat - 1]
    state = position.state(seat)
    yield from whose(seat, f"{colour(seat)}, left" if state == "left" else colour(seat), left, top + 1)
    reached, *last = position.working_of(seat)
    if sheet.best:
        yield from filling(left, top + HEADER, PANEL, sheet.best, seat, "".join(last))
    else:
        yield Box(left + 1, top + HEADER + PANEL / 2 - 1.2, PANEL - 2, 2.4, "paper")
        yield Text(left + PANEL / 2, top + HEADER + PANEL / 2, "no grid", MIDDLE, "faded")
    best_known = None if position.diagonals else PAR[position.size]
    most = max(best_known or 1, *position.scores()) + 1
    yield from bar(left, top + HEADER + PANEL, PANEL, sheet.best, seat, best_known, most, reached)


def _totals(position: SumsGrid) -> tuple[Entry, ...]:
    return legend.entries(position, totals=[str(sheet.score) for sheet in position.sheets])


def _lists(position: SumsGrid) -> Iterator[Picture]:
    """How the viewer's own grid and the winners' grids make their numbers."""
    ranks = position.ranks() or ()
    winners = [seat for seat, rank in enumerate(ranks, 1) if rank == 1 and seat != position.viewer]
    wanted = [*([position.viewer] if ranks and position.viewer else []), *winners]
    reaching = [seat for seat in wanted if position.sheets[seat - 1].score]
    yield from (_list(position, seat) for seat in reaching[:LISTS])


def _list(position: SumsGrid, seat: Seat) -> Picture:
    grid = position.sheets[seat - 1].best
    bottom, texts = pages.listing(grid, 2.4)
    lead = MAKES.of(reach(grid), seat=colour(seat))
    heading = whose(seat, lead, 0, 1, "ink")
    return page(f"-sums-{seat}", bottom, (*heading, *texts), facts(pages.TITLE, lead), ())


def _subtitle(position: SumsGrid, seat: Seat | None = None) -> tuple[str, str, str]:
    """The size, how far the match is, and the par, where there is one."""
    size, state = (WITH_DIAGONALS if position.diagonals else SQUARE).format(size=position.size), ""
    if not position.turn:
        state = "finished"
    elif seat and position.state(seat) != "working":
        state = "you are done" if position.state(seat) == "done" else "you have left"
    return size, state, "" if position.diagonals else f"par: {par(position.size)}"
