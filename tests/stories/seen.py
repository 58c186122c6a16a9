"""What people see of a sandbox, as lines of text: each message with its pictures and buttons, in people's names.

Nothing here depends on ids, and moments are told from now on: what a phone shows as "in 3 days" stands in braces, with
all its hours and minutes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from difflib import SequenceMatcher
from itertools import groupby, takewhile

from bot.platform.names import END, ISOLATE
from bot.sandbox import people
from bot.sandbox.components import BUTTON, SELECTS, SILENT, TEXT, media_of, walk_components
from bot.sandbox.errors import Json, list_under, object_under
from bot.sandbox.posts import USER_MENTION
from bot.sandbox.world import THREADS, World
from tests.world.visible_matches import about

ROW = 1
"""The type of Discord's component that holds a row of buttons or a select."""
OWN_LINES = 1, 4, 21
"""The types of Discord's own lines: whom a thread was told to, its new name, and on which message it began."""
MOMENT = re.compile(r"<t:(\d+)(?::([A-Za-z]))?>")
CHANNEL = re.compile(r"<#(\d+)>")
COMMAND = re.compile(r"<(/[^:>]+):\d+>")
OF_MATCH = re.compile(r" · (\d+)(?: · league, .*)?$")
"""The end of a thread's name that has the number of its match."""
LINK = re.compile(r"https://discord\.com/channels/\d+/(\d+)(?:/\d+)?")
MOST_OPTIONS = 20
"""Of more options only those are told that are chosen."""
UNITS = (86_400, "day"), (3_600, "hour"), (60, "minute")
MOST_CHANGED = 0.5
"""Where two versions of a message are less alike than this, the second is told instead of what has changed."""
LEAST_SAME = 4
"""So many lines of an answer that stand on a board, too, are left out."""
UNSEEN = {ord(ISOLATE): None, ord(END): None, 0xA0: " "}


def count(number: int, unit: str) -> str:
    """A number of something."""
    return f"{number} {unit}{'' if number == 1 else 's'}"


def say_duration(seconds: int) -> str:
    """A time in days, hours and minutes."""
    parts, left = list[str](), round(seconds / 60) * 60
    for length, unit in UNITS:
        number, left = divmod(left, length)
        parts += [count(number, unit)] if number else []
    return " ".join(parts)


def join_names(names: list[str]) -> str:
    """Names as one reads them out."""
    return " and ".join(filter(None, (", ".join(names[:-1]), *names[-1:])))


@dataclass(frozen=True)
class Seen:
    """A message as it is shown: `only` is the one person who sees it, if so, and `board` the match that it shows.

    Moments and places stand in its `lines` as Discord is told of them: what is shown of them changes by itself.
    """

    id: str
    place: str
    only: str | None
    board: int | None
    lines: tuple[str, ...]
    told: str


@dataclass(frozen=True)
class Place:
    """A channel or thread as it is shown, and who was added to it."""

    name: str
    state: str
    members: frozenset[str]


