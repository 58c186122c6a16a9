"""Tells stories: reads who does what, lets them do it with the whole bot on the sandbox, and writes what all then see.

A story is a Markdown file in a folder of tests/stories that names its feature. What is not indented is its script:
headings (`# …`), remarks (`> …`), and steps, a line each. What is indented by four spaces below a step is the
transcript, the golden text of what everybody then saw (`tests/stories/seen.py`). Steps are

    Ann and Bea play Binary Primes            they have begun, and Ann has the first move; options of the challenge
                                              follow after `with`: `with pace:3 legs:2`
    Ann plays Sums Grid alone                 a match that she plays by herself
    Ann: /match replace seat:2 player:Dora    a command in the thread of the newest match
    Ann in #games: /matches                   a command elsewhere; `in thread 1`: in match 1's thread
    Ann types b2                              the command /move with that line
    Ann presses More … → Take back            buttons, each in what was shown last; `Ann in thread 1 presses …`
    Bea still sees Refuse and presses it      a button that is gone from Discord by now
    Ann chooses Bea in Challenge somebody …   an option of a select, up to its first `·`, people (`Bea and Cem`), or a
                                              #channel
    Ann fills in Square: b2                   the form that she has opened; fields are parted by `; `
    Ann begins to type /match replace seat:   what is suggested for the last option
    3 days pass                               the bot looks every six hours what is due; or `, hour by hour`
    it is Friday 14:00                        the same until the next such moment in UTC; also `, hour by hour`
    the bot restarts                          it is killed, and another begins
    the bot is gone for 3 days                the same, but another begins so much later
    the bot cannot send messages in #games    or whatever else Discord's permissions are called
    the channel #games is deleted             with all its threads
    the computer is switched off              by who hosts the bot
    somebody deletes the last message in #games
    Bea leaves the server                     also `comes back to the server` and `cannot see #games`
    Bea refuses direct messages               also `allows direct messages`

A step in parentheses happens without a transcript, and `; ` parts several there. Clocks stand still but where time
passes; lots are drawn by a seed.

`python -m tests.stories.teller` tells all stories anew, or those whose names contain one of the words that it is given.
Read what `git diff` shows then: people see every line of it.
"""

from __future__ import annotations

import asyncio
import re
import sys
import tempfile
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from bot.games.catalogue import load_games
from bot.play.loaded_match import FoldCache
from bot.sandbox import client_checks, people
from bot.sandbox.client_checks import ClientRefusal
from bot.sandbox.commands import BOOLEAN, CHANNEL, INTEGER, NUMBER
from bot.sandbox.errors import Json, list_under
from bot.sandbox.interactions import NoAnswerInTime
from bot.sandbox.people import BotReply, Person
from bot.sandbox.world import THREADS
from data.store import Reader
from tests.e2e.conftest import opened
from tests.e2e.harness import Harness, owed
from tests.simulation.machine import simulated_loop
from tests.stories.seen import Changes, View, describe_form, find_number, indent, join_names, say_duration
from tests.support.command_tree import commands
from tests.support.empty_database import empty_database
from tests.world.findings import Ledger, buttonless, news, orphans

FOLDER = Path(__file__).parent
MEMORY = Path("/dev/shm")
INDENT = "    "
REFUSED, UNANSWERED = "Discord refuses", "The bot does not answer"
NOTHING, LATER = "Nobody sees a change.", "Some seconds later:"
MINUTE, HOUR, DAY = 60, 3_600, 86_400
SECONDS = {"minute": MINUTE, "hour": HOUR, "day": DAY, "week": 7 * DAY}
OPTION = re.compile(r" ([a-z]\w*):")
SOON = 60
"""Seconds after which all must be shown that is stored."""
STEPS_OF_LEAGUES = 3
"""So often the bot looks at most what is to be done: matches begin, they have places, and people are told of them."""
BETWEEN = 3
"""Seconds between two steps: nobody presses faster."""

Step = Callable[..., Awaitable[None]]
STEPS: list[tuple[re.Pattern[str], Step]] = []
"""What the lines of a script look like, and what then happens."""


