"""What the moves of people lost in a match that is over, where that can be computed: for themselves, as a measure of
how strong they are at a game.

Late in a match a few thousand nodes tell what every move is worth. What a move lost is given relative to the loss of a
random move in its place, so that moves of different boards and moments can be added up. Moves made with hints say
nothing, nor do those in a match in which a seat was handed on.
"""

from __future__ import annotations

from collections.abc import Collection, Generator
from statistics import fmean

from bot.core.game.game import Game
from bot.core.game.legs import seat_in
from bot.core.game.mind import Budget
from bot.core.match.loaded_match import LoadedMatch
from bot.core.match.match import Match
from bot.core.rating.stored_standings import Lost
from bot.core.values.computer_users import is_person
from bot.core.values.seats import Seat
from bot.search.levels import BY_LOT, FEWEST, weight
from bot.search.thoughts import Question, Thought
from bot.search.values import margins, results
from bot.service.analysis.reviews import Step, legs_of, steps

NODES = 8_000
"""How many positions are looked at to value all moves of one: a third of a second."""
TRIVIAL = 60
"""A position that takes fewer says little."""
MOST = 12
"""The most positions of a match that are looked at."""

Judging = Generator[Question, Thought, dict[Seat, Lost]]
"""A judgement in the making: it yields search requests, is sent thoughts, and returns the losses of each seat."""


def seats_of(seated: LoadedMatch) -> tuple[Seat, ...]:
    """The seats whose moves are judged in a match: people who played without hints."""
    row = seated.row
    if row.game not in BY_LOT or row.seats != 2 or row.substitutions:
        return ()
    return tuple(one.seat for one in seated.players if one.seat and is_person(one.user) and not one.hints)


def judging(match: Match, number: int, given: int, seats: Collection[Seat]) -> Judging:
    """Judge the moves of some seats in a match but for the lines given to it, from the last back to the first whose
    alternatives cannot all be valued; its number seeds the lots."""
    found, left = dict[Seat, Lost](), MOST
    for leg, one in enumerate(legs_of(match), 1):
        skipped = sum(match.leg_of(line) in (None, leg) for line in match.standing[:given])
        for step in reversed([*steps(one)][skipped:]):
            seat = seat_in(leg, step.seat)
            if seat not in seats or not left:
                continue
            left -= 1
            judged = yield from _judged(one.game, step, f"lost:{number}:{leg}:{step.number}")
            if judged is None:
                break
            if judged.moves:
                found[seat] = found.get(seat, Lost()).also(judged)
    return found


def _judged(game: Game, step: Step, seed: str) -> Generator[Question, Thought, Lost | None]:
    """The loss of a move; None where its alternatives cannot be valued, zero where they hardly differ."""
    nodes = NODES // weight(game, step.before)
    thought = yield Question(game.key, step.before, step.seat, Budget(FEWEST, nodes), seed)
    if not thought.exact or thought.nodes >= nodes:
        return None
    by_lot = fmean(thought.value - line.value for line in thought.table)
    if thought.nodes < TRIVIAL or not by_lot:
        return Lost()
    worth = next((line.value for line in thought.table if line.move == step.move), None)
    if worth is None:
        worth = yield from _worth(game, step, Budget(FEWEST, nodes, others=False), f"{seed}:behind")
    return None if worth is None else Lost(1, max(0.0, thought.value - worth), by_lot)


def _worth(game: Game, step: Step, budget: Budget, seed: str) -> Generator[Question, Thought, float | None]:
    """By how much its seat is ahead after a move that no search would think of, where that can be computed."""
    if not step.after.turn:
        return margins(results(step.after, game.mind))[step.seat - 1]
    thought = yield Question(game.key, step.after, step.after.turn[0], budget, seed)
    if not thought.exact:
        return None
    return thought.value if step.after.turn[0] == step.seat else -thought.value
