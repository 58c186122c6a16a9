"""What is said of a league's end, whatever counts of it, and what is said of somebody to others."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.features.leagues import words as leagues_words
from bot.features.ranking import words as ranking_words
from bot.games.catalogue import load_games
from bot.play.ids import ChannelId, GuildId, LeagueId, MatchId, MessageId, UserId
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
        (
            (pair(1, ONE, TWO, "live"), pair(2, ONE, THREE, None)),
            (),
            "No match was finished, so nobody won.\n2 matches weren't finished in time and don't count.",
        ),
        (
            (pair(1, ONE, TWO, "aborted"), pair(2, ONE, THREE, "live")),
            (),
            "None of its matches counts, so nobody won.\nOne match wasn't finished in time and doesn't count.\n"
            "One match ended without a result.",
        ),
        (
            (pair(1, ONE, TWO, "finished"),),
            (ONE,),
            "None of its matches counts, so nobody won.\n"
            "<@1> left before half of their matches were over, so their match against <@2> doesn't count.",
        ),
        (
            (pair(1, ONE, TWO, "finished"), pair(2, THREE, ONE, "live"), pair(3, ONE, LAST, None)),
            (ONE,),
            "None of its matches counts, so nobody won.\n"
            "<@1> left before half of their matches were over, so their matches against <@2> and <@3> don't count.",
        ),
        ((), (ONE,), "No match was finished, so nobody won.\n<@1> left before any of their matches had begun."),
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
        == f"{HEAD} None of its matches counts, so nobody won.\nOne match ended without a result."
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
    closed = "One match ended without a result."
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


def build_league(*pairs: Pairing, left: str = "league", users: tuple[UserId, ...] = ()) -> LoadedLeague:
    """A league whose first and last member were forgotten, after its end or having left it before, or who `left` by
    themselves or with the server."""
    users = users or (FORMER, TWO, THREE, OTHER)
    members = tuple(
        Member(user, at, 1, at, left_at=5 if left and at in (1, 4) else None, gone=5 if left == "server" else None)
        for at, user in enumerate(users, 1)
    )
    return LoadedLeague(LEAGUE, members, pairs)


def tell_of_forgotten(*pairs: Pairing, left: bool) -> str:
    """What is said of the end where the first and the last were forgotten, after it or having `left` before."""
    loaded = build_league(*pairs, left="league" if left else "")
    return leagues_words.describe_winners(loaded, load_games(), build_tables(loaded))


FORMER, OTHER = UserId(-1), UserId(-2)


@pytest.mark.parametrize("left", ["league", "server"])
def test_who_left_is_named_in_the_same_words_whichever_way_they_left(left: str) -> None:
    ahead = pair(1, ONE, THREE, "finished"), pair(2, ONE, TWO, "finished"), pair(3, THREE, TWO, "finished")
    loaded = build_league(*ahead, left=left, users=FOUR)
    tables = build_tables(loaded)
    assert leagues_words.describe_winners(loaded, load_games(), tables) == (
        "🏆 <@3> wins season 1 of the Binary Primes league with 1 point from 2 matches. "
        "<@1> had 2 points but left, so can't win."
    )
    assert tables[0].winners == (THREE,) and [line.user for line in tables[0].lines] == [THREE, TWO, ONE, LAST]
    what = {"league": "left the league", "server": "left this server"}[left]
    shown = leagues_words.describe_table(loaded, tables[0], 1).splitlines()
    assert shown[1:] == [
        "**1** <@3> · 1 of 2", "**2** <@2> · 0 of 2", f"**3** <@1> · 2 of 2 · {what}", f"**4** <@4> · 0 of 0 · {what}"
    ]  # fmt: skip
    both = pair(1, ONE, THREE, "finished"), pair(2, LAST, TWO, "finished"), pair(3, THREE, TWO, "finished")
    loaded = build_league(*both, left=left, users=FOUR)
    assert leagues_words.describe_winners(loaded, load_games(), build_tables(loaded)).endswith(
        " <@1> and <@4> had 1 point too but left, so can't win."
    )
    late = pair(1, ONE, TWO, "finished"), pair(2, ONE, THREE, "finished"), pair(3, TWO, THREE, "live")
    loaded = build_league(*late, left=left, users=FOUR)
    assert leagues_words.describe_winners(loaded, load_games(), build_tables(loaded)) == (
        f"{HEAD} Nobody who stayed has a point, so nobody won. <@1> had 2 points, but left.\n"
        "One match wasn't finished in time and doesn't count."
    )
    over = replace(loaded, league=replace(LEAGUE, farewell=MessageId(7)))
    assert "It's over: [how it ended](" in leagues_words.format_heading(over, load_games(), build_tables(over))


def test_the_table_lists_the_matches_of_those_who_left_and_why_they_do_not_count() -> None:
    going = replace(pair(1, ONE, TWO, "live"), void=False, place=ChannelId(11))
    other = replace(pair(2, TWO, THREE, "live"), void=False, place=ChannelId(12))
    live = replace(LEAGUE, state="live")
    loaded = build_league(going, other, users=FOUR)
    (table,) = build_tables(replace(loaded, league=live))
    shown = leagues_words.describe_table(loaded, table, 1)
    assert "-# Being played: [<@1> – <@2>](https://discord.com/channels/1/11) · [<@2> – <@3>](" in shown
    loaded = replace(loaded, members=(replace(loaded.members[0], struck=True, gone=5), *loaded.members[1:]))
    (table,) = build_tables(replace(loaded, league=live))
    assert leagues_words.describe_table(loaded, table, 1).splitlines()[-3:] == [
        "-# <@1> left before half of their matches were over, so their match against <@2> doesn't count.",
        "-# Being played: [<@2> – <@3>](https://discord.com/channels/1/12)",
        "-# Being played, though it doesn't count any more: [<@1> – <@2>](https://discord.com/channels/1/11)",
    ]


def test_whoever_leaves_reads_what_becomes_of_their_results() -> None:
    loaded = replace(
        build_league(pair(1, ONE, TWO, "finished"), left="", users=FOUR), league=replace(LEAGUE, state="live")
    )
    theirs = leagues_words.format_leave_question(loaded, load_games(), ONE)
    assert (
        "You can't come back, and you can't win any more. Your open matches go on. "
        "At least half of your matches are over, so your results stay.\n"
    ) in theirs
    assert "At least half of their matches are over, so their results stay.\n" in (
        leagues_words.format_remove_question(loaded, load_games(), ONE)
    )


def test_one_point_is_not_one_points() -> None:
    loaded = build_league(pair(1, TWO, THREE, "finished"), users=FOUR)
    (table,) = build_tables(loaded)
    assert leagues_words.draw_crosstable(loaded, table).alt.startswith(
        "The crosstable of division 1. Number 1 has 1 point. Number 2 has 0 points."
    )


def test_who_was_forgotten_after_the_end_keeps_their_place() -> None:
    wins = "🏆 a former player wins season 1 of the Binary Primes league with"
    first = pair(1, FORMER, THREE, "finished"), pair(2, FORMER, TWO, "finished"), pair(3, THREE, TWO, "finished")
    assert tell_of_forgotten(*first, left=False) == f"{wins} 2 points from 2 matches. <@3> came second with 1 point."
    second = pair(1, THREE, FORMER, "finished"), pair(2, THREE, TWO, "finished"), pair(3, FORMER, TWO, "finished")
    assert tell_of_forgotten(*second, left=False).endswith(" a former player came second with 1 point.")
    shared = pair(1, TWO, THREE, "finished"), pair(2, FORMER, OTHER, "finished")
    assert tell_of_forgotten(*shared, left=False) == (
        "🏆 <@2> and a former player share first place in season 1 of the Binary Primes league with 1 point from "
        "1 match."
    )


def test_who_left_before_the_end_cannot_win() -> None:
    tied = pair(1, FORMER, THREE, "finished"), pair(2, THREE, TWO, "finished"), pair(3, TWO, OTHER, "finished")
    best = pair(4, FORMER, TWO, "finished")
    head = "🏆 <@3> wins season 1 of the Binary Primes league with 1 point from 2 matches."
    assert tell_of_forgotten(*tied[:2], left=True) == (
        f"{head} a former player had 1 point too but left, so can't win."
    )
    assert tell_of_forgotten(*tied[:2], best, left=True) == (
        f"{head} a former player had 2 points but left, so can't win."
    )
    assert tell_of_forgotten(*tied[:2], pair(5, OTHER, TWO, "finished"), left=True) == (
        f"{head} 2 former players had 1 point too but left, so can't win."
    )
    behind = pair(1, THREE, TWO, "finished"), pair(2, TWO, OTHER, "finished"), pair(4, THREE, OTHER, "finished")
    assert "former" not in tell_of_forgotten(*behind, left=True), "who had fewer points is not told"
    second = pair(1, THREE, FORMER, "finished"), pair(2, THREE, TWO, "finished"), pair(3, FORMER, TWO, "finished")
    assert tell_of_forgotten(*second, left=True) == head.replace("1 point from", "2 points from")
    weaker = pair(1, THREE, TWO, "finished"), pair(2, TWO, FORMER, "finished"), pair(3, FORMER, OTHER, "finished")
    assert tell_of_forgotten(*weaker, left=True) == (
        "🏆 <@3> wins season 1 of the Binary Primes league with 1 point from 1 match. "
        "a former player had 1 point too but left, so can't win. "
        "<@2> has 1 point too, but by a smaller margin."
    ), "though they were placed behind the winner"


def test_where_nobody_who_stayed_has_a_point_nobody_wins() -> None:
    best = pair(1, FORMER, TWO, "finished"), pair(2, FORMER, THREE, "finished")
    assert tell_of_forgotten(*best, left=True) == (
        f"{HEAD} Nobody who stayed has a point, so nobody won. a former player had 2 points, but left."
    )
    below = *best, pair(3, LAST, THREE, "finished", division=2)
    members = tuple(
        Member(user, at, division, at, left_at=5 if user < 0 else None)
        for at, (user, division) in enumerate(((FORMER, 1), (TWO, 1), (THREE, 2), (LAST, 2)), 1)
    )
    loaded = LoadedLeague(LEAGUE, members, below[::2])
    told = leagues_words.describe_winners(loaded, load_games(), build_tables(loaded))
    assert told == (
        f"{HEAD} Nobody won division 1, since nobody who stayed in it has a point. "
        "a former player had 1 point, but left.\n"
        "<@4> won division 2 with 1 point from 1 match."
    )
    assert [table.winners for table in build_tables(loaded)] == [(), (LAST,)], "nor is their line gold"


def test_the_gold_of_the_crosstable_is_at_whoever_is_told_as_winner() -> None:
    for left, winner in ((True, THREE), (False, FORMER)):
        members = tuple(
            Member(user, at, 1, at, left_at=5 if left and user < 0 else None)
            for at, user in enumerate((FORMER, TWO, THREE), 1)
        )
        pairs = pair(1, FORMER, THREE, "finished"), pair(2, THREE, TWO, "finished"), pair(3, FORMER, TWO, "finished")
        assert build_tables(LoadedLeague(LEAGUE, members, pairs))[0].winners == (winner,)


def test_while_it_goes_on_a_match_that_was_closed_is_not_just_over() -> None:
    members = tuple(Member(user, at, 1, at) for at, user in enumerate(FOUR, 1))
    live = replace(LEAGUE, state="live")
    loaded = LoadedLeague(
        live, members, (pair(1, ONE, TWO, "aborted"), replace(pair(2, ONE, THREE, "live"), void=False))
    )
    said = leagues_words.format_heading(loaded, load_games(), build_tables(loaded))
    assert f"1 of 2 matches are over. One match ended without a result. It ends <t:{live.ends}:R>." in said
    more = replace(loaded, pairings=(*loaded.pairings, replace(pair(3, ONE, LAST, None), void=False)))
    said = leagues_words.format_heading(more, load_games(), build_tables(more))
    assert "1 of 3 matches are over. One hasn't begun yet. One match ended without a result." in said
