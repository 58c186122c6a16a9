"""A match in two legs: the same game is played twice at the same time, with seats swapped, and the sum decides.

Seat 1 of the match has seat 1 in the first leg and seat 2 in the second. Texts of the second leg are translated to the
seats of the match. A move names its leg first, `1: c4` or `2: c4`; the leg may be left out where only one waits for the
player. `two_legs` makes a game's table from this, and the rest of the program plays it like any other.

>>> from bot.core.library.catalogue import games
>>> game = games()["binary-primes"]
>>> start = game.start(game.configure({"size": 3}, 2), 2)
>>> legs = Legs(start, start)
>>> legs.turn, next(legs.moves(1)), next(legs.moves(2))
((1, 2), '1: a1', '2: a1')
>>> legs = legs.play(2, legs.read(2, "B2"))
>>> legs.turn, legs.read(1, "leg 2 a1"), legs.play(1, "2: a1").turn
((1,), '2: a1', (1, 2))
"""

from __future__ import annotations

import re
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import zip_longest
from typing import Literal, NamedTuple, Self

from bot.core.game.notation import added
from bot.core.game.position import Illegal, OutOfTurn, Position, Suggestion, Unreadable
from bot.core.values.seats import BOTH, Seat, Viewer, ranking

Leg = int
"""The first of two legs is 1, the second 2."""
LEGS: tuple[Leg, Leg] = (1, 2)
Counts = Literal["most", "least", "ranks"]
"""What decides: the highest sum of scores, the lowest, or in a game without scores who won more of the legs."""

NAMED = re.compile(r"(?:leg ?)?([12]) ?: ?(.*)|leg ?([12]) (.*)", re.IGNORECASE | re.DOTALL)
SEATS = re.compile(r"\b([Pp]layer) ([12])(?![0-9])")
MARKS = re.compile(r"(?<![A-Za-z])[#O](?![A-Za-z])")
WHICH = "Both legs are waiting for you. Write the leg in front of the move, like 1: or 2:."
UNNAMED = "Write the leg in front of the move, like 1: or 2:."


class LegMove(NamedTuple):
    """A move of a leg: the leg, or None where it was left out, and the notation there."""

    leg: Leg | None
    move: str

    def __str__(self) -> str:
        return f"{self.leg}: {self.move}"

    @classmethod
    def parse(cls, text: str) -> LegMove:
        """Read `1: c4`, `1:c4`, `leg 1: c4`, `leg 1 c4` or a move without its leg.

        >>> LegMove.parse("Leg 2 C4"), str(LegMove.parse("1:c4")), LegMove.parse("12")
        (LegMove(leg=2, move='C4'), '1: c4', LegMove(leg=None, move='12'))
        """
        found = NAMED.fullmatch(text.strip())
        if not found:
            return cls(None, text)
        leg, move = (found[1], found[2]) if found[1] else (found[3], found[4])
        return cls(int(leg), move)


def seat_in(leg: Leg, seat: Seat) -> Seat:
    """A player's seat in a leg, from the seat in the match; or the seat in the match, from that in the leg."""
    return seat if leg == 1 else 3 - seat


def told(leg: Leg, text: str) -> str:
    """A text of a leg with its seats translated to those of the match.

    >>> told(1, "player 1 wins"), told(2, "Player 1 wins, not player 2; player 12")
    ('player 1 wins', 'Player 2 wins, not player 1; player 12')
    """
    return text if leg == 1 else SEATS.sub(lambda found: f"{found[1]} {3 - int(found[2])}", text)


def board_told(leg: Leg, board: str) -> str:
    """A board of a leg as text, with seats and their marks # and O translated to those of the match."""
    return board if leg == 1 else MARKS.sub(lambda found: "O" if found[0] == "#" else "#", told(leg, board))


@contextmanager
def _in_leg(leg: Leg) -> Generator[None]:
    """Put the leg in front of a refusal."""
    try:
        yield
    except (Unreadable, OutOfTurn, Illegal) as fault:
        raise type(fault)(f"Leg {leg}: {told(leg, str(fault))}") from fault


