"""Draws a board of every game that has pictures: at the start, in the middle, at the end, as tiles of one picture.

`python -m tests.gallery` writes docs/gallery.png, docs/board.png (a finished board as players get it) and
docs/commands.md. The matches are recorded ones: the longest of each game with its usual options, else a random one.
`python -m tests.gallery types` prints how large the smallest type of every game is on a phone, and
`python -m tests.gallery <key>` writes the pictures of one game to a folder of their own.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path
from random import Random
from tempfile import mkdtemp
from typing import Any

from PIL import Image, ImageDraw, ImageFont

from bot.games.catalogue import load_games, load_offered_games
from bot.games.game import Game
from bot.play.match import Match
from rendering.painter import paint
from rendering.shapes import DIGIT_HEIGHT
from rendering.theme import COLOURS
from tests.contract.drawing import PHONE, smallest
from tests.contract.playing import playout, records
from tests.project import commands as harness_commands

DOCS = Path(__file__).parents[1] / "docs"
SHOWN = "binary-primes"
TILE, GAP, HEAD, FOOT = 300, 16, 56, 34
"""A tile's width and height at most, the space between tiles, above those of a game and below each, in pixels."""
ABREAST = 2
COLOURS_KEPT = 64


def folded(game: Game, row: dict[str, Any]) -> list[Match]:
    """A recorded match at every ply."""
    moments = [Match.start(game, row.get("options", {}), row["seats"])]
    for seat, text in row["moves"]:
        moments.append(moments[-1].enter(seat, text))
    return moments


def left(match: Match) -> bool:
    """Whether somebody left the match."""
    return bool(match.withdrawn_seats)


def usual(game: Game) -> list[Match]:
    """A match of a game with its usual options: the longest recorded one that nobody left, or one by lot."""
    seats = 2 if 2 in game.seats else game.seats[0]
    start = Match.start(game, {}, seats)
    recorded = [folded(game, row) for row in records(game) if row["seats"] == seats]
    whole = [one for one in recorded if one[-1].is_over and not left(one[-1])]
    fitting = [one for one in whole if one[0].options == start.options]
    return max(fitting, key=len) if fitting else list(playout(start, Random(game.key)))


def tile(match: Match, caption: str) -> Image.Image:
    """The first picture of a match, reduced, with a caption below it."""
    made = Image.new("RGB", (TILE, TILE + FOOT), COLOURS["paper"])
    picture = paint.paint_image(match.game.pictures(match.position)[0]).convert("RGB")
    picture.thumbnail((TILE, TILE), Image.Resampling.LANCZOS)
    made.paste(picture, ((TILE - picture.width) // 2, 0))
    font = ImageFont.load_default(16)
    ImageDraw.Draw(made).text((TILE / 2, TILE + FOOT / 2), caption, COLOURS["faded"], font, anchor="mm")
    return made


def shown(moments: list[Match]) -> dict[str, Match]:
    """The start, the middle and the end of a match, and what the gallery says of each."""
    middle, last = len(moments) // 2, len(moments) - 1
    return {
        "start": moments[0],
        f"after {middle} moves": moments[middle],
        f"over after {last}": moments[last],
    }


def strip(game: Game) -> Image.Image:
    """A game's title, and its tiles side by side."""
    tiles = [tile(match, caption) for caption, match in shown(usual(game)).items()]
    made = Image.new("RGB", (3 * TILE + 4 * GAP, HEAD + TILE + FOOT), COLOURS["paper"])
    title = f"{game.title}, {game.year}"
    ImageDraw.Draw(made).text((GAP, HEAD / 2), title, COLOURS["ink"], ImageFont.load_default(24), anchor="lm")
    for place, one in enumerate(tiles):
        made.paste(one, (GAP + place * (TILE + GAP), HEAD))
    return made


def tiled(strips: list[Image.Image]) -> Image.Image:
    """All games, some abreast."""
    width, height = strips[0].size
    abreast = min(ABREAST, len(strips))
    made = Image.new("RGB", (abreast * width, -(-len(strips) // abreast) * height + GAP), COLOURS["paper"])
    for place, one in enumerate(strips):
        row, column = divmod(place, abreast)
        made.paste(one, (column * width, row * height))
    return made


def pictured() -> Iterable[Game]:
    """The games that have pictures."""
    for game in load_games().values():
        if game.pictures(Match.start(game, {}, 2 if 2 in game.seats else game.seats[0]).position):
            yield game


def alone(game: Game) -> Path:
    """Write the pictures of one game as players get them; returns the folder."""
    folder = Path(mkdtemp(prefix=f"{game.key}-"))
    for stage, match in zip(("start", "middle", "end"), shown(usual(game)).values(), strict=True):
        for number, picture in enumerate(game.pictures(match.position), 1):
            (folder / f"{stage}-{number}.png").write_bytes(paint.encode_png(picture))
    return folder


def types() -> None:
    """The smallest type of each game where a picture is as wide as on a phone, and the height of its digits."""
    print(f"smallest type in pixels on pictures {PHONE} pixels wide: the type, its digits, and what is written so")
    for game in pictured():
        size, text = smallest(game)
        print(f"{game.key:30} {size:6.2f} {size * DIGIT_HEIGHT:6.2f}   {text}")


def main() -> int:
    """Write the pictures and the table, or those of one game, or print the sizes of type."""
    asked = sys.argv[1:]
    if asked == ["types"]:
        types()
        return 0
    if asked:
        if asked[0] not in load_games():
            print(f"There is no game {asked[0]}: {', '.join(load_games())}")
            return 2
        print(alone(load_games()[asked[0]]))
        return 0
    DOCS.mkdir(exist_ok=True)
    found = list(pictured())
    whole = tiled([strip(game) for game in found])
    whole.quantize(COLOURS_KEPT, dither=Image.Dither.NONE).save(DOCS / "gallery.png", optimize=True)
    end = usual(load_games()[SHOWN])[-1]
    (DOCS / "board.png").write_bytes(paint.encode_png(end.game.pictures(end.position)[0]))
    for name in ("gallery.png", "board.png"):
        print(f"docs/{name}: {(DOCS / name).stat().st_size} bytes")
    harness_commands.write()
    print(f"{len(found)} games, {len(load_offered_games())} of them in docs/commands.md.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
