"""What follows in a match when a player has left the server, or is back. Pure decisions.

The others are told once, however often a player leaves, and can go on without them: claim the match, name a substitute,
or call it off. A player who has left is notified of nothing. Their clock runs on, and so do their reminders, which are
skipped and find out when they are back.
"""

from __future__ import annotations

from collections.abc import Collection

from bot.core.match.loaded_match import LoadedMatch
from bot.core.values.ids import UserId
from bot.service.rules import claims
from bot.service.rules.decisions import Change
from bot.service.rules.refusals import Closed, expect_live

KNOWN = "That is known already. Nothing was changed."


def departing(seated: LoadedMatch, user: UserId, knowing: Collection[UserId] = ()) -> Change:
    """Mark a player as gone from the server, and notify the others, except those `knowing` it from another match."""
    expect_live(seated)
    player = seated.row.player(user)
    if player is None or player.gone or player.seat in seated.folded.withdrawn:
        raise Closed(KNOWN)
    first = {"parted": seated.row.version + 1} if player.parted is None else {}
    tell = tuple(one.user for one in claims.waiting(seated, (player,)) if one.user not in knowing) if first else ()
    return Change(players={user: {"gone": True, **first}}, tell=tell)


def returning(seated: LoadedMatch, user: UserId) -> Change:
    """Mark a player as back in the server."""
    expect_live(seated)
    player = seated.row.player(user)
    if player is None or not player.gone:
        raise Closed(KNOWN)
    return Change(players={user: {"gone": False}})
