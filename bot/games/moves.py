"""Kinds of moves and their parts, from which commands, autocompletion and forms are made.

A kind of move knows its notation: `write` joins the parts to a line, `parse` splits the line again.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Generic, Literal, NamedTuple

from typing_extensions import TypeVar

from bot.games.position import Position, Seat
from bot.games.wording import Plural

P_contra = TypeVar("P_contra", bound=Position, contravariant=True, default=Position)
"""The game's positions that a part or a kind of move is for."""

PartKind = Literal["square", "whole", "word", "text"]
LINE = "line"
"""The name under which a move typed as one line is given, in place of its parts."""
SHORT = 40
"""The most characters of a value that is typed."""
SELECT_LIMIT = 25
"""The longest list that a select can show (Discord's limit)."""
SIDE_BY_SIDE = 25
"""The most numbers that a pad shows as one key each; more are reached by their range. A tall board leaves less space.
"""
GAP = 2
"""Characters between two items of a list: a comma and a space."""


PLAYED = "{who} played {move}.", "You played {move}."
DID, PLACED = "played", "placed"
"""The verbs of moves that have none of their own."""
TASKS = {
    DID: "Play",
    PLACED: "Place",
    "added": "Add",
    "chose": "Choose",
    "drew": "Draw",
    "filled": "Fill",
    "flipped": "Flip",
    "marked": "Mark",
    "split": "Split",
    "undid": "Undo",
    "walked": "Walk",
    "wrote": "Write",
}
"""What a player is about to do, by the verb of the deed that it becomes."""
FINISHED = "{who} has finished.", "You have finished."
"""The sentence about a move: to others, and to its player."""


class Question(NamedTuple):
    """A question of a pad: to the player who moves, and about a player `who` moves, empty for a general one."""

    own: str
    other: str = ""


WHAT = Question("Which move?", "What does {who} play?")
"""The question where nothing says more."""
PLACE = Question("Where do you place {number}?", "Where does {{who}} place {number}?")


def give_no_text(position: Position, seat: Seat) -> str:
    """The default `begin` of a part: forms are empty at first."""
    return ""


def give_no_bounds(position: Position) -> tuple[int, ...]:
    """The bounds of a part without any: a word."""
    return ()


def make_from_pattern(pattern: str) -> Callable[[Position, Seat, Mapping[str, str]], str]:
    """A `plays` or `tells` from a pattern of the parts: "{number} at {square}"."""
    return lambda position, seat, values: pattern.format_map(values)


@dataclass(frozen=True, slots=True)
class Part(Generic[P_contra]):
    """One value of a move, or with `items` a list of values, in order.

    `bounds` gives, for a position: columns and rows of a "square"; lowest and highest of a "whole" number; least and
    most characters of a "text". `items` gives the least and the most length of a list.
    """

    name: str
    kind: PartKind
    help: str
    bounds: Callable[[P_contra], tuple[int, ...]] = give_no_bounds
    asks: str = ""
    """The question of a pad; empty for its help."""
    asks_other: str = ""
    """The same about another player, `who`; empty for a general one, or for one that asks of nobody."""
    optional: bool = False
    """Whether it may be left out; only the last part of a move may."""
    words: tuple[str, ...] = ()
    """The values of a "word"."""
    called: tuple[str, ...] = ()
    """The names of its words on keys and in lists; empty for the words themselves."""
    items: Callable[[P_contra], tuple[int, int]] | None = None
    begin: Callable[[P_contra, Seat], str] = give_no_text
    """The initial text in a form."""
    completions: Callable[[P_contra, Seat, Mapping[str, str], str], Iterable[str]] | None = None
    """The legal values (of a list: next items) that begin with the typed text, given the values of earlier parts by
    name; numbers ascending. Callers stop when they have enough. None: they are taken from the listed moves."""
    common_values: Callable[[P_contra, Seat, Mapping[str, str]], Iterable[str]] | None = None
    """The values mostly chosen, if there are very many, given the earlier parts; not all need be legal."""
    page_labels: tuple[str, str] = ("Other numbers …", "Usual numbers")
    """The buttons from the common values to all others, and back."""
    max_buttons: int = SIDE_BY_SIDE
    """The most numbers, or squares of a list, that a pad shows as one key each; more are reached by their range, or by
    column and row."""
    shows_range: bool = False
    """Whether the range of a number is drawn, once it is chosen."""
    key_label: Callable[[P_contra, Mapping[str, str], str], str] | None = None
    """The label on the key of a number, given what is chosen so far: what lies there, or with its cost."""
    is_place: bool = False
    """Whether a number is a place on the board: its key stays where it is, greyed out where it may not be chosen."""
    ends: str = ""
    """The label of the button that ends a list; empty for *Done*."""
    is_ascending: bool = False
    """Whether the items of a list are sorted, in whatever order they were chosen."""
    editable_squares: Callable[[P_contra], tuple[str, ...]] | None = None
    """The squares of its items, if a tap can replace one once all items are there."""
    pad_part: Part[P_contra] | None = None
    """The list of the same name from which pads build a text."""
    title: str = ""
    """The label before its value; empty for its name."""

    @property
    def heading(self) -> str:
        """The label before its value: "Square"."""
        return self.title or self.name.capitalize()

    def name_word(self, word: str) -> str:
        return dict(zip(self.words, self.called, strict=False)).get(word, word)

    @property
    def is_line(self) -> bool:
        """Whether forms have a line of text for it, as for lists."""
        return self.kind == "text" or self.items is not None

    def compute_max_length(self, position: P_contra) -> int:
        """The most characters of a typed value."""
        if self.items is None:
            return self.bounds(position)[1] if self.kind == "text" else SHORT
        return self.items(position)[1] * (self._compute_item_width(position) + GAP)

    def _compute_item_width(self, position: P_contra) -> int:
        if self.kind == "word":
            return max(map(len, self.words))
        most = self.bounds(position)[1]
        return {"square": 1 + len(str(most)), "whole": len(str(most)), "text": most}[self.kind]


