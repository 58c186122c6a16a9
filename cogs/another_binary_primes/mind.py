"""What helps the computer play Another Binary Primes: neither the seat of a mark nor the order of marks matters."""

from __future__ import annotations

from bot.games.mind import Measured, Mind, RandomSource, fill_randomly
from cogs.another_binary_primes.rules import AnotherBinaryPrimes, count_primes


def _roll_out(position: AnotherBinaryPrimes, rng: RandomSource) -> tuple[int, int]:
    """The numbers of primes after the remaining marks are made in random empty squares."""
    squares = position.squares
    board = fill_randomly(position.board, squares, position.length, rng)
    from_the_bottom = f"{board:0{squares}b}"
    return count_primes(int(from_the_bottom[::-1], 2)), count_primes(board)


def _position_key(position: AnotherBinaryPrimes) -> int:
    return position.board


def _estimate_effort(position: AnotherBinaryPrimes) -> int:
    """More squares mean more and longer numbers to test, of which fewer repeat."""
    return position.squares**3


MIND: Mind[AnotherBinaryPrimes] = Mind(
    rollout=_roll_out,
    key=_position_key,
    effort=_estimate_effort,
    measured=Measured(
        playouts=28_000,
        nodes=60_000,
        playout_effort=5_000,  # squares³
        hastes=(0.64, 0.64, 0.52, 0.3),
        lost_by_lot=0.81,
    ),
)
