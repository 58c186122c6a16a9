"""Palindromic Rows/Columns: lines and boards worked out by hand, ends, refusals, and a second referee."""

from __future__ import annotations

import random
from itertools import product

import pytest

from bot.games.position import Illegal, MoveError, Unreadable
from bot.play.match import Match
from cogs.palindromic_rows_columns import GAME
from cogs.palindromic_rows_columns.rules import PalindromicRowsColumns, find_differing_pairs
from tests.contract.sentences import without_example
from tests.games.refereed import agree
from tests.games.referees.palindromic_rows_columns import Referee


def started(size: int = 4) -> Match:
    return Match.start(GAME, {"size": size}, 2)


def played(match: Match, *squares: str) -> Match:
    for square in squares:
        match = match.play(match.turn[0], square)
    return match


def board(*rows: str) -> PalindromicRowsColumns:
    """A drawn board: # is a square of player 1, O one of player 2."""
    cells = "".join(rows)
    first, second = (sum(1 << index for index, char in enumerate(cells) if char == mark) for mark in "#O")
    return PalindromicRowsColumns(len(rows), (first, second))


@pytest.mark.parametrize(
    ("line", "pairs"),
    [
        ("0000", []),
        ("1001", []),
        ("10101", []),
        ("1000", [(0, 3)]),
        ("1010", [(0, 3), (1, 2)]),
        ("01100", [(1, 3)]),
        ("00100", []),
        ("111000", [(0, 5), (1, 4), (2, 3)]),
        ("100010", [(0, 5), (1, 4)]),
    ],
)
def test_pairs_that_differ(line: str, pairs: list[tuple[int, int]]) -> None:
    assert list(find_differing_pairs(line)) == pairs


@pytest.mark.parametrize("length", [1, 4, 5, 8])
def test_no_fewer_flips_make_a_line_a_palindrome(length: int) -> None:
    for line in product((False, True), repeat=length):
        written = "".join("01"[square] for square in line)
        assert len(find_differing_pairs(written)) == Referee.flips_by_search(list(line)) == Referee.flips(list(line))


def test_seat_1_counts_rows_and_seat_2_columns_and_the_smaller_number_wins() -> None:
    # Rows 1 and 2 are palindromes, no matter whose squares; columns a, b, c and d differ in two pairs each.
    position = board("#OO#", "####", "....", "....")
    assert position.line_scores(1) == (0, 0, 0, 0) and position.line_scores(2) == (2, 2, 2, 2)
    assert (position.scores(), position.turn, position.ranks()) == ((0, 8), (), (1, 2))
    turned = board("##..", "O#..", "O#..", "##..")
    assert (turned.scores(), turned.ranks()) == ((8, 0), (2, 1))


def test_equal_numbers_are_a_draw() -> None:
    position = board("##..", "##..", "OO..", "OO..")
    assert position.line_scores(1) == (2, 2, 2, 2) and position.line_scores(2) == (0, 0, 0, 0)
    even = board("#O..", "O#..", "..#O", "..O#")
    assert (even.line_scores(1), even.line_scores(2), even.ranks()) == ((2, 2, 2, 2), (2, 2, 2, 2), (1, 1))


def test_the_middle_of_an_odd_line_is_its_own_mirror_image() -> None:
    assert board("..#..", "..O..", "#OO#O", "..#..", "..O..").line_scores(1) == (0, 0, 0, 0, 0)
    assert board("..#..", "..O..", "#OO#.", "..#..", ".....").line_scores(1) == (0, 0, 1, 0, 0)
    assert board("..#..", "..O..", "#OO#.", "..#..", ".....").line_scores(2) == (0, 0, 1, 0, 0)


def test_the_empty_board_is_all_palindromes() -> None:
    assert started(12).position.scores() == (0, 0)


def test_the_working_names_the_pairs() -> None:
    assert board("#O..", "#...", ".OO.", "#..#").working() == (
        "row 1: a–d, b–c differ, 2 flips",
        "row 2: a–d differ, 1 flip",
        "row 3: a palindrome, 0 flips",
        "row 4: a palindrome, 0 flips",
        "rows: 2 + 1 + 0 + 0 = 3",
        "column a: 2–3 differ, 1 flip",
        "column b: 1–4, 2–3 differ, 2 flips",
        "column c: 2–3 differ, 1 flip",
        "column d: 1–4 differ, 1 flip",
        "columns: 1 + 2 + 1 + 1 = 5",
    )


@pytest.mark.parametrize("size", range(4, 13))
def test_seats_take_turns_and_fill_a_quarter_each_rounded_down(size: int) -> None:
    rng, match, turns = random.Random(size), started(size), list[int]()
    while match.turn:
        turns += match.turn
        match = played(match, rng.choice(list(match.position.moves(match.turn[0]))))
    assert turns == [1, 2] * (size * size // 4)


REFUSED = (
    ("a1", "Player 1 has already filled a1. Choose an empty square."),
    ("B2", "Player 2 has already filled b2. Choose an empty square."),
    ("e1", "e1 is off the board. Its columns are a to d, its rows 1 to 4."),
    ("a1 b1", "“a1 b1” isn't a square. Write a column letter and a row number."),
)


@pytest.mark.parametrize(("text", "sentence"), REFUSED)
def test_refusals_name_the_rule(text: str, sentence: str) -> None:
    with pytest.raises(MoveError) as refusal:
        played(started(), "a1", "b2").play(1, text)
    assert without_example(refusal.value) == sentence
    assert isinstance(refusal.value, Illegal if "already" in sentence else Unreadable)


def test_the_usual_grid_has_seven_squares_a_side() -> None:
    assert GAME.configure({}, 2).to_record() == {"size": 7}


@pytest.mark.parametrize(("size", "outcome"), [(6, "win"), (8, "avoid losing"), (10, "win"), (12, "avoid losing")])
def test_an_even_grid_can_be_copied_upside_down_and_that_is_advised(size: int, outcome: str) -> None:
    advice = GAME.challenge_note(GAME.configure({"size": size}, 2), 2)
    assert advice and f"the second player can {outcome} by copying every move upside down." in advice
    rng, match = random.Random(size), started(size)
    while match.turn:
        square = rng.choice(list(match.position.moves(1)))
        match = played(match, square, f"{square[0]}{size + 1 - int(square[1:])}")
    ranks = match.position.ranks()
    assert match.position.scores()[1] == 0
    assert ranks == (2, 1) if outcome == "win" else ranks in {(1, 1), (2, 1)}


@pytest.mark.parametrize("size", [5, 7, 9, 11])
def test_an_odd_grid_needs_no_advice(size: int) -> None:
    assert GAME.challenge_note(GAME.configure({"size": size}, 2), 2) is None


def test_the_text_board() -> None:
    assert str(board("#...O", ".....", ".#...", ".....", "....O")) == "\n".join(
        [
            "  a b c d e",
            "1 # . . . O  0",
            "2 . . . . .  0",
            "3 . # . . .  1",
            "4 . . . . .  0",
            "5 . . . . O  1",
            "  1 0 0 0 0",
        ]
    )


@pytest.mark.parametrize("seed", range(12))
def test_whole_matches_agree_with_the_second_referee(seed: int) -> None:
    rng = random.Random(seed)
    size = rng.choice((4, 5, 6, 7))
    agree(started(size), Referee(size), rng)
