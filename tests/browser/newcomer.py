"""Counts the taps and seconds that a newcomer needs from /play to a first legal move, on a phone.

    python -m tests.browser.newcomer [--folder DIR]     # with pictures of every step in DIR

The seconds are those that the page and the bot take, with nobody thinking; the taps and the letters typed are the
newcomer's own. A friend who is challenged answers at once, and moves at once where the lot says so.
"""

from __future__ import annotations

import argparse
import asyncio
import re
import tempfile
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from playwright.async_api import Locator

from bot.features.challenges import onboarding
from bot.games.catalogue import load_games_with_lesson, load_offered_games
from bot.games.moves import TASKS
from bot.play import challenges
from tests.bench.figures import Sheet
from tests.browser.page import BOT, PATIENCE_MS, Tab, called, chromium
from tests.browser.served_bot import ServedBot, opened

NEWCOMER, FRIEND = "Ann", "Bea"
COMMAND = "play"
CHOSEN = "img[alt*='Chosen: ']"
PAD = f"[data-testid=message]:has({CHOSEN})"
"""A pad has what is chosen in the alt text of its board."""
OTHERS = ("Back", "Type it", "Clear", "Other numbers …", "Other degrees …", "Rules", "My board")
"""Buttons of a board or a pad with which no move is chosen."""
ENDINGS = (*(f"{task} " for task in TASKS.values()), "Hand in ", "Stop here", "Check this grid", "Close the curve")
"""How the labels of buttons begin that play what is chosen, or end a list."""
TO_MOVE = r"( (is|are) to move( in both legs| in leg 1, and .* in leg 2| in leg [12])?|, place your [0-9]+)\."
TO_MOVE_IN_LEGS = r"To (move|place( [0-9]+)?): "
DEED = "(played|placed|wrote|filled|flipped|marked|split|added|chose|walked|handed in)"
POLL_MS = 50
PACE, A_MINUTE = 3.0, 60.0
"""Seconds that somebody new needs for a tap, to read and to find it; and for the first move."""
KEY = "[data-testid=button]:not([disabled])"


@dataclass
class Hand:
    """A newcomer's hand: it taps and types, and counts."""

    tab: Tab
    way: str
    folder: Path | None = None
    taps: int = 0
    typed: int = 0
    parts: int = 0
    began: float = field(default_factory=time.monotonic)

    async def tap(self, what: Locator) -> None:
        """Tap something."""
        await what.click()
        self.taps += 1

    async def press(self, label: str, within: Locator | None = None) -> None:
        """Tap the newest button with a label."""
        found = (within or self.tab.page.locator("#timeline")).locator(KEY)
        await self.tap(found.filter(has_text=label).last)

    async def choose(self, select: str, option: Locator | None = None) -> None:
        """Open a select, known by the beginning of its custom_id, and choose an option, or the first."""
        found = self.tab.page.locator(f'[data-testid=select][data-custom-id^="{select}"]').last
        await self.tap(found.get_by_role("button"))
        await self.seen("list")
        options = found.get_by_role("option")
        await self.tap((options.and_(option) if option else options).first)

    async def seen(self, what: str) -> None:
        """Keep a picture of what there is to see now."""
        if self.folder:
            self.folder.mkdir(parents=True, exist_ok=True)
            await self.tab.screenshot(self.folder / f"{self.way}-{self.taps:02}-{what}.png")

    async def play(self) -> None:
        """Use /play: the box, its letters, the command in the list, and the button that sends it."""
        box = self.tab.page.get_by_test_id("message-input")
        await self.tap(box)
        await box.press_sequentially(f"/{COMMAND}")
        self.typed += 1 + len(COMMAND)
        await self.tap(self.tab.page.locator(f'[data-testid=suggestion][data-value="{COMMAND}"]'))
        await self.tap(self.tab.page.get_by_test_id("send"))
        await self.tab.read_latest_message(onboarding.WHICH)
        await self.seen("games")

    async def game(self, key: str | None = None) -> None:
        """Choose a game: the first of those to begin with, or the one with a key, in the list of all if need be."""
        if key not in (None, *(game.key for game in challenges.choose_first_games(load_offered_games().values()))):
            await self.press(onboarding.ALL_GAMES)
            await self.tab.read_latest_message(" games by ")
        await self.choose("p:pick:", key and self.tab.page.locator(f'[data-value="{key}"]') or None)
        await self.tab.page.locator("#timeline .picture img").last.wait_for()
        await self.seen("card")

    async def move(self, board: Locator) -> None:
        """Begin a move under a board, and tap what can be tapped until it is played."""
        await self.tap(board.locator(KEY).first)
        pad = self.tab.page.locator(PAD).last
        await pad.wait_for()
        await self.seen("pad")
        await self.finish(self.tab.page.locator(f'[data-message-id="{await pad.get_attribute("data-message-id")}"]'))

    async def finish(self, pad: Locator) -> None:
        """Tap on a pad what can be tapped until the move is played, and the message is no pad any more."""
        while await pad.locator(CHOSEN).count():
            await self.turn(pad, await self.next_key(pad))
        await self.seen("done")

    async def turn(self, message: Locator, key: Locator) -> None:
        """Tap a button that changes its message or takes it away, and wait until it has."""
        before = await message.all_inner_texts()
        await self.tap(key)
        async with asyncio.timeout(PATIENCE_MS / 1000):
            while await message.all_inner_texts() == before:
                await self.tab.page.wait_for_timeout(POLL_MS)
        await self.seen("tapped")

    async def next_key(self, pad: Locator) -> Locator:
        """What plays the move or ends a part of it as that is, else a key that leads to one, another for each part."""
        keys = [(await key.inner_text(), key) for key in await pad.locator(KEY).all()]
        ending = [key for label, key in keys if label.startswith(ENDINGS)]
        chosen = [key for label, key in keys if label not in OTHERS and not label.startswith("Page ")]
        self.parts += bool(ending)
        return ending[0] if ending else chosen[self.parts % len(chosen)]


