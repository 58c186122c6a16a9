"""(Not)Divisors Or (Not)Multiples: what fits where, every ruling and refusal, and matches against a second referee."""

from __future__ import annotations

import math
import random
from itertools import islice

import pytest

from bot.games.options import BadOptions
from bot.games.position import MoveError, OutOfTurn, Unreadable
from bot.play.match import Match
from bot.play.records import describe_position
from cogs.not_divisors_not_multiples import GAME
from cogs.not_divisors_not_multiples import rules as not_divisors_not_multiples_rules
from cogs.not_divisors_not_multiples.picture import LongNumber, make_pages
from cogs.not_divisors_not_multiples.rules import GREATEST, NotDivisorsNotMultiples, least_fitting
from tests.contract.drawing import outside
from tests.contract.sentences import without_example
from tests.games.referees.not_divisors_not_multiples import Referee
from tests.support.sampled import sampled

INVENTORS_EXAMPLE = "d1 15, d2 5, c2 10, c3 2, b3 4, a3 8, c4 6, d4 3"


def started(size: int = 5, seats: int = 2) -> Match:
    return Match.start(GAME, {"size": size}, seats)


def after(moves: str, size: int = 5, seats: int = 2) -> Match:
    """The match after moves, each by the seat to move."""
    match = started(size, seats)
    for move in moves.split(", "):
        match = match.play(match.turn[0], move)
    return match


def board(match: Match) -> NotDivisorsNotMultiples:
    assert isinstance(match.position, NotDivisorsNotMultiples)
    return match.position


def least_at(match: Match, square: str) -> int:
    """The smallest number that fits a square, 0 for none."""
    position = board(match)
    return next(number for index, number in enumerate(position.leasts) if position.name(index) == square)


def refused(match: Match, move: str) -> str:
    with pytest.raises(MoveError) as refusal:
        match.play(match.turn[0], move)
    return without_example(refusal.value)


# The smallest number that fits


@pytest.mark.parametrize(
    ("beside", "across", "used", "smallest"),
    [
        ((), (), (), 2),
        ((7,), (), (7,), 14),
        ((6,), (), (6,), 2),
        ((6,), (), (6, 2, 3), 12),
        ((6,), (2,), (6, 2), 3),
        ((6,), (2, 3), (6, 2, 3), None),
        ((4, 6), (), (4, 6), 2),
        ((4, 6), (2,), (4, 6, 2), None),
        ((4, 9), (), (4, 9), 36),
        ((4, 9), (36,), (4, 9, 36), None),
        ((4, 9), (), (4, 9, 36), 72),
        ((4, 9), (72,), (4, 9, 72), 108),
        ((4, 9), (5,), (4, 9, 5), 36),
        # In a gap: a multiple of 4 that divides 48, and goes neither with 16 nor with 3.
        ((4, 48), (16, 3), (4, 48, 16, 3), None),
        ((4, 480), (16, 3), (4, 480, 16, 3), 20),
        ((2, 3, 36), (), (2, 3, 36), 6),
        ((2, 3, 36), (4,), (2, 3, 36, 4), 6),
        ((2, 3, 36), (9,), (2, 3, 36, 9, 6), 12),
        # What divides 720 without dividing 360 is a multiple of 16.
        ((720,), (360,), (720, 360), 16),
        ((720,), (360, 240), (720, 360, 240), 144),
        ((9973,), (), (9973,), 19946),
        ((9967, 9973), (), (9967, 9973), 9967 * 9973),
        ((9949, 9967, 9973), (), (9949, 9967, 9973), 9949 * 9967 * 9973),
        ((9949, 9967, 9973), (7,), (9949, 9967, 9973, 7), 9949 * 9967 * 9973),
        # 9941·9949·9967·9973 is below 10^18, and so is its double; its 102nd multiple is not.
        ((9941, 9949, 9967, 9973), (), (9941, 9949, 9967, 9973), 9941 * 9949 * 9967 * 9973),
    ],
)
def test_the_smallest_number(
    beside: tuple[int, ...], across: tuple[int, ...], used: tuple[int, ...], smallest: int | None
) -> None:
    assert least_fitting(beside, across, frozenset(used)) == smallest
    assert least_fitting(beside[::-1], across[::-1], frozenset(used)) == smallest


