"""The examples in docstrings hold, wherever there are any."""

from __future__ import annotations

import doctest
import importlib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FOLDERS = ("bot", "cogs", "data", "rendering", "tests/contract")
FILES = [file for folder in FOLDERS for file in sorted((ROOT / folder).rglob("*.py")) if ">>> " in file.read_text()]


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.relative_to(ROOT).as_posix())
def test_examples(file: Path) -> None:
    name = ".".join(file.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
    results = doctest.testmod(importlib.import_module(name))
    assert results.attempted > 0
    assert results.failed == 0