async def with_a_friend(stage: ServedBot, hand: Hand) -> None:
    """Challenge somebody to a game."""
    friend = await stage.tab(FRIEND)
    await friend.go("games")
    await hand.play()
    await hand.game("dream-math")
    await hand.choose("p:challenge:", hand.tab.page.locator(f'[data-label="{FRIEND}"]'))
    await hand.tab.read_latest_message("can answer until ")
    await hand.seen("challenged")
    await friend.press("Accept")
    await hand.tab.read_latest_message("are playing")
    await hand.tap(hand.tab.page.get_by_test_id("thread-link").last)
    await friend.page.get_by_test_id("thread-link").last.click()
    board = await hand.tab.read_latest_message(re.compile(f"{TO_MOVE_IN_LEGS}|{TO_MOVE}"))
    if re.search(f"{called(FRIEND)}{TO_MOVE}", await board.inner_text()):
        await Hand(friend, "friend").move(await friend.read_latest_message(re.compile(TO_MOVE)))
        board = await hand.tab.read_latest_message(re.compile(f"{called(NEWCOMER)}{TO_MOVE}"))
    await hand.seen("board")
    await hand.move(board)
    await hand.tab.read_latest_message(re.compile(f"{called(NEWCOMER)} {DEED}"))
    await hand.seen("played")
    await friend.close()


async def in_direct_messages(_: ServedBot, hand: Hand) -> None:
    """Write to the bot for the first time, and begin the quick game there."""
    page = hand.tab.page
    await hand.tap(page.locator("#open-channels"))
    await hand.tap(page.get_by_test_id("open-mailbox"))
    await page.get_by_test_id("place").get_by_text(BOT, exact=True).wait_for()
    await a_quick_game(_, hand)


async def alone(_: ServedBot, hand: Hand) -> None:
    """Begin the shortest game that can be played alone."""
    await hand.play()
    await hand.game("sums-grid")
    await hand.press("Alone")
    told = await hand.tab.read_latest_message("Here is your board, with the buttons to move")
    await hand.tap(told.locator("a").filter(has_not_text="#games").last)
    board = await hand.tab.read_latest_message(re.compile(TO_MOVE))
    await hand.seen("board")
    await hand.move(board)
    await hand.tab.read_latest_message(re.compile(f"You {DEED}"))
    await hand.seen("played")


async def against_the_computer(_: ServedBot, hand: Hand) -> None:
    """Play the first game of the list against the computer, at its first level, with nobody else there."""
    await hand.play()
    await hand.game()
    await hand.choose("p:computer:")
    told = await hand.tab.read_latest_message("Here is your board, with the buttons to move")
    await hand.seen("begun")
    await hand.tap(told.locator("a").filter(has_not_text="#games").last)
    board = await hand.tab.read_latest_message(re.compile(f"{called(NEWCOMER)}{TO_MOVE}"))
    await hand.seen("board")
    await hand.move(board)
    await hand.tab.read_latest_message(re.compile(f"{called(NEWCOMER)} {DEED}"))
    await hand.seen("played")
    await hand.tab.read_latest_message(re.compile(f"{called(NEWCOMER)}{TO_MOVE}"))
    await hand.seen("answered")


