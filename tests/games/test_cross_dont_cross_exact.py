"""The exact answers of Cross, Don't Cross: held against algebra, against Ceva's theorem, and with too few bits."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator
from decimal import localcontext

import pytest

from bot.play.match import Match
from cogs.cross_dont_cross import GAME, crossings
from cogs.cross_dont_cross.crossings import (
    PRIME,
    ROOT,
    Point,
    compare_clockwise,
    cross_segments,
    find_sign,
    point_on_circle,
    turn_form,
)
from tests.games.referees.cross_dont_cross import CIRCLE
from tests.support.sampled import sampled

WIDTH, DEGREE = 720, 192
CYCLOTOMIC = {192: 1, 168: 1, 120: -1, 96: -1, 72: -1, 24: 1, 0: 1}
"""The 720th cyclotomic polynomial: the 30th, x^8 + x^7 - x^5 - x^4 - x^3 + x + 1, of x^24."""


def sines_vanish(terms: dict[int, int]) -> bool:
    """Whether a sum of whole multiples of sines of half degrees is zero, by algebra: as 2i times it is a polynomial in
    a 720th root of unity, and zero when the cyclotomic polynomial divides that."""
    polynomial = [0] * WIDTH
    for half_degrees, count in terms.items():
        polynomial[half_degrees % WIDTH] += count
        polynomial[-half_degrees % WIDTH] -= count
    for power in range(WIDTH - 1, DEGREE - 1, -1):
        head = polynomial[power]
        for each, count in CYCLOTOMIC.items():
            polynomial[power - DEGREE + each] -= head * count
    return not any(polynomial)


def concurrent(ends: list[int]) -> bool:
    """Whether the three long diagonals of a hexagon in the circle meet in a point: by Ceva's theorem, when the sines of
    half its odd arcs have the same product as those of its even ones."""
    arcs = [b - a for a, b in zip(ends, [*ends[1:], ends[0] + 360], strict=True)]
    terms: dict[int, int] = {}
    for (a, b, c), side in ((arcs[::2], 1), (arcs[1::2], -1)):
        # 4 sin a sin b sin c as a sum of sines.
        for half_degrees, count in ((a + b - c, 1), (a - b + c, 1), (b + c - a, 1), (a + b + c, -1)):
            terms[half_degrees] = terms.get(half_degrees, 0) + side * count
    return sines_vanish(terms)


def meet(ends: list[int]) -> bool:
    a, b, c, d, e, f = map(point_on_circle, ends)
    return find_sign(turn_form, cross_segments(a, d, b, e), c, f) == 0


def test_the_modulus_is_a_prime_with_a_root_of_unity() -> None:
    from sympy.ntheory import isprime

    assert isprime(PRIME) and PRIME % 360 == 1
    assert [pow(ROOT, 360 // factor, PRIME) == 1 for factor in (1, 2, 3, 5)] == [True, False, False, False]


@pytest.mark.parametrize("bits", [8, 256, 1000])
def test_degrees_lie_where_they_should(bits: int) -> None:
    with localcontext() as context:
        context.prec = 400
        for place, spot in zip(crossings.degree_places(bits), CIRCLE, strict=True):
            for found, wanted in zip(place.pair, spot, strict=True):
                assert abs(found - wanted * 2**bits) <= place.error


def test_algebra_itself_knows_the_sines() -> None:
    assert sines_vanish({60: 2, 180: -1}) and sines_vanish({36: 2, 108: -2, 60: 2})
    assert not sines_vanish({60: 2, 180: -1, 1: 1}) and not sines_vanish({36: 2, 108: -2, 59: 2})


@pytest.mark.parametrize("step", [30, 20, 12, 10, 1])
def test_three_chords_meet_exactly_when_algebra_says_so(step: int) -> None:
    rng, found = random.Random(step), 0
    for _ in range(60):
        ends = sorted(rng.sample(range(0, 360, step), 6))
        assert meet(ends) == concurrent(ends), ends
        found += meet(ends)
    assert found or step < 30


@pytest.mark.parametrize("ends", [[0, 20, 40, 80, 140, 280], [0, 10, 20, 70, 130, 260], [7, 8, 100, 187, 188, 280]])
def test_three_chords_that_meet(ends: list[int]) -> None:
    assert concurrent(ends) and meet(ends)


def test_three_chords_that_nearly_meet() -> None:
    ends = [0, 15, 32, 37, 41, 170]
    assert not concurrent(ends) and not meet(ends)
    a, b, c, d, e, f = map(point_on_circle, ends)
    triangle = [
        point.near for point in (cross_segments(a, d, b, e), cross_segments(a, d, c, f), cross_segments(b, e, c, f))
    ]
    sides = [math.dist(triangle[i], triangle[i - 1]) for i in range(3)]
    assert 5e-11 < min(sides) < 6e-11 and max(sides) < 4e-10


def test_the_order_about_the_centre() -> None:
    ordered = [crossings.circle_centre(), *(point_on_circle(degree) for degree in range(360))]
    shuffled = random.Random(1).sample(ordered, 361)
    for point in shuffled[:20]:
        later = [other for other in ordered if compare_clockwise(point, other) < 0]
        assert later == ordered[ordered.index(point) + 1 :]


def nested(ends: tuple[int, ...], depth: int) -> Iterator[list[Point]]:
    """A pentagon in the circle, the one that its diagonals bound, the one within that, and so on."""
    corners = [point_on_circle(degree) for degree in ends]
    for _ in range(depth):
        yield corners
        turned = [corners[place:] + corners[:place] for place in range(5)]
        corners = [cross_segments(a, c, b, e) for a, b, c, _, e in turned]
    yield corners


# With places so rough and a filter so wide that every answer takes all three steps.


@pytest.fixture
def rough(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[int]]:
    """The bits with which points were found anew."""
    asked: list[int] = []
    located = crossings.locate

    def noted(point: Point, bits: int) -> crossings.ExactPlace:
        asked.append(bits)
        return located(point, bits)

    monkeypatch.setattr(crossings, "BITS", 16)
    monkeypatch.setattr(crossings, "RIGHT", 6)
    monkeypatch.setattr(crossings, "FILTER", 8.0)
    monkeypatch.setattr(crossings, "FILTER", 8.0)
    monkeypatch.setattr(crossings, "locate", noted)
    monkeypatch.setattr(crossings, "_ON_CIRCLE", {})
    crossings.circle_centre.cache_clear()
    yield asked
    crossings.circle_centre.cache_clear()


def played(seed: int) -> list[tuple[str, list[str]]]:
    """The legal segments at every ply of a round with four chords, two of which nearly meet on a third."""
    rng = random.Random(seed)
    match = Match.start(GAME, {"chords": 4}, 2)
    for chord in ("0-37", "15-41", "32-170", f"{rng.randrange(42, 160)}-{rng.randrange(180, 350)}"):
        match = match.play(1, chord)
    told: list[tuple[str, list[str]]] = []
    while match.position.round == 1:
        moves = list(match.position.moves(2))
        told.append((str(match.position), moves))
        match = match.play(2, rng.choice(moves))
    return told


@pytest.fixture
def fine(seed: int) -> list[tuple[str, list[str]]]:
    """What is legal by as many bits as are usual."""
    return played(seed)


@sampled("seed", range(3))
def test_nothing_depends_on_how_many_bits_are_kept(
    seed: int, fine: list[tuple[str, list[str]]], rough: list[int]
) -> None:
    assert played(seed) == fine
    assert max(rough) > 32


@pytest.mark.parametrize("ends", [(0, 72, 144, 216, 288), (0, 40, 81, 200, 355), (10, 90, 95, 100, 300)])
def test_errors_are_never_greater_than_their_bounds(ends: tuple[int, ...]) -> None:
    for pentagon in nested(ends, 6):
        for point in pentagon:
            sharp = crossings.locate(point, 500)
            for bits in (16, 40, 100):
                blunt, shift = crossings.locate(point, bits), 500 - bits
                for fine, coarse in zip(sharp.pair, blunt.pair, strict=True):
                    assert abs(fine - (coarse << shift)) <= (blunt.error << shift) + sharp.error


def test_points_nested_deeply_lie_on_the_axes_of_their_pentagon() -> None:
    corners = (0, 72, 144, 216, 288)
    for depth, pentagon in enumerate(nested(corners, 12)):
        on_axes = [
            (degree, place)
            for degree in corners
            for place, point in enumerate(pentagon)
            if find_sign(
                turn_form, point_on_circle(degree), point_on_circle(degree + 180 - 360 * (degree > 179)), point
            )
            == 0
        ]
        assert len({degree for degree, _ in on_axes}) == len({place for _, place in on_axes}) == len(on_axes) == 5, (
            depth
        )


def test_two_threads_that_make_a_point_at_once_get_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(crossings, "_ON_CIRCLE", {})
    make, inner = crossings.degree_places, list[crossings.Point]()

    def meanwhile(bits: int) -> tuple[crossings.ExactPlace, ...]:
        if not inner:
            monkeypatch.setattr(crossings, "degree_places", make)
            inner.append(crossings.point_on_circle(77))
        return make(bits)

    monkeypatch.setattr(crossings, "degree_places", meanwhile)
    assert crossings.point_on_circle(77) is inner[0] is crossings.point_on_circle(77)
