"""The search for positions that cannot be solved: what it takes for certain is so, of the moves that it thinks of."""

from __future__ import annotations

from random import Random

import pytest

from bot.core.game.game import Game
from bot.core.game.position import Position
from bot.core.library.catalogue import games
from bot.core.values.seats import Seat
from bot.search.uct import PROVING, Search
from bot.search.values import results

GAME = games()["not-divisors-not-multiples"]
LEFT = 5
"""So many squares are left where everything that may follow is looked at."""


def late(seed: str) -> Position:
    """A match on the smallest board, played by lot until little is left."""
    lots, position = Random(seed), GAME.start(GAME.configure({"size": 3}, 2), 2)
    while GAME.mind.effort(position) > LEFT and position.turn:
        position = position.play(position.turn[0], lots.choice(thought_of(GAME, position)))
    return position


def thought_of(game: Game, position: Position) -> list[str]:
    """The moves that the search looks at."""
    assert game.mind.candidates
    return list(game.mind.candidates(position, position.turn[0], Random(1)))


def winner(game: Game, position: Position) -> Seat:
    """Who wins if nobody errs, by plain minimax."""
    if not position.turn:
        found = results(position, game.mind)
        return found.index(max(found)) + 1
    seat = position.turn[0]
    found = {winner(game, position.play(seat, move)) for move in thought_of(game, position)}
    return seat if seat in found else found.pop()


@pytest.mark.parametrize("seed", [str(number) for number in range(8)])
def test_who_is_found_to_win_for_certain_does_and_the_first_move_wins(seed: str) -> None:
    position = late(seed)
    assert position.turn
    search, seat = Search(position, GAME.mind, Random(seed)), position.turn[0]
    assert search.run(8 * PROVING).proved == winner(GAME, position)
    assert search.root.visits < 8 * PROVING, "it ends when everything is known"
    if search.root.proved == seat:
        assert winner(GAME, position.play(seat, search.best()[0].move)) == seat


def test_a_short_search_looks_for_no_proof() -> None:
    search = Search(late("1"), GAME.mind, Random(1))
    assert search.run(PROVING - 1).proved == 0 and not any(child.proved for child in search.root.children)
