"""A tiny bot with one of everything that the chat page must be able to show and press. It plays no game."""

import asyncio
import io
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

import discord
import yarl
from discord import app_commands, gateway, http
from PIL import Image, ImageDraw

from bot.platform.edits import read_files

Interaction = discord.Interaction[discord.Client]

SQUARES = tuple(f"{column}{row}" for column in "abcde" for row in range(1, 6))
SEATS = [app_commands.Choice(name=name, value=name.lower()) for name in ("Me", "Opponent", "By lot")]
COLUMNS = [discord.SelectOption(label=letter, value=letter) for letter in "abcde"]
ALT_TEXT = "A board of 5 by 5 squares.\n  a b c d e\n1 . . . . .\n2 . o . . .\n3 . . x . ."
RICH = """# Rules
**Bold**, *italics*, __underlined__, ~~gone~~ and `code`; snake_case_stays.
- first
- second, with <t:1700000000:R>
> quoted
-# small print
```
a | b
```
[the docs](https://example.org/docs) and https://example.org/x?y=1. Not [a link](javascript:alert(1))."""


def board(size: int = 450) -> discord.File:
    """A drawn grid as a PNG with alt text."""
    image = Image.new("RGB", (size, size), "#FAF8F0")
    draw = ImageDraw.Draw(image)
    step = size // 6
    for line in range(6):
        at = step // 2 + line * step
        draw.line((at, step // 2, at, size - step // 2 - 1), fill="#263246", width=2)
        draw.line((step // 2, at, size - step // 2 - 1, at), fill="#263246", width=2)
    data = io.BytesIO()
    image.save(data, "PNG")
    data.seek(0)
    return discord.File(data, "board.png", description=ALT_TEXT)


class Move(discord.ui.Modal):
    """A modal with a text, a select and two text inputs."""

    def __init__(self, opener: Interaction) -> None:
        super().__init__(title="Your move", custom_id=f"move:{opener.id}", timeout=900)
        self.column: discord.ui.Select[Move] = discord.ui.Select(placeholder="Choose a column", options=COLUMNS)
        self.number: discord.ui.TextInput[Move] = discord.ui.TextInput(max_length=3, placeholder="1 to 5")
        remark: discord.ui.TextInput[Move] = discord.ui.TextInput(style=discord.TextStyle.paragraph, required=False)
        self.add_item(discord.ui.TextDisplay("Columns run **a to e**."))
        self.add_item(discord.ui.Label(text="Column", description="Left to right", component=self.column))
        self.add_item(discord.ui.Label(text="Number", component=self.number))
        self.add_item(discord.ui.Label(text="Remark", component=remark))

    async def on_submit(self, interaction: Interaction) -> None:
        headline = f"Last move: {self.column.values[0]}{self.number.value}"
        assert interaction.message is not None
        shown = read_files(interaction.message.components)
        await interaction.response.edit_message(view=Board(headline), attachments=[*shown.values()])


class Board(discord.ui.LayoutView):
    """A version-2 message: headline, picture with alt text, buttons, a select."""

    def __init__(self, headline: str) -> None:
        super().__init__(timeout=None)
        gallery: discord.ui.MediaGallery[Board] = discord.ui.MediaGallery(
            discord.MediaGalleryItem("attachment://board.png", description=ALT_TEXT)
        )
        move: discord.ui.Button[Board] = discord.ui.Button(
            label="Move", style=discord.ButtonStyle.primary, custom_id="move"
        )
        move.callback = self.move
        silent: discord.ui.Button[Board] = discord.ui.Button(
            label="Silent", style=discord.ButtonStyle.danger, custom_id="silent"
        )
        off: discord.ui.Button[Board] = discord.ui.Button(label="Off", disabled=True, custom_id="off")
        docs: discord.ui.Button[Board] = discord.ui.Button(label="Docs", url="https://example.org")
        pick: discord.ui.Select[Board] = discord.ui.Select(
            custom_id="pick",
            placeholder="Pick a square",
            options=[discord.SelectOption(label=name, description=f"The square {name}") for name in SQUARES[:6]],
        )
        pick.callback = self.pick
        self.picked = pick
        self.add_item(
            discord.ui.Container(
                discord.ui.TextDisplay(f"## {headline}"),
                gallery,
                discord.ui.Separator(),
                discord.ui.TextDisplay("**Ann** 3 : 2 **Bea**\n-# Bea is to move."),
                discord.ui.ActionRow(move, silent, off, docs),
                discord.ui.ActionRow(pick),
                accent_colour=0x005AAA,
            )
        )

    async def move(self, interaction: Interaction) -> None:
        """Ask for the move."""
        await interaction.response.send_modal(Move(interaction))

    async def pick(self, interaction: Interaction) -> None:
        """Say what was picked."""
        await interaction.response.send_message(f"Picked {self.picked.values[0]}.", ephemeral=True)


class Invitation(discord.ui.View):
    """A list of people, of whom two at most are chosen; then it says who they are."""

    def __init__(self) -> None:
        super().__init__(timeout=None)

    @discord.ui.select(cls=discord.ui.UserSelect[Any], custom_id="whom", placeholder="Whom?", max_values=2)
    async def chosen(self, interaction: Interaction, select: "discord.ui.UserSelect[Invitation]") -> None:
        here = [one.display_name for one in select.values if isinstance(one, discord.Member)]
        await interaction.response.edit_message(content=f"Invited: {' and '.join(here)}.", view=None)


class Challenge(discord.ui.View):
    """A challenge with one button; pressed, it becomes a thread with a board."""

    def __init__(self) -> None:
        super().__init__(timeout=None)

    @discord.ui.button(label="Accept", style=discord.ButtonStyle.success, custom_id="accept")
    async def accept(self, interaction: Interaction, button: "discord.ui.Button[Challenge]") -> None:
        assert interaction.message is not None
        await interaction.response.edit_message(content="Accepted.", view=None)
        thread = await interaction.message.create_thread(name="Ann against Bea")
        await thread.send(view=Board("Bea is to move"), file=board())


@app_commands.guild_only()
class Paper(app_commands.Group, name="paper", description="A game on paper."):
    """The slash commands."""

    @app_commands.command(description="Challenge somebody.")
    @app_commands.describe(opponent="Whom", size="Squares on a side", seat="Who begins", rated="Whether it counts")
    @app_commands.choices(
        seat=[app_commands.Choice(name=name, value=name.lower()) for name in ("Me", "Opponent", "By lot")]
    )
    async def challenge(
        self,
        interaction: Interaction,
        opponent: discord.Member,
        size: app_commands.Range[int, 3, 9] = 5,
        seat: str = "lot",
        rated: bool = True,
    ) -> None:
        text = f"{interaction.user.mention} challenges {opponent.mention}: {size} × {size}, seat {seat}, rated {rated}."
        mentions = discord.AllowedMentions(users=[opponent])
        await interaction.response.send_message(text, view=Challenge(), allowed_mentions=mentions)

    @app_commands.command(description="Invite some people.")
    async def invite(self, interaction: Interaction) -> None:
        await interaction.response.send_message("Nobody yet.", view=Invitation(), ephemeral=True)

    @app_commands.command(description="Write a move.")
    @app_commands.describe(square="Where, as a4")
    async def move(self, interaction: Interaction, square: str) -> None:
        await interaction.response.send_message(f"You moved to **{square}**.", ephemeral=True)

    @move.autocomplete("square")
    async def squares(self, _: Interaction, current: str) -> list[app_commands.Choice[str]]:
        """The squares that begin as typed."""
        found = [name for name in SQUARES if name.startswith(current.lower())]
        return [app_commands.Choice(name=f"{name} (costs {name[1]})", value=name) for name in found]

    @app_commands.command(description="Show everything that Markdown can do.")
    async def rules(self, interaction: Interaction) -> None:
        embed = discord.Embed(title="An embed", description="With a **field**.", colour=0xD55E00)
        embed.add_field(name="Field", value="value")
        await interaction.response.send_message(RICH, embed=embed)

    @app_commands.command(description="Think for a moment, then answer.")
    async def think(self, interaction: Interaction) -> None:
        await interaction.response.defer(thinking=True)
        await interaction.followup.send("Thought about it.")


class MiniBot(discord.Client):
    """The bot; its commands are registered at login."""

    def __init__(self) -> None:
        super().__init__(intents=discord.Intents(guilds=True), guild_ready_timeout=0.05)
        self.tree = app_commands.CommandTree(self)

    async def setup_hook(self) -> None:
        self.tree.add_command(Paper())
        await self.tree.sync()


@asynccontextmanager
async def running(api_url: str, gateway_url: str, token: str) -> AsyncGenerator[MiniBot]:
    """The bot, logged in at a sandbox; discord.py's own addresses are put back afterwards."""
    old = (http.Route.BASE, gateway.DiscordWebSocket.DEFAULT_GATEWAY)
    http.Route.BASE = api_url
    gateway.DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(gateway_url)
    try:
        async with MiniBot() as bot:
            await bot.login(token)
            task = asyncio.create_task(bot.connect())
            await asyncio.wait_for(bot.wait_until_ready(), 10)
            yield bot
        await asyncio.gather(task, return_exceptions=True)
    finally:
        http.Route.BASE, gateway.DiscordWebSocket.DEFAULT_GATEWAY = old
