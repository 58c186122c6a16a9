"""The legend of a picture repeats names and scores, so it stands only where the picture stands without them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.features.board import match_pictures
from bot.features.board.match_pictures import Renderer
from bot.games.catalogue import load_games, load_offered_games
from bot.games.game import Game
from bot.play.lessons import load_rules_example
from bot.play.loaded_match import MatchView
from bot.play.match import Match
from rendering.pages import SEAT
from rendering.painter import paint
from rendering.shapes import Picture, Text
from tests.contract.drawing import recorded
from tests.gallery import usual
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
        needed = match.is_over and match.seats == 1 and (game.scored or game.sides)
        most = count_legend_chips(whole[0]) if needed else 0
        assert [count_legend_chips(one) for one in pictures] == [most] * len(pictures)
        lowest = max(one.extent[3] for one in whole)
        assert all(one.extent[3] <= lowest for one in pictures if not one.small)


def list_words(picture: Picture) -> list[str]:
    return [shape.text for shape in picture.shapes if isinstance(shape, Text)]


@pytest.mark.parametrize("game", load_offered_games().values(), ids=lambda game: game.key)
def test_who_knows_the_game_reads_no_key_and_all_that_the_position_says(game: Game) -> None:
    """Its signs stand on the rules page; with options of one's own their meaning may be another."""
    moments = [match for match in usual(game) if not match.is_over]
    loaded = begun(moments[len(moments) // 2])
    (new, *_), (known, *_) = (
        match_pictures.list_pictures(MatchView.of(replace(loaded, practised=practised), None))
        for practised in (False, True)
    )
    example = load_rules_example(game)
    assert example
    whole = game.pictures(example)[0]
    assert known.extent[3] <= new.extent[3] and not known.explained
    hidden = list_words(new)[len(list_words(known)) :]
    assert list_words(new) == [*list_words(known), *hidden] and len(hidden) == sum(
        isinstance(shape, Text) for shape in new.shapes[len(new.shapes) - new.explained :]
    )
    if hidden and example.turn:
        assert set(list_words(whole)) & set(hidden), "the rules page explains the same signs in the same words"


def test_a_key_of_other_options_stays() -> None:
    small = Match.start(PRIMES, {"size": 3}, 2)
    (picture,) = match_pictures.list_pictures(MatchView.of(replace(begun(small), practised=True), None))
    assert picture.explained and not picture.legend


async def test_it_is_painted_so() -> None:
    match = next(recorded(PRIMES))[4]
    sight = MatchView.of(begun(match), None)
    (picture,) = match_pictures.list_pictures(sight)
    renderer = Renderer(1)
    drawing = await renderer.draw_board(sight)
    renderer.close()
    assert drawing.pngs == (paint.encode_png(picture),)
    assert picture.foot, "the key stays"
