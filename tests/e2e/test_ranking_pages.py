"""Leaderboards, profiles and records: for the asker alone, and for everybody where the asker wants that."""

from __future__ import annotations

import pytest

from bot.features.ranking import words as ranking_words
from bot.features.ranking.handlers import LEADS_NOWHERE
from bot.play.loaded_match import link_to
from bot.play.ratings import find_first_second
from bot.sandbox import people
from data.queries.standings import Leaderboards
from tests.e2e.harness import Harness, called, labels, without_joins

EVERYBODY = "Show everybody"


def without_links(text: str) -> str:
    """A profile as everybody sees it: the links to matches between two are for the asker."""
    return "\n".join(
        line for line in text.splitlines() if not line.startswith(("-# won <t:", "-# drawn <t:", "-# lost <t:"))
    )


async def won(harness: Harness, times: int) -> None:
    """Ann wins some matches against Bea."""
    for _ in range(times):
        played = await (await harness.match()).move("b2")
        await (await played.move("a1")).move("c1")
        await harness.surely(harness.bea, "match resign", match=played.id)
        await harness.settled()


async def test_a_page_is_for_the_asker_until_they_show_it(harness: Harness) -> None:
    await won(harness, 3)
    page = await harness.cem.command("leaderboard", channel="general")
    assert page.is_ephemeral
    lines = page.text.splitlines()
    assert lines[1].startswith(f"**1st** {called(harness.ann)} · **") and lines[1].endswith("· 3 matches · 3 won")
    assert lines[2].startswith(f"**2nd** {called(harness.bea)} · **") and lines[2].endswith("· 3 matches · 3 lost")
    assert labels(page.message) == [EVERYBODY, "This season"]
    shown = await harness.cem.press(page, EVERYBODY)
    assert (shown.kind, shown.is_ephemeral, shown.text) == ("message", False, page.text)
    assert labels(shown.message) == []
    assert harness.dora.read_latest_message("general")["id"] == shown.message_id
    assert shown.message["mentions"] == [], "a leaderboard tells nobody"
    one = await harness.ann.command("leaderboard", channel="general", game="binary-primes")
    assert one.text.splitlines()[1].endswith("3 matches · 3 won")
    shown = await harness.ann.press(one, EVERYBODY)
    assert shown.text == one.text
    harness.life.client.gate.acts.buckets.clear()  # three matches and two lists are not played and read in a second
    profile = await harness.ann.command("profile", channel="general", person=harness.bea)
    assert "**Binary Primes** · 2nd · rating **" in profile.text
    assert (await harness.ann.press(profile, EVERYBODY)).text == without_links(profile.text)


@pytest.mark.long
async def test_a_profile_shows_how_the_rating_went(harness: Harness) -> None:
    await won(harness, 1)
    first = await harness.ann.command("profile", channel="general")
    assert people.list_media(first.message) == [] and ranking_words.ONE_MATCH in first.text
    await won(harness, 1)
    harness.life.client.gate.acts.buckets.clear()
    profile = await harness.bea.command("profile", channel="general", person=harness.ann)
    (told,) = people.list_media(profile.message)
    points = profile.text.partition("**All games** · rating **")[2][:4]
    now = f"It is {points[0]} {points[1:]} now, higher than ever."
    assert told.alt == f"Rating after each of 2 rated matches, all games. {now}"
    assert people.bytes_of(harness.sandbox.world, told)[:4] == b"\x89PNG"
    harness.life.client.gate.acts.buckets.clear()
    await harness.restart()  # what was folded is forgotten, and folded anew
    shown = await harness.bea.press(profile, EVERYBODY)
    assert not shown.is_ephemeral and shown.text == without_links(profile.text)
    assert [each.alt for each in people.list_media(shown.message)] == [told.alt]
    assert people.bytes_of(harness.sandbox.world, people.list_media(shown.message)[0]) == people.bytes_of(
        harness.sandbox.world, told
    )
    one = await harness.cem.command("profile", channel="general", person=harness.ann, game="binary-primes")
    assert "**All games**" not in one.text and "**Binary Primes**" in one.text
    assert (people.list_media(one.message)[0].alt or "").startswith(
        "Rating after each of 2 rated matches, Binary Primes. "
    )
    none = await harness.cem.command("profile", channel="general", person=harness.ann, game="plexus")
    assert none.text.endswith("No finished rated match of Plexus yet.") and people.list_media(none.message) == []


