"""A table of mistakes, one a line, and what Discord answers to each: the status, the code and where the complaint is.

Where Discord's documentation says nothing, the line is as strict as what is reported, as the sandbox is.
"""

import asyncio
import io
import json
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import suppress
from typing import Any

import aiohttp
import pytest

from bot.sandbox import seed
from bot.sandbox.client_checks import ClientRefusal
from bot.sandbox.errors import ApiError, Json
from bot.sandbox.interactions import NoAnswerInTime
from bot.sandbox.stand_in import Sandbox
from tests.sandbox.minibot import PNG, Api
from tests.sandbox.test_limits import (
    button,
    command,
    container,
    embed,
    fields,
    gallery,
    label,
    modal,
    option,
    options,
    places,
    row,
    select,
    text,
    typed,
    v2,
)

INVITED = 309_237_746_688
"""The permissions in the address with which README.md lets hosts invite the bot."""


class Desk:
    """A sandbox whose rate limits hold, and bare requests to it."""

    def __init__(self, sandbox: Sandbox, api: Api) -> None:
        self.sandbox = sandbox
        self.api = api
        self.mods, self.faults = sandbox.moderation, sandbox.faults
        self.bea = sandbox.person("Bea")
        self.commands = f"/applications/{sandbox.world.me}/commands"

    def at(self, channel: str, rest: str = "messages") -> str:
        """The address of something in a channel."""
        return f"/channels/{self.sandbox.channel(channel)['id']}/{rest}".rstrip("/")

    async def post(self, body: Json, channel: str = "general") -> "Said":
        """Post a message."""
        return await self.api("POST", self.at(channel), body)

    async def thread(self, name: str = "match") -> str:
        """Start a thread in #general; gives its name."""
        await self.api("POST", self.at("general", "threads"), {"name": name, "type": 11})
        return name

    async def asked(self, name: str = "play", channel: str = "general") -> str:
        """Let Ann use a command; gives where its answer goes."""
        await self.api("PUT", self.commands, [command(name=name)])
        caught: list[Json] = []
        self.sandbox.interactions.send = caught.append
        self.sandbox.interactions.answer_seconds = 0.01
        with suppress(NoAnswerInTime):
            await self.sandbox.person("Ann").command(name, channel=channel)
        record = self.sandbox.world.interactions[caught[0]["token"]]
        record["expired"] = False
        self.sandbox.interactions.answer_seconds = 3.0
        return f"/interactions/{caught[0]['id']}/{caught[0]['token']}/callback"

    async def upload(self, sizes: list[int], body: Json | None = None) -> "Said":
        """Post a message with files of so many bytes, `0.png`, `1.png` …"""
        form = aiohttp.FormData(quote_fields=False)
        form.add_field("payload_json", json.dumps(body or {"content": "x"}))
        for index, size in enumerate(sizes):
            form.add_field(f"files[{index}]", io.BytesIO(PNG + bytes(size - len(PNG))), filename=f"{index}.png")
        headers = {"Authorization": f"Bot {self.sandbox.token}"}
        url = self.sandbox.api_url + self.at("general")
        async with self.api.session.post(url, data=form, headers=headers) as response:
            return response.status, await response.json()


Said = tuple[int, Any]
Probe = Callable[[Desk], Awaitable[Said]]


def post(body: Json, channel: str = "general") -> Probe:
    return lambda desk: desk.post(body, channel)


def sync(*commands: Json) -> Probe:
    return lambda desk: desk.api("PUT", desk.commands, [*commands])


def with_option(**changes: Any) -> Probe:
    return sync(command(options=[option(**changes)]))


def form(*items: Json, **changes: Any) -> Probe:
    async def probe(desk: Desk) -> Said:
        return await desk.api("POST", await desk.asked(), {"type": 9, "data": modal(*items, **changes)})

    return probe


def pressed(**emoji: Any) -> Json:
    return {"components": [row(button(emoji=emoji))]}


async def long_request(desk: Desk) -> Said:
    return await desk.upload([9 * 1024 * 1024] * 3)


async def large_file(desk: Desk) -> Said:
    return await desk.upload([10 * 1024 * 1024 + 1])


