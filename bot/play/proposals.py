"""Proposals: a player asks all others, who answer; the last agreement carries it out."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from bot.games.position import Seat
from bot.games.wording import join_words
from bot.play.acts import (
    NOBODY,
    NotPossibleNow,
    NotYours,
    Outcome,
    StaleBoard,
    apply_outcome,
    expect_live,
    expect_seat,
    find_new_lines,
    has_ended,
    record_entry,
)
from bot.play.clocks import DAY, HOUR, Pace
from bot.play.ids import UserId, is_computer, is_person
from bot.play.loaded_match import (
    RESUMES_AFTER,
    Kind,
    LoadedMatch,
    Proposal,
    Refusal,
    RefusedProposal,
    format_refusals,
    mention_user,
    parse_refusals,
)
from bot.play.record import Handover, Withdrawal, format_handovers, list_withdrawn_seats, parse_handovers
from bot.play.rows import MatchRecordRow, Player

# Substitutions: which seats can be taken over, by whom, and what that changes.


TAKEN_BACK = "{new} was already asked to take over, and that was taken back."
DISAGREED = "{new} was already asked to take over, and {by} didn't agree."
DECLINED = "{new} was already asked to take over, and didn't agree."
"""The refusals to a user who asks the same person again."""


def expect_place(loaded: LoadedMatch, of: Seat) -> None:
    """Refuse a seat that cannot be taken over."""
    seats = loaded.begun_match.seats
    if seats == 1:
        raise Refusal("You play this match alone, so nobody can take over your seat.")
    if not 1 <= of <= seats:
        raise Refusal("There is no such seat in this match. Choose one from the list.")
    if is_computer(loaded.user_at(of)):
        raise Refusal("Nobody can take over the computer's seat.")
    if of in loaded.begun_match.withdrawn_seats:
        raise NotPossibleNow(
            f"{mention_user(loaded.user_at(of))} has left this match, and nobody can take over a seat after that."
        )


def expect_newcomer(loaded: LoadedMatch, of: Seat, new: UserId) -> None:
    """Refuse a user who is in the match already, or who has played another seat of it."""
    who = mention_user(new)
    if new == loaded.user_at(of):
        raise Refusal(f"{who} already has that seat. Name somebody else.")
    if loaded.has(new):
        raise Refusal(f"{who} is already in this match. Name somebody who isn't.")
    if any(one.user == new and one.seat != of for one in parse_handovers(loaded.row.substitutions)):
        raise Refusal(f"{who} has played another seat in this match and can only take that one again.")


def is_excused(proposal: Proposal, player: Player) -> bool:
    """Whether a player's consent to being replaced is not needed: they are out of time, or have left the server."""
    is_out = proposal.absent or player.gone or player.forfeit_at is not None
    return proposal.kind == "replace" and player.seat == proposal.of and is_out


def hand_on_seat(loaded: LoadedMatch, proposal: Proposal, user: UserId, now: int) -> Outcome:
    """Hand a seat on, `user` being the last to agree. All others are notified, both players included."""
    assert proposal.of is not None and proposal.person is not None
    row, old, new = loaded.row, loaded.user_at(proposal.of), proposal.person
    version = row.version + 1
    handing = Handover(proposal.of, old, row.plies, 0 if old == user else version, row.rated)
    player = next(one for one in row.players if one.user == old)
    if player.seconds_left is not None:
        player = player.fill_clock(Pace.parse(row.pace).first_allotment)
    told = 0 if new == user else version
    fresh = replace(player, user=new, consent=False, abort_asked_at=None, agrees=False, mention_version=told)
    fresh = replace(fresh, gone=False, parted=None, wakes=None, next_reminder_at=None, mail=None, mailbox=None)
    row = row.replace_player(fresh)
    handovers = format_handovers((*parse_handovers(row.substitutions), handing))
    row = close_proposal(replace(row, rated=False, substitutions=handovers))
    left = loaded.begun_match.withdrawn_seats
    others = (one.user for one in row.players if one.seat not in left and is_person(one.user))
    told = tuple(one for one in others if one not in (new, user))
    return Outcome(row, told, handed=(old, new))


# The kinds of proposals: when each can be made, who must agree, and its effect.


