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
from tests.e2e.house import MESSAGE, House, labels
from tests.e2e.test_closed_places import closed, looks, mail, recovers
from tests.e2e.test_leagues import begun, league


async def meets_elsewhere(house: House) -> None:
    """All are in another server with the bot, where it can still write to them."""
    house.sandbox.world.found_server("Chess club", people=("Ann", "Bea", "Cem", "Dora"))
    await house.until(lambda: len(house.life.client.guilds) == 2)


async def departs(house: House, seconds: int = 0) -> None:
    """So much later the bot looks which servers it is in."""
    await looks(house, seconds)
    await asyncio.sleep(EVERY)
    await house.life.does(house.life.client.get_cog("DepartedServers").poll())  # type: ignore[union-attr]
    await house.settled()


async def test_matches_of_a_server_that_removes_the_bot_end_at_once_and_both_are_told(house: House) -> None:
    await meets_elsewhere(house)
    played, other = await house.match(), await house.match(house.bea, house.cem)
    house.faults.kick()
    await recovers(house, 2)
    await looks(house)
    row = (await played.fresh()).row
    assert (row.state, row.rated, row.close_reason) == ("aborted", False, CLOSED)
    assert (await other.fresh()).row.state == "aborted"
    (told,) = mail(house.ann)
    assert told.startswith(f"{house.ann.mention}, in Binary Primes · {played.id}")
    assert f"the match is over. {CLOSED}" in told
    assert len(mail(house.bea)) == 2 and len(mail(house.cem)) == 1
    await departs(house, DAY)
    assert len(mail(house.ann)) == 1 and len(mail(house.bea)) == 2


async def test_a_place_that_was_closed_before_does_not_keep_a_match_from_ending(house: House) -> None:
    await meets_elsewhere(house)
    played = await closed(house)
    house.faults.kick()
    await departs(house)
    assert (await played.fresh()).row.state == "aborted"
    assert [CLOSED in told for told in mail(house.ann)] == [True]


async def test_a_month_after_the_bot_was_removed_nothing_is_kept_of_a_server(house: House) -> None:
    played = await house.match()
    await departs(house)
    house.faults.kick()
    await departs(house)
    await departs(house, 29 * DAY)
    assert await house.store.ask(Reader.load_row, played.id)
    await departs(house, DAY)
    assert await house.store.ask(Reader.load_row, played.id) is None
    assert await house.store.ask(Reader.list_servers) == frozenset()
    assert await house.store.ask(Reader.read_notes, DEPARTED) == {}
    house.faults.invite()
    await recovers(house)
    assert (await house.match()).id > played.id


async def test_a_server_that_has_the_bot_back_within_a_month_keeps_its_data(house: House) -> None:
    played = await house.match()
    house.faults.kick()
    await departs(house)
    house.faults.invite()
    await recovers(house)
    assert CLOSED in people.text_of((await played.fresh()).board)
    await departs(house, 20 * DAY)
    house.faults.kick()
    await departs(house, 20 * DAY)
    assert await house.store.ask(Reader.load_row, played.id)


async def test_a_board_that_could_not_be_closed_before_the_bot_was_removed_is_closed_when_it_is_back(
    house: House,
) -> None:
    house.forgiven.append("An old message")
    played = await house.match()
    house.faults.fail_requests("PATCH", MESSAGE, 403, times=2)
    await house.ann.command("binary-primes move", channel=played.place, square="b2")
    await house.until(lambda: len(house.sandbox.requests_of("PATCH", MESSAGE)) > 1)
    house.faults.kick()
    await asyncio.sleep(2)
    await house.life.does(house.life.client.get_cog("DepartedServers").poll())  # type: ignore[union-attr]
    await departs(house)
    assert labels(played.boards[0]), "nobody could close it"
    house.faults.invite()
    await recovers(house)
    played = await played.fresh()
    assert [labels(board) for board in played.boards[:-1]] == [[]] * (len(played.boards) - 1)
    assert CLOSED in people.text_of(played.board) and len(played.boards) > 1


async def test_a_server_that_removed_the_bot_while_it_was_away_is_noticed_at_its_start(house: House) -> None:
    played = await house.match()
    await departs(house, 2 * DAY)
    house.life.kill()
    house.faults.kick()
    await house.restart()
    await recovers(house, 2)
    assert (await played.fresh()).row.close_reason == CLOSED


@pytest.mark.long
async def test_a_league_does_not_go_on_where_the_bot_was_removed(house: House) -> None:
    await begun(house)
    house.faults.kick()
    await departs(house)
    await departs(house, DAY)
    assert (await league(house)).league.state == "cancelled"
    assert set(await house.store.ask(Reader.count_by_state)) == {"aborted"}