class View:
    """All that people see at a moment: `messages` and `places` by id, oldest first."""

    def __init__(self, world: World, now: int) -> None:
        self.world = world
        self.now = now
        self.places = {one["id"]: self._see_place(one) for one in world.channels.values()}
        self.messages = {
            one["id"]: self._see(one)
            for messages in world.messages.values()
            for one in messages.values()
            if one["type"] not in OWN_LINES
        }

    # --- names and moments

    def name(self, user: str) -> str:
        """What somebody is called."""
        known = self.world.users[user]
        return str(known["global_name"] or known["username"])

    def name_place(self, place: str) -> str:
        """A channel by its name; a thread that the bot began by its match's number, where it has begun several."""
        if private := self.world.private.get(place):
            return f"direct messages to {join_names([self.name(one['id']) for one in private['recipients']])}"
        channel = self.world.channels.get(place)
        if channel is None:
            return "a place that is gone"
        if channel["type"] not in THREADS:
            return f"#{channel['name']}"
        begun = [one for one in self.world.channels.values() if one.get("owner_id") == self.world.me]
        if channel not in begun:
            return f"the thread “{channel['name']}”"
        return "the thread" if len(begun) == 1 else f"thread {find_number(channel['name'])}"

    def order_place(self, place: str) -> tuple[int, int]:
        """A key by which channels come before threads, and these by their matches: several may begin at once."""
        channel = self.world.channels.get(place)
        if channel is None or channel["type"] not in THREADS:
            return 0, int(place)
        return 1, find_number(channel["name"]) or int(place)

    def name_people(self, text: str) -> str:
        """A text with names of people and commands instead of ids."""
        text = text.translate(UNSEEN)
        text = USER_MENTION.sub(lambda found: f"@{self.name(found[1])}", text)
        return LINK.sub(r"→ <#\1>", COMMAND.sub(r"\1", text))

    def say(self, text: str) -> str:
        """A text as people read it now."""
        text = CHANNEL.sub(lambda found: self.name_place(found[1]), self.name_people(text))
        return MOMENT.sub(lambda found: self._say_moment(int(found[1]), found[2] or "f"), text)

    def _say_moment(self, moment: int, style: str) -> str:
        there = datetime.fromtimestamp(moment, UTC)
        if style == "R":
            away = say_duration(abs(moment - self.now))
            return "{now}" if not away else f"{{in {away}}}" if moment > self.now else f"{{{away} ago}}"
        clock = f"{there:%H:%M}"
        day = f"{there:%a} {there.day} {there:%b}"
        return f"{{{clock if style in 'tT' else day if style in 'dD' else f'{day}, {clock}'}}}"

    # --- messages and places

    def _see(self, message: Json) -> Seen:
        kind, match = about(message) or ("", 0)
        told = [self.name(one["user"]) for one in self.world.notified if one["message"] == message["id"]]
        silently = [self.name(one["id"]) for one in message["mentions"]] if message["flags"] & SILENT else []
        telling = f"telling {join_names(told)}" if told else ""
        telling = telling or (f"mentioning {join_names(silently)} without a sound" if silently else "")
        board, lines = match if kind == "b" else None, tuple(self.describe(message))
        return Seen(message["id"], message["channel_id"], message["ephemeral_for"], board, lines, telling)

    def describe(self, message: Json) -> Iterator[str]:
        """The lines of a message, in reading order."""
        if message["content"]:
            yield from self._lines(message["content"])
        for embed in message["embeds"]:
            fields = [text for field in list_under(embed, "fields") for text in (field["name"], field["value"])]
            foot = object_under(embed, "footer").get("text")
            for text in filter(None, (embed.get("title"), embed.get("description"), *fields, foot)):
                yield from self._lines(text)
        media = iter(people.list_media(message))
        for one in walk_components(message["components"]):
            if one["type"] == TEXT:
                yield from self._lines(one["content"])
            for _ in [*media_of(one)]:
                yield from self._describe_media(next(media))
            if one["type"] == ROW:
                yield " ".join(map(describe_control, one["components"]))
            elif object_under(one, "accessory").get("type") == BUTTON:
                yield describe_control(one["accessory"])
        for one in media:
            yield from self._describe_media(one)

    def _lines(self, text: str) -> list[str]:
        return [line.rstrip() for line in self.name_people(text).split("\n")]

    def _describe_media(self, media: people.Media) -> Iterator[str]:
        name = str(media.filename)
        if name.endswith((".png", ".gif")):
            first = self.name_people(media.alt or "without words").split("\n")[0]
            yield f"(picture: {first})"
            return
        yield f"(file {name})"
        if name.endswith(".jsonl"):
            yield from people.bytes_of(self.world, media).decode().splitlines()

    def _see_place(self, channel: Json) -> Place:
        data = object_under(channel, "thread_metadata")
        state = " and ".join(name for name in ("archived", "locked") if data.get(name))
        members = frozenset(self.name(one) for one in channel.get("thread_members", ()) if one != self.world.me)
        return Place(channel["name"], state or "open again", members)


