"""The players of the arena: a level of the computer, a search of so many playouts, a greedy and a random one."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from random import Random
from typing import Protocol

from bot.engine.exact import compute_margins, compute_results
from bot.engine.levels import make_budget
from bot.engine.search import think
from bot.games.game import Game
from bot.games.mind import Budget
from bot.games.position import LEVELS, Position, Seat

LISTED = 2000
"""No more moves of a position are weighed by the simple players; of more, the first."""
POOR = Budget(playouts=1, nodes=0)
"""What a simple player thinks where a game finds its moves in its own way."""


class Player(Protocol):
    """Somebody who plays."""

    @property
    def name(self) -> str:
        """As the command line names it."""
        ...

    def choose(self, game: Game, position: Position, seat: Seat, seed: str) -> str:
        """A move, from what the seat may see."""
        ...


@dataclass(frozen=True)
class Level:
    """The computer, as people meet it."""

    level: int

    @property
    def name(self) -> str:
        return str(self.level)

    def choose(self, game: Game, position: Position, seat: Seat, seed: str) -> str:
        allowed = make_budget(game, position, self.level)
        return think(position, seat, game.mind, allowed, f"{seed}:{self.level}").move


@dataclass(frozen=True)
class Searcher:
    """A search within any budget, to try out what levels might be: "64p", "64p300n"."""

    budget: Budget

    @property
    def name(self) -> str:
        return f"{self.budget.playouts}p" + (f"{self.budget.nodes}n" if self.budget.nodes else "")

    def choose(self, game: Game, position: Position, seat: Seat, seed: str) -> str:
        return think(position, seat, game.mind, self.budget, seed).move


@dataclass(frozen=True)
class Greedy:
    """Takes the move after which it is furthest ahead; of equals any."""

    name: str = "greedy"

    def choose(self, game: Game, position: Position, seat: Seat, seed: str) -> str:
        rng = Random(seed)
        if game.mind.ponder:
            return game.mind.ponder(position, seat, POOR, rng)
        ahead = [
            (compute_margins(compute_results(position.play(seat, move), game.mind))[seat - 1], move)
            for move in known(game, position, seat, rng)
        ]
        best = max(margin for margin, _ in ahead)
        return rng.choice([move for margin, move in ahead if margin == best])


@dataclass(frozen=True)
class Aimless:
    """Takes any move."""

    name: str = "random"

    def choose(self, game: Game, position: Position, seat: Seat, seed: str) -> str:
        rng = Random(seed)
        if game.mind.ponder:
            return game.mind.ponder(position, seat, POOR, rng)
        return rng.choice(known(game, position, seat, rng))


def known(game: Game, position: Position, seat: Seat, rng: Random) -> Sequence[str]:
    """Moves to choose from: all, or where the rules leave them open, those that the computer would think of."""
    if not position.open_to(seat):
        return list(islice(position.moves(seat), LISTED))
    if game.mind.candidates:
        return game.mind.candidates(position, seat, rng)
    return [suggestion.move for suggestion in islice(position.suggest(seat, ""), LISTED)]


def player(text: str) -> Player:
    """A player by name: a level, "greedy", "random", or a search as "64p" or "64p300n"."""
    if text in ("greedy", "random"):
        return Greedy() if text == "greedy" else Aimless()
    if text.isdecimal() and int(text) in LEVELS:
        return Level(int(text))
    if found := re.fullmatch(r"(\d+)p(?:(\d+)n)?", text):
        return Searcher(Budget(int(found[1]), int(found[2] or 0)))
    raise ValueError(f'{text[:20]} is no player: say a level from 1 to 6, "greedy", "random", or "64p" or "64p300n".')
