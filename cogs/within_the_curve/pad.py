"""What may be chosen next: corners from which the curve can be closed, copies to work on, squares that fit."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from heapq import nsmallest
from itertools import pairwise
from typing import NamedTuple

from bot.games.moves import Question
from bot.games.notation import Square, find_numbers_starting, parse_squares
from bot.games.position import MoveError, Seat
from bot.games.wording import Plural, join_words
from cogs.within_the_curve.rules import WithinTheCurve
from cogs.within_the_curve.sheet import (
    TURNS,
    Curve,
    CurveSheet,
    find_direction,
    iter_next_corners,
    iter_straight,
    neighbours_by_square,
)

# Decides, exactly and quickly, whether a curve that has been begun can still be closed around something.


NEAREST = 3
"""The number of squares that are tried first for a curve to go round."""

Ways = dict[int, list[int]]
"""To which squares one can step from each square."""


@lru_cache(maxsize=1024)
def closable_corners(corners: tuple[Square, ...], size: int) -> tuple[Square, ...]:
    """The squares that can be the next corner of a begun curve that is closed at once or later."""
    if not corners:
        return tuple(Square.from_ordinal(square, size) for square in range(size**2))
    return tuple(square for square in iter_next_corners(corners, size) if is_closable((*corners, square), size))


def is_closable(corners: Sequence[Square], size: int) -> bool:
    """Whether a curve that begins with these two or more corners, and turns at the last, can be closed."""
    begun = [square for side in pairwise(corners) for square in iter_straight(*side)]
    path = [square.ordinal(size) for square in (*begun, corners[-1])]
    ways = _steps_by_square(corners, path, size)
    return _goes_round(ways, path, size) or (_is_joined(ways, path) and _encloses_any(ways, path, size))


def _goes_round(ways: Ways, path: Sequence[int], size: int) -> bool:
    """Whether a shortest way round one of the nearest open squares passes no square twice; most curves can do that."""
    for square in _nearest_open_squares(path, size):
        way = _find_shortest(ways, path, size, square)
        if way and len({*way, path[-1]}) == len(way) + 1:
            return True
    return False


def _encloses_any(ways: Ways, path: Sequence[int], size: int) -> bool:
    """Whether some way encloses a square: one off the maze, or one that it leaves out."""
    begun, taken = _label_path(path, size), _bits_of(path)
    maze = _make_maze(ways, path, -1)
    inside = (maze.rings | maze.sums[path[0]] ^ begun) & _inner_squares(size) & ~taken
    if inside & ~_bits_of(maze.sums):
        return True
    for square in maze.sums:
        if inside >> square & 1:
            rest = _make_maze(ways, path, square)
            if path[0] in rest.sums and (rest.rings | rest.sums[path[0]] ^ begun) >> square & 1:
                return True
    return False


# Ways through free squares.


def _steps_by_square(corners: Sequence[Square], path: Sequence[int], size: int) -> Ways:
    """The steps between free squares, to the side from the last corner, and from the side to the first."""
    start, here, taken = path[0], path[-1], frozenset(path)
    entries = _squares_beside(corners[0], find_direction(*corners[:2]), size)
    exits = _squares_beside(corners[-1], find_direction(*corners[-2:]), size)
    beside = neighbours_by_square(size)
    ways = {square: [other for other in beside[square] if other not in taken] for square in range(size**2)}
    ways[start], ways[here] = [], [start] if start in exits and here in entries else []
    for end, sides in (here, exits), (start, entries):
        for square in sides:
            if square not in taken:
                ways[end].append(square)
                ways[square].append(end)
    return ways


def _squares_beside(corner: Square, way: tuple[int, int], size: int) -> list[int]:
    """The squares at both sides of a corner, seen along the curve."""
    column, row = corner
    places = ((column + way[1], row + way[0]), (column - way[1], row - way[0]))
    return [y * size + x for x, y in places if 0 <= x < size and 0 <= y < size]


def _find_shortest(ways: Ways, path: Sequence[int], size: int, inside: int) -> list[int]:
    """The squares of a shortest way back to where the path began that closes it round a square.

    Such a way may pass a square twice: once on its way out, once after it has crossed the line from the left edge to
    the square inside once more. There may be none.
    """
    edge_of_row, odd = inside - inside % size, size**2
    begun = _label_path(path, size) >> inside & 1
    start, goal = path[-1], path[0] + odd * (1 - begun)
    came, edge = {start: start}, [start]
    while edge and goal not in came:
        following: list[int] = []
        for state in edge:
            square = state % odd
            for other in ways[square]:
                step, lower = state - square + other, other if other > square else square
                if edge_of_row <= lower < inside and (other - square == size or square - other == size):
                    step = (step + odd) % (2 * odd)
                if other != inside and step not in came:
                    came[step] = state
                    following.append(step)
        edge = following
    way = [goal] if goal in came else []
    while way and came[way[-1]] != start:
        way.append(came[way[-1]])
    return [state % odd for state in way]


def _is_joined(ways: Ways, path: Sequence[int]) -> bool:
    """Whether there is any way back to where the path began."""
    reached, edge = {path[-1]}, [path[-1]]
    while edge:
        for other in ways[edge.pop()]:
            if other not in reached:
                reached.add(other)
                edge.append(other)
    return path[0] in reached


def _nearest_open_squares(path: Sequence[int], size: int) -> list[int]:
    """The few squares nearest to the end of a path that it does not even touch with a corner."""
    taken, (column, row) = _bits_of(path), Square.from_ordinal(path[-1], size)
    free = [square for square, around in _rings_by_square(size).items() if not around & taken]
    return nsmallest(NEAREST, free, lambda it: abs(it % size - column) + abs(it // size - row))


# The maze.


class _Maze(NamedTuple):
    """For each square on a simple way the labels on some way to it; and all squares that the maze has rings around."""

    sums: dict[int, int]
    rings: int


def _make_maze(ways: Ways, path: Sequence[int], left_out: int) -> _Maze:
    start, here = path[0], path[-1]
    order, came, low = _search_depth_first(ways, here, start, left_out)
    place = {square: at for at, square in enumerate(order, 1)} | {start: 0}
    sums = {here: 0}
    for square in order[1:]:
        # A square behind which nothing leads back beyond its parent is cut off by the parent.
        parent = came[square]
        if parent in sums and low[square] < place[parent]:
            sums[square] = sums[parent] ^ _label_step(parent, square, len(ways))
    rings = 0
    for square in tuple(sums):
        for other in ways[square]:
            if other == start and start not in sums:
                sums[start] = sums[square] ^ _label_step(square, start, len(ways))
            elif other in sums:
                rings |= sums[square] ^ sums[other] ^ _label_step(square, other, len(ways))
    return _Maze(sums, rings)


def _search_depth_first(
    ways: Ways, here: int, start: int, left_out: int
) -> tuple[list[int], dict[int, int], dict[int, int]]:
    """A search in depth from `here`: the squares in the order found, from where, and how far back each leads.

    `start` counts as found before `here`, by the bridge.
    """
    order, came, found, low = [here], {here: start}, {start: 0, here: 1}, {here: 1}
    stack = [(here, iter(ways[here]))]
    while stack:
        square, others = stack[-1]
        for other in others:
            if other == left_out:
                continue
            if other not in found:
                found[other] = low[other] = len(found)
                came[other] = square
                order.append(other)
                stack.append((other, iter(ways[other])))
                break
            # The step back to where it came from leads nowhere.
            if other != came[square] or other == start:
                low[square] = min(low[square], found[other])
        else:
            stack.pop()
            if square != here:
                low[came[square]] = min(low[came[square]], low[square])
    return order, came, low


# Labels.


@lru_cache(maxsize=4096)
def _label_step(one: int, other: int, squares: int) -> int:
    """The squares, as bits, from which a line to the left edge crosses a step between two squares."""
    size = round(squares**0.5)
    if abs(one - other) != size:
        return 0
    lower = max(one, other)
    return (1 << (lower // size + 1) * size) - (1 << lower + 1)


def _label_path(path: Sequence[int], size: int) -> int:
    found = 0
    for step in pairwise(path):
        found ^= _label_step(*step, size**2)
    return found


@cache
def _rings_by_square(size: int) -> dict[int, int]:
    """For each square that is not at the edge the squares around it and itself, as bits."""
    inner = range(1, size - 1)
    three = 0b111 | 0b111 << size | 0b111 << 2 * size
    return {row * size + column: three << (row - 1) * size + column - 1 for row in inner for column in inner}


@cache
def _inner_squares(size: int) -> int:
    """The squares that are not at the edge: no others can lie inside."""
    return _bits_of(_rings_by_square(size))


def _bits_of(squares: Iterable[int]) -> int:
    found = 0
    for square in squares:
        found |= 1 << square
    return found


Chosen = Mapping[str, str]
CLOCKWISE = "1 at {square} of curve {curve}, clockwise"
OTHER_WAY = "1 at {square} of curve {curve}, counterclockwise"
FILLED = "{numbers} in curve {curve}"
TAKEN_BACK = "undo {what} in curve {curve}"
WROTE, DID_UNDO, NUMBERING = "wrote {what}", "undid {what} in curve {curve}", "the numbering"
CLOSES = Plural(
    "Where does your curve turn next? Closed now, it has 1 square inside.",
    "Where does your curve turn next? Closed now, it has {number} squares inside.",
)
CURVE = Plural("this curve, with 1 square inside", "this curve, with {number} squares inside")
SEVERAL = Plural("1 number", "{number} numbers")
NAMED = 3
"""The most numbers that are named where they are taken back."""


def suggest_corners(position: WithinTheCurve, seat: Seat, chosen: Chosen, typed: str) -> Iterator[str]:
    """The next corners with which a curve can be closed, at once or later."""
    if position.may_draw(seat):
        yield from map(str, closable_corners(_parse_squares(position, chosen["corners"]), position.size))


def ask_next_corner(position: WithinTheCurve, seat: Seat, chosen: Chosen) -> Question:
    """The prompt when a curve is drawn: where it begins, or where it turns next."""
    corners = _parse_squares(position, chosen.get("corners", ""))
    if not corners:
        return Question("Where does your curve begin?")
    try:
        inside = len(Curve.from_corners(corners, position.size).interior)
    except MoveError:
        return Question("Where does your curve turn next? It has 8 squares at least.")
    return Question(CLOSES.fill_in(inside))


def label_curve(position: WithinTheCurve, seat: Seat, values: Chosen) -> str:
    return CURVE.fill_in(len(Curve.from_corners(_parse_squares(position, values["corners"]), position.size).interior))


def suggest_unnumbered(position: WithinTheCurve, seat: Seat, chosen: Chosen, typed: str) -> Iterator[str]:
    """The curves that have no numbers yet."""
    return (str(which) for which, _, sheet in _copies_of(position, seat) if sheet.start is None)


def suggest_starts(position: WithinTheCurve, seat: Seat, chosen: Chosen, typed: str) -> Iterator[str]:
    curve, _ = _copy_of(position, seat, chosen)
    return (str(Square.from_ordinal(square, position.size)) for square in curve.path)


def suggest_directions(position: WithinTheCurve, seat: Seat, chosen: Chosen, typed: str) -> Iterator[str]:
    return iter(TURNS.values())


def suggest_fillable(position: WithinTheCurve, seat: Seat, chosen: Chosen, typed: str) -> Iterator[str]:
    """The curves in which the next number has a square."""
    return (
        str(which) for which, curve, sheet in _copies_of(position, seat) if any(True for _ in sheet.open_squares(curve))
    )


def suggest_openings(position: WithinTheCurve, seat: Seat, chosen: Chosen, typed: str) -> Iterator[str]:
    """The squares that the number after those chosen can be written into."""
    curve, sheet = _copy_of(position, seat, chosen)
    filled = _parse_squares(position, chosen["squares"])
    sheet = sheet.with_numbers(curve, [square.ordinal(position.size) for square in filled])
    return (str(Square.from_ordinal(square, position.size)) for square in sheet.open_squares(curve))


def ask_next_square(position: WithinTheCurve, seat: Seat, chosen: Chosen) -> Question:
    """The prompt when squares are filled: where the number after those chosen goes."""
    if "squares" not in chosen:
        return Question("")
    _, sheet = _copy_of(position, seat, chosen)
    return Question(f"Where does {len(sheet.filled) + len(chosen['squares'].split()) + 1} go?")


def name_curve(position: WithinTheCurve, chosen: Chosen, curve: str) -> str:
    return f"curve {curve}"


def label_numbering(position: WithinTheCurve, seat: Seat, values: Chosen) -> str:
    return f"1 at {values['square']}"


def label_filling(position: WithinTheCurve, seat: Seat, values: Chosen) -> str:
    _, sheet = _copy_of(position, seat, values)
    *most, last = values["squares"].split()
    at = sheet.next_number + len(most)
    return f"{sheet.next_number} to {at}, ending at {last}" if most else f"{at} at {last}"


def label_undoing(position: WithinTheCurve, seat: Seat, values: Chosen) -> str:
    """What is taken back: the numbering, or numbers with their squares."""
    _, sheet = _copy_of(position, seat, values)
    if not sheet.filled:
        return NUMBERING
    count = int(values.get("count") or 1)
    if count > NAMED:
        return SEVERAL.fill_in(count)
    places = [str(Square.from_ordinal(square, position.size)) for square in sheet.filled]
    written = [f"{number} at {place}" for number, place in enumerate(places, sheet.next_number - len(places))]
    return join_words(written[-count:])


def describe_numbering(position: WithinTheCurve, seat: Seat, values: Chosen) -> str:
    """The numbering of a curve, where no pad stands beside it."""
    which, square, direction = values["curve"], values["square"], values["direction"]
    return (CLOCKWISE if direction == "cw" else OTHER_WAY).format(curve=which, square=square)


def describe_filling(position: WithinTheCurve, seat: Seat, values: Chosen) -> str:
    """What is written inside a curve, where no pad stands beside it."""
    _, sheet = _copy_of(position, seat, values)
    places = values["squares"].split()
    written = join_words(f"{number} at {square}" for number, square in enumerate(places, sheet.next_number))
    return FILLED.format(curve=values["curve"], numbers=written)


def tell_numbering(position: WithinTheCurve, seat: Seat, values: Chosen) -> str:
    """The numbering of a curve as a deed: "wrote 1 at b2 of curve 1, clockwise"."""
    return WROTE.format(what=describe_numbering(position, seat, values))


def tell_filling(position: WithinTheCurve, seat: Seat, values: Chosen) -> str:
    """What was written inside a curve as a deed: "wrote 2 at f7 in curve 1"."""
    return WROTE.format(what=describe_filling(position, seat, values))


def tell_undoing(position: WithinTheCurve, seat: Seat, values: Chosen) -> str:
    """What was taken back as a deed: "undid 2 at f7 in curve 1"."""
    return DID_UNDO.format(what=label_undoing(position, seat, values), curve=values["curve"])


def describe_undoing(position: WithinTheCurve, seat: Seat, values: Chosen) -> str:
    """What is taken back, where no pad stands beside it."""
    return TAKEN_BACK.format(what=label_undoing(position, seat, values), curve=values["curve"])


def suggest_undoable(position: WithinTheCurve, seat: Seat, chosen: Chosen, typed: str) -> Iterator[str]:
    return (str(which) for which, _, sheet in _copies_of(position, seat) if sheet.start is not None)


def suggest_counts(position: WithinTheCurve, seat: Seat, chosen: Chosen, typed: str) -> Iterator[str]:
    """How many numbers can be taken back: all inside, or as one the numbering."""
    _, sheet = _copy_of(position, seat, chosen)
    return map(str, find_numbers_starting(typed, 1, max(1, len(sheet.filled))))


def _parse_squares(position: WithinTheCurve, text: str) -> tuple[Square, ...]:
    return parse_squares(text, position.size, position.size) if text else ()


def _copies_of(position: WithinTheCurve, seat: Seat) -> Iterator[tuple[int, Curve, CurveSheet]]:
    return position.copies_of(seat) if position.may_work(seat) else iter(())


def _copy_of(position: WithinTheCurve, seat: Seat, chosen: Chosen) -> tuple[Curve, CurveSheet]:
    return next((curve, sheet) for which, curve, sheet in _copies_of(position, seat) if str(which) == chosen["curve"])
