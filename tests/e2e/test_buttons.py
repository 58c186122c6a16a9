"""discord.py's memory of views and forms: boards outlive it, forms of two people stay apart, and it does not grow.

In discord.py, a view that times out can take the one dynamic button away from every message; so no view of this bot
may hold anything else that can be pressed. The time is made to pass by running the time-outs that discord.py has set.
"""

from __future__ import annotations

from typing import Any

import discord
from discord import ui

from bot.client.views import Control
from bot.sandbox import reading
from tests.e2e.house import House, labels


def store_of(house: House) -> Any:
    """What discord.py keeps of views and forms; it has no public door."""
    connection: Any = house.life.client._connection  # pyright: ignore[reportPrivateUsage]  -- discord.py shows it nowhere
    return connection._view_store


def kept(house: House) -> list[ui.View | ui.LayoutView | ui.Modal]:
    """Every view whose time runs, oldest first."""
    tasks = [task for task in house.life.tasks if "__timeout_task_impl" in repr(task.get_coro())]
    frames: list[Any] = [getattr(task.get_coro(), "cr_frame", None) for task in tasks]
    return [frame.f_locals["self"] for frame in frames if frame]


async def time_passes(house: House) -> int:
    """Let every view and form that waits time out; how many did."""
    views = kept(house)
    for view in views:
        view._dispatch_timeout()  # pyright: ignore[reportPrivateUsage]  -- as its own task does when the time is over
    return len(views)


async def test_old_buttons_work_after_every_time_out(house: House) -> None:
    played = await house.match()
    own = await house.ann.command("match board", channel=played.place)
    assert (await house.ann.command("binary-primes rules")).ephemeral
    assert (await house.bea.press(played.board, "Rules")).ephemeral
    assert (await house.ann.press(played.board, "Move")).kind == "modal"
    stale = await house.forge(house.ann, played.board, "m:1:7:move")
    assert labels(stale.message) == ["Move", "Rules"]
    assert await time_passes(house) >= 4
    assert [*store_of(house)._dynamic_items.values()] == [Control]
    assert (await house.ann.press(own, "Move")).kind == "modal"
    opened = await house.ann.press(played.board, "Move")
    await house.ann.submit(opened, {"Column": "b", "Row": "2"})
    await house.settled()
    played = await played.fresh()
    await time_passes(house)
    assert (await house.bea.press(played.board, "Move")).kind == "modal"
    lobby = await house.challenge(opponent=house.cem)
    await time_passes(house)
    assert (await house.cem.press(lobby.lobby, "Accept")).kind == "update"


async def test_a_form_submitted_after_its_time(house: House) -> None:
    played = await house.match()
    opened = await house.ann.press(played.board, "Move")
    await time_passes(house)
    assert store_of(house)._modals == {}
    await house.ann.submit(opened, {"Column": "b", "Row": "2"})
    await house.settled()
    assert (await played.fresh()).record == [(1, "b2")]


async def test_forms_of_two_people_at_once(house: House) -> None:
    """Two matches of two people each, and one person with two forms of one board."""
    first, second = await house.match(), await house.match(house.cem, house.dora)
    ann, again = await house.ann.press(first.board, "Move"), await house.ann.press(first.board, "Move")
    cem = await house.cem.press(second.board, "Move")
    assert len({opened.modal["custom_id"] for opened in (ann, again, cem) if opened.modal}) == 3
    assert (await house.cem.submit(cem, {"Column": "c", "Row": "3"})).kind == "update"
    assert (await house.ann.submit(again, {"Column": "a", "Row": "1"})).kind == "update"
    late = await house.ann.submit(ann, {"Column": "b", "Row": "1"})
    assert "That board has moved on, and nothing was played" in late.text
    await house.settled()
    assert (await first.fresh()).record == [(1, "a1")]
    assert (await second.fresh()).record == [(1, "c3")]


async def test_nothing_grows_with_the_number_of_moves(house: House) -> None:
    """After twelve moves discord.py remembers no view of a board, and no form that was submitted."""
    store = store_of(house)
    for _ in range(3):
        played = await house.match()
        for square in ("b2", "a1", "c1", "b1"):
            person = played.mover
            opened = await person.press(played.board, "Move")
            await house.life.idle()
            assert len(store._modals) == 1
            await person.submit(opened, {"Column": square[0], "Row": square[1]})
            await house.settled()
            played = await played.fresh()
        assert played.row.state == "finished"
        # The gate counts presses; a person needs longer for a match than a test.
        house.life.client.gate.acts.buckets.clear()
    assert (store._views, store._synced_message_views, store._modals) == ({}, {}, {})
    assert [*store._dynamic_items.values()] == [Control]
    assert kept(house) == []
    assert len(house.life.client.publisher.boards.closed) <= 1
    assert [message for message in house.life.client.cached_messages if message.components] == []


async def test_every_part_that_can_be_pressed_is_the_one_button(house: House) -> None:
    """Of all messages that the bot has sent, in public or to one alone, as Discord has them."""
    played = await house.match()
    await house.challenge()
    await house.ann.command("match board", channel=played.place)
    await house.ann.command("games")
    await played.move("b2")
    pattern = Control.__discord_ui_compiled_template__
    sent = [message for channel in house.sandbox.world.messages.values() for message in channel.values()]
    ids = [button.custom_id for message in sent for button in reading.buttons(message)]
    assert len(ids) == 9 and "p:begin:" in ids
    assert all(custom_id and pattern.fullmatch(custom_id) for custom_id in ids)
    assert discord.version_info[:2] == (2, 7), "look at discord.py's memory again"
