"""A small bot on the real discord.py client, with one command for each thing that the sandbox must get right."""

import asyncio
import io
from collections.abc import AsyncGenerator, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any, Literal, Self, TypeVar

import aiohttp
import discord
import yarl
from discord import app_commands, ui
from discord.gateway import DiscordWebSocket
from discord.http import Route

from bot.platform.edits import read_files
from bot.sandbox.stand_in import Sandbox
from tests.support.waiting import ready_when_introduced, stop_hearts, until

PNG = b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x00\x07\x00\x00\x00\x05" + bytes(20)
Context = discord.Interaction["MiniBot"]


class Verb(ui.DynamicItem[ui.Button[ui.LayoutView]], template=r"m:(?P<verb>[a-z]{1,10})"):
    """Every button of the bot."""

    def __init__(self, verb: str, disabled: bool = False) -> None:
        super().__init__(ui.Button(label=verb.title(), custom_id=f"m:{verb}", disabled=disabled))
        self.verb = verb

    @classmethod
    async def from_custom_id(cls, interaction: discord.Interaction[Any], item: ui.Item[Any], match: Any) -> Self:
        """Rebuild the button from what Discord sends."""
        return cls(match["verb"])

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """React to the press."""
        assert interaction.message is not None
        client: MiniBot = interaction.client
        client.pressed.append((interaction.user.id, self.verb))
        if self.verb == "form":
            await interaction.response.send_modal(Form(interaction.id))
        elif self.verb == "move":
            view = board("Moved", "form")
            shown = read_files(interaction.message.components)
            await interaction.response.edit_message(view=view, attachments=[*shown.values()])
        elif self.verb == "ok":
            await interaction.response.defer()
        elif self.verb == "secret":
            await interaction.response.send_message("only you", ephemeral=True)


class Form(ui.Modal, title="A move"):
    """Two fields; answered in `on_interaction`, as the real bot does."""

    square: ui.Label[Any] = ui.Label(text="Square", component=ui.TextInput(custom_id="square", max_length=5))
    column: ui.Label[Any] = ui.Label(
        text="Column",
        component=ui.Select(custom_id="column", options=[discord.SelectOption(label=one) for one in "abc"]),
    )

    def __init__(self, interaction: int) -> None:
        super().__init__(custom_id=f"f:{interaction}", timeout=900)


def board(text: str, *verbs: str, name: str = "board.png") -> ui.LayoutView:
    """A components-v2 message with a picture and buttons."""
    view = ui.LayoutView(timeout=None)
    row = ui.ActionRow[Any]()
    for verb in verbs:
        row.add_item(Verb(verb))
    gallery: ui.MediaGallery[Any] = ui.MediaGallery(discord.MediaGalleryItem(f"attachment://{name}", description="5"))
    view.add_item(ui.Container(ui.TextDisplay(text), gallery, row))
    return view


def picture(name: str = "board.png") -> discord.File:
    """A picture of 7 by 5 pixels."""
    return discord.File(io.BytesIO(PNG), name, description="a board")


class MiniBot(discord.Client):
    """The client; `pressed` and `events` record what it saw."""

    def __init__(self, **options: Any) -> None:
        super().__init__(
            intents=discord.Intents(guilds=True),
            guild_ready_timeout=0.05,
            allowed_mentions=discord.AllowedMentions.none(),
            **options,
        )
        self.tree = app_commands.CommandTree(self)
        self.pressed: list[tuple[int, str]] = []
        self.events: list[str] = []

    async def setup_hook(self) -> None:
        """Register commands and buttons."""
        self.add_dynamic_items(Verb)
        for name in ("hello", "show", "slow", "silent", "form", "pick", "club"):
            self.tree.add_command(globals()[name])
        await self.tree.sync()

    async def on_interaction(self, interaction: discord.Interaction[Any]) -> None:
        """Answer modals."""
        if interaction.type is discord.InteractionType.modal_submit and interaction.data:
            fields: list[Any] = interaction.data.get("components", [])
            parts = [str(one["component"].get("value") or one["component"]["values"]) for one in fields]
            await interaction.response.send_message(" ".join(parts))

    async def on_resumed(self) -> None:
        """Note a resumed session."""
        self.events.append("resumed")

    async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:
        """Begin at once, where discord.py by itself sleeps for five seconds."""

    async def on_thread_delete(self, thread: discord.Thread) -> None:
        """Note a deleted thread."""
        self.events.append(f"deleted {thread.name}")


