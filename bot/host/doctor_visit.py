"""A visit of the doctor to one channel, and what its tries come to."""

from __future__ import annotations

import asyncio
import contextlib
import sys
from collections.abc import Awaitable, Callable, Coroutine, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from email.utils import parsedate_to_datetime
from enum import IntEnum
from functools import cache
from pathlib import PurePosixPath
from types import SimpleNamespace
from typing import Any, NamedTuple, TypeVar
from urllib.parse import unquote, urlsplit

import aiohttp
import discord
from discord import ui
from discord.http import Route
from yarl import URL

from bot.app.client import usual_options
from bot.games.wording import join_words
from bot.host.exit_status import UNREACHED
from bot.platform.custom_ids import DOCTORS
from bot.platform.edits import NAMED, Edits, Naming, SecondEdits, Upload, iterate_media
from bot.platform.interactions import Interaction, data_of
from bot.platform.machine import loop_time
from bot.platform.members import MemberCache
from bot.platform.metrics import Metrics
from bot.platform.requests import LONGEST_LIMIT
from bot.play.ids import WHOLE
from data.engine.address import DatabaseAddress, parse_address
from data.engine.driver import TimeLimits
from data.engine.errors import Unavailable, Unusable, explain_error
from data.queries.sweeps import read_figures
from data.upkeep.checks import find_misshapen, find_missing
from data.upkeep.health import HEARTBEAT, UNHEARD_SECONDS, Pulse
from data.upkeep.hindrance import SchemaError
from data.upkeep.integrity import open_existing, refuse_outdated
from data.upkeep.upgrade import revision_of
from rendering.painter.paint import encode_png
from rendering.shapes import Picture, Text

# What a try comes to: something holds where it raises nothing, else it does not hold, or could not be tried.


class Severity(IntEnum):
    """The exit status where something does not hold."""

    COPES = 0
    NEEDED = 1
    """The bot cannot do without it."""
    YOURS = 2
    """A person has to put it right."""


class AssumptionFails(Exception):
    """It does not hold; the text, if any, says what was seen instead."""


class Untried(Exception):
    """It could not be tried; the text says why, in a sentence."""


class Unanswered(Untried):
    """It could not be tried because Discord did not answer."""


class Stop(Exception):
    """Nothing else can be tried; the text says what to do."""

    def __init__(self, text: str, status: int) -> None:
        super().__init__(text)
        self.status = status


# The doctor's messages: a line of text, pictures, and at most one button; and what a message of Discord's shows.


FIRST, SECOND, THIRD = "first.png", "second.png", "third.png"
"""The names of the pictures, each with its number on it."""
PICTURES = {FIRST: "1", SECOND: "2", THIRD: "3"}


def make_card(text: str, *pictures: str, button: tuple[str, str] | None = None) -> ui.LayoutView:
    """A message made as boards are; `pictures` are names of files, or addresses; a button has a label and a
    custom_id."""
    view, parts = ui.LayoutView(timeout=None), list[ui.Item[Any]]([ui.TextDisplay(text)])
    if pictures:
        named = [one if "://" in one else f"{NAMED}{one}" for one in pictures]
        parts.append(ui.MediaGallery(*(discord.MediaGalleryItem(one) for one in named)))
    if button:
        parts.append(ui.ActionRow(ui.Button(label=button[0], custom_id=button[1])))
    view.add_item(ui.Container(*parts))
    return view


def make_uploads(*names: str) -> list[Upload]:
    """The pictures of these names, to be sent."""
    return [Upload(draw_picture(name), name, f"The number {PICTURES[name]}.") for name in names]


@cache
def draw_picture(name: str) -> bytes:
    """A picture as a file."""
    number = PICTURES[name]
    return encode_png(Picture(name, (0, 0, 3, 1), (), (Text(1.5, 0.5, number, 0.7),), number))


def list_picture_names(message: discord.Message) -> list[str]:
    """The names of the pictures that a message shows, whether they are files of its own or not."""
    return [unquote(PurePosixPath(urlsplit(media.url).path).name) for media, _ in iterate_media(message.components)]


def text_of(message: discord.Message) -> str:
    """All text of a message."""
    return "\n".join([message.content, *iter_texts(message.components)])


def iter_texts(components: Sequence[Any]) -> Iterator[str]:
    """The texts in the components of a message."""
    for one in components:
        if isinstance(one, discord.TextDisplay):
            yield one.content
        yield from iter_texts(getattr(one, "children", ()))


# Looks at the database without writing to it: where it is, whether it fits this program, and whether a bot uses it.


LIMITS = TimeLimits(wait=5.0, run=10.0)
"""A look must not keep the host waiting; `check` looks at everything."""


