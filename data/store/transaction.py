"""Everything that changes the database: statements made once, and a class that runs them in one transaction.

The store guarantees, the caller decides. An act of a person is one transaction: `update` raises the version if and only
if it is still the one expected, the move is appended, and the interaction is noted so that a repetition is recognised.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import asdict
from functools import cache
from typing import Any, Unpack

from sqlalchemy import BigInteger, Update, bindparam, delete, func, insert, literal, select, true, update

from bot.core.match.stored import (
    Ask,
    Away,
    Leftover,
    MatchChanges,
    NewMatch,
    Player,
    PlayerChanges,
    Preferences,
    Sending,
    ServerSettings,
)
from bot.core.values.ids import MatchId, UserId
from data.engine.advisory_locks import About, go_alone, go_beside
from data.queries import (
    absences,
    asking,
    cleanup_outbox,
    clock_queries,
    default_clocks,
    kept_reviews,
    outbox,
    preferences,
    privacy,
    standings,
)
from data.store.reader import Reader
from data.tables.schema import (
    deliveries,
    matches,
    moves,
    notes,
    players,
    settings,
)
from data.tables.upsert import replacing, unless_there

CREATE = insert(matches)
APPEND = insert(moves)
DELIVER = unless_there(deliveries)
SNOWFLAKES_A_SECOND = 1000 << 22
"""How much the numbers that Discord gives grow in a second: their upper bits are its clock, in milliseconds."""
OTHERS = deliveries.alias()
FORGET = delete(deliveries).where(
    deliveries.c.interaction > 0,
    deliveries.c.interaction
    < select(func.max(OTHERS.c.interaction) - bindparam("age", type_=BigInteger())).scalar_subquery(),
)
FORGET_TIMED = delete(deliveries).where(
    deliveries.c.interaction < 0,
    ~select(matches.c.id).where(matches.c.id == deliveries.c.match, matches.c.state == "live").exists(),
)

HERE = (players.c.match == bindparam("of_match"), players.c.user == bindparam("of_user"))
JOIN = unless_there(
    players,
    ["match", "user", "joined", "invited", "consent", "due"],
    select(
        bindparam("of_match", type_=players.c.match.type),
        bindparam("of_user", type_=players.c.user.type),
        select(func.coalesce(func.max(players.c.joined), 0) + 1)
        .where(players.c.match == bindparam("of_match"))
        .scalar_subquery(),
        bindparam("invited", type_=players.c.invited.type),
        literal(False),
        bindparam("due", type_=players.c.due.type),
    ).where(true()),
)
HOLD = select(matches.c.id).where(matches.c.id == bindparam("of_match")).with_for_update(key_share=True)
LEAVE = delete(players).where(*HERE)
HINTED = update(players).where(*HERE).values(hints=players.c.hints + 1)
HAND_ON = update(players).where(*HERE).values(user=bindparam("to_user"))

THIS = matches.c.id == bindparam("of_match")
NOTE, SETTINGS = replacing(notes), replacing(settings)
PARK = update(matches).where(THIS).values(parked=bindparam("why"))
SET_THREAD = update(matches).where(THIS).values(thread=bindparam("to_thread"))
RENAMED = update(matches).where(THIS).values(rename=False)
SET_LOBBY = update(matches).where(THIS).values(lobby_message=bindparam("to_message"))


@cache
def _update(columns: tuple[str, ...]) -> Update:
    changes = {name: bindparam(f"new_{name}", type_=matches.c[name].type) for name in columns}
    unchanged = matches.c.version == bindparam("expected")
    return update(matches).where(THIS, unchanged).values(version=matches.c.version + 1, **changes)


@cache
def _shown(columns: tuple[str, ...]) -> Update:
    changes = {name: bindparam(f"new_{name}", type_=matches.c[name].type) for name in columns}
    forward = matches.c.shown_version <= bindparam("new_shown_version")
    return update(matches).where(THIS, forward).values(parked=None, **changes)


@cache
def _seat(columns: tuple[str, ...]) -> Update:
    changes = {name: bindparam(f"new_{name}", type_=players.c[name].type) for name in columns}
    return update(players).where(*HERE).values(**changes)


def _named(columns: Mapping[str, object]) -> dict[str, object]:
    return {f"new_{name}": value for name, value in columns.items()}


class Transaction(Reader):
    """One transaction that may write; all that a `Reader` can be asked can be asked of it too.

    On SQLite nobody else writes meanwhile, so what it has read stays true until its end.
    """

    def go_alone(self, guild: int) -> None:
        """Let nobody else who asks for this write beside this transaction in a server; said first, what is read
        afterwards stays true until its end on PostgreSQL too."""
        go_alone(self._connection, About.SERVER, guild)

    def go_alone_for(self, user: int) -> None:
        """The same, about a person: what they have chosen, and what is on its way to them."""
        go_alone(self._connection, About.PERSON, user)

    def change_times(self) -> None:
        """Let nobody set a clock beside this transaction, which changes what many clocks go by; said first of all."""
        go_alone(self._connection, About.TIMES)

    def keep_times(self) -> None:
        """Let nobody change beside this transaction what clocks go by, since it sets some; said first of all."""
        go_beside(self._connection, About.TIMES)

    def hold(self, match_id: int) -> None:
        """Let nobody else write to a match beside this transaction; said before anything is locked about people."""
        self._connection.execute(HOLD, {"of_match": match_id})

    def create(self, new: NewMatch) -> MatchId:
        """Keep a challenge, with its host as the first who has joined, and return its id."""
        fields = {name: getattr(new, name) for name in new.__slots__}
        start = {"state": "open", "version": 1, "shown_version": 0, "plies": 0, "turn": (), "shown_plies": 0}
        result = self._connection.execute(CREATE, {**fields, **start, "published": False})
        match_id = MatchId(result.inserted_primary_key[0] if result.inserted_primary_key else 0)
        self.join(match_id, new.host)
        return match_id

    def update(self, match_id: int, expected_version: int, **columns: Unpack[MatchChanges]) -> bool:
        """Set columns and raise the version by one, if it is the expected one; False, and no change, if it is not."""
        values = {"of_match": match_id, "expected": expected_version, **_named(columns)}
        return self._connection.execute(_update(tuple(columns)), values).rowcount == 1

    def append(self, match_id: int, ply: int, seat: int, text: str, now: int) -> None:
        """Add line `ply` (1, 2, …) to a record; a second line with this number is an error."""
        values = {"match": match_id, "ply": ply, "seat": seat, "text": text, "at": now}
        self._connection.execute(APPEND, values)

    def join(self, match_id: int, user_id: int, invited: bool = False) -> bool:
        """Add somebody to a match; False, and no change, if they are in it already. Who is invited must be told so."""
        values = {"of_match": match_id, "of_user": user_id, "invited": invited, "due": int(invited)}
        return JOIN.say(self._connection, values).rowcount == 1

    def leave(self, match_id: int, user_id: int) -> bool:
        """Take somebody out of a match; False if they were not in it."""
        return self._connection.execute(LEAVE, {"of_match": match_id, "of_user": user_id}).rowcount == 1

    def hand_on(self, match_id: int, user_id: int, to_user: int) -> bool:
        """Put another person in somebody's place in a match; False if they are not in it."""
        values = {"of_match": match_id, "of_user": user_id, "to_user": to_user}
        return self._connection.execute(HAND_ON, values).rowcount == 1

    def seat(self, match_id: int, user_id: int, **columns: Unpack[PlayerChanges]) -> bool:
        """Set columns of a player (seat, rank, score, consent …); False if they are not in the match."""
        values = {"of_match": match_id, "of_user": user_id, **_named(columns)}
        return self._connection.execute(_seat(tuple(columns)), values).rowcount == 1

    def deliver(self, interaction_id: int, match_id: int, now: int) -> bool:
        """Note that an interaction has acted on a match, so that `seen` knows it; False if it has acted already."""
        values = {"interaction": interaction_id, "match": match_id, "at": now}
        return DELIVER.say(self._connection, values).rowcount == 1

    def ask(self, match_id: int, guild: int, ask: Ask) -> None:
        """Note that a match asks somebody to play, in place of an older such note."""
        asking.ask(self._connection, match_id, guild, ask)

    def unask(self, match_id: int, people: Collection[int]) -> None:
        """Drop that a match asked some people to play, who do so."""
        asking.unask(self._connection, match_id, people)

    def forget_asks(self, before: int) -> None:
        """Drop who was asked by whom before a time."""
        asking.forget(self._connection, before)

    def forget_deliveries(self, seconds: int) -> int:
        """Drop what is known of interactions so much older than the newest that has acted, and return how many.

        By Discord's clock, which is in their numbers: no clock of ours, however wrong, makes an interaction forgotten
        that may be delivered again. Acts that time brought about have negative numbers, which are nobody's clock: they
        are known for as long as their match is live, and could come about again.
        """
        self._connection.execute(FORGET_TIMED)
        return self._connection.execute(FORGET, {"age": seconds * SNOWFLAKES_A_SECOND}).rowcount

    def rate(self, match_id: int) -> int | None:
        """Let a match that this transaction has just finished count for its players' ratings, and return when it ended.

        Called once for every finished match, when its state, `ended`, ranks and record are written. No match ends
        before one of its server that has ended: results count in that order. A match that does not count (unrated,
        alone, somebody without a move) changes no rating.
        """
        return standings.count(self._connection, match_id)

    def shown(
        self,
        match_id: int,
        version: int,
        board_channel: int | None = None,
        board_message: int | None = None,
        shown_plies: int | None = None,
    ) -> bool:
        """Note that Discord has accepted this version, where it stands, and how much of the record it shows.

        That is nobody's act: it raises no version, and is not conditional on one. Only ever forward: False, and no
        change, if a later version has been shown. The match is no longer parked.
        """
        given = {"board_channel": board_channel, "board_message": board_message, "shown_plies": shown_plies}
        columns = {"shown_version": version, **{name: value for name, value in given.items() if value is not None}}
        values = {"of_match": match_id, **_named(columns)}
        return self._connection.execute(_shown(tuple(columns)), values).rowcount == 1

    def leave_over(self, left: Leftover) -> None:
        """Note an edit that is still to be made, in place of an older one of the same message."""
        cleanup_outbox.add(self._connection, left)

    def meet(self, left: Leftover) -> None:
        """Have a message edited at once: as was noted for it already, else like this."""
        cleanup_outbox.meet(self._connection, left)

    def redraw(self, matches: Collection[int], now: int) -> None:
        """Have the boards of live matches and the challenges of open ones edited in a moment, as the matches stand
        then: nobody is told, and no version is raised, so what people see stays good to act on."""
        cleanup_outbox.redraw(self._connection, matches, now)

    def put_off(self, left: Leftover, due: int) -> None:
        """Note that an edit failed, and when it is tried again."""
        cleanup_outbox.put_off(self._connection, left, due)

    def clear(self, left: Leftover) -> None:
        """Forget an edit that is made or cannot be made, unless another of the same message was left over since."""
        cleanup_outbox.clear(self._connection, left)

    def keep_sending(self, sending: Sending) -> None:
        """Note that a reminder is on its way, in place of what was on its way to the same person about the match."""
        outbox.keep(self._connection, sending)

    def put_off_sending(self, sending: Sending, due: int, tries: int) -> bool:
        """Note when a reminder is tried again; False where somebody else has taken it meanwhile."""
        return outbox.put_off(self._connection, sending, due, tries)

    def drop_sending(self, sending: Sending) -> bool:
        """Forget a reminder that has arrived or is not to be sent any more; False where it is forgotten already."""
        return outbox.drop(self._connection, sending)

    def keep_review(self, match_id: int, version: int, found: str) -> None:
        """Keep what the computer found in a match, in place of what another version found."""
        kept_reviews.keep(self._connection, match_id, version, found)

    def count_hint(self, act: int, match_id: int, user_id: int, now: int) -> bool:
        """Count a hint of somebody's, if this act has not been noted yet; False, and no change, if it has."""
        if not self.deliver(act, match_id, now):
            return False
        self._connection.execute(HINTED, {"of_match": match_id, "of_user": user_id})
        return True

    def set_note(self, name: str, value: str) -> None:
        """Write a note, in place of an older one of that name."""
        NOTE.say(self._connection, {"name": name, "value": value})

    def replace_note(self, name: str, expected: str | None, value: str) -> bool:
        """Write a note if it is still the expected one, or None if there is to be none yet; False if it is not."""
        return clock_queries.replace_note(self._connection, name, expected, value)

    def drop_note(self, name: str, expected: str) -> None:
        """Drop a note if it is still the expected one."""
        clock_queries.drop_note(self._connection, name, expected)

    def put_clocks(self, clocks: Sequence[tuple[MatchId, UserId, dict[str, Any]]]) -> None:
        """Set many clocks that run, each of somebody in a match: `left`, `since`, `deadline`, `remind`."""
        clock_queries.put(self._connection, clocks)

    def postpone(self, by: int) -> None:
        """Let all who have run out of time leave so many seconds later."""
        clock_queries.postpone(self._connection, by, self._ours)

    def postpone_wishes(self, by: int) -> None:
        """Let what is asked in paused matches be answered so many seconds later; their boards are to be drawn again,
        since the buttons on them answer what was asked before."""
        clock_queries.postpone_wishes(self._connection, by, self._ours)

    def shift(self) -> tuple[MatchId, ...]:
        """Note that the times of all matches with clocks are others, and return those matches: acts decided on the old
        times are decided anew, and nothing lags behind that would be posted."""
        return clock_queries.shift(self._connection, self._ours)

    def set_settings(self, guild: int, chosen: ServerSettings) -> None:
        """Write the settings of a server."""
        self.go_alone(guild)
        SETTINGS.say(self._connection, {"guild": guild, **asdict(chosen)})

    def change_settings(self, guild: int, change: Callable[[ServerSettings], ServerSettings]) -> ServerSettings:
        """Change the settings of a server as they are now, and return what they have become."""
        self.go_alone(guild)
        changed = change(self.settings(guild))
        self.set_settings(guild, changed)
        return changed

    def change_preferences(self, user: int, changing: Callable[[Preferences], Preferences]) -> Preferences:
        """Change what somebody has chosen for themselves as it is now, and return what it has become."""
        return preferences.change(self._connection, user, changing)

    def keep_away(self, guild: int, user: int, one: Away) -> None:
        """Note an absence of somebody's, in place of one that began at the same moment."""
        absences.keep(self._connection, guild, user, one)

    def reset(self, match_id: int, player: Player, columns: dict[str, Any]) -> None:
        """Set the clock of somebody that still runs as it was read."""
        default_clocks.reset(self._connection, match_id, player, columns)

    def forget(self, user: int) -> None:
        """Take a person's number out of every table."""
        privacy.forget(self._connection, user)

    def park(self, match_id: int, reason: str | None) -> None:
        """Note why the board cannot be shown, or with None that it can be again."""
        self._connection.execute(PARK, {"of_match": match_id, "why": reason})

    def set_thread(self, match_id: int, thread: int | None) -> None:
        """Note where a match is played."""
        self._connection.execute(SET_THREAD, {"of_match": match_id, "to_thread": thread})

    def renamed(self, match_id: int) -> None:
        """Note that the thread of a match says that it is over, or that this cannot be said."""
        self._connection.execute(RENAMED, {"of_match": match_id})

    def set_lobby_message(self, match_id: int, message: int | None) -> None:
        """Note the message that shows the challenge."""
        self._connection.execute(SET_LOBBY, {"of_match": match_id, "to_message": message})
