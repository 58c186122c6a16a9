"""The daily puzzles: every line is what it claims to be, and the days go through all of them in turn."""

from __future__ import annotations

from collections.abc import Hashable
from functools import cache
from typing import Any

import pytest

from bot.core.game.position import Position
from bot.core.puzzle import puzzles
from bot.core.puzzle.puzzles import Puzzle
from bot.core.values.computer_users import LEVELS
from bot.core.values.seats import Seat
from tests.puzzles.finding import EXACTLY, FEWEST, is_greedy, look, solver_of, values_of

KEYS = ["game", "options", "seats", "moves", "best", "value", "second", "grade"]
FEW = 2_000
"""A position from which plain minimax looks at so many others, at the most, is proved in a moment."""


def lines() -> tuple[dict[str, Any], ...]:
    """All puzzles, in the order of the days."""
    return puzzles.order()


class Much(Exception):
    """Too much follows a position to look at all of it."""


def plain(puzzle: Puzzle, most: int) -> dict[str, int]:
    """By how much the mover is ahead at the end after each move, by minimax alone: neither a mind nor a bound helps."""
    seen, lowest = 0, puzzle.game.lowest_wins

    @cache
    def ahead(position: Position, seat: Seat) -> int:
        nonlocal seen
        seen += 1
        if seen > most:
            raise Much
        if not position.turn:
            mine, other = position.scores()[seat - 1], position.scores()[2 - seat]
            if not puzzle.game.scored:
                ranks = position.ranks() or ()
                mine, other = -ranks[seat - 1], -ranks[2 - seat]
            return other - mine if lowest else mine - other
        mover = position.turn[0]
        found = [ahead(position.play(mover, move), seat) for move in position.moves(mover)]
        return max(found) if mover == seat else min(found)

    position, seat = puzzle.position, puzzle.seat
    return {move: ahead(position.play(seat, move), seat) for move in position.moves(seat)}


def proves(puzzle: Puzzle, values: dict[str, int]) -> bool:
    """Whether values say of a puzzle what its line does: one move alone keeps the best result, and by how much."""
    second = max(value for move, value in values.items() if move != puzzle.best)
    kept = (puzzle.value > 0) - (puzzle.value < 0) > (second > 0) - (second < 0)
    return kept and (values[puzzle.best], second) == (puzzle.value, puzzle.second)


def proved(most: int, wanted: int) -> int:
    """How many puzzles plain minimax proves, of those that take few positions; one that it refutes is a failure."""
    count = 0
    for line in sorted(lines(), key=lambda line: -len(line["moves"])):
        puzzle = puzzles.read(line)
        try:
            values = plain(puzzle, most)
        except Much:
            continue
        assert proves(puzzle, values), line
        count += 1
        if count == wanted:
            break
    return count


def test_every_puzzle_can_be_replayed_and_asks_what_it_should() -> None:
    for line in lines():
        assert [*line] == KEYS and line["seats"] == 2 and line["grade"] in LEVELS[1:]
        puzzle = puzzles.read(line)
        moves = [*puzzle.position.moves(puzzle.seat)]
        assert len(puzzle.position.turn) == 1 and len(moves) >= FEWEST and puzzle.best in moves
        assert puzzle.value >= 0 and (puzzle.second < 0 or puzzle.second < 1 <= puzzle.value)
        assert not is_greedy(puzzle.game, puzzle.position, puzzle.best)
        # Moves are written as the bot writes them.
        assert [*puzzle.game.Options.read(line["options"], 2).record()] != [] and line["best"] == puzzle.best


def test_some_puzzles_are_proved_by_plain_minimax() -> None:
    assert proved(FEW, 5) == 5


@pytest.mark.long
@pytest.mark.timeout(900)
def test_a_hundred_puzzles_are_proved_by_plain_minimax() -> None:
    assert proved(6_000, 100) == 100


@pytest.mark.long
@pytest.mark.timeout(900)
def test_each_puzzle_is_proved_and_no_two_are_alike() -> None:
    looks = set[Hashable]()
    for line in lines():
        puzzle = puzzles.read(line)
        values = values_of(puzzle.position, solver_of(puzzle.game, EXACTLY))
        assert values and proves(puzzle, dict(values)), line
        looks.add((puzzle.game.key, look(puzzle.game, puzzle.position, values)))
    assert len(looks) == len(lines())


def test_the_days_go_through_all_puzzles_before_one_comes_again() -> None:
    every = len(lines())
    first = [puzzles.of_day(puzzles.FIRST + at) for at in range(every + 1)]
    places = {(puzzle.game.key, puzzle.position) for puzzle in first}
    assert len(places) == every and first[0] == first[-1] == puzzles.of_day(puzzles.FIRST - every)
    assert puzzles.number(puzzles.FIRST) == 1
    # Games take turns: each is spread over all days as evenly as there are puzzles of it.
    keys = [line["game"] for line in lines()]
    for key in {*keys}:
        early = keys[: every // 2].count(key)
        assert abs(2 * early - keys.count(key)) <= 2, key
