"""The levels: how much the computer looks at for a move, four times as much from each to the next.

Where a game gains little by that, fewer levels are offered, and the highest of them looks at as much as the highest of
all.
"""

from __future__ import annotations

from bot.core.game.game import Game
from bot.core.game.legs import Legs
from bot.core.game.mind import Budget
from bot.core.game.position import Position
from bot.core.game.two_legs import once
from bot.core.values.computer_users import LEVELS

FIRST = 4
"""How many continuations the first level tries for a move."""
FEWEST = 2
NODES = {1: 0, 2: 0, 3: 300, 4: 1_200, 5: 5_000, 6: 20_000}
"""How many positions may be left to the end for each level to look at all of them."""
MOST = 4096
"""The most playouts of usual length that keep a move below five seconds of processor time."""

A_PLAYOUT: dict[str, float] = {
    "another-binary-primes": 19.25,  # squares
    "binary-scramble": 48,  # seats × digits
    "combining-dividing": 21_600,  # rewritings left × integers × (integers + 12) × (seats + 4)
    "cross-dont-cross": 400,  # the cubes of the chords of all rounds left
    "divisors-multiples-sequence": 500,  # numbers left × numbers
    "flipping-bits": 40_000,  # patterns of all rounds left
    "not-divisors-not-multiples": 25,  # squares left
}
"""How much of a game's `effort` counts as one playout; a game that is not here counts its effort in playouts.

`python -m tests.arena --playouts` measures it, at the usual and at the largest options. Of most games a playout takes
0.7 ms at the most; at the largest options of combining-dividing it takes 31 ms (36 times as much), of flipping-bits
5.7 (10), of divisors-multiples-sequence 5.3 (7), of cross-dont-cross 5.1 (8), of not-divisors-not-multiples 2.9 (4).
"""


def weight(game: Game, position: Position) -> int:
    """How many times as long a playout takes as one of most games: so many times fewer are made.

    Of two legs the one counts that takes longer: the computer thinks about one at a time.
    """
    if isinstance(position, Legs):
        return max(weight(once(game), leg) for _, leg in position.each)
    return max(1, round(game.mind.effort(position) / A_PLAYOUT.get(game.key, 1)))


def budget(game: Game, position: Position, level: int) -> Budget:
    """What a level may look at for a move in a position."""
    level = LEVELS[-1] if level >= game.mind.top(position) else level
    playouts = FIRST * 4 ** (level - 1)
    return Budget(max(FEWEST, min(playouts, MOST // weight(game, position))), NODES[level])


def highest(game: Game, position: Position) -> int:
    """The highest level that differs from the one below it, in a match that begins with a position."""
    most = MOST // weight(game, position)
    fitting = max((level for level in LEVELS if FIRST * 4 ** (level - 1) <= most), default=1)
    return min(fitting, game.mind.top(position))
