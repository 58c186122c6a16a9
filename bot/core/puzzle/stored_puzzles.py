"""What the store gives and takes of the daily puzzle. Days are counted as `datetime.date.toordinal` counts them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal, NamedTuple

from bot.core.values.ids import ChannelId, GuildId, MessageId, UserId
from bot.core.values.rows import Key, Moment, Person, Told

Series = Literal["daily", "week"]
"""What is posted in a channel by itself: a message of each day, or one of each week, whose day is its Monday."""

TRIED = Told("what you tried in the daily puzzle: which moves, on which day and in which server")


@dataclass(frozen=True, slots=True)
class PuzzleTry:
    """A user's try of the puzzle of a day: the first, second or third, in which server and when, and whether it solves
    the puzzle."""

    user: ClassVar[Annotated[UserId, Key(), Person(owns=True), TRIED]]
    day: Annotated[int, Key(), TRIED]
    move: Annotated[str, Key(), TRIED]
    number: Annotated[int, TRIED]
    guild: Annotated[GuildId, TRIED]
    at: Annotated[Moment, TRIED]
    solved: Annotated[bool, TRIED]


@dataclass(frozen=True, slots=True)
class Daily:
    """The last message of a series in a server: the day of the first one, its own day and channel, its number (None: on
    its way; 0: there is none), until when the process that sends it has it to itself, and how often that was tried."""

    guild: ClassVar[Annotated[GuildId, Key()]]
    first: int
    day: int
    channel: ChannelId
    message: MessageId | None
    due: Moment
    tries: int


class DailyChannel(NamedTuple):
    """A server that has chosen a channel for a series and an hour in its zone; and of its last message the day, the
    number and until when it is being sent."""

    guild: GuildId
    channel: ChannelId
    hour: int
    zone: str
    day: int | None
    message: MessageId | None
    due: int