def step(pattern: str) -> Callable[[Step], Step]:
    """Marks what happens at a line of this form; `{who}` is a name."""

    def mark(done: Step) -> Step:
        STEPS.append((re.compile(pattern.replace("{who}", r"(?P<who>[A-Z]\w*)")), done))
        return done

    return mark


def list_stories() -> dict[str, Path]:
    """The files of all stories, by their features and names."""
    return {str(path.relative_to(FOLDER).with_suffix("")): path for path in sorted(FOLDER.glob("*/*.md"))}


def read_script(text: str) -> list[str]:
    """The lines of a story that are no transcript, without those between paragraphs."""
    return [line.rstrip() for line in text.splitlines() if line.strip() and not line.startswith(INDENT)]


def is_refused(line: str, notes: list[str]) -> bool:
    """Whether an act in a match came to no more than a sentence that one person reads."""
    if any(one.startswith((REFUSED, UNANSWERED)) for one in notes):
        return True
    is_act = re.search(r": /match | types | presses ", line) is not None
    is_plain = all(one.startswith("  ") and one[2] not in "[(" for one in notes[1:])
    return is_act and bool(notes) and notes[0].endswith(" alone reads:") and is_plain


class Teller:
    """Tells one story. Steps use `take` for what somebody does, and `notes` for what no message shows."""

    def __init__(self, harness: Harness) -> None:
        self.harness = harness
        self.world = harness.sandbox.world
        self.games = load_games()
        self.answers: dict[str, BotReply] = {}
        self.forms: dict[str, BotReply] = {}
        self.shown: list[Json] = []
        """Every message with buttons, in each of its versions."""
        self.notes: list[str] = []
        self.passed = 0
        """Seconds that have passed in the story."""
        self._is_changed = False
        self._notified = 0
        """How many of what has notified people was looked at."""
        self._folds = FoldCache(self.games)
        self._ledger = Ledger(harness.url)
        harness.clock.at = harness.clock()
        discords = self.world.clock
        self.world.clock = lambda: discords() + self.passed
        self.world.listeners.append(self._hear)
        self._seen = self.look()
        self.let_memory_age()

    def let_memory_age(self) -> None:
        """Let what the bot remembers of a server's members grow old as the story's time passes."""
        members = self.harness.life.client.publisher.members
        clock = members.clock
        members.clock = lambda: clock() + self.passed

    def _hear(self, *_: Any) -> None:
        self._is_changed = True

    # --- a story, step by step

    async def tell(self, text: str) -> str:
        """The story of a file with its transcript as it is now."""
        told = list[str]()
        for line in read_script(text):
            told += ["", line] if told else [line]
            if line.startswith("(") and line.endswith(")"):
                for part in line[1:-1].split("; "):
                    self.notes = []
                    await self._do(part)
                    assert not is_refused(part, self.notes), f"{part}: {self.notes}"
            elif not line.startswith(("#", ">")):
                self.notes = []
                await self._do(line)
                told += ["", *(f"{INDENT}{one}".rstrip() for one in self.notes or [NOTHING])]
        return "\n".join([*told, ""])

    async def _do(self, line: str) -> None:
        for pattern, done in STEPS:
            if found := pattern.fullmatch(line):
                given = {name: text for name, text in found.groupdict().items() if text is not None}
                await asyncio.sleep(BETWEEN)
                try:
                    await done(self, **given)
                    self.notes += await self.note_changes()
                except Exception as fault:
                    fault.add_note(f"This was the step: {line}")
                    raise
                return
        raise AssertionError(f"No step of a story reads: {line}")

    async def note_changes(self) -> list[str]:
        """What people see changed since the last time, when the bot is done; nobody may be told twice at once."""
        if self.is_alive:
            await self.harness.life.idle()
        if not self._is_changed:
            return []
        if self.is_alive:
            await self._settle()
        before, self._seen, self._is_changed = self._seen, self.look(), False
        told = Counter(self._seen.name(one["user"]) for one in self.world.notified[self._notified :])
        self._notified = len(self.world.notified)
        twice = [name for name, times in told.items() if times > 1]
        gone = [name for name in told if self.person(name).id not in self.world.home_members]
        assert not twice, f"{join_names(twice)} are told twice at once"
        assert not gone, f"{join_names(gone)} are told, and have left the server"
        for channel in self.world.messages.values():
            self.shown += [{**one} for one in channel.values() if list_labels(one) and one not in self.shown]
        if self.is_alive:
            await self._check()
        return [*Changes(before, self._seen).tell()]

    async def _settle(self) -> None:
        """Wait until no computer is to move, leagues are seen to, and all that is stored is shown. What is not shown at
        once is shown later, when the bot looks what lags behind; and what it has put off for a moment comes due."""
        await self.harness.thought()
        await self._see_to_leagues()
        await self.harness.life.idle()
        publisher = self.harness.life.client.publisher
        for tried in range(SOON):
            if not await self.harness.store.ask(owed):
                return
            if tried == 1:
                self.notes.append(LATER)
                await publisher.catch_up()
            await publisher.retry_failed()
            await asyncio.sleep(0.1)
            await self.harness.life.idle()
            if tried:
                self.let_pass(1)
        raise AssertionError("the bot does not show what is stored")

    async def _see_to_leagues(self) -> None:
        """Let the bot do in leagues what follows from what has happened; whom it lets sleep is left."""
        for _ in range(STEPS_OF_LEAGUES):
            await self.harness.life.idle()
            if not await self.harness.store.ask(is_league_behind, self.harness.clock()):
                return
            await self.harness.life.does(self.harness.life.client.handlers.league_keeper.poll())

    async def look_around(self) -> None:
        """Let the bot do what it does by itself every few seconds or minutes."""
        client = self.harness.life.client
        await self.harness.life.does(client.keep_time())
        await self.harness.life.does(client.sweep())
        await self.harness.life.does(client.handlers.league_keeper.poll())
        await self.harness.life.does(client.post_puzzle_and_week())
        await self.harness.life.does(client.rewriter.poll())
        await self.harness.life.idle()
        await self.harness.life.does(client.retry_failed())

    def let_pass(self, seconds: int) -> None:
        """Put the clocks of the bot and of Discord forward."""
        assert self.harness.clock.at
        self.harness.clock.at += seconds
        self.passed += seconds

    async def pass_time(self, seconds: int, slowly: str) -> AsyncIterator[int]:
        """Let time pass, while the bot looks every six hours what is due, or every hour; the moments at which people
        see a change, before that is told."""
        while seconds:
            pause = min(seconds, HOUR if slowly else 6 * HOUR)
            seconds -= pause
            self.let_pass(pause)
            await self.harness.run_due_acts(0)
            await self.look_around()
            if changes := await self.note_changes():
                yield self.harness.clock()
                self.notes += indent(changes)

    def look(self) -> View:
        """What everybody sees now."""
        return View(self.world, self.harness.clock())

    async def _check(self) -> None:
        """Check what must be so at any moment: matches are what their records come to, and are shown so."""
        rows = self._ledger.rows()
        for match in (one for one in rows if one.played):
            row = await self.harness.row(match.id)
            folded = self._folds(row).begun_match
            assert row.plies == len(row.record), f"match {match.id}"
            assert row.state != "live" or row.turn == folded.turn, f"match {match.id}: {row.turn} for {folded.turn}"
        found = [*orphans(self.world, rows), *buttonless(self.world, rows), *news(self.world, rows)]
        found += self._ledger.torn()
        assert not found, found

    # --- who, what and where

    @property
    def is_alive(self) -> bool:
        """Whether the bot runs."""
        return not self.harness.life.ended and not self.harness.life.dead

    def person(self, who: str) -> Person:
        return self.harness.sandbox.person(who)

    @property
    def threads(self) -> list[Json]:
        """The threads of matches, oldest first."""
        begun = [one for one in self.world.channels.values() if one["type"] in THREADS]
        return [one for one in begun if one["owner_id"] == self.world.me]

    @property
    def here(self) -> Json:
        """Where the newest match is played, or the channel for challenges."""
        return self.threads[-1] if self.threads else self.harness.sandbox.channel("games")

    def find_place(self, name: str) -> Json:
        """A channel by its name, or a thread by its match's number."""
        if name.startswith("thread "):
            number = int(name.removeprefix("thread "))
            return next(one for one in self.threads if find_number(one["name"]) == number)
        return self.harness.sandbox.channel(name.removeprefix("#"))

    def read_command(self, who: str, place: Json, text: str) -> tuple[list[str], Json]:
        """A command as it is typed: its path, and its options by name."""
        path, *parts = OPTION.split(f"{text} ")
        steps = path.split()
        _, chain = client_checks.find_command(self.world, self.person(who).id, place["id"], steps)
        known = {one["name"]: one for one in list_under(chain[-1], "options")}
        given = dict(zip(parts[::2], (part.strip() for part in parts[1::2]), strict=True))
        return steps, {name: self._read_option(known[name], value) for name, value in given.items()}

    def _read_option(self, option: Json, value: str) -> Any:
        chosen = {str(one["name"]): one["value"] for one in list_under(option, "choices")}
        if value in chosen:
            return chosen[value]
        match option["type"]:
            case kind if kind == INTEGER:
                return int(value)
            case kind if kind == NUMBER:
                return float(value)
            case kind if kind == BOOLEAN:
                return value == "yes"
            case kind if kind == CHANNEL:
                return self.harness.sandbox.channel(value.removeprefix("#"))["id"]
            case _:
                return value

    async def take(self, who: str, answer: Callable[[], Awaitable[BotReply]]) -> BotReply | None:
        """Let somebody act, and keep what they are answered."""
        try:
            reply = await answer()
        except ClientRefusal as refused:
            self.notes.append(f"{REFUSED}: {refused}")
            return None
        except NoAnswerInTime:
            self.notes.append(f"{UNANSWERED} {who}.")
            return None
        if reply.modal:
            self.forms[who] = reply
            first, *fields = describe_form(self.look(), reply.modal)
            self.notes += [f"For {who} {first}", *fields]
        elif reply.message_id:
            self.answers[who] = reply
        return reply

    def find_shown(self, who: str, label: str, place: str = "") -> Json:
        """The message on which somebody finds a button or select: the last answer to them, or what stands lowest."""
        places = [self.find_place(place)] if place else [*self.world.channels.values()]
        seen = [one for channel in places for one in self.person(who).read_messages(channel)]
        answer = self.answers.get(who)
        near = [answer.message] if answer and answer.is_visible and not place else []
        found = [one for one in (*sorted(seen, key=lambda one: int(one["id"])), *near) if label in list_labels(one)]
        assert found, f"{who} sees no {label}, but {sorted({label for one in seen for label in list_labels(one)})}"
        return found[-1]


