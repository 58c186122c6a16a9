"""Lets players claim a match against a player who ran out of time, or give that player more time.

The buttons stand under the board, for each seat that ran out. The match as it stands when one is pressed decides
whether it still means anything.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from bot.client.interactions.context import Interaction, act_of, user_of
from bot.client.interactions.routes import on
from bot.client.moves.confirm import Confirmations
from bot.client.text import clock_text
from bot.client.views import edits, match_views
from bot.client.views.match_ids import ActButton, ClaimButton, stamp
from bot.client.views.replies import Replies
from bot.core.match.loaded_match import LoadedMatch, Sight, person
from bot.core.match.stored import MatchRow
from bot.core.values.seats import Seat
from bot.service.rules import claims, proposals
from bot.service.rules.refusals import Closed
from bot.service.umpire.deadlines import Deadlines
from bot.service.umpire.umpire import Umpire

STILL_HERE = "Nobody on that seat has left this server by now. Nothing was changed."
AsksAfter = Callable[[LoadedMatch], Awaitable[LoadedMatch]]
"""Asks Discord whether those are still away who count as gone."""


class ClaimActions:
    """Claims matches and gives more time."""

    def __init__(
        self,
        umpire: Umpire,
        deadlines: Deadlines,
        replies: Replies,
        confirmations: Confirmations,
        asked_after: AsksAfter,
    ) -> None:
        self._umpire = umpire
        self._deadlines = deadlines
        self._replies = replies
        self._confirmations = confirmations
        self._asked_after = asked_after

    @on(ClaimButton, words="claim give substitute")
    async def pressed(self, interaction: Interaction, button: ClaimButton) -> None:
        """Answer a button about somebody's time."""
        acts = {"claim": self.claim, "give": self.give, "substitute": self._substitute}
        await acts[button.verb](interaction, await self._umpire.load(button.match), button.seat)

    async def claim(self, interaction: Interaction, seated: LoadedMatch, seat: Seat | None = None) -> None:
        """Ask somebody whether they mean to claim a match; without a seat, against the player who ran out first."""
        user = user_of(interaction)
        change, player = claims.claiming(seated, user, seat), claims.expect_claimable(seated, seat)
        if player.gone:
            await self._asked_after(seated)
        sentence = clock_text.claiming(seated, player, ends=change.ends is not None)
        of = stamp(Sight.of(seated, seated.seat_of(user)))
        yes = ClaimButton(*of, "claimed", player.seat or 0), "Claim"
        view = match_views.question(sentence, yes, (ActButton(*of, "stay"), "Keep waiting"))
        await edits.answer_anew(interaction, view)

    async def give(self, interaction: Interaction, seated: LoadedMatch, seat: Seat | None = None) -> None:
        """Give more time to a seat that ran out of it; without a seat, to the one that did so first."""
        claims.giving(seated, user_of(interaction), seat)
        player = claims.expect_late(seated, seat)
        done = await self._deadlines.give(act_of(interaction), seated.id, user_of(interaction), player.seat)
        await self._replies.answered(
            interaction, done, f"You gave {person(player.user)} {claims.EXTRA_DAYS} more days."
        )

    @on(ClaimButton, words="claimed")
    async def claimed(self, interaction: Interaction, button: ClaimButton) -> None:
        """Claim a match, as somebody has confirmed."""
        seat = button.seat
        await self._confirmations.expect_same(interaction, button)
        seated = await self._umpire.load(button.match)
        if any(player.seat == seat for player in seated.missing):
            await self._asked_after(seated)
        done = await self._deadlines.claim(act_of(interaction), button.match, user_of(interaction), seat)
        goes_on = f"{person(done.after.user_at(seat))} is out, and the match goes on."
        line = goes_on if done.after.row.state == "live" else "You claimed the match."
        await self._replies.answered(interaction, done, line)

    async def _substitute(self, interaction: Interaction, seated: LoadedMatch, seat: Seat) -> None:
        """Let somebody choose who takes over from a player who has left the server."""
        proposals.expect_voter(seated, user_of(interaction))
        player = next((player for player in seated.missing if player.seat == seat), None)
        if player is None:
            raise Closed(STILL_HERE)
        await self._asked_after(seated)
        await edits.answer_anew(interaction, match_views.substitute(seated, player))


def wanted(row: MatchRow) -> bool:
    """Whether somebody ran out of time in a match, or has left the server."""
    return any(player.forfeit_at is not None or player.gone for player in row.players)
