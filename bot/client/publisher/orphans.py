"""Finds orphaned messages: posts of ours that the store does not know, because the bot died or lost Discord's answer.

Posting again with the same nonce returns such a message for some minutes, not later. So before we post where an orphan
may be, we look among the last messages of the channel: when this process shows a match for the first time, and after a
post without an answer. An orphan that is found is adopted instead of posting, so that nobody is told twice.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import AsyncGenerator, Callable, Collection
from contextlib import asynccontextmanager
from math import inf

import discord

from bot.client.http.messages import Channels
from bot.client.interactions.message_age import is_foreign
from bot.client.people.names import unnamed
from bot.client.views import match_views, views
from bot.client.views.views import MOMENT
from bot.core.match.loaded_match import LoadedMatch, summoned
from bot.core.match.stored import MatchRow, PendingEdit, Stored
from bot.core.values.computer_users import is_person
from bot.core.values.ids import ChannelId, MatchId, UserId
from bot.service.privacy.departures import CLOSED as REMOVED

NONCES = 99_999_989
"""The rest of a message's number by this goes into a nonce, which has room for 25 characters. It is a prime, since such
numbers count milliseconds by a power of two: by 10^8 messages of 390 seconds apart would have the same rest."""
REMEMBERED = 10_000
"""For so many matches we remember whether there may be orphans; having forgotten costs a look."""


class Orphans:
    """Knows where orphans may be, and looks there."""

    def __init__(self, channels: Channels) -> None:
        self.channels = channels
        self._born = inf
        self._sure: OrderedDict[tuple[MatchId, ChannelId], bool] = OrderedDict()

    def begin(self, now: int) -> None:
        """Note that this process has posted nothing before `now`, in seconds since the epoch."""
        self._born = now

    def sure(self, seated: LoadedMatch, place: ChannelId) -> bool:
        """Whether a match surely has no orphans in a place; true of a match that began in this process. False of one
        whose server has removed us and has us back: what was to be edited of it was dropped meanwhile."""
        row = seated.row
        if row.close_reason == REMOVED and row.shown_version < row.version:
            return False
        return self._sure.get((seated.id, place), row.created > self._born)

    def settle(self, seated: LoadedMatch, place: ChannelId, sure: bool = True) -> None:
        """Remember whether a match surely has no orphans in a place."""
        self._sure[seated.id, place] = sure
        self._sure.move_to_end((seated.id, place))
        if len(self._sure) > REMEMBERED:
            self._sure.popitem(last=False)

    @asynccontextmanager
    async def doubting(self, seated: LoadedMatch, place: ChannelId) -> AsyncGenerator[None]:
        """Post and note something inside this; unless both succeed, there may be an orphan."""
        self.settle(seated, place, sure=False)
        yield
        self.settle(seated, place)

    async def found(
        self, seated: LoadedMatch, place: ChannelId, wanted: Callable[[discord.Message], bool]
    ) -> list[discord.Message]:
        """Our messages in a place that are `wanted`, the newest first; none where there surely are no orphans. What is
        older than the match is of an earlier one with its number."""
        if self.sure(seated, place):
            return []
        row = seated.row
        return [one for one in await self.channels.ours(place) if wanted(one) and not is_foreign(one.id, row)]


def is_lobby(message: discord.Message, match: MatchId) -> bool:
    """Whether a message is the open challenge of a match."""
    found = views.buttons_on(message.components)
    return any(button.match == match and button.verb in match_views.LOBBY_VERBS for button in found)


def is_board(message: discord.Message, match: MatchId) -> bool:
    """Whether a message is a board of a match, with its buttons."""
    mine = any(button.match == match for button in views.buttons_on(message.components))
    return mine and not is_lobby(message, match) and not is_announcement(message, match)


def is_announcement(message: discord.Message, match: MatchId) -> bool:
    """Whether a message tells the channel of a match how it ended; until that was a message of its own, what became of
    the challenge did."""
    found = views.buttons_on(message.components)
    verbs = {button.verb for button in found if button.match == match and not button.version}
    return bool(verbs) and len(found) == len(verbs) and verbs <= {*match_views.SEEN_AGAIN}


def says(message: discord.Message, view: discord.ui.LayoutView) -> bool:
    """Whether a message shows what a view would."""
    return views.said([part.to_dict() for part in message.components]) == views.said(view.to_components())


def reads(message: discord.Message, text: str) -> bool:
    """Whether a message says the same as a line, whether people stand in it as mentions or by name."""
    return blank(message.content) == blank(text)


def blank(text: str) -> str:
    """A line without its people and without the moments in it, both of which may be written otherwise by now."""
    return MOMENT.sub("<t:", unnamed(" ".join(text.split())))


def told_by(seated: LoadedMatch) -> tuple[UserId, ...]:
    """Who is told by the line that comes next."""
    return tuple(dict.fromkeys(filter(is_person, seated.untold)))


def tells(message: discord.Message, people: Collection[UserId]) -> bool:
    """Whether just these people are told by a message."""
    return {user.id for user in message.mentions} == {*people}


def told_until(message: discord.Message, row: Stored) -> int:
    """Up to which version those know of a match who do not play it: by a line above its board, or as boards of earlier
    versions did it, by the board that a message is."""
    told, known = {user.id for user in message.mentions}, max(row.shown_version, row.told_version)
    missed = (due for user, due in summoned(row) if due > known and user not in told)
    return min(missed, default=row.version + 1) - 1


def untold_on(message: discord.Message, row: Stored) -> tuple[UserId, ...]:
    """The players whom neither a line nor the board that a message is has told."""
    told, known = {user.id for user in message.mentions}, max(row.shown_version, row.told_version)
    return tuple(
        one.user for one in row.players if one.mention_version > known and is_person(one.user) and one.user not in told
    )


def earlier_of(posted: PendingEdit, now: MatchRow, seen: MatchRow) -> PendingEdit | None:
    """Which of two boards is to be closed: the one just posted, or the one that another process has noted since we have
    `seen` the match; None where no other is noted."""
    there = now.board_message
    if there is None or there in (seen.board_message, posted.message):
        return None
    noted = PendingEdit(there, now.board_channel or posted.channel, now.id, now.version, now.shown_plies)
    return min(posted, noted, key=lambda one: one.message)