async def test_a_profile_says_how_the_asker_stands_against_them(harness: Harness) -> None:
    await won(harness, 1)
    unrated = await harness.match(rated=False)
    await harness.surely(harness.ann, "match resign", match=unrated.id)
    await harness.settled()
    profile = await harness.bea.command("profile", channel="general", person=harness.ann)
    told = profile.text.splitlines()
    head = told.index(f"**{called(harness.bea)} against {called(harness.ann)}** · 1 won and 1 lost")
    row = await harness.row(unrated.id)
    assert told[head + 1].startswith("-# won <t:")
    assert told[head + 1].endswith(f": [match {unrated.id} of Binary Primes]({link_to(row)})")
    assert "lost <t:" in told[head + 2] and told[head + 3] == ranking_words.TOGETHER
    shown = await harness.bea.press(profile, EVERYBODY)
    assert shown.text == without_links(profile.text) != profile.text
    harness.life.client.gate.acts.buckets.clear()
    for asker, options in (
        (harness.ann, {}),
        (harness.cem, {"person": harness.ann}),
        (harness.bea, {"person": harness.bea}),
    ):
        assert "against" not in (await asker.command("profile", channel="general", **options)).text
    at = {"person": harness.ann, "game": "plexus"}
    assert "against" not in (await harness.bea.command("profile", channel="general", **at)).text
    at["game"] = "binary-primes"
    one = (await harness.bea.command("profile", channel="general", **at)).text
    assert "against" in one and "Winning streak: **1**, best **1**." in one


@pytest.mark.long
async def test_a_quarter_has_a_leaderboard_of_its_own(harness: Harness) -> None:
    turn = find_first_second(20271)
    harness.clock.at = turn - 100
    assert ("This season: 2026 Q4", "2026 Q4") in await harness.ann.complete("leaderboard", "season", season="")
    await won(harness, 1)
    harness.life.client.gate.acts.buckets.clear()
    this = await harness.ann.command("leaderboard", channel="general", season="this season")
    assert this.text.startswith("### Leaderboard: all games · 2026 Q4\n") and f"It ends <t:{turn}:D>" in this.text
    assert f"No place yet: {called(harness.ann)} (1 match) and {called(harness.bea)} (1 match)." in this.text
    every = await harness.ann.press(this, "All time")
    assert (every.kind, every.is_ephemeral) == ("update", True), "in place"
    assert every.text == (await harness.ann.command("leaderboard", channel="general")).text
    back = await harness.ann.press(every.message, "This season")
    assert back.text == this.text and labels(back.message) == [EVERYBODY, "All time"]
    harness.life.client.gate.acts.buckets.clear()
    harness.clock.at = turn  # the next quarter begins with its first second
    empty = await harness.ann.command("leaderboard", channel="general", season="2027 Q1", game="binary-primes")
    assert "Nobody has finished a rated match in 2027 Q1 yet. Use /play to start one." in empty.text
    shown = await harness.ann.press(back, EVERYBODY)
    forged = await harness.forge(harness.cem, shown.message, "p:turned:")
    assert (forged.is_ephemeral, forged.text) == (True, LEADS_NOWHERE), "nobody turns what everybody sees"
    assert "2026 Q4" in shown.text and called(harness.bea) in shown.text, "the page goes on being of its quarter"
    offered = await harness.ann.complete("leaderboard", "season", season="")
    assert offered == [("This season: 2027 Q1", "2027 Q1"), ("2026 Q4", "2026 Q4"), ("All time", "All time")]
    assert await harness.ann.complete("leaderboard", "season", season="2026") == [("2026 Q4", "2026 Q4")]
    harness.life.client.gate.acts.buckets.clear()
    every = await harness.ann.command("leaderboard", channel="general", season="all time")
    assert every.text == (await harness.ann.command("leaderboard", channel="general")).text
    refused = await harness.ann.command("leaderboard", channel="general", season="@everyone")
    assert (refused.is_ephemeral, refused.text) == (True, ranking_words.NO_SEASON)


