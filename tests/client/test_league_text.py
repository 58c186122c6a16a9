"""What is said of a league's end, whatever counts of it, and what is said of somebody to others."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.features.leagues import words as leagues_words
from bot.features.ranking import words as ranking_words
from bot.games.catalogue import load_games
from bot.play.ids import ChannelId, GuildId, LeagueId, MatchId, UserId
from bot.play.league_tables import League, LoadedLeague, Member, Pairing, build_tables

FOUR = tuple(UserId(number) for number in (1, 2, 3, 4))
LEAGUE = League(
    LeagueId(1), GuildId(1), ChannelId(1), FOUR[0], ("binary-primes",), "2", 4, 1, None, "finished", 1, 0, False, 0, 0,
    9, 9, None, None,
)  # fmt: skip
HEAD = "Season 1 of the Binary Primes league is over."


def pair(number: int, home: UserId, guest: UserId, state: str | None, *, division: int = 1) -> Pairing:
    """Two who met, or were to meet: `home` won a match that was finished."""
    ranks = (1, 2) if state == "finished" else None
    return Pairing(
        number, division, 1, home, guest, "binary-primes", match=MatchId(number) if state else None,
        void=state in (None, "live"), state=state, ranks=ranks, scores=ranks and (2, 1),
    )  # fmt: skip


def ended(*pairs: Pairing, struck: tuple[UserId, ...] = (), divisions: tuple[int, ...] = (1, 1, 1, 1)) -> str:
    """What is said of the end."""
    members = tuple(
        Member(user, at, division, at, struck=user in struck)
        for at, (user, division) in enumerate(zip(FOUR, divisions, strict=True), 1)
    )
    loaded = LoadedLeague(LEAGUE, members, pairs)
    return leagues_words.describe_winners(loaded, load_games(), build_tables(loaded))


ONE, TWO, THREE, LAST = FOUR


@pytest.mark.parametrize(
    ("pairs", "struck", "said"),
    [
        ((pair(1, ONE, TWO, "live"), pair(2, ONE, THREE, None)), (), "No match was finished, so nobody won."),
        ((pair(1, ONE, TWO, "aborted"), pair(2, ONE, THREE, "live")), (), "None of its matches counts, so nobody won."),
        ((pair(1, ONE, TWO, "finished"),), (ONE,), "None of its matches counts, so nobody won."),
    ],
)
def test_nobody_won_for_the_reason_that_is_said(
    pairs: tuple[Pairing, ...], struck: tuple[UserId, ...], said: str
) -> None:
    assert ended(*pairs, struck=struck) == f"{HEAD} {said}"


def test_who_won_another_division_is_told_though_nobody_won_the_first() -> None:
    told = ended(pair(1, ONE, TWO, "live"), pair(2, THREE, LAST, "finished", division=2), divisions=(1, 1, 2, 2))
    assert told == (
        f"{HEAD} Nobody won division 1, since none of its matches counts.\n"
        "<@3> won division 2 with 1 point from 1 match.\n"
        "One match wasn't finished in time and doesn't count."
    )


def test_the_week_says_of_a_league_that_is_over_who_won() -> None:
    members = tuple(Member(user, at, 1, at) for at, user in enumerate(FOUR, 1))
    off = LoadedLeague(LEAGUE, members, (pair(1, ONE, TWO, "aborted"),))
    assert (
        ranking_words.describe_league(off, build_tables(off), load_games())
        == f"{HEAD} None of its matches counts, so nobody won."
    )
    live = replace(off, league=replace(LEAGUE, state="live"))
    assert ranking_words.describe_league(live, build_tables(live), load_games()) == "", "nothing is known yet"
    won = replace(off, pairings=(pair(1, ONE, TWO, "finished"),))
    said = "🏆 <@1> wins season 1 of the Binary Primes league with 1 point from 1 match."
    assert ranking_words.describe_league(won, build_tables(won), load_games(), {ONE}) == said, (
        "also where the winner has left the server"
    )
    goes_on = replace(won, league=replace(LEAGUE, state="live"))
    told = ranking_words.describe_league(goes_on, build_tables(goes_on), load_games())
    assert told == "**Binary Primes league, season 1, after 1 match:** **1st** <@1>, 1 point"


def test_how_a_tie_was_decided_who_came_next_and_what_was_closed() -> None:
    tied = pair(1, TWO, ONE, "finished"), pair(2, ONE, THREE, "finished"), pair(3, TWO, LAST, "aborted")
    better = replace(tied[0], scores=(9, 2))
    head = "🏆 <@2> wins season 1 of the Binary Primes league with 1 point from 1 match"
    closed = "One match was closed without a result."
    assert ended(better, pair(2, THREE, LAST, "finished"), tied[2]) == (
        f"{head}. <@3> has 1 point too, but by a smaller margin.\n{closed}"
    )
    stronger = pair(2, ONE, THREE, "finished"), pair(3, ONE, LAST, "finished"), pair(4, THREE, LAST, "finished")
    assert ended(*stronger) == (
        "🏆 <@1> wins season 1 of the Binary Primes league with 2 points from 2 matches. <@3> came second with 1 point."
    )
    assert ended(pair(1, TWO, ONE, "finished"), *stronger[:1], pair(5, LAST, THREE, "aborted")) == (
        f"{head}. <@1> has 1 point too, but against weaker opponents.\n{closed}"
    )


def tell_of_forgotten(*pairs: Pairing, left: bool) -> str:
    """What is said of the end where the first and the last were forgotten, after it or having `left` before."""
    users = FORMER, TWO, THREE, OTHER
    members = tuple(
        Member(user, at, 1, at, left_at=5 if left and user < 0 else None) for at, user in enumerate(users, 1)
    )
    loaded = LoadedLeague(LEAGUE, members, pairs)
    return leagues_words.describe_winners(loaded, load_games(), build_tables(loaded))


FORMER, OTHER = UserId(-1), UserId(-2)


def test_who_was_forgotten_after_the_end_keeps_their_place() -> None:
    wins = "🏆 a former player wins season 1 of the Binary Primes league with"
    first = pair(1, FORMER, THREE, "finished"), pair(2, FORMER, TWO, "finished"), pair(3, THREE, TWO, "finished")
    assert tell_of_forgotten(*first, left=False) == f"{wins} 2 points from 2 matches. <@3> came second with 1 point."
    second = pair(1, THREE, FORMER, "finished"), pair(2, THREE, TWO, "finished"), pair(3, FORMER, TWO, "finished")
    assert tell_of_forgotten(*second, left=False).endswith(" a former player came second with 1 point.")
    shared = pair(1, TWO, THREE, "finished"), pair(2, FORMER, OTHER, "finished")
    assert tell_of_forgotten(*shared, left=False) == (
        "🏆 a former player and <@2> share first place in season 1 of the Binary Primes league with 1 point from "
        "1 match."
    )


def test_who_left_before_the_end_cannot_win() -> None:
    tied = pair(1, FORMER, THREE, "finished"), pair(2, THREE, TWO, "finished"), pair(3, TWO, OTHER, "finished")
    best = pair(4, FORMER, TWO, "finished")
    head = "🏆 <@3> wins season 1 of the Binary Primes league with 1 point from 2 matches."
    assert tell_of_forgotten(*tied[:2], left=True) == (
        f"{head} A former player had 1 point too but left, so they can't win."
    )
    assert tell_of_forgotten(*tied[:2], best, left=True) == (
        f"{head} A former player had 2 points but left, so they can't win."
    )
    assert tell_of_forgotten(*tied[:2], pair(5, OTHER, TWO, "finished"), left=True) == (
        f"{head} 2 former players had 1 point too but left, so they can't win."
    )
    behind = pair(1, THREE, TWO, "finished"), pair(2, TWO, OTHER, "finished"), pair(4, THREE, OTHER, "finished")
    assert "former" not in tell_of_forgotten(*behind, left=True), "who had fewer points is not told"
    second = pair(1, THREE, FORMER, "finished"), pair(2, THREE, TWO, "finished"), pair(3, FORMER, TWO, "finished")
    assert tell_of_forgotten(*second, left=True) == head.replace("1 point from", "2 points from")
    weaker = pair(1, THREE, TWO, "finished"), pair(2, TWO, FORMER, "finished"), pair(3, FORMER, OTHER, "finished")
    assert tell_of_forgotten(*weaker, left=True) == (
        "🏆 <@3> wins season 1 of the Binary Primes league with 1 point from 1 match. "
        "A former player had 1 point too but left, so they can't win. "
        "<@2> has 1 point too, but by a smaller margin."
    ), "though they were placed behind the winner"


def test_where_nobody_who_stayed_has_a_point_nobody_wins() -> None:
    best = pair(1, FORMER, TWO, "finished"), pair(2, FORMER, THREE, "finished")
    assert tell_of_forgotten(*best, left=True) == f"{HEAD} Nobody who stayed has a point, so nobody won."
    below = *best, pair(3, LAST, THREE, "finished", division=2)
    members = tuple(
        Member(user, at, division, at, left_at=5 if user < 0 else None)
        for at, (user, division) in enumerate(((FORMER, 1), (TWO, 1), (THREE, 2), (LAST, 2)), 1)
    )
    loaded = LoadedLeague(LEAGUE, members, below[::2])
    told = leagues_words.describe_winners(loaded, load_games(), build_tables(loaded))
    assert told == (
        f"{HEAD} Nobody won division 1, since nobody who stayed in it has a point.\n"
        "<@4> won division 2 with 1 point from 1 match."
    )
    assert leagues_words.list_winners(build_tables(loaded)) == {LAST}, "nor is their line of the crosstable gold"


def test_the_gold_of_the_crosstable_is_at_whoever_is_told_as_winner() -> None:
    for left, winner in ((True, THREE), (False, FORMER)):
        members = tuple(
            Member(user, at, 1, at, left_at=5 if left and user < 0 else None)
            for at, user in enumerate((FORMER, TWO, THREE), 1)
        )
        pairs = pair(1, FORMER, THREE, "finished"), pair(2, THREE, TWO, "finished"), pair(3, FORMER, TWO, "finished")
        assert leagues_words.list_winners(build_tables(LoadedLeague(LEAGUE, members, pairs))) == {winner}


def test_while_it_goes_on_a_match_that_was_closed_is_not_just_over() -> None:
    members = tuple(Member(user, at, 1, at) for at, user in enumerate(FOUR, 1))
    live = replace(LEAGUE, state="live")
    loaded = LoadedLeague(
        live, members, (pair(1, ONE, TWO, "aborted"), replace(pair(2, ONE, THREE, "live"), void=False))
    )
    said = leagues_words.format_heading(loaded, load_games(), build_tables(loaded))
    assert f"1 of 2 matches are over. One match was closed without a result. It ends <t:{live.ends}:R>." in said
