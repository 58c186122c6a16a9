"""Decides what an act changes or why it is refused, in pure functions of a match and a user, for the umpire.

The umpire reads the match, calls a decision, and writes the `Change` that it returns.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from bot.core.game.game import Game
from bot.core.game.legs import LegMove
from bot.core.game.options import BadOptions
from bot.core.match import declined
from bot.core.match.loaded_match import LoadedMatch, Refusal, person
from bot.core.match.match import Match
from bot.core.match.record import Entry, Move, Takeback
from bot.core.match.stored import State
from bot.core.values.computer_users import is_computer
from bot.core.values.ids import MessageId, UserId
from bot.service.rules.challenge_limits import OPEN_FOR
from bot.service.rules.refusals import (
    Closed,
    NotYours,
    NotYourTurn,
    Stale,
    expect_open,
    expect_room,
    expect_seat,
    to_move,
)

DESERTED = "Only computers were left, so the match was called off. It doesn't count."
"""Why a match is over whose last person has left."""
HOST_GONE = "{host} has left this server, so this match can't begin. Use /play to make a challenge of your own."


def others(seated: LoadedMatch, user: UserId) -> tuple[UserId, ...]:
    """Everybody at the table but one."""
    return tuple(player.user for player in seated.row.players if player.user != user)


@dataclass(frozen=True, slots=True)
class Turned:
    """The effects of an act on the clocks: the seats that have a `fresh` turn, and those whose turn or move is
    `spent`."""

    fresh: tuple[int, ...] = ()
    spent: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Change:
    """What an act writes: columns of the match and of players, people who come or go, a line of the record.

    `begins` is the number of seats of a match that begins with this act, `ends` the state of one that ends with it; the
    umpire adds what only it can know, the time and the lots. `tell` are those whom the next message is to mention,
    `match` is the match with the new line, `turned` what that is to the clocks. `hands`: from whom to whom a place in
    the match passes, with the columns that `players` has for the former; `asks`: who asks whom to take part, which the
    caps on challenges count. `answers` are further lines of the record: prepared moves that follow on `entry` at once.
    """

    columns: Mapping[str, Any] = field(default_factory=dict[str, Any])
    players: Mapping[UserId, Mapping[str, Any]] = field(default_factory=dict[UserId, Mapping[str, Any]])
    join: UserId | None = None
    leave: tuple[UserId, ...] = ()
    entry: Entry | None = None
    answers: tuple[Entry, ...] = ()
    begins: int | None = None
    ends: State | None = None
    tell: tuple[UserId, ...] = ()
    match: Match | None = None
    turned: Turned | None = None
    hands: tuple[UserId, UserId] | None = None
    asks: tuple[UserId, UserId] | None = None

    @property
    def lines(self) -> tuple[Entry, ...]:
        """The lines that are added to the record."""
        return (self.entry, *self.answers) if self.entry else ()


def configured(game: Game, options: Mapping[str, int | str], seats: int) -> dict[str, int | str]:
    """The settled options of a match, or a refusal with the bounds in it."""
    try:
        return game.configure(options, seats).record()
    except BadOptions as refusal:
        raise Refusal(str(refusal)) from None


def without(seated: LoadedMatch, gone: Collection[UserId]) -> LoadedMatch:
    """A table without the users who have left the server; raises a refusal where its host has."""
    if seated.row.host in gone:
        raise Refusal(HOST_GONE.format(host=person(seated.row.host)))
    here = tuple(player for player in seated.row.players if player.user not in gone)
    return replace(seated, row=replace(seated.row, players=here))


def getting_up(change: Change, seated: LoadedMatch, gone: Collection[UserId]) -> Change:
    """The same change, which also removes the users of a table who have left the server."""
    left = tuple(
        player.user for player in seated.row.players if player.user in gone and player.user not in change.leave
    )
    return replace(change, leave=(*change.leave, *left))


def accepting(seated: LoadedMatch, user: UserId, lobby: MessageId | None, gone: Collection[UserId] = ()) -> Change:
    """An invited user accepts, or any user takes a free seat; the last one needed begins the match. Users who are
    `gone` do not count.

    `lobby` is the message whose button was pressed; it is stored if the match has none.
    """
    expect_open(seated)
    table, seated = seated, without(seated, gone)
    invitation = next((player for player in seated.row.players if player.user == user), None)
    if invitation and not invitation.invited:
        raise NotYours("You already sit at this table. It is waiting for the others.")
    if invitation is None:
        expect_room(seated)
    columns = {"lobby_message": lobby} if seated.row.lobby_message is None and lobby is not None else {}
    waiting = any(player.invited for player in seated.row.players if player.user != user)
    full = len(seated.row.players) + (invitation is None) == seated.row.seats
    begins = full and not waiting
    change = Change(
        columns,
        players={user: {"invited": False}} if invitation else {},
        join=None if invitation else user,
        begins=seated.row.seats if begins else None,
        tell=others(seated, user) if begins else (),
    )
    return getting_up(change, table, gone)


def leaving(seated: LoadedMatch, user: UserId) -> Change:
    """A user who joined a table leaves it again."""
    expect_open(seated)
    if user == seated.row.host:
        raise NotYours("You opened this table. Press Cancel to close it.")
    if not seated.has(user):
        raise NotYours("You don't sit at this table.")
    return declining(seated, user) if declined.declined(seated.row) else Change(leave=(user,))


def declining(seated: LoadedMatch, user: UserId, gone: Collection[UserId] = ()) -> Change:
    """An invited user declines. With too few left the challenge is over; else their seat is free, and the host decides
    how it goes on, or the challenge starts without them. If the host declines, the challenge is cancelled. A match does
    not begin by itself with a user who is `gone` from the server.

    For a user who joined a challenge with invited users this button is the only way to leave. The host is told once of
    each user, however often they join and decline.
    """
    expect_open(seated)
    if user == seated.row.host:
        return cancelling(seated, user, manager=False)
    if seated.row.player(user) is None:
        raise NotYours("Only somebody who was challenged can decline.")
    left, before = len(seated.row.players) - 1, declined.declined(seated.row)
    noted = {"refused": declined.written(dict.fromkeys((*before, user)), declined.plays_on(seated.row))}
    if left < max(2, seated.game.seats[0]):
        return Change(noted, ends="declined", tell=others(seated, user))
    if declined.plays_on(seated.row) and (change := going_on(seated, user, noted, gone)):
        return change
    return Change(noted, leave=(user,), tell=() if user in before else (seated.row.host,))


def going_on(seated: LoadedMatch, user: UserId, noted: Mapping[str, Any], gone: Collection[UserId]) -> Change | None:
    """The change if a challenge starts without those who decline: it has a seat less, and begins once all who are left
    have joined. None where the host has to decide, since the game does not allow so few, or a user is gone."""
    seats, rest = seated.row.seats - 1, [player for player in seated.row.players if player.user != user]
    if seats not in seated.game.seats:
        return None
    try:
        configured(seated.game, seated.row.options, seats)
    except Refusal:
        return None
    if len(rest) < seats or any(player.invited for player in rest):
        return Change({**noted, "seats": seats}, leave=(user,))
    if any(player.user in gone for player in rest):
        return None
    return Change(leave=(user,), begins=seats, tell=others(seated, user))


def narrowing(seated: LoadedMatch, user: UserId, gone: Collection[UserId] = ()) -> Change:
    """The host of a declined challenge plays with those who are left, as soon as all of them have joined. Users who are
    `gone` from the server do not count."""
    expect_open(seated)
    table, seated = seated, without(seated, gone)
    expect_host(seated, user)
    left = seated.row.players
    if len(left) >= table.row.seats:
        raise Closed(f"This match is already for {table.row.seats} players.")
    if seated.row.imported_plies:
        raise Refusal(f"This position is for {seated.row.seats} players. Ask somebody else to join.")
    if len(left) < max(2, seated.game.seats[0]) or len(left) not in seated.game.seats:
        fewest = max(2, seated.game.seats[0])
        raise Refusal(f"{seated.game.title} needs at least {fewest} players. Ask somebody else to join.")
    configured(seated.game, seated.row.options, len(left))
    if any(player.invited for player in left):
        return getting_up(Change({"seats": len(left)}), table, gone)
    return getting_up(Change(begins=len(left), tell=others(seated, user)), table, gone)


def asking(seated: LoadedMatch, user: UserId, whom: UserId, now: int) -> Change:
    """The host of a challenge with a free seat invites another user, who has as long to answer as the others had."""
    expect_open(seated)
    expect_host(seated, user)
    if seated.has(whom):
        raise Refusal(f"{person(whom)} is already at this table. Ask somebody else.")
    if whom in declined.declined(seated.row):
        raise Refusal(f"{person(whom)} has already declined. Ask somebody else.")
    if len(seated.row.players) >= seated.row.seats:
        raise Closed("Every seat at this table is taken.")
    columns, invited = {"expires": now + OPEN_FOR}, {whom: {"invited": True}}
    return Change(columns, players=invited, join=whom, tell=(whom,), asks=(user, whom))


def expect_host(seated: LoadedMatch, user: UserId) -> None:
    """Refuse users other than the host of a challenge."""
    if user != seated.row.host:
        raise NotYours(f"Only {person(seated.row.host)}, who made this challenge, can decide that.")


def cancelling(seated: LoadedMatch, user: UserId, manager: bool) -> Change:
    """The host, or a manager of the server, cancels the challenge."""
    expect_open(seated)
    if user != seated.row.host and not manager:
        raise NotYours(f"Only {person(seated.row.host)}, who made this challenge, can cancel it.")
    return Change(ends="cancelled")


def beginning(seated: LoadedMatch, user: UserId, gone: Collection[UserId] = ()) -> Change:
    """The host begins with those who have joined, where the game allows so few; invited users who have not answered,
    and those `gone` from the server, are left out."""
    expect_open(seated)
    table, seated = seated, without(seated, gone)
    if user != seated.row.host:
        raise NotYours(f"Only {person(seated.row.host)}, who opened this table, can begin early.")
    sitting = [player.user for player in seated.row.players if not player.invited]
    if len(sitting) not in seated.game.seats:
        fewest = seated.game.seats[0]
        raise Refusal(f"{seated.game.title} needs at least {fewest} players. Wait for somebody else to join.")
    if seated.row.imported_plies:
        raise Refusal(f"This position is for {seated.row.seats} players. Wait for the others to join.")
    configured(seated.game, seated.row.options, len(sitting))
    absent = tuple(player.user for player in seated.row.players if player.invited)
    change = Change(leave=absent, begins=len(sitting), tell=tuple(other for other in sitting if other != user))
    return getting_up(change, table, gone)


def forgetting(seated: LoadedMatch, user: UserId) -> Change:
    """A user who is to be forgotten leaves a match: live or open, as host, guest or player."""
    if seated.row.state == "live":
        return resigning(seated, user)
    if user == seated.row.host:
        return cancelling(seated, user, manager=False)
    invited = any(player.user == user and player.invited for player in seated.row.players)
    return declining(seated, user) if invited else leaving(seated, user)


def moving(seated: LoadedMatch, user: UserId, text: str, seen: int | None) -> Change:
    """Play a move; `seen` is how many lines of the record stood on the surface that the user acted on, if on any."""
    seat = expect_seat(seated, user)
    leg = LegMove.parse(text).leg if seated.game.once else None
    if seen is not None and seated.folded.has_moved_on(seat, seat, seen, leg):
        raise Stale("The match moved on while you were choosing. Here is the board now; nothing was played.", seated)
    if seat not in seated.turn:
        raise NotYourTurn(f"It isn't your turn. {to_move(seated)} is to move.")
    with seated.naming(seat):
        return recorded(seated, seated.folded.play(seat, text), user)


def resigning(seated: LoadedMatch, user: UserId) -> Change:
    """A player leaves a live match for good, on their turn or not, which also withdraws their request to abort it."""
    seat = expect_seat(seated, user)
    after = seated.folded.withdraw(seat)
    if not after.finished and all(
        is_computer(player.user) for player in seated.players if player.seat not in after.withdrawn
    ):
        return Change({"close_reason": DESERTED}, ends="aborted", tell=others(seated, user))
    change = recorded(seated, after, user)
    return replace(change, players={**change.players, user: {**change.players.get(user, {}), "consent": False}})


def recorded(seated: LoadedMatch, match: Match, user: UserId) -> Change:
    """The change that one more line of the record makes. Proposals to abort stay open."""
    columns: dict[str, Any] = {"plies": len(match.record), "turn": match.turn}
    if not match.finished:
        to_move = (seated.user_at(seat) for seat in match.turn if seat not in seated.turn)
        tell = tuple(other for other in to_move if other != user)
        return Change(columns, entry=match.record[-1], tell=tell, match=match, turned=turns(seated, match))
    ranks, scores = match.ranks, match.scores
    assert ranks is not None
    players = {
        seated.user_at(seat): {"rank": rank, "score": score}
        for seat, (rank, score) in enumerate(zip(ranks, scores, strict=True), 1)
    }
    tell = others(seated, user)
    return Change(columns, players, entry=match.record[-1], ends="finished", tell=tell, match=match)


def turns(seated: LoadedMatch, match: Match) -> Turned:
    """The effects of a match's last line on the clocks. In a game with secrets only public facts count: who is to move,
    in which round. Elsewhere a player who moves on in the same turn has new time for each move."""
    line, was, now = match.record[-1], seated.turn, match.turn
    if isinstance(line, Takeback):
        # No turn is used up: a seat that is no longer to move has its whole time again.
        return Turned(fresh=tuple(sorted({*was, *now})))
    # Where there are two legs, a round of one leaves the other as it was.
    again = match.position.round != seated.folded.position.round and not match.game.once
    mover = () if seated.game.secret or not isinstance(line, Move) else (line.seat,)
    fresh = tuple(seat for seat in now if again or seat not in was or seat in mover)
    spent = tuple(seat for seat in was if again or seat not in now or seat in mover)
    return Turned(fresh, spent)


def publishing(seated: LoadedMatch, user: UserId) -> Change:
    """Make a finished match that was played alone visible to everybody."""
    if seated.row.seats > 1:
        raise Refusal("Everybody can already see that match. Only matches played alone are private.")
    if not seated.has(user):
        raise NotYours("Only the person who played that match can publish it.")
    if seated.row.state != "finished":
        raise Closed("That match isn't finished yet. You can publish it when it is.")
    if seated.row.published:
        raise Closed("Everybody can already see that match.")
    return Change({"published": True})
