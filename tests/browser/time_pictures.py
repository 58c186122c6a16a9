"""Takes pictures of time and agreement: clocks, reminders, claims, takebacks, substitutes.

A real clock cannot be moved from outside, so what is to be long ago is written so into the bot's database.
"""

from __future__ import annotations

import sqlite3
import time
from contextlib import closing
from pathlib import Path

from bot.games.catalogue import load_games
from bot.play.clocks import DAY, PACES
from tests.browser.page import Tab
from tests.browser.served_bot import ServedBot

WIDTH, HEIGHT = 390, 844


async def begun(ann: Tab, bea: Tab, key: str, number: int, options: dict[str, object]) -> None:
    """A match of a game between the two, in one leg; Ann goes to its thread."""
    options = {"legs": 1, **options} if load_games()[key].lopsided else options
    await ann.go("games")
    await ann.command(f"{key} challenge", opponent="Bea", seat="me", **options)
    await bea.go("games")
    await bea.tap("Accept")
    title = load_games()[key].title
    await bea.read_latest_message(f"are playing {title}")
    await ann.go(f"Ann – Bea · {title} · {number}")


async def taken(tab: Tab, path: Path) -> None:
    """A picture of the tab when everything has come."""
    await tab.page.wait_for_timeout(900)
    await tab.screenshot(path)


def awake() -> str:
    """A time zone in which it is day: nobody is reminded at night."""
    hour = time.gmtime().tm_hour
    return "Asia/Tokyo" if hour < 9 else "Europe/London" if hour < 20 else "America/Los_Angeles"


class Hours:
    """Three people, and the bot's database."""

    def __init__(self, served: ServedBot, ann: Tab, bea: Tab, folder: Path, files: Path) -> None:
        self.served, self.ann, self.bea = served, ann, bea
        self.folder, self.database = folder, files / "sandbox" / "graphpaper.db"

        self.first = 1
        """The number of the next match."""

    async def main(self) -> None:
        """Take all pictures."""
        for person in (self.ann, self.bea):
            await person.command("preferences", zone=awake(), reminders="thread")
        await self.clock_and_claim()
        await self.takeback()
        await self.substitute()
        await self.lists()
        await self.digest()

    async def taken(self, tab: Tab, name: str) -> None:
        """A picture of a tab."""
        await taken(tab, self.folder / f"{name}.png")

    async def both(self) -> int:
        """A match of Binary Primes, with both in its thread; its number."""
        number, self.first = self.first, self.first + 1
        await begun(self.ann, self.bea, "binary-primes", number, {"size": 5, "pace": PACES["3"]})
        await self.bea.go(f"Ann – Bea · Binary Primes · {number}")
        return number

    def written(self, statement: str, *values: object) -> None:
        """Change something in the bot's database, while it runs."""
        with closing(sqlite3.connect(self.database, timeout=9)) as connection, connection:
            connection.execute(statement, values)

    async def clock_and_claim(self) -> None:
        """A board with a clock; a reminder; and the board of somebody who ran out of time, with the claim."""
        number = await self.both()
        await self.ann.read_latest_message("Time is up")
        await self.taken(self.ann, "clock")
        now = int(time.time())
        clock = "UPDATE players SET since = ?, deadline = ?, next_reminder_at = ? WHERE match = ? AND seat = 1"
        self.written(clock, now - 2 * DAY, now + DAY, now, number)
        await self.ann.read_latest_message("your move in")
        await self.taken(self.ann, "reminder")
        self.written(clock, now - 3 * DAY - 3600, now - 3600, None, number)
        await self.bea.read_latest_message("ran out of time")
        await self.taken(self.bea, "claim-1")
        await self.bea.press("Claim")
        await self.bea.read_latest_message("undo it")
        await self.taken(self.bea, "claim-2")

    async def takeback(self) -> None:
        """Somebody asks to take a move back, and the other is asked."""
        await self.both()
        await self.ann.tap("Move", "c", "c3", "Play c3")
        await self.bea.read_latest_message("played c3")
        await self.taken(self.ann, "takeback-1")
        await self.ann.command("match takeback")
        await self.bea.read_latest_message("asks to take back")
        await self.taken(self.bea, "takeback-2")
        await self.bea.tap("Refuse")
        await self.bea.read_latest_message("doesn't want the move taken back")

    async def substitute(self) -> None:
        """A third person is asked to take over a seat, and does."""
        number = await self.both()
        dora = await self.served.tab("Dora", (WIDTH, HEIGHT))
        await self.ann.pick_command("match replace")
        await self.ann.suggestions("seat", "")
        await self.taken(self.ann, "substitute-1")
        await self.ann.accept("Bea")
        await self.ann.fill("player", "Dora")
        await self.ann.send()
        await self.bea.read_latest_message("to take over from")
        await self.bea.tap("Agree: hand over")
        await dora.go(f"Ann – Bea · Binary Primes · {number}")
        await dora.read_latest_message("to take over from")
        await self.taken(dora, "substitute-2")
        await dora.tap("Agree: hand over")
        await dora.read_latest_message("took over from")
        await self.taken(dora, "substitute-3")
        await dora.close()

    async def lists(self) -> None:
        """What one has chosen, when one is away, and what waits for one."""
        await self.ann.command("preferences", reminders="daily digest", weekends="no")
        await self.ann.read_latest_message("daily digest")
        await self.taken(self.ann, "preferences")
        await self.ann.go("games")
        await self.ann.command("matches")
        await self.ann.read_latest_message("Your matches")
        await self.taken(self.ann, "matches")
        await self.ann.command("away until", until="in 5 days")
        await self.ann.read_latest_message("away until")
        await self.taken(self.ann, "away")
        await self.ann.command("away back")

    async def digest(self) -> None:
        """The direct message of a morning."""
        # Today may be one of a weekend.
        await self.ann.command("preferences", weekends="yes")
        await self.ann.read_latest_message("weekends: yes")
        self.written("UPDATE preferences SET digest = ? WHERE digest IS NOT NULL", int(time.time()))
        await self.ann.go("graph-paper")
        await self.ann.read_latest_message("for you.")
        await self.taken(self.ann, "digest")
