"""The minds of the games in which squares are filled: each end they draw is one that can be played, and counted right.

That the ends are as likely as by playing, and that positions with one key are worth the same, is tried for all games
together; here is what is particular to these.
"""

from __future__ import annotations

from collections import Counter
from itertools import permutations
from math import comb
from random import Random

import pytest

from bot.games.catalogue import load_games
from bot.games.mind import choose_random_squares
from bot.games.position import Position
from cogs.palindromes_antipalindromes.mind import count_lengths as palindromes
from cogs.palindromes_antipalindromes.rules import Palindromes
from cogs.polygons_permutation_grid.polygons import find_polygons
from cogs.polygons_permutation_grid.rules import count_polygons as regions
from cogs.sum_kind_of_game.mind import count_sums
from cogs.sum_kind_of_game.rules import find_sums as found
from tests.support.sampled import sampled

GAMES: dict[str, dict[str, object]] = {
    "binary-primes": {"size": 3},
    "another-binary-primes": {"squares": 9},
    "palindromic-rows-columns": {"size": 5},
    "palindromes-antipalindromes": {"length": 9},
    "sum-kind-of-game": {"size": 4},
    "multiples-divisors-blob": {"size": 6},
    "dream-math": {"size": 3, "variant": "house", "gcd2": "product"},
    "divisor-over-sums": {"size": 3},
    "polygons-permutation-grid": {"size": 5},
}
"""The games, and options with which they are short."""


def started(key: str, options: dict[str, object]) -> Position:
    game = load_games()[key]
    return game.start(game.configure(options, 2), 2)


def played(position: Position, plies: int, rng: Random) -> Position:
    for _ in range(plies):
        if position.turn:
            seat = position.turn[0]
            position = position.play(seat, rng.choice(list(position.moves(seat))))
    return position


def ends(key: str, position: Position) -> set[tuple[int, ...]]:
    """The scores with which a match can end, where a mind's candidates are the only moves."""
    mind = load_games()[key].mind
    if not position.turn:
        return {position.scores()}
    seat, rng = position.turn[0], Random(1)
    moves = mind.candidates(position, seat, rng) if mind.candidates else list(position.moves(seat))
    return set[tuple[int, ...]]().union(*(ends(key, position.play(seat, move)) for move in moves))


@sampled("key", GAMES, few=3)
def test_of_few_possible_ends_a_rollout_draws_each_and_no_other(key: str) -> None:
    rng, rollout = Random(key), load_games()[key].mind.rollout
    assert rollout
    whole = 0
    position = started(key, GAMES[key])
    while played(position, 1, rng).turn:
        whole, position = whole + 1, played(position, 1, rng)
    for left in range(3):
        position = played(started(key, GAMES[key]), whole + 1 - left, rng)
        assert {tuple(rollout(position, rng)) for _ in range(1500)} == ends(key, position)


@pytest.mark.parametrize("key", GAMES)
def test_a_rollout_of_a_finished_match_is_its_result(key: str) -> None:
    rng, rollout = Random(key), load_games()[key].mind.rollout
    position = played(started(key, GAMES[key]), 1000, rng)
    assert rollout
    assert tuple(rollout(position, rng)) == position.scores()


@pytest.mark.parametrize("key", ["palindromic-rows-columns", "sum-kind-of-game"])
def test_candidates_leave_out_only_what_another_stands_for(key: str) -> None:
    game, rng = load_games()[key], Random(7)
    candidates, likeness = game.mind.candidates, game.mind.key
    assert candidates
    assert likeness
    for plies in range(0, 12, 2):
        position = played(started(key, GAMES[key]), plies, rng)
        seat = position.turn[0]
        chosen = [likeness(position.play(seat, move)) for move in candidates(position, seat, rng)]
        assert set(chosen) == {likeness(position.play(seat, move)) for move in position.moves(seat)}


def test_the_best_divisor_is_the_only_candidate() -> None:
    game, rng = load_games()["divisor-over-sums"], Random(3)
    position = played(started("divisor-over-sums", {"size": 3}), 9, rng)
    assert game.mind.candidates
    (move,) = game.mind.candidates(position, 1, rng)
    scores = {each: position.play(1, each).scores()[0] for each in position.moves(1)}
    assert scores[move] == max(scores.values())


@pytest.mark.long
def test_regions_are_counted_as_they_are_found() -> None:
    rng = Random(11)
    some = [
        *permutations(range(5)),
        *(tuple(rng.sample(range(size), size)) for size in (8, 11, 14) for _ in range(40)),
    ]
    for columns in some:
        cut = [len(corners) for corners in find_polygons(columns)]
        assert regions(columns) == (cut.count(3), len(cut) - cut.count(3)), columns


def test_palindromes_are_counted_as_they_are_found() -> None:
    rng = Random(12)
    for length in (8, 9, 16, 40):
        for _ in range(50):
            row = rng.getrandbits(length) if rng.random() < 0.7 else rng.choice((0, 1)) * ((1 << length) - 1)
            assert palindromes(row, length) == Palindromes(f"{row:0{length}b}").scores()


def test_sums_are_counted_as_they_are_found() -> None:
    rng = Random(13)
    for _ in range(300):
        line = tuple(rng.choice(range(1, 13)) for _ in range(6))
        if max(Counter(line).values()) < 3:  # a match has every number twice
            assert count_sums(line) == len(found(line)), line


@pytest.mark.parametrize("wanted", [0, 1, 2, 3, 5])
def test_every_choice_of_squares_is_as_likely(wanted: int) -> None:
    rng, empty = Random(wanted), 0b1101101
    drawn = Counter(choose_random_squares(empty, wanted, rng) for _ in range(6000))
    assert all(board & ~empty == 0 and board.bit_count() == wanted for board in drawn)
    assert len(drawn) == comb(5, wanted)
    expected = 6000 / len(drawn)
    assert all(abs(times - expected) < 5 * expected**0.5 for times in drawn.values())
