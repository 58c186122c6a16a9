"""`Transaction` has all writes that a transaction can make, and the locks that keep two apart on PostgreSQL."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import bindparam, select

from data.engine.advisory_locks import About, go_alone, go_beside
from data.queries import privacy
from data.queries.clock_queries import ClockWrites
from data.queries.daily.puzzle_try_queries import PuzzleWrites
from data.queries.league_queries import LeagueWrites
from data.queries.match_writes import MatchWrites
from data.queries.notice_queries import NoticeWrites
from data.queries.outbox_queries import OutboxWrites
from data.queries.rewriting_queries import RewritingWrites
from data.queries.server_erasure import ServerWrites
from data.queries.settings_queries import SettingsWrites
from data.store.forgotten_list import Entry
from data.store.reader import Reader
from data.tables.schema import matches

HOLD = select(matches.c.id).where(matches.c.id == bindparam("of_match")).with_for_update(key_share=True)


class Transaction(
    MatchWrites, ClockWrites, OutboxWrites, NoticeWrites, SettingsWrites, PuzzleWrites, LeagueWrites, ServerWrites,
    RewritingWrites, Reader,
):  # fmt: skip
    """One transaction that may write; all that a `Reader` can be asked can be asked of it too.

    On SQLite nobody else writes meanwhile, so what it has read stays true until its end.
    """

    def go_alone(self, guild: int) -> None:
        """Let nobody else who asks for this write beside this transaction in a server; said first, what is read
        afterwards stays true until its end on PostgreSQL too."""
        go_alone(self._connection, About.SERVER, guild)

    def go_beside(self, guild: int) -> None:
        """Let others who ask for this write beside this transaction in a server, but none that goes alone there."""
        go_beside(self._connection, About.SERVER, guild)

    def go_alone_for(self, user: int) -> None:
        """Let nobody else who asks for this write beside this transaction about a person: what they have chosen, whom
        they ask to play and who asks them, and what is on its way to them. Of several people the least number first."""
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

    def forget(self, user: int, entries: Sequence[Entry] = ()) -> None:
        """Take a person's number out of every table, and note that these entries of the list of the forgotten were
        followed."""
        privacy.forget(self._connection, user)
        self.follow(entries)

    def follow(self, entries: Sequence[Entry]) -> None:
        """Note that entries of the list of the forgotten were followed in this database."""
        for entry in entries:
            self.set_note(entry.note, entry.day)
