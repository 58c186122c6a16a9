"""The command `status`: the bot's figures at a terminal, from the database and from a process's metrics page.

The database covers all processes, and is read as `health` reads it. The metrics are those of one process, if it serves
them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

import aiohttp
from prometheus_client.parser import text_string_to_metric_families
from prometheus_client.samples import Sample

from bot.host.machine import version
from bot.host.metrics_page import PATH
from bot.platform.processes import FREE, describe_holder, holder_of
from bot.play.ids import WHOLE
from bot.settings import LOOPBACK, Address
from data.engine.address import file_of, is_sqlite, parse_address
from data.queries.sweeps import LEADER, Figures, read_figures
from data.upkeep.backups import read_standing
from data.upkeep.file_check import find_left_files, is_unfinished_copy
from data.upkeep.health import APART_SECONDS, HEARTBEAT, UNHEARD_SECONDS, VERSION, Pulse, check_health, format_age
from data.upkeep.hindrance import HERE, Report
from data.upkeep.integrity import open_existing
from data.upkeep.upgrade import revision_of

WITHIN = 3.0
"""Timeout of a request for a process's metrics, in seconds."""
INDENT, NAMES = "  ", 24
"""The indent of each line, and the width of the name on its left."""
ANYWHERE = {"0.0.0.0": LOOPBACK, "::": "::1"}
"""The address to request for a process that listens on all addresses."""
BESIDE = "{file}, last written {age} ago, {size}"
HALF = "{file}, not finished, last written {age} ago, {size}"
LIMIT = 3.0
"""Seconds within which Discord requires an answer to an interaction."""


class DatabaseReading(NamedTuple):
    """What was read from the database: its schema, its figures, and the sizes of its files in bytes."""

    schema: str
    figures: Figures
    sizes: Mapping[str, int]


async def write_report(
    url: str,
    metrics: Address | None,
    clock: Callable[[], float],
    backups: Path | None = None,
    said: Iterable[str] = (),
) -> Report:
    """The whole report as lines, and whether all is well; `said`: sentences to print beside the verdict."""
    report = await check_health(url, clock)
    lines = [f"Graph Paper {version()}", *report.lines, *said]
    try:
        async with open_existing(url) as database:
            schema, figures = await database.read(lambda one: (revision_of(one), read_figures(one, WHOLE)))
            seen = DatabaseReading(schema or "", figures, database.file_sizes())
    except Exception:
        if report.sound:
            raise
        return Report(tuple(lines), False)
    lines += ["", *list_processes(figures, int(clock())), "", *list_match_figures(url, seen, int(clock()))]
    lines += [format_line("copies", describe_backups(url, backups, clock())), *list_left_files(url, clock())]
    return Report((*lines, "", *await read_process_figures(metrics)), report.sound)


def format_line(name: str, value: object) -> str:
    return f"{INDENT}{name:<{NAMES}}{value}"


# --- from the database


def list_processes(figures: Figures, now: int) -> Iterator[str]:
    """Two lines, status and version, for every process with a heartbeat, and one about the leader."""
    said = dict(figures.notes)
    pulses = {name: Pulse.parse(value) for name, value in figures.notes if name.startswith(HEARTBEAT)}
    if not pulses:
        yield "No process has used this database yet."
        return
    yield "Processes, by the shards they serve"
    for name, pulse in pulses.items():
        if pulse:
            yield format_line(name.removeprefix(HEARTBEAT).strip() or "all", describe_heartbeat(pulse, now))
            if running := said.get(name.replace(HEARTBEAT, VERSION, 1)):
                yield format_line("", f"version {running}")
    leader = said.get(LEADER, FREE)
    yield format_line("leader", "none right now" if leader == FREE else describe_holder(holder_of(leader)))


def describe_heartbeat(pulse: Pulse, now: int) -> str:
    """The age of a process's heartbeat, and whether it was connected to Discord then."""
    if pulse.was_stopped:
        return "stopped"
    silent = now - pulse.alive
    last = f"heard {max(0, silent)} s ago" if abs(silent) <= UNHEARD_SECONDS else f"not heard for {format_age(silent)}"
    if pulse.alive - pulse.connected <= APART_SECONDS:
        return f"{last}, connected" if abs(silent) <= UNHEARD_SECONDS else last
    if pulse.connected:
        return f"{last}, not connected for {format_age(now - pulse.connected)}"
    return f"{last}, not connected since its start"


