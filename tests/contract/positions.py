"""Promises about positions: they are values, have a board as text and as pictures, and explain their scores."""

from __future__ import annotations

import dataclasses
from functools import cache

from bot.core.catalogue import offered
from bot.core.game import Game, MoveError, Position
from bot.core.match import Match
from rendering.shapes import Picture
from tests.contract.playing import edge, everywhere, expect, greedy, listed, playouts, sampled

ALT = 1024
"""The most characters of the description of a picture (Discord's limit)."""


def check_positions_are_values(game: Game) -> None:
    """Positions are frozen and slotted, and the same moves give equal ones."""
    for played in playouts(game):
        first, last = played[0].position, played[-1].position
        again = Match.start(game, played[0].options.record(), played[0].seats)
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
    for match in everywhere(game):
        viewers = (None, *range(1, match.seats + 1)) if match in sampled(game) else (None,)
        for seen in (match.position, *(match.position.seen_by(viewer) for viewer in viewers)):
            board = str(seen)
            expect(board.strip(), match, "There is no text board.")
            expect("object at" not in board and f"{type(seen).__name__}(" not in board, match, "The board is a repr.")
            expect(all(line.strip() for line in seen.working()), match, "A line of the working is empty.")


def check_pictures(game: Game) -> None:
    """There are pictures for every position and viewer, each with a sentence for those who cannot see it."""
    if not is_drawn(game):
        assert game.key not in offered(), f"{game.key} has commands, and no pictures"
        return
    for match in (*everywhere(game), *largest(game)):
        for viewer in (None, *match.turn):
            _check_pictures(match, pictures(game, match.position.seen_by(viewer)))


def _check_pictures(match: Match, drawn: tuple[Picture, ...]) -> None:
    expect(drawn, match, "There is no picture.")
    names = [picture.name for picture in drawn]
    expect(len(set(names)) == len(names) and all(names), match, f"The pictures' names are {names}.")
    for picture in drawn:
        left, top, right, bottom = picture.extent
        expect(left < right and top < bottom, match, f"The picture's extent is {picture.extent}.")
        expect(picture.base or picture.shapes, match, "The picture is empty.")
        expect(picture.title and picture.subtitle, match, "The picture has no title or subtitle.")
        expect(
            0 < len(picture.alt) <= ALT and picture.alt.endswith("."),
            match,
            f"No description: {picture.alt!r}",
        )


def check_finished_pictures_explain_the_scores(game: Game) -> None:
    """Every fact of the working of a finished match is shown by a shape of its pictures, which has it as its tag."""
    if not is_drawn(game):
        return
    for match in (played[-1] for played in playouts(game)):
        drawn = pictures(game, match.position)
        tags = {shape.tag for picture in drawn for shape in (*picture.base, *picture.shapes)}
        missing = [line for line in match.position.working() if line not in tags]
        expect(not missing, match, f"No shape shows {missing[:3]}.")


def check_somebody_explains(game: Game) -> None:
    """A match that ends by its rules has a working, unless the game has no scores."""
    ended = [played[-1] for played in playouts(game) if not played[-1].position.working()]
    for match in ended:
        expect(not any(match.position.scores()), match, "There are scores, and no working.")


@cache
def is_drawn(game: Game) -> bool:
    """Whether the game has pictures yet."""
    return bool(game.pictures(playouts(game)[0][0].position))


@cache
def pictures(game: Game, position: Position) -> tuple[Picture, ...]:
    """The pictures of a position, kept, since many checks ask for them."""
    return game.pictures(position)


@cache
def largest(game: Game) -> tuple[Match, ...]:
    """The start with the largest value of every option, and the most seats."""
    seats = game.seats[-1]
    return (Match.start(game, greedy(game, edge(game.Options.bounds(), -1), seats), seats),)
