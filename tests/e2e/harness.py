"""A harness to play in: the sandbox, a database, and the whole bot on the real discord.py client.

Nothing is mocked, and nothing is patched but the two addresses. Players are the sandbox's people; a test looks at
what they see, and at what is in the database.
"""

from __future__ import annotations

import asyncio
import copy
import re
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bot.features.challenges.words import INTRODUCTION
from bot.games.catalogue import load_games
from bot.games.moves import TASKS
from bot.platform.names import END, ISOLATE
from bot.play.challenges import ChallengeTerms
from bot.play.ids import ChannelId, GuildId, InteractionId, MatchId, UserId
from bot.play.rows import MatchRecordRow
from bot.sandbox import people
from bot.sandbox.faults import FaultScript
from bot.sandbox.interactions import COMPONENT, SUBMIT
from bot.sandbox.people import BotReply, Person
from bot.sandbox.stand_in import Sandbox
from bot.umpire.clocks import NOTE
from data.store import Reader, Store, Transaction
from data.upkeep.integrity import check_database
from tests.simulation.life import PATIENCE, Life, Listener
from tests.support.unresolved import Readers, Unresolved

Json = dict[str, Any]

WAITING = "Reminders wait until the database can be used again"
"""What the bot may say in its log where its database is away when it looks whom to remind."""
RECIPIENT_ADD = 1
"""The type of Discord's message that somebody was added to a thread."""
FOR_EVER = 2**60
"""A time by which all that was put off is due."""

MESSAGES, MESSAGE = "/channels/{channel_id}/messages", "/channels/{channel_id}/messages/{message_id}"
CALLBACK = "/interactions/{interaction_id}/{token}/callback"
OVER = ["Rematch", "Replay", "More …"]
PLAYS = tuple(f"{task} " for task in TASKS.values())
"""How the labels of buttons begin that play what is chosen on a pad."""
"""The buttons of the last board of a match that is over."""


class Clock:
    """The umpire's clock, which a test can put forward, or let stand still at a moment."""

    def __init__(self) -> None:
        self.ahead = 0
        self.at: int | None = None

    def put(self, moment: int) -> None:
        """Put it to a moment, from which it goes on."""
        self.ahead += moment - self()

    def __call__(self) -> int:
        return self.ahead + (int(time.time()) if self.at is None else self.at)


