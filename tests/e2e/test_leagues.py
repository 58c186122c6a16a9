"""A league from its sign-up to its end: what people see, what time does, and what nobody can do twice."""

from __future__ import annotations

import asyncio
import re
from typing import Any

import pytest

from bot.features.leagues.service import WEEK
from bot.play.league_tables import LoadedLeague, build_tables
from bot.sandbox import people as sandbox_people
from bot.sandbox.people import Person
from data.queries.outbox import SETTLES
from data.store import Reader
from tests.e2e.harness import MESSAGE, MESSAGES, Harness, Json, Played, alt, called, labels, said
from tests.e2e.test_forgotten_names import rewrites
from tests.simulation.life import living
from tests.support.sampled import sampled

DAY = 86_400
CREATE = "league create"


@pytest.fixture(autouse=True)
async def noon(harness: Harness) -> None:
    """It is noon, and stays so until somebody puts the clock forward."""
    harness.clock.at = harness.clock() // DAY * DAY + DAY // 2
    await harness.run_due_acts(0)


def people(harness: Harness) -> tuple[Person, ...]:
    return harness.ann, harness.bea, harness.cem, harness.dora


async def looked(harness: Harness) -> None:
    """The bot has looked after its leagues, shown all matches, and looked again, since these have places only then."""
    await shown(harness)
    for _ in range(2):
        await harness.life.does(harness.life.client.handlers.league_keeper.poll())
        await shown(harness)


async def shown(harness: Harness) -> None:
    """A moment goes by, and all that was to be edited then is."""
    await harness.run_due_acts(SETTLES)
    await harness.settled()


async def league(harness: Harness, at: int = -1) -> LoadedLeague:
    """A league of the server, the oldest at 0."""
    found = await harness.store.ask(
        Reader.list_leagues, int(harness.sandbox.world.home_guild["id"]), ("open", "live", "finished", "cancelled")
    )
    loaded = await harness.store.ask(Reader.load_league, found[::-1][at].id)
    assert loaded
    return loaded


async def message(harness: Harness, at: int = -1) -> Json:
    """The one message of a league."""
    row = (await league(harness, at)).league
    return harness.sandbox.world.message(str(row.channel), str(row.message))


async def opened(harness: Harness, **options: Any) -> Json:
    """A league of all four, opened by Ann, that people can join."""
    reply = await harness.ann.command(CREATE, channel="games", **{"game": "binary-primes", **options})
    assert reply.is_ephemeral and reply.text.startswith("You opened the "), reply.text
    await looked(harness)
    for person in people(harness)[1:]:
        reply = await person.press(await message(harness), "Join")
        assert reply.text.startswith("You're in the Binary Primes league, season 1. It starts <t:"), reply.text
    await looked(harness)
    return await message(harness)


async def begun(harness: Harness, **options: Any) -> LoadedLeague:
    """The same, started by its host: four people have all their matches at once."""
    await harness.ann.press(await opened(harness, **options), "Start now")
    await looked(harness)
    return await league(harness)


async def match(harness: Harness, one: Person, other: Person) -> Played:
    """The match of two people."""
    drawn = (await league(harness)).pairings
    number = next(pair.match for pair in drawn if pair.has(user(one)) and pair.has(user(other)))
    assert number
    return Played(harness, number, await harness.row(number))


def user(person: Person) -> Any:
    return int(person.id)


async def lost(harness: Harness, loser: Person, winner: Person) -> None:
    """Somebody gives up their match with somebody else."""
    played = await match(harness, loser, winner)
    await harness.surely(loser, "match resign", channel=played.place)
    await looked(harness)
    await asyncio.sleep(20)


