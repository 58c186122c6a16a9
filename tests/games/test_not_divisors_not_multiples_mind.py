"""The mind of (Not)Divisors Or (Not)Multiples: near the end it knows the numbers that leave the next seat nothing."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from random import Random

import pytest

from bot.engine.levels import make_budget
from bot.engine.search import think
from bot.games.catalogue import load_games
from bot.games.grids import list_square_names
from bot.games.mind import Budget
from cogs.not_divisors_not_multiples import GAME
from cogs.not_divisors_not_multiples.mind import Neighbour, find_finishing_moves, list_candidates, list_values
from cogs.not_divisors_not_multiples.rules import (
    FREE,
    NotDivisorsNotMultiples,
    fits,
    iter_fitting,
    least_fitting,
    squares_around,
)

FEW, TRIED = 400, 3_000
"""Where the least number that fits a square is smaller, so many of the numbers that fit are tried."""
PLAYED = "a1 89, b1 5340, a2 3204, c1 2, d1 178, b2 3, c2 18, a3 4, a4 240, b3 84, b4 6, c4 360"
"""After these moves d4 36 ends the match, and neither the smallest number nor one with many divisors does."""


def started(size: int) -> NotDivisorsNotMultiples:
    return GAME.start(GAME.configure({"size": size}, 2), 2)


def near_the_end() -> NotDivisorsNotMultiples:
    position = started(4)
    for at, move in enumerate(PLAYED.split(", ")):
        position = position.play(1 + at % 2, move)
    return position


def test_the_last_number_is_among_what_is_considered_and_is_played() -> None:
    game, position = load_games()[GAME.key], near_the_end()
    assert "d4 36" in list_candidates(position, 1, Random(1))
    for level in (4, 6):
        found = think(position, 1, game.mind, make_budget(game, position, level), "1")
        assert not position.play(1, found.move).turn, f"level {level} plays {found.move}"
        assert found.exact and found.value == 1, "it does not know that it wins"


@pytest.mark.parametrize("size", [3, 4, 5, 6])
def test_of_first_squares_that_are_mirror_images_one_is_considered(size: int) -> None:
    position = started(size)
    squares = {list_square_names(size).index(move.split()[0]) for move in list_candidates(position, 1, Random(1))}
    images = [mirrored(divmod(square, size), size) for square in squares]
    assert sum(map(len, images)) == len(set[Place]().union(*images)) == size**2


Place = tuple[int, int]


def mirrored(place: Place, size: int) -> set[Place]:
    """The places that a square comes to when the grid is turned and mirrored."""
    row, column = place
    last = size - 1
    turned = {(row, column), (last - row, column), (row, last - column), (last - row, last - column)}
    return turned | {(column, row) for row, column in turned}


@pytest.mark.parametrize("seed", range(4))
def test_what_is_worth_a_thought_fits_and_begins_with_the_smallest_whatever_was_asked_before(seed: int) -> None:
    position, rng = started(4), Random(seed)
    while position.turn:
        for square in position.open_squares() if position.log else ():
            beside, across = {*position.numbers_beside(square)}, (*position.numbers_across(square),)
            for used in ({*position.cells} - {0}, {*position.cells, position.leasts[square]}):
                found = list_values(beside, across, used)
                assert all(fits(value, beside, across, used) for value in found) and len({*found}) == len(found)
                smallest = next(iter_fitting(beside, across, used, 10 * FREE), None)
                assert smallest is None or found[0] == smallest
        seat = position.turn[0]
        position = position.play(seat, rng.choice(list_candidates(position, seat, rng)))


def test_whether_a_neighbour_can_still_be_filled_does_not_depend_on_what_was_tried_before() -> None:
    answers = {answer for seed in range(4) for answer in filled(started(3), Random(seed))}
    assert answers == {True, False}


def filled(position: NotDivisorsNotMultiples, rng: Random) -> Iterator[bool]:
    """Whether neighbours can still be filled in a match by lot, each answer held beside what really fits."""
    while position.turn:
        used = {*position.cells} - {0}
        for square in position.open_squares() if position.log else ():
            sides, corners = squares_around(position.size)[square]
            for at in (at for at in (*sides, *corners) if position.leasts[at]):
                beside, across = {*position.numbers_beside(at)}, {*position.numbers_across(at)}
                neighbour = Neighbour(position, at, at in sides)
                for value in (position.leasts[at], *islice(position.fitting_numbers(square), 30)):
                    near = (beside | {value}, across) if at in sides else (beside, across | {value})
                    assert neighbour.can_be_filled(value) == (least_fitting(*near, used | {value}) is not None)
                    yield neighbour.can_be_filled(value)
        seat = position.turn[0]
        position = position.play(seat, rng.choice(list_candidates(position, seat, rng)))


def test_nothing_is_spent_on_the_end_before_it_is_near() -> None:
    game, position = load_games()[GAME.key], started(5)
    assert think(position, 1, game.mind, replace(make_budget(game, position, 6), playouts=20), "1").nodes == 0
    assert think(near_the_end(), 1, game.mind, Budget(20, 500), "1").nodes > 0


def ends(position: NotDivisorsNotMultiples) -> Iterator[str]:
    """The moves that end a match, found by trying all of them."""
    seat = position.turn[0]
    yield from (move for move in position.moves(seat) if not position.play(seat, move).turn)


@pytest.mark.long
def test_what_is_said_to_end_a_match_does_and_where_something_does_it_is_found() -> None:
    tried = 0
    for seed in range(2):
        position, rng = started(3), Random(seed)
        while position.turn:
            seat, still = position.turn[0], len([*position.open_squares()])
            found = {f"{position.name(square)} {value}" for square, value in find_finishing_moves(position)}
            if position.log and 1 < still < 3 and all(least < 100 for least in position.leasts):
                tried += 1
                assert bool(found) == any(True for _ in ends(position))
            assert all(not position.play(seat, move).turn for move in found)
            position = position.play(seat, rng.choice(list_candidates(position, seat, rng)))
    assert tried > 2


def late(number: int) -> Iterator[NotDivisorsNotMultiples]:
    """So many positions of matches by lot in which two or three squares are open."""
    found, seed = 0, 0
    while found < number:
        position, rng = started(4 - seed % 2), Random(f"late {seed}")
        seed += 1
        while position.turn:
            if 1 < len([*position.open_squares()]) < 4 and all(least < FEW for least in position.leasts):
                found += 1
                yield position
            position = position.play(position.turn[0], rng.choice(list_candidates(position, position.turn[0], rng)))


@pytest.mark.long
def test_no_win_in_one_is_missed_in_fifty_positions() -> None:
    game, won = load_games()[GAME.key], 0
    for position in late(50):
        moves = islice(position.moves(position.turn[0]), TRIED)
        if any(not position.play(position.turn[0], move).turn for move in moves):
            won += 1
            seat = position.turn[0]
            found = think(position, seat, game.mind, make_budget(game, position, 6), "1")
            assert not position.play(seat, found.move).turn, f"{found.move} does not win at once: {position}"
    assert won >= 3
