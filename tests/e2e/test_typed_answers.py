"""An answer is prepared by typing in every game in four taps, and once; the rest is told in stories."""

from __future__ import annotations

from bot.games.catalogue import load_games
from bot.games.game import Game
from bot.games.legs import has_legs
from bot.play.record import Move
from bot.sandbox.people import BotReply, Person
from tests.e2e.harness import Harness, Played, called, said
from tests.e2e.test_duplicate_delivery import received, silent
from tests.e2e.test_pads import chosen
from tests.e2e.test_prepared_moves import IF_THEN, MORE, waiting
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


async def test_a_form_is_sent_twice_and_after_a_restart(harness: Harness) -> None:
    played = await waiting(harness)
    pad = await chosen(harness.ann, played.board, MORE, IF_THEN)
    form = await harness.ann.press(pad, TYPE_IT)
    forged = await harness.forge_form(harness.cem, played.board, f"f:{played.id}:1:ifthen:7", {"theirs:0": "c3"})
    assert "You aren't in this match." in forged.text
    await harness.restart()
    before = received(harness)
    harness.faults.deliver_twice()
    await harness.ann.submit(form, {THEIRS: "c3", YOURS: "b2"})
    await silent(harness, before)
    shown = await harness.ann.command("match prepared", channel=played.place)
    assert "You prepared 1 line" in said(shown.message)
    await harness.sound()
