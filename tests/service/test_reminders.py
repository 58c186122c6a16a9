"""Reminders and digests where two things happen at once, where somebody dies, and in several servers; the rest is told
in tests/stories."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.features.time import service as time_service
from bot.features.time.service import LEASE, ClaimedDigest, ClaimedReminder
from bot.play import acts
from bot.play.clocks import DAY, HOUR
from bot.play.ids import GuildId, MatchId, MessageId, UserId
from bot.play.rows import (
    PendingEdit,
    PendingMessage,
    Preferences,
    ServerSettings,
)
from bot.umpire import clocks as umpire_clocks
from bot.umpire import notifications
from data.store import Reader, Transaction
from tests.service.test_clock_updates import clock, shown, timed
from tests.service.test_umpire import ANN, BEA, Desk, desk

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


async def test_a_reminder_goes_with_a_match_that_is_closed_since_its_game_has_changed(desk: Desk) -> None:
    match = await timed(desk, "14")
    desk.now += 7 * DAY
    await arrived(desk, await surely(desk, match))
    desk.sweeper.games = {}
    await desk.sweeper.close_outdated()
    assert [(one.message, one.channel) for one in await left(desk) if one.remove] == [(900, 20)]
    assert (await clock(desk, match, ANN)).reminder is None


async def of_two(desk: Desk) -> tuple[MatchId, MatchId]:
    """Two matches that one message reminds of: the one where it stands, and the other."""
    match, other = await timed(desk, "14"), await timed(desk, "14")
    desk.now += 7 * DAY
    reminder = await desk.store.do(time_service.claim_reminders, match, ANN, desk.now, [other])
    assert reminder and [one.row.id for one in reminder.others] == [other]
    assert await arrived(desk, reminder)
    return match, other


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


async def test_where_no_board_can_be_posted_no_reminder_is(desk: Desk) -> None:
    match = await timed(desk, "14")
    desk.now += 7 * DAY
    await desk.store.do(Transaction.park, match, "it was deleted")
    assert await claim(desk, match) is None
    assert (await clock(desk, match, ANN)).reminder_count == 1
    await choose(desk, ANN, reminders="message")
    desk.now += 6 * DAY
    assert (await surely(desk, match)).pending.place is None, "a direct message can be sent"


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


async def with_digest(desk: Desk, user: UserId = ANN) -> None:
    def changed(before: Preferences) -> Preferences:
        return umpire_clocks.reset_digest(replace(before, reminders="digest"), ServerSettings(), desk.now)

    await desk.store.do(Transaction.change_preferences, user, changed)


async def test_of_a_server_that_the_bot_is_not_in_a_digest_says_nothing(desk: Desk) -> None:
    await with_digest(desk)
    await timed(desk, "7")
    desk.now += 20 * HOUR
    assert await digest(desk, here=frozenset()) is None
    assert (await preferences(desk, ANN)).digest == desk.now + DAY


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
