"""What `bot solve` answers about small boards of all games is what plain minimax finds: values, best moves, losses."""

from __future__ import annotations

import pytest

from tests.search.plain import boards, refuted

FEW, MANY = 7, 100
"""How many boards are looked at whenever the tests run, and how many in all."""


def test_a_board_of_some_games_is_answered_as_plain_minimax_does() -> None:
    assert [*filter(None, map(refuted, boards(FEW)))] == []


@pytest.mark.minutes
@pytest.mark.timeout(900)
def test_a_hundred_boards_are_answered_as_plain_minimax_does() -> None:
    assert [*filter(None, map(refuted, boards(MANY)))] == []
