"""Assumptions of the computer in two games: which walk is the cheapest, and how many segments there will be."""

from __future__ import annotations

from random import Random

import pytest

from cogs.cross_dont_cross import GAME as CROSS
from cogs.cross_dont_cross.mind import Offence, count_segments, is_rarely_short
from cogs.cross_dont_cross.rules import CrossDontCross
from cogs.divisors_multiples_sequence import GAME as WALKS
from cogs.divisors_multiples_sequence.mind import list_candidates
from cogs.divisors_multiples_sequence.rules import MOST_STEPS, DivisorsMultiplesSequence, list_neighbours


def walking(r: int, plies: int, rng: Random) -> DivisorsMultiplesSequence:
    """A match after some moves worth a thought."""
    position = WALKS.start(WALKS.configure({"r": r}, 2), 2)
    for _ in range(plies):
        position = position.play(
            position.seat_to_move, rng.choice(list_candidates(position, position.seat_to_move, rng))
        )
    return position


def cheapest(position: DivisorsMultiplesSequence) -> dict[int, int]:
    """What the cheapest walk to each number costs, by prices that are lowered as long as any step lowers one."""
    claimed, prices = set(position.claimed_numbers), {position.here: 0}
    changed = True
    while changed:
        changed = False
        for one, price in list(prices.items()):
            for other in list_neighbours(one, position.r):
                step = max(one, other) // min(one, other) * (2 if other in claimed else 1)
                if price + step < prices.get(other, 10**9):
                    prices[other], changed = price + step, True
    return prices


@pytest.mark.parametrize(("r", "plies"), [(5, 0), (13, 0), (13, 5), (31, 12), (60, 0), (60, 30), (60, 57)])
def test_candidates_are_the_cheapest_walk_to_each_free_number(r: int, plies: int) -> None:
    position = walking(r, plies, Random(f"{r}:{plies}"))
    prices, seat = cheapest(position), position.seat_to_move
    moves = list_candidates(position, seat, Random(1))
    walks = [position.play(seat, move).walks[-1] for move in moves]
    assert sorted(walk.steps[-1] for walk in walks) == [
        it for it in range(1, r + 1) if it not in position.claimed_numbers
    ]
    assert all(walk.cost == prices[walk.steps[-1]] and len(walk.steps) <= MOST_STEPS for walk in walks)


def drawn(chords: int, step: int, rng: Random) -> CrossDontCross:
    """A circle with random chords on every so many degrees, before the first segment."""
    while True:
        position = CROSS.start(CROSS.configure({"chords": chords}, 2), 2)
        while position.round == 1 and position.is_chording:
            start, end = sorted((rng.randrange(0, 360, step), rng.randrange(0, 360, step)))
            if start != end and (start, end) not in position.current_drawing.chords:
                position = position.play(1, f"{start}-{end}")
        if position.round == 1:
            return position


@pytest.mark.parametrize(("chords", "step"), [(4, 1), (4, 30), (5, 1), (6, 20)])
def test_the_number_of_segments_is_known_from_the_chords(chords: int, step: int) -> None:
    """At every moment of a round, also where three chords meet in a point or share ends."""
    mind, rng = CROSS.mind, Random(chords * step)
    assert mind.rollout
    for _ in range(4):
        position = drawn(chords, step, rng)
        if not is_rarely_short(position.current_drawing.chords):
            continue
        told: set[int] = set()
        last = position
        while last.round == 1:
            told.add(mind.rollout(last, Random(1))[1])
            last = last.play(2, rng.choice(list(last.moves(2))))
        assert told == {last.scores()[1]}


def test_the_number_of_segments_of_chords_that_all_cross_is_the_greatest() -> None:
    for chords in range(4, 9):
        crossing = [(degree, degree + 180 - degree // 7) for degree in range(0, 20 * chords, 20)]
        assert count_segments(crossing, Random(1)) == (chords - 1) * (chords + 6)


@pytest.mark.parametrize("chords", [2, 3, 4])
def test_random_ends_in_floating_point_know_the_legal_segments(chords: int) -> None:
    rng = Random(chords)
    for step in (1, 30):
        position = drawn(chords, step, rng)
        assert position.current_drawing.crossings
        sketch, last = Offence.from_drawing(position.current_drawing.crossings), position
        while last.round == 1:
            crossing = last.current_drawing.must_cross
            legal = list(last.current_drawing.legal_segments())
            found = {sketch.choose_segment(crossing, (at + 0.5) / len(legal)) for at in range(len(legal))}
            assert found == set(legal)
            segment = rng.choice(legal)
            sketch.draw_segment(segment, crossing)
            last = last.play(2, f"{segment[0] + 1}-{segment[1] + 1}")
        crossing = len(last.drawings[0].segments) % 2 == 1
        assert sketch.choose_segment(crossing, 0.5) is None
