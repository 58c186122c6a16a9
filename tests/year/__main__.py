"""Plays a year and prints its figures as one JSON object; the exit status is 1 where the referee has found anything.

    python -m tests.year [--days 365] [--matches 1000] [--people 200] [--seed N] [--failing 0.04] [--keep]

It takes about five minutes. The same seed plays the same year, but for what two processes do in the same moment.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from tests.drill import verdict
from tests.drill.verdict import Faults
from tests.year.year import Given, Year

MEMORY = "/dev/shm"
"""Where there is no disk to wait for."""


def parsed() -> argparse.Namespace:
    """The command line."""
    about = "Play a year on a moved clock, with a referee."
    parser = verdict.parser("tests.year", about, "the database and the journal")
    parser.add_argument("--days", type=int, default=365, help="how long it is (365)")
    parser.add_argument("--matches", type=int, default=1000, help="how many matches begin (1000)")
    parser.add_argument("--people", type=int, default=200, help="how many people play (200)")
    parser.add_argument("--failing", type=float, default=0.04, help="what part of the requests to Discord fail (0.04)")
    return parser.parse_args()


def reported(year: Year, seconds: float) -> dict[str, Any]:
    """The figures of a year."""
    harness = year.harness
    return {
        "seed": year.given.seed,
        "seconds": round(seconds, 1),
        "days": year.given.days,
        "games": len({match.game.key for match in harness.diary.matches.values()}),
        **harness.referee.figures(),
        "kills": harness.counts["kills"],
        "killed at": dict(sorted(harness.death.met.items())),
        "discord": dict(sorted(harness.discord.counts.items())),
        "states": harness.ledger.states(),
        "frozen": len(harness.referee.frozen()),
        "check": year.sound,
        "violations": len(harness.referee.violations),
    }


def main() -> int:
    """Play what the command line asks for."""
    given = parsed()
    folder = Path(tempfile.mkdtemp(prefix="graphpaper-year-", dir=MEMORY if os.path.isdir(MEMORY) else None))
    year = Year(Given(folder, given.seed, given.days, given.matches, given.people, given.failing))
    began = time.perf_counter()
    asyncio.run(year.run())
    report, referee, faults = reported(year, time.perf_counter() - began), year.harness.referee, Faults()
    (folder / "journal.txt").write_text("".join(f"{event!r}\n" for event in year.harness.diary.events))
    faults.note("violation", referee.violations)
    faults.note("frozen", referee.frozen())
    faults.note("check", () if year.sound else ("python -m bot check finds faults",))
    return verdict.told(report, faults, folder, given.keep)


if __name__ == "__main__":
    sys.exit(main())
