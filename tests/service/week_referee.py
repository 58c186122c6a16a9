"""What a week's post has to say, worked out from the rows of the records alone, naively and by code of its own.

It reads who sat where, which lines were written and when a match ended; scores, ranks, ratings, streaks and tables are
worked out anew, with the second referees of the games. Nothing that the program has counted is looked at.
"""

from __future__ import annotations

import json
import math
from collections import defaultdict
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from fractions import Fraction
from typing import Any, NamedTuple
from zoneinfo import ZoneInfo

from sqlalchemy import Connection, text

from tests.games.referees import combining_dividing, dream_math, palindromic_rows_columns

MATCHES = (
    "SELECT id, channel, game, options, seats, rated, ended, legs, substitutions FROM matches WHERE guild = :guild"
)
ORDER = " AND state = 'finished' ORDER BY ended, id"
WORDS = ("resign", "timeout", "takeback", "draw")
LOWEST, UNSCORED = "palindromic-rows-columns", "combining-dividing"
SETTLED, GAP = 5, 50


class Told(NamedTuple):
    """What is to be told: numbers and people, without words; in a post that was read people are names. People of a
    draw, and of a list, stand in any order."""

    matches: int
    closest: tuple[Any, ...] | None
    surprise: tuple[Any, Any, int] | None
    streak: tuple[frozenset[Any], int] | None
    solved: tuple[frozenset[Any], int, int] | None
    leagues: frozenset[tuple[Any, ...]]


@dataclass
class Played:
    """A match that is over: its people by seat, the lines of its record, and what they come to."""

    id: int
    channel: int
    game: str
    rated: bool
    ended: int
    legs: int
    handed: bool
    people: list[int]
    lines: list[tuple[int, str]]
    options: Mapping[str, Any]
    scores: list[list[int]] = field(default_factory=list[list[int]])
    """Of each leg, in the seats of the match."""
    ranks: list[int] = field(default_factory=list[int])

    def __post_init__(self) -> None:
        lines = stood(self.lines) if self.legs == 1 else self.lines
        left = [seat for seat, word in lines if word in ("resign", "timeout")]
        if self.legs == 2:
            boards = [referee(self.game, self.options, 2) for _ in (1, 2)]
            for seat, line in lines:
                leg, _, move = line.partition(": ")
                if line not in WORDS:
                    boards[int(leg) - 1].move(seat if leg == "1" else 3 - seat, move)
            self.scores = [[*boards[0].scores], [*boards[1].scores][::-1]]
            points = [sum(both) for both in zip(*self.scores, strict=True)]
            self.ranks = ranked(points, left, self.game == LOWEST)
        else:
            board = referee(self.game, self.options, len(self.people))
            for seat, line in lines:
                if line in ("resign", "timeout") and self.game == UNSCORED:
                    board.leave(seat)
                elif line != "draw":
                    board.move(line) if self.game == UNSCORED else board.move(seat, line)
            self.scores = [] if self.game == UNSCORED else [[*board.scores]]
            self.ranks = board.ranks or []
        if lines and lines[-1][1] == "draw":
            # All who stayed are first; the last to leave comes next.
            self.ranks = [
                len(self.people) - left.index(seat) if seat in left else 1 for seat in range(1, len(self.people) + 1)
            ]

    @property
    def points(self) -> list[int]:
        return [sum(legs) for legs in zip(*self.scores, strict=True)]

    @property
    def whole(self) -> bool:
        return not self.handed and not any(word in ("resign", "timeout", "draw") for _, word in self.lines)

    @property
    def counts(self) -> bool:
        moved = {seat for seat, line in self.lines if line not in WORDS}
        return self.rated and len(self.people) > 1 and len(moved) == len(self.people)

    @property
    def winners(self) -> list[int]:
        return [user for user, rank in zip(self.people, self.ranks, strict=True) if rank == 1]


def stood(lines: list[tuple[int, str]]) -> list[tuple[int, str]]:
    """The lines that no takeback undid."""
    kept = list[tuple[int, str]]()
    for seat, line in lines:
        if line == "takeback":
            while kept.pop()[0] != seat:
                pass
        else:
            kept.append((seat, line))
    return kept


def referee(game: str, options: Mapping[str, Any], seats: int) -> Any:
    """Who judges a game."""
    if game == UNSCORED:
        return combining_dividing.Referee(options["length"], options["largest"], options["limit"], seats)
    if game == LOWEST:
        return palindromic_rows_columns.Referee(options["size"])
    return dream_math.Referee(options["size"])


def ranked(points: list[int], left: list[int], lowest: bool) -> list[int]:
    """The ranks of two."""
    if left:
        return [2, 1] if left[0] == 1 else [1, 2]
    one, other = points[::-1] if lowest else points
    return [1, 1] if one == other else [1, 2] if one > other else [2, 1]


