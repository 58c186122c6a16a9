"""What a look at a database found, for the commands of hosts that print it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Report:
    """What was found, a sentence a line, and whether all is well."""

    lines: tuple[str, ...]
    sound: bool
