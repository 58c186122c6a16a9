"""Reviews of matches that are over: the questions to the engine, and what its answers tell about each move.

First every position is searched with the same budget, from the last back to the first, and solved as long as there are
nodes for it: there, what moves cost is certain. Elsewhere a move's cost is the difference between two searches of equal
budget, after the best move and after the one that was played, for the few moves after which a seat could expect much
less. A move is told where it changed the result, the margin by much, or the chances by so much that the chart falls;
what may be the noise of a search is not.

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
from bot.core.match.move_names import names
from bot.core.match.record import Move
from bot.core.match.stored_review import NOTHING, CostlyMove, Review
from bot.core.values.seats import Seat
from bot.search.levels import MOST, weight
from bot.search.thoughts import Question, Thought
from bot.search.values import margins, results
from bot.service.analysis.hints import SAYABLE
from bot.service.analysis.review_shares import TRUST, Shares, final, level, percent, tempered, won
from bot.service.rules.refusals import Closed

VERSION = 5
"""Raised when a review of the same match would find something else."""
PLAYOUTS = 4096
"""Continuations of usual length that are tried over all positions, and again as many over the moves looked at twice."""
LEAST = 16
"""With fewer for a position nothing can be said of it: of a match so long the last part is reviewed."""
NODES, PART = 150_000, 2
"""The nodes spent on solving, in all, and the divisor of those left that bounds one position."""
CANDIDATES, TOLD = 4, 3
"""How many moves of a seat are searched again, and how many are listed."""
NOISE = 0.15
"""The least cost found by a search, as a share of the match, for a move to be listed where nothing is certain; more
after few continuations."""
FALL = 0.25
"""The least certain fall of a share for a move to be listed, whatever the result: it shows in the chart."""
MUCH, LITTLE = 0.1, 3
"""The least cost for a move to be listed where the result stays the same: this part of all that was scored, and at
least this margin."""

Asking = Generator[Question, Thought, tuple[Review, ...]]
"""A review in the making: it yields questions, is sent their answers, and returns a review of each leg."""


class Step(NamedTuple):
    """A move that stands: its number from 1, its seat, the positions right before and right behind it, and its name on
    the board."""

    number: int
    seat: Seat
    move: str
    before: Position
    after: Position
    name: str


def version_of(game: Game) -> int:
    """The version of a review: of this module and of the game's rules."""
    return 1000 * VERSION + game.version


def expect_reviewable(seated: LoadedMatch) -> None:
    """Refuse to review matches that are not over or have no moves, and games in which no move answers another."""
    row, game = seated.row, seated.game
    if row.state == "aborted":
        raise Closed("This match was called off, so there is nothing to review.")
    if row.state != "finished":
        raise Closed("This match isn't over yet. You can review it afterwards.")
    if not has_reviews(game, row.seats):
        raise Refusal(
            f"In {game.title} everybody works alone, so no move answers another: "
            "there is no review of it, but /match replay goes through it."
        )
    if not any(isinstance(line, Move) for line in seated.folded.standing):
        raise Refusal("There are no moves to review.")


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


def reviewing(match: Match, number: int, given: int = 0) -> Asking:
    """Review a match but for the lines given to it; its number seeds the lots. Two legs are reviewed one by one, each
    with half of the budget."""
    legs, found = legs_of(match), list[Review]()
    for leg, one in enumerate(legs, 1):
        played = [*steps(one)][sum(match.leg_of(line) in (None, leg) for line in match.standing[:given]) :]
        reviewer = Reviewer(one, f"{number}:{leg}", played, len(legs)) if played else None
        found.append((yield from reviewer.review()) if reviewer else NOTHING)
    return tuple(found)


def legs_of(match: Match) -> Sequence[Match]:
    """The matches that are reviewed one by one: both legs, or the only one."""
    return (match,) if match.game.once is None else split(match)