async def kept(desk: Desk, *keys: str) -> Said:
    """Edit a board whose picture stays, and name the file by some of its keys."""
    shown = v2(gallery(media={"url": "attachment://0.png"}))
    _, message = await desk.upload([100], shown)
    media = message["components"][0]["items"][0]["media"]
    assert message["attachments"] == []
    file = {"id": media["attachment_id"], "filename": "0.png"}
    body = shown | ({"attachments": [{key: file[key] for key in keys}]} if keys else {})
    return await desk.api("PATCH", desk.at("general", f"messages/{message['id']}"), body)


async def kept_by_id(desk: Desk) -> Said:
    return await kept(desk, "id")


async def kept_rightly(desk: Desk) -> Said:
    return await kept(desk, "id", "filename")


async def blank_thread(desk: Desk) -> Said:
    return await desk.api("POST", desk.at("general", "threads"), {"name": "  ", "type": 11})


async def blank_rename(desk: Desk) -> Said:
    return await desk.api("PATCH", desk.at(await desk.thread(), ""), {"name": " \n"})


async def odd_archiving(desk: Desk) -> Said:
    body = {"name": "match", "type": 11, "auto_archive_duration": 61}
    return await desk.api("POST", desk.at("general", "threads"), body)


async def harmful_name(desk: Desk) -> Said:
    desk.mods.filter_links("bad.example")
    return await desk.api("POST", desk.at("general", "threads"), {"name": "see BAD.example", "type": 11})


async def two_threads(desk: Desk) -> Said:
    _, message = await desk.post({"content": "x"})
    address = desk.at("general", f"messages/{message['id']}/threads")
    await desk.api("POST", address, {"name": "one"})
    return await desk.api("POST", address, {"name": "two"})


async def thread_of_forum(desk: Desk) -> Said:
    return await desk.post({"content": "x"}, "ideas")


async def thread_1001(desk: Desk) -> Said:
    await desk.thread("first")
    world = desk.sandbox.world
    first = desk.sandbox.channel("first")
    for _ in range(1000):
        made = world.new_id()
        world.channels[made] = first | {"id": made}
        world.messages[made] = {}
    return await desk.api("POST", desk.at("general", "threads"), {"name": "one more", "type": 11})


async def limited_threads(desk: Desk) -> Said:
    desk.faults.limit_threads(200.0)
    return await desk.api("POST", desk.at("general", "threads"), {"name": "match", "type": 11})


async def twelve_messages(desk: Desk) -> Said:
    said = [await desk.post({"content": str(number)}) for number in range(12)]
    assert [status for status, _ in said] == [200] * 5 + [429] * 7
    return said[-1]


async def fifty_one(desk: Desk) -> Said:
    said = [await desk.api("GET", "/users/@me") for _ in range(51)]
    assert [status for status, _ in said] == [200] * 50 + [429]
    return said[-1]


async def third_name(desk: Desk) -> Said:
    where = desk.at(await desk.thread(), "")
    said = [await desk.api("PATCH", where, {"name": f"match {number}"}) for number in range(3)]
    assert [status for status, _ in said[:2]] == [200, 200] and 590 < said[2][1]["retry_after"] <= 600
    return said[2]


async def old_edits(desk: Desk) -> Said:
    _, message = await desk.post({"content": "x"})
    desk.sandbox.world.messages[message["channel_id"]][message["id"]]["timestamp"] = "2020-01-01T00:00:00+00:00"
    where = desk.at("general", f"messages/{message['id']}")
    return [await desk.api("PATCH", where, {"content": str(number)}) for number in range(4)][-1]


async def timed_out(desk: Desk) -> Said:
    desk.mods.time_out()
    assert (await desk.api("GET", desk.at("general")))[0] == 200
    return await desk.post({"content": "x"})


async def timed_out_thread(desk: Desk) -> Said:
    desk.mods.time_out()
    return await desk.api("POST", desk.at("general", "threads"), {"name": "match", "type": 11})


async def unseen(desk: Desk) -> Said:
    desk.faults.deny("general", "view_channel")
    return await desk.post({"content": "x"})


async def silenced(desk: Desk) -> Said:
    desk.faults.deny("general", "send_messages")
    return await desk.post({"content": "x"})


async def no_pictures(desk: Desk) -> Said:
    desk.faults.deny("general", "attach_files")
    return await desk.upload([100])


async def not_invited_to_manage(desk: Desk) -> Said:
    assert seed.bits_of(seed.BOT) == INVITED
    (role,) = (one for one in desk.sandbox.world.home_guild["roles"] if one["managed"])
    assert int(role["permissions"]) == INVITED
    desk.mods.set_everyone_permissions(deny=("embed_links",))
    return await desk.post(embed())


