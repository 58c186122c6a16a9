"""Downtime is given back once, exactly, and by whichever process; what people see of it is told in tests/stories."""

from __future__ import annotations

import asyncio

import pytest

from bot.play.acts import NOBODY
from bot.play.claims import note_time_out
from bot.play.clocks import DAY, HOUR
from bot.play.ids import MatchId
from bot.play.loaded_match import Refusal
from bot.play.rows import NewMatch, Preferences
from bot.umpire.clocks import NOTE, NOTED_EVERY, OUTAGE, WORTH_TELLING, DowntimeKeeper
from data.store import Reader, Store, Transaction
from tests.data.acts import transaction
from tests.service.test_clock_updates import clock, timed
from tests.service.test_deadlines import look, row
from tests.service.test_umpire import ANN, BEA, Desk, desk
from tests.support.counted_calls import CountedCalls

__all__ = ["desk"]


@pytest.fixture
def outages(desk: Desk) -> DowntimeKeeper:
    return DowntimeKeeper(desk.store, lambda: desk.now)


async def running(desk: Desk) -> MatchId:
    """A match with a running clock, after a minute in which the bot was connected."""
    match = await timed(desk, "7")
    await DowntimeKeeper(desk.store, lambda: desk.now).note_connected()
    desk.now += 30
    return match


async def test_a_bot_that_looks_every_few_seconds_gives_nothing_back(desk: Desk, outages: DowntimeKeeper) -> None:
    match = await running(desk)
    before = await clock(desk, match, ANN)
    for _ in range(50):
        desk.now += 5
        assert await outages.note_connected() == 0
    assert await clock(desk, match, ANN) == before
    noted = int(await desk.store.ask(Reader.read_note, NOTE) or 0)
    assert 0 <= desk.now - noted < NOTED_EVERY, "it is written down each minute, not at each look"


async def test_a_bot_that_was_not_connected_gives_that_back_to_the_second(desk: Desk, outages: DowntimeKeeper) -> None:
    match = await running(desk)
    await outages.note_connected()
    before = await row(desk, match)
    desk.now += 20 * DAY
    assert await outages.note_connected() == 20 * DAY
    ann, after = await clock(desk, match, ANN), await row(desk, match)
    assert ann.deadline == (before.players[0].deadline or 0) + 20 * DAY
    assert (ann.since, ann.seconds_left) == (desk.now, 7 * DAY - 30)
    assert (after.version, after.shown_version) == (before.version + 1, before.shown_version + 1)
    assert await desk.store.ask(Reader.find_lagging_matches, 10) == (), "nobody is told, and nothing is posted"
    assert await outages.note_connected() == 0
    assert await clock(desk, match, ANN) == ann


async def test_a_short_absence_is_none(desk: Desk, outages: DowntimeKeeper) -> None:
    match = await running(desk)
    before = await row(desk, match)
    await outages.note_connected()
    desk.now += OUTAGE
    assert await outages.note_connected() == 0
    assert await row(desk, match) == before


async def test_where_a_host_has_the_bot_look_seldom_that_is_no_outage(desk: Desk) -> None:
    match = await running(desk)
    seldom = DowntimeKeeper(desk.store, lambda: desk.now, longest=1200)
    before = await clock(desk, match, ANN)
    for _ in range(5):
        assert await seldom.note_connected() == 0
        desk.now += 600
    assert await clock(desk, match, ANN) == before
    desk.now += 1200
    assert await seldom.note_connected() == 1800


async def test_a_clock_set_back_by_a_day_stalls_nothing(desk: Desk, outages: DowntimeKeeper) -> None:
    match = await timed(desk, "7")
    await outages.note_connected()
    before = await clock(desk, match, ANN)
    desk.now -= DAY
    assert await outages.note_connected() == 0 and await look(desk) == []
    assert await desk.store.ask(Reader.read_note, NOTE) == str(desk.now)
    assert await clock(desk, match, ANN) == before
    desk.now += HOUR
    assert await outages.note_connected() == HOUR, "and an outage after it is known as such"


async def test_two_processes_give_an_outage_back_once(desk: Desk, outages: DowntimeKeeper) -> None:
    match = await running(desk)
    other = DowntimeKeeper(Store(desk.url), lambda: desk.now)
    await outages.note_connected()
    await other.note_connected()
    before = await clock(desk, match, ANN)
    desk.now += DAY
    assert sorted(await asyncio.gather(outages.note_connected(), other.note_connected())) == [0, DAY]
    assert (await clock(desk, match, ANN)).deadline == (before.deadline or 0) + DAY
    await other.store.close()


async def test_while_another_process_was_connected_there_was_no_outage(desk: Desk, outages: DowntimeKeeper) -> None:
    await running(desk)
    other = DowntimeKeeper(Store(desk.url), lambda: desk.now)
    await outages.note_connected()
    for _ in range(10):
        desk.now += 60
        await other.note_connected()
    assert await outages.note_connected() == 0
    await other.store.close()


async def test_boards_are_edited_where_people_would_see_the_difference(desk: Desk, outages: DowntimeKeeper) -> None:
    match = await running(desk)
    await outages.note_connected()
    desk.now += WORTH_TELLING - 1
    await outages.note_connected()
    assert await desk.store.ask(Reader.find_pending_edits, desk.now + 60, 10) == ()
    desk.now += WORTH_TELLING
    await outages.note_connected()
    assert [left.match for left in await desk.store.ask(Reader.find_pending_edits, desk.now + 60, 10)] == [match]


async def test_an_act_decided_on_the_old_times_is_decided_anew(desk: Desk, outages: DowntimeKeeper) -> None:
    """Another process gives the outage back between the look at what is due and the act."""
    match = await running(desk)
    await outages.note_connected()
    desk.now += 20 * DAY
    stale = await desk.umpire.load(match)
    await outages.note_connected()
    with pytest.raises(Refusal, match="Nobody has run out of time"):
        await desk.umpire.act(desk.act(), match, NOBODY, lambda loaded, _: note_time_out(loaded, desk.now), start=stale)


async def test_giving_back_costs_the_same_for_each_clock(desk: Desk, outages: DowntimeKeeper) -> None:
    """Some of their owners rest at weekends."""
    clocks = 400
    match = await running(desk)
    row_ = await row(desk, match)
    chosen = Preferences(weekends=False, zone="Europe/Berlin")
    await desk.store.do(Transaction.change_preferences, BEA, lambda _: chosen)

    def many(tx: Transaction) -> None:
        ann, bea = row_.players
        for _ in range(clocks // 2):
            made = tx.create(NewMatch(row_.guild, row_.channel, "marks", 1, {"squares": 4}, 2, "host", True, ANN, 5))
            tx.join(made, BEA)
            tx.update(made, 1, state="live", started=5, turn=(1, 2), pace="7")
            for player in (ann, bea):
                clock = {
                    "allotted": 7 * DAY,
                    "seconds_left": 7 * DAY,
                    "since": desk.now,
                    "deadline": desk.now + 7 * DAY,
                }
                tx.set_player(made, player.user, seat=player.seat, **clock)  # pyright: ignore[reportArgumentType]

    await desk.store.for_long_work.do(many)
    await outages.note_connected()
    desk.now += DAY
    with CountedCalls() as counted:
        assert await outages.note_connected() == DAY
    assert counted.calls < 250 * clocks
    with transaction(desk.store) as tx:
        for table in ("players", "matches"):
            where = "match" if table == "players" else "id"
            tx._connection.exec_driver_sql(f"DELETE FROM {table} WHERE {where} > {match}")  # pyright: ignore[reportPrivateUsage]
