"""Playing on from a position of a match that is over: against somebody, the computer or anybody, once for each page."""

from __future__ import annotations

import asyncio

from bot.features.challenges.onboarding import COMPUTER_PLAYS
from bot.sandbox.people import BotReply
from tests.e2e.house import CALLBACK, House, Played, called, labels, said
from tests.e2e.test_records import file_of, over

ON, SOMEBODY = "Play on from here", "Challenge somebody …"


async def opened(house: House, played: Played, moves: int = 2) -> BotReply:
    """Ann's page after so many moves of a match."""
    replay = await house.ann.press(played.board, "Replay")
    assert ON not in labels(replay.message)
    for _ in range(moves):
        replay = await house.ann.press(replay, "Next")
    return await house.ann.press(replay, ON)


async def test_against_somebody_from_the_other_side(house: House) -> None:
    played = await over(house)
    page = await opened(house, played)
    assert "It is 🟦's turn. You play 🟦, and the match isn't rated.\n-# after move 2 · only you see this" in said(
        page.message
    )
    page = await house.ann.press(page, "Take the other side")
    assert "You play 🟧" in said(page.message)
    back = await house.ann.press(page, "Back")
    assert "Move 2 of 4" in said(back.message)
    await house.restart()
    page = await house.ann.press(await house.ann.press(back, ON), "Take the other side")
    told = await house.ann.press(page, SOMEBODY, [house.bea])
    assert (
        said(told.message).startswith("**Match 2 of Binary Primes: you challenged ")
        and told.message_id == page.message_id
    )
    await house.settled()
    on = Played(house, 2, await house.row(2))
    assert "This match goes on from match 1, after move 2." in said(on.lobby)
    await house.bea.press(on.lobby, "Accept")
    await house.settled()
    on = await on.fresh()
    assert on.mover.id == house.bea.id and on.record == played.record[:2] and not on.row.rated
    assert "🟧 had played **c1**." in said(on.board) and "This match goes on from match 1, after move 2." in said(
        on.board
    )
    on = await on.move("b1")
    assert f"🟦\xa0{called(house.bea)} played **b1**" in said(on.board)
    record = file_of(house, await house.ann.command("match record", channel=on.place))
    assert record["from"] == {"match": 1, "ply": 2} and len(record["moves"]) == 3
    assert await played.unchanged()
    await house.sound()


async def test_against_the_computer_once_however_often_it_is_pressed(house: House) -> None:
    played = await over(house)
    page = await opened(house, played)
    shown = page.message
    told, _ = await asyncio.gather(
        house.ann.press(page, COMPUTER_PLAYS, ["2"]),
        house.choose(house.ann, shown, "r:1:2:onlevel1", ["2"]),
    )
    await house.settled()
    assert said(told.message).startswith("**Match 2 of Binary Primes has started against the computer (level 2).**")
    on = Played(house, 2, await house.row(2))
    assert on.record == played.record[:2] and on.mover.id == house.ann.id
    await on.move("b1")
    await house.answered()
    assert (await on.fresh()).row.plies == 4 and await house.store.ask(lambda reader: reader.load_row(3)) is None
    await house.sound()


async def test_an_answer_that_is_lost_leaves_one_match(house: House) -> None:
    page = await opened(house, await over(house))
    house.faults.lose_answer("POST", CALLBACK)
    await house.ann.press(page, "Open a table")
    await house.restart()
    await house.settled()
    on = Played(house, 2, await house.row(2))
    await house.cem.press(on.lobby, "Join")
    await house.settled()
    assert (await on.fresh()).row.state == "live"


async def test_what_leads_nowhere_is_refused_with_a_sentence(house: House) -> None:
    played = await over(house)
    going = await house.match(house.cem, house.dora)
    for place, step, refusal in (
        (4, "on", "The match is over here. Go back a move, and play on from there."),
        (0, "onlevel1", "Nothing has been played yet. Use /play to begin a match."),
        (2, "onwards", "This button is out of date. Use /match board to get a fresh board."),
    ):
        assert (await house.forge(house.ann, played.board, f"r:1:{place}:{step}")).text == refusal
    live = await house.forge(house.cem, going.board, f"r:{going.id}:0:on")
    assert live.text == "This match isn't over yet. Once it is, you can play on from here."
