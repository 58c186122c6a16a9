"""What the declared rows come to: the statements that make the tables, and what is said of people's data."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import create_mock_engine

from data.tables.schema import METADATA


def statements(address: str) -> str:
    """What makes all tables and indexes in an empty database."""
    said = list[str]()

    def note(statement: Any, *_: object, **__: object) -> None:
        said.append(str(statement.compile(dialect=engine.dialect)).strip() + ";\n")

    engine = create_mock_engine(address, note)
    METADATA.create_all(engine, checkfirst=False)
    return "\n".join(sorted(said, key=lambda one: one if one.startswith("CREATE INDEX") else ""))


@pytest.mark.parametrize("address", ["sqlite://", "postgresql+asyncpg://"])
def test_the_tables_are_made_as_they_always_were(address: str) -> None:
    """A change of a table comes with a migration; then this file is written anew."""
    golden = Path(__file__).with_name(f"tables.{address.partition('+')[0].partition(':')[0]}.sql")
    assert statements(address) == golden.read_text()
