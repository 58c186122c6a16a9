"""Says on a challenge which seat a board favours, where that is known. How it was found: docs/fairness.md.

>>> ahead(-4)
'If nobody errs, seat 2 wins by 4 on this board.'
>>> share((5, 26))
'On this board seat 1 wins between 5 and 26 of 100 matches of the computer against itself.'
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

SWAPPED = "Both seats play both roles equally often, so neither has an edge."
BEGUN = "Both seats begin equally many rounds, so neither has an edge."


def swapped(options: object, seats: int) -> str:
    """The `edge` of a game in which the seats exchange their roles."""
    return SWAPPED


def ahead(margin: int) -> str:
    """The sentence for an exact value: by how much seat 1 is ahead at the end if nobody errs."""
    if not margin:
        return "If nobody errs, it is a draw on this board."
    return f"If nobody errs, seat {1 if margin > 0 else 2} wins by {abs(margin)} on this board."


def share(between: tuple[int, int]) -> str:
    """The sentence for self-play: how many of 100 matches seat 1 wins, as an interval; a tie counts half."""
    low, high = between
    return f"On this board seat 1 wins between {low} and {high} of 100 matches of the computer against itself."


def known(value: object, exact: Mapping[int, int], shares: Mapping[int, tuple[int, int]]) -> str | None:
    """The sentence for a board by its size, where there is one."""
    if not isinstance(value, int):
        return None
    if value in exact:
        return ahead(exact[value])
    return share(shares[value]) if value in shares else None


def by_board(
    option: str, exact: Mapping[int, int] = {}, shares: Mapping[int, tuple[int, int]] = {}
) -> Callable[[object, int], str | None]:
    """The `edge` of a game whose boards differ in one option; it says nothing of more than two seats.

    For values of the option `exact` tells by how much seat 1 is ahead at the end if nobody errs, `shares` how many of
    100 matches of the computer against itself seat 1 wins, where more playouts do not change that.
    """

    def edge(options: object, seats: int) -> str | None:
        return known(getattr(options, option), exact, shares) if seats == 2 else None

    return edge
