"""Before Discord has told of a server, and while an outage takes it away: nothing is decided without knowing it."""

from __future__ import annotations

import pytest

from tests.e2e.house import House

CHANNEL = "/channels/{channel_id}"
LATE = "Discord hasn't told me about this server's channels yet. Try again in a few seconds."


async def late(house: House) -> None:
    """The bot starts again, and Discord tells it nothing of the server for now."""
    house.faults.delay_guild()
    await house.restart()


async def told(house: House) -> None:
    """Discord tells of the server, and the bot looks for what it has to show."""
    house.faults.introduce_server()
    await house.until(lambda: not house.life.client.guilds[0].unavailable)
    await house.life.client.publisher.catch_up()
    await house.settled()


async def allow(house: House, *names: str) -> None:
    """Allow challenges in these channels."""
    for name in names:
        channel = house.sandbox.channel(name)["id"]
        await house.ann.run(["settings", "channel"], "general", {"channel": channel, "allowed": True})


async def shown_settings(house: House) -> str:
    return (await house.ann.command("settings show", channel="general")).text


def mention(house: House, name: str) -> str:
    return f"<#{house.sandbox.channel(name)['id']}>"


async def test_a_match_that_begins_before_the_server_is_known_gets_its_thread_all_the_same(house: House) -> None:
    house.is_unnamed = True
    played = await house.challenge(opponent=house.bea)
    await late(house)
    await house.bea.press(played.lobby, "Accept")
    await house.life.idle()
    assert (await played.fresh()).row.thread is None, "where it is played is not decided yet"
    await told(house)
    played = await played.fresh()
    assert played.place["name"] == "Ann – Bea · Binary Primes · 1"
    assert len(played.boards) == 1


async def test_an_outage_parks_no_match_and_moves_none(house: House) -> None:
    played = await house.match()
    house.faults.start_outage()
    await house.until(lambda: house.life.client.guilds[0].unavailable)
    house.faults.deny("games", "view_channel")  # as if it were gone
    await house.ann.command("binary-primes move", channel=played.place, square="b2")
    await house.life.idle()
    await house.life.client.publisher.catch_up()
    row = (await played.fresh()).row
    assert (row.plies, row.publish_error, row.shown_version < row.version) == (1, None, True)
    house.faults.allow("games", "view_channel")
    await told(house)
    assert len((await played.fresh()).boards) == 2
    assert house.told(house.bea) == 2


@pytest.mark.long
async def test_a_server_that_the_bot_was_removed_from_is_not_waited_for(house: House) -> None:
    played = await house.match()
    house.faults.deny("games", "view_channel")
    house.sandbox.gateway.dismiss()
    await house.until(lambda: not house.life.client.guilds)
    await house.ann.command("binary-primes move", channel=played.place, square="b2")
    await house.settled()
    assert (await played.fresh()).row.publish_error


@pytest.mark.long
async def test_the_channels_for_challenges_stay_so_before_the_server_is_known(house: House) -> None:
    await allow(house, "general")
    await late(house)
    reply = await house.ann.command("binary-primes challenge", channel="games", size=3)
    assert reply.text == f"You can't challenge anybody in this channel. Go to {mention(house, 'general')}."


@pytest.mark.long
async def test_allowing_a_channel_before_the_server_is_known_keeps_the_others(house: House) -> None:
    await allow(house, "general")
    await late(house)
    await allow(house, "games")
    both = f"{mention(house, 'general')} and {mention(house, 'games')}"
    assert (await shown_settings(house)).startswith(f"Challenges are allowed in {both}.")


@pytest.mark.long
async def test_only_discord_says_that_a_channel_for_challenges_is_gone(house: House) -> None:
    """In an outage nothing counts as gone; nor does what cannot be looked up, since Discord errs or keeps silent."""
    await allow(house, "general", "games")
    both = f"{mention(house, 'general')} and {mention(house, 'games')}"
    house.faults.delete_channel("games")
    house.faults.start_outage()
    await house.until(lambda: house.life.client.guilds[0].unavailable)
    assert (await shown_settings(house)).startswith(f"Challenges are allowed in {both}.")
    await told(house)
    house.faults.fail_requests("GET", CHANNEL)
    assert (await shown_settings(house)).startswith(f"Challenges are allowed in {both}.")
    house.faults.delay_requests("GET", CHANNEL, 2)
    assert (await shown_settings(house)).startswith(f"Challenges are allowed in {both}.")
    assert (await shown_settings(house)).startswith(f"Challenges are allowed in {mention(house, 'general')}.")


@pytest.mark.long
async def test_lists_say_that_the_server_is_not_known_yet(house: House) -> None:
    await house.challenge()
    await late(house)
    assert LATE in (await house.bea.command("tables")).text
    assert "1 of 2 seats free" in (await house.ann.command("matches")).text
    await told(house)
    assert "1 of 2 seats free" in (await house.bea.command("tables")).text
