"""Binary Scramble: building, flipping, every ruling and refusal, and whole matches against a second referee."""

from __future__ import annotations

import random

import pytest

from bot.features.pads.handlers import expect_meant
from bot.games.catalogue import load_games
from bot.games.options import BadOptions
from bot.games.position import Illegal, OutOfTurn, Unreadable
from bot.play.loaded_match import Refusal
from bot.play.match import Match
from cogs.binary_scramble import GAME
from cogs.binary_scramble import picture as binary_scramble_picture
from cogs.binary_scramble.rules import BinaryScramble, BinaryScrambleOptions, flip_position, run_lengths
from rendering.shapes import LABEL, LEAST, Text, text_width
from tests.contract.sentences import without_example
from tests.games.refereed import agree
from tests.games.referees.binary_scramble import Referee

INVENTORS_EXAMPLE = ("001110101", 3, 6, 4, 1, 3, 2, 6, 8)
"""For three seats; flips 1, 3, 6, 7 and 8 score."""


def started(seats: int = 2, **options: int) -> Match:
    return Match.start(GAME, options, seats)


def played(match: Match, *moves: str | int) -> Match:
    """The match after moves by the seat to move; a number is a position, each digit of a text is written."""
    for move in moves:
        for text in move if isinstance(move, str) else [str(move)]:
            match = match.play(match.turn[0], text)
    return match


def board(match: Match) -> BinaryScramble:
    assert isinstance(match.position, BinaryScramble)
    return match.position


@pytest.mark.parametrize(
    ("digits", "lengths"),
    [
        ("0010111", (3, 2, 1, 1)),
        ("1101000", (3, 2, 1, 1)),
        ("0000", (4,)),
        ("0101", (1, 1, 1, 1)),
        ("0" * 12 + "1" * 12, (12, 12)),
        ("1", (1,)),
    ],
)
def test_run_lengths_are_counted_whatever_their_order(digits: str, lengths: tuple[int, ...]) -> None:
    assert (
        run_lengths(digits) == run_lengths(digits[::-1]) == run_lengths(digits.translate({48: 49, 49: 48})) == lengths
    )


def test_a_flip_changes_one_digit() -> None:
    assert [flip_position("0110", position) for position in (1, 2, 3, 4)] == ["1110", "0010", "0100", "0111"]


# Options


@pytest.mark.parametrize(("seats", "length"), [(2, 8), (3, 9), (4, 8), (5, 10), (6, 12)])
def test_the_usual_length_is_the_least_multiple_from_8_on(seats: int, length: int) -> None:
    assert GAME.configure({}, seats) == BinaryScrambleOptions(length, 5)


@pytest.mark.parametrize("seats", GAME.seats)
def test_the_length_is_a_multiple_of_the_seats(seats: int) -> None:
    for length in range(26):
        if length in range(4, 25) and length % seats == 0:
            assert GAME.configure({"length": length}, seats) == BinaryScrambleOptions(length, 5)
        else:
            with pytest.raises(BadOptions):
                GAME.configure({"length": length}, seats)


def test_other_options_are_refused_with_their_bounds() -> None:
    with pytest.raises(BadOptions) as refusal:
        started(5, length=12)
    assert without_example(refusal.value) == (
        "With 5 players the length can't be 12. Choose 5, 10, 15 or 20, so that all write the same number of digits."
    )
    for options in {"length": 3}, {"length": 25}:
        with pytest.raises(BadOptions, match="length must be a whole number from 4 to 24, not"):
            started(**options)
    for options in {"target": 0}, {"target": 21}:
        with pytest.raises(BadOptions, match="target must be a whole number from 1 to 20, not"):
            started(**options)
    for seats in 1, 7:
        with pytest.raises(BadOptions, match="is for 2 to 6 players"):
            started(seats)


# Building and scrambling


def test_seats_write_in_turn_then_flip_in_turn() -> None:
    match, seats = started(3, length=6), list[int]()
    for move in "0", "0", "1", "0", "1", "1", 1, 6, 3:
        seats += match.turn
        match = played(match, move)
    assert seats == [1, 2, 3] * 3
    assert board(match).lists == ("001011", "101011", "101010", "100010")


