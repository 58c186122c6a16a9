"""The Discord client and composition root: it makes every service, loads the cogs and starts the background tasks.

Commands and suggestions come through discord.py's command tree, buttons and forms through `on_interaction`, by their
custom_id alone, so that none of them is kept in memory. `interaction_flow` leads both to their answer.
"""

from __future__ import annotations

import asyncio
import contextlib
import importlib
import logging
import sys
from typing import Any

import discord
from discord import app_commands
from discord.ext import commands
from discord.gateway import ReconnectWebSocket
from yarl import URL

from bot.client.app.background_loops import BackgroundLoops, sweep
from bot.client.app.before_callback import BeforeCallback
from bot.client.app.command_sync import register, registered
from bot.client.app.handlers import Handlers
from bot.client.app.identify import IdentifyQueue
from bot.client.app.interaction_flow import FlowTree, InteractionFlow, guard
from bot.client.app.presence import Presence
from bot.client.app.returning_shard import NotGreeted, ReturningShard
from bot.client.app.select_answers import SelectAnswers
from bot.client.app.shard_states import ShardStates
from bot.client.background.clock_worker import ClockWorker
from bot.client.background.computer_player import ComputerPlayer
from bot.client.background.departed_servers import DepartedServers
from bot.client.background.engine_pool import EnginePool, Start
from bot.client.background.engine_process import EngineProcess
from bot.client.background.place_notifier import PlaceNotifier
from bot.client.background.reminder_sender import ReminderSender
from bot.client.http import second_try
from bot.client.http.messages import Channels
from bot.client.http.places import Places
from bot.client.http.request_traces import LONGEST_LIMIT, HttpMetrics, Throttle
from bot.client.http.thread_limits import ThreadLimits
from bot.client.interactions.context import Interaction, data_of
from bot.client.interactions.custom_ids import DOCTORS
from bot.client.interactions.rate_limit import Gate
from bot.client.people.members import Members
from bot.client.publisher.channel_recovery import ChannelRecovery
from bot.client.publisher.publisher import Publisher
from bot.client.publisher.thread_archive import ThreadArchive
from bot.client.runtime.discord_clock import Clock
from bot.client.runtime.machine import Machine
from bot.client.runtime.metrics import Metrics
from bot.client.solving.name_removal import NameRemoval
from bot.client.solving.poster import Poster
from bot.client.views.edits import Edits
from bot.client.views.naming import Naming
from bot.client.views.renderer import Renderer
from bot.client.views.second_edits import SecondEdits
from bot.core.library import catalogue
from bot.core.puzzle.stored_puzzles import Series
from bot.service.cluster.processes import GAP
from bot.service.privacy.forgetting import Forgetting
from bot.service.umpire.expiry import Sweeper
from bot.service.umpire.umpire import Umpire
from bot.settings import Settings

GOODBYE = 1.0
"""Seconds to take leave of Discord, which may not answer."""

log = logging.getLogger(__name__)


def sharding(settings: Settings) -> dict[str, Any]:
    """What discord.py is told of shards: those that a host has given this process; else all, as many as Discord
    recommends, which it asks when it connects."""
    share = settings.shards
    return {"shard_ids": list(share.shards), "shard_count": share.count} if share else {}


