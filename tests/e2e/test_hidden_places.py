"""What is told in public comes from what is public: two stories that differ in what happens where Cem cannot look, and
what stands in #general or is answered to him must be the same.

Ratings, records and profiles are figures about people in a server, to which its matches add wherever they are played;
but nothing else of a profile or a leaderboard comes from a place that the asker cannot see.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace
from hashlib import blake2b
from itertools import count
from pathlib import Path
from typing import Any

import discord
import pytest

from bot.features.board import directory as match_directory
from bot.features.daily import words as daily_words
from bot.features.leagues.handlers import NONE
from bot.features.leagues.service import GONE, LeagueTerms
from bot.platform import messages
from bot.platform.checks import TokenBuckets
from bot.play import puzzles
from bot.play.ids import ChannelId, InteractionId, UserId
from bot.play.rows import ServerSettings
from bot.sandbox import people, seed
from bot.sandbox.people import Person
from data.queries import standings
from data.store import Reader, Transaction
from tests.e2e import test_week as week
from tests.e2e.conftest import opened
from tests.e2e.harness import Harness, Json, Played, said
from tests.e2e.test_daily import MORNING, TODAY
from tests.e2e.test_daily_channel import DAY, guild
from tests.e2e.test_leagues import looked
from tests.e2e.transcripts import Transcript, differences
from tests.support.sampled import sampled

ROLE, MEMBER = 0, 1
"""What an overwrite of a channel is about, as Discord counts it."""
STRANGER = UserId(990_000_000_000_000_099)
ASKED: tuple[tuple[str, dict[str, str]], ...] = (
    ("matches", {"which": "all here"}), ("tables", {}), ("league table", {}), ("league leave", {}), ("records", {}),
    ("leaderboard", {}), ("profile", {"person": "Ann"}), ("profile", {"person": "Bea"}), ("daily", {}),
)  # fmt: skip
"""What Cem asks for in #general."""


def let_in(harness: Harness, place: str, *people: Person) -> None:
    """Nobody sees a channel but these people and the bot."""
    world, channel = harness.sandbox.world, harness.sandbox.channel(place)
    bits = seed.bits_of(("view_channel",))
    seed.set_overwrite(channel["permission_overwrites"], world.home_guild["id"], ROLE, deny=bits)
    for person in (world.me, *(one.id for one in people)):
        seed.set_overwrite(channel["permission_overwrites"], person, MEMBER, allow=bits)
    world.tell_channel_changed(channel)


async def goes(harness: Harness, winner: Person, loser: Person, place: str | Json, **options: Any) -> Played:
    """A match in a place that somebody gives up, after a move of each."""
    played = await harness.match(winner, loser, channel=place, **options)
    played = await (await played.move("b2")).move("a1")
    await harness.surely(loser, "match resign", match=played.id, channel=played.place)
    await harness.settled()
    harness.life.client.gate.acts = TokenBuckets(10_000, 1)
    return played


async def hidden_league(harness: Harness) -> None:
    """A league of Ann, Bea, Dora and somebody else, whose matches go on in a place."""
    leagues, place = (
        harness.life.client.handlers.league_keeper.leagues,
        ChannelId(int(harness.sandbox.channel("games")["id"])),
    )
    ann, bea, dora = (UserId(int(one.id)) for one in (harness.ann, harness.bea, harness.dora))
    asked = LeagueTerms(guild(harness), place, ann, None, "2", 4, 7)
    loaded = await harness.life.does(leagues.found(InteractionId(1), asked))
    for user in (bea, dora, STRANGER):
        await harness.life.does(leagues.join(loaded.league.id, guild(harness), user))
    await harness.life.does(leagues.start(loaded.league.id, guild(harness), ann, manager=False))
    await looked(harness)
    given = await harness.store.ask(Reader.live_of, guild(harness), dora)
    row = next(row for row in given if {player.user for player in row.players} == {dora, bea})
    await harness.surely(
        harness.dora, "match resign", match=row.id, channel=Played(harness, row.id, await harness.row(row.id)).place
    )
    await looked(harness)


async def nothing(_harness: Harness) -> None:
    """Nothing happens."""


async def everything(harness: Harness) -> None:
    """Matches, a table and a league in #games, which Cem does not see."""
    let_in(harness, "games", harness.ann, harness.bea, harness.dora)
    await goes(harness, harness.ann, harness.bea, "games")
    await goes(harness, harness.bea, harness.ann, "games")
    await goes(harness, harness.dora, harness.bea, "games")
    await harness.match(harness.ann, harness.dora, channel="games")
    await harness.challenge(harness.ann)
    await hidden_league(harness)


async def unrated(harness: Harness) -> None:
    """The same without anything that adds to a rating."""
    let_in(harness, "games", harness.ann, harness.bea, harness.dora)
    await goes(harness, harness.ann, harness.bea, "games", rated=False)
    await harness.match(harness.ann, harness.dora, channel="games")
    await harness.challenge(harness.ann)


