"""Compares the random ends that minds draw with ends played move by move: their mean and spread."""

from __future__ import annotations

import math
import statistics
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from random import Random
from typing import NamedTuple

from bot.engine.exact import clamp_margin
from bot.games.game import Game
from bot.games.position import Position, Seat
from cogs.not_divisors_not_multiples import mind as numbers
from tests.arena.duels import LONGEST

DRAWN = {"not-divisors-not-multiples": numbers.usual_candidates}
"""What random ends are drawn from, where the computer thinks of more."""


class Likeness(NamedTuple):
    """How alike the results of a seat are: both means, by how many standard deviations they differ, and the ratio of
    the spreads."""

    seat: Seat
    drawn: float
    played: float
    deviations: float
    spread: float


def compared(game: Game, position: Position, number: int, seed: str) -> Iterator[Likeness]:
    """Draw so many ends either way, and compare what each seat gets."""
    rng = Random(seed)
    game = replace(game, mind=replace(game.mind, candidates=DRAWN.get(game.key, game.mind.candidates)))
    assert game.mind.rollout
    drawn = [game.mind.rollout(position, rng) for _ in range(number)]
    played = [by_playing(game, position, rng) for _ in range(number)]
    for at in range(len(position.scores())):
        yield likeness(
            at + 1, [clamp_margin(found[at]) for found in drawn], [clamp_margin(found[at]) for found in played]
        )


def likeness(seat: Seat, drawn: Sequence[float], played: Sequence[float]) -> Likeness:
    """What two samples say of each other."""
    means = statistics.fmean(drawn), statistics.fmean(played)
    spreads = statistics.pvariance(drawn), statistics.pvariance(played)
    error = math.sqrt(sum(spreads) / len(drawn))
    apart = means[0] - means[1]
    deviations = apart / error if error else math.copysign(math.inf, apart) if apart else 0.0
    spread = math.sqrt(spreads[0] / spreads[1]) if spreads[1] else math.inf if spreads[0] else 1.0
    return Likeness(seat, *means, deviations, spread)


def by_playing(game: Game, position: Position, rng: Random) -> Sequence[int]:
    """The results of an end of the match that is played by lot: any move that the computer would think of, but any at
    all where those that it thinks of stand each for several alike."""
    for _ in range(LONGEST):
        if not position.turn:
            break
        seat = position.turn[0]
        thought = game.mind.candidates(position, seat, rng) if game.mind.candidates else ()
        every = not thought or (game.mind.complete and len(thought) > 1 and not position.open_to(seat))
        moves = list(position.moves(seat)) if every else thought
        position = position.play(seat, rng.choice(moves))
    ranks = position.ranks()
    return position.scores() if game.scored or ranks is None else [int(rank == 1) for rank in ranks]


def line(game: Game, position: Position, number: int, seed: str) -> str:
    """A row of the table: how alike the ends of a position are, and how much faster they are drawn than played."""
    begun = time.process_time()
    found = list(compared(game, position, number, seed))
    told = "; ".join(
        f"seat {one.seat} {one.drawn:.4g} v {one.played:.4g} ({one.deviations:+.1f} sd, spread × {one.spread:.3f})"
        for one in found[:2]
    )
    return (
        f"{game.key:<29}{told}  {faster(game, position, seed):.1f} times as fast, {time.process_time() - begun:.0f} s"
    )


def faster(game: Game, position: Position, seed: str, number: int = 30) -> float:
    """How many times as long playing takes."""
    assert game.mind.rollout
    rng, marks = Random(seed), [time.process_time()]
    for _ in range(number):
        game.mind.rollout(position, rng)
    marks.append(time.process_time())
    for _ in range(number):
        by_playing(game, position, rng)
    marks.append(time.process_time())
    return (marks[2] - marks[1]) / max(1e-9, marks[1] - marks[0])
