"""Computes whom the games favour.

    python -m tests.fairness [--games GAME ...] [--matches 100] [--most 4] [--how exact]

Results are kept after every few matches. What has been computed is not computed again, unless the rules, the mind or
the search have changed since; then it is forgotten. At last the tables of the page are written anew; with --matches 0
nothing else is done.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter

from bot.games.catalogue import load_games
from tests.fairness import ledger
from tests.fairness.cells import Cell, cells
from tests.fairness.digests import digest
from tests.fairness.ledger import Found, Ledger
from tests.fairness.measuring import match, solve
from tests.fairness.page import PAGE, filled

BETWEEN = 10.0
"""How many seconds of matches may be lost."""


def work(kept: Ledger, cell: Cell, matches: int) -> None:
    """Compute what a cell lacks."""
    found = kept.get(cell)
    if cell.how in ("exact", "round"):
        kept[cell] = found or Found(cell, digest(cell), solve(cell))
        return
    found, saved = found or Found(cell, digest(cell)), time.monotonic()
    each = 2 if cell.how == "roles" else 1
    for number in range(len(found.results) // each, matches):
        results, plies = match(cell, number)
        found = Found(cell, found.digest, None, found.results + results, found.plies + plies)
        kept[cell] = found
        if time.monotonic() > saved + BETWEEN:
            ledger.write(kept)
            saved = time.monotonic()


def said(found: Found) -> str:
    """A cell in a line."""
    options = " ".join(f"{name}={value}" for name, value in found.cell.options)
    if found.cell.how in ("exact", "round"):
        return (
            f"{found.cell.game:<29}{options:<20}{found.cell.how} {'not solved' if found.value is None else found.value}"
        )
    if (cell := found.cell).how == "seats":
        return f"{cell.game:<29}{options:<20}{cell.seats} seats, level {cell.level}: {Counter(found.results)}"
    low, high = found.interval
    return (
        f"{found.cell.game:<29}{options:<20}{found.cell.how:<6}{found.cell.level:>5}{len(found.results):>5}"
        f"{found.share:>6.2f} [{low:.2f}, {high:.2f}]"
    )


def main() -> int:
    """Compute what the command line asks for."""
    parser = argparse.ArgumentParser("tests.fairness", description="Compute whom the games favour.")
    parser.add_argument("--games", nargs="+", default=list(load_games()), choices=list(load_games()), metavar="GAME")
    parser.add_argument("--matches", type=int, default=100, help="matches of a cell")
    parser.add_argument("--most", type=int, default=5, help="the highest level that plays")
    parser.add_argument("--boards", type=int, default=99, help="of each game only the first few boards that are played")
    parser.add_argument(
        "--how", choices=["exact", "round", "play", "roles", "skill", "seats"], help="only what is computed so"
    )
    given = parser.parse_args()
    kept = ledger.fresh(ledger.read())
    ledger.write(kept)
    for cell in (cell for key in given.games for cell in cells(key, given.boards)):
        if cell.level <= given.most and given.how in (None, cell.how):
            work(kept, cell, given.matches)
            ledger.write(kept)
            if cell in kept:
                print(said(kept[cell]), flush=True)
    PAGE.write_text(filled(PAGE.read_text(), ledger.read()))
    return 0


if __name__ == "__main__":
    sys.exit(main())