async def in_a_private_thread(harness: Harness) -> None:
    """A match of Ann's and Bea's that nobody else sees, and one that is going on."""
    thread = harness.ann.start_private_thread("secret", "general", harness.bea)
    harness.ann.add_bot(thread)
    await goes(harness, harness.bea, harness.ann, thread)
    await harness.match(harness.ann, harness.bea, channel=thread)


async def in_a_channel_that_goes(harness: Harness) -> None:
    """A match in a channel that only some saw, and that is no more."""
    await everything(harness)
    harness.faults.delete_channel("games")
    await harness.settled()


def shown(harness: Harness, message: Json) -> list[Any]:
    """A message as people see it."""
    pictures = [blake2b(people.bytes_of(harness.sandbox.world, one)).hexdigest() for one in people.list_media(message)]
    return [said(message), pictures, [one.custom_id for one in people.list_buttons(message)]]


Happening = Callable[[Harness], Awaitable[None]]


async def told(folder: Path, empty: Path, happens: Happening, *, asks: bool = True) -> Transcript:
    """What Cem gets of a story in which something happens elsewhere: the week, the day, and whatever he asks for."""
    async with opened(folder, empty, 3600.0) as harness:
        harness.life.client.gate.acts = TokenBuckets(10_000, 1)
        await week.at(harness, week.EIGHT - 5 * DAY)
        place = ChannelId(int(harness.sandbox.channel("general")["id"]))
        await harness.store.do(Transaction.set_settings, guild(harness), ServerSettings(week=place, daily=place))
        for _ in range(3):
            await goes(harness, harness.ann, harness.bea, "general")
        await goes(harness, harness.dora, harness.bea, "general")
        await week.at(harness, week.EIGHT - DAY)
        await happens(harness)
        await week.at(harness, week.EIGHT)
        got = Transcript(harness)
        (post,) = await week.looks(harness)
        got.note("week", shown(harness, post))
        harness.life.client.gate.acts = TokenBuckets(10_000, 1)
        days = [one for one in harness.cem.read_messages("general") if "### Daily puzzle" in said(one)]
        got.note("daily", [shown(harness, one) for one in days])
        for command, options in ASKED if asks else ():
            given: dict[str, Any] = {key: harness.ann if one == "Ann" else harness.bea for key, one in options.items()}
            given = given if command == "profile" else dict(options)
            if command == "records":
                given = {"game": "sums-grid"}
            got.reply(f"{command} {options}", await harness.cem.command(command, channel="general", **given))
        got.note(
            "matches",
            (await harness.cem.command("matches", channel="general", which="finished", person=harness.ann)).text,
        )
        got.note("leagues", await harness.cem.complete("league table", "league", league=""))
        return got


@sampled("happens", (everything, in_a_private_thread, in_a_channel_that_goes), ids=lambda one: one.__name__)
async def test_what_is_told_in_public_does_not_depend_on_what_happens_elsewhere(
    folder: Path, empty_database: Path, happens: Happening
) -> None:
    one, other = [await told(folder, empty_database, each) for each in (nothing, happens)]
    found = differences(one, other)
    figures = {what for what in found if what.startswith(("leaderboard", "profile"))}
    assert {*found} <= figures, "\n… but with a hidden place …\n".join(next(iter(found.values())))
    for what in figures:
        links = [text.count("https://") for text in found[what]]
        assert links == [0, 0], "figures lead nowhere"


async def test_nor_does_a_profile_or_a_leaderboard_on_what_is_not_rated(folder: Path, empty_database: Path) -> None:
    found = differences(*[await told(folder, empty_database, each) for each in (nothing, unrated)])
    assert not found, "\n… but with a hidden place …\n".join(next(iter(found.values())))


def seen_anyway(guild: discord.Guild, _post: ChannelId) -> frozenset[int]:
    """A leak: a post tells of all channels."""
    return frozenset(one.id for one in (*guild.channels, *guild.threads))


def sees_anyway(*_: object) -> bool:
    """A leak: whoever asks sees all channels."""
    return True


def counting_all(standings: Callable[..., Any]) -> Callable[..., Any]:
    """A leak: matches that are going on, or do not count, stand in somebody's figures."""

    def leaking(reader: Reader, guild: int, *rest: Any) -> Any:
        found: dict[str, Any] | tuple[Any, ...] = standings(reader, guild, *rest)
        if isinstance(found, tuple):
            return tuple(more(reader, guild, one) for one in found)
        return {game: more(reader, guild, one) for game, one in found.items()}

    def more(reader: Reader, guild: int, one: Any) -> Any:
        return replace(one, played=one.played + len(reader.live_of(guild, one.user)))  # pyright: ignore[reportArgumentType]

    return leaking


