"""Knows who is in a server and what they are called there, in memory alone.

Whoever acts in a server brings their name along, and so do the people whom they name. About all others Discord is asked
when they are to be named, all at once: Request Guild Members takes up to a hundred ids, and with ids needs no privilege
(https://docs.discord.com/developers/events/gateway-events, "Request Guild Members"). What it answers is remembered for
an hour. Where no answer comes in time, a name that was heard earlier does, and without one a mention.

Nobody counts as gone before Discord has said so.
"""

from __future__ import annotations

import asyncio
import math
from collections import OrderedDict, deque
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

import discord

from bot.client.people.names import Called, named_apart
from bot.client.runtime.background import in_background
from bot.client.runtime.error_codes import Code, is_code
from bot.client.runtime.loop_time import loop_time
from bot.core.values.computer_users import is_person
from bot.core.values.ids import GuildId, UserId

REMEMBERED_FOR = 3600.0
"""Seconds after which Discord is asked anew."""
REMEMBERED = 20_000
ASK_WITHIN = 5.0
"""Seconds that an answer may take."""
IN_VAIN_FOR = 5.0
"""Seconds in which nobody waits again for an answer that did not come in time."""
SEEN_FOR = 60.0
"""Seconds for which somebody who was there counts as there where a message is about to tell them something."""
AT_ONCE = 100
"""How many people Discord says something of in one answer (its limit)."""
ASKED_A_MINUTE = 90
"""How often a shard is asked in a minute; it may send 120 messages, heartbeats among them (Discord's limit)."""
MINUTE = 60.0
SILENCES, SILENT_FOR = 3, 600.0
"""After how many questions in a row without an answer no more is asked, and for how many seconds."""

Member = tuple[GuildId, UserId]


class Heard(NamedTuple):
    """Whether somebody was in a server, when that was heard, and what they were called, if that ever was."""

    here: bool
    at: float
    called: Called | None


class Question(NamedTuple):
    """What is to be asked about a server, and the task that asks it in its turn."""

    users: set[UserId]
    task: asyncio.Task[None]


