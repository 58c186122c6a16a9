"""The gate's parts: how fast one person may act, which texts and which match an interaction brings."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.client.interactions.context import NO_NUMBER, match_of
from bot.client.interactions.costs import (
    ACTING,
    BUTTONS,
    COMMANDS,
    FILMS,
    LOOKS,
    STEP,
    TYPED_MOVE,
    cost,
    looks,
)
from bot.client.interactions.rate_limit import (
    ACTS_IN_A_ROW,
    ACTS_PER_SECOND,
    ASKERS,
    Rate,
    named_matches,
    texts,
)
from bot.core.match.loaded_match import Refusal


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
        ({"custom_id": "r:10:3:next", "component_type": 2}, 10, []),
        ({"name": "matches"}, None, []),
        ({"name": "play", "options": [{"name": "game", "type": 3, "value": "m:1:0:move"}]}, None, ["m:1:0:move"]),
        # While it is typed, the value of the option is a text.
        ({"name": "x", "options": [{"name": "match", "type": 4, "value": "12", "focused": True}]}, None, ["12"]),
    ],
)
def test_what_an_interaction_brings(data: dict[str, Any], match: int | None, written: list[str]) -> None:
    assert [*named_matches(data, typing=True)] == ([match] if match else [])
    assert list(texts(data)) == written


JUNK = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.integers(0, 10**16).map(str),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(), inner, max_size=2),
    max_leaves=3,
)


@given(JUNK | st.integers(0, 10**16) | st.integers(0, 10**16).map(float))
def test_a_number_of_a_match_is_read_in_one_way(value: Any) -> None:
    """What the gate has let through as a match is that match to every command; anything else is refused by both."""

    def read(value: Any) -> int | None:
        try:
            return match_of(value)
        except Refusal as refusal:
            assert str(refusal) == NO_NUMBER
            return -1

    command = {
        "name": "match",
        "options": [{"name": "board", "type": 1, "options": [{"name": "match", "value": value}]}],
    }
    try:
        found = [*named_matches(command)]
    except Refusal:
        found = [-1]
    number = read(value)
    assert found == ([] if number is None else [number])
    assert number in (None, -1) or (0 <= number < 10**15 and number == float(value))


DEAR: list[tuple[dict[str, Any], float]] = [
    ({"name": "games"}, COMMANDS["games"]),
    ({"name": "play"}, COMMANDS["pick"]),
    ({"custom_id": "p:pick:", "values": ["plexus"]}, COMMANDS["pick"]),
    ({"custom_id": "p:challenge:plexus", "values": ["1"]}, COMMANDS["challenge"]),
    ({"custom_id": "p:table:plexus"}, COMMANDS["table"]),
    ({"name": "play", "options": [{"name": "game", "type": 3, "value": "plexus"}]}, COMMANDS["play"]),
    ({"name": "match", "options": [{"name": "board", "type": 1, "options": []}]}, COMMANDS["match board"]),
    ({"name": "plexus", "options": [{"name": "rules", "type": 1}]}, COMMANDS["rules"]),
    ({"name": "plexus", "options": [{"name": "move", "type": 1}]}, 1),
    ({"name": "move", "options": [{"name": "line", "type": 3, "value": "games"}]}, 1),
    ({"custom_id": "m:1:0:rules"}, BUTTONS["rules"]),
    ({"custom_id": "r:1:5:next"}, STEP),
    ({"custom_id": "r:1:5:film"}, FILMS["film"]),
    ({"custom_id": "r:1:5:show"}, FILMS["show"]),
    ({"custom_id": "m:1:0:move"}, 1),
    ({"custom_id": "p:leaderboard:"}, COMMANDS["leaderboard"]),
    ({"custom_id": "f:1:0:move:1"}, 1),
    ({"custom_id": "nonsense"}, 1),
    ({}, 1),
    ({"name": ["x"], "options": [{"type": 1}, {}]}, 1),
]


@pytest.mark.parametrize(("data", "dear"), DEAR)
def test_what_costs_the_bot_more_costs_more(data: dict[str, Any], dear: float) -> None:
    assert cost(data) == dear


def test_nothing_is_so_dear_that_it_is_refused_when_discord_delivers_it_twice() -> None:
    for dear in (*COMMANDS.values(), *BUTTONS.values(), *FILMS.values()):
        assert 2 * dear <= ACTS_IN_A_ROW


def test_typing_costs_by_what_is_typed() -> None:
    for name, dear in (("game", 1), ("match", 1), ("line", TYPED_MOVE), ("square", TYPED_MOVE)):
        options = [{"name": "x", "type": 1, "options": [{"name": name, "focused": True}, {"name": "game"}]}]
        assert cost({"name": "x", "options": options}, typing=True) == dear
    assert cost({}, typing=True) == TYPED_MOVE


def test_whoever_asks_for_what_is_dear_asks_less_often() -> None:
    clock = Clock()
    acts = rate(clock)
    dear = COMMANDS["games"]
    assert [acts.take(1, dear) for _ in range(5)] == [True] * 2 + [False] * 3
    # What is left is enough for what is cheap.
    assert acts.take(1, 1)
    clock.now += dear / ACTS_PER_SECOND
    assert acts.take(1, dear)


def test_nobody_is_remembered_whose_bucket_is_full() -> None:
    clock = Clock()
    acts = rate(clock)
    for asker in range(1000):
        acts.take(asker)
    clock.now += ACTS_IN_A_ROW / ACTS_PER_SECOND + 1
    acts.take(5000)
    assert [*acts.buckets] == [5000]


def test_who_may_change_something_is_not_in_line_with_those_who_look() -> None:
    part = {"name": "rules", "type": 1}
    seen = [{"name": "play"}, {"name": "plexus", "options": [part]}, {"custom_id": "m:1:0:board"}]
    seen += [
        {"custom_id": "r:1:0:next"},
        {"custom_id": "p:pick:"},
        {"custom_id": "p:rules:plexus"},
        {"custom_id": "p:leaderboard:"},
    ]
    assert all(looks(data) for data in seen) and looks({"name": "plexus"}, typing=True)
    acts = ["challenge", "resign", "abort", "forget", "move"]
    assert not any(looks({"name": "match", "options": [{"name": act, "type": 1}]}) for act in acts)
    assert not looks({"name": "play", "options": [{"name": "game", "type": 3, "value": "plexus"}]})
    assert not any(looks({"custom_id": f"r:1:0:{long}"}) for long in FILMS), "others would wait for a film"
    assert not looks({"custom_id": "m:1:0:accept"}) and not looks({"custom_id": "f:1:0:move:1"})
    assert not any(looks({"custom_id": f"p:{page}:plexus"}) for page in ACTING)
    assert COMMANDS.keys() >= LOOKS and not ACTING & LOOKS
