"""A server that removes the bot: its matches end, people are told where they can be, and in a month its data goes."""

from __future__ import annotations

import asyncio

import pytest

from bot.features.settings.loop import EVERY
from bot.play.clocks import DAY
from bot.sandbox import people
from bot.umpire.acts import CLOSED
from data.queries.privacy import DEPARTED
from data.store import Reader
from tests.e2e.harness import MESSAGE, Harness, labels
from tests.e2e.test_closed_places import closed, looks, mail, recovers
from tests.e2e.test_leagues import begun, league


async def meets_elsewhere(harness: Harness) -> None:
    """All are in another server with the bot, where it can still write to them."""
    harness.sandbox.world.found_server("Chess club", people=("Ann", "Bea", "Cem", "Dora"))
    await harness.until(lambda: len(harness.life.client.guilds) == 2)


async def departs(harness: Harness, seconds: int = 0) -> None:
    """So much later the bot looks which servers it is in."""
    await looks(harness, seconds)
    await asyncio.sleep(EVERY)
    await harness.life.does(harness.life.client.get_cog("DepartedServers").poll())  # type: ignore[union-attr]
    await harness.settled()


async def test_matches_of_a_server_that_removes_the_bot_end_at_once_and_both_are_told(harness: Harness) -> None:
    await meets_elsewhere(harness)
    played, other = await harness.match(), await harness.match(harness.bea, harness.cem)
    harness.faults.kick()
    await recovers(harness, 2)
    await looks(harness)
    row = (await played.fresh()).row
    assert (row.state, row.rated, row.close_reason) == ("aborted", False, CLOSED)
    assert (await other.fresh()).row.state == "aborted"
    (told,) = mail(harness.ann)
    assert told.startswith(f"{harness.ann.mention}, in Binary Primes · {played.id}")
    assert f"the match is over. {CLOSED}" in told
    assert len(mail(harness.bea)) == 2 and len(mail(harness.cem)) == 1
    await departs(harness, DAY)
    assert len(mail(harness.ann)) == 1 and len(mail(harness.bea)) == 2


async def test_a_place_that_was_closed_before_does_not_keep_a_match_from_ending(harness: Harness) -> None:
    await meets_elsewhere(harness)
    played = await closed(harness)
    harness.faults.kick()
    await departs(harness)
    assert (await played.fresh()).row.state == "aborted"
    assert [CLOSED in told for told in mail(harness.ann)] == [True]


async def test_a_month_after_the_bot_was_removed_nothing_is_kept_of_a_server(harness: Harness) -> None:
    played = await harness.match()
    await departs(harness)
    harness.faults.kick()
    await departs(harness)
    await departs(harness, 29 * DAY)
    assert await harness.store.ask(Reader.load_row, played.id)
    await departs(harness, DAY)
    assert await harness.store.ask(Reader.load_row, played.id) is None
    assert await harness.store.ask(Reader.list_servers) == frozenset()
    assert await harness.store.ask(Reader.read_notes, DEPARTED) == {}
    harness.faults.invite()
    await recovers(harness)
    assert (await harness.match()).id > played.id


async def test_a_server_that_has_the_bot_back_within_a_month_keeps_its_data(harness: Harness) -> None:
    played = await harness.match()
    harness.faults.kick()
    await departs(harness)
    harness.faults.invite()
    await recovers(harness)
    assert CLOSED in people.text_of((await played.fresh()).board)
    await departs(harness, 20 * DAY)
    harness.faults.kick()
    await departs(harness, 20 * DAY)
    assert await harness.store.ask(Reader.load_row, played.id)


async def test_a_board_that_could_not_be_closed_before_the_bot_was_removed_is_closed_when_it_is_back(
    harness: Harness,
) -> None:
    harness.forgiven.append("An old message")
    played = await harness.match()
    harness.faults.fail_requests("PATCH", MESSAGE, 403, times=2)
    await harness.ann.command("binary-primes move", channel=played.place, square="b2")
    await harness.until(lambda: len(harness.sandbox.requests_of("PATCH", MESSAGE)) > 1)
    harness.faults.kick()
    await asyncio.sleep(2)
    await harness.life.does(harness.life.client.get_cog("DepartedServers").poll())  # type: ignore[union-attr]
    await departs(harness)
    assert labels(played.boards[0]), "nobody could close it"
    harness.faults.invite()
    await recovers(harness)
    played = await played.fresh()
    assert [labels(board) for board in played.boards[:-1]] == [[]] * (len(played.boards) - 1)
    assert CLOSED in people.text_of(played.board) and len(played.boards) > 1


async def test_a_server_that_removed_the_bot_while_it_was_away_is_noticed_at_its_start(harness: Harness) -> None:
    played = await harness.match()
    await departs(harness, 2 * DAY)
    harness.life.kill()
    harness.faults.kick()
    await harness.restart()
    await recovers(harness, 2)
    assert (await played.fresh()).row.close_reason == CLOSED


@pytest.mark.long
async def test_a_league_does_not_go_on_where_the_bot_was_removed(harness: Harness) -> None:
    await begun(harness)
    harness.faults.kick()
    await departs(harness)
    await departs(harness, DAY)
    assert (await league(harness)).league.state == "cancelled"
    assert set(await harness.store.ask(Reader.count_by_state)) == {"aborted"}
