"""The shapes of pictures: frozen, in squares, with named inks; and the width of text.

x runs to the right, y down, and the origin is the top left corner of the board's first square, so that the square in
column c and row r (counted from 0) has its centre at (c + 0.5, r + 0.5). Shapes are painted in order, later ones over
earlier ones. `on` names the ink behind a shape, with which its edges are smoothed. A shape's `tag` is its meaning: on a
finished board every line of `Position.working()` is the tag of a shape that shows it.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any, Literal, Self, get_args

Ink = Literal[
    "paper", "ink", "faded", "rule", "gold", "white",
    "seat1", "seat2", "seat3", "seat4", "seat5", "seat6", "seat7", "seat8",
    "tint1", "tint2", "tint3", "tint4", "tint5", "tint6", "tint7", "tint8",
]  # fmt: skip
"""`seat3` is the colour of seat 3, `tint3` a pale one for areas that are seat 3's, `rule` the faint squares of the
paper, `gold` lies behind the last move."""

INKS: tuple[Ink, ...] = get_args(Ink)
SEAT_INKS: tuple[Ink, ...] = INKS[6:14]
TINT_INKS: tuple[Ink, ...] = INKS[14:]
SEAT_PENS: tuple[Ink, ...] = ("ink", "ink", "ink", "ink", "paper", "paper", "paper", "ink")
"""What is written and drawn in on each seat's colour."""

Spot = tuple[float, float]
Anchor = Literal["left", "middle", "right"]

POINTS = 900
"""The width of every picture in points; type sizes and margins are in points."""
LEAST = POINTS / 30
"""The smallest type size, in points. On a phone, where a picture is 295 to 350 pixels wide, it is ten to twelve
pixels."""
NOTE, LEGEND, LABEL, TOTAL = 33, 33, 34, 38
"""The usual type sizes, in points: of notes, of legends, of labels and numbers around a board, of totals. Their digits
are nine pixels high on a phone."""
EDGE = 40
"""The empty edge of a page, in points."""


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle by its top left corner, filled, outlined inside its edge, or both; `radius` rounds its corners."""

    left: float
    top: float
    width: float
    height: float
    fill: Ink | None = "ink"
    line: Ink | None = None
    weight: float = 0.0
    radius: float = 0.0
    on: Ink = "paper"
    tag: str = ""


@dataclass(frozen=True, slots=True)
class Line:
    """A straight line; `dash` is the length of dashes and gaps, 0 for none."""

    x1: float
    y1: float
    x2: float
    y2: float
    ink: Ink = "ink"
    weight: float = 0.02
    dash: float = 0.0
    on: Ink = "paper"
    tag: str = ""


@dataclass(frozen=True, slots=True)
class Path:
    """A line through several spots, or a polygon (`closed`). A large `fill` has hard edges, to be covered by a line."""

    spots: tuple[Spot, ...]
    ink: Ink | None = "ink"
    weight: float = 0.02
    closed: bool = False
    fill: Ink | None = None
    on: Ink = "paper"
    tag: str = ""


@dataclass(frozen=True, slots=True)
class Disc:
    """A filled circle."""

    x: float
    y: float
    radius: float
    ink: Ink = "ink"
    on: Ink = "paper"
    tag: str = ""


@dataclass(frozen=True, slots=True)
class Arc:
    """An arc from `start` to `end`, in degrees clockwise from the top; its `weight` is inside the radius."""

    x: float
    y: float
    radius: float
    start: float = 0.0
    end: float = 360.0
    ink: Ink = "ink"
    weight: float = 0.02
    on: Ink = "paper"
    tag: str = ""


@dataclass(frozen=True, slots=True)
class Ring:
    """A circle; its `weight` is inside the radius."""

    x: float
    y: float
    radius: float
    ink: Ink = "ink"
    weight: float = 0.02
    on: Ink = "paper"
    tag: str = ""


@dataclass(frozen=True, slots=True)
class Text:
    """A line of text: `x` is its left end, middle or right end, `y` the middle of its digits' height."""

    x: float
    y: float
    text: str
    size: float
    ink: Ink = "ink"
    anchor: Anchor = "middle"
    on: Ink = "paper"
    tag: str = ""


