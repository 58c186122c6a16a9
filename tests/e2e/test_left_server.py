"""Whoever has left the server stands in no list, the ranks are closed, and everything is back when they are."""

from __future__ import annotations

import asyncio
import re
from typing import Any

import pytest

from bot.client.people.members import REMEMBERED_FOR
from bot.client.people.names import plain
from bot.client.runtime.loop_time import loop_time
from bot.client.views.naming import REPLY
from bot.sandbox import Person, Reply
from tests.e2e.house import House


@pytest.fixture(autouse=True)
async def hasty(house: House) -> None:
    """Nobody is asked to slow down: what is played here in a second takes people a day."""
    house.life.client.gate.acts.buckets.clear()


def an_hour_goes_by(house: House) -> None:
    """Let what the bot heard of people be old."""
    members = house.life.client.publisher.members
    clock = members.clock
    members.clock = lambda: clock() + REMEMBERED_FOR


def leaves(house: House, *names: str) -> None:
    """People leave, an hour ago: until then nobody asks whether those are still there who have just acted."""
    for name in names:
        house.faults.leave(name)
    an_hour_goes_by(house)


def comes_back(house: House, *names: str) -> None:
    """People are back, and an hour has gone by since somebody asked."""
    for name in names:
        house.faults.join(name)
    an_hour_goes_by(house)


async def told(asker: Person, command: str, /, **options: Any) -> str:
    """What a command answers, without the marks around names."""
    reply: Reply = await asker.command(command, channel="general", **options)
    assert reply.ephemeral
    return plain(reply.text)


async def won(house: House, winner: Person, loser: Person, times: int = 3) -> None:
    """Somebody wins some matches against somebody else."""
    for _ in range(times):
        house.life.client.gate.acts.buckets.clear()
        played = await (await house.match(winner, loser)).move("b2")
        await (await played.move("a1")).move("c1")
        await house.surely(loser, "match resign", match=played.id)
        await house.settled()
    house.life.client.gate.acts.buckets.clear()


def places(text: str) -> list[tuple[str, str]]:
    """The places of a leaderboard, and whose they are."""
    return re.findall(r"^\*\*(\w+)\*\* (\w+) ·", text, re.MULTILINE)


def more(text: str) -> list[str]:
    """How many more a list says that there are."""
    return re.findall(r"([0-9]+) more\.", text)


async def crowd(house: House) -> list[Person]:
    """Ten people whom the bot has not met since it started, each with a rated match."""
    names = [f"Guest{number}" for number in range(10)]
    for name in names:
        house.sandbox.world.enrol(name)
        house.faults.join(name)
    people = [house.sandbox.person(name) for name in names]
    for one, other in zip(people[::2], people[1::2], strict=True):
        await won(house, one, other, 1)
    await house.restart()
    return people


async def test_the_leaderboard_leaves_out_who_has_left_and_closes_the_ranks(house: House) -> None:
    await won(house, house.ann, house.bea)
    await won(house, house.bea, house.cem)
    before = await told(house.dora, "leaderboard")
    assert places(before) == [("1st", "Ann"), ("2nd", "Bea"), ("3rd", "Cem")]
    of_game = await told(house.dora, "leaderboard", game="binary-primes")
    season = await told(house.dora, "leaderboard", season="this season")
    leaves(house, "Ann")
    after = await told(house.dora, "leaderboard")
    assert places(after) == [("1st", "Bea"), ("2nd", "Cem")] and "Ann" not in after and not more(after)
    for options in ({"game": "binary-primes"}, {"season": "this season"}):
        assert places(await told(house.dora, "leaderboard", **options)) == [("1st", "Bea"), ("2nd", "Cem")]
    house.life.client.gate.acts.buckets.clear()
    profile = await told(house.dora, "profile", person=house.bea)
    assert "**All games** · 1st · rating" in profile and "**Binary Primes** · 1st · rating" in profile
    assert "**All games** · 2nd · rating" in await told(house.cem, "profile")
    shown = await house.dora.press(await house.dora.command("leaderboard", channel="general"), "Show everybody")
    assert plain(shown.text) == after

    house.faults.join("Ann")
    house.life.client.gate.acts.buckets.clear()
    await house.ann.command("help", channel="general")
    assert await told(house.dora, "leaderboard") == before, "she acts again, and everything is there"
    assert await told(house.dora, "leaderboard", game="binary-primes") == of_game
    assert await told(house.dora, "leaderboard", season="this season") == season
    assert "**All games** · 2nd · rating" in await told(house.dora, "profile", person=house.bea)


async def test_those_without_a_place_are_counted_without_who_has_left(house: House) -> None:
    await crowd(house)
    before = await told(house.dora, "leaderboard")
    assert "No place yet: " in before and "Guest7 (1 match)" in before
    leaves(house, "Guest3", "Guest7")
    await won(house, house.ann, house.bea, 1)
    after = await told(house.dora, "leaderboard")
    assert "Guest3" not in after and "Guest7" not in after and "Guest9" in after and not more(after)
    comes_back(house, "Guest3", "Guest7")
    assert more(await told(house.dora, "leaderboard")) == ["2"]


async def test_a_leaderboard_of_ten_unknown_people_costs_one_question(house: House) -> None:
    await crowd(house)
    asked = house.sandbox.gateway.members_asked
    before, begun = len(asked), loop_time()
    text = await told(house.dora, "leaderboard")
    assert [len(one) for one in asked[before:]] == [10] and "<@" not in text
    assert loop_time() - begun < REPLY / 2
    assert await told(house.dora, "leaderboard") == text and len(asked) == before + 1
    leaves(house, "Guest0")
    assert "Guest0" not in await told(house.dora, "leaderboard")
    assert len(asked) == before + 2, "who has left, and what the others are called, is one question"


async def test_without_an_answer_everybody_stays_in_the_list_after_a_second(house: House) -> None:
    people = await crowd(house)
    for one in people[:2]:
        house.faults.leave(one.name)
    house.faults.hush_members()
    begun = loop_time()
    text = await told(house.dora, "leaderboard")
    assert loop_time() - begun == pytest.approx(REPLY, abs=0.2)
    assert all(one.mention in text for one in people)
    house.faults.hush_members(False)
    await asyncio.sleep(10)
    text = await told(house.dora, "leaderboard")
    assert "<@" not in text and "Guest0" not in text and "who left" not in text and "Guest2" in text


async def test_the_profile_of_somebody_who_left_is_refused_with_their_name(house: House) -> None:
    await won(house, house.ann, house.bea, 1)
    page = await house.cem.command("profile", channel="general", person=house.bea)
    leaves(house, "Bea")
    for reply in (
        await house.ann.command("profile", channel="general", person=house.bea),
        await house.cem.press(page, "Show everybody"),
    ):
        assert (reply.ephemeral, plain(reply.text)) == (True, "Bea has left this server.")
    await house.restart()
    reply = await house.ann.command("profile", channel="general", person=house.bea)
    assert (reply.ephemeral, reply.text) == (True, "They have left this server.")
    house.faults.join("Bea")
    profile = await told(house.ann, "profile", person=house.bea)
    assert profile.startswith("### Bea\n") and "Ann against Bea" in profile, "Discord says that she is there"
