"""The Discord client: makes every service, loads the cogs, starts the loops, registers commands."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import importlib
import json
import logging
import sys
from collections.abc import Awaitable, Callable, Coroutine
from contextvars import copy_context
from itertools import count
from typing import Any

import aiohttp
import discord
from discord import app_commands
from discord.ext import commands
from discord.gateway import ReconnectWebSocket
from yarl import URL

from bot.app.flow import FlowTree, Gate, InteractionChecks, InteractionFlow, SelectAnswers, guard_parsers
from bot.app.routes import Handlers
from bot.features.board.closed_places import PlaceNotifier
from bot.features.board.loop import ChannelRecovery, ThreadArchive
from bot.features.board.match_pictures import Renderer
from bot.features.board.publisher import Publisher
from bot.features.computer.loop import ComputerPlayer
from bot.features.computer.service import EnginePool, EngineProcess, StartEngine
from bot.features.daily.loop import Poster
from bot.features.settings.loop import DepartedServers, Rewriter
from bot.features.settings.service import ForgettingService
from bot.features.time.loop import ClockWorker, ReminderSender
from bot.games import catalogue
from bot.platform import requests
from bot.platform.custom_ids import DOCTORS
from bot.platform.edits import Edits, Naming, SecondEdits
from bot.platform.interactions import Interaction, data_of
from bot.platform.jobs import Backoff, retry_after
from bot.platform.machine import Machine, in_background
from bot.platform.members import MemberCache
from bot.platform.messages import Channels, ThreadLimits
from bot.platform.metrics import Metrics
from bot.platform.places import Places
from bot.platform.processes import GAP, Presence
from bot.platform.requests import LONGEST_LIMIT, DiscordClock, HttpMetrics, Throttle
from bot.platform.shards import ClosedBeforeHello, IdentifyQueue, ReturningShard, ShardStates
from bot.play.puzzles import Series
from bot.settings import Settings
from bot.umpire.acts import Sweeper
from bot.umpire.umpire import Umpire
from data.engine.errors import Unavailable
from data.store import Reader, Store, Transaction

# Runs the bot's background jobs, each in a task of its own, from login until the bot stops.


log = logging.getLogger(__name__)


class BackgroundLoops:
    """The tasks by name. The repeated ones start once the bot is `ready`, and run every `interval` seconds."""

    def __init__(self, ready: Callable[[], Awaitable[object]], interval: float) -> None:
        self.ready = ready
        self.interval = interval
        self.tasks: dict[str, asyncio.Task[None]] = {}
        self.stopped = False
        self._beside: dict[asyncio.Task[None], None] = {}

    def start(self, **jobs: Coroutine[Any, Any, None]) -> None:
        """Run jobs that end by themselves, or never."""
        self.tasks |= {name: asyncio.create_task(job) for name, job in jobs.items()}

    def spawn_task(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Run a task that no caller awaits, until it ends or the bot stops."""
        context = copy_context()
        context.run(in_background.set, True)
        task = asyncio.create_task(work, context=context)
        self._beside[task] = None
        task.add_done_callback(self._beside.pop)
        if self.stopped:
            task.cancel()
        return task

    def repeat(self, **looks: Callable[[], Awaitable[None]]) -> None:
        """Run each job every `interval` seconds; an error is logged, and the next run tries again."""
        self.start(**{name: self._repeat(look) for name, look in looks.items()})

    async def _repeat(self, look: Callable[[], Awaitable[None]]) -> None:
        await self.ready()
        while True:
            try:
                await look()
            except Unavailable:
                log.warning("Looking for what is due failed and will be tried again: the database cannot be used.")
            except Exception:
                log.warning("Looking for what is due failed and will be tried again.", exc_info=True)
            await asyncio.sleep(self.interval)

    def stop(self) -> None:
        """Start no more runs, and cancel what no caller awaits."""
        self.stopped = True
        for task in (*self.tasks.values(), *self._beside):
            task.cancel()


async def sweep(sweeper: Sweeper, publisher: Publisher, leads: bool) -> None:
    """Close challenges that expired and matches that cannot go on, and request that it is shown, to players in quiet
    hours once they are over; the process that `leads` also deletes old rows. It waits for no board."""
    in_background.set(True)
    over = (
        *await sweeper.expire_challenges(),
        *await sweeper.close_outdated(),
        *await sweeper.close_unreached(),
        *await sweeper.notify_awoken(),
    )
    for match in over:
        publisher.request_publish(match)
    await sweeper.redraw_returned()
    if leads:
        await sweeper.drop_old_rows()


