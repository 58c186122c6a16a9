"""Dream Math Game (Leroy Quet, 2008)

**Example** Between neighbours stands what they score: 2 for 2 and 4, the largest number that divides both; 8 for 9 and
8, the smaller one, as only 1 divides both. Row 1 scores 1 + 2 = 3. That is a *prime*, a number like 2, 3, 5 or 7,
divisible only by 1 and itself, and earns 5 more: 8. Row 2 has 16, row 3 has 10: 34 for Blue. The columns make 4 + (7 +
5) + (11 + 5) = 32 for Orange.

**Goal** Score more with pairs of neighbours: the first player, Blue, in the rows, the second, Orange, in the columns.

**A turn** Place the next number, 1, 2, 3 …, in an empty square, until the grid is full.

**Scoring** A pair scores the largest number that divides both, or the smaller number if only 1 does. If a line's points
add up to a prime, it scores 5 more. Add up your lines: the higher total wins.

**Size** The side of the grid is 3 to 8, usually 4.

**Variants** *dream* is the usual game. In *simple* every pair scores its GCD, the largest number that divides both, and
primes earn nothing: the example would end 9 : 11. In *house* you choose what a pair with the GCD 2 scores (the option
gcd2), with 3 (gcd3) and with 4 or more (other): its gcd, the larger number (max), the smaller one (min), their product,
the larger divided by the smaller and rounded down (ratio), or how many divisors their sum has (divisors). The rest is
as in *dream*. Only *house* takes these three options.

**Rulings** Until the grid is full, a row or column counts the pairs that it has so far, and its prime too.

>>> board = DreamMath.start(DreamMathOptions(size=3), 2)
>>> for ply, move in enumerate("a1 b1 a2 c1 b3 a3 c3 c2 b2".split()):
...     board = board.play(1 + ply % 2, move)
>>> print(board)
   a  b  c
1  1  2  4   8
2  3  9  8  16
3  6  5  7  10
   4 12 16
>>> board.scores(), board.ranks()
((34, 32), (1, 2))
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple, Self

from bot.games.grids import LineScoring, NumberedGrid, split_lines
from bot.games.notation import format_sum
from bot.games.options import BadOptions, Options, number_option, word_option
from bot.games.position import Seat
from bot.games.primes import divisors, is_prime

BONUS = 5
"""What a line earns whose pair scores add up to a prime."""


METHODS: dict[str, Callable[[int, int], int]] = {
    "gcd": math.gcd,
    "max": lambda less, more: more,
    "min": lambda less, more: less,
    "product": lambda less, more: less * more,
    "ratio": lambda less, more: more // less,
    "divisors": lambda less, more: len(divisors(less + more)),
}
"""What a pair may score, from its smaller and its larger number."""

Line = tuple[int, ...]
"""The numbers of a row from the left or of a column from the top, 0 for an empty square."""
Methods = tuple[str, str, str, str]
"""Names of what a pair scores when its GCD is 1, 2, 3, and 4 or more."""

VARIANTS = ("dream", "simple", "house")
CHOSEN = ("gcd2", "gcd3", "other")
"""The options that say what a pair with GCD 2, 3, or 4 and more scores."""


@dataclass(frozen=True, slots=True)
class DreamMathOptions(Options):
    """The grid's side, the variant, and what pairs score in the variant that leaves it to the players."""

    size: int = number_option(4, 3, 8, "Side of the grid: 3 to 8")
    variant: str = word_option(
        "dream",
        VARIANTS,
        "What pairs score: as in his dream, simply their GCD, or by your house rules",
        said="the {value} variant",
    )
    gcd2: str | None = word_option(None, tuple(METHODS), "House rules: what a pair with the GCD 2 scores; normally gcd")
    gcd3: str | None = word_option(None, tuple(METHODS), "House rules: what a pair with the GCD 3 scores; normally gcd")
    other: str | None = word_option(
        None, tuple(METHODS), "House rules: what a pair with a GCD of 4 or more scores; normally gcd"
    )

    def settle(self, seats: int) -> Self:
        """Only the last variant takes the three methods; each is the GCD unless another is chosen."""
        if self.variant == "house":
            return replace(self, gcd2=self.gcd2 or "gcd", gcd3=self.gcd3 or "gcd", other=self.other or "gcd")
        for name in CHOSEN:
            if getattr(self, name):
                raise BadOptions(f"{name} only works with the variant house. Choose house, or leave it out.")
        return self

    @property
    def methods(self) -> Methods:
        """What a pair scores when its GCD is 1, 2, 3, and 4 or more."""
        if self.variant == "simple":
            return "gcd", "gcd", "gcd", "gcd"
        return "min", self.gcd2 or "gcd", self.gcd3 or "gcd", self.other or "gcd"


