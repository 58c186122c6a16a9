"""Whom reminders and digests reach, when, and never twice: decided in the store, without Discord."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import pytest

from bot.features.time import service as time_service
from bot.features.time.service import ALL, LEASE, ClaimedDigest, ClaimedReminder
from bot.play import acts, claims
from bot.play.calendars import Calendar
from bot.play.clocks import DAY, HOUR
from bot.play.ids import GuildId, MatchId, MessageId, UserId
from bot.play.rows import (
    Absence,
    MatchRow,
    PendingEdit,
    PendingMessage,
    Player,
    Preferences,
    Reminders,
    ServerSettings,
)
from bot.umpire import clocks as umpire_clocks
from bot.umpire import notifications
from data.store import Reader, Transaction
from tests.service.test_clock_updates import clock, shown, timed
from tests.service.test_umpire import ANN, BEA, CEM, Desk, desk

__all__ = ["desk"]

HERE = frozenset({GuildId(10)})
NOON = 12 * HOUR - 1_000_000 % DAY
"""From where a desk's clock stands to noon of that day."""


@pytest.fixture(autouse=True)
def noon(desk: Desk) -> None:
    """Days begin at noon, so that a whole number of days later nobody sleeps."""
    desk.now += NOON


async def choose(desk: Desk, user: UserId, **chosen: object) -> None:
    await desk.store.do(Transaction.change_preferences, user, lambda before: replace(before, **chosen))


async def preferences(desk: Desk, user: UserId) -> Preferences:
    return await desk.store.ask(Reader.load_preferences, user)


async def claim(desk: Desk, match: MatchId, user: UserId = ANN) -> ClaimedReminder | None:
    return await desk.store.do(time_service.claim_reminders, match, user, desk.now)


async def surely(desk: Desk, match: MatchId, user: UserId = ANN) -> ClaimedReminder:
    reminder = await claim(desk, match, user)
    assert reminder
    return reminder


async def arrived(desk: Desk, reminder: ClaimedReminder, message: int = 900) -> bool:
    return await desk.store.do(time_service.record_sent_reminder, reminder.pending, MessageId(message))


async def due(desk: Desk) -> list[tuple[int, int]]:
    return [(one.match, one.user) for one in await desk.store.ask(Reader.find_due_reminders, desk.now, 100)]


async def under_way(desk: Desk) -> list[PendingMessage]:
    return list(await desk.store.ask(Reader.find_abandoned_messages, 2**60, 100))


async def left(desk: Desk) -> list[PendingEdit]:
    return list(await desk.store.ask(Reader.find_pending_edits, 2**60, 100))


async def test_there_is_one_at_half_the_time_and_one_a_day_before_the_end(desk: Desk) -> None:
    match = await timed(desk, "14")
    begun = desk.now
    desk.now = begun + 7 * DAY - 1
    assert await due(desk) == []
    assert await claim(desk, match) is None
    desk.now += 1
    assert await due(desk) == [(match, ANN)]
    reminder = await surely(desk, match)
    assert (reminder.pending.place, reminder.pending.mark, reminder.player.deadline) == (20, 1, begun + 14 * DAY)
    assert await claim(desk, match) is None, "it is on its way"
    assert await arrived(desk, reminder)
    ann = await clock(desk, match, ANN)
    assert (ann.next_reminder_at, ann.reminder_count, ann.reminder) == (begun + 13 * DAY, 1, 900)
    assert await under_way(desk) == []
    desk.now = begun + 13 * DAY
    assert await arrived(desk, await surely(desk, match), 901)
    ann = await clock(desk, match, ANN)
    assert (ann.next_reminder_at, ann.reminder_count, ann.reminder) == (None, 2, 901)
    assert [(one.message, one.channel, one.remove) for one in await left(desk)] == [(900, 20, True)], "it is replaced"


