"""The review of a match that is over: found once, kept, alike for everybody, shown to all where somebody does so."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from bot.engine.levels import SearchQuestion, Thought
from bot.engine.search import answer_question
from bot.play.reviews import review_match, version_of
from bot.play.rows import Review, parse_reviews
from bot.sandbox import people
from bot.sandbox.people import BotReply
from data.store import Reader
from tests.e2e.harness import Harness, Played, alt, called, labels, said

EVERYBODY = "Show everybody"


async def finished(harness: Harness) -> Played:
    """Ann and Bea have moved, and Bea has resigned."""
    played = await (await harness.match()).move("b2")
    played = await played.move("a1")
    await harness.surely(harness.bea, "match resign", channel=played.place)
    await harness.settled()
    return await played.fresh()


async def kept(harness: Harness, played: Played) -> tuple[Review, ...] | None:
    """The review that is kept of a match."""
    found = await harness.store.ask(
        Reader.load_review, played.id, version_of(harness.life.client.umpire.games["binary-primes"])
    )
    return parse_reviews(found) if found else None


async def expected(harness: Harness, played: Played) -> tuple[Review, ...]:
    """The review as the search itself finds it."""
    match = (await harness.life.client.umpire.load(played.row.id)).begun_match
    work = review_match(match, played.id)
    try:
        question = next(work)
        while True:
            question = work.send(answer_question(question))
    except StopIteration as stop:
        return stop.value


def counted(harness: Harness, release: asyncio.Event | None = None) -> list[SearchQuestion]:
    """All that the search is asked from now on; it answers nothing before it is let."""
    asked, client = list[SearchQuestion](), harness.life.client
    think: Callable[..., Any] = client.engine_pool.think

    async def counting(question: SearchQuestion, *order: Any) -> Thought:
        asked.append(question)
        if release:
            await release.wait()
        return await think(question, *order)

    client.engine_pool.think = counting  # pyright: ignore[reportAttributeAccessIssue]
    return asked


async def shown(harness: Harness, reply: BotReply) -> tuple[str, str]:
    """What a review says, and what its picture shows, when it is found."""
    await harness.life.idle()
    return said(reply.message), alt(reply.message)


async def test_it_is_found_once_kept_and_shown_to_everybody_through_a_restart(harness: Harness) -> None:
    played = await finished(harness)
    before = harness.bea.read_latest_message(played.place)
    opened = await harness.press_more(harness.cem, played.board, "Review")
    assert opened.kind == "deferred" and opened.is_ephemeral
    text, picture = await shown(harness, opened)
    assert f"Binary Primes\xa0· match\xa0{played.id} · review" in text and f"{called(harness.ann)} beat " in text
    assert picture.startswith("Everybody's chances in percent, move by move: ")
    assert labels(opened.message) == ["Try it again", EVERYBODY]
    review = await kept(harness, played)
    assert review == await expected(harness, played)
    await harness.restart()
    asked = counted(harness)
    again = await harness.ann.command("match review", channel=played.place)
    assert await shown(harness, again) == (text, picture) and asked == []
    posts = len(harness.cem.read_messages("games"))
    await harness.cem.press(opened.message, EVERYBODY)
    await harness.life.idle()
    post = harness.dora.read_latest_message("games")
    assert said(post) == text and alt(post) == picture and labels(post) == [] and post["mentions"] == []
    assert "Everybody can see it: https://discord.com/channels/" in people.text_of(opened.message)
    await harness.forge(harness.cem, opened.message, f"r:{played.id}:3:tell")
    await harness.life.idle()
    assert len(harness.cem.read_messages("games")) == posts + 1, "pressing twice shows it twice"
    assert harness.bea.read_latest_message(played.place)["id"] == before["id"], "something stands below the board"
    await harness.sound()


async def test_two_who_ask_at_once_wait_for_one_search(harness: Harness) -> None:
    played = await finished(harness)
    release = asyncio.Event()
    asked = counted(harness, release)
    first = await harness.press_more(harness.ann, played.board, "Review")
    second = await harness.press_more(harness.bea, played.board, "Review")
    await harness.until(lambda: asked)
    release.set()
    assert await shown(harness, first) == await shown(harness, second)
    assert len({one.seed for one in asked}) == len(asked)


@pytest.mark.long
async def test_a_restart_in_the_middle_keeps_nothing_and_the_next_finds_the_same(harness: Harness) -> None:
    played = await finished(harness)
    asked = counted(harness, asyncio.Event())
    await harness.press_more(harness.ann, played.board, "Review")
    await harness.until(lambda: asked)
    await harness.restart()
    assert await kept(harness, played) is None
    opened = await harness.press_more(harness.ann, played.board, "Review")
    await shown(harness, opened)
    assert await kept(harness, played) == await expected(harness, played)


async def test_what_is_not_over_or_was_called_off_has_none(harness: Harness) -> None:
    played = await harness.match()
    assert "Review" not in labels(played.board)
    asked = counted(harness)
    going = await harness.ann.command("match review", channel=played.place)
    assert going.text == "This match isn't over yet. You can review it afterwards."
    forged = await harness.forge(harness.cem, played.board, f"m:{played.id}:0:review")
    assert forged.text == going.text
    told = await harness.forge(harness.cem, played.board, f"r:{played.id}:0:tell")
    assert told.text == going.text
    await harness.ann.command("match abort", channel=played.place)
    await harness.surely(harness.bea, "match abort", channel=played.place)
    await harness.settled()
    off = await harness.forge(harness.ann, played.board, f"m:{played.id}:0:review")
    assert off.text.startswith("This match was called off") and asked == []
