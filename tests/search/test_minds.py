"""What minds tell of their games is true: random ends are as by playing, keys join equals, candidates are legal."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from random import Random

import pytest

from bot.core.catalogue import games
from bot.core.game import Game, Position
from bot.core.mind import Mind
from bot.search.exact import Solver, TooMany, solvable
from tests.arena.rollouts import compared
from tests.contract.playing import playout, stepped
from tests.search.moments import several, small, walked

MINDED = [game for game in games().values() if not game.mind.ponder]
TOO_FAR = 5.0
"""So many standard deviations two means of the same do not differ."""
DRAWN = 120
"""How many ends are drawn either way: a rough look; the arena takes 10,000."""
NODES = 1500
BACK, STEPS, WALKS = 7, (2, 3, 4), 40
"""How many plies before the end the walks begin, how long they are, and how many."""


def key(game: Game) -> str:
    return game.key


def is_solvable(game: Game) -> bool:
    return bool(game.mind.key) and solvable(small(game).position, game.mind)


def endings(game: Game) -> Iterator[Position]:
    """Positions near the end of a small match, that are reached in many ways from one a little earlier."""
    lots = Random(game.key)
    played = list(playout(small(game), lots))
    begin = played[-min(len(played), BACK)]
    for _ in range(WALKS):
        match = begin
        for _ in range(lots.choice(STEPS)):
            match = match if match.finished else stepped(match, lots)
        yield match.position


def alone(mind: Mind) -> Mind:
    """A mind that knows nothing of what positions have in common."""
    return replace(mind, key=None)


@pytest.mark.parametrize("game", [game for game in MINDED if game.mind.rollout], ids=key)
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


@pytest.mark.parametrize("game", [game for game in MINDED if is_solvable(game)], ids=key)
def test_positions_with_one_key_are_worth_the_same(game: Game) -> None:
    """Near the end of small matches, where each is solved by itself, without a table that would join them."""
    assert game.mind.key
    groups: dict[object, dict[object, float]] = {}
    for position in endings(game):
        solver = Solver(alone(game.mind), NODES, Random(1))
        try:
            groups.setdefault(game.mind.key(position), {})[position] = solver.value(position)
        except TooMany:
            continue
    assert groups, "none of the endings was small enough to be solved"
    for same in groups.values():
        assert len(set(same.values())) == 1, same
