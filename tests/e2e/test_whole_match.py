"""Whole matches, from the challenge to the leaderboard, in each of the ways in which people can move."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable

from bot.sandbox import people
from bot.sandbox.people import Person
from tests.e2e.harness import OVER, Harness, Played, alt, called, form_of, labels
from tests.support.postgres import on_postgres
from tests.support.sampled import sampled

SQUARES = ("b2", "a1", "c1", "b1")
"""A match of Binary Primes worked out by hand in its recorded matches: the rows win, 245 to 27."""


Way = Callable[[Played, Person, str], Awaitable[None]]


async def by_command(played: Played, person: Person, typed: str) -> None:
    reply = await person.command("binary-primes move", channel=played.place, square=typed)
    assert reply.is_ephemeral
    assert re.fullmatch(r"You played \*\*[abc][123]\*\*\.", reply.text)


async def by_form(played: Played, person: Person, typed: str) -> None:
    opened = await form_of(person, played.board)
    assert opened.modal and opened.modal["title"] == "Binary Primes: move"
    assert [label["label"] for label in opened.modal["components"]] == ["Square"]
    closed = await person.submit(opened, {"Square": typed})
    assert (closed.kind, closed.is_ephemeral) == ("acknowledged", True)


async def finished(harness: Harness, played: Played) -> None:
    """What stands where when the match has been played to its end, and who was told how often."""
    ann, bea = harness.ann, harness.bea
    assert [(entry, move) for entry, move in played.record] == list(zip((1, 2, 1, 2), SQUARES, strict=True))
    assert (played.row.state, played.row.turn) == ("finished", ())
    first, *_, last = played.boards
    assert [labels(board) for board in played.boards] == [
        [],
        [],
        [],
        [],
        OVER,
    ]
    assert people.text_of(first) == "The match began."
    did, *lines = people.text_of(played.boards[1]).splitlines()
    assert did == f"{called(ann)} played **b2**: the products are equal."
    assert lines == [
        "-# column b: 7 → 5 (×5 ÷7), read 101",
        "-# row 2: 7 → 5 (×5 ÷7), read 101",
    ]
    assert [alt(board).partition(". Columns")[0] for board in played.boards] == [
        *(f"Binary Primes. 3 by 3. Move {ply} of 4" for ply in range(4)),
        "Binary Primes. 3 by 3. Finished after 4 moves",
    ]
    assert "1 O O #  7\n2 . # .  5\n3 . . .  7" in alt(last)
    assert len(people.list_media(last)) == 1, "a finished match fits the screen of a phone"
    details = await harness.press_more(harness.cem, last, "Details")
    assert f"🟧\xa0{called(bea)} · rows ·\xa0**245**" in details.text and len(people.list_media(details.message)) == 4
    went = "Scores over 4 moves, at the end columns 27 and rows 245. Rows led from move 3 on."
    colours = f"{called(ann)} is blue and {called(bea)} is orange."
    assert (people.list_media(details.message)[-1].alt or "").startswith(f"{went} {colours}\n")
    assert colours in alt(last), "whoever has a picture read out hears whose colours are on it"
    own = await ann.command("match board", channel=played.place)
    bytes_of = [
        [people.bytes_of(harness.sandbox.world, it) for it in people.list_media(one)] for one in (own.message, last)
    ]
    assert bytes_of[0] == bytes_of[1], "everybody is shown the same"
    assert people.text_of(last) == (
        f"### Binary Primes\xa0· match\xa01\n**{called(bea)} beat {called(ann)} 245\xa0:\xa027.**\n"
        "The rows count 7 × 5 × 7\xa0= 245, the columns 3 × 3 × 3\xa0= 27.\n"
        f"🟦\xa0{called(ann)} · columns\n🟧\xa0{called(bea)} · rows"
    )
    for board in played.boards:
        assert all(
            people.bytes_of(harness.sandbox.world, picture)[:4] == b"\x89PNG" for picture in people.list_media(board)
        )
    over = f"{called(ann)} and {called(bea)}'s match of **Binary Primes** is over: [how it ended](https://"
    assert people.text_of(played.lobby).startswith(over) and labels(played.lobby) == []
    news = harness.sandbox.world.message(str(played.row.channel), str(played.row.announcement))
    assert people.text_of(news).startswith(f"**{called(bea)} beat {called(ann)} 245\xa0:\xa027 · Binary Primes**")
    assert labels(news) == ["Replay", "Rematch", "Review"] and f"/{news['id']})" in people.text_of(played.lobby)
    assert played.place["thread_metadata"]["auto_archive_duration"] == 60, "it leaves the sidebar in an hour"
    assert all(message["mentions"] == [] for message in (played.lobby, news, *played.boards)), "boards tell nobody"
    assert [[user["id"] for user in line["mentions"]] for line in played.lines] == [
        [person.id] for person in (ann, bea, ann, bea, ann)
    ]
    # Bea was challenged once; each was told twice that they are to move, and Ann of the end that Bea made.
    assert (harness.told(ann), harness.told(bea)) == (3, 3)


@sampled("way", [by_command, by_form])
async def test_a_match_is_played_to_its_end(harness: Harness, way: Way) -> None:
    played = await harness.challenge(opponent=harness.bea)
    assert harness.told(harness.bea) == 1
    assert labels(played.lobby) == ["Accept", "Decline", "Rules"]
    assert people.text_of(played.lobby).splitlines()[0] == (
        f"{harness.bea.mention}, {called(harness.ann)} challenges you to Binary Primes."
    )
    accepted = await harness.bea.press(played.lobby, "Accept")
    assert accepted.kind == "update"
    await harness.settled()
    played = await played.fresh()
    assert played.place["name"] == "Ann – Bea · Binary Primes · 1"
    assert played.place["thread_metadata"]["auto_archive_duration"] == 10080
    assert people.text_of(played.lobby).startswith(
        f"{called(harness.ann)} and {called(harness.bea)} are playing **Binary Primes**: https://"
    )
    for square, person in zip(SQUARES, (harness.ann, harness.bea) * 2, strict=True):
        assert f"{called(person)} is to move." in people.text_of(played.board)
        assert labels(played.board) == ["Move", "Rules", "More …"]
        told = harness.told(person)
        await way(played, person, square)
        await harness.settled()
        played = await played.fresh()
        assert harness.told(person) == told
    await finished(harness, played)
    await results(harness)


@on_postgres
async def test_a_match_outlives_its_bot_on_postgresql(harness: Harness) -> None:
    played = await harness.match()
    moves = zip(SQUARES, (harness.ann, harness.bea) * 2, (by_command, by_form, by_form, by_command), strict=True)
    for ply, (square, person, way) in enumerate(moves, 1):
        await way(played, person, square)
        if ply == 2:
            await harness.restart()
        await harness.settled()
        played = await played.fresh()
    await finished(harness, played)
    await results(harness)


async def results(harness: Harness) -> None:
    """What the lists say of one match that Bea has won."""
    ann, bea = harness.ann, harness.bea
    board = await ann.command("leaderboard", channel="games")
    assert board.is_ephemeral
    assert f"No place yet: {called(bea)} (1 match) and {called(ann)} (1 match)." in board.text
    assert harness.told(bea) == 3, "a leaderboard tells nobody"
    assert "Nobody has finished" not in (await ann.command("leaderboard", game="binary-primes")).text
    profile = await ann.command("profile", person=bea)
    assert profile.is_ephemeral
    assert [line.partition(" ·")[0] for line in profile.text.splitlines()[:3]] == [
        f"### {called(bea)}", "**All games**", "**Binary Primes**"
    ]  # fmt: skip
    assert "**Binary Primes** · rating **1603**, provisional · 1 match · 1 won" in profile.text
    assert (await bea.command("matches")).text == (
        "You have no open matches here. Use /play to challenge somebody, or /tables to find a free seat."
    )


async def test_people_type_as_they_like_and_are_offered_what_they_may_play(harness: Harness) -> None:
    played = await harness.match(seat="opponent")
    ann, bea = harness.ann, harness.bea
    offered = await bea.complete("binary-primes move", "square", channel=played.place, square="b")
    assert offered == [("b1", "b1"), ("b2", "b2"), ("b3", "b3")]
    assert await bea.complete("binary-primes move", "square", channel="games", square="B2") == [("b2", "b2")]
    assert await ann.complete("binary-primes move", "square", channel=played.place, square="") == []
    assert await harness.cem.complete("binary-primes move", "square", channel=played.place, square="") == []
    time = f"time ends <t:{(await played.fresh()).row.players[0].deadline}:R>"
    assert (await bea.command("matches")).text == (
        f"### Your matches\n**Your move** · **[Binary Primes · 1]({link(harness, played)})** against {called(ann)}"
        f" · {time}"
    )

    typed = await bea.command("binary-primes move", channel="games", square=" B 2 ")
    await harness.settled()
    played = await played.fresh()
    assert typed.text == f"You played **b2**. {link(harness, played, -2)}"
    opened = await form_of(ann, played.board)
    await ann.submit(opened, {"Square": "a1"})
    await harness.settled()
    assert ("b2", "b2") not in await bea.complete("binary-primes move", "square", channel=played.place, square="")
    assert (await bea.command("binary-primes move", channel=played.place, square="1C")).text == "You played **c1**."
    await harness.settled()
    assert (await ann.command("binary-primes move", channel="general", square="b-1", match=1)).is_ephemeral
    await harness.settled()
    played = await played.fresh()
    assert [move for _, move in played.record] == list(SQUARES)
    assert len(played.boards) == 5
    assert f"**{called(ann)} beat " in people.text_of(played.board)
    assert (harness.told(ann), harness.told(bea)) == (3, 3)


def link(harness: Harness, played: Played, index: int = -1) -> str:
    """The link to one of a match's boards."""
    return f"https://discord.com/channels/{harness.sandbox.world.home_guild['id']}/{played.place['id']}/{played.boards[index]['id']}"
