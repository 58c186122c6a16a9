"""Runs the benchmark: prints every figure with its limit, and writes them as JSON if asked.

    python -m tests.bench [--json FILE] [--only pictures,store,grown,…,held,films,computer,newcomer]

The exit status is 0 whatever the figures are.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import platform
import signal
import sys
import tempfile
from pathlib import Path

import discord
import PIL

from tests.bench import (
    computers,
    costs,
    crowded,
    fair,
    films,
    grown,
    held,
    host,
    load,
    many,
    pictures,
    records,
    stored,
    stores,
    stuck,
    tapped,
    timer,
    way,
    whole,
    worst,
)
from tests.bench.figures import Sheet
from tests.browser import newcomer

GROUPS = (
    "pictures", "store", "stores", "costs", "grown", "timer", "records", "games", "pads", "move", "load", "stuck",
    "many", "crowded", "held", "films", "computer", "fair", "way", "newcomer", "host",
)  # fmt: skip


def machine() -> dict[str, object]:
    """What was measured on."""
    return {
        "python": platform.python_version(),
        "pillow": PIL.__version__,
        "discord.py": discord.__version__,
        "processors": os.cpu_count(),
        "load": os.getloadavg()[0],
    }


def run(groups: list[str], folder: Path) -> Sheet:
    """Measure these groups, in this order."""
    sheet = Sheet()
    if "store" in groups:
        asyncio.run(stored.measure(sheet, folder))
    if "stores" in groups:
        asyncio.run(stores.measure(sheet, folder))
    if "costs" in groups:
        asyncio.run(costs.measure(sheet, folder))
    if "grown" in groups:
        asyncio.run(grown.measure(sheet, folder))
    if "timer" in groups:
        asyncio.run(timer.measure(sheet, folder))
    if "records" in groups:
        records.measure(sheet, folder)
    if "games" in groups:
        worst.measure(sheet)
    if "pictures" in groups:
        pictures.measure(sheet)
    if "pads" in groups:
        asyncio.run(tapped.measure(sheet, folder))
    if "move" in groups:
        asyncio.run(whole.measure(sheet, folder))
    if "load" in groups:
        asyncio.run(load.measure(sheet, folder))
    if "stuck" in groups:
        asyncio.run(stuck.measure(sheet, folder))
    if "many" in groups:
        asyncio.run(many.measure(sheet, folder))
    if "crowded" in groups:
        asyncio.run(crowded.measure(sheet, folder))
    if "held" in groups:
        asyncio.run(held.measure(sheet, folder))
    if "films" in groups:
        films.measure(sheet)
    if "computer" in groups:
        asyncio.run(computers.measure(sheet, folder))
    if "fair" in groups:
        asyncio.run(fair.measure(sheet, folder))
    if "way" in groups:
        asyncio.run(way.measure(sheet, folder))
    if "newcomer" in groups:
        asyncio.run(newcomer.measure(sheet))
    if "host" in groups:
        asyncio.run(host.measure(sheet, folder))
    return sheet


def main() -> int:
    """Run what the command line asks for."""
    parser = argparse.ArgumentParser("tests.bench", description="Measure how fast the bot answers.")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures here too")
    parser.add_argument("--only", default=",".join(GROUPS), help=f"some of {','.join(GROUPS)}")
    given = parser.parse_args()
    # Ending it ends the processes that it has started, too.
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(128 + number))
    print(json.dumps(machine()))
    with tempfile.TemporaryDirectory(prefix="graphpaper-bench-") as folder:
        sheet = run(given.only.split(","), Path(folder))
    print(sheet.summary())
    if given.json:
        given.json.write_text(json.dumps({"machine": machine(), "figures": sheet.rows()}, indent=1) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
