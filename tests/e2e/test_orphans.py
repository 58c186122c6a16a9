"""Each match has one board with buttons, and nobody is told twice: also when Discord has long forgotten nonces, when
old messages cannot be edited, when answers get lost, and when a backup was put back."""

from __future__ import annotations

import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from bot.host.machine import seconds_since_boot
from bot.platform.requests import DiscordClock
from bot.sandbox import people
from bot.sandbox.interactions import NoAnswerInTime
from data.upkeep.backups import backup
from tests.e2e.harness import MESSAGE, MESSAGES, Harness, Played, called, form_of, labels
from tests.e2e.test_several_seats import secret, table
from tests.support.sampled import sampled
from tests.support.upkeep import restore

BUTTONS = ["Move", "Rules", "More …"]


@pytest.fixture
def reconcile() -> float:
    return 1.0


@pytest.fixture(autouse=True)
def forgetful(harness: Harness) -> None:
    """Discord forgets nonces at once."""
    harness.forgiven.append("could not be shown and will be tried again")
    harness.sandbox.world.listeners.append(lambda _event, _data: harness.sandbox.world.nonces.clear())


def boards(played: Played) -> list[list[str]]:
    """The buttons of the messages in the place of a match that show a picture."""
    messages = played.harness.sandbox.world.messages[played.place["id"]].values()
    return [labels(one) for one in messages if people.list_media(one) and not one["ephemeral_for"]]


async def lost(harness: Harness, played: Played, square: str = "b2") -> None:
    """A move whose board Discord takes, but says nothing of it."""
    harness.faults.lose_answer("POST", MESSAGES)
    harness.spare_the_line()
    await played.mover.command("binary-primes move", channel=played.place, square=square)


async def test_a_look_that_is_refused_for_another_reason_says_nothing_of_what_there_is(harness: Harness) -> None:
    played = await harness.match()
    harness.kill_at("posted")
    with suppress(NoAnswerInTime):
        await harness.ann.command("binary-primes move", channel=played.place, square="b2")
    await harness.killed.wait()
    harness.faults.fail_requests("GET", MESSAGES, 400, code=200001)
    await harness.restart()
    await harness.until(lambda: len(harness.sandbox.requests_of("GET", MESSAGES)) > 1)
    await harness.settled()
    assert boards(played) == [[], BUTTONS]
    assert (harness.told(harness.ann), harness.told(harness.bea)) == (1, 2)


@pytest.mark.long
async def test_a_board_is_posted_once_however_long_the_one_before_cannot_be_closed(harness: Harness) -> None:
    played = await harness.match()
    harness.faults.fail_requests("PATCH", MESSAGE, 503, times=99)
    await harness.ann.command("binary-primes move", channel=played.place, square="b2")
    await harness.until(lambda: len(harness.sandbox.requests_of("PATCH", MESSAGE)) > 4)
    assert boards(played) == [BUTTONS, BUTTONS], "nobody can close the first one yet"
    harness.faults.clear()
    await harness.settled()
    assert boards(played) == [[], BUTTONS]
    assert (harness.told(harness.ann), harness.told(harness.bea)) == (1, 2)


@pytest.mark.long
async def test_what_cannot_be_closed_holds_up_no_further_board(harness: Harness) -> None:
    played = await harness.match()
    harness.faults.fail_requests("PATCH", MESSAGE, 503, times=99)
    for person, square in ((harness.ann, "b2"), (harness.bea, "a1"), (harness.ann, "c3")):
        count = len(boards(played))
        await person.command("binary-primes move", channel=played.place, square=square)
        await harness.until(lambda count=count: len(boards(played)) > count)
    harness.faults.clear()
    await harness.settled()
    assert boards(played) == [[], [], [], BUTTONS]
    assert (harness.told(harness.ann), harness.told(harness.bea)) == (2, 3)


@pytest.mark.long
async def test_a_board_that_nobody_noted_before_a_late_restart_is_found(harness: Harness) -> None:
    played = await harness.match()
    harness.kill_at("posted")
    await harness.ann.command("binary-primes move", channel=played.place, square="b2")
    await harness.killed.wait()
    await harness.restart()
    await harness.settled()
    assert boards(played) == [[], BUTTONS]
    assert (harness.told(harness.ann), harness.told(harness.bea)) == (1, 2)
    await (await played.fresh()).move("a1")
    assert boards(played) == [[], [], BUTTONS]


