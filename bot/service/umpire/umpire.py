"""The umpire: the only way for people to change a match. It knows the store, the rules, a clock and lots, not Discord.

Every act has the same shape. The match is read; a pure function decides what the act changes, or refuses it with a
sentence; one short transaction writes the change, provided that the match has not changed since it was read. Where
another act was faster, this one is decided again on the new state. An interaction that is delivered twice acts once.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections import OrderedDict
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any
from weakref import WeakValueDictionary

from bot.core.game.game import Game
from bot.core.game.mind import Lots
from bot.core.game.position import MoveError
from bot.core.game.two_legs import table
from bot.core.match.loaded_match import QUICKLY, FoldCache, LoadedMatch, Refusal, UnknownMatch
from bot.core.match.match import Match
from bot.core.match.stored import Origin, Stored
from bot.core.values.computer_users import is_computer, is_person
from bot.core.values.ids import GuildId, InteractionId, MatchId, MessageId, UserId
from bot.service.rules import calling_off, challenge_terms, decisions, proposal_endings
from bot.service.rules.challenge_terms import Challenge
from bot.service.rules.decisions import Change
from bot.service.rules.refusals import NOBODY, Closed, expect_current, expect_time
from bot.service.time import clock_updates
from bot.service.umpire import exchanges
from bot.service.umpire.attendance import Attendance
from bot.service.umpire.transactions import (
    LostRace,
    applied,
    challenged,
    completed,
    followed,
    looked,
    mentioning,
    present,
    thinking,
    write,
)
from data.store import Reader, Store, Transaction
from data.store.forgotten_list import Entry

ORIGINS = 10_000
"""The most matches whose server and creation time are cached."""
TRIES = 8
"""How often an act is tried when others are faster. Each lost race is another act that was written."""

steps = logging.getLogger("graphpaper.steps")
"""The checkpoints of an act: received, decided, written, committed, answered, drawn, posted, closed, noted, shown."""


@dataclass(frozen=True, slots=True)
class Done:
    """An act that went through: the match before and after it. A repeated delivery changed nothing."""

    before: LoadedMatch
    after: LoadedMatch
    repeated: bool = False


Decision = Callable[[LoadedMatch], Change]


class Umpire:
    """Carries out users' acts. `clock` gives epoch seconds, `lots` draws the seats."""

    def __init__(self, store: Store, games: Mapping[str, Game], clock: Callable[[], int], lots: Lots) -> None:
        self.store = store
        self.games = games
        self.clock = clock
        self.lots = lots
        self.folds = FoldCache(games)
        self.attendance = Attendance()
        self.computes: Callable[[MatchId], object] = ignored
        """Called after every act that leaves a computer to move, with the match."""
        self.committed: Callable[[MatchId, int], object] = ignored
        """Called after every act, with its match and the version that it made."""
        self._origins: OrderedDict[MatchId, Origin] = OrderedDict()
        self._turns: WeakValueDictionary[MatchId, asyncio.Lock] = WeakValueDictionary()

    async def origin(self, match: MatchId) -> Origin:
        """Where and when a match was made: constant, and needed at every interaction."""
        if match not in self._origins:
            origin = await self.store.ask(Reader.origin, match)
            if origin is None:
                raise unknown(match)
            self._origins[match] = origin
            if len(self._origins) > ORIGINS:
                self._origins.popitem(last=False)
        self._origins.move_to_end(match)
        return self._origins[match]

    async def guild(self, match: MatchId) -> GuildId:
        """The server of a match."""
        return (await self.origin(match)).guild

    async def load(self, match: MatchId) -> LoadedMatch:
        """A match as it stands, or `UnknownMatch`."""
        row = await self.store.ask(Reader.load, match)
        if row is None:
            raise unknown(match)
        return await self.seated(row)

    async def to_show(self, match: MatchId) -> LoadedMatch:
        """A match as its board shows it now, with the deadlines of clocks that start with that; or `UnknownMatch`."""
        row, away, struck = await self.store.ask(clock_updates.to_show, match, self.clock())
        if row is None:
            raise unknown(match)
        best = await self.store.ask(Reader.record_alone, row) if row.seats == 1 and row.state == "finished" else None
        seated = replace(await self.seated(row), away=away, best=best, struck=struck)
        if not seated.unmoved:
            return seated
        return replace(seated, in_league=await self.store.ask(Reader.league_of, match) is not None)

    async def seated(self, row: Stored, decided: Match | None = None) -> LoadedMatch:
        """Fold a match that was read; a long record in a thread of its own."""
        if self.folds.is_long(row):
            return await asyncio.to_thread(self.folds, row, decided)
        return self.folds(row, decided)

    async def confirms(self, user: UserId) -> bool:
        """Whether a user wants to confirm a move of the pad before it is played."""
        return (await self.store.ask(Reader.preferences, user)).confirm

    async def challenge(self, act: InteractionId, challenge: Challenge) -> LoadedMatch:
        """Write a new challenge; its bounds are checked first. Its options are settled when it begins."""
        seats = challenge_terms.checked(challenge)
        challenge = challenge_terms.capped(challenge, seats)
        new = challenge_terms.new_match(challenge, seats, self.clock())
        taken = challenge_terms.computers(challenge, new.seats)
        row, away = await self.store.do(challenged, act, new, challenge.guests, taken, self._begun)
        assert row
        return replace(await self._new_match(row), away=away)

    async def rematch(self, act: InteractionId, match: MatchId, user: UserId, level: int | None = None) -> LoadedMatch:
        """Ask for the same match again, with the seats passed on by one; or agree, where another player has asked.
        `level`: of the computers in it."""
        challenge, order = challenge_terms.rematching(await self.load(match), user, level)
        new = replace(challenge_terms.new_match(challenge, len(order), self.clock()), rematch_of=match)
        done, row = await self.store.do(followed, act, match, new, order, self._begun)
        assert row
        after = await self._new_match(row)
        if not done and after.row.state != "open":
            raise Closed(f"The rematch is already there, match {after.id}: {after.link}")
        return after if done else (await self.accept(act, after.id, user)).after

    def _begun(self, row: Stored) -> Change | None:
        """The beginning of a new match whose host and computers have all seats. It is written in the transaction that
        creates the match: a crash between two would leave a match that cannot begin."""
        if row.state != "open" or len(row.players) < row.seats or any(player.invited for player in row.players):
            return None
        seated = LoadedMatch(row, table(self.games[row.game], row.legs), None)
        return self._complete(seated, row.host, Change(begins=row.seats))

    async def _new_match(self, row: Stored) -> LoadedMatch:
        steps.debug("committed %d", row.id)
        self.committed(row.id, row.version)
        if row.thinks is not None:
            self.computes(row.id)
        return await self.seated(row)

    async def accept(
        self, act: InteractionId, match: MatchId, user: UserId, lobby: MessageId | None = None,
        gone: Collection[UserId] = (),
    ) -> Done:  # fmt: skip
        """Accept a challenge, or join an open table, from which users who are `gone` from the server are removed."""
        return await self.act(act, match, user, lambda seated: decisions.accepting(seated, user, lobby, gone))

    async def leave(self, act: InteractionId, match: MatchId, user: UserId) -> Done:
        """Get up from a table."""
        return await self.act(act, match, user, lambda seated: decisions.leaving(seated, user))

    async def decline(self, act: InteractionId, match: MatchId, user: UserId, gone: Collection[UserId] = ()) -> Done:
        """Decline a challenge; it may begin with that if no other user is `gone` from the server."""
        return await self.act(act, match, user, lambda seated: decisions.declining(seated, user, gone))

    async def cancel(self, act: InteractionId, match: MatchId, user: UserId, manager: bool = False) -> Done:
        """Take a challenge back."""
        return await self.act(act, match, user, lambda seated: decisions.cancelling(seated, user, manager))

    async def begin(self, act: InteractionId, match: MatchId, user: UserId, gone: Collection[UserId] = ()) -> Done:
        """Begin with those who have joined and are not `gone` from the server."""
        return await self.act(act, match, user, lambda seated: decisions.beginning(seated, user, gone))

    async def narrow(self, act: InteractionId, match: MatchId, user: UserId, gone: Collection[UserId] = ()) -> Done:
        """Play with those left in a declined challenge, without those `gone` from the server."""
        return await self.act(act, match, user, lambda seated: decisions.narrowing(seated, user, gone))

    async def ask(self, act: InteractionId, match: MatchId, user: UserId, whom: UserId) -> Done:
        """Invite another user to a challenge that has a free seat."""
        now = self.clock()
        return await self.act(act, match, user, lambda seated: decisions.asking(seated, user, whom, now))

    async def move(
        self,
        act: InteractionId,
        match: MatchId,
        user: UserId,
        text: str,
        seen: int | None = None,
        start: LoadedMatch | None = None,
    ) -> Done:
        """Play a move in any form that reading accepts.

        `seen` is how many lines of the record stood on the surface that the player acted on; the move is `Stale` if
        what the player may see has changed since. `start` is the match, if it was just read.
        """
        return await self.act(act, match, user, lambda seated: decisions.moving(seated, user, text, seen), start=start)

    async def resign(self, act: InteractionId, match: MatchId, user: UserId) -> Done:
        """Leave a live match for good."""
        return await self.act(act, match, user, lambda seated: decisions.resigning(seated, user))

    async def abort(self, act: InteractionId, match: MatchId, user: UserId, manager: bool = False) -> Done:
        """Call a live match off, or ask for that."""
        now = self.clock()
        return await self.act(act, match, user, lambda seated: calling_off.aborting(seated, user, manager, now))

    async def play_on(self, act: InteractionId, match: MatchId, user: UserId) -> Done:
        """Withdraw one's own proposal to abort a match."""
        return await self.act(act, match, user, lambda seated: calling_off.playing_on(seated, user))

    async def publish(self, act: InteractionId, match: MatchId, user: UserId) -> Done:
        """Make a finished match that was played alone visible to everybody."""
        return await self.act(act, match, user, lambda seated: decisions.publishing(seated, user))

    async def exported(self, user: UserId) -> Mapping[str, Any]:
        """All data that is kept about a user, as it can be written as JSON."""
        return await self.store.ask(Reader.exported, user)

    async def forget(self, act: InteractionId, user: UserId, entries: Sequence[Entry] = ()) -> None:
        """Forget a user: they leave live and open matches, and then their id is removed from every table. The `entries`
        written beside the database are marked as followed in the same transaction."""
        for row in await self.store.ask(Reader.current, user):
            try:
                await self.act(act, row.id, user, lambda seated: decisions.forgetting(seated, user), again=True)
            except (MoveError, Refusal):
                # Who has done with a secret match stays in it without a name. Other matches have just ended.
                with contextlib.suppress(MoveError, Refusal):
                    silent = partial(proposal_endings.silenced, user=user, now=self.clock())
                    await self.act(act, row.id, user, silent, again=True)
        await self.store.unhurried.do(Transaction.forget, user, entries)

    async def act(
        self,
        act: InteractionId,
        match: MatchId,
        user: UserId,
        decide: Decision,
        again: bool = False,
        start: LoadedMatch | None = None,
    ) -> Done:
        """Carry out a decision, and try again while others are faster. `again`: a second step of the same interaction.

        `start` saves a read. If the match has changed since, that is noticed when the act is written, and before it is
        refused. Acts on one match wait for each other here, so only another process can be faster, and no act runs
        out of tries however many people act at once.
        """
        turn = self._turns.setdefault(match, asyncio.Lock())
        start = None if turn.locked() else start
        async with turn:
            return await self._raced(act, start or await self.load(match), user, decide, again)

    async def _raced(
        self, act: InteractionId, seated: LoadedMatch, user: UserId, decide: Decision, again: bool
    ) -> Done:
        match = seated.id
        for _ in range(TRIES):
            refusal = await self._tried(act, seated, user, decide, again)
            if isinstance(refusal, Done):
                return refusal
            delivered, row = await self.store.ask(looked, act, match)
            if row is None:
                raise unknown(match)
            now = await self.seated(row)
            if delivered and not again:
                return Done(now, now, repeated=True)
            if refusal and now.row.version == seated.row.version:
                raise refusal
            seated = now
        raise Refusal("Others were faster. Nothing was changed; try again.")

    async def _tried(
        self, act: InteractionId, seated: LoadedMatch, user: UserId, decide: Decision, again: bool
    ) -> Done | Exception | None:
        """Decide an act on the match as it was read, and write it. Else the refusal, or None after a lost race."""
        try:
            expect_time(seated, self.clock())
            expect_current(seated)
            # To agree to a takeback folds the whole record again.
            folds = seated.row.proposal is not None and seated.row.plies > QUICKLY
            decided = await asyncio.to_thread(decide, seated) if folds else decide(seated)
            decided = proposal_endings.settled(seated, decided, self.clock())
            change = self._complete(seated, user, exchanges.answered(seated, decided))
        except (MoveError, Refusal) as refusal:
            return refusal
        steps.debug("decided %d", seated.id)
        now, key = self.clock(), None if again else act
        people = [player.user for player in seated.players if is_person(player.user)]
        there = [one for one in people if not self.attendance.rings(seated.place, one, now)]
        try:
            change = await self.store.do(write, key, seated.row, change, now, user == NOBODY, there)
        except LostRace:
            return None
        steps.debug("committed %d", seated.id)
        after = applied(seated.row, change, now)
        if is_computer(user) and after.told_version < after.version:
            for one in people:
                self.attendance.rung(seated.place, one, now)
        self.committed(seated.id, after.version)
        if after.thinks is not None:
            self.computes(seated.id)
        return Done(seated, await self.seated(after, change.match))

    def _complete(self, seated: LoadedMatch, user: UserId, change: Change) -> Change:
        change = present(seated, user, completed(seated, change, self.clock(), self.lots))
        return thinking(seated, mentioning(seated, user, change))


def ignored(_: MatchId, __: int = 0) -> None:
    """The default of the callbacks: does nothing."""


def unknown(match: MatchId) -> UnknownMatch:
    """The refusal where there is no such match."""
    return UnknownMatch(f"There is no match {match} here. /matches lists yours.")
