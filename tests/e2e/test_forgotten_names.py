"""Whoever is forgotten is named by no board, result, thread or post that the bot knows; it says which lines stay."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.features.settings import loop as settings_loop
from bot.play.ids import UserId
from bot.play.rows import Absence
from bot.sandbox import people
from cogs.privacy import FORGOTTEN
from data.store import NOTE, ForgottenList, Reader, Transaction
from tests.e2e.house import House, Played, called
from tests.e2e.test_daily import TODAY, puzzle
from tests.e2e.test_daily_channel import DAY, HOUR, chosen, looks, posts, solved


async def over(house: House) -> Played:
    """A match that Bea has lost, whose thread sleeps."""
    played = await (await house.match()).move("b2")
    await house.surely(house.bea, "match resign", match=played.id)
    await house.settled()
    house.faults.archive(played.place)
    return await played.fresh()


async def forgotten(house: House) -> None:
    reply = await house.bea.command("privacy forget", channel="general", confirm="forget me")
    await house.until(lambda: "I have forgotten you" in reply.text)
    assert reply.text == FORGOTTEN


async def rewrites(house: House, seconds: int = 3600) -> None:
    """The bot writes anew what it has to."""
    while await house.store.ask(Reader.find_due_rewritings, house.clock() + seconds, 1):
        await house.run_due_acts(60)
        await house.life.does(house.life.client.name_removal.poll())
    await house.settled()


def named(house: House, played: Played) -> list[str]:
    """Where a thread names Bea."""
    messages = house.sandbox.world.messages[played.place["id"]].values()
    texts = [played.place["name"], *(f"{one['content']} {people.text_of(one)}" for one in messages)]
    return [text for text in texts if "Bea" in text or house.bea.mention in text]


async def test_threads_boards_and_lines_of_matches_that_are_over_lose_the_name(house: House) -> None:
    played = await over(house)
    assert "Bea" in played.place["name"] and len(named(house, played)) > 2
    await forgotten(house)
    await rewrites(house)
    played = await played.fresh()
    assert played.place["name"] == f"✓ Ann · Binary Primes · {played.id}"
    assert played.place["thread_metadata"]["archived"]
    assert "a former player" in people.text_of(played.board) and called(house.ann) in people.text_of(played.board)
    assert called(house.bea) not in people.text_of(played.lobby)
    (stays,) = named(house, played)
    assert "it's your move" in stays, "the line of an earlier turn, which nobody has noted"


async def test_what_was_begun_is_done_after_a_restart(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settings_loop, "AT_A_LOOK", 1)
    played = [await over(house) for _ in range(3)]
    await forgotten(house)
    await house.run_due_acts(60)
    await house.life.does(house.life.client.name_removal.poll())
    names = [(await one.fresh()).place["name"] for one in played]
    assert sum("Bea" in name for name in names) == 2, "one after the other"
    await house.restart()
    await rewrites(house)
    assert not [name for one in played if "Bea" in (name := (await one.fresh()).place["name"])]


async def test_what_discord_refuses_for_a_while_is_tried_again_and_a_locked_thread_is_let_be(house: House) -> None:
    played, locked = await over(house), await over(house)
    house.faults.archive(locked.place, locked=True)
    await forgotten(house)
    house.faults.fail_requests("PATCH", "/channels/{channel_id}", 503, 3)
    await rewrites(house, 7200)
    assert "Bea" not in (await played.fresh()).place["name"]
    assert "Bea" in (await locked.fresh()).place["name"]
    assert await house.store.ask(Reader.find_due_rewritings, house.clock() + 10**6, 9) == []


async def test_the_line_of_a_renaming_goes_also_where_its_title_ends_in_the_new_one(house: House) -> None:
    played = await house.match(house.bea, house.ann)
    await house.surely(house.bea, "match resign", match=played.id)
    await house.settled()
    assert (await played.fresh()).place["name"] == f"✓ Bea – Ann · Binary Primes · {played.id}"
    await forgotten(house)
    await rewrites(house)
    played = await played.fresh()
    assert played.place["name"] == f"✓ Ann · Binary Primes · {played.id}"
    lines = [one["content"] for one in house.sandbox.world.messages[played.place["id"]].values() if one["type"] == 4]
    assert not [line for line in lines if "Bea" in line]


async def test_a_puzzles_solvers_are_told_without_the_name(house: House) -> None:
    await chosen(house)
    await looks(house, HOUR)
    await solved(house, house.bea, TODAY, puzzle(TODAY).best)
    await looks(house, DAY)
    assert called(house.bea) in people.text_of(posts(house)[-1])
    await forgotten(house)
    await rewrites(house)
    assert called(house.bea) not in people.text_of(posts(house)[-1])
    assert len(posts(house)) == 2


async def test_a_start_on_an_older_copy_forgets_again(
    house: House, folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    played = await over(house)
    listed = ForgottenList(folder / "list")
    house.life.client.umpire.store.forgotten = listed
    await forgotten(house)
    bea = UserId(int(house.bea.id))
    for name, day in (await house.store.ask(Reader.read_notes, NOTE)).items():
        await house.store.do(Transaction.drop_note, name, day)
    await house.store.do(Transaction.add_absence, 1, bea, Absence(5, 9))
    house.life.kill()
    await house.life.end()
    house.life = house.another()
    house.life.client.umpire.store.forgotten = listed
    with caplog.at_level("INFO", "bot.app.client"):
        await house.life.begin()
    assert "The copy knew a person who has been forgotten since: they are forgotten here, too." in caplog.messages
    assert bea not in await house.store.ask(Reader.list_people)
    assert (await played.fresh()).row.state == "finished"


async def test_a_thread_that_is_still_awake_keeps_the_mark_of_a_match_that_is_over(house: House) -> None:
    played = await (await house.match()).move("b2")
    await house.surely(house.bea, "match resign", match=played.id)
    await house.settled()
    played = await played.fresh()
    assert played.place["name"] == f"✓ Ann – Bea · Binary Primes · {played.id}"
    await forgotten(house)
    await rewrites(house)
    assert (await played.fresh()).place["name"] == f"✓ Ann · Binary Primes · {played.id}"


async def test_the_answer_says_which_boards_and_lines_keep_the_name(house: House) -> None:
    played = await (await (await house.match()).move("b2")).move("a1", house.bea)
    await house.surely(house.ann, "match resign", match=played.id)
    await house.settled()
    await forgotten(house)
    await rewrites(house)
    last = str((await played.fresh()).row.board_message)
    boards = [one for one in house.sandbox.world.messages[played.place["id"]].values() if people.list_media(one)]
    named_on = [one["id"] for one in boards if called(house.bea) in people.text_of(one)]
    assert named_on and last not in named_on
    assert "Earlier boards and posts and other lines, as of challenges that expired, stay as they are" in FORGOTTEN
    assert "is taken off each match's last board" in FORGOTTEN


async def test_a_match_that_ends_by_the_request_is_marked_and_loses_the_name(house: House) -> None:
    played = await (await house.match()).move("b2")
    await forgotten(house)
    await house.life.client.publisher.catch_up()
    await house.settled()
    await rewrites(house)
    assert (await played.fresh()).place["name"] == f"✓ Ann · Binary Primes · {played.id}"
