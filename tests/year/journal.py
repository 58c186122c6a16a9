"""The journal of what really happened: acts of people, messages that Discord showed them, and lives of the bot.

It is written by those who did it, not by the bot; times are those of the clock on the bot's machine.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Event:
    """Something at a moment."""

    at: int


@dataclass(frozen=True)
class Chose(Event):
    """A player's zone, whether their clocks run at weekends, and how they are reminded, in a server."""

    guild: int
    user: int
    zone: str
    weekends: bool
    reminders: str


@dataclass(frozen=True)
class Went(Event):
    """A player goes away, for longer, or comes back early: all their absences in a server, from when until when."""

    guild: int
    user: int
    away: tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class Began(Event):
    """A match begins; who sits where."""

    match: int
    guild: int
    game: str
    pace: str
    seats: Mapping[int, int]
    turn: tuple[int, ...]
    round: int
    secret: bool


@dataclass(frozen=True)
class Acted(Event):
    """A line was added to the record: seat and text; who is to move then, and whose doing it was, 0 for nobody's."""

    match: int
    seat: int
    text: str
    turn: tuple[int, ...]
    round: int
    over: bool
    by: int


@dataclass(frozen=True)
class Ended(Event):
    """A match was called off."""

    match: int


@dataclass(frozen=True)
class Shown(Event):
    """The board, as the match stood then, is in the channel, and the bot has written down that it is."""

    match: int


@dataclass(frozen=True)
class Paused(Event):
    """All have agreed to a pause; or, where it is not `on`, to go on."""

    match: int
    on: bool


@dataclass(frozen=True)
class Asked(Event):
    """The bot has seen that a player ran out of time, and has asked the others."""

    match: int
    user: int


@dataclass(frozen=True)
class Gave(Event):
    """The others gave a player three days more."""

    match: int
    user: int


@dataclass(frozen=True)
class Reminded(Event):
    """A player read a reminder: where, and of which matches."""

    user: int
    kind: str
    matches: tuple[int, ...]


@dataclass(frozen=True)
class Refused(Event):
    """Discord has handed a player no direct message, as they want it: they are to be told so, once, in a thread."""

    user: int


@dataclass(frozen=True)
class Slept(Event):
    """The bot was not there from a moment on until now; where that is no longer than a restart takes, it counts."""

    since: int


@dataclass(frozen=True)
class Looked(Event):
    """The timer has looked through all that was due, and was not killed meanwhile."""
