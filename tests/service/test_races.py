"""Simultaneous acts of people and of the timer on PostgreSQL give the same result as one after the other.

An act is decided by the real umpire on what it has read, and caught where it would be written; so both acts of a scene
are decided on the same match.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace
from functools import partial
from typing import Any

import pytest

from bot.features.study.hints import count_hints
from bot.features.time import preferences
from bot.features.time import service as time_service
from bot.play import acts
from bot.play.clocks import DAY, HOUR
from bot.play.ids import WHOLE, ChannelId, GuildId, MatchId, MessageId
from bot.play.rows import ServerSettings
from bot.umpire import clocks
from bot.umpire.clocks import NOTE, OUTAGE, catch_up
from data.store import Reader, Store, Transaction
from tests.data.interleaving import Act, Scene, tried
from tests.service.test_clock_updates import timed
from tests.service.test_umpire import ANN, BEA, CEM, DORA, Desk
from tests.support.postgres import on_postgres
from tests.support.sampled import sampled

MANY = ServerSettings(most_from_one=1000, most_from_all=1000, most_open=1000)
HERE = frozenset({GuildId(10)})
NOON = 12 * HOUR - 1_000_000 % DAY


class Caught(Exception):
    """What was to be written."""

    def __init__(self, act: Act) -> None:
        super().__init__()
        self.act = act


class Catching:
    """A store that reads, and writes nothing."""

    def __init__(self, store: Store) -> None:
        self.ask = store.ask
        self.for_long_work = self

    async def do(self, change: Callable[..., Any], *args: Any) -> None:
        """Hand out what was to be written."""
        raise Caught(lambda tx: change(tx, *args))


def aside(desk: Desk, act: int) -> Desk:
    """A desk at which the next act has this number, and nothing is written."""
    store: Any = Catching(desk.store)
    beside = Desk(store, "")
    beside.now, beside.acts = desk.now, act - 1
    return beside


async def caught(acting: Awaitable[object]) -> Act:
    """The transaction of an act that is decided aside."""
    with pytest.raises(Caught) as written:
        await acting
    return written.value.act


Setting = Callable[[Desk], Awaitable[tuple[Act, Act]]]


def scene(setting: Setting, settings: ServerSettings = MANY) -> Scene:
    """A scene at a desk in a server with these settings."""

    async def whole(store: Store) -> tuple[Act, Act]:
        await store.do(Transaction.set_settings, 10, settings)
        desk = Desk(store, "")
        desk.now += NOON
        return await setting(desk)

    return whole


async def moves(desk: Desk, match: MatchId, text: str = "1") -> Act:
    """Ann's move."""
    return await caught(aside(desk, 900).move(match, ANN, text))


async def board(desk: Desk, match: MatchId) -> Act:
    """Discord has accepted the board as it stands."""
    row, now = await desk.store.ask(Reader.load_row, match), desk.now
    assert row
    return lambda tx: clocks.record_shown(tx, match, row.version, now, ChannelId(20), MessageId(5000), row.plies)


def outage(desk: Desk) -> Act:
    """The bot was away for an hour."""
    return partial(catch_up, counted={WHOLE: None}, now=desk.now + HOUR, longest=OUTAGE)


def prefers(desk: Desk, **chosen: Any) -> Act:
    """Ann chooses something about her time."""
    return partial(
        preferences.change_preferences,
        guild=GuildId(10),
        user=ANN,
        changing=lambda before: replace(before, **chosen),
        now=desk.now,
    )


# What people do.


async def both_press_rematch(desk: Desk) -> tuple[Act, Act]:
    match = await desk.match("marks", ANN, BEA)
    await desk.umpire.act(desk.act(), match, ANN, acts.resign)
    by_ann, by_bea = aside(desk, 900), aside(desk, 901)
    return (
        await caught(by_ann.umpire.rematch(by_ann.act(), match, ANN)),
        await caught(by_bea.umpire.rematch(by_bea.act(), match, BEA)),
    )


async def a_challenge_is_delivered_twice(desk: Desk) -> tuple[Act, Act]:
    return await caught(aside(desk, 900).challenge("marks", ANN, BEA)), await caught(
        aside(desk, 900).challenge("marks", ANN, BEA)
    )


async def two_challenge_one_person(desk: Desk) -> tuple[Act, Act]:
    return await caught(aside(desk, 900).challenge("marks", ANN, CEM)), await caught(
        aside(desk, 901).challenge("marks", ANN, CEM)
    )


async def two_challenge_two_others(desk: Desk) -> tuple[Act, Act]:
    return await caught(aside(desk, 900).challenge("marks", ANN, CEM)), await caught(
        aside(desk, 901).challenge("marks", BEA, DORA)
    )


