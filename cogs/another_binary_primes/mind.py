"""What helps the computer play Another Binary Primes: neither the seat of a mark nor the order of marks matters."""

from __future__ import annotations

from bot.core.game.mind import Lots, Mind
from bot.core.game.playouts import filled_up
from cogs.another_binary_primes.rules import AnotherBinaryPrimes, count


def _rollout(position: AnotherBinaryPrimes, lots: Lots) -> tuple[int, int]:
    """How many primes there are when the marks that are yet to be made are in any of the empty squares."""
    squares = position.squares
    board = filled_up(position.board, squares, position.length, lots)
    from_the_bottom = f"{board:0{squares}b}"
    return count(int(from_the_bottom[::-1], 2)), count(board)


def _key(position: AnotherBinaryPrimes) -> int:
    return position.board


def _effort(position: AnotherBinaryPrimes) -> int:
    """The more squares, the more and the longer numbers there are to be looked at, and the fewer come again."""
    return position.squares**3


MIND: Mind[AnotherBinaryPrimes] = Mind(rollout=_rollout, key=_key, effort=_effort)
