"""Words proposals for all players: the open one, who must still answer it, a refusal, a pause.

Everybody may read all of it: proposals and their answers are public, and so are the moves they are about. Pure text, no
Discord.
"""

from __future__ import annotations

from collections.abc import Mapping

from bot.client.text.match_text import mention
from bot.client.text.turn_text import going
from bot.core.match.clocks import Pace
from bot.core.match.loaded_match import LoadedMatch, person
from bot.core.match.proposal import RESUMES_AFTER, Kind, Proposal, refusals_of
from bot.core.values.ids import UserId
from bot.core.values.plural import Plural, together
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
    "takeback": "{who} doesn't want the move taken back.",
    "draw": "{who} doesn't want a draw.",
    "pause": "{who} doesn't want to pause the match.",
    "resume": "{who} doesn't want to go on yet.",
    "replace": "{who} doesn't agree to hand the seat over.",
    "abort": "{who} wants to play on.",
}
"""What is said when somebody does not agree."""
ASKED: Mapping[Kind, Plural] = {
    "takeback": Plural(
        "You asked to take back {moves}. It happens as soon as {names} agrees.",
        "You asked to take back {moves}. It happens as soon as {names} agree.",
    ),
    "draw": Plural(
        "You offered a draw. It happens as soon as {names} agrees.",
        "You offered a draw. It happens as soon as {names} agree.",
    ),
    "pause": Plural(
        "You asked to pause the match. It happens as soon as {names} agrees.",
        "You asked to pause the match. It happens as soon as {names} agree.",
    ),
    "resume": Plural(
        "You asked to go on with the match. It happens as soon as {names} agrees.",
        "You asked to go on with the match. It happens as soon as {names} agree.",
    ),
    "replace": Plural(
        "You asked to give a seat to somebody else. It happens as soon as {names} agrees.",
        "You asked to give a seat to somebody else. It happens as soon as {names} agree.",
    ),
}
"""The answer to somebody who has made a proposal."""
AGREED = Plural("You agreed. It happens as soon as {names} agrees.", "You agreed. It happens as soon as {names} agree.")
ALREADY = Plural(
    "You already asked for that. It happens as soon as {names} agrees.",
    "You already asked for that. It happens as soon as {names} agree.",
)
DONE: Mapping[Kind, str] = {
    "draw": "The match is a draw.",
    "pause": "The match is paused.",
    "resume": "The match goes on.",
    "replace": "The seat has been handed over.",
}
"""What is said when all have agreed."""
TAKEN_BACK = Plural("{moves} is taken back.", "{moves} are taken back.")


def lines(seated: LoadedMatch) -> list[str]:
    """The lines under a board: that the match is paused, the open proposal and who must answer, the last refusal."""
    if seated.row.state != "live":
        return []
    row, proposal, said = seated.row, proposals.open_proposal(seated), list[str]()
    if row.paused is not None:
        said.append(f"Paused since <t:{row.paused}:D>. No clock is running.")
    if proposal:
        sentences = (wanted(seated, proposal), asked(seated), _excused(seated, proposal))
        said.append(" ".join(one for one in sentences if one))
    elif not any(player.consent for player in seated.players) and (told := refused(seated)):
        said.append(told)
    return said


def wanted(seated: LoadedMatch, proposal: Proposal) -> str:
    """A proposal as it is put to the others: what they would agree to."""
    who = mention(seated, proposal.seat)
    if proposal.kind == "takeback":
        return _taking_back(seated, proposal.seat, who)
    if proposal.kind == "draw":
        return f"{who} offers a draw, which would end the match."
    if proposal.kind == "pause":
        return f"{who} asks to pause the match until everybody agrees to go on."
    if proposal.kind == "replace" and proposal.of and proposal.person:
        old, new, pace = mention(seated, proposal.of), person(proposal.person), Pace.parse(seated.row.pace)
        told = f"{who} asks for {new} to take over from {old}, at this pace: {pace}."
        return f"{told} The match is then not rated." if seated.row.rated else told
    until = (seated.row.proposed or 0) + RESUMES_AFTER
    return f"{who} asks to go on. The clocks run again as soon as everybody agrees, or <t:{until}:R> if nobody refuses."