class Members:
    """Remembers who was in a server when Discord was last asked, who was not, and what they were called."""

    def __init__(self, client: discord.Client, clock: Callable[[], float] = loop_time) -> None:
        self.client = client
        self.clock = clock
        self.changed: Callable[[GuildId, UserId], None] = lambda _guild, _user: None
        """Hears that somebody turns out to have left a server, or to be back."""
        self._known: OrderedDict[Member, Heard] = OrderedDict()
        self._next: dict[GuildId, Question] = {}
        """What is to be asked about a server once the question before it is answered; more people may join it."""
        self._turns: dict[GuildId, asyncio.Lock] = {}
        self._asked: dict[int, deque[float]] = {}
        """When each shard was asked lately."""
        self._silences, self._silent_until = 0, -math.inf
        self._in_vain: dict[Member, float] = {}
        """When somebody last waited for an answer about people, and it did not come."""
        self._asking = set[asyncio.Task[None]]()

    # --- what is known

    def met(self, guild: GuildId, user: UserId, called: Called, here: bool = True) -> None:
        """Somebody is seen in a server: they are there, under a name; or is named there and not `here`."""
        self._note((guild, user), Heard(here, self.clock(), called))

    def forget(self, user: UserId) -> None:
        """Drop what was heard of somebody, in every server."""
        for member in [member for member in self._known if member[1] == user]:
            del self._known[member]

    def known(self, guild: GuildId, users: Iterable[UserId]) -> frozenset[UserId]:
        """Who of some people is known to have left a server."""
        heard = {user: self._known.get((guild, user)) for user in users}
        return frozenset(user for user, known in heard.items() if known and not known.here)

    def is_here(self, guild: GuildId, user: UserId) -> bool | None:
        """Whether somebody is in a server, as was heard last; None where nothing was."""
        heard = self._known.get((guild, user))
        return heard.here if heard else None

    def unheard(self, guild: GuildId, users: Iterable[UserId], *, freshly: bool = False) -> list[UserId]:
        """About whom of some people nothing was heard lately; `freshly`: within the last minute."""
        return [user for user in dict.fromkeys(users) if is_person(user) and self._stale((guild, user), freshly)]

    def names(self, guild: GuildId, users: Iterable[UserId]) -> dict[UserId, str]:
        """How some people are called in a message, those of whom that is known."""
        heard = {user: self._known.get((guild, user)) for user in users}
        return named_apart({user: one.called for user, one in heard.items() if one and (one.called or not one.here)})

    def called(self, guild: GuildId, user: UserId) -> Called | None:
        """What somebody is called, or was before they left; None where that was not heard."""
        heard = self._known.get((guild, user))
        return heard.called if heard else None

    # --- what is asked

    async def learn(
        self, guild: GuildId, users: Iterable[UserId], within: float = ASK_WITHIN, *, freshly: bool = False
    ) -> None:
        """Have Discord asked about those of some people of whom nothing was heard lately, and wait some seconds; not
        again at once for whom that was in vain, so that a message that asks twice waits once."""
        since = self.clock() - IN_VAIN_FOR
        self._in_vain = {member: at for member, at in self._in_vain.items() if at > since}
        asked = [user for user in self.unheard(guild, users, freshly=freshly) if (guild, user) not in self._in_vain]
        if question := self._question(guild, asked):
            begun = self.clock()
            await asyncio.wait({question.task}, timeout=within)
            known = {user: self._known.get((guild, user)) for user in asked}
            missed = [user for user, heard in known.items() if heard is None or heard.at < begun]
            self._in_vain |= dict.fromkeys(((guild, user) for user in missed), self.clock())

    def ahead(self, guild: GuildId, users: Iterable[UserId]) -> None:
        """Have Discord asked about people who are going to be named."""
        self._question(guild, self.unheard(guild, users))

    async def gone(
        self, guild: GuildId, users: Iterable[UserId], within: float = ASK_WITHIN, *, freshly: bool = False
    ) -> frozenset[UserId]:
        """Who of some people has left a server. Where Discord cannot be asked, nobody counts as gone of whom that was
        not heard."""
        people = tuple(users)
        await self.learn(guild, people, within, freshly=freshly)
        return self.known(guild, people)

    async def surely_gone(self, guild: GuildId, user: UserId, within: float) -> bool:
        """Whether somebody has left a server, as Discord says it now where they were taken to have left. It is asked by
        a request, which is answered whatever becomes of questions about many."""
        if not (self.known(guild, (user,)) or self._stale((guild, user))):
            return False
        in_background.set(True)
        return await self._says_gone(guild, user, within)

    async def gone_now(self, guild: GuildId, users: Iterable[UserId], within: float) -> frozenset[UserId]:
        """Who of a few people has left a server, as Discord says it now, whatever was heard of them lately: they may
        have acted and left."""
        people = [user for user in users if is_person(user)]
        left = await asyncio.gather(*(self._says_gone(guild, user, within) for user in people))
        return frozenset(user for user, is_gone in zip(people, left, strict=True) if is_gone)

    async def _says_gone(self, guild: GuildId, user: UserId, within: float) -> bool:
        """Whether Discord says that somebody has left a server."""
        found = self.client.get_guild(guild)
        if found is None or found.unavailable:
            return False
        try:
            async with asyncio.timeout(within):
                self.met(guild, user, Called.of(await found.fetch_member(user)))
        except Exception as fault:  # whatever else stands in the way of asking says nothing of anybody
            if not is_code(fault, Code.UNKNOWN_MEMBER, Code.UNKNOWN_USER):
                return False
            self._left((guild, user))
            return True
        return False

    def _question(self, guild: GuildId, users: Sequence[UserId]) -> Question | None:
        """The next question about a server, with some people in it; None where there is nothing to ask, or nobody."""
        found = self.client.get_guild(guild)
        if not users or found is None or found.unavailable or self.clock() < self._silent_until:
            return None
        if guild not in self._next:
            task = asyncio.create_task(self._ask(found))
            self._asking.add(task)
            task.add_done_callback(self._asking.discard)
            self._next[guild] = Question(set(), task)
        self._next[guild].users.update(users)
        return self._next[guild]

    async def _ask(self, guild: discord.Guild) -> None:
        about = GuildId(guild.id)
        async with self._turns.setdefault(about, asyncio.Lock()):
            await asyncio.sleep(self._wait(guild.shard_id))
            users = sorted(self.unheard(about, self._next.pop(about).users, freshly=True))
            for at in range(0, len(users), AT_ONCE):
                if at:
                    await asyncio.sleep(self._wait(guild.shard_id))
                await self._hear(guild, users[at : at + AT_ONCE])
        if about not in self._next:
            self._turns.pop(about, None)

    def _wait(self, shard: int) -> float:
        """Seconds until a shard may be asked once more; then it counts as asked."""
        asked, now = self._asked.setdefault(shard, deque(maxlen=ASKED_A_MINUTE)), self.clock()
        at = max(now, asked[0] + MINUTE) if len(asked) == ASKED_A_MINUTE else now
        asked.append(at)
        return at - now

    async def _hear(self, guild: discord.Guild, users: Sequence[UserId]) -> None:
        """Ask about some people at once, and note of each whether they are there."""
        try:
            async with asyncio.timeout(ASK_WITHIN):
                there = await guild.query_members(user_ids=[*users], limit=AT_ONCE, cache=False)
        except TimeoutError:
            self._silences += 1
            if self._silences >= SILENCES:
                self._silences, self._silent_until = 0, self.clock() + SILENT_FOR
            return
        except Exception:  # whatever else stands in the way of asking says nothing of anybody
            return
        self._silences = 0
        for member in there:
            self.met(GuildId(guild.id), UserId(member.id), Called.of(member))
        for user in {*users} - {member.id for member in there}:
            self._left((GuildId(guild.id), user))

    async def close(self) -> None:
        """Ask nothing any more."""
        for task in self._asking:
            task.cancel()
        await asyncio.gather(*self._asking, return_exceptions=True)

    # --- what is remembered

    def _stale(self, member: Member, freshly: bool = False) -> bool:
        known = self._known.get(member)
        return known is None or self.clock() - known.at >= (SEEN_FOR if freshly else REMEMBERED_FOR)

    def _left(self, member: Member) -> None:
        """Somebody is not in a server any more; the name that they had is theirs as long as it is remembered."""
        known = self._known.get(member)
        self._note(member, Heard(False, self.clock(), known.called if known else None))

    def _note(self, member: Member, heard: Heard) -> None:
        before = self._known.get(member)
        self._known[member] = heard
        self._known.move_to_end(member)
        while len(self._known) > REMEMBERED:
            self._known.popitem(last=False)
        if heard.here is not (before is None or before.here):
            self.changed(*member)
