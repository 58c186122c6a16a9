"""Polygons In Permutation Grid (Leroy Quet, 2008)

**Example** Two rounds on a 4×4 grid. In round 1 the dots are a1, b2, d3 and c4. Lines join them row by row,
a1-b2-d3-c4, and column by column, a1-b2-c4-d3. They enclose the triangle of b2, d3 and c4: a point for Blue, who wanted
triangles. In round 2 Orange wanted them and has one, of c1, a3 and d4; b2 lies on its straight side and is no corner. A
point each is a draw.

**Goal** Place dots so that the lines between them enclose shapes of your kind. Dots and crossings of lines are their
corners. In round 1 Blue, who begins, wants triangles, and Orange shapes with four or more sides. Each round you swap.

**A turn** Place a dot where a row and a column cross, neither of which has a dot yet. When each has one, the round is
over.

**Scoring** Straight lines then join the dots, from each row to the next and from each column to the next. Each shape
that they enclose is a point for the player who wants that kind. More points after all rounds win. Short lines favour
triangles, long ones that cross often other shapes.

**Options** The grid has 4 to 14 rows and as many columns, usually 10, and there are 2, 4 or 6 rounds.

**Rulings** The player who wants triangles places the first dot of the round; that is our choice. The last row is not
joined to the first, nor the last column. A shape counts only if no line runs through it. Shapes are found exactly,
without rounding. Lines that coincide count once. A side may pass through a dot and go straight on. The end of a line
that pokes into a shape is no side. The running score counts finished rounds only.

>>> board = PermutationGrid.start(PermutationGridOptions(size=4), 2)
>>> for seat, move in (1, "b2"), (2, "a1"), (1, "d3"), (2, "c4"), (2, "c1"), (1, "d4"), (2, "b2"), (1, "a3"):
...     board = board.play(seat, move)
>>> print(board)
round 2 of 2
  a b c d
1     O
2   O
3 #
4       #
round 1: 1 triangle for player 1 and 0 other shapes for player 2
round 2: 1 triangle for player 2 and 0 other shapes for player 1
player 1: 1 + 0 = 1
player 2: 0 + 1 = 1
>>> board.scores(), board.ranks()
((1, 1), (1, 1))
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import combinations
from math import atan2
from typing import Self

from bot.games.grids import MARKS, Squared, format_board, list_square_names, parse_square
from bot.games.notation import format_sum
from bot.games.options import Options, number_option
from bot.games.position import (
    BOTH,
    Illegal,
    NameSeat,
    Opening,
    Position,
    ScorePart,
    Seat,
    expect_turn,
    tell_round,
)
from bot.games.wording import Plural, join_sentences, join_words
from cogs.polygons_permutation_grid.polygons import Segment, enclose_polygons

# How many triangles and how many other polygons a permutation of dots cuts out, without finding where they lie.


_angle = lru_cache(maxsize=1 << 12)(atan2)


@lru_cache(maxsize=1 << 12)
def count_polygons(columns: tuple[int, ...]) -> tuple[int, int]:
    """The triangles and the other polygons, when in row r the dot is in column `columns[r]`.

    >>> count_polygons((0, 1, 3, 2))
    (1, 0)
    """
    following, straight, outside = _Drawing(columns).join_ways()
    triangles = regions = 0
    way = outside
    while following[way] >= 0:
        following[way], way = -1, following[way]
    for start, after in enumerate(following):
        if after >= 0:
            corners, way = 0, start
            while following[way] >= 0:
                corners += way not in straight
                following[way], way = -1, following[way]
            regions += 1
            triangles += corners == 3
    return triangles, regions - triangles


class _Drawing:
    """The segments of a permutation: for each row but the last, and for each column, its first and its last piece."""

    def __init__(self, columns: Sequence[int]) -> None:
        self.columns, self.rows = columns, sorted(range(len(columns)), key=columns.__getitem__)
        self.size, self.pieces = len(columns), 0
        self.met: list[list[tuple[int, int]]] = [[] for _ in columns]
        """The pieces that end on each column's segment, from above, and how far across their segments lead."""
        self.along_rows = [self._pieces_downwards(row) for row in range(self.size - 1)]
        self.along_columns = [self._pieces_across(column) for column in range(self.size - 1)]

    def _pieces_downwards(self, row: int) -> tuple[int, int]:
        # Seen from a column's segment, where the other is at its two ends tells whether they cross.
        column, other, first = self.columns[row], self.columns[row + 1], self.pieces
        across, rows = other - column, self.rows
        for at in range(column, other) if across > 0 else range(column - 1, other - 1, -1):
            left = (row - rows[at]) * across + at - column
            right = (row - rows[at + 1]) * across + at + 1 - column
            if left * right < 0:
                self.met[at].append((self.pieces, across))
                self.pieces += 1
        self.pieces += 1
        return first, self.pieces - 1

    def _pieces_across(self, column: int) -> tuple[int, int]:
        # One that lies on a row's segment is not drawn.
        if abs(self.rows[column + 1] - self.rows[column]) == 1:
            return -1, -1
        first = self.pieces
        self.pieces += len(self.met[column]) + 1
        return first, self.pieces - 1

    def join_ways(self) -> tuple[list[int], set[int], int]:
        """The next way about the region beside each way, the ways behind which there is no corner, and one outside."""
        following, straight = [-1] * (2 * self.pieces), set[int]()
        for column, (piece, _) in enumerate(self.along_columns):
            if piece >= 0:
                self._cross_column(column, 2 * piece, following)
        outside = -1
        for row, column in enumerate(self.columns):
            around = self._ways_around(row, column)
            last = around[-1]
            for each in around:
                following[each[3] ^ 1] = last[3]
                if each[1] == -last[1] and each[2] == -last[2]:
                    straight.add(each[3] ^ 1)
                last = each
            if not column:
                outside = around[0][3] ^ 1
        return following, straight, outside

    def _cross_column(self, column: int, way: int, following: list[int]) -> None:
        # The ways in the order in which they leave a crossing; one that arrives goes on along the one before its own.
        down = self.rows[column + 1] - self.rows[column]
        for piece, across in self.met[column][:: 1 if down > 0 else -1]:
            back, on = 2 * piece + 1, 2 * piece + 2
            one, other = (way + 2, way + 1) if (across > 0) == (down > 0) else (way + 1, way + 2)
            following[on ^ 1], following[one ^ 1], following[back ^ 1], following[other ^ 1] = other, on, one, back
            way += 2

    def _ways_around(self, row: int, column: int) -> list[tuple[float, int, int, int]]:
        """The ways from a dot by their angles, each with how far across and down it leads."""
        found: list[tuple[float, int, int, int]] = []
        columns, rows, last = self.columns, self.rows, self.size - 1
        if row:
            across = columns[row - 1] - column
            found.append((_angle(-1, across), across, -1, 2 * self.along_rows[row - 1][1] + 1))
        if row < last:
            across = columns[row + 1] - column
            found.append((_angle(1, across), across, 1, 2 * self.along_rows[row][0]))
        if column and self.along_columns[column - 1][1] >= 0:
            down = rows[column - 1] - row
            found.append((_angle(down, -1), -1, down, 2 * self.along_columns[column - 1][1] + 1))
        if column < last and self.along_columns[column][0] >= 0:
            down = rows[column + 1] - row
            found.append((_angle(down, 1), 1, down, 2 * self.along_columns[column][0]))
        return sorted(found)


