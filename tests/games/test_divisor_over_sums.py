"""Divisor Over Sums: sums and divisors by hand, both phases, what stays unsaid, refusals, and a second referee."""

from __future__ import annotations

import random

import pytest

from bot.games.position import MoveError, Unreadable
from bot.play.match import Match
from cogs.divisor_over_sums import GAME
from cogs.divisor_over_sums.rules import DivisorOverSums, find_best, list_divisors
from tests.contract.sentences import without_example
from tests.games.refereed import agree
from tests.games.referees.divisor_over_sums import Referee

EXAMPLE = ("a1", "c3", "c1", "a3", "a2", "b3", "b1", "c2", "b2")
"""The example of the rules: rows 1 7 3, 5 9 8 and 4 6 2."""

INVENTORS = (*("c1", "a3", "a2", "a4", "d3", "c4", "d2", "a1"), *("b1", "d1", "b2", "b4", "d4", "b3", "c3", "c2"))
"""His example: rows 8 9 1 10, 3 11 16 7, 2 14 15 5 and 4 12 6 13."""


def started(size: int = 3) -> Match:
    return Match.start(GAME, {"size": size}, 2)


def played(*moves: str, size: int = 3) -> Match:
    match = started(size)
    for move in moves:
        match = match.play(match.turn[0], move)
    return match


def board(match: Match) -> DivisorOverSums:
    assert isinstance(match.position, DivisorOverSums)
    return match.position


def test_seats_place_odd_and_even_numbers_then_choose_in_turn() -> None:
    turns = [played(*EXAMPLE[:ply]).turn for ply in range(10)]
    assert turns == [(1,), (2,)] * 4 + [(1,), (1,)]
    assert board(played(*EXAMPLE)).cells == (1, 7, 3, 5, 9, 8, 4, 6, 2)
    assert [played(*EXAMPLE, "8").turn, played(*EXAMPLE, "8", "16").turn] == [(2,), ()]
    following = [
        (board(played(*EXAMPLE[:ply])).find_next_number(1), board(played(*EXAMPLE[:ply])).find_next_number(2))
        for ply in (0, 1)
    ]
    assert following == [(1, 2), (3, 2)]
    ends = [board(played(*EXAMPLE[:ply])) for ply in (8, 9)]
    assert [(end.find_next_number(1), end.find_next_number(2)) for end in ends] == [(9, None), (None, None)]


def test_sums_of_neighbours() -> None:
    position = board(played(*EXAMPLE))
    assert position.totals_of(1) == (8, 10, 14, 17, 10, 8)
    assert position.totals_of(2) == (6, 16, 11, 9, 15, 10)
    # a1 1, c3 2, c1 3, a3 4, a2 5: a1 above a2 above a3, and no two side by side.
    half = board(played(*EXAMPLE[:5]))
    assert (half.totals_of(1), half.sums_of(2)) == ((), ((0, 0, 6), (0, 1, 9)))


@pytest.mark.parametrize(
    ("sums", "legal", "chosen"),
    [
        ((8, 10, 14, 17, 10, 8), (1, 2, 4, 5, 7, 8, 10, 14, 17), [(10, 20)]),
        ((6, 16, 11, 9, 15, 10), (1, 2, 3, 4, 5, 6, 8, 9, 10, 11, 15, 16), [(16, 16)]),
        ((15, 15, 30), (1, 2, 3, 5, 6, 10, 15, 30), [(15, 45)]),
        ((15, 30, 7), (1, 2, 3, 5, 6, 7, 10, 15, 30), [(15, 30), (30, 30)]),
    ],
)
def test_divisors_and_the_best_of_them(
    sums: tuple[int, ...], legal: tuple[int, ...], chosen: list[tuple[int, int]]
) -> None:
    assert list_divisors(sums) == legal
    assert [(worth.divisor, worth.score) for worth in find_best(sums)] == chosen


def test_the_inventors_example() -> None:
    assert board(played(*INVENTORS, size=4)).cells == (8, 9, 1, 10, 3, 11, 16, 7, 2, 14, 15, 5, 4, 12, 6, 13)
    outcomes = {("4", "3"): (12, 12), ("29", "31"): (29, 31), ("1", "1"): (12, 12)}
    for chosen, scores in outcomes.items():
        assert played(*INVENTORS, *chosen, size=4).position.scores() == scores


def test_the_working_names_the_divided_sums_and_in_the_end_the_best_divisors() -> None:
    assert played(*EXAMPLE, "8", "1").position.working() == (
        "rows: 8 divides 8 and 8: 2 × 8 = 16",
        "columns: 1 divides all 6 sums: 6 × 1 = 6",
        "best for rows: 10 divides 10 and 10: 2 × 10 = 20",
        "best for columns: 16 divides 16: 1 × 16 = 16",
    )


# What may not be said.


def told(match: Match, seat: int) -> list[object]:
    """All that the game says of a position, to a seat that tries every divisor and some other numbers."""
    position = board(match)
    answers: list[object] = [str(position), position.scores(), position.working(), list(position.suggest(seat, ""))]
    answers += [picture.alt for picture in GAME.pictures(position)]
    for number in ("0", "12", "13", "18", "19", "99"):
        with pytest.raises(MoveError) as refusal:
            match.play(seat, number)
        answers.append(without_example(refusal.value).replace(number, ""))
    return answers


