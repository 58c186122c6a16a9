"""The legend of a picture repeats names and scores, so it stands only where the picture stands without them."""

from __future__ import annotations

import pytest

from bot.features.board import match_pictures
from bot.features.board.match_pictures import Renderer
from bot.games.catalogue import load_games, load_offered_games
from bot.games.game import Game
from bot.play.loaded_match import MatchView
from rendering.pages import SEAT
from rendering.painter import paint
from rendering.shapes import Picture
from tests.contract.drawing import recorded
from tests.support.loaded_matches import begun

PRIMES = load_games()["binary-primes"]


def count_legend_chips(picture: Picture) -> int:
    return sum(shape.tag == SEAT for shape in picture.shapes)


@pytest.mark.parametrize("game", load_offered_games().values(), ids=lambda game: game.key)
def test_a_board_has_no_legend_below_its_names_and_scores(game: Game) -> None:
    moments = next(recorded(game))
    for match in (moments[len(moments) // 2], moments[-1]):
        pictures = match_pictures.list_pictures(MatchView.of(begun(match), None))
        whole = game.pictures(match.position)
        needed = match.is_over and (game.scored or game.sides)
        most = count_legend_chips(whole[0]) if needed else 0
        assert [count_legend_chips(one) for one in pictures] == [most] * len(pictures)
        lowest = max(one.extent[3] for one in whole)
        assert all(one.extent[3] <= lowest for one in pictures if not one.small)


async def test_it_is_painted_so() -> None:
    match = next(recorded(PRIMES))[4]
    sight = MatchView.of(begun(match), None)
    (picture,) = match_pictures.list_pictures(sight)
    renderer = Renderer(1)
    drawing = await renderer.draw_board(sight)
    renderer.close()
    assert drawing.pngs == (paint.encode_png(picture),)
    assert picture.foot, "the key stays"
