"""Divisors/Multiples Sequence Game (Leroy Quet, 2011)

**Example** You walk together over the numbers 1 to 5. The walk began at 1, which counts as claimed.
- Blue stepped to 2 and claimed it. That cost 2 / 1 = 2.
- Orange stepped from 2 to 4 and claimed it, for 4 / 2 = 2.
- Blue stepped to 1 and on to 3. The step to 1 cost 4 / 1 twice, since 1 was claimed: 2 × 4 + 3 = 11.
- Orange stepped to 1 and on to 5, for 2 × 3 + 5 = 11.

Both paid 2 + 11 = 13: a draw.

**Goal** Claim numbers on a walk, as cheaply as you can: a step to a claimed number costs double. The lowest total wins.

**A turn** Go on with the walk from where it stands, by as many steps as you like. Each leads to a number that divides
the one before, or is a multiple of it. Stop at a number that nobody has claimed: now it is yours.

**Scoring** A step costs the larger number divided by the smaller: from 4 to 12 costs 3. It costs double if the number
you step on was claimed before your turn. The match is over when every number is claimed.

**Size** The largest number is 5 to 60, usually 13, for five players 16. If it is one more than a multiple of the number
of players, everybody has the same number of turns.

**Rulings** Passing over a number that nobody has claimed costs the single price and does not claim it. You can't step
from a number to itself, since that would only cost you. A walk has at most 50 steps. When somebody leaves, their turns
pass on. The inventor lets any number play; the limit of 6 is ours.

>>> board = DivisorsMultiplesSequence.start(DivisorsMultiplesSequenceOptions(r=5), 2)
>>> for seat, move in (1, "2"), (2, "4"), (1, "1 3"), (2, "1 5"):
...     board = board.play(seat, move)
>>> print(board)
1 2:1 3:1 4:2 5:2, at 5
walk 1, player 1: 1 → 2 costs 2
walk 2, player 2: 2 → 4 costs 2
walk 3, player 1: 4 → 1 → 3 costs 2×4 + 3 = 11
walk 4, player 2: 3 → 1 → 5 costs 2×3 + 5 = 11
>>> board.scores(), board.ranks()
((13, 13), (1, 1))
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple, Self

from bot.games.notation import format_sum, join_items, parse_wholes
from bot.games.options import Options, number_option
from bot.games.position import (
    Illegal,
    NameSeat,
    Position,
    RotatingSeats,
    ScorePart,
    Seat,
    Suggestion,
    expect_turn,
    find_uncatchable_seat,
    rank_seats,
)
from bot.games.wording import Plural

LEAST, MOST, USUAL = 5, 60, 13
"""The bounds of r, and the least that is usual."""
MOST_STEPS = 50
NUMBERS_LEFT = Plural("1 number left", "{number} numbers left")
WALK = "walk {number}"
TEXT_WALKS = 12
"""How many walks the text board shows."""


@dataclass(frozen=True, slots=True)
class DivisorsMultiplesSequenceOptions(Options):
    r: int = number_option(
        None,
        LEAST,
        MOST,
        "The largest number: 5 to 60, normally 13, or a bit more to give everybody equal turns",
        said="numbers from 1 to {value}",
    )

    def settle(self, seats: int) -> Self:
        if self.r:
            return self
        return replace(self, r=next(r for r in range(USUAL, MOST + 1) if r % seats == 1 % seats))


RESULT = "{lower} {winner}'s costliest walk was {least}, {other}'s {most}: {path}."
LOWER, LOWEST = "The lower score wins.", "The lowest score wins."
NOT_WALKED = "{lower} {winner} had no walk to pay."


class Walk(NamedTuple):
    """A move: who walked, from where, through which numbers, and what each step cost."""

    seat: Seat
    start: int
    steps: tuple[int, ...]
    costs: tuple[int, ...]

    @property
    def cost(self) -> int:
        """What the whole walk cost."""
        return sum(self.costs)

    @property
    def path(self) -> tuple[int, ...]:
        """All numbers of the walk, the one where it began included."""
        return (self.start, *self.steps)

    def format_terms(self) -> str:
        """What each step cost: "2×3 + 2", where the first led to a claimed number."""
        ratios = [max(pair) // min(pair) for pair in pairwise(self.path)]
        said = (str(cost) if cost == ratio else f"2×{ratio}" for cost, ratio in zip(self.costs, ratios, strict=True))
        return " + ".join(said)

    def format_costs(self) -> str:
        """The same with the sum of several steps: "2×3 + 2 = 8"."""
        return f"{self.format_terms()} = {self.cost}" if len(self.steps) > 1 else self.format_terms()

    def __str__(self) -> str:
        return f"{format_path(self.path)} costs {self.format_costs()}"


def format_path(numbers: Sequence[int]) -> str:
    """The numbers of a walk: "6 → 2 → 4"."""
    return " → ".join(map(str, numbers))


@dataclass(frozen=True, slots=True)
class DivisorsMultiplesSequence(RotatingSeats, Position):
    """Numbers 1..r and the walks so far."""

    r: int
    seats: int
    walks: tuple[Walk, ...] = ()
    previous: Seat = 0

    @classmethod
    def start(cls, options: DivisorsMultiplesSequenceOptions, seats: int) -> Self:
        """The walk stands at 1, and 1 is claimed."""
        return cls(options.r, seats)

    @property
    def here(self) -> int:
        """Where the walk stands."""
        return self.walks[-1].steps[-1] if self.walks else 1

    @property
    def claimed_numbers(self) -> dict[int, Seat]:
        """Who claimed each claimed number; 1 belongs to nobody, seat 0."""
        return {1: 0} | {walk.steps[-1]: walk.seat for walk in self.walks}

    @property
    def progress(self) -> str:
        return NUMBERS_LEFT.fill_in(self.r - 1 - len(self.walks)) if self.turn else ""

    @property
    def turn(self) -> tuple[Seat, ...]:
        return () if self.is_deserted or len(self.walks) == self.r - 1 else (self.seat_to_move,)

    def open_to(self, seat: Seat) -> bool:
        return seat in self.turn

    def moves(self, seat: Seat) -> Iterator[str]:
        return iter(())

    def suggest(self, seat: Seat, typed: str) -> Iterator[Suggestion]:
        """Walks to free numbers that go on from what has been typed, in the order of their numbers."""
        return suggest_walks(self.r, self.here, self.claimed_numbers, typed)

    def read(self, seat: Seat, text: str) -> str:
        return join_items(parse_wholes(text))

    def play(self, seat: Seat, move: str) -> Self:
        expect_turn(self, seat)
        walk = self.make_walk(seat, parse_wholes(move))
        return replace(self, walks=(*self.walks, walk), previous=seat)

    def make_walk(self, seat: Seat, steps: tuple[int, ...]) -> Walk:
        """The walk through these numbers, or `Illegal`."""
        if len(steps) > MOST_STEPS:
            raise Illegal(f"That walk has {len(steps)} steps. It can have at most {MOST_STEPS}.")
        costs = self.step_costs(steps)
        if steps[-1] in self.claimed_numbers:
            if owner := self.claimed_numbers[steps[-1]]:
                raise Illegal(f"Player {owner} has already claimed {steps[-1]}. End your walk on a free number.")
            raise Illegal(f"{steps[-1]} is already claimed. End your walk on a free number.")
        return Walk(seat, self.here, steps, costs)

    def step_costs(self, steps: Sequence[int]) -> tuple[int, ...]:
        """What each of some steps from here costs, or `Illegal` where one cannot be made."""
        claims, path = self.claimed_numbers, (self.here, *steps)
        return tuple(self._step_cost(before, after, claims) for before, after in zip(path, steps, strict=False))

    def _step_cost(self, before: int, after: int, claims: dict[int, Seat]) -> int:
        if not 1 <= after <= self.r:
            raise Illegal(f"There is no {after} here. The numbers are 1 to {self.r}.")
        if before == after:
            raise Illegal(f"A step from {before} to {before} would only cost you. Leave it out.")
        larger, smaller = max(before, after), min(before, after)
        if larger % smaller:
            raise Illegal(f"You can't step from {before} to {after}, because neither divides the other.")
        return larger // smaller * (2 if after in claims else 1)

    def scores(self) -> tuple[int, ...]:
        totals = [0] * self.seats
        for walk in self.walks:
            totals[walk.seat - 1] += walk.cost
        return tuple(totals)

    def ranks(self) -> tuple[int, ...] | None:
        return None if self.turn else rank_seats([-total for total in self.scores()], self.withdrawn)

    @property
    def certain_winner(self) -> Seat:
        # Scores only rise, and the lowest wins: it is certain where that seat makes no further walk.
        if not self.turn:
            return 0
        seat, movers = self.seat_to_move, set[Seat]()
        for _ in range(self.r - 1 - len(self.walks)):
            movers.add(seat)
            seat = self.next_seats[seat]
        leader = find_uncatchable_seat([-score for score in self.scores()], 0, self.withdrawn)
        return 0 if leader in movers else leader

    def explain_result(self, name: NameSeat) -> str:
        """The costliest walk of the winner, and that of the others."""
        walks, winner = sorted(self.walks, key=lambda walk: walk.cost), self.winners[0]
        own, others = ([walk for walk in walks if (walk.seat == winner) is is_own] for is_own in (True, False))
        lower = LOWER if self.seats == 2 else LOWEST
        if not own or not others:
            return "" if own else NOT_WALKED.format(lower=lower, winner=name(winner))
        least, worst = own[-1].cost, others[-1]
        path = format_path(worst.path)
        return RESULT.format(
            lower=lower, winner=name(winner), least=least, other=name(worst.seat), most=worst.cost, path=path
        )

    def list_score_parts(self) -> tuple[ScorePart, ...]:
        return tuple(
            ScorePart(walk.seat, WALK.format(number=at), walk.cost, walk.format_terms())
            for at, walk in enumerate(self.walks, 1)
        )

    def working(self) -> tuple[str, ...]:
        walks = (self.describe_walk(at) for at in range(len(self.walks)))
        return (*walks, *(self.describe_total(seat) for seat in range(1, self.seats + 1)))

    def describe_walk(self, at: int) -> str:
        """A walk by its place, from 0, in a line."""
        walk = self.walks[at]
        return f"walk {at + 1}, player {walk.seat}: {walk}"

    def describe_total(self, seat: Seat) -> str:
        """How a seat's total comes about."""
        return f"player {seat}: {format_sum([walk.cost for walk in self.walks if walk.seat == seat])}"

    def __str__(self) -> str:
        claims = self.claimed_numbers
        marks = (f"{one}:{claims[one]}" if claims.get(one) else str(one) for one in range(1, self.r + 1))
        shown = range(max(0, len(self.walks) - TEXT_WALKS), len(self.walks))
        return "\n".join([f"{' '.join(marks)}, at {self.here}", *(self.describe_walk(at) for at in shown)])


