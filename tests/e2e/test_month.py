"""A month of a server with twenty people, two leagues, the daily puzzle and the week, while something goes wrong each
day: nothing is posted twice or missed, and the channels stay quiet. `make month` prints how quiet."""

from __future__ import annotations

import asyncio
from collections import Counter
from random import Random

import pytest

from bot.features.leagues.service import WEEK
from bot.games.position import Position
from bot.play.ids import ChannelId, UserId
from bot.play.league_tables import LoadedLeague
from bot.play.record import Move
from bot.play.rows import ServerSettings
from data.store import Reader, Transaction
from tests.e2e.harness import Harness, labels, said
from tests.e2e.test_daily import MORNING, TODAY, puzzle, wrong
from tests.e2e.test_daily_channel import DAY, HOUR, befall, days, expected, guild
from tests.e2e.test_leagues import looked

GAMES = ("another-binary-primes", "palindromes-antipalindromes")
TROUBLES = ("none", "none", "claimed", "posted", "applied", "fails", "hangs", "back", "two")
AWAY, LEAVER = 5, 7
"""Of each league one never moves, and one leaves in the second week."""
FIRST = next(day for day in range(TODAY, TODAY + 7) if day % 7 == 1)
"""A Monday."""


@pytest.fixture
def described() -> bool:
    """Other stories compare requests with Discord's description; here there are very many."""
    return False


class Month:
    """The server and its people; each of ten is in one of the leagues."""

    def __init__(self, harness: Harness, rng: Random) -> None:
        self.harness, self.rng = harness, rng
        for number in range(5, 21):
            harness.sandbox.world.find_or_make_user(f"Person {number}")
            harness.faults.join(f"Person {number}")
        names = ("Ann", "Bea", "Cem", "Dora", *(f"Person {number}" for number in range(5, 21)))
        self.people = [harness.sandbox.person(name) for name in names]
        self.ended = Counter[str]()

    def place(self, name: str) -> ChannelId:
        """A channel by its name."""
        return ChannelId(int(self.harness.sandbox.channel(name)["id"]))

    async def at(self, moment: int) -> None:
        """Time passes until a moment while the bot is there."""
        self.harness.clock.put(moment)
        await self.harness.run_due_acts(0)

    async def founded(self) -> None:
        """Two leagues are opened by command; their channel is the one that the server has chosen."""
        for at, key in enumerate(GAMES):
            host, *others = self.people[at::2]
            reply = await host.command("league create", channel="general", game=key)
            assert reply.text.endswith(f"People can join it in <#{self.place('games')}>."), reply.text
            await looked(self.harness)
            row = (await self.harness.store.ask(Reader.list_leagues, guild(self.harness), ("open",)))[0]
            shown = self.harness.sandbox.world.message(str(row.channel), str(row.message))
            for person in others:
                await person.press(shown, "Join")
            await host.press(shown, "Start now")
            await looked(self.harness)

    async def leagues(self) -> list[LoadedLeague]:
        """Both leagues, the first first."""
        rows = await self.harness.store.ask(Reader.list_leagues, guild(self.harness), ("live", "finished"))
        found = [await self.harness.store.ask(Reader.load_league, row.id) for row in rows[::-1]]
        return [one for one in found if one]

    async def played(self) -> None:
        """People who are not away move in their leagues."""
        harness = self.harness
        absent = {int(person.id) for person in (self.people[AWAY], self.people[AWAY + 1])}
        for loaded in await self.leagues():
            for pair in loaded.pairings:
                if pair.state != "live" or not pair.match:
                    continue
                for _ in range(self.rng.randrange(1, 4)):
                    row = await harness.row(pair.match)
                    mover = row.user_at(row.turn[0]) if row.turn else None
                    if not mover or mover in absent:
                        break
                    move = self.rng.choice([*(await position(harness, pair.match)).moves(row.turn[0])])
                    channel = harness.sandbox.channel(str(row.thread))
                    await harness.person(mover).command("move", channel=channel, line=move)
                    await harness.settled()
                    await asyncio.sleep(2)
        await looked(harness)

    async def tried(self, day: int) -> None:
        """Half of the people try the puzzle, each move twice at the same time."""
        store = self.harness.store
        for person in self.rng.sample(self.people, 10):
            moves = [puzzle(day).best, *(wrong(puzzle(day), at) for at in range(3))]
            self.rng.shuffle(moves)
            user = UserId(int(person.id))
            await asyncio.gather(*(store.do(expected, guild(self.harness), user, day, one) for one in moves * 2))

    async def lived(self, number: int) -> None:
        """A day: something goes wrong when the puzzle is due, people try it and move, some leave."""
        harness, day = self.harness, FIRST + number
        morning = MORNING + (day - TODAY) * DAY
        await self.at(morning)
        await befall(harness, self.rng.choice(TROUBLES), day)
        harness.faults.forget_nonces()
        await self.at(morning + 3 * 60)
        await self.looks()
        await self.tried(day)
        await self.played()
        if number == 9:
            for at in (LEAVER, LEAVER + 1):
                await harness.surely(self.people[at], "league leave", channel="games")
        if self.rng.random() < 0.2:
            await harness.restart()
        await self.at(morning + 11 * HOUR)
        await harness.life.client.keep_time()
        await self.looks()

    async def looks(self) -> None:
        """The bot looks at all that is due."""
        await asyncio.sleep(31)
        await self.harness.life.client.post_puzzle_and_week()
        await looked(self.harness)