def list_match_figures(url: str, seen: DatabaseReading, now: int) -> Iterator[str]:
    """Lines about matches, boards and the database."""
    figures = seen.figures
    yield "Matches and boards"
    yield format_line("live matches", figures.live)
    yield format_line("open challenges", figures.open)
    oldest = [f"the oldest for {format_age(max(0, now - figures.oldest))}"] if figures.oldest else []
    yield format_line("boards that lag", ", ".join([str(figures.lagging), *oldest]))
    yield format_line("refused by Discord", figures.parked)
    yield format_line("messages left over", figures.leftovers)
    yield format_line("reminders on their way", figures.reminders)
    yield format_line("the computer is to move", figures.thinking)
    kind = "SQLite" if is_sqlite(parse_address(url)) else "PostgreSQL"
    journal = [f"{format_size(seen.sizes['wal'])} of journal"] if "wal" in seen.sizes else []
    yield format_line("database", ", ".join([kind, format_size(figures.bytes or seen.sizes.get("file", 0)), *journal]))
    yield format_line("schema", seen.schema)


def describe_backups(url: str, folder: Path | None, now: float) -> str:
    """The number of database copies, and the newest one's age and size."""
    if not is_sqlite(parse_address(url)):
        return "yours to make, with pg_dump"
    if folder is None and HERE.sandbox:
        return "none, as of the sandbox none are made by themselves"
    if folder is None:
        return "none: set GRAPHPAPER_BACKUPS to a folder"
    try:
        found = read_standing(folder, now)
    except OSError as fault:
        return f"unknown: the folder can't be read ({fault.strerror})"
    if not found.copies:
        return "none yet in the folder of GRAPHPAPER_BACKUPS"
    return f"{found.copies}, the newest {format_age(int(now) - found.newest)} old, {format_size(found.bytes)}"


def list_left_files(url: str, now: float) -> Iterator[str]:
    """A line for each other database file in the folder, since it still contains users who were forgotten."""
    file = file_of(parse_address(url))
    if file is None:
        return
    try:
        found = find_left_files(file)
    except OSError:
        return
    name = "left beside it"
    for one in found:
        said, age = HALF if is_unfinished_copy(one.file) else BESIDE, format_age(max(0, int(now) - one.written))
        yield format_line(name, said.format(file=one.file.name, age=age, size=format_size(one.bytes)))
        name = ""


# --- from a process


@dataclass
class MetricsPage:
    """The samples of a process's metrics; names are given without `graphpaper_`."""

    samples: list[Sample] = field(default_factory=list[Sample])

    def sum_samples(self, name: str, **labels: str) -> float:
        """The sum of all samples of a name with these labels."""
        return sum(one.value for one in self.samples_of(name) if labels.items() <= one.labels.items())

    def samples_of(self, name: str) -> Iterator[Sample]:
        return (one for one in self.samples if one.name == f"graphpaper_{name}" or one.name == name)

    def count_by_label(self, name: str, label: str) -> Counter[str]:
        """The non-zero sums of a name by the values of a label."""
        made: Counter[str] = Counter()
        for one in self.samples_of(name):
            made[one.labels[label]] += int(one.value)
        return +made

    def histogram_buckets(self, name: str) -> list[tuple[float, float]]:
        """The buckets of a histogram: pairs of an upper bound in seconds and the number of samples within it."""
        made: Counter[float] = Counter()
        for one in self.samples_of(f"{name}_bucket"):
            made[float(one.labels["le"])] += int(one.value)
        return sorted(made.items())


def estimate_quantile(part: float, buckets: Iterable[tuple[float, float]]) -> float | None:
    """A quantile in seconds, interpolated within its bucket; None without samples."""
    known = list(buckets)
    wanted, low, before = part * known[-1][1] if known else 0.0, 0.0, 0.0
    for bound, count in known:
        if count >= wanted > 0:
            return low + (min(bound, 10 * low or 1) - low) * (wanted - before) / (count - before or 1)
        low, before = bound, count
    return None


