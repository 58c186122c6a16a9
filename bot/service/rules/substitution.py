"""A seat passes on to another person while the match is played: which seats can, to whom, and what that changes.

The new person has what the seat has: its moves, its secrets and its turn, with the whole time for it. From then on the
match is unrated, since two people have played one result.
"""

from __future__ import annotations

from bot.core.match.clocks import STILL, Pace
from bot.core.match.handover import Handover, handings, written
from bot.core.match.loaded_match import LoadedMatch, Refusal, person
from bot.core.match.proposal import Proposal
from bot.core.match.stored import Player
from bot.core.values.computer_users import is_computer, is_person
from bot.core.values.ids import UserId
from bot.core.values.seats import Seat
from bot.service.rules.decisions import Change
from bot.service.rules.refusals import Closed

TAKEN_BACK = "{new} was already asked to take over, and that was taken back."
DISAGREED = "{new} was already asked to take over, and {by} didn't agree."
DECLINED = "{new} was already asked to take over, and didn't agree."
"""The refusals to a user who asks the same person again."""


def expect_place(seated: LoadedMatch, of: Seat) -> None:
    """Refuse a seat that cannot be taken over."""
    seats = seated.folded.seats
    if seats == 1:
        raise Refusal("You play this match alone, so nobody can take over your seat.")
    if not 1 <= of <= seats:
        raise Refusal("There is no such seat in this match. Choose one from the list.")
    if is_computer(seated.user_at(of)):
        raise Refusal("Nobody can take over the computer's seat.")
    if of in seated.folded.withdrawn:
        raise Closed(f"{person(seated.user_at(of))} has left this match, and nobody can take over a seat after that.")


def expect_newcomer(seated: LoadedMatch, of: Seat, new: UserId) -> None:
    """Refuse a user who is in the match already, or who has played another seat of it."""
    who = person(new)
    if new == seated.user_at(of):
        raise Refusal(f"{who} already has that seat. Name somebody else.")
    if seated.has(new):
        raise Refusal(f"{who} is already in this match. Name somebody who isn't.")
    if any(one.user == new and one.seat != of for one in handings(seated.row.substitutions)):
        raise Refusal(f"{who} has played another seat in this match and can only take that one again.")


def excused(proposal: Proposal, player: Player) -> bool:
    """Whether a player need not agree to being replaced: their time has run out, or they have left the server."""
    is_out = proposal.absent or player.gone or player.forfeit_at is not None
    return proposal.kind == "replace" and player.seat == proposal.of and is_out


def handed_on(seated: LoadedMatch, proposal: Proposal, user: UserId) -> Change:
    """Hand the seat on as `user`, the last who was asked, agrees. The others are notified, and so are both people."""
    assert proposal.of is not None and proposal.person is not None
    row, old, new = seated.row, seated.user_at(proposal.of), proposal.person
    version = row.version + 1
    handing = Handover(proposal.of, old, row.plies, 0 if old == user else version, row.rated)
    first, player = Pace.parse(row.pace).first, row.player(old)
    whole = {**STILL, "allotted": first, "seconds_left": first, "reminder_count": 0, "extra_time_count": 0}
    clock = {} if player is None or player.seconds_left is None else whole
    fresh = {
        "consent": False,
        "abort_asked_at": None,
        "agrees": False,
        "mention_version": 0 if new == user else version,
    }
    fresh |= {"gone": False, "parted": None}
    left = seated.folded.withdrawn
    others = (one.user for one in row.players if one.seat not in left and is_person(one.user))
    return Change(
        {"rated": False, "substitutions": written((*handings(row.substitutions), handing))},
        {old: {**fresh, **clock}},
        tell=tuple(one for one in others if one not in (old, user)),
        hands=(old, new),
    )
