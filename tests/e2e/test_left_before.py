"""Somebody has left the server before a match begins: nobody waits for them, and whoever acts is told.

They may have left a minute ago, so nobody relies on what was heard of them before.
"""

from __future__ import annotations

from typing import Any

import pytest

from bot.sandbox import people
from data.store import Reader
from tests.e2e.harness import Harness, Played, called, labels, said
from tests.e2e.test_several_seats import table

MEMBER = "/guilds/{guild_id}/members/{user_id}"


async def over(harness: Harness) -> Played:
    """A match that Bea has just given up."""
    played = await (await harness.match()).move("b2")
    await harness.surely(harness.bea, "match resign", match=played.id)
    await harness.settled()
    return await played.fresh()


async def count(harness: Harness) -> dict[str, int]:
    """How many matches there are in each state."""
    return {**await harness.store.ask(Reader.count_by_state)}


async def test_nobody_is_asked_for_a_rematch_who_has_left(harness: Harness) -> None:
    played = await over(harness)
    before = await count(harness)
    harness.faults.leave("Bea")
    refused = await harness.ann.press(played.board, "Rematch")
    who = f"{called(harness.bea)} has left this server"
    assert refused.text == f"{who}, so there is no rematch. Use /play to challenge somebody else."
    assert refused.is_ephemeral and await count(harness) == before
    harness.faults.join("Bea")
    asked = await harness.ann.press(played.board, "Rematch")
    assert asked.text.startswith("The rematch starts as soon as everybody agrees: "), asked.text


async def test_nobody_agrees_to_a_rematch_with_somebody_who_has_left(harness: Harness) -> None:
    played = await over(harness)
    await harness.ann.press(played.board, "Rematch")
    await harness.settled()
    harness.faults.leave("Ann")
    for message, label in (
        (played.board, "Rematch"),
        ((await Played(harness, 2, await harness.row(2)).fresh()).lobby, "Accept"),
    ):
        refused = await harness.bea.press(message, label)
        assert refused.is_ephemeral and f"{called(harness.ann)} has left this server" in refused.text, refused.text
    assert (await harness.row(2)).state == "open"


async def test_a_challenge_does_not_begin_without_its_host(harness: Harness) -> None:
    played = await harness.challenge(opponent=harness.bea)
    harness.faults.leave("Ann")
    refused = await harness.bea.press(played.lobby, "Accept")
    gone = f"{called(harness.ann)} has left this server, so this match can't begin."
    assert refused.text == f"{gone} Use /play to make a challenge of your own."
    assert refused.is_ephemeral and (await played.fresh()).row.state == "open"
    assert labels(played.lobby) == ["Accept", "Decline", "Rules"]
    harness.faults.join("Ann")
    await harness.bea.press(played.lobby, "Accept")
    await harness.settled()
    assert (await played.fresh()).row.state == "live"


async def test_who_accepted_and_left_is_no_player(harness: Harness) -> None:
    given: dict[str, Any] = {"opponent": harness.bea, "opponent2": harness.cem}
    played = await table(harness, "sums-grid", harness.ann, **given, size=3)
    await harness.bea.press(played.lobby, "Accept")
    await harness.settled()
    harness.faults.leave("Bea")
    reply = await harness.cem.press(played.lobby, "Accept")
    await harness.settled()
    played = await played.fresh()
    assert played.row.state == "open", "a seat is free again"
    assert [player.user for player in played.row.players] == [int(harness.ann.id), int(harness.cem.id)]
    assert "1 of 3 seats is free." in said(played.lobby) and reply.kind == "update"
    told = harness.cem.read_latest_message(played.place)
    assert (
        people.text_of(told) == f"{called(harness.bea)} has left this server, so they don't play."
        and told["ephemeral_for"]
    )
    await harness.dora.press(played.lobby, "Join")
    await harness.settled()
    assert (await played.fresh()).row.state == "live"


async def test_who_begins_early_begins_without_those_who_left(harness: Harness) -> None:
    played = await table(harness, "sums-grid", harness.ann, seats=4, size=3)
    for person in (harness.bea, harness.cem):
        await person.press(played.lobby, "Join")
        await harness.settled()
    harness.faults.leave("Cem")
    await harness.ann.press(played.lobby, "Begin")
    await harness.settled()
    played = await played.fresh()
    assert played.row.state == "live" and played.row.seats == 2
    assert {player.user for player in played.row.players} == {int(harness.ann.id), int(harness.bea.id)}


@pytest.mark.parametrize("trouble", ("fails", "hangs"))
async def test_where_discord_does_not_say_who_left_matches_begin(harness: Harness, trouble: str) -> None:
    played = await harness.challenge(opponent=harness.bea)
    harness.faults.leave("Ann")
    if trouble == "hangs":
        harness.faults.delay_requests("GET", MEMBER, 60)
    else:
        harness.faults.fail_requests("GET", MEMBER, 503, times=9)
    await harness.bea.press(played.lobby, "Accept")
    harness.faults.clear()
    await harness.settled()
    assert (await played.fresh()).row.state == "live"
