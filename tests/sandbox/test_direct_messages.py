"""Direct messages in the stand-in: who gets them, who sees them, and what Discord refuses."""

from __future__ import annotations

from typing import Any

import aiohttp
import discord
import pytest

from bot.sandbox.client_checks import ClientRefusal
from bot.sandbox.errors import ApiError
from bot.sandbox.gateway import make_guild_create_event
from bot.sandbox.interactions import FOLLOW_UPS, NoAnswerInTime
from bot.sandbox.people import Person
from bot.sandbox.posts import MessageDraft
from bot.sandbox.stand_in import Sandbox
from tests.sandbox.minibot import Api, MiniBot
from tests.sandbox.test_page import tab, web
from tests.support.openapi import MISSING, SPEC, complaints

__all__ = ["web"]


async def mailbox(bot: MiniBot, person: Person) -> discord.DMChannel:
    return await bot.create_dm(discord.Object(int(person.id)))


async def test_a_message_reaches_one_person_alone(sandbox: Sandbox, bot: MiniBot, ann: Person, bea: Person) -> None:
    place = await mailbox(bot, ann)
    sent = await place.send("It is your move.", nonce="1")
    assert [one["content"] for one in ann.read_direct_messages()] == ["It is your move."]
    assert bea.read_direct_messages() == [] and bea.read_messages({"id": str(place.id)}) == []
    assert (len(ann.list_notifications()), len(bea.list_notifications())) == (1, 0)
    assert (await place.send("It is your move.", nonce="1")).id == sent.id, "the same nonce is the same message"
    assert [one.id async for one in place.history()] == [sent.id]
    assert (await place.fetch_message(sent.id)).content == sent.content
    await sent.delete()
    assert ann.read_direct_messages() == []
    assert (await mailbox(bot, ann)).id == place.id
    assert str(place.id) not in {
        channel["id"] for channel in make_guild_create_event(sandbox.world, sandbox.server())["channels"]
    }


