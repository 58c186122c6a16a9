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
from tests.e2e.house import MESSAGES, House, called, said
from tests.e2e.test_daily_channel import DAY, HOUR, guild, pings
from tests.support.sampled import sampled

MONDAY = date(2026, 11, 30).toordinal()
EIGHT = (MONDAY - date(1970, 1, 1).toordinal()) * DAY + 8 * HOUR
"""It is eight in the morning of that Monday in UTC."""
ROWS_WIN = ("b2", "a1", "c1", "b1")
"""Moves by turns of a match that the second seat wins by 245 to 27."""


async def at(house: House, moment: int) -> None:
    """It is that moment, for the bot and for Discord, and the bot was there all the time."""
    house.clock.at = moment
    house.sandbox.world.clock = house.clock
    await house.run_due_acts(0)


async def chosen(house: House) -> None:
    """The server has chosen a channel for the week, on the Wednesday before."""
    await at(house, EIGHT - 5 * DAY)
    place = ChannelId(int(house.sandbox.channel("general")["id"]))
    await house.store.do(Transaction.set_settings, guild(house), ServerSettings(week=place))


async def happened(house: House) -> None:
    """Two matches are played to their end, another is given up, and puzzles are solved."""
    for _ in range(2):
        played = await house.match(house.ann, house.bea)
        for square in ("a1", "b1", "c1", "a2"):
            played = await played.move(square)
    given = await house.match(house.bea, house.cem)
    await house.surely(house.cem, "match resign", channel=given.place)
    for person, day, number in ((house.dora, MONDAY - 5, 1), (house.dora, MONDAY - 4, 3), (house.bea, MONDAY - 4, 1)):
        one = PuzzleTry(day, "a1", number, guild(house), house.clock(), True)
        await house.store.do(Transaction.add_try, UserId(int(person.id)), one)
    await house.settled()


async def won(house: House, winner: Person, loser: Person, times: int = 3) -> None:
    """Somebody wins some matches against somebody else."""
    for _ in range(times):
        house.life.client.gate.acts.buckets.clear()
        played = await (await house.match(winner, loser)).move("b2")
        await (await played.move("a1")).move("c1")
        await house.surely(loser, "match resign", match=played.id)
        await house.settled()
    house.life.client.gate.acts.buckets.clear()


async def looks(house: House) -> list[dict[str, Any]]:
    """The bot looks what is due; the messages of the week that there are."""
    await asyncio.sleep(31)
    await house.life.client.post_puzzle_and_week()
    messages = house.sandbox.world.messages.get(house.sandbox.channel("general")["id"], {})
    return [one for one in messages.values() if "### The week" in said(one)]


async def test_on_monday_the_week_is_told_once(house: House) -> None:
    await chosen(house)
    await happened(house)
    told = pings(house)
    assert await looks(house) == []
    await at(house, EIGHT - 60)
    assert await looks(house) == []
    await at(house, EIGHT)
    (post,) = await looks(house)
    text = said(post)
    assert text.startswith("### The week from 23 to 29 November") and "3 matches were finished." in text
    assert "**Closest:** " in text and "Binary Primes" in text and called(house.ann) in text
    assert f"**Daily puzzle:** {called(house.dora)} did best: 2 puzzles in 4 tries." in text
    assert "Surprise" not in text and len(sandbox_people.list_media(post)) == 1 and pings(house) == told
    # Never again: after a restart, with the clock set back, and the week after, in which nothing happened.
    await house.restart()
    for moment in (EIGHT, EIGHT - 2 * DAY, EIGHT + DAY, EIGHT + 3 * DAY, EIGHT + 7 * DAY, EIGHT + 8 * DAY):
        await at(house, moment)
        assert await looks(house) == [post]
    assert pings(house) == told


async def told(house: House) -> Any:
    """The post of that Monday."""
    await at(house, EIGHT)
    (post,) = await looks(house)
    return post


