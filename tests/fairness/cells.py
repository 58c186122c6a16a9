"""The cells to compute: for each game the boards that are solved, and those of self-play."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

How = Literal["exact", "round", "play", "roles", "skill"]
"""Solved; the first round solved; seat 1's matches; the first role's rounds; four times the playouts against fewer."""
Chosen = tuple[tuple[str, object], ...]


@dataclass(frozen=True, slots=True)
class Cell:
    """One thing that is computed; options that are not named are the usual ones."""

    game: str
    options: Chosen
    how: How
    playouts: int = 0

    @property
    def row(self) -> dict[str, object]:
        """How the cell is named in the file of results."""
        named: dict[str, object] = {"game": self.game, "options": dict(self.options), "how": self.how}
        return named | ({"playouts": self.playouts} if self.playouts else {})

    @staticmethod
    def of(row: Mapping[str, object]) -> Cell:
        """The cell of a row of that file."""
        options, playouts = row["options"], row.get("playouts", 0)
        assert isinstance(options, dict) and isinstance(playouts, int)
        return Cell(str(row["game"]), tuple(options.items()), row["how"], playouts)  # pyright: ignore[reportArgumentType, reportUnknownArgumentType, reportUnknownMemberType]


def _sizes(name: str, *values: object) -> list[Chosen]:
    return [((name, value),) for value in values]


SOLVED: dict[str, list[Chosen]] = {
    "sum-of-products": _sizes("size", 3),
    "divisor-over-sums": _sizes("size", 3),
    "palindromic-rows-columns": _sizes("size", 4),
    "palindromes-antipalindromes": _sizes("length", 8, 9, 10, 11, 12, 13),
    "divisors-multiples-sequence": _sizes("r", *range(5, 16)),
    "another-binary-primes": _sizes("squares", *range(8, 20)),
    "plexus": _sizes("size", 3),
    "dream-math": [*_sizes("size", 3), (("size", 3), ("variant", "simple"))],
    "binary-primes": _sizes("size", 3),
    "binary-scramble": [(("length", 4), ("target", target)) for target in (1, 2, 3)],
}
"""Boards small enough to be solved."""

ROUNDS: dict[str, list[Chosen]] = {"polygons-permutation-grid": _sizes("size", 4, 5, 6)}
"""Boards on which a round is small enough to be solved."""

SHORT, LONG = (16, 64, 256), (16, 64, 256, 1024)
"""How many playouts there are for a move: each time four times as many."""

PLAYED: dict[str, tuple[list[Chosen], tuple[int, ...]]] = {
    "palindromes-antipalindromes": (_sizes("length", 16, 12, 20), LONG),
    "sum-kind-of-game": (_sizes("size", 6, 4, 8), LONG),
    "multiples-divisors-blob": (_sizes("size", 8, 6, 10), LONG),
    "divisor-over-sums": (_sizes("size", 4, 5, 6), LONG),
    "palindromic-rows-columns": (_sizes("size", 7, 5, 9), LONG),
    "binary-primes": (_sizes("size", 7, 9, 5, 11), LONG),
    "flipping-bits": ([(("squares", squares), ("rounds", 1)) for squares in (7, 8, 9, 10, 11)], SHORT),
    "plexus": (_sizes("size", 5, 7), SHORT),
    "dream-math": (_sizes("size", 4), SHORT),
    "divisors-multiples-sequence": (_sizes("r", 13), SHORT),
    "binary-scramble": (_sizes("length", 8), SHORT),
    "combining-dividing": (_sizes("length", 6), SHORT),
}
"""Boards on which the computer plays itself, the usual one of each game first."""

ROLES: dict[str, tuple[list[Chosen], tuple[int, ...]]] = {
    "polygons-permutation-grid": (_sizes("size", 10, 7), SHORT),
}
"""Games whose rounds are played in two roles."""

SKILLED: dict[str, tuple[list[Chosen], tuple[int, ...]]] = {
    "flipping-bits": (_sizes("squares", 7, 8, 9, 10, 11, 12), (64,)),
}
"""Games that are asked how much looking further ahead is worth."""


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
        played, budgets = table.get(game, ([], ()))
        yield from (Cell(game, options, how, playouts) for options in played[:boards] for playouts in budgets)