async def test_of_two_processes_one_sends_and_a_clock_set_back_sends_nothing_twice(desk: Desk) -> None:
    match = await timed(desk, "14")
    desk.now += 7 * DAY
    assert await claim(desk, match)
    assert await claim(desk, match) is None
    (pending,) = await under_way(desk)
    desk.now -= 2 * DAY
    assert await due(desk) == []
    # What was begun in the future was so by a wrong clock, and does not wait until then.
    assert await desk.store.ask(Reader.find_abandoned_messages, desk.now, 9) == (pending,)
    taken = await desk.store.do(time_service.retake_message, pending, desk.now)
    assert taken and taken.due == desk.now + LEASE
    assert await desk.store.do(time_service.retake_message, pending, desk.now) is None, "the other one has it"
    assert await desk.store.do(time_service.decide_again, taken, desk.now) is None, "by the right clock it is not due"
    desk.now += 2 * DAY
    (pending,) = await desk.store.ask(Reader.find_abandoned_messages, desk.now, 9)
    taken = await desk.store.do(time_service.retake_message, pending, desk.now)
    assert taken and await desk.store.do(time_service.decide_again, taken, desk.now)


async def test_several_that_are_due_at_once_are_one(desk: Desk) -> None:
    match = await timed(desk, "14")
    desk.now += 13 * DAY + HOUR
    reminder = await surely(desk, match)
    assert (reminder.pending.mark, reminder.player.next_reminder_at) == (2, None)
    await arrived(desk, reminder)
    assert await due(desk) == []


async def test_a_process_that_slept_sends_in_the_morning(desk: Desk) -> None:
    await choose(desk, ANN, zone="Asia/Tokyo")
    match = await timed(desk, "14")
    desk.now += 7 * DAY
    assert await due(desk) == [(match, ANN)]
    desk.now += 2 * HOUR  # noon by UTC is 21:00 there
    assert await claim(desk, match) is None
    ann = await clock(desk, match, ANN)
    assert (ann.next_reminder_at, ann.reminder_count) == (desk.now + 9 * HOUR, 0)
    desk.now += 9 * HOUR
    assert (await surely(desk, match)).pending.mark == 1


async def test_what_might_arrive_at_night_waits_for_the_morning(desk: Desk) -> None:
    match = await timed(desk, "14")
    night = desk.now + 7 * DAY + 10 * HOUR
    desk.now = night - time_service.MARGIN
    assert await claim(desk, match) is None
    assert (await clock(desk, match, ANN)).next_reminder_at == night + 10 * HOUR
    await with_digest(desk, BEA)
    await desk.store.do(Transaction.change_preferences, BEA, lambda one: replace(one, digest=desk.now))
    assert await digest(desk, BEA) is None
    assert (await preferences(desk, BEA)).digest == night + 10 * HOUR


async def test_who_is_away_is_reminded_when_they_are_back(desk: Desk) -> None:
    match = await timed(desk, "14")
    desk.now += 7 * DAY
    gone = Absence(desk.now - HOUR, desk.now + 3 * DAY)

    def leave(tx: Transaction) -> None:
        from sqlalchemy import insert

        from data.tables.schema import away

        connection = tx._connection  # pyright: ignore[reportPrivateUsage]  -- the command is not this test's concern
        connection.execute(insert(away), {"guild": 10, "user": ANN, "begins": gone.begins, "ends": gone.ends})

    await desk.store.do(leave)
    assert await claim(desk, match) is None
    ann = await clock(desk, match, ANN)
    assert ann.next_reminder_at == gone.ends + HOUR, "the hour before counts no more"
    assert await under_way(desk) == []


async def test_after_the_deadline_nobody_is_reminded(desk: Desk) -> None:
    match = await timed(desk, "2")
    desk.now += 2 * DAY
    assert await claim(desk, match) is None
    assert (await clock(desk, match, ANN)).next_reminder_at is None


@pytest.mark.parametrize("why", ["moved", "paused", "over", "lapsed", "off"])
async def test_who_is_not_to_move_or_wants_none_is_not_reminded(desk: Desk, why: str) -> None:
    match = await timed(desk, "14")
    desk.now += 7 * DAY
    if why == "moved":
        await desk.move(match, ANN, "1")
        await shown(desk, match)
    elif why == "over":
        await desk.umpire.act(desk.act(), match, BEA, acts.resign)
    elif why == "paused":
        row = await desk.store.ask(Reader.load_row, match)
        assert row
        await desk.store.do(Transaction.update, match, row.version, paused=desk.now)
    elif why == "lapsed":
        await desk.store.do(Transaction.set_player, match, ANN, forfeit_at=desk.now + 8 * DAY)
    else:
        await choose(desk, ANN, reminders="off")
    assert await claim(desk, match) is None
    assert (await clock(desk, match, ANN)).next_reminder_at is None
    assert await under_way(desk) == []
    row = await desk.store.ask(Reader.load_row, match)
    assert row
    await desk.store.do(Transaction.update, match, row.version, paused=None)


