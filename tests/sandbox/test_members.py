"""Members who are asked for by their numbers (Request Guild Members): who is told, who is not found, and when."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from typing import Any

import aiohttp
import pytest

from bot.sandbox.errors import Json
from bot.sandbox.people import Person
from bot.sandbox.stand_in import Sandbox
from tests.sandbox.minibot import MiniBot

STRANGER = "123456789012345678"
GUILDS, MESSAGES = 1, 1 << 9
Ask = Callable[..., Coroutine[Any, Any, Json | None]]
"""Asks for members; the answer, or None where there is none within a second."""


@pytest.fixture
def intents() -> int:
    return GUILDS


@pytest.fixture
async def ask(sandbox: Sandbox, intents: int) -> AsyncIterator[Ask]:
    """A bare connection, over which anything can be asked."""
    async with aiohttp.ClientSession() as web, web.ws_connect(sandbox.gateway_url) as socket:
        await socket.send_json({"op": 2, "d": {"token": sandbox.token, "intents": intents}})

        async def heard(event: str) -> Json:
            while (frame := await socket.receive_json())["t"] != event:
                pass
            return frame["d"]

        await heard("GUILD_CREATE")

        async def asked(**data: Any) -> Json | None:
            body = {"guild_id": sandbox.world.home.id, **data}
            await socket.send_json({"op": 8, "d": body})
            try:
                return await asyncio.wait_for(heard("GUILD_MEMBERS_CHUNK"), 1.0)
            except TimeoutError:
                return None

        yield asked


def ids(told: Json | None) -> list[str]:
    assert told
    return [one["user"]["id"] for one in told["members"]]


async def test_who_is_a_member_is_told_and_who_is_none_is_not_found(
    sandbox: Sandbox, ask: Ask, ann: Person, bea: Person
) -> None:
    told = await ask(user_ids=[ann.id, STRANGER, bea.id], nonce="one")
    assert ids(told) == [ann.id, bea.id]
    assert told and told["members"][0]["user"]["global_name"] == "Ann"
    about = {key: value for key, value in told.items() if key != "members"}
    assert about == {
        "guild_id": sandbox.world.home.id, "chunk_index": 0, "chunk_count": 1, "not_found": [STRANGER], "nonce": "one",
    }  # fmt: skip
    assert ids(await ask(user_ids=bea.id)) == [bea.id], "one number needs no list"


async def test_a_hundred_are_told_at_most(sandbox: Sandbox, ask: Ask) -> None:
    world = sandbox.world
    people = [world.find_or_make_user(f"Person {number}")["id"] for number in range(150)]
    for person in people:
        sandbox.faults.join(person)
    assert ids(await ask(user_ids=people)) == people[:100]


async def test_a_limit_may_hold_for_numbers_too(sandbox: Sandbox, ask: Ask) -> None:
    """Discord's documentation wants it where names are asked for; discord.py sends 5 unless another is given."""
    everybody = [*sandbox.world.home_members]
    assert len(ids(await ask(user_ids=everybody, limit=2))) == 2
    assert len(ids(await ask(user_ids=everybody, limit=100))) == len(ids(await ask(user_ids=everybody))) == 5
    sandbox.world.strict = False
    assert len(ids(await ask(user_ids=everybody, limit=2))) == 5


@pytest.mark.parametrize(("nonce", "given"), [("x" * 32, True), ("x" * 33, False), ("é" * 17, False), ("", False)])
async def test_a_nonce_of_32_bytes_is_repeated(ask: Ask, ann: Person, nonce: str, given: bool) -> None:
    told = await ask(user_ids=[ann.id], nonce=nonce)
    assert told and told.get("nonce") == (nonce if given else None) and ("nonce" in told) == given


async def test_what_is_left_unanswered(sandbox: Sandbox, ask: Ask, ann: Person) -> None:
    club = sandbox.world.found_server("Chess club", people=("Eve",))
    assert ids(await ask(guild_id=club.id, user_ids=[ann.id, sandbox.world.me])) == [sandbox.world.me]
    sandbox.faults.kick(club)
    assert await ask(guild_id=club.id, user_ids=[ann.id]) is None, "the bot is not in it"
    assert await ask(guild_id=STRANGER, user_ids=[ann.id]) is None
    assert await ask(query="Ann", limit=1) is None, "that needs the intent for members"
    assert await ask(user_ids=[]) is None


@pytest.mark.parametrize("intents", [MESSAGES])
async def test_without_the_intent_for_servers_nobody_is_told(ask: Ask, ann: Person) -> None:
    assert await ask(user_ids=[ann.id]) is None


async def test_whoever_leaves_is_not_found_until_they_come_back(sandbox: Sandbox, ask: Ask, bea: Person) -> None:
    sandbox.moderation.set_nickname("Bea", "Queen Bea")
    told = await ask(user_ids=[bea.id])
    assert told and told["members"][0]["nick"] == "Queen Bea"
    sandbox.faults.leave("Bea")
    told = await ask(user_ids=[bea.id])
    assert told and (told["members"], told["not_found"]) == ([], [bea.id])
    sandbox.faults.join("Bea")
    told = await ask(user_ids=[bea.id])
    assert told and told["members"][0]["nick"] is None, "somebody who comes back is new"


async def test_answers_can_be_late_or_never_come(sandbox: Sandbox, bot: MiniBot, ann: Person, bea: Person) -> None:
    guild, loop = bot.guilds[0], asyncio.get_running_loop()

    async def asked(within: float) -> float:
        began = loop.time()
        found = await asyncio.wait_for(guild.query_members(user_ids=[int(ann.id), int(bea.id)], limit=100), within)
        assert [one.name for one in found] == ["ann", "bea"]
        return loop.time() - began

    assert await asked(1.0) < 0.1
    sandbox.faults.delay_members(0.9)
    assert 0.89 < await asked(2.0) < 1.0
    sandbox.faults.ignore_member_requests()
    with pytest.raises(TimeoutError):
        await asked(20.0)
    sandbox.faults.delay_members(0.0)
    assert await asked(1.0) < 0.1
    sandbox.faults.ignore_member_requests()
    sandbox.faults.clear()
    assert await asked(1.0) < 0.1


async def test_what_is_late_is_told_as_it_is_then(sandbox: Sandbox, ask: Ask, bea: Person) -> None:
    sandbox.faults.delay_members(0.5)
    asking = asyncio.create_task(ask(user_ids=[bea.id]))
    await asyncio.sleep(0.2)
    sandbox.faults.leave("Bea")
    told = await asking
    assert told and told["not_found"] == [bea.id]


async def test_requests_are_counted_answered_or_not(sandbox: Sandbox, bot: MiniBot, ann: Person, bea: Person) -> None:
    guild = bot.guilds[0]
    assert sandbox.asked_members == []
    await guild.query_members(user_ids=[int(ann.id), int(bea.id)], limit=100)
    sandbox.faults.ignore_member_requests()
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(guild.query_members(user_ids=[int(bea.id)], limit=100), 0.1)
    home = sandbox.world.home.id
    assert [(one.server, one.people) for one in sandbox.asked_members] == [(home, [ann.id, bea.id]), (home, [bea.id])]