async def two_challenge_each_other(desk: Desk) -> tuple[Act, Act]:
    return await caught(aside(desk, 900).challenge("marks", ANN, BEA)), await caught(
        aside(desk, 901).challenge("marks", BEA, ANN)
    )


async def somebody_challenges_the_computer_twice(desk: Desk) -> tuple[Act, Act]:
    return await caught(aside(desk, 900).challenge("marks", ANN, level=1)), await caught(
        aside(desk, 901).challenge("marks", ANN, level=1)
    )


async def a_move_is_delivered_twice(desk: Desk) -> tuple[Act, Act]:
    match = await timed(desk, "7")
    return await moves(desk, match), await moves(desk, match)


async def two_take_the_last_seat(desk: Desk) -> tuple[Act, Act]:
    table = (await desk.challenge("marks", ANN)).id
    by_bea, by_cem = aside(desk, 900), aside(desk, 901)
    return (
        await caught(by_bea.umpire.act(by_bea.act(), table, BEA, acts.accept)),
        await caught(by_cem.umpire.act(by_cem.act(), table, CEM, acts.accept)),
    )


async def a_challenge_is_accepted_as_it_expires(desk: Desk) -> tuple[Act, Act]:
    match = (await desk.challenge("marks", ANN, BEA)).id
    by_bea, later = aside(desk, 900), aside(desk, 901)
    later.now += 30 * DAY
    return await caught(by_bea.umpire.act(by_bea.act(), match, BEA, acts.accept)), await caught(
        later.sweeper.expire_challenges()
    )


async def a_hint_is_asked_for_twice(desk: Desk) -> tuple[Act, Act]:
    match = await desk.match("marks", ANN, BEA, rated=False)
    loaded = await desk.umpire.load(match)
    by = desk.act()
    act: Act = partial(count_hints, loaded=loaded, seat=1, user=ANN, stage="which", now=desk.now, by=by)
    return act, act


async def somebody_is_away_twice(desk: Desk) -> tuple[Act, Act]:
    await timed(desk, "7")
    act: Act = partial(preferences.set_away, guild=GuildId(10), user=ANN, typed="in 5 days", now=desk.now)
    return act, act


# What time brings about.


async def a_move_in_the_moment_of_an_outages_end(desk: Desk) -> tuple[Act, Act]:
    match = await timed(desk, "bank")
    await desk.store.do(Transaction.set_note, NOTE, str(desk.now))
    return await moves(desk, match), outage(desk)


async def a_board_is_shown_in_that_moment(desk: Desk) -> tuple[Act, Act]:
    await timed(desk, "7")
    match = await desk.match("marks", ANN, BEA, pace="2")
    await desk.store.do(Transaction.set_note, NOTE, str(desk.now))
    return await board(desk, match), outage(desk)


async def an_outage_is_seen_by_two(desk: Desk) -> tuple[Act, Act]:
    await timed(desk, "7")
    await desk.store.do(Transaction.set_note, NOTE, str(desk.now))
    return outage(desk), outage(desk)


async def time_is_chosen_as_a_clock_starts(desk: Desk) -> tuple[Act, Act]:
    match = await desk.match("marks", ANN, BEA, pace="7")
    return await board(desk, match), prefers(desk, weekends=False, zone="Asia/Tokyo")


async def time_is_chosen_as_it_is_given_back(desk: Desk) -> tuple[Act, Act]:
    await timed(desk, "7")
    await desk.store.do(Transaction.set_note, NOTE, str(desk.now))
    return prefers(desk, weekends=False), outage(desk)


async def a_server_chooses_as_a_clock_starts(desk: Desk) -> tuple[Act, Act]:
    match = await desk.match("marks", ANN, BEA, pace="7")
    change: Callable[[ServerSettings], ServerSettings] = partial(replace, zone="Asia/Tokyo", reminders="digest")
    return await board(desk, match), partial(
        preferences.change_settings, guild=GuildId(10), changing=change, now=desk.now
    )


async def somebody_is_away_as_their_clock_starts(desk: Desk) -> tuple[Act, Act]:
    match = await desk.match("marks", ANN, BEA, pace="7")
    leaving: Act = partial(preferences.set_away, guild=GuildId(10), user=ANN, typed="in 5 days", now=desk.now)
    return await board(desk, match), leaving


async def a_board_that_cannot_be_shown_as_somebody_moves(desk: Desk) -> tuple[Act, Act]:
    match = await timed(desk, "7")
    return await moves(desk, match), partial(Transaction.park, match_id=match, reason="No.")


async def a_thread_is_lost_as_a_board_is_shown(desk: Desk) -> tuple[Act, Act]:
    match = await desk.match("marks", ANN, BEA, pace="7")
    await desk.store.do(Transaction.set_thread, match, 77)
    return await board(desk, match), partial(clocks.move_to_channel, match=match, thread=ChannelId(77))


