"""The cells to compute: for each game the boards that are solved, and those of self-play."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

How = Literal["exact", "round", "play", "roles", "skill", "seats"]
"""Solved; the first round solved; seat 1's matches; the first role's rounds; a level against the one below; who wins
of several seats."""
Chosen = tuple[tuple[str, object], ...]


@dataclass(frozen=True, slots=True)
class Cell:
    """One thing that is computed; options that are not named are the usual ones."""

    game: str
    options: Chosen
    how: How
    level: int = 0
    """The computer's level in matches; 0 where the board is solved."""
    seats: int = 2

    @property
    def row(self) -> dict[str, object]:
        """How the cell is named in the file of results."""
        named: dict[str, object] = {"game": self.game, "options": dict(self.options), "how": self.how}
        named |= {"level": self.level} if self.level else {}
        return named | ({"seats": self.seats} if self.seats != 2 else {})

    @staticmethod
    def of(row: Mapping[str, object]) -> Cell:
        """The cell of a row of that file."""
        options, level, seats = row["options"], row.get("level", 0), row.get("seats", 2)
        assert isinstance(options, dict) and isinstance(level, int) and isinstance(seats, int)
        return Cell(str(row["game"]), tuple(options.items()), row["how"], level, seats)  # pyright: ignore[reportArgumentType, reportUnknownArgumentType, reportUnknownMemberType]


def _sizes(name: str, *values: object) -> list[Chosen]:
    return [((name, value),) for value in values]


SOLVED: dict[str, list[Chosen]] = {
    "sum-of-products": _sizes("size", 3),
    "divisor-over-sums": _sizes("size", 3),
    "palindromic-rows-columns": _sizes("size", 4, 5, 6, 7, 8),
    "palindromes-antipalindromes": _sizes("length", 8, 9, 10, 11, 12, 13),
    "divisors-multiples-sequence": _sizes("r", *range(5, 16)),
    "another-binary-primes": _sizes("squares", *range(8, 20)),
    "plexus": _sizes("size", 3),
    "dream-math": [*_sizes("size", 3), (("size", 3), ("variant", "simple"))],
    "binary-primes": _sizes("size", 3),
    "binary-scramble": [
        *((("length", 4), ("target", target)) for target in range(1, 6)),
        (("length", 6), ("target", 1)),
    ],
}
"""Boards small enough to be solved."""

ROUNDS: dict[str, list[Chosen]] = {"polygons-permutation-grid": _sizes("size", 4, 5, 6)}
"""Boards on which a round is small enough to be solved."""

SHORT, LONG = (2, 3, 4), (2, 3, 4, 5)
"""The levels that play themselves: each looks at four times as much as the one below."""

PLAYED: dict[str, tuple[list[Chosen], tuple[int, ...]]] = {
    "palindromes-antipalindromes": (_sizes("length", 16, 12, 20), LONG),
    "sum-kind-of-game": (_sizes("size", 6, 4, 8), LONG),
    "multiples-divisors-blob": (_sizes("size", 8, 6, 10), LONG),
    "divisor-over-sums": (_sizes("size", 4, 5, 6), LONG),
    "palindromic-rows-columns": (_sizes("size", 9), LONG),
    "binary-primes": (_sizes("size", 7, 9, 5, 11), LONG),
    "flipping-bits": ([(("squares", squares), ("rounds", 1)) for squares in (7, 8, 9, 10, 11)], SHORT),
    "plexus": (_sizes("size", 7, 5), SHORT),
    "dream-math": (_sizes("size", 4), SHORT),
    "binary-scramble": (_sizes("length", 8), SHORT),
    "combining-dividing": (_sizes("length", 6), SHORT),
    "not-divisors-not-multiples": (_sizes("size", 5, 4), SHORT),
    "sum-of-products": (_sizes("size", 6), SHORT),
}
"""Boards on which the computer plays itself, the usual one of each game first, at some levels."""

ROLES: dict[str, tuple[list[Chosen], tuple[int, ...]]] = {
    "polygons-permutation-grid": (_sizes("size", 10, 7), SHORT),
}
"""Games whose rounds are played in two roles."""

SKILLED: dict[str, tuple[list[Chosen], tuple[int, ...]]] = {
    "flipping-bits": (_sizes("squares", 7, 8, 9, 10, 11, 12), (3,)),
}
"""Games that are asked how much looking further ahead is worth."""


SEVERAL: dict[str, tuple[list[Chosen], tuple[int, ...], tuple[int, ...]]] = {
    "flipping-bits": ([(("squares", squares), ("rounds", 1)) for squares in (9, 8, 10)], (2,), (3, 4, 5, 6)),
    "divisors-multiples-sequence": ([()], (2,), (3, 4, 5, 6)),
    "binary-scramble": ([()], (2,), (3, 4, 5, 6)),
    "combining-dividing": ([()], (2,), (3, 4, 5, 6)),
    "not-divisors-not-multiples": ([()], (2,), (3, 4, 5, 6)),
}
"""Games for several, whose seats are compared: boards, levels, how many play."""


def proved(cell: Cell) -> tuple[float, float]:
    """Between what seat 1's share lies if nobody errs, as copying across the diagonal or from the other end proves."""
    size = dict(cell.options).get(COPIED.get(cell.game, ""))
    if not isinstance(size, int) or cell.how != "play":
        return 0.0, 1.0
    if size % 2:
        return (0.5, 1.0) if cell.game == "sum-of-products" else (0.0, 1.0)
    return 0.0, 0.5


COPIED = {
    "sum-of-products": "size",
    "palindromic-rows-columns": "size",
    "binary-primes": "size",
    "another-binary-primes": "squares",
}
"""The option that says whether a seat can copy the other's moves: seat 2 where it is even."""


def cells(game: str, boards: int = 99) -> Iterator[Cell]:
    """Everything that is computed of a game."""
    yield from (Cell(game, options, "exact") for options in SOLVED.get(game, []))
    yield from (Cell(game, options, "round") for options in ROUNDS.get(game, []))
    tables: tuple[tuple[How, dict[str, tuple[list[Chosen], tuple[int, ...]]]], ...] = (
        ("play", PLAYED),
        ("roles", ROLES),
        ("skill", SKILLED),
    )
    for how, table in tables:
        played, levels = table.get(game, ([], ()))
        yield from (Cell(game, options, how, level) for options in played[:boards] for level in levels)
    played, levels, many = SEVERAL.get(game, ([], (), ()))
    for options in played[:boards]:
        yield from (Cell(game, options, "seats", level, seats) for level in levels for seats in many)
