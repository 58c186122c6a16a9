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

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import islice

from bot.core.entry.partial_move import GIVEN_UP, PartialMove
from bot.core.game.moves import MoveKind
from bot.core.game.position import MoveError, Position
from bot.core.values.seats import Seat

AT_ONCE = 25
"""So many values stand side by side; a larger number is put together digit by digit."""
FEW, FEW_IN_LISTS = 5, 25
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
    behind: bool = False
    """Whether it is a digit behind the values that are mostly used: their 2 is the number, this is how 25 begins."""

    @property
    def sign(self) -> str:
        """What tells it from all other keys of a pad."""
        return f"d{self.token}" if self.behind else self.token


@dataclass(frozen=True, slots=True)
class Keyboard:
    """All that may be tapped next; `done` says whether what has been chosen is enough."""

    keys: tuple[Key, ...] = ()
    done: bool = False
    others: tuple[Key, ...] = ()
    """Keys behind those that are mostly used: digits for all other numbers."""
    asks: str = ""
    """What is asked, or what is to be played, where a game has words of its own for it."""

    @property
    def fresh(self) -> list[Key]:
        """The keys that add something."""
        return [key for key in (*self.keys, *self.others) if key.able and not key.on]


# What may come next.


def keyboard(position: Position, seat: Seat, so_far: PartialMove) -> Keyboard:
    """What may be tapped next; nothing more when the move is whole."""
    say = so_far.kind.plays if so_far.whole else so_far.kind.asks
    chosen = so_far.values if so_far.whole else so_far.values | {so_far.part.name: " ".join(so_far.items)}
    asks = say(position, seat, chosen) if say else ""
    if so_far.whole:
        return Keyboard(asks=asks)
    done = _enough(position, seat, so_far)
    if so_far.part.items and so_far.hole is None and len(so_far.items) >= so_far.part.items(position)[1]:
        squares = so_far.part.changed(position) if so_far.part.changed else ()
        return Keyboard(tuple(Key(square, able=True) for square in squares), done, asks=asks)
    if so_far.part.kind == "whole":
        keys, others = _numbers(position, seat, so_far)
        return Keyboard(tuple(keys), done, tuple(others), asks)
    made = _squares if so_far.part.kind == "square" else _words
    return Keyboard(tuple(made(position, seat, so_far)), done, asks=asks)


def _squares(position: Position, seat: Seat, so_far: PartialMove) -> Iterator[Key]:
    columns, rows = so_far.part.bounds(position)
    able = list(dict.fromkeys(following(position, seat, so_far)))
    if so_far.typed:
        yield from (Key(str(row), f"{so_far.typed}{row}" in able) for row in range(1, rows + 1))
    elif len(able) <= (FEW_IN_LISTS if so_far.part.items else FEW):
        yield from (Key(square, able=True) for square in sorted(able, key=lambda it: (int(it[1:]), it)))
    else:
        begun = {square[0] for square in able}
        yield from (Key(letter, letter in begun, ends=False) for letter in map(chr, range(97, 97 + columns)))


def _words(position: Position, seat: Seat, so_far: PartialMove) -> Iterator[Key]:
    able = set(following(position, seat, so_far))
    yield from (Key(word, word in able) for word in so_far.part.words)


def _numbers(position: Position, seat: Seat, so_far: PartialMove) -> tuple[Iterable[Key], Iterable[Key]]:
    """The keys for a number: all of them where there are few, else digits, behind those that are mostly used."""
    low, high = so_far.part.bounds(position)[:2]
    chosen = so_far.items if so_far.part.together else ()
    if high - low < AT_ONCE:
        able = set(following(position, seat, so_far))
        values = map(str, range(low, high + 1))
        return (Key(value, value in able or value in chosen, value in chosen) for value in values), ()
    wanted = _some(following(position, seat, replace(so_far, open="".join(f"{item} " for item in so_far.items))))
    if len(wanted) <= AT_ONCE:
        return (Key(value, able=True, on=value in chosen) for value in sorted({*wanted, *chosen}, key=int)), ()
    usual = None if so_far.typed else so_far.part.usual
    behind = usual is not None
    digits = [Key(digit, _leads(position, seat, so_far, digit), ends=False, behind=behind) for digit in "1234567890"]
    if not usual:
        return digits, ()
    values = usual(position, seat, so_far.values)
    keys = (Key(value, _is_value(position, seat, replace(so_far, open=so_far.open + value))) for value in values)
    return keys, digits


