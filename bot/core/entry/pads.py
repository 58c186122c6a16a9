"""Builds a move tap by tap on a pad: from the parts of its kind and the legal moves, it offers the next keys.

A `PartialMove` holds the parts chosen so far. `keyboard` gives the keys that may come next; `pressed`, `finished` and
`back` change the choice. Between two taps only the text of the partial move is kept, in the pad's message.

>>> from bot.core.library.catalogue import games
>>> game = games()["binary-primes"]
>>> position = game.start(game.configure({"size": 3}, 2), 2).play(1, "a1").play(2, "a3")
>>> so_far = pressed(position, 1, PartialMove(game.moves[0]), "a")
>>> print(so_far, so_far.whole)
square: a2 True
>>> so_far = pressed(position, 1, PartialMove(game.moves[0]), "b")
>>> print(so_far, [key.token for key in keyboard(position, 1, so_far).keys])
square: b… ['1', '2', '3']
>>> print(pressed(position, 1, so_far, "3").line)
b3
"""

from __future__ import annotations

from dataclasses import replace

from bot.core.entry.keyboards import WHOLE, Key, enough, following, keyboard
from bot.core.entry.partial_move import GIVEN_UP, PartialMove
from bot.core.game.moves import MoveKind
from bot.core.game.position import Position
from bot.core.values.seats import Seat


def begun(position: Position, seat: Seat, kind: MoveKind) -> PartialMove:
    """The empty partial move of a kind, with every forced choice made."""
    so_far = PartialMove(kind)
    values = so_far.part.begin(position, seat) if kind.parts and so_far.part.changed else ""
    return _settled(position, seat, replace(so_far, open="".join(f"{value} " for value in values.split())))


def pressed(position: Position, seat: Seat, so_far: PartialMove, sign: str) -> PartialMove:
    """The partial move after a tap; unchanged where the key is not there, or leads nowhere."""
    boards = (keyboard(position, seat, so_far, whole) for whole in (0, WHOLE))
    keys = (key for board in boards for key in (*board.keys, *board.others))
    key = next((key for key in keys if key.sign == sign and key.able), None)
    return _settled(position, seat, _added(position, seat, so_far, key)) if key else so_far


def finished(position: Position, seat: Seat, so_far: PartialMove) -> PartialMove:
    """The partial move after *Done*; unchanged where it is not enough."""
    if so_far.whole or not enough(position, seat, so_far):
        return so_far
    return _settled(position, seat, so_far.ended())


def cleared(position: Position, seat: Seat, so_far: PartialMove) -> PartialMove:
    """The partial move with an empty list in place of a full one; unchanged where none can be emptied."""
    return replace(so_far, open="") if keyboard(position, seat, so_far).clears else so_far


def back(position: Position, seat: Seat, so_far: PartialMove, whole: int = 0) -> PartialMove:
    """The state before the last tap and before every choice that was made automatically since. `whole`: the most
    squares that this pad offers as one key each."""
    if keyboard(position, seat, so_far).clears and (start := begun(position, seat, so_far.kind)).open:
        return start  # what is changed was played already; taps that changed it are not kept
    before = so_far
    while before.done or before.open:
        before = _without_last(position, seat, before, whole)
        settled = _settled(position, seat, before)
        if settled != so_far:
            return settled
    return so_far


def _without_last(position: Position, seat: Seat, so_far: PartialMove, whole: int) -> PartialMove:
    """Without the last digit, column, item or end of a list, whichever came last."""
    if so_far.typed:
        return replace(so_far, open=so_far.open[:-1])
    if so_far.hole is not None:
        return so_far.with_item(so_far.hole, so_far.items[so_far.hole].strip("()"))
    if so_far.open:
        *items, last = so_far.items
        return _reopened(position, seat, replace(so_far, open="".join(f"{item} " for item in items)), last, whole)
    *done, last = so_far.done
    before = replace(so_far, done=tuple(done))
    if before.part.items:
        return replace(before, open="".join(f"{item} " for item in last.split()))
    return _reopened(position, seat, before, last, whole)


def _reopened(position: Position, seat: Seat, before: PartialMove, value: str, whole: int) -> PartialMove:
    """A value that is whole as it stood before the tap that made it so: one key, a column, the first digits."""
    if before.part.kind != "whole":
        at_once = any(key.token == value and key.ends for key in keyboard(position, seat, before, whole).keys)
        return before if at_once or not value else replace(before, open=before.open + value[0])
    reached = (replace(before, open=before.open + value[:digits]) for digits in range(len(value)))
    return next(
        (each for each in reached if _ends(position, seat, each, value)), replace(before, open=before.open + value)
    )


def _ends(position: Position, seat: Seat, so_far: PartialMove, value: str) -> bool:
    """Whether a key makes a number whole that may be begun already."""
    return any(key.ends and so_far.typed + key.token == value for key in keyboard(position, seat, so_far).keys)


def _added(position: Position, seat: Seat, so_far: PartialMove, key: Key) -> PartialMove:
    if key.on:
        return replace(so_far, open="".join(f"{item} " for item in so_far.items if item != key.token))
    if so_far.part.changed and key.token in so_far.part.changed(position):
        at = so_far.part.changed(position).index(key.token)
        return so_far.with_item(at, GIVEN_UP.format(so_far.items[at]))
    added = replace(so_far, open=so_far.open + key.token)
    return added.taken() if key.ends or _cannot_grow(position, seat, added) else added


def _cannot_grow(position: Position, seat: Seat, so_far: PartialMove) -> bool:
    """Whether no digit leads on from what has been typed of a number."""
    if so_far.part.kind != "whole":
        return False
    return all(value == so_far.typed for value in following(position, seat, so_far))


def _settled(position: Position, seat: Seat, so_far: PartialMove) -> PartialMove:
    """Make every forced choice: the only key there is, and the end of a list that cannot go on."""
    while not so_far.whole:
        board = keyboard(position, seat, so_far)
        if board.done and not board.fresh:
            so_far = so_far.ended()
        elif len(board.fresh) == 1 and not board.done and not so_far.part.together:
            so_far = _added(position, seat, so_far, board.fresh[0])
        else:
            break
    return so_far
