"""Thinking gives equal answers to equal questions in any process: legal, bounded, and right about who has left."""

from __future__ import annotations

import os
import subprocess
import sys
from contextlib import suppress
from random import Random

import pytest

from bot.engine import search
from bot.engine.exact import ExactSolver, SearchTooLarge, can_be_solved, compute_margins, compute_results, solve_moves
from bot.engine.levels import compute_divisor, make_budget
from bot.engine.search import TreeSearch, think
from bot.games.catalogue import load_games
from bot.games.game import Game
from bot.games.mind import Budget, Mind
from bot.games.position import Position
from tests.search.moments import BUDGET, answers, several, small, thought, walked
from tests.support.skips import ROOT

EVERY = list(load_games().values())


def key(game: Game) -> str:
    return game.key


@pytest.mark.long
def test_equal_questions_have_equal_answers_in_any_process() -> None:
    """Sets and dictionaries stand in another order there."""
    told = subprocess.run(
        [sys.executable, "-m", "tests.search.moments"],
        cwd=ROOT,
        env={**os.environ, "PYTHONHASHSEED": "4711"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert told.returncode == 0, told.stderr
    assert told.stdout.splitlines() == list(answers())


@pytest.mark.parametrize("game", EVERY, ids=key)
def test_every_game_can_be_thought_about(game: Game) -> None:
    for seats in sorted({2, several(game)}):
        for match in walked(game, seats):
            position, seat = match.position, match.turn[0]
            if position.open_to(seat):
                assert game.mind.candidates or game.mind.ponder, f"{game.key} names no moves for the computer"
            found = think(position.seen_by(seat), seat, game.mind, BUDGET, "1")
            assert match.play(seat, found.move)
            assert found.move == found.table[0].move
            assert 0 <= found.chance <= 1


@pytest.mark.parametrize("game", EVERY, ids=key)
def test_a_mind_knows_what_its_game_counts(game: Game) -> None:
    assert game.mind.lowest_wins == game.lowest_wins
    assert compute_divisor(game, small(game).position) >= 1


@pytest.mark.parametrize("game", [game for game in EVERY if game.seats[-1] > 2 and not game.mind.ponder], ids=key)
def test_who_has_left_neither_moves_nor_wins(game: Game) -> None:
    match = small(game, 3).withdraw(2)
    position, mind = match.position, game.mind
    search = TreeSearch(position, mind, Random(1))
    root = search.run(40)
    nodes = [root]
    while nodes:
        node = nodes.pop()
        assert node.seat != 2
        nodes += node.children
        if not node.position.turn:
            found = compute_results(node.position, mind)
            assert compute_margins(found)[1] == min(compute_margins(found)) and found[1] <= min(found)
    assert root.wins[1] == 0


@pytest.mark.parametrize("game", [game for game in EVERY if not game.mind.ponder], ids=key)
def test_a_search_is_bounded_in_playouts_and_nodes(game: Game) -> None:
    position = small(game).position
    root = TreeSearch(position, game.mind, Random(1)).run(25)
    assert root.visits <= 25
    if can_be_solved(position, game.mind):
        solver = ExactSolver(game.mind, 150, Random(1))
        with suppress(SearchTooLarge):
            solver.solve_value(position)
        assert -1 <= solver.left < 150 and len(solver.table) <= 150


def test_the_moves_of_a_playout_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """A playout without end ends there, and counts what has been reached."""
    monkeypatch.setattr(search, "LONGEST", 3)
    played: list[str] = []
    position = small(load_games()["plexus"]).position
    play = type(position).play

    def counted(self: Position, seat: int, move: str) -> Position:
        played.append(move)
        return play(self, seat, move)

    monkeypatch.setattr(type(position), "play", counted)
    TreeSearch(position, Mind(), Random(1)).run(10)
    assert 10 < len(played) <= 10 * (1 + 3)


def test_the_only_move_is_found_without_a_long_search() -> None:
    game = load_games()["another-binary-primes"]
    position = next(
        match.position for match in reversed(walked(game)) if len(list(match.position.moves(match.turn[0]))) > 1
    )
    seat = position.turn[0]
    (only, *_) = position.moves(seat)
    mind = Mind(candidates=lambda at, seat, rng: [only] if at == position else list(at.moves(seat)))
    assert TreeSearch(position, mind, Random(1)).run(500).visits == search.FORCED
    assert think(position, seat, mind, Budget(500, 0), "1").move == only


def test_results_beyond_what_floats_hold_are_thought_about() -> None:
    """Products grow without bound; nothing may overflow, and who is ahead stays so."""
    game = load_games()["plexus"]
    position = small(game).position
    huge = 10**400

    def rollout(at: Position, rng: object) -> tuple[int, int]:
        return (3 * huge, huge) if len(list(at.moves(2))) % 2 else (huge, 2 * huge)

    for trust in (0.0, 0.5):
        found = think(position, 1, Mind(rollout=rollout, trust=trust), Budget(30, 0), "1")
        assert abs(found.value) <= 1e300 and 0 <= found.chance <= 1


def test_a_hopeless_match_is_not_tried_to_be_solved() -> None:
    """It would take all the nodes and say nothing: on a large board none is spent."""
    game = load_games()["binary-primes"]
    position = game.start(game.configure({"size": 7}, 2), 2)
    solver = ExactSolver(game.mind, 20_000, Random(1))
    assert solve_moves(solver, position) is None
    assert solver.left == 20_000


def test_thoughts_differ_with_the_seed_where_little_is_looked_at() -> None:
    game = load_games()["sum-of-products"]
    position = game.start(game.configure({}, 2), 2)
    assert len({repr(thought(game, position, str(seed))) for seed in range(10)}) > 1


def test_with_six_seats_combining_is_thought_about_as_long_as_with_two() -> None:
    """A playout takes longer there, so fewer are made."""
    game = load_games()["combining-dividing"]
    two, six = (game.start(game.configure({}, seats), seats) for seats in (2, 6))
    assert (
        2 * make_budget(game, two, 6).playouts
        > 3 * make_budget(game, six, 6).playouts
        > make_budget(game, two, 6).playouts
    )
