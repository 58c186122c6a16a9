"""The acts of a hand, and what is noted of each: acts that the bot's death may cut short, pads, forms, questions.

Whatever is told and whatever is tried is kept, to be compared with what is stored.
"""

from __future__ import annotations

import asyncio
import random
import re
from collections import Counter
from collections.abc import Coroutine
from dataclasses import dataclass, field
from typing import Any

from bot.sandbox import people
from bot.sandbox.client_checks import ClientRefusal
from bot.sandbox.errors import Json
from bot.sandbox.interactions import NoAnswerInTime
from bot.sandbox.people import BotReply, Person
from bot.sandbox.stand_in import Sandbox
from bot.sandbox.world import Server
from tests.world import visible_matches
from tests.world.pad_moves import LINE, PLAYED, TOO_FAST, Pad, Pads, played, plays, read_own_move, read_whole
from tests.world.visible_leagues import SeenLeagues
from tests.world.visible_matches import Board, Seen

AT_ONCE = "Dora"
"""Who wants no last step on a pad: the tap that makes a move whole plays it."""
OWN_BOARD = 0.2
"""How many pads are opened on one's own board, and not on the one that all see."""
OUTSIDE = 0.3
"""How many of those boards, and of the moves by command, are asked for in the bot's direct messages."""
FOREVER, BREATH, HESITATION = 86_400.0, 1.0, 0.1
AFTERLIFE = 0.1
"""Seconds in which an answer that was sent before the bot's death still arrives."""
CHALLENGED = re.compile(r"Match (\d+) of")


@dataclass(frozen=True)
class Told:
    """Something a person was told to have happened: `what` is "challenge", "accept" or a move."""

    match: int
    user: str
    what: str


@dataclass
class Harness:
    """What all hands of a server share: what was told, what is under way, and whether the bot has just died."""

    sandbox: Sandbox
    rng: random.Random
    tables: int
    server: Server | None = None
    """Which it is; without one the first."""
    told: set[Told] = field(default_factory=set[Told])
    tried: set[Told] = field(default_factory=set[Told])
    counts: Counter[str] = field(default_factory=Counter[str])
    busy: set[tuple[str, str]] = field(default_factory=set[tuple[str, str]])
    seen: Seen = field(init=False)
    seen_leagues: SeenLeagues = field(default_factory=SeenLeagues)
    leagues: int = 0
    founded: int = 0
    """How many leagues may be opened, and how many a player has tried to."""
    steps: set[Told] = field(default_factory=set[Told])
    asked: Counter[Told] = field(default_factory=Counter[Told])
    """How often a player asked for what may stand in a record more than once, such as a takeback."""
    expected: dict[int, set[str]] = field(default_factory=dict[int, set[str]])
    """The moves that a player has prepared an answer to, by match."""
    ready: dict[tuple[int, str], int] = field(default_factory=dict[tuple[int, str], int])
    """By match and user, the number of lines in the record when the user was told to have moves ready."""
    disputed: set[int] = field(default_factory=set[int])
    """The matches in which a player tried something else than to sit down and to move."""
    stuck: list[str] = field(default_factory=list[str])
    """The selects in which a player could not choose again what was refused."""
    failed_answers: int = 0
    """How many answers of the bot Discord did not take, or not at once."""
    alone: set[int] = field(default_factory=set[int])
    most_alone: int = 2
    """The matches against the computer, and how many of them are played at a time."""
    only_alone: bool = False
    asking: int = 0
    died: asyncio.Event = field(default_factory=asyncio.Event)
    challenging: bool = True
    most: int = 10**6
    """The number of challenges after which nobody makes another."""
    attempts: int = 0
    hasty: bool = False
    """Whether nobody thinks about anything."""
    resting: bool = False
    """Whether everybody sleeps."""
    closing: bool = False

    def __post_init__(self) -> None:
        self.seen = Seen(self.sandbox.world)

    @property
    def online(self) -> bool:
        """Whether the bot can be heard here."""
        return self.sandbox.gateway.serves(self.server or self.sandbox.world.home)

    def person(self, name: str) -> Person:
        """Who goes by a name here."""
        return self.sandbox.person(name, self.server)

    def may_begin(self) -> bool:
        """Whether a player may make another challenge."""
        return self.challenging and self.attempts < self.most

    def live_boards(self) -> list[Board]:
        """The boards that can be played on."""
        return [board for board in self.seen.boards.values() if board.live]

    def room_alone(self) -> int:
        """How many more matches against the computer there may be: those that are not shown yet count too."""
        shown = (self.seen.boards.get(match) for match in self.alone)
        return self.most_alone - sum(board is None or not board.over for board in shown) - self.asking