@pytest.mark.long
async def test_planted_leaks_are_found(folder: Path, empty_database: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("profile", "leaderboard"):
        kept = getattr(standings.Leaderboards, name)
        monkeypatch.setattr(standings.Leaderboards, name, counting_all(kept))
    monkeypatch.setattr(messages, "find_equally_visible", seen_anyway)
    monkeypatch.setattr(match_directory, "can_see", sees_anyway)
    found = differences(*[await told(folder, empty_database, each) for each in (nothing, unrated)])
    assert {what.partition(" ")[0] for what in found} == {"leaderboard", "matches", "profile", "tables", "week"}
    found = differences(*[await told(folder, empty_database, each) for each in (nothing, everything)])
    assert {"league table {}", "leagues", "week"} <= {*found}
    before, after = found["week"]
    assert "4 matches were finished." in before and "8 matches were finished." in after
    assert "Mixed games league, season 1" in after and "won 3 rated matches in a row" in before and "Bea" not in before


async def test_who_cannot_see_a_league_does_not_find_it_by_its_number(harness: Harness) -> None:
    leagues = harness.life.client.handlers.league_keeper.leagues
    place = ChannelId(int(harness.sandbox.channel("games")["id"]))
    asked = LeagueTerms(guild(harness), place, UserId(int(harness.ann.id)), None, "2", 4, 7)
    loaded = await harness.life.does(leagues.found(InteractionId(1), asked))
    await looked(harness)
    named = {"channel": "general", "league": str(loaded.league.id)}
    assert (await harness.cem.command("league table", **named)).text.startswith("### Mixed games league, season 1")
    let_in(harness, "games", harness.ann, harness.bea)
    assert (await harness.bea.command("league table", **named)).text.startswith("### Mixed games league, season 1")
    for command in ("league table", "league leave", "league cancel"):
        assert (await harness.cem.command(command, **named)).text == GONE
    assert (await harness.cem.command("league remove", person=harness.ann, **named)).text == GONE
    assert (await harness.cem.command("league table", channel="general")).text == NONE
    # Who takes part knows of it, whatever they see.
    await harness.life.does(leagues.join(loaded.league.id, guild(harness), UserId(int(harness.dora.id))))
    await looked(harness)
    assert (await harness.dora.command("league table", channel="general")).text.startswith("### Mixed games league")


@pytest.mark.parametrize("all_see", (True, False))
async def test_a_week_tells_of_what_all_see_who_can_see_it(harness: Harness, all_see: bool) -> None:
    """Nobody but four people, each let in by name, sees anything here."""
    four = harness.ann, harness.bea, harness.cem, harness.dora
    let_in(harness, "general", *four)
    let_in(harness, "games", *(four if all_see else four[:3]))
    await week.chosen(harness)
    await goes(harness, harness.ann, harness.bea, "games")
    await week.at(harness, week.EIGHT)
    assert ["1 match was finished." in said(post) for post in await week.looks(harness)] == [True] * all_see


async def test_rights_count_as_they_are_when_the_week_is_told(harness: Harness) -> None:
    let_in(harness, "games", harness.ann, harness.bea)
    await week.chosen(harness)
    await goes(harness, harness.ann, harness.bea, "games")
    channel = harness.sandbox.channel("games")
    channel["permission_overwrites"].clear()
    harness.sandbox.world.tell_channel_changed(channel)
    await week.at(harness, week.EIGHT)
    (post,) = await week.looks(harness)
    assert "1 match was finished." in said(post)


async def test_the_mark_of_a_weekend_is_one_that_was_set_where_all_can_look(harness: Harness) -> None:
    """Cem reads neither in #general nor by asking who was best in #games, and Ann does when she asks."""
    saturday = next(
        day for day in count(TODAY + 5, 7) if puzzles.choose_board(puzzles.find_weekend(day) or 0)[0] == "sums-grid"
    )
    let_in(harness, "games", harness.ann, harness.bea)
    place = ChannelId(int(harness.sandbox.channel("general")["id"]))
    await harness.store.do(Transaction.set_settings, guild(harness), ServerSettings(daily=place))
    await week.at(harness, MORNING + (saturday - TODAY) * DAY - DAY // 4)
    _, options = puzzles.choose_board(puzzles.find_weekend(saturday) or 0)
    size = int(options["size"])
    rows = (" ".join(str(1 + at * size + one) for one in range(size)) for at in range(size))
    reply = await harness.ann.command("sums-grid challenge", channel="games", seats=1, **options)
    assert reply.text.startswith("Match 1 of"), reply.text
    await harness.settled()
    played = Played(harness, 1, await harness.row(1)).place
    await harness.ann.command("move", channel=played, line=f"grid {' / '.join(rows)}")
    await harness.surely(harness.ann, "move", channel=played, line="done")
    await harness.settled()
    await week.at(harness, MORNING + (saturday - TODAY) * DAY)
    await week.looks(harness)
    (post,) = [one for one in harness.cem.read_messages("general") if "### Daily puzzle" in said(one)]
    assert daily_words.NO_RECORD in said(post)
    assert daily_words.NO_RECORD in said((await harness.cem.command("daily", channel="general")).message)
    assert "The record to beat: " in said((await harness.ann.command("daily", channel="general")).message)
