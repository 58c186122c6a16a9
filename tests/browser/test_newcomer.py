"""Somebody who has never played, on a phone: from /play by a friend and the pad to a first legal move."""

from __future__ import annotations

from pathlib import Path

from tests.browser import newcomer
from tests.browser.page import needed
from tests.browser.served_bot import opened

MOST_TAPS = 13
MOST_ALONE = 12
"""Where nobody has to be found and nobody has to accept."""
MOST_QUICK = 6
"""Where nothing has to be chosen."""


async def test_a_first_legal_move_takes_a_few_taps(tmp_path: Path) -> None:
    async with opened(needed(), tmp_path) as stage:
        trip = await newcomer.went(stage, "with a friend", tmp_path / "pictures")
    assert trip.taps <= MOST_TAPS and trip.typed == len("/play"), trip
    assert len([*(tmp_path / "pictures").glob("*.png")]) >= 8


async def test_a_first_legal_move_against_the_computer_takes_fewer(tmp_path: Path) -> None:
    async with opened(needed(), tmp_path) as stage:
        trip = await newcomer.went(stage, "against the computer", tmp_path / "pictures")
    print(trip)
    assert trip.taps <= MOST_ALONE and trip.typed == len("/play"), trip
    assert len([*(tmp_path / "pictures").glob("*.png")]) >= 8


async def test_a_first_legal_move_in_direct_messages_takes_two_more(tmp_path: Path) -> None:
    """Two taps open them for the first time."""
    async with opened(needed(), tmp_path) as stage:
        trip = await newcomer.went(stage, "in direct messages", tmp_path / "pictures")
    print(trip)
    assert trip.taps <= MOST_QUICK + 2 and trip.typed == len("/play"), trip


async def test_a_first_legal_move_of_a_quick_game_takes_six(tmp_path: Path) -> None:
    async with opened(needed(), tmp_path) as stage:
        trip = await newcomer.went(stage, "a quick game", tmp_path / "pictures")
    print(trip)
    assert trip.taps <= MOST_QUICK and trip.typed == len("/play"), trip
