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
from tests.e2e.house import House, Played, alt, called, labels, said

EVERYBODY = "Show everybody"


async def finished(house: House) -> Played:
    """Ann and Bea have moved, and Bea has resigned."""
    played = await (await house.match()).move("b2")
    played = await played.move("a1")
    await house.surely(house.bea, "match resign", channel=played.place)
    await house.settled()
    return await played.fresh()


async def kept(house: House, played: Played) -> tuple[Review, ...] | None:
    """The review that is kept of a match."""
    found = await house.store.ask(
        Reader.load_review, played.id, version_of(house.life.client.umpire.games["binary-primes"])
    )
    return parse_reviews(found) if found else None


async def expected(house: House, played: Played) -> tuple[Review, ...]:
    """The review as the search itself finds it."""
    match = (await house.life.client.umpire.load(played.row.id)).begun_match
    work = review_match(match, played.id)
    try:
        question = next(work)
        while True:
            question = work.send(answer_question(question))
    except StopIteration as stop:
        return stop.value


def counted(house: House, release: asyncio.Event | None = None) -> list[SearchQuestion]:
    """All that the search is asked from now on; it answers nothing before it is let."""
    asked, client = list[SearchQuestion](), house.life.client
    think: Callable[..., Any] = client.engine_pool.think

    async def counting(question: SearchQuestion, *order: Any) -> Thought:
        asked.append(question)
        if release:
            await release.wait()
        return await think(question, *order)

    client.engine_pool.think = counting  # pyright: ignore[reportAttributeAccessIssue]
    return asked


async def shown(house: House, reply: BotReply) -> tuple[str, str]:
    """What a review says, and what its picture shows, when it is found."""
    await house.life.idle()
    return said(reply.message), alt(reply.message)


async def test_it_is_found_once_kept_and_shown_to_everybody_through_a_restart(house: House) -> None:
    played = await finished(house)
    before = house.bea.read_latest_message(played.place)
    opened = await house.cem.press(played.board, "Review")
    assert opened.kind == "deferred" and opened.is_ephemeral
    text, picture = await shown(house, opened)
    assert f"Binary Primes\xa0·\xa0{played.id} · review" in text and f"{called(house.ann)} beat " in text
    assert picture.startswith("Everybody's chances in percent, move by move: ")
    assert labels(opened.message) == ["Try it again", EVERYBODY]
    review = await kept(house, played)
    assert review == await expected(house, played)
    await house.restart()
    asked = counted(house)
    again = await house.ann.command("match review", channel=played.place)
    assert await shown(house, again) == (text, picture) and asked == []
    posts = len(house.cem.read_messages("games"))
    await house.cem.press(opened.message, EVERYBODY)
    await house.life.idle()
    post = house.dora.read_latest_message("games")
    assert said(post) == text and alt(post) == picture and labels(post) == [] and post["mentions"] == []
    assert "Everybody can see it: https://discord.com/channels/" in people.text_of(opened.message)
    await house.forge(house.cem, opened.message, f"r:{played.id}:3:tell")
    await house.life.idle()
    assert len(house.cem.read_messages("games")) == posts + 1, "pressing twice shows it twice"
    assert house.bea.read_latest_message(played.place)["id"] == before["id"], "something stands below the board"
    await house.sound()


async def test_two_who_ask_at_once_wait_for_one_search(house: House) -> None:
    played = await finished(house)
    release = asyncio.Event()
    asked = counted(house, release)
    first = await house.ann.press(played.board, "Review")
    second = await house.bea.press(played.board, "Review")
    await house.until(lambda: asked)
    release.set()
    assert await shown(house, first) == await shown(house, second)
    assert len({one.seed for one in asked}) == len(asked)


@pytest.mark.long
async def test_a_restart_in_the_middle_keeps_nothing_and_the_next_finds_the_same(house: House) -> None:
    played = await finished(house)
    asked = counted(house, asyncio.Event())
    await house.ann.press(played.board, "Review")
    await house.until(lambda: asked)
    await house.restart()
    assert await kept(house, played) is None
    opened = await house.ann.press(played.board, "Review")
    await shown(house, opened)
    assert await kept(house, played) == await expected(house, played)


async def test_what_is_not_over_or_was_called_off_has_none(house: House) -> None:
    played = await house.match()
    assert "Review" not in labels(played.board)
    asked = counted(house)
    going = await house.ann.command("match review", channel=played.place)
    assert going.text == "This match isn't over yet. You can review it afterwards."
    forged = await house.forge(house.cem, played.board, f"m:{played.id}:0:review")
    assert forged.text == going.text
    told = await house.forge(house.cem, played.board, f"r:{played.id}:0:tell")
    assert told.text == going.text
    await house.ann.command("match abort", channel=played.place)
    await house.surely(house.bea, "match abort", channel=played.place)
    await house.settled()
    off = await house.forge(house.ann, played.board, f"m:{played.id}:0:review")
    assert off.text.startswith("This match was called off") and asked == []
