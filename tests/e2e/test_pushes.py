"""What phones show: a line that says what happened, once, above a board that makes no sound; whatever goes wrong."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

import pytest

from bot.sandbox import people
from bot.sandbox.interactions import NoAnswerInTime
from bot.umpire.umpire import STAYS
from tests.e2e.harness import MESSAGES, Harness, Played, called, labels
from tests.support.pushes import POSTS, unshown
from tests.support.sampled import sampled

BUTTONS = ["Move", "Rules", "More …"]
STEPS = ("committed", "told", "known", "drawn", "posted", "closed", "noted", "shown")
"""What the bot passes on the way from a move to the board that shows it."""


@pytest.fixture(autouse=True)
def forgiving(harness: Harness) -> None:
    """What Discord does not take is tried again."""
    harness.forgiven += ["could not be shown and will be tried again", "could not be edited"]


async def plays(harness: Harness, played: Played, square: str = "b2") -> None:
    """A move of whoever is to move, which may come to nothing on Discord, nor be answered."""
    with suppress(NoAnswerInTime):
        await played.mover.command("binary-primes move", channel=played.place, square=square)


def lines(played: Played) -> list[str]:
    """The lines of a match, wherever they stand, without whom they name."""
    posts = played.harness.sandbox.world.messages.values()
    made = [one for place in posts for one in place.values() if str(one.get("nonce")).startswith(f"l{played.id}.")]
    return [
        one["content"].partition(", ")[2].partition(" (")[0] for one in sorted(made, key=lambda one: int(one["id"]))
    ]


async def test_each_line_stands_right_above_the_board_that_shows_it(harness: Harness) -> None:
    played = await (await harness.match()).move("b2")
    place = [*harness.sandbox.world.messages[played.place["id"]].values()]
    kinds = [str(one.get("nonce") or "-")[0] for one in place if not one["ephemeral_for"] and one["type"] == 0]
    assert kinds == ["l", "b", "l", "b"]
    line = next(one for one in reversed(place) if str(one.get("nonce")).startswith("l"))
    shown = "\n".join([people.text_of(played.board), *(one.alt or "" for one in people.list_media(played.board))])
    assert unshown(line["content"].replace(f"{played.id}.", ""), shown.replace("**", "")) == set()


async def test_a_computers_quick_answer_tells_nobody_and_a_slow_one_does(harness: Harness) -> None:
    played = await harness.against()
    await plays(harness, played)
    await harness.answered()
    played = await played.fresh()
    assert harness.told(harness.ann) == 0 and len(played.boards) == 2 and labels(played.board)[:1] == ["Move"]
    square = next(one for one in ("a1", "c1", "a3", "c3") if one not in {text for _, text in played.record})
    harness.kill_at("thinking")
    await plays(harness, played, square)
    await harness.killed.wait()
    await harness.run_due_acts(61)
    await harness.restart()
    await harness.until(lambda: harness.told(harness.ann))
    await harness.answered()
    assert harness.told(harness.ann) == 1


async def test_a_slow_answer_rings_for_nobody_who_pressed_something_meanwhile(harness: Harness) -> None:
    """She has left for good only where she has pressed nothing for five minutes."""
    played = await harness.against(options={"size": 5})

    def thinks_for(seconds: int) -> None:
        def passes() -> None:
            harness.clock.ahead += seconds

        harness.listener.trap = ("thinking", passes)

    for square, seconds, rung in (("b2", 61, 0), ("a1", 299, 0), ("c3", STAYS + 1, 1)):
        played = await played.fresh()
        taken = {text for _, text in played.record}
        thinks_for(seconds)
        await plays(harness, played, next(one for one in (square, "a2", "c2", "b1", "b3", "a3") if one not in taken))
        await harness.answered()
        assert harness.told(harness.ann) == rung, seconds


async def died(harness: Harness, step: str) -> None:
    """A bot that dies on the way from a move to its board, and what the next one leaves on Discord."""
    played = await harness.match()
    before = harness.told(harness.bea)
    harness.kill_at(step)
    await plays(harness, played)
    await harness.killed.wait()
    await harness.restart()
    await harness.settled()
    played = await played.fresh()
    assert lines(played) == ["the match begins and it's your move.", f"it's your move: {called(harness.ann)} played b2"]
    assert [labels(one) for one in played.boards] == [[], BUTTONS] and harness.told(harness.bea) == before + 1


@sampled("step", STEPS)
async def test_a_death_at_any_step_leaves_one_line_and_one_board(harness: Harness, step: str) -> None:
    await died(harness, step)


@sampled("step", ["told", "known", "posted"])
async def test_a_death_after_which_discord_knows_no_nonces(harness: Harness, step: str) -> None:
    """Then the line is found by what it says and by whom it tells."""
    harness.sandbox.world.listeners.append(lambda _event, _data: harness.sandbox.world.nonces.clear())
    await died(harness, step)


Refuse = Callable[[Harness, Played, int], None]


def lacks_permission(harness: Harness, played: Played, spares: int) -> None:
    harness.faults.fail_requests("POST", MESSAGES, 403, code=50013).spares = spares


def fails(harness: Harness, played: Played, spares: int) -> None:
    harness.faults.fail_requests("POST", MESSAGES, 502, times=9).spares = spares


def lost(harness: Harness, played: Played, spares: int) -> None:
    harness.faults.lose_answer("POST", MESSAGES)
    for fault in harness.faults.pending:
        fault.spares = spares


@sampled("where", [0, 1])
@sampled("refuse", [lacks_permission, fails, lost])
async def test_a_line_or_board_that_is_refused_comes_once(harness: Harness, refuse: Refuse, where: int) -> None:
    """Before the line, or between line and board."""
    played = await harness.match()
    before = harness.told(harness.bea)
    refuse(harness, played, where)
    await plays(harness, played)
    await harness.until(lambda: not any(one.method == "POST" and one.times > 7 for one in harness.faults.pending))
    await harness.life.idle()
    harness.faults.clear()
    await harness.life.client.publisher.unpark(played.row.id)
    harness.life.client.publisher.request_publish(played.row.id)
    await harness.settled()
    played = await played.fresh()
    assert lines(played)[1:] == [f"it's your move: {called(harness.ann)} played b2"]
    assert [labels(one) for one in played.boards] == [[], BUTTONS] and harness.told(harness.bea) == before + 1
    assert played.row.publish_error is None


@sampled("where", [0, 1])
async def test_where_the_thread_falls_away_people_are_told_where_the_board_is(harness: Harness, where: int) -> None:
    played = await harness.match()
    harness.faults.fail_requests("POST", MESSAGES, 404, code=10003, channel=played.place).spares = where
    await plays(harness, played)
    await harness.settled()
    harness.faults.clear()
    played = await played.fresh()
    assert played.place["name"] == "games" and labels(played.board) == BUTTONS
    place = [one for one in harness.sandbox.world.messages[played.place["id"]].values() if not one["ephemeral_for"]]
    told = [one for one in place if str(one.get("nonce")).startswith("l")]
    assert len(told) == 1 and harness.bea.mention in told[0]["content"]
    assert int(told[0]["id"]) < int(played.board["id"])


async def test_whoever_is_told_of_more_than_one_thing_reads_the_latest(harness: Harness) -> None:
    """A line has gone out, its board could not be posted, and the match went on: each act is told once."""
    played = await harness.match()
    harness.faults.fail_requests("POST", MESSAGES, 502, times=99).spares = 1
    await plays(harness, played)
    await harness.until(lambda: "known 1" in harness.listener.steps[-12:] and len(lines(played)) == 2)
    await harness.bea.command("binary-primes move", channel=played.place, square="a1")
    harness.faults.clear()
    await harness.settled()
    played = await played.fresh()
    assert [one.partition(" played ")[2] for one in lines(played)] == ["", "b2", "a1"]
    assert labels(played.board) == BUTTONS
    assert (harness.told(harness.ann), harness.told(harness.bea)) == (2, 2)


def test_the_posts_are_found() -> None:
    assert POSTS[1] == MESSAGES