async def voice(desk: Desk) -> Said:
    desk.faults.deny("Kitchen table", "connect")
    return await desk.post({"content": "x"}, "Kitchen table")


async def voice_history(desk: Desk) -> Said:
    desk.faults.deny("Kitchen table", "connect")
    return await desk.api("GET", desk.at("Kitchen table"))


async def private_thread(desk: Desk) -> Said:
    desk.bea.start_private_thread("secret")
    return await desk.post({"content": "x"}, "secret")


async def private_history(desk: Desk) -> Said:
    desk.bea.start_private_thread("secret")
    return await desk.api("GET", desk.at("secret"))


async def private_of_ours(desk: Desk) -> Said:
    desk.mods.set_everyone_permissions(deny=("create_private_threads",))
    return await desk.api("POST", desk.at("general", "threads"), {"name": "match", "type": 12})


async def locked_archived(desk: Desk) -> Said:
    desk.faults.archive(await desk.thread(), locked=True)
    return await desk.post({"content": "x"}, "match")


async def edited(desk: Desk, *, archived: bool, locked: bool) -> Said:
    _, message = await desk.post({"content": "x"}, await desk.thread())
    desk.sandbox.channel("match")["thread_metadata"] |= {"archived": archived, "locked": locked}
    return await desk.api("PATCH", desk.at("match", f"messages/{message['id']}"), {"content": "y"})


async def edit_archived(desk: Desk) -> Said:
    return await edited(desk, archived=True, locked=False)


async def edit_locked(desk: Desk) -> Said:
    return await edited(desk, archived=False, locked=True)


async def answer_locked(desk: Desk) -> Said:
    desk.sandbox.channel(await desk.thread())["thread_metadata"]["locked"] = True
    return await desk.api("POST", await desk.asked(channel="match"), {"type": 4, "data": {"content": "x"}})


async def slow_by_owner(desk: Desk) -> Said:
    return await desk.api("PATCH", desk.at(await desk.thread(), ""), {"rate_limit_per_user": 5})


async def add_archived(desk: Desk) -> Said:
    desk.faults.archive(await desk.thread())
    return await desk.api("PUT", desk.at("match", f"thread-members/{desk.bea.id}"))


async def gone_nonce(desk: Desk) -> Said:
    body = {"content": "x", "nonce": "7.1", "enforce_nonce": True}
    _, message = await desk.post(body)
    assert (await desk.post(body, "games"))[1]["id"] == message["id"], "the author and the nonce count, not the channel"
    await desk.api("DELETE", desk.at("general", f"messages/{message['id']}"))
    return await desk.post(body, "games")


async def not_mine(desk: Desk) -> Said:
    said = desk.bea.say("x")
    return await desk.api("PATCH", desk.at("general", f"messages/{said['id']}"), {"content": "y"})


async def system_line(desk: Desk) -> Said:
    await desk.thread()
    line = desk.bea.read_latest_message("general")
    return await desk.api("PATCH", desk.at("general", f"messages/{line['id']}"), {"content": "y"})


async def answered_twice(desk: Desk) -> Said:
    where = await desk.asked()
    answer = {"type": 4, "data": {"content": "x"}}
    return [await desk.api("POST", where, answer) for _ in range(2)][-1]


async def answered_late(desk: Desk) -> Said:
    where = await desk.asked()
    desk.sandbox.world.interactions[where.split("/")[3]]["expired"] = True
    return await desk.api("POST", where, {"type": 4, "data": {"content": "x"}})


async def closed_mailbox(desk: Desk) -> Said:
    desk.bea.close_mailbox()
    _, channel = await desk.api("POST", "/users/@me/channels", {"recipient_id": desk.bea.id})
    return await desk.api("POST", f"/channels/{channel['id']}/messages", {"content": "x"})


