"""The one place that edits messages and answers interactions; names in what is sent; edits sent twice."""

from __future__ import annotations

import asyncio
import io
import logging
from collections import OrderedDict
from collections.abc import AsyncGenerator, Awaitable, Callable, Coroutine, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta
from pathlib import PurePosixPath
from typing import Any, NamedTuple, cast
from urllib.parse import unquote, urlsplit

import discord
from discord import ui

from bot.platform import names
from bot.platform.error_codes import Code, is_code
from bot.platform.interactions import Interaction, find_guild, is_private
from bot.platform.machine import loop_time
from bot.platform.members import MemberCache
from bot.platform.metrics import Metrics, Way
from bot.play.ids import GuildId, UserId

# Views that discord.py does not keep.


class StatelessView(ui.LayoutView):
    """A view that discord.py does not keep. It would keep the items of every unfinished view, those of ephemeral ones
    for a quarter of an hour, each with a task; ours are routed by their custom_id.
    """

    def is_finished(self) -> bool:
        return True


class RawComponentsView(StatelessView):
    """A view of raw components, for a message that Discord has already."""

    def __init__(self, components: Sequence[Mapping[str, Any]]) -> None:
        super().__init__(timeout=None)
        self._sent = components

    def to_components(self) -> Any:
        return [*self._sent]

    def has_components_v2(self) -> bool:
        return True


# Names the people in a message before it is sent, as far as their names can be loaded in time.


REPLY, POST = 1.0, 5.0
"""Seconds to wait for names: in an answer to a user, and before a public message is posted."""


class Naming:
    """Writes names in place of mentions, except for the users that the message pings."""

    def __init__(self, members: MemberCache) -> None:
        self.members = members

    async def name_in_text(
        self, guild: int | None, text: str, told: Sequence[UserId] = (), within: float = POST
    ) -> str:
        """A text with the names that people have in a server; outside of any it stays as it is."""
        return names.format_content(text, await self._load_names(guild, names.find_people(text), told, within), told)

    async def name_in_view(
        self, guild: int | None, view: ui.LayoutView, told: Sequence[UserId] = (), within: float = POST
    ) -> ui.LayoutView:
        """A message of components with the names that people have in a server."""
        parts = view.to_components()
        people = names.find_people(parts)
        if not people and not names.UNNAMED.search(str(parts)):
            return view
        return RawComponentsView(
            names.format_components(parts, await self._load_names(guild, people, told, within), told)
        )

    async def name_in_buttons(self, guild: int | None, view: ui.View) -> None:
        """Write the names that people have in a server into the buttons below a plain text."""
        items = [one.item for one in cast(list[ui.DynamicItem[Any]], view.children)]
        buttons = [cast(ui.Button[Any], one) for one in items if isinstance(one, ui.Button)]
        labels = {one: one.label or "" for one in buttons}
        people = names.find_people([*labels.values()])
        if people:
            known = await self._load_names(guild, people, (), POST)
            for button, label in labels.items():
                button.label = names.format_label(label, known)

    async def _load_names(
        self, guild: int | None, people: Sequence[UserId], told: Sequence[UserId], within: float
    ) -> names.Names:
        me = self.members.client.user
        people = [one for one in people if not me or one != me.id]  # Discord sends a message's author with it
        if guild is None or not people:
            return {}
        await self.members.learn(GuildId(guild), [one for one in people if one not in told], within)
        return self.members.list_names(GuildId(guild), people)


# Repeats an edit that came soon after its message was posted, unless another edit follows.


SOON = 2.0
"""Seconds after the post in which an edit comes too early for some clients."""
PAUSE = 5.0
"""Seconds after such an edit until it is repeated."""
SENT_WITHIN = 10.0
"""Seconds after which a repeat that hangs is given up."""
LET_PASS = 0.5
"""Seconds that an edit waits for a repeat on the same message that is being sent already."""
FORGOTTEN = 60.0
"""Seconds after the post after which no edit that came soon is under way any more, and none is sent once more: the
machine has slept meanwhile, and Discord limits edits of old messages."""

Begin = Callable[[Coroutine[Any, Any, None]], asyncio.Task[None]]
"""Runs a task that no caller awaits."""

log = logging.getLogger(__name__)


@dataclass
class RecentMessage:
    """A recently posted message: when, by the loop's time and by the clock, how many edits of it were started, and the
    repeats that are waiting or being sent."""

    posted: float
    at: int
    edits: int = 0
    waiting: asyncio.Task[None] | None = None
    sending: asyncio.Task[None] | None = None

    def is_forgotten(self, now: float) -> bool:
        """Whether no edit of it has to be watched any more."""
        return now - self.posted > FORGOTTEN and (self.waiting is None or self.waiting.done())


