"""Clocks in matches: when they are set, when they start, and how acts change them."""

from __future__ import annotations

from functools import partial

import pytest

from bot.features.time import preferences
from bot.play import acts, claims, proposals
from bot.play.clocks import DAY
from bot.play.ids import ChannelId, GuildId, MatchId, UserId
from bot.play.rows import Player, Preferences, ServerSettings
from bot.umpire import clocks
from bot.umpire.acts import ConsentService, Sweeper
from data.store import Reader, Transaction
from tests.service.test_umpire import ANN, BEA, CEM, GAMES, Desk, desk

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


async def test_a_challenge_has_the_pace_of_its_server_unless_it_names_one(desk: Desk) -> None:
    assert (await desk.challenge("marks", ANN, BEA)).row.pace == "7"
    assert (await desk.challenge("marks", ANN, BEA, pace="none")).row.pace == "none"
    many = ServerSettings(most_from_one=1000, most_from_all=1000, most_open=1000, pace="bank")
    await desk.store.do(Transaction.set_settings, 10, many)
    assert (await desk.challenge("marks", ANN, BEA)).row.pace == "bank"


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


async def test_a_move_stops_ones_clock_and_the_next_starts_with_its_board(desk: Desk) -> None:
    match = await timed(desk, "2")
    desk.now += DAY
    done = await desk.move(match, ANN, "1")
    ann, bea = await clock(desk, match, ANN), await clock(desk, match, BEA)
    assert (ann.seconds_left, ann.since, ann.deadline, ann.next_reminder_at) == (2 * DAY, None, None, None)
    assert (bea.seconds_left, bea.deadline) == (2 * DAY, None)
    assert done.after.row == await desk.store.ask(Reader.load_match, match)
    await shown(desk, match)
    assert (await clock(desk, match, BEA)).deadline == desk.now + 2 * DAY


async def test_a_bank_grows_by_a_day_with_each_move_and_holds_ten(desk: Desk) -> None:
    match = await timed(desk, "bank")
    desk.now += 4 * DAY + 1
    await desk.move(match, ANN, "1")
    assert (await clock(desk, match, ANN)).seconds_left == 7 * DAY - 1
    await shown(desk, match)
    desk.now += 60
    await desk.move(match, BEA, "2")
    assert (await clock(desk, match, BEA)).seconds_left == 10 * DAY


async def test_a_bank_is_not_drawn_on_at_weekends_where_somebody_wants_that(desk: Desk) -> None:
    chosen = Preferences(weekends=False)
    await desk.store.do(Transaction.change_preferences, ANN, lambda _: chosen)
    match = await timed(desk, "bank")
    begun = desk.now
    desk.now += 7 * DAY
    await desk.move(match, ANN, "1")
    assert (await clock(desk, match, ANN)).seconds_left == 6 * DAY, f"five days of a week count from {begun}"


async def test_without_a_pace_there_is_no_clock(desk: Desk) -> None:
    match = await timed(desk, "none")
    ann = await clock(desk, match, ANN)
    assert (ann.seconds_left, ann.deadline) == (None, None)


async def test_clocks_end_with_the_match(desk: Desk) -> None:
    match = await timed(desk, "3")
    await desk.umpire.act(desk.act(), match, BEA, acts.resign)
    ann = await clock(desk, match, ANN)
    assert (ann.since, ann.deadline, ann.next_reminder_at) == (None, None, None)
    match = await timed(desk, "3")
    await desk.umpire.act(desk.act(), match, CEM, partial(claims.abort, manager=True, now=desk.now))
    assert (await clock(desk, match, ANN)).deadline is None


@pytest.mark.parametrize("pace", ["2", "bank"])
async def test_in_secret_games_a_secret_move_changes_no_clock(desk: Desk, pace: str) -> None:
    match = await timed(desk, pace, "sums-grid")
    before = await clock(desk, match, ANN)
    desk.now += DAY
    await desk.move(match, ANN, "grid 1 2 / 3 4")
    assert await clock(desk, match, ANN) == before
    await desk.move(match, ANN, "done")
    ann = await clock(desk, match, ANN)
    assert (ann.deadline, ann.seconds_left) == (None, 2 * DAY if pace == "2" else 10 * DAY)


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


async def test_a_turn_that_ends_with_a_takeback_is_whole_again_though_its_clock_was_set_anew(desk: Desk) -> None:
    match, consent = await timed(desk, "7"), ConsentService(desk.umpire)
    await desk.move(match, ANN, "1")
    await shown(desk, match)
    desk.now += 3 * DAY
    await desk.store.do(preferences.set_away, GuildId(10), BEA, "tomorrow", desk.now)
    assert (await clock(desk, match, BEA)).seconds_left == 4 * DAY
    await consent.propose(desk.act(), match, ANN, "takeback")
    await consent.umpire.act(desk.act(), match, BEA, partial(proposals.agree, now=consent.umpire.clock()))
    assert (await clock(desk, match, BEA)).seconds_left == 7 * DAY


async def test_a_clock_runs_while_either_of_two_legs_waits(desk: Desk) -> None:
    match = await desk.match("binary-primes", ANN, BEA, pace="2", legs=2, options={"size": 3})
    await shown(desk, match)
    deadlines = [(await clock(desk, match, user)).deadline for user in (ANN, BEA)]
    assert deadlines == [desk.now + 2 * DAY] * 2, "each begins a leg"
    desk.now += 60
    await desk.move(match, ANN, "a1")
    await shown(desk, match)
    assert (await clock(desk, match, ANN)).deadline is None, "neither leg waits for her"
    assert (await clock(desk, match, BEA)).deadline == deadlines[1], "what the other plays gives no time"
    await desk.move(match, BEA, "1: b1")
    await shown(desk, match)
    assert (await clock(desk, match, BEA)).deadline == desk.now + 2 * DAY, "a new turn with each move of one's own"
