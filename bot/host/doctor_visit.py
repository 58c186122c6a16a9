"""One run of the doctor in a channel: its client, its messages, and the verdict."""

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

# Results of a try: the assumption holds where nothing is raised, else it fails or could not be tried.


class Severity(IntEnum):
    """The exit status where an assumption fails."""

    COPES = 0
    NEEDED = 1
    """The bot cannot do without it."""
    YOURS = 2
    """The host has to fix it."""


class AssumptionFails(Exception):
    """The assumption fails; the text, if any, says what was seen instead."""


class Untried(Exception):
    """It could not be tried; the text says why, in a sentence."""


class Unanswered(Untried):
    """It could not be tried because Discord did not answer."""


class Stop(Exception):
    """Nothing else can be tried; the text tells the host what to do."""

    def __init__(self, text: str, status: int) -> None:
        super().__init__(text)
        self.status = status


# Building the doctor's messages, of a line of text, pictures and at most one button, and reading messages.


FIRST, SECOND, THIRD = "first.png", "second.png", "third.png"
"""Filenames of the pictures, each of which shows its number."""
PICTURES = {FIRST: "1", SECOND: "2", THIRD: "3"}


def make_card(text: str, *pictures: str, button: tuple[str, str] | None = None) -> ui.LayoutView:
    """A message laid out like a board; `pictures` are filenames or URLs, `button` is a label and a custom_id."""
    view, parts = ui.LayoutView(timeout=None), list[ui.Item[Any]]([ui.TextDisplay(text)])
    if pictures:
        named = [one if "://" in one else f"{NAMED}{one}" for one in pictures]
        parts.append(ui.MediaGallery(*(discord.MediaGalleryItem(one) for one in named)))
    if button:
        parts.append(ui.ActionRow(ui.Button(label=button[0], custom_id=button[1])))
    view.add_item(ui.Container(*parts))
    return view


def make_uploads(*names: str) -> list[Upload]:
    """The pictures of these names as uploads."""
    return [Upload(draw_picture(name), name, f"The number {PICTURES[name]}.") for name in names]


@cache
def draw_picture(name: str) -> bytes:
    number = PICTURES[name]
    return encode_png(Picture(name, (0, 0, 3, 1), (), (Text(1.5, 0.5, number, 0.7),), number))


def list_picture_names(message: discord.Message) -> list[str]:
    """The names of the pictures that a message shows, attachments or not."""
    return [unquote(PurePosixPath(urlsplit(media.url).path).name) for media, _ in iterate_media(message.components)]


def text_of(message: discord.Message) -> str:
    return "\n".join([message.content, *iter_texts(message.components)])


def iter_texts(components: Sequence[Any]) -> Iterator[str]:
    """The texts in components, nested ones included."""
    for one in components:
        if isinstance(one, discord.TextDisplay):
            yield one.content
        yield from iter_texts(getattr(one, "children", ()))


# Reads the database without writing to it: where it is, whether it fits this program, and whether a bot uses it.


LIMITS = TimeLimits(wait=5.0, run=10.0)
"""The host should not have to wait; `check` reads everything."""


class DatabaseLook(NamedTuple):
    """A line about the database, and what keeps the bot from using it."""

    line: str
    fault: AssumptionFails | Untried | None = None


async def look_at_database(url: str, clock: Callable[[], float]) -> DatabaseLook:
    """The report on a database."""
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
    """Whether a bot uses a database, according to the heartbeats in it, given as `notes`."""
    pulses = [Pulse.parse(value) for name, value in notes if name.startswith(HEARTBEAT)]
    silent = [now - pulse.alive for pulse in pulses if pulse and abs(now - pulse.alive) <= UNHEARD_SECONDS]
    return f"A bot runs on it, heard {max(0, min(silent))} s ago." if silent else "No bot runs on it right now."


def strip_full_stop(fault: Exception) -> str:
    """An error's sentence without its full stop, to be put in brackets."""
    return str(fault).rstrip(".")


