"""Defines and counts the metrics of the bot for its host, who reads them or sets alarms on them through Prometheus.

They are always counted, which costs millionths of a second, and served by `bot.host.metrics_page`. The values of
labels are the few words named here: neither users nor servers, channels or matches, nor any moves.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable, Iterator
from itertools import product
from typing import Literal, TypeVar, get_args

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, disable_created_metrics
from prometheus_client.metrics import MetricWrapperBase

from bot.games.options import BadOptions
from bot.games.position import LEVELS, MoveError
from bot.platform.machine import loop_time
from bot.play.ids import MatchId, ShardShare
from bot.play.loaded_match import Refusal
from data.engine.errors import Unavailable

Metric = TypeVar("Metric", bound=MetricWrapperBase)
Kind = Literal["command", "autocompletion", "button", "pad", "form", "page", "replay", "lesson", "other"]
Outcome = Literal["done", "refused", "too late", "unavailable", "failed"]
Ending = Literal["done", "undone", "unavailable", "abandoned"]
Way = Literal["answer with files", "answer that keeps", "edit that keeps"]
"""A way to edit a message that Discord is only reported to accept, or to refuse."""
KINDS, OUTCOMES, ENDINGS, WAYS = get_args(Kind), get_args(Outcome), get_args(Ending), get_args(Way)
TRANSACTIONS = ("read", "write")
EVENTS = ("connect", "disconnect", "resumed")
"""The events of a gateway connection, by discord.py's names."""
DEPTHS = (*map(str, LEVELS), "other")
"""The levels of a computer's search; hints and reviews have one of their own."""

PEOPLE = (0.05, 0.1, 0.2, 0.3, 0.5, 0.75, 1, 1.5, 2, 2.5, 3, 5, 10)
"""Bounds in seconds for answers to users: close about the three that Discord gives."""
BOARDS = (0.1, 0.2, 0.3, 0.5, 0.75, 1, 1.5, 2, 3, 5, 10, 30, 60, 300)
QUICK = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 1.8, 2.5, 5)
LONG = (0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300)

REMEMBERED, EACH = 10_000, 16
"""The number of matches, and of changes of each, whose commit times are remembered."""

disable_created_metrics()  # they would add a `_created` series to every series


