"""`/matches` and `/tables`: matches are found again, by those who play them and by those who may watch."""

from __future__ import annotations

import re
from typing import Any

import pytest

from bot.sandbox.people import Person
from tests.e2e.harness import Harness, called


async def listed(asker: Person, /, **options: Any) -> list[str]:
    """The lines of somebody's list, without its heading."""
    reply = await asker.command("matches", **options)
    assert reply.is_ephemeral
    return reply.text.splitlines()[1:]


def numbers(lines: list[str]) -> list[int]:
    return [int(line.partition("](")[0].rpartition(" · ")[2]) for line in lines]


async def test_the_most_urgent_stands_first(harness: Harness) -> None:
    waiting = await harness.match(harness.ann, harness.bea)
    mine = await harness.match(harness.bea, harness.cem)
    asked = await harness.challenge(harness.dora, opponent=harness.bea)
    table = await harness.challenge(harness.bea)
    lines, (own, others) = await listed(harness.bea), [(await one.fresh()).row.players for one in (mine, waiting)]
    assert numbers(lines) == [mine.id, asked.id, waiting.id, table.id]
    where = f"https://discord.com/channels/{asked.row.guild}"
    ann, bea, cem, dora = (called(person) for person in (harness.ann, harness.bea, harness.cem, harness.dora))
    assert lines[0].startswith(f"**Your move** · **[Binary Primes · {mine.id}]({where}/{mine.row.board_channel}/")
    assert lines[0].endswith(f")** against {cem} · time ends <t:{own[0].deadline}:R>")
    assert lines[1].startswith(f"You are asked · **[Binary Primes · {asked.id}]({where}/")
    assert lines[1].endswith(f" against {dora}")
    assert lines[2].startswith(f"{ann}'s move · **[Binary Primes · {waiting.id}]({where}/")
    assert lines[2].endswith(f")** · time ends <t:{others[0].deadline}:R>")
    lobby = f"{where}/{table.row.channel}/{table.row.lobby_message}"
    assert lines[3] == f"1 of 2 seats free · **[Binary Primes · {table.id}]({lobby})** · {bea}"
    assert all(line.count("Binary Primes") == 1 for line in lines)


async def test_lists_are_narrowed_by_person_and_game(harness: Harness) -> None:
    first = await harness.match(harness.ann, harness.bea)
    second = await harness.match(harness.ann, harness.cem)
    other = await harness.match(harness.bea, harness.cem)
    assert set(numbers(await listed(harness.ann))) == {first.id, second.id}
    assert numbers(await listed(harness.ann, person=harness.cem)) == [second.id]
    assert numbers(await listed(harness.dora, which="all here")) == [other.id, second.id, first.id]
    assert numbers(await listed(harness.dora, which="all here", person=harness.ann)) == [second.id, first.id]
    assert len(await listed(harness.dora, which="all here", game="Binary Primes")) == 3
    none = await harness.dora.command("matches", which="all here", game="plexus")
    assert none.text == "No match here fits. Use /matches with fewer options to see more."
    refused = await harness.dora.command("matches", game="chess")
    assert (refused.text, refused.is_ephemeral) == ("There is no such game here. /games shows what there is.", True)
    assert ("Plexus", "plexus") in await harness.dora.complete("matches", "game", game="plex")


@pytest.mark.long
async def test_finished_matches_say_how_they_ended(harness: Harness) -> None:
    played = await (await harness.match()).move("b2")
    await harness.surely(harness.bea, "match resign", match=played.id)
    await harness.settled()
    (line,) = await listed(harness.bea, which="finished")
    assert re.fullmatch(rf"{called(harness.ann)} won <t:[0-9]+:d> · \*\*\[Binary Primes · 1\]\(.+\)\*\*", line)
    assert await listed(harness.bea) == []
    assert await listed(harness.cem, which="finished") == []
    (watched,) = await listed(harness.cem, which="finished", person=harness.ann)
    assert watched.startswith(line.partition(" · ")[0])
    assert watched.endswith(f" · {called(harness.ann)} – {called(harness.bea)}")
    assert (await harness.cem.command("matches", which="finished")).text.startswith(
        "You haven't finished a match here yet"
    )
    assert (await harness.cem.command("matches")).text.startswith("You have no open matches here. ")
    assert (await harness.cem.command("matches", which="all here")).text.startswith("Nobody is playing here right now")


