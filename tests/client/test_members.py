"""What is heard of people in servers, and how Discord is asked: at once, in turn, and not for ever."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any, cast

import discord
import pytest

from bot.platform import members as module
from bot.platform.machine import loop_time
from bot.platform.members import ASK_WITHIN, ASKED_A_MINUTE, REMEMBERED_FOR, SILENCES, SILENT_FOR, MemberCache
from bot.platform.names import MemberName
from bot.play.ids import GuildId, UserId

HOME = GuildId(7)
PEOPLE = [UserId(10**18 + number) for number in range(250)]


class Server:
    """A server that says who is in it, after a while or never."""

    def __init__(self, there: Sequence[UserId] = PEOPLE, seconds: float = 0.0) -> None:
        self.id, self.shard_id, self.unavailable = HOME, 0, False
        self.there, self.seconds = {*there}, seconds
        self.asked: list[list[int]] = []

    async def query_members(self, *, user_ids: list[int], limit: int, cache: bool) -> list[Any]:
        """Those of some people who are here."""
        assert limit == 100 and not cache
        self.asked.append(user_ids)
        await asyncio.sleep(self.seconds)
        return [
            SimpleNamespace(id=one, display_name=f"P{one % 1000}", name="p") for one in user_ids if one in self.there
        ]


def members_of(server: Server) -> MemberCache:
    """The memory of a bot in one server."""
    client = SimpleNamespace(get_guild=lambda guild: server if guild == HOME else None)  # pyright: ignore
    return MemberCache(cast(discord.Client, client))


async def test_all_who_are_to_be_named_are_asked_about_at_once() -> None:
    server = Server(there=PEOPLE[1:])
    members = members_of(server)
    await asyncio.gather(members.learn(HOME, PEOPLE[:6]), members.learn(HOME, PEOPLE[3:10]))
    assert [len(one) for one in server.asked] == [10]
    assert members.list_names(HOME, PEOPLE[:2]) == {PEOPLE[0]: "a former member", PEOPLE[1]: "P1"}
    assert members.find_known_departed(HOME, PEOPLE) == {PEOPLE[0]}
    await members.learn(HOME, PEOPLE[:10])
    assert len(server.asked) == 1, "what was heard is remembered"


async def test_of_many_a_hundred_at_a_time() -> None:
    server = Server()
    await members_of(server).learn(HOME, PEOPLE)
    assert [len(one) for one in server.asked] == [100, 100, 50]


async def test_whoever_comes_while_an_answer_is_awaited_is_asked_about_next() -> None:
    server = Server(seconds=0.5)
    members, begun = members_of(server), loop_time()
    members.prefetch(HOME, PEOPLE[:2])
    await asyncio.sleep(0.1)
    await members.learn(HOME, PEOPLE[1:4])
    assert server.asked == [PEOPLE[:2], PEOPLE[2:4]]
    assert loop_time() - begun == pytest.approx(1.0, abs=0.01)


async def test_nobody_waits_longer_than_they_want_and_the_answer_still_counts() -> None:
    server = Server(seconds=2.0)
    members, begun = members_of(server), loop_time()
    await members.learn(HOME, PEOPLE[:1], within=1.0)
    assert loop_time() - begun == pytest.approx(1.0, abs=0.01) and members.list_names(HOME, PEOPLE[:1]) == {}
    await asyncio.sleep(1.5)
    assert members.list_names(HOME, PEOPLE[:1]) == {PEOPLE[0]: "P0"}


async def test_who_was_waited_for_in_vain_is_not_waited_for_again_at_once() -> None:
    """A list asks who has left, and its message asks what they are called: somebody waits for one of the two."""
    server = Server(seconds=2.0)
    members, begun = members_of(server), loop_time()
    for _ in range(2):
        await members.learn(HOME, PEOPLE[:2], within=1.0)
    assert loop_time() - begun == pytest.approx(1.0, abs=0.01) and server.asked == [PEOPLE[:2]]
    await members.learn(HOME, PEOPLE[1:3], within=5.0)
    assert server.asked == [PEOPLE[:2], PEOPLE[2:3]], "somebody else is asked about"
    server.seconds = 1e9
    for within in (5.0, 5.0):
        await members.learn(HOME, PEOPLE[3:4], within)
    assert len(server.asked) == 3
    await asyncio.sleep(ASK_WITHIN)
    await members.learn(HOME, PEOPLE[3:4], within=1.0)
    assert len(server.asked) == 4, "after a while they are asked about anew"
    await members.close()


async def test_where_no_answer_ever_comes_questions_stop_for_a_while() -> None:
    server = Server(seconds=1e9)
    members, begun = members_of(server), loop_time()
    for number in range(SILENCES + 3):
        await members.learn(HOME, PEOPLE[number : number + 1])
    assert len(server.asked) == SILENCES
    assert loop_time() - begun == pytest.approx(SILENCES * ASK_WITHIN, abs=0.1)
    await asyncio.sleep(SILENT_FOR)
    server.seconds = 0.0
    await members.learn(HOME, PEOPLE[:1])
    assert members.list_names(HOME, PEOPLE[:1]) == {PEOPLE[0]: "P0"}


async def test_a_shard_is_not_asked_more_than_it_bears() -> None:
    server = Server()
    members = members_of(server)
    for user in PEOPLE[: ASKED_A_MINUTE + 5]:
        await members.learn(HOME, [user], within=1.0)
    assert len(server.asked) == ASKED_A_MINUTE
    await asyncio.sleep(60)
    assert server.asked[ASKED_A_MINUTE:] == [PEOPLE[ASKED_A_MINUTE : ASKED_A_MINUTE + 5]], "they are asked in one"


async def test_a_name_is_asked_anew_after_an_hour_and_stays_where_nobody_answers() -> None:
    server = Server()
    members = members_of(server)
    members.note_member(HOME, PEOPLE[0], MemberName("Ann", "ann"))
    await asyncio.sleep(REMEMBERED_FOR - 1)
    await members.learn(HOME, PEOPLE[:1])
    assert server.asked == []
    server.seconds = 1e9
    await asyncio.sleep(1)
    await members.learn(HOME, PEOPLE[:1], within=1.0)
    assert len(server.asked) == 1 and members.list_names(HOME, PEOPLE[:1]) == {PEOPLE[0]: "Ann"}
    await members.close()


async def test_who_left_keeps_the_name_that_was_heard_and_is_back_at_their_next_act() -> None:
    server = Server(there=())
    members = members_of(server)
    members.note_member(HOME, PEOPLE[0], MemberName("Ann", "ann"))
    await asyncio.sleep(REMEMBERED_FOR)
    assert await members.find_departed(HOME, PEOPLE[:1]) == {PEOPLE[0]}
    assert members.list_names(HOME, PEOPLE[:1]) == {PEOPLE[0]: "Ann"}
    members.note_member(HOME, PEOPLE[0], MemberName("Ann", "ann"))
    assert members.find_known_departed(HOME, PEOPLE[:1]) == frozenset()


async def test_elsewhere_and_in_a_server_that_is_away_nobody_is_asked() -> None:
    server = Server()
    members = members_of(server)
    await members.learn(GuildId(8), PEOPLE[:1])
    server.unavailable = True
    await members.learn(HOME, PEOPLE[:1])
    assert server.asked == []


async def test_somebody_who_is_forgotten_has_no_name_any_more() -> None:
    members = members_of(Server())
    await members.learn(HOME, PEOPLE[:2])
    members.forget(PEOPLE[0])
    assert members.list_names(HOME, PEOPLE[:2]) == {PEOPLE[1]: "P1"}


async def test_of_many_people_the_latest_are_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "REMEMBERED", 20)
    members = members_of(Server())
    await members.learn(HOME, PEOPLE[:30])
    assert len(members.list_names(HOME, PEOPLE[:30])) == 20
