"""Minds describe their games truly: random ends are as by playing, keys join equals, candidates are legal."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from itertools import islice
from random import Random

import pytest

from bot.engine.exact import ExactSolver, SearchTooLarge, can_be_solved, compute_margins
from bot.games.catalogue import load_games
from bot.games.game import Game
from bot.games.mind import Mind
from bot.games.position import Position
from tests.arena.rollouts import compared
from tests.contract.playing import playout
from tests.search.moments import several, small, walked
from tests.support.sampled import sampled

MINDED = [game for game in load_games().values() if not game.mind.ponder]
TOO_FAR = 5.0
"""So many standard deviations two means of the same do not differ."""
DRAWN = 120
"""How many ends are drawn either way: a rough look; the arena takes 10,000."""
NODES, MANY, BROAD = 1000, 120, 10
"""How much may be looked at for all of them, how many positions are compared, and how many moves of each are played."""
BACK = (3, 4, 5)
"""How many plies before the end they begin."""


def key(game: Game) -> str:
    return game.key


def is_solvable(game: Game) -> bool:
    return bool(game.mind.key) and can_be_solved(small(game).position, game.mind)


def endings(game: Game, back: int) -> list[Position]:
    """Positions that can be reached near the end of a small match, as many of them in several ways."""
    begin = list(playout(small(game), Random(game.key)))[-back - 1 :][0].position
    found = {begin: None}
    for position in found_while_growing(found):
        for seat in position.turn[:1]:
            for move in islice(ExactSolver(alone(game.mind), 0, Random(1)).list_candidate_moves(position, seat), BROAD):
                found.setdefault(position.play(seat, move))
        if len(found) > MANY:
            break
    return list(found)


def found_while_growing(found: dict[Position, None]) -> Iterator[Position]:
    """What is in it, and what is added meanwhile."""
    at = 0
    while at < len(found):
        some = list(islice(found, at, None))
        yield from some
        at += len(some)


def alone(mind: Mind) -> Mind:
    """A mind that knows nothing of what positions have in common."""
    return replace(mind, key=None)


@sampled("game", [game for game in MINDED if game.mind.rollout], few=3, ids=key)
def test_random_ends_are_as_by_playing(game: Game) -> None:
    for match in walked(game)[1:2]:
        for likeness in compared(game, match.position, DRAWN, game.key):
            assert abs(likeness.deviations) < TOO_FAR, likeness
            assert 0.4 < likeness.spread < 2.5, likeness


@pytest.mark.parametrize("game", [game for game in MINDED if game.mind.candidates], ids=key)
def test_candidates_are_legal_and_never_none(game: Game) -> None:
    assert game.mind.candidates
    for seats in sorted({2, several(game)}):
        for match in walked(game, seats):
            seat = match.turn[0]
            moves = game.mind.candidates(match.position, seat, Random(1))
            assert moves and all(match.play(seat, move) for move in moves)
            assert all(match.position.read(seat, move) == move for move in moves)


@sampled("game", [game for game in MINDED if is_solvable(game)], few=5, ids=key)
def test_positions_with_one_key_are_worth_the_same(game: Game) -> None:
    """Near the end of small matches, where each is solved by itself, without a table that would join them."""
    assert game.mind.key
    for back in BACK:
        groups: dict[object, set[float]] = {}
        solver = ExactSolver(alone(game.mind), NODES, Random(1))
        with suppress(SearchTooLarge):
            for position in reversed(endings(game, back)):
                groups.setdefault(game.mind.key(position), set()).add(solver.solve_value(position))
        assert groups, "nothing was near enough to the end"
        assert all(len(same) <= 1 for same in groups.values()), groups


def test_a_key_that_joins_what_differs_is_caught() -> None:
    game = load_games()["another-binary-primes"]

    def key(position: Position) -> int:
        return len(position.turn)

    planted = replace(game, mind=replace(game.mind, key=key))
    with pytest.raises(AssertionError):
        test_positions_with_one_key_are_worth_the_same(planted)


@pytest.mark.parametrize("game", [game for game in MINDED if game.mind.settled], ids=key)
def test_what_is_settled_ends_as_with_best_play(game: Game) -> None:
    """A rollout has the same result as looking at every move, whatever its lots."""
    assert game.mind.settled and game.mind.rollout
    settled = [position for position in endings(game, 3) if position.turn and game.mind.settled(position)]
    assert settled, "nothing was near enough to the end"
    looking = replace(alone(game.mind), settled=None)
    for position in settled:
        value = ExactSolver(looking, NODES, Random(1)).solve_value(position)
        assert {compute_margins(game.mind.rollout(position, Random(lot)))[0] for lot in range(3)} == {value}


def test_what_is_settled_too_early_is_caught() -> None:
    game = load_games()["dream-math"]

    def settled(position: Position) -> bool:
        return True

    planted = replace(game, mind=replace(game.mind, settled=settled))
    with pytest.raises(AssertionError):
        test_what_is_settled_ends_as_with_best_play(planted)


@pytest.mark.parametrize("game", [game for game in MINDED if game.mind.ordered], ids=key)
def test_where_order_matters_moves_cannot_be_exchanged(game: Game) -> None:
    """Of a seat's own moves; now and then a mirror joins the two."""
    assert game.mind.key
    joined, begin = 0, walked(game)[1].position
    moves = list(begin.moves(begin.turn[0]))
    trials = [Random(lot).sample(moves, 3) for lot in range(20)]
    for one, between, other in trials:
        reached: set[object] = set()
        for order in ((one, between, other), (other, between, one)):
            position = begin
            for move in order:
                position = position.play(position.turn[0], move)
            reached.add(game.mind.key(position))
        joined += len(reached) == 1
    assert joined < len(trials) / 4
