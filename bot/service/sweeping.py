"""What time and a new program do to matches, with nobody acting: challenges expire, matches that cannot go on close.

Like an act of the umpire's, each is one short transaction that does nothing where the match has changed meanwhile.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from bot.core.game import Game
from bot.core.ids import MatchId
from bot.core.rows import MatchRow, State
from bot.service.transactions import ending
from data.store import Reader, Store, Transaction

DELIVERIES_FOR = 3600
"""Seconds for which an interaction is known by its number; Discord's tokens are good for a quarter of an hour."""


class Sweeper:
    """Closes what is over without anybody's doing, and drops what nobody will ask for again."""

    def __init__(self, store: Store, games: Mapping[str, Game], clock: Callable[[], int]) -> None:
        self.store = store
        self.games = games
        self.clock = clock
        self._tidied = 0

    async def tidy(self) -> None:
        """Once an hour: drop what is known of interactions so old that Discord delivers none of them again."""
        now = self.clock()
        if now - self._tidied > DELIVERIES_FOR:
            await self.store.do(Transaction.forget_deliveries, now - DELIVERIES_FOR)
            self._tidied = now

    async def expire(self) -> list[MatchId]:
        """Close the challenges whose time is over; the numbers of those matches."""
        now = self.clock()
        rows = await self.store.ask(Reader.expired, now)
        return [row.id for row in rows if await self._close(row, "expired", None)]

    async def close_outdated(self) -> list[MatchId]:
        """Close live matches that this program cannot carry on, unrated, with a sentence."""
        closed: list[MatchId] = []
        for row in await self.store.ask(Reader.live_matches):
            if (reason := outdated(row, self.games)) and await self._close(row, "aborted", reason):
                closed.append(row.id)
        return closed

    async def _close(self, row: MatchRow, state: State, closing: str | None) -> bool:
        def closed(tx: Transaction) -> bool:
            ended = tx.update(row.id, row.version, **ending(state, self.clock()), closing=closing, rated=False)
            for player in row.players if ended else ():
                tx.seat(row.id, player.user, due=row.version + 1)
            return ended

        return await self.store.do(closed)


def outdated(row: MatchRow, games: Mapping[str, Game]) -> str | None:
    """Why this program cannot carry a live match on; None when it can."""
    game = games.get(row.game)
    if game is None:
        return f"This match was closed, unrated: the game {row.game} is not part of this bot any more."
    if game.version != row.game_version:
        return f"This match was closed, unrated: the rules of {game.title} were corrected while it was being played."
    return None