def rate(known: dict[int, tuple[float, float]], people: list[int], ranks: list[int]) -> None:
    """Plackett and Luce's model, as Weng and Lin update it: each place is a choice among those not yet placed."""
    old = [known.get(user, (25.0, 25 / 3)) for user in people]
    old = [(mu, math.sqrt(sigma**2 + (25 / 300) ** 2)) for mu, sigma in old]
    spread = math.sqrt(sum(sigma**2 + (25 / 6) ** 2 for _, sigma in old))
    strength = [math.exp(mu / spread) for mu, _ in old]
    for one, (user, (mu, sigma)) in enumerate(zip(people, old, strict=True)):
        gain = shrink = 0.0
        for chosen, rank in enumerate(ranks):
            if rank > ranks[one]:
                continue
            chance = strength[one] / sum(much for much, at in zip(strength, ranks, strict=True) if at >= rank)
            gain += ((chosen == one) - chance) / ranks.count(rank)
            shrink += chance * (1 - chance) / ranks.count(rank)
        left = max(1 - sigma / spread * sigma**2 / spread**2 * shrink, 0.0001)
        known[user] = mu + gain * sigma**2 / spread, sigma * math.sqrt(left)


def shown(rating: tuple[float, float]) -> int:
    """A rating as people see it."""
    return round(1500 + 30 * (rating[0] - 3 * rating[1]))


def records(connection: Connection, guild: int) -> list[Played]:
    """All matches of people that are over in a server, in the order in which they ended."""
    seats, lines = defaultdict[int, list[int]](list), defaultdict[int, list[tuple[int, str]]](list)
    for match, user in connection.execute(text('SELECT match, "user" FROM players ORDER BY match, seat')):
        seats[match].append(user)
    for match, seat, line in connection.execute(text("SELECT match, seat, text FROM moves ORDER BY match, ply")):
        lines[match].append((seat, line))
    found = list[Played]()
    for match, channel, game, options, number, rated, ended, legs, handed in connection.execute(
        text(MATCHES + ORDER), {"guild": guild}
    ):
        if number > 1 and not any(0 < user < 100 for user in seats[match]):  # the numbers of computers
            given = json.loads(options) if isinstance(options, str) else options
            found.append(
                Played(
                    match,
                    channel,
                    game,
                    bool(rated),
                    ended,
                    legs,
                    handed is not None,
                    seats[match],
                    lines[match],
                    given,
                )
            )
    return found


def expected(
    connection: Connection, guild: int, zone: str, monday: int, seen: Collection[int], gone: Collection[int]
) -> Told:
    """All that the post of a Monday has to say in a place from which some channels are seen."""
    local = datetime.fromordinal(monday).replace(tzinfo=ZoneInfo(zone))
    since, until = (int(day.timestamp()) for day in (local - timedelta(days=7), local))
    every = [one for one in records(connection, guild) if one.channel in seen and one.ended < until]
    week = [one for one in every if one.ended >= since]
    return Told(
        len(week),
        closest(week),
        surprise(every, since),
        streak(every, since, gone),
        solved(connection, guild, monday, gone),
        frozenset(leagues(connection, guild, since, until, seen, gone)),
    )


def closest(week: list[Played]) -> tuple[Any, ...] | None:
    """The match of two, of several, that was decided by least, by the share of all points: who, whether they drew,
    and the scores of the match and of its legs, the winner's first."""
    best: tuple[Fraction, tuple[Any, ...]] | None = None
    compared = 0
    for one in week:
        if not one.whole or len(one.people) != 2 or not one.scores or not any(one.points):
            continue
        compared += 1
        gap = Fraction(abs(one.points[0] - one.points[1]), sum(one.points))
        if best is None or gap < best[0]:
            order = [0, 1] if one.ranks[0] <= one.ranks[1] else [1, 0]
            people = [one.people[at] for at in order]
            legs = [tuple(leg[at] for at in order) for leg in one.scores] if one.legs == 2 else []
            best = gap, (*people, one.ranks == [1, 1], tuple(one.points[at] for at in order), *legs)
    return best[1] if best and compared > 1 else None


def surprise(every: list[Played], since: int) -> tuple[int, int, int] | None:
    """Who beat whom though they were rated so much lower, of people with five rated matches behind them."""
    known, played = dict[int, tuple[float, float]](), defaultdict[int, int](int)
    best: tuple[int, int, int] | None = None
    for one in every:
        if not one.counts:
            continue
        settled = len(one.people) == 2 and all(played[user] >= SETTLED for user in one.people)
        if one.ended >= since and one.whole and settled and len(one.winners) == 1:
            (winner,) = one.winners
            (loser,) = [user for user in one.people if user != winner]
            ahead = shown(known[loser]) - shown(known[winner])
            if ahead >= GAP and (best is None or ahead > best[2]):
                best = winner, loser, ahead
        rate(known, one.people, one.ranks)
        for user in one.people:
            played[user] += 1
    return best