class Reviewer:
    """A review in the making."""

    def __init__(self, match: Match, name: str, played: list[Step], many: int = 1) -> None:
        self.game, self.name, self.many = match.game, name, many
        self.known: dict[Position, Thought] = {}
        self.compared: dict[int, Shares] = {}
        """The shares after moves that were searched again, by their numbers."""
        self.steps = affordable(self.game, played, PLAYOUTS // many)
        self.much = max(LITTLE, MUCH * sum(map(abs, match.scores)))

    def review(self) -> Generator[Question, Thought, Review]:
        """Search every position, search costly moves again, and put the review together."""
        yield from self._surveyed()
        found = [costly for step in self.steps if (costly := self._certain(step))]
        found += yield from self._compared([*self._candidates()])
        return Review(self.steps[0].number - 1, self._courses(), self._certain_from(), (*costliest(found),))

    # Every position.

    def _surveyed(self) -> Generator[Question, Thought, None]:
        there = positions(self.steps)
        playouts, left = self._playouts(there), NODES // self.many
        for at, position in reversed(list(enumerate(there))):
            heavy = weight(self.game, position)
            thought = yield self._question(position, playouts, left // (PART * heavy), str(at))
            self.known[position] = thought
            left -= thought.nodes * heavy

    def _playouts(self, there: Iterable[Position]) -> int:
        """An equal part of all for each position, and no more than one move of the computer's may take."""
        weights = [weight(self.game, position) for position in there]
        return max(LEAST, min(PLAYOUTS // self.many // (sum(weights) or 1), MOST // max(weights, default=1)))

    def _question(self, position: Position, playouts: int, nodes: int, about: str) -> Question:
        seed = f"review:{self.name}:{about}"
        return Question(self.game.key, position, position.turn[0], Budget(playouts, nodes, others=False), seed)

    # What moves cost.

    def _certain(self, step: Step) -> CostlyMove | None:
        """A move that for certain changed the result, or the margin by much."""
        thought, own = self.known[step.before], self._worth(step)
        if not thought.exact or own is None or own >= thought.value:
            return None
        best, ahead = thought.value, (round(thought.value), round(own))
        told = self.game.scored and max(map(abs, ahead)) < SAYABLE and best - own >= self.much
        if won(best) == won(own) and not told:
            return None
        return CostlyMove(step.number, step.seat, step.move, thought.move, won(best), won(own), ahead)

    def _worth(self, step: Step) -> float | None:
        """By how much its seat is ahead at the end after a move that was played, where that is certain."""
        if not step.after.turn:
            return margins(results(step.after, self.game.mind))[step.seat - 1]
        found = self.known[step.after]
        if len(found.shares) > 2:
            return {line.move: line.value for line in self.known[step.before].table}.get(step.move)
        if not found.exact:
            return None
        return found.value if step.after.turn[0] == step.seat else -found.value

    def _candidates(self) -> Iterator[Step]:
        """The moves after which their seat could expect much less than before, a few of each seat."""
        unsure = [step for step in self.steps if not self._sure(step.before) or self._worth(step) is None]
        lost = {step.number: self._lost(step) for step in unsure if self._better(step)}
        for seat in sorted({step.seat for step in unsure}):
            mine = [step for step in unsure if step.seat == seat and lost.get(step.number, 0) > 0]
            yield from sorted(mine, key=lambda step: -lost[step.number])[:CANDIDATES]

    def _better(self, step: Step) -> str:
        """The move to compare one with; empty for none. Where the search would have made the same, and much less was
        left after it, that is the best of the others."""
        thought = self.known[step.before]
        if thought.move != step.move:
            return thought.move
        if thought.exact or self._lost(step) < FALL:
            return ""
        others = [line for line in thought.table if line.move != step.move]
        return max(others, key=lambda line: (line.visits, line.value)).move if others else ""

    def _lost(self, step: Step) -> float:
        return self._shares(step.before)[step.seat - 1] - self._shares(step.after)[step.seat - 1]

    def _compared(self, candidates: list[Step]) -> Generator[Question, Thought, list[CostlyMove]]:
        """Search the positions after a move and after the best one, with one budget for all."""
        best = {step.number: self._better(step) for step in candidates}
        behind = {step.number: step.before.play(step.seat, best[step.number]) for step in candidates}
        there = [one for step in candidates for one in (behind[step.number], step.after) if one.turn]
        playouts, found = self._playouts(there), list[tuple[Step, Shares, Shares]]()
        for step in candidates:
            about = f"{step.number}:"
            if self._sure(step.before):
                had = self._shares(step.before)
            else:
                had = yield from self._expected(behind[step.number], playouts, about + best[step.number])
            kept = yield from self._expected(step.after, playouts, about + step.move)
            found.append((step, had, kept))
        least = TRUST * max(NOISE, 1 / math.sqrt(playouts))
        return [
            CostlyMove(step.number, step.seat, step.move, best[step.number], percent(had), percent(kept))
            for step, had, kept, better in self._agreed(found)
            if min(had, better) - kept >= least and (had > 0.5 > kept or had - kept >= FALL)
        ]

    def _agreed(self, found: list[tuple[Step, Shares, Shares]]) -> Iterator[tuple[Step, float, float, float]]:
        """The shares of each seat as the chart draws them too: at each moment one value, that of the costliest move,
        and the share after the better move. Before a move its seat had at least as much as after it."""
        for step, had, kept in sorted(found, key=lambda it: it[2][it[0].seat - 1] - it[1][it[0].seat - 1]):
            before = self.compared.setdefault(step.number - 1, max(had, kept, key=lambda one: one[step.seat - 1]))
            after = self.compared.setdefault(step.number, kept)
            yield step, before[step.seat - 1], after[step.seat - 1], had[step.seat - 1]

    def _expected(self, position: Position, playouts: int, about: str) -> Generator[Question, Thought, Shares]:
        if not position.turn or (position in self.known and self.known[position].exact):
            return self._shares(position)
        thought = yield self._question(position, playouts, 0, about)
        return tempered(thought.shares)

    # How it went.

    def _shares(self, position: Position) -> Shares:
        if not position.turn:
            return final(self.game, position)
        found = self.known[position]
        return found.shares if found.exact else tempered(found.shares)

    def _sure(self, position: Position) -> bool:
        return not position.turn or self.known[position].exact

    def _moments(self) -> list[Position]:
        """The positions between moves, from before the first to behind the last."""
        return [*(step.before for step in self.steps), self.steps[-1].after]

    def _courses(self) -> tuple[tuple[int, ...], ...]:
        """What each seat could expect at each moment at which it was in the match."""
        moments = self._moments()
        seats = range(1, len(moments[0].scores()) + 1)
        first = self.steps[0].number - 1
        shares = [self.compared.get(number, self._shares(one)) for number, one in enumerate(moments, first)]
        known = [number in self.compared or self._sure(one) for number, one in enumerate(moments, first)]
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
            if not self._sure(position):
                break
            since = number
        return since


def steps(match: Match) -> Iterator[Step]:
    """The moves of a match that stand."""
    now = Match.start(match.game, match.options.record(), match.seats)
    named = enumerate(names(match), 1)
    for line in match.standing:
        before, now = now, now.enter(*line)
        if isinstance(line, Move):
            number, name = next(named)
            yield Step(number, line.seat, line.text, before.position, now.position, name)


def positions(of: Iterable[Step]) -> list[Position]:
    """All positions before and behind some moves, without finished ones, each once, in their order."""
    return [one for one in dict.fromkeys(one for step in of for one in (step.before, step.after)) if one.turn]


def affordable(game: Game, whole: list[Step], playouts: int) -> list[Step]:
    """The last moves of a match, as many as there are continuations for."""
    spent = 0
    for place in range(len(whole) - 1, -1, -1):
        spent += LEAST * weight(game, whole[place].before)
        if spent > playouts and place + 1 < len(whole):
            return whole[place + 1 :]
    return whole


def costliest(found: Iterable[CostlyMove]) -> Iterator[CostlyMove]:
    """The costliest moves of each seat, seat by seat; of equals the earliest."""
    of: dict[Seat, list[CostlyMove]] = {}
    for costly in sorted(found, key=lambda one: (one.seat, *(-cost for cost in one.cost), one.number)):
        of.setdefault(costly.seat, []).append(costly)
    for mine in of.values():
        yield from mine[:TOLD]