def close_proposal(row: MatchRecordRow) -> MatchRecordRow:
    return replace(row, proposal=None, proposed=None)


def list_voters(loaded: LoadedMatch) -> tuple[Player, ...]:
    """The human players still in the match. Computers agree at once, and answer a draw before it is proposed."""
    left = loaded.begun_match.withdrawn_seats
    return tuple(player for player in loaded.players if player.seat not in left and is_person(player.user))


# Required consents.


def list_users_to_agree(loaded: LoadedMatch, proposal: Proposal) -> list[UserId]:
    """The voters who have not agreed yet."""
    return [player.user for player in list_voters(loaded) if not player.agrees]


def list_with_newcomer(loaded: LoadedMatch, proposal: Proposal) -> list[UserId]:
    """The voters who have not agreed, without an excused player; the substitute comes last."""
    asked = [player.user for player in list_voters(loaded) if not player.agrees and not is_excused(proposal, player)]
    return [*asked, proposal.person] if proposal.person and not proposal.accepted else asked


# Preconditions.


def expect_takeback(loaded: LoadedMatch, proposal: Proposal, allowed: bool) -> None:
    """Refuse a takeback without a move to take back, or that the rules or the server (`allowed`) forbid."""
    if not allowed:
        raise Refusal("This server doesn't allow takebacks. People who manage it can change that with /settings.")
    match = loaded.begun_match
    match.expect_takeback(proposal.seat)
    at = match.last_move(proposal.seat)
    if at is None or at < loaded.row.imported_plies:
        raise Refusal("You have no move to take back.")
    if left := list_withdrawn_seats(match.standing[at:]):
        who = mention_user(loaded.user_at(left[0]))
        raise Refusal(f"{who} has left since your last move, so it can't be taken back.")


def expect_draw(loaded: LoadedMatch, proposal: Proposal, _: bool) -> None:
    """Refuse a draw if the match cannot end in one."""
    loaded.begun_match.agree_draw(proposal.seat)


def expect_running(loaded: LoadedMatch, _: Proposal, __: bool) -> None:
    """Refuse to pause a match that has no clock or is paused."""
    _expect_clock(loaded)
    if loaded.row.paused is not None:
        raise NotPossibleNow("This match is already paused. Use /match resume to ask to go on.")


def expect_paused(loaded: LoadedMatch, _: Proposal, __: bool) -> None:
    """Refuse to resume a match that is not paused."""
    _expect_clock(loaded)
    if loaded.row.paused is None:
        raise NotPossibleNow("This match isn't paused.")


def _expect_clock(loaded: LoadedMatch) -> None:
    if loaded.row.pace == "none":
        raise Refusal("This match has no clock, so there is nothing to pause.")


def expect_replacement(loaded: LoadedMatch, proposal: Proposal, _: bool) -> None:
    """Refuse a seat that cannot be taken over, or not by this user."""
    assert proposal.of is not None and proposal.person is not None
    expect_place(loaded, proposal.of)
    expect_newcomer(loaded, proposal.of, proposal.person)


# Effects when all have agreed, `user` last.


def add_line(loaded: LoadedMatch, proposal: Proposal, user: UserId, now: int) -> Outcome:
    """Add a takeback or a draw to the record. The proposer is notified, besides the players to move."""
    match = loaded.begun_match
    after = match.take_back(proposal.seat) if proposal.kind == "takeback" else match.agree_draw(proposal.seat)
    outcome = record_entry(loaded, after, user)
    told = dict.fromkeys((*outcome.told, loaded.user_at(proposal.seat)))
    return replace(outcome, row=close_proposal(outcome.row), told=tuple(one for one in told if one != user))


def set_pause(loaded: LoadedMatch, proposal: Proposal, user: UserId, now: int) -> Outcome:
    """Pause or resume the match, and notify all players. The transaction updates the clocks."""
    told = tuple(player.user for player in list_voters(loaded) if player.user != user)
    row = replace(close_proposal(loaded.row), paused=now if proposal.kind == "pause" else None)
    return Outcome(row, told)


@dataclass(frozen=True, slots=True)
class ProposalKind:
    """A kind of proposal: its precondition, its effect, and who has yet to agree."""

    expect: Callable[[LoadedMatch, Proposal, bool], None]
    carry_out: Callable[[LoadedMatch, Proposal, UserId, int], Outcome]
    waits_for: Callable[[LoadedMatch, Proposal], list[UserId]] = list_users_to_agree


