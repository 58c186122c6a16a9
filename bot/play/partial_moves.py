"""A move entered piece by piece: what has been chosen, and the keys that lead on."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import islice
from math import isqrt
from typing import Self

from bot.games.grids import format_column
from bot.games.moves import WHAT, MoveKind, Part, Question
from bot.games.position import MoveError, Position, Seat

# The partial move of a pad: the parts of a move chosen so far, as text and back.


CURSOR, LEFT_OUT = "…", "-"
"""The sign after the part that is being chosen, and in place of one that is left out."""
Span = tuple[int, int]
"""The least and the greatest number of a range."""
RANGE = "{}–{}"
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
        if self.is_whole:
            return chosen
        typed = self.typed_text if self.typed_range else ""
        return chosen | {names[len(chosen)]: self.open.removesuffix(typed).strip()}

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
        """The beginning of an incomplete value: a column, or the range of a number."""
        return self.open.rpartition(" ")[2]

    @property
    def typed_range(self) -> Span | None:
        """The range in which the number lies that is being chosen; None without one."""
        return read_range(self.typed_text)

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
        """The parts by their names, a line each."""
        names = [part.name for part in self.kind.parts]
        lines = [f"{name}: {value or LEFT_OUT}" for name, value in zip(names, self.done, strict=False)]
        return "\n".join(lines if self.is_whole else [*lines, f"{names[len(self.done)]}: {self.open}{CURSOR}"])

    @property
    def notation(self) -> str:
        """What is chosen as it is written on paper, up to the cursor: "c4 …", "c4 2"."""
        if self.is_whole:
            return self.kind.pattern.format_map(self.values).strip()
        head, _, _ = self.kind.pattern.partition(f"{{{self.current_part.name}}}")
        return f"{head.format_map(self.values)}{self.open}{CURSOR}"

    @classmethod
    def read_notation(cls, kind: MoveKind, text: str) -> Self | None:
        """Read what `notation` has written; None for any other text, or another kind of move."""
        separators = re.split(r"\{\w+\}", kind.pattern)
        if not text.startswith(separators[0]) or not kind.parts:
            return None
        rest, is_whole = text.removeprefix(separators[0]), not text.endswith(CURSOR)
        *done, last = rest.split(separators[1], len(kind.parts) - 1) if kind.parts[1:] else [rest]
        if not is_whole:
            return cls(kind, tuple(done), last.removesuffix(CURSOR))
        chosen = (*done, last)
        missing = kind.parts[len(chosen) :]
        return cls(kind, (*chosen, *("" for _ in missing))) if all(part.optional for part in missing) else None

    @classmethod
    def parse(cls, kind: MoveKind, text: str) -> Self | None:
        """Read what `str` has written, as it stands on pads of earlier versions, or with the headings of the parts in
        place of their names; None for any other text, or another kind of move."""
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


def read_range(text: str) -> Span | None:
    """The least and the greatest number of a range, "40–49"; None for any other text."""
    found = re.fullmatch(r"([0-9]{1,19})–([0-9]{1,19})", text)
    return (int(found[1]), int(found[2])) if found else None


# The keys of a pad: the next taps, from the parts of a move's kind and the legal moves.


MANY, SQUARES = 20, 16
"""The most keys for whole moves and ranges of numbers, and for squares, which are below a high board; with more, a move
is put together part by part, a square by column and row, and a number by its range."""
MOST_COLUMNS = 5
"""The most squares in a row of a board whose keys are shown in its shape."""
ACROSS, FEW_ACROSS, TWO_ACROSS = 4, 3, 2
"""Keys that a phone shows side by side; wide ones; and very wide ones."""
LONG, VERY_LONG = 4, 9
"""Keys with longer labels are wide, and very wide."""
ROWS, ROWS_BELOW_SQUARES = 5, 4
"""The rows of keys that a phone shows below a picture, and below a board of squares, which is higher."""
LOOKED_AT = 100
"""How many beginnings are looked at to see whether there are so few whole moves."""


@dataclass(frozen=True, slots=True)
class Key:
    """A key: what it adds to the line. Every key leads to a legal move."""

    token: str
    is_selected: bool = False
    """Whether it is in the list already, and would be removed from it."""
    completes: bool = True
    """Whether it completes a value; a column needs a row, and a range a number in it."""
    label: str = ""
    """The text on the key; empty for its value."""
    swaps_with: bool = False
    """Whether another item has this value, and is swapped with the current one."""
    answer: PartialMove | None = None
    """The whole move that it makes."""
    is_open: bool = True
    """Whether it can be tapped; others keep the place of a square."""

    @property
    def sign(self) -> str:
        """An id, unique among the keys of a pad."""
        span = read_range(self.token)
        return f"from{span[0]}to{span[1]}" if span else self.token


@dataclass(frozen=True, slots=True)
class Keyboard:
    """The keys that may be tapped next; `done` says whether the choice so far is enough."""

    keys: tuple[Key, ...] = ()
    done: bool = False
    others: tuple[Key, ...] = ()
    """Keys behind the common ones: ranges of all other numbers."""
    asks: Question = Question("")
    """The question in the game's own words, or empty."""
    verb: str = ""
    """What the whole move does: "Flip"; empty if it is incomplete."""
    plays: str = ""
    """The whole move without its verb, in the game's words; empty if it is incomplete."""
    clears: bool = False
    """Whether the full list can be emptied."""
    grid: tuple[str, ...] = ()
    """The squares of a small board row by row, in whose shape its keys are shown; none elsewhere."""
    across: int = 0
    """The squares in a row of that board."""

    @property
    def new_keys(self) -> list[Key]:
        """The keys that add something."""
        return [key for key in (*self.keys, *self.others) if not key.is_selected]


