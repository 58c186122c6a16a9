"""The command `solve`: the value of a match under perfect play."""

from __future__ import annotations

import json
import math
import sys
from argparse import Namespace
from collections.abc import Callable, Sequence
from typing import TypedDict

from bot.engine.exact import (
    ExactSolver,
    SearchTooLarge,
    Solution,
    can_be_solved,
    compute_margins,
    compute_results,
    last_mover_wins,
    solve_moves,
)
from bot.engine.levels import find_highest_level, make_thorough_budget
from bot.engine.search import TreeSearch, seed_random
from bot.games.catalogue import load_games
from bot.games.game import Game
from bot.games.mind import Budget, Mind, RandomSource
from bot.games.position import LEVELS, Position
from bot.host.machine import seconds_since_boot
from bot.play.match import BrokenRecord, Match, enter_line, open_record
from bot.play.records import NO_JSON, parse_record

# The value of a match under perfect play, and what each move loses.


NODES = 10_000_000
"""The usual limit of positions searched; the limit of seconds usually ends the search long before."""
SOLVING = 0.75
"""The share of the seconds for exact solving, after which the match is searched instead."""
AT_A_TIME = 16
"""Playouts, and nodes, between two reads of the clock."""
SEED = "solve"


class Unsolvable(Exception):
    """A match that cannot be solved; the sentence says why."""


class Answer(TypedDict):
    """The printed JSON: see docs/hosting.md."""

    value: int
    exact: bool
    best: list[str]
    loses: dict[str, int]


class TimedSolver(ExactSolver):
    """A solver with a time limit."""

    def __init__(self, mind: Mind, nodes: int, rng: RandomSource, late: Callable[[], bool]) -> None:
        super().__init__(mind, nodes, rng)
        self.late = late

    def _count_node(self, depth: int) -> None:
        super()._count_node(depth)
        if self.left // self.price % AT_A_TIME == 0 and self.late():
            self.left = 0
            raise SearchTooLarge


def solve_match(
    match: Match, level: int | None, nodes: int | None, seconds: float, clock: Callable[[], float]
) -> Answer:
    """The value of a position as seat 1's margin at the end, found within `seconds` of a clock.

    A level searches as many positions as the computer does at it, `nodes` at most. Raises `Unsolvable` where players
    work in secret or alone.
    """
    game, position = match.game, match.position
    if match.agreed:
        return Answer(value=0, exact=True, best=[], loses={})
    if match.is_over:
        return Answer(
            value=int(compute_margins(compute_results(position, game.mind))[0]), exact=True, best=[], loses={}
        )
    if game.secret or game.mind.ponder or match.seats == 1:
        raise Unsolvable(f"In {game.title} everybody works alone, so there is nothing to solve.")
    begun = clock()
    allowed = _choose_budget(game, match, level, nodes)
    rng = seed_random(SEED)
    certain = can_be_solved(position, game.mind)
    if certain or last_mover_wins(position, game.mind):
        solver = TimedSolver(game.mind, allowed.nodes, rng, lambda: clock() - begun > SOLVING * seconds)
        if found := solve_moves(solver, position, _list_all_moves(position)):
            return _make_exact_answer(position, found) if certain else _make_likely_answer(found)
    return _estimate_answer(position, game.mind, allowed.playouts, rng, lambda: clock() - begun > seconds)


def _choose_budget(game: Game, match: Match, level: int | None, nodes: int | None) -> Budget:
    top = find_highest_level(game, game.start(match.options, match.seats))
    usual = make_thorough_budget(game, match.position, level or top)
    most = NODES if level is None else usual.nodes
    return Budget(usual.playouts, most if nodes is None else nodes)


def _list_all_moves(position: Position) -> Sequence[str] | None:
    """All legal moves, also those that a mind leaves out because others are worth the same."""
    seat = position.turn[0]
    return None if position.open_to(seat) else tuple(position.moves(seat))


def _make_exact_answer(position: Position, found: Sequence[Solution]) -> Answer:
    at = position.turn[0] - 1
    most = found[0].margins[at]
    known = {one.move: int(most - one.margins[at]) for one in found if one.surely}
    return Answer(
        value=int(found[0].margins[0]),
        exact=True,
        best=[move for move, lost in known.items() if not lost],
        loses={move: lost for move, lost in known.items() if lost},
    )


def _make_likely_answer(found: Sequence[Solution]) -> Answer:
    """The winner among the moves that the mind considers."""
    return Answer(value=int(found[0].margins[0]), exact=False, best=[found[0].move], loses={})


def _estimate_answer(
    position: Position, mind: Mind, playouts: int, rng: RandomSource, late: Callable[[], bool]
) -> Answer:
    search = TreeSearch(position, mind, rng)
    for _ in range(0, playouts, AT_A_TIME):
        search.run(AT_A_TIME)
        if late():
            break
    best = search.list_best()[0]
    return Answer(value=round(best.margins[0] / best.visits), exact=False, best=[best.move], loses={})


# The command `solve`: the value of a match record as a line of JSON. It needs no database.


UNFIT = 2
"""The exit status where the record or an option is invalid."""


def solve(given: Namespace) -> int:
    """Print the answer for a record; for invalid input, a sentence on standard error."""
    try:
        print(json.dumps(_solve_record(given)))
    except OSError as fault:
        return _complain(f"{given.file} cannot be read: {fault.strerror}.")
    except (BrokenRecord, Unsolvable) as fault:
        return _complain(str(fault))
    return 0


def _complain(text: str) -> int:
    print(text, file=sys.stderr)
    return UNFIT


def _solve_record(given: Namespace) -> Answer:
    level = given.level and _read_whole("level", given.level, LEVELS[0], LEVELS[-1])
    nodes = given.nodes and _read_whole("nodes", given.nodes, 0, None)
    return solve_match(_read_match(given.file), level, nodes, _read_seconds(given.seconds), seconds_since_boot)


def _read_whole(name: str, text: str, least: int, most: int | None) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) < 20) or not least <= int(text) <= (most or int(text)):
        if most:
            raise Unsolvable(f"After --{name} comes a whole number from {least} to {most}, not {text!r}.")
        raise Unsolvable(f"After --{name} comes a whole number of {least} or more, not {text!r}.")
    return int(text)


def _read_seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = math.nan
    if not 0 < seconds < math.inf:
        raise Unsolvable(f"After --seconds comes a number above 0, not {text!r}.")
    return seconds


def _read_match(file: str) -> Match:
    if file == "-":
        text = sys.stdin.buffer.read()
    else:
        with open(file, "rb") as source:
            text = source.read()
    try:
        row = parse_record(text)
    except BrokenRecord as fault:
        if str(fault) != NO_JSON:
            raise
        raise Unsolvable("Give one match record, in JSON. /match record shows it for any match.") from None
    match = open_record(load_games(), row)
    for at, line in enumerate(row["moves"]):
        match = enter_line(match, line, at)
    return match
