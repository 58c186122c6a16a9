"""Says on a challenge which player a board favours, where that is known. How it was found: docs/fairness.md.

>>> ahead(-4)
'With best play, the second player wins by 4 on this board.'
>>> share(Share(4, 5, 26))
'When the computer plays itself here, thinking as hard as level 4, the player who starts wins about 15 % of the time.'
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

SWAPPED = "Everybody plays both roles equally often, so it's fair."
BEGUN = "Everybody starts equally many rounds, so it's fair."
HALF = (
    "When the computer plays itself here, thinking as hard as level {level}, the player who starts wins about half the "
    "time."
)
OFTEN = (
    "When the computer plays itself here, thinking as hard as level {level}, the player who starts wins about "
    "{percent} % of the time."
)


class Share(NamedTuple):
    """How many of 100 matches seat 1 wins when the computer plays itself at a level: at least and at most; a tie counts
    half."""

    level: int
    low: int
    high: int


def swapped(options: object, seats: int) -> str:
    """The `edge` of a game in which the seats exchange their roles."""
    return SWAPPED


def ahead(margin: int) -> str:
    """The sentence for an exact value: seat 1's final margin under best play."""
    if not margin:
        return "With best play, this board is a draw."
    if margin > 0:
        return f"With best play, the first player wins by {margin} on this board."
    return f"With best play, the second player wins by {-margin} on this board."


def share(found: Share) -> str:
    """The sentence for self-play. It names the middle to the next 5 %, since the interval is wide."""
    if found.low <= 50 <= found.high:
        return HALF.format(level=found.level)
    return OFTEN.format(level=found.level, percent=5 * round((found.low + found.high) / 10))


def known(value: object, exact: Mapping[int, int], shares: Mapping[int, Share]) -> str | None:
    """The sentence for a board by its size, where there is one."""
    if not isinstance(value, int):
        return None
    if value in exact:
        return ahead(exact[value])
    return share(shares[value]) if value in shares else None


def by_board(
    option: str, exact: Mapping[int, int] = {}, shares: Mapping[int, Share] = {}
) -> Callable[[object, int], str | None]:
    """The `edge` of a game whose boards differ in one option; it says nothing of more than two seats.

    Both tables are by the option's value. `exact`: by how much seat 1 is ahead at the end if nobody errs. `shares`: how
    often seat 1 wins when the computer plays itself, for boards on which a higher level does not change that.
    """

    def edge(options: object, seats: int) -> str | None:
        return known(getattr(options, option), exact, shares) if seats == 2 else None

    return edge
