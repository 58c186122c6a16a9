"""The Discord client: discovers the cogs, passes every interaction through the gate, and is the only place where an
error becomes a message.

discord.py has three roads for interactions: commands and autocompletion go through the command tree, buttons through
the one dynamic item, forms through `on_interaction`. All three end in `answer`, which gives the work 2.5 of Discord's 3
seconds and turns whatever goes wrong into one ephemeral sentence.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import logging
from collections.abc import Awaitable, Callable
from typing import Any

import discord
from discord import app_commands
from discord.ext import commands

from bot.client import handlers, pages, responses
from bot.client.errors import sentence, unanswerable
from bot.client.gate import Gate, TooFast
from bot.client.ids import ButtonId, ComponentId, FormId, component_id
from bot.client.interaction import Interaction, act_of
from bot.client.publisher import Publisher
from bot.client.renderer import Renderer
from bot.client.views import Control
from bot.core import catalogue
from bot.core.game import MoveError
from bot.service.refusals import Returned
from bot.service.seated import Refusal
from bot.service.sweeping import Sweeper
from bot.service.umpire import Umpire
from bot.settings import Settings
from data.engine import Unavailable
from data.store import Reader, Transaction

log = logging.getLogger(__name__)
steps = logging.getLogger("graphpaper.steps")


class Tree(app_commands.CommandTree[Any]):
    """The command tree, behind the gate; its check is the only one that autocompletion gets."""

    async def interaction_check(self, interaction: Interaction, /) -> bool:
        """Let an interaction through, or answer it with the refusal."""
        client: GraphPaper = interaction.client
        steps.debug("received %d", interaction.id)
        try:
            await client.gate(interaction)
        except Exception as fault:
            # What is raised here is seen by nobody: discord.py hands only its own errors to `on_error`.
            await client.explain(interaction, fault)
            return False
        return True

    async def on_error(self, interaction: Interaction, error: app_commands.AppCommandError, /) -> None:
        """Explain what a command raised."""
        cause = error.original if isinstance(error, app_commands.CommandInvokeError) else error
        await interaction.client.explain(interaction, cause)


class GraphPaper(commands.Bot):
    """The bot. It keeps nothing in memory that a restart would lose."""

    def __init__(self, settings: Settings, umpire: Umpire, **options: Any) -> None:
        super().__init__(
            command_prefix=commands.when_mentioned,
            help_command=None,
            tree_cls=Tree,
            intents=discord.Intents(guilds=True),
            allowed_mentions=discord.AllowedMentions.none(),
            allowed_contexts=app_commands.AppCommandContext(guild=True, dm_channel=False, private_channel=False),
            allowed_installs=app_commands.AppInstallationType(guild=True, user=False),
            **options,
        )
        self.settings = settings
        self.umpire = umpire
        self.sweeper = Sweeper(umpire.store, umpire.games, umpire.clock)
        self.renderer = Renderer()
        self.publisher = Publisher(self, umpire, self.renderer)
        self.gate = Gate(umpire)
        self.tasks: dict[str, asyncio.Task[None]] = {}

    async def setup_hook(self) -> None:
        """Load every cog there is, make old buttons work again, tell Discord of the commands when they changed."""
        self.add_dynamic_items(Control)
        for module in catalogue.cog_modules():
            await self.load_extension(module)
        await self.sync_commands()
        await self.sweeper.close_outdated()
        works = {"warming up": self.renderer.warm_up(), "reconciling": self.reconcile()}
        self.tasks = {name: asyncio.create_task(work) for name, work in works.items()}

    async def sync_commands(self) -> None:
        """Register the commands, unless they are as they were: Discord counts every registration."""
        payload = json.dumps([command.to_dict(self.tree) for command in self.tree.get_commands()], sort_keys=True)
        digest = hashlib.sha256(payload.encode()).hexdigest()
        name = f"commands of {self.application_id}"
        if self.settings.sandboxed or await self.umpire.store.ask(Reader.note, name) != digest:
            await self.tree.sync()
            await self.umpire.store.do(Transaction.set_note, name, digest)

    async def on_ready(self) -> None:
        """Say that people can play."""
        log.info("Ready as %s in %d servers.", self.user, len(self.guilds))

    async def close(self) -> None:
        """Stop looking for boards to show, let those being shown get there, then leave Discord."""
        for task in self.tasks.values():
            task.cancel()
        await self.publisher.settle()
        self.publisher.ending = True
        await super().close()
        self.renderer.close()

    async def reconcile(self) -> None:
        """For ever: close what expired, and show every match whose board lags behind what is committed."""
        await self.wait_until_ready()
        while True:
            try:
                await self.sweeper.expire()
                await self.sweeper.tidy()
                await self.publisher.catch_up()
            except Exception:
                log.warning("Looking for boards to show failed and will be tried again.", exc_info=True)
            await asyncio.sleep(self.settings.reconcile)

    async def pressed(self, interaction: Interaction, pressed: ComponentId) -> None:
        """A button was pressed, or something chosen in a select."""
        if isinstance(pressed, ButtonId):
            await self.answer(interaction, lambda: handlers.pressed(self, interaction, pressed))
        else:
            await self.answer(interaction, lambda: pages.pressed(interaction, pressed))

    async def on_interaction(self, interaction: Interaction) -> None:
        """A form was submitted, or a button pressed that is none of ours; everything else has its own road."""
        custom_id = str((interaction.data or {}).get("custom_id", ""))
        if interaction.type is discord.InteractionType.modal_submit:
            form = FormId.parse(custom_id)
            await self.answer(interaction, lambda: handlers.submitted(self, interaction, form))
        elif interaction.type is discord.InteractionType.component and component_id(custom_id) is None:
            await self.answer(interaction, handlers.not_ours)

    async def answer(self, interaction: Interaction, work: Callable[[], Awaitable[None]]) -> None:
        """Pass the gate and do the work, within the time that Discord gives; explain what goes wrong.

        discord.py itself would try for half a minute.
        """
        steps.debug("received %d", interaction.id)
        try:
            async with asyncio.timeout(self.settings.answer_within):
                await self.gate(interaction)
                await work()
        except Exception as fault:
            await self.explain(interaction, fault)

    async def explain(self, interaction: Interaction, fault: BaseException) -> None:
        """Answer an interaction with the sentence for what went wrong, visible to its author alone."""
        if unanswerable(fault):
            return
        try:
            async with asyncio.timeout(self.settings.answer_within):
                if not await self._acted(interaction, fault):
                    await self._explain(interaction, fault)
        except (discord.HTTPException, TimeoutError) as late:
            if not unanswerable(late):
                log.warning("A refusal could not be delivered: %s", late)

    async def _acted(self, interaction: Interaction, fault: BaseException) -> bool:
        """Whether what is refused is the repetition of an act that went through, whose own answer is under way."""
        if not isinstance(fault, MoveError | Refusal) or isinstance(fault, TooFast):
            return False
        try:
            return await self.umpire.store.ask(Reader.seen, act_of(interaction)) is not None
        except Unavailable:
            return False

    async def _explain(self, interaction: Interaction, fault: BaseException) -> None:
        text = sentence(fault, interaction)
        if interaction.type is discord.InteractionType.autocomplete:
            await interaction.response.autocomplete([])
        elif seated := responses.stale_match(fault):
            own = interaction.message is not None and interaction.message.flags.ephemeral
            await responses.show_own_board(self, interaction, seated, text, edit=own)
        elif isinstance(fault, Returned):
            await responses.hand_back(interaction, fault, text)
        elif interaction.response.is_done():
            await interaction.followup.send(text, ephemeral=True)
        else:
            await interaction.response.send_message(text, ephemeral=True)
