"""A move entered piece by piece: what has been chosen, and the keys that lead on."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Self

from bot.games.moves import MoveKind, Part
from bot.games.position import MoveError, Position, Seat

# The partial move of a pad: the parts of a move chosen so far, as text and back.


CURSOR, LEFT_OUT = "…", "-"
"""The sign after the part that is being chosen, and in place of one that is left out."""
GIVEN_UP = "({})"
"""The form of an item that is being replaced."""


@dataclass(frozen=True, slots=True)
class PartialMove:
    """The finished parts of a move, and the beginning of the next one."""

    kind: MoveKind
    done: tuple[str, ...] = ()
    open: str = ""
    """The part being chosen; complete items of a list are followed by a space."""

    @property
    def is_whole(self) -> bool:
        """Whether all parts are chosen."""
        return len(self.done) == len(self.kind.parts)

    @property
    def current_part(self) -> Part:
        """The part that is being chosen."""
        part = self.kind.parts[len(self.done)]
        return part.pad_part or part

    @property
    def values(self) -> dict[str, str]:
        """What was chosen, by the names of the parts."""
        names = [part.name for part in self.kind.parts]
        chosen = dict(zip(names, self.done, strict=False))
        return chosen if self.is_whole else chosen | {names[len(chosen)]: self.open.strip()}

    @property
    def line(self) -> str:
        """The move as one line, once it is whole."""
        return self.kind.write(self.values)

    @property
    def items(self) -> tuple[str, ...]:
        """The complete items of a list."""
        return tuple(self.open.rpartition(" ")[0].split())

    @property
    def typed_text(self) -> str:
        """The beginning of an incomplete value: a column, some digits."""
        return self.open.rpartition(" ")[2]

    @property
    def open_place(self) -> int | None:
        """The index of the item that is being replaced; None without one."""
        return next((at for at, item in enumerate(self.items) if item[0] == "("), None)

    def with_item(self, at: int, item: str) -> Self:
        """The same with another item at an index, and nothing typed."""
        return replace(self, open="".join(f"{one} " for one in (*self.items[:at], item, *self.items[at + 1 :])))

    def close_part(self) -> Self:
        """The same with the current part finished."""
        return replace(self, done=(*self.done, self.open.strip()), open="")

    def take_value(self) -> Self:
        """The same with the typed value complete: the part is finished, or the list continues. Replacing an item by the
        value of another swaps the two."""
        items, hole = self.open.split(), self.open_place
        if self.current_part.items is None:
            return self.close_part()
        if hole is not None:
            given_up, value = items[hole].strip("()"), items.pop()
            items = [given_up if item == value else item for item in items]
            items[hole] = value
        elif self.current_part.is_ascending:
            items.sort(key=int)
        return replace(self, open="".join(f"{item} " for item in items))

    def end_part(self) -> Self:
        """The same with the current part ended as it is."""
        return self.take_value() if self.typed_text else self.close_part()

    def __str__(self) -> str:
        return self._format_parts([part.name for part in self.kind.parts])

    @property
    def readable_text(self) -> str:
        """The partial move as players read it."""
        return self._format_parts([part.heading for part in self.kind.parts])

    def _format_parts(self, names: Sequence[str]) -> str:
        lines = [f"{name}: {value or LEFT_OUT}" for name, value in zip(names, self.done, strict=False)]
        return "\n".join(lines if self.is_whole else [*lines, f"{names[len(self.done)]}: {self.open}{CURSOR}"])

    @classmethod
    def parse(cls, kind: MoveKind, text: str) -> Self | None:
        """Read what `readable_text` or `str` has written; None for any other text, or another kind of move."""
        found = [re.fullmatch(r"([A-Za-z ]+): (.*)", line) for line in text.split("\n")]
        pairs = [(each[1], each[2]) for each in found if each]
        parts = kind.parts[: len(pairs)]
        if len(pairs) != len(found) or len(parts) != len(pairs):
            return None
        if not all(name in (part.name, part.heading) for part, (name, _) in zip(parts, pairs, strict=True)):
            return None
        *done, last = [value for _, value in pairs]
        if last.endswith(CURSOR):
            return cls(kind, tuple(map(_read_value, done)), last.removesuffix(CURSOR))
        return cls(kind, tuple(map(_read_value, (*done, last)))) if len(pairs) == len(kind.parts) else None


def _read_value(value: str) -> str:
    return "" if value == LEFT_OUT else value


# The keys of a pad: the next taps, from the parts of a move's kind and the legal moves.


TWO_DIGITS = 100
"""Below this a number takes two taps, so that digits are shown beside the common values and not behind them."""
FEW, FEW_OF_SEVERAL = 5, 16
"""The most squares offered whole, not by column and row: in moves of one part, and of several, where taps add up; for
lists the part's own limit applies."""
WHOLE = 12
"""The most squares offered at once on a pad that chooses two moves; more do not fit a phone."""


