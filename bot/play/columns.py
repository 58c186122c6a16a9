"""How the rows of the database are declared: once each, as classes whose annotations are the columns in their order.

What the class does not say by the type of a field stands in an `Annotated` beside it. A column that the program's
objects do not hold is a `ClassVar`; a field that is no column is `Joined`. `data.tables.rows` makes the tables of them,
`data.queries.privacy` what people get and how they are forgotten::

    @dataclass(frozen=True, slots=True)
    class Player:
        match: ClassVar[Annotated[MatchId, Key("matches.id")]]
        user: Annotated[UserId, Key(), Person()]
        hints: Annotated[int, Exported("how many hints you used")] = 0

A new row gets the default of the field in a database that has rows already. In a table about people, whose key is a
`Person`, every column is `Exported` or `Withheld`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any


@dataclass(frozen=True, slots=True)
class Key:
    """Part of the primary key; another table's column that it refers to; whether the database counts it up."""

    references: str = ""
    counts: bool = False


@dataclass(frozen=True, slots=True)
class References:
    """A column of another table that this one refers to, without being part of the key."""

    column: str


@dataclass(frozen=True, slots=True)
class Default:
    """What the database writes where nothing is given, if not the default of the field; None: it has to be given."""

    value: int | str | None


@dataclass(frozen=True, slots=True)
class Form:
    """How a value stands in its column, where its type does not say it: `big` integers and a `moment` have 64 bits,
    `exact` ones any number of digits, `words` have spaces between them, a `zone` is the name of one."""

    name: str


@dataclass(frozen=True, slots=True)
class Choice:
    """A text of which only some are known; any other is read as the usual one."""

    known: tuple[str, ...]
    usual: str | None


@dataclass(frozen=True, slots=True)
class Joined:
    """No column: it is read from other tables."""


@dataclass(frozen=True, slots=True)
class Signed:
    """A number that may be negative, without being a person's: of an act that time brought about, or of a message in
    another match's channel."""


@dataclass(frozen=True, slots=True)
class Person:
    """The number of a person. Who is forgotten has an alias in its place; rows that they `own` are deleted."""

    owns: bool = False


NOTHING = object()


@dataclass(frozen=True, slots=True)
class Exported:
    """Kept about a person: these words of PRIVACY.md say so, and the column is in what they can export. `forgotten` is
    written in its place where the row stays under an alias."""

    words: str
    forgotten: Any = NOTHING


@dataclass(frozen=True, slots=True)
class Withheld:
    """Kept about a person, and for this reason not in the export; else as `Exported`."""

    why: str
    forgotten: Any = NOTHING


MOMENT = Form("moment")
Moment = Annotated[int, MOMENT]
"""Epoch seconds."""