@dataclass(frozen=True, slots=True)
class Chip:
    """A seat's piece by its centre, in the seat's colour and with its mark, which distinguishes seats without colour.

    Marks: 1 plain, 2 ring, 3 bar, 4 cross, 5 triangle, 6 plus, 7 two bars, 8 disc. A `corner` mark is small and at the
    top right, which leaves the middle for a text (with the seat's ink as its `on`).
    """

    x: float
    y: float
    size: float
    seat: int
    corner: bool = False
    round: bool = False
    on: Ink = "paper"
    tag: str = ""


Shape = Box | Line | Path | Disc | Arc | Ring | Text | Chip


def inks_of(shape: Shape) -> set[Ink | None]:
    """The inks of a shape, its background's included."""
    match shape:
        case Chip():
            return {SEAT_INKS[shape.seat - 1], shape.on}
        case Box():
            return {shape.fill, shape.line, shape.on}
        case Path():
            return {shape.ink, shape.fill, shape.on}
        case _:
            return {shape.ink, shape.on}


BREAKS = re.compile(r" (?!(?<=\d )\d{3}(?!\d))")
"""The places where a text can be broken: spaces, except between groups of digits."""
FIRST_TWO = re.compile(r"\b(?:[Bb]lue|[Oo]range)\b")
NAMED_INSTEAD = {"blue": "orange", "orange": "blue", "Blue": "Orange", "Orange": "Blue"}
EXCHANGED: dict[Any, Ink] = {"seat1": "seat2", "seat2": "seat1", "tint1": "tint2", "tint2": "tint1"}


def exchange_seats(shape: Shape, told: Callable[[str], str]) -> Shape:
    """A shape with the first two seats' colours and marks exchanged; `told` rewrites its text and its tag."""
    fields = {name: getattr(shape, name, None) for name in ("ink", "fill", "line", "on")}
    changes: dict[str, Any] = {name: EXCHANGED[ink] for name, ink in fields.items() if ink in EXCHANGED}
    texts = {name: getattr(shape, name, "") for name in ("text", "tag")}
    changes |= {name: now for name, text in texts.items() if text and (now := told(text)) != text}
    if isinstance(shape, Chip) and shape.seat <= 2:
        changes["seat"] = 3 - shape.seat
    return replace(shape, **changes) if changes else shape


@dataclass(frozen=True, slots=True)
class Picture:
    """A page: `base` holds the shapes that stay the same all match (grid, coordinates), `shapes` those of a position.

    `extent` is left, top, right, bottom in squares; `name` the stem of the file name; `alt` the alternative text. A
    picture has no title, as its message names the game.
    """

    name: str
    extent: tuple[float, float, float, float]
    # Pictures are hashed often and rarely differ in their base alone, so hashing skips it.
    base: tuple[Shape, ...] = field(hash=False)
    shapes: tuple[Shape, ...]
    alt: str
    leg: int = 0
    """The number of its leg in a match of two legs, else 0."""
    foot: int = 0
    """The number of its last shapes that are the key and the legend."""
    ground: float = 0.0
    """The y at which these begin, in squares."""
    explained: int = 0
    """The number of its last shapes that are the legend and what of the key the rules explain, too."""
    explained_ground: float = 0.0
    """The y at which these begin, in squares."""
    legend: int = 0
    """The number of its last shapes that are the legend."""
    legend_ground: float = 0.0
    """The y at which these begin, in squares."""
    ended: bool = False
    """Whether it shows a round that has just ended, while the next one, on another picture, has no move yet."""
    last: bool = False
    """Whether it shows the round with which the match has ended, behind a picture of all rounds."""
    small: bool = False
    """Whether it stands beside a line, as a thumbnail."""

    def exchange_seats(self, told: Callable[[str], str]) -> Self:
        """The picture with the first two seats' colours and marks exchanged; `told` rewrites its texts and tags."""

        def rewrite(text: str) -> str:
            return FIRST_TWO.sub(lambda found: NAMED_INSTEAD[found[0]], told(text))

        base, shapes = (tuple(exchange_seats(shape, rewrite) for shape in them) for them in (self.base, self.shapes))
        return replace(self, base=base, shapes=shapes, alt=rewrite(self.alt))

    @property
    def without_legend(self) -> Self:
        """The picture without its key and its legend."""
        if not self.foot:
            return self
        extent, shapes = (*self.extent[:3], self.ground), self.shapes[: -self.foot]
        return replace(self, shapes=shapes, extent=extent, foot=0, explained=0, legend=0)

    @property
    def without_explanations(self) -> Self:
        """The picture without its legend and what of its key the rules explain, too."""
        if not self.explained:
            return self
        extent, shapes = (*self.extent[:3], self.explained_ground), self.shapes[: -self.explained]
        return replace(self, shapes=shapes, extent=extent, foot=self.foot - self.explained, explained=0, legend=0)

    @property
    def with_key_alone(self) -> Self:
        """The picture without its legend, below names and scores."""
        if not self.legend:
            return self
        extent, shapes = (*self.extent[:3], self.legend_ground), self.shapes[: -self.legend]
        without = {"foot": self.foot - self.legend, "explained": self.explained - self.legend}
        return replace(self, shapes=shapes, extent=extent, **without, legend=0)

    @property
    def squares_per_point(self) -> float:
        """A point of this picture in squares."""
        return (self.extent[2] - self.extent[0]) / POINTS

    @property
    def pixels_per_square(self) -> int:
        """Pixels a square: a whole number, so that all squares of a board are equal."""
        return max(1, round(1 / self.squares_per_point))

    @property
    def pixel_size(self) -> tuple[int, int]:
        """Width and height of the painted picture."""
        left, top, right, bottom = self.extent
        return round((right - left) * self.pixels_per_square), round((bottom - top) * self.pixels_per_square)