@pytest.mark.long
async def test_a_board_that_nobody_noted_is_found_by_a_machine_whose_clock_is_behind(harness: Harness) -> None:
    """At its start, before Discord has told it the time, the match seems to be yet to come."""
    played = await harness.match()
    harness.kill_at("posted")
    await harness.ann.command("binary-primes move", channel=played.place, square="b2")
    await harness.killed.wait()
    harness.clock = DiscordClock(lambda: time.time() - 3600, seconds_since_boot)  # pyright: ignore[reportAttributeAccessIssue]  -- the bot's own
    await harness.restart()
    await harness.settled()
    assert boards(played) == [[], BUTTONS]


@sampled("ends", [False, True])
async def test_a_board_whose_answer_was_lost_is_found(harness: Harness, ends: bool) -> None:
    played = await harness.match()
    if ends:
        asked = await harness.ann.command("match resign", channel=played.place)
        harness.faults.lose_answer("POST", MESSAGES)
        await harness.ann.press(asked.message, "Resign")
    else:
        await lost(harness, played)
    await harness.until(lambda: len(boards(played)) == 2)
    await harness.settled()
    assert boards(played) == [[], ["Rematch", "Replay", "More …"] if ends else BUTTONS]
    assert (harness.told(harness.ann), harness.told(harness.bea)) == (1, 2)


async def test_a_challenge_whose_answer_was_lost_is_found(harness: Harness) -> None:
    harness.faults.lose_answer("POST", MESSAGES)
    played = await harness.challenge(opponent=harness.bea)
    assert [labels(one)[:1] for one in harness.dora.read_messages("games")] == [["Accept"]]
    assert harness.told(harness.bea) == 1
    harness.faults.lose_answer("POST", MESSAGES)
    await harness.bea.press(played.lobby, "Decline")
    await harness.settled()
    assert harness.told(harness.ann) == 1, "of the end of a challenge a message of its own tells once"
    assert ["declined" in one["content"] for one in harness.dora.read_messages("games")] == [True], (
        "and stands there alone"
    )


async def test_a_challenge_for_one_whose_answer_was_lost_is_found(harness: Harness) -> None:
    """Two of the same person look alike but for their numbers; when their threads are there, both are gone."""
    for _ in range(2):
        harness.faults.lose_answer("POST", MESSAGES)
        await harness.ann.command("sums-grid challenge", channel="games", seats=1)
        await harness.settled()
    assert harness.dora.read_messages("games") == []
    assert len({(await harness.row(match)).thread for match in (1, 2)}) == 2


async def orphaned(harness: Harness) -> tuple[Played, Any]:
    """A match with two boards of the same move, since the bot may not look; the first is known to nobody."""
    played = await harness.match()
    harness.faults.deny(None, "read_message_history")
    await lost(harness, played)
    await harness.until(lambda: len(boards(played)) == 3)
    await harness.settled()
    played = await played.fresh()
    orphan = played.boards[1]
    del orphan["nonce"]
    harness.faults.allow(None, "read_message_history")
    return played, orphan


async def test_a_board_that_nobody_knows_of_is_closed_when_it_is_pressed(harness: Harness) -> None:
    """The player who pressed it is led to the real one, and a move made on it counts once."""
    played, orphan = await orphaned(harness)
    opened = await form_of(harness.bea, orphan)
    moved = await harness.bea.submit(opened, {"Square": "a1"})
    assert moved.kind == "acknowledged"
    await harness.settled()
    played = await played.fresh()
    assert played.record == [(1, "b2"), (2, "a1")]
    assert boards(played) == [[], [], [], BUTTONS]
    assert "The match goes on here: https://" in people.text_of(orphan)


@pytest.mark.long
async def test_a_board_that_nobody_knows_of_and_that_is_out_of_date_leads_to_the_real_one(harness: Harness) -> None:
    played, orphan = await orphaned(harness)
    played = await played.move("a1")
    refused = await harness.ann.press(orphan, "Move")
    assert "The match moved on while you were choosing." in refused.text
    assert link(played) in refused.text
    await harness.settled()
    assert boards(played) == [[], [], [], BUTTONS]
    assert alone_lost_its_buttons(orphan)


def alone_lost_its_buttons(orphan: Any) -> bool:
    """Whether a board still shows its picture and says where the real one is."""
    return (
        bool(people.list_media(orphan))
        and "is to move" in people.text_of(orphan)
        and "https://" in people.text_of(orphan)
    )


def link(played: Played) -> str:
    """A link to the board of a match."""
    row = played.row
    return f"https://discord.com/channels/{row.guild}/{row.board_channel}/{row.board_message}"


