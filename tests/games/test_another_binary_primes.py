"""Another Binary Primes: which primes a column holds, every refusal, and whole matches against a second referee."""

from __future__ import annotations

import random

import pytest

from bot.games.options import BadOptions
from bot.games.position import Illegal, OutOfTurn, Unreadable
from bot.play.match import Match
from cogs.another_binary_primes import GAME
from cogs.another_binary_primes.rules import (
    AnotherBinaryPrimes,
    AnotherBinaryPrimesOptions,
    Run,
    count_primes,
    find_primes,
)
from tests.contract.sentences import without_example
from tests.games.refereed import agree
from tests.games.referees.another_binary_primes import Referee, prime, primes_in


def started(squares: int = 8) -> Match:
    return Match.start(GAME, {"squares": squares}, 2)


def played(match: Match, *squares: int) -> Match:
    for square in squares:
        match = match.play(match.turn[0], str(square))
    return match


def column(line: str) -> AnotherBinaryPrimes:
    return AnotherBinaryPrimes(len(line), (int(line[::-1], 2), 0))


def refused(match: Match, seat: int, text: str, kind: type[Exception]) -> str:
    with pytest.raises(kind) as refusal:
        match.play(seat, text)
    return without_example(refusal.value)


# What counts


@pytest.mark.parametrize(
    ("line", "down", "up"),
    [
        ("00000000", set[int](), set[int]()),
        # A single mark: 10 = 2 where an empty square follows in the order of reading, and 1 is no prime.
        ("10000000", {2}, set[int]()),
        ("00000001", set[int](), {2}),
        ("00010000", {2}, {2}),
        # Zeros in front do not make another number of 011.
        ("00000011", {3}, {2, 3}),
        ("11111000", {2, 3, 7, 31}, {3, 7, 31}),
        # 1101 is 13 from the top and 11 from the bottom; 101 is 5 from both ends.
        ("11010000", {2, 3, 5, 13}, {2, 3, 5, 11}),
    ],
)
def test_which_primes_are_read_from_either_end(line: str, down: set[int], up: set[int]) -> None:
    position = column(line)
    assert [{run.prime for run in position.prime_runs(seat)} for seat in (1, 2)] == [down, up]
    assert position.scores() == (len(down), len(up))


@pytest.mark.parametrize("length", range(1, 12))
def test_every_column_has_the_primes_of_the_second_referee(length: int) -> None:
    for value in range(2**length):
        line = f"{value:0{length}b}"
        assert {run.prime for run in find_primes(line)} == primes_in(line)


def test_the_second_referee_knows_its_primes() -> None:
    sieve = {value for value in range(2, 4000) if all(value % low for low in range(2, int(value**0.5) + 1))}
    assert {value for value in range(4000) if prime(value)} == sieve
    assert prime(2**31 - 1) and prime(2**48 - 59) and not prime(2**47 - 1) and not prime(3215031751)


def test_a_prime_counts_once_and_is_shown_where_it_is_first_read() -> None:
    assert find_primes("1101011") == (
        Run(2, 1, 2),
        Run(3, 0, 1),
        Run(5, 1, 3),
        Run(11, 3, 6),
        Run(13, 0, 3),
        Run(43, 1, 6),
        Run(53, 0, 5),
        Run(107, 0, 6),
    )


def test_the_largest_column_holds_primes_of_48_digits() -> None:
    line = f"{2**48 - 59:b}"
    assert len(line) == 48 and find_primes(line)[-1] == Run(2**48 - 59, 0, 47)


def test_how_a_score_comes_about() -> None:
    position = played(started(), 4, 6, 1, 5).position
    assert position.working() == (
        "from the top: 2 = 10, squares 1 to 2",
        "from the top: 3 = 11, squares 4 to 5",
        "from the top: 7 = 111, squares 4 to 6",
        "from the top: 19 = 10011, squares 1 to 5",
        "from the top: 4 primes",
        "from the bottom: 2 = 10, squares 4 to 3",
        "from the bottom: 3 = 11, squares 6 to 5",
        "from the bottom: 7 = 111, squares 6 to 4",
        "from the bottom: 3 primes",
    )
    assert started().position.working() == ("from the top: no primes", "from the bottom: no primes")
    assert played(started(), 1).position.working()[1] == "from the top: 1 prime"


# Options, turns and the end


def test_the_column_has_8_to_48_squares_and_usually_17() -> None:
    assert GAME.configure({}, 2) == AnotherBinaryPrimesOptions(17)
    strange = {"“16”": "16", "true": True, "null": None}
    for told, squares in [*strange.items(), *((str(number), number) for number in (7, 49, 0, -8, 16.0))]:
        with pytest.raises(BadOptions) as refusal:
            GAME.configure({"squares": squares}, 2)
        assert without_example(refusal.value) == f"squares must be a whole number from 8 to 48, not {told}."
    for seats in 1, 3:
        with pytest.raises(BadOptions, match="is for 2 players"):
            GAME.configure({}, seats)


