"""A match in two legs, from the challenge to the records: one thread, one rating, two boards in one message."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from bot.engine.levels import SearchQuestion, Thought
from bot.engine.search import answer_question
from bot.features.challenges.onboarding import WHICH
from bot.features.challenges.service import UNASKED
from bot.features.computer.service import EnginePool
from bot.games.catalogue import load_games
from bot.platform.custom_ids import MatchButton
from bot.play.ids import MatchId
from bot.play.records import replay_record
from bot.sandbox import people
from bot.sandbox.interactions import NoAnswerInTime
from bot.sandbox.people import BotReply, Person
from data.store import Reader
from tests.e2e.harness import OVER, Harness, Played, alt, called, labels, said
from tests.world.stale_buttons import forged

LEGS = ("**Leg 1**", "**Leg 2**")
MOVE, FIRST, SECOND = "Move", "Move · leg 1", "Move · leg 2"


async def go(played: Played, person: Person, square: str, leg: int | None = None) -> BotReply:
    """A move by slash command in a leg."""
    options = {} if leg is None else {"leg": leg}
    reply = await person.command("binary-primes move", channel=played.place, square=square, **options)
    await played.harness.settled()
    return reply


async def by_pad(played: Played, person: Person, leg: str, square: str) -> BotReply:
    """A move in a leg by its button on one's own board and a few taps."""
    pad = await person.press(await person.command("match board", channel=played.place), leg)
    assert f"Leg {leg[-1]}: " in pad.text
    for key in (square[0], square):
        keys = labels(pad.message)
        pad = await person.press(pad, key) if key in keys else pad
    played_ = await person.press(pad, f"Play {square}")
    await played.harness.settled()
    return played_


async def test_a_whole_match_in_two_legs(harness: Harness) -> None:
    ann, bea = harness.ann, harness.bea
    lobby = await harness.challenge(opponent=bea, legs=2)
    assert "in two legs" in said(lobby.lobby) and "You play two games at once, one from each seat" in said(lobby.lobby)
    await bea.press(lobby.lobby, "Accept")
    await harness.settled()
    played = await lobby.fresh()
    assert (played.row.legs, played.row.turn) == (2, (1, 2))
    assert labels(played.board) == [MOVE, "Rules", "More …"]
    assert all(leg in said(played.board) for leg in LEGS)
    assert [one.alt.partition(".")[0] for one in people.list_media(played.board) if one.alt] == ["Leg 2", "Leg 1"]
    # Each begins one leg, and neither is held up by the other's move.
    own = await ann.press(played.board, MOVE)
    assert own.text.startswith("**Leg 1: ")
    await go(played, bea, "b2")
    for key in ("b", "b2"):
        own = await ann.press(own, key) if key in labels(own.message) else own
    done = await ann.press(own, "Play b2")
    assert done.kind == "acknowledged"
    await harness.settled()
    played = await played.fresh()
    assert played.record == [(2, "2: b2"), (1, "1: b2")]
    assert f"{called(ann)} played **b2** in leg 1: " in said(played.board)
    # A move that names no leg is one in the leg that has waited longest.
    assert (await go(played, ann, "a1")).text.startswith("You played **a1** in leg 2.")
    assert (await bea.command("move", channel=played.place, line="a1")).text.startswith("You played **a1** in leg 1.")
    await harness.settled()
    for square, person, leg in (("c1", ann, 1), ("c1", bea, 2), ("b1", bea, 1)):
        await go(played, person, square, leg)
    await harness.restart()
    played = await played.fresh()
    assert labels(played.board) == [MOVE, "Rules", "More …"] and f"🟧\xa0{called(bea)} · 245 + " in said(played.board)
    last = await ann.command("move", channel=played.place, line="b1")
    assert last.text.startswith("You played **b1** in leg 2.")
    await harness.settled()
    await over(harness, await played.fresh())


