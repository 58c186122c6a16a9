"""Acts beside moves and challenges: proposals, deadlines, departures, premoves, expiry."""

from __future__ import annotations

import logging
from collections.abc import AsyncGenerator, Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import replace
from functools import partial

from bot.engine.levels import SearchQuestion, Thought
from bot.games.game import Game
from bot.games.position import MoveError
from bot.play import acts, challenges, claims, premoves, proposals
from bot.play.acts import NOBODY, explain_correction
from bot.play.clocks import DAY
from bot.play.ids import GuildId, InteractionId, LeagueId, MatchId, ShardShare, UserId, make_act_id
from bot.play.league_tables import list_matches
from bot.play.loaded_match import Kind, LoadedMatch, Refusal, UnknownMatch
from bot.play.premoves import Line, PremoveTree
from bot.play.rows import MatchRecordRow, MatchRow, State
from bot.umpire import notifications
from bot.umpire.transactions import add_mentions, end_match, write_outcome
from bot.umpire.umpire import TRIES, ActResult, Decision, Umpire
from data.engine.errors import Unavailable
from data.queries.privacy import DEPARTED
from data.store import Reader, Store, Transaction


def redraw_returned(tx: Transaction, after: int, now: int) -> None:
    """Redraw the boards of players whose absences ended between two moments, and note the later moment."""
    for guild, user in tx.find_returned_people(after, now):
        tx.redraw_messages([row.id for row in tx.find_current_matches(user) if row.guild == guild], now)
    tx.set_note(_name_returned_note(tx.share), str(now))


def read_returned_mark(reader: Reader) -> int:
    """The moment up to which boards were redrawn after absences. For a share without a note, the earliest of all notes:
    some boards are then redrawn twice, and none is missed."""
    if own := reader.read_note(_name_returned_note(reader.share)):
        return int(own)
    return min(map(int, reader.read_notes(RETURNED).values()), default=0)


RETURNED = "absences over until"


def _name_returned_note(share: ShardShare) -> str:
    return RETURNED if share.is_whole else f"{RETURNED} {share}"


# Proposals.


Thinks = Callable[[SearchQuestion], Awaitable[Thought]]
"""Answers a search request about a board."""


class ConsentService:
    """Makes proposals and answers them."""

    def __init__(self, umpire: Umpire) -> None:
        self.umpire = umpire

    async def propose(
        self, act: InteractionId, match: MatchId, user: UserId, kind: Kind, seen: int | None = None
    ) -> ActResult:
        """Propose something to all others. `seen`: how many lines of the record the board shows whose button was
        pressed; None for a command, which also agrees if another player has proposed the same."""
        now, allowed = self.umpire.clock(), kind != "takeback" or await self.allows_takebacks(match)
        return await self.umpire.act(
            act, match, user, partial(proposals.propose, kind=kind, now=now, takebacks=allowed, seen=seen)
        )

    async def propose_draw(self, act: InteractionId, match: MatchId, user: UserId, thinks: Thinks) -> ActResult:
        """Propose a draw in a match with computers, or agree to one. The computers search first: human players are
        asked only if all computers agree; else the refusal of the first that does not is stored."""
        loaded, now = await self.umpire.load(match), self.umpire.clock()
        if proposals.open_proposal(loaded):
            return await self.propose(act, match, user, "draw")
        plies = loaded.row.plies
        for seat in challenges.find_seats_to_ask(loaded, user, now):
            if not challenges.accepts_draw(await thinks(challenges.make_draw_question(loaded, seat)), seat):
                return await self.umpire.act(
                    act, match, user, partial(challenges.decline_draw, by=seat, plies=plies, now=now)
                )
        return await self.umpire.act(act, match, user, partial(challenges.offer_draw, plies=plies, now=now))

    async def allows_takebacks(self, match: MatchId) -> bool:
        """Whether the server of a match allows takebacks."""
        return (await self.umpire.store.ask(Reader.load_settings, await self.umpire.find_guild(match))).takebacks


