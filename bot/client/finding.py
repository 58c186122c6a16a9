"""Which match a command means: the one named, that of this thread, the asker's only one, or a sentence with links."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from bot.core.rows import MatchRow
from bot.service.seated import Refusal, Seated, link_to
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
    here = await umpire.store.ask(Reader.in_thread, channel)
    mine = [row for row in here if row.state == "live" and row.player(user) and game in (None, row.game)]
    if not mine and (own := own_match(here)):
        return await _of_thread(umpire, own, guild, user, game)
    mine = mine or list(await umpire.store.ask(Reader.live_of, guild, user, game))
    if moving:
        mine = only(mine, lambda row: row.seat_of(user) in row.turn)
    if len(mine) == 1:
        return await umpire.load(mine[0].id)
    raise Refusal(which(umpire, mine, game))


def own_match(rows: tuple[MatchRow, ...]) -> MatchRow | None:
    """The match whose own thread this is; there anybody's command means that match, and never another."""
    return next((row for row in rows if row.thread != row.channel), None)


async def _of_thread(umpire: Umpire, own: MatchRow, guild: int, user: int, game: str | None) -> Seated:
    """The match of a thread, or a refusal where a command is of another game, with the links to the asker's matches."""
    seated = await umpire.load(own.id)
    if game in (None, seated.game.key):
        return seated
    title = umpire.games[game].title
    mine = await umpire.store.ask(Reader.live_of, guild, user, game)
    yours = f" Yours of {title}: {linked(mine)}" if mine else ""
    raise Refusal(f"This is the thread of match {seated.id}, of {seated.game.title}, not of {title}.{yours}")


def only(rows: list[MatchRow], wanted: Callable[[MatchRow], bool]) -> list[MatchRow]:
    """The rows that are wanted, or all of them if none is."""
    return [row for row in rows if wanted(row)] or rows


def expect_game(umpire: Umpire, seated: Seated, game: str | None) -> Seated:
    """The match, or a refusal when it is of another game than the command."""
    if game not in (None, seated.game.key):
        title = umpire.games[game].title
        raise Refusal(f"Match {seated.id} is a match of {seated.game.title}, not of {title}: {seated.link}")
    return seated


def which(umpire: Umpire, rows: list[MatchRow], game: str | None) -> str:
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
