"""People who play without a pause: they challenge, accept and move, by command, pad and form, and note the answers.

Each has two hands, which act at the same time like two open tabs. An act that the bot's death cuts short is forgotten,
and what the board then shows is played on. A form that was opened before a death is sent off after it. At some tables
two play in turn, at others all four move at once and in secret (`secrets`).
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence
from typing import Any

from bot.features.challenges import onboarding
from bot.sandbox import people
from bot.sandbox.people import BotReply, MessageGone, Person
from tests.world import visible_matches
from tests.world.pad_moves import TOO_FAST
from tests.world.passing_time import PACES
from tests.world.player_acts import AT_ONCE, BREATH, CHALLENGED, FOREVER, Doing, Told
from tests.world.visible_matches import Board, Lobby

NAMES = ("Ann", "Bea", "Cem", "Dora")
HANDS = 2
IDLE = 0.03
"""Seconds until a player who had nothing to do looks again."""
SIZES = (3, 3, 3, 5, 5)
SECRET = ("sums-grid", "sums-grid", "within-the-curve")
CURVE, FIRST, INSIDE = "a1 c1 c3 a3", "a1", "b2"
"""Everybody's curve at such a table; where it begins, and the one square inside it."""
STEPS = tuple((kind, curve) for curve in "1234" for kind in ("number", "fill"))
"""What has to be done to all the curves before one's own match can be ended."""
JUDGING = 0.2
"""How often a player decides what is to become of who ran out of time, rather than play."""
PADS = 0.5
"""How many of the curves are drawn, numbered and filled by pads."""
SECRETS = 0.25
"""How many of the tables are for four who move at once."""
ALONE = 0.15
"""How many of the others are against the computer, if there are not enough of those."""
LEVELS = (1, 2, 3)
FOUND = 0.1
"""How often a player goes on with a pad that was left lying, rather than with what the boards show."""
UNFINISHED = re.compile(r"[Cc]urve (\d)(?: isn't numbered|, )")
"""What a player reads who says too early that they are done."""