async def test_a_challenge_that_nobody_knows_of_is_closed_when_it_is_pressed(harness: Harness) -> None:
    harness.faults.deny(None, "read_message_history")
    harness.faults.lose_answer("POST", MESSAGES)
    played = await table(harness, "binary-scramble", harness.ann, seats=3)
    lobbies = [one for one in harness.sandbox.world.messages[played.lobby["channel_id"]].values() if labels(one)]
    assert [labels(one) for one in lobbies] == [labels(played.lobby)] * 2
    orphan = lobbies[0]
    del orphan["nonce"]
    await harness.dora.press(orphan, "Rules")
    await harness.settled()
    assert [labels(one)[:1] for one in lobbies] == [[], ["Join"]]


@pytest.mark.long
async def test_a_found_board_does_not_speak_of_a_proposal_that_lapsed(harness: Harness) -> None:
    """The board that nobody noted says who wants to call the match off, which is not so any more."""
    played = await secret(harness, harness.bea, harness.cem)
    harness.sandbox.world.listeners.clear()
    harness.life.client.loops.tasks["reconciling"].cancel()
    harness.faults.lose_answer("POST", MESSAGES)
    await harness.bea.command("match abort", channel=played.place)
    await harness.until(lambda: len(boards(played)) == 2)
    again = await harness.bea.command("match abort", channel=played.place)
    await harness.bea.press(again, "Take it back")
    await harness.settled()
    said = [people.text_of(one) for one in (await played.fresh()).boards if labels(one)]
    assert len(said) == 1 and "wants to call the match off" not in said[0]


@pytest.mark.long
async def test_a_found_board_is_followed_by_what_it_does_not_say(harness: Harness) -> None:
    played = await harness.match(harness.bea, harness.cem)
    harness.sandbox.world.listeners.clear()
    harness.life.client.loops.tasks["reconciling"].cancel()
    await lost(harness, played)
    await harness.until(lambda: len(boards(played)) == 2)
    told = harness.told(harness.bea), harness.told(harness.cem)
    await harness.cem.command("match abort", channel=played.place)
    await harness.settled()
    said = [people.text_of(one) for one in (await played.fresh()).boards if labels(one)]
    assert len(said) == 1 and f"{called(harness.cem)} wants to call the match off" in said[0]
    assert (harness.told(harness.bea), harness.told(harness.cem)) == (told[0] + 1, told[1])


async def put_back(harness: Harness, copy: Path) -> None:
    """The bot is stopped, the copy restored, and another started."""
    harness.life.kill()
    harness.deaths += 1
    await harness.life.end()
    await harness.store.close()
    await restore(copy, harness.url, force=True)
    await harness.restart()
    await harness.settled()


@sampled("pressed", [False, True])
async def test_a_backup_that_was_put_back_leaves_one_board(harness: Harness, pressed: bool) -> None:
    """What was played after the copy is lost; its board shows it still, without buttons, above the one that counts."""
    played = await (await harness.match()).move("b2")
    copy = harness.file.with_name("copy.db")
    await backup(harness.url, copy)
    played = await (await played.move("a1")).move("c3")
    opened = await form_of(harness.bea, played.board)
    told = harness.told(harness.bea)
    await put_back(harness, copy)
    if pressed:
        reply = await harness.bea.submit(opened, {"Square": "a2"})
        assert "nothing was played" in reply.text
        await harness.settled()
    played = await played.fresh()
    assert played.record == [(1, "b2")]
    assert boards(played) == [[], [], [], BUTTONS], "the board of the copy takes its own place, below those"
    assert harness.told(harness.bea) == told + 1, "it is her move again"
    assert await played.move("a1")


@pytest.mark.long
async def test_a_lobby_of_before_the_backup_is_open_again(harness: Harness) -> None:
    played = await harness.challenge(opponent=harness.bea)
    copy = harness.file.with_name("copy.db")
    await backup(harness.url, copy)
    await harness.bea.press(played.lobby, "Accept")
    await harness.settled()
    before = await played.fresh()
    await put_back(harness, copy)
    assert labels(played.lobby)[:1] == ["Accept"]
    with suppress(NoAnswerInTime):
        await harness.ann.press(before.board, "Move")
    await harness.bea.press(played.lobby, "Accept")
    await harness.settled()
    played = await played.fresh()
    assert boards(played)[-1] == BUTTONS and boards(played).count(BUTTONS) == 1
    assert await played.move("b2", played.mover)
