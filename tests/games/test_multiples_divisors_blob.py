"""Multiples/Divisors Blob: lines worked out by hand, the inventor's board, growth, refusals, and a second referee."""

from __future__ import annotations

import random
from itertools import product

import pytest

from bot.games.position import Illegal, MoveError, Unreadable
from bot.play.match import Match
from cogs.multiples_divisors_blob import GAME
from cogs.multiples_divisors_blob.rules import MultiplesDivisorsBlob, find_clash, run_lengths
from tests.contract.sentences import without_example
from tests.games.refereed import agree
from tests.games.referees.multiples_divisors_blob import Referee

INVENTORS_BOARD = (
    *("..#.........", "..##..##....", "...##.##.###", "....######.#", "...####..###", "...#..#.###."),
    *(".#######..#.", ".#..##.##.##", "##..####..##", "#...#..##.#.", "##.###...###", ".....##.###."),
)
"""The inventor's example, with # for filled."""


def started(size: int = 6) -> Match:
    return Match.start(GAME, {"size": size}, 2)


def played(match: Match, *squares: str) -> Match:
    for square in squares:
        match = match.play(match.turn[0], square)
    return match


def board(*rows: str) -> MultiplesDivisorsBlob:
    """A drawn board: # is a square of player 1, O one of player 2."""
    cells = "".join(rows)
    first, second = (sum(1 << index for index, char in enumerate(cells) if char == mark) for mark in "#O")
    return MultiplesDivisorsBlob(len(rows), (first, second))


@pytest.mark.parametrize(
    ("line", "lengths", "scores"),
    [
        ("000000", (6,), True),
        ("111111", (6,), True),
        ("110000", (2, 4), True),
        ("111000", (3, 3), True),
        ("111100000", (4, 5), False),
        ("101010", (1, 1, 1, 1, 1, 1), True),
        ("110111", (2, 1, 3), False),
        ("110000111111", (2, 4, 6), False),
        ("11000011111111", (2, 4, 8), True),
        ("011011", (1, 2, 1, 2), True),
    ],
)
def test_lines(line: str, lengths: tuple[int, ...], scores: bool) -> None:
    assert run_lengths(line) == lengths
    assert (find_clash(lengths) is None) == scores


@pytest.mark.parametrize("length", [1, 6, 9])
def test_every_line_of_a_length_agrees_with_the_second_referee(length: int) -> None:
    for line in product((False, True), repeat=length):
        runs = run_lengths("".join("01"[square] for square in line))
        assert list(runs) == Referee.runs(list(line))
        assert (find_clash(runs) is None) == Referee.point(list(line))
        if pair := find_clash(runs):
            one, other = runs[pair.one], runs[pair.other]
            assert one % other and other % one


def test_the_inventors_example() -> None:
    position = board(*INVENTORS_BOARD)
    assert (position.plies, position.turn) == (72, ())
    assert [place for place, point in enumerate(position.line_scores(1), 1) if point] == [2, 8, 9]
    assert ["abcdefghijkl"[place] for place, point in enumerate(position.line_scores(2)) if point] == [*"bgijk"]
    assert (position.scores(), position.ranks()) == ((3, 5), (2, 1))


def test_the_two_runs_named_are_those_closest_together() -> None:
    assert find_clash((4, 1, 6, 3, 2)) == (3, 4)
    assert find_clash((2, 1, 3, 1, 2)) == (0, 2)
    assert find_clash((4, 6, 9)) == (0, 1)


def test_filled_and_empty_runs_count_alike_and_so_do_both_seats_squares() -> None:
    position = board("#O....", "......", "#O#...", "####O.", "##.###", "OO.#..")
    assert position.line_scores(1) == (1, 1, 1, 1, 0, 1)
    # Column a is 1 1 4, b the same, c 2 2 2, d 3 3, e 3 2 1, f 4 1 1.
    assert position.line_scores(2) == (1, 1, 1, 1, 0, 1)
    assert position.scores() == (5, 5)