def _taking_back(seated: LoadedMatch, seat: Seat, who: str) -> str:
    """Which move would be taken back, and which others go with it."""
    at = seated.folded.last_move(seat)
    if at is None:
        return f"{who} asks to take back their last move."
    return f"{who} asks to take back {going(seated, seated.folded.going_with(at))}."


def _excused(seated: LoadedMatch, proposal: Proposal) -> str:
    """The player who is told but need not agree; empty for none."""
    player = next((player for player in proposal_kinds.voters(seated) if player.seat == proposal.of), None)
    if player is None or not excused(proposal, player) or player.seat == proposal.seat:
        return ""
    return f"{mention(seated, player.seat or 0)} doesn't have to agree."


def asked(seated: LoadedMatch) -> str:
    """Who is still to answer."""
    waiting = proposals.waiting(seated)
    names = [mention(seated, seat) if (seat := seated.seat_of(user)) else person(user) for user in waiting]
    return f"{together(names)} can agree or refuse." if names else ""


def refused(seated: LoadedMatch) -> str:
    """The last refusal, until something else happens; a withdrawn proposal is not mentioned."""
    last = refusals_of(seated.row.refused)[-1:]
    if not last or last[0].taken_back or last[0].seen != seated.folded.version_for(None):
        return ""
    # That somebody has moved in secret may not be seen by this.
    if not seated.game.secret and last[0].version not in (0, seated.row.version):
        return ""
    wanted = last[0].proposal
    who = mention(seated, last[0].by) if last[0].by else person(wanted.person or UserId(0))
    return REFUSED[wanted.kind].format(who=who)


def declined(seated: LoadedMatch) -> str:
    """The answer to an offer of a draw that a computer refuses."""
    by = refusals_of(seated.row.refused)[-1].by
    return REFUSED["draw"].format(who=mention(seated, by))


def waiting(seated: LoadedMatch, told: Plural) -> str:
    """A sentence about those for whose agreement the open proposal waits."""
    names, proposal = [person(user) for user in proposals.waiting(seated)], proposals.open_proposal(seated)
    at = seated.folded.last_move(proposal.seat) if proposal and proposal.kind == "takeback" else None
    moves = going(seated, seated.folded.going_with(at)) if at is not None else ""
    return told.of(len(names), names=together(names), moves=moves)


def done(seated: LoadedMatch, kind: Kind) -> str:
    """What is said when all have agreed to a proposal of a kind."""
    if kind != "takeback":
        return DONE[kind]
    gone = seated.folded.taken_back()
    return TAKEN_BACK.of(len(gone), moves=going(seated, gone))


def resigning(seated: LoadedMatch, seat: Seat) -> str:
    """The question before somebody leaves a match for good."""
    if others := people_beside(seated, seated.user_at(seat)):
        question = f"Resign match {seated.id} against {others}? You can't undo it."
    else:
        question = f"Resign match {seated.id}? You can't undo it."
    return f"{question}\n-# {seated.game.title} · {seated.link}"


def calling_off(seated: LoadedMatch, user: UserId) -> str:
    """The question before somebody ends a match by calling it off."""
    others = people_beside(seated, user)
    if not others:
        question = f"Call match {seated.id} off? It ends and doesn't count."
    elif seated.has(user):
        question = f"Call match {seated.id} against {others} off? It ends and doesn't count."
    else:
        question = f"Call match {seated.id} between {others} off? It ends and doesn't count."
    return f"{question}\n-# {seated.game.title} · {seated.link}"


def people_beside(seated: LoadedMatch, user: UserId) -> str:
    """The people of a match without one of them: "B and C"; empty where nobody else plays."""
    others = [person(player.user) for player in seated.players if player.user != user]
    return together(others) if others else ""
