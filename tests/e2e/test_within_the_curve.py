"""A match of Within The Curve as two people play it on their phones: secret moves, forms that are mended, the end.

It is the game whose moves take the most writing, so what it takes of a person is counted: every press, every form sent
off, every command.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import pytest

from bot.games.catalogue import load_games
from bot.games.notation import Square
from bot.platform.checks import TokenBuckets
from bot.play.ids import MatchId
from bot.play.loaded_match import FoldCache
from bot.sandbox import people
from bot.sandbox.people import BotReply, Person
from cogs.within_the_curve.rules import WithinTheCurve
from cogs.within_the_curve.sheet import find_clash
from tests.e2e.harness import Harness, Json, labels

CORNERS = {
    1: "b2 f2 f3 h3 h2 k2 k6 j6 j9 k9 k11 e11 e10 b10",
    2: "a1 f1 f4 h4 h1 l1 l8 i8 i12 c12 c9 a9",
}
"""Ordinary curves of twelve by twelve, of 40 squares around 54 and of 50 around 73."""
AT_ONCE = 100
"""How many squares they fill at once."""
TAKES = ("20 interactions, 442 characters typed", "19 interactions, 434 characters typed")
"""What it takes both of them to write 122 numbers each."""


@dataclass
class Hand:
    """What somebody does: everything goes through here and is counted."""

    harness: Harness
    person: Person
    own: Json = field(default_factory=dict[str, Any])
    acts: int = 0
    typed: int = 0

    def __str__(self) -> str:
        return f"{self.acts} interactions, {self.typed} characters typed"

    async def open(self, public: Json) -> None:
        """Open one's own board."""
        self.acts += 1
        reply = await self.person.press(public, "My board")
        assert reply.is_ephemeral
        self.own = reply.message

    async def press(self, button: str) -> BotReply:
        """Press a button of one's own board, which shows the answer."""
        self.acts += 1
        reply = await self.person.press(self.own, button)
        self._shown(reply)
        return reply

    async def send(self, button: str, line: str) -> BotReply:
        """Open a form from one's own board, type a line, and send it off."""
        self.acts += 3
        pad = await self.person.press(self.own, button)
        self.own = pad.message
        if "The match moved on" in pad.text:
            # Somebody else was done in the meantime, and this shows it.
            return await self.send(button, line)
        opened = await self.person.press(pad, "Type it")
        assert opened.modal
        (only,) = opened.modal["components"]
        self.typed += len(line)
        reply = await self.person.submit(opened, {only["label"]: line})
        self._shown(reply)
        return reply

    def _shown(self, reply: BotReply) -> None:
        if reply.kind == "update":
            assert reply.message_id == self.own["id"], "one's own board is changed in place"
            self.own = reply.message

    @property
    def text(self) -> str:
        """What one's own board says, its alt texts included."""
        return "\n".join([people.text_of(self.own), *(media.alt or "" for media in people.list_media(self.own))])


async def begun(harness: Harness, size: int) -> tuple[Json, Hand, Hand]:
    """A live match's place, and two people at it: Ann has seat 1."""
    given = {"opponent": harness.bea, "size": size, "seat": "me"}
    await harness.ann.command("within-the-curve challenge", channel="games", **given)
    await harness.settled()
    row = await harness.row(MatchId(1))
    await harness.bea.press(harness.sandbox.world.message(str(row.channel), str(row.lobby_message)), "Accept")
    await harness.settled()
    place = harness.sandbox.channel(str((await harness.row(MatchId(1))).thread))
    return place, Hand(harness, harness.ann), Hand(harness, harness.bea)


def public(harness: Harness, place: Json) -> Json:
    """The newest public board, as somebody sees it who does not play."""
    return [message for message in harness.cem.read_messages(place) if labels(message)][-1]


async def position_of(harness: Harness) -> WithinTheCurve:
    """The match as it is stored."""
    position = FoldCache(load_games())(await harness.row(MatchId(1))).begun_match.position
    assert isinstance(position, WithinTheCurve)
    return position


def tried(position: WithinTheCurve, seat: int, which: int, most: int) -> list[str]:
    """Squares for the next numbers of a curve, each where the fewest of the dozen after it could go instead."""
    found: list[str] = []
    while len(found) < most:
        curve, sheet = next((curve, sheet) for each, curve, sheet in position.copies_of(seat) if each == which)
        numbers, later = sheet.numbers_by_square(curve), range(sheet.next_number + 1, sheet.next_number + 13)

        def use(square: int, curve: Any = curve, numbers: Any = numbers, later: Any = later) -> int:
            return sum(find_clash(curve, numbers, square, number) is None for number in later)

        best = min(sheet.open_squares(curve), key=use, default=None)
        if best is None:
            return found
        found.append(str(Square.from_ordinal(best, position.size)))
        position = position.play(seat, f"fill {which} {found[-1]}")
    return found


