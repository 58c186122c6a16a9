"""What people do to a match: challenge, join, leave, decline, cancel, move, resign, abort. Store, rules and a clock.

Every act has the same shape. The match is read, a pure function decides what the act changes or refuses it with a
sentence, and one short transaction writes the change, provided that the match still stands as it was read. Where
somebody else was faster the act is decided again on what they left; where the same interaction was delivered twice the
second does nothing. Nothing here knows of Discord: people, servers and channels are numbers.
"""

from __future__ import annotations

import logging
import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from bot.game import BadOptions, Game
from bot.match import Entry, Match
from bot.refusals import (
    Closed,
    NotYours,
    NotYourTurn,
    Stale,
    expect_live,
    expect_open,
    expect_room,
    expect_seat,
    to_move,
)
from bot.table import Folder, Refusal, Table, UnknownMatch
from data.store import MatchRow, NewMatch, Seating, State, Store, Stored

OPEN_FOR = 48 * 3600
"""Seconds until a challenge that nobody answered expires."""
TRIES = 8
"""How often an act is decided anew when others are faster; each lost race is somebody else's act that went through."""


steps = logging.getLogger("graphpaper.steps")
"""The checkpoints of an act: received, decided, written, committed, answered, drawn, posted, closed, noted, shown."""


class LostRace(Exception):
    """Somebody else's act on the match was written first; the act is decided anew."""


@dataclass(frozen=True, slots=True)
class Challenge:
    """What somebody asks for with a challenge: guests are those invited by name, none for an open table."""

    guild: int
    channel: int
    host: int
    game: Game
    options: Mapping[str, object] = field(default_factory=dict[str, object])
    seats: int | None = None
    guests: tuple[int, ...] = ()
    seating: Seating = "lot"
    rated: bool = True


@dataclass(frozen=True, slots=True)
class Change:
    """What an act writes: columns of the match, columns of players, people who come or go, a line of the record."""

    columns: Mapping[str, Any] = field(default_factory=dict[str, Any])
    players: Mapping[int, Mapping[str, Any]] = field(default_factory=dict[int, Mapping[str, Any]])
    join: int | None = None
    leave: int | None = None
    entry: Entry | None = None
    rate: bool = False


@dataclass(frozen=True, slots=True)
class Done:
    """An act that went through: the match before and after it. A repeated delivery changed nothing."""

    before: Table
    after: Table
    repeated: bool = False


Decision = Callable[[Table], Change]


