"""Combining And Dividing Integers Game (Leroy Quet, 2011)

**Example** Read the picture from the top. *Primes* are dark: numbers like 2, 3 and 5 that only 1 and they themselves
divide. The list began as 2 4 10 4 1 10.
- Blue split the first 10 into 2 and 5, and Orange added 4 and 1. At change 6 the list was 8 20.
- Blue split 20 into 4 and 5, and Orange added 8 and 4: 12 5.
- Blue split 12 into 2, 3 and 2. All are prime, and Blue wins.

**Goal** You win if your change leaves only primes in the list. 1 is not a prime.

**A turn** First each in turn writes a number from 1 to 100 at the right end of the list, until there are six. Then each
in turn makes one change; after 100 changes it is a draw.
- *Split* a number into two or more factors, none of them 1: 12 can become 2 3 2.
- *Add* two neighbours: 4 1 becomes 5. A sum may be more than 100.

**Options** The list has 4 to 24 numbers, equally many from each player; usually 6, or a few more where players do not
share 6 evenly. The largest number that you can write is 10 to 9999, usually 100. It is a draw after 10 to 500 changes.

**Rulings** A list that is all prime when it is first full wins nothing: only a change wins. There is always a change to
make. The factors of a split stand in the order that you give. Everybody but the winner comes second. When somebody
leaves, their turns pass on to the next player. The largest number, the draw and the limit of 6 players are ours.

>>> board = CombiningDividing.start(CombiningDividingOptions(length=6), 2)
>>> moves = "2, 4, 10, 4, 1, 10, split 3 2 5, add 5, add 2, add 4, add 3, add 1, split 2 4 5, add 1, split 1 2 3 2"
>>> for ply, move in enumerate(moves.split(", ")):
...     board = board.play(1 + ply % 2, move)
>>> print(board)
 1  2  3  4
 2  3  2  5
 ^  ^  ^  ^
1, player 1: split 3, 10 = 2·5
2, player 2: add 5, 4 + 1 = 5
3, player 1: add 2, 4 + 2 = 6
4, player 2: add 4, 5 + 10 = 15
5, player 1: add 3, 5 + 15 = 20
6, player 2: add 1, 2 + 6 = 8
7, player 1: split 2, 20 = 4·5
8, player 2: add 1, 8 + 4 = 12
9, player 1: split 1, 12 = 2·3·2
>>> board.scores(), board.ranks()
((0, 0), (1, 2))
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import chain
from typing import NamedTuple, Self

from bot.games.notation import group_digits, join_items, parse_whole, parse_wholes, quote, tidy
from bot.games.options import Options, equal_share, number_option
from bot.games.position import (
    MOVE,
    Illegal,
    NameSeat,
    Opening,
    Position,
    RotatingSeats,
    Seat,
    Suggestion,
    Unreadable,
    expect_turn,
    rank_seats,
)
from bot.games.primes import divisors as all_divisors
from bot.games.primes import is_prime
from bot.games.wording import join_sentences, join_words

# Primes, and the ways to write an integer as a product in order.


MOST_NAMED = 4
"""A refusal names divisors, and products of two, when they are no more than this."""


@lru_cache(maxsize=4096)
def proper_divisors(number: int) -> tuple[int, ...]:
    """The divisors greater than 1 and smaller than an integer, ascending.

    >>> proper_divisors(12), proper_divisors(7), proper_divisors(1)
    ((2, 3, 4, 6), (), ())
    """
    return all_divisors(number)[1:-1]


@lru_cache(maxsize=4096)
def prime_factors(number: int) -> tuple[int, ...]:
    """The prime factors of an integer, ascending, each as often as it divides.

    >>> prime_factors(12), prime_factors(1)
    ((2, 2, 3), ())
    """
    least = next(iter(proper_divisors(number)), number)
    return () if number == 1 else (least, *prime_factors(number // least))


def iter_splits(number: int) -> Iterator[tuple[int, ...]]:
    """All lists of two or more divisors whose product an integer is, in any order, one at a time.

    >>> list(iter_splits(12))
    [(2, 6), (2, 2, 3), (2, 3, 2), (3, 4), (3, 2, 2), (4, 3), (6, 2)]
    """
    for first in proper_divisors(number):
        yield first, number // first
        yield from ((first, *rest) for rest in iter_splits(number // first))


def hint_products(integer: int) -> str:
    """A hint for a refusal: an integer as a product of two, where there are few: "12 = 2 × 6 = 3 × 4."."""
    pairs = [f"{divisor} × {integer // divisor}" for divisor in proper_divisors(integer) if divisor**2 <= integer]
    return f"{' = '.join([str(integer), *pairs])}." if len(pairs) <= MOST_NAMED else ""


# The three kinds of moves as values: read from text, written as text (`7`, `split 3 2 5`, `add 5`), and offered.


BETWEEN = re.compile(r" ?[*×·⋅x] ?| ?, ?| ")
"""What may stand between two divisors."""
SPLIT = re.compile(r"(?:split (?P<a>[^ :,]+)(?: ?[:,] ?| )|(?P<b>[^ ]+) split )(?P<factors>.+)", re.DOTALL)
ADD = re.compile(r"add (?P<a>[^ ]+)|(?P<b>[^ +]+)(?: add| ?\+)")
DIGITS = 6
"""No position and no integer of a match has more digits."""


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
        return f"split {self.position} {join_items(self.factors)}"


@dataclass(frozen=True, slots=True)
class Add:
    """Replace the integers at a position and the next by their sum."""

    position: int

    def __str__(self) -> str:
        return f"add {self.position}"


Action = Append | Split | Add


def parse_action(text: str) -> Action:
    """A move from text in any form that reading accepts, or `Unreadable`.

    >>> [str(parse_action(text)) for text in ("7", "Split 3: 2*5", "3 split 2, 5", "5 +")]
    ['7', 'split 3 2 5', 'split 3 2 5', 'add 5']
    """
    folded = tidy(text)
    if found := SPLIT.fullmatch(folded):
        return Split(parse_whole(found["a"] or found["b"]), _parse_factors(found["factors"]))
    if found := ADD.fullmatch(folded):
        return Add(parse_whole(found["a"] or found["b"]))
    if re.match(r"[a-z]|.* ", folded, re.DOTALL):
        raise Unreadable(
            f"{quote(text)} isn't a move. Write a number while the list is being built. Later, write split with a "
            "position and factors, or add with the position of the left one of two neighbours."
        )
    return Append(parse_whole(folded))


def _parse_factors(text: str) -> tuple[int, ...]:
    factors = BETWEEN.split(text)
    if "" in factors:
        raise Unreadable(f"{quote(text)} has one sign too many between two factors. Write one space or one sign.")
    return tuple(map(parse_whole, factors))


def find_rewritings_to(numbers: Sequence[int], after: Sequence[int]) -> Iterator[Add | Split]:
    """The rewritings of a list that give another list."""
    longer = len(after) - len(numbers)
    for position, integer in enumerate(numbers, 1):
        put = tuple(after[position - 1 : position + max(longer, 0)])
        gone = 2 if longer < 0 else 1
        if (*numbers[: position - 1], *put, *numbers[position - 1 + gone :]) != tuple(after):
            continue
        if longer == -1 and put == (sum(numbers[position - 1 : position + 1]),):
            yield Add(position)
        if longer > 0 and math.prod(put) == integer and all(1 < factor < integer for factor in put):
            yield Split(position, put)


# What is offered while a move is typed.


def suggest_integers(largest: int, typed: str) -> Iterator[Suggestion]:
    """Integers to write, each with its prime factors."""
    begun = typed.strip()
    for integer in range(1, largest + 1):
        if str(integer).startswith(begun):
            yield Suggestion(str(integer), describe_integer(integer))


def describe_integer(integer: int) -> str:
    """What an integer is: "prime", "2·2·3", or nothing for 1."""
    return "prime" if is_prime(integer) else "·".join(map(str, prime_factors(integer)))


def suggest_rewritings(numbers: Sequence[int], typed: str) -> Iterator[Suggestion]:
    """Rewritings that begin with what has been typed."""
    word, _, rest = typed.lower().lstrip().partition(" ")
    if "add".startswith(word):
        yield from _suggest_sums(numbers, rest)
    if "split".startswith(word):
        position, space, factors = rest.partition(" ")
        yield from _suggest_factors(numbers, position, factors) if space else _suggest_positions(numbers, position)


def _suggest_sums(numbers: Sequence[int], typed: str) -> Iterator[Suggestion]:
    for position, (one, other) in enumerate(zip(numbers, numbers[1:], strict=False), 1):
        if str(position).startswith(typed.strip()):
            yield Suggestion(f"add {position}", f"{one} + {other} = {one + other}, {describe_integer(one + other)}")


def _suggest_positions(numbers: Sequence[int], typed: str) -> Iterator[Suggestion]:
    """Each integer that can be split, by its primes."""
    for position, integer in enumerate(numbers, 1):
        if proper_divisors(integer) and str(position).startswith(typed):
            yield Suggestion(
                f"split {position} {join_items(prime_factors(integer))}", f"{integer} = {describe_integer(integer)}"
            )


def _suggest_factors(numbers: Sequence[int], position: str, typed: str) -> Iterator[Suggestion]:
    """The integer at a position by divisors that begin with those typed; all its primes first, then pairs."""
    if not position.isdecimal() or len(position) > DIGITS or not 1 <= int(position) <= len(numbers):
        return
    *begun, partial = BETWEEN.split(typed.lstrip())
    if not all(factor.isdecimal() and len(factor) <= DIGITS for factor in begun):
        return
    integer, first = numbers[int(position) - 1], tuple(map(int, begun))
    product = math.prod(first)
    if not product or integer % product or integer == product:
        return
    for rest in _list_products(integer // product, bool(first)):
        if str(rest[0]).startswith(partial):
            factors = (*first, *rest)
            yield Suggestion(
                f"split {position} {join_items(factors)}", "all prime" if all(map(is_prime, factors)) else ""
            )


def _list_products(integer: int, alone: bool) -> Iterator[tuple[int, ...]]:
    """An integer as a product: by its primes, by itself if that is allowed, in two, and then in all ways."""
    pairs = ((divisor, integer // divisor) for divisor in proper_divisors(integer))
    whole = [(integer,)] if alone else []
    yield from chain([prime_factors(integer)] if proper_divisors(integer) else [], whole, pairs, iter_splits(integer))


SHORTEST, LONGEST, USUAL = 4, 24, 6
"""The least and the greatest length of a list, and the least that is usual."""
TEXT_COLUMNS, TEXT_CHANGES = 12, 10
"""How many integers a line of the text board has, and how many changes it shows."""
CHANGE = "change {number}"
OPENING = "The list is full: {name} begins to change it.", "The list is full: you begin to change it."
"""The beginning of the changes, to others and to the player who begins."""
ONE, COMPOSITE, ONLY = "1 is not prime", "{number} = {factors}, not prime", "only {fact}"
ONLY_COMPOSITE = "only {number} = {factors} is not prime"
SPLIT_LAST = "With change {change}, {name} split {number} into {factors}: only primes are left."
ADDED_LAST = "With change {change}, {name} added {terms} = {number}: only primes are left."
TIED = "After {limit} changes some numbers are still not prime."
"""By what a match was decided."""
NUMBER_OF, CHANGE_OF = "number {number} of {length}", "change {number} of {limit}"
NO_FACTOR = "The factors of {integer} are greater than 1 and smaller than {integer}, so {factor} isn't one."
PRODUCT = "{factors} = {product}, but the number at position {position} is {integer}."
PRODUCT_OF_MANY = "The product of these {count} factors isn't {integer}, the number at position {position}."


@dataclass(frozen=True, slots=True)
class CombiningDividingOptions(Options):
    """How many integers are written, the largest that may be, and how many rewritings there are before a tie."""

    length: int = number_option(
        None,
        SHORTEST,
        LONGEST,
        "Numbers in the list, equally many from each player: 4 to 24, normally 6 or a few more",
        said="{value} numbers",
    )
    largest: int = number_option(
        100, 10, 9999, "The largest number that can be written: 10 to 9999", said="each up to {value}"
    )
    limit: int = number_option(
        100, 10, 500, "Changes after which it is a draw: 10 to 500", said="a draw after {value} changes"
    )

    def settle(self, seats: int) -> Self:
        what = "everybody writes equally many numbers"
        return replace(self, length=equal_share(self.length, seats, range(SHORTEST, LONGEST + 1), USUAL, what))


class Change(NamedTuple):
    """A rewriting: whose it was, from which place (from 0), what was there and what is there now."""

    seat: Seat
    place: int
    before: tuple[int, ...]
    after: tuple[int, ...]

    def __str__(self) -> str:
        if len(self.before) == 1:
            return f"split {self.place + 1}, {self.before[0]} = {'·'.join(map(str, self.after))}"
        return f"add {self.place + 1}, {' + '.join(map(str, self.before))} = {self.after[0]}"


@dataclass(frozen=True, slots=True)
class CombiningDividing(RotatingSeats, Position):
    """A list of integers being built or rewritten; `previous` is the seat that moved before.

    `changes` are the rewritings so far; `winner` is the seat that made the last of them, if that left only primes.
    """

    length: int
    largest: int
    limit: int
    seats: int
    numbers: tuple[int, ...] = ()
    changes: tuple[Change, ...] = ()
    previous: Seat = 0
    winner: Seat = 0

    @classmethod
    def start(cls, options: CombiningDividingOptions, seats: int) -> Self:
        """A list without integers."""
        return cls(options.length, options.largest, options.limit, seats)

    @property
    def is_building(self) -> bool:
        """Whether the list is still to be filled."""
        return not self.changes and len(self.numbers) < self.length

    @property
    def opening(self) -> Opening | None:
        return None if self.is_building or self.changes or not self.turn else Opening(self.seat_to_move, *OPENING)

    @property
    def progress(self) -> str:
        if not self.turn:
            return ""
        if self.is_building:
            return NUMBER_OF.format(number=len(self.numbers) + 1, length=self.length)
        return CHANGE_OF.format(number=len(self.changes) + 1, limit=self.limit)

    @property
    def move_label(self) -> str:
        return MOVE if self.is_building else CHANGE

    @property
    def is_tied(self) -> bool:
        """Whether all rewritings have been made and nobody has won."""
        return not self.winner and len(self.changes) == self.limit

    @property
    def turn(self) -> tuple[Seat, ...]:
        return () if self.is_deserted or self.winner or self.is_tied else (self.seat_to_move,)

    def may_append(self, seat: Seat) -> bool:
        return self.is_building and seat in self.turn

    def may_split(self, seat: Seat) -> bool:
        return not self.is_building and seat in self.turn and any(map(proper_divisors, self.numbers))

    def may_add(self, seat: Seat) -> bool:
        """Whether a seat has two integers to add."""
        return not self.is_building and seat in self.turn and len(self.numbers) > 1

    def moves(self, seat: Seat) -> Iterator[str]:
        if self.may_append(seat):
            yield from map(str, range(1, self.largest + 1))
        elif seat in self.turn:
            yield from (f"add {position}" for position in range(1, len(self.numbers)))
            for position, integer in enumerate(self.numbers, 1):
                yield from (str(Split(position, factors)) for factors in iter_splits(integer))

    def suggest(self, seat: Seat, typed: str) -> Iterator[Suggestion]:
        if seat not in self.turn:
            return iter(())
        return suggest_integers(self.largest, typed) if self.is_building else suggest_rewritings(self.numbers, typed)

    def read(self, seat: Seat, text: str) -> str:
        return self._find_move_to(text) or str(parse_action(text))

    def _find_move_to(self, text: str) -> str:
        # The first move that gives the list as a text has it; empty where none does.
        if not re.fullmatch("[0-9 ,]+", text):
            return ""
        after = parse_wholes(text)
        if self.is_building:
            return str(after[-1]) if after[:-1] == self.numbers and self.numbers else ""
        return min(map(str, find_rewritings_to(self.numbers, after)), default="")

    def play(self, seat: Seat, move: str) -> Self:
        expect_turn(self, seat)
        match parse_action(move):
            case Append(integer):
                return self._append_integer(seat, integer)
            case Split(position, factors):
                integer = self._integer_at(position)
                return self._apply_change(
                    Change(seat, position - 1, (integer,), self._check_factors(position, integer, factors))
                )
            case Add(position):
                pair = self._pair_at(position)
                return self._apply_change(Change(seat, position - 1, pair, (sum(pair),)))

    def _append_integer(self, seat: Seat, integer: int) -> Self:
        if not self.is_building:
            raise Illegal("The list is full. Split one of its numbers, or add two neighbours.")
        if not 1 <= integer <= self.largest:
            raise Illegal(f"You can't write {integer}. In this match numbers go from 1 to {self.largest}.")
        return replace(self, numbers=(*self.numbers, integer), previous=seat)

    def _integer_at(self, position: int) -> int:
        # The integer at a position, or `Illegal` where there is none to rewrite.
        if self.is_building:
            raise Illegal(
                f"The list has {len(self.numbers)} of its {self.length} numbers and is changed when it is full. "
                f"Write one from 1 to {self.largest}."
            )
        if not 1 <= position <= len(self.numbers):
            raise Illegal(f"There is no position {position}. The list has positions 1 to {len(self.numbers)}.")
        return self.numbers[position - 1]

    def _check_factors(self, position: int, integer: int, factors: tuple[int, ...]) -> tuple[int, ...]:
        # The factors that an integer is split into, or `Illegal`.
        if not proper_divisors(integer):
            if is_prime(integer):
                raise Illegal(f"{integer}, at position {position}, is prime and can't be split.")
            raise Illegal(f"{integer}, at position {position}, has no factor but itself and can't be split.")
        if len(factors) < 2:
            refused = f"Split {integer} into two or more factors, not into one."
            raise Illegal(join_sentences(refused, hint_products(integer)))
        for factor in factors:
            if not 1 < factor < integer:
                raise Illegal(join_sentences(NO_FACTOR.format(integer=integer, factor=factor), hint_products(integer)))
            if integer % factor:
                refused = f"{factor} doesn't divide {integer}, the number at position {position}."
                raise Illegal(join_sentences(refused, hint_products(integer)))
        if (product := math.prod(factors)) != integer:
            said = PRODUCT if len(factors) <= MOST_NAMED else PRODUCT_OF_MANY
            facts = {"integer": integer, "position": position, "product": product, "count": len(factors)}
            refused = said.format(factors=" × ".join(map(str, factors)), **facts)
            raise Illegal(join_sentences(refused, hint_products(integer)))
        return factors

    def _pair_at(self, position: int) -> tuple[int, int]:
        # The two integers from a position on, or `Illegal`.
        first = self._integer_at(position)
        if len(self.numbers) == 1:
            raise Illegal(f"{first} is the only number left, so there is nothing to add. Split it.")
        if position == len(self.numbers):
            raise Illegal(
                f"{first}, at position {position}, is the last number, so it has no right neighbour to add. "
                f"Add at position 1 to {position - 1}."
            )
        return first, self.numbers[position]

    def _apply_change(self, change: Change) -> Self:
        start, end = change.place, change.place + len(change.before)
        numbers = (*self.numbers[:start], *change.after, *self.numbers[end:])
        winner = change.seat if all(map(is_prime, numbers)) else 0
        return replace(self, numbers=numbers, changes=(*self.changes, change), winner=winner, previous=change.seat)

    def lists(self) -> Iterator[tuple[int, ...]]:
        """The list as it is, then as it was before each change, the latest first."""
        numbers = self.numbers
        yield numbers
        for change in reversed(self.changes):
            end = change.place + len(change.after)
            numbers = (*numbers[: change.place], *change.before, *numbers[end:])
            yield numbers

    def scores(self) -> tuple[int, ...]:
        return (0,) * self.seats

    def ranks(self) -> tuple[int, ...] | None:
        if self.turn:
            return None
        return rank_seats([seat == self.winner for seat in range(1, self.seats + 1)], self.withdrawn)

    def explain_result(self, name: NameSeat) -> str:
        if not self.winner:
            return TIED.format(limit=self.limit)
        who, last, change = name(self.winner), self.changes[-1], len(self.changes)
        if len(last.before) == 1:
            number = group_digits(last.before[0])
            return SPLIT_LAST.format(
                change=change, name=who, number=number, factors=join_words(map(group_digits, last.after))
            )
        terms = " + ".join(map(group_digits, last.before))
        return ADDED_LAST.format(change=change, name=who, terms=terms, number=group_digits(last.after[0]))

    def working(self) -> tuple[str, ...]:
        return (*self.verdict(), *(self.explain(place) for place in self.composite_places()))

    def explain_unchanged(self, before: Position) -> tuple[str, ...]:
        """Of what has been written since; numbers that only stand at another place now are no news."""
        assert isinstance(before, CombiningDividing)
        old = [True] * len(before.numbers)
        if not before.changes:
            old += [False] * (self.length - len(old))
        for change in self.changes[len(before.changes) :]:
            old[change.place : change.place + len(change.before)] = [False] * len(change.after)
        composite = [*self.composite_places()]
        if self.turn and not self.is_building and len(composite) == 1:
            return (self.explain(composite[0], alone=True),)
        return (*self.verdict(), *(self.explain(place) for place in composite if not old[place]))

    def verdict(self) -> tuple[str, ...]:
        """How the match came to its end, in a line, if it did by its rules."""
        if self.winner:
            return (f"change {len(self.changes)}, player {self.winner}: {self.changes[-1]}, and all numbers are prime",)
        return (f"a draw: after {self.limit} changes not all numbers are prime",) if self.is_tied else ()

    def composite_places(self) -> Iterator[int]:
        """The places of integers that are not prime, from 0."""
        return (place for place, integer in enumerate(self.numbers) if not is_prime(integer))

    def explain(self, place: int, alone: bool = False) -> str:
        """Why an integer is not prime, perhaps as the only one: "12 = 2·2·3, not prime"."""
        integer = self.numbers[place]
        if integer == 1:
            return ONLY.format(fact=ONE) if alone else ONE
        factors = "·".join(map(group_digits, prime_factors(integer)))
        return (ONLY_COMPOSITE if alone else COMPOSITE).format(number=group_digits(integer), factors=factors)

    def __str__(self) -> str:
        shown = self.numbers or (0,)
        wide = max(2, len(str(max(shown))), len(str(len(shown))))
        lines: list[str] = []
        for start in range(0, len(self.numbers), TEXT_COLUMNS):
            part = self.numbers[start : start + TEXT_COLUMNS]
            rows = (range(start + 1, start + len(part) + 1), part, ["^" if is_prime(it) else "" for it in part])
            lines += [" ".join(f"{item:>{wide}}" for item in row).rstrip() for row in rows]
        return "\n".join([*(line for line in lines if line), *self._describe_changes()])

    def _describe_changes(self) -> Iterator[str]:
        # What happened, for the text board.
        if not self.changes:
            yield f"({len(self.numbers)} of {self.length} numbers)"
        hidden = max(0, len(self.changes) - TEXT_CHANGES)
        if hidden:
            yield f"({hidden} of {len(self.changes)} changes are not shown)"
        for at, change in enumerate(self.changes[hidden:], hidden + 1):
            yield f"{at}, player {change.seat}: {change}"
