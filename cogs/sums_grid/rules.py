"""Sums Equal 1, 2, 3, … m In Small Grid (Leroy Quet, 2011)

**Example** A *sum* is a single number, or neighbours in a row or a column added up. Blue has a grid of the inventor's.
1, 2 and 3 are in it. 4 is 3 + 1, in row 2, and 5 is 2 + 3, in column a. 6 to 10 are in the grid again. So it goes on up
to 19, the shaded 2 + 9 + 8. Nothing makes 20: Blue has 19. Orange has no grid yet.

**Goal** Find a grid of numbers that makes the sums 1, 2, 3, … as far as you can without a gap.

**A turn** All play at once and in secret. Hand in grids of nine different numbers, as often as you like: your best one
counts. *End my match* when you are content.

**Scoring** Your grid scores the last number before the first gap. The highest score wins; equal scores are a draw. The
best possible is 26; the inventor's best grid reached 20.

**Options** The side of the grid is 2 to 5, usually 3. With the option diagonals the sums along any diagonal count too,
long or short, in either direction.

**Best scores** Without diagonals. Side 2: 8, which is every sum of a grid. Side 3: 26, as a search through all grids
has shown. Side 4: 56 and side 5: 95 are the best known.

**Rulings** A grid has different numbers from 1 to 9999. `grid 2 9 8 / 3 1 10 / 7 6 15` has these three rows; you can
also write all numbers in one row. A grid without a 1 scores 0. One to eight can play. Alone it is a puzzle, and your
score goes into the server's records for these options. Until the match is over the others learn only whether you are
working or done. A match that you play alone stays hidden afterwards too, unless you publish it. Once you are done, you
cannot leave. More than two players, further grids and the limit of 9999 are ours.

>>> board = SumsGrid.start(SumsGridOptions(), 2)
>>> board = board.play(1, "grid 2 9 8 / 3 1 10 / 7 6 15").play(1, "grid 1 2 3 / 4 5 6 / 7 8 9").play(1, "done")
>>> print(board.seen_by(1))
player 1, done: 1 to 19 are sums, 20 is missing
   2   9   8
   3   1  10
   7   6  15
player 2, working
>>> board.scores(), board.seen_by(2).scores()
((19, 0), (0, 0))
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from itertools import count
from math import isqrt
from types import MappingProxyType
from typing import NamedTuple, Self

from bot.games.notation import parse_wholes, quote, tidy
from bot.games.options import Options, number_option, word_option
from bot.games.position import (
    Illegal,
    MoveError,
    NameSeat,
    Position,
    ScorePart,
    Seat,
    SecretPosition,
    Suggestion,
    Unreadable,
    Viewer,
    expect_turn,
)
from bot.games.wording import Plural, join_sentences

# Grids of numbers and the sums of their runs: consecutive squares of a row or of a column, or also of a diagonal.


Run = tuple[int, ...]
"""Consecutive squares of a line, from the left or from the top."""


@dataclass(frozen=True, slots=True)
class Grid:
    """The numbers of a square grid, row by row, and whether runs of its diagonals count; false where there is none."""

    numbers: tuple[int, ...] = ()
    diagonals: bool = False

    def __bool__(self) -> bool:
        return bool(self.numbers)

    @property
    def size(self) -> int:
        """How many rows and columns there are."""
        return isqrt(len(self.numbers))

    @property
    def rows(self) -> tuple[tuple[int, ...], ...]:
        """The numbers, row by row."""
        return tuple(self.numbers[first : first + self.size] for first in range(0, len(self.numbers), self.size or 1))

    def __str__(self) -> str:
        """As a move holds it: "2 9 8 / 3 1 10 / 7 6 15"."""
        return " / ".join(" ".join(map(str, row)) for row in self.rows)


@cache
def list_runs(size: int, diagonals: bool = False) -> tuple[Run, ...]:
    """All runs of a grid, the shorter before the longer, those of rows before those of columns and of diagonals."""
    lines = [tuple(range(row * size, (row + 1) * size)) for row in range(size)]
    lines += [tuple(range(column, size**2, size)) for column in range(size)]
    lines += list_diagonals(size) if diagonals else []
    found = (
        line[first : first + length]
        for length in range(1, size + 1)
        for line in lines
        for first in range(len(line) - length + 1)
    )
    # A single square is a run of its row, of its column and of its diagonals.
    return tuple(dict.fromkeys(found))


def list_diagonals(size: int) -> list[Run]:
    """All diagonals, long and short, in both directions, from the top.

    >>> list_diagonals(2)
    [(2,), (0, 3), (1,), (0,), (1, 2), (3,)]
    """
    places = [(square, *divmod(square, size)) for square in range(size**2)]
    falling = [tuple(at for at, row, column in places if column - row == gap) for gap in range(1 - size, size)]
    rising = [tuple(at for at, row, column in places if column + row == total) for total in range(2 * size - 1)]
    return falling + rising


@lru_cache(maxsize=1024)
def find_sums(grid: Grid) -> Mapping[int, Run]:
    """Every sum of a grid, which may be empty, with its shortest run.

    >>> find_sums(Grid((1, 2, 4, 3)))[3], find_sums(Grid((1, 2, 4, 3)))[7]
    ((3,), (2, 3))
    >>> find_sums(Grid((1, 4, 5, 2), diagonals=True))[3]
    (0, 3)
    """
    found: dict[int, Run] = {}
    for run in list_runs(grid.size, grid.diagonals):
        found.setdefault(sum(grid.numbers[square] for square in run), run)
    return MappingProxyType(found)


def find_reach(grid: Grid) -> int:
    """The largest m such that 1, 2, … m are all sums of a grid."""
    made = find_sums(grid)
    return next(number for number in count() if number + 1 not in made)


def format_sum(grid: Grid, run: Run, plus: str = " + ") -> str:
    """The numbers of a run as a sum: "2 + 9 + 8"."""
    return plus.join(str(grid.numbers[square]) for square in run)


# The two moves of the game as values: read from forgiving text, written as notation, and offered while one is typed.


LARGEST = 9999
EXAMPLE = {
    2: "1 2 / 3 4",
    3: "1 2 3 / 4 5 6 / 7 8 9",
    4: "1 2 3 4 / 5 6 7 8 / 9 10 11 12 / 13 14 15 16",
    5: "1 2 3 4 5 / 6 7 8 9 10 / 11 12 13 14 15 / 16 17 18 19 20 / 21 22 23 24 25",
}
"""What a grid of each size looks like in writing."""
ROW_END = re.compile(r" ?\n?[/;]\n? ?|\n")
LEADING_ZEROS = re.compile(r"(?<![0-9])0+(?=[0-9])")
LONGEST = 100
"""The most characters of a move that can be offered; a grid of 25 numbers of four digits is longer."""


class Submit(NamedTuple):
    """Submit a grid, row by row; `check_rows` tells whether it fits the match."""

    rows: tuple[tuple[int, ...], ...]

    def __str__(self) -> str:
        return "grid " + " / ".join(" ".join(map(str, row)) for row in self.rows)


class FinishMatch(NamedTuple):
    """The move "done", which ends the player's match."""

    def __str__(self) -> str:
        return "done"


