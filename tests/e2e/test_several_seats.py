"""Several people, or one alone: moves at once, and what the death of the bot leaves as it was."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Any

import pytest

from bot.sandbox import people as sandbox_people
from bot.sandbox.interactions import NoAnswerInTime
from bot.sandbox.people import BotReply, Person
from tests.e2e.harness import Harness, Json, Played, form_of, labels
from tests.support.sampled import sampled

GRID = "2 9 8 / 3 1 10 / 7 6 15"
"""Worked out by hand in the rules of Sums Grid: it scores 19."""
POOR = "1 2 4 / 20 30 40 / 50 60 70"


async def table(harness: Harness, command: str, host: Person, **options: Any) -> Played:
    """A challenge to some game; its lobby is posted."""
    reply = await host.command(f"{command} challenge", channel="games", **options)
    number = int(reply.text.split()[1])
    await harness.settled()
    return Played(harness, number, await harness.row(number))


@pytest.mark.parametrize("step", ("committed", "edited", "posted"))
async def test_the_host_is_told_once_though_the_bot_dies_there(harness: Harness, step: str) -> None:
    played = await table(
        harness, "binary-scramble", harness.ann, opponent=harness.bea, opponent2=harness.cem, seats=3, seat="me"
    )
    harness.kill_at(step)
    with suppress(NoAnswerInTime):
        await harness.bea.press(played.lobby, "Decline")
    await harness.killed.wait()
    await harness.restart()
    await harness.settled()
    assert harness.told(harness.ann) == 1
    assert (
        sum("declined your challenge" in sandbox_people.text_of(one) for one in harness.ann.read_messages("games")) == 1
    )


async def secret(harness: Harness, *people: Person) -> Played:
    """A live match of Sums Grid."""
    named = {f"opponent{index if index > 1 else ''}": person for index, person in enumerate(people[1:], 1)}
    played = await table(harness, "sums-grid", people[0], seat="me", **named)
    for person in people[1:]:
        await person.press(played.lobby, "Accept")
    await harness.settled()
    return await played.fresh()


async def done(person: Person, played: Played) -> None:
    """End one's match of Sums Grid by command."""
    await asked_and_done(person, await person.command("sums-grid done", channel=played.place))


async def asked_and_done(person: Person, question: BotReply) -> None:
    """Say yes to the question before the end of one's match."""
    assert question.is_ephemeral and labels(question.message) == ["End my match", "Back"]
    assert question.text.startswith("End your match with your best grid? You can't hand in another one afterwards.")
    assert (await person.press(question, "End my match")).kind == "update"


def text_of(harness: Harness, reply: BotReply) -> str:
    """The text of a file that was sent."""
    return sandbox_people.bytes_of(harness.sandbox.world, reply.message["attachments"][0]).decode()


async def test_everybody_moves_at_once(harness: Harness) -> None:
    """Two by command, two in forms that were open before; then all say yes to their questions at the same moment."""
    people = (harness.ann, harness.bea, harness.cem, harness.dora)
    played = await secret(harness, *people)
    forms = [await form_of(person, played.board, "Make a grid") for person in people[:2]]
    grids = [f"1 2 4 / 20 30 {40 + index} / 50 60 70" for index in range(4)]
    written = (person.submit(form, {"Grid": grid}) for person, form, grid in zip(people, forms, grids, strict=False))
    named = zip(people[2:], grids[2:], strict=True)
    typed = (person.command("sums-grid submit", channel=played.place, grid=grid) for person, grid in named)
    replies = await asyncio.gather(*written, *typed)
    told = [reply.text.replace("\N{NO-BREAK SPACE}", " ") for reply in replies]
    assert [text.count("You handed in **1 2 4 / 20 30 4") for text in told] == [1] * 4
    assert not [text for text in told if " played **" in text.replace("You played", "")], "the move is told once"
    await harness.settled()
    assert sorted(seat for seat, _ in (await played.fresh()).record) == [1, 2, 3, 4]
    questions = [await person.press(played.board, "End my match") for person in people]
    await asyncio.gather(*(asked_and_done(*each) for each in zip(people, questions, strict=True)))
    await harness.settled()
    played = await played.fresh()
    assert played.row.state == "finished"
    assert "share first place" in sandbox_people.text_of(played.board)


async def finished_alone(harness: Harness) -> Played:
    """A match of Sums Grid that Ann has played alone."""
    played = await table(harness, "sums-grid", harness.ann, seats=1)
    await harness.ann.command("sums-grid submit", channel=played.place, grid=GRID)
    await done(harness.ann, played)
    await harness.settled()
    return await played.fresh()


def last_boards(played: Played) -> list[Json]:
    """The boards that have a button to play it again."""
    return [one for one in played.boards if "Rematch" in labels(one)]


@pytest.mark.long
async def test_who_publishes_twice_at_once_publishes_once(harness: Harness) -> None:
    played = await finished_alone(harness)
    before = played.board["id"]
    asked = [harness.ann.command("match publish", match=played.id) for _ in range(2)]
    replies = {reply.text.partition(".")[0] for reply in await asyncio.gather(*asked)}
    assert replies == {"Everybody can see that match now", "Everybody can already see that match"}
    await harness.settled()
    assert before not in [one["id"] for one in played.boards] and len(last_boards(played)) == 1


@pytest.mark.long
@pytest.mark.parametrize("step", ["committed", "drawn", "posted", "noted"])
async def test_a_published_match_is_shown_once_wherever_the_bot_dies(harness: Harness, step: str) -> None:
    played = await finished_alone(harness)
    before = played.board["id"]
    harness.kill_at(step)
    with suppress(NoAnswerInTime):
        await harness.ann.command("match publish", match=played.id)
    await harness.killed.wait()
    await harness.restart()
    await harness.settled()
    assert before not in [one["id"] for one in played.boards] and len(last_boards(played)) == 1
    assert GRID in text_of(harness, await harness.bea.command("match record", match=played.id))
    assert (await harness.ann.command("match publish", match=played.id)).text.startswith("Everybody can already see")
    await harness.sound()


@pytest.mark.long
async def test_every_private_match_is_suggested_by_its_number(
    harness: Harness, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where there are more of them than Discord shows suggestions."""
    monkeypatch.setattr("bot.features.board.directory.MOST_CHOICES", 1)
    for _ in range(2):
        played = await table(harness, "sums-grid", harness.ann, seats=1)
        await harness.ann.command("sums-grid submit", channel=played.place, grid=GRID)
        await done(harness.ann, played)
    assert await harness.ann.complete("match publish", "match", match="") == [("2 · Sums Grid · done", "2")]
    assert await harness.ann.complete("match publish", "match", match="1") == [("1 · Sums Grid · done", "1")]


@sampled("step", ["committed", "posted", "drawn"])
async def test_killed_in_the_middle_of_a_secret_move(harness: Harness, step: str) -> None:
    played = await secret(harness, harness.ann, harness.bea)
    await harness.ann.command("sums-grid submit", channel=played.place, grid=GRID)
    await harness.settled()
    question = await harness.ann.command("sums-grid done", channel=played.place)
    harness.kill_at(step)
    asked = asyncio.gather(harness.ann.press(question, "End my match"), return_exceptions=True)
    if step == "committed":
        await harness.killed.wait()
    await asked
    harness.listener.trap = None
    await harness.restart()
    await harness.settled()
    assert "has finished" in sandbox_people.text_of((await played.fresh()).board)
    assert len(played.boards) == 1
    assert (harness.told(harness.ann), harness.told(harness.bea)) == (1, 1)
