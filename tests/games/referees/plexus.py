"""A second referee of Plexus, as naive as possible and sharing no code with the first: what it says must agree."""

from __future__ import annotations

from collections import Counter

Dot = tuple[int, int]


def name(dot: Dot) -> str:
    return "abcdefghijklmno"[dot[0]] + str(dot[1] + 1)


class Referee:
    """One match without withdrawals: `legal` are the moves of the one `to_move`, `points` the scores so far."""

    def __init__(self, size: int) -> None:
        self.dots = [(column, row) for row in range(size) for column in range(size)]
        middle = (size - 1) // 2
        self.edges = [((middle, middle), (middle, middle - 1))]
        self.points = {1: 0, 2: 0}
        self.pair = [1, 2]
        self.wanted: int | None = None

    def degrees(self) -> Counter[Dot]:
        return Counter(dot for edge in self.edges for dot in edge)

    def drawable(self, wanted: int | None) -> dict[str, tuple[Dot, Dot]]:
        degrees = self.degrees()
        return {
            f"{name(a)}-{name(b)}": (a, b)
            for a in self.dots
            for b in self.dots
            if abs(a[0] - b[0]) + abs(a[1] - b[1]) == 1 and degrees[a] > 0 and degrees[b] == 0
            if wanted is None or min(degrees[a], 2) == wanted
        }

    @property
    def to_move(self) -> list[int]:
        if len(self.degrees()) == len(self.dots):
            return []
        return [self.pair[0] if self.wanted is None else self.pair[1]]

    @property
    def legal(self) -> list[str]:
        return sorted(self.drawable(self.wanted))

    def move(self, text: str) -> None:
        edge = self.drawable(self.wanted)[text]
        kind = min(self.degrees()[edge[0]], 2)
        self.edges.append(edge)
        if self.wanted is None and self.drawable(kind):
            self.wanted = kind
            return
        if self.wanted is None:
            self.points[self.pair[0]] += 1
        self.wanted = None
        self.pair.reverse()
