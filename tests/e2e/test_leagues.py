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
from data.store import Reader
from tests.e2e.house import MESSAGE, MESSAGES, House, Json, Played, alt, called, labels, said
from tests.simulation.life import living
from tests.support.sampled import sampled

DAY = 86_400
CREATE = "league create"


@pytest.fixture(autouse=True)
async def noon(house: House) -> None:
    """It is noon, and stays so until somebody puts the clock forward."""
    house.clock.at = house.clock() // DAY * DAY + DAY // 2
    await house.run_due_acts(0)


def people(house: House) -> tuple[Person, ...]:
    return house.ann, house.bea, house.cem, house.dora


async def looked(house: House) -> None:
    """The bot has looked after its leagues, shown all matches, and looked again, since these have places only then."""
    await house.settled()
    for _ in range(2):
        await house.life.does(house.life.client.handlers.league_keeper.poll())
        await house.settled()


async def league(house: House, at: int = -1) -> LoadedLeague:
    """A league of the server, the oldest at 0."""
    found = await house.store.ask(
        Reader.list_leagues, int(house.sandbox.world.home_guild["id"]), ("open", "live", "finished", "cancelled")
    )
    loaded = await house.store.ask(Reader.load_league, found[::-1][at].id)
    assert loaded
    return loaded


async def message(house: House, at: int = -1) -> Json:
    """The one message of a league."""
    row = (await league(house, at)).league
    return house.sandbox.world.message(str(row.channel), str(row.message))


async def opened(house: House, **options: Any) -> Json:
    """A league of all four, opened by Ann, that people can join."""
    reply = await house.ann.command(CREATE, channel="games", **{"game": "binary-primes", **options})
    assert reply.is_ephemeral and reply.text.startswith("You opened the "), reply.text
    await looked(house)
    for person in people(house)[1:]:
        reply = await person.press(await message(house), "Join")
        assert reply.text.startswith("You're in the Binary Primes league, season 1. It starts <t:"), reply.text
    await looked(house)
    return await message(house)


async def begun(house: House, **options: Any) -> LoadedLeague:
    """The same, started by its host: four people have all their matches at once."""
    await house.ann.press(await opened(house, **options), "Start now")
    await looked(house)
    return await league(house)


async def match(house: House, one: Person, other: Person) -> Played:
    """The match of two people."""
    drawn = (await league(house)).pairings
    number = next(pair.match for pair in drawn if pair.has(user(one)) and pair.has(user(other)))
    assert number
    return Played(house, number, await house.row(number))


def user(person: Person) -> Any:
    return int(person.id)


async def lost(house: House, loser: Person, winner: Person) -> None:
    """Somebody gives up their match with somebody else."""
    played = await match(house, loser, winner)
    await house.surely(loser, "match resign", channel=played.place)
    await looked(house)
    await asyncio.sleep(20)


