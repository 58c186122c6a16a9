"""What a game is: the one page to read before any other.

A game of Graph Paper is a folder in ``cogs/`` whose ``__init__.py`` holds a `Game`, a frozen table of everything the
rest of the program may know about it. The table names a function that starts a `Position`; a position never changes, a
move gives a new one. Moves cross every border of the program as text, in the notation that a player could write on
paper, and a refused move is a `MoveError` whose text is a sentence for that player.

Nothing here, or in any game's rules, waits, reads a clock, draws lots or knows of Discord.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any, ClassVar, Literal, NamedTuple, Self

if TYPE_CHECKING:
    from rendering.shapes import Picture

Seat = int
"""Who plays: 1, 2, … in turn order."""

Viewer = Seat | None
"""Who looks: a seat, or None for a spectator."""


class MoveError(Exception):
    """A move that was refused and changed nothing; its text tells the player what is wrong and what to do."""


class Unreadable(MoveError):
    """The text is no move in this game's notation."""


class OutOfTurn(MoveError):
    """The seat may not act now."""


class Illegal(MoveError):
    """The move is readable, and a rule forbids it."""


class BadOptions(ValueError):
    """The game, the number of seats or an option is outside its bounds; its text says what the bounds are."""


class Suggestion(NamedTuple):
    """A move offered while somebody types, with a short note ("costs 6"), or with none."""

    move: str
    note: str = ""


class Position(ABC):
    """One moment of a match: frozen, hashable, slotted. Seats count from 1."""

    __slots__ = ()

    @property
    @abstractmethod
    def turn(self) -> tuple[Seat, ...]:
        """The seats that may act now, ascending; several act at once, none when the match is over."""

    @abstractmethod
    def moves(self, seat: Seat) -> Iterator[str]:
        """All legal moves of a seat that is to move and not `open_to`, in canonical notation, lazily."""

    @abstractmethod
    def read(self, seat: Seat, text: str) -> str:
        """Turn forgiving text into canonical notation, or raise `Unreadable`."""

    @abstractmethod
    def play(self, seat: Seat, move: str) -> Self:
        """The position after a move in canonical notation, or a `MoveError`."""

    @abstractmethod
    def withdraw(self, seat: Seat) -> Self:
        """The position after a seat that is still playing has left the match."""

    @abstractmethod
    def scores(self) -> tuple[int, ...]:
        """The running score of every seat: exact, and of any size."""

    @abstractmethod
    def ranks(self) -> tuple[int, ...] | None:
        """The rank of every seat, 1 the best; None while anybody is to move."""

    @abstractmethod
    def working(self) -> tuple[str, ...]:
        """How the scores come about, a line each: "row 3: 2·3·1 = 6"."""

    @abstractmethod
    def __str__(self) -> str:
        """The board as text."""

    def open_to(self, seat: Seat) -> bool:
        """Whether the rules leave this seat's moves open (a number, a curve), so that `moves` is not to be listed."""
        return False

    def suggest(self, seat: Seat, typed: str) -> Iterator[Suggestion]:
        """Moves that begin with what has been typed so far; a game with open moves offers candidates of its own."""
        if not self.open_to(seat):
            yield from (Suggestion(move) for move in self.moves(seat) if move.startswith(typed.strip().lower()))

    def seen_by(self, viewer: Viewer) -> Self:
        """This position without what the viewer may not know; a game without secrets shows all to everybody."""
        return self


def expect_turn(position: Position, seat: Seat) -> None:
    """Raise `OutOfTurn` unless the seat may act now."""
    if not position.turn:
        raise OutOfTurn("The match is over: nothing can be played any more.")
    if seat not in position.turn:
        others = " or ".join(f"seat {other}" for other in position.turn)
        raise OutOfTurn(f"It is not seat {seat}'s turn: {others} is to move.")


def ranking(results: Sequence[int], withdrawn: Sequence[Seat] = ()) -> tuple[int, ...]:
    """Rank seats by result, highest first: 1 + the number of seats that did better.

    Seats that withdrew (in the order in which they left) come after all who stayed, the last to leave first.
    """
    stayed = len(withdrawn)
    merit = [
        (withdrawn.index(seat), 0) if seat in withdrawn else (stayed, result) for seat, result in enumerate(results, 1)
    ]
    return tuple(1 + sum(other > mine for other in merit) for mine in merit)


