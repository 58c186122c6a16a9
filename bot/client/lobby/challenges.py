"""From a challenge command to a lobby, whichever command it was: who may be challenged, where, and what it answers."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import discord
from discord import app_commands

from bot.client.interactions.context import (
    Interaction,
    act_of,
    channel_of,
    client_of,
    expect_computer,
    guild_of,
    user_of,
)
from bot.client.interactions.errors import suggesting
from bot.client.text import match_list
from bot.client.views.replies import showing
from bot.core.game.game import Game
from bot.core.library.catalogue import offered
from bot.core.match.loaded_match import Refusal, Seated, person, together
from bot.core.values.computer_users import LEVELS, USUAL, is_computer, worded
from bot.core.values.ids import InteractionId, UserId
from bot.service.rules import computer_levels
from bot.service.rules.challenge_terms import Challenge
from data.store import Reader, Transaction

if TYPE_CHECKING:
    from bot.core.match.stored import MatchRow, Seating, ServerSettings, State

Named = discord.User | discord.Member | discord.Object
"""Somebody who is named: a member, another user of Discord, or a number of which Discord tells no more."""
OPPONENTS = ("opponent", *(f"opponent{number}" for number in range(2, 8)))
"""The options that name somebody; as many as the largest game has seats for."""
HELP = {
    "opponent": "Whom you challenge; leave it out to open a table for whoever comes",
    **dict.fromkeys(OPPONENTS[1:], "Another whom you challenge"),
    "level": "The computer takes all seats that are left: how well it plays",
    "seat": "Who has the first move; else by lot",
    "seats": "How many play",
    "legs": "2: played twice at once, the seats swapped, and the sum decides; else what is usual for the game",
    "rated": "Whether it counts for the leaderboard; else yes",
    "pace": "Days for each move; bank: 10 days and 1 more with each move; none: no clock; else what is usual here",
    "match": "The number of the match, when you play several",
}
SEATINGS: Mapping[str | None, Seating] = {"me": "host", "opponent": "guest", "lot": "lot", None: "lot"}
LEVELED = [app_commands.Choice(name=worded(level), value=level) for level in LEVELS]
"""The levels of the computer, to choose from."""
UNRATED = "Matches with the computer are not rated."
NEEDED = {
    "view_channel": "View Channel",
    "send_messages": "Send Messages",
    "attach_files": "Attach Files",
}
NEEDED_IN_THREAD = {**NEEDED, "send_messages_in_threads": "Send Messages in Threads"}
MOST_CHOICES, MOST_CHARACTERS = 25, 100


async def make(interaction: Interaction, game: Game, given: Mapping[str, Any]) -> None:
    """Write a challenge and have its lobby posted in this channel."""
    guests = [one for name in OPPONENTS if (one := given.get(name))]
    seated = await written(interaction, game, given, guests, act_of(interaction))
    async with showing(client_of(interaction), interaction, seated.id):
        line = f"Match {seated.id} of {seated.game.title}{announced(seated)}{remarks(seated, given)}"
        await interaction.response.send_message(line, ephemeral=True)


async def written(
    interaction: Interaction, game: Game, given: Mapping[str, Any], guests: Sequence[Named], act: InteractionId
) -> Seated:
    """Write a challenge to some people, or a table where nobody is named, for this channel; once for each act. To name
    this bot is to ask for the computer."""
    client = client_of(interaction)
    named = [one for one in guests if client.user is None or one.id != client.user.id]
    level = given.get("level") or (USUAL if len(named) < len(guests) else None)
    if level is not None:
        expect_computer(client)
    expect_permissions(interaction)
    await expect_channel(interaction, await client.umpire.store.ask(Reader.settings, guild_of(interaction)))
    options = {name: value for name in game.Options.bounds() if (value := given.get(name)) is not None}
    wish = Challenge(
        guild=guild_of(interaction),
        channel=channel_of(interaction),
        host=user_of(interaction),
        game=game,
        options=options,
        seats=given.get("seats"),
        guests=tuple(expect_opponent(one, user_of(interaction)) for one in named),
        seating=SEATINGS[given.get("seat")],
        rated=given.get("rated") is not False,
        pace=given.get("pace"),
        level=level,
        legs=given.get("legs"),
    )
    return await client.umpire.challenge(act, wish)


def announced(seated: Seated) -> str:
    """What becomes of a new challenge, for the one who made it."""
    if seated.match:
        rivals = [person(player.user) for player in seated.players if is_computer(player.user)]
        return f" has begun{f' against {together(rivals)}' if rivals else ''}, see below."
    asked = [f"<@{player.user}>" for player in seated.players if player.invited]
    if not asked:
        return ": the table below is open for 48 hours."
    absent = [f" <@{user}> is away until <t:{ends}:D>." for user, ends in seated.away if user != seated.row.host]
    return f": {together(asked)} {'has' if len(asked) == 1 else 'have'} 48 hours to accept.{''.join(absent)}"


def remarks(seated: Seated, given: Mapping[str, Any]) -> str:
    """What somebody asked for of the computer that is not to be had, behind what becomes of their challenge."""
    level, wanted = computer_levels.level(seated.row), given.get("level")
    if level is None:
        return ""
    weaker = f" With these options the computer plays at level {level} at most." if (wanted or 0) > level else ""
    return f"{weaker}{f' {UNRATED}' if given.get('rated') else ''}"


def expect_opponent(opponent: Named, host: UserId) -> UserId:
    """The id of somebody who can be challenged, or a refusal."""
    if opponent.id == host:
        raise Refusal("You cannot challenge yourself: name somebody else, or nobody for an open table.")
    if isinstance(opponent, discord.User | discord.Member) and opponent.bot:
        raise Refusal(f"<@{opponent.id}> is a bot and plays no games: challenge a person.")
    if not isinstance(opponent, discord.Member):
        raise Refusal(f"<@{opponent.id}> is not in this server: only members can be challenged here.")
    return UserId(opponent.id)


async def expect_channel(interaction: Interaction, settings: ServerSettings) -> None:
    """Refuse a challenge in a channel where those who manage the server want none."""
    channel = interaction.channel
    place = channel.parent_id if isinstance(channel, discord.Thread) else channel_of(interaction)
    if not settings.channels or place in settings.channels:
        return
    if wanted := (await existing(interaction, settings)).channels:
        allowed = " and ".join(f"<#{channel}>" for channel in wanted)
        raise Refusal(f"Challenges belong elsewhere in this server: go to {allowed}.")


async def existing(interaction: Interaction, settings: ServerSettings) -> ServerSettings:
    """Settings without the channels that were deleted since: nobody could go there, or take them off the list."""
    channels, guild = client_of(interaction).publisher.channels, guild_of(interaction)
    lost = await asyncio.gather(*(channels.gone(guild, one) for one in settings.channels))
    gone = {one for one, is_lost in zip(settings.channels, lost, strict=True) if is_lost}

    def without(now: ServerSettings) -> ServerSettings:
        return replace(now, channels=tuple(one for one in now.channels if one not in gone))

    return (
        await client_of(interaction).umpire.store.do(Transaction.change_settings, guild, without) if gone else settings
    )


def expect_permissions(interaction: Interaction) -> None:
    """Refuse a challenge where the bot could not show the board, naming what it lacks."""
    threaded = isinstance(interaction.channel, discord.Thread)
    needed = NEEDED_IN_THREAD if threaded else NEEDED
    if threaded:
        needed = {name: text for name, text in needed.items() if name != "send_messages"}
    lacking = [text for name, text in needed.items() if not getattr(interaction.app_permissions, name)]
    if lacking:
        raise Refusal(
            f"I may not post boards in this channel: I lack {' and '.join(lacking)}. "
            "Ask somebody who manages the server to allow it, or use another channel."
        )


@suggesting
async def live_matches(
    interaction: Interaction, current: str, game: str | None = None
) -> list[app_commands.Choice[int]]:
    """The asker's live matches as choices for a `match` option."""
    client = client_of(interaction)
    user, now, titles = user_of(interaction), client.umpire.clock(), client.umpire.games
    rows = await client.umpire.store.ask(Reader.live_of, guild_of(interaction), user, game)
    found = [row for row in rows if row.game in titles and str(row.id).startswith(current.strip())]
    found.sort(key=lambda row: match_list.urgency(row, user, titles))
    names = [choice(row, titles[row.game], user, now) for row in found[:MOST_CHOICES]]
    return [app_commands.Choice(name=name, value=row.id) for name, row in zip(names, found, strict=False)]


