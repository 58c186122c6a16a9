"""Reads moves as people type them: whatever they put around a move, between its pieces and in front of it.

What a game's own `read` does not know is brought into its notation: quotes and brackets go, every dash is a `-`, and
arrows, `;`, `:`, `=`, `@` and the words `at`, `in`, `on` and `to` between two pieces are spaces. The name of a kind of
move, or another of its `words`, may stand in front. A refusal ends with a move that is legal on this board.
"""

from __future__ import annotations

import re

from bot.core.game import notation
from bot.core.game.game import Game
from bot.core.game.legs import Leg, LegMove, Legs, seat_in, told
from bot.core.game.notation import quote, tidy
from bot.core.game.position import Position, Unreadable
from bot.core.values.plural import sentences
from bot.core.values.seats import Seat

QUOTES = "\"'`*"
PAIRED = {"(": ")", "[": "]", "{": "}", "<": ">", "“": "”", "„": "“", "‘": "’", "‚": "‘", "«": "»", "»": "«", "‹": "›"}
"""What may stand around a move: signs that are the same on both sides, and those that are not."""
ENDS = ".!,"
DASHES = re.compile("[‐‑‒–—―−⸺⸻﹘﹣－]")
BETWEEN = re.compile(
    r"(?<=[\w)°]) ?(?:[;:=@>]|[-=]{1,3}>|[→⇒⟶⟹➔➙➛➜➝➞➡⇨⇾↦]\ufe0f?) ?(?=[\w(])|(?<=[\w)°]) (?:at|in|on|to) (?=[\w(])"
)
"""What is like a space between two pieces of a move. A sign twice, or at an end, is a slip."""
WORD = re.compile(r"([a-z]+)(?: ?: ?|\s|$)\s*(.*)", re.DOTALL)
COULD_WRITE = "You could write {move}."
LONGEST_EXAMPLE = 100
"""Characters of the longest move that a refusal shows."""


def read(game: Game, position: Position, seat: Seat, text: str, leg: Leg | None = None) -> str:
    """The canonical notation of a move that a seat has typed, or `Unreadable` with a legal move in its sentence, which
    begins with its `leg` where there are two."""
    try:
        return position.read(seat, text)
    except Unreadable:
        return _forgiven(game, position, seat, bare(text), leg)


def plain(game: Game, position: Position, seat: Seat, text: str) -> str:
    """A move as somebody has typed it, on one line unless the seat can write a grid."""
    return notation.plain(text, in_rows(game, position, seat))


def in_rows(game: Game, position: Position, seat: Seat) -> bool:
    """Whether a seat can make a move that is written in rows."""
    kinds = (kind for kind in game.moves if any(part.kind == "text" for part in kind.parts))
    return any(kind.when(position, seat) for kind in kinds)


def bare(text: str) -> str:
    """Typed text without what stands around it: quotes and brackets, and one sign at its end.

    >>> bare(" **“C4”**. "), bare("(c,4) (d,5)"), bare("done!")
    ('c4', '(c,4) (d,5)', 'done')
    """
    inside = _unwrapped(tidy(text))
    return _unwrapped(inside[:-1].strip()) if inside[1:] and inside[-1] in ENDS else inside


def _unwrapped(text: str) -> str:
    """A text without the quotes and brackets around it."""
    while len(text) > 1:
        inner, first, last = text[1:-1], text[0], text[-1]
        same = first == last and first in QUOTES
        if not (same or PAIRED.get(first) == last and not _parted(inner, first, last)):
            break
        text = inner.strip()
    return text


def _parted(inner: str, first: str, last: str) -> bool:
    """Whether signs around a text are those of its first and its last piece, as in `(c,4) (d,5)`."""
    return last in inner and (first not in inner or inner.index(last) < inner.index(first))


def _forgiven(game: Game, position: Position, seat: Seat, text: str, leg: Leg | None = None) -> str:
    if isinstance(position, Legs) and game.once:
        return _in_leg(game.once, position, seat, text)
    try:
        return position.read(seat, _plain(game, position, seat, text))
    except Unreadable as fault:
        shown = example(position, seat)
        written = str(LegMove(leg, shown)) if leg else shown
        raise Unreadable(sentences(str(fault), COULD_WRITE.format(move=written) if shown else "")) from fault


def _in_leg(once: Game, legs: Legs, seat: Seat, text: str) -> str:
    """A move of one of two legs: that in front of it, or the only one that waits."""
    said, waiting = LegMove.parse(text), legs.waiting(seat)
    leg = said.leg or (waiting[0] if len(waiting) == 1 else None)
    if leg is None:
        return legs.read(seat, text)
    inner = seat_in(leg, seat)
    try:
        return str(LegMove(leg, read(once, legs.leg(leg), inner, said.move, leg)))
    except Unreadable as fault:
        raise Unreadable(f"Leg {leg}: {told(leg, str(fault))}") from fault


def _plain(game: Game, position: Position, seat: Seat, text: str) -> str:
    """A move without its word in front, and with spaces between its pieces."""
    spaced = _with_its_head(game, position, seat, DASHES.sub("-", text))
    return spaced if in_rows(game, position, seat) else BETWEEN.sub(" ", spaced)


def _with_its_head(game: Game, position: Position, seat: Seat, text: str) -> str:
    """A move that begins as its kind's notation does, in place of a word that its kind has."""
    found = WORD.fullmatch(text)
    named = [kind for kind in game.moves if found and found[1] in kind.names]
    if not found or not named:
        return text
    able = next((kind for kind in named if kind.when(position, seat)), None)
    kind = able or named[0]
    if not able and not kind.head:
        raise Unreadable(f"{quote(found[1])} does not fit this part of the match.")
    again = WORD.fullmatch(found[2])
    rest = again[2] if again and again[1] == kind.head != found[1] else _unwrapped(found[2])
    return f"{kind.head} {rest}".strip()


def example(position: Position, seat: Seat) -> str:
    """A legal move of a seat; none where it has none, or only long ones."""
    shown = position.example(seat)
    return shown if len(shown) <= LONGEST_EXAMPLE else ""