@dataclass(frozen=True, slots=True)
class Key:
    """A key: what it adds to the line, and whether that leads to a legal move."""

    token: str
    able: bool
    is_selected: bool = False
    """Whether it is in the list already, and would be removed from it."""
    completes: bool = True
    """Whether it completes a value; a column needs a row, and a digit may need others."""
    starts_longer: bool = False
    """Whether it is a digit beside common values: their 2 is the number, this one begins 25."""
    label: str = ""
    """The text on the key; empty for its value."""
    swaps_with: bool = False
    """Whether another item has this value, and is swapped with the current one."""

    @property
    def sign(self) -> str:
        """An id, unique among the keys of a pad."""
        return f"d{self.token}" if self.starts_longer else self.token


@dataclass(frozen=True, slots=True)
class Keyboard:
    """The keys that may be tapped next; `done` says whether the choice so far is enough."""

    keys: tuple[Key, ...] = ()
    done: bool = False
    others: tuple[Key, ...] = ()
    """Keys behind the common ones: digits for all other numbers."""
    asks: str = ""
    """The question in the game's own words, or empty."""
    plays: str = ""
    """The move chosen so far, in the game's words; empty if it is incomplete."""
    clears: bool = False
    """Whether the full list can be emptied."""

    @property
    def new_keys(self) -> list[Key]:
        """The keys that add something."""
        return [key for key in (*self.keys, *self.others) if key.able and not key.is_selected]


def list_keys(position: Position, seat: Seat, so_far: PartialMove, whole: int = 0) -> Keyboard:
    """The keys that may be tapped next; none when the move is complete. Up to `whole` squares are offered as one key
    each."""
    if so_far.is_whole:
        return Keyboard(plays=so_far.kind.describe(position, seat, so_far.values))
    done, part, kind = is_enough(position, seat, so_far), so_far.current_part, so_far.kind
    ended = so_far.end_part() if done else so_far
    chosen = so_far.values | {part.name: " ".join(so_far.items)}
    board = Keyboard(
        done=done,
        asks=kind.word_question(position, seat, chosen),
        plays=kind.describe(position, seat, ended.values) if ended.is_whole else "",
    )
    if part.items and so_far.open_place is None and len(so_far.items) >= part.items(position)[1]:
        squares = part.editable_squares(position) if part.editable_squares else ()
        return replace(board, keys=tuple(Key(square, able=True) for square in squares), clears=bool(squares))
    if part.kind == "whole":
        keys, others = _list_number_keys(position, seat, so_far)
        return replace(board, keys=tuple(keys), others=tuple(others))
    square = part.kind == "square"
    return replace(
        board,
        keys=tuple(
            _list_square_keys(position, seat, so_far, whole) if square else _list_word_keys(position, seat, so_far)
        ),
    )


def _list_square_keys(position: Position, seat: Seat, so_far: PartialMove, whole: int) -> Iterator[Key]:
    columns, rows = so_far.current_part.bounds(position)
    usual = (
        so_far.current_part.max_buttons
        if so_far.current_part.items
        else FEW_OF_SEVERAL
        if so_far.kind.parts[1:]
        else FEW
    )
    able = list(dict.fromkeys(list_completions(position, seat, so_far)))
    if so_far.typed_text:
        yield from (Key(str(row), f"{so_far.typed_text}{row}" in able) for row in range(1, rows + 1))
    elif len(able) <= max(whole, usual):
        yield from (Key(square, able=True) for square in sorted(able, key=lambda it: (int(it[1:]), it)))
    else:
        begun = {square[0] for square in able}
        yield from (Key(letter, letter in begun, completes=False) for letter in map(chr, range(97, 97 + columns)))


def _list_word_keys(position: Position, seat: Seat, so_far: PartialMove) -> Iterator[Key]:
    able = set(list_completions(position, seat, so_far))
    yield from (Key(word, word in able) for word in so_far.current_part.words)


