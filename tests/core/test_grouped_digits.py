"""What explains a score groups the digits of long numbers as the board does."""

from __future__ import annotations

import re

import pytest

from bot.games.catalogue import load_games
from bot.games.game import Game
from bot.games.legs import make_two_legged
from bot.play.match import Match
from tests.contract.playing import records

UNGROUPED = re.compile(r"(?<![0-9])(?=[01]*[2-9])[0-9]{4,}")
"""Four digits or more without gaps; noughts and ones alone are lists, and no number."""


@pytest.mark.parametrize("game", load_games().values(), ids=lambda game: game.key)
def test_the_working_groups_long_numbers(game: Game) -> None:
    for one in records(game):
        match = Match.start(game, one.get("options", {}), one["seats"])
        for seat, move in one["moves"]:
            match = match.enter(seat, move)
        assert not [line for line in match.position.working() if UNGROUPED.search(line)]


def test_the_sums_of_two_legs_group_long_numbers() -> None:
    match = Match.start(make_two_legged(load_games()["binary-primes"]), {"size": 5}, 2)
    while not match.is_over:
        seat = match.turn[0]
        match = match.play(seat, next(match.position.moves(seat)))
    sums = match.position.working()[-2:]
    assert all(" + " in line for line in sums) and not [line for line in sums if UNGROUPED.search(line)]
    assert max(match.scores) > 999
