"""The umpire over a real store, without Discord: the changes of acts, their refusals, and lost races."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncGenerator
from dataclasses import replace
from functools import partial
from typing import Any, cast

import pytest
from sqlalchemy.dialects import postgresql
from sqlalchemy.util import await_only

from bot.features.board import words as board_words
from bot.games.catalogue import load_games, load_offered_games
from bot.games.game import Game
from bot.games.position import Illegal, OutOfTurn
from bot.play import acts, claims
from bot.play.acts import OPEN_FOR, NotPossibleNow, NotYours, NotYourTurn, StaleBoard
from bot.play.challenges import ChallengeTerms
from bot.play.ids import ChannelId, GuildId, InteractionId, MatchId, UserId
from bot.play.loaded_match import FoldCache, FoldedMatch, LoadedMatch, MatchView, Refusal, UnknownMatch
from bot.play.rows import NewMatch, ServerSettings
from bot.umpire.acts import CLOSED_AT_ONCE, DELIVERIES_FOR, Sweeper
from bot.umpire.umpire import TRIES, ActResult, Decision, Umpire
from data.engine.driver import CONNECTIONS, TimeLimits
from data.engine.postgres import PostgresDriver
from data.store import Reader, Store, Transaction
from data.upkeep.integrity import check_database
from tests.contract.planted import ENVELOPES, MARKS
from tests.contract.playing import stepped
from tests.data.acts import snapshot
from tests.support.postgres import on_both, on_postgres
from tests.support.waiting import PATIENCE

ANN, BEA, CEM, DORA = map(UserId, (1, 2, 3, 4))
GAMES: dict[str, Game] = {**load_games(), MARKS.key: MARKS, ENVELOPES.key: ENVELOPES}


class Checked(Umpire):
    """An umpire who must know, without looking again, how a match stands after an act."""

    async def act(
        self,
        act: InteractionId,
        match: MatchId,
        user: UserId,
        decide: Decision,
        again: bool = False,
        start: LoadedMatch | None = None,
    ) -> ActResult:
        done = await super().act(act, match, user, decide, again, start)
        row = await self.store.ask(Reader.load_match, done.after.id)
        assert row
        if row.version == done.after.row.version:
            assert done.after == FoldCache(GAMES)(row)
        return done


class Desk:
    """An umpire with a clock that stands still, who numbers the interactions."""

    def __init__(self, store: Store, url: str) -> None:
        self.now = 1_000_000
        self.acts = 0
        self.store = store
        self.url = url
        self.umpire = Checked(store, GAMES, lambda: self.now, random.Random(1))
        self.sweeper = Sweeper(store, GAMES, lambda: self.now)

    def act(self) -> InteractionId:
        """The number of another interaction."""
        self.acts += 1
        return InteractionId(self.acts)

    async def challenge(self, game: str = "marks", host: UserId = ANN, *guests: UserId, **chosen: Any) -> LoadedMatch:
        """A challenge in server 10, channel 20; the host has seat 1 unless it says otherwise."""
        given: dict[str, Any] = {"guild": GuildId(10), "seating": "host", **chosen}
        return await self.umpire.challenge(
            self.act(), ChallengeTerms(channel=ChannelId(20), host=host, game=GAMES[game], guests=guests, **given)
        )

    async def match(self, game: str = "marks", *players: UserId, **chosen: Any) -> MatchId:
        """A live match between some people, in this order of seats."""
        loaded = await self.challenge(game, *players, **chosen)
        for guest in players[1:]:
            await self.umpire.act(self.act(), loaded.id, guest, acts.accept)
        return loaded.id

    async def move(self, match: MatchId, user: UserId, text: str, seen: int | None = None) -> ActResult:
        return await self.umpire.move(self.act(), match, user, text, seen)


@pytest.fixture
async def desk(address: str) -> AsyncGenerator[Desk]:
    """A desk whose store must agree with itself at the end."""
    store = Store(address)
    await store.do(Transaction.set_settings, 10, ServerSettings(most_from_one=1000, most_from_all=1000, most_open=1000))
    yield Desk(store, address)
    await store.close()
    report = await check_database(address, GAMES, ratings=False)
    assert report.sound, report.lines


# Challenges.


async def test_a_challenge_is_open_for_two_days(desk: Desk) -> None:
    loaded = await desk.challenge("binary-primes", ANN, BEA, options={"size": 5})
    row = loaded.row
    assert (row.state, row.seats, row.host, row.guild, row.channel) == ("open", 2, ANN, 10, 20)
    assert row.expires == desk.now + OPEN_FOR
    assert [(player.user, player.invited) for player in loaded.players] == [(ANN, False), (BEA, True)]
    assert loaded.match is None and loaded.turn == ()


@pytest.mark.parametrize(
    ("chosen", "sentence"),
    [
        (
            {"guests": (ANN,)},
            "You can't challenge yourself. Name somebody else, or leave the name out to open a table.",
        ),
        ({"guests": (BEA, BEA)}, "You named somebody twice. Name each opponent once."),
        ({"guests": (BEA, CEM)}, "Marks is for 2 players, not 3."),
        ({"guests": (BEA, CEM), "seats": 2}, "That's 3 players for 2 seats. Name at most 1 others."),
        ({"seats": 3}, "Marks is for 2 players, not 3."),
        ({"options": {"squares": 5}}, "squares must be an even number from 2 to 12, not 5."),
        ({"options": {"squares": 99}}, "squares must be an even number from 2 to 12, not 99."),
        ({"options": {"size": 3}}, "There is no option size. This game has these options: squares."),
    ],
)
async def test_what_cannot_be_challenged(desk: Desk, chosen: dict[str, Any], sentence: str) -> None:
    with pytest.raises(Refusal) as refusal:
        await desk.umpire.challenge(desk.act(), ChallengeTerms(GuildId(10), ChannelId(20), ANN, MARKS, **chosen))
    assert str(refusal.value) == sentence
    assert await desk.store.ask(Reader.count_by_state) == {}


@pytest.fixture
async def usual(desk: Desk) -> Desk:
    """A desk in a server that has set nothing: the usual caps on challenges hold."""
    await desk.store.do(Transaction.set_settings, 10, ServerSettings())
    return desk


def ask(desk: Desk, host: UserId, *guests: UserId, **chosen: Any) -> Any:
    """A challenge that may be refused."""
    return desk.challenge("binary-scramble" if len(guests) > 1 else "marks", host, *guests, **chosen)


async def test_somebody_is_challenged_a_few_times_an_hour_by_one_person(usual: Desk) -> None:
    """It makes no difference whether they decline, whether it is taken back, or that several are asked at once."""
    for number in range(5):
        loaded = await (ask(usual, ANN, BEA, CEM) if number % 2 else ask(usual, ANN, BEA))
        user, end = (BEA, acts.decline) if number % 2 else (ANN, acts.cancel)
        await usual.umpire.act(usual.act(), loaded.id, user, end)
        usual.now += 60
    until = 1_000_000 + 3600
    for guests in ((BEA,), (DORA, BEA)):
        with pytest.raises(Refusal) as refusal:
            await ask(usual, ANN, *guests)
        assert str(refusal.value) == (
            f"You have challenged <@{BEA}> 5 times in the last hour. Ask again <t:{until}:R>, or ask somebody else."
        )
    await ask(usual, ANN, CEM)
    await ask(usual, DORA, BEA)
    await ask(usual, ANN, BEA, guild=GuildId(11))
    usual.now = until
    await ask(usual, ANN, BEA)
    with pytest.raises(Refusal, match="5 times"):
        await ask(usual, ANN, BEA)


async def test_somebody_is_challenged_a_few_times_an_hour_by_a_whole_server(usual: Desk) -> None:
    for number in range(20):
        await ask(usual, UserId(100 + number), BEA)
    with pytest.raises(Refusal) as refusal:
        await ask(usual, ANN, BEA)
    until = usual.now + 3600
    assert str(refusal.value) == (
        f"<@{BEA}> has been challenged 20 times in the last hour. Ask again <t:{until}:R>, or ask somebody else."
    )


async def test_being_forgotten_again_and_again_makes_nobody_free_to_challenge_without_end(usual: Desk) -> None:
    """Who it was is not known any more, that somebody was challenged is."""
    for number in range(20):
        await ask(usual, ANN, BEA)
        if number % 5 == 4:
            await usual.umpire.forget_user(usual.act(), ANN)
    with pytest.raises(Refusal, match=f"^<@{BEA}> has been challenged 20 times in the last hour. Ask again "):
        await ask(usual, ANN, BEA)
    assert ANN not in {
        one.asker for one in await usual.store.ask(Reader.find_challenge_requests, 10, [BEA], 0, usual.now)
    }


async def test_of_two_challenges_at_the_same_moment_only_one_is_within_the_caps(desk: Desk) -> None:
    await desk.store.do(Transaction.set_settings, 10, ServerSettings(most_from_one=1, most_open=3))
    done = await asyncio.gather(*(ask(desk, ANN, BEA) for _ in range(4)), return_exceptions=True)
    assert sum(isinstance(one, LoadedMatch) for one in done) == 1
    done = await asyncio.gather(*(ask(desk, ANN) for _ in range(4)), return_exceptions=True)
    assert sum(isinstance(one, LoadedMatch) for one in done) == 2
    assert len({str(one) for one in done if isinstance(one, Refusal)}) == 1


class Heard(Exception):
    """The first thing that a transaction says to PostgreSQL."""


class Elsewhere:
    """A store that is read here, and writes to a PostgreSQL that breaks off as soon as it is spoken to."""

    dialect = postgresql.dialect()

    def __init__(self, store: Store) -> None:
        self.ask = store.ask

    async def do(self, change: Any, *args: Any) -> None:
        change(Transaction(cast(Any, self)), *args)

    def execute(self, statement: Any, *_: object) -> None:
        raise Heard(str(statement.compile(dialect=self.dialect)))


async def test_where_others_write_at_the_same_moment_they_wait_before_anything_is_counted(desk: Desk) -> None:
    """SQLite has one writer at a time. PostgreSQL has many, and two challenges would not see each other."""
    match = await desk.match("marks", ANN, BEA)
    await desk.umpire.act(desk.act(), match, ANN, acts.resign)
    umpire = Umpire(cast(Any, Elsewhere(desk.store)), GAMES, lambda: desk.now, random.Random(1))
    with pytest.raises(Heard, match="^SELECT pg_advisory_xact_lock"):
        await umpire.challenge(desk.act(), ChallengeTerms(GuildId(10), ChannelId(20), ANN, MARKS, guests=(BEA,)))
    with pytest.raises(Heard, match="^SELECT pg_advisory_xact_lock"):
        await umpire.rematch(desk.act(), match, ANN)


@on_postgres
async def test_a_burst_of_challenges_in_one_server_is_written_side_by_side(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Sixteen people ask sixteen others. Each writes once as many write as may at once: were one lock held by all, the
    first would wait for the others for ever, and those for it."""
    side_by_side, usual = asyncio.Barrier(CONNECTIONS), Transaction.create

    def create(tx: Transaction, new: NewMatch) -> MatchId:
        await_only(side_by_side.wait())
        return usual(tx, new)

    monkeypatch.setattr(Transaction, "create", create)
    server = desk.store.database.driver
    assert isinstance(server, PostgresDriver)
    server.limits = TimeLimits(PATIENCE, PATIENCE)  # a busy machine begins the last of them late
    people = [UserId(100 + number) for number in range(4 * CONNECTIONS)]
    pairs = zip(people[::2], people[1::2], strict=True)
    async with asyncio.timeout(PATIENCE):
        made = await asyncio.gather(*(desk.challenge("marks", host, guest) for host, guest in pairs))
    assert len({loaded.id for loaded in made}) == 2 * CONNECTIONS == 16
    assert {loaded.row.state for loaded in made} == {"open"}


