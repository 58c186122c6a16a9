"""Walks through divisors and multiples that begin as somebody has typed."""

from __future__ import annotations

from collections.abc import Container, Iterator
from functools import lru_cache

from bot.core.game.position import Suggestion

Steps = tuple[int, ...]


@lru_cache(maxsize=4096)
def neighbours(one: int, r: int) -> Steps:
    """The divisors and multiples of a number from 1 to r, itself left out.

    >>> neighbours(6, 13)
    (1, 2, 3, 12)
    """
    return tuple(other for other in range(1, r + 1) if other != one and (one % other == 0 or other % one == 0))


def begun(r: int, start: int, typed: str) -> Steps | None:
    """The steps that have been typed whole, as a walk; None where they are none."""
    steps: list[int] = []
    for word in typed.replace(",", " ").split(" ")[:-1]:
        if not word:
            continue
        if not (word.isascii() and word.isdigit() and len(word) < 3):
            return None
        if int(word) not in neighbours(steps[-1] if steps else start, r):
            return None
        steps.append(int(word))
    return tuple(steps)


def offered(r: int, start: int, claimed: Container[int], typed: str, most: int) -> Iterator[Suggestion]:
    """Walks that go on from what has been typed to a free number, in one step, then in two; each in order of numbers.

    What a walk costs is for the player to find.
    """
    steps = begun(r, start, typed)
    if steps is None:
        return
    last = typed.replace(",", " ").rpartition(" ")[2]
    base = steps[-1] if steps else start
    firsts = [first for first in neighbours(base, r) if str(first).startswith(last)]
    onward = [(first,) for first in firsts]
    onward += [(first, second) for first in firsts for second in neighbours(first, r) if second != base]
    for walk in ((*steps, *further) for further in onward):
        if walk[-1] not in claimed and len(walk) <= most:
            yield Suggestion(" ".join(map(str, walk)), f"claims {walk[-1]}")
