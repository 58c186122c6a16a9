"""Answers that are prepared by typing: the opponent's move and one's own on a form, in every game in four taps."""

from __future__ import annotations

from bot.games.catalogue import load_games
from bot.games.game import Game
from bot.games.legs import has_legs
from bot.play.record import Move
from bot.sandbox.people import BotReply, Person
from tests.e2e.harness import Harness, Played, called, labels, said
from tests.e2e.test_duplicate_delivery import received, silent
from tests.e2e.test_pads import chosen
from tests.e2e.test_prepared_moves import AND_THEN, IF_THEN, MORE, OUTDATED, waiting
from tests.support import pad_taps
from tests.support.sampled import sampled

TYPE_IT, THEIRS, YOURS = "Type it", "If your opponent plays this …", "… then you play this"
"""The button that opens the form, and its fields."""
GAMES = [game for game in load_games().values() if pad_taps.preparable(game)]


class Tapping:
    """Somebody whose taps are counted."""

    def __init__(self, person: Person) -> None:
        self.person = person
        self.taps = 0

    async def press(self, message: BotReply | dict[str, object], *labels: str) -> BotReply:
        """A pad after some taps."""
        self.taps += len(labels)
        return await chosen(self.person, message, *labels)

    async def submit(self, form: BotReply, theirs: str, yours: str) -> BotReply:
        """A form that is filled in and sent."""
        self.taps += 1
        return await self.person.submit(form, {THEIRS: theirs, YOURS: yours})


async def begun(harness: Harness, game: Game) -> Played:
    """A match of Ann's and Bea's with the usual options; Ann has the first seat."""
    legs = {"legs": 1} if has_legs(game) else {}
    asked = {"opponent": harness.bea, "seat": "me", **legs}
    reply = await harness.ann.command(f"{game.key} challenge", channel="games", **asked)
    await harness.settled()
    number = int(reply.text.split()[1])
    open_one = Played(harness, number, await harness.row(number))
    await harness.bea.press(open_one.lobby, "Accept")
    await harness.settled()
    return await open_one.fresh()


@sampled("game", GAMES, few=3, ids=lambda game: game.key)
async def test_an_answer_is_typed_in_four_taps(harness: Harness, game: Game) -> None:
    (match, seat, theirs), (_, answering, yours) = next(pad_taps.answers(game))
    played, people = await begun(harness, game), (harness.ann, harness.bea)
    for move in match.record:
        assert isinstance(move, Move)
        await people[move.seat - 1].command("move", channel=played.place, line=move.text)
        await harness.settled()
    played = await played.fresh()
    owner, opponent = people[answering - 1], people[seat - 1]
    hand = Tapping(owner)
    form = await hand.press(played.board, MORE, IF_THEN, TYPE_IT)
    ready = await hand.submit(form, theirs, yours)
    assert "You prepared 1 line" in said(ready.message), said(ready.message)
    assert hand.taps == pad_taps.TYPED
    await opponent.command("move", channel=played.place, line=theirs)
    await harness.settled()
    played = await played.fresh()
    assert [tuple(move) for move in played.record[-2:]] == [(seat, theirs), (answering, yours)]
    assert f"{called(owner)} had" in said(played.board)
    await harness.sound()


# What is typed.


async def test_both_moves_are_typed_in_four_taps(harness: Harness) -> None:
    played = await waiting(harness)
    form = await chosen(harness.ann, played.board, MORE, IF_THEN, TYPE_IT)
    assert form.modal and [one["label"] for one in form.modal["components"]] == [THEIRS, YOURS]
    assert form.modal["title"] == "If … then … · Binary Primes"
    ready = await harness.ann.submit(form, {THEIRS: "Ｃ 3\u200b", YOURS: "“B2”。"})
    line = f"1. If {called(harness.bea)} plays **c3**, you play **b2**."
    assert ready.kind == "update" and line in said(ready.message)
    assert labels(ready.message) == [AND_THEN, "Another one", "Clear all"]
    form = await chosen(harness.ann, ready, AND_THEN, TYPE_IT)
    ready = await harness.ann.submit(form, {THEIRS: "a3", YOURS: "a2"})
    assert f"{line} If {called(harness.bea)} then plays **a3**, you play **a2**." in said(ready.message)
    played = await played.move("c3")
    assert played.record[-1] == (1, "b2")
    assert (await played.move("a3")).record[-1] == (1, "a2")
    await harness.sound()


