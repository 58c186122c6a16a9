"""A costly move of a finished match, to be tried again: which one it is, and what another move in its place comes to.

A try is judged as a review judges moves: for certain where what follows can be solved, else by what a search expects.
"""

from __future__ import annotations

from typing import NamedTuple

from bot.core.game.legs import Leg, seat_in
from bot.core.game.mind import Budget
from bot.core.game.position import Position
from bot.core.match.loaded_match import LoadedMatch
from bot.core.match.stored_review import CostlyMove, Review
from bot.core.values.seats import Seat
from bot.search.levels import MOST, weight
from bot.search.thoughts import Question, Thought
from bot.search.values import margins, results
from bot.service.analysis.review_shares import TRUST, final, percent, tempered
from bot.service.analysis.reviews import NOISE, Step, legs_of, steps

TRIES = 3
PLAYOUTS, NODES = 1_024, 75_000
"""What is spent on one try: as much as a review spends on a position near the end."""


class Mistake(NamedTuple):
    """A move to be tried again: the leg (1 where there is only one), the move, and the person's seat in the match."""

    leg: Leg
    step: Step
    seat: Seat


class Verdict(NamedTuple):
    """The verdict on a try. `solves`: whether it is as good as the task asks; `better`: whether it is certainly better
    than the move played; `ahead`: the final margin of its seat, None where that is uncertain; `share`: the seat's share
    of the match, in percent; `answer`: the best reply, empty where none follows."""

    move: str
    solves: bool
    better: bool
    ahead: int | None
    share: int
    answer: str = ""


def costliest(found: tuple[Review, ...], seat: Seat | None) -> tuple[Leg, CostlyMove] | None:
    """The leg and the costliest move of a seat in a match, or of all seats where it has none; None without any."""
    every = [(leg, one) for leg, review in enumerate(found, 1) for one in review.costly]
    own = [(leg, one) for leg, one in every if seat == (one.seat if len(found) == 1 else seat_in(leg, one.seat))]
    return max(own or every, key=lambda it: it[1].cost, default=None)


def costly_move(found: tuple[Review, ...], leg: Leg, number: int) -> CostlyMove | None:
    """The entry of a move in a review; None where the review no longer lists it."""
    if leg > len(found):
        return None
    return next((one for one in found[leg - 1].costly if one.number == number), None)


def mistake(seated: LoadedMatch, leg: Leg, number: int) -> Mistake | None:
    """A move of a match by its leg and number; None where there is none."""
    legs = legs_of(seated.folded)
    step = next((one for one in steps(legs[leg - 1]) if one.number == number), None) if leg <= len(legs) else None
    return Mistake(leg, step, seat_in(leg, step.seat)) if step else None


def question(seated: LoadedMatch, it: Mistake, move: str) -> Question | None:
    """The search request about a try; None where it ends the match."""
    game, after = legs_of(seated.folded)[0].game, _after(it, move)
    if not after.turn:
        return None
    heavy = weight(game, after)
    budget = Budget(min(PLAYOUTS, MOST // heavy), NODES // heavy, others=False)
    return Question(game.key, after, after.turn[0], budget, f"again:{seated.id}:{it.leg}:{it.step.number}:{move}")


def verdict(seated: LoadedMatch, it: Mistake, costly: CostlyMove, move: str, thought: Thought | None) -> Verdict:
    """The verdict on a try, from the thought about the position after it."""
    game, after, seat = legs_of(seated.folded)[0].game, _after(it, move), it.step.seat
    if thought is None:
        share = percent(final(game, after)[seat - 1])
        ahead, answer = round(margins(results(after, game.mind))[seat - 1]), ""
    else:
        mine = after.turn[0] == seat
        shares = thought.shares if thought.exact else tempered(thought.shares)
        share, answer = percent(shares[seat - 1]), "" if mine else thought.move
        certain = thought.exact and len(thought.shares) == 2
        ahead = round(thought.value if mine else -thought.value) if certain else None
    if costly.ahead and ahead is not None:
        return Verdict(move, ahead >= costly.ahead[0], ahead > costly.ahead[1], ahead, share, answer)
    solves = move == costly.better or (move != costly.played and share >= costly.kept + 100 * TRUST * NOISE)
    return Verdict(move, solves, False, ahead, share, answer)


def _after(it: Mistake, move: str) -> Position:
    return it.step.before.play(it.step.seat, move)
