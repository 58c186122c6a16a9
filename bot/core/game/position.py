"""A position: one moment of a match, and the moves that lead on from it; every game's rules are one.

A position never changes; a move gives a new one. Moves are text, in the notation that a player could write on paper. A
refused move is a `MoveError` whose text is a sentence for that player.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import NamedTuple, Self

from bot.core.values.plural import together
from bot.core.values.seats import Seat, Viewer, ranking


class MoveError(Exception):
    """A move that was refused and changed nothing; its text tells the player what is wrong and what to do."""


class Unreadable(MoveError):
    """The text is no move in this game's notation."""


class OutOfTurn(MoveError):
    """The seat may not act now."""


class Illegal(MoveError):
    """The move is readable, and a rule forbids it."""


MOVE, IN_ROUND = "move {number}", "round {round}, move {{number}}"
"""How boards name moves: by their number in the match, or in a round."""


class Suggestion(NamedTuple):
    """A move offered while a user types, with a short note ("costs 6") or none."""

    move: str
    note: str = ""


@dataclass(frozen=True, slots=True)
class Position(ABC):
    """One moment of a match: frozen, hashable, slotted. Seats count from 1.

    Everything but leaving and ranking by score is a game's own.
    """

    withdrawn: tuple[Seat, ...] = field(default=(), kw_only=True)
    """The seats that have left, in the order in which they left."""

    @property
    @abstractmethod
    def turn(self) -> tuple[Seat, ...]:
        """The seats that may act now, ascending; several act at once, none when the match is over."""

    @abstractmethod
    def moves(self, seat: Seat) -> Iterator[str]:
        """All legal moves of a seat that is to move and not `open_to`, in canonical notation, lazily."""

    @abstractmethod
    def read(self, seat: Seat, text: str) -> str:
        """Turn forgiving text into canonical notation, or raise `Unreadable`."""

    @abstractmethod
    def play(self, seat: Seat, move: str) -> Self:
        """The position after a move in canonical notation, or a `MoveError`."""

    @abstractmethod
    def scores(self) -> tuple[int, ...]:
        """The running score of every seat: exact, and of any size."""

    @abstractmethod
    def working(self) -> tuple[str, ...]:
        """How the scores come about, a line each: "row 3: 2·3·1 = 6"."""

    def news(self, before: Position) -> tuple[str, ...]:
        """The lines of the working that differ from those of an earlier position."""
        known = set(before.working())
        return tuple(line for line in self.working() if line not in known)

    @abstractmethod
    def __str__(self) -> str:
        """The board as text."""

    def withdraw(self, seat: Seat) -> Self:
        """The position after a seat has left the match, or `OutOfTurn` where it may not."""
        if seat in self.withdrawn:
            raise OutOfTurn(f"Player {seat} has already left the match.")
        return replace(self, withdrawn=(*self.withdrawn, seat))

    def ranks(self) -> tuple[int, ...] | None:
        """The rank of every seat, 1 the best, the highest score's unless a game says otherwise; None before the end."""
        return None if self.turn else ranking(self.scores(), self.withdrawn)

    def open_to(self, seat: Seat) -> bool:
        """Whether the rules leave this seat's moves open (a number, a curve), so that `moves` is not to be listed."""
        return False

    def example(self, seat: Seat) -> str:
        """A legal move for a refusal to show; empty for a seat that is not to move."""
        found = (move for move, _ in self.suggest(seat, "")) if self.open_to(seat) else self.moves(seat)
        return next(iter(found), "") if seat in self.turn else ""

    def suggest(self, seat: Seat, typed: str) -> Iterator[Suggestion]:
        """Moves that begin with what has been typed so far; a game with open moves offers candidates of its own."""
        if not self.open_to(seat):
            yield from (Suggestion(move) for move in self.moves(seat) if move.startswith(typed.strip().lower()))

    @property
    def round(self) -> int:
        """The number of the round that is played, from 1; most games are played in one."""
        return 1

    @property
    def naming(self) -> str:
        """How the board names a move that is made now; its `number` counts those that are named alike."""
        return MOVE

    def seen_by(self, viewer: Viewer) -> Self:
        """This position without what the viewer may not know; a game without secrets shows all to everybody."""
        return self


REFEREE: Seat = 0
"""The viewer from whom nothing is hidden."""


@dataclass(frozen=True, slots=True)
class Secluded(Position):
    """A position in which each seat works in secret until it is done, and all see everything when all are.

    The moves of a player alone stay hidden: it is a puzzle that others may want to solve.
    """

    done: tuple[Seat, ...] = field(default=(), kw_only=True)
    """The seats that have ended their match, ascending: known to everybody."""
    viewer: Viewer = field(default=REFEREE, kw_only=True)
    """Whose view of the match this is."""

    @property
    @abstractmethod
    def alone(self) -> bool:
        """Whether this is the puzzle for one."""

    def with_done(self, seat: Seat) -> Self:
        """The position when a seat has ended its match."""
        return replace(self, done=tuple(sorted((*self.done, seat))))

    def withdraw(self, seat: Seat) -> Self:
        if seat in self.done:
            raise OutOfTurn(f"Player {seat} is done and can't leave any more.")
        return super(Secluded, self).withdraw(seat)

    def shows(self, seat: Seat) -> bool:
        """Whether the viewer may know what a seat does in secret."""
        return self.viewer in (REFEREE, seat) or not (self.turn or self.alone)


def expect_turn(position: Position, seat: Seat) -> None:
    """Raise `OutOfTurn` unless the seat may act now."""
    if not position.turn:
        raise OutOfTurn("The match is over, so nothing can be played any more.")
    if seat not in position.turn:
        others = together((f"player {other}" for other in position.turn), " or ")
        raise OutOfTurn(f"It isn't player {seat}'s turn. P{others[1:]} is to move.")
