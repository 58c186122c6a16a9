"""A visit of the doctor to one channel: what it makes there, and how all of that is taken away again.

Whatever is begun is finished, even where nobody waits for it any more (a time-out, Ctrl+C): only so it is known, and
can be deleted.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field
from typing import Any, TypeVar

import discord
from discord import ui
from discord.http import Route

from bot.client.interactions.context import Interaction
from bot.client.people.members import Members
from bot.client.runtime.metrics import Metrics
from bot.client.views.edits import Edits
from bot.client.views.naming import Naming
from bot.client.views.second_edits import SecondEdits
from bot.core.values.plural import together
from bot.host.doctor.cards import card, shown, text_of, uploads
from bot.host.doctor.database import Look
from bot.host.doctor.findings import Fails, Untried
from bot.host.doctor.visitor import Visitor
from bot.host.exit_status import UNREACHED

PRESS_WITHIN = 60.0
"""Seconds for a person to press a button."""
FINISH_WITHIN, DELETE_WITHIN, CLEAN_WITHIN = 5.0, 10.0, 40.0
"""Seconds for what is under way to be finished, for one thing to be deleted, and for all of them."""
LOOKED_THROUGH = 50
"""How many messages of the channel are looked through for one that Discord has posted without an answer."""
CHANNEL, THREADS = "/channels/{channel_id}", "/channels/{channel_id}/messages/{message_id}/threads"
MESSAGE = "/channels/{channel_id}/messages/{message_id}"
RUN_AGAIN = "A person has to press a button: run this again with --press."
STAYS = (
    "An empty, archived thread stays, since the bot may not delete threads; somebody with Manage Threads can: {link}"
)
NOBODY = "Nobody pressed the button in time."

T = TypeVar("T")


@dataclass
class Visit:
    """One run. `say` tells the host something; `press`: a person is there to press buttons."""

    client: Visitor
    database: Look
    run: str
    """What tells this run's messages from those of others."""
    say: Callable[[str], None]
    press: bool = False
    serving: asyncio.Task[None] | None = None
    """The connection."""
    place: discord.TextChannel | None = None
    lacking: set[str] = field(default_factory=set[str])
    """The permissions that the bot does not have there."""
    board: discord.Message | None = None
    """The first message, with a picture and a button."""
    headers: dict[str, str] = field(default_factory=dict[str, str])
    """Those with which Discord answered when it was posted."""
    pad: discord.Message | None = None
    """The message with the button that a person presses."""
    pressed: Interaction | None = None
    """What a person did last."""
    repeated: discord.Message | None = None
    """The message that was posted twice."""
    thread: int = 0
    archived: bool = False
    told: set[int] = field(default_factory=set[int])
    """Whom the messages have mentioned."""
    messages: dict[int, int] = field(default_factory=dict[int, int])
    """The messages that are to be deleted, each with its channel."""
    origins: set[int] = field(default_factory=set[int])
    """The messages on which a thread may have been begun; it has their number."""
    nobody: bool = False
    begun: set[asyncio.Task[Any]] = field(default_factory=set[asyncio.Task[Any]])
    """What was begun and makes something on Discord."""

    # --- where

    @property
    def channel(self) -> discord.TextChannel:
        """The channel; `Untried` where Discord has not told of it."""
        if self.place is None:
            raise Untried("The bot is not connected.")
        return self.place

    @property
    def first(self) -> discord.Message:
        """The board that was posted; `Untried` where it could not be."""
        if self.board is None:
            raise Untried("No board could be posted.")
        return self.board

    def where(self, message: discord.Message) -> discord.PartialMessageable:
        """The place of a message, as the bot knows places."""
        return self.client.get_partial_messageable(message.channel.id, guild_id=self.channel.guild.id)

    @property
    def nonce(self) -> str:
        """The nonce of the message that is posted twice."""
        return f"doctor.{self.run}"

    # --- making

    async def kept(self, making: Coroutine[Any, Any, T]) -> T:
        """Begin something that makes something, and wait for it; it goes on where this is cancelled."""
        task = asyncio.create_task(making)
        self.begun.add(task)
        return await asyncio.shield(task)

    async def post(
        self, text: str, *pictures: str, label: str = "", nonce: str | None = None, place: int = 0
    ) -> discord.Message:
        """Post a message, without a sound, that mentions the bot and tells nobody."""
        where = self.client.get_partial_messageable(place or self.channel.id, guild_id=self.channel.guild.id)
        more: dict[str, Any] = {"nonce": nonce} if nonce else {}
        view = self.card(text, *pictures, label=label)
        none = discord.AllowedMentions.none()

        async def send() -> discord.Message:
            made = await where.send(view=view, files=uploads(*pictures), silent=True, allowed_mentions=none, **more)
            self.messages[made.id] = where.id
            return self.seen(made)

        return await self.kept(send())

    def card(self, text: str, *pictures: str, label: str = "") -> ui.LayoutView:
        """A message of this run; one with a label has the run's button."""
        assert self.client.user
        said = f"{self.client.user.mention} tries what it builds on. {text}\n-# {self.mark}"
        return card(said, *pictures, button=(label, self.client.mark) if label else None)

    @property
    def mark(self) -> str:
        """What stands in every message of this run."""
        return f"`python -m bot doctor` deletes this message ({self.run})."

    def edits_on(self, message: discord.Message) -> Edits:
        """Something that edits as the bot does, knows this message, and has not learned anything of Discord yet."""
        second = SecondEdits(asyncio.create_task, lambda: 0)  # which hears of no post
        made = Edits(self.client, Naming(Members(self.client)), Metrics(), second)
        made.note(message)
        return made

    async def request(self, method: str, route: str, *, about: dict[str, int], body: Any = None) -> Any:
        """One request as it stands."""
        more: dict[str, Any] = {} if body is None else {"json": body}
        return await self.client.http.request(Route(method, route, metadata=None, **about), **more)

    async def change(self, message: discord.Message, **body: Any) -> None:
        """Edit a message with a body of our own, which may not be what the bot would send."""
        about = {"channel_id": message.channel.id, "message_id": message.id}
        await self.request("PATCH", MESSAGE, about=about, body={**body, "allowed_mentions": {"parse": []}})

    async def begin_thread(self, name: str, minutes: int) -> None:
        """Begin a thread on the board, unless there is one."""
        if not self.thread:
            about = {"channel_id": self.channel.id, "message_id": self.first.id}
            self.origins.add(self.first.id)
            body = {"name": name, "auto_archive_duration": minutes}
            self.thread = int((await self.kept(self.request("POST", THREADS, about=about, body=body)))["id"])

    async def change_thread(self, **body: Any) -> Any:
        """Change the thread; gives what it is then."""
        if not self.thread:
            raise Untried("No thread could be made.")
        made = await self.request("PATCH", CHANNEL, about={"channel_id": self.thread}, body=body)
        self.archived = bool(made["thread_metadata"]["archived"])
        return made

    # --- looking

    def seen(self, message: discord.Message) -> discord.Message:
        """Note whom a message has told."""
        self.told |= {one.id for one in message.mentions}
        return message

    async def look(self, message: discord.Message) -> discord.Message:
        """A message as it stands on Discord."""
        return self.seen(await self.where(message).fetch_message(message.id))

    async def expect(self, message: discord.Message, *pictures: str) -> discord.Message:
        """A message as it stands on Discord; `Fails` unless it shows these pictures."""
        found = await self.look(message)
        if shown(found) != [*pictures]:
            raise Fails(f"it shows {together(shown(found))}" if shown(found) else "it shows no picture")
        return found

    async def act(self) -> Interaction:
        """What a person does next with our button or form; `Untried` where nobody does."""
        if not self.press:
            raise Untried(RUN_AGAIN)
        if self.nobody:
            raise Untried(NOBODY)
        try:
            async with asyncio.timeout(PRESS_WITHIN):
                self.pressed = await self.client.acts.get()
        except TimeoutError:
            self.nobody = True
            raise Untried(NOBODY) from None
        return self.pressed

    # --- taking away

    async def clean(self) -> list[str]:
        """Delete all that was made; a sentence about each thing that stays."""
        left = list[str]()
        try:
            async with asyncio.timeout(CLEAN_WITHIN):
                if await self._finish():
                    await self._find()
                for thread in sorted(self.origins):
                    left += await self._clear(thread)
                for message in [*self.messages]:
                    left += await self._delete(message)
        except TimeoutError:
            left += [self._stays(message) for message in self.messages]
        return left

    async def _finish(self) -> bool:
        """Wait for what is under way; whether something may have been made of which we were not told."""
        if not self.begun:
            return False
        done, waiting = await asyncio.wait(self.begun, timeout=FINISH_WITHIN)
        for task in waiting:
            task.cancel()
        faults = [task.exception() for task in done if not task.cancelled()]
        unsure = (*UNREACHED, discord.DiscordServerError)
        return bool(waiting) or any(isinstance(fault, unsure) for fault in faults)

    async def _find(self) -> None:
        """Look for messages of this run of which Discord has not told us."""
        me, place = self.client.user, self.place
        if me is None or place is None:
            return
        try:
            async with asyncio.timeout(DELETE_WITHIN):
                async for message in place.history(limit=LOOKED_THROUGH):
                    if message.author.id == me.id and self.run in text_of(message):
                        self.messages[message.id] = place.id
        except (discord.HTTPException, *UNREACHED):
            return  # where we may not look, or Discord is not there, nothing more can be done

    async def _clear(self, thread: int) -> list[str]:
        """Delete a thread; where that is not allowed, the messages in it, and archive it."""
        about = {"channel_id": thread}
        try:
            async with asyncio.timeout(DELETE_WITHIN):
                await self.request("DELETE", CHANNEL, about=about)
        except discord.NotFound:
            return []
        except discord.Forbidden:
            pass
        except (discord.HTTPException, *UNREACHED):
            return [f"A thread could not be deleted: {self._link(thread)}"]
        else:
            self.messages = {message: place for message, place in self.messages.items() if place != thread}
            return []
        left = list[str]()
        try:
            async with asyncio.timeout(DELETE_WITHIN):
                if self.archived:
                    await self.change_thread(archived=False)
                for message in [one for one, place in self.messages.items() if place == thread]:
                    left += await self._delete(message)
                await self.request("PATCH", CHANNEL, about=about, body={"archived": True})
        except (discord.HTTPException, *UNREACHED, Untried):
            pass  # it stays, as it is said below
        return [*left, STAYS.format(link=self._link(thread))]

    async def _delete(self, message: int) -> list[str]:
        about = {"channel_id": self.messages[message], "message_id": message}
        try:
            async with asyncio.timeout(DELETE_WITHIN):
                await self.request("DELETE", MESSAGE, about=about)
        except discord.NotFound:
            pass
        except (discord.HTTPException, *UNREACHED):
            return [self._stays(message)]
        del self.messages[message]
        return []

    def _stays(self, message: int) -> str:
        return f"A message could not be deleted: {self._link(self.messages[message])}/{message}"

    def _link(self, place: int) -> str:
        return f"https://discord.com/channels/{self.channel.guild.id}/{place}"
