"""Writes the daily puzzles of the games into their folders.

    python -m tests.puzzles [--games GAME ...] [--each 60] [--matches 3000]

A game's puzzles are taken from at most so many matches, in turn with each of its boards. The same lines are written on
every machine.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import Counter
from collections.abc import Hashable
from pathlib import Path
from typing import Any

from bot.core.game.game import Game
from bot.core.library.catalogue import folded, games
from tests.puzzles.finding import EXACTLY, look, puzzle, solver_of, values_of

BOARDS: dict[str, list[dict[str, Any]]] = {
    "another-binary-primes": [{"squares": squares} for squares in (13, 15, 17, 19, 21)],
    "binary-primes": [{"size": size} for size in (3, 5, 7)],
    "binary-scramble": [{"length": length, "target": 2} for length in (4, 6)],
    "combining-dividing": [{"length": length, "largest": 20, "limit": 10} for length in (4, 6)],
    "divisor-over-sums": [{"size": size} for size in (3, 4)],
    "dream-math": [{"size": size} for size in (3, 4, 5)],
    "flipping-bits": [{"squares": squares, "rounds": 2} for squares in (7, 8, 9)],
    "multiples-divisors-blob": [{"size": size} for size in (6, 7, 8)],
    "palindromes-antipalindromes": [{"length": length} for length in (10, 12, 14, 16)],
    "palindromic-rows-columns": [{"size": size} for size in (4, 5)],
    "plexus": [{"size": size} for size in (3, 5)],
    "polygons-permutation-grid": [{"size": size, "rounds": 2} for size in (5, 6, 7)],
    "sum-kind-of-game": [{"size": size} for size in (4, 6)],
    "sum-of-products": [{"size": size} for size in (3, 4, 5)],
}
"""The boards of each game on which its puzzles are; a game that is not here has none."""


def found(game: Game, each: int, matches: int) -> list[dict[str, Any]]:
    """So many puzzles of a game, no two alike."""
    lines, looks, boards = list[dict[str, Any]](), set[Hashable](), BOARDS[game.key]
    for number in range(matches):
        if len(lines) == each:
            break
        line = puzzle(game, boards[number % len(boards)], f"{game.key}:{number}")
        if line is None:
            continue
        position = folded(game, line).position
        seen = look(game, position, values_of(position, solver_of(game, EXACTLY)) or ())
        if seen not in looks:
            looks.add(seen)
            lines.append(line)
    return lines


def main() -> None:
    """Find the puzzles of the games that are asked for, and say how many there are of each grade."""
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--games", nargs="*", default=[*BOARDS], choices=[*BOARDS])
    asked.add_argument("--each", type=int, default=60)
    asked.add_argument("--matches", type=int, default=3_000)
    given = asked.parse_args()
    for key in given.games:
        began, game = time.process_time(), games()[key]
        lines = found(game, given.each, given.matches)
        folder = Path(sys.modules[game.start.__module__].__file__ or "").parent
        (folder / "puzzles.jsonl").write_text("".join(f"{json.dumps(line)}\n" for line in lines))
        grades = ", ".join(
            f"grade {grade}: {count}" for grade, count in sorted(Counter(x["grade"] for x in lines).items())
        )
        print(f"{key:<29}{len(lines):>4} in {time.process_time() - began:.0f} s · {grades}", flush=True)


if __name__ == "__main__":
    main()
