"""Reads an interaction for every room: who acts, where, what they chose, and which match they mean.

A command means the match that is named, that of this thread, or the asker's only one. Where that leaves none or
several, a refusal lists them with links.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import discord

from bot.client.interactions.custom_ids import NUMBER, CustomId
from bot.core.match.loaded_match import LoadedMatch, Refusal
from bot.core.match.stored import MatchRow, Stored
from bot.core.values.computer_users import LEVELS
from bot.core.values.ids import ChannelId, GuildId, InteractionId, MatchId, UserId
from bot.service.umpire.umpire import Umpire
from data.store import Reader

Interaction = discord.Interaction[Any]
FILLED_BY_CLIENTS = frozenset(
    one.value
    for one in (
        discord.ComponentType.user_select, discord.ComponentType.role_select, discord.ComponentType.mentionable_select,
        discord.ComponentType.channel_select,
    )
)  # fmt: skip
"""The selects of people, roles and channels, by the numbers of their kinds."""
SELECTS = FILLED_BY_CLIENTS | {discord.ComponentType.select.value}
USED = "what was used"
"""Under this an interaction has the id of it in its `extras`."""
NO_NUMBER = (
    "That isn't a match. Write its number, like 12, or paste a link to its thread or its board; /matches lists yours."
)
SEVERAL = "You have several matches here. Go to the thread of the one you mean, or add its number:"

Wanted = Callable[[MatchRow], bool]
"""Says of a match whether a command can do anything with it."""
Listing = Callable[[str, Sequence[MatchRow], UserId], str]
"""Lists matches for somebody below a sentence that asks which they mean."""


def act_of(interaction: Interaction) -> InteractionId:
    """The idempotency key of what somebody does: the interaction's number, the same when Discord delivers it again."""
    return InteractionId(interaction.id)


def user_of(interaction: Interaction) -> UserId:
    """Who acts."""
    return UserId(interaction.user.id)


def guild_of(interaction: Interaction) -> GuildId:
    """The server in which somebody acts; what comes from elsewhere is refused before."""
    assert interaction.guild_id
    return GuildId(interaction.guild_id)


def channel_of(interaction: Interaction) -> ChannelId:
    """The channel or thread in which somebody acts, or a refusal where Discord names none."""
    if interaction.channel_id is None:
        raise Refusal("I can't play in this kind of channel. Use another one.")
    return ChannelId(interaction.channel_id)


def bot_of(interaction: Interaction) -> UserId | None:
    """The bot's own number; None before it has logged in."""
    client: discord.Client = interaction.client
    return UserId(client.user.id) if client.user else None


def is_ephemeral(interaction: Interaction) -> bool:
    """Whether somebody acts on a message that they alone see."""
    return interaction.message is not None and interaction.message.flags.ephemeral


def is_select(interaction: Interaction) -> bool:
    """Whether somebody has chosen in a select of a message."""
    return data_of(interaction).get("component_type") in SELECTS


def data_of(interaction: Interaction) -> Mapping[str, Any]:
    """What Discord sent with an interaction; empty where it sent nothing."""
    data: Mapping[str, Any] = interaction.data or {}  # pyright: ignore[reportAssignmentType]  -- a TypedDict
    return data


def used_of(interaction: Interaction) -> CustomId | None:
    """What was used in a message, or the form that was sent; None for a command, and for what is not ours."""
    return interaction.extras.get(USED)


def match_used(interaction: Interaction) -> MatchId | None:
    """The match that this names; None where it names none."""
    return getattr(used_of(interaction), "match", None)


def match_of(number: object) -> MatchId | None:
    """The match that a command's option names; None where it names none. Nothing else reads such numbers.

    discord.py hands on what was sent, whole, with a point or as text, and a database takes all of them for the same.
    """
    if isinstance(number, float) and number.is_integer():
        number = int(number)
    if isinstance(number, int | str) and re.fullmatch(NUMBER, str(number)):
        return MatchId(int(number))
    if number is None:
        return None
    raise Refusal(NO_NUMBER)


def values_of(interaction: Interaction) -> list[str]:
    """What was chosen in a select."""
    return list(data_of(interaction).get("values") or ())


def level_of(values: Sequence[str]) -> int:
    """The level of the computer that was chosen in a select, or a refusal."""
    if len(values) == 1 and values[0] in map(str, LEVELS):
        return int(values[0])
    raise Refusal(f"The computer plays at levels {LEVELS[0]} to {LEVELS[-1]}. Choose one of them.")


# Which match a command means.


class MatchFinder:
    """Finds the match that a command means."""

    def __init__(self, umpire: Umpire, listing: Listing) -> None:
        self._umpire = umpire
        self._listing = listing

    async def find(
        self, interaction: Interaction, number: object, *, game: str | None = None, wanted: Wanted | None = None
    ) -> LoadedMatch:
        """The match with the number that was given, or else the one that somebody means in this channel, of one game or
        of any; where there are several, one that is `wanted`. A `Refusal` where that leaves none or several."""
        named, umpire = match_of(number), self._umpire
        guild, channel, user = guild_of(interaction), channel_of(interaction), user_of(interaction)
        row, mine = await umpire.store.ask(meant, guild, channel, user, game, named, wanted)
        if named is not None:
            return expect_game(umpire, await umpire.seated(row) if row else await umpire.load(named), game)
        if row is None:
            raise Refusal(self._listing(SEVERAL, mine, user) if mine else none(umpire, game))
        if game not in (None, row.game):
            title, other = umpire.games[game].title, umpire.games[row.game].title
            sentence = f"This thread is for match {row.id}, which is {other}, not {title}."
            yours = f"{sentence} Your {title} matches:"
            raise Refusal(self._listing(yours, mine, user) if mine else sentence)
        return await umpire.seated(row)


def meant(
    reader: Reader,
    guild: GuildId,
    channel: ChannelId,
    user: UserId,
    game: str | None,
    named: MatchId | None,
    wanted: Wanted | None,
) -> tuple[Stored | None, Sequence[MatchRow]]:
    """The match, if only one can be meant, and those matches of the asker that might be meant."""
    if named is not None:
        return reader.load(named), ()
    here = reader.in_thread(channel)
    mine = [row for row in here if row.state == "live" and row.player(user) and game in (None, row.game)]
    if not mine and (own := own_match(here)):
        return reader.recorded(own), () if game in (None, own.game) else reader.live_of(guild, user, game)
    mine = mine or list(reader.live_of(guild, user, game))
    if wanted:
        mine = only(mine, wanted)
    return reader.recorded(mine[0]) if len(mine) == 1 else None, mine


def own_match(rows: tuple[MatchRow, ...]) -> MatchRow | None:
    """The match whose own thread this is; every command in it means that match."""
    return next((row for row in rows if row.thread != row.channel), None)


def only(rows: list[MatchRow], wanted: Wanted) -> list[MatchRow]:
    """The rows that are wanted, or all of them if none is."""
    return [row for row in rows if wanted(row)] or rows


def expect_game(umpire: Umpire, seated: LoadedMatch, game: str | None) -> LoadedMatch:
    """The match, or a refusal when it is of another game than the command."""
    if game not in (None, seated.game.key):
        title = umpire.games[game].title
        raise Refusal(f"Match {seated.id} is {seated.game.title}, not {title}: {seated.link}")
    return seated


def none(umpire: Umpire, game: str | None) -> str:
    """The sentence for somebody whose command could mean none of their matches."""
    if game is None:
        return "You have no open matches here. Use /play to challenge somebody."
    return f"You have no {umpire.games[game].title} match open here. Use /{game} challenge to challenge somebody."
