"""Leagues over a real store, without Discord: two processes, people who leave, and the end; on both databases."""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from collections.abc import AsyncGenerator
from fractions import Fraction
from itertools import count

import pytest
from sqlalchemy import text

from bot.features.leagues.service import WEEK, LeagueService, LeagueTerms
from bot.games.catalogue import load_games
from bot.play import acts, league_tables
from bot.play.ids import ChannelId, GuildId, InteractionId, LeagueId, MatchId, UserId
from bot.play.league_tables import DivisionTable, LoadedLeague
from bot.play.loaded_match import Refusal
from bot.umpire.acts import close_match
from bot.umpire.umpire import Umpire
from data.store import Reader, Store, Transaction
from data.upkeep.integrity import check_database
from tests.support.postgres import on_both

GUILD = GuildId(10)
TEN = tuple(UserId(100 + number) for number in range(1, 11))
HOST, AWAY, LEAVER = TEN[0], TEN[3], TEN[6]


class Season:
    """A server with a league, served by two processes."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.now = 1_000_000
        self.acts = count(1)
        self.umpire = Umpire(store, load_games(), lambda: self.now, random.Random(1))
        self.processes = [LeagueService(store, load_games(), lambda: self.now, random.Random(seed)) for seed in (1, 2)]
        self.leagues = self.processes[0]
        self.league = LeagueId(0)

    def act(self) -> InteractionId:
        return InteractionId(next(self.acts))

    async def opened(self, people: tuple[UserId, ...] = TEN, game: str | None = "binary-primes") -> LoadedLeague:
        """A league that these people have joined."""
        asked = LeagueTerms(GUILD, ChannelId(20), people[0], load_games()[game] if game else None, "2", 4, 7)
        self.league = (await self.leagues.found(self.act(), asked)).league.id
        for user in people[1:]:
            await self.leagues.join(self.league, GUILD, user)
        return await self.loaded()

    async def begun(self, people: tuple[UserId, ...] = TEN, game: str | None = "binary-primes") -> LoadedLeague:
        """The same, started, with all that both processes begin at once."""
        await self.opened(people, game)
        await self.leagues.start(self.league, GUILD, people[0], manager=False)
        await self.look()
        return await self.loaded()

    async def loaded(self) -> LoadedLeague:
        return await self.leagues.load(self.league, GUILD)

    async def look(self) -> None:
        """Both processes look at the same time what is due."""

        async def looked(leagues: LeagueService) -> None:
            for league, guild in await leagues.find_due_leagues():
                while await leagues.advance(league, guild):
                    pass

        await asyncio.gather(*map(looked, self.processes))

    async def lost(self, match: MatchId, user: UserId) -> None:
        """Somebody gives a match up."""
        self.now += 60
        await self.umpire.act(self.act(), match, user, acts.resign)

    async def table(self) -> DivisionTable:
        (table,) = self.leagues.build_tables(await self.loaded())
        return table


@pytest.fixture
async def season(address: str) -> AsyncGenerator[Season]:
    store = Store(address)
    yield Season(store)
    await store.close()
    report = await check_database(address, load_games())
    assert report.sound, report.lines


RECORDS = text("""
    SELECT pairings.home, pairings.guest, moves.seat FROM moves JOIN pairings ON pairings.match = moves.match
    JOIN matches ON matches.id = moves.match
    WHERE moves.text = 'resign' AND matches.state = 'finished' AND matches.ended < :ends
""")


def counted(reader: Reader, ends: int, struck: set[int]) -> dict[int, tuple[Fraction, Fraction]]:
    """Points, and Sonneborn and Berger's number, from the records alone: who resigned has lost."""
    rows = reader._connection.execute(RECORDS, {"ends": ends}).all()  # pyright: ignore[reportPrivateUsage]
    beaten = [(guest, home) if loser == 1 else (home, guest) for home, guest, loser in rows]
    beaten = [(winner, loser) for winner, loser in beaten if not {winner, loser} & struck]
    points = Counter(winner for winner, _ in beaten)
    return {
        user: (Fraction(points[user]), Fraction(sum(points[loser] for winner, loser in beaten if winner == user)))
        for user in {*TEN} - struck
    }


