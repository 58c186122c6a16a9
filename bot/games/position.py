"""Seats, and positions: one moment of a match, and the moves that lead on from it."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import NamedTuple, Self

from bot.games.wording import join_words

LEVELS = range(1, 7)


# Seats: who plays, who looks, whose turn it is, and who came first.


Seat = int
"""Who plays: 1, 2, … in turn order."""

NameSeat = Callable[[Seat], str]
"""Names the player of a seat in a sentence."""

Viewer = Seat | None
"""Who looks: a seat, or None for a spectator."""

BOTH: tuple[Seat, Seat] = (1, 2)
"""The seats of a game for two."""
PLAYER = re.compile(r"\b[Pp]layer ([1-8])(?![0-9])")
HAS = re.compile(r"\bPlayer ([1-8]) has\b")


def name_seats(text: str, name: Callable[[Seat], str]) -> str:
    """A sentence of the rules, which know seats alone, with the players' names in place of seats.

    >>> name_seats("Player 1 drew player 2's chord; player 12 is none.", lambda seat: f"<@{seat}>")
    "<@1> drew <@2>'s chord; player 12 is none."
    """
    return PLAYER.sub(lambda found: name(int(found[1])), text)


def address_reader(text: str, reader: Viewer) -> str:
    """A sentence of the rules about a player's act, as that player reads it.

    >>> address_reader("Player 1 has already filled a1.", 1), address_reader("Player 1 has already filled a1.", 2)
    ('You have already filled a1.', 'Player 1 has already filled a1.')
    """
    return HAS.sub(lambda found: "You have" if int(found[1]) == reader else found[0], text)


def rank_seats(results: Sequence[int], withdrawn: Sequence[Seat] = ()) -> tuple[int, ...]:
    """Rank seats by result, highest first: 1 + the number of seats that did better.

    Seats that withdrew (in the order in which they left) come after all who stayed, the last to leave first.
    """
    stayed = len(withdrawn)
    merit = [
        (withdrawn.index(seat), 0) if seat in withdrawn else (stayed, result) for seat, result in enumerate(results, 1)
    ]
    return tuple(1 + sum(other > mine for other in merit) for mine in merit)


def find_uncatchable_seat(results: Sequence[int], most: int, withdrawn: Sequence[Seat] = ()) -> Seat:
    """The seat whose lead is greater than it can still change, at `most` in all, where the highest result wins; 0 where
    there is none.

    >>> find_uncatchable_seat((9, 4, 5), 3), find_uncatchable_seat((9, 4, 5), 4), find_uncatchable_seat((9, 4), 4)
    (1, 0, 1)
    """
    staying = [(result, seat) for seat, result in enumerate(results, 1) if seat not in withdrawn]
    (best, seat), *others = sorted(staying, reverse=True)
    return seat if others and best - others[0][0] > most else 0


def list_staying_seats(seats: int, withdrawn: Sequence[Seat]) -> tuple[Seat, ...]:
    """The seats that have not left, ascending."""
    if not withdrawn:
        return tuple(range(1, seats + 1))
    return tuple(seat for seat in range(1, seats + 1) if seat not in withdrawn)


def find_next_seat(seat: Seat, seats: int, withdrawn: Sequence[Seat]) -> Seat:
    """The next seat after one, in turn order, that has not left; the same one where no other is there.

    >>> find_next_seat(2, 3, ()), find_next_seat(3, 3, (1,)), find_next_seat(0, 3, (1,))
    (3, 2, 2)
    """
    order = (*range(seat + 1, seats + 1), *range(1, seat + 1))
    return next((other for other in order if other not in withdrawn), seat)


@lru_cache(maxsize=1024)
def list_successors(seats: int, withdrawn: tuple[Seat, ...]) -> tuple[Seat, ...]:
    """The seat that moves next after each that has not left, by seat; in place 0 the one that begins.

    >>> list_successors(3, (2,))[1], list_successors(3, (2,))[3]
    (3, 1)
    """
    return tuple(find_next_seat(seat, seats, withdrawn) for seat in range(seats + 1))


class RotatingSeats:
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
    def next_seats(self) -> tuple[Seat, ...]:
        """The seat that moves next after each, by seat."""
        return list_successors(self.seats, self.withdrawn)

    @property
    def seat_to_move(self) -> Seat:
        """The seat that is to move unless the match is over."""
        return self.next_seats[self.previous]

    @property
    def is_deserted(self) -> bool:
        """Whether all have left but one."""
        return len(self.withdrawn) >= self.seats - 1


# A position: one moment of a match, and the moves that lead on from it; every game's rules are one.


class MoveError(Exception):
    """A move that was refused and changed nothing; its text tells the player what is wrong and what to do."""


class Unreadable(MoveError):
    """The text is no move in this game's notation."""


