"""Cross, Don't Cross: segments between the intersections of a few chords, crossing none and one in turn."""

from collections.abc import Iterator, Mapping

from bot.games.game import Game, describe_swapped_roles
from bot.games.moves import MoveKind, Part, Question, make_from_pattern
from bot.games.notation import find_numbers_starting
from bot.games.position import Seat
from bot.games.wording import Plural
from cogs.cross_dont_cross import rules
from cogs.cross_dont_cross.crossings import iter_bits
from cogs.cross_dont_cross.mind import MIND
from cogs.cross_dont_cross.picture import pictures, sketch
from cogs.cross_dont_cross.rules import LAST_DEGREE, SEGMENTS, CrossDontCross, CrossDontCrossOptions


def _degree_bounds(position: CrossDontCross) -> tuple[int, int]:
    return 0, LAST_DEGREE


def _intersection_bounds(position: CrossDontCross) -> tuple[int, int]:
    return 1, max(1, len(position.current_drawing.points))


def _suggest_ends(position: CrossDontCross, seat: Seat, chosen: Mapping[str, str], typed: str) -> Iterator[str]:
    """The degrees that begin as typed; for the second end those to which no chord leads from the first."""
    taken: set[int] = set()
    if position.may_chord(seat) and "to" in chosen:
        start = int(chosen["from"])
        taken = {start, *(sum(chord) - start for chord in position.current_drawing.chords if start in chord)}
    if position.may_chord(seat):
        yield from (str(degree) for degree in find_numbers_starting(typed, 0, LAST_DEGREE) if degree not in taken)


DEGREES = "Other degrees …", "Round degrees"
ROUND = 30
"""Degrees between those that have keys of their own, and stand at the circle."""


def _suggest_round_degrees(position: CrossDontCross, seat: Seat, chosen: Mapping[str, str]) -> Iterator[str]:
    return map(str, range(0, LAST_DEGREE + 1, ROUND))


def _label_degree(position: CrossDontCross, chosen: Mapping[str, str], degree: str) -> str:
    return f"{degree}°"


def _suggest_intersections(
    position: CrossDontCross, seat: Seat, chosen: Mapping[str, str], typed: str
) -> Iterator[str]:
    """The intersections that begin as typed and from which a legal segment leads, or to which it does."""
    if not position.may_segment(seat):
        return
    drawing = position.current_drawing
    if "to" in chosen:
        found = list(iter_bits(drawing.partners(int(chosen["from"]) - 1)))
    else:
        found = [point for point in range(len(drawing.points)) if drawing.partners(point)]
    yield from (name for name in (str(point + 1) for point in found) if name.startswith(typed))


def _ask_segment(position: CrossDontCross, seat: Seat, chosen: Mapping[str, str]) -> Question:
    return Question("Which segment do you draw?", "Which segment does {who} draw?")


GAME = Game(
    key="cross-dont-cross",
    title="Cross, Don't Cross",
    year=2008,
    goal="Draw chords that leave your opponent many segments to draw; draw few segments between theirs.",
    seats=range(2, 3),
    lowest_wins=True,
    wins="fewest segments win",
    unit=SEGMENTS,
    plies=45,
    minutes=30,
    difficulty=2,
    Options=CrossDontCrossOptions,
    start=CrossDontCross.start,
    rules=rules.__doc__,
    pictures=pictures,
    sketch=sketch,
    moves=(
        MoveKind(
            "chord",
            "Draw a chord of the circle.",
            "{from}-{to}",
            (
                Part(
                    "from",
                    "whole",
                    "Where it starts: degrees clockwise from the top, 0 to 359",
                    _degree_bounds,
                    completions=_suggest_ends,
                    common_values=_suggest_round_degrees,
                    page_labels=DEGREES,
                    shows_range=True,
                    key_label=_label_degree,
                    asks="Where does the chord start?",
                ),
                Part(
                    "to",
                    "whole",
                    "Where it ends: degrees clockwise from the top, 0 to 359",
                    _degree_bounds,
                    completions=_suggest_ends,
                    common_values=_suggest_round_degrees,
                    page_labels=DEGREES,
                    shows_range=True,
                    key_label=_label_degree,
                    asks="Where does the chord end?",
                ),
            ),
            CrossDontCross.may_chord,
            answered=False,
            verb="Draw",
            thing="chord",
            does=make_from_pattern("drew chord {from}-{to}"),
            counted=Plural("drew 1 chord", "drew {number} chords"),
        ),
        MoveKind(
            "segment",
            "Draw a segment between two numbered points.",
            "{from}-{to}",
            (
                Part(
                    "from",
                    "whole",
                    "The number of the point where it starts",
                    _intersection_bounds,
                    completions=_suggest_intersections,
                    asks="From which point?",
                    asks_other="From which point does {who} draw?",
                    max_buttons=12,
                ),
                Part(
                    "to",
                    "whole",
                    "The number of the point where it ends",
                    _intersection_bounds,
                    completions=_suggest_intersections,
                    asks="To which point?",
                    asks_other="To which point?",
                    max_buttons=12,
                ),
            ),
            CrossDontCross.may_segment,
            asks_whole=_ask_segment,
            answered=False,
            verb="Draw",
            thing="segment",
            does=make_from_pattern("drew segment {from}-{to}"),
            counted=Plural("drew 1 segment", "drew {number} segments"),
        ),
    ),
    mind=MIND,
    seat_advantage=describe_swapped_roles,
)
