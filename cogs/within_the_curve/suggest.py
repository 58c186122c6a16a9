"""What may follow the part of a move that has been typed: corners one by one, squares to fill one by one.

What is offered holds all that was typed, and Discord offers nothing longer than 100 characters: shortly before that the
note says to type on.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from bot.core.game.notation import Square, listed, squares
from bot.core.game.position import Illegal, MoveError, Suggestion, Unreadable
from bot.core.values.seats import Seat
from cogs.within_the_curve.action import Fill, parsed
from cogs.within_the_curve.curve import Curve, check_begun, next_corners

if TYPE_CHECKING:
    from cogs.within_the_curve.rules import WithinTheCurve

LONG, TYPE_ON = 70, "type on past 100"
"""From so many characters on the note says that nothing is offered past 100."""


def curves(typed: str, size: int) -> Iterator[Suggestion]:
    """The curve as typed when it is one or cannot become one, then with one corner more: first where that closes it."""
    word, _, rest = typed.lstrip().lower().partition(" ")
    if not "curve".startswith(word):
        return
    begun, _, partial = rest.rpartition(" ")
    try:
        corners = squares(begun, size, size) if begun.strip() else ()
        check_begun(corners, size)
        following = next_corners(corners, size) if corners else (Square.of(each, size) for each in range(size**2))
        longer = [(*corners, square) for square in following if str(square).startswith(partial)]
    except (Unreadable, Illegal):
        yield from wrong(rest, size)
        return
    if not partial and (note := closing(corners, size)):
        yield Suggestion(f"curve {listed(corners)}", note)
    offered = [(f"curve {listed(each)}", closing(each, size)) for each in longer]
    for move, note in sorted(offered, key=lambda each: not each[1]):
        yield Suggestion(move, note or (TYPE_ON if len(move) > LONG else ""))
    if not longer:
        yield from wrong(rest, size)


def closing(corners: tuple[Square, ...], size: int) -> str:
    """What a curve with these corners would be; empty when it would be none."""
    try:
        curve = Curve.drawn(corners, size)
    except Illegal:
        return ""
    return f"a whole curve: {len(curve.path)} squares around {len(curve.interior)}"


def wrong(typed: str, size: int) -> Iterator[Suggestion]:
    """Corners as typed that no curve begins with, and why."""
    try:
        corners = squares(typed, size, size)
    except Unreadable:
        return
    try:
        check_begun(corners, size)
    except Illegal as flaw:
        yield Suggestion(f"curve {listed(corners)}", str(flaw).partition(";")[0].partition(":")[0].rstrip("."))


def work(position: WithinTheCurve, seat: Seat, typed: str) -> Iterator[Suggestion]:
    """The moves that begin with what has been typed; after squares to fill, with one square more."""
    text = typed.lstrip().lower()
    begun, _, partial = text.rpartition(" ")
    try:
        filled = parsed(begun, position.size)
    except Unreadable:
        filled = None
    if isinstance(filled, Fill):
        yield from longer_fills(position, seat, filled, partial)
        return
    moves = undoings(position, seat) if text.startswith("undo") else map(Suggestion, position.moves(seat))
    if text.startswith("fill"):
        moves = fillings(position, seat)
    yield from (suggestion for suggestion in moves if suggestion.move.startswith(text.rstrip()))


def fillings(position: WithinTheCurve, seat: Seat) -> Iterator[Suggestion]:
    """Where a seat can write the next number of each curve."""
    for which, curve, sheet in position.copies(seat):
        for square in sheet.openings(curve):
            yield Suggestion(f"fill {which} {Square.of(square, position.size)}", f"{sheet.following} is next")


def undoings(position: WithinTheCurve, seat: Seat) -> Iterator[Suggestion]:
    """What a seat can take back. The count is written out, so that each part of the command can be completed."""
    for which, _, sheet in position.copies(seat):
        if sheet.start is not None and not sheet.filled:
            yield Suggestion(f"undo {which} 1", "takes back the numbering")
        for taken, square in enumerate(reversed(sheet.filled), 1):
            yield Suggestion(f"undo {which} {taken}", f"back to {Square.of(square, position.size)}")


def longer_fills(position: WithinTheCurve, seat: Seat, filled: Fill, partial: str) -> Iterator[Suggestion]:
    """The filling of some squares, with each square that can come next."""
    try:
        after = position.play(seat, str(filled))
    except MoveError:
        return
    for which, curve, sheet in after.copies(seat):
        if which == filled.curve:
            openings = (str(Square.of(square, position.size)) for square in sheet.openings(curve))
            note = f"ends with {sheet.following}"
            yield from (Suggestion(f"{filled} {name}", note) for name in openings if name.startswith(partial))
