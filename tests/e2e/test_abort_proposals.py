"""Proposals to abort a match: the board says what is stored, at every moment, in all kinds of games.

Agreeing to what the board says ends the match; what the board does not say any more, nobody can agree to.
"""

from __future__ import annotations

from random import Random

import pytest

from bot.games.catalogue import load_games
from bot.play.ids import InteractionId, MatchId, UserId
from bot.play.loaded_match import FoldCache
from bot.play.match import Match
from bot.sandbox import people as sandbox_people
from bot.sandbox.people import Person
from bot.umpire.umpire import Umpire
from tests.contract.playing import stepped
from tests.e2e.harness import Harness, Played, called, labels
from tests.e2e.test_several_seats import table
from tests.support.sampled import sampled


@pytest.fixture
def described() -> bool:
    return False


async def agrees(played: Played) -> Played:
    """The match as it stands, when its board is found to say who would call it off and who is asked, and no others."""
    harness = played.harness
    await harness.settled()
    played = await played.fresh()
    asking = [player for player in played.row.players if player.consent]
    said = next(
        (line for line in sandbox_people.text_of(played.board).splitlines() if "to call the match off." in line), ""
    )
    people = {int(one.id): called(one) for one in (harness.ann, harness.bea, harness.cem, harness.dora)}
    withdrawn = FoldCache(load_games())(played.row).begun_match.withdrawn_seats
    asked = [each for each in played.row.players if asking and each not in asking and each.seat not in withdrawn]
    wish, _, ends = said.partition(" It ends if ")
    assert [player for player in played.row.players if people[player.user] in wish] == asking
    assert [player for player in played.row.players if people[player.user] in ends] == asked
    return played


async def three(harness: Harness, key: str) -> Played:
    """A live match of Bea, Cem and Dora; Ann only manages the server."""
    people = (harness.bea, harness.cem, harness.dora)
    named = {"opponent": harness.cem, "opponent2": harness.dora}
    played = await table(harness, key, harness.bea, seat="me", **named)
    for person in people[1:]:
        await person.press(played.lobby, "Accept")
    return await agrees(played)


async def goes_on(played: Played, person: Person) -> Played:
    """A move of somebody's, who may be asked whether they mean it."""
    folded: Match = FoldCache(load_games())(played.row).begun_match
    seat = played.row.seat_of(UserId(int(person.id)))
    assert seat in folded.turn
    rng, after = Random(1), folded
    while after is folded or after.record[-1].seat != seat:
        after = stepped(folded, rng)
    reply = await person.command("move", channel=played.place, line=after.record[-1].text)
    if "Edit" in labels(reply.message) or "Back" in labels(reply.message):
        await person.press(reply, labels(reply.message)[0])
    played = await agrees(played)
    assert played.record[-1] == (seat, after.record[-1].text)
    return played


@sampled("key", ["sums-grid", "binary-scramble"])
async def test_the_board_says_who_would_call_the_match_off(harness: Harness, key: str) -> None:
    bea, cem, dora = harness.bea, harness.cem, harness.dora
    played = await three(harness, key)
    await bea.command("match abort", channel=played.place)
    played = await agrees(played)
    # A move leaves the proposals as they are, in secret as in public.
    played = await goes_on(await goes_on(played, bea), cem)
    again = await bea.command("match abort", channel=played.place)
    assert "You already asked to call match 1 off" in again.text
    await bea.press(again, "Take it back")
    played = await agrees(played)
    await bea.command("match abort", channel=played.place)
    await dora.command("match abort", channel=played.place)
    await agrees(played)
    await harness.surely(dora, "match resign", channel=played.place)
    played = await agrees(played)
    assert [player.consent for player in played.row.players] == [True, False, False]
    # Now only Cem is asked, and who agrees to what the board says ends the match.
    asked = await cem.command("match abort", channel=played.place)
    assert "off? It ends and doesn't count." in asked.text
    ended = await cem.press(asked, "Call it off")
    assert "The match is called off." in ended.text
    await harness.settled()
    played = await played.fresh()
    assert played.row.state == "aborted"
    assert "The match was called off. It doesn't count." in sandbox_people.text_of(played.board)


async def test_whoever_is_asked_can_refuse_and_whoever_asks_can_withdraw_it(harness: Harness) -> None:
    bea, cem = harness.bea, harness.cem
    played = await harness.match(bea, cem)
    await bea.command("match abort", channel=played.place)
    played = await agrees(played)
    assert labels(played.board)[-2:] == ["Agree: call it off", "Refuse"]
    told = harness.told(bea)
    await cem.press(played.board, "Refuse")
    played = await agrees(played)
    assert harness.told(bea) == told + 1 and "Refuse" not in labels(played.board)
    assert f"🟧\xa0{called(cem)} wants to play on." in sandbox_people.text_of(played.board)
    nagging = await bea.command("match abort", channel=played.place)
    assert nagging.text.startswith(
        f"You already asked “Call the match off?”, and {called(cem)} didn't agree. Ask again"
    )
    # Cem asks in their turn, from the panel, and thinks better of it.
    more = await cem.press(played.board, "More …")
    asked = await cem.press(more, "Call it off")
    assert f"You asked to call match 1 off. It ends as soon as {called(bea)} agrees." in asked.text
    assert labels(asked.message)[-1] == "Never mind"
    played = await agrees(played)
    assert f"{called(cem)} wants to play on." not in sandbox_people.text_of(played.board)
    old = str(sandbox_people.list_buttons(played.board)[-1].custom_id)
    withdrawn = await cem.press(asked, "Never mind")
    assert "You took that back." in withdrawn.text
    played = await agrees(played)
    assert not any(player.consent for player in played.row.players)
    late = await harness.forge(bea, played.board, old)
    assert "Nobody is asking that any more." in late.text


@pytest.mark.long
async def test_who_agrees_to_a_proposal_that_was_taken_back_meanwhile_only_asks(harness: Harness) -> None:
    played = await harness.match(harness.bea, harness.cem)
    await harness.bea.command("match abort", channel=played.place)
    await harness.settled()
    agreeing = await harness.cem.command("match abort", channel=played.place)
    again = await harness.bea.command("match abort", channel=played.place)
    await harness.bea.press(again, "Take it back")
    told = await harness.cem.press(agreeing, "Call it off")
    asks = f"You asked to call match 1 off. It ends as soon as {called(harness.bea)} agrees."
    assert asks in told.text
    played = await agrees(played)
    assert [player.consent for player in played.row.players] == [False, True]


@pytest.mark.long
async def test_a_player_who_has_left_has_no_say(harness: Harness) -> None:
    played = await three(harness, "binary-scramble")
    await harness.surely(harness.dora, "match resign", channel=played.place)
    refused = await harness.dora.command("match abort", channel=played.place)
    assert refused.text == "You have left this match, so you can't call it off."
    await agrees(played)


@pytest.mark.long
async def test_a_proposal_that_came_between_a_board_and_its_note_is_shown(harness: Harness) -> None:
    """The bot dies behind posting a board; the next one finds that board, which does not show the proposal."""
    played = await harness.match()
    harness.kill_at("posted")
    await harness.ann.command("binary-primes move", channel=played.place, square="b2")
    await harness.killed.wait()
    umpire = Umpire(harness.store, load_games(), harness.clock, Random(1))
    await umpire.abort(InteractionId(1), MatchId(1), UserId(int(harness.ann.id)))
    await harness.restart()
    played = await agrees(played)
    assert [bool(labels(board)) for board in played.boards] == [False, True]
    assert harness.told(harness.bea) == 3, "of the challenge, of the move and of the proposal"