MOST_NAMED = 4
"""A refusal names the intersections that are left when they are no more than this."""
WHY_EVEN = "This way each of you wants triangles equally often."
IN_COLUMN, IN_ROW = "Column {line} already has its dot, {dot}.", "Row {line} already has its dot, {dot}."
DOT = "round {round}, dot {{number}}"
OPENING = (
    "Round {round}: {{name}} begins and wants triangles.",
    "Round {round}: you begin and now want triangles.",
)
"""The beginning of a later round, to others and to the player who begins."""
WITHOUT = "Choose a place where two lines without a dot cross."
LEFT = "Still free: {left}."
GOT = "{name} got {triangles} and {others}."
TRIANGLES_GOT = Plural("1 triangle", "{number} triangles")
OTHERS_GOT = Plural("1 other shape", "{number} other shapes")
"""By what a match was decided."""
ENDED = (
    "Round {round}: player 1 +{triangles}, player 2 +{others}",
    "Round {round}: player 1 +{others}, player 2 +{triangles}",
)
"""What a round has brought, by who wanted triangles."""
WANTS, SCORED = "wants {kind}", "{score}"
NOW_WANTS = "{score} · now wants {kind}"
WITH_MORE = "{score} + {more} · wants {kind}"
"""What a seat wants in the first round, what it has of the rounds before and wants now, and with what lines that are
sure enclose already."""
ROUND, KINDS = "{kind} of round {number}", ("triangles", "other shapes")
DOTS_LEFT = Plural(
    "round {round}'s shapes count after 1 more dot", "round {round}'s shapes count after {number} more dots"
)
TRIANGLES = Plural("1 triangle for player {seat}", "{number} triangles for player {seat}")
OTHERS = Plural("1 other shape for player {seat}", "{number} other shapes for player {seat}")


