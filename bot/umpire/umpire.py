"""The umpire, through which users change matches; and the users present at a board."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, NamedTuple
from weakref import WeakValueDictionary

from bot.games.game import Game
from bot.games.legs import get_game_for_legs
from bot.games.mind import RandomSource
from bot.games.position import MoveError
from bot.play import acts, challenges, premoves, proposals
from bot.play.acts import NOBODY, NotPossibleNow, Outcome, expect_current, expect_time
from bot.play.challenges import ChallengeTerms
from bot.play.ids import ChannelId, GuildId, InteractionId, MatchId, UserId, is_computer, is_person
from bot.play.loaded_match import QUICKLY, FoldCache, LoadedMatch, Refusal, UnknownMatch
from bot.play.match import Match
from bot.play.rows import MatchRecordRow, Origin
from bot.umpire import clocks
from bot.umpire.transactions import (
    LostRace,
    complete_outcome,
    create_challenge,
    create_rematch,
    read_match,
    write_outcome,
)
from data.store import ForgottenEntry, Reader, Store, Transaction

# Presence: the users who pressed or typed something in a board's channel lately.


STAYS = 300
"""Seconds after a press for which a user counts as present."""
REMEMBERED = 10_000
"""The most pairs of a channel and a user that are remembered."""


class ChannelVisit(NamedTuple):
    """When a user was last seen in a channel, and whether an answer has notified them since."""

    at: int
    rung: bool = False


class Attendance:
    """The last visits of users in channels, in memory: the oldest are dropped first."""

    def __init__(self) -> None:
        self._visits: OrderedDict[tuple[ChannelId, UserId], ChannelVisit] = OrderedDict()

    def note_visit(self, place: ChannelId, user: UserId, now: int) -> None:
        """Note that a user has done something in a channel."""
        self._keep_visit(place, user, ChannelVisit(now))

    def note_notified(self, place: ChannelId, user: UserId, now: int) -> None:
        """Note that an answer has notified a user."""
        self._keep_visit(place, user, ChannelVisit(self._visits.get((place, user), ChannelVisit(now)).at, rung=True))

    def should_notify(self, place: ChannelId, user: UserId, now: int) -> bool:
        """Whether an answer is to notify a user: they have left, and none has notified them since."""
        visit = self._visits.get((place, user))
        return visit is None or not (visit.rung or 0 <= now - visit.at <= STAYS)

    def _keep_visit(self, place: ChannelId, user: UserId, visit: ChannelVisit) -> None:
        self._visits[place, user] = visit
        self._visits.move_to_end((place, user))
        if len(self._visits) > REMEMBERED:
            self._visits.popitem(last=False)


# The umpire. It uses the store, the rules, a clock and a random source, not Discord.


ORIGINS = 10_000
"""The most matches whose server and creation time are cached."""
TRIES = 8
"""How often an act is tried after lost races. Each lost race means that another act was written."""

steps = logging.getLogger("graphpaper.steps")
"""The logger of an act's steps: received, decided, written, committed, answered, drawn, posted, closed, noted,
shown."""


@dataclass(frozen=True, slots=True)
class ActResult:
    """A successful act: the match before and after it. A repeated delivery changed nothing."""

    before: LoadedMatch
    after: LoadedMatch
    repeated: bool = False


Decision = Callable[[LoadedMatch, UserId], Outcome]
"""What a user's act makes of a match; or a refusal."""


