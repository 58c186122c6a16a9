"""SimCord, a stand-in for Discord that others wrote, with the whole bot on it.

SimCord's own `Env` rules over the event loop of the bot that it tests: time stands still for the bot's tasks, and a
task that waits for ever, but for what discord.py itself waits for, is an error. This bot's store counts down its
deadlines in a thread, whose time goes on, and its heartbeat waits for ever. So `Stage` is an `Env` that leaves the
loop alone: the time is the loop's, and `Life.idle` says when the bot is done. Discord's side, what people can do there
and discord.py's machinery in between are SimCord's, as it comes. (This folder has no `__init__.py`: pytest would take
it for SimCord. And SimCord's plugin for pytest, which would load it into every run, is left out in pyproject.toml.)

What it refuses or lacks, of version 3.2.1, beside Discord's documentation:

- There is no connection: HTTP is answered in the process, READY is handed over. No sockets, no heartbeat, no IDENTIFY,
  no rate limits (no 429, no 30046), no 5xx that was applied all the same, nothing cut off or delivered twice.
- A nonce is ignored: a message that is sent again is there twice.
- A refusal that a command raises, and that the tree's `on_error` answers, counts as an error of the bot. So errors are
  looked for in the log.
- `mentions` of a message holds everybody whom its text names; whom it notifies stands apart (`Stage.pinged`). On
  Discord it holds those whom `allowed_mentions` lets through.
- `attachments` of a message of components lists files that a component shows, and an edit finds `attachment://x` among
  the files that the message has. On Discord neither is so.
- A thread is announced in its channel (type 18) whenever it begins, and has no first message that points to where it
  began (type 21). Discord announces one that begins on an older message, or on none.
- To rename or archive a thread takes Manage Channels. On Discord its creator may, and who has Manage Threads.
- Threads are never locked or full, a second thread on a message is no error, and to write in one revives none.
- Files may be as large as one likes, and Attach Files is not asked for.
- Commands are taken as they come: no look at names, descriptions, 25 options, 8,000 characters, or 200 new ones a day.
- Suggestions are taken as they come, however many and long; so are the presets of selects, buttons without a label,
  empty containers, and a form's fields filled in beyond their length.
- Nobody's direct messages are closed; whom a message notifies is known of each message, not of a person.
- A client's own weaknesses (`bot/sandbox` and `tests/e2e` know them) are not there: the shown name in place of a value,
  a select that keeps its choice, a form's fields kept by its custom_id.
"""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Mapping
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any

import simcord
from discord import Message, Permissions
from simcord import _dpy_internals as internals  # pyright: ignore[reportPrivateUsage]  -- there is no other door
from simcord._clock import Clock as TheirClock  # pyright: ignore[reportPrivateUsage]
from simcord.backend import Backend, serializers
from simcord.backend.models import Message as Stored
from simcord.gateway import ShardRouter
from simcord.http import FakeHTTPClient, FakeWebhookAdapter

from bot.app.client import GraphPaper
from bot.features.daily.loop import BETWEEN
from bot.games.catalogue import load_games
from bot.platform.machine import Machine
from bot.sandbox import people
from bot.settings import Settings
from bot.umpire.umpire import Umpire
from data.store import Store
from tests.e2e.harness import Clock as UmpiresClock
from tests.e2e.harness import counted, labels, owed, said
from tests.simulation.inline_engine import InlineEngine
from tests.simulation.life import PATIENCE, Life, living, rested
from tests.simulation.loop import SimulatedLoop

Json = dict[str, Any]
Shown = simcord.InteractionResult | simcord.ResponseMessage | Message


class Clock(TheirClock):
    """SimCord's clock, which tells the time of the loop."""

    def now(self) -> datetime:
        """The moment."""
        return datetime.fromtimestamp(time.time(), UTC)


class Bot(Life):
    """The whole bot, which logs in to SimCord."""

    def __init__(self, url: str, clock: UmpiresClock) -> None:
        self.tasks = set()
        self.dead = self.ended = False
        self.outlived = []
        self.store = Store(url)
        loop = asyncio.get_running_loop()
        assert isinstance(loop, SimulatedLoop)
        machine = Machine(loop.epoch_time, loop.time, f"simulated:{next(loop.numbers)}:0", processors=2)
        umpire = Umpire(self.store, load_games(), clock, random.Random(1))
        settings = Settings(token="simcord", database=url, retry=0.01, reconcile=3600.0)
        self.client = GraphPaper(settings, umpire, machine, InlineEngine.start)
        self.client.warm_up = rested
        self.client.register = self.register


