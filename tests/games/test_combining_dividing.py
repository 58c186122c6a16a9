"""Combining And Dividing Integers: building, rewriting, rulings, refusals, and matches against a second referee."""

from __future__ import annotations

import random
from itertools import islice

import pytest

from bot.games.options import BadOptions
from bot.games.position import Illegal, MoveError, OutOfTurn, Unreadable
from bot.games.primes import is_prime
from bot.play.match import Match
from bot.play.records import describe_position
from cogs.combining_dividing import GAME
from cogs.combining_dividing.picture import READ, visible_range
from cogs.combining_dividing.rules import (
    CombiningDividing,
    CombiningDividingOptions,
    iter_splits,
    prime_factors,
    proper_divisors,
)
from tests.contract.sentences import without_example
from tests.games.referees.combining_dividing import Referee, prime, products, written
from tests.support.counted_calls import CountedCalls

INVENTORS_EXAMPLE = (
    "2, 4, 10, 4, 1, 10, split 3 2 5, add 5, add 2, add 4, add 3, add 1, split 2 4 5, add 1, split 1 2 3 2"
)


def after(moves: str, seats: int = 2, **options: int) -> Match:
    """The match after moves, each by the seat to move."""
    match = Match.start(GAME, options, seats)
    for move in moves.split(", ") if moves else ():
        match = match.play(match.turn[0], move)
    return match


def full(*numbers: int, limit: int = 100, seats: int = 2) -> Match:
    """A list that has just been built."""
    return after(", ".join(map(str, numbers)), seats, length=len(numbers), largest=9999, limit=limit)


def board(match: Match) -> CombiningDividing:
    assert isinstance(match.position, CombiningDividing)
    return match.position


def refused(match: Match, move: str) -> str:
    with pytest.raises(MoveError) as refusal:
        match.play(match.turn[0], move)
    return without_example(refusal.value)


def legal(match: Match) -> list[str] | None:
    return describe_position(match, legal=True)["legal"][str(match.turn[0])]


# Factors


def test_all_ways_to_split_a_number() -> None:
    for number in range(1, 400):
        ways = list(iter_splits(number))
        assert sorted(map(list, ways)) == sorted(way for way in written(number) if len(way) > 1)
        assert len(set(ways)) == len(ways) and is_prime(number) == prime(number)
        assert prime_factors(number) == tuple(
            max(written(number), key=lambda way: (len(way), [-factor for factor in way]))
        )


def test_one_is_not_prime() -> None:
    assert not is_prime(1) and not proper_divisors(1) and prime_factors(1) == ()


def test_the_ways_of_a_large_number_come_one_at_a_time() -> None:
    """Sums go up to 239 976; 221 760 has millions of ways."""
    assert products(221_760) > 2_000_000
    with CountedCalls() as counted:
        assert len(list(islice(iter_splits(221_760), 100))) == 100
    assert counted.calls < 5_000


# Options


@pytest.mark.parametrize(("seats", "length"), [(2, 6), (3, 6), (4, 8), (5, 10), (6, 6)])
def test_the_usual_options(seats: int, length: int) -> None:
    assert GAME.configure({}, seats) == CombiningDividingOptions(length, 100, 100)


@pytest.mark.parametrize("seats", GAME.seats)
def test_the_length_is_a_multiple_of_the_seats(seats: int) -> None:
    for length in range(26):
        if length in range(4, 25) and length % seats == 0:
            assert GAME.configure({"length": length}, seats).to_record()["length"] == length
        else:
            with pytest.raises(BadOptions):
                GAME.configure({"length": length}, seats)


def test_options_out_of_bounds_are_refused() -> None:
    with pytest.raises(BadOptions) as refusal:
        after("", 5, length=12)
    assert without_example(refusal.value) == (
        "With 5 players the length can't be 12. Choose 5, 10, 15 or 20, so that everybody writes equally many numbers."
    )
    for name, value, bounds in (
        ("largest", 9, "10 to 9999"),
        ("largest", 10_000, "10 to 9999"),
        ("limit", 9, "10 to 500"),
        ("limit", 501, "10 to 500"),
    ):
        with pytest.raises(BadOptions, match=f"{name} must be a whole number from {bounds}, not {value}"):
            after("", **{name: value})
    for seats in 1, 7:
        with pytest.raises(BadOptions, match="is for 2 to 6 players"):
            after("", seats)


# Building