class OutOfTurn(MoveError):
    """The seat may not act now."""


class Illegal(MoveError):
    """The move is readable, and a rule forbids it."""


UNCATCHABLE = "{name} can no longer be caught."
STAYS = "{name} stays {value}: {working}"
"""About a part of a score that a move has touched and not changed."""
ROUND_OF, ROUND_OVER = "round {round} of {rounds}", "round {round} is over"
MOVE, IN_ROUND = "move {number}", "round {round}, move {{number}}"
"""How boards name moves: by their number in the match, or in a round."""


class Opening(NamedTuple):
    """Who begins a round or a phase, or 0 where all do, and the sentence about it before its first move: to others,
    with `{name}`, and to the player who begins."""

    seat: Seat
    told: str
    own: str


class Suggestion(NamedTuple):
    """A move offered while a user types, with a short note ("costs 6") or none."""

    move: str
    note: str = ""


class ScorePart(NamedTuple):
    """A part of a seat's score. The parts of a seat add up to its score, or multiply where scores are products."""

    seat: Seat
    name: str
    """In the words of the rules: "row 3", "round 2". The seat has no other part of that name without a key."""
    value: int
    working: str = ""
    """How the value comes about: "2·3·1 = 6"; empty where the name says it."""
    key: object = None
    """What it is known by in other positions, where its name changes in the course of a match."""
    content: object = None
    """What it is computed from, where that can change while the value does not: a part that a move has touched."""
    notes: tuple[str, ...] = ()
    """What is told when it comes and when it goes: "prime bonus"."""

    @property
    def identity(self) -> object:
        """Equal for the same part in two positions."""
        return self.seat, self.name if self.key is None else self.key


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

    def list_score_parts(self) -> tuple[ScorePart, ...]:
        """The parts of all seats' scores, as far as the viewer may know them; none in a game without scores."""
        return ()

    def explain_unchanged(self, before: Position) -> tuple[str, ...]:
        """Why scores are what they were in an earlier position, or what else has come of a move; a line for each
        reason. Unless a game says more, the parts that have been touched."""
        known = {part.identity: part.content for part in before.list_score_parts()}
        touched = (part for part in self.list_score_parts() if known.get(part.identity) != part.content)
        return tuple(STAYS.format(name=part.name, value=part.value, working=part.working) for part in touched)

    def explain_changes(self, before: Position) -> str:
        """The sentence that says at once how all scores have changed since an earlier position, in which seats are
        named "player 1"; empty where their parts tell it one by one."""
        return ""

    @property
    def roles(self) -> tuple[str, ...]:
        """What each seat wants now, where that changes in the course of a match: "wants triangles". It has `{score}`
        in it where it says of what the score is made."""
        return ()

    @abstractmethod
    def __str__(self) -> str:
        """The board as text."""

    def explain_result(self, name: NameSeat) -> str:
        """The sentence that says by what a match was decided that the rules have ended, with a name for each seat."""
        return ""

    @property
    def certain_winner(self) -> Seat:
        """The seat that will win however the others play, where a match is not over yet; 0 where that is not known. Who
        leaves the match loses all the same."""
        return 0

    def explain_certain(self, name: NameSeat) -> str:
        """The sentence about what is certain of the result of a match that is not over; empty where nothing is."""
        return UNCATCHABLE.format(name=name(self.certain_winner)) if self.certain_winner else ""

    @property
    def winners(self) -> tuple[Seat, ...]:
        """The seats that came first; none before the end."""
        return tuple(seat for seat, rank in enumerate(self.ranks() or (), 1) if rank == 1)

    def withdraw(self, seat: Seat) -> Self:
        """The position after a seat has left the match, or `OutOfTurn` where it may not."""
        if seat in self.withdrawn:
            raise OutOfTurn(f"Player {seat} has already left the match.")
        return replace(self, withdrawn=(*self.withdrawn, seat))

    def ranks(self) -> tuple[int, ...] | None:
        """The rank of every seat, 1 the best, the highest score's unless a game says otherwise; None before the end."""
        return None if self.turn else rank_seats(self.scores(), self.withdrawn)

    def open_to(self, seat: Seat) -> bool:
        """Whether the rules leave this seat's moves open (a number, a curve), so that `moves` is not to be listed."""
        return False

    def find_example_move(self, seat: Seat) -> str:
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
    def moving_again(self) -> str:
        """What a seat is told that moves again after its own move."""
        return "Then you move again."

    @property
    def counts_later(self) -> bool:
        """Whether no move of this phase can change a score."""
        return False

    @property
    def opening(self) -> Opening | None:
        """The beginning of a later round, or of another phase, that has no move yet; None at all other times."""
        return None

    @property
    def progress(self) -> str:
        """What limits the match and is counted, for the headline: "round 2 of 4"; empty where the board shows it."""
        return ""

    def has_score(self, seat: Seat) -> bool:
        """Whether the score of a seat says anything yet."""
        return True

    @property
    def move_label(self) -> str:
        """How the board names a move that is made now; its `number` counts those that are named alike."""
        return MOVE

    def seen_by(self, viewer: Viewer) -> Self:
        """This position without what the viewer may not know; a game without secrets shows all to everybody."""
        return self


