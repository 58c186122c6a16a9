"""The lease on what one process does for all: looked at, renewed, waited for and given up; `leading` has its rules."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable

from bot.service.cluster.leading import FREE, RENEW, Watch, read
from data.engine.database_errors import Unavailable
from data.store import Store, Transaction

NOTE = "leader"
"""The note that is the lease."""

log = logging.getLogger(__name__)


class Lease:
    """One process's part in the lease. `steady` counts seconds that nobody sets, those included in which the machine
    sleeps: a leader that wakes up must not believe that no time has passed."""

    def __init__(self, store: Store, holder: str, steady: Callable[[], float]) -> None:
        self.store = store
        self.steady = steady
        self.watch = Watch(holder)
        self._won = asyncio.Event()
        self._over = False

    @property
    def leads(self) -> bool:
        """Whether this process is to act for all at this moment."""
        return self.watch.leads(self.steady())

    async def keep(self) -> None:
        """For ever: look, and renew the lease or wait for it."""
        while True:
            try:
                await self.look()
            except Unavailable:  # the heart says so in the log; who leads finds out by the clock
                log.debug("The lease cannot be looked at.")
            except Exception:
                log.warning("Looking who leads failed and will be tried again.", exc_info=True)
            await asyncio.sleep(RENEW)

    async def look(self) -> None:
        """Renew the lease if it is ours, and take it if it is nobody's any more."""
        if self._over:
            return
        before, began = read(self.watch.seen)[0], self.steady()
        row = await self.store.do(bid, self.watch, began)
        self.watch = self.watch.looked(row, began, self.steady())
        if self.leads:
            self._won.set()
        else:
            self._won.clear()
        if (holder := read(row)[0]) != before:
            log.info("This process leads: %s." if self.leads else "Another process leads: %s.", holder)

    async def won(self) -> None:
        """Wait until this process leads."""
        while not self.leads:
            self._won.clear()
            await self._won.wait()

    async def give_up(self) -> None:
        """Leave the lease to another at once; where that cannot be written, another takes it after a while."""
        self._over, self.watch = True, self.watch.resigned()
        try:
            await self.store.do(free, self.watch.holder)
        except Exception as fault:
            log.debug("The lease could not be given up: %s.", type(fault).__name__)


def bid(tx: Transaction, watch: Watch, now: float) -> str | None:
    """Write what a process bids for the lease, if it does; what the lease holds afterwards."""
    row = tx.note(NOTE)
    value = watch.bid(row, now)
    if value is None:
        return row
    return value if tx.replace_note(NOTE, row, value) else tx.note(NOTE)


def free(tx: Transaction, holder: str) -> None:
    """Give the lease up, if it is held."""
    row = tx.note(NOTE)
    if read(row)[0] == holder:
        tx.replace_note(NOTE, row, FREE)
