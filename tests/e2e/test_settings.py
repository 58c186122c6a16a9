"""What those who manage a server choose for it, and what everybody may ask about themselves."""

from __future__ import annotations

import json

import pytest

from bot.core.ids import UserId
from bot.sandbox import Refused, reading
from data.store import Reader
from tests.e2e.house import House


async def test_challenges_only_in_one_channel(house: House) -> None:
    ann, bea, general = house.ann, house.bea, house.sandbox.channel("general")
    chosen = {"channel": general["id"], "allowed": True}
    allowed = await ann.run(["settings", "channel"], "games", chosen)
    assert allowed.ephemeral
    assert allowed.text == f"Challenges are allowed in <#{general['id']}>. Every match gets a thread of its own."
    refused = await bea.command("binary-primes challenge", channel="games", size=3)
    assert refused.ephemeral
    assert refused.text == f"Challenges belong elsewhere in this server: go to <#{general['id']}>."
    assert (await bea.command("play", channel="games", game="binary-primes")).text == refused.text
    await house.settled()
    assert await house.store.ask(Reader.counts) == {}
    await house.match(channel="general")
    allowed = await ann.run(["settings", "channel"], "games", {**chosen, "allowed": False})
    assert allowed.text.startswith("Challenges are allowed in every channel.")
    await house.match(channel="games")


async def test_a_channel_for_challenges_is_deleted(house: House) -> None:
    ann = house.ann
    games = house.sandbox.channel("games")
    await ann.run(["settings", "channel"], "general", {"channel": games["id"], "allowed": True})
    house.faults.delete_channel("games")
    await house.until(lambda: house.life.client.guilds[0].get_channel(int(games["id"])) is None)
    assert (await ann.command("settings show")).text.startswith("Challenges are allowed in every channel.")
    reply = await ann.command("binary-primes challenge", channel="general", opponent=house.bea)
    assert "has 48 hours to accept." in reply.text


async def test_settings_are_for_those_who_manage_the_server(house: House) -> None:
    with pytest.raises(Refused, match="You may not use /settings."):
        await house.bea.command("settings show")
    shown = await house.ann.command("settings show")
    assert shown.text == "Challenges are allowed in every channel. Every match gets a thread of its own."


async def test_matches_without_threads(house: House) -> None:
    shown = await house.ann.command("settings threads", on=False)
    assert shown.text == "Challenges are allowed in every channel. Matches are played in the channel."
    played = await house.match()
    assert played.place["name"] == "games"
    await house.ann.command("settings threads", on=True)
    await played.move("b2")
    assert (await house.match(house.cem, house.dora)).place["name"] == "Cem – Dora · Binary Primes · 2"


async def test_ones_own_data(house: House) -> None:
    await (await house.match()).move("b2")
    reply = await house.ann.command("privacy export")
    assert reply.ephemeral
    (attached,) = reply.message["attachments"]
    kept = json.loads(reading.data(house.sandbox.world, attached))
    assert "b2" in json.dumps(kept)
    assert "Ann" not in json.dumps(kept)


async def test_being_forgotten(house: House) -> None:
    ann, bea = house.ann, house.bea
    live = await (await house.match()).move("b2")
    opened = await house.challenge(ann)
    invited = await house.challenge(house.cem, opponent=ann)
    refused = await ann.command("privacy forget", confirm="yes")
    assert refused.text.startswith("Nothing was changed: type “forget me”")
    assert await live.unchanged()
    reply = await ann.command("privacy forget", confirm="Forget me")
    assert reply.ephemeral
    await house.until(lambda: "You are forgotten" in reply.text)
    for played in (live, opened, invited):
        await house.life.client.publisher.catch_up()
        row = await house.row(played.id)
        assert row.player(UserId(int(ann.id))) is None
        assert row.state != "live"
    await house.settled()
    live = await live.fresh()
    assert f"🟧 {bea.mention} wins!" in reading.text(live.board)
    assert ann.mention not in reading.text(live.board)
    assert ann.mention not in (await bea.command("leaderboard")).text
    assert (await ann.command("matches")).text.startswith("You have no match here")


async def test_matches_that_are_over_stay_where_they_are_when_somebody_is_forgotten(house: House) -> None:
    """Their boards lose the name in place; in an archived thread nothing wakes up."""
    ann = house.ann
    over, archived = await house.match(), await house.match()
    for played in (over, archived):
        await house.surely(ann, "match resign", match=played.id)
    await house.settled()
    boards = [len((await played.fresh()).boards) for played in (over, archived)]
    house.faults.archive(archived.place)
    reply = await ann.command("privacy forget", confirm="forget me")
    await house.until(lambda: "You are forgotten" in reply.text)
    await house.life.client.publisher.catch_up()
    await house.settled()
    over, archived = await over.fresh(), await archived.fresh()
    assert [len(played.boards) for played in (over, archived)] == boards
    assert archived.place["thread_metadata"]["archived"]
    assert "a former player" in reading.text(over.board) and ann.mention not in reading.text(over.board)
    assert ann.mention not in reading.text(over.lobby)