def test_seats_write_in_turn() -> None:
    match, seats = after("", 3, length=6), list[int]()
    for move in "4", "6", "1", "8", "100", "9", "add 1":
        seats += match.turn
        match = match.play(match.turn[0], move)
    assert seats == [1, 2, 3, 1, 2, 3, 1]
    assert board(match).numbers == (10, 1, 8, 100, 9)


def test_what_may_be_written() -> None:
    match = after("7, 7", largest=50)
    assert legal(match) == sorted(map(str, range(1, 51)))
    assert refused(match, "51") == "You can't write 51. In this match numbers go from 1 to 50."
    assert refused(match, "0") == "You can't write 0. In this match numbers go from 1 to 50."
    for move in "split 1 7 1", "add 1", "add 99":
        assert refused(match, move) == (
            "The list has 2 of its 6 numbers and is changed when it is full. Write one from 1 to 50."
        )


@pytest.mark.parametrize(("largest", "listed"), [(5000, True), (5001, False), (9999, False)])
def test_more_than_5000_integers_are_not_listed(largest: int, listed: bool) -> None:
    assert (legal(after("", largest=largest)) is not None) == listed


# Rewriting


def test_splitting_and_adding() -> None:
    match = full(4, 6, 1, 12)
    assert board(match.play(1, "split 4 2 3 2")).numbers == (4, 6, 1, 2, 3, 2)
    assert board(match.play(1, "split 4 6 2")).numbers == (4, 6, 1, 6, 2)
    assert board(match.play(1, "add 3")).numbers == (4, 6, 13)
    assert legal(match) == sorted(
        ["add 1", "add 2", "add 3", "split 1 2 2", "split 2 2 3", "split 2 3 2"]
        + [f"split 4 {ways}" for ways in ("2 6", "6 2", "3 4", "4 3", "2 2 3", "2 3 2", "3 2 2")]
    )


@pytest.mark.parametrize(
    ("move", "sentence"),
    [
        ("8", "The list is full. Split one of its numbers, or add two neighbours."),
        ("split 5 2 2", "There is no position 5. The list has positions 1 to 4."),
        ("split 0 2 2", "There is no position 0. The list has positions 1 to 4."),
        ("add 9", "There is no position 9. The list has positions 1 to 4."),
        (
            "add 4",
            "12, at position 4, is the last number, so it has no right neighbour to add. Add at position 1 to 3.",
        ),
        ("split 1 7 1", "7, at position 1, is prime and can't be split."),
        ("split 3 1 1", "1, at position 3, has no factor but itself and can't be split."),
        ("split 4 12", "Split 12 into two or more factors, not into one. 12 = 2 × 6 = 3 × 4."),
        (
            "split 4 1 12",
            "The factors of 12 are greater than 1 and smaller than 12, so 1 isn't one. 12 = 2 × 6 = 3 × 4.",
        ),
        (
            "split 4 12 1",
            "The factors of 12 are greater than 1 and smaller than 12, so 12 isn't one. 12 = 2 × 6 = 3 × 4.",
        ),
        (
            "split 4 24 2",
            "The factors of 12 are greater than 1 and smaller than 12, so 24 isn't one. 12 = 2 × 6 = 3 × 4.",
        ),
        ("split 4 5 2", "5 doesn't divide 12, the number at position 4. 12 = 2 × 6 = 3 × 4."),
        ("split 4 2 3", "2 × 3 = 6, but the number at position 4 is 12. 12 = 2 × 6 = 3 × 4."),
        (
            "split 4 2 2 2 2 2",
            "The product of these 5 factors isn't 12, the number at position 4. 12 = 2 × 6 = 3 × 4.",
        ),
        ("split 2 2 2", "2 × 2 = 4, but the number at position 2 is 96."),
    ],
)
def test_refusals(move: str, sentence: str) -> None:
    with pytest.raises(Illegal) as refusal:
        full(7, 96, 1, 12).play(1, move)
    assert without_example(refusal.value) == sentence


def test_refusals_stay_short() -> None:
    assert len(refused(full(7, 96, 1, 12), "split 2 " + "2 " * 1900)) < 200
    assert len(refused(full(7, 96, 1, 12), "split 2 " + "9" * 19 + " 2")) < 200


def test_a_single_integer_can_be_split_and_not_added() -> None:
    match = full(4, 4, 4, 3)
    for _ in range(3):
        match = match.play(match.turn[0], "add 1")
    assert board(match).numbers == (15,)
    assert refused(match, "add 1") == "15 is the only number left, so there is nothing to add. Split it."
    assert legal(match) == ["split 1 3 5", "split 1 5 3"]
    assert [kind.name for kind in GAME.moves if kind.when(board(match), 2)] == ["split"]


