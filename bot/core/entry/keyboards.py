"""The keys of a pad: what may be tapped next, from the parts of a move's kind and the legal moves.

A key that is offered leads to a legal move. The keys that are shown stay in their places, also those that lead nowhere.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import islice

from bot.core.entry.partial_move import PartialMove
from bot.core.game.position import MoveError, Position
from bot.core.values.seats import Seat

TWO_DIGITS = 100
"""Below this a number is two taps away, where digits stand beside the values that are mostly used, and not behind."""
FEW, FEW_OF_SEVERAL = 5, 16
"""So few squares are offered whole, and not by column and row; more where taps add up, in moves of several parts; in
lists as many as the part says."""
WHOLE = 12
"""The most squares offered at once on a pad that chooses two moves; more do not fit a phone."""


@dataclass(frozen=True, slots=True)
class Key:
    """A key: what it adds to the line, and whether that leads to a legal move."""

    token: str
    able: bool
    on: bool = False
    """Whether it is chosen already, and would be taken out of the list again."""
    ends: bool = True
    """Whether a value is whole with it; a column waits for its row, and after a digit that depends."""
    behind: bool = False
    """Whether it is a digit behind the values that are mostly used: their 2 is the number, this is how 25 begins."""
    label: str = ""
    """The text on the key; empty for its value."""
    swaps: bool = False
    """Whether another item has this value, and is exchanged with the one that gets it."""

    @property
    def sign(self) -> str:
        """What tells it from all other keys of a pad."""
        return f"d{self.token}" if self.behind else self.token


@dataclass(frozen=True, slots=True)
class Keyboard:
    """The keys that may be tapped next; `done` says whether the choice so far is enough."""

    keys: tuple[Key, ...] = ()
    done: bool = False
    others: tuple[Key, ...] = ()
    """Keys behind those that are mostly used: digits for all other numbers."""
    asks: str = ""
    """The question, where a game words it itself."""
    plays: str = ""
    """The move that the choice so far makes, in the game's words; empty where it is not a move yet."""
    clears: bool = False
    """Whether the full list can be emptied, to be filled again."""

    @property
    def fresh(self) -> list[Key]:
        """The keys that add something."""
        return [key for key in (*self.keys, *self.others) if key.able and not key.on]


def keyboard(position: Position, seat: Seat, so_far: PartialMove, whole: int = 0) -> Keyboard:
    """The keys that may be tapped next; none when the move is complete. Up to `whole` squares are offered as one key
    each."""
    if so_far.whole:
        return Keyboard(plays=so_far.kind.told(position, seat, so_far.values))
    done, part, kind = enough(position, seat, so_far), so_far.part, so_far.kind
    ended = so_far.ended() if done else so_far
    chosen = so_far.values | {part.name: " ".join(so_far.items)}
    board = Keyboard(
        done=done,
        asks=kind.question(position, seat, chosen),
        plays=kind.told(position, seat, ended.values) if ended.whole else "",
    )
    if part.items and so_far.hole is None and len(so_far.items) >= part.items(position)[1]:
        squares = part.changed(position) if part.changed else ()
        return replace(board, keys=tuple(Key(square, able=True) for square in squares), clears=bool(squares))
    if part.kind == "whole":
        keys, others = _numbers(position, seat, so_far)
        return replace(board, keys=tuple(keys), others=tuple(others))
    square = part.kind == "square"
    return replace(
        board, keys=tuple(_squares(position, seat, so_far, whole) if square else _words(position, seat, so_far))
    )


def _squares(position: Position, seat: Seat, so_far: PartialMove, whole: int) -> Iterator[Key]:
    columns, rows = so_far.part.bounds(position)
    usual = so_far.part.at_once if so_far.part.items else FEW_OF_SEVERAL if so_far.kind.parts[1:] else FEW
    able = list(dict.fromkeys(following(position, seat, so_far)))
    if so_far.typed:
        yield from (Key(str(row), f"{so_far.typed}{row}" in able) for row in range(1, rows + 1))
    elif len(able) <= max(whole, usual):
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
    if high - low < so_far.part.at_once:
        able = set(following(position, seat, so_far))
        values = map(str, range(low, high + 1))
        named = so_far.part.named or _unnamed
        return (
            Key(value, value in able or value in chosen, value in chosen, label=named(position, value))
            for value in values
        ), ()
    wanted = _some(following(position, seat, so_far), so_far.part.at_once)
    if len(wanted) <= so_far.part.at_once:
        values, begun = sorted({*wanted, *(() if so_far.typed else chosen)}, key=int), len(so_far.typed)
        return (Key(value[begun:], able=True, on=value in chosen) for value in values if value[begun:]), ()
    usual = None if so_far.typed else so_far.part.usual
    behind = usual is not None
    written = "123456789" if behind or low and not so_far.typed else "1234567890"  # no number begins with 0
    digits = [Key(digit, _leads(position, seat, so_far, digit), ends=False, behind=behind) for digit in written]
    if not usual:
        return digits, ()
    others = so_far.items if so_far.hole is not None else ()
    keys = (
        Key(value, _is_value(position, seat, replace(so_far, open=so_far.open + value)), swaps=value in others)
        for value in usual(position, seat, so_far.values)
    )
    beside = [*keys, *digits]
    if high < TWO_DIGITS and len(beside) <= so_far.part.at_once:
        return beside, ()
    return beside[: -len(digits)], digits


def _unnamed(position: Position, value: str) -> str:
    """The key of a number that speaks for itself."""
    return ""


def _some(values: Iterable[str], most: int) -> list[str]:
    """Different ones of the values, as many as show whether there are too many for keys of their own."""
    seen: set[str] = set()
    fresh = (value for value in values if not (value in seen or seen.add(value)))
    return list(islice(fresh, most + 1))


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


def enough(position: Position, seat: Seat, so_far: PartialMove) -> bool:
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