def test_digits_are_written_at_the_right() -> None:
    assert board(played(started(), "0011")).digits == "0011"
    assert list(played(started(), "0011").position.moves(1)) == ["0", "1"]


def test_the_first_full_list_scores_nothing_and_is_an_earlier_one() -> None:
    match = played(started(length=4), "0110")
    assert (board(match).lists, match.position.scores()) == (("0110",), (0, 0))
    # 0110 has runs 1 2 1; 0010 has runs 2 1 1.
    assert played(match, 2).position.scores() == (1, 0)


def test_the_inventors_example() -> None:
    position = board(played(started(3), *INVENTORS_EXAMPLE))
    scored = [at for at, flip in enumerate(position.flips, 1) if flip.like is not None]
    assert (scored, position.scores()) == ([1, 3, 6, 7, 8], (2, 1, 2))


def test_any_earlier_list_will_do_not_only_the_one_before() -> None:
    # 0011 (2 2), 1011 (1 1 2), 1111 (4), 1101 (2 1 1): like the second.
    match = played(started(length=4), "0011", 1, 2, 3)
    assert board(match).flips[-1] == (1, 3, 1)
    assert match.position.working() == ("list 3, player 1: 1101, runs 2 1 1 like list 1",)


def test_run_lengths_count_as_often_as_they_occur() -> None:
    # 00110 has runs 2 2 1, and 01110 has 1 3 1, 00010 has 3 1 1: these two are alike, the first is not.
    match = played(started(5, length=5), "00110", 2)
    assert match.position.scores() == (0, 0, 0, 0, 0)
    match = played(started(5, length=5), "01110", 2, 3)
    assert run_lengths("00010") == run_lengths("01110") and match.position.scores() == (0, 1, 0, 0, 0)


def test_a_list_full_of_repeats() -> None:
    """Equal digits make one run, alternating ones as many as there are digits; both are lists like others."""
    zeros = played(started(length=8), "00000000")
    assert zeros.position.scores() == (0, 0) and list(zeros.position.moves(1)) == [str(at) for at in range(1, 9)]
    # 10000000 is 1 7; 10000001 is 1 6 1; 00000001 is 7 1, like the first flip.
    assert played(zeros, 1, 8, 1).position.scores() == (1, 0)
    turns = played(started(length=8), "01010101", 1, 8)
    # 11010101 and 11010100 have runs 2 1 1 1 1 1 1 and 2 1 1 1 1 2.
    assert turns.position.scores() == (0, 0)
    # 01010100 has one 2 again, at its other end.
    assert played(turns, 1).position.scores() == (1, 0)


def test_a_list_that_has_been_there_is_refused_for_the_rest_of_the_match() -> None:
    match = played(started(length=4), "0110", 1, 4, 1)
    assert board(match).lists == ("0110", "1110", "1111", "0111")
    assert list(match.position.moves(2)) == ["2", "3"]
    with pytest.raises(Illegal) as refusal:
        match.play(2, "4")
    assert without_example(refusal.value) == (
        "Flipping 4 would bring back 0110, the list at the start. No list may come twice. You may flip 2 or 3."
    )
    with pytest.raises(Illegal, match="Flipping 1 would bring back 1111, list 2. No list may come"):
        match.play(2, "1")


def test_a_refusal_does_not_list_many_positions() -> None:
    with pytest.raises(Illegal) as refusal:
        played(started(), "00110011", 3, 3)
    assert without_example(refusal.value) == (
        "Flipping 3 would bring back 00110011, the list at the start. No list may come twice."
    )


# The end


def test_the_match_ends_when_a_seat_has_the_points() -> None:
    match = played(started(length=4, target=1), "0110", 2)
    assert (match.turn, match.position.scores(), match.position.ranks()) == ((), (1, 0), (1, 2))
    assert played(started(length=4, target=2), "0110", 2).turn == (2,)
    with pytest.raises(OutOfTurn, match="The match is over"):
        match.play(2, "1")


def test_points_of_several_seats_are_not_added_up() -> None:
    match = played(started(3, target=3), *INVENTORS_EXAMPLE)
    assert (match.position.scores(), match.turn) == ((2, 1, 2), (3,))


