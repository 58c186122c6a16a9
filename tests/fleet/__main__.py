"""Runs the fleet and prints what was found as one JSON object; the exit status is 1 when anything was wrong.

    python -m tests.fleet [--quick] [--seed N] [--seconds 480] [--fair] [--keep]

`--quick`: two bots, four shards, eight servers and forty matches, and each thing happens once.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
from pathlib import Path

from bot.play.ids import ShardShare
from tests.drill import verdict
from tests.fleet.database import Doomed
from tests.fleet.one_run import Fleet, Size

FULL = Size(processes=4, shards=16, servers=64, matches=500, at_once=24, rounds=3, quiet=4.0, double=20.0)
QUICK = Size(processes=2, shards=4, servers=8, matches=40, at_once=10, rounds=1, quiet=1.5, double=5.0)


def parsed() -> argparse.Namespace:
    """The command line."""
    parser = verdict.parser("tests.fleet", "Kill bots and their database; nothing may be lost.", "the bots' logs")
    parser.add_argument("--quick", action="store_true", help="two bots and forty matches")
    parser.add_argument("--seconds", type=float, default=480.0, help="the longest that things go on happening (480)")
    parser.add_argument("--fair", action="store_true", help="nothing goes wrong on Discord's side")
    return parser.parse_args()


def shares(size: Size) -> list[ShardShare]:
    """Equal parts of the shards."""
    each = size.shards // size.processes
    return [ShardShare(first, first + each - 1, size.shards) for first in range(0, size.shards, each)]


def main() -> int:
    """Run the fleet; the exit status."""
    given = parsed()
    folder = Path(tempfile.mkdtemp(prefix="graphpaper-fleet-"))
    server = Doomed(folder / "server")
    try:
        size = QUICK if given.quick else FULL
        fleet = Fleet(size, shares(size), server, folder, given.seed)
        report = asyncio.run(fleet.run(given.seconds, given.fair))
    finally:
        server.close()
    return verdict.told(report, fleet.faults, folder, given.keep, fleet.history)


if __name__ == "__main__":
    sys.exit(main())
