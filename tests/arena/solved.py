"""Exact values of small boards: by how much seat 1 is ahead at the end if nobody errs."""

from __future__ import annotations

import json
import time
from pathlib import Path
from random import Random
from typing import Any

from bot.engine.exact import ExactSolver, SearchTooLarge
from bot.games.catalogue import load_games
from tests.support.skips import ROOT, SHARED

OWN = ROOT / "tests" / "search" / "exact.jsonl"
"""What has been solved here, each with the number of nodes that it took then."""
INVENTED = SHARED / "exact.jsonl"
"""What was solved elsewhere, with another program; it is no part of the project."""
NODES = 400_000
"""How much is looked at for one board at most."""

Row = dict[str, Any]


def rows(file: Path) -> list[Row]:
    """The boards in a file, with their values."""
    return [json.loads(line) for line in file.read_text().splitlines() if line.strip()]


def value(row: Row, nodes: int = NODES) -> tuple[float | None, int]:
    """The value of a board, or None where it takes more nodes, and how many it took."""
    game = load_games()[row["game"]]
    position = game.start(game.configure(row["options"], 2), 2)
    solver = ExactSolver(game.mind, nodes, Random(1))
    try:
        return solver.solve_value(position), nodes - solver.left
    except SearchTooLarge:
        return None, nodes


def line(row: Row) -> str:
    """A row of the table."""
    begun = time.process_time()
    found, nodes = value(row)
    verdict = "as known" if found == row["value"] else f"NOT {row['value']}"
    options = " ".join(f"{name}={it}" for name, it in row["options"].items())
    return f"{row['game']:<29}{options:<34}{found!s:>5} {verdict:<10}{nodes:>8} {time.process_time() - begun:6.2f} s"
