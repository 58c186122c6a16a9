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

from bot.features.challenges.onboarding import WHICH
from bot.features.settings.handlers import NO_LEAGUES, NO_PUZZLE
from bot.platform.interactions import SORRY, UNREAD
from bot.platform.ui import Control
from bot.play.ids import GuildId
from bot.play.loaded_match import Refusal
from bot.sandbox import components, people
from bot.sandbox.errors import Json
from bot.sandbox.people import Person
from data.engine.errors import Unavailable
from data.store import Transaction
from tests.e2e.house import CALLBACK, House, Played, labels
from tests.e2e.test_daily import MORNING
from tests.e2e.test_database_unavailable import BUSY, UNDONE
from tests.e2e.test_departures import left
from tests.e2e.test_play_on import ON, opened
from tests.e2e.test_rate_limit import WAIT
from tests.e2e.test_records import brought, over
from tests.e2e.test_several_seats import line_below, table
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
Opens = Callable[[House], Awaitable[tuple[Person, Json]]]
"""Has a message with selects shown to somebody."""


def guild(house: House) -> GuildId:
    return GuildId(int(house.sandbox.world.home_guild["id"]))


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
    async def shown(house: House) -> tuple[Person, Json]:
        return house.ann, (await house.ann.command(command, channel="games", **options)).message

    return shown


def card_of(game: str) -> Opens:
    async def shown(house: House) -> tuple[Person, Json]:
        card = await house.ann.press(await house.ann.command("play", channel="games"), WHICH, [game])
        await house.until(lambda: "Open a table" in str(card.message) and people.list_media(card.message))
        return house.ann, card.message

    return shown


async def a_table(house: House) -> tuple[Person, Json]:
    """An open table that others see, with free seats for computers."""
    told = await house.ann.command("binary-scramble challenge", channel="games", seats=4)
    await house.settled()
    found = re.match(r"Match (\d+) of", told.text)
    assert found, told.text
    return house.ann, Played(house, int(found[1]), await house.row(int(found[1]))).lobby


async def a_page_to_play_on(house: House) -> tuple[Person, Json]:
    first = await house.store.ask(lambda reader: reader.load_match(1))  # pyright: ignore[reportArgumentType]
    played = Played(house, 1, first) if first else await over(house)
    return house.ann, (await opened(house, played)).message


async def a_page_of_a_record_that_was_brought(house: House) -> tuple[Person, Json]:
    reply = await brought(house)
    for label in ("Next", "Next", ON):
        reply = await house.cem.press(reply, label)
        await house.life.idle()
    return house.cem, reply.message


async def a_challenge_that_was_declined(house: House) -> tuple[Person, Json]:
    """The line that tells its host who has declined it, as it is edited later."""
    played = await table(house, "binary-scramble", house.ann, opponent=house.cem, opponent2=house.dora, seats=3)
    await house.cem.press(played.lobby, "Decline")
    await house.settled()
    return house.ann, line_below(house)


async def a_match_that_somebody_has_left(house: House) -> tuple[Person, Json]:
    """The question who takes over from somebody who has left the server."""
    house.faults.join("Dora")
    played = await house.match(house.ann, house.dora)
    await left(house, house.dora)
    played = await played.move("b2", house.ann)
    return house.ann, (await house.ann.press(played.board, "Substitute")).message


OPENERS: Mapping[str, Opens] = {
    "playing on": a_page_to_play_on,
    "settings": by_command("settings show"),
    "what is posted": by_command("settings posts"),
    "preferences": by_command("preferences"),
    "all games": by_command("play"),
    "a game of two": card_of("binary-primes"),
    "a game of several": card_of("binary-scramble"),
    "an open table": a_table,
    "lessons": by_command("learn"),
    "past puzzles": by_command("daily", show="past"),
    "a brought record": a_page_of_a_record_that_was_brought,
    "a declined challenge": a_challenge_that_was_declined,
    "a substitute": a_match_that_somebody_has_left,
}
COUNTS = {
    "settings": 5, "what is posted": 5, "preferences": 5, "all games": 1, "a game of two": 2, "a game of several": 3,
    "an open table": 1, "lessons": 1, "past puzzles": 1, "playing on": 2, "a brought record": 2,
    "a declined challenge": 1, "a substitute": 1,
}  # fmt: skip
"""How many selects each has."""
BESIDE = {"a declined challenge"}
"""Those whose choice is answered by a message beside, since their own goes."""


