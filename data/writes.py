"""Everything that changes the database: statements made once, and a class that runs them in one transaction.

The store guarantees, the caller decides. An act of a person is one transaction: `update` raises the version if and only
if it is still the one expected, the move is appended, and the interaction is noted so that a repetition is recognised.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Unpack

from sqlalchemy import Update, bindparam, delete, func, insert, literal, select, update

from bot.core.ids import MatchId
from bot.core.rows import MatchChanges, NewMatch, PlayerChanges, ServerSettings
from data import privacy, standings
from data.reads import Reader
from data.schema import deliveries, matches, moves, notes, players, settings

CREATE = insert(matches)
APPEND = insert(moves)
DELIVER = insert(deliveries).from_select(
    ["interaction", "match", "at"],
    select(
        bindparam("of_interaction", type_=deliveries.c.interaction.type),
        bindparam("of_match", type_=deliveries.c.match.type),
        bindparam("now", type_=deliveries.c.at.type),
    ).where(~select(deliveries.c.match).where(deliveries.c.interaction == bindparam("of_interaction")).exists()),
)
FORGET = delete(deliveries).where(deliveries.c.at < bindparam("before"))

HERE = (players.c.match == bindparam("of_match"), players.c.user == bindparam("of_user"))
JOIN = insert(players).from_select(
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
    ).where(~select(players.c.user).where(*HERE).exists()),
)
LEAVE = delete(players).where(*HERE)

THIS = matches.c.id == bindparam("of_match")
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
        return self._connection.execute(JOIN, values).rowcount == 1

    def leave(self, match_id: int, user_id: int) -> bool:
        """Take somebody out of a match; False if they were not in it."""
        return self._connection.execute(LEAVE, {"of_match": match_id, "of_user": user_id}).rowcount == 1

    def seat(self, match_id: int, user_id: int, **columns: Unpack[PlayerChanges]) -> bool:
        """Set columns of a player (seat, rank, score, consent …); False if they are not in the match."""
        values = {"of_match": match_id, "of_user": user_id, **_named(columns)}
        return self._connection.execute(_seat(tuple(columns)), values).rowcount == 1

    def deliver(self, interaction_id: int, match_id: int, now: int) -> bool:
        """Note that an interaction has acted on a match, so that `seen` knows it; False if it has acted already."""
        values = {"of_interaction": interaction_id, "of_match": match_id, "now": now}
        return self._connection.execute(DELIVER, values).rowcount == 1

    def forget_deliveries(self, before: int) -> int:
        """Drop what is known of interactions acted on before a time, and return how many they were."""
        return self._connection.execute(FORGET, {"before": before}).rowcount

    def rate(self, match_id: int) -> None:
        """Let a match that this transaction has just finished count for its players' ratings.

        Called once for every finished match, when its state, `ended`, ranks and record are written; a match that does
        not count (unrated, alone, somebody without a move) changes nothing.
        """
        standings.count(self._connection, match_id)

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

    def set_note(self, name: str, value: str) -> None:
        """Write a note, in place of an older one of that name."""
        self._connection.execute(delete(notes).where(notes.c.name == name))
        self._connection.execute(insert(notes), {"name": name, "value": value})

    def set_settings(self, guild: int, chosen: ServerSettings) -> None:
        """Write the settings of a server."""
        self._connection.execute(delete(settings).where(settings.c.guild == guild))
        values = {"guild": guild, "channels": chosen.channels, "threads": chosen.threads}
        self._connection.execute(insert(settings), values)

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
