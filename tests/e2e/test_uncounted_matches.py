"""A league stops counting matches of somebody who leaves, or starts to again: all that tells of them says so."""

from __future__ import annotations

import asyncio

import pytest

from bot.sandbox.people import Person
from tests.e2e.harness import Harness, Played, called, said
from tests.e2e.test_departures import unhurried
from tests.e2e.test_forgotten_names import rewrites
from tests.e2e.test_leagues import begun, league, looked, lost, match, message, noon, shown, user

__all__ = ["noon", "unhurried"]

COUNTED = "Not rated, though the league counts it: nobody had moved."


async def both_moved(harness: Harness, one: Person, other: Person) -> Played:
    """The match of two in their league, in which both have moved, in one leg each."""
    played = await match(harness, one, other)
    for leg, person in ((1, played.row.user_at(1)), (2, played.row.user_at(2))):
        assert person
        await harness.person(person).command("binary-primes move", channel=played.place, square="b2", leg=leg)
        await harness.settled()
    return await played.fresh()


async def seen_by_the_league(harness: Harness) -> None:
    """Somebody looks at the table, a while after people were last asked for: who is there is found out."""
    await asyncio.sleep(90)
    await harness.cem.command("league table", channel="games")
    await shown(harness)


async def told(harness: Harness, *matches: Played) -> list[tuple[str, ...]]:
    """What each match is told by: its board, the same for one of its players alone, and how it ended in the channel."""
    await shown(harness)
    await rewrites(harness)
    found = list[tuple[str, ...]]()
    for one in matches:
        played = await one.fresh()
        person = harness.person(played.row.user_at(1) or 0)
        own = await person.command("match board", channel="games", match=played.id)
        row = played.row
        news = (
            [said(harness.sandbox.world.message(str(row.channel), str(row.announcement)))] if row.announcement else []
        )
        found.append((said(played.board), own.text, *news))
    return found


@pytest.mark.parametrize("way", ["by itself", "taken out", "left the server"])
async def test_what_was_over_before_somebody_left_says_that_it_does_not_count(harness: Harness, way: str) -> None:
    await begun(harness)
    dora = called(harness.dora)
    live, stays = await both_moved(harness, harness.ann, harness.dora), await match(harness, harness.ann, harness.cem)
    await lost(harness, harness.bea, harness.dora)
    over = await match(harness, harness.bea, harness.dora)
    before = await told(harness, over, live, stays)
    assert len(before[0]) == 3 and all(COUNTED in text for text in before[0])
    assert not [text for texts in before[1:] for text in texts if "count" in text]
    harness.faults.archive(over.place)
    if way == "by itself":
        await harness.surely(harness.dora, "league leave", channel="games")
    elif way == "taken out":
        asked = await harness.ann.command("league remove", channel="games", person=harness.dora)
        await harness.ann.press(asked.message, "Take them out")
    else:
        harness.faults.leave("Dora")
        await seen_by_the_league(harness)
    gone, playing, others = await told(harness, over, live, stays)
    struck = f"{dora} left the league, so it doesn't count this match."
    assert all(f"Not rated: nobody had moved. {struck}" in text for text in gone), gone
    assert all(f"-# {struck} It goes on, and is still rated." in text for text in playing), playing
    assert not [text for text in others if "count" in text]
    assert over.place["thread_metadata"]["archived"], "it sleeps again"
    assert said((await over.fresh()).lines[-1]).endswith("Not rated: nobody had moved."), "which was so all the time"
    if way == "left the server":
        return  # with one more result they are struck out no longer
    # A match that ends now says it at once, also where both have moved.
    await harness.surely(harness.ann, "match resign", channel=live.place)
    await looked(harness)
    (ended,) = await told(harness, live)
    assert len(ended) == 3 and all(struck in text for text in ended), ended
    assert not [text for text in ended if "Not rated" in text or "goes on" in text], ended
    assert "doesn't count" not in said((await live.fresh()).lines[-1])


async def test_who_is_back_counts_again_and_so_does_whose_results_have_become_enough(harness: Harness) -> None:
    await begun(harness)
    await lost(harness, harness.dora, harness.bea)
    over = await match(harness, harness.bea, harness.dora)
    harness.faults.leave("Dora")
    await seen_by_the_league(harness)
    struck = f"{called(harness.dora)} left the league, so it doesn't count this match."
    ((*texts,),) = await told(harness, over)
    assert all(struck in text for text in texts)
    # With two of three results they are no longer struck out.
    other = await match(harness, harness.ann, harness.dora)
    asked = await harness.ann.press((await other.fresh()).board, "Claim")
    await harness.ann.press(asked.message, "Claim")
    await looked(harness)
    for texts in await told(harness, over, other):
        assert all(COUNTED in text for text in texts), texts
    harness.faults.join("Dora")
    await seen_by_the_league(harness)
    for texts in await told(harness, over, other):
        assert all(COUNTED in text for text in texts), texts


async def test_whose_matches_go_on_without_their_league_are_told_why(harness: Harness) -> None:
    await begun(harness)
    live = await match(harness, harness.ann, harness.bea)
    await harness.surely(harness.ann, "league cancel", channel="games")
    for texts in await told(harness, live):
        assert all("-# The league was called off and doesn't count it." in text for text in texts), texts


async def test_a_match_that_outlasts_its_league_says_that_it_came_too_late(harness: Harness) -> None:
    await begun(harness)
    live, over = await match(harness, harness.ann, harness.bea), await match(harness, harness.cem, harness.dora)
    await lost(harness, harness.cem, harness.dora)
    await harness.run_due_acts(4 * 604_800)
    await looked(harness)
    assert (await league(harness)).league.state == "finished"
    late = "The league doesn't count it: it wasn't finished in time."
    going, counted = await told(harness, live, over)
    assert all(f"-# {late}" in text for text in going) and all(COUNTED in text for text in counted)
    await harness.surely(harness.bea, "match resign", channel=live.place)
    await looked(harness)
    (ended,) = await told(harness, live)
    assert all(f"Not rated: nobody had moved. {late}" in text for text in ended), ended
    assert user(harness.ann) and "It's over" in said(await message(harness))