KINDS: Mapping[Kind, ProposalKind] = {
    "takeback": ProposalKind(expect_takeback, add_line),
    "draw": ProposalKind(expect_draw, add_line),
    "pause": ProposalKind(expect_running, set_pause),
    "resume": ProposalKind(expect_paused, set_pause),
    "replace": ProposalKind(expect_replacement, hand_on_seat, list_with_newcomer),
}
QUESTIONS: Mapping[Kind, str] = {
    "takeback": "Take a move back?",
    "draw": "A draw?",
    "pause": "Pause the match?",
    "resume": "Go on with the match?",
    "replace": "Give a seat to somebody else?",
    "abort": "Call the match off?",
}
"""The question of each kind."""


def carry_out(loaded: LoadedMatch, proposal: Proposal, user: UserId, now: int) -> Outcome:
    """Apply a proposal to which all have agreed, `user` last."""
    return KINDS[proposal.kind].carry_out(loaded, proposal, user, now)


# The course of a proposal.


REFUSABLE = 14 * DAY
"""Seconds of a pause after which resuming cannot be refused, so that a losing player cannot keep the match paused."""
MOST_REFUSED = 5
"""The most proposals of a seat that may be refused or withdrawn in an hour: each notifies all the others."""
GONE = "Nobody is asking that any more. Here is the board now; nothing was changed."
ASKED_IN_VAIN = "You already asked “{question}”, and {by} didn't agree."
ASKED_AND_WITHDREW = "You already asked “{question}”, and took that back."
MOVED_ON = "The match moved on, so nothing was asked. Here is the board now."
# State.


def open_proposal(loaded: LoadedMatch) -> Proposal | None:
    row = loaded.row
    return Proposal.parse(row.proposal) if row.proposal is not None and row.state == "live" else None


def mark_of(loaded: LoadedMatch) -> str:
    """The mark that an answer to the open proposal carries; empty where none is open."""
    proposal = open_proposal(loaded)
    return proposal.make_mark(loaded.row.proposed or 0) if proposal else ""


def list_users_to_answer(loaded: LoadedMatch, *without: UserId) -> tuple[UserId, ...]:
    """The users who have yet to agree to the open proposal, except `without`; a substitute comes last."""
    proposal = open_proposal(loaded)
    asked = KINDS[proposal.kind].waits_for(loaded, proposal) if proposal else ()
    return tuple(user for user in asked if user not in without)


def expect_voter(loaded: LoadedMatch, user: UserId) -> Seat:
    """The seat of a user who still plays; raises a refusal."""
    seat = expect_seat(loaded, user)
    if seat in loaded.begun_match.withdrawn_seats:
        raise NotYours("You have left this match, so you have no say in it.")
    return seat


def recent_refusals(loaded: LoadedMatch, now: int) -> tuple[RefusedProposal, ...]:
    """The refused and withdrawn proposals that may not be repeated yet."""
    seen = loaded.begun_match.version_for(None)
    return tuple(one for one in parse_refusals(loaded.row.refused) if _is_recent(one, now) or _is_same_board(one, seen))


def _is_recent(refused: RefusedProposal, now: int) -> bool:
    return 0 <= now - refused.at < HOUR


def _is_same_board(refused: RefusedProposal, seen: int) -> bool:
    return refused.proposal.lapses_on_entry and refused.seen == seen


# Proposing.


def propose(
    loaded: LoadedMatch, user: UserId, kind: Kind, now: int, takebacks: bool = True, seen: int | None = None
) -> Outcome:
    """Propose something to all others. A command agrees instead if another player has proposed the same.

    `takebacks`: whether moves can be taken back in this server; `seen`: how many lines of the record the board
    showed whose button they pressed, None for a command.
    """
    seat, proposal = expect_voter(loaded, user), open_proposal(loaded)
    if seen is None and proposal and proposal.kind == kind and proposal.seat != seat:
        return agree(loaded, user, now)
    if kind == "takeback" and seen is not None and _has_moved_on(loaded, seat, seen):
        raise StaleBoard(MOVED_ON, loaded)
    wanted = Proposal(kind, seat)
    expect_askable(loaded, user, wanted, now, takebacks)
    if kind == "draw" and any(is_computer(player.user) for player in loaded.players):
        raise Refusal("Use /match draw to offer the computer a draw.")
    return put_proposal(loaded, user, wanted, now)


