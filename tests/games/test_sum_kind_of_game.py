"""Sum Kind Of Game: lines scored by hand, the order of the numbers, refusals, and a second referee."""

from __future__ import annotations

import random
from itertools import product

import pytest

from bot.games.position import MoveError
from bot.play.match import Match
from cogs.sum_kind_of_game import GAME
from cogs.sum_kind_of_game.rules import SumKindOfGame, find_sums
from tests.contract.sentences import without_example
from tests.games.refereed import agree
from tests.games.referees.sum_kind_of_game import Referee

EXAMPLE = (*("a2", "b1", "a1", "a4", "d1", "c3", "d2", "c1"), *("b3", "b2", "d3", "c4", "d4", "b4", "a3", "c2"))
"""The example of the rules."""


def started(size: int = 4) -> Match:
    return Match.start(GAME, {"size": size}, 2)


def played(*squares: str, size: int = 4) -> Match:
    match = started(size)
    for square in squares:
        match = match.play(match.turn[0], square)
    return match


def board(match: Match) -> SumKindOfGame:
    assert isinstance(match.position, SumKindOfGame)
    return match.position


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ((2, 8, 5, 3), ["8 = 3 + 5", "5 = 2 + 3"]),
        ((4, 8, 4, 1), ["8 = 4 + 4"]),
        ((4, 8, 0, 1), []),
        ((8, 3, 8, 5), ["8 = 3 + 5", "8 = 3 + 5"]),
        ((1, 5, 4, 2, 3, 6), ["5 = 1 + 4", "4 = 1 + 3", "3 = 1 + 2", "6 = 1 + 5"]),
        ((1, 1, 2, 2), ["2 = 1 + 1", "2 = 1 + 1"]),
        ((2, 1, 0, 0), []),
        ((0, 0, 0, 0), []),
        ((7, 0, 0, 0), []),
    ],
)
def test_a_square_is_the_sum_of_two_different_squares(line: tuple[int, ...], found: list[str]) -> None:
    assert [str(one) for one in find_sums(line)] == found
    assert all(line[one.place] == one.total == one.less + one.more for one in find_sums(line))


def test_every_short_line_agrees_with_the_second_referee() -> None:
    referee = Referee(4)
    for line in product(range(9), repeat=4):
        referee.grid = {f"{'abcd'[x]}1": value for x, value in enumerate(line) if value}
        assert len(find_sums(line)) == referee.worth(["a1", "b1", "c1", "d1"])


def test_seat_1_counts_up_and_seat_2_down() -> None:
    squares = [f"{x}{y}" for y in range(1, 5) for x in "abcd"]
    placed = [played(*squares[:ply]) for ply in range(17)]
    assert board(placed[-1]).cells == (1, 8, 2, 7, 3, 6, 4, 5, 5, 4, 6, 3, 7, 2, 8, 1)
    assert [match.turn for match in placed] == [(1,), (2,)] * 8 + [()]
    following = [(board(match).find_next_number(1), board(match).find_next_number(2)) for match in placed]
    assert following[:4] == [(1, 8), (2, 8), (2, 7), (3, 7)]
    assert following[-3:] == [(8, 1), (None, 1), (None, None)]


def test_the_working_shows_every_sum() -> None:
    match = played(*EXAMPLE)
    assert match.position.working() == (
        "row 1: 8 = 3 + 5, 5 = 2 + 3, scores 2",
        "row 2: no sums, scores 0",
        "row 3: no sums, scores 0",
        "row 4: no sums, scores 0",
        "rows: 2 + 0 + 0 + 0 = 2",
        "column a: 8 = 1 + 7, scores 1",
        "column b: no sums, scores 0",
        "column c: 6 = 1 + 5, scores 1",
        "column d: 7 = 3 + 4, scores 1",
        "columns: 1 + 0 + 1 + 1 = 3",
    )
    assert (match.position.scores(), match.position.ranks()) == ((2, 3), (2, 1))


def test_running_scores_count_what_stands() -> None:
    # a1 1, b1 8, c1 2, a4 7: 8 = 1 + 7 would need one line.
    assert played("a1", "b1", "c1", "a4").position.scores() == (0, 0)
    # a1 1, b1 8, c1 2, d1 7: 8 = 1 + 7 in row 1.
    assert played("a1", "b1", "c1", "d1").position.scores() == (1, 0)


REFUSED = (
    ("a1", "a1 already holds 1, placed by player 1. Put 2 into an empty square."),
    ("b1", "b1 already holds 8, placed by player 2. Put 2 into an empty square."),
    ("e4", "e4 is off the board. Its columns are a to d, its rows 1 to 4."),
)


@pytest.mark.parametrize(("text", "sentence"), REFUSED)
def test_refusals_name_the_rule(text: str, sentence: str) -> None:
    with pytest.raises(MoveError) as refusal:
        played("a1", "b1").play(1, text)
    assert without_example(refusal.value) == sentence


def test_the_text_board() -> None:
    assert str(played("a1", "b1", "c1", "d1", "b3").position) == "\n".join(
        ["  a b c d", "1 1 8 2 7  1", "2 . . . .  0", "3 . 3 . .  0", "4 . . . .  0", "  0 0 0 0"]
    )


@pytest.mark.parametrize("seed", range(10))
def test_whole_matches_agree_with_the_second_referee(seed: int) -> None:
    rng = random.Random(seed)
    size = rng.choice((4, 4, 6, 8))
    agree(started(size), Referee(size), rng)
