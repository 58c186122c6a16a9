"""Divisors/Multiples Sequence: a walk through divisors and multiples on which numbers are claimed."""

from collections.abc import Iterator, Mapping

from bot.games.game import Game, make_edge_by_board
from bot.games.moves import MoveKind, Part, Question
from bot.games.notation import format_sum
from bot.games.position import Seat
from cogs.divisors_multiples_sequence import rules
from cogs.divisors_multiples_sequence.mind import MIND
from cogs.divisors_multiples_sequence.picture import pictures, sketch
from cogs.divisors_multiples_sequence.rules import (
    MOST_STEPS,
    DivisorsMultiplesSequence,
    DivisorsMultiplesSequenceOptions,
    format_path,
    list_neighbours,
)

ON = Question("You are on {path}. Which number next?", "{{who}} is on {path}. Which number next?")
SO_FAR = Question("{path} costs {costs} so far. Which number next?", "{path} costs {costs} so far. Which number next?")
ONLY_WAY = Question(
    "The only way is {path}, which costs {costs}. Which number next?",
    "The only way is {path}, which costs {costs}. Which number next?",
)
OR_STOP = Question("{path} costs {costs}. Stop here, or walk on?", "{path} costs {costs}. Stop there, or walk on?")


def _number_bounds(position: DivisorsMultiplesSequence) -> tuple[int, int]:
    return 1, position.r


def _step_bounds(position: DivisorsMultiplesSequence) -> tuple[int, int]:
    return 1, MOST_STEPS


def _challenge_note(options: DivisorsMultiplesSequenceOptions, seats: int) -> str | None:
    if options.r % seats == 1 % seats:
        return None
    return f"With {seats} players, everybody gets equally many turns only if r is one more than a multiple of {seats}."


def _suggest_steps(
    position: DivisorsMultiplesSequence, seat: Seat, chosen: Mapping[str, str], typed: str
) -> Iterator[str]:
    """The numbers that begin as typed, to which the walk can step and still end on a free one."""
    if seat not in position.turn:
        return
    walked = [int(step) for step in chosen["numbers"].split()]
    left = MOST_STEPS - len(walked) - 1
    for step in list_neighbours(walked[-1] if walked else position.here, position.r):
        if str(step).startswith(typed) and _leads_to_free(position, step, left):
            yield str(step)


def _leads_to_free(position: DivisorsMultiplesSequence, step: int, left: int) -> bool:
    """Whether a walk at the number `step` can end on a free number within `left` more steps."""
    claims = position.claimed_numbers
    if step not in claims:
        return left >= 0
    # By way of 1 every number is reached in two steps.
    return left > 1 or left == 1 and any(other not in claims for other in list_neighbours(step, position.r))


def _label_step(position: DivisorsMultiplesSequence, chosen: Mapping[str, str], step: str) -> str:
    """A number with the cost of the step to it: "6 for 3"."""
    walked = [int(one) for one in chosen["numbers"].split()]
    *_, cost = position.step_costs([*walked, int(step)])
    return f"{step} for {cost}"


def _ask_step(position: DivisorsMultiplesSequence, seat: Seat, chosen: Mapping[str, str]) -> Question:
    steps = [int(step) for step in chosen["numbers"].split()]
    asked = ON if not steps else SO_FAR if steps[-1] in position.claimed_numbers else OR_STOP
    if asked is SO_FAR and len(steps) == 1 == len([*_suggest_steps(position, seat, {"numbers": ""}, "")]):
        asked = ONLY_WAY
    parts = {"path": format_path((position.here, *steps)), "costs": format_sum(position.step_costs(steps))}
    return Question(*(words.format_map(parts) for words in asked))


def _describe_walk(position: DivisorsMultiplesSequence, seat: Seat, chosen: Mapping[str, str]) -> str:
    steps = [int(step) for step in chosen["numbers"].split()]
    return f"{format_path((position.here, *steps))} for {sum(position.step_costs(steps))}"


GAME = Game(
    key="divisors-multiples-sequence",
    title="Divisors/Multiples Sequence",
    year=2011,
    goal="Claim numbers on a walk through divisors and multiples; the cheapest walks win.",
    seats=range(2, 7),
    lopsided=True,
    lowest_wins=True,
    wins="lowest wins",
    plies=12,
    minutes=15,
    difficulty=1,
    Options=DivisorsMultiplesSequenceOptions,
    start=DivisorsMultiplesSequence.start,
    rules=rules.__doc__,
    pictures=pictures,
    sketch=sketch,
    challenge_note=_challenge_note,
    seat_advantage=make_edge_by_board(
        "r", exact={5: 2, 6: 7, 7: 2, 8: 7, 9: -2, 10: 17, 11: -6, 12: 16, 13: -3, 14: 29}
    ),
    moves=(
        MoveKind(
            "walk",
            "Walk on and claim the number where you stop.",
            "{numbers}",
            (
                Part(
                    "numbers",
                    "whole",
                    "The numbers you step to, in order, like 2 4",
                    _number_bounds,
                    items=_step_bounds,
                    completions=_suggest_steps,
                    key_label=_label_step,
                    ends="Stop here",
                ),
            ),
            asks=_ask_step,
            plays=_describe_walk,
            does=lambda position, seat, chosen: f"walked {_describe_walk(position, seat, chosen)}",
            words=("move",),
        ),
    ),
    mind=MIND,
)