async def read_process_figures(place: Address | None) -> list[str]:
    """Lines with the figures of the process that listens on an address, or one that says why there are none."""
    if place is None or not place.port:
        return ["Set GRAPHPAPER_METRICS to a port to see what a process measures."]
    page = f"http://{place._replace(host=ANYWHERE.get(place.host, place.host))}{PATH}"
    try:
        timeout = aiohttp.ClientTimeout(total=WITHIN)
        async with aiohttp.ClientSession(timeout=timeout, raise_for_status=True) as session, session.get(page) as said:
            families = text_string_to_metric_families(await said.text())
            samples = [one for family in families for one in family.samples]
    except (aiohttp.ClientError, OSError, TimeoutError, ValueError):
        return [f"There are no figures at {page}.", "No bot runs there, or it runs without GRAPHPAPER_METRICS."]
    return [f"What the process at {page} has measured since it started", *list_process_figures(MetricsPage(samples))]


def list_process_figures(page: MetricsPage) -> Iterator[str]:
    yield format_line("what people did", format_counts(page.count_by_label("acts_total", "outcome")))
    answers = page.histogram_buckets("answer_seconds")
    served = dict(answers).get(LIMIT, 0), answers[-1][1] if answers else 0
    share = [f"{100 * served[0] / served[1]:.4g} % within 3 s"] if served[1] else []
    yield format_line("answers", ", ".join([format_quantiles(answers), *share]))
    yield format_line("boards", format_quantiles(page.histogram_buckets("board_seconds")))
    connected, wanted = page.sum_samples("shards_connected"), page.sum_samples("shards")
    lost = page.sum_samples("gateway_events_total", event="disconnect")
    yield format_line("Discord", f"connected {connected:.0f} of {wanted:.0f}, {lost:.0f} lost since the start")
    yield format_line("requests", format_counts(page.count_by_label("rest_requests_total", "status")))
    yield format_line("already answered", f"{page.sum_samples('already_answered_total'):.0f}")
    yield format_line("transactions", format_counts(page.count_by_label("transactions_total", "outcome")))
    yield format_line("a transaction takes", format_quantiles(page.histogram_buckets("transaction_seconds")))
    yield format_line("searching", format_quantiles(page.histogram_buckets("search_seconds")))
    yield format_line("drawing", format_quantiles(page.histogram_buckets("drawing_seconds")))
    yield format_line("event loop late by", format_quantiles(page.histogram_buckets("loop_lag_seconds")))
    processor = page.sum_samples("process_cpu_seconds_total")
    yield format_line(
        "process",
        f"{format_size(page.sum_samples('process_resident_memory_bytes'))}, {processor:.0f} s of processor time",
    )


def format_counts(counts: Counter[str], most: int = 3) -> str:
    """The total, and the counts of the `most` frequent kinds."""
    kinds = [f"{number} {kind}" for kind, number in counts.most_common(most)]
    others = counts.total() - sum(number for _, number in counts.most_common(most))
    kinds += [f"{others} other"] if others else []
    return f"{counts.total()}: {', '.join(kinds)}" if counts else "none yet"


def format_quantiles(buckets: list[tuple[float, float]]) -> str:
    """The median and the 95th and 99th percentiles."""
    parts = {f"p{part * 100:.0f}": estimate_quantile(part, buckets) for part in (0.5, 0.95, 0.99)}
    return ", ".join(f"{name} {format_seconds(one)}" for name, one in parts.items() if one is not None) or "none yet"


def format_seconds(number: float) -> str:
    """A number of seconds with a fitting unit."""
    if number >= 1:
        return f"{number:.1f} s"
    return f"{number * 1000:.0f} ms" if number >= 0.01 else f"{number * 1000:.1f} ms"


def format_size(number: float) -> str:
    """A number of bytes with a fitting unit."""
    for many, name in ((2**30, "GiB"), (2**20, "MiB"), (2**10, "KiB")):
        if number >= many:
            return f"{number / many:.1f} {name}"
    return f"{number:.0f} B"
