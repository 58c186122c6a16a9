"""Pictures: a new board each time beside Pillow encoding the same image, and the first board after a start."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import zlib
from collections.abc import Callable
from functools import partial
from io import BytesIO
from random import Random
from typing import Any

from PIL import Image

from bot.features.board.match_pictures import Renderer, draw_position
from bot.games.catalogue import load_games
from bot.host.machine import this_machine
from bot.play.match import Match
from rendering.painter import paint
from tests.bench.figures import Sheet, effort, median, seconds
from tests.contract.playing import playout

KEY = "binary-primes"
LARGEST = 11
ROUNDS, SETTLING = 80, 5
FRESH = {"start of a match": (7, 0), "after a move": (7, 1), "largest board": (LARGEST, 30)}
PROCESSES = 3
PILLOW = {"bits": 4, "compress_level": 1, "compress_type": zlib.Z_RLE}
"""With these settings Pillow is quickest at encoding a palette picture, and its files are small."""


def matches(size: int, count: int, rng: Random) -> list[Match]:
    """Distinct moments of matches that are going on, no two of them neighbours in the same match."""
    game = load_games()[KEY]
    found: list[Match] = []
    while len(found) < count:
        moments = [one for one in playout(Match.start(game, {"size": size}, 2), rng) if not one.is_over]
        found += rng.sample(moments[len(moments) // 4 :], 8)
    return found[:count]


def encoded(image: Image.Image, settings: dict[str, int]) -> bytes:
    """An image as a PNG file."""
    file = BytesIO()
    image.save(file, "PNG", **settings)
    return file.getvalue()


def taken(match: Match) -> tuple[float, float, float, float]:
    """Seconds for describing a board, drawing and encoding it, encoding alone, and encoding in RGB with defaults."""
    game, position = match.game, match.position
    describing = seconds(lambda: game.pictures(position))
    whole = seconds(lambda: draw_position(game, position))
    image = paint.paint_image(game.pictures(position)[0])
    colours = image.convert("RGB")
    bare: Callable[[], bytes] = partial(encoded, image, PILLOW)
    plain: Callable[[], bytes] = partial(encoded, colours, {})
    return describing, whole, seconds(bare), seconds(plain)


FIRST = 5.0
"""How much longer a first board may take than later ones: a later one is a copy of its base, packed in a millisecond or
two; the first of its size paints that base and finds the processor's caches cold, which nobody sees in an answer."""


def measure(sheet: Sheet) -> None:
    """The figures of drawing."""
    sheet.title(f"Pictures ({LARGEST}×{LARGEST} boards of Binary Primes, each a new position)")
    paint.warm_up()
    rows = [taken(match) for match in matches(LARGEST, ROUNDS + SETTLING, Random(1))][SETTLING:]
    describing, whole, bare, plain = (median(column) for column in zip(*rows, strict=True))
    sheet.add("describe", describing * 1e3, "ms")
    sheet.add("describe, draw and encode", whole * 1e3, "ms")
    sheet.add("Pillow encoding the same image", bare * 1e3, "ms")
    sheet.add("Pillow encoding it in RGB with default settings", plain * 1e3, "ms")
    sheet.add("draw and encode / encode", whole / bare, "", 0.6)
    sheet.add("draw and encode / encode in RGB with defaults", whole / plain, "", 0.1)
    for name, (size, ply) in FRESH.items():
        first, warm = zip(*(fresh(size, ply) for _ in range(PROCESSES)), strict=True)
        sheet.add(f"first board after the warm-up / later ones: {name}", median(first) / median(warm), "", FIRST)


def fresh(size: int, ply: int) -> tuple[float, float]:
    """Seconds of the processor for the first board that a new process draws after its warm-up, and for one like it
    later."""
    run = [sys.executable, "-m", "tests.bench.pictures", str(size), str(ply)]
    answer: Any = json.loads(subprocess.run(run, check=True, capture_output=True, text=True).stdout)
    return answer["first"], answer["warm"]


async def start() -> None:
    """Warm up as the bot does at its start."""
    renderer = Renderer(this_machine().processors)
    await renderer.warm_up()
    renderer.close()


def main(size: int, ply: int) -> None:
    """Time the first board and some later ones, in a process that has drawn nothing else."""
    asyncio.run(start())
    game = load_games()[KEY]
    boards: list[Match] = []
    for seed in range(16):
        moments = list(playout(Match.start(game, {"size": size}, 2), Random(seed)))
        # There is but one first position, so those that are drawn later have a move more each.
        boards.append(moments[ply + (seed if ply == 0 else 0)])
    first, *later = (effort(partial(draw_position, game, match.position)) for match in boards)
    print(json.dumps({"first": first, "warm": median(later)}))


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