async def test_a_reminder_that_nobody_noted_is_taken_again_when_its_time_is_over(desk: Desk) -> None:
    match = await timed(desk, "14")
    desk.now += 7 * DAY
    reminder = await surely(desk, match)
    assert await desk.store.ask(Reader.find_abandoned_messages, desk.now, 9) == ()
    desk.now += LEASE
    (pending,) = await desk.store.ask(Reader.find_abandoned_messages, desk.now, 9)
    assert pending == reminder.pending
    taken = await desk.store.do(time_service.retake_message, pending, desk.now)
    assert taken and taken.tries == 2
    second = await desk.store.do(time_service.decide_again, taken, desk.now)
    assert second and (second.pending.begun, second.pending.mark) == (reminder.pending.begun, 1)
    # The process that had it before knows of it still; what they note last is what counts, once.
    assert await arrived(desk, second)
    assert not await arrived(desk, reminder, 901)
    assert (await clock(desk, match, ANN)).reminder == 900
    assert [one.message for one in await left(desk)] == [901]


async def test_what_is_sent_again_is_decided_on_again(desk: Desk) -> None:
    match = await timed(desk, "14")
    desk.now += 7 * DAY
    await surely(desk, match)
    for reminders, place in (("message", None), ("thread", 20)):
        await choose(desk, ANN, reminders=reminders)
        desk.now += LEASE
        reminder = await taken_again(desk)
        assert reminder and reminder.pending.place == place
    await choose(desk, ANN, reminders="off")
    desk.now += LEASE
    assert await taken_again(desk) is None
    assert await under_way(desk) == []


async def taken_again(desk: Desk) -> ClaimedReminder | None:
    (pending,) = await desk.store.ask(Reader.find_abandoned_messages, desk.now, 9)
    taken = await desk.store.do(time_service.retake_message, pending, desk.now)
    assert taken
    return await desk.store.do(time_service.decide_again, taken, desk.now)


async def test_what_is_sent_again_is_not_sent_at_night_or_after_the_move(desk: Desk) -> None:
    match = await timed(desk, "14")
    desk.now += 7 * DAY
    await surely(desk, match)
    desk.now += 11 * HOUR
    assert await taken_again(desk) is None
    (pending,) = await under_way(desk)
    assert pending.due == desk.now + 9 * HOUR, "until the morning"
    assert (pending.begun, pending.tries) == (desk.now, 0), "and until then nobody need look for it"
    await desk.move(match, ANN, "1")
    await shown(desk, match)
    await desk.move(match, BEA, "2")
    await shown(desk, match)
    desk.now += 9 * HOUR
    assert await taken_again(desk) is None
    assert await under_way(desk) == [], "it was about another turn"
    ann = await clock(desk, match, ANN)
    assert ann.next_reminder_at and ann.next_reminder_at > desk.now and ann.reminder_count == 0


async def test_what_arrives_after_the_move_is_removed(desk: Desk) -> None:
    match = await timed(desk, "14")
    desk.now += 7 * DAY
    reminder = await surely(desk, match)
    await desk.move(match, ANN, "1")
    assert not await arrived(desk, reminder)
    assert [(one.message, one.remove) for one in await left(desk)] == [(900, True)]
    assert (await clock(desk, match, ANN)).reminder is None


@pytest.mark.parametrize("end", ["moved", "resigned", "called off", "closed", "forgotten"])
async def test_a_reminder_goes_with_what_it_was_about(desk: Desk, end: str) -> None:
    match = await timed(desk, "14")
    desk.now += 7 * DAY
    await arrived(desk, await surely(desk, match))
    if end == "moved":
        await desk.move(match, ANN, "1")
    elif end == "resigned":
        await desk.umpire.act(desk.act(), match, BEA, acts.resign)
    elif end == "called off":
        await desk.umpire.act(desk.act(), match, CEM, partial(claims.abort, manager=True, now=desk.now))
    elif end == "closed":
        desk.sweeper.games = {}
        await desk.sweeper.close_outdated()
    else:
        await desk.store.do(Transaction.forget_person, ANN)
    gone = [(one.message, one.channel) for one in await left(desk) if one.remove]
    assert gone == [(900, 20)]
    row = await desk.store.ask(Reader.load_row, match)
    assert row and all(player.reminder is None for player in row.players)


