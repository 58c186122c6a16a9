"""What a try comes to: something holds where it raises nothing, else it does not hold, or could not be tried."""

from __future__ import annotations

from enum import IntEnum


class Weight(IntEnum):
    """The exit status where something does not hold."""

    COPES = 0
    NEEDED = 1
    """The bot cannot do without it."""
    YOURS = 2
    """A person has to put it right."""


class Fails(Exception):
    """It does not hold; the text, if any, says what was seen instead."""


class Untried(Exception):
    """It could not be tried; the text says why, in a sentence."""


class Unanswered(Untried):
    """It could not be tried because Discord did not answer."""


class Stop(Exception):
    """Nothing else can be tried; the text says what to do."""

    def __init__(self, text: str, status: int) -> None:
        super().__init__(text)
        self.status = status
