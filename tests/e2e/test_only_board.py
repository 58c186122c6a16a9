"""A board was deleted, and the bot died before it noted the one that came for it: that becomes the match's board."""

from __future__ import annotations

from contextlib import suppress

import pytest

from bot.play.ids import ChannelId, MatchId, MessageId
from bot.play.rows import PendingEdit
from bot.sandbox.interactions import NoAnswerInTime
from tests.e2e.harness import Harness, Played, form_of
from tests.e2e.test_orphans import BUTTONS, boards


async def reposted(harness: Harness, forgets: bool) -> Played:
    """A match whose board somebody has deleted; it was posted anew, and the bot died before it noted that."""
    played = await (await harness.match()).move("b2")
    harness.faults.delete_message(played.board)
    harness.kill_at(f"posted {played.id}")
    with suppress(NoAnswerInTime):
        await harness.ann.command("match board", channel=played.place)
    await harness.until(harness.killed.is_set)
    if forgets:
        harness.faults.forget_nonces()
    await harness.restart()
    await harness.settled()
    assert boards(played)[-1] == BUTTONS and (await played.fresh()).row.board_message != int(played.board["id"])
    return await played.fresh()


@pytest.mark.parametrize("forgets", [False, True])
async def test_the_only_board_there_is_becomes_that_of_the_match_when_it_is_pressed(
    harness: Harness, forgets: bool
) -> None:
    played = await reposted(harness, forgets)
    only = played.board
    opened = await form_of(harness.bea, only)
    await harness.settled()
    assert boards(played)[-1] == BUTTONS and (await played.fresh()).row.board_message == int(only["id"])
    await harness.bea.submit(opened, {"Square": "a1"})
    await harness.settled()
    assert boards(played)[-2:] == [[], BUTTONS]


@pytest.mark.parametrize("forgets", [False, True])
async def test_the_only_board_there_is_is_found_by_match_board(harness: Harness, forgets: bool) -> None:
    played = await reposted(harness, forgets)
    before = boards(played)
    await harness.ann.command("match board", channel=played.place)
    await harness.settled()
    assert boards(played) == before and (await played.fresh()).row.board_message == int(played.board["id"])


async def test_match_board_brings_back_the_buttons_of_the_only_board_there_is(harness: Harness) -> None:
    """An earlier version took them off."""
    played = await reposted(harness, forgets=False)
    only = played.board
    edit = PendingEdit(MessageId(int(only["id"])), ChannelId(int(only["channel_id"])), MatchId(played.id), 1)
    await harness.store.do(lambda tx: tx.edit_at_once(edit))
    await harness.settled()
    assert boards(played)[-1] == []
    await harness.ann.command("match board", channel=played.place)
    await harness.settled()
    assert boards(played)[-1] == BUTTONS
    assert (await played.fresh()).row.board_message == int(played.board["id"])
