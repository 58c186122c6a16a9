"""A pad: a move put together tap by tap, out of what its kind declares and of what is legal.

`Half` is a move as far as it has been chosen. `keyboard` says what may come next; `pressed`, `finished` and `back`
change what was chosen. Nothing is kept between two taps but the text of a half, so a pad goes on wherever that stands.

>>> from bot.core.library.catalogue import games
>>> game = games()["binary-primes"]
>>> position = game.start(game.configure({"size": 3}, 2), 2).play(1, "a1").play(2, "a3")
>>> half = pressed(position, 1, Half(game.moves[0]), "a")
>>> print(half, half.whole)
square: a2 True
>>> half = pressed(position, 1, Half(game.moves[0]), "b")
>>> print(half, [key.token for key in keyboard(position, 1, half).keys])
square: b… ['1', '2', '3']
>>> print(pressed(position, 1, half, "3").line)
b3
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import islice

from bot.core.entry.partial_move import Half as Half
from bot.core.game.moves import MoveKind
from bot.core.game.position import MoveError, Position
from bot.core.values.seats import Seat

AT_ONCE = 25
"""So many values stand side by side, those that cannot be chosen now among them."""
PAGED = 100
"""So many values are leafed through; more are put together digit by digit."""
FEW, FEW_IN_LISTS = 5, 12
"""So few squares are offered whole, and not by column and row; more in lists, where taps add up."""


@dataclass(frozen=True, slots=True)
class Key:
    """Something to tap: what it adds to the line, and whether that leads to a legal move."""

    token: str
    able: bool
    on: bool = False
    """Whether it is chosen already, and would be taken out of the list again."""
    ends: bool = True
    """Whether a value is whole with it; a column waits for its row, and after a digit that depends."""


@dataclass(frozen=True, slots=True)
class Keyboard:
    """All that may be tapped next; `done` says whether what has been chosen is enough."""

    keys: tuple[Key, ...] = ()
    done: bool = False

    @property
    def fresh(self) -> list[Key]:
        """The keys that add something."""
        return [key for key in self.keys if key.able and not key.on]


# What may come next.


def keyboard(position: Position, seat: Seat, half: Half) -> Keyboard:
    """What may be tapped next; nothing more when the move is whole."""
    if half.whole:
        return Keyboard()
    if half.part.items and len(half.items) >= half.part.items(position)[1]:
        return Keyboard(done=_enough(position, seat, half))
    made = _squares if half.part.kind == "square" else _words if half.part.kind == "word" else _numbers
    return Keyboard(tuple(made(position, seat, half)), _enough(position, seat, half))


def _squares(position: Position, seat: Seat, half: Half) -> Iterator[Key]:
    columns, rows = half.part.bounds(position)
    able = list(dict.fromkeys(following(position, seat, half)))
    if half.typed:
        yield from (Key(str(row), f"{half.typed}{row}" in able) for row in range(1, rows + 1))
    elif len(able) <= (FEW_IN_LISTS if half.part.items else FEW):
        yield from (Key(square, able=True) for square in sorted(able, key=lambda it: (int(it[1:]), it)))
    else:
        begun = {square[0] for square in able}
        yield from (Key(letter, letter in begun, ends=False) for letter in map(chr, range(97, 97 + columns)))


def _words(position: Position, seat: Seat, half: Half) -> Iterator[Key]:
    able = set(following(position, seat, half))
    yield from (Key(word, word in able) for word in half.part.words)


def _numbers(position: Position, seat: Seat, half: Half) -> Iterator[Key]:
    low, high = half.part.bounds(position)[:2]
    chosen = half.items if half.part.together else ()
    if high - low < AT_ONCE:
        able = set(following(position, seat, half))
        values = map(str, range(low, high + 1))
        yield from (Key(value, value in able or value in chosen, value in chosen) for value in values)
        return
    wanted = _some(following(position, seat, replace(half, open="".join(f"{item} " for item in half.items))))
    if len(wanted) <= PAGED:
        yield from (Key(value, able=True, on=value in chosen) for value in sorted({*wanted, *chosen}, key=int))
    else:
        yield from (Key(digit, _leads(position, seat, half, digit), ends=False) for digit in "1234567890")


def _some(values: Iterable[str]) -> list[str]:
    """Different ones of the values, as many as show whether there are too many to leaf through."""
    seen: set[str] = set()
    fresh = (value for value in values if not (value in seen or seen.add(value)))
    return list(islice(fresh, PAGED + 1))


def _leads(position: Position, seat: Seat, half: Half, digit: str) -> bool:
    return any(True for _ in following(position, seat, replace(half, open=half.open + digit)))


def following(position: Position, seat: Seat, half: Half) -> Iterator[str]:
    """The legal values of the part that is being chosen, of a list the next items, that begin as typed."""
    typed, part = half.typed, half.part
    if part.following is None:
        values: Iterable[str] = _listed(position, seat, half)
    else:
        values = part.following(position, seat, half.values | {part.name: " ".join(half.items)}, typed)
    return (value for value in values if value.startswith(typed))


def _listed(position: Position, seat: Seat, half: Half) -> Iterator[str]:
    """What goes on from what was chosen, in the moves that the game lists."""
    finished = dict(zip((part.name for part in half.kind.parts), half.done, strict=False))
    for move in position.moves(seat):
        said = half.kind.parse(move)
        if said and finished.items() <= said.items() and half.part.name in said:
            yield from _items(half, said[half.part.name])


def _items(half: Half, value: str) -> Iterable[str]:
    if half.part.items is None:
        return (value,)
    items, chosen = value.split(), half.items
    if half.part.together:
        return (item for item in items if item not in chosen) if {*chosen} <= {*items} else ()
    return items[len(chosen) : len(chosen) + 1] if tuple(items[: len(chosen)]) == chosen else ()


def _enough(position: Position, seat: Seat, half: Half) -> bool:
    """Whether the number, the list or the whole move may end here."""
    if half.typed:
        return half.part.kind == "whole" and _is_value(position, seat, half)
    if not (half.part.optional if half.part.items is None else half.items):
        return False
    ended = half.closed()
    return not ended.whole or legal(position, seat, ended)


def _is_value(position: Position, seat: Seat, half: Half) -> bool:
    """Whether a number may end here; in ascending order it comes before all that begin with it."""
    found = following(position, seat, half)
    return next(found, None) == half.typed if half.part.following else half.typed in found


def legal(position: Position, seat: Seat, half: Half) -> bool:
    """Whether a whole move can be played."""
    try:
        position.play(seat, position.read(seat, half.line))
    except MoveError:
        return False
    return True


# What a tap does.


def begun(position: Position, seat: Seat, kind: MoveKind) -> Half:
    """Nothing chosen yet, but for what goes without saying."""
    return _settled(position, seat, Half(kind))


def pressed(position: Position, seat: Seat, half: Half, token: str) -> Half:
    """What is chosen after a key was tapped; the same as before where that key is not there, or leads nowhere."""
    keys = keyboard(position, seat, half).keys
    key = next((key for key in keys if key.token == token and key.able), None)
    return _settled(position, seat, _added(position, seat, half, key)) if key else half


def finished(position: Position, seat: Seat, half: Half) -> Half:
    """What is chosen after *Done*; the same as before where it is not enough."""
    if half.whole or not _enough(position, seat, half):
        return half
    return _settled(position, seat, _item(half) if half.typed else half.closed())


def back(position: Position, seat: Seat, half: Half) -> Half:
    """What was chosen before the last tap, and before all that went without saying since."""
    before = half
    while before.done or before.open:
        before = _without_last(position, seat, before)
        settled = _settled(position, seat, before)
        if settled != half:
            return settled
    return half


def _without_last(position: Position, seat: Seat, half: Half) -> Half:
    """Without the last digit, column, item or end of a list, whichever came last."""
    if half.typed:
        return replace(half, open=half.open[:-1])
    if half.open:
        *items, last = half.items
        return _reopened(position, seat, replace(half, open="".join(f"{item} " for item in items)), last)
    *done, last = half.done
    before = replace(half, done=tuple(done))
    if before.part.items:
        return replace(before, open="".join(f"{item} " for item in last.split()))
    return _reopened(position, seat, before, last)


def _reopened(position: Position, seat: Seat, before: Half, value: str) -> Half:
    """A value that is whole as it stood before the tap that made it so: one key, a column, a number without its end."""
    if not value or any(key.token == value and key.ends for key in keyboard(position, seat, before).keys):
        return before
    return replace(before, open=before.open + (value if before.part.kind == "whole" else value[0]))


def _added(position: Position, seat: Seat, half: Half, key: Key) -> Half:
    if key.on:
        return replace(half, open="".join(f"{item} " for item in half.items if item != key.token))
    added = replace(half, open=half.open + key.token)
    return _item(added) if key.ends or _cannot_grow(position, seat, added) else added


def _cannot_grow(position: Position, seat: Seat, half: Half) -> bool:
    """Whether no digit leads on from what has been typed of a number."""
    if half.part.kind != "whole":
        return False
    return all(value == half.typed for value in following(position, seat, half))


def _item(half: Half) -> Half:
    """The value that was being typed is whole: the part is finished, or the list goes on."""
    if half.part.items is None:
        return half.closed()
    items = [*half.open.split()]
    return replace(half, open="".join(f"{item} " for item in (sorted(items, key=int) if half.part.together else items)))


def _settled(position: Position, seat: Seat, half: Half) -> Half:
    """What goes without saying is chosen: the only key there is, and the end of a list that cannot go on."""
    while not half.whole:
        board = keyboard(position, seat, half)
        if board.done and not board.fresh:
            half = _item(half) if half.typed else half.closed()
        elif len(board.fresh) == 1 and not board.done and not half.part.together:
            half = _added(position, seat, half, board.fresh[0])
        else:
            break
    return half
