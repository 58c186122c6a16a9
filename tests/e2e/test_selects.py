"""What was chosen in a select and refused can be chosen again, in every select that the bot sends.

Discord's clients keep what was chosen, and send the same choice no second time, until the message changes; the stand-in
does so too. So each refusal shows the message as it is stored.
"""

from __future__ import annotations

import ast
import asyncio
import copy
import inspect
import re
from collections.abc import Awaitable, Callable, Generator, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, NoReturn

import discord
import pytest

from bot.features.challenges.onboarding import ALL_GAMES, WHICH
from bot.features.settings.handlers import NO_LEAGUES, PLACES, POSTS_HEAD
from bot.platform.interactions import SORRY, UNREAD
from bot.platform.ui import Control
from bot.play.ids import GuildId
from bot.play.loaded_match import Refusal
from bot.sandbox import components, people
from bot.sandbox.errors import Json
from bot.sandbox.people import Person
from data.engine.errors import Unavailable
from data.store import Reader, Transaction
from tests.e2e.harness import CALLBACK, Harness, Played, labels
from tests.e2e.test_daily import MORNING
from tests.e2e.test_database_unavailable import BUSY, UNDONE
from tests.e2e.test_departures import left
from tests.e2e.test_play_on import ON, opened
from tests.e2e.test_rate_limit import WAIT
from tests.e2e.test_records import brought, over
from tests.e2e.test_several_seats import table
from tests.support.sampled import sampled

ROOT = Path(__file__).parents[2]
NO = "Nobody can do that today."
SELECT = re.compile(r"\b(User|Role|Channel|Mentionable)?Select[([]")
"""discord.py's own selects, which `Control` alone makes."""
LABELLED = 3
"""The arguments of a button, in order: its custom_id, its label and its style."""
PAUSE = 15.0
"""Seconds after which nobody is too fast any more, and what failed beside is tried again."""

Place = tuple[str, int]
"""A call that makes a select: its file and its line."""
Opens = Callable[[Harness], Awaitable[tuple[Person, Json]]]
"""Has a message with selects shown to somebody."""


def guild(harness: Harness) -> GuildId:
    return GuildId(int(harness.sandbox.world.home_guild["id"]))


# Every select there is.


def sources() -> Iterator[tuple[str, str]]:
    """The bot's modules and what is in them."""
    for path in (path for part in ("bot", "cogs") for path in (ROOT / part).rglob("*.py")):
        yield str(path.relative_to(ROOT)), path.read_text("utf-8")


def places() -> Iterator[Place]:
    """All calls that make selects."""
    for file, source in sources():
        for node in ast.walk(ast.parse(source)):
            if not isinstance(node, ast.Call) or ast.unparse(node.func).rpartition(".")[2] != "Control":
                continue
            if {one.arg for one in node.keywords} & {"options", "people", "channels"} or len(node.args) > LABELLED:
                yield file, node.lineno


@contextmanager
def noting_places(patch: pytest.MonkeyPatch) -> Generator[set[Place]]:
    """The calls that make selects meanwhile."""
    found, plain = set[Place](), Control.__init__

    def noted(self: Control, *given: Any, **named: Any) -> None:
        plain(self, *given, **named)
        if not isinstance(self.item, discord.ui.Button):
            assert (here := inspect.currentframe()) and (caller := here.f_back)
            found.add((str(Path(caller.f_code.co_filename).relative_to(ROOT)), caller.f_lineno))

    with patch.context() as within:
        within.setattr(Control, "__init__", noted)
        yield found


def by_command(command: str, **options: Any) -> Opens:
    async def shown(harness: Harness) -> tuple[Person, Json]:
        return harness.ann, (await harness.ann.command(command, channel="games", **options)).message

    return shown


async def the_list_of_all(harness: Harness) -> tuple[Person, Json]:
    listed = await harness.ann.press(await harness.ann.command("play", channel="games"), ALL_GAMES)
    return harness.ann, listed.message


def card_of(game: str) -> Opens:
    async def shown(harness: Harness) -> tuple[Person, Json]:
        card = await harness.ann.press(await harness.ann.command("play", channel="games"), WHICH, [game])
        await harness.until(lambda: "Open a table" in str(card.message) and people.list_media(card.message))
        return harness.ann, card.message

    return shown


async def a_table(harness: Harness) -> tuple[Person, Json]:
    """An open table that others see, with free seats for computers."""
    told = await harness.ann.command("binary-scramble challenge", channel="games", seats=4)
    await harness.settled()
    found = re.match(r"Match (\d+) of", told.text)
    assert found, told.text
    return harness.ann, Played(harness, int(found[1]), await harness.row(int(found[1]))).lobby


async def a_page_to_play_on(harness: Harness) -> tuple[Person, Json]:
    first = await harness.store.ask(lambda reader: reader.load_match(1))  # pyright: ignore[reportArgumentType]
    played = Played(harness, 1, first) if first else await over(harness)
    return harness.ann, (await opened(harness, played)).message