class Harness:
    """A server with its people, and the bot in it; `store` is for looking, beside the bot's own."""

    def __init__(
        self,
        sandbox: Sandbox,
        file: Path,
        listener: Listener,
        reconcile: float,
        shards: str | None = None,
        server: str | None = None,
    ) -> None:
        self.sandbox = sandbox
        self.server = server
        self.file = file
        self.listener = listener
        self.reconcile = reconcile
        self.shards = shards
        self.clock = Clock()
        self.store = Store(self.url)
        self.life = self.another()
        self.killed = asyncio.Event()
        self.forgiven: list[str] = []
        self.is_unnamed = False
        """Whether mentions may stand where Discord could not be asked for names."""
        self.deaths = 0
        self.acts = 0
        self.ann, self.bea, self.cem, self.dora = map(sandbox.person, ("Ann", "Bea", "Cem", "Dora"))
        self.readers = Readers(sandbox)

    @property
    def url(self) -> str:
        """The address of the database."""
        return self.server or f"sqlite:///{self.file}"

    @property
    def faults(self) -> FaultScript:
        """What can go wrong on Discord's side."""
        return self.sandbox.faults

    # --- the life and death of the bot

    async def restart(self, registered: bool = True) -> None:
        """Let the bot die without cleaning up, if it has not died yet, and start another where it was."""
        if not self.life.ended:
            if not self.life.dead:
                self.deaths += 1
                self.life.kill()
            await self.life.end()
        self.killed.clear()
        self.life = self.another()
        await self.life.begin(registered)

    def another(self, shards: str | None = None) -> Life:
        """Another bot with the same token on this database, of these shards or of all, which has not begun."""
        return Life(self.sandbox, self.url, self.clock, self.reconcile, shards or self.shards)

    def kill_at(self, step: str) -> None:
        """Let the bot die when it says in its log that it is there; `killed` is set then."""

        def spring() -> None:
            self.deaths += 1
            self.life.kill()
            self.killed.set()
            if asyncio.current_task() in self.life.tasks:
                raise asyncio.CancelledError  # here and now, not where it waits next

        self.listener.trap = (step, spring)

    async def settled(self) -> None:
        """Wait until every interaction is treated and Discord shows all that is committed."""
        async with asyncio.timeout(PATIENCE):
            while True:
                self.listener.heard.clear()
                await self.life.idle()
                if not await self._owed():
                    return
                await self.life.client.publisher.retry_failed()  # as the bot does every few seconds
                await self._something()

    async def _owed(self) -> bool:
        """Whether Discord does not show all that is committed."""
        return await self.store.ask(owed)

    async def until(self, met: Callable[[], Any]) -> Any:
        """Wait until people and logs show that something is so."""
        async with asyncio.timeout(PATIENCE):
            while not (value := met()):
                self.listener.heard.clear()
                await self._something()
            return value

    async def later(self, seconds: int) -> None:
        """Time passes, while the bot is connected to Discord; and it looks what is due."""
        await self.run_due_acts(seconds)
        await self.life.client.keep_time()
        await self.settled()

    async def run_due_acts(self, seconds: int) -> None:
        """Time passes, while the bot is connected: to put its clock forward alone is an outage, which is given back."""
        if self.clock.at is None:
            self.clock.ahead += seconds
        else:
            self.clock.at += seconds
        await self.store.do(counted, self.clock())

    async def _something(self) -> None:
        """Wait until the bot has taken a step, or for a moment: not all that happens is a step."""
        with suppress(TimeoutError):
            async with asyncio.timeout(0.1):
                await self.listener.heard.wait()

    # --- matches

    async def challenge(self, host: Person | None = None, channel: str | Json = "games", **options: Any) -> Played:
        """A challenge to Binary Primes on three squares by three, or an open table; the lobby is posted."""
        host = host or self.ann
        given = {"size": 3, "seat": "me", "legs": 1, **options}
        reply = await host.command("binary-primes challenge", channel=channel, **given)
        found = re.match(r"Match (\d+) of", reply.text)
        assert found, reply.text
        await self.settled()
        return Played(self, int(found[1]), await self.row(int(found[1])))

    async def match(
        self, host: Person | None = None, guest: Person | None = None, channel: str | Json = "games", **options: Any
    ) -> Played:
        """A live match: the host has the first move, unless the options say otherwise."""
        played = await self.challenge(host, channel, opponent=guest or self.bea, **options)
        reply = await (guest or self.bea).press(played.lobby, "Accept")
        assert reply.kind == "update", reply.text
        await self.settled()
        return await played.fresh()

    async def against(
        self,
        level: int = 2,
        game: str = "binary-primes",
        guests: tuple[Person, ...] = (),
        waits: bool = True,
        **chosen: Any,
    ) -> Played:
        """A match of Ann's against the computer, which takes all seats that are left; she has the first move."""
        client, world = self.life.client, self.sandbox.world
        guild, channel = GuildId(int(world.home_guild["id"])), ChannelId(int(self.sandbox.channel("games")["id"]))
        given: dict[str, Any] = {"options": {"size": 3} if game == "binary-primes" else {}, "seating": "host", **chosen}
        people = tuple(UserId(int(guest.id)) for guest in guests)
        asked = ChallengeTerms(
            guild, channel, UserId(int(self.ann.id)), load_games()[game], guests=people, level=level, **given
        )
        self.acts += 1
        loaded = await self.life.does(client.umpire.challenge(InteractionId(self.acts), asked))
        client.publisher.request_publish(loaded.id)
        await (self.answered() if waits else self.settled())
        return Played(self, loaded.id, await self.row(loaded.id))

    async def answered(self) -> None:
        """Wait until no computer is to move any more, and all is shown."""
        await self.thought()
        await self.settled()

    async def thought(self) -> None:
        """Wait until no computer is to move any more."""
        async with asyncio.timeout(PATIENCE):
            while await self.store.ask(Reader.find_matches_to_think_on, 1):
                self.listener.heard.clear()
                await self._something()

    async def row(self, match: int) -> MatchRecordRow:
        """A match as it is stored."""
        row = await self.store.ask(Reader.load_match, MatchId(match))
        assert row is not None
        return row

    def person(self, user: int) -> Person:
        """The person with an id."""
        return self.sandbox.person(str(user))

    async def surely(self, person: Person, command: str, **options: Any) -> BotReply:
        """A command that asks first, and the answer of a person who means it."""
        asked = await person.command(command, **options)
        assert labels(asked.message), asked.text
        return await person.press(asked.message, labels(asked.message)[0])

    async def press_more(self, person: Person, board: Json, label: str) -> BotReply:
        """Press a button behind *More …*."""
        return await person.press(await person.press(board, "More …"), label)

    def spare_the_line(self) -> None:
        """Let what is to go wrong with the next post go wrong with the board, not with the line above it."""
        for fault in self.faults.pending:
            fault.spares += fault.method == "POST"

    def told(self, person: Person) -> int:
        """How many messages have notified somebody."""
        return len(person.list_notifications())

    def unresolved(self, reader: Person | None = None) -> list[Unresolved]:
        """Where somebody has seen a mention of whom they had not met; None stands for a newcomer, who met nobody."""
        return self.readers.unresolved(reader)

    # --- what no honest client sends

    async def forge(self, person: Person, message: Json, custom_id: str) -> BotReply:
        """Press a button that a message never had."""
        shown = copy.deepcopy(message)
        button = {"type": 2, "style": 1, "label": "Forged", "custom_id": custom_id, "id": 99}
        shown["components"].append({"type": 1, "id": 98, "components": [button]})
        data = {"custom_id": custom_id, "component_type": 2, "id": 99}
        return await self._sent(COMPONENT, person, data, shown)

    async def choose(
        self, person: Person, message: Json, custom_id: str, values: list[str], members: bool = True
    ) -> BotReply:
        """Choose in a select that a message never had, or people who have left since they were shown."""
        world, shown = self.sandbox.world, copy.deepcopy(message)
        known: list[str] = [one for one in values if one in world.users]
        here = {one: world.home_members[one] | {"permissions": "0"} for one in known if members}
        resolved = {"users": {one: world.users[one] for one in known}, "members": here}
        data = {"custom_id": custom_id, "component_type": 5, "id": 99, "values": values, "resolved": resolved}
        return await self._sent(COMPONENT, person, data, shown)

    async def forge_form(self, person: Person, message: Json, custom_id: str, fields: dict[str, str]) -> BotReply:
        """Submit a form that nobody opened."""
        parts = [
            {"type": 18, "id": index, "component": {"type": 4, "id": index + 50, "custom_id": name, "value": value}}
            for index, (name, value) in enumerate(fields.items(), 1)
        ]
        return await self._sent(SUBMIT, person, {"custom_id": custom_id, "components": parts}, message)

    async def _sent(self, kind: int, person: Person, data: Json, message: Json) -> BotReply:
        desk = self.sandbox.interactions
        # What a form was opened by.
        user = self.sandbox.world.users[person.id]
        trigger = {"id": message["id"], "type": COMPONENT, "user": user, "authorizing_integration_owners": {}}
        answer = await desk.ask(kind, person.id, message["channel_id"], data, message=message, trigger=trigger)
        return await person.wait_for_reply(answer)

    # --- at the end

    def complaints(self) -> list[str]:
        """What the bot complained about in its log, but for what the test expected."""
        heard = self.listener.complaints
        if self.deaths:  # a connection that was in use then is not given back as it should be
            heard = [record for record in heard if not record.name.startswith("sqlalchemy.pool")]
        texts = [record.getMessage() + (record.exc_text or "") for record in heard]
        return [text for text in texts if not any(re.search(each, text) for each in self.forgiven)]

    def complaints_of(self, text: str) -> list[str]:
        """What the bot complained about in some words, expected or not."""
        return [said for record in self.listener.complaints if text in (said := record.getMessage())]

    async def sound(self) -> None:
        """Check what must be so whatever has happened: the store agrees with itself, and Discord with the store."""
        report = await check_database(self.url, load_games())
        assert report.sound, report.lines
        for channel in self.sandbox.world.messages.values():
            nonces = [message["nonce"] for message in channel.values() if "nonce" in message]
            assert len(nonces) == len(set(nonces)), "a message was posted twice"