def is_league_behind(reader: Reader, now: int) -> bool:
    """Whether something is to be done in a league, or to be shown or told of it."""
    return bool(reader.leagues_due(now) or reader.leagues_lagging() or reader.leagues_untold())


def list_labels(message: Json) -> list[str]:
    """The labels of the buttons and selects that can be pressed."""
    return [one.label for one in people.list_buttons(message) if not one.disabled]


# --- what people do


@step(r"(?P<names>[A-Z]\w*(?:(?:, | and )[A-Z]\w*)*) play (?P<title>[^:]+?)(?: with(?P<options> .+))?")
async def play(teller: Teller, names: str, title: str, options: str = "") -> None:
    """A match that all have accepted; the first of them has the first move."""
    game = next(one for one in teller.games.values() if one.title == title)
    host, *guests = re.split(", | and ", names)
    usual = {"size:": " size:3", "legs:": " legs:1"} if game.key == "binary-primes" else {}
    asked = "".join(f" opponent{'' if at == 1 else at}:{guest}" for at, guest in enumerate(guests, 1))
    more = "".join(option for name, option in {"seat:": " seat:me", **usual}.items() if name not in options)
    steps, given = teller.read_command(
        host, teller.harness.sandbox.channel("games"), f"{game.key} challenge{asked}{more}{options}"
    )
    await teller.person(host).run(steps, "games", given)
    await teller.note_changes()
    lobby = teller.person(host).read_messages("games")[-1]
    for guest in guests:
        await teller.person(guest).press(lobby, "Accept")


