"""Sum Of Products: lines scored by hand, the inventor's grid, refusals, suggestions, and a second referee."""

from __future__ import annotations

import random
from itertools import islice, product

import pytest

from bot.games.position import Illegal, MoveError
from bot.play.match import Match
from cogs.sum_of_products import GAME
from cogs.sum_of_products.rules import SumOfProducts, count_factors, score_line
from tests.contract.sentences import without_example
from tests.games.refereed import agree
from tests.games.referees.sum_of_products import Referee

INVENTORS_GRID = ((1, 1, 2, 1, 2, 5), (1, 3, 2, 1, 3, 5), (5, 1, 1, 1, 3, 1)) + (
    *((1, 2, 1, 2, 1, 2), (2, 1, 1, 2, 1, 1), (2, 3, 5, 3, 4, 1)),
)


def started(size: int = 3) -> Match:
    return Match.start(GAME, {"size": size}, 2)


def board(*rows: str) -> SumOfProducts:
    """A drawn board: "12." is a row with 1, 2 and an empty square."""
    return SumOfProducts(len(rows), tuple(0 if char == "." else int(char) for row in rows for char in row))


@pytest.mark.parametrize(
    ("line", "counts", "score"),
    [
        ((1, 2, 5, 1, 2, 2), (2, 3), 6),
        ((1, 1, 1, 1, 1, 1), (6,), 6),
        ((1, 2, 3, 4, 5, 6), (1, 1, 1, 1, 1, 1), 1),
        ((1, 1, 2, 2, 3, 3), (2, 2, 2), 8),
        ((1, 1, 3, 3, 3, 3), (2,), 2),
        ((2, 2, 3, 3, 4, 4), (), 1),
        ((0, 0, 0), (), 1),
        ((0, 1, 0), (1,), 1),
        ((2, 0, 1), (1, 1), 1),
    ],
)
def test_a_line_multiplies_its_counts_up_to_the_first_gap(
    line: tuple[int, ...], counts: tuple[int, ...], score: int
) -> None:
    assert (count_factors(line), score_line(line)) == (counts, score)


@pytest.mark.parametrize("length", [1, 2, 3, 4, 5])
def test_every_line_of_a_length_agrees_with_the_second_referee(length: int) -> None:
    for line in product(range(length + 1), repeat=length):
        assert score_line(line) == Referee.worth(list(line))


def test_the_inventors_grid() -> None:
    position = SumOfProducts(6, tuple(value for row in INVENTORS_GRID for value in row))
    assert position.line_scores(1) == (6, 4, 4, 9, 8, 2)
    assert position.line_scores(2) == (6, 6, 6, 6, 4, 3)
    assert (position.scores(), position.ranks()) == ((33, 31), (1, 2))


def test_the_working_shows_the_factors() -> None:
    assert board("1122", "1213", "2234", "4441").working() == (
        "row 1: 2·2 = 4",
        "row 2: 2·1·1 = 2",
        "row 3: no 1, scores 1",
        "row 4: 1 = 1",
        "rows: 4 + 2 + 1 + 1 = 8",
        "column a: 2·1 = 2",
        "column b: 1·2 = 2",
        "column c: 1·1·1·1 = 1",
        "column d: 1·1·1·1 = 1",
        "columns: 2 + 2 + 1 + 1 = 6",
    )


def test_an_empty_line_scores_one() -> None:
    assert board("...", "...", "...").scores() == (3, 3)
    assert board(".1.", ".1.", "...").scores() == (3, 4)


def test_numbers_count_in_their_row_or_in_their_column() -> None:
    position = board("12.", "3.1", "2.2")
    assert position.counting_squares(1) == {0, 1, 5}
    # Column a is 1 3 2, column b 2, column c 1 2.
    assert position.counting_squares(2) == {0, 3, 6, 5, 8}


def test_any_number_may_be_written_again() -> None:
    match = started().play(1, "a1 3").play(2, "b1 3")
    assert set(match.position.moves(1)) == {f"{x}{y} {n}" for x in "abc" for y in "123" for n in "123"} - {
        f"{square} {n}" for square in ("a1", "b1") for n in "123"
    }


REFUSED = (
    ("a1 1", "a1 already holds 3. Choose an empty square."),
    ("b1 4", "You can't write 4. On this grid the numbers are 1 to 3."),
    ("b1 0", "You can't write 0. On this grid the numbers are 1 to 3."),
    ("d4 1", "d4 is off the board. Its columns are a to c, its rows 1 to 3."),
    ("c3", "“c3” isn't a square and a number."),
)


@pytest.mark.parametrize(("text", "sentence"), REFUSED)
def test_refusals_name_the_rule(text: str, sentence: str) -> None:
    with pytest.raises(MoveError) as refusal:
        started().play(1, "a1 3").play(2, text)
    assert without_example(refusal.value) == sentence


def test_a_number_out_of_bounds_is_illegal_and_not_unreadable() -> None:
    with pytest.raises(Illegal):
        started().play(1, "a1 9")


def test_suggestions_are_squares_then_numbers_with_what_the_lines_would_score() -> None:
    position = board("11.", "2..", "...")
    squares = [suggestion.move for suggestion in position.suggest(2, "b")]
    assert squares == ["b2 1", "b2 2", "b2 3", "b3 1", "b3 2", "b3 3"]
    assert [suggestion.move for suggestion in position.suggest(2, "c")][:3] == ["c1 1", "c1 2", "c1 3"]
    assert list(position.suggest(2, "C 1 ")) == [
        ("c1 1", "row 1 scores 3, column c 1"),
        ("c1 2", "row 1 scores 2, column c 1"),
        ("c1 3", "row 1 scores 2, column c 1"),
    ]
    assert [suggestion.move for suggestion in position.suggest(2, "c1 2")] == ["c1 2"]
    assert not list(position.suggest(2, "a1 ")) and not list(islice(position.suggest(1, ""), 1))


def test_the_text_board() -> None:
    assert str(board("12.", "1.3", "...")) == "\n".join(
        ["  a b c", "1 1 2 .  1", "2 1 . 3  1", "3 . . .  1", "  2 1 1"]
    )


@pytest.mark.parametrize("seed", range(12))
def test_whole_matches_agree_with_the_second_referee(seed: int) -> None:
    rng = random.Random(seed)
    size = rng.choice((3, 3, 4, 5))
    agree(started(size), Referee(size), rng, leaving=0.02)
