"""Promises about notation: it round-trips, and is read as forgivingly as the table for all games says, and no more.

A game says in its `MoveKind`s of what parts its moves consist; the table's rows are applied to the parts of moves.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import islice
from random import Random

from bot.games import reading
from bot.games.game import Game
from bot.games.moves import MoveKind, Part
from bot.games.position import Seat
from bot.play.match import Match
from tests.contract.playing import expect, few, listed, playouts, sampled
from tests.contract.sentences import refusal

BAD_SQUARES = ("z9", "cc4", "c04", "c0", "c", "4", "c٣", "с4", "c4444")
"""Refused where a square is expected (the с of one is Cyrillic)."""
BAD_NUMBERS = ("007", "+7", "-7", "7.0", "1_000", "٣", "7²", "7e1", "0x7", "1" + "0" * 19, "9" * 5000, "½")
"""Refused where a whole number is expected."""
UNREADABLE = ("", " ", "\t", "?", "@everyone", "٣", "²", "007", "+7", "5" * 5000, "\x00", "nil", "a1" * 3000)
"""Refused in any game."""
GAPS = ("\n", "\r\n", "\t", "\u00a0", "\u2003", "\u2028", " \n\n ", "  ")
GAPS_IN_ROWS = ("\t", "\u00a0", "\u2003", "  ")
"""What keyboards and pasting put in place of a space; in a grid a line break ends a row."""
MOVES, PLAYED = 3, 5
"""How many moves of a moment are looked at, and how many from the beginning of a playout on: there are thousands that
are written alike."""

SQUARES = ("{C}{r}", "{c} {r}", "{c}-{r}", "{r}{c}", "{C} {r}", "{r}{C}", "{c},{r}", "({c},{r})", "{c}–{r}")
"""The forms of a square, from its column and row."""
LISTS = (",", ", ", " , ", " ,")
"""What may stand between the items of a list."""

# The forms of moves whose pattern joins parts in some way; {a} and {b} are the parts in order.
BETWEEN = (", ", ",", "; ", ":", ": ", "=", " = ", " @ ", " -> ", "→", " at ", " IN ", " on ", " to ")
WITH_NUMBER = ("{b} {a}", *(f"{{a}}{sign}{{b}}" for sign in BETWEEN), "{b} in {a}", "{b}, {a}", "{b} → {a}")
WITH_DIGIT = tuple(f"{{a}}{sign}{{b}}" for sign in BETWEEN)
FROM_TO = ("{a} {b}", "{a}–{b}", "{a} > {b}", "{a}>{b}", "{a} - {b}", "{a} — {b}", "{a}−{b}", "{a} ⇒ {b}", *WITH_DIGIT)
EITHER_ORDER = ("{b}-{a}", "{b} {a}", "{b}–{a}", "{b} > {a}", "{b} to {a}", "{a}°-{b}°", "{b}° → {a}°")
WORDS = {
    "cw": ("CW", "clockwise", "Clockwise"),
    "ccw": ("counterclockwise", "anticlockwise", "Anticlockwise", "counter-clockwise", "anti–clockwise"),
}
AROUND = ("{}.", "{}!", "{},", "“{}”", "`{}`", "**{}**", "({})", '"{}".')
"""What may stand around any move."""


def _split(values: dict[str, str]) -> Iterator[str]:
    position, factors = values.values()
    yield f"{position} split {factors}"
    yield f"split {position}: {factors.replace(' ', '*')}"
    yield from (f"split {position} {factors.replace(' ', sign)}" for sign in ("×", "x", " · ", ", "))
    yield f"split {position}, {factors}"


def _add(values: dict[str, str]) -> Iterator[str]:
    (position,) = values.values()
    yield from (f"{position} add", f"{position} +", f"{position} ADD")


def _grid(values: dict[str, str]) -> Iterator[str]:
    (rows,) = values.values()
    yield from (rows, rows.replace(" / ", "; "), rows.replace(" / ", "\n"), "Grid " + rows.replace(" / ", ";"))
    yield from (f"{rows} /", f"grid: {rows}", f"0{rows}", rows.replace(" / ", "\n\n"), rows.replace(" / ", " "))


BY_WORD: dict[str, Callable[[dict[str, str]], Iterator[str]]] = {"split": _split, "add": _add, "grid": _grid}
"""The forms of moves that begin with this word."""


def kinds(match: Match, seat: Seat, move: str) -> list[tuple[MoveKind, dict[str, str]]]:
    """The kinds that a canonical move may be of at this moment, with its parts."""
    able = [kind for kind in match.game.moves if kind.when(match.position, seat)]
    return [(kind, values) for kind in able if (values := kind.parse(move)) is not None]


def moments(game: Game) -> Iterator[tuple[Match, Seat, str]]:
    """Moments of playouts with a seat that is to move and a legal move of it."""
    rng = Random(game.key)
    for match in sampled(game):
        for seat in match.turn:
            if not match.position.open_to(seat):
                moves = listed(match.position, seat)
                yield from ((match, seat, move) for move in rng.sample(moves, min(len(moves), MOVES)))
    for played in playouts(game):
        for before, after in islice(zip(played, played[1:], strict=False), PLAYED):
            seat, move = after.record[-1]
            if move not in ("resign", "timeout"):
                yield before, seat, move


def forms(kind: MoveKind, values: dict[str, str]) -> Iterator[str]:
    """Other ways to write a move of some kind, by the table."""
    for part in kind.parts:
        value = values[part.name]
        if part.items is not None:
            yield from (kind.write({**values, part.name: value.replace(" ", gap)}) for gap in LISTS)
        elif part.kind == "square":
            pieces = {"c": value[0], "C": value[0].upper(), "r": value[1:]}
            yield from (kind.write({**values, part.name: form.format_map(pieces)}) for form in SQUARES)
        elif part.kind == "word":
            yield from (kind.write({**values, part.name: word}) for word in WORDS.get(value, (value.title(),)))
    yield from joined(kind, values)
    move = kind.write(values)
    yield from (around.format(move) for around in AROUND)
    yield from keyed(move)
    yield from in_words(kind, move)
    yield from BY_WORD.get(kind.pattern.partition(" ")[0], lambda _: iter(()))(values)


def keyed(move: str) -> Iterator[str]:
    """A move as keyboards write it: in full-width signs, in keycap emoji, with signs that nobody sees, and with what a
    phone makes of two spaces."""
    yield "".join(chr(ord(one) + 0xFEE0) if "!" <= one <= "~" else "\u3000" for one in move)
    yield "".join(f"{one}\ufe0f\u20e3" if one.isdigit() else one for one in move)
    yield "\ufeff" + "\u200b".join(move) + "\u00ad"
    yield re.sub(r"(?<=\w) (?=\w)", ". ", move)


def in_words(kind: MoveKind, move: str) -> Iterator[str]:
    """A move with the words of its kind in front."""
    plain = move.removeprefix(f"{kind.head} ")
    yield from (f"{word} {plain}" for word in kind.names if plain != kind.head)
    yield f"{kind.names[0].title()}: {plain}" if plain != kind.head else f"{move}!"


def joined(kind: MoveKind, values: dict[str, str]) -> Iterator[str]:
    """The forms of a move that is a square and a number, or two ends."""
    if len(kind.parts) != 2:
        return
    first, second = kind.parts
    ends = {"a": values[first.name], "b": values[second.name]}
    squares = [part.kind == "square" and part.items is None for part in kind.parts]
    templates: tuple[str, ...] = ()
    if kind.pattern == f"{{{first.name}}} {{{second.name}}}" and squares == [True, False]:
        templates = WITH_NUMBER
    elif kind.pattern == f"{{{first.name}}} {{{second.name}}}" and first.kind == "whole":
        templates = WITH_DIGIT
    elif kind.pattern == f"{{{first.name}}}-{{{second.name}}}":
        templates = (*FROM_TO, "{a}{b}") if all(squares) else (*FROM_TO, *EITHER_ORDER)
    yield from (template.format_map(ends) for template in templates)


def check_notation_round_trips(game: Game) -> None:
    """A canonical move is read as itself, in any letter case and with spaces around it."""
    for match, seat, move in moments(game):
        for text in (move, move.upper(), f"  {move}\t", f"\n{move} "):
            _check_read(match, seat, text, move)


def check_forgiving_forms(game: Game) -> None:
    """Every other form of the table is read as the same move."""
    for match, seat, move in moments(game):
        for kind, values in kinds(match, seat, move):
            for text in forms(kind, values):
                _check_read(match, seat, text, move)


def _check_read(match: Match, seat: Seat, text: str, move: str) -> None:
    got: list[str] = []
    refused = refusal(lambda: got.append(reading.read_move(match.game, match.position, seat, text)))
    expect(refused is None, match, f"{text!r}, which means {move}, is refused: {refused}")
    expect(got == [move], match, f"{text!r}, which means {move}, is read as {got[0]!r}.")


def check_white_space(game: Game) -> None:
    """A move that somebody types is the same with white space of any kind and number where it has a space, and around
    it; a grid keeps its lines."""
    for match, seat, move in moments(game):
        rows = reading.has_row_moves(game, match.position, seat)
        for gap in GAPS if not rows else GAPS_IN_ROWS:
            for text in (move.replace(" ", gap), move.replace("-", f"{gap}-{gap}")):
                _check_typed(match, seat, f"{gap}{text}{gap}", move)
        if rows and " / " in move:
            _check_typed(match, seat, f"\n{move.replace(' / ', chr(13) + chr(10) + chr(10) + chr(160))}\n", move)


def _check_typed(match: Match, seat: Seat, text: str, move: str) -> None:
    got: list[Match] = []
    refused = refusal(lambda: got.append(match.play(seat, text)))
    expect(refused is None, match, f"{text!r}, which means {move}, is refused: {refused}")
    read = got[0].record[-1].text
    expect(read == move, match, f"{text!r}, which means {move}, is read as {read!r}.")


def check_refused_forms(game: Game) -> None:
    """Squares off the board, numbers in another form and commas too many are refused by a sentence."""
    for match in few(game):
        for seat in match.turn:
            _check_refused(match, seat, UNREADABLE)
    for match, seat, move in moments(game):
        for kind, values in kinds(match, seat, move)[:1]:
            _check_refused(match, seat, bad_forms(kind, values))


def bad_forms(kind: MoveKind, values: dict[str, str]) -> Iterator[str]:
    """A move with one of its parts written as no such part is written."""
    for part in kind.parts:
        value = values[part.name]
        bad: tuple[str, ...] = ()
        if part.items is not None:
            bad = (value.replace(" ", ",,", 1), value + ",,", ",," + value)[0 if " " in value else 1 :]
        elif part.kind == "square":
            bad = BAD_SQUARES
        elif part.kind == "whole" or value.isdigit():
            bad = BAD_NUMBERS
        yield from (kind.write({**values, part.name: text}) for text in bad)


def _check_refused(match: Match, seat: Seat, texts: Iterable[str]) -> None:
    examples: dict[str, str] = {}
    for text in texts:
        refused = refusal(partial(match.play, seat, text))
        expect(refused, match, f"{text[:60]!r} is read as a move.")
        examples[(refused or "").partition(" You could write ")[2].removesuffix(".")] = text
    for shown, text in examples.items():
        fault = refusal(partial(match.play, seat, shown)) if shown else None
        expect(fault is None, match, f"The refusal of {text[:60]!r} shows {shown}, which is refused: {fault}")


def check_kinds_agree_with_moves(game: Game) -> None:
    """Every legal move is of one kind that applies, is written from its parts."""
    for match, seat, move in moments(game):
        found = kinds(match, seat, move)
        if not found and move.partition(" ")[0] in game.extra_moves:
            continue
        expect(len(found) == 1, match, f"{move} is of the kinds {[kind.name for kind, _ in found]}, not of one.")
        for kind, values in found:
            expect(kind.write(values) == move, match, f"{move} is written as {kind.write(values)}.")
            expect(list(values) == [part.name for part in kind.parts], match, f"{move} has the parts {list(values)}.")
            for part in kind.parts:
                _check_line(match, part, values[part.name])


def _check_line(match: Match, part: Part, value: str) -> None:
    # A part is no longer than its form takes, and a list has as many items as the table says.
    most = part.compute_max_length(match.position)
    expect(len(value) <= most, match, f"{value} is longer than the {most} characters of the form's {part.name}.")
    if part.items is not None:
        least, most = part.items(match.position)
        expect(least <= len(value.split()) <= most, match, f"{part.name} has {least} to {most} items, unlike {value}.")


def check_suggestions(game: Game) -> None:
    """What is offered while somebody types is short, and begins, or is, a move that is legal."""
    for match in sampled(game):
        for seat in match.turn:
            position = match.position
            offered = list(islice(position.suggest(seat, ""), 50))
            expect(all(len(item.move) <= 100 for item in offered), match, "A suggestion is longer than 100 characters.")
            if not position.open_to(seat):
                legal = listed(position, seat)
                expect(offered or min(map(len, legal)) > 100, match, f"Nothing is suggested to seat {seat}.")
