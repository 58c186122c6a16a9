"""Words proposals for all players: the open one, who must still answer it, a refusal, a pause.

All of it is public: proposals and their answers are, and so are the moves they are about. Pure text, no Discord.
"""

from __future__ import annotations

from collections.abc import Mapping

from bot.features.board.turn_words import REFUSED, describe_refusal, describe_takeback
from bot.features.board.words import format_mention
from bot.games.position import Seat
from bot.games.wording import Plural, join_words
from bot.play import proposals
from bot.play.clocks import Pace
from bot.play.ids import UserId
from bot.play.loaded_match import RESUMES_AFTER, Kind, LoadedMatch, Proposal, mention_user, parse_refusals
from bot.play.proposals import is_excused

AGREE: Mapping[Kind, str] = {
    "takeback": "Agree: take it back",
    "draw": "Agree: draw",
    "pause": "Agree: pause",
    "resume": "Agree: go on",
    "replace": "Agree: hand over",
}
"""What a button agrees to."""
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
"""The answer to the proposer."""
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
"""The answer when all have agreed."""
TAKEN_BACK = Plural("{moves} is taken back.", "{moves} are taken back.")


def list_lines(loaded: LoadedMatch) -> list[str]:
    """The lines under a board: that the match is paused, the open proposal and who must answer, the last refusal."""
    if loaded.row.state != "live":
        return []
    row, proposal, said = loaded.row, proposals.open_proposal(loaded), list[str]()
    if row.paused is not None:
        said.append(f"Paused since <t:{row.paused}:D>. No clock is running.")
    if proposal:
        sentences = (describe_proposal(loaded, proposal), describe_voters(loaded), _describe_excused(loaded, proposal))
        said.append(" ".join(one for one in sentences if one))
    elif not any(player.consent for player in loaded.players) and (told := describe_refusal(loaded)):
        said.append(told)
    return said


def describe_proposal(loaded: LoadedMatch, proposal: Proposal) -> str:
    """A proposal as it is put to the others: what they would agree to."""
    who = format_mention(loaded, proposal.seat)
    if proposal.kind == "takeback":
        return _describe_takeback(loaded, proposal.seat, who)
    if proposal.kind == "draw":
        return f"{who} offers a draw, which would end the match."
    if proposal.kind == "pause":
        return f"{who} asks to pause the match until everybody agrees to go on."
    if proposal.kind == "replace" and proposal.of and proposal.person:
        old, new, pace = format_mention(loaded, proposal.of), mention_user(proposal.person), Pace.parse(loaded.row.pace)
        whose = "take their place" if proposal.of == proposal.seat else f"take over from {old}"
        told = f"{who} asks for {new} to {whose}, at this pace: {pace}."
        return f"{told} The match is then not rated." if loaded.row.rated else told
    until = (loaded.row.proposed or 0) + RESUMES_AFTER
    return f"{who} asks to go on. The clocks run again as soon as everybody agrees, or <t:{until}:R> if nobody refuses."


def _describe_takeback(loaded: LoadedMatch, seat: Seat, who: str) -> str:
    """Which move would be taken back, and which others go with it."""
    at = loaded.begun_match.last_move(seat)
    if at is None:
        return f"{who} asks to take back their last move."
    return f"{who} asks to take back {describe_takeback(loaded, loaded.begun_match.list_lines_going(at))}."


def _describe_excused(loaded: LoadedMatch, proposal: Proposal) -> str:
    """The player who is informed but need not agree; empty for none."""
    player = next((player for player in proposals.list_voters(loaded) if player.seat == proposal.of), None)
    if player is None or not is_excused(proposal, player) or player.seat == proposal.seat:
        return ""
    return f"{format_mention(loaded, player.seat or 0)} doesn't have to agree."


def describe_voters(loaded: LoadedMatch) -> str:
    """The players who must still answer."""
    waiting = proposals.list_users_to_answer(loaded)
    names = [format_mention(loaded, seat) if (seat := loaded.seat_of(user)) else mention_user(user) for user in waiting]
    return f"{join_words(names)} can agree or refuse." if names else ""


def describe_declined_draw(loaded: LoadedMatch) -> str:
    """The answer to an offer of a draw that a computer refuses."""
    by = parse_refusals(loaded.row.refused)[-1].by
    return REFUSED["draw"].format(who=format_mention(loaded, by))


def describe_waiting(loaded: LoadedMatch, told: Plural) -> str:
    """A sentence about the players whose agreement the open proposal still needs."""
    names, proposal = (
        [mention_user(user) for user in proposals.list_users_to_answer(loaded)],
        proposals.open_proposal(loaded),
    )
    at = loaded.begun_match.last_move(proposal.seat) if proposal and proposal.kind == "takeback" else None
    moves = describe_takeback(loaded, loaded.begun_match.list_lines_going(at)) if at is not None else ""
    return told.fill_in(len(names), names=join_words(names), moves=moves)


def describe_agreement(loaded: LoadedMatch, kind: Kind) -> str:
    """The answer when all have agreed to a proposal of a kind."""
    if kind != "takeback":
        return DONE[kind]
    gone = loaded.begun_match.list_taken_back()
    return TAKEN_BACK.fill_in(len(gone), moves=describe_takeback(loaded, gone))


def format_resign_question(loaded: LoadedMatch, seat: Seat) -> str:
    if others := name_others(loaded, loaded.user_at(seat)):
        question = f"Resign match {loaded.id} against {others}? You can't undo it."
    else:
        question = f"Resign match {loaded.id}? You can't undo it."
    return f"{question}\n-# {loaded.game.title} · {loaded.link}"


def format_abort_question(loaded: LoadedMatch, user: UserId) -> str:
    """The question before a player ends a match by calling it off."""
    others = name_others(loaded, user)
    if not others:
        question = f"Call match {loaded.id} off? It ends and doesn't count."
    elif loaded.has(user):
        question = f"Call match {loaded.id} against {others} off? It ends and doesn't count."
    else:
        question = f"Call match {loaded.id} between {others} off? It ends and doesn't count."
    return f"{question}\n-# {loaded.game.title} · {loaded.link}"


def name_others(loaded: LoadedMatch, user: UserId) -> str:
    """The other players of a match: "B and C"; empty where there are none."""
    others = [mention_user(player.user) for player in loaded.players if player.user != user]
    return join_words(others) if others else ""
