"""A second referee of Within The Curve, as naive as possible and sharing no code with the first.

What it says of a match, drawn curves, legal moves, scores and ends, must agree with the rules that people play by.
"""

from __future__ import annotations

Cell = tuple[int, int]


class Refused(Exception):
    """A move that the rules forbid."""


def cell(name: str, size: int) -> Cell:
    column, row = "abcdefghijklmnop".index(name[0]), int(name[1:]) - 1
    if column >= size or not 0 <= row < size:
        raise Refused(name)
    return column, row


def name(cell: Cell) -> str:
    return "abcdefghijklmnop"[cell[0]] + str(cell[1] + 1)


def coprime(a: int, b: int) -> bool:
    return not any(a % divisor == 0 == b % divisor for divisor in range(2, min(a, b) + 1))


class Loop:
    """A curve: its cells in order, drawn clockwise or not, and the cells inside."""

    def __init__(self, names: list[str], size: int) -> None:
        corners = [cell(each, size) for each in names]
        steps: list[Cell] = []
        self.cells: list[Cell] = []
        for at, start in enumerate(corners):
            end = corners[(at + 1) % len(corners)]
            across, down = end[0] - start[0], end[1] - start[1]
            if (across == 0) == (down == 0):
                raise Refused("no straight line")
            long = abs(across + down)
            steps.append((across // long, down // long))
            self.cells += [(start[0] + across // long * i, start[1] + down // long * i) for i in range(long)]
        if any((a[0] == 0) == (b[0] == 0) for a, b in zip(steps, steps[1:] + steps[:1], strict=True)):
            raise Refused("no turn")
        if len(set(self.cells)) < len(self.cells) or len(self.cells) < 8:
            raise Refused("twice or too short")
        self.inside = self.flooded(size)
        if not self.inside:
            raise Refused("encloses nothing")

    def flooded(self, size: int) -> set[Cell]:
        """Paint the outside on paper twice as fine, where the curve is a wall one unit thick."""
        wall: set[Cell] = set()
        for a, b in zip(self.cells, self.cells[1:] + self.cells[:1], strict=True):
            wall |= {(2 * a[0], 2 * a[1]), (a[0] + b[0], a[1] + b[1])}
        shut, edge = wall | {(-1, -1)}, [(-1, -1)]
        while edge:
            x, y = edge.pop()
            for spot in (x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1):
                if spot not in shut and min(spot) >= -1 and max(spot) <= 2 * size:
                    shut.add(spot)
                    edge.append(spot)
        cells = {(x, y) for x in range(size) for y in range(size)}
        return {at for at in cells if (2 * at[0], 2 * at[1]) not in shut}

    def clockwise(self) -> list[Cell]:
        """The cells clockwise: from the leftmost of the top row the curve leaves to the right."""
        top = min(self.cells, key=lambda at: (at[1], at[0]))
        at = self.cells.index(top)
        right = self.cells[(at + 1) % len(self.cells)] == (top[0] + 1, top[1])
        return self.cells if right else self.cells[::-1]


class Copy:
    """One seat's copy of one curve."""

    def __init__(self, loop: Loop, size: int) -> None:
        self.loop, self.size = loop, size
        self.outer: dict[Cell, int] = {}
        self.inner: dict[Cell, int] = {}

    def number(self, start: Cell, turn: str) -> None:
        ring = self.loop.clockwise() if turn == "cw" else self.loop.clockwise()[::-1]
        if self.outer or start not in ring:
            raise Refused("numbering")
        self.outer = {ring[(ring.index(start) + i) % len(ring)]: i + 1 for i in range(len(ring))}

    def fits(self, at: Cell) -> bool:
        value = len(self.inner) + 1
        x, y = at
        written = self.outer | self.inner
        beside = [written[spot] for spot in ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)) if spot in written]
        free = at in self.loop.inside and at not in self.inner
        return bool(self.outer) and free and all(coprime(value, other) for other in beside)

    def fill(self, at: Cell) -> None:
        if not self.fits(at):
            raise Refused("no fit")
        self.inner[at] = len(self.inner) + 1

    def undo(self, count: int) -> None:
        if self.outer and not self.inner and count == 1:
            self.outer = {}
        elif not 1 <= count <= len(self.inner):
            raise Refused("too many")
        else:
            self.inner = {at: value for at, value in self.inner.items() if value <= len(self.inner) - count}

    def legal(self, which: int) -> list[str]:
        if not self.outer:
            return [f"number {which} {name(at)} {turn}" for at in self.loop.cells for turn in ("cw", "ccw")]
        return [f"fill {which} {name(at)}" for at in self.loop.inside if self.fits(at)]


class Referee:
    """One match: `move` takes one line of a record and raises `Refused`, changing nothing, when it is illegal."""

    def __init__(self, size: int, seats: int) -> None:
        self.size, self.seats = size, range(1, seats + 1)
        self.loops: dict[int, Loop] = {}
        self.copies: dict[int, dict[int, Copy]] = {}
        self.done: set[int] = set()
        self.gone: list[int] = []

    @property
    def staying(self) -> list[int]:
        return [seat for seat in self.seats if seat not in self.gone]

    @property
    def to_move(self) -> list[int]:
        if not self.staying or (len(self.staying) == 1 and len(self.seats) > 1):
            return []
        return [s for s in self.staying if s not in self.loops] or [s for s in self.staying if s not in self.done]

    @property
    def working(self) -> bool:
        return all(seat in self.loops for seat in self.staying)

    @property
    def scores(self) -> list[int]:
        return [sum(len(copy.inner) for copy in self.copies.get(seat, {}).values()) for seat in self.seats]

    @property
    def ranks(self) -> list[int] | None:
        if self.to_move:
            return None
        worth = [(0, -score) for score in self.scores]
        for age, seat in enumerate(reversed(self.gone), 1):
            worth[seat - 1] = (age, 0)
        return [1 + sum(other < mine for other in worth) for mine in worth]

    def legal(self, seat: int) -> list[str] | None:
        if not self.working:
            return None
        moves = [move for which, copy in self.copies[seat].items() for move in copy.legal(which)]
        return sorted(moves) or ["done"]

    def move(self, seat: int, text: str) -> None:
        if text in ("resign", "timeout"):
            if not self.to_move or seat in self.gone or seat in self.done:
                raise Refused("cannot leave")
            self.gone.append(seat)
        elif seat not in self.to_move:
            raise Refused("not to move")
        else:
            self.act(seat, *text.split())
        if self.working and not self.copies:
            self.copies = {s: {k: Copy(loop, self.size) for k, loop in sorted(self.loops.items())} for s in self.seats}

    def act(self, seat: int, verb: str, *rest: str) -> None:
        if (verb == "curve") is self.working:
            raise Refused("not at this stage")
        if verb == "curve":
            self.loops[seat] = Loop(list(rest), self.size)
        elif verb == "done":
            if self.legal(seat) != ["done"]:
                raise Refused("not finished")
            self.done.add(seat)
        elif int(rest[0]) not in self.loops:
            raise Refused("no such curve")
        else:
            self.work(self.copies[seat][int(rest[0])], verb, *rest[1:])

    def work(self, copy: Copy, verb: str, *rest: str) -> None:
        if verb == "number":
            copy.number(cell(rest[0], self.size), rest[1])
        elif verb == "undo":
            copy.undo(int(rest[0]) if rest else 1)
        else:
            kept = dict(copy.inner)
            try:
                for each in rest:
                    copy.fill(cell(each, self.size))
            except Refused:
                copy.inner = kept
                raise
