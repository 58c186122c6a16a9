"""Founding, joining and leaving leagues, and carrying them on."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from bot.games.catalogue import load_offered_games
from bot.games.game import Game
from bot.games.legs import get_game_for_legs
from bot.games.mind import RandomSource
from bot.games.wording import Plural
from bot.play import league_tables
from bot.play.acts import NOBODY, Outcome, begin_match, configure_options
from bot.play.ids import ChannelId, GuildId, InteractionId, LeagueId, MatchId, UserId
from bot.play.league_tables import League, LeagueRound, LoadedLeague, Member, Pairing
from bot.play.loaded_match import LoadedMatch, Refusal
from bot.play.rows import MatchRecordRow, NewMatch
from bot.umpire.transactions import begin_if_ready, complete_outcome
from data.store import Reader, Store, Transaction

# The rules of who may join a league, leave it, or decide about it; called in transactions.


MOST_LEAGUES = 4
"""Leagues of a server at a time that are open or live."""
MOST_FROM_ONE, MOST_FROM_ALL = 5, 10
"""The most leagues that one user, and all users, open in a server within an hour: each is a message, also when it is
called off at once."""
HOUR = 3600
BY_ONE = Plural(
    "You have opened one league here in the last hour, which is the limit. Open another <t:{then}:R>.",
    "You have opened {number} leagues here in the last hour, which is the limit. Open another <t:{then}:R>.",
)
BY_ALL = Plural(
    "One league was opened here in the last hour, which is the limit. Open another <t:{then}:R>.",
    "{number} leagues were opened here in the last hour, which is the limit. Open another <t:{then}:R>.",
)
GONE = "There is no such league here. /league table shows those there are."
STARTED = "This league has already started, so nobody can join it any more."
OVER = "This league is over."
OFF = "Leagues are switched off in this server. People who manage it can switch them on with /settings posts."
NOT_HOST = "Only {host} and people who can manage this server can do that."
TOO_FEW = "A league needs at least {least} people. So far it has {number}."


def expect_league(loaded: LoadedLeague | None, guild: GuildId) -> LoadedLeague:
    """The league, if it is of this server, or a refusal."""
    if loaded is None or loaded.league.guild != guild:
        raise Refusal(GONE)
    return loaded


def expect_below_limits(reader: Reader, guild: GuildId, host: UserId, now: int) -> None:
    """Refuse a league where there are too many, where too many were opened lately, or the server wants none."""
    if not reader.load_settings(guild).leagues:
        raise Refusal(OFF)
    if len(reader.list_leagues(guild, ("open", "live"))) >= MOST_LEAGUES:
        raise Refusal(f"This server already has {MOST_LEAGUES} leagues. Wait until one of them is over.")
    opened = reader.leagues_opened(guild, now - HOUR)
    own = [at for by, at in opened if by == host]
    if len(own) >= MOST_FROM_ONE:
        raise Refusal(BY_ONE.fill_in(len(own), then=own[-MOST_FROM_ONE] + HOUR))
    if len(opened) >= MOST_FROM_ALL:
        raise Refusal(BY_ALL.fill_in(len(opened), then=opened[-MOST_FROM_ALL][1] + HOUR))


def expect_host(loaded: LoadedLeague, user: UserId, manager: bool) -> None:
    """Refuse what only a league's host may do, and managers of the server."""
    host = loaded.league.host
    if user != host and not manager:
        raise Refusal(NOT_HOST.format(host=f"<@{host}>" if host > 0 else "the league's host"))


def enter_league(tx: Transaction, loaded: LoadedLeague, user: UserId) -> LoadedLeague:
    """An open league after a user has joined it."""
    league = loaded.league
    if loaded.find_member(user):
        return loaded
    if len(loaded.members) >= league_tables.MOST * league_tables.MOST_DIVISIONS:
        raise Refusal(f"This league is full: {league_tables.MOST * league_tables.MOST_DIVISIONS} people have joined.")
    tx.join_league(league.id, Member(user, 1 + max((one.joined for one in loaded.members), default=0)))
    tx.change_league(league.id)
    return expect_league(tx.load_league(league.id), league.guild)


