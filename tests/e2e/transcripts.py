"""What people get to see of a match, written down so that two stories can be compared: answers, completions, files,
messages as they stand, who was told, and the requests that all of it took, in order.

What differs between any two runs is named by what it is: people and channels by their names, messages by their place in
a channel, tokens and times of Discord's not at all. Everything else must be the same, to the last byte of a picture.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Iterator
from typing import Any

from bot.features.board.posts import NONCES
from bot.games.catalogue import load_games
from bot.platform.checks import TokenBuckets
from bot.platform.custom_ids import PadId
from bot.sandbox import people
from bot.sandbox.client_checks import ClientRefusal
from bot.sandbox.people import BotReply, Person
from bot.sandbox.rest import RequestLogEntry
from tests.e2e.harness import Harness, Json, labels

SNOWFLAKE = re.compile(r"\b[0-9]{17,20}\b")
MOMENT = re.compile(r"\b20[0-9]{2}-[0-9]{2}-[0-9]{2}T[0-9:.+]{8,}Z?")
ADDRESS = re.compile(r"http://127\.0\.0\.1:[0-9]+")
SESSION = re.compile(r"\b[0-9a-f]{32,64}\b")
PROCESS = re.compile(r"\bprocess [0-9]+ on\b")
MARK = re.compile(r'(?<="nonce": ")([^"]+)\.[0-9a-f]{4}(?=")')
"""The mark of its database behind a nonce."""
NONCE = re.compile(r'(?<="nonce": ")(b[0-9]+)\.([0-9]+)')
LINE = re.compile(r'(?<="nonce": ")(l[0-9]+)\.[0-9]+')
"""A nonce made of what a line says, below which board; it counts nothing."""
PRESSED = re.compile(r'(?<="nonce": ")(r[0-9]+)\.[0-9]+')
"""A nonce made of the number of the message that was pressed."""
DIRECT = re.compile(r'(?<="nonce": ")(p[0-9]+)\.[0-9]+')
"""A nonce made of its reader's number."""
TOKEN = re.compile(r"/(interactions|webhooks)/([0-9]+)/([^/?]+)")

EXAMPLES: dict[int, bool | bytes] = {5: True, 11: b'{"game": "plexus", "seats": 2, "moves": []}'}
"""What options are given that are yes or no, or a file, by the numbers of their types."""
MOST = 10_000
"""A greater number in a nonce was made from a message's."""

TRY_OUT, TAKE_BACK = "Try out", "Take back"
TAPS = 6
"""How many keys are tapped on a pad."""

BEGINNING = ("play", "challenge")
"""Commands that begin another match, whose options tell nothing of this one."""

MEMBER = "/guilds/{guild_id}/members/{user_id}"


