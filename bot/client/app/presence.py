"""Noticing that another process does what this one does: with the same database, or with the same token and another.

With the same database the rows of `bot.service.cluster.processes` show it. Then nothing happens twice, since every act
counts once there; it is said, and both go on. With another database nothing shows it but this: an answer is refused as
already given (40060), although this process has given none. That is not so after a failure of the network, when an
answer arrived of which we did not hear: so the tries are counted, and only a first one that is refused is another's.

Of two that answer the same people each begins a match of its own. Whoever comes second takes it back, and shows nothing
of it. (A match that both have, since one's database is a copy, has the same nonces, and is shown once.) Whoever comes
second again and again stands down for a while: it answers nobody and does nothing by itself, as if it were not
connected, so that no one's time runs. The one that has served for longer bears more, and as exactly one comes second
each time, both do not stand down together; if they should, one is back before the other.
"""

from __future__ import annotations

import asyncio
import logging
import random
import re
import time
from collections import OrderedDict
from dataclasses import dataclass
from types import SimpleNamespace
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import aiohttp
import discord

from bot.client.app.identity import told
from bot.client.interactions.context import Interaction, user_of
from bot.client.interactions.errors import ALREADY_ANSWERED
from bot.client.runtime.discord_clock import since_boot
from bot.core.match.loaded_match import Refusal
from bot.core.values.ids import MatchId
from bot.core.values.shards import Share
from bot.service.cluster import processes
from bot.service.cluster.processes import Census
from bot.service.umpire.undoing import undone
from data import health
from data.engine import Unavailable

if TYPE_CHECKING:
    from bot.client.app.client import GraphPaper

EVERY = 15.0
"""Seconds between two looks."""
SAID_EVERY = 3600.0
WINDOW = 600.0
"""Seconds for which an answer that was another's counts."""
FEW, MANY = 3, 12
"""So many of them are no chance; and so many are borne by one that has served for long."""
SHARE = 10
"""One in so many answers is another's, at least, where there is another: who is slower comes second more often."""
LONG = 3600.0
REST = (600.0, 1200.0)
"""For how many seconds one stands down, by lot."""
REMEMBERED = 4096
"""So many interactions are remembered with the tries to answer them."""
CALLBACK = re.compile(r"/interactions/(\d+)/[^/]+/callback$")

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Tries:
    """How often an answer was tried to be given, and since when."""

    many: int
    since: float


NEVER = Tries(0, 0.0)


class StoodDown(Refusal):
    """Another bot with this token answers; nobody hears of this."""

    def __init__(self) -> None:
        super().__init__("Another process answers in this one's place.")


