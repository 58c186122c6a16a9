"""A cache bounded in bytes that makes nothing twice: who asks for what another thread is making waits for it."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from concurrent.futures import Future
from threading import Lock
from typing import Generic, TypeVar

Kept = TypeVar("Kept")


class _Key:
    """A key whose hash is taken once: hashing a picture means hashing hundreds of shapes."""

    __slots__ = ("hash", "value")

    def __init__(self, value: Hashable) -> None:
        self.value = value
        self.hash = hash(value)

    def __hash__(self) -> int:
        return self.hash

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Key) and self.hash == other.hash and self.value == other.value


class ByteCache(Generic[Kept]):
    """Things made on demand and kept until newer ones need the room; `weigh` gives a thing's size in bytes."""

    def __init__(self, room: int, weigh: Callable[[Kept], int]) -> None:
        self.room = room
        self.weight = 0
        self._weigh = weigh
        self._kept: OrderedDict[_Key, Kept] = OrderedDict()
        self._making: dict[_Key, Future[Kept]] = {}
        self._lock = Lock()

    def get(self, value: Hashable, make: Callable[[], Kept]) -> Kept:
        """The thing for this key, made now unless it is kept or under way."""
        key = _Key(value)
        with self._lock:
            found = self._kept.get(key)
            if found is not None:
                self._kept.move_to_end(key)
                return found
            own: Future[Kept] = Future()
            waiting = self._making.setdefault(key, own)
        return self._fill(key, make, own) if waiting is own else waiting.result()

    def clear(self) -> None:
        """Forget everything."""
        with self._lock:
            self._kept.clear()
            self.weight = 0

    def _fill(self, key: _Key, make: Callable[[], Kept], own: Future[Kept]) -> Kept:
        try:
            thing = make()
        except BaseException as error:
            with self._lock:
                del self._making[key]
            own.set_exception(error)
            raise
        with self._lock:
            del self._making[key]
            self._keep(key, thing)
        own.set_result(thing)
        return thing

    def _keep(self, key: _Key, thing: Kept) -> None:
        self._kept[key] = thing
        self.weight += self._weigh(thing)
        while self.weight > self.room and len(self._kept) > 1:
            _, oldest = self._kept.popitem(last=False)
            self.weight -= self._weigh(oldest)
