"""Leagues where Discord or the bot fails, where links lead, and what no honest client sends; the rest are stories."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from bot.features.leagues.service import WEEK
from bot.play.league_tables import LoadedLeague
from bot.sandbox import people as sandbox_people
from bot.sandbox.people import Person
from data.queries.outbox import SETTLES
from data.store import Reader
from tests.e2e.harness import MESSAGE, MESSAGES, Harness, Json, Played, called, labels, said
from tests.simulation.life import living
from tests.support.sampled import sampled

DAY = 86_400
CREATE = "league create"


@pytest.fixture(autouse=True)
async def noon(harness: Harness) -> None:
    """It is noon, and stays so until somebody puts the clock forward."""
    harness.clock.at = harness.clock() // DAY * DAY + DAY // 2
    await harness.run_due_acts(0)


def people(harness: Harness) -> tuple[Person, ...]:
    return harness.ann, harness.bea, harness.cem, harness.dora


async def looked(harness: Harness) -> None:
    """The bot has looked after its leagues, shown all matches, and looked again, since these have places only then."""
    await shown(harness)
    for _ in range(2):
        await harness.life.does(harness.life.client.handlers.league_keeper.poll())
        await shown(harness)


async def shown(harness: Harness) -> None:
    """A moment goes by, and all that was to be edited then is."""
    await harness.run_due_acts(SETTLES)
    await harness.settled()


async def league(harness: Harness, at: int = -1) -> LoadedLeague:
    """A league of the server, the oldest at 0."""
    found = await harness.store.ask(
        Reader.list_leagues, int(harness.sandbox.world.home_guild["id"]), ("open", "live", "finished", "cancelled")
    )
    loaded = await harness.store.ask(Reader.load_league, found[::-1][at].id)
    assert loaded
    return loaded


async def message(harness: Harness, at: int = -1) -> Json:
    """The one message of a league."""
    row = (await league(harness, at)).league
    return harness.sandbox.world.message(str(row.channel), str(row.message))


async def opened(harness: Harness) -> Json:
    """A league of all four, opened by Ann, that people can join."""
    reply = await harness.ann.command(CREATE, channel="games", game="binary-primes")
    assert reply.is_ephemeral and reply.text.startswith("You opened the "), reply.text
    await looked(harness)
    for person in people(harness)[1:]:
        reply = await person.press(await message(harness), "Join")
        assert reply.text.startswith("You're in the Binary Primes league, season 1. It starts <t:"), reply.text
    await looked(harness)
    return await message(harness)


async def begun(harness: Harness) -> LoadedLeague:
    """The same, started by its host: four people have all their matches at once."""
    await harness.ann.press(await opened(harness), "Start now")
    await looked(harness)
    return await league(harness)


async def match(harness: Harness, one: Person, other: Person) -> Played:
    """The match of two people."""
    drawn = (await league(harness)).pairings
    number = next(pair.match for pair in drawn if pair.has(user(one)) and pair.has(user(other)))
    assert number
    return Played(harness, number, await harness.row(number))


def user(person: Person) -> Any:
    return int(person.id)


async def lost(harness: Harness, loser: Person, winner: Person) -> None:
    """Somebody gives up their match with somebody else."""
    played = await match(harness, loser, winner)
    await harness.surely(loser, "match resign", channel=played.place)
    await looked(harness)
    await asyncio.sleep(20)


@sampled("fault", ["applied", "dropped", "hangs"])
async def test_messages_whose_answers_are_lost_are_posted_once(harness: Harness, fault: str) -> None:
    """The sign-up's answer is lost, and so is that of the end; the bot dies, and Discord forgets nonces meanwhile."""

    def trouble() -> None:
        if fault == "hangs":
            harness.faults.delay_requests("POST", MESSAGES, 40.0, applied=True)
        else:
            harness.faults.lose_answer("POST", MESSAGES, applied=fault == "applied")

    trouble()
    await harness.ann.command(CREATE, channel="games", game="binary-primes", days=1)
    await harness.life.idle()
    await harness.restart()
    await asyncio.sleep(900)
    await looked(harness)
    shown = await message(harness)
    for person in people(harness)[1:]:
        await person.press(shown, "Join")
    await harness.ann.press(shown, "Start now")
    await looked(harness)
    await harness.run_due_acts(4 * WEEK)
    trouble()
    await harness.life.does(harness.life.client.handlers.league_keeper.poll())
    await harness.restart()
    await asyncio.sleep(900)
    await looked(harness)
    posted = [one for one in harness.dora.read_messages("games") if "season 1" in said(one).lower()]
    posted = [one for one in posted if one["ephemeral_for"] is None]
    assert [labels(one) for one in posted] == [[], ["Next season"]]