def list_keys(position: Position, seat: Seat, so_far: PartialMove) -> Keyboard:
    """The keys that may be tapped next; none when the move is complete."""
    if so_far.is_whole:
        verb, plays = so_far.kind.describe_task(position, seat, so_far.values)
        return Keyboard(verb=verb, plays=plays)
    done, part, kind = is_enough(position, seat, so_far), so_far.current_part, so_far.kind
    chosen = so_far.values | {part.name: " ".join(so_far.items)}
    board = Keyboard(done=done, asks=kind.word_question(position, seat, chosen))
    if part.items and so_far.open_place is None and len(so_far.items) >= part.items(position)[1]:
        squares = part.editable_squares(position) if part.editable_squares else ()
        side = isqrt(len(squares))
        full = replace(board, keys=tuple(Key(square) for square in squares), clears=bool(squares))
        return _shape_grid(full, side, side, MOST_COLUMNS**2)
    if answers := _list_answers(position, seat, so_far):
        asks = kind.asks_whole(position, seat, chosen) if kind.asks_whole else board.asks
        return replace(board, keys=answers, asks=asks if asks.own or so_far.done or part.items else WHAT)
    if part.kind == "whole":
        keys, others = _list_number_keys(position, seat, so_far)
        board = replace(board, keys=tuple(keys), others=tuple(others))
        return _keep_places(board, *part.bounds(position)[:2]) if part.is_place else board
    if part.kind != "square":
        return replace(board, keys=tuple(_list_word_keys(position, seat, so_far)))
    keys = tuple(_list_square_keys(position, seat, so_far))
    is_whole = all(key.completes for key in keys) and not so_far.typed_text and not part.items
    board = replace(board, keys=keys)
    columns, rows, *_ = part.bounds(position)
    return _shape_grid(board, columns, rows, SQUARES) if is_whole else board


def _shape_grid(board: Keyboard, columns: int, rows: int, most: int) -> Keyboard:
    """A keyboard with the squares of its board, if a phone can show the keys in its shape: at `most` so many."""
    if not 0 < columns <= MOST_COLUMNS or columns * rows > most:
        return board
    names = (f"{format_column(column)}{row}" for row in range(1, rows + 1) for column in range(columns))
    return replace(board, grid=tuple(names), across=columns)


def _keep_places(board: Keyboard, first: int, last: int) -> Keyboard:
    """A keyboard with a key for each of a few places, so that those left stay where they are."""
    if last - first >= MANY:
        return board
    return replace(board, grid=tuple(map(str, range(first, last + 1))), across=ACROSS)


def _list_answers(position: Position, seat: Seat, so_far: PartialMove) -> tuple[Key, ...]:
    """A key for each whole move that the parts chosen so far can become, where there are few; none where a single value
    is all that is left to choose, or where a list may end and may go on."""
    part, parts = so_far.current_part, so_far.kind.parts
    is_last = len(so_far.done) == len(parts) - 1 and not part.items
    if so_far.open or is_last or part.editable_squares or position.open_to(seat):
        return ()
    found: dict[str, PartialMove] = {}
    for whole in _iterate_answers(position, seat, so_far):
        if whole is None or len(found) > MANY:
            return ()
        found.setdefault(position.read(seat, whole.line), whole)
    verb = f"{(so_far.kind.single or so_far.kind).name} "  # the question says it
    keys = tuple(
        Key(f"move{number}", label=whole.kind.describe(position, seat, whole.values).removeprefix(verb), answer=whole)
        for number, whole in enumerate(found.values())
    )
    return keys if len(keys) <= _count_rows(so_far.kind) * count_across(keys) else ()


