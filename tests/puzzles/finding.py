"""Finds positions in which exactly one move keeps the best result, and which a beginner mostly gets wrong.

A match is played by somebody who looks at little and errs often. From its end on backwards every position is solved,
as long as that takes few nodes, with one table. What can follow the earliest of them is then cheap to know: positions
of some courses drawn by lot are looked at, and good puzzles among them are taken. The same seed finds the same ones.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from contextlib import suppress
from random import Random
from typing import Any

from bot.engine.exact import ExactSolver, SearchTooLarge, compute_margins, compute_results, solve_moves
from bot.engine.levels import Thought, make_budget, make_thorough_budget
from bot.engine.search import think
from bot.games.game import Game
from bot.games.mind import Budget
from bot.games.position import LEVELS, Position, Seat
from bot.play.lessons import fold_record
from bot.play.record import Move

NODES, EXACTLY = 1_500, 20_000
"""It takes no more to know that one move alone keeps the best result, and what each move comes to: whoever tries one is
answered at once."""
FROM_A_MATCH, WALKS = 2, 12
"""So many puzzles are taken from a match, in so many walks through what can follow the position that is solved."""
FEWEST = 5
"""So many legal moves there are at least."""
TRIES = 8
"""How often a level of the computer is asked, each time with other lots."""
DEPTHS = (30, 100, 400)
"""So many nodes it takes at least to know all values: near the end all is easily looked through."""
ERRING = 0.5
"""The part of the moves that is drawn by lot, in the matches from which puzzles are taken."""
SKETCHY = Budget(playouts=8, nodes=0)

Place = tuple[tuple[Move, ...], Position]
"""A position, and the moves that lead to it."""


def candidates(game: Game, options: dict[str, Any], seed: str) -> Iterator[dict[str, Any]]:
    """Puzzles of one match, at most `FROM_A_MATCH`: lines of `puzzles.jsonl` without grade."""
    rng, solver, seen, taken = Random(f"{seed}:walks"), solver_of(game, NODES), set[Position](), 0
    least, start = rng.choice(DEPTHS), _solved(game, solver, [*_match(game, options, seed)])
    for _ in range(WALKS):
        for record, position in _walk(start, rng) if start else ():
            solver.left = NODES  # what it knows it need not look at again
            if position in seen:
                continue
            seen.add(position)
            with suppress(SearchTooLarge):
                best = keeping(position, solver)
                line = best and not is_greedy(game, position, best) and _line(game, options, record, best, least)
                if line:
                    yield line
                    taken += 1
                    break
        if taken == FROM_A_MATCH:
            return


def _solved(game: Game, solver: ExactSolver, match: Sequence[Place]) -> Place | None:
    """The earliest position of a match from which it is solved, looking from its end on."""
    found = None
    with suppress(SearchTooLarge):
        for record, position in reversed(match):
            solver.left = NODES
            if solver.is_hopeless(position):
                break
            solver.solve_value(position, -1, 1)  # who wins, or that nobody does
            found = record, position
    return found


def _walk(start: Place, rng: Random) -> Iterator[Place]:
    """The positions of a course of the match, drawn by lot, as long as they have enough moves."""
    record, position = start
    while position.turn and len(moves := tuple(position.moves(position.turn[0]))) >= FEWEST:
        yield record, position
        move = Move(position.turn[0], rng.choice(moves))
        record, position = (*record, move), position.play(*move)


def solver_of(game: Game, nodes: int) -> ExactSolver:
    """A solver that looks at so many nodes, and always draws the same lots."""
    return ExactSolver(game.mind, nodes, Random("puzzle"))


def keeping(position: Position, solver: ExactSolver) -> str | None:
    """The one of at least five moves that keeps the best result: won, or drawn where nothing wins; None where several
    do, or all lose. `TooMany` where the solver's nodes do not suffice."""
    seat, moves = position.turn[0], tuple(position.moves(position.turn[0]))
    if len(moves) < FEWEST:
        return None
    for low in (0, -1):  # who is ahead by more than that has won, then drawn
        good = list[str]()
        for move in moves:
            after = position.play(seat, move)
            ahead = solver.solve_value(after, low, low + 1) if seat == 1 else -solver.solve_value(after, -low - 1, -low)
            good += [move] if ahead > low else []
            if len(good) > 1:
                return None
        if good:
            return good[0]
    return None


def values_of(position: Position, solver: ExactSolver) -> tuple[tuple[str, int], ...] | None:
    """What each legal move comes to for its mover, the best first; None where the solver's nodes do not suffice."""
    seat = position.turn[0]
    found = solve_moves(solver, position, tuple(position.moves(seat)))
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
        move: int(compute_margins(compute_results(position.play(seat, move), game.mind))[seat - 1])
        for move in position.moves(seat)
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
    game: Game, options: dict[str, Any], record: tuple[Move, ...], best: str, least: int
) -> dict[str, Any] | None:
    line: dict[str, Any] = {"game": game.key, "options": options, "seats": 2, "moves": [[*move] for move in record]}
    solver = solver_of(game, EXACTLY)
    values = values_of(fold_record(game, line).position, solver)
    if values is None or EXACTLY - solver.left < least:
        return None
    return line | {"best": best, "value": values[0][1], "second": values[1][1]}


def _match(game: Game, options: dict[str, Any], seed: str) -> Iterator[Place]:
    rng, position = Random(seed), game.start(game.configure(options, 2), 2)
    record: tuple[Move, ...] = ()
    while position.turn:
        yield record, position
        seat: Seat = position.turn[0]
        if rng.random() < ERRING:
            move = rng.choice(tuple(position.moves(seat)))
        else:
            move = think(position, seat, game.mind, SKETCHY, f"{seed}:{len(record)}").move
        record, position = (*record, Move(seat, move)), position.play(seat, move)


def grade(game: Game, position: Position, best: str) -> int | None:
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
    """What a level of the computer thinks in one of its tries: the first as it plays, the others at their best."""
    allowed = (make_budget if level == LEVELS[0] else make_thorough_budget)(game, position, level)
    return think(position, position.turn[0], game.mind, allowed, f"puzzle:{number}")