def test_before_the_choice_nothing_shows_what_a_divisor_is_worth() -> None:
    match = played(*EXAMPLE)
    text, scores, working, offered, *said = told(match, 1)
    assert (scores, working, board(match).best_divisors(1), board(match).best_divisors(2)) == ((0, 0), (), (), ())
    assert offered == [(number, "") for number in ("1", "2", "4", "5", "7", "8", "10", "14", "17")]
    assert text == "\n".join(
        ["  a b c", "1 1 7 3", "2 5 9 8", "3 4 6 2"]
        + ["sums in rows: 8 8 10 10 14 17", "sums in columns: 6 9 10 11 15 16"]
    )
    assert said == [
        "Divisor Over Sums. 3 by 3. The grid is full, and blue chooses a divisor of its sums. Rows 0 and columns 0.",
        " divides nothing. Choose 1 or more.",
        *[" divides none of your sums. Yours are those in rows."] * 5,
    ]


def test_the_second_chooser_sees_the_first_choice_and_nothing_of_its_own() -> None:
    match = played(*EXAMPLE, "8")
    position = board(match)
    assert (position.scores(), position.working()) == ((16, 0), ("rows: 8 divides 8 and 8: 2 × 8 = 16",))
    assert list(position.suggest(2, "1")) == [(number, "") for number in ("1", "10", "11", "15", "16")]
    assert "best" not in str(position) + str(GAME.pictures(position))


def test_the_best_divisors_are_shown_after_a_withdrawal_too_if_the_grid_is_full() -> None:
    assert [line[:4] for line in played(*EXAMPLE, "8").withdraw(2).position.working()] == ["rows", "best", "best"]
    assert [line[:4] for line in played(*EXAMPLE).withdraw(1).position.working()] == ["best", "best"]
    assert played(*EXAMPLE[:-1]).withdraw(1).position.working() == ()


# Notation and refusals.


@pytest.mark.parametrize("text", ["B2", "b 2", "b-2", "2b", " b2 "])
def test_forgiving_squares(text: str) -> None:
    assert started().position.read(1, text) == "b2"


def test_divisors_are_read_when_the_grid_is_full() -> None:
    assert played(*EXAMPLE).position.read(1, " 10 ") == "10"
    for text in ("010", "+1", "-1", "1.0", "1_0", "b2", "", "1 2", "½", "٣", "1" * 20, "d=8"):
        with pytest.raises(Unreadable):
            played(*EXAMPLE).position.read(1, text)


REFUSED = (
    ((), "4", "“4” isn't a square. You choose a divisor when the grid is full. For now, place 1 in an empty square."),
    (("a1",), "a1", "a1 already holds 1. Put 2 into an empty square."),
    (("a1",), "d1", "d1 is off the board. Its columns are a to c, its rows 1 to 3."),
    (EXAMPLE, "b2", "“b2” isn't a number. The grid is full, so choose your divisor."),
    (EXAMPLE, "0", "0 divides nothing. Choose 1 or more."),
    (EXAMPLE, "3", "3 divides none of your sums. Yours are those in rows."),
    ((*EXAMPLE, "8"), "7", "7 divides none of your sums. Yours are those in columns."),
    (EXAMPLE, "9" * 19, f"{'9' * 19} divides none of your sums. Yours are those in rows."),
)


@pytest.mark.parametrize(("moves", "text", "sentence"), REFUSED)
def test_refusals_name_the_rule(moves: tuple[str, ...], text: str, sentence: str) -> None:
    match = played(*moves)
    with pytest.raises(MoveError) as refusal:
        match.play(match.turn[0], text)
    assert without_example(refusal.value) == sentence


def test_each_command_applies_in_its_phase() -> None:
    move, choose = GAME.moves
    placing, choosing, over = played(), played(*EXAMPLE), played(*EXAMPLE, "8", "16")
    applies = [
        [(kind.when(board(match), seat)) for kind in (move, choose) for seat in (1, 2)]
        for match in (placing, choosing, over)
    ]
    assert applies == [[True, False, False, False], [False, False, True, False], [False] * 4]


@pytest.mark.parametrize("seed", range(10))
def test_whole_matches_agree_with_the_second_referee(seed: int) -> None:
    rng = random.Random(seed)
    size = rng.choice((3, 4, 5, 6))
    agree(started(size), Referee(size), rng)


@pytest.mark.parametrize("seed", range(10))
def test_the_best_divisors_are_those_that_the_second_referee_finds_by_trying_all(seed: int) -> None:
    rng, referee = random.Random(seed), Referee(4)
    squares = [f"{x}{y}" for x in "abcd" for y in range(1, 5)]
    rng.shuffle(squares)
    for ply, square in enumerate(squares):
        referee.move(1 + ply % 2, square)
    over = board(played(*squares, "1", "1", size=4))
    for seat in (1, 2):
        most = max(referee.worth(seat, d) for d in range(1, 32))
        assert [worth.divisor for worth in over.best_divisors(seat)] == [
            d for d in range(1, 32) if referee.worth(seat, d) == most
        ]
