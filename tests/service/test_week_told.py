"""The post of the week beside a referee who reads the records alone: towns in which people come, go and forget, play
alone, in one leg and in two, give up, run out of time, agree, hand seats on, and have leagues, of one division and of
two."""

from __future__ import annotations

import random
import re
from collections import defaultdict
from collections.abc import AsyncGenerator
from contextlib import suppress
from datetime import date, datetime
from functools import partial
from itertools import count, islice
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from bot.features.leagues.service import LeagueService, LeagueTerms
from bot.features.ranking import loop as ranking_loop
from bot.features.ranking import words as ranking_words
from bot.features.ranking.words import convert_to_points
from bot.games.catalogue import load_games
from bot.games.legs import get_single_game
from bot.games.position import Illegal
from bot.play import acts, league_tables, proposals
from bot.play.challenges import ChallengeTerms
from bot.play.ids import ChannelId, GuildId, InteractionId, MatchId, UserId
from bot.play.loaded_match import LoadedMatch, Refusal
from bot.play.puzzles import PuzzleTry
from bot.play.rows import ServerSettings
from bot.umpire import clocks
from bot.umpire.acts import ConsentService, DeadlineService
from bot.umpire.umpire import Umpire
from data.store import Reader, Store, Transaction
from data.upkeep.integrity import check_database
from tests.service import week_referee
from tests.service.week_referee import Told
from tests.support.sampled import sampled

GUILD, SEEN, HIDDEN = GuildId(10), (ChannelId(20), ChannelId(21)), ChannelId(30)
FIRST = date(2026, 2, 2).toordinal()
"""A Monday; in the weeks after it clocks change."""
WEEKS, DAY = 4, 86_400
ZONES = ("UTC", "America/New_York", "Asia/Kolkata", "Europe/Berlin")
BOARDS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("dream-math", {"size": 3}), ("dream-math", {"size": 3}), ("palindromic-rows-columns", {"size": 4}),
    ("combining-dividing", {"length": 4, "largest": 10, "limit": 10}),
)  # fmt: skip


LEAGUES = ("dream-math", "palindromic-rows-columns")
CROWDED = 6
"""Every so manieth town has so many people that its leagues have divisions."""


