"""What a bot that runs within a test sets up for its whole process is put back."""

import sys
from collections.abc import Generator

import pytest

from bot.host import machine
from data.upkeep.hindrance import HERE, Typing
from tests.support.log_lines import log_as_before


def plainly(container: bool) -> str:
    return Typing().program


@pytest.fixture(autouse=True)
def as_before(monkeypatch: pytest.MonkeyPatch) -> Generator[None]:
    """Put back how threads take turns, and the log; commands are written as where `python` is the environment's."""
    monkeypatch.setattr(machine, "program_call", plainly)
    monkeypatch.setattr(HERE, "sandbox", False)
    often = sys.getswitchinterval()
    with log_as_before():
        yield
    sys.setswitchinterval(often)