async def test_nobody_has_more_than_some_challenges_open(usual: Desk) -> None:
    loaded = [await ask(usual, ANN) for _ in range(10)]
    with pytest.raises(Refusal, match="^You have 10 open challenges in this server, which is the limit"):
        await ask(usual, ANN)
    assert await usual.challenge("sums-grid", ANN, seats=1), "a match alone waits for nobody"
    await ask(usual, ANN, guild=GuildId(11))
    await usual.umpire.act(usual.act(), loaded[0].id, ANN, acts.cancel)
    await ask(usual, ANN)


async def test_asking_for_a_rematch_counts_like_a_challenge(usual: Desk) -> None:
    match = await usual.match("marks", ANN, BEA)
    await usual.umpire.act(usual.act(), match, ANN, acts.resign)
    for _ in range(5):
        again = await usual.umpire.rematch(usual.act(), match, ANN)
        await usual.umpire.act(usual.act(), again.id, BEA, acts.decline)
    with pytest.raises(Refusal, match=f"^You have challenged <@{BEA}> 5 times in the last hour. Ask again "):
        await usual.umpire.rematch(usual.act(), match, ANN)
    assert (await usual.umpire.rematch(usual.act(), match, BEA)).row.host == BEA


async def test_friends_may_play_short_matches_one_after_another(usual: Desk) -> None:
    """The player who accepts wants to be asked: only what did not come to a match counts."""
    match = await usual.match("marks", ANN, BEA)
    for _ in range(6):
        await usual.umpire.act(usual.act(), match, BEA, acts.resign)
        match = (await usual.umpire.rematch(usual.act(), match, ANN)).id
        await usual.umpire.act(usual.act(), match, BEA, acts.accept)
    for _ in range(6):
        await usual.match("marks", ANN, BEA)
    assert await usual.store.ask(Reader.find_challenge_requests, 10, [BEA], 0, usual.now) == ()