@pytest.mark.long
async def test_a_first_rated_match_surprises_nobody(house: House) -> None:
    """However far its people are apart a few matches later."""
    await chosen(house)
    first = await house.match(house.ann, house.bea)
    for square in ROWS_WIN:
        first = await first.move(square)
    await won(house, house.ann, house.cem, 2)
    await won(house, house.dora, house.bea, 2)
    assert "Surprise" not in said(await told(house))


async def test_whom_nobody_expected_to_win_is_a_surprise_by_the_ratings_before(house: House) -> None:
    await chosen(house)
    await won(house, house.cem, house.bea, SETTLED_FROM)
    await won(house, house.dora, house.ann, SETTLED_FROM)
    rated = {one.user: convert_to_points(one) for one in await house.store.ask(Reader.leaderboard, guild(house))}
    ahead = rated[UserId(int(house.cem.id))] - rated[UserId(int(house.ann.id))]
    upset = await house.match(house.cem, house.ann)
    for square in ROWS_WIN:
        upset = await upset.move(square)
    text = said(await told(house))
    assert f"**Surprise:** {called(house.ann)} beat {called(house.cem)} at " in text
    assert f", who was rated {ahead} points higher before this match." in text and ahead > 100


async def test_the_closest_match_of_two_legs_shows_both_and_says_so(house: House) -> None:
    await chosen(house)
    far = await house.match(house.ann, house.bea)
    for square in ROWS_WIN:
        far = await far.move(square)
    played = await house.match(house.ann, house.bea, legs=2)
    for leg, people in ((1, (house.ann, house.bea)), (2, (house.bea, house.ann))):
        for person, square in zip(people * 2, ROWS_WIN, strict=True):
            await person.command("binary-primes move", channel=played.place, square=square, leg=leg)
            await house.settled()
    post = await told(house)
    text = said(post).replace("\xa0", " ")
    assert f"**Closest:** {called(house.ann)} and {called(house.bea)} drew 272 : 272 at [Binary Primes]" in text
    assert ", over two legs: 27 : 245 and 245 : 27." in text
    assert [(one.alt or "").partition(".")[0] for one in sandbox_people.list_media(post)] == ["Leg 1", "Leg 2"]


async def test_a_week_whose_only_match_was_given_up_tells_who_won_it_and_shows_its_board(house: House) -> None:
    await chosen(house)
    given = await house.match(house.bea, house.cem)
    await house.surely(house.cem, "match resign", channel=given.place)
    text = said(await told(house)).replace("\xa0", " ")
    assert "1 match was finished." in text and "Closest" not in text and "Sunday" not in text
    assert f"{called(house.bea)} beat {called(house.cem)} at [Binary Primes](https://" in text
    assert text.endswith("). It ended before its last move.")


async def test_beside_a_match_that_was_given_up_the_only_one_that_was_played_out_is_told(house: House) -> None:
    await chosen(house)
    given = await house.match(house.bea, house.cem)
    await house.surely(house.cem, "match resign", channel=given.place)
    played = await house.match(house.ann, house.bea)
    for square in ROWS_WIN:
        played = await played.move(square)
    text = said(await told(house)).replace("\xa0", " ")
    assert "2 matches were finished." in text and "Sunday" not in text
    assert f"{called(house.bea)} beat {called(house.ann)} 245 : 27 at [Binary Primes](https://" in text
    assert ranking_words.EARLY not in text


async def test_of_a_match_that_was_handed_on_the_week_tells_no_result(house: House) -> None:
    await chosen(house)
    played = await (await house.match(house.ann, house.bea)).move("b2")
    await house.ann.command("match replace", channel=played.place, seat=2, player=house.cem)
    await house.settled()
    for person in (house.bea, house.cem):
        await person.press((await played.fresh()).board, "Agree: hand over")
        await house.settled()
    played = await played.fresh()
    for square in ROWS_WIN[1:]:
        played = await played.move(square)
    assert played.row.state == "finished"
    text = said(await told(house))
    assert "1 match was finished." in text and "beat" not in text and ranking_words.EARLY not in text