# The width of text, so that layouts can choose fitting sizes without loading a font. The table has the advances of
# Aileron, the typeface that Pillow ships, in thousandths of the type size; a test compares it with the font.

GROUPS = {
    176: "'", 216: " ", 220: ",.:;", 233: "j", 238: "i", 242: "!", 247: "l", 250: "|", 264: "I", 274: "-", 290: "f",
    295: "]", 300: "`", 303: "/\\{}", 307: "[", 313: "t", 315: "()", 330: "r", 339: '"', 459: "s", 462: "z", 482: "x",
    499: "?", 500: "_", 513: "y", 514: "v", 522: "k", 529: "c", 531: "a", 544: "J", 549: "e", 560: "*", 567: "F",
    575: "L", 580: "#$+0123456789<=>^~×−", 581: "Y", 585: "S", 586: "o", 587: "E", 591: "Z", 592: "u",
    593: "hn", 598: "P", 609: "K", 611: "bp", 612: "T", 615: "dgq", 619: "R", 622: "V", 625: "X", 627: "B", 639: "A",
    654: "&", 682: "U", 699: "C", 709: "D", 710: "G", 718: "N", 730: "H", 733: "Q", 737: "O", 740: "%", 785: "w",
    852: "@", 855: "m", 866: "M", 952: "W",
}  # fmt: skip
ADVANCES = {letter: advance for advance, letters in GROUPS.items() for letter in letters}
WIDEST = 952
DIGIT_HEIGHT = 0.704
"""The height of digits and capitals, as a fraction of the type size."""

HINTING = 1.05
"""Painted letters are aligned to whole pixels, which makes small type up to a twentieth wider than by the table."""


@lru_cache(maxsize=8192)
def text_width(text: str, size: float) -> float:
    """An upper estimate of the width of a text, in the unit of `size`."""
    return sum(ADVANCES.get(letter, WIDEST) for letter in text) * size * HINTING / 1000


def fit_type_size(text: str, size: float, width: float, least: float) -> float:
    """The largest type size up to `size` at which a text fits into a width, but not below `least`."""
    wide = text_width(text, size)
    return size if wide <= width else max(least, size * width / wide)


@lru_cache(maxsize=4096)
def group_digits(number: int) -> str:
    """A number with a space between groups of three digits.

    >>> group_digits(52586509), group_digits(-1234)
    ('52 586 509', '\N{MINUS SIGN}1 234')
    """
    return f"{number:,}".replace(",", " ").replace("-", "\N{MINUS SIGN}")


def wrap_text(words: str, size: float, width: float) -> tuple[str, ...]:
    """A text as lines that fit into a width, broken at spaces but not within numbers; a word that is too wide is not
    broken."""
    lines: list[str] = []
    for word in BREAKS.split(words):
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and text_width(longer, size) <= width:
            lines[-1] = longer
        else:
            lines.append(word)
    return tuple(lines)
