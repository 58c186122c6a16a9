"""Positions to think about: every game on a small board at some moments, and the questions about them."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from random import Random

from bot.engine.search import think
from bot.games.catalogue import load_games
from bot.games.game import Game
from bot.games.mind import Budget
from bot.games.position import Position
from bot.play.match import Match
from tests.contract.playing import edge, greedy, stepped

BUDGET = Budget(playouts=6, nodes=60)
PLIES = (0, 3, 8)
"""How many moves lie before what is looked at."""


def small(game: Game, seats: int = 2) -> Match:
    """A match with the least of every option."""
    return Match.start(game, greedy(game, edge(game.Options.bounds(), 0), seats), seats)


@cache
def walked(game: Game, seats: int = 2) -> tuple[Match, ...]:
    """A small match at some moments before its end."""
    match, rng = small(game, seats), Random(game.key)
    found: list[Match] = []
    for ply in range(max(PLIES) + 1):
        if match.is_over:
            break
        if ply in PLIES:
            found.append(match)
        match = stepped(match, rng)
    return tuple(found)


def several(game: Game) -> int:
    """Three seats, where so many can play."""
    return min(3, game.seats[-1])


def answers() -> Iterator[str]:
    """What is thought at all those moments, with two seats and with several, in a form that shows every bit of it."""
    for game in load_games().values():
        for seats in sorted({2, several(game)}):
            for match in walked(game, seats):
                yield f"{game.key} {seats} {len(match.record)} {thought(game, match.position)!r}"


def thought(game: Game, position: Position, seed: str = "1:2:3:4") -> object:
    """What the seat that is to move finds."""
    seat = position.turn[0]
    return think(position.seen_by(seat), seat, game.mind, BUDGET, seed)


if __name__ == "__main__":
    print(*answers(), sep="\n")
