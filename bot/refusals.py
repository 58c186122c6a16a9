"""What people may not do, and the sentences that say so: refusals named for their situation, and what raises them."""

from __future__ import annotations

from bot.game import MoveKind, Seat
from bot.table import Refusal, Table, person, together

ENDED = {
    "finished": "is over",
    "aborted": "was called off",
    "declined": "was declined",
    "cancelled": "was cancelled",
    "expired": "expired, nobody answered it within 48 hours",
}


class NotYours(Refusal):
    """The asker takes no part in the match, or another has to do this."""


class NotYourTurn(Refusal):
    """Somebody else is to move."""


class Closed(Refusal):
    """The match or the challenge is over, or has not begun."""


class Stale(Refusal):
    """The asker acted on a board that has moved on; `table` is the match as it stands."""

    def __init__(self, sentence: str, table: Table) -> None:
        super().__init__(sentence)
        self.table = table


class Returned(Refusal):
    """A move that was refused and took some writing; it is handed back to be mended."""

    def __init__(self, sentence: str, table: Table, seat: Seat, kind: MoveKind, written: str) -> None:
        super().__init__(sentence)
        self.table, self.seat, self.kind, self.written = table, seat, kind, written


def expect_open(table: Table) -> None:
    """Refuse what can only be done to a challenge that is still open."""
    if table.row.state == "live":
        raise Closed("This match has begun already.")
    if table.row.state != "open":
        raise Closed(f"This challenge {ENDED[table.row.state]}: make a new one.")


def expect_time(table: Table, now: int) -> None:
    """Refuse what is done to a challenge whose time is over, even where nobody has closed it yet."""
    if table.row.state == "open" and table.row.expires is not None and table.row.expires <= now:
        raise Closed(f"This challenge {ENDED['expired']}: make a new one.")


def expect_room(table: Table) -> None:
    """Refuse somebody who cannot sit down at an open table."""
    if len(table.row.players) < table.row.seats:
        return
    if any(player.invited for player in table.row.players):
        raise NotYours("This challenge is for somebody else: open a table of your own with the same command.")
    raise Closed("Every seat of this table is taken.")


def expect_live(table: Table) -> None:
    """Refuse what can only be done to a match that is being played."""
    if table.row.state == "open":
        raise Closed("This match has not begun: not everybody has accepted.")
    if table.row.state != "live":
        raise Closed(f"This match {ENDED[table.row.state]}: nothing can be played in it any more.")


def expect_seat(table: Table, user: int) -> Seat:
    """The seat of somebody in a live match, or a refusal."""
    expect_live(table)
    seat = table.seat_of(user)
    if seat is None:
        players = together([person(player.user) for player in table.players])
        raise NotYours(f"You do not play in this match: it is between {players}.")
    return seat


def to_move(table: Table) -> str:
    """Who is to move, as mentions."""
    return " or ".join(person(table.user_at(seat)) for seat in table.turn)
