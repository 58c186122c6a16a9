"""Counts the tables of a league from the results of its matches alone.

A win is a point, a draw half of one. Those with as many points stand in the order of Sonneborn and Berger (the points
of those whom they have beaten, and half of those with whom they drew), then of their margins, then share a place. The
results of a member who was struck out do not count.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from bot.core.league.stored_league import Loaded, Pairing
from bot.core.values.ids import UserId


@dataclass(frozen=True, slots=True)
class Line:
    """A member's row of a table: place, results, points in halves, the Sonneborn-Berger score in quarters, and the sum
    of the margins of their wins and losses."""

    user: UserId
    place: int
    won: int
    drawn: int
    lost: int
    berger: int
    margin: int
    left: bool

    @property
    def halves(self) -> int:
        """The points, in halves."""
        return 2 * self.won + self.drawn

    @property
    def played(self) -> int:
        """How many matches count."""
        return self.won + self.drawn + self.lost


@dataclass(frozen=True, slots=True)
class Table:
    """The table of a division: lines from the first place on, and who was struck out."""

    division: int
    lines: tuple[Line, ...]
    struck: tuple[UserId, ...] = ()

    @property
    def winners(self) -> tuple[UserId, ...]:
        """The users in the first place; several where they are tied, none where nothing was played."""
        return tuple(one.user for one in self.lines if one.place == 1 and one.played)


def tables(loaded: Loaded, lowest: Collection[str] = ()) -> tuple[Table, ...]:
    """The table of each division. `lowest`: the games in which the lowest score is the best."""
    return tuple(_table(loaded, division, lowest) for division in sorted({one.division or 1 for one in loaded.members}))


def _table(loaded: Loaded, division: int, lowest: Collection[str]) -> Table:
    members = [one for one in loaded.members if (one.division or 1) == division]
    struck = tuple(one.user for one in members if one.struck)
    counted = [
        one
        for one in loaded.pairings
        if one.division == division and one.counts and not {one.home, one.guest} & {*struck}
    ]
    halves = {one.user: sum(gained(pair, one.user) for pair in counted if pair.has(one.user)) for one in members}
    lines: list[Line] = []
    for one in members:
        theirs = [pair for pair in counted if pair.has(one.user)]
        got = [gained(pair, one.user) for pair in theirs]
        berger = sum(gain * halves[other(pair, one.user)] for gain, pair in zip(got, theirs, strict=True))
        ahead = sum(margin(pair, one.user, lowest) for pair in theirs)
        if one.user not in struck:
            lines.append(
                Line(one.user, 0, got.count(2), got.count(1), got.count(0), berger, ahead, one.left_at is not None)
            )
    return Table(division, _placed(lines), struck)


def _placed(lines: Sequence[Line]) -> tuple[Line, ...]:
    ordered = sorted(lines, key=_merit, reverse=True)
    places = [1 + sum(_merit(better) > _merit(one) for better in ordered) for one in ordered]
    return tuple(
        Line(one.user, place, one.won, one.drawn, one.lost, one.berger, one.margin, one.left)
        for one, place in zip(ordered, places, strict=True)
    )


def _merit(line: Line) -> tuple[int, int, int]:
    return line.halves, line.berger, line.margin


def other(pairing: Pairing, user: UserId) -> UserId:
    """The opponent of one of the two."""
    return pairing.guest if pairing.home == user else pairing.home


def gained(pairing: Pairing, user: UserId) -> int:
    """A user's points from a match that counts, in halves of a point: 2, 1 or 0."""
    home, guest = pairing.ranks or (1, 1)
    mine, theirs = (home, guest) if pairing.home == user else (guest, home)
    return 2 if mine < theirs else 1 if mine == theirs else 0


def margin(pairing: Pairing, user: UserId, lowest: Collection[str]) -> int:
    """The margin by which a user won a match, negative if they lost; 0 where the score did not decide."""
    gain = gained(pairing, user)
    if pairing.scores is None or gain == 1:
        return 0
    home, guest = pairing.scores
    ahead = (home - guest) * (1 if pairing.home == user else -1) * (-1 if pairing.game in lowest else 1)
    return max(ahead, 0) if gain == 2 else min(ahead, 0)
