"""How few segments the offence of Cross, Don't Cross can be held to, after chords of some kinds.

All that the offence can do is looked at, a segment deeper each time. Drawings that are the same, or mirror images where
the chords are, count once: what matters is which segments are there, and whether the next one must cross.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator

from cogs.cross_dont_cross.crossings import PRIME, Drawing, Pair, Point, format_line, format_pair

KINDS: dict[str, dict[int, tuple[Pair, ...]]] = {
    "parallel": {2: ((60, 300), (120, 240)), 3: ((45, 315), (90, 270), (135, 225))},
    "through the centre": {2: ((0, 180), (90, 270)), 3: ((0, 180), (60, 240), (120, 300))},
    "sides of a polygon": {
        2: ((60, 300), (120, 240)),
        3: ((0, 120), (120, 240), (0, 240)),
        4: ((0, 90), (90, 180), (180, 270), (0, 270)),
        5: ((0, 72), (72, 144), (144, 216), (216, 288), (0, 288)),
    },
}
"""Chords by their kind and number; two sides of a polygon are taken as those of a rectangle."""
MIRRORS = ((1, 1), (-1, 1), (1, -1), (-1, -1))


def opened(chords: tuple[Pair, ...]) -> Drawing:
    """The drawing after some chords."""
    drawing = Drawing()
    for chord in chords:
        drawing = drawing.with_chord(chord)
    return drawing.begin_segments()


def alike(drawing: Drawing, mirrors: tuple[tuple[int, int], ...]) -> Hashable:
    """What drawings have in common that are the same or mirror images; points by their exact coordinates."""
    return min(
        tuple(sorted(tuple(sorted(seen(drawing.points[end], mirror) for end in line)) for line in drawing.segments))
        for mirror in mirrors
    )


def seen(point: Point, mirror: tuple[int, int]) -> tuple[int, int]:
    """A point in a mirror."""
    (x, y), (across, over) = point.residues, mirror
    return x * across % PRIME, y * over % PRIME


def symmetries(drawing: Drawing) -> tuple[tuple[int, int], ...]:
    """The mirrors in which the chords are the same."""
    chords = {frozenset(seen(drawing.points[end], (1, 1)) for end in line) for line in drawing.lines}
    return tuple(
        mirror
        for mirror in MIRRORS
        if {frozenset(seen(drawing.points[end], mirror) for end in line) for line in drawing.lines} == chords
    )


def fewest(chords: tuple[Pair, ...], most: int, drawings: int) -> Iterator[str]:
    """How many drawings there are after each number of segments, until one of them is the end or there are too many."""
    first = opened(chords)
    mirrors = symmetries(first)
    reached: dict[Hashable, Drawing] = {alike(first, mirrors): first}
    for number in range(most + 1):
        over = [one for one in reached.values() if not next(one.legal_segments(), None)]
        if over:
            yield f"{number}: over, with {' '.join(map(format_line, over[0].segments)) or 'nothing drawn'}"
            return
        yield f"{number}: {len(reached)} drawings, none of them over"
        if len(reached) > drawings:
            return
        after = (one.with_segment(segment) for one in reached.values() for segment in one.legal_segments())
        reached = {alike(one, mirrors): one for one in after}


def lines(most: int, drawings: int) -> Iterator[str]:
    """What is found for all kinds of chords."""
    for kind, by_number in KINDS.items():
        for number, chords in by_number.items():
            yield f"{number} chords, {kind}: {' '.join(map(format_pair, chords))}"
            yield from fewest(chords, most, drawings)
