"""The gate's parts: how fast one person may act, which texts and which match an interaction brings."""

from __future__ import annotations

from typing import Any

import pytest

from bot.client.gate import ACTS_IN_A_ROW, ACTS_PER_SECOND, ASKERS, Rate, named_match, texts


class Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


def rate(clock: Clock) -> Rate:
    return Rate(ACTS_IN_A_ROW, ACTS_PER_SECOND, clock)


def test_a_burst_then_a_pace() -> None:
    clock = Clock()
    acts = rate(clock)
    assert [acts.take(1) for _ in range(22)] == [True] * 20 + [False] * 2
    clock.now += 0.49
    assert not acts.take(1)
    clock.now += 0.02
    assert [acts.take(1), acts.take(1)] == [True, False]
    clock.now += 3600
    assert [acts.take(1) for _ in range(21)] == [True] * 20 + [False]


def test_asking_in_vain_does_not_make_it_longer() -> None:
    clock = Clock()
    acts = rate(clock)
    for _ in range(20):
        acts.take(1)
    for _ in range(9):
        clock.now += 0.05
        assert not acts.take(1)
    clock.now += 0.06
    assert acts.take(1)


def test_everybody_has_a_bucket_of_their_own() -> None:
    acts = rate(Clock())
    while acts.take(1):
        pass
    assert acts.take(2)


def test_a_clock_that_goes_back_gives_nothing_away() -> None:
    clock = Clock()
    acts = rate(clock)
    for _ in range(20):
        acts.take(1)
    clock.now -= 50
    assert not acts.take(1)


def test_who_asked_longest_ago_is_forgotten() -> None:
    acts = rate(Clock())
    for _ in range(20):
        acts.take(1)
    for asker in range(2, ASKERS + 2):
        acts.take(asker)
    assert len(acts.buckets) == ASKERS
    assert 1 not in acts.buckets and 2 in acts.buckets


COMMAND: dict[str, Any] = {
    "name": "match",
    "options": [
        {
            "name": "resign",
            "type": 1,
            "options": [{"name": "reason", "type": 3, "value": "tired"}, {"name": "match", "type": 4, "value": 7}],
        }
    ],
}
FORM: dict[str, Any] = {
    "custom_id": "f:8:0:move:1",
    "components": [
        {"type": 18, "component": {"type": 3, "custom_id": "square:0", "values": ["c"]}},
        {"type": 18, "component": {"type": 4, "custom_id": "number:0", "value": "42"}},
        {"type": 10},
    ],
}


@pytest.mark.parametrize(
    ("data", "match", "written"),
    [
        (COMMAND, 7, ["tired"]),
        (FORM, 8, ["42"]),
        ({"custom_id": "m:9:3s:move", "component_type": 2}, 9, []),
        ({"custom_id": "m:x:3:move", "component_type": 2}, None, []),
        ({"name": "matches"}, None, []),
        ({"name": "play", "options": [{"name": "game", "type": 3, "value": "m:1:0:move"}]}, None, ["m:1:0:move"]),
        # While it is typed, the value of the option is a text.
        ({"name": "x", "options": [{"name": "match", "type": 4, "value": "12", "focused": True}]}, None, ["12"]),
    ],
)
def test_what_an_interaction_brings(data: dict[str, Any], match: int | None, written: list[str]) -> None:
    assert named_match(data) == match
    assert list(texts(data)) == written
