"""The time preferences of people in several servers, between two looks, and with many clocks; the rest is told in
tests/stories."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from bot.features.time import preferences
from bot.features.time.preferences import AbsenceState
from bot.play.clocks import DAY, HOUR
from bot.play.ids import GuildId, MatchId, UserId
from bot.play.rows import Preferences, ServerSettings
from bot.umpire import clocks
from data.store import Reader, Transaction
from tests.service.test_clock_updates import clock, shown, timed
from tests.service.test_umpire import ANN, BEA, CEM, Desk, desk

__all__ = ["desk"]

GUILD = GuildId(10)
THURSDAY = int(datetime(2026, 11, 26, 12, tzinfo=ZoneInfo("UTC")).timestamp())


@pytest.fixture(autouse=True)
def thursday(desk: Desk) -> None:
    desk.now = THURSDAY


async def away(desk: Desk, user: UserId, typed: str = "in 5 days") -> AbsenceState:
    return await desk.store.do(preferences.set_away, GUILD, user, typed, desk.now)


async def back(desk: Desk, user: UserId) -> AbsenceState:
    return await desk.store.do(preferences.end_absence, GUILD, user, desk.now)


async def prefer(desk: Desk, user: UserId, **chosen: Any) -> Preferences:
    changing: Callable[[Preferences], Preferences] = lambda before: replace(before, **chosen)  # noqa: E731  typed by its name
    return await desk.store.do(preferences.change_preferences, GUILD, user, changing, desk.now)


async def govern(desk: Desk, **chosen: Any) -> ServerSettings:
    return await desk.store.do(preferences.change_settings, GUILD, lambda before: replace(before, **chosen), desk.now)


async def edited(desk: Desk) -> set[MatchId]:
    """The matches whose messages are to be edited; they are done with that."""
    left = await desk.store.ask(Reader.find_pending_edits, desk.now + DAY, 1000)
    for one in left:
        await desk.store.do(Transaction.clear_edit, one)
    return {one.match for one in left}


async def left(desk: Desk, match: MatchId, user: UserId) -> int:
    """What is left on somebody's clock, by their calendar of now."""
    player = await clock(desk, match, user)
    running = clocks.clock_of(player)
    assert running and running.since is not None
    hours = await desk.store.ask(clocks.read_calendar, GUILD, user, running.since)
    return hours.compute_seconds_left(running, desk.now)


async def test_an_absence_holds_in_one_server_and_for_one_person(desk: Desk) -> None:
    match = await timed(desk, "3")
    elsewhere = await desk.match("marks", ANN, BEA, pace="3", guild=GuildId(11))
    await shown(desk, elsewhere)
    before = await clock(desk, elsewhere, ANN)
    await away(desk, ANN)
    await away(desk, BEA)
    assert await clock(desk, elsewhere, ANN) == before
    assert (await clock(desk, match, BEA)).deadline is None
    assert await edited(desk) == {match}


async def test_being_away_rescues_nobody_whose_time_has_run_out_since_the_last_look(desk: Desk) -> None:
    match, other = await timed(desk, "1"), await timed(desk, "7")
    desk.now += DAY
    before = await clock(desk, match, ANN)
    absence = await away(desk, ANN)
    assert await clock(desk, match, ANN) == before
    assert [row.id for row in absence.late] == [match] and absence.clocks == 1
    assert (await clock(desk, other, ANN)).deadline == (absence.until or 0) + 6 * DAY


async def test_who_is_back_by_themselves_is_seen_once_and_again_by_a_clock_that_was_set_back(desk: Desk) -> None:
    match = await timed(desk, "3")
    end = (await away(desk, ANN)).until
    assert end
    await edited(desk)
    none = set[MatchId]()
    looks = {end - 100: none, end + 30: {match}, end + 100: none, end - DAY: none, end + 200: {match}}
    for now, boards in looks.items():
        desk.now = now
        await desk.sweeper.redraw_returned()
        assert await edited(desk) == boards
    again = type(desk.sweeper)(desk.store, desk.umpire.games, lambda: desk.now)
    await again.redraw_returned()
    assert await edited(desk) == set()