async def a_page_of_a_record_that_was_brought(harness: Harness) -> tuple[Person, Json]:
    reply = await brought(harness)
    for label in ("Back", ON):
        reply = await harness.cem.press(reply, label)
        await harness.life.idle()
    return harness.cem, reply.message


async def a_challenge_that_was_declined(harness: Harness) -> tuple[Person, Json]:
    """The line that tells its host who has declined it, as it is edited later."""
    played = await table(harness, "binary-scramble", harness.ann, opponent=harness.cem, opponent2=harness.dora, seats=3)
    await harness.cem.press(played.lobby, "Decline")
    await harness.settled()
    return harness.ann, harness.ann.read_messages("games")[-1]


async def a_match_that_somebody_has_left(harness: Harness) -> tuple[Person, Json]:
    """The question who takes over from somebody who has left the server."""
    harness.faults.join("Dora")
    played = await harness.match(harness.ann, harness.dora)
    await left(harness, harness.dora)
    played = await played.move("b2", harness.ann)
    return harness.ann, (await harness.ann.press(played.board, "Substitute")).message


OPENERS: Mapping[str, Opens] = {
    "playing on": a_page_to_play_on,
    "settings": by_command("settings show"),
    "what is posted": by_command("settings posts"),
    "preferences": by_command("preferences"),
    "games to begin with": by_command("play"),
    "all games": the_list_of_all,
    "a game of two": card_of("dream-math"),
    "a game of several": card_of("binary-scramble"),
    "an open table": a_table,
    "lessons": by_command("learn"),
    "past puzzles": by_command("daily", show="past"),
    "a brought record": a_page_of_a_record_that_was_brought,
    "a declined challenge": a_challenge_that_was_declined,
    "a substitute": a_match_that_somebody_has_left,
}
COUNTS = {
    "settings": 5, "what is posted": 5, "preferences": 6, "games to begin with": 1, "all games": 1, "a game of two": 2,
    "a game of several": 3,
    "an open table": 1, "lessons": 1, "past puzzles": 1, "playing on": 2, "a brought record": 2,
    "a declined challenge": 1, "a substitute": 1,
}  # fmt: skip
"""How many selects each has."""
BESIDE = {"a declined challenge"}
"""Those whose choice is answered by a message beside, since their own goes."""


async def test_every_select_of_the_bot_is_among_these(harness: Harness, monkeypatch: pytest.MonkeyPatch) -> None:
    harness.clock.at = MORNING
    with noting_places(monkeypatch) as found:
        for name, opens in OPENERS.items():
            _, message = await opens(harness)
            assert len(selects(message)) == COUNTS[name], name
            await asyncio.sleep(PAUSE)
    assert found == {*places()}
    assert [file for file, source in sources() if SELECT.search(source)] == ["bot/platform/ui.py"]


def selects(message: Json) -> list[Json]:
    """The selects of a message, in order."""
    return [one for one in components.walk_components(message["components"]) if one["type"] in components.SELECTS]


def other(harness: Harness, select: Json) -> list[str]:
    """Something to choose that is not chosen yet."""
    if select["type"] == components.USER_SELECT:
        return [harness.bea.id]
    if select["type"] == components.CHANNEL_SELECT:
        return [harness.sandbox.channel("games")["id"]]
    return [[one["value"] for one in select["options"] if not one.get("default")][-1]]


# Every way in which a choice can fail.


@contextmanager
def handled_by(harness: Harness, handler: Callable[..., Awaitable[None]]) -> Generator[None]:
    routes: Any = harness.life.client.routes
    routes.answer = handler
    try:
        yield
    finally:
        del routes.answer


def raising(fault: Exception) -> Callable[[Harness], AbstractContextManager[None]]:
    async def pressed(*_: object) -> NoReturn:
        raise fault

    return lambda harness: handled_by(harness, pressed)


def hanging(harness: Harness) -> AbstractContextManager[None]:
    async def pressed(*_: object) -> None:
        await asyncio.sleep(PAUSE)

    return handled_by(harness, pressed)


@contextmanager
def without_store(harness: Harness) -> Generator[None]:
    """The store answers nothing, to whoever asks."""

    async def away(*_: object) -> NoReturn:
        raise Unavailable

    store: Any = harness.life.client.umpire.store
    with raising(Unavailable())(harness):
        store.ask, store.do = away, away
        try:
            yield
        finally:
            del store.ask, store.do


@contextmanager
def too_fast(harness: Harness) -> Generator[None]:
    acts = harness.life.client.gate.acts
    clock, acts.clock = acts.clock, lambda: 0.0
    for person in (harness.ann, harness.cem):
        acts.buckets[int(person.id)] = (0.0, 0.0)
    try:
        yield
    finally:
        acts.clock = clock
        acts.buckets.clear()


FAILURES: Mapping[str, tuple[str, Callable[[Harness], AbstractContextManager[None]]]] = {
    "refused": (NO, raising(Refusal(NO))),
    "too fast": (WAIT, too_fast),
    "no database": (BUSY, without_store),
    "an error": (SORRY, raising(ValueError("planted"))),
    "too slow": (UNDONE, hanging),
}
"""By a name: what is said, and the trouble."""