FIRST, SECOND = "components.0.components.0", "components.0.components.1"
PROBES: dict[str, tuple[Probe, str]] = {
    # components
    "blank TextDisplay": (post(v2(text("  \n "))), "400 50035 components.0.content"),
    "blank TextDisplay in a container": (post(v2(container(text(" ")))), "400 50035 components.0.components.0.content"),
    "accent_color 2^24": (post(v2(container() | {"accent_color": 1 << 24})), "400 50035 components.0.accent_color"),
    "accent_color -1": (post(v2(container() | {"accent_color": -1})), "400 50035 components.0.accent_color"),
    "spacing 3": (post(v2(text(), {"type": 14, "spacing": 3})), "400 50035 components.1.spacing"),
    "component id over 32 bits": (post(v2(text() | {"id": 1 << 31})), "400 50035 components.0.id"),
    "unknown custom emoji": (post(pressed(id="7", name="x")), f"400 50035 {FIRST}.emoji.id"),
    "a word for an emoji": (post(pressed(name="cat")), f"400 50035 {FIRST}.emoji.name"),
    "41 components": (post(v2(container(*[text()] * 40))), "400 50035 components"),
    "4,001 characters of text": (post(v2(text("x" * 2001), text("x" * 2000))), "400 50035 components"),
    "content beside v2": (post(v2(text(), content="x")), "400 50035 content"),
    "custom_id twice": (post({"components": [row(button(), button())]}), f"400 50035 {SECOND}.custom_id"),
    "26 options": (post({"components": [row(select(options=options(26)))]}), f"400 50035 {FIRST}.options"),
    "a gallery of eleven": (post(v2(gallery(11))), "400 50035 components.0.items"),
    "button at top level": (post({"content": "x", "components": [button()]}), "400 50035 components.0.type"),
    # messages
    "no number among the users to mention": (
        post({"content": "x", "allowed_mentions": {"users": ["Ann"]}}), "400 50035 allowed_mentions.users.0"),
    "a user to mention twice": (
        post({"content": "x", "allowed_mentions": {"users": ["1", "1"]}}), "400 50035 allowed_mentions.users.1"),
    "2,001 characters": (post({"content": "x" * 2001}), "400 50035 content"),
    "an empty message": (post({"content": " "}), "400 50006"),
    "an empty field": (post(embed(fields=fields(1, value=" "))), "400 50035 embeds.0.fields.0.value"),
    "26 characters of nonce": (post({"content": "x", "nonce": "x" * 26}), "400 50035 nonce"),
    "the nonce of a message that is gone": (gone_nonce, "404 10008"),
    "a file over 10 MiB": (large_file, "413 40005"),
    "a request of 27 MiB": (long_request, "413 40005"),
    "a message in a forum": (thread_of_forum, "400 50008"),
    "editing somebody else's message": (not_mine, "403 50005"),
    "editing a line of Discord's own": (system_line, "403 50021"),
    "a message to a closed mailbox": (closed_mailbox, "403 50007"),
    "a picture that an edit keeps and does not list": (kept, "400 50035 components"),
    "a picture that an edit keeps by its id alone": (kept_by_id, "400 50035 components"),
    # how often
    "twelve messages in a second": (twelve_messages, "429 0"),
    "51 requests in a second": (fifty_one, "429 0"),
    "a third name in ten minutes": (third_name, "429 0"),
    "a fourth edit of an old message": (old_edits, "429 30046"),
    "a thread while none can be made": (limited_threads, "429 0"),
    # permissions
    "a timed-out bot posts": (timed_out, "403 50013"),
    "a timed-out bot makes a thread": (timed_out_thread, "403 50013"),
    "embeds, which the invitation leaves out": (not_invited_to_manage, "403 50013"),
    "a channel that the bot cannot see": (unseen, "403 50001"),
    "a channel that the bot cannot write in": (silenced, "403 50013"),
    "a picture without Attach Files": (no_pictures, "403 50013"),
    "a voice chat without Connect": (voice, "403 50001"),
    "the history of a voice chat without Connect": (voice_history, "403 50001"),
    # threads
    "blank thread name": (blank_thread, "400 50035 name"),
    "a thread's blank new name": (blank_rename, "400 50035 name"),
    "archiving after 61 minutes": (odd_archiving, "400 50035 auto_archive_duration"),
    "a harmful link in a thread's name": (harmful_name, "400 240000"),
    "a second thread on a message": (two_threads, "400 160004"),
    "thread 1,001": (thread_1001, "400 160006"),
    "a private thread that the bot is not in": (private_thread, "403 50001"),
    "the history of such a private thread": (private_history, "403 50001"),
    "a private thread without permission": (private_of_ours, "403 50013"),
    "a message in a locked, archived thread": (locked_archived, "403 160005"),
    "an edit in an archived thread": (edit_archived, "400 50083"),
    "an edit in a locked thread": (edit_locked, "403 160005"),
    "an answer in a locked thread": (answer_locked, "400 50083"),
    "slow mode by who started the thread": (slow_by_owner, "403 50013"),
    "somebody added to an archived thread": (add_archived, "400 50083"),
    # interactions
    "a second answer": (answered_twice, "400 40060"),
    "an answer after three seconds": (answered_late, "404 10062"),
    "a title of 46 characters": (form(title="x" * 46), "400 50035 data.title"),
    "a label on a text input in a Label": (
        form(label(typed(label="Square"))), "400 50035 data.components.0.component.label"),
    "six fields": (form(*(label(typed(custom_id=str(n))) for n in range(6))), "400 50035 data.components"),
    # commands
    "contexts: [9]": (sync(command(contexts=[9])), "400 50035 0.contexts.0"),
    "contexts: []": (sync(command(contexts=[])), "400 50035 0.contexts"),
    "integration_types: []": (sync(command(integration_types=[])), "400 50035 0.integration_types"),
    "min_value above max_value": (with_option(min_value=3, max_value=2), "400 50035 0.options.0.min_value"),
    "min_length above max_length": (
        with_option(type=3, min_length=3, max_length=2), "400 50035 0.options.0.min_length"),
    "channel_types of a string": (with_option(type=3, channel_types=[0]), "400 50035 0.options.0.channel_types"),
    "max_length of a number": (with_option(max_length=2), "400 50035 0.options.0.max_length"),
    'permissions "abc"': (
        sync(command(default_member_permissions="abc")), "400 50035 0.default_member_permissions"),
    "a name in capitals": (sync(command(name="Play")), "400 50035 0.name"),
    "a name twice": (sync(command(), command()), "400 50035 1.name"),
    "101 commands": (sync(*(command(name=f"c{number}") for number in range(101))), "400 50035"),
    "a required option last": (
        sync(command(options=[option(), option(name="b", required=True)])), "400 50035 0.options.1"),
}  # fmt: skip