def _list_number_keys(position: Position, seat: Seat, so_far: PartialMove) -> tuple[Iterable[Key], Iterable[Key]]:
    """The keys for a number: all values if few, else digits behind the common values."""
    low, high = so_far.current_part.bounds(position)[:2]
    chosen = so_far.items if so_far.current_part.is_ascending else ()
    if high - low < so_far.current_part.max_buttons:
        able = set(list_completions(position, seat, so_far))
        values = map(str, range(low, high + 1))
        name = so_far.current_part.key_label
        return (
            Key(value, value in able or value in chosen, value in chosen, label=name(position, value) if name else "")
            for value in values
        ), ()
    wanted = _take_some(list_completions(position, seat, so_far), so_far.current_part.max_buttons)
    if len(wanted) <= so_far.current_part.max_buttons:
        values, begun = sorted({*wanted, *(() if so_far.typed_text else chosen)}, key=int), len(so_far.typed_text)
        return (Key(value[begun:], able=True, is_selected=value in chosen) for value in values if value[begun:]), ()
    usual = None if so_far.typed_text else so_far.current_part.common_values
    behind = usual is not None
    written = "123456789" if behind or low and not so_far.typed_text else "1234567890"  # no number begins with 0
    digits = [
        Key(digit, _leads_on(position, seat, so_far, digit), completes=False, starts_longer=behind) for digit in written
    ]
    if not usual:
        return digits, ()
    others = so_far.items if so_far.open_place is not None else ()
    keys = (
        Key(value, _is_value(position, seat, replace(so_far, open=so_far.open + value)), swaps_with=value in others)
        for value in usual(position, seat, so_far.values)
    )
    beside = [*keys, *digits]
    if high < TWO_DIGITS and len(beside) <= so_far.current_part.max_buttons:
        return beside, ()
    return beside[: -len(digits)], digits


def _take_some(values: Iterable[str], most: int) -> list[str]:
    """Different ones of the values, as many as show whether there are too many for keys of their own."""
    seen: set[str] = set()
    fresh = (value for value in values if not (value in seen or seen.add(value)))
    return list(islice(fresh, most + 1))


def _leads_on(position: Position, seat: Seat, so_far: PartialMove, digit: str) -> bool:
    return any(True for _ in list_completions(position, seat, replace(so_far, open=so_far.open + digit)))


def list_completions(position: Position, seat: Seat, so_far: PartialMove) -> Iterator[str]:
    """The legal values of the part that is being chosen, of a list the next items, that begin as typed."""
    typed, part = so_far.typed_text, so_far.current_part
    if part.completions is None:
        values: Iterable[str] = _list_from_moves(position, seat, so_far)
    else:
        values = part.completions(position, seat, so_far.values | {part.name: " ".join(so_far.items)}, typed)
    return (value for value in values if value.startswith(typed))


def _list_from_moves(position: Position, seat: Seat, so_far: PartialMove) -> Iterator[str]:
    """The continuations of the choice so far among the game's listed moves."""
    finished = dict(zip((part.name for part in so_far.kind.parts), so_far.done, strict=False))
    for move in position.moves(seat):
        said = so_far.kind.parse(move)
        if said and finished.items() <= said.items() and so_far.current_part.name in said:
            yield from _split_items(so_far, said[so_far.current_part.name])


def _split_items(so_far: PartialMove, value: str) -> Iterable[str]:
    if so_far.current_part.items is None:
        return (value,)
    items, chosen = value.split(), so_far.items
    if so_far.current_part.is_ascending:
        return (item for item in items if item not in chosen) if {*chosen} <= {*items} else ()
    return items[len(chosen) : len(chosen) + 1] if tuple(items[: len(chosen)]) == chosen else ()


def is_enough(position: Position, seat: Seat, so_far: PartialMove) -> bool:
    """Whether the number, the list or the whole move may end here."""
    if so_far.typed_text:
        return so_far.current_part.kind == "whole" and _is_value(position, seat, so_far)
    if (
        not (so_far.current_part.optional if so_far.current_part.items is None else so_far.items)
        or so_far.open_place is not None
    ):
        return False
    if so_far.current_part.editable_squares and " ".join(so_far.items) == so_far.current_part.begin(position, seat):
        return False  # It starts from what was already played.
    ended = so_far.close_part()
    return not ended.is_whole or is_legal(position, seat, ended)


def _is_value(position: Position, seat: Seat, so_far: PartialMove) -> bool:
    """Whether a number may end here; in ascending order it comes before all that begin with it."""
    found = list_completions(position, seat, so_far)
    return next(found, None) == so_far.typed_text if so_far.current_part.completions else so_far.typed_text in found


def is_legal(position: Position, seat: Seat, so_far: PartialMove) -> bool:
    """Whether a whole move can be played."""
    try:
        position.play(seat, position.read(seat, so_far.line))
    except MoveError:
        return False
    return True


# Building a move tap by tap.


def begin_partial_move(position: Position, seat: Seat, kind: MoveKind) -> PartialMove:
    """The empty partial move of a kind, with every forced choice made."""
    so_far = PartialMove(kind)
    values = so_far.current_part.begin(position, seat) if kind.parts and so_far.current_part.editable_squares else ""
    return _make_forced_choices(position, seat, replace(so_far, open="".join(f"{value} " for value in values.split())))


