"""Proposals: a player asks all others for something, they answer, and with the last who agrees it is done.

One proposal is open in a match at a time, of a kind in `proposal_kinds`. Everybody who still plays is asked, also
players whose time has run out. A proposal that was refused or withdrawn can be made again after an hour, and one about
the board only after another move. Pure decisions.
"""

from __future__ import annotations

from dataclasses import replace

from bot.core.match.clocks import DAY, HOUR
from bot.core.match.loaded_match import LoadedMatch, Refusal, person
from bot.core.match.proposal import RESUMES_AFTER, Kind, Proposal, Refused, refusals_of, written
from bot.core.match.stored import Player
from bot.core.values.computer_users import is_computer
from bot.core.values.ids import UserId
from bot.core.values.plural import together
from bot.core.values.seats import Seat
from bot.service.rules import substitution
from bot.service.rules.decisions import Change
from bot.service.rules.proposal_kinds import KINDS, NONE, QUESTIONS, carry_out, voters
from bot.service.rules.refusals import Closed, NotYours, Stale, expect_live, expect_seat

REFUSABLE = 14 * DAY
"""Seconds of a pause after which resuming cannot be refused, so that a losing player cannot keep the match paused."""
MOST_REFUSED = 5
"""The most proposals of a seat that may be refused or withdrawn in an hour: each notifies all the others."""
GONE = "Nobody is asking that any more. Here is the board now; nothing was changed."
ASKED_IN_VAIN = "You already asked “{question}”, and {by} didn't agree."
ASKED_AND_WITHDREW = "You already asked “{question}”, and took that back."
MOVED_ON = "The match moved on, so nothing was asked. Here is the board now."


# How it stands.


def open_proposal(seated: LoadedMatch) -> Proposal | None:
    """The proposal that is open in a match."""
    row = seated.row
    return Proposal.parse(row.proposal) if row.proposal is not None and row.state == "live" else None


def mark_of(seated: LoadedMatch) -> str:
    """The mark that an answer to the open proposal carries; empty where none is open."""
    proposal = open_proposal(seated)
    return proposal.mark(seated.row.proposed or 0) if proposal else ""


def waiting(seated: LoadedMatch, *without: UserId) -> tuple[UserId, ...]:
    """Those who have yet to agree to the open proposal, except some; the new player of a replacement is the last."""
    proposal = open_proposal(seated)
    asked = KINDS[proposal.kind].waits_for(seated, proposal) if proposal else ()
    return tuple(user for user in asked if user not in without)


def expect_voter(seated: LoadedMatch, user: UserId) -> Seat:
    """The seat of a user who still plays; raises a refusal."""
    seat = expect_seat(seated, user)
    if seat in seated.folded.withdrawn:
        raise NotYours("You have left this match, so you have no say in it.")
    return seat


def recent_refusals(seated: LoadedMatch, now: int) -> tuple[Refused, ...]:
    """The refused and withdrawn proposals that may not be made again yet."""
    seen = seated.folded.version_for(None)
    return tuple(one for one in refusals_of(seated.row.refused) if _is_recent(one, now) or _same_board(one, seen))


def _is_recent(refused: Refused, now: int) -> bool:
    return 0 <= now - refused.at < HOUR


def _same_board(refused: Refused, seen: int) -> bool:
    return refused.proposal.lapses and refused.seen == seen


# To ask.


def proposing(
    seated: LoadedMatch, user: UserId, kind: Kind, now: int, takebacks: bool = True, seen: int | None = None
) -> Change:
    """Propose something to all others. A command agrees instead if another player has proposed the same.

    `takebacks`: whether moves can be taken back in this server; `seen`: how many lines of the record stood on the board
    whose button they pressed, None for a command.
    """
    seat, proposal = expect_voter(seated, user), open_proposal(seated)
    if seen is None and proposal and proposal.kind == kind and proposal.seat != seat:
        return agreeing(seated, user, now)
    if kind == "takeback" and seen is not None and _has_moved_on(seated, seat, seen):
        raise Stale(MOVED_ON, seated)
    wanted = Proposal(kind, seat)
    expect_askable(seated, user, wanted, now, takebacks)
    if kind == "draw" and any(is_computer(player.user) for player in seated.players):
        raise Refusal("Use /match draw to offer the computer a draw.")
    return asking(seated, user, wanted, now)


