"""What somebody's moves lost in a reviewed match tells them which level suits them, and nobody else anything."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from bot.features.ranking import handlers as ranking_handlers
from bot.features.study.posts import EVERYBODY
from bot.games.catalogue import load_games
from bot.platform.checks import TokenBuckets
from bot.platform.interactions import Interaction
from bot.play import ratings, reviews
from bot.play.ratings import GameLosses, PointsLost
from bot.play.reviews import version_of
from bot.sandbox.people import BotReply, Person
from data.store import Reader, Transaction
from tests.e2e.conftest import opened
from tests.e2e.harness import Harness, Played
from tests.e2e.test_right_level import card
from tests.e2e.transcripts import Asker, Transcript, commands, differences

MOVES = ("b2-b3", "b3-a3", "b2-a2", "b2-c2", "b3-c3", "b1-a1", "c2-c1")
"""A match of Plexus on three dots by three, which Ann wins."""
ASKED = (("profile",), ("leaderboard",), ("privacy", "export"), ("matches",), ("match", "board"))
"""What the others use."""
LOST = "In reviewed matches you lost"


@pytest.fixture(autouse=True)
def _soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """A small match is enough to say something."""
    monkeypatch.setattr(ratings, "FEWEST", 1)
    monkeypatch.setattr(reviews, "TRIVIAL", 2)


async def finished(harness: Harness) -> Played:
    """Ann and Bea have played to the end."""
    reply = await harness.ann.command(
        "plexus challenge", channel="games", opponent=harness.bea, size=3, seat="me", legs=1, rated=False
    )
    await harness.settled()
    number = int(reply.text.split()[1])
    played = Played(harness, number, await harness.row(number))
    await harness.bea.press(played.lobby, "Accept")
    await harness.settled()
    played = await played.fresh()
    for move in MOVES:
        start, end = move.split("-")
        told = await played.mover.command("plexus move", channel=played.place, **{"from": start, "to": end})
        assert told.text.startswith(f"You played **{move}**"), told.text
        await harness.settled()
        played = await played.fresh()
    assert played.row.state == "finished"
    return played


async def reviewed(harness: Harness, played: Played, person: Person) -> BotReply:
    """The review of a match, as somebody opens it."""
    opened = await harness.press_more(person, played.board, "Review")
    await harness.life.idle()
    return opened


async def losses(harness: Harness, person: Person) -> dict[str, GameLosses]:
    """What is kept of somebody's moves."""
    guild = int(harness.sandbox.world.home_guild["id"])
    return await harness.store.ask(Reader.load_losses_by_game, guild, int(person.id))


async def test_after_a_review_ones_own_profile_and_card_say_which_level_suits_one(harness: Harness) -> None:
    played = await finished(harness)
    assert LOST not in (await harness.ann.command("profile", channel="games")).text
    assert await losses(harness, harness.ann) == {}
    await reviewed(harness, played, harness.cem)
    kept = await losses(harness, harness.ann)
    assert kept["plexus"].moves >= 1 and kept["plexus"].by_lot > 0
    own = await harness.ann.command("profile", channel="games")
    assert own.is_ephemeral and LOST in own.text and "**Plexus** · Level " in own.text
    shown = await card(harness, harness.ann, "plexus")
    assert shown.is_ephemeral and "suits you" in shown.text and LOST not in shown.text
    await harness.restart()
    await reviewed(harness, played, harness.bea)
    assert await losses(harness, harness.ann) == kept, "a second review counts the match again"
    assert (await harness.ann.command("profile", channel="games")).text == own.text
    assert (await card(harness, harness.dora, "plexus")).text.count("suits you") == 0
    await harness.sound()


async def story(harness: Harness, lost: PointsLost) -> Transcript:
    """What Bea and Cem get when so much is kept of Ann's moves, and what stands in the channels when Ann shows hers."""
    told = Transcript(harness)
    harness.life.client.gate.acts = TokenBuckets(10_000, 1)
    played = await finished(harness)
    await reviewed(harness, played, harness.ann)
    await harness.store.do(keep, played, lost)
    for person in (harness.bea, harness.cem):
        asker = Asker(told, person, played.place, {"person": harness.ann, "game": "plexus", "match": played.id})
        for path, options in commands(harness):
            if path in ASKED:
                await asker.use(path, options)
        told.reply(f"{person.name}: the card", await card(harness, person, "plexus"))
        told.reply(f"{person.name}: the review", await reviewed(harness, played, person))
    own = await harness.ann.command("profile", channel="games")
    assert f"{LOST} {lost.points / lost.moves:.1f} points a move." in own.text
    await harness.ann.press(own, EVERYBODY)
    await harness.settled()
    told.channels(harness.cem)
    told.requests(but=harness.ann)
    return told


def keep(tx: Transaction, played: Played, lost: PointsLost) -> None:
    """Keep something of Ann's moves, and leave the review of the match as it is."""
    version = version_of(load_games()["plexus"])
    review = tx.load_review(played.id, version)
    assert review
    tx.keep_review(played.id, version, review, {1: lost})


async def both(folder: Path, empty: Path) -> dict[str, tuple[str, str]]:
    """What was different in two stories in which Ann has lost little and much."""
    transcripts: list[Transcript] = []
    for points in (40.0, 800.0):
        async with opened(folder, empty, 3600.0) as harness:
            transcripts.append(await story(harness, PointsLost(400, points, 900.0)))
    return differences(*transcripts)


async def test_nothing_that_others_can_see_depends_on_what_somebody_lost(folder: Path, empty_database: Path) -> None:
    found = await both(folder, empty_database)
    assert not found, f"{[*found]} tells of it:\n{next(iter(found.values()))}"


@pytest.mark.long
async def test_a_planted_leak_is_found(folder: Path, empty_database: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The page that somebody shows to all is the one that they see themselves."""
    asked_by: Callable[..., Any] = ranking_handlers.make_request

    def planted(interaction: Interaction, *, shown: bool) -> Any:
        return asked_by(interaction, shown=False)

    monkeypatch.setattr(ranking_handlers, "make_request", planted)
    assert "#games" in await both(folder, empty_database)
