"""People at the sandbox's chat page, in a real browser: what the browser tests click and type goes through here.

A `Tab` is one person's tab. It does what a person does (types `/` and picks, presses, fills a dialog) and waits as a
person waits, so that tests need no sleeps. What it looks for is a `data-…` hook or an accessible name of the page.
"""

import os
import re
import shutil
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.async_api import Browser, ConsoleMessage, Locator, Page, async_playwright, expect

DESKTOP = (1280, 800)
PHONE = (390, 844)
PATIENCE_MS = 40_000
BOT = "graph-paper"
"""What the bot is called, and its direct messages are."""
FITS = """() => [document.documentElement, document.getElementById("timeline")].every(
    one => one.scrollWidth <= one.clientWidth
)"""
FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
expect.set_options(timeout=PATIENCE_MS)  # a busy machine is no fault of the page


def chromium() -> str | None:
    """Where a Chromium is: the variable CHROMIUM, else the one on the path, else None."""
    return os.environ.get("CHROMIUM") or shutil.which("chromium")


def needed() -> str:
    """Where a Chromium is, for a test: without one it is skipped, and where everything must be tested it fails."""
    executable = chromium()
    if executable is None:
        message = "There is no Chromium: install one, or name it in the variable CHROMIUM."
        pytest.fail(message) if os.environ.get("CI") else pytest.skip(message)
    return executable


@asynccontextmanager
async def browser(executable: str) -> AsyncGenerator[Browser]:
    """A running browser, closed at the end."""
    async with async_playwright() as playwright:
        running = await playwright.chromium.launch(executable_path=executable, args=FLAGS)
        try:
            yield running
        finally:
            await running.close()


@dataclass(frozen=True)
class Seen:
    """A message as a person reads it; `buttons` are labels, `pictures` alt texts."""

    id: str
    author: str
    text: str
    buttons: tuple[str, ...]
    pictures: tuple[str, ...]
    ephemeral: bool


def called(name: str) -> str:
    """Somebody as a message names them whom it does not tell."""
    return f"\u2068{name}\u2069"


