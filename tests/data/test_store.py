"""What the store keeps and hands out, and that a transaction is kept whole or not at all."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import pytest
from sqlalchemy import Connection, Select, select, text

from bot.play.ids import WHOLE, ChannelId, MatchId, MessageId, UserId
from bot.play.record import Move
from bot.play.rows import MatchRow, NewMatch, PendingEdit, Player, Preferences, State
from data.engine.address import DatabaseAddress, parse_address
from data.engine.database import Database
from data.queries.clocks import LAPSED, RUN_OUT, UNANSWERED
from data.queries.matches import PLAYERS_OF_MANY
from data.queries.outbox import DIGESTS, DUE, STALE, THESE, UNDER_WAY
from data.queries.sweeps import LAGGING, OFFERED_IN, OWED_IN, PARKED, THREADS_OVER, TO_ANNOUNCE, TO_RENAME
from data.store import Reader, Store, Transaction
from data.tables.schema import matches, players, preferences
from data.tables.statements import share_values
from tests.data.acts import BROKEN_RULE, begun, entered, loaded, new, only_sqlite, played, snapshot, transaction


class Boom(Exception):
    """Something that goes wrong in the middle of an act."""


async def test_a_challenge_is_kept_as_it_was_made(store: Store) -> None:
    wanted = new(guild=2**62, options={"size": 5, "variant": "é"}, thread=77)
    with transaction(store) as tx:
        match = tx.create(wanted)
    row = await loaded(store, match)
    kept = [field.name for field in fields(NewMatch) if field.name != "lines"]
    assert all(getattr(row, name) == getattr(wanted, name) for name in kept)
    assert (row.state, row.version, row.shown_version, row.plies, row.turn) == ("open", 1, 0, 0, ())
    assert row.players == (Player(UserId(1), 1, None, False, False, None, None),)
    assert (row.record, row.imported_plies) == ((), 0)
    assert row.moved is None


async def test_a_match_that_goes_on_begins_with_what_was_played_before(store: Store) -> None:
    lines = (Move(1, "a1"), Move(2, "b2"))
    with transaction(store) as tx:
        match = tx.create(new(source_match=MatchId(7), lines=lines))
    row = await loaded(store, match)
    assert (row.record, row.plies, row.imported_plies, row.source_match, row.version) == (lines, 2, 2, 7, 1)


async def test_there_is_no_match_that_was_never_made(store: Store) -> None:
    assert await store.ask(Reader.load_match, 1) is None
    assert await store.ask(Reader.load_row, 1) is None
    assert await store.ask(Reader.record_since, 1, 0) == ()


async def test_numbers_of_matches_are_never_used_again(store: Store) -> None:
    with pytest.raises(Boom), transaction(store) as tx:
        tx.create(new())
        raise Boom
    with transaction(store) as tx:
        first = tx.create(new())
        second = tx.create(new())
    assert second == first + 1


async def test_the_first_match_of_a_server_stays_the_first(store: Store) -> None:
    assert await store.ask(Reader.find_first_match, 7) is None
    with transaction(store) as tx:
        made = [tx.create(new(guild=guild)) for guild in (1, 7, 1, 7)]
        tx.update(made[1], 1, state="cancelled", ended=5)
    assert [await store.ask(Reader.find_first_match, guild) for guild in (1, 7, 2)] == [made[0], made[1], None]
    with transaction(store) as tx:
        tx.update(made[0], 1, state="live")
    assert await store.ask(Reader.find_first_match, 1) == made[2], (
        "one that began and leaves no message is not the first"
    )


async def test_players_stand_in_the_order_of_joining_and_then_of_seats(store: Store) -> None:
    with transaction(store) as tx:
        match = tx.create(new(host=5))
        assert tx.join(match, 9, invited=True)
        assert not tx.join(match, 9)
        assert tx.join(match, 7)
        assert tx.leave(match, 9)
        assert not tx.leave(match, 9)
        assert tx.join(match, 9)
    assert [(player.user, player.joined) for player in (await loaded(store, match)).players] == [(5, 1), (7, 3), (9, 4)]
    with transaction(store) as tx:
        assert tx.set_player(match, 9, seat=1)
        assert tx.set_player(match, 5, seat=2, consent=True)
        assert tx.set_player(match, 7, seat=3, score=10**60, rank=1)
        assert not tx.set_player(match, 8, seat=4)
    row = await loaded(store, match)
    assert [player.user for player in row.players] == [9, 5, 7]
    assert (row.user_at(1), row.user_at(4), row.seat_of(UserId(7)), row.seat_of(UserId(8))) == (9, None, 3, None)
    assert row.players[2].score == 10**60
    assert [player.consent for player in row.players] == [False, True, False]


async def test_one_seat_is_not_given_to_two(store: Store) -> None:
    match = await begun(store)
    with pytest.raises(BROKEN_RULE), transaction(store) as tx:
        tx.set_player(match, 2, seat=1)


async def test_an_update_changes_only_the_version_it_was_made_for(store: Store) -> None:
    match = await begun(store)
    with transaction(store) as tx:
        assert not tx.update(match, 1, plies=5, turn=(2,))
        assert not tx.update(match, 3, plies=5, turn=(2,))
    assert (await loaded(store, match)).plies == 0
    with transaction(store) as tx:
        assert tx.update(match, 2, plies=1, turn=(1, 2))
        assert tx.update(match, 3)
    row = await loaded(store, match)
    assert (row.version, row.plies, row.turn) == (4, 1, (1, 2))


async def test_an_act_that_fails_in_the_middle_leaves_no_trace(store: Store) -> None:
    match = await begun(store)
    before = await loaded(store, match)
    with pytest.raises(Boom), transaction(store) as tx:
        assert tx.update(match, before.version, plies=1)
        tx.append(match, 1, 1, "a1", 120)
        tx.set_player(match, 1, consent=True)
        tx.mark_acted(5, match, 120)
        raise Boom
    assert await loaded(store, match) == before
    with snapshot(store) as reader:
        assert reader.find_match_acted_on(5) is None


async def test_a_line_of_the_record_is_written_once(store: Store) -> None:
    match = await begun(store)
    await entered(store, match, "a1", act=1)
    with pytest.raises(BROKEN_RULE), transaction(store) as tx:
        assert tx.update(match, 3, plies=1)
        tx.append(match, 1, 2, "b1", 130)
    assert (await loaded(store, match)).record == (Move(1, "a1"),)
    assert (await loaded(store, match)).version == 3


async def test_a_repeated_delivery_is_recognised_and_cannot_be_noted_twice(store: Store) -> None:
    match, other = await begun(store), await begun(store)
    with transaction(store) as tx:
        assert tx.find_match_acted_on(2**62) is None
        assert tx.mark_acted(2**62, match, 50)
        assert tx.find_match_acted_on(2**62) == match
        assert not tx.mark_acted(2**62, other, 51)


async def test_deliveries_are_dropped_by_the_clock_in_their_own_numbers(store: Store) -> None:
    match = await begun(store)
    first = 10**18
    assert await store.do(Transaction.forget_deliveries, 60) == 0
    for seconds in (0, 59, 60, 61):
        await store.do(Transaction.mark_acted, first + (seconds * 1000 << 22), match, 50 + seconds)
    assert await store.do(Transaction.forget_deliveries, 61) == 0
    assert await store.do(Transaction.forget_deliveries, 60) == 1
    with snapshot(store) as reader:
        assert reader.find_match_acted_on(first) is None and reader.find_match_acted_on(first + (59_000 << 22)) == match


async def test_a_card_that_was_pressed_long_after_it_was_shown_is_known_as_long_as_other_presses(store: Store) -> None:
    match, shown, hour = await begun(store), 10**18, 3600
    await store.do(Transaction.mark_acted, shown, match, 50_000)
    await store.do(Transaction.mark_acted, shown + (50_000_000 << 22), match, 50_001)
    assert await store.do(Transaction.forget_deliveries, hour) == 0
    await store.do(Transaction.mark_acted, shown + (54_000_000 << 22), match, 54_000)
    assert await store.do(Transaction.forget_deliveries, hour) == 2


async def test_a_record_can_be_read_from_any_ply(store: Store) -> None:
    match = await played(store, now=130)
    record = (await loaded(store, match)).record
    assert [entry.text for entry in record] == ["a1", "b1", "c1", "a2"]
    assert await store.ask(Reader.record_since, match, 2) == record[2:]
    assert await store.ask(Reader.record_since, match, 4) == ()
    row = await store.ask(Reader.load_row, match)
    assert row is not None and row.moved == 130


async def test_what_was_shown_moves_only_forward(store: Store) -> None:
    match = await begun(store)
    await entered(store, match, "a1", act=1)
    assert [one for one, _ in await store.ask(Reader.find_lagging_matches, 5)] == [match]
    assert await store.do(Transaction.mark_shown, match, 2, board_channel=20, board_message=30, shown_plies=0)
    assert [one for one, _ in await store.ask(Reader.find_lagging_matches, 5)] == [match]
    assert await store.do(Transaction.mark_shown, match, 3, board_message=31, shown_plies=1)
    assert await store.ask(Reader.find_lagging_matches, 5) == ()
    assert not await store.do(Transaction.mark_shown, match, 2, board_channel=99, board_message=99, shown_plies=0)
    assert await store.do(Transaction.mark_shown, match, 3, board_message=32)
    row = await loaded(store, match)
    assert (row.shown_version, row.board_channel, row.board_message, row.shown_plies) == (3, 20, 32, 1)
    assert row.version == 3


async def test_a_parked_board_is_left_alone_until_it_is_unparked_or_shown(store: Store) -> None:
    first, second = await begun(store), await begun(store)
    await store.do(Transaction.park, first, "I can't post there.")
    assert [one for one, _ in await store.ask(Reader.find_lagging_matches, 5)] == [second]
    assert (await loaded(store, first)).publish_error == "I can't post there."
    await store.do(Transaction.park, first, None)
    assert [one for one, _ in await store.ask(Reader.find_lagging_matches, 5)] == [first, second]
    assert [one for one, _ in await store.ask(Reader.find_lagging_matches, 1)] == [first]
    assert [one for one, _ in await store.ask(Reader.find_lagging_matches, 5, after=first)] == [second]
    await store.do(Transaction.park, first, "I can't post there.")
    assert await store.do(Transaction.mark_shown, first, 2)
    assert (await loaded(store, first)).publish_error is None


async def test_where_things_are_is_nobodys_act(store: Store) -> None:
    match = await begun(store)
    await store.do(Transaction.set_thread, match, 70)
    await store.do(Transaction.set_lobby_message, match, 71)
    row = await loaded(store, match)
    assert (row.thread, row.lobby_message, row.version) == (70, 71, 2)


async def test_lists_show_what_they_are_named_after(store: Store) -> None:
    live, finished, later = await begun(store), await played(store, now=150), await played(store, (2, 3), now=160)
    elsewhere = await begun(store, guild=2, game="plexus")
    with transaction(store) as tx:
        challenge = tx.create(new(host=3, expires=500))
        tx.join(challenge, 1, invited=True)
    for match in (live, finished, later):
        await store.do(Transaction.set_thread, match, 70)

    def ids(rows: tuple[MatchRow, ...]) -> list[int]:
        return [row.id for row in rows]

    assert ids(await store.ask(Reader.live_of, 1, 1)) == [live]
    assert ids(await store.ask(Reader.live_of, 1, 1, "binary-primes")) == [live]
    assert ids(await store.ask(Reader.live_of, 1, 1, "plexus")) == ids(await store.ask(Reader.live_of, 1, 3)) == []
    assert ids(await store.ask(Reader.live_of, 2, 1, "plexus")) == [elsewhere]
    assert ids(await store.ask(Reader.list_matches, 1, ("open", "live"), {1})) == [live, challenge]
    assert ids(await store.ask(Reader.list_matches, 1, ("open", "live"), {1, 999})) == []
    assert ids(await store.ask(Reader.list_matches, 1, ("finished",), {2})) == [later, finished]
    assert ids(await store.ask(Reader.list_matches, 1, ("finished",), {2}, most=1)) == [later]
    assert ids(await store.ask(Reader.in_thread, 70)) == [live, later, finished]
    assert ids(await store.ask(Reader.in_thread, 71)) == []
    assert ids(await store.ask(Reader.find_outdated_matches, {"binary-primes": 1}, 9)) == [elsewhere]
    assert ids(await store.ask(Reader.find_outdated_matches, {"binary-primes": 2, "plexus": 1}, 9)) == [live]
    assert ids(await store.ask(Reader.find_outdated_matches, {}, 1)) == [live]
    assert ids(await store.ask(Reader.find_expired_challenges, 499)) == []
    assert ids(await store.ask(Reader.find_expired_challenges, 500)) == [challenge]
    assert await store.ask(Reader.count_by_state) == {"live": 2, "finished": 2, "open": 1}
    (row,) = await store.ask(Reader.live_of, 1, 1)
    assert row == await store.ask(Reader.load_row, live)
    assert [player.user for player in row.players] == [1, 2]


async def test_bests_are_compared_as_numbers_each_persons_once(store: Store) -> None:
    scores = [(1, 9), (2, 10**30), (1, 100), (3, 100)]
    for now, (user, score) in enumerate(scores, 300):
        match = await begun(store, (user,), rated=False)
        with transaction(store) as tx:
            tx.set_player(match, user, score=score, rank=1)
            assert tx.update(match, 2, state="finished", ended=now)
    other = await begun(store, (4,), options={"size": 5})
    with transaction(store) as tx:
        tx.update(other, 2, state="finished", ended=1)
        tx.set_player(other, 4, score=5)
    tables = await store.ask(Reader.find_best_scores, 1, "binary-primes")
    assert [(options, [(best.user, best.score) for best in bests]) for options, bests in tables] == [
        ({"size": 3}, [(2, 10**30), (1, 100), (3, 100)]), ({"size": 5}, [(4, 5)])
    ]  # fmt: skip
    assert await store.ask(Reader.find_best_scores, 2, "binary-primes") == []


async def test_notes_are_replaced(store: Store) -> None:
    assert await store.ask(Reader.read_note, "commands") is None
    await store.do(Transaction.set_note, "commands", "one")
    await store.do(Transaction.set_note, "commands", "two")
    assert await store.ask(Reader.read_note, "commands") == "two"


def test_rows_have_the_columns_of_the_tables() -> None:
    assert [field.name for field in fields(MatchRow)] == [*matches.c.keys(), "moved", "players"]
    assert [field.name for field in fields(Player)] == [*players.c.keys()][1:]
    assert [field.name for field in fields(Preferences)] == [*preferences.c.keys()][1:]


SHARE = share_values(WHOLE)
UNHEARD = UNANSWERED.params(now=1_000_000, most=5, skipped=[0])


@only_sqlite
@pytest.mark.parametrize(
    ("asked", "index"),
    [(LAGGING, "lagging"), (TO_RENAME, "rename"), (TO_ANNOUNCE, "announce"), (PARKED, "parked"), (UNHEARD, "proposed")],
)
async def test_the_reconciler_asks_indexes_of_its_own(database: Database, asked: Select[Any], index: str) -> None:
    def planned(connection: Connection) -> str:
        literal = asked.limit(5).params(**SHARE).compile(connection, compile_kwargs={"literal_binds": True})
        return " ".join(row[3] for row in connection.execute(text(f"EXPLAIN QUERY PLAN {literal}")))

    assert f"ix_matches_{index}" in await database.read(planned)


@only_sqlite
@pytest.mark.parametrize(("asked", "column"), [(RUN_OUT, "deadline"), (LAPSED, "forfeit_at")])
async def test_the_timer_asks_indexes_of_its_own(database: Database, asked: Select[Any], column: str) -> None:
    def planned(connection: Connection) -> list[str]:
        given = asked.params(now=5, most=5, skipped=[1], **SHARE)
        literal = given.compile(connection, compile_kwargs={"literal_binds": True})
        return [row[3] for row in connection.execute(text(f"EXPLAIN QUERY PLAN {literal}"))]

    first, *then = await database.read(planned)
    assert first == f"SEARCH players USING INDEX ix_players_{column} ({column}<?)"
    assert not [step for step in then if "SCAN" in step and "json_each" not in step], then


@only_sqlite
@pytest.mark.parametrize(
    "asked", [PLAYERS_OF_MANY.params(matches=[1, 2]), select(matches.c.id).where(THESE).params(these=[1, 2])]
)
async def test_of_many_each_is_looked_up_in_an_index(database: Database, asked: Select[Any]) -> None:
    def planned(connection: Connection) -> list[str]:
        literal = asked.compile(connection, compile_kwargs={"literal_binds": True})
        return [row[3] for row in connection.execute(text(f"EXPLAIN QUERY PLAN {literal}"))]

    assert not [step for step in await database.read(planned) if "SCAN" in step and "json_each" not in step]


@only_sqlite
@pytest.mark.parametrize("asked", [THREADS_OVER, OFFERED_IN.params(guild=1), *OWED_IN])
async def test_threads_are_looked_up_in_an_index(database: Database, asked: Select[Any]) -> None:
    def planned(connection: Connection) -> list[str]:
        literal = asked.params(threads=[1, 2]).compile(connection, compile_kwargs={"literal_binds": True})
        return [row[3] for row in connection.execute(text(f"EXPLAIN QUERY PLAN {literal}"))]

    assert not [step for step in await database.read(planned) if "SCAN" in step and "json_each" not in step]


async def test_threads_are_over_when_all_their_matches_are(store: Store) -> None:
    kinds: dict[int, tuple[State, ...]] = {
        11: ("finished",), 12: ("finished", "live"), 13: ("aborted", "finished"), 14: ("live",), 15: ("finished",),
        16: ("finished",),
    }  # fmt: skip

    def write(tx: Transaction) -> None:
        for thread, states in kinds.items():
            for number, state in enumerate(states, 1):
                tx.update(tx.create(new(thread=thread)), 1, state=state, ended=100 * number)
        tx.create(new(channel=15))

    await store.do(write)
    found = await store.ask(Reader.find_finished_threads, 1, [11, 12, 13, 14, 15, 17])
    assert found == {11: 100, 13: 200}


async def test_a_thread_is_owed_something_until_its_last_board_is_shown_and_its_messages_are_edited(
    store: Store,
) -> None:
    def write(tx: Transaction) -> None:
        for thread in (11, 12, 13):
            match = tx.create(new(thread=thread))
            if thread > 11:
                tx.mark_shown(match, 1)
            if thread == 12:
                tx.keep_edit(PendingEdit(MessageId(7), ChannelId(12), match, 1))
            if thread == 13:
                tx.keep_edit(PendingEdit(MessageId(8), ChannelId(1), match, 1))  # in its channel

    await store.do(write)
    assert await store.ask(Reader.owed_in, [11, 12, 13, 14]) == {11, 12}


NOTHING_BEFORE = {"after_at": -1, "after_match": 0, "after_user": 0}


@only_sqlite
@pytest.mark.parametrize(
    ("asked", "searched"),
    [
        (DUE.params(now=5, most=5, **NOTHING_BEFORE), "players USING INDEX ix_players_next_reminder_at "),
        (DIGESTS.params(now=5, most=5, after=0), "preferences USING "),
        (STALE.params(most=5), "players USING INDEX ix_players_reminder"),
        (UNDER_WAY.params(now=5, most=5), "pending_reminders"),
    ],
)
async def test_reminders_are_looked_for_in_indexes_of_their_own(
    database: Database, asked: Select[Any], searched: str
) -> None:
    def planned(connection: Connection) -> list[str]:
        literal = asked.params(**SHARE).compile(connection, compile_kwargs={"literal_binds": True})
        return [row[3] for row in connection.execute(text(f"EXPLAIN QUERY PLAN {literal}"))]

    plan = await database.read(planned)
    assert searched in plan[0], plan
    assert not [step for step in plan[1:] if "SCAN" in step], plan


async def test_parked_matches_are_found_by_server_and_in_parts(store: Store) -> None:
    first, _, third = [await begun(store) for _ in range(3)]
    for match in (first, third):
        await store.do(Transaction.park, match, "I can't post there.")
    guild = (await loaded(store, first)).guild
    assert [one.match for one in await store.ask(Reader.find_parked_matches, 5)] == [first, third]
    assert [one.match for one in await store.ask(Reader.find_parked_matches, 1, 0, guild)] == [first]
    assert [one.match for one in await store.ask(Reader.find_parked_matches, 5, first, guild)] == [third]
    assert await store.ask(Reader.find_parked_matches, 5, 0, guild + 1) == ()


@pytest.mark.parametrize("url", ["sqlite:///var/matches.db", "sqlite+aiosqlite:///var/matches.db"])
def test_an_address_may_name_any_driver(url: str) -> None:
    assert parse_address(url) == DatabaseAddress("sqlite", database="var/matches.db")


@pytest.mark.parametrize(
    ("url", "sentence"),
    [
        ("sqlite://", "The database needs a file, like sqlite:////srv/graphpaper.db."),
        ("sqlite:///:memory:", "The database needs a file, like sqlite:////srv/graphpaper.db."),
        ("mysql://there/it", "The database is SQLite or PostgreSQL, not mysql."),
    ],
)
def test_addresses_that_cannot_work_are_refused(url: str, sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence.replace(".", r"\.")):
        parse_address(url)