@contextmanager
def noting_faults(harness: Harness) -> Generator[list[BaseException]]:
    """What goes wrong with interactions meanwhile."""
    flow: Any = harness.life.client.flow
    plain, found = flow.explain, list[BaseException]()

    async def explain(interaction: Any, fault: BaseException) -> None:
        found.append(fault)
        await plain(interaction, fault)

    flow.explain = explain
    try:
        yield found
    finally:
        del flow.explain


def looks(message: Json) -> object:
    """What somebody sees of the selects and the pictures of a message where nothing is chosen anew."""
    kept = {"placeholder", "options", "default_values", "channel_types", "min_values", "max_values", "type"}
    shown = [{key: value for key, value in one.items() if key in kept} for one in selects(message)]
    return shown, labels(message), [(one.alt, one.filename) for one in people.list_media(message)]


@sampled("name", [*OPENERS], few=4)
async def test_what_was_refused_can_be_chosen_again(harness: Harness, name: str) -> None:
    """However often and for whatever reason: each sentence stands in place of the one before."""
    harness.forgiven += ["The database could not be used", "An interaction failed", "could not be shown", "failed and"]
    harness.clock.at = MORNING if name == "past puzzles" else harness.clock()  # one card says what time it is
    for at in range(COUNTS[name]):
        person, message = await OPENERS[name](harness)
        before = copy.deepcopy(message)
        values = other(harness, select := selects(before)[at])
        for sentence, trouble in FAILURES.values():
            await asyncio.sleep(PAUSE)
            custom_id = selects(message)[at]["custom_id"]
            with trouble(harness):
                reply = await person.press(message, custom_id, values)
            await asyncio.sleep(PAUSE)
            await harness.settled()
            message = harness.sandbox.world.message(before["channel_id"], before["id"])
            assert reply.is_ephemeral
            if before["ephemeral_for"]:
                assert reply.message_id == before["id"]
                assert people.text_of(message) == f"{sentence}\n{people.text_of(before)}"
            else:
                assert reply.message_id != before["id"] and reply.text == sentence
                # Edited, a challenge begins with who is asked; posted, with whom it tells.
                now, then = (people.text_of(one).splitlines()[1:] for one in (message, before))
                assert now == then, "nobody else learns of it"
            assert looks(message) == looks(before)
            renewed = selects(message)[at]["custom_id"]
            assert (renewed != custom_id) == (select["type"] != components.STRING_SELECT)
        with noting_faults(harness) as faults:
            reply = await person.press(message, selects(message)[at]["custom_id"], values)
            await harness.settled()
        assert faults == [] and reply.kind == ("message" if name in BESIDE else "update")
        assert (reply.message_id == before["id"]) == (name not in BESIDE)
        assert not any(sentence in reply.text for sentence, _ in FAILURES.values())
        await asyncio.sleep(PAUSE)


# Stories.


async def test_a_channel_is_chosen_again_when_the_bot_may_post_there(harness: Harness) -> None:
    """The card shows what is stored, and so what somebody else has changed meanwhile."""
    games = harness.sandbox.channel("games")["id"]
    harness.faults.deny("games", "attach_files")
    shown = await harness.ann.command("settings posts")
    await harness.store.do(Transaction.change_settings, guild(harness), lambda now: replace(now, leagues=False))
    refused = await harness.ann.press(shown, PLACES["daily"], [games])
    lacking = f"I can't post in <#{games}>: I need View Channel, Send Messages and Attach Files there."
    assert refused.message_id == shown.message_id and refused.text.startswith(f"{lacking}\n{POSTS_HEAD}\n")
    assert NO_LEAGUES in refused.text
    harness.faults.allow("games", "attach_files")
    await harness.restart()
    chosen = await harness.ann.press(refused, PLACES["daily"], [games])
    assert chosen.text.startswith(POSTS_HEAD)
    assert (await harness.store.ask(Reader.load_settings, guild(harness))).daily == int(games)


async def test_who_manages_the_server_no_longer_learns_nothing_new_of_its_settings(harness: Harness) -> None:
    shown = await harness.ann.command("settings show")
    before = shown.text
    await harness.store.do(Transaction.change_settings, guild(harness), lambda now: replace(now, threads=False))
    refused = await harness.choose(harness.bea, shown.message, "p:settings:pace", ["2"])
    assert refused.text == f"Only people who can manage this server can see and change its settings.\n{before}"


async def test_a_message_that_discord_does_not_take_back_is_left_and_the_sentence_told(harness: Harness) -> None:
    shown = await harness.ann.command("settings show")
    harness.faults.fail_requests("POST", CALLBACK, status=400, code=50035)
    refused = await harness.choose(harness.ann, shown.message, "p:settings:pace", ["99"])
    assert refused.is_ephemeral and refused.text == UNREAD and refused.message_id != shown.message_id
