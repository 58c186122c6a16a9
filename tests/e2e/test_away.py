"""Somebody is away: their clocks stand still, others see it, and nobody is told."""

from __future__ import annotations

import asyncio
import re
from contextlib import suppress

import pytest

from bot.features.challenges.service import UNASKED
from bot.play.rows import Absence
from bot.sandbox import people
from bot.sandbox.interactions import NoAnswerInTime
from data.queries.outbox import SETTLES
from data.store import Reader
from tests.e2e.harness import MESSAGE, Harness, called, said
from tests.e2e.test_store_trips import Counter, Trips
from tests.simulation.life import PATIENCE

DAY = 86_400


@pytest.fixture(autouse=True)
async def noon(harness: Harness) -> None:
    """It is noon, and stays so until somebody puts the clock forward: all here goes by seconds and by days."""
    harness.clock.at = harness.clock() // DAY * DAY + DAY // 2
    await harness.run_due_acts(0)


async def drawn(harness: Harness) -> None:
    """The boards that are to be edited are."""
    harness.clock.ahead += SETTLES
    await harness.life.client.publisher.retry_failed()
    await harness.settled()


async def test_a_match_while_somebody_is_away(harness: Harness) -> None:
    played = await harness.match(pace="2")
    told, before = harness.told(harness.bea), len(played.boards)
    choices = await harness.ann.complete("away until", "until", channel="games", until="in 1")
    assert [day for _, day in choices] == sorted(day for _, day in choices)
    assert re.fullmatch(r"\w+, \w+ \d+, \d{4} \(tomorrow\)", choices[0][0])
    reply = await harness.ann.command("away until", channel="games", until="in 5 days")
    assert reply.is_ephemeral
    found = re.fullmatch(
        r"You are away in this server until <t:(\d+):f>\. One of your clocks is stopped\. /away back ends it\.\n"
        r"You can be away for 30 days a year here and have 24 days left after that\.",
        reply.text,
    )
    assert found, reply.text
    end = int(found[1])
    await drawn(harness)
    board = (await played.fresh()).board
    assert f"Time is up <t:{end + 2 * DAY}:R>." in said(board)
    assert f"-# {called(harness.ann)} is away until <t:{end}:D>." in said(board)
    assert (harness.told(harness.bea), len(played.boards)) == (told, before)
    # What stood there is good to act on still.
    played = await played.move("b2")
    assert f"{called(harness.ann)} is away until" in said(played.board)
    await played.move("a1")
    asked = await harness.bea.command("binary-primes challenge", channel="games", opponent=harness.ann)
    legs = UNASKED.format(game="Binary Primes")
    assert asked.text.endswith(f":f>. {called(harness.ann)} is away until <t:{end}:D>. {legs}")
    await harness.settled()
    lobby = harness.sandbox.world.message(str(played.row.channel), str((await harness.row(2)).lobby_message))
    assert f"-# {harness.ann.mention} is away until <t:{end}:D>." in said(lobby), "she is told"
    shown = await harness.ann.command("away show", channel="games")
    assert shown.text == reply.text
    back = await harness.ann.command("away until", channel="games", until="now")
    assert back.text == (
        "You are back. One of your clocks runs again.\nYou can be away for 30 days a year here and have 30 days left."
    )
    await drawn(harness)
    for message in ((await played.fresh()).board, harness.sandbox.world.message(lobby["channel_id"], lobby["id"])):
        assert "away" not in people.text_of(message)
    assert (harness.told(harness.bea), len((await played.fresh()).boards)) == (told + 1, before + 2), (
        "her turn, and no more"
    )
    again = await harness.ann.command("away back", channel="games")
    assert again.text.startswith("You're not away. Going on holiday? /away until stops your clocks.")
    await harness.sound()


