"""The three kinds of moves, read from text and written as text: `7`, `split 3 2 5` and `add 5`."""

from __future__ import annotations

import re
from dataclasses import dataclass

from bot.core.game.notation import listed, quote, tidy, whole
from bot.core.game.position import Unreadable

BETWEEN = re.compile(r" ?[*×] ?| ?, ?| ")
"""What may stand between two divisors."""
SPLIT = re.compile(r"(?:split (?P<a>[^ :]+)(?: ?: ?| )|(?P<b>[^ ]+) split )(?P<factors>.+)", re.DOTALL)
ADD = re.compile(r"add (?P<a>[^ ]+)|(?P<b>[^ +]+)(?: add| ?\+)")


@dataclass(frozen=True, slots=True)
class Append:
    """Write an integer at the right end of the list."""

    integer: int

    def __str__(self) -> str:
        return str(self.integer)


@dataclass(frozen=True, slots=True)
class Split:
    """Replace the integer at a position by factors in this order."""

    position: int
    factors: tuple[int, ...]

    def __str__(self) -> str:
        return f"split {self.position} {listed(self.factors)}"


@dataclass(frozen=True, slots=True)
class Add:
    """Replace the integers at a position and the next by their sum."""

    position: int

    def __str__(self) -> str:
        return f"add {self.position}"


Action = Append | Split | Add


def parsed(text: str) -> Action:
    """A move from text in any form that reading accepts, or `Unreadable`.

    >>> [str(parsed(text)) for text in ("7", "Split 3: 2*5", "3 split 2, 5", "5 +")]
    ['7', 'split 3 2 5', 'split 3 2 5', 'add 5']
    """
    folded = tidy(text)
    if found := SPLIT.fullmatch(folded):
        return Split(whole(found["a"] or found["b"]), _factors(found["factors"]))
    if found := ADD.fullmatch(folded):
        return Add(whole(found["a"] or found["b"]))
    if re.match(r"[a-z]|.* ", folded, re.DOTALL):
        raise Unreadable(
            f"{quote(text)} is no move: write an integer while the list is being built, and then split 3 2 5 to split "
            "the third integer into 2 and 5, or add 5 to add the fifth to the sixth."
        )
    return Append(whole(folded))


def _factors(text: str) -> tuple[int, ...]:
    factors = BETWEEN.split(text)
    if "" in factors:
        raise Unreadable(f"{quote(text)} has a sign too many between two divisors: write them like 2 5 or 2*5.")
    return tuple(map(whole, factors))
