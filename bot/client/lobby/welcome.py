"""Welcomes a server and whoever asks for help: what this bot is, a quick game at once, and the way to all games.

A quick game begins with the newcomer's pad, below the message it was asked for on. Until something is played in it
there is no second one, and *Back* takes it away.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from contextlib import suppress
from weakref import WeakValueDictionary

import discord
from discord import ui

from bot.client.interactions.context import Interaction, act_of, guild_of, is_ephemeral, user_of
from bot.client.interactions.rate_limit import Price
from bot.client.interactions.routes import on
from bot.client.lobby import onboarding
from bot.client.lobby.challenges import Challenges
from bot.client.moves.pad_actions import PadActions
from bot.client.views import edits, views
from bot.client.views.replies import Replies
from bot.client.views.views import Control, GameButton
from bot.core.game.game import Game
from bot.core.library.catalogue import offered
from bot.core.match.loaded_match import LoadedMatch
from bot.core.match.stored_settings import WELCOMED
from bot.core.values.computer_users import is_computer
from bot.core.values.ids import GuildId, UserId
from bot.service.rules import quick_games
from bot.service.umpire.umpire import Umpire
from data.engine.database_errors import Unavailable
from data.store import Transaction

HEAD = (
    f"### Graph Paper\nPencil-and-paper games by {Game.INVENTOR}, drawn move by move. Play your friends in this server "
    "or the computer, in minutes or over weeks."
)
COMMANDS = (
    "`/play` starts a match, `/games` shows all games, and `/learn` teaches you one in pictures. `/matches` lists your "
    "matches, `/leaderboard` and `/profile` show how people are doing. `/daily` is a puzzle each day, `/league` a few "
    "weeks of matches with others. `/preferences` is for your reminders and time zone, `/away` for holidays."
)
MANAGES = (
    "-# Do you manage this server? `/settings` chooses the channels for challenges, the usual time for a move, and the "
    "time zone of people who haven't chosen theirs."
)
IN_THREADS = (
    "-# Buttons in a thread do nothing where you may not write in threads. `/match board` shows the same "
    "board with its buttons in any channel."
)
"""In an archived thread Discord lets only those press who may wake it."""
VERSION = "-# Version {version}. Only those who manage this server see this line."


class Welcome:
    """Shows the card, in a server that the bot was invited to or to one person, and begins quick games."""

    def __init__(
        self, umpire: Umpire, challenges: Challenges, replies: Replies, pads: PadActions, version: str
    ) -> None:
        self._umpire = umpire
        self._turns: WeakValueDictionary[tuple[GuildId, UserId], asyncio.Lock] = WeakValueDictionary()
        self._challenges = challenges
        self._replies = replies
        self._pads = pads
        self._version = version
        pads.gone_back = self.taken_away

    async def greet(self, guild: discord.Guild) -> None:
        """Show the card where a server tells its news, or else in the first channel that takes it; or nowhere."""
        places = [guild.system_channel, *guild.text_channels]
        place = next((one for one in places if one and may_post(one.permissions_for(guild.me))), None)
        if place:
            # Where that can't be noted, the first challenge says it again.
            with suppress(discord.HTTPException, discord.RateLimited, Unavailable):
                await place.send(view=card(self._challenges.computers(), manages=True), silent=True)
                await self._umpire.store.do(Transaction.set_note, WELCOMED.format(guild=guild.id), "1")

    async def show(self, interaction: Interaction) -> None:
        """Show the card to the asker alone; to who manages the server with the version that runs, for reports."""
        manages = interaction.permissions.manage_guild
        version = self._version if manages else None
        await edits.answer_anew(interaction, card(self._challenges.computers(), manages, version, asked=True))

    @on(GameButton, words="quick", price=Price(2))
    async def quick(self, interaction: Interaction, _button: GameButton) -> None:
        """Begin a quick game, or take the one in which nothing is played yet; say so in place of the asker's card, and
        below it open the pad for the first move."""
        # Somebody who presses twice at once would otherwise have two: each press on a welcome is one of its own.
        turn = self._turns.setdefault((guild_of(interaction), user_of(interaction)), asyncio.Lock())
        async with turn:
            seated = await self._begun(interaction)
        own = is_ephemeral(interaction)
        async with self._replies.showing(seated.id):
            if own:
                await edits.answer(interaction, onboarding.begun(seated), [])
            if seated.seat_of(user_of(interaction)) in seated.turn:
                await self._pads.opened(interaction, seated)
            else:  # a repeated delivery: the first move is made
                await self._replies.own_board(interaction, seated, "Only you see this board.")
        if own:
            await self._challenges.linked(seated, lambda now: edits.answer(interaction, onboarding.begun(now)))

    async def _begun(self, interaction: Interaction) -> LoadedMatch:
        """The quick game in which somebody has not moved yet, or another."""
        guild, user, games = guild_of(interaction), user_of(interaction), offered().values()
        rows, results = await self._umpire.store.ask(
            lambda reader: (reader.live_of(guild, user), reader.against(guild, user))
        )
        for row in rows:
            if row.game in offered() and quick_games.is_untouched(row, user):
                return await self._umpire.load(row.id)
        playing = Counter(row.game for row in rows if any(is_computer(player.user) for player in row.players))
        game, level = quick_games.following(games, results, playing)
        return await self._challenges.write(interaction, game, {"level": level, "seat": "me"}, (), act_of(interaction))

    async def taken_away(self, interaction: Interaction, seated: LoadedMatch) -> bool:
        """Take a quick game away whose first pad somebody goes back from, and show the games; False of other matches,
        which stay."""
        user = user_of(interaction)
        if not quick_games.is_untouched(seated.row, user):
            return False
        done = await self._umpire.act(
            act_of(interaction), seated.id, user, lambda now: quick_games.taking_away(now, user)
        )
        async with self._replies.showing(done.after.id):
            await edits.answer(interaction, onboarding.listed(tuple(offered().values())), [])
        return True


def card(computers: bool, manages: bool = False, version: str | None = None, *, asked: bool = False) -> ui.LayoutView:
    """What this bot is, and the ways into a match; `computers` says whether the computer plays here, `manages` whether
    somebody sees it who may set the server up, `asked` whether it is the answer to somebody in need of help."""
    play = Control(GameButton("pick"), "Play", discord.ButtonStyle.primary)
    ways = [play, *([onboarding.quick_button()] if computers else [])]
    foot = [*([IN_THREADS] if asked else []), *([MANAGES] if manages else [])]
    foot += [VERSION.format(version=version)] if version else []
    return views.framed(
        views.ACCENTS[0], ui.TextDisplay(HEAD), views.row_of(*ways), ui.TextDisplay("\n".join((COMMANDS, *foot)))
    )


def quickest() -> Game:
    """The easiest game of two in which a first move takes the fewest taps."""
    return quick_games.in_order(offered().values())[0]


def may_post(allowed: discord.Permissions) -> bool:
    """Whether messages can be posted in a channel."""
    return allowed.view_channel and allowed.send_messages
