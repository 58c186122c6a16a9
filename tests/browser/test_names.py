"""The chat page names only people whom it has met, and shows the pushes of its person's phone."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Locator, expect

from bot.sandbox import posts
from bot.sandbox.components import SILENT, V2
from bot.sandbox.errors import Json
from bot.sandbox.stand_in import Sandbox
from tests.browser.page import DESKTOP, PHONE, Tab, browser, needed

pytestmark = pytest.mark.asyncio(loop_scope="module")

PEOPLE = 30
UNKNOWN = "@unknown-user"


@dataclass
class Place:
    """A sandbox with a browser before it, and nobody's bot: what a bot would post is put there."""

    sandbox: Sandbox
    browser: Browser

    async def tab(self, person: str, size: tuple[int, int] = DESKTOP) -> Tab:
        """Somebody's tab, in #games."""
        tab = await Tab.open(self.browser, self.sandbox.page_url, person, size)
        await tab.go("games")
        return tab

    def post(self, text: str, *told: str, v2: bool = False, silent: bool = False) -> Json:
        """A message of the bot in #games, which tells some people by name."""
        world, flags = self.sandbox.world, SILENT * silent | V2 * v2
        shown: Json = {"components": [{"type": 10, "content": text}]} if v2 else {"content": text}
        return posts.create_message(
            world, self.place, world.me, posts.MessageDraft(shown | {"flags": flags} | self.telling(*told))
        )

    def edit(self, message: Json, text: str, *told: str) -> None:
        """The same with another text, which tells others."""
        posts.edit_message(self.sandbox.world, message, posts.MessageDraft({"content": text} | self.telling(*told)))

    def telling(self, *told: str) -> Json:
        return {"allowed_mentions": {"parse": [], "users": [self.sandbox.person(one).id for one in told]}}

    @property
    def place(self) -> str:
        return self.sandbox.channel("games")["id"]

    def mention(self, name: str) -> str:
        return self.sandbox.person(name).mention


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def running() -> AsyncIterator[Browser]:
    async with browser(needed()) as opened:
        yield opened


@pytest_asyncio.fixture(loop_scope="module")
async def place(running: Browser) -> AsyncIterator[Place]:
    async with Sandbox() as sandbox:
        yield Place(sandbox, running)


def mentions(tab: Tab) -> Locator:
    """All people who are mentioned in the messages."""
    return tab.page.locator("#timeline .mention[data-user-id]")


def pushes(tab: Tab) -> Locator:
    """The pushes of the tab's person, the latest first."""
    return tab.page.get_by_test_id("push")


async def opened_pushes(tab: Tab) -> None:
    """Open the drawer where the pushes are, if there is one."""
    drawer = tab.page.locator("#open-people")
    if await drawer.is_visible():
        await drawer.click()
    await expect(tab.page.get_by_test_id("pushes")).to_be_visible()


async def test_a_leaderboard_of_people_whom_one_has_never_met(place: Place, tmp_path: Path) -> None:
    world = place.sandbox.world
    people = [world.find_or_make_user(f"Person {number}") for number in range(1, PEOPLE + 1)]
    lines = [f"{number}. <@{one['id']}> **{1500 - number}**" for number, one in enumerate(people, 1)]
    place.post("\n".join(["### Leaderboard", *lines]), v2=True)
    cem = await place.tab("Cem", PHONE)
    await cem.read_latest_message("Leaderboard")
    assert await mentions(cem).all_inner_texts() == [UNKNOWN] * PEOPLE
    assert await cem.fits()
    await cem.screenshot(tmp_path / "unknown.png")
    await cem.close()


async def test_who_is_met_later_is_named_where_they_were_mentioned_before(place: Place) -> None:
    dora = await place.tab("Dora")
    message = place.post(f"{place.mention('Ann')} and {place.mention('Bea')} and {place.mention('Dora')}", "Bea")
    await expect(mentions(dora)).to_have_text([UNKNOWN, "@Bea", "@Dora"])
    place.sandbox.person("Ann").say("Here I am.", "games")
    await expect(mentions(dora)).to_have_text(["@Ann", "@Bea", "@Dora"])
    place.edit(message, f"{place.mention('Cem')} and {place.mention('Bea')}")
    await expect(mentions(dora)).to_have_text([UNKNOWN, "@Bea"])
    fresh = await place.tab("Dora")
    await expect(mentions(fresh)).to_have_text([UNKNOWN, UNKNOWN])
    for tab in (dora, fresh):
        assert tab.errors == []
        await tab.close()