class Twins:
    """What one process knows of others that do the same."""

    def __init__(self, client: GraphPaper) -> None:
        self.client = client
        self.steady = since_boot
        self.census = Census(client.holder, client.settings.share)
        self.began = self.steady()
        self.theirs: dict[int, float] = {}
        self._tries: OrderedDict[int, Tries] = OrderedDict()
        self._rests_until = self._tried_until = 0.0
        self._beats = 0
        self._noted = True  # perhaps by the process that this one replaces
        self._said: dict[str, float] = {}
        self._looking = asyncio.Lock()

    # --- answers

    async def asked(
        self, _session: aiohttp.ClientSession, _context: SimpleNamespace, asked: aiohttp.TraceRequestStartParams
    ) -> None:
        """A request is about to be sent: count the tries to answer an interaction."""
        if found := CALLBACK.search(asked.url.path):
            number = int(found[1])
            before = self._tries.get(number, Tries(0, self.steady()))
            self._tries[number] = Tries(before.many + 1, before.since)
            if len(self._tries) > REMEMBERED:
                self._tries.popitem(last=False)

    async def refused(self, fault: BaseException) -> bool:
        """Count an answer that was refused, if it was another's; whether it was that of a bot with another database."""
        if not isinstance(fault, discord.HTTPException) or fault.code != ALREADY_ANSWERED:
            return False
        found = CALLBACK.search(urlsplit(str(fault.response.url)).path)
        if not found or self._tries.get(int(found[1]), NEVER).many != 1:
            return False
        if int(found[1]) not in self.theirs:
            self.theirs[int(found[1])] = self.steady()
            self.client.measures.elsewhere.inc()
        await self._looked()
        return self.elsewhere

    async def took(self, interaction: Interaction, fault: BaseException, match: MatchId) -> bool:
        """Take back a match that was just begun, if a bot with another database has answered for it; whether it is.

        A line between may have sent our answer twice: so what people see is looked at, which names another match then.
        """
        if not await self.refused(fault):
            return False
        try:
            seen = await interaction.original_response()
        except (discord.HTTPException, aiohttp.ClientError, OSError):
            return False
        text = f"{seen.content} {[part.to_dict() for part in seen.components]}"
        if re.search(rf"\b[Mm]atch {match}\b", text):
            return False
        now = self.client.umpire.clock()
        return await self.client.umpire.store.do(undone, match, user_of(interaction), now)

    @property
    def elsewhere(self) -> bool:
        """Whether the answers that were another's are surely not of a process with this database."""
        return self.census.alone(self.steady())

    @property
    def stands_down(self) -> bool:
        """Whether this process is to do nothing for now."""
        return self.steady() < self._rests_until

    def expect_serving(self) -> None:
        """Refuse whatever comes while this process stands down."""
        if self.stands_down:
            raise StoodDown

    # --- looks

    async def keep(self) -> None:
        """For ever: note that this process serves, and look who else does."""
        while True:
            await self._looked()
            await asyncio.sleep(EVERY)

    async def begin(self) -> None:
        """Note that this process serves, before it does: whoever else does must know."""
        await self._looked()

    async def _looked(self) -> None:
        try:
            async with self._looking:
                await self.look()
        except Unavailable:
            log.debug("It cannot be looked up who else serves.")
        except Exception:
            log.warning("Looking who else serves failed and will be tried again.", exc_info=True)

    async def look(self) -> None:
        """Beat, see who else beats, and say what there is to be said."""
        store, census = self.client.umpire.store, self.census
        self._beats += 1
        found, after = await store.do(processes.beaten, census.row, f"{self.client.holder} {self._beats}")
        now = self.steady()
        self.census = census.looked(found, after, now)
        self.theirs = {number: at for number, at in self.theirs.items() if now - at <= WINDOW}
        self._judge(now)
        texts = self._texts(now)
        self.client.measures.twins.set(len(texts))
        self._say(texts, now)
        if texts or self._noted:
            noted = f"{int(time.time())} {' '.join(texts)}" if texts else None
            await store.do(health.tell, f"{health.TWINS}{census.share}", noted)
            self._noted = bool(texts)
        if self.client.lease.leads and (stale := self.census.stale(now)):
            await store.do(processes.cleared, stale)

    async def leave(self) -> None:
        """Take the row away that says that this process serves; where that cannot be written, it just stands still."""
        try:
            await self.client.umpire.store.do(processes.left, self.census.row, self.client.holder)
        except Exception as fault:
            log.debug("The row of this process could not be taken away: %s.", type(fault).__name__)

    def _judge(self, now: float) -> None:
        """Stand down where another answers again and again, for the first time or just after having stood down."""
        most = 1 if now < self._tried_until else FEW if now - self.began < LONG else MANY
        if self.elsewhere and not self.stands_down and len(self.theirs) >= most and self._often(now):
            rest = random.uniform(*REST)
            self._rests_until, self._tried_until = now + rest, now + rest + WINDOW
            self.theirs.clear()

    def _often(self, now: float) -> bool:
        """Whether so many answers were another's that it is no accident of the network."""
        given = sum(now - one.since <= WINDOW for one in self._tries.values())
        return len(self.theirs) * SHARE >= given

    def _texts(self, now: float) -> list[str]:
        """A sentence about each other process."""
        client, seen = self.client, self.census.twins(now)
        mine = f"this one ({shards(client.settings.share)}, {told(client.holder)})"
        texts = [
            f"Two processes serve the same servers on one database: {mine} and {told(other)} ({shards(share)})."
            " Nothing happens twice, but stop one of them, or give each shards of its own in GRAPHPAPER_SHARDS."
            for other, share in seen
        ]
        if self.stands_down or (self.elsewhere and len(self.theirs) >= FEW and self._often(now)):
            rests = " This one has stood down: for some minutes it does nothing." if self.stands_down else ""
            texts.append(
                f"Another bot with this token and with another database gives people the answers of {mine}."
                f"{rests} Stop one of the two, or give one a token of its own."
            )
        return texts

    def _say(self, texts: list[str], now: float) -> None:
        """Say in the log what is new, and again each hour."""
        self._said = {text: at for text, at in self._said.items() if text in texts or now - at < SAID_EVERY}
        for text in texts:
            if now - self._said.get(text, -SAID_EVERY) >= SAID_EVERY:
                log.error("%s", text)
                self._said[text] = now


def shards(share: Share) -> str:
    """A share in words."""
    return "all shards" if share.whole else f"shards {share}"
