"""Names the moves of a match as its board does: "move 7", "round 2, move 5", of two legs "leg 2, move 4".

>>> from bot.core.library.catalogue import games
>>> match = Match.start(games()["binary-scramble"], {"length": 4}, 2)
>>> for seat, move in ((1, "0"), (2, "1"), (1, "0"), (2, "0"), (1, "2")):
...     match = match.play(seat, move)
>>> names(match)
['move 1', 'move 2', 'move 3', 'move 4', 'flip 1']
>>> latest(match), own(match)
('flip 1', 'flip 1')
"""

from __future__ import annotations

from collections import Counter

from bot.core.game.legs import LegMove, Legs
from bot.core.game.position import MOVE, Position
from bot.core.match.match import Match
from bot.core.match.record import Move

PLAIN = MOVE.partition("{")[0]
IN_LEG = "leg {leg}, {move}"


def names(match: Match) -> list[str]:
    """The names of all moves that stand, in their order."""
    now, made, found = Match.start(match.game, match.options.record(), match.seats), Counter[str](), list[str]()
    for line in match.standing:
        if isinstance(line, Move):
            naming = _naming(now.position, line)
            made[naming] += 1
            found.append(naming.format(number=made[naming]))
        now = now.enter(*line)
    return found


def latest(match: Match) -> str:
    """The name of the last move that stands; empty before any."""
    return next(reversed(names(match)), "")


def own(match: Match) -> str:
    """The same where the board counts otherwise than from the first move to the last; empty elsewhere."""
    name = latest(match)
    return "" if name.startswith(PLAIN) else name


def capital(name: str) -> str:
    """A name as a sentence begins with it.

    >>> capital("round 2, move 5")
    'Round 2, move 5'
    """
    return name[:1].upper() + name[1:]


def _naming(position: Position, line: Move) -> str:
    if not isinstance(position, Legs):
        return position.naming
    leg = LegMove.parse(line.text).leg
    return IN_LEG.format(leg=leg, move=position.leg(leg).naming) if leg else position.naming
