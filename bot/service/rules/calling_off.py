"""Calling a match off: it ends unrated once everybody who still plays has asked for that.

That somebody asks is kept with each player. Only one question is open in a match at a time: nobody asks to call it off
while a proposal waits for answers. Nobody can refuse the question, and one player could keep it open for ever, so a new
proposal takes its place. Pure decisions.
"""

from __future__ import annotations

from bot.core.match.clocks import HOUR
from bot.core.match.loaded_match import LoadedMatch
from bot.core.values.ids import UserId
from bot.service.rules.decisions import Change, others
from bot.service.rules.proposal_kinds import voters
from bot.service.rules.proposals import open_already, open_proposal
from bot.service.rules.refusals import Closed, NotYours, expect_live, expect_seat


def aborting(seated: LoadedMatch, user: UserId, manager: bool, now: int) -> Change:
    """A live match is aborted, unrated, once everybody who still plays has asked for it, or by a manager of the server
    who does not play in it. The others are told of it once an hour at most, however often somebody asks."""
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
    player = seated.row.player(user)
    lately = player is not None and player.wished is not None and 0 <= now - player.wished < HOUR
    if lately or seated.asks_to_abort(user):
        return Change(players={user: {"consent": True}})
    return Change(players={user: {"consent": True, "wished": now}}, tell=asked)


def asked_to_abort(seated: LoadedMatch, user: UserId) -> tuple[UserId, ...]:
    """The others who would have to agree before a match is aborted."""
    return tuple(player.user for player in voters(seated) if not player.consent and player.user != user)


def playing_on(seated: LoadedMatch, user: UserId) -> Change:
    """Somebody who asked to abort a match withdraws that."""
    expect_seat(seated, user)
    if not seated.asks_to_abort(user):
        raise Closed("You are no longer asking to call the match off. It goes on.")
    return Change(players={user: {"consent": False}})