def _has_moved_on(loaded: LoadedMatch, seat: Seat, seen: int) -> bool:
    """Whether the board is out of date for the move that would be taken back."""
    match, at = loaded.begun_match, loaded.begun_match.last_move(seat)
    return match.has_moved_on(seat, seat, seen, match.leg_of(match.standing[at]) if at is not None else None)


def propose_substitute(
    loaded: LoadedMatch, user: UserId, of: Seat, new: UserId, now: int, absent: bool = False
) -> Outcome:
    """Propose that a `new` user takes over seat `of`, to all others and to them; or agree if that is proposed already.
    `absent`: the player on that seat has left the server."""
    seat, proposal = expect_voter(loaded, user), open_proposal(loaded)
    if proposal and (proposal.of, proposal.person) == (of, new) and proposal.seat != seat:
        return agree(loaded, user, now)
    wanted = Proposal("replace", seat, of, new, due=loaded.row.version + 1, absent=absent)
    expect_askable(loaded, user, wanted, now)
    outcome = put_proposal(loaded, user, wanted, now)
    # Otherwise a new name each time would notify the others without end.
    told = any(
        one.is_own_withdrawal and (one.proposal.kind, one.proposal.seat) == ("replace", seat)
        for one in recent_refusals(loaded, now)
    )
    return replace(outcome, told=() if told else outcome.told, asked=(user, new))


def expect_askable(loaded: LoadedMatch, user: UserId, wanted: Proposal, now: int, takebacks: bool = True) -> None:
    """Refuse a proposal that cannot be carried out, that was refused lately, or while another is open."""
    KINDS[wanted.kind].expect(loaded, wanted, takebacks)
    if proposal := open_proposal(loaded):
        raise NotPossibleNow(explain_open_proposal(loaded, proposal, user))
    expect_patience(loaded, wanted, now)


def put_proposal(loaded: LoadedMatch, user: UserId, wanted: Proposal, now: int) -> Outcome:
    """Open a proposal, which replaces requests to abort. It is carried out at once if no consent is missing."""
    asked = tuple(player.user for player in list_voters(loaded) if player.user != user)
    if not asked and wanted.person is None:
        return carry_out(loaded, wanted, user, now)
    players = tuple(replace(one, agrees=one.user == user, consent=False) for one in loaded.row.players)
    return Outcome(replace(loaded.row, players=players, proposal=str(wanted), proposed=now), asked)


def explain_open_proposal(loaded: LoadedMatch, proposal: Proposal, user: UserId) -> str:
    """The refusal while another proposal is open: what it asks, and how this user can answer it."""
    question, asker = QUESTIONS[proposal.kind], mention_user(loaded.user_at(proposal.seat))
    if proposal.seat == loaded.seat_of(user):
        return f"Your question is still open: “{question}” Take it back first, with /match {proposal.kind}."
    if user in list_users_to_answer(loaded):
        return f"{asker} has asked: “{question}” Answer that first, with the buttons under the board."
    names = join_words([mention_user(one) for one in list_users_to_answer(loaded)])
    return f"{asker} has asked: “{question}” You agreed, and it waits for {names}."


def expect_patience(loaded: LoadedMatch, wanted: Proposal, now: int) -> None:
    """Refuse a proposal that was refused or withdrawn lately, and too many in a row."""
    own = [one.at for one in parse_refusals(loaded.row.refused) if one.proposal.seat == wanted.seat]
    lately = [at for at in own if 0 <= now - at < HOUR]
    if len(lately) >= MOST_REFUSED:
        then = f"<t:{lately[-MOST_REFUSED] + HOUR}:R>"
        raise Refusal(f"You have asked for {len(lately)} things in the last hour without success. Ask again {then}.")
    again = next((one for one in recent_refusals(loaded, now) if one.proposal.is_same_as(wanted)), None)
    if again is not None:
        raise Refusal(_explain_recent_refusal(loaded, wanted, again, now))


