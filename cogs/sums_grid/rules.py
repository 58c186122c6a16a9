"""Sums Equal 1, 2, 3, … m In Small Grid (Leroy Quet, 2011)

**Goal** Find a grid of numbers that makes the sums 1, 2, 3, … as far as you can without a gap.

**A turn** All play at once and in secret. Submit grids of nine different numbers, as often as you like: your best one
counts. *Done* ends your match.

**Scoring** A sum is a single number, or neighbours in a row or in a column added up. If you can make 1, 2, 3, … up to
m, but not m + 1, your grid scores m. The highest score wins. No 3×3 grid scores more than 26; the inventor's own best
was 20.

**Example** The inventor's grid 2 9 8 / 3 1 10 / 7 6 15. The numbers 1, 2, 3, 6, 7, 8, 9, 10 and 15 are there. The rows
make 3 + 1 = 4, 2 + 9 = 11, 7 + 6 = 13, 3 + 1 + 10 = 14, 9 + 8 = 17 and 2 + 9 + 8 = 19, the columns 2 + 3 = 5, 2 + 3 + 7
= 12, 9 + 1 + 6 = 16 and 8 + 10 = 18. Nothing makes 20, so it scores 19, as he says.

**Options** The side of the grid is 2 to 5, usually 3. With the option diagonals the sums along any diagonal count too,
long or short, in either direction.

**Par** Without diagonals. Side 2: 8, which is every sum of a grid. Side 3: 26 is the maximum, as a search through all
grids has shown. Side 4: 56 and side 5: 95 have been found.

**Rulings** A grid has different numbers from 1 to 9999. `grid 2 9 8 / 3 1 10 / 7 6 15` has these three rows; you can
also write all numbers in one row. *Done* needs a grid first. A grid without a 1 scores 0. One to eight can play. Alone
it is a puzzle, and your score goes into the server's records for these options. Until the match is over the others
learn only whether you are working or done. A match that you play alone stays hidden afterwards too, unless you publish
it. Once you are done, you cannot leave. More than two players, further grids and the limit of 9999 are ours.

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

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple, Self

from bot.core.game.options import Options, number, word
from bot.core.game.position import Illegal, Secluded, Suggestion, expect_turn
from bot.core.values.seats import Seat, Viewer
from cogs.sums_grid.action import Done, Submit, checked, grids, parsed
from cogs.sums_grid.sums import Grid, expression, reach, sums

PAR = {2: 8, 3: 26, 4: 56, 5: 95}
"""The best known score for each size."""
GREATEST = {2: "the maximum: every sum is used", 3: "the maximum"}
"""What is known about a par that cannot be beaten."""


@dataclass(frozen=True, slots=True)
class SumsGridOptions(Options):
    """The grid's side, and whether sums may run along diagonals: "yes", or None where they may not."""

    size: int = number(3, 2, 5, "Side of the grid: 2 to 5")
    diagonals: str | None = word(None, ("no", "yes"), "Whether sums can run along diagonals too; normally no")

    def settle(self, seats: int) -> Self:
        # "no" is left out, so that the tables of records from before there were diagonals are continued.
        return replace(self, diagonals=None) if self.diagonals == "no" else self


class Sheet(NamedTuple):
    """What a seat has submitted: its best grid (of equal ones the first), its latest, and the best one's score."""

    best: Grid = Grid()
    latest: Grid = Grid()
    score: int = 0

    def submit(self, grid: Grid) -> Sheet:
        """This sheet with one grid more."""
        score = reach(grid)
        if self.best and score <= self.score:
            return Sheet(self.best, grid, self.score)
        return Sheet(grid, grid, score)


