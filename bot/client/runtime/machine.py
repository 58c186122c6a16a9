"""What a process is told of the machine on which it runs: two clocks, and a name that no other process has."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Machine:
    """`wall` gives epoch seconds, but may be wrong, and be set. `steady` counts seconds from anywhere; nobody sets it,
    and where it can it goes on while the machine sleeps. `name` is the name of the process, without spaces."""

    wall: Callable[[], float]
    steady: Callable[[], float]
    name: str
