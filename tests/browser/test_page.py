"""The chat page in a real browser, with a tiny bot on the other side: what people see, type and press."""

import re
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import Browser, expect

from bot.sandbox import stand_in
from bot.sandbox.stand_in import Sandbox
from tests.browser import minibot
from tests.browser.page import DESKTOP, PHONE, Tab, browser, needed

pytestmark = pytest.mark.asyncio(loop_scope="module")


@dataclass
class Table:
    """A sandbox with the bot and a browser before it; tabs are opened once, for loading the page is what costs time."""

    sandbox: Sandbox
    browser: Browser
    tabs: dict[tuple[str, tuple[int, int]], Tab] = field(default_factory=dict[tuple[str, tuple[int, int]], Tab])

    async def tab(self, person: str, size: tuple[int, int] = DESKTOP) -> Tab:
        """A person's tab, in #general, with an empty message box."""
        key = (person, size)
        if key not in self.tabs:
            self.tabs[key] = await Tab.open(self.browser, self.sandbox.page_url, person, size)
        await self.tabs[key].go("ideas")
        await self.tabs[key].go("general")
        return self.tabs[key]


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def table() -> AsyncIterator[Table]:
    executable = needed()
    sandbox = Sandbox()
    await sandbox.start()
    try:
        async with (
            minibot.running(sandbox.api_url, sandbox.gateway_url, sandbox.token),
            browser(executable) as running,
        ):
            yield Table(sandbox, running)
    finally:
        await sandbox.stop()


async def test_a_challenge_becomes_a_board_and_a_move(table: Table) -> None:
    ann, bea = await table.tab("Ann"), await table.tab("Bea", PHONE)
    assert await ann.page.get_by_test_id("my-name").inner_text() == "Ann"
    await ann.go("games")
    await bea.go("general")

    await ann.command("paper challenge", opponent="Bea", size=7, seat="By lot", rated="False")
    challenge = await ann.read_latest_message("7 × 7, seat by lot, rated False")
    assert "@Bea" in (await ann.read(challenge)).text
    await expect(ann.page.get_by_test_id("used-command").last).to_have_text("AAnn used /paper challenge")
    await expect(bea.page.locator("[data-testid=channel][data-mentions='1']")).to_have_count(1)
    assert await bea.badge("games") == 1

    await bea.go("games")
    assert await bea.badge("games") == 0
    await bea.press("Accept")
    await bea.read_latest_message("Accepted.")
    await bea.page.get_by_test_id("thread-link").last.click()
    board = await bea.read_latest_message("Bea is to move")
    seen = await bea.read(board)
    assert seen.buttons == ("Move", "Silent", "Off")
    assert seen.pictures == (minibot.ALT_TEXT,)
    assert await bea.place() == "Ann against Bea"
    assert await bea.fits()

    await bea.press("Move")
    await bea.modal.get_by_test_id("modal-submit").click()
    await expect(bea.modal.get_by_text("This field is required.")).to_have_count(2)
    await bea.submit({"Column": "c", "Number": "4", "Remark": "a fine\nmove"})
    await bea.read_latest_message("Last move: c4")
    assert (await bea.read(await bea.read_latest_message("Last move: c4"))).pictures == (minibot.ALT_TEXT,)

    await ann.go("Ann against Bea")
    await expect((await ann.read_latest_message("Last move: c4")).get_by_text("Move", exact=True)).to_be_in_viewport()
    await expect(ann.page.get_by_label("To the newest messages")).to_be_hidden()
    assert bea.errors == []
    assert ann.errors == []


async def test_one_says_who_one_is_and_opens_a_second_tab_as_somebody_else(table: Table) -> None:
    page = await table.browser.new_page()
    await page.goto(table.sandbox.page_url)
    assert await page.get_by_test_id("who").all_inner_texts() == ["A\nAnn", "B\nBea", "C\nCem", "D\nDora"]
    await page.get_by_test_id("who").filter(has_text="Cem").click()
    await expect(page.get_by_test_id("my-name")).to_have_text("Cem")
    async with page.context.expect_page() as opening:
        await page.get_by_test_id("person").filter(has_text="Dora").click()
    await expect((await opening.value).get_by_test_id("my-name")).to_have_text("Dora")
    await page.context.close()


