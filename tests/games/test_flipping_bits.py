"""Flipping Bits: new patterns by the fewest flips, who begins, every refusal, and matches against a second referee."""

from __future__ import annotations

import random
from itertools import combinations

import pytest

from bot.games.options import BadOptions
from bot.games.position import Illegal, OutOfTurn, Unreadable
from bot.play.match import Match
from bot.play.records import describe_position
from cogs.flipping_bits import GAME, PARITY
from cogs.flipping_bits.rules import FlippingBits, FlippingBitsOptions, find_lone_square, first_pattern, flip_positions
from tests.contract.sentences import without_example
from tests.games.referees.flipping_bits import Referee

INVENTORS_ROUND = (3, 7, 4, 2, 7, 3)
"""For two seats and seven squares; player 2 scores 6."""
TRAP = (3, 7, 2, 3, 6, 2, 5, 6, 4, 5, 1, 4, 1)
"""Moves after which every single flip of the seven squares would bring back an earlier pattern."""
DEEP_TRAP = (
    *(2, 1, 4, 2, 9, 4, 6, 9, 3, 6, 1, 8, 2, 3, 5, 2, 6, 5, 7, 6, 2, 1, 6, 7, 5, 6, 4, 5, 7, 2, 5, 4, 3, 5, 9, 3),
    *(4, 7, 5, 4, 3, 9, 6, 3, 9, 5, 4, 9, 3, 6, 9, 4, 6, 9, 3, 7, 6, 8, 7, 5, 8, 4, 5, 1, 4, 9, 1, 2, 9, 3, 2, 3),
)
"""Moves after which all patterns within two flips of nine squares have been there."""
SHORTEST = ("1", "3", "5")
"""A round of seven squares in which the seat that begins scores 7, where two play."""


def started(seats: int = 2, **options: int) -> Match:
    return Match.start(GAME, options, seats)


def played(match: Match, *moves: str | int) -> Match:
    for move in moves:
        match = match.play(match.turn[0], str(move))
    return match


def board(match: Match) -> FlippingBits:
    assert isinstance(match.position, FlippingBits)
    return match.position


def refused(match: Match, text: str, kind: type[Exception] = Illegal, seat: int | None = None) -> str:
    with pytest.raises(kind) as refusal:
        match.play(seat or match.turn[0], text)
    return without_example(refusal.value)


# Patterns


@pytest.mark.parametrize(
    ("pattern", "position"),
    [
        ("1000000", 1),
        ("0000001", 7),
        ("1111110", 7),
        ("0111111", 1),
        ("1111101", 6),
        ("0000000", None),
        ("1111111", None),
        ("1100000", None),
        ("1010101", None),
        ("000000000010000", 11),
    ],
)
def test_a_square_alone_is_unlike_all_the_others(pattern: str, position: int | None) -> None:
    assert find_lone_square(pattern) == position


def test_odd_squares_are_filled_at_the_start_and_score_nothing() -> None:
    assert [first_pattern(squares) for squares in (7, 8, 9)] == ["1010101", "10101010", "101010101"]
    for squares in range(7, 16):
        position = started(squares=squares).position
        assert position.scores() == (0, 0) and find_lone_square(first_pattern(squares)) is None
        assert list(position.moves(1)) == [str(at) for at in range(1, squares + 1)]


def test_the_inventors_round() -> None:
    match = played(started(squares=7, rounds=1), *INVENTORS_ROUND)
    assert [flip.pattern for flip in board(match).flips] == [
        "1000101",
        "1000100",
        "1001100",
        "1101100",
        "1101101",
        "1111101",
    ]
    assert (match.position.scores(), match.position.ranks(), match.turn) == ((0, 6), (2, 1), ())


# The fewest flips