# Deadlines: acts at a moment, and those of the players who wait for a seat that is out of time.


AT_ONCE = 50
"""How many due matches are read at a time."""
PAUSE = 3600
"""Seconds for which a match is skipped after an error in its deadline."""

log = logging.getLogger(__name__)

Timed = tuple[InteractionId, Decision]
"""An act of a deadline: its idempotency key, and its decision."""


class DeadlineService:
    """Carries out due acts, claims, and gifts of time."""

    def __init__(self, umpire: Umpire) -> None:
        self.umpire = umpire
        self.left: Callable[[GuildId], bool] = lambda _guild: False
        """Whether the bot has left a server: users there cannot act, so no deadline runs there."""
        self._resting: dict[MatchId, int] = {}

    async def run_due_acts(self, share: ShardShare | None = None) -> AsyncGenerator[MatchId]:
        """Carry out all due acts in the servers of a share, by default of the store's, match by match; yields the match
        after each act."""
        now = self.umpire.clock()
        self._resting = {match: until for match, until in self._resting.items() if now < until <= now + PAUSE}
        skipped = set(self._resting)
        share = share or self.umpire.store.share
        while found := await self.umpire.store.ask(find_due_matches, share, now, tuple(skipped)):
            for match in found:
                acts = await self._run_due_acts(match, now)
                for _ in range(acts):
                    yield match
                if not acts:
                    skipped.add(match)
            if len(found) < AT_ONCE:
                return

    async def _run_due_acts(self, match: MatchId, now: int) -> int:
        """Carry out all acts that are due in a match, and return their number. After an unforeseen error the match is
        skipped for a while."""
        acts = 0
        try:
            loaded = await self.umpire.load(match)
            if self.left(loaded.row.guild):
                return 0
            while due := find_due_act(loaded, now):
                act, decide = due
                done = await self.umpire.act(act, match, NOBODY, decide, start=loaded)
                if done.repeated:
                    break
                acts, loaded = acts + 1, done.after
            return acts
        except Unavailable:
            raise
        except UnknownMatch as fault:
            log.warning("What is due in match %d cannot be done: %s", match, fault)
        except (MoveError, Refusal) as refusal:
            # Mostly a player has just moved, so that nothing is due any more.
            log.debug("Nothing was done in match %d: %s", match, refusal)
            return acts
        except Exception:
            log.warning("What is due in match %d cannot be done.", match, exc_info=True)
        self._resting[match] = now + PAUSE
        return acts


def find_due_matches(reader: Reader, share: ShardShare, now: int, skipped: Collection[MatchId]) -> tuple[MatchId, ...]:
    """Some matches of a share with a due act, except those skipped."""
    return reader.within_share(share).find_matches_run_out(now, AT_ONCE, skipped)


def find_due_act(loaded: LoadedMatch, now: int) -> Timed | None:
    """The due act in a match, or None: a player's time runs out, a seat is claimed automatically, or a pause ends."""
    if loaded.row.state != "live":
        return None
    plies, proposed = loaded.row.plies, loaded.row.proposed
    if proposals.is_overdue(loaded, now):
        return make_act_id("resume", loaded.id, proposed or 0), lambda match, _: proposals.resume_overdue(match, now)
    if out := claims.find_newly_late(loaded, now):
        first = min(player.deadline or 0 for player in out)
        return make_act_id("out", loaded.id, plies, first), lambda match, _: claims.note_time_out(match, now)
    lapses = [
        player.forfeit_at
        for player in loaded.late_players
        if player.forfeit_at is not None and player.forfeit_at <= now
    ]
    if not lapses:
        return None
    return make_act_id("lapse", loaded.id, plies, min(lapses)), lambda match, _: claims.lapse_seat(match, now)


# Users who leave a server or return: an act in each of their matches there, and a note in their leagues.


