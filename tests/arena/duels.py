"""Pairs of matches with the seats swapped, and what they say about two players."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass, field

from bot.engine.exact import compute_results
from bot.games.game import Game
from bot.games.options import Options
from bot.games.position import Seat
from tests.arena.players import Player

LONGEST = 2000
"""So many moves a match takes at most; then the running result counts."""
DEVIATIONS = 1.959964
"""How many standard deviations an interval of 95 % reaches to either side."""


@dataclass
class Effort:
    """Seconds of processor time that a player's moves took."""

    moves: int = 0
    total: float = 0.0
    slowest: float = 0.0

    def add(self, seconds: float) -> None:
        """Note a move."""
        self.moves += 1
        self.total += seconds
        self.slowest = max(self.slowest, seconds)

    @property
    def mean(self) -> float:
        """Of one move."""
        return self.total / max(1, self.moves)


@dataclass
class Duel:
    """Two players at one game: how the pairs went, from the first one's side."""

    game: Game
    options: Options
    seats: int
    one: Player
    other: Player
    seed: str
    pairs: list[float] = field(default_factory=list[float])
    """1 for a pair that was won, 0 for a lost one, ½ for an even one."""
    efforts: tuple[Effort, Effort] = field(default_factory=lambda: (Effort(), Effort()))

    def run(self, pairs: int) -> Duel:
        """Play so many pairs of matches."""
        for pair in range(pairs):
            margin = sum(self.margin(f"{self.seed}:{pair}", swapped) for swapped in (0, 1))
            self.pairs.append(0.5 + 0.5 * ((margin > 0) - (margin < 0)))
        return self

    def margin(self, seed: str, swapped: int) -> float:
        """By how much the first player is ahead at the end of a match; with several seats, the mean of theirs, which
        are every other one."""
        position = self.game.start(self.options, self.seats)
        for ply in range(LONGEST):
            if not position.turn:
                break
            seat = position.turn[0]
            who = self.who(seat, swapped)
            begun = time.process_time()
            move = (self.one, self.other)[who].choose(self.game, position.seen_by(seat), seat, f"{seed}:{ply}:{seat}")
            self.efforts[who].add(time.process_time() - begun)
            position = position.play(seat, move)
        found = compute_results(position, self.game.mind)
        mine, theirs = (
            [result for seat, result in enumerate(found, 1) if self.who(seat, swapped) == who] for who in (0, 1)
        )
        return sum(mine) * len(theirs) - sum(theirs) * len(mine)

    def who(self, seat: Seat, swapped: int) -> int:
        """Who has a seat: 0 the first player, 1 the other."""
        return (seat - 1 + swapped) % 2

    @property
    def share(self) -> float:
        """The first player's share of the pairs."""
        return sum(self.pairs) / max(1, len(self.pairs))

    @property
    def outcomes(self) -> str:
        """How many pairs the first player won, how many were even, and how many it lost."""
        return "-".join(str(self.pairs.count(worth)) for worth in (1, 0.5, 0))

    @property
    def row(self) -> dict[str, object]:
        """The duel as JSON values."""
        low, high = interval(self.share, len(self.pairs))
        return {
            "game": self.game.key,
            "options": {name: getattr(self.options, name) for name in self.options.bounds()},
            "seats": self.seats,
            "one": self.one.name,
            "other": self.other.name,
            "pairs": len(self.pairs),
            "outcomes": self.outcomes,
            "share": self.share,
            "low": low,
            "high": high,
            "mean": [effort.mean for effort in self.efforts],
            "slowest": [effort.slowest for effort in self.efforts],
        }

    def __str__(self) -> str:
        low, high = interval(self.share, len(self.pairs))
        said = " ".join(f"{name}={value}" for name, value in self.chosen.items())
        times = "  ".join(f"{effort.mean * 1000:7.1f} {effort.slowest * 1000:7.0f}" for effort in self.efforts)
        return (
            f"{self.game.key:<29}{said:<16}{self.one.name:>6} v {self.other.name:<8}{len(self.pairs):>4}"
            f"{self.outcomes:>14}{self.share:>6.2f} [{low:.2f}, {high:.2f}] {times}"
        )

    @property
    def chosen(self) -> dict[str, object]:
        """The options that are not the usual ones, and the seats where there are more than two."""
        usual = self.game.Options.read({}, self.seats)
        named = {name: getattr(self.options, name) for name in self.options.bounds()}
        chosen: dict[str, object] = {name: it for name, it in named.items() if it != getattr(usual, name)}
        return chosen | ({"seats": self.seats} if self.seats != 2 else {})


HEAD = (
    f"{'game':<29}{'options':<16}{'players':>13}{'pairs':>8} won-even-lost share  95 % (Wilson)"
    f"  {'ms a move':>9}{'slowest':>8}  and the other's"
)


def interval(share: float, pairs: int) -> tuple[float, float]:
    """Wilson's interval of 95 % for a share; an even pair counts as half a win, which makes it rather too wide.

    >>> [round(end, 3) for end in interval(0.7, 100)]
    [0.604, 0.781]
    """
    if not pairs:
        return 0.0, 1.0
    square = DEVIATIONS**2
    middle = (share + square / (2 * pairs)) / (1 + square / pairs)
    half = DEVIATIONS / (1 + square / pairs) * math.sqrt(share * (1 - share) / pairs + square / (4 * pairs**2))
    return max(0.0, middle - half), min(1.0, middle + half)
