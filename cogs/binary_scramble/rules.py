"""Binary Scramble Game (Leroy Quet, 2011)

**Example** Three players have flipped eight digits so far; list 4 is the one after the fourth flip. A *run* is a block
of equal digits; the marks below a list count its runs. Green made list 6, with runs of 3, 1, 3, 1 and 1. List 4 had the
same in another order: a point. Then Orange flipped digit 8, and list 8 is like list 4 again: a point. Green is to move.

**Goal** Flip one digit so that the list falls into blocks of the same lengths as an earlier list, in any order. Each
time that is a point.

**A turn** First you build the list: each in turn writes 0 or 1 at its right end, until it is full. Then each in turn
flips one digit, 0 to 1 or 1 to 0. The new list must differ from every full list so far.

**Scoring** If the new list has the same run lengths as any earlier full list, in any order, you score a point. The
first to get 5 points wins.

**Options** The list has 4 to 24 digits, equally many from each player; usually 8, or a few more where players do not
share 8 evenly. You need 1 to 20 points to win, usually 5.

**Rulings** The first full list counts as an earlier list, but scores nothing itself. If every flip would bring back an
earlier list, the match is over, and more points win. When somebody leaves, their turns pass on to the next player. The
inventor lets any number play; the limit of 6 is ours.

>>> board = BinaryScramble.start(BinaryScrambleOptions(length=9), 3)
>>> for ply, move in enumerate("0 0 1 1 1 0 1 0 1 3 6 4 1 3 2 6 8".split()):
...     board = board.play(1 + ply % 3, move)
>>> print(board)
 1 2 3 4 5 6 7 8 9
 1 1 1 0 1 0 1 1 1
start: 001110101, runs 3 2 1 1 1 1
list 1, player 1: 000110101, runs 3 2 1 1 1 1 like the start
list 2: 000111101, runs 4 3 1 1
list 3, player 3: 000011101, runs 4 3 1 1 like list 2
list 4: 100011101, runs 3 3 1 1 1
list 5: 101011101, runs 3 1 1 1 1 1 1
list 6, player 3: 111011101, runs 3 3 1 1 1 like list 4
list 7, player 1: 111010101, runs 3 1 1 1 1 1 1 like list 5
list 8, player 2: 111010111, runs 3 3 1 1 1 like list 4
>>> board.scores(), board.turn
((2, 1, 2), (3,))
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import groupby
from typing import NamedTuple, Self

from bot.games.grids import format_row
from bot.games.notation import join_items, parse_whole, quote, split_items, tidy
from bot.games.options import Options, equal_share, number_option
from bot.games.position import (
    MOVE,
    Illegal,
    NameSeat,
    Opening,
    Position,
    RotatingSeats,
    ScorePart,
    Seat,
    Suggestion,
    Unreadable,
    expect_turn,
)
from bot.games.wording import Plural, join_sentences, join_words

DIGITS = ("0", "1")
SHORTEST, LONGEST, USUAL = 4, 24, 8
"""The least and the greatest length of a list, and the least that is usual."""
MOST_NAMED = 6
"""A refusal names the positions that may be flipped when they are no more than this."""
NO_BREAK = "\N{NO-BREAK SPACE}"
"""Between run lengths in a sentence."""
TEXT_LISTS = 12
"""How many lists the text board shows."""
FLIP = "list {number}"
OPENING = "The list is full: {name} begins to flip.", "The list is full: you begin to flip."
"""The beginning of the flips, to others and to the player who begins."""
WON = "{name} got the last point: {digits} has runs {runs}, like {occasion}."
STUCK = "Every flip would bring back an earlier list."
"""By what a match was decided."""
DIGIT_OF, FIRST_TO = "digit {number} of {length}", "first to {target}"
LIKE, NEW_RUNS = "runs {runs} like {when}", "runs {runs} are new"
TO_WRITE = Plural("flips score when 1 more digit is written", "flips score when {number} more digits are written")
BACK_TO_START = "Flipping {position} would bring back {digits}, the list at the start. No list may come twice."
BACK_TO_FLIP = "Flipping {position} would bring back {digits}, list {flip}. No list may come twice."


@dataclass(frozen=True, slots=True)
class BinaryScrambleOptions(Options):
    """The length of the list, and how many points end the match."""

    length: int = number_option(
        None,
        SHORTEST,
        LONGEST,
        "Digits in the list, equally many from each player: 4 to 24, normally 8 or a few more",
        said="{value} digits",
    )
    target: int = number_option(5, 1, 20, "Points that win the match: 1 to 20", said="first to {value}")

    def settle(self, seats: int) -> Self:
        what = "all write the same number of digits"
        return replace(self, length=equal_share(self.length, seats, range(SHORTEST, LONGEST + 1), USUAL, what))


class Flip(NamedTuple):
    """A flip: whose it was, of which position, and the first list with the same runs (0 is the start); None if none."""

    seat: Seat
    position: int
    like: int | None


@lru_cache(maxsize=8192)
def run_lengths(digits: str) -> tuple[int, ...]:
    """The run lengths of a list, longest first: lists with equal ones are permutations of each other's runs.

    >>> run_lengths("0010111")
    (3, 2, 1, 1)
    """
    return tuple(sorted((len(list(run)) for _, run in groupby(digits)), reverse=True))


def flip_position(digits: str, position: int) -> str:
    """A list with the digit at a position (from 1) flipped."""
    at = position - 1
    return digits[:at] + DIGITS[digits[at] == "0"] + digits[position:]


@dataclass(frozen=True, slots=True)
class BinaryScramble(RotatingSeats, Position):
    """A list of `length` digits being built or scrambled, as text; `previous` is the seat that moved before.

    `lists` are the full lists there have been, the start and one for each of `flips`; the last is the list as it is.
    """

    length: int
    target: int
    seats: int
    digits: str = ""
    lists: tuple[str, ...] = ()
    flips: tuple[Flip, ...] = ()
    previous: Seat = 0

    @classmethod
    def start(cls, options: BinaryScrambleOptions, seats: int) -> Self:
        """A list without digits."""
        return cls(options.length, options.target, seats)

    @property
    def is_building(self) -> bool:
        """Whether the list is still to be filled."""
        return len(self.digits) < self.length

    @property
    def opening(self) -> Opening | None:
        return None if self.is_building or self.flips or not self.turn else Opening(self.seat_to_move, *OPENING)

    @property
    def progress(self) -> str:
        if not self.turn:
            return ""
        return (
            DIGIT_OF.format(number=len(self.digits) + 1, length=self.length)
            if self.is_building
            else FIRST_TO.format(target=self.target)
        )

    @property
    def move_label(self) -> str:
        return MOVE if self.is_building else FLIP

    @property
    def is_target_reached(self) -> bool:
        """Whether a seat has scored the points that end the match."""
        return self.target in self.scores()

    @property
    def is_stuck(self) -> bool:
        """Whether the list is full and every flip would bring back an earlier list."""
        return not self.is_building and next(self.free_positions(), None) is None

    @property
    def turn(self) -> tuple[Seat, ...]:
        return () if self.is_deserted or self.is_target_reached or self.is_stuck else (self.seat_to_move,)

    def free_positions(self) -> Iterator[int]:
        """The positions of a full list whose flip gives a list that has not been there."""
        return (at for at in range(1, self.length + 1) if flip_position(self.digits, at) not in self.lists)

    def may_append(self, seat: Seat) -> bool:
        return self.is_building and seat in self.turn

    def may_flip(self, seat: Seat) -> bool:
        return not self.is_building and seat in self.turn

    def moves(self, seat: Seat) -> Iterator[str]:
        if seat in self.turn:
            yield from DIGITS if self.is_building else map(str, self.free_positions())

    def suggest(self, seat: Seat, typed: str) -> Iterator[Suggestion]:
        for move in self.moves(seat):
            if move.startswith(typed.strip()):
                after = self.digits + move if self.is_building else flip_position(self.digits, int(move))
                yield Suggestion(move, f"gives {after}")

    def read(self, seat: Seat, text: str) -> str:
        said = "".join(split_items(text))
        after = (
            {self.digits + digit: digit for digit in DIGITS}
            if self.is_building
            else {flip_position(self.digits, at): str(at) for at in self.free_positions()}
        )
        return after[said] if said in after and len(said) > 1 else str(self._parse_position(text))

    def _parse_position(self, text: str) -> int:
        # The digit or the position that a text names.
        value = parse_whole(tidy(text))
        if self.is_building and value > 1:
            raise Unreadable(
                f"{quote(text)} isn't a digit. The list has {len(self.digits)} of its {self.length} digits so far, so "
                "write 0 or 1."
            )
        if not self.is_building and not 1 <= value <= self.length:
            raise Unreadable(
                f"{quote(text)} isn't a place in the list. The list is full, so flip one of 1 to {self.length}."
            )
        return value

    def play(self, seat: Seat, move: str) -> Self:
        expect_turn(self, seat)
        value = self._parse_position(move)
        after = self._append_digit(str(value)) if self.is_building else self._flip_digit(seat, value)
        return replace(after, previous=seat)

    def _append_digit(self, digit: str) -> Self:
        digits = self.digits + digit
        return replace(self, digits=digits, lists=(digits,) if len(digits) == self.length else ())

    def _flip_digit(self, seat: Seat, position: int) -> Self:
        digits = flip_position(self.digits, position)
        if digits in self.lists:
            raise Illegal(self._explain_repeat(digits, position))
        like = next((at for at, earlier in enumerate(self.lists) if run_lengths(earlier) == run_lengths(digits)), None)
        return replace(
            self, digits=digits, lists=(*self.lists, digits), flips=(*self.flips, Flip(seat, position, like))
        )

    def _explain_repeat(self, digits: str, position: int) -> str:
        when = self.lists.index(digits)
        free = list(self.free_positions())
        legal = f"You may flip {join_words(free, ' or ')}." if len(free) <= MOST_NAMED else ""
        back = BACK_TO_FLIP if when else BACK_TO_START
        return join_sentences(back.format(position=position, digits=digits, flip=when), legal)

    def scores(self) -> tuple[int, ...]:
        scored = [flip.seat for flip in self.flips if flip.like is not None]
        return tuple(scored.count(seat) for seat in range(1, self.seats + 1))

    def recent_lists(self, most: int) -> tuple[int, ...]:
        """At most `most` lists to show: the latest, each with the one that it took after."""
        shown: set[int] = set()
        for at in range(len(self.lists) - 1, -1, -1):
            like = self.flips[at - 1].like if at else None
            wanted = shown.union([at] if like is None else [at, like])
            if len(wanted) > most:
                break
            shown = wanted
        return tuple(sorted(shown))

    def explain_result(self, name: NameSeat) -> str:
        last = self.flips[-1] if self.flips else None
        if last is None or last.like is None or not self.is_target_reached:
            return STUCK
        occasion = name_list(last.like)
        runs = NO_BREAK.join(map(str, run_lengths(self.digits)))
        return WON.format(name=name(last.seat), digits=self.digits, runs=runs, occasion=occasion)

    def list_score_parts(self) -> tuple[ScorePart, ...]:
        return tuple(
            ScorePart(
                flip.seat, describe_occasion(at), 1, LIKE.format(runs=self.format_runs(at), when=name_list(flip.like))
            )
            for at, flip in enumerate(self.flips, 1)
            if flip.like is not None
        )

    def explain_unchanged(self, before: Position) -> tuple[str, ...]:
        if self.flips:
            return (NEW_RUNS.format(runs=self.format_runs(len(self.flips))),)
        left = self.length - len(self.digits)
        return (TO_WRITE.fill_in(left),) if left else ()

    def format_runs(self, at: int) -> str:
        """The run lengths of a list, longest first."""
        return join_items(run_lengths(self.lists[at]))

    def working(self) -> tuple[str, ...]:
        return tuple(self.explain(at) for at, flip in enumerate(self.flips, 1) if flip.like is not None)

    def explain(self, at: int) -> str:
        """A list with its runs, and how it scored if it did: "list 3, player 1: 0111, runs 3 1 like list 1"."""
        flip = self.flips[at - 1] if at else None
        said = f"{self.lists[at]}, runs {join_items(run_lengths(self.lists[at]))}"
        if flip is None or flip.like is None:
            return f"{describe_occasion(at)}: {said}"
        return f"{describe_occasion(at)}, player {flip.seat}: {said} like {name_list(flip.like)}"

    def __str__(self) -> str:
        shown = self.recent_lists(TEXT_LISTS)
        hidden = len(self.lists) - len(shown)
        note = [f"({hidden} of {len(self.lists)} lists are not shown)"] if hidden else []
        return "\n".join([*format_row(self.digits.ljust(self.length, ".")), *note, *map(self.explain, shown)])


def name_list(at: int) -> str:
    """A list in a sentence: "the start" or "list 3"."""
    return describe_occasion(at) if at else "the start"


def describe_occasion(at: int) -> str:
    """The name of a list, by the flip that made it: "start" or "list 3"."""
    return f"list {at}" if at else "start"
