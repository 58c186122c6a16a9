"""People who play without a pause: they challenge, accept and move, by command and by form, and note what is answered.

Each has two hands, which act at the same time like two open tabs. An act that the bot's death cuts short is forgotten,
and what the board then shows is played on. A form that was opened before a death is sent off after it.
"""

from __future__ import annotations

import asyncio
import random
import re
from collections import Counter
from collections.abc import Coroutine
from dataclasses import dataclass, field
from typing import Any

from bot.sandbox import Person, Refused, Reply, Sandbox, Unanswered
from tests.drill import sights
from tests.drill.sights import Board, Lobby

NAMES = ("Ann", "Bea", "Cem", "Dora")
HANDS = 2
SIZES = (3, 3, 3, 5, 5)
FOREVER, BREATH = 600.0, 1.0
AFTERLIFE = 0.1
"""Seconds in which an answer that was sent before the bot's death still arrives."""
PLAYED = re.compile(r"You played \*\*(\w+)\*\*")
TOO_FAST = "That was a lot at once"
CHALLENGED = re.compile(r"Match (\d+) of")


@dataclass(frozen=True)
class Told:
    """Something a person was told to have happened: `what` is "challenge", "accept" or a square."""

    match: int
    user: str
    what: str


@dataclass
class House:
    """What all hands share: the sandbox, what was told, what is under way, and whether the bot has just died."""

    sandbox: Sandbox
    lots: random.Random
    tables: int
    told: set[Told] = field(default_factory=set[Told])
    tried: set[Told] = field(default_factory=set[Told])
    counts: Counter[str] = field(default_factory=Counter[str])
    busy: set[str] = field(default_factory=set[str])
    over: set[str] = field(default_factory=set[str])
    died: asyncio.Event = field(default_factory=asyncio.Event)
    challenging: bool = True
    closing: bool = False

    def live_boards(self) -> list[Board]:
        """The boards that can be played on; a thread whose match is over is not looked at again."""
        found: list[Board] = []
        for thread in sights.threads(self.sandbox.world):
            if thread not in self.over and (board := sights.latest(self.sandbox.world, thread)):
                if board.over:
                    self.over.add(thread)
                found.append(board)
        return [board for board in found if board.live]


class Hand:
    """One hand of a person."""

    def __init__(self, house: House, name: str) -> None:
        self.house = house
        self.lots = house.lots
        self.me: Person = house.sandbox.person(name)

    async def play(self) -> None:
        """Act until the house closes."""
        while not self.house.closing:
            if not self.house.sandbox.gateway.online or not await self._act():
                await asyncio.sleep(0.03)

    async def _act(self) -> bool:
        """Do one thing, if there is one to do."""
        challenges = list(sights.lobbies(self.house.sandbox.world, 60))
        lobbies = [one for one in challenges if one.guest == self.me.id]
        boards = self.house.live_boards()
        mine = [one for one in boards if one.to_move == self.me.id]
        things: list[Lobby | Board] = [one for one in (*lobbies, *mine) if one.message["id"] not in self.house.busy]
        if things:
            thing = self.lots.choice(things)
            self.house.busy.add(thing.message["id"])
            try:
                await (self._accept(thing) if isinstance(thing, Lobby) else self._move(thing))
            finally:
                self.house.busy.discard(thing.message["id"])
            return True
        if self.house.challenging and len(boards) + len(challenges) < self.house.tables and self.lots.random() < 0.2:
            await self._challenge()
            return True
        return False

    async def _challenge(self) -> None:
        opponent = self.lots.choice([name for name in NAMES if name != self.me.name])
        size = self.lots.choice(SIZES)
        act = self.me.command("binary-primes challenge", sights.CHANNEL, opponent=opponent, size=size)
        reply = await self._attempt(act)
        found = CHALLENGED.match(reply.text) if reply and reply.kind == "message" else None
        if found:
            self._told(int(found[1]), "challenge")

    async def _accept(self, lobby: Lobby) -> None:
        reply = await self._attempt(self.me.press(lobby.message, "Accept"))
        if reply and reply.kind == "update":
            self._told(lobby.match, "accept")

    async def _move(self, board: Board) -> None:
        assert board.match is not None
        square = self.lots.choice(board.empty)
        # Interaction ids are unknown here, so what is tried is known by its square, which can be filled only once.
        self.house.tried.add(Told(board.match, self.me.id, square))
        by_command = self.lots.random() < 0.5
        reply = await (self._by_command(board, square) if by_command else self._by_form(board, square))
        if reply and self._counted(reply):
            self._told(board.match, square)

    def _counted(self, reply: Reply) -> bool:
        """Whether an answer says that the move counts: a line with the move, or the buttons taken off the board."""
        if reply.kind == "update":
            return not reply.ephemeral
        return reply.kind == "message" and PLAYED.match(reply.text) is not None

    async def _by_command(self, board: Board, square: str) -> Reply | None:
        typed = self.lots.choice((square, square.upper(), f"{square[0]} {square[1:]}"))
        thread = board.message["channel_id"]
        return await self._attempt(self.me.command("binary-primes move", thread, square=typed), again=True)

    async def _by_form(self, board: Board, square: str) -> Reply | None:
        opened = await self._attempt(self.me.press(board.message, "Move"))
        if opened is None or opened.kind != "modal":
            return None
        await asyncio.sleep(self.lots.choice((0, 0, 0.1, 0.5)))
        values = {"square:0": square[0], "square:1": square[1:]}
        return await self._attempt(self.me.submit(opened, values), again=True)

    def _told(self, match: int, what: str) -> None:
        self.house.told.add(Told(match, self.me.id, what))

    async def _attempt(self, act: Coroutine[Any, Any, Reply], again: bool = False) -> Reply | None:
        """Do something unless the bot dies meanwhile; None without an answer. `again`: now and then delivered twice."""
        sandbox = self.house.sandbox
        await sandbox.wait_for(lambda world: sandbox.gateway.online, FOREVER)
        if again and self.lots.random() < 0.1:
            sandbox.faults.twice()
        self.house.counts["acts"] += 1
        doing, death = asyncio.ensure_future(act), asyncio.ensure_future(self.house.died.wait())
        await asyncio.wait({doing, death}, return_when=asyncio.FIRST_COMPLETED)
        await asyncio.wait({doing}, timeout=AFTERLIFE)
        death.cancel()
        if not doing.done():
            doing.cancel()
            self.house.counts["cut short"] += 1
            return None
        try:
            return await self._noted(await doing)
        except (Unanswered, Refused) as fault:
            self.house.counts[type(fault).__name__.lower()] += 1
            return None

    async def _noted(self, reply: Reply) -> Reply:
        """Count an answer; who is told to be slower, is."""
        refused = reply.kind == "message" and not (PLAYED.match(reply.text) or CHALLENGED.match(reply.text))
        self.house.counts[sentence(reply.text) if refused else reply.kind] += 1
        if refused and reply.text.startswith(TOO_FAST):
            await asyncio.sleep(BREATH)
        return reply


def sentence(text: str) -> str:
    """The beginning of a refusal, without names; where a board is shown instead, the match has moved on."""
    return "refused: " + ("a fresh board" if text.startswith("###") else re.split(r"[:,.]", text)[0])
