"""Plays random matches and compares each ply with a game's second referee."""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from typing import Protocol

from bot.play.match import Match
from bot.play.records import describe_position
from tests.contract.playing import staying


class Referee(Protocol):
    """What a second referee of a game in which seats move in turn says of a match, and how it is told what happened."""

    @property
    def to_move(self) -> list[int]: ...
    @property
    def legal(self) -> list[str]: ...
    @property
    def scores(self) -> list[int]: ...
    @property
    def ranks(self) -> list[int] | None: ...
    def move(self, seat: int, move: str, /) -> None: ...


class OfTwo(ABC):
    """A referee of a game of two, in which more points are better unless the `lowest_wins`; `left` is the seat that has
    left the match."""

    left: int | None = None
    lowest_wins = False

    @property
    @abstractmethod
    def to_move(self) -> list[int]: ...

    @property
    @abstractmethod
    def scores(self) -> list[int]: ...

    @abstractmethod
    def take(self, seat: int, text: str) -> None:
        """Take a move in canonical notation."""

    @property
    def ranks(self) -> list[int] | None:
        """The ranks by scores, or of who has left and who has not; None while somebody is to move."""
        if self.to_move:
            return None
        if self.left:
            return [2, 1] if self.left == 1 else [1, 2]
        first, second = self.scores
        return [1, 1] if first == second else [1, 2] if (first < second) == self.lowest_wins else [2, 1]

    def move(self, seat: int, text: str) -> None:
        """Take one line of a record: a move in canonical notation, or a withdrawal."""
        if text in ("resign", "timeout"):
            self.left = seat
        else:
            self.take(seat, text)


class InTurn:
    """A referee of a game of several who move in turn: `next` is to move, and who is `gone` is passed over."""

    def __init__(self, seats: int) -> None:
        self.seats = seats
        self.gone: list[int] = []
        self.next = 1

    def pass_on(self) -> None:
        """It is the turn of the next who is there."""
        for _ in range(self.seats):
            self.next = self.next % self.seats + 1
            if self.next not in self.gone:
                return

    def leave(self, seat: int) -> None:
        """A seat withdraws."""
        self.gone.append(seat)
        if seat == self.next:
            self.pass_on()


def agree(match: Match, referee: Referee, rng: random.Random, leaving: float = 0.01) -> None:
    """Play a match to its end, now and then by leaving it: rules and referee agree on turn, moves, scores and ranks."""
    while referee.to_move:
        (seat,) = referee.to_move
        seen = describe_position(match, legal=True)
        assert (seen["to_move"], seen["scores"], seen["ranks"]) == ([seat], referee.scores, None)
        assert seen["legal"] == {str(seat): referee.legal}
        move = rng.choice(referee.legal)
        if rng.random() < leaving:
            seat, move = rng.choice(staying(match)), rng.choice(("resign", "timeout"))
        match = match.enter(seat, move)
        referee.move(seat, move)
    seen = describe_position(match, legal=True)
    assert (seen["to_move"], seen["scores"], seen["ranks"]) == ([], referee.scores, referee.ranks)
