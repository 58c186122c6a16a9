"""Closing the ranks where some have left: places are those that ranking the others from the start would give."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from bot.platform.members import RankedUser, close_ranks, exclude_departed
from bot.play.ids import UserId

Valued = Sequence[tuple[int, int | None]]
"""People with what they are ordered by; None for those who have no place."""
LISTS = st.lists(st.none() | st.integers(0, 6), max_size=30).map(lambda values: [*enumerate(values, 1)])


def ranked(people: Valued) -> tuple[RankedUser, ...]:
    """People in order, each behind all who are better, and those without a place at the end."""
    placed = sorted(((user, value) for user, value in people if value is not None), key=lambda one: -one[1])
    lines = [RankedUser(UserId(user), 1 + sum(other > value for _, other in placed)) for user, value in placed]
    return *lines, *(RankedUser(UserId(user), None) for user, value in people if value is None)


@given(LISTS, st.frozensets(st.integers(1, 40)))
def test_those_who_remain_stand_as_if_the_others_had_never_been_there(people: Valued, left: frozenset[int]) -> None:
    gone = {UserId(user) for user in left}
    here = [one for one in people if one[0] not in left]
    assert close_ranks(ranked(people), gone) == ranked(here)
    assert [one.user for one in exclude_departed(ranked(people), gone)] == [one.user for one in ranked(here)]


@given(LISTS, st.frozensets(st.integers(1, 40)))
def test_whoever_comes_back_stands_where_they_stood(people: Valued, left: frozenset[int]) -> None:
    before = ranked(people)
    close_ranks(before, {UserId(user) for user in left})
    assert close_ranks(before, ()) == before
    assert close_ranks(close_ranks(before, {UserId(one) for one in left}), {UserId(1)}) == close_ranks(
        before, {UserId(one) for one in left | {1}}
    ), "it makes no difference when each is known to have left"
