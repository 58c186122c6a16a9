"""The cache behind the painter: bounded, makes nothing twice, and a failure is nobody else's."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest

from rendering.painter.paint import ByteCache


def test_a_cache_keeps_what_was_used_last() -> None:
    cache = ByteCache[bytes](30, len)
    for key in "abc":
        cache.get(key, lambda key=key: key.encode() * 10)
    cache.get("a", lambda: pytest.fail("a was kept"))
    cache.get("d", lambda: b"d" * 10)
    cache.get("a", lambda: pytest.fail("a was used last"))
    assert cache.get("b", lambda: b"again") == b"again"
    assert cache.weight <= 30


def test_one_thing_larger_than_the_cache_is_kept_alone() -> None:
    cache = ByteCache[bytes](5, len)
    cache.get("small", lambda: b"1")
    assert cache.get("large", lambda: b"123456789") == b"123456789"
    assert cache.weight == 9


def test_threads_that_ask_at_once_share_one_making() -> None:
    cache, made, start = ByteCache[bytes](100, len), list[int](), Barrier(4)

    def make() -> bytes:
        made.append(1)
        return b"thing"

    def ask() -> bytes:
        start.wait()
        return cache.get("key", make)

    with ThreadPoolExecutor(4) as pool:
        answers = [pool.submit(ask) for _ in range(4)]
    assert {answer.result() for answer in answers} == {b"thing"}
    assert len(made) == 1


def test_a_failure_is_not_kept() -> None:
    cache = ByteCache[bytes](100, len)
    with pytest.raises(ZeroDivisionError):
        cache.get("key", lambda: bytes(1 // 0))
    assert cache.get("key", lambda: b"fine") == b"fine"