def _count_rows(kind: MoveKind) -> int:
    """The rows of keys below the picture for a kind of move."""
    return ROWS_BELOW_SQUARES if any(part.kind == "square" for part in kind.parts) else ROWS


def count_across(keys: Iterable[Key]) -> int:
    """How many of these keys a phone shows side by side."""
    longest = max((len(key.label or key.token) for key in keys), default=0)
    return TWO_ACROSS if longest > VERY_LONG else FEW_ACROSS if longest > LONG else ACROSS


def sample_moves(position: Position, seat: Seat, kind: MoveKind, each: int) -> Iterator[str]:
    """Some whole moves of a kind, in notation: for each value of its first part so many."""
    begun = PartialMove(kind)
    for value in _take_some(list_completions(position, seat, begun), LOOKED_AT):
        first = replace(begun, open=value).take_value()
        found = (whole for whole in _iterate_whole_moves(position, seat, first) if whole)
        yield from (position.read(seat, whole.line) for whole in islice(found, each))


def _iterate_whole_moves(position: Position, seat: Seat, begun: PartialMove) -> Iterator[PartialMove]:
    """The whole moves that a partial move can become, one after another."""
    if begun.is_whole:
        yield begun
        return
    if is_enough(position, seat, begun):
        yield from _iterate_whole_moves(position, seat, begun.close_part())
    for value in list_completions(position, seat, begun):
        yield from _iterate_whole_moves(position, seat, replace(begun, open=begun.open + value).take_value())


def _iterate_answers(position: Position, seat: Seat, so_far: PartialMove) -> Iterator[PartialMove | None]:
    """The whole moves, and None as soon as there are too many beginnings, or a list that may end here or go on."""
    waiting = [so_far]
    for _ in range(LOOKED_AT):
        if not waiting:
            return
        begun = waiting.pop()
        if begun.is_whole:
            yield begun
            continue
        done, values = is_enough(position, seat, begun), _take_some(list_completions(position, seat, begun), MANY)
        if done and values or len(values) > MANY:
            yield None
        if done:
            waiting.append(begun.close_part())
        waiting += [replace(begun, open=begun.open + value).take_value() for value in reversed(values)]
    yield None


def _list_square_keys(position: Position, seat: Seat, so_far: PartialMove) -> Iterator[Key]:
    able = list(dict.fromkeys(list_completions(position, seat, so_far)))
    by_row = sorted(able, key=lambda square: (int(square[1:]), square))
    if so_far.typed_text:
        yield from (Key(square[1:]) for square in by_row)
    elif len(able) <= (so_far.current_part.max_buttons if so_far.current_part.items else SQUARES):
        yield from map(Key, by_row)
    else:
        yield from (Key(letter, completes=False) for letter in sorted({square[0] for square in able}))


def _list_word_keys(position: Position, seat: Seat, so_far: PartialMove) -> Iterator[Key]:
    able = set(list_completions(position, seat, so_far))
    yield from (Key(word) for word in so_far.current_part.words if word in able)


def _list_number_keys(position: Position, seat: Seat, so_far: PartialMove) -> tuple[Iterable[Key], Iterable[Key]]:
    """The keys for a number: all values if few; else the common ones, and ranges of all others beside or behind
    them."""
    part, span = so_far.current_part, so_far.typed_range
    low, high = span or part.bounds(position)[:2]
    chosen = so_far.items if part.is_ascending and not span else ()
    most = part.max_buttons if not span else max(part.max_buttons, MANY)
    fresh = replace(so_far, open=so_far.open.removesuffix(so_far.typed_text))
    found = _list_numbers(position, seat, so_far, span) if span else list_completions(position, seat, fresh)
    values = _take_some(found, most)
    if len(values) <= most:
        keys = sorted({*values, *chosen}, key=int)
        return [_make_number_key(position, seat, so_far, value, value in chosen) for value in keys], ()
    ranges = [key for one in split_range((low, high)) if (key := _make_range_key(position, seat, so_far, one))]
    usual = part.common_values if not span else None
    if not usual:
        return ranges, ()
    others = so_far.items if so_far.open_place is not None else ()
    common = [
        replace(_make_number_key(position, seat, so_far, value), swaps_with=value in others)
        for value in usual(position, seat, so_far.values)
        if _is_legal_number(position, seat, so_far, int(value))
    ]
    # A range of one number is that number.
    ranges = [key for key in ranges if not key.completes or key.token not in {one.token for one in common}]
    return ([*common, *ranges], ()) if len(common) + len(ranges) <= MANY else (common, ranges)


