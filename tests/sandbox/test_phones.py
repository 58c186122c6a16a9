"""What people's phones know and show: whom they can name, and the pushes that a message leads to."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import aiohttp
import discord
import pytest

from bot.sandbox.components import SILENT, V2
from bot.sandbox.errors import Json
from bot.sandbox.interactions import NoAnswerInTime
from bot.sandbox.people import Person
from bot.sandbox.stand_in import Sandbox
from tests.sandbox.minibot import Api, MiniBot
from tests.sandbox.test_page import Tab, tab

NOBODY: Json = {"allowed_mentions": {"parse": []}}


@pytest.fixture
def cem(sandbox: Sandbox) -> Person:
    return sandbox.person("Cem")


@pytest.fixture
def dora(sandbox: Sandbox) -> Person:
    return sandbox.person("Dora")


@pytest.fixture
async def web() -> AsyncIterator[aiohttp.ClientSession]:
    async with aiohttp.ClientSession() as session:
        yield session


async def post(api: Api, content: str, channel: str = "general", /, **body: Any) -> Json:
    """Let the bot post a message."""
    place = api.sandbox.channel(channel)["id"]
    status, message = await api("POST", f"/channels/{place}/messages", {"content": content, **body})
    assert status == 200, message
    return message


async def edit(api: Api, message: Json, **body: Any) -> Json:
    """Let the bot edit a message."""
    status, edited = await api("PATCH", f"/channels/{message['channel_id']}/messages/{message['id']}", body)
    assert status == 200, edited
    return edited


def telling(*people: Person) -> Json:
    """A body that lets the mentions of some people through."""
    return {"allowed_mentions": {"parse": [], "users": [one.id for one in people]}}


def names(users: list[Json]) -> list[str]:
    return sorted(user["global_name"] or user["username"] for user in users)


async def met(one: Tab) -> list[str]:
    """Whom a tab that has just been opened can name."""
    return names((await one.until(t="hello"))["met"])


# --- whom a message brings along


async def test_an_edit_mentions_those_whom_it_lets_through_itself(api: Api, ann: Person, bea: Person) -> None:
    text = f"{ann.mention} and {bea.mention}"
    message = await post(api, text, **telling(bea))
    assert names(message["mentions"]) == ["Bea"]
    assert names((await edit(api, message, content=text, **telling(ann)))["mentions"]) == ["Ann"]
    assert (await edit(api, message, content=text, **NOBODY))["mentions"] == []
    assert names((await edit(api, message, content=text))["mentions"]) == ["Ann", "Bea"], "nothing narrows it"


async def test_allowed_mentions_that_say_nothing_let_nobody_through(api: Api, ann: Person, bea: Person) -> None:
    said = bea.say("Who plays?")
    answer = {"message_reference": {"message_id": said["id"]}}
    assert names((await post(api, ann.mention, **answer))["mentions"]) == ["Ann", "Bea"]
    assert (await post(api, ann.mention, allowed_mentions={}, **answer))["mentions"] == []


async def test_what_stands_in_code_mentions_nobody(api: Api, ann: Person, bea: Person) -> None:
    text = f"`{ann.mention}` ```\n{ann.mention}\n``` ` {bea.mention}"
    assert names((await post(api, text))["mentions"]) == ["Bea"]


async def test_the_gateway_tells_whom_a_message_mentions_narrowed(sandbox: Sandbox, api: Api) -> None:
    ann, bea = sandbox.person("Ann"), sandbox.person("Bea")
    async with aiohttp.ClientSession() as session, session.ws_connect(sandbox.gateway_url) as socket:
        await socket.send_json({"op": 2, "d": {"token": sandbox.token, "intents": 1 | 1 << 9}})
        while (await socket.receive_json())["t"] != "GUILD_CREATE":
            pass
        message = await post(api, f"{ann.mention} {bea.mention}", **telling(bea))
        await edit(api, message, content=f"{ann.mention} {bea.mention}", **NOBODY)
        told = [await socket.receive_json() for _ in range(2)]
    assert [one["t"] for one in told] == ["MESSAGE_CREATE", "MESSAGE_UPDATE"]
    assert [names(one["d"]["mentions"]) for one in told] == [["Bea"], []]


# --- whom a tab can name


async def test_a_tab_knows_nobody_but_its_own_person_at_first(
    web: aiohttp.ClientSession, sandbox: Sandbox, ann: Person
) -> None:
    one = await tab(web, sandbox, ann)
    hello = await one.until(t="hello")
    assert names(hello["met"]) == ["Ann"]
    assert names(hello["people"]) == ["Ann", "Bea", "Cem", "Dora", "graph-paper"], "from these its pickers choose"


async def test_a_tab_knows_those_who_came_along_with_the_messages_that_it_loads(
    web: aiohttp.ClientSession, sandbox: Sandbox, api: Api, ann: Person, bea: Person, cem: Person, dora: Person
) -> None:
    message = await post(api, f"{cem.mention} {dora.mention}", **telling(cem))
    bea.say("hello", "games")
    assert await met(await tab(web, sandbox, ann)) == ["Ann", "Bea", "Cem", "graph-paper"]
    await edit(api, message, content=f"{cem.mention} {dora.mention}", **telling(dora))
    assert await met(await tab(web, sandbox, ann)) == ["Ann", "Bea", "Dora", "graph-paper"], "as it stands now"


async def test_an_open_tab_meets_people_one_after_another_and_keeps_them(
    web: aiohttp.ClientSession, sandbox: Sandbox, api: Api, ann: Person, bea: Person, cem: Person
) -> None:
    one = await tab(web, sandbox, ann)
    await one.until(t="hello")
    message = await post(api, f"{bea.mention} {cem.mention}", **NOBODY)
    assert names((await one.until(t="message"))["met"]) == ["graph-paper"]
    await edit(api, message, content=f"{bea.mention} {cem.mention}", **telling(cem))
    assert names((await one.until(t="edit"))["met"]) == ["Cem"]
    await edit(api, message, content=f"{bea.mention} {cem.mention}", **NOBODY)
    assert (await one.until(t="edit"))["met"] == [], "nobody new"
    bea.say("Here I am.")
    assert names((await one.until(t="message"))["met"]) == ["Bea"]


async def test_what_others_alone_can_read_brings_nobody_along(
    web: aiohttp.ClientSession, sandbox: Sandbox, api: Api, ann: Person, bea: Person
) -> None:
    one = await tab(web, sandbox, bea)
    await one.until(t="hello")
    sandbox.faults.deny("games", "view_channel", who="Bea")
    ann.say("secret", "games")
    await post(api, f"{ann.mention} has played.", **NOBODY)
    assert names((await one.until(t="message"))["met"]) == ["graph-paper"]
    assert [push.text for push in sandbox.pushes_of(bea)] == ["@unknown-user has played."]


async def test_who_uses_a_command_and_who_is_picked_for_it_is_known(
    web: aiohttp.ClientSession, sandbox: Sandbox, bot: MiniBot, ann: Person, bea: Person, cem: Person, dora: Person
) -> None:
    one, other = await tab(web, sandbox, ann), await tab(web, sandbox, dora)
    for each in (one, other):
        await each.until(t="hello")
    place = sandbox.channel("games")["id"]
    await one.send(t="command", n=1, channel=place, path=["hello"], options={"who": cem.id})
    assert names((await one.until(t="met"))["met"]) == ["Cem"]
    await bea.command("show", channel="games")
    assert names((await one.until(t="message", met=[sandbox.world.users[bea.id]]))["met"]) == ["Bea"]
    assert names((await other.until(t="message"))["met"]) == ["Bea", "graph-paper"], "Dora has picked nobody"


# --- pushes


async def test_whom_a_message_mentions_is_pushed_its_content_with_names(
    sandbox: Sandbox, api: Api, ann: Person, bea: Person, cem: Person
) -> None:
    games = sandbox.channel("games")["id"]
    await post(
        api, f"{bea.mention}, it's your move in <#{games}>: {ann.mention} played **b2**.", "games", **telling(bea)
    )
    (push,) = sandbox.pushes_of(bea)
    assert push[:4] == (
        "games", "#games, The Sandbox", "@Bea, it's your move in #games: @unknown-user played **b2**.", False
    )  # fmt: skip
    assert push.mentioned and push.author == "graph-paper"
    assert sandbox.pushes_of(ann) == sandbox.pushes_of("Cem") == []


async def test_a_push_names_those_whom_the_phone_has_met(sandbox: Sandbox, api: Api, ann: Person, bea: Person) -> None:
    ann.say("Shall we play?", "games")
    await post(api, f"{bea.mention}: {ann.mention} played.", **telling(bea))
    assert [push.text for push in sandbox.pushes_of(bea)] == ["Shall we play?", "@Bea: @Ann played."]


async def test_a_message_that_mentions_nobody_notifies_everybody_but_its_author(
    sandbox: Sandbox, api: Api, ann: Person, bea: Person, cem: Person, dora: Person
) -> None:
    """The usual setting of a small server is "All Messages"."""
    sandbox.faults.deny("games", "view_channel", who="Cem")
    await post(api, "The week is over.", "games")
    ann.say("Hello.", "games")
    assert [[push.text for push in sandbox.pushes_of(one)] for one in (ann, bea, cem, dora)] == [
        ["The week is over."], ["The week is over.", "Hello."], [], ["The week is over.", "Hello."],
    ]  # fmt: skip
    assert not any(push.mentioned for push in sandbox.pushes_of(bea))
    assert sandbox.count_notifications("Bea") == 0, "it tells nobody in particular"
    await post(api, f"{sandbox.person(sandbox.world.me).mention} mentions itself.", "games")
    assert len(sandbox.pushes_of(dora)) == 2


async def test_in_a_thread_only_its_members_are_notified(
    sandbox: Sandbox, bot: MiniBot, ann: Person, bea: Person
) -> None:
    games = next(one for one in bot.guilds[0].text_channels if one.name == "games")
    challenge = await games.send("A challenge.", silent=True)
    thread = await challenge.create_thread(name="Ann v Bea")
    await thread.send("It begins.")
    ann.say("I am here.", "Ann v Bea")
    await thread.send("It goes on.")
    assert [push[:3] for push in sandbox.pushes_of(ann)] == [("Ann v Bea", "Ann v Bea, The Sandbox", "It goes on.")]
    assert sandbox.pushes_of(bea) == []


async def test_a_silent_message_is_pushed_to_nobody(sandbox: Sandbox, api: Api, ann: Person, bea: Person) -> None:
    await post(api, f"{bea.mention}, in silence.", flags=SILENT, **telling(bea))
    await post(api, "The table.", flags=SILENT)
    assert sandbox.pushes_of(bea) == [] and sandbox.count_notifications("Bea") == 0
    came = sandbox.pushes_of(bea, silent=True)
    assert [(push.text, push.silent, push.mentioned) for push in came] == [
        ("@Bea, in silence.", True, True), ("The table.", True, False),
    ]  # fmt: skip
    assert [push.text for push in sandbox.pushes_of(ann, silent=True)] == ["The table."]


async def test_the_push_of_a_message_of_components_is_empty(sandbox: Sandbox, api: Api, bea: Person) -> None:
    place = sandbox.channel("general")["id"]
    body = {"flags": V2, "components": [{"type": 10, "content": f"{bea.mention} is to move."}], **telling(bea)}
    _, message = await api("POST", f"/channels/{place}/messages", body)
    assert [(push.title, push.text) for push in sandbox.pushes_of(bea)] == [("#general, The Sandbox", "")]
    await edit(api, message, components=body["components"], **telling(bea))
    assert len(sandbox.pushes_of(bea)) == 1, "an edit makes no sound"


async def test_an_edit_changes_no_push(sandbox: Sandbox, api: Api, bea: Person) -> None:
    message = await post(api, f"{bea.mention}, it's your move.", **telling(bea))
    await edit(api, message, content="It was your move.", **NOBODY)
    assert [push.text for push in sandbox.pushes_of(bea)] == ["@Bea, it's your move."]


async def test_answers_to_one_person_and_lines_of_discords_own_are_pushed_to_nobody(
    sandbox: Sandbox, bot: MiniBot, ann: Person, bea: Person
) -> None:
    await ann.command("hello", channel="games", who=bea)
    games = next(one for one in bot.guilds[0].text_channels if one.name == "games")
    await games.create_thread(name="open", type=discord.ChannelType.public_thread)
    assert bea.read_messages("games")[-1]["content"] == "open"
    assert sandbox.pushes_of(bea, silent=True) == []


async def test_direct_messages_are_pushed_under_the_name_of_the_app(sandbox: Sandbox, api: Api, bea: Person) -> None:
    _, mailbox = await api("POST", "/users/@me/channels", {"recipient_id": bea.id})
    await api("POST", f"/channels/{mailbox['id']}/messages", {"content": "It is your move."})
    (push,) = sandbox.pushes_of(bea)
    assert push[:3] == ("graph-paper", "graph-paper", "It is your move.") and push.mentioned


async def test_a_tab_shows_the_last_twenty_pushes_and_counts_all(
    web: aiohttp.ClientSession, sandbox: Sandbox, api: Api, bea: Person
) -> None:
    for number in range(25):
        await post(api, f"{bea.mention}, number {number}.", **telling(bea))
    one = await tab(web, sandbox, bea)
    hello = await one.until(t="hello")
    assert [push["text"] for push in hello["pushes"]] == [f"@Bea, number {number}." for number in range(5, 25)]
    assert hello["rung"] == 25
    await post(api, f"{bea.mention}, in silence.", flags=SILENT, **telling(bea))
    await post(api, f"{bea.mention}, aloud.", "games", **telling(bea))
    frame = await one.until(t="push")
    assert (frame["push"]["title"], frame["push"]["text"], frame["rung"]) == ("#games, The Sandbox", "@Bea, aloud.", 26)


async def test_a_crowd_can_be_without_phones(bea: Person) -> None:
    async with Sandbox(phones=False) as sandbox:
        sandbox.person("Ann").say("Hello.")
        assert sandbox.pushes_of("Bea") == []


async def test_whom_somebody_has_picked_in_vain_is_known_all_the_same(
    sandbox: Sandbox, api: Api, ann: Person, bea: Person, cem: Person
) -> None:
    select = {"type": 5, "custom_id": "whom"}
    message = await post(api, "Whom?", components=[{"type": 1, "components": [select]}])
    sandbox.interactions.answer_seconds = 0.01
    with pytest.raises(NoAnswerInTime):
        await ann.press(message, "whom", [cem])
    await post(api, f"{ann.mention}: {cem.mention} and {bea.mention}", **telling(ann))
    assert sandbox.pushes_of(ann)[-1].text == "@Ann: @Cem and @unknown-user"