async def a_quick_game(_: ServedBot, hand: Hand) -> None:
    """Begin the quick game of /play, and make the first move on its pad."""
    await hand.play()
    await hand.press("Quick game")
    pad = hand.tab.page.locator(PAD).last
    await pad.wait_for()
    await hand.seen("pad")
    await hand.finish(hand.tab.page.locator(f'[data-message-id="{await pad.get_attribute("data-message-id")}"]'))


async def after_a_lesson(_: ServedBot, hand: Hand) -> None:
    """Go through the lesson of the first game that has one, and move at its end."""
    await hand.play()
    await hand.game(challenges.order_games(load_games_with_lesson().values())[0].key)
    await hand.press("Learn it first")
    lesson = hand.tab.page.locator("[data-testid=message]").filter(has_text="1 of").last
    await lesson.wait_for()
    message = hand.tab.page.locator(f'[data-message-id="{await lesson.get_attribute("data-message-id")}"]')
    while not await message.locator(CHOSEN).count():
        await hand.turn(message, message.locator(KEY).filter(has_not_text="Back").last)
    await hand.finish(message)


WAYS: Mapping[str, Callable[[ServedBot, Hand], Awaitable[None]]] = {
    "with a friend": with_a_friend,
    "against the computer": against_the_computer,
    "a quick game": a_quick_game,
    "in direct messages": in_direct_messages,
    "alone": alone,
    "after a lesson": after_a_lesson,
}


@dataclass(frozen=True)
class Trip:
    """What a way took."""

    way: str
    taps: int
    typed: int
    seconds: float

    @property
    def unhurried(self) -> float:
        """Seconds with some for each tap, to read and to find it."""
        return self.seconds + PACE * self.taps

    def __str__(self) -> str:
        took = f"{self.taps:>3} taps, {self.typed} letters, {self.seconds:4.1f} s"
        return f"{self.way:<22}{took}; with {PACE:g} s for each tap {self.unhurried:3.0f} s"


async def went(stage: ServedBot, way: str, folder: Path | None = None) -> Trip:
    """Go one way in a server in which nobody has played."""
    tab = await stage.tab(NEWCOMER)
    await stage.online(tab)
    await tab.go("games")
    hand = Hand(tab, way.replace(" ", "-"), folder)
    await WAYS[way](stage, hand)
    trip = Trip(way, hand.taps, hand.typed, time.monotonic() - hand.began)
    assert tab.errors == [] and await tab.fits()
    await tab.close()
    return trip


async def trips(executable: str, folder: Path | None = None) -> AsyncGenerator[Trip]:
    """Go each way once, each in a server of its own."""
    for way in WAYS:
        with tempfile.TemporaryDirectory(prefix="graphpaper-newcomer-") as here:
            async with opened(executable, Path(here), quiet=True) as stage:
                yield await went(stage, way, folder)


async def measure(sheet: Sheet) -> None:
    """The figures of all ways, where there is a browser."""
    sheet.title("From /play to a first legal move, on a phone (390 px), by somebody who has never played")
    if executable := chromium():
        async for trip in trips(executable):
            sheet.add(f"{trip.way}: taps", trip.taps)
            sheet.add(f"{trip.way}: by page and bot alone", trip.seconds, "s")
            limit = A_MINUTE if trip.way in ("with a friend", "against the computer") else None
            sheet.add(f"{trip.way}: with {PACE:g} s for each tap", trip.unhurried, "s", limit)


async def tell(executable: str, folder: Path | None) -> None:
    """Go all ways and print what they took."""
    print("From /play to a first legal move, on a phone (390 px)")
    async for trip in trips(executable, folder):
        print(" ", trip, flush=True)


def main() -> None:
    """Do what the command line asks for."""
    parser = argparse.ArgumentParser("tests.browser.newcomer", description="From /play to a first legal move.")
    parser.add_argument("--folder", type=Path, help="keep pictures of every step here")
    executable = chromium()
    if executable is None:
        raise SystemExit("There is no Chromium: install one, or name it in the variable CHROMIUM.")
    asyncio.run(tell(executable, parser.parse_args().folder))


if __name__ == "__main__":
    main()
