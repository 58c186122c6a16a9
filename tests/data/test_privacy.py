"""A person's data: all of it for them to have, and their number out of every table when they want to be forgotten."""

from __future__ import annotations

import asyncio
import re
from dataclasses import asdict, replace

from bot.play import rows
from bot.play.ids import ChannelId, GuildId, MessageId, UserId
from bot.play.premoves import PremoveTree
from bot.play.puzzles import PuzzleTry
from bot.play.ratings import GameLosses, PointsLost
from bot.play.record import Handover, Move, format_handovers, parse_handovers
from bot.play.rows import Absence, PendingEdit, Preferences, ServerSettings
from cogs.binary_primes import GAME
from data.store import Reader, Store, Transaction
from data.upkeep.integrity import check_database
from tests.data.acts import begun, loaded, new, played
from tests.data.raw import tables, told


def numbers(url: str) -> set[int]:
    """Every whole number in every table, and every one in a text."""
    found: set[int] = set()
    for table in tables(url):
        for row in told(url, f"SELECT * FROM {table}"):
            found |= {value for value in row if isinstance(value, int)}
            found |= {int(part) for value in row if isinstance(value, str) for part in re.findall(r"[0-9]+", value)}
    return found


ANN, BEA, CEM, DORA = map(UserId, (700001, 700002, 700003, 700004))
TRY = PuzzleTry(day=7, number=2, move="b2", guild=GuildId(1), at=600, solved=True)


async def test_a_person_gets_all_that_is_kept_about_them(store: Store) -> None:
    match = await played(store, (ANN, BEA))
    other = await played(store, (BEA, CEM))
    kept = await store.ask(Reader.export_person, ANN)
    assert kept["user"] == ANN
    assert [row["id"] for row in kept["matches"]] == [match] and other not in kept["matches"]
    assert [(row["number"], row["text"]) for row in kept["moves"]] == [(1, "a1"), (2, "c1")]
    assert {row["game"] for row in kept["ratings"]} == {"", "binary-primes"}
    assert kept["preferences"] == []
    for person, confirm in ((ANN, False), (BEA, True)):
        await store.do(Transaction.change_preferences, person, lambda _, confirm=confirm: Preferences(confirm))
    clock = {
        "allotted": 900,
        "seconds_left": 500,
        "since": 7,
        "deadline": 507,
        "next_reminder_at": 100,
        "reminder_count": 1,
    }
    live = await begun(store, (BEA, ANN), pace="2")
    for person, one in ((ANN, clock), (BEA, {**clock, "seconds_left": 400})):
        await store.do(Transaction.set_player, live, person, **one)  # pyright: ignore[reportArgumentType]  -- all are numbers
        await store.do(Transaction.add_absence, 1, person, Absence(500, 900))
    for person in (ANN, BEA):
        await store.do(Transaction.add_try, person, TRY)
    await store.do(Transaction.keep_review, match, 1, "{}", {1: PointsLost(4, 2.5, 6.0), 2: PointsLost(3, 1.25, 5.0)})
    kept = await store.ask(Reader.export_person, ANN)
    assert kept["puzzles"] == [{"user": ANN, **asdict(TRY)}]
    assert kept["losses"] == [{"match": match, "user": ANN, "moves": 4, "points": 2.5, "by_lot": 6.0}]
    assert kept["away"] == [{"guild": 1, "user": ANN, "begins": 500, "ends": 900}]
    assert {"pace": "2", "forfeit_at": None, **clock}.items() <= kept["matches"][-1].items()
    assert kept["preferences"] == [{"user": ANN, **asdict(Preferences(confirm=False))}]


