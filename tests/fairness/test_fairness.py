"""What docs/fairness.md and challenges say of whom a board favours: only what was computed."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from bot.engine import levels
from bot.engine import search as engine_search
from bot.games import game
from bot.games.catalogue import load_games
from bot.games.game import Game, WinShare
from bot.games.options import BadOptions
from cogs.binary_primes.rules import BinaryPrimes
from tests.fairness import digests, ledger
from tests.fairness.cells import Cell, Chosen, cells
from tests.fairness.digests import digest
from tests.fairness.ledger import Found, Ledger, series, stable
from tests.fairness.measuring import match, solve
from tests.fairness.page import PAGE, filled

LONGEST = 150
"""The most characters of a remark on a challenge."""


@cache
def kept() -> Ledger:
    """What was computed."""
    return ledger.read()


def boards(game: Game) -> Iterator[Chosen]:
    """The usual board, those that differ from it in one option, and those that are solved."""
    yield ()
    yield from (cell.options for cell in kept() if cell.game == game.key and cell.how == "exact")
    for name, bounds in game.Options.bounds().items():
        yield from (((name, value),) for value in range(bounds.low, bounds.high + 1))


def edges(game: Game) -> Iterator[tuple[Chosen, str]]:
    """What a game says of its boards for two; of the usual one with its option named."""
    for options in boards(game):
        try:
            chosen = game.configure(dict(options), 2)
        except BadOptions:
            continue
        if edge := game.seat_advantage(chosen, 2):
            yield options, edge


def exact(found: Ledger, game: Game, options: Chosen) -> int | None:
    """The value of a board, however its options are named."""
    board = game.configure(dict(options), 2)
    solved = (each for cell, each in found.items() if cell.game == game.key and cell.how == "exact")
    return next((each.value for each in solved if game.configure(dict(each.cell.options), 2) == board), None)


@pytest.mark.minutes
def test_every_cell_was_computed_by_the_rules_the_mind_and_the_search_that_are_here() -> None:
    fresh = ledger.fresh(kept())
    old = [cell.row for cell in kept() if cell not in fresh]
    assert not old, "make fairness computes these anew, with --matches 0 it forgets them"


PLAYED = Cell("binary-primes", (("size", 7),), "play", 2)
SOLVED = Cell("binary-primes", (("size", 3),), "exact")


def mind(planted: pytest.MonkeyPatch) -> None:
    game = load_games()[PLAYED.game]
    other = replace(game, mind=replace(game.mind, trust=0.25))
    planted.setattr(digests, "load_games", lambda: {**load_games(), game.key: other})


def rules(planted: pytest.MonkeyPatch) -> None:
    def scores(position: BinaryPrimes) -> tuple[int, int]:
        return position.plies, 0

    planted.setattr(BinaryPrimes, "scores", scores)


def search(planted: pytest.MonkeyPatch) -> None:
    planted.setattr(engine_search, "WEIGHT", 0.7)


def level(planted: pytest.MonkeyPatch) -> None:
    planted.setattr(levels, "QUARTER", 3)


@pytest.mark.parametrize(
    ("change", "aged"),
    [(mind, [PLAYED]), (rules, [SOLVED, PLAYED]), (search, [PLAYED]), (level, [PLAYED])],
    ids=lambda it: getattr(it, "__name__", ""),
)
def test_other_rules_another_mind_or_search_make_a_cell_old(
    change: Callable[[pytest.MonkeyPatch], None], aged: list[Cell], monkeypatch: pytest.MonkeyPatch
) -> None:
    found = {cell: Found(cell, digest(cell)) for cell in (SOLVED, PLAYED)}
    assert ledger.old(found) == [] and ledger.fresh(found) == found
    digests.forget()
    change(monkeypatch)
    assert ledger.old(found) == [str(cell.row) for cell in aged]
    assert [*ledger.fresh(found)] == [cell for cell in found if cell not in aged]
    monkeypatch.undo()
    digests.forget()


@pytest.mark.parametrize("key", [key for key, game in load_games().items() if 2 in game.seats])
def test_challenges_say_only_what_was_computed(key: str) -> None:
    for options, edge in edges(load_games()[key]):
        assert len(edge) <= LONGEST
        # An option may be named and be the usual one; its board is kept under the one that says how large it is.
        same = load_games()[key].configure(dict(options), 2) == load_games()[key].configure({}, 2)
        board = usual(load_games()[key]) if same else options
        value = exact(kept(), load_games()[key], board)
        if edge.startswith("With best play"):
            assert value is not None and edge == game.describe_margin(value), board
        elif edge.startswith("When the computer plays itself"):
            found = series(kept(), key, board, "play")
            assert stable(found) and edge == game.describe_share(told(found[-1])), board
        else:
            assert not re.search(r"\d{2}", edge), f"{edge} has a figure that no computation is behind"


def told(found: Found) -> WinShare:
    """What a challenge says of a share."""
    low, high = found.interval
    return WinShare(found.cell.level, round(100 * low), round(100 * high))


def usual(game: Game) -> Chosen:
    """The usual board by the option that says how large it is."""
    name, _ = next(iter(game.Options.bounds().items()))
    return ((name, getattr(game.configure({}, 2), name)),)


def test_the_page_has_the_tables_of_what_was_computed() -> None:
    text = PAGE.read_text()
    assert filled(text, kept()) == text, "make fairness writes the tables anew"


def test_small_boards_are_solved_as_it_is_kept() -> None:
    for cell in (Cell("plexus", (("size", 3),), "exact"), Cell("another-binary-primes", (("squares", 8),), "exact")):
        assert solve(cell) == kept()[cell].value


def test_a_match_is_the_same_from_the_same_seed() -> None:
    cell = Cell("palindromes-antipalindromes", (("length", 12),), "play", 2)
    assert match(cell, 3) == match(cell, 3)
    results, plies = match(Cell("polygons-permutation-grid", (("size", 4),), "roles", 2), 1)
    assert len(results) == 2 and set(results) <= set("+=-") and plies == 8


def found(game: str, size: int, *shares: int) -> list[Found]:
    """Results of 40 matches for each level, of which so many were won."""
    named = Cell(game, (("size", size),), "play")
    return [Found(named, "", None, "+" * won + "-" * (40 - won)) for won in shares]


@pytest.mark.parametrize(
    ("shares", "is_figure"),
    [((20, 20, 20), True), ((20, 20), False), ((30, 20, 10), False), ((10, 12, 11), True), ((2, 11, 11, 10), True)],
)
def test_a_share_is_a_figure_when_two_more_levels_do_not_change_it(shares: tuple[int, ...], is_figure: bool) -> None:
    assert stable(found("plexus", 7, *shares)) == is_figure


def test_no_share_is_a_figure_against_a_proof() -> None:
    assert not stable(found("sum-of-products", 6, 34, 34, 34))
    assert stable(found("sum-of-products", 5, 34, 34, 34))
    assert not stable(found("sum-of-products", 5, 4, 4, 4))


def test_what_is_kept_is_read_back(tmp_path: Path) -> None:
    path = tmp_path / "kept.jsonl"
    ledger.write(kept(), path)
    assert ledger.read(path) == kept()


def test_every_kept_cell_is_one_that_is_computed() -> None:
    assert set(kept()) <= {cell for key in load_games() for cell in cells(key)}
