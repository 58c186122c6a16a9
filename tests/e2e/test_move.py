"""`/move`, which knows its thread: one line of notation in any game, completed from the match that is meant."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest

from bot.features.board import match_pictures
from bot.features.board.match_pictures import paint_pictures
from bot.features.pads.handlers import iterate_moves
from bot.games.catalogue import load_games
from bot.games.moves import SELECT_LIMIT
from bot.platform.ui import Drawing
from bot.play.match import Match
from rendering.shapes import Picture
from tests.e2e.harness import CALLBACK, Harness, called, labels


async def test_a_line_is_played_in_the_match_of_the_thread(harness: Harness) -> None:
    played = await harness.match()
    other = await harness.match(harness.ann, harness.cem)
    reply = await harness.ann.command("move", channel=played.place, line=" B 2 ")
    assert (reply.text, reply.is_ephemeral) == ("You played **b2**.", True)
    await harness.settled()
    assert (await played.fresh()).record == [(1, "b2")]
    assert await other.unchanged()
    # Elsewhere it is the one match in which it is one's turn, and that match is linked to.
    reply = await harness.ann.command("move", channel="general", line="a1")
    assert reply.text.startswith("You played **a1**. https://discord.com/channels/")
    await harness.settled()
    assert (await other.fresh()).record == [(1, "a1")]


async def test_the_board_is_drawn_while_the_answer_is_on_its_way(
    harness: Harness, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawings: list[Sequence[Picture]] = []

    def noted(pictures: Sequence[Picture]) -> Drawing:
        drawings.append(pictures)
        return paint_pictures(pictures)

    played = await harness.match()
    monkeypatch.setattr(match_pictures, "paint_pictures", noted)
    harness.faults.delay_requests("POST", CALLBACK, 1.0, applied=True)
    await harness.ann.command("move", channel=played.place, line="b2")
    await asyncio.sleep(0.5)
    assert len(drawings) == 1 and (await played.fresh()).row.shown_plies == 0
    await harness.settled()
    assert len(drawings) == 1 and (await played.fresh()).record == [(1, "b2")]


async def test_moves_are_offered_while_a_line_is_typed(harness: Harness) -> None:
    played = await (await harness.match()).move("b2")
    offered = await harness.bea.complete("move", "line", channel=played.place, line="")
    assert [value for _, value in offered] == ["a1", "b1", "c1", "a2", "c2", "a3", "b3", "c3"]
    assert await harness.bea.complete("move", "line", channel=played.place, line="C") == [
        ("c1", "c1"), ("c2", "c2"), ("c3", "c3")
    ]  # fmt: skip
    assert await harness.bea.complete("move", "line", channel="general", line="c1") == [("c1", "c1")]
    for person in (harness.ann, harness.cem):
        assert await person.complete("move", "line", channel=played.place, line="") == [], "it is not their turn"
    assert await harness.bea.complete("move", "match", match="") == [
        ("1 · Binary Primes · Ann · move 2 · your move · 7 days left", "1")
    ]  # fmt: skip


async def test_a_note_behind_an_offered_move_is_not_played(harness: Harness) -> None:
    await harness.ann.command("binary-scramble challenge", channel="games", opponent=harness.bea, seat="me", length=4)
    await harness.settled()
    await harness.bea.press(harness.bea.read_latest_message("games"), "Accept")
    await harness.settled()
    assert await harness.ann.complete("move", "line", line="") == [("0 (gives 0)", "0"), ("1 (gives 1)", "1")]
    assert (await harness.ann.command("move", line="1 (gives 1)")).text.startswith("You played **1**.")


async def test_a_long_line_that_is_refused_is_handed_back(harness: Harness) -> None:
    await harness.ann.command("within-the-curve challenge", channel="games", opponent=harness.bea, seat="me", size=6)
    await harness.settled()
    await harness.bea.press(harness.bea.read_latest_message("games"), "Accept")
    await harness.settled()
    wrong = await harness.ann.command("move", line="curve a1 d1 d3 b4")
    assert wrong.is_ephemeral
    assert "a1 d1 d3 b4" in wrong.text and labels(wrong.message) == ["Edit"]
    nonsense = await harness.ann.command("move", line="spiral")
    assert "spiral" in nonsense.text and labels(nonsense.message) == []


NO_MOVES = (
    ("b2", "Player 1 has already filled b2. Choose an empty square."),
    ("resign", "“resign” isn't a square. Write a column letter and a row number. You could write a1."),
    (" ", "Write a move first."),
    ("(a note)", "“(a note)” isn't a square. Write a column letter and a row number. You could write a1."),
    ("7" * 5000, "That's too long. I read at most 4000 characters."),
)


async def test_a_line_that_is_no_move_changes_nothing(harness: Harness) -> None:
    """Nor one without a match, out of turn, or of a stranger."""
    none = await harness.ann.command("move", line="a1")
    assert none.text == "You have no open matches here. Use /play to challenge somebody."
    played = await (await harness.match()).move("b2")
    for line, sentence in NO_MOVES:
        reply = await harness.bea.command("move", channel=played.place, line=line)
        assert (reply.text, reply.is_ephemeral) == (sentence.replace("Player 1", called(harness.ann)), True)
    early = await harness.ann.command("move", channel=played.place, line="a1")
    assert early.text == f"It's {called(harness.bea)}'s turn."
    stranger = await harness.cem.command("move", channel=played.place, line="a1")
    assert stranger.text.startswith("You aren't in this match. ")
    unknown = await harness.ann.command("move", line="a1", match=99)
    assert unknown.text.startswith("There is no match 99 ")
    assert await harness.ann.complete("move", "line", line="a", match=99) == []
    await harness.settled()
    assert await played.unchanged()


def test_no_kind_of_move_is_crowded_out() -> None:
    match = Match.start(load_games()["combining-dividing"], {"length": 6}, 2)
    for number in ("30", "40", "50", "60", "70", "80"):
        match = match.play(match.turn[0], number)
    (seat,) = match.turn
    first = [move.split()[0] for move, _ in list(iterate_moves(match.game, match.position, seat, ""))[:SELECT_LIMIT]]
    assert {"add", "split"} <= set(first)
    # A kind without parts is offered by its name.
    alone = Match.start(load_games()["sums-grid"], {"size": 2}, 1).play(1, "1 2 / 3 4")
    assert [move for move, _ in iterate_moves(alone.game, alone.position, 1, "d")] == ["done"]
