"""A second referee of Sums Grid, as naive as possible and sharing no code with the first.

What it says of a match, of a grid's score, of who may act and of how it ends, must agree with the rules people play by.
"""

from __future__ import annotations

Table = list[list[int]]


class Refused(Exception):
    """A move that the rules forbid."""


def table_of(text: str, size: int) -> Table:
    """A grid in canonical notation as rows of numbers."""
    word, _, rest = text.partition(" ")
    table = [[int(piece) for piece in row.split()] for row in rest.split("/")]
    flat = [value for row in table for value in row]
    fits = len(table) == size and all(len(row) == size for row in table)
    if word != "grid" or not fits or len(set(flat)) < size**2 or min(flat) < 1 or max(flat) > 9999:
        raise Refused(text)
    return table


def worth(table: Table, diagonals: bool = False) -> int:
    """Try 1, 2, 3, … and look through the whole grid for each."""
    lines = [*table, *([row[i] for row in table] for i in range(len(table)))]
    if diagonals:
        lines += [*slants(table), *slants([row[::-1] for row in table])]
    wanted = 1
    while any(makes(line, wanted) for line in lines):
        wanted += 1
    return wanted - 1


def slants(table: Table) -> Table:
    """The diagonals that fall to the right: from each square of the top row and of the left column on."""
    size, found = len(table), list[list[int]]()
    for y, x in [*((0, x) for x in range(size)), *((y, 0) for y in range(1, size))]:
        line: list[int] = []
        while x < size and y < size:
            line.append(table[y][x])
            x, y = x + 1, y + 1
        found.append(line)
    return found


def makes(line: list[int], wanted: int) -> bool:
    for first in range(len(line)):
        total = 0
        for value in line[first:]:
            total += value
            if total == wanted:
                return True
    return False


class Referee:
    """One match: `move` takes one line of a record and raises `Refused`, changing nothing, when it is illegal."""

    def __init__(self, size: int, seats: int, diagonals: bool = False) -> None:
        self.size, self.seats, self.diagonals = size, list(range(1, seats + 1)), diagonals
        self.worths: dict[int, list[int]] = {seat: [] for seat in self.seats}
        self.done: set[int] = set()
        self.gone: list[int] = []

    @property
    def to_move(self) -> list[int]:
        staying = [seat for seat in self.seats if seat not in self.gone]
        if len(self.seats) > 1 and len(staying) == 1:
            return []
        return [seat for seat in staying if seat not in self.done]

    @property
    def scores(self) -> list[int]:
        return [max(self.worths[seat], default=0) for seat in self.seats]

    @property
    def ranks(self) -> list[int] | None:
        if self.to_move:
            return None
        places: list[int] = []
        for seat, score in zip(self.seats, self.scores, strict=True):
            if seat in self.gone:
                places.append(len(self.seats) - self.gone.index(seat))
            else:
                staying = [other for other in self.seats if other not in self.gone]
                places.append(1 + sum(self.scores[other - 1] > score for other in staying))
        return places

    def move(self, seat: int, text: str) -> None:
        if text in ("resign", "timeout"):
            if not self.to_move or seat in self.gone or seat in self.done:
                raise Refused("cannot leave")
            self.gone.append(seat)
        elif seat not in self.to_move:
            raise Refused("not to move")
        elif text == "done":
            if not self.worths[seat]:
                raise Refused("no grid")
            self.done.add(seat)
        else:
            self.worths[seat].append(worth(table_of(text, self.size), self.diagonals))