async def test_the_bot_hears_nothing_of_it_without_the_intent(
    sandbox: Sandbox, bot: MiniBot, ann: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    heard: list[tuple[str, Any]] = []
    (session,) = sandbox.gateway.sessions.values()

    def hear(event: str, data: Any) -> None:
        heard.append((event, data))

    monkeypatch.setattr(session, "dispatch", hear)
    place = await mailbox(bot, ann)
    await place.send("one")
    ann.say("two", {"id": str(place.id)})
    assert heard == []
    session.intents |= 1 << 12
    await place.send("three")
    assert [(event, data["content"], "guild_id" in data) for event, data in heard] == [
        ("MESSAGE_CREATE", "three", False)
    ]


@pytest.mark.parametrize(("way", "code"), [("closed", 50007), ("left", 50278)])
async def test_who_takes_none_gets_none(sandbox: Sandbox, bot: MiniBot, ann: Person, way: str, code: int) -> None:
    if way == "closed":
        ann.close_mailbox()
    else:
        sandbox.faults.leave("Ann")
    place = await mailbox(bot, ann)
    with pytest.raises(discord.Forbidden) as refused:
        await place.send("hello")
    assert refused.value.code == code
    assert ann.read_direct_messages() == []
    if way == "closed":
        ann.close_mailbox(False)
        await place.send("hello")
        assert len(ann.read_direct_messages()) == 1


async def test_channels_are_opened_to_people_only(sandbox: Sandbox, api: Api, ann: Person) -> None:
    status, answer = await api("POST", "/users/@me/channels", {"recipient_id": ann.id})
    assert (status, answer["type"], answer["recipients"][0]["id"]) == (200, 1, ann.id)
    for nobody in ("1" * 18, sandbox.world.me):
        status, answer = await api("POST", "/users/@me/channels", {"recipient_id": nobody})
        assert (status, answer["code"]) == (400, 50033)
    status, answer = await api("POST", "/users/@me/channels", {})
    assert (status, answer["code"]) == (400, 50035)


async def test_commands_are_offered_where_they_say_and_say_where_they_come_from(
    sandbox: Sandbox, bot: MiniBot, ann: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = await mailbox(bot, ann)
    by_name = {one["name"]: one for one in sandbox.world.commands}
    monkeypatch.setitem(by_name["hello"], "contexts", [0])
    with pytest.raises(ClientRefusal, match="no command /hello"):
        await ann.command("hello", channel={"id": str(place.id)}, who=ann)
    monkeypatch.setitem(by_name["hello"], "contexts", [0, 1])
    caught: list[Any] = []
    monkeypatch.setattr(sandbox.interactions, "send", caught.append)
    monkeypatch.setattr(sandbox.interactions, "answer_seconds", 0.01)
    for kinds, installed, owners in (
        ([0], False, {"0": "0"}), ([0, 1], True, {"0": "0", "1": ann.id}), ([1], True, {"0": "0", "1": ann.id}),
    ):  # fmt: skip
        monkeypatch.setitem(by_name["hello"], "integration_types", kinds)
        monkeypatch.setattr(sandbox.world, "installed", [ann.id] * installed)
        with pytest.raises(NoAnswerInTime):
            await ann.command("hello", channel=ann.mailbox, who=ann)
        payload = caught.pop()
        assert (payload["context"], payload["user"]["id"], payload["channel_id"]) == (1, ann.id, str(place.id))
        assert payload["authorizing_integration_owners"] == owners
        assert not payload.keys() & {"guild_id", "guild", "member", "guild_locale"}
    sandbox.faults.kick()
    with pytest.raises(NoAnswerInTime):
        await ann.command("hello", who=ann)
    assert caught.pop()["authorizing_integration_owners"] == {"1": ann.id}, "the person's own app goes along"


async def test_an_app_of_the_person_alone_may_follow_up_five_times(sandbox: Sandbox, bot: MiniBot, ann: Person) -> None:
    await ann.command("hello", who=ann)
    token = next(reversed(sandbox.world.interactions))
    sandbox.world.interactions[token]["owners"] = {"1": ann.id}
    for _ in range(FOLLOW_UPS):
        sandbox.interactions.follow_up(token, MessageDraft({"content": "more"}))
    with pytest.raises(ApiError) as refused:
        sandbox.interactions.follow_up(token, MessageDraft({"content": "more"}))
    assert refused.value.code == 40094


async def test_what_others_wrote_cannot_be_deleted(sandbox: Sandbox, bot: MiniBot, ann: Person) -> None:
    place = await mailbox(bot, ann)
    said = ann.say("hello?", {"id": str(place.id)})
    with pytest.raises(discord.Forbidden) as refused:
        await place.get_partial_message(int(said["id"])).delete()
    assert refused.value.code == 50003


@pytest.mark.skipif(not SPEC.exists(), reason=MISSING)
async def test_it_all_fits_discords_description(sandbox: Sandbox, bot: MiniBot, ann: Person) -> None:
    place = await mailbox(bot, ann)
    sent = await place.send("hello", nonce="7", allowed_mentions=discord.AllowedMentions.none())
    await bot.fetch_channel(place.id)
    assert [one async for one in place.history()]
    await sent.edit(content="changed")
    await sent.delete()
    ann.close_mailbox()
    with pytest.raises(discord.Forbidden):
        await place.send("again")
    assert len(sandbox.request_log) > 6 and complaints(sandbox.request_log) == []


async def test_mailboxes_outlive_the_sandbox(sandbox: Sandbox, bot: MiniBot, ann: Person) -> None:
    await (await mailbox(bot, ann)).send("hello")
    ann.close_mailbox()
    kept = sandbox.world.dump()
    other = Sandbox()
    other.world.load(kept)
    there = other.person("Ann")
    assert [one["content"] for one in there.read_direct_messages()] == ["hello"] and other.world.closed == [ann.id]
    del kept["private"], kept["closed"]  # as an older sandbox has left it
    Sandbox().world.load(kept)


async def test_the_page_shows_a_person_their_own(
    web: aiohttp.ClientSession, sandbox: Sandbox, bot: MiniBot, ann: Person, bea: Person
) -> None:
    one, other = await tab(web, sandbox, ann), await tab(web, sandbox, bea)
    await one.until(t="hello")
    await other.until(t="hello")
    await (await mailbox(bot, ann)).send("It is your move.")
    channel = (await one.until(t="channel"))["channel"]
    assert (channel["type"], channel["name"]) == (1, "graph-paper")
    assert (await one.until(t="message"))["message"]["content"] == "It is your move."
    await one.send(t="mailbox", n=1, closed=True)
    assert (await one.until(t="mailbox"))["closed"]
    await one.until(t="done", n=1)
    assert sandbox.world.closed == [ann.id]
    again = await tab(web, sandbox, ann)
    hello = await again.until(t="hello")
    assert hello["closed"] and hello["messages"][channel["id"]][0]["content"] == "It is your move."
    bea.say("for all", "general")
    await other.until(t="message")
    assert [frame["t"] for frame in other.seen] == ["hello", "message"]