def test_the_match_ends_when_every_flip_would_bring_back_a_list() -> None:
    match = played(started(length=4, target=20), "1101", 4, 1, 3, 2, 4, 1, 3, 1, 4, 1, 3, 2, 4, 1, 3)
    assert (len(board(match).lists), match.turn) == (16, ())
    assert (match.position.scores(), match.position.ranks()) == ((5, 6), (2, 1))
    assert list(match.position.moves(1)) == []


def test_the_points_may_be_reached_by_the_last_flip_there_is() -> None:
    match = played(started(length=4, target=5), "1010", 1, 2, 3, 1, 4, 1, 2, 1, 3, 1, 2, 1, 4)
    assert (match.position.scores(), match.position.ranks()) == ((5, 4), (1, 2))
    assert board(match).is_target_reached and board(match).is_stuck and match.is_over


# Withdrawing


def test_the_turn_passes_by_who_left_while_building() -> None:
    match = played(started(3), "0").withdraw(2)
    assert match.turn == (3,)
    assert played(match, "1").turn == (1,) and played(match, "10").turn == (3,)
    assert played(started(3), "0").withdraw(1).turn == (2,)


def test_the_turn_passes_on_between_the_two_phases() -> None:
    full = played(started(3), "001110101")
    assert full.turn == (1,) and full.withdraw(1).turn == (2,) and full.withdraw(3).turn == (1,)
    # The last digit is written by seat 3 as seat 2 has left; then it is seat 1's turn to flip, or 3's if 1 leaves.
    match = played(started(3), "00").withdraw(2)
    match = played(match, "1110101")
    assert not board(match).is_building and match.turn == (1,)
    assert match.withdraw(1).is_over


def test_the_turn_passes_on_while_scrambling_and_the_points_stay() -> None:
    match = played(started(4, length=4), "0110", 2)
    assert (match.position.scores(), match.turn) == ((1, 0, 0, 0), (2,))
    match = match.withdraw(2, "timeout").withdraw(1)
    assert (match.position.scores(), match.turn) == ((1, 0, 0, 0), (3,))
    match = match.withdraw(3)
    # Seat 4 is left and wins; the later one left, the better the rank.
    assert (match.turn, match.position.ranks()) == ((), (3, 4, 2, 1))


# Reading


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("2", "“2” isn't a digit. The list has 3 of its 8 digits so far, so write 0 or 1."),
        ("8", "“8” isn't a digit. The list has 3 of its 8 digits so far, so write 0 or 1."),
        ("00", "“00” starts with a zero. Write 0."),
        ("01", "“01” starts with a zero. Write 1."),
        ("one", "“one” isn't a whole number. Use only the digits 0 to 9."),
        ("+1", "“+1” isn't a whole number. Use only the digits 0 to 9."),
        ("", "Write a move first."),
        ("flip 1", "“flip” does not fit this part of the match."),
    ],
)
def test_what_is_no_digit_is_refused(text: str, sentence: str) -> None:
    with pytest.raises(Unreadable) as refusal:
        played(started(), "011").play(2, text)
    assert without_example(refusal.value) == sentence


@pytest.mark.parametrize("text", ["0", "9", "10", "999"])
def test_what_is_no_position_is_refused(text: str) -> None:
    with pytest.raises(Unreadable) as refusal:
        played(started(), "01101001").play(1, text)
    assert (
        without_example(refusal.value)
        == f"“{text}” isn't a place in the list. The list is full, so flip one of 1 to 8."
    )


def test_suggestions_show_the_list_that_a_move_gives_and_no_more() -> None:
    building, full = played(started(length=4), "01").position, played(started(length=4), "0110", 1).position
    assert list(building.suggest(1, "")) == [("0", "gives 010"), ("1", "gives 011")]
    assert list(full.suggest(2, "")) == [("2", "gives 1010"), ("3", "gives 1100"), ("4", "gives 1111")]
    assert list(full.suggest(2, " 3")) == [("3", "gives 1100")] and not list(full.suggest(1, ""))
    twelve = played(started(6), "011010010110").position
    assert [move for move, _ in twelve.suggest(1, "1")] == ["1", "10", "11", "12"]


