"""What games of seats and square grids share: rotation, ranking, squares by name, and boards as text."""

from __future__ import annotations

import pytest

from bot.games.grids import format_board, list_square_names, parse_square, squares_of
from bot.games.position import Unreadable, find_next_seat, list_staying_seats, rank_seats


def test_equal_results_share_a_rank_and_who_left_comes_last_whatever_the_score() -> None:
    assert rank_seats((5, 7, 5, 1)) == (2, 1, 2, 4)
    assert rank_seats((9, 7, 9, 1), withdrawn=(1, 3)) == (4, 1, 3, 2)


def test_the_turn_of_a_seat_that_has_left_passes_on() -> None:
    assert [find_next_seat(seat, 4, ()) for seat in range(5)] == [1, 2, 3, 4, 1]
    assert [find_next_seat(seat, 4, (2, 1)) for seat in range(5)] == [3, 3, 3, 4, 3]
    assert find_next_seat(2, 3, (1, 3)) == 2
    assert list_staying_seats(4, (3, 1)) == (2, 4)


@pytest.mark.parametrize("text", ["c2", "C2", "c 2", "c-2", "2c", " c2 "])
def test_a_square_is_found_by_its_name_in_any_form(text: str) -> None:
    assert list_square_names(3)[parse_square(text, 3)] == "c2"


def test_a_square_off_the_grid_is_refused() -> None:
    with pytest.raises(Unreadable, match="d1 is off the board. Its columns are a to c, its rows 1 to 3."):
        parse_square("d1", 3)


def test_the_squares_of_a_bit_board_ascend() -> None:
    assert list(squares_of(0)) == []
    assert list(squares_of(0b1010001)) == [0, 4, 6]


def drawn(*lines: str) -> str:
    return "\n".join(lines)


def test_a_text_board_is_as_wide_as_its_longest_number_or_as_each_column_needs() -> None:
    rows = (1, 12, " "), (3, 0, 4)
    assert format_board(rows) == drawn("   a  b  c", "1  1 12", "2  3  .  4")
    assert format_board(rows, even=False) == drawn("  a  b c", "1 1 12", "2 3  . 4")


def test_the_margins_of_a_text_board_stand_apart() -> None:
    board = format_board(["#.", ".O"], (7, 10), (0, 123))
    assert board == drawn("    a   b", "1   #   .   7", "2   .   O  10", "    0 123")


def test_a_tall_text_board_has_room_for_its_row_numbers() -> None:
    assert format_board(["#"] * 10).split("\n")[::9] == ["   a", "9  #"]
    assert format_board(["#"] * 10).split("\n")[10] == "10 #"
