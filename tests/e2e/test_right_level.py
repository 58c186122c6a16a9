"""Which level of the computer suits somebody: said on the card and on their own profile, and to nobody else."""

from __future__ import annotations

import pytest

from bot.features.challenges.onboarding import ALL_GAMES, WHICH
from bot.features.study.posts import EVERYBODY
from bot.play import acts
from bot.play.ids import InteractionId, UserId
from bot.play.ratings import ResultAgainstComputer
from bot.sandbox import people
from bot.sandbox.people import BotReply, Person
from data.engine.errors import Unavailable
from data.store import Reader
from tests.e2e.harness import Harness

SUITS = "suits you: you should win about half of your matches against it."
WAY_UP = "Your way up"


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


async def test_the_card_names_the_level_and_only_its_asker_sees_it(harness: Harness) -> None:
    assert SUITS not in (await card(harness, harness.ann, "binary-primes")).text
    await lost(harness, level=3)
    await lost(harness, level=3)
    shown = await card(harness, harness.ann, "binary-primes")
    assert shown.is_ephemeral and f"Level 1 {SUITS}" in shown.text
    assert SUITS not in (await card(harness, harness.ann, "plexus")).text
    assert SUITS not in (await card(harness, harness.bea, "binary-primes")).text
    await harness.restart()
    assert (await card(harness, harness.ann, "binary-primes")).text == shown.text


async def test_a_profile_shows_the_way_up_to_its_owner_alone(harness: Harness) -> None:
    await lost(harness, level=1)
    own = await harness.ann.command("profile", channel="games")
    assert (
        own.is_ephemeral
        and WAY_UP in own.text
        and f"**Binary Primes** · Level 1 {SUITS} Level 2 comes next." in own.text
    )
    public = await harness.ann.press(own, EVERYBODY)
    assert not public.is_ephemeral and "**Against the computer**" in public.text and WAY_UP not in public.text
    assert WAY_UP not in (await harness.bea.command("profile", channel="games", person=harness.ann)).text
    assert WAY_UP not in (await harness.ann.command("profile", channel="games", game="plexus")).text


async def test_it_ends_when_somebody_is_forgotten(harness: Harness) -> None:
    await lost(harness, level=1)
    forgotten = await harness.ann.command("privacy forget", channel="games", confirm="forget me")
    await harness.until(lambda: "I have forgotten you" in forgotten.text)
    assert SUITS not in (await card(harness, harness.ann, "binary-primes")).text
    assert WAY_UP not in (await harness.ann.command("profile", channel="games")).text


async def test_a_card_is_shown_without_it_where_the_results_cannot_be_read(
    harness: Harness, monkeypatch: pytest.MonkeyPatch
) -> None:
    def against(reader: Reader, guild: int, user: int) -> tuple[ResultAgainstComputer, ...]:
        raise Unavailable

    await lost(harness, level=1)
    monkeypatch.setattr(Reader, "load_results_against_computer", against)
    assert SUITS not in (await card(harness, harness.ann, "binary-primes")).text