# Options: a frozen dataclass whose fields are made by `number` and `word`, so that slash options, records and
# error messages all come from one declaration.


@dataclass(frozen=True, slots=True)
class Bounds:
    """What an option may be: a whole number low, low + step, … high, or one of some words. `why` explains the gaps."""

    help: str
    default: int | str | None
    low: int = 0
    high: int = 0
    step: int = 1
    words: tuple[str, ...] = ()
    why: str = ""

    @property
    def values(self) -> Sequence[int | str]:
        """All allowed values, in order."""
        return self.words or range(self.low, self.high + 1, self.step)

    def __str__(self) -> str:
        if self.words:
            return "one of " + ", ".join(self.words)
        if self.step == 2:
            return f"an {'odd' if self.low % 2 else 'even'} number from {self.low} to {self.high}"
        return f"a whole number from {self.low} to {self.high}"

    def check(self, name: str, value: object) -> int | str:
        """The value itself when it is allowed, else `BadOptions` with the bounds in the sentence."""
        if type(value) is (str if self.words else int) and value in self.values:
            return value
        why = f" {self.why}" if self.why else ""
        raise BadOptions(f"{name} is {self}, not {str(value)[:20]}.{why}")


def number(default: int | None, low: int, high: int, help: str, *, step: int = 1, why: str = "") -> Any:
    """Declare an integer option. A default of None is one that `settle` finds from the seats and the other options."""
    return field(default=default, metadata={"bounds": Bounds(help, default, low, high, step, (), why)})


def word(default: str | None, words: tuple[str, ...], help: str) -> Any:
    """Declare an option that is one of some words. A default of None is one that `settle` finds.

    Where an option does not apply, beside what was chosen for another, `settle` refuses it or leaves it at None.
    """
    return field(default=default, metadata={"bounds": Bounds(help, default, words=words)})


@dataclass(frozen=True, slots=True)
class Options:
    """The options of a match; a game without any uses this class itself."""

    @classmethod
    def bounds(cls) -> dict[str, Bounds]:
        """The declaration of every option, by name."""
        return {item.name: item.metadata["bounds"] for item in fields(cls)}

    @classmethod
    def read(cls, given: Mapping[str, object], seats: int) -> Self:
        """Options from a record or a command: checked one by one, then settled for the number of seats."""
        bounds = cls.bounds()
        if unknown := [name for name in given if name not in bounds]:
            known = "the options are " + ", ".join(bounds) if bounds else "this game has no options"
            raise BadOptions(f"There is no option {unknown[0][:20]}: {known}.")
        return cls(**{name: bounds[name].check(name, value) for name, value in given.items()}).settle(seats)

    def settle(self, seats: int) -> Self:
        """These options with the defaults and bounds that depend on the number of seats, or `BadOptions`."""
        return self

    def record(self) -> dict[str, int | str]:
        """The options as a match record holds them; one that does not apply is None, and left out."""
        return {name: value for name in self.bounds() if (value := getattr(self, name)) is not None}


# How a move is entered: commands, autocompletion, forms and the README's table are made from these.

PartKind = Literal["square", "whole", "word", "text"]
SELECT_LIMIT = 25
"""The longest list that a select can show (Discord's limit)."""


@dataclass(frozen=True, slots=True)
class Part:
    """One thing a player says in a move.

    `bounds` gives, for a position: columns and rows of a "square"; lowest and highest of a "whole" number;
    the words of a "word"; least and most characters of a "text".
    """

    name: str
    kind: PartKind
    help: str
    bounds: Callable[[Any], tuple[Any, ...]]
    optional: bool = False
    """Whether it may be left out; only the last part of a move may."""

    def lists(self, position: Position) -> tuple[tuple[str, ...], ...]:
        """The lists a form shows: column and row of a square, one list of few values, none for a line of text.

        A chosen value is the concatenation of one item from each list.
        """
        bounds = self.bounds(position)
        if self.kind == "square":
            columns, rows = bounds
            return tuple(chr(97 + column) for column in range(columns)), tuple(str(row + 1) for row in range(rows))
        if self.kind == "word":
            return (bounds,)
        if self.kind == "whole" and bounds[1] - bounds[0] < SELECT_LIMIT:
            return (tuple(str(value) for value in range(bounds[0], bounds[1] + 1)),)
        return ()


