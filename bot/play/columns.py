"""How the rows of the database are declared: once each, as classes whose annotations are the columns in order.

What the type of a field does not say is in its `Annotated`. A column that the program's objects do not hold is a
`ClassVar`; a field that is no column is `Joined`. `data.tables.rows` makes the tables from these declarations,
`data.queries.privacy` the export and the deletion of a user's data::

    @dataclass(frozen=True, slots=True)
    class Player:
        match: ClassVar[Annotated[MatchId, Key("matches.id")]]
        user: Annotated[UserId, Key(), Person()]
        hints: Annotated[int, Exported("how many hints you used")] = 0

A new column gets the default of its field in existing rows. In a table about people, whose key is a `Person`, every
column is `Exported` or `Withheld`.
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
    """The column's default in the database, where it differs from the field's; None: a value is required."""

    value: int | str | None


@dataclass(frozen=True, slots=True)
class Form:
    """How a value stands in its column, where its type does not say it: `big` integers and a `moment` have 64 bits,
    `exact` ones any number of digits, `words` have spaces between them, a `zone` is the name of one, a `place` a server
    or nothing."""

    name: str


@dataclass(frozen=True, slots=True)
class Choice:
    """A text with some known values; any other is read as the usual one."""

    known: tuple[str, ...]
    usual: str | None


@dataclass(frozen=True, slots=True)
class Joined:
    """Not a column: the value is read from other tables."""


@dataclass(frozen=True, slots=True)
class Signed:
    """A number that may be negative without being an alias: the key of a deadline's act, or of a message in another
    match's channel."""


@dataclass(frozen=True, slots=True)
class Person:
    """A person's id. When they delete their data an alias replaces it, or if the person `owns` the row, it goes."""

    owns: bool = False


NOTHING = object()


@dataclass(frozen=True, slots=True)
class Exported:
    """Personal data that is in the export; `words` is its entry in PRIVACY.md. `forgotten` replaces the value where the
    row stays under an alias."""

    words: str
    forgotten: Any = NOTHING


@dataclass(frozen=True, slots=True)
class Withheld:
    """Personal data that is not in the export, and why; else as `Exported`."""

    why: str
    forgotten: Any = NOTHING


MOMENT = Form("moment")
Moment = Annotated[int, MOMENT]
"""Epoch seconds."""
PLACE = Form("place")
"""The server of what may belong to none."""
