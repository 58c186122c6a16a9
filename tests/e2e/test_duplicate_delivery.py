"""Discord may deliver an interaction twice: it counts once, is shown once, and nobody hears of the second."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable

from bot.sandbox import people
from bot.sandbox.people import BotReply
from data.store import Reader
from tests.e2e.harness import CALLBACK, Harness, Json, Played, called, form_of, labels, without_joins


async def silent(harness: Harness, before: int) -> None:
    """Both deliveries were treated, and at most one was answered."""
    await harness.until(lambda: sum("received" in step for step in harness.listener.steps) >= before + 2)
    await harness.settled()
    answers = [one for one in harness.sandbox.requests_of("POST", CALLBACK) if one.status == 200]
    assert len({one.path for one in answers}) == len(answers)


def received(harness: Harness) -> int:
    """How many interactions have arrived."""
    return sum("received" in step for step in harness.listener.steps)


async def test_a_match_from_its_challenge_to_its_end(harness: Harness) -> None:
    """By button, command and form, each of which comes twice."""

    async def twice(acting: Awaitable[BotReply]) -> BotReply:
        before = received(harness)
        harness.faults.deliver_twice()
        reply = await acting
        await silent(harness, before)
        return reply

    ann, bea = harness.ann, harness.bea
    await twice(ann.command("binary-primes challenge", channel="games", size=3, seat="me", legs=1, opponent=bea))
    assert await harness.store.ask(Reader.count_by_state) == {"open": 1}
    played = Played(harness, 1, await harness.row(1))
    assert labels(played.lobby) == ["Accept", "Decline", "Rules"]
    assert harness.told(bea) == 1 and len(bea.read_messages("games")) == 1

    assert (await twice(bea.press(played.lobby, "Accept"))).kind == "update"
    played = await played.fresh()
    assert (played.row.state, len(played.boards), harness.told(ann)) == ("live", 1, 1)
    assert len(without_joins(bea.read_messages(played.place))) == 3, "thread starter, line and board: no refusal"

    moved = await twice(ann.command("binary-primes move", channel=played.place, square="b2"))
    assert moved.text == "You played **b2**."
    assert len(without_joins(ann.read_messages(played.place))) == 5, (
        "thread starter, two lines with their boards; the answer is gone"
    )
    played = await played.fresh()
    assert (played.record, len(played.boards)) == ([(1, "b2")], 2)
    assert (harness.told(ann), harness.told(bea)) == (1, 2)

    opened = await twice(form_of(bea, played.board))
    assert (await twice(bea.submit(opened, {"Square": "a1"}))).kind == "acknowledged"
    played = await played.fresh()
    assert played.record == [(1, "b2"), (2, "a1")]
    assert [labels(board) for board in played.boards] == [[], [], ["Move", "Rules", "More …"]]
    assert (harness.told(ann), harness.told(bea)) == (2, 2)

    assert (await twice(bea.command("match abort", channel=played.place))).is_ephemeral
    played = await played.fresh()
    assert (len(played.record), played.row.state) == (2, "live")
    assert (harness.told(ann), len(played.boards)) == (3, 3)

    question = await bea.command("match resign", channel=played.place)
    assert (await twice(bea.press(question, "Resign"))).kind == "update"
    assert (await played.fresh()).record[2:] == [(2, "resign")]
    assert len(played.boards) == 4


async def test_who_sits_down_at_an_open_table(harness: Harness) -> None:
    played = await harness.challenge()
    before = received(harness)
    harness.faults.deliver_twice()
    assert (await harness.bea.press(played.lobby, "Join")).kind == "update"
    await silent(harness, before)
    played = await played.fresh()
    assert (played.row.state, len(played.boards), harness.told(harness.ann)) == ("live", 1, 1)
    assert len(without_joins(harness.bea.read_messages(played.place))) == 3, (
        "thread starter, line and board: no refusal"
    )


async def test_a_repetition_that_comes_between_the_act_and_its_answer_refuses_nothing(harness: Harness) -> None:
    played = await harness.match()
    question = await harness.bea.command("match resign", channel=played.place)
    desk, send, sent = harness.sandbox.interactions, harness.sandbox.interactions.send, list[Json]()

    def noted(payload: Json) -> None:
        sent.append(payload)
        send(payload)

    desk.send = noted
    harness.listener.trap = ("committed", lambda: send(sent[-1]))
    harness.faults.delay_requests("POST", CALLBACK, 0.5)
    assert (await harness.bea.press(question, "Resign")).kind == "update"
    await harness.settled()
    assert (await played.fresh()).record == [(2, "resign")]


async def test_two_people_at_the_same_moment(harness: Harness) -> None:
    """Two join the last seat of a table: one of them is told that it has begun."""
    played = await harness.challenge()
    replies = await asyncio.gather(*(person.press(played.lobby, "Join") for person in (harness.bea, harness.cem)))
    await harness.settled()
    played = await played.fresh()
    assert sorted(reply.kind for reply in replies) == ["message", "update"]
    late = next(reply for reply in replies if reply.kind == "message")
    assert (late.text, late.is_ephemeral) == ("This match has already begun.", True)
    assert len(played.boards) == 1


async def test_two_moves_of_one_person_at_the_same_moment(harness: Harness) -> None:
    played = await harness.match()
    replies = await asyncio.gather(
        *(
            harness.ann.command("binary-primes move", channel=played.place, square=square)
            for square in ("a1", "b2", "c3")
        )
    )
    await harness.settled()
    played = await played.fresh()
    assert len(played.record) == 1
    assert sorted(reply.text for reply in replies)[:2] == [f"It's {called(harness.bea)}'s turn."] * 2
    assert len(played.boards) == 2
    assert f"{called(harness.ann)} played **{played.record[0][1]}**" in people.text_of(played.board)
    assert harness.told(harness.bea) == 2
