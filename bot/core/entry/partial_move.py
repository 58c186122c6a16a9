"""The partial move of a pad, the parts of a move chosen so far, written and read in notation.

Its text stands in a message, and nothing else is kept between two taps: a line for each part with its name; the part
that is being chosen ends in an ellipsis.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Self

from bot.core.game.moves import MoveKind, Part

CURSOR, LEFT_OUT = "…", "-"
"""The sign after the part that is being chosen, and in place of one that is left out."""
GIVEN_UP = "({})"
"""An item that gets another value."""


@dataclass(frozen=True, slots=True)
class PartialMove:
    """The finished parts of a move, and what stands in the next one."""

    kind: MoveKind
    done: tuple[str, ...] = ()
    open: str = ""
    """Items of a list that are whole have a space behind them."""

    @property
    def whole(self) -> bool:
        """Whether all parts are chosen."""
        return len(self.done) == len(self.kind.parts)

    @property
    def part(self) -> Part:
        """The part that is being chosen."""
        part = self.kind.parts[len(self.done)]
        return part.tapped or part

    @property
    def values(self) -> dict[str, str]:
        """What was chosen, by the names of the parts."""
        names = [part.name for part in self.kind.parts]
        chosen = dict(zip(names, self.done, strict=False))
        return chosen if self.whole else chosen | {names[len(chosen)]: self.open.strip()}

    @property
    def line(self) -> str:
        """The move as one line, once it is whole."""
        return self.kind.write(self.values)

    @property
    def items(self) -> tuple[str, ...]:
        """The items of a list that are whole."""
        return tuple(self.open.rpartition(" ")[0].split())

    @property
    def typed(self) -> str:
        """The beginning of a value that is not whole: a column, some digits."""
        return self.open.rpartition(" ")[2]

    @property
    def hole(self) -> int | None:
        """Where among the items one gets another value."""
        return next((at for at, item in enumerate(self.items) if item[0] == "("), None)

    def with_item(self, at: int, item: str) -> Self:
        """One of the items is another, and nothing is typed."""
        return replace(self, open="".join(f"{one} " for one in (*self.items[:at], item, *self.items[at + 1 :])))

    def closed(self) -> Self:
        """The part that is being chosen is finished."""
        return replace(self, done=(*self.done, self.open.strip()), open="")

    def taken(self) -> Self:
        """The value that was being typed is whole: the part is finished, or the list goes on. An item that gets a
        value which another has is exchanged with that one."""
        items, hole = self.open.split(), self.hole
        if self.part.items is None:
            return self.closed()
        if hole is not None:
            given_up, value = items[hole].strip("()"), items.pop()
            items = [given_up if item == value else item for item in items]
            items[hole] = value
        elif self.part.together:
            items.sort(key=int)
        return replace(self, open="".join(f"{item} " for item in items))

    def ended(self) -> Self:
        """The part that is being chosen ends with what is there."""
        return self.taken() if self.typed else self.closed()

    def __str__(self) -> str:
        return self._written([part.name for part in self.kind.parts])

    @property
    def shown(self) -> str:
        """The same as people read it."""
        return self._written([part.heading for part in self.kind.parts])

    def _written(self, names: Sequence[str]) -> str:
        lines = [f"{name}: {value or LEFT_OUT}" for name, value in zip(names, self.done, strict=False)]
        return "\n".join(lines if self.whole else [*lines, f"{names[len(self.done)]}: {self.open}{CURSOR}"])

    @classmethod
    def parse(cls, kind: MoveKind, text: str) -> Self | None:
        """Read what `shown` or `str` has written; None for a text that is none, or one of another kind of move."""
        found = [re.fullmatch(r"([A-Za-z ]+): (.*)", line) for line in text.split("\n")]
        pairs = [(each[1], each[2]) for each in found if each]
        parts = kind.parts[: len(pairs)]
        if len(pairs) != len(found) or len(parts) != len(pairs):
            return None
        if not all(name in (part.name, part.heading) for part, (name, _) in zip(parts, pairs, strict=True)):
            return None
        *done, last = [value for _, value in pairs]
        if last.endswith(CURSOR):
            return cls(kind, tuple(map(_said, done)), last.removesuffix(CURSOR))
        return cls(kind, tuple(map(_said, (*done, last)))) if len(pairs) == len(kind.parts) else None


def _said(value: str) -> str:
    return "" if value == LEFT_OUT else value
