"""Reviews of matches that are over: the questions to the engine, and what its answers tell about each move.

First every position is searched with the same budget, from the last back to the first; the last ones are solved while
that takes few nodes. A move's cost is the difference between two searches of equal budget, after the best move and
after the one that was played. So the few moves after which a seat could expect much less are searched again. In solved
positions the cost is exact. A difference that may be the noise of a search is not told.

Budgets follow from the number of positions and the game's weight, never from the clock: a review is the same whenever
it is made, and takes 30 seconds of a processor at most.
"""

from __future__ import annotations

import math
from collections.abc import Generator, Iterable, Iterator, Sequence
from typing import NamedTuple

from bot.core.game.game import Game
from bot.core.game.mind import Budget
from bot.core.game.position import Position
from bot.core.match.leg_records import split
from bot.core.match.loaded_match import LoadedMatch, Refusal
from bot.core.match.match import Match
from bot.core.match.record import Move
from bot.core.match.stored_review import NOTHING, CostlyMove, Review
from bot.core.values.seats import Seat
from bot.search.levels import MOST, budget, highest, weight
from bot.search.thoughts import Question, Thought
from bot.search.values import margins, results
from bot.service.rules.refusals import Closed

VERSION = 1
"""Raised when a review of the same match would find something else."""
PLAYOUTS = 4096
"""Continuations of usual length that are tried over all positions, and again as many over the moves looked at twice."""
LEAST = 16
"""With fewer for a position nothing can be said of it: of a match so long the last part is reviewed."""
SOLVED, MISSED, NODES = 8, 2, 4
"""So many positions are looked at to their end, until that was too much so often, within a part of the nodes that the
computer may look at for a move."""
CANDIDATES, TOLD = 4, 3
"""How many moves of a seat are looked at again, and how many are told."""
NOISE = 0.05
"""What a move must cost at least to be told, of the match; more where few continuations were tried."""

Asking = Generator[Question, Thought, tuple[Review, ...]]
"""A review in the making: what it asks, what it is answered, what comes of it."""
Shares = tuple[float, ...]
"""What each seat may expect of the match, from 0 to 1."""


class Step(NamedTuple):
    """A move that stands: its number from 1, its seat, the positions right before and right behind it."""

    number: int
    seat: Seat
    move: str
    before: Position
    after: Position


def version_of(game: Game) -> int:
    """The version of what finds a review: of this module and of the game's rules."""
    return 1000 * VERSION + game.version


def expect_reviewable(seated: LoadedMatch) -> None:
    """Refuse to review what is not over, what has no moves, and games in which nothing depends on what others do."""
    row, game = seated.row, seated.game
    if row.state == "aborted":
        raise Closed("This match was called off, and its result counts for nothing: there is nothing to review.")
    if row.state != "finished":
        raise Closed("This match goes on: it can be reviewed when it is over.")
    if not has_reviews(game, row.seats):
        raise Refusal(
            f"In {game.title} everybody works alone, so no move answers another: "
            "there is no review of it, but /match replay goes through it."
        )
    if not any(isinstance(line, Move) for line in seated.folded.standing):
        raise Refusal("Nothing was played that still stood in the end: there is nothing to review.")


def is_reviewable(seated: LoadedMatch) -> bool:
    """Whether there is a review of a match."""
    try:
        expect_reviewable(seated)
    except Refusal:
        return False
    return True


def has_reviews(game: Game, seats: int) -> bool:
    """Whether matches of a game are reviewed: moves answer each other, and nothing is secret."""
    return seats > 1 and not game.secret and game.mind.ponder is None


def reviewing(match: Match, number: int) -> Asking:
    """Review a match; its number seeds the lots. Two legs are reviewed one by one, each with half of the budget."""
    legs = (match,) if match.game.once is None else split(match)
    found = list[Review]()
    for leg, one in enumerate(legs, 1):
        played = [*steps(one)]
        reviewer = Reviewer(one, f"{number}:{leg}", played, len(legs)) if played else None
        found.append((yield from reviewer.review()) if reviewer else NOTHING)
    return tuple(found)


