"""The transactions of acts: what they read and write in one go, and the match as it stands when that is done.

What is written is known to the last column, so it is not read back; a test compares the two over all acts.
"""

from __future__ import annotations

import logging
from dataclasses import replace
from typing import Any

from bot.core.rows import NewMatch, Player, State, Stored
from bot.service.decisions import Change
from data.store import Reader, Transaction

steps = logging.getLogger("graphpaper.steps")


class LostRace(Exception):
    """Somebody else's act on the match was written first, or this very one; the act is decided anew."""


def looked(reader: Reader, act: int, match: int) -> tuple[bool, Stored | None]:
    """Whether an interaction has acted already, and the match."""
    return reader.seen(act) is not None, reader.load(match)


def opened(tx: Transaction, act: int, new: NewMatch, guests: tuple[int, ...]) -> int:
    """Write an open match with its host and its guests."""
    match = tx.create(new)
    for guest in guests:
        tx.join(match, guest, invited=True)
    tx.deliver(act, match, new.created)
    return match


def write(tx: Transaction, act: int | None, row: Stored, change: Change, now: int) -> None:
    """Write a change to a match that still stands as it was read, or `LostRace`.

    `act` is the interaction that it comes of; None for a second step of an interaction that is noted already.
    """
    if not tx.update(row.id, row.version, **change.columns):
        raise LostRace
    if act is not None and not tx.deliver(act, row.id, now):
        raise LostRace
    if change.join is not None:
        tx.join(row.id, change.join)
    for user in change.leave:
        tx.leave(row.id, user)
    for user, columns in change.players.items():
        tx.seat(row.id, user, **columns)
    if change.entry:
        tx.append(row.id, row.plies + 1, change.entry.seat, change.entry.text, now)
    if change.ends == "finished":
        tx.rate(row.id)
    steps.debug("written %d", row.id)


def applied(row: Stored, change: Change, now: int) -> Stored:
    """The stored match after a change that was written."""
    columns = dict(change.columns)
    if "turn" in columns:
        columns["turn"] = tuple(columns["turn"])
    if "options" in columns:
        columns["options"] = dict(sorted(columns["options"].items()))
    moved = {"moved": now, "record": (*row.record, change.entry)} if change.entry else {}
    return replace(row, version=row.version + 1, players=_players(row, change), **columns, **moved)


def _players(row: Stored, change: Change) -> tuple[Player, ...]:
    """By seat once the match has begun, before that by joining, as the store hands them out."""
    players = row.players
    if change.join is not None:
        joined = max(player.joined for player in players) + 1
        players = (*players, Player(change.join, joined, None, False, False, None, None))
    stayed = [player for player in players if player.user not in change.leave]
    changed = [replace(player, **change.players.get(player.user, {})) for player in stayed]
    return tuple(sorted(changed, key=lambda player: (player.seat or 0, player.joined)))


def ending(state: State, now: int) -> dict[str, Any]:
    """The columns of a match that ends now, whatever ends it: nobody is to move, and the name of its thread says so."""
    return {"state": state, "ended": now, "turn": (), "rename": state in ("finished", "aborted")}