async def test_a_forgotten_number_is_in_no_table(store: Store, url: str) -> None:
    match = await played(store, (ANN, BEA))
    await store.do(Transaction.set_lobby_message, match, 5)
    await played(store, (BEA, ANN))
    for person in (ANN, BEA):
        await store.do(Transaction.change_preferences, person, lambda _: Preferences(confirm=False))
        await store.do(Transaction.add_absence, 1, person, Absence(500, 900))
        await store.do(Transaction.add_try, person, TRY)
    lost = {1: PointsLost(4, 2.5, 6.0), 2: PointsLost(3, 1.25, 5.0)}
    await store.do(Transaction.keep_review, match, 1, "{}", lost)
    assert ANN in numbers(url)
    await store.do(Transaction.forget_person, ANN)
    assert ANN not in numbers(url) and BEA in numbers(url)
    await store.do(Transaction.keep_review, match, 2, "{}", lost)
    assert ANN not in numbers(url), "a review that was found meanwhile brings them back"
    assert await store.ask(Reader.load_losses_by_game, 1, ANN) == {}
    assert await store.ask(Reader.load_losses_by_game, 1, BEA) == {GAME.key: GameLosses(3, 1.25, 5.0, 0.25)}
    row = await store.ask(Reader.load_row, match)
    assert row and row.seat_of(BEA) == 2
    kept = await store.ask(Reader.export_person, ANN)
    tables = (
        "matches",
        "moves",
        "handed",
        "declined",
        "ratings",
        "asks",
        "preferences",
        "sendings",
        "away",
        "puzzles",
        "losses",
        "leagues",
    )
    assert kept == {"user": ANN, **{name: [] for name in tables}}
    assert await store.ask(Reader.load_preferences, ANN) == Preferences()
    assert await store.ask(Reader.load_preferences, BEA) == Preferences(confirm=False)
    assert await store.ask(Reader.find_absences_of, 1, BEA, 0) == (Absence(500, 900),)
    assert await store.ask(Reader.puzzle_solvers, GuildId(1), 7) == ((BEA, 2),)


async def test_who_declined_a_challenge_gets_that_and_is_forgotten_there(store: Store, url: str) -> None:
    match = await store.do(Transaction.create, new(host=ANN))
    await store.do(lambda tx: tx.update(match, 1, refused=rows.format_decliners([BEA, CEM])))
    kept = await store.ask(Reader.export_person, CEM)
    assert kept["declined"] == [{"match": match, "guild": 1, "game": GAME.key}]
    await store.do(Transaction.forget_person, CEM)
    assert CEM not in numbers(url)
    row = await store.ask(Reader.load_row, match)
    assert row and (row.refused, row.version) == (None, 3), "its message is shown anew without them"


async def handed_on(store: Store, match: int, old: UserId, new: UserId, plies: int) -> None:
    """A seat passes to another person in a transaction of its own."""

    def hand(tx: Transaction) -> None:
        row = tx.load_match(match)
        assert row
        seat = row.seat_of(old)
        assert seat
        handed = format_handovers(
            (*parse_handovers(row.substitutions), Handover(seat, old, plies, row.version + 1, rated=True))
        )
        assert tx.update(match, row.version, substitutions=handed, rated=False)
        assert tx.hand_on(match, old, new)

    await store.do(hand)


async def test_everybody_gets_the_moves_that_they_made_on_a_seat_that_was_handed_on(store: Store) -> None:
    match, other = await played(store, (ANN, BEA)), await played(store, (BEA, ANN))
    await handed_on(store, match, ANN, CEM, plies=2)
    await handed_on(store, match, CEM, DORA, plies=2)
    ann, bea, cem, dora = [await store.ask(Reader.export_person, person) for person in (ANN, BEA, CEM, DORA)]
    made = [[(row["match"], row["number"], row["text"]) for row in kept["moves"]] for kept in (ann, bea, cem, dora)]
    assert made[0] == [(match, 1, "a1"), (other, 1, "b1"), (other, 2, "a2")]
    assert made[1] == [(match, 1, "b1"), (match, 2, "a2"), (other, 1, "a1"), (other, 2, "c1")]
    assert made[2:] == [[], [(match, 1, "c1")]]
    assert ann["handed"] == [{"match": match, "guild": 1, "game": "binary-primes", "seat": 1}] and bea["handed"] == []
    assert [row["id"] for row in ann["matches"]] == [other] and [row["id"] for row in dora["matches"]] == [match]


