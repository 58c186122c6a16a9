"""Reviews of finished matches, losses of moves as a measure of strength, and second tries at costly moves."""

from __future__ import annotations

import math
from collections.abc import Collection, Generator, Iterable, Iterator, Sequence
from statistics import fmean
from typing import NamedTuple

from bot.engine.exact import (
    TRUST,
    Shares,
    compute_final_shares,
    compute_margins,
    compute_results,
    convert_margin,
    smooth_share,
    temper_shares,
    to_percent,
)
from bot.engine.levels import FEWEST, MOST, SearchQuestion, Thought, compute_divisor
from bot.games.game import Game
from bot.games.legs import Leg, seat_in
from bot.games.mind import Budget
from bot.games.position import Position, Seat
from bot.play.acts import NotPossibleNow
from bot.play.hints import SAYABLE
from bot.play.ids import is_person
from bot.play.loaded_match import LoadedMatch, Refusal
from bot.play.match import Match, list_move_names, split_legs
from bot.play.ratings import PointsLost
from bot.play.record import Move
from bot.play.rows import NOTHING, CostlyMove, Review

# Reviews: the questions to the engine, and the cost of each move by its answers.


VERSION = 5
"""Raised when reviews of the same match change."""
PLAYOUTS = 4096
"""Playouts of usual length over all positions, and again as many over the moves that are searched twice."""
LEAST = 16
"""The least number of playouts for a position; of a match too long for that only the last part is reviewed."""
NODES, PART = 150_000, 2
"""The nodes spent on solving, in all, and the divisor of those left that bounds one position."""
CANDIDATES, TOLD = 4, 3
"""How many moves of a seat are searched again, and how many are listed."""
NOISE = 0.15
"""The least estimated cost, as a share of the match, for a move to be listed; higher after few playouts."""
FALL = 0.25
"""The least certain fall of the share for a move to be listed whatever the result, as it shows in the chart."""
MUCH, LITTLE = 0.1, 3
"""The least certain cost for a move to be listed if the result stays the same: this part of the total score, and at
least this margin."""

Asking = Generator[SearchQuestion, Thought, tuple[Review, ...]]
"""A review in the making: it yields questions, is sent their answers, and returns a review of each leg."""


class ReviewStep(NamedTuple):
    """A standing move: its number from 1, its seat, the positions before and after it, and its name on the board."""

    number: int
    seat: Seat
    move: str
    before: Position
    after: Position
    name: str


def version_of(game: Game) -> int:
    """The version of a review: of this module and of the game's rules."""
    return 1000 * VERSION + game.version


def expect_reviewable(loaded: LoadedMatch) -> None:
    """Refuse to review matches that are not over or have no moves, and games in which no move answers another."""
    row, game = loaded.row, loaded.game
    if row.state == "aborted":
        raise NotPossibleNow("This match was called off, so there is nothing to review.")
    if row.state != "finished":
        raise NotPossibleNow("This match isn't over yet. You can review it afterwards.")
    if not has_reviews(game, row.seats):
        raise Refusal(
            f"In {game.title} everybody works alone, so there is no review. /match replay shows the match move by move."
        )
    if not any(isinstance(line, Move) for line in loaded.begun_match.standing):
        raise Refusal("There are no moves to review.")


def is_reviewable(loaded: LoadedMatch) -> bool:
    """Whether there is a review of a match."""
    try:
        expect_reviewable(loaded)
    except Refusal:
        return False
    return True


def has_reviews(game: Game, seats: int) -> bool:
    """Whether matches of a game can be reviewed: moves answer each other, and none is secret."""
    return seats > 1 and not game.secret and game.mind.ponder is None


def review_match(match: Match, number: int, given: int = 0) -> Asking:
    """Review a match after its `given` imported lines; its number seeds the random source. Two legs are reviewed one by
    one, each with half of the budget."""
    legs, found = legs_of(match), list[Review]()
    for leg, one in enumerate(legs, 1):
        played = [*list_steps(one)][sum(match.leg_of(line) in (None, leg) for line in match.standing[:given]) :]
        reviewer = Reviewer(one, f"{number}:{leg}", played, len(legs)) if played else None
        found.append((yield from reviewer.review()) if reviewer else NOTHING)
    return tuple(found)


