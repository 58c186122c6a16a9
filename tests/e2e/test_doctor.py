"""`python -m bot doctor` against the stand-in: a line for each thing the bot builds on, and nothing stays behind."""

from __future__ import annotations

import asyncio
import hashlib
import re
import shutil
import time
from collections.abc import AsyncGenerator, Callable, Iterable
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from bot.host.doctor import ExaminationOptions, examine
from bot.host.doctor_tries import ARRIVING, INVITED, THERE
from bot.host.doctor_visit import Stop
from bot.platform.custom_ids import COMPONENT, DOCTORS
from bot.sandbox import people
from bot.sandbox.people import BotReply
from bot.sandbox.stand_in import Sandbox
from bot.settings import Settings
from tests.e2e.harness import CALLBACK, MESSAGE, MESSAGES, Harness
from tests.support.openapi import SPEC, complaints, complaints_about
from tests.support.routes import ROUTES

THREADS, CHANNEL = f"{MESSAGE}/threads", "/channels/{channel_id}"
RUN_AGAIN = "A person has to press a button: run this again with --press."
STAYS = (
    "An empty, archived thread stays, since the bot may not delete threads; somebody with Manage Threads can: "
    "https://discord.com/channels/"
)
FAIL = "does not hold: "
GOLDEN = """\
holds: The database fits this program.
holds: This machine's clock agrees with Discord's.
holds: Commands and presses come over the connection.
holds: Discord lets the bot connect, without privileged intents.
holds: View Channel is allowed in the channel.
holds: Send Messages is allowed in the channel.
holds: Attach Files is allowed in the channel.
holds: Create Public Threads is allowed in the channel.
holds: Send Messages in Threads is allowed in the channel.
holds: Read Message History is allowed in the channel.
holds: Discord tells of members by their numbers, without a privileged intent.
holds: A board with a picture and a button is posted.
holds: The answer tells how often the bot may ask (X-RateLimit).
holds: A picture carries its number where it is shown (attachment_id).
holds: A picture that is shown is none of the message's attachments.
holds: An edit keeps a picture that it names by id and filename.
holds: An edit that says nothing of files keeps them.
holds: An edit keeps a picture that it names by its id alone.
holds: An edit keeps a picture that it shows by its address.
holds: An edit brings a new picture.
holds: An edit keeps one picture and brings another.
holds: A message that is edited as soon as it is posted stays edited.
holds: A post that is repeated gives the first message (nonce).
holds: A post that is repeated after its message was deleted is refused (10008).
holds: A thread's name may hold a dot and a link.
holds: A thread is made from a message.
holds: A thread is renamed.
holds: A message wakes an archived thread.
holds: A mention that is to tell nobody tells nobody.
holds: A press of a button arrives, with its message.
holds: The answer to a press keeps a picture that it names.
holds: The answer to a press brings a new picture.
holds: A press that was acknowledged is answered by an edit with a new picture.
holds: A line after the answer is shown to one person only.
holds: A form opens, and what is typed into it arrives.
""".splitlines()
STRICT = {
    "holds: An edit that says nothing of files keeps them.": "does not hold: An edit that says nothing of files keeps "
    "them (Discord answers 400 with code 50035). The bot always says which pictures stay.",
    "holds: An edit keeps a picture that it names by its id alone.": "does not hold: An edit keeps a picture that it "
    "names by its id alone (Discord answers 400 with code 50035). The bot always names both, id and filename.",
    "holds: A thread's name may hold a dot and a link.": "does not hold: A thread's name may hold a dot and a link "
    "(Discord answers 400 with code 240000). The bot gives the thread a plain name, or plays in the channel.",
    "holds: The answer to a press brings a new picture.": "does not hold: The answer to a press brings a new picture. "
    "The bot acknowledges the press, and edits the message afterwards.",
}
"""The lines that are others where Discord is strict."""