async def position(harness: Harness, match: int) -> Position:
    """Where a match stands, by its record."""
    loaded = await harness.life.client.umpire.fold_row(await harness.row(match))
    assert loaded.match
    return loaded.match.position


async def counted(harness: Harness, loaded: LoadedLeague) -> dict[int, tuple[int, int]]:
    """Points in halves, and Sonneborn and Berger's number in quarters, from the records of matches alone."""
    gone, got = {one.user for one in loaded.members if one.struck}, list[tuple[int, int, int]]()
    for pair in loaded.pairings:
        row = await harness.row(pair.match) if pair.match else None
        if row is None or row.state != "finished" or pair.void or {pair.home, pair.guest} & gone:
            continue
        left = [entry.seat for entry in row.record if not isinstance(entry, Move)]
        first, second = (await position(harness, row.id)).scores()
        home = (2 if left[0] == 2 else 0) if left else 1 + (first > second) - (first < second)
        got += [(pair.home, pair.guest, home), (pair.guest, pair.home, 2 - home)]
    points = Counter[int]()
    for user, _, gain in got:
        points[user] += gain
    return {
        one.user: (points[one.user], sum(gain * points[rival] for user, rival, gain in got if user == one.user))
        for one in loaded.members
        if one.user not in gone
    }


def noise(harness: Harness, weeks: int) -> list[str]:
    """What was posted a week in each channel, what of it stands, and how many people were notified."""
    world, posted, pinged = harness.sandbox.world, Counter[str](), Counter[str]()
    for entry in harness.sandbox.request_log:
        if entry.method == "POST" and entry.route.endswith("/messages") and entry.status == 200:
            posted[named(harness, entry.path.split("/")[-2])] += 1
    for one in world.notified:
        pinged[named(harness, one["channel"])] += 1
    stands = Counter[str]()
    for channel, messages in world.messages.items():
        stands[named(harness, channel)] += sum(one["ephemeral_for"] is None for one in messages.values())
    return [
        f"{name:<16} {posted[name] / weeks:7.1f} {stands[name] / weeks:7.1f} {pinged[name] / weeks:7.1f}"
        for name in sorted(posted)
    ]


def named(harness: Harness, channel: str) -> str:
    """A channel by its name; threads and direct messages each together."""
    found = harness.sandbox.world.channels.get(channel)
    return "direct messages" if found is None else "threads" if found["type"] == 11 else f"#{found['name']}"


@pytest.mark.long
@pytest.mark.timeout(900)
async def test_a_month_is_quiet_and_nothing_comes_twice(harness: Harness) -> None:
    harness.forgiven += ["Two processes serve the same servers", "503", "PATCH .* responded with 429"]
    rng, length = Random(24), 28
    month = Month(harness, rng)
    await month.at(MORNING + (FIRST - TODAY) * DAY - 60)
    harness.sandbox.world.clock = harness.clock
    general, place = month.place("general"), month.place("games")
    chosen = ServerSettings(daily=general, week=general, league=place)
    await harness.store.do(Transaction.set_settings, guild(harness), chosen)
    await month.founded()
    for number in range(length):
        await month.lived(number)
    for moment in (MORNING + (FIRST + length - TODAY) * DAY + 60, harness.clock() + WEEK):
        await month.at(moment)
        await harness.life.client.keep_time()
        await month.looks()
    # The puzzle of each day is there once, so is each week, and no try is a first one twice.
    assert days(harness)[:length] == [*range(FIRST, FIRST + length)]
    weeks = [said(one).splitlines()[0] for one in harness.ann.read_messages("general") if "### The week" in said(one)]
    assert len(weeks) == len({*weeks}) == length // 7
    for person in month.people:
        kept = await harness.store.ask(Reader.puzzle_tries, UserId(int(person.id)))
        assert len({(one.day, one.number) for one in kept}) == len(kept)
    # The tables are what the records alone say, and the channels have pinged nobody.
    for loaded in await month.leagues():
        assert loaded.league.state == "finished" and any(one.void for one in loaded.pairings)
        (table,) = harness.life.client.handlers.league_keeper.leagues.build_tables(loaded)
        assert {line.user: (line.halves, line.berger) for line in table.lines} == await counted(harness, loaded)
    assert not [one for one in harness.sandbox.world.notified if int(one["channel"]) in (general, place)]
    shown = [one for one in harness.ann.read_messages("games") if one["ephemeral_for"] is None]
    news = [one for one in shown if "Replay" in labels(one)]
    rows = [await harness.row(pair.match) for one in await month.leagues() for pair in one.pairings if pair.match]
    over = [row for row in rows if row.state == "finished"]
    assert len(news) == len(over) > 0 and sorted(int(one["id"]) for one in news) == sorted(
        row.announcement or 0 for row in over
    ), "each result is told once"
    assert len(shown) - len(news) == 4, "each league has its table and its end"
    print("\na week in          messages  stand   pings", *noise(harness, length // 7), sep="\n")
