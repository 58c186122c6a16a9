"""How the computer plays the two games with secrets: legal moves, the same again, from what its seat may see."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from bot.engine.levels import find_highest_level, make_budget
from bot.games.catalogue import load_games
from bot.games.mind import Budget
from bot.games.position import Position
from cogs.sums_grid.mind import KNOWN
from cogs.sums_grid.rules import PAR, Grid, SumsGrid, find_reach
from cogs.within_the_curve.mind import Filling
from cogs.within_the_curve.rules import WithinTheCurve
from cogs.within_the_curve.sheet import CurveSheet
from tests.support.sampled import sampled

SECRET = [("sums-grid", 3), ("within-the-curve", 7)]
"""Games with secrets, and sizes of theirs."""
LITTLE = Budget(playouts=4, nodes=0)


def begun(key: str, seats: int = 2, **options: object) -> Position:
    game = load_games()[key]
    return game.start(game.configure(options, seats), seats)


def chosen(key: str, position: Position, seat: int, allowed: Budget = LITTLE, seed: str = "") -> str:
    ponder = load_games()[key].mind.ponder
    assert ponder
    return ponder(position.seen_by(seat), seat, allowed, Random(f"{seed}:{position}:{seat}"))


def played(key: str, position: Position, allowed: Budget = LITTLE, seed: str = "") -> Position:
    """The end of a match of computers."""
    while position.turn:
        seat = position.turn[-1]
        position = position.play(seat, chosen(key, position, seat, allowed, seed))
    return position


@sampled(("size", "seats"), [(6, 1), (7, 1), (10, 1), (13, 1), (16, 1), (6, 3), (10, 3), (6, 6)], few=2)
def test_it_plays_within_curves_of_every_size_to_the_end(size: int, seats: int) -> None:
    end = played("within-the-curve", begun("within-the-curve", seats, size=size), seed=str(size))
    assert min(end.scores()) > seats * (size - 4)


@pytest.mark.parametrize("size", range(2, 6))
@pytest.mark.parametrize("diagonals", ["no", "yes"])
def test_it_finds_a_grid_of_every_size(size: int, diagonals: str) -> None:
    end = played("sums-grid", begun("sums-grid", 3, size=size, diagonals=diagonals))
    assert min(end.scores()) > 0


@pytest.mark.parametrize(("key", "size"), SECRET)
def test_the_same_question_has_the_same_answer(key: str, size: int) -> None:
    first, again = (played(key, begun(key, size=size), Budget(playouts=16, nodes=0)) for _ in range(2))
    assert first == again
    assert played(key, begun(key, size=size), Budget(playouts=16, nodes=0), "other lots") != first


@pytest.mark.parametrize(("key", "size"), SECRET)
def test_it_looks_at_nothing_but_its_own(key: str, size: int) -> None:
    # Seat 2's sheets are another match's; what seat 1 plays from the whole truth is what it plays from its own view.
    game, position, ply = load_games()[key], begun(key, size=size), 0
    while 1 in position.turn:
        others = played(key, begun(key, size=size), seed=str(ply))
        assert isinstance(others, (SumsGrid, WithinTheCurve)) and isinstance(position, (SumsGrid, WithinTheCurve))
        altered = replace(position, sheets=(position.sheets[0], others.sheets[1]))  # pyright: ignore[reportArgumentType]
        moves = {
            game.mind.ponder(each, 1, LITTLE, Random(ply)) if game.mind.ponder else ""
            for each in (position, altered, position.seen_by(1), altered.seen_by(1))
        }
        assert len(moves) == 1
        position = position.play(1, moves.pop())
        ply += 1
        if isinstance(position, WithinTheCurve) and position.is_drawing:
            position = position.play(2, chosen(key, position, 2))


@pytest.mark.parametrize(("size", "most"), sorted(PAR.items()))
def test_the_known_grids_reach_what_is_said_of_them(size: int, most: int) -> None:
    grid = Grid(KNOWN[size, False])
    assert len(set(grid.numbers)) == size**2
    assert find_reach(grid) == most


def test_the_highest_level_remembers_the_known_grids() -> None:
    game, position = load_games()["sums-grid"], begun("sums-grid", 2, size=5)
    allowed = make_budget(game, position, find_highest_level(game, position))
    assert played("sums-grid", position, allowed).scores() == (95, 95)


def test_small_puzzles_have_fewer_levels() -> None:
    tops = {
        (key, size): find_highest_level(load_games()[key], begun(key, size=size))
        for key, size in (("sums-grid", 2), ("sums-grid", 3), ("within-the-curve", 6), ("within-the-curve", 12))
    }
    assert tops == {("sums-grid", 2): 3, ("sums-grid", 3): 6, ("within-the-curve", 6): 4, ("within-the-curve", 12): 6}


def test_a_high_level_fills_nearly_all_of_a_border_of_twelve() -> None:
    empty, budget = begun("within-the-curve", 1, size=12), Budget(playouts=1024, nodes=0)
    filled = [played("within-the-curve", empty, budget, str(seed)).scores()[0] for seed in range(1, 5)]
    assert sum(filled) / len(filled) >= 85, filled


def test_a_filling_goes_on_from_what_stands() -> None:
    position = begun("within-the-curve", 1, size=12)
    assert isinstance(position, WithinTheCurve)
    for move in ("curve a1 l1 l12 a12", "number 1 a1 cw"):
        position = position.play(1, move)
    curve = position.curves[0]
    assert curve
    whole = Filling(curve, CurveSheet(curve.path[0]), Random(1)).run(2000)
    sheet = CurveSheet(curve.path[0]).with_numbers(curve, whole[:20])
    rest = Filling(curve, sheet, Random(2)).run(2000)
    assert rest and not set(rest) & set(whole[:20])
    assert len(sheet.with_numbers(curve, rest).filled) == 20 + len(rest)