class DatabaseLook(NamedTuple):
    """A line about the database, and what keeps the bot from using it."""

    line: str
    fault: AssumptionFails | Untried | None = None


async def look_at_database(url: str, clock: Callable[[], float]) -> DatabaseLook:
    """What is to be said of a database."""
    try:
        place = describe_address(parse_address(url))
    except ValueError as fault:
        return DatabaseLook("Database: its address can't be read.", AssumptionFails(strip_full_stop(fault)))
    try:
        async with open_existing(url, LIMITS) as database:
            await database.read(refuse_outdated)
            schema, wrong, figures = await database.read(
                lambda one: (revision_of(one), [*find_missing(one), *find_misshapen(one)], read_figures(one, WHOLE))
            )
    except FileNotFoundError:
        return DatabaseLook(f"Database: {place}.", Untried("There is none yet; the bot makes it when it starts."))
    except (SchemaError, Unusable) as fault:
        return DatabaseLook(f"Database: {place}.", AssumptionFails(strip_full_stop(fault)))
    except (Unavailable, OSError) as fault:
        return DatabaseLook(f"Database: {place}.", Untried(f"It can't be read right now: {explain_error(fault)}."))
    line = f"Database: {place}, at schema {schema}. {describe_users(figures.notes, int(clock()))}"
    return DatabaseLook(line, AssumptionFails("; ".join(wrong)) if wrong else None)


def describe_address(place: DatabaseAddress) -> str:
    """Where a database is, without its password."""
    if place.host is None:
        return f"{place.kind} in {place.database or 'the usual place'}"
    return f"{place.kind}, {place.database} on {place.host}"


def describe_users(notes: Iterable[tuple[str, str]], now: int) -> str:
    """Whether a bot uses a database, by the notes in it."""
    pulses = [Pulse.parse(value) for name, value in notes if name.startswith(HEARTBEAT)]
    silent = [now - pulse.alive for pulse in pulses if pulse and abs(now - pulse.alive) <= UNHEARD_SECONDS]
    return f"A bot runs on it, heard {max(0, min(silent))} s ago." if silent else "No bot runs on it right now."


def strip_full_stop(fault: Exception) -> str:
    """An error's sentence without its full stop, to stand in brackets."""
    return str(fault).rstrip(".")


# The doctor's client: discord.py's as the bot uses it, but it answers nobody who does not press a button of its own.


RATE_LIMITED = 429


class DoctorClient(discord.AutoShardedClient):
    """The connection of one run. `run` tells its buttons from those of other runs."""

    def __init__(self, run: str, wall: Callable[[], float], gateway: str | None, **options: Any) -> None:
        trace, usual = aiohttp.TraceConfig(), usual_options()
        trace.on_request_end.append(self._note_answer)
        super().__init__(
            intents=usual["intents"],
            allowed_mentions=usual["allowed_mentions"],
            max_ratelimit_timeout=LONGEST_LIMIT,
            http_trace=trace,
            **options,
        )
        self.mark = f"{DOCTORS}{run}"
        self.acts: asyncio.Queue[Interaction] = asyncio.Queue()
        """What people did with the doctor's button and form."""
        self.headers: Mapping[str, str] = {}
        """Those of the last answer."""
        self.ahead: float | None = None
        """Seconds by which this machine's clock is ahead of Discord's."""
        self._paused_until = 0.0
        self._wall = wall
        self._gateway = gateway

    @property
    def pause_seconds(self) -> float:
        """Seconds for which Discord has asked to wait still, for some of the requests."""
        return max(0.0, self._paused_until - loop_time())

    async def launch_shard(self, gateway: URL, shard_id: int, *, initial: bool = False) -> None:
        """Connect; where that fails, say so and do not try for ever."""
        if not initial and not self.shards and (refused := sys.exception()):
            raise refused
        await super().launch_shard(URL(self._gateway or gateway), shard_id, initial=initial)

    async def on_interaction(self, interaction: Interaction) -> None:
        """Note what somebody did with our button or form; everything else is the running bot's."""
        if str(data_of(interaction).get("custom_id", "")) == self.mark:
            self.acts.put_nowait(interaction)

    async def _note_answer(
        self, _: aiohttp.ClientSession, __: SimpleNamespace, answer: aiohttp.TraceRequestEndParams
    ) -> None:
        self.headers = answer.response.headers
        with contextlib.suppress(KeyError, ValueError):
            # Discord's date is in whole seconds, cut off.
            self.ahead = self._wall() - parsedate_to_datetime(self.headers["Date"]).timestamp() - 0.5
        if answer.response.status == RATE_LIMITED:
            with contextlib.suppress(KeyError, ValueError):
                self._paused_until = loop_time() + float(self.headers["Retry-After"])


