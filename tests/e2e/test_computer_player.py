"""The computer plays once, and the same move, whatever becomes of the bot and of the match meanwhile."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import replace
from typing import Any

import pytest

from bot.engine.levels import SearchQuestion, Thought
from bot.engine.search import answer_question
from bot.features.computer.service import EnginePool
from bot.games.catalogue import load_games
from bot.games.mind import Budget
from bot.play import challenges
from bot.play.ids import MatchId
from bot.sandbox.interactions import NoAnswerInTime
from bot.umpire.umpire import Umpire
from data.store import Reader, Store
from tests.e2e.harness import Harness, Played, labels
from tests.support.sampled import sampled

GAME = load_games()["binary-primes"]
EASY = SearchQuestion(GAME.key, GAME.start(GAME.configure({"size": 3}, 2), 2), 1, Budget(1, 0), "")
STEPS = ("thinking", "thought", "decided", "written", "committed", "drawn", "posted", "closed", "noted", "shown")
"""What the bot passes on the way from a move of a person's to the board that shows the computer's."""


async def expected(harness: Harness, played: Played) -> str:
    """The move that the computer is to make, found here."""
    turn = challenges.find_computer_turn(await harness.life.client.umpire.load(MatchId(played.id)))
    assert turn
    return answer_question(turn.question).move


async def at_once(_: Any, question: SearchQuestion, *__: Any) -> Thought:
    """A search in a thread of this process, which need not be started."""
    return await asyncio.to_thread(answer_question, question)


@pytest.fixture
def here(monkeypatch: pytest.MonkeyPatch) -> None:
    """No process is started to search."""
    monkeypatch.setattr(EnginePool, "think", at_once)


def never(_: Any, question: SearchQuestion, *__: Any) -> Any:
    """A search without an end."""
    return asyncio.Event().wait()


def script(monkeypatch: pytest.MonkeyPatch, *moves: str) -> list[SearchQuestion]:
    """Let the computer play these moves; what it was asked."""
    asked: list[SearchQuestion] = []

    async def think(_: Any, question: SearchQuestion, *__: Any) -> Thought:
        asked.append(question)
        move = moves[min(len(asked), len(moves)) - 1]
        return replace(answer_question(EASY), move=move)

    monkeypatch.setattr(EnginePool, "think", think)
    return asked


async def loaded(harness: Harness, played: Played) -> Any:
    return await harness.life.client.umpire.load(MatchId(played.id))


async def test_what_others_hide_changes_nothing_for_it(harness: Harness, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(EnginePool, "think", never)
    played = await harness.against(game="sums-grid", waits=False)
    before = challenges.find_computer_turn(await loaded(harness, played))
    for grid in ("1 2 4 20 30 40 50 60 70", "2 9 8 3 1 10 7 6 15"):
        await harness.ann.command("sums-grid submit", channel=played.place, grid=grid)
        after = challenges.find_computer_turn(await loaded(harness, played))
        assert before and after and (after.act, after.question) == (before.act, before.question)
    assert len((await played.fresh()).record) == 2


@sampled("step", reversed(STEPS))
async def test_killed_anywhere_it_plays_the_same_move_once(harness: Harness, step: str, here: None) -> None:
    played = await harness.against()
    client = harness.life.client
    client.engine_pool.many = 0
    await played.move("b2", harness.ann)
    wanted = await expected(harness, played)
    harness.kill_at(step)
    client.engine_pool.many = 1
    await harness.life.does(client.computer_player.poll())
    await harness.killed.wait()
    await harness.restart()
    await harness.answered()
    played = await played.fresh()
    assert played.record == [(1, "b2"), (2, wanted)]
    assert [labels(board) for board in played.boards[:-1]] == [[]] * (len(played.boards) - 1)
    assert "Move" in labels(played.board) and harness.told(harness.ann) == 0


@pytest.mark.long
async def test_an_act_and_the_death_of_the_bot_leave_the_answer_to_the_next(harness: Harness, here: None) -> None:
    played = await harness.against()
    harness.kill_at("committed")
    with suppress(NoAnswerInTime):
        await harness.ann.command("binary-primes move", channel=played.place, square="b2")
    await harness.killed.wait()
    await harness.restart()
    await harness.answered()
    assert [seat for seat, _ in (await played.fresh()).record] == [1, 2]


@sampled("step", ["written", "committed", "drawn"])
async def test_killed_while_a_match_against_it_begins(harness: Harness, here: None, step: str) -> None:
    harness.kill_at(step)
    with suppress(NoAnswerInTime):
        await harness.ann.command("binary-primes challenge", channel="games", size=3, level=2, seat="me")
    await harness.killed.wait()
    await harness.restart()
    await harness.answered()
    counts = await harness.store.ask(Reader.count_by_state)
    # A match that stayed open with all its seats taken could never begin.
    assert counts == {"live": 1} or (step == "written" and counts == {})


async def test_two_processes_play_it_once(harness: Harness) -> None:
    played, client = await harness.against(), harness.life.client
    client.engine_pool.many = 0
    await played.move("b2", harness.ann)
    wanted, store = await expected(harness, played), Store(harness.url)
    other = Umpire(store, client.umpire.games, harness.clock, client.umpire.rng)
    turns = [challenges.find_computer_turn(await one.load(MatchId(played.id))) for one in (client.umpire, other)]
    done = await asyncio.gather(
        *(
            one.move(turn.act, turn.loaded.id, turn.user, answer_question(turn.question).move, turn.seen)
            for one, turn in zip((client.umpire, other), turns, strict=True)
            if turn
        )
    )
    await store.close()
    client.publisher.request_publish(MatchId(played.id))
    await harness.answered()
    assert sorted(one.repeated for one in done) == [False, True]
    assert (await played.fresh()).record == [(1, "b2"), (2, wanted)]


async def test_what_becomes_of_the_match_while_it_thinks_comes_first(
    harness: Harness, monkeypatch: pytest.MonkeyPatch
) -> None:
    thought = asyncio.Event()

    async def think(_: Any, question: SearchQuestion, *__: Any) -> Thought:
        await thought.wait()
        return answer_question(question)

    monkeypatch.setattr(EnginePool, "think", think)
    played = await harness.against()
    await played.move("b2", harness.ann)
    await harness.surely(harness.ann, "match resign", channel=played.place)
    thought.set()
    await harness.answered()
    played = await played.fresh()
    assert played.record == [(1, "b2"), (1, "resign")] and played.row.state == "finished"


@pytest.mark.long
async def test_where_it_cannot_move_the_match_is_left_alone_and_that_is_said_once(
    harness: Harness, monkeypatch: pytest.MonkeyPatch
) -> None:
    harness.forgiven = ["The computer cannot move in match 1"]
    played, asked = await harness.against(), script(monkeypatch, "z9", "z9", "c3")
    client = harness.life.client
    await played.move("b2", harness.ann)
    await harness.until(lambda: len(harness.complaints_of("cannot move")) == 1)
    for _ in range(3):
        await harness.life.does(client.computer_player.poll())
    assert len(asked) == 1 and (await played.fresh()).record == [(1, "b2")]
    for _ in range(2):
        client.computer_player.request_move(MatchId(played.id))
        await client.computer_player.settle()
    await harness.answered()
    assert len(asked) == 3 and (await played.fresh()).record == [(1, "b2"), (2, "c3")]
    assert len(harness.complaints_of("cannot move")) == 1


@pytest.mark.long
async def test_where_it_is_switched_off_that_is_said_once_and_it_goes_on_when_it_is_not(
    harness: Harness, here: None
) -> None:
    harness.forgiven = ["switched off"]
    played, client = await harness.against(), harness.life.client
    client.engine_pool.many = 0
    await played.move("b2", harness.ann)
    for _ in range(3):
        await harness.life.does(client.computer_player.poll())
    assert len(harness.complaints_of("switched off")) == 1 and (await played.fresh()).record == [(1, "b2")]
    client.engine_pool.many = 1
    await harness.life.does(client.computer_player.poll())
    await harness.answered()
    assert len((await played.fresh()).record) == 2


async def test_the_bot_stops_in_the_middle_of_a_search_and_the_next_one_goes_on(harness: Harness) -> None:
    played = await harness.against()
    client = harness.life.client
    await harness.ann.command("binary-primes move", channel=played.place, square="b2")
    await harness.until(lambda: client.engine_pool.processes)
    await harness.life.end()
    assert not client.engine_pool.processes
    await harness.restart()
    await harness.answered()
    assert len((await played.fresh()).record) == 2