class Town:
    """A server whose people one seed decides."""

    def __init__(self, store: Store, seed: int) -> None:
        self.store, self.rng = store, random.Random(seed)
        self.crowded = seed % CROWDED == 0
        self.zone = self.rng.choice(ZONES)
        self.now = self.compute_moment(FIRST) - 20 * DAY
        self.acts, self.numbers = count(1), count(1001)
        clock = lambda: self.now  # noqa: E731
        self.umpire = Umpire(store, load_games(), clock, self.rng)
        self.leagues = LeagueService(store, load_games(), clock, self.rng)
        self.consent, self.deadlines = ConsentService(self.umpire), DeadlineService(self.umpire)
        self.people = [self.newcomer() for _ in range(13 if self.crowded else 4)]
        self.gone = set[UserId]()
        self.live = list[MatchId]()

    def compute_moment(self, day: int) -> int:
        """When a day begins there."""
        return int(datetime.fromordinal(day).replace(tzinfo=ZoneInfo(self.zone)).timestamp())

    def newcomer(self) -> UserId:
        return UserId(next(self.numbers))

    def act(self) -> InteractionId:
        return InteractionId(next(self.acts))

    async def lives(self, monday: int) -> None:
        """The week before a Monday, and the first hours of that day, in which something happens too."""
        settings = ServerSettings(zone=self.zone, most_from_one=1000, most_from_all=1000, most_open=1000)
        await self.store.do(Transaction.set_settings, GUILD, settings)
        for day in (*range(monday - 7, monday), monday):
            self.now = max(self.now, self.compute_moment(day))
            await self.come_and_go()
            for _ in range(self.rng.randrange(1 if day == monday else 5)):
                await self.meet()
            if day < monday:
                await self.solve(day)
            for match in [one for one in self.live if self.rng.random() < 0.8]:
                await self.play(match)
            await self.leagues_go_on()
            await self.time_passes()

    async def time_passes(self) -> None:
        """All boards have been shown, and whoever let their time run out loses."""
        for match in self.live:
            if (row := await self.store.ask(Reader.load_row, match)) and row.state == "live":
                await self.store.do(clocks.record_shown, match, row.version, self.now, 20, self.act(), row.plies)
        async for _ in self.deadlines.run_due_acts():
            pass

    async def come_and_go(self) -> None:
        rng = self.rng
        if len(self.people) < (16 if self.crowded else 8) and rng.random() < 0.3:
            self.people.append(self.newcomer())
        if len(self.people) > (12 if self.crowded else 4) and rng.random() < 0.08:
            self.gone.add(self.people.pop(rng.randrange(len(self.people))))
        if self.gone and rng.random() < 0.1:
            self.people.append(back := min(self.gone))
            self.gone.discard(back)
        if len(self.people) > 5 and rng.random() < 0.04:
            await self.umpire.forget_user(self.act(), self.people.pop())
        if rng.random() < 0.12:
            await self.found()

    async def meet(self) -> None:
        """A match begins."""
        rng, (game, options) = self.rng, self.rng.choice(BOARDS)
        several = {"length": 6} if game == "combining-dividing" and rng.random() < 0.5 else {}
        guests = rng.sample(self.people, 3 if several else 2)
        if rng.random() < 0.6:
            # Somebody is stronger, so that others can be surprised.
            guests.sort()
        if rng.random() < 0.05:
            guests, game, options, several = guests[:1], "sums-grid", {"size": 4}, {}
        computer = len(guests) == 2 and rng.random() < 0.1
        legs = 2 if game in LEAGUES and rng.random() < 0.3 and not computer else 1
        asked = ChallengeTerms(
            GUILD, rng.choice((*SEEN, HIDDEN)), guests[0], load_games()[game], options | several,
            guests=() if computer else tuple(guests[1:]), rated=rng.random() < 0.8, level=1 if computer else None,
            legs=legs, seats=1 if len(guests) == 1 else None, pace="1" if rng.random() < 0.5 else None,
        )  # fmt: skip
        loaded = await self.umpire.challenge(self.act(), asked)
        for guest in () if computer else guests[1:]:
            await self.umpire.act(self.act(), loaded.id, guest, acts.accept)
        self.live.append(loaded.id)

    async def play(self, match: MatchId) -> None:
        """A match is played for a while, mostly to its end."""
        rng, ends = self.rng, self.rng.choices(("play", "resign", "draw", "replace", "rest"), (70, 8, 6, 4, 12))[0]
        loaded = await self.umpire.load(match)
        if loaded.row.state != "live":
            self.live.remove(match)
            return
        people = [player.user for player in loaded.players if player.user > 100]
        if len(people) < 2:
            ends = "resign"
        left = rng.randrange(9)
        while loaded.turn:
            self.now += rng.choice((1, 20, 400))
            if ends != "play" and (left := left - 1) < 0:
                break
            seat = rng.choice(loaded.turn)
            if loaded.user_at(seat) < 0 or len(people) < 2:
                break
            if rng.random() < 0.03:
                await self.took_back(loaded)
            loaded = await self.umpire.load(match)
            seat = rng.choice(loaded.turn)
            moves = [*islice(loaded.begun_match.position.moves(seat), 30)]
            # The one with the lower number is the better player of the two.
            ahead = max if loaded.user_at(seat) == min(people) else min
            move = (
                ahead(moves, key=lambda one: self.worth(loaded, seat, one)) if rng.random() < 0.5 else rng.choice(moves)
            )
            loaded = (await self.umpire.move(self.act(), match, loaded.user_at(seat), move)).after
        if loaded.turn and ends != "rest" and all(player.user > 0 for player in loaded.players):
            with suppress(Refusal):  # something else is proposed already
                await self.ended(loaded, ends)

    def worth(self, loaded: LoadedMatch, seat: int, move: str) -> int:
        """What a move makes of the scores, for who makes it."""
        scores = loaded.begun_match.position.play(seat, move).scores()
        ahead = scores[seat - 1] - max(score for at, score in enumerate(scores, 1) if at != seat)
        return -ahead if get_single_game(loaded.game).lowest_wins else ahead

    async def took_back(self, loaded: LoadedMatch) -> None:
        people = [player.user for player in loaded.players]
        if loaded.row.legs == 2 or len(people) != 2 or min(people) < 100:
            return
        with suppress(Refusal, Illegal):  # there is nothing to take back
            await self.consent.propose(self.act(), loaded.id, people[0], "takeback")
            await self.consent.umpire.act(
                self.act(), loaded.id, people[1], partial(proposals.agree, now=self.consent.umpire.clock())
            )

    async def ended(self, loaded: LoadedMatch, how: str) -> None:
        """A match is given up, agreed upon or handed on."""
        left = loaded.begun_match.withdrawn_seats
        people = [player.user for player in loaded.players if player.user > 100 and player.seat not in left]
        if how in ("play", "resign"):
            await self.umpire.act(self.act(), loaded.id, self.rng.choice(people), acts.resign)
        elif how == "draw":
            await self.consent.propose(self.act(), loaded.id, people[0], "draw")
            for other in people[1:]:
                await self.consent.umpire.act(
                    self.act(), loaded.id, other, partial(proposals.agree, now=self.consent.umpire.clock())
                )
        elif stands_in := [user for user in self.people if user not in people]:
            new, seat = self.rng.choice(stands_in), loaded.seat_of(people[0]) or 1
            await self.consent.umpire.act(
                self.act(),
                loaded.id,
                people[1],
                partial(proposals.propose_substitute, of=seat, new=new, now=self.consent.umpire.clock()),
            )
            for other in (new, *people[2:]):
                await self.consent.umpire.act(
                    self.act(), loaded.id, other, partial(proposals.agree, now=self.consent.umpire.clock())
                )

    async def solve(self, day: int) -> None:
        for user in self.people:
            if self.rng.random() < 0.4:
                one = PuzzleTry(day, "a1", self.rng.choice((1, 2, 3)), GUILD, self.now, self.rng.random() < 0.7)
                await self.store.do(Transaction.add_try, user, one)

    async def found(self) -> None:
        """A league is opened, joined and started."""
        game = load_games()[self.rng.choice(LEAGUES)]
        asked = LeagueTerms(GUILD, self.rng.choice((*SEEN, HIDDEN)), self.people[0], game, "2", 2, 1)
        try:
            league = (await self.leagues.found(self.act(), asked)).league.id
        except Refusal:
            return  # enough leagues are going on
        for user in self.rng.sample(self.people[1:], 11 if self.crowded else 3):
            await self.leagues.join(league, GUILD, user)
        await self.leagues.start(league, GUILD, self.people[0], manager=False)

    async def leagues_go_on(self) -> None:
        """Their matches are given up or played, people leave, and they end."""
        for row in await self.store.ask(Reader.list_leagues, GUILD, ("live",)):
            loaded = await self.leagues.load(row.id, GUILD)
            for one in loaded.pairings:
                if one.match and one.state == "live" and self.rng.random() < 0.4:
                    await self.play(one.match)
            if self.rng.random() < 0.05 and (there := [one for one in loaded.members if loaded.is_active(one.user)]):
                await self.leagues.leave(row.id, GUILD, self.rng.choice(there).user)
        for league, guild in await self.leagues.find_due_leagues():
            while await self.leagues.advance(league, guild):
                pass

    async def post(self, monday: int) -> str:
        """What is told on a Monday."""
        scored = {key for key, game in load_games().items() if game.scored}
        week = await self.store.ask(ranking_loop.summarize_week, GUILD, monday, SEEN, scored, convert_to_points)
        week = week.exclude_users(self.gone)
        of_note = [one.match for one in (week.closest or week.only, week.surprise and week.surprise[0]) if one]
        shown = {match: await self.umpire.load_to_show(match) for match in of_note}
        tables = {one: league_tables.build_tables(one, self.leagues.lowest) for one in week.leagues}
        return ranking_words.describe_week(week, load_games(), shown, tables, self.gone)


