"""The gate: a person who presses faster than people do is asked to wait, and others are not kept waiting by it.

A picture that many want is drawn once, and an interaction that is too late for an answer is not looked at.
"""

from __future__ import annotations

import asyncio
import re
from typing import Any

import pytest
from discord import InteractionResponse

from bot.features.board import match_pictures
from bot.features.board.replies import LOOK
from bot.games.catalogue import load_offered_games
from bot.platform.checks import (
    ACTS_IN_A_ROW,
    LOOKS_AT_ONCE,
    MOVE_TYPING,
    REFUSED_AT_ONCE,
    TOLD_IN_A_ROW,
    TYPED_IN_A_ROW,
)
from bot.sandbox.interactions import NoAnswerInTime
from tests.e2e.harness import Harness, form_of

RULES = LOOK.moves
DROPPED = re.compile(r"([0-9]+) requests came too late for an answer and were dropped, the last one [0-9.]+ s late\.")
WAIT = "That was a lot at once. Wait a few seconds, then try again."


async def test_pressing_fast(harness: Harness) -> None:
    played = await harness.match()
    gate = harness.life.client.gate
    gate.acts.buckets.clear()
    gate.acts.clock = lambda: 0.0
    rules = [await harness.ann.press(played.board, "Rules") for _ in range(int(ACTS_IN_A_ROW / RULES))]
    assert all(reply.text.startswith("### Binary Primes") for reply in rules)
    refused = [
        await harness.ann.press(played.board, "Move"),
        await harness.ann.command("binary-primes move", channel=played.place, square="b2"),
        await harness.forge_form(harness.ann, played.board, "f:1:0:move:1", {"square:0": "b2"}),
        await harness.forge(harness.ann, played.board, "nonsense"),
        await harness.ann.command("matches"),
    ]
    assert [(reply.text, reply.is_ephemeral) for reply in refused] == [(WAIT, True)] * len(refused)
    assert await played.unchanged()
    # Others go on.
    assert (await harness.bea.press(played.board, "Rules")).text.startswith("### Binary Primes")
    # And after a while, so does she.
    gate.acts.clock = lambda: 0.5
    assert (await harness.ann.command("binary-primes move", channel=played.place, square="b2")).text == (
        "You played **b2**."
    )
    gate.told.buckets.clear()
    assert (await harness.ann.command("matches")).text == WAIT


async def test_pressing_many_times_at_once(harness: Harness) -> None:
    """So many presses are answered, so many refused with a sentence, and further ones get no answer."""
    played = await harness.match()
    gate = harness.life.client.gate
    for rate in (gate.acts, gate.told):
        rate.buckets.clear()
        rate.clock = lambda: 0.0
    expected = ACTS_IN_A_ROW / RULES + TOLD_IN_A_ROW
    presses = [asyncio.create_task(harness.ann.press(played.board, "Rules")) for _ in range(20)]
    await harness.until(lambda: sum(press.done() for press in presses) >= expected)
    await harness.life.idle()
    texts = [press.result().text for press in presses if press.done()]
    assert (len(texts), texts.count(WAIT)) == (expected, TOLD_IN_A_ROW)
    for press in presses:
        press.cancel()


@pytest.mark.long
async def test_players_do_not_wait_behind_many_refusals(harness: Harness, monkeypatch: pytest.MonkeyPatch) -> None:
    """Somebody presses as fast as they can, and what they are told does not arrive."""
    played = await harness.match()
    gate, going, telling = harness.life.client.gate, asyncio.Event(), list[bool]()
    for rate in (gate.acts, gate.told):
        rate.buckets.clear()
        rate.clock = lambda: 0.0
    send = InteractionResponse.send_message

    async def stuck(response: Any, content: Any = None, **options: Any) -> Any:
        if content == WAIT:
            telling.append(True)
            await going.wait()
        return await send(response, content, **options)

    monkeypatch.setattr(InteractionResponse, "send_message", stuck)
    presses = [asyncio.create_task(harness.bea.press(played.board, "Rules")) for _ in range(20)]
    await harness.until(lambda: len(telling) >= REFUSED_AT_ONCE)
    moved = await harness.ann.command("binary-primes move", channel=played.place, square="b2")
    assert (moved.text, len(telling)) == ("You played **b2**.", REFUSED_AT_ONCE)
    going.set()
    await harness.until(lambda: sum(press.done() for press in presses) == ACTS_IN_A_ROW / RULES + TOLD_IN_A_ROW)
    assert len(telling) == TOLD_IN_A_ROW and not gate.refusals.locked()
    for press in presses:
        press.cancel()