def test_a_list_without_anything_to_split() -> None:
    match = full(1, 1, 1, 1)
    assert legal(match) == ["add 1", "add 2", "add 3"]
    assert [kind.name for kind in GAME.moves if kind.when(board(match), 1)] == ["add"]


def test_integers_grow_beyond_the_largest_that_may_be_written() -> None:
    match = full(9999, 9999, 9998, 9999)
    for _ in range(3):
        match = match.play(match.turn[0], "add 1")
    assert board(match).numbers == (39995,)
    assert board(match.play(2, "split 1 5 7999")).numbers == (5, 7999)


@pytest.mark.parametrize(
    ("numbers", "count"), [((1, 1, 1, 8192), 4098), ((1, 1, 2, 8192), 4098), ((7, 1, 2520, 1), None)]
)
def test_more_than_5000_rewritings_are_not_listed(numbers: tuple[int, ...], count: int | None) -> None:
    """8192 is 2^13 and has 4095 splits; 2520 has 5 279."""
    listed = legal(full(*numbers))
    assert (None if listed is None else len(listed)) == count


def test_listing_stops_early() -> None:
    match = full(*(9240,) * 24)
    with CountedCalls() as counted:
        assert legal(match) is None
    assert counted.calls < 300_000


# The end


def test_the_inventors_example() -> None:
    match = after(INVENTORS_EXAMPLE)
    assert board(match).numbers == (2, 3, 2, 5)
    assert (match.turn, match.position.scores(), match.position.ranks()) == ((), (0, 0), (1, 2))
    assert match.position.working() == ("change 9, player 1: split 1, 12 = 2·3·2, and all numbers are prime",)
    with pytest.raises(OutOfTurn, match="The match is over"):
        match.play(2, "add 1")


def test_a_list_that_is_all_prime_when_it_is_full_wins_nothing() -> None:
    match = full(2, 3, 5, 7)
    assert (match.turn, match.position.ranks()) == ((1,), None)
    assert match.play(1, "add 1").position.ranks() == (1, 2)
    assert match.play(1, "add 2").turn == (2,)


def test_the_last_one_in_a_list_of_one_may_be_prime() -> None:
    match = full(4, 4, 4, 1)
    for _ in range(3):
        match = match.play(match.turn[0], "add 1")
    assert (board(match).numbers, match.position.ranks()) == ((13,), (1, 2))


def test_all_others_rank_second() -> None:
    assert full(2, 3, 5, 7, seats=4).play(1, "add 1").position.ranks() == (1, 2, 2, 2)


def test_a_tie_after_the_limit() -> None:
    match = full(4, 6, 2, 2, 2, 2, limit=10, seats=3)
    for move in (*("split 1 2 2", "add 1") * 4, "add 1"):
        match = match.play(match.turn[0], move)
    assert not match.is_over and board(match).numbers == (10, 2, 2, 2, 2)
    tie = match.play(1, "add 1")
    assert (tie.turn, tie.position.ranks()) == ((), (1, 1, 1))
    assert tie.position.working() == (
        "a draw: after 10 changes not all numbers are prime",
        "12 = 2·2·3, not prime",
    )
    # The last change may win.
    assert match.play(1, "split 1 2 5").position.ranks() == (1, 2, 2)
    assert match.withdraw(3).play(1, "add 1").position.ranks() == (1, 1, 3)


def test_why_a_list_is_not_done() -> None:
    assert full(1, 2, 12, 9999).position.working() == (
        "1 is not prime",
        "12 = 2·2·3, not prime",
        "9 999 = 3·3·11·101, not prime",
    )


# Withdrawing


def test_the_turn_passes_by_who_left() -> None:
    match = after("4", 3, length=6).withdraw(2)
    assert match.turn == (3,)
    match = after("4", 3, length=6).withdraw(1)
    assert match.turn == (2,)
    # Those who stay fill the list, and go on in turn when it is full.
    match = after("4, 6", 3, length=6).withdraw(2)
    for move in "4", "6", "8", "9":
        match = match.play(match.turn[0], move)
    assert not board(match).is_building and match.turn == (3,)
    assert match.withdraw(3).turn == ()
    match = match.play(3, "add 1")
    assert match.turn == (1,) and match.withdraw(1, "timeout").position.ranks() == (2, 3, 1)


# Reading


