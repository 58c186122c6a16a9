"""Refusals: the errors that refuse an act, with a sentence for the user, and the checks that raise them."""

from __future__ import annotations

from collections.abc import Mapping

from bot.core.game.game import Game
from bot.core.game.moves import MoveKind
from bot.core.match.loaded_match import LoadedMatch, Refusal, person
from bot.core.values.ids import UserId
from bot.core.values.plural import together
from bot.core.values.seats import Seat
from bot.service.rules.challenge_limits import OPEN_DAYS

NOBODY = UserId(0)
"""The user of acts that a deadline brings about."""
EXPIRED = f"This challenge expired after {OPEN_DAYS} days. Make a new one."
ENDED = {
    "finished": "This match is over.",
    "aborted": "This match was called off.",
    "declined": "This challenge was declined. Make a new one.",
    "cancelled": "This challenge was taken back. Make a new one.",
    "expired": EXPIRED,
}
"""Why nothing can be done any more to a match or a challenge."""


class NotYours(Refusal):
    """The user takes no part in the match, or this is for another user to do."""


class NotYourTurn(Refusal):
    """Another seat is to move."""


class Closed(Refusal):
    """The match or the challenge is over, or has not begun."""


class Stale(Refusal):
    """The user acted on a board that is out of date; `seated` is the match as it is now."""

    def __init__(self, sentence: str, seated: LoadedMatch) -> None:
        super().__init__(sentence)
        self.seated = seated


class Returned(Refusal):
    """A refused move that took some typing: it is shown again in the form, to be corrected."""

    def __init__(
        self, sentence: str, seated: LoadedMatch, seat: Seat, kind: MoveKind, values: Mapping[str, str]
    ) -> None:
        super().__init__(sentence)
        self.seated, self.seat, self.kind, self.values = seated, seat, kind, values


def expect_open(seated: LoadedMatch) -> None:
    """Refuse unless the challenge is still open."""
    if seated.row.state == "live":
        raise Closed("This match has already begun.")
    if seated.row.state != "open":
        raise Closed(ENDED[seated.row.state])


def expect_time(seated: LoadedMatch, now: int) -> None:
    """Refuse acts on a challenge that has expired, also before it has been closed."""
    if seated.row.state == "open" and seated.row.expires is not None and seated.row.expires <= now:
        raise Closed(EXPIRED)


def expect_current(seated: LoadedMatch) -> None:
    """Refuse acts in a match whose rules were corrected since it began: it is about to be closed."""
    if seated.row.state == "live" and seated.row.game_version != seated.game.version:
        raise Closed(corrected(seated.game))


def corrected(game: Game) -> str:
    """Why a match of an earlier version of a game cannot go on."""
    return f"This match was closed, unrated: the rules of {game.title} were corrected while it was being played."


def expect_room(seated: LoadedMatch) -> None:
    """Refuse a user who cannot join an open table."""
    if len(seated.row.players) < seated.row.seats:
        return
    if any(player.invited for player in seated.row.players):
        raise NotYours("This challenge is for somebody else. You can make your own with /play.")
    raise Closed("Every seat at this table is taken.")


def expect_live(seated: LoadedMatch) -> None:
    """Refuse unless the match is live."""
    if seated.row.state == "open":
        raise Closed("This match hasn't begun yet: not everybody has joined.")
    if seated.row.state != "live":
        raise Closed(ENDED[seated.row.state])


def expect_seat(seated: LoadedMatch, user: UserId) -> Seat:
    """The seat of a user in a live match; raises a refusal."""
    expect_live(seated)
    seat = seated.seat_of(user)
    if seat is None:
        players = together([person(player.user) for player in seated.players])
        raise NotYours(f"You aren't in this match. It is between {players}.")
    return seat


def to_move(seated: LoadedMatch) -> str:
    """The players to move, as mentions."""
    return together([person(seated.user_at(seat)) for seat in seated.turn], " or ")