def test_a_pattern_that_has_been_there_is_refused_for_the_rest_of_the_round() -> None:
    match = played(started(), 1, 3)
    assert refused(match, "3") == (
        "Flipping 3 would bring back 0010101, but a move has to make a new pattern. "
        "It was there after move 1 of this round. You may flip 1, 2, 4, 5, 6 or 7."
    )
    match = played(match, 1)
    assert list(match.position.moves(2)) == ["2", "4", "5", "6", "7"]
    assert refused(match, "3") == (
        "Flipping 3 would bring back 1010101, but a move has to make a new pattern. "
        "It was there at the start of this round. You may flip 2, 4, 5, 6 or 7."
    )


def test_no_more_flips_than_needed() -> None:
    assert refused(started(), "1 2") == "One flip can make a new pattern, so flip no more than that."
    match = played(started(), 1, 3, 1)
    assert (
        refused(match, "1, 2")
        == "One flip can make a new pattern, so flip no more than that. You may flip 2, 4, 5, 6 or 7."
    )


def test_where_no_single_flip_makes_a_new_pattern_two_are_flipped() -> None:
    match = played(started(), *TRAP)
    now, been = board(match).pattern, {first_pattern(7), *(flip.pattern for flip in board(match).flips)}
    assert all(flip_positions(now, (at,)) in been for at in range(1, 8)) and board(match).flips_needed == 2
    new = [pair for pair in combinations(range(1, 8), 2) if flip_positions(now, pair) not in been]
    assert list(match.position.moves(2)) == [f"{one} {other}" for one, other in new]
    single = refused(match, "1")
    assert single.startswith(
        "Flipping 1 would bring back 0010100, but a move has to make a new pattern. It was there after move 12"
    )
    assert " It takes two flips now." in single
    seen = next(pair for pair in combinations(range(1, 8), 2) if pair not in new)
    double = refused(match, "{} {}".format(*seen))
    assert double.startswith("Flipping {} and {} would bring back".format(*seen)) and "It takes" not in double
    assert refused(match, "1 2 3").startswith("Two flips can make a new pattern, so flip no more than that.")
    after = played(match, f"{new[0][1]},{new[0][0]}")
    assert after.record[-1].text == "{} {}".format(*new[0])
    assert board(after).flips[-1].positions == new[0]


def test_where_no_two_flips_do_three_are_flipped() -> None:
    match = played(started(squares=9), *DEEP_TRAP)
    position = board(match)
    assert position.flips_needed == 3
    moves = [tuple(map(int, move.split())) for move in position.moves(match.turn[0])]
    been = {first_pattern(9), *(flip.pattern for flip in position.flips)}
    assert moves == [way for way in combinations(range(1, 10), 3) if flip_positions(position.pattern, way) not in been]
    assert refused(match, "1 2").endswith("of this round. It takes three flips now.")
    referee = Referee(9, 4, 2)
    for flip in DEEP_TRAP:
        referee.move(str(flip))
    assert sorted(position.moves(match.turn[0])) == referee.legal


def test_a_move_of_several_flips_may_score() -> None:
    # All neighbours of 0001111 have been there, and 0000001 has not.
    position = FlippingBits.start(FlippingBitsOptions(7, 1), 2)
    seen = bytearray(16)
    for at in range(8):
        value = int(flip_positions("0001111", (at,)), 2)
        seen[value >> 3] |= 1 << (value & 7)
    trapped = FlippingBits(1, 2, "0001111", bytes(seen), previous=1)
    assert trapped.flips_needed == 2 and "4 5" in trapped.moves(2)
    assert position.flips_needed == 1
    deeper = bytearray(seen)
    for pair in combinations(range(1, 8), 2):
        value = int(flip_positions("0001111", pair), 2)
        deeper[value >> 3] |= 1 << (value & 7)
    after = FlippingBits(1, 2, "0001111", bytes(deeper), previous=1).play(2, "4 5 6")
    assert (after.scores(), after.ranks()) == ((0, 7), (2, 1))


# Rounds


def test_a_new_round_starts_afresh() -> None:
    match = played(started(), *SHORTEST)
    position = board(match)
    assert (position.pattern, position.flips, position.round) == ("1010101", (), 2)
    assert position.scores() == (7, 0) and match.turn == (2,)
    # Patterns of the round before may come again.
    assert played(match, *SHORTEST).position.scores() == (7, 7)


