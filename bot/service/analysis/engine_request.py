"""What a computer is to think about: its turn in a match, from what its seat may see and nothing else.

That a computer is to move stands in the store. Its move goes through the umpire like everybody's, as an act with a
number that is made of the match, the seat and how much of the record that seat has before it; so neither a restart nor
a second process plays it twice. The lots of the search are drawn from the same, and equal questions have equal answers:
whoever thinks again comes to the same move.
"""

from __future__ import annotations

from dataclasses import dataclass

from bot.core.match.loaded_match import Seated, Sight
from bot.core.values.computer_users import is_computer, level_of
from bot.core.values.ids import InteractionId, UserId, timed
from bot.search import levels
from bot.search.thoughts import Question


@dataclass(frozen=True, slots=True)
class Turn:
    """A computer's turn, and what it is to think about; `seen` is how much of the record its seat may see."""

    act: InteractionId
    seated: Seated
    user: UserId
    seen: int
    question: Question


def turn(seated: Seated) -> Turn | None:
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