async def test_who_does_not_say_that_they_are_back_is_seen_to_be(harness: Harness) -> None:
    played = await harness.match(pace="2")
    await harness.ann.command("away until", channel="games", until="tomorrow")
    await drawn(harness)
    assert "is away until" in said((await played.fresh()).board)
    (one,) = await harness.store.ask(Reader.find_absences_of, played.row.guild, int(harness.ann.id), 0)
    harness.clock.ahead += one.ends - harness.clock()
    await harness.restart()
    await harness.life.client.sweep()  # or the bot's own first look, which may be at it in this moment
    async with asyncio.timeout(PATIENCE):
        while "away" in (board := said((await played.fresh()).board)):
            await drawn(harness)
    assert "Time is up" in board


@pytest.mark.long
async def test_an_absence_is_shown_on_the_board_of_a_secret_match_that_has_gone_on_unseen(harness: Harness) -> None:
    """The board is the same after a secret move, so nothing else would edit it."""
    reply = await harness.ann.command("sums-grid challenge", channel="games", size=2, opponent=harness.bea, pace="2")
    assert ": challenge sent. " in reply.text
    await harness.settled()
    lobby = harness.sandbox.world.message(
        str((await harness.row(1)).channel), str((await harness.row(1)).lobby_message)
    )
    await harness.bea.press(lobby, "Accept")
    await harness.settled()
    row = await harness.row(1)
    place = harness.sandbox.channel(str(row.thread))
    await harness.bea.command("away until", channel="games", until="tomorrow")
    edits = len(harness.sandbox.requests_of("PATCH", MESSAGE))
    harness.kill_at("committed")
    with suppress(NoAnswerInTime):
        await harness.ann.command("sums-grid submit", channel=place, grid="1 2 / 3 4")
    await harness.killed.wait()
    lagging = await harness.row(1)
    assert lagging.shown_version < lagging.version
    harness.clock.ahead += SETTLES
    await harness.restart()
    await harness.settled()
    board = harness.sandbox.world.message(place["id"], str(row.board_message))
    assert f"{called(harness.bea)} is away until" in said(board)
    assert len(harness.sandbox.requests_of("PATCH", MESSAGE)) == edits + 1
    assert (await harness.row(1)).board_message == row.board_message


async def test_what_being_away_costs_and_what_it_does_not_change(harness: Harness) -> None:
    played = await harness.match(pace="1")
    deadline = played.row.players[0].deadline
    assert deadline
    counter, trips = Counter(harness), dict[str, Trips]()
    await harness.bea.command("away until", channel="games", until="tomorrow")
    trips["until"] = await counter.passed("/away until")
    await harness.bea.complete("away until", "until", channel="games", until="fri")
    trips["typed"] = await counter.passed("typing /away until")
    await harness.bea.command("away show", channel="games")
    trips["show"] = await counter.passed("/away show")
    refused = await harness.bea.command("away until", channel="games", until="in 3 months")
    assert refused.is_ephemeral and refused.text.startswith("I can't read that date. Write it like 2026-12-24")
    await counter.passed("a refusal")
    await harness.bea.command("away back", channel="games")
    trips["back"] = await counter.passed("/away back")
    assert trips == {
        "until": Trips(0, 1, 1), "typed": Trips(1, 0, 1), "show": Trips(1, 0, 1), "back": Trips(0, 1, 1),
    }  # fmt: skip
    harness.clock.at = deadline + 1
    await harness.run_due_acts(0)
    late = await harness.ann.command("away until", channel="games", until="in 2 days")
    link = f"https://discord.com/channels/{played.row.guild}/{played.row.board_channel}/{played.row.board_message}"
    assert late.text.endswith(
        "You have already run out of time here, and being away doesn't change that. Move while you still can:\n"
        f"1 · Your move · Binary Primes against {called(harness.bea)} · time ends <t:{deadline}:R> {link}"
    )
    (one,) = await harness.store.ask(Reader.find_absences_of, played.row.guild, int(harness.ann.id), 0)
    assert one == Absence(deadline + 1, one.ends)
    assert (await harness.row(1)).players[0].deadline == deadline
