"""Proposals through Discord: takebacks, draws, pauses; who is told, and what the board shows."""

from __future__ import annotations

import copy
from contextlib import suppress

import pytest

from bot.sandbox import people
from bot.sandbox.interactions import NoAnswerInTime
from bot.sandbox.people import BotReply, Person
from tests.e2e.harness import Harness, Json, Played, called, form_of, labels
from tests.e2e.test_pads import chosen
from tests.e2e.test_several_seats import table
from tests.support.sampled import sampled

GONE = "Nobody is asking that any more. Here is the board now; nothing was changed."
MOVED_ON = "The match moved on while you were choosing. Here is the board now; nothing was played."
TAKEBACK = "Agree: take it back"
DAY = 86_400


@pytest.fixture(autouse=True)
async def standing(harness: Harness) -> None:
    """Boards name seconds: the clock stands still but where it is put forward, in the time of the story."""
    harness.clock.at = harness.clock()


async def pressed(harness: Harness, person: Person, message: Json | BotReply, label: str) -> BotReply:
    """A button pressed, and all that comes of it shown."""
    reply = await person.press(message, label)
    await harness.settled()
    return reply


async def ordered(harness: Harness, person: Person, command: str, played: Played) -> BotReply:
    """A command in a match, and all that comes of it shown."""
    reply = await person.command(command, channel=played.place)
    await harness.settled()
    return reply


def foot(message: Json) -> str:
    """What stands under the picture of a board."""
    return people.text_of(message).split("\n", 3)[-1]


@pytest.fixture
def described() -> bool:
    return False


async def test_a_move_is_taken_back_by_consent(harness: Harness) -> None:
    """From the button below the board to the boards, pads and forms that are stale then."""
    ann, bea, played = harness.ann, harness.bea, await harness.match()
    first = played.board
    await chosen(ann, first, "Move", "b2", "Play b2")
    await harness.settled()
    played = await played.fresh()
    pad, form = await chosen(bea, played.board, "Move"), await form_of(bea, played.board)
    told = harness.told(bea), harness.told(ann)

    more = await ann.press(played.board, "More …")
    assert labels(more.message) == [
        "If … then …",
        "Try out",
        "Take back",
        "Offer a draw",
        "Pause",
        "Call it off",
        "Resign",
    ]
    asked = await pressed(harness, ann, more, "Take back")
    assert f"You asked to take back **b2**. It happens as soon as {called(bea)} agrees." in asked.text
    # The board is there already: the panel becomes a line, and the way back.
    assert labels(asked.message) == ["Never mind"] and not people.list_media(asked.message)
    played = await played.fresh()
    expected = f"🟦\xa0{called(ann)} asks to take back **b2**. 🟧\xa0{called(bea)} can agree or refuse."
    assert expected in people.text_of(played.board) and labels(played.board) == [
        "Move",
        "Rules",
        "More …",
        TAKEBACK,
        "Refuse",
    ]
    assert (harness.told(bea), harness.told(ann)) == (told[0] + 1, told[1])

    before = played.board
    agreed = await pressed(harness, bea, before, TAKEBACK)
    assert agreed.kind == "update"
    played = await played.fresh()
    assert played.record == [(1, "b2"), (1, "takeback")] and played.row.turn == (1,)
    assert labels(played.board) == ["Move", "Rules", "More …"] and labels(harness_message(harness, before)) == []
    assert f"🟦\xa0{called(ann)} took back **b2**, and" in people.text_of(played.board)
    assert (harness.told(bea), harness.told(ann)) == (told[0] + 1, told[1] + 1)
    assert people.list_media(played.board)[0].alt == people.list_media(first)[0].alt, "the board before"

    # What was shown before is stale: pads, forms, the first board, and the button itself.
    for late in (await bea.press(pad, "a1"), await bea.submit(form, {"Square": "a1"})):
        assert "moved on" in late.text or "went on" in late.text
    late = await harness.forge(ann, first, f"m:{played.id}:0:move")
    assert MOVED_ON in late.text
    late = await harness.forge(ann, asked.message, f"m:{played.id}:1s:takeback")
    assert "The match moved on, so nothing was asked. Here is the board now." in late.text
    assert await played.unchanged()
    again = await played.move("c1", ann)
    assert again.record[-1] == (1, "c1")


def harness_message(harness: Harness, message: Json) -> Json:
    """A message as it is now."""
    return harness.sandbox.world.message(message["channel_id"], message["id"])


