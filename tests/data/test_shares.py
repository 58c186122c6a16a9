"""The periodic queries of a process find rows of its own servers, and of no others."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Generator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection, Engine, create_engine

from bot.play.ids import WHOLE, ChannelId, MatchId, MessageId, ShardShare, UserId
from bot.play.loaded_match import RESUMES_AFTER
from bot.play.rows import Absence, PendingEdit, PendingMessage, Preferences
from data.store import Reader, Store, Transaction
from tests.data.acts import new

SERVERS = tuple((number << 22) + 7 for number in range(8))
"""One of each of eight shards."""


@pytest.mark.parametrize("text", ["0/1", "5/16", "0-3/16", "0-15/16"])
def test_a_share_is_read_as_it_is_written(text: str) -> None:
    assert str(ShardShare.parse(text)) == text


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("all", "write shards like 0-3/16, the first and the last of 16, or like 5/16"),
        ("0-3", "write shards like 0-3/16, the first and the last of 16, or like 5/16"),
        ("16/16", "of 16 shards the first is 0 and the last 15: 16/16 is not among them"),
        ("3-1/4", "of 4 shards the first is 0 and the last 3: 3-1/4 is not among them"),
        ("0/0", "of 0 shards the first is 0 and the last -1: 0/0 is not among them"),
    ],
)
def test_what_is_no_share_is_refused_with_a_sentence(text: str, sentence: str) -> None:
    with pytest.raises(ValueError) as refused:
        ShardShare.parse(text)
    assert str(refused.value) == sentence


def test_shares_divide_all_servers_among_them() -> None:
    shares = [ShardShare.parse(text) for text in ("0-1/8", "2/8", "3-7/8")]
    assert [[share.holds(guild) for share in shares].index(True) for guild in SERVERS] == [0, 0, 1, 2, 2, 2, 2, 2]
    assert all(WHOLE.holds(guild) for guild in SERVERS)


@pytest.fixture
def bare(file: Path) -> Generator[Engine]:
    """A database with all tables and nothing in them."""
    engine = create_engine(f"sqlite:///{file}")
    yield engine
    engine.dispose()


class Spy:
    """A connection that notes what is asked of it."""

    def __init__(self, connection: Connection) -> None:
        self.connection = connection
        self.asked: list[str] = []

    def __getattr__(self, name: str) -> Any:
        return getattr(self.connection, name)

    def execute(self, statement: Any, *values: Any) -> Any:
        """Ask it, and note by what."""
        self.asked.append(" ".join(statement.compile(self.connection).params))
        return self.connection.execute(statement, *values)


NAMED = {
    "match_id", "message_id", "guild", "user", "users", "channel_id", "interaction_id", "name", "matches", "row", "new",
    "left", "pending", "clocks", "league", "match", "host", "notice", "one", "entries", "threads",
}  # fmt: skip
"""Whatever is told one of these is about somebody, or some match, league or message, or a note, or what was found."""
GIVEN: dict[str, Any] = {"now": 1000, "most": 100, "after": 0, "versions": {}, "by": 5, "before": 900, "recent": 900}
NOT_BY_SHARE = {
    "count_by_state": "how many matches there are in the whole database, for its host",
    "list_people": "they belong to no share; each process looks for all whom a copy has brought back before it serves",
    "within_share": "asks nothing",
    "read_notes": "they are the program's own, and named by their beginning",
    "lock_clocks": "asks nothing",
    "lock_clocks_shared": "asks nothing",
    "forget_asks": "tidying up, which the one process that leads does for all",
    "forget_deliveries": "tidying up, which the one process that leads does for all",
}


def unnamed() -> list[str]:
    """The methods that are told of no match, no server and no person, and so find what there is by themselves."""
    found: list[str] = []
    for name, method in inspect.getmembers(Transaction, inspect.isfunction):
        needed = [key for key, one in inspect.signature(method).parameters.items() if one.default is one.empty]
        if not name.startswith("_") and not NAMED & set(needed):
            found.append(name)
    return found


@pytest.mark.parametrize("name", unnamed())
def test_whatever_is_looked_for_without_anybodys_being_named_is_looked_for_among_ours(bare: Engine, name: str) -> None:
    with bare.begin() as connection:
        spy: Any = Spy(connection)
        method = getattr(Transaction(spy, ShardShare.parse("0-1/4")), name)
        parameters = inspect.signature(method).parameters.items()
        if name in NOT_BY_SHARE:
            return
        method(**{key: GIVEN[key] for key, one in parameters if one.default is one.empty})
        assert spy.asked and "share_count" in spy.asked[0], f"{name} finds what belongs to others"


async def test_boards_that_lag_are_found_by_the_process_that_serves_their_server(either: str) -> None:
    store, mine = Store(either), Store(either, ShardShare.parse("2-3/8"))
    made = [await store.do(Transaction.create, new(guild=guild)) for guild in SERVERS]
    assert [match for match, _ in await store.ask(Reader.find_lagging_matches, 100)] == made
    assert [match for match, _ in await mine.ask(Reader.find_lagging_matches, 100)] == made[2:4]
    await store.close()
    await mine.close()


def due_in(tx: Transaction, guild: int) -> None:
    """Something of every kind that a process looks for by itself, in a server; its number stands for a person too."""
    expired = tx.create(new(guild=guild, host=guild + 1))
    live = tx.create(new(guild=guild, host=guild + 2))
    tx.join(live, guild)
    clock: Any = {
        "allotted": 9,
        "seconds_left": 9,
        "since": 100,
        "deadline": 500,
        "next_reminder_at": 400,
        "reminder": 7,
    }
    tx.set_player(live, guild, seat=1, **clock)
    tx.set_player(live, guild + 2, seat=2, forfeit_at=600, reminder=MessageId(8), seconds_left=3)
    tx.update(live, 1, state="live", turn=(1,), started=110, thinks=1, pace="7")
    asked = tx.create(new(guild=guild))
    tx.update(asked, 1, state="live", paused=100, proposed=100 - RESUMES_AFTER, proposal=f"resume {guild}")
    over = tx.create(new(guild=guild))
    tx.update(over, 1, state="finished", rename_pending=True, announce_until=1)
    tx.park(expired, "it is closed")
    tx.keep_edit(PendingEdit(MessageId(guild), ChannelId(1), MatchId(live), 1))
    for user, match in ((guild, 0), (guild + 3, live)):
        tx.keep_pending(PendingMessage(UserId(user), MatchId(match), 0, None, False, 100, 200))
    tx.change_preferences(guild, lambda _: Preferences(digest=300))
    tx.add_absence(guild, guild, Absence(100, 700))


KINDS: dict[str, Callable[[Reader], list[int]]] = {
    "lagging": lambda ask: [match for match, _ in ask.find_lagging_matches(100)],
    "rename": lambda ask: [match for match, _ in ask.find_matches_to_rename(100)],
    "announce": lambda ask: [match for match, _ in ask.find_matches_to_announce(100)],
    "thinking": lambda ask: [*ask.find_matches_to_think_on(100)],
    "parked": lambda ask: [one.match for one in ask.find_parked_matches(100)],
    "expired": lambda ask: [row.id for row in ask.find_expired_challenges(1000)],
    "left over": lambda ask: [one.match for one in ask.find_pending_edits(1000, 100)],
    "outdated": lambda ask: [row.id for row in ask.find_outdated_matches({}, 100)],
    "run out": lambda ask: [*ask.find_matches_run_out(1000, 100)],
    "running": lambda ask: [one.match for one in ask.find_running_clocks()],
    "to remind": lambda ask: [one.match for one in ask.find_due_reminders(1000, 100)],
    "outlived": lambda ask: [match for match, _ in ask.find_outlived_reminders(100)],
    "digests": lambda ask: [*ask.digests_due(1000, 100)],
    "under way": lambda ask: [one.user for one in ask.find_abandoned_messages(1000, 100)],
    "returned": lambda ask: [user for _, user in ask.find_returned_people(600, 1000)],
}


async def test_what_is_due_is_found_by_one_process_each(either: str) -> None:
    shares = [WHOLE, *map(ShardShare.parse, ("0-2/8", "3/8", "4-7/8"))]
    stores = [Store(either, share) for share in shares]
    for guild in SERVERS:
        await stores[0].do(due_in, guild)
    for kind, ask in KINDS.items():
        whole, *parts = [await store.ask(ask) for store in stores]
        assert len(whole) >= len(SERVERS), kind
        assert [len(part) * len(SERVERS) for part in parts] == [len(whole) * count for count in (3, 1, 4)], kind
        assert sorted(one for part in parts for one in part) == sorted(whole), kind
    for store in stores:
        await store.close()


async def test_an_outage_of_ours_changes_nobody_elses_times(either: str) -> None:
    store, mine = Store(either), Store(either, ShardShare.parse("2-3/8"))
    for guild in SERVERS:
        await store.do(due_in, guild)
    before = await store.ask(times)
    shifted = await mine.do(Transaction.note_times_changed)
    await mine.do(Transaction.postpone_forfeits, 50)
    await mine.do(Transaction.postpone_proposals, 50)
    after = await store.ask(times)
    assert {match for match in after if after[match] != before[match]} == set(shifted)
    origins = [await store.ask(Reader.load_origin, match) for match in shifted]
    assert {origin and origin.guild for origin in origins} == set(SERVERS[2:4])
    await store.close()
    await mine.close()


def times(reader: Reader) -> dict[int, Any]:
    """What an outage changes in all matches."""
    rows = [row for row in map(reader.load_row, range(1, 100)) if row]
    return {row.id: (row.version, row.proposed, [player.forfeit_at for player in row.players]) for row in rows}
