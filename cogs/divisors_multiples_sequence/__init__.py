"""Divisors/Multiples Sequence: a walk through divisors and multiples on which numbers are claimed."""

from collections.abc import Iterator, Mapping

from bot.core.game.first_move_edge import by_board
from bot.core.game.game import Game
from bot.core.game.moves import MoveKind, Part
from bot.core.game.notation import added, listed
from bot.core.values.seats import Seat
from cogs.divisors_multiples_sequence import rules
from cogs.divisors_multiples_sequence.mind import MIND
from cogs.divisors_multiples_sequence.picture import pictures, sketch
from cogs.divisors_multiples_sequence.rules import (
    MOST_STEPS,
    DivisorsMultiplesSequence,
    DivisorsMultiplesSequenceOptions,
    neighbours,
)


def _numbers(position: DivisorsMultiplesSequence) -> tuple[int, int]:
    return 1, position.r


def _steps(position: DivisorsMultiplesSequence) -> tuple[int, int]:
    return 1, MOST_STEPS


def _advice(options: DivisorsMultiplesSequenceOptions, seats: int) -> str | None:
    if options.r % seats == 1 % seats:
        return None
    return f"With {seats} players, everybody gets equally many turns only if r is one more than a multiple of {seats}."


def _next_steps(
    position: DivisorsMultiplesSequence, seat: Seat, chosen: Mapping[str, str], typed: str
) -> Iterator[str]:
    """The numbers that begin as typed, to which the walk can step and still end on a free one."""
    if seat not in position.turn:
        return
    walked = [int(step) for step in chosen["numbers"].split()]
    left = MOST_STEPS - len(walked) - 1
    for step in neighbours(walked[-1] if walked else position.here, position.r):
        if str(step).startswith(typed) and _leads(position, step, left):
            yield str(step)


def _leads(position: DivisorsMultiplesSequence, step: int, left: int) -> bool:
    """Whether a walk that stands there can end on a free number within so many steps."""
    claims = position.claims
    if step not in claims:
        return left >= 0
    # By way of 1 every number is reached in two steps.
    return left > 1 or left == 1 and any(other not in claims for other in neighbours(step, position.r))


def _asks(position: DivisorsMultiplesSequence, seat: Seat, chosen: Mapping[str, str]) -> str:
    steps = [int(step) for step in chosen["numbers"].split()]
    if not steps:
        return f"You are on {position.here}. Which number next?"
    here, costs = steps[-1], added(position.costs(steps))
    if here in position.claims:
        return f"You are on {here}, for {costs} so far. Which number next?"
    return f"You are on {here}, for {costs} so far. Stop here, or walk on?"


def _plays(position: DivisorsMultiplesSequence, seat: Seat, chosen: Mapping[str, str]) -> str:
    steps = [int(step) for step in chosen["numbers"].split()]
    return f"{listed(steps)} for {sum(position.costs(steps))}"


GAME = Game(
    key="divisors-multiples-sequence",
    title="Divisors/Multiples Sequence",
    year=2011,
    goal="Claim numbers on a walk through divisors and multiples; the cheapest walks win.",
    seats=range(2, 7),
    lopsided=True,
    lowest_wins=True,
    plies=12,
    minutes=15,
    difficulty=1,
    Options=DivisorsMultiplesSequenceOptions,
    start=DivisorsMultiplesSequence.start,
    rules=rules.__doc__,
    pictures=pictures,
    sketch=sketch,
    advice=_advice,
    edge=by_board("r", exact={5: 2, 6: 7, 7: 2, 8: 7, 9: -2, 10: 17, 11: -6, 12: 16, 13: -3, 14: 29}),
    moves=(
        MoveKind(
            "walk",
            "Walk on and claim the number where you stop.",
            "{numbers}",
            (
                Part(
                    "numbers",
                    "whole",
                    "The numbers you step to, in order, like 2 4",
                    _numbers,
                    items=_steps,
                    following=_next_steps,
                ),
            ),
            asks=_asks,
            plays=_plays,
            words=("move",),
        ),
    ),
    mind=MIND,
)
