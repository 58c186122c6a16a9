"""A seat that moves several times in a row has one board, whichever way it moves; a round's end has one of its own."""

from __future__ import annotations

import pytest

from bot.sandbox import people
from tests.e2e.harness import Harness, Played, called, form_of, labels
from tests.e2e.test_several_seats import table


async def crossing(harness: Harness) -> Played:
    """A live match of Cross, Don't Cross with two chords; Ann draws them."""
    played = await table(harness, "cross-dont-cross", harness.ann, opponent=harness.bea, seat="me", chords=2)
    await harness.bea.press(played.lobby, "Accept")
    await harness.settled()
    return await played.fresh()


async def drawn(played: Played, command: str, first: str, second: str) -> Played:
    """A line by slash command of the person who is to move."""
    names = ("from", "to")
    given = dict(zip(names, (first, second), strict=True))
    reply = await played.mover.command(f"cross-dont-cross {command}", channel=played.place, **given)
    assert reply.text == f"You played **{first}-{second}**.", reply.text
    await played.harness.settled()
    return await played.fresh()


async def test_further_moves_of_a_seat_edit_its_board_whichever_way_they_are_entered(harness: Harness) -> None:
    played = await crossing(harness)
    first = played.board["id"]
    played = await drawn(played, "chord", "0", "90")
    assert [board["id"] for board in played.boards] == [first]
    assert f"{called(harness.ann)} played **0-90** and is to move again." in people.text_of(played.board)
    opened = await form_of(harness.ann, played.board, "Chord")
    await harness.ann.submit(opened, {"Chord": "180 270"})
    await harness.settled()
    played = await played.fresh()
    # Now the other is to move, and is told.
    assert [labels(board) for board in played.boards] == [[], ["Segment", "Rules", "More …"]]
    second = played.board["id"]
    played = await drawn(played, "segment", "1", "3")
    # One segment is left, so the pad has it whole.
    await harness.bea.press(await harness.bea.press(played.board, "Segment"), "Play 2-4")
    await harness.settled()
    played = await played.fresh()
    assert [board["id"] for board in played.boards] == [first, second]
    said = people.text_of(played.board)
    turn = "played **1-3** and **2-4** (+2\xa0→\xa02) and is to move again."
    assert f"{called(harness.bea)} {turn}\n-# round 1: 0 → 2 (+2)\n" in said
    assert (harness.told(harness.ann), harness.told(harness.bea)) == (1, 2)


@pytest.mark.long
async def test_the_end_of_a_round_is_announced_with_its_board_which_stays(harness: Harness) -> None:
    played = await crossing(harness)
    for command, first, second in (("chord", "0", "90"), ("chord", "180", "270"), ("segment", "1", "3"),
                                   ("segment", "2", "4"), ("segment", "2", "3")):  # fmt: skip
        played = await drawn(played, command, first, second)
    assert len(played.boards) == 3, "Bea goes on with the next round, on another board"
    announced = people.text_of(played.board)
    assert f"Round 2: {called(harness.bea)} begins and draws the 2 chords." in announced
    pictures = [media.alt for media in people.list_media(played.board)]
    assert [(alt or "").startswith("Cross, Don't Cross. Round 1 of 2, over.") for alt in pictures] == [True, False]
    played = await drawn(played, "chord", "0", "180")
    assert len(played.boards) == 4
    assert [media.alt for media in people.list_media(played.boards[2])] == pictures
    assert "Round 2: " in people.text_of(played.boards[2])
    assert labels(played.boards[2]) == []
    assert f"{called(harness.bea)} played **0-180** and is to move again." in people.text_of(played.board)
