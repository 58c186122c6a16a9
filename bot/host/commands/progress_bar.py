"""Shows how far a host's command has come: a bar on a terminal, lines in a log, nothing where the command is quick.

It writes to standard error, so that another program can read what the command prints.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import Any, Protocol, TextIO

from tqdm import tqdm

from data.upkeep.worker_thread import Progress

QUICK_SECONDS, LINE_SECONDS = 1.0, 10.0
"""Work that takes less than the first shows nothing; the second lies between two lines in a log."""


class Shown(Protocol):
    """A way to show how far something has come."""

    def tell(self, what: str, done: int, whole: int) -> None:
        """Show that `done` of `whole` are done (whole 0: unknown)."""
        ...

    def close(self) -> None:
        """End, whether the work is done or was broken off."""
        ...


class Bars:
    """A bar for each part of the work, on a terminal; it is gone when the part is done."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._bar: Any = None
        self._what = ""

    def tell(self, what: str, done: int, whole: int) -> None:
        """Move the bar of this part."""
        if what != self._what:
            self.close()
            self._what = what
            # Some terminals know no size, and tqdm shows nothing on a bar of no width.
            columns, lines = shutil.get_terminal_size()
            self._bar = tqdm(
                desc=what, total=whole or None, initial=done, file=self._stream, leave=False, delay=QUICK_SECONDS,
                ncols=columns - 1, nrows=lines,
            )  # fmt: skip
        if self._bar.total != (whole or None):
            self._bar.total = whole or None
        self._bar.update(done - self._bar.n)

    def close(self) -> None:
        """Take the bar away."""
        if self._bar is not None:
            self._bar.close()
        self._bar, self._what = None, ""


class Lines:
    """A line every ten seconds, and one at the end of each part that had a line."""

    def __init__(self, stream: TextIO, clock: Callable[[], float]) -> None:
        self._stream, self._clock = stream, clock
        self._said = self._began = clock()
        self._last: tuple[str, int, int] | None = None
        self._written: tuple[str, int, int] | None = None
        self._open = False

    def tell(self, what: str, done: int, whole: int) -> None:
        """Write a line if it is time for one."""
        if self._last and self._last[0] != what:
            self._end()
        self._last = what, done, whole
        if self._clock() - self._said >= LINE_SECONDS:
            self._said = self._clock()
            self._open = True
            self._write()

    def close(self) -> None:
        """Write how far the last part has come."""
        self._end()
        self._last = None

    def _end(self) -> None:
        if self._open and self._last != self._written:
            self._write()
        self._open = False

    def _write(self) -> None:
        assert self._last
        self._written = self._last
        what, done, whole = self._last
        number = f"{done} of {whole} ({100 * done // whole} %)" if whole else str(done)
        seconds = int(self._clock() - self._began)
        print(f"{what}: {number} after {seconds // 60}:{seconds % 60:02}", file=self._stream, flush=True)


@contextmanager
def shown(stream: TextIO, clock: Callable[[], float]) -> Generator[Progress]:
    """Show progress on a stream: bars on a terminal, lines elsewhere; `clock` gives seconds from anywhere."""
    way: Shown = Bars(stream) if stream.isatty() else Lines(stream, clock)
    try:
        yield way.tell
    finally:
        way.close()
