"""What helps the computer play Palindromes/Antipalindromes: it counts them in a row of bits shifted against itself."""

from __future__ import annotations

from bot.games.mind import Measured, Mind, RandomSource
from cogs.palindromes_antipalindromes.rules import Palindromes

FILLED = str.maketrans("01.", "110")
ZEROS = str.maketrans(".", "0")
INVERSE = str.maketrans("01", "10")


def count_lengths(row: int, length: int) -> tuple[int, int]:
    """The lengths of all palindromes and of all antipalindromes of even length in a full row, as a binary number.

    >>> count_lengths(0b10011011, 8)
    (14, 18)
    """
    alike = different = (1 << length - 1) - 1  # a bit for each middle that has some of the length before
    palindromes = antipalindromes = 0
    for reach in range(length // 2):
        apart = 2 * reach + 1
        within = (1 << length - apart) - 1
        unlike = ((row ^ row >> apart) & within) << reach
        alike &= within << reach & ~unlike
        different &= unlike
        if not alike | different:
            break
        palindromes += (apart + 1) * alike.bit_count()
        antipalindromes += (apart + 1) * different.bit_count()
    return palindromes, antipalindromes


def _roll_out(position: Palindromes, rng: RandomSource) -> tuple[int, int]:
    """The scores when every empty square has got a random digit; when it is written does not matter."""
    row, length = position.row, position.length
    filled = int(row.translate(FILLED), 2)
    return count_lengths(int(row.translate(ZEROS), 2) | rng.getrandbits(length) & ~filled, length)


def _position_key(position: Palindromes) -> str:
    """The row has palindromes and antipalindromes in the same places when it is reversed or its digits are swapped."""
    row = position.row
    inverse = row.translate(INVERSE)
    return min(row, row[::-1], inverse, inverse[::-1])


def _estimate_effort(position: Palindromes) -> int:
    """The longer the row, the more moves there are to be weighed."""
    return position.length


MIND: Mind[Palindromes] = Mind(
    rollout=_roll_out,
    key=_position_key,
    trust=0.75,
    effort=_estimate_effort,
    measured=Measured(
        playouts=34_000,
        nodes=80_000,
        playout_effort=16,  # squares
        hastes=(0.73, 0.58, 0.39, 0.2),
        lost_by_lot=0.70,
    ),
)
