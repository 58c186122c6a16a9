"""Binary Primes: the inventor's grid, refusals, ends, and random boards against a scorer written a second time."""

from __future__ import annotations

import random

import pytest

from bot.games.position import Illegal, MoveError, OutOfTurn
from bot.play.match import Match
from cogs.binary_primes import GAME
from cogs.binary_primes.rules import BinaryPrimes, best_reading, line_prime

INVENTORS_GRID = (".**..*", "**...*", ".***..", ".**...", "*.***.", ".*..**")
"""The inventor's example, with * for filled; an even side, which the line scorer takes and a match does not."""
INVENTORS_ROWS = (1, 1, 1, 1, 29, 19)
INVENTORS_COLUMNS = (1, 61, 29, 53, 3, 1)


def digits(line: str) -> str:
    return line.replace("*", "1").replace(".", "0")


def started(size: int = 3) -> Match:
    return Match.start(GAME, {"size": size}, 2)


def played(match: Match, *squares: str) -> Match:
    for square in squares:
        match = match.play(match.turn[0], square)
    return match


def slow_prime(line: str) -> int:
    """The line's prime by trial division, every reading counted digit by digit."""
    values: set[int] = set()
    for one in "10":
        for reading in line, line[::-1]:
            value = 0
            for digit in reading:
                value = 2 * value + (digit == one)
            values.add(value)
    primes = {value for value in values if value > 1 and all(value % divisor for divisor in range(2, value))}
    return max(primes, default=1)


def test_the_inventors_example() -> None:
    assert tuple(line_prime(digits(row)) for row in INVENTORS_GRID) == INVENTORS_ROWS
    columns = ["".join(row[column] for row in INVENTORS_GRID) for column in range(6)]
    assert tuple(line_prime(digits(column)) for column in columns) == INVENTORS_COLUMNS


@pytest.mark.parametrize("length", [1, 2, 3, 5, 8])
def test_every_line_of_a_length_has_the_prime_of_the_slow_scorer(length: int) -> None:
    lines = [f"{value:0{length}b}" for value in range(2**length)]
    assert [line_prime(line) for line in lines] == [slow_prime(line) for line in lines]


@pytest.mark.parametrize(
    ("line", "prime", "read", "backwards", "ones"),
    [
        ("111", 7, "111", False, "filled"),
        ("000", 7, "111", False, "empty"),
        ("1011", 13, "1101", True, "filled"),
        ("0111", 7, "0111", False, "filled"),
        ("100", 3, "011", False, "empty"),
    ],
)
def test_how_a_line_is_read_best(line: str, prime: int, read: str, backwards: bool, ones: str) -> None:
    assert best_reading(line) == (prime, read, backwards, ones)


def test_a_line_without_a_prime_counts_one() -> None:
    assert best_reading("0110") is None and line_prime("0110") == 1
    assert line_prime("1") == line_prime("0") == 1


def test_seat_1_counts_columns_and_seat_2_rows() -> None:
    position = played(started(), "a1", "c3", "b1", "c1").position
    assert isinstance(position, BinaryPrimes)
    # Row 1 is 111 = 7, row 2 is 000 = 7, row 3 is 001, inverted and read from the left 110, from the right 011 = 3.
    assert position.line_scores(2) == (7, 7, 3)
    # Columns a and b are 100, inverted 011 = 3; column c is 101 = 5.
    assert position.line_scores(1) == (3, 3, 5)
    assert (position.scores(), position.ranks(), position.turn) == ((45, 147), (2, 1), ())


def test_seats_take_turns_and_fill_a_quarter_each_rounded_down() -> None:
    rng = random.Random(1)
    for size in 3, 5, 7, 9, 11:
        match, turns = started(size), list[int]()
        while match.turn:
            turns += match.turn
            match = played(match, rng.choice(list(match.position.moves(match.turn[0]))))
        assert turns == [1, 2] * (size * size // 4)


@pytest.mark.parametrize("seed", range(10))
def test_running_scores_agree_with_the_slow_scorer(seed: int) -> None:
    rng = random.Random(seed)
    size = rng.choice((3, 5, 7, 9))
    match, filled = started(size), set[str]()
    while match.turn:
        square = rng.choice(list(match.position.moves(match.turn[0])))
        match = played(match, square)
        filled.add(square)
    rows = ["".join("01"[f"{chr(97 + x)}{y + 1}" in filled] for x in range(size)) for y in range(size)]
    columns = ["".join(row[x] for row in rows) for x in range(size)]
    expected = [1, 1]
    for column, row in zip(columns, rows, strict=True):
        expected[0] *= slow_prime(column)
        expected[1] *= slow_prime(row)
    assert list(match.position.scores()) == expected


def test_refusals_name_the_rule() -> None:
    match = played(started(), "a1", "b2")
    with pytest.raises(Illegal, match="Player 2 has already filled b2. Choose an empty square."):
        match.play(1, "B 2")
    with pytest.raises(OutOfTurn, match="It isn't player 2's turn. Player 1 is to move."):
        match.play(2, "c3")
    with pytest.raises(MoveError, match="d4 is off the board. Its columns are a to c, its rows 1 to 3."):
        match.play(1, "d4")


def test_equal_products_are_a_draw() -> None:
    # Rows 001, 110, 010 and columns 010, 011, 100 make 3, 3, 5 and 5, 3, 3.
    position = played(started(), "a2", "c1", "b2", "b3").position
    assert (position.scores(), position.ranks()) == ((45, 45), (1, 1))
