"""What holds for all tests of the host's side: a bot that runs within one begins its log and sets its threads for good."""

import sys
from collections.abc import Generator

import pytest

from tests.support.log_lines import log_as_before


@pytest.fixture(autouse=True)
def as_before() -> Generator[None]:
    """Put back after each test what a bot has set up for its whole process."""
    often = sys.getswitchinterval()
    with log_as_before():
        yield
    sys.setswitchinterval(often)