def test_the_next_seat_begins_the_next_round_no_matter_who_scored() -> None:
    match, begun = started(3, squares=8, rounds=6), list[int]()
    for _ in range(6):
        begun += match.turn
        match = played(match, *SHORTEST)
    assert begun == [1, 2, 3, 1, 2, 3]
    # The player who moves third scores: seats 3, 1, 2 and again.
    assert match.position.scores() == (14, 14, 14) and match.position.ranks() == (1, 1, 1)


def test_who_has_left_is_passed_over_when_a_round_begins() -> None:
    match = played(started(4, squares=8), 1).withdraw(2)
    assert match.turn == (3,)
    match = played(match, 3, 5)
    assert (match.position.scores(), match.turn) == ((0, 0, 0, 7), (3,))


def test_who_leaves_before_its_first_move_has_not_begun_the_round() -> None:
    # Seat 2 is to begin round 2 and leaves; seat 3 begins it, so seat 4 begins round 3.
    match = played(started(4, squares=8), *SHORTEST).withdraw(2)
    assert match.turn == (3,)
    assert played(match, *SHORTEST).turn == (4,)


def test_seat_1_may_leave_before_round_1() -> None:
    match = started(3, squares=8).withdraw(1)
    assert match.turn == (2,)
    match = played(match, *SHORTEST)
    # Seat 2 began and moved third, too; seat 3 begins round 2.
    assert (match.position.scores(), match.turn) == ((0, 7, 0), (3,))
    assert played(match, *SHORTEST).turn == (2,)


def test_who_began_a_round_may_leave_in_it() -> None:
    match = played(started(4, squares=8), 1).withdraw(1)
    match = played(match, 3, 5)
    assert (match.position.scores(), match.turn) == ((0, 0, 7, 0), (2,))


def test_others_leaving_between_rounds_changes_nothing_but_the_order() -> None:
    match = played(started(4, squares=8), *SHORTEST).withdraw(3)
    assert match.turn == (2,)
    match = played(match, *SHORTEST)
    # Seats 2, 4 and 1 moved; the next after 2 is 4.
    assert (match.position.scores(), match.turn) == ((7, 0, 7, 0), (4,))


def test_the_match_is_over_after_all_rounds() -> None:
    match = played(started(rounds=3, squares=7), *SHORTEST * 3)
    assert (match.turn, match.position.scores(), match.position.ranks()) == ((), (14, 7), (1, 2))
    assert refused(match, "1", OutOfTurn, 1) == "The match is over, so nothing can be played any more."
    assert match.position.working() == (
        "round 1: 0000001 after 3 moves, square 7 alone: 7 for player 1",
        "round 2: 0000001 after 3 moves, square 7 alone: 7 for player 2",
        "round 3: 0000001 after 3 moves, square 7 alone: 7 for player 1",
        "player 1: 7 + 7 = 14",
        "player 2: 7",
    )


# Options


@pytest.mark.parametrize(("seats", "squares", "rounds"), [(2, 7, 4), (3, 9, 6), (4, 9, 4), (5, 9, 5), (6, 9, 6)])
def test_the_usual_options_depend_on_the_seats(seats: int, squares: int, rounds: int) -> None:
    assert GAME.configure({}, seats) == FlippingBitsOptions(squares, rounds)
    assert GAME.configure({"squares": 15, "rounds": 7}, seats) == FlippingBitsOptions(15, 7)


@pytest.mark.parametrize("seats", [3, 6])
def test_more_than_two_need_eight_squares(seats: int) -> None:
    assert GAME.configure({"squares": 8}, seats) == FlippingBitsOptions(8, 6)
    with pytest.raises(BadOptions) as refusal:
        GAME.configure({"squares": 7}, seats)
    assert (
        without_example(refusal.value)
        == "With more than two players squares must be a whole number from 8 to 15, not 7."
    )


def test_where_parity_nearly_decides_a_challenge_says_so() -> None:
    warned = {
        (squares, seats)
        for seats in GAME.seats
        for squares in range(7 if seats == 2 else 8, 16)
        if GAME.challenge_note(GAME.configure({"squares": squares}, seats), seats) == PARITY
    }
    assert warned == {(squares, seats) for squares in (8, 10, 12, 14) for seats in (2, 4, 6)}


