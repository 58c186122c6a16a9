"""The request to the engine when a computer is to move: its turn, and the position as its seat may see it.

A computer's move goes through the umpire under an idempotency key made from the match, the seat and how much of the
record the seat sees, so neither a restart nor a second process plays it twice. The random seed is made from the same:
the same request always gets the same move.
"""

from __future__ import annotations

from dataclasses import dataclass

from bot.core.match.loaded_match import LoadedMatch, Sight
from bot.core.values.computer_users import is_computer, level_of
from bot.core.values.ids import InteractionId, UserId, timed
from bot.search import levels
from bot.search.thoughts import Question


@dataclass(frozen=True, slots=True)
class Turn:
    """A computer's turn, and its question to the engine; `seen` is how many lines of the record its seat may see."""

    act: InteractionId
    seated: LoadedMatch
    user: UserId
    seen: int
    question: Question


def turn(seated: LoadedMatch) -> Turn | None:
    """The turn of the computer that is to move, the first where several are; None where none is."""
    if seated.row.paused is not None:
        return None
    seat = next((seat for seat in seated.turn if is_computer(seated.user_at(seat))), None)
    if seat is None:
        return None
    user, sight = seated.user_at(seat), Sight.of(seated, seat)
    # Lines that this seat may not see are not counted: they would change what it plays, and so tell of themselves.
    seen, level = sight.version, level_of(user)
    budget = levels.budget(seated.game, sight.position, level)
    question = Question(seated.game.key, sight.position, seat, budget, f"{seated.id}:{seen}:{seat}:{level}")
    return Turn(timed("computer", seated.id, seen, seat), seated, user, seen, question)
