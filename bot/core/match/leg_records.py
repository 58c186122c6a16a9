"""The records of a match, as `replay` reads them: one, or for a match in two legs one a leg, in the leg's own seats.

Moves that were taken back are left out of a leg's record: one of them may have ended the leg, and no record of the leg
alone could tell that.

>>> from bot.core.library.catalogue import games
>>> from bot.core.game.two_legs import in_legs
>>> start = Match.start(in_legs(games()["binary-primes"]), {"size": 3}, 2)
>>> match = start.play(1, "1: a1").play(2, "2: c3").play(2, "1: b2")
>>> [(record["leg"], record["moves"]) for record in records(match)]
[(1, [[1, 'a1'], [2, 'b2']]), (2, [[1, 'c3']])]
"""

from __future__ import annotations

from typing import Any

from bot.core.game.legs import LEGS, LegMove, seat_in
from bot.core.match.match import Match
from bot.core.match.record import Move


def records(match: Match) -> tuple[dict[str, Any], ...]:
    """The records of a match."""
    if match.game.once is None:
        return (match.to_json(),)
    return tuple({"leg": leg, **one.to_json()} for leg, one in zip(LEGS, split(match), strict=True))


def split(match: Match) -> tuple[Match, Match]:
    """Both legs, each as a match of its own."""
    assert match.game.once
    legs = [Match.start(match.game.once, match.options.record(), 2) for _ in LEGS]
    for line in (*match.standing, *(match.record[-1:] if match.agreed else ())):
        for at, leg in enumerate(LEGS):
            if isinstance(line, Move):
                said = LegMove.parse(line.text)
                if said.leg == leg:
                    legs[at] = legs[at].play(seat_in(leg, line.seat), said.move)
            elif not legs[at].finished:
                # Who leaves, or agrees to a draw, does so in what is still played.
                legs[at] = legs[at].enter(seat_in(leg, line.seat), line.text)
    return legs[0], legs[1]