def _some(values: Iterable[str]) -> list[str]:
    """Different ones of the values, as many as show whether there are too many for keys of their own."""
    seen: set[str] = set()
    fresh = (value for value in values if not (value in seen or seen.add(value)))
    return list(islice(fresh, AT_ONCE + 1))


def _leads(position: Position, seat: Seat, so_far: PartialMove, digit: str) -> bool:
    return any(True for _ in following(position, seat, replace(so_far, open=so_far.open + digit)))


def following(position: Position, seat: Seat, so_far: PartialMove) -> Iterator[str]:
    """The legal values of the part that is being chosen, of a list the next items, that begin as typed."""
    typed, part = so_far.typed, so_far.part
    if part.following is None:
        values: Iterable[str] = _listed(position, seat, so_far)
    else:
        values = part.following(position, seat, so_far.values | {part.name: " ".join(so_far.items)}, typed)
    return (value for value in values if value.startswith(typed))


def _listed(position: Position, seat: Seat, so_far: PartialMove) -> Iterator[str]:
    """What goes on from what was chosen, in the moves that the game lists."""
    finished = dict(zip((part.name for part in so_far.kind.parts), so_far.done, strict=False))
    for move in position.moves(seat):
        said = so_far.kind.parse(move)
        if said and finished.items() <= said.items() and so_far.part.name in said:
            yield from _items(so_far, said[so_far.part.name])


def _items(so_far: PartialMove, value: str) -> Iterable[str]:
    if so_far.part.items is None:
        return (value,)
    items, chosen = value.split(), so_far.items
    if so_far.part.together:
        return (item for item in items if item not in chosen) if {*chosen} <= {*items} else ()
    return items[len(chosen) : len(chosen) + 1] if tuple(items[: len(chosen)]) == chosen else ()


def _enough(position: Position, seat: Seat, so_far: PartialMove) -> bool:
    """Whether the number, the list or the whole move may end here."""
    if so_far.typed:
        return so_far.part.kind == "whole" and _is_value(position, seat, so_far)
    if not (so_far.part.optional if so_far.part.items is None else so_far.items) or so_far.hole is not None:
        return False
    if so_far.part.changed and " ".join(so_far.items) == so_far.part.begin(position, seat):
        return False  # What it begins from was played already.
    ended = so_far.closed()
    return not ended.whole or legal(position, seat, ended)


def _is_value(position: Position, seat: Seat, so_far: PartialMove) -> bool:
    """Whether a number may end here; in ascending order it comes before all that begin with it."""
    found = following(position, seat, so_far)
    return next(found, None) == so_far.typed if so_far.part.following else so_far.typed in found


def legal(position: Position, seat: Seat, so_far: PartialMove) -> bool:
    """Whether a whole move can be played."""
    try:
        position.play(seat, position.read(seat, so_far.line))
    except MoveError:
        return False
    return True


# What a tap does.


def begun(position: Position, seat: Seat, kind: MoveKind) -> PartialMove:
    """Nothing chosen yet, but for what goes without saying."""
    so_far = PartialMove(kind)
    values = so_far.part.begin(position, seat) if kind.parts and so_far.part.changed else ""
    return _settled(position, seat, replace(so_far, open="".join(f"{value} " for value in values.split())))