def legs_of(match: Match) -> Sequence[Match]:
    """The matches that are reviewed one by one: both legs, or the match itself."""
    return (match,) if match.game.single is None else split_legs(match)


class Reviewer:
    """A review in the making."""

    def __init__(self, match: Match, name: str, played: list[ReviewStep], many: int = 1) -> None:
        self.game, self.name, self.many = match.game, name, many
        self.known: dict[Position, Thought] = {}
        self.compared: dict[int, Shares] = {}
        """The shares after moves that were searched again, by their numbers."""
        self.steps = choose_affordable(self.game, played, PLAYOUTS // many)
        self.much = max(LITTLE, MUCH * sum(map(abs, match.scores)))

    def review(self) -> Generator[SearchQuestion, Thought, Review]:
        """Search every position, search costly moves again, and put the review together."""
        yield from self._survey_positions()
        found = [costly for step in self.steps if (costly := self._find_certain_loss(step))]
        found += yield from self._compare_moves([*self._find_candidates()])
        return Review(
            self.steps[0].number - 1, self._trace_courses(), self._certain_from(), (*choose_costliest(found),)
        )

    # Every position.

    def _survey_positions(self) -> Generator[SearchQuestion, Thought, None]:
        there = list_positions(self.steps)
        playouts, left = self._count_playouts_each(there), NODES // self.many
        for at, position in reversed(list(enumerate(there))):
            heavy = compute_divisor(self.game, position)
            thought = yield self._make_question(position, playouts, left // (PART * heavy), str(at))
            self.known[position] = thought
            left -= thought.nodes * heavy

    def _count_playouts_each(self, there: Iterable[Position]) -> int:
        """An equal part of the playouts for each position, at most as many as one move of the computer takes."""
        weights = [compute_divisor(self.game, position) for position in there]
        return max(LEAST, min(PLAYOUTS // self.many // (sum(weights) or 1), MOST // max(weights, default=1)))

    def _make_question(self, position: Position, playouts: int, nodes: int, about: str) -> SearchQuestion:
        seed = f"review:{self.name}:{about}"
        return SearchQuestion(self.game.key, position, position.turn[0], Budget(playouts, nodes, others=False), seed)

    # The cost of moves.

    def _find_certain_loss(self, step: ReviewStep) -> CostlyMove | None:
        """The entry of a move that certainly changed the result, or the margin by much; else None."""
        thought, own = self.known[step.before], self._find_exact_value(step)
        if not thought.exact or own is None or own >= thought.value:
            return None
        best, ahead = thought.value, (round(thought.value), round(own))
        told = self.game.scored and max(map(abs, ahead)) < SAYABLE and best - own >= self.much
        if convert_margin(best) == convert_margin(own) and not told:
            return None
        return CostlyMove(
            step.number, step.seat, step.move, thought.move, convert_margin(best), convert_margin(own), ahead
        )

    def _find_exact_value(self, step: ReviewStep) -> float | None:
        """The final margin of the seat after a move that was played; None if uncertain."""
        if not step.after.turn:
            return compute_margins(compute_results(step.after, self.game.mind))[step.seat - 1]
        found = self.known[step.after]
        if len(found.shares) > 2:
            return {line.move: line.value for line in self.known[step.before].table}.get(step.move)
        if not found.exact:
            return None
        return found.value if step.after.turn[0] == step.seat else -found.value

    def _find_candidates(self) -> Iterator[ReviewStep]:
        """The moves after which their seat's share fell most, `CANDIDATES` of each seat."""
        unsure = [
            step for step in self.steps if not self._is_exact(step.before) or self._find_exact_value(step) is None
        ]
        lost = {step.number: self._measure_loss(step) for step in unsure if self._find_better_move(step)}
        for seat in sorted({step.seat for step in unsure}):
            mine = [step for step in unsure if step.seat == seat and lost.get(step.number, 0) > 0]
            yield from sorted(mine, key=lambda step: -lost[step.number])[:CANDIDATES]

    def _find_better_move(self, step: ReviewStep) -> str:
        """The move to compare one with; empty for none. If the search prefers the same move, and the share fell much
        after it, the best of the others."""
        thought = self.known[step.before]
        if thought.move != step.move:
            return thought.move
        if thought.exact or self._measure_loss(step) < FALL:
            return ""
        others = [line for line in thought.table if line.move != step.move]
        return max(others, key=lambda line: (line.visits, line.value)).move if others else ""

    def _measure_loss(self, step: ReviewStep) -> float:
        return self._get_shares(step.before)[step.seat - 1] - self._get_shares(step.after)[step.seat - 1]

    def _compare_moves(self, candidates: list[ReviewStep]) -> Generator[SearchQuestion, Thought, list[CostlyMove]]:
        """Search the positions after a move and after the best one, with one budget for all."""
        best = {step.number: self._find_better_move(step) for step in candidates}
        behind = {step.number: step.before.play(step.seat, best[step.number]) for step in candidates}
        there = [one for step in candidates for one in (behind[step.number], step.after) if one.turn]
        playouts, found = self._count_playouts_each(there), list[tuple[ReviewStep, Shares, Shares]]()
        for step in candidates:
            about = f"{step.number}:"
            if self._is_exact(step.before):
                had = self._get_shares(step.before)
            else:
                had = yield from self._search_shares(behind[step.number], playouts, about + best[step.number])
            kept = yield from self._search_shares(step.after, playouts, about + step.move)
            found.append((step, had, kept))
        least = TRUST * max(NOISE, 1 / math.sqrt(playouts))
        return [
            CostlyMove(step.number, step.seat, step.move, best[step.number], to_percent(had), to_percent(kept))
            for step, had, kept, better in self._align_shares(found)
            if min(had, better) - kept >= least and (had > 0.5 > kept or had - kept >= FALL)
        ]

    def _align_shares(
        self, found: list[tuple[ReviewStep, Shares, Shares]]
    ) -> Iterator[tuple[ReviewStep, float, float, float]]:
        """The entries with shares that agree with the chart: at each moment one value, that of the costliest move, and
        the share after the better move. Before a move its seat has at least as much as after it."""
        for step, had, kept in sorted(found, key=lambda it: it[2][it[0].seat - 1] - it[1][it[0].seat - 1]):
            before = self.compared.setdefault(step.number - 1, max(had, kept, key=lambda one: one[step.seat - 1]))
            after = self.compared.setdefault(step.number, kept)
            yield step, before[step.seat - 1], after[step.seat - 1], had[step.seat - 1]

    def _search_shares(
        self, position: Position, playouts: int, about: str
    ) -> Generator[SearchQuestion, Thought, Shares]:
        if not position.turn or (position in self.known and self.known[position].exact):
            return self._get_shares(position)
        thought = yield self._make_question(position, playouts, 0, about)
        return temper_shares(thought.shares)

    # The course of the match.

    def _get_shares(self, position: Position) -> Shares:
        if not position.turn:
            return compute_final_shares(self.game, position)
        found = self.known[position]
        return found.shares if found.exact else temper_shares(found.shares)

    def _is_exact(self, position: Position) -> bool:
        return not position.turn or self.known[position].exact

    def _list_moments(self) -> list[Position]:
        """The positions before the first move and after each move."""
        return [*(step.before for step in self.steps), self.steps[-1].after]

    def _trace_courses(self) -> tuple[tuple[int, ...], ...]:
        """The share of each seat, in percent, at each moment at which it was in the match."""
        moments = self._list_moments()
        seats = range(1, len(moments[0].scores()) + 1)
        first = self.steps[0].number - 1
        shares = [self.compared.get(number, self._get_shares(one)) for number, one in enumerate(moments, first)]
        known = [number in self.compared or self._is_exact(one) for number, one in enumerate(moments, first)]
        people = [len(seats) - len(one.withdrawn) for one in moments]
        return tuple(
            tuple(
                to_percent(smooth_share([one[seat - 1] for one in shares], known, at, people[at]))
                for at, position in enumerate(moments)
                if seat not in position.withdrawn
            )
            for seat in seats
        )

    def _certain_from(self) -> int | None:
        """The move after which all shares are certain; None if they never are."""
        since = None
        for number, position in reversed(list(enumerate(self._list_moments(), self.steps[0].number - 1))):
            if not self._is_exact(position):
                break
            since = number
        return since


def list_steps(match: Match) -> Iterator[ReviewStep]:
    """The standing moves of a match."""
    now = Match.start(match.game, match.options.to_record(), match.seats)
    named = enumerate(list_move_names(match), 1)
    for line in match.standing:
        before, now = now, now.enter(*line)
        if isinstance(line, Move):
            number, name = next(named)
            yield ReviewStep(number, line.seat, line.text, before.position, now.position, name)


def list_positions(of: Iterable[ReviewStep]) -> list[Position]:
    """The unfinished positions before and after some moves, each once, in order."""
    return [one for one in dict.fromkeys(one for step in of for one in (step.before, step.after)) if one.turn]


def choose_affordable(game: Game, whole: list[ReviewStep], playouts: int) -> list[ReviewStep]:
    """The last moves of a match, as many as the playouts suffice for."""
    spent = 0
    for place in range(len(whole) - 1, -1, -1):
        spent += LEAST * compute_divisor(game, whole[place].before)
        if spent > playouts and place + 1 < len(whole):
            return whole[place + 1 :]
    return whole


def choose_costliest(found: Iterable[CostlyMove]) -> Iterator[CostlyMove]:
    """The costliest moves of each seat, seat by seat; the earliest of equals."""
    of: dict[Seat, list[CostlyMove]] = {}
    for costly in sorted(found, key=lambda one: (one.seat, *(-cost for cost in one.cost), one.number)):
        of.setdefault(costly.seat, []).append(costly)
    for mine in of.values():
        yield from mine[:TOLD]


# The losses of players' moves in a finished match, as a measure of strength, if they can be computed.


JUDGED_NODES = 8_000
"""The nodes spent to value all moves of one position: a third of a second."""
TRIVIAL = 60
"""The nodes below which a position is too simple to say much."""
MOST_JUDGED = 12
"""The most positions of a match that are judged."""

Judging = Generator[SearchQuestion, Thought, dict[Seat, PointsLost]]
"""A judgement in the making: it yields search requests, is sent thoughts, and returns the losses of each seat."""


def seats_of(loaded: LoadedMatch) -> tuple[Seat, ...]:
    """The seats whose moves are judged in a match: human players who used no hints."""
    row = loaded.row
    if loaded.game.mind.measured.lost_by_lot is None or row.seats != 2 or row.substitutions:
        return ()
    return tuple(one.seat for one in loaded.players if one.seat and is_person(one.user) and not one.hints)


def judge_match(match: Match, number: int, given: int, seats: Collection[Seat]) -> Judging:
    """Judge the moves of some seats in a match after its `given` imported lines, backwards from the last to the first
    whose alternatives cannot all be valued; the match's number seeds the random source."""
    found, left = dict[Seat, PointsLost](), MOST_JUDGED
    for leg, one in enumerate(legs_of(match), 1):
        skipped = sum(match.leg_of(line) in (None, leg) for line in match.standing[:given])
        for step in reversed([*list_steps(one)][skipped:]):
            seat = seat_in(leg, step.seat)
            if seat not in seats or not left:
                continue
            left -= 1
            judged = yield from _judge_move(one.game, step, f"lost:{number}:{leg}:{step.number}")
            if judged is None:
                break
            if judged.moves:
                found[seat] = found.get(seat, PointsLost()).combine(judged)
    return found


def _judge_move(game: Game, step: ReviewStep, seed: str) -> Generator[SearchQuestion, Thought, PointsLost | None]:
    """The loss of a move; None where its alternatives cannot be valued, zero where they hardly differ."""
    nodes = JUDGED_NODES // compute_divisor(game, step.before)
    thought = yield SearchQuestion(game.key, step.before, step.seat, Budget(FEWEST, nodes), seed)
    if not thought.exact or thought.nodes >= nodes:
        return None
    by_lot = fmean(thought.value - line.value for line in thought.table)
    if thought.nodes < TRIVIAL or not by_lot:
        return PointsLost()
    worth = next((line.value for line in thought.table if line.move == step.move), None)
    if worth is None:
        worth = yield from _value_move(game, step, Budget(FEWEST, nodes, others=False), f"{seed}:behind")
    return None if worth is None else PointsLost(1, max(0.0, thought.value - worth), by_lot)


def _value_move(
    game: Game, step: ReviewStep, budget: Budget, seed: str
) -> Generator[SearchQuestion, Thought, float | None]:
    """The final margin of the seat after a move outside the search's candidates; None if it cannot be computed."""
    if not step.after.turn:
        return compute_margins(compute_results(step.after, game.mind))[step.seat - 1]
    thought = yield SearchQuestion(game.key, step.after, step.after.turn[0], budget, seed)
    if not thought.exact:
        return None
    return thought.value if step.after.turn[0] == step.seat else -thought.value


# Second tries at a costly move of a finished match.


TRIES = 3
TRY_PLAYOUTS, TRY_NODES = 1_024, 75_000
"""The budget of one try: as much as a review spends on a position near the end."""


class Mistake(NamedTuple):
    """A move to be tried again: the leg (1 where there is only one), the move, and the person's seat in the match."""

    leg: Leg
    step: ReviewStep
    seat: Seat


class RetryVerdict(NamedTuple):
    """The verdict on a try. `solves`: whether it is as good as the task asks; `better`: whether it is certainly better
    than the move played; `ahead`: the final margin of its seat, None where that is uncertain; `share`: the seat's share
    of the match, in percent; `answer`: the best reply, empty where none follows."""

    move: str
    solves: bool
    better: bool
    ahead: int | None
    share: int
    answer: str = ""


def find_costliest(found: tuple[Review, ...], seat: Seat | None) -> tuple[Leg, CostlyMove] | None:
    """The leg and the costliest move of a seat in a match, or of all seats where it has none; None without any."""
    every = [(leg, one) for leg, review in enumerate(found, 1) for one in review.costly]
    own = [(leg, one) for leg, one in every if seat == (one.seat if len(found) == 1 else seat_in(leg, one.seat))]
    return max(own or every, key=lambda it: it[1].cost, default=None)


def costly_move(found: tuple[Review, ...], leg: Leg, number: int) -> CostlyMove | None:
    """The entry of a move in a review; None where the review no longer lists it."""
    if leg > len(found):
        return None
    return next((one for one in found[leg - 1].costly if one.number == number), None)


def find_mistake(loaded: LoadedMatch, leg: Leg, number: int) -> Mistake | None:
    """A move of a match by its leg and number; None where there is none."""
    legs = legs_of(loaded.begun_match)
    step = next((one for one in list_steps(legs[leg - 1]) if one.number == number), None) if leg <= len(legs) else None
    return Mistake(leg, step, seat_in(leg, step.seat)) if step else None


def make_retry_question(loaded: LoadedMatch, it: Mistake, move: str) -> SearchQuestion | None:
    """The search request about a try; None where it ends the match."""
    game, after = legs_of(loaded.begun_match)[0].game, _play_retry(it, move)
    if not after.turn:
        return None
    heavy = compute_divisor(game, after)
    budget = Budget(min(TRY_PLAYOUTS, MOST // heavy), TRY_NODES // heavy, others=False)
    return SearchQuestion(game.key, after, after.turn[0], budget, f"again:{loaded.id}:{it.leg}:{it.step.number}:{move}")


def judge_retry(
    loaded: LoadedMatch, it: Mistake, costly: CostlyMove, move: str, thought: Thought | None
) -> RetryVerdict:
    """The verdict on a try, from the thought about the position after it."""
    game, after, seat = legs_of(loaded.begun_match)[0].game, _play_retry(it, move), it.step.seat
    if thought is None:
        share = to_percent(compute_final_shares(game, after)[seat - 1])
        ahead, answer = round(compute_margins(compute_results(after, game.mind))[seat - 1]), ""
    else:
        mine = after.turn[0] == seat
        shares = thought.shares if thought.exact else temper_shares(thought.shares)
        share, answer = to_percent(shares[seat - 1]), "" if mine else thought.move
        certain = thought.exact and len(thought.shares) == 2
        ahead = round(thought.value if mine else -thought.value) if certain else None
    if costly.ahead and ahead is not None:
        return RetryVerdict(move, ahead >= costly.ahead[0], ahead > costly.ahead[1], ahead, share, answer)
    solves = move == costly.better or (move != costly.played and share >= costly.kept + 100 * TRUST * NOISE)
    return RetryVerdict(move, solves, False, ahead, share, answer)


def _play_retry(it: Mistake, move: str) -> Position:
    return it.step.before.play(it.step.seat, move)
