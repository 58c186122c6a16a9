"""How the computer plays Binary Scramble: random flips of a number's bits, with the runs of each number looked up."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from functools import lru_cache

from bot.core.game.mind import Lots, Mind
from cogs.binary_scramble.rules import BinaryScramble, runs


@lru_cache(maxsize=1 << 16)
def _shape(number: int, length: int) -> tuple[int, ...]:
    # The run lengths of a list that is read as a binary number.
    return runs(f"{number:0{length}b}")


def rollout(position: BinaryScramble, lots: Lots) -> Sequence[int]:
    """The scores after random digits and random flips."""
    length, target, after = position.length, position.target, position.successors
    scores, seat = list(position.scores()), position.mover
    number, wanting = int(position.digits or "0", 2), length - len(position.digits)
    seen = {int(digits, 2) for digits in position.lists}
    if position.building:
        number = number << wanting | lots.getrandbits(wanting)
        seen = {number}
        for _ in range(wanting % (position.seats - len(position.withdrawn))):
            seat = after[seat]
    shapes = {_shape(each, length) for each in seen}
    while target not in scores and (number := _flipped(number, seen, length, lots)) >= 0:
        if (shape := _shape(number, length)) in shapes:
            scores[seat - 1] += 1
        shapes.add(shape)
        seen.add(number)
        seat = after[seat]
    return scores


def _flipped(number: int, seen: set[int], length: int, lots: Lots) -> int:
    # A list after any flip that makes a new one; -1 where none does. Most do, so one is guessed.
    after = number ^ 1 << int(lots.random() * length)
    if after not in seen:
        return after
    fresh = [after for at in range(length) if (after := number ^ 1 << at) not in seen]
    return lots.choice(fresh) if fresh else -1


def key(position: BinaryScramble) -> Hashable:
    """The list, the earlier lists in any order, the seat to move, and the points."""
    return position.digits, frozenset(position.lists), position.mover, position.scores()


def effort(position: BinaryScramble) -> int:
    """The more seats and the more points are wanted, the longer it takes until one of them has them."""
    return (position.seats + position.target) * position.length


MIND: Mind[BinaryScramble] = Mind(rollout=rollout, key=key, trust=0.5, effort=effort)
