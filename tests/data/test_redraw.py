"""Boards that are edited in place for a reason that is no act on their match."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from bot.play.ids import ChannelId, MatchId, MessageId, UserId
from bot.play.rows import PendingEdit
from data.queries.outbox import SETTLES
from data.store import Reader, Store, Transaction
from tests.data.acts import begun, loaded, new, played

ANN, BEA = map(UserId, (1, 2))
NOW = 1000


async def left(store: Store) -> tuple[PendingEdit, ...]:
    return await store.ask(Reader.find_pending_edits, 10 * NOW, 100)


async def shown(store: Store, message: int) -> MatchId:
    """A live match whose board stands in its thread."""
    match = MatchId(await begun(store, (ANN, BEA)))
    row = await loaded(store, match)
    await store.do(Transaction.mark_shown, match, row.version, 11, message)
    return match


async def test_boards_are_edited_in_a_moment_and_versions_stay(store: Store) -> None:
    live, opened, over = await shown(store, 51), await store.do(Transaction.create, new()), await played(store)
    await store.do(Transaction.set_lobby_message, opened, 52)
    await store.do(Transaction.mark_shown, over, 1, 11, 53)
    before = await loaded(store, live)
    await store.do(Transaction.redraw_messages, (live, opened, over), NOW)
    board = PendingEdit(MessageId(51), ChannelId(11), live, before.version, due=NOW + SETTLES)
    lobby = PendingEdit(MessageId(52), ChannelId(10), opened, 1, due=NOW + SETTLES)
    version = (await loaded(store, over)).version
    end = PendingEdit(MessageId(53), ChannelId(11), MatchId(over), version, due=NOW + SETTLES)
    assert await left(store) == (board, lobby, end)
    assert await loaded(store, live) == before


async def test_what_tells_of_a_result_is_edited_and_its_thread_may_be_archived(store: Store) -> None:
    over = MatchId(await played(store))
    await store.do(Transaction.mark_shown, over, 1, 11, 53)
    await store.do(Transaction.set_thread, over, 40)
    await store.do(Transaction.mark_announced, over, MessageId(54))
    for now in (NOW, NOW + 1):
        await store.do(Transaction.redraw_messages, (over,), now)
        assert [(one.message, one.due) for one in await left(store)] == [(54, NOW + SETTLES)]
        (thread,) = await store.ask(Reader.find_due_rewritings, 10 * NOW, 100)
        assert (thread.place, thread.match, thread.series, thread.due) == (40, over, None, NOW + SETTLES)


async def test_who_changes_their_mind_has_boards_edited_once_but_as_they_are_at_last(store: Store) -> None:
    live = await shown(store, 51)
    for now in range(NOW, NOW + 3):
        await store.do(Transaction.redraw_messages, (live,), now)
    (taken,) = await left(store)
    assert taken.due == NOW + SETTLES, "continuing forever does not put it off forever"
    await store.do(Transaction.redraw_messages, (live,), taken.due)
    await store.do(Transaction.clear_edit, taken)
    assert await left(store) == (replace(taken, due=taken.due + SETTLES),), "an edit under way knew nothing of that"


@pytest.mark.parametrize("again", [Transaction.keep_edit, Transaction.edit_at_once], ids=["left over", "met"])
async def test_an_edit_that_is_noted_again_while_it_is_made_is_made_again(
    store: Store, again: Callable[[Transaction, PendingEdit], None]
) -> None:
    board = PendingEdit(MessageId(51), ChannelId(11), await shown(store, 51), 2)
    for _ in range(3):
        await store.do(again, board)
        (taken,) = await left(store)
        await store.do(again, board)
        await store.do(Transaction.clear_edit, taken)
        (kept,) = await left(store)
        assert 0 <= taken.due < kept.due < NOW and replace(kept, due=0) == board


async def test_an_edit_that_failed_is_tried_again_when_that_was_due_anyhow(store: Store) -> None:
    live = await shown(store, 51)
    await store.do(Transaction.redraw_messages, (live,), NOW)
    (taken,) = await left(store)
    await store.do(Transaction.put_off_edit, taken, NOW + 100)
    await store.do(Transaction.redraw_messages, (live,), NOW + 50)
    assert await left(store) == (replace(taken, tries=1, due=NOW + 100),)


async def test_thousands_of_boards_are_noted_at_once(store: Store) -> None:
    live = await shown(store, 51)
    await store.do(Transaction.redraw_messages, range(live, live + 5000), NOW)
    assert len(await left(store)) == 1