async def test_a_completed_option_and_an_answer_for_one_alone(table: Table) -> None:
    ann, bea = await table.tab("Ann"), await table.tab("Bea")
    await ann.pick_command("paper move")
    assert await ann.suggestions("square", "c") == [f"c{row} (costs {row})" for row in range(1, 6)]
    await ann.accept("c4 (costs 4)")
    await ann.send()
    answer = await ann.read(await ann.read_latest_message("You moved to c4."))
    assert answer.ephemeral
    assert answer.author == table.sandbox.world.users[table.sandbox.world.me]["username"]
    assert not [message for message in await bea.messages() if "You moved" in message.text]
    await ann.dismiss("You moved to c4.")
    await ann.gone("You moved to c4.")
    assert ann.errors == []


async def test_the_keyboard_alone_sends_a_command(table: Table) -> None:
    ann = await table.tab("Ann")
    keys = ann.page.keyboard
    await keys.type("/")
    await keys.type("paper mo")
    await keys.press("Enter")
    await keys.type("b")
    await ann.page.get_by_test_id("suggestion").filter(has_text="b1").wait_for()
    await keys.press("ArrowDown")
    await keys.press("Enter")
    await keys.press("Enter")
    await ann.read_latest_message("You moved to b2.")

    await keys.type("/paper move ")
    await expect(ann.option("square")).to_be_focused()
    await keys.press("Enter")
    await expect(ann.page.get_by_test_id("composer-error")).to_have_text("square is required: specify a value.")
    await keys.press("Backspace")
    await expect(ann.page.get_by_test_id("message-input")).to_have_value("/paper move")
    await expect(ann.page.get_by_test_id("message-input")).to_be_focused()


async def test_what_cannot_be_sent_is_said(table: Table) -> None:
    ann = await table.tab("Ann")
    error = ann.page.get_by_test_id("composer-error")
    await ann.page.get_by_test_id("message-input").fill("hello")
    await ann.page.keyboard.press("Enter")
    await expect(error).to_have_text("This stand-in for Discord only takes slash commands: type / to see them.")

    await ann.page.get_by_test_id("message-input").fill("")
    await ann.pick_command("paper challenge")
    await ann.page.get_by_test_id("send").click()
    await expect(error).to_have_text("opponent is required: specify a value.")
    await ann.fill("opponent", "Bea")
    await ann.fill("size", 12)
    await ann.page.get_by_test_id("send").click()
    await expect(error).to_have_text("size must be at most 9.")


async def test_people_are_chosen_from_a_list_on_a_phone(table: Table) -> None:
    ann = await table.tab("Ann", PHONE)
    await ann.command("paper invite")
    select = (await ann.read_latest_message("Nobody yet.")).get_by_test_id("select")
    await select.get_by_role("button").click()
    options = select.get_by_role("option")
    assert [text.split("\n") for text in await options.all_inner_texts()][:2] == [
        ["A", "Ann", "@ann"], ["B", "Bea", "@bea"],
    ]  # fmt: skip
    await expect(options.last).to_be_in_viewport(ratio=0.5)
    for name in ("Cem", "Bea"):
        await options.filter(has_text=name).click()
    assert await ann.fits()
    # A choice of several is sent when the list is closed.
    await expect(ann.page.get_by_text("Nobody yet.")).to_be_visible()
    await select.get_by_role("button").click()
    await ann.read_latest_message("Invited: Bea and Cem.")
    assert ann.errors == []


async def test_while_one_button_waits_in_vain_the_rest_goes_on(table: Table) -> None:
    ann = await table.tab("Ann")
    await ann.command("paper challenge", opponent="Cem")
    await ann.press("Accept")
    await ann.page.get_by_test_id("thread-link").last.click()
    board = await ann.read_latest_message("Bea is to move")
    await ann.press("Silent", board)
    await expect(board.locator("[data-custom-id=silent]")).to_have_attribute("aria-busy", "true")

    await ann.choose(board.get_by_test_id("select"), "a3")
    await ann.read_latest_message("Picked a3.")
    await board.get_by_test_id("picture").click()
    await expect(ann.page.get_by_test_id("alt-text")).to_have_text(minibot.ALT_TEXT)
    await ann.page.keyboard.press("Escape")
    await expect(ann.page.get_by_test_id("overlay")).to_have_count(0)

    await ann.press("Move", board)
    await ann.modal.get_by_test_id("select").get_by_role("button").click()
    await ann.page.keyboard.press("Escape")
    await expect(ann.modal.get_by_role("option", name="a")).to_be_hidden()
    await expect(ann.modal).to_be_visible()
    await ann.page.keyboard.press("Escape")
    await expect(ann.modal).to_have_count(0)

    await expect(board.get_by_test_id("press-error")).to_have_text("The application did not respond")
    await expect(board.locator("[data-custom-id=silent]")).not_to_have_attribute("aria-busy", "true")


