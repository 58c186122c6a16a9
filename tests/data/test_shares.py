"""What a process looks for by itself it finds among its own servers, and among nobody else's."""

from __future__ import annotations

import pytest

from bot.core.shares import WHOLE, Share
from data.store import Reader, Store, Transaction
from tests.data.acts import new

SERVERS = tuple((number << 22) + 7 for number in range(8))
"""One of each of eight shards."""


@pytest.mark.parametrize("text", ["0/1", "5/16", "0-3/16", "0-15/16"])
def test_a_share_is_read_as_it_is_written(text: str) -> None:
    assert str(Share.parse(text)) == text


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("all", "shards are written like 0-3/16, the first and the last of so many, or like 5/16"),
        ("0-3", "shards are written like 0-3/16, the first and the last of so many, or like 5/16"),
        ("16/16", "of 16 shards the first is 0 and the last 15: 16/16 is not among them"),
        ("3-1/4", "of 4 shards the first is 0 and the last 3: 3-1/4 is not among them"),
        ("0/0", "of 0 shards the first is 0 and the last -1: 0/0 is not among them"),
    ],
)
def test_what_is_no_share_is_refused_with_a_sentence(text: str, sentence: str) -> None:
    with pytest.raises(ValueError) as refused:
        Share.parse(text)
    assert str(refused.value) == sentence


def test_shares_divide_all_servers_among_them() -> None:
    shares = [Share.parse(text) for text in ("0-1/8", "2/8", "3-7/8")]
    assert [[share.holds(guild) for share in shares].index(True) for guild in SERVERS] == [0, 0, 1, 2, 2, 2, 2, 2]
    assert all(WHOLE.holds(guild) for guild in SERVERS)


async def test_boards_that_lag_are_found_by_the_process_that_serves_their_server(either: str) -> None:
    store, mine = Store(either), Store(either, Share.parse("2-3/8"))
    made = [await store.do(Transaction.create, new(guild=guild)) for guild in SERVERS]
    assert [match for match, _ in await store.ask(Reader.lagging, 100)] == made
    assert [match for match, _ in await mine.ask(Reader.lagging, 100)] == made[2:4]
    await store.close()
    await mine.close()
