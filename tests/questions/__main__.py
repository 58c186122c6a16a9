"""Answers one of the inventor's questions.

python -m tests.questions sums-grid | sum-kind [--matches 40] | cross [--most 8] [--drawings 20000]
"""

from __future__ import annotations

import argparse
import sys

from tests.questions import cross, sum_kind, sums_grid


def main() -> int:
    """Print what is found."""
    parser = argparse.ArgumentParser("tests.questions", description="Answer one of the inventor's questions.")
    parser.add_argument("about", choices=["sums-grid", "sum-kind", "cross"])
    parser.add_argument("--matches", type=int, default=40, help="matches for each pair of orders")
    parser.add_argument("--most", type=int, default=8, help="how many segments are looked ahead")
    parser.add_argument("--drawings", type=int, default=20_000, help="from so many drawings on it ends")
    given = parser.parse_args()
    about = {
        "sums-grid": sums_grid.lines,
        "sum-kind": lambda: sum_kind.lines(given.matches),
        "cross": lambda: cross.lines(given.most, given.drawings),
    }
    for line in about[given.about]():
        print(line, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