async def test_a_league_from_its_sign_up_to_its_end(house: House) -> None:
    shown = await opened(house)
    assert labels(shown) == ["Join", "Leave", "Start now"]
    assert "**4 people have joined:**" in said(shown) and "### Binary Primes league, season 1" in said(shown)
    assert all(house.told(person) == 0 for person in people(house)), "a table tells nobody"
    await house.ann.press(shown, "Start now")
    await looked(house)
    loaded = await league(house)
    assert [one.round for one in loaded.pairings] == [1, 1, 2, 2, 3, 3]
    assert [house.told(person) for person in people(house)] == [1, 1, 1, 1], "once, of all three matches"
    row = await house.row(loaded.pairings[0].match or 0)
    assert (row.rated, row.pace, row.state, row.user_at(1)) == (True, "2", "live", loaded.pairings[0].home)
    shown = await message(house)
    assert "0 of 6 matches are over." in said(shown) and labels(shown) == []
    assert alt(shown).startswith("The crosstable of division 1. Number 1 has 0 points.")
    for loser, winner in ((house.bea, house.ann), (house.cem, house.ann), (house.dora, house.ann)):
        await lost(house, loser, winner)
    await lost(house, house.cem, house.bea)
    shown = await message(house)
    assert "4 of 6 matches are over." in said(shown)
    assert f"**1** {called(house.ann)} · 3 of 3" in said(shown)
    assert f"**2** {called(house.bea)} · 1 of 2" in said(shown)
    before = len(house.ann.read_messages("games"))
    await house.later(4 * WEEK)
    await looked(house)
    told = house.ann.read_latest_message("games")
    assert said(told).startswith(f"🏆 {called(house.ann)} wins season 1 of the Binary Primes league with 3 points from")
    assert "2 matches weren't finished in time and don't count." in said(told) and labels(told) == ["Next season"]
    assert len(house.ann.read_messages("games")) == before + 1
    await looked(house)
    assert len(house.ann.read_messages("games")) == before + 1, "the end is told once"
    table = said(await message(house))
    assert "🏆" not in table and "wins" not in table and f"/{told['id']})" in table, "the table leads to who won"
    alone = await house.ann.command("league table", channel="games")
    assert f"🏆 {called(house.ann)} wins season 1" in alone.text, "whoever asks elsewhere reads it at once"
    # What was not over goes on for itself, and changes no table.
    standing = said(await message(house))
    played = await match(house, house.bea, house.dora)
    assert played.row.state == "live"
    await house.surely(house.dora, "match resign", channel=played.place)
    await looked(house)
    assert said(await message(house)) == standing


async def test_the_next_season_keeps_those_who_want_to(house: House) -> None:
    await begun(house)
    await lost(house, house.bea, house.ann)
    await house.later(4 * WEEK)
    await looked(house)
    told = house.ann.read_latest_message("games")
    for person in (house.bea, house.bea, house.cem):
        reply = await person.press(told, "Next season")
        assert reply.text.startswith("You're in the Binary Primes league, season 2."), reply.text
    await looked(house)
    following = await league(house)
    assert (following.league.season, [one.user for one in following.members]) == (2, [user(house.bea), user(house.cem)])
    assert following.league.host == user(house.bea) and labels(await message(house)) == ["Join", "Leave", "Start now"]
    await house.later(8 * DAY)
    await looked(house)
    assert "Too few people joined, so it didn't start." in said(await message(house))
    refused = await house.dora.press(told, "Next season")
    assert refused.text == "This league is over."


async def test_it_starts_at_its_time_with_nobody_there(house: House) -> None:
    await opened(house, days=3)
    await house.restart()
    await house.later(3 * DAY)
    await looked(house)
    loaded = await league(house)
    assert loaded.league.state == "live" and all(one.match for one in loaded.pairings)


async def test_who_leaves_before_half_is_struck_out(house: House) -> None:
    await begun(house)
    await lost(house, house.bea, house.dora)
    await lost(house, house.cem, house.ann)
    asked = await house.dora.command("league leave", channel="games")
    assert asked.is_ephemeral and labels(asked.message) == ["Leave", "Stay"]
    assert said(asked.message).startswith(
        "Leave the Binary Primes league, season 1? You can't come back. Your open matches go on. "
        f"Fewer than half of your matches are over, so those results won't count.\n-# opened by {called(house.ann)} <t:"
    )
    assert (await league(house)).is_active(user(house.dora)), "nothing is done before the answer"
    stayed = await house.dora.press(asked.message, "Stay")
    assert (stayed.kind, stayed.text) == ("update", "Nothing was changed.")
    reply = await house.surely(house.dora, "league leave", channel="games")
    assert reply.text == (
        "You left the Binary Primes league, season 1. Fewer than half of your matches were over, so those results "
        "don't count."
    )
    await looked(house)
    shown = said(await message(house))
    assert f"{called(house.bea)} · 0 of 0" in shown
    assert f"{called(house.dora)} left before half of the matches were over" in shown
    again = await house.dora.command("league leave", channel="games")
    assert again.text == "You aren't in this league."


