"""The level that suits somebody, by how their matches against the computer ended."""

from __future__ import annotations

from random import Random

import pytest

from bot.games.position import LEVELS
from bot.play import ratings
from bot.play.ratings import (
    FEWEST,
    GameLosses,
    LevelAdvice,
    LossRate,
    ResultAgainstComputer,
    advise_level,
    estimate_strength,
)


def against(level: int, won: int = 0, lost: int = 0, drawn: int = 0) -> ResultAgainstComputer:
    return ResultAgainstComputer("plexus", level, won, drawn, lost, won)


def test_nothing_is_advised_before_a_match_has_ended_without_hints() -> None:
    assert advise_level([], LEVELS) is None
    assert advise_level([ResultAgainstComputer("plexus", 3, won=4, drawn=0, lost=0, unaided=0)], LEVELS) is None


def test_a_win_with_hints_says_nothing() -> None:
    plain = [against(2, won=1, lost=2)]
    assert estimate_strength(plain) == estimate_strength(
        [*plain, ResultAgainstComputer("plexus", 5, won=9, drawn=0, lost=0, unaided=0)]
    )


def test_one_match_moves_it_by_less_than_a_level_and_many_by_more() -> None:
    assert 2 < estimate_strength([against(2, won=1)]) < 3 < estimate_strength([against(2, won=9)])
    assert 1 < estimate_strength([against(2, lost=1)]) < 2 and estimate_strength([against(2, lost=9)]) < 1
    assert estimate_strength([against(2, drawn=5)]) == 2


def test_it_stays_within_the_levels_that_are_offered() -> None:
    assert advise_level([against(3, won=40)], range(1, 4)) == LevelAdvice(3, 9, None)
    advice = advise_level([against(1, lost=40)], range(1, 4))
    assert advice and advice.level == 1 and advice.wins <= 3 and advice.next_level == 2


def losing(moves: int, points: float, by_lot: float = 2.0, first: float = 0.75) -> LossRate:
    """Somebody lost so many points a move, where moves by lot would have lost 2 and the first level 1.5."""
    return LossRate(GameLosses(moves, moves * points, moves * by_lot, points / by_lot), first)


@pytest.mark.parametrize("level", LEVELS)
def test_who_loses_as_many_points_as_a_level_is_as_strong(level: int) -> None:
    points = losing(500, 0).compute_points_at(level)
    assert points == pytest.approx(1.5 * (6 - level) / 5)  # pyright: ignore[reportUnknownMemberType]
    assert abs(estimate_strength([], losing(500, points)) - level) < 0.2
    advice = advise_level([], LEVELS, losing(500, points))
    assert advice and (advice.level, advice.loses) == (level, pytest.approx(points))  # pyright: ignore[reportUnknownMemberType]
    following = losing(500, 0).compute_points_at(level + 1) if level < LEVELS[-1] else None
    assert advice.next_loses == following


def test_few_moves_say_less_than_results_and_very_few_nothing() -> None:
    lost = [against(2, lost=6)]
    weak = estimate_strength(lost)
    assert weak < estimate_strength(lost, losing(FEWEST, 0.3)) < estimate_strength(lost, losing(400, 0.3))
    assert advise_level([], LEVELS, losing(FEWEST - 1, 0.3)) is None
    assert advise_level(lost, LEVELS, losing(FEWEST - 1, 0.3)) == advise_level(lost, LEVELS)


def test_who_loses_nothing_and_who_loses_more_than_by_lot_have_a_level_too() -> None:
    best, worst = (advise_level([], LEVELS, losing(500, points)) for points in (0.0, 4.0))
    assert best and best.level == LEVELS[-1] and best.next_loses is None
    assert worst and worst.level == LEVELS[0] and worst.loses == 4.0


@pytest.mark.parametrize("strong", [1.0, 2.5, 4.0, 5.5])
def test_who_always_plays_the_level_that_is_advised_soon_wins_half_of_the_matches(strong: float) -> None:
    """Somebody of a known strength, whose matches are drawn by lot, ends within a level of it."""
    rng, results, level = Random(f"{strong}"), list[ResultAgainstComputer](), 2
    for _ in range(60):
        won = rng.random() < ratings._compute_win_chance(strong, level)  # pyright: ignore[reportPrivateUsage]
        results.append(against(level, won=won, lost=not won))
        advice = advise_level(results, LEVELS)
        assert advice
        level = advice.level
    assert abs(estimate_strength(results) - strong) < 1