def test_an_even_column_can_be_copied_and_that_is_advised() -> None:
    advice = GAME.challenge_note(AnotherBinaryPrimesOptions(16), 2)
    assert advice and "the second player can copy every mark from the other end and draw" in advice
    assert GAME.challenge_note(AnotherBinaryPrimesOptions(17), 2) is None
    match = started(16)
    for square in (3, 4, 11, 16):
        match = played(match, square, 17 - square)
    assert match.position.ranks() == (1, 1)


@pytest.mark.parametrize(("squares", "each"), [(8, 2), (9, 2), (10, 2), (11, 2), (12, 3), (16, 4), (47, 11), (48, 12)])
def test_each_seat_marks_a_quarter_rounded_down(squares: int, each: int) -> None:
    match, turns = started(squares), list[int]()
    rng = random.Random(squares)
    while match.turn:
        turns += match.turn
        match = played(match, int(rng.choice(list(match.position.moves(match.turn[0])))))
    assert turns == [1, 2] * each
    assert len(str(match.position).replace("from", "").split(".")) - 1 == squares - 2 * each
    assert refused(match, 1, "1", OutOfTurn) == "The match is over, so nothing can be played any more."


def test_more_primes_win_and_as_many_are_a_draw() -> None:
    assert (column("10011100").scores(), played(started(), 4, 6, 1, 5).position.ranks()) == ((4, 3), (1, 2))
    assert (column("00111001").scores(), played(started(), 3, 4, 5, 8).position.ranks()) == ((3, 4), (2, 1))
    even = played(started(), 1, 2, 7, 8).position
    assert (len(set(even.scores())), even.ranks()) == (1, (1, 1))


# Reading and refusing


@pytest.mark.parametrize("text", ["5", " 5 ", "5\t", "\n5"])
def test_spaces_do_not_matter(text: str) -> None:
    assert started().position.read(1, text) == "5"


@pytest.mark.parametrize(
    "text", ["a5", "1 2", "1,2", "5.", "05", "+5", "five", "٣", "１", "0", "9", "9" * 20, "mark 5"]
)
def test_no_other_form_is_read(text: str) -> None:
    with pytest.raises(Unreadable):
        started().position.read(1, text)


@pytest.mark.parametrize(
    ("text", "kind", "sentence"),
    [
        ("9", Unreadable, "“9” isn't a square. The column has squares 1 to 8."),
        ("0", Unreadable, "“0” isn't a square. The column has squares 1 to 8."),
        ("b", Unreadable, "“b” isn't a whole number. Use only the digits 0 to 9."),
        (
            "3",
            Illegal,
            "Player 1 has already marked square 3. Mark an empty one. Still empty: 1, 2, 5, 6, 7 and 8.",
        ),
        (
            "4",
            Illegal,
            "Player 2 has already marked square 4. Mark an empty one. Still empty: 1, 2, 5, 6, 7 and 8.",
        ),
    ],
)
def test_refusals_say_what_is_wrong(text: str, kind: type[Exception], sentence: str) -> None:
    assert refused(played(started(), 3, 4), 1, text, kind) == sentence


def test_many_empty_squares_are_not_named() -> None:
    match = played(started(16), 3)
    assert refused(match, 2, "3", Illegal) == "Player 1 has already marked square 3. Mark an empty one."
    assert refused(match, 1, "4", OutOfTurn) == "It isn't player 1's turn. Player 2 is to move."


def test_the_text_board() -> None:
    lines = str(played(started(10), 10, 2).position).splitlines()
    assert lines == [
        *(" 1 .", " 2 O", " 3 .", " 4 .", " 5 .", " 6 .", " 7 .", " 8 .", " 9 .", "10 #"),
        *("from the top: 2 257", "from the bottom: 2 257"),
    ]
    assert str(started().position).endswith("no prime from the top\nno prime from the bottom")


# The second referee


@pytest.mark.parametrize("seed", range(10))
def test_whole_matches_agree_with_the_second_referee(seed: int) -> None:
    rng = random.Random(seed)
    squares, leaving = rng.choice((8, 17, rng.randint(8, 48))), rng.choice((0, 0, 0.05))
    agree(started(squares), Referee(squares), rng, leaving)


def test_primes_are_counted_as_they_are_listed() -> None:
    rng = random.Random(21)
    for squares in (8, 17, 30, 48):
        for _ in range(40):
            digits = rng.getrandbits(squares) & rng.getrandbits(squares)
            assert count_primes(digits) == len(find_primes(f"{digits:0{squares}b}"))
