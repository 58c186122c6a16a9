"""What may be chosen next on a walk, number by number: never a step from which no free number can be reached."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from bot.core.values.seats import Seat
from cogs.divisors_multiples_sequence.rules import MOST_STEPS, DivisorsMultiplesSequence
from cogs.divisors_multiples_sequence.walking import neighbours


def steps(position: DivisorsMultiplesSequence, seat: Seat, chosen: Mapping[str, str], typed: str) -> Iterator[str]:
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
