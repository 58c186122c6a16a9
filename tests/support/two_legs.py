"""Matches in two legs for tests: which games have them, and random ones move by move."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from bot.games.catalogue import load_games
from bot.games.game import Game
from bot.games.legs import LEGS, Leg, LegMove, Legs, has_legs, make_two_legged, seat_in
from bot.play.match import Match, split_legs
from tests.contract.playing import edge, greedy, stepped

LEGGED = [game for game in load_games().values() if has_legs(game)]
"""The games that can be played in two legs."""


def started(game: Game, options: dict[str, int | str] | None = None) -> Match:
    """A match in two legs at its start, at the least options unless some are given."""
    given = greedy(game, edge(game.Options.bounds(), 0), 2) if options is None else options
    return Match.start(make_two_legged(game), given, 2)


def legs_of(match: Match) -> Legs:
    """The position of a match in two legs."""
    assert isinstance(match.position, Legs)
    return match.position


def drawn(match: Match, leg: Leg, rng: Random) -> Match:
    """The match after a move in a leg, drawn by lot."""
    line = stepped(split_legs(match)[leg - 1], rng).record[-1]
    return match.play(seat_in(leg, line.seat), str(LegMove(leg, line.text)))


def playout(match: Match, rng: Random) -> Iterator[Match]:
    """The match at every ply from here to its end, now in one leg and now in the other."""
    yield match
    while not match.is_over:
        legs = legs_of(match)
        match = drawn(match, rng.choice([leg for leg in LEGS if legs.get_position(leg).turn]), rng)
        yield match
