"""The message of the week: on Mondays, once, with a picture, of what really happened; and nothing where nothing did."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from datetime import date
from typing import Any

import pytest

from bot.features.ranking import words as ranking_words
from bot.features.ranking.words import convert_to_points
from bot.play.ids import ChannelId, UserId
from bot.play.puzzles import PuzzleTry
from bot.play.ratings import SETTLED_FROM
from bot.play.rows import ServerSettings
from bot.sandbox import people as sandbox_people
from bot.sandbox.people import Person
from data.store import Reader, Transaction
from tests.e2e.harness import MESSAGES, Harness, called, said
from tests.e2e.test_daily_channel import DAY, HOUR, guild, pings
from tests.support.sampled import sampled

MONDAY = date(2026, 11, 30).toordinal()
EIGHT = (MONDAY - date(1970, 1, 1).toordinal()) * DAY + 8 * HOUR
"""It is eight in the morning of that Monday in UTC."""
ROWS_WIN = ("b2", "a1", "c1", "b1")
"""Moves by turns of a match that the second seat wins by 245 to 27."""


async def at(harness: Harness, moment: int) -> None:
    """It is that moment, for the bot and for Discord, and the bot was there all the time."""
    harness.clock.at = moment
    harness.sandbox.world.clock = harness.clock
    await harness.run_due_acts(0)


async def chosen(harness: Harness) -> None:
    """The server has chosen a channel for the week, on the Wednesday before."""
    await at(harness, EIGHT - 5 * DAY)
    place = ChannelId(int(harness.sandbox.channel("general")["id"]))
    await harness.store.do(Transaction.set_settings, guild(harness), ServerSettings(week=place))


async def happened(harness: Harness) -> None:
    """Two matches are played to their end, another is given up, and puzzles are solved."""
    for _ in range(2):
        played = await harness.match(harness.ann, harness.bea)
        for square in ("a1", "b1", "c1", "a2"):
            played = await played.move(square)
    given = await harness.match(harness.bea, harness.cem)
    await harness.surely(harness.cem, "match resign", channel=given.place)
    for person, day, number in (
        (harness.dora, MONDAY - 5, 1),
        (harness.dora, MONDAY - 4, 3),
        (harness.bea, MONDAY - 4, 1),
    ):
        one = PuzzleTry(day, "a1", number, guild(harness), harness.clock(), True)
        await harness.store.do(Transaction.add_try, UserId(int(person.id)), one)
    await harness.settled()


async def won(harness: Harness, winner: Person, loser: Person, times: int = 3) -> None:
    """Somebody wins some matches against somebody else."""
    for _ in range(times):
        harness.life.client.gate.acts.buckets.clear()
        played = await (await harness.match(winner, loser)).move("b2")
        await (await played.move("a1")).move("c1")
        await harness.surely(loser, "match resign", match=played.id)
        await harness.settled()
    harness.life.client.gate.acts.buckets.clear()


async def looks(harness: Harness) -> list[dict[str, Any]]:
    """The bot looks what is due; the messages of the week that there are."""
    await asyncio.sleep(31)
    await harness.life.client.post_puzzle_and_week()
    messages = harness.sandbox.world.messages.get(harness.sandbox.channel("general")["id"], {})
    return [one for one in messages.values() if "### The week" in said(one)]


async def test_on_monday_the_week_is_told_once(harness: Harness) -> None:
    await chosen(harness)
    await happened(harness)
    told = pings(harness)
    assert await looks(harness) == []
    await at(harness, EIGHT - 60)
    assert await looks(harness) == []
    await at(harness, EIGHT)
    (post,) = await looks(harness)
    text = said(post)
    assert text.startswith("### The week from 23 to 29 November") and "3 matches were finished." in text
    assert "**Closest:** " in text and "Binary Primes" in text and called(harness.ann) in text
    assert f"**Daily puzzle:** {called(harness.dora)} did best: 2 puzzles solved in 4 tries." in text
    assert "Surprise" not in text and len(sandbox_people.list_media(post)) == 1 and pings(harness) == told
    # Never again: after a restart, with the clock set back, and the week after, in which nothing happened.
    await harness.restart()
    for moment in (EIGHT, EIGHT - 2 * DAY, EIGHT + DAY, EIGHT + 3 * DAY, EIGHT + 7 * DAY, EIGHT + 8 * DAY):
        await at(harness, moment)
        assert await looks(harness) == [post]
    assert pings(harness) == told


async def told(harness: Harness) -> Any:
    """The post of that Monday."""
    await at(harness, EIGHT)
    (post,) = await looks(harness)
    return post


@pytest.mark.long
async def test_a_first_rated_match_surprises_nobody(harness: Harness) -> None:
    """However far its people are apart a few matches later."""
    await chosen(harness)
    first = await harness.match(harness.ann, harness.bea)
    for square in ROWS_WIN:
        first = await first.move(square)
    await won(harness, harness.ann, harness.cem, 2)
    await won(harness, harness.dora, harness.bea, 2)
    assert "Surprise" not in said(await told(harness))


async def test_whom_nobody_expected_to_win_is_a_surprise_by_the_ratings_before(harness: Harness) -> None:
    await chosen(harness)
    await won(harness, harness.cem, harness.bea, SETTLED_FROM)
    await won(harness, harness.dora, harness.ann, SETTLED_FROM)
    rated = {one.user: convert_to_points(one) for one in await harness.store.ask(Reader.leaderboard, guild(harness))}
    ahead = rated[UserId(int(harness.cem.id))] - rated[UserId(int(harness.ann.id))]
    upset = await harness.match(harness.cem, harness.ann)
    for square in ROWS_WIN:
        upset = await upset.move(square)
    text = said(await told(harness))
    assert f"**Surprise:** {called(harness.ann)} beat {called(harness.cem)} at " in text
    assert f", though rated {ahead} points lower." in text and ahead > 100


async def test_the_closest_match_of_two_legs_shows_both_and_says_so(harness: Harness) -> None:
    await chosen(harness)
    far = await harness.match(harness.ann, harness.bea)
    for square in ROWS_WIN:
        far = await far.move(square)
    played = await harness.match(harness.ann, harness.bea, legs=2)
    for leg, people in ((1, (harness.ann, harness.bea)), (2, (harness.bea, harness.ann))):
        for person, square in zip(people * 2, ROWS_WIN, strict=True):
            await person.command("binary-primes move", channel=played.place, square=square, leg=leg)
            await harness.settled()
    post = await told(harness)
    text = said(post).replace("\xa0", " ")
    assert f"**Closest:** {called(harness.ann)} and {called(harness.bea)} drew 272 : 272 at [Binary Primes]" in text
    assert ", over two legs: 27 : 245 and 245 : 27." in text
    assert [(one.alt or "").partition(".")[0] for one in sandbox_people.list_media(post)] == ["Leg 1", "Leg 2"]


async def test_a_week_whose_only_match_was_given_up_tells_who_won_it_and_how(harness: Harness) -> None:
    await chosen(harness)
    given = await harness.match(harness.bea, harness.cem)
    await harness.surely(harness.cem, "match resign", channel=given.place)
    post = await told(harness)
    text = said(post).replace("\xa0", " ")
    assert "1 match was finished." in text and "Closest" not in text and "Sunday" not in text
    assert f"{called(harness.bea)} won at [Binary Primes](https://" in text
    assert text.endswith(f"): {called(harness.cem)} resigned before anybody had moved.")
    assert sandbox_people.list_media(post) == [], "an empty board shows nothing"


async def test_beside_a_match_that_was_given_up_the_only_one_that_was_played_out_is_told(harness: Harness) -> None:
    await chosen(harness)
    given = await harness.match(harness.bea, harness.cem)
    await harness.surely(harness.cem, "match resign", channel=given.place)
    played = await harness.match(harness.ann, harness.bea)
    for square in ROWS_WIN:
        played = await played.move(square)
    text = said(await told(harness)).replace("\xa0", " ")
    assert "2 matches were finished." in text and "Sunday" not in text
    assert f"{called(harness.bea)} beat {called(harness.ann)} 245 : 27 at [Binary Primes](https://" in text
    assert "resigned" not in text


async def test_of_a_match_that_was_handed_on_the_week_tells_no_result(harness: Harness) -> None:
    await chosen(harness)
    played = await (await harness.match(harness.ann, harness.bea)).move("b2")
    await harness.ann.command("match replace", channel=played.place, seat=2, player=harness.cem)
    await harness.settled()
    for person in (harness.bea, harness.cem):
        await person.press((await played.fresh()).board, "Agree: hand over")
        await harness.settled()
    played = await played.fresh()
    for square in ROWS_WIN[1:]:
        played = await played.move(square)
    assert played.row.state == "finished"
    text = said(await told(harness))
    assert "1 match was finished." in text and "beat" not in text and "resigned" not in text


async def test_a_week_without_a_board_says_that_the_board_is_a_puzzles(harness: Harness) -> None:
    await chosen(harness)
    for _ in range(2):
        given = await harness.match(harness.bea, harness.cem)
        await harness.surely(harness.cem, "match resign", channel=given.place)
    text = said(await told(harness))
    assert f"2 matches were finished.\nThe winner was {called(harness.bea)}.\n" in text and "Closest" not in text
    assert text.endswith("-# The board shows Sunday's daily puzzle.")


async def test_of_one_match_and_one_solver_the_result_is_told_and_nobody_is_said_to_be_first(harness: Harness) -> None:
    await chosen(harness)
    played = await harness.match(harness.ann, harness.bea)
    for square in ROWS_WIN:
        played = await played.move(square)
    one = PuzzleTry(MONDAY - 5, "a1", 2, guild(harness), harness.clock(), True)
    await harness.store.do(Transaction.add_try, UserId(int(harness.dora.id)), one)
    post = await told(harness)
    text = said(post).replace("\xa0", " ")
    assert "1 match was finished." in text and "Closest" not in text and "Sunday" not in text
    assert f"\n{called(harness.bea)} beat {called(harness.ann)} 245 : 27 at [Binary Primes](https://" in text
    assert f"**Daily puzzle:** {called(harness.dora)} solved one puzzle, at the second try." in text
    (board,) = sandbox_people.list_media(post)
    assert board.alt and (sandbox_people.list_media((await played.fresh()).board)[0].alt or "").startswith(board.alt)


@pytest.mark.long
async def test_the_streak_is_that_at_the_end_of_the_week(harness: Harness) -> None:
    """Who loses on Monday morning had won all week; and the other way round."""
    await chosen(harness)
    await won(harness, harness.ann, harness.bea, 2)
    await at(harness, EIGHT - 2 * HOUR)
    await won(harness, harness.bea, harness.ann, 3)
    assert f"**Winning streak:** {called(harness.ann)} won 2 rated matches in a row." in said(await told(harness))


@sampled("trouble", ("two", "applied", "claimed", "posted", "fails", "hangs"), few=2)
async def test_whatever_befalls_the_bot_the_week_is_told_once(harness: Harness, trouble: str) -> None:
    await chosen(harness)
    await happened(harness)
    await at(harness, EIGHT)
    await asyncio.sleep(31)
    if trouble in ("claimed", "posted"):
        harness.kill_at(f"{trouble} week {MONDAY}")
        with suppress(asyncio.CancelledError):
            await harness.life.does(harness.life.client.post_puzzle_and_week())
        await harness.restart()
    elif trouble == "two":
        harness.forgiven.append("Two processes serve the same servers")
        other = harness.another()
        await other.begin()
        await asyncio.gather(harness.life.client.post_puzzle_and_week(), other.client.post_puzzle_and_week())
        other.kill()
        await other.end()
    elif trouble == "hangs":
        harness.faults.delay_requests("POST", MESSAGES, 60, applied=True)
        await harness.life.client.post_puzzle_and_week()
    else:
        harness.faults.fail_requests(
            "POST", MESSAGES, 502 if trouble == "applied" else 503, times=6, applied=trouble == "applied"
        )
        await harness.life.client.post_puzzle_and_week()
    harness.faults.clear()
    harness.faults.forget_nonces()
    for minutes in (3, 60):
        await at(harness, EIGHT + 60 * minutes)
        assert len(await looks(harness)) == 1


async def test_an_outage_of_two_days_is_too_long(harness: Harness) -> None:
    await chosen(harness)
    await happened(harness)
    await at(harness, EIGHT + 2 * DAY)
    assert await looks(harness) == []
    await at(harness, EIGHT + 7 * DAY)
    assert await looks(harness) == [], "nothing happened in the week before"


def test_a_week_may_begin_in_another_month() -> None:
    assert ranking_words.format_headline(date(2026, 3, 2).toordinal()) == "### The week from 23 February to 1 March"