def find_number(thread: str) -> int:
    """The number of a thread's match, or 0."""
    found = OF_MATCH.search(thread)
    return int(found[1]) if found else 0


def describe_control(control: Json) -> str:
    """A button or a select in brackets; a select with its options, ✓ before what is chosen; in ~ what is disabled."""
    emoji = object_under(control, "emoji").get("name")
    label = str(control.get("label") or control.get("placeholder") or emoji or "").translate(UNSEEN)
    if control["type"] in SELECTS:
        named = ((one.get("default"), str(one["label"]).translate(UNSEEN)) for one in list_under(control, "options"))
        options = [f"✓ {name}" if is_chosen else name for is_chosen, name in named]
        options += [f"✓ <#{one['id']}>" for one in list_under(control, "default_values") if one["type"] == "channel"]
        if len(options) > MOST_OPTIONS:
            chosen = [one for one in options if one.startswith("✓")]
            options = [*chosen, f"{len(options) - len(chosen)} others" if chosen else f"one of {len(options)}"]
        label = f"{label} ▾{' ' if options else ''}{' | '.join(options)}"
    return f"[~{label}~]" if control.get("disabled") else f"[{label}]"


def describe_form(view: View, form: Json) -> Iterator[str]:
    """The lines of a form: its title, and each field with what stands in it or is suggested."""
    yield f"a form opens, “{view.say(form['title'])}”:"
    for one in walk_components(form["components"]):
        if one["type"] == TEXT:
            yield f"  {view.say(one['content'])}"
        if inner := object_under(one, "component"):
            filled = inner.get("value") or ""
            hint = f" ({inner['placeholder']})" if inner.get("placeholder") and not filled else ""
            yield f"  {view.say(one['label'])}: {view.say(f'{filled}{hint}').strip() or '…'}"


# What has changed from one moment to another.