@on_both
async def test_a_league_of_ten_with_somebody_away_somebody_leaving_and_unplayed_matches(season: Season) -> None:
    loaded = await season.begun()
    assert [one.place for one in loaded.members] == [*range(1, 11)] and len(loaded.pairings) == 45
    seen, played, rng = set[MatchId](), Counter[UserId](), random.Random(3)
    while True:
        loaded = await season.loaded()
        live = [one for one in loaded.pairings if one.state == "live" and one.match]
        busy = Counter(user for one in live for user in (one.home, one.guest))
        assert max(busy.values()) <= league_tables.AT_ONCE and len({one.match for one in live}) == len(live)
        seen |= {one.match for one in live if one.match}
        going = [one for one in live if not one.has(AWAY)]
        if not going:
            break
        one = rng.choice(going)
        played.update((one.home, one.guest))
        await season.lost(one.match or MatchId(0), rng.choice((one.home, one.guest)))
        if played[LEAVER] == 2:
            await season.leagues.leave(season.league, GUILD, LEAVER)
            played[LEAVER] += 100
        await season.look()
    assert len(seen) < 45, "who waits for the one who is away waits for three"
    season.now = (loaded.league.ends or 0) + 5
    await season.look()
    loaded, table = await season.loaded(), await season.table()
    assert loaded.league.state == "finished" and table.struck == (LEAVER,)
    by_hand = await season.store.ask(counted, season.now, {LEAVER})
    assert {line.user: (Fraction(line.halves, 2), Fraction(line.berger, 4)) for line in table.lines} == by_hand
    void = [one for one in loaded.pairings if one.void]
    assert {*void} == {one for one in loaded.pairings if one.state in (None, "live")} and void
    # What is over later changes nothing, also in the very second in which the league ended.
    late = next(one for one in void if one.state == "live" and one.match)
    season.now -= 60
    await season.lost(late.match or MatchId(0), AWAY)
    await season.look()
    assert await season.table() == table and (await season.loaded()).league == loaded.league


@on_both
async def test_what_is_pressed_at_the_same_time_happens_once(season: Season) -> None:
    await season.opened(TEN[:4])
    joins = [season.leagues.join(season.league, GUILD, user) for user in (*TEN[3:9], *TEN[3:9])]
    starts = [one.start(season.league, GUILD, HOST, manager=False) for one in season.processes]
    await asyncio.gather(*joins, *starts, return_exceptions=True)
    await asyncio.gather(season.look(), season.look())
    loaded = await season.loaded()
    people = len(loaded.members)
    assert [one.joined for one in loaded.members] == [*range(1, people + 1)]
    assert len(loaded.pairings) == people * (people - 1) // 2
    assert sum((await season.store.ask(Reader.count_by_state)).values()) == sum(
        one.match is not None for one in loaded.pairings
    )
    season.now = loaded.league.ends or 0
    await asyncio.gather(season.look(), season.look())
    follows = [
        one.join_next_season(season.act(), season.league, GUILD, user) for user in TEN[:4] for one in season.processes
    ]
    found = {one.league.id for one in await asyncio.gather(*follows)}
    assert len(found) == 1
    following = await season.leagues.load(found.pop(), GUILD)
    assert len(following.members) == 4 and following.league.season == 2


@on_both
async def test_a_founding_that_is_delivered_twice_founds_one_league(season: Season) -> None:
    asked = LeagueTerms(GUILD, ChannelId(20), HOST, None, "2", 4, 7)
    act = season.act()
    await asyncio.gather(*(one.found(act, asked) for one in season.processes))
    assert len(await season.store.ask(Reader.list_leagues, GUILD, ("open",))) == 1
    for _ in range(3):
        await season.leagues.found(season.act(), asked)
    with pytest.raises(Refusal, match="This server already has 4 leagues"):
        await season.leagues.found(season.act(), asked)


@on_both
async def test_a_person_opens_five_leagues_an_hour_and_a_server_ten(season: Season) -> None:
    async def opens(host: UserId) -> LeagueId:
        asked = LeagueTerms(GUILD, ChannelId(20), host, load_games()["binary-primes"], "2", 4, 7)
        made = await season.leagues.found(season.act(), asked)
        return (await season.leagues.cancel(made.league.id, GUILD, host, manager=False)).league.id

    last = await opens(TEN[0])
    for _ in range(4):
        season.now += 60
        last = await opens(TEN[0])
    season.now += 60
    with pytest.raises(Refusal) as refused:
        await opens(TEN[0])
    assert str(refused.value) == (
        f"You have opened 5 leagues here in the last hour, which is the limit. Open another <t:{1_000_000 + 3600}:R>."
    )
    again = await season.leagues.found(InteractionId(last), LeagueTerms(GUILD, ChannelId(20), TEN[0], None, "2", 4, 7))
    assert again.league.id == last, "what is delivered twice is refused no more than once"
    for _ in range(5):
        await opens(TEN[1])
    with pytest.raises(Refusal) as full:
        await opens(TEN[5])
    assert str(full.value) == (
        f"10 leagues were opened here in the last hour, which is the limit. Open another <t:{1_000_000 + 3600}:R>."
    )
    season.now += 3600
    await opens(TEN[0])