async def of_two(desk: Desk) -> tuple[MatchId, MatchId]:
    """Two matches that one message reminds of: the one where it stands, and the other."""
    match, other = await timed(desk, "14"), await timed(desk, "14")
    desk.now += 7 * DAY
    reminder = await desk.store.do(time_service.claim_reminders, match, ANN, desk.now, [other])
    assert reminder and [one.row.id for one in reminder.others] == [other]
    assert await arrived(desk, reminder)
    return match, other


async def test_a_reminder_of_two_matches_goes_when_either_is_over(desk: Desk) -> None:
    match, other = await of_two(desk)
    await desk.umpire.act(desk.act(), other, BEA, acts.resign)
    await desk.store.do(notifications.sweep_reminders, 9)
    assert [(one.message, one.match) for one in await left(desk) if one.remove] == [(900, match)]
    assert (await clock(desk, match, ANN)).reminder is None and (await clock(desk, other, ANN)).reminder is None
    assert await desk.store.ask(Reader.find_outlived_reminders, 9) == ()


async def test_a_reminder_of_two_matches_stays_while_both_go_on_and_goes_with_its_own_turn(desk: Desk) -> None:
    match, other = await of_two(desk)
    await desk.move(other, ANN, "1")
    await desk.store.do(notifications.sweep_reminders, 9)
    assert [one for one in await left(desk) if one.remove] == []
    await desk.move(match, ANN, "1")
    assert [one.message for one in await left(desk) if one.remove] == [900]
    await desk.umpire.act(desk.act(), other, BEA, acts.resign)
    await desk.store.do(notifications.sweep_reminders, 9)
    assert [one.message for one in await left(desk) if one.remove] == [900], "it is gone by now"
    assert await desk.store.ask(Reader.find_outlived_reminders, 9) == ()


async def test_whoever_is_forgotten_leaves_no_reminder_of_two_matches(desk: Desk) -> None:
    await of_two(desk)
    await desk.store.do(Transaction.forget_person, ANN)
    assert [one.message for one in await left(desk) if one.remove] == [900]


async def test_a_reminder_that_is_noted_while_somebody_moves_goes_at_the_next_look(desk: Desk) -> None:
    """The act was decided on the match as it was before; it knows nothing of the reminder."""
    match, other = await timed(desk, "14"), await timed(desk, "14")
    desk.now += 7 * DAY
    await arrived(desk, await surely(desk, other), 901)
    await desk.move(match, ANN, "1")
    await desk.store.do(Transaction.set_player, match, ANN, reminder=MessageId(900))
    assert await desk.store.ask(Reader.find_outlived_reminders, 9) == ((match, ANN),)
    assert await desk.store.do(notifications.sweep_reminders, 9) == 1
    assert [(one.message, one.remove) for one in await left(desk)] == [(900, True)]
    assert await desk.store.do(notifications.sweep_reminders, 9) == 0


async def test_a_thread_that_is_gone_sends_the_reminder_to_the_channel(desk: Desk) -> None:
    match = await timed(desk, "14")
    await desk.store.do(Transaction.set_thread, match, 77)
    desk.now += 7 * DAY
    reminder = await surely(desk, match)
    assert reminder.pending.place == 77
    assert await desk.store.do(time_service.move_to_channel, reminder.pending, desk.now + 15, desk.now)
    desk.now += 15
    again = await taken_again(desk)
    assert again and (again.pending.place, again.row.thread) == (20, 20)
    assert not await desk.store.do(time_service.move_to_channel, again.pending, desk.now + 15, desk.now), (
        "there is no other place"
    )
    assert await under_way(desk) == []


async def test_a_secret_move_takes_no_reminder_away(desk: Desk) -> None:
    match = await timed(desk, "14", "sums-grid")
    desk.now += 7 * DAY
    for user in (ANN, BEA):
        await arrived(desk, await surely(desk, match, user), 900 + user)
    before = await clock(desk, match, ANN), await clock(desk, match, BEA)
    await desk.move(match, ANN, "grid 1 2 / 3 4")
    assert (await clock(desk, match, ANN), await clock(desk, match, BEA)) == before
    assert [one for one in await left(desk) if one.remove] == []
    await desk.move(match, ANN, "done")
    assert [one.message for one in await left(desk) if one.remove] == [900 + ANN]