def always(position: Any, seat: Seat) -> bool:
    """A kind of move that can be made whenever its seat is to move."""
    return True


@dataclass(frozen=True, slots=True)
class MoveKind:
    """One of a game's move commands: its name, its parts, and the pattern that joins them to a line of notation."""

    name: str
    help: str
    pattern: str
    parts: tuple[Part, ...] = ()
    when: Callable[[Any, Seat], bool] = always

    def write(self, values: Mapping[str, str]) -> str:
        """The move as one line, from the text given for each part."""
        return self.pattern.format_map(values).strip()

    def parse(self, move: str) -> dict[str, str] | None:
        """The parts of a canonical move of this kind; None for a move of another kind."""
        found = re.fullmatch(self._template(), move, re.DOTALL)
        return {name: value for name, value in found.groupdict().items() if value is not None} if found else None

    def prefix(self, values: Mapping[str, str], last: str) -> str:
        """The line as far as it is known when the part `last` is being typed."""
        head, _, _ = self.pattern.partition(f"{{{last}}}")
        known = {part.name: values.get(part.name, "") for part in self.parts}
        return head.format_map(known) + values.get(last, "")

    def _template(self) -> str:
        pieces = re.split(r"\{(\w+)\}", self.pattern)
        template = re.escape(pieces[-1])
        for before, part in reversed(list(zip(pieces[::2], self.parts, strict=False))):
            said = f"{re.escape(before)}(?P<{part.name}>{'.+' if part.kind == 'text' else '[^ -]+'})"
            template = (f"(?:{said})?" if part.optional else said) + template
        return template


def undrawn(position: Any) -> tuple[Picture, ...]:
    """The pictures of a game that has rules but no picture yet; such a game is not offered to anybody."""
    return ()


def unveiled(seat: Seat, move: str) -> str | None:
    """The veil of a game without secrets: everybody learns the move itself."""
    return move


def unadvised(options: Any, seats: int) -> str | None:
    """The advice of a game in which every choice of options is as good as another."""
    return None


@dataclass(frozen=True, slots=True)
class Game:
    """The front page of a game: everything that the rest of the program may know about it."""

    key: str
    title: str
    year: int
    goal: str
    seats: range
    start: Callable[[Any, int], Position]
    rules: str | None
    """The rules text that players read, ending in a doctest: the docstring of the game's rules."""
    moves: tuple[MoveKind, ...]
    Options: type[Options] = Options
    pictures: Callable[[Any], tuple[Picture, ...]] = undrawn
    sides: tuple[str, ...] = ()
    """What each seat counts ("columns", "rows"), where seats differ."""
    also: tuple[str, ...] = ()
    """First words of moves that `play` accepts beyond `moves()`: undoing, several squares at once."""
    veil: Callable[[Seat, str], str | None] = unveiled
    """What the others learn of a move: the move, a word ("a grid"), or nothing."""
    advice: Callable[[Any, int], str | None] = unadvised
    """A remark shown with a challenge; it refuses nothing."""
    version: int = 1
    """Raised when a change alters the result of any recorded match."""

    INVENTOR: ClassVar[str] = "Leroy Quet"

    @property
    def secret(self) -> bool:
        """Whether players see what others do not: then each has a board of their own."""
        return self.veil is not unveiled

    def configure(self, given: Mapping[str, object], seats: object) -> Options:
        """Checked options for a match of so many seats, or `BadOptions`."""
        if type(seats) is not int or seats not in self.seats:
            low, high = self.seats[0], self.seats[-1]
            players = f"{low} players" if low == high else f"{low} to {high} players"
            raise BadOptions(f"{self.title} is for {players}, not {str(seats)[:20]}.")
        return self.Options.read(given, seats)
