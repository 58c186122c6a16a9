"""This process's heartbeat: every few seconds it writes its row, renews the lease and sees who else is alive.

`health` and the watchdog read from it whether the bot runs and is connected to Discord. Where another process serves
the same servers on the same database the host is told within a minute, in the log and by `health`. Nothing happens
twice then, since every act counts once in the database, so both go on.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from contextlib import suppress

from bot.client.runtime.machine import Machine
from bot.client.runtime.metrics import Metrics
from bot.core.values.shards import Share
from bot.service.cluster import processes
from bot.service.cluster.processes import HEARTBEAT, Lease, Others, holder_of, named
from data.engine.database_errors import Unavailable, Unusable, reason
from data.store import Store, Transaction
from data.upkeep import heartbeat
from data.upkeep.heartbeat import Pulse

SAID_EVERY = 3600.0
"""Seconds after which another process is told of in the log again."""

log = logging.getLogger(__name__)


class Presence:
    """One process among all on its database.

    Its lease goes by the machine's steady clock, which goes on while the machine sleeps: a leader that wakes up must
    not believe that no time has passed. `beaten` hears of every heartbeat, noted or not, and whether Discord is there.
    """

    def __init__(self, store: Store, connected: Callable[[], bool], metrics: Metrics, machine: Machine) -> None:
        self.store = store
        self.connected = connected
        self.metrics = metrics
        self.clock, self.steady = machine.wall, machine.steady
        self.beaten: Callable[[bool], None] = lambda _: None
        self.holder = machine.name
        self.lease = Lease(self.holder)
        self.others = Others(self.holder, store.share)
        self.version, self._noted = machine.version, False
        self._lost: float | None = None
        """Since when the database could not be used, by the steady clock."""
        self._beats = self._connected_at = 0
        self._told: dict[str, float] = {}
        self._won, self._wanted = asyncio.Event(), asyncio.Event()
        self._over = False
        metrics.leader.set_function(lambda: self.leads)

    @property
    def leads(self) -> bool:
        """Whether this process acts for all now."""
        return self.lease.leads(self.steady())

    async def won(self) -> None:
        """Wait until this process leads."""
        while not self.leads:
            self._won.clear()
            await self._won.wait()

    async def keep(self) -> None:
        """Beat for ever."""
        while True:
            try:
                await self.beat()
                self._found()
            except Unavailable as fault:
                self._lost = self.steady() if self._lost is None else self._lost
                if isinstance(fault, Unusable):
                    log.error("%s", fault)
                else:
                    log.warning("The database cannot be written: %s.", reason(fault))
            except Exception:
                log.warning("The heartbeat failed and will be tried again.", exc_info=True)
            self.beaten(self.connected())
            with suppress(TimeoutError):
                async with asyncio.timeout(HEARTBEAT):
                    await self._wanted.wait()
            self._wanted.clear()

    def _found(self) -> None:
        """Tell the host that the database can be used, where it could not before."""
        if self._lost is not None:
            log.info("The database can be used again, after %.0f s.", self.steady() - self._lost)
        self._lost = None

    def soon(self) -> None:
        """Beat at once: Discord has just been connected, and `health` should know."""
        self._wanted.set()

    async def beat(self) -> None:
        """Note in one transaction that this process is alive, bid for the lease, and read the rows of all others."""
        if self._over:
            return
        began, now = self.steady(), int(self.clock())
        self._beats += 1
        self._connected_at = now if self.connected() else self._connected_at
        pulse, own = Pulse(now, self._connected_at), f"{self.holder} {self._beats}"
        stale = self.others.stale(began) if self.leads else {}

        def noted(tx: Transaction) -> tuple[Others, str | None]:
            heartbeat.beat(tx, pulse)
            if not self._noted:
                heartbeat.tell_version(tx, self.version)
            leader = processes.bid(tx, self.lease, began)
            processes.drop(tx, stale)
            others = self.others.looked(processes.announce(tx, self.others.row, own), own, began)
            texts = sentences(others, began)
            heartbeat.tell(tx, f"{heartbeat.SAME_SERVERS}{others.share}", f"{now} {' '.join(texts)}" if texts else None)
            return others, leader

        self.others, leader = await self.store.do(noted)
        self._noted = True
        led_by, self.lease = self.lease.seen, self.lease.looked(leader, began, self.steady())
        self.metrics.heartbeat.set(now)
        if self.leads:
            self._won.set()
        if holder_of(leader) != holder_of(led_by):
            log.info("%s leads: %s.", "This process" if self.leads else "Another process", named(holder_of(leader)))
        self._tell(sentences(self.others, began), began)

    async def leave(self) -> None:
        """Note that this process has stopped, and free the lease; where that cannot be written, both just stand
        still."""
        self._over, self.lease = True, self.lease.resigned()
        others = self.others.alive(self.steady())

        def left(tx: Transaction) -> None:
            processes.leave(tx, self.others.row, self.holder)
            if all(share != tx.share for _, share in others):  # else the heartbeat is theirs too
                heartbeat.beat(tx, heartbeat.STOPPED)

        try:
            await self.store.do(left)
        except Exception as fault:
            log.debug("The row of this process could not be taken away: %s.", type(fault).__name__)

    def _tell(self, texts: list[str], now: float) -> None:
        """Log each other process when it is new, and again each hour."""
        self.metrics.other_processes.set(len(texts))
        self._told = {text: at for text, at in self._told.items() if text in texts or now - at < SAID_EVERY}
        for text in texts:
            if now - self._told.get(text, -SAID_EVERY) >= SAID_EVERY:
                log.error("%s", text)
                self._told[text] = now


def sentences(others: Others, now: float) -> list[str]:
    """A sentence about each other process that serves the same servers."""
    mine = f"this one ({shards(others.share)}, {named(others.holder)})"
    return [
        f"Two processes serve the same servers on one database: {mine} and {named(other)} ({shards(share)})."
        " Nothing happens twice, but stop one of them, or give each shards of its own in GRAPHPAPER_SHARDS."
        for other, share in others.alive(now)
    ]


def shards(share: Share) -> str:
    """A share in words."""
    return "all shards" if share.whole else f"shards {share}"