async def test_a_league_from_its_sign_up_to_its_end(harness: Harness) -> None:
    shown = await opened(harness)
    assert labels(shown) == ["Join", "Leave", "Start now"]
    assert "**4 people have joined:**" in said(shown) and "### Binary Primes league, season 1" in said(shown)
    assert all(harness.told(person) == 0 for person in people(harness)), "a table tells nobody"
    await harness.ann.press(shown, "Start now")
    await looked(harness)
    loaded = await league(harness)
    assert [one.round for one in loaded.pairings] == [1, 1, 2, 2, 3, 3]
    assert [harness.told(person) for person in people(harness)] == [1, 1, 1, 1], "once, of all three matches"
    row = await harness.row(loaded.pairings[0].match or 0)
    assert (row.rated, row.pace, row.state, row.user_at(1)) == (True, "2", "live", loaded.pairings[0].home)
    shown = await message(harness)
    assert "0 of 6 matches are over." in said(shown) and labels(shown) == []
    assert alt(shown).startswith("The crosstable of division 1. Number 1 has 0 points.")
    for loser, winner in ((harness.bea, harness.ann), (harness.cem, harness.ann), (harness.dora, harness.ann)):
        await lost(harness, loser, winner)
    await lost(harness, harness.cem, harness.bea)
    shown = await message(harness)
    assert "4 of 6 matches are over." in said(shown)
    assert f"**1** {called(harness.ann)} · 3 of 3" in said(shown)
    assert f"**2** {called(harness.bea)} · 1 of 2" in said(shown)
    before = len(harness.ann.read_messages("games"))
    await harness.later(4 * WEEK)
    await looked(harness)
    told = harness.ann.read_latest_message("games")
    assert said(told).startswith(
        f"🏆 {called(harness.ann)} wins season 1 of the Binary Primes league with 3 points from"
    )
    assert "2 matches weren't finished in time and don't count." in said(told) and labels(told) == ["Next season"]
    assert len(harness.ann.read_messages("games")) == before + 1
    await looked(harness)
    assert len(harness.ann.read_messages("games")) == before + 1, "the end is told once"
    table = said(await message(harness))
    assert "🏆" not in table and "wins" not in table and f"/{told['id']})" in table, "the table leads to who won"
    alone = await harness.ann.command("league table", channel="games")
    assert f"🏆 {called(harness.ann)} wins season 1" in alone.text, "whoever asks elsewhere reads it at once"
    # What was not over goes on for itself, and changes no table.
    standing = said(await message(harness))
    played = await match(harness, harness.bea, harness.dora)
    assert played.row.state == "live"
    await harness.surely(harness.dora, "match resign", channel=played.place)
    await looked(harness)
    assert said(await message(harness)) == standing


async def test_the_next_season_keeps_those_who_want_to(harness: Harness) -> None:
    await begun(harness)
    await lost(harness, harness.bea, harness.ann)
    await harness.later(4 * WEEK)
    await looked(harness)
    told = harness.ann.read_latest_message("games")
    for person in (harness.bea, harness.bea, harness.cem):
        reply = await person.press(told, "Next season")
        assert reply.text.startswith("You're in the Binary Primes league, season 2."), reply.text
    await looked(harness)
    following = await league(harness)
    assert (following.league.season, [one.user for one in following.members]) == (
        2,
        [user(harness.bea), user(harness.cem)],
    )
    assert following.league.host == user(harness.bea) and labels(await message(harness)) == [
        "Join",
        "Leave",
        "Start now",
    ]
    await harness.later(8 * DAY)
    await looked(harness)
    assert "Too few people joined, so it didn't start." in said(await message(harness))
    refused = await harness.dora.press(told, "Next season")
    assert refused.text == "This league is over."


async def test_it_starts_at_its_time_with_nobody_there(harness: Harness) -> None:
    await opened(harness, days=3)
    await harness.restart()
    await harness.later(3 * DAY)
    await looked(harness)
    loaded = await league(harness)
    assert loaded.league.state == "live" and all(one.match for one in loaded.pairings)