def _make_number_key(
    position: Position, seat: Seat, so_far: PartialMove, value: str, is_selected: bool = False
) -> Key:  # fmt: skip
    part, name = so_far.current_part, so_far.current_part.key_label
    chosen = so_far.values | {part.name: " ".join(so_far.items)}
    return Key(value, is_selected, label=name(position, chosen, value) if name else "")


def _make_range_key(position: Position, seat: Seat, so_far: PartialMove, span: Span) -> Key | None:
    """The key for the numbers of a range: a single one itself, and none where there are none."""
    found = _take_some(_list_numbers(position, seat, so_far, span), 1)
    if len(found) < 2:
        return next((_make_number_key(position, seat, so_far, value) for value in found), None)
    return Key(RANGE.format(*span), completes=False)


def split_range(span: Span) -> list[Span]:
    """A range in at most `MANY` round parts: tens, twenties, fifties, hundreds and so on.

    >>> split_range((1, 45)), split_range((0, 359))[:2], len(split_range((1, 9999)))
    ([(1, 9), (10, 19), (20, 29), (30, 39), (40, 45)], [(0, 19), (20, 39)], 20)
    """
    low, high = span
    steps = (digit * 10**zeros for zeros in range(1, len(str(high)) + 1) for digit in (1, 2, 5))
    step = next(step for step in steps if high // step - low // step < MANY)
    return [(max(low, at * step), min(high, at * step + step - 1)) for at in range(low // step, high // step + 1)]


def _list_numbers(position: Position, seat: Seat, so_far: PartialMove, span: Span) -> Iterator[str]:
    """The legal numbers of a range."""
    low, high = span
    begun = so_far.open.removesuffix(so_far.typed_text)
    if not so_far.current_part.completions:
        found = list_completions(position, seat, replace(so_far, open=begun))
        yield from (value for value in found if low <= int(value) <= high)
        return
    first, last = str(low), str(high)
    same = next((at for at, (one, other) in enumerate(zip(first, last, strict=False)) if one != other), len(first))
    typed = first[:same] if len(first) == len(last) else ""
    for value in list_completions(position, seat, replace(so_far, open=begun + typed)):
        if int(value) > high:
            return
        if int(value) >= low:
            yield value


def _is_legal_number(position: Position, seat: Seat, so_far: PartialMove, number: int) -> bool:
    return any(True for _ in _list_numbers(position, seat, so_far, (number, number)))


def _take_some(values: Iterable[str], most: int) -> list[str]:
    """Different ones of the values, as many as show whether there are more than `most`."""
    seen: set[str] = set()
    fresh = (value for value in values if not (value in seen or seen.add(value)))
    return list(islice(fresh, most + 1))


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


def can_become(so_far: PartialMove, move: str) -> bool:
    """Whether a partial move can still become a move."""
    said, names = so_far.kind.parse(move), [part.name for part in so_far.kind.parts]
    if said is None or any(said.get(name, "") != value for name, value in zip(names, so_far.done, strict=False)):
        return False
    if so_far.is_whole:
        return True
    value, span, part = said.get(names[len(so_far.done)], ""), so_far.typed_range, so_far.current_part
    if part.items:
        items, chosen = value.split(), so_far.items
        return {*chosen} <= {*items} if part.is_ascending else tuple(items[: len(chosen)]) == chosen
    return span[0] <= int(value) <= span[1] if span else value.startswith(so_far.open)


def _split_items(so_far: PartialMove, value: str) -> Iterable[str]:
    if so_far.current_part.items is None:
        return (value,)
    items, chosen = value.split(), so_far.items
    if so_far.current_part.is_ascending:
        return (item for item in items if item not in chosen) if {*chosen} <= {*items} else ()
    return items[len(chosen) : len(chosen) + 1] if tuple(items[: len(chosen)]) == chosen else ()


def is_enough(position: Position, seat: Seat, so_far: PartialMove) -> bool:
    """Whether the list or the whole move may end here."""
    if so_far.typed_text:
        return False
    if (
        not (so_far.current_part.optional if so_far.current_part.items is None else so_far.items)
        or so_far.open_place is not None
    ):
        return False
    if so_far.current_part.editable_squares and " ".join(so_far.items) == so_far.current_part.begin(position, seat):
        return False  # It starts from what was already played.
    ended = so_far.close_part()
    return not ended.is_whole or is_legal(position, seat, ended)


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
    """The partial move after a tap; unchanged if the key is not on the pad."""
    board = list_keys(position, seat, so_far)
    key = next((key for key in (*board.keys, *board.others) if key.sign == sign), None)
    return _make_forced_choices(position, seat, _add_key(position, seat, so_far, key)) if key else so_far


def finish_part(position: Position, seat: Seat, so_far: PartialMove) -> PartialMove:
    """The partial move after *Done*; unchanged if it is not enough."""
    if so_far.is_whole or not is_enough(position, seat, so_far):
        return so_far
    return _make_forced_choices(position, seat, so_far.end_part())


def clear_items(position: Position, seat: Seat, so_far: PartialMove) -> PartialMove:
    """The partial move with its full list emptied; unchanged if it cannot be."""
    return replace(so_far, open="") if list_keys(position, seat, so_far).clears else so_far


def step_back(position: Position, seat: Seat, so_far: PartialMove) -> PartialMove:
    """The state before the last tap and before every choice that was made automatically since."""
    if list_keys(position, seat, so_far).clears and (start := begin_partial_move(position, seat, so_far.kind)).open:
        return start  # changing a move that was already played: the taps are not kept
    before = so_far
    while before.done or before.open:
        before = _without_last(position, seat, before)
        settled = _make_forced_choices(position, seat, before)
        if settled != so_far:
            return settled
    return so_far


def _without_last(position: Position, seat: Seat, so_far: PartialMove) -> PartialMove:
    """Without the last range, column, item, end of a list or whole answer, whichever came last."""
    if so_far.typed_text:
        return _leave_typed_text(position, so_far)
    if so_far.open_place is not None:
        return so_far.with_item(so_far.open_place, so_far.items[so_far.open_place].strip("()"))
    if so_far.open:
        *items, last = so_far.items
        return _reopen_value(position, seat, replace(so_far, open="".join(f"{item} " for item in items)), last)
    begun = (replace(so_far, done=so_far.done[:many]) for many in range(len(so_far.done)))
    if so_far.is_whole and (answered := next((one for one in begun if _list_answers(position, seat, one)), None)):
        return answered
    *done, last = so_far.done
    before = replace(so_far, done=tuple(done))
    if before.current_part.items:
        return replace(before, open="".join(f"{item} " for item in last.split()))
    return _reopen_value(position, seat, before, last)


def _leave_typed_text(position: Position, so_far: PartialMove) -> PartialMove:
    """Without a column, or with the range that the typed one is a part of."""
    before = replace(so_far, open=so_far.open.removesuffix(so_far.typed_text))
    if not so_far.typed_range:
        return before
    low, high = so_far.typed_range
    around = _list_ranges_around(position, so_far, low)
    larger = [span for span in around if span[0] <= low and high <= span[1] and span != (low, high)]
    return replace(before, open=before.open + RANGE.format(*larger[-1])) if larger else before


def _list_ranges_around(position: Position, so_far: PartialMove, number: int) -> list[Span]:
    """The ranges through which a number is reached, the largest first."""
    low, high = so_far.current_part.bounds(position)[:2]
    found = list[Span]()
    while high - low >= MANY:
        low, high = next(span for span in split_range((low, high)) if span[0] <= number <= span[1])
        found.append((low, high))
    return found


def _reopen_value(position: Position, seat: Seat, before: PartialMove, value: str) -> PartialMove:
    """A complete value before its last tap: nothing, a column, or a range."""
    keys = list_keys(position, seat, before)
    if not value or any(key.token == value and key.completes for key in (*keys.keys, *keys.others)):
        return before
    if before.current_part.kind != "whole":
        return replace(before, open=before.open + value[0])
    reached = [
        replace(before, open=before.open + RANGE.format(*span))
        for span in _list_ranges_around(position, before, int(value))
    ]
    shown = (each for each in reached if any(key.token == value for key in list_keys(position, seat, each).keys))
    return next(shown, before)


def _add_key(position: Position, seat: Seat, so_far: PartialMove, key: Key) -> PartialMove:
    if key.answer:
        return key.answer
    if key.is_selected:
        return replace(so_far, open="".join(f"{item} " for item in so_far.items if item != key.token))
    if so_far.current_part.editable_squares and key.token in so_far.current_part.editable_squares(position):
        at = so_far.current_part.editable_squares(position).index(key.token)
        return so_far.with_item(at, GIVEN_UP.format(so_far.items[at]))
    # A number takes the place of its range; a row stands behind its column.
    begun = so_far.open.removesuffix(so_far.typed_text) if so_far.current_part.kind == "whole" else so_far.open
    added = replace(so_far, open=begun + key.token)
    return added.take_value() if key.completes else added


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
