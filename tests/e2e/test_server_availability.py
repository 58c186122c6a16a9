"""Before Discord has told of a server, and while an outage takes it away: nothing is decided without knowing it."""

from __future__ import annotations

import pytest

from tests.e2e.harness import Harness
from tests.e2e.test_settings import list_places

CHANNEL = "/channels/{channel_id}"
LATE = "Discord hasn't told me about this server's channels yet. Try again in a few seconds."


async def late(harness: Harness) -> None:
    """The bot starts again, and Discord tells it nothing of the server for now."""
    harness.faults.delay_guild()
    await harness.restart()


async def told(harness: Harness) -> None:
    """Discord tells of the server, and the bot looks for what it has to show."""
    harness.faults.introduce_server()
    await harness.until(lambda: not harness.life.client.guilds[0].unavailable)
    await harness.life.client.publisher.catch_up()
    await harness.settled()


async def allow(harness: Harness, *names: str) -> None:
    """Allow challenges in these channels."""
    for name in names:
        channel = harness.sandbox.channel(name)["id"]
        await harness.ann.run(["settings", "channel"], "general", {"channel": channel, "allowed": True})


async def allowed_channels(harness: Harness) -> list[str]:
    """The channels that the settings name for challenges."""
    return list_places((await harness.ann.command("settings show", channel="general")).message)


def mention(harness: Harness, name: str) -> str:
    return f"<#{harness.sandbox.channel(name)['id']}>"


async def test_a_match_that_begins_before_the_server_is_known_gets_its_thread_all_the_same(harness: Harness) -> None:
    harness.is_unnamed = True
    played = await harness.challenge(opponent=harness.bea)
    await late(harness)
    await harness.bea.press(played.lobby, "Accept")
    await harness.life.idle()
    assert (await played.fresh()).row.thread is None, "where it is played is not decided yet"
    await told(harness)
    played = await played.fresh()
    assert played.place["name"] == "Ann – Bea · Binary Primes · 1"
    assert len(played.boards) == 1


async def test_an_outage_parks_no_match_and_moves_none(harness: Harness) -> None:
    played = await harness.match()
    harness.faults.start_outage()
    await harness.until(lambda: harness.life.client.guilds[0].unavailable)
    harness.faults.deny("games", "view_channel")  # as if it were gone
    await harness.ann.command("binary-primes move", channel=played.place, square="b2")
    await harness.life.idle()
    await harness.life.client.publisher.catch_up()
    row = (await played.fresh()).row
    assert (row.plies, row.publish_error, row.shown_version < row.version) == (1, None, True)
    harness.faults.allow("games", "view_channel")
    await told(harness)
    assert len((await played.fresh()).boards) == 2
    assert harness.told(harness.bea) == 2


@pytest.mark.long
async def test_a_server_that_the_bot_was_removed_from_is_not_waited_for(harness: Harness) -> None:
    played = await harness.match()
    harness.faults.deny("games", "view_channel")
    harness.sandbox.gateway.dismiss()
    await harness.until(lambda: not harness.life.client.guilds)
    await harness.ann.command("binary-primes move", channel=played.place, square="b2")
    await harness.settled()
    assert (await played.fresh()).row.publish_error


@pytest.mark.long
async def test_the_channels_for_challenges_stay_so_before_the_server_is_known(harness: Harness) -> None:
    await allow(harness, "general")
    await late(harness)
    reply = await harness.ann.command("binary-primes challenge", channel="games", size=3)
    assert reply.text == f"You can't challenge anybody in this channel. Go to {mention(harness, 'general')}."


@pytest.mark.long
async def test_allowing_a_channel_before_the_server_is_known_keeps_the_others(harness: Harness) -> None:
    await allow(harness, "general")
    await late(harness)
    await allow(harness, "games")
    both = [str(harness.sandbox.channel(name)["id"]) for name in ("general", "games")]
    assert await allowed_channels(harness) == both


@pytest.mark.long
async def test_only_discord_says_that_a_channel_for_challenges_is_gone(harness: Harness) -> None:
    """In an outage nothing counts as gone; nor does what cannot be looked up, since Discord errs or keeps silent."""
    await allow(harness, "general", "games")
    both = [str(harness.sandbox.channel(name)["id"]) for name in ("general", "games")]
    harness.faults.delete_channel("games")
    harness.faults.start_outage()
    await harness.until(lambda: harness.life.client.guilds[0].unavailable)
    assert await allowed_channels(harness) == both
    await told(harness)
    harness.faults.fail_requests("GET", CHANNEL)
    assert await allowed_channels(harness) == both
    harness.faults.delay_requests("GET", CHANNEL, 2)
    assert await allowed_channels(harness) == both
    assert await allowed_channels(harness) == both[:1]


@pytest.mark.long
async def test_lists_say_that_the_server_is_not_known_yet(harness: Harness) -> None:
    await harness.challenge()
    await late(harness)
    assert LATE in (await harness.bea.command("tables")).text
    assert "1 of 2 seats free" in (await harness.ann.command("matches")).text
    await told(harness)
    assert "1 of 2 seats free" in (await harness.bea.command("tables")).text
