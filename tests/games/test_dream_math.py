"""Dream Math: pairs and grids worked out by hand, the variants and their options, refusals, and a second referee."""

from __future__ import annotations

import random
from itertools import combinations

import pytest

from bot.games.options import BadOptions
from bot.games.position import Illegal, MoveError, Unreadable
from bot.play.match import Match
from cogs.dream_math import GAME
from cogs.dream_math.rules import METHODS, DreamMath, DreamMathOptions, Methods, score_pair
from tests.contract.sentences import without_example
from tests.games.refereed import agree
from tests.games.referees.dream_math import Referee

DREAM: Methods = ("min", "gcd", "gcd", "gcd")
SIMPLE: Methods = ("gcd", "gcd", "gcd", "gcd")
INVENTORS = ("a1", "b1", "a2", "c1", "b3", "a3", "c3", "c2", "b2")
"""The order in which the inventor's grid 1 2 4 / 3 9 8 / 6 5 7 is filled."""
RATIO_PRODUCT_DIVISORS = {"variant": "house", "gcd2": "ratio", "gcd3": "product", "other": "divisors"}


def started(size: int = 3, /, **options: str) -> Match:
    return Match.start(GAME, {"size": size, **options}, 2)


def played(match: Match, *squares: str) -> Match:
    for square in squares:
        match = match.play(match.turn[0], square)
    return match


@pytest.mark.parametrize(
    ("less", "more", "dream", "simple"),
    [(1, 2, 1, 1), (2, 4, 2, 2), (3, 9, 3, 3), (8, 9, 8, 1), (5, 6, 5, 1), (4, 8, 4, 4), (12, 18, 6, 6)],
)
def test_pairs_of_the_dream_and_of_the_simple_variant(less: int, more: int, dream: int, simple: int) -> None:
    assert (score_pair(less, more, DREAM), score_pair(less, more, SIMPLE)) == (dream, simple)


@pytest.mark.parametrize(
    ("method", "two", "three", "four"),
    [
        # Of 4 and 6, of 3 and 15, of 8 and 20.
        ("gcd", 2, 3, 4),
        ("max", 6, 15, 20),
        ("min", 4, 3, 8),
        ("product", 24, 45, 160),
        ("ratio", 1, 5, 2),
        # 10 = 1 2 5 10, 18 = 1 2 3 6 9 18, 28 = 1 2 4 7 14 28.
        ("divisors", 4, 6, 6),
    ],
)
def test_methods_of_the_house(method: str, two: int, three: int, four: int) -> None:
    scores = [score_pair(*pair, ("min", method, method, method)) for pair in ((4, 6), (3, 15), (8, 20))]
    assert scores == [two, three, four] and all(type(score) is int for score in scores)


def test_the_gcd_chooses_the_method_and_house_rules_leave_gcd_1_alone() -> None:
    methods = ("min", "max", "product", "ratio")
    assert [score_pair(6, more, methods) for more in (7, 8, 9, 12)] == [6, 8, 54, 2]
    # A GCD of 5 is other than 2 and 3 as well.
    assert score_pair(5, 15, methods) == 3


@pytest.mark.parametrize("method", METHODS)
def test_all_pairs_agree_with_the_second_referee(method: str) -> None:
    referee = Referee(8, "house", method, method, method)
    for less, more in combinations(range(1, 65), 2):
        assert score_pair(less, more, ("min", method, method, method)) == referee.pair(more, less)


def test_the_inventors_grid() -> None:
    assert played(started(), *INVENTORS).position.scores() == (34, 32)
    assert played(started(variant="simple"), *INVENTORS).position.scores() == (9, 11)


def test_house_rules_on_the_inventors_grid_by_hand() -> None:
    position = played(started(3, **RATIO_PRODUCT_DIVISORS), *INVENTORS).position
    assert position.working() == (
        "row 1: 1 + 2 = 3, a prime: 3 + 5 = 8",
        "row 2: 27 + 8 = 35",
        "row 3: 5 + 5 = 10",
        "rows: 8 + 35 + 10 = 53",
        "column a: 1 + 18 = 19, a prime: 19 + 5 = 24",
        "column b: 2 + 5 = 7, a prime: 7 + 5 = 12",
        "column c: 6 + 7 = 13, a prime: 13 + 5 = 18",
        "columns: 24 + 12 + 18 = 54",
    )
    assert (position.scores(), position.ranks()) == ((53, 54), (2, 1))