def _has_moved_on(seated: LoadedMatch, seat: Seat, seen: int) -> bool:
    """Whether the board no longer shows the move that would be taken back as it stands."""
    match, at = seated.folded, seated.folded.last_move(seat)
    return match.has_moved_on(seat, seat, seen, match.leg_of(match.standing[at]) if at is not None else None)


def replacing(seated: LoadedMatch, user: UserId, of: Seat, new: UserId, now: int, absent: bool = False) -> Change:
    """Propose that a `new` user takes over seat `of`, to all others and to them; or agree if that is proposed already.
    `absent`: the player on that seat has left the server."""
    seat, proposal = expect_voter(seated, user), open_proposal(seated)
    if proposal and (proposal.of, proposal.person) == (of, new) and proposal.seat != seat:
        return agreeing(seated, user, now)
    wanted = Proposal("replace", seat, of, new, due=seated.row.version + 1, absent=absent)
    expect_askable(seated, user, wanted, now)
    change = asking(seated, user, wanted, now)
    # With a new name each time the others' phones could be made to ring without end.
    told = any(
        one.taken_back and (one.proposal.kind, one.proposal.seat) == ("replace", seat)
        for one in recent_refusals(seated, now)
    )
    return replace(change, tell=() if told else change.tell, asks=(user, new))


def expect_askable(seated: LoadedMatch, user: UserId, wanted: Proposal, now: int, takebacks: bool = True) -> None:
    """Refuse a proposal that cannot be carried out, while another is open, or that was refused lately."""
    KINDS[wanted.kind].expect(seated, wanted, takebacks)
    if proposal := open_proposal(seated):
        raise Closed(open_already(seated, proposal, user))
    expect_patience(seated, wanted, now)


def asking(seated: LoadedMatch, user: UserId, wanted: Proposal, now: int) -> Change:
    """Put a proposal to all others, in place of the question whether to call the match off. It is carried out at once
    where there are no others."""
    asked = tuple(player.user for player in voters(seated) if player.user != user)
    if not asked and wanted.person is None:
        return carry_out(seated, wanted, user, now)
    agrees = {player.user: {"agrees": player.user == user, "consent": False} for player in seated.row.players}
    return Change({"proposal": str(wanted), "proposed": now}, agrees, tell=asked)


def open_already(seated: LoadedMatch, proposal: Proposal, user: UserId) -> str:
    """The refusal while another proposal is open: what is asked, and how this user answers it."""
    question, asker = QUESTIONS[proposal.kind], person(seated.user_at(proposal.seat))
    if proposal.seat == seated.seat_of(user):
        return f"Your question is still open: “{question}” Take it back first, with /match {proposal.kind}."
    if user in waiting(seated):
        return f"{asker} has asked: “{question}” Answer that first, with the buttons under the board."
    names = together([person(one) for one in waiting(seated)])
    return f"{asker} has asked: “{question}” You agreed, and it waits for {names}."


def expect_patience(seated: LoadedMatch, wanted: Proposal, now: int) -> None:
    """Refuse a proposal that was refused or withdrawn lately, and too many in a row."""
    own = [one.at for one in refusals_of(seated.row.refused) if one.proposal.seat == wanted.seat]
    lately = [at for at in own if 0 <= now - at < HOUR]
    if len(lately) >= MOST_REFUSED:
        then = f"<t:{lately[-MOST_REFUSED] + HOUR}:R>"
        raise Refusal(f"You have asked for {len(lately)} things in the last hour without success. Ask again {then}.")
    again = next((one for one in recent_refusals(seated, now) if one.proposal.repeats(wanted)), None)
    if again is not None:
        raise Refusal(_asked_before(seated, wanted, again, now))


