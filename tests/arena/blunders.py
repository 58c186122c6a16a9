"""Plants moves that for certain change the result into matches of the computer, and looks whether reviews name them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import NamedTuple

from bot.core.game.game import Game
from bot.core.match.match import Match
from bot.core.match.stored_review import Review
from bot.search.exact import Solution, Solver, solvable, solved
from bot.search.levels import budget
from bot.search.thinking import answer, think
from bot.service.analysis.reviews import has_reviews, reviewing

LEVEL, NODES = 3, 50_000
"""At which level the match around the blunder is played, and how many nodes may prove the blunder one."""
EARLY = 14
"""So many moves before the end a blunder is looked for first, then later."""


class Blunder(NamedTuple):
    """A match with a blunder at the move with this number, from 1."""

    match: Match
    number: int
    seat: int


def played(game: Game, match: Match, seed: str) -> Iterator[Match]:
    """A match as it goes on to its end."""
    yield match
    while not match.finished:
        seat, position = match.turn[0], match.position
        move = think(position, seat, game.mind, budget(game, position, LEVEL), f"{seed}:{len(match.record)}").move
        match = match.play(seat, move)
        yield match


def planted(game: Game, options: dict[str, object], seed: str, nodes: int = NODES) -> Blunder | None:
    """A match with a blunder as early as it can be proved; None where there is none."""
    course = [*played(game, Match.start(game, options, 2), seed)]
    lots = Random(seed)
    for match in course[-1 - min(EARLY, len(course) - 1) : -1]:
        position, seat = match.position, match.turn[0]
        if not solvable(position, game.mind):
            return None
        found = solved(Solver(game.mind, nodes, lots), position, tuple(position.moves(seat)) or None) or []
        worse = [one.move for one in found if one.surely and sign(one, seat) < sign(found[0], seat)]
        if worse:
            spoilt = match.play(seat, lots.choice(worse))
            return Blunder([*played(game, spoilt, seed)][-1], len(spoilt.record), seat)
    return None


def sign(one: Solution, seat: int) -> int:
    """Whether a seat wins after a move, 1, draws or loses, −1."""
    return (one.margins[seat - 1] > 0) - (one.margins[seat - 1] < 0)


def reviewed(match: Match) -> tuple[Review, int]:
    """The review of a match, and how many positions were looked at to solve some."""
    work, nodes = reviewing(match, 1), 0
    question = next(work)
    while True:
        thought = answer(question)
        nodes += thought.nodes
        try:
            question = work.send(thought)
        except StopIteration as stop:
            return stop.value[0], nodes


def verdict(blunder: Blunder) -> str:
    """How a review names a blunder: "first", "named" or "not named"."""
    review, _ = reviewed(blunder.match)
    mine = [one.number for one in review.costly if one.seat == blunder.seat]
    return "first" if mine[:1] == [blunder.number] else "named" if blunder.number in mine else "not named"


def line(game: Game, number: int) -> str:
    """A row of the table: so many blunders on the usual board, and how reviews name them."""
    if 2 not in game.seats or not has_reviews(game, 2):
        return f"{game.key:<29}is not reviewed"
    found = (planted(game, {}, f"{game.key}:{seed}") for seed in range(number))
    told = Counter(verdict(blunder) for blunder in found if blunder)
    return f"{game.key:<29}" + ", ".join(f"{word} {told[word]}" for word in ("first", "named", "not named"))
