"""Which other processes serve the same servers: those that are seen to live, and none that is dead."""

from __future__ import annotations

from math import lcm

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.platform.processes import FORGET, STALE, OtherProcesses
from bot.play.ids import TIME_BITS, ShardShare

MINE = ShardShare.parse("0-3/16")
EVERY = 15.0


def share(numbers: tuple[int, int, int]) -> ShardShare:
    first, last, count = numbers
    return ShardShare(min(first, last) % count, max(min(first, last) % count, last % count), count)


SHARES = st.tuples(st.integers(0, 11), st.integers(0, 11), st.integers(1, 12)).map(share)


@given(SHARES, SHARES)
def test_shares_overlap_where_a_server_is_of_both(one: ShardShare, other: ShardShare) -> None:
    servers = [number << TIME_BITS for number in range(lcm(one.count, other.count))]
    assert one.overlaps(other) == any(one.holds(server) and other.holds(server) for server in servers)


def looks(*rows: dict[str, str], mine: ShardShare = MINE) -> tuple[OtherProcesses, float]:
    """What is known after these rows were found, one look after the other."""
    others, now = OtherProcesses("me", mine), 0.0
    for number, found in enumerate(rows):
        others = others.note_look(found, f"me {number}", now)
        now += EVERY
    return others, now - EVERY


@pytest.mark.parametrize(
    ("theirs", "ours"),
    [("0-3/16", "0-3/16"), ("3-7/16", "0-3/16"), ("0-1/8", "0-3/16"), ("0/1", "0-3/16"), ("5/16", "0/1")],
)
def test_one_who_beats_in_an_overlapping_share_is_seen_after_two_beats(theirs: str, ours: str) -> None:
    mine = ShardShare.parse(ours)
    found = [{f"process {theirs}": f"other {number}"} for number in range(4)]
    assert looks(*found[:2], mine=mine)[0].list_living_holders(EVERY) == ()
    others, now = looks(*found[:3], mine=mine)
    assert others.list_living_holders(now) == (("other", ShardShare.parse(theirs)),)
    assert others.list_living_holders(now + FORGET + 1) == (), "it has not been seen again"


@pytest.mark.parametrize("theirs", ["4-7/16", "4-7/8", "15/16"])
def test_one_with_other_servers_is_none(theirs: str) -> None:
    others, now = looks(*({f"process {theirs}": f"other {number}"} for number in range(5)))
    assert others.list_living_holders(now) == ()


def test_a_dead_process_is_none_and_its_row_goes_at_last() -> None:
    rows = {"process 0-3/16": "before 7", "process 0/1": "long ago 9", "process 4/16": "elsewhere 1"}
    others, now = looks(rows, *[rows | {"process 0-3/16": f"me {number}"} for number in range(4)])
    assert others.list_living_holders(now) == ()
    assert not others.find_stale_rows(now)
    later = others.note_look(rows | {"process 0-3/16": "me 4"}, "me 5", STALE)
    assert set(later.find_stale_rows(STALE)) == {"process 0/1", "process 4/16"}


def test_one_who_is_just_being_replaced_is_none() -> None:
    others, now = looks({"process 0-3/16": "before 7"}, {"process 0-3/16": "before 8"}, {"process 0-3/16": "me 1"})
    assert others.list_living_holders(now) == ()


def test_nonsense_is_nobody() -> None:
    others, now = looks(*({"process ²": f"x {number}", "process 3-1/2": f"y {number}"} for number in range(4)))
    assert others.list_living_holders(now) == ()
