"""The sentences of leaderboards, profiles and records: their order and their words agree."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.features.board import words as board_words
from bot.features.ranking import words as ranking_words
from bot.games.catalogue import load_games
from bot.games.game import Game
from bot.play.ids import MatchId, UserId
from bot.play.loaded_match import Refusal
from bot.play.ratings import (
    FRESH,
    BestResult,
    GameLosses,
    HeadToHead,
    LeaderboardRow,
    LevelAdvice,
    Result,
    find_first_second,
    rate_result,
)
from bot.play.rows import MatchRow
from cogs.leaderboard import parse_season
from tests.support.loaded_matches import FIRST, players, row

PRIMES, SCRAMBLE, SUMS = (load_games()[key] for key in ("binary-primes", "binary-scramble", "sums-grid"))


def standing(user: int, place: int | None, mu: float = 25.0, sigma: float = 5.0, **results: int) -> LeaderboardRow:
    won, drawn, lost = (results.get(name, 0) for name in ("won", "drawn", "lost"))
    return LeaderboardRow(UserId(user), place, mu, sigma, won + drawn + lost, won, drawn, lost)


def placed(one: LeaderboardRow, *places: int) -> LeaderboardRow:
    """The same, having come out so often first, second, …"""
    return replace(one, places=places)


def test_everybody_begins_at_a_number_that_people_know() -> None:
    assert ranking_words.convert_to_points(standing(7, None, FRESH.mu, FRESH.sigma)) == 1500


def test_after_one_match_nobody_has_a_rating_below_zero() -> None:
    lost = rate_result({}, Result((7, 8), (1, 2)))[8]
    assert ranking_words.convert_to_points(standing(8, None, lost.mu, lost.sigma)) == 1445


def test_a_leaderboard_for_two_tells_what_was_won() -> None:
    rows = [standing(7, 1, 30, won=3, lost=2), standing(8, 2, 25, won=1, drawn=1, lost=2), standing(9, None, won=1)]
    assert ranking_words.format_leaderboard(PRIMES, rows).splitlines() == [
        "### Leaderboard: Binary Primes",
        "**1st** <@7> · **1950** · 5 matches · 3 won · 2 lost",
        "**2nd** <@8> · **1800**, provisional · 4 matches · 1 won · 1 drawn · 2 lost",
        "No place yet: <@9> (1 match).",
        ranking_words.PROVISIONAL,
        ranking_words.FOOT,
    ]


def test_where_more_than_two_play_places_are_told_beside_what_was_won() -> None:
    """Somebody who was second among six may stand above somebody who won once against one. A draw of two is a draw."""
    rows = [placed(standing(7, 1, 30, lost=3), 0, 3), placed(standing(8, 2, 25, won=1, lost=2), 1, 0, 0, 2)]
    text = ranking_words.format_leaderboard(SCRAMBLE, rows).splitlines()
    assert text[1:3] == [
        "**1st** <@7> · **1950**, provisional · 3 matches · 3 lost",
        "**2nd** <@8> · **1800**, provisional · 3 matches · 1 won · 2 lost · 4th place twice",
    ]
    every = ranking_words.format_leaderboard(None, rows)
    assert "**2nd** <@8> · **1800**, provisional · 3 matches · 1 won · 2 lost · 4th place twice" in every
    assert "1st once" not in every and "2nd 3 times" not in every


def test_nothing_is_said_of_provisional_ratings_where_there_is_none() -> None:
    rows = [standing(7, 1, 30, won=5), standing(8, None, lost=2)]
    assert "rovisional" not in ranking_words.format_leaderboard(PRIMES, rows), "who has no place shows no rating"
    assert "rovisional" not in ranking_words.format_profile(UserId(7), load_games(), {"": rows[0]})


def test_two_newcomers_who_draw_have_both_risen() -> None:
    drawn = rate_result({}, Result((7, 8), (1, 1)))
    assert [round(1500 + 30 * one.value) for one in drawn.values()] == [1524, 1524]


def test_those_without_a_place_are_named_without_an_order() -> None:
    rows = [standing(user, None, lost=2) for user in range(1, 15)]
    text = ranking_words.format_leaderboard(PRIMES, rows)
    assert "<@10> (2 matches) and 4 more." in text
    assert "lost" not in text


def test_nobody_has_played() -> None:
    assert ranking_words.format_leaderboard(None, []) == (
        "### Leaderboard: all games\nNobody has finished a rated match yet. Use /play to start one."
    )
    assert (
        ranking_words.format_profile(UserId(7), load_games(), {}, own=True)
        == "### <@7>\nNo finished rated match yet. Use /play to start one."
    )
    assert ranking_words.format_profile(UserId(7), load_games(), {}) == "### <@7>\nNo finished rated match yet."


def test_a_profile_tells_games_for_two_by_what_was_won() -> None:
    rows = {
        "": placed(standing(7, None, won=1, lost=1), 1, 0, 1),
        "binary-primes": placed(standing(7, 4, won=1), 1),
        "binary-scramble": placed(standing(7, None, lost=1), 0, 0, 1),
        "chess": standing(7, 1, won=1),
    }
    text = ranking_words.format_profile(UserId(7), load_games(), rows).splitlines()
    assert text == [
        "### <@7>",
        "**All games** · rating **1800**, provisional · 2 matches · 1 won · 1 lost · 3rd place once",
        "**Binary Primes** · 4th · rating **1800**, provisional · 1 match · 1 won",
        "**Binary Scramble** · rating **1800**, provisional · 1 match · 1 lost · 3rd place once",
        ranking_words.PROVISIONAL,
        ranking_words.FOOT,
    ]


def test_records_stand_by_score() -> None:
    text = ranking_words.format_records(
        SUMS, [({"size": 3}, [BestResult(UserId(7), 12345, MatchId(1)), BestResult(UserId(8), 9, MatchId(2))])]
    )
    assert text == f"### Alone at Sums Grid\n**size 3**\n1. **12{board_words.NARROW}345** · <@7>\n2. **9** · <@8>"
    assert ranking_words.format_records(SUMS, []).endswith("/sums-grid challenge with seats set to 1.")


def test_a_large_server_has_a_leaderboard_that_fits() -> None:
    rows = [standing(10**18 + user, user, 30, won=1000, drawn=1000, lost=1000) for user in range(1, 500)]
    rows += [standing(10**18 + user, None, lost=2) for user in range(500, 600)]
    text = ranking_words.format_leaderboard(SCRAMBLE, rows)
    assert len(text) <= board_words.MOST_TEXT
    assert text.splitlines()[-1] == ranking_words.FOOT


def test_a_season_says_of_when_it_is() -> None:
    rows, turn = [standing(7, 1, 30, won=3), standing(9, None, won=1)], find_first_second(20271)
    text = ranking_words.format_leaderboard(PRIMES, rows, season=(20264, turn - 1)).splitlines()
    assert text[0] == "### Leaderboard: Binary Primes · 2026 Q4"
    assert text[3:] == [
        f"-# These are the rated matches that end from October to December 2026 (UTC). It ends <t:{turn}:D>.",
        ranking_words.PROVISIONAL,
        ranking_words.FOOT,
    ]
    over = ranking_words.format_leaderboard(PRIMES, rows, season=(20264, turn)).splitlines()
    assert over[3] == "-# These are the rated matches that ended from October to December 2026 (UTC)."


def test_nobody_has_played_in_a_season() -> None:
    turn = find_first_second(20271)
    assert ranking_words.format_leaderboard(None, [], season=(20264, turn - 1)).splitlines()[:2] == [
        "### Leaderboard: all games · 2026 Q4",
        "Nobody has finished a rated match in 2026 Q4 yet. Use /play to start one.",
    ]
    assert ranking_words.format_leaderboard(None, [], season=(20264, turn)) == (
        "### Leaderboard: all games · 2026 Q4\nNobody finished a rated match in 2026 Q4.\n"
        "-# These are the rated matches that ended from October to December 2026 (UTC)."
    )


def test_a_profile_tells_runs_of_wins() -> None:
    every, primes = standing(7, None, won=3, lost=1), standing(7, 1, won=3)
    rows = {"": replace(every, streak=0, longest=2), "binary-primes": replace(primes, streak=3, longest=3)}
    assert "\nWinning streak: none, best **2**.\n" in ranking_words.format_profile(UserId(7), load_games(), rows)
    text = ranking_words.format_profile(UserId(7), load_games(), rows, PRIMES)
    assert "\nWinning streak: **3**, best **3**.\n" in text
    assert "streak" not in ranking_words.format_profile(UserId(7), load_games(), {"": standing(7, None, lost=4)})


ANN, BEA = UserId(FIRST + 1), UserId(FIRST + 2)
TITLES = sorted(load_games(), key=lambda key: -len(load_games()[key].title))


def finished(game: Game, number: int, *ranks: int) -> MatchRow:
    """A match that is over, with Ann on seat 1 and Bea on seat 2."""
    loaded = [replace(player, rank=rank) for player, rank in zip(players(len(ranks)), ranks, strict=True)]
    over = {"state": "finished", "ended": 1_790_000_000, "thread": FIRST, "board_message": FIRST}
    return row(game, len(ranks), id=number, players=tuple(loaded), board_channel=FIRST, **over)


def test_somebody_sees_how_they_stand_against_somebody() -> None:
    scores = [
        HeadToHead("binary-primes", 3, 0, 1),
        HeadToHead("binary-scramble", 0, 1, 0),
        HeadToHead("chess", 1, 0, 0),
    ]
    latest = [
        finished(PRIMES, 12, 1, 2), finished(SCRAMBLE, 9, 3, 3, 1), finished(PRIMES, 5, 2, 1),
    ]  # fmt: skip
    link = f"https://discord.com/channels/{FIRST}/{FIRST}/{FIRST}"
    assert ranking_words.format_score_against(ANN, BEA, load_games(), scores, latest).splitlines() == [
        f"**<@{ANN}> against <@{BEA}>** · 4 won, 1 drawn and 1 lost",
        f"-# won <t:1790000000:d>: [match 12 of Binary Primes]({link})",
        f"-# drawn <t:1790000000:d>: [match 9 of Binary Scramble]({link})",
        f"-# lost <t:1790000000:d>: [match 5 of Binary Primes]({link})",
        "**Binary Primes** · 3 won and 1 lost",
        "**Binary Scramble** · 1 drawn",
        ranking_words.TOGETHER,
    ]
    other = ranking_words.format_score_against(BEA, ANN, load_games(), scores[:1], latest[:1]).splitlines()
    assert other[1].startswith("-# lost <t:1790000000:d>: "), "as the person who asks sees it"
    assert len(other) == 3, "of one game it is said once"


def test_two_who_have_played_everything_fit_into_a_message() -> None:
    """A message holds twice as much, and the profile above it takes no more than half of that."""
    scores = [HeadToHead(key, 100_000, 100_000, 100_000) for key in load_games()]
    latest = [finished(load_games()[key], 10**9, 1, 2) for key in TITLES[:5]]
    text = ranking_words.format_score_against(ANN, BEA, load_games(), scores, latest)
    assert len(text) <= board_words.MOST_TEXT
    assert text.splitlines()[-1] == ranking_words.TOGETHER
    most = LeaderboardRow(ANN, 10**4, 99, 1, *(10**5,) * 6, places=(10**5,) * 8)
    rows = dict.fromkeys(("", *load_games()), most)
    assert (
        len(ranking_words.format_profile(ANN, load_games(), rows, remark=ranking_words.MANY_MATCHES))
        <= board_words.MOST_TEXT
    )


@pytest.mark.parametrize(
    ("typed", "season"),
    [
        ("2026 Q3", 20263), (" q3 2026", 20263), ("2026-3", 20263), ("this", 20264), ("This season", 20264),
        ("all time", 0), ("ALL TIME", 0),
    ],
)  # fmt: skip
def test_seasons_are_named_forgivingly(typed: str, season: int) -> None:
    assert parse_season(typed, find_first_second(20264)) == season


@pytest.mark.parametrize("typed", ["summer", "2026", "2026 Q5", "20", "<@7>", "1969 Q4", "\uff12\uff10\uff12\uff16 Q1"])
def test_what_is_no_season_is_refused_with_a_sentence(typed: str) -> None:
    with pytest.raises(Refusal, match="There is no such season. Seasons look like 2026 Q3; leave it out for all time."):
        parse_season(typed, find_first_second(20264))


@pytest.mark.parametrize(
    ("advice", "said"),
    [
        (LevelAdvice(3, 9, None), "Level 3 suits you: you should win most of your matches against it."),
        (
            LevelAdvice(2, 6, 3),
            "Level 2 suits you: you should win about half of your matches against it. Level 3 comes next.",
        ),
        (
            LevelAdvice(1, 3, None),
            "Level 1 suits you best, though you should win only some of your matches against it.",
        ),
    ],
)
def test_the_level_that_suits_is_told_without_figures_of_chances(advice: LevelAdvice, said: str) -> None:
    assert ranking_words.describe_suitable_level(advice) == said
    assert ranking_words.describe_suitable_level(advice, further=False) == said.removesuffix(" Level 3 comes next.")
    assert ranking_words.describe_losses(advice) == ""


@pytest.mark.parametrize(
    ("advice", "said"),
    [
        (
            LevelAdvice(3, 5, 4, 1.94, 1.42),
            "In reviewed matches you lost 1.9 points a move. Level 4 would have lost about 1.4 a move.",
        ),
        (
            LevelAdvice(5, 5, 6, 0.31, 0.0),
            "In reviewed matches you lost 0.3 points a move. Level 6 would have lost none.",
        ),
        (LevelAdvice(6, 5, None, 0.0, None), "In reviewed matches you lost no points."),
    ],
)
def test_what_moves_lost_is_told_beside_the_next_level(advice: LevelAdvice, said: str) -> None:
    assert ranking_words.describe_losses(advice) == said


def test_the_way_up_needs_no_match_against_the_computer() -> None:
    losses = {
        key: GameLosses(moves, moves * 0.75, moves * 1.5, 0.5)
        for key, moves in {"plexus": 40, "dream-math": 3, "binary-primes": 40}.items()
    }
    told = ranking_words.format_way_up(load_games(), (), losses, 2000).splitlines()
    assert told[0] == ranking_words.WAY_UP and len(told) == 2, "few moves, or products of scores, say nothing"
    assert told[1].startswith("**Plexus** · Level ") and "In reviewed matches you lost 0.8 points a move." in told[1]