async def test_somebody_who_cannot_be_reached_is_not_tried_for_ever(desk: Desk) -> None:
    match = await timed(desk, "14")
    desk.now += 7 * DAY
    await desk.store.do(time_service.skip_reminder, match, ANN, desk.now)
    ann = await clock(desk, match, ANN)
    assert (ann.reminder_count, ann.next_reminder_at, await under_way(desk)) == (1, desk.now + 6 * DAY, [])


async def test_where_no_board_can_be_posted_no_reminder_is(desk: Desk) -> None:
    match = await timed(desk, "14")
    desk.now += 7 * DAY
    await desk.store.do(Transaction.park, match, "it was deleted")
    assert await claim(desk, match) is None
    assert (await clock(desk, match, ANN)).reminder_count == 1
    await choose(desk, ANN, reminders="message")
    desk.now += 6 * DAY
    assert (await surely(desk, match)).pending.place is None, "a direct message can be sent"


async def test_a_closed_mailbox_turns_reminders_to_the_thread_and_says_so_once(desk: Desk) -> None:
    await choose(desk, ANN, reminders="message")
    matches = [await timed(desk, "14"), await timed(desk, "14")]
    desk.now += 7 * DAY
    reminder = await desk.store.do(time_service.claim_reminders, matches[0], ANN, desk.now, matches)
    assert reminder and [one.pending.place for one in (reminder, *reminder.others)] == [None, None]
    told = await desk.store.do(time_service.redirect_for_good, reminder.pending, HERE, desk.now)
    assert told
    assert [(one.pending.place, one.pending.closed) for one in (told, *told.others)] == [(20, True), (20, False)]
    assert (await preferences(desk, ANN)).closed
    assert await arrived(desk, told) and await under_way(desk) == []
    desk.now += 6 * DAY
    later = await surely(desk, matches[0])
    assert (later.pending.place, later.pending.closed) == (20, False)
    chosen = umpire_clocks.reset_digest(await preferences(desk, ANN), ServerSettings(), desk.now)
    assert (chosen.closed, chosen.digest) == (False, None), "the person who chooses it again is written to again"


async def test_what_is_due_within_the_hour_in_another_server_waits_for_its_own_time(desk: Desk) -> None:
    match = await timed(desk, "14")
    desk.now += HOUR // 2
    elsewhere = await desk.match("marks", ANN, BEA, pace="14", guild=GuildId(11))
    await shown(desk, elsewhere)
    before = await clock(desk, elsewhere, ANN)
    desk.now += 7 * DAY - HOUR // 2
    reminder = await desk.store.do(time_service.claim_reminders, match, ANN, desk.now, (match, elsewhere))
    assert reminder and reminder.others == ()
    assert await clock(desk, elsewhere, ANN) == before
    assert [one.match for one in await under_way(desk)] == [match]


async def test_reminders_that_are_taken_separately_are_never_one_message(desk: Desk) -> None:
    """Neither of those that are taken in the same second, nor of one that is put off while another is on its way."""
    await choose(desk, ANN, reminders="message")
    matches = [await timed(desk, "14"), await timed(desk, "14")]
    desk.now += 7 * DAY
    first = await surely(desk, matches[0])
    assert await claim(desk, matches[1]) is None, "the next look takes it"
    await desk.store.do(time_service.put_off_unsent, first.pending, desk.now + HOUR, desk.now)
    desk.now += 1
    second = await surely(desk, matches[1])
    (put_off,) = [one for one in await under_way(desk) if one.match == matches[0]]
    await desk.store.do(time_service.put_off_unsent, put_off, desk.now, desk.now)
    assert await arrived(desk, second)
    assert [one.match for one in await under_way(desk)] == [matches[0]], "it is still to be sent"


async def test_who_was_not_told_of_their_closed_mailbox_is_told_the_next_time(desk: Desk) -> None:
    await choose(desk, ANN, reminders="message")
    match = await timed(desk, "14")
    desk.now += 7 * DAY
    reminder = await surely(desk, match)
    await desk.move(match, ANN, "1")
    assert await desk.store.do(time_service.redirect_for_good, reminder.pending, HERE, desk.now) is None
    assert not (await preferences(desk, ANN)).closed and await under_way(desk) == []


# --- digests


async def digest(desk: Desk, user: UserId = ANN, here: frozenset[GuildId] = HERE) -> ClaimedDigest | None:
    return await desk.store.do(time_service.claim_digest, user, here, desk.now)