class Tab:
    """One person's tab; `errors` collects what the browser's console and the page's scripts complained about."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.errors: list[str] = []
        page.set_default_timeout(PATIENCE_MS)
        page.on("console", self._heard)
        page.on("pageerror", lambda error: self.errors.append(str(error)))

    def _heard(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self.errors.append(message.text)

    @classmethod
    async def open(cls, running: Browser, page_url: str, person: str, size: tuple[int, int] = DESKTOP) -> "Tab":
        """A tab of the named person; `size` is width and height in pixels."""
        width, height = size
        context = await running.new_context(viewport={"width": width, "height": height}, has_touch=width < 760)
        people = await (await context.request.get(f"{page_url}ui/people")).json()
        tab = cls(await context.new_page())
        await tab.page.goto(f"{page_url}?as={next(one['id'] for one in people if one['name'] == person)}")
        await tab.ready()
        return tab

    async def ready(self) -> None:
        """Wait until the page is connected and shows where one is."""
        await self.page.locator("#app[data-state=ready]").wait_for()

    async def close(self) -> None:
        """Close the tab and its browser context."""
        await self.page.context.close()

    # --- getting around

    async def go(self, channel: str) -> None:
        """Go to a channel or thread by its name, through the drawer where the list is one."""
        drawer = self.page.locator("#open-channels")
        if await drawer.is_visible():
            await drawer.click()
        row = self.page.get_by_test_id("channel").filter(has=self.page.get_by_text(channel, exact=True))
        await row.first.click()
        await self.page.get_by_test_id("place").get_by_text(channel, exact=True).wait_for()

    async def message_bot(self) -> None:
        """Go to one's direct messages with the bot, which are opened where there are none yet."""
        drawer = self.page.locator("#open-channels")
        if await drawer.is_visible():
            await drawer.click()
        there = self.page.get_by_test_id("open-mailbox").or_(self.page.get_by_test_id("channel").filter(has_text=BOT))
        await there.first.click()
        await self.page.get_by_test_id("place").get_by_text(BOT, exact=True).wait_for()

    async def place(self) -> str:
        """The name of the channel or thread one is in."""
        return await self.page.locator(".place-name").inner_text()

    async def badge(self, channel: str) -> int:
        """How often one is mentioned, unread, in a channel."""
        row = self.page.get_by_test_id("channel").filter(has=self.page.get_by_text(channel, exact=True))
        return int(await row.first.get_attribute("data-mentions") or 0)

    async def screenshot(self, path: Path) -> None:
        """A picture of the tab as it is."""
        await self.page.screenshot(path=path)

    # --- slash commands

    def option(self, name: str) -> Locator:
        """The input of an option in the message box."""
        return self.page.locator(f'[data-testid=option][data-option="{name}"] input')

    async def pick_command(self, command: str) -> None:
        """Type `/` and the command's first letters, and take it from the list."""
        box = self.page.get_by_test_id("message-input")
        await box.click()
        await box.press_sequentially("/" + command)
        await self.page.locator(f'[data-testid=suggestion][data-value="{command}"]').click()

    async def suggestions(self, option: str, typed: str) -> list[str]:
        """What is offered for an option after typing."""
        await self._field(option)
        await self.option(option).fill(typed)
        await self.page.get_by_test_id("suggestion-note").filter(has_not_text="Loading").wait_for()
        return await self.page.locator("[data-testid=suggestion] .suggestion-title").all_inner_texts()

    async def accept(self, title: str) -> None:
        """Take a suggestion by its text."""
        await self.page.get_by_test_id("suggestion").filter(has=self.page.get_by_text(title, exact=True)).click()

    async def _field(self, option: str) -> None:
        if not await self.option(option).count():
            await self.page.locator(f'[data-testid=add-option][data-option="{option}"]').click()
        await self.option(option).click()

    async def fill(self, option: str, value: object) -> None:
        """Type an option's value, adding the option where it is an optional one; names pick people and choices."""
        await self._field(option)
        await self.option(option).fill(str(value))

    async def send(self) -> None:
        """Press Enter (or the send button) and wait until the command has left the box."""
        await self.page.get_by_test_id("send").click()
        await self.page.get_by_test_id("message-input").wait_for()

    async def command(self, command: str, **options: object) -> None:
        """Use a slash command with options, as typed text; `command` is its path without the slash."""
        await self.pick_command(command)
        for name, value in options.items():
            await self.fill(name, value)
        await self.send()

    # --- messages

    async def messages(self) -> list[Seen]:
        """The messages one sees, oldest first."""
        return [await self.read(one) for one in await self.page.get_by_test_id("message").all()]

    async def read(self, message: Locator) -> Seen:
        """One message, read."""
        author = message.get_by_test_id("author")
        return Seen(
            id=await message.get_attribute("data-message-id") or "",
            author=await author.last.inner_text() if await author.count() else "",
            text=await message.get_by_test_id("body").inner_text(),
            buttons=tuple(await message.get_by_test_id("button").all_inner_texts()),
            pictures=tuple(
                [await one.get_attribute("alt") or "" for one in await message.locator(".picture img").all()]
            ),
            ephemeral=await message.get_attribute("data-ephemeral") == "true",
        )

    async def read_latest_message(self, text: str | re.Pattern[str]) -> Locator:
        """Wait for a message with a text in it; the newest one of several."""
        found = self.page.get_by_test_id("message").filter(has_text=text).last
        await found.wait_for()
        return found

    async def gone(self, text: str | re.Pattern[str]) -> None:
        """Wait until no message has the text."""
        await self.page.get_by_test_id("message").filter(has_text=text).first.wait_for(state="detached")

    async def dismiss(self, text: str | re.Pattern[str]) -> None:
        """Dismiss an ephemeral message."""
        await (await self.read_latest_message(text)).get_by_test_id("dismiss").click()

    async def press(self, label: str, within: Locator | None = None) -> None:
        """Press a button by its label: in a given message, else the newest of that label."""
        buttons = (within or self.page.locator("#timeline")).get_by_test_id("button")
        await buttons.filter(has_text=label).last.click()

    async def tap(self, *labels: str) -> None:
        """Press buttons one after another by their whole labels, each on the newest message that has it enabled."""
        able = self.page.locator("#timeline [data-testid=button]:not([disabled])")
        for label in labels:
            await able.filter(has_text=re.compile(rf"^\s*{re.escape(label)}\s*$")).last.click()

    async def choose(self, select: Locator, *labels: str) -> None:
        """Open a select and choose by label; `select` is (or holds) its hook."""
        dropdown = select.get_by_role("button")
        await dropdown.click()
        for label in labels:
            await select.get_by_role("option").filter(has=self.page.get_by_text(label, exact=True)).click()
        if await dropdown.get_attribute("aria-expanded") == "true":
            await dropdown.click()

    # --- dialogs

    @property
    def modal(self) -> Locator:
        """The open modal."""
        return self.page.get_by_test_id("modal")

    async def fill_modal(self, values: Mapping[str, str | Sequence[str]]) -> None:
        """Fill the fields of the open modal, by label: text, or the labels to choose in a select."""
        for label, value in values.items():
            field = self.modal.locator(f'[data-testid=modal-field][data-label="{label}"]')
            await field.wait_for()
            if await field.get_by_test_id("select").count():
                labels = (value,) if isinstance(value, str) else tuple(value)
                await self.choose(field.get_by_test_id("select"), *labels)
            else:
                await field.locator("input, textarea").fill(value if isinstance(value, str) else value[0])

    async def submit(self, values: Mapping[str, str | Sequence[str]]) -> None:
        """Fill the open modal, submit it and wait until it closes."""
        await self.fill_modal(values)
        await self.modal.get_by_test_id("modal-submit").click()
        await self.modal.wait_for(state="detached")

    async def fits(self) -> bool:
        """Whether nothing is wider than the tab."""
        return bool(await self.page.evaluate(FITS))
