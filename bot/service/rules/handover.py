"""A seat passes on to another person: who of those in the match need not agree to that, and what it changes.

The new person has what the seat has: its moves, its secrets, its turn, with the whole time for it. The match counts for
nobody from then on, since two people have played one result.
"""

from __future__ import annotations

from bot.core.match.clocks import STILL, Pace
from bot.core.match.handover import Handing, handings, written
from bot.core.match.loaded_match import Seated
from bot.core.match.proposal import Proposal
from bot.core.match.stored import Player
from bot.core.values.computer_users import is_person
from bot.core.values.ids import UserId
from bot.service.rules.decisions import Change


def excused(wish: Proposal | None, player: Player) -> bool:
    """Whether somebody need not agree to being replaced: their time has run out, or they have left the server."""
    if wish is None or wish.kind != "replace" or player.seat != wish.of:
        return False
    return wish.absent or player.lapse is not None


def handed_on(seated: Seated, wish: Proposal, user: UserId) -> Change:
    """The seat passes on with the word of a user, who was the last to agree; the others are told, both people too."""
    assert wish.of is not None and wish.person is not None
    row, old, new, version = seated.row, seated.user_at(wish.of), wish.person, seated.row.version + 1
    handing = Handing(wish.of, old, row.plies, 0 if old == user else version, row.rated)
    first, player = Pace.parse(row.pace).first, row.player(old)
    whole = {**STILL, "allotted": first, "left": first, "reminded": 0, "gifts": 0}
    clock = {} if player is None or player.left is None else whole
    fresh = {"consent": False, "wished": None, "agrees": False, "due": 0 if new == user else version}
    left = seated.folded.withdrawn
    others = (one.user for one in row.players if one.seat not in left and is_person(one.user))
    return Change(
        {"rated": False, "handed": written((*handings(row.handed), handing))},
        {old: {**fresh, **clock}},
        tell=tuple(one for one in others if one not in (old, user)),
        hands=(old, new),
    )
