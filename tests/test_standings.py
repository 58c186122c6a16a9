"""The sentences of leaderboards, profiles and records: their order and their words agree."""

from __future__ import annotations

from bot.client import standings, texts
from bot.core.catalogue import games
from bot.core.ids import MatchId, UserId
from bot.core.ratings import FRESH, Result, rated
from bot.core.rows import Best, Standing

PRIMES, SCRAMBLE, SUMS = (games()[key] for key in ("binary-primes", "binary-scramble", "sums-grid"))


def standing(user: int, place: int | None, mu: float = 25.0, sigma: float = 5.0, **results: int) -> Standing:
    won, drawn, lost = (results.get(name, 0) for name in ("won", "drawn", "lost"))
    return Standing(UserId(user), place, mu, sigma, won + drawn + lost, won, drawn, lost)


def test_everybody_begins_at_a_number_that_people_know() -> None:
    assert standings.points(standing(7, None, FRESH.mu, FRESH.sigma)) == 1500


def test_after_one_match_nobody_has_a_rating_below_zero() -> None:
    lost = rated({}, Result((7, 8), (1, 2)))[8]
    assert standings.points(standing(8, None, lost.mu, lost.sigma)) == 1445


def test_a_leaderboard_for_two_tells_what_was_won() -> None:
    rows = [standing(7, 1, 30, won=3, lost=1), standing(8, 2, 25, won=1, drawn=1, lost=2), standing(9, None, won=1)]
    assert standings.leaderboard(PRIMES, rows, {}).splitlines() == [
        "### Leaderboard: Binary Primes",
        "**1st** <@7> · **1950** · 4 matches: 3 won, 1 lost",
        "**2nd** <@8> · **1800** · 4 matches: 1 won, 1 drawn, 2 lost",
        "Without a place yet: <@9> (1 match).",
        standings.FOOT,
    ]


def test_where_more_than_two_play_places_are_told() -> None:
    """Somebody who was second among six may stand above somebody who won once against one."""
    rows = [standing(7, 1, 30, lost=3), standing(8, 2, 25, won=1, lost=2)]
    places = {
        UserId(7): {"binary-scramble": {2: 3}},
        UserId(8): {"binary-scramble": {1: 1, 4: 2}, "binary-primes": {1: 1}},
    }
    text = standings.leaderboard(SCRAMBLE, rows, places).splitlines()
    assert text[1:3] == [
        "**1st** <@7> · **1950** · 3 matches: 2nd 3 times",
        "**2nd** <@8> · **1800** · 3 matches: 1st once, 4th twice",
    ]
    every = standings.leaderboard(None, rows, places)
    assert "**2nd** <@8> · **1800** · 3 matches: 1st twice, 4th twice" in every
    assert "won" not in every and "lost" not in every


def test_those_without_a_place_are_named_without_an_order() -> None:
    rows = [standing(user, None, lost=2) for user in range(1, 15)]
    text = standings.leaderboard(PRIMES, rows, {})
    assert "<@10> (2 matches) and 4 more." in text
    assert "lost" not in text


def test_nobody_has_played() -> None:
    assert standings.leaderboard(None, [], {}) == (
        "### Leaderboard: all games\nNobody has finished a rated match yet: /play begins one."
    )
    assert standings.profile(UserId(7), games(), {}, {}) == "### <@7>\nNo finished rated match yet."


def test_a_profile_tells_games_for_two_by_what_was_won() -> None:
    rows = {
        "": standing(7, None, won=1, lost=1),
        "binary-primes": standing(7, 4, won=1),
        "binary-scramble": standing(7, None, lost=1),
        "chess": standing(7, 1, won=1),
    }
    text = standings.profile(
        UserId(7), games(), rows, {"binary-primes": {1: 1}, "binary-scramble": {3: 1}}
    ).splitlines()
    assert text == [
        "### <@7>",
        "**All games** · no place yet · **1800** · 2 matches: 1st once, 3rd once",
        "**Binary Primes** · 4th · **1800** · 1 match: 1 won",
        "**Binary Scramble** · no place yet · **1800** · 1 match: 3rd once",
        standings.FOOT,
    ]


def test_records_stand_by_score() -> None:
    text = standings.records(
        SUMS, [({"size": 3}, [Best(UserId(7), 12345, MatchId(1)), Best(UserId(8), 9, MatchId(2))])]
    )
    assert text == f"### Alone at Sums Grid\n**size 3**\n1. **12{texts.NARROW}345** · <@7>\n2. **9** · <@8>"
    assert standings.records(SUMS, []).endswith("/sums-grid challenge with seats 1 is such a match.")


def test_a_large_server_has_a_leaderboard_that_fits() -> None:
    rows = [standing(10**18 + user, user, 30, won=1000, drawn=1000, lost=1000) for user in range(1, 500)]
    rows += [standing(10**18 + user, None, lost=2) for user in range(500, 600)]
    text = standings.leaderboard(SCRAMBLE, rows, {})
    assert len(text) <= texts.MOST_TEXT
    assert text.splitlines()[-1] == standings.FOOT