class DepartureService:
    """Marks users as gone from a server or back."""

    def __init__(self, umpire: Umpire) -> None:
        self._umpire = umpire
        self.league_changed: Callable[[LeagueId], object] = lambda _league: None
        """Called for every league whose message is to be redrawn."""

    async def mark_gone(self, guild: GuildId, user: UserId) -> list[MatchId]:
        """Mark a user as gone from a server; returns the matches in which they were not yet."""
        told, changed = set[UserId](), list[MatchId]()
        await self._note_in_leagues(guild, user, self._umpire.clock())
        for row in await self._find_rows(guild, user, gone=False):
            if after := await self._run_act("left", row, user, partial(claims.mark_gone, knowing=frozenset(told))):
                told |= {one.user for one in after.row.players if one.mention_version == after.row.version}
                changed.append(row.id)
        return changed

    async def mark_returned(self, guild: GuildId, user: UserId) -> list[MatchId]:
        """Mark a user as back in a server; returns the matches in which they were marked as gone."""
        await self._note_in_leagues(guild, user, None)
        rows = await self._find_rows(guild, user, gone=True)
        return [row.id for row in rows if await self._run_act("back", row, user, claims.mark_returned)]

    async def _find_rows(self, guild: GuildId, user: UserId, gone: bool) -> list[MatchRow]:
        """A user's live matches in a server in which they are marked as `gone`, or are not."""
        rows = await self._umpire.store.ask(Reader.live_of, guild, user)
        return [row for row in rows if (player := row.find_player(user)) and player.gone is gone]

    async def _run_act(self, kind: str, row: MatchRow, user: UserId, decide: Decision) -> LoadedMatch | None:
        """The match after the act; None if it is no longer needed."""
        try:
            done = await self._umpire.act(
                make_act_id(kind, row.id, row.version, user), row.id, NOBODY, lambda loaded, _: decide(loaded, user)
            )
        except (MoveError, Refusal):
            return None
        return None if done.repeated else done.after

    async def _note_in_leagues(self, guild: GuildId, user: UserId, since: int | None) -> None:
        """Note since when a user is gone from their leagues in a server; None: they are there."""
        for league in await self._umpire.store.do(note_in_leagues, guild, user, since, self._umpire.clock()):
            self.league_changed(league)


def note_in_leagues(tx: Transaction, guild: GuildId, user: UserId, since: int | None, now: int) -> list[LeagueId]:
    """Note since when a user is gone, and have what tells of their matches edited, whose results may not count while
    they are; returns the leagues of a server in which that changed something."""
    theirs = [league for league, of in tx.leagues_of(user) if of == guild]
    if not theirs:
        return []
    tx.lock_guild(guild)
    changed = [league for league in theirs if tx.note_gone_from_league(league, user, since)]
    for loaded in filter(None, map(tx.load_league, changed)):
        tx.redraw_messages(list_matches(loaded, [user]), now)
    return changed


# Premoves: stored without an act on the match, as they concern only their user.


class PremoveService:
    """Stores the premoves of users."""

    def __init__(self, umpire: Umpire) -> None:
        self.umpire = umpire

    async def add(self, match: MatchId, user: UserId, line: Line, seen: int | None = None) -> LoadedMatch:
        """Add one more line: moves of the opponent and of the user, from the current position. `seen`: how many lines
        of the record the surface showed where it was entered. Returns the match with it."""
        return await self._store(match, user, lambda loaded: premoves.add_premoves(loaded, user, line, seen))

    async def clear(self, match: MatchId, user: UserId) -> LoadedMatch:
        """Clear a user's premoves in a match."""

        def clear(loaded: LoadedMatch) -> PremoveTree:
            premoves.expect_premovable(loaded, user)
            return PremoveTree()

        return await self._store(match, user, clear)

    async def _store(self, match: MatchId, user: UserId, decide: Callable[[LoadedMatch], PremoveTree]) -> LoadedMatch:
        for _ in range(TRIES):
            loaded = await self.umpire.load(match)
            text = decide(loaded).stored_text
            if await self.umpire.store.do(store_premoves, loaded.row, user, text):
                players = (replace(one, prepared=text) if one.user == user else one for one in loaded.row.players)
                return replace(loaded, row=replace(loaded.row, players=tuple(players)))
        raise Refusal("Others were faster. Nothing was changed; try again.")