class Host:
    """A host who runs the doctor; `lines` is what they read, `answers` what they type. Ann presses what is to be
    pressed, if she is there."""

    def __init__(self, sandbox: Sandbox, file: Path) -> None:
        self.sandbox = sandbox
        self.lines: list[str] = []
        self.answers: list[str] = []
        self.there = False
        self.runs = count()
        self.heard: Callable[[str], object] = lambda line: None
        self.settings: dict[str, Any] = {
            "token": sandbox.token, "api": sandbox.api_url, "gateway": sandbox.gateway_url,
            "database": f"sqlite:///{file}",
        }  # fmt: skip
        self.presses: asyncio.Task[None] | None = None

    def say(self, line: str) -> None:
        self.lines.append(line)
        self.heard(line)
        if line.startswith("Now press") and self.there:
            self.presses = asyncio.create_task(self.press())

    async def press(self) -> None:
        """Press the button as often as it is asked for, and send the form."""
        ann = self.sandbox.person("Ann")

        async def pressed(label: str) -> BotReply:
            def shows(_: object) -> Any:
                return next((one for one in ann.read_messages("games") if label in labels(one)), None)

            return await ann.press(await self.sandbox.wait_for(shows), label)

        for number in (1, 2, 3):
            await pressed(f"Press here ({number} of 4)")
        reply = await pressed("Press here (4 of 4)")
        assert reply.kind == "modal"
        await ann.submit(reply, {"Any word": "hello"})

    async def ask(self) -> str:
        return self.answers.pop(0) if self.answers else ""

    async def run(self, channel: str | int | None = "games", press: bool = False, **changed: Any) -> int:
        number = int(self.sandbox.channel(channel)["id"]) if isinstance(channel, str) else channel
        settings = Settings(**{**self.settings, **changed})
        status = await examine(
            settings, ExaminationOptions(number, press), self.say, self.ask, time.time, f"{next(self.runs):08x}"
        )
        if self.presses:
            await self.presses
        return status

    async def stopped(self, channel: str | int | None = "games", **changed: Any) -> tuple[str, int]:
        """The sentence with which a run ends, and its status."""
        with pytest.raises(Stop) as stop:
            await self.run(channel, **changed)
        return str(stop.value), stop.value.status

    @property
    def findings(self) -> list[str]:
        """The lines about what the bot builds on."""
        return [line for line in self.lines if line.startswith(("holds: ", FAIL, "could not be tried: "))]

    def behind(self) -> list[str]:
        """What the doctor has left in the world: messages that are not Discord's own, and threads."""
        world = self.sandbox.world
        texts = [
            people.text_of(one)
            for place in world.messages.values()
            for one in place.values()
            if one["author"]["id"] == world.me and one["type"] == 0
        ]
        return texts + [one["name"] for one in world.channels.values() if "doctor" in one["name"]]


def labels(message: dict[str, Any]) -> list[str]:
    return [one.label for one in people.list_buttons(message)]