# The doctor's client: discord.py's as the bot uses it, but it answers only its own button and form.


RATE_LIMITED = 429


class DoctorClient(discord.AutoShardedClient):
    """The connection of one run. `run` marks its buttons."""

    def __init__(self, run: str, clock: Callable[[], float], gateway: str | None, **options: Any) -> None:
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
        """Presses of the doctor's button and submissions of its form."""
        self.headers: Mapping[str, str] = {}
        """Headers of the last answer."""
        self.ahead: float | None = None
        """Seconds by which this machine's clock is ahead of Discord's; None before the first answer."""
        self._paused_until = 0.0
        self._clock = clock
        self._gateway = gateway

    @property
    def pause_seconds(self) -> float:
        """Seconds until the last of the rate limits that Discord has imposed ends."""
        return max(0.0, self._paused_until - loop_time())

    async def launch_shard(self, gateway: URL, shard_id: int, *, initial: bool = False) -> None:
        """Connect once; raises where that fails, while discord.py would retry for ever."""
        if not initial and not self.shards and (refused := sys.exception()):
            raise refused
        await super().launch_shard(URL(self._gateway or gateway), shard_id, initial=initial)

    async def on_interaction(self, interaction: Interaction) -> None:
        """Queue presses and forms of this run; all other interactions are the running bot's."""
        if str(data_of(interaction).get("custom_id", "")) == self.mark:
            self.acts.put_nowait(interaction)

    async def _note_answer(
        self, _: aiohttp.ClientSession, __: SimpleNamespace, answer: aiohttp.TraceRequestEndParams
    ) -> None:
        self.headers = answer.response.headers
        with contextlib.suppress(KeyError, ValueError):
            # Discord's date is in whole seconds, cut off.
            self.ahead = self._clock() - parsedate_to_datetime(self.headers["Date"]).timestamp() - 0.5
        if answer.response.status == RATE_LIMITED:
            with contextlib.suppress(KeyError, ValueError):
                self._paused_until = loop_time() + float(self.headers["Retry-After"])


# One run in a channel: what it posts there, and how all of that is deleted again.