async def test_the_next_season_counts_as_a_league_that_somebody_opens(season: Season) -> None:
    ended = await season.begun(TEN[:4])
    season.now += 4 * WEEK
    await season.look()
    for _ in range(5):
        made = await season.leagues.found(
            season.act(), LeagueTerms(GUILD, ChannelId(20), TEN[0], load_games()["binary-primes"], "2", 4, 7)
        )
        await season.leagues.cancel(made.league.id, GUILD, TEN[0], manager=False)
    with pytest.raises(Refusal, match="You have opened 5 leagues here"):
        await season.leagues.join_next_season(season.act(), ended.league.id, GUILD, TEN[0])
    await season.leagues.join_next_season(season.act(), ended.league.id, GUILD, TEN[1])
    joined = await season.leagues.join_next_season(season.act(), ended.league.id, GUILD, TEN[0])
    assert [one.user for one in joined.members] == [TEN[1], TEN[0]], "to join one that is open is no matter of caps"


async def test_matches_that_are_called_off_make_room_and_count_for_nobody(season: Season) -> None:
    loaded = await season.begun(TEN[:6])
    live = [one for one in loaded.pairings if one.state == "live" and one.match]
    assert len(live) == 9
    rows = [await season.store.ask(Reader.load_row, one.match or 0) for one in live]
    ends = [season.store.do(close_match, row, "aborted", "Closed.", season.now) for row in rows if row]
    await asyncio.gather(*ends, season.look())
    await season.look()
    loaded = await season.loaded()
    assert Counter(one.state for one in loaded.pairings) == {"aborted": 9, "live": 6}
    assert all(line.match_count == 0 for line in (await season.table()).lines)


@on_both
async def test_a_league_ends_when_all_is_played(season: Season) -> None:
    loaded = await season.begun(TEN[:4], game=None)
    assert len({one.game for one in loaded.pairings}) == 3, "each round has another game"
    assert all(load_games()[one.game].lopsided == (one.legs == 2) for one in loaded.pairings)
    for one in loaded.pairings:
        await season.lost(one.match or MatchId(0), one.guest)
    await season.look()
    loaded = await season.loaded()
    assert loaded.league.state == "finished" and season.now < (loaded.league.ends or 0) - WEEK


@on_both
async def test_who_is_forgotten_is_in_no_league_and_results_stay(season: Season) -> None:
    loaded = await season.begun(TEN[:4])
    for one in loaded.pairings:
        if one.has(TEN[1]):
            await season.lost(one.match or MatchId(0), TEN[1])
    await season.look()
    before = {line.user: line.halves for line in (await season.table()).lines}
    kept = (await season.store.ask(Reader.export_person, TEN[1]))["leagues"]
    assert [(one["id"], one["state"], one["joined"]) for one in kept] == [(season.league, "live", 2)]
    for user in (TEN[1], HOST):
        await season.leagues.leave_all(user)
        await season.umpire.forget_user(season.act(), user)
    assert (await season.store.ask(Reader.export_person, HOST))["leagues"] == []
    loaded = await season.loaded()
    users = {one.user for one in loaded.members}
    assert users == {-1, -2, *TEN[2:4]} and loaded.league.host == -2
    assert {one.home for one in loaded.pairings} | {one.guest for one in loaded.pairings} == users
    after = {line.user: line.halves for line in (await season.table()).lines}
    assert after[TEN[2]] >= before[TEN[2]] and after[UserId(-1)] == 0
    await season.opened(TEN[4:8])
    for user in TEN[4:6]:
        await season.leagues.leave_all(user)
        await season.store.do(Transaction.forget_person, user)
    loaded = await season.loaded()
    assert [one.user for one in loaded.members] == [*TEN[6:8]]


@on_both
async def test_check_finds_what_does_not_fit(season: Season, address: str) -> None:
    loaded = await season.begun(TEN[:4])
    spoiled = (
        (f"UPDATE pairings SET match = {loaded.pairings[0].match} WHERE number = 2", "it counts twice in leagues"),
        ("UPDATE pairings SET game = 'plexus' WHERE number = 3", "the match of pairing 3 is another one"),
        ("UPDATE pairings SET home = 77 WHERE number = 4", "pairing 4 can't be one of division 1"),
        ("UPDATE leagues SET state = 'odd'", "there is no such state: 'odd'"),
    )
    undo = (
        f"UPDATE pairings SET match = {loaded.pairings[1].match} WHERE number = 2",
        f"UPDATE pairings SET game = '{loaded.pairings[2].game}' WHERE number = 3",
        f"UPDATE pairings SET home = {loaded.pairings[3].home} WHERE number = 4",
        "UPDATE leagues SET state = 'live'",
    )

    for (statement, line), back in zip(spoiled, undo, strict=True):
        await season.store.do(executed, statement)
        report = await check_database(address, load_games())
        assert any(line in told for told in report.lines), (line, report.lines)
        await season.store.do(executed, back)


def executed(tx: Transaction, statement: str) -> None:
    tx._connection.execute(text(statement))  # pyright: ignore[reportPrivateUsage]