async def test_a_player_who_handed_a_seat_on_can_be_forgotten(store: Store, url: str) -> None:
    match = await begun(store, (ANN, BEA))
    await handed_on(store, match, ANN, CEM, plies=0)
    await handed_on(store, match, BEA, DORA, plies=0)
    before = await loaded(store, match)
    await store.do(Transaction.forget_person, ANN)
    row = await loaded(store, match)
    assert ANN not in numbers(url) and row.host < 0
    assert [one.user for one in parse_handovers(row.substitutions)] == [-1, BEA]
    assert row.version == before.version + 1, "acts decided on the number are decided anew"
    await store.do(Transaction.forget_person, CEM)
    assert CEM not in numbers(url) and (await loaded(store, match)).seat_of(DORA) == 2


async def test_a_player_who_was_asked_to_take_a_seat_can_be_forgotten(store: Store, url: str) -> None:
    match, other = await begun(store, (ANN, BEA)), await begun(store, (ANN, BEA))
    asked, turned_down = f"replace 1 2 {CEM} 3", f"replace 1 2 {CEM} 0 / 0 100 0"
    version = (await loaded(store, match)).version
    assert await store.do(lambda tx: tx.update(match, version, proposal=asked, proposed=100))
    assert await store.do(lambda tx: tx.update(other, version, refused=turned_down))
    await store.do(Transaction.forget_person, CEM)
    assert CEM not in numbers(url)
    row = await loaded(store, match)
    assert (row.proposal, row.proposed, row.version) == (None, None, version + 2)


async def test_prepared_moves_are_exported_to_their_owner_alone_and_forgotten_with_them(store: Store) -> None:
    match = await begun(store, (ANN, BEA))
    ready = str(PremoveTree(((Move(1, "a1"), Move(2, "b1")),)))
    await store.do(Transaction.set_player, match, BEA, prepared=ready)
    ann, bea = [(await store.ask(Reader.export_person, person))["matches"] for person in (ANN, BEA)]
    assert ([row["prepared"] for row in ann], [row["prepared"] for row in bea]) == ([None], [ready])
    await store.do(Transaction.forget_person, BEA)
    assert [player.prepared for player in (await loaded(store, match)).players] == [None, None]


async def test_nobody_is_told_of_anything_under_an_alias(store: Store) -> None:
    match = await played(store, (ANN, BEA))
    await store.do(Transaction.set_player, match, ANN, mention_version=99)
    await store.do(Transaction.set_player, match, BEA, mention_version=99)
    await store.do(Transaction.forget_person, ANN)
    row = await store.ask(Reader.load_row, match)
    assert row and [player.mention_version for player in row.players] == [0, 99]


async def test_what_was_never_shown_is_not_shown_because_somebody_is_forgotten(store: Store) -> None:
    over, going = await played(store, (ANN, BEA)), await begun(store, (ANN, BEA))
    shown = await played(store, (ANN, BEA))
    await store.do(Transaction.set_lobby_message, shown, 5)
    before = {match: await loaded(store, match) for match in (over, going, shown)}
    await store.do(Transaction.forget_person, ANN)
    raised = {match: (await loaded(store, match)).version - row.version for match, row in before.items()}
    assert raised == {over: 0, going: 1, shown: 1}