async def work(hand: Hand, seat: int) -> None:
    """Number both curves and fill them, so many squares at a time, and be done."""
    for which, start in ((1, "b2"), (2, "a1")):
        await hand.send("Number", f"{which} {start} cw")
        while squares := tried(await position_of(hand.harness), seat, which, AT_ONCE):
            await hand.send("Fill", " ".join((str(which), *squares)))
    assert (await hand.press("End my match")).text.startswith(
        "End your match? You can't change your numbers afterwards."
    )
    await hand.press("End my match")


async def test_a_match_of_two_on_their_own_boards(harness: Harness) -> None:
    harness.life.client.gate.acts = TokenBuckets(1000, 1)
    place, ann, bea = await begun(harness, 12)
    boards = len(harness.cem.read_messages(place))
    for hand, seat in ((ann, 1), (bea, 2)):
        await hand.open(public(harness, place))
        await hand.send("Draw curve", CORNERS[seat])
        assert labels(hand.own) == ["Draw curve", "Edit"] and len(people.list_media(hand.own)) == 1
        await hand.press("Draw curve")
        assert hand.own["id"] in [message["id"] for message in hand.person.read_messages(place)]
    await harness.settled()
    # What somebody at work can do is for them to know, and what they have.
    assert labels(public(harness, place)) == ["My board", "Rules", "More …"]
    assert "**0**" not in people.text_of(public(harness, place)) and "**0**" in ann.text
    await ann.open(public(harness, place))
    for hand, seat in ((ann, 1), (bea, 2)):
        assert (len(people.list_media(hand.own)), labels(hand.own)) == (1, ["Number", "Rules", "More …"])
        await work(hand, seat)
        await harness.settled()
    position = await position_of(harness)
    assert not position.turn and all(score > 20 for score in position.scores())
    last = public(harness, place)
    assert [alt for media in people.list_media(last) if (alt := media.alt or "").count("wrote up to") == 2]
    # Only what spectators see has posted boards: two curves, two who were done; and of the end somebody was told.
    assert len(harness.cem.read_messages(place)) - boards <= 5
    assert (str(ann), str(bea)) == TAKES


async def test_a_curve_with_a_slip_is_handed_back(harness: Harness) -> None:
    place, ann, _ = await begun(harness, 6)
    await ann.open(public(harness, place))
    typed = "a1 d1 d3 b3 b1 c1\nc4 a4"
    refused = await ann.send("Draw curve", typed)
    assert (refused.kind, refused.is_ephemeral, labels(refused.message)) == ("update", True, ["Edit"])
    told = "The curve passes through b1 twice. Only once is allowed.\n-# Match 1 · Within The Curve"
    assert refused.text == f"{told}\n```\n{typed}\n```"
    again = await ann.person.submit(await ann.person.press(refused, "Edit"), {"Corners": "a1 b1 b5 a5"})
    # It is refused in place, and mended there too.
    assert (again.kind, again.message_id) == ("update", refused.message_id)
    assert again.text.startswith("This curve has no square inside. Draw it wider.")
    opened = await ann.person.press(again, "Edit")
    assert opened.modal and opened.modal["components"][0]["component"]["value"] == "a1 b1 b5 a5"
    asked = await ann.person.submit(opened, {"Corners": "a1 c1 c5 a5"})
    assert (asked.kind, asked.message_id, labels(asked.message)) == (
        "update",
        refused.message_id,
        ["Draw curve", "Edit"],
    )
    assert asked.text.startswith(
        "Is this your curve? You can't change it once it is drawn, and everybody will fill it."
    )
    assert (await position_of(harness)).drawn == (), "nothing is drawn before they are sure"
    drawn = await ann.person.press(asked, "Draw curve")
    assert (drawn.kind, drawn.message_id) == ("update", refused.message_id)
    assert drawn.text.endswith(f"Your curve is drawn.\n-# {(await link(harness))}")
    assert (await position_of(harness)).drawn == (1,)


async def link(harness: Harness) -> str:
    """The link to the match's board."""
    await harness.settled()
    row = await harness.row(MatchId(1))
    return f"https://discord.com/channels/{row.guild}/{row.thread}/{row.board_message}"


async def at_work(harness: Harness) -> tuple[Json, Hand, Hand]:
    """Two people at work; curve 1 is numbered by Ann."""
    place, ann, bea = await begun(harness, 6)
    for person, corners in ((harness.ann, "a1 c1 c4 a4"), (harness.bea, "d4 d6 f6 f4")):
        question = await person.command("within-the-curve curve", channel=place, corners=corners)
        await person.press(question, "Draw curve")
    await harness.settled()
    given = {"curve": "1", "square": "b1", "direction": "cw"}
    assert (
        "You wrote **1 at b1 of curve 1, clockwise**."
        in (await harness.ann.command("within-the-curve number", channel=place, **given)).text
    )
    await ann.open(public(harness, place))
    return place, ann, bea


