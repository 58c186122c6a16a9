"""Two small games that keep every promise, and broken copies of them, each of which some check must catch.

They show that the checks bite: Marks scores the positions that its seats mark in a row; in Envelopes both seats write a
number in secret, and the higher wins.

>>> board = Marks.start(MarksOptions(squares=4), 2).play(1, "4").play(2, "1")
>>> board.scores()
(4, 1)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain
from typing import Any, Self

from bot.games.catalogue import load_games
from bot.games.game import Game
from bot.games.moves import MoveKind, Part
from bot.games.notation import parse_whole, quote, tidy
from bot.games.options import Options, number_option
from bot.games.position import (
    Illegal,
    Position,
    ScorePart,
    Seat,
    Unreadable,
    Viewer,
    expect_turn,
    name_seats,
    rank_seats,
)
from cogs.sum_of_products.rules import SumOfProducts
from rendering import pages as rendering_pages
from rendering.boards import Layout
from rendering.pages import make_page
from rendering.shapes import SEAT_INKS, Chip, Disc, Ink, Path, Picture, Shape, Text


@dataclass(frozen=True, slots=True)
class MarksOptions(Options):
    """The length of the row."""

    squares: int = number_option(6, 2, 12, "Squares in the row: even, 2 to 12", step=2)


@dataclass(frozen=True, slots=True)
class Marks(Position):
    """A row of squares, each with the seat that marked it, or 0."""

    squares: tuple[int, ...]

    @classmethod
    def start(cls, options: MarksOptions, seats: int) -> Self:
        """An empty row."""
        return cls((0,) * options.squares)

    @property
    def turn(self) -> tuple[Seat, ...]:
        empty = self.squares.count(0)
        return () if self.withdrawn or not empty else (1 + empty % 2,)

    def moves(self, seat: Seat) -> Iterator[str]:
        if seat in self.turn:
            yield from (str(place) for place, owner in enumerate(self.squares, 1) if not owner)

    def read(self, seat: Seat, text: str) -> str:
        return str(parse_whole(tidy(text)))

    def play(self, seat: Seat, move: str) -> Self:
        expect_turn(self, seat)
        place = parse_whole(move)
        if not 1 <= place <= len(self.squares):
            raise Illegal(f"There is no square {place}: they are 1 to {len(self.squares)}.")
        if owner := self.squares[place - 1]:
            raise Illegal(f"Square {place} is already marked, by player {owner}.")
        return replace(self, squares=(*self.squares[: place - 1], seat, *self.squares[place:]))

    def withdraw(self, seat: Seat) -> Self:
        return replace(self, withdrawn=(*self.withdrawn, seat))

    def scores(self) -> tuple[int, ...]:
        return self.total(1), self.total(2)

    def total(self, seat: Seat) -> int:
        """The sum of the positions that a seat marked."""
        return sum(place for place, owner in enumerate(self.squares, 1) if owner == seat)

    def ranks(self) -> tuple[int, ...] | None:
        return None if self.turn else rank_seats(self.scores(), self.withdrawn)

    def list_score_parts(self) -> tuple[ScorePart, ...]:
        marked = ((owner, place) for place, owner in enumerate(self.squares, 1) if owner)
        return tuple(ScorePart(seat, f"square {place}", place) for seat, place in marked)

    def working(self) -> tuple[str, ...]:
        return tuple(f"player {seat}: {self.total(seat)}" for seat in (1, 2))

    def __str__(self) -> str:
        return "".join(".#O"[owner] for owner in self.squares)


@dataclass(frozen=True, slots=True)
class Envelopes(Position):
    """The numbers written, 0 for none or for one that the viewer may not see; `sealed` says who has written."""

    numbers: tuple[int, int] = (0, 0)
    sealed: tuple[Seat, ...] = ()

    @classmethod
    def start(cls, options: Options, seats: int) -> Self:
        """Nothing written."""
        return cls()

    @property
    def turn(self) -> tuple[Seat, ...]:
        return () if self.withdrawn else tuple(seat for seat in (1, 2) if seat not in self.sealed)

    def moves(self, seat: Seat) -> Iterator[str]:
        if seat in self.turn:
            yield from (str(value) for value in range(1, 10))

    def read(self, seat: Seat, text: str) -> str:
        return str(parse_whole(tidy(text)))

    def play(self, seat: Seat, move: str) -> Self:
        expect_turn(self, seat)
        if not 1 <= (value := parse_whole(move)) <= 9:
            raise Illegal(f"{value} is not 1 to 9.")
        numbers = (value, self.numbers[1]) if seat == 1 else (self.numbers[0], value)
        return replace(self, numbers=numbers, sealed=tuple(sorted((*self.sealed, seat))))

    def withdraw(self, seat: Seat) -> Self:
        return replace(self, withdrawn=(*self.withdrawn, seat))

    def scores(self) -> tuple[int, ...]:
        return self.numbers

    def ranks(self) -> tuple[int, ...] | None:
        return None if self.turn else rank_seats(self.scores(), self.withdrawn)

    def list_score_parts(self) -> tuple[ScorePart, ...]:
        return tuple(ScorePart(seat, "number", value) for seat, value in enumerate(self.numbers, 1))

    def working(self) -> tuple[str, ...]:
        return tuple(f"player {seat} wrote {value}" for seat, value in enumerate(self.numbers, 1) if value)

    def seen_by(self, viewer: Viewer) -> Self:
        if not self.turn:
            return self
        first, second = self.numbers
        return replace(self, numbers=(first if viewer == 1 else 0, second if viewer == 2 else 0))

    def __str__(self) -> str:
        return " ".join(str(value or "-?"[seat in self.sealed]) for seat, value in enumerate(self.numbers, 1))


def picture(position: Marks | Envelopes) -> tuple[Picture, ...]:
    """The text board, a line for each fact, and the legend."""
    facts = position.working()
    shapes = [
        Text(0, row + 0.5, name_seats(line, rendering_pages.seat_colour), 0.6, anchor="left", tag=line)
        for row, line in enumerate((str(position), *facts))
    ]
    entries = rendering_pages.make_legend_entries(position, ("one", "two"), [str(score) for score in position.scores()])
    return (make_page(Layout(10, 3), "planted", "A row of text.", (), shapes, entries),)


def places(position: Marks) -> tuple[int, int]:
    """The squares of a row."""
    return 1, len(position.squares)


PLACE = Part("place", "whole", "The square to mark", places)
VALUE = Part("value", "whole", "The number to write", lambda position: (1, 9))

MARKS = Game(
    key="marks",
    title="Marks",
    year=2011,
    goal="Mark the squares with the highest numbers.",
    seats=range(2, 3),
    Options=MarksOptions,
    start=Marks.start,
    rules=None,
    pictures=picture,
    moves=(MoveKind("move", "Mark a square.", "{place}", (PLACE,)),),
)

ENVELOPES = Game(
    key="envelopes",
    title="Envelopes",
    year=2011,
    goal="Write a higher number than your opponent.",
    seats=range(2, 3),
    Options=Options,
    start=Envelopes.start,
    rules=None,
    pictures=picture,
    moves=(MoveKind("write", "Write a number, in secret.", "{value}", (VALUE,)),),
    veil=lambda seat, move: "a number",
)

ROWS: list[dict[str, Any]] = [
    {
        "game": "marks",
        "options": {"squares": 4},
        "seats": 2,
        "moves": [[1, "4"], [2, "1"], [1, "2"], [2, "3"]],
        "scores": [6, 4],
        "ranks": [1, 2],
        "note": "By hand: seat 1 marked 4 and 2, which makes 6, seat 2 marked 1 and 3, which makes 4.",
    }
]
"""A match of Marks, scored by hand."""


def broken(game: Game, position: type[Position], **changed: Callable[..., Any] | property) -> Game:
    """A copy of a planted game, some methods of whose positions are others."""
    body = {"__slots__": (), "__module__": __name__, **changed}
    crooked: Any = type(f"Broken{position.__name__}", (position,), body)
    return replace(game, start=crooked.start)


def _wrong_total(self: Marks, seat: Seat) -> int:
    return sum(place for place, owner in enumerate(self.squares) if owner == seat)


WRONG_SCORER = broken(MARKS, Marks, total=_wrong_total)
"""Counts positions from 0."""


def _first_part(self: Marks) -> tuple[ScorePart, ...]:
    return Marks.list_score_parts(self)[:1]


PARTLY_TOLD = broken(MARKS, Marks, list_score_parts=_first_part)
"""Leaves parts of scores out."""


def _misnamed_part(self: Marks) -> tuple[ScorePart, ...]:
    return tuple(part._replace(name="square") for part in Marks.list_score_parts(self))


PARTS_ALIKE = broken(MARKS, Marks, list_score_parts=_misnamed_part)
"""Gives several parts one name."""


def _everything(self: Envelopes, viewer: Viewer) -> Envelopes:
    return self


LEAK = broken(ENVELOPES, Envelopes, seen_by=_everything)
"""Shows every viewer everything."""


def _refused_in_words(self: Envelopes, seat: Seat, move: str) -> Envelopes:
    if seat in self.turn and self.sealed and parse_whole(move) <= self.numbers[self.sealed[0] - 1]:
        raise Illegal("That is not enough.")
    return Envelopes.play(self, seat, move)


LEAK_BY_REFUSAL = broken(ENVELOPES, Envelopes, play=_refused_in_words)
"""Tells by what it refuses."""


def _unlisted(self: Marks, seat: Seat) -> Iterator[str]:
    yield from list(Marks.moves(self, seat))[:-1] or list(Marks.moves(self, seat))


UNLISTED = broken(MARKS, Marks, moves=_unlisted)
"""Accepts a move that it does not list."""


def _every_square(self: Marks, seat: Seat) -> Iterator[str]:
    yield from map(str, range(1, len(self.squares) + 1))


LISTED_WRONGLY = broken(MARKS, Marks, moves=_every_square)
"""Lists moves that it refuses."""


def _misread(self: Marks, seat: Seat, text: str) -> str:
    return str(int(text))  # reads 007, +7 and ٣, and refuses by a ValueError


MISREAD = broken(MARKS, Marks, read=_misread)
"""Reads whatever Python reads."""


MISNAMED = replace(MARKS, moves=(MoveKind("move", "Mark a square.", "{square}", (PLACE,)),))
"""Has a pattern with another part than its table."""
WORDY = replace(MARKS, goal=f"{'Mark the squares with the highest numbers, ' * 3}please.")
"""Has a goal that no command can be described by."""


def _curt(self: Marks, seat: Seat, text: str) -> str:
    if not tidy(text).isdecimal():
        raise Unreadable(f"bad move {quote(text)}")
    return Marks.read(self, seat, text)


CURT = broken(MARKS, Marks, read=_curt)
"""Refuses without a sentence."""


def _by_score(self: Marks) -> tuple[int, ...] | None:
    return None if self.turn else rank_seats(self.scores())


UNRANKED = broken(MARKS, Marks, ranks=_by_score)
"""Forgets who left."""


def repainted(change: Callable[[Shape], Iterable[Shape]], game: Game = MARKS) -> Game:
    """A copy of a game, usually of Marks, whose pictures have other shapes."""

    def crooked(position: Any) -> tuple[Picture, ...]:
        return tuple(
            replace(one, shapes=tuple(chain.from_iterable(map(change, one.shapes)))) for one in game.pictures(position)
        )

    return replace(game, pictures=crooked)


def _fact(shape: Shape, **changed: Any) -> Iterable[Shape]:
    """The shape, changed where it shows a fact."""
    return (replace(shape, **changed) if isinstance(shape, Text) and shape.tag else shape,)


def _inked(inks: dict[str, Ink], shape: Shape) -> Iterable[Shape]:
    """The shape with other inks in place of some, beside the legend."""
    if shape.tag == rendering_pages.SEAT:
        return (shape,)
    if isinstance(shape, Chip):
        seat = SEAT_INKS.index(inks.get(SEAT_INKS[shape.seat - 1], SEAT_INKS[shape.seat - 1])) + 1
        return (replace(shape, seat=seat, on=inks.get(shape.on, shape.on)),)
    names = [name for name in ("ink", "fill", "line", "on") if getattr(shape, name, None) in inks]
    return (replace(shape, **{name: inks[getattr(shape, name)] for name in names}),)


UNEXPLAINED = repainted(lambda shape: _fact(shape, tag=""))
"""Draws nothing that explains the scores."""
OFF_THE_PAGE = repainted(lambda shape: _fact(shape, x=9))
"""Writes beyond the edge."""
TINY = repainted(lambda shape: _fact(shape, size=0.2))
"""Writes too small."""
PALE = repainted(lambda shape: _fact(shape, ink="rule"))
"""Writes in an ink like the paper."""
CROWDED = repainted(lambda shape: _fact(shape, y=1.0))
"""Writes one fact over another."""
COVERED = repainted(lambda shape: (shape, Disc(shape.x, shape.y, 1)) if isinstance(shape, Text) else (shape,))
"""Paints over what it wrote."""
FOREIGN = repainted(lambda shape: _fact(shape, text="2 ⊕ 3"))
"""Writes what the typeface does not have."""
UNPOINTED = repainted(lambda shape: () if isinstance(shape, Path) else (shape,))
"""Does not say who is to move."""
SEATLESS = repainted(lambda shape: () if isinstance(shape, Chip) and shape.seat == 2 else (shape,))
"""Leaves a seat out of the legend."""

PRIMES, PRODUCTS, PLEXUS = (load_games()[key] for key in ("binary-primes", "sum-of-products", "plexus"))
EMPTY = picture(Marks.start(MarksOptions(), 2))


def _draw_the_start(position: Marks, seat: Seat, kind: str, chosen: Mapping[str, str]) -> tuple[Picture, ...]:
    return EMPTY


UNFORESEEN = replace(MARKS, sketch=_draw_the_start)
"""Shows the same board on its pads whatever was moved."""
UNMARKED = repainted(partial(_inked, {"gold": "paper"}), PRIMES)
"""Does not say what was moved last."""
ONE_COLOUR = repainted(partial(_inked, {"seat2": "seat1", "tint2": "tint1"}), PRIMES)
"""Gives both players the same colour."""


def _draw_alike(position: SumOfProducts) -> tuple[Picture, ...]:
    return PRODUCTS.pictures(replace(position, cells=tuple(min(cell, 1) for cell in position.cells)))


def _write_beside(position: SumOfProducts) -> tuple[Picture, ...]:
    told = Text(0, 0, " ".join(map(str, position.cells)), 1, tag="numbers")
    return tuple(replace(one, shapes=(told, *one.shapes)) for one in _draw_alike(position))


BLOTTED = replace(PRODUCTS, pictures=_write_beside)
"""Writes no number on squares, but beside the board."""
MUDDLED = replace(PRODUCTS, pictures=_draw_alike)
"""Draws different numbers alike, also where they are counted."""
FEWEST = replace(PRIMES, goal="Fill squares so that your lines hide the fewest primes.")
MOST = replace(load_games()["palindromic-rows-columns"], goal="Fill squares so that your lines need more flips.")
"""Say the opposite of what wins."""
TURNED = replace(MARKS, lowest_wins=True, goal="Mark the lowest squares.")
"""Says that the lowest score wins, where the highest ranks first."""
UNUSUAL = replace(PRIMES, rules=(PRIMES.rules or "").replace("usual 7×7", "usual 4 × 4"))
UNUSUAL_BOUNDS = replace(PLEXUS, rules=(PLEXUS.rules or "").replace("3 to 15, usually 7", "3 to 15, usually 9"))
"""Call another board usual than what people get."""
