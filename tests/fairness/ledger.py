"""The file of results, a line of JSON for each cell, and the statistics of its figures."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.arena.duels import interval
from tests.fairness.cells import Cell, Chosen, How, proved
from tests.fairness.digests import digest

KEPT = Path(__file__).parents[2] / "docs" / "fairness.jsonl"
STEPS = 3
"""A share is a figure when so many levels, one after the other, agree on it."""
LEAST = 40
"""Results that a share needs at least."""


@dataclass(frozen=True, slots=True)
class Found:
    """What a cell came to: its exact value (None where it could not be solved), or the results of matches; with the
    digest of the rules, the mind and the search that made it."""

    cell: Cell
    digest: str = ""
    value: int | None = None
    results: str = ""
    plies: int = 0

    @property
    def share(self) -> float:
        """The first one's share: of a tie, a half."""
        return (self.results.count("+") + self.results.count("=") / 2) / max(1, len(self.results))

    @property
    def interval(self) -> tuple[float, float]:
        """The share's interval of 95 %."""
        return interval(self.share, len(self.results))

    def fewer(self, other: Found) -> bool:
        """Whether there are fewer results here than in another."""
        return len(self.results) < len(other.results)

    @property
    def row(self) -> dict[str, object]:
        """As it is kept."""
        if self.cell.how in ("exact", "round"):
            return self.cell.row | {"digest": self.digest, "value": self.value}
        return self.cell.row | {"digest": self.digest, "results": self.results, "plies": self.plies}


Ledger = dict[Cell, Found]


def read(path: Path = KEPT) -> Ledger:
    """Everything that has been computed so far."""
    if not path.exists():
        return {}
    rows: list[Any] = [json.loads(line) for line in path.read_text().splitlines()]
    parts = ("digest", ""), ("value", None), ("results", ""), ("plies", 0)
    found = (Found(Cell.of(row), *(row.get(part, usual) for part, usual in parts)) for row in rows)
    return {each.cell: each for each in found}


def old(ledger: Ledger) -> list[str]:
    """The names of the cells that other rules, another mind or another search made."""
    return [str(cell.row) for cell, found in ledger.items() if found.digest != digest(cell)]


def fresh(ledger: Ledger) -> Ledger:
    """All others."""
    return {cell: found for cell, found in ledger.items() if found.digest == digest(cell)}


def write(ledger: Ledger, path: Path = KEPT) -> None:
    """Keep it, beside what others have computed meanwhile with the same code, in an order of its own."""
    stored = read(path)
    ledger |= {
        cell: each
        for cell, each in stored.items()
        if each.digest == digest(cell) and (cell not in ledger or ledger[cell].fewer(each))
    }
    lines = sorted(json.dumps(found.row) for found in ledger.values())
    whole = path.with_suffix(f".{os.getpid()}")
    whole.write_text("".join(f"{line}\n" for line in lines))
    whole.replace(path)


def series(ledger: Ledger, game: str, options: Chosen, how: How) -> list[Found]:
    """The results of a board by level, from the lowest on, where there are enough."""
    found = [
        each
        for cell, each in ledger.items()
        if (cell.game, cell.options, cell.how) == (game, options, how) and len(each.results) >= LEAST
    ]
    return sorted(found, key=lambda each: each.cell.level)


def stable(found: Sequence[Found]) -> bool:
    """Whether the last share is a figure: those of the two levels below lie within its interval, and so does something
    that is not proved to be impossible."""
    if len(found) < STEPS:
        return False
    low, high = found[-1].interval
    least, most = proved(found[-1].cell)
    return low <= most and high >= least and all(low <= each.share <= high for each in found[-STEPS:-1])
