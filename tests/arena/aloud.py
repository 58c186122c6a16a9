"""Both steps of hints in all games, to be read aloud: at the beginning of a match, in its middle and near its end."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from itertools import islice
from random import Random

from bot.core.game.game import Game
from bot.core.match.match import Match
from bot.search.levels import budget, highest
from bot.search.thinking import think
from bot.service.analysis.hints import Scene, where, which
from tests.contract.playing import playout

LONGEST = 200
"""So many moves of a match are looked at."""
MOMENTS = (0.1, 0.5, 0.85)
"""After what part of the moves a hint is given."""


def lines(game: Game) -> Iterator[str]:
    """What is told somebody on the usual board at some moments of a match that is drawn by lot."""
    seats = max(2, game.seats[0])
    course = list[Match]()
    with suppress(AssertionError):  # where moves are open, lots do not always find one of few that are left
        course += islice(playout(Match.start(game, {}, seats), Random(game.key)), LONGEST)
    live = [match for match in course if not match.finished]
    for part in MOMENTS:
        match = live[int(part * len(live))]
        seat = match.turn[0]
        scene = Scene(game, match.position.seen_by(seat), seat)
        level = highest(game, game.start(match.options, seats))
        thought = think(scene.position, seat, game.mind, budget(game, scene.position, level), f"aloud:{part}")
        yield f"{game.key} after {len(match.record)} moves: {where(game, scene.position, seat, thought.move)}"
        yield f"    {which(scene, thought)}"
