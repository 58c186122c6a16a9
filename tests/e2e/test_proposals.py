"""Proposals when the bot dies over them, and what no story tells; how people agree is told in tests/stories."""

from __future__ import annotations

from contextlib import suppress
from functools import partial
from random import Random

import pytest

from bot.features.agreements.handlers import parse_seat
from bot.games.catalogue import load_games
from bot.play import claims
from bot.play.ids import InteractionId, MatchId, UserId
from bot.play.loaded_match import Refusal
from bot.sandbox import people
from bot.sandbox.interactions import NoAnswerInTime
from bot.umpire.umpire import Umpire
from tests.e2e.harness import Harness, Played, called, labels, said
from tests.support.sampled import sampled


@pytest.fixture(autouse=True)
async def standing(harness: Harness) -> None:
    """Boards name seconds: the clock stands still but where it is put forward, in the time of the story."""
    harness.clock.at = harness.clock()


@pytest.fixture
def described() -> bool:
    return False


@pytest.mark.long
async def test_the_bot_dies_between_an_agreement_and_its_board(harness: Harness) -> None:
    ann, bea, played = harness.ann, harness.bea, await harness.match()
    played = await played.move("b2", ann)
    await ann.command("match takeback", channel=played.place)
    await harness.settled()
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


@pytest.mark.long
async def test_a_proposal_that_came_between_a_board_and_its_note_is_shown(harness: Harness) -> None:
    """The bot dies behind posting a board; the next one finds that board, which does not show the proposal."""
    played = await harness.match()
    harness.kill_at("posted")
    await harness.ann.command("binary-primes move", channel=played.place, square="b2")
    await harness.killed.wait()
    umpire = Umpire(harness.store, load_games(), harness.clock, Random(1))
    await umpire.act(
        InteractionId(1), MatchId(1), UserId(int(harness.ann.id)), partial(claims.abort, now=umpire.clock())
    )
    await harness.restart()
    await harness.settled()
    played = await played.fresh()
    assert f"{called(harness.ann)} wants to call the match off." in said(played.board)
    assert [bool(labels(board)) for board in played.boards] == [False, True]
    assert harness.told(harness.bea) == 3, "of the challenge, of the move and of the proposal"


async def test_a_player_who_is_asked_is_told_once_though_the_bot_dies_over_it(harness: Harness) -> None:
    played = await harness.match()
    harness.kill_at("posted")
    await harness.ann.command("match replace", channel=played.place, seat=2, player=harness.dora)
    await harness.killed.wait()
    await harness.restart()
    await harness.settled()
    assert harness.told(harness.dora) == 1
    for person in (harness.bea, harness.dora):
        await person.press((await played.fresh()).board, "Agree: hand over")
        await harness.settled()
    assert "took over from" in said((await played.fresh()).board)
    assert harness.told(harness.dora) == 1, "she knows: it was her word"
    assert (await harness.life.client.umpire.load((await played.fresh()).row.id)).users_to_notify == ()


async def test_a_seat_that_no_list_offers_and_a_bot_that_cannot_play(harness: Harness) -> None:
    for number in (2.5, True, "two", "-2", "٢"):
        with pytest.raises(Refusal, match="There is no such seat. Choose one from the list."):
            parse_seat(number)
    assert parse_seat(2.0) == 2 and isinstance(parse_seat(2.0), int) and parse_seat("2") == 2
    played = await harness.match()
    harness.sandbox.world.users[harness.cem.id]["bot"] = True
    refused = await harness.ann.command("match replace", channel=played.place, seat=2, player=harness.cem)
    assert refused.text == f"{called(harness.cem)} is a bot and doesn't play. Name a person."


@pytest.mark.long
async def test_who_was_asked_to_take_a_seat_and_is_forgotten_is_remembered_nowhere(harness: Harness) -> None:
    played = await harness.match()
    await harness.ann.command("match replace", channel=played.place, seat=2, player=harness.dora)
    members, dora = harness.life.client.publisher.members, UserId(int(harness.dora.id))
    await harness.dora.command("tables")
    assert members.list_names(played.row.guild, [dora]) == {dora: "Dora"}
    await harness.dora.command("privacy forget", confirm="forget me")
    await harness.settled()
    assert members.list_names(played.row.guild, [dora]) == {}
