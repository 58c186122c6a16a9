"""The kernel of custom_ids, the text that a button, a select or a form carries.

A kind of ids is a class with a template, which names its fields in braces; what stands in brackets is left out where
all fields in it are empty, and a dash at its beginning where nothing stands before it. A subclass goes on with the
template of its base. What messages on Discord carry is read for as long as they are kept, so a template never changes.
`routes` has what answers each kind.

Behind an id of a match, a page or a place in a replay `::<number>` may stand, which is ignored: a select of people or
channels is reset only where it gets another custom_id. The user is never in an id: that is the interaction's. The
patterns take ASCII only and bound every length, so that no number is too large for the store.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations, product
from typing import Annotated, Any, ClassVar, Literal, Self, dataclass_transform, get_args, get_origin, get_type_hints

from bot.play.ids import InteractionId, MatchId

NUMBER = "[0-9]{1,15}"
Match = Annotated[MatchId, NUMBER]
Version = Annotated[int, "[0-9]{1,9}"]
"""How many lines of the record the viewer of a message may see, or a place in them."""
Word = Annotated[str, "[0-9a-z]{1,20}"]
GameKey = Annotated[str, "[a-z][0-9a-z-]{0,59}?"]
SNOWFLAKE = "[0-8]?[0-9]{1,18}"
SeatNumber = Annotated[int, "[1-8]"]
Own = Annotated[bool, "s"]
"""A flag is written as the text here, or not at all. This one: whether a message is a seat's own, ephemeral one."""
DOCTORS = "doctor:"
"""The prefix of the custom_ids of `python -m bot doctor`, which connects beside the bot and answers them itself. All
others begin with one letter."""
COMPONENT = "[a-z]:.+"
FIELD, NAME = re.compile(r"\{(\w+)\}"), re.compile("[?]P<[a-z]+>")
OPTIONAL, BARE = str.maketrans({"[": "(?:", "]": ")?"}), str.maketrans("", "", "[]")
AGAIN, AGAINS, RENEWABLE = "(?:::[0-9]{1,12})?", 10**12, ("m:", "p:", "r:")


class Field:
    """A field of a template: its pattern, how it is parsed and written, and some sample texts."""

    def __init__(self, hint: Any) -> None:
        self.read: Callable[[str], Any] = str
        self.flag, self.words = "", tuple[str, ...]()
        if isinstance(hint, type) and issubclass(hint, CustomId):
            self.pattern, self.read, self.samples = hint.pattern, hint.parse, hint.samples()
        elif get_origin(hint) is Literal:
            self.words = self.samples = get_args(hint)
            self.pattern = "|".join(self.words)
        else:
            kind, self.pattern = get_args(hint)
            kind = getattr(kind, "__supertype__", kind)
            if kind is bool:
                self.read, self.flag, self.samples = bool, self.pattern, ("", self.pattern)
                self.pattern = f"(?:{self.pattern})?"
            else:
                self.read = (lambda text: int(text or 0)) if kind is int else str
                self.samples = tuple(_sample(self.pattern, which) for which in (1, 2))

    def write(self, value: Any) -> str:
        return str(value) if not self.flag else self.flag if value else ""


def _sample(pattern: str, which: int) -> str:
    """A short text that matches a pattern, of the first or the last character in each of its sets."""

    def shortest(found: re.Match[str]) -> str:
        return "" if found[0].endswith("]?") else found[which] * int(found[3] or 1)

    return re.sub(r"\[(.).*?(.)\](?:\{(\d+).*?\})?\??", shortest, pattern)


