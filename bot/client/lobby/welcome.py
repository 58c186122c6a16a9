"""Welcomes a server and whoever asks for help: what this bot is, a quick game at once, and the way to all games.

A quick game is the easiest one against the weakest computer. It begins with the newcomer's pad, in place of the message
it was asked for on, or below a message that others see.
"""

from __future__ import annotations

from contextlib import suppress

import discord
from discord import ui

from bot.client.interactions.context import Interaction, user_of
from bot.client.interactions.custom_ids import PageId
from bot.client.lobby import onboarding
from bot.client.lobby.challenges import Challenges
from bot.client.moves.pad_actions import PadActions
from bot.client.views import edits, views
from bot.client.views.replies import Replies
from bot.client.views.views import Control
from bot.core.game.game import Game
from bot.core.library.catalogue import offered
from bot.core.match.stored_settings import WELCOMED
from bot.core.values.computer_users import LEVELS
from data.engine.database_errors import Unavailable
from data.store import Store, Transaction

HEAD = (
    f"### Graph Paper\nPencil-and-paper games by {Game.INVENTOR}, drawn move by move. Play your friends in this server "
    "or the computer, in minutes or over weeks."
)
COMMANDS = (
    "`/play` starts a match, `/games` shows all games, and `/learn` teaches you one in pictures. `/matches` lists your "
    "matches, `/leaderboard` and `/profile` show how people are doing. `/preferences` is for your reminders and time "
    "zone, `/away` for holidays."
)
VERSION = "-# Version {version}. Only those who manage this server see this line."


class Welcome:
    """Shows the card, in a server that the bot was invited to or to one person, and begins quick games."""

    def __init__(self, challenges: Challenges, replies: Replies, pads: PadActions, store: Store, version: str) -> None:
        self._challenges = challenges
        self._replies = replies
        self._pads = pads
        self._store = store
        self._version = version

    async def greet(self, guild: discord.Guild) -> None:
        """Show the card where a server tells its news, or else in the first channel that takes it; or nowhere."""
        places = [guild.system_channel, *guild.text_channels]
        place = next((one for one in places if one and may_post(one.permissions_for(guild.me))), None)
        if place:
            # Where that can't be noted, the first challenge says it again.
            with suppress(discord.HTTPException, discord.RateLimited, Unavailable):
                await place.send(view=card(self._challenges.computers()), silent=True)
                await self._store.do(Transaction.set_note, WELCOMED.format(guild=guild.id), "1")

    async def show(self, interaction: Interaction) -> None:
        """Show the card to the asker alone; to who manages the server with the version that runs, for reports."""
        version = self._version if interaction.permissions.manage_guild else None
        await edits.answer_anew(interaction, card(self._challenges.computers(), version))

    async def quick(self, interaction: Interaction, _page: PageId) -> None:
        """Begin the easiest game against the weakest computer, and open the pad for the first move."""
        given = {"level": LEVELS[0], "seat": "me"}
        seated = await self._challenges.write(interaction, quickest(), given, (), onboarding.act_on_card(interaction))
        async with self._replies.showing(seated.id):
            if seated.seat_of(user_of(interaction)) in seated.turn:
                await self._pads.opened(interaction, seated)
            else:  # a repeated delivery: the first move is made
                await self._replies.own_board(interaction, seated, "Only you see this board.")


def card(computers: bool, version: str | None = None) -> ui.LayoutView:
    """What this bot is, and the ways into a match; `computers` says whether the computer plays here."""
    play = Control(PageId(onboarding.PICK), "Play", discord.ButtonStyle.primary)
    ways = [play, *([onboarding.quick_button()] if computers else [])]
    last = f"{COMMANDS}\n{VERSION.format(version=version)}" if version else COMMANDS
    return views.framed(views.ACCENTS[0], ui.TextDisplay(HEAD), views.row_of(*ways), ui.TextDisplay(last))


def quickest() -> Game:
    """The easiest game of two in which a first move takes the fewest taps."""
    games = [game for game in offered().values() if 2 in game.seats and not game.secret]
    return min(games, key=lambda game: (game.difficulty, len(game.moves[0].parts), game.minutes, game.title))


def may_post(allowed: discord.Permissions) -> bool:
    """Whether messages can be posted in a channel."""
    return allowed.view_channel and allowed.send_messages
