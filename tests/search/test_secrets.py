"""In the games with secrets no thought depends on what its seat may not know: secret moves of others are changed into
other legal ones, or left out, and the move stays the same."""

from __future__ import annotations

from itertools import count, islice

import pytest

from bot.engine.search import think
from bot.games.catalogue import load_games
from bot.games.game import Game, show_move
from bot.games.mind import Budget
from tests.contract.secrecy import Twin, twins

ALTERED = 12
"""How many altered positions are thought about for each game."""
SECRET = [game for game in load_games().values() if game.veil is not show_move]
BUDGET = Budget(playouts=2, nodes=0)


def altered(game: Game) -> list[Twin]:
    """Matches in which what others did in secret is another thing, seen by a seat that is to move."""
    every = (it for seed in count() for it in twins(game, seed) if it.viewer in it.match.turn)
    return list(islice(every, ALTERED))


@pytest.mark.parametrize("game", SECRET, ids=lambda game: game.key)
def test_secrets_change_no_move(game: Game) -> None:
    for one in altered(game):
        assert one.viewer and one.match.position != one.other.position
        seen = [match.position.seen_by(one.viewer) for match in (one.match, one.other)]
        moves = [think(position, one.viewer, game.mind, BUDGET, "1:1:1:6").move for position in seen]
        assert moves[0] == moves[1]
        assert one.match.play(one.viewer, moves[0])