class Transcript:
    """What some people got, by what it was: "Cem: /matches", "Cem: completing match board, match", "requests"."""

    def __init__(self, harness: Harness) -> None:
        self.harness = harness
        self.world = harness.sandbox.world
        self.got: dict[str, list[str]] = {}

    def note(self, what: str, value: Any) -> None:
        """Write down one thing more."""
        self.got.setdefault(what, []).append(self.named(json.dumps(value, ensure_ascii=False, sort_keys=True)))

    def named(self, text: str) -> str:
        """A text with everything in it called by names that are the same in every run."""
        text = TOKEN.sub(r"/\1/\2/(token)", ADDRESS.sub("", MOMENT.sub("(moment)", SESSION.sub("(session)", text))))
        text = PROCESS.sub("process (number) on", text)
        names = self._names()
        text = LINE.sub(r"\1.(number)", PRESSED.sub(r"\1.(number)", MARK.sub(r"\1", text)))
        text = DIRECT.sub(r"\1.(number)", text)
        text = NONCE.sub(lambda found: f"{found[1]}.{self._nonce(found, names)}", text)
        return SNOWFLAKE.sub(lambda found: names.get(found[0], "(number)"), text)

    def _nonce(self, found: re.Match[str], names: dict[str, str]) -> str:
        boards = self._boards(found[1])
        known = {number: names[number] for number in boards if number in names} or names
        return _counted(int(found[2]), known, boards.values() or self.world.channels)

    def _names(self) -> dict[str, str]:
        named = {number: user["username"] for number, user in self.world.users.items()}
        for place, messages in self.world.messages.items():
            name = f"#{self.world.channels[place]['name']}" if place in self.world.channels else "(direct messages)"
            public = (number for number, one in messages.items() if not one["ephemeral_for"])
            named |= {number: f"{name}[{index}]" for index, number in enumerate(public)} | {place: name}
            gone = (one["id"] for one in self._posted(place) if one["id"] not in messages)
            named |= {number: f"{name}[deleted {index}]" for index, number in enumerate(dict.fromkeys(gone))}
        return named

    def _posted(self, place: str | None = None) -> Iterator[Json]:
        """What the bot has posted, in a place or anywhere, whether it stands or was deleted since."""
        for entry in self.harness.sandbox.request_log:
            posted = entry.method == "POST" and entry.route.endswith("/messages") and entry.status == 200
            if posted and place in (None, entry.answer["channel_id"]):
                yield entry.answer

    def _boards(self, match: str) -> dict[str, str]:
        """The boards of a match, each with its place. Numbers of other places with those of other messages come to the
        same sums now and then."""
        return {one["id"]: one["channel_id"] for one in self._posted() if str(one.get("nonce")).startswith(f"{match}.")}

    # --- what somebody gets

    def reply(self, what: str, answer: BotReply) -> None:
        """Write down an answer: how it came, its form, or its message with all its files."""
        shown = answer.message if answer.message_id and not answer.modal else None
        self.note(what, [answer.kind, self._bare(answer.modal or {}), self.whole(shown) if shown else None])

    def channels(self, person: Person) -> None:
        """Write down all that stands in the channels that somebody sees, and who was told of what."""
        for place in [*self.world.channels.values()]:
            seen = [self.whole(message) for message in person.read_messages(place) if not message["ephemeral_for"]]
            self.note(f"#{place['name']}", [self._bare(place), seen])
        self.note("told", sorted(self.world.notified, key=lambda one: one["channel"]))  # in each place in its order

    def mail(self, person: Person) -> None:
        """Write down what stands in somebody's direct messages."""
        seen = [self.whole(one) for one in person.read_direct_messages() if not one["ephemeral_for"]]
        self.note(f"direct messages of {person.name}", seen)

    def whole(self, message: Json) -> Json:
        """A message with all its files."""
        return {**self._bare(message), "files": [self._held(one) for one in message["attachments"]]}

    def _held(self, attachment: Json) -> str:
        data = people.bytes_of(self.world, attachment)
        drawn = attachment["filename"].endswith((".png", ".gif"))
        return hashlib.sha256(data).hexdigest() if drawn else data.decode()

    def _bare(self, thing: Json) -> Json:
        # A thread quotes its challenge as that stood when the thread was made, beside the answer that changes it.
        return {key: one for key, one in thing.items() if key not in ("id", "last_message_id", "referenced_message")}

    # --- what it took

    def requests(self, but: Person) -> None:
        """Write down the requests to Discord in order, but for the answers to one person.

        Answers are given beside all else, so they have an order of their own. Of what is done side by side (edits of
        several messages, looking for what is left over, asking who is still a member) only that order counts in which
        the requests about one message or one channel come; and who is asked for, not how often.
        """
        log = self.harness.sandbox.request_log
        self.note("members", sorted({(entry.path, entry.status) for entry in log if entry.route == MEMBER}))
        for entry in _in_order(entry for entry in log if entry.route != MEMBER):
            asker = self._answered(entry)
            if asker != but.id:
                self.note("answers" if asker else "requests", [entry.method, entry.path, entry.status])
                self.note("bodies of answers" if asker else "bodies", [entry.method, entry.route, entry.body])

    def _answered(self, entry: RequestLogEntry) -> str | None:
        token = TOKEN.match(entry.path)
        found = self.world.interactions.get(token[3]) if token else None
        return found["user"] if found else None


def _in_order(log: Iterable[RequestLogEntry]) -> list[RequestLogEntry]:
    # What is about one thing keeps its order, and so do answers.
    return sorted(log, key=lambda entry: "" if TOKEN.match(entry.path) else entry.path)


def _counted(number: int, names: dict[str, str], places: Iterable[str]) -> str:
    """A number in a nonce, which counts from those of its place and of the message before it, if there is one: the
    difference is what it may give away."""
    messages = {"0": "none", **names}
    before = {(number - int(place) - int(one)) % NONCES: messages[one] for place in places for one in messages}
    return f"{before[min(before)]} + {min(before)}" if number > MOST else str(number)


def differences(one: Transcript, other: Transcript) -> dict[str, tuple[str, str]]:
    """In what two transcripts differ, and all that stands there in each."""
    names = dict.fromkeys((*one.got, *other.got))
    both = {what: ("\n".join(one.got.get(what, [])), "\n".join(other.got.get(what, []))) for what in names}
    return {what: (first, second) for what, (first, second) in both.items() if first != second}


def is_key(button: people.Button) -> bool:
    """Whether a button adds something to the line of a pad."""
    tapped = PadId.parse(button.custom_id or "")
    return tapped is not None and tapped.tap.does == "pick"


# Every command that there is.


def commands(harness: Harness) -> Iterator[tuple[tuple[str, ...], list[Json]]]:
    """All slash commands that Discord knows of the bot: their names, and their options."""

    def below(path: tuple[str, ...], command: Json) -> Iterator[tuple[tuple[str, ...], list[Json]]]:
        options: list[Json] = command.get("options") or []
        inner = [option for option in options if option["type"] in (1, 2)]
        for each in inner:
            yield from below((*path, each["name"]), each)
        if not inner:
            yield path, options

    for command in harness.sandbox.world.commands:
        yield from below((command["name"],), command)


