"""The levels: each looks at more than the one below, and some moves are hasty; even then the last moves are seen."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from bot.engine.levels import (
    FIRST,
    MORE,
    find_highest_level,
    make_budget,
    make_thorough_budget,
)
from bot.engine.search import GLIMPSED_NODES, think
from bot.games.catalogue import load_games
from bot.games.game import Game
from bot.games.mind import Budget, Mind
from bot.games.position import LEVELS, Position
from tests.contract.planted import MARKS
from tests.contract.playing import edge, greedy
from tests.search.moments import walked

EVERY = list(load_games().values())
SEARCHED = [game for game in EVERY if not game.mind.ponder]


def key(game: Game) -> str:
    return game.key


def begun(game: Game) -> Position:
    """A match with the options that a record has where it names none: on a small board the highest levels are one."""
    seats = max(2, game.seats[0])
    return game.start(game.configure(game.Options.complete_record({}), seats), seats)


def test_a_game_of_which_nothing_was_measured_has_all_levels() -> None:
    """A new game is a folder and nothing else: no table of the levels names it."""
    assert find_highest_level(MARKS, begun(MARKS)) == LEVELS[-1] and MARKS.mind == Mind()
    assert [make_budget(MARKS, begun(MARKS), level).playouts for level in LEVELS] == [4, 16, 64, 256, 1024, 4096]


@pytest.mark.parametrize("game", EVERY, ids=key)
def test_each_level_looks_at_more_than_the_one_below_and_only_the_first_is_always_hasty(game: Game) -> None:
    position = begun(game)
    assert find_highest_level(game, position) == LEVELS[-1]
    told = [make_budget(game, position, level) for level in LEVELS]
    assert [one.playouts for one in told] == sorted({one.playouts for one in told})
    assert [one.nodes for one in told] == sorted(one.nodes for one in told)
    hastes = [one.haste for one in told]
    if game.mind.ponder:
        assert not any(hastes)
    else:
        assert (hastes[0], hastes[-1]) == (1, 0) and all(0 < haste < 1 for haste in hastes[1:-1])
    assert not any(make_thorough_budget(game, position, level).haste for level in LEVELS)


@pytest.mark.parametrize("game", [game for game in SEARCHED if game.mind.measured.playout_effort > 1], ids=key)
def test_on_the_largest_board_less_is_tried_since_it_takes_longer(game: Game) -> None:
    position = begun(game)
    large = game.start(game.configure(greedy(game, edge(game.Options.bounds(), -1), 2), 2), 2)
    assert 2 <= make_budget(game, large, 6).playouts < make_budget(game, position, 6).playouts


@pytest.mark.parametrize("game", SEARCHED, ids=key)
def test_a_move_in_haste_is_found_by_a_glance(game: Game) -> None:
    position = walked(game)[0].position
    hasty = think(position, position.turn[0], game.mind, Budget(60, 0, haste=1.0, glance=FIRST), "1")
    assert sum(line.visits for line in hasty.table) <= FIRST
    careful = think(position, position.turn[0], game.mind, Budget(60, 0), "1")
    assert sum(line.visits for line in careful.table) > FIRST or len(careful.table) == 1


def test_whether_a_move_is_hasty_follows_from_the_seed_as_often_as_it_should() -> None:
    game = load_games()["dream-math"]
    position, allowed = begun(game), Budget(12, 0, haste=0.25, glance=FIRST)

    def hasty(seed: int) -> bool:
        return sum(line.visits for line in think(position, 1, game.mind, allowed, f"{seed}").table) <= FIRST

    found = [hasty(seed) for seed in range(200)]
    assert found == [hasty(seed) for seed in range(200)]
    assert 30 <= sum(found) <= 70


def test_even_in_haste_the_last_moves_are_seen_to_the_end() -> None:
    """From the level on that solves anything."""
    game, rng = load_games()["dream-math"], Random(1)
    position = begun(game)
    while len(left := list(position.moves(position.turn[0]))) > 3:
        position = position.play(position.turn[0], rng.choice(left))
    hasty = replace(make_budget(game, position, 3), haste=1.0)
    assert hasty.nodes >= GLIMPSED_NODES
    assert think(position, position.turn[0], game.mind, hasty, "1").exact
    assert not think(position, position.turn[0], game.mind, make_budget(game, position, 1), "1").exact


def test_moves_in_haste_may_lose_at_once_where_others_never_do() -> None:
    game = load_games()["combining-dividing"]
    assert game.mind.glimpsed and game.mind.candidates
    position = game.start(game.configure({"length": 4}, 2), 2)
    for number in (4, 9, 8, 7):
        position = position.play(position.turn[0], f"{number}")
    seat, rng = position.turn[0], Random(1)
    thought, seen = ({*find(position, seat, rng)} for find in (game.mind.candidates, game.mind.glimpsed))
    assert thought < seen
    assert all(position.play(seat, move) for move in seen)


@pytest.mark.parametrize("key", ["divisors-multiples-sequence", "combining-dividing"])
def test_where_playouts_take_longer_fewer_nodes_are_spent_too(key: str) -> None:
    """A node takes as much longer: on the largest board the same number of them took twice as long as a move may."""
    game = load_games()[key]
    usual, largest = (
        make_thorough_budget(game, game.start(game.configure(given, 2), 2), LEVELS[-1])
        for given in ({}, greedy(game, edge(game.Options.bounds(), -1), 2))
    )
    assert largest.playouts < usual.playouts and largest.nodes < usual.nodes


def test_the_highest_level_alone_looks_at_more_where_a_board_is_lighter_but_not_without_bound() -> None:
    game = load_games()["plexus"]
    usual, small, least = (game.start(game.configure({"size": size}, 2), 2) for size in (7, 5, 3))
    found = [make_thorough_budget(game, position, LEVELS[-1]) for position in (usual, small, least)]
    assert found[0].playouts * 49 // 25 == found[1].playouts and found[0].nodes * 49 // 25 == found[1].nodes
    assert (found[2].playouts, found[2].nodes) == (MORE * found[0].playouts, MORE * found[0].nodes)
    assert len({make_thorough_budget(game, position, LEVELS[-2]).playouts for position in (usual, small, least)}) == 1
