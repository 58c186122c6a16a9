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
from tests.e2e.harness import Harness, Played, called, said
from tests.e2e.test_daily import TODAY, puzzle
from tests.e2e.test_daily_channel import DAY, HOUR, chosen, looks, posts, solved


async def over(harness: Harness) -> Played:
    """A match that Bea has lost, whose thread sleeps."""
    played = await (await harness.match()).move("b2")
    await harness.surely(harness.bea, "match resign", match=played.id)
    await harness.settled()
    harness.faults.archive(played.place)
    return await played.fresh()


async def forgotten(harness: Harness) -> None:
    reply = await harness.bea.command("privacy forget", channel="general", confirm="forget me")
    await harness.until(lambda: "I have forgotten you" in reply.text)
    assert reply.text == FORGOTTEN


async def rewrites(harness: Harness, seconds: int = 3600) -> None:
    """The bot writes anew what it has to."""
    while await harness.store.ask(Reader.find_due_rewritings, harness.clock() + seconds, 1):
        await harness.run_due_acts(60)
        await harness.life.does(harness.life.client.rewriter.poll())
    await harness.settled()


def named(harness: Harness, played: Played) -> list[str]:
    """Where a thread names Bea."""
    messages = harness.sandbox.world.messages[played.place["id"]].values()
    texts = [played.place["name"], *(f"{one['content']} {people.text_of(one)}" for one in messages)]
    return [text for text in texts if "Bea" in text or harness.bea.mention in text]


async def test_threads_boards_and_lines_of_matches_that_are_over_lose_the_name(harness: Harness) -> None:
    played = await over(harness)
    assert "Bea" in played.place["name"] and len(named(harness, played)) > 2
    await forgotten(harness)
    await rewrites(harness)
    played = await played.fresh()
    assert played.place["name"] == f"✓ Ann – former player · Binary Primes · {played.id}"
    assert played.place["thread_metadata"]["archived"]
    assert "a former player" in people.text_of(played.board) and called(harness.ann) in people.text_of(played.board)
    assert called(harness.bea) not in people.text_of(played.lobby)
    (stays,) = named(harness, played)
    assert "it's your move" in stays, "the line of an earlier turn, which nobody has noted"
    end = f"{harness.ann.mention}, it's over: you beat a former player, who resigned."
    assert f"{end} Not rated: a former player hadn't moved." in [said(line) for line in played.lines], (
        "it has rung, so it stays"
    )


async def test_what_was_begun_is_done_after_a_restart(harness: Harness, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settings_loop, "AT_A_LOOK", 1)
    played = [await over(harness) for _ in range(3)]
    await forgotten(harness)
    await harness.run_due_acts(60)
    await harness.life.does(harness.life.client.rewriter.poll())
    names = [(await one.fresh()).place["name"] for one in played]
    assert sum("Bea" in name for name in names) == 2, "one after the other"
    await harness.restart()
    await rewrites(harness)
    assert not [name for one in played if "Bea" in (name := (await one.fresh()).place["name"])]


async def test_what_discord_refuses_for_a_while_is_tried_again_and_a_locked_thread_is_let_be(harness: Harness) -> None:
    played, locked = await over(harness), await over(harness)
    harness.faults.archive(locked.place, locked=True)
    await forgotten(harness)
    harness.faults.fail_requests("PATCH", "/channels/{channel_id}", 503, 3)
    await rewrites(harness, 7200)
    assert "Bea" not in (await played.fresh()).place["name"]
    assert "Bea" in (await locked.fresh()).place["name"]
    assert await harness.store.ask(Reader.find_due_rewritings, harness.clock() + 10**6, 9) == []


async def test_the_line_of_a_renaming_goes_also_where_its_title_ends_in_the_new_one(harness: Harness) -> None:
    played = await harness.match(harness.bea, harness.ann)
    await harness.surely(harness.bea, "match resign", match=played.id)
    await harness.settled()
    assert (await played.fresh()).place["name"] == f"✓ Bea – Ann · Binary Primes · {played.id}"
    await forgotten(harness)
    await rewrites(harness)
    played = await played.fresh()
    assert played.place["name"] == f"✓ Former player – Ann · Binary Primes · {played.id}"
    lines = [one["content"] for one in harness.sandbox.world.messages[played.place["id"]].values() if one["type"] == 4]
    assert not [line for line in lines if "Bea" in line]


async def test_a_puzzles_solvers_are_told_without_the_name(harness: Harness) -> None:
    await chosen(harness)
    await looks(harness, HOUR)
    await solved(harness, harness.bea, TODAY, puzzle(TODAY).best)
    await looks(harness, DAY)
    assert called(harness.bea) in people.text_of(posts(harness)[-1])
    await forgotten(harness)
    await rewrites(harness)
    assert called(harness.bea) not in people.text_of(posts(harness)[-1])
    assert len(posts(harness)) == 2


async def test_a_start_on_an_older_copy_forgets_again(
    harness: Harness, folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    played = await over(harness)
    listed = ForgottenList(folder / "list")
    harness.life.client.umpire.store.forgotten = listed
    await forgotten(harness)
    bea = UserId(int(harness.bea.id))
    for name, day in (await harness.store.ask(Reader.read_notes, NOTE)).items():
        await harness.store.do(Transaction.drop_note, name, day)
    await harness.store.do(Transaction.add_absence, 1, bea, Absence(5, 9))
    harness.life.kill()
    await harness.life.end()
    harness.life = harness.another()
    harness.life.client.umpire.store.forgotten = listed
    with caplog.at_level("INFO", "bot.app.client"):
        await harness.life.begin()
    assert "The copy knew a person who has been forgotten since: they are forgotten here, too." in caplog.messages
    assert bea not in await harness.store.ask(Reader.list_people)
    assert (await played.fresh()).row.state == "finished"


async def test_a_thread_that_is_still_awake_keeps_the_mark_of_a_match_that_is_over(harness: Harness) -> None:
    played = await (await harness.match()).move("b2")
    await harness.surely(harness.bea, "match resign", match=played.id)
    await harness.settled()
    played = await played.fresh()
    assert played.place["name"] == f"✓ Ann – Bea · Binary Primes · {played.id}"
    await forgotten(harness)
    await rewrites(harness)
    assert (await played.fresh()).place["name"] == f"✓ Ann – former player · Binary Primes · {played.id}"


async def test_the_answer_says_which_boards_and_lines_keep_the_name(harness: Harness) -> None:
    played = await (await (await harness.match()).move("b2")).move("a1", harness.bea)
    await harness.surely(harness.ann, "match resign", match=played.id)
    await harness.settled()
    await forgotten(harness)
    await rewrites(harness)
    last = str((await played.fresh()).row.board_message)
    boards = [one for one in harness.sandbox.world.messages[played.place["id"]].values() if people.list_media(one)]
    named_on = [one["id"] for one in boards if called(harness.bea) in people.text_of(one)]
    assert named_on and last not in named_on
    assert "Other messages stay as they are." in FORGOTTEN


async def test_a_match_that_ends_by_the_request_is_marked_and_loses_the_name(harness: Harness) -> None:
    played = await (await harness.match()).move("b2")
    await forgotten(harness)
    await harness.life.client.publisher.catch_up()
    await harness.settled()
    await rewrites(harness)
    assert (await played.fresh()).place["name"] == f"✓ Ann – former player · Binary Primes · {played.id}"