# What is sent to people.


async def due(desk: Desk, **chosen: Any) -> MatchId:
    """A match in which Ann is to be reminded now."""
    match = await timed(desk, "14")
    await desk.store.do(Transaction.change_preferences, ANN, lambda before: replace(before, **chosen))
    desk.now += 7 * DAY
    return match


async def a_reminder_is_taken_by_two(desk: Desk) -> tuple[Act, Act]:
    act: Act = partial(time_service.claim_reminders, match=await due(desk), user=ANN, now=desk.now)
    return act, act


async def a_reminder_is_taken_as_somebody_moves(desk: Desk) -> tuple[Act, Act]:
    match = await due(desk)
    return await moves(desk, match), partial(time_service.claim_reminders, match=match, user=ANN, now=desk.now)


async def a_reminder_is_taken_as_somebody_chooses(desk: Desk) -> tuple[Act, Act]:
    match = await due(desk)
    return partial(time_service.claim_reminders, match=match, user=ANN, now=desk.now), prefers(desk, reminders="off")


async def a_digest_is_taken_by_two(desk: Desk) -> tuple[Act, Act]:
    await due(desk, reminders="digest", digest=desk.now)
    act: Act = partial(time_service.claim_digest, user=ANN, here=HERE, now=desk.now)
    return act, act


async def a_reminder_arrives_as_somebody_moves(desk: Desk) -> tuple[Act, Act]:
    match = await due(desk)
    reminder = await desk.store.do(time_service.claim_reminders, match, ANN, desk.now)
    assert reminder
    return await moves(desk, match), partial(
        time_service.record_sent_reminder, pending=reminder.pending, message=MessageId(900)
    )


TWICE = [
    a_challenge_is_delivered_twice,
    a_move_is_delivered_twice,
    a_hint_is_asked_for_twice,
    somebody_is_away_twice,
    a_reminder_is_taken_by_two,
    a_digest_is_taken_by_two,
    two_take_the_last_seat,
]
"""Where one act is another's like, so that it does not matter which falls into which; some more have tests below."""
BOTH = [
    a_challenge_is_accepted_as_it_expires,
    two_challenge_each_other,
    a_move_in_the_moment_of_an_outages_end,
    a_board_is_shown_in_that_moment,
    time_is_chosen_as_a_clock_starts,
    time_is_chosen_as_it_is_given_back,
    a_server_chooses_as_a_clock_starts,
    somebody_is_away_as_their_clock_starts,
    a_board_that_cannot_be_shown_as_somebody_moves,
    a_thread_is_lost_as_a_board_is_shown,
    a_reminder_is_taken_as_somebody_moves,
    a_reminder_is_taken_as_somebody_chooses,
    a_reminder_arrives_as_somebody_moves,
]


@on_postgres
@sampled("setting", TWICE, few=2, ids=lambda setting: setting.__name__)
async def test_who_does_the_same_at_once_does_it_one_after_the_other(address: str, setting: Setting) -> None:
    await tried(address, scene(setting), alike=True)


@on_postgres
@sampled("setting", BOTH, few=3, ids=lambda setting: setting.__name__)
async def test_what_happens_at_once_happens_one_after_the_other(address: str, setting: Setting) -> None:
    await tried(address, scene(setting))


@on_postgres
@sampled("cap", ["most_open", "most_from_one", "most_from_all"])
async def test_caps_hold_for_challenges_at_once(address: str, cap: str) -> None:
    for outcome in await tried(address, scene(two_challenge_one_person, replace(MANY, **{cap: 1})), alike=True):
        assert len(outcome.rows["matches"]) == 1


@on_postgres
async def test_the_cap_of_matches_with_computers_holds_for_challenges_at_once(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.play.acts.MOST_WITH_COMPUTERS", 1)
    for outcome in await tried(address, scene(somebody_challenges_the_computer_twice), alike=True):
        assert len(outcome.rows["matches"]) == 1


@pytest.mark.long
@on_postgres
async def test_challenges_of_different_people_do_not_wait_for_each_other(address: str) -> None:
    await tried(address, scene(two_challenge_two_others), freely=True)


@on_postgres
async def test_of_two_who_see_an_outage_one_gives_it_back(address: str) -> None:
    forth, back = await tried(address, scene(an_outage_is_seen_by_two), alike=True)
    assert {(one.first, one.second) for one in (forth, back)} == {(str(HOUR), "0"), ("0", str(HOUR))}


@on_postgres
async def test_of_two_who_ask_for_a_rematch_at_once_one_asks(address: str) -> None:
    forth, back = await tried(address, scene(both_press_rematch), alike=True)
    assert [len(one.rows["matches"]) for one in (forth, back)] == [2, 2]