@app_commands.command(description="Greet somebody.")
async def hello(interaction: Context, who: discord.Member, times: app_commands.Range[int, 1, 5] = 2) -> None:
    """Answer ephemerally with what the interaction says."""
    rights = f"{interaction.permissions.manage_guild} {interaction.app_permissions.attach_files}"
    await interaction.response.send_message(f"{who.display_name} x{times} {rights}", ephemeral=True)


@app_commands.command(description="Show a board.")
async def show(interaction: Context) -> None:
    """Answer with a board."""
    await interaction.response.send_message(view=board("Board", "move", "form", "ok", "secret"), file=picture())


@app_commands.command(description="Think first.")
async def slow(interaction: Context, private: bool = False) -> None:
    """Defer, then answer in a follow-up, then once more."""
    await interaction.response.defer(ephemeral=private, thinking=True)
    await interaction.followup.send("thought")
    await interaction.followup.send("twice")


@app_commands.command(description="Say nothing.")
async def silent(interaction: Context) -> None:
    """Do not answer."""


@app_commands.command(description="Open a form.")
async def form(interaction: Context) -> None:
    """Answer with a modal."""
    await interaction.response.send_modal(Form(interaction.id))


@app_commands.command(description="Pick something.")
async def pick(interaction: Context, word: str, size: Literal["small", "large"] = "small") -> None:
    """Answer with what was picked."""
    await interaction.response.send_message(f"{word} {size}")


@pick.autocomplete("word")
async def words(interaction: Context, typed: str) -> list[app_commands.Choice[str]]:
    """Words that begin so."""
    known = [word for word in ("alpha", "alps", "beta") if word.startswith(typed)]
    return [app_commands.Choice(name=word.upper(), value=word) for word in known]


club = app_commands.Group(name="club", description="A group.")


@club.command(name="join", description="Join it.")
async def club_join(interaction: Context) -> None:
    """Answer from inside a group."""
    await interaction.response.send_message("joined")


class Herd(MiniBot, discord.AutoShardedClient):
    """The same with several shards: all that Discord recommends, or `shard_ids` of `shard_count`."""

    def __init__(self, **options: Any) -> None:
        self.resumed: list[int] = []
        super().__init__(**options)

    async def on_shard_resumed(self, shard: int) -> None:
        """Note which shard has resumed."""
        self.resumed.append(shard)


Bot = TypeVar("Bot", bound=MiniBot)
Herding = AbstractAsyncContextManager[Herd]


@asynccontextmanager
async def logged_in(sandbox: Sandbox, client: Bot) -> AsyncGenerator[Bot]:
    """A bot, logged in and ready; discord.py stays pointed at this sandbox until the next one."""
    ready_when_introduced(client, sandbox)
    point_at(sandbox)
    running = asyncio.create_task(client.start(sandbox.token))
    try:
        await until(lambda: client.is_ready() or running.done())
        yield client
    finally:
        await client.close()
        stop_hearts()
        await running


def point_at(sandbox: Sandbox) -> None:
    """Let discord.py take a sandbox for Discord."""
    Route.BASE = sandbox.api_url
    DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(sandbox.gateway_url)


def connected(sandbox: Sandbox) -> AbstractAsyncContextManager[MiniBot]:
    """The bot on one shard."""
    return logged_in(sandbox, MiniBot())


def herded(sandbox: Sandbox, shards: Sequence[int] | None = None, count: int | None = None) -> Herding:
    """The bot on some of so many shards, or on as many as Discord recommends."""
    return logged_in(sandbox, Herd(shard_ids=shards, shard_count=count))


class Api:
    """Bare requests with the bot's token, for what discord.py would not send."""

    def __init__(self, session: aiohttp.ClientSession, sandbox: Sandbox) -> None:
        self.session = session
        self.sandbox = sandbox

    async def __call__(self, method: str, path: str, body: Any = None, token: str | None = None) -> tuple[int, Any]:
        """Status and JSON of one request."""
        headers = {"Authorization": f"Bot {self.sandbox.token if token is None else token}"}
        async with self.session.request(method, self.sandbox.api_url + path, json=body, headers=headers) as response:
            return response.status, await response.json() if response.status != 204 else None