def pressed(position: Position, seat: Seat, so_far: PartialMove, sign: str) -> PartialMove:
    """What is chosen after a key was tapped; the same as before where that key is not there, or leads nowhere."""
    board = keyboard(position, seat, so_far)
    key = next((key for key in (*board.keys, *board.others) if key.sign == sign and key.able), None)
    return _settled(position, seat, _added(position, seat, so_far, key)) if key else so_far


def finished(position: Position, seat: Seat, so_far: PartialMove) -> PartialMove:
    """What is chosen after *Done*; the same as before where it is not enough."""
    if so_far.whole or not _enough(position, seat, so_far):
        return so_far
    return _settled(position, seat, _item(so_far) if so_far.typed else so_far.closed())


def back(position: Position, seat: Seat, so_far: PartialMove) -> PartialMove:
    """What was chosen before the last tap, and before all that went without saying since."""
    start = begun(position, seat, so_far.kind)
    if start.open and start.part.changed and so_far.hole is None:
        return start  # what is changed was played already; taps that changed it are not kept
    before = so_far
    while before.done or before.open:
        before = _without_last(position, seat, before)
        settled = _settled(position, seat, before)
        if settled != so_far:
            return settled
    return so_far


def _without_last(position: Position, seat: Seat, so_far: PartialMove) -> PartialMove:
    """Without the last digit, column, item or end of a list, whichever came last."""
    if so_far.typed:
        return replace(so_far, open=so_far.open[:-1])
    if so_far.hole is not None:
        return so_far.with_item(so_far.hole, so_far.items[so_far.hole].strip("()"))
    if so_far.open:
        *items, last = so_far.items
        return _reopened(position, seat, replace(so_far, open="".join(f"{item} " for item in items)), last)
    *done, last = so_far.done
    before = replace(so_far, done=tuple(done))
    if before.part.items:
        return replace(before, open="".join(f"{item} " for item in last.split()))
    return _reopened(position, seat, before, last)


def _reopened(position: Position, seat: Seat, before: PartialMove, value: str) -> PartialMove:
    """A value that is whole as it stood before the tap that made it so: one key, a column, a number without its end."""
    if not value or any(key.token == value and key.ends for key in keyboard(position, seat, before).keys):
        return before
    return replace(before, open=before.open + (value if before.part.kind == "whole" else value[0]))


def _added(position: Position, seat: Seat, so_far: PartialMove, key: Key) -> PartialMove:
    if key.on:
        return replace(so_far, open="".join(f"{item} " for item in so_far.items if item != key.token))
    if so_far.part.changed and key.token in so_far.part.changed(position):
        at = so_far.part.changed(position).index(key.token)
        return so_far.with_item(at, GIVEN_UP.format(so_far.items[at]))
    added = replace(so_far, open=so_far.open + key.token)
    return _item(added) if key.ends or _cannot_grow(position, seat, added) else added


def _cannot_grow(position: Position, seat: Seat, so_far: PartialMove) -> bool:
    """Whether no digit leads on from what has been typed of a number."""
    if so_far.part.kind != "whole":
        return False
    return all(value == so_far.typed for value in following(position, seat, so_far))


def _item(so_far: PartialMove) -> PartialMove:
    """The value that was being typed is whole: the part is finished, or the list goes on."""
    if so_far.part.items is None:
        return so_far.closed()
    if so_far.hole is not None:
        return so_far.with_item(so_far.hole, so_far.open.split()[-1])
    items = [*so_far.open.split()]
    return replace(
        so_far, open="".join(f"{item} " for item in (sorted(items, key=int) if so_far.part.together else items))
    )


def _settled(position: Position, seat: Seat, so_far: PartialMove) -> PartialMove:
    """What goes without saying is chosen: the only key there is, and the end of a list that cannot go on."""
    while not so_far.whole:
        board = keyboard(position, seat, so_far)
        if board.done and not board.fresh:
            so_far = _item(so_far) if so_far.typed else so_far.closed()
        elif len(board.fresh) == 1 and not board.done and not so_far.part.together:
            so_far = _added(position, seat, so_far, board.fresh[0])
        else:
            break
    return so_far