# Registers the commands with Discord when they have changed, in the background, and retries until Discord takes them.


BACKOFF = Backoff(5.0, 3600.0, factor=4)
FORESEEN = (discord.DiscordException, aiohttp.ClientError, OSError, TimeoutError, Unavailable)
"""Failures that need no traceback in the log."""


async def register_with_retries(register: Callable[[], Awaitable[None]]) -> None:
    """Register the commands, and retry until Discord accepts them."""
    for failures in count(1):
        try:
            await register()
            return
        except Exception as fault:
            wait = max(BACKOFF.seconds_to_wait(failures), retry_after(fault))
            why = " ".join(str(fault).split()) or type(fault).__name__
            text = "Discord has not taken the commands (%s): those it knows go on working. It is asked again in %d s."
            log.warning(text, why, wait, exc_info=not isinstance(fault, FORESEEN))
        await asyncio.sleep(wait)


async def register(tree: app_commands.CommandTree[Any], store: Store, always: bool) -> None:
    """Register the commands; unless `always`, only if they have changed, since Discord limits registrations per day."""
    name, digest = digest_key(tree.client.application_id), hash_commands(build_payload(tree))
    if always or await store.ask(Reader.read_note, name) != digest:
        await tree.sync()
        await store.do(Transaction.set_note, name, digest)


def build_payload(tree: app_commands.CommandTree[Any]) -> list[dict[str, Any]]:
    return [command.to_dict(tree) for command in tree.get_commands()]


def hash_commands(commands: list[dict[str, Any]]) -> str:
    """Hash of the command payload."""
    return hashlib.sha256(json.dumps(commands, sort_keys=True).encode()).hexdigest()


def digest_key(application: int | None) -> str:
    """The key under which the hash of the registered commands is stored."""
    return f"commands of {application}"


# The Discord client and composition root: it makes every service, loads the cogs and starts the background tasks.


GOODBYE = 1.0
"""Seconds for the disconnect from Discord, which may not answer."""


def shard_options(settings: Settings) -> dict[str, Any]:
    """discord.py's options for shards: those that the host assigned to this process; else all, as many as Discord
    recommends, which discord.py asks when it connects."""
    share = settings.shards
    return {"shard_ids": list(share.shards), "shard_count": share.count} if share else {}


def usual_options() -> dict[str, Any]:
    """discord.py's options for every bot: servers only, slash commands only, and no mentions by default."""
    return {
        "command_prefix": commands.when_mentioned,
        "help_command": None,
        "tree_cls": FlowTree,
        "intents": discord.Intents(guilds=True),
        "allowed_mentions": discord.AllowedMentions.none(),
        "allowed_contexts": app_commands.AppCommandContext(guild=True, dm_channel=False, private_channel=False),
        "allowed_installs": app_commands.AppInstallationType(guild=True, user=False),
        "max_ratelimit_timeout": LONGEST_LIMIT,
    }


