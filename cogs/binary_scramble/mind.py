"""How the computer plays Binary Scramble: random flips of a number's bits, with the runs of each number looked up."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from functools import lru_cache

from bot.games.mind import Measured, Mind, RandomSource
from cogs.binary_scramble.rules import BinaryScramble, run_lengths


@lru_cache(maxsize=1 << 16)
def _run_lengths(number: int, length: int) -> tuple[int, ...]:
    # The run lengths of a list that is read as a binary number.
    return run_lengths(f"{number:0{length}b}")


def roll_out(position: BinaryScramble, rng: RandomSource) -> Sequence[int]:
    """The scores after random digits and random flips."""
    length, target, after = position.length, position.target, position.next_seats
    scores, seat = list(position.scores()), position.seat_to_move
    number, wanting = int(position.digits or "0", 2), length - len(position.digits)
    seen = {int(digits, 2) for digits in position.lists}
    if position.is_building:
        number = number << wanting | rng.getrandbits(wanting)
        seen = {number}
        for _ in range(wanting % (position.seats - len(position.withdrawn))):
            seat = after[seat]
    shapes = {_run_lengths(each, length) for each in seen}
    while target not in scores and (number := _flip_to_new(number, seen, length, rng)) >= 0:
        if (shape := _run_lengths(number, length)) in shapes:
            scores[seat - 1] += 1
        shapes.add(shape)
        seen.add(number)
        seat = after[seat]
    return scores


def _flip_to_new(number: int, seen: set[int], length: int, rng: RandomSource) -> int:
    # A list after any flip that makes a new one; -1 where none does. Most do, so one is guessed.
    after = number ^ 1 << int(rng.random() * length)
    if after not in seen:
        return after
    fresh = [after for at in range(length) if (after := number ^ 1 << at) not in seen]
    return rng.choice(fresh) if fresh else -1


def position_key(position: BinaryScramble) -> Hashable:
    """The list, the earlier lists in any order, the seat to move, and the points."""
    return position.digits, frozenset(position.lists), position.seat_to_move, position.scores()


def estimate_effort(position: BinaryScramble) -> int:
    """More seats and a higher target make the rest of a match longer."""
    return (position.seats + position.target) * position.length


MIND: Mind[BinaryScramble] = Mind(
    rollout=roll_out,
    key=position_key,
    trust=0.5,
    effort=estimate_effort,
    measured=Measured(
        playouts=13_000,
        nodes=20_000,
        playout_effort=56,  # (seats + points) × digits
        hastes=(0.72, 0.6, 0.4, 0.2),
    ),
)