class Reviewer:
    """A review in the making."""

    def __init__(self, match: Match, name: str, played: list[Step], many: int = 1) -> None:
        self.game, self.name, self.many = match.game, name, many
        self.known: dict[Position, Thought] = {}
        self.steps = affordable(self.game, played, PLAYOUTS // many)
        self.level = highest(self.game, self.steps[0].before)

    def review(self) -> Generator[Question, Thought, Review]:
        """Search every position, search costly moves again, and put the review together."""
        yield from self._surveyed()
        found = [costly for step in self.steps if (costly := self._certain(step))]
        found += yield from self._compared([*self._candidates()])
        return Review(self.steps[0].number - 1, self._courses(), self._certain_from(), (*costliest(found),))

    # Every position.

    def _surveyed(self) -> Generator[Question, Thought, None]:
        there = positions(self.steps)
        playouts = self._playouts(there)
        solved = missed = 0
        for at, position in reversed(list(enumerate(there))):
            able = solved * self.many < SOLVED and missed * self.many < MISSED
            nodes = budget(self.game, position, self.level).nodes // (NODES * weight(self.game, position))
            thought = yield self._question(position, playouts, nodes if able else 0, str(at))
            self.known[position] = thought
            solved, missed = solved + thought.exact, missed + (able and not thought.exact)

    def _playouts(self, there: Iterable[Position]) -> int:
        """An equal part of all for each position, and no more than one move of the computer's may take."""
        weights = [weight(self.game, position) for position in there]
        return max(LEAST, min(PLAYOUTS // self.many // (sum(weights) or 1), MOST // max(weights, default=1)))

    def _question(self, position: Position, playouts: int, nodes: int, about: str) -> Question:
        seed = f"review:{self.name}:{about}"
        return Question(self.game.key, position, position.turn[0], Budget(playouts, nodes), seed)

    # What moves cost.

    def _certain(self, step: Step) -> CostlyMove | None:
        """A move that cost something for certain."""
        thought = self.known[step.before]
        worth = {line.move: line.value for line in thought.table}
        if not thought.exact or step.move not in worth or worth[step.move] >= thought.value:
            return None
        best, own = thought.value, worth[step.move]
        ahead = round(best), round(own)
        return CostlyMove(step.number, step.seat, step.move, thought.move, won(best), won(own), ahead)

    def _candidates(self) -> Iterator[Step]:
        """The moves after which their seat could expect much less than before, a few of each seat."""
        unsure = [step for step in self.steps if not self.known[step.before].exact]
        lost = {step.number: self._lost(step) for step in unsure if self.known[step.before].move != step.move}
        for seat in sorted({step.seat for step in unsure}):
            mine = [step for step in unsure if step.seat == seat and lost.get(step.number, 0) > 0]
            yield from sorted(mine, key=lambda step: -lost[step.number])[:CANDIDATES]

    def _lost(self, step: Step) -> float:
        return self._shares(step.before)[step.seat - 1] - self._shares(step.after)[step.seat - 1]

    def _compared(self, candidates: list[Step]) -> Generator[Question, Thought, list[CostlyMove]]:
        """Look at what comes behind a move and behind the best one, with one budget for all."""
        best = {step.number: self.known[step.before].move for step in candidates}
        behind = {step.number: step.before.play(step.seat, best[step.number]) for step in candidates}
        there = [one for step in candidates for one in (behind[step.number], step.after) if one.turn]
        playouts, found = self._playouts(there), list[CostlyMove]()
        for step in candidates:
            better, about = best[step.number], f"{step.number}:"
            had = (yield from self._expected(behind[step.number], playouts, about + better))[step.seat - 1]
            kept = (yield from self._expected(step.after, playouts, about + step.move))[step.seat - 1]
            if had - kept >= max(NOISE, 1 / math.sqrt(playouts)):
                found.append(CostlyMove(step.number, step.seat, step.move, better, percent(had), percent(kept)))
        return found

    def _expected(self, position: Position, playouts: int, about: str) -> Generator[Question, Thought, Shares]:
        if not position.turn:
            return final(self.game, position)
        thought = yield self._question(position, playouts, 0, about)
        return thought.shares

    # How it went.

    def _shares(self, position: Position) -> Shares:
        return self.known[position].shares if position.turn else final(self.game, position)

    def _moments(self) -> list[Position]:
        """The positions between moves, from before the first to behind the last."""
        return [*(step.before for step in self.steps), self.steps[-1].after]

    def _courses(self) -> tuple[tuple[int, ...], ...]:
        """What each seat could expect at each moment at which it was in the match."""
        moments = self._moments()
        seats = range(1, len(moments[0].scores()) + 1)
        shares = [self._shares(one) for one in moments]
        known = [not one.turn or self.known[one].exact for one in moments]
        people = [len(seats) - len(one.withdrawn) for one in moments]
        return tuple(
            tuple(
                percent(level([one[seat - 1] for one in shares], known, at, people[at]))
                for at, position in enumerate(moments)
                if seat not in position.withdrawn
            )
            for seat in seats
        )

    def _certain_from(self) -> int | None:
        """After which move all is certain to the end."""
        since = None
        for number, position in reversed(list(enumerate(self._moments(), self.steps[0].number - 1))):
            if position.turn and not self.known[position].exact:
                break
            since = number
        return since


def steps(match: Match) -> Iterator[Step]:
    """The moves of a match that stand."""
    now, number = Match.start(match.game, match.options.record(), match.seats), 0
    for line in match.standing:
        before, now = now, now.enter(*line)
        if isinstance(line, Move):
            number += 1
            yield Step(number, line.seat, line.text, before.position, now.position)


def positions(of: Iterable[Step]) -> list[Position]:
    """All positions before and behind some moves in which somebody is to move, each once, in their order."""
    return [one for one in dict.fromkeys(one for step in of for one in (step.before, step.after)) if one.turn]


def affordable(game: Game, whole: list[Step], playouts: int) -> list[Step]:
    """The last moves of a match, as many as there are continuations for."""
    spent = 0
    for place in range(len(whole) - 1, -1, -1):
        spent += LEAST * weight(game, whole[place].before)
        if spent > playouts and place + 1 < len(whole):
            return whole[place + 1 :]
    return whole


def level(shares: Sequence[float], known: Sequence[bool], at: int, people: int) -> float:
    """A share as it is known, or where it is not its mean over a round about that moment.

    A search that does not reach the end takes it for good to be to move, so that what it finds goes up and down with
    the turns; over a round of so many people that is gone. What lies beyond an end or beyond what is known is taken as
    if in a mirror.

    >>> level([0.6, 0.4, 0.6, 0.4, 1.0], [False] * 4 + [True], 0, 2), level([0.6, 0.4, 1.0], [False, False, True], 2, 2)
    (0.5, 1.0)
    """
    if known[at]:
        return shares[at]
    first = next((one + 1 for one in range(at, -1, -1) if known[one]), 0)
    last = next((one - 1 for one in range(at, len(shares)) if known[one]), len(shares) - 1)
    around = range(at - people // 2, at + people // 2 + 1)
    weights = [0.5 if people % 2 == 0 and one in (around[0], around[-1]) else 1.0 for one in around]
    there = [shares[mirrored(one, first, last)] for one in around]
    return sum(weight * share for weight, share in zip(weights, there, strict=True)) / sum(weights)


def mirrored(place: int, first: int, last: int) -> int:
    """A place mirrored at the nearer of two ends where it lies beyond, and then kept between them."""
    place = 2 * first - place if place < first else 2 * last - place if place > last else place
    return max(first, min(last, place))


def costliest(found: Iterable[CostlyMove]) -> Iterator[CostlyMove]:
    """The costliest moves of each seat, seat by seat; of equals the earliest."""
    of: dict[Seat, list[CostlyMove]] = {}
    for costly in sorted(found, key=lambda one: (one.seat, *(-cost for cost in one.cost), one.number)):
        of.setdefault(costly.seat, []).append(costly)
    for mine in of.values():
        yield from mine[:TOLD]


def final(game: Game, position: Position) -> Shares:
    """What each seat has of a match that is over: all, half for those who share the first place, or nothing."""
    return tuple(won(ahead) / 100 for ahead in margins(results(position, game.mind)))


def won(ahead: float) -> int:
    """What a certain margin is of the match, in percent."""
    return 50 + 50 * ((ahead > 0) - (ahead < 0))


def percent(share: float) -> int:
    """A share as a whole number of percent."""
    return round(100 * max(0.0, min(1.0, share)))
