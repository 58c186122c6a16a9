"""Writes the daily puzzles of the games into their folders.

    python -m tests.puzzles [--games GAME ...] [--each 70] [--matches 20000] [--seconds 600] [--to FOLDER] [--regrade]
    python -m tests.puzzles --prove 100

A game's puzzles are taken from at most so many matches, in turn with each of its boards, until there are enough or the
processor has worked for so many seconds. With `--regrade` none are sought: those that stand are graded anew, for when
the levels of the computer have changed, and those that no longer are puzzles are left out. With `--prove` so many of
those that stand are proved by plain minimax, without what the computer knows of the games.
"""

from __future__ import annotations

import argparse
import gc
import json
import time
from collections import Counter
from collections.abc import Hashable, Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

from bot.games.catalogue import load_games
from bot.games.game import Game
from bot.play.lessons import fold_record
from tests.puzzles.finding import EXACTLY, candidates, grade, look, solver_of, values_of
from tests.puzzles.proofs import proved

Line = dict[str, Any]
ENOUGH = 6_000
"""Where more positions follow, plain minimax takes too long."""
BOARDS: dict[str, list[Line]] = {
    "another-binary-primes": [{"squares": squares} for squares in (13, 15, 17, 19, 21)],
    "binary-primes": [{"size": size} for size in (3, 5, 7)],
    "binary-scramble": [{"length": length, "target": target} for length in (4, 6) for target in (2, 3)],
    "combining-dividing": [{"length": length, "largest": 20, "limit": 10} for length in (4, 6)],
    "divisor-over-sums": [{"size": size} for size in (3, 4)],
    "dream-math": [{"size": size} for size in (3, 4, 5)],
    "flipping-bits": [{"squares": squares, "rounds": 1} for squares in (7, 8, 9)],
    "multiples-divisors-blob": [{"size": size} for size in (6, 7, 8)],
    "palindromes-antipalindromes": [{"length": length} for length in (10, 12, 14, 16)],
    "palindromic-rows-columns": [{"size": size} for size in (4, 5)],
    "plexus": [{"size": size} for size in (3, 5)],
    "polygons-permutation-grid": [{"size": size, "rounds": 2} for size in (5, 6, 7)],
    "sum-kind-of-game": [{"size": size} for size in (4, 6)],
    "sum-of-products": [{"size": size} for size in (3, 4, 5)],
}
"""The boards of each game on which its puzzles are; a game that is not here has none."""


def drawn(game: Game, matches: int, seconds: float) -> Iterator[Line]:
    """The candidates of so many matches of a game, or of so many seconds."""
    boards, began = BOARDS[game.key], time.process_time()
    for number in range(matches):
        if time.process_time() - began > seconds:
            return
        yield from candidates(game, boards[number % len(boards)], f"{game.key}:{number}")


def graded(game: Game, lines: Iterable[Line]) -> Iterator[Line]:
    """Those lines that are puzzles, each with its grade, and no two alike."""
    looks = set[Hashable]()
    for line in lines:
        position = fold_record(game, line).position
        if not (found := grade(game, position, line["best"])):
            continue
        seen = look(game, position, values_of(position, solver_of(game, EXACTLY)) or ())
        if seen not in looks:
            looks.add(seen)
            yield {**line, "grade": found}


def stored(path: Path) -> list[Line]:
    """The puzzles of a file."""
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


def main() -> None:
    """Find or grade the puzzles of the games that are asked for, and say how many there are of each grade."""
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--games", nargs="*", default=[*BOARDS], choices=[*BOARDS])
    asked.add_argument("--each", type=int, default=70)
    asked.add_argument("--matches", type=int, default=20_000)
    asked.add_argument("--seconds", type=float, default=600)
    asked.add_argument("--to", type=Path, help="another folder than those of the games")
    asked.add_argument("--regrade", action="store_true")
    asked.add_argument("--prove", type=int, default=0)
    given = asked.parse_args()
    if given.prove:
        count = proved(ENOUGH, given.prove)
        each = ", ".join(f"{key}: {number}" for key, number in sorted(count.items()))
        return print(f"{count.total()} puzzles are proved by plain minimax, and none is refuted · {each}")
    gc.set_threshold(100_000, 20, 100)  # positions refer to no others: there is next to no garbage to look for
    for key in given.games:
        began, game = time.process_time(), load_games()[key]
        folder = Path("cogs", key.replace("-", "_"))
        path = given.to_server / f"{key}.jsonl" if given.to_server else folder / "puzzles.jsonl"
        source = stored(path) if given.regrade else drawn(game, given.matches, given.seconds)
        lines = list[Line]()
        for line in islice(graded(game, source), given.numbered_legs):
            lines.append(line)
            path.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
        print(told(key, lines, time.process_time() - began), flush=True)
    return None


def told(key: str, lines: list[Line], seconds: float) -> str:
    """How many puzzles of a game there are, and of which grades."""
    counts = sorted(Counter(line["grade"] for line in lines).items())
    grades = ", ".join(f"grade {grade}: {count}" for grade, count in counts)
    return f"{key:<29}{len(lines):>4} in {seconds:.0f} s · {grades}"


if __name__ == "__main__":
    main()
