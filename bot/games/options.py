"""Options of a match, declared once for slash commands, records and error messages.

A game's options are a frozen dataclass whose fields are made by `number_option` and `word_option`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any, Self

from bot.games.notation import quote
from bot.games.wording import join_sentences, join_words, shorten_text

LONGEST = 21
"""The most characters of a number in a message, its ellipsis included."""


class BadOptions(ValueError):
    """The game, the number of seats or an option is outside its bounds; the message states the bounds."""


def spell_value(value: object) -> str:
    """A value in a message: a text in quotation marks, anything else as JSON, shortened."""
    match value:
        case str():
            return quote(value)
        case None | bool():
            return {None: "null", True: "true", False: "false"}[value]
        case list() | tuple():
            return "a list"
        case dict():
            return "an object"
        case _:
            return shorten_text(str(value), LONGEST)


@dataclass(frozen=True, slots=True)
class Bounds:
    """The values of an option: the whole numbers low, low + step, … high, or some words.

    `why` explains gaps. `said` is the pattern of a value in words, if not "name value". `recorded` is the value of a
    record that leaves the option out, if that is not the default of a challenge.
    """

    help: str
    default: int | str | None
    low: int = 0
    high: int = 0
    step: int = 1
    words: tuple[str, ...] = ()
    why: str = ""
    said: str = ""
    recorded: int | None = None

    @property
    def values(self) -> Sequence[int | str]:
        """All allowed values, in order."""
        return self.words or range(self.low, self.high + 1, self.step)

    def __str__(self) -> str:
        if self.words:
            return join_words(self.words, " or ")
        if self.step == 2:
            kind = "an odd number from {low} to {high}" if self.low % 2 else "an even number from {low} to {high}"
            return kind.format(low=self.low, high=self.high)
        return f"a whole number from {self.low} to {self.high}"

    def check(self, name: str, value: object) -> int | str:
        """The value if it is allowed; else raises `BadOptions` with the bounds."""
        if type(value) is (str if self.words else int) and value in self.values:
            return value
        raise BadOptions(join_sentences(f"{name} must be {self}, not {spell_value(value)}.", self.why))


def number_option(
    default: int | None,
    low: int,
    high: int,
    help: str,
    *,
    step: int = 1,
    why: str = "",
    said: str = "",
    recorded: int | None = None,
) -> Any:
    """Declare an integer option. A default of None is settled from the seats and the other options.

    Where challenges have another default than the rules, `recorded` is that of the rules, which records leave out.
    """
    return field(default=default, metadata={"bounds": Bounds(help, default, low, high, step, (), why, said, recorded)})


def word_option(default: str | None, words: tuple[str, ...], help: str, *, said: str = "") -> Any:
    """Declare an option that is one of some words. A default of None is settled as for `number_option`.

    If an option does not apply because of another, `settle` refuses it or leaves it at None.
    """
    return field(default=default, metadata={"bounds": Bounds(help, default, words=words, said=said)})


@dataclass(frozen=True, slots=True)
class Options:
    """The options of a match; games without options use this class."""

    @classmethod
    def bounds(cls) -> dict[str, Bounds]:
        """The declaration of every option, by name."""
        return {item.name: item.metadata["bounds"] for item in fields(cls)}

    @classmethod
    def read(cls, given: Mapping[str, object], seats: int) -> Self:
        """Options from a record or a command, checked and settled for the number of seats; raises `BadOptions`."""
        bounds = cls.bounds()
        if unknown := [name for name in given if name not in bounds]:
            name, known = unknown[0][:20], join_words(bounds)
            if not known:
                raise BadOptions(f"There is no option {name}. This game has no options.")
            raise BadOptions(f"There is no option {name}. This game has these options: {known}.")
        return cls(**{name: bounds[name].check(name, value) for name, value in given.items()}).settle(seats)

    @classmethod
    def complete_record(cls, given: Mapping[str, object]) -> dict[str, object]:
        """The options of a record, with what it leaves out where a challenge would have another default."""
        recorded = {name: bounds.recorded for name, bounds in cls.bounds().items() if bounds.recorded is not None}
        return recorded | {**given}

    def settle(self, seats: int) -> Self:
        """The options with defaults that depend on the seats; raises `BadOptions` for bounds that do."""
        return self

    def to_record(self) -> dict[str, int | str]:
        """The options for a match record, without those that do not apply (None)."""
        return {name: value for name in self.bounds() if (value := getattr(self, name)) is not None}

    def describe(self) -> list[str]:
        """The options in words: "size 3", "with diagonals", "numbers from 1 to 13"."""
        return [self.describe_option(name, value) for name, value in self.to_record().items() if value != "no"]

    @classmethod
    def describe_option(cls, name: str, value: object) -> str:
        said = cls.bounds()[name].said
        return f"with {name}" if value == "yes" else said.format(value=value) if said else f"{name} {value}"


def equal_share(length: int | None, seats: int, allowed: range, usual: int, what: str) -> int:
    """A length divisible by the seats: the chosen one, or the least from `usual` on; raises `BadOptions`.

    >>> equal_share(None, 3, range(4, 25), 8, "all write the same number of digits")
    9
    """
    multiples = range(-(-allowed[0] // seats) * seats, allowed[-1] + 1, seats)
    if not length:
        return next(multiple for multiple in multiples if multiple >= usual)
    if length not in multiples:
        choices = join_words(multiples, " or ")
        raise BadOptions(f"With {seats} players the length can't be {length}. Choose {choices}, so that {what}.")
    return length
