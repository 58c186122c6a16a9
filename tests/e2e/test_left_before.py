"""Somebody has left the server before a match begins: nobody waits for them, and whoever acts is told.

They may have left a minute ago, so nobody relies on what was heard of them before.
"""

from __future__ import annotations

from typing import Any

import pytest

from bot.sandbox import people
from data.store import Reader
from tests.e2e.house import House, Played, called, labels, said
from tests.e2e.test_several_seats import table

MEMBER = "/guilds/{guild_id}/members/{user_id}"


async def over(house: House) -> Played:
    """A match that Bea has just given up."""
    played = await (await house.match()).move("b2")
    await house.surely(house.bea, "match resign", match=played.id)
    await house.settled()
    return await played.fresh()


async def count(house: House) -> dict[str, int]:
    """How many matches there are in each state."""
    return {**await house.store.ask(Reader.count_by_state)}


async def test_nobody_is_asked_for_a_rematch_who_has_left(house: House) -> None:
    played = await over(house)
    before = await count(house)
    house.faults.leave("Bea")
    refused = await house.ann.press(played.board, "Rematch")
    who = f"{called(house.bea)} has left this server"
    assert refused.text == f"{who}, so there is no rematch. Use /play to challenge somebody else."
    assert refused.is_ephemeral and await count(house) == before
    house.faults.join("Bea")
    asked = await house.ann.press(played.board, "Rematch")
    assert asked.text.startswith("The rematch starts as soon as everybody agrees: "), asked.text


async def test_nobody_agrees_to_a_rematch_with_somebody_who_has_left(house: House) -> None:
    played = await over(house)
    await house.ann.press(played.board, "Rematch")
    await house.settled()
    house.faults.leave("Ann")
    for message, label in (
        (played.board, "Rematch"),
        ((await Played(house, 2, await house.row(2)).fresh()).lobby, "Accept"),
    ):
        refused = await house.bea.press(message, label)
        assert refused.is_ephemeral and f"{called(house.ann)} has left this server" in refused.text, refused.text
    assert (await house.row(2)).state == "open"


async def test_a_challenge_does_not_begin_without_its_host(house: House) -> None:
    played = await house.challenge(opponent=house.bea)
    house.faults.leave("Ann")
    refused = await house.bea.press(played.lobby, "Accept")
    gone = f"{called(house.ann)} has left this server, so this match can't begin."
    assert refused.text == f"{gone} Use /play to make a challenge of your own."
    assert refused.is_ephemeral and (await played.fresh()).row.state == "open"
    assert labels(played.lobby) == ["Accept", "Decline", "Rules"]
    house.faults.join("Ann")
    await house.bea.press(played.lobby, "Accept")
    await house.settled()
    assert (await played.fresh()).row.state == "live"


async def test_who_accepted_and_left_is_no_player(house: House) -> None:
    given: dict[str, Any] = {"opponent": house.bea, "opponent2": house.cem}
    played = await table(house, "sums-grid", house.ann, **given, size=3)
    await house.bea.press(played.lobby, "Accept")
    await house.settled()
    house.faults.leave("Bea")
    reply = await house.cem.press(played.lobby, "Accept")
    await house.settled()
    played = await played.fresh()
    assert played.row.state == "open", "a seat is free again"
    assert [player.user for player in played.row.players] == [int(house.ann.id), int(house.cem.id)]
    assert "1 of 3 seats is free." in said(played.lobby) and reply.kind == "update"
    told = house.cem.read_latest_message(played.place)
    assert (
        people.text_of(told) == f"{called(house.bea)} has left this server, so they don't play."
        and told["ephemeral_for"]
    )
    await house.dora.press(played.lobby, "Join")
    await house.settled()
    assert (await played.fresh()).row.state == "live"


async def test_who_begins_early_begins_without_those_who_left(house: House) -> None:
    played = await table(house, "sums-grid", house.ann, seats=4, size=3)
    for person in (house.bea, house.cem):
        await person.press(played.lobby, "Join")
        await house.settled()
    house.faults.leave("Cem")
    await house.ann.press(played.lobby, "Begin")
    await house.settled()
    played = await played.fresh()
    assert played.row.state == "live" and played.row.seats == 2
    assert {player.user for player in played.row.players} == {int(house.ann.id), int(house.bea.id)}


@pytest.mark.parametrize("trouble", ("fails", "hangs"))
async def test_where_discord_does_not_say_who_left_matches_begin(house: House, trouble: str) -> None:
    played = await house.challenge(opponent=house.bea)
    house.faults.leave("Ann")
    if trouble == "hangs":
        house.faults.delay_requests("GET", MEMBER, 60)
    else:
        house.faults.fail_requests("GET", MEMBER, 503, times=9)
    await house.bea.press(played.lobby, "Accept")
    house.faults.clear()
    await house.settled()
    assert (await played.fresh()).row.state == "live"
