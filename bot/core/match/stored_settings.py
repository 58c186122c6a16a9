"""What the store keeps of a server's settings, and of a person's preferences and absences."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal, NamedTuple, get_args

from bot.core.match.clocks import PACES
from bot.core.values.ids import ChannelId, GuildId, UserId
from bot.core.values.rows import Choice, Default, Form, Key, Moment, Person, Told

Reminders = Literal["thread", "message", "digest", "off"]
"""How a user is reminded: in the match's thread, by direct message, by one a day for all matches, or not at all."""

WELCOMED = "welcomed {guild}"
"""The note that a server was shown what the bot is, when it invited it."""

REMINDERS = get_args(Reminders)
CHOSEN = Told("what you chose with `/preferences`")
ABSENT = Told("when you were away, in which server")

NIGHT, MORNING = 22, 8
"""The default quiet hours in the user's time zone: reminders wait from the first hour until the second."""


@dataclass(frozen=True, slots=True)
class ServerSettings:
    """A server's settings: channels where challenges are allowed (none: everywhere), whether matches get threads, the
    caps on challenges (None: the usual one): how many open ones a person may have, how many may reach a person within
    an hour, from one person and from all; the defaults for pace, time zone and reminders; whether moves can be taken
    back; the channel of the daily puzzle (None: it is posted nowhere), and from what hour of the server's day on; that
    of the week (None: likewise); whether leagues can be opened, and in which channel (None: where people open
    them)."""

    guild: ClassVar[Annotated[GuildId, Key()]]
    channels: Annotated[tuple[ChannelId, ...], Default(None)] = ()
    threads: Annotated[bool, Default(None)] = True
    most_open: int | None = None
    most_from_one: int | None = None
    most_from_all: int | None = None
    pace: Annotated[str, Choice(tuple(PACES), "7")] = "7"
    zone: Annotated[str, Form("zone")] = "UTC"
    reminders: Annotated[Reminders, Choice(REMINDERS, "thread")] = "thread"
    takebacks: bool = True
    daily: ChannelId | None = None
    daily_hour: int = 8
    week: ChannelId | None = None
    leagues: bool = True
    league: ChannelId | None = None


@dataclass(frozen=True, slots=True)
class Preferences:
    """A user's preferences, for every server: whether the pad asks before a move is played; their time zone (an IANA
    name) and reminders, None for the server's; whether their clocks run at weekends. `digest` is when their next daily
    digest is due, `closed` whether Discord refused a direct message to them. Their quiet hours are from `night` until
    `morning`; where the two are the same, they have none."""

    user: ClassVar[Annotated[UserId, Key(), Person(owns=True), CHOSEN]]
    confirm: Annotated[bool, Default(None), CHOSEN] = True
    zone: Annotated[str | None, Form("zone"), CHOSEN] = None
    weekends: Annotated[bool, CHOSEN] = True
    reminders: Annotated[Reminders | None, Choice(REMINDERS, None), CHOSEN] = None
    digest: Annotated[Moment | None, Told("when your next digest is due")] = None
    closed: Annotated[bool, Told("whether Discord refused to hand you a direct message")] = False
    night: Annotated[int, CHOSEN] = NIGHT
    morning: Annotated[int, CHOSEN] = MORNING


@dataclass(frozen=True, slots=True)
class Away:
    """An absence of a user, from `begins` until `ends` in epoch seconds."""

    guild: ClassVar[Annotated[GuildId, Key(), ABSENT]]
    user: ClassVar[Annotated[UserId, Key(), Person(owns=True), ABSENT]]
    begins: Annotated[Moment, Key(), ABSENT]
    ends: Annotated[Moment, ABSENT]


class Rest(NamedTuple):
    """When a user's absence ends, and when the weekend ends in which their clocks stand still; None where there is
    none."""

    away: int | None
    weekend: int | None