async def test_matches_alone_are_ones_own_until_published(harness: Harness) -> None:
    await harness.ann.command("sums-grid challenge", channel="games", seats=1, size=2)
    await harness.settled()
    assert "**Your move**" in (await listed(harness.ann))[0]
    assert numbers(await listed(harness.ann, which="all here")) == [1]
    assert await listed(harness.bea, which="all here") == []
    await harness.ann.command("sums-grid submit", grid="1 2 / 3 4")
    await harness.surely(harness.ann, "sums-grid done")
    await harness.settled()
    assert await listed(harness.bea, which="finished", person=harness.ann) == []
    (line,) = await listed(harness.ann, which="finished")
    assert line.startswith("Done <t:") and line.endswith(f" · {called(harness.ann)}")
    await harness.ann.command("match publish", match=1)
    await harness.settled()  # a board that all may see is posted, and the line leads there
    (published,) = await listed(harness.bea, which="finished", person=harness.ann)
    assert published.partition(")")[0].rpartition("/")[0] == line.partition(")")[0].rpartition("/")[0]


async def test_nobody_learns_of_matches_in_channels_that_they_cannot_see(harness: Harness) -> None:
    played = await harness.match()
    table = await harness.challenge(harness.ann)
    harness.faults.deny("games", "view_channel", who="Cem")
    assert numbers(await listed(harness.dora, which="all here")) == [played.id]
    assert f"/{table.row.lobby_message}" in (await harness.dora.command("tables")).text
    assert await listed(harness.cem, which="all here") == []
    assert (
        await harness.cem.command("tables")
    ).text == "There are no free seats here right now. Use /play to open a table."
    # What they play themselves is theirs to find.
    harness.faults.deny("games", "view_channel", who="Bea")
    assert numbers(await listed(harness.bea)) == [played.id]


async def test_a_list_never_says_how_often_others_have_moved_in_secret(harness: Harness) -> None:
    await harness.ann.command("sums-grid challenge", channel="games", opponent=harness.bea, size=2)
    await harness.settled()
    await harness.bea.press(harness.bea.read_latest_message("games"), "Accept")
    await harness.settled()
    before = await listed(harness.bea), await harness.bea.complete("match board", "match", match="")
    await harness.ann.command("sums-grid submit", grid="1 2 / 3 4")
    await harness.settled()
    assert (await listed(harness.bea), await harness.bea.complete("match board", "match", match="")) == before
    assert before[1] == [("1 · Sums Grid · Ann · your move · 7 days left", "1")]


async def test_open_seats(harness: Harness) -> None:
    assert (
        await harness.bea.command("tables")
    ).text == "There are no free seats here right now. Use /play to open a table."
    table = await harness.challenge(harness.ann)
    asked = await harness.challenge(harness.ann, opponent=harness.bea)
    reply = await harness.cem.command("tables")
    assert reply.is_ephemeral
    head, line, foot = reply.text.splitlines()
    assert (head, foot) == ("### Free seats", "-# Follow a link and press Join.")
    told = f"1 of 2 seats free · 7 days for each move · closes <t:{table.row.expires}:R>"
    assert line.startswith("**[Binary Primes](https://") and line.endswith(f" · {called(harness.ann)} · {told}")
    assert f"/{table.row.channel}/{table.row.lobby_message})" in line
    assert f"/{asked.row.lobby_message}" not in reply.text
    harness.clock.ahead = 49 * 3600
    assert (await harness.cem.command("tables")).text.startswith("There are no free seats")
    harness.clock.ahead = 0
    await harness.bea.press(table.lobby, "Join")
    await harness.settled()
    assert (await harness.cem.command("tables")).text.startswith("There are no free seats")


async def test_a_long_list_fits_and_says_what_it_leaves_out(harness: Harness) -> None:
    for _ in range(3):
        for person in (harness.ann, harness.bea, harness.cem, harness.dora):
            await person.command("binary-primes challenge", channel="games")
    for _ in range(2):
        for person in (harness.ann, harness.bea, harness.cem, harness.dora):
            await person.command("plexus challenge", channel="games")
    await harness.settled()
    text = (await harness.ann.command("tables")).text
    assert len(text) <= 2000
    lines = text.splitlines()
    assert len(lines) - 3 + int(lines[-2].split()[3]) == 20
