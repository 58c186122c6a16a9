"""A wish that is open in a match: who is asked, who has agreed, and what comes of it.

Everybody who is still in the match is asked, and as soon as the last of them agrees it is done, in that same act. Who
ran out of time is asked like the others until they have left: their position is at stake, and whoever waits for them
can have them leave. Of what anybody does besides, it is said here what that is to the wish. Pure decisions.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from bot.core.match.clocks import GIFT
from bot.core.match.loaded_match import Seated
from bot.core.match.proposal import Kind, Proposal
from bot.core.match.record import Withdrawal
from bot.core.match.stored import Player
from bot.core.values.computer_users import is_person
from bot.core.values.ids import UserId
from bot.core.values.seats import Seat
from bot.service.rules.decisions import Change, recorded
from bot.service.rules.handover import excused, handed_on
from bot.service.rules.refusals import Closed, NotYours, expect_seat

NONE: Mapping[str, Any] = {"proposal": None, "proposed": None}
"""The columns of a match in which nothing is asked."""
NOBODY = UserId(0)
"""Who acts where nobody does."""
GONE = "That is not asked any more, and nothing was changed: this is how it stands now."


# How it stands.


def wish_of(seated: Seated) -> Proposal | None:
    """What all are asked to agree to, if anything."""
    row = seated.row
    return Proposal.parse(row.proposal) if row.proposal is not None and row.state == "live" else None


def mark_of(seated: Seated) -> str:
    """What an answer to the open wish carries."""
    wish = wish_of(seated)
    return wish.mark(seated.row.proposed or 0) if wish else ""


def still_in(seated: Seated) -> tuple[Player, ...]:
    """Those who are asked of anything: people in the match who are not gone from it without a name. What the computer
    says to a draw is known before that is asked, and to all else it agrees."""
    left = seated.folded.withdrawn
    return tuple(player for player in seated.players if player.seat not in left and is_person(player.user))


def waiting(seated: Seated, *without: UserId) -> tuple[UserId, ...]:
    """Those who have not agreed yet to what is asked, but some; whoever is to come in is the last of them."""
    wish = wish_of(seated)
    asked = [player.user for player in still_in(seated) if not player.agrees and not excused(wish, player)]
    asked += [wish.person] if wish and wish.person and not wish.accepted else []
    return tuple(user for user in asked if user not in without)


def player_of(seated: Seated, user: UserId) -> Seat:
    """The seat of somebody who has a say."""
    seat = expect_seat(seated, user)
    if seat in seated.folded.withdrawn:
        raise NotYours("You have left this match: only those who still play in it agree on anything.")
    return seat


# What comes of it.


def _of_record(seated: Seated, wish: Proposal, user: UserId, now: int) -> Change:
    """A takeback or a draw: a line of the record. Whoever asked is told like those who are to move now."""
    match = seated.folded
    after = match.take_back(wish.seat) if wish.kind == "takeback" else match.agree_draw(wish.seat)
    change = recorded(seated, after, user)
    tell = dict.fromkeys((*change.tell, seated.user_at(wish.seat)))
    return replace(change, columns={**change.columns, **NONE}, tell=tuple(one for one in tell if one != user))


def _of_clocks(seated: Seated, wish: Proposal, user: UserId, now: int) -> Change:
    """A pause or its end: what that is to each clock is known with the clocks. Everybody is told."""
    tell = tuple(player.user for player in still_in(seated) if player.user != user)
    return Change({**NONE, "paused": now if wish.kind == "pause" else None}, tell=tell)


def _of_seats(seated: Seated, wish: Proposal, user: UserId, now: int) -> Change:
    """A seat passes on to another person."""
    change = handed_on(seated, wish, user)
    return replace(change, columns={**NONE, **change.columns})


CARRIED: Mapping[Kind, Callable[[Seated, Proposal, UserId, int], Change]] = {
    "takeback": _of_record, "draw": _of_record, "pause": _of_clocks, "resume": _of_clocks,
    "replace": _of_seats,
}  # fmt: skip
"""What all have agreed to, done with the word of the last of them."""


def settled(seated: Seated, change: Change, now: int) -> Change:
    """A change with what it does to an open wish: a line of the record is the end of some, and of theirs who leave; and
    where whoever leaves was the last who had not agreed, it is done with that. What ends a match clears them all."""
    wish, entry = wish_of(seated), change.entry
    if wish is None or change.ends or "proposal" in change.columns:
        return change
    if entry is None:
        return _excusing(seated, wish, change, now)
    left = isinstance(entry, Withdrawal)
    if wish.lapses or (left and entry.seat in (wish.seat, wish.of)):
        return replace(change, columns={**change.columns, **NONE})
    if wish.absent and entry.seat == wish.of and not seated.game.secret:
        # They are here again, and have a say; in a game with secrets that they moved is one.
        return replace(change, columns={**change.columns, "proposal": str(replace(wish, absent=False))})
    if not left or waiting(seated, seated.user_at(entry.seat)):
        return change
    return _with(change, CARRIED[wish.kind](seated, wish, seated.user_at(entry.seat), now))


def _excusing(seated: Seated, wish: Proposal, change: Change, now: int) -> Change:
    """Whoever is to be replaced was the last who had not agreed, and is not waited for any more: time ran out."""
    last = seated.user_at(wish.of) if wish.of is not None else NOBODY
    if change.players.get(last, {}).get("lapse") is None or waiting(seated, last):
        return change
    return _with(change, CARRIED[wish.kind](seated, wish, NOBODY, now))


def silenced(seated: Seated, user: UserId, now: int) -> Change:
    """Somebody stays in a match without a name, and has no say in it any more."""
    wish, seat = wish_of(seated), player_of(seated, user)
    if wish is None:
        raise Closed(GONE)
    if wish.seat == seat:
        return Change(NONE)
    if waiting(seated, user):
        return Change(players={user: {"agrees": True}})
    return CARRIED[wish.kind](seated, wish, user, now)


def is_overdue(seated: Seated, now: int) -> bool:
    """Whether somebody would go on with a paused match, and nobody has answered for three days."""
    wish, proposed = wish_of(seated), seated.row.proposed
    return wish is not None and wish.kind == "resume" and proposed is not None and now - proposed >= GIFT


def overdue(seated: Seated, now: int) -> Change:
    """A wish to go on that nobody has answered in time holds by itself: nobody is frozen by who is silent."""
    wish = wish_of(seated)
    if wish is None or not is_overdue(seated, now):
        raise Closed(GONE)
    return CARRIED[wish.kind](seated, wish, NOBODY, now)


def _with(change: Change, more: Change) -> Change:
    tell = tuple(dict.fromkeys((*change.tell, *more.tell)))
    players = {user: {**change.players.get(user, {}), **columns} for user, columns in more.players.items()}
    columns = {**change.columns, **more.columns}
    return replace(change, columns=columns, players={**change.players, **players}, tell=tell, hands=more.hands)
