"""Values that the search calls certain are true: found by another program, or fixed here from our own."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations
from random import Random

import pytest

from bot.engine.exact import ExactSolver, SearchTooLarge, can_be_solved, compute_margins, compute_results
from bot.engine.search import think
from bot.games.catalogue import load_games
from bot.games.mind import Budget, Mind
from bot.games.position import Position
from cogs.binary_primes.rules import BinaryPrimes, BinaryPrimesOptions
from tests.arena.solved import INVENTED, OWN, Row, rows, value
from tests.search.moments import small
from tests.support.sampled import sampled

QUICK = 2500
"""Boards that take no more nodes are solved whenever the tests run, the others by `python -m tests.arena --exact`."""


def name(row: Row) -> str:
    return " ".join([row["game"], *map(str, row["options"].values())])


@pytest.mark.parametrize("row", [row for row in rows(OWN) if row["nodes"] <= QUICK], ids=name)
def test_values_found_before_are_found_again(row: Row) -> None:
    assert value(row)[0] == row["value"]


@pytest.mark.skipif(not INVENTED.exists(), reason="the known values are not here: they are in ../shared")
def test_values_that_another_program_found_hold() -> None:
    """Those that take longer stand in our own list, so that their values are compared there."""
    own = {name(row): row for row in rows(OWN)}
    for row in rows(INVENTED):
        assert own[name(row)]["value"] == row["value"], row
        if own[name(row)]["nodes"] <= QUICK:
            assert value(row)[0] == row["value"], row


def plainly(position: Position, mind: Mind) -> tuple[float, ...]:
    """By how much each seat is ahead at the end if all play for their own margin, found by looking at everything."""
    if not position.turn:
        return compute_margins(compute_results(position, mind))
    seat = position.turn[0]
    moves = ExactSolver(mind, 0, Random(1)).list_candidate_moves(position, seat)
    return max((plainly(position.play(seat, move), mind) for move in moves), key=lambda it: it[seat - 1])


def near_the_end(key: str, seats: int, left: int, seed: int) -> Position:
    game, rng = load_games()[key], Random(seed)
    match = small(game, seats)
    positions = [match.position]
    while positions[-1].turn:
        seat = positions[-1].turn[0]
        positions.append(positions[-1].play(seat, rng.choice(list(positions[-1].moves(seat)))))
    return positions[max(0, len(positions) - 1 - left)]


@sampled("key", ["plexus", "another-binary-primes", "palindromes-antipalindromes", "dream-math"])
def test_a_solved_thought_is_that_of_looking_at_everything(key: str) -> None:
    """The value, and that of every move, where the nodes reach for all."""
    game = load_games()[key]
    for seed in range(6):
        position = near_the_end(key, 2, 4, seed)
        seat = position.turn[0]
        found = think(position, seat, game.mind, Budget(4, 20_000), str(seed))
        assert found.exact
        assert found.value == plainly(position, game.mind)[seat - 1]
        for move, worth, _ in found.table:
            assert worth == plainly(position.play(seat, move), game.mind)[seat - 1]
        assert [worth for _, worth, _ in found.table] == sorted((it.value for it in found.table), reverse=True)


def test_several_seats_play_each_for_itself() -> None:
    game = load_games()["divisors-multiples-sequence"]
    position = game.start(game.configure({"r": 6}, 3), 3)
    assert can_be_solved(position, game.mind)
    found = think(position, 1, game.mind, Budget(4, 5000), "1")
    assert found.exact and found.value == plainly(position, game.mind)[0]
    assert tuple(ExactSolver(game.mind, 5000, Random(1)).solve_margins(position)) == plainly(position, game.mind)


def test_the_table_does_not_change_what_is_found() -> None:
    """Whatever is asked before: bounds that are kept from one question hold for the next."""
    game = load_games()["another-binary-primes"]
    position = near_the_end("another-binary-primes", 2, 6, 3)
    children = [position.play(position.turn[0], move) for move in position.moves(position.turn[0])][:3]
    alone = {child: ExactSolver(game.mind, 20_000, Random(1)).solve_value(child) for child in children}
    for order in permutations(children):
        solver = ExactSolver(game.mind, 20_000, Random(1))
        for low in (-3, 0, 2):
            solver.solve_value(order[0], low, low + 1)
        assert [solver.solve_value(child) for child in order] == [alone[child] for child in order]


def test_too_few_nodes_say_nothing() -> None:
    game = load_games()["plexus"]
    found = think(small(game).position, 1, game.mind, Budget(4, 20), "1")
    assert not found.exact


def test_nothing_is_certain_before_moves_that_are_open() -> None:
    """Two chords are left to be drawn after this round, and only some of the circle is worth a thought."""
    game = load_games()["cross-dont-cross"]
    position = game.start(game.configure({"chords": 2}, 2), 2).play(1, "0-90").play(1, "180-270")
    assert position.turn == (2,) and not position.open_to(2)
    with pytest.raises(SearchTooLarge):
        ExactSolver(game.mind, 20_000, Random(1)).solve_value(position)
    assert not think(position, 2, game.mind, Budget(4, 20_000), "1").exact


@pytest.mark.long
@pytest.mark.parametrize(("size", "value"), [(2, -5), (4, -46)])
def test_no_small_even_board_of_binary_primes_is_an_exception(size: int, value: int) -> None:
    """Seat 2 can force a win there, as on most; no match begins on an even board, so it is made from an odd one."""
    game = load_games()["binary-primes"]
    board = replace(BinaryPrimes.start(BinaryPrimesOptions(size=3), 2), size=size)
    assert ExactSolver(game.mind, 20_000, Random(0)).solve_value(board) == value