async def test_whom_a_match_begins_without_was_asked_all_the_same(usual: Desk) -> None:
    """Else somebody and a friend could have a third person's phone ring without end."""
    for _ in range(5):
        loaded = await ask(usual, ANN, BEA, CEM)
        await usual.umpire.act(usual.act(), loaded.id, CEM, acts.accept)
        await usual.umpire.act(usual.act(), loaded.id, ANN, acts.begin_early)
    with pytest.raises(Refusal, match=f"^You have challenged <@{BEA}> 5 times in the last hour. Ask again "):
        await ask(usual, ANN, BEA, CEM)
    await ask(usual, ANN, CEM)


async def test_a_clock_that_was_ahead_keeps_nobody_from_being_challenged(usual: Desk) -> None:
    usual.now += 2 * 86400
    for _ in range(5):
        await ask(usual, ANN, BEA)
    usual.now -= 2 * 86400
    await ask(usual, ANN, BEA)


async def test_whom_somebody_has_challenged_is_forgotten(desk: Desk) -> None:
    loaded = await ask(desk, ANN, BEA)
    for user in (ANN, BEA):
        kept = await desk.store.ask(Reader.export_person, user)
        assert kept["asks"] == [{"match": loaded.id, "at": desk.now, "asker": user == ANN}]
    await desk.umpire.forget_user(desk.act(), BEA)
    await ask(desk, CEM, DORA)
    await desk.sweeper.drop_old_rows()
    assert len(await desk.store.ask(Reader.find_challenge_requests, 10, [BEA, DORA], 0, desk.now)) == 1
    desk.now += 3601
    await desk.sweeper.drop_old_rows()
    assert await desk.store.ask(Reader.find_challenge_requests, 10, [BEA, DORA], 0, desk.now) == ()


@pytest.mark.parametrize(
    ("seating", "order"),
    [("host", [ANN, BEA, CEM]), ("guest", [BEA, CEM, ANN]), ("order", [ANN, BEA, CEM])],
)
async def test_who_sits_where(desk: Desk, seating: Any, order: list[UserId]) -> None:
    match = await desk.match("binary-scramble", ANN, BEA, CEM, seating=seating)
    loaded = await desk.umpire.load(match)
    assert [player.user for player in loaded.players] == order
    assert [loaded.seat_of(user) for user in order] == [1, 2, 3]
    assert loaded.turn == loaded.row.turn == (1,)


async def test_lots_give_everybody_every_seat(desk: Desk) -> None:
    firsts: set[int] = set()
    for _ in range(12):
        loaded = await desk.umpire.load(await desk.match("binary-scramble", ANN, BEA, CEM, seating="lot"))
        assert sorted(player.user for player in loaded.players) == [ANN, BEA, CEM]
        firsts.add(loaded.user_at(1))
    assert firsts == {ANN, BEA, CEM}


async def test_who_declines_leaves_a_seat_free_while_enough_are_left(desk: Desk) -> None:
    loaded = await desk.challenge("binary-scramble", ANN, BEA, CEM)
    after = (await desk.umpire.act(desk.act(), loaded.id, BEA, acts.decline)).after
    assert (after.row.state, [player.user for player in after.players]) == ("open", [ANN, CEM])
    await desk.umpire.act(desk.act(), loaded.id, DORA, acts.accept)
    begun = (await desk.umpire.act(desk.act(), loaded.id, CEM, acts.accept)).after
    assert (begun.row.state, sorted(player.user for player in begun.players)) == ("live", [ANN, CEM, DORA])


async def test_who_sits_beside_the_invited_can_get_up_again(desk: Desk) -> None:
    loaded = await desk.challenge("binary-scramble", ANN, BEA, CEM, seats=4)
    await desk.umpire.act(desk.act(), loaded.id, BEA, acts.accept)
    await desk.umpire.act(desk.act(), loaded.id, DORA, acts.accept)
    for user in (BEA, DORA):
        after = (await desk.umpire.act(desk.act(), loaded.id, user, acts.decline)).after
        assert after.row.state == "open" and not after.has(user)
    with pytest.raises(NotYours, match="Only somebody who was challenged can decline."):
        await desk.umpire.act(desk.act(), loaded.id, BEA, acts.decline)
    after = (await desk.umpire.act(desk.act(), loaded.id, ANN, acts.decline)).after
    assert after.row.state == "cancelled", "who made it takes it back"