async def with_digest(desk: Desk, user: UserId = ANN, zone: str | None = None) -> None:
    def changed(before: Preferences) -> Preferences:
        return umpire_clocks.reset_digest(replace(before, reminders="digest", zone=zone), ServerSettings(), desk.now)

    await desk.store.do(Transaction.change_preferences, user, changed)


async def test_a_digest_is_due_at_eight_and_tells_what_waits_most_urgent_first(desk: Desk) -> None:
    await with_digest(desk)
    week, days, none = [await timed(desk, pace) for pace in ("7", "3", "none")]
    asked = (await desk.challenge("marks", BEA, ANN)).id
    theirs = await desk.match("marks", BEA, ANN)
    assert await desk.store.ask(Reader.digests_due, desk.now, 9) == ()
    desk.now += 20 * HOUR  # eight in the morning
    assert (await preferences(desk, ANN)).digest == desk.now
    assert await desk.store.ask(Reader.digests_due, desk.now, 9) == (ANN,)
    found = await digest(desk)
    assert found and theirs not in [row.id for row in found.rows]
    assert [row.id for row in found.rows] == [asked, days, week, none]
    assert (await preferences(desk, ANN)).digest == desk.now + DAY
    assert await digest(desk) is None
    (pending,) = await under_way(desk)
    assert (pending.match, pending.place) == (ALL, None)


async def test_with_digests_there_are_no_single_reminders(desk: Desk) -> None:
    await with_digest(desk)
    match = await timed(desk, "14")
    desk.now += 7 * DAY
    assert await claim(desk, match) is None
    ann = await clock(desk, match, ANN)
    assert (ann.reminder_count, ann.next_reminder_at) == (1, desk.now + 6 * DAY), "should they change their mind"


async def test_nothing_waits_and_no_digest_comes(desk: Desk) -> None:
    await with_digest(desk)
    desk.now += 20 * HOUR
    assert await digest(desk) is None
    assert (await preferences(desk, ANN)).digest == desk.now + DAY
    await timed(desk, "7")
    desk.now += DAY
    assert await digest(desk, here=frozenset()) is None, "of a server that we are not in nothing is told"


async def test_a_digest_that_is_late_comes_after_the_night_and_once(desk: Desk) -> None:
    await with_digest(desk)
    await timed(desk, "14")
    desk.now += 3 * DAY + 11 * HOUR
    assert await digest(desk) is None
    assert (await preferences(desk, ANN)).digest == desk.now + 9 * HOUR
    desk.now += 9 * HOUR
    assert await digest(desk)
    assert (await preferences(desk, ANN)).digest == desk.now + DAY


async def test_a_digest_is_due_by_the_persons_own_morning(desk: Desk) -> None:
    await with_digest(desk, zone="Asia/Tokyo")
    assert (await preferences(desk, ANN)).digest == desk.now + 11 * HOUR
    assert umpire_clocks.find_next_digest(Calendar("Asia/Tokyo"), desk.now + 11 * HOUR) == desk.now + 11 * HOUR + DAY


@pytest.mark.parametrize("reminders", ["thread", "message", "off"])
async def test_a_person_who_wants_no_digest_any_more_gets_none(desk: Desk, reminders: Reminders) -> None:
    await with_digest(desk)
    await timed(desk, "14")
    desk.now += 20 * HOUR
    await choose(desk, ANN, reminders=reminders)
    assert await digest(desk) is None
    assert (await preferences(desk, ANN)).digest is None
    chosen = umpire_clocks.reset_digest(
        Preferences(reminders=reminders, digest=5), ServerSettings(reminders="digest"), 0
    )
    assert chosen.digest is None


async def test_where_the_server_has_set_digests_they_come_while_something_waits(desk: Desk) -> None:
    usual = ServerSettings(reminders="digest", most_from_one=100, most_from_all=100, most_open=100)
    await desk.store.do(Transaction.set_settings, 10, usual)
    match = await timed(desk, "14")
    desk.now += 20 * HOUR
    assert (await preferences(desk, ANN)).digest == desk.now
    assert (await preferences(desk, BEA)).digest is None, "nothing waits for her"
    found = await digest(desk)
    assert found
    await desk.store.do(time_service.record_sent_reminder, found.pending, MessageId(5))
    await desk.move(match, ANN, "1")
    desk.now += DAY
    assert await digest(desk) is None
    assert (await preferences(desk, ANN)).digest is None
    await shown(desk, match)
    await desk.move(match, BEA, "2")
    await shown(desk, match)
    assert (await preferences(desk, ANN)).digest == desk.now + DAY, "it begins with the next clock"


