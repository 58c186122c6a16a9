"""The time preferences of people, and their effect on running clocks."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from bot.features.board import time_words
from bot.features.challenges import words as challenges_words
from bot.features.time import preferences
from bot.features.time.preferences import AbsenceState, NotADate
from bot.play.calendars import AbsenceRefused
from bot.play.clocks import DAY, HOUR
from bot.play.ids import GuildId, MatchId, UserId
from bot.play.loaded_match import MatchView
from bot.play.rows import Absence, Preferences, ServerSettings
from bot.umpire import clocks
from data.store import Reader, Transaction
from tests.service.test_clock_updates import clock, shown, timed
from tests.service.test_umpire import ANN, BEA, CEM, DORA, Desk, desk

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


async def test_who_is_away_loses_no_time_and_gains_none(desk: Desk) -> None:
    match, other = await timed(desk, "3"), await timed(desk, "7")
    desk.now += DAY
    end = THURSDAY + DAY * 13 // 2 - 1
    absence = await away(desk, ANN)
    assert absence == AbsenceState(end, 30 * DAY - (end - desk.now), 2, (), changed=True)
    ann = await clock(desk, match, ANN)
    assert (ann.seconds_left, ann.since, ann.deadline) == (2 * DAY, desk.now, end + 2 * DAY)
    assert await edited(desk) == {match, other}
    desk.now += 2 * DAY
    assert await left(desk, match, ANN) == 2 * DAY
    absence = await back(desk, ANN)
    assert absence == AbsenceState(None, 28 * DAY, 2, (), changed=True)
    ann = await clock(desk, match, ANN)
    assert (ann.seconds_left, ann.since, ann.deadline) == (2 * DAY, desk.now, desk.now + 2 * DAY)
    assert (await clock(desk, other, ANN)).deadline == desk.now + 6 * DAY
    assert await edited(desk) == {match, other}
    version = (await desk.umpire.load(match)).row.version
    assert (await desk.move(match, ANN, "1")).before.row.version == version


async def test_an_absence_that_is_over_needs_nothing_done_to_the_clock(desk: Desk) -> None:
    match = await timed(desk, "3")
    end = (await away(desk, ANN)).until
    assert end
    desk.now = end + HOUR
    assert await left(desk, match, ANN) == 3 * DAY - HOUR
    assert await back(desk, ANN) == AbsenceState(None, 30 * DAY - (end - THURSDAY), 1, ())
    assert (await clock(desk, match, ANN)).deadline == end + 3 * DAY


async def test_a_clock_that_starts_while_its_owner_is_away_stands_still_at_first(desk: Desk) -> None:
    match = await desk.match("marks", ANN, BEA, pace="2")
    end = (await away(desk, ANN)).until
    assert end
    await shown(desk, match)
    assert (await clock(desk, match, ANN)).deadline == end + 2 * DAY


async def test_saying_it_again_changes_nothing_and_another_day_replaces_the_first(desk: Desk) -> None:
    match = await timed(desk, "3")
    await away(desk, ANN)
    before = await clock(desk, match, ANN)
    await edited(desk)
    desk.now += 10
    assert not (await away(desk, ANN)).changed
    assert await clock(desk, match, ANN) == before and await edited(desk) == set()
    longer = await away(desk, ANN, "in 9 days")
    assert longer.changed and longer.until == THURSDAY + DAY * 19 // 2 - 1
    assert (await clock(desk, match, ANN)).deadline == (longer.until or 0) + 3 * DAY
    desk.now += 10
    await back(desk, ANN)
    assert not (await back(desk, ANN)).changed
    assert await desk.store.ask(Reader.find_absences_of, GUILD, ANN, 0) == (Absence(THURSDAY, desk.now),)
    assert await left(desk, match, ANN) == 3 * DAY


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


@pytest.mark.parametrize("typed", ["someday", "", "31.2."])
async def test_what_is_no_date_is_refused(desk: Desk, typed: str) -> None:
    with pytest.raises(NotADate) as refused:
        await away(desk, ANN, typed)
    assert str(refused.value) == (
        "I can't read that date. Write it like 2026-12-24, 24.12., Dec 24, friday, tomorrow or in 10 days, "
        "or choose one that is offered while you type."
    )
    with pytest.raises(AbsenceRefused, match="^That day, .*, is already over"):
        await away(desk, ANN, "yesterday")
    with pytest.raises(AbsenceRefused, match="14 days"):
        await away(desk, ANN, "in 15 days")
    assert await desk.store.ask(Reader.find_absences_of, GUILD, ANN, 0) == ()


async def test_days_are_those_of_ones_own_zone(desk: Desk) -> None:
    await prefer(desk, ANN, zone="Pacific/Auckland")
    desk.now = int(datetime(2026, 11, 26, 23, tzinfo=ZoneInfo("UTC")).timestamp())
    until = (await away(desk, ANN, "tomorrow")).until
    assert (
        until and datetime.fromtimestamp(until, ZoneInfo("Pacific/Auckland")).isoformat() == "2026-11-28T23:59:59+13:00"
    )
    offered = await desk.store.ask(preferences.suggest_days, GUILD, ANN, "", desk.now)
    assert offered[0] == ("Friday, November 27, 2026 (today)", "2026-11-27") and len(offered) == 15
    assert await desk.store.ask(preferences.suggest_days, GUILD, ANN, "nov 30", desk.now) == (
        ("Monday, November 30, 2026 (in 3 days)", "2026-11-30"),
    )


async def test_who_has_no_days_left_is_offered_none(desk: Desk) -> None:
    for begin in (100, 50, 20):
        one = Absence(desk.now - begin * DAY, desk.now - (begin - 10) * DAY)
        await desk.store.do(Transaction.add_absence, GUILD, ANN, one)
    assert await desk.store.ask(preferences.suggest_days, GUILD, ANN, "", desk.now) == ()
    assert (await desk.store.ask(preferences.read_absence, GUILD, ANN, desk.now)).left == 0


@pytest.mark.parametrize("noted", [True, False])
async def test_being_away_does_not_stop_what_happens_to_who_has_run_out_of_time(desk: Desk, noted: bool) -> None:
    match, other = await timed(desk, "1"), await timed(desk, "7")
    desk.now += DAY
    if noted:
        await desk.store.do(Transaction.set_player, match, ANN, forfeit_at=desk.now + 3 * DAY, next_reminder_at=None)
    before = await clock(desk, match, ANN)
    absence = await away(desk, ANN)
    assert await clock(desk, match, ANN) == before
    assert [row.id for row in absence.late] == [match] and absence.clocks == 1
    assert (await clock(desk, other, ANN)).deadline == (absence.until or 0) + 6 * DAY


async def test_boards_and_challenges_say_who_is_away_until_they_are_back(desk: Desk) -> None:
    match, opened = await timed(desk, "3"), (await desk.challenge("marks", BEA, ANN)).id
    await desk.store.do(Transaction.set_lobby_message, opened, 77)
    end = (await away(desk, BEA)).until
    assert end and await edited(desk) == {match, opened}
    board, lobby = await desk.umpire.load_to_show(match), await desk.umpire.load_to_show(opened)
    said = f"<@{BEA}> is away until <t:{end}:D>."
    assert time_words.list_times(MatchView.of(board, None)) == [
        f"Time is up <t:{desk.now + 3 * DAY}:R>.", f"{said}",
    ]  # fmt: skip
    assert challenges_words.describe_challenge(lobby).endswith(f"\n-# {said}")
    asked = await desk.challenge("marks", ANN, BEA)
    assert asked.away == ((BEA, end),)
    assert (await desk.challenge("marks", ANN, CEM)).away == ()
    desk.now = end + 1
    await desk.sweeper.redraw_returned()
    assert await edited(desk) >= {match, opened}
    assert (await desk.umpire.load_to_show(match)).away == ()


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


async def test_who_leaves_zone_or_reminders_to_the_server_goes_by_what_it_sets(desk: Desk) -> None:
    """Cem has chosen a zone, Dora reminders, Ann both, Bea nothing."""
    chosen: dict[UserId, dict[str, Any]] = {
        ANN: {"zone": "Europe/Berlin", "reminders": "thread"}, CEM: {"zone": "UTC"}, DORA: {"reminders": "message"},
    }  # fmt: skip
    for user, each in chosen.items():
        await prefer(desk, user, weekends=False, **each)
    await prefer(desk, BEA, weekends=False)
    matches: dict[UserId, MatchId] = {}
    for user, other in ((ANN, BEA), (BEA, CEM), (CEM, DORA), (DORA, ANN)):
        matches[user] = await desk.match("marks", user, other, pace="3")
        await shown(desk, matches[user])
    before = {user: await clock(desk, match, user) for user, match in matches.items()}
    await govern(desk, zone="Pacific/Auckland", reminders="off", takebacks=False)
    after = {user: await clock(desk, match, user) for user, match in matches.items()}
    assert (after[ANN], after[CEM].deadline) == (before[ANN], before[CEM].deadline)
    assert {user for user, each in after.items() if each.next_reminder_at is None} == {BEA, CEM}
    assert {user: each.deadline for user, each in after.items()} == dict.fromkeys(after, THURSDAY + 5 * DAY)
    assert await edited(desk) == set()
    await govern(desk, reminders="thread")
    again = {user: await clock(desk, match, user) for user, match in matches.items()}
    assert again[BEA].next_reminder_at and again[CEM].next_reminder_at == before[CEM].next_reminder_at
    assert await govern(desk, pace="2") == ServerSettings(
        most_from_one=1000, most_from_all=1000, most_open=1000, zone="Pacific/Auckland", pace="2", takebacks=False
    )


async def test_a_zone_moves_nights_at_once_and_weekends_with_the_next_clock(desk: Desk) -> None:
    await prefer(desk, ANN, weekends=False, zone="UTC")
    match = await timed(desk, "2")
    assert (await clock(desk, match, ANN)).deadline == THURSDAY + 4 * DAY
    await edited(desk)
    desk.now += DAY
    # It is Saturday, one in the morning, in Auckland.
    await prefer(desk, ANN, zone="Pacific/Auckland")
    ann = await clock(desk, match, ANN)
    assert (ann.seconds_left, ann.deadline) == (DAY, THURSDAY + 4 * DAY)
    assert await edited(desk) == set(), "no deadline moved"
    hour = datetime.fromtimestamp(ann.next_reminder_at or 0, ZoneInfo("Pacific/Auckland")).hour
    assert ann.next_reminder_at and 8 <= hour < 22
    later = await timed(desk, "2")
    monday = int(datetime(2026, 11, 30, tzinfo=ZoneInfo("Pacific/Auckland")).timestamp())
    assert (await clock(desk, later, ANN)).deadline == monday + 2 * DAY


async def test_reminders_are_switched_off_and_on(desk: Desk) -> None:
    match = await timed(desk, "5")
    due = (await clock(desk, match, ANN)).next_reminder_at
    await prefer(desk, ANN, reminders="off")
    off = await clock(desk, match, ANN)
    assert due and off.next_reminder_at is None
    assert await edited(desk) == set(), "no deadline moved"
    await prefer(desk, ANN, reminders="thread")
    assert (await clock(desk, match, ANN)).next_reminder_at == due
    await prefer(desk, ANN, reminders="off")
    desk.now += 3 * DAY
    await prefer(desk, ANN, reminders="thread")
    ann = await clock(desk, match, ANN)
    assert (ann.reminder_count, ann.next_reminder_at) == (1, THURSDAY + 4 * DAY), (
        "what fell due meanwhile is not made up for"
    )


async def test_a_digest_is_due_in_the_morning_and_asking_for_messages_tries_a_closed_mailbox_again(desk: Desk) -> None:
    chosen = await prefer(desk, ANN, zone="Europe/Berlin", reminders="digest")
    assert chosen.digest == int(datetime(2026, 11, 27, 8, tzinfo=ZoneInfo("Europe/Berlin")).timestamp())
    chosen = await prefer(desk, ANN, zone="Asia/Tokyo")
    assert chosen.digest == int(datetime(2026, 11, 27, 8, tzinfo=ZoneInfo("Asia/Tokyo")).timestamp())
    assert (await prefer(desk, ANN, reminders="thread")).digest is None
    for chosen, closed in ({"confirm": False}, True), ({"reminders": "message"}, False):
        await desk.store.do(Transaction.change_preferences, ANN, lambda one: replace(one, closed=True, reminders=None))
        assert (await prefer(desk, ANN, **chosen)).closed is closed


async def test_a_server_that_sets_a_digest_begins_it_for_those_who_have_chosen_nothing(desk: Desk) -> None:
    await prefer(desk, BEA, reminders="thread")
    await timed(desk, "3")
    later = await desk.match("marks", BEA, ANN, pace="3")
    await shown(desk, later)
    await govern(desk, reminders="digest")
    due = [(await desk.store.ask(Reader.load_preferences, user)).digest for user in (ANN, BEA)]
    assert due == [THURSDAY + 20 * HOUR, None]


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