async def test_markdown_is_shown_and_never_run(table: Table) -> None:
    ann = await table.tab("Ann", PHONE)
    await ann.command("paper rules")
    message = await ann.read_latest_message("An embed")
    for selector, text in {
        ".heading-1": "Rules",
        "strong >> nth=0": "Bold",
        "em": "italics",
        "u": "underlined",
        "s": "gone",
        "li >> nth=0": "first",
        "blockquote": "quoted",
        ".markdown .small": "small print",
        "pre": "a | b",
        ".embed-title": "An embed",
    }.items():
        await expect(message.locator(selector)).to_have_text(text)
    links = await message.locator("a").evaluate_all("all => all.map(one => one.href)")
    assert links == ["https://example.org/docs", "https://example.org/x?y=1"]
    assert "snake_case_stays" in await message.inner_text()
    assert "[a link](javascript:alert(1))" in await message.inner_text()
    assert await ann.fits()


async def test_thinking_gives_way_to_the_answer(table: Table) -> None:
    ann = await table.tab("Ann")
    await ann.command("paper think")
    answer = await ann.read_latest_message("Thought about it.")
    await expect(answer.get_by_test_id("thinking")).to_have_count(0)
    assert ann.errors == []


async def test_the_page_comes_back_when_the_server_does(table: Table) -> None:
    async with Sandbox() as alone:
        ann = await Tab.open(table.browser, alone.page_url, "Ann")
        await expect(ann.page.get_by_test_id("bot-offline")).to_contain_text("is offline.")
        await ann.go("games")
        await alone.stop()
        await expect(ann.page.get_by_test_id("disconnected")).to_have_text("Connection lost. Reconnecting…")
        await alone.start()
        await ann.ready()
        assert await ann.place() == "games"
        await expect(ann.page.get_by_test_id("disconnected")).to_have_count(0)
        await ann.close()


async def test_half_the_height_of_a_phone_is_enough(table: Table) -> None:
    ann = await table.tab("Ann", (390, 420))
    await ann.pick_command("paper challenge")
    await ann.fill("opponent", "B")
    for part in (ann.page.get_by_test_id("suggestion").first, ann.option("opponent"), ann.page.get_by_test_id("send")):
        await expect(part).to_be_in_viewport(ratio=1)
    await ann.accept("Bea")
    await ann.send()
    await ann.press("Accept")
    await ann.page.get_by_test_id("thread-link").last.click()
    await ann.press("Move", await ann.read_latest_message("Bea is to move"))
    await expect(ann.modal.get_by_test_id("modal-submit")).to_be_in_viewport(ratio=1)
    await ann.submit({"Column": "b", "Number": "2"})
    await ann.read_latest_message("Last move: b2")
    assert await ann.fits()


async def test_the_page_is_built_without_parsing_html_and_without_inline_code() -> None:
    page = Path(stand_in.__file__).parent / "static"
    scripts = {path.name: path.read_text(encoding="utf-8") for path in page.glob("*.js")}
    parsers = re.compile(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|DOMParser|\beval\(|new Function")
    assert {name for name, text in scripts.items() if parsers.search(text)} == set()
    assert len(scripts) > 20
    html = (page / "index.html").read_text(encoding="utf-8")
    assert re.findall(r"<script(?![^>]*\bsrc=)|<style|\bstyle=|\bon\w+=", html) == []


async def test_a_server_that_began_anew_asks_again_who_one_is(table: Table) -> None:
    async with Sandbox() as old:
        ann = await Tab.open(table.browser, old.page_url, "Ann")
        port = old.port
    async with Sandbox(port=port):
        await ann.page.get_by_test_id("who").first.wait_for()
        await ann.close()