@dataclass(frozen=True, slots=True)
class SumsGrid(Secluded):
    """Everybody's sheets, as `viewer` may know them: a hidden sheet is blank; who is `done` is known to all."""

    size: int
    sheets: tuple[Sheet, ...]
    diagonals: bool = False

    @classmethod
    def start(cls, options: SumsGridOptions, seats: int) -> Self:
        """Nothing submitted."""
        return cls(options.size, (Sheet(),) * seats, options.diagonals == "yes")

    @property
    def seats(self) -> range:
        """All seats, those that left included."""
        return range(1, len(self.sheets) + 1)

    @property
    def alone(self) -> bool:
        return len(self.sheets) == 1

    @property
    def turn(self) -> tuple[Seat, ...]:
        playing = [seat for seat in self.seats if seat not in self.withdrawn]
        if len(playing) == 1 and not self.alone:
            return ()
        return tuple(seat for seat in playing if seat not in self.done)

    def open_to(self, seat: Seat) -> bool:
        return seat in self.turn

    def moves(self, seat: Seat) -> Iterator[str]:
        # A seat that may act can submit any grid, so there is never a list.
        return iter(())

    def may_finish(self, seat: Seat) -> bool:
        """Whether a seat, as far as the viewer may know, can be done now."""
        return seat in self.turn and (bool(self.sheets[seat - 1].best) or not self.shows(seat))

    def suggest(self, seat: Seat, typed: str) -> Iterator[Suggestion]:
        sheet = self.sheets[seat - 1]
        return grids(typed, self.size, sheet.best, sheet.latest)

    def read(self, seat: Seat, text: str) -> str:
        return str(parsed(text, self.size))

    def play(self, seat: Seat, move: str) -> Self:
        expect_turn(self, seat)
        match parsed(move, self.size):
            case Submit(written):
                sheet = self.sheets[seat - 1].submit(Grid(checked(written, self.size), self.diagonals))
                return replace(self, sheets=(*self.sheets[: seat - 1], sheet, *self.sheets[seat:]))
            case Done():
                if not self.sheets[seat - 1].best:
                    raise Illegal("You have no grid yet. Submit one first, then you can be done.")
                return self.with_done(seat)

    def seen_by(self, viewer: Viewer) -> Self:
        seen = replace(self, viewer=viewer)
        # What somebody alone reached is known when the puzzle is done: it goes into the table of records.
        veiled = (Sheet(score=0 if self.turn else sheet.score) for sheet in self.sheets)
        sheets = (
            sheet if seen.shows(seat) else blank
            for seat, sheet, blank in zip(self.seats, self.sheets, veiled, strict=True)
        )
        return replace(seen, sheets=tuple(sheets))

    def scores(self) -> tuple[int, ...]:
        return tuple(sheet.score for sheet in self.sheets)

    def working(self) -> tuple[str, ...]:
        return tuple(line for seat in self.seats for line in self.working_of(seat))

    def working_of(self, seat: Seat) -> tuple[str, ...]:
        """How far a seat's best grid reaches and how it makes the last number; only its state while hidden."""
        sheet = self.sheets[seat - 1]
        if not (self.shows(seat) or sheet.score):
            return (f"player {seat}: {self.state(seat)}",)
        reached = NO_GRID.format(seat=seat) if sheet == Sheet() else f"player {seat}: {fact(sheet.score)}"
        if not (sheet.best and sheet.score):
            return (reached,)
        last = expression(sheet.best, sums(sheet.best)[sheet.score])
        return reached, f"player {seat}: {sheet.score} = {last}"

    def state(self, seat: Seat) -> str:
        """How far a seat is, as everybody knows it, in a word."""
        if seat in self.withdrawn:
            return "left"
        if seat in self.done:
            return "done"
        return "working" if self.turn else "stayed"

    def __str__(self) -> str:
        return "\n".join(line for seat in self.seats for line in self._lines(seat))

    def _lines(self, seat: Seat) -> Iterator[str]:
        sheet, told = self.sheets[seat - 1], f"player {seat}, {self.state(seat)}"
        known = fact(sheet.score) if sheet != Sheet() else "no grid"
        yield f"{told}: {known}" if self.shows(seat) or sheet.score else told
        yield from ("".join(f"{value:>4}" for value in row) for row in sheet.best.rows)


NO_GRID = "player {seat}: no grid, so 0"


def fact(score: int) -> str:
    """What a grid's score says about its sums."""
    if score < 2:
        return "1 is a sum, 2 is missing" if score else "1 is missing"
    return f"1 to {score} are sums, {score + 1} is missing"


def par(size: int) -> str:
    """What is known about the best grids of a size: "26 is the maximum"."""
    return f"{PAR[size]} is {GREATEST[size]}" if size in GREATEST else f"{PAR[size]} has been found"
