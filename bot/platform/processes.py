"""Several processes on one database: which leads, which are alive; this one's heartbeat."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace

from bot.platform.machine import Machine
from bot.platform.metrics import Metrics
from bot.play.ids import ShardShare
from data.engine.errors import Unavailable, Unusable, explain_error
from data.store import Store, Transaction
from data.upkeep import health as database_health
from data.upkeep.health import Pulse

# How the processes on one database coordinate, through rows of the notes: liveness, the leader's lease, IDENTIFY slots.


PROCESS, LEADER, IDENTIFY = "process ", "leader", "identify "
"""The names of the rows; a share follows the first, a queue the last."""
FREE = "free"
"""The lease after its leader has stopped in good order: no other need wait."""
HEARTBEAT, HOLD, TERM = 15.0, 30.0, 45.0
"""Seconds between two heartbeats; for which a renewal lets its leader act; after which a silent leader is followed."""
PROOFS = 2
"""How often another process must be seen alive: one that is just being replaced may beat once more."""
FORGET = 60.0
"""Seconds after which a process that was not seen again counts as stopped."""
STALE = 86_400.0
"""Seconds after which an unchanged row of a process is deleted."""
GAP = 5.5
"""Seconds between two IDENTIFY in a queue: Discord's five, and the jitter of the network."""
DOUBT = 3.0
"""Seconds by which two clocks may differ that are both set by Discord's dates, which are whole seconds."""


def holder_of(text: str | None) -> str:
    """The process that wrote a row of its own or the lease."""
    return (text or "").partition(" ")[0]


def describe_holder(holder: str) -> str:
    """A holder, `<machine>:<number>:<random>`, in words."""
    machine, _, rest = holder.partition(":")
    number = rest.partition(":")[0]
    return f"process {number} on {machine}" if machine and number else holder


# --- the lease


@dataclass(frozen=True, slots=True)
class LeaderLease:
    """The lease as one process knows it: its row at the last poll, since when, and when it was last renewed.

    A leader counts its time from before it starts to write, the others from after they have read. So no two lead at
    once, as long as no steady clock runs half as fast again as another.
    """

    holder: str
    seen: str | None = None
    since: float = 0.0
    renewed: float | None = None

    def is_leader(self, now: float) -> bool:
        """Whether this process acts as the leader now."""
        return self.renewed is not None and 0 <= now - self.renewed <= HOLD

    def choose_row_text(self, row: str | None, now: float) -> str | None:
        """What to write over the row; None to leave it."""
        abandoned = row == self.seen and now - self.since >= TERM
        if row is None or row == FREE or holder_of(row) == self.holder or abandoned:
            counter = (row or "").partition(" ")[2]
            return f"{self.holder} {int(counter) + 1 if counter.isascii() and counter.isdecimal() else 1}"
        return None

    def note_look(self, row: str | None, began: float, ended: float) -> LeaderLease:
        """The lease after a poll between two moments, which has left the row like this."""
        since = self.since if row == self.seen else ended
        return replace(self, seen=row, since=since, renewed=began if holder_of(row) == self.holder else None)

    def resign(self) -> LeaderLease:
        """The lease once this process has given it up."""
        return replace(self, renewed=None)


def bid_for_lease(tx: Transaction, lease: LeaderLease, now: float) -> str | None:
    """Renew the lease, or take it if it is abandoned; the row afterwards."""
    row = tx.read_note(LEADER)
    text = lease.choose_row_text(row, now)
    if text is None:
        return row
    return text if tx.replace_note(LEADER, row, text) else tx.read_note(LEADER)


# --- other processes


@dataclass(frozen=True, slots=True)
class SeenProcess:
    """Another process that serves some of our servers: when it was last seen alive, and how often."""

    share: ShardShare
    at: float
    proofs: int


