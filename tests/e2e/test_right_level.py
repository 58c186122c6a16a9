"""Which level of the computer suits somebody, where their results cannot be read."""

from __future__ import annotations

import pytest

from bot.features.challenges.onboarding import ALL_GAMES, WHICH
from bot.play import acts
from bot.play.ids import InteractionId, UserId
from bot.play.ratings import ResultAgainstComputer
from bot.sandbox import people
from bot.sandbox.people import BotReply, Person
from data.engine.errors import Unavailable
from data.store import Reader
from tests.e2e.harness import Harness

SUITS = "suits you: you should win about half of your matches against it."


async def lost(harness: Harness, level: int) -> None:
    """Ann gives up a match against the computer."""
    played = await harness.against(level=level)
    umpire = harness.life.client.umpire
    act = InteractionId(10**17 + played.row.id)
    await harness.life.does(umpire.act(act, played.row.id, UserId(int(harness.ann.id)), acts.resign))
    harness.life.client.publisher.request_publish(played.row.id)
    await harness.settled()


async def card(harness: Harness, person: Person, key: str) -> BotReply:
    """The card of a game, as somebody gets to it."""
    listed = await person.press(await person.command("play", channel="games"), ALL_GAMES)
    shown = await person.press(listed, WHICH, [key])
    await harness.until(lambda: "Back" in str(people.list_buttons(shown.message)))
    return shown


async def test_a_card_is_shown_without_it_where_the_results_cannot_be_read(
    harness: Harness, monkeypatch: pytest.MonkeyPatch
) -> None:
    def against(reader: Reader, guild: int, user: int) -> tuple[ResultAgainstComputer, ...]:
        raise Unavailable

    await lost(harness, level=1)
    monkeypatch.setattr(Reader, "load_results_against_computer", against)
    assert SUITS not in (await card(harness, harness.ann, "binary-primes")).text
