"""Makes the edits that a new board leaves to the outbox: of the board before it, an orphaned one, the challenge."""

from __future__ import annotations

import discord

from bot.core.match.loaded_match import LoadedMatch
from bot.core.match.stored import MatchRow, PendingEdit
from bot.core.values.ids import ChannelId, MessageId


def former_board(seated: LoadedMatch, message: MessageId) -> PendingEdit | None:
    """The edit that closes the board before a new one; None where there is none before it."""
    row = seated.row
    if not row.board_message or row.board_message == message:
        return None
    return PendingEdit(row.board_message, row.board_channel or seated.place, row.id, row.version, row.shown_plies)


def of_challenge(row: MatchRow) -> PendingEdit | None:
    """The edit that redraws the message of a match's challenge; None where there is none."""
    return PendingEdit(row.lobby_message, row.channel, row.id, row.version) if row.lobby_message else None


def to_close(message: discord.Message, row: MatchRow) -> PendingEdit:
    """The cleanup of an orphan: its buttons are taken off."""
    return PendingEdit(MessageId(message.id), ChannelId(message.channel.id), row.id, row.version)


def to_remove(row: MatchRow, message: MessageId) -> PendingEdit:
    """The cleanup of a message in the channel of a match that has nothing to say any more."""
    return PendingEdit(message, row.channel, row.id, row.version, remove=True)
