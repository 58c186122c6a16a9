"""How the computer plays Cross, Don't Cross: it draws chords with new ends, and as offence looks for an early end.

The chords settle how many segments there will be, unless a segment that must cross one has none to cross. Let V be the
points, A of them on the circle, L the pieces into which the points cut the lines. With the A arcs there are
L + A - V + 1 faces, all of them convex, whose corners are 2·L + A together. Let S be the corners less 3, summed over
all faces. A segment that crosses none cuts a face in two, and takes 1 from S. It can be drawn while S is above -A: then
all faces are triangles but the A that have only two corners, an arc and what was drawn along it. A segment that crosses
one makes a point, which gives two faces a corner each, and cuts both: S stays. So there are 2·(S + A) segments, that is
2·(3·V - 3 - A - L).

Chords that cross most others are looked at first for that. Early ends come with few chords, or with chords that do not
cross: only such rounds are played out, in floating point.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from itertools import combinations

from bot.core.game.mind import Lots, Mind
from bot.core.game.playouts import ahead
from bot.core.values.seats import Seat
from cogs.cross_dont_cross.crossings import Crossings, Line, bits
from cogs.cross_dont_cross.drawing import Drawing, Pair, chords_cross, written
from cogs.cross_dont_cross.offence import NEAR, Offence
from cogs.cross_dont_cross.rules import CrossDontCross, offence

MOST_CROSSING, OTHERS = 6, 6
"""How many chords are worth a thought that cross most, and how many others."""
FEW = 3
"""After so many chords a round may well be over early."""
WHOLE = 360
PLAYED_OUT = 500
"""What a round that is played out takes, beside the cube of its chords for one that is counted."""


def fresh(chords: Sequence[Pair], lots: Lots) -> list[int]:
    """A degree somewhere in the middle of each arc between the ends of chords that has room for one, ascending."""
    ends = sorted({end for chord in chords for end in chord})
    if not ends:
        first = lots.randrange(WHOLE)
        return sorted((first, (first + 120 + lots.randrange(60)) % WHOLE))
    found: list[int] = []
    for end, after in zip(ends, (*ends[1:], ends[0] + WHOLE), strict=True):
        arc = after - end
        if arc > 1:
            spread = arc // 3
            found.append((end + (arc - spread) // 2 + lots.randrange(spread + 1)) % WHOLE)
    return sorted(set(found) - set(ends))


def worth(chords: Sequence[Pair], lots: Lots) -> list[Pair]:
    """The chords worth a thought after others: some that cross most of them, and some others."""
    pairs = list(combinations(fresh(chords, lots), 2))
    lots.shuffle(pairs)
    pairs.sort(key=lambda pair: -sum(chords_cross(pair, chord) for chord in chords))
    others = pairs[MOST_CROSSING:]
    return pairs[:MOST_CROSSING] + lots.sample(others, min(len(others), OTHERS))


def candidates(position: CrossDontCross, seat: Seat, lots: Lots) -> Sequence[str]:
    """Chords worth a thought; of segments, all that are legal."""
    if not position.chording:
        return list(position.moves(seat))
    return [written(pair) for pair in worth(position.drawing.chords, lots)]


def rollout(position: CrossDontCross, lots: Lots) -> Sequence[int]:
    """The scores after random chords and segments in this round and in all that follow."""
    scores, drawing = list(position.scores()), position.drawing
    chords = drawing.chords
    rounds = range(position.round, position.rounds + 1) if position.turn else ()
    for which in rounds:
        if drawing.crossings and which == position.round:
            scores[offence(which) - 1] += _left(drawing, drawing.crossings, lots)
        else:
            while len(chords) < position.chords:
                chords = (*chords, lots.choice(worth(chords, lots)))
            scores[offence(which) - 1] += segments(chords, lots)
        chords = ()
    return scores


def _left(drawing: Drawing, drawn: Crossings, lots: Lots) -> int:
    # How many segments are still to be drawn in a round.
    if not settled(drawing.chords):
        return Offence.of(drawn).played(drawing.must_cross, lots)
    pieces = sum(_pieces(drawn, line) for line in drawn.lines)
    return 2 * (3 * len(drawn.points) - 3 - len(drawing.ends) - pieces) + drawing.must_cross


def _pieces(drawn: Crossings, line: Line) -> int:
    # Into how many pieces the points on a line cut it: those of its straight that lie between its ends.
    (ax, ay), (bx, by) = (drawn.points[end].near for end in line)
    others = (drawn.points[at].near for at in bits(drawn.on(line)))
    return 1 + sum((x - ax) * (bx - x) + (y - ay) * (by - y) > NEAR for x, y in others)


def segments(chords: Sequence[Pair], lots: Lots) -> int:
    """How many segments there are after chords no three of which meet in a point.

    >>> from random import Random
    >>> segments(((0, 180), (10, 190), (20, 200), (30, 210)), Random(1))
    30
    """
    if not settled(chords):
        return Offence.chorded(chords).played(False, lots)
    crossed = sum(chords_cross(one, other) for one, other in combinations(chords, 2))
    ends = len({end for chord in chords for end in chord})
    return 2 * (2 * ends + crossed - 3 - len(chords))


def settled(chords: Sequence[Pair]) -> bool:
    """Whether a round is hardly ever over early after these chords."""
    return len(chords) > FEW and any(chords_cross(one, other) for one, other in combinations(chords, 2))


def key(position: CrossDontCross) -> Hashable:
    """The round, what is drawn in it, and who leads by how much; not how the rounds before went."""
    return position.round, position.drawing, ahead(position.scores())


def effort(position: CrossDontCross) -> int:
    """Each round that is left takes as long as its points and lines are many, and longer where it is played out."""
    each = position.chords**3 if position.chords > FEW else PLAYED_OUT
    return (position.rounds - position.round + 1) * each


MIND: Mind[CrossDontCross] = Mind(
    rollout=rollout, key=key, candidates=candidates, lowest_wins=True, solvable=False, effort=effort
)
