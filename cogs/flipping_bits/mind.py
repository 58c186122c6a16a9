"""How the computer plays Flipping Bits: random flips of a number's bits, until a single one is unlike the others."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from functools import cache

from bot.games.mind import Measured, Mind, RandomSource, compute_leads
from cogs.flipping_bits.rules import FlippingBits, first_pattern, list_choices

FIXED = 4_500
"""The fixed effort of a playout, as a number of patterns."""


@cache
def ending_patterns(squares: int) -> dict[int, int]:
    """The patterns, read as numbers, that end a round, each with what it scores."""
    whole = (1 << squares) - 1
    singles = {1 << squares - position: position for position in range(1, squares + 1)}
    return singles | {whole ^ single: position for single, position in singles.items()}


def roll_out(position: FlippingBits, rng: RandomSource) -> Sequence[int]:
    """The scores after random flips in this round and in all that follow."""
    scores, squares = list(position.scores()), position.squares
    first = position.flips[0].seat if position.flips else position.seat_to_move
    pattern, seat, seen = int(position.pattern, 2), position.seat_to_move, bytearray(1 << squares)
    _mark_seen(seen, position.seen)
    after, staying = position.next_seats, position.seats - len(position.withdrawn)
    for left in range(position.rounds - len(position.outcomes), 0, -1):
        flips, points = _play_round(pattern, seen, squares, rng)
        for _ in range((flips - 1) % staying):
            seat = after[seat]
        scores[seat - 1] += points
        if left > 1:
            seat = first = after[first]
            pattern, seen = int(first_pattern(squares), 2), bytearray(1 << squares)
            seen[pattern] = 1
    return scores


def _mark_seen(seen: bytearray, board: bytes) -> None:
    # The patterns of a bit set, a byte for each.
    for at, byte in enumerate(board):
        while byte:
            low = byte & -byte
            seen[at << 3 | low.bit_length() - 1] = 1
            byte ^= low


def _play_round(pattern: int, seen: bytearray, squares: int, rng: RandomSource) -> tuple[int, int]:
    # How many flips end a round, and how much the last scores. Most squares may be flipped, so one is guessed.
    over, draw, flips = ending_patterns(squares), rng.random, 0
    while True:
        after = pattern ^ 1 << int(draw() * squares)
        if seen[after]:
            after = _pick_new_pattern(pattern, seen, squares, rng)
        pattern, flips = after, flips + 1
        seen[after] = 1
        if after in over:
            return flips, over[after]


def _pick_new_pattern(pattern: int, seen: bytearray, squares: int, rng: RandomSource) -> int:
    # Any of the new patterns that the fewest flips make.
    for count in range(1, squares + 1):
        fresh = [after for _, change in list_choices(squares, count) if not seen[after := pattern ^ change]]
        if fresh:
            return rng.choice(fresh)
    raise AssertionError("a round is over before all patterns have been there")


def position_key(position: FlippingBits) -> Hashable:
    """The pattern and the earlier ones of the round, the seat to move and the one that began, and the scores' gaps."""
    begun, over = position.flips[0].seat if position.flips else 0, len(position.outcomes)
    return position.pattern, position.seen, position.seat_to_move, begun, over, compute_leads(position.scores())


def estimate_effort(position: FlippingBits) -> int:
    """A round takes as long as there are patterns, and all rounds that are left are played."""
    left = position.rounds - len(position.outcomes)
    return FIXED + (left << position.squares)


MIND: Mind[FlippingBits] = Mind(
    rollout=roll_out,
    key=position_key,
    effort=estimate_effort,
    measured=Measured(
        playouts=18_000,
        nodes=16_000,
        playout_effort=5_000,  # patterns of all rounds left
    ),
)
