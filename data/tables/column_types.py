"""Column types for the schema that SQLAlchemy lacks: each says how a value of the program stands as text."""

from __future__ import annotations

import json
from typing import Any

from sqlalchemy import BigInteger, Dialect, Integer, Text, TypeDecorator

Counter = BigInteger().with_variant(Integer(), "sqlite")
"""A key that counts up by itself; SQLite does that only for a column of exactly this type."""


class Seats(TypeDecorator[tuple[int, ...]]):
    """Seats, or other small numbers, as a JSON list: "[1, 3]"."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: Any, dialect: Dialect) -> str | None:
        return None if value is None else json.dumps(list(value))

    def process_result_value(self, value: Any, dialect: Dialect) -> tuple[int, ...] | None:
        return None if value is None else tuple(json.loads(value))


class Chosen(TypeDecorator[dict[str, int | str]]):
    """The options of a match as a JSON object; as text, so that the same bytes stand in every kind of database."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: Any, dialect: Dialect) -> str | None:
        return None if value is None else json.dumps(dict(value), sort_keys=True)

    def process_result_value(self, value: Any, dialect: Dialect) -> dict[str, int | str] | None:
        return None if value is None else json.loads(value)


class Exact(TypeDecorator[int]):
    """A whole number of any size, in decimal: scores pass 64 bits."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: Any, dialect: Dialect) -> str | None:
        return None if value is None else str(int(value))

    def process_result_value(self, value: Any, dialect: Dialect) -> int | None:
        return None if value is None else int(value)


class OneOf(TypeDecorator[str]):
    """One of some words; any other text is read as the usual word."""

    impl = Text
    cache_ok = True

    def __init__(self, known: tuple[str, ...], usual: str | None) -> None:
        super().__init__()
        self.known = known
        self.usual = usual

    def process_result_value(self, value: Any, dialect: Dialect) -> str | None:
        return value if value in self.known else self.usual


class Zone(TypeDecorator[str]):
    """The name of a time zone, as it stands: which there are is known to the service, which reads others as UTC."""

    impl = Text
    cache_ok = True


class Words(TypeDecorator[tuple[str, ...]]):
    """Words with spaces between them."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: Any, dialect: Dialect) -> str | None:
        return None if value is None else " ".join(value)

    def process_result_value(self, value: Any, dialect: Dialect) -> tuple[str, ...] | None:
        return None if value is None else tuple(value.split())