@pytest.mark.long
async def test_typing_fast(harness: Harness) -> None:
    """Autocompletion asks at every key; when it is too much, it offers nothing and says nothing."""
    played = await harness.match()
    gate = harness.life.client.gate
    gate.typing.clock = lambda: 0.0
    for _ in range(int(TYPED_IN_A_ROW / MOVE_TYPING.moves)):
        assert await harness.ann.complete("binary-primes move", "square", channel=played.place, square="b2")
    assert await harness.ann.complete("binary-primes move", "square", channel=played.place, square="b2") == []
    assert await harness.ann.complete("play", "game", game="binary") == []
    assert await harness.bea.complete("play", "game", game="binary") != []
    # Typing does not use up what pressing needs.
    assert (await form_of(harness.ann, played.board)).kind == "modal"


async def test_autocompletion_with_what_no_client_sends(harness: Harness) -> None:
    played = await harness.match()
    for typed in ("9" * 5000, "@everyone", "\u0663", "z9", "  "):
        offered = await harness.ann.complete("binary-primes move", "square", channel=played.place, square=typed)
        assert offered == [] or typed.isspace()
    assert await harness.ann.complete("binary-primes move", "square", channel="games", square="b", match=999) == []
    assert await harness.ann.complete("match board", "match", match="9" * 30) == []
    assert await played.unchanged()


