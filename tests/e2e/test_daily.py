"""The daily puzzle: solved in private in three tries, told to a server once a day, and the same for everybody."""

from __future__ import annotations

import asyncio
import re
from datetime import date
from itertools import count

from bot.features.daily import service as daily_service
from bot.features.daily import words as daily_words
from bot.play import puzzles
from bot.play.ids import GuildId, UserId
from bot.play.puzzles import Puzzle
from bot.play.rows import ServerSettings
from bot.sandbox.people import BotReply, Person
from data.store import Reader, Transaction
from tests.e2e.harness import PLAYS, Harness, called, labels, said

TODAY = next(day for day in count(739_985, 7) if puzzles.find_puzzle_of_day(day).game.key == "divisor-over-sums")
"""A Monday whose puzzle is solved by tapping a square."""
MORNING = (TODAY - date(1970, 1, 1).toordinal()) * 86_400 + 8 * 3_600
"""It is eight in the morning of that day in UTC."""


def puzzle(day: int = TODAY) -> Puzzle:
    """The puzzle of a day."""
    return puzzles.find_puzzle_of_day(day)


def wrong(of: Puzzle, at: int = 0) -> str:
    """A legal move that is not the answer."""
    return [move for move in of.position.moves(of.seat) if move != of.best][at]


async def begun(harness: Harness) -> None:
    """It is that morning."""
    harness.clock.at = MORNING + 60
    await harness.run_due_acts(0)


async def solve(
    harness: Harness, person: Person, shown: BotReply | dict[str, object], label: str = "Solve"
) -> BotReply:
    """The pad that a button opens."""
    pad = await person.press(shown, label)
    await harness.life.idle()
    return pad


async def tried(harness: Harness, person: Person, pad: BotReply, move: str) -> BotReply:
    """A try, tap by tap, and what it comes to."""
    for _ in range(6):
        able = [label for label in labels(pad.message) if label.startswith(PLAYS)]
        if not able:
            able = sorted((one for one in labels(pad.message) if move.startswith(one)), key=len)[-1:]
        assert able, (labels(pad.message), move)
        await asyncio.sleep(3)
        pad = await person.press(pad, able[0])
        await harness.life.idle()
        if able[0].startswith(PLAYS):
            break
    return pad


async def test_somebody_solves_todays_puzzle_and_can_share_it(harness: Harness) -> None:
    await begun(harness)
    today = puzzle()
    shown = await harness.ann.command("daily", channel="games")
    title = today.game.title
    assert shown.is_ephemeral and f"Daily puzzle {TODAY - puzzles.FIRST + 1} · {title}" in said(shown.message)
    assert labels(shown.message) == ["Solve", "Rules", "Stats", "Past puzzles"]
    told = await tried(harness, harness.ann, await solve(harness, harness.ann, shown), wrong(today))
    assert re.search(rf"\*\*{wrong(today)}\*\* (loses|draws).*\. The answer to it is \*\*", said(told.message))
    assert "You have 2 tries left." in said(told.message) and labels(told.message) == ["Try again"]
    await harness.restart()
    again = await solve(harness, harness.ann, told, "Try again")
    found = await tried(harness, harness.ann, again, today.best)
    assert (
        f"✅ {daily_words.describe_solution(today)} That is the move!" in said(found.message)
        and labels(found.message) == []
    )
    assert f"Graph Paper {TODAY - puzzles.FIRST + 1} · {title} · 2/3" in said(found.message)
    assert "streak" not in said(found.message) and "answer" not in said(found.message)
    # From then on everybody of hers shows how it ended, and nothing counts any more.
    ended = await solve(harness, harness.ann, await harness.ann.command("daily", channel="games"))
    assert f"{title} · 2/3" in said(ended.message)
    stats = await harness.ann.command("daily", channel="games", show="stats")
    assert "You tried 1 daily puzzle and solved 1: 0 in one try, 1 in two, 0 in three." in stats.text
    assert stats.is_ephemeral and "streak" not in stats.text and "forgiven" not in stats.text


async def test_after_three_tries_the_move_is_told_and_none_is_left(harness: Harness) -> None:
    await begun(harness)
    today = puzzle()
    shown = await harness.bea.command("daily", channel="games")
    pad = await solve(harness, harness.bea, shown)
    for at, left in ((0, "2 tries"), (1, "1 try"), (2, "")):
        told = await tried(harness, harness.bea, pad, wrong(today, at))
        if left:
            assert f"You have {left} left." in said(told.message)
            # The same move again is the same try.
            pad = await solve(harness, harness.bea, told, "Try again")
            told = await tried(harness, harness.bea, pad, wrong(today, at))
            assert f"You have {left} left." in said(told.message)
            pad = await solve(harness, harness.bea, told, "Try again")
    assert f"This was the move: **{today.best}**" in said(told.message) and f"· {today.game.title} · X/3" in said(
        told.message
    )
    assert "streak" not in said(told.message) and labels(told.message) == []
    forged = f"d:{TODAY}:0:move:0:pick:"
    refused = await tried(harness, harness.bea, await harness.forge(harness.bea, shown.message, forged), today.best)
    assert refused.text == daily_service.USED_UP
    assert len(await harness.store.ask(Reader.puzzle_tries, UserId(int(harness.bea.id)))) == 3


