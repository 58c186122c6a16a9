"""discord.py's memory of views and forms: nothing is put into it, and buttons and forms work all the same.

In discord.py, a view that times out can take the one dynamic button away from every message, and one that only its
asker sees is kept for a quarter of an hour. So none is kept; what is pressed is answered from its custom_id.
"""

from __future__ import annotations

from typing import Any

import discord
import pytest

from bot.platform.ui import Control
from bot.sandbox import people
from tests.e2e.harness import Harness, form_of, labels


def known(harness: Harness) -> list[Any]:
    """What discord.py would answer presses by itself for."""
    connection: Any = harness.life.client._connection  # pyright: ignore[reportPrivateUsage]  -- discord.py shows it nowhere
    return [*connection._view_store._dynamic_items.values()]


async def test_whatever_is_sent_is_not_kept(harness: Harness) -> None:
    """Messages for all and for one alone, with pictures and with questions, and forms: neither they nor a task."""
    played = await harness.match()
    for text in (
        "match board",
        "match resign",
        "match abort",
        "binary-primes rules",
        "games",
        "leaderboard",
        "profile",
    ):
        await harness.ann.command(text, channel=played.place)
        assert harness.life.held() == []
    harness.life.client.gate.acts.buckets.clear()
    page = await harness.ann.command("leaderboard")
    for message, label in ((played.board, "Rules"), (page, "Show everybody"), (played.board, "Move")):
        await harness.ann.press(message, label)
        assert harness.life.held() == []
    opened = await form_of(harness.ann, played.board)
    assert (await harness.ann.submit(opened, {"Square": "b2"})).kind == "acknowledged"
    await harness.settled()
    assert known(harness) == []


async def test_buttons_go_on_working_though_nothing_is_kept(harness: Harness) -> None:
    played = await harness.match()
    own = await harness.ann.command("match board", channel=played.place)
    stale = await harness.forge(harness.ann, played.board, "m:1:7:move")
    assert labels(stale.message) == ["Move", "Rules", "More …"]
    for message in (own, stale, played.board):
        assert (await form_of(harness.ann, message)).kind == "modal"
    lobby = await harness.challenge(opponent=harness.cem)
    assert (await harness.cem.press(lobby.lobby, "Accept")).kind == "update"


async def test_forms_of_two_people_at_once(harness: Harness) -> None:
    """Two matches of two people each, and one person with two forms of one board."""
    first, second = await harness.match(), await harness.match(harness.cem, harness.dora)
    ann, again = await form_of(harness.ann, first.board), await form_of(harness.ann, first.board)
    cem = await form_of(harness.cem, second.board)
    assert len({opened.modal["custom_id"] for opened in (ann, again, cem) if opened.modal}) == 3
    assert (await harness.cem.submit(cem, {"Square": "c3"})).kind == "acknowledged"
    assert (await harness.ann.submit(again, {"Square": "a1"})).kind == "acknowledged"
    late = await harness.ann.submit(ann, {"Square": "b1"})
    assert "The match moved on while you were choosing." in late.text
    await harness.settled()
    assert (await first.fresh()).record == [(1, "a1")]
    assert (await second.fresh()).record == [(1, "c3")]


@pytest.mark.long
async def test_nothing_grows_with_the_number_of_moves(harness: Harness) -> None:
    """After twelve moves discord.py remembers no view of a board, and no form."""
    for _ in range(3):
        played = await harness.match()
        for square in ("b2", "a1", "c1", "b1"):
            person = played.mover
            opened = await form_of(person, played.board)
            await person.submit(opened, {"Square": square})
            await harness.settled()
            played = await played.fresh()
        assert played.row.state == "finished"
        # The gate counts presses; a person needs longer for a match than a test.
        harness.life.client.gate.acts.buckets.clear()
    assert known(harness) == []
    assert harness.life.held() == []
    assert len(harness.life.client.publisher.boards.closed) <= 1
    assert [message for message in harness.life.client.cached_messages if message.components] == []


async def test_every_part_that_can_be_pressed_is_the_one_button(harness: Harness) -> None:
    """Of all messages that the bot has sent, in public or to one alone, as Discord has them."""
    played = await harness.match()
    await harness.challenge()
    await harness.ann.command("match board", channel=played.place)
    await harness.ann.command("games")
    await played.move("b2")
    pattern = Control.__discord_ui_compiled_template__
    sent = [message for channel in harness.sandbox.world.messages.values() for message in channel.values()]
    ids = [button.custom_id for message in sent for button in people.list_buttons(message)]
    assert len(ids) == 14 and {"p:quick:", "p:pick:", "p:all:", "m:2:0:computer"} <= set(ids)
    assert all(custom_id and pattern.fullmatch(custom_id) for custom_id in ids)
    assert discord.version_info[:2] == (2, 7), "look at discord.py's memory again"


async def test_whoever_looks_on_has_on_their_own_board_what_they_can_press(harness: Harness) -> None:
    played = await (await harness.match()).move("b2")
    assert labels(played.board) == ["Move", "Rules", "More …"]
    await harness.bea.command("match draw", channel=played.place)
    await harness.settled()
    assert labels((await harness.ann.command("match board", channel=played.place)).message)[-2:] == [
        "Agree: draw",
        "Refuse",
    ]
    watched = await harness.cem.command("match board", channel=played.place)
    assert watched.is_ephemeral and labels(watched.message) == ["Rules", "More …"]
    tried = await harness.cem.press(watched.message, "More …")
    assert labels(tried.message) == ["Try out"]
    await harness.run_due_acts(8 * 86_400)
    await harness.life.client.keep_time()
    await harness.settled()
    late = await harness.cem.command("match board", channel=played.place)
    assert "ran out of time" in late.text and labels(late.message) == ["Rules", "More …"]
    await harness.surely(harness.bea, "match resign", channel=played.place)
    await harness.settled()
    over = await harness.cem.command("match board", channel=played.place)
    assert labels(over.message) == ["Replay", "More …"]
    more = await harness.cem.press(over.message, "More …")
    assert labels(more.message) == ["Details", "Share", "Review"]


async def test_whoever_is_asked_to_take_a_seat_over_can_answer_on_their_own_board(harness: Harness) -> None:
    played = await (await harness.match()).move("b2")
    await harness.bea.command("match replace", channel=played.place, seat=2, player=harness.cem)
    await harness.settled()
    asked = await harness.cem.command("match board", channel=played.place)
    assert labels(asked.message) == ["Rules", "More …", "Agree: hand over", "Refuse"]