def tell_round(round: int, rounds: int, begins: bool) -> str:
    """The round for the headline; while it `begins` the one before, whose board is still the large one."""
    return ROUND_OVER.format(round=round - 1) if begins else ROUND_OF.format(round=round, rounds=rounds)


REFEREE: Seat = 0
"""The viewer from whom nothing is hidden."""


@dataclass(frozen=True, slots=True)
class SecretPosition(Position):
    """A position in which each seat works in secret until it is done, and all see everything when all are.

    The moves of a player alone stay hidden: it is a puzzle that others may want to solve.
    """

    done: tuple[Seat, ...] = field(default=(), kw_only=True)
    """The seats that have ended their match, ascending: known to everybody."""
    viewer: Viewer = field(default=REFEREE, kw_only=True)
    """Whose view of the match this is."""

    @property
    @abstractmethod
    def is_alone(self) -> bool:
        """Whether this is the puzzle for one."""

    def finish_seat(self, seat: Seat) -> Self:
        """The position when a seat has ended its match."""
        return replace(self, done=tuple(sorted((*self.done, seat))))

    def withdraw(self, seat: Seat) -> Self:
        if seat in self.done:
            raise OutOfTurn(f"Player {seat} is done and can't leave any more.")
        return super(SecretPosition, self).withdraw(seat)

    def can_see(self, seat: Seat) -> bool:
        """Whether the viewer may know what a seat does in secret."""
        return self.viewer in (REFEREE, seat) or not (self.turn or self.is_alone)


def expect_turn(position: Position, seat: Seat) -> None:
    """Raise `OutOfTurn` unless the seat may act now."""
    if not position.turn:
        raise OutOfTurn("The match is over, so nothing can be played any more.")
    if seat not in position.turn:
        others = join_words((f"player {other}" for other in position.turn), " or ")
        raise OutOfTurn(f"It isn't player {seat}'s turn. P{others[1:]} is to move.")
