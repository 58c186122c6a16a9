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
from dataclasses import dataclass
from itertools import combinations

from bot.games.mind import Measured, Mind, RandomSource, compute_leads
from bot.games.position import Seat
from cogs.cross_dont_cross.crossings import (
    Crossings,
    Drawing,
    Line,
    Pair,
    chords_cross,
    format_pair,
    iter_bits,
    point_on_circle,
    points_beyond,
    points_on_straight,
)
from cogs.cross_dont_cross.rules import CrossDontCross, attacking_seat

# Plays random ends of a round for the computer, in floating point.


NEAR = 1e-11
"""Twice the area of a triangle that is taken for none."""


@dataclass(slots=True)
class Offence:
    """Points, drawn lines between them and the boards of `Crossings`, all of which grow."""

    points: list[tuple[float, float]]
    lines: list[Line]
    left: list[list[int]]
    some: list[int]
    more: list[int]
    along: list[int]

    @classmethod
    def from_drawing(cls, drawn: Crossings) -> Offence:
        boards = (list(board) for board in (drawn.some, drawn.more, drawn.along))
        left = [list(row) for row in drawn.left]
        return cls([point.near for point in drawn.points], list(drawn.lines), left, *boards)

    @classmethod
    def with_chords(cls, chords: Sequence[Pair]) -> Offence:
        """A circle on which only chords are drawn."""
        ends = {degree: place for place, degree in enumerate(dict.fromkeys(end for chord in chords for end in chord))}
        empty = cls([], [], [], [], [], [])
        for degree in ends:
            empty.add_point(point_on_circle(degree).near)
        lines = [(ends[start], ends[end]) for start, end in chords]
        crossing = [
            (one, other)
            for (one, chord), (other, another) in combinations(zip(lines, chords, strict=True), 2)
            if chords_cross(chord, another)
        ]
        for pair in crossing:
            x, y = empty.meeting_point(*pair)
            if all(abs(x - a) + abs(y - b) > NEAR for a, b in empty.points):
                empty.add_point((x, y))
        for line in lines:
            empty.add_line(line)
        return empty

    def play_out(self, crossing: bool, rng: RandomSource) -> int:
        """How many random segments are drawn until none is legal."""
        drawn = 0
        while segment := self.choose_segment(crossing, rng.random()):
            self.draw_segment(segment, crossing)
            crossing, drawn = not crossing, drawn + 1
        return drawn

    def choose_segment(self, crossing: bool, draw: float) -> Line | None:
        """One of the legal segments, by a number from 0 up to 1."""
        legal, total = list[int](), 0
        for point, (some, along) in enumerate(zip(self.some, self.along, strict=True)):
            # Only those with a greater number.
            board = some & ~self.more[point] & ~along if crossing else ~(some | along)
            board = (board & (1 << len(self.points)) - 1) >> point + 1
            legal.append(board)
            total += board.bit_count()
        at = int(draw * total)
        for point, board in enumerate(legal):
            if at < board.bit_count():
                for _ in range(at):
                    board &= board - 1
                return point, point + (board & -board).bit_length()
            at -= board.bit_count()
        return None

    def draw_segment(self, segment: Line, crossing: bool) -> None:
        """Draw a legal segment, with the point where it crosses a line if it must."""
        if crossing:
            a, b = segment
            met = next(line for line in self.lines if self.points_across(line, a) >> b & 1)
            self.add_point(self.meeting_point(segment, met))
        self.add_line(segment)

    def add_line(self, segment: Line) -> None:
        """A line more, with what it crosses and covers."""
        self.lines.append(segment)
        for point in range(len(self.points)):
            across = self.points_across(segment, point)
            self.more[point] |= self.some[point] & across
            self.some[point] |= across
        on = self.points_on(segment)
        for point in iter_bits(on):
            self.along[point] |= self.find_overlaps(segment, point, on)

    def meeting_point(self, one: Line, other: Line) -> tuple[float, float]:
        (ax, ay), (bx, by), (cx, cy), (dx, dy) = (self.points[at] for at in (*one, *other))
        ux, uy, vx, vy = bx - ax, by - ay, dx - cx, dy - cy
        t = ((cx - ax) * vy - (cy - ay) * vx) / (ux * vy - uy * vx)
        return ax + t * ux, ay + t * uy

    def add_point(self, new: tuple[float, float]) -> None:
        """A point more, with what segments to it would cross."""
        self._seen_from(new)
        at = len(self.points)
        self.points.append(new)
        some = more = along = 0
        for line in self.lines:
            across = self.points_across(line, at)
            more |= some & across
            some |= across
            a, b = line
            if not (self.left[a][b] | self.left[b][a]) >> at & 1:
                along |= self.find_overlaps(line, at, self.points_on(line))
        for board, row in (some, self.some), (more, self.more), (along, self.along):
            for point in iter_bits(board):
                row[point] |= 1 << at
            row.append(board)

    def _seen_from(self, new: tuple[float, float]) -> None:
        # On which side of every line through two points a new one lies.
        x, y = new
        at, left = len(self.points), self.left
        for row in left:
            row.append(0)
        left.append([0] * (at + 1))
        mine, bit = left[at], 1 << at
        for i, (ax, ay) in enumerate(self.points):
            dx, dy = x - ax, y - ay
            for j in range(i):
                bx, by = self.points[j]
                side = (bx - ax) * dy - (by - ay) * dx
                if side > NEAR:
                    p, q = i, j
                elif side < -NEAR:
                    p, q = j, i
                else:
                    continue
                left[p][q] |= bit
                left[q][at] |= 1 << p
                mine[p] |= 1 << q

    def points_across(self, line: Line, point: int) -> int:
        """The points to which a segment from this one crosses a line."""
        return points_beyond(self.left, line, point)

    def points_on(self, line: Line) -> int:
        """The points on the straight, of any length, that leads through a line's ends."""
        return points_on_straight(self.left, line)

    def find_overlaps(self, line: Line, point: int, on: int) -> int:
        """To which of the points on a line's straight a segment from one of them has more than a point in common with
        the line."""
        (ax, ay), (bx, by) = (self.points[end] for end in line)
        ux, uy = bx - ax, by - ay
        whole = ux * ux + uy * uy
        place = {
            each: ((self.points[each][0] - ax) * ux + (self.points[each][1] - ay) * uy) / whole
            for each in iter_bits(on)
        }
        here = place[point]
        if here < NEAR:
            return sum(1 << each for each, where in place.items() if where > NEAR)
        if here > 1 - NEAR:
            return sum(1 << each for each, where in place.items() if where < 1 - NEAR)
        return on & ~(1 << point)


