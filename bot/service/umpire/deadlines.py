"""Deadlines: the acts that time brings about, and those of the players who wait for a seat whose time has run out.

The umpire carries them out like people's acts, under idempotency keys made from what they are about: a move that came a
moment earlier counts, and a restart or another process does nothing twice.
"""

from __future__ import annotations

import logging
from collections.abc import AsyncGenerator, Callable, Collection

from bot.core.game.position import MoveError
from bot.core.match.loaded_match import LoadedMatch, Refusal, UnknownMatch
from bot.core.values.ids import GuildId, InteractionId, MatchId, UserId, timed
from bot.core.values.seats import Seat
from bot.core.values.shards import Share
from bot.service.rules import claims, proposal_endings
from bot.service.rules.claims import NOBODY
from bot.service.rules.decisions import Change
from bot.service.umpire.umpire import Done, Umpire
from data.engine.database_errors import Unavailable
from data.store import Reader

AT_ONCE = 50
"""How many matches are looked up at a time."""
PAUSE = 3600
"""Seconds for which a match rests whose deadline failed with an error."""

log = logging.getLogger(__name__)

Timed = tuple[InteractionId, Callable[[LoadedMatch], Change]]
"""An act of time: its idempotency key, and its decision."""


class Deadlines:
    """Carries out the acts that are due, claims, and gifts of time."""

    def __init__(self, umpire: Umpire) -> None:
        self.umpire = umpire
        self.left: Callable[[GuildId], bool] = lambda _guild: False
        """Whether the bot has left a server: users there cannot act, so nothing is due there."""
        self._resting: dict[MatchId, int] = {}

    async def claim(self, act: InteractionId, match: MatchId, user: UserId, seat: Seat | None = None) -> Done:
        """Claim a match against a player who ran out of time."""
        return await self.umpire.act(act, match, user, lambda seated: claims.claiming(seated, user, seat))

    async def give(self, act: InteractionId, match: MatchId, user: UserId, seat: Seat | None = None) -> Done:
        """Give more time to a player who ran out of it."""
        return await self.umpire.act(act, match, user, lambda seated: claims.giving(seated, user, seat))

    async def pass_(self, share: Share | None = None) -> AsyncGenerator[MatchId]:
        """Do all that is due by now in the servers of a share, or in all of ours, one match after the other; yields the
        match after each act."""
        now = self.umpire.clock()
        self._resting = {match: until for match, until in self._resting.items() if now < until <= now + PAUSE}
        skipped = set(self._resting)
        share = share or self.umpire.store.share
        while found := await self.umpire.store.ask(run_out, share, now, tuple(skipped)):
            for match in found:
                acts = await self._passed(match, now)
                for _ in range(acts):
                    yield match
                if not acts:
                    skipped.add(match)
            if len(found) < AT_ONCE:
                return

    async def _passed(self, match: MatchId, now: int) -> int:
        """Carry out all acts that are due in a match, and return their number. After an unforeseen error the match is
        skipped for a while."""
        acts = 0
        try:
            seated = await self.umpire.load(match)
            if self.left(seated.row.guild):
                return 0
            while due := what_is_due(seated, now):
                act, decide = due
                done = await self.umpire.act(act, match, NOBODY, decide, start=seated)
                if done.repeated:
                    break
                acts, seated = acts + 1, done.after
            return acts
        except Unavailable:
            raise
        except UnknownMatch as fault:
            log.warning("What is due in match %d cannot be done: %s", match, fault)
        except (MoveError, Refusal) as refusal:
            # Nearly always a player has just moved, and nothing is due now.
            log.debug("Nothing was done in match %d: %s", match, refusal)
            return acts
        except Exception:
            log.warning("What is due in match %d cannot be done.", match, exc_info=True)
        self._resting[match] = now + PAUSE
        return acts


def run_out(reader: Reader, share: Share, now: int, skipped: Collection[MatchId]) -> tuple[MatchId, ...]:
    """Some matches of a share in which something is due, except those skipped."""
    return reader.within(share).run_out(now, AT_ONCE, skipped)


def what_is_due(seated: LoadedMatch, now: int) -> Timed | None:
    """The act that is due in a match: a player's time runs out, a seat is claimed by itself, or a pause ends. None
    where nothing is due."""
    if seated.row.state != "live":
        return None
    plies, proposed = seated.row.plies, seated.row.proposed
    if proposal_endings.is_overdue(seated, now):
        return timed("resume", seated.id, proposed or 0), lambda match: proposal_endings.overdue(match, now)
    if out := claims.due(seated, now):
        first = min(player.deadline or 0 for player in out)
        return timed("out", seated.id, plies, first), lambda match: claims.running_out(match, now)
    lapses = [player.forfeit_at for player in seated.late if player.forfeit_at is not None and player.forfeit_at <= now]
    if not lapses:
        return None
    return timed("lapse", seated.id, plies, min(lapses)), lambda match: claims.lapsing(match, now)
