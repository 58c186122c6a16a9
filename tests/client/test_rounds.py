"""A round that ends is seen: its board is large and the next one small, and a sentence says who begins, and as what."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from bot.features.board import line_words, match_pictures
from bot.features.board import views as board_views
from bot.features.board.match_pictures import Renderer
from bot.features.study import films
from bot.games.catalogue import load_games
from bot.games.game import Game
from bot.games.legs import LegMove, has_legs, make_two_legged, seat_in
from bot.play.ids import UserId
from bot.play.loaded_match import LoadedMatch, MatchView
from bot.play.match import Match
from bot.play.record import Move
from bot.play.replays import Replay
from rendering.shapes import Picture
from tests.contract.playing import records
from tests.gallery import folded
from tests.support.loaded_matches import FIRST, begun

GALLERY, SECTION, TEXT = 12, 9, 10


def list_moments(game: Game) -> Iterator[tuple[Match, Match]]:
    """The recorded matches of a game before and after each line."""
    for row in records(game):
        moments = folded(game, row)
        yield from zip(moments, moments[1:], strict=False)


def list_ends(game: Game) -> list[Match]:
    """The moments at which a round of a recorded match has just ended, and another is played."""
    pairs = list_moments(game)
    return [after for before, after in pairs if before.position.round < after.position.round and after.turn]


ROUNDS = [game for game in load_games().values() if list_ends(game)]
every_game_with_rounds = pytest.mark.parametrize("game", ROUNDS, ids=lambda game: game.key)


def test_there_are_games_with_rounds() -> None:
    assert {game.key for game in ROUNDS} == {"flipping-bits", "polygons-permutation-grid", "cross-dont-cross"}


def list_parts(loaded: LoadedMatch) -> list[dict[str, Any]]:
    """What stands on a board, from above."""
    sight = MatchView.of(loaded, None)
    (frame,) = board_views.build_board(sight, match_pictures.list_pictures(sight)).to_components()
    return frame["components"]


@every_game_with_rounds
def test_a_round_that_ended_is_large_and_the_next_one_small(game: Game) -> None:
    for match in list_ends(game):
        opening = match.position.opening
        assert opening and opening.seat in match.turn and opening.told.startswith(f"Round {match.position.round}: ")
        over = [page for page in game.pictures(match.position) if page.ended]
        parts = list_parts(begun(match))
        (gallery,) = [one for one in parts if one["type"] == GALLERY]
        assert gallery["items"][0]["description"].startswith(over[0].alt)
        assert gallery["items"][0]["media"]["url"] == "attachment://board-1.png"
        (section,) = [one for one in parts if one["type"] == SECTION]
        assert parts.index(gallery) < parts.index(section)
        name = f"<@{FIRST + opening.seat}>"
        said = section["components"][0]["content"]
        assert opening.told.format(name=name) in said and "is to move" not in said and " is over" not in said
        assert section["accessory"]["media"]["url"] == "attachment://board-2.png"


@every_game_with_rounds
def test_there_is_no_such_picture_while_a_round_is_played(game: Game) -> None:
    for before, after in list_moments(game):
        fresh = after.position.opening is not None and after.position.opening.told.startswith("Round ")
        assert fresh == any(page.ended for page in game.pictures(after.position))
        if isinstance(after.record[-1], Move):
            assert fresh == (before.position.round < after.position.round and bool(after.turn)), "until the first move"


@pytest.mark.parametrize("game", load_games().values(), ids=lambda game: game.key)
def test_who_begins_is_to_move(game: Game) -> None:
    for _, after in list_moments(game):
        if opening := after.position.opening:
            assert opening.seat in (0, *after.turn)
            assert ("{name} begins" in opening.told) == ("ou begin" in opening.own) == (opening.seat > 0)


def test_the_line_says_who_begins() -> None:
    def read(key: str, told: int) -> str:
        sight = MatchView.of(begun(list_ends(load_games()[key])[0], thread=FIRST + 9), None)
        return line_words.format_line(sight, [UserId(FIRST + told)], 0)

    yours = "Round 2: you begin and now want triangles."
    assert read("polygons-permutation-grid", 2).endswith(yours)
    assert read("flipping-bits", 1).endswith(f"Round 2: <@{FIRST + 2}> begins.")


def make_ready(game: Game) -> LoadedMatch:
    """A match in which a round ended, and its next player had a move ready."""
    end = next(one for one in list_ends(game) if one.record[-1].seat not in one.turn)
    after = end.play(end.turn[0], next(iter(end.position.moves(end.turn[0]))))
    start = begun(end).before
    return replace(begun(after, premove_plies=(len(after.record),)), before=start)


async def test_a_round_after_which_somebody_had_a_move_ready_is_small() -> None:
    loaded = make_ready(load_games()["flipping-bits"])
    sight = MatchView.of(loaded, None)
    parts = list_parts(loaded)
    (section,) = [one for one in parts if one["type"] == SECTION]
    assert "over after" in section["accessory"]["description"]
    assert "**Round 1 is over.**" in section["components"][0]["content"]
    drawing = await Renderer(1).draw_board(sight)
    assert [one.small for one in drawing.pictures] == [False, True] and drawing.pictures[1].ended


@pytest.mark.parametrize("game", [game for game in ROUNDS if has_legs(game)], ids=lambda game: game.key)
def test_a_round_of_a_leg_that_ended_is_the_large_picture(game: Game) -> None:
    end = list_ends(game)[0]
    match = Match.start(make_two_legged(game), end.options.to_record(), 2)
    for line in end.record:
        match = match.play(seat_in(2, line.seat), str(LegMove(2, line.text)))
    parts = list_parts(begun(match))
    (gallery,) = [one for one in parts if one["type"] == GALLERY]
    assert gallery["items"][0]["description"].startswith("Leg 2. ") and "ver" in gallery["items"][0]["description"]
    assert "Leg 2 · Round 2: " in parts[-2]["content"]


@every_game_with_rounds
def test_a_film_shows_the_end_of_each_round(game: Game) -> None:
    match = max((folded(game, row)[-1] for row in records(game)), key=lambda one: one.position.round)
    work, frames = films.draw_boards(Replay.of(begun(match), None)), list[Picture]()
    try:
        while True:
            next(work)
    except StopIteration as stop:
        frames = stop.value
    assert sum(frame.ended for frame in frames) == match.position.round - 1