async def test_messages_that_hold_a_forgotten_number_are_to_be_edited_and_none_to_be_posted(store: Store) -> None:
    match, other = await played(store, (ANN, BEA)), await played(store, (BEA, CEM))
    for number in (match, other):
        row = await loaded(store, number)
        await store.do(Transaction.set_lobby_message, number, number * 10)
        await store.do(Transaction.mark_shown, number, row.version, 5, number * 10 + 1, row.plies)
    before = await loaded(store, match)
    await store.do(Transaction.forget_person, ANN)
    row = await loaded(store, match)
    assert row.version == row.shown_version > before.version, "acts decided on the number are decided anew"
    edited = [PendingEdit(MessageId(match * 10), ChannelId(10), row.id, row.version)]
    edited.append(PendingEdit(MessageId(match * 10 + 1), ChannelId(5), row.id, row.version))
    assert list(await store.ask(Reader.find_pending_edits, 0, 100)) == edited
    await store.do(Transaction.forget_person, BEA)
    assert {left.match for left in await store.ask(Reader.find_pending_edits, 0, 100)} == {match, other}


async def test_ratings_of_the_others_can_still_be_computed(store: Store, url: str) -> None:
    for users in ((ANN, BEA), (BEA, CEM), (CEM, ANN)):
        await played(store, users)
    before = {one.user: one for one in await store.ask(Reader.leaderboard, 1)}
    await store.do(Transaction.forget_person, ANN)
    after = await store.ask(Reader.leaderboard, 1)
    assert {one.user for one in after} == {BEA, CEM}
    assert all(one.mu == before[one.user].mu for one in after)
    report = await check_database(url, {GAME.key: GAME})
    assert report.sound, report.lines


async def test_two_forgotten_people_of_one_match_stay_two(store: Store) -> None:
    match = await played(store, (ANN, BEA))
    await store.do(Transaction.forget_person, ANN)
    await store.do(Transaction.forget_person, BEA)
    row = await store.ask(Reader.load_row, match)
    assert row and [player.user for player in row.players] == [-1, -2]


async def test_settings_are_kept_for_each_server(store: Store) -> None:
    assert await store.ask(Reader.load_settings, 1) == ServerSettings()
    await store.do(Transaction.set_settings, 1, ServerSettings((ChannelId(10), ChannelId(11)), threads=False))
    await store.do(Transaction.set_settings, 1, ServerSettings((ChannelId(12),), threads=False))
    assert await store.ask(Reader.load_settings, 1) == ServerSettings((ChannelId(12),), threads=False)
    assert await store.ask(Reader.load_settings, 2) == ServerSettings()


async def test_preferences_are_kept_for_each_person(store: Store) -> None:
    assert await store.ask(Reader.load_preferences, ANN) == Preferences() == Preferences(confirm=True)
    for confirm in (False, True, False):
        changed = await store.do(Transaction.change_preferences, ANN, lambda one, on=confirm: replace(one, confirm=on))
        assert changed == await store.ask(Reader.load_preferences, ANN) == Preferences(confirm=confirm)
    assert await store.ask(Reader.load_preferences, BEA) == Preferences()


async def test_two_who_change_preferences_of_one_person_at_once_lose_nothing(store: Store) -> None:
    def toggled(before: Preferences) -> Preferences:
        return Preferences(not before.confirm)

    await asyncio.gather(*(store.do(Transaction.change_preferences, ANN, toggled) for _ in range(7)))
    assert await store.ask(Reader.load_preferences, ANN) == Preferences(confirm=False)


async def test_what_is_none_of_the_choices_is_read_as_the_usual(store: Store, url: str) -> None:
    """Whatever an import or a later version has left there."""
    match = await begun(store, (ANN, BEA))
    columns, odd = "guild, channels, threads, pace, zone, reminders", "1, '[]', true, '9', 'X', 'owl'"
    told(url, f"INSERT INTO settings ({columns}) VALUES ({odd})", "UPDATE matches SET pace = '9'")
    told(url, f"INSERT INTO preferences (\"user\", confirm, zone, reminders) VALUES ({ANN}, true, 'X/Y', 'owl')")
    assert await store.ask(Reader.load_settings, 1) == ServerSettings(zone="X")
    assert await store.ask(Reader.load_preferences, ANN) == Preferences(zone="X/Y")
    row = await store.ask(Reader.load_row, match)
    assert row and row.pace == "none"
