"""Runs the fleet and prints what was found as one JSON object; the exit status is 1 when anything was wrong.

    python -m tests.fleet [--quick] [--seed N] [--seconds 480] [--fair] [--keep]

`--quick`: two bots, four shards, eight servers and forty matches, and each thing happens once.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import logging
import random
import shutil
import sys
import tempfile
from pathlib import Path

from bot.core.values.shards import Share
from tests.fleet.database import Doomed
from tests.fleet.one_run import Fleet, Size

FULL = Size(processes=4, shards=16, servers=64, matches=500, at_once=24, rounds=3, quiet=4.0, double=20.0)
QUICK = Size(processes=2, shards=4, servers=8, matches=40, at_once=10, rounds=1, quiet=1.5, double=5.0)


def parsed() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser("tests.fleet", description="Kill bots and their database; nothing may be lost.")
    parser.add_argument("--quick", action="store_true", help="two bots and forty matches")
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(10**6), help="else by lot")
    parser.add_argument("--seconds", type=float, default=480.0, help="the longest that things go on happening (480)")
    parser.add_argument("--fair", action="store_true", help="nothing goes wrong on Discord's side")
    parser.add_argument("--keep", action="store_true", help="keep the bots' logs")
    return parser.parse_args()


def shares(size: Size) -> list[Share]:
    """Equal parts of the shards."""
    each = size.shards // size.processes
    return [Share(first, first + each - 1, size.shards) for first in range(0, size.shards, each)]


def main() -> int:
    """Run the fleet; the exit status."""
    given = parsed()
    # Every death cuts connections, which the server in here has no reason to report.
    logging.getLogger("aiohttp.server").setLevel(logging.CRITICAL)
    folder = Path(tempfile.mkdtemp(prefix="graphpaper-fleet-"))
    server = Doomed(folder / "server")
    try:
        size = QUICK if given.quick else FULL
        fleet = Fleet(size, shares(size), server, folder, given.seed)
        report = asyncio.run(fleet.run(given.seconds, given.fair))
    finally:
        server.close()
    wrong = any(fleet.faults.values())
    print(json.dumps(report, indent=2))
    for kind, found in fleet.faults.items():
        for line in sorted(found)[:20]:
            print(f"{kind}: {line}", file=sys.stderr)
    if wrong or given.keep:
        print("\n".join(fleet.history), f"The bots' logs are in {folder}.", sep="\n", file=sys.stderr)
    else:
        shutil.rmtree(folder)
    return int(wrong)


if __name__ == "__main__":
    sys.exit(main())
