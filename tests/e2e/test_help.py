"""The welcome of a server, /help, and a quick game from either: a first legal move in a few taps."""

from __future__ import annotations

import pytest

from bot import VERSION
from bot.client.lobby.welcome import quickest
from bot.core.values.computer_users import level_of
from bot.sandbox import Reply
from bot.sandbox.page import reading
from data.store import Reader
from tests.e2e.house import House, labels

TAPS = 3
"""From the welcome: *Quick game*, a key, and *Play*."""


async def moved(house: House, pad: Reply) -> int:
    """Tap the first key of a pad until the move is played; how many taps that takes."""
    for taps in range(1, 9):
        keys = [label for label in labels(pad.message) if label not in ("Back", "Type it")]
        key = next((key for key in keys if key.startswith("Play ")), keys[0])
        pad = await house.ann.press(pad.message, key)
        if key.startswith("Play "):
            return taps
    raise AssertionError("the move takes more than eight taps")


async def test_help_is_one_card(house: House) -> None:
    reply = await house.ann.command("help", channel="games")
    assert reply.ephemeral and reply.text.startswith("### Graph Paper\n") and "`/play` starts a match" in reply.text
    assert labels(reply.message) == ["Play", "Quick game"]
    listed = await house.ann.press(reply, "Play")
    assert listed.message_id == reply.message_id and listed.text.startswith("### Games of Leroy Quet")


async def test_who_manages_the_server_reads_which_version_runs(house: House) -> None:
    foot = f"-# Version {VERSION}. Only those who manage this server see this line."
    assert (await house.ann.command("help", channel="games")).text.endswith(foot)
    assert "Version" not in (await house.bea.command("help", channel="games")).text


async def test_the_host_is_told_of_servers_that_come_and_go(house: House, caplog: pytest.LogCaptureFixture) -> None:
    server = house.sandbox.server()
    with caplog.at_level("INFO", "bot.client.app.client"):
        house.faults.kick()
        await house.until(lambda: f"Left server {server.id}. Servers: 0." in caplog.messages)
        house.faults.invite()
        await house.until(lambda: f"Joined server {server.id}. Servers: 1." in caplog.messages)
    assert server.guild["name"] not in caplog.text, "a name is something that somebody typed"


async def test_a_server_that_invites_the_bot_is_welcomed_with_a_way_to_play(house: House) -> None:
    house.faults.kick()
    await house.until(lambda: not house.life.client.guilds)
    house.faults.invite()
    await house.until(lambda: any("### Graph Paper" in reading.text(one) for one in house.ann.messages("general")))
    (welcome,) = (one for one in house.ann.messages("general") if "### Graph Paper" in reading.text(one))
    pad = await house.ann.press(welcome, "Quick game")
    assert pad.ephemeral and await moved(house, pad) < TAPS
    await house.settled()
    row = await house.row(1)
    assert row.game == quickest().key and row.record[0][0] == 1 and row.players[0].user == int(house.ann.id)
    assert [level_of(player.user) for player in row.players[1:]] == [1] and not row.rated


async def test_where_the_welcome_stands_no_challenge_introduces_the_bot_again(house: House) -> None:
    house.faults.kick()
    await house.until(lambda: not house.life.client.guilds)
    house.faults.invite()
    await house.until(lambda: any("### Graph Paper" in reading.text(one) for one in house.ann.messages("general")))
    await house.challenge(house.bea)
    await house.restart()
    await house.challenge(house.cem)
    assert not any("New here?" in reading.text(one) for one in house.ann.messages("games"))


async def test_a_quick_game_from_play_begins_once_however_often_it_is_tapped(house: House) -> None:
    asked = await house.ann.command("play", channel="games")
    house.faults.twice()
    pad = await house.ann.press(asked, "Quick game")
    await house.settled()
    assert await house.store.ask(Reader.counts) == {"live": 1}
    assert pad.message_id == asked.message_id and "match 1\n" in pad.text
