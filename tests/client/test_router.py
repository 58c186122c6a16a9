"""Every button, page and step of the router has an answer, and the checks before them are one list with reasons."""

from __future__ import annotations

import re
from inspect import signature
from typing import Any
from unittest.mock import Mock

import pytest
from bot.client.app.router import BUTTON_PRICES, PAGE_PRICES, REPLAY_PRICES, Router

from bot.client.app.before_callback import BeforeCallback, Check
from bot.core.library.catalogue import games
from bot.core.match.loaded_match import Refusal

ROOMS: dict[str, Any] = {name: Mock() for name in signature(Router).parameters}
ROUTER = Router(**ROOMS)
LISTS = {"leaderboard", "profile", "records"}


def leads_somewhere(verb: str) -> bool:
    return any(re.fullmatch(verbs, verb) for verbs, _ in ROUTER.buttons)


@pytest.mark.parametrize("game", games().values(), ids=lambda game: game.key)
def test_no_kind_of_move_has_the_name_of_another_button(game: Any) -> None:
    assert not any(leads_somewhere(kind.name) for kind in game.moves)


def test_what_has_a_price_leads_somewhere() -> None:
    assert all(map(leads_somewhere, BUTTON_PRICES))
    assert PAGE_PRICES.keys() == ROUTER.pages.keys() | LISTS
    assert REPLAY_PRICES.keys() == ROUTER.under_replays.keys()


def test_a_verb_leads_to_one_room() -> None:
    verbs = [verb for pattern, _ in ROUTER.buttons for verb in pattern.split("|") if verb.isalpha()]
    assert len(verbs) == len(set(verbs)) and {"accept", "join", "rules", "board"} <= set(verbs)


async def test_the_first_check_that_refuses_ends_the_list() -> None:
    ran: list[str] = []

    def check(name: str, refuses: bool = False) -> Check:
        async def run(_: Any) -> None:
            ran.append(name)
            if refuses:
                raise Refusal(name)

        return Check(run, "a test")

    before = BeforeCallback(Mock(), Mock(), Mock())
    assert all(one.reason for one in before.checks)
    before.checks = (check("first"), check("second", refuses=True), check("third"))
    with pytest.raises(Refusal, match="second"):
        await before(Mock(id=1))
    assert ran == ["first", "second"]