class Doing:
    """A hand of a person, when it does what it is told."""

    def __init__(self, harness: Harness, name: str) -> None:
        self.harness = harness
        self.rng = harness.rng
        self.name = name
        self.me: Person = harness.person(name)
        self.whims = random.Random(name)
        self.pads = Pads(self, harness.counts)

    async def put_together(self, board: Board, opener: str, *wanted: str) -> BotReply | None:
        """Open a pad from the board or from one's own, and tap until a move is played or something comes between."""
        shown: BotReply | None
        if self.rng.random() < OWN_BOARD:
            place = self.mailbox() or board.message["channel_id"]
            shown = await self.attempt(self.me.command("match board", place, match=board.match))
        else:
            shown = await self.attempt(self.me.press(board.message, opener))
        self.harness.counts["pads"] += 1
        reply = await self.pads.go_on(Pad(board.match, opener, wanted), shown)
        self.counts(board.match, reply, by_pad=True)
        return reply

    def mailbox(self) -> Json | None:
        """The direct messages with the bot, where what is done next is done there."""
        if self.whims.random() >= OUTSIDE:
            return None
        self.harness.counts["from direct messages"] += 1
        return self.me.mailbox

    async def tap(self, match: int, shown: BotReply, label: str) -> BotReply | None:
        """Press a button of a pad; whatever it may play has been tried then."""
        moves, last = set[str](), False

        async def pressed() -> BotReply:
            # A pad may be edited until the moment of the press, where the answer to the tap before came late.
            nonlocal last
            last = plays(shown, label)
            moves.update(played(read_whole(shown), label, last, at_once=self.name == AT_ONCE))
            self.harness.tried |= {Told(match, self.me.id, move) for move in moves}
            return await self.me.press(shown, label)

        answer = await self.attempt(pressed(), again=True)
        # A refusal may come as an edit after an acknowledgement; the pad of a move that counts is taken away.
        if answer and answer.kind == "acknowledged" and last and not answer.is_visible:
            for move in moves:  # one: where nothing is said of it, the board says it
                self.told(match, move)
                self.harness.counts["moves by pad"] += 1
        return answer

    async def form(self, board: Board, opener: str, taps: int) -> BotReply | None:
        """The form behind a pad, on which something may be chosen already; sent off a little later."""
        shown = await self.attempt(self.me.press(board.message, opener))
        shown = await self.pads.go_on(Pad(board.match, opener), shown, taps)
        if shown is None or not shown.message_id or "Type it" not in visible_matches.labels(shown.message):
            return None
        opened = await self.attempt(self.me.press(shown, "Type it"))
        await asyncio.sleep(self.rng.choice((0, 0, 0.1, 0.5)))
        return opened if opened and opened.kind == "modal" else None

    async def sure(self, board: Board, asked: BotReply | None, button: str) -> None:
        """Say yes to a question, if it was one."""
        if asked and asked.message_id and button in [one.label for one in people.list_buttons(asked.message)]:
            await asyncio.sleep(self.rng.choice((0, 0, 0.1)))
            self.counts(board.match, await self.attempt(self.me.press(asked, button), again=True))

    def counts(self, match: int, reply: BotReply | None, by_pad: bool = False) -> None:
        """Note what a player was told to have played."""
        found = PLAYED.search(reply.text) if reply and reply.kind in ("message", "update") else None
        if found:
            move = read_own_move(found[1])
            self.told(match, f"{found[2]}: {move}" if found[2] else move)
            self.harness.counts["moves by pad"] += by_pad

    def told(self, match: int, what: str) -> None:
        """Note that something has happened, as a player was told."""
        self.harness.told.add(Told(match, self.me.id, what))

    def tries(self, match: int, what: str) -> None:
        """Note what a player tries that is no move."""
        one = Told(match, self.me.id, what)
        self.harness.tried.add(one)
        self.harness.asked[one] += 1
        self.harness.disputed.add(match)

    async def attempt(self, act: Coroutine[Any, Any, BotReply], again: bool = False) -> BotReply | None:
        """Do something unless the bot dies meanwhile; None without an answer. `again`: now and then delivered twice."""
        sandbox = self.harness.sandbox
        try:
            await sandbox.wait_for(lambda world: self.harness.online, FOREVER)
            while self.harness.resting:  # noqa: ASYNC110  they get up by themselves
                await asyncio.sleep(BREATH)
        except BaseException:
            act.close()
            raise
        if again and self.rng.random() < 0.1:
            sandbox.faults.deliver_twice()
        self.harness.counts["acts"] += 1
        doing, death = asyncio.ensure_future(act), asyncio.ensure_future(self.harness.died.wait())
        await asyncio.wait({doing, death}, return_when=asyncio.FIRST_COMPLETED)
        await asyncio.wait({doing}, timeout=AFTERLIFE)
        death.cancel()
        if not doing.done():
            doing.cancel()
            self.harness.counts["cut short"] += 1
            return None
        try:
            return await self._noted(await doing)
        except (NoAnswerInTime, ClientRefusal) as fault:
            self.harness.counts[type(fault).__name__.lower()] += 1
            await asyncio.sleep(HESITATION)
            return None

    async def _noted(self, reply: BotReply) -> BotReply:
        """Count an answer; who is told to be slower, is."""
        if reply.kind not in ("message", "update"):
            self.harness.counts[reply.kind] += 1
            return reply
        fine = reply.kind == "update" or PLAYED.search(reply.text) or CHALLENGED.match(reply.text)
        self.harness.counts[reply.kind if fine else sentence(reply.text)] += 1
        if reply.text.startswith(TOO_FAST):
            await asyncio.sleep(BREATH)
        return reply


def sentence(text: str) -> str:
    """The beginning of a refusal, without names; where a pad or a board is shown instead, that."""
    if LINE.search(text):
        return "shown: a pad"
    if text.startswith("###"):
        return "shown: " + next((line for line in text.splitlines() if "oard" in line), "a board")[:60]
    return "refused: " + re.split(r"[:,.]", re.sub(r"<@\d+>|\d+", "…", text))[0]
