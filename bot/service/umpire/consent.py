"""Proposals as acts: to ask all others in a match for something, to agree, and to refuse.

`bot.service.rules.proposals` decides, and the umpire writes what it decides.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from bot.core.match.loaded_match import LoadedMatch
from bot.core.match.proposal import Kind
from bot.core.values.ids import InteractionId, MatchId, UserId
from bot.core.values.seats import Seat
from bot.search.thoughts import Question, Thought
from bot.service.rules import calling_off, computer_seats, proposals
from bot.service.rules.decisions import Change
from bot.service.umpire.umpire import Done, Umpire
from data.store import Reader

Thinks = Callable[[Question], Awaitable[Thought]]
"""Answers a search request about a board, after a while."""


class Consent:
    """Makes proposals and answers them."""

    def __init__(self, umpire: Umpire) -> None:
        self.umpire = umpire

    async def propose(
        self, act: InteractionId, match: MatchId, user: UserId, kind: Kind, seen: int | None = None
    ) -> Done:
        """Propose something to all others. `seen`: how many lines of the record the board shows whose button was
        pressed; None for a command, which also agrees where another player proposes the same."""
        now, allowed = self.umpire.clock(), kind != "takeback" or await self.takebacks(match)
        return await self.umpire.act(
            act, match, user, lambda seated: proposals.proposing(seated, user, kind, now, allowed, seen)
        )

    async def draw(self, act: InteractionId, match: MatchId, user: UserId, thinks: Thinks) -> Done:
        """Propose a draw where computers play, or agree where another player proposes one. The computers search first:
        people are asked only if all computers agree; else the refusal of the first that does not is stored."""
        seated, now = await self.umpire.load(match), self.umpire.clock()
        if proposals.open_proposal(seated):
            return await self.propose(act, match, user, "draw")
        plies = seated.row.plies
        for seat in computer_seats.asked(seated, user, now):
            if not computer_seats.content(await thinks(computer_seats.question(seated, seat)), seat):
                return await self.umpire.act(
                    act, match, user, lambda after, by=seat: computer_seats.declined(after, user, by, plies, now)
                )
        return await self.umpire.act(act, match, user, lambda after: computer_seats.offered(after, user, plies, now))

    async def takebacks(self, match: MatchId) -> bool:
        """Whether moves can be taken back where a match is played."""
        return (await self.umpire.store.ask(Reader.settings, await self.umpire.guild(match))).takebacks

    async def replace(
        self, act: InteractionId, match: MatchId, user: UserId, of: Seat, new: UserId, absent: bool = False
    ) -> Done:
        """Ask all others, and the person `new`, that this one takes over seat `of`; or agree to that. `absent`: the
        player on that seat has left the server."""
        now = self.umpire.clock()
        return await self.umpire.act(
            act, match, user, lambda seated: proposals.replacing(seated, user, of, new, now, absent)
        )

    async def agree(
        self, act: InteractionId, match: MatchId, user: UserId, mark: str | None = None, seen: int | None = None
    ) -> Done:
        """Agree to the open proposal, from a button to the one with this mark; the last agreement carries it out."""
        now = self.umpire.clock()
        return await self.umpire.act(act, match, user, lambda seated: proposals.agreeing(seated, user, now, mark, seen))

    async def refuse(
        self, act: InteractionId, match: MatchId, user: UserId, mark: str | None = None, seen: int | None = None
    ) -> Done:
        """Refuse the open proposal or to call the match off, or withdraw one's own wish."""
        now = self.umpire.clock()

        def refusing(seated: LoadedMatch) -> Change:
            if mark and mark == calling_off.mark_of(seated):
                return calling_off.refusing(seated, user, now)
            return proposals.refusing(seated, user, now, mark, seen)

        return await self.umpire.act(act, match, user, refusing)