def leave_league(tx: Transaction, loaded: LoadedLeague, user: UserId, now: int) -> LoadedLeague:
    """A league after a user has left it; unchanged if they are not in it any more."""
    league = loaded.league
    if not loaded.is_active(user) or league.state not in ("open", "live"):
        return loaded
    if league.state == "open":
        tx.leave_league(league.id, user, None)
        tx.change_league(league.id)
    else:
        struck = league_tables.strikes_out(loaded, user)
        if struck:
            tx.redraw_messages(league_tables.list_matches(loaded, [user]), now)
        tx.leave_league(league.id, user, now, struck)
        tx.change_league(league.id, ready=True)
    return expect_league(tx.load_league(league.id), league.guild)


def void_rest(tx: Transaction, loaded: LoadedLeague, now: int) -> None:
    """Mark the pairings of a league that are not over as void; the boards of those that are being played say so."""
    live = tuple(one.match for one in loaded.pairings if one.match is not None and one.state == "live")
    tx.redraw_messages(live, now)
    tx.void_rest(loaded.league.id)


def leave_all_leagues(tx: Transaction, user: UserId, now: int) -> None:
    """Remove a user from all their leagues, in all servers."""
    for league, guild in tx.leagues_of(user):
        tx.lock_guild(guild)
        leave_league(tx, expect_league(tx.load_league(league), guild), user, now)


# What users and time do to leagues, each in one transaction; the umpire's rules hold for their matches.


DAY, WEEK = 86_400, 604_800
SIGN_UP = 7 * DAY
"""How long users can join the next season."""
BEGUN_AT_ONCE = 15
"""The most matches begun in one transaction, so that other writes do not wait long."""


@dataclass(frozen=True, slots=True)
class LeagueTerms:
    """The terms of a new league; without a game it is played with all games for two players."""

    guild: GuildId
    channel: ChannelId
    host: UserId
    game: Game | None
    pace: str
    weeks: int
    days: int


