"""The chat page's server side: who may ask, what files are served how, and the protocol of a tab's socket."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import aiohttp
import pytest

from bot.sandbox.errors import Json
from bot.sandbox.people import Person
from bot.sandbox.stand_in import Sandbox
from tests.sandbox.minibot import PNG, MiniBot
from tests.support.waiting import PATIENCE


class Tab:
    """A browser tab, as the server sees it."""

    def __init__(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        self.socket = socket
        self.seen: list[Json] = []

    async def until(self, **wanted: Any) -> Json:
        """The next frame that has these values; frames before it are kept in `seen`."""
        while True:
            frame: Json = await asyncio.wait_for(self.socket.receive_json(), PATIENCE)
            self.seen.append(frame)
            if wanted.items() <= frame.items():
                return frame

    async def send(self, **frame: Any) -> None:
        await self.socket.send_json(frame)


@pytest.fixture
async def web() -> AsyncIterator[aiohttp.ClientSession]:
    async with aiohttp.ClientSession() as session:
        yield session


async def tab(web: aiohttp.ClientSession, sandbox: Sandbox, person: Person) -> Tab:
    return Tab(await web.ws_connect(f"{sandbox.page_url}ui/socket?as={person.id}", origin=sandbox.base))


PLACES = ("", "static/app.js", "ui/people", "ui/socket?as=1", "attachments/1/2/a.png")


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize(
    "headers",
    [
        {"Host": "evil.example"},
        {"Host": "127.0.0.1:1"},
        {"Host": "127.0.0.1.evil.example"},
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://127.0.0.1:1"},
    ],
)
async def test_strangers_are_refused(web: aiohttp.ClientSession, sandbox: Sandbox, place: str, headers: Json) -> None:
    async with web.get(sandbox.page_url + place, headers=headers) as response:
        assert response.status == 403


async def test_the_socket_needs_an_origin_and_a_person(
    web: aiohttp.ClientSession, sandbox: Sandbox, ann: Person
) -> None:
    for address, headers in ((f"?as={ann.id}", {}), (f"?as={sandbox.world.me}", {"Origin": sandbox.base})):
        with pytest.raises(aiohttp.WSServerHandshakeError):
            await web.ws_connect(f"{sandbox.page_url}ui/socket{address}", headers=headers)


async def test_people_and_headers(web: aiohttp.ClientSession, sandbox: Sandbox, ann: Person) -> None:
    localhost = {"Host": f"localhost:{sandbox.port}", "Origin": f"http://localhost:{sandbox.port}"}
    async with web.get(f"{sandbox.page_url}ui/people", headers=localhost) as response:
        people = await response.json()
        assert response.headers["Content-Security-Policy"].startswith("default-src 'self'")
        assert response.headers["X-Content-Type-Options"] == "nosniff"
    assert [one["name"] for one in people] == ["Ann", "Bea", "Cem", "Dora"]
    assert people[0] == {"id": ann.id, "name": "Ann", "colour": "#005aaa"}


@pytest.mark.parametrize(
    "place", ["static/../server.py", "static/server.py", "static/%2e%2e%2fserver.py", "static/no.js"]
)
async def test_only_the_pages_own_files_are_served(web: aiohttp.ClientSession, sandbox: Sandbox, place: str) -> None:
    async with web.get(sandbox.page_url + place) as response:
        assert response.status == 404


async def test_attachments_are_pictures_or_downloads(web: aiohttp.ClientSession, sandbox: Sandbox) -> None:
    sandbox.world.files.update({"1": PNG, "2": b"<script>alert(1)</script>"})
    async with web.get(f"{sandbox.page_url}attachments/9/1/a.png") as response:
        assert (response.content_type, await response.read()) == ("image/png", PNG)
    for name in ("a.html", "a.svg"):
        async with web.get(f"{sandbox.page_url}attachments/9/2/{name}") as response:
            assert response.content_type == "application/octet-stream"
            assert response.headers["Content-Disposition"] == "attachment"
            assert response.headers["X-Content-Type-Options"] == "nosniff"


async def test_a_tab_greets_and_plays(
    web: aiohttp.ClientSession, sandbox: Sandbox, bot: MiniBot, ann: Person, bea: Person
) -> None:
    place = sandbox.channel("games")["id"]
    one, other = await tab(web, sandbox, ann), await tab(web, sandbox, bea)
    hello = await one.until(t="hello")
    assert hello["me"]["id"] == ann.id and hello["bot"] == {
        "id": sandbox.world.me,
        "name": "graph-paper",
        "online": True,
    }
    assert {"general", "games", "ideas", "Which game first?"} <= {channel["name"] for channel in hello["channels"]}
    assert "hello" in {command["name"] for command in hello["commands"]}
    await other.until(t="hello")

    await one.send(t="command", n=1, channel=place, path=["hello"], options={"who": bea.id, "times": 3})
    await one.until(t="done", n=1)
    seen = [frame for frame in one.seen if frame["t"] != "met"]
    assert [frame["t"] for frame in seen] == ["hello", "pending", "message", "done"]
    assert seen[2]["message"]["ephemeral_for"] == ann.id

    await one.send(t="command", n=2, channel=place, path=["show"], options={})
    message = (await other.until(t="message"))["message"]
    assert message["ephemeral_for"] is None and [frame["t"] for frame in other.seen] == ["hello", "push", "message"]
    assert message["attachments"][0]["url"].startswith(f"/attachments/{place}/")
    await other.send(t="press", n=1, channel=place, message=message["id"], custom_id="m:move")
    await other.until(t="done", n=1)
    await one.until(t="edit")


async def test_a_tab_completes_opens_forms_and_is_refused(
    web: aiohttp.ClientSession, sandbox: Sandbox, bot: MiniBot, ann: Person
) -> None:
    place = sandbox.channel("general")["id"]
    one = await tab(web, sandbox, ann)
    await one.send(t="complete", n=1, channel=place, path=["pick"], options={"word": "be"}, focused="word")
    assert (await one.until(t="choices", n=1))["choices"] == [{"name": "BETA", "value": "beta"}]
    await one.send(t="command", n=2, channel=place, path=["form"], options={})
    modal = (await one.until(t="modal", n=2))["modal"]
    assert (modal["title"], [part["label"] for part in modal["components"]]) == ("A move", ["Square", "Column"])
    await one.send(t="submit", n=3, modal=modal["id"], values={"square": "c4", "column": ["b"]})
    await one.until(t="done", n=3)
    sandbox.interactions.answer_seconds = 0.05
    await one.send(t="command", n=4, channel=place, path=["silent"], options={})
    assert (await one.until(t="failed", n=4))["text"] == "The application did not respond"
    before = len(one.seen)
    await one.send(t="command", n=5, channel=place, path=["hello"], options={})
    assert (await one.until(t="refused", n=5))["text"] == "The option who is required."
    assert len(one.seen) == before + 1
    await one.send(t="bot", n=6, do="restart")
    assert "start or stop the bot" in (await one.until(t="refused", n=6))["text"]
    await one.socket.send_str("[]")
    await one.send(t="press", n=7, channel=place)
    await one.until(t="refused", n=7)


async def test_a_tab_hears_of_threads_commands_and_the_bot(
    web: aiohttp.ClientSession, sandbox: Sandbox, ann: Person
) -> None:
    asked: list[str] = []

    async def supervisor(what: str) -> None:
        asked.append(what)

    sandbox.supervisor = supervisor
    one = await tab(web, sandbox, ann)
    await one.until(t="hello")
    sandbox.faults.archive("Which game first?")
    assert (await one.until(t="channel"))["channel"]["thread_metadata"]["archived"]
    sandbox.faults.delete_channel("Which game first?")
    await one.until(t="channel_gone")
    sandbox.faults.deny("ideas", "view_channel", who="Bea")
    await one.until(t="channel")
    ann.say("hello", "general")
    assert (await one.until(t="message"))["message"]["content"] == "hello"
    await one.send(t="bot", n=1, do="restart")
    await one.until(t="done", n=1)
    assert asked == ["restart"]


async def test_an_ephemeral_message_can_be_dismissed(
    web: aiohttp.ClientSession, sandbox: Sandbox, bot: MiniBot, ann: Person
) -> None:
    one = await tab(web, sandbox, ann)
    reply = await ann.command("hello", who=ann)
    await one.send(t="dismiss_message", message=reply.message_id)
    assert (await one.until(t="delete"))["id"] == reply.message_id
    assert ann.read_messages() == []