async def test_the_host_takes_out_who_is_gone_and_others_cannot(house: House) -> None:
    await begun(house)
    refused = await house.cem.command("league remove", channel="games", person=house.dora)
    assert refused.text == f"Only {called(house.ann)} and people who can manage this server can do that."
    for loser, winner in ((house.dora, house.ann), (house.dora, house.bea)):
        await lost(house, loser, winner)
    asked = await house.ann.command("league remove", channel="games", person=house.dora)
    assert said(asked.message).startswith(
        f"Take {called(house.dora)} out of the Binary Primes league, season 1? They can't come back. Their open "
        "matches go on.\n-# "
    )
    reply = await house.ann.press(asked.message, "Take them out")
    assert reply.text == f"{called(house.dora)} is no longer in the Binary Primes league, season 1."
    await looked(house)
    assert f"{called(house.dora)} · 0 of 2 · has left" in said(await message(house))


async def test_whoever_takes_somebody_out_reads_of_their_matches_not_of_their_own(house: House) -> None:
    await begun(house)
    asked = await house.ann.command("league remove", channel="games", person=house.dora)
    assert "Fewer than half of their matches are over, so those results won't count." in said(asked.message)
    reply = await house.ann.press(asked.message, "Take them out")
    assert reply.text == (
        f"{called(house.dora)} is no longer in the Binary Primes league, season 1. Fewer than half of their matches "
        "were over, so those results don't count."
    )


async def test_pressing_twice_by_others_or_too_late_changes_nothing(house: House) -> None:
    shown = await opened(house)
    refused = await house.bea.press(shown, "Start now")
    assert refused.text == f"Only {called(house.ann)} and people who can manage this server can do that."
    assert (await house.bea.press(shown, "Join")).text.startswith("You're in the")
    assert len((await league(house)).members) == 4
    for _ in range(2):
        reply = await house.forge(house.ann, shown, f"p:leaguestart:{(await league(house)).league.id}")
        assert reply.text == "The Binary Primes league, season 1, has started."
    await looked(house)
    loaded = await league(house)
    assert len(loaded.pairings) == 6 and len({one.match for one in loaded.pairings}) == 6
    for page in ("leaguejoin", "leaguenext"):
        late = await house.forge(house.cem, shown, f"p:{page}:{loaded.league.id}")
        assert late.text in (
            "This league has already started, so nobody can join it any more.",
            "The next season can be opened when this one is over.",
        )
    for about in ("7", "", "x", "9" * 19, "9" * 20, "-1"):
        forged = await house.forge(house.cem, shown, f"p:leaguejoin:{about}")
        assert forged.text.startswith(("There is no such league here.", "I couldn't", "This")), forged.text


@sampled("fault", ["applied", "dropped", "hangs"])
async def test_messages_whose_answers_are_lost_are_posted_once(house: House, fault: str) -> None:
    """The sign-up's answer is lost, and so is that of the end; the bot dies, and Discord forgets nonces meanwhile."""

    def trouble() -> None:
        if fault == "hangs":
            house.faults.delay_requests("POST", MESSAGES, 40.0, applied=True)
        else:
            house.faults.lose_answer("POST", MESSAGES, applied=fault == "applied")

    trouble()
    await house.ann.command(CREATE, channel="games", game="binary-primes", days=1)
    await house.life.idle()
    await house.restart()
    await asyncio.sleep(900)
    await looked(house)
    shown = await message(house)
    for person in people(house)[1:]:
        await person.press(shown, "Join")
    await house.ann.press(shown, "Start now")
    await looked(house)
    await house.run_due_acts(4 * WEEK)
    trouble()
    await house.life.does(house.life.client.handlers.league_keeper.poll())
    await house.restart()
    await asyncio.sleep(900)
    await looked(house)
    posted = [one for one in house.dora.read_messages("games") if "season 1" in said(one).lower()]
    posted = [one for one in posted if one["ephemeral_for"] is None]
    assert [labels(one) for one in posted] == [[], ["Next season"]]


async def test_a_league_whose_message_is_deleted_or_whose_channel_is_closed(house: House) -> None:
    shown = await opened(house)
    house.sandbox.world.remove_message(shown)
    await house.surely(house.ann, "league leave", channel="games")
    await looked(house)
    again = await message(house)
    assert again["id"] != shown["id"] and "**3 people have joined:**" in said(again)
    house.faults.fail_requests("PATCH", MESSAGE, 403)
    await house.ann.press(again, "Join")
    await looked(house)
    await house.ann.press(again, "Start now")
    await looked(house)
    assert "0 of 6 matches are over." in said(await message(house)), "the next change is shown again"