class RecentEdit(NamedTuple):
    """An edit of a recent message: its number among the message's edits, whether it comes soon after the post, and the
    repeat that may arrive after it."""

    message: RecentMessage
    number: int
    soon: bool
    crossed: asyncio.Task[None] | None


class Repeat(NamedTuple):
    """How an edit is repeated: whether the message still shows it, and the request."""

    stands: Callable[[], Awaitable[bool]]
    send: Callable[[], Awaitable[object]]


class EditWatch:
    """Guards a message while an edit of it is repeated; for most messages there is nothing to guard."""

    async def may_begin(self) -> bool:
        """Whether no other edit of the message is about to be sent; checked before Discord is asked."""
        return True

    @asynccontextmanager
    async def sending_guard(self) -> AsyncGenerator[bool]:
        """The repeat is sent inside this block if it yields True."""
        yield True


class SecondEdits:
    """Tracks recently posted messages; `begin` runs the tasks that repeat their edits. `clock` is Discord's, in epoch
    seconds."""

    def __init__(self, begin: Begin, clock: Callable[[], int]) -> None:
        self._begin = begin
        self._clock = clock
        self._young: dict[int, RecentMessage] = {}

    def note_posted(self, message: int) -> None:
        now = loop_time()
        for number in [number for number, one in self._young.items() if one.is_forgotten(now)]:
            del self._young[number]
        self._young.setdefault(message, RecentMessage(now, self._clock()))

    async def begin_edit(self, message: int) -> RecentEdit | None:
        """Note that an edit starts, so that no earlier one is repeated after it; None where the message is old.

        A repeat that is being sent may still arrive later, unless it is done in a moment.
        """
        young = self._young.get(message)
        if young is None:
            return None
        young.edits += 1
        number, soon = young.edits, loop_time() - young.posted < SOON
        if young.waiting:
            young.waiting.cancel()
            young.waiting = None
        if young.sending:
            await asyncio.wait((young.sending,), timeout=LET_PASS)
        return RecentEdit(young, number, soon, young.sending)

    def note_done(self, edit: RecentEdit | None, repeat: Repeat | None) -> None:
        """Note that Discord accepted an edit; `repeat` is None where it cannot be repeated."""
        if edit and repeat and edit.number == edit.message.edits and (edit.soon or edit.crossed):
            edit.message.waiting = self._begin(self._send_later(edit, repeat))

    async def _send_later(self, edit: RecentEdit, repeat: Repeat) -> None:
        """Repeat an edit if the message still shows it; or in any case, where another edit may have overtaken it."""
        message = edit.message
        if edit.crossed:
            await asyncio.wait((edit.crossed,))
        await asyncio.sleep(PAUSE)
        if not edit.crossed and self._clock() - message.at > FORGOTTEN:
            return
        try:
            async with asyncio.timeout(SENT_WITHIN):
                if edit.crossed or await repeat.stands():
                    message.waiting, message.sending = None, asyncio.current_task()
                    await repeat.send()
        except Exception as fault:  # the message is deleted, closed to us or unreachable: its next edit will do
            log.debug("An edit is not sent once more: %r", fault)
        finally:
            message.sending = None


# The one place that edits our messages, by id or as the answer to an interaction.


REMEMBERED = 10_000
"""For how many messages their pictures are remembered; a forgotten one costs a request."""
NAMED = "attachment://"
SAME_TIME = timedelta(milliseconds=1)
"""By how much the time of an edit may differ between Discord's answers."""

ANSWER_CARRIES: Way = "answer with files"
ANSWER_KEEPS: Way = "answer that keeps"
EDIT_KEEPS: Way = "edit that keeps"
REFUSED: dict[Way, str] = {
    ANSWER_CARRIES: "Discord takes no files in answers to buttons: the message is edited after the answer instead.",
    ANSWER_KEEPS: "Discord does not find the pictures that an answer keeps: they are uploaded again.",
    EDIT_KEEPS: "Discord does not find the pictures that an edit keeps: they are uploaded again.",
}
"""The log's line, written once, for a way of keeping files that Discord refuses."""


class Upload(discord.File):
    """A file of bytes that can be sent repeatedly; discord.py's own is empty after its first request."""

    def __init__(self, data: bytes, filename: str, description: str | None = None) -> None:
        super().__init__(io.BytesIO(data), filename, description=description)

    def reset(self, *, seek: int | bool = True) -> None:
        """Seek to the start, in the first attempt too."""
        super().reset(seek=True)

    def close(self) -> None:
        """Stay open for the next request; bytes in memory have nothing to close."""