async def test_weekends_can_rest_in_all_servers_from_the_next_clock_on(desk: Desk) -> None:
    before = await timed(desk, "3")
    await prefer(desk, ANN, weekends=False)
    match = await timed(desk, "3")
    elsewhere = await desk.match("marks", ANN, BEA, pace="2", guild=GuildId(11))
    await shown(desk, elsewhere)
    assert (await clock(desk, before, ANN)).deadline == THURSDAY + 3 * DAY
    await prefer(desk, ANN, weekends=True)
    assert (await clock(desk, match, ANN)).deadline == THURSDAY + 5 * DAY
    assert (await clock(desk, elsewhere, ANN)).deadline == THURSDAY + 4 * DAY


async def test_nobody_gains_time_by_changing_zones(desk: Desk) -> None:
    """A clock keeps the weekends that it started with, whatever changes meanwhile."""
    await prefer(desk, ANN, weekends=False)
    match, leaving = await timed(desk, "2"), await timed(desk, "2")
    zones = ("Pacific/Kiritimati", "Pacific/Honolulu", "UTC", None)
    for hours in range(0, 2 * 24, 6):
        desk.now = THURSDAY + hours * HOUR
        await prefer(desk, ANN, zone=zones[hours // 6 % 4], weekends=hours % 12 > 0)
        await govern(desk, zone=zones[hours // 6 % 3])
    assert (await clock(desk, match, ANN)).deadline == THURSDAY + 4 * DAY
    await away(desk, ANN, "2026-12-01")
    await back(desk, ANN)
    assert (await clock(desk, leaving, ANN)).deadline == THURSDAY + 4 * DAY


async def test_a_bank_is_drawn_on_by_the_calendar_of_each_time(desk: Desk) -> None:
    match = await timed(desk, "bank")
    desk.now += 2 * DAY
    read = (await desk.umpire.load(match)).row
    await prefer(desk, ANN, weekends=False, zone="UTC")
    desk.now += 2 * DAY
    assert (await desk.umpire.load(match)).row.version == read.version, (
        "an act on the match as read before still counts"
    )
    await desk.umpire.move(desk.act(), match, ANN, "1", start=await desk.umpire.fold_row(read))
    # This clock has started with weekends that count; the next will not.
    assert (await clock(desk, match, ANN)).seconds_left == 10 * DAY - 4 * DAY + DAY


async def test_thirty_clocks_cost_few_statements_and_coming_and_going_few_edits(desk: Desk) -> None:
    matches = [await timed(desk, "7") for _ in range(30)]
    await edited(desk)
    for seconds in range(20):
        desk.now += 1
        await (away if seconds % 2 else back)(desk, ANN)
    assert len(await desk.store.ask(Reader.find_pending_edits, desk.now + DAY, 1000)) == 30
    for match in matches:
        assert await left(desk, match, ANN) == 7 * DAY - 11


async def test_who_is_forgotten_leaves_no_clock_and_no_absence_behind(desk: Desk) -> None:
    match = await desk.match("binary-scramble", ANN, BEA, CEM, pace="2")
    await shown(desk, match)
    await away(desk, ANN)
    assert (await desk.umpire.load_to_show(match)).away
    await desk.umpire.forget_user(desk.act(), ANN)
    row = (await desk.umpire.load_to_show(match)).row
    assert row.state == "live" and row.find_player(ANN) is None
    gone = next(player for player in row.players if player.user < 0)
    assert (gone.since, gone.deadline, gone.forfeit_at, gone.next_reminder_at, gone.reminder) == (None,) * 5
    assert (await desk.umpire.load_to_show(match)).away == ()
    assert await desk.store.ask(Reader.find_absences_of, GUILD, ANN, 0) == ()
    await shown(desk, match)
    assert (await clock(desk, match, BEA)).deadline == desk.now + 2 * DAY