def store_premoves(tx: Transaction, row: MatchRecordRow, user: UserId, text: str | None) -> bool:
    """Store a user's premoves if the match is as it was read; else False, and no change. The lock on the match excludes
    concurrent moves, so the move that they answer finds either the new or the old premoves."""
    tx.lock_match(row.id)
    now = tx.load_row(row.id)
    if now is None or now.version != row.version or premoves.read_premoves(now) != premoves.read_premoves(row):
        return False
    return tx.set_player(row.id, user, prepared=text)


# Expiry: challenges without an answer, and matches whose game has changed its rules.


DELIVERIES_FOR = 3600
"""Seconds for which idempotency keys are kept; Discord's tokens are valid for a quarter of an hour."""
RETURNS_EVERY = 60
"""Seconds between two searches for absences that are over; boards show absences in days."""
CLOSED_AT_ONCE = 50
"""The most matches closed in one transaction, so that other writes do not wait long."""


class Sweeper:
    """Closes expired challenges and outdated matches, and drops rows that are no longer needed."""

    def __init__(self, store: Store, games: Mapping[str, Game], clock: Callable[[], int]) -> None:
        self.store = store
        self.games = games
        self.clock = clock
        self._tidied = 0
        self._returned: int | None = None
        self._looked = 0
        self._current = False

    async def drop_old_rows(self) -> None:
        """Once an hour, drop the keys of interactions that Discord no longer repeats, and challenges that no longer
        count against a cap."""
        now = self.clock()
        if not 0 <= now - self._tidied <= DELIVERIES_FOR:
            await self.store.for_long_work.do(Transaction.forget_deliveries, DELIVERIES_FOR)
            await self.store.for_long_work.do(Transaction.forget_asks, now - acts.HOUR)
            self._tidied = now

    async def redraw_returned(self) -> None:
        """Once a minute, redraw the boards that still show an absence which is over."""
        now = self.clock()
        if 0 <= now - self._looked < RETURNS_EVERY:
            return
        self._looked = now
        if self._returned is None:
            self._returned = await self.store.ask(read_returned_mark)
        # If this clock was ahead for a while, some absences are handled twice.
        self._returned = min(self._returned, now)
        if await self.store.ask(Reader.find_returned_people, self._returned, now):
            await self.store.for_long_work.do(redraw_returned, self._returned, now)
            self._returned = now

    async def expire_challenges(self) -> list[MatchId]:
        """Close some of the expired challenges; returns the ids of those matches."""
        rows = await self.store.ask(Reader.find_expired_challenges, self.clock(), CLOSED_AT_ONCE)
        return await self._close(rows, "expired", lambda _: None)

    async def notify_awoken(self) -> list[MatchId]:
        """Notify players whose quiet hours are over, in some of the matches that changed meanwhile; returns those
        matches."""
        now = self.clock()
        found = await self.store.ask(Reader.find_matches_to_wake, now, CLOSED_AT_ONCE)

        def notify(tx: Transaction) -> list[MatchId]:
            tx.lock_clocks_shared()
            return [match for match in found if notifications.notify_awoken(tx, match, now)]

        return await self.store.for_long_work.do(notify) if found else []

    async def close_outdated(self) -> list[MatchId]:
        """Close some of the live matches that this version cannot continue, unrated, with a sentence.

        Once none is left there are no others while this process runs.
        """
        if self._current:
            return []
        versions = {key: game.version for key, game in self.games.items()}
        rows = await self.store.ask(Reader.find_outdated_matches, versions, CLOSED_AT_ONCE)
        self._current = not rows
        return await self._close(rows, "aborted", lambda row: explain_outdated(row, self.games))

    async def close_unreached(self) -> list[MatchId]:
        """Close some of the live matches, unrated, whose channels have been closed for a month without a move."""
        rows = await self.store.ask(
            Reader.find_matches_given_up, self.clock() - notifications.GIVEN_UP_AFTER, CLOSED_AT_ONCE
        )
        return await self._close(rows, "aborted", lambda _: notifications.GIVEN_UP)

    async def _close(
        self, rows: Sequence[MatchRow], state: State, reason: Callable[[MatchRow], str | None]
    ) -> list[MatchId]:
        """Close those of some matches that have not changed since they were read."""
        now = self.clock()

        def close(tx: Transaction) -> list[MatchId]:
            tx.lock_clocks_shared()
            return [row.id for row in rows if close_match(tx, row, state, reason(row), now)]

        return await self.store.for_long_work.do(close) if rows else []