class Hand(Doing):
    """One hand of a person; `paces` are those at which they play, `idle` the seconds until they look again who had
    nothing to do."""

    paces: Sequence[str] = PACES
    idle = IDLE

    async def play(self) -> None:
        """Act until the harness closes."""
        while not self.harness.closing:
            await self.harness.sandbox.wait_for(lambda world: self.harness.online, FOREVER)
            if not await self.acted():
                await asyncio.sleep(BREATH if self.harness.resting else self.idle)

    async def acted(self) -> bool:
        """Do one thing, if there is one to do; what is gone while it is read, with its thread, is let be."""
        try:
            return await self.act()
        except MessageGone:
            return False

    async def act(self) -> bool:
        """Do one thing, if there is one to do."""
        if self.pads.left and self.rng.random() < FOUND:
            pad, reply = await self.pads.resume()
            self.counts(pad.match, reply, by_pad=True)
            return True
        boards, challenges = self.harness.live_boards(), list(self.harness.seen.lobbies.values())
        mine = [one for one in boards if self.me.id in one.movers]
        asked = [one for one in challenges if self.me.id in one.guests or one.unknown]
        late = [one for one in boards if self.me.id not in one.movers and one.late]
        if late and self.rng.random() < JUDGING:
            await self.record_try(self.rng.choice(late))
            return True
        things: list[Lobby | Board] = [one for one in (*asked, *mine) if self._busy(one) not in self.harness.busy]
        if things:
            await self._take(self.rng.choice(things))
            return True
        free = (
            self.harness.room_alone()
            if self.harness.only_alone
            else self.harness.tables - len(boards) - len(challenges)
        )
        if self.harness.may_begin() and free > 0 and self.rng.random() < 0.2:
            self.harness.attempts += 1
            await self.challenge()
            return True
        return False

    def _busy(self, thing: Lobby | Board) -> tuple[str, str]:
        """Who is busy with what: one hand of each person at a time."""
        return thing.message["id"], self.me.id

    async def _take(self, thing: Lobby | Board) -> None:
        self.harness.busy.add(self._busy(thing))
        try:
            if isinstance(thing, Lobby):
                await self._accept(thing)
            else:
                await self.move(thing)
        finally:
            self.harness.busy.discard(self._busy(thing))

    async def challenge(self) -> None:
        """Challenge a player, or several, or the computer."""
        others = [self.harness.person(name) for name in NAMES if name != self.name]
        if self.harness.room_alone() > 0 and (self.harness.only_alone or self.rng.random() < ALONE):
            await self._play_alone()
            return
        if self.rng.random() >= SECRETS:
            opponent, size, pace = self.rng.choice(others), self.rng.choice(SIZES), self.rng.choice(self.paces)
            act = self.me.command(
                "binary-primes challenge", visible_matches.CHANNEL, opponent=opponent, size=size, pace=pace, legs=1
            )
            reply = await self.attempt(act)
        elif self.rng.random() < 0.5:
            reply = await self._by_start(self.rng.choice(SECRET), others)
        else:
            named = dict(zip(("opponent", "opponent2", "opponent3"), others, strict=True))
            reply = await self.attempt(
                self.me.command(f"{self.rng.choice(SECRET)} challenge", visible_matches.CHANNEL, **named)
            )
        self.challenged(reply)

    def challenged(self, reply: BotReply | None) -> None:
        """Note what a player was told to have asked for."""
        found = CHALLENGED.search(reply.text) if reply and reply.kind in ("message", "update") else None
        if found:
            self.told(int(found[1]), "challenge")

    async def _play_alone(self) -> None:
        """Challenge the computer, which sits down at once."""
        level, size = self.rng.choice(LEVELS), self.rng.choice(SIZES)
        act = self.me.command("binary-primes challenge", visible_matches.CHANNEL, level=level, size=size, legs=1)
        self.harness.asking += 1
        reply = await self.attempt(act)
        self.harness.asking -= 1
        if reply and (found := CHALLENGED.search(reply.text)):
            self.harness.alone.add(int(found[1]))
            self.told(int(found[1]), "challenge")

    async def _by_start(self, game: str, people: list[Person]) -> BotReply | None:
        """From /play alone by the card of a game; the bot may die at every step, and the next one goes on with it."""
        asked = await self.attempt(self.me.command("play", visible_matches.CHANNEL))
        listed = asked and await self.attempt(self.me.press(asked, onboarding.ALL_GAMES))
        card = listed and await self.attempt(self.me.press(listed, onboarding.WHICH, [game]))
        return card and await self.attempt(self.me.press(card, f"p:challenge:{game}", people), again=True)

    async def _accept(self, lobby: Lobby) -> None:
        reply = await self.attempt(self.me.press(lobby.message, "Accept"))
        if reply and reply.kind == "update":
            self.told(lobby.match, "accept")

    async def record_try(self, board: Board) -> None:
        """Claim the match against a player who ran out of time, or give them more; others are refused."""
        starts = self.rng.choice(("Claim", "Give"))
        label = next((label for label in visible_matches.labels(board.message) if label.startswith(starts)), None)
        reply = await self.attempt(self.me.press(board.message, label), again=True) if label else None
        if reply and starts == "Claim" and reply.message_id and "Claim" in visible_matches.labels(reply.message):
            reply = await self.attempt(self.me.press(reply, "Claim"), again=True)
            # Of a player who has left the board says no name, and they need not be to move.
            is_gone = "left this server" in people.text_of(board.message)
            if reply and "You claimed the match" in reply.text and len(board.movers) == 1 and not is_gone:
                self.harness.told.add(Told(board.match, board.movers[0], "timeout"))

    async def move(self, board: Board) -> None:
        """Make a move, or a part of one."""
        await (self._in_turn(board) if board.stage.isdigit() else self._move_secretly(board))

    # --- in turn

    async def _in_turn(self, board: Board) -> None:
        way = self.rng.choice((self._by_command, self._by_form, self._by_pad, self._by_pad))
        wanted = self.expected(board)
        if wanted and way == self._by_pad:
            await self.put_together(board, "Move", self.rng.choice(wanted))
        else:
            await way(board, self.rng.choice(wanted or board.empty))

    def expected(self, board: Board) -> list[str]:
        """The squares that are expected of them, if they are to play one of these."""
        return []

    async def _by_pad(self, board: Board, _: str) -> None:
        await self.put_together(board, "Move")

    async def _by_command(self, board: Board, square: str) -> None:
        # Interaction ids are unknown here, so what is tried is known by its square, which can be filled only once.
        self.harness.tried.add(Told(board.match, self.me.id, square))
        typed = self.rng.choice((square, square.upper(), f"{square[0]} {square[1:]}"))
        if mailbox := self.mailbox():
            act = self.me.command("move", mailbox, match=board.match, line=typed)
        else:
            act = self.me.command("binary-primes move", board.message["channel_id"], match=board.match, square=typed)
        self.counts(board.match, await self.attempt(act, again=True))

    async def _by_form(self, board: Board, square: str) -> None:
        opened = await self.form(board, "Move", self.rng.choice((0, 0, 1)))
        if opened is not None:
            self.harness.tried.add(Told(board.match, self.me.id, square))
            values = {"Square": square}
            self.counts(board.match, await self.attempt(self.me.submit(opened, values), again=True))

    # --- at once, and in secret

    async def _move_secretly(self, board: Board) -> None:
        """Sums Grid: a grid now and then, and an end; Within The Curve: a curve, numbers on and in all, and an end."""
        if board.stage == "drawing":
            await self._draw(board)
        elif "submit" in board.verbs:
            await (self._submit(board) if self.rng.random() < 0.4 else self._done(board))
        elif left := [step for step in STEPS if self._step(board, *step) not in self.harness.steps]:
            await self._fill(board, *left[0])
        else:
            await self._done(board)

    async def _draw(self, board: Board) -> None:
        if self.rng.random() < PADS:
            self.harness.tried.add(Told(board.match, self.me.id, f"curve {CURVE}"))
            asked = await self.put_together(board, "Draw curve", *CURVE.split())
        else:
            asked = await self._secretly(board, "curve", f"curve {CURVE}", corners=CURVE)
        await self.sure(board, asked, "Draw curve")

    async def _submit(self, board: Board) -> None:
        numbers = [str(10 * place + self.rng.randint(1, 9)) for place in range(1, 10)]
        grid = " / ".join(" ".join(numbers[at : at + 3]) for at in (0, 3, 6))
        self.harness.tried.add(Told(board.match, self.me.id, f"grid {grid}"))
        way = self.rng.random()
        if way < 0.4:
            self.counts(board.match, await self._secretly(board, "submit", f"grid {grid}", grid=grid))
        elif way < 0.6 and self.name != AT_ONCE:
            await self.put_together(board, "Make a grid", *numbers)
        elif opened := await self.form(board, "Make a grid", self.rng.choice((0, 2, 5))):
            self.counts(board.match, await self.attempt(self.me.submit(opened, {"Grid": grid}), again=True))

    def _step(self, board: Board, kind: str, curve: str) -> Told:
        return Told(board.match, self.me.id, f"{kind} {curve}")

    async def _fill(self, board: Board, kind: str, curve: str) -> None:
        """Number a curve, or fill it; who is refused has done so already."""
        wanted = (curve, FIRST, "cw") if kind == "number" else (curve, INSIDE)
        if self.rng.random() < PADS and (kind == "fill" or self.name != AT_ONCE):
            # Where a curve is chosen, the one square in it goes without saying.
            may = (f"fill {one} {INSIDE}" for one in "1234") if kind == "fill" else [f"number {' '.join(wanted)}"]
            self.harness.tried |= {Told(board.match, self.me.id, move) for move in may}
            reply = await self.put_together(board, kind.capitalize(), *wanted)
        else:
            values = {"square": FIRST, "direction": "cw"} if kind == "number" else {"squares": INSIDE}
            reply = await self._secretly(board, kind, f"{kind} {' '.join(wanted)}", curve=curve, **values)
            self.counts(board.match, reply)
        if reply and not reply.text.startswith(TOO_FAST):
            self.harness.steps.add(self._step(board, kind, curve))

    async def _done(self, board: Board) -> None:
        place = board.message["channel_id"]
        question = await self.attempt(self.me.command("move", place, match=board.match, line="done"))
        if question and (missing := UNFINISHED.search(question.text)):
            self.harness.steps -= {self._step(board, kind, missing[1]) for kind in ("number", "fill")}
        self.harness.tried.add(Told(board.match, self.me.id, "done"))
        await self.sure(board, question, "End my match")

    async def _secretly(self, board: Board, kind: str, text: str, **values: Any) -> BotReply | None:
        self.harness.tried.add(Told(board.match, self.me.id, text))
        game = "sums-grid" if kind == "submit" else "within-the-curve"
        place = board.message["channel_id"]
        return await self.attempt(self.me.command(f"{game} {kind}", place, match=board.match, **values), again=True)