def test_no_number_is_greater_than_10_to_the_18() -> None:
    half = 2**18 * 5**18 // 2
    assert least_fitting((half,), (), frozenset((*divisors_of(half), half))) == GREATEST
    assert least_fitting((half,), (), frozenset((*divisors_of(half), half, GREATEST))) is None
    assert least_fitting((GREATEST,), (2, 5), frozenset((GREATEST, 2, 5))) is None


def divisors_of(number: int) -> list[int]:
    """Of a number whose primes are 2 and 5."""
    return [2**a * 5**b for a in range(60) for b in range(30) if number % (2**a * 5**b) == 0]


def test_numbers_with_very_many_divisors_take_no_time() -> None:
    """897612484786617600 has 103 680 divisors, as many as a number up to 10^18 can have."""
    rich = 2**8 * 3**4 * 5**2 * 7**2 * 11 * 13 * 17 * 19 * 23 * 29 * 31 * 37
    assert rich == 897612484786617600
    # All divisors but the multiples of 256, of 81, of 37·31 … divide one of these.
    across = (rich // 2, rich // 3, rich // 37, rich // 31)
    assert least_fitting((rich,), across, frozenset((rich, *across))) == 2**8 * 3**4 * 31 * 37
    assert least_fitting((rich,), (2, 3, 5, rich // 37), frozenset((rich, 2, 3, 5, rich // 37))) == 37


@pytest.mark.parametrize("seed", range(60))
def test_the_smallest_number_agrees_with_trying_all_in_turn(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(not_divisors_not_multiples_rules, "GREATEST", 3000)
    rng = random.Random(seed)
    pool = range(2, rng.choice((12, 40, 150)))
    beside = rng.sample(pool, rng.randint(0, 4))
    across = rng.sample([number for number in pool if number not in beside], rng.randint(0, 4))
    used = frozenset((*beside, *across, *rng.sample(pool, rng.randint(0, len(pool) // 2))))
    tried = (
        number
        for number in range(2, 3001)
        if number not in used
        and all(max(number, other) % min(number, other) == 0 for other in beside)
        and all(max(number, other) % min(number, other) for other in across)
    )
    assert least_fitting(beside, across, used) == next(tried, None)


# Options and turns


def test_options() -> None:
    usual = {seats: GAME.configure({}, seats).to_record()["size"] for seats in GAME.seats}
    assert usual == {2: 5, 3: 6, 4: 6, 5: 8, 6: 8, 7: 8, 8: 8}
    for size in 2, 11:
        with pytest.raises(BadOptions, match="size must be a whole number from 3 to 10, not"):
            started(size)
    for seats in 1, 9:
        with pytest.raises(BadOptions, match="is for 2 to 8 players"):
            started(5, seats)


def test_moves_are_open_and_not_listed() -> None:
    for match in started(), after("c3 6"):
        assert describe_position(match, legal=True)["legal"] == {str(match.turn[0]): None}


# What may be written


def test_the_first_number_goes_anywhere() -> None:
    for move in "a1 2", "e5 9999", "c3 97", "b1 least":
        assert board(started().play(1, move)).log
    assert board(started().play(1, "b1 least")).cells[1] == 2
    assert refused(started(), "a1 1") == (
        "You can't write 1, because numbers start at 2. The smallest number that fits a1 is 2."
    )
    assert refused(started(), "a1 0").startswith("You can't write 0, because numbers start at 2.")
    assert refused(started(), "a1 10000") == (
        "10000 is too large. A number above 9999 is allowed only where no smaller one fits. "
        "The smallest number that fits a1 is 2."
    )


def test_later_numbers_share_a_side_with_a_number() -> None:
    match = after("c3 6")
    for square in "a1", "b2", "d4", "c1":
        assert refused(match, f"{square} 5") == (f"{square} isn't beside a number. Choose a square that is.")
        assert refused(match, f"{square} least").startswith(f"{square} isn't beside a number")
    assert {board(match).name(index) for index in board(match).open_squares()} == {"c2", "b3", "d3", "c4"}


def test_a_number_goes_with_those_over_its_sides() -> None:
    match = after("c3 6, c2 2")
    for move in "b3 3", "d3 3", "c4 12", "c4 9996", "c4 3":
        assert match.play(1, move).turn == (2,)
    assert refused(match, "b3 4") == (
        "4 would be next to 6 at c3, and neither divides the other. The smallest number that fits b3 is 3."
    )


def test_a_number_goes_with_none_over_its_corners() -> None:
    match = after("c3 6, c2 2")
    assert refused(match, "d3 12") == (
        "12 would touch 2 at c2 by a corner, and 2 divides 12. The smallest number that fits d3 is 3."
    )
    match = after("b2 3, b3 12")
    assert refused(match, "c3 6") == (
        "6 would touch 3 at b2 by a corner, and 3 divides 6. The smallest number that fits c3 is 2."
    )
    match = match.play(1, "c3 4")
    assert refused(match, "c4 2").startswith("2 would touch 12 at b3 by a corner, and 2 divides 12.")
    match = after("b2 3, c2 24, c3 8")
    assert refused(match, "b3 48") == (
        "48 would touch 24 at c2 by a corner, and 24 divides 48. No number fits b3 any more."
    )


def test_equal_numbers_and_held_squares() -> None:
    match = after("c3 6, c2 2")
    assert refused(match, "d3 2") == (
        "2 is already at c2, and no number comes twice. The smallest number that fits d3 is 3."
    )
    assert refused(match, "c2 4") == "c2 already holds 2. Choose an empty square."
    assert refused(match, "c2 least") == "c2 already holds 2. Choose an empty square."


def test_where_no_small_number_fits_all_up_to_9999_times_the_smallest_do() -> None:
    # b2 takes common multiples of 59 and 67 that do not go with 7906, their double: 3 times 3953 is the smallest.
    match = after("a2 59, a1 7906, b1 67")
    assert least_at(match, "b2") == 11859 == 3 * 59 * 67
    assert match.position.read(2, "b2 least") == "b2 11859"
    assert list(islice(board(match).fitting_numbers(6), 4)) == [11859, 19765, 27671, 35577]
    # 9999 · 11859, and the next odd multiple of 3953.
    assert match.play(2, "b2 118578141").turn == (1,)
    assert refused(match, "b2 118586047") == (
        "118586047 is too large. b2 takes numbers up to 118578141, which is 9999 times the smallest that fits. "
        "The smallest number that fits b2 is 11859."
    )
    assert refused(match, "b2 3953") == (
        "3953 would touch 7906 at a1 by a corner, and 3953 divides 7906. The smallest number that fits b2 is 11859."
    )
    match = match.play(2, "b2 11859")
    # Over a side of it 3 fits.
    assert least_at(match, "c2") == 3


def test_a_large_prime_may_come_in_and_the_squares_around_it_live() -> None:
    # All that goes with 9973 is above 9999, and its double the smallest; 19997 is a prime.
    match = after(f"c3 9973, c4 {9973 * 19997}")
    assert {square: least_at(match, square) for square in ("b3", "b4", "d4", "c5")} == {
        "b3": 19946,
        "b4": 19997,
        "d4": 19997,
        "c5": 19997,
    }


def test_numbers_end_at_10_to_the_18() -> None:
    # A multiple of p and q, neither of which divides the other: p·q is above 10^18.
    p, q = 1000000007, 1000000009
    position = NotDivisorsNotMultiples(3, 2, (p, 0, 0, 0, q, 0, 0, 0, 0), (0,) * 8 + (2,))
    assert not_divisors_not_multiples_rules.greatest_allowed(10**15) == GREATEST < p * q
    with pytest.raises(MoveError, match=f"{p * q} is too large. No number can be above 10.18. No number fits b1"):
        position.play(1, f"b1 {p * q}")


def test_a_dead_square() -> None:
    match = after("b2 6, b1 2, a1 4", size=3)
    assert least_at(match, "a2") == 0
    assert refused(match, "a2 12") == (
        "12 would touch 2 at b1 by a corner, and 2 divides 12. No number fits a2 any more."
    )
    assert refused(match, "a2 least") == (
        "a2 is dead: 2 at b1 divides every common multiple of 4 and 6, and no smaller number fits. "
        "So it has no smallest number."
    )
    assert match.position.working() == (
        "a2 is dead: 2 at b1 divides every common multiple of 4 and 6, and no smaller number fits",
    )


def test_a_dead_square_is_told_once() -> None:
    before = after("b2 6, b1 2, a1 4", size=3).position
    later = before.play(2, "b3 3")
    assert later.play(1, "a3 9").working() != before.working()
    assert not [line for line in later.play(1, "a3 9").explain_unchanged(before) if line.startswith("a2")]


# The end


def test_the_inventors_example() -> None:
    match = after(INVENTORS_EXAMPLE, size=4)
    assert match.is_over and match.position.ranks() == (2, 1)
    assert match.position.scores() == (0, 0)
    assert match.position.working()[0] == "player 2 wrote the last number, 3 at d4"
    assert (
        "d3 is dead: 10 at c2 divides every common multiple of 2, 3 and 5, and no smaller number fits"
        in match.position.working()
    )
    with pytest.raises(OutOfTurn, match="The match is over"):
        match.play(1, "a1 2")


def test_all_others_rank_second() -> None:
    match = after(INVENTORS_EXAMPLE, size=4, seats=5)
    assert match.position.ranks() == (2, 2, 1, 2, 2)


def test_the_board_as_text() -> None:
    assert str(started(3).position) == "  a b c\n1 + + +\n2 + + +\n3 + + +"
    assert str(after("b2 6, b1 2, a1 4", size=3).position) == "  a b c\n1 4 2 +\n2 x 6 +\n3 . + ."


# Withdrawing


def test_seats_that_left_are_passed_over() -> None:
    match = after("c3 6, c2 2", seats=4).withdraw(4)
    assert match.turn == (3,)
    match = match.withdraw(3, "timeout")
    assert match.turn == (1,)
    match = match.play(1, "c1 4")
    assert match.turn == (2,)


def test_who_stays_and_moves_last_wins_though_others_left() -> None:
    match = started(4, 4)
    for move in INVENTORS_EXAMPLE.split(", ")[:5]:
        match = match.play(match.turn[0], move)
    # Seat 1 wrote the fifth number; it leaves, then seat 3; seats 2 and 4 write the other three in turn.
    match = match.withdraw(1).withdraw(3)
    for move in INVENTORS_EXAMPLE.split(", ")[5:]:
        match = match.play(match.turn[0], move)
    assert (match.turn, match.position.ranks()) == ((), (4, 1, 3, 2))


def test_one_who_is_left_alone_wins_before_the_end() -> None:
    match = after("c3 6, c2 2", seats=3).withdraw(2).withdraw(3)
    assert (match.turn, match.position.ranks(), match.position.working()) == ((), (1, 3, 2), ())
    with pytest.raises(OutOfTurn, match="Player 2 has already left the match."):
        started(5, 3).withdraw(2).position.withdraw(2)
    assert started().withdraw(1).position.ranks() == (2, 1)


# Reading


@pytest.mark.parametrize("text", ["d3 least", "LEAST d3", "d3=Least", "3d: least"])
def test_least_is_read_as_a_number(text: str) -> None:
    assert after("c3 6, c2 2").position.read(1, text) == "d3 3"
    assert after("c3 6, c2 2").play(1, text).record[-1] == (1, "d3 3")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("c2 007", "“007” starts with a zero. Write 7."),
        ("c2 +7", "“+7” isn't a whole number. Use only the digits 0 to 9."),
        ("c2 leas", "“leas” isn't a whole number. Use only the digits 0 to 9."),
        ("c2 12345678901234567890", "That number has 20 digits. I read at most 19."),
        ("c9 2", "c9 is off the board. Its columns are a to e, its rows 1 to 5."),
        ("least", "“least” isn't a square and a number."),
        ("c2", "“c2” isn't a square and a number."),
    ],
)
def test_what_is_no_move(text: str, sentence: str) -> None:
    with pytest.raises(Unreadable) as refusal:
        started().play(1, text)
    assert without_example(refusal.value) == sentence


# Suggestions


def offered(match: Match, part: str, typed: str) -> dict[str, str]:
    """The values that are offered for a part, with their notes."""
    suggestions = match.position.suggest(match.turn[0], typed)
    return {(GAME.moves[0].parse(move) or {})[part]: note for move, note in suggestions}


def test_squares_are_offered_with_their_smallest_numbers() -> None:
    match = after("c3 6, c2 2")
    squares = {"c1": "from 4", "b2": "from 4", "d2": "from 4", "b3": "from 3", "d3": "from 3", "c4": "from 3"}
    assert offered(match, "square", "") == squares
    assert set(offered(match, "square", "C")) == {"c1", "c4"} and set(offered(match, "square", "c 4")) == {"c4"}


def test_numbers_are_offered_with_how_they_go_with_those_beside() -> None:
    match = after("c3 6, c2 2, d2 16")
    numbers = offered(match, "number", "c4 1")
    assert list(numbers)[:3] == ["12", "18", "102"] and numbers["18"] == "6 × 3"
    assert offered(match, "number", "c4 3")["3"] == "6 ÷ 2"
    assert offered(match, "number", "c4 LE") == {"least": "3, the smallest that fits"}
    # d3 is dead, a1 beside no number, c3 held.
    assert not offered(match, "number", "d3 ") and not offered(match, "number", "a1 ")
    assert not offered(match, "number", "c3 ")
    assert not list(match.position.suggest(1, "c4 "))


# The second referee


@sampled("seed", range(5))
def test_whole_matches_agree_with_the_second_referee(seed: int) -> None:
    rng = random.Random(seed)
    seats, size, leaving = rng.choice(GAME.seats), rng.choice((3, 3, 4)), rng.choice((0, 0, 0.05))
    match, referee = started(size, seats), Referee(size, seats)
    while True:
        seen, names = describe_position(match, legal=True), referee.names()
        assert (seen["to_move"], seen["ranks"], seen["scores"]) == (referee.to_move, referee.ranks, [0] * seats)
        if not referee.to_move:
            return
        assert list(board(match).leasts) == [referee.least[name] for name in names]
        name = rng.choice(names)
        _check_offers(board(match), referee, name)
        number = rng.choice((rng.randint(0, 50), rng.randint(2, 12_000), rng.randint(2, 10**18)))
        if not referee.allows(name, number):
            refused(match, f"{name} {number}")
        if rng.random() < leaving:
            seat = rng.choice([seat for seat in range(1, seats + 1) if seat not in referee.gone])
            match = match.withdraw(seat)
            referee.leave(seat)
            continue
        able = [name for name in names if referee.least[name]]
        large = [name for name in able if referee.least[name] > 9999]
        name = rng.choice(large or able)
        number = rng.choice(referee.some(name, rng))
        match = match.play(referee.next, f"{name} {number}")
        referee.move(name, number)


def _check_offers(position: NotDivisorsNotMultiples, referee: Referee, name: str) -> None:
    """What is offered for a square is what the referee allows: all of it, or the beginning and some of the rest."""
    index = referee.names().index(name)
    if referee.least[name] <= 9999:
        assert list(position.fitting_numbers(index)) == sorted(referee.small(name))
        return
    offered = list(islice(position.fitting_numbers(index), 50))
    upto = offered[-1] if len(offered) == 50 else referee.most(name)
    assert offered == [number for number in referee.large(name, upto) if referee.allows(name, number)]
    for digits in "1", "23", "987":
        found = list(islice(position.fitting_numbers(index, digits), 20))
        assert all(referee.allows(name, number) and str(number).startswith(digits) for number in found)


def test_the_longest_numbers_fit_the_list_of_their_factors() -> None:
    richest = math.prod((2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47))
    listed = [LongNumber(0, number, "AA") for number in (richest, 2**59, 897612484786617600, 10**18)]
    (page,) = make_pages(listed, "Title", "name")
    assert not [*outside(page)]