class Changes:
    """What everybody then sees: of places, of answers to one person, then of messages in their order."""

    def __init__(self, before: View, after: View) -> None:
        self.before, self.after = before, after
        self.boards = [one for one in after.messages.values() if one.board and not one.only]

    def tell(self) -> Iterator[str]:
        """The lines that tell of it."""
        yield from self._tell_places()
        seen = self.before.messages | self.after.messages
        told = {one.place for one in seen.values() if not one.only and self._is_told(one.id)}
        places = {one: self.after.order_place(one) for one in told & self.after.places.keys()}
        if sum(is_thread for is_thread, _ in places.values()) < 2:
            places = {}  # what stands in a thread is told among the rest
        ordered = sorted(seen.values(), key=lambda one: (one.only is None, places.get(one.place, (0, 0)), int(one.id)))
        # What is sent at once comes in any order; a board stands below its line.
        for is_board, together in groupby(ordered, key=lambda one: one.board and one.id):
            for one in together if is_board else sorted(together, key=self._order):
                yield from self._tell_message(self.before.messages.get(one.id), self.after.messages.get(one.id))

    def _is_told(self, message: str) -> bool:
        old, new = self.before.messages.get(message), self.after.messages.get(message)
        return old is None or new is None or old.lines != new.lines

    def _order(self, one: Seen) -> tuple[bool, tuple[int, int], bool, tuple[str, ...]]:
        return one.only is None, self.after.order_place(one.place), one.id not in self.before.messages, one.lines

    def _tell_message(self, old: Seen | None, new: Seen | None) -> Iterator[str]:
        if old is None and new is not None:
            above = self._find_taken_down(new)
            yield from self._tell_edit(above, new) if above else self._tell_new(new)
        elif new is None and old is not None:
            if not self._find_put_below(old):
                yield f"{self._whose(old)} is gone{'.' if old.only else f': {self.after.say(old.lines[0])}'}"
        elif old is not None and new is not None and old.lines != new.lines:
            yield from self._tell_edit(old, new)

    def _find_taken_down(self, new: Seen) -> Seen | None:
        """The board that a new one has taken the place of, further down."""
        gone = (one for key, one in self.before.messages.items() if key not in self.after.messages)
        return next((one for one in gone if new.board and (one.board, one.place) == (new.board, new.place)), None)

    def _find_put_below(self, old: Seen) -> bool:
        new = (one for key, one in self.after.messages.items() if key not in self.before.messages)
        return any(old.board and (one.board, one.place) == (old.board, old.place) for one in new)

    def _tell_places(self) -> Iterator[str]:
        for one, new in sorted(self.after.places.items(), key=lambda place: self.after.order_place(place[0])):
            old, name = self.before.places.get(one), capitalize(self.after.name_place(one))
            if old is None:
                yield f"A thread begins: {new.name}"
                continue
            if old.name != new.name:
                yield f"{name} is now called: {new.name}"
            if old.state != new.state:
                yield f"{name} is {new.state}."
            if added := sorted(new.members - old.members):
                yield f"{join_names(added)} can now follow {self.after.name_place(one)}."
        for one, old in self.before.places.items():
            if one not in self.after.places:
                yield f"{old.name} is gone."

    def _tell_new(self, new: Seen) -> Iterator[str]:
        if new.only:
            yield f"{self.after.name(new.only)} alone reads:"
        else:
            place = self.after.name_place(new.place)
            where = capitalize(place) if new.place in self.after.world.private else f"In {place}"
            yield f"{', '.join(filter(None, (where, 'a board' if new.board else '', new.told)))}:"
        yield from indent(self._shorten(new))

    def _tell_edit(self, old: Seen, new: Seen) -> Iterator[str]:
        if new.board and not new.only and has_buttons(old) and not has_buttons(new):
            left = [self.after.say(line) for line in new.lines if not line.startswith("(picture: ")]
            yield f"{self._whose(new)} above is closed: {left[0]}{' …' if left[1:] else ''}"
            return
        matcher = SequenceMatcher(None, old.lines, new.lines, autojunk=False)
        if matcher.ratio() < MOST_CHANGED:
            yield f"{self._whose(new)} now reads:"
            yield from indent(self._shorten(new))
            return
        change = "changes" if old.id == new.id else "comes down, and changes"
        yield f"{self._whose(new)} {change}:" if old.lines != new.lines else f"{self._whose(new)} comes down."
        for what, low, high, first, last in matcher.get_opcodes():
            if what != "equal":
                yield from (f"  - {self.after.say(line)}" for line in old.lines[low:high])
                yield from (f"  + {self.after.say(line)}" for line in new.lines[first:last])

    def _whose(self, one: Seen) -> str:
        if one.only:
            return f"{self.after.name(one.only)}'s answer"
        return f"In {self.after.name_place(one.place)}, {'the board' if one.board else 'a message'}"

    def _shorten(self, new: Seen) -> list[str]:
        """The lines of a message; of an answer without those that it has from a board."""
        lines, left = list[str](), [*new.lines]
        while left:
            same = max((count_same(left, board.lines) for board in self.boards), default=0) if new.only else 0
            lines.append("(as on the board)" if same >= LEAST_SAME else self.after.say(left[0]))
            left = left[same if same >= LEAST_SAME else 1 :]
        return lines


def count_same(lines: list[str], others: tuple[str, ...]) -> int:
    """How many lines from the first on stand in others one after another."""
    if lines[0] not in others:
        return 0
    pairs = zip(lines, others[others.index(lines[0]) :], strict=False)
    return len([*takewhile(lambda pair: pair[0] == pair[1], pairs)])


def has_buttons(one: Seen) -> bool:
    """Whether something can be pressed below a message."""
    return any(line.startswith("[") for line in one.lines)


def capitalize(text: str) -> str:
    """A text as a sentence begins."""
    return f"{text[0].upper()}{text[1:]}"


def indent(lines: Iterable[str]) -> Iterator[str]:
    """Lines that belong to the one above."""
    yield from (f"  {line}".rstrip() for line in lines)
