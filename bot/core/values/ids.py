"""Numbers that name things, each kind a type of its own, so that a person is never taken for a match.

A match's number is the store's, the others are Discord's; a thread is a channel. Numbers from outside become ids where
they come in: in an interaction (`bot.client.interactions.context`), a custom_id (`bot.client.interactions.custom_ids`)
or a row of the database.
"""

from __future__ import annotations

from typing import NewType

MatchId = NewType("MatchId", int)
UserId = NewType("UserId", int)
GuildId = NewType("GuildId", int)
ChannelId = NewType("ChannelId", int)
MessageId = NewType("MessageId", int)
InteractionId = NewType("InteractionId", int)
