"""Palindromes/Antipalindromes: what counts and how often, every refusal, and whole matches against a second referee."""

from __future__ import annotations

import random

import pytest

from bot.games.options import BadOptions
from bot.games.position import Illegal, OutOfTurn, Unreadable
from bot.play.match import Match
from cogs.palindromes_antipalindromes import GAME
from cogs.palindromes_antipalindromes.rules import Middle, Palindromes, PalindromesOptions, find_middles
from tests.contract.sentences import without_example
from tests.games.refereed import agree
from tests.games.referees.palindromes_antipalindromes import Referee, totals

INVENTORS_ROW = "1001001101000100"


def started(length: int = 8) -> Match:
    return Match.start(GAME, {"length": length}, 2)


def played(match: Match, *moves: str) -> Match:
    for move in moves:
        match = match.play(match.turn[0], move)
    return match


def board(row: str) -> Palindromes:
    return Palindromes(row)


def refused(match: Match, seat: int, text: str, kind: type[Exception]) -> str:
    with pytest.raises(kind) as refusal:
        match.play(seat, text)
    return without_example(refusal.value)


# What counts


def test_the_inventors_example() -> None:
    assert board(INVENTORS_ROW).scores() == (24, 46)


@pytest.mark.parametrize(
    ("row", "scores"),
    [
        ("........", (0, 0)),
        ("0.1.0.1.", (0, 0)),
        ("00......", (2, 0)),
        (".....01.", (0, 2)),
        # Odd lengths count for nobody: 010 and 101 are no more than their two pairs.
        ("010.....", (0, 4)),
        ("101.....", (0, 4)),
        # 0110 holds 11, and both count; 01 and 10 beside the middle count for the other.
        ("0110....", (6, 4)),
        # 0011 holds 01; 00 and 11 count for the other.
        ("0011....", (4, 6)),
        # An empty square ends what might be a longer one.
        ("1.00.1..", (2, 0)),
        ("00000000", (60, 0)),
        ("01010101", (0, 60)),
    ],
)
def test_every_place_and_even_length_counts_once(row: str, scores: tuple[int, int]) -> None:
    assert board(row).scores() == scores == tuple(totals([None if it == "." else int(it) for it in row]))


@pytest.mark.parametrize("length", range(1, 9))
def test_every_row_of_a_length_has_the_scores_of_the_second_referee(length: int) -> None:
    for value in range(2**length):
        row = f"{value:0{length}b}"
        assert list(board(row).scores()) == totals([int(digit) for digit in row])


def test_neighbours_that_are_filled_are_a_middle_of_one_seat() -> None:
    assert find_middles("110.0011") == (
        Middle(1, 1, 1, False),
        Middle(2, 2, 1, True),
        Middle(5, 1, 1, True),
        # This one reaches the end of the row.
        Middle(6, 2, 2, False),
        Middle(7, 1, 1, False),
    )
    assert not any(middle.growing for middle in find_middles("11010011"))


def test_a_middle_may_grow_only_over_an_empty_square() -> None:
    # At the edge of the row, or where the next two break the rule, it cannot.
    assert find_middles("01......")[0] == Middle(1, 2, 1, False)
    assert find_middles(".01.....")[0].growing and find_middles("001.....")[1].growing
    assert not find_middles("00011...")[0].growing
    grown = find_middles("00011...")[2]
    assert (grown.reach, grown.growing) == (2, True)


def test_how_a_score_comes_about() -> None:
    position = played(started(), *(f"{at} {digit}" for at, digit in enumerate("10011011", 1))).position
    assert position.working() == (
        "1001 at 1–4 is a palindrome: 2 + 4 = 6",
        "0110 at 3–6 is a palindrome: 2 + 4 = 6",
        "11 at 7–8 is a palindrome: 2",
        "palindromes: 6 + 6 + 2 = 14",
        "10 at 1–2 is an antipalindrome: 2",
        "100110 at 1–6 is an antipalindrome: 2 + 4 + 6 = 12",
        "10 at 5–6 is an antipalindrome: 2",
        "01 at 6–7 is an antipalindrome: 2",
        "antipalindromes: 2 + 12 + 2 + 2 = 18",
    )
    assert started().position.working() == ("palindromes: 0", "antipalindromes: 0")


# Options, turns and the end