@step(r"{who} plays (?P<title>[^:]+?) alone(?: with(?P<options> .+))?")
async def plays_alone(teller: Teller, who: str, title: str, options: str = "") -> None:
    """A match that somebody plays by themselves."""
    game = next(one for one in teller.games.values() if one.title == title)
    games = teller.find_place("#games")
    steps, given = teller.read_command(who, games, f"{game.key} challenge seats:1{options}")
    await teller.person(who).run(steps, games, given)


@step(r"{who}(?: in (?P<place>#[\w-]+|thread \d+))?: /(?P<text>.+)")
async def command(teller: Teller, who: str, text: str, place: str = "") -> None:
    """A slash command."""
    channel = teller.find_place(place) if place else teller.here

    async def run() -> BotReply:
        steps, given = teller.read_command(who, channel, text)
        return await teller.person(who).run(steps, channel, given)

    await teller.take(who, run)


@step(r"{who} types (?P<line>.+)")
async def types(teller: Teller, who: str, line: str) -> None:
    """A move by command."""
    await teller.take(who, lambda: teller.person(who).command("move", channel=teller.here, line=line))


@step(r"{who}(?: in (?P<place>#[\w-]+|thread \d+))? presses (?P<labels>.+)")
async def presses(teller: Teller, who: str, labels: str, place: str = "") -> None:
    """Buttons, one after another."""
    for label in labels.split(" → "):
        shown = teller.find_shown(who, label, place)
        await teller.take(who, lambda shown=shown, label=label: teller.person(who).press(shown, label))


