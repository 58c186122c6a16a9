"""The computing: solving a board, and one match of the computer against itself, always the same from the same seed."""

from __future__ import annotations

from random import Random

from bot.engine.exact import ExactSolver, SearchTooLarge, can_be_solved, compute_margins, compute_results
from bot.engine.levels import make_thorough_budget
from bot.engine.search import think
from bot.games.game import Game
from bot.games.position import Position
from tests.fairness.cells import Cell
from tests.fairness.digests import begun

NODES = 1_000_000
"""How many positions are looked at to solve a board, at the most: a minute or two."""
LONGEST = 2000
"""So many moves a match takes at most; then the running result counts."""
MANY = 10**6
"""More than anybody is ahead by."""
SIGNS = {1: "+", 0: "=", -1: "-"}
"""How a result is written down: for the first of the two, a tie, against it."""


def solve(cell: Cell) -> int | None:
    """By how much seat 1 is ahead at the end or after a round if nobody errs; None where that takes too long."""
    game, position = begun(cell)
    if cell.how == "round":
        return _round(game, position, -MANY, MANY)
    if not can_be_solved(position, game.mind):
        return None
    solver = ExactSolver(game.mind, NODES, Random(0))
    if solver.is_hopeless(position):
        return None
    try:
        return int(solver.solve_value(position))
    except SearchTooLarge:
        return None


def _round(game: Game, position: Position, low: int, high: int) -> int:
    """By how much seat 1 is ahead after the first round of two, by alpha-beta."""
    if position.round > 1:
        return int(compute_margins(compute_results(position, game.mind))[0])
    seat, best = position.turn[0], 0
    for at, move in enumerate(position.moves(seat)):
        value = _round(game, position.play(seat, move), low, high)
        best = value if not at else max(best, value) if seat == 1 else min(best, value)
        low, high = (max(low, best), high) if seat == 1 else (low, min(high, best))
        if low >= high:
            break
    return best


def sign(value: float) -> str:
    """A result as it is written down."""
    return SIGNS[(value > 0) - (value < 0)]


def match(cell: Cell, number: int) -> tuple[str, int]:
    """The results of one match, a sign each, and how many moves it took; of several seats the one that came first."""
    game, position = begun(cell)
    swapped = cell.how == "skill" and number % 2
    ahead: list[float] = []
    ply = 0
    while position.turn and ply < LONGEST:
        seat, round = position.turn[0], position.round
        weak = cell.how == "skill" and (seat == 1) == bool(swapped)
        allowed = make_thorough_budget(game, position, cell.level - weak)
        move = think(position.seen_by(seat), seat, game.mind, allowed, f"{number}:{ply}:{cell.row}").move
        position = position.play(seat, move)
        ply += 1
        if position.round != round or not position.turn:
            ahead.append(compute_margins(compute_results(position, game.mind))[0])
    if cell.how == "seats":
        first = [seat for seat, each in enumerate(compute_margins(compute_results(position, game.mind)), 1) if each > 0]
        return (str(first[0]) if first else "="), ply
    if cell.how == "roles":
        # What each round adds, for its first role: seat 1 has it in every other round, from the first on.
        added = [after - before for before, after in zip([0, *ahead], ahead, strict=False)]
        return "".join(sign(-each if at % 2 else each) for at, each in enumerate(added)), ply
    return sign(-ahead[-1] if swapped else ahead[-1]), ply