def _explain_recent_refusal(loaded: LoadedMatch, wanted: Proposal, again: RefusedProposal, now: int) -> str:
    """The refusal of a proposal that was refused lately, with when it can be made again."""
    by, later = mention_user(loaded.user_at(again.by)) if again.by else "", f"<t:{again.at + HOUR}:R>"
    if wanted.person is not None:
        told = TAKEN_BACK if again.is_own_withdrawal else DISAGREED if by else DECLINED
        return f"{told.format(new=mention_user(wanted.person), by=by)} Ask again {later}, or name somebody else."
    told = ASKED_AND_WITHDREW if again.is_own_withdrawal else ASKED_IN_VAIN
    asked = told.format(question=QUESTIONS[wanted.kind], by=by)
    if not _is_same_board(again, loaded.begun_match.version_for(None)):
        return f"{asked} Ask again {later}."
    if not _is_recent(again, now):
        return f"{asked} Ask again after another move."
    return f"{asked} Ask again after another move, {later} at the earliest."


# Answering.


def agree(loaded: LoadedMatch, user: UserId, now: int, mark: str | None = None, seen: int | None = None) -> Outcome:
    """Agree to the open proposal. A button carries the `mark` of its proposal, and the number of lines of the record
    `seen`; for a command both are None."""
    if (proposal := _find_invitation(loaded, user, mark)) is not None:
        if proposal.accepted:
            names = join_words([mention_user(one) for one in list_users_to_answer(loaded)])
            raise NotPossibleNow(f"You have already accepted. It waits for {names}.")
        row = replace(loaded.row, proposal=str(replace(proposal, accepted=True)))
    else:
        proposal, player = _find_answered(loaded, user, mark, seen)
        if proposal.seat == player.seat:
            question = QUESTIONS[proposal.kind]
            raise NotPossibleNow(f"You asked “{question}” yourself, so the others have to agree.")
        if player.agrees:
            raise NotPossibleNow(explain_open_proposal(loaded, proposal, user))
        row = loaded.row.change_player(user, agrees=True)
    return Outcome(row) if list_users_to_answer(loaded, user) else carry_out(loaded, proposal, user, now)


def refuse(loaded: LoadedMatch, user: UserId, now: int, mark: str | None = None, seen: int | None = None) -> Outcome:
    """Refuse the open proposal, also after having agreed to it; the player who proposed it withdraws it."""
    seat = 0
    if (proposal := _find_invitation(loaded, user, mark)) is None:
        proposal, player = _find_answered(loaded, user, mark, seen)
        assert player.seat
        seat = player.seat
    refused = RefusedProposal(proposal, seat, now, loaded.begun_match.version_for(None), loaded.row.version + 1)
    if not refused.is_own_withdrawal:
        _expect_refusable(loaded, proposal, now)
    told = () if refused.is_own_withdrawal else (loaded.user_at(proposal.seat),)
    kept = format_refusals((*recent_refusals(loaded, now), refused))
    return Outcome(replace(close_proposal(loaded.row), refused=kept), told)


def _expect_refusable(loaded: LoadedMatch, proposal: Proposal, now: int) -> None:
    """Refuse the refusal to resume a match that has been paused for long."""
    paused, proposed = loaded.row.paused, loaded.row.proposed
    if proposal.kind != "resume" or paused is None or proposed is None or now - paused < REFUSABLE:
        return
    raise Refusal(
        f"This match has been paused for {REFUSABLE // DAY} days, so you can't refuse to go on. The clocks run again "
        f"as soon as everybody agrees, at the latest <t:{proposed + RESUMES_AFTER}:R>."
    )


def _find_invitation(loaded: LoadedMatch, user: UserId, mark: str | None) -> Proposal | None:
    """The open proposal, if it asks this user to take over a seat."""
    proposal = open_proposal(loaded)
    if proposal is None or proposal.person != user or (mark is not None and mark != mark_of(loaded)):
        return None
    return proposal