# A visit of the doctor to one channel: what it makes there, and how all of that is taken away again.


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
class DoctorRun:
    """One run. `say` tells the host something; `press`: a person is there to press buttons."""

    client: DoctorClient
    database: DatabaseLook
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
    def first_board(self) -> discord.Message:
        """The board that was posted; `Untried` where it could not be."""
        if self.board is None:
            raise Untried("No board could be posted.")
        return self.board

    def place_of(self, message: discord.Message) -> discord.PartialMessageable:
        """The place of a message, as the bot knows places."""
        return self.client.get_partial_messageable(message.channel.id, guild_id=self.channel.guild.id)

    @property
    def nonce(self) -> str:
        """The nonce of the message that is posted twice."""
        return f"doctor.{self.run}"

    # --- making

    async def finish_shielded(self, making: Coroutine[Any, Any, T]) -> T:
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
        view = self.make_card(text, *pictures, label=label)
        none = discord.AllowedMentions.none()

        async def send() -> discord.Message:
            made = await where.send(
                view=view, files=make_uploads(*pictures), silent=True, allowed_mentions=none, **more
            )
            self.messages[made.id] = where.id
            return self.note_mentions(made)

        return await self.finish_shielded(send())

    def make_card(self, text: str, *pictures: str, label: str = "") -> ui.LayoutView:
        """A message of this run; one with a label has the run's button."""
        assert self.client.user
        said = f"{self.client.user.mention} tries what it builds on. {text}\n-# {self.run_mark}"
        return make_card(said, *pictures, button=(label, self.client.mark) if label else None)

    @property
    def run_mark(self) -> str:
        """What stands in every message of this run."""
        return f"`python -m bot doctor` deletes this message ({self.run})."

    def editor_of(self, message: discord.Message) -> Edits:
        """Something that edits as the bot does, knows this message, and has not learned anything of Discord yet."""
        second = SecondEdits(asyncio.create_task, lambda: 0)  # which hears of no post
        made = Edits(self.client, Naming(MemberCache(self.client)), Metrics(), second)
        made.note(message)
        return made

    async def send_request(self, method: str, route: str, *, about: dict[str, int], body: Any = None) -> Any:
        """One request as it stands."""
        more: dict[str, Any] = {} if body is None else {"json": body}
        return await self.client.http.request(Route(method, route, metadata=None, **about), **more)

    async def edit_raw(self, message: discord.Message, **body: Any) -> None:
        """Edit a message with a body of our own, which may not be what the bot would send."""
        about = {"channel_id": message.channel.id, "message_id": message.id}
        await self.send_request("PATCH", MESSAGE, about=about, body={**body, "allowed_mentions": {"parse": []}})

    async def begin_thread(self, name: str, minutes: int) -> None:
        """Begin a thread on the board, unless there is one."""
        if not self.thread:
            about = {"channel_id": self.channel.id, "message_id": self.first_board.id}
            self.origins.add(self.first_board.id)
            body = {"name": name, "auto_archive_duration": minutes}
            self.thread = int(
                (await self.finish_shielded(self.send_request("POST", THREADS, about=about, body=body)))["id"]
            )

    async def change_thread(self, **body: Any) -> Any:
        """Change the thread; gives what it is then."""
        if not self.thread:
            raise Untried("No thread could be made.")
        made = await self.send_request("PATCH", CHANNEL, about={"channel_id": self.thread}, body=body)
        self.archived = bool(made["thread_metadata"]["archived"])
        return made

    # --- looking

    def note_mentions(self, message: discord.Message) -> discord.Message:
        """Note whom a message has told."""
        self.told |= {one.id for one in message.mentions}
        return message

    async def fetch_message(self, message: discord.Message) -> discord.Message:
        """A message as it stands on Discord."""
        return self.note_mentions(await self.place_of(message).fetch_message(message.id))

    async def expect_pictures(self, message: discord.Message, *pictures: str) -> discord.Message:
        """A message as it stands on Discord; `Fails` unless it shows these pictures."""
        found = await self.fetch_message(message)
        if list_picture_names(found) != [*pictures]:
            raise AssumptionFails(
                f"it shows {join_words(list_picture_names(found))}"
                if list_picture_names(found)
                else "it shows no picture"
            )
        return found

    async def wait_for_act(self) -> Interaction:
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

    async def delete_all(self) -> list[str]:
        """Delete all that was made; a sentence about each thing that stays."""
        left = list[str]()
        try:
            async with asyncio.timeout(CLEAN_WITHIN):
                if await self._wait_for_posts():
                    await self._find_own_messages()
                for thread in sorted(self.origins):
                    left += await self._delete_thread(thread)
                for message in [*self.messages]:
                    left += await self._delete(message)
        except TimeoutError:
            left += [self._describe_leftover(message) for message in self.messages]
        return left

    async def _wait_for_posts(self) -> bool:
        """Wait for what is under way; whether something may have been made of which we were not told."""
        if not self.begun:
            return False
        done, waiting = await asyncio.wait(self.begun, timeout=FINISH_WITHIN)
        for task in waiting:
            task.cancel()
        faults = [task.exception() for task in done if not task.cancelled()]
        unsure = (*UNREACHED, discord.DiscordServerError)
        return bool(waiting) or any(isinstance(fault, unsure) for fault in faults)

    async def _find_own_messages(self) -> None:
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

    async def _delete_thread(self, thread: int) -> list[str]:
        """Delete a thread; where that is not allowed, the messages in it, and archive it."""
        about = {"channel_id": thread}
        try:
            async with asyncio.timeout(DELETE_WITHIN):
                await self.send_request("DELETE", CHANNEL, about=about)
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
                await self.send_request("PATCH", CHANNEL, about=about, body={"archived": True})
        except (discord.HTTPException, *UNREACHED, Untried):
            pass  # it stays, as it is said below
        return [*left, STAYS.format(link=self._link(thread))]

    async def _delete(self, message: int) -> list[str]:
        about = {"channel_id": self.messages[message], "message_id": message}
        try:
            async with asyncio.timeout(DELETE_WITHIN):
                await self.send_request("DELETE", MESSAGE, about=about)
        except discord.NotFound:
            pass
        except (discord.HTTPException, *UNREACHED):
            return [self._describe_leftover(message)]
        del self.messages[message]
        return []

    def _describe_leftover(self, message: int) -> str:
        return f"A message could not be deleted: {self._link(self.messages[message])}/{message}"

    def _link(self, place: int) -> str:
        return f"https://discord.com/channels/{self.channel.guild.id}/{place}"


