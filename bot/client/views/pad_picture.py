"""The board on a pad: the position with what has been chosen of a move marked on it.

A game says itself where its numbers, corners and chords lie (`Game.sketch`); elsewhere squares are framed on the first
picture. A sketch shows what is chosen and nothing of what it would be worth.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from bot.core.entry.partial_move import PartialMove
from bot.core.game.game import Game
from bot.core.game.legs import Legs, seat_in
from bot.core.game.moves import MoveKind
from bot.core.game.notation import Square
from bot.core.game.position import Position
from bot.core.game.two_legs import dressed
from bot.core.values.seats import Seat
from rendering import frames, paper
from rendering.shapes import Picture, Shape

PAPER = "{title}: the board as it would stand on paper."
MOST = 7
"""The most pictures of a pad: with more, a page of keys has no room in a message."""


def pictures(game: Game, position: Position, seat: Seat, so_far: PartialMove) -> tuple[Picture, ...]:
    """The pictures that matter for this move, of the position as the seat sees it, with what is chosen marked."""
    if isinstance(position, Legs) and game.once and so_far.kind.once:
        leg, inner = so_far.kind.leg, replace(so_far, kind=so_far.kind.once)
        pages = pictures(game.once, position.leg(leg), seat_in(leg, seat), inner)
        return tuple(dressed(leg, page) for page in pages)
    values = whole(so_far)
    if game.sketch:
        return game.sketch(position, seat, so_far.kind.name, values)[:MOST]
    board = game.pictures(position)[0]
    marks = _framed(position, so_far.kind, values, board.point)
    return (_with_others(position, so_far.kind, values, frames.over(board, marks)),)


def on_paper(game: Game, position: Position, seat: Seat, so_far: PartialMove) -> tuple[Picture, ...]:
    """The same as it would stand on paper: nothing in it is worked out."""
    return tuple(paper.on_paper(one, PAPER.format(title=game.title)) for one in pictures(game, position, seat, so_far))


def imagined(game: Game, position: Position, moves: Sequence[PartialMove]) -> tuple[Picture, ...]:
    """The board as it stands, with the squares of moves that somebody has in mind framed, or without squares as the pad
    for the first of them begins. Nothing is played on it, for a board after a move would show what that is worth."""
    if isinstance(position, Legs) and game.once:
        leg, inner = moves[0].kind.leg, [replace(one, kind=one.kind.once or one.kind) for one in moves]
        return tuple(dressed(leg, page) for page in imagined(game.once, position.leg(leg), inner))
    if game.sketch and not any(part.kind == "square" for one in moves for part in one.kind.parts):
        return game.sketch(position, position.turn[0], moves[0].kind.name, {})[:1]
    board = game.pictures(position)[0]
    marks = [mark for one in moves for mark in _framed(position, one.kind, whole(one), board.point)]
    return (frames.over(board, marks),)


def whole(so_far: PartialMove) -> dict[str, str]:
    """The chosen values by the names of their parts: finished values, and unfinished lists."""
    names = [part.name for part in so_far.kind.parts]
    chosen = dict(zip(names, so_far.done, strict=False))
    if not so_far.whole and so_far.items:
        chosen[names[len(so_far.done)]] = " ".join(so_far.items)
    return {name: value for name, value in chosen.items() if value}


def _framed(position: Position, kind: MoveKind, values: Mapping[str, str], unit: float) -> Iterator[Shape]:
    """Frames about the chosen squares."""
    for part in kind.parts:
        if part.kind == "square":
            for name in values.get(part.name, "").split():
                yield from frames.square(*Square.parse(name, *part.bounds(position)[:2]), name, unit)


def _with_others(position: Position, kind: MoveKind, values: Mapping[str, str], board: Picture) -> Picture:
    """What is chosen beside squares: in the square where it fits, else below the board."""
    squares = [part for part in kind.parts if part.kind == "square" and not part.items and part.name in values]
    for part in kind.parts:
        value = values.get(part.name, "")
        if value and part.kind != "square":
            if len(squares) == 1 and frames.room_for(value, board.point):
                column, row = Square.parse(values[squares[0].name], *squares[0].bounds(position)[:2])
                board = frames.over(board, frames.written(column, row, value, board.point))
            else:
                board = frames.noted(board, f"{part.heading}: {value}", value)
    return board
