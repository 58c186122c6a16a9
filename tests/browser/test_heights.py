"""What people see of every game fits a phone: rules pages a screen and a half; boards, pads, results and cards one."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from bot.games.catalogue import load_games
from bot.games.game import Game
from tests.browser import heights, surfaces
from tests.browser.heights import Phone
from tests.browser.page import needed

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def phone() -> AsyncIterator[Phone]:
    async with heights.phone(needed()) as it:
        yield it


@pytest.mark.parametrize("game", load_games().values(), ids=lambda game: game.key)
async def test_all_that_is_shown_of_a_game_fits_a_phone(phone: Phone, game: Game) -> None:
    found = await phone.of_game(game, surfaces.blank)
    assert {"rules", "board", "pad", "channel"} <= {surface.kind for surface, _ in found}
    assert {surface.name: high for surface, high in found if phone.excess(surface, high)} == {}


async def test_the_cards_of_the_harness_fit_a_phone(phone: Phone) -> None:
    found = [(surface, await phone.height(surface)) for surface in surfaces.of_harness()]
    assert {surface.name: high for surface, high in found if phone.excess(surface, high)} == {}


async def test_what_is_too_high_is_found(phone: Phone) -> None:
    surface = next(one for one in surfaces.of_harness() if one.kind not in heights.SCREENS)
    assert phone.excess(surface, phone.screen) > 0 and not phone.excess(surface, phone.screen / 2)
