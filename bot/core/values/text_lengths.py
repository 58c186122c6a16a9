"""How long a text is for Discord, and how it is cut. It may count as its clients do, in UTF-16, where an emoji has two
units; a text that fits so fits by characters, too."""

from __future__ import annotations

import unicodedata

JOINER = "\N{ZERO WIDTH JOINER}"
SKINS = range(0x1F3FB, 0x1F400)


def units(text: str) -> int:
    """The UTF-16 code units of a text."""
    return len(text) + sum(one > "\uffff" for one in text)


def cut(text: str, most: int) -> str:
    """The longest beginning of a text with at most `most` UTF-16 code units, without half a character at its end."""
    if units(text) <= most:
        return text
    at = most
    while units(text[:at]) > most or _joined(text, at):
        at -= 1
    return text[:at]


def _joined(text: str, at: int) -> bool:
    """Whether what stands at a place belongs to what stands before it: an accent, a colour of skin, a family."""
    if not 0 < at < len(text):
        return False
    here = text[at]
    return JOINER in (here, text[at - 1]) or unicodedata.category(here)[0] == "M" or ord(here) in SKINS


def shortened(text: str, most: int = 100) -> str:
    """A text cut to a length, with an ellipsis where it was cut."""
    return text if units(text) <= most else cut(text, most - 1) + "…"