async def test_a_proposal_is_refused_or_withdrawn_and_nobody_agrees_to_the_wrong_thing(harness: Harness) -> None:
    ann, bea, played = harness.ann, harness.bea, await harness.match()
    played = await played.move("b2", ann)
    reply = await ordered(harness, ann, "match takeback", played)
    assert reply.text == f"You asked to take back **b2**. It happens as soon as {called(bea)} agrees."
    told = harness.told(ann)
    await pressed(harness, bea, played.board, "Refuse")
    assert harness.told(ann) == told + 1
    played = await played.fresh()
    refused = f"🟧\xa0{called(bea)} doesn't want the move taken back."
    assert refused in people.text_of(played.board) and labels(played.board) == ["Move", "Rules", "More …"]
    nagging = await ordered(harness, ann, "match takeback", played)
    assert nagging.text.startswith(
        f"You already asked “Take a move back?”, and {called(bea)} didn't agree. Ask again after another move, <t:"
    )

    # What happens next takes the place of a refusal.
    await ordered(harness, bea, "match abort", played)
    assert "doesn't agree" not in people.text_of((await played.fresh()).board)
    again = await ordered(harness, bea, "match abort", played)
    await pressed(harness, bea, again, "Take it back")

    # Withdrawn, and another proposal in its place: who answers the first has not answered the second.
    await ordered(harness, ann, "match pause", played)
    pausing = copy.deepcopy((await played.fresh()).board)
    thinking = await ordered(harness, ann, "match pause", played)
    assert f"You already asked for that. It happens as soon as {called(bea)} agrees." in thinking.text
    told = harness.told(bea)
    await pressed(harness, ann, thinking, "Withdraw it")
    await ordered(harness, ann, "match draw", played)
    assert harness.told(bea) == told + 1
    marked = next(one.custom_id for one in people.list_buttons(pausing) if one.label == "Agree: pause")
    late = await harness.forge(bea, pausing, str(marked))
    assert GONE in late.text and "Agree: draw" in labels(late.message)
    played = await played.fresh()
    assert (played.row.proposal, played.row.paused) == ("draw 1", None)
    # A stranger has no say, and the person who asks does not agree with themselves.
    told = await harness.cem.press(played.board, "Agree: draw")
    assert told.text == f"You aren't in this match. It is between {called(ann)} and {called(bea)}."
    own = await ann.press(played.board, "Agree: draw")
    assert own.text == f"You already asked for that. It happens as soon as {called(bea)} agrees."
    assert own.is_ephemeral and [one.label for one in people.list_buttons(own.message)] == ["Withdraw it", "Leave it"]
    # The next move is an answer, too.
    played = await played.move("a1", bea)
    assert played.row.proposal is None and "draw" not in people.text_of(played.board)


async def test_a_draw_asks_everybody_whose_consent_ends_the_match(harness: Harness) -> None:
    ann, bea, played = harness.ann, harness.bea, await harness.match()
    played = await (await played.move("b2", ann)).move("a1", bea)
    await ordered(harness, ann, "match draw", played)
    played = await played.fresh()
    assert "offers a draw, which would end the match." in people.text_of(played.board)
    for asked in (await bea.press(played.board, "Agree: draw"), await bea.command("match draw", channel=played.place)):
        assert asked.text.startswith("Agree to a draw? That ends match 1.") and asked.is_ephemeral
        assert labels(asked.message) == ["Agree to a draw", "Play on"]
    assert await played.unchanged()
    sure = str(people.list_buttons(asked.message)[0].custom_id)
    told = harness.told(ann)
    ended = await pressed(harness, bea, asked, "Agree to a draw")
    assert "The match is a draw." in ended.text
    played = await played.fresh()
    assert (played.row.state, played.record[-1], harness.told(ann)) == ("finished", (1, "draw"), told + 1)
    assert f"**🟦\xa0{called(ann)} and 🟧\xa0{called(bea)} agreed to a draw.**" in people.text_of(played.board)
    late = await harness.forge(bea, asked.message, sure)
    assert "This match is over." in late.text


async def test_a_match_is_paused_and_goes_on(harness: Harness) -> None:
    ann, bea, played = harness.ann, harness.bea, await harness.match(pace="3")
    begun = played.row.players[0].deadline
    assert begun
    await harness.later(DAY)
    await ordered(harness, bea, "match pause", played)
    played = await played.fresh()
    asks = f"🟧\xa0{called(bea)} asks to pause the match until everybody agrees to go on."
    assert asks in people.text_of(played.board)
    await pressed(harness, ann, played.board, "Agree: pause")
    played = await played.fresh()
    paused = played.row.paused
    assert paused and f"Paused since <t:{paused}:D>. No clock is running." in people.text_of(played.board)
    assert "<t:" not in people.text_of(played.board).replace(f"<t:{paused}:D>", "") and "Resume" in labels(played.board)
    # Moves may be made all the same; no clock starts with them.
    await harness.later(9 * DAY)
    played = await played.move("b2", ann)
    assert [player.deadline for player in played.row.players] == [None, None]
    assert (await pressed(harness, bea, played.board, "Resume")).kind == "update"
    played = await played.fresh()
    until = (played.row.proposed or 0) + 3 * DAY
    goes = f"asks to go on. The clocks run again as soon as everybody agrees, or <t:{until}:R> if nobody refuses."
    assert goes in people.text_of(played.board)
    told = harness.told(bea)
    await ordered(harness, ann, "match resume", played)
    played = await played.fresh()
    bea_now = played.row.find_player(played.row.players[1].user)
    assert played.row.paused is None and bea_now and bea_now.deadline and harness.told(bea) == told + 1
    assert f"<t:{bea_now.deadline}:R>" in people.text_of(played.board)
    assert labels(played.board) == ["Move", "Rules", "More …"]


