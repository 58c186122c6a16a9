"""The rules of leagues beside tables made by hand: ten people, one leaves, one is away, and not all is played."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from bot.play import league_tables
from bot.play.ids import ChannelId, GuildId, LeagueId, MatchId, UserId
from bot.play.league_tables import DivisionTable, League, LoadedLeague, Member, Pairing, build_tables

TEN = tuple(UserId(100 + number) for number in range(1, 11))
LEAGUE = League(
    LeagueId(1), GuildId(1), ChannelId(1), TEN[0], ("plexus",), "2", 4, 1, None, "live", 1, 0, False, 0, 0, 9, None,
    None, None,
)  # fmt: skip

CROSSTABLE = """
    1 2 3 4 5 6 7 8 9 10
1   x 1 = 1 1 0 1 1 . 1
2   0 x 1 = 1 1 1 1 . 1
3   = 0 x 1 1 1 0 1 . 0
4   0 = 0 x 1 1 1 = . 1
5   0 0 0 0 x 1 1 1 . .
6   1 0 0 0 0 x = 1 . .
7   0 0 1 0 0 = x 1 . .
8   0 0 0 = 0 0 0 x . .
9   . . . . . . . . x .
10  0 0 1 0 . . . . . x
"""
"""Made by hand: number 9 left after one of nine matches; number 10 was away, and five matches were not over in time."""
BY_HAND = {
    # points in halves, won, drawn, lost, Sonneborn and Berger's number in quarters
    1: (13, 6, 1, 1), 2: (13, 6, 1, 1), 3: (9, 4, 1, 3), 4: (10, 4, 2, 2), 5: (6, 3, 0, 4),
    6: (5, 2, 1, 4), 7: (5, 2, 1, 4), 8: (1, 0, 1, 6), 10: (2, 1, 0, 3),
}  # fmt: skip


def played() -> LoadedLeague:
    """The league of that table."""
    rows = [line.split()[1:] for line in CROSSTABLE.strip().splitlines()[1:]]
    pairings: list[Pairing] = []
    for one in league_tables.draw_pairings([TEN], ["plexus"], ()):
        home, guest = TEN.index(one.home), TEN.index(one.guest)
        sign = rows[home][guest]
        if {home, guest} == {8, 0}:
            sign = "0" if home == 0 else "1"  # the one match of number 9, who won it and left
        ranks = {"1": (1, 2), "0": (2, 1), "=": (1, 1)}.get(sign)
        state = "finished" if ranks else "live" if 9 in (home, guest) else None
        match = MatchId(one.number) if state else None
        pairings.append(replace(one, match=match, state=state, ranks=ranks, scores=(3, 1) if ranks else None))
    members = tuple(Member(user, at, 1, at, 5 if at == 9 else None, at == 9) for at, user in enumerate(TEN, 1))
    return LoadedLeague(LEAGUE, members, tuple(pairings))


def test_the_crosstable_is_that_made_by_hand() -> None:
    (table,) = build_tables(played())
    assert {TEN.index(line.user) + 1: (line.halves, line.won, line.drawn, line.lost) for line in table.lines} == BY_HAND
    assert table.struck == (TEN[8],) and table.winners == (TEN[0],)
    berger = {TEN.index(line.user) + 1: line.berger / 4 for line in table.lines}
    # By hand: 2 beat 3 (4.5), 5 (3), 6 (2.5), 7 (2.5), 8 (.5) and 10 (1), and drew with 4 (5): 14 + 2.5. 1 lost to 6,
    # beat 2 (6.5), 4 (5), 5 (3), 7 (2.5), 8 (.5) and 10 (1), and drew with 3 (4.5): 18.5 + 2.25.
    assert berger[2] == 16.5 and berger[1] == 20.75 and [line.place for line in table.lines[:2]] == [1, 2]


def test_places_are_shared_only_where_nothing_tells_people_apart() -> None:
    (table,) = build_tables(played())
    assert [line.place for line in table.lines] == [*range(1, 10)]
    (empty,) = build_tables(replace(played(), pairings=()))
    assert {line.place for line in empty.lines} == {1} and empty.winners == ()


def equal(first: tuple[int, int], second: tuple[int, int], lowest: bool = False) -> DivisionTable:
    """Two people who beat a third each, with some scores."""
    pairs = [(TEN[0], TEN[2], first), (TEN[1], TEN[2], second)]
    drawn = tuple(
        Pairing(at, 1, 1, home, guest, "plexus", 1, MatchId(at), False, "finished", (1, 2), scores)
        for at, (home, guest, scores) in enumerate(pairs, 1)
    )
    members = tuple(Member(user, at, 1, at) for at, user in enumerate(TEN[:3], 1))
    (table,) = build_tables(LoadedLeague(LEAGUE, members, drawn), ["plexus"] if lowest else [])
    return table


def test_margins_break_ties_also_where_the_lowest_score_wins() -> None:
    assert equal((5, 3), (9, 3)).winners == (TEN[1],)
    assert equal((3, 5), (3, 9), lowest=True).winners == (TEN[1],)
    assert equal((5, 3), (5, 3)).winners == (TEN[0], TEN[1])
    # Who wins by the other's leaving is not ahead by what the scores were then.
    assert equal((1, 9), (4, 3)).winners == (TEN[1],)


def test_everybody_meets_everybody_once_and_seats_alternate() -> None:
    for number in range(league_tables.FEWEST, league_tables.MOST + 1):
        drawn = league_tables.draw_pairings([TEN[:number]], ["a", "b"], ["b"])
        assert len({frozenset((one.home, one.guest)) for one in drawn}) == len(drawn) == number * (number - 1) // 2
        first = Counter(one.home for one in drawn)
        assert max(first.values()) - min(first[user] for user in TEN[:number]) <= 1
        assert {(one.round % 2, one.game, one.legs) for one in drawn} == {(1, "a", 1), (0, "b", 2)}


def test_nobody_has_more_than_three_open_matches_and_all_are_played() -> None:
    loaded = replace(played(), pairings=league_tables.draw_pairings([TEN], ["plexus"], ()))
    loaded = replace(loaded, members=tuple(replace(one, left_at=None, struck=False) for one in loaded.members))
    seen = 0
    while not league_tables.is_over(loaded):
        begin = {one.number for one in league_tables.choose_starting_pairings(loaded, 100)}
        now = [replace(one, state="live", match=MatchId(1)) if one.number in begin else one for one in loaded.pairings]
        live = Counter(user for one in now if one.state == "live" for user in (one.home, one.guest))
        assert max(live.values()) <= league_tables.AT_ONCE
        seen += len(begin)
        ends = next(at for at, one in enumerate(now) if one.state == "live")
        now[ends] = replace(now[ends], state="finished", ranks=(1, 2))
        loaded = replace(loaded, pairings=tuple(now))
    assert seen == 45


def test_who_leaves_is_struck_out_before_half_and_plays_no_more() -> None:
    loaded = played()
    assert (
        league_tables.strikes_out(loaded, TEN[8])
        and not league_tables.strikes_out(loaded, TEN[4])
        and league_tables.strikes_out(loaded, TEN[9])
    )
    gone = replace(loaded, members=tuple(replace(one, left_at=5) for one in loaded.members))
    assert league_tables.list_waiting_pairings(gone) == ()


def test_divisions_begin_with_eleven_and_change_two_people() -> None:
    many = [UserId(number) for number in range(1, 12)]
    assert [len(one) for one in league_tables.split_into_divisions(many)] == [6, 5]
    ratings = {UserId(11): 9.0, UserId(3): 1.0}
    assert league_tables.seed_players(many, [], ratings)[:3] == [11, 3, 1]
    before = [many[:6], many[6:]]
    again = league_tables.seed_players([*many[1:], UserId(50)], before, {UserId(50): 99.0})
    assert again == [2, 3, 4, 7, 8, 5, 6, 9, 10, 11, 50]
