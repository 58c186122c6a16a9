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
from collections.abc import Callable, Coroutine, Mapping
from pathlib import Path
from typing import Any

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

Measure = Callable[[Sheet, Path], Coroutine[Any, Any, None] | None]

GROUPS: Mapping[str, Measure] = {
    "store": stored.measure, "stores": stores.measure, "costs": costs.measure, "grown": grown.measure,
    "timer": timer.measure, "records": records.measure, "games": lambda sheet, _: worst.measure(sheet),
    "pictures": lambda sheet, _: pictures.measure(sheet), "pads": tapped.measure, "move": whole.measure,
    "load": load.measure, "stuck": stuck.measure, "many": many.measure, "crowded": crowded.measure,
    "held": held.measure, "films": lambda sheet, _: films.measure(sheet), "computer": computers.measure,
    "fair": fair.measure, "way": way.measure, "newcomer": lambda sheet, _: newcomer.measure(sheet),
    "host": host.measure,
}  # fmt: skip
"""What is measured, in this order; each in a folder of its own, where no database stands beside another."""


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
    """Measure these groups."""
    sheet = Sheet()
    for name, measure in GROUPS.items():
        if name in groups:
            place = folder / name
            place.mkdir()
            if (measuring := measure(sheet, place)) is not None:
                asyncio.run(measuring)
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
