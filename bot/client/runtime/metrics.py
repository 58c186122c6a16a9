"""What is measured of a bot that serves people, under the names by which Prometheus knows it.

Everything is counted always, which costs some millionths of a second, and shown when somebody asks for it, by
`bot.host.endpoint`.
Each `Measures` has a registry of its own. The values of all labels come from the few words named here, or are made of
them: neither people nor servers, channels or matches are ever among them, nor anything that was played.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator
from typing import Any, Literal, get_args

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, disable_created_metrics
from prometheus_client.metrics import MetricWrapperBase

from bot import VERSION
from bot.core.game.options import BadOptions
from bot.core.game.position import MoveError
from bot.core.match.loaded_match import Refusal
from bot.core.values.computer_users import LEVELS
from bot.core.values.ids import MatchId
from bot.core.values.shards import Share
from data.engine.database_errors import Unavailable
from data.engine.timings import Span

Kind = Literal["command", "autocompletion", "button", "pad", "form", "page", "replay", "lesson", "other"]
Outcome = Literal["done", "refused", "too late", "unavailable", "failed"]
Ending = Literal["done", "undone", "unavailable", "abandoned"]
KINDS, OUTCOMES, ENDINGS = get_args(Kind), get_args(Outcome), get_args(Ending)
EVENTS = ("connect", "disconnect", "resumed")
"""What befalls a connection to Discord, as discord.py calls it."""
SCOPES = ("user", "shared", "global", "unknown")
"""Whose limit Discord says was reached."""
DEPTHS = (*map(str, LEVELS), "other")

PEOPLE = (0.05, 0.1, 0.2, 0.3, 0.5, 0.75, 1, 1.5, 2, 2.5, 3, 5, 10)
"""Bounds in seconds for what people wait for: close about the three that Discord gives."""
BOARDS = (0.1, 0.2, 0.3, 0.5, 0.75, 1, 1.5, 2, 3, 5, 10, 30, 60, 300)
QUICK = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 1.8, 2.5, 5)
LONG = (0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300)

REMEMBERED, EACH = 10_000, 16
"""Of so many matches it is known when they last changed, of each so many changes: what is not shown for long is in the
store, and counted there."""


disable_created_metrics()  # when each series began, for every series one more


class Measures:
    """All that is measured, and the registry that it is read from."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self.clock = clock
        self.registry = CollectorRegistry()
        self._commits: dict[MatchId, list[tuple[int, float]]] = {}
        self._all: list[tuple[MetricWrapperBase, tuple[str, ...]]] = []
        self._people()
        self._discord()
        self._database()
        self._at_work()
        self._process()

    # --- what there is

    def _counter(self, name: str, about: str, **labels: tuple[str, ...]) -> Counter:
        made = Counter(name, about, tuple(labels), namespace="graphpaper", registry=self.registry)
        self._all.append((made, tuple(labels)))
        return begun(made, labels)

    def _gauge(self, name: str, about: str, *labels: str) -> Gauge:
        made = Gauge(name, about, labels, namespace="graphpaper", registry=self.registry)
        self._all.append((made, labels))
        return made

    def _histogram(self, name: str, about: str, bounds: tuple[float, ...], **labels: tuple[str, ...]) -> Histogram:
        made = Histogram(name, about, tuple(labels), namespace="graphpaper", buckets=bounds, registry=self.registry)
        self._all.append((made, tuple(labels)))
        return begun(made, labels)

    def _people(self) -> None:
        """What people do, and how long they wait."""
        self._acts = self._counter(
            "acts", "What people did, by its kind and by what came of it.", kind=KINDS, outcome=OUTCOMES
        )
        self._answers = self._histogram(
            "answer_seconds", "From when somebody acted until Discord had our answer.", PEOPLE, kind=KINDS
        )
        self._boards = self._histogram(
            "board_seconds", "From when an act was committed until Discord had the board that shows it.", BOARDS
        )
        self.matches_live = self._gauge("matches_live", "Live matches.")
        self.challenges_open = self._gauge("challenges_open", "Challenges and tables that wait for somebody.")
        self.boards_lagging = self._gauge("boards_lagging", "Matches whose board does not show yet how they stand.")
        self.lag_seconds = self._gauge("boards_oldest_lag_seconds", "How long the board that lags most has done so.")
        self.boards_parked = self._gauge("boards_parked", "Matches whose board Discord refuses.")
        self.leftovers = self._gauge("leftovers", "Messages that are still to be edited or removed.")
        self.reminders = self._gauge("reminders_under_way", "Reminders on their way to Discord.")
        self.looked = self._gauge("figures_timestamp_seconds", "When what is said of matches was read, as Unix time.")

    def _discord(self) -> None:
        """What goes to Discord and comes from it."""
        self.requests = self._counter(
            "rest_requests", "Answers of Discord's to our requests; status none: there was no answer.", method=(),
            route=(), status=(),
        )  # fmt: skip
        self.request_seconds = self._histogram("rest_seconds", "How long Discord took to answer a request.", PEOPLE)
        self._limited = self._counter("rest_limited", "Requests that Discord refused as too many.", scope=SCOPES)
        self.twice = self._counter(
            "already_answered", "Answers that Discord refused since it had one (40060): a repetition, or another bot."
        )
        self.twins = self._gauge("twins", "Other processes that do by mistake what this one does.")
        self._gateway = self._counter("gateway_events", "What befell our connections to Discord.", event=EVENTS)
        self.shards = self._gauge("shards", "Connections to Discord that this process is to hold.")
        self.shards_connected = self._gauge("shards_connected", "Connections to Discord that are there.")
        self.servers = self._gauge("servers", "Servers that this process serves.")
        self.latency = self._gauge("gateway_latency_seconds", "How long Discord takes to answer a heartbeat.")

    def _database(self) -> None:
        """What is asked of the database."""
        kinds = ("read", "write")
        self._transactions = self._counter(
            "transactions", "Transactions, by what came of them.", kind=kinds, outcome=ENDINGS
        )
        self._waits = self._histogram(
            "transaction_wait_seconds", "How long a transaction waited before it began.", QUICK, kind=kinds
        )
        self._spans = self._histogram(
            "transaction_seconds", "How long a transaction took in all, its waiting included.", QUICK, kind=kinds
        )
        self._repeats = self._counter("transaction_repeats", "How often a transaction was begun again.", kind=kinds)
        self.under_way = self._gauge("transactions_under_way", "Transactions that wait or run.", "state")
        self.bytes = self._gauge(
            "database_bytes", "The size of the database: of a server's, or of SQLite's file and journal (wal).", "part"
        )

    def _at_work(self) -> None:
        """What is computed here."""
        self.thinking = self._gauge("computer_to_move", "Matches in which a computer is to move.")
        self.searches = self._gauge("searches", "Searches of the computer's that run or wait.", "state")
        self._searched = self._histogram(
            "search_seconds", "How long a search took, without its waiting.", LONG, level=DEPTHS
        )
        self._drawn = self._histogram("drawing_seconds", "How long it took to draw pictures.", QUICK)
        self.workshop = self._gauge("worker_jobs", "What the threads that draw have in hand, and what waits.", "state")

    def _process(self) -> None:
        """How the process is."""
        self._lag = self._histogram("loop_lag_seconds", "How late the event loop was with what was due.", QUICK)
        self.heartbeat = self._gauge("heartbeat_timestamp_seconds", "When the last heartbeat was noted, as Unix time.")
        self.leader = self._gauge("leader", "1 where this process does what is done once for all.")
        self.build = self._gauge("build_info", "1, with what runs here.", "version", "schema", "share")

    def described(self) -> Iterator[tuple[str, str, tuple[str, ...], str]]:
        """Of every metric its name, its kind, its labels and what it is."""
        for metric, labels in self._all:
            family = next(iter(metric.describe()))
            yield family.name, family.type, labels, family.documentation

    # --- what happens

    def act(self, kind: Kind, outcome: Outcome) -> None:
        """Somebody has done something, and something has come of it."""
        self._acts.labels(kind, outcome).inc()

    def answered(self, kind: Kind, seconds: float) -> None:
        """Discord has our answer."""
        self._answers.labels(kind).observe(max(0.0, seconds))

    def committed(self, match: MatchId, version: int) -> None:
        """An act is committed, and its board is still to be shown."""
        waiting = self._commits.setdefault(match, [])
        waiting.append((version, self.clock()))
        del waiting[:-EACH]
        if len(self._commits) > REMEMBERED:
            del self._commits[next(iter(self._commits))]

    def shown(self, match: MatchId, version: int) -> None:
        """Discord has a board that shows a match at this version."""
        waiting, now = self._commits.pop(match, []), self.clock()
        for _, since in (one for one in waiting if one[0] <= version):
            self._boards.observe(now - since)
        if later := [one for one in waiting if one[0] > version]:
            self._commits[match] = later

    def transaction(self, span: Span, fault: BaseException | None) -> None:
        """A transaction is over, well or not."""
        ended = time.monotonic()
        self._transactions.labels(span.kind, ending_of(fault)).inc()
        self._waits.labels(span.kind).observe((span.began or ended) - span.asked)
        self._spans.labels(span.kind).observe(ended - span.asked)
        self._repeats.labels(span.kind).inc(max(0, span.tries - 1))

    def searched(self, seed: str, seconds: float) -> None:
        """A search has come to its answer; the level stands at the end of what its lots are drawn from."""
        level = seed.rpartition(":")[2]
        self._searched.labels(level if level in DEPTHS else "other").observe(seconds)

    def drawn(self, seconds: float) -> None:
        """Pictures were drawn."""
        self._drawn.observe(seconds)

    def lagged(self, seconds: float) -> None:
        """The event loop came to something so late."""
        self._lag.observe(max(0.0, seconds))

    def limit(self, scope: str) -> None:
        """Discord refused a request as one too many, by a limit of this scope."""
        self._limited.labels(scope if scope in SCOPES else "unknown").inc()

    def befell(self, event: str) -> None:
        """Something has happened: a connection to Discord may have been made, lost or taken up again."""
        if event in EVENTS:
            self._gateway.labels(event).inc()

    def runs(self, schema: str, share: Share) -> None:
        """What runs here, on which database, for whom."""
        self.build.labels(VERSION, schema, "all" if share.whole else str(share)).set(1)


def begun(metric: Any, labels: dict[str, tuple[str, ...]]) -> Any:
    """A metric with all that its labels may say at zero: what is not there cannot be seen to rise."""
    names = [*labels.values()]
    if all(names) and names:
        first, *others = names
        for one in first:
            for other in others[0] if others else (None,):
                metric.labels(one, other) if others else metric.labels(one)
    return metric


def outcome_of(fault: BaseException) -> Outcome:
    """What came of an act that ended in an error."""
    if isinstance(fault, Unavailable):
        return "unavailable"
    if isinstance(fault, MoveError | Refusal | BadOptions):
        return "refused"
    return "too late" if isinstance(fault, TimeoutError) else "failed"


def ending_of(fault: BaseException | None) -> Ending:
    """What came of a transaction: undone is what found that others were faster, or that there is nothing to change."""
    if fault is None:
        return "done"
    if isinstance(fault, Unavailable):
        return "unavailable"
    return "abandoned" if isinstance(fault, asyncio.CancelledError) else "undone"
