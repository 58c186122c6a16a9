"""How an open proposal ends without an answer: through other acts, through a player who is forgotten, and through
silence.

Pure decisions, like `proposals`, where people ask and answer.
"""

from __future__ import annotations

from dataclasses import replace

from bot.core.match.loaded_match import LoadedMatch
from bot.core.match.proposal import RESUMES_AFTER, Proposal
from bot.core.match.record import Withdrawal
from bot.core.values.ids import UserId
from bot.service.rules.decisions import Change
from bot.service.rules.proposal_kinds import NONE, carry_out
from bot.service.rules.proposals import GONE, expect_voter, open_proposal, waiting
from bot.service.rules.refusals import NOBODY, Closed


def settled(seated: LoadedMatch, change: Change, now: int) -> Change:
    """A change with what it does to the open proposal. A line of the record closes some; a player who leaves closes
    their own; and if only they had yet to agree, it is carried out. The end of a match clears everything."""
    proposal, entry = open_proposal(seated), change.entry
    if proposal is None or change.ends or "proposal" in change.columns:
        return change
    if entry is None:
        return _excusing(seated, proposal, change, now)
    left = isinstance(entry, Withdrawal)
    if proposal.lapses or (left and entry.seat in (proposal.seat, proposal.of)):
        return replace(change, columns={**change.columns, **NONE})
    if proposal.absent and entry.seat == proposal.of and not seated.game.secret:
        # They are here again and have a say. In a game with secrets, that they moved is a secret.
        return replace(change, columns={**change.columns, "proposal": str(replace(proposal, absent=False))})
    if not left or waiting(seated, seated.user_at(entry.seat)):
        return change
    return _with(change, carry_out(seated, proposal, seated.user_at(entry.seat), now))


def _excusing(seated: LoadedMatch, proposal: Proposal, change: Change, now: int) -> Change:
    """Carry out a replacement that waited only for the replaced player, whose time has run out with this change, or
    who has left the server."""
    last = seated.user_at(proposal.of) if proposal.of is not None else NOBODY
    columns = change.players.get(last, {})
    if (columns.get("forfeit_at") is None and not columns.get("gone")) or waiting(seated, last):
        return change
    return _with(change, carry_out(seated, proposal, NOBODY, now))


def _with(change: Change, more: Change) -> Change:
    tell = tuple(dict.fromkeys((*change.tell, *more.tell)))
    players = {user: {**change.players.get(user, {}), **columns} for user, columns in more.players.items()}
    columns = {**change.columns, **more.columns}
    return replace(change, columns=columns, players={**change.players, **players}, tell=tell, hands=more.hands)


def silenced(seated: LoadedMatch, user: UserId, now: int) -> Change:
    """End the say of a player who stays in a match without a name: their proposal is withdrawn, or they agree to the
    open one."""
    proposal, seat = open_proposal(seated), expect_voter(seated, user)
    if proposal is None:
        raise Closed(GONE)
    if proposal.seat == seat:
        return Change(NONE)
    return Change(players={user: {"agrees": True}}) if waiting(seated, user) else carry_out(seated, proposal, user, now)


def is_overdue(seated: LoadedMatch, now: int) -> bool:
    """Whether a request to resume a paused match was not answered in time."""
    proposal, proposed = open_proposal(seated), seated.row.proposed
    return bool(proposal and proposal.kind == "resume") and proposed is not None and now - proposed >= RESUMES_AFTER


def overdue(seated: LoadedMatch, now: int) -> Change:
    """Resume a paused match, since no player has refused that in time."""
    proposal = open_proposal(seated)
    if proposal is None or not is_overdue(seated, now):
        raise Closed(GONE)
    return carry_out(seated, proposal, NOBODY, now)