def _asked_before(seated: LoadedMatch, wanted: Proposal, again: Refused, now: int) -> str:
    """The refusal of a proposal that was refused lately, with when it can be made again."""
    by, later = person(seated.user_at(again.by)) if again.by else "", f"<t:{again.at + HOUR}:R>"
    if wanted.person is not None:
        told = substitution.TAKEN_BACK if again.taken_back else substitution.DISAGREED if by else substitution.DECLINED
        return f"{told.format(new=person(wanted.person), by=by)} Ask again {later}, or name somebody else."
    told = ASKED_AND_WITHDREW if again.taken_back else ASKED_IN_VAIN
    asked = told.format(question=QUESTIONS[wanted.kind], by=by)
    if not _same_board(again, seated.folded.version_for(None)):
        return f"{asked} Ask again {later}."
    if not _is_recent(again, now):
        return f"{asked} Ask again after another move."
    return f"{asked} Ask again after another move, {later} at the earliest."


# To answer.


def agreeing(seated: LoadedMatch, user: UserId, now: int, mark: str | None = None, seen: int | None = None) -> Change:
    """Agree to the open proposal. A button carries the `mark` of its proposal, and how many lines of the record were
    `seen`; with a command both are None."""
    if (proposal := _invitation(seated, user, mark)) is not None:
        if proposal.accepted:
            names = together([person(one) for one in waiting(seated)])
            raise Closed(f"You have already accepted. It waits for {names}.")
        agreed = Change({"proposal": str(replace(proposal, accepted=True))})
    else:
        proposal, player = _answered(seated, user, mark, seen)
        if proposal.seat == player.seat:
            question = QUESTIONS[proposal.kind]
            raise Closed(f"You asked “{question}” yourself, so the others have to agree.")
        if player.agrees:
            raise Closed(open_already(seated, proposal, user))
        agreed = Change(players={user: {"agrees": True}})
    return agreed if waiting(seated, user) else carry_out(seated, proposal, user, now)


def refusing(seated: LoadedMatch, user: UserId, now: int, mark: str | None = None, seen: int | None = None) -> Change:
    """Refuse the open proposal, also after having agreed to it; the player who proposed it withdraws it."""
    seat = 0
    if (proposal := _invitation(seated, user, mark)) is None:
        proposal, player = _answered(seated, user, mark, seen)
        assert player.seat
        seat = player.seat
    refused = Refused(proposal, seat, now, seated.folded.version_for(None), seated.row.version + 1)
    if not refused.taken_back:
        _expect_refusable(seated, proposal, now)
    tell = () if refused.taken_back else (seated.user_at(proposal.seat),)
    return Change({**NONE, "refused": written((*recent_refusals(seated, now), refused))}, tell=tell)


def _expect_refusable(seated: LoadedMatch, proposal: Proposal, now: int) -> None:
    """Refuse a refusal to go on with a match that has been paused for long."""
    paused, proposed = seated.row.paused, seated.row.proposed
    if proposal.kind != "resume" or paused is None or proposed is None or now - paused < REFUSABLE:
        return
    raise Refusal(
        f"This match has been paused for {REFUSABLE // DAY} days, so you can't refuse to go on. The clocks run again "
        f"as soon as everybody agrees, at the latest <t:{proposed + RESUMES_AFTER}:R>."
    )


def _invitation(seated: LoadedMatch, user: UserId, mark: str | None) -> Proposal | None:
    """The open proposal, if it asks this person to take over a seat."""
    proposal = open_proposal(seated)
    if proposal is None or proposal.person != user or (mark is not None and mark != mark_of(seated)):
        return None
    return proposal


def _answered(seated: LoadedMatch, user: UserId, mark: str | None, seen: int | None) -> tuple[Proposal, Player]:
    """The open proposal and the player who answers it, or `Stale` where they answer another."""
    expect_live(seated)
    if mark is not None and mark != mark_of(seated):
        raise Stale(GONE, seated)
    seat = expect_voter(seated, user)
    proposal, player = open_proposal(seated), seated.row.player(user)
    if proposal is None or player is None:
        raise Stale(GONE, seated)
    if proposal.lapses and seen is not None and seated.folded.has_moved_on(seat, seat, seen):
        raise Stale(GONE, seated)
    return proposal, player