async def over(harness: Harness, played: Played) -> None:
    """What stands where when both legs are over: by hand, the rows win each leg by 245 to 27."""
    ann, bea = harness.ann, harness.bea
    assert played.row.state == "finished"
    assert [(player.rank, player.score) for player in played.row.players] == [(1, 272), (1, 272)]
    assert f"**{called(ann)} and {called(bea)} drew" in said(played.board)
    second = f"🟦\xa0{called(ann)} · 27 + 245 = **272**"
    assert second in said(played.board)
    assert "Leg 2. Binary Primes. 3 by 3. Finished" in "".join(one.alt or "" for one in people.list_media(played.board))
    assert alt(played.board).startswith("Leg 1. ")
    file = await ann.command("match record", channel=played.place)
    (found,) = file.message["attachments"]
    lines = people.bytes_of(harness.sandbox.world, found).splitlines()
    answers = [replay_record(load_games(), line, every=False, legal=False) for line in lines]
    assert [json.loads(line)["leg"] for line in lines] == [1, 2]
    assert [one["scores"] for one in answers] == [[27, 245], [27, 245]] and all(one["finished"] for one in answers)
    # Rated once: a match each, drawn.
    board = await harness.store.ask(Reader.leaderboard, played.row.guild, "binary-primes")
    assert [(one.played, one.drawn) for one in board] == [(1, 1), (1, 1)]
    await harness.sound()


async def at_once(_: Any, question: SearchQuestion, *__: Any) -> Thought:
    """A search in a thread of this process, which need not be started."""
    return await asyncio.to_thread(answer_question, question)


async def begun(harness: Harness, **options: Any) -> Played:
    """A match in two legs of Ann and Bea."""
    return await harness.match(legs=2, **options)


async def test_a_move_of_one_leg_is_taken_back_and_the_other_stays(harness: Harness) -> None:
    ann, bea, played = harness.ann, harness.bea, await begun(harness)
    for person, square, leg in ((ann, "a1", 1), (bea, "b2", 2), (bea, "a2", 1), (ann, "c3", 2)):
        await go(played, person, square, leg)
    asked = await bea.command("match takeback", channel=played.place)
    assert "You asked to take back **a2** in leg 1. It" in asked.text
    await harness.settled()
    assert "asks to take back **a2** in leg 1." in said((await played.fresh()).board)
    await ann.command("match takeback", channel=played.place)
    await harness.settled()
    played = await played.fresh()
    assert played.record[-1] == (2, "takeback") and played.row.turn == (2,)
    # In the first leg it is Bea's move again, in the second still.
    assert (await go(played, bea, "a3", 1)).text.startswith("You played **a3** in leg 1.")
    lines = await ann.command("match record", channel=played.place)
    (found,) = lines.message["attachments"]
    records = [json.loads(line) for line in people.bytes_of(harness.sandbox.world, found).splitlines()]
    assert [record["moves"] for record in records] == [[[1, "a1"], [2, "a3"]], [[1, "b2"], [2, "c3"]]]
    await harness.sound()


async def test_who_resigns_loses_both_legs_and_a_rematch_has_two_again(harness: Harness) -> None:
    ann, bea, played = harness.ann, harness.bea, await begun(harness)
    await go(played, ann, "a1")
    await go(played, bea, "b2", 2)
    reply = await harness.surely(bea, "match resign", channel=played.place)
    assert reply.is_ephemeral
    await harness.settled()
    played = await played.fresh()
    assert (played.row.state, played.row.rated) == ("finished", True)
    assert f"**{called(ann)} beat {called(bea)}" in said(played.board)
    assert "won" not in said(played.board) and said(played.board).count("· not finished") == 2
    news = harness.sandbox.world.message(str(played.row.channel), str(played.row.announcement))
    assert "won" not in said(news) and "Binary Primes, two legs" in said(news)
    assert [(player.user, player.rank) for player in played.row.players] == [(int(ann.id), 1), (int(bea.id), 2)]
    await ann.press(played.board, "Rematch")
    await harness.settled()
    await bea.press(played.board, "Rematch")
    await harness.settled()
    again = Played(harness, played.id + 1, await harness.row(played.id + 1))
    assert (again.row.state, again.row.legs, again.row.turn) == ("live", 2, (1, 2))
    await harness.sound()


