"""A board was deleted, and the bot died before it noted the one that came for it: that becomes the match's board."""

from __future__ import annotations

from contextlib import suppress

import pytest

from bot.play.ids import ChannelId, MatchId, MessageId
from bot.play.rows import PendingEdit
from bot.sandbox.interactions import NoAnswerInTime
from tests.e2e.house import House, Played, form_of
from tests.e2e.test_orphans import BUTTONS, boards


async def reposted(house: House, forgets: bool) -> Played:
    """A match whose board somebody has deleted; it was posted anew, and the bot died before it noted that."""
    played = await (await house.match()).move("b2")
    house.faults.delete_message(played.board)
    house.kill_at(f"posted {played.id}")
    with suppress(NoAnswerInTime):
        await house.ann.command("match board", channel=played.place)
    await house.until(house.killed.is_set)
    if forgets:
        house.faults.forget_nonces()
    await house.restart()
    await house.settled()
    assert boards(played)[-1] == BUTTONS and (await played.fresh()).row.board_message != int(played.board["id"])
    return await played.fresh()


@pytest.mark.parametrize("forgets", [False, True])
async def test_the_only_board_there_is_becomes_that_of_the_match_when_it_is_pressed(
    house: House, forgets: bool
) -> None:
    played = await reposted(house, forgets)
    only = played.board
    opened = await form_of(house.bea, only)
    await house.settled()
    assert boards(played)[-1] == BUTTONS and (await played.fresh()).row.board_message == int(only["id"])
    await house.bea.submit(opened, {"Square": "a1"})
    await house.settled()
    assert boards(played)[-2:] == [[], BUTTONS]


@pytest.mark.parametrize("forgets", [False, True])
async def test_the_only_board_there_is_is_found_by_match_board(house: House, forgets: bool) -> None:
    played = await reposted(house, forgets)
    before = boards(played)
    await house.ann.command("match board", channel=played.place)
    await house.settled()
    assert boards(played) == before and (await played.fresh()).row.board_message == int(played.board["id"])


async def test_match_board_brings_back_the_buttons_of_the_only_board_there_is(house: House) -> None:
    """An earlier version took them off."""
    played = await reposted(house, forgets=False)
    only = played.board
    edit = PendingEdit(MessageId(int(only["id"])), ChannelId(int(only["channel_id"])), MatchId(played.id), 1)
    await house.store.do(lambda tx: tx.edit_at_once(edit))
    await house.settled()
    assert boards(played)[-1] == []
    await house.ann.command("match board", channel=played.place)
    await house.settled()
    assert boards(played)[-1] == BUTTONS
    assert (await played.fresh()).row.board_message == int(played.board["id"])