@pytest.fixture
async def desk() -> AsyncGenerator[Desk]:
    async with Sandbox(limits=True) as sandbox, aiohttp.ClientSession() as session:
        yield Desk(sandbox, Api(session, sandbox))
        assert sandbox.unknown_routes == []


@pytest.mark.parametrize("mistake", PROBES)
async def test_a_mistake_is_refused(desk: Desk, mistake: str) -> None:
    probe, expected = PROBES[mistake]
    status, code, where = (*expected.split(" "), "")[:3]
    said, answer = await probe(desk)
    assert (said, answer["code"]) == (int(status), int(code)), answer
    assert where in places(answer.get("errors", {"": {"_errors": []}})), answer


def test_there_are_enough_probes() -> None:
    assert len(PROBES) >= 54


RIGHT: dict[str, Probe] = {
    "the brightest accent_color": post(v2(container() | {"accent_color": 0xFFFFFF})),
    "the largest component id": post(v2(text() | {"id": (1 << 31) - 1})),
    "spacing 2": post(v2(text(), {"type": 14, "spacing": 2})),
    "an emoji": post(pressed(name="♟️")),
    "ids to mention": post({"content": "x", "allowed_mentions": {"users": ["1", 2], "roles": ["3"]}}),
    "all contexts": sync(command(contexts=[0, 1, 2], integration_types=[0, 1], default_member_permissions="32")),
    "an option of one value": with_option(min_value=2, max_value=2),
    "a picture that an edit keeps by id and filename": kept_rightly,
    "a channel of a type": with_option(type=7, channel_types=[0, 5]),
}


@pytest.mark.parametrize("name", RIGHT)
async def test_what_is_just_right_is_taken(desk: Desk, name: str) -> None:
    status, answer = await RIGHT[name](desk)
    assert status == 200, answer


async def test_a_servers_own_emoji_is_taken(desk: Desk) -> None:
    desk.sandbox.world.home_guild["emojis"].append({"id": "7", "name": "x"})
    assert (await desk.post(pressed(id="7", name="x")))[0] == 200


