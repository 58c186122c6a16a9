"""What the pictures of every game show, shape by shape, in tests/games/golden: a file a game.

A file has some moments of matches. Each is a line of `=== ` with its name, a line of JSON, and its pictures. The JSON
is the record that leads there (`options`, `seats`, `moves`) and, where they matter, the `viewer` (a seat; a spectator
if none is given), the `legs`, or the kind of move and what is chosen of it on a `pad`.

`python -m tests.games.golden` draws all moments anew, or those of the games whose keys it is given; a moment is added
by writing its first two lines. Read what `git diff` shows then: players see every line of it.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from dataclasses import MISSING, fields
from pathlib import Path
from typing import Any

from bot.games.catalogue import load_games
from bot.games.game import Game
from bot.games.legs import get_game_for_legs
from bot.play.match import Match
from rendering.shapes import Picture, Shape, Spot

FOLDER = Path(__file__).parent / "golden"
INKS = ("ink", "fill", "line")


def get_path(game: Game) -> Path:
    return FOLDER / f"{game.key}.txt"


def split_moments(golden: str) -> list[tuple[str, str]]:
    """The first line and the JSON of each moment of a golden file."""
    lines = golden.splitlines()
    return [(line, lines[at + 1]) for at, line in enumerate(lines) if line.startswith("=== ")]


def draw_moments(game: Game, golden: str) -> str:
    """A golden file with its moments as they are drawn now."""
    bases: list[tuple[Shape, ...]] = []
    lines: list[str] = []
    for name, moment in split_moments(golden):
        lines += [name, moment]
        for picture in draw_moment(game, json.loads(moment)):
            lines += describe_picture(picture, bases)
        lines.append("")
    return "\n".join(lines)


def draw_moment(game: Game, moment: dict[str, Any]) -> tuple[Picture, ...]:
    game = get_game_for_legs(game, moment.get("legs", 1))
    match = Match.start(game, moment.get("options", {}), moment["seats"])
    for seat, text in moment["moves"]:
        match = match.enter(seat, text)
    seen = match.position.seen_by(moment.get("viewer"))
    if game.sketch and "pad" in moment:
        return game.sketch(seen, moment["viewer"], *moment["pad"])
    return game.pictures(seen)


def describe_picture(picture: Picture, bases: list[tuple[Shape, ...]]) -> Iterator[str]:
    """The lines that tell all of a picture; a base that was told before is named by its number."""
    yield f"--- {picture.name}: {' '.join(map(write, picture.extent))}"
    yield f"alt: {picture.alt}"
    if picture.base and picture.base not in bases:
        bases.append(picture.base)
        yield f"base {len(bases)}:"
        yield from map(describe_shape, picture.base)
    elif picture.base:
        yield f"base {bases.index(picture.base) + 1}"
    legend = f", the last {picture.legend} below {write(picture.legend_ground)}" if picture.legend else ""
    yield f"shapes, the last {picture.foot} of them below {write(picture.ground)}{legend}:"
    yield from map(describe_shape, picture.shapes)


def describe_shape(shape: Shape) -> str:
    """A shape as a line: its kind, what it must have, its inks, and what is not as usual."""
    told = [type(shape).__name__]
    for field in fields(shape):
        value = getattr(shape, field.name)
        if field.default is MISSING:
            told.append(write(value))
        elif field.name in INKS or value != field.default:
            told.append(f"{field.name}={value if field.name in (*INKS, 'on') else write(value)}")
    return f"  {' '.join(told)}"


def write(value: float | str | tuple[Spot, ...]) -> str:
    match value:
        case int() | float():
            # Nought has no sign.
            return f"{round(value, 3) + 0:g}"
        case tuple():
            return " ".join(",".join(map(write, spot)) for spot in value)
        case _:
            return json.dumps(value, ensure_ascii=False)


if __name__ == "__main__":
    for game in load_games().values():
        if len(sys.argv) == 1 or game.key in sys.argv:
            get_path(game).write_text(draw_moments(game, get_path(game).read_text()))