@step(r"{who} still sees (?P<label>.+) and presses it")
async def presses_late(teller: Teller, who: str, label: str) -> None:
    """A button that was there before."""
    person = teller.person(who)
    mine = [one for one in teller.shown if one["ephemeral_for"] in (None, person.id) and label in list_labels(one)]
    now = [one for place in teller.world.channels.values() for one in person.read_messages(place)]
    old = [one for one in mine if not any(one["id"] == shown["id"] and label in list_labels(shown) for shown in now)]
    assert old, f"{who} has never seen {label}, or still sees it"
    custom_id = next(one.custom_id for one in people.list_buttons(old[-1]) if one.label == label)
    await teller.take(who, lambda: teller.harness.forge(person, old[-1], str(custom_id)))


@step(r"{who} chooses (?P<value>.+?) in (?P<label>.+)")
async def chooses(teller: Teller, who: str, value: str, label: str) -> None:
    """An option of a select, a channel, or people."""
    shown = teller.find_shown(who, label)
    selects = [one for one in people.list_buttons(shown) if one.label == label]
    offered = [(one, *option) for one in selects for option in one.options]
    found = [(one, chosen) for one, name, chosen in offered if name == value or name.startswith(f"{value} ·")]
    if found:
        select, chosen = found[0][0], [found[0][1]]
    elif value[0] == "#":
        select, chosen = selects[0], [teller.find_place(value)["id"]]
    else:
        select, chosen = selects[0], [teller.person(name) for name in re.split(", | and ", value)]
    await teller.take(who, lambda: teller.person(who).press(shown, str(select.custom_id), chosen))


@step(r"{who} fills in (?P<fields>.+)")
async def fills_in(teller: Teller, who: str, fields: str) -> None:
    """The form that was opened last."""
    given = dict(field.split(": ", 1) for field in fields.split("; "))
    await teller.take(who, lambda: teller.person(who).submit(teller.forms[who], given))


@step(r"{who} begins to type /(?P<text>.+)")
async def begins_to_type(teller: Teller, who: str, text: str) -> None:
    """What is suggested for the last option."""
    steps, given = teller.read_command(who, teller.here, text)
    offered = await teller.person(who).suggest(steps, [*given][-1], teller.here, given)
    view = teller.look()
    teller.notes += [f"{who} is offered:", *indent([view.say(name) for name, _ in offered] or ["nothing"])]


# --- what happens by itself


@step(r"(?P<number>\d+) (?P<unit>minute|hour|day|week)s? pass(?:es)?(?P<slowly>, hour by hour)?")
async def passes(teller: Teller, number: str, unit: str, slowly: str = "") -> None:
    """Time passes; the bot looks every six hours what is due, or every hour."""
    began = teller.harness.clock()
    async for now in teller.pass_time(int(number) * SECONDS[unit], slowly):
        teller.notes.append(f"After {say_duration(now - began)}:")


