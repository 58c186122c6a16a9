"""Somebody is to take over a seat of a match that is played: who can be asked, and what comes of it.

Everybody still in the match has to agree, and the new person; whoever is replaced too, unless their time has run out or
they have left the server. The new person is no player yet: they are asked in the wish, and told by the board.
"""

from __future__ import annotations

from bot.core.match.handover import handings
from bot.core.match.loaded_match import Refusal, Seated, person
from bot.core.match.proposal import Proposal
from bot.core.values.computer_users import is_computer
from bot.core.values.ids import UserId
from bot.core.values.seats import Seat
from bot.service.rules.decisions import Change
from bot.service.rules.pending import player_of, still_in, wish_of
from bot.service.rules.proposals import agreeing, expect_patience, open_already, refusals
from bot.service.rules.refusals import Closed


def replacing(seated: Seated, user: UserId, of: Seat, new: UserId, now: int, absent: bool = False) -> Change:
    """Somebody asks all others, and the person who is to come in, that this one takes over a seat; or agrees to just
    that. `absent`: whoever has the seat has left the server."""
    seat, wish = player_of(seated, user), wish_of(seated)
    expect_place(seated, of)
    expect_newcomer(seated, of, new)
    if wish and (wish.of, wish.person) == (of, new) and wish.seat != seat:
        return agreeing(seated, user, now)
    if wish:
        raise Closed(open_already(seated, wish, user))
    wish = Proposal("replace", seat, of, new, due=seated.row.version + 1, absent=absent)
    expect_patience(seated, wish, now)
    agrees = {player.user: {"agrees": player.user == user} for player in seated.row.players}
    asked = tuple(player.user for player in still_in(seated) if player.user != user)
    tell = () if thought_again(seated, seat, now) else asked
    return Change({"proposal": str(wish), "proposed": now}, agrees, tell=tell, asks=(user, new))


def thought_again(seated: Seated, seat: Seat, now: int) -> bool:
    """Whether a seat has withdrawn such a wish lately. The others were told of that one, and read the next on the
    board: with a new name each time their phones could be made to ring without end."""
    return any(one.taken_back and (one.wish.kind, one.wish.seat) == ("replace", seat) for one in refusals(seated, now))


def expect_place(seated: Seated, of: Seat) -> None:
    """Refuse a seat that nobody can take over."""
    seats = seated.folded.seats
    if seats == 1:
        raise Refusal("You play this match alone: a seat passes on only where others wait for it.")
    if not 1 <= of <= seats:
        raise Refusal(f"This match has the seats 1 to {seats}: name one of them.")
    if is_computer(seated.user_at(of)):
        raise Refusal("The computer keeps its seat: only people hand theirs on, and only to people.")
    if of in seated.folded.withdrawn:
        left = f"{person(seated.user_at(of))} has left this match"
        raise Closed(f"{left}: a seat that somebody has left stays empty, nobody can take it over.")


def expect_newcomer(seated: Seated, of: Seat, new: UserId) -> None:
    """Refuse somebody who cannot come in: they are in the match, or know what another seat of it holds."""
    who = person(new)
    if new == seated.user_at(of):
        raise Refusal(f"{who} has that seat already: name somebody who is to take it over.")
    if seated.has(new):
        raise Refusal(f"{who} is in this match already: name somebody who is not.")
    if any(one.user == new and one.seat != of for one in handings(seated.row.handed)):
        raise Refusal(f"{who} has played another seat of this match: only that one could be theirs again.")