async def test_a_table_whose_message_is_deleted_is_posted_again_with_its_picture(house: House) -> None:
    await begun(house)
    shown = await message(house)
    (before,) = sandbox_people.list_media(shown)
    house.sandbox.world.remove_message(shown)
    await lost(house, house.bea, house.dora)
    again = await message(house)
    assert again["id"] != shown["id"]
    (picture,) = sandbox_people.list_media(again)
    assert sandbox_people.bytes_of(house.sandbox.world, picture).startswith(b"\x89PNG") and picture.url != before.url


async def test_who_is_forgotten_leaves_the_league_and_its_message(house: House) -> None:
    await begun(house)
    await lost(house, house.bea, house.dora)
    reply = await house.dora.command("privacy forget", confirm="forget me")
    await house.until(lambda: "I have forgotten you" in reply.text)
    await house.life.client.publisher.catch_up()
    await looked(house)
    shown = said(await message(house))
    assert called(house.dora) not in shown and "A former player left before half" in shown


async def test_a_seat_that_was_handed_on_plays_for_the_member(house: House) -> None:
    await begun(house)
    played = await match(house, house.ann, house.bea)
    seat = played.row.seat_of(user(house.bea))
    await house.bea.command("match replace", channel=played.place, seat=seat, player=house.cem)
    await house.settled()
    for person in (house.ann, house.cem):
        await person.press((await played.fresh()).board, "Agree: hand over")
        await house.settled()
    await house.surely(house.cem, "match resign", channel=played.place)
    await looked(house)
    shown = said(await message(house))
    assert f"{called(house.ann)} · 1 of 1" in shown and f"{called(house.bea)} · 0 of 1" in shown


async def test_too_few_cannot_start_and_a_league_can_be_called_off(house: House) -> None:
    await house.ann.command(CREATE, channel="games")
    await looked(house)
    shown = await message(house)
    assert "### Mixed games league, season 1" in said(shown)
    few = await house.ann.press(shown, "Start now")
    assert few.text == "A league needs at least 3 people. So far it has 1."
    reply = await house.surely(house.ann, "league cancel", channel="games")
    assert reply.text == "The Mixed games league, season 1, is called off. Its open matches go on."
    await looked(house)
    assert "It was called off." in said(await message(house)) and labels(await message(house)) == []
    nobody = await house.ann.command("league leave", channel="games")
    assert nobody.text == "There is no league here now. Use /league create to open one."


async def test_its_matches_leave_no_line_in_the_channel_and_its_message_leads_to_them(house: House) -> None:
    games = house.sandbox.channel("games")["id"]
    await house.ann.command("settings threads", on=False)
    loaded = await begun(house)
    await looked(house)
    messages = [one for one in house.dora.read_messages("games") if one["ephemeral_for"] is None]
    assert [one["id"] for one in messages] == [str(loaded.league.message)]
    for pair in (await league(house)).pairings:
        assert pair.place and str(pair.place) != games and f"/{pair.place})" in said(messages[0])
    await house.restart()
    await lost(house, house.bea, house.ann)
    messages = [one for one in house.dora.read_messages("games") if one["ephemeral_for"] is None]
    assert len(messages) == 2 and said(messages[0]).count("https://") == 5


async def test_its_results_stand_in_its_channel_as_they_fall(house: House) -> None:
    await begun(house)
    before, pings = len(house.cem.read_messages("games")), len(house.sandbox.world.notified)
    for loser, winner in ((house.bea, house.ann), (house.cem, house.dora)):
        await lost(house, loser, winner)
        (told,) = house.cem.read_messages("games")[before:]
        played = await match(house, loser, winner)
        head = f"**{called(winner)} beat {called(loser)}, who resigned · Binary Primes, two legs**"
        why = "-# Not rated, though the league counts it: nobody had moved."
        assert (
            said(told).startswith(f"{head}\n{why}\n-# [match {played.id}](")
            and f"/{played.place['id']}" in said(told)
            and sandbox_people.list_media(told)
        )
        before += 1
    assert not [one for one in house.sandbox.world.notified[pings:] if one["channel"] == told["channel_id"]]


