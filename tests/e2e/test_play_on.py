"""Playing on from a position of a match that is over: once for each page, and not from anywhere else."""

from __future__ import annotations

import asyncio

from bot.features.challenges.onboarding import COMPUTER_PLAYS
from bot.sandbox.people import BotReply
from tests.e2e.harness import CALLBACK, Harness, Played, labels, said
from tests.e2e.test_records import over

ON, SOMEBODY = "Play on from here", "Challenge somebody …"


async def opened(harness: Harness, played: Played, moves: int = 2) -> BotReply:
    """Ann's page after so many moves of a match."""
    replay = await harness.ann.press(played.board, "Replay")
    assert ON not in labels(replay.message)
    replay = await harness.ann.press(replay, "First")
    for _ in range(moves):
        replay = await harness.ann.press(replay, "Next")
    return await harness.ann.press(replay, ON)


async def test_against_the_computer_once_however_often_it_is_pressed(harness: Harness) -> None:
    played = await over(harness)
    page = await opened(harness, played)
    shown = page.message
    told, _ = await asyncio.gather(
        harness.ann.press(page, COMPUTER_PLAYS, ["2"]),
        harness.choose(harness.ann, shown, "r:1:2:onlevel1", ["2"]),
    )
    await harness.settled()
    assert said(told.message).startswith("**Match 2 of Binary Primes has started against the computer (level 2).**")
    on = Played(harness, 2, await harness.row(2))
    assert on.record == played.record[:2] and on.mover.id == harness.ann.id
    await on.move("b1")
    await harness.answered()
    assert (await on.fresh()).row.plies == 4 and await harness.store.ask(lambda reader: reader.load_row(3)) is None
    await harness.sound()


async def test_an_answer_that_is_lost_leaves_one_match(harness: Harness) -> None:
    page = await opened(harness, await over(harness))
    harness.faults.lose_answer("POST", CALLBACK)
    await harness.ann.press(page, "Open a table")
    await harness.restart()
    await harness.settled()
    on = Played(harness, 2, await harness.row(2))
    await harness.cem.press(on.lobby, "Join")
    await harness.settled()
    assert (await on.fresh()).row.state == "live"


async def test_what_leads_nowhere_is_refused_with_a_sentence(harness: Harness) -> None:
    played = await over(harness)
    going = await harness.match(harness.cem, harness.dora)
    for place, step, refusal in (
        (4, "on", "The match is over here. Go back a move, and play on from there."),
        (0, "onlevel1", "Nothing has been played yet. Use /play to begin a match."),
        (2, "onwards", "This button is out of date. Use /match board to get a fresh board."),
    ):
        assert (await harness.forge(harness.ann, played.board, f"r:1:{place}:{step}")).text == refusal
    live = await harness.forge(harness.cem, going.board, f"r:{going.id}:0:on")
    assert live.text == "This match isn't over yet. Once it is, you can play on from here."