def _find_answered(loaded: LoadedMatch, user: UserId, mark: str | None, seen: int | None) -> tuple[Proposal, Player]:
    """The open proposal and the player who answers it; raises `StaleBoard` if they answer another."""
    expect_live(loaded)
    if mark is not None and mark != mark_of(loaded):
        raise StaleBoard(GONE, loaded)
    seat = expect_voter(loaded, user)
    proposal, player = open_proposal(loaded), loaded.row.find_player(user)
    if proposal is None or player is None:
        raise StaleBoard(GONE, loaded)
    if proposal.lapses_on_entry and seen is not None and loaded.begun_match.has_moved_on(seat, seat, seen):
        raise StaleBoard(GONE, loaded)
    return proposal, player


# Ends of an open proposal without an answer: by other acts, by a player's data deletion, or with time.


def settle_proposal(loaded: LoadedMatch, outcome: Outcome, now: int) -> Outcome:
    """An outcome with its effect on the open proposal. A line of the record closes some kinds; a player who leaves
    closes their own, and if only their consent was missing, it is carried out. The end of a match clears all."""
    proposal, lines = open_proposal(loaded), find_new_lines(loaded.row, outcome.row)
    if proposal is None or has_ended(loaded.row, outcome.row) or outcome.row.proposal != loaded.row.proposal:
        return outcome
    if not lines:
        return _excuse_absent(loaded, proposal, outcome, now)
    entry, left = lines[0], isinstance(lines[0], Withdrawal)
    if proposal.lapses_on_entry or (left and entry.seat in (proposal.seat, proposal.of)):
        return replace(outcome, row=close_proposal(outcome.row))
    if proposal.absent and entry.seat == proposal.of and not loaded.game.secret:
        # They are back and must consent. In a game with secrets, that they moved is secret.
        return replace(outcome, row=replace(outcome.row, proposal=str(replace(proposal, absent=False))))
    if not left or list_users_to_answer(loaded, loaded.user_at(entry.seat)):
        return outcome
    return _carry_out_after(loaded, proposal, outcome, loaded.user_at(entry.seat), now)


def _excuse_absent(loaded: LoadedMatch, proposal: Proposal, outcome: Outcome, now: int) -> Outcome:
    """Carry out a replacement that waited only for the replaced player, who with this act is out of time or has left
    the server."""
    last = loaded.user_at(proposal.of) if proposal.of is not None else NOBODY
    before, after = loaded.row.find_player(last), outcome.row.find_player(last)
    if before is None or after is None or (after.forfeit_at, after.gone) == (before.forfeit_at, before.gone):
        return outcome
    if (after.forfeit_at is None and not after.gone) or list_users_to_answer(loaded, last):
        return outcome
    return _carry_out_after(loaded, proposal, outcome, NOBODY, now)


def _carry_out_after(loaded: LoadedMatch, proposal: Proposal, outcome: Outcome, user: UserId, now: int) -> Outcome:
    """Carry out a proposal after an act, with the events of both."""
    then = carry_out(apply_outcome(loaded, outcome), proposal, user, now)
    told = tuple(dict.fromkeys((*outcome.told, *then.told)))
    return replace(then, told=told, turned=outcome.turned, match=outcome.match)


def end_say(loaded: LoadedMatch, user: UserId, now: int) -> Outcome:
    """Answer for a player who stays in a match under an alias: their proposal is withdrawn, another's is agreed to."""
    proposal, seat = open_proposal(loaded), expect_voter(loaded, user)
    if proposal is None:
        raise NotPossibleNow(GONE)
    if proposal.seat == seat:
        return Outcome(close_proposal(loaded.row))
    return (
        Outcome(loaded.row.change_player(user, agrees=True))
        if list_users_to_answer(loaded, user)
        else carry_out(loaded, proposal, user, now)
    )


def is_overdue(loaded: LoadedMatch, now: int) -> bool:
    """Whether a request to resume a paused match was not answered in time."""
    proposal, proposed = open_proposal(loaded), loaded.row.proposed
    return bool(proposal and proposal.kind == "resume") and proposed is not None and now - proposed >= RESUMES_AFTER


def resume_overdue(loaded: LoadedMatch, now: int) -> Outcome:
    """Resume a paused match whose request to resume was not refused in time."""
    proposal = open_proposal(loaded)
    if proposal is None or not is_overdue(loaded, now):
        raise NotPossibleNow(GONE)
    return carry_out(loaded, proposal, NOBODY, now)