async def test_a_server_has_its_leagues_in_one_channel(house: House) -> None:
    place = house.sandbox.channel("games")["id"]
    card = await house.ann.command("settings posts")
    await house.ann.press(card, "p:settings:league", [place])
    reply = await house.bea.command(CREATE, channel="general")
    assert reply.text == f"You opened the Mixed games league, season 1. People can join it in <#{place}>."
    await looked(house)
    assert (await message(house))["channel_id"] == place


async def test_a_table_is_shown_to_the_asker_alone(house: House) -> None:
    await begun(house)
    ((name, value),) = await house.cem.complete("league table", "league", channel="games", league="binary")
    assert re.fullmatch(r"Binary Primes league, season 1 · opened \w+ \d+, \d{4}", name)
    reply = await house.cem.command("league table", channel="games", league=value)
    assert reply.is_ephemeral and alt(reply.message).startswith("The crosstable of division 1.")


SUREST = {"league cancel": "Call it off", "league leave": "Leave", "league remove": "Take them out"}
"""What nobody can undo, and the label of the button that does it."""
GONE_ON = "The league has gone on since I asked you, so nothing was done. Use the command again if you still want to."


async def test_of_two_leagues_of_one_name_the_one_that_was_meant_is_called_off(house: House) -> None:
    """Phones take the first of two suggestions with one name; and what would be done is asked first."""
    await opened(house)
    for _ in range(2):
        await house.run_due_acts(DAY)
        await house.ann.command(CREATE, channel="games", game="binary-primes")
    await looked(house)
    offered = await house.ann.complete("league cancel", "league", channel="games", league="")
    names = [name for name, _ in offered]
    assert len(names) == 3 == len(set(names))
    oldest, value = offered[-1]
    assert value == str((await league(house, 0)).league.id)
    asked = await house.ann.command("league cancel", channel="games", league=oldest)
    shown = await message(house, 0)
    assert said(asked.message).startswith("Call the Binary Primes league, season 1, off? You can't undo it.")
    assert "· 4 people · https://discord.com/channels/" in said(asked.message)
    assert said(asked.message).endswith(f"/{shown['channel_id']}/{shown['id']}")
    await house.restart()
    reply = await house.ann.press(asked.message, "Call it off")
    assert (reply.kind, reply.text) == (
        "update", "The Binary Primes league, season 1, is called off. Its open matches go on."
    )  # fmt: skip
    assert [(await league(house, at)).league.state for at in range(3)] == ["cancelled", "open", "open"]


async def test_what_was_asked_about_a_league_is_not_done_when_it_has_gone_on(house: House) -> None:
    shown = await opened(house)
    asked = [
        await house.ann.command(command, channel="games", **({"person": house.dora} if "remove" in command else {}))
        for command in SUREST
    ]
    assert "Until it starts you can join again." in said(asked[1].message)
    assert "Until it starts they can join again." in said(asked[2].message)
    stale = await house.bea.command("league leave", channel="games")
    await house.ann.press(shown, "Start now")
    await looked(house)
    before = await league(house)
    for question, label in zip(asked, SUREST.values(), strict=True):
        reply = await house.ann.press(question.message, label)
        assert (reply.is_ephemeral, reply.text) == (True, GONE_ON)
    await house.bea.press(stale.message, "Leave")
    assert (await league(house)) == before
    # The button of a message that is not yet edited asks, too: nobody could come back.
    late = await house.forge(house.bea, shown, f"p:leagueleave:{before.league.id}")
    assert labels(late.message) == ["Leave", "Stay"] and (await league(house)) == before
    assert (await house.bea.press(late.message, "Leave")).text.startswith(
        "You left the Binary Primes league, season 1."
    )
    again = await house.forge(house.bea, shown, f"p:leaguequit:{before.league.id}-live")
    assert again.text == "You aren't in this league."


