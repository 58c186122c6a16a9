"""How long transactions wait and run, for whoever wants to know: each is a span from the asking to the end.

A transaction runs beside the event loop, perhaps more than once; a span learns from the function itself when that
begins. Nothing here costs more than some looks at a clock.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Literal, Protocol, TypeVar

from sqlalchemy import Connection

T = TypeVar("T")
Kind = Literal["read", "write"]


@dataclass(eq=False, slots=True)
class Span:
    """One transaction: when it was asked for and when it began, by a clock that nobody sets, and how often."""

    kind: Kind
    asked: float = field(default_factory=time.monotonic)
    began: float | None = None
    tries: int = 0


class Observer(Protocol):
    """Whoever is told of transactions."""

    def transaction(self, span: Span, fault: BaseException | None) -> None:
        """One is over, well or with an error."""
        ...


class Spans:
    """The transactions under way."""

    def __init__(self) -> None:
        self.observer: Observer | None = None
        self._under_way: set[Span] = set()

    @property
    def waiting(self) -> int:
        """How many have not begun."""
        return sum(span.began is None for span in self._under_way)

    @property
    def running(self) -> int:
        """How many have begun and are not over."""
        return len(self._under_way) - self.waiting

    @contextmanager
    def over(self, kind: Kind, work: Callable[[Connection], T]) -> Generator[Callable[[Connection], T]]:
        """The same function, which tells when it is begun; whatever ends here ends the span."""
        span = Span(kind)

        def told(connection: Connection) -> T:
            span.began = span.began or time.monotonic()
            span.tries += 1
            return work(connection)

        self._under_way.add(span)
        fault: BaseException | None = None
        try:
            yield told
        except BaseException as raised:
            fault = raised
            raise
        finally:
            self._under_way.discard(span)
            if self.observer:
                self.observer.transaction(span, fault)
