"""Plants moves that for certain change the result into matches of the computer, and looks whether reviews name them."""

from __future__ import annotations

import time
from collections import Counter, deque
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import islice
from random import Random
from typing import NamedTuple

from bot.engine.exact import ExactSolver, Solution, can_be_solved, solve_moves
from bot.engine.levels import compute_divisor, make_budget
from bot.engine.search import answer_question, think
from bot.games.game import Game
from bot.play.match import Match
from bot.play.reviews import has_reviews, review_match
from bot.play.rows import Review

LEVEL, NODES = 3, 30_000
"""At which level the match around the blunder is played, and how many nodes of usual weight may prove it."""
LATE, EARLY = 3, 14
"""Between so many moves before the end a blunder is looked for first, by lot, and then later."""
PATIENCE = 4
"""After so many matches without a blunder that can be proved a game has none."""
WORDS = ("named first", "named", "not named")


class Blunder(NamedTuple):
    """A match with a blunder at the move with this number, from 1."""

    match: Match
    number: int
    seat: int


def played(game: Game, match: Match, seed: str) -> Iterator[Match]:
    """A match as it goes on to its end."""
    yield match
    while not match.is_over:
        seat, position = match.turn[0], match.position
        move = think(position, seat, game.mind, make_budget(game, position, LEVEL), f"{seed}:{len(match.record)}").move
        match = match.play(seat, move)
        yield match


def planted(game: Game, options: dict[str, object], seed: str, early: int = EARLY) -> Blunder | None:
    """A match with a blunder that can be proved, at most so many moves before its end; None where there is none."""
    course = [*played(game, Match.start(game, options, 2), seed)]
    rng = Random(seed)
    for match in course[-1 - min(early, len(course) - 1) : -1]:
        position, seat = match.position, match.turn[0]
        if not can_be_solved(position, game.mind):
            return None
        nodes = NODES // compute_divisor(game, position)
        found = solve_moves(ExactSolver(game.mind, nodes, rng), position, tuple(position.moves(seat)) or None) or []
        worse = [one.move for one in found if one.surely and sign(one, seat) < sign(found[0], seat)]
        if worse:
            spoilt = match.play(seat, rng.choice(worse))
            return Blunder([*played(game, spoilt, seed)][-1], len(spoilt.record), seat)
    return None


def sign(one: Solution, seat: int) -> int:
    """Whether a seat wins after a move, 1, draws or loses, −1."""
    return (one.margins[seat - 1] > 0) - (one.margins[seat - 1] < 0)


def reviewed(match: Match, most: int | None = None) -> tuple[Review, int]:
    """The review of a match, and how many positions were looked at to solve some: no more than so many at a time."""
    work, nodes = review_match(match, 1), 0
    question = next(work)
    while True:
        allowed = question.budget.nodes if most is None else min(most, question.budget.nodes)
        thought = answer_question(replace(question, budget=replace(question.budget, nodes=allowed)))
        nodes += thought.nodes
        try:
            question = work.send(thought)
        except StopIteration as stop:
            return stop.value[0], nodes


def verdict(blunder: Blunder, review: Review) -> str:
    """How a review names a blunder: "named first", "named" or "not named"."""
    mine = [one.number for one in review.costly if one.seat == blunder.seat]
    named = "named" if blunder.number in mine else "not named"
    return "named first" if mine[:1] == [blunder.number] else named


def blunders(able: Iterable[Game], many: int) -> Iterator[tuple[Game, str, Blunder]]:
    """So many blunders on usual boards, in turn of all the games that have some, each with its seed."""
    return islice(in_turn([sown(game) for game in able if 2 in game.seats and has_reviews(game, 2)]), many)


def in_turn(each: list[Iterator[tuple[Game, str, Blunder]]]) -> Iterator[tuple[Game, str, Blunder]]:
    """One of each in turn, as long as there are some."""
    waiting = deque(each)
    while waiting:
        one = waiting.popleft()
        for found in islice(one, 1):
            yield found
            waiting.append(one)


def sown(game: Game) -> Iterator[tuple[Game, str, Blunder]]:
    """Blunders in a game, until there have been none in some matches."""
    without, number = 0, 0
    while without < PATIENCE:
        seed = f"{game.key}:{number}"
        found = planted(game, {}, seed, Random(seed).randint(LATE, EARLY))
        without, number = 0 if found else without + 1, number + 1
        if found:
            yield game, seed, found


def table(able: Iterable[Game], many: int) -> Iterator[str]:
    """A line for each of so many blunders, then one for each game, and one for all."""
    told = Counter[tuple[str, str]]()
    for game, seed, blunder in blunders(able, many):
        begun = time.process_time()
        review, nodes = reviewed(blunder.match)
        found = verdict(blunder, review)
        told[game.key, found] += 1
        told["all of them", found] += 1
        left = len(blunder.match.record) - blunder.number
        seconds = time.process_time() - begun
        yield f"{seed:<33}move {blunder.number}, {left} before the end: {found}, {nodes} nodes, {seconds:.1f} s"
    for key in dict.fromkeys(key for key, _ in told):
        yield f"{key:<29}" + ", ".join(f"{word} {told[key, word]}" for word in WORDS)