async def test_a_person_who_is_away_hears_nothing_of_that_server(desk: Desk) -> None:
    await with_digest(desk)
    await choose(desk, ANN, weekends=False)
    await timed(desk, "14")
    desk.now += 20 * HOUR
    days = [await digest(desk)]
    for _ in range(6):
        for pending in await under_way(desk):
            await desk.store.do(time_service.record_sent_reminder, pending, MessageId(5))
        desk.now += DAY
        days.append(await digest(desk))
    assert sum(day is None for day in days) == 2, "Saturday and Sunday"


async def test_a_refused_digest_turns_to_the_thread_of_what_is_most_urgent(desk: Desk) -> None:
    await with_digest(desk)
    await timed(desk, "7")
    urgent = await timed(desk, "3")
    desk.now += 20 * HOUR
    found = await digest(desk)
    assert found
    reminder = await desk.store.do(time_service.redirect_for_good, found.pending, HERE, desk.now)
    assert reminder and (reminder.row.id, reminder.pending.place, reminder.pending.closed) == (urgent, 20, True)
    chosen = await preferences(desk, ANN)
    assert (chosen.reminders, chosen.closed, chosen.digest) == ("digest", True, None)
    assert await arrived(desk, reminder)
    desk.now += DAY + 4 * HOUR
    later = await surely(desk, urgent)
    assert (later.pending.place, later.pending.closed) == (20, False)


async def test_a_refused_digest_about_what_has_no_thread_is_tried_again(desk: Desk) -> None:
    await with_digest(desk)
    await desk.challenge("marks", BEA, ANN)
    desk.now += 20 * HOUR
    found = await digest(desk)
    assert found and await desk.store.do(time_service.redirect_for_good, found.pending, HERE, desk.now) is None
    chosen = await preferences(desk, ANN)
    assert (chosen.closed, chosen.digest, await under_way(desk)) == (False, desk.now + DAY, [])


async def test_a_digest_that_nobody_noted_is_decided_on_again(desk: Desk) -> None:
    await with_digest(desk)
    match = await timed(desk, "7")
    desk.now += 20 * HOUR
    assert await digest(desk)
    desk.now += LEASE
    (pending,) = await desk.store.ask(Reader.find_abandoned_messages, desk.now, 9)
    taken = await desk.store.do(time_service.retake_message, pending, desk.now)
    assert taken and await desk.store.do(time_service.claim_digest_again, taken, HERE, desk.now)
    await desk.move(match, ANN, "1")
    desk.now += LEASE
    (pending,) = await desk.store.ask(Reader.find_abandoned_messages, desk.now, 9)
    taken = await desk.store.do(time_service.retake_message, pending, desk.now)
    assert taken and await desk.store.do(time_service.claim_digest_again, taken, HERE, desk.now) is None
    assert await under_way(desk) == []


async def test_what_is_on_its_way_to_somebody_is_theirs(desk: Desk) -> None:
    match = await timed(desk, "14")
    desk.now += 7 * DAY
    await surely(desk, match)
    kept = await desk.store.ask(Reader.export_person, ANN)
    assert [(one["user"], one["match"]) for one in kept["sendings"]] == [(ANN, match)]
    await desk.store.do(Transaction.forget_person, ANN)
    assert await under_way(desk) == [] and await due(desk) == []


async def test_a_clock_that_stood_still_reminds_of_nothing_twice(desk: Desk) -> None:
    match = await timed(desk, "14")
    desk.now += 7 * DAY
    await arrived(desk, await surely(desk, match))
    row = await desk.store.ask(Reader.load_row, match)
    assert row
    ann = (await stored(desk, match)).players[0]
    await desk.store.do(Transaction.set_clock, match, ann.stop_clock(7 * DAY))
    desk.now += DAY
    await desk.store.do(umpire_clocks.start_waiting_clocks, await stored(desk, match), desk.now)
    ann: Player = await clock(desk, match, ANN)
    assert (ann.reminder_count, ann.next_reminder_at) == (1, desk.now + 6 * DAY)


async def stored(desk: Desk, match: MatchId) -> MatchRow:
    row = await desk.store.ask(Reader.load_row, match)
    assert row
    return row