@dataclass(frozen=True, slots=True)
class OtherProcesses:
    """Which other processes serve servers of this one's share, by its own steady clock.

    Two with the same share write the same row, and each finds the other's name in it.
    """

    holder: str
    share: ShardShare
    rows: Mapping[str, tuple[str, float]] = field(default_factory=dict[str, tuple[str, float]])
    """The text of each row after the last poll, and since when."""
    seen: Mapping[str, SeenProcess] = field(default_factory=dict[str, SeenProcess])
    """By holder."""

    @property
    def row_name(self) -> str:
        """The name of this process's own row."""
        return f"{PROCESS}{self.share}"

    def list_living_holders(self, now: float) -> tuple[tuple[str, ShardShare], ...]:
        """The holders of all processes that are surely alive, with their shares."""
        sure = ((name, one) for name, one in sorted(self.seen.items()) if one.proofs >= PROOFS)
        return tuple((name, one.share) for name, one in sure if now - one.at <= FORGET)

    def note_look(self, found: Mapping[str, str], own: str, now: float) -> OtherProcesses:
        """The state after reading these rows and writing this text into the own row."""
        seen = {name: one for name, one in self.seen.items() if now - one.at <= FORGET}
        for name, text in found.items():
            share, holder = self._find_overlap(name), holder_of(text)
            if share and holder != self.holder and self.rows.get(name, (text, now))[0] != text:
                seen[holder] = SeenProcess(share, now, seen[holder].proofs + 1 if holder in seen else 1)
        rows = dict[str, tuple[str, float]]()
        for name, text in {**found, self.row_name: own}.items():
            then, since = self.rows.get(name, (None, now))
            rows[name] = text, since if then == text else now
        return replace(self, rows=rows, seen=seen)

    def find_stale_rows(self, now: float) -> dict[str, str]:
        """The rows of processes that stopped long ago."""
        rows = self.rows.items()
        return {name: text for name, (text, since) in rows if now - since >= STALE and name != self.row_name}

    def _find_overlap(self, name: str) -> ShardShare | None:
        """The share that a row is named after, if it has servers of ours."""
        try:
            share = ShardShare.parse(name.removeprefix(PROCESS))
        except ValueError:
            return None
        return share if share.overlaps(self.share) else None


def announce_process(tx: Transaction, row: str, text: str) -> dict[str, str]:
    """Write a process's own row; the rows of all processes before."""
    found = tx.read_notes(PROCESS)
    tx.set_note(row, text)
    return found


def drop_rows(tx: Transaction, rows: Mapping[str, str]) -> None:
    """Delete rows that are unchanged."""
    for name, text in rows.items():
        tx.drop_note(name, text)


def leave_cluster(tx: Transaction, row: str, holder: str) -> None:
    """Free the lease if it is held by a process that stops, and delete the process's row."""
    if (lease := tx.read_note(LEADER)) and holder_of(lease) == holder:
        tx.replace_note(LEADER, lease, FREE)
    if (text := tx.read_note(row)) and holder_of(text) == holder:
        tx.drop_note(row, text)


# --- IDENTIFY slots


def compute_wait(row: str | None, unchanged: float, now: float, gap: float) -> float:
    """Seconds until a queue is free whose row was seen `unchanged` for a while.

    It is free when the row has stood for the whole gap by the own steady clock, or is older than that by Discord's
    dates. No process holds a queue: one that is killed costs the others a gap.
    """
    if row is None:
        return 0.0
    waits = gap - unchanged
    moment = row.partition(" ")[0]
    if moment.isascii() and moment.isdecimal() and (age := now - int(moment)) >= 0:
        waits = min(waits, gap + DOUBT - age)
    return max(0.0, waits)


def take_turn(
    tx: Transaction, queue: str, seen: str | None, unchanged: float, mine: str, gap: float
) -> tuple[str | None, float]:
    """Write `mine`, which begins with the time, if the queue is free; the row afterwards, and the seconds to wait."""
    row = tx.read_note(queue)
    waits = compute_wait(row, unchanged if row == seen else 0.0, int(mine.partition(" ")[0]), gap)
    if waits or not tx.replace_note(queue, row, mine):
        return tx.read_note(queue), waits
    return mine, 0.0


def use_turn(tx: Transaction, queue: str, taken: str, mine: str) -> bool:
    """Use a turn that was taken a while ago, if no process has taken the next: the gap counts from now on."""
    return tx.replace_note(queue, taken, mine)


# This process's heartbeat: every few seconds it writes its row, renews the lease and sees which others are alive.


SAID_EVERY = 3600.0
"""Seconds after which another process is logged again."""

log = logging.getLogger(__name__)