def test_the_length_is_8_to_40_and_usually_16() -> None:
    assert GAME.configure({}, 2) == PalindromesOptions(16)
    assert [GAME.configure({"length": length}, 2).to_record()["length"] for length in (8, 40)] == [8, 40]
    strange = {"“16”": "16", "true": True, "null": None}
    for told, length in [*strange.items(), *((str(number), number) for number in (7, 41, 0, -8, 16.0))]:
        with pytest.raises(BadOptions) as refusal:
            GAME.configure({"length": length}, 2)
        assert without_example(refusal.value) == f"length must be a whole number from 8 to 40, not {told}."
    for seats in 1, 3:
        with pytest.raises(BadOptions, match="is for 2 players"):
            GAME.configure({}, seats)


@pytest.mark.parametrize("length", [8, 9, 40])
def test_seats_take_turns_until_all_squares_are_filled(length: int) -> None:
    match, turns = started(length), list[int]()
    while match.turn:
        turns += match.turn
        match = played(match, next(match.position.moves(match.turn[0])))
    assert turns == [1 if ply % 2 == 0 else 2 for ply in range(length)]
    assert match.position.ranks() == (1, 2)
    assert refused(match, 1, "1 0", OutOfTurn) == "The match is over, so nothing can be played any more."


def test_either_digit_goes_into_any_empty_square() -> None:
    match = played(started(), "3 1", "5 0")
    assert list(match.position.moves(1)) == [f"{at} {digit}" for at in (1, 2, 4, 6, 7, 8) for digit in (0, 1)]
    assert list(match.position.moves(2)) == []


def test_more_wins_and_equal_sums_are_a_draw() -> None:
    assert (board("00010011").scores(), board("00010011").ranks()) == ((12, 10), (1, 2))
    draws = [row for value in range(256) if len(set(board(row := f"{value:08b}").scores())) == 1]
    assert draws and {board(row).ranks() for row in draws} == {(1, 1)}


# Reading and refusing


@pytest.mark.parametrize(
    "text", ["51", "5", "5=1", "5:1", "5-1", "5 1 0", "e5 1", "5 one", "05 1", "5 01", "+5 1", "٣ 1", "5\n1"]
)
def test_no_other_form_is_read(text: str) -> None:
    with pytest.raises(Unreadable):
        started().position.read(1, text)


@pytest.mark.parametrize(
    ("text", "kind", "sentence"),
    [
        ("5", Unreadable, "“5” isn't a square and a digit. Write them with a space between them."),
        ("9 1", Unreadable, "There is no square 9. The row has squares 1 to 8."),
        ("0 1", Unreadable, "There is no square 0. The row has squares 1 to 8."),
        ("1 5", Unreadable, "5 isn't a digit of this row. Write the square first, then 0 or 1."),
        ("3 0", Illegal, "Square 3 already holds a 1. Write into an empty one."),
    ],
)
def test_refusals_say_what_is_wrong(text: str, kind: type[Exception], sentence: str) -> None:
    assert refused(played(started(), "3 1"), 2, text, kind) == sentence


def test_few_empty_squares_are_named() -> None:
    match = played(started(), "3 1", "1 0")
    assert refused(match, 1, "1 1", Illegal).endswith("an empty one. Still empty: 2, 4, 5, 6, 7 and 8.")
    match = played(match, "2 1", "4 1", "5 0", "8 1", "6 1")
    assert refused(match, 2, "8 0", Illegal) == ("Square 8 already holds a 1. Write into an empty one. Still empty: 7.")
    assert refused(match, 1, "7 0", OutOfTurn) == "It isn't player 1's turn. Player 2 is to move."


def test_suggestions_show_what_stands_around_a_square() -> None:
    position = played(started(), "3 1", "5 0").position
    offered = list(position.suggest(1, ""))
    assert offered[:2] == [("1 0", "_.1.0"), ("1 1", "_.1.0")] and ("4 0", "..1_0...") in offered
    assert [move for move, _ in position.suggest(1, " 8")] == ["8 0", "8 1"] and not list(position.suggest(2, ""))


def test_the_text_board() -> None:
    assert str(played(started(), "3 1", "4 1").position) == (
        " 1 2 3 4 5 6 7 8\n . . 1 1 . . . .\npalindromes: 11 at 3\nno antipalindromes"
    )
    long = str(Palindromes("." * 39 + "1")).splitlines()
    assert long[2:4] == ["".join(f"{at:>3}" for at in range(21, 41)), "  ." * 19 + "  1"]


# The second referee


@pytest.mark.parametrize("seed", range(10))
def test_whole_matches_agree_with_the_second_referee(seed: int) -> None:
    rng = random.Random(seed)
    length, leaving = rng.choice((8, 9, 16, rng.randint(8, 40))), rng.choice((0, 0, 0.05))
    agree(started(length), Referee(length), rng, leaving)
