"""The levels: how much the computer looks at, four times as much from each to the next.

Where a game gains little by that, fewer levels are offered, and the highest of them looks at as much as the highest of
all.
"""

from __future__ import annotations

from bot.core.game.game import Game
from bot.core.game.mind import Budget
from bot.core.game.position import Position
from bot.core.values.computer_users import LEVELS

FIRST = 4
"""How many continuations the first level tries for a move."""
FEWEST = 2
NODES = {1: 0, 2: 0, 3: 300, 4: 1_200, 5: 5_000, 6: 20_000}
"""How many positions may be left to the end for each level to look at all of them."""
MOST = 4096
"""The most playouts of usual length that keep a move below five seconds of processor time."""


def budget(game: Game, position: Position, level: int) -> Budget:
    """What a level may look at for a move in a position."""
    level = LEVELS[-1] if level >= game.mind.top(position) else level
    playouts = FIRST * 4 ** (level - 1)
    return Budget(max(FEWEST, min(playouts, MOST // game.mind.weight(position))), NODES[level])


def highest(game: Game, position: Position) -> int:
    """The highest level that differs from the one below it, in a match that begins with a position."""
    most = MOST // game.mind.weight(position)
    fitting = max((level for level in LEVELS if FIRST * 4 ** (level - 1) <= most), default=1)
    return min(fitting, game.mind.top(position))