@pytest.fixture
async def store(address: str) -> AsyncGenerator[Store]:
    store = Store(address)
    yield store
    await store.close()
    report = await check_database(address, load_games())
    assert report.sound, report.lines


NAME = r"(?:<@\d+>|a former player|\d+ former players)"
NAMES = rf"{NAME}(?:(?:, {NAME})*(?: and {NAME}))?"
SCORES = r"[\d ]+ : [\d ]+"
CLOSEST = re.compile(
    rf"\*\*Closest:\*\* ({NAME}) (beat|and) ({NAME})( drew)? ({SCORES}) at \[.*?\]\(.*?\)"
    rf"(?:, over two legs: ({SCORES}) and ({SCORES}))?\.( The lower score wins\.)?"
)
SURPRISE = re.compile(rf"\*\*Surprise:\*\* ({NAME}) beat ({NAME}) at \[.*\]\(.*\), though rated (\d+) points lower\.")
STREAK = re.compile(rf"\*\*Winning streak:\*\* ({NAMES})( each)? won (\d+) rated matches in a row\.")
SOLVED = re.compile(
    rf"\*\*Daily puzzle:\*\* ({NAMES})( each)? (?:did best: |did best, each with |solved )"
    r"(?:one puzzle(?: solved)?, at the (first|second|third) try|(\d+) puzzles(?: solved)? in (\d+) tries)\."
)
LEAGUE = "(?:Dream Math|Palindromic Rows/Columns) league"
SO_FAR = re.compile(rf"\*\*{LEAGUE}, season (\d+)(?:, division 1)?, after (\d+) match(?:es)?:\*\* (.*)")
PLACE = re.compile(rf"\*\*(\d+)(?:st|nd|rd|th)\*\* ({NAME}), ([\d½]+) points?")
LEFT = rf"(?: {NAMES} had [\d½]+ points?(?: too| each)?(?: but left, so can't win|, but left)\.)*"
STRUCK = re.compile(
    rf"{NAME} left before (?:any of their matches had begun|half of their matches were over, so their match(?:es)? "
    rf"against {NAMES} (?:doesn't|don't) count)\."
)
WON = re.compile(
    rf"🏆 ({NAMES}) (?:wins|share first place in) season (\d+) of the {LEAGUE} with ([\d½]+) points? "
    rf"from (\d+) match(?:es)?\.{LEFT}(?: {NAMES} (?:came second|share second place|has|have)[^.]*\.)?"
)
ONLY = re.compile(
    rf"{NAME} (?:beat {NAME}|and {NAME} drew|and {NAME} agreed to a draw|won)(?: {SCORES})? at \[.*?\]\(.*?\)"
    rf"(?:: {NAME} (?:resigned|ran out of time|left this server))?[^.]*\.( The lower score wins\.)?"
)
WINNERS = re.compile(rf"(?:The winners? (?:was|were)|Among the winners were) {NAMES}\.")
CLOSED = re.compile(r"(?:One match|\d+ matches) ended without a result\.")
NOBODY_WON = re.compile(
    rf"Season (\d+) of the {LEAGUE} is over\. (?:No match was finished, so nobody won|"
    r"None of its matches counts, so nobody won|Nobody who stayed has a point, so nobody won|"
    rf"Nobody won division 1, since (?:none of its matches counts|nobody who stayed in it has a point))\.{LEFT}"
)
BELOW = re.compile(rf"({NAMES}) won division (\d+) with ([\d½]+) points? from (\d+) match(?:es)?\.{LEFT}")
VOID = re.compile(r"(One|\d+) match(?:es)? (?:wasn't|weren't) finished in time and (?:doesn't|don't) count\.")