# The lines of a run: something holds, does not hold, or could not be tried; and the exit status that follows.


HOLDS, FAILS, UNTRIED = "holds", "does not hold", "could not be tried"
COPES = "The bot copes with what does not hold."
NEEDED = "The bot can't do without all of this."
AWAY = "Discord stopped answering. Try again in a while."
YOURS = "Put right what does not hold, as it says above, and run this again."

Attempt = Callable[[DoctorRun], Awaitable[None]]
"""Tries one thing: `Fails` or `Untried`, or an error of discord.py's, unless it holds."""


@dataclass(frozen=True)
class Assumption:
    """Something that the bot builds on: in a sentence without its full stop, how it is tried, and what the bot does
    where it does not hold."""

    text: str
    attempt: Attempt
    otherwise: str
    weight: Severity = Severity.COPES
    needs: Sequence[str] = ()
    """The permissions without which it cannot be tried, as discord.py names them."""
    within: float = 20.0
    """Seconds that the try may take."""


@dataclass
class DoctorVerdict:
    """How many things hold, fail and could not be tried, and the worst of it."""

    counts: dict[str, int] = field(default_factory=lambda: dict.fromkeys((HOLDS, FAILS, UNTRIED), 0))
    worst: Severity = Severity.COPES
    away: bool = False
    """Whether Discord did not answer."""

    @property
    def exit_status(self) -> int:
        """The exit status: 2 where a person has to put something right, 1 for what the bot cannot do without."""
        return int(max(self.worst, Severity.NEEDED if self.away else Severity.COPES))

    def record_try(self, one: Assumption, fault: AssumptionFails | Untried | None) -> str:
        """Count a try, and give its line."""
        word = HOLDS if fault is None else FAILS if isinstance(fault, AssumptionFails) else UNTRIED
        self.counts[word] += 1
        if fault is None:
            return f"{word}: {one.text}."
        if isinstance(fault, Untried):
            self.away = self.away or isinstance(fault, Unanswered)
            return f"{word}: {one.text}. {fault}"
        self.worst = max(self.worst, one.weight)
        seen = f" ({fault})" if str(fault) else ""
        return f"{word}: {one.text}{seen}. {one.otherwise}"

    def summary(self) -> str:
        """The last line."""
        numbers = " ".join(f"{word.capitalize()}: {number}." for word, number in self.counts.items())
        if self.worst:
            return f"{numbers} {YOURS if self.worst is Severity.YOURS else NEEDED}"
        if self.away:
            return f"{numbers} {AWAY}"
        return f"{numbers} {COPES}" if self.counts[FAILS] else numbers