class Stage(simcord.Env):
    """SimCord with the whole bot on it; `store` is for looking."""

    def __init__(self, url: str) -> None:
        self.clock = UmpiresClock()
        self.life, self.store = Bot(url, self.clock), Store(url)
        super().__init__(self.life.client, shard_count=1)
        self.backend = Backend(clock=Clock())

    async def start(self) -> None:
        """Put the bot on SimCord's HTTP and gateway, and bring it to READY, as `Env` does."""
        client, state = self.life.client, internals.get_state(self.bot)
        self._loop, self._started = asyncio.get_running_loop(), True
        http: Any = FakeHTTPClient(self.backend, self._loop)
        http._global_over = asyncio.Event()  # as discord.py's own has it from the login on
        http._global_over.set()
        internals.install_http(client, http)
        internals.set_guild_ready_timeout(client, 0.0)
        self._webhook_adapter = FakeWebhookAdapter(self.backend)
        self._message_states.add(state)
        state.shard_count, state.shard_ids = 1, [0]
        router = ShardRouter(self.backend, state, client.dispatch, 1, (0,))
        mark, previous = living.set(self.life), internals.set_webhook_adapter(self._webhook_adapter)

        def fed(event: str, payload: Mapping[str, Any]) -> None:
            """What comes over the gateway begins tasks of the bot's."""
            mark, previous = living.set(self.life), internals.set_webhook_adapter(self._webhook_adapter)
            router.feed(event, payload)
            internals.reset_webhook_adapter(previous)
            living.reset(mark)

        await client.login("simcord")
        client.shard_count = 1
        internals.install_shards(client, router.shards)
        router.identify(0)
        internals.reset_webhook_adapter(previous)
        living.reset(mark)
        self.backend.subscribers.append(fed)
        await asyncio.wait([client.loops.tasks["registering"]], timeout=PATIENCE)
        server = self.create_guild("Graph Paper Club")
        managers = server.create_role("Managers", permissions=Permissions(manage_guild=True))
        self.games = server.create_text_channel("games")
        self.ann, self.bea, self.cem, self.dora = (
            server.add_member(self.create_user(name.lower(), global_name=name), roles=roles)
            for name, roles in (("Ann", [managers]), ("Bea", []), ("Cem", []), ("Dora", []))
        )

    async def _settle_internal(self, **_: Any) -> None:
        """Wait until every interaction is treated and Discord shows all that is committed."""
        async with asyncio.timeout(PATIENCE):
            while True:
                await self.life.idle()
                if not await self.store.ask(owed):
                    return
                await self.life.client.publisher.retry_failed()
                with suppress(TimeoutError):
                    async with asyncio.timeout(0.1):
                        await asyncio.Event().wait()

    async def shutdown(self) -> None:
        """Stop the bot as a host stops it."""
        await self.life.end()
        await self.store.close()

    async def later(self, seconds: int) -> None:
        """Time passes for the bot, while it is connected, and it looks what is due."""
        self.clock.ahead += seconds
        await self.store.do(counted, self.clock())
        await self.life.does(self.life.client.keep_time())
        await self.look()

    async def look(self) -> None:
        """Let the bot look after its leagues and the daily puzzle, and show what comes of it."""
        await asyncio.sleep(BETWEEN)
        await self.life.does(self.life.client.handlers.league_keeper.poll())
        await self.life.does(self.life.client.post_puzzle_and_week())
        await self.settle()

    # --- what people do and see

    def sent(self, shown: Shown) -> simcord.ResponseMessage | Message:
        """The message that an answer is, or changes."""
        if not isinstance(shown, simcord.InteractionResult):
            return shown
        assert shown.response is not None, f"there is no message: {shown}"
        return shown.response

    async def press(self, person: simcord.MemberActor, shown: Shown, *labels: str) -> simcord.InteractionResult:
        """Press a button, and one in each answer to that."""
        for label in labels:
            shown = await person.click(self.sent(shown), label=label)
            await asyncio.sleep(3)  # nobody presses faster
        assert isinstance(shown, simcord.InteractionResult)
        return shown

    async def submit(self, person: simcord.MemberActor, form: simcord.InteractionResult, *values: str) -> Any:
        """Send a form off, filled in from the top."""
        assert form.modal, f"there is no form: {form}"
        fields = [one["component"]["custom_id"] for one in form.modal["components"] if "component" in one]
        return await person.submit_modal(form, dict(zip(fields, values, strict=True)))

    def answer(self, reply: simcord.InteractionResult) -> str:
        """The text of the bot's first answer, which may be gone since."""
        path = f"/interactions/{reply._interaction.id}/"  # pyright: ignore[reportPrivateUsage]  -- it tells no id
        sent: Any = next(one.json for one in self.http_requests if one.path.startswith(path))
        return str(sent["data"]["content"])

    def pinged(self, shown: Shown) -> set[int]:
        """Whom a message notifies."""
        return {*self._stored(shown).ping_user_ids}

    def seen(self, shown: Shown) -> Json:
        """A message, or the answer that people see, as Discord's clients are told of it."""
        return dict(serializers.message_payload(self.backend, self._stored(shown)))

    def _stored(self, shown: Shown) -> Stored:
        sent = self.sent(shown)
        place = sent.channel_id if isinstance(sent, simcord.ResponseMessage) else sent.channel.id
        return self.backend.get_message(place, sent.id)

    def text(self, shown: Shown) -> str:
        """All its text."""
        return said(self.seen(shown))

    def labels(self, shown: Shown) -> list[str]:
        """The labels of its buttons and selects."""
        return labels(self.seen(shown))

    def pictures(self, shown: Shown) -> list[tuple[str, bytes]]:
        """Its pictures: alt text and bytes."""
        found = ((one.alt or "", self.backend.cdn.get(one.url)) for one in people.list_media(self.seen(shown)))
        return [(alt, data) for alt, data in found if data is not None]