def press_key(position: Position, seat: Seat, so_far: PartialMove, sign: str) -> PartialMove:
    """The partial move after a tap; unchanged if the key is not on the pad, or leads nowhere."""
    boards = (list_keys(position, seat, so_far, whole) for whole in (0, WHOLE))
    keys = (key for board in boards for key in (*board.keys, *board.others))
    key = next((key for key in keys if key.sign == sign and key.able), None)
    return _make_forced_choices(position, seat, _add_key(position, seat, so_far, key)) if key else so_far


def finish_part(position: Position, seat: Seat, so_far: PartialMove) -> PartialMove:
    """The partial move after *Done*; unchanged if it is not enough."""
    if so_far.is_whole or not is_enough(position, seat, so_far):
        return so_far
    return _make_forced_choices(position, seat, so_far.end_part())


def clear_items(position: Position, seat: Seat, so_far: PartialMove) -> PartialMove:
    """The partial move with its full list emptied; unchanged if it cannot be."""
    return replace(so_far, open="") if list_keys(position, seat, so_far).clears else so_far


def step_back(position: Position, seat: Seat, so_far: PartialMove, whole: int = 0) -> PartialMove:
    """The state before the last tap and before every choice that was made automatically since. `whole`: the most
    squares that this pad offers as one key each."""
    if list_keys(position, seat, so_far).clears and (start := begin_partial_move(position, seat, so_far.kind)).open:
        return start  # changing a move that was already played: the taps are not kept
    before = so_far
    while before.done or before.open:
        before = _without_last(position, seat, before, whole)
        settled = _make_forced_choices(position, seat, before)
        if settled != so_far:
            return settled
    return so_far


def _without_last(position: Position, seat: Seat, so_far: PartialMove, whole: int) -> PartialMove:
    """Without the last digit, column, item or end of a list, whichever came last."""
    if so_far.typed_text:
        return replace(so_far, open=so_far.open[:-1])
    if so_far.open_place is not None:
        return so_far.with_item(so_far.open_place, so_far.items[so_far.open_place].strip("()"))
    if so_far.open:
        *items, last = so_far.items
        return _reopen_value(position, seat, replace(so_far, open="".join(f"{item} " for item in items)), last, whole)
    *done, last = so_far.done
    before = replace(so_far, done=tuple(done))
    if before.current_part.items:
        return replace(before, open="".join(f"{item} " for item in last.split()))
    return _reopen_value(position, seat, before, last, whole)


def _reopen_value(position: Position, seat: Seat, before: PartialMove, value: str, whole: int) -> PartialMove:
    """A complete value before its last tap: nothing, a column, or the first digits."""
    if before.current_part.kind != "whole":
        at_once = any(key.token == value and key.completes for key in list_keys(position, seat, before, whole).keys)
        return before if at_once or not value else replace(before, open=before.open + value[0])
    reached = (replace(before, open=before.open + value[:digits]) for digits in range(len(value)))
    return next(
        (each for each in reached if _can_complete(position, seat, each, value)),
        replace(before, open=before.open + value),
    )


def _can_complete(position: Position, seat: Seat, so_far: PartialMove, value: str) -> bool:
    """Whether one key completes a number, of which digits may have been typed."""
    return any(
        key.completes and so_far.typed_text + key.token == value for key in list_keys(position, seat, so_far).keys
    )


def _add_key(position: Position, seat: Seat, so_far: PartialMove, key: Key) -> PartialMove:
    if key.is_selected:
        return replace(so_far, open="".join(f"{item} " for item in so_far.items if item != key.token))
    if so_far.current_part.editable_squares and key.token in so_far.current_part.editable_squares(position):
        at = so_far.current_part.editable_squares(position).index(key.token)
        return so_far.with_item(at, GIVEN_UP.format(so_far.items[at]))
    added = replace(so_far, open=so_far.open + key.token)
    return added.take_value() if key.completes or _cannot_grow(position, seat, added) else added


def _cannot_grow(position: Position, seat: Seat, so_far: PartialMove) -> bool:
    """Whether no digit leads on from what has been typed of a number."""
    if so_far.current_part.kind != "whole":
        return False
    return all(value == so_far.typed_text for value in list_completions(position, seat, so_far))


def _make_forced_choices(position: Position, seat: Seat, so_far: PartialMove) -> PartialMove:
    """Make every forced choice: the only key there is, and the end of a list that cannot go on."""
    while not so_far.is_whole:
        board = list_keys(position, seat, so_far)
        if board.done and not board.new_keys:
            so_far = so_far.end_part()
        elif len(board.new_keys) == 1 and not board.done and not so_far.current_part.is_ascending:
            so_far = _add_key(position, seat, so_far, board.new_keys[0])
        else:
            break
    return so_far