async def test_the_host_begins_with_those_who_came(desk: Desk) -> None:
    loaded = await desk.challenge("binary-scramble", ANN, BEA, CEM, seats=4)
    with pytest.raises(Refusal, match="Binary Scramble needs at least 2 players. Wait for somebody else to join."):
        await desk.umpire.act(desk.act(), loaded.id, ANN, acts.begin_early)
    await desk.umpire.act(desk.act(), loaded.id, BEA, acts.accept)
    with pytest.raises(NotYours, match="Only <@1>, who opened this table, can begin early."):
        await desk.umpire.act(desk.act(), loaded.id, BEA, acts.begin_early)
    after = (await desk.umpire.act(desk.act(), loaded.id, ANN, acts.begin_early)).after
    assert (after.row.state, after.row.seats, [player.user for player in after.players]) == ("live", 2, [ANN, BEA])


async def test_what_people_may_not_do_to_an_open_table(desk: Desk) -> None:
    umpire, loaded = desk.umpire, await desk.challenge()
    for doing, sentence in (
        (
            umpire.act(desk.act(), loaded.id, ANN, acts.accept),
            "You already sit at this table. It is waiting for the others.",
        ),
        (umpire.act(desk.act(), loaded.id, ANN, acts.leave), "You opened this table. Press Cancel to close it."),
        (umpire.act(desk.act(), loaded.id, BEA, acts.leave), "You don't sit at this table."),
        (umpire.act(desk.act(), loaded.id, BEA, acts.decline), "Only somebody who was challenged can decline."),
        (umpire.act(desk.act(), loaded.id, BEA, acts.cancel), "Only <@1>, who made this challenge, can cancel it."),
        (umpire.move(desk.act(), loaded.id, ANN, "1"), "This match hasn't begun yet: not everybody has joined."),
        (umpire.act(desk.act(), loaded.id, ANN, acts.resign), "This match hasn't begun yet: not everybody has joined."),
        (
            umpire.act(desk.act(), loaded.id, ANN, partial(claims.abort, now=umpire.clock())),
            "This match hasn't begun yet: not everybody has joined.",
        ),
        (
            umpire.rematch(desk.act(), loaded.id, ANN),
            "This match was not played to the end, so it has no rematch. Make a new challenge.",
        ),
    ):
        with pytest.raises(Refusal) as refusal:
            await doing
        assert str(refusal.value) == sentence
    assert (await umpire.load(loaded.id)).row == loaded.row


@pytest.mark.parametrize("end", ["declined", "cancelled", "expired", "live"])
async def test_a_challenge_that_is_over_stays_so(desk: Desk, end: str) -> None:
    umpire, loaded = desk.umpire, await desk.challenge("marks", ANN, BEA)
    if end == "declined":
        await umpire.act(desk.act(), loaded.id, BEA, acts.decline)
    elif end == "cancelled":
        await umpire.act(desk.act(), loaded.id, CEM, partial(acts.cancel, manager=True))
    elif end == "expired":
        desk.now += OPEN_FOR
        assert await desk.sweeper.expire_challenges() == [loaded.id]
        assert await desk.sweeper.expire_challenges() == []
    else:
        await umpire.act(desk.act(), loaded.id, BEA, acts.accept)
    before = (await umpire.load(loaded.id)).row
    assert (before.state, before.version) == (end, 2)
    for doing in (acts.accept, acts.leave, acts.decline, acts.cancel, acts.begin_early):
        with pytest.raises(NotPossibleNow, match=r"already begun\.|Make a new one\."):
            await umpire.act(desk.act(), loaded.id, BEA, doing)
    assert (await umpire.load(loaded.id)).row == before


async def test_a_challenge_whose_time_is_over_is_refused_before_it_is_closed(desk: Desk) -> None:
    loaded = await desk.challenge("marks", ANN, BEA)
    desk.now += OPEN_FOR - 1
    assert await desk.sweeper.expire_challenges() == []
    desk.now += 1
    with pytest.raises(NotPossibleNow, match="This challenge expired after 2 days. Make a new one."):
        await desk.umpire.act(desk.act(), loaded.id, BEA, acts.accept)


# Moves.


@on_both
async def test_a_match_is_played_and_its_result_written(desk: Desk) -> None:
    match = await desk.match("marks", ANN, BEA, options={"squares": 4})
    for user, text in ((ANN, "4"), (BEA, "1"), (ANN, "2")):
        done = await desk.move(match, user, text)
        assert done.after.row.state == "live"
    done = await desk.move(match, BEA, " 3 ")
    row = done.after.row
    assert (row.state, row.turn, row.plies, row.ended) == ("finished", (), 4, desk.now)
    assert [(player.rank, player.score) for player in done.after.players] == [(1, 6), (2, 4)]
    assert [tuple(entry) for entry in row.record] == [(1, "4"), (2, "1"), (1, "2"), (2, "3")]
    standings = await desk.store.ask(Reader.leaderboard, GuildId(10), "marks")
    assert [(standing.user, standing.won, standing.lost) for standing in standings] == [(ANN, 1, 0), (BEA, 0, 1)]
    with pytest.raises(NotPossibleNow, match="This match is over."):
        await desk.move(match, ANN, "1")


async def test_a_match_that_ends_while_the_clock_is_behind_ends_after_those_that_have_ended(desk: Desk) -> None:
    ends: list[int | None] = []
    for behind in (0, 0, 3600, 0):
        match, now = await desk.match("marks", ANN, BEA, options={"squares": 2}), desk.now
        desk.now -= behind
        await desk.move(match, ANN, "1")
        ends.append((await desk.move(match, BEA, "2")).after.row.ended)
        desk.now = now
    assert ends == [desk.now, desk.now + 1, desk.now + 2, desk.now + 3]