class KeptFile(discord.Attachment):
    """A file that a message has already; a request that keeps it names its id and filename."""

    def __init__(self, number: int, filename: str, url: str, description: str | None) -> None:
        self.id = number
        self.filename = filename
        self.url = url
        self.description = description

    def to_dict(self) -> Any:
        """The two fields that Discord needs."""
        return {"id": self.id, "filename": self.filename}


Files = Sequence[Upload]
Draw = Callable[[], Awaitable[Files]]
Attachments = Sequence[discord.Attachment | discord.File]
Send = Callable[[Attachments], Awaitable[discord.Message]]
"""Sends an edit with some files, kept or new."""


class Edits:
    """Edits messages, and learns which ways of keeping files Discord accepts; `second` repeats edits."""

    def __init__(self, client: discord.Client, naming: Naming, metrics: Metrics, second: SecondEdits) -> None:
        self.client = client
        self.naming = naming
        self.metrics = metrics
        self._second = second
        self.watch: Callable[[discord.Message], EditWatch] = lambda _message: EditWatch()
        """Makes the guard of a message whose edit is repeated."""
        self.worked: set[Way] = set()
        self.refused: set[Way] = set()
        """The ways that Discord refused when they were first tried in this process: they are not tried again. One that
        has worked before is, since then the picture itself was deleted."""
        self._shown: OrderedDict[int, Mapping[str, KeptFile]] = OrderedDict()

    def note_posted(self, message: discord.Message) -> None:
        """Remember a message that was just posted."""
        self._second.note_posted(message.id)
        self.note(message)

    def note(self, message: discord.Message) -> None:
        """Remember the files that our message shows, for its next edit."""
        self._shown[message.id] = read_files(message.components)
        self._shown.move_to_end(message.id)
        if len(self._shown) > REMEMBERED:
            self._shown.popitem(last=False)

    async def edit(
        self,
        place: discord.PartialMessageable,
        number: int,
        view: ui.LayoutView,
        files: Files | Draw = (),
        keep: bool = False,
    ) -> None:
        """Edit a message by its id.

        files: what the view names and the message does not show. keep: pictures that it shows under the same names
        stay, and the files are only for where they cannot.
        """
        message, known = place.get_partial_message(number), self._shown.get(number)
        view = await self.naming.name_in_view(place.guild_id, view)

        async def send(attachments: Attachments) -> discord.Message:
            made = await self._edit_message(message, view, attachments)
            self.note(made)
            return made

        names = find_file_names(view)
        if keep and names and known is None:
            known = await self._fetch_files(message)
        edit = await self._second.begin_edit(number)
        try:
            made = await self._send(send, names, known or {}, files, keep)
        except discord.HTTPException:
            self._shown.pop(number, None)  # another process may have edited it
            raise
        self._second.note_done(edit, self._make_repeat(message, view, made))

    async def edit_line(
        self, place: discord.PartialMessageable, number: int, guild: int, text: str, tell: Sequence[UserId]
    ) -> None:
        """Edit a plain line by its id; the users in `tell` stay mentioned."""
        mentions = discord.AllowedMentions(users=[discord.Object(user) for user in tell], everyone=False, roles=False)
        text = await self.naming.name_in_text(guild, text, tell)
        await place.get_partial_message(number).edit(content=text, allowed_mentions=mentions)

    async def _edit_message(
        self, message: discord.PartialMessage, view: ui.LayoutView, attachments: Attachments
    ) -> discord.Message:
        mentions = discord.AllowedMentions.none()
        # A challenge was posted as a plain line with buttons, which the view replaces.
        return await message.edit(content=None, view=view, attachments=attachments, allowed_mentions=mentions)

    def _make_repeat(
        self, message: discord.PartialMessage, view: ui.LayoutView, made: discord.Message
    ) -> Repeat | None:
        """How the edit that returned `made` is repeated with the pictures that it has; None where they would have to be
        uploaded."""
        names, known, at = find_file_names(view), read_files(made.components), made.edited_at
        if at is None or not known.keys() >= {*names} or (names and EDIT_KEEPS in self.refused):
            return None

        watch = self.watch(made)

        async def stands() -> bool:
            if not await watch.may_begin():
                return False
            now = (await message.fetch()).edited_at  # another process may have edited it since
            return now is not None and abs(now - at) < SAME_TIME

        async def send() -> None:
            async with watch.sending_guard() as wanted:
                if wanted:
                    await self._edit_message(message, view, [known[name] for name in names])

        return Repeat(stands, send)

    async def _fetch_files(self, message: discord.PartialMessage) -> Mapping[str, KeptFile]:
        """The files that a message shows; none where the bot may not read it."""
        try:
            self.note(await message.fetch())
        except discord.Forbidden:
            return {}
        return self._shown[message.id]

    async def answer(
        self, interaction: Interaction, view: ui.LayoutView, files: Files | Draw = (), keep: bool = False
    ) -> None:
        """Edit the message that was used, or the deferred answer; `files` and `keep` are as in `edit`."""
        message, view = interaction.message, await self.naming.name_in_view(find_guild(interaction), view, within=REPLY)
        edit = await self._second.begin_edit(message.id) if message else None
        made = await self._edit_answer(interaction, view, files, keep)
        if message and made and made.id == message.id:
            partial = self.client.get_partial_messageable(message.channel.id).get_partial_message(message.id)
            self._second.note_done(edit, self._make_repeat(partial, view, made))

    async def _edit_answer(
        self, interaction: Interaction, view: ui.LayoutView, files: Files | Draw, keep: bool
    ) -> discord.Message | None:
        """Edit the message of an answer; returns it where Discord sends it back."""
        names, message = find_file_names(view), interaction.message
        known = read_files(message.components) if message else {}
        if not interaction.response.is_done():
            if made := await self._answer_at_once(interaction, view, names, known, files, keep):
                return made.resource if isinstance(made.resource, discord.Message) else None
            await interaction.response.defer()

        async def send(attachments: Attachments) -> discord.Message:
            # Where the same press came twice, the answer may be the other one's line, which the view replaces.
            return await interaction.edit_original_response(content=None, view=view, attachments=attachments)

        return await self._send(send, names, known, files, keep)

    async def _answer_at_once(
        self, interaction: Interaction, view: ui.LayoutView, names: Sequence[str], known: Mapping[str, KeptFile],
        files: Files | Draw, keep: bool,
    ) -> discord.InteractionCallbackResponse[discord.Client] | None:  # fmt: skip
        """Answer with the edited message itself; None where Discord refuses that, and nothing is answered."""
        kept = self._choose_kept(names, known, files, keep and ANSWER_KEEPS not in self.refused)
        new = await make_uploads(files, kept)
        ways: list[Way] = [*([ANSWER_KEEPS] if kept else ()), *([ANSWER_CARRIES] if new else ())]
        if ANSWER_CARRIES in ways and ANSWER_CARRIES in self.refused:
            return None
        try:
            made = await interaction.response.edit_message(content=None, view=view, attachments=[*kept.values(), *new])
        except discord.HTTPException as fault:
            if not ways or not is_about_files(fault):
                raise
            self._learn(ways[-1], False)
            return None
        for way in ways:
            self._learn(way, True)
        return made

    async def _send(
        self, send: Send, names: Sequence[str], known: Mapping[str, KeptFile], files: Files | Draw, keep: bool
    ) -> discord.Message:
        """Send an edit that keeps files, or where Discord does not find them, one that uploads all."""
        kept = self._choose_kept(names, known, files, keep and EDIT_KEEPS not in self.refused)
        try:
            made = await send([*kept.values(), *await make_uploads(files, kept)])
        except discord.HTTPException as fault:
            if not kept or not is_about_files(fault):
                raise
            self._learn(EDIT_KEEPS, False)
            new = await make_uploads(files, {})
            lost = [kept[name] for name in kept if name not in {one.filename for one in new}]
            return await send([*[Upload(await self.fetch(one), one.filename, one.description) for one in lost], *new])
        if kept:
            self._learn(EDIT_KEEPS, True)
        return made

    def _choose_kept(
        self, names: Sequence[str], known: Mapping[str, KeptFile], files: Files | Draw, keep: bool
    ) -> Mapping[str, KeptFile]:
        """Which of the named files a message shows already and need not be uploaded."""
        if callable(files) and not keep:
            return {}
        new = () if keep or callable(files) else {one.filename for one in files}
        return {name: known[name] for name in names if name in known and name not in new}

    async def fetch(self, file: KeptFile) -> bytes:
        return await self.client.http.get_from_cdn(file.url)

    def _learn(self, way: Way, taken: bool) -> None:
        self.metrics.count_edit(way, taken)
        if taken:
            self.worked.add(way)
        elif way not in self.worked | self.refused:
            self.refused.add(way)
            log.info(REFUSED[way])