class Metrics:
    """All metrics, in a registry of their own."""

    def __init__(self, clock: Callable[[], float] = loop_time) -> None:
        self.clock = clock
        self.registry = CollectorRegistry()
        self._commits: dict[MatchId, list[tuple[int, float]]] = {}
        self._all: list[tuple[MetricWrapperBase, tuple[str, ...]]] = []
        self._define_people_metrics()
        self._define_discord_metrics()
        self._define_database_metrics()
        self._define_process_metrics()

    # --- the figures

    def _define_people_metrics(self) -> None:
        self._acts = self._make_counter(
            "acts", "What people did, by its kind and by what came of it.", kind=KINDS, outcome=OUTCOMES
        )
        self._answers = self._make_histogram(
            "answer_seconds", "From when somebody acted until Discord had our answer.", PEOPLE, kind=KINDS
        )
        self._boards = self._make_histogram(
            "board_seconds", "From when an act was committed until Discord had the board that shows it.", BOARDS
        )
        self.matches_live = self._make_gauge("matches_live", "Live matches.")
        self.boards_lagging = self._make_gauge(
            "boards_lagging", "Matches whose board does not show yet how they stand."
        )
        self.lag_seconds = self._make_gauge(
            "boards_oldest_lag_seconds", "How long the board that lags most has done so."
        )
        self.boards_parked = self._make_gauge("boards_parked", "Matches whose board Discord refuses.")
        self.thinking = self._make_gauge("computer_to_move", "Matches in which a computer is to move.")
        self._searched = self._make_histogram(
            "search_seconds", "How long a search took, without its waiting.", LONG, level=DEPTHS
        )
        self._drawn = self._make_histogram("drawing_seconds", "How long it took to draw pictures.", QUICK)

    def _define_discord_metrics(self) -> None:
        self.requests = self._make_counter(
            "rest_requests", "Discord's answers to our requests; status none: there was no answer.", status=()
        )
        self.request_seconds = self._make_histogram(
            "rest_seconds", "How long Discord took to answer a request.", PEOPLE
        )
        self.already_answered = self._make_counter(
            "already_answered", "Answers that Discord refused since it had one (40060): a repetition, or another bot."
        )
        self._edits = self._make_counter(
            "edits", "Edits of messages with pictures, by their way and by whether Discord took it.", way=WAYS,
            taken=("yes", "no"),
        )  # fmt: skip
        self._gateway = self._make_counter(
            "gateway_events", "What happened to our connections to Discord.", event=EVENTS
        )
        self.shards = self._make_gauge("shards", "Connections to Discord that this process is to hold.")
        self.shards_connected = self._make_gauge("shards_connected", "Connections to Discord that are there.")

    def _define_database_metrics(self) -> None:
        self._transactions = self._make_counter(
            "transactions", "Transactions, by what came of them.", kind=TRANSACTIONS, outcome=ENDINGS
        )
        self._transaction_seconds = self._make_histogram(
            "transaction_seconds", "How long a transaction took, including its waiting.", QUICK, kind=TRANSACTIONS
        )
        self.bytes = self._make_gauge(
            "database_bytes", "The size of the database: of a server's, or of SQLite's file and journal (wal).", part=()
        )
        self.disk_free = self._make_gauge(
            "disk_free_bytes", "What is free on the disk of SQLite's file, or of its copies.", holds=()
        )
        self.backup_at = self._make_gauge(
            "backup_timestamp_seconds",
            "When the newest copy of the database was made, as Unix time; 0: never, NaN: copies are off.",
        )
        self.backup_bytes = self._make_gauge(
            "backup_bytes", "The size of the newest copy of the database; NaN: copies are off."
        )
        for gauge in (self.backup_at, self.backup_bytes):
            gauge.set(math.nan)

    def _define_process_metrics(self) -> None:
        self._lag = self._make_histogram("loop_lag_seconds", "How late the event loop was with what was due.", QUICK)
        self.heartbeat = self._make_gauge(
            "heartbeat_timestamp_seconds", "When the last heartbeat was noted, as Unix time."
        )
        self.leader = self._make_gauge("leader", "1 where this process does what is done once for all.")
        self.other_processes = self._make_gauge(
            "twins", "Other processes on this database that serve the same servers."
        )
        self.build = self._make_gauge("build_info", "1, with what runs here.", version=(), schema=(), share=())

    def _make_counter(self, name: str, about: str, **labels: tuple[str, ...]) -> Counter:
        return self._register(Counter(name, about, labels, namespace="graphpaper", registry=self.registry), labels)

    def _make_gauge(self, name: str, about: str, **labels: tuple[str, ...]) -> Gauge:
        return self._register(Gauge(name, about, labels, namespace="graphpaper", registry=self.registry), labels)

    def _make_histogram(self, name: str, about: str, bounds: tuple[float, ...], **labels: tuple[str, ...]) -> Histogram:
        made = Histogram(name, about, labels, namespace="graphpaper", buckets=bounds, registry=self.registry)
        return self._register(made, labels)

    def _register(self, metric: Metric, labels: dict[str, tuple[str, ...]]) -> Metric:
        """Register a metric, with all values of its labels at zero: Prometheus sees no rise of a series that did not
        exist."""
        self._all.append((metric, tuple(labels)))
        for values in product(*labels.values()) if labels else ():
            metric.labels(*values)
        return metric

    def describe_all(self) -> Iterator[tuple[str, str, tuple[str, ...], str]]:
        """The name, kind, labels and description of every metric."""
        for metric, labels in self._all:
            family = next(iter(metric.describe()))
            yield family.name, family.type, labels, family.documentation

    # --- what happens

    def count_act(self, kind: Kind, outcome: Outcome) -> None:
        self._acts.labels(kind, outcome).inc()

    def observe_answer(self, kind: Kind, seconds: float) -> None:
        """Note how long a user waited until Discord had the answer."""
        self._answers.labels(kind).observe(max(0.0, seconds))

    def count_edit(self, way: Way, taken: bool) -> None:
        """Count an edit of a message that shows pictures."""
        self._edits.labels(way, "yes" if taken else "no").inc()

    def note_commit(self, match: MatchId, version: int) -> None:
        """Note that an act is committed, whose board is still to be shown."""
        waiting = self._commits.setdefault(match, [])
        waiting.append((version, self.clock()))
        del waiting[:-EACH]
        if len(self._commits) > REMEMBERED:
            del self._commits[next(iter(self._commits))]

    def note_shown(self, match: MatchId, version: int) -> None:
        """Note that Discord shows the board of a match at this version."""
        waiting, now = self._commits.pop(match, []), self.clock()
        for _, since in (one for one in waiting if one[0] <= version):
            self._boards.observe(now - since)
        if later := [one for one in waiting if one[0] > version]:
            self._commits[match] = later

    def count_transaction(self, kind: str, seconds: float, fault: BaseException | None) -> None:
        """Count a transaction that has ended."""
        self._transactions.labels(kind, classify_ending(fault)).inc()
        self._transaction_seconds.labels(kind).observe(seconds)

    def observe_search(self, seed: str, seconds: float) -> None:
        """Note how long a search took; its seed ends in its level."""
        level = seed.rpartition(":")[2]
        self._searched.labels(level if level in DEPTHS else "other").observe(seconds)

    def observe_drawing(self, seconds: float) -> None:
        self._drawn.observe(seconds)

    def observe_loop_lag(self, seconds: float) -> None:
        """Note how late the event loop was."""
        self._lag.observe(max(0.0, seconds))

    def count_gateway_event(self, event: str) -> None:
        """Count an event of discord.py's, if it is about a connection."""
        if event in EVENTS:
            self._gateway.labels(event).inc()

    def note_build(self, version: str, schema: str, share: ShardShare) -> None:
        self.build.labels(version, schema, "all" if share.is_whole else str(share)).set(1)


def classify_outcome(fault: BaseException) -> Outcome:
    """The outcome of an act that ended in an error."""
    if isinstance(fault, Unavailable):
        return "unavailable"
    if isinstance(fault, MoveError | Refusal | BadOptions):
        return "refused"
    return "too late" if isinstance(fault, TimeoutError) else "failed"


def classify_ending(fault: BaseException | None) -> Ending:
    """The ending of a transaction; it is undone where a concurrent one was faster, or where there is nothing to
    change."""
    if fault is None:
        return "done"
    if isinstance(fault, Unavailable):
        return "unavailable"
    return "abandoned" if isinstance(fault, asyncio.CancelledError) else "undone"