@pytest.mark.parametrize(
    "text",
    [
        *("split 3 2 5", "3 split 2 5", "split 3: 2*5", "split 3 2×5", "SPLIT 3 2 5", "Split 3:2×5", " split 3  2  5 "),
        *(
            "split 3 2, 5",
            "split 3 2,5",
            "3 split 2*5",
            "3 Split 2,5",
            "split 3: 2 5",
            "split 3 2 * 5",
            "split 3 2 × 5",
        ),
    ],
)
def test_forms_of_a_split(text: str) -> None:
    assert full(1, 1, 10, 1).position.read(1, text) == "split 3 2 5"


@pytest.mark.parametrize("text", ["add 5", "5 add", "5 +", "5+", "ADD 5", "5 Add", "  add   5 "])
def test_forms_of_an_addition(text: str) -> None:
    assert full(1, 1, 10, 1).position.read(1, text) == "add 5"


@pytest.mark.parametrize(
    "text",
    [
        *("split", "split 3", "split 3:", "2 5 split 3", "split 2 5 at 3", "3 2 5", "split 3 2,,5", "split 3 2 5,"),
        *(
            "split 3 2**5",
            "split 3 02 5",
            "split 03 2 5",
            "split 3 2 5 *",
            "split 3: *2 5",
        ),
        *("add", "+ 5", "+5", "add 5 6", "5 + 6", "add +5", "add 5 +", "5 5 +", "add five", "7.0", "٣", "split ٣ 2 5"),
        *("split 3 2 " + "5" * 20, "3 split", "split 3 = 2 5", "7 8"),
    ],
)
def test_other_forms_are_refused(text: str) -> None:
    for match in full(1, 1, 10, 1), after(""):
        with pytest.raises(Unreadable):
            match.position.read(1, text)


def test_what_is_no_move_is_told_what_moves_there_are() -> None:
    assert refused(full(1, 1, 10, 1), "divide 3") == (
        "“divide 3” isn't a move. Write a number while the list is being built. Later, write split with a "
        "position and factors, or add with the position of the left one of two neighbours."
    )
    assert refused(full(1, 1, 10, 1), "split 3 2,,5") == (
        "“2,,5” has one sign too many between two factors. Write one space or one sign."
    )


# Suggestions


def offered(match: Match, kind: int, part: str, typed: str) -> dict[str, str]:
    """The first values that are offered for a part, with their notes."""
    suggestions = islice(match.position.suggest(match.turn[0], typed), 200)
    parsed = ((GAME.moves[kind].parse(move), note) for move, note in suggestions)
    return {values[part]: note for values, note in reversed([*parsed]) if values}


def test_integers_are_offered_with_their_primes() -> None:
    assert offered(after("", largest=15), 0, "number", "1") == {
        **{"1": "", "10": "2·5", "11": "prime", "12": "2·2·3"},
        **{"13": "prime", "14": "2·7", "15": "3·5"},
    }


def test_positions_are_offered_with_what_is_there() -> None:
    match = full(7, 96, 1, 12)
    assert offered(match, 1, "position", "split ") == {"2": "96 = 2·2·2·2·2·3", "4": "12 = 2·2·3"}
    assert offered(match, 2, "position", "add ") == {
        "1": "7 + 96 = 103, prime",
        "2": "96 + 1 = 97, prime",
        "3": "1 + 12 = 13, prime",
    }
    assert offered(match, 2, "position", "add 2") == {"2": "96 + 1 = 97, prime"}
    assert not list(match.position.suggest(2, ""))


def test_factors_are_offered_piece_by_piece() -> None:
    match = full(7, 96, 1, 12)
    assert set(offered(match, 1, "factors", "split 4 ")) == {"2 2 3", "2 6", "3 4", "4 3", "6 2", "2 3 2", "3 2 2"}
    assert set(offered(match, 1, "factors", "split 4 3 ")) == {"3 4", "3 2 2"}
    assert set(offered(match, 1, "factors", "split 4 3*")) == {"3 4", "3 2 2"}
    assert offered(match, 1, "factors", "split 4 2 3") == {"2 3 2": "all prime"}
    for typed in (
        "split 4 5 ",
        "split 4 12 ",
        "split 1 ",
        "split 9 2",
        "split x 2",
        "split 4 0 ",
        "split " + "9" * 5000 + " 2",
    ):
        assert not offered(match, 1, "factors", typed)


def test_factors_of_a_large_number_are_offered_at_once() -> None:
    match = full(9240, 9240, 9240, 9240)
    for typed in "split 1 ", "split 1 7", "split 1 2 3 5 7 1", "split 1 11 7 ":
        with CountedCalls() as counted:
            assert list(islice(match.position.suggest(1, typed), 25))
        assert counted.calls < 200_000


# The board as text


