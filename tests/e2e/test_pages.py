"""Leaderboards, profiles and records: for the asker alone, and for everybody where the asker wants that."""

from __future__ import annotations

import pytest

from tests.e2e.house import House, labels

EVERYBODY = "Show everybody"


async def won(house: House, times: int) -> None:
    """Ann wins some matches against Bea."""
    for _ in range(times):
        played = await (await house.match()).move("b2")
        await (await played.move("a1")).move("c1")
        await house.surely(house.bea, "match resign", match=played.id)
        await house.settled()


async def test_a_page_is_for_the_asker_until_they_show_it(house: House) -> None:
    await won(house, 3)
    page = await house.cem.command("leaderboard", channel="general")
    assert page.ephemeral
    lines = page.text.splitlines()
    assert lines[1].startswith(f"**1st** {house.ann.mention} · **") and lines[1].endswith("3 matches: 1st 3 times")
    assert lines[2].startswith(f"**2nd** {house.bea.mention} · **") and lines[2].endswith("3 matches: 2nd 3 times")
    assert labels(page.message) == [EVERYBODY]
    shown = await house.cem.press(page, EVERYBODY)
    assert (shown.kind, shown.ephemeral, shown.text) == ("message", False, page.text)
    assert labels(shown.message) == []
    assert house.dora.see("general")["id"] == shown.message_id
    assert shown.message["mentions"] == [], "a leaderboard tells nobody"
    one = await house.ann.command("leaderboard", channel="general", game="binary-primes")
    assert one.text.splitlines()[1].endswith("3 matches: 3 won")
    shown = await house.ann.press(one, EVERYBODY)
    assert shown.text == one.text
    profile = await house.ann.command("profile", channel="general", person=house.bea)
    assert "**Binary Primes** · 2nd · **" in profile.text
    assert (await house.ann.press(profile, EVERYBODY)).text == profile.text


async def test_in_a_matchs_thread_a_page_stays_with_its_asker(house: House) -> None:
    played = await house.match()
    for name, options in (("leaderboard", {}), ("profile", {}), ("records", {"game": "sums-grid"})):
        page = await house.cem.command(name, channel=played.place, **options)
        assert page.ephemeral
        assert labels(page.message) == []
        forged = await house.forge(house.cem, page.message, "p:leaderboard:")
        assert (forged.ephemeral, forged.text) == (
            True, "In a match's thread this stays with you, since it would push the board up: ask in a channel.",
        )  # fmt: skip
    await house.settled()
    assert house.ann.see(played.place)["id"] == played.board["id"]


@pytest.mark.parametrize(
    ("custom_id", "sentence"),
    [
        ("p:nothing:", "That button leads nowhere any more: use the command again."),
        ("p:profile:ann", "That button leads nowhere any more: use the command again."),
        ("p:profile:" + "9" * 19, "That button leads nowhere any more: use the command again."),
        ("p:profile:" + "9" * 40, "That button leads nowhere any more: use the command again."),
        ("p:leaderboard:chess", "There is no such game here: /games shows what there is."),
        ("p:records:plexus", "Plexus is not played alone; what can be: Sums Grid."),
        ("p:records", "That button or form leads nowhere any more: /match board shows the board with its buttons."),
    ],
)
async def test_a_button_that_nobody_made(house: House, custom_id: str, sentence: str) -> None:
    page = await house.ann.command("leaderboard")
    forged = await house.forge(house.ann, page.message, custom_id)
    assert (forged.ephemeral, forged.text.startswith(sentence[:35])) == (True, True), forged.text


async def test_records_are_of_games_that_can_be_played_alone(house: House) -> None:
    offered = await house.ann.complete("records", "game", game="")
    assert ("Sums Grid", "sums-grid") in offered
    assert all(key != "plexus" for _, key in offered)
    none = await house.ann.command("records", game="sums-grid")
    assert "Nobody has finished Sums Grid alone yet" in none.text
    refused = await house.ann.command("records", game="plexus")
    assert refused.text.startswith("Plexus is not played alone; what can be: Sums Grid")
    assert refused.ephemeral


async def test_buttons_of_pages_outlive_the_bot(house: House) -> None:
    page = await house.ann.command("leaderboard")
    await house.restart()
    assert (await house.ann.press(page, EVERYBODY)).text == page.text
