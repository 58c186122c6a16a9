"""People who leave a server, and come back: as acts in all their matches there, and a note in their leagues.

The caller learns from Discord who has left. The umpire carries it out under idempotency keys made from what it is
about, so that two processes that find out at once, or a restart, notify nobody twice.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from bot.core.game.position import MoveError
from bot.core.match.loaded_match import LoadedMatch, Refusal
from bot.core.match.stored import MatchRow
from bot.core.values.ids import GuildId, LeagueId, MatchId, UserId, timed
from bot.service.rules import departures
from bot.service.rules.decisions import Change
from bot.service.rules.refusals import NOBODY
from bot.service.umpire.umpire import Umpire
from data.store import Reader, Transaction


class Departures:
    """Notes who has left a server, and who is back."""

    def __init__(self, umpire: Umpire) -> None:
        self._umpire = umpire
        self.league_changed: Callable[[LeagueId], object] = lambda _league: None
        """Called for every league that is to be shown anew."""

    async def left(self, guild: GuildId, user: UserId) -> list[MatchId]:
        """Mark a user as gone from a server; returns the matches in which that was not known."""
        told, changed = set[UserId](), list[MatchId]()
        await self._in_leagues(guild, user, self._umpire.clock())
        for row in await self._rows(guild, user, gone=False):
            decide = partial(departures.departing, user=user, knowing=frozenset(told))
            if after := await self._act("left", row, user, decide):
                told |= {one.user for one in after.row.players if one.mention_version == after.row.version}
                changed.append(row.id)
        return changed

    async def back(self, guild: GuildId, user: UserId) -> list[MatchId]:
        """Mark a user as back in a server; returns the matches in which that was not known."""
        decide = partial(departures.returning, user=user)
        await self._in_leagues(guild, user, None)
        rows = await self._rows(guild, user, gone=True)
        return [row.id for row in rows if await self._act("back", row, user, decide)]

    async def _rows(self, guild: GuildId, user: UserId, gone: bool) -> list[MatchRow]:
        """A user's live matches in a server in which they are marked as `gone`, or are not."""
        rows = await self._umpire.store.ask(Reader.live_of, guild, user)
        return [row for row in rows if (player := row.player(user)) and player.gone is gone]

    async def _act(
        self, kind: str, row: MatchRow, user: UserId, decide: Callable[[LoadedMatch], Change]
    ) -> LoadedMatch | None:
        """The match after the act; None where there is nothing to be done by now."""
        try:
            done = await self._umpire.act(timed(kind, row.id, row.version, user), row.id, NOBODY, decide)
        except (MoveError, Refusal):
            return None
        return None if done.repeated else done.after

    async def _in_leagues(self, guild: GuildId, user: UserId, since: int | None) -> None:
        """Note since when a user is gone from their leagues in a server; None: they are there."""
        for league in await self._umpire.store.do(noted, guild, user, since):
            self.league_changed(league)


def noted(tx: Transaction, guild: GuildId, user: UserId, since: int | None) -> list[LeagueId]:
    """Note it; returns the leagues of a server in which it was not known."""
    theirs = [league for league, of in tx.leagues_of(user) if of == guild]
    if not theirs:
        return []
    tx.go_alone(guild)
    return [league for league in theirs if tx.gone_from_league(league, user, since)]
