"""Discord makes no thread for minutes: matches begin in their channel and move when there is one, and nobody waits."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from datetime import datetime

import pytest

from bot.features.board.words import THREAD_LATER
from bot.features.challenges.words import THREAD_COMES
from bot.sandbox import people
from bot.sandbox.interactions import NoAnswerInTime
from bot.sandbox.people import Person
from tests.e2e.harness import Harness, Played, labels
from tests.e2e.test_leagues import CREATE, league, looked, message

THREADS = "/channels/{channel_id}/messages/{message_id}/threads"
LIMITED = ("rate limited.*/threads",)


@pytest.fixture
def reconcile() -> float:
    return 5.0


def link(played: Played) -> str:
    """The address of the place where a match is played."""
    return f"https://discord.com/channels/{played.row.guild}/{played.place['id']}"


def asked(harness: Harness, channel: str = "games") -> int:
    """How often a thread was asked for in a channel."""
    number = harness.sandbox.channel(channel)["id"]
    return sum(f"/channels/{number}/" in entry.path for entry in harness.sandbox.requests_of("POST", THREADS))


async def limited(harness: Harness) -> Played:
    """A match that began while Discord made no thread, as it stands 20 seconds later."""
    harness.forgiven += LIMITED
    harness.faults.limit_threads(200)
    challenge = await harness.challenge(opponent=harness.bea)
    await harness.bea.press(challenge.lobby, "Accept")
    await asyncio.sleep(20)
    return await challenge.fresh()


async def test_a_match_that_gets_no_thread_begins_in_its_channel_within_seconds(harness: Harness) -> None:
    begun = asyncio.get_running_loop().time()
    harness.forgiven += LIMITED
    harness.faults.limit_threads(200)
    challenge = await harness.challenge(opponent=harness.bea)
    await harness.bea.press(challenge.lobby, "Accept")
    await harness.until(lambda: harness.told(harness.ann))
    assert asyncio.get_running_loop().time() - begun < 10
    await harness.settled()
    played = await challenge.fresh()
    assert (played.place["name"], labels(played.board)) == ("games", ["Move", "Rules", "More …"])
    assert THREAD_LATER in people.text_of(played.board)
    shown = people.text_of(played.lobby)
    assert f"/{played.board['id']}" in shown and THREAD_COMES in shown, shown


async def test_it_moves_to_its_thread_with_a_later_board(harness: Harness) -> None:
    played = await limited(harness)
    last = (await played.move("b2")).board
    assert asked(harness) == 1, "while it is known to be in vain nobody asks"
    await asyncio.sleep(200)
    played = await (await played.fresh()).move("a1")
    assert played.place["name"] == f"Ann – Bea · Binary Primes · {played.id}"
    assert [labels(board) for board in played.boards] == [["Move", "Rules", "More …"]]
    assert THREAD_LATER not in people.text_of(played.board) and harness.told(harness.ann) == 2
    last = harness.sandbox.world.message(last["channel_id"], last["id"])
    assert labels(last) == [] and f"The match goes on here: {link(played)}" in people.text_of(last)
    assert f"/{played.place['id']}" in people.text_of(played.lobby) and THREAD_COMES not in people.text_of(played.lobby)


@pytest.mark.long
async def test_it_moves_after_a_restart_too(harness: Harness) -> None:
    played = await limited(harness)
    await harness.restart()
    await asyncio.sleep(200)
    assert (await played.move("b2")).place["name"].startswith("Ann – Bea")


async def test_a_match_that_ends_in_the_channel_stays_there(harness: Harness) -> None:
    played = await limited(harness)
    await asyncio.sleep(200)
    await harness.surely(harness.ann, "match resign", channel="games")
    await harness.settled()
    played = await played.fresh()
    assert played.place["name"] == "games" and " beat " in people.text_of(played.board)
    assert THREAD_LATER not in people.text_of(played.board) and asked(harness) == 1


async def test_commands_in_the_channel_find_the_match_that_waits_for_its_thread(harness: Harness) -> None:
    played = await limited(harness)
    reply = await harness.ann.command("move", channel="games", line="b2")
    assert reply.text.startswith("You played **b2**"), reply.text
    assert played.row.thread == played.row.channel


async def test_a_thread_that_was_made_before_the_answer_came_is_taken(harness: Harness) -> None:
    """discord.py holds an answer back until a limit is over that it tells of."""
    harness.faults.delay_requests("POST", THREADS, 8.0, applied=True)
    challenge = await harness.challenge(opponent=harness.bea)
    await harness.bea.press(challenge.lobby, "Accept")
    await asyncio.sleep(7)
    assert (await challenge.fresh()).place["name"].startswith("Ann – Bea")


async def test_a_server_that_removes_the_bot_while_a_match_waits_for_its_turn_to_get_a_thread(harness: Harness) -> None:
    first, second = (
        await harness.challenge(opponent=harness.bea),
        await harness.challenge(harness.cem, opponent=harness.dora),
    )
    harness.faults.delay_requests("POST", THREADS, 3.0)
    await harness.bea.press(first.lobby, "Accept")
    await harness.dora.press(second.lobby, "Accept")
    await asyncio.sleep(1)
    harness.faults.kick()
    await harness.until(lambda: not harness.life.client.guilds)
    await asyncio.sleep(5)
    await harness.settled()
    assert asked(harness) == 1, "nothing is asked for in a server that we are not in"


async def test_a_limit_in_one_channel_holds_up_no_other(harness: Harness) -> None:
    harness.forgiven += LIMITED
    harness.faults.limit_threads(200, channel="games")
    one = await harness.challenge(opponent=harness.bea)
    other = await harness.challenge(harness.cem, "general", opponent=harness.dora)
    await harness.bea.press(one.lobby, "Accept")
    await harness.dora.press(other.lobby, "Accept")
    await asyncio.sleep(2)
    assert (await other.fresh()).place["name"].startswith("Cem – Dora")


async def eight(harness: Harness) -> list[Person]:
    """Eight people, all of them in a league that has just begun."""
    for name in ("Emil", "Fay", "Gus", "Hana"):
        harness.sandbox.world.find_or_make_user(name)
        harness.faults.join(name)
    people = [harness.sandbox.person(name) for name in ("Ann", "Bea", "Cem", "Dora", "Emil", "Fay", "Gus", "Hana")]
    await harness.ann.command(CREATE, channel="games", game="binary-primes")
    await looked(harness)
    for person in people[1:]:
        await person.press(await message(harness), "Join")
    await looked(harness)
    await harness.ann.press(await message(harness), "Start now")
    return people


async def stands(harness: Harness, begun: float) -> list[tuple[int, int, str, bool]]:
    """Of each match of the league: its number, when its board was posted, where that stands, and whether both people
    were told."""
    found: list[tuple[int, int, str, bool]] = []
    for pair in (await league(harness)).pairings:
        if not pair.match:
            continue
        played = Played(harness, pair.match, await harness.row(pair.match))
        at = datetime.fromisoformat(played.boards[0]["timestamp"]).timestamp() - begun if played.boards else -1
        name = played.place["name"] if played.boards else "nowhere"
        found.append((pair.match, round(at), name, not pair.users_to_notify))
    return found


def table(rows: list[tuple[int, int, str, bool]]) -> str:
    """The same, to be read."""
    head = "match  board after  where                                both told"
    return "\n".join([head, *(f"{match:5}  {at:9} s  {name:36} {told}" for match, at, name, told in rows)])


async def test_a_league_asks_for_its_threads_no_faster_than_they_are_given(harness: Harness) -> None:
    """Two threads, then none for 200 seconds. Nobody of a league has pressed a button and waits; no clock runs."""
    harness.forgiven += LIMITED
    harness.faults.limit_threads(200, "games", after=2)
    people = await eight(harness)
    begun = harness.sandbox.world.clock()
    await asyncio.sleep(100)
    rows = await stands(harness, begun)
    general = str(harness.sandbox.channel("general")["id"])
    await harness.ann.command("binary-primes challenge", channel="general", opponent=harness.bea)
    await asyncio.sleep(2)
    await harness.bea.press(harness.bea.read_latest_message("general"), "Accept")
    await asyncio.sleep(2)
    threads = [one for one in harness.sandbox.world.channels.values() if one.get("parent_id") == general]
    assert ["Binary Primes" in one["name"] for one in threads] == [True], "a match in another channel begins at once"
    assert sum(at >= 0 for _, at, _, _ in rows) == 2, table(rows)
    assert asked(harness) == 3, "one more than were given"
    await asyncio.sleep(200)
    rows = await stands(harness, begun)
    print(f"\n{table(rows)}")
    assert len(rows) == 12 and all(told and " – " in name and 0 <= at <= 250 for _, at, name, told in rows), table(rows)
    told = [harness.told(person) for person in people]
    assert told == [2, 2, 1, 1, 1, 1, 1, 1], "once of their three matches; two also of the one in the other channel"


@pytest.mark.long
async def test_a_league_that_waits_too_long_for_threads_begins_in_its_channel(harness: Harness) -> None:
    harness.forgiven += LIMITED
    harness.faults.limit_threads(3600, after=2)
    await eight(harness)
    begun = harness.sandbox.world.clock()
    await asyncio.sleep(700)
    rows = await stands(harness, begun)
    print(f"\n{table(rows)}")
    assert [name for _, _, name, _ in rows].count("games") == 10, table(rows)
    assert all(told and 0 <= at <= 660 for _, at, _, told in rows), table(rows)


async def test_a_board_that_was_posted_in_the_channel_and_not_noted_is_found_before_the_match_moves(
    harness: Harness,
) -> None:
    played = await limited(harness)
    told = harness.told(harness.bea)
    harness.kill_at("posted")
    with suppress(NoAnswerInTime):
        await harness.ann.command("move", channel="games", line="b2")
    await harness.killed.wait()
    await asyncio.sleep(200)
    harness.faults.forget_nonces()
    await harness.restart()
    await harness.settled()
    played = await played.fresh()
    assert harness.told(harness.bea) == told + 1
    assert played.place["name"] == "games", "nobody is told twice, so it moves with the next board"
    played = await played.move("a1")
    assert played.place["name"].startswith("Ann – Bea")
