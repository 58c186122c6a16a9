"""Cases of a test that show the same in other words: `make test` takes the first few, `make long` the rest, or `make
rehearse` where they take minutes."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import pytest


def sampled(
    names: str | tuple[str, ...],
    cases: Iterable[Any],
    few: int = 1,
    ids: Iterable[str] | Callable[[Any], str] | None = None,
    rest: pytest.MarkDecorator = pytest.mark.long,
) -> pytest.MarkDecorator:
    """`pytest.mark.parametrize`, with all cases but the first few marked as the `rest`."""
    several = not isinstance(names, str)
    given = [pytest.param(*(case if several else (case,)), marks=rest if number >= few else ())
             for number, case in enumerate(cases)]  # fmt: skip
    return pytest.mark.parametrize(names, given, ids=ids)