def edits_of(interaction: Interaction) -> Edits:
    edits: Edits = interaction.client.edits
    return edits


async def answer(interaction: Interaction, view: ui.LayoutView, files: Files | Draw = (), keep: bool = False) -> None:
    """Edit the message that was used, or the deferred answer (see `Edits.answer`). A message that others see is not
    edited: then this sends a new ephemeral message."""
    if has_private_message(interaction):
        await edits_of(interaction).answer(interaction, view, files, keep)
    else:
        await answer_anew(interaction, view, await make_uploads(files, {}))


async def answer_for_all(
    interaction: Interaction, view: ui.LayoutView, files: Files | Draw = (), keep: bool = False
) -> None:
    """Edit the message that was used, which others see too."""
    await edits_of(interaction).answer(interaction, view, files, keep)


def has_private_message(interaction: Interaction) -> bool:
    """Whether there is a message to edit that others don't see: the one that was used, or the answer."""
    own = discord.InteractionResponseType.channel_message, discord.InteractionResponseType.deferred_channel_message
    return is_private(interaction) or interaction.response.type in own


async def answer_line(interaction: Interaction, line: str) -> None:
    """Replace the line or the placeholder that was the answer by a line."""
    naming = edits_of(interaction).naming
    await interaction.edit_original_response(
        content=await naming.name_in_text(find_guild(interaction), line, within=REPLY)
    )