async def test_every_select_of_the_bot_is_among_these(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    house.clock.at = MORNING
    with noting_places(monkeypatch) as found:
        for name, opens in OPENERS.items():
            _, message = await opens(house)
            assert len(selects(message)) == COUNTS[name], name
            await asyncio.sleep(PAUSE)
    assert found == {*places()}
    assert [file for file, source in sources() if SELECT.search(source)] == ["bot/platform/ui.py"]


def selects(message: Json) -> list[Json]:
    """The selects of a message, in order."""
    return [one for one in components.walk_components(message["components"]) if one["type"] in components.SELECTS]


def other(house: House, select: Json) -> list[str]:
    """Something to choose that is not chosen yet."""
    if select["type"] == components.USER_SELECT:
        return [house.bea.id]
    if select["type"] == components.CHANNEL_SELECT:
        return [house.sandbox.channel("games")["id"]]
    return [[one["value"] for one in select["options"] if not one.get("default")][-1]]


# Every way in which a choice can fail.


@contextmanager
def handled_by(house: House, handler: Callable[..., Awaitable[None]]) -> Generator[None]:
    routes: Any = house.life.client.routes
    routes.answer = handler
    try:
        yield
    finally:
        del routes.answer


def raising(fault: Exception) -> Callable[[House], AbstractContextManager[None]]:
    async def pressed(*_: object) -> NoReturn:
        raise fault

    return lambda house: handled_by(house, pressed)


def hanging(house: House) -> AbstractContextManager[None]:
    async def pressed(*_: object) -> None:
        await asyncio.sleep(PAUSE)

    return handled_by(house, pressed)


@contextmanager
def without_store(house: House) -> Generator[None]:
    """The store answers nothing, to whoever asks."""

    async def away(*_: object) -> NoReturn:
        raise Unavailable

    store: Any = house.life.client.umpire.store
    with raising(Unavailable())(house):
        store.ask, store.do = away, away
        try:
            yield
        finally:
            del store.ask, store.do


@contextmanager
def too_fast(house: House) -> Generator[None]:
    acts = house.life.client.gate.acts
    clock, acts.clock = acts.clock, lambda: 0.0
    for person in (house.ann, house.cem):
        acts.buckets[int(person.id)] = (0.0, 0.0)
    try:
        yield
    finally:
        acts.clock = clock
        acts.buckets.clear()


FAILURES: Mapping[str, tuple[str, Callable[[House], AbstractContextManager[None]]]] = {
    "refused": (NO, raising(Refusal(NO))),
    "too fast": (WAIT, too_fast),
    "no database": (BUSY, without_store),
    "an error": (SORRY, raising(ValueError("planted"))),
    "too slow": (UNDONE, hanging),
}
"""By a name: what is said, and the trouble."""


@contextmanager
def noting_faults(house: House) -> Generator[list[BaseException]]:
    """What goes wrong with interactions meanwhile."""
    flow: Any = house.life.client.flow
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
async def test_what_was_refused_can_be_chosen_again(house: House, name: str) -> None:
    """However often and for whatever reason: each sentence stands in place of the one before."""
    house.forgiven += ["The database could not be used", "An interaction failed", "could not be shown", "failed and"]
    house.clock.at = MORNING if name == "past puzzles" else house.clock()  # one card says what time it is
    for at in range(COUNTS[name]):
        person, message = await OPENERS[name](house)
        before = copy.deepcopy(message)
        values = other(house, select := selects(before)[at])
        for sentence, trouble in FAILURES.values():
            await asyncio.sleep(PAUSE)
            custom_id = selects(message)[at]["custom_id"]
            with trouble(house):
                reply = await person.press(message, custom_id, values)
            await asyncio.sleep(PAUSE)
            await house.settled()
            message = house.sandbox.world.message(before["channel_id"], before["id"])
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
        with noting_faults(house) as faults:
            reply = await person.press(message, selects(message)[at]["custom_id"], values)
            await house.settled()
        assert faults == [] and reply.kind == ("message" if name in BESIDE else "update")
        assert (reply.message_id == before["id"]) == (name not in BESIDE)
        assert not any(sentence in reply.text for sentence, _ in FAILURES.values())
        await asyncio.sleep(PAUSE)


# Stories.


async def test_a_channel_is_chosen_again_when_the_bot_may_post_there(house: House) -> None:
    """The card shows what is stored, and so what somebody else has changed meanwhile."""
    games = house.sandbox.channel("games")["id"]
    house.faults.deny("games", "attach_files")
    shown = await house.ann.command("settings posts")
    await house.store.do(Transaction.change_settings, guild(house), lambda now: replace(now, leagues=False))
    refused = await house.ann.press(shown, "Daily puzzle: off", [games])
    lacking = f"I can't post in <#{games}>: I need View Channel, Send Messages and Attach Files there."
    assert refused.message_id == shown.message_id and refused.text.startswith(f"{lacking}\n{NO_PUZZLE}\n")
    assert NO_LEAGUES in refused.text
    house.faults.allow("games", "attach_files")
    await house.restart()
    chosen = await house.ann.press(refused, "Daily puzzle: off", [games])
    assert chosen.text.startswith(f"The daily puzzle is posted in <#{games}>, from ")


async def test_who_manages_the_server_no_longer_learns_nothing_new_of_its_settings(house: House) -> None:
    shown = await house.ann.command("settings show")
    before = shown.text
    await house.store.do(Transaction.change_settings, guild(house), lambda now: replace(now, threads=False))
    refused = await house.choose(house.bea, shown.message, "p:settings:pace", ["2"])
    assert refused.text == f"Only people who can manage this server can see and change its settings.\n{before}"


async def test_a_message_that_discord_does_not_take_back_is_left_and_the_sentence_told(house: House) -> None:
    shown = await house.ann.command("settings show")
    house.faults.fail_requests("POST", CALLBACK, status=400, code=50035)
    refused = await house.choose(house.ann, shown.message, "p:settings:pace", ["99"])
    assert refused.is_ephemeral and refused.text == UNREAD and refused.message_id != shown.message_id