# Reading and refusing


@pytest.mark.parametrize("text", ["4 1", "1,4", " 4, 1 ", "1 , 4", "1 ,4", "4  1"])
def test_lists_are_read_in_any_order_with_spaces_or_commas(text: str) -> None:
    assert started().position.read(1, text) == "1 4"


@pytest.mark.parametrize(
    "text", ["1,,4", "1 4,", ",1", "1 1", "0", "8", "1 8", "a1", "1-4", "01", "+1", "٣", "flip 1", "1;4", "9" * 20]
)
def test_no_other_form_is_read(text: str) -> None:
    with pytest.raises(Unreadable):
        started().position.read(1, text)


def test_refusals_say_what_is_wrong() -> None:
    assert refused(started(), "8", Unreadable) == "There is no square 8. The row has squares 1 to 7."
    assert refused(started(), "2 2", Unreadable) == "2 is there twice. Name each only once."
    assert refused(started(), "1", OutOfTurn, 2) == "It isn't player 2's turn. Player 1 is to move."


def test_suggestions_show_the_pattern_that_a_move_makes() -> None:
    position = started().position
    assert list(position.suggest(1, ""))[:2] == [("1", "gives 0010101"), ("2", "gives 1110101")]
    assert not list(position.suggest(2, "")) and [move for move, _ in position.suggest(1, " 3")] == ["3"]
    assert [move for move, _ in started(6, squares=12).position.suggest(1, "1")] == ["1", "10", "11", "12"]


def test_suggestions_take_up_what_has_been_typed_in_any_order() -> None:
    trapped = played(started(), *TRAP).position
    moves = list(trapped.moves(2))
    assert [move for move, _ in trapped.suggest(2, "")] == moves
    for typed in "4", "4 ", "4,":
        assert [move for move, _ in trapped.suggest(2, typed)] == [move for move in moves if "4" in move]
    one, other = moves[0].split()
    for typed in f"{one} {other}", f"{other},{one}", f"{other}, {one} ":
        assert [move for move, _ in trapped.suggest(2, typed)] == [moves[0]]
    assert not list(trapped.suggest(2, "1 2 3")) and not list(trapped.suggest(2, "x"))


def test_the_text_board() -> None:
    assert str(played(started(), 1, 3).position).splitlines() == [
        " 1 2 3 4 5 6 7",
        " . . . . # . #",
        "start: 1010101",
        "move 1, player 1: 0010101",
        "move 2, player 2: 0000101",
    ]
    long = str(played(started(), *TRAP).position).splitlines()
    assert long[2:4] == ["the latest 12 of 13 moves:", "move 2, player 2: 1000100"] and len(long) == 15


# The second referee


@pytest.mark.parametrize("seed", range(10))
def test_whole_matches_agree_with_the_second_referee(seed: int) -> None:
    agree(random.Random(seed))


def agree(rng: random.Random) -> None:
    seats = rng.choice(GAME.seats)
    squares = rng.choice((7, 7, 8, 9, 10) if seats == 2 else (8, 9, 10))
    rounds, leaving = rng.choice((1, 4, 5)), rng.choice((0, 0, 0.02, 0.1))
    match, referee = started(seats, squares=squares, rounds=rounds), Referee(squares, rounds, seats)
    while True:
        seen = describe_position(match, legal=True)
        assert seen["legal"] == {str(seat): referee.legal for seat in referee.to_move}
        assert (seen["to_move"], seen["scores"]) == (referee.to_move, [*referee.points.values()])
        assert seen["ranks"] == referee.ranks
        if not referee.to_move:
            return
        if rng.random() < leaving:
            seat = rng.choice([seat for seat in referee.points if seat not in referee.gone])
            match = match.withdraw(seat)
            referee.leave(seat)
        else:
            move = rng.choice(referee.legal)
            match = match.play(referee.next, move)
            referee.move(move)