@pytest.mark.long
async def test_in_a_matchs_thread_a_page_stays_with_its_asker(harness: Harness) -> None:
    played = await harness.match()
    for name, options in (("leaderboard", {}), ("profile", {}), ("records", {"game": "sums-grid"})):
        page = await harness.cem.command(name, channel=played.place, **options)
        assert page.is_ephemeral
        assert labels(page.message) == (["This season"] if name == "leaderboard" else [])
        forged = await harness.forge(harness.cem, page.message, "p:leaderboard:")
        assert (forged.is_ephemeral, forged.text) == (
            True,
            "Only you see this here, because it would push the board up. Ask in another channel to show everybody.",
        )  # fmt: skip
    await harness.settled()
    assert without_joins(harness.ann.read_messages(played.place))[-1]["id"] == played.board["id"]


NEVER_MADE = "This button is out of date. Use /match board to get a fresh board."
FORGED = (
    ("p:nothing:", NEVER_MADE),
    ("p:profile:ann", NEVER_MADE),
    ("p:profile:" + "9" * 19, NEVER_MADE),
    ("p:profile:7-chess", "There is no such game here. /games shows what there is."),
    ("p:profile:7-", NEVER_MADE),
    ("p:profile:" + "9" * 40, NEVER_MADE),
    ("p:leaderboard:20265", NEVER_MADE),
    ("p:leaderboard:20264-chess", "There is no such game here. /games shows what there is."),
    ("p:leaderboard:chess", "There is no such game here. /games shows what there is."),
    ("p:records:plexus", "Plexus can't be played alone. These can: Sums Grid."),
    ("p:records", NEVER_MADE),
)


async def test_a_button_that_nobody_made(harness: Harness) -> None:
    page = await harness.ann.command("leaderboard")
    for custom_id, sentence in FORGED:
        harness.life.client.gate.acts.buckets.clear()  # nobody forges so many in a second
        forged = await harness.forge(harness.ann, page.message, custom_id)
        told = (forged.is_ephemeral, forged.text.startswith(sentence[:35]))
        assert told == (True, True), f"{custom_id}: {forged.text}"


async def test_records_are_of_games_that_can_be_played_alone(harness: Harness) -> None:
    offered = await harness.ann.complete("records", "game", game="")
    assert ("Sums Grid", "sums-grid") in offered
    assert all(key != "plexus" for _, key in offered)
    none = await harness.ann.command("records", game="sums-grid")
    assert "Nobody has finished Sums Grid alone yet" in none.text
    assert labels(none.message) == [], "there is nothing to show to everybody"
    refused = await harness.ann.command("records", game="plexus")
    assert refused.text.startswith("Plexus can't be played alone. These can: Sums Grid")
    assert refused.is_ephemeral


async def test_buttons_of_pages_outlive_the_bot(harness: Harness) -> None:
    page = await harness.ann.command("leaderboard")
    await harness.restart()
    assert (await harness.ann.press(page, EVERYBODY)).text == page.text


async def test_nothing_is_looked_through_for_a_picture_that_nobody_can_have(
    harness: Harness, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A person who has no rating may ask for their profile as often as they like: that reads a few rows."""
    monkeypatch.delattr(Leaderboards, "find_results_since")
    profile = await harness.dora.command("profile", channel="general")
    assert profile.text == f"### {called(harness.dora)}\nNo finished rated match yet. Use /play to start one."
    other = await harness.cem.command("profile", channel="general", person=harness.dora)
    assert other.text == f"### {called(harness.dora)}\nNo finished rated match yet."