@dataclass(frozen=True)
class Played:
    """A match as people see it; `row` is what was stored when it was looked up."""

    harness: Harness
    id: int
    row: MatchRecordRow

    async def fresh(self) -> Played:
        """The match as it stands now."""
        return Played(self.harness, self.id, await self.harness.row(self.id))

    @property
    def place(self) -> Json:
        """The channel or thread where it is played."""
        return self.harness.sandbox.channel(str(self.row.thread or self.row.channel))

    @property
    def lobby(self) -> Json:
        """The message of the challenge."""
        return self.harness.sandbox.world.message(str(self.row.channel), str(self.row.lobby_message))

    @property
    def ends(self) -> list[Json]:
        """What its channel says of a challenge that is over: its message, or a line in the place of that."""
        messages = self.harness.sandbox.world.messages[str(self.row.channel)].values()
        return [one for one in messages if str(one.get("nonce")).startswith((f"c{self.id}.", f"d{self.id}."))]

    @property
    def boards(self) -> list[Json]:
        """The public messages with a board, oldest first."""
        messages = self.harness.sandbox.world.messages[self.place["id"]].values()
        return [one for one in messages if str(one.get("nonce")).startswith(f"b{self.id}.")]

    @property
    def lines(self) -> list[Json]:
        """The lines that tell people what happened, oldest first."""
        messages = self.harness.sandbox.world.messages[self.place["id"]].values()
        return [one for one in messages if str(one.get("nonce")).startswith(f"l{self.id}.")]

    @property
    def board(self) -> Json:
        """The newest public board."""
        return self.boards[-1]

    @property
    def mover(self) -> Person:
        """Who is to move."""
        user = self.row.user_at(self.row.turn[0])
        assert user
        return self.harness.person(user)

    @property
    def record(self) -> list[tuple[int, str]]:
        """The stored record."""
        return [(entry.seat, entry.text) for entry in self.row.record]

    async def move(self, square: str, person: Person | None = None) -> Played:
        """A move by slash command of the person who is to move, shown."""
        reply = await (person or self.mover).command("binary-primes move", channel=self.place, square=square)
        assert reply.text.startswith(f"You played **{square}**"), reply.text
        await self.harness.settled()
        return await self.fresh()

    async def unchanged(self) -> bool:
        """Whether nothing of the match has been changed since it was looked up."""
        return await self.harness.row(self.id) == self.row


