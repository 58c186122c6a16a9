"""The verdict on a long run, of the drill or of the fleet: what was wrong, by kind, and how it is told."""

from __future__ import annotations

import argparse
import json
import logging
import random
import shutil
import sys
import time
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from bot.sandbox.world import World
from tests.world import findings
from tests.world.clock_findings import Clocks
from tests.world.findings import Ledger
from tests.world.passing_time import Passing

SHOWN = 20
"""How many lines of a kind are printed."""


class Faults(dict[str, set[str]]):
    """What was wrong, by kind."""

    def note(self, kind: str, found: Iterable[str]) -> None:
        """Keep what is wrong."""
        self.setdefault(kind, set()).update(found)

    def look_at_channels(self, world: World, ledger: Ledger, passing: Passing) -> None:
        """Compare what is stored with what the channels show, when nothing happens any more."""
        for kind, found in findings.in_channels(world, ledger.rows(), passing.matches):
            self.note(kind, found)
        self.note("reminded_twice", passing.twice())
        self.note("deadlines_missed", Clocks(ledger, time.time).missed(int(time.time())))

    def counted(self) -> dict[str, int]:
        """How much was wrong of each kind."""
        return {kind: len(found) for kind, found in self.items()}


def parser(name: str, about: str, kept: str) -> argparse.ArgumentParser:
    """The command line of a long run, with the options that each has; `kept`: what `--keep` keeps."""
    # Every death cuts connections, which the server in the run's own process has no reason to report.
    logging.getLogger("aiohttp.server").setLevel(logging.CRITICAL)
    made = argparse.ArgumentParser(name, description=about)
    made.add_argument("--seed", type=int, default=random.SystemRandom().randrange(10**6), help="else by lot")
    made.add_argument("--keep", action="store_true", help=f"keep {kept}")
    return made


def told(report: Mapping[str, Any], faults: Faults, folder: Path, keep: bool, history: Iterable[str] = ()) -> int:
    """Print the figures of a run, and what was wrong; the exit status. What it wrote is kept then, or if that is asked
    to `keep` it."""
    print(json.dumps(report, indent=2))
    for kind, found in faults.items():
        print(*(f"{kind}: {line}\n" for line in sorted(found)[:SHOWN]), sep="", end="", file=sys.stderr)
    wrong = any(faults.values())
    if wrong or keep:
        print(*history, f"What it wrote is in {folder}.", sep="\n", file=sys.stderr)
    else:
        shutil.rmtree(folder)
    return int(wrong)
