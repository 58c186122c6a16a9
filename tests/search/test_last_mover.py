"""Games that are won by whoever moves last, in which only some moves are worth a thought: who wins among these moves is
found, and a loss is no reason to give up."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from bot.engine.exact import ExactSolver, SearchTooLarge, compute_results
from bot.engine.search import think
from bot.games.catalogue import load_games
from bot.games.game import Game
from bot.games.mind import Budget
from bot.games.position import Position, Seat
from bot.host.solve import TimedSolver, solve_match
from bot.play.match import Match

GAME = load_games()["not-divisors-not-multiples"]
LEFT = 5
"""So many squares are left where everything that may follow is looked at."""
NODES = 20_000
SEEDS = [str(number) for number in range(8)]


def late(seed: str) -> Match:
    """A match on the smallest board, played by lot until little is left."""
    rng, match = Random(seed), Match.start(GAME, {"size": 3}, 2)
    while GAME.mind.effort(match.position) > LEFT and not match.is_over:
        match = match.play(match.turn[0], rng.choice(thought_of(GAME, match.position)))
    return match


def thought_of(game: Game, position: Position) -> list[str]:
    """The moves that the search looks at."""
    assert game.mind.candidates
    return list(game.mind.candidates(position, position.turn[0], Random(1)))


def winner(game: Game, position: Position) -> Seat:
    """Who wins if nobody errs, by plain minimax."""
    if not position.turn:
        found = compute_results(position, game.mind)
        return found.index(max(found)) + 1
    seat = position.turn[0]
    found = {winner(game, position.play(seat, move)) for move in thought_of(game, position)}
    return seat if seat in found else found.pop()


@pytest.mark.parametrize("seed", SEEDS)
def test_a_win_is_found_and_played_but_not_called_certain(seed: str) -> None:
    position = late(seed).position
    seat = position.turn[0]
    found = think(position, seat, GAME.mind, Budget(60, NODES), seed)
    after = position.play(seat, found.move)
    if winner(GAME, position) == seat:
        assert winner(GAME, after) == seat
        assert (found.value, found.chance, found.exact) == (1, 1, not after.turn)
    else:
        assert found.chance < 1 and sum(line.visits for line in found.table) > len(found.table), "it was searched"


def test_both_happen() -> None:
    positions = [late(seed).position for seed in SEEDS]
    assert {winner(GAME, position) == position.turn[0] for position in positions} == {True, False}


@pytest.mark.parametrize("seed", SEEDS)
def test_that_somebody_wins_by_one_and_leaves_no_room_saves_nodes_and_changes_nothing(seed: str) -> None:
    position = late(seed).position
    quick = ExactSolver(GAME.mind, NODES, Random(seed))
    plain = ExactSolver(replace(GAME.mind, open_places=None, complete=True), NODES, Random(seed))
    assert quick.solve_value(position) == plain.solve_value(position) == (1 if winner(GAME, position) == 1 else -1)
    assert (NODES - quick.left) // quick.price <= NODES - plain.left


@pytest.mark.parametrize("seed", SEEDS[:3])
def test_a_host_who_asks_is_told_who_wins_and_that_it_is_not_certain(seed: str) -> None:
    match = late(seed)
    found = solve_match(match, None, NODES, 60.0, lambda: 0.0)
    assert found["value"] == (1 if winner(GAME, match.position) == 1 else -1)
    assert not found["exact"] and len(found["best"]) == 1 and not found["loses"]


def test_seconds_end_it_whatever_the_nodes() -> None:
    solver = TimedSolver(GAME.mind, 1_001, Random(1), lambda: True)
    with pytest.raises(SearchTooLarge):
        solver.solve_value(Match.start(GAME, {"size": 4}, 2).position)
    assert solver.left == 0, "nodes have run out first"


def test_several_seats_are_searched() -> None:
    position = GAME.start(GAME.configure({"size": 3}, 3), 3)
    assert think(position, 1, GAME.mind, Budget(20, NODES), "1").nodes == 0
