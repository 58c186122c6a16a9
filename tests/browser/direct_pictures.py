"""Takes pictures of the bot's direct messages on a phone: `python -m tests.browser.direct_pictures FOLDER`.

A turn with its board and what becomes of it; all matches; the puzzle; a match with the computer. For looking at, not a
test.
"""

from __future__ import annotations

import asyncio
import sqlite3
import sys
import tempfile
import time
from contextlib import closing
from pathlib import Path

from bot.play.clocks import PACES
from bot.play.ids import describe_level
from tests.browser.page import Tab, chromium
from tests.browser.served_bot import opened
from tests.browser.time_pictures import HEIGHT, WIDTH, awake, begun, taken

MATCHES: tuple[tuple[str, dict[str, object]], ...] = (
    ("binary-primes", {"size": 5, "pace": PACES["3"]}),
    ("plexus", {}),
    ("flipping-bits", {}),
)
"""What Ann and Bea play: the games, with their options."""
DUE = "UPDATE players SET next_reminder_at = ? WHERE match = ? AND next_reminder_at IS NOT NULL"


async def main(folder: Path) -> None:
    """Take all the pictures."""
    executable = chromium()
    if executable is None:
        sys.exit("There is no Chromium: install one, or name it in the variable CHROMIUM.")
    with tempfile.TemporaryDirectory() as files:
        async with opened(executable, Path(files)) as served:
            ann, bea = [await served.tab(name, (WIDTH, HEIGHT)) for name in ("Ann", "Bea")]
            await served.online(ann)
            await ann.message_bot()
            await newcomer(ann, folder)
            await ann.command("preferences", zone=awake(), reminders="with the board", puzzle="on")
            await taken(ann, folder / "preferences.png")
            for number, (key, options) in enumerate(MATCHES, 2):
                await begun(ann, bea, key, number, options)
            await turn(ann, folder, Path(files) / "sandbox" / "graphpaper.db")
            await ann.command("matches")
            await ann.read_latest_message("Your matches")
            await taken(ann, folder / "matches.png")
            await ann.press("Move")
            await taken(ann, folder / "matches-move.png")
            await ann.command("daily")
            await ann.read_latest_message("Daily puzzle")
            await taken(ann, folder / "puzzle.png")
            await ann.tap("Solve")
            await taken(ann, folder / "puzzle-pad.png")


async def newcomer(ann: Tab, folder: Path) -> None:
    """What the bot says to somebody who has just come, and a match with the computer."""
    await ann.command("help")
    await ann.read_latest_message("pencil-and-paper games")
    await taken(ann, folder / "help.png")
    await ann.command("play", game="binary-primes")
    await ann.read_latest_message("Play the computer")
    await taken(ann, folder / "computer-card.png")
    await ann.command("play", game="binary-primes", level=describe_level(1), seat="me", legs=1)
    await ann.read_latest_message("has started against")
    await taken(ann, folder / "computer-begun.png")
    await ann.tap("Move")
    await taken(ann, folder / "computer-pad.png")
    await ann.tap("c", "c3", "Play c3")
    await ann.read_latest_message("played")
    await ann.page.wait_for_timeout(3000)
    await taken(ann, folder / "computer-answer.png")


async def turn(ann: Tab, folder: Path, database: Path) -> None:
    """The board of a turn comes, and is moved on."""
    await ann.message_bot()
    with closing(sqlite3.connect(database, timeout=9)) as connection, connection:
        connection.execute(DUE, (int(time.time()), 2))
    await ann.read_latest_message("Binary Primes · match 2")
    await taken(ann, folder / "turn.png")
    await ann.tap("Move")
    await taken(ann, folder / "turn-pad.png")
    await ann.tap("b", "b2", "Play b2")
    await ann.read_latest_message("You played b2")
    await taken(ann, folder / "turn-played.png")


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1])))