def test_the_working_names_the_runs_that_fail() -> None:
    assert board("#O....", "......", "#O#...", "####O.", "##.###", "OO.#..").working() == (
        "row 1: runs 2, 4, 1 point",
        "row 2: one run of 6, 1 point",
        "row 3: runs 3, 3, 1 point",
        "row 4: runs 5, 1, 1 point",
        "row 5: runs 2, 1, 3, and 2 does not divide 3, 0 points",
        "row 6: runs 2, 1, 1, 2, 1 point",
        "rows: 1 + 1 + 1 + 1 + 0 + 1 = 5",
        "column a: runs 1, 1, 4, 1 point",
        "column b: runs 1, 1, 4, 1 point",
        "column c: runs 2, 2, 2, 1 point",
        "column d: runs 3, 3, 1 point",
        "column e: runs 3, 2, 1, and 2 does not divide 3, 0 points",
        "column f: runs 4, 1, 1, 1 point",
        "columns: 1 + 1 + 1 + 1 + 0 + 1 = 5",
    )


def test_the_first_move_goes_anywhere_and_the_blob_grows_from_there() -> None:
    match = started()
    assert len(list(match.position.moves(1))) == 36
    match = played(match, "a1")
    assert list(match.position.moves(2)) == ["b1", "a2"]
    match = played(match, "b1")
    assert list(match.position.moves(1)) == ["c1", "a2", "b2"]
    assert list(played(started(), "f3").position.moves(2)) == ["f2", "e3", "f4"]
    assert list(played(started(), "c6").position.moves(2)) == ["c5", "b6", "d6"]


def test_the_edges_of_the_board_do_not_touch() -> None:
    # f1 is the last square of row 1, a2 the first of row 2.
    assert "a2" not in list(played(started(), "f1").position.moves(2))
    assert "f1" not in list(played(started(), "a2").position.moves(2))
    assert "a1" not in list(played(started(), "a6").position.moves(2))


REFUSED = (
    ("b2", "Player 1 has already filled b2. Choose an empty square next to a filled one."),
    ("B3", "Player 2 has already filled b3. Choose an empty square next to a filled one."),
    ("a1", "a1 has no filled square on its left or right, above or below. Choose b1, a2, c2, a3, c3 or b4."),
    ("g1", "g1 is off the board. Its columns are a to f, its rows 1 to 6."),
    ("b2 c2", "“b2 c2” isn't a square. Write a column letter and a row number."),
)


@pytest.mark.parametrize(("text", "sentence"), REFUSED)
def test_refusals_name_the_rule(text: str, sentence: str) -> None:
    with pytest.raises(MoveError) as refusal:
        played(started(), "b2", "b3").play(1, text)
    assert without_example(refusal.value) == sentence
    assert isinstance(refusal.value, Illegal if "filled" in sentence else Unreadable)


def test_a_refusal_does_not_list_many_squares() -> None:
    match = played(started(), "c3", "d3", "d4")
    with pytest.raises(Illegal) as refusal:
        match.play(2, "a1")
    assert (
        without_example(refusal.value)
        == "a1 has no filled square on its left or right, above or below. Choose one that has, like c2."
    )


def test_the_text_board() -> None:
    assert str(board("#O....", "......", "#O#...", "####O.", "##.###", "OO.#..")) == "\n".join(
        [
            "  a b c d e f",
            "1 # O . . . .  1",
            "2 . . . . . .  1",
            "3 # O # . . .  1",
            "4 # # # # O .  1",
            "5 # # . # # #  0",
            "6 O O . # . .  1",
            "  1 1 1 1 0 1",
        ]
    )


@pytest.mark.parametrize("seed", range(8))
def test_whole_matches_agree_with_the_second_referee(seed: int) -> None:
    rng = random.Random(seed)
    size = rng.choice((6, 7, 8))
    agree(started(size), Referee(size), rng)