async def test_who_leaves_before_half_is_struck_out(harness: Harness) -> None:
    await begun(harness)
    await lost(harness, harness.bea, harness.dora)
    await lost(harness, harness.cem, harness.ann)
    asked = await harness.dora.command("league leave", channel="games")
    assert asked.is_ephemeral and labels(asked.message) == ["Leave", "Stay"]
    assert said(asked.message).startswith(
        "Leave the Binary Primes league, season 1? You can't come back, and you can't win any more. Your open matches "
        "go on. Fewer than half of your matches are over, so none of them will count.\n"
        f"-# opened by {called(harness.ann)} <t:"
    )
    assert (await league(harness)).is_active(user(harness.dora)), "nothing is done before the answer"
    stayed = await harness.dora.press(asked.message, "Stay")
    assert (stayed.kind, stayed.text) == ("update", "Nothing was changed.")
    reply = await harness.surely(harness.dora, "league leave", channel="games")
    assert reply.text == (
        "You left the Binary Primes league, season 1. Fewer than half of your matches were over, so none of them "
        "counts."
    )
    await looked(harness)
    shown = said(await message(harness))
    assert f"{called(harness.bea)} · 0 of 0" in shown
    assert f"{called(harness.dora)} left before half of their matches were over, so their matches against " in shown
    again = await harness.dora.command("league leave", channel="games")
    assert again.text == "You aren't in this league."


async def test_the_host_takes_out_who_is_gone_and_others_cannot(harness: Harness) -> None:
    await begun(harness)
    refused = await harness.cem.command("league remove", channel="games", person=harness.dora)
    assert refused.text == f"Only {called(harness.ann)} and people who can manage this server can do that."
    for loser, winner in ((harness.dora, harness.ann), (harness.dora, harness.bea)):
        await lost(harness, loser, winner)
    asked = await harness.ann.command("league remove", channel="games", person=harness.dora)
    assert said(asked.message).startswith(
        f"Take {called(harness.dora)} out of the Binary Primes league, season 1? They can't come back, and they can't "
        "win any more. Their open matches go on. At least half of their matches are over, so their results stay.\n-# "
    )
    reply = await harness.ann.press(asked.message, "Take them out")
    assert reply.text == (
        f"{called(harness.dora)} is no longer in the Binary Primes league, season 1. "
        "Their results stay, but they can't win any more."
    )
    await looked(harness)
    assert f"{called(harness.dora)} · 0 of 2 · left the league" in said(await message(harness))


async def test_whoever_takes_somebody_out_reads_of_their_matches_not_of_their_own(harness: Harness) -> None:
    await begun(harness)
    asked = await harness.ann.command("league remove", channel="games", person=harness.dora)
    assert "Fewer than half of their matches are over, so none of them will count." in said(asked.message)
    reply = await harness.ann.press(asked.message, "Take them out")
    assert reply.text == (
        f"{called(harness.dora)} is no longer in the Binary Primes league, season 1. Fewer than half of their matches "
        "were over, so none of them counts."
    )


async def test_pressing_twice_by_others_or_too_late_changes_nothing(harness: Harness) -> None:
    shown = await opened(harness)
    refused = await harness.bea.press(shown, "Start now")
    assert refused.text == f"Only {called(harness.ann)} and people who can manage this server can do that."
    assert (await harness.bea.press(shown, "Join")).text.startswith("You're in the")
    assert len((await league(harness)).members) == 4
    for _ in range(2):
        reply = await harness.forge(harness.ann, shown, f"p:leaguestart:{(await league(harness)).league.id}")
        assert reply.text == "The Binary Primes league, season 1, has started."
    await looked(harness)
    loaded = await league(harness)
    assert len(loaded.pairings) == 6 and len({one.match for one in loaded.pairings}) == 6
    for page in ("leaguejoin", "leaguenext"):
        late = await harness.forge(harness.cem, shown, f"p:{page}:{loaded.league.id}")
        assert late.text in (
            "This league has already started, so nobody can join it any more.",
            "The next season can be opened when this one is over.",
        )
    for about in ("7", "", "x", "9" * 19, "9" * 20, "-1"):
        forged = await harness.forge(harness.cem, shown, f"p:leaguejoin:{about}")
        assert forged.text.startswith(("There is no such league here.", "I couldn't", "This")), forged.text