async def first_leg_won(harness: Harness) -> Played:
    """A match in two legs of which Bea, who has the rows there, has won the first; Ann begins nothing in the second."""
    ann, bea, played = harness.ann, harness.bea, await begun(harness)
    for person, square in ((ann, "b2"), (bea, "a1"), (ann, "c1"), (bea, "b1")):
        await go(played, person, square, 1)
    played = await played.fresh()
    assert f"🟧\xa0{called(bea)} · **245** in leg 1" in said(played.board)
    return played


@pytest.mark.long
async def test_who_resigns_loses_the_match_though_one_leg_was_won(harness: Harness) -> None:
    ann, bea, played = harness.ann, harness.bea, await first_leg_won(harness)
    await harness.surely(bea, "match resign", channel=played.place)
    await harness.settled()
    played = await played.fresh()
    assert (played.row.state, played.row.turn) == ("finished", ())
    assert [(player.user, player.rank) for player in played.row.players] == [(int(ann.id), 1), (int(bea.id), 2)]
    assert f"**{called(ann)} beat {called(bea)}" in said(played.board)
    assert (await go(played, ann, "a1", 2)).text.startswith("This match is over.")
    await harness.sound()


@pytest.mark.long
async def test_a_match_is_called_off_though_one_leg_was_won(harness: Harness) -> None:
    ann, bea, played = harness.ann, harness.bea, await first_leg_won(harness)
    await ann.command("match abort", channel=played.place)
    await harness.settled()
    played = await played.fresh()
    assert played.row.state == "live"
    await go(played, bea, "b2", 2)  # who goes on playing has not agreed
    assert (await played.fresh()).row.state == "live"
    await harness.surely(bea, "match abort", channel=played.place)
    await harness.settled()
    played = await played.fresh()
    assert (played.row.state, labels(played.board)) == ("aborted", ["Rules"])
    assert [player.rank for player in played.row.players] == [None, None]
    await harness.sound()


@pytest.mark.long
async def test_a_draw_ends_both_legs_though_one_was_won(harness: Harness) -> None:
    ann, bea, played = harness.ann, harness.bea, await first_leg_won(harness)
    await bea.command("match draw", channel=played.place)
    await harness.settled()
    await harness.surely(ann, "match draw", channel=played.place)
    await harness.settled()
    played = await played.fresh()
    assert f"**{called(ann)} and {called(bea)} agreed to a draw.**" in said(played.board)
    assert [(player.rank, player.score) for player in played.row.players] == [(1, 370), (1, 588)]
    assert labels(played.board) == OVER
    await harness.sound()


@pytest.mark.long
async def test_a_match_in_two_legs_is_called_off_as_a_whole(harness: Harness) -> None:
    ann, bea, played = harness.ann, harness.bea, await begun(harness)
    await go(played, ann, "a1")
    await ann.command("match abort", channel=played.place)
    await harness.surely(bea, "match abort", channel=played.place)
    await harness.settled()
    played = await played.fresh()
    assert (played.row.state, labels(played.board)) == ("aborted", ["Rules"])
    assert "The match was called off. It doesn't count." in said(played.board)
    await harness.sound()


async def test_the_bot_dies_between_a_move_in_a_leg_and_its_board(harness: Harness) -> None:
    ann, bea, played = harness.ann, harness.bea, await begun(harness)
    await go(played, bea, "b2")
    harness.kill_at("committed")
    with pytest.raises(NoAnswerInTime):
        await ann.command("binary-primes move", channel=played.place, square="c3", leg=2)
    await harness.restart()
    await harness.settled()
    played = await played.fresh()
    assert played.record == [(2, "2: b2"), (1, "2: c3")]
    assert f"{called(ann)} played **c3** in leg 2" in said(played.board)
    assert labels(played.board) == [MOVE, "Rules", "More …"]
    await harness.sound()