async def test_the_headers_say_how_many_messages_are_left(desk: Desk) -> None:
    headers = {"Authorization": f"Bot {desk.sandbox.token}"}
    url = desk.sandbox.api_url + desk.at("general")
    answers: list[dict[str, str]] = []
    for number in range(6):
        async with desk.api.session.post(url, json={"content": str(number)}, headers=headers) as response:
            answers.append(dict(response.headers))
    left, said = [one["X-RateLimit-Remaining"] for one in answers], answers[-1]
    assert left == ["4", "3", "2", "1", "0", "0"]
    assert (said["X-RateLimit-Limit"], said["X-RateLimit-Scope"], said["Retry-After"]) == ("5", "user", "5")
    assert 0 < float(said["X-RateLimit-Reset-After"]) <= 5
    assert (await desk.post({"content": "x"}, "games"))[0] == 200, "each channel has its own"
    await asyncio.sleep(5)
    assert (await desk.post({"content": "x"}))[0] == 200


async def test_ten_minutes_later_a_name_can_be_changed_again(desk: Desk) -> None:
    where = desk.at(await desk.thread(), "")
    said = [await desk.api("PATCH", where, {"name": f"match {number}"}) for number in range(3)]
    assert [status for status, _ in said] == [200, 200, 429]
    assert (await desk.api("PATCH", where, {"archived": False}))[0] == 200, "that is no name"
    assert [one["content"] for one in desk.bea.read_messages("match 1") if one["type"] == 4] == ["match 0", "match 1"]
    await asyncio.sleep(601)
    assert (await desk.api("PATCH", where, {"name": "late"}))[0] == 200


async def test_without_limits_nobody_is_refused(sandbox: Sandbox, api: Api) -> None:
    where = f"/channels/{sandbox.channel('general')['id']}"
    assert {(await api("POST", f"{where}/messages", {"content": "x"}))[0] for _ in range(20)} == {200}


async def test_the_limit_on_threads_is_shared(desk: Desk) -> None:
    _, answer = await limited_threads(desk)
    assert (answer["message"], answer["global"]) == ("The resource is being rate limited.", False)
    assert 199 < answer["retry_after"] <= 200
    _, message = await desk.post({"content": "x"})
    assert (await desk.api("POST", desk.at("general", f"messages/{message['id']}/threads"), {"name": "x"}))[0] == 429
    await asyncio.sleep(200)
    assert (await desk.api("POST", desk.at("general", f"messages/{message['id']}/threads"), {"name": "x"}))[0] == 201


async def test_who_is_mentioned_first_in_a_thread_is_added(desk: Desk) -> None:
    body = {"content": desk.bea.mention, "allowed_mentions": {"users": [desk.bea.id]}}
    await desk.post(body, await desk.thread())
    await desk.post(body, "match")
    assert [one["type"] for one in desk.bea.read_messages("match")] == [0, 1, 0]
    assert len(desk.bea.list_notifications()) == 2, "the line itself notifies nobody"


async def test_reports_do_not_bind_a_lenient_sandbox() -> None:
    async with Sandbox(strict=False) as sandbox, aiohttp.ClientSession() as session:
        desk = Desk(sandbox, Api(session, sandbox))
        desk.bea.start_private_thread("secret")
        assert (await desk.post({"content": "x"}, "secret"))[0] == 200
        assert (await edit_locked(desk))[0] == 200
        desk.sandbox.channel("match")["thread_metadata"]["locked"] = False
        await desk.post({"content": desk.bea.mention}, "match")
        assert [one["type"] for one in desk.bea.read_messages("match")] == [0, 0], "no line of Discord's own"


async def test_people_are_slowed_and_bots_are_not(desk: Desk) -> None:
    desk.mods.set_slow_mode("general", 60)
    desk.bea.say("first")
    with pytest.raises(ApiError) as refused:
        desk.bea.say("second")
    assert (refused.value.status, refused.value.code) == (429, 20016) and 59 <= refused.value.retry_after <= 60
    assert [(await desk.post({"content": "x"}))[0] for _ in range(2)] == [200, 200]
    desk.sandbox.person("Ann").say("I own this server.")
    desk.sandbox.person("Ann").say("Nobody slows me.")
    assert len(desk.bea.read_messages()) == 5


async def test_a_command_for_adults_is_for_their_channels(desk: Desk) -> None:
    await desk.api("PUT", desk.commands, [command(nsfw=True)])
    desk.sandbox.interactions.answer_seconds = 0.01
    with pytest.raises(ClientRefusal, match="age-restricted"):
        await desk.bea.command("play")
    desk.mods.restrict_age("general")
    for channel in ("general", await desk.thread()):
        with pytest.raises(NoAnswerInTime):
            await desk.bea.command("play", channel=channel)