@pytest.mark.long
async def test_what_is_refused_to_a_command_is_handed_back_in_a_form(harness: Harness) -> None:
    place, *_ = await at_work(harness)
    refused = await harness.ann.command("within-the-curve fill", channel=place, curve="1", squares="b2 b3")
    assert refused.text.startswith("2 doesn't fit b3. 8 is next to it at a3, and 2 divides both.")
    opened = await harness.ann.press(refused, "Edit")
    filled = await harness.ann.submit(opened, {"Fill": "1 b3 b2"})
    assert "You wrote **1 at b3 and 2 at b2 in curve 1**." in filled.text and (await position_of(harness)).scores() == (
        2,
        0,
    )


async def test_the_question_about_a_curve_shows_nobody_elses(harness: Harness) -> None:
    place, ann, bea = await begun(harness, 6)
    question = await ann.person.command("within-the-curve curve", channel=place, corners="a1 c1 c4 a4")
    await ann.person.press(question, "Draw curve")
    # Hers is the last curve: with it all become known, so the question must not play it.
    question = await bea.person.command("within-the-curve curve", channel=place, corners="d4 d6 f6 f4")
    (picture,) = people.list_media(question.message)
    assert "d4" in question.text and "a1" not in question.text and "c4" not in (picture.alt or "").split("\n")[0]
    assert (await position_of(harness)).drawn == (1,)
    assert (await bea.person.press(question, "Edit")).modal


@pytest.mark.long
async def test_what_was_written_while_somebody_finished_fits_still(harness: Harness) -> None:
    place, ann, bea = await at_work(harness)
    pad = await ann.person.press(ann.own, "Fill")
    opened = await ann.person.press(pad, "Type it")
    for text in ("number 1 b1 cw", "fill 1 b2", "number 2 d4 cw", "fill 2 e5"):
        await by_command(bea.person, place, text)
    question = await bea.person.command("within-the-curve done", channel=place)
    assert "You have finished." in (await bea.person.press(question, "End my match")).text
    again = await ann.person.press(pad, "Type it")
    sent = await ann.person.submit(opened, {"Fill": "1 b3"})
    assert "You wrote **1 at b3 in curve 1**." in sent.text
    # One's own move is another matter: the second form was opened on a board that has changed for oneself.
    refused = await ann.person.submit(again, {"Fill": "1 b2"})
    assert refused.text.startswith("The match moved on while you were writing.")
    sent = await ann.person.submit(await ann.person.press(refused, "Edit"))
    assert "You wrote **2 at b2 in curve 1**." in sent.text


async def by_command(person: Person, place: Json, text: str) -> None:
    """A move by slash command."""
    kind, *parts = text.split()
    names = {"number": ("curve", "square", "direction"), "fill": ("curve", "squares")}.get(kind, ())
    given = dict(zip(names, parts, strict=True))
    reply = await person.command(f"within-the-curve {kind}", channel=place, **given)
    assert f"You wrote **1 at {parts[1]} " in reply.text


@pytest.mark.long
async def test_offered_squares_may_be_typed_on(harness: Harness) -> None:
    place, *_ = await at_work(harness)
    ann, given = harness.ann, {"channel": place, "curve": "1"}
    assert await ann.complete("within-the-curve fill", "curve", channel=place, curve="") == [("1 (1 is next)", "1")]
    offered = await ann.complete("within-the-curve fill", "squares", squares="", **given)
    assert offered == [("b2 (1 is next)", "b2"), ("b3 (1 is next)", "b3")]
    # Discord writes what was picked into the command with its note, and people go on behind it: they are offered the
    # whole without the note, which is never dropped in silence.
    typed = offered[1][0] + " "
    assert await ann.complete("within-the-curve fill", "squares", squares=typed, **given) == [
        ("b3 b2 (ends with 2)", "b3 b2")
    ]
    refused = await ann.command("within-the-curve fill", squares=typed + "b2", **given)
    assert refused.text.startswith(
        "You wrote “fill 1 b3 (1 is next) b2”. “(1 is next) b2” doesn't start with a square."
    )
    assert (
        "You wrote **1 at b3 and 2 at b2 in curve 1**."
        in (await ann.command("within-the-curve fill", squares="b3 b2", **given)).text
    )


@pytest.mark.long
async def test_a_form_of_moves_that_a_restored_backup_does_not_hold_asks_nothing(harness: Harness) -> None:
    """What was typed is handed back, and the match stands as it was."""
    place, ann, _ = await begun(harness, 6)
    await ann.open(public(harness, place))
    reply = await harness.forge_form(ann.person, ann.own, "f:1:5:curve:99", {"corners": "a1 c1 c4 a4"})
    assert labels(reply.message) == ["Edit"]
    assert "The match moved on" in reply.text and "a1 c1 c4 a4" in reply.text
    assert (await position_of(harness)).drawn == ()
