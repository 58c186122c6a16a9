"""Every puzzle is proved anew, and a hundred of them without what the computer knows; this takes minutes."""

from __future__ import annotations

from collections.abc import Hashable

import pytest

from bot.play import puzzles
from tests.puzzles.finding import EXACTLY, look, solver_of, values_of
from tests.puzzles.proofs import lines, proved, proves


@pytest.mark.timeout(900)
def test_a_hundred_puzzles_are_proved_by_plain_minimax() -> None:
    assert proved(6_000, 100).total() == 100


@pytest.mark.timeout(900)
def test_each_puzzle_is_proved_and_no_two_are_alike() -> None:
    looks = set[Hashable]()
    for line in lines():
        puzzle = puzzles.parse_puzzle(line)
        values = values_of(puzzle.position, solver_of(puzzle.game, EXACTLY))
        assert values and proves(puzzle, dict(values)), line
        looks.add((puzzle.game.key, look(puzzle.game, puzzle.position, values)))
    assert len(looks) == len(lines())