Action = Submit | FinishMatch
UNEQUAL = "All rows of a grid are equally long, but row 1 has {first} and row {number} has {other}."
NUMBERS = Plural("1 number", "{number} numbers")
SHAPE = Plural(
    "The grid needs {size} rows of {size} numbers. This one has 1 row of {numbers}.",
    "The grid needs {size} rows of {size} numbers. This one has {number} rows of {numbers}.",
)
TWICE_IN_A_ROW = "{value} is there twice, in row {row}. All {all} numbers of a grid must be different."
TWICE = "{value} is there twice, in rows {row} and {other}. All {all} numbers of a grid must be different."


def parse_action(text: str, size: int) -> Action:
    """The move that a text means, or `Unreadable`; the size is for the examples in its sentences."""
    folded = tidy(text)
    word, _, rest = re.sub(r"^grid\b ?:? ?\n*", "grid ", folded).partition(" ")
    if word == "done":
        if rest:
            raise Unreadable(f"Write done alone, without {quote(rest)}.")
        return FinishMatch()
    if word == "grid" and not rest:
        raise Unreadable("The numbers are missing. Write them row by row.")
    return Submit(_parse_rows(rest if word == "grid" else folded, size))


def _parse_rows(text: str, size: int) -> tuple[tuple[int, ...], ...]:
    if text.startswith("grid "):
        raise Unreadable("The word grid is there twice. Write it once, or leave it out.")
    if not re.match(r" *[0-9]", text):
        raise Unreadable(f"{quote(text)} isn't a grid. Write numbers row by row, or write done.")
    pieces = ROW_END.split(re.sub(r"\s*\n\s*", "\n", text))
    if not pieces[-1].strip():
        pieces.pop()
    if not all(piece.strip() for piece in pieces):
        raise Unreadable("A row of this grid is empty. Write one / between two rows.")
    rows = tuple(parse_wholes(LEADING_ZEROS.sub("", piece)) for piece in pieces)
    if len(rows) == 1 and len(rows[0]) == size**2:
        # All numbers one after another: where the count is right, the rows are clear.
        return tuple(rows[0][first : first + size] for first in range(0, size**2, size))
    for number, row in enumerate(rows, 1):
        if len(row) != len(rows[0]):
            facts = {"first": format_count(len(rows[0])), "number": number, "other": format_count(len(row))}
            raise Unreadable(UNEQUAL.format(**facts))
    return rows


