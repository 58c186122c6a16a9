"""Stores and clears premoves: acts that concern only the user who does them.

They raise no version of the match, since nothing that others see changes with them. They hold when the match has not
gone on since they were decided; to do one twice changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from bot.core.entry.prepared import Line, Prepared
from bot.core.match.loaded_match import LoadedMatch, Refusal
from bot.core.match.stored import Stored
from bot.core.values.ids import MatchId, UserId
from bot.service.umpire import exchanges
from bot.service.umpire.umpire import TRIES, Umpire
from data.store import Transaction


class PreparedMoves:
    """Stores the premoves of users."""

    def __init__(self, umpire: Umpire) -> None:
        self.umpire = umpire

    async def add(self, match: MatchId, user: UserId, line: Line, seen: int | None = None) -> LoadedMatch:
        """Add one more line: moves of the opponent and of the user, from where the match stands. `seen`: how many lines
        of the record stood on the surface where it was entered. Returns the match with it."""
        return await self._kept(match, user, lambda seated: exchanges.growing(seated, user, line, seen))

    async def clear(self, match: MatchId, user: UserId) -> LoadedMatch:
        """Give up all that one has prepared in a match."""

        def nothing(seated: LoadedMatch) -> Prepared:
            exchanges.expect_preparable(seated, user)
            return Prepared()

        return await self._kept(match, user, nothing)

    async def _kept(self, match: MatchId, user: UserId, decide: Callable[[LoadedMatch], Prepared]) -> LoadedMatch:
        for _ in range(TRIES):
            seated = await self.umpire.load(match)
            text = decide(seated).kept
            if await self.umpire.store.do(keep, seated.row, user, text):
                players = (replace(one, prepared=text) if one.user == user else one for one in seated.row.players)
                return replace(seated, row=replace(seated.row, players=tuple(players)))
        raise Refusal("Others were faster. Nothing was changed; try again.")


def keep(tx: Transaction, row: Stored, user: UserId, text: str | None) -> bool:
    """Store a user's premoves if the match is as it was read; False, and no change, if it is not. The lock on the match
    keeps moves out meanwhile, so the move that they answer finds either these or those before."""
    tx.hold(row.id)
    now = tx.row(row.id)
    if now is None or now.version != row.version or tx.prepared(row.id) != exchanges.prepared_in(row):
        return False
    return tx.seat(row.id, user, prepared=text)
