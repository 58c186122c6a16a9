"""Every id has one answer and one price, and the checks before an answer are one list with reasons."""

from __future__ import annotations

from typing import Annotated, Any, Literal
from unittest.mock import Mock

import pytest

from bot.app.flow import Check, InteractionChecks
from bot.platform.checks import Price
from bot.platform.custom_ids import CustomId
from bot.platform.routes import Routes, on, restores
from bot.play.loaded_match import Refusal


class Choice(CustomId, template="p:{verb}:{number}"):
    verb: Literal["take", "leave"]
    number: Annotated[int, "[0-9]{1,3}"]


class Taken(CustomId, template="p:take:{number}"):
    number: Annotated[int, "[0-9]{1,3}"]


class Taker:
    def __init__(self) -> None:
        self.seen: list[object] = []

    @on(Choice, words="take", price=Price(3))
    async def taken(self, _interaction: Any, button: Choice) -> None:
        self.seen.append(button)


class Leaver(Taker):
    @on(Choice, words="leave", price=lambda button: Price(button.number))
    async def left(self, _interaction: Any, button: Choice) -> None:
        self.seen.append(("left", button.number))

    @restores(Choice, words="leave")
    async def kept(self, _interaction: Any, _button: Choice) -> Any:
        return "kept"


class Overlapping(Leaver):
    @on(Taken)
    async def taken_too(self, _interaction: Any, _button: Taken) -> None:
        raise AssertionError


def table(*handlers: object) -> Routes:
    return Routes(handlers, Mock(), Mock())


async def test_an_id_is_answered_by_the_method_that_declares_it() -> None:
    handler = Leaver()
    routes = table(handler, Mock())
    for text in ("p:take:5", "p:leave:7"):
        await routes.answer(Mock(), routes.parse(text))
    assert handler.seen == [Choice("take", 5), ("left", 7)]
    assert [routes.price(routes.parse(text)) for text in ("p:take:5", "p:leave:7", "x")] == [
        Price(3),
        Price(7),
        Price(),
    ]
    assert {key: await show(Mock(), None) for key, show in routes.stored.items()} == {(Choice, "leave"): "kept"}


async def test_what_no_version_has_made_leads_nowhere() -> None:
    with pytest.raises(Refusal, match="out of date"):
        await table(Leaver()).answer(Mock(), None)


def test_a_table_with_a_gap_a_double_answer_or_an_overlap_is_refused() -> None:
    for handlers, fault in (
        ((Taker(),), "nothing answers"),
        ((Leaver(), Taker()), "twice"),
        ((Overlapping(),), "overlap"),
    ):
        with pytest.raises(ValueError, match=fault):
            table(*handlers)


async def test_the_first_check_that_refuses_ends_the_list() -> None:
    ran: list[str] = []

    def check(name: str, refuses: bool = False) -> Check:
        async def run(_: Any) -> None:
            ran.append(name)
            if refuses:
                raise Refusal(name)

        return Check(run, "a test")

    before = InteractionChecks(Mock(), Mock(), Mock())
    assert all(one.reason for one in before.checks)
    before.checks = (check("first"), check("second", refuses=True), check("third"))
    with pytest.raises(Refusal, match="second"):
        await before(Mock(id=1))
    assert ran == ["first", "second"]
