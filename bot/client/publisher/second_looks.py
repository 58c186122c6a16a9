"""Looks after the messages of matches whose edits are sent once more (`bot/client/views/second_edits.py`).

Such an edit shows the match as it was seconds ago. While it is on its way, another process may close the board that it
shows, or edit it: then it would give buttons back that nobody takes off, or hide what is new. So it is not sent where
something is about to be shown, and stands in the outbox while it is under way, as every other edit does. Where the
match has gone on by then, or nobody has noted how it went, the message is edited as it is stored.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import NamedTuple

import discord

from bot.client.publisher.board_messages import UNDER_WAY
from bot.client.views import views
from bot.client.views.second_edits import Watch
from bot.core.match.stored import MatchRow, PendingEdit
from bot.core.values.ids import ChannelId, MatchId, MessageId
from bot.service.umpire.umpire import Umpire
from data.store import Transaction

LATEST, MOST = 2**62, 1000
"""A moment after all others, and more edits than a match ever has left over."""


class Seen(NamedTuple):
    """What a match looks like to whoever edits one of its messages: its version, and which messages these are."""

    version: int
    board: int | None
    lobby: int | None
    announcement: int | None


class SecondLook(Watch):
    """Looks after one message of a match."""

    def __init__(self, umpire: Umpire, match: MatchId, message: discord.Message) -> None:
        self._umpire = umpire
        self._match = match
        self._message = MessageId(message.id)
        self._channel = ChannelId(message.channel.id)
        self._seen: Seen | None = None

    async def begins(self) -> bool:
        """Whether the message shows the match as it is stored, as far as is noted, and no other edit of it is."""
        self._seen = await self._umpire.store.do(self._standing)
        return self._seen is not None

    def _standing(self, tx: Transaction) -> Seen | None:
        row, edits = tx.row(self._match), tx.left_over(LATEST, MOST, self._match)
        if row is None or row.shown_version != row.version or any(one.message == self._message for one in edits):
            return None
        seen = _seen(row)
        return seen if self._message in (*seen[1:], row.told_message) else None

    @asynccontextmanager
    async def sending(self) -> AsyncGenerator[bool]:
        """The edit is sent inside this, unless the match has gone on. Where nobody has looked before, since the edit
        has crossed another, the message is edited as it is stored instead."""
        edit = await self._umpire.store.do(self._taken)
        yield edit is not None
        if edit is not None:
            await self._umpire.store.do(self._settled, edit)

    def _taken(self, tx: Transaction) -> PendingEdit | None:
        row = tx.row(self._match)
        if row is None:
            return None
        plies = row.shown_plies if self._message == row.board_message else None
        edit = PendingEdit(
            self._message, self._channel, row.id, row.version, plies, due=self._umpire.clock() + UNDER_WAY
        )
        if self._message == row.told_message:
            return edit  # what is in the outbox of such a line is that it goes
        if self._seen is None:
            tx.meet(replace(edit, due=0))
            return None
        if self._seen != self._standing(tx):
            return None
        tx.leave_over(edit)
        return edit

    def _settled(self, tx: Transaction, edit: PendingEdit) -> None:
        row = tx.row(self._match)
        if row is None or self._message == row.told_message:
            return
        if _seen(row) == self._seen:
            tx.clear(edit)
        else:
            tx.meet(replace(edit, due=0))


def _seen(row: MatchRow) -> Seen:
    return Seen(row.version, row.board_message, row.lobby_message, row.announcement)


def looking_after(umpire: Umpire, message: discord.Message) -> Watch:
    """What looks after a message while an edit of it is sent once more. One without the buttons of a match shows what
    is over, and stays as it is."""
    found = views.buttons_on(message.components)
    return SecondLook(umpire, found[0].match, message) if found else Watch()