def lift_rate_limits(harness: Harness) -> None:
    """Nobody is too fast who asks for everything at once, and for more with every new command."""
    gate = harness.life.client.gate
    gate.acts, gate.typing = TokenBuckets(10_000, 1), TokenBuckets(10_000, 1)


class Asker:
    """Somebody who asks for everything there is, and writes down what they get."""

    def __init__(
        self, told: Transcript, person: Person, place: Json, values: Json, elsewhere: str | Json = "games"
    ) -> None:
        """`values` are what options are given, by name; where a match is among them, they are given `elsewhere`."""
        self.told, self.person, self.place, self.values, self.elsewhere = told, person, place, values, elsewhere

    async def use(self, path: tuple[str, ...], options: list[Json]) -> None:
        """Use a command in every way that its options make, each completed first: in the thread of the match, or from
        elsewhere with its number."""
        needed: Json = {}
        for option in options:
            offered = await self._offered(path, option, needed)
            if option.get("required"):
                needed[option["name"]] = self._given(path, option, offered)[0]
        await self._run(path, needed)
        further = [option for option in options if not option.get("required") and path[-1] not in BEGINNING]
        for option in further:
            for value in self._given(path, option, []):
                await self._run(path, {**needed, option["name"]: value})

    async def press(self, message: Json) -> None:
        """Press every button of a message, and tap on the pads that some of them open."""
        for label in labels(message):
            what = f"{self.person.name}: pressing {label}"
            reply = await self.person.press(message, label)
            self.told.reply(what, reply)
            if reply.message_id and TRY_OUT in labels(reply.message):
                what, reply = f"{self.person.name}: trying out", await self.person.press(reply, TRY_OUT)
                self.told.reply(what, reply)
                await self._tap(what, reply)
            if reply.message_id and "Type it" in labels(reply.message):
                await self._tap(what, reply)

    async def _tap(self, what: str, pad: BotReply) -> None:
        """Tap on a pad until a line ends: by turns what stands first, last and in the middle; one step back and
        on again, what is typed, another page. A move that is whole is not played."""
        for tap in range(TAPS):
            keys = [one.label for one in people.list_buttons(pad.message) if not one.disabled and is_key(one)]
            if not keys:
                break
            pad = await self._answer_tap(what, pad, (keys[0], keys[-1], keys[len(keys) // 2])[tap % 3])
        for label in ("Type it", "Back", "Done", "Higher", "Lower", "Back", TAKE_BACK):
            if label in (one.label for one in people.list_buttons(pad.message) if not one.disabled):
                await self._answer_tap(what, pad, label)

    async def _answer_tap(self, what: str, pad: BotReply, label: str) -> BotReply:
        reply = await self.person.press(pad, label)
        self.told.reply(what, reply)
        return pad if reply.modal else reply

    async def replay(self, match: int) -> None:
        """Go through a match to its beginning, on, and to its end, have its moving picture made, and show it to all."""
        opened = await self.person.command("match replay", channel=self.elsewhere, match=match)
        assert len(labels(opened.message)) in (5, 6), opened.text
        for label in labels(opened.message):
            try:
                reply = await self.person.press(opened, label)
            except ClientRefusal as refused:
                self.told.note(f"{self.person.name}: replaying, {label}", str(refused))
                continue
            await self.told.harness.life.idle()
            shown = opened if reply.kind == "update" else reply
            if TRY_OUT in label:
                await self._tap(f"{self.person.name}: trying out", shown)
            self.told.note(f"{self.person.name}: replaying, {label}", self.told.whole(shown.message))
            for further in labels(shown.message) if shown is reply else ():
                await self.person.press(reply, further)
                await self.told.harness.life.idle()

    async def _run(self, path: tuple[str, ...], given: Json) -> None:
        what = f"{self.person.name}: /{' '.join(path)}"
        place = self.elsewhere if "match" in given or "challenge" in path else self.place
        try:
            self.told.reply(what, await self.person.run(path, place, given))
        except ClientRefusal as refused:
            self.told.note(what, str(refused))
        await self.told.harness.life.idle()

    async def _offered(self, path: tuple[str, ...], option: Json, given: Json) -> list[Any]:
        if not option.get("autocomplete"):
            return []
        what = f"{self.person.name}: completing {' '.join(path)}, {option['name']}"
        try:
            found = await self.person.suggest(path, option["name"], self.place, given)
        except ClientRefusal as refused:
            self.told.note(what, str(refused))
            return []
        self.told.note(what, found)
        return [value for _, value in found]

    def _given(self, path: tuple[str, ...], option: Json, offered: list[Any]) -> list[Any]:
        if option["name"] in self.values:
            return [self.values[option["name"]]]
        if option.get("choices"):
            return [choice["value"] for choice in option["choices"]]
        if option.get("autocomplete") or path[0] in load_games():
            return [*offered, "1"]
        if option.get("max_value") is not None:
            return [option["max_value"]]
        if option["type"] in EXAMPLES:
            return [EXAMPLES[option["type"]]]
        raise AssertionError(f"Nobody knows what to give /{' '.join(path)} as {option['name']}.")
