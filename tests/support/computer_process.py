"""Plays the computer seats of a database without Discord; a test starts two of these processes at once.

`python -m tests.support.computer_process DATABASE` plays until no computer is to move. It prints how many of its moves
counted and how many the other process made first.
"""

from __future__ import annotations

import asyncio
import random
import sys
import time

from bot.core.library.catalogue import games
from bot.core.match.loaded_match import Refusal
from bot.search.thinking import answer
from bot.service.analysis import engine_request
from bot.service.umpire.umpire import Umpire
from data.store import Reader, Store


async def play(url: str) -> tuple[int, int]:
    """Play all that there is to play; the moves made, and those that came too late."""
    store, made, late = Store(url), 0, 0
    umpire = Umpire(store, games(), lambda: int(time.time()), random.Random(1))
    while due := await store.ask(Reader.thinking, 10):
        for match in due:
            turn = engine_request.turn(await umpire.load(match))
            if turn is None:
                continue
            try:
                done = await umpire.move(turn.act, match, turn.user, answer(turn.question).move, turn.seen)
            except Refusal:  # the match has gone on, or others are faster every time
                late += 1
                continue
            made, late = made + (not done.repeated), late + done.repeated
    await store.close()
    return made, late


if __name__ == "__main__":
    print(*asyncio.run(play(sys.argv[1])))