@sampled("fault", ["applied", "dropped", "hangs"])
async def test_messages_whose_answers_are_lost_are_posted_once(harness: Harness, fault: str) -> None:
    """The sign-up's answer is lost, and so is that of the end; the bot dies, and Discord forgets nonces meanwhile."""

    def trouble() -> None:
        if fault == "hangs":
            harness.faults.delay_requests("POST", MESSAGES, 40.0, applied=True)
        else:
            harness.faults.lose_answer("POST", MESSAGES, applied=fault == "applied")

    trouble()
    await harness.ann.command(CREATE, channel="games", game="binary-primes", days=1)
    await harness.life.idle()
    await harness.restart()
    await asyncio.sleep(900)
    await looked(harness)
    shown = await message(harness)
    for person in people(harness)[1:]:
        await person.press(shown, "Join")
    await harness.ann.press(shown, "Start now")
    await looked(harness)
    await harness.run_due_acts(4 * WEEK)
    trouble()
    await harness.life.does(harness.life.client.handlers.league_keeper.poll())
    await harness.restart()
    await asyncio.sleep(900)
    await looked(harness)
    posted = [one for one in harness.dora.read_messages("games") if "season 1" in said(one).lower()]
    posted = [one for one in posted if one["ephemeral_for"] is None]
    assert [labels(one) for one in posted] == [[], ["Next season"]]


async def test_a_league_whose_message_is_deleted_or_whose_channel_is_closed(harness: Harness) -> None:
    shown = await opened(harness)
    harness.sandbox.world.remove_message(shown)
    await harness.surely(harness.ann, "league leave", channel="games")
    await looked(harness)
    again = await message(harness)
    assert again["id"] != shown["id"] and "**3 people have joined:**" in said(again)
    harness.faults.fail_requests("PATCH", MESSAGE, 403)
    await harness.ann.press(again, "Join")
    await looked(harness)
    await harness.ann.press(again, "Start now")
    await looked(harness)
    assert "0 of 6 matches are over." in said(await message(harness)), "the next change is shown again"


async def test_a_table_whose_message_is_deleted_is_posted_again_with_its_picture(harness: Harness) -> None:
    await begun(harness)
    shown = await message(harness)
    (before,) = sandbox_people.list_media(shown)
    harness.sandbox.world.remove_message(shown)
    await lost(harness, harness.bea, harness.dora)
    again = await message(harness)
    assert again["id"] != shown["id"]
    (picture,) = sandbox_people.list_media(again)
    assert sandbox_people.bytes_of(harness.sandbox.world, picture).startswith(b"\x89PNG") and picture.url != before.url


async def test_who_is_forgotten_leaves_the_league_and_its_message(harness: Harness) -> None:
    await begun(harness)
    await lost(harness, harness.bea, harness.dora)
    over = await match(harness, harness.bea, harness.dora)
    reply = await harness.dora.command("privacy forget", confirm="forget me")
    await harness.until(lambda: "I have forgotten you" in reply.text)
    await harness.life.client.publisher.catch_up()
    await looked(harness)
    shown = said(await message(harness))
    assert called(harness.dora) not in shown and "A former player left before half" in shown
    await rewrites(harness)
    board = said((await over.fresh()).board)
    assert "Not rated: nobody had moved. A former player left the league, so it doesn't count this match." in board


async def test_a_seat_that_was_handed_on_plays_for_the_member(harness: Harness) -> None:
    await begun(harness)
    played = await match(harness, harness.ann, harness.bea)
    seat = played.row.seat_of(user(harness.bea))
    await harness.bea.command("match replace", channel=played.place, seat=seat, player=harness.cem)
    await harness.settled()
    for person in (harness.ann, harness.cem):
        await person.press((await played.fresh()).board, "Agree: hand over")
        await harness.settled()
    await harness.surely(harness.cem, "match resign", channel=played.place)
    await looked(harness)
    shown = said(await message(harness))
    assert f"{called(harness.ann)} · 1 of 1" in shown and f"{called(harness.bea)} · 0 of 1" in shown