MOST_CROSSING, OTHERS = 6, 6
"""How many of the candidate chords cross the most others, and how many are random."""
FEW = 3
"""Up to this number of chords a round may well be over early."""
WHOLE = 360
PLAYED_OUT = 500
"""The effort of a round that is played out; one that is counted takes the cube of its number of chords."""


def fresh_degrees(chords: Sequence[Pair], rng: RandomSource) -> list[int]:
    """A random degree near the middle of each arc between the ends of chords that has a free one, ascending."""
    ends = sorted({end for chord in chords for end in chord})
    if not ends:
        first = rng.randrange(WHOLE)
        return sorted((first, (first + 120 + rng.randrange(60)) % WHOLE))
    found: list[int] = []
    for end, after in zip(ends, (*ends[1:], ends[0] + WHOLE), strict=True):
        arc = after - end
        if arc > 1:
            spread = arc // 3
            found.append((end + (arc - spread) // 2 + rng.randrange(spread + 1)) % WHOLE)
    return sorted(set(found) - set(ends))


def chords_worth_trying(chords: Sequence[Pair], rng: RandomSource) -> list[Pair]:
    """The candidates for the next chord: some that cross most of the others, and some random ones."""
    pairs = list(combinations(fresh_degrees(chords, rng), 2))
    rng.shuffle(pairs)
    pairs.sort(key=lambda pair: -sum(chords_cross(pair, chord) for chord in chords))
    others = pairs[MOST_CROSSING:]
    return pairs[:MOST_CROSSING] + rng.sample(others, min(len(others), OTHERS))


def list_candidates(position: CrossDontCross, seat: Seat, rng: RandomSource) -> Sequence[str]:
    """Candidate chords; of segments, all that are legal."""
    if not position.is_chording:
        return list(position.moves(seat))
    return [format_pair(pair) for pair in chords_worth_trying(position.current_drawing.chords, rng)]


def roll_out(position: CrossDontCross, rng: RandomSource) -> Sequence[int]:
    """The scores after random chords and segments in this round and in all that follow."""
    scores, drawing = list(position.scores()), position.current_drawing
    chords = drawing.chords
    rounds = range(position.round, position.rounds + 1) if position.turn else ()
    for which in rounds:
        if drawing.crossings and which == position.round:
            scores[attacking_seat(which) - 1] += _count_segments_left(drawing, drawing.crossings, rng)
        else:
            while len(chords) < position.chords:
                chords = (*chords, rng.choice(chords_worth_trying(chords, rng)))
            scores[attacking_seat(which) - 1] += count_segments(chords, rng)
        chords = ()
    return scores


def _count_segments_left(drawing: Drawing, drawn: Crossings, rng: RandomSource) -> int:
    # How many segments are still to be drawn in a round.
    if not is_rarely_short(drawing.chords):
        return Offence.from_drawing(drawn).play_out(drawing.must_cross, rng)
    pieces = sum(_count_pieces(drawn, line) for line in drawn.lines)
    return 2 * (3 * len(drawn.points) - 3 - len(drawing.ends) - pieces) + drawing.must_cross


def _count_pieces(drawn: Crossings, line: Line) -> int:
    # Into how many pieces the points on a line cut it: those of its straight that lie between its ends.
    (ax, ay), (bx, by) = (drawn.points[end].near for end in line)
    others = (drawn.points[at].near for at in iter_bits(drawn.points_on(line)))
    return 1 + sum((x - ax) * (bx - x) + (y - ay) * (by - y) > NEAR for x, y in others)


def count_segments(chords: Sequence[Pair], rng: RandomSource) -> int:
    """How many segments there are after chords no three of which meet in a point.

    >>> from random import Random
    >>> count_segments(((0, 180), (10, 190), (20, 200), (30, 210)), Random(1))
    30
    """
    if not is_rarely_short(chords):
        return Offence.with_chords(chords).play_out(False, rng)
    crossed = sum(chords_cross(one, other) for one, other in combinations(chords, 2))
    ends = len({end for chord in chords for end in chord})
    return 2 * (2 * ends + crossed - 3 - len(chords))


def is_rarely_short(chords: Sequence[Pair]) -> bool:
    """Whether a round is hardly ever over early after these chords."""
    return len(chords) > FEW and any(chords_cross(one, other) for one, other in combinations(chords, 2))


def position_key(position: CrossDontCross) -> Hashable:
    """The round, what is drawn in it, and who leads by how much; not how the rounds before went."""
    return position.round, position.current_drawing, compute_leads(position.scores())


def estimate_effort(position: CrossDontCross) -> int:
    """Each round that is left takes as long as its points and lines are many, and longer where it is played out."""
    each = position.chords**3 if position.chords > FEW else PLAYED_OUT
    return (position.rounds - position.round + 1) * each


MIND: Mind[CrossDontCross] = Mind(
    rollout=roll_out,
    key=position_key,
    candidates=list_candidates,
    lowest_wins=True,
    solvable=False,
    effort=estimate_effort,
    measured=Measured(
        playouts=2_400,
        nodes=0,
        playout_effort=150,  # the cubes of the chords of all rounds left
    ),
)