async def form_of(person: Person, message: Json | BotReply, label: str = "Move") -> BotReply:
    """The form behind the pad that a board's button opens; or whatever else the button is answered with."""
    shown = await person.press(message, label)
    return await person.press(shown.message, "Type it") if "Type it" in labels(shown.message) else shown


def owed(reader: Reader) -> bool:
    """Whether something is still to be shown, renamed or edited, or told where that can be."""
    rows = (reader.load_row(match) for match, _ in reader.find_matches_to_announce(100))
    told = all(row and row.publish_error for row in rows)
    return (
        bool(
            reader.find_lagging_matches(1) or reader.find_matches_to_rename(1) or reader.find_pending_edits(FOR_EVER, 1)
        )
        or not told
    )


def counted(tx: Transaction, now: int) -> None:
    """Note that clocks count, of whatever shards there are."""
    for name in tx.read_notes(NOTE) or (NOTE,):
        tx.set_note(name, str(now))


def without_joins(messages: list[Json]) -> list[Json]:
    """Messages but for those with which Discord may say that somebody was added to a thread by a mention."""
    return [one for one in messages if one["type"] != RECIPIENT_ADD]


def labels(message: Json) -> list[str]:
    """The labels of a message's buttons."""
    return [button.label for button in people.list_buttons(message)]


def called(person: Person) -> str:
    """Somebody as a text names them whom it does not tell."""
    return f"{ISOLATE}{person.name}{END}"


def said(message: Json) -> str:
    """All text of a message, but for what the first of a server says to everybody."""
    return people.text_of(message).removesuffix(f"\n{INTRODUCTION}")


def alt(message: Json) -> str:
    """The alt text of a message's first picture, which must be there."""
    return people.list_media(message)[0].alt or ""