async def test_too_few_cannot_start_and_a_league_can_be_called_off(harness: Harness) -> None:
    await harness.ann.command(CREATE, channel="games")
    await looked(harness)
    shown = await message(harness)
    assert "### Mixed games league, season 1" in said(shown)
    few = await harness.ann.press(shown, "Start now")
    assert few.text == "A league needs at least 3 people. So far it has 1."
    reply = await harness.surely(harness.ann, "league cancel", channel="games")
    assert reply.text == "The Mixed games league, season 1, is called off. Its open matches go on."
    await looked(harness)
    assert "It was called off." in said(await message(harness)) and labels(await message(harness)) == []
    nobody = await harness.ann.command("league leave", channel="games")
    assert nobody.text == "There is no league here now. Use /league create to open one."


async def test_its_matches_leave_no_line_in_the_channel_and_its_message_leads_to_them(harness: Harness) -> None:
    games = harness.sandbox.channel("games")["id"]
    await harness.ann.command("settings threads", on=False)
    loaded = await begun(harness)
    await looked(harness)
    messages = [one for one in harness.dora.read_messages("games") if one["ephemeral_for"] is None]
    assert [one["id"] for one in messages] == [str(loaded.league.message)]
    for pair in (await league(harness)).pairings:
        assert pair.place and str(pair.place) != games and f"/{pair.place})" in said(messages[0])
    await harness.restart()
    await lost(harness, harness.bea, harness.ann)
    messages = [one for one in harness.dora.read_messages("games") if one["ephemeral_for"] is None]
    assert len(messages) == 2 and said(messages[0]).count("https://") == 5


async def test_its_results_stand_in_its_channel_as_they_fall(harness: Harness) -> None:
    await begun(harness)
    before, pings = len(harness.cem.read_messages("games")), len(harness.sandbox.world.notified)
    for loser, winner in ((harness.bea, harness.ann), (harness.cem, harness.dora)):
        await lost(harness, loser, winner)
        (told,) = harness.cem.read_messages("games")[before:]
        played = await match(harness, loser, winner)
        people = f"{called(winner)} beat {called(loser)}"
        head = f"**{people}, who resigned · Binary Primes, two legs**"
        why = "-# Not rated, though the league counts it: nobody had moved."
        assert (
            said(told).startswith(f"{head}\n{why}\n-# [match {played.id}](")
            and f"/{played.place['id']}" in said(told)
            and sandbox_people.list_media(told)
        )
        before += 1
    assert not [one for one in harness.sandbox.world.notified[pings:] if one["channel"] == told["channel_id"]]


async def test_a_server_has_its_leagues_in_one_channel(harness: Harness) -> None:
    place = harness.sandbox.channel("games")["id"]
    card = await harness.ann.command("settings posts")
    await harness.ann.press(card, "p:settings:league", [place])
    reply = await harness.bea.command(CREATE, channel="general")
    assert reply.text == f"You opened the Mixed games league, season 1. People can join it in <#{place}>."
    await looked(harness)
    assert (await message(harness))["channel_id"] == place


async def test_a_table_is_shown_to_the_asker_alone(harness: Harness) -> None:
    await begun(harness)
    ((name, value),) = await harness.cem.complete("league table", "league", channel="games", league="binary")
    assert re.fullmatch(r"Binary Primes league, season 1 · opened \w+ \d+, \d{4}", name)
    reply = await harness.cem.command("league table", channel="games", league=value)
    assert reply.is_ephemeral and alt(reply.message).startswith("The crosstable of division 1.")


SUREST = {"league cancel": "Call it off", "league leave": "Leave", "league remove": "Take them out"}
"""What nobody can undo, and the label of the button that does it."""
GONE_ON = "The league has gone on since I asked you, so nothing was done. Use the command again if you still want to."


