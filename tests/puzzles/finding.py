"""Finds positions in which exactly one move keeps the best result, and which a beginner mostly gets wrong.

A match is played by somebody who looks at little and errs often. From its end on backwards every position is solved,
as long as that takes few nodes; the last that is a good puzzle, and takes more than so many nodes, is taken. The same
seed finds the same puzzles.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from random import Random
from typing import Any

from bot.core.game.game import Game
from bot.core.game.mind import Budget
from bot.core.game.position import Position
from bot.core.match.record import Move
from bot.core.values.computer_users import LEVELS
from bot.core.values.seats import Seat
from bot.search.exact import Solver, TooMany, solved
from bot.search.levels import thorough
from bot.search.thinking import think
from bot.search.thoughts import Thought
from bot.search.values import margins, results

NODES, EXACTLY = 1_500, 20_000
"""It takes no more to know that one move alone keeps the best result, and what each move comes to: whoever tries one is
answered at once."""
FEWEST = 5
"""So many legal moves there are at least."""
TRIES = 8
"""How often a level of the computer is asked, each time with other lots."""
DEPTHS = (10, 50, 250)
"""So many positions can follow at least, of those that were looked at: near the end all are easily looked through."""
ERRING = 0.5
"""The part of the moves that is drawn by lot, in the matches from which puzzles are taken."""
SKETCHY = Budget(playouts=8, nodes=0)


def puzzle(game: Game, options: dict[str, Any], seed: str) -> dict[str, Any] | None:
    """A puzzle from one match, as a line of `puzzles.jsonl`; None where the match has none."""
    least, solver = Random(f"{seed}:depth").choice(DEPTHS), solver_of(game, NODES)
    for record, position in reversed([*_match(game, options, seed)]):
        solver.left = NODES  # what it knows of later positions it need not look at again
        try:
            best = None if solver.hopeless(position) else keeping(position, solver)
        except TooMany:
            return None
        if best and len(solver.table) >= least and not is_greedy(game, position, best):
            return _line(game, options, record, position, best)
    return None


def solver_of(game: Game, nodes: int) -> Solver:
    """A solver that looks at so many nodes, and always draws the same lots."""
    return Solver(game.mind, nodes, Random("puzzle"))


def keeping(position: Position, solver: Solver) -> str | None:
    """The one of at least five moves that keeps the best result: won, or drawn where nothing wins; None where several
    do, or all lose. `TooMany` where the solver's nodes do not suffice."""
    seat, moves = position.turn[0], tuple(position.moves(position.turn[0]))
    if len(moves) < FEWEST:
        return None
    for low in (0, -1):  # who is ahead by more than that has won, then drawn
        good = list[str]()
        for move in moves:
            after = position.play(seat, move)
            ahead = solver.value(after, low, low + 1) if seat == 1 else -solver.value(after, -low - 1, -low)
            good += [move] if ahead > low else []
            if len(good) > 1:
                return None
        if good:
            return good[0]
    return None


def values_of(position: Position, solver: Solver) -> tuple[tuple[str, int], ...] | None:
    """What each legal move comes to for its mover, the best first; None where the solver's nodes do not suffice."""
    seat = position.turn[0]
    found = solved(solver, position, tuple(position.moves(seat)))
    if not found or not all(one.surely for one in found):
        return None
    return tuple((one.move, int(one.margins[seat - 1])) for one in found)


def is_greedy(game: Game, position: Position, best: str) -> bool:
    """Whether the answer scores most at once, in a position where moves differ in that."""
    at_once = gains(game, position)
    most = max(at_once.values())
    return at_once[best] == most and min(at_once.values()) < most


def gains(game: Game, position: Position) -> dict[str, int]:
    """The mover's margin at once after each move."""
    seat = position.turn[0]
    return {
        move: int(margins(results(position.play(seat, move), game.mind))[seat - 1]) for move in position.moves(seat)
    }


def look(game: Game, position: Position, values: Sequence[tuple[str, int]]) -> Hashable:
    """What a puzzle looks like to somebody who sees no squares: two that are alike up to any symmetry look the same.

    For each move what it comes to, what it scores at once, and what each reply to it would score at once.
    """
    seat, known, at_once = position.turn[0], dict(values), gains(game, position)
    seen = list[Hashable]()
    for move, gain in at_once.items():
        after = position.play(seat, move)
        replies = tuple(sorted(gains(game, after).values())) if after.turn else ()
        seen.append((known[move], gain, after.turn == (seat,), replies))
    return tuple(sorted(seen, key=repr))


def _line(
    game: Game, options: dict[str, Any], record: tuple[Move, ...], position: Position, best: str
) -> dict[str, Any] | None:
    if not (grade := _grade(game, position, best)):
        return None
    values = values_of(position, solver_of(game, EXACTLY))
    if values is None:
        return None
    return {
        "game": game.key, "options": options, "seats": 2, "moves": [[*move] for move in record],
        "best": best, "value": values[0][1], "second": values[1][1], "grade": grade,
    }  # fmt: skip


def _match(game: Game, options: dict[str, Any], seed: str) -> Iterator[tuple[tuple[Move, ...], Position]]:
    lots, position = Random(seed), game.start(game.configure(options, 2), 2)
    record: tuple[Move, ...] = ()
    while position.turn:
        yield record, position
        seat: Seat = position.turn[0]
        if lots.random() < ERRING:
            move = lots.choice(tuple(position.moves(seat)))
        else:
            move = think(position, seat, game.mind, SKETCHY, f"{seed}:{len(record)}").move
        record, position = (*record, Move(seat, move)), position.play(seat, move)


def _grade(game: Game, position: Position, best: str) -> int | None:
    """The weakest level that always finds the answer; None where a beginner does in more than half of the tries, or
    nobody always does."""
    found = [tried(game, position, LEVELS[0], number).move for number in range(TRIES)]
    if 2 * found.count(best) > TRIES:
        return None
    return next((level for level in LEVELS[1:] if always_finds(game, position, best, level)), None)


def always_finds(game: Game, position: Position, best: str, level: int) -> bool:
    """Whether a level of the computer finds the answer in all of its tries, or knows it for certain in one."""
    for number in range(TRIES):
        thought = tried(game, position, level, number)
        if thought.move != best or thought.exact:
            return thought.move == best
    return True


def tried(game: Game, position: Position, level: int, number: int) -> Thought:
    """What a level of the computer thinks in one of its tries."""
    return think(position, position.turn[0], game.mind, thorough(game, position, level), f"puzzle:{number}")
