"""Says for hosts and for the curious what a match comes to if nobody errs, and what each move loses.

The end of the match is looked at for certain as long as nodes and seconds last; where they do not reach, the value is
what a search of usual length expects, and nothing is said of the other moves. Likewise where only moves that are worth
a thought are looked at.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypedDict

from bot.core.game.game import Game
from bot.core.game.mind import Budget, Lots, Mind
from bot.core.game.position import Position
from bot.core.match.match import Match
from bot.search.exact import Solution, Solver, TooMany, last_mover_wins, solvable, solved
from bot.search.levels import highest, thorough
from bot.search.thinking import drawn_from
from bot.search.uct import Search
from bot.search.values import margins, results

NODES = 10_000_000
"""How many positions are looked at, at the most, where nothing is said; seconds end it long before."""
SOLVING = 0.75
"""The part of the seconds after which a match that is not solved by then is searched instead."""
AT_A_TIME = 16
"""The playouts between two looks at the clock; as many nodes likewise."""
SEED = "solve"


class Unsolvable(Exception):
    """A match that nobody can solve: a sentence says why."""


class Answer(TypedDict):
    """What is printed: see docs/hosting.md."""

    value: int
    exact: bool
    best: list[str]
    loses: dict[str, int]


class TimedSolver(Solver):
    """A solver that also ends at a moment of a clock."""

    def __init__(self, mind: Mind, nodes: int, lots: Lots, late: Callable[[], bool]) -> None:
        super().__init__(mind, nodes, lots)
        self.late = late

    def _counted(self, depth: int) -> None:
        super()._counted(depth)
        if self.left // self.price % AT_A_TIME == 0 and self.late():
            self.left = 0
            raise TooMany


def solve(match: Match, level: int | None, nodes: int | None, seconds: float, clock: Callable[[], float]) -> Answer:
    """The value of a match from where it stands, as seat 1's margin at its end, within `seconds` of a clock.

    A level looks at as many positions as the computer does at it; `nodes` bounds that too. `Unsolvable` where players
    work in secret or alone.
    """
    game, position = match.game, match.position
    if match.agreed:
        return Answer(value=0, exact=True, best=[], loses={})
    if match.finished:
        return Answer(value=int(margins(results(position, game.mind))[0]), exact=True, best=[], loses={})
    if game.secret or game.mind.ponder or match.seats == 1:
        raise Unsolvable(f"In {game.title} everybody works alone, so there is nothing to solve.")
    begun = clock()
    allowed = _budget(game, match, level, nodes)
    lots = drawn_from(SEED)
    certain = solvable(position, game.mind)
    if certain or last_mover_wins(position, game.mind):
        solver = TimedSolver(game.mind, allowed.nodes, lots, lambda: clock() - begun > SOLVING * seconds)
        if found := solved(solver, position, _moves(position)):
            return _certain(position, found) if certain else _likely(found)
    return _expected(position, game.mind, allowed.playouts, lots, lambda: clock() - begun > seconds)


def _budget(game: Game, match: Match, level: int | None, nodes: int | None) -> Budget:
    top = highest(game, game.start(match.options, match.seats))
    usual = thorough(game, match.position, level or top)
    most = NODES if level is None else usual.nodes
    return Budget(usual.playouts, most if nodes is None else nodes)


def _moves(position: Position) -> Sequence[str] | None:
    """All moves, also those that a mind leaves out because others are worth the same."""
    seat = position.turn[0]
    return None if position.open_to(seat) else tuple(position.moves(seat))


def _certain(position: Position, found: Sequence[Solution]) -> Answer:
    at = position.turn[0] - 1
    most = found[0].margins[at]
    known = {one.move: int(most - one.margins[at]) for one in found if one.surely}
    return Answer(
        value=int(found[0].margins[0]),
        exact=True,
        best=[move for move, lost in known.items() if not lost],
        loses={move: lost for move, lost in known.items() if lost},
    )


def _likely(found: Sequence[Solution]) -> Answer:
    """Who wins among the moves that are worth a thought."""
    return Answer(value=int(found[0].margins[0]), exact=False, best=[found[0].move], loses={})


def _expected(position: Position, mind: Mind, playouts: int, lots: Lots, late: Callable[[], bool]) -> Answer:
    search = Search(position, mind, lots)
    for _ in range(0, playouts, AT_A_TIME):
        search.run(AT_A_TIME)
        if late():
            break
    best = search.best()[0]
    return Answer(value=round(best.margins[0] / best.visits), exact=False, best=[best.move], loses={})
