"""What the pictures of Cross, Don't Cross say in words: how far the match is, what comes next, who has what."""

from __future__ import annotations

from bot.core.values.seats import BOTH
from cogs.cross_dont_cross.drawing import Drawing
from cogs.cross_dont_cross.rules import CrossDontCross, counted, defence, offence
from rendering.legend import Entry


def coming(position: CrossDontCross, which: int) -> tuple[str, str]:
    """What the next line of a round must do and how much choice there is; of a round that is over, how it ended."""
    drawing = position.drawings[which - 1]
    rule = "cross exactly one" if drawing.must_cross else "cross nothing"
    if position.withdrawn and which == position.round:
        return f"Seat {position.withdrawn[0]} withdrew", ""
    if len(drawing.chords) < position.chords:
        return f"Next: chord {len(drawing.chords) + 1} of {position.chords}", "0 to 359 degrees"
    if drawing.crossings:
        legal = len(list(drawing.legal()))
        return f"Next: segment {len(drawing.segments) + 1}, {rule}", f"{legal} {'are' if legal > 1 else 'is'} legal"
    return f"Seat {offence(which)} drew {counted(len(drawing.segments))}", f"none left to {rule}"


def entries(position: CrossDontCross, which: int) -> list[Entry]:
    """The legend: both seats with their parts in a round and their scores; for round 0 without parts, with sums."""
    scores, ranks = position.scores(), position.ranks()
    roles = {defence(which): ", defence", offence(which): ", offence"} if which else {}
    return [
        Entry(
            seat,
            f"seat {seat}{roles.get(seat, '')}",
            position.working_of(seat).partition(": ")[2] if ranks and not which else str(scores[seat - 1]),
            ranks is not None and ranks[seat - 1] == 1,
            "" if position.turn else position.working_of(seat),
            seat in position.turn and which == position.round,
        )
        for seat in BOTH
    ]


def progress(position: CrossDontCross, which: int, over: bool = False) -> str:
    """How far a round is, or the whole match when it is over."""
    if position.withdrawn and (over or which == position.round):
        return f"seat {position.withdrawn[0]} withdrew in round {which} of {position.rounds}"
    if over:
        return f"finished after {position.rounds} rounds; fewest segments win"
    drawing = position.drawings[which - 1]
    done = "over" if which < position.round or not position.turn else _stage(position, drawing)
    return f"round {which} of {position.rounds}, {done}; fewest segments win"


def _stage(position: CrossDontCross, drawing: Drawing) -> str:
    if len(drawing.chords) < position.chords:
        return f"{len(drawing.chords)} of {position.chords} chords"
    return counted(len(drawing.segments))


def totals(position: CrossDontCross) -> str:
    """The scores as part of a sentence."""
    return ", ".join(f"seat {seat} has {score}" for seat, score in zip(BOTH, position.scores(), strict=True))