def close_match(tx: Transaction, row: MatchRow, state: State, reason: str | None, now: int) -> bool:
    """Close a match, and notify its players, in one line when all are awake; False if it has changed meanwhile."""
    tx.lock_match(row.id)
    before = tx.load_match(row.id)
    if before is None or before.version != row.version:
        return False
    outcome = acts.close(before, state, reason)
    after = end_match(replace(outcome.row, version=before.version + 1), now)
    after = add_mentions(before, after, outcome, NOBODY, secret=True)
    write_outcome(tx, None, before, replace(outcome, row=after), now, by_time=True)
    return True


def explain_outdated(row: MatchRow, games: Mapping[str, Game]) -> str:
    """Why this version cannot continue a live match, as a sentence."""
    if game := games.get(row.game):
        return explain_correction(game)
    return f"This match was closed, unrated: the game {row.game} is not part of this bot any more."


# Servers that removed the bot: their matches end, and a month later their data is deleted.


KEPT_DAYS = 30
KEPT_FOR = KEPT_DAYS * DAY
"""Seconds for which the data of a server that removed the bot is kept."""
KNOWN_AFTER = DAY
"""Seconds after which a new bot account is trusted to be the permanent one."""
ACCOUNT = "account"
"""The note of the bot's account, and since when it is in use."""
CLOSED = "This match was closed, unrated: I was removed from its server."


def is_known(tx: Transaction, account: int, now: int) -> bool:
    """Note the bot's account, and return whether it has been the same for a day: then a missing server has removed the
    bot, and does not just belong to another account."""
    noted, _, since = (tx.read_note(ACCOUNT) or "").partition(" ")
    if noted != str(account):
        tx.set_note(ACCOUNT, f"{account} {now}")
        return False
    return now - int(since) >= KNOWN_AFTER


def close_departed_server(tx: Transaction, guild: GuildId, reason: str, now: int) -> list[MatchId]:
    """Close some live matches of a server that has removed the bot, and cancel its leagues, so that no match begins."""
    tx.lock_clocks_shared()
    tx.lock_guild(guild)
    for league in tx.list_leagues(guild, ("open", "live")):
        tx.void_rest(league.id)
        tx.change_league(league.id, state="cancelled", ended=now, ready=False)
    closed = [
        row for row in tx.find_live_matches_in(guild, CLOSED_AT_ONCE) if close_match(tx, row, "aborted", CLOSED, now)
    ]
    for row in closed:
        tx.drop_notices(row.id)
        tx.leave_messages(row.id)
        tx.park(row.id, reason)
    return [row.id for row in closed]


def note_departures(tx: Transaction, gone: Collection[GuildId], here: Collection[GuildId], now: int) -> list[GuildId]:
    """Note since when the bot is `gone` from servers, and that it is in the others; returns the servers that have been
    without it for a month."""
    since = {int(name.removeprefix(DEPARTED)): int(value) for name, value in tx.read_notes(DEPARTED).items()}
    for guild in here:
        if guild in since:
            tx.drop_note(f"{DEPARTED}{guild}", str(since[guild]))
    for guild in gone:
        if guild not in since:
            tx.set_note(f"{DEPARTED}{guild}", str(now))
    return [guild for guild in gone if now - since.get(guild, now) >= KEPT_FOR]
