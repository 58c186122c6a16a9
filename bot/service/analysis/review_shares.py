"""The shares that a review is about: what each seat may expect of a match, from 0 to 1, and how that is drawn."""

from __future__ import annotations

from collections.abc import Sequence

from bot.core.game.game import Game
from bot.core.game.position import Position
from bot.search.values import margins, results

Shares = tuple[float, ...]
"""What each seat may expect of the match, from 0 to 1."""
TRUST = 0.6
"""How far a search's estimate is trusted; measured in docs/fairness.md."""


def tempered(shares: Shares) -> Shares:
    """The shares of a search that did not reach the end, shrunk towards equal ones.

    Searches are overconfident: of the matches estimated at 80 % some 70 % were won.

    >>> [round(share, 2) for share in tempered((0.8, 0.2))]
    [0.68, 0.32]
    """
    equal = 1 / len(shares)
    return tuple(equal + TRUST * (share - equal) for share in shares)


def level(shares: Sequence[float], known: Sequence[bool], at: int, people: int) -> float:
    """A share as it is known, or where it is not its mean over a round about that moment.

    A search that does not reach the end takes it for good to be to move, so that what it finds goes up and down with
    the turns; over a round of that many people that is gone. What lies beyond an end or beyond what is known is taken
    as if in a mirror.

    >>> level([0.6, 0.4, 0.6, 0.4, 1.0], [False] * 4 + [True], 0, 2), level([0.6, 0.4, 1.0], [False, False, True], 2, 2)
    (0.5, 1.0)
    """
    if known[at]:
        return shares[at]
    first = next((one + 1 for one in range(at, -1, -1) if known[one]), 0)
    last = next((one - 1 for one in range(at, len(shares)) if known[one]), len(shares) - 1)
    around = range(at - people // 2, at + people // 2 + 1)
    weights = [0.5 if people % 2 == 0 and one in (around[0], around[-1]) else 1.0 for one in around]
    there = [shares[mirrored(one, first, last)] for one in around]
    return sum(weight * share for weight, share in zip(weights, there, strict=True)) / sum(weights)


def mirrored(place: int, first: int, last: int) -> int:
    """A place mirrored at the nearer of two ends where it lies beyond, and then kept between them."""
    place = 2 * first - place if place < first else 2 * last - place if place > last else place
    return max(first, min(last, place))


def final(game: Game, position: Position) -> Shares:
    """The share of each seat in a finished match: 1, 1/2 for those who share the first place, or 0."""
    return tuple(won(ahead) / 100 for ahead in margins(results(position, game.mind)))


def won(ahead: float) -> int:
    """The share in percent that a certain margin stands for: 100, 50 or 0."""
    return 50 + 50 * ((ahead > 0) - (ahead < 0))


def percent(share: float) -> int:
    """A share as a whole number of percent."""
    return round(100 * max(0.0, min(1.0, share)))