def check_rows(rows: Sequence[Sequence[int]], size: int) -> tuple[int, ...]:
    """The numbers of the grid with these rows, or `Illegal` where it is none for a match of this size."""
    if (len(rows), len(rows[0])) != (size, size):
        told = SHAPE.fill_in(len(rows), size=size, numbers=format_count(len(rows[0])))
        raise Illegal(told)
    first: dict[int, int] = {}
    for number, row in enumerate(rows, 1):
        for value in row:
            if not 1 <= value <= LARGEST:
                raise Illegal(f"{value} is out of bounds. The numbers of a grid are 1 to {LARGEST}.")
            if value in first:
                told = TWICE_IN_A_ROW if first[value] == number else TWICE
                raise Illegal(told.format(value=value, row=first[value], other=number, all=size**2))
            first[value] = number
    return tuple(value for row in rows for value in row)


def format_count(numbers: int) -> str:
    """A number of numbers in words."""
    return NUMBERS.fill_in(numbers)


# What is offered while a grid is typed.


def suggest_grids(typed: str, size: int, best: Grid, latest: Grid) -> Iterator[Suggestion]:
    """The best and the latest grid as far as they begin as typed, then the typed one; at first an example."""
    text = " ".join(typed.lower().split()).removeprefix("grid").strip()
    notes = {str(best): f"your best so far, reaches {find_reach(best)}"} if best else {}
    if latest != best:
        notes[str(latest)] = f"your latest, reaches {find_reach(latest)}"
    own = [(grid, note) for grid, note in notes.items() if grid.startswith(text)]
    if not own and not text:
        own = [(EXAMPLE[size], "what a grid looks like")]
    if text and (grid := fill_grid(text, size)):
        added = size**2 - len(re.findall("[0-9]+", text))
        own.append((str(grid), f"with {format_count(added)} added" if added else ""))
    offered = (Suggestion(f"grid {grid}", note) for grid, note in own)
    yield from (suggestion for suggestion in offered if len(suggestion.move) <= LONGEST)


def fill_grid(text: str, size: int) -> Grid:
    """The grid that begins with what is typed, filled up with the least numbers left; empty where there is none."""
    try:
        rows = [parse_wholes(piece) for piece in re.split("[/;]", text.rstrip(" ,/;"))]
        if len(rows) > 1 and any(len(row) != size for row in rows[:-1]):
            return Grid()
        begun = [value for row in rows for value in row]
        left = (value for value in count(1) if value not in begun)
        whole = [*begun, *(next(left) for _ in range(size**2 - len(begun)))]
        return Grid(check_rows([whole[first : first + size] for first in range(0, len(whole), size)], size))
    except MoveError:
        return Grid()


