"""Sentences that depend on a number, and how long a text is for Discord."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from typing import NamedTuple

# Sentences that depend on a number, and lists in sentences.


class Plural(NamedTuple):
    """A sentence for one and for any other number, with parts in braces; `{number}` is the number itself.

    >>> to_move = Plural("{names} is to move.", "{names} are to move.")
    >>> to_move.fill_in(2, names="Ann and Bea")
    'Ann and Bea are to move.'
    """

    one: str
    many: str

    def fill_in(self, number: int, **parts: object) -> str:
        """The sentence for a number, with its parts filled in."""
        return (self.one if number == 1 else self.many).format_map({"number": number, **parts})


def join_words(things: Iterable[object], last: str = " and ") -> str:
    """Things in a sentence: "A", "A and B", "A, B and C", with `last` before the last one; empty for none."""
    named = [str(thing) for thing in things]
    return last.join([", ".join(named[:-1]), named[-1]] if len(named) > 1 else named)


ORDINALS = ("{number}th", "{number}st", "{number}nd", "{number}rd", *["{number}th"] * 6)
"""An ordinal, by the last digit of its number."""


def format_ordinal(number: int) -> str:
    """A place in an order.

    >>> [format_ordinal(number) for number in (1, 2, 3, 4, 11, 22)]
    ['1st', '2nd', '3rd', '4th', '11th', '22nd']
    """
    is_teen = number // 10 % 10 == 1
    return ORDINALS[0 if is_teen else number % 10].format(number=number)


def join_sentences(*said: str) -> str:
    """Whole sentences, one after the other; empty ones are left out."""
    return " ".join(filter(None, said))


# The length of texts for Discord: it may count UTF-16 code units, as its clients do, of which an emoji has two.


JOINER = "\N{ZERO WIDTH JOINER}"
SKINS = range(0x1F3FB, 0x1F400)


def count_units(text: str) -> int:
    """The UTF-16 code units of a text."""
    return len(text) + sum(one > "\uffff" for one in text)


def cut_text(text: str, most: int) -> str:
    """The longest beginning of a text with at most `most` UTF-16 code units that ends between characters."""
    if count_units(text) <= most:
        return text
    at = most
    while count_units(text[:at]) > most or _belongs_to_previous(text, at):
        at -= 1
    return text[:at]


def _belongs_to_previous(text: str, at: int) -> bool:
    """Whether the code point at an index belongs to the one before it: an accent, a skin tone, a joined emoji."""
    if not 0 < at < len(text):
        return False
    here = text[at]
    return JOINER in (here, text[at - 1]) or unicodedata.category(here)[0] == "M" or ord(here) in SKINS


def shorten_text(text: str, most: int = 100) -> str:
    """A text cut to a length, with an ellipsis where it was cut."""
    return text if count_units(text) <= most else cut_text(text, most - 1) + "…"
