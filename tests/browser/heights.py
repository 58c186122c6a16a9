"""Measures on a phone how high the messages about a game are: `python -m tests.browser.heights [FOLDER] [GAME …]`.

Every surface of `surfaces` is put into a stand-in for Discord, and a browser shows it alone, 390 pixels wide. With a
folder a picture of each is kept there.
"""

from __future__ import annotations

import asyncio
import sys
from collections import defaultdict
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from playwright.async_api import Locator

from bot.games.catalogue import load_games
from bot.games.game import Game
from bot.platform.ui import format_filename
from bot.sandbox import posts
from bot.sandbox.components import V2
from bot.sandbox.errors import Json
from bot.sandbox.stand_in import Sandbox
from rendering.painter import paint
from tests.browser import surfaces
from tests.browser.page import PHONE, Tab, browser, chromium
from tests.browser.surfaces import Paint, Surface

PLAYERS = ("Ann", "Bea", "Cem", "Dora", "Emil", "Fay", "Gus", "Hana")
CHANNEL = "games"
EPHEMERAL = 64
KINDS = ("rules", "board", "pad", "finished", "channel")
SCREENS = {
    "rules": 1.5, "prepare": 1.05, "welcome": 1.2, "help": 1.05, "settings": 1.0, "preferences": 1.0,
    "board two legs": 1.03,
}  # fmt: skip
"""The most screens of a kind of message, or of that in a table; one of all others, with what stands below the newest
message on it. A pad for a prepared move says above its question which move it follows; a welcome has a board's picture
and is read once, lists of commands and settings are read from their top, and a board of two legs has two pictures."""
FOOT, ONLY_YOU = 20, 32
"""The empty edge below the newest message, and the line that says that only you see it, in pixels."""
ROOM = """() => document.getElementById("timeline").clientHeight
    + document.querySelector("[data-testid=bot-offline]").getBoundingClientRect().height"""
"""The height for messages: no bot is connected, and the line that says so takes room."""
WHOLE = 2_400
"""A screen of this height shows any message whole."""
PICTURES_THERE = """async one => {
    const there = [...one.querySelectorAll("img")].map(img => img.decode().then(() => true, () => false));
    return (await Promise.all(there)).every(Boolean);
}"""
"""Waits until a picture can be painted; one that is only loaded may still be blank on a screenshot."""


ROUNDING = 2
"""Pixels that nobody misses."""


@dataclass
class Phone:
    """A chat on a phone into which messages are put one at a time."""

    sandbox: Sandbox
    tab: Tab
    people: Sequence[int]
    screen: float

    async def height(self, surface: Surface, folder: Path | None = None) -> float:
        """How high a message is; with a folder a picture of it is kept."""
        world = self.sandbox.world
        channel = str(world.channel_named(CHANNEL)["id"])
        body: Json = {"components": surface.view.to_components(), "flags": V2, "allowed_mentions": {"parse": []}}
        files = {at: (format_filename(at), png) for at, png in enumerate(surface.pngs)}
        extra = {"flags": EPHEMERAL, "ephemeral_for": str(self.people[0])} if surface.hidden else {}
        message = posts.create_message(world, channel, world.me, posts.MessageDraft(body, files), **extra)
        shown = self.tab.page.locator(f'[data-message-id="{message["id"]}"]')
        await self._loaded(shown)
        high = float(await shown.locator(".container").evaluate("one => one.getBoundingClientRect().height"))
        if folder:
            await shown.screenshot(path=folder / f"{surface.name}.png")
        world.remove_message(message)
        await shown.wait_for(state="detached")
        return high

    async def _loaded(self, shown: Locator) -> None:
        await shown.wait_for()
        await self.tab.page.wait_for_function(PICTURES_THERE, arg=await shown.element_handle())

    async def of_game(self, game: Game, draw: Paint, folder: Path | None = None) -> list[tuple[Surface, float]]:
        """All surfaces of a game with their heights."""
        if folder:
            folder = folder / game.key
            folder.mkdir(parents=True, exist_ok=True)
        return [(one, await self.height(one, folder)) for one in surfaces.surfaces(game, self.people, draw)]

    def excess(self, surface: Surface, high: float) -> float:
        """By how much a message is higher than it may be; nothing below 0."""
        table = f"{surface.kind} {surface.table}"
        below = 0 if surface.kind in SCREENS else FOOT + ONLY_YOU * surface.hidden
        over = high - SCREENS.get(table, SCREENS.get(surface.kind, 1.0)) * self.screen + below
        return over if over > ROUNDING else 0.0


@asynccontextmanager
async def phone(executable: str) -> AsyncGenerator[Phone]:
    """A phone with the chat of a stand-in for Discord, to which no bot is connected; it has met all players."""
    async with Sandbox() as sandbox, browser(executable) as running:
        world = sandbox.world
        people = [int(world.find_or_make_user(name)["id"]) for name in PLAYERS]
        general = str(world.channel_named("general")["id"])
        for person in people:
            posts.create_message(world, general, str(person), posts.MessageDraft({"content": "Hello."}))
        tab = await Tab.open(running, sandbox.page_url, PLAYERS[0], PHONE)
        await tab.go(CHANNEL)
        screen = float(await tab.page.evaluate(ROOM))
        await tab.page.set_viewport_size({"width": PHONE[0], "height": WHOLE})
        yield Phone(sandbox, tab, people, screen)


def most(found: Sequence[tuple[Surface, float]]) -> dict[tuple[str, str], tuple[float, str]]:
    """The highest message of each kind in each table, and which it is."""
    highest: dict[tuple[str, str], tuple[float, str]] = defaultdict(lambda: (0.0, ""))
    for surface, high in found:
        place = surface.kind, surface.table
        highest[place] = max(highest[place], (high, surface.what))
    return highest


async def tell(executable: str, folder: Path | None, asked: Sequence[Game]) -> None:
    """Print the heights of games, and every message that does not fit."""
    async with phone(executable) as it:
        print(f"heights in pixels on a phone of {PHONE[0]} by {PHONE[1]}, of which messages have {it.screen:g}")
        for one in surfaces.of_harness():
            print(one.name, f"{await it.height(one, folder):.0f}")
        for game in asked:
            found = await it.of_game(game, paint.encode_png if folder else surfaces.blank, folder)
            print(
                game.key,
                *(f"{kind} {table}: {high:.0f}".replace(" :", ":") for (kind, table), (high, _) in most(found).items()),
                sep=" | ",
                flush=True,
            )
            for one, high in found:
                if over := it.excess(one, high):
                    print(f"    {one.name}: {high:.0f}, {over:.0f} too high")


def main(arguments: Sequence[str]) -> None:
    """Do what the command line asks for."""
    executable = chromium()
    if executable is None:
        sys.exit("There is no Chromium: install one, or name it in the variable CHROMIUM.")
    keys = [one for one in arguments if one in load_games()]
    folders = [Path(one) for one in arguments if one not in load_games()]
    asyncio.run(tell(executable, folders[0] if folders else None, [load_games()[key] for key in keys or load_games()]))


if __name__ == "__main__":
    main(sys.argv[1:])