@step(r"it is (?P<moment>(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day \d\d:\d\d)(?P<slowly>, hour by hour)?")
async def comes(teller: Teller, moment: str, slowly: str = "") -> None:
    """Time passes until it is next that day and hour, in UTC."""
    now = teller.harness.clock()
    coming = (later for later in range(MINUTE - now % MINUTE, 8 * DAY, MINUTE) if say_hour(now + later) == moment)
    async for now in teller.pass_time(next(coming), slowly):
        teller.notes.append(f"{say_hour(now)}:")


def say_hour(moment: int) -> str:
    """A moment of a week as it is written in a script."""
    return f"{datetime.fromtimestamp(moment, UTC):%A %H:%M}"


@step(r"the bot restarts")
async def restarts(teller: Teller) -> None:
    """It is killed, and another begins where it was."""
    await teller.harness.restart()
    await teller.harness.settled()
    teller.let_memory_age()


@step(r"the bot is gone for (?P<number>\d+) (?P<unit>minute|hour|day|week)s?")
async def is_gone(teller: Teller, number: str, unit: str) -> None:
    """It is killed, and another begins where it was, so much later."""
    teller.let_pass(int(number) * SECONDS[unit])
    await teller.harness.restart()
    teller.let_memory_age()
    await teller.look_around()


@step(r"the bot cannot (?P<what>[a-z ]+?) in #(?P<place>[\w-]+)")
async def lacks_permission(teller: Teller, what: str, place: str) -> None:
    """A server does not let the bot do something in a channel any more."""
    teller.harness.faults.deny(place, what.replace(" ", "_"))


@step(r"the channel #(?P<place>[\w-]+) is deleted")
async def is_deleted(teller: Teller, place: str) -> None:
    """A channel is deleted, with its threads."""
    teller.harness.faults.delete_channel(place)
    await asyncio.sleep(2)  # Discord tells of it


@step(r"the computer is switched off")
async def switch_off(teller: Teller) -> None:
    """The host lets no process search."""
    teller.harness.life.client.engine_pool.many = 0


@step(r"somebody deletes the last message in #(?P<place>[\w-]+)")
async def delete(teller: Teller, place: str) -> None:
    """A message goes, whose ever it is."""
    messages = teller.world.messages[teller.find_place(place)["id"]].values()
    teller.harness.faults.delete_message([one for one in messages if not one["ephemeral_for"]][-1])


@step(r"{who} leaves the server")
async def leaves(teller: Teller, who: str) -> None:
    """Somebody leaves the server; the bot asks Discord when what it knows is old."""
    teller.harness.faults.leave(who)


@step(r"{who} comes back to the server")
async def comes_back(teller: Teller, who: str) -> None:
    """Somebody joins again."""
    teller.harness.faults.join(who)


@step(r"{who} (?P<verb>refuses|allows) direct messages")
async def refuses_direct_messages(teller: Teller, who: str, verb: str) -> None:
    """Somebody lets nobody write to them directly, or does again."""
    teller.person(who).close_mailbox(verb == "refuses")


@step(r"{who} cannot see #(?P<place>[\w-]+)")
async def cannot_see(teller: Teller, who: str, place: str) -> None:
    """Somebody is not let into a channel any more."""
    teller.harness.faults.deny(place, "view_channel", who=who)


# To tell them anew.


async def retell(text: str, folder: Path, empty: Path) -> str:
    """A story with its transcript as it is now."""
    async with opened(folder, empty, reconcile=3600.0) as harness:
        return await Teller(harness).tell(text)


def rewrite(path: Path) -> None:
    """Write a story with its transcript as it is now."""
    with tempfile.TemporaryDirectory(dir=MEMORY if MEMORY.is_dir() else None) as name:
        empty = Path(name) / "empty.db"
        empty.write_bytes(empty_database())
        with asyncio.Runner(loop_factory=lambda: simulated_loop(1)) as runner:
            path.write_text(runner.run(retell(path.read_text(), Path(name), empty)))


if __name__ == "__main__":
    empty_database()
    commands()  # neither can be made within an event loop
    for story, path in list_stories().items():
        if len(sys.argv) == 1 or any(word in story for word in sys.argv[1:]):
            rewrite(path)