async def test_in_secret_games_a_proposal_shows_nothing_of_secret_moves(harness: Harness) -> None:
    bea, cem = harness.bea, harness.cem
    played = await table(harness, "sums-grid", bea, seat="me", opponent=cem, size=2, pace="3")
    await cem.press(played.lobby, "Accept")
    await harness.settled()
    played = await played.fresh()
    for command in ("match takeback", "match draw"):
        refused = await bea.command(command, channel=played.place)
        assert "in Sums Grid, because its moves are secret until the end." in refused.text
    await ordered(harness, cem, "match pause", played)
    played = await played.fresh()
    board = harness_message(harness, played.board)
    shown = people.text_of(board), [one.custom_id for one in people.list_buttons(board)], len(played.boards)
    await bea.command("sums-grid submit", channel=played.place, grid="1 2 / 3 4")
    await harness.settled()
    board = harness_message(harness, played.board)
    assert (people.text_of(board), [one.custom_id for one in people.list_buttons(board)], len(played.boards)) == shown
    agreed = await pressed(harness, bea, board, "Agree: pause")
    assert agreed.is_ephemeral and "The match is paused." in agreed.text
    assert "Paused since" in people.text_of((await played.fresh()).board)


@pytest.mark.long
async def test_the_bot_dies_between_an_agreement_and_its_board(harness: Harness) -> None:
    ann, bea, played = harness.ann, harness.bea, await harness.match()
    played = await played.move("b2", ann)
    await ordered(harness, ann, "match takeback", played)
    told = harness.told(ann)
    harness.kill_at("committed")
    with pytest.raises(NoAnswerInTime):
        await bea.command("match takeback", channel=played.place)
    await harness.restart()
    await harness.settled()
    played = await played.fresh()
    assert played.record == [(1, "b2"), (1, "takeback")] and harness.told(ann) == told + 1
    assert "took back **b2**" in people.text_of(played.board)


def thread(harness: Harness, played: Played) -> list[str]:
    """What stands in the thread of a match: its lines, and of each board how far it is and whether it has buttons."""
    found = list[str]()
    for one in harness.cem.read_messages(played.place):
        if boards := people.list_media(one):
            at = (boards[0].alt or "").split("Move ")[-1][0]
            found.append(f"board {at}{' with buttons' if labels(one) else ''}")
        elif one["type"] == 0:
            found.append(people.text_of(one) or one["content"])
    return found


async def test_what_is_asked_and_refused_is_a_line_each_and_the_board_stands_once(harness: Harness) -> None:
    ann, bea, played = harness.ann, harness.bea, await (await harness.match()).move("b2")
    begun = thread(harness, played)
    assert begun[-1] == "board 1 with buttons" and "board 0" in begun
    offer, no_draw = f"<@{bea.id}>, {called(ann)} offers a draw.", f"<@{ann.id}>, {called(bea)} doesn't want a draw."
    await ordered(harness, ann, "match draw", played)
    assert thread(harness, played) == [*begun[:-1], offer, "board 1 with buttons"]
    await pressed(harness, bea, (await played.fresh()).board, "Refuse")
    assert thread(harness, played) == [*begun[:-1], offer, no_draw, "board 1 with buttons"]
    await ordered(harness, ann, "match takeback", played)
    await pressed(harness, bea, (await played.fresh()).board, TAKEBACK)
    asked = f"<@{bea.id}>, {called(ann)} asks to take back b2."
    *before, line, last = thread(harness, played)
    assert before == [*begun[:-1], offer, no_draw, asked, "board 1"] and last == "board 0 with buttons"
    assert line == f"<@{ann.id}>, it's your move: you took back b2, and {called(bea)} agreed."
    await harness.sound()


async def test_a_match_that_is_called_off_has_its_board_once(harness: Harness) -> None:
    played = await (await harness.match()).move("b2")
    begun = thread(harness, played)
    await ordered(harness, harness.ann, "match abort", played)
    await harness.surely(harness.bea, "match abort", channel=played.place)
    await harness.settled()
    boards = [one for one in thread(harness, played) if one.startswith("board")]
    assert (await played.fresh()).row.state == "aborted" and len(boards) == 2 and boards[0] in begun


@sampled("step", ("told", "drawn", "posted", "noted", "shown", "removed"))
async def test_a_death_while_the_board_goes_down_leaves_one_with_buttons(harness: Harness, step: str) -> None:
    harness.forgiven += ["could not be shown and will be tried again", "could not be edited"]
    played = await (await harness.match()).move("b2")
    harness.kill_at(step)
    with suppress(NoAnswerInTime):
        await harness.ann.command("match draw", channel=played.place)
    await harness.killed.wait()
    harness.faults.forget_nonces()
    await harness.restart()
    await harness.settled()
    boards = [one for one in thread(harness, played) if one.startswith("board")]
    assert boards == ["board 0", "board 1 with buttons"] and "Agree: draw" in labels((await played.fresh()).board)
