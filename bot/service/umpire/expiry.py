"""Expires challenges that nobody answered, and closes matches whose game has changed its rules.

Each is one short transaction, like the umpire's acts, and does nothing where the match has changed since it was read.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from bot.core.game.game import Game
from bot.core.match.clocks import STILL
from bot.core.match.stored import MatchRow, State
from bot.core.values.computer_users import is_computer
from bot.core.values.ids import MatchId
from bot.service.rules import challenge_limits
from bot.service.rules.refusals import corrected
from bot.service.time import nights, place_notices, reminder_removals, time_preferences
from bot.service.umpire.transactions import ending, line_removed
from data.store import Reader, Store, Transaction

DELIVERIES_FOR = 3600
"""Seconds for which idempotency keys are kept; Discord's tokens are valid for a quarter of an hour."""
RETURNS_EVERY = 60
"""Seconds between two looks for absences that are over; boards tell absences in days."""
CLOSED_AT_ONCE = 50
"""The most matches closed in one transaction, so that other writes do not wait long."""


class Sweeper:
    """Closes expired challenges and outdated matches, and drops rows that are no longer needed."""

    def __init__(self, store: Store, games: Mapping[str, Game], clock: Callable[[], int]) -> None:
        self.store = store
        self.games = games
        self.clock = clock
        self._tidied = 0
        self._returned: int | None = None
        self._looked = 0
        self._current = False

    async def tidy(self) -> None:
        """Once an hour, drop the keys of interactions that Discord no longer repeats, and challenges that no longer
        count against a cap."""
        now = self.clock()
        if not 0 <= now - self._tidied <= DELIVERIES_FOR:
            await self.store.unhurried.do(Transaction.forget_deliveries, DELIVERIES_FOR)
            await self.store.unhurried.do(Transaction.forget_asks, now - challenge_limits.HOUR)
            self._tidied = now

    async def show_returned(self) -> None:
        """Once a minute, redraw the boards that still show an absence which is over."""
        now = self.clock()
        if 0 <= now - self._looked < RETURNS_EVERY:
            return
        self._looked = now
        if self._returned is None:
            self._returned = await self.store.ask(time_preferences.known_returned)
        # If this clock was ahead for a while, some are looked at twice.
        self._returned = min(self._returned, now)
        if await self.store.ask(Reader.returned, self._returned, now):
            await self.store.unhurried.do(time_preferences.returned, self._returned, now)
            self._returned = now

    async def expire(self) -> list[MatchId]:
        """Close some of the challenges whose time is over; the numbers of those matches."""
        rows = await self.store.ask(Reader.expired, self.clock(), CLOSED_AT_ONCE)
        return await self._close(rows, "expired", lambda _: None)

    async def wake(self) -> list[MatchId]:
        """Notify players whose quiet hours are over, in some of the matches in which something happened meanwhile;
        returns those matches."""
        now = self.clock()
        found = await self.store.ask(Reader.waking, now, CLOSED_AT_ONCE)

        def awoken(tx: Transaction) -> list[MatchId]:
            tx.keep_times()
            return [match for match in found if nights.awoken(tx, match, now)]

        return await self.store.unhurried.do(awoken) if found else []

    async def close_outdated(self) -> list[MatchId]:
        """Close some of the live matches that this program cannot carry on, unrated, with a sentence.

        None is closed where none is left; there will be no others while this program runs.
        """
        if self._current:
            return []
        versions = {key: game.version for key, game in self.games.items()}
        rows = await self.store.ask(Reader.outdated, versions, CLOSED_AT_ONCE)
        self._current = not rows
        return await self._close(rows, "aborted", lambda row: outdated(row, self.games))

    async def close_unreached(self) -> list[MatchId]:
        """Close some of the live matches, unrated, whose places have been closed for a month in which nobody moved."""
        rows = await self.store.ask(Reader.given_up, self.clock() - place_notices.GIVEN_UP_AFTER, CLOSED_AT_ONCE)
        return await self._close(rows, "aborted", lambda _: place_notices.GIVEN_UP)

    async def _close(
        self, rows: Sequence[MatchRow], state: State, reason: Callable[[MatchRow], str | None]
    ) -> list[MatchId]:
        """Close those of some matches that have not changed since they were read."""
        now = self.clock()

        def closed(tx: Transaction) -> list[MatchId]:
            tx.keep_times()
            return [row.id for row in rows if close(tx, row, state, reason(row), now)]

        return await self.store.unhurried.do(closed) if rows else []


def close(tx: Transaction, row: MatchRow, state: State, reason: str | None, now: int) -> bool:
    """Close a match, and tell its players, in one line when all are awake; False where it has changed meanwhile."""
    ended = tx.update(row.id, row.version, **ending(state, now), close_reason=reason, rated=False)
    still: Mapping[str, Any] = STILL if row.pace != "none" else {}
    people = [player.user for player in row.players if not is_computer(player.user)]
    told = nights.to_tell(nights.all_wake(tx, row.guild, people, now), row.version + 1, now)
    for user in people if ended else ():
        tx.seat(row.id, user, prepared=None, **told, **still)
    if ended:
        reminder_removals.taken_down(tx, row)
        line_removed(tx, row)
        tx.stir_league(row.id)
    return ended


def outdated(row: MatchRow, games: Mapping[str, Game]) -> str:
    """Why this program cannot carry a live match on."""
    if game := games.get(row.game):
        return corrected(game)
    return f"This match was closed, unrated: the game {row.game} is not part of this bot any more."
