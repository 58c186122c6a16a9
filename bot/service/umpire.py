"""The umpire: the only way to change a match. Store, decisions, a clock and lots; nothing here knows of Discord.

Every act has the same shape. The match is read, a pure function decides what the act changes or refuses it with a
sentence, and one short transaction writes the change, provided that the match still stands as it was read. Where
somebody else was faster the act is decided again on what they left; where the same interaction was delivered twice the
second does nothing. People, servers and channels are numbers.
"""

from __future__ import annotations

import asyncio
import logging
import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from bot.core.game import Game, MoveError
from bot.core.match import Match
from bot.core.rows import MatchRow, NewMatch, State, Stored
from bot.service import decisions
from bot.service.decisions import Challenge, Change
from bot.service.refusals import Closed, expect_time
from bot.service.seated import FoldCache, Refusal, Seated, UnknownMatch
from data.store import Reader, Store, Transaction

OPEN_FOR = 48 * 3600
"""Seconds until a challenge that nobody answered expires."""
DELIVERIES_FOR = 3600
"""Seconds for which an interaction is known by its number; Discord's tokens are good for a quarter of an hour."""
TRIES = 8
"""How often an act is decided anew when others are faster; each lost race is somebody else's act that went through."""

steps = logging.getLogger("graphpaper.steps")
"""The checkpoints of an act: received, decided, written, committed, answered, drawn, posted, closed, noted, shown."""


class LostRace(Exception):
    """Somebody else's act on the match was written first; the act is decided anew."""


@dataclass(frozen=True, slots=True)
class Done:
    """An act that went through: the match before and after it. A repeated delivery changed nothing."""

    before: Seated
    after: Seated
    repeated: bool = False


Decision = Callable[[Seated], Change]