PAR = {2: 8, 3: 26, 4: 56, 5: 95}
"""The best known score for each size."""
GREATEST = (2, 3)
"""The sizes whose best known score cannot be beaten."""


@dataclass(frozen=True, slots=True)
class SumsGridOptions(Options):
    """The grid's side, and whether sums may run along diagonals: "yes", or None where they may not."""

    size: int = number_option(3, 2, 5, "Side of the grid: 2 to 5")
    diagonals: str | None = word_option(None, ("no", "yes"), "Whether sums can run along diagonals too; normally no")

    def settle(self, seats: int) -> Self:
        # "no" is left out, so that the tables of records from before there were diagonals are continued.
        return replace(self, diagonals=None) if self.diagonals == "no" else self


class SubmittedGrids(NamedTuple):
    """What a seat has submitted: its best grid (of equal ones the first), its latest, and the best one's score."""

    best: Grid = Grid()
    latest: Grid = Grid()
    score: int = 0

    def with_grid(self, grid: Grid) -> SubmittedGrids:
        """This sheet with one grid more."""
        score = find_reach(grid)
        if self.best and score <= self.score:
            return SubmittedGrids(self.best, grid, self.score)
        return SubmittedGrids(grid, grid, score)


@dataclass(frozen=True, slots=True)
class SumsGrid(SecretPosition):
    """Everybody's sheets, as `viewer` may know them: a hidden sheet is blank; who is `done` is known to all."""

    size: int
    sheets: tuple[SubmittedGrids, ...]
    diagonals: bool = False

    @classmethod
    def start(cls, options: SumsGridOptions, seats: int) -> Self:
        """Nothing submitted."""
        return cls(options.size, (SubmittedGrids(),) * seats, options.diagonals == "yes")

    @property
    def seats(self) -> range:
        """All seats, those that left included."""
        return range(1, len(self.sheets) + 1)

    @property
    def is_alone(self) -> bool:
        return len(self.sheets) == 1

    @property
    def turn(self) -> tuple[Seat, ...]:
        playing = [seat for seat in self.seats if seat not in self.withdrawn]
        if len(playing) == 1 and not self.is_alone:
            return ()
        return tuple(seat for seat in playing if seat not in self.done)

    @property
    def progress(self) -> str:
        """The best score that is known, which no grid exceeds where that is certain."""
        return "" if self.diagonals else describe_best(self.size)

    def open_to(self, seat: Seat) -> bool:
        return seat in self.turn

    def moves(self, seat: Seat) -> Iterator[str]:
        # A seat that may act can submit any grid, so there is never a list.
        return iter(())

    def may_finish(self, seat: Seat) -> bool:
        """Whether a seat, as far as the viewer may know, can be done now."""
        return seat in self.turn and (bool(self.sheets[seat - 1].best) or not self.can_see(seat))

    def suggest(self, seat: Seat, typed: str) -> Iterator[Suggestion]:
        sheet = self.sheets[seat - 1]
        return suggest_grids(typed, self.size, sheet.best, sheet.latest)

    def read(self, seat: Seat, text: str) -> str:
        return str(parse_action(text, self.size))

    def play(self, seat: Seat, move: str) -> Self:
        expect_turn(self, seat)
        match parse_action(move, self.size):
            case Submit(written):
                sheet = self.sheets[seat - 1].with_grid(Grid(check_rows(written, self.size), self.diagonals))
                return replace(self, sheets=(*self.sheets[: seat - 1], sheet, *self.sheets[seat:]))
            case FinishMatch():
                if not self.sheets[seat - 1].best:
                    raise Illegal("You have no grid yet. Hand one in first, then you can be done.")
                return self.finish_seat(seat)

    def seen_by(self, viewer: Viewer) -> Self:
        seen = replace(self, viewer=viewer)
        # The result of a solo match is public when it is over, since it goes into the table of records.
        veiled = (SubmittedGrids(score=0 if self.turn else sheet.score) for sheet in self.sheets)
        sheets = (
            sheet if seen.can_see(seat) else blank
            for seat, sheet, blank in zip(self.seats, self.sheets, veiled, strict=True)
        )
        return replace(seen, sheets=tuple(sheets))

    def scores(self) -> tuple[int, ...]:
        return tuple(sheet.score for sheet in self.sheets)

    def explain_result(self, name: NameSeat) -> str:
        sheets = [(seat, self.sheets[seat - 1]) for seat in self.winners]
        told = [
            REACHED.fill_in(sheet.score, name=name(seat), missing=sheet.score + 1)
            for seat, sheet in sheets
            if sheet.score
        ]
        return join_sentences(*told) or REACHED_NONE

    def list_score_parts(self) -> tuple[ScorePart, ...]:
        return tuple(
            ScorePart(seat, BEST, sheet.score, self.explain_best(seat))
            for seat, sheet in enumerate(self.sheets, 1)
            if sheet.score
        )

    def explain_unchanged(self, before: Position) -> tuple[str, ...]:
        """How far a grid reaches that is no better than the best one."""
        assert isinstance(before, SumsGrid)
        pairs = zip(before.sheets, self.sheets, strict=True)
        fresh = (now for was, now in pairs if now.latest and now != was)
        return tuple(NO_BETTER.format(reached=find_reach(one.latest), best=one.score) for one in fresh)

    def explain_best(self, seat: Seat) -> str:
        """How far a seat's best grid reaches, and how it makes the last number."""
        sheet = self.sheets[seat - 1]
        run = find_sums(sheet.best)[sheet.score] if sheet.best else ()
        if len(run) < 2:
            return describe_score(sheet.score)
        last = format_sum(sheet.best, run)
        return MADE.format(reached=describe_score(sheet.score), score=sheet.score, sum=last)

    def working(self) -> tuple[str, ...]:
        return tuple(line for seat in self.seats for line in self.working_of(seat))

    def working_of(self, seat: Seat) -> tuple[str, ...]:
        """How far a seat's best grid reaches and how it makes the last number; only its state while hidden."""
        sheet = self.sheets[seat - 1]
        if not (self.can_see(seat) or sheet.score):
            return (f"player {seat}: {self.describe_state(seat)}",)
        reached = (
            NO_GRID.format(seat=seat) if sheet == SubmittedGrids() else f"player {seat}: {describe_score(sheet.score)}"
        )
        if not (sheet.best and sheet.score):
            return (reached,)
        last = format_sum(sheet.best, find_sums(sheet.best)[sheet.score])
        return reached, f"player {seat}: {sheet.score} = {last}"

    def describe_state(self, seat: Seat) -> str:
        """How far a seat is, as everybody knows it, in a word."""
        if seat in self.withdrawn:
            return "left"
        if seat in self.done:
            return "done"
        return "working" if self.turn else "stayed"

    def __str__(self) -> str:
        return "\n".join(line for seat in self.seats for line in self._board_lines(seat))

    def _board_lines(self, seat: Seat) -> Iterator[str]:
        sheet, told = self.sheets[seat - 1], f"player {seat}, {self.describe_state(seat)}"
        known = describe_score(sheet.score) if sheet != SubmittedGrids() else "no grid"
        yield f"{told}: {known}" if self.can_see(seat) or sheet.score else told
        yield from ("".join(f"{value:>4}" for value in row) for row in sheet.best.rows)


REACHED = Plural("{name} made 1, but not {missing}.", "{name} made 1 to {number}, but not {missing}.")
REACHED_NONE = "Nobody's grid has a 1."
BEST, BEST_POSSIBLE, BEST_KNOWN = "best grid", "best possible {score}", "best known {score}"
NO_BETTER = "the new grid reaches {reached}, the best stays {best}"
MADE = "{reached}, {score} = {sum}"
NO_GRID = "player {seat}: no grid, so 0"


def describe_score(score: int) -> str:
    """What a grid's score says about its sums."""
    if score < 2:
        return "1 is a sum, 2 is missing" if score else "1 is missing"
    return f"1 to {score} are sums, {score + 1} is missing"


def describe_best(size: int) -> str:
    """What is known about the best grids of a size: "best possible 26"."""
    return (BEST_POSSIBLE if size in GREATEST else BEST_KNOWN).format(score=PAR[size])