async def test_of_two_leagues_of_one_name_the_one_that_was_meant_is_called_off(harness: Harness) -> None:
    """Phones take the first of two suggestions with one name; and what would be done is asked first."""
    await opened(harness)
    for _ in range(2):
        await harness.run_due_acts(DAY)
        await harness.ann.command(CREATE, channel="games", game="binary-primes")
    await looked(harness)
    offered = await harness.ann.complete("league cancel", "league", channel="games", league="")
    names = [name for name, _ in offered]
    assert len(names) == 3 == len(set(names))
    oldest, value = offered[-1]
    assert value == str((await league(harness, 0)).league.id)
    asked = await harness.ann.command("league cancel", channel="games", league=oldest)
    shown = await message(harness, 0)
    assert said(asked.message).startswith("Call the Binary Primes league, season 1, off? You can't undo it.")
    assert "· 4 people · https://discord.com/channels/" in said(asked.message)
    assert said(asked.message).endswith(f"/{shown['channel_id']}/{shown['id']}")
    await harness.restart()
    reply = await harness.ann.press(asked.message, "Call it off")
    assert (reply.kind, reply.text) == (
        "update", "The Binary Primes league, season 1, is called off. Its open matches go on."
    )  # fmt: skip
    assert [(await league(harness, at)).league.state for at in range(3)] == ["cancelled", "open", "open"]


async def test_what_was_asked_about_a_league_is_not_done_when_it_has_gone_on(harness: Harness) -> None:
    shown = await opened(harness)
    asked = [
        await harness.ann.command(command, channel="games", **({"person": harness.dora} if "remove" in command else {}))
        for command in SUREST
    ]
    assert "Until it starts you can join again." in said(asked[1].message)
    assert "Until it starts they can join again." in said(asked[2].message)
    stale = await harness.bea.command("league leave", channel="games")
    await harness.ann.press(shown, "Start now")
    await looked(harness)
    before = await league(harness)
    for question, label in zip(asked, SUREST.values(), strict=True):
        reply = await harness.ann.press(question.message, label)
        assert (reply.is_ephemeral, reply.text) == (True, GONE_ON)
    await harness.bea.press(stale.message, "Leave")
    assert (await league(harness)) == before
    # The button of a message that is not yet edited asks, too: nobody could come back.
    late = await harness.forge(harness.bea, shown, f"p:leagueleave:{before.league.id}")
    assert labels(late.message) == ["Leave", "Stay"] and (await league(harness)) == before
    assert (await harness.bea.press(late.message, "Leave")).text.startswith(
        "You left the Binary Primes league, season 1."
    )
    again = await harness.forge(harness.bea, shown, f"p:leaguequit:{before.league.id}-live")
    assert again.text == "You aren't in this league."


async def test_a_forged_answer_does_only_what_its_sender_may(harness: Harness) -> None:
    await begun(harness)
    shown, number = await message(harness), (await league(harness)).league.id
    before = await league(harness)
    host = f"Only {called(harness.ann)} and people who can manage this server can do that."
    for page, about, sentence in (
        ("leaguecancel", f"{number}-live", host),
        ("leagueremove", f"{number}-live-{harness.ann.id}", host),
        ("leagueremove", f"{number}-live", "I couldn't make sense"),
        ("leaguecancel", f"{number}", "This button is out of date."),
        ("leaguecancel", "7-live", "There is no such league here."),
    ):
        reply = await harness.forge(harness.cem, shown, f"p:{page}:{about}")
        assert reply.is_ephemeral and reply.text.startswith(sentence), (page, about, reply.text)
    assert await league(harness) == before
    for text in ("binary", "Binary Primes league, season 1", "9" * 30, "7"):
        reply = await harness.ann.command("league cancel", channel="games", league=text)
        assert reply.text == "There is no such league here. /league table shows those there are."


