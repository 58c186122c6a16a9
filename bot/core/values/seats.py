"""Seats: who plays, who looks, whose turn it is, and who came first.

Seats count from 1 in turn order. What every game of several seats needs of them, rotation and ranking, is written here
once.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import lru_cache

Seat = int
"""Who plays: 1, 2, … in turn order."""

Viewer = Seat | None
"""Who looks: a seat, or None for a spectator."""

BOTH: tuple[Seat, Seat] = (1, 2)
"""The seats of a game for two."""
PLAYER = re.compile(r"\b[Pp]layer ([1-8])(?![0-9])")
HAS = re.compile(r"\bPlayer ([1-8]) has\b")


def peopled(text: str, name: Callable[[Seat], str]) -> str:
    """A sentence of the rules, which know seats alone, with the players' names in place of seats.

    >>> peopled("Player 1 drew player 2's chord; player 12 is none.", lambda seat: f"<@{seat}>")
    "<@1> drew <@2>'s chord; player 12 is none."
    """
    return PLAYER.sub(lambda found: name(int(found[1])), text)


def addressed(text: str, reader: Viewer) -> str:
    """A sentence of the rules about a player's act, as that player reads it.

    >>> addressed("Player 1 has already filled a1.", 1), addressed("Player 1 has already filled a1.", 2)
    ('You have already filled a1.', 'Player 1 has already filled a1.')
    """
    return HAS.sub(lambda found: "You have" if int(found[1]) == reader else found[0], text)


def ranking(results: Sequence[int], withdrawn: Sequence[Seat] = ()) -> tuple[int, ...]:
    """Rank seats by result, highest first: 1 + the number of seats that did better.

    Seats that withdrew (in the order in which they left) come after all who stayed, the last to leave first.
    """
    stayed = len(withdrawn)
    merit = [
        (withdrawn.index(seat), 0) if seat in withdrawn else (stayed, result) for seat, result in enumerate(results, 1)
    ]
    return tuple(1 + sum(other > mine for other in merit) for mine in merit)


def staying(seats: int, withdrawn: Sequence[Seat]) -> tuple[Seat, ...]:
    """The seats that have not left, ascending."""
    if not withdrawn:
        return tuple(range(1, seats + 1))
    return tuple(seat for seat in range(1, seats + 1) if seat not in withdrawn)


def following(seat: Seat, seats: int, withdrawn: Sequence[Seat]) -> Seat:
    """The next seat after one, in turn order, that has not left; the same one where no other is there.

    >>> following(2, 3, ()), following(3, 3, (1,)), following(0, 3, (1,))
    (3, 2, 2)
    """
    order = (*range(seat + 1, seats + 1), *range(1, seat + 1))
    return next((other for other in order if other not in withdrawn), seat)


@lru_cache(maxsize=1024)
def successors(seats: int, withdrawn: tuple[Seat, ...]) -> tuple[Seat, ...]:
    """The seat that moves next after each that has not left, by seat; in place 0 the one that begins.

    >>> successors(3, (2,))[1], successors(3, (2,))[3]
    (3, 1)
    """
    return tuple(following(seat, seats, withdrawn) for seat in range(seats + 1))


class Rotating:
    """What positions share in which seats move one after the other, until all have left but one.

    The turn of a seat that has left passes on, so that whose turn it is follows from who moved before.
    """

    __slots__ = ()

    seats: int
    """How many seats there are, those that left included."""
    previous: Seat
    """The seat that moved before, or 0."""
    withdrawn: tuple[Seat, ...]

    @property
    def successors(self) -> tuple[Seat, ...]:
        """The seat that moves next after each, by seat."""
        return successors(self.seats, self.withdrawn)

    @property
    def mover(self) -> Seat:
        """The seat that is to move unless the match is over."""
        return self.successors[self.previous]

    @property
    def deserted(self) -> bool:
        """Whether all have left but one."""
        return len(self.withdrawn) >= self.seats - 1