class Pair(NamedTuple):
    """Two neighbours in a line: the place of the first from 0, the smaller and the larger number, and their score."""

    place: int
    less: int
    more: int
    score: int

    @property
    def coprime(self) -> bool:
        """Whether their GCD is 1."""
        return math.gcd(self.less, self.more) == 1

    def __str__(self) -> str:
        return f"{self.less} and {self.more} score {self.score}"


@lru_cache(maxsize=16384)
def score_pair(less: int, more: int, methods: Methods) -> int:
    """What two numbers score.

    >>> dream = ("min", "gcd", "gcd", "gcd")
    >>> score_pair(8, 9, dream), score_pair(8, 12, dream)
    (8, 4)
    """
    return METHODS[methods[min(math.gcd(less, more), 4) - 1]](less, more)


@lru_cache(maxsize=4096)
def list_pairs(line: Line, methods: Methods) -> tuple[Pair, ...]:
    both = ((place, *sorted(pair)) for place, pair in enumerate(pairwise(line)) if all(pair))
    return tuple(Pair(place, less, more, score_pair(less, more, methods)) for place, less, more in both)


class LineScore(NamedTuple):
    """What a line scores: its pairs, the sum of their scores, what it earns because that is a prime, and both."""

    pairs: tuple[Pair, ...]
    sum: int
    bonus: int
    total: int


@lru_cache(maxsize=4096)
def score_line(line: Line, methods: Methods, primes_earn: bool) -> LineScore:
    """What a line scores from the pairs that stand in it."""
    standing = list_pairs(line, methods)
    together = sum(pair.score for pair in standing)
    bonus = BONUS if primes_earn and is_prime(together) else 0
    return LineScore(standing, together, bonus, together + bonus)


@dataclass(frozen=True, slots=True)
class DreamMath(LineScoring, NumberedGrid):
    """A grid in which player 1 counts rows and player 2 columns, with what its pairs score."""

    variant: str
    methods: Methods

    @classmethod
    def start(cls, options: DreamMathOptions, seats: int) -> Self:
        return cls(options.size, options.variant, options.methods)

    def list_lines(self, seat: Seat) -> tuple[Line, ...]:
        """The lines that a seat counts: rows for player 1, columns for player 2."""
        return split_lines(self.cells, self.size, self.find_axis(seat))

    def line_results(self, seat: Seat) -> tuple[LineScore, ...]:
        return tuple(map(self.score_line, self.list_lines(seat)))

    def score_line(self, line: Line) -> LineScore:
        return score_line(line, self.methods, self.variant != "simple")

    def line_scores(self, seat: Seat) -> tuple[int, ...]:
        return tuple([result.total for result in self.line_results(seat)])

    def explain(self, seat: Seat, index: int) -> str:
        """How one line comes to its score: "row 2: 3 + 8 = 11, a prime: 11 + 5 = 16"."""
        name, line = self.line_name(seat, index), self.list_lines(seat)[index]
        return f"{name}: {self.derive(seat, line)}" if list_pairs(line, self.methods) else f"{name}: no pairs, scores 0"

    def derive(self, seat: Seat, line: Line) -> str:
        result = self.score_line(line)
        if not result.pairs:
            return "no pairs"
        pairs = format_sum([pair.score for pair in result.pairs])
        if result.bonus:
            return f"{pairs}, a prime: {result.sum} + {result.bonus} = {result.total}"
        return pairs

    def describe_pairs(self, seat: Seat, index: int) -> str:
        """What each pair of a line scores, and their sum: "row 2: 3 and 9 score 3, 8 and 9 score 8; together 11"."""
        result = self.score_line(self.list_lines(seat)[index])
        return f"{self.line_name(seat, index)}: {', '.join(map(str, result.pairs))}; together {result.sum}"

    def list_notes(self, line: Line) -> tuple[str, ...]:
        return ("prime bonus",) if self.score_line(line).bonus else ()
