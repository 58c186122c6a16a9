"""Why no 3 × 3 grid makes all the sums from 1 to 27.

A grid has 27 sums: its nine numbers, six pairs in rows and six in columns, and six whole lines. To make 1 to 27 each of
them must be made once. So a row has six different sums up to 27, three rows have eighteen that differ, and the nine of
the columns must be just those that are left. All such rows are looked at, and all that go together.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations, product

SUMS = 27
ALL = (1 << SUMS + 1) - 2
"""The sums from 1 to 27, each a bit."""

Row = tuple[int, int, int]


def bits(sums: tuple[int, ...]) -> int:
    """Sums as bits; 0 where two are equal or one is beyond 27."""
    if max(sums) > SUMS or len({*sums}) < len(sums):
        return 0
    return sum(1 << one for one in sums)


def rows() -> dict[Row, int]:
    """The rows whose six sums differ, as bits; a row and the same backwards are two."""
    numbers = range(1, SUMS + 1)
    found = (((a, b, c), bits(made((a, b, c)))) for a, b, c in product(numbers, numbers, numbers))
    return {row: sums for row, sums in found if sums}


def made(row: Row) -> tuple[int, ...]:
    """The sums of a row.

    >>> made((2, 9, 8))
    (2, 9, 8, 11, 17, 19)
    """
    a, b, c = row
    return a, b, c, a + b, b + c, a + b + c


def together(sums: list[int]) -> Iterator[tuple[int, int, int]]:
    """All threes of sets of sums that have none in common, each once."""
    for at, first in enumerate(sums):
        free = [other for other in sums[at + 1 :] if not other & first]
        for place, second in enumerate(free):
            yield from ((first, second, third) for third in free[place + 1 :] if not third & second)


def columns(one: Row, two: Row, three: Row) -> int:
    """The nine sums that three rows make in their columns, as bits; 0 where two of them are equal."""
    pairs = ((a + b, b + c, a + b + c) for a, b, c in zip(one, two, three, strict=True))
    return bits(tuple(total for pair in pairs for total in pair))


def lines() -> Iterator[str]:
    """What is looked at, and what is found."""
    every = rows()
    by_sums: dict[int, list[Row]] = {}
    for row, sums in every.items():
        by_sums.setdefault(sums, []).append(row)
    yield f"{len(every)} rows have six different sums up to {SUMS}."
    looked = grids = 0
    for three in together([*by_sums]):
        for chosen in product(*(by_sums[sums] for sums in three)):
            looked += 1
            grids += sum(columns(*order) == ALL & ~sum(three) for order in permutations(chosen))
    yield f"{looked} threes of them have no sum in common."
    yield f"{grids} grids made of them have all the sums from 1 to {SUMS}."