def streak(every: list[Played], since: int, gone: Collection[int]) -> tuple[frozenset[int], int] | None:
    """Whose last rated matches were won one after another, the last of them this week."""
    runs: dict[int, int] = {}
    for user in {user for one in every for user in one.people if user > 0 and user not in gone}:
        theirs = [one for one in every if one.counts and user in one.people]
        won = [one.winners == [user] for one in theirs]
        if theirs and theirs[-1].ended >= since:
            runs[user] = len(won) if all(won) else won[::-1].index(False)
    most = max(runs.values(), default=0)
    return (frozenset(user for user, run in runs.items() if run == most), most) if most > 1 else None


def solved(
    connection: Connection, guild: int, monday: int, gone: Collection[int]
) -> tuple[frozenset[int], int, int] | None:
    """Who solved the most puzzles of the week, in the fewest tries."""
    rows = connection.execute(
        text('SELECT "user", day, number FROM puzzle_attempts WHERE guild = :guild AND solved'), {"guild": guild}
    )
    found = defaultdict[int, list[int]](list)
    for user, day, number in rows:
        if monday - 7 <= day < monday and user > 0 and user not in gone:
            found[user].append(number)
    best = max(((len(tries), -sum(tries)) for tries in found.values()), default=None)
    users = frozenset(user for user, tries in found.items() if (len(tries), -sum(tries)) == best)
    return (users, best[0], -best[1]) if best else None


def leagues(
    connection: Connection, guild: int, since: int, until: int, seen: Collection[int], gone: Collection[int]
) -> list[tuple[Any, ...]]:
    """Of each league that goes on or ended in the week: its season and whether it is over; while it goes on how many
    matches of the first division count, and its first places with their points in halves; when it is over who is first
    in which division, with how many halves from how many matches, and how many matches came too late."""
    played = {one.id: one for one in records(connection, guild)}
    told = list[tuple[Any, ...]]()
    for league, channel, state, ended, season in connection.execute(
        text("SELECT id, channel, state, ended, season FROM leagues WHERE guild = :guild"), {"guild": guild}
    ).all():
        over = state == "finished"
        if channel not in seen or (state != "live" and not (over and since <= ended < until)):
            continue
        members = connection.execute(
            text('SELECT "user", division, left_at FROM league_members WHERE league = :league AND NOT struck'),
            {"league": league},
        ).all()
        pairs = connection.execute(
            text("SELECT home, guest, match, void FROM pairings WHERE league = :league"), {"league": league}
        ).all()
        left = {user for user, _, moment in members if moment is not None}
        won = set[tuple[int, int, int, int]]()
        for division in sorted({division or 1 for _, division, _ in members}):
            people = [user for user, its, _ in members if (its or 1) == division]
            counted = [
                (home, guest, played[match])
                for home, guest, match, void in pairs
                if match in played and not void and {home, guest} <= {*people}
            ]
            lines = placed(people, counted)
            if over:
                # Who left before the end cannot win, nor can anybody without a point.
                here = {user: merit for user, merit in lines.items() if user not in left}
                won |= {
                    (division, user, lines[user][0], sum(user in pair[:2] for pair in counted))
                    for user in here
                    if lines[user] == max(here.values()) and lines[user][0]
                }
            elif division == 1 and (first := leaders(lines, counted, left | {*gone})):
                told.append((season, False, len(counted), first))
        if over:
            void = sum(bool(void) and {home, guest} <= {user for user, *_ in members} for home, guest, _, void in pairs)
            told.append((season, True, frozenset(won), void))
    return told


def leaders(
    lines: Mapping[int, tuple[int, int, int]], counted: list[tuple[int, int, Played]], gone: Collection[int]
) -> frozenset[tuple[int, int, int]]:
    """The first three places among those who are there, with their points, of people who have a result."""
    merits = [merit for user, merit in lines.items() if user not in gone]
    return frozenset(
        (place, user, lines[user][0])
        for user in lines
        if user not in gone and any(user in pair[:2] for pair in counted)
        if (place := 1 + sum(better > lines[user] for better in merits)) <= 3
    )


def placed(people: list[int], counted: list[tuple[int, int, Played]]) -> dict[int, tuple[int, int, int]]:
    """Everybody's points in halves, Sonneborn and Berger's number in quarters, and margin."""
    halves, margins = dict.fromkeys(people, 0), dict.fromkeys(people, 0)
    got = dict[tuple[int, int], int]()
    for home, guest, one in counted:
        ranks = {one.people[at]: one.ranks[at] for at in (0, 1)}
        for user, other in ((home, guest), (guest, home)):
            got[user, other] = 1 if ranks[user] == ranks[other] else 2 if ranks[user] < ranks[other] else 0
            halves[user] += got[user, other]
            ahead = one.points[one.people.index(user)] - one.points[one.people.index(other)]
            ahead = -ahead if one.game == LOWEST else ahead
            # Who has won by leaving behind somebody who resigned gains no margin by being behind on points.
            margins[user] += max(ahead, 0) if got[user, other] == 2 else min(ahead, 0) if not got[user, other] else 0
    return {
        user: (
            halves[user],
            sum(gain * halves[other] for (one, other), gain in got.items() if one == user),
            margins[user],
        )
        for user in people
    }