def is_always_possible(position: Position, seat: Seat) -> bool:
    """The default `when`: the kind is possible whenever its seat is to move."""
    return True


@dataclass(frozen=True, slots=True)
class MoveKind(Generic[P_contra]):
    """One of a game's move commands: its name, its parts, and the pattern that joins them to a line of notation."""

    name: str
    help: str
    pattern: str
    parts: tuple[Part[P_contra], ...] = ()
    when: Callable[[P_contra, Seat], bool] = is_always_possible
    final: str = ""
    """The confirmation before a move that cannot be undone; empty without one."""
    label: str = ""
    """The text on its button; empty for its name."""
    verb: str = ""
    """How the last step of a pad calls playing it, in place of its deed."""
    thing: str = ""
    """What its question calls the move, behind the verb: "segment"."""
    counted: Plural | None = None
    """Many of them as a deed, the verb first, where their number tells how they change the score: "drew 3 segments"."""
    asks: Callable[[P_contra, Seat, Mapping[str, str]], Question] | None = None
    """The question of a pad, given the values so far, if the parts' own do not suffice."""
    asks_whole: Callable[[P_contra, Seat, Mapping[str, str]], Question] | None = None
    """The question where whole moves are offered at once, given the values so far, if it differs."""
    plays: Callable[[P_contra, Seat, Mapping[str, str]], str] | None = None
    """The move in words, for pads and the line about the last turn, if not its notation: "1 2 for 26"."""
    tells: Callable[[P_contra, Seat, Mapping[str, str]], str] | None = None
    """The move in words for hints and the line about the last turn, if the pad's words leave something out."""
    answered: bool = True
    """Whether an answer to it can be prepared: not where its seat makes a whole series of moves that nobody guesses."""
    does: Callable[[P_contra, Seat, Mapping[str, str]], str] | None = None
    """The move as a deed, for the line about the last turn, the verb first: "flipped digit 5"."""
    foreseen: bool = True
    """Whether its effect is shown before it is played: not where players shall find it out themselves."""
    places: Callable[[P_contra, Seat], int | None] | None = None
    """The number that a seat places with it, if that is no choice; pads and the line about the turn show it."""
    words: tuple[str, ...] = ()
    """Words that may precede a typed move in place of its name: "fill" before a square."""
    said: tuple[str, str] = PLAYED
    """The sentence about such a move, to others and to its player."""
    takes_back: bool = False
    """Whether it only takes back what its seat did in secret, so that its button is pale."""
    leg: int = 0
    """Its leg in a match in two legs, else 0."""
    single: MoveKind | None = None
    """Of a kind of move in a leg: the game's own."""
    shape: re.Pattern[str] = field(init=False, repr=False, compare=False)
    """The pattern of canonical moves: compiled once, since a pad parses many moves at every tap."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "label", self.label or self.name.capitalize())
        object.__setattr__(self, "shape", re.compile(self._build_pattern(), re.DOTALL))

    @property
    def head(self) -> str:
        """The word with which its notation begins; usually none."""
        return self.pattern.partition("{")[0].strip()

    @property
    def names(self) -> tuple[str, ...]:
        """The words that may precede a typed move."""
        return (self.name, self.label.lower(), *self.words)

    def word_question(self, position: P_contra, seat: Seat, chosen: Mapping[str, str]) -> Question:
        """The question of a pad, given the values so far; empty for the parts' own."""
        if self.places:
            number = self.places(position, seat)
            return Question(*(words.format(number=number) for words in PLACE))
        return self.asks(position, seat, chosen) if self.asks else Question("")

    def describe(self, position: P_contra, seat: Seat, values: Mapping[str, str]) -> str:
        """The move in a pad's words: "8 at b1", or the line."""
        if self.places:
            return f"{self.places(position, seat)} at {values[self.parts[0].name]}"
        return self.plays(position, seat, values) if self.plays else self.write(values)

    def describe_alone(self, position: P_contra, seat: Seat, values: Mapping[str, str]) -> str:
        """The move in the words of hints and of the line about the last turn, where no pad is shown."""
        return self.tells(position, seat, values) if self.tells else self.describe(position, seat, values)

    def describe_deed(self, position: P_contra, seat: Seat, values: Mapping[str, str]) -> tuple[str, str]:
        """The move as a deed: its verb, and what follows it."""
        if self.does:
            verb, _, rest = self.does(position, seat, values).partition(" ")
            return verb, rest
        return PLACED if self.places else DID, self.describe_alone(position, seat, values)

    def describe_task(self, position: P_contra, seat: Seat, values: Mapping[str, str]) -> tuple[str, str]:
        """The move as what its player is about to do: the verb, and what follows it."""
        if self.does and not self.verb:
            verb, rest = self.describe_deed(position, seat, values)
            return TASKS[verb], rest
        return self.verb or TASKS[PLACED if self.places else DID], self.describe(position, seat, values)

    def write(self, values: Mapping[str, str]) -> str:
        """The move as one line, from the text of each part, or from a typed `LINE`."""
        if LINE in values:
            return self.complete_line(values[LINE])
        return self.pattern.format_map(self._strip_full_stops(values)).strip()

    def complete_line(self, line: str) -> str:
        """A move of this kind as one full line, from one without its leg or its word."""
        if self.single:
            return f"{self.leg}: {self.single.complete_line(line.strip().removeprefix(f'{self.leg}:').strip())}"
        named = not self.head or {*re.findall("[a-z]+", line.lower())} & {*self.names, self.head}
        return line if named else f"{self.head} {line}".strip()

    def parse(self, move: str) -> dict[str, str] | None:
        """The parts of a canonical move of this kind; None for a move of another kind."""
        found = self.shape.fullmatch(move)
        return {name: value for name, value in found.groupdict().items() if value is not None} if found else None

    def write_up_to(self, values: Mapping[str, str], last: str) -> str:
        """The beginning of the line up to the part `last`, which is being typed."""
        head, _, _ = self.pattern.partition(f"{{{last}}}")
        known = self._strip_full_stops({part.name: values.get(part.name, "") for part in self.parts})
        return head.format_map(known) + values.get(last, "")

    def _strip_full_stops(self, values: Mapping[str, str]) -> dict[str, str]:
        """The text of each part; all but the last without the full stop that phones type for two spaces."""
        last = self.parts[-1].name if self.parts else ""
        return {name: value if name == last else value.removesuffix(".") for name, value in values.items()}

    def _build_pattern(self) -> str:
        pieces = re.split(r"\{(\w+)\}", self.pattern)
        template = re.escape(pieces[-1])
        for before, part in reversed(list(zip(pieces[::2], self.parts, strict=False))):
            said = f"{re.escape(before)}(?P<{part.name}>{'.+' if part.is_line else '[^ -]+'})"
            template = (f"(?:{said})?" if part.optional else said) + template
        return template


def describe_move(kinds: Iterable[MoveKind], position: Position, seat: Seat, move: str) -> str:
    """A move in its pad's words, "8 at b1" or "square 4", if its kind has any; else its line."""
    for kind in kinds:
        if (kind.places or kind.plays) and kind.when(position, seat) and (values := kind.parse(move)) is not None:
            return kind.describe_alone(position, seat, values)
    return move
