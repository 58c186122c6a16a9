"""What people do with positions and records: they try moves out, try again what cost them most, go through a record
that they bring, and play on from a position of it or of a match that is over.

Whatever begins from there is challenged as ever; what may be prepared on the way is noted as on any pad.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from bot.features.challenges.onboarding import COMPUTER_PLAYS
from bot.sandbox import people
from bot.sandbox.errors import Json
from bot.sandbox.people import BotReply
from tests.world import preparing
from tests.world.people import NAMES
from tests.world.player_acts import Told
from tests.world.visible_matches import CHANNEL, Board

if TYPE_CHECKING:
    from tests.world.habits import HabitualHand


MORE, TRY, READY, REPLAY, REVIEW = "More …", "Try out", "Prepare this", "Replay", "Review"
AGAIN, ON, TABLE, OPPONENT = "Try it again", "Play on from here", "Open a table", "Challenge somebody …"
SIDE, STEPS = "Take the other side", ("Next", "Next", "Next", "Back", "First", "Last", "Try out", "Replay")
KEY = re.compile(r"[ao]:\d+:.*")
"""The keys of a pad on which moves are tried out, or tried again."""
SQUARE = re.compile(r"\b[a-z]\d\b")
COUNTED = (TRY, READY, AGAIN, ON, TABLE, OPPONENT, COMPUTER_PLAYS)
"""What a story says how often it was pressed."""
TAPS = 8
"""Taps on one pad or page, at most."""
PREPARED = 0.2
"""How often a line that was tried out is prepared, where it can be."""
MORE_BEGUN = 2
"""How many more matches may be begun than by challenges."""
STUDIED, MOST = 0.004, 2
"""How often a player studies who has nothing else to do, and how many times in all."""
TITLE = "Binary Primes"
"""The game whose positions are gone on from: it has two seats, and few moves are made in it."""


class StudyLife:
    """A hand that looks at positions."""

    def __init__(self, hand: HabitualHand) -> None:
        self.hand = hand
        self.harness = hand.harness
        self.rng = hand.rng
        self._times = 0

    def thinks(self) -> bool:
        """Whether a player who has nothing to begin studies something now."""
        idle = self.harness.challenging and not self.harness.may_begin()
        return idle and self._times < MOST and self.rng.random() < STUDIED

    async def does_something(self) -> None:
        """Study something."""
        self._times += 1
        await self.rng.choice((self.tries_out, self.tries_again, self.brings, self.plays_on, self.plays_on))()

    async def tries_out(self) -> None:
        """Try moves out in a match that is played, and now and then prepare the line."""
        boards = [one for one in self.harness.live_boards() if one.title == TITLE and not one.in_legs and one.empty]
        if not boards:
            return
        board = self.rng.choice(boards)
        shown = await self._pressed(await self._pressed(board.message, MORE), TRY)
        for _ in range(TAPS):
            if shown is None:
                return
            if READY in _labels(shown) and self.rng.random() < PREPARED:
                # Which of its moves are answers depends on whose turn it is: any of them may be.
                said = {Told(board.match, self.hand.me.id, one) for one in SQUARE.findall(shown.text)}
                self.harness.tried.update(said)
                if ready := await self._pressed(shown, READY):
                    preparing.note(self.hand, board.match, ready)
                    self.harness.counts["lines tried out and prepared"] += 1
                return
            shown = await self._answer_tap(shown)

    async def tries_again(self) -> None:
        """Try again the move of a match that cost most, where its review offers it."""
        if board := self._over(MORE):
            more = await self._pressed(board.message, MORE)
            shown = await self._pressed(more, REVIEW) if more and REVIEW in _labels(more) else None
            for _ in range(TAPS):  # until it is found
                if shown and shown.message_id and shown.is_visible and AGAIN not in _labels(shown):
                    await asyncio.sleep(1)
            shown = await self._pressed(shown, AGAIN)
            for _ in range(TAPS):
                shown = await self._answer_tap(shown) if shown else None

    async def brings(self) -> None:
        """Bring the record of a match that is over, go through it, and now and then play on from it."""
        board = self._over()
        record = await self._make_record(board) if board else None
        if record is None:
            return
        act = self.hand.me.command("match import", CHANNEL, file=record)
        shown = await self.hand.attempt(act, again=True)
        self.harness.counts["records brought"] += bool(shown and shown.message_id)
        await self._goes_through(shown)

    async def plays_on(self) -> None:
        """Go through the replay of a match that is over, and play on from a position of it."""
        if board := self._over(REPLAY):
            await self._goes_through(await self._pressed(board.message, REPLAY))

    async def _make_record(self, board: Board) -> bytes | None:
        act = self.hand.me.command("match record", board.message["channel_id"], match=board.match)
        told = await self.hand.attempt(act)
        files = people.list_media(told.message) if told and told.message_id else []
        return people.bytes_of(self.harness.sandbox.world, files[0]) if files else None

    async def _goes_through(self, shown: BotReply | None) -> None:
        for _ in range(TAPS):
            if shown is None or not shown.message_id:
                return
            if ON in _labels(shown) and self.rng.random() < 0.5:
                await self._begins(await self._pressed(shown, ON))
                return
            steps = [one for one in STEPS if one in _labels(shown)]
            shown = await self._pressed(shown, self.rng.choice(steps)) if steps else await self._answer_tap(shown)

    async def _begins(self, page: BotReply | None) -> None:
        """Begin a match from the page on which opponents are chosen."""
        if page and SIDE in _labels(page) and self.rng.random() < 0.3:
            page = await self._pressed(page, SIDE)
        if page is None or not page.message_id or self.harness.attempts >= self.harness.most + MORE_BEGUN:
            return
        ways = [one for one in (TABLE, OPPONENT, COMPUTER_PLAYS) if one in _labels(page, selects=True)]
        if not ways:
            return
        way = self.rng.choice(ways)
        others = [name for name in NAMES if name != self.hand.name]
        given: Mapping[str, Sequence[object]] = {
            OPPONENT: [self.harness.person(self.rng.choice(others))],
            COMPUTER_PLAYS: ["1"],
        }
        self.harness.attempts += 1
        begun = await self._pressed(page, way, given.get(way))
        self.hand.challenged(begun)
        self.harness.counts["played on"] += bool(begun and "Match" in begun.text)

    # --- helpers

    def _over(self, label: str = "") -> Board | None:
        """A match that is over, whose last board has a button."""
        seen = self.harness.seen.boards.values()
        found = [one for one in seen if one.over and one.title == TITLE and (not label or label in one.labels)]
        return self.rng.choice(found) if found else None

    async def _answer_tap(self, shown: BotReply) -> BotReply | None:
        """Tap a key of a pad, or play what was put together."""
        if not shown.message_id:
            return None
        able = [one for one in people.list_buttons(shown.message) if not one.disabled]
        keys = [one.label for one in able if KEY.fullmatch(one.custom_id or "")]
        return await self._pressed(shown, self.rng.choice(keys)) if keys else None

    async def _pressed(
        self, shown: BotReply | Json | None, label: str, values: Sequence[object] | None = None
    ) -> BotReply | None:
        if shown is None or (isinstance(shown, BotReply) and (not shown.message_id or not shown.is_visible)):
            return None
        if label not in _labels(shown, selects=True):
            return None
        if label in COUNTED:
            self.harness.counts[f"study: {label}"] += 1
        return await self.hand.attempt(self.hand.me.press(shown, label, values), again=True)


def _labels(shown: BotReply | Json, selects: bool = False) -> list[str]:
    """What can be pressed on a message."""
    message = shown.message if isinstance(shown, BotReply) else shown
    return [one.label for one in people.list_buttons(message) if not one.disabled and (selects or not one.options)]