PRESS_WITHIN = 60.0
"""Seconds for a person to press a button."""
FINISH_WITHIN, DELETE_WITHIN, CLEAN_WITHIN = 5.0, 10.0, 40.0
"""Seconds to finish requests under way, to delete one message, and to delete all."""
LOOKED_THROUGH = 50
"""How many messages of the channel are searched for one that Discord posted without answering the request."""
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
    """One run. `say` prints a line for the host; `press`: a person is present to press buttons."""

    client: DoctorClient
    database: DatabaseLook
    run: str
    """Marks this run's messages."""
    say: Callable[[str], None]
    press: bool = False
    serving: asyncio.Task[None] | None = None
    """The task of the connection."""
    place: discord.TextChannel | None = None
    lacking: set[str] = field(default_factory=set[str])
    """The permissions that the bot lacks in the channel."""
    board: discord.Message | None = None
    """The first message, with a picture and a button; None until it is posted."""
    headers: dict[str, str] = field(default_factory=dict[str, str])
    """Headers of Discord's answer to its post."""
    pad: discord.Message | None = None
    """The message with the button to press."""
    pressed: Interaction | None = None
    """The latest press or form."""
    repeated: discord.Message | None = None
    """The message that was posted twice."""
    thread: int = 0
    archived: bool = False
    told: set[int] = field(default_factory=set[int])
    """IDs of the users whom the messages have mentioned."""
    messages: dict[int, int] = field(default_factory=dict[int, int])
    """The messages to delete: message ID → channel ID."""
    origins: set[int] = field(default_factory=set[int])
    """IDs of the messages on which a thread may have been started; the thread has the same ID."""
    nobody: bool = False
    begun: set[asyncio.Task[Any]] = field(default_factory=set[asyncio.Task[Any]])
    """Tasks under way that post something."""

    # --- places

    @property
    def channel(self) -> discord.TextChannel:
        """The channel; raises `Untried` where Discord has not sent it."""
        if self.place is None:
            raise Untried("The bot is not connected.")
        return self.place

    @property
    def first_board(self) -> discord.Message:
        """The board; raises `Untried` where it could not be posted."""
        if self.board is None:
            raise Untried("No board could be posted.")
        return self.board

    def place_of(self, message: discord.Message) -> discord.PartialMessageable:
        """The channel of a message in the form that the bot uses."""
        return self.client.get_partial_messageable(message.channel.id, guild_id=self.channel.guild.id)

    @property
    def nonce(self) -> str:
        """The nonce of the message that is posted twice."""
        return f"doctor.{self.run}"

    # --- posting and editing

    async def finish_shielded(self, making: Coroutine[Any, Any, T]) -> T:
        """Await a coroutine that posts something; it is finished even if the caller is cancelled."""
        task = asyncio.create_task(making)
        self.begun.add(task)
        return await asyncio.shield(task)

    async def post(
        self, text: str, *pictures: str, label: str = "", nonce: str | None = None, place: int = 0
    ) -> discord.Message:
        """Post a silent message that mentions the bot and notifies nobody."""
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
        """A message of this run; with `label` it has the run's button."""
        assert self.client.user
        said = f"{self.client.user.mention} tries what it builds on. {text}\n-# {self.run_mark}"
        return make_card(said, *pictures, button=(label, self.client.mark) if label else None)

    @property
    def run_mark(self) -> str:
        """The text that every message of this run contains."""
        return f"`python -m bot doctor` deletes this message ({self.run})."

    def editor_of(self, message: discord.Message) -> Edits:
        """An editor as the bot uses it, which knows this message and has learned nothing about Discord yet."""
        second = SecondEdits(asyncio.create_task, lambda: 0)  # not notified of posts
        made = Edits(self.client, Naming(MemberCache(self.client)), Metrics(), second)
        made.note(message)
        return made

    async def send_request(self, method: str, route: str, *, about: dict[str, int], body: Any = None) -> Any:
        """Send one request, unchanged."""
        more: dict[str, Any] = {} if body is None else {"json": body}
        return await self.client.http.request(Route(method, route, metadata=None, **about), **more)

    async def edit_raw(self, message: discord.Message, **body: Any) -> None:
        """Edit a message with a body that the bot itself may never send."""
        about = {"channel_id": message.channel.id, "message_id": message.id}
        await self.send_request("PATCH", MESSAGE, about=about, body={**body, "allowed_mentions": {"parse": []}})

    async def begin_thread(self, name: str, minutes: int) -> None:
        """Start a thread on the board, unless there is one."""
        if not self.thread:
            about = {"channel_id": self.channel.id, "message_id": self.first_board.id}
            self.origins.add(self.first_board.id)
            body = {"name": name, "auto_archive_duration": minutes}
            self.thread = int(
                (await self.finish_shielded(self.send_request("POST", THREADS, about=about, body=body)))["id"]
            )

    async def change_thread(self, **body: Any) -> Any:
        """Change the thread; returns its new state."""
        if not self.thread:
            raise Untried("No thread could be made.")
        made = await self.send_request("PATCH", CHANNEL, about={"channel_id": self.thread}, body=body)
        self.archived = bool(made["thread_metadata"]["archived"])
        return made

    # --- reading

    def note_mentions(self, message: discord.Message) -> discord.Message:
        """Note whom a message has mentioned, and return it."""
        self.told |= {one.id for one in message.mentions}
        return message

    async def fetch_message(self, message: discord.Message) -> discord.Message:
        """A message as it is on Discord now."""
        return self.note_mentions(await self.place_of(message).fetch_message(message.id))

    async def expect_pictures(self, message: discord.Message, *pictures: str) -> discord.Message:
        """A message as it is on Discord now; raises `AssumptionFails` unless it shows these pictures."""
        found = await self.fetch_message(message)
        if list_picture_names(found) != [*pictures]:
            raise AssumptionFails(
                f"it shows {join_words(list_picture_names(found))}"
                if list_picture_names(found)
                else "it shows no picture"
            )
        return found

    async def wait_for_act(self) -> Interaction:
        """The next press or form; raises `Untried` where none comes in time."""
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

    # --- deleting

    async def delete_all(self) -> list[str]:
        """Delete all that was posted; a sentence about each message or thread that stays."""
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
        """Wait for requests under way; whether something may have been posted of which no answer came."""
        if not self.begun:
            return False
        done, waiting = await asyncio.wait(self.begun, timeout=FINISH_WITHIN)
        for task in waiting:
            task.cancel()
        faults = [task.exception() for task in done if not task.cancelled()]
        unsure = (*UNREACHED, discord.DiscordServerError)
        return bool(waiting) or any(isinstance(fault, unsure) for fault in faults)

    async def _find_own_messages(self) -> None:
        """Search the channel for messages of this run that were posted without an answer."""
        me, place = self.client.user, self.place
        if me is None or place is None:
            return
        try:
            async with asyncio.timeout(DELETE_WITHIN):
                async for message in place.history(limit=LOOKED_THROUGH):
                    if message.author.id == me.id and self.run in text_of(message):
                        self.messages[message.id] = place.id
        except (discord.HTTPException, *UNREACHED):
            return  # without permission, or without Discord, nothing more can be done

    async def _delete_thread(self, thread: int) -> list[str]:
        """Delete a thread; where that is not allowed, delete the messages in it and archive it."""
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
            pass  # it stays, which is reported below
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


