"""Both steps of hints in all games, to be read aloud: at the beginning of a match, in its middle and near its end."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from itertools import islice
from random import Random

from bot.engine.levels import find_highest_level, make_budget
from bot.engine.search import think
from bot.games.game import Game
from bot.play.hints import HintScene, describe_best_move, describe_place
from bot.play.match import Match
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
    live = [match for match in course if not match.is_over]
    for part in MOMENTS:
        match = live[int(part * len(live))]
        seat = match.turn[0]
        scene = HintScene(game, match.position.seen_by(seat), seat)
        level = find_highest_level(game, game.start(match.options, seats))
        thought = think(scene.position, seat, game.mind, make_budget(game, scene.position, level), f"aloud:{part}")
        yield f"{game.key} after {len(match.record)} moves: {describe_place(game, scene.position, seat, thought.move)}"
        yield f"    {describe_best_move(scene, thought)}"