def test_house_rules_without_any_are_the_dream() -> None:
    assert played(started(variant="house"), *INVENTORS).position.scores() == (34, 32)


def test_on_an_unfinished_board_the_pairs_that_stand_count_primes_included() -> None:
    position = played(started(4), "a1", "a2", "b1", "b2", "d1").position
    # Row 1 is 1 3 . 5 with one pair, which scores 1; row 2 is 2 4, which scores 2, a prime. Column a is 1 2: 1.
    # Column b is 3 4, with GCD 1: 3, a prime.
    assert position.scores() == (1 + 7, 1 + 8)
    assert position.working()[:3] == (
        "row 1: 1",
        "row 2: 2, a prime: 2 + 5 = 7",
        "row 3: no pairs, scores 0",
    )
    assert started().position.scores() == (0, 0)


def test_the_number_follows_from_the_turn() -> None:
    match = played(started(), "b2", "a1", "c3")
    assert isinstance(match.position, DreamMath)
    assert match.position.cells == (2, 0, 0, 0, 1, 0, 0, 0, 3)
    assert (match.turn, match.position.find_next_number(2)) == ((2,), 4)


# Options


@pytest.mark.parametrize("variant", [{}, {"variant": "dream"}, {"variant": "simple"}])
@pytest.mark.parametrize("name", ["gcd2", "gcd3", "other"])
@pytest.mark.parametrize("method", ["gcd", "product"])
def test_methods_go_with_house_alone_even_the_default(variant: dict[str, str], name: str, method: str) -> None:
    with pytest.raises(BadOptions) as refusal:
        Match.start(GAME, {**variant, name: method}, 2)
    assert without_example(refusal.value) == f"{name} only works with the variant house. Choose house, or leave it out."


def test_a_record_has_the_methods_of_house_and_of_no_other_variant() -> None:
    assert started().to_json()["options"] == {"size": 3, "variant": "dream"}
    assert started(variant="simple").to_json()["options"] == {"size": 3, "variant": "simple"}
    house = started(variant="house", gcd3="max").to_json()["options"]
    assert house == {"size": 3, "variant": "house", "gcd2": "gcd", "gcd3": "max", "other": "gcd"}
    for match in (started(), started(variant="simple"), started(variant="house", gcd3="max")):
        assert Match.start(GAME, match.to_json()["options"], 2) == match


def test_what_each_variant_scores() -> None:
    assert DreamMathOptions().methods == DREAM
    assert DreamMathOptions(variant="simple").methods == SIMPLE
    assert DreamMathOptions.read(RATIO_PRODUCT_DIVISORS, 2).methods == ("min", "ratio", "product", "divisors")


# Refusals


REFUSED = (
    ("A1", "a1 already holds 1. Put 3 into an empty square."),
    ("b2", "b2 already holds 2. Put 3 into an empty square."),
    ("d1", "d1 is off the board. Its columns are a to c, its rows 1 to 3."),
    ("c3 3", "“c3 3” isn't a square. Write a column letter and a row number."),
)


@pytest.mark.parametrize(("text", "sentence"), REFUSED)
def test_refusals_name_the_rule(text: str, sentence: str) -> None:
    with pytest.raises(MoveError) as refusal:
        played(started(), "a1", "b2").play(1, text)
    assert without_example(refusal.value) == sentence
    assert isinstance(refusal.value, Illegal if "already" in sentence else Unreadable)


def test_the_text_board() -> None:
    assert str(played(started(4), "a1", "a2", "b1", "b2", "d1").position) == "\n".join(
        [
            "  a b c d",
            "1 1 3 . 5  1",
            "2 2 4 . .  7",
            "3 . . . .  0",
            "4 . . . .  0",
            "  1 8 0 0",
        ]
    )


@pytest.mark.parametrize("seed", range(12))
def test_whole_matches_agree_with_the_second_referee(seed: int) -> None:
    rng = random.Random(seed)
    size, variant = rng.choice((3, 4, 5)), rng.choice(("dream", "simple", "house"))
    chosen = {name: rng.choice(list(METHODS)) for name in ("gcd2", "gcd3", "other") if variant == "house"}
    agree(started(size, variant=variant, **chosen), Referee(size, variant, **chosen), rng, leaving=0.02)
