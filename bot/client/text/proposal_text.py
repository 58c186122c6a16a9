"""Words proposals for all players: the open one, who must still answer it, a refusal, a pause.

Everybody may read all of it: proposals and their answers are public, and so are the moves they are about. Pure text, no
Discord.
"""

from __future__ import annotations

from collections.abc import Mapping

from bot.client.text.match_text import mention, move
from bot.core.match.clocks import Pace
from bot.core.match.loaded_match import LoadedMatch, person, together
from bot.core.match.proposal import RESUMES_AFTER, Kind, Proposal, refusals_of
from bot.core.values.ids import UserId
from bot.core.values.seats import Seat
from bot.service.rules import proposal_kinds, proposals
from bot.service.rules.substitution import excused

AGREE: Mapping[Kind, str] = {
    "takeback": "Agree: take it back",
    "draw": "Agree: draw",
    "pause": "Agree: pause",
    "resume": "Agree: go on",
    "replace": "Agree: hand over",
}
"""What a button agrees to."""
REFUSED: Mapping[Kind, str] = {
    "takeback": "to take a move back",
    "draw": "to a draw",
    "pause": "to pause the match",
    "resume": "to go on with the match",
    "replace": "to hand the seat over",
}
"""What somebody does not agree to."""
DONE = {
    "takeback": "The move is taken back",
    "draw": "The match is a draw",
    "pause": "The match is paused",
    "resume": "The match goes on",
    "replace": "The seat has been handed over",
}
"""What is said when all have agreed."""


def lines(seated: LoadedMatch) -> list[str]:
    """The lines under a board: that the match is paused, the open proposal and who must answer, the last refusal."""
    if seated.row.state != "live":
        return []
    row, proposal, said = seated.row, proposals.open_proposal(seated), list[str]()
    if row.paused is not None:
        said.append(f"Paused since <t:{row.paused}:D>. No clock is running.")
    if proposal:
        asks = f"{mention(seated, proposal.seat)} asks {wanted(seated, proposal)}"
        said.append(f"{asks.removesuffix('.')}. {asked(seated)}{_excused(seated, proposal)}")
    elif refused := _refused(seated):
        said.append(refused)
    return said


def wanted(seated: LoadedMatch, proposal: Proposal) -> str:
    """A proposal as it is put to the others: what they would agree to."""
    if proposal.kind == "takeback":
        return f"to take back {taken_back(seated, proposal)}"
    if proposal.kind == "draw":
        return "for a draw, which would end the match"
    if proposal.kind == "pause":
        return "to pause the match until everybody agrees to go on"
    if proposal.kind == "replace" and proposal.of and proposal.person:
        return _replaced(seated, proposal.of, proposal.person)
    until = (seated.row.proposed or 0) + RESUMES_AFTER
    return f"to go on. The clocks run again as soon as everybody agrees, or <t:{until}:R> if nobody refuses"


def _replaced(seated: LoadedMatch, of: Seat, new: UserId) -> str:
    """Who would take over from whom, and how the match goes on."""
    unrated = " The match is then not rated." if seated.row.rated else ""
    pace = Pace.parse(seated.row.pace)
    return f"for {person(new)} to take over from {mention(seated, of)}, at this pace: {pace}.{unrated}"


def _excused(seated: LoadedMatch, proposal: Proposal) -> str:
    """The player who is told but need not agree; empty for none."""
    player = next((player for player in proposal_kinds.voters(seated) if player.seat == proposal.of), None)
    if player is None or not excused(proposal, player) or player.seat == proposal.seat:
        return ""
    return f" {mention(seated, player.seat or 0)} doesn't have to agree."


def taken_back(seated: LoadedMatch, proposal: Proposal) -> str:
    """The move that would be taken back, and that others go with it."""
    match, at = seated.folded, seated.folded.last_move(proposal.seat)
    if at is None:
        return "their last move"
    more = len(match.standing_without(at)) + 1 < len(match.standing)
    since = f" and everything played since{' in that leg' * bool(match.game.once)}" if more else ""
    return f"{move(seated, match.standing[at].text)}{since}"


def asked(seated: LoadedMatch) -> str:
    """Who is still to answer."""
    waiting = proposals.waiting(seated)
    names = [mention(seated, seat) if (seat := seated.seat_of(user)) else person(user) for user in waiting]
    return f"{together(names)} can agree or refuse." if names else ""


def _refused(seated: LoadedMatch) -> str:
    """The last refusal, until something else happens; a withdrawn proposal is not mentioned."""
    last = refusals_of(seated.row.refused)[-1:]
    if not last or last[0].taken_back or last[0].seen != seated.folded.version_for(None):
        return ""
    # That somebody has moved in secret may not be seen by this.
    if not seated.game.secret and last[0].version not in (0, seated.row.version):
        return ""
    refused = last[0].proposal
    who = mention(seated, last[0].by) if last[0].by else person(refused.person or UserId(0))
    return f"{who} doesn't agree {REFUSED[refused.kind]}."


def declined(seated: LoadedMatch) -> str:
    """The answer to an offer of a draw that a computer refuses."""
    by = refusals_of(seated.row.refused)[-1].by
    return f"{mention(seated, by)} doesn't want a draw"


def asks(seated: LoadedMatch, kind: Kind) -> str:
    """The answer to somebody who has made a proposal."""
    return f"You asked {proposal_kinds.KINDS[kind].asks}. It happens as soon as {waiting(seated)}"


def waiting(seated: LoadedMatch) -> str:
    """What the open proposal waits for: "B agrees", "B and C agree"."""
    names = [person(user) for user in proposals.waiting(seated)]
    return f"{together(names)} {'agrees' if len(names) == 1 else 'agree'}"