async def test_what_is_refused_changes_nothing(desk: Desk) -> None:
    match = await desk.match("marks", ANN, BEA)
    await desk.move(match, ANN, "4")
    before = (await desk.umpire.load(match)).row
    with pytest.raises(NotYourTurn, match="It's <@2>'s turn."):
        await desk.move(match, ANN, "1")
    with pytest.raises(NotYours, match="You aren't in this match. It is between <@1> and <@2>."):
        await desk.move(match, CEM, "1")
    with pytest.raises(Illegal, match="Square 4 is already marked, by <@1>."):
        await desk.move(match, BEA, "4")
    with pytest.raises(StaleBoard, match="The match moved on while you were choosing.") as stale:
        await desk.move(match, BEA, "1", seen=0)
    assert stale.value.loaded.row == before
    with pytest.raises(UnknownMatch, match="There is no match 99 here. /matches lists yours."):
        await desk.move(MatchId(99), BEA, "1")
    assert (await desk.umpire.load(match)).row == before
    assert (await desk.move(match, BEA, "1", seen=1)).after.row.plies == 2


async def test_an_interaction_acts_once(desk: Desk) -> None:
    match = await desk.match("marks", ANN, BEA)
    act = desk.act()
    first = await desk.umpire.move(act, match, ANN, "4")
    again = await desk.umpire.move(act, match, ANN, "5")
    assert (first.repeated, again.repeated) == (False, True)
    assert again.after.row == first.after.row
    challenge = ChallengeTerms(GuildId(10), ChannelId(20), ANN, MARKS)
    act = desk.act()
    tables = [await desk.umpire.challenge(act, challenge) for _ in range(2)]
    assert tables[0].row == tables[1].row


@on_both
async def test_one_interaction_delivered_twice_at_the_same_moment(desk: Desk) -> None:
    match = await desk.match("marks", ANN, BEA)
    act = desk.act()
    done = await asyncio.gather(*(desk.umpire.move(act, match, ANN, "4") for _ in range(4)))
    assert sorted(one.repeated for one in done) == [False, True, True, True]
    assert (await desk.umpire.load(match)).row.plies == 1


async def test_one_seat_moves_twice_at_the_same_moment(desk: Desk) -> None:
    match = await desk.match("marks", ANN, BEA)
    tries = [desk.move(match, ANN, text) for text in "123456"]
    done = await asyncio.gather(*tries, return_exceptions=True)
    assert sum(isinstance(one, ActResult) for one in done) == 1
    assert sum(isinstance(one, NotYourTurn) for one in done) == 5
    assert (await desk.umpire.load(match)).row.plies == 1


async def test_several_seats_move_at_the_same_moment(desk: Desk) -> None:
    """Each lost race is decided anew: nobody is refused because another was faster."""
    match = await desk.match("envelopes", ANN, BEA)
    done = await asyncio.gather(desk.move(match, ANN, "7"), desk.move(match, BEA, "7"))
    assert not any(one.repeated for one in done)
    row = (await desk.umpire.load(match)).row
    assert (row.state, sorted(entry.text for entry in row.record)) == ("finished", ["7", "7"])
    assert [player.rank for player in row.players] == [1, 1]


@on_both
async def test_eight_seats_move_at_the_same_moment(desk: Desk) -> None:
    """As many as a game can have; the umpire tries often enough for the last of them."""
    people = [UserId(number) for number in range(101, 109)]
    match = await desk.match("sums-grid", *people, options={"size": 2})
    grids = [f"grid 1 2 / 3 {number}" for number in range(4, 12)]
    assert len(people) <= TRIES
    done = await asyncio.gather(*(desk.move(match, user, grid) for user, grid in zip(people, grids, strict=True)))
    row = (await desk.umpire.load(match)).row
    assert (len(done), row.plies, row.version) == (8, 8, 16)
    assert {entry.seat for entry in row.record} == set(range(1, 9))


@on_both
async def test_a_storm_of_acts_on_one_match_refuses_nobody(desk: Desk) -> None:
    """Far more acts at once than the umpire tries: each waits for its turn."""
    people = [UserId(number) for number in range(101, 109)]
    match = await desk.match("sums-grid", *people, options={"size": 2})
    grids = [(user, f"grid 1 2 / 3 {number}") for number in range(4, 7) for user in people]
    done = await asyncio.gather(*(desk.move(match, user, grid) for user, grid in grids), return_exceptions=True)
    assert [str(one) for one in done if not isinstance(one, ActResult)] == []
    assert (await desk.umpire.load(match)).row.plies == 24


async def test_a_board_is_stale_only_if_its_owner_could_see_the_difference(desk: Desk) -> None:
    """What the other does in secret does not make one's own form stale; one's own move does."""
    match = await desk.match("sums-grid", ANN, BEA, options={"size": 2})
    await desk.move(match, ANN, "grid 1 2 / 3 4", seen=0)
    await desk.move(match, BEA, "grid 1 2 / 3 5", seen=0)
    with pytest.raises(StaleBoard):
        await desk.move(match, ANN, "grid 1 2 / 3 6", seen=0)
    await desk.move(match, ANN, "grid 1 2 / 3 6", seen=1)
    # That somebody is done can be seen by all, and changes nothing for who is not.
    await desk.move(match, BEA, "done", seen=1)
    await desk.move(match, ANN, "done", seen=2)


# Ends.


@pytest.mark.parametrize("leaver", [ANN, BEA])
async def test_resigning_on_and_off_turn(desk: Desk, leaver: UserId) -> None:
    match = await desk.match("marks", ANN, BEA)
    await desk.move(match, ANN, "1")
    await desk.move(match, BEA, "2")
    row = (await desk.umpire.act(desk.act(), match, leaver, acts.resign)).after.row
    assert (row.state, row.record[-1].text) == ("finished", "resign")
    assert {player.user: player.rank for player in row.players} == {leaver: 2, 3 - leaver: 1}
    assert [standing.played for standing in await desk.store.ask(Reader.leaderboard, GuildId(10))] == [1, 1]
    with pytest.raises(NotPossibleNow):
        await desk.umpire.act(desk.act(), match, UserId(3 - leaver), acts.resign)


