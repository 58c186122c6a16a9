"""What phones show: a line that says what happened, once, above a board that makes no sound; whatever goes wrong."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

import pytest

from bot.sandbox import people
from bot.sandbox.interactions import NoAnswerInTime
from bot.umpire.umpire import STAYS
from tests.e2e.house import MESSAGES, House, Played, called, labels
from tests.support.pushes import POSTS, Push, pushes, unshown
from tests.support.sampled import sampled

BUTTONS = ["Move", "Rules", "More …"]
STEPS = ("committed", "told", "known", "drawn", "posted", "closed", "noted", "shown")
"""What the bot passes on the way from a move to the board that shows it."""


@pytest.fixture(autouse=True)
def forgiving(house: House) -> None:
    """What Discord does not take is tried again."""
    house.forgiven += ["could not be shown and will be tried again", "could not be edited"]


async def plays(house: House, played: Played, square: str = "b2") -> None:
    """A move of whoever is to move, which may come to nothing on Discord, nor be answered."""
    with suppress(NoAnswerInTime):
        await played.mover.command("binary-primes move", channel=played.place, square=square)


def lines(played: Played) -> list[str]:
    """The lines of a match, wherever they stand, without whom they name."""
    posts = played.house.sandbox.world.messages.values()
    made = [one for place in posts for one in place.values() if str(one.get("nonce")).startswith(f"l{played.id}.")]
    return [
        one["content"].partition(", ")[2].partition(" (")[0] for one in sorted(made, key=lambda one: int(one["id"]))
    ]


async def test_the_pushes_of_a_match(house: House) -> None:
    played = await house.match()
    for square in ("b2", "a1", "c1", "b1"):
        played = await played.move(square)
    said = pushes(house.sandbox.world, house.sandbox.rest.log)
    assert said == [
        Push("Bea", "@Bea, Ann challenges you to Binary Primes."),
        Push("Ann", "@Ann, the match begins and it's your move."),
        Push("Bea", "@Bea, it's your move: Ann played b2 (columns ×5 ÷7\xa0→\xa0245, rows ×5 ÷7\xa0→\xa0245)."),
        Push("Ann", "@Ann, it's your move: Bea played a1 (rows ×3 ÷7\xa0→\xa0105, columns ×3 ÷7\xa0→\xa0105)."),
        Push("Bea", "@Bea, it's your move: Ann played c1 (columns ×3 ÷7\xa0→\xa045, rows ×5 ÷3\xa0→\xa0175)."),
        Push("Ann", "@Ann, it's over: Bea beat you 245\xa0:\xa027."),
    ]


async def test_each_line_stands_right_above_the_board_that_shows_it(house: House) -> None:
    played = await (await house.match()).move("b2")
    place = [*house.sandbox.world.messages[played.place["id"]].values()]
    kinds = [str(one.get("nonce") or "-")[0] for one in place if not one["ephemeral_for"] and one["type"] == 0]
    assert kinds == ["l", "b", "l", "b"]
    line = next(one for one in reversed(place) if str(one.get("nonce")).startswith("l"))
    shown = "\n".join([people.text_of(played.board), *(one.alt or "" for one in people.list_media(played.board))])
    assert unshown(line["content"].replace(f"{played.id}.", ""), shown.replace("**", "")) == set()


async def test_in_a_channel_that_several_matches_share_the_line_names_its_match(house: House) -> None:
    house.faults.deny(None, "create_public_threads")
    played = await (await house.match()).move("b2")
    assert played.place["name"] == "games"
    said = pushes(house.sandbox.world, house.sandbox.rest.log)
    assert said[-1].text.startswith("@Bea, in Binary Primes · 1, it's your move: Ann played b2.")


async def test_a_challenge_is_a_line_with_its_buttons_until_it_is_edited(house: House) -> None:
    played = await house.challenge(opponent=house.bea)
    lobby = played.lobby
    assert lobby["content"].splitlines()[0].endswith(" challenges you to Binary Primes.")
    assert labels(lobby) == ["Accept", "Decline", "Rules"] and not lobby["flags"] & 1 << 15
    await house.bea.press(lobby, "Decline")
    await house.settled()
    assert ["declined" in one["content"] for one in played.ends] == [True] and labels(played.ends[0]) == []
    assert pushes(house.sandbox.world, house.sandbox.rest.log)[-1] == (
        "Ann", "Bea declined @Ann's challenge to Binary Primes."
    )  # fmt: skip


async def test_a_computers_quick_answer_tells_nobody_and_a_slow_one_does(house: House) -> None:
    played = await house.against()
    await plays(house, played)
    await house.answered()
    played = await played.fresh()
    assert house.told(house.ann) == 0 and len(played.boards) == 2 and labels(played.board)[:1] == ["Move"]
    square = next(one for one in ("a1", "c1", "a3", "c3") if one not in {text for _, text in played.record})
    house.kill_at("thinking")
    await plays(house, played, square)
    await house.killed.wait()
    await house.run_due_acts(61)
    await house.restart()
    await house.until(lambda: house.told(house.ann))
    await house.answered()
    assert house.told(house.ann) == 1


async def test_a_slow_answer_rings_for_nobody_who_pressed_something_meanwhile(house: House) -> None:
    """She has left for good only where she has pressed nothing for five minutes."""
    played = await house.against(options={"size": 5})

    def thinks_for(seconds: int) -> None:
        def passes() -> None:
            house.clock.ahead += seconds

        house.listener.trap = ("thinking", passes)

    for square, seconds, rung in (("b2", 61, 0), ("a1", 299, 0), ("c3", STAYS + 1, 1)):
        played = await played.fresh()
        taken = {text for _, text in played.record}
        thinks_for(seconds)
        await plays(house, played, next(one for one in (square, "a2", "c2", "b1", "b3", "a3") if one not in taken))
        await house.answered()
        assert house.told(house.ann) == rung, seconds


async def died(house: House, step: str) -> None:
    """A bot that dies on the way from a move to its board, and what the next one leaves on Discord."""
    played = await house.match()
    before = house.told(house.bea)
    house.kill_at(step)
    await plays(house, played)
    await house.killed.wait()
    await house.restart()
    await house.settled()
    played = await played.fresh()
    assert lines(played) == ["the match begins and it's your move.", f"it's your move: {called(house.ann)} played b2"]
    assert [labels(one) for one in played.boards] == [[], BUTTONS] and house.told(house.bea) == before + 1


@sampled("step", STEPS)
async def test_a_death_at_any_step_leaves_one_line_and_one_board(house: House, step: str) -> None:
    await died(house, step)


@sampled("step", ["told", "known", "posted"])
async def test_a_death_after_which_discord_knows_no_nonces(house: House, step: str) -> None:
    """Then the line is found by what it says and by whom it tells."""
    house.sandbox.world.listeners.append(lambda _event, _data: house.sandbox.world.nonces.clear())
    await died(house, step)


Refuse = Callable[[House, Played, int], None]


def lacks_permission(house: House, played: Played, spares: int) -> None:
    house.faults.fail_requests("POST", MESSAGES, 403, code=50013).spares = spares


def fails(house: House, played: Played, spares: int) -> None:
    house.faults.fail_requests("POST", MESSAGES, 502, times=9).spares = spares


def lost(house: House, played: Played, spares: int) -> None:
    house.faults.lose_answer("POST", MESSAGES)
    for fault in house.faults.pending:
        fault.spares = spares


@sampled("where", [0, 1])
@sampled("refuse", [lacks_permission, fails, lost])
async def test_a_line_or_board_that_is_refused_comes_once(house: House, refuse: Refuse, where: int) -> None:
    """Before the line, or between line and board."""
    played = await house.match()
    before = house.told(house.bea)
    refuse(house, played, where)
    await plays(house, played)
    await house.until(lambda: not any(one.method == "POST" and one.times > 7 for one in house.faults.pending))
    await house.life.idle()
    house.faults.clear()
    await house.life.client.publisher.unpark(played.row.id)
    house.life.client.publisher.request_publish(played.row.id)
    await house.settled()
    played = await played.fresh()
    assert lines(played)[1:] == [f"it's your move: {called(house.ann)} played b2"]
    assert [labels(one) for one in played.boards] == [[], BUTTONS] and house.told(house.bea) == before + 1
    assert played.row.publish_error is None


@sampled("where", [0, 1])
async def test_where_the_thread_falls_away_people_are_told_where_the_board_is(house: House, where: int) -> None:
    played = await house.match()
    house.faults.fail_requests("POST", MESSAGES, 404, code=10003, channel=played.place).spares = where
    await plays(house, played)
    await house.settled()
    house.faults.clear()
    played = await played.fresh()
    assert played.place["name"] == "games" and labels(played.board) == BUTTONS
    place = [one for one in house.sandbox.world.messages[played.place["id"]].values() if not one["ephemeral_for"]]
    told = [one for one in place if str(one.get("nonce")).startswith("l")]
    assert len(told) == 1 and house.bea.mention in told[0]["content"]
    assert int(told[0]["id"]) < int(played.board["id"])


async def test_whoever_is_told_of_more_than_one_thing_reads_the_latest(house: House) -> None:
    """A line has gone out, its board could not be posted, and the match went on: each act is told once."""
    played = await house.match()
    house.faults.fail_requests("POST", MESSAGES, 502, times=99).spares = 1
    await plays(house, played)
    await house.until(lambda: "known 1" in house.listener.steps[-12:] and len(lines(played)) == 2)
    await house.bea.command("binary-primes move", channel=played.place, square="a1")
    house.faults.clear()
    await house.settled()
    played = await played.fresh()
    assert [one.partition(" played ")[2] for one in lines(played)] == ["", "b2", "a1"]
    assert labels(played.board) == BUTTONS
    assert (house.told(house.ann), house.told(house.bea)) == (2, 2)


async def test_what_somebody_asks_is_in_the_push(house: House) -> None:
    played = await house.match(pace="7")
    played = await (await played.move("b2")).move("a1")
    await house.bea.command("match draw", channel=played.place)
    await house.settled()
    await house.ann.press((await played.fresh()).board, "Refuse")
    await house.settled()
    await house.bea.command("match pause", channel=played.place)
    await house.settled()
    await house.ann.press((await played.fresh()).board, "Agree: pause")
    await house.settled()
    said = [one for one in pushes(house.sandbox.world, house.sandbox.rest.log) if "move" not in one.text][1:]
    assert said == [
        Push("Ann", "@Ann, Bea offers a draw."),
        Push("Bea", "@Bea, Ann doesn't want a draw."),
        Push("Ann", "@Ann, Bea asks to pause the match."),
        Push("Bea", "@Bea, the match is paused."),
    ]


def test_the_posts_are_found() -> None:
    assert POSTS[1] == MESSAGES
