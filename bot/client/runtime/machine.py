"""What a process is told of the machine on which it runs: its clocks and processors, and a name of its own."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from bot import VERSION


@dataclass(frozen=True, slots=True)
class Machine:
    """`wall` gives epoch seconds, but may be wrong, and be set. `steady` counts seconds from anywhere; nobody sets it,
    and where it can it goes on while the machine sleeps. `name` is the name of the process, which no other has, without
    spaces. `processors` says how many threads can draw at once. `version` is that of the
    program, as hosts are told it."""

    wall: Callable[[], float]
    steady: Callable[[], float]
    name: str
    processors: int
    version: str = VERSION
