"""Tells stories by their seeds, and prints what came of them; the exit status is 1 when anything was wrong in one.

    python -m tests.simulation [--seeds 100] [--from 1] [--jobs 2] [--brief] [--names]
    python -m tests.simulation --seed 7 [--digest | --log] [--brief] [--names]
    python -m tests.simulation --planted [--seeds 100]
    python -m tests.simulation --profile year [--seeds 2] …

`--digest` prints the digest of a story's log alone: it is the same on every machine, whatever PYTHONHASHSEED is.
With `--names` a mention that a user sees without a name is wrong, too.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import json
import logging
import os
import sys
import tempfile
import time
import traceback
import warnings
from collections import Counter
from collections.abc import Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor, as_completed
from functools import partial
from pathlib import Path
from typing import Any

from data.upkeep.upgrade import migrate
from tests.simulation.machine import simulated_loop
from tests.simulation.planted import PLANTED, Plant
from tests.simulation.planted_time import FAULTS
from tests.simulation.report import Report
from tests.simulation.story import DAY, Story
from tests.simulation.year import Year

MEMORY = "/dev/shm"
"""Where there is no disk to wait for."""
SHOWN = 5
"""How many lines of a kind of finding are printed."""


PROFILES: Mapping[str, tuple[type[Story], Mapping[str, Plant]]] = {"story": (Story, PLANTED), "year": (Year, FAULTS)}
"""What is told, and the faults that are planted for it."""


def told(
    seed: int, empty: Path, keep: bool = False, brief: bool = False, names: bool = False, kind: type[Story] = Story
) -> tuple[Report, list[str]]:
    """Tell the story of a seed; what came of it, and its log where it is to be kept."""
    # Every death cuts connections, and the stand-in has no reason to report it.
    server = logging.getLogger("aiohttp.server")
    heard = server.level
    server.setLevel(logging.CRITICAL)
    gc.collect()
    gc.disable()  # when garbage is found depends on what the process did before
    stories: list[Story] = []

    async def tell(folder: str) -> Report:
        stories.append(kind(seed, Path(folder), empty, keep, brief, names))
        return await stories[0].run()

    place = MEMORY if os.path.isdir(MEMORY) else None
    # A warning that is an error in a test would change the story there.
    with tempfile.TemporaryDirectory(prefix="graphpaper-story-", dir=place) as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            with asyncio.Runner(loop_factory=partial(simulated_loop, seed)) as runner:
                report = runner.run(tell(folder))
        except Exception:
            report = stories[0].report
            report.findings["crashed"] = {traceback.format_exc()}
        finally:
            gc.enable()
            server.setLevel(heard)
    return report, stories[0].log.lines or []


def several(seeds: range, jobs: int, empty: Path, **how: Any) -> Iterator[Report]:
    """Tell the stories of many seeds, some at a time, each in a process that has told others; as they end."""
    with ProcessPoolExecutor(jobs) as pool:
        for one in as_completed([pool.submit(told, seed, empty, **how) for seed in seeds]):
            yield one.result()[0]


def found_after(
    plant: Plant, seeds: range, empty: Path, brief: bool = False, kind: type[Story] = Story
) -> tuple[int, Report | None]:
    """After how many seeds a planted fault is found, and what came of the story that shows it."""
    for many, seed in enumerate(seeds, 1):
        with plant():
            report, _ = told(seed, empty, brief=brief, kind=kind)
        if report.findings:
            return many, report
    return len(seeds), None


def planted(faults: Mapping[str, Plant], seeds: range, jobs: int, empty: Path, **how: Any) -> bool:
    """Say after how many seeds each planted fault is found; whether all are."""
    with ProcessPoolExecutor(jobs) as pool:
        searches = {name: pool.submit(found_after, plant, seeds, empty, **how) for name, plant in faults.items()}
        found = {name: search.result() for name, search in searches.items()}
    for name, (many, report) in found.items():
        print(f"{name}: " + (f"found after {many}: {next(findings(report))}" if report else f"not found in {many}"))
    return all(report for _, report in found.values())


def findings(report: Report) -> Iterator[str]:
    """What was wrong in a story, a line each."""
    for kind, lines in report.findings.items():
        for line in sorted(lines)[:SHOWN]:
            yield f"seed {report.seed}: {kind}: {line}"


def summed(reports: list[Report], seconds: float) -> str:
    """The figures of many stories as one JSON object."""
    kinds = Counter(kind for report in reports for kind in report.findings)
    figures = {
        "seeds": len(reports),
        "seconds": round(seconds, 1),
        "events": sum(report.events for report in reports),
        "simulated_days": round(sum(report.days + report.seconds / DAY for report in reports), 2),
        "matches": sum(report.matches for report in reports),
        "moves": sum(report.moves for report in reports),
        "prepared_moves": sum(report.ready for report in reports),
        "seeds_without_prepared_moves": sum(not report.ready for report in reports),
        "kills": sum(report.kills for report in reports),
        "faults": sum(report.faults for report in reports),
        "misfortunes": dict(sum((report.misfortunes for report in reports), Counter[str]()).most_common()),
        "clocks": dict(sum((report.clocks for report in reports), Counter[str]()).most_common()),
        "acts": dict(sum((report.acts for report in reports), Counter[str]()).most_common(80)),
        "seeds_with_findings": sum(bool(report.findings) for report in reports),
        "findings": dict(kinds),
    }
    return json.dumps(figures, indent=2)


def parsed() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser("tests.simulation", description="Tell stories of the bot by their seeds.")
    parser.add_argument("--seeds", type=int, default=100, help="how many stories are told (100)")
    parser.add_argument("--from", type=int, default=1, dest="first", help="the first seed (1)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="how many at a time (one a processor)")
    parser.add_argument("--seed", type=int, help="tell this story alone")
    parser.add_argument("--planted", action="store_true", help="say after how many seeds planted faults are found")
    parser.add_argument("--digest", action="store_true", help="print the digest of its log alone")
    parser.add_argument("--log", action="store_true", help="print its log")
    parser.add_argument("--profile", choices=PROFILES, default="story", help="what is told: a story, or a year")
    parser.add_argument("--brief", action="store_true", help="a few seconds of each")
    parser.add_argument("--names", action="store_true", help="a mention that a user sees without a name is wrong, too")
    return parser.parse_args()


def main() -> int:
    """Tell what the command line asks for; the exit status."""
    given = parsed()
    kind, faults = PROFILES[given.profile]
    with tempfile.TemporaryDirectory() as folder:
        empty = Path(folder) / "empty.db"
        asyncio.run(migrate(f"sqlite:///{empty}"))
        began = time.perf_counter()
        if given.seed is not None:
            report, lines = told(given.seed, empty, given.log, given.brief, given.names, kind)
            print("\n".join([*lines, report.digest]) if given.digest or given.log else summed([report], 0))
            print(*findings(report), sep="\n", end="", file=sys.stderr)
            return int(bool(report.findings))
        seeds = range(given.first, given.first + given.seeds)
        if given.planted:
            return int(not planted(faults, seeds, given.jobs, empty, brief=given.brief, kind=kind))
        reports: list[Report] = []
        for report in several(seeds, given.jobs, empty, brief=given.brief, names=given.names, kind=kind):
            reports.append(report)
            for line in findings(report):
                print(line, file=sys.stderr, flush=True)
        print(summed(reports, time.perf_counter() - began))
    return int(any(report.findings for report in reports))


if __name__ == "__main__":
    sys.exit(main())
