"""Writes matches for the umpire and the publisher: challenges, moves, players, and what Discord was shown.

An act of a person is one transaction: `update` raises the version if and only if it is still the expected one, the move
is appended, and the interaction is noted so that a repetition is recognised.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import cache
from typing import Any, Unpack

from sqlalchemy import BigInteger, Connection, Update, bindparam, delete, func, insert, literal, select, true, update

from bot.core.match.stored import Ask, MatchChanges, NewMatch, PlayerChanges
from bot.core.rating.stored_standings import Lost
from bot.core.values.ids import MatchId, UserId
from bot.core.values.seats import Seat
from data.engine.advisory_locks import About, go_beside
from data.queries import standings
from data.tables.expressions import among, insert_new, upsert
from data.tables.prepared_statements import Prepared
from data.tables.rows import fields_of
from data.tables.schema import challenge_requests, deliveries, matches, move_losses, moves, players, reviews

CREATE = insert(matches)
APPEND = Prepared(insert(moves))
DELIVER = insert_new(deliveries)
SNOWFLAKES_A_SECOND = 1000 << 22
"""How much the numbers that Discord gives grow in a second: their upper bits are its clock, in milliseconds."""
OTHERS = deliveries.alias()
FORGET = delete(deliveries).where(
    deliveries.c.interaction > 0,
    deliveries.c.interaction
    < select(func.max(OTHERS.c.interaction) - bindparam("age", type_=BigInteger())).scalar_subquery(),
    deliveries.c.at < select(func.max(OTHERS.c.at) - bindparam("seconds", type_=BigInteger())).scalar_subquery(),
)
FORGET_TIMED = delete(deliveries).where(
    deliveries.c.interaction < 0,
    ~select(matches.c.id).where(matches.c.id == deliveries.c.match, matches.c.state == "live").exists(),
)

HERE = (players.c.match == bindparam("of_match"), players.c.user == bindparam("of_user"))
JOIN = insert_new(
    players,
    ["match", "user", "joined", "invited", "consent", "mention_version"],
    select(
        bindparam("of_match", type_=players.c.match.type),
        bindparam("of_user", type_=players.c.user.type),
        select(func.coalesce(func.max(players.c.joined), 0) + 1)
        .where(players.c.match == bindparam("of_match"))
        .scalar_subquery(),
        bindparam("invited", type_=players.c.invited.type),
        literal(False),
        bindparam("due", type_=players.c.mention_version.type),
    ).where(true()),
)
LEAVE = delete(players).where(*HERE)
HINTED = update(players).where(*HERE).values(hints=players.c.hints + 1)
HAND_ON = update(players).where(*HERE).values(user=bindparam("to_user"), wakes=None)

THIS = matches.c.id == bindparam("of_match")
PARK = update(matches).where(THIS).values(publish_error=bindparam("why"))
SET_THREAD = update(matches).where(THIS).values(thread=bindparam("to_thread"), awaits_thread=bindparam("awaits"))
SET_PLACE = (
    update(matches)
    .where(THIS)
    .values(
        channel=bindparam("to_channel"), thread=bindparam("to_thread"), awaits_thread=False, lobby_message=None,
        publish_error=None, told_version=0,
    )
)  # fmt: skip
RENAMED = update(matches).where(THIS).values(rename_pending=False)
ANNOUNCED = update(matches).where(THIS).values(announce_until=None, announcement=bindparam("by_message"))
TOLD = (
    update(matches)
    .where(THIS, matches.c.told_version < bindparam("to_version"))
    .values(told_version=bindparam("to_version"), told_message=bindparam("to_message"))
)
UNTELL = update(matches).where(THIS).values(told_version=0)
SET_LOBBY = update(matches).where(THIS).values(lobby_message=bindparam("to_message"))
REVIEW = upsert(reviews)
ON_SEAT = select(players.c.user).where(
    players.c.match == bindparam("of_match"), players.c.seat == bindparam("on_seat"), players.c.user > 0
)
LOST = upsert(move_losses)

ASK = upsert(challenge_requests)
UNASK = delete(challenge_requests).where(
    challenge_requests.c.match == bindparam("of_match"), among(challenge_requests.c.asked, "people")
)
FORGET_ASKS = delete(challenge_requests).where(challenge_requests.c.at < bindparam("before"))


@cache
def _update(columns: tuple[str, ...]) -> Prepared:
    changes = {name: bindparam(f"new_{name}", type_=matches.c[name].type) for name in columns}
    unchanged = matches.c.version == bindparam("expected")
    return Prepared(update(matches).where(THIS, unchanged).values(version=matches.c.version + 1, **changes))


@cache
def _shown(columns: tuple[str, ...]) -> Update:
    changes = {name: bindparam(f"new_{name}", type_=matches.c[name].type) for name in columns}
    forward = matches.c.shown_version <= bindparam("new_shown_version")
    return update(matches).where(THIS, forward).values(publish_error=None, **changes)


@cache
def _seat(columns: tuple[str, ...]) -> Prepared:
    changes = {name: bindparam(f"new_{name}", type_=players.c[name].type) for name in columns}
    return Prepared(update(players).where(*HERE).values(**changes))


def _named(columns: Mapping[str, object]) -> dict[str, object]:
    return {f"new_{name}": value for name, value in columns.items()}


class MatchWrites:
    """The part of a `Transaction` that changes matches."""

    _connection: Connection

    def create(self, new: NewMatch) -> MatchId:
        """Keep a challenge, with its host as the first who has joined, and return its id."""
        fields = {name: getattr(new, name) for name in new.__slots__ if name != "lines"}
        start = {"state": "open", "version": 1, "shown_version": 0, "turn": (), "shown_plies": 0}
        start |= {"plies": len(new.lines), "imported_plies": len(new.lines)}
        result = self._connection.execute(CREATE, {**fields, **start, "published": False})
        match_id = MatchId(result.inserted_primary_key[0] if result.inserted_primary_key else 0)
        for ply, line in enumerate(new.lines, 1):
            self.append(match_id, ply, line.seat, line.text, new.created)
        self.join(match_id, new.host)
        return match_id

    def update(self, match_id: int, expected_version: int, **columns: Unpack[MatchChanges]) -> bool:
        """Set columns and raise the version by one, if it is the expected one; False, and no change, if it is not."""
        values = {"of_match": match_id, "expected": expected_version, **_named(columns)}
        return _update(tuple(columns)).write(self._connection, values) == 1

    def append(self, match_id: int, ply: int, seat: int, text: str, now: int) -> None:
        """Add line `ply` (1, 2, …) to a record; a second line with this number is an error."""
        values = {"match": match_id, "ply": ply, "seat": seat, "text": text, "at": now}
        APPEND.write(self._connection, values)

    def join(self, match_id: int, user_id: int, invited: bool = False) -> bool:
        """Add somebody to a match; False, and no change, if they are in it already. Who is invited must be told so."""
        values = {"of_match": match_id, "of_user": user_id, "invited": invited, "due": int(invited)}
        return JOIN.write(self._connection, values) == 1

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
        return _seat(tuple(columns)).write(self._connection, values) == 1

    def seat_each(self, match_id: int, players: Mapping[UserId, Mapping[str, Any]]) -> None:
        """Set columns of several players; those who have the same ones to be set are written in one statement."""
        alike: dict[tuple[str, ...], list[dict[str, object]]] = {}
        for user, columns in players.items():
            values = {"of_match": match_id, "of_user": user, **_named(columns)}
            alike.setdefault(tuple(columns), []).append(values)
        for names, rows in alike.items():
            _seat(names).write_each(self._connection, rows)

    def deliver(self, interaction_id: int, match_id: int, now: int) -> bool:
        """Note that an interaction has acted on a match, so that `seen` knows it; False if it has acted already."""
        values = {"interaction": interaction_id, "match": match_id, "at": now}
        return DELIVER.write(self._connection, values) == 1

    def ask(self, match_id: int, guild: int, ask: Ask) -> None:
        """Note that a match asks somebody to play, in place of an older such note.

        The note is kept for an hour, apart from the match: somebody who declines leaves no row there, and was asked.
        """
        ASK.write(self._connection, {"match": match_id, "guild": guild, **fields_of(challenge_requests, ask)})

    def unask(self, match_id: int, people: Collection[int]) -> None:
        """Drop the notes that a match asked some people to play: once they play, they wanted to be asked."""
        self._connection.execute(UNASK, {"of_match": match_id, "people": [*people]})

    def forget_asks(self, before: int) -> None:
        """Drop the notes of who was asked by whom before a time."""
        self._connection.execute(FORGET_ASKS, {"before": before})

    def forget_deliveries(self, seconds: int) -> int:
        """Drop what is known of interactions so much older than the newest that has acted, and return how many.

        By Discord's clock, which is in their numbers: no clock of ours, however wrong, makes an interaction forgotten
        that may be delivered again. And by ours too, since a card acts under its own number, which may be old. Acts
        that time brought about have negative numbers, which are nobody's clock: they are known for as long as their
        match is live, and could come about again.
        """
        self._connection.execute(FORGET_TIMED)
        return self._connection.execute(FORGET, {"age": seconds * SNOWFLAKES_A_SECOND, "seconds": seconds}).rowcount

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

    def told(self, match_id: int, version: int, message: int) -> None:
        """Note the line that has told everybody concerned of a match up to this version. Only ever forward."""
        self._connection.execute(TOLD, {"of_match": match_id, "to_version": version, "to_message": message})

    def untell(self, match_id: int) -> None:
        """Note that the lines which told of what no board shows yet are gone with their place."""
        self._connection.execute(UNTELL, {"of_match": match_id})

    def keep_review(self, match_id: int, version: int, found: str, lost: Mapping[Seat, Lost]) -> None:
        """Keep the computer's review of a match, in place of one that another version of the reviewer wrote, and what
        moves of people lost, for those of them who have not been forgotten."""
        go_beside(self._connection, About.TIMES)  # nobody is forgotten meanwhile
        REVIEW.write(self._connection, {"match": match_id, "version": version, "found": found})
        for seat, one in lost.items():
            user = self._connection.execute(ON_SEAT, {"of_match": match_id, "on_seat": seat}).scalar()
            if user:
                LOST.write(self._connection, {"match": match_id, "user": user, **fields_of(move_losses, one)})

    def count_hint(self, act: int, match_id: int, user_id: int, now: int) -> bool:
        """Count a hint of somebody's, if this act has not been noted yet; False, and no change, if it has."""
        if not self.deliver(act, match_id, now):
            return False
        self._connection.execute(HINTED, {"of_match": match_id, "of_user": user_id})
        return True

    def park(self, match_id: int, reason: str | None) -> None:
        """Note why the board cannot be shown, or with None that it can be again."""
        self._connection.execute(PARK, {"of_match": match_id, "why": reason})

    def set_thread(self, match_id: int, thread: int | None, awaits: bool = False) -> None:
        """Note where a match is played; one that `awaits` a thread leaves that place when it gets one."""
        self._connection.execute(SET_THREAD, {"of_match": match_id, "to_thread": thread, "awaits": awaits})

    def set_place(self, match_id: int, channel: int, thread: int) -> None:
        """Move a match to another channel and the place in it where it is played: nothing of it stands there yet."""
        self._connection.execute(SET_PLACE, {"of_match": match_id, "to_channel": channel, "to_thread": thread})

    def renamed(self, match_id: int) -> None:
        """Note that the thread of a match says that it is over, or that this cannot be said."""
        self._connection.execute(RENAMED, {"of_match": match_id})

    def announced(self, match_id: int, message: int | None) -> None:
        """Note the message that tells the channel of a match how it ended, or that none does."""
        self._connection.execute(ANNOUNCED, {"of_match": match_id, "by_message": message})

    def set_lobby_message(self, match_id: int, message: int | None) -> None:
        """Note the message that shows the challenge."""
        self._connection.execute(SET_LOBBY, {"of_match": match_id, "to_message": message})