@dataclass(frozen=True, slots=True)
class PermutationGridOptions(Options):
    """How many lines there are each way, and how many rounds."""

    size: int = number_option(10, 4, 14, "Lines across and down, and dots in a round: 4 to 14")
    rounds: int = number_option(2, 2, 6, "Rounds: even, 2 to 6", step=2, why=WHY_EVEN)


def first_role(round: int) -> Seat:
    """The seat that has the first role in a round, counted from 1: it begins, and its points are triangles."""
    return BOTH[(round - 1) % 2]


@dataclass(frozen=True, slots=True)
class PermutationGrid(Squared, Position):
    """The dots of all rounds in the order in which they were placed, each as row·size + column."""

    size: int
    rounds: int
    dots: tuple[int, ...] = ()

    @classmethod
    def start(cls, options: PermutationGridOptions, seats: int) -> Self:
        """The empty lines of round 1."""
        return cls(options.size, options.rounds)

    @property
    def finished_rounds(self) -> int:
        return len(self.dots) // self.size

    @property
    def round(self) -> int:
        """The round that is played, from 1, or the one in which the match ended."""
        return min(self.finished_rounds + 1, self.rounds)

    @property
    def opening(self) -> Opening | None:
        if self.round == 1 or self.dots_in_round(self.round) or not self.turn:
            return None
        return Opening(first_role(self.round), *(words.format(round=self.round) for words in OPENING))

    @property
    def progress(self) -> str:
        if not self.turn:
            return ""
        return tell_round(self.round, self.rounds, begins=self.opening is not None)

    @property
    def move_label(self) -> str:
        return DOT.format(round=self.round)

    @property
    def turn(self) -> tuple[Seat, ...]:
        if self.withdrawn or self.finished_rounds == self.rounds:
            return ()
        return (self.placing_seat(len(self.dots)),)

    def placing_seat(self, ply: int) -> Seat:
        """The seat that places the dot with this number, from 0: the roles change every round."""
        before, place = divmod(ply, self.size)
        return BOTH[(before + place) % 2]

    def dots_in_round(self, round: int) -> tuple[int, ...]:
        """The dots of a round so far, in the order in which they were placed."""
        return self.dots[(round - 1) * self.size : round * self.size]

    def free_lines(self) -> tuple[list[int], list[int]]:
        """The columns and the rows that carry no dot in the round that is played."""
        dots = self.dots_in_round(self.finished_rounds + 1)
        columns, rows = {dot % self.size for dot in dots}, {dot // self.size for dot in dots}
        return [at for at in range(self.size) if at not in columns], [at for at in range(self.size) if at not in rows]

    def moves(self, seat: Seat) -> Iterator[str]:
        if seat in self.turn:
            columns, rows = self.free_lines()
            named = list_square_names(self.size)
            yield from (named[row * self.size + column] for row in rows for column in columns)

    def play(self, seat: Seat, move: str) -> Self:
        expect_turn(self, seat)
        dot = parse_square(move, self.size)
        if fault := self._find_faults(dot):
            raise Illegal(join_sentences(*fault, WITHOUT, self._describe_free_lines()))
        return replace(self, dots=(*self.dots, dot))

    def _find_faults(self, dot: int) -> list[str]:
        # Why a dot cannot be placed, in sentences; none where it can.
        placed = self.dots_in_round(self.finished_rounds + 1)
        if dot in placed:
            return [f"{self.name(dot)} already has a dot."]
        name = self.name(dot)
        column = [IN_COLUMN.format(line=name[0], dot=self.name(it)) for it in placed if (it - dot) % self.size == 0]
        row = [IN_ROW.format(line=name[1:], dot=self.name(it)) for it in placed if it // self.size == dot // self.size]
        return column + row

    def _describe_free_lines(self) -> str:
        left = [*self.moves(*self.turn)]
        return LEFT.format(left=join_words(left)) if len(left) <= MOST_NAMED else ""

    def name(self, dot: int) -> str:
        """A dot as notation writes it."""
        return list_square_names(self.size)[dot]

    def columns_in_round(self, round: int) -> tuple[int, ...]:
        """The column of the dot in each row of a finished round, from the top."""
        return tuple(dot % self.size for dot in sorted(self.dots_in_round(round)))

    def points_in_round(self, round: int) -> tuple[int, int]:
        """What seats 1 and 2 score in a finished round."""
        triangles, others = count_polygons(self.columns_in_round(round))
        return (triangles, others) if first_role(round) == 1 else (others, triangles)

    def points_by_round(self, seat: Seat) -> list[int]:
        """What a seat has scored in each finished round."""
        return [self.points_in_round(round)[seat - 1] for round in range(1, self.finished_rounds + 1)]

    def scores(self) -> tuple[int, ...]:
        return tuple(sum(self.points_by_round(seat)) for seat in BOTH)

    def explain_result(self, name: NameSeat) -> str:
        """What each got of both kinds."""
        return join_sentences(*(GOT.format(name=name(seat), **self._describe_kinds(seat)) for seat in BOTH))

    def _describe_kinds(self, seat: Seat) -> dict[str, str]:
        points, first = self.points_by_round(seat), BOTH.index(seat)
        triangles, others = sum(points[first::2]), sum(points[1 - first :: 2])
        return {"triangles": TRIANGLES_GOT.fill_in(triangles), "others": OTHERS_GOT.fill_in(others)}

    def list_score_parts(self) -> tuple[ScorePart, ...]:
        return tuple(
            ScorePart(
                seat,
                ROUND.format(number=round, kind=KINDS[seat != first_role(round)]),
                self.points_in_round(round)[seat - 1],
            )
            for round in range(1, self.finished_rounds + 1)
            for seat in (first_role(round), 3 - first_role(round))
        )

    def explain_changes(self, before: Position) -> str:
        """What each got in the rounds that have ended: "Round 1: player 1 +7 triangles, player 2 +2 other shapes"."""
        assert isinstance(before, PermutationGrid)
        ended = range(before.finished_rounds + 1, self.finished_rounds + 1)
        return join_words([self._tell_round(round) for round in ended]) if ended else ""

    def _tell_round(self, round: int) -> str:
        first, points = first_role(round), self.points_in_round(round)
        triangles, others = TRIANGLES_GOT.fill_in(points[first - 1]), OTHERS_GOT.fill_in(points[2 - first])
        return ENDED[BOTH.index(first)].format(round=round, triangles=triangles, others=others)

    @property
    def roles(self) -> tuple[str, ...]:
        return tuple(map(self._describe_role, BOTH)) if self.turn else ()

    def _describe_role(self, seat: Seat) -> str:
        wanted = KINDS[seat != first_role(self.round)]
        if more := self._count_sure(seat):
            return WITH_MORE.format(score=SCORED, more=more, kind=wanted)
        if self.round == 1:
            return WANTS.format(kind=wanted)
        return SCORED if self.opening else NOW_WANTS.format(score=SCORED, kind=wanted)

    def list_sure_segments(self) -> tuple[Segment, ...]:
        """The segments between dots of the round that is played which are in neighbouring rows or columns already."""
        placed = sorted((dot % self.size, dot // self.size) for dot in self.dots_in_round(self.round))
        return tuple(
            (start, end) for start, end in combinations(placed, 2) if 1 in (end[0] - start[0], abs(end[1] - start[1]))
        )

    def _count_sure(self, seat: Seat) -> int:
        """How many shapes that a seat wants the sure segments of the round enclose."""
        wants_triangles = seat == first_role(self.round)
        return sum((len(corners) == 3) == wants_triangles for corners in enclose_polygons(self.list_sure_segments()))

    def explain_unchanged(self, before: Position) -> tuple[str, ...]:
        left = self.size - len(self.dots) % self.size
        return (DOTS_LEFT.fill_in(left, round=self.round),)

    def working(self) -> tuple[str, ...]:
        if not self.finished_rounds:
            return ()
        rounds = (self.explain(round) for round in range(1, self.finished_rounds + 1))
        return (*rounds, *(f"player {seat}: {format_sum(self.points_by_round(seat))}" for seat in BOTH))

    def explain(self, round: int) -> str:
        """The result of a finished round: "round 1: 7 triangles for player 1 and 9 other shapes for player 2"."""
        return f"round {round}: {join_words(self.describe_points(round))}"

    def describe_points(self, round: int) -> tuple[str, str]:
        """What each role scores in a finished round: "7 triangles for player 1", "9 other shapes for player 2"."""
        first = first_role(round)
        triangles, others = (self.points_in_round(round)[seat - 1] for seat in (first, 3 - first))
        return TRIANGLES.fill_in(triangles, seat=first), OTHERS.fill_in(others, seat=3 - first)

    def __str__(self) -> str:
        return "\n".join(
            [f"round {self.round} of {self.rounds}", format_board(list(self._board_rows())), *self.working()]
        )

    def _board_rows(self) -> Iterator[str]:
        marks = dict.fromkeys(self._open_squares(), MARKS[0])
        before = (self.round - 1) * self.size
        marks |= {dot: MARKS[self.placing_seat(before + at)] for at, dot in enumerate(self.dots_in_round(self.round))}
        for start in range(0, self.size**2, self.size):
            yield "".join(marks.get(dot, " ") for dot in range(start, start + self.size))

    def _open_squares(self) -> Iterable[int]:
        columns, rows = self.free_lines() if self.finished_rounds < self.round else ([], [])
        return (row * self.size + column for row in rows for column in columns)