async def test_a_league_whose_message_is_deleted_or_whose_channel_is_closed(harness: Harness) -> None:
    shown = await opened(harness)
    harness.sandbox.world.remove_message(shown)
    await harness.surely(harness.ann, "league leave", channel="games")
    await looked(harness)
    again = await message(harness)
    assert again["id"] != shown["id"] and "**3 people have joined:**" in said(again)
    harness.faults.fail_requests("PATCH", MESSAGE, 403)
    await harness.ann.press(again, "Join")
    await looked(harness)
    await harness.ann.press(again, "Start now")
    await looked(harness)
    assert "0 of 6 matches are over." in said(await message(harness)), "the next change is shown again"


async def test_a_forged_answer_does_only_what_its_sender_may(harness: Harness) -> None:
    await begun(harness)
    for about in ("7", "", "x", "9" * 19, "9" * 20, "-1"):
        forged = await harness.forge(harness.cem, await message(harness), f"p:leaguejoin:{about}")
        assert forged.text.startswith(("There is no such league here.", "I couldn't", "This")), forged.text
    shown, number = await message(harness), (await league(harness)).league.id
    before = await league(harness)
    host = f"Only {called(harness.ann)} and people who can manage this server can do that."
    for page, about, sentence in (
        ("leaguecancel", f"{number}-live", host),
        ("leagueremove", f"{number}-live-{harness.ann.id}", host),
        ("leagueremove", f"{number}-live", "I couldn't make sense"),
        ("leaguecancel", f"{number}", "This button is out of date."),
        ("leaguecancel", "7-live", "There is no such league here."),
        ("leaguenext", f"{number}", "The next season can be opened when this one is over."),
    ):
        reply = await harness.forge(harness.cem, shown, f"p:{page}:{about}")
        assert reply.is_ephemeral and reply.text.startswith(sentence), (page, about, reply.text)
    assert await league(harness) == before
    for text in ("binary", "Binary Primes league, season 1", "9" * 30, "7"):
        reply = await harness.ann.command("league cancel", channel="games", league=text)
        assert reply.text == "There is no such league here. /league table shows those there are."


async def test_killed_while_people_are_told_of_their_matches(harness: Harness) -> None:
    await opened(harness)
    harness.kill_at("begun")
    await harness.ann.press(await message(harness), "Start now")
    await harness.settled()
    mark = living.set(harness.life)
    look = asyncio.create_task(harness.life.client.handlers.league_keeper.poll())
    living.reset(mark)
    await harness.killed.wait()
    await asyncio.wait((look,))
    await harness.restart()
    await looked(harness)
    await looked(harness)
    assert [harness.told(person) for person in people(harness)] == [1, 1, 1, 1]


async def test_links_lead_to_the_table_where_it_stands_and_from_there_to_who_won(harness: Harness) -> None:
    row = (await begun(harness)).league
    channel = f"https://discord.com/channels/{row.guild}/{row.channel}"
    await lost(harness, harness.ann, harness.bea)
    over = await match(harness, harness.ann, harness.bea)
    assert f"-# [League]({channel}/{row.message}), season 1, round " in said(over.board)
    first = harness.ann.list_notifications()[0]
    told = harness.sandbox.world.message(str(first["channel"]), str(first["message"]))
    assert told["content"].endswith(f"-# The table: {channel}/{row.message}")
    (before,) = sandbox_people.list_media(await message(harness))
    harness.sandbox.world.messages[str(row.channel)].pop(str(row.message))
    await lost(harness, harness.ann, harness.cem)
    anew = (await league(harness)).league.message
    assert anew and anew != row.message
    (picture,) = sandbox_people.list_media(await message(harness))
    assert sandbox_people.bytes_of(harness.sandbox.world, picture).startswith(b"\x89PNG") and picture.url != before.url
    played = await match(harness, harness.ann, harness.dora)
    assert (played.row.round or "").endswith(f" {anew}"), "and lead to the table where it stands now"
    await harness.later(4 * WEEK)
    await looked(harness)
    won = harness.ann.read_latest_message("games")
    assert labels(won) == ["Next season"] and f"({channel}/{won['id']})" in said(await message(harness))


async def test_where_there_are_no_threads_the_opening_line_leads_to_the_board_that_stands(harness: Harness) -> None:
    await harness.ann.command("settings threads", on=False)
    played = await harness.match()
    await harness.life.client.publisher.retry_failed()
    await harness.settled()
    board = f"https://discord.com/channels/{played.row.guild}/{played.row.channel}/{played.row.board_message}"
    assert said(played.lobby).startswith(
        f"{called(harness.ann)} and {called(harness.bea)} are playing **Binary Primes**: {board}"
    )
    await harness.bea.command("match abort", channel=played.place)
    await harness.settled()
    now = await played.fresh()
    assert now.row.board_message != played.row.board_message and len(now.boards) == 1
    assert f"/{now.row.channel}/{now.row.board_message}" in said(now.lobby)
