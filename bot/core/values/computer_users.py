"""Computer people: who sits where the computer plays. Their numbers are 10 × level + 1, 2, …; nobody on Discord is that
old, so nobody is ever taken for one.

They are named without a mention, told of nothing, and neither rated, exported nor forgotten.

>>> computer(3, 2), level_of(computer(3, 2)), is_computer(UserId(10**18))
(32, 3, False)
"""

from __future__ import annotations

from collections.abc import Collection

from bot.core.values.ids import UserId

LEVELS = range(1, 7)
"""How well the computer plays: a beginner beats the first, and does not beat the last."""
USUAL = 2
"""The level where none is named."""
STRENGTHS = (
    "a beginner beats it",
    "looks a little ahead",
    "punishes careless moves",
    "a real challenge",
    "hard to beat",
    "as strong as it gets",
)
"""Each level in a few words."""
NUMBERS = range(10, 100)
"""The numbers that are nobody's but the computer's."""
UNNAMED = range(101, 109)
"""The ids of the players of an uploaded record, in order of seats: they have no users."""


def computer(level: int, number: int = 1) -> UserId:
    """The computer of a level; where several of one level play in a match, they are told apart by a number from 1."""
    assert level in LEVELS and 1 <= number <= 9
    return UserId(10 * level + number)


def unnamed(seat: int) -> UserId:
    """The player on a seat of an uploaded record."""
    return UserId(UNNAMED[seat - 1])


def is_computer(user: int) -> bool:
    """Whether an id is one of the computers'. Ids of Discord's are far larger."""
    return user in NUMBERS


def is_person(user: int) -> bool:
    """Whether an id is that of a user who can be named and notified: not a computer, and not forgotten."""
    return user > 0 and not is_computer(user)


def level_of(user: int) -> int:
    """The level of a computer."""
    return user // 10


def named(user: int) -> str:
    """A computer in a sentence, without a mention."""
    which = "the computer" if user % 10 == 1 else f"computer {user % 10}"
    return f"{which} (level {level_of(user)})"


def titled(user: int) -> str:
    """A computer in the name of a thread: "Computer 3"."""
    return f"Computer {level_of(user)}{'' if user % 10 == 1 else f' ({user % 10})'}"


def worded(level: int) -> str:
    """A level in a list of choices: "1 · a beginner beats it"."""
    return f"{level} · {STRENGTHS[level - 1]}"


def another(level: int, taken: Collection[int]) -> UserId:
    """A computer of a level that does not play in a match yet."""
    return next(one for number in range(1, 10) if (one := computer(level, number)) not in taken)