def read(post: str) -> Told:
    """What a post says."""
    number, closest, surprise, streak, solved = 0, None, None, None, None
    leagues, won, void = list[tuple[Any, ...]](), defaultdict[int, set[Any]](set), defaultdict[int, int](int)
    for line in post.replace("\xa0", " ").replace("\u202f", " ").splitlines():
        if found := re.fullmatch(r"(\d+) match(?:es were| was) finished\.", line):
            number = int(found[1])
        elif found := CLOSEST.fullmatch(line):
            told = [both(scores) for scores in found.group(5, 6, 7) if scores]
            closest = (found[1], found[3], bool(found[4]), *told)
        elif found := SURPRISE.fullmatch(line):
            surprise = found[1], found[2], int(found[3])
        elif found := STREAK.fullmatch(line):
            streak = named(found[1]), int(found[3])
        elif found := SOLVED.fullmatch(line):
            alone = ("first", "second", "third").index(found[3]) + 1 if found[3] else 0
            solved = (named(found[1]), 1, alone) if alone else (named(found[1]), int(found[4]), int(found[5]))
        elif found := SO_FAR.fullmatch(line):
            places = PLACE.findall(found[3])
            first = frozenset((int(place), name, halves(points)) for place, name, points in places)
            leagues.append((int(found[1]), False, int(found[2]), first))
        elif found := WON.fullmatch(line):
            leagues.append((int(found[2]), True))
            won[len(leagues)] |= {(1, name, halves(found[3]), int(found[4])) for name in named(found[1])}
        elif found := NOBODY_WON.fullmatch(line):
            leagues.append((int(found[1]), True))
        elif found := BELOW.fullmatch(line):
            won[len(leagues)] |= {(int(found[2]), name, halves(found[3]), int(found[4])) for name in named(found[1])}
        elif WINNERS.fullmatch(line) or ONLY.fullmatch(line) or CLOSED.fullmatch(line) or STRUCK.fullmatch(line):
            continue  # the referee tells none of these
        else:
            found = VOID.fullmatch(line)
            assert found, line
            void[len(leagues)] = 1 if found[1] == "One" else int(found[1])
    of_leagues = frozenset((*one, frozenset(won[at]), void[at]) if one[1] else one for at, one in enumerate(leagues, 1))
    return Told(number, closest, surprise, streak, solved, of_leagues)