def choice(row: MatchRow, game: Game, user: UserId, now: int) -> str:
    """A live match in a list of choices, which shows no mentions and no moments."""
    return f"{row.id}: {game.title}{how_far(row, game)}{match_list.pressing(row, user, now)}"[:MOST_CHARACTERS]


def how_far(row: MatchRow, game: Game) -> str:
    """How far a match is; with secrets nobody learns how often the others have moved."""
    return "" if game.secret else f", move {row.plies + 1}"


@suggesting
async def begun_matches(interaction: Interaction, current: str) -> list[app_commands.Choice[int]]:
    """The asker's latest matches that have begun, those that are over too, as choices for a `match` option."""
    client = client_of(interaction)
    states: tuple[State, ...] = ("live", "finished", "aborted")
    rows = await client.umpire.store.ask(Reader.listed, guild_of(interaction), states, (user_of(interaction),))
    titles = client.umpire.games
    found = [row for row in rows if row.game in titles and str(row.id).startswith(current.strip())]
    return [
        app_commands.Choice(name=f"{row.id}: {titles[row.game].title}"[:100], value=row.id)
        for row in found[:MOST_CHOICES]
    ]


@suggesting
async def private_matches(interaction: Interaction, current: str) -> list[app_commands.Choice[int]]:
    """The asker's latest matches alone that could be published, as choices for a `match` option."""
    client = client_of(interaction)
    rows = await client.umpire.store.ask(Reader.ended_of, guild_of(interaction), user_of(interaction))
    titles = client.umpire.games
    found = [row for row in rows if row.seats == 1 and row.state == "finished" and not row.published]
    return [
        app_commands.Choice(name=f"{row.id}: {titles[row.game].title}"[:100], value=row.id)
        for row in found[:MOST_CHOICES]
        if row.game in titles and str(row.id).startswith(current.strip())
    ]


def named_game(name: str) -> Game:
    """The offered game with this key or title, or a refusal."""
    wanted = name.strip().lower()
    for game in offered().values():
        if wanted in (game.key, game.title.lower()):
            return game
    raise Refusal("There is no such game here: /games shows what there is.")


def solo_game(name: str) -> Game:
    """The named game, or a refusal where it cannot be played alone."""
    game = named_game(name)
    if 1 not in game.seats:
        alone = together([other.title for other in offered().values() if 1 in other.seats])
        raise Refusal(f"{game.title} is not played alone; what can be: {alone}.")
    return game


def game_choices(current: str, alone: bool = False) -> list[app_commands.Choice[str]]:
    """The offered games whose title holds what has been typed, or of them those that can be played alone."""
    typed = current.strip().lower()
    games = [game for game in offered().values() if not alone or 1 in game.seats]
    found = [game for game in games if typed in game.title.lower() or typed in game.key]
    found.sort(key=lambda game: not game.title.lower().startswith(typed))
    return [app_commands.Choice(name=game.title, value=game.key) for game in found[:MOST_CHOICES]]