class GraphPaper(commands.AutoShardedBot):
    """The bot. It keeps nothing in memory that a restart would lose."""

    def __init__(
        self,
        settings: Settings,
        umpire: Umpire,
        machine: Machine,
        engine: StartEngine = EngineProcess.start,
        **options: Any,
    ) -> None:
        self.throttle, self.metrics = Throttle(settings.share.fraction), Metrics()
        super().__init__(**usual_options(), http_trace=self.throttle.trace, **shard_options(settings), **options)
        if isinstance(umpire.clock, DiscordClock):
            umpire.clock.follow(self.throttle.trace)
        HttpMetrics(self.metrics).follow(self.throttle.trace)
        limits = ThreadLimits()
        limits.follow(self.throttle.trace)
        umpire.committed, umpire.store.database.observer = self.metrics.note_commit, self.metrics.count_transaction
        self.settings, self.version = settings, machine.version
        self.shard_states = ShardStates(self)
        self.metrics.shards.set_function(lambda: len(self.shards) or 1)
        self.metrics.shards_connected.set_function(lambda: len(self.shard_states.connected_shards))
        self.umpire = umpire
        self.sweeper = Sweeper(umpire.store, umpire.games, umpire.clock)
        self.presence = Presence(umpire.store, lambda: bool(self.shard_states.connected_shards), self.metrics, machine)
        self.identifying = IdentifyQueue(
            umpire.store, machine.name, lambda: self.http.get_bot_gateway(), umpire.clock,
            0.0 if settings.is_sandboxed else GAP, machine.steady,
        )  # fmt: skip
        self.renderer = Renderer(machine.processors, self.metrics)
        self.members = MemberCache(self)
        self.loops = BackgroundLoops(self.wait_until_ready, settings.reconcile)
        second = SecondEdits(self.loops.spawn_task, umpire.clock)
        self.edits = Edits(self, Naming(self.members), self.metrics, second)
        channels, members = Channels(self, self.edits, self.shard_states.has_guild_list, limits), self.members
        places = Places(self, channels, self.shard_states.has_guild_list)
        self.publisher = Publisher(
            channels, places, members, umpire, self.renderer, self.throttle, settings.retry, self.metrics
        )
        self.clock_worker = ClockWorker(umpire, self.shard_states, self.publisher.request_publish, settings.reconcile)
        self.clock_worker.deadlines.left = places.has_left_guild
        self.reminder_sender = ReminderSender(umpire, self.publisher, self.shard_states, self)
        self.place_notifier = PlaceNotifier(umpire, self.publisher, places, self.reminder_sender)
        self.engine_pool = EnginePool(settings.searchers, engine, self.metrics)
        self.computer_player = ComputerPlayer(
            umpire, self.engine_pool, self.publisher.request_publish, self.publisher.tell_waiting
        )
        self.handlers = Handlers(
            umpire, channels, members, self.renderer, self.publisher, self.engine_pool,
            settings.answer_within, machine.version, self.reminder_sender.mailboxes,
        )  # fmt: skip
        posters: dict[Series, Poster] = {"daily": self.handlers.daily_poster, "week": self.handlers.week_poster}
        self.rewriter = Rewriter(umpire, self.publisher, posters)
        self.forgetting = ForgettingService(umpire, self.handlers.league_keeper.leagues)
        self.routes = self.handlers.routes
        self.gate = Gate(umpire, self.clock_worker.outages.catch_up_before_act, self.handlers.admissions)
        self.flow = InteractionFlow(
            self.gate, InteractionChecks(self.gate, members.note_member, self.handlers.format_question),
            self.handlers.replies, SelectAnswers(self.routes, self.publisher.request_repost), umpire.store,
            self.metrics, settings.answer_within,
        )  # fmt: skip
        tree: Any = self.tree
        tree.flow = self.flow
        parsers = self._connection.parsers  # discord.py has no public hook before it parses an event
        guard_parsers(self, parsers, settings.answer_within)
        self.shard_states.track_sessions(parsers)

    async def login(self, token: str) -> None:
        """Log in, with the heartbeat running from the start: a login may take minutes."""
        requests.install(self.http)
        self.loops.start(heartbeat=self.presence.beat_forever())
        await super().login(token)

    async def launch_shards(self) -> None:
        """Connect all shards, as soon as Discord allows that many sessions."""
        share = self.settings.shards
        if count := await self.identifying.prepare(self.shard_count, len(share.shards) if share else None):
            self.shard_count = count
        await super().launch_shards()

    async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:
        """Let no shard identify before its turn."""
        await self.identifying.wait_to_identify(shard_id or 0)

    async def launch_shard(self, gateway: URL, shard_id: int, *, initial: bool = False) -> None:
        """Connect a shard. Retries forever, but raises if the very first attempt fails: that cause is not transient."""
        if not initial and (refused := sys.exception()):  # why the last try failed; discord.py is about to try again
            if not self.shards:
                raise ClosedBeforeHello if isinstance(refused, ReconnectWebSocket) else refused
            # Waiting here would keep the other shards from their first attempt.
            self.loops.start(**{f"shard {shard_id}": self.launch_shard(gateway, shard_id)})
            return
        await self.identifying.wait_to_connect(shard_id)
        await super().launch_shard(URL(self.settings.gateway or gateway), shard_id, initial=initial)
        if launched := self.get_shard(shard_id):
            ReturningShard.take_over(launched)

    async def setup_hook(self) -> None:
        """Load every cog and start the background loops."""
        await self.publisher.begin(self.user.id if self.user else 0)
        for module in catalogue.list_cog_modules():
            await importlib.import_module(module).setup(self)
        if again := str(await self.forgetting.forget_again()):
            log.info("%s", again)
        await self.sweeper.close_outdated()
        reopening = ChannelRecovery(self.umpire, self.publisher, self.handlers.retry_refused)
        archive = ThreadArchive(self.umpire, self.publisher)
        await self.add_cog(reopening)
        await self.add_cog(archive)
        departed = DepartedServers(self.umpire, self.publisher, self.forgetting)
        await self.add_cog(departed)
        self.loops.start(
            registering=register_with_retries(self.register),
            warming_up=self.warm_up(),
        )
        self.loops.repeat(
            sweeping=self.sweep,
            keeping_time=self.keep_time,
            leagues=self.handlers.league_keeper.poll,
            computer_moves=self.computer_player.poll,
            departed_servers=departed.poll,
            rewriter=self.rewriter.poll,
            channel_recovery=reopening.poll,
            thread_archive=archive.poll,
            retrying=self.retry_failed,
            reconciling=self.publisher.catch_up,
            daily_puzzle=self.post_puzzle_and_week,
            morning_puzzles=self.handlers.morning_sender.poll,
        )

    async def register(self) -> None:
        """Register the commands with Discord; among several processes the leader does it."""
        # The sandbox forgets them at each start, and usually one process serves it: it need not wait for the lease.
        if not (self.settings.is_sandboxed and self.settings.share.is_whole):
            await self.presence.wait_until_leader()
        await register(self.tree, self.umpire.store, always=self.settings.is_sandboxed)

    async def keep_time(self) -> None:
        """Enforce deadlines that have passed, then start to send due reminders and notices."""
        await self.clock_worker.poll()
        self.reminder_sender.poll()
        if self.shard_states.connected_shards:
            self.place_notifier.poll()

    async def post_puzzle_and_week(self) -> None:
        """Post the daily puzzle and the weekly summary where they are due."""
        await self.handlers.daily_poster.poll(self.shard_states)
        await self.handlers.week_poster.poll(self.shard_states)

    async def warm_up(self) -> None:
        """Render the pictures that are likely to be asked for first."""
        await self.handlers.gallery.load_samples()
        await self.renderer.warm_up()

    async def on_ready(self) -> None:
        """Report to `health` that people can play."""
        self.presence.request_beat()

    async def on_guild_join(self, guild: discord.Guild) -> None:
        """Log the server by its id, since its name is user input."""
        log.info("Joined server %d. Servers: %d.", guild.id, len(self.guilds))

    async def on_guild_remove(self, guild: discord.Guild) -> None:
        """Log the server; the bot was removed, or the server was deleted."""
        log.info("Left server %d. Servers: %d.", guild.id, len(self.guilds))

    def dispatch(self, event: str, /, *args: Any, **kwargs: Any) -> None:
        """Call the listeners of an event, until the bot leaves: then there is no loop left to run them.

        discord.py's own timer for the servers after READY may still run out.
        """
        self.metrics.count_gateway_event(event)
        if event.startswith("shard_"):
            self.shard_states.note_event(event, args[0] if args else None)
        if not self.is_closed():
            super().dispatch(event, *args, **kwargs)

    async def close(self) -> None:
        """Stop polling for boards to show, let those being shown finish, then leave Discord; this takes four seconds at
        most, whatever hangs."""
        self.loops.stop()
        endings = asyncio.gather(
            self.stop_playing(), self.handlers.league_keeper.close(), self.presence.leave(), self.members.close()
        )
        await self.publisher.queue.stop()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(GOODBYE):
                await self.leave()
        await endings
        self.handlers.close()
        self.renderer.close()
        self.flow.close()

    async def leave(self) -> None:
        """Leave Discord, without removing all commands one by one."""
        loop: Any = self.loop  # before the login it is none, and there are no shards to be closed
        begun = isinstance(loop, asyncio.AbstractEventLoop)
        await (discord.AutoShardedClient if begun else discord.Client).close(self)

    async def stop_playing(self) -> None:
        """Stop the computer's moves and searches."""
        await self.computer_player.close()
        await self.engine_pool.close()

    async def sweep(self) -> None:
        """Close expired matches, and delete rows that are no longer needed."""
        await sweep(self.sweeper, self.publisher, self.presence.leads)

    async def retry_failed(self) -> None:
        """Retry what failed. Catching up may take minutes; this does not wait for it."""
        self.throttle.unblock(self.http)
        await self.publisher.retry_failed()

    async def on_interaction(self, interaction: Interaction) -> None:
        """Answer a form, a button or a select; commands come through the tree."""
        if str(data_of(interaction).get("custom_id", "")).startswith(DOCTORS):
            return
        if interaction.type in (discord.InteractionType.modal_submit, discord.InteractionType.component):
            used = self.routes.use(interaction)
            await self.flow.answer(interaction, lambda: self.routes.answer(interaction, used))