@dataclass(frozen=True, slots=True)
class Legs(Position):
    """One moment of a match in two legs. `made` is how many moves were made in each."""

    first: Position
    second: Position
    counts: Counts = "most"
    made: tuple[int, int] = (0, 0)

    def leg(self, leg: Leg) -> Position:
        """The position of a leg, in the leg's own seats."""
        return self.first if leg == 1 else self.second

    @property
    def each(self) -> tuple[tuple[Leg, Position], ...]:
        """Both legs with their numbers."""
        return (1, self.first), (2, self.second)

    def waiting(self, seat: Seat) -> tuple[Leg, ...]:
        """The legs in which a seat may act now."""
        return tuple(leg for leg, position in self.each if seat_in(leg, seat) in position.turn)

    # What may be played.

    @property
    def turn(self) -> tuple[Seat, ...]:
        return tuple(seat for seat in BOTH if self.waiting(seat))

    @property
    def round(self) -> int:
        return self.first.round + self.second.round - 1

    def open_to(self, seat: Seat) -> bool:
        return any(self.leg(leg).open_to(seat_in(leg, seat)) for leg in self.waiting(seat))

    def moves(self, seat: Seat) -> Iterator[str]:
        for leg in self.waiting(seat):
            position, inner = self.leg(leg), seat_in(leg, seat)
            if not position.open_to(inner):
                yield from (str(LegMove(leg, move)) for move in position.moves(inner))

    def suggest(self, seat: Seat, typed: str) -> Iterator[Suggestion]:
        said = LegMove.parse(typed)
        legs = [leg for leg in self.waiting(seat) if said.leg in (None, leg)]
        offered = [self._suggested(leg, seat, said.move) for leg in legs]
        for row in zip_longest(*offered):
            yield from (suggestion for suggestion in row if suggestion is not None)

    def _suggested(self, leg: Leg, seat: Seat, typed: str) -> Iterator[Suggestion]:
        for move, note in self.leg(leg).suggest(seat_in(leg, seat), typed):
            yield Suggestion(str(LegMove(leg, move)), told(leg, note))

    def read(self, seat: Seat, text: str) -> str:
        said = LegMove.parse(text)
        leg = said.leg or self._only(seat)
        with _in_leg(leg):
            return str(LegMove(leg, self.leg(leg).read(seat_in(leg, seat), said.move)))

    def _only(self, seat: Seat) -> Leg:
        """The one leg that waits for a seat."""
        waiting = self.waiting(seat)
        if len(waiting) != 1:
            raise Unreadable(WHICH if waiting else UNNAMED)
        return waiting[0]

    def play(self, seat: Seat, move: str) -> Self:
        leg, inner = LegMove.parse(move)
        if leg is None:
            raise Unreadable(UNNAMED)
        if leg not in self.waiting(seat):
            raise OutOfTurn(self._no_turn(leg, seat))
        with _in_leg(leg):
            return self._after(leg, self.leg(leg).play(seat_in(leg, seat), inner))

    def _no_turn(self, leg: Leg, seat: Seat) -> str:
        if not self.leg(leg).turn:
            return f"Leg {leg} is over, so nothing can be played there any more."
        if self.waiting(seat):
            return f"Leg {leg} waits for player {3 - seat}. Leg {3 - leg} waits for you."
        return f"Leg {leg} waits for player {3 - seat}."

    def _after(self, leg: Leg, position: Position) -> Self:
        first, second = self.made
        if leg == 1:
            return replace(self, first=position, made=(first + 1, second))
        return replace(self, second=position, made=(first, second + 1))

    def withdraw(self, seat: Seat) -> Self:
        """Withdraw a seat from each leg that is not over."""
        # A class with slots is made anew by its decorator, so `super()` is not to be had.
        withdrawn = Position.withdraw(self, seat).withdrawn
        first, second = (
            position.withdraw(seat_in(leg, seat)) if position.turn else position for leg, position in self.each
        )
        return replace(self, first=first, second=second, withdrawn=withdrawn)

    # How it stands.

    def scores_in(self, leg: Leg) -> tuple[int, ...]:
        """The scores of a leg in the seats of the match."""
        scores = self.leg(leg).scores()
        return scores if leg == 1 else scores[::-1]

    def scores(self) -> tuple[int, ...]:
        return tuple(map(sum, zip(self.scores_in(1), self.scores_in(2), strict=True)))

    def played_out(self, leg: Leg) -> bool:
        """Whether a leg came to the end that its rules know, and nobody left it before."""
        return not self.leg(leg).turn and not self.leg(leg).withdrawn

    def won_by(self, leg: Leg) -> tuple[Seat, ...]:
        """Who came first in a leg that was played out, in the seats of the match; both where it was a draw."""
        ranks = (self.leg(leg).ranks() if self.played_out(leg) else None) or ()
        return tuple(sorted(seat_in(leg, seat) for seat, rank in enumerate(ranks, 1) if rank == 1))

    def ranks(self) -> tuple[int, ...] | None:
        return None if self.turn else ranking(self._merits(), self.withdrawn)

    def _merits(self) -> tuple[int, ...]:
        if self.counts == "ranks":
            return tuple(sum(seat in self.won_by(leg) for leg in LEGS) for seat in BOTH)
        return tuple(-score if self.counts == "least" else score for score in self.scores())

    def working(self) -> tuple[str, ...]:
        lines = tuple(f"leg {leg} · {told(leg, line)}" for leg, position in self.each for line in position.working())
        return lines if self.turn else (*lines, *self._ends())

    def _ends(self) -> Iterator[str]:
        """What the legs come to that were played out; scores are added up where both were."""
        played_out = tuple(leg for leg in LEGS if self.played_out(leg))
        for leg in played_out if self.counts == "ranks" else ():
            won = self.won_by(leg)
            yield f"leg {leg} · player {won[0]} wins" if len(won) == 1 else f"leg {leg} · a draw"
        for seat in BOTH if self.counts != "ranks" and played_out == LEGS else ():
            one, other = self.scores_in(1)[seat - 1], self.scores_in(2)[seat - 1]
            yield f"player {seat}: {added((one, other))}"

    def seen_by(self, viewer: Viewer) -> Self:
        """The same: a game with secrets has no legs."""
        return self

    def __str__(self) -> str:
        return "\n\n".join(f"Leg {leg}\n{board_told(leg, str(position))}" for leg, position in self.each)
