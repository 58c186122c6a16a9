"""What people and time do to leagues, each in one transaction; the umpire's rules hold for their matches.

Every change of a league takes its server's lock, so acts are serialised, and each is decided on the state that the one
before has left: pressing twice, two processes, or a restart change nothing a second time.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from bot.core.game.game import Game
from bot.core.game.mind import Lots
from bot.core.game.two_legs import table
from bot.core.league import draw, league_standings
from bot.core.league.league_round import LeagueRound
from bot.core.league.stored_league import League, Loaded, Member, Pairing
from bot.core.library.catalogue import offered
from bot.core.match.loaded_match import LoadedMatch, Refusal
from bot.core.match.stored import NewMatch, Stored
from bot.core.values.ids import ChannelId, GuildId, InteractionId, LeagueId, MatchId, UserId
from bot.service.league.membership import (
    OVER,
    STARTED,
    TOO_FEW,
    entered,
    expect_host,
    expect_room,
    expected,
    gone,
    left_all,
)
from bot.service.rules.decisions import Change, configured
from bot.service.rules.refusals import NOBODY
from bot.service.umpire.transactions import begun, completed, mentioning, thinking
from data.store import Reader, Store, Transaction

DAY, WEEK = 86_400, 604_800
SIGN_UP = 7 * DAY
"""For how long people can join the next season."""
BEGUN_AT_ONCE = 15
"""The most matches begun in one transaction, so that other writes do not wait long."""


@dataclass(frozen=True, slots=True)
class Founding:
    """The terms of a new league; without a game it is played with all games for two players."""

    guild: GuildId
    channel: ChannelId
    host: UserId
    game: Game | None
    pace: str
    weeks: int
    days: int


class Leagues:
    """Carries out what people and time do to leagues. `clock` gives epoch seconds, `lots` draws the order of games."""

    def __init__(self, store: Store, games: Mapping[str, Game], clock: Callable[[], int], lots: Lots) -> None:
        self.store = store
        self.games = games
        self.clock = clock
        self.lots = lots

    @property
    def lowest(self) -> frozenset[str]:
        """The games in which the lowest score is the best."""
        return frozenset(key for key, game in self.games.items() if game.lowest_wins)

    def tables(self, loaded: Loaded) -> tuple[league_standings.Table, ...]:
        """The tables of a league."""
        return league_standings.tables(loaded, self.lowest)

    async def load(self, league: LeagueId, guild: GuildId) -> Loaded:
        """A league of this server, or a refusal."""
        return expected(await self.store.ask(Reader.league, league), guild)

    # --- what people do

    async def found(self, act: InteractionId, new: Founding) -> Loaded:
        """Open a league for people to join; its host is in it."""
        if new.game is not None:
            if 2 not in new.game.seats:
                raise Refusal(f"{new.game.title} isn't for two players. A league needs a game that is.")
            configured(new.game, {}, 2)
        games = (new.game.key,) if new.game else tuple(key for key, one in offered().items() if 2 in one.seats)
        now = self.clock()
        league = League(
            LeagueId(act), new.guild, new.channel, new.host, games, new.pace, new.weeks, 1, None, "open", 1, 0, False,
            now, now + new.days * DAY, None, None, None, None,
        )  # fmt: skip

        def founded(tx: Transaction) -> Loaded:
            tx.go_alone(new.guild)
            if (known := tx.league(league.id)) is None:
                expect_room(tx, new.guild, new.host, now)
                tx.found_league(replace(league, channel=tx.settings(new.guild).league or new.channel))
                tx.join_league(league.id, Member(new.host, 1))
            return known or expected(tx.league(league.id), new.guild)

        return await self.store.do(founded)

    async def join(self, league: LeagueId, guild: GuildId, user: UserId) -> Loaded:
        """Add a user to a league that has not started."""

        def joined(tx: Transaction) -> Loaded:
            tx.go_alone(guild)
            loaded = expected(tx.league(league), guild)
            if loaded.league.state != "open":
                raise Refusal(STARTED if loaded.league.state == "live" else OVER)
            return entered(tx, loaded, user)

        return await self.store.do(joined)

    async def leave(self, league: LeagueId, guild: GuildId, user: UserId) -> tuple[Loaded, bool]:
        """Remove a user from a league; returns the league afterwards, and whether they were struck out."""

        def left(tx: Transaction) -> tuple[Loaded, bool]:
            tx.go_alone(guild)
            loaded = gone(tx, expected(tx.league(league), guild), user, self.clock())
            member = loaded.member(user)
            return loaded, member is not None and member.struck

        return await self.store.do(left)

    async def leave_all(self, user: UserId) -> None:
        """Remove a user from all leagues, in all servers."""
        await self.store.do(left_all, user, self.clock())

    async def remove(
        self, league: LeagueId, guild: GuildId, user: UserId, manager: bool, person: UserId
    ) -> tuple[Loaded, bool]:
        """Remove a user from a league on behalf of its host, or of a manager of the server."""
        expect_host(await self.load(league, guild), user, manager)
        return await self.leave(league, guild, person)

    async def start(self, league: LeagueId, guild: GuildId, user: UserId, manager: bool) -> Loaded:
        """The host starts a league before its time."""

        def started(tx: Transaction) -> Loaded:
            tx.go_alone(guild)
            loaded = expected(tx.league(league), guild)
            expect_host(loaded, user, manager)
            if loaded.league.state == "open":
                if len(loaded.here) < draw.FEWEST:
                    raise Refusal(TOO_FEW.format(least=draw.FEWEST, number=len(loaded.here)))
                self._start(tx, loaded)
            return expected(tx.league(league), guild)

        return await self.store.do(started)

    async def cancel(self, league: LeagueId, guild: GuildId, user: UserId, manager: bool) -> Loaded:
        """The host calls a league off. Matches that are being played go on, for themselves."""

        def cancelled(tx: Transaction) -> Loaded:
            tx.go_alone(guild)
            loaded = expected(tx.league(league), guild)
            expect_host(loaded, user, manager)
            if loaded.league.state == "finished":
                raise Refusal(OVER)
            if loaded.league.state != "cancelled":
                tx.void_rest(league)
                tx.change_league(league, state="cancelled", ended=self.clock(), ready=False)
            return expected(tx.league(league), guild)

        return await self.store.do(cancelled)

    async def follow(self, act: InteractionId, league: LeagueId, guild: GuildId, user: UserId) -> Loaded:
        """Sign a user up for the next season: the first opens it, all others join it."""

        def followed(tx: Transaction) -> Loaded:
            tx.go_alone(guild)
            before = expected(tx.league(league), guild)
            if before.league.state != "finished":
                raise Refusal("The next season can be opened when this one is over.")
            following = tx.following_league(league)
            if following is None:
                following = self._next_season(tx, act, before, user)
            loaded = expected(tx.league(following), guild)
            if loaded.league.state != "open":
                raise Refusal(STARTED if loaded.league.state == "live" else OVER)
            return entered(tx, loaded, user)

        return await self.store.do(followed)

    # --- what time does

    async def due(self) -> tuple[tuple[LeagueId, GuildId], ...]:
        """The leagues that are to begin, to go on or to end now, each with its server."""
        return await self.store.ask(Reader.leagues_due, self.clock())

    async def advance(self, league: LeagueId, guild: GuildId) -> tuple[MatchId, ...]:
        """Do what is due in a league; the matches that have begun."""
        return await self.store.unhurried.do(self._advanced, league, guild)

    def _advanced(self, tx: Transaction, league: LeagueId, guild: GuildId) -> tuple[MatchId, ...]:
        tx.keep_times()
        tx.go_alone(guild)
        loaded, now = expected(tx.league(league), guild), self.clock()
        if loaded.league.state == "open" and loaded.league.starts <= now:
            if len(loaded.here) < draw.FEWEST:
                tx.change_league(league, state="cancelled", ended=now)
                return ()
            self._start(tx, loaded)
            loaded = expected(tx.league(league), guild)
        if loaded.league.state != "live":
            return ()
        if (loaded.league.ends or 0) <= now or draw.is_over(loaded):
            for one in loaded.members:
                if one.gone is not None and one.left_at == one.gone:
                    tx.leave_league(league, one.user, one.gone, one.struck)  # who comes back later is too late
            tx.void_rest(league)
            tx.change_league(league, state="finished", ended=now, ready=False)
            return ()
        return self._begun(tx, loaded, now)

    def _begun(self, tx: Transaction, loaded: Loaded, now: int) -> tuple[MatchId, ...]:
        found = draw.beginning(loaded, BEGUN_AT_ONCE)
        matches = tuple(self._match(tx, loaded, one, now) for one in found)
        for one, match in zip(found, matches, strict=True):
            tx.begin_pairing(loaded.league.id, one.number, match)
        if matches:
            tx.change_league(loaded.league.id, ready=True)
        else:
            tx.settle_league(loaded.league.id, loaded.league.version)
        return matches

    def _match(self, tx: Transaction, loaded: Loaded, one: Pairing, now: int) -> MatchId:
        league, game = loaded.league, self.games[one.game]
        new = NewMatch(
            league.guild, league.channel, game.key, game.version, configured(game, {}, 2), 2, "order", True, one.home,
            now, now, pace=league.pace, legs=one.legs, round=str(LeagueRound.of(loaded, one)),
        )  # fmt: skip
        match = tx.create(new)
        tx.join(match, one.guest)
        begun(tx, match, lambda row: self._begins(row, now), now)
        return match

    def _begins(self, row: Stored, now: int) -> Change:
        """The beginning of a match that no player has to accept. One message notifies each member of all their matches
        that have begun."""
        seated = LoadedMatch(row, table(self.games[row.game], row.legs), None)
        change = Change(begins=row.seats)
        return thinking(seated, mentioning(seated, NOBODY, completed(seated, change, now, self.lots)))

    def _start(self, tx: Transaction, loaded: Loaded) -> None:
        """Draw a league, which begins now."""
        league, now = loaded.league, self.clock()
        game = league.games[0] if len(league.games) == 1 else ""
        before = tx.league(league.previous) if league.previous else None
        last = [[line.user for line in one.lines] for one in self.tables(before)] if before else []
        ratings = {one.user: one.value for one in tx.leaderboard(league.guild, game, 1000)}
        divisions = draw.divided(draw.seeded([one.user for one in loaded.here], last, ratings))
        games = [key for key in league.games if key in self.games]
        self.lots.shuffle(games)
        lopsided = {key for key, one in self.games.items() if one.lopsided}
        tx.draw_league(league.id, divisions, draw.drawn(divisions, games, lopsided))
        tx.change_league(league.id, state="live", games=tuple(games), ready=True, ends=now + league.weeks * WEEK)

    def _next_season(self, tx: Transaction, act: InteractionId, before: Loaded, user: UserId) -> LeagueId:
        last, now = before.league, self.clock()
        expect_room(tx, last.guild, user, now)
        channel = tx.settings(last.guild).league or last.channel
        league = League(
            LeagueId(act), last.guild, channel, user, last.games, last.pace, last.weeks, last.season + 1, last.id,
            "open", 1, 0, False, now, now + SIGN_UP, None, None, None, None,
        )  # fmt: skip
        tx.found_league(league)
        return league.id
