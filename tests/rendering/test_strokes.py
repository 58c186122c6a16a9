"""Tiles: together they cover whatever a stroke of any weight covers, and no more than they must."""

from __future__ import annotations

import math

import pytest

from rendering.painter.brushes import cover_with_tiles, sample_path

SIDE = 48
WAYS = (((0.0, 0.0), (400.0, 0.0)), ((0.0, 0.0), (0.0, 300.0), (300.0, 300.0)), ((10.0, 5.0), (333.0, 217.0)))


def covered(found: list[tuple[int, int, int, int]], x: float, y: float) -> bool:
    return any(left <= x < left + wide and top <= y < top + high for left, top, wide, high in found)


@pytest.mark.parametrize("reach", [2.0, 20.0, 40.0, 90.0])
@pytest.mark.parametrize("way", WAYS)
def test_a_stroke_lies_on_its_tiles_however_wide_it_is(way: tuple[tuple[float, float], ...], reach: float) -> None:
    found = cover_with_tiles(sample_path(way), reach, SIDE)
    around = [(math.cos(turn / 8 * math.pi), math.sin(turn / 8 * math.pi)) for turn in range(16)]
    for x, y in sample_path(way):
        for share in (0, 0.25, 0.5, 0.75, 1):
            spots = [(x + dx * share * reach, y + dy * share * reach) for dx, dy in around]
            assert all(covered(found, *spot) for spot in spots), (x, y, share)


def test_a_thin_diagonal_stroke_takes_few_tiles() -> None:
    found = cover_with_tiles(sample_path(((0.0, 0.0), (640.0, 640.0))), 3, SIDE)
    assert len(found) < 20
    # The square about it is more than ten times as large.
    assert sum(wide * high for _, _, wide, high in found) < 640 * 640 / 10


def test_a_level_stroke_takes_long_tiles() -> None:
    found = cover_with_tiles(sample_path(((0.0, 0.0), (640.0, 0.0))), 3, SIDE)
    assert len(found) < 4 and all(high < 10 for _, _, _, high in found)
