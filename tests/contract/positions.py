"""Promises about positions: they are values, have a board as text, and explain their scores."""

from __future__ import annotations

import dataclasses

from bot.games.game import Game
from bot.games.position import MoveError, Position
from bot.play.match import Match
from tests.contract.playing import expect, listed, playouts, sampled


def check_positions_are_values(game: Game) -> None:
    """Positions are frozen and slotted, and the same moves give equal ones."""
    for played in playouts(game):
        first, last = played[0].position, played[-1].position
        again = Match.start(game, played[0].options.to_record(), played[0].seats)
        expect(again.position == first and again.options == played[0].options, again, "Two starts differ.")
        for entry in played[-1].record:
            again = again.enter(*entry)
        expect(again.position == last and hash(again.position) == hash(last), again, "The same moves differ.")
        expect(repr(again.position) == repr(last) and str(again.position) == str(last), again, "The same moves differ.")
        expect(not hasattr(last, "__dict__"), again, "The position has no slots.")
        expect(_frozen(last), again, "The position is not frozen.")


def _frozen(position: Position) -> bool:
    fields = dataclasses.fields(position) if dataclasses.is_dataclass(position) else ()
    for field in fields:
        try:
            setattr(position, field.name, None)
        except dataclasses.FrozenInstanceError:
            continue
        return False
    return bool(fields)


def check_play_changes_nothing(game: Game) -> None:
    """A position stays what it was, whatever is played from it or asked of it."""
    for match in sampled(game):
        before = _looks(match.position)
        for seat in match.turn:
            if not match.position.open_to(seat):
                for move in listed(match.position, seat)[:20]:
                    expect(match.play(seat, move).position != match.position, match, f"{move} changes nothing.")
            for text in ("", "a1", "z9", "1"):
                try:
                    match.play(seat, text)
                except MoveError:
                    continue
            match.position.seen_by(seat)
            match.position.withdraw(seat)
        expect(_looks(match.position) == before, match, "Playing from a position changed it.")


def _looks(position: Position) -> tuple[object, ...]:
    return hash(position), repr(position), str(position), position.turn, position.scores(), position.working()


def check_text_boards(game: Game) -> None:
    """There is a board as text for every position and viewer, and lines that explain the scores."""
    for match in sampled(game):
        viewers = (None, *range(1, match.seats + 1))
        for seen in (match.position, *(match.position.seen_by(viewer) for viewer in viewers)):
            board = str(seen)
            expect(board.strip(), match, "There is no text board.")
            expect("object at" not in board and f"{type(seen).__name__}(" not in board, match, "The board is a repr.")
            expect(all(line.strip() for line in seen.working()), match, "A line of the working is empty.")


def check_somebody_explains(game: Game) -> None:
    """A match that ends by its rules has a working, unless the game has no scores."""
    ended = [played[-1] for played in playouts(game) if not played[-1].position.working()]
    for match in ended:
        expect(not any(match.position.scores()), match, "There are scores, and no working.")