def usual_options() -> dict[str, Any]:
    """What discord.py is told of every bot: servers only, slash commands only, and nobody is mentioned by default."""
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
        self, settings: Settings, umpire: Umpire, machine: Machine, engine: Start = EngineProcess.start, **options: Any
    ) -> None:
        self.throttle, self.metrics = Throttle(settings.share.part), Metrics()
        super().__init__(**usual_options(), http_trace=self.throttle.trace, **sharding(settings), **options)
        if isinstance(umpire.clock, Clock):
            umpire.clock.follow(self.throttle.trace)
        HttpMetrics(self.metrics).follow(self.throttle.trace)
        limits = ThreadLimits()
        limits.follow(self.throttle.trace)
        umpire.committed, umpire.store.database.observer = self.metrics.committed, self.metrics.transaction
        self.settings, self.version = settings, machine.version
        self.shard_states = ShardStates(self)
        self.metrics.shards.set_function(lambda: len(self.shards) or 1)
        self.metrics.shards_connected.set_function(lambda: len(self.shard_states.there))
        self.umpire = umpire
        self.sweeper = Sweeper(umpire.store, umpire.games, umpire.clock)
        self.presence = Presence(umpire.store, lambda: bool(self.shard_states.there), self.metrics, machine)
        self.identifying = IdentifyQueue(
            umpire.store, machine.name, lambda: self.http.get_bot_gateway(), umpire.clock,
            0.0 if settings.sandboxed else GAP, machine.steady,
        )  # fmt: skip
        self.renderer = Renderer(machine.processors, self.metrics)
        self.members = Members(self)
        self.loops = BackgroundLoops(self.wait_until_ready, settings.reconcile)
        second = SecondEdits(self.loops.beside, umpire.clock)
        self.edits = Edits(self, Naming(self.members), self.metrics, second)
        channels, members = Channels(self, self.edits, self.shard_states.introduced, limits), self.members
        places = Places(self, channels, self.shard_states.introduced)
        self.publisher = Publisher(
            channels, places, members, umpire, self.renderer, self.throttle, settings.retry, self.metrics
        )
        self.clock_worker = ClockWorker(umpire, self.shard_states, self.publisher.soon, settings.reconcile)
        self.clock_worker.deadlines.left = places.left
        self.reminder_sender = ReminderSender(umpire, self.publisher, self.shard_states, self)
        self.place_notifier = PlaceNotifier(umpire, self.publisher, places, self.reminder_sender)
        self.engine_pool = EnginePool(settings.searchers, engine, self.metrics)
        self.computer_player = ComputerPlayer(umpire, self.engine_pool, self.publisher.soon, self.publisher.tell)
        self.handlers = Handlers(
            umpire, channels, members, self.renderer, self.publisher, self.engine_pool, self.clock_worker.deadlines,
            settings.answer_within, machine.version, self.reminder_sender.mailboxes,
        )  # fmt: skip
        posters: dict[Series, Poster] = {"daily": self.handlers.daily_poster, "week": self.handlers.week_poster}
        self.name_removal = NameRemoval(umpire, self.publisher, posters)
        self.forgetting = Forgetting(umpire, self.handlers.league_keeper.leagues)
        self.routes = self.handlers.routes
        self.gate = Gate(umpire, self.clock_worker.outages.heard)
        self.flow = InteractionFlow(
            self.gate, BeforeCallback(self.gate, members.met, self.handlers.listing), self.handlers.replies,
            SelectAnswers(self.routes, self.publisher.soon_restored), umpire.store, self.metrics,
            settings.answer_within,
        )  # fmt: skip
        tree: Any = self.tree
        tree.flow = self.flow
        parsers = self._connection.parsers  # there is no other door before discord.py's own reading
        guard(self, parsers, settings.answer_within)
        self.shard_states.listen(parsers)

    async def login(self, token: str) -> None:
        """Log in, with a heartbeat from the first moment on: a login may take minutes."""
        second_try.install(self.http)
        self.loops.start(heartbeat=self.presence.keep())
        await super().login(token)

    async def launch_shards(self) -> None:
        """Connect all shards, as soon as Discord allows so many sessions."""
        share = self.settings.shards
        if count := await self.identifying.prepare(self.shard_count, len(share.shards) if share else None):
            self.shard_count = count
        await super().launch_shards()

    async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:
        """Let no shard say who it is before its turn."""
        await self.identifying.turn(shard_id or 0)

    async def launch_shard(self, gateway: URL, shard_id: int, *, initial: bool = False) -> None:
        """Connect a shard, in as many tries as it takes; but where not even the first gets through, end: then it is
        nothing that passes."""
        if not initial and (refused := sys.exception()):  # why the last try failed; discord.py is about to try again
            if not self.shards:
                raise NotGreeted if isinstance(refused, ReconnectWebSocket) else refused
            # Whoever waited here would keep the other shards from their first try.
            self.loops.start(**{f"shard {shard_id}": self.launch_shard(gateway, shard_id)})
            return
        await self.identifying.take(shard_id)
        await super().launch_shard(URL(self.settings.gateway or gateway), shard_id, initial=initial)
        if launched := self.get_shard(shard_id):
            ReturningShard.take_over(launched)

    async def setup_hook(self) -> None:
        """Load every cog and start the background loops."""
        await self.publisher.begin(self.user.id if self.user else 0)
        for module in catalogue.cog_modules():
            await importlib.import_module(module).setup(self)
        if again := str(await self.forgetting.again()):
            log.info("%s", again)
        await self.sweeper.close_outdated()
        reopening = ChannelRecovery(self.umpire, self.publisher, self.handlers.reopened)
        archive = ThreadArchive(self.umpire, self.publisher)
        await self.add_cog(reopening)
        await self.add_cog(archive)
        departed = DepartedServers(self.umpire, self.publisher, self.forgetting)
        await self.add_cog(departed)
        self.loops.start(
            registering=registered(self.register),
            warming_up=self.warm_up(),
        )
        self.loops.repeat(
            sweeping=self.sweep,
            keeping_time=self.keep_time,
            leagues=self.handlers.league_keeper.look,
            computer_moves=self.computer_player.look,
            departed_servers=departed.look,
            name_removal=self.name_removal.look,
            channel_recovery=reopening.look,
            thread_archive=archive.look,
            retrying=self.again,
            reconciling=self.publisher.catch_up,
            daily_puzzle=self.daily,
        )

    async def register(self) -> None:
        """Tell Discord of the commands; of several processes the leader does it."""
        # The sandbox forgets them at each start, and usually one process serves it: it need not wait for the lease.
        if not (self.settings.sandboxed and self.settings.share.whole):
            await self.presence.won()
        await register(self.tree, self.umpire.store, always=self.settings.sandboxed)

    async def keep_time(self) -> None:
        """Pass deadlines that are over, then begin to send the reminders that are due, and what is told elsewhere."""
        await self.clock_worker.look()
        self.reminder_sender.look()
        if self.shard_states.there:
            self.place_notifier.look()

    async def daily(self) -> None:
        """Post the daily puzzle and the week where they are due."""
        await self.handlers.daily_poster.look(self.shard_states)
        await self.handlers.week_poster.look(self.shard_states)

    async def warm_up(self) -> None:
        """Draw what somebody may want to see first."""
        await self.handlers.gallery.drawn()
        await self.renderer.warm_up()

    async def on_ready(self) -> None:
        """Say to `health` that people can play."""
        self.presence.soon()

    async def on_guild_join(self, guild: discord.Guild) -> None:
        """Tell the host of a server that has invited the bot; by its number, since its name is something typed."""
        log.info("Joined server %d. Servers: %d.", guild.id, len(self.guilds))

    async def on_guild_remove(self, guild: discord.Guild) -> None:
        """Tell the host of a server that has removed the bot, or is gone."""
        log.info("Left server %d. Servers: %d.", guild.id, len(self.guilds))

    def dispatch(self, event: str, /, *args: Any, **kwargs: Any) -> None:
        """Tell listeners of an event, until the bot leaves: then there is no loop left to tell them in.

        discord.py's own timer for the servers after READY may still run out.
        """
        self.metrics.befell(event)
        if event.startswith("shard_"):
            self.shard_states.heard(event, args[0] if args else None)
        if not self.is_closed():
            super().dispatch(event, *args, **kwargs)

    async def close(self) -> None:
        """Stop looking for boards to show, let those being shown get there, then leave Discord; whatever hangs, this
        takes four seconds at most."""
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
        """Leave Discord, without taking apart all commands, one by one."""
        loop: Any = self.loop  # before the login it is none, and there are no shards to be closed
        begun = isinstance(loop, asyncio.AbstractEventLoop)
        await (discord.AutoShardedClient if begun else discord.Client).close(self)

    async def stop_playing(self) -> None:
        """Let no computer move any more, and none think."""
        await self.computer_player.close()
        await self.engine_pool.close()

    async def sweep(self) -> None:
        """Close expired matches, and drop rows that nobody asks for any more."""
        await sweep(self.sweeper, self.publisher, self.presence.leads)

    async def again(self) -> None:
        """Try again what failed. All that lags behind may take minutes to catch up; this does not wait for it."""
        self.throttle.unblock(self.http)
        await self.publisher.again()

    async def on_interaction(self, interaction: Interaction) -> None:
        """Answer a form, or what was used in a message; commands come through the tree."""
        if str(data_of(interaction).get("custom_id", "")).startswith(DOCTORS):
            return
        if interaction.type in (discord.InteractionType.modal_submit, discord.InteractionType.component):
            used = self.routes.use(interaction)
            await self.flow.answer(interaction, lambda: self.routes.answer(interaction, used))
