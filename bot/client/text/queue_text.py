"""Sentences for those who wait for their turn: how many are before them, and about how long it takes."""

from __future__ import annotations

MINUTE = 60
STEP = 10
"""Seconds are told by tens: more is not known."""


def waits(others: int, seconds: float, then: str) -> str:
    """That others are before somebody, and what is `then` done: "The computer moves here"."""
    if not others:
        before = "I'm working on your other questions first"
    elif others == 1:
        before = "One person is ahead of you"
    else:
        before = f"{others} people are ahead of you"
    return f"{before}. {then} in about {about(seconds)}."


def about(seconds: float) -> str:
    """A time in words, roughly."""
    if seconds < 2 * MINUTE:
        return f"{max(STEP, STEP * round(seconds / STEP))} seconds"
    return f"{round(seconds / MINUTE)} minutes"
