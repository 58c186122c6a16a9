"""The inventor's own examples, which lie beside the project in ../shared and are no part of it."""

from __future__ import annotations

import subprocess
import sys

import pytest

from bot.core.catalogue import games
from tests.skips import ROOT, SHARED

CASES = SHARED / "check_cases.py"


@pytest.mark.skipif(not CASES.exists(), reason="the inventor's examples are not here: they are in ../shared")
@pytest.mark.parametrize("key", games())
def test_the_inventors_examples_hold(key: str) -> None:
    done = subprocess.run([sys.executable, CASES, key], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
