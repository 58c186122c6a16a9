"""Plain minimax, which looks at everything that follows, on small boards drawn by lot: what is called certain is held
beside it. It knows the rules alone, neither a mind nor a bound, and of walks that claim the same only a cheapest.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Sequence
from itertools import count, islice
from random import Random

from bot.engine.exact import can_be_solved
from bot.games.catalogue import load_games
from bot.games.game import Game
from bot.games.position import Position, Seat
from bot.host.solve import solve_match
from bot.play.match import Match
from cogs.divisors_multiples_sequence.rules import DivisorsMultiplesSequence, list_neighbours
from tests.contract.playing import greedy

FOLLOWING = 6_000
"""So many positions follow a board at the most, the order of moves included."""
DEEPEST = 100
"""No more moves are looked ahead."""
VALUES = 3
"""Of each option so many of the least values are drawn from."""
COURSES = 12
"""So many matches are drawn at most for one in which little enough is left before the end."""


class Much(Exception):
    """Too much follows a position to look at all of it."""


def able(position: Position, seat: Seat) -> Sequence[str]:
    """The legal moves; of walks a cheapest one to each number that is free."""
    if isinstance(position, DivisorsMultiplesSequence):
        return [" ".join(map(str, walk)) for walk in walks(position)]
    return tuple(position.moves(seat))


def walks(position: DivisorsMultiplesSequence) -> Iterator[tuple[int, ...]]:
    """A cheapest walk to each free number, by Dijkstra's algorithm."""
    claimed, reached = position.claimed_numbers, set[int]()
    waiting: list[tuple[int, tuple[int, ...]]] = [(0, ())]
    while waiting:
        cost, walk = heapq.heappop(waiting)
        here = walk[-1] if walk else position.here
        if here in reached:
            continue
        reached.add(here)
        if here not in claimed:
            yield walk
        for then in list_neighbours(here, position.r):
            step = max(here, then) // min(here, then) * (2 if then in claimed else 1)
            heapq.heappush(waiting, (cost + step, (*walk, then)))


class Minimax:
    """Looks at all that follows some positions of a match of two, but at no more than so many."""

    def __init__(self, game: Game, most: int) -> None:
        self.game, self.left = game, most
        self.known: dict[Position, int] = {}

    def ahead(self, position: Position, depth: int = 0) -> int:
        """By how much seat 1 is ahead at the end."""
        if position not in self.known:
            self.left -= 1
            if self.left < 0 or depth > DEEPEST:
                raise Much
            self.known[position] = self._found(position, depth) if position.turn else self.over(position)
        return self.known[position]

    def _found(self, position: Position, depth: int) -> int:
        seat = position.turn[0]
        found = [self.ahead(position.play(seat, move), depth + 1) for move in able(position, seat)]
        return max(found) if seat == 1 else min(found)

    def over(self, position: Position) -> int:
        """By how much seat 1 is ahead in a match that is over; without scores, who wins by one."""
        if not self.game.scored:
            first, second = position.ranks() or (0, 0)
            return (second > first) - (first > second)
        first, second = position.scores()
        return second - first if self.game.lowest_wins else first - second


def boards(many: int) -> Iterator[Match]:
    """So many small boards with some moves on them, of all games that are solved, in turn; no two are alike."""
    able_to = [
        game for game in load_games().values() if 2 in game.seats and can_be_solved(begun(game, 0).position, game.mind)
    ]
    seen = set[Position]()
    drawn = (board(game, number) for number in count() for game in able_to)
    fresh = (match for match in drawn if match and match.position not in seen and not seen.add(match.position))
    return islice(fresh, many)


def begun(game: Game, number: int) -> Match:
    """A match with small options that are drawn by lot; the first with the least of each."""
    rng = Random(f"{game.key}:{number}")
    values = {name: bound.values[:VALUES] for name, bound in game.Options.bounds().items()}
    wanted = {name: rng.choice(few) if number else few[0] for name, few in values.items()}
    return Match.start(game, greedy(game, wanted, 2), 2)


def board(game: Game, number: int) -> Match | None:
    """As early a moment of a match that is drawn by lot as everything can be looked at from; None where too much is
    left even before the last move."""
    rng, first = Random(f"{game.key}:{number}"), begun(game, number)
    return next((found for _ in range(COURSES) if (found := _within(course(first, rng)))), None)


def course(match: Match, rng: Random) -> list[Match]:
    """A match that is drawn by lot, at every ply to its end."""
    found = [match]
    while not found[-1].is_over:
        match = found[-1]
        found.append(match.play(match.turn[0], rng.choice(able(match.position, match.turn[0]))))
    return found


def _within(course: list[Match]) -> Match | None:
    found = None
    for match in reversed(course[:-1]):
        try:
            Minimax(match.game, FOLLOWING).ahead(match.position)
        except Much:
            break
        found = match
    return found


def refuted(match: Match) -> str:
    """How what `bot solve` answers about a board differs from what plain minimax finds; empty where it does not."""
    position, seat = match.position, match.turn[0]
    plain = Minimax(match.game, 10 * FOLLOWING)
    worth = {last(match, move): plain.ahead(position.play(seat, move)) for move in able(position, seat)}
    value = (max if seat == 1 else min)(worth.values())
    found = solve_match(match, None, None, 1.0, lambda: 0.0)
    best = {last(match, move) for move in found["best"]}
    loses = {last(match, move): lost for move, lost in found["loses"].items()}
    true = {move: abs(value - one) for move, one in worth.items() if one != value}
    if (found["exact"], found["value"], best, loses) != (True, value, set(worth) - set(true), true):
        return f"{match.to_json()}: {found}, and it is {value}, and moves lose {true}"
    return ""


def last(match: Match, move: str) -> str:
    """What tells a move from others that are not worth the same: of a walk where it ends."""
    return move.split()[-1] if isinstance(match.position, DivisorsMultiplesSequence) else move


def table(many: int) -> Iterator[str]:
    """A line for each of so many boards, and how many of them were answered truly."""
    true = 0
    for match in boards(many):
        wrong = refuted(match)
        true += not wrong
        yield wrong or f"true: {match.to_json()}"
    yield f"{true} of {many} boards are answered as plain minimax does"