def both(scores: str) -> tuple[int, int]:
    one, other = (int(score.replace(" ", "")) for score in scores.split(" : "))
    return one, other


def named(names: str) -> frozenset[str]:
    return frozenset(re.sub(r"\d+ former players", "a former player", one) for one in re.findall(NAME, names))


def halves(points: str) -> int:
    return 2 * int(points.replace("½", "") or 0) + points.count("½")


def in_words(told: Any) -> Any:
    """What the referee expects, with people as a post names them: their numbers are above all others."""
    if isinstance(told, Told):
        return Told(*map(in_words, told))
    if isinstance(told, tuple | frozenset):
        return type(told)(in_words(one) for one in told)  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType]
    if isinstance(told, int) and not isinstance(told, bool) and (told > 1000 or told < 0):
        return f"<@{told}>" if told > 0 else "a former player"
    return told


@pytest.mark.parametrize("kind", ["sqlite"])
@sampled("seed", range(1, 25), few=1, rest=pytest.mark.minutes)
async def test_a_week_says_what_the_records_say(store: Store, seed: int) -> None:
    town = Town(store, seed)
    for week in range(1, WEEKS + 1):
        monday = FIRST + 7 * week
        await town.lives(monday)
        said = await town.post(monday)
        wanted = await store.database.read(
            lambda connection, monday=monday: week_referee.expected(
                connection, GUILD, town.zone, monday, SEEN, town.gone
            )
        )
        assert read(said) == in_words(wanted), f"seed {seed}, week {week}:\n{said}"