def digest(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()


@pytest.fixture
def strict() -> bool:
    return True


@pytest.fixture
async def host(folder: Path, empty: Path, strict: bool) -> AsyncGenerator[Host]:
    file = Path(shutil.copy(empty, folder / "graphpaper.db"))
    async with Sandbox(strict=strict) as sandbox:
        sandbox.faults.set_bot_role(allow=("manage_threads",))  # a host who wants no thread to stay
        yield Host(sandbox, file)
        assert sandbox.unknown_routes == []
        assert sandbox.world.notified == [], "nobody is told of anything"
        assert sandbox.world.commands == []
        # What is wrong is asked for: the edits that a strict Discord refuses.
        wrong = [
            entry for entry in sandbox.request_log if SPEC.exists() and entry.status < 400 and complaints_about(entry)
        ]
        assert complaints(wrong) == []


def tried(lines: Iterable[str], changed: dict[str, str]) -> list[str]:
    return [changed.get(line, line) for line in lines]


async def test_a_strict_discord_is_told_of_line_by_line(host: Host) -> None:
    host.sandbox.moderation.filter_links("example.com")
    host.there = True
    assert await host.run(press=True) == 0
    assert host.findings == tried(GOLDEN, STRICT)
    assert (
        host.lines[-1] == "Holds: 31. Does not hold: 4. Could not be tried: 0. The bot copes with what does not hold."
    )
    assert host.behind() == []


@pytest.mark.parametrize("strict", [False])
async def test_a_lenient_discord_is_told_of_line_by_line(host: Host) -> None:
    host.there = True
    assert await host.run(press=True) == 0
    assert host.findings == GOLDEN
    assert host.lines[-1] == "Holds: 35. Does not hold: 0. Could not be tried: 0."
    assert host.behind() == []


async def test_the_first_lines_name_versions_and_the_database(host: Host, folder: Path) -> None:
    await host.run()
    versions = r"Graph Paper \d+\.\d+\.\d+(?: \([^)]+\))?, discord\.py 2\.7\.\d+, Python 3\.\d+\.\d+\."
    assert re.fullmatch(versions, host.lines[0])
    found = re.fullmatch(r"Database: sqlite in (.+), at schema \w+\. No bot runs on it right now\.", host.lines[1])
    assert found and found[1] == str(folder / "graphpaper.db")


async def test_without_a_person_what_needs_one_is_not_tried(host: Host) -> None:
    assert await host.run() == 0
    last = host.findings[-6:]
    assert [line.removesuffix(f" {RUN_AGAIN}") for line in last] == [
        line.replace("holds: ", "could not be tried: ") for line in GOLDEN[-6:]
    ]


async def test_a_person_who_does_not_press_is_not_waited_for_twice(host: Host) -> None:
    begun = asyncio.get_running_loop().time()
    assert await host.run(press=True) == 0
    assert [line.rpartition(". ")[2] for line in host.findings[-6:]] == [
        "Nobody pressed the button in time.", "No press arrived.", *["Nobody pressed the button in time."] * 2,
        "No press arrived.", "Nobody pressed the button in time.",
    ]  # fmt: skip
    assert asyncio.get_running_loop().time() - begun < 90
    assert host.behind() == []


async def test_nothing_is_written_to_the_database(host: Host, folder: Path) -> None:
    before = digest(folder / "graphpaper.db")
    await host.run()
    assert digest(folder / "graphpaper.db") == before


# --- members by their numbers


TELLS = "Discord tells of members by their numbers, without a privileged intent"


async def test_the_bot_and_the_owner_are_asked_for_at_once(host: Host) -> None:
    host.sandbox.faults.delay_members(5.0)
    assert await host.run() == 0
    assert f"holds: {TELLS}." in host.findings
    world = host.sandbox.world
    ann = host.sandbox.person("Ann")
    assert [(one.server, sorted(one.people)) for one in host.sandbox.asked_members] == [
        (world.home.id, sorted([world.me, ann.id]))
    ]
    assert host.sandbox.requests_of("GET", "/guilds/{guild_id}/members/{user_id}") == []


async def test_members_of_whom_discord_does_not_tell_are_said_so(host: Host) -> None:
    otherwise = "The bot asks for each of them by itself."
    host.sandbox.faults.ignore_member_requests()
    assert await host.run() == 0
    assert f"{FAIL}{TELLS} (no answer came). {otherwise}" in host.findings
    assert host.lines[-1].endswith("The bot copes with what does not hold.")
    host.lines.clear()
    host.sandbox.faults.delay_members(0.0)
    host.sandbox.faults.leave("Ann")
    assert await host.run() == 0
    assert f"{FAIL}{TELLS} (of two members 1 came). {otherwise}" in host.findings


# --- what a person has to put right


@pytest.mark.parametrize("name", INVITED)
async def test_a_missing_permission_is_named(host: Host, name: str) -> None:
    host.sandbox.faults.deny("games", name)
    assert await host.run() == 2
    title, without = INVITED[name]
    told = f"{FAIL}{title} is allowed in the channel. {without}: allow it to the bot, in the channel's settings or in "
    assert f"{told}its role." in host.findings
    assert host.lines[-1].endswith("Put right what does not hold, as it says above, and run this again.")
    lacking = [line for line in host.findings if line.endswith(" there.")]
    assert all(f"The bot lacks {title}" in line for line in lacking) or name == "view_channel"
    assert host.behind() == []


async def test_all_missing_permissions_are_named(host: Host) -> None:
    host.sandbox.faults.deny("games", *INVITED)
    assert await host.run() == 2
    assert [line.removeprefix(FAIL).partition(" is allowed")[0] for line in host.findings if line.startswith(FAIL)] == [
        title for title, _ in INVITED.values()
    ]
    assert host.sandbox.requests_of("POST", MESSAGES) == []


async def test_a_channel_where_no_board_can_be_is_refused(host: Host) -> None:
    world = host.sandbox.world
    parent = host.sandbox.channel("ideas")["id"]
    for name, sentence in {
        "Kitchen table": "“Kitchen table” is no text channel. Name one with --channel ID.",
        "ideas": "“ideas” is no text channel. Name one with --channel ID.",
        "Which game first?": f"“Which game first?” is a thread. Name the channel that it is in: --channel {parent}.",
    }.items():
        assert await host.stopped(name) == (sentence, 2)
    assert await host.stopped(12345) == (
        "The bot can't see a channel 12345. Copy its ID again, and look whether the bot is in its server and has View "
        "Channel there.",
        2,
    )
    host.sandbox.faults.deny("Kitchen table", "view_channel")
    assert (await host.stopped("Kitchen table"))[0].startswith("“Kitchen table” is no text channel.")
    assert not any(one.method == "POST" for one in host.sandbox.request_log)
    assert world.notified == []


async def test_a_refused_token_is_said_so(host: Host) -> None:
    assert await host.stopped(token="not.the.token") == (
        "Discord refused the token. Copy it again from the developer portal into DISCORD_TOKEN.",
        2,
    )


async def test_a_database_of_another_version_is_named(host: Host, folder: Path) -> None:
    (folder / "other.db").write_bytes(b"x" * 5000)
    assert await host.run(database=f"sqlite:///{folder / 'other.db'}") == 2
    assert host.findings[0].startswith(f"{FAIL}The database fits this program (")
    host.lines.clear()
    assert await host.run(database=f"sqlite:///{folder / 'none.db'}") == 0
    assert host.findings[0] == (
        "could not be tried: The database fits this program. There is none yet; the bot makes it when it starts."
    )


# --- the channel that is asked for


async def test_the_host_is_asked_for_a_channel(host: Host) -> None:
    host.sandbox.faults.deny("general", "attach_files")
    host.sandbox.moderation.open_channel("chess")
    host.answers += ["three", "7", "2"]
    assert await host.run(None) == 0
    at = next(index for index, line in enumerate(host.lines) if line.endswith("The Sandbox, #games"))
    assert host.lines[at : at + 2] == ["   1  The Sandbox, #games", "   2  The Sandbox, #chess"]
    assert (
        host.lines[at + 2 : at + 5]
        == ["In which channel may the doctor post a few messages, and delete them again? Type its number."] * 3
    )
    (chess,) = (
        {one.path.split("/")[2] for one in host.sandbox.requests_of("POST", MESSAGES)}
        - {one["id"] for one in host.sandbox.world.channels.values() if one["name"] != "chess"}
        - {one.answer["id"] for one in host.sandbox.requests_of("POST", THREADS)}
    )
    assert chess == host.sandbox.channel("chess")["id"]


async def test_a_host_who_chooses_none_is_told_how(host: Host) -> None:
    assert await host.stopped(None) == ("No channel was chosen. Name one with --channel ID.", 2)
    host.sandbox.faults.deny(None, "send_messages")
    sentence, status = await host.stopped(None)
    assert sentence.startswith("There is no text channel where the bot may post.") and status == 2


# --- a Discord that is away


async def test_a_discord_that_says_nothing_is_said_so(host: Host) -> None:
    host.sandbox.faults.delay_requests("GET", "/users/@me", 1000.0)
    assert await host.stopped() == (
        "Discord can't be reached (no answer came in time): connect this machine to the internet.",
        1,
    )


async def test_a_connection_that_discord_refuses_is_said_so(host: Host) -> None:
    host.sandbox.faults.refuse_identify(4014)
    assert await host.run() == 1
    assert host.findings[-1] == (
        f"{FAIL}Discord lets the bot connect, without privileged intents (Discord doesn't allow the bot the intents "
        "that it asks for (4014). Switch them on for the bot in the developer portal). Nobody can play."
    )
    assert len(host.findings) == len(ARRIVING)


async def test_a_discord_that_falls_silent_is_not_waited_for_long(host: Host) -> None:
    host.sandbox.faults.delay_requests("PATCH", MESSAGE, 1000.0, times=100)
    begun = asyncio.get_running_loop().time()
    assert await host.run() == 1
    assert asyncio.get_running_loop().time() - begun < 120
    silent = [line for line in host.findings if line.endswith("Discord didn't answer (in time).")]
    assert len(silent) == 2
    after = host.findings[host.findings.index(silent[-1]) + 1 :]
    assert after and all(line.endswith(". Discord no longer answers.") for line in after)
    assert len(host.findings) == len(ARRIVING) + len(THERE)
    assert host.lines[-1].endswith("Discord stopped answering. Try again in a while.")
    assert host.behind() == []


async def test_a_limit_of_minutes_is_told_and_not_waited_for(host: Host) -> None:
    host.sandbox.faults.rate_limit("POST", THREADS, 136.0, times=10)
    assert await host.run() == 0
    asks = [line for line in host.findings if re.search(r"Discord asks to wait (116|96) s\.$", line)]
    assert [line.split(": ")[1].split(". ")[0] for line in asks] == [
        "A thread's name may hold a dot and a link",
        "A thread is made from a message",
    ]
    assert "could not be tried: A thread is renamed. No thread could be made." in host.findings


# --- nothing is left behind


async def test_a_thread_that_may_not_be_deleted_is_left_empty_and_named(host: Host) -> None:
    host.sandbox.faults.set_bot_role(deny=("manage_threads",))
    assert await host.run() == 0
    (left,) = [line for line in host.lines if line.startswith(STAYS)]
    assert host.behind() == ["✔ Graph Paper doctor"]
    thread = host.sandbox.channel("✔ Graph Paper doctor")
    assert left.endswith(f"/{thread['id']}") and thread["thread_metadata"]["archived"]


LINES = len(ARRIVING) + len(THERE) + 2


@pytest.mark.parametrize("may", [True, False])
@pytest.mark.minutes
async def test_whoever_breaks_it_off_leaves_nothing_behind(host: Host, may: bool) -> None:
    """After each line, and where the thread is archived."""
    if not may:
        host.sandbox.faults.set_bot_role(deny=("manage_threads",))
    world = host.sandbox.world
    for line in range(1, LINES + 1, 1 if may else 5):
        host.lines.clear()
        task = asyncio.create_task(host.run())
        host.heard = lambda _, task=task, line=line: len(host.lines) == line and task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        threads = [one for one in world.channels.values() if "doctor" in one["name"]]
        assert len(host.behind()) == len(threads)
        assert all(one["thread_metadata"]["archived"] for one in threads) and (not may or not threads)


@pytest.mark.parametrize("seconds", [2.0, 500.0])
@pytest.mark.parametrize("number", [1, 2, 4])
async def test_a_post_that_is_under_way_is_deleted_too(host: Host, seconds: float, number: int) -> None:
    """Discord posts it and answers soon, or never."""
    begun = asyncio.Event()
    task = asyncio.create_task(host.run())
    world = host.sandbox.world
    posted = 0

    def heard(event: str, data: Any) -> None:
        nonlocal posted
        posted += event == "MESSAGE_CREATE"
        if posted == number:
            begun.set()

    world.listeners.append(heard)
    for _ in range(number - 1):
        host.sandbox.faults.delay_requests("POST", MESSAGES, 0.0, applied=True)
    host.sandbox.faults.delay_requests("POST", MESSAGES, seconds, applied=True)
    await asyncio.wait_for(begun.wait(), 60)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert host.behind() == []


# --- beside a running bot


async def test_a_bot_that_runs_leaves_the_doctor_alone(harness: Harness, folder: Path) -> None:
    host = Host(harness.sandbox, harness.file)
    host.there = True
    assert await host.run(press=True) == 0
    failed = [line.split(" (")[0].split(". ")[0] for line in host.findings if not line.startswith("holds: ")]
    assert (
        failed
        == [
            f"{FAIL}{text}"
            for text in (
                "An edit that says nothing of files keeps them",
                "An edit keeps a picture that it names by its id alone",
                "The answer to a press brings a new picture",
            )
        ]
        or not harness.sandbox.world.strict
    )
    assert re.search(r"A bot runs on it, heard \d+ s ago\.$", host.lines[1])
    taken = [one for one in harness.sandbox.requests_of("POST", CALLBACK) if one.status < 400]
    assert len(taken) == 5, "the doctor's own, and none of the bot's"
    await harness.match(harness.ann, harness.bea)


def test_no_pattern_of_the_bot_takes_what_the_doctor_makes() -> None:
    assert not re.match(COMPONENT, DOCTORS)
    assert ROUTES.parse(f"{DOCTORS}0f0f0f0f") is None
