"""Which match a command means: the one named, that of this thread, the asker's only one, or a sentence with links."""

from __future__ import annotations

from collections.abc import Callable

from bot.core.rows import MatchRow
from bot.service.seated import Refusal, Seated
from bot.service.umpire import Umpire
from data.store import Reader

MOST_LINKS = 8


async def find(
    umpire: Umpire, guild: int, channel: int, user: int, *, game: str | None = None, named: int | None = None,
    moving: bool = False,
) -> Seated:  # fmt: skip
    """The match that somebody means in a channel, of one game or of any; for a move, one where it is their turn."""
    if named is not None:
        return expect_game(umpire, await umpire.load(named), game)
    here = [row for row in await umpire.store.ask(Reader.in_thread, channel) if game in (None, row.game)]
    played = [row for row in here if row.state == "live"]
    mine = [row for row in played if row.player(user)] or (played if channel_is_thread(played) else [])
    if not mine and not played and len(here) == 1 and here[0].thread != here[0].channel:
        return await umpire.load(here[0].id)
    mine = mine or list(await umpire.store.ask(Reader.live_of, guild, user, game))
    if moving:
        mine = only(mine, lambda row: row.seat_of(user) in row.turn)
    if len(mine) == 1:
        return await umpire.load(mine[0].id)
    raise Refusal(await which(umpire, mine, game))


def channel_is_thread(rows: list[MatchRow]) -> bool:
    """Whether these are matches of a thread of their own, where even a stranger's command can only mean this one."""
    return len(rows) == 1 and rows[0].thread != rows[0].channel


def only(rows: list[MatchRow], wanted: Callable[[MatchRow], bool]) -> list[MatchRow]:
    """The rows that are wanted, or all of them if none is."""
    return [row for row in rows if wanted(row)] or rows


def expect_game(umpire: Umpire, seated: Seated, game: str | None) -> Seated:
    """The match, or a refusal when it is of another game than the command."""
    if game not in (None, seated.game.key):
        title = umpire.games[game].title
        raise Refusal(f"Match {seated.id} is a match of {seated.game.title}, not of {title}: {seated.link}")
    return seated


async def which(umpire: Umpire, rows: list[MatchRow], game: str | None) -> str:
    """The sentence for somebody whose command could mean none of their matches, or several."""
    title = f" of {umpire.games[game].title}" if game else ""
    if not rows:
        return (
            f"You have no match{title} here: challenge somebody with /{game or 'play'}{' challenge' if game else ''}."
        )
    links = [f"{row.id} {(await umpire.load(row.id)).link}" for row in rows[:MOST_LINKS]]
    return (
        f"You have several matches{title}: go to the thread of the one you mean, or name it with match. "
        + " · ".join(links)
    )