async def test_a_result_that_the_league_counts_and_no_rating_says_so(harness: Harness) -> None:
    await begun(harness)
    await lost(harness, harness.bea, harness.ann)
    played = await match(harness, harness.ann, harness.bea)
    why = "Not rated, though the league counts it: nobody had moved."
    assert f", who resigned.**\n{why}" in said(played.board)
    assert await harness.store.ask(Reader.leaderboard, played.row.guild) == ()
    table = build_tables(await league(harness))[0]
    assert {line.user: line.won for line in table.lines}[user(harness.ann)] == 1


async def test_three_people_play_a_league_in_three_rounds(harness: Harness) -> None:
    await harness.ann.command(CREATE, channel="games", game="binary-primes")
    await looked(harness)
    for person in (harness.bea, harness.cem):
        await person.press(await message(harness), "Join")
    started = await harness.ann.press(await message(harness), "Start now")
    assert started.text == "The Binary Primes league, season 1, has started."
    await looked(harness)
    loaded = await league(harness)
    assert [one.round for one in loaded.pairings] == [1, 2, 3], "one rests in each round"
    assert all(one.match for one in loaded.pairings), "each has room for both of theirs at once"
    shown = said(await message(harness))
    assert f"[{called(harness.ann)} – " in shown or f" – {called(harness.ann)}]" in shown, "people, no numbers"
    assert not re.search(r"\d+–\d+", shown), "which would read as a result"
    await lost(harness, harness.bea, harness.ann)
    await lost(harness, harness.cem, harness.ann)
    await lost(harness, harness.cem, harness.bea)
    assert said(harness.ann.read_latest_message("games")).startswith(
        f"🏆 {called(harness.ann)} wins season 1 of the Binary Primes league with 2 points from 2 matches."
    )


def told_lines(harness: Harness, person: Person) -> list[Json]:
    """The messages that told somebody of the beginnings of their matches in leagues."""
    world = harness.sandbox.world
    found = [world.message(str(one["channel"]), str(one["message"])) for one in person.list_notifications()]
    return [one for one in found if " league, season " in one["content"]]


async def test_a_league_begins_with_one_message_a_person_that_names_their_matches(harness: Harness) -> None:
    await begun(harness)
    row = (await league(harness)).league
    for person in people(harness):
        (told,) = told_lines(harness, person)
        head, *ways, table = told["content"].split("\n")
        others = [one for one in people(harness) if one is not person]
        start = f"{person.mention}, the Binary Primes league, season 1, begins: you play "
        assert head.startswith(start) and all(called(other) in head for other in others)
        for other in others:
            thread = (await match(harness, person, other)).place["id"]
            assert f"Against {called(other)}: https://discord.com/channels/{row.guild}/{thread}" in ways
        assert len(ways) == 3
        assert table == f"-# The table: https://discord.com/channels/{row.guild}/{row.channel}/{row.message}"
    places = [one["channel_id"] for person in people(harness) for one in told_lines(harness, person)]
    assert len({*places}) == 4, "each in a thread of their own, where they can move"
    await harness.restart()
    await looked(harness)
    assert [harness.told(person) for person in people(harness)] == [1, 1, 1, 1]