class Umpire:
    """Carries out users' acts. `clock` returns epoch seconds, `rng` draws the seats."""

    def __init__(self, store: Store, games: Mapping[str, Game], clock: Callable[[], int], rng: RandomSource) -> None:
        self.store = store
        self.games = games
        self.clock = clock
        self.rng = rng
        self.folds = FoldCache(games)
        self.attendance = Attendance()
        self.computes: Callable[[MatchId], object] = ignore_match
        """Called with the match after every act after which a computer is to move."""
        self.committed: Callable[[MatchId, int], object] = ignore_match
        """Called after every act with its match and the new version."""
        self._origins: OrderedDict[MatchId, Origin] = OrderedDict()
        self._turns: WeakValueDictionary[MatchId, asyncio.Lock] = WeakValueDictionary()

    async def read_origin(self, match: MatchId) -> Origin:
        """The server and the creation time of a match; cached, as every interaction needs them."""
        if match not in self._origins:
            origin = await self.store.ask(Reader.load_origin, match)
            if origin is None:
                raise make_unknown_refusal(match)
            self._origins[match] = origin
            if len(self._origins) > ORIGINS:
                self._origins.popitem(last=False)
        self._origins.move_to_end(match)
        return self._origins[match]

    async def find_guild(self, match: MatchId) -> GuildId:
        return (await self.read_origin(match)).guild

    async def load(self, match: MatchId) -> LoadedMatch:
        """The current match; raises `UnknownMatch`."""
        row = await self.store.ask(Reader.load_match, match)
        if row is None:
            raise make_unknown_refusal(match)
        return await self.fold_row(row)

    async def load_to_show(self, match: MatchId) -> LoadedMatch:
        """The match for its board, with the deadlines as the clocks start when it is shown; raises `UnknownMatch`."""
        row, away, league, practised = await self.store.ask(clocks.load_to_show, match, self.clock())
        if row is None:
            raise make_unknown_refusal(match)
        best = await self.store.ask(Reader.record_alone, row) if row.seats == 1 and row.state == "finished" else None
        return replace(await self.fold_row(row), away=away, best=best, league=league, practised=practised)

    async def add_league(self, loaded: LoadedMatch) -> LoadedMatch:
        """The match with whether its league counts it, which boards say."""
        if loaded.row.round is None:
            return loaded
        return replace(loaded, league=await self.store.ask(clocks.find_league_standing, loaded.row))

    async def fold_row(self, row: MatchRecordRow, decided: Match | None = None) -> LoadedMatch:
        """Fold a stored match; a long record on a thread."""
        if self.folds.is_long(row):
            return await asyncio.to_thread(self.folds, row, decided)
        return self.folds(row, decided)

    async def wants_confirmation(self, user: UserId) -> bool:
        """Whether a user wants to confirm a move of the pad before it is played."""
        return (await self.store.ask(Reader.load_preferences, user)).confirm

    async def challenge(self, act: InteractionId, challenge: ChallengeTerms) -> LoadedMatch:
        """Check and write a new challenge. Its options are settled when it begins."""
        seats = challenges.check_terms(challenge)
        challenge = challenges.cap_level(challenge, seats)
        new = challenges.make_new_match(challenge, seats, self.clock())
        taken = challenges.choose_computers(challenge, new.seats)
        row, away = await self.store.do(create_challenge, act, new, challenge.guests, taken, self._begin_new_match)
        assert row
        return replace(await self._fold_new_match(row), away=away)

    async def rematch(self, act: InteractionId, match: MatchId, user: UserId, level: int | None = None) -> LoadedMatch:
        """Propose the same match again, with the seats rotated by one; or agree if another player has proposed that.
        `level`: of its computers."""
        challenge, order = challenges.make_rematch(await self.load(match), user, level)
        new = replace(challenges.make_new_match(challenge, len(order), self.clock()), rematch_of=match)
        done, row = await self.store.do(create_rematch, act, match, new, order, self._begin_new_match)
        assert row
        after = await self._fold_new_match(row)
        if not done and after.row.state != "open":
            raise NotPossibleNow(f"The rematch is already there, match {after.id}: {after.link}")
        if done:
            return after
        return (await self.act(act, after.id, user, acts.accept)).after

    def _begin_new_match(self, row: MatchRecordRow) -> Outcome | None:
        """The beginning of a new match whose host and computers have all seats. It is written in the transaction
        that creates the match: a crash between two transactions would leave a match that cannot begin."""
        if row.state != "open" or len(row.players) < row.seats or any(player.invited for player in row.players):
            return None
        loaded = LoadedMatch(row, get_game_for_legs(self.games[row.game], row.legs), None)
        return complete_outcome(loaded, row.host, acts.begin_match(row), self.clock(), self.rng)

    async def _fold_new_match(self, row: MatchRecordRow) -> LoadedMatch:
        steps.debug("committed %d", row.id)
        self.committed(row.id, row.version)
        if row.thinks is not None:
            self.computes(row.id)
        return await self.fold_row(row)

    async def move(
        self,
        act: InteractionId,
        match: MatchId,
        user: UserId,
        text: str,
        seen: int | None = None,
        start: LoadedMatch | None = None,
    ) -> ActResult:
        """Play a typed move.

        `seen` is how many lines of the record the surface showed that the player acted on; `StaleBoard` if the player's
        view has changed since. `start` is the match, if it was just read.
        """
        return await self.act(act, match, user, partial(acts.play_move, text=text, seen=seen), start=start)

    async def export_user(self, user: UserId) -> Mapping[str, Any]:
        """All data stored about a user, as JSON values."""
        return await self.store.ask(Reader.export_person, user)

    async def forget_user(self, act: InteractionId, user: UserId, entries: Sequence[ForgottenEntry] = ()) -> None:
        """Delete a user's data: they leave live and open matches, and their id is removed from every table. The
        `entries` of the file beside the database are marked as done in the same transaction."""
        for row in await self.store.ask(Reader.find_current_matches, user):
            try:
                await self.act(act, row.id, user, acts.leave_forgotten, again=True)
            except (MoveError, Refusal):
                # A player who has finished a secret match stays in it under an alias. Other matches have just ended.
                with contextlib.suppress(MoveError, Refusal):
                    silent = partial(proposals.end_say, now=self.clock())
                    await self.act(act, row.id, user, silent, again=True)
        await self.store.for_long_work.do(Transaction.forget_person, user, entries)

    async def act(
        self,
        act: InteractionId,
        match: MatchId,
        user: UserId,
        decide: Decision,
        again: bool = False,
        start: LoadedMatch | None = None,
    ) -> ActResult:
        """Carry out a decision; after a lost race it is decided again. `again`: a second step of the same interaction.

        `start` saves a read. If the match has changed since, that is noticed when the act is written, or before it is
        refused. Acts on one match are serialised here, so only another process can win a race, and concurrent users do
        not exhaust the tries.
        """
        turn = self._turns.setdefault(match, asyncio.Lock())
        start = None if turn.locked() else start
        async with turn:
            return await self._retry_act(act, start or await self.load(match), user, decide, again)

    async def _retry_act(
        self, act: InteractionId, loaded: LoadedMatch, user: UserId, decide: Decision, again: bool
    ) -> ActResult:
        match = loaded.id
        for _ in range(TRIES):
            refusal = await self._try_act(act, loaded, user, decide, again)
            if isinstance(refusal, ActResult):
                return refusal
            delivered, row = await self.store.ask(read_match, act, match)
            if row is None:
                raise make_unknown_refusal(match)
            now = await self.fold_row(row)
            if delivered and not again:
                return ActResult(now, now, repeated=True)
            if refusal and now.row.version == loaded.row.version:
                raise refusal
            loaded = now
        raise Refusal("Others were faster. Nothing was changed; try again.")

    async def _try_act(
        self, act: InteractionId, loaded: LoadedMatch, user: UserId, decide: Decision, again: bool
    ) -> ActResult | Exception | None:
        """Decide an act on the match as it was read, and write it. Returns the refusal if refused, None after a lost
        race."""
        try:
            expect_time(loaded, self.clock())
            expect_current(loaded)
            # Agreeing to a takeback folds the whole record again.
            folds = loaded.row.proposal is not None and loaded.row.plies > QUICKLY
            decided = await asyncio.to_thread(decide, loaded, user) if folds else decide(loaded, user)
            decided = proposals.settle_proposal(loaded, decided, self.clock())
            outcome = premoves.play_premoves(loaded, decided)
            outcome = complete_outcome(loaded, user, outcome, self.clock(), self.rng)
        except (MoveError, Refusal) as refusal:
            return refusal
        steps.debug("decided %d", loaded.id)
        now, key = self.clock(), None if again else act
        people = [player.user for player in loaded.players if is_person(player.user)]
        there = [one for one in people if not self.attendance.should_notify(loaded.play_channel, one, now)]
        try:
            after = await self.store.do(write_outcome, key, loaded.row, outcome, now, user == NOBODY, there)
        except LostRace:
            return None
        steps.debug("committed %d", loaded.id)
        if is_computer(user) and after.told_version < after.version:
            for one in people:
                self.attendance.note_notified(loaded.play_channel, one, now)
        self.committed(loaded.id, after.version)
        if after.thinks is not None:
            self.computes(loaded.id)
        return ActResult(loaded, await self.fold_row(after, outcome.match))


def ignore_match(_: MatchId, __: int = 0) -> None:
    """The default of the callbacks: does nothing."""


def make_unknown_refusal(match: MatchId) -> UnknownMatch:
    """The refusal about a match that does not exist."""
    return UnknownMatch(f"There is no match {match} here. /matches lists yours.")
