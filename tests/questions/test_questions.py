"""What the computations behind docs/questions.md say: known counts, and small cases that are looked at by eye."""

from __future__ import annotations

import pytest

from bot.games.mind import Budget
from cogs.sum_kind_of_game.rules import SumKindOfGame, SumKindOfGameOptions
from tests.questions import cross, sum_kind, sums_grid
from tests.questions.sum_kind import ORDERS, Ordered


def test_rows_of_a_perfect_grid_are_those_whose_sums_differ() -> None:
    every = sums_grid.rows()
    assert len(every) == 2292 and (1, 3, 10) in every
    assert (1, 2, 3) not in every and (9, 10, 9) not in every, "two of its sums are equal, or beyond 27"


def test_columns_are_summed_as_rows_are() -> None:
    made = sums_grid.columns((1, 2, 10), (3, 6, 4), (9, 15, 1))
    assert made == sum(1 << one for one in (4, 12, 13, 8, 21, 23, 14, 5, 15))
    assert sums_grid.columns((1, 2, 10), (3, 6, 3), (9, 15, 1)) == 0, "13 is made twice"


def test_threes_have_nothing_in_common() -> None:
    assert [*sums_grid.together([1, 2, 4, 3])] == [(1, 2, 4)]


@pytest.mark.long
@pytest.mark.timeout(900)
def test_no_grid_of_nine_makes_all_sums_up_to_27() -> None:
    assert [*sums_grid.lines()][-1].startswith("0 grids")


@pytest.mark.parametrize(
    ("kind", "chords", "fewest"),
    [
        ("parallel", 2, 1),
        ("through the centre", 2, 1),
        ("sides of a polygon", 2, 1),
        ("sides of a polygon", 3, 0),
        ("sides of a polygon", 4, 2),
        ("sides of a polygon", 5, 4),
    ],
)
def test_the_offence_needs_so_few(kind: str, chords: int, fewest: int) -> None:
    assert [*cross.fewest(cross.KINDS[kind][chords], 8, 1000)][-1].startswith(f"{fewest}: over")


@pytest.mark.parametrize("kind", ["parallel", "through the centre"])
def test_three_chords_hold_the_offence_for_longer(kind: str) -> None:
    """Twelve segments, as `long` shows; here that five are not enough."""
    assert "none of them over" in [*cross.fewest(cross.KINDS[kind][3], 5, 1000)][-1]


@pytest.mark.long
@pytest.mark.timeout(900)
@pytest.mark.parametrize("kind", ["parallel", "through the centre"])
def test_three_chords_hold_it_for_twelve(kind: str) -> None:
    assert [*cross.fewest(cross.KINDS[kind][3], 14, 30_000)][-1].startswith("12: over")


def test_the_first_order_is_that_of_the_game() -> None:
    game = SumKindOfGame.start(SumKindOfGameOptions(size=4), 2)
    assert [*Ordered(4).numbers()] == [*game.numbers()] and next(iter(ORDERS.values())) == Ordered(4).ways
    assert [*Ordered(4, ways=(-1, 1)).numbers()][:4] == [8, 1, 7, 2]


def test_an_order_is_played_to_its_end() -> None:
    quick = Budget(playouts=2, nodes=0)
    assert sum_kind.ahead((1, 1), "1", 4, quick) == sum_kind.ahead((1, 1), "1", 4, quick)
