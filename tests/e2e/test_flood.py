"""The gate: whoever presses faster than people do is asked to wait; others are not kept waiting by it."""

from __future__ import annotations

import asyncio

from bot.client.gate import ACTS_IN_A_ROW, TYPED_IN_A_ROW
from tests.e2e.house import House

WAIT = "That was a lot at once: wait a few seconds, then try again."


async def test_pressing_fast(house: House) -> None:
    played = await house.match()
    gate = house.life.client.gate
    gate.acts.buckets.clear()
    gate.acts.clock = lambda: 0.0
    rules = [await house.ann.press(played.board, "Rules") for _ in range(int(ACTS_IN_A_ROW))]
    assert all(reply.text.startswith("### Binary Primes") for reply in rules)
    refused = [
        await house.ann.press(played.board, "Move"),
        await house.ann.command("binary-primes move", channel=played.place, square="b2"),
        await house.forge_form(house.ann, played.board, "f:1:0:move:1", {"square:0": "b2"}),
        await house.forge(house.ann, played.board, "nonsense"),
        await house.ann.command("matches"),
    ]
    assert [(reply.text, reply.ephemeral) for reply in refused] == [(WAIT, True)] * len(refused)
    assert await played.unchanged()
    # Others go on.
    assert (await house.bea.press(played.board, "Rules")).text.startswith("### Binary Primes")
    # And after a while, so does she.
    gate.acts.clock = lambda: 0.5
    assert (await house.ann.command("binary-primes move", channel=played.place, square="b2")).text == (
        "You played **b2**."
    )
    assert (await house.ann.command("matches")).text == WAIT


async def test_pressing_many_times_at_once(house: House) -> None:
    played = await house.match()
    house.life.client.gate.acts.buckets.clear()
    replies = await asyncio.gather(*(house.ann.press(played.board, "Rules") for _ in range(30)))
    refused = [reply for reply in replies if reply.text == WAIT]
    assert 5 <= len(refused) <= 30 - int(ACTS_IN_A_ROW)


async def test_typing_fast(house: House) -> None:
    """Autocompletion asks at every key; when it is too much, it offers nothing and says nothing."""
    played = await house.match()
    gate = house.life.client.gate
    gate.typing.clock = lambda: 0.0
    for _ in range(int(TYPED_IN_A_ROW)):
        assert await house.ann.complete("binary-primes move", "square", channel=played.place, square="b2")
    assert await house.ann.complete("binary-primes move", "square", channel=played.place, square="b2") == []
    assert await house.ann.complete("play", "game", game="binary") == []
    assert await house.bea.complete("play", "game", game="binary") != []
    # Typing does not use up what pressing needs.
    assert (await house.ann.press(played.board, "Move")).kind == "modal"


async def test_autocompletion_with_what_no_client_sends(house: House) -> None:
    played = await house.match()
    for typed in ("9" * 5000, "@everyone", "\u0663", "z9", "  "):
        offered = await house.ann.complete("binary-primes move", "square", channel=played.place, square=typed)
        assert offered == [] or typed.isspace()
    assert await house.ann.complete("binary-primes move", "square", channel="games", square="b", match=999) == []
    assert await house.ann.complete("match board", "match", match="9" * 30) == []
    assert await played.unchanged()