async def test_an_open_list_stays_open_while_somebody_is_met(place: Place) -> None:
    world = place.sandbox.world
    select: Json = {"type": 5, "custom_id": "whom", "placeholder": "Whom?"}
    shown: Any = {
        "content": f"Whom does {place.mention('Dora')} play?",
        "components": [{"type": 1, "components": [select]}],
    }
    posts.create_message(world, place.place, world.me, posts.MessageDraft(shown))
    place.post(f"{place.mention('Bea')} has won.")
    cem = await place.tab("Cem")
    found = (await cem.read_latest_message("Whom does @Dora")).get_by_test_id("select")
    await found.get_by_role("button").click()
    await expect(found.get_by_role("option")).to_have_count(5)
    assert "Bea\n@bea" in (await found.get_by_role("option").all_inner_texts())[1], "pickers list everybody"
    place.sandbox.person("Bea").say("I have.", "games")
    await expect(mentions(cem).last).to_have_text("@Bea")
    await expect(found.get_by_role("option").first).to_be_visible()
    await cem.close()


@pytest.mark.parametrize("size", [DESKTOP, PHONE])
async def test_pushes_are_shown_beside_the_chat_as_a_phone_shows_them(place: Place, size: tuple[int, int]) -> None:
    ann, bea = place.mention("Ann"), place.mention("Bea")
    place.post(f"{bea}, it's your move: {ann} played **b2**.", "Bea")
    tab = await place.tab("Bea", size)
    place.post(f"{bea} is to move.", "Bea", v2=True)
    place.post("The week.", silent=True)
    message = place.post("The table of the league.")
    await opened_pushes(tab)
    await expect(pushes(tab)).to_have_count(3)
    assert [one.split("\n") for one in await pushes(tab).all_inner_texts()] == [
        ["#games, The Sandbox", "The table of the league."],
        ["#games, The Sandbox", "graph-paper mentioned you"],
        ["#games, The Sandbox", f"@Bea, it's your move: {UNKNOWN} played **b2**."],
    ]
    await expect(pushes(tab).nth(1)).to_have_attribute("data-empty", "true")
    await expect(tab.page.get_by_test_id("pushes")).to_have_attribute("data-count", "3")
    place.edit(message, "Another table.")
    place.post("x" * 300, "Bea")
    await expect(pushes(tab)).to_have_count(4)
    assert await tab.fits() and tab.errors == []
    await tab.close()


async def test_the_last_twenty_pushes_are_shown_and_can_be_folded_away(place: Place) -> None:
    for number in range(25):
        place.post(f"Number {number}.")
    tab = await place.tab("Cem")
    await expect(pushes(tab)).to_have_count(20)
    await expect(pushes(tab).first).to_contain_text("Number 24.")
    await expect(tab.page.get_by_test_id("pushes")).to_have_attribute("data-count", "25")
    await tab.page.get_by_test_id("pushes").locator("summary").click()
    await expect(pushes(tab).first).to_be_hidden()
    place.post("Number 25.")
    await expect(tab.page.get_by_test_id("pushes").locator("summary")).to_have_text("Pushes (26)")
    await expect(pushes(tab).first).to_be_hidden()
    await tab.close()


async def test_a_silent_message_counts_for_no_badge(place: Place) -> None:
    bea = await place.tab("Bea")
    await bea.go("general")
    place.post(f"{place.mention('Bea')}, in silence.", "Bea", silent=True)
    await expect(bea.page.locator("[data-testid=channel][data-unread='1']")).to_have_count(1)
    assert await bea.badge("games") == 0
    place.post(f"{place.mention('Bea')}, aloud.", "Bea")
    await expect(bea.page.locator("[data-testid=channel][data-mentions='1']")).to_have_count(1)
    assert await bea.badge("games") == 1
    await bea.close()