class Presence:
    """One process among all on its database.

    Its lease uses the machine's steady clock, which goes on while the machine sleeps: a leader that wakes up must
    notice the time that has passed. `beaten` is called at every heartbeat, written or not, with whether Discord is
    connected.
    """

    def __init__(self, store: Store, connected: Callable[[], bool], metrics: Metrics, machine: Machine) -> None:
        self.store = store
        self.connected = connected
        self.metrics = metrics
        self.clock, self.steady = machine.wall_time, machine.steady
        self.beaten: Callable[[bool], None] = lambda _: None
        self.holder = machine.name
        self.lease = LeaderLease(self.holder)
        self.others = OtherProcesses(self.holder, store.share)
        self.version, self._noted = machine.version, False
        self._lost: float | None = None
        """Since when the database has been unavailable, by the steady clock."""
        self._beats = self._connected_at = 0
        self._told: dict[str, float] = {}
        self._won, self._wanted = asyncio.Event(), asyncio.Event()
        self._over = False
        metrics.leader.set_function(lambda: self.leads)

    @property
    def leads(self) -> bool:
        """Whether this process leads now."""
        return self.lease.is_leader(self.steady())

    async def wait_until_leader(self) -> None:
        while not self.leads:
            self._won.clear()
            await self._won.wait()

    async def beat_forever(self) -> None:
        while True:
            try:
                await self.beat()
                self._log_recovery()
            except Unavailable as fault:
                self._lost = self.steady() if self._lost is None else self._lost
                if isinstance(fault, Unusable):
                    log.error("%s", fault)
                else:
                    log.warning("The database cannot be written: %s.", explain_error(fault))
            except Exception:
                log.warning("The heartbeat failed and will be tried again.", exc_info=True)
            self.beaten(self.connected())
            with suppress(TimeoutError):
                async with asyncio.timeout(HEARTBEAT):
                    await self._wanted.wait()
            self._wanted.clear()

    def _log_recovery(self) -> None:
        """Log that the database is available again."""
        if self._lost is not None:
            log.info("The database can be used again, after %.0f s.", self.steady() - self._lost)
        self._lost = None

    def request_beat(self) -> None:
        """Beat at once: Discord has just been connected, and `health` should know."""
        self._wanted.set()

    async def beat(self) -> None:
        """Write in one transaction that this process is alive, bid for the lease, and read the rows of all others."""
        if self._over:
            return
        began, now = self.steady(), int(self.clock())
        self._beats += 1
        self._connected_at = now if self.connected() else self._connected_at
        pulse, own = Pulse(now, self._connected_at), f"{self.holder} {self._beats}"
        stale = self.others.find_stale_rows(began) if self.leads else {}

        def write_beat(tx: Transaction) -> tuple[OtherProcesses, str | None]:
            database_health.note_heartbeat(tx, pulse)
            if not self._noted:
                database_health.tell_version(tx, self.version)
            leader = bid_for_lease(tx, self.lease, began)
            drop_rows(tx, stale)
            others = self.others.note_look(announce_process(tx, self.others.row_name, own), own, began)
            texts = describe_others(others, began)
            database_health.set_warning(
                tx, f"{database_health.SAME_SERVERS}{others.share}", f"{now} {' '.join(texts)}" if texts else None
            )
            return others, leader

        self.others, leader = await self.store.do(write_beat)
        self._noted = True
        led_by, self.lease = self.lease.seen, self.lease.note_look(leader, began, self.steady())
        self.metrics.heartbeat.set(now)
        if self.leads:
            self._won.set()
        if holder_of(leader) != holder_of(led_by):
            log.info(
                "%s leads: %s.", "This process" if self.leads else "Another process", describe_holder(holder_of(leader))
            )
        self._log_other_processes(describe_others(self.others, began), began)

    async def leave(self) -> None:
        """Note that this process has stopped, and free the lease; where that cannot be written, both just expire."""
        self._over, self.lease = True, self.lease.resign()
        others = self.others.list_living_holders(self.steady())

        def left(tx: Transaction) -> None:
            leave_cluster(tx, self.others.row_name, self.holder)
            if all(share != tx.share for _, share in others):  # else the heartbeat is theirs too
                database_health.note_heartbeat(tx, database_health.STOPPED)

        try:
            await self.store.do(left)
        except Exception as fault:
            log.debug("The row of this process could not be taken away: %s.", type(fault).__name__)

    def _log_other_processes(self, texts: list[str], now: float) -> None:
        """Log each other process when it is new, and again each hour."""
        self.metrics.other_processes.set(len(texts))
        self._told = {text: at for text, at in self._told.items() if text in texts or now - at < SAID_EVERY}
        for text in texts:
            if now - self._told.get(text, -SAID_EVERY) >= SAID_EVERY:
                log.error("%s", text)
                self._told[text] = now


def describe_others(others: OtherProcesses, now: float) -> list[str]:
    """A sentence about each other process that serves the same servers."""
    mine = f"this one ({describe_shards(others.share)}, {describe_holder(others.holder)})"
    return [
        f"Two processes serve the same servers on one database: {mine} and"
        f" {describe_holder(other)} ({describe_shards(share)})."
        " Nothing happens twice, but stop one of them, or give each shards of its own in GRAPHPAPER_SHARDS."
        for other, share in others.list_living_holders(now)
    ]


def describe_shards(share: ShardShare) -> str:
    return "all shards" if share.is_whole else f"shards {share}"
