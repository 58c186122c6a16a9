"""How a move is entered: its kinds and their parts, from which commands, autocompletion, forms and the README are made.

A kind of move knows its notation: `write` joins the parts to a line, `parse` takes the line apart again.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from bot.core.seats import Seat

if TYPE_CHECKING:
    from bot.core.game import Position

PartKind = Literal["square", "whole", "word", "text"]
SELECT_LIMIT = 25
"""The longest list that a select can show (Discord's limit)."""


@dataclass(frozen=True, slots=True)
class Part:
    """One thing a player says in a move.

    `bounds` gives, for a position: columns and rows of a "square"; lowest and highest of a "whole" number;
    the words of a "word"; least and most characters of a "text".
    """

    name: str
    kind: PartKind
    help: str
    bounds: Callable[[Any], tuple[Any, ...]]
    optional: bool = False
    """Whether it may be left out; only the last part of a move may."""

    def lists(self, position: Position) -> tuple[tuple[str, ...], ...]:
        """The lists a form shows: column and row of a square, one list of few values, none for a line of text.

        A chosen value is the concatenation of one item from each list.
        """
        bounds = self.bounds(position)
        if self.kind == "square":
            columns, rows = bounds
            return tuple(chr(97 + column) for column in range(columns)), tuple(str(row + 1) for row in range(rows))
        if self.kind == "word":
            return (bounds,)
        if self.kind == "whole" and bounds[1] - bounds[0] < SELECT_LIMIT:
            return (tuple(str(value) for value in range(bounds[0], bounds[1] + 1)),)
        return ()


def always(position: Any, seat: Seat) -> bool:
    """A kind of move that can be made whenever its seat is to move."""
    return True


@dataclass(frozen=True, slots=True)
class MoveKind:
    """One of a game's move commands: its name, its parts, and the pattern that joins them to a line of notation."""

    name: str
    help: str
    pattern: str
    parts: tuple[Part, ...] = ()
    when: Callable[[Any, Seat], bool] = always

    def write(self, values: Mapping[str, str]) -> str:
        """The move as one line, from the text given for each part."""
        return self.pattern.format_map(values).strip()

    def parse(self, move: str) -> dict[str, str] | None:
        """The parts of a canonical move of this kind; None for a move of another kind."""
        found = re.fullmatch(self._template(), move, re.DOTALL)
        return {name: value for name, value in found.groupdict().items() if value is not None} if found else None

    def prefix(self, values: Mapping[str, str], last: str) -> str:
        """The line as far as it is known when the part `last` is being typed."""
        head, _, _ = self.pattern.partition(f"{{{last}}}")
        known = {part.name: values.get(part.name, "") for part in self.parts}
        return head.format_map(known) + values.get(last, "")

    def _template(self) -> str:
        pieces = re.split(r"\{(\w+)\}", self.pattern)
        template = re.escape(pieces[-1])
        for before, part in reversed(list(zip(pieces[::2], self.parts, strict=False))):
            said = f"{re.escape(before)}(?P<{part.name}>{'.+' if part.kind == 'text' else '[^ -]+'})"
            template = (f"(?:{said})?" if part.optional else said) + template
        return template