class Umpire:
    """The only way to change a match. `clock` gives epoch seconds, `lots` draws the seats."""

    def __init__(self, store: Store, games: Mapping[str, Game], clock: Callable[[], int], lots: random.Random) -> None:
        self.store = store
        self.games = games
        self.clock = clock
        self.lots = lots
        self.fold = Folder(games)
        self._guilds: dict[int, int] = {}

    async def guild(self, match: int) -> int:
        """The server of a match, which never changes and is asked for at every interaction."""
        if match not in self._guilds:
            self._guilds[match] = (await self.table(match)).row.guild
        return self._guilds[match]

    async def table(self, match: int) -> Table:
        """A match as it stands, or `UnknownMatch`."""
        return self._folded(match, await self.store.load(match))

    def _folded(self, match: int, row: Stored | None) -> Table:
        if row is None:
            raise UnknownMatch(f"There is no match {match} here: /matches lists yours.")
        return self.fold(row)

    async def challenge(self, act: int, wish: Challenge) -> Table:
        """Write a new challenge; its bounds are checked and its seats settled first."""
        options, seats = checked(wish)
        now = self.clock()
        new = NewMatch(
            guild=wish.guild,
            channel=wish.channel,
            game=wish.game.key,
            game_version=wish.game.version,
            options=options,
            seats=seats,
            seating=wish.seating,
            rated=wish.rated and seats > 1,
            host=wish.host,
            created=now,
            expires=now + OPEN_FOR,
        )
        async with self.store.writing() as tx:
            match = await tx.seen(act)
            if match is None:
                match = await tx.create(new)
                for guest in wish.guests:
                    await tx.join(match, guest, invited=True)
                await tx.deliver(act, match, now)
        table = await self.table(match)
        if seats == 1 and table.row.state == "open":
            return (await self._act(act, match, lambda table: self._begun(table, Change()), again=True)).after
        return table

    async def accept(self, act: int, match: int, user: int, lobby: int | None = None) -> Done:
        """An invited person accepts, or anybody joins an open table; the last one needed begins the match.

        `lobby` is the message they did it on, which is noted where the match knows of none.
        """

        def decide(table: Table) -> Change:
            expect_open(table)
            invitation = next((player for player in table.row.players if player.user == user), None)
            if invitation and not invitation.invited:
                raise NotYours("You sit at this table already: now it waits for the others.")
            if invitation is None:
                expect_room(table)
            change = Change(players={user: {"invited": False}}) if invitation else Change(join=user)
            waiting = sum(player.invited for player in table.row.players if player.user != user)
            if table.row.lobby_message is None and lobby is not None:
                change = replace(change, columns={"lobby_message": lobby})
            full = len(table.row.players) + (invitation is None) == table.row.seats
            return self._begun(table, change) if full and not waiting else change

        return await self._act(act, match, decide)

    async def leave(self, act: int, match: int, user: int) -> Done:
        """Somebody who joined an open table gets up again."""

        def decide(table: Table) -> Change:
            expect_open(table)
            if user == table.row.host:
                raise NotYours("You opened this table: cancel it if it is not to be played.")
            if not table.has(user):
                raise NotYours("You do not sit at this table.")
            return Change(leave=user)

        return await self._act(act, match, decide)

    async def decline(self, act: int, match: int, user: int) -> Done:
        """An invited person declines; the challenge is over."""

        def decide(table: Table) -> Change:
            expect_open(table)
            if not any(player.user == user and player.invited for player in table.row.players):
                raise NotYours("Only somebody who was challenged can decline.")
            return self._ended("declined")

        return await self._act(act, match, decide)

    async def cancel(self, act: int, match: int, user: int, manager: bool = False) -> Done:
        """The host takes the challenge back, or somebody who may manage the server does."""

        def decide(table: Table) -> Change:
            expect_open(table)
            if user != table.row.host and not manager:
                raise NotYours(f"Only <@{table.row.host}>, who made this challenge, can cancel it.")
            return self._ended("cancelled")

        return await self._act(act, match, decide)

    async def move(self, act: int, match: int, user: int, text: str, seen: int | None = None) -> Done:
        """Play a move in any form that reading accepts.

        `seen` is how many lines of the record stood on the surface that the player acted on; a move made on a board
        that has changed since, as far as that player may see it, is `Stale`.
        """

        def decide(table: Table) -> Change:
            seat = expect_seat(table, user)
            if seen is not None and seen != table.folded.version_for(seat):
                raise Stale("That board has moved on, and nothing was played: this is how it stands now.", table)
            if seat not in table.turn:
                raise NotYourTurn(f"It is not your turn: {to_move(table)} is to move.")
            return self._played(table, table.folded.play(seat, text))

        return await self._act(act, match, decide)

    async def resign(self, act: int, match: int, user: int) -> Done:
        """Somebody leaves a live match for good, on their turn or not."""

        def decide(table: Table) -> Change:
            return self._played(table, table.folded.withdraw(expect_seat(table, user)))

        return await self._act(act, match, decide)

    async def abort(self, act: int, match: int, user: int, manager: bool = False) -> Done:
        """Call a live match off, unrated: once everybody at the table has asked, or at a manager's word."""

        def decide(table: Table) -> Change:
            if table.has(user):
                expect_seat(table, user)
            elif not manager:
                raise NotYours("You do not play in this match: only its players can call it off, all of them together.")
            expect_live(table)
            if manager or all(player.consent or player.user == user for player in table.row.players):
                return self._ended("aborted")
            return Change(players={user: {"consent": True}})

        return await self._act(act, match, decide)

    async def publish(self, act: int, match: int, user: int) -> Done:
        """Show everybody a finished match that somebody played alone."""

        def decide(table: Table) -> Change:
            if table.row.seats > 1:
                raise Refusal("Everybody may see that match already: only matches played alone are private.")
            if not table.has(user):
                raise NotYours("Only whoever played that match can publish it.")
            if table.row.state != "finished":
                raise Closed("That match is not finished: publish it when it is.")
            return Change({"published": True})

        return await self._act(act, match, decide)

    async def expire(self) -> list[int]:
        """Close the challenges whose time is over; the numbers of those matches."""
        now = self.clock()
        rows = await self.store.expired(now)
        return [row.id for row in rows if await self._close(row, "expired", None)]

    async def close_outdated(self) -> list[int]:
        """Close live matches that this program cannot carry on, unrated, with a sentence."""
        closed: list[int] = []
        for row in await self.store.live_matches():
            if (reason := outdated(row, self.games)) and await self._close(row, "aborted", reason):
                closed.append(row.id)
        return closed

    async def _close(self, row: MatchRow, state: State, closing: str | None) -> bool:
        async with self.store.writing() as tx:
            columns = self._ended(state).columns
            return await tx.update(row.id, row.version, **columns, closing=closing, rated=False)

    async def _act(self, act: int, match: int, decide: Decision, again: bool = False) -> Done:
        """Decide and write, until nobody else is faster. `again`: a second step of an interaction already delivered."""
        for _ in range(TRIES):
            async with self.store.reading() as reader:
                seen = None if again else await reader.seen(act)
                table = self._folded(match, await reader.load(match))
            if seen is not None:
                return Done(table, table, repeated=True)
            change = decide(table)
            steps.debug("decided %d", match)
            try:
                await self._write(act, table, change, again)
            except LostRace:
                continue
            steps.debug("committed %d", match)
            return Done(table, await self.table(match))
        raise Refusal("Others were faster every time: nothing was changed, try again.")

    async def _write(self, act: int, table: Table, change: Change, again: bool) -> None:
        now = self.clock()
        async with self.store.writing() as tx:
            if not await tx.update(table.id, table.row.version, **change.columns):
                raise LostRace
            if not again:
                await tx.deliver(act, table.id, now)
            if change.join is not None:
                await tx.join(table.id, change.join)
            if change.leave is not None:
                await tx.leave(table.id, change.leave)
            for user, columns in change.players.items():
                await tx.seat(table.id, user, **columns)
            if change.entry:
                await tx.append(table.id, table.row.plies + 1, change.entry.seat, change.entry.text, now)
            if change.rate:
                await tx.rate(table.id)
            steps.debug("written %d", table.id)

    def _begun(self, table: Table, change: Change) -> Change:
        """The change with which the last person to come begins the match."""
        users = [player.user for player in sorted(table.row.players, key=lambda player: player.joined)]
        users += [change.join] if change.join is not None else []
        if table.row.seating == "lot":
            self.lots.shuffle(users)
        elif table.row.seating == "guest":
            users = users[1:] + users[:1]
        match = Match.start(table.game, table.row.options, table.row.seats)
        players: dict[int, Mapping[str, Any]] = {
            user: {**change.players.get(user, {}), "seat": seat} for seat, user in enumerate(users, 1)
        }
        columns = {**change.columns, "state": "live", "started": self.clock(), "turn": match.turn}
        return Change(columns, players, join=change.join)

    def _played(self, table: Table, match: Match) -> Change:
        """The change that one more line of the record makes."""
        columns: dict[str, Any] = {"plies": len(match.record), "turn": match.turn}
        if not match.finished:
            return Change(columns, entry=match.record[-1])
        ranks, scores = match.position.ranks(), match.position.scores()
        assert ranks is not None
        players = {
            table.user_at(seat): {"rank": rank, "score": score}
            for seat, (rank, score) in enumerate(zip(ranks, scores, strict=True), 1)
        }
        columns |= {"state": "finished", "ended": self.clock()}
        return Change(columns, players, entry=match.record[-1], rate=True)

    def _ended(self, state: State) -> Change:
        return Change({"state": state, "ended": self.clock(), "turn": ()})