async def answer_anew(
    interaction: Interaction, said: str | ui.LayoutView, files: Sequence[discord.File] = (), *, ephemeral: bool = True
) -> None:
    """Answer with a new message, ephemeral or public without a push notification; after a deferral it follows the
    answer."""
    naming, guild = edits_of(interaction).naming, find_guild(interaction)
    if isinstance(said, str):
        shown: dict[str, Any] = {
            "content": await naming.name_in_text(guild, said, within=REPLY),
            "suppress_embeds": True,
        }
    else:
        shown = {"view": await naming.name_in_view(guild, said, within=REPLY)}
    shown |= {} if ephemeral else {"silent": True}
    if interaction.response.is_done():
        await interaction.followup.send(**shown, files=[*files], ephemeral=ephemeral)
    else:
        await interaction.response.send_message(**shown, files=[*files], ephemeral=ephemeral)


async def make_uploads(files: Files | Draw, kept: Mapping[str, KeptFile]) -> Files:
    """The files that are not kept; drawn here if given as a function."""
    if callable(files):
        return () if kept else await files()
    return [one for one in files if one.filename not in kept]


def is_about_files(fault: discord.HTTPException) -> bool:
    """Whether Discord refused a message because of a file that it does not find. The code only says that the form is
    invalid, the text which part."""
    return is_code(fault, Code.INVALID_FORM) and "attachment" in fault.text.lower()


def find_file_names(view: ui.LayoutView) -> list[str]:
    return [url.removeprefix(NAMED) for url in iterate_urls(view.to_components()) if url.startswith(NAMED)]


def iterate_urls(value: Any) -> Iterator[str]:
    """All media URLs in the components of a message to be sent."""
    if isinstance(value, dict):
        fields: dict[str, Any] = value  # pyright: ignore[reportUnknownVariableType]
        for key, one in fields.items():
            if key == "url" and isinstance(one, str):
                yield one
            else:
                yield from iterate_urls(one)
    elif isinstance(value, list):
        for one in value:  # pyright: ignore[reportUnknownVariableType]
            yield from iterate_urls(one)


def read_files(components: Sequence[Any]) -> dict[str, KeptFile]:
    """The files that a received message shows, by name, in order. They are read from its components, since a file that
    a component shows is not among the message's attachments."""
    return {file.filename: file for media, text in iterate_media(components) if (file := make_kept_file(media, text))}


def iterate_media(components: Sequence[Any]) -> Iterator[tuple[discord.UnfurledMediaItem, str | None]]:
    """The media items of a message, each with its alt text."""
    for one in components:
        if isinstance(one, discord.MediaGalleryComponent):
            yield from ((item.media, item.description) for item in one.items)
        elif isinstance(one, discord.ThumbnailComponent | discord.FileComponent):
            yield one.media, getattr(one, "description", None)
        else:
            yield from iterate_media([*getattr(one, "children", ()), *filter(None, [getattr(one, "accessory", None)])])


def make_kept_file(media: discord.UnfurledMediaItem, description: str | None) -> KeptFile | None:
    """The file of a media item; None where its URL has no file name."""
    name = unquote(PurePosixPath(urlsplit(media.url).path).name)
    return KeptFile(media.attachment_id, name, media.url, description) if media.attachment_id and name else None
