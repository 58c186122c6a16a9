"""Cases of a test that show the same in other words: `make test` takes the first few, `make long` the rest."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import pytest


def sampled(
    names: str | tuple[str, ...],
    cases: Iterable[Any],
    few: int = 1,
    ids: Iterable[str] | Callable[[Any], str] | None = None,
) -> pytest.MarkDecorator:
    """`pytest.mark.parametrize`, with all cases but the first few marked `long`."""
    several = not isinstance(names, str)
    given = [pytest.param(*(case if several else (case,)), marks=pytest.mark.long if number >= few else ())
             for number, case in enumerate(cases)]  # fmt: skip
    return pytest.mark.parametrize(names, given, ids=ids)