async def test_nobody_leaves_twice(desk: Desk) -> None:
    match = await desk.match("binary-scramble", ANN, BEA, CEM)
    after = (await desk.umpire.act(desk.act(), match, ANN, acts.resign)).after
    assert (after.row.state, after.turn) == ("live", (2,))
    with pytest.raises((Refusal, OutOfTurn)) as refusal:
        await desk.umpire.act(desk.act(), match, ANN, acts.resign)
    assert str(refusal.value).endswith(".")
    assert (await desk.umpire.load(match)).row == after.row


async def test_calling_off_takes_everybody_who_still_plays(desk: Desk) -> None:
    match = await desk.match("binary-scramble", ANN, BEA, CEM)
    await desk.umpire.act(desk.act(), match, ANN, acts.resign)
    after = (await desk.umpire.act(desk.act(), match, BEA, partial(claims.abort, now=desk.now))).after
    assert (after.row.state, [player.consent for player in after.players]) == ("live", [False, True, False])
    after = (await desk.umpire.act(desk.act(), match, CEM, partial(claims.abort, now=desk.now))).after
    assert after.row.state == "aborted"
    assert await desk.store.ask(Reader.leaderboard, GuildId(10)) == ()


@pytest.mark.parametrize("game", ["binary-primes", "plexus", "combining-dividing", "sums-grid"])
async def test_whatever_is_played_the_board_says_who_would_call_the_match_off(desk: Desk, game: str) -> None:
    people = (ANN, BEA, CEM)[: 3 if 3 in load_offered_games()[game].seats else 2]
    match = await desk.match(game, *people)

    async def says(*asking: UserId) -> None:
        loaded = await desk.umpire.load(match)
        assert tuple(player.user for player in loaded.players if player.consent) == asking
        playing = [user for user in people if loaded.row.seat_of(user) not in loaded.begun_match.withdrawn_seats]
        asked = [user for user in playing if asking and user not in asking]
        for viewer in (None, *range(1, len(people) + 1)):
            _, _, said = board_words.describe_status(MatchView.of(loaded, viewer)).partition("\n")
            wish, _, ends = said.partition(" It ends if ")
            assert [user for user in people if f"<@{user}>" in wish] == [*asking]
            assert [user for user in people if f"<@{user}>" in ends] == asked

    async def goes_on() -> None:
        seat, text = stepped((await desk.umpire.load(match)).begun_match, random.Random(1)).record[-1]
        await desk.move(match, people[seat - 1], text)

    await desk.umpire.act(desk.act(), match, ANN, partial(claims.abort, now=desk.now))
    await goes_on()
    await goes_on()
    await says(ANN)
    await desk.umpire.act(desk.act(), match, ANN, claims.play_on)
    await says()
    await desk.umpire.act(desk.act(), match, BEA, partial(claims.abort, now=desk.now))
    await goes_on()
    await says(BEA)
    if len(people) == 3:
        await desk.umpire.act(desk.act(), match, CEM, acts.resign)
        await says(BEA)
    assert (
        await desk.umpire.act(desk.act(), match, ANN, partial(claims.abort, now=desk.now))
    ).after.row.state == "aborted"


async def test_a_proposal_to_abort_stands_until_it_is_taken_back(desk: Desk) -> None:
    match = await desk.match("marks", ANN, BEA)
    await desk.umpire.act(desk.act(), match, BEA, partial(claims.abort, now=desk.now))
    await desk.move(match, ANN, "1")
    after = (await desk.umpire.act(desk.act(), match, BEA, claims.play_on)).after
    assert (after.row.state, [player.consent for player in after.players]) == ("live", [False, False])
    with pytest.raises(NotPossibleNow, match="You are no longer asking to call the match off. It goes on."):
        await desk.umpire.act(desk.act(), match, BEA, claims.play_on)
    await desk.umpire.act(desk.act(), match, BEA, partial(claims.abort, now=desk.now))
    await desk.move(match, BEA, "2")
    assert (
        await desk.umpire.act(desk.act(), match, ANN, partial(claims.abort, now=desk.now))
    ).after.row.state == "aborted"


async def test_the_proposal_to_abort_of_a_player_who_leaves_is_withdrawn(desk: Desk) -> None:
    match = await desk.match("binary-scramble", ANN, BEA, CEM)
    await desk.umpire.act(desk.act(), match, ANN, partial(claims.abort, now=desk.now))
    after = (await desk.umpire.act(desk.act(), match, ANN, acts.resign)).after
    assert (after.row.state, [player.consent for player in after.players]) == ("live", [False, False, False])
    left = "You have left this match, so you can't call it off."
    with pytest.raises(NotYours, match=left):
        await desk.umpire.act(desk.act(), match, ANN, partial(claims.abort, now=desk.now))
    with pytest.raises(NotYours, match=left):
        await desk.umpire.act(desk.act(), match, ANN, partial(claims.abort, manager=True, now=desk.now))


async def test_what_a_player_keeps_of_a_match_counts_no_secret_of_the_others(desk: Desk) -> None:
    kept: list[object] = []
    for hidden in (1, 4):
        match = await desk.match("sums-grid", ANN, BEA, CEM, options={"size": 2})
        for _ in range(hidden):
            await desk.move(match, BEA, "1 2 / 3 4")
        await desk.move(match, ANN, "1 2 / 4 8")
        for _ in range(hidden):
            await desk.move(match, BEA, "1 2 / 3 5")
        await desk.umpire.act(desk.act(), match, CEM, partial(claims.abort, now=desk.now))
        await desk.move(match, ANN, "done")
        own = await desk.store.ask(Reader.export_person, ANN)
        tables = [[{**row, "id": 0, "match": 0} for row in own[name] if match in (row.get("id"), row.get("match"))]
                  for name in ("matches", "moves")]  # fmt: skip
        kept.append(tables)
        await desk.umpire.act(desk.act(), match, DORA, partial(claims.abort, manager=True, now=desk.now))
    assert kept[0] == kept[1]


