"""Films: how large they are, how long they take, and what players notice while one is made."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from random import Random

from bot.features.board.match_pictures import Renderer
from bot.features.study.films import Film, Films, advance, build_film
from bot.games.catalogue import load_games, read_recorded_matches
from bot.games.game import Game
from bot.host.machine import this_machine
from bot.play.ids import UserId
from bot.play.lessons import fold_record
from bot.play.match import Match
from bot.play.replays import Replay
from rendering.painter import paint
from rendering.painter.paint import MOST_BYTES
from tests.bench.figures import Sheet, median, percentile
from tests.bench.pictures import KEY, LARGEST, matches
from tests.rendering import gifs
from tests.support.loaded_matches import begun

SLOWEST = "cross-dont-cross"
"""The game whose longest film takes longest."""
BOARDS, PAUSE = 100, 0.03
"""How many boards are asked for while it is made, and the seconds between two of them."""
HELD_UP = 2.0
"""How many times as long such a board may take in the middle of cases; on two processors the film has one of them."""


def longest(game: Game) -> Match:
    """The longest recorded match of a game, at its end."""
    return fold_record(game, max(read_recorded_matches(game), key=lambda record: len(record["moves"])))


def made(replay: Replay) -> tuple[Film, float, float]:
    """A film, how long it kept the processor busy, and the longest of the pieces in which it was made."""
    work, slices = build_film(replay), list[float]()
    while True:
        began = time.thread_time()
        film = advance(work)
        slices.append(time.thread_time() - began)
        if film:
            return film, sum(slices), max(slices)


def measure(sheet: Sheet) -> None:
    """The figures of films."""
    sheet.title("Films of the longest recorded match of each game")
    paint.warm_up()
    for game in load_games().values():
        film, took, piece = made(Replay.of(begun(longest(game)), None))
        gif = gifs.read(film.data)
        sheet.add(f"{game.key}: {gif.width}×{gif.height}, frames", len(gif.frames), "", 300)
        sheet.add(f"{game.key}: size", len(film.data) / 1e3, "KB", MOST_BYTES / 1e3)
        sheet.add(f"{game.key}: processor, longest piece {piece * 1e3:.0f} ms", took, "s")
    asyncio.run(held_up(sheet))


async def held_up(sheet: Sheet) -> None:
    """New boards of matches that go on, alone and while a film is made."""
    sheet.title(f"{BOARDS} new boards of {KEY} {LARGEST}×{LARGEST} while a film of {SLOWEST} is made")
    boards = iter(matches(LARGEST, 2 * BOARDS, Random(5)))
    renderer = Renderer(this_machine().processors)
    alone = await drawn(renderer, boards)
    making = asyncio.create_task(
        Films(renderer).make(Replay.of(begun(longest(load_games()[SLOWEST])), None), UserId(1))
    )
    beside = await drawn(renderer, boards)
    still = not making.done()
    await making
    renderer.close()
    sheet.add("a board, alone, p50", median(alone) * 1e3, "ms")
    sheet.add("a board, alone, p99", percentile(alone, 99) * 1e3, "ms")
    sheet.add("a board beside the film, p50", median(beside) * 1e3, "ms")
    sheet.add("a board beside the film, p99", percentile(beside, 99) * 1e3, "ms")
    sheet.add("beside the film to alone, p50", median(beside) / median(alone), "times", HELD_UP)
    sheet.add("the film was over before the boards were", float(not still), "", 0)


async def drawn(renderer: Renderer, boards: Iterator[Match]) -> list[float]:
    """Seconds from asking for a board until it is there, the event loop's own delay included."""
    taken: list[float] = []
    for _ in range(BOARDS):
        await asyncio.sleep(PAUSE)
        match, began = next(boards), time.perf_counter()
        await renderer.draw(match.game, match.position)
        taken.append(time.perf_counter() - began)
    return taken
