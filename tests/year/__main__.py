"""Plays a year and prints its figures as one JSON object; the exit status is 1 where the referee has found anything.

    python -m tests.year [--days 365] [--matches 1000] [--people 200] [--seed N] [--failing 0.04] [--keep]

It takes about five minutes. The same seed plays the same year, but for what two processes do in the same moment.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import shutil
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from tests.year.year import Given, Year

MEMORY = "/dev/shm"
"""Where there is no disk to wait for."""
SHOWN = 30
"""So many violations are printed."""


def parsed() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser("tests.year", description="Play a year on a moved clock, with a referee.")
    parser.add_argument("--days", type=int, default=365, help="how long it is (365)")
    parser.add_argument("--matches", type=int, default=1000, help="how many matches begin (1000)")
    parser.add_argument("--people", type=int, default=200, help="how many people play (200)")
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(10**6), help="else by lot")
    parser.add_argument("--failing", type=float, default=0.04, help="what part of the requests to Discord fail (0.04)")
    parser.add_argument("--keep", action="store_true", help="keep the database and the journal")
    return parser.parse_args()


def reported(year: Year, seconds: float) -> dict[str, Any]:
    """The figures of a year."""
    house = year.house
    return {
        "seed": year.given.seed,
        "seconds": round(seconds, 1),
        "days": year.given.days,
        "games": len({match.game.key for match in house.diary.matches.values()}),
        **house.referee.figures(),
        "kills": house.counts["kills"],
        "killed at": dict(sorted(house.death.met.items())),
        "discord": dict(sorted(house.discord.counts.items())),
        "states": house.ledger.states(),
        "frozen": len(house.referee.frozen()),
        "check": year.sound,
        "violations": len(house.referee.violations),
    }


def main() -> int:
    """Play what the command line asks for."""
    given = parsed()
    folder = Path(tempfile.mkdtemp(prefix="graphpaper-year-", dir=MEMORY if os.path.isdir(MEMORY) else None))
    year = Year(Given(folder, given.seed, given.days, given.matches, given.people, given.failing))
    began = time.perf_counter()
    asyncio.run(year.run())
    print(json.dumps(reported(year, time.perf_counter() - began), indent=2))
    referee = year.house.referee
    wrong = [*referee.violations, *referee.frozen(), *(() if year.sound else ("python -m bot check finds faults",))]
    for line in wrong[:SHOWN]:
        print(line, file=sys.stderr)
    if wrong or given.keep:
        events = "\n".join(map(repr, year.house.diary.events))
        (folder / "journal.txt").write_text(events + "\n")
        print(f"The database and the journal are in {folder}.", file=sys.stderr)
    else:
        shutil.rmtree(folder)
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())