def test_the_text_board() -> None:
    assert str(after("").position) == "(0 of 6 numbers)"
    assert str(after("4, 7, 100").position) == "  1   2   3\n  4   7 100\n      ^\n(3 of 6 numbers)"
    lines = str(after(INVENTORS_EXAMPLE).position).splitlines()
    assert (
        lines[:3] == [" 1  2  3  4", " 2  3  2  5", " ^  ^  ^  ^"] and lines[-1] == "9, player 1: split 1, 12 = 2·3·2"
    )
    long = full(*range(1, 25)).play(1, "add 1")
    assert str(long.position).splitlines()[3].split() == [str(place) for place in range(13, 24)]


def test_lists_are_found_again() -> None:
    match = after(INVENTORS_EXAMPLE)
    lists = list(board(match).lists())
    assert lists[0] == (2, 3, 2, 5) and lists[-1] == (2, 4, 10, 4, 1, 10) and len(lists) == 10
    assert lists[-2] == (2, 4, 2, 5, 4, 1, 10)


# The second referee


@pytest.mark.parametrize("seed", range(12))
def test_whole_matches_agree_with_the_second_referee(seed: int) -> None:
    rng = random.Random(seed)
    seats = rng.choice(GAME.seats)
    length = min(number for number in range(4, 25) if number % seats == 0)
    largest, limit, leaving = rng.choice((10, 30, 100, 9999)), rng.choice((10, 20)), rng.choice((0, 0, 0.05))
    match = Match.start(GAME, {"length": length, "largest": largest, "limit": limit}, seats)
    referee = Referee(length, largest, limit, seats)
    while True:
        listing = rng.random() < 0.5
        seen = describe_position(match, legal=listing)
        assert (seen["to_move"], seen["ranks"], seen["scores"]) == (referee.to_move, referee.ranks, [0] * seats)
        if listing:
            assert seen["legal"] == {str(seat): referee.legal for seat in referee.to_move}
        if not referee.to_move:
            return
        if rng.random() < leaving:
            seat = rng.choice([seat for seat in range(1, seats + 1) if seat not in referee.gone])
            match = match.withdraw(seat)
            referee.leave(seat)
            continue
        move = drawn(board(match), rng)
        match = match.play(referee.next, move)
        referee.move(move)
        assert list(board(match).numbers) == referee.row


def drawn(position: CombiningDividing, rng: random.Random) -> str:
    """A legal move drawn by lot."""
    if position.is_building:
        return str(rng.randint(1, position.largest))
    able = [place for place, number in enumerate(position.numbers) if proper_divisors(number)]
    if able and (len(position.numbers) == 1 or rng.random() < 0.5):
        place = rng.choice(able)
        ways = list(islice(iter_splits(position.numbers[place]), 100))
        return f"split {place + 1} {' '.join(map(str, rng.choice(ways)))}"
    return f"add {rng.randint(1, len(position.numbers) - 1)}"


def test_numbers_that_only_moved_are_no_news() -> None:
    start = full(12, 9, 10, 4, 1, 2).position
    split = start.play(1, "split 1 4 3")
    assert split.explain_unchanged(start) == ("4 = 2·2, not prime",)
    added = split.play(2, "add 3")
    assert added.explain_unchanged(split) == ()  # 19 is prime
    assert added.play(1, "add 2").explain_unchanged(split) == ("22 = 2·11, not prime",)
    assert start.explain_unchanged(after("12", largest=9999).position)[:2] == (
        "9 = 3·3, not prime",
        "10 = 2·5, not prime",
    )


def test_no_match_has_more_pictures_than_a_message_shows() -> None:
    match = after("4, 6, 2, 2, 2, 2" + ", split 1 2 2, add 1" * 250, length=6, limit=500)
    assert match.is_over and len(GAME.pictures(board(match))) == 10


@pytest.mark.parametrize(
    ("numbers", "start", "end", "shown"),
    [
        ((2, 3, 5), 1, 2, (0, 3)),
        ((2,) * 40, 0, 1, (0, 12)),
        ((2,) * 40, 39, 40, (28, 40)),
        ((2,) * 40, 20, 21, (14, 26)),
        ((2,) * 40, 5, 35, (5, 17)),
    ],
)
def test_of_a_long_list_what_is_about_the_change_is_drawn(
    numbers: tuple[int, ...], start: int, end: int, shown: tuple[int, int]
) -> None:
    room = 12 * (READ.box.box_width(2) + READ.box.gap) + 2 * READ.dots_width
    assert visible_range(numbers, start, end, room) == shown
