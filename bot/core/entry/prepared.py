"""Premoves: answers to moves that the opponent may make, as a tree of lines.

A line begins with a move of the opponent, ends with one of the owner's, and has moves of both as a record has them.
Lines that begin alike are one branch of the tree, and to one thing there is one answer. A match stores them as text,
with each player, and nobody but the owner may learn that there are any.

>>> tree = Prepared().grown((Move(2, "c3"), Move(1, "a1")), 1).grown((Move(2, "b2"), Move(1, "a3")), 1)
>>> tree.due(1), tree.followed(Move(2, "b2")).due(1), tree.followed(Move(2, "a2"))
(None, Move(seat=1, text='a3'), Prepared(lines=(), dropped='other'))
>>> Prepared.parse(str(tree)) == tree
True
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal, Self, get_args

from bot.core.game.legs import LegMove
from bot.core.match.record import Entry, Move
from bot.core.values.seats import Seat

MOST, DEEPEST = 20, 5
"""The most lines of a tree, and the most moves of its owner in a line."""
LONGEST = 2 * DEEPEST
"""The most moves of both in a line: in some games a seat makes several in a row."""

Line = tuple[Move, ...]
Dropped = Literal["other", "takeback", "illegal"]
"""Why prepared moves are gone: the match went another way, a move was taken back, or the answer broke a rule."""


@dataclass(frozen=True, slots=True)
class Prepared:
    """A player's premoves from the current position on, and why the last ones were dropped, until the owner moves or
    enters new ones."""

    lines: tuple[Line, ...] = ()
    dropped: Dropped | None = None

    def grown(self, line: Line, owner: Seat) -> Self:
        """With one more line. An answer of the owner's replaces another to the same moves, and all that hung on it."""
        kept = [one for one in self.lines if one != line[: len(one)] and not _contradicts(one, line, owner)]
        if any(one[: len(line)] == line for one in kept):
            return replace(self, lines=tuple(kept), dropped=None)
        return replace(self, lines=(*kept, line), dropped=None)

    def due(self, owner: Seat) -> Move | None:
        """The owner's move that is to be played now; None where the opponent is waited for."""
        return next((line[0] for line in self.lines if line[0].seat == owner), None)

    def followed(self, entry: Entry) -> Self:
        """The tree after a line of the record. Moves in another leg change nothing."""
        if not isinstance(entry, Move):
            return replace(self, lines=(), dropped="takeback") if self.lines else self
        leg = LegMove.parse(entry.text).leg
        apart = tuple(line for line in self.lines if LegMove.parse(line[0].text).leg != leg)
        here = [line for line in self.lines if line not in apart]
        left = tuple(line[1:] for line in here if line[0] == entry)
        dropped = "other" if here and not left else self.dropped
        return replace(self, lines=(*apart, *filter(None, left)), dropped=dropped)

    def __str__(self) -> str:
        return json.dumps({"lines": self.lines, **({"dropped": self.dropped} if self.dropped else {})})

    @classmethod
    def parse(cls, text: str | None) -> Self:
        """Parse what `str` has written, and None as an empty tree; ValueError for any other text."""
        if text is None:
            return cls()
        try:
            kept = json.loads(text)
            lines = tuple(tuple(Move(int(seat), str(move)) for seat, move in line) for line in kept["lines"])
            dropped = kept.get("dropped")
        except (KeyError, TypeError, AttributeError) as fault:
            raise ValueError("These are no prepared moves.") from fault
        if dropped not in (None, *get_args(Dropped)):
            raise ValueError(f"Nothing is dropped for {dropped!r}.")
        return cls(lines, dropped)

    @property
    def kept(self) -> str | None:
        """The text that is stored; None where there is nothing to be kept."""
        return str(self) if self.lines or self.dropped else None


def _contradicts(one: Sequence[Move], other: Sequence[Move], owner: Seat) -> bool:
    """Whether two lines part at a move of the owner's, who can only make one of the two."""
    parting = next((pair for pair in zip(one, other, strict=False) if pair[0] != pair[1]), None)
    return parting is not None and parting[0].seat == owner