# The verdict: which assumptions hold, fail or could not be tried, and the exit status that follows.


HOLDS, FAILS, UNTRIED = "holds", "does not hold", "could not be tried"
COPES = "The bot copes with what does not hold."
NEEDED = "The bot can't do without all of this."
AWAY = "Discord stopped answering. Try again in a while."
YOURS = "Put right what does not hold, as it says above, and run this again."

Attempt = Callable[[DoctorRun], Awaitable[None]]
"""Tries one assumption: raises `AssumptionFails`, `Untried` or an error of discord.py's unless it holds."""


@dataclass(frozen=True)
class Assumption:
    """Something that the bot assumes of Discord: a sentence without its full stop, how it is tried, and what the bot
    does where it fails."""

    text: str
    attempt: Attempt
    otherwise: str
    weight: Severity = Severity.COPES
    needs: Sequence[str] = ()
    """The permissions that the try needs, by discord.py's names."""
    within: float = 20.0
    """Timeout of the try, in seconds."""


@dataclass
class DoctorVerdict:
    """Counts of the assumptions that hold, fail and could not be tried, and the worst severity."""

    counts: dict[str, int] = field(default_factory=lambda: dict.fromkeys((HOLDS, FAILS, UNTRIED), 0))
    worst: Severity = Severity.COPES
    away: bool = False
    """Whether Discord was unreachable."""

    @property
    def exit_status(self) -> int:
        """2 where the host has to fix something, 1 where an assumption fails that the bot needs, else 0."""
        return int(max(self.worst, Severity.NEEDED if self.away else Severity.COPES))

    def record_try(self, one: Assumption, fault: AssumptionFails | Untried | None) -> str:
        """Count a try, and return its line."""
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
        """The last line of the report."""
        numbers = " ".join(f"{word.capitalize()}: {number}." for word, number in self.counts.items())
        if self.worst:
            return f"{numbers} {YOURS if self.worst is Severity.YOURS else NEEDED}"
        if self.away:
            return f"{numbers} {AWAY}"
        return f"{numbers} {COPES}" if self.counts[FAILS] else numbers
