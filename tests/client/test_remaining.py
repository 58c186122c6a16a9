"""Closing the ranks where some have left: places are those that ranking the others from the start would give."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from bot.client.people.remaining import Ranked, closed, remaining
from bot.core.values.ids import UserId

Valued = Sequence[tuple[int, int | None]]
"""People with what they are ordered by; None for those who have no place."""
LISTS = st.lists(st.none() | st.integers(0, 6), max_size=30).map(lambda values: [*enumerate(values, 1)])


def ranked(people: Valued) -> tuple[Ranked, ...]:
    """People in order, each behind all who are better, and those without a place at the end."""
    placed = sorted(((user, value) for user, value in people if value is not None), key=lambda one: -one[1])
    lines = [Ranked(UserId(user), 1 + sum(other > value for _, other in placed)) for user, value in placed]
    return *lines, *(Ranked(UserId(user), None) for user, value in people if value is None)


@given(LISTS, st.frozensets(st.integers(1, 40)))
def test_those_who_remain_stand_as_if_the_others_had_never_been_there(people: Valued, left: frozenset[int]) -> None:
    gone = {UserId(user) for user in left}
    here = [one for one in people if one[0] not in left]
    assert closed(ranked(people), gone) == ranked(here)
    assert [one.user for one in remaining(ranked(people), gone)] == [one.user for one in ranked(here)]


@given(LISTS, st.frozensets(st.integers(1, 40)))
def test_whoever_comes_back_stands_where_they_stood(people: Valued, left: frozenset[int]) -> None:
    before = ranked(people)
    closed(before, {UserId(user) for user in left})
    assert closed(before, ()) == before
    assert closed(closed(before, {UserId(one) for one in left}), {UserId(1)}) == closed(
        before, {UserId(one) for one in left | {1}}
    ), "it makes no difference when each is known to have left"