async def test_a_secret_move_does_not_change_whom_a_message_tells(desk: Desk) -> None:
    """Else a message that is late would tell by its mentions who has moved meanwhile."""
    match = await desk.match("sums-grid", ANN, BEA, CEM, options={"size": 2})
    loaded = (await desk.umpire.act(desk.act(), match, CEM, partial(claims.abort, now=desk.now))).after
    assert set(loaded.users_to_notify) >= {ANN, BEA}
    assert (await desk.move(match, BEA, "1 2 / 3 4")).after.users_to_notify == loaded.users_to_notify


async def test_a_manager_who_plays_needs_the_others(desk: Desk) -> None:
    match = await desk.match("marks", ANN, BEA)
    assert (
        await desk.umpire.act(desk.act(), match, ANN, partial(claims.abort, manager=True, now=desk.now))
    ).after.row.state == "live"


async def test_a_manager_calls_off_alone(desk: Desk) -> None:
    match = await desk.match("marks", ANN, BEA)
    with pytest.raises(NotYours, match="Only its players can call it off, all of them together."):
        await desk.umpire.act(desk.act(), match, CEM, partial(claims.abort, now=desk.now))
    assert (
        await desk.umpire.act(desk.act(), match, CEM, partial(claims.abort, manager=True, now=desk.now))
    ).after.row.state == "aborted"
    with pytest.raises(NotPossibleNow, match="This match was called off."):
        await desk.umpire.act(desk.act(), match, CEM, partial(claims.abort, manager=True, now=desk.now))


async def test_a_match_alone(desk: Desk) -> None:
    loaded = await desk.challenge("sums-grid", ANN, seats=1, options={"size": 2})
    assert (loaded.row.state, loaded.row.rated, loaded.turn) == ("live", False, (1,))
    with pytest.raises(NotPossibleNow, match="That match isn't finished yet. You can publish it when it is."):
        await desk.umpire.act(desk.act(), loaded.id, ANN, acts.publish)
    await desk.move(loaded.id, ANN, "grid 1 2 / 3 4")
    await desk.move(loaded.id, ANN, "done")
    with pytest.raises(NotYours, match="Only the person who played that match can publish it."):
        await desk.umpire.act(desk.act(), loaded.id, BEA, acts.publish)
    after = (await desk.umpire.act(desk.act(), loaded.id, ANN, acts.publish)).after
    assert (after.row.published, after.row.state) == (True, "finished")
    assert await desk.store.ask(Reader.leaderboard, GuildId(10)) == ()


async def test_a_rematch_passes_the_seats_on(desk: Desk) -> None:
    umpire, match = desk.umpire, await desk.match("marks", ANN, BEA, options={"squares": 4})
    await umpire.act(desk.act(), match, ANN, acts.resign)
    with pytest.raises(NotYours, match="Only the players of this match can ask for a rematch."):
        await umpire.rematch(desk.act(), match, CEM)
    asked = await umpire.rematch(desk.act(), match, ANN)
    assert (asked.row.state, asked.row.host, asked.row.options) == ("open", ANN, {"squares": 4})
    with pytest.raises(NotYours, match="You already sit at this table"):
        await umpire.rematch(desk.act(), match, ANN)
    again = await umpire.rematch(desk.act(), match, BEA)
    assert again.id == asked.id
    assert (again.row.state, [player.user for player in again.players]) == ("live", [BEA, ANN])
    with pytest.raises(NotPossibleNow, match=f"The rematch is already there, match {again.id}: https://"):
        await umpire.rematch(desk.act(), match, BEA)


async def test_a_rematch_that_was_declined_can_be_asked_for_again(desk: Desk) -> None:
    umpire, match = desk.umpire, await desk.match("marks", ANN, BEA)
    await umpire.act(desk.act(), match, ANN, acts.resign)
    first = await umpire.rematch(desk.act(), match, ANN)
    await umpire.act(desk.act(), first.id, BEA, acts.decline)
    second = await umpire.rematch(desk.act(), match, BEA)
    assert (second.id, second.row.state, second.row.host) == (first.id + 1, "open", BEA)


@on_both
async def test_both_ask_for_a_rematch_at_the_same_moment(desk: Desk) -> None:
    umpire, match = desk.umpire, await desk.match("marks", ANN, BEA)
    await umpire.act(desk.act(), match, ANN, acts.resign)
    tables = await asyncio.gather(*(umpire.rematch(desk.act(), match, user) for user in (ANN, BEA)))
    assert len({loaded.id for loaded in tables}) == 1
    assert (await umpire.load(tables[0].id)).row.state == "live"


@on_both
async def test_somebody_is_forgotten_wherever_they_are(desk: Desk) -> None:
    """Also where a challenge's time is over and a match ends at that moment."""
    umpire = desk.umpire
    old = await desk.challenge("marks", ANN, BEA)
    desk.now += OPEN_FOR
    opened, invited = await desk.challenge("marks", ANN), await desk.challenge("marks", BEA, ANN)
    live = await desk.match("marks", BEA, ANN)
    await umpire.forget_user(desk.act(), ANN)
    states = [(await umpire.load(loaded.id)).row.state for loaded in (opened, invited)]
    assert states == ["cancelled", "declined"]
    row = (await umpire.load(live)).row
    assert (row.state, row.find_player(BEA) and row.find_player(BEA).rank) == ("finished", 1)  # pyright: ignore[reportOptionalMemberAccess]  -- just looked
    for match in (old.id, opened.id, invited.id, live):
        assert not (await umpire.load(match)).has(ANN)


# Whatever the program lives through.


