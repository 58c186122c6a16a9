"""What a bot that runs within a test sets up for its whole process is put back."""

import sys
from collections.abc import Generator

import pytest

from tests.support.log_lines import log_as_before


@pytest.fixture(autouse=True)
def as_before() -> Generator[None]:
    """Put back how threads take turns, and the log."""
    often = sys.getswitchinterval()
    with log_as_before():
        yield
    sys.setswitchinterval(often)