class Umpire:
    """Carries out what people do. `clock` gives epoch seconds, `lots` draws the seats."""

    def __init__(self, store: Store, games: Mapping[str, Game], clock: Callable[[], int], lots: random.Random) -> None:
        self.store = store
        self.games = games
        self.clock = clock
        self.lots = lots
        self.folds = FoldCache(games)
        self._tidied = 0
        self._guilds: dict[int, int] = {}

    async def guild(self, match: int) -> int:
        """The server of a match, which never changes and is asked for at every interaction."""
        if match not in self._guilds:
            self._guilds[match] = (await self.load(match)).row.guild
        return self._guilds[match]

    async def load(self, match: int) -> Seated:
        """A match as it stands, or `UnknownMatch`."""
        return await self._folded(match, await self.store.ask(Reader.load, match))

    async def _folded(self, match: int, row: Stored | None) -> Seated:
        if row is None:
            raise UnknownMatch(f"There is no match {match} here: /matches lists yours.")
        return await asyncio.to_thread(self.folds, row) if self.folds.is_long(row) else self.folds(row)

    async def challenge(self, act: int, wish: Challenge) -> Seated:
        """Write a new challenge; its bounds are checked first. Its options are settled when it begins."""
        seats = decisions.checked(wish)
        async with self.store.writing() as tx:
            match = await tx.seen(act)
            if match is None:
                match = await self._opened(tx, act, wish, seats)
        return await self._alone(act, await self.load(match))

    async def rematch(self, act: int, match: int, user: int) -> Seated:
        """Ask for the same match again, with the seats passed on by one; or agree, where somebody has asked."""
        before = await self.load(match)
        wish, order = decisions.rematching(before, user)
        async with self.store.writing() as tx:
            done, following = await tx.seen(act), await tx.rematch(match)
            if following is None:
                done = following = await self._opened(tx, act, wish, len(order), rematch_of=match)
                for joined, player in enumerate(order, 1):
                    await tx.seat(following, player, joined=joined)
        after = await self.load(following)
        if done is None and after.row.state != "open":
            raise Closed(f"That rematch is match {after.id} already: {after.link}")
        return await self._alone(act, after) if done else (await self.accept(act, following, user)).after

    async def _opened(
        self, tx: Transaction, act: int, wish: Challenge, seats: int, rematch_of: int | None = None
    ) -> int:
        """Write an open match with its host and its guests."""
        now = self.clock()
        new = NewMatch(
            guild=wish.guild,
            channel=wish.channel,
            game=wish.game.key,
            game_version=wish.game.version,
            options=wish.options,
            seats=seats,
            seating=wish.seating,
            rated=wish.rated and seats > 1,
            host=wish.host,
            created=now,
            expires=now + OPEN_FOR,
            rematch_of=rematch_of,
        )
        match = await tx.create(new)
        for guest in wish.guests:
            await tx.join(match, guest, invited=True)
        await tx.deliver(act, match, now)
        return match

    async def _alone(self, act: int, seated: Seated) -> Seated:
        """A match of one seat begins as soon as it is written."""
        if seated.row.seats > 1 or seated.row.state != "open":
            return seated
        return (await self._act(act, seated.id, seated.row.host, lambda _: Change(begins=1), again=True)).after

    async def accept(self, act: int, match: int, user: int, lobby: int | None = None) -> Done:
        """Accept a challenge, or sit down at an open table."""
        return await self._act(act, match, user, lambda seated: decisions.accepting(seated, user, lobby))

    async def leave(self, act: int, match: int, user: int) -> Done:
        """Get up from a table."""
        return await self._act(act, match, user, lambda seated: decisions.leaving(seated, user))

    async def decline(self, act: int, match: int, user: int) -> Done:
        """Decline a challenge."""
        return await self._act(act, match, user, lambda seated: decisions.declining(seated, user))

    async def cancel(self, act: int, match: int, user: int, manager: bool = False) -> Done:
        """Take a challenge back."""
        return await self._act(act, match, user, lambda seated: decisions.cancelling(seated, user, manager))

    async def begin(self, act: int, match: int, user: int) -> Done:
        """Begin with those who have sat down."""
        return await self._act(act, match, user, lambda seated: decisions.beginning(seated, user))

    async def move(self, act: int, match: int, user: int, text: str, seen: int | None = None) -> Done:
        """Play a move in any form that reading accepts.

        `seen` is how many lines of the record stood on the surface that the player acted on; a move made on a board
        that has changed since, as far as that player may see it, is `Stale`.
        """
        return await self._act(act, match, user, lambda seated: decisions.moving(seated, user, text, seen))

    async def resign(self, act: int, match: int, user: int) -> Done:
        """Leave a live match for good."""
        return await self._act(act, match, user, lambda seated: decisions.resigning(seated, user))

    async def abort(self, act: int, match: int, user: int, manager: bool = False) -> Done:
        """Call a live match off, or ask for that."""
        return await self._act(act, match, user, lambda seated: decisions.aborting(seated, user, manager))

    async def play_on(self, act: int, match: int, user: int) -> Done:
        """Take back one's wish to call a match off."""
        return await self._act(act, match, user, lambda seated: decisions.playing_on(seated, user))

    async def publish(self, act: int, match: int, user: int) -> Done:
        """Show everybody a finished match that somebody played alone."""
        return await self._act(act, match, user, lambda seated: decisions.publishing(seated, user))

    async def forget(self, act: int, user: int) -> None:
        """Take somebody out of everything: they leave live matches, and open ones, and then every table."""
        for row in await self.store.ask(Reader.current, user):
            try:
                await self._act(act, row.id, user, lambda seated: decisions.forgetting(seated, user), again=True)
            except (MoveError, Refusal):
                # Whoever is done with a secret match stays in it, without a name; others ended at this moment.
                continue
        await self.store.do(Transaction.forget, user)

    async def tidy(self) -> None:
        """Once an hour: drop what is known of interactions so old that Discord delivers none of them again."""
        now = self.clock()
        if now - self._tidied > DELIVERIES_FOR:
            await self.store.do(Transaction.forget_deliveries, now - DELIVERIES_FOR)
            self._tidied = now

    async def expire(self) -> list[int]:
        """Close the challenges whose time is over; the numbers of those matches."""
        now = self.clock()
        rows = await self.store.ask(Reader.expired, now)
        return [row.id for row in rows if await self._close(row, "expired", None)]

    async def close_outdated(self) -> list[int]:
        """Close live matches that this program cannot carry on, unrated, with a sentence."""
        closed: list[int] = []
        for row in await self.store.ask(Reader.live_matches):
            if (reason := outdated(row, self.games)) and await self._close(row, "aborted", reason):
                closed.append(row.id)
        return closed

    async def _close(self, row: MatchRow, state: State, closing: str | None) -> bool:
        async with self.store.writing() as tx:
            closed = await tx.update(row.id, row.version, **self._ending(state), closing=closing, rated=False)
            for player in row.players if closed else ():
                await tx.seat(row.id, player.user, due=row.version + 1)
            return closed

    async def _act(self, act: int, match: int, user: int, decide: Decision, again: bool = False) -> Done:
        """Decide and write, until nobody else is faster. `again`: a second step of an interaction already delivered."""
        for _ in range(TRIES):
            async with self.store.reading() as reader:
                seen = None if again else await reader.seen(act)
                row = await reader.load(match)
            seated = await self._folded(match, row)
            if seen is not None:
                return Done(seated, seated, repeated=True)
            expect_time(seated, self.clock())
            change = self._completed(seated, decide(seated))
            steps.debug("decided %d", match)
            try:
                await self._write(act, seated, knowing(seated, user, change), again)
            except LostRace:
                continue
            steps.debug("committed %d", match)
            return Done(seated, await self.load(match))
        raise Refusal("Others were faster every time: nothing was changed, try again.")

    async def _write(self, act: int, seated: Seated, change: Change, again: bool) -> None:
        now = self.clock()
        async with self.store.writing() as tx:
            if not await tx.update(seated.id, seated.row.version, **change.columns):
                raise LostRace
            if not again:
                await tx.deliver(act, seated.id, now)
            if change.join is not None:
                await tx.join(seated.id, change.join)
            for user in change.leave:
                await tx.leave(seated.id, user)
            for user, columns in change.players.items():
                await tx.seat(seated.id, user, **columns)
            if change.entry:
                await tx.append(seated.id, seated.row.plies + 1, change.entry.seat, change.entry.text, now)
            if change.ends == "finished":
                await tx.rate(seated.id)
            steps.debug("written %d", seated.id)

    def _completed(self, seated: Seated, change: Change) -> Change:
        """A change with what only the umpire knows: the time, and the lots for the seats of a match that begins."""
        if change.ends:
            return replace(change, columns={**change.columns, **self._ending(change.ends)})
        if change.begins is None:
            return change
        options = decisions.configured(seated.game, seated.row.options, change.begins)
        match = Match.start(seated.game, options, change.begins)
        players = {
            user: {**change.players.get(user, {}), "seat": seat}
            for seat, user in enumerate(self._seated(seated, change), 1)
        }
        columns = {"seats": change.begins, "options": options, "state": "live", "started": self.clock()}
        alone = {"rated": False} if change.begins == 1 else {}
        return replace(change, columns={**change.columns, **columns, **alone, "turn": match.turn}, players=players)

    def _seated(self, seated: Seated, change: Change) -> list[int]:
        """Who has a seat in a match that begins, in order of seats."""
        joined = sorted(seated.row.players, key=lambda player: player.joined)
        users = [player.user for player in joined if player.user not in change.leave]
        users += [change.join] if change.join is not None else []
        if seated.row.seating == "lot":
            self.lots.shuffle(users)
        return users[1:] + users[:1] if seated.row.seating == "guest" else users

    def _ending(self, state: State) -> dict[str, Any]:
        return {"state": state, "ended": self.clock(), "turn": (), "rename": state in ("finished", "aborted")}


def knowing(seated: Seated, user: int, change: Change) -> Change:
    """A change that also notes whom the next message is to mention, and that whoever acts knows how the match stood."""
    due = dict.fromkeys(change.tell, seated.row.version + 1)
    if user in seated.untold:
        due[user] = 0
    columns = {other: {**change.players.get(other, {}), "due": version} for other, version in due.items()}
    return replace(change, players={**change.players, **columns})


def outdated(row: MatchRow, games: Mapping[str, Game]) -> str | None:
    """Why this program cannot carry a live match on; None when it can."""
    game = games.get(row.game)
    if game is None:
        return f"This match was closed, unrated: the game {row.game} is not part of this bot any more."
    if game.version != row.game_version:
        return f"This match was closed, unrated: the rules of {game.title} were corrected while it was being played."
    return None