async def test_one_of_the_two_is_typed_and_the_other_tapped(harness: Harness) -> None:
    played = await waiting(harness)
    form = await chosen(harness.ann, played.board, MORE, IF_THEN, TYPE_IT)
    pad = await harness.ann.submit(form, {THEIRS: "c3"})
    assert f"If {called(harness.bea)} plays **c3**, **which square do you fill?" in said(pad.message)
    pad = await chosen(harness.ann, pad, "b", "b2", "Another one", "d", "d4")
    form = await harness.ann.press(pad, TYPE_IT)
    assert form.modal and [one["label"] for one in form.modal["components"]] == [YOURS]
    ready = await harness.ann.submit(form, {YOURS: "e5"})
    assert f"2. If {called(harness.bea)} plays **d4**, you play **e5**." in said(ready.message)


async def test_an_answer_that_cannot_be_played_leaves_the_move_that_it_was_for(harness: Harness) -> None:
    played = await waiting(harness)
    form = await chosen(harness.ann, played.board, MORE, IF_THEN, TYPE_IT)
    refused = await harness.ann.submit(form, {THEIRS: "a1", YOURS: "b2"})
    assert "You have already filled a1" in refused.text
    form = await chosen(harness.ann, played.board, MORE, IF_THEN, TYPE_IT)
    pad = await harness.ann.submit(form, {THEIRS: "c3", YOURS: "c3"})
    assert f"{called(harness.bea)} has already filled c3" in said(pad.message)
    assert f"If {called(harness.bea)} plays **c3**, **which square do you fill?" in said(pad.message)
    assert (await harness.row(played.id)).players[0].prepared is None
    form = await harness.ann.press(pad, TYPE_IT)
    ready = await harness.ann.submit(form, {YOURS: "c4"})
    assert f"1. If {called(harness.bea)} plays **c3**, you play **c4**." in said(ready.message)


async def test_a_form_is_sent_when_the_match_has_gone_on_or_is_over(harness: Harness) -> None:
    played = await waiting(harness)
    pad = await chosen(harness.ann, played.board, MORE, IF_THEN)
    form, later = await harness.ann.press(pad, TYPE_IT), await harness.ann.press(pad, TYPE_IT)
    forged = await harness.forge_form(harness.cem, played.board, f"f:{played.id}:1:ifthen:7", {"theirs:0": "c3"})
    assert "You aren't in this match." in forged.text
    await played.move("e5")
    late = await harness.ann.submit(form, {THEIRS: "c3", YOURS: "b2"})
    assert OUTDATED in said(late.message)
    assert (await harness.row(played.id)).players[0].prepared is None
    await harness.surely(harness.bea, "match resign", channel=played.place)
    await harness.settled()
    late = await harness.ann.submit(later, {THEIRS: "c3", YOURS: "b2"})
    assert "This match is over." in late.text


async def test_a_form_is_sent_twice_and_after_a_restart(harness: Harness) -> None:
    played = await waiting(harness)
    pad = await chosen(harness.ann, played.board, MORE, IF_THEN)
    form = await harness.ann.press(pad, TYPE_IT)
    await harness.restart()
    before = received(harness)
    harness.faults.deliver_twice()
    await harness.ann.submit(form, {THEIRS: "c3", YOURS: "b2"})
    await silent(harness, before)
    shown = await harness.ann.command("match prepared", channel=played.place)
    assert "You prepared 1 line" in said(shown.message)
    await harness.sound()


async def test_an_opponent_who_makes_several_moves_is_waited_for(harness: Harness) -> None:
    """Who answers in a pair draws the first line of the next one, too."""
    played = await begun(harness, load_games()["plexus"])
    await harness.ann.command("move", channel=played.place, line="d3-d2")
    await harness.settled()
    form = await chosen(harness.ann, (await played.fresh()).board, MORE, IF_THEN, TYPE_IT)
    pad = await harness.ann.submit(form, {THEIRS: "d4-d5", YOURS: "d5-d6"})
    assert f"{called(harness.bea)} makes another move before you can answer." in said(pad.message)
    assert f"If {called(harness.bea)} plays **d4-d5**, {called(harness.bea)} moves again." in said(pad.message)
    ready = await harness.ann.submit(await harness.ann.press(pad, TYPE_IT), {THEIRS: "d5-d6", YOURS: "d6-d7"})
    assert "You prepared 1 line" in said(ready.message), said(ready.message)
