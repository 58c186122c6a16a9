"""What may be chosen next: corners from which the curve can be closed, copies to work on, squares that fit."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from bot.core.game.notation import Square, beginning, squares
from bot.core.values.plural import Plural, together
from bot.core.values.seats import Seat
from cogs.within_the_curve.closing import onward
from cogs.within_the_curve.curve import Curve
from cogs.within_the_curve.rules import WithinTheCurve
from cogs.within_the_curve.sheet import TURNS, Sheet

Chosen = Mapping[str, str]
CLOCKWISE = "1 at {square} of curve {curve}, clockwise"
OTHER_WAY = "1 at {square} of curve {curve}, counterclockwise"
FILLED = "{numbers} in curve {curve}"
TAKEN_BACK = "{what} in curve {curve}"
UNDONE = Plural("undo 1 number", "undo {number} numbers")


def corners(position: WithinTheCurve, seat: Seat, chosen: Chosen, typed: str) -> Iterator[str]:
    """The next corners with which a curve can be closed, at once or later."""
    if position.may_draw(seat):
        yield from map(str, onward(_squares(position, chosen["corners"]), position.size))


def next_corner(position: WithinTheCurve, seat: Seat, chosen: Chosen) -> str:
    """What is asked when a curve is drawn: where it begins, or where it turns next."""
    return "Where does your curve turn next?" if chosen.get("corners") else "Where does your curve begin?"


def unnumbered(position: WithinTheCurve, seat: Seat, chosen: Chosen, typed: str) -> Iterator[str]:
    """The curves that have no numbers yet."""
    return (str(which) for which, _, sheet in _copies(position, seat) if sheet.start is None)


def starts(position: WithinTheCurve, seat: Seat, chosen: Chosen, typed: str) -> Iterator[str]:
    """The squares of the curve."""
    curve, _ = _copy(position, seat, chosen)
    return (str(Square.of(square, position.size)) for square in curve.path)


def directions(position: WithinTheCurve, seat: Seat, chosen: Chosen, typed: str) -> Iterator[str]:
    """Both directions."""
    return iter(TURNS.values())


def fillable(position: WithinTheCurve, seat: Seat, chosen: Chosen, typed: str) -> Iterator[str]:
    """The curves in which the next number has a square."""
    return (str(which) for which, curve, sheet in _copies(position, seat) if any(True for _ in sheet.openings(curve)))


def openings(position: WithinTheCurve, seat: Seat, chosen: Chosen, typed: str) -> Iterator[str]:
    """The squares that the number after those chosen can be written into."""
    curve, sheet = _copy(position, seat, chosen)
    filled = _squares(position, chosen["squares"])
    sheet = sheet.fill(curve, [square.ordinal(position.size) for square in filled])
    return (str(Square.of(square, position.size)) for square in sheet.openings(curve))


def where_next(position: WithinTheCurve, seat: Seat, chosen: Chosen) -> str:
    """What is asked when squares are filled: where the number after those chosen goes."""
    if "squares" not in chosen:
        return ""
    _, sheet = _copy(position, seat, chosen)
    return f"Where does {len(sheet.filled) + len(chosen['squares'].split()) + 1} go?"


def named(position: WithinTheCurve, curve: str) -> str:
    """The key of a curve."""
    return f"curve {curve}"


def numbering(position: WithinTheCurve, seat: Seat, values: Chosen) -> str:
    """What a pad calls it when a curve is numbered."""
    return f"1 at {values['square']}"


def filling(position: WithinTheCurve, seat: Seat, values: Chosen) -> str:
    """What a pad calls it when squares are filled."""
    _, sheet = _copy(position, seat, values)
    *most, last = values["squares"].split()
    at = sheet.following + len(most)
    return f"{sheet.following} to {at}, ending at {last}" if most else f"{at} at {last}"


def undoing(position: WithinTheCurve, seat: Seat, values: Chosen) -> str:
    """What a pad calls it when numbers are taken back."""
    _, sheet = _copy(position, seat, values)
    return UNDONE.of(int(values.get("count") or 1)) if sheet.filled else "undo the numbering"


def numbered(position: WithinTheCurve, seat: Seat, values: Chosen) -> str:
    """The numbering of a curve, where no pad stands beside it."""
    which, square, direction = values["curve"], values["square"], values["direction"]
    return (CLOCKWISE if direction == "cw" else OTHER_WAY).format(curve=which, square=square)


def filled(position: WithinTheCurve, seat: Seat, values: Chosen) -> str:
    """What is written inside a curve, where no pad stands beside it."""
    _, sheet = _copy(position, seat, values)
    places = values["squares"].split()
    written = together(f"{number} at {square}" for number, square in enumerate(places, sheet.following))
    return FILLED.format(curve=values["curve"], numbers=written)


def undone(position: WithinTheCurve, seat: Seat, values: Chosen) -> str:
    """What is taken back, where no pad stands beside it."""
    return TAKEN_BACK.format(what=undoing(position, seat, values), curve=values["curve"])


def undoable(position: WithinTheCurve, seat: Seat, chosen: Chosen, typed: str) -> Iterator[str]:
    """The curves that are numbered."""
    return (str(which) for which, _, sheet in _copies(position, seat) if sheet.start is not None)


def counts(position: WithinTheCurve, seat: Seat, chosen: Chosen, typed: str) -> Iterator[str]:
    """How many numbers can be taken back: all inside, or as one the numbering."""
    _, sheet = _copy(position, seat, chosen)
    return map(str, beginning(typed, 1, max(1, len(sheet.filled))))


def _squares(position: WithinTheCurve, text: str) -> tuple[Square, ...]:
    return squares(text, position.size, position.size) if text else ()


def _copies(position: WithinTheCurve, seat: Seat) -> Iterator[tuple[int, Curve, Sheet]]:
    return position.copies(seat) if position.may_work(seat) else iter(())


def _copy(position: WithinTheCurve, seat: Seat, chosen: Chosen) -> tuple[Curve, Sheet]:
    return next((curve, sheet) for which, curve, sheet in _copies(position, seat) if str(which) == chosen["curve"])
