"""What players agree on: to ask all others for something, and to answer.

Pure decisions, like those beside them. One wish is open at a time; what comes of it is said in `pending`. Who is
refused, or thinks again, asks for the same only after an hour, and for what is about the board only after another move.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from bot.core.match.clocks import DAY, GIFT
from bot.core.match.loaded_match import Refusal, Seated, person, together
from bot.core.match.proposal import Kind, Proposal, Refused, refusals_of, written
from bot.core.match.record import withdrawn
from bot.core.match.stored import Player
from bot.core.values.computer_users import is_computer
from bot.core.values.ids import UserId
from bot.core.values.seats import Seat
from bot.service.rules.challenge_limits import HOUR
from bot.service.rules.decisions import Change
from bot.service.rules.pending import (
    CARRIED,
    GONE,
    NONE,
    mark_of,
    player_of,
    still_in,
    waiting,
    wish_of,
)
from bot.service.rules.refusals import Closed, Stale, expect_live

ASKS: Mapping[Kind, str] = {
    "takeback": "to take a move back",
    "draw": "for a draw",
    "pause": "to pause the match",
    "resume": "to go on with the match",
    "replace": "to give a seat to somebody else",
}
"""What somebody asks, in a sentence."""
REFUSABLE = 14 * DAY
"""Seconds of a pause after which nobody can refuse to go on: whoever is losing is not to keep it paused for ever."""

MOST_REFUSED = 5
"""So many wishes of a seat may be refused or withdrawn in an hour: each tells all the others."""


def refusals(seated: Seated, now: int) -> tuple[Refused, ...]:
    """What was refused, or taken back, and may not be asked for again yet."""
    seen = seated.folded.version_for(None)
    return tuple(
        one
        for one in refusals_of(seated.row.refused)
        if 0 <= now - one.at < HOUR or (one.wish.lapses and one.seen == seen)
    )


# To ask.


def wishing(
    seated: Seated, user: UserId, kind: Kind, now: int, takebacks: bool = True, seen: int | None = None
) -> Change:
    """Somebody asks all others for something; where there are none it is done at once.

    `takebacks`: whether moves can be taken back in this server; `seen`: what stood on the board on which they asked.
    """
    seat = player_of(seated, user)
    if kind == "takeback" and seen is not None and _has_moved_on(seated, seat, seen):
        raise Stale("That board has moved on, and nothing was asked: this is how it stands now.", seated)
    expect_possible(seated, seat, kind, takebacks)
    if wish := wish_of(seated):
        raise Closed(open_already(seated, wish, user))
    if kind == "draw" and any(is_computer(player.user) for player in seated.players):
        raise Refusal("What the computer says to a draw is found out first: ask with /match draw.")
    return asking(seated, user, Proposal(kind, seat), now)


def _has_moved_on(seated: Seated, seat: Seat, seen: int) -> bool:
    """Whether the board on which somebody would take back a move shows it no more as it stands."""
    match, at = seated.folded, seated.folded.last_move(seat)
    return match.has_moved_on(seat, seat, seen, match.leg_of(match.standing[at]) if at is not None else None)


def asking(seated: Seated, user: UserId, wish: Proposal, now: int) -> Change:
    """A wish that can be made now, put to all others."""
    expect_patience(seated, wish, now)
    asked = tuple(player.user for player in still_in(seated) if player.user != user)
    if not asked:
        return CARRIED[wish.kind](seated, wish, user, now)
    agrees = {player.user: {"agrees": player.user == user} for player in seated.row.players}
    return Change({"proposal": str(wish), "proposed": now}, agrees, tell=asked)


def ordering(seated: Seated, user: UserId, kind: Kind, now: int, takebacks: bool = True) -> Change:
    """Somebody gives a command: they agree where another asks for the same, else they ask for it."""
    wish = wish_of(seated)
    if wish and wish.kind == kind and wish.seat != seated.seat_of(user):
        return agreeing(seated, user, now)
    return wishing(seated, user, kind, now, takebacks)


def expect_possible(seated: Seated, seat: Seat, kind: Kind, takebacks: bool = True) -> None:
    """Refuse what cannot be done even if all agreed, with a sentence for whoever sits there."""
    if kind == "takeback":
        if not takebacks:
            raise Refusal("Moves are not taken back in this server: those who manage it have set that with /settings.")
        seated.folded.expect_takeback(seat)
        _expect_move(seated, seat)
    elif kind == "draw":
        seated.folded.agree_draw(seat)
    elif seated.row.pace == "none":
        raise Refusal("This match has no clock: there is nothing to pause, everybody takes the time they need.")
    elif kind == "pause" and seated.row.paused is not None:
        raise Closed("This match is paused already: /match resume asks to go on.")
    elif kind == "resume" and seated.row.paused is None:
        raise Closed("This match is not paused: its clocks run.")


def _expect_move(seated: Seated, seat: Seat) -> None:
    """As the core refuses to take back what is not there or stays, but said to whoever asks."""
    at = seated.folded.last_move(seat)
    if at is None:
        raise Refusal("There is no move of yours that could be taken back.")
    if left := withdrawn(seated.folded.standing[at:]):
        who = person(seated.user_at(left[0]))
        raise Refusal(f"{who} has left since your last move, which therefore stays: nobody comes back.")


def could_take_back(seated: Seated, seat: Seat) -> bool:
    """Whether there is a move that a seat may ask to take back."""
    match = seated.folded
    if seated.row.state != "live" or match.game.secret or match.seats == 1 or seat in match.withdrawn:
        return False
    at = match.last_move(seat)
    return at is not None and not withdrawn(match.standing[at:])


def open_already(seated: Seated, wish: Proposal, user: UserId) -> str:
    """What is asked already, and how somebody answers it."""
    if wish.seat == seated.seat_of(user):
        return f"You ask {ASKS[wish.kind]} already: withdraw that wish first, with /match {wish.kind}."
    asks = f"{person(seated.user_at(wish.seat))} asks {ASKS[wish.kind]} already"
    if user not in waiting(seated):
        return f"{asks}, and you have agreed: it waits for {together([person(one) for one in waiting(seated)])}."
    return f"{asks}: answer that first, with Agree or Refuse under the board."


def expect_patience(seated: Seated, wish: Proposal, now: int) -> None:
    """Refuse to ask again what was refused or taken back lately, and to ask for one thing after another."""
    lately = [
        one.at for one in refusals_of(seated.row.refused) if one.wish.seat == wish.seat and 0 <= now - one.at < HOUR
    ]
    if len(lately) >= MOST_REFUSED:
        until = f"<t:{lately[-MOST_REFUSED] + HOUR}:R>"
        raise Refusal(
            f"You have asked for {len(lately)} things in the last hour that came to nothing: ask again {until}."
        )
    again = next((one for one in refusals(seated, now) if one.wish.repeats(wish)), None)
    if again is None:
        return
    if wish.person is not None:
        answer = "that wish was withdrawn" if again.taken_back else f"{_by(seated, again)} did not agree"
        raise Refusal(
            f"{person(wish.person)} was to come in before, and {answer}: ask again <t:{again.at + HOUR}:R>, or name "
            "somebody else."
        )
    when = [f"<t:{again.at + HOUR}:R>"] if 0 <= now - again.at < HOUR else []
    when += ["after another move"] if wish.lapses and again.seen == seated.folded.version_for(None) else []
    answer = "and withdrew that" if again.taken_back else f"and {_by(seated, again)} did not agree"
    raise Refusal(f"You asked {ASKS[wish.kind]} before, {answer}: ask again {' and '.join(when)}.")


def _by(seated: Seated, refused: Refused) -> str:
    """Who refused."""
    return person(seated.user_at(refused.by)) if refused.by else "they themselves"


# To answer.


def agreeing(seated: Seated, user: UserId, now: int, mark: str | None = None, seen: int | None = None) -> Change:
    """Somebody agrees to what is asked; `mark` says to what, where they answered on a board, and `seen` to which."""
    coming = _coming_in(seated, user, mark)
    if coming:
        return _accepting(seated, coming, user, now)
    wish, player = _asked(seated, user, mark, seen)
    if wish.seat == player.seat:
        raise Closed(f"You ask {ASKS[wish.kind]} yourself: the others are to agree.")
    if player.agrees:
        raise Closed(open_already(seated, wish, user))
    if waiting(seated, user):
        return Change(players={user: {"agrees": True}})
    return CARRIED[wish.kind](seated, wish, user, now)


def refusing(seated: Seated, user: UserId, now: int, mark: str | None = None, seen: int | None = None) -> Change:
    """Somebody refuses what is asked, whether they had agreed or not; whoever asked takes it back with that."""
    coming = _coming_in(seated, user, mark)
    wish, seat = (coming, 0) if coming else _answered(seated, user, mark, seen)
    refused = Refused(wish, seat, now, seated.folded.version_for(None))
    if not refused.taken_back:
        _expect_refusable(seated, wish, now)
    tell = () if refused.taken_back else (seated.user_at(wish.seat),)
    return Change({**NONE, "refused": written((*refusals(seated, now), refused))}, tell=tell)


def _expect_refusable(seated: Seated, wish: Proposal, now: int) -> None:
    """Refuse a refusal to go on with a match that has been paused for long."""
    paused, proposed = seated.row.paused, seated.row.proposed
    if wish.kind != "resume" or paused is None or proposed is None or now - paused < REFUSABLE:
        return
    raise Refusal(
        f"This match has been paused for {REFUSABLE // DAY} days, and after that nobody can refuse to go on: its "
        f"clocks run again as soon as all agree, or else <t:{proposed + GIFT}:R>."
    )


def _asked(seated: Seated, user: UserId, mark: str | None, seen: int | None) -> tuple[Proposal, Player]:
    """The open wish and whoever answers it, if it is what they answer."""
    expect_live(seated)
    if mark is not None and mark != mark_of(seated):
        raise Stale(GONE, seated)
    seat = player_of(seated, user)
    wish, player = wish_of(seated), seated.row.player(user)
    if wish is None:
        raise Stale(GONE, seated)
    if wish.lapses and seen is not None and seated.folded.has_moved_on(seat, seat, seen):
        raise Stale(GONE, seated)
    assert player
    return wish, player


def _answered(seated: Seated, user: UserId, mark: str | None, seen: int | None) -> tuple[Proposal, Seat]:
    wish, player = _asked(seated, user, mark, seen)
    assert player.seat
    return wish, player.seat


def _coming_in(seated: Seated, user: UserId, mark: str | None) -> Proposal | None:
    """The open wish, if it asks this person to take over a seat."""
    wish = wish_of(seated)
    if wish is None or wish.person != user or (mark is not None and mark != mark_of(seated)):
        return None
    return wish


def _accepting(seated: Seated, wish: Proposal, user: UserId, now: int) -> Change:
    """Whoever is asked to take over a seat would do so."""
    if wish.accepted:
        names = together([person(one) for one in waiting(seated)])
        raise Closed(f"You have accepted already: it waits for {names}.")
    if waiting(seated, user):
        return Change({"proposal": str(replace(wish, accepted=True))})
    return CARRIED[wish.kind](seated, wish, user, now)
