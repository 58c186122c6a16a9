"""How wide a text is in the pictures' typeface, so that a layout can choose a size that fits without loading a font.

The table holds the advances of Aileron, the typeface that Pillow brings along, in thousandths of the type size; a test
compares it with the font itself. Numbers are written with a space between groups of three digits.
"""

from __future__ import annotations

from functools import lru_cache

GROUPS = {
    176: "'", 216: " ", 220: ",.:;", 233: "j", 238: "i", 242: "!", 247: "l", 250: "|", 264: "I", 274: "-", 290: "f",
    295: "]", 300: "`", 303: "/\\{}", 307: "[", 313: "t", 315: "()", 330: "r", 339: '"', 459: "s", 462: "z", 482: "x",
    499: "?", 500: "_", 513: "y", 514: "v", 522: "k", 529: "c", 531: "a", 544: "J", 549: "e", 560: "*", 567: "F",
    575: "L", 580: "#$+0123456789<=>^~", 581: "Y", 585: "S", 586: "o", 587: "E", 591: "Z", 592: "u", 593: "hn",
    598: "P", 609: "K", 611: "bp", 612: "T", 615: "dgq", 619: "R", 622: "V", 625: "X", 627: "B", 639: "A", 654: "&",
    682: "U", 699: "C", 709: "D", 710: "G", 718: "N", 730: "H", 733: "Q", 737: "O", 740: "%", 785: "w", 852: "@",
    855: "m", 866: "M", 952: "W",
}  # fmt: skip
ADVANCES = {letter: advance for advance, letters in GROUPS.items() for letter in letters}
WIDEST = 952
DIGIT_HEIGHT = 0.704
"""The height of digits and capitals, in parts of the type size."""

HINTING = 1.05
"""Painted letters stand on whole pixels, which makes small type up to a twentieth wider than the table says."""


@lru_cache(maxsize=8192)
def width(text: str, size: float) -> float:
    """The width of a text, rather too large than too small, in the unit of `size`."""
    return sum(ADVANCES.get(letter, WIDEST) for letter in text) * size * HINTING / 1000


def fitting(text: str, size: float, room: float, least: float) -> float:
    """The largest type size up to `size` with which the text fits into `room`, but not below `least`."""
    wide = width(text, size)
    return size if wide <= room else max(least, size * room / wide)


@lru_cache(maxsize=4096)
def grouped(number: int) -> str:
    """A number with its digits in groups of three: ``52 586 509``.

    >>> grouped(52586509), grouped(-1234)
    ('52 586 509', '-1 234')
    """
    return f"{number:,}".replace(",", " ")


def wrapped(words: str, size: float, room: float) -> tuple[str, ...]:
    """A text as lines that fit into `room`, broken at spaces; a word that is too wide alone stays whole."""
    lines: list[str] = []
    for word in words.split(" "):
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and width(longer, size) <= room:
            lines[-1] = longer
        else:
            lines.append(word)
    return tuple(lines)
