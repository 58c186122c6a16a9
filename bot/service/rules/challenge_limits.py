"""Challenge limits: how often people may be asked to play, and the refusals where a cap is reached. Pure.

A challenge or a rematch mentions the people it asks. Without caps one member could make everybody's phone ring several
times a second, and declining would be no help. A challenge that was accepted no longer counts once the match begins.
Managers can set the caps of their server, and are under them themselves.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import accumulate
from operator import sub

from bot.core.match.loaded_match import Refusal, link_to, person
from bot.core.match.stored import Ask, MatchRow, NewMatch
from bot.core.match.stored_settings import ServerSettings
from bot.core.values.computer_users import is_computer
from bot.core.values.ids import UserId
from bot.core.values.plural import Plural

HOUR = 3600
OPEN_DAYS = 2
"""Days until a challenge that nobody answered expires: said so, as Discord counts down to it below the challenge."""
OPEN_FOR = OPEN_DAYS * 24 * HOUR
"""The same in seconds."""
MOST_OPEN, MOST_FROM_ONE, MOST_FROM_ALL = 10, 5, 20
"""The default caps: open challenges and tables of one user, and challenges that reach a user within an hour, from one
user and from all the server. Friends who play a lot challenge each other a few times in an evening."""
MOST_WITH_COMPUTERS = 12
"""The most matches with computers that one user may have under way in a server: each takes its share of the
searches."""
MOST_GIVEN = 3_000
"""The most moves copied in an hour into matches of one user that go on from a position."""
MOST = 1000
"""The highest value of a cap. No cap can be lifted: it protects users who have no say in the setting."""


OPENED = Plural(
    "You have {number} open challenge in this server, which is the limit. Wait for an answer, or cancel it; /matches "
    "lists it.",
    "You have {number} open challenges in this server, which is the limit. Wait for an answer, or cancel one; /matches "
    "lists them.",
)
BY_ONE = Plural(
    "You have challenged {guest} once in the last hour.", "You have challenged {guest} {number} times in the last hour."
)
BY_ALL = Plural(
    "{guest} has been challenged once in the last hour.",
    "{guest} has been challenged {number} times in the last hour.",
)
YOU_PLAY = (
    "You are already playing {number} matches against the computer in this server, which is the limit. Finish or "
    "resign one first. The oldest is match {match}, {link}."
)
THEY_PLAY = (
    "{who} is already playing {number} matches against the computer in this server, which is the limit. One must be "
    "finished or resigned first. The oldest is match {match}."
)


GIVEN = (
    "In the last hour you have gone on from positions with {number} moves in all, and {most} is the limit. "
    "Try again {when}."
)


class TooMany(Refusal):
    """A challenge that exceeds a cap."""


def in_force(settings: ServerSettings) -> tuple[int, int, int]:
    """The caps of a server: open challenges, from one, from everybody."""
    return (
        settings.most_open or MOST_OPEN,
        settings.most_from_one or MOST_FROM_ONE,
        settings.most_from_all or MOST_FROM_ALL,
    )


def expect_patience(
    new: NewMatch, guests: Iterable[UserId], settings: ServerSettings, opened: int, asks: Sequence[Ask]
) -> None:
    """Refuse a challenge where its host has `opened` the most allowed, or a guest has received the most allowed.

    `asks` are those of the last hour that reached any of the guests, the oldest first.
    """
    most_open, _, _ = in_force(settings)
    if new.seats > 1 and opened >= most_open:
        raise TooMany(OPENED.of(opened))
    expect_unasked(new.host, guests, settings, asks)


def expect_few_given(new: NewMatch, before: Sequence[tuple[int, int]]) -> None:
    """Refuse a match that goes on from a position where too many moves were copied for the user in the last hour:
    `before` are the moments of such matches, and how many moves each was given, the oldest first. A user's first is
    never refused, however long its record."""
    number = sum(given for _, given in before)
    if not before or number + len(new.lines) <= MOST_GIVEN:
        return
    left = accumulate((given for _, given in before), sub, initial=number)
    fits = (index for index, rest in enumerate(left) if rest + len(new.lines) <= MOST_GIVEN)
    free = next(fits, len(before))
    raise TooMany(GIVEN.format(number=number, most=MOST_GIVEN, when=f"<t:{before[free - 1][0] + HOUR}:R>"))


def expect_unasked(asker: UserId, guests: Iterable[UserId], settings: ServerSettings, asks: Sequence[Ask]) -> None:
    """Refuse to challenge a user who has received the most challenges allowed, from one user or from all."""
    _, from_one, from_all = in_force(settings)
    for guest in guests:
        got = [ask for ask in asks if ask.asked == guest]
        own = [ask for ask in got if ask.asker == asker]
        if len(own) >= from_one:
            raise TooMany(f"{BY_ONE.of(len(own), guest=person(guest))} {again(own, from_one)}")
        if len(got) >= from_all:
            raise TooMany(f"{BY_ALL.of(len(got), guest=person(guest))} {again(got, from_all)}")


def expect_few(user: UserId, alone: bool, live: Sequence[MatchRow]) -> None:
    """Refuse another match with computers to a user who has the most allowed under way, the oldest first; `alone` where
    no other user is told of it."""
    playing = [row for row in live if any(is_computer(player.user) for player in row.players)]
    if len(playing) < MOST_WITH_COMPUTERS:
        return
    told = YOU_PLAY if alone else THEY_PLAY
    raise TooMany(told.format(who=person(user), number=len(playing), match=playing[0].id, link=link_to(playing[0])))


def again(asks: Sequence[Ask], most: int) -> str:
    """The sentence on when to ask again: when the oldest request that counts falls out of the hour."""
    return f"Ask again <t:{asks[-most].at + HOUR}:R>, or ask somebody else."
