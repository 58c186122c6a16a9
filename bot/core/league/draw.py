"""Draws a league: divisions, Berger's tables, and which matches begin next.

>>> [" ".join(f"{home}-{guest}" for home, guest in pairs) for pairs in berger(6)]
['1-6 2-5 3-4', '6-4 5-3 1-2', '2-6 3-1 4-5', '6-5 1-4 2-3', '3-6 4-2 5-1']
>>> [" ".join(f"{home}-{guest}" for home, guest in pairs) for pairs in berger(3)]
['2-3', '1-2', '3-1']
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import TypeVar

from bot.core.league.stored_league import Loaded, Pairing
from bot.core.values.ids import UserId

FEWEST, MOST = 3, 10
"""People in a division."""
MOST_DIVISIONS = 4
CHANGE_PLACES = 2
"""How many members of a division are promoted for the next season, and how many are relegated."""
AT_ONCE = 3
"""The most unfinished matches that a member has in a league at a time."""

One = TypeVar("One")


def berger(people: int) -> list[list[tuple[int, int]]]:
    """The rounds of a tournament in which all meet once, as pairs of numbers from 1; the first of a pair begins. Seats
    alternate as evenly as can be. Of an odd number one rests in each round."""
    even = people + people % 2
    circle = even - 1
    rounds: list[list[tuple[int, int]]] = []
    for number in range(circle):
        first = number * (even // 2) % circle
        pairs = [(even, first + 1) if number % 2 else (first + 1, even)]
        pairs += [((first + step) % circle + 1, (first - step) % circle + 1) for step in range(1, even // 2)]
        rounds.append([pair for pair in pairs if max(pair) <= people])
    return rounds


def divided(people: Sequence[One]) -> list[Sequence[One]]:
    """People, the strongest first, in divisions as even as can be.

    >>> [len(one) for one in divided(range(10))], [len(one) for one in divided(range(23))]
    ([10], [8, 8, 7])
    """
    number = max(1, -(-len(people) // MOST))
    least, more = divmod(len(people), number)
    starts = [place * least + min(place, more) for place in range(number + 1)]
    return [people[start:end] for start, end in zip(starts, starts[1:], strict=False)]


def promoted(tables: Sequence[Sequence[One]]) -> list[One]:
    """In which order the people of a season begin the next: two of each division have gone up, and two down.

    >>> promoted(["abcde", "fghij"])
    ['a', 'b', 'c', 'f', 'g', 'd', 'e', 'h', 'i', 'j']
    """
    order = [one for table in tables for one in table]
    border = 0
    for above, below in zip(tables, tables[1:], strict=False):
        border += len(above)
        change = min(CHANGE_PLACES, len(above) // 2, len(below) // 2)
        up, down = order[border : border + change], order[border - change : border]
        order[border - change : border + change] = [*up, *down]
    return order


def seeded(
    joined: Sequence[UserId], before: Sequence[Sequence[UserId]], ratings: Mapping[UserId, float]
) -> list[UserId]:
    """Those who have joined, the strongest first: who was there last season as its tables have it, then the others by
    rating, and those without one in order of joining."""
    known = [user for user in promoted(before) if user in joined]
    new = [user for user in joined if user not in known]
    return known + sorted(new, key=lambda user: -ratings.get(user, float("-inf")))


def drawn(
    divisions: Sequence[Sequence[UserId]], games: Sequence[str], lopsided: Collection[str]
) -> tuple[Pairing, ...]:
    """All pairings, round by round. Each round has the next of the games; those that are lopsided have two legs."""
    found: list[Pairing] = []
    tables = [berger(len(people)) for people in divisions]
    for number in range(max(map(len, tables))):
        game = games[number % len(games)]
        for division, (people, rounds) in enumerate(zip(divisions, tables, strict=True), 1):
            for home, guest in rounds[number] if number < len(rounds) else ():
                found.append(
                    Pairing(
                        len(found) + 1, division, number + 1, people[home - 1], people[guest - 1], game,
                        2 if game in lopsided else 1,
                    )
                )  # fmt: skip
    return tuple(found)


def beginning(loaded: Loaded, most: int) -> tuple[Pairing, ...]:
    """The pairings whose matches begin now, at most `most`: the earliest of the draw whose members are below the
    limit."""
    busy = Counter[UserId]()
    for one in loaded.pairings:
        if one.state == "live":
            busy.update((one.home, one.guest))
    found: list[Pairing] = []
    for one in waiting(loaded):
        if len(found) < most and max(busy[one.home], busy[one.guest]) < AT_ONCE:
            busy.update((one.home, one.guest))
            found.append(one)
    return tuple(found)


def waiting(loaded: Loaded) -> tuple[Pairing, ...]:
    """The pairings that are still to be played, and can be."""
    here = {one.user for one in loaded.members if loaded.active(one.user)}
    return tuple(one for one in loaded.pairings if one.match is None and {one.home, one.guest} <= here)


def without_gone(loaded: Loaded) -> Loaded:
    """A league in which those who are gone from the server count as having left, struck out as if they left now."""
    away = [one for one in loaded.members if one.gone is not None and one.left_at is None]
    known = {one.user: replace(one, left_at=one.gone, struck=_strikes_now(loaded, one.user)) for one in away}
    return replace(loaded, members=tuple(known.get(one.user, one) for one in loaded.members)) if known else loaded


def _strikes_now(loaded: Loaded, user: UserId) -> bool:
    return loaded.league.state != "open" and strikes(loaded, user)


def counting(loaded: Loaded) -> tuple[Pairing, ...]:
    """The pairings that count, or still can."""
    struck = {one.user for one in loaded.members if one.struck}
    still = {*waiting(loaded)}
    return tuple(
        one
        for one in loaded.pairings
        if not (one.void or {one.home, one.guest} & struck) and (one.match is not None or one in still)
    )


def is_over(loaded: Loaded) -> bool:
    """Whether nothing is left to be played."""
    return not waiting(loaded) and all(one.state != "live" for one in loaded.pairings)


def strikes(loaded: Loaded, user: UserId) -> bool:
    """Whether a member who leaves now is struck out: fewer than half of their matches are over."""
    theirs = [one for one in loaded.pairings if one.has(user)]
    return 2 * sum(one.counts for one in theirs) < len(theirs)
