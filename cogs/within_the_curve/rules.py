"""Within The Curve (Leroy Quet, 2008)

**Example** Blue numbered this curve clockwise from c2, then wrote 1 and 2 inside. 2 can't stand at c4, beside 8 and
10, as 2 divides them. So it stands at c3: 2 for Blue so far.

**Goal** Inside everybody's curves, yours too, write 1, 2, 3, … as far as you get.

**A turn** All play at once, secretly.
- *Curve*: draw a closed curve by its corners. It runs along rows and columns through 8 squares or more, none twice, and
encloses at least one. It may run beside itself.
- *Number*: in your copy of each curve, number its squares 1, 2, 3, … from where you like, clockwise or not.
- *Fill*: write 1, 2, 3, … inside. Each shares no divisor but 1 with the numbers beside it, also on the curve.
- *End my match* when no next number fits anywhere.

**Scoring** Add your largest number inside each curve. The highest sum wins.

**Drawing** The grid has n×n squares, n from 6 to 16, usually 8. You name the corner squares of a curve in order, as
many as you like. It runs straight from each to the next and from the last back to the first, and turns at each.

**Working** Curve 2 is player 2's. `number 2 c4 cw` numbers it from c4 on, clockwise; `ccw` is the other way. `fill 2 d5
d6` writes the next numbers inside it; each curve has its own count. `undo 2 3` takes back the last 3 numbers inside it;
`undo 2` takes back one, or the numbering if there is nothing else.

**Rulings** A square is inside if the curve does not pass through it and its centre lies within; a pocket that the
curve's squares shut off from the outside is still outside. What counts is what lies beside a number, left, right, above
or below, when it is written. What you wrote stays secret until the end. If you leave before drawing, there is no curve
of yours; if you leave later, the others keep it. Once you are done, you cannot leave. One to six can play. Alone it is
a puzzle in a curve of your own, and your score goes into the server's records for that n. A match that you play alone
stays hidden afterwards too, unless you publish it. On paper a mistake loses the game; here it is refused. Undoing, the
minimum of 8 squares and the limit of 6 players are ours.

>>> board = example()
>>> print(*board.sheets[0][0].text_lines(board.curves[0]), sep="\\n")
     a   b   c   d   e   f
1    .   .   .   .   .   .
2    .  12   1   2   3   .
3    .  11 (2) (1)   4   .
4    .  10   _   _   5   .
5    .   9   8   7   6   .
6    .   .   .   .   .   .
>>> board.scores(), board.seen_by(None).scores()
((2,), (0,))
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Self

from bot.games.notation import Square
from bot.games.options import Options, number_option
from bot.games.position import (
    Illegal,
    NameSeat,
    Opening,
    ScorePart,
    Seat,
    SecretPosition,
    Suggestion,
    Viewer,
    expect_turn,
    list_staying_seats,
)
from bot.games.wording import join_words
from cogs.within_the_curve.sheet import (
    TURNS,
    Copy,
    Curve,
    CurveSheet,
    Draw,
    Fill,
    FinishMatch,
    Number,
    Undo,
    parse_action,
    suggest_curves,
    suggest_work,
)

RESULT, FURTHER = "Inside the curves {name} wrote {sum} numbers", "{name} {sum}"
COMPARED = 3
"""Of so many players at most the result is told of all."""
OPENING = "Number and fill each curve."
"""The beginning of the work inside the curves, to all."""
NUMBERING, FILLING = "Number the other curves, and fill them.", "Write the next numbers inside the curves."
FULL = "No number fits any more: end your match, or undo."
"""The same, to a player who has numbered some curves, or all, and to one who has filled them."""
CURVE = "largest number in curve {number}"


@dataclass(frozen=True, slots=True)
class WithinTheCurveOptions(Options):
    size: int = number_option(8, 6, 16, "Side of the grid: 6 to 16", recorded=12)


@dataclass(frozen=True, slots=True)
class WithinTheCurve(SecretPosition):
    """All seats' work, as `viewer` may know it: `curves[k - 1]` is seat k's, `sheets[s - 1][k - 1]` its copy at seat s.

    A curve is None when it is not drawn or hidden, a hidden sheet is blank; who has `drawn` and who is `done` (both
    ascending) is public, and so is the result of a solo match (`reached`, behind hidden sheets) when it is over.
    """

    size: int
    curves: tuple[Curve | None, ...]
    sheets: tuple[tuple[CurveSheet, ...], ...]
    drawn: tuple[Seat, ...] = ()
    reached: int = 0

    @classmethod
    def start(cls, options: WithinTheCurveOptions, seats: int) -> Self:
        """Empty grids, nothing drawn."""
        return cls(options.size, (None,) * seats, ((CurveSheet(),) * seats,) * seats)

    @property
    def seats(self) -> int:
        """How many seats there are, those that left included."""
        return len(self.curves)

    @property
    def is_alone(self) -> bool:
        return self.seats == 1

    @property
    def playing_seats(self) -> tuple[Seat, ...]:
        """The seats that have not left, ascending."""
        return list_staying_seats(self.seats, self.withdrawn)

    @property
    def is_drawing(self) -> bool:
        """Whether a curve is still to be drawn."""
        return any(seat not in self.drawn for seat in self.playing_seats)

    @property
    def can_work_begin(self) -> bool:
        """Whether all curves are drawn, and there is one at least: work inside them can begin."""
        return not self.is_drawing and any(self.curves)

    @property
    def turn(self) -> tuple[Seat, ...]:
        if len(self.playing_seats) < min(2, self.seats):
            return ()
        finished = self.drawn if self.is_drawing else self.done
        return tuple(seat for seat in self.playing_seats if seat not in finished)

    @property
    def opening(self) -> Opening | None:
        # What is done inside the curves is secret, so it is said until somebody is done.
        if not self.can_work_begin or not self.turn:
            return None
        viewer, told = self.viewer, "" if self.done else OPENING
        if viewer and self.may_finish(viewer):
            told = FULL
        elif viewer and told and self.may_undo(viewer):
            told = NUMBERING if self.may_number(viewer) else FILLING
        return Opening(0, told, told) if told else None

    def copies_of(self, seat: Seat) -> Iterator[Copy]:
        """A seat's copies: the number of each curve there is, the curve, and what the seat wrote."""
        sheets = self.sheets[seat - 1]
        for which, (curve, sheet) in enumerate(zip(self.curves, sheets, strict=True), 1):
            if curve:
                yield which, curve, sheet

    def open_to(self, seat: Seat) -> bool:
        return self.is_drawing

    def moves(self, seat: Seat) -> Iterator[str]:
        if not self._is_working(seat):
            return
        if self.may_finish(seat):
            yield "done"
        for which, curve, sheet in self.copies_of(seat):
            if sheet.start is None:
                starts = (Square.from_ordinal(square, self.size) for square in curve.path)
                yield from (f"number {which} {start} {turning}" for start in starts for turning in TURNS.values())
            else:
                openings = (Square.from_ordinal(square, self.size) for square in sheet.open_squares(curve))
                yield from (f"fill {which} {square}" for square in openings)

    def may_draw(self, seat: Seat) -> bool:
        return self.is_drawing and seat in self.turn

    def may_number(self, seat: Seat) -> bool:
        return self.may_work(seat) and any(sheet.start is None for _, _, sheet in self.copies_of(seat))

    def may_fill(self, seat: Seat) -> bool:
        """Whether some curve has a legal next number."""
        return self.may_work(seat) and any(list(sheet.open_squares(curve)) for _, curve, sheet in self.copies_of(seat))

    def may_undo(self, seat: Seat) -> bool:
        """Whether a seat has anything to take back."""
        return self.may_work(seat) and any(sheet.start is not None for _, _, sheet in self.copies_of(seat))

    def may_finish(self, seat: Seat) -> bool:
        """Whether a seat has numbered every curve and none has a legal next number."""
        return self.may_work(seat) and self._explain_unfinished(seat) is None

    @property
    def most_filled(self) -> int:
        """How many numbers the fullest copy that the viewer may know has inside, and at least 1."""
        return max(1, *(len(sheet.filled) for own in self.sheets for sheet in own))

    def _is_working(self, seat: Seat) -> bool:
        return not self.is_drawing and seat in self.turn

    def may_work(self, seat: Seat) -> bool:
        """Whether a seat is at work and the viewer may know what it can do, which depends on its sheets."""
        return self._is_working(seat) and self.can_see(seat)

    def _explain_unfinished(self, seat: Seat) -> str | None:
        # What a seat must still do before it may be done.
        for which, curve, sheet in self.copies_of(seat):
            if sheet.start is None:
                return f"Curve {which} isn't numbered yet. Number every curve before you are done."
            square = next(sheet.open_squares(curve), None)
            if square is not None:
                place = Square.from_ordinal(square, self.size)
                return f"You aren't done yet. In curve {which}, {sheet.next_number} still fits {place}."
        return None

    def suggest(self, seat: Seat, typed: str) -> Iterator[Suggestion]:
        if self.is_drawing:
            return suggest_curves(typed, self.size)
        return (
            suggest_work(tuple(self.copies_of(seat)), self.moves(seat), typed, self.size)
            if self._is_working(seat)
            else iter(())
        )

    def read(self, seat: Seat, text: str) -> str:
        curves = [which for which, _, _ in self.copies_of(seat)]
        return str(parse_action(text, self.size, curves[0] if len(curves) == 1 else None))

    def find_example_move(self, seat: Seat) -> str:
        return "curve a1 d1 d3 a3" if self.may_draw(seat) else SecretPosition.find_example_move(self, seat)

    def play(self, seat: Seat, move: str) -> Self:
        expect_turn(self, seat)
        action = parse_action(move, self.size)
        if self.is_drawing and not isinstance(action, Draw):
            raise Illegal("The curves are still being drawn. Draw yours; you can fill them when the last one is drawn.")
        match action:
            case Draw(corners):
                return self._play_draw(seat, corners)
            case Number(which, start, clockwise):
                curve, sheet = self._copy_at(seat, which)
                return self._with_sheet(seat, which, sheet.with_numbering(curve, start.ordinal(self.size), clockwise))
            case Fill(which, squares):
                curve, sheet = self._copy_at(seat, which)
                return self._with_sheet(
                    seat, which, sheet.with_numbers(curve, [square.ordinal(self.size) for square in squares])
                )
            case Undo(which, taken):
                _, sheet = self._copy_at(seat, which)
                return self._with_sheet(seat, which, sheet.without_last(taken))
            case FinishMatch():
                return self._play_done(seat)

    def _play_draw(self, seat: Seat, corners: Sequence[Square]) -> Self:
        if not self.is_drawing:
            raise Illegal("All curves are drawn. Number them and fill them.")
        curve = Curve.from_corners(corners, self.size)
        curves = (*self.curves[: seat - 1], curve, *self.curves[seat:])
        return replace(self, curves=curves, drawn=tuple(sorted((*self.drawn, seat))))

    def _copy_at(self, seat: Seat, which: int) -> tuple[Curve, CurveSheet]:
        if not 1 <= which <= self.seats:
            raise Illegal(f"There is no curve {which}. The curves are numbered 1 to {self.seats}.")
        curve = self.curves[which - 1]
        if curve is None:
            raise Illegal(f"There is no curve {which}. Player {which} left before drawing one.")
        return curve, self.sheets[seat - 1][which - 1]

    def _with_sheet(self, seat: Seat, which: int, sheet: CurveSheet) -> Self:
        own = self.sheets[seat - 1]
        own = (*own[: which - 1], sheet, *own[which:])
        sheets = *self.sheets[: seat - 1], own, *self.sheets[seat:]
        return replace(self, sheets=sheets)

    def _play_done(self, seat: Seat) -> Self:
        if unfinished := self._explain_unfinished(seat):
            raise Illegal(unfinished)
        return self.finish_seat(seat)

    def seen_by(self, viewer: Viewer) -> Self:
        seen = replace(self, viewer=viewer)
        hidden = [seat for seat in range(1, self.seats + 1) if not seen.can_see(seat)]
        blank = (CurveSheet(),) * self.seats
        sheets = tuple(blank if seat in hidden else own for seat, own in enumerate(self.sheets, 1))
        curves = tuple(None if seat in hidden else curve for seat, curve in enumerate(self.curves, 1))
        # All curves become public when the last one is drawn, except in a solo match.
        known = curves if self.is_drawing or self.is_alone else self.curves
        ended_alone = self.is_alone and hidden and not self.turn
        reached = self.scores()[0] if ended_alone else 0
        return replace(seen, sheets=sheets, curves=known, reached=reached)

    def scores(self) -> tuple[int, ...]:
        if self.reached:
            return (self.reached,)
        return tuple(sum(len(sheet.filled) for sheet in own) for own in self.sheets)

    def explain_result(self, name: NameSeat) -> str:
        first, *others = range(1, self.seats + 1) if self.seats <= COMPARED else self.winners
        told = [RESULT.format(name=name(first), sum=self.sum_of(first))]
        told += [FURTHER.format(name=name(seat), sum=self.sum_of(seat)) for seat in others]
        return f"{join_words(told)}."

    def list_score_parts(self) -> tuple[ScorePart, ...]:
        if self.reached:
            return (ScorePart(1, CURVE.format(number=1), self.reached),)
        return tuple(
            ScorePart(seat, CURVE.format(number=which), len(sheet.filled))
            for seat in range(1, self.seats + 1)
            for which, _, sheet in self.copies_of(seat)
        )

    def working(self) -> tuple[str, ...]:
        return tuple(line for seat in range(1, self.seats + 1) for line in self.working_of(seat))

    def working_of(self, seat: Seat) -> tuple[str, ...]:
        """A line for each curve and one for their sum; a single one while a seat's work is hidden."""
        if not self.can_work_begin or not self.can_see(seat):
            return (self.describe_status(seat),)
        curves = [which for which, _, _ in self.copies_of(seat)]
        return (*(self.line_of(seat, which) for which in curves), self.line_of(seat))

    def line_of(self, seat: Seat, which: int = 0) -> str:
        """The line for a seat's copy of a curve, or without one for its sum."""
        if not which:
            return f"player {seat}: {self.sum_of(seat)}"
        largest = len(self.sheets[seat - 1][which - 1].filled) or "none"
        return f"player {seat}, curve {which}: largest number inside {largest}"

    def sum_of(self, seat: Seat) -> str:
        """A seat's score as the sum over all curves."""
        filled = [str(len(sheet.filled)) for _, _, sheet in self.copies_of(seat)]
        return " + ".join(filled) + (f" = {self.scores()[seat - 1]}" if len(filled) > 1 else "")

    def describe_status(self, seat: Seat) -> str:
        """What everybody knows of a seat: how far it is, and what it reached alone."""
        told = f"player {seat} {self.describe_progress(seat)}"
        return f"{told}: {self.reached} is the largest number inside" if self.reached else told

    def describe_progress(self, seat: Seat) -> str:
        """How far a seat is, as everybody knows it."""
        if seat in self.withdrawn:
            return "left the match"
        if self.is_drawing:
            return "has drawn" if seat in self.drawn else "is drawing"
        return "has finished" if seat in self.done else "is playing"

    def __str__(self) -> str:
        statuses = [self.describe_status(seat) for seat in range(1, self.seats + 1)]
        return "\n".join([*statuses, *(line for title, grid in self._board_grids() for line in ("", title, *grid))])

    def _board_grids(self) -> Iterator[tuple[str, list[str]]]:
        # The bare curves, or once there are any the copies that the viewer may know, each as text under its title.
        known = [seat for seat in range(1, self.seats + 1) if self.can_see(seat)]
        if self.is_drawing or not known:
            bare = ((which, curve) for which, curve in enumerate(self.curves, 1) if curve)
            yield from ((f"curve {which}", CurveSheet().text_lines(curve)) for which, curve in bare)
            return
        for seat in known:
            for which, curve, sheet in self.copies_of(seat):
                yield f"curve {which}, player {seat}'s copy", sheet.text_lines(curve)


def example() -> WithinTheCurve:
    """The rules page's example: a player's own copy, with rings where the next number fits."""
    board = WithinTheCurve.start(WithinTheCurveOptions(size=6), 1)
    for move in "curve b2 e2 e5 b5", "number 1 c2 cw", "fill 1 d3 c3":
        board = board.play(1, move)
    return board.seen_by(1)
