"""Acts by consent: to ask all others for something, to agree, and to refuse.

What is agreed on is decided in `agreements` and carried out by the umpire like everything that people do.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from bot.core.match.proposal import Kind
from bot.core.values.ids import InteractionId, MatchId, UserId
from bot.core.values.seats import Seat
from bot.search.thoughts import Question, Thought
from bot.service.rules import computer_seats, pending, proposals, substitution
from bot.service.umpire.umpire import Done, Umpire
from data.store import Reader

Thinks = Callable[[Question], Awaitable[Thought]]
"""Who finds out what a computer thinks of a board; that takes a while."""


class Consent:
    """Carries out what people ask of each other in a match."""

    def __init__(self, umpire: Umpire) -> None:
        self.umpire = umpire

    async def propose(
        self, act: InteractionId, match: MatchId, user: UserId, kind: Kind, seen: int | None = None
    ) -> Done:
        """Ask all others for something, on a board that shows so much of the record; or with a command, which knows
        of no board, and agrees where another asks for the same."""
        now, allowed = self.umpire.clock(), kind != "takeback" or await self.takebacks(match)
        if seen is None:
            return await self.umpire.act(
                act, match, user, lambda seated: proposals.ordering(seated, user, kind, now, allowed)
            )
        return await self.umpire.act(
            act, match, user, lambda seated: proposals.wishing(seated, user, kind, now, allowed, seen)
        )

    async def draw(self, act: InteractionId, match: MatchId, user: UserId, thinks: Thinks) -> Done:
        """Ask all others for a draw, where computers play, or agree where another asks. What the computers say is found
        out first: the people are asked only if all of them agree, and else it is noted who does not."""
        seated, now = await self.umpire.load(match), self.umpire.clock()
        if pending.wish_of(seated):
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
        """Ask all others, and a person, that this one takes over a seat; or agree to that. `absent`: whoever has the
        seat has left the server."""
        now = self.umpire.clock()
        return await self.umpire.act(
            act, match, user, lambda seated: substitution.replacing(seated, user, of, new, now, absent)
        )

    async def agree(
        self, act: InteractionId, match: MatchId, user: UserId, mark: str | None = None, seen: int | None = None
    ) -> Done:
        """Agree to what is asked: to the wish with this mark, as it stood on a board; with the last it is done."""
        now = self.umpire.clock()
        return await self.umpire.act(act, match, user, lambda seated: proposals.agreeing(seated, user, now, mark, seen))

    async def refuse(
        self, act: InteractionId, match: MatchId, user: UserId, mark: str | None = None, seen: int | None = None
    ) -> Done:
        """Refuse what is asked, or withdraw one's own wish."""
        now = self.umpire.clock()
        return await self.umpire.act(act, match, user, lambda seated: proposals.refusing(seated, user, now, mark, seen))