async def test_a_league_that_begins_at_night_wakes_nobody(harness: Harness) -> None:
    await opened(harness, days=1)
    await harness.run_due_acts(DAY // 2 - 60)
    await harness.ann.command("preferences", quiet="none")
    await harness.ann.press(await message(harness), "Start now")
    await looked(harness)
    await harness.run_due_acts(60)
    await looked(harness)
    assert [harness.told(person) for person in people(harness)] == [1, 0, 0, 0], "only whoever has no quiet hours"
    played = await match(harness, harness.ann, harness.bea)
    assert played.row.state == "live" and played.row.user_at(1), "it is there all the same"
    await harness.run_due_acts(8 * 3600)
    await looked(harness)
    assert [harness.told(person) for person in people(harness)] == [1, 1, 1, 1]


async def test_killed_while_people_are_told_of_their_matches(harness: Harness) -> None:
    await opened(harness)
    harness.kill_at("begun")
    await harness.ann.press(await message(harness), "Start now")
    await harness.settled()
    mark = living.set(harness.life)
    look = asyncio.create_task(harness.life.client.handlers.league_keeper.poll())
    living.reset(mark)
    await harness.killed.wait()
    await asyncio.wait((look,))
    await harness.restart()
    await looked(harness)
    await looked(harness)
    assert [harness.told(person) for person in people(harness)] == [1, 1, 1, 1]


async def test_threads_and_boards_say_which_match_of_the_league_they_are(harness: Harness) -> None:
    loaded = await begun(harness)
    row = loaded.league
    table = f"https://discord.com/channels/{row.guild}/{row.channel}/{row.message}"
    for one in loaded.pairings:
        played = Played(harness, one.match or 0, await harness.row(one.match or 0))
        assert f"-# [League]({table}), season 1, round {one.round} of 3" in said(played.board)
        assert played.place["name"].endswith(f" · {one.match} · league, season 1, round {one.round} of 3")
    await lost(harness, harness.ann, harness.bea)
    over = await match(harness, harness.ann, harness.bea)
    assert f"-# [League]({table}), season 1, round " in said(over.board), "also when it is over"
    harness.sandbox.world.messages[str(row.channel)].pop(str(row.message))
    await lost(harness, harness.ann, harness.cem)
    anew = (await league(harness)).league.message
    assert anew and anew != row.message
    played = await match(harness, harness.ann, harness.dora)
    assert (played.row.round or "").endswith(f" {anew}"), "and lead to the table where it stands now"


async def test_a_thread_keeps_the_end_of_its_title_when_somebody_is_taken_out_of_it(harness: Harness) -> None:
    await begun(harness)
    await lost(harness, harness.ann, harness.bea)
    over = await match(harness, harness.ann, harness.bea)
    end = re.search(f" · {over.id} · league, season 1, round [123] of 3$", over.place["name"])
    reply = await harness.ann.command("privacy forget", confirm="forget me")
    await harness.until(lambda: "I have forgotten you" in reply.text)
    await harness.life.client.publisher.catch_up()
    await looked(harness)
    await rewrites(harness)
    assert end and (await over.fresh()).place["name"] in (
        f"✓ Bea – former player · Binary Primes{end[0]}",
        f"✓ Former player – Bea · Binary Primes{end[0]}",
    )


async def test_where_there_are_no_threads_the_opening_line_leads_to_the_board(harness: Harness) -> None:
    await harness.ann.command("settings threads", on=False)
    played = await harness.match()
    board = f"https://discord.com/channels/{played.row.guild}/{played.row.channel}/{played.row.board_message}"
    await harness.life.client.publisher.retry_failed()
    await harness.settled()
    assert said(played.lobby).startswith(
        f"{called(harness.ann)} and {called(harness.bea)} are playing **Binary Primes**: {board}"
    )


async def test_where_there_are_no_threads_the_opening_line_follows_a_board_that_another_replaces(
    harness: Harness,
) -> None:
    await harness.ann.command("settings threads", on=False)
    played = await harness.match()
    await harness.bea.command("match abort", channel=played.place)
    await harness.settled()
    now = await played.fresh()
    assert now.row.board_message != played.row.board_message and len(now.boards) == 1
    assert f"/{now.row.channel}/{now.row.board_message}" in said(now.lobby)


async def test_the_message_that_says_who_won_loses_the_name_of_a_winner_who_was_forgotten(harness: Harness) -> None:
    await begun(harness)
    await lost(harness, harness.bea, harness.ann)
    await harness.later(4 * WEEK)
    await looked(harness)
    won = harness.ann.read_latest_message("games")
    assert said(won).startswith(f"🏆 {called(harness.ann)} wins season 1")
    reply = await harness.ann.command("privacy forget", confirm="forget me")
    await harness.until(lambda: "I have forgotten you" in reply.text)
    await harness.life.client.publisher.catch_up()
    await looked(harness)
    (now,) = [one for one in harness.ann.read_messages("games") if one["id"] == won["id"]]
    assert said(now).startswith("🏆 A former player wins season 1") and called(harness.ann) not in said(now)