async def test_a_forged_answer_does_only_what_its_sender_may(house: House) -> None:
    await begun(house)
    shown, number = await message(house), (await league(house)).league.id
    before = await league(house)
    host = f"Only {called(house.ann)} and people who can manage this server can do that."
    for page, about, sentence in (
        ("leaguecancel", f"{number}-live", host),
        ("leagueremove", f"{number}-live-{house.ann.id}", host),
        ("leagueremove", f"{number}-live", "I couldn't make sense"),
        ("leaguecancel", f"{number}", "This button is out of date."),
        ("leaguecancel", "7-live", "There is no such league here."),
    ):
        reply = await house.forge(house.cem, shown, f"p:{page}:{about}")
        assert reply.is_ephemeral and reply.text.startswith(sentence), (page, about, reply.text)
    assert await league(house) == before
    for text in ("binary", "Binary Primes league, season 1", "9" * 30, "7"):
        reply = await house.ann.command("league cancel", channel="games", league=text)
        assert reply.text == "There is no such league here. /league table shows those there are."


async def test_a_result_that_the_league_counts_and_no_rating_says_so(house: House) -> None:
    await begun(house)
    await lost(house, house.bea, house.ann)
    played = await match(house, house.ann, house.bea)
    why = "Not rated, though the league counts it: nobody had moved."
    assert f", who resigned. {why}**" in said(played.board)
    assert await house.store.ask(Reader.leaderboard, played.row.guild) == ()
    table = build_tables(await league(house))[0]
    assert {line.user: line.won for line in table.lines}[user(house.ann)] == 1


async def test_three_people_play_a_league_in_three_rounds(house: House) -> None:
    await house.ann.command(CREATE, channel="games", game="binary-primes")
    await looked(house)
    for person in (house.bea, house.cem):
        await person.press(await message(house), "Join")
    started = await house.ann.press(await message(house), "Start now")
    assert started.text == "The Binary Primes league, season 1, has started."
    await looked(house)
    loaded = await league(house)
    assert [one.round for one in loaded.pairings] == [1, 2, 3], "one rests in each round"
    assert all(one.match for one in loaded.pairings), "each has room for both of theirs at once"
    shown = said(await message(house))
    assert f"[{called(house.ann)} – " in shown or f" – {called(house.ann)}]" in shown, "people, no numbers"
    assert not re.search(r"\d+–\d+", shown), "which would read as a result"
    await lost(house, house.bea, house.ann)
    await lost(house, house.cem, house.ann)
    await lost(house, house.cem, house.bea)
    assert said(house.ann.read_latest_message("games")).startswith(
        f"🏆 {called(house.ann)} wins season 1 of the Binary Primes league with 2 points from 2 matches."
    )


def told_lines(house: House, person: Person) -> list[Json]:
    """The messages that told somebody of the beginnings of their matches in leagues."""
    world = house.sandbox.world
    found = [world.message(str(one["channel"]), str(one["message"])) for one in person.list_notifications()]
    return [one for one in found if " league, season " in one["content"]]


async def test_a_league_begins_with_one_message_a_person_that_names_their_matches(house: House) -> None:
    await begun(house)
    row = (await league(house)).league
    for person in people(house):
        (told,) = told_lines(house, person)
        head, *ways, table = told["content"].split("\n")
        others = [one for one in people(house) if one is not person]
        start = f"{person.mention}, the Binary Primes league, season 1, begins: you play "
        assert head.startswith(start) and all(called(other) in head for other in others)
        for other in others:
            thread = (await match(house, person, other)).place["id"]
            assert f"Against {called(other)}: https://discord.com/channels/{row.guild}/{thread}" in ways
        assert len(ways) == 3
        assert table == f"-# The table: https://discord.com/channels/{row.guild}/{row.channel}/{row.message}"
    places = [one["channel_id"] for person in people(house) for one in told_lines(house, person)]
    assert len({*places}) == 4, "each in a thread of their own, where they can move"
    await house.restart()
    await looked(house)
    assert [house.told(person) for person in people(house)] == [1, 1, 1, 1]


