"""The kinds of proposals in one table: how each is put, when it can be made, who must agree, and what it then does.

A new kind is a row of `KINDS`, a question, and a word in `bot.core.match.proposal.Kind`. Asking to abort has no row: it
is stored with each player, and decided in `calling_off`. Pure decisions.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from bot.core.match.loaded_match import LoadedMatch, Refusal, person
from bot.core.match.proposal import Kind, Proposal
from bot.core.match.record import withdrawn
from bot.core.match.stored import Player
from bot.core.values.computer_users import is_person
from bot.core.values.ids import UserId
from bot.service.rules.decisions import Change, recorded
from bot.service.rules.refusals import Closed
from bot.service.rules.substitution import excused, expect_newcomer, expect_place, handed_on

NONE: Mapping[str, Any] = {"proposal": None, "proposed": None}
"""The columns of a match in which no proposal is open."""


def voters(seated: LoadedMatch) -> tuple[Player, ...]:
    """The people who still play. Computers are left out: they agree at once, and were asked about a draw before."""
    left = seated.folded.withdrawn
    return tuple(player for player in seated.players if player.seat not in left and is_person(player.user))


# Who must agree.


def everybody(seated: LoadedMatch, proposal: Proposal) -> list[UserId]:
    """All who still play and have not agreed yet."""
    return [player.user for player in voters(seated) if not player.agrees]


def everybody_and_the_newcomer(seated: LoadedMatch, proposal: Proposal) -> list[UserId]:
    """All who have not agreed, but not a replaced player who is gone; the new person is the last of them."""
    asked = [player.user for player in voters(seated) if not player.agrees and not excused(proposal, player)]
    return [*asked, proposal.person] if proposal.person and not proposal.accepted else asked


# When it can be made.


def expect_takeback(seated: LoadedMatch, proposal: Proposal, allowed: bool) -> None:
    """Refuse to take back a move that is not there or has to stay; `allowed`: whether the server has takebacks."""
    if not allowed:
        raise Refusal("This server doesn't allow takebacks. People who manage it can change that with /settings.")
    match = seated.folded
    match.expect_takeback(proposal.seat)
    at = match.last_move(proposal.seat)
    if at is None or at < seated.row.imported_plies:
        raise Refusal("You have no move to take back.")
    if left := withdrawn(match.standing[at:]):
        who = person(seated.user_at(left[0]))
        raise Refusal(f"{who} has left since your last move, so it can't be taken back.")


def expect_draw(seated: LoadedMatch, proposal: Proposal, _: bool) -> None:
    """Refuse a draw where the match cannot end in one."""
    seated.folded.agree_draw(proposal.seat)


def expect_running(seated: LoadedMatch, _: Proposal, __: bool) -> None:
    """Refuse to pause a match that has no clock or is paused."""
    _expect_clock(seated)
    if seated.row.paused is not None:
        raise Closed("This match is already paused. Use /match resume to ask to go on.")


def expect_paused(seated: LoadedMatch, _: Proposal, __: bool) -> None:
    """Refuse to go on with a match that is not paused."""
    _expect_clock(seated)
    if seated.row.paused is None:
        raise Closed("This match isn't paused.")


def _expect_clock(seated: LoadedMatch) -> None:
    if seated.row.pace == "none":
        raise Refusal("This match has no clock, so there is nothing to pause.")


def expect_replacement(seated: LoadedMatch, proposal: Proposal, _: bool) -> None:
    """Refuse a seat that cannot be taken over, or not by this user."""
    assert proposal.of is not None and proposal.person is not None
    expect_place(seated, proposal.of)
    expect_newcomer(seated, proposal.of, proposal.person)


# What it does when all agree, the last of them `user`.


def add_line(seated: LoadedMatch, proposal: Proposal, user: UserId, now: int) -> Change:
    """Add a takeback or a draw to the record. The player who proposed it is notified, besides those who are to move
    now."""
    match = seated.folded
    after = match.take_back(proposal.seat) if proposal.kind == "takeback" else match.agree_draw(proposal.seat)
    change = recorded(seated, after, user)
    tell = dict.fromkeys((*change.tell, seated.user_at(proposal.seat)))
    return replace(change, columns={**change.columns, **NONE}, tell=tuple(one for one in tell if one != user))


def set_pause(seated: LoadedMatch, proposal: Proposal, user: UserId, now: int) -> Change:
    """Pause the match or end the pause, and tell everybody. The clocks follow in the transaction."""
    tell = tuple(player.user for player in voters(seated) if player.user != user)
    return Change({**NONE, "paused": now if proposal.kind == "pause" else None}, tell=tell)


def hand_on(seated: LoadedMatch, proposal: Proposal, user: UserId, now: int) -> Change:
    """Give a seat to another person."""
    change = handed_on(seated, proposal, user)
    return replace(change, columns={**NONE, **change.columns})


@dataclass(frozen=True, slots=True)
class ProposalKind:
    """A kind of proposal: the check before it is made, its effect, and who has yet to agree."""

    expect: Callable[[LoadedMatch, Proposal, bool], None]
    carry_out: Callable[[LoadedMatch, Proposal, UserId, int], Change]
    waits_for: Callable[[LoadedMatch, Proposal], list[UserId]] = everybody


KINDS: Mapping[Kind, ProposalKind] = {
    "takeback": ProposalKind(expect_takeback, add_line),
    "draw": ProposalKind(expect_draw, add_line),
    "pause": ProposalKind(expect_running, set_pause),
    "resume": ProposalKind(expect_paused, set_pause),
    "replace": ProposalKind(expect_replacement, hand_on, everybody_and_the_newcomer),
}
QUESTIONS: Mapping[Kind, str] = {
    "takeback": "Take a move back?",
    "draw": "A draw?",
    "pause": "Pause the match?",
    "resume": "Go on with the match?",
    "replace": "Give a seat to somebody else?",
    "abort": "Call the match off?",
}
"""The question of each kind, in a few words."""


def carry_out(seated: LoadedMatch, proposal: Proposal, user: UserId, now: int) -> Change:
    """Apply a proposal to which all have agreed, `user` last."""
    return KINDS[proposal.kind].carry_out(seated, proposal, user, now)