class LeagueService:
    """Carries out what users and time do to leagues. `clock` gives epoch seconds, `rng` draws the order of games."""

    def __init__(self, store: Store, games: Mapping[str, Game], clock: Callable[[], int], rng: RandomSource) -> None:
        self.store = store
        self.games = games
        self.clock = clock
        self.rng = rng

    @property
    def lowest(self) -> frozenset[str]:
        """The games in which the lowest score is the best."""
        return frozenset(key for key, game in self.games.items() if game.lowest_wins)

    def build_tables(self, loaded: LoadedLeague) -> tuple[league_tables.DivisionTable, ...]:
        return league_tables.build_tables(loaded, self.lowest)

    async def load(self, league: LeagueId, guild: GuildId) -> LoadedLeague:
        """A league of this server, or a refusal."""
        return expect_league(await self.store.ask(Reader.load_league, league), guild)

    # --- users' acts

    async def found(self, act: InteractionId, new: LeagueTerms) -> LoadedLeague:
        """Open a league for users to join; its host is a member."""
        if new.game is not None:
            if 2 not in new.game.seats:
                raise Refusal(f"{new.game.title} isn't for two players. A league needs a game that is.")
            configure_options(new.game, {}, 2)
        games = (
            (new.game.key,) if new.game else tuple(key for key, one in load_offered_games().items() if 2 in one.seats)
        )
        now = self.clock()
        league = League(
            LeagueId(act), new.guild, new.channel, new.host, games, new.pace, new.weeks, 1, None, "open", 1, 0, False,
            now, now + new.days * DAY, None, None, None, None,
        )  # fmt: skip

        def create_league(tx: Transaction) -> LoadedLeague:
            tx.lock_guild(new.guild)
            if (known := tx.load_league(league.id)) is None:
                expect_below_limits(tx, new.guild, new.host, now)
                tx.found_league(replace(league, channel=tx.load_settings(new.guild).league or new.channel))
                tx.join_league(league.id, Member(new.host, 1))
            return known or expect_league(tx.load_league(league.id), new.guild)

        return await self.store.do(create_league)

    async def join(self, league: LeagueId, guild: GuildId, user: UserId) -> LoadedLeague:
        """Add a user to a league that has not started."""

        def add_member(tx: Transaction) -> LoadedLeague:
            tx.lock_guild(guild)
            loaded = expect_league(tx.load_league(league), guild)
            if loaded.league.state != "open":
                raise Refusal(STARTED if loaded.league.state == "live" else OVER)
            return enter_league(tx, loaded, user)

        return await self.store.do(add_member)

    async def leave(self, league: LeagueId, guild: GuildId, user: UserId) -> tuple[LoadedLeague, bool]:
        """Remove a user from a league; returns the league afterwards, and whether they were struck out."""

        def left(tx: Transaction) -> tuple[LoadedLeague, bool]:
            tx.lock_guild(guild)
            loaded = leave_league(tx, expect_league(tx.load_league(league), guild), user, self.clock())
            member = loaded.find_member(user)
            return loaded, member is not None and member.struck

        return await self.store.do(left)

    async def leave_all(self, user: UserId) -> None:
        """Remove a user from all leagues, in all servers."""
        await self.store.do(leave_all_leagues, user, self.clock())

    async def remove(
        self, league: LeagueId, guild: GuildId, user: UserId, manager: bool, person: UserId
    ) -> tuple[LoadedLeague, bool]:
        """Remove a user from a league on behalf of its host, or of a manager of the server."""
        expect_host(await self.load(league, guild), user, manager)
        return await self.leave(league, guild, person)

    async def start(self, league: LeagueId, guild: GuildId, user: UserId, manager: bool) -> LoadedLeague:
        """The host starts a league before its time."""

        def start_league(tx: Transaction) -> LoadedLeague:
            tx.lock_guild(guild)
            loaded = expect_league(tx.load_league(league), guild)
            expect_host(loaded, user, manager)
            if loaded.league.state == "open":
                if len(loaded.active_members) < league_tables.FEWEST:
                    raise Refusal(TOO_FEW.format(least=league_tables.FEWEST, number=len(loaded.active_members)))
                self._start(tx, loaded)
            return expect_league(tx.load_league(league), guild)

        return await self.store.do(start_league)

    async def cancel(self, league: LeagueId, guild: GuildId, user: UserId, manager: bool) -> LoadedLeague:
        """The host calls a league off. Matches that are being played go on, for themselves."""

        def cancel_league(tx: Transaction) -> LoadedLeague:
            tx.lock_guild(guild)
            loaded = expect_league(tx.load_league(league), guild)
            expect_host(loaded, user, manager)
            if loaded.league.state == "finished":
                raise Refusal(OVER)
            if loaded.league.state != "cancelled":
                void_rest(tx, loaded, self.clock())
                tx.change_league(league, state="cancelled", ended=self.clock(), ready=False)
            return expect_league(tx.load_league(league), guild)

        return await self.store.do(cancel_league)

    async def join_next_season(
        self, act: InteractionId, league: LeagueId, guild: GuildId, user: UserId
    ) -> LoadedLeague:
        """Sign a user up for the next season: the first opens it, all others join it."""

        def enter_next_season(tx: Transaction) -> LoadedLeague:
            tx.lock_guild(guild)
            before = expect_league(tx.load_league(league), guild)
            if before.league.state != "finished":
                raise Refusal("The next season can be opened when this one is over.")
            following = tx.following_league(league)
            if following is None:
                following = self._next_season(tx, act, before, user)
            loaded = expect_league(tx.load_league(following), guild)
            if loaded.league.state != "open":
                raise Refusal(STARTED if loaded.league.state == "live" else OVER)
            return enter_league(tx, loaded, user)

        return await self.store.do(enter_next_season)

    # --- what is due

    async def find_due_leagues(self) -> tuple[tuple[LeagueId, GuildId], ...]:
        """The leagues that are to begin, to go on or to end now, each with its server."""
        return await self.store.ask(Reader.leagues_due, self.clock())

    async def advance(self, league: LeagueId, guild: GuildId) -> tuple[MatchId, ...]:
        """Do what is due in a league; returns the matches that have begun."""
        return await self.store.for_long_work.do(self._advance, league, guild)

    def _advance(self, tx: Transaction, league: LeagueId, guild: GuildId) -> tuple[MatchId, ...]:
        tx.lock_clocks_shared()
        tx.lock_guild(guild)
        loaded, now = expect_league(tx.load_league(league), guild), self.clock()
        if loaded.league.state == "open" and loaded.league.starts <= now:
            if len(loaded.active_members) < league_tables.FEWEST:
                tx.change_league(league, state="cancelled", ended=now)
                return ()
            self._start(tx, loaded)
            loaded = expect_league(tx.load_league(league), guild)
        if loaded.league.state != "live":
            return ()
        if (loaded.league.ends or 0) <= now or league_tables.is_over(loaded):
            for one in loaded.members:
                if one.gone is not None and one.left_at == one.gone:
                    tx.leave_league(league, one.user, one.gone, one.struck)  # it is too late to come back
            void_rest(tx, loaded, now)
            tx.change_league(league, state="finished", ended=now, ready=False)
            return ()
        return self._begin_matches(tx, loaded, now)

    def _begin_matches(self, tx: Transaction, loaded: LoadedLeague, now: int) -> tuple[MatchId, ...]:
        found = league_tables.choose_starting_pairings(loaded, BEGUN_AT_ONCE)
        matches = tuple(self._create_match(tx, loaded, one, now) for one in found)
        for one, match in zip(found, matches, strict=True):
            tx.begin_pairing(loaded.league.id, one.number, match)
        if matches:
            tx.change_league(loaded.league.id, ready=True)
        else:
            tx.settle_league(loaded.league.id, loaded.league.version)
        return matches

    def _create_match(self, tx: Transaction, loaded: LoadedLeague, one: Pairing, now: int) -> MatchId:
        league, game = loaded.league, self.games[one.game]
        new = NewMatch(
            league.guild, league.channel, game.key, game.version, configure_options(game, {}, 2), 2, "order", True,
            one.home, now, now, pace=league.pace, legs=one.legs, round=str(LeagueRound.of(loaded, one)),
        )  # fmt: skip
        match = tx.create(new)
        tx.join(match, one.guest)
        begin_if_ready(tx, match, lambda row: self._decide_beginning(row, now), now)
        return match

    def _decide_beginning(self, row: MatchRecordRow, now: int) -> Outcome:
        """The beginning of a match that no player has to accept. One message notifies each member of all their matches
        that have begun."""
        loaded = LoadedMatch(row, get_game_for_legs(self.games[row.game], row.legs), None)
        return complete_outcome(loaded, NOBODY, begin_match(row), now, self.rng)

    def _start(self, tx: Transaction, loaded: LoadedLeague) -> None:
        """Draw a league, which begins now."""
        league, now = loaded.league, self.clock()
        game = league.games[0] if len(league.games) == 1 else ""
        before = tx.load_league(league.previous) if league.previous else None
        last = [[line.user for line in one.lines] for one in self.build_tables(before)] if before else []
        ratings = {one.user: one.value for one in tx.leaderboard(league.guild, game, 1000)}
        divisions = league_tables.split_into_divisions(
            league_tables.seed_players([one.user for one in loaded.active_members], last, ratings)
        )
        games = [key for key in league.games if key in self.games]
        self.rng.shuffle(games)
        lopsided = {key for key, one in self.games.items() if one.lopsided}
        tx.draw_league(league.id, divisions, league_tables.draw_pairings(divisions, games, lopsided))
        tx.change_league(league.id, state="live", games=tuple(games), ready=True, ends=now + league.weeks * WEEK)

    def _next_season(self, tx: Transaction, act: InteractionId, before: LoadedLeague, user: UserId) -> LeagueId:
        last, now = before.league, self.clock()
        expect_below_limits(tx, last.guild, user, now)
        channel = tx.load_settings(last.guild).league or last.channel
        league = League(
            LeagueId(act), last.guild, channel, user, last.games, last.pace, last.weeks, last.season + 1, last.id,
            "open", 1, 0, False, now, now + SIGN_UP, None, None, None, None,
        )  # fmt: skip
        tx.found_league(league)
        return league.id