async def test_one_button_opens_the_leg_that_waits(harness: Harness) -> None:
    played = await begun(harness)
    assert (await harness.ann.press(played.board, MOVE)).text.startswith("**Leg 1: ")
    assert (await harness.bea.press(played.board, MOVE)).text.startswith("**Leg 2: ")
    own = await harness.bea.command("match board", channel=played.place)
    await go(played, harness.bea, "b2")
    waiting = (await played.fresh()).board
    assert (await harness.bea.press(waiting, MOVE)).text.startswith(f"It's {called(harness.ann)}'s turn.")
    await go(played, harness.ann, "a1", 1)
    later = (await harness.ann.press((await played.fresh()).board, MOVE)).text
    assert later.startswith("**Leg 2: "), "leg 1 waits for Bea now"
    forced = MatchButton(MatchId(1), 2, False, False, "move1")
    refused = await forged(harness.ann, (await played.fresh()).board, str(forced))
    assert refused.text == f"Leg 1: it is {called(harness.bea)}'s turn."
    assert labels(own.message)[0] == MOVE


async def test_two_legs_are_usual_where_one_seat_is_much_better_off(harness: Harness) -> None:
    ann, bea = harness.ann, harness.bea
    given: tuple[dict[str, Any], ...] = ({}, {"legs": 1}, {"rated": False}, {"rated": False, "legs": 2})
    for person, chosen in zip((ann, bea, harness.cem, harness.dora), given, strict=True):
        told = (await person.command("plexus challenge", channel="games", **chosen)).text
        assert "has a table below, open until <t:" in told and told.endswith(UNASKED.format(game="Plexus")) == (
            "legs" not in chosen
        )
    await ann.command("play", channel="games", game="sum-kind-of-game", opponent=bea)
    await bea.command("divisors-multiples-sequence challenge", channel="games", seats=3)
    even = await harness.cem.command("dream-math challenge", channel="games")
    assert "two games at once" not in even.text
    assert [(await harness.row(match)).legs for match in range(1, 8)] == [2, 1, 2, 2, 2, 1, 1]
    many = await ann.command("binary-scramble challenge", channel="games", seats=3, legs=2)
    assert many.text.startswith("Two legs are for two people, not for 3: ")
    secret = await ann.command("play", channel="games", game="sums-grid", opponent=bea, legs=2)
    assert secret.text.startswith("Sums Grid is not played in two legs: its moves are secret.")
    await harness.settled()


async def test_the_card_of_a_game_chooses_the_legs(harness: Harness) -> None:
    card = await harness.ann.press(await harness.ann.command("play", channel="games"), WHICH, ["dream-math"])
    await harness.until(lambda: "In two legs" in labels(card.message))
    card = await harness.ann.press(card, "In two legs")
    assert "In one leg" in labels(card.message) and "You play two games at once" in card.text
    await harness.ann.press(card, "Open a table")
    await harness.settled()
    assert (await harness.row(1)).legs == 2
    await harness.bea.press((await Played(harness, 1, await harness.row(1)).fresh()).lobby, "Join")
    await harness.settled()
    assert (await harness.row(1)).turn == (1, 2)


async def test_the_computer_plays_both_legs(harness: Harness, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(EnginePool, "think", at_once)
    played = await harness.against(1, legs=2)
    assert [text.partition(":")[0] for _, text in played.record] == ["2"], "it begins the second leg"
    while played.row.state == "live":
        loaded = await harness.life.client.umpire.load(played.row.id)
        line = next(loaded.begun_match.position.moves(1))
        reply = await harness.ann.command("move", channel=played.place, line=line)
        assert reply.text.startswith(f"You played **{line[3:]}** in leg {line[0]}."), reply.text
        await harness.answered()
        played = await played.fresh()
    assert not played.row.rated and {text[0] for _, text in played.record} == {"1", "2"}
    await harness.sound()