async def test_a_button_of_another_day_gives_no_second_first_try(harness: Harness) -> None:
    """Yesterday's can be practised only when it is over everywhere, and nothing of that counts; tomorrow's never."""
    await begun(harness)
    shown = await harness.cem.command("daily", channel="games")
    for day, answer in (
        (TODAY + 1, daily_service.NOT_YET),
        (TODAY + 100_000, daily_service.NOT_YET),
        (TODAY - 1, daily_service.HERE_OVER),
    ):
        for forged in (f"p:daily:{day}", f"p:daily:{day}-3", f"d:{day}:3:move:0:pick:", f"d:{day}:0:move:0:pick:"):
            assert (await harness.forge(harness.cem, shown.message, forged)).text == answer, forged
            await asyncio.sleep(10)
    # A pad of today that claims to be practice counts all the same.
    pad = await harness.forge(harness.cem, shown.message, f"d:{TODAY}:3:move:0:pick:")
    await tried(harness, harness.cem, pad, wrong(puzzle()))
    kept = await harness.store.ask(Reader.puzzle_tries, UserId(int(harness.cem.id)))
    assert [(one.day, one.number, one.move) for one in kept] == [(TODAY, 1, wrong(puzzle()))]
    await asyncio.sleep(60)
    offered = await harness.cem.command("daily", channel="games", show="past")
    past = next(day for day in count(TODAY - 2, -1) if puzzle(day).game == puzzle().game)
    practised = await harness.cem.press(offered, "p:daily:past", [str(past)])
    await harness.life.idle()
    before = puzzle(past)
    told = await tried(harness, harness.cem, practised, before.best)
    assert f"✅ **{before.best}**" in said(told.message) and "Graph Paper" not in said(told.message)
    assert kept == await harness.store.ask(Reader.puzzle_tries, UserId(int(harness.cem.id)))
    # The clock is set back, and the zone is changed to one where it is yesterday still: the tries of today stay.
    zone = ServerSettings(zone="Pacific/Honolulu")
    await harness.store.do(Transaction.set_settings, GuildId(int(harness.sandbox.world.home_guild["id"])), zone)
    assert (await harness.forge(harness.cem, shown.message, f"p:daily:{TODAY}")).text == daily_service.NOT_YET


async def test_a_try_is_kept_before_its_answer_is_told(harness: Harness) -> None:
    await begun(harness)
    today = puzzle()
    pad = await solve(harness, harness.ann, await harness.ann.command("daily", channel="games"))
    harness.faults.fail_requests("PATCH", "/webhooks/{application_id}/{token}/messages/@original", status=500, times=20)
    await tried(harness, harness.ann, pad, wrong(today))
    kept = await harness.store.ask(Reader.puzzle_tries, UserId(int(harness.ann.id)))
    assert [one.move for one in kept] == [wrong(today)]
    harness.forgiven.append("500")
    shown = await harness.ann.command("daily", channel="games")
    assert f"You tried **{wrong(today)}**. You have 2 tries left." in said(shown.message)


async def test_at_a_weekend_there_is_something_to_play_alone_and_the_record_is_the_mark(harness: Harness) -> None:
    saturday = next(
        day for day in count(TODAY + 5, 7) if puzzles.choose_board(puzzles.find_weekend(day) or 0)[0] == "sums-grid"
    )
    harness.clock.at = MORNING + (saturday - TODAY) * 86_400
    await harness.run_due_acts(0)
    key, options = puzzles.choose_board(puzzles.find_weekend(saturday) or 0)
    shown = await harness.ann.command("daily", channel="games")
    assert daily_words.NO_RECORD in said(shown.message)
    begun = await harness.ann.press(shown, "Play alone")
    await harness.settled()
    row = await harness.row(1)
    assert (row.game, row.seats, row.host) == (key, 1, int(harness.ann.id)) and str(row.id) in begun.text
    assert options.items() <= {**row.options}.items()
    channel, size = harness.sandbox.channel(str(row.thread)), range(int(options["size"]))
    rows = (" ".join(str(1 + at * len(size) + one) for one in size) for at in size)
    await harness.ann.command("move", channel=channel, line=f"grid {' / '.join(rows)}")
    await harness.surely(harness.ann, "move", channel=channel, line="done")
    await harness.settled()
    (score,) = [player.score for player in (await harness.row(1)).players]
    again = await harness.bea.command("daily", channel="games")
    assert f"The record to beat: {score}, by {called(harness.ann)}." in said(again.message)
    forged = await harness.forge(harness.bea, shown.message, "p:weekend:x")
    assert forged.is_ephemeral and "Match" not in forged.text