def checked(wish: Challenge) -> tuple[dict[str, int | str], int]:
    """The settled options and the number of seats of a challenge, or a sentence about what is wrong with it."""
    if wish.host in wish.guests:
        raise Refusal("You cannot challenge yourself: name somebody else, or nobody for an open table.")
    if len(set(wish.guests)) != len(wish.guests):
        raise Refusal("Somebody is named twice: name each opponent once.")
    fewest = wish.game.seats[0]
    seats = wish.seats or max(len(wish.guests) + 1, fewest, 2 if 2 in wish.game.seats else fewest)
    if wish.guests and seats != len(wish.guests) + 1:
        raise Refusal(f"That names {len(wish.guests) + 1} players for {seats} seats: name as many as there are seats.")
    try:
        return wish.game.configure(wish.options, seats).record(), seats
    except BadOptions as refusal:
        raise Refusal(str(refusal)) from None


def outdated(row: MatchRow, games: Mapping[str, Game]) -> str | None:
    """Why this program cannot carry a live match on; None when it can."""
    game = games.get(row.game)
    if game is None:
        return f"This match was closed, unrated: the game {row.game} is not part of this bot any more."
    if game.version != row.game_version:
        return f"This match was closed, unrated: the rules of {game.title} were corrected while it was being played."
    return None