async def test_a_week_without_a_board_says_that_the_board_is_a_puzzles(house: House) -> None:
    await chosen(house)
    for _ in range(2):
        given = await house.match(house.bea, house.cem)
        await house.surely(house.cem, "match resign", channel=given.place)
    text = said(await told(house))
    assert "2 matches were finished." in text and "Closest" not in text
    assert text.endswith("-# The board is that of Sunday's daily puzzle.")


async def test_of_one_match_and_one_solver_the_result_is_told_and_nobody_is_said_to_be_first(house: House) -> None:
    await chosen(house)
    played = await house.match(house.ann, house.bea)
    for square in ROWS_WIN:
        played = await played.move(square)
    one = PuzzleTry(MONDAY - 5, "a1", 2, guild(house), house.clock(), True)
    await house.store.do(Transaction.add_try, UserId(int(house.dora.id)), one)
    post = await told(house)
    text = said(post).replace("\xa0", " ")
    assert "1 match was finished." in text and "Closest" not in text and "Sunday" not in text
    assert f"\n{called(house.bea)} beat {called(house.ann)} 245 : 27 at [Binary Primes](https://" in text
    assert f"**Daily puzzle:** {called(house.dora)} solved 1 puzzle in 2 tries." in text
    (board,) = sandbox_people.list_media(post)
    assert board.alt and (sandbox_people.list_media((await played.fresh()).board)[0].alt or "").startswith(board.alt)


@pytest.mark.long
async def test_the_streak_is_that_at_the_end_of_the_week(house: House) -> None:
    """Who loses on Monday morning had won all week; and the other way round."""
    await chosen(house)
    await won(house, house.ann, house.bea, 2)
    await at(house, EIGHT - 2 * HOUR)
    await won(house, house.bea, house.ann, 3)
    assert f"**Winning streak:** {called(house.ann)} won 2 rated matches in a row." in said(await told(house))


@sampled("trouble", ("two", "applied", "claimed", "posted", "fails", "hangs"), few=2)
async def test_whatever_befalls_the_bot_the_week_is_told_once(house: House, trouble: str) -> None:
    await chosen(house)
    await happened(house)
    await at(house, EIGHT)
    await asyncio.sleep(31)
    if trouble in ("claimed", "posted"):
        house.kill_at(f"{trouble} week {MONDAY}")
        with suppress(asyncio.CancelledError):
            await house.life.does(house.life.client.post_puzzle_and_week())
        await house.restart()
    elif trouble == "two":
        house.forgiven.append("Two processes serve the same servers")
        other = house.another()
        await other.begin()
        await asyncio.gather(house.life.client.post_puzzle_and_week(), other.client.post_puzzle_and_week())
        other.kill()
        await other.end()
    elif trouble == "hangs":
        house.faults.delay_requests("POST", MESSAGES, 60, applied=True)
        await house.life.client.post_puzzle_and_week()
    else:
        house.faults.fail_requests(
            "POST", MESSAGES, 502 if trouble == "applied" else 503, times=6, applied=trouble == "applied"
        )
        await house.life.client.post_puzzle_and_week()
    house.faults.clear()
    house.faults.forget_nonces()
    for minutes in (3, 60):
        await at(house, EIGHT + 60 * minutes)
        assert len(await looks(house)) == 1


async def test_an_outage_of_two_days_is_too_long(house: House) -> None:
    await chosen(house)
    await happened(house)
    await at(house, EIGHT + 2 * DAY)
    assert await looks(house) == []
    await at(house, EIGHT + 7 * DAY)
    assert await looks(house) == [], "nothing happened in the week before"


def test_a_week_may_begin_in_another_month() -> None:
    assert ranking_words.format_headline(date(2026, 3, 2).toordinal()) == "### The week from 23 February to 1 March"