def test_a_command_of_the_other_phase_is_not_read_as_one_of_this() -> None:
    append, flip = load_games()["binary-scramble"].moves
    building, full = played(started(), "01").position, played(started(), "01101001").position
    expect_meant(GAME, building, 1, append, "1")
    expect_meant(GAME, full, 1, flip, "1")
    with pytest.raises(Refusal) as refusal:
        expect_meant(GAME, building, 1, flip, "1")
    assert without_example(refusal.value) == (
        "/binary-scramble flip doesn't fit this part of the match, so nothing was played. Use /binary-scramble append."
    )
    with pytest.raises(Refusal, match="Use /binary-scramble flip."):
        expect_meant(GAME, full, 1, append, "1")


# The board as text, and which lists are worth showing


def test_the_text_board() -> None:
    assert str(played(started(length=4), "01").position) == " 1 2 3 4\n 0 1 . ."
    assert str(played(started(6), "011010010110", 12).position).splitlines() == [
        "  1  2  3  4  5  6  7  8  9 10 11 12",
        "  0  1  1  0  1  0  0  1  0  1  1  1",
        "start: 011010010110, runs 2 2 2 1 1 1 1 1 1",
        "list 1: 011010010111, runs 3 2 2 1 1 1 1 1",
    ]


def test_where_room_is_scarce_the_latest_lists_are_shown_with_those_they_took_after() -> None:
    # Flips 3, 6, 7 and 8 of the inventor's example take after 2, 4, 5 and 4.
    position = board(played(started(3), *INVENTORS_EXAMPLE))
    assert [flip.like for flip in position.flips] == [0, None, 2, None, None, 4, 5, 4]
    assert position.recent_lists(9) == position.recent_lists(20) == tuple(range(9))
    assert position.recent_lists(5) == (4, 5, 6, 7, 8)
    assert position.recent_lists(4) == (4, 5, 7, 8)
    assert position.recent_lists(3) == (4, 8)


# The second referee


@pytest.mark.parametrize("seed", range(12))
def test_whole_matches_agree_with_the_second_referee(seed: int) -> None:
    rng = random.Random(seed)
    seats = rng.choice(GAME.seats)
    length = rng.choice([length for length in range(4, 25) if length % seats == 0][: rng.choice((2, 20))])
    target, leaving = rng.choice((1, 2, 5, 20)), rng.choice((0, 0, 0.02, 0.1))
    agree(started(seats, length=length, target=target), Referee(length, target, seats), rng, leaving)


# What its pictures show of any match; the rest stands in tests/games/golden.


@pytest.mark.parametrize(("seats", "length"), [(2, 4), (3, 9), (6, 12), (6, 24)])
def test_all_runs_that_a_flip_brings_back_can_be_seen(seats: int, length: int) -> None:
    """While the match goes on; of very many some are left out, and the heading says so."""
    rng, match = random.Random(1), started(seats, length=length, target=20)
    writings = binary_scramble_picture.join_runs, binary_scramble_picture.abridge_runs
    while match.turn:
        position = board(match)
        shown = [shape.text for shape in GAME.pictures(position)[0].shapes if isinstance(shape, Text)]
        left_out = any(text.startswith("earlier runs, sorted, ") for text in shown)
        free = list(position.free_positions()) if position.lists else []
        each = [
            {*map(write, position.lists)} & {write(flip_position(position.digits, at)) for at in free}
            for write in writings
        ]
        assert left_out or any(again <= {*shown} for again in each)
        match = match.play(match.turn[0], rng.choice([*match.position.moves(match.turn[0])]))


@pytest.mark.parametrize("length", [12, 24])
def test_the_longest_runs_fit(length: int) -> None:
    def parts(rest: int, most: int) -> list[list[int]]:
        return [[]] if not rest else [[a, *b] for a in range(min(rest, most), 0, -1) for b in parts(rest - a, a)]

    digits = ["".join("01"[at % 2] * run for at, run in enumerate(runs)) for runs in parts(length, length)]
    write = binary_scramble_picture.abridge_runs
    assert max(text_width(write(it), LABEL) for it in digits) <= binary_scramble_picture.PAGE
    column = binary_scramble_picture.WIDE - binary_scramble_picture.COLUMN_GAP
    assert max(text_width(binary_scramble_picture.abridge_runs(it), LEAST) for it in digits) <= column
