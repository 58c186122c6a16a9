"""The daily puzzles: every line is what it claims to be, and the days go through all of them in turn."""

from __future__ import annotations

from bot.games.position import LEVELS
from bot.play import puzzles
from tests.puzzles.finding import FEWEST, is_greedy
from tests.puzzles.proofs import lines, proved

KEYS = ["game", "options", "seats", "moves", "best", "value", "second", "grade"]
FEW = 2_000
"""A position from which plain minimax looks at so many others, at the most, is proved in a moment."""


def test_they_last_for_two_years_and_are_of_a_dozen_games() -> None:
    assert len(lines()) >= 730 and len({line["game"] for line in lines()}) >= 12


def test_every_puzzle_can_be_replayed_and_asks_what_it_should() -> None:
    for line in lines():
        assert [*line] == KEYS and line["seats"] == 2 and line["grade"] in LEVELS[1:]
        puzzle = puzzles.parse_puzzle(line)
        moves = [*puzzle.position.moves(puzzle.seat)]
        assert len(puzzle.position.turn) == 1 and len(moves) >= FEWEST and puzzle.best in moves
        assert puzzle.value >= 0 and (puzzle.second < 0 or puzzle.second < 1 <= puzzle.value)
        assert not is_greedy(puzzle.game, puzzle.position, puzzle.best)
        # Moves are written as the bot writes them.
        assert [*puzzle.game.Options.read(line["options"], 2).to_record()] != [] and line["best"] == puzzle.best


def test_some_puzzles_are_proved_by_plain_minimax() -> None:
    assert proved(FEW, 5).total() == 5


def test_the_days_go_through_all_puzzles_before_one_comes_again() -> None:
    every = len(lines())
    first = [puzzles.find_puzzle_of_day(puzzles.FIRST + at) for at in range(every + 1)]
    places = {(puzzle.game.key, puzzle.position) for puzzle in first}
    assert len(places) == every and first[0] == first[-1] == puzzles.find_puzzle_of_day(puzzles.FIRST - every)
    assert puzzles.compute_puzzle_number(puzzles.FIRST) == 1
    # Games take turns: each is spread over all days as evenly as there are puzzles of it.
    keys = [line["game"] for line in lines()]
    for key in {*keys}:
        early = keys[: every // 2].count(key)
        assert abs(2 * early - keys.count(key)) <= 2, key
