"""Reads moves as people type them: whatever they put around a move, between its pieces and in front of it.

Every text is tidied first. What a game's own `read` does not know then is brought into its notation: quotes and
brackets around all of it go, and a phone's `. `, arrows, `;`, `:`, `=`, `@` and the words `at`, `in`, `on` and `to`
between two pieces are spaces. The name of a kind of move, or another of its `words`, may stand in front. Nothing else
is left out. A refusal quotes all that has brackets, and ends with a move that is legal on this board.
"""

from __future__ import annotations

import re

from bot.core.game.game import Game
from bot.core.game.legs import Leg, LegMove, Legs, seat_in, told
from bot.core.game.notation import quote, tidy, uncovered, unwrapped, whole_quoted
from bot.core.game.position import Position, Unreadable
from bot.core.values.plural import sentences
from bot.core.values.seats import Seat
from bot.core.values.typed_text import foreign, tidied

PAUSE = re.compile(r"(?<=[\w)°])\.(?: (?=\S)|(?=\n))")
"""What a phone makes of two spaces."""
BEGUN = re.compile(r"(?<=[\w)°])\. ")
"""The same where more is to come."""
BETWEEN = re.compile(
    r"(?<=[\w)°]) ?(?:[;:=@>]|[-=]{1,3}>|[→⇒⟶⟹➔➙➛➜➝➞➡⇨⇾↦]) ?(?=[\w(])|(?<=[\w)°]) (?:at|in|on|to) (?=[\w(])"
)
"""What is like a space between two pieces of a move. A sign twice, or at an end, is a slip."""
WORD = re.compile(r"([a-z]+)(?: ?: ?|\s|$)\s*(.*)", re.DOTALL)
COULD_WRITE = "You could write {move}."
LONGEST_EXAMPLE = 100
"""Characters of the longest move that a refusal shows."""


def read(game: Game, position: Position, seat: Seat, text: str, leg: Leg | None = None) -> str:
    """The canonical notation of a move that a seat has typed, or `Unreadable` with a legal move in its sentence, which
    begins with its `leg` where there are two."""
    plain = tidied(text, rows=not text.isprintable() and in_rows(game, position, seat))
    try:
        return position.read(seat, plain)
    except Unreadable:
        return _forgiven(game, position, seat, plain, leg)


def in_rows(game: Game, position: Position, seat: Seat) -> bool:
    """Whether a seat can make a move that is written in rows."""
    kinds = (kind for kind in game.moves if any(part.kind == "text" for part in kind.parts))
    return any(kind.when(position, seat) for kind in kinds)


def begun(text: str) -> str:
    """The beginning of a move, as suggestions take it."""
    return BEGUN.sub(" ", text).lower()


def _forgiven(game: Game, position: Position, seat: Seat, text: str, leg: Leg | None = None) -> str:
    bare = PAUSE.sub(" ", unwrapped(tidy(text)))
    if isinstance(position, Legs) and game.once:
        return _in_leg(game.once, position, seat, bare)
    try:
        expect_plain(text)
        return position.read(seat, _plain(game, position, seat, bare))
    except Unreadable as fault:
        shown = example(position, seat)
        written = str(LegMove(leg, shown)) if leg else shown
        could = COULD_WRITE.format(move=written) if shown else ""
        refusal = str(fault) if foreign(text) else whole_quoted(text, str(fault))
        raise Unreadable(sentences(refusal, could)) from fault


def expect_plain(text: str) -> None:
    """Refuse letters and digits of other scripts, by their names."""
    if sentence := foreign(text):
        raise Unreadable(sentence)


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
    spaced = _with_its_head(game, position, seat, text)
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
    rest = again[2] if again and again[1] == kind.head != found[1] else uncovered(found[2])
    return f"{kind.head} {rest}".strip()


def example(position: Position, seat: Seat) -> str:
    """A legal move of a seat; none where it has none, or only long ones."""
    shown = position.example(seat)
    return shown if len(shown) <= LONGEST_EXAMPLE else ""
