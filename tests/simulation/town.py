"""The servers of a story and the people in them: one server, or as many as there are processes with their own shards.

Everybody is in one server, and what is told and tried anywhere is kept in one place for the checkers.
"""

from __future__ import annotations

import asyncio
import random
import re
from collections import Counter
from collections.abc import Callable
from typing import Any

from bot.play.ids import ShardShare
from bot.sandbox import threads
from bot.sandbox.rest import RequestLogEntry
from bot.sandbox.stand_in import Sandbox
from bot.sandbox.world import PUBLIC_THREAD, Server
from tests.simulation.plan import Plan
from tests.world.findings import Ledger
from tests.world.habits import CLOSED, MANAGES, HabitualHand
from tests.world.homes import Home, named
from tests.world.league_life import SEASON
from tests.world.other_games import Records
from tests.world.people import HANDS, NAMES
from tests.world.player_acts import AT_ONCE, Told
from tests.world.post_findings import POSTS
from tests.world.stale_buttons import Attic

ANSWERS = re.compile(r"/callback$|/webhooks/")
"""The paths of answers to interactions."""
CAP = 1000
"""How many challenges are allowed."""


MakeHand = Callable[[Home, str, Records, Attic], HabitualHand]


class Town:
    """All servers, as homes, and all people, as hands. Without a `hand` that is made for them, people are as ever."""

    def __init__(
        self, sandbox: Sandbox, plan: Plan, seed: int, ledger: Ledger, hand: MakeHand = HabitualHand, hands: int = HANDS
    ) -> None:
        self.sandbox = sandbox
        self.plan = plan
        shards = len(plan.shares) if plan.apart else 1
        self.told, self.tried, self.counts = set[Told](), set[Told](), Counter[str]()
        self.stuck = list[str]()
        self.asked, self.disputed = Counter[Told](), set[int]()
        self.expected, self.ready = dict[int, set[str]](), dict[tuple[int, str], int]()
        rng = random.Random(seed)
        self.homes = [self._home(1, rng, sandbox.world.home)]
        for number in range(2, shards + 1):
            people = [named(name, number) for name in NAMES]
            self.homes.append(self._home(number, rng, sandbox.world.found_server(f"Server {number}", people=people)))
        for number in range(1, plan.servers):
            self.homes.append(self._home(1, rng, sandbox.world.found_server(f"Another server {number}")))
        self._rooms = {home.server.id: (home, Attic()) for home in self.homes if home.server}
        sandbox.world.listeners.append(self._heard)
        records, hands = Records(ledger), 1 if plan.apart else hands
        self.hands = [
            hand(home, name, records, attic)
            for home, attic in self._rooms.values()
            for name in NAMES
            for _ in range(hands)
        ]
        self.without: set[int] = set()
        """The servers that have removed the bot, if only for a while."""
        self._playing: list[asyncio.Task[None]] = []

    def _home(self, number: int, rng: random.Random, server: Server) -> Home:
        return Home(
            self.sandbox, rng, self.plan.tables, server=server, number=number, most=self.plan.matches,
            hasty=self.plan.hasty, told=self.told, tried=self.tried, counts=self.counts, asked=self.asked,
            disputed=self.disputed, expected=self.expected, ready=self.ready,
            stuck=self.stuck, leagues=self.plan.leagues,
        )  # fmt: skip

    def _heard(self, event: str, message: dict[str, Any]) -> None:
        place = self.sandbox.world.channels.get(str(message.get("channel_id")))
        if event.startswith("MESSAGE") and place and place.get("guild_id") in self._rooms:
            home, attic = self._rooms[place["guild_id"]]
            home.seen.heard(event, message)
            home.seen_leagues.heard(event, message)
            attic.heard(event, message)

    def answered(self, entry: RequestLogEntry) -> None:
        """Discord has answered a request."""
        if ANSWERS.search(entry.path) and not 200 <= entry.status < 300:
            for home in self.homes:
                home.failed_answers += 1

    def of(self, share: str | None) -> list[Home]:
        """The homes that a process serves."""
        return [
            one for one in self.homes if not share or (one.server and ShardShare.parse(share).holds(int(one.server.id)))
        ]

    async def allow(self) -> None:
        """Let everybody challenge as often as they like, and be reminded; directly, where the bot is to be flagged for
        that. No picture can be posted in a channel where nobody plays."""
        await self.sandbox.wait_for(lambda world: world.commands, 60)
        for home in self.homes if self.plan.leagues else ():
            self.sandbox.moderation.open_channel(SEASON, server=home.server)
        for home in self.homes:
            await self.sandbox.wait_for(lambda _, home=home: home.online, 60)
            await home.person("Ann").command("settings challenges", open=CAP, from_one=CAP, from_everybody=CAP)
            await home.person(AT_ONCE).command("preferences", confirm="off")
            for name in NAMES if "flagged" in self.plan.misfortunes else ():
                await home.person(name).command("preferences", reminders="message")
            self.sandbox.faults.deny(CLOSED, "attach_files", server=home.server)
            if self.plan.posts:
                await self._choose_posts(home)

    async def _choose_posts(self, home: Home) -> None:
        """Have the daily puzzle and the week posted in a channel of their own."""
        place, manager = self.sandbox.moderation.open_channel(POSTS, server=home.server)["id"], home.person(MANAGES)
        card = await manager.command("settings posts")
        for series in ("daily", "week"):
            await manager.press(card, f"p:settings:{series}", [place])

    def rest(self, resting: bool) -> None:
        """Let all people sleep, or get up."""
        for home in self.homes:
            home.resting = resting

    def invite(self) -> None:
        """Let another match begin in each server."""
        for home in self.homes:
            home.challenging, home.most, home.tables = True, home.attempts + 1, home.tables + 1

    def begin(self) -> None:
        """Let people play."""
        self._playing = [asyncio.create_task(hand.play()) for hand in self.hands]

    def wind_up(self) -> None:
        """Let nobody begin anything, and everybody be there; who plays in an archived thread writes there to go on."""
        world = self.sandbox.world
        for home in self.homes:
            home.challenging = False
            for board in home.live_boards():
                thread = world.channels.get(board.message["channel_id"])
                if thread and thread["type"] == PUBLIC_THREAD:
                    threads.set_archived(world, thread, False, locked=False)
        for hand in self.hands:
            hand.comes_back()

    async def close(self) -> None:
        """Let everybody stop; what went wrong with them is raised."""
        for home in self.homes:
            home.closing = True
        for playing in self._playing:
            playing.cancel()
        await asyncio.wait(self._playing)
        self.expect_all_well()

    def expect_all_well(self) -> None:
        """Raise what went wrong with somebody."""
        for playing in self._playing:
            if playing.done() and not playing.cancelled() and (fault := playing.exception()):
                raise fault
