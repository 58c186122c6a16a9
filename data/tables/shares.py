"""The part of the servers that a process serves, as a condition in whatever it looks for by itself."""

from __future__ import annotations

from typing import Any

from sqlalchemy import BigInteger, ColumnElement, Integer, bindparam

from bot.core.values.shards import TIME_BITS, Share

FIRST, LAST, COUNT = (bindparam(f"share_{name}", type_=BigInteger()) for name in ("first", "last", "count"))
BITS = bindparam("share_bits", TIME_BITS, type_=Integer())


def ours(guild: ColumnElement[Any]) -> ColumnElement[bool]:
    """Whether a row is of the share whose `values` the statement is given: those of whoever asks."""
    return (guild.bitwise_rshift(BITS) % COUNT).between(FIRST, LAST)


def values(share: Share) -> dict[str, int]:
    """A share as the values of a statement."""
    return {"share_first": share.first, "share_last": share.last, "share_count": share.count}
