"""Clocks where a board is shown late, elsewhere or not at all; the rest is told in tests/stories."""

from __future__ import annotations

from bot.play.clocks import DAY
from bot.play.ids import ChannelId, MatchId, UserId
from bot.play.rows import Player
from bot.umpire import clocks
from bot.umpire.acts import Sweeper
from data.store import Reader, Transaction
from tests.service.test_umpire import ANN, BEA, GAMES, Desk, desk

__all__ = ["desk"]


async def clock(desk: Desk, match: MatchId, user: UserId) -> Player:
    row = await desk.store.ask(Reader.load_row, match)
    player = row.find_player(user) if row else None
    assert player
    return player


async def shown(desk: Desk, match: MatchId) -> None:
    """Discord has accepted the board as it stands."""
    row = await desk.store.ask(Reader.load_row, match)
    assert row
    version, now = row.version, desk.now
    await desk.store.do(lambda tx: clocks.record_shown(tx, match, version, now, 20, 1000 * match + version, row.plies))


async def timed(desk: Desk, pace: str, game: str = "marks") -> MatchId:
    match = await desk.match(game, ANN, BEA, pace=pace, options={"size": 2} if game == "sums-grid" else {})
    await shown(desk, match)
    return match


async def test_a_clock_starts_when_the_board_is_shown(desk: Desk) -> None:
    match = await desk.match("marks", ANN, BEA, pace="2")
    assert ((await clock(desk, match, ANN)).seconds_left, (await clock(desk, match, ANN)).deadline) == (2 * DAY, None)
    desk.now += 5 * DAY
    await shown(desk, match)
    ann, bea = await clock(desk, match, ANN), await clock(desk, match, BEA)
    assert (ann.since, ann.deadline, ann.next_reminder_at) == (desk.now, desk.now + 2 * DAY, ann.next_reminder_at)
    assert (bea.since, bea.deadline, bea.next_reminder_at) == (None, None, None)
    desk.now += 60
    await shown(desk, match)
    assert (await clock(desk, match, ANN)).deadline == desk.now - 60 + 2 * DAY, "it does not start again"


async def test_a_match_that_cannot_go_on_has_no_clock_either(desk: Desk) -> None:
    match = await timed(desk, "3")
    sweeper = Sweeper(desk.store, {key: game for key, game in GAMES.items() if key != "marks"}, lambda: desk.now)
    assert await sweeper.close_outdated() == [match]
    ann = await clock(desk, match, ANN)
    assert (ann.since, ann.deadline, ann.next_reminder_at) == (None, None, None)


async def test_while_a_board_cannot_be_shown_its_clock_runs_on(desk: Desk) -> None:
    """Commands reach us from every channel, so whoever is to move can act, and so can those who wait."""
    match = await timed(desk, "bank")
    before = await clock(desk, match, ANN)
    desk.now += 5 * DAY
    await desk.store.do(Transaction.park, match, "it is closed")
    assert await clock(desk, match, ANN) == before
    await shown(desk, match)
    assert await clock(desk, match, ANN) == before


async def test_where_nobody_can_act_clocks_stand_still_with_what_is_left(desk: Desk) -> None:
    match = await timed(desk, "bank")
    desk.now += 4 * DAY
    before = await desk.store.ask(Reader.load_row, match)
    await desk.store.do(clocks.freeze_clocks, match, "we are not there", desk.now)
    frozen = await desk.store.ask(Reader.load_row, match)
    ann = await clock(desk, match, ANN)
    assert (ann.seconds_left, ann.since, ann.deadline, ann.next_reminder_at) == (6 * DAY, None, None, None)
    assert before and frozen and (frozen.publish_error, frozen.version) == ("we are not there", before.version + 1)
    await desk.store.do(clocks.freeze_clocks, match, "we are not there", desk.now)
    again = await desk.store.ask(Reader.load_row, match)
    assert again and again.version == frozen.version, "nothing has changed"
    desk.now += 30 * DAY
    await shown(desk, match)
    assert (await clock(desk, match, ANN)).deadline == desk.now + 6 * DAY


async def test_who_had_run_out_of_time_has_no_more_when_somebody_can_act_again(desk: Desk) -> None:
    match = await timed(desk, "2")
    desk.now += 2 * DAY
    await desk.store.do(lambda tx: tx.set_player(match, ANN, forfeit_at=desk.now + DAY))
    await desk.store.do(clocks.freeze_clocks, match, "we are not there", desk.now)
    desk.now += 5 * DAY
    await shown(desk, match)
    assert (await clock(desk, match, ANN)).deadline == desk.now


async def test_a_match_whose_thread_is_gone_goes_on_in_its_channel(desk: Desk) -> None:
    match = await timed(desk, "2")
    await desk.store.do(Transaction.set_thread, match, 77)
    desk.now += 2 * DAY
    assert not await desk.store.do(clocks.move_to_channel, match, ChannelId(78)), "it is not played in that thread"
    assert await desk.store.do(clocks.move_to_channel, match, ChannelId(77))
    row = await desk.store.ask(Reader.load_row, match)
    assert row and row.thread == row.channel
    ann, bea = row.players
    assert (ann.since, ann.deadline) == (desk.now - 2 * DAY, desk.now), "it rescues nobody"
    assert (ann.mention_version, bea.mention_version < row.version) == (row.version, True)
    assert not await desk.store.do(clocks.move_to_channel, match, ChannelId(77)), "nobody is told twice"
