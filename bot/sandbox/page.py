"""The chat page in the browser."""

import asyncio
import json
import logging
import mimetypes
import re
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from aiohttp import WSMsgType, web

from bot.sandbox import commands, routes, seed
from bot.sandbox.client_checks import ClientRefusal
from bot.sandbox.errors import Json, is_list, object_under, parse_object
from bot.sandbox.gateway import Gateway
from bot.sandbox.interactions import Interactions, NoAnswerInTime
from bot.sandbox.people import SHOWN, Acquaintances, BotReply, Person, Phones, PushNotification, find_people_in
from bot.sandbox.posts import copy_for_clients
from bot.sandbox.world import World

# The server side of the chat page: its files, attachments, and the WebSocket of each tab.


log = logging.getLogger(__name__)

PAGE = Path(__file__).parent / "static"
STATIC_TYPES = {".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml"}
PICTURES = ("image/png", "image/gif", "image/webp", "image/jpeg")
HEADERS = {
    "Content-Security-Policy": "default-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}
MOST_SHOWN, MOST_PUSHES = 100, 20
FAILED = "The application did not respond"


class ChatPage:
    """All routes of the page; `supervisor` stops, starts or restarts the bot."""

    def __init__(
        self, world: World, desk: Interactions, gateway: Gateway, phones: Phones | None, port: Callable[[], int]
    ) -> None:
        self.world = world
        self.desk = desk
        self.gateway = gateway
        self.phones = phones
        self.port = port
        self.supervisor: Callable[[str], Awaitable[None]] | None = None
        self.tabs: dict[BrowserTab, None] = {}
        world.listeners.append(self._tell_tabs)

    def add_routes(self, app: web.Application) -> None:
        app.router.add_get("/", self._serve_index)
        app.router.add_get("/static/{name}", self._serve_static)
        app.router.add_get("/attachments/{channel}/{id}/{name}", self._serve_attachment)
        app.router.add_get("/ui/people", self._serve_people)
        app.router.add_get("/ui/socket", self._serve_socket)

    # --- access

    def _check_request(self, request: web.Request, *, origin_needed: bool = False) -> None:
        hosts = {f"{name}:{self.port()}" for name in ("127.0.0.1", "localhost", "[::1]")}
        origin = request.headers.get("Origin")
        if request.host.lower() not in hosts:
            raise web.HTTPForbidden(text="This server answers to its own loopback address only.", headers=HEADERS)
        if (origin is None and origin_needed) or (origin and origin.removeprefix("http://").lower() not in hosts):
            raise web.HTTPForbidden(text="This server answers to its own page only.", headers=HEADERS)

    # --- files

    async def _serve_index(self, request: web.Request) -> web.StreamResponse:
        # Discord's own gateway URL has no path, so clients that resolve its name to this machine request the root.
        if request.headers.get("Upgrade", "").lower() == "websocket":
            return await self.gateway.handle(request)
        return self._serve_file(request, "index.html")

    async def _serve_static(self, request: web.Request) -> web.StreamResponse:
        return self._serve_file(request, request.match_info["name"])

    def _serve_file(self, request: web.Request, name: str) -> web.StreamResponse:
        self._check_request(request)
        path = PAGE / name
        kind = STATIC_TYPES.get(path.suffix)
        if not re.fullmatch(r"[a-z0-9_-]+\.[a-z]+", name) or kind is None or not path.is_file():
            raise web.HTTPNotFound(headers=HEADERS)
        return web.Response(body=path.read_bytes(), content_type=kind, charset="utf-8", headers=HEADERS)

    async def _serve_attachment(self, request: web.Request) -> web.StreamResponse:
        self._check_request(request)
        file_id, name = request.match_info["id"], request.match_info["name"]
        data = self.world.files.get(file_id) if file_id.isdigit() else None
        if data is None:
            raise web.HTTPNotFound(headers=HEADERS)
        kind = mimetypes.guess_type(name)[0]
        if kind in PICTURES:
            return web.Response(body=data, content_type=kind, headers=HEADERS)
        headers = HEADERS | {"Content-Disposition": "attachment"}
        return web.Response(body=data, content_type="application/octet-stream", headers=headers)

    # --- users and their tabs

    async def _serve_people(self, request: web.Request) -> web.Response:
        self._check_request(request)
        people = [
            {"id": one["id"], "name": one["global_name"], "colour": seed.COLOURS.get(one["global_name"], "#4d4d4d")}
            for one in self.world.people()
        ]
        return web.json_response(people, headers=HEADERS)

    async def _serve_socket(self, request: web.Request) -> web.WebSocketResponse:
        self._check_request(request, origin_needed=True)
        user = self.world.users.get(request.query.get("as", ""))
        if user is None or user["bot"]:
            raise web.HTTPNotFound(text="There is nobody of that id; see /ui/people.", headers=HEADERS)
        tab = BrowserTab(self, Person(self.world, self.desk, user, self.world.home))
        self.tabs[tab] = None
        try:
            return await tab.run(request)
        finally:
            del self.tabs[tab]

    def _tell_tabs(self, event: str, data: Json) -> None:
        for tab in self.tabs:
            tab.hear(event, data)

    async def close(self) -> None:
        """Close all tabs' sockets."""
        for tab in list(self.tabs):
            await tab.socket.close(code=1001)


class BrowserTab:
    """One browser tab, used as one person; it knows the names of users in the messages it has loaded."""

    def __init__(self, page: ChatPage, person: Person) -> None:
        self.page = page
        self.person = person
        self.world = page.world
        self.known = Acquaintances(person.user)
        self.socket = web.WebSocketResponse(max_msg_size=256 * 1024, heartbeat=30, timeout=2)
        self.frames: asyncio.Queue[Json] = asyncio.Queue()
        self.tasks: dict[asyncio.Task[None], None] = {}

    async def run(self, request: web.Request) -> web.WebSocketResponse:
        """Serve the socket until it closes."""
        await self.socket.prepare(request)
        pump = asyncio.create_task(self._pump())
        self._send(self._make_hello_frame())
        try:
            async for frame in self.socket:
                if frame.type == WSMsgType.TEXT:
                    self._take(frame.data)
        finally:
            pump.cancel()
            for task in self.tasks:
                task.cancel()
        return self.socket

    async def _pump(self) -> None:
        while not self.socket.closed:
            frame = await self.frames.get()
            try:
                await self.socket.send_str(json.dumps(frame))
            except ConnectionError:
                return

    def _send(self, frame: Json) -> None:
        self.frames.put_nowait(copy_for_clients(frame, "", SHOWN))

    # --- from the world to the page

    def _make_hello_frame(self) -> Json:
        world, me = self.world, self.person.id
        server = self.person.server
        places = [one for one in world.channels_of(server) if world.has_permissions(me, one["id"], "view_channel")]
        mail = routes.channels_of(world, me)
        messages = {one["id"]: list(world.visible_messages(one["id"], me))[-MOST_SHOWN:] for one in [*places, *mail]}
        self.known.add_people(
            user for shown in messages.values() for message in shown for user in find_people_in(message)
        )
        return {
            "t": "hello",
            "me": self.person.user,
            "guild": {"id": server.id, "name": server.name},
            "people": [*world.people(), world.users[world.me]],
            "channels": [*places, *map(self._name_mailbox, mail)],
            "messages": messages,
            "met": [*self.known.met.values()],
            "pushes": [one._asdict() for one in self._own_pushes[-MOST_PUSHES:]],
            "rung": len(self._own_pushes),
            "closed": me in world.closed,
            "commands": commands.commands_in(world.commands, server.id),
            "bot": {"id": world.me, "name": world.users[world.me]["username"], "online": self.page.gateway.is_online},
        }

    @property
    def _own_pushes(self) -> list[PushNotification]:
        return self.page.phones.phone_of(self.person.id).pushes if self.page.phones else []

    def _name_mailbox(self, mailbox: Json) -> Json:
        """A channel of direct messages as its user sees it: named after the bot."""
        return mailbox | {"name": self.world.users[self.world.me]["username"]}

    def hear(self, event: str, data: Json) -> None:
        """Forward what this user may see of a world event, if it is of the server shown, or of none."""
        if data.get("guild_id", self.person.server.id) != self.person.server.id:
            return
        if event.startswith("MESSAGE_"):
            self._hear_message(event, data)
        elif event in ("CHANNEL_DELETE", "THREAD_DELETE"):
            self._send({"t": "channel_gone", "id": data["id"]})
        elif event.startswith(("CHANNEL_", "THREAD_")):
            seen = self.world.has_permissions(self.person.id, data["id"], "view_channel")
            channel = self.world.channels[data["id"]]
            self._send({"t": "channel", "channel": channel} if seen else {"t": "channel_gone", "id": data["id"]})
        elif event == "MAILBOX" and data["user"] == self.person.id:
            channel = self._name_mailbox(data["channel"]) if "channel" in data else None
            self._send({"t": "channel", "channel": channel} if channel else {"t": "mailbox", "closed": data["closed"]})
        elif event == "COMMANDS":
            self._send({"t": "commands", "commands": commands.commands_in(data["commands"], self.person.server.id)})
        elif event == "PICKED" and data["user"] == self.person.id:
            self._send({"t": "met", "met": self.known.add_people(data["users"])})
        elif event == "PUSH" and data["user"] == self.person.id:
            self._send({"t": "push", "push": self._own_pushes[-1]._asdict(), "rung": len(self._own_pushes)})
        elif event == "BOT":
            self._send({"t": "bot", "online": data["online"]})

    def _hear_message(self, event: str, data: Json) -> None:
        place = data["channel_id"]
        if data["ephemeral_for"] not in (None, self.person.id):
            return
        known = place in self.world.channels or place in self.world.private
        if known and not self.world.has_permissions(self.person.id, place, "view_channel"):
            return
        if event == "MESSAGE_DELETE":
            self._send({"t": "delete", "channel_id": place, "id": data["id"]})
        else:
            kind = "message" if event == "MESSAGE_CREATE" else "edit"
            self._send({"t": kind, "message": data, "met": self.known.add_people(find_people_in(data))})

    # --- from the page to the world

    def _take(self, raw: str) -> None:
        try:
            frame = parse_object(raw)
            kind = str(frame["t"])
        except (ValueError, KeyError):
            log.warning("the page sent something that is no message")
            return
        if kind == "dismiss":
            self.person.dismiss(str(frame.get("modal")))
        elif kind == "dismiss_message":
            self.person.dismiss_message(str(frame.get("message")))
        else:
            task = asyncio.create_task(self._act(kind, frame))
            self.tasks[task] = None
            task.add_done_callback(self.tasks.pop)

    async def _act(self, kind: str, frame: Json) -> None:
        """Run one act and answer the page under its number: pending, then the result."""
        number = frame.get("n")
        work = asyncio.ensure_future(self._do(kind, frame))
        # One turn of the loop is enough for refusals by the client.
        await asyncio.sleep(0)
        if not work.done():
            self._send({"t": "pending", "n": number})
        try:
            self._send({"n": number, **await work})
        except ClientRefusal as refusal:
            self._send({"t": "refused", "n": number, "text": str(refusal)})
        except NoAnswerInTime:
            self._send({"t": "failed", "n": number, "text": FAILED})
        except (KeyError, TypeError, ValueError, AttributeError):
            log.exception("the page sent a message that makes no sense")
            self._send({"t": "refused", "n": number, "text": "The page sent something that the sandbox cannot read."})

    async def _do(self, kind: str, frame: Json) -> Json:
        person = self.person
        if kind == "mailbox":
            person.close_mailbox(frame.get("closed") is True)
            return {"t": "done"}
        if kind == "open_mailbox":
            return {"t": "done", "channel": person.mailbox["id"]}
        if kind == "bot":
            return await self._control_bot(str(frame.get("do")))
        if kind == "submit":
            return self._describe_reply(await person.submit({"id": frame["modal"]}, object_under(frame, "values")))
        where = str(frame["channel"])
        place = self.world.channels.get(where) or self.world.private.get(where)
        if place is None:
            raise ClientRefusal("There is no such channel.")
        if kind == "press":
            message = {"id": str(frame["message"]), "channel_id": place["id"]}
            return self._describe_reply(
                await person.press(message, str(frame["custom_id"]), _as_list(frame.get("values")))
            )
        path, options = [str(step) for step in _as_list(frame.get("path")) or []], object_under(frame, "options")
        if kind == "command":
            return self._describe_reply(await person.run(path, place, options))
        if kind == "complete":
            found = await person.suggest(path, str(frame["focused"]), place, options)
            return {"t": "choices", "choices": [{"name": name, "value": value} for name, value in found]}
        raise ClientRefusal(f"The sandbox does not know {kind!r}.")

    def _describe_reply(self, reply: BotReply) -> Json:
        return {"t": "modal", "modal": reply.modal} if reply.modal else {"t": "done"}

    async def _control_bot(self, what: str) -> Json:
        if self.page.supervisor is None or what not in ("restart", "stop", "start"):
            raise ClientRefusal("Nothing here can start or stop the bot.")
        await self.page.supervisor(what)
        return {"t": "done"}


def _as_list(value: Any) -> list[Any] | None:
    return value if is_list(value) else None
