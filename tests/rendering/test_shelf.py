"""The cache behind the painter: bounded, makes nothing twice, and a failure is nobody else's."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest

from rendering.shelf import Shelf


def test_a_shelf_keeps_what_was_used_last() -> None:
    shelf = Shelf[bytes](30, len)
    for key in "abc":
        shelf.get(key, lambda key=key: key.encode() * 10)
    shelf.get("a", lambda: pytest.fail("a was kept"))
    shelf.get("d", lambda: b"d" * 10)
    shelf.get("a", lambda: pytest.fail("a was used last"))
    assert shelf.get("b", lambda: b"again") == b"again"
    assert shelf.weight <= 30


def test_one_thing_larger_than_the_shelf_is_kept_alone() -> None:
    shelf = Shelf[bytes](5, len)
    shelf.get("small", lambda: b"1")
    assert shelf.get("large", lambda: b"123456789") == b"123456789"
    assert shelf.weight == 9


def test_threads_that_ask_at_once_share_one_making() -> None:
    shelf, made, start = Shelf[bytes](100, len), list[int](), Barrier(4)

    def make() -> bytes:
        made.append(1)
        return b"thing"

    def ask() -> bytes:
        start.wait()
        return shelf.get("key", make)

    with ThreadPoolExecutor(4) as pool:
        answers = [pool.submit(ask) for _ in range(4)]
    assert {answer.result() for answer in answers} == {b"thing"}
    assert len(made) == 1


def test_a_failure_is_not_kept() -> None:
    shelf = Shelf[bytes](100, len)
    with pytest.raises(ZeroDivisionError):
        shelf.get("key", lambda: bytes(1 // 0))
    assert shelf.get("key", lambda: b"fine") == b"fine"