async def test_matches_of_a_game_that_was_corrected_are_closed(desk: Desk) -> None:
    match, other = await desk.match("marks", ANN, BEA), await desk.match("envelopes", ANN, BEA)
    later = Umpire(desk.store, {**GAMES, "marks": replace(MARKS, version=2)}, lambda: desk.now, random.Random(1))
    sweeper = Sweeper(desk.store, later.games, later.clock)
    assert await sweeper.close_outdated() == [match]
    row = (await later.load(match)).row
    assert (row.state, row.rated) == ("aborted", False)
    assert (
        row.close_reason
        == "This match was closed, unrated: the rules of Marks were corrected while it was being played."
    )
    assert (await later.load(other)).row.state == "live"
    assert await sweeper.close_outdated() == []
    gone = Umpire(desk.store, {"marks": MARKS}, lambda: desk.now, random.Random(1))
    assert await Sweeper(desk.store, gone.games, gone.clock).close_outdated() == [other]
    with pytest.raises(UnknownMatch, match=f"Match {other} is of a game that is not here any more: envelopes."):
        await gone.load(other)


async def test_many_matches_that_cannot_go_on_are_closed_some_at_a_time(desk: Desk) -> None:
    matches = [await desk.match("marks", ANN, BEA) for _ in range(CLOSED_AT_ONCE + 2)]
    gone = Sweeper(desk.store, {}, lambda: desk.now)
    assert [await gone.close_outdated() for _ in range(3)] == [matches[:-2], matches[-2:], []]


async def test_nobody_plays_on_by_rules_that_were_corrected(desk: Desk) -> None:
    """Neither in the moments before such a match is closed, nor where the challenge is older than the correction."""
    match, waiting = await desk.match("marks", ANN, BEA), await desk.challenge("marks", ANN, BEA)
    later = Umpire(desk.store, {**GAMES, "marks": replace(MARKS, version=2)}, lambda: desk.now, random.Random(1))
    with pytest.raises(
        NotPossibleNow, match="This match was closed, unrated: the rules of Marks were corrected while it was"
    ):
        await later.move(desk.act(), match, ANN, "1")
    begun = (await later.act(desk.act(), waiting.id, BEA, acts.accept)).after
    assert await Sweeper(desk.store, later.games, later.clock).close_outdated() == [match]
    assert (await later.move(desk.act(), begun.id, ANN, "1")).after.row.state == "live"
    await later.act(desk.act(), begun.id, ANN, acts.resign)  # to the corrected game nobody here plays on


def snowflake(seconds: int) -> InteractionId:
    """The number of an interaction so many seconds after some moment, by Discord's clock."""
    return InteractionId(10**18 + (seconds * 1000 << 22))


@pytest.mark.parametrize("ahead", [2 * 86400, -86400])
async def test_a_repeated_challenge_is_known_whatever_the_clock_did_meanwhile(desk: Desk, ahead: int) -> None:
    challenge = ChallengeTerms(GuildId(10), ChannelId(20), ANN, MARKS)
    first = await desk.umpire.challenge(snowflake(0), challenge)
    await desk.sweeper.drop_old_rows()
    desk.now += ahead
    await desk.sweeper.drop_old_rows()
    assert (await desk.umpire.challenge(snowflake(0), challenge)).id == first.id
    desk.now -= ahead
    await desk.sweeper.drop_old_rows()
    assert (await desk.umpire.challenge(snowflake(0), challenge)).id == first.id


async def test_old_deliveries_are_dropped_once_an_hour(desk: Desk) -> None:
    challenge = ChallengeTerms(GuildId(10), ChannelId(20), ANN, MARKS)
    old = await desk.umpire.challenge(snowflake(0), challenge)
    desk.now += DELIVERIES_FOR
    await desk.sweeper.drop_old_rows()
    desk.now += 1
    await desk.umpire.challenge(snowflake(DELIVERIES_FOR + 1), challenge)
    desk.now += DELIVERIES_FOR - 1
    await desk.sweeper.drop_old_rows()
    with snapshot(desk.store) as reader:
        assert reader.find_match_acted_on(snowflake(0)) == old.id, "tidied less than an hour ago"
    desk.now += 1
    await desk.sweeper.drop_old_rows()
    with snapshot(desk.store) as reader:
        assert reader.find_match_acted_on(snowflake(0)) is None
        assert reader.find_match_acted_on(snowflake(DELIVERIES_FOR + 1)) is not None


async def test_the_fold_is_never_trusted_over_the_store(desk: Desk) -> None:
    """Another process has gone on with the match, or its record was put right by hand."""
    match = await desk.match("marks", ANN, BEA)
    await desk.move(match, ANN, "4")
    other = Umpire(desk.store, GAMES, lambda: desk.now, random.Random(1))
    await other.move(desk.act(), match, BEA, "3")
    loaded = await desk.umpire.load(match)
    assert [entry.text for entry in loaded.begun_match.record] == ["4", "3"]
    assert loaded.turn == (1,)
    forked = loaded.begun_match.start(MARKS, loaded.row.options, 2).play(1, "6")
    desk.umpire.folds._remembered[match] = FoldedMatch(forked)  # pyright: ignore[reportPrivateUsage]  -- what must not be trusted
    assert [entry.text for entry in (await desk.umpire.load(match)).begun_match.record] == ["4", "3"]


# What a board shows.


async def test_a_board_knows_whether_each_of_its_players_has_finished_a_match_of_the_game(desk: Desk) -> None:
    async def practised(match: MatchId) -> bool:
        return (await desk.umpire.load_to_show(match)).practised

    first, other = await desk.match("marks", ANN, BEA), await desk.match("envelopes", ANN, BEA)
    with_cem = await desk.match("marks", ANN, CEM)
    await desk.move(first, ANN, "1")
    await desk.umpire.act(desk.act(), first, ANN, acts.resign)
    again = await desk.match("marks", ANN, BEA)
    assert await practised(again), "both have finished one, whatever its end"
    assert not await practised(with_cem), "Cem is new to it"
    assert not await practised(other), "it is another game"
    alone = await desk.challenge("binary-primes", ANN, level=1)
    assert not await practised(alone.id)
