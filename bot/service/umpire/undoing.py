"""Taking back a match that was begun for somebody whom another bot has answered, with this token and another database.

Nobody has seen it, and nobody is to: it is closed, and nothing of it is shown.
"""

from __future__ import annotations

from typing import Any

from bot.core.match.stored import Stored
from bot.core.values.computer_users import is_computer
from bot.service.umpire.transactions import ending
from data.store import Transaction

LATELY = 60
"""So many seconds ago a match was begun by the act that is answered now, and not by an earlier one."""


def undone(tx: Transaction, match: int, user: int, now: int) -> bool:
    """Close a match that somebody's act has begun; False, and no change, if it was begun earlier or by others."""
    row = tx.load(match)
    if row is None or not _begun(row, user, now):
        return False
    closed: dict[str, Any] = {**ending("cancelled" if row.state == "open" else "aborted", now), "rename": False}
    return tx.update(match, row.version, **closed) and tx.shown(match, row.version + 1)


def _begun(row: Stored, user: int, now: int) -> bool:
    """Whether somebody has just begun a match in which no other person takes part yet."""
    if row.state not in ("open", "live") or row.host != user or not 0 <= now - row.created <= LATELY:
        return False
    return all(one.user == user or one.invited or is_computer(one.user) for one in row.players)