@lru_cache(maxsize=4096)
def list_neighbours(one: int, r: int) -> tuple[int, ...]:
    """The divisors and multiples of a number from 1 to r, itself left out.

    >>> list_neighbours(6, 13)
    (1, 2, 3, 12)
    """
    return tuple(other for other in range(1, r + 1) if other != one and (one % other == 0 or other % one == 0))


def parse_begun_walk(r: int, start: int, typed: str) -> tuple[int, ...] | None:
    """The steps that have been typed whole, as a walk; None where they are none."""
    steps: list[int] = []
    for word in typed.replace(",", " ").split(" ")[:-1]:
        if not word:
            continue
        if not (word.isascii() and word.isdigit() and len(word) < 3):
            return None
        if int(word) not in list_neighbours(steps[-1] if steps else start, r):
            return None
        steps.append(int(word))
    return tuple(steps)


def suggest_walks(r: int, start: int, claimed: Container[int], typed: str) -> Iterator[Suggestion]:
    """Walks that go on from what has been typed to a free number, in one step, then in two; each in order of numbers.

    What a walk costs is for the player to find.
    """
    steps = parse_begun_walk(r, start, typed)
    if steps is None:
        return
    last = typed.replace(",", " ").rpartition(" ")[2]
    base = steps[-1] if steps else start
    firsts = [first for first in list_neighbours(base, r) if str(first).startswith(last)]
    onward = [(first,) for first in firsts]
    onward += [(first, second) for first in firsts for second in list_neighbours(first, r) if second != base]
    for walk in ((*steps, *further) for further in onward):
        if walk[-1] not in claimed and len(walk) <= MOST_STEPS:
            yield Suggestion(" ".join(map(str, walk)), f"claims {walk[-1]}")
