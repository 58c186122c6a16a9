"""Sentences that depend on a number, each written out whole for one and for several; and lists in sentences.

A sentence is never put together from pieces of others: languages order and bend their words differently, so only a
whole one with named parts can be translated. What depends on something else than a number has a table of whole ones.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple


class Plural(NamedTuple):
    """A sentence for one and for any other number, with parts in braces; `{number}` is the number itself.

    >>> to_move = Plural("{names} is to move.", "{names} are to move.")
    >>> to_move.of(2, names="Ann and Bea")
    'Ann and Bea are to move.'
    """

    one: str
    many: str

    def of(self, number: int, **parts: object) -> str:
        """The sentence for a number, with its parts filled in."""
        return (self.one if number == 1 else self.many).format_map({"number": number, **parts})


def together(things: Iterable[object], last: str = " and ") -> str:
    """Things in a sentence: "A", "A and B", "A, B and C"; or with another word before the `last`. Nothing for none."""
    named = [str(thing) for thing in things]
    return last.join([", ".join(named[:-1]), named[-1]] if len(named) > 1 else named)


def sentences(*said: str) -> str:
    """Whole sentences, one after the other; empty ones are left out."""
    return " ".join(filter(None, said))
