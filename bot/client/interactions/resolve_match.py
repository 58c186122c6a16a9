"""Finds the match that a command means: the one named, that of this thread, or the asker's only one.

Where that leaves none or several, a refusal lists them with links.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from bot.client.interactions.context import Interaction, channel_of, guild_of, match_of, user_of
from bot.core.match.loaded_match import LoadedMatch, Refusal, link_to
from bot.core.match.stored import MatchRow, Stored
from bot.core.values.ids import ChannelId, GuildId, MatchId, UserId
from bot.service.umpire.umpire import Umpire
from data.store import Reader

MOST_LINKS = 8

Wanted = Callable[[MatchRow], bool]
"""Says of a match whether a command can do anything with it."""


class MatchFinder:
    """Finds the match that a command means."""

    def __init__(self, umpire: Umpire) -> None:
        self._umpire = umpire

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
            raise Refusal(which(umpire, mine, game))
        if game not in (None, row.game):
            title, other = umpire.games[game].title, umpire.games[row.game].title
            yours = f" Yours of {title}: {linked(mine)}" if mine else ""
            raise Refusal(f"This is the thread of match {row.id}, of {other}, not of {title}.{yours}")
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
        raise Refusal(f"Match {seated.id} is a match of {seated.game.title}, not of {title}: {seated.link}")
    return seated


def which(umpire: Umpire, rows: Sequence[MatchRow], game: str | None) -> str:
    """The sentence for somebody whose command could mean none of their matches, or several."""
    title = f" of {umpire.games[game].title}" if game else ""
    if not rows:
        return (
            f"You have no match{title} here: challenge somebody with /{game or 'play'}{' challenge' if game else ''}."
        )
    return f"You have several matches{title}: go to the thread of the one you mean, or name it with match. " + linked(
        rows
    )


def linked(rows: Sequence[MatchRow]) -> str:
    """Matches by their numbers, with links."""
    return " · ".join(f"{row.id} {link_to(row)}" for row in rows[:MOST_LINKS])