async def test_a_league_that_begins_at_night_wakes_nobody(house: House) -> None:
    await opened(house, days=1)
    await house.run_due_acts(DAY // 2 - 60)
    await house.ann.command("preferences", quiet="none")
    await house.ann.press(await message(house), "Start now")
    await looked(house)
    await house.run_due_acts(60)
    await looked(house)
    assert [house.told(person) for person in people(house)] == [1, 0, 0, 0], "only whoever has no quiet hours"
    played = await match(house, house.ann, house.bea)
    assert played.row.state == "live" and played.row.user_at(1), "it is there all the same"
    await house.run_due_acts(8 * 3600)
    await looked(house)
    assert [house.told(person) for person in people(house)] == [1, 1, 1, 1]


async def test_killed_while_people_are_told_of_their_matches(house: House) -> None:
    await opened(house)
    house.kill_at("begun")
    await house.ann.press(await message(house), "Start now")
    await house.settled()
    mark = living.set(house.life)
    look = asyncio.create_task(house.life.client.handlers.league_keeper.poll())
    living.reset(mark)
    await house.killed.wait()
    await asyncio.wait((look,))
    await house.restart()
    await looked(house)
    await looked(house)
    assert [house.told(person) for person in people(house)] == [1, 1, 1, 1]


async def test_threads_and_boards_say_which_match_of_the_league_they_are(house: House) -> None:
    loaded = await begun(house)
    row = loaded.league
    table = f"https://discord.com/channels/{row.guild}/{row.channel}/{row.message}"
    for one in loaded.pairings:
        played = Played(house, one.match or 0, await house.row(one.match or 0))
        assert f"-# [League]({table}), season 1, round {one.round} of 3" in said(played.board)
        assert played.place["name"].endswith(f" · {one.match} · league, season 1, round {one.round} of 3")
    await lost(house, house.ann, house.bea)
    over = await match(house, house.ann, house.bea)
    assert f"-# [League]({table}), season 1, round " in said(over.board), "also when it is over"
    house.sandbox.world.messages[str(row.channel)].pop(str(row.message))
    await lost(house, house.ann, house.cem)
    anew = (await league(house)).league.message
    assert anew and anew != row.message
    played = await match(house, house.ann, house.dora)
    assert (played.row.round or "").endswith(f" {anew}"), "and lead to the table where it stands now"


async def test_where_there_are_no_threads_the_opening_line_leads_to_the_board(house: House) -> None:
    await house.ann.command("settings threads", on=False)
    played = await house.match()
    board = f"https://discord.com/channels/{played.row.guild}/{played.row.channel}/{played.row.board_message}"
    await house.life.client.publisher.retry_failed()
    await house.settled()
    assert said(played.lobby).startswith(
        f"{called(house.ann)} and {called(house.bea)}'s match of **Binary Primes** is on: {board}"
    )


async def test_where_there_are_no_threads_the_opening_line_follows_a_board_that_another_replaces(house: House) -> None:
    await house.ann.command("settings threads", on=False)
    played = await house.match()
    await house.bea.command("match abort", channel=played.place)
    await house.settled()
    now = await played.fresh()
    assert now.row.board_message != played.row.board_message and len(now.boards) == 1
    assert f"/{now.row.channel}/{now.row.board_message}" in said(now.lobby)


async def test_the_message_that_says_who_won_loses_the_name_of_a_winner_who_was_forgotten(house: House) -> None:
    await begun(house)
    await lost(house, house.bea, house.ann)
    await house.later(4 * WEEK)
    await looked(house)
    won = house.ann.read_latest_message("games")
    assert said(won).startswith(f"🏆 {called(house.ann)} wins season 1")
    reply = await house.ann.command("privacy forget", confirm="forget me")
    await house.until(lambda: "I have forgotten you" in reply.text)
    await house.life.client.publisher.catch_up()
    await looked(house)
    (now,) = [one for one in house.ann.read_messages("games") if one["id"] == won["id"]]
    assert said(now).startswith("🏆 A former player wins season 1") and called(house.ann) not in said(now)
