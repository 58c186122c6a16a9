"""How the computer plays Plexus: it plays random ends of a match on bit boards, without text or lists of segments."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from functools import cache

from bot.games.mind import Measured, Mind, RandomSource, compute_leads
from cogs.plexus.rules import Plexus


class Edges:
    """Which dots of a board have a free one next to them on each side, all dots at once."""

    __slots__ = ("left", "right", "size")

    def __init__(self, size: int) -> None:
        whole = (1 << size * size) - 1
        first = sum(1 << row * size for row in range(size))
        self.size, self.left, self.right = size, whole & ~first, whole & ~(first << size - 1)

    def starts(self, sources: int, free: int) -> tuple[int, int, int, int]:
        """The sources with a free dot above, below, left and right of them."""
        size = self.size
        return (
            sources & free << size,
            sources & free >> size,
            sources & free << 1 & self.left,
            sources & free >> 1 & self.right,
        )

    def steps(self) -> tuple[int, int, int, int]:
        """How far the dot above, below, left and right of one is from it."""
        return -self.size, self.size, -1, 1


@cache
def edges_of(size: int) -> Edges:
    return Edges(size)


def roll_out(position: Plexus, rng: RandomSource) -> Sequence[int]:
    """The points after as many random segments as there are free dots."""
    board, scores = edges_of(position.size), list(position.scores())
    for winner in _play_out(position, board, rng):
        scores[winner] += 1
    return scores


def _play_out(position: Plexus, board: Edges, rng: RandomSource) -> Iterator[int]:
    # The places of the seats that score, one after the other, until no dot is free.
    ends, mids, free = position.endpoints, position.midpoints, position.free_dots
    kind, first, steps, draw = position.kind, position.first - 1, board.steps(), rng.random
    while free:
        sources = ends | mids if kind is None else ends if kind == "endpoint" else mids
        starts = board.starts(sources, free)
        start, end = _pick_segment(starts, steps, draw())
        opened = kind is None
        kind = "endpoint" if ends & start else "midpoint"
        ends, mids, free = ends & ~start | end, mids | start, free & ~end
        if opened and any(board.starts(ends if kind == "endpoint" else mids, free)):
            continue
        if opened:
            yield first
        first, kind = 1 - first, None


def _pick_segment(starts: tuple[int, ...], steps: tuple[int, ...], draw: float) -> tuple[int, int]:
    # One of all segments, by a number from 0 up to 1: the bit of the dot where it starts, and of that which it reaches.
    counts = [each.bit_count() for each in starts]
    at, side = int(draw * sum(counts)), 0
    while at >= counts[side]:
        at -= counts[side]
        side += 1
    dots = starts[side]
    for _ in range(at):
        dots &= dots - 1
    start, step = dots & -dots, steps[side]
    return start, start << step if step > 0 else start >> -step


def position_key(position: Plexus) -> Hashable:
    """The kinds of the dots, the seat to move and from which kind, and the lead; not the order of the segments."""
    return position.endpoints, position.midpoints, position.kind, position.first, compute_leads(position.scores())


def estimate_effort(position: Plexus) -> int:
    """A playout takes at most as many segments as dots are free."""
    return position.size**2


MIND: Mind[Plexus] = Mind(
    rollout=roll_out,
    key=position_key,
    effort=estimate_effort,
    measured=Measured(
        playouts=15_000,
        nodes=20_000,
        playout_effort=49,  # dots
        hastes=(0.71, 0.71, 0.64, 0.42),
        lost_by_lot=0.76,
    ),
)
