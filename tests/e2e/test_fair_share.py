"""Nobody stalls the computer for others: whoever begins as many matches as the bot lets them waits for themselves."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from bot.engine.levels import SearchFailure, SearchQuestion, Thought
from bot.engine.search import answer_question
from bot.features.study.reviews import IMPATIENT, MOST_EACH
from bot.games.mind import Budget
from bot.platform.machine import loop_time
from bot.play.acts import MOST_WITH_COMPUTERS
from bot.play.ids import MatchId, UserId
from bot.sandbox import people
from bot.sandbox.people import BotReply, Person
from data.store import Reader
from tests.e2e.harness import Harness, Played, said
from tests.simulation.inline_engine import InlineEngine

A_PLAYOUT, A_MOVE = 0.0012, 5.0
"""Seconds: a move of level 6 takes five, and a question of a review fewer."""
SOON = 12.0
"""A search that has begun, one of each other person, and the second that the computer takes at least."""


class SlowEngine(InlineEngine):
    """An engine that takes as long as a process does."""

    async def ask(self, question: SearchQuestion) -> Thought | SearchFailure:
        """The answer to a question."""
        await asyncio.sleep(min(question.budget.playouts * A_PLAYOUT, A_MOVE))
        return answer_question(replace(question, budget=Budget(4, 0)))


@pytest.fixture
def slow(harness: Harness) -> Harness:
    """A harness whose computer takes its time."""
    harness.life.client.engine_pool.start = SlowEngine.start
    return harness


async def begin(person: Person, level: int, seat: str = "opponent") -> BotReply:
    """Somebody asks the computer to play."""
    return await person.command("binary-primes challenge", channel="games", size=3, level=level, seat=seat)


async def crowded(harness: Harness) -> list[BotReply]:
    """Ann begins as many matches against level 6 as she may, as fast as the gate lets her: one a second."""
    replies = list[BotReply]()
    for _ in range(MOST_WITH_COMPUTERS + 1):
        replies.append(await begin(harness.ann, 6))
        await asyncio.sleep(1)
    return replies


def number(reply: BotReply) -> int:
    """The number of the match that an answer tells of."""
    return int(reply.text.split()[1])


async def moved(harness: Harness, match: int) -> float:
    """Seconds until the computer has moved in a match."""
    began = loop_time()
    while not (await harness.row(match)).plies:  # noqa: ASYNC110 -- what is stored tells nobody
        await asyncio.sleep(0.1)
    return loop_time() - began


@pytest.mark.long
async def test_of_two_challenges_at_once_only_one_is_within_the_dozen(slow: Harness) -> None:
    for _ in range(MOST_WITH_COMPUTERS - 1):
        await begin(slow.ann, 1)
        await asyncio.sleep(1)
    slow.life.client.gate.acts.buckets.clear()
    replies = await asyncio.gather(*(begin(slow.ann, 1) for _ in range(3)))
    assert sum(" has started against " in reply.text for reply in replies) == 1


async def test_others_get_their_moves_and_hints_beside_one_who_begins_a_dozen_and_may_begin_no_more(
    slow: Harness,
) -> None:
    mine = number(await begin(slow.bea, 1, seat="me"))
    await slow.settled()
    *begun, refused = await crowded(slow)
    assert all(" has started against " in reply.text for reply in begun)
    assert refused.is_ephemeral
    assert refused.text.startswith(
        "You are already playing 12 matches against the computer in this server, which is the limit. Finish or "
        "resign one first. The oldest is match 2, https://discord.com/channels/"
    )
    assert (await slow.store.ask(Reader.count_by_state)) == {"live": 13}
    assert await moved(slow, number(await begin(slow.bea, 1))) < SOON
    began = loop_time()
    place = slow.sandbox.channel(str((await slow.row(mine)).thread))
    reply = await slow.bea.command("match hint", channel=place)
    await slow.until(lambda: reply.message and "💡" in said(reply.message))
    assert loop_time() - began < SOON


@pytest.mark.long
async def test_who_waits_for_long_reads_so_and_no_longer_when_it_is_their_turn(slow: Harness) -> None:
    *_, last, _ = await crowded(slow)
    await slow.settled()
    place = slow.sandbox.channel(str((await slow.row(number(last))).thread))
    said_so = "I'm working on your other questions first. The computer moves here in about "
    await slow.until(lambda: said_so in people.text_of(slow.ann.read_latest_message(place)))
    await moved(slow, number(last))
    await slow.settled()
    texts = [people.text_of(message) for message in slow.sandbox.world.messages[place["id"]].values()]
    assert not any(said_so in text for text in texts)


@pytest.mark.long
async def test_who_waits_for_a_hint_for_long_reads_so_in_its_place(
    slow: Harness, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tests.e2e.test_fair_share.A_MOVE", 25.0)
    played = await slow.match(rated=False)
    await begin(slow.cem, 6)
    await asyncio.sleep(1)
    reply = await slow.ann.command("match hint", channel=played.place)
    await slow.until(lambda: reply.message["components"])
    assert said(reply.message).startswith("⏳ One person is ahead of you. Your hint comes in about ")
    await slow.until(lambda: "💡" in said(reply.message))
    assert "⏳" not in said(reply.message)


async def over(harness: Harness) -> Played:
    """A match of Ann and Bea in which both have moved, and Bea has resigned."""
    played = await (await (await harness.match()).move("b2")).move("a1")
    await harness.surely(harness.bea, "match resign", channel=played.place)
    await harness.settled()
    return await played.fresh()


@pytest.mark.long
async def test_two_reviews_of_one_member_take_turns_with_that_of_another(
    slow: Harness, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second, other = [await over(slow) for _ in range(3)]
    monkeypatch.setattr("tests.e2e.test_fair_share.A_PLAYOUT", 0.002)
    came = list[str]()
    reviews = slow.life.client.handlers.reviews

    async def asked(name: str, person: Person, played: Played) -> None:
        loaded = await slow.life.client.umpire.load(MatchId(played.id))
        await slow.life.does(reviews.find_review(loaded, UserId(int(person.id))))
        came.append(name)

    waiting = [asyncio.create_task(asked("Ann", slow.ann, one)) for one in (first, second)]
    await asyncio.sleep(1)
    pressed = await slow.press_more(slow.cem, other.board, "Review")
    await slow.until(lambda: "⏳" in said(pressed.message))
    assert said(pressed.message).startswith("⏳ One person is ahead of you. Your review comes in about ")
    await slow.until(lambda: "· review" in said(pressed.message))
    assert len(came) < 2, "both of hers came first"
    await asyncio.gather(*waiting)


@pytest.mark.long
async def test_who_asks_for_reviews_again_and_again_waits_for_two_and_nobody_else_waits(slow: Harness) -> None:
    matches = [await over(slow) for _ in range(3)]
    replies = list[BotReply]()
    for turn in range(18):
        replies.append(await slow.ann.command("match review", channel="games", match=matches[turn % 3].id))
        await asyncio.sleep(1)
    client = slow.life.client
    assert len(client.handlers.reviews._askers) <= MOST_EACH  # pyright: ignore[reportPrivateUsage]
    assert await moved(slow, number(await begin(slow.bea, 1))) < SOON
    while client.handlers.reviews._under_way:  # pyright: ignore[reportPrivateUsage]  # noqa: ASYNC110 -- it tells nobody
        await asyncio.sleep(1)
    await slow.settled()
    texts = [said(reply.message) if reply.message else reply.text for reply in replies]
    answers = ("· review", IMPATIENT, "That was a lot at once")
    assert all(any(answer in text for answer in answers) for text in texts)
    assert all(any(answer in text for text in texts) for answer in answers)