@dataclass_transform(frozen_default=True)
class CustomId:
    """An id; a subclass is a kind of ids. One parsed `otherwise` takes what no other kind of its shape takes."""

    template: ClassVar[str] = ""
    otherwise: ClassVar[bool]
    pattern: ClassVar[str]
    fields: ClassVar[Mapping[str, Field]]
    pieces: ClassVar[Sequence[str]]

    def __init_subclass__(cls, template: str, otherwise: bool = False) -> None:
        dataclass(frozen=True)(cls)
        cls.template, cls.otherwise = cls.template + template, otherwise
        cls.pieces = re.findall(r"\[[^]]+\]|[^[]+", cls.template)
        hints = get_type_hints(cls, include_extras=True)
        cls.fields = {name: Field(hints[name]) for name in FIELD.findall(cls.template)}
        groups = {name: f"(?P<{name}>{NAME.sub('?:', field.pattern)})" for name, field in cls.fields.items()}
        again = AGAIN if cls.template.startswith(RENEWABLE) else ""
        cls.pattern = cls.template.replace("[-", "[(?:-|(?<=:))").translate(OPTIONAL).format(**groups) + again

    @classmethod
    def parse(cls, text: str) -> Self | None:
        """Parse an id; None when it is not of this kind."""
        found = re.fullmatch(cls.pattern, text)
        return found and cls(**{name: field.read(found[name] or "") for name, field in cls.fields.items()})

    def __str__(self) -> str:
        values = {name: getattr(self, name) for name in self.fields}
        texts = {name: field.write(values[name]) for name, field in self.fields.items()}
        shown = (one for one in self.pieces if one[0] != "[" or any(values[name] for name in FIELD.findall(one)))
        return "".join(shown).replace(":[-", ":").translate(BARE).format(**texts)

    @classmethod
    def words(cls) -> tuple[str, ...]:
        """The words by which the handlers of a kind are distinguished: those of the first field that has any."""
        return next((field.words for field in cls.fields.values() if field.words), ("",))

    @property
    def word(self) -> str:
        """The one of `words` in this id."""
        return next((getattr(self, name) for name, field in self.fields.items() if field.words), "")

    @classmethod
    def samples(cls) -> tuple[str, ...]:
        """Some ids of a kind, with each of its words, and with and without what is optional."""
        every = [dict(zip(cls.fields, one, strict=True)) for one in product(*(f.samples for f in cls.fields.values()))]
        shapes = cls.template.translate(BARE), re.sub(r"\[[^]]*\]", "", cls.template)
        return tuple({shape.format(**texts) for shape in shapes for texts in every})


def find_overlapping(kinds: Iterable[type[CustomId]]) -> list[tuple[type[CustomId], type[CustomId]]]:
    """The pairs of kinds where one matches an id of the other."""
    apart = [kind for kind in kinds if not kind.otherwise]
    return [(one, other) for one, other in permutations(apart, 2) if any(map(other.parse, one.samples()))]


def renew_id(text: str, number: int) -> str:
    """The custom_id of a select of people or channels, as a different text with the same meaning."""
    end = f"::{number % AGAINS}" if number % AGAINS else ""
    return re.sub(f"{AGAIN}$", end, text, count=1) if text.startswith(RENEWABLE) else text


Does = Literal["back", "clear", "done", "page", "pick", "play", "type"]


class Tap(CustomId, template="{kind}:{step}:{does}:{key}"):
    """What a button of a pad does to the partial move in its message: the kind of move, the number of its steps when
    the button was made, so that a tap on an outdated pad changes nothing, what it does, and a key."""

    kind: Word
    step: Annotated[int, "[0-9]{1,4}"]
    does: Does
    key: Annotated[str, "[0-9a-z]{0,19}"] = ""


class PadId(CustomId, template="{pad}:{match}:{at}:{tap}"):
    """A button of a match's pad: `k` for a move, `q` for premoves, with the version that its owner saw; `o` for tried
    moves, with the place in the lines that the viewer may see."""

    pad: Literal["k", "q", "o"]
    match: Match
    at: Version
    tap: Tap


class FormId(CustomId, template="f:{match}:{version}:{purpose}{kind}:{interaction}"):
    """A form for a kind of move, or for premoves; with the version that its opener saw, and the interaction that opened
    it: discord.py knows an open form by its custom_id alone, and two people have two."""

    match: Match
    version: Version
    purpose: Literal["ifthen", ""]
    kind: Annotated[str, "[0-9a-z]{0,20}"]
    interaction: Annotated[InteractionId, "[0-9]{1,20}"]


class OfMatch(CustomId, template="m:{match}:{version}{own}:"):
    """A button or a select of a match, with the version on its message, and whether that is the seat's own view."""

    match: Match
    version: Version
    own: Own


class MatchButton(OfMatch, template="{sure}{verb}", otherwise=True):
    """Any button of a match; the one for a move has the name of its kind, and may mean that the user is `sure`."""

    sure: Annotated[bool, "sure"]
    verb: Word
