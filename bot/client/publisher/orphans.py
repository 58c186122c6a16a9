"""Messages of ours that Discord took and the store knows nothing of: a death or a lost answer came in between.

A nonce gives such a message back for some minutes only. So where something may have been posted unnoticed, we look
among the last messages of the place before we post: at the first showing of a match in this life of the process, and
after a post whose answer never came. What is found is taken in, and nothing posted; whoever it told is not told twice.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from math import inf

import discord

from bot.client.http.messages import Channels
from bot.client.views import match_views, views
from bot.core.match.loaded_match import Seated
from bot.core.match.stored import Leftover, MatchRow
from bot.core.values.ids import ChannelId, MatchId, MessageId

NONCES = 10**10
"""So much of a message's number goes into a nonce, which has room for 25 characters."""
REMEMBERED = 10_000
"""Of so many matches we know whether all that was posted is noted; to have forgotten it costs a look."""


class Strays:
    """Knows where a post may have gone unnoticed, and looks there."""

    def __init__(self, channels: Channels) -> None:
        self.channels = channels
        self._born = inf
        self._sure: OrderedDict[tuple[MatchId, ChannelId], bool] = OrderedDict()

    def begin(self, now: int) -> None:
        """Know that nothing has been posted yet in this life, at a moment of the clock that matches are dated by."""
        self._born = now

    def sure(self, seated: Seated, place: ChannelId) -> bool:
        """Whether all that was ever posted for a match in a place is noted; of a match of this life we know it."""
        return self._sure.get((seated.id, place), seated.row.created > self._born)

    def settle(self, seated: Seated, place: ChannelId, sure: bool = True) -> None:
        """Know that all is noted, or that something may not be."""
        self._sure[seated.id, place] = sure
        self._sure.move_to_end((seated.id, place))
        if len(self._sure) > REMEMBERED:
            self._sure.popitem(last=False)

    @asynccontextmanager
    async def doubting(self, seated: Seated, place: ChannelId) -> AsyncGenerator[None]:
        """Post and note something; unless both are done, nobody knows whether Discord has it."""
        self.settle(seated, place, sure=False)
        yield
        self.settle(seated, place)

    async def found(
        self, seated: Seated, place: ChannelId, wanted: Callable[[discord.Message], bool]
    ) -> list[discord.Message]:
        """Messages of ours in a place, the newest first, where there may be some that nobody knows of."""
        if self.sure(seated, place):
            return []
        return [message for message in await self.channels.ours(place) if wanted(message)]


def is_lobby(message: discord.Message, match: MatchId) -> bool:
    """Whether a message is the open challenge of a match."""
    found = views.buttons_on(message.components)
    return any(button.match == match and button.verb in match_views.LOBBY_VERBS for button in found)


def is_board(message: discord.Message, match: MatchId) -> bool:
    """Whether a message is a board of a match, with its buttons."""
    mine = any(button.match == match for button in views.buttons_on(message.components))
    return mine and not is_lobby(message, match)


def says(message: discord.Message, view: discord.ui.LayoutView) -> bool:
    """Whether a message shows what a view would."""
    return views.said([part.to_dict() for part in message.components]) == views.said(view.to_components())


def stray(message: discord.Message, row: MatchRow) -> Leftover:
    """A message that nobody knows of, to be closed."""
    return Leftover(MessageId(message.id), ChannelId(message.channel.id), row.id, row.version)
