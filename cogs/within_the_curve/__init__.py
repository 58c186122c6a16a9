"""Within The Curve: coprime numbers inside secretly drawn curves."""

from dataclasses import replace

from bot.games.game import Game
from bot.games.grids import square_sides
from bot.games.moves import FINISHED, MoveKind, Part, make_from_pattern
from bot.games.position import Seat
from cogs.within_the_curve import pad, rules
from cogs.within_the_curve.mind import MIND
from cogs.within_the_curve.picture import pictures, sketch
from cogs.within_the_curve.rules import WithinTheCurve, WithinTheCurveOptions

VEILED = {"curve": "curve", "done": "done"}
"""What the others learn of a move that begins with this word; of other moves nothing."""


def _veil_move(seat: Seat, move: str) -> str | None:
    return VEILED.get(move.partition(" ")[0])


def _corner_bounds(position: WithinTheCurve) -> tuple[int, int]:
    return 4, position.size**2


def _square_bounds(position: WithinTheCurve) -> tuple[int, int]:
    return 1, position.size**2


def _curve_bounds(position: WithinTheCurve) -> tuple[int, int]:
    return 1, position.seats


_CURVE = Part(
    "curve", "whole", "Which curve, by its number", _curve_bounds, asks="In which curve?", key_label=pad.name_curve
)
"""Which curves can be chosen depends on what is done with them."""


def _count_bounds(position: WithinTheCurve) -> tuple[int, int]:
    return 1, position.most_filled


ROUND = "clockwise ↻", "the other way ↺"
SURE = "End your match? You can't change your numbers afterwards."

GAME = Game(
    key="within-the-curve",
    title="Within The Curve",
    year=2008,
    goal="Draw a curve in secret, then write as many numbers as will fit into everybody's curves.",
    seats=range(1, 7),
    plies=70,
    minutes=45,
    difficulty=3,
    Options=WithinTheCurveOptions,
    start=WithinTheCurve.start,
    rules=rules.__doc__,
    example=rules.example,
    pictures=pictures,
    sketch=sketch,
    moves=(
        MoveKind(
            "curve",
            "Draw your curve, in secret.",
            "curve {corners}",
            (
                Part(
                    "corners",
                    "square",
                    "Its corners in order, like a1 d1 d3 a3",
                    square_sides,
                    items=_corner_bounds,
                    completions=pad.suggest_corners,
                    ends="Close the curve",
                    max_buttons=16,
                ),
            ),
            WithinTheCurve.may_draw,
            "Is this your curve? You can't change it once it is drawn, and everybody will fill it.",
            label="Draw curve",
            foreseen=False,
            asks=pad.ask_next_corner,
            verb="Draw",
            plays=pad.label_curve,
            tells=make_from_pattern("curve {corners}"),
            words=("draw",),
            said=("{who} has drawn a curve.", "Your curve is drawn."),
        ),
        MoveKind(
            "number",
            "Number a curve with 1, 2, 3 …",
            "number {curve} {square} {direction}",
            (
                replace(_CURVE, completions=pad.suggest_unnumbered, asks="Which curve do you number?"),
                Part(
                    "square",
                    "square",
                    "The square of the curve that gets 1, like b2",
                    square_sides,
                    completions=pad.suggest_starts,
                    asks="Which square gets 1?",
                ),
                Part(
                    "direction",
                    "word",
                    "Which way round?",
                    words=("cw", "ccw"),
                    called=ROUND,
                    completions=pad.suggest_directions,
                ),
            ),
            WithinTheCurve.may_number,
            verb="Write",
            plays=pad.label_numbering,
            tells=pad.describe_numbering,
            does=pad.tell_numbering,
        ),
        MoveKind(
            "fill",
            "Write the next numbers inside a curve.",
            "fill {curve} {squares}",
            (
                replace(_CURVE, completions=pad.suggest_fillable, asks="Which curve do you fill?"),
                Part(
                    "squares",
                    "square",
                    "Empty squares inside it in order, like b2 b3",
                    square_sides,
                    items=_square_bounds,
                    completions=pad.suggest_openings,
                    ends="Write these",
                ),
            ),
            WithinTheCurve.may_fill,
            asks=pad.ask_next_square,
            verb="Write",
            plays=pad.label_filling,
            tells=pad.describe_filling,
            does=pad.tell_filling,
        ),
        MoveKind(
            "undo",
            "Take back the last numbers inside a curve, or its numbering.",
            "undo {curve} {count}",
            (
                replace(_CURVE, completions=pad.suggest_undoable, asks="In which curve do you take numbers back?"),
                Part(
                    "count",
                    "whole",
                    "How many numbers to take back; normally one",
                    _count_bounds,
                    optional=True,
                    completions=pad.suggest_counts,
                    asks="How many do you take back?",
                    ends="Only the last",
                    title="How many",
                ),
            ),
            WithinTheCurve.may_undo,
            verb="Undo",
            plays=pad.label_undoing,
            tells=pad.describe_undoing,
            does=pad.tell_undoing,
            takes_back=True,
        ),
        MoveKind(
            "done",
            "End your match; the others go on.",
            "done",
            (),
            WithinTheCurve.may_finish,
            SURE,
            "End my match",
            said=FINISHED,
        ),
    ),
    extra_moves=("fill", "undo"),
    veil=_veil_move,
    mind=MIND,
    weekend_boards=(WithinTheCurveOptions(8), WithinTheCurveOptions(10), WithinTheCurveOptions(12)),
)
