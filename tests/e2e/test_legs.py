"""A match in two legs, from the challenge to the records: one thread, one rating, two boards in one message."""

from __future__ import annotations

import json

from bot.core.catalogue import games
from bot.core.replay import replayed
from bot.sandbox import Person, Reply, reading
from data.store import Reader
from tests.e2e.house import House, Played, alt, labels, said

LEGS = ("**Leg 1** · ", "**Leg 2** · ")
FIRST, SECOND = "Move · leg 1", "Move · leg 2"


async def go(played: Played, person: Person, square: str, leg: int | None = None) -> Reply:
    """A move by slash command in a leg."""
    options = {} if leg is None else {"leg": leg}
    reply = await person.command("binary-primes move", channel=played.place, square=square, **options)
    await played.house.settled()
    return reply


async def by_pad(played: Played, person: Person, leg: str, square: str) -> Reply:
    """A move in a leg by its button and a few taps."""
    pad = await person.press(played.board, leg)
    assert f"Leg {leg[-1]}: " in pad.text
    for key in (square[0], square):
        keys = labels(pad.message)
        pad = await person.press(pad, key) if key in keys else pad
    played_ = await person.press(pad, f"Play {leg[-1]}: {square}")
    await played.house.settled()
    return played_


async def test_a_whole_match_in_two_legs(house: House) -> None:
    ann, bea = house.ann, house.bea
    lobby = await house.challenge(opponent=bea, legs=2)
    assert "in two legs" in said(lobby.lobby) and "the second time with the seats swapped" in said(lobby.lobby)
    await bea.press(lobby.lobby, "Accept")
    await house.settled()
    played = await lobby.fresh()
    assert (played.row.legs, played.row.turn) == (2, (1, 2))
    assert labels(played.board) == [FIRST, SECOND, "Rules"]
    assert all(leg in said(played.board) for leg in LEGS) and "two legs" in said(played.board)
    assert [one.alt.partition(".")[0] for one in reading.media(played.board) if one.alt] == ["Leg 1", "Leg 2"]
    # Each begins one leg, and neither is held up by the other's move.
    own = await ann.press(played.board, FIRST)
    await go(played, bea, "b2")
    for key in ("b", "b2"):
        own = await ann.press(own, key) if key in labels(own.message) else own
    done = await ann.press(own, "Play 1: b2")
    assert done.text.startswith("You played **b2** in leg 1.")
    await house.settled()
    played = await played.fresh()
    assert played.record == [(2, "2: b2"), (1, "1: b2")]
    assert f"🟦 {ann.mention} played **b2** in leg 1: " in said(played.board)
    # Where one leg waits it goes without saying; where both do, it does not.
    assert (await go(played, ann, "a1")).text.startswith("You played **a1** in leg 2.")
    unsaid = await go(played, bea, "a1")
    assert "Both legs wait for you" in unsaid.text and "leg:1" in unsaid.text
    assert "Both legs wait for you" in (await bea.command("move", channel=played.place, line="a1")).text
    await by_pad(await played.fresh(), bea, FIRST, "a1")
    for square, person, leg in (("c1", ann, 1), ("c1", bea, 2), ("b1", bea, 1)):
        await go(played, person, square, leg)
    await house.restart()
    played = await played.fresh()
    assert labels(played.board) == [SECOND, "Rules"] and "🟧 won" in said(played.board)
    last = await ann.command("move", channel=played.place, line="b1")
    assert last.text.startswith("You played **b1** in leg 2.")
    await house.settled()
    await over(house, await played.fresh())


async def over(house: House, played: Played) -> None:
    """What stands where when both legs are over: by hand, the rows win each leg by 245 to 27."""
    ann, bea = house.ann, house.bea
    assert played.row.state == "finished"
    assert [(player.rank, player.score) for player in played.row.players] == [(1, 272), (1, 272)]
    assert f"**A draw between 🟦 {ann.mention} and 🟧 {bea.mention}.**" in said(played.board)
    assert f"🟦 {ann.mention} · **272** = 27 + 245" in said(played.board)
    assert "Leg 2. Binary Primes, 3 by 3, finished" in "".join(one.alt or "" for one in reading.media(played.board))
    assert alt(played.board).startswith("Leg 1. ")
    file = await ann.command("match record", channel=played.place)
    (found,) = file.message["attachments"]
    lines = reading.data(house.sandbox.world, found).splitlines()
    answers = [replayed(games(), line, every=False, legal=False) for line in lines]
    assert [json.loads(line)["leg"] for line in lines] == [1, 2]
    assert [one["scores"] for one in answers] == [[27, 245], [27, 245]] and all(one["finished"] for one in answers)
    # Rated once: a match each, drawn.
    board = await house.store.ask(Reader.leaderboard, played.row.guild, "binary-primes")
    assert [(one.played, one.drawn) for one in board] == [(1, 1), (1, 1)]
    await house.sound()
