"""Records in and out: for AbstractPlay's programs."""

from __future__ import annotations

import json
from typing import Any

from bot.client.study.records.record_files import NAMELESS, UNFINISHED
from bot.sandbox import Reply
from bot.sandbox.page import reading
from tests.e2e.house import House, Played

MOVES = ("a2", "c1", "b2", "b3")
FOREIGN = {"format": "AbstractPlay"}


async def over(house: House) -> Played:
    """A match that is over."""
    played = await house.match()
    for square in MOVES:
        played = await played.move(square)
    return played


def file_of(house: House, reply: Reply) -> Any:
    """The record in a file that holds one."""
    (attached,) = reply.message["attachments"]
    return json.loads(reading.data(house.sandbox.world, attached))


async def test_a_finished_match_goes_to_other_programs_with_the_name_of_who_asks_or_none(house: House) -> None:
    going = await house.match(house.cem, house.dora)
    refused = await house.ann.command("match record", channel=going.place, **FOREIGN)
    assert refused.text == UNFINISHED
    played = await over(house)
    for given, names in (({}, ["Player 1", "Player 2"]), ({"name": True}, ["Ann", "Player 2"])):
        reply = await house.ann.command("match record", channel=played.place, match=played.id, **FOREIGN, **given)
        header = file_of(house, reply)["header"]
        assert reply.ephemeral and [player["name"] for player in header["players"]] == names
        assert header["site"] == {"name": "Graph Paper", "gameid": str(played.id)} and not header["unrated"]
    refused = await house.cem.command("match record", channel=played.place, match=played.id, name=True, **FOREIGN)
    assert refused.text.startswith("You didn't play this match")
    assert (await house.ann.command("match record", channel=played.place, name=True)).text == NAMELESS
