"""Calling a match off: it ends unrated once everybody who still plays has asked for that.

The request is stored with each player. Only one question is open in a match at a time: nobody asks to call it off while
a proposal waits for answers. A player who answers neither way could keep the question open for ever, so a new proposal
takes its place. It is refused and withdrawn like a proposal, with the mark of the first who asks. Pure decisions.
"""

from __future__ import annotations

from bot.core.match.clocks import HOUR
from bot.core.match.loaded_match import LoadedMatch
from bot.core.match.proposal import Proposal, Refused, written
from bot.core.match.stored import Player
from bot.core.values.ids import UserId
from bot.service.rules.decisions import Change, others
from bot.service.rules.proposal_kinds import voters
from bot.service.rules.proposals import expect_patience, expect_voter, open_already, open_proposal, recent_refusals
from bot.service.rules.refusals import Closed, NotYours, expect_live, expect_seat


def aborting(seated: LoadedMatch, user: UserId, manager: bool, now: int) -> Change:
    """Abort a live match, unrated, once everybody who still plays has asked for it, or for a manager of the server who
    does not play in it. The others are notified at most once an hour, however often a player asks."""
    expect_live(seated)
    if seated.seat_of(user) in seated.folded.withdrawn:
        raise NotYours("You have left this match, so you can't call it off.")
    if not seated.has(user) and not manager:
        raise NotYours("You aren't in this match. Only its players can call it off, all of them together.")
    asked = asked_to_abort(seated, user) if seated.has(user) else ()
    if not asked:
        return Change(ends="aborted", tell=others(seated, user))
    if proposal := open_proposal(seated):
        raise Closed(open_already(seated, proposal, user))
    if question(seated) is None:
        expect_patience(seated, Proposal("abort", expect_seat(seated, user)), now)
    player = seated.row.player(user)
    lately = player is not None and player.abort_asked_at is not None and 0 <= now - player.abort_asked_at < HOUR
    if lately or seated.asks_to_abort(user):
        return Change(players={user: {"consent": True}})
    return Change(players={user: {"consent": True, "abort_asked_at": now}}, tell=asked)


def asked_to_abort(seated: LoadedMatch, user: UserId) -> tuple[UserId, ...]:
    """The others who would have to agree before a match is aborted; nobody who has left the server."""
    return tuple(
        player.user for player in voters(seated) if not (player.consent or player.gone) and player.user != user
    )


def question(seated: LoadedMatch) -> Proposal | None:
    """The question whether to call the match off, as a proposal of the first player who asks; None where nobody
    does."""
    asking = _asking(seated)
    return Proposal("abort", asking[0].seat) if asking and asking[0].seat else None


def mark_of(seated: LoadedMatch) -> str:
    """What a refusal of that question carries; empty where nobody asks."""
    asked = question(seated)
    return asked.mark(_asking(seated)[0].abort_asked_at or 0) if asked else ""


def refusing(seated: LoadedMatch, user: UserId, now: int) -> Change:
    """Refuse to call the match off, which clears all requests to abort; a player who asks only withdraws their own."""
    seat = expect_voter(seated, user)
    if seated.asks_to_abort(user):
        return playing_on(seated, user)
    asking, seen, version = _asking(seated), seated.folded.version_for(None), seated.row.version + 1
    refused = [Refused(Proposal("abort", player.seat), seat, now, seen, version) for player in asking if player.seat]
    return Change(
        {"refused": written((*recent_refusals(seated, now), *refused))},
        {player.user: {"consent": False} for player in asking},
        tell=tuple(player.user for player in asking),
    )


def _asking(seated: LoadedMatch) -> list[Player]:
    """Those who ask to call a live match off."""
    return [player for player in seated.players if player.consent] if seated.row.state == "live" else []


def playing_on(seated: LoadedMatch, user: UserId) -> Change:
    """Withdraw a player's request to abort a match."""
    expect_seat(seated, user)
    if not seated.asks_to_abort(user):
        raise Closed("You are no longer asking to call the match off. It goes on.")
    return Change(players={user: {"consent": False}})