async def test_players_do_not_wait_in_line_with_those_who_look(
    harness: Harness, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So many boards are looked at as may be at once, and none of them comes to an end."""
    played = await harness.match()
    gate, going = harness.life.client.gate, asyncio.Event()
    gate.acts.buckets.clear()
    show, looking = harness.life.client.handlers.replies.show_own_board, list[bool]()

    async def stuck(*given: Any, **options: Any) -> None:
        looking.append(True)
        await going.wait()
        await show(*given, **options)

    monkeypatch.setattr(harness.life.client.handlers.replies, "show_own_board", stuck)
    forged = [harness.forge(harness.ann, played.board, "m:1:0:board") for _ in range(LOOKS_AT_ONCE + 2)]
    looks = [asyncio.create_task(each) for each in forged]
    await harness.until(lambda: len(looking) == LOOKS_AT_ONCE)
    moved = await harness.ann.command("binary-primes move", channel=played.place, square="b2")
    assert moved.text == "You played **b2**."
    assert len(looking) == LOOKS_AT_ONCE
    going.set()
    assert {(await look).text.split("\n")[0] for look in looks} <= {
        f"### Binary Primes\xa0· {left}" for left in ("4 moves left", "3 moves left")
    }
    assert not gate.looks.locked(), "everybody has left the line"


async def test_the_gallery_is_drawn_once_for_all(harness: Harness, monkeypatch: pytest.MonkeyPatch) -> None:
    """Soon after the start eight cards are asked for at once, two of each person's, and later one more."""
    drawn, painted = match_pictures.draw_position, list[tuple[str, Any]]()

    def noted(game: Any, seen: Any) -> Any:
        painted.append((game.key, seen))
        return drawn(game, seen)

    monkeypatch.setattr(match_pictures, "draw_position", noted)
    people, keys = (
        [harness.ann, harness.bea, harness.cem, harness.dora],
        ["binary-primes", "plexus", "dream-math", "plexus"],
    )
    asked = list(zip(people * 2, keys + keys[::-1], strict=True))
    replies = await asyncio.gather(*(person.command("play", game=key) for person, key in asked))
    await harness.settled()
    harness.life.client.gate.acts.buckets.clear()
    replies += [await harness.ann.command("play", game="sums-grid")]
    await harness.settled()
    assert {key for key, _ in painted} == load_offered_games().keys()
    assert len(painted) == len(set(painted)), "a picture was drawn for each of them"
    for reply, key in zip(replies, [key for _, key in asked] + ["sums-grid"], strict=True):
        assert load_offered_games()[key].goal in reply.text and len(reply.message["attachments"]) == 1


async def test_rules_are_drawn_once_for_all(harness: Harness, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn, painted = match_pictures.draw_position, list[str]()

    def noted(game: Any, seen: Any) -> Any:
        painted.append(game.key)
        return drawn(game, seen)

    monkeypatch.setattr(match_pictures, "draw_position", noted)
    people = [harness.ann, harness.bea, harness.cem, harness.dora]
    replies = await asyncio.gather(*(person.command("binary-primes rules") for person in people * 2))
    assert all(reply.text.startswith("### Binary Primes") and reply.message["attachments"] for reply in replies)
    assert painted == ["binary-primes"]


async def test_what_comes_too_late_for_an_answer_costs_nothing(
    harness: Harness, monkeypatch: pytest.MonkeyPatch
) -> None:
    """People have been told by then that the bot did not respond: nothing is read, drawn or played for them."""
    played = await harness.match()
    client, desk = harness.life.client, harness.sandbox.interactions
    opened = await form_of(harness.ann, played.board)
    loop, send = asyncio.get_running_loop(), desk.send

    def slow(payload: dict[str, Any]) -> None:
        loop.call_later(4, send, payload)

    desk.send = slow
    asked: list[object] = []

    ask = client.umpire.store.ask

    async def noted(question: Any, *about: Any) -> Any:
        asked.append(question)
        return await ask(question, *about)

    await harness.settled()
    monkeypatch.setattr(client.umpire.store, "ask", noted)
    late = await asyncio.gather(
        harness.ann.command("binary-primes move", channel=played.place, square="b2"),
        harness.ann.submit(opened, {"Square": "b2"}),
        harness.bea.press(played.board, "Rules"),
        harness.cem.command("match board", match=1),
        harness.cem.command("games"),
        harness.dora.complete("move", "line", played.place, line=""),
        return_exceptions=True,
    )
    assert [type(one) for one in late] == [NoAnswerInTime] * 6
    await asyncio.sleep(2)
    await harness.life.idle()
    monkeypatch.undo()
    assert asked == [] and await played.unchanged()
    harness.forgiven.append(DROPPED.pattern)
    # A person who comes in time is answered as ever.
    desk.send = send
    await played.move("b2")
    await harness.life.rest()
    await harness.life.end()
    told = [DROPPED.fullmatch(line.getMessage()) for line in harness.listener.complaints]
    assert [int(line[1]) for line in told if line] == [1, 5]


async def test_a_clock_that_is_off_drops_nothing(harness: Harness, monkeypatch: pytest.MonkeyPatch) -> None:
    """Discord's numbers tell the time of a clock that is years from the host's."""
    played, world = await harness.match(), harness.sandbox.world
    clock = world.clock
    for off in (3e8, -3e8):
        monkeypatch.setattr(world, "clock", lambda off=off: clock() + off)
        for _ in range(3):
            assert "Only you see this board." in (await harness.bea.command("match board", match=1)).text
    monkeypatch.undo()
    assert await played.unchanged()


async def test_looking_at_a_board_writes_nothing(harness: Harness, monkeypatch: pytest.MonkeyPatch) -> None:
    """Writes queue up, and those who play need the queue."""
    played, store = await harness.match(), harness.life.client.umpire.store
    await harness.settled()
    do, written = store.do, list[Any]()

    async def noted(change: Any, *about: Any, **more: Any) -> Any:
        written.append(change)
        return await do(change, *about, **more)

    monkeypatch.setattr(store, "do", noted)
    for person in (harness.ann, harness.cem):
        assert "Only you see this board." in (await person.command("match board", match=1)).text
    await harness.settled()
    assert written == [] and await played.unchanged()
