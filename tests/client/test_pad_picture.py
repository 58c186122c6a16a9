"""A pad's picture: every part chosen for a move is marked on the board, on its page, in its colours."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import groupby, pairwise
from random import Random

import pytest

from bot.features.board import match_pictures
from bot.features.pads import keypad
from bot.games.catalogue import load_games
from bot.games.game import Game
from bot.games.notation import Square
from bot.games.position import Position, Seat
from bot.play import partial_moves
from bot.play.match import Match
from bot.play.partial_moves import PartialMove
from rendering import frames
from rendering.shapes import LEAST, Box, Picture, Ring, Shape, Text, inks_of
from rendering.theme import COLOURS_AT_MOST
from tests.contract.drawing import HAIR, Area, area, largest, touching
from tests.contract.playing import few, playout
from tests.support import pad_taps
from tests.support.sampled import sampled

MOMENTS = 2
"""At how many moments a kind of move is looked at, on usual boards and on the largest."""
UNMARKED = {"curve", "count", "direction", "factors"}
"""Parts of moves that are no place on a board: which copy is shown, how many, which way, the divisors of a split."""
LEGIBLE = 1.2
"""The least weight of a mark on a phone, in pixels."""
PHONE = 350
SCREEN, WIDE, ROW_OF_KEYS, ABREAST, WORDS = 712, 295, 56, 4, 80
"""The height of a phone's screen between its bars, the width of a picture on it, the height of a row of keys, how many
stand side by side, and the height of what is said between them and below, in its pixels."""
BELOW = {"cross-dont-cross": 80}
"""By how much keys may lie below the screen: a circle with its lenses leaves room for twelve, and up to twenty segments
are offered."""
ROOM, STEPS_OF = 30, 12
"""Components of a message for keys; and of how many recorded moves every step is looked at."""

Pad = tuple[Position, Seat, PartialMove]

each_game = sampled("game", load_games().values(), few=3, ids=lambda game: game.key)


@cache
def chosen(game: Game) -> tuple[Pad, ...]:
    """For every kind of move whole ones, and what was chosen on the way to them."""
    rng, found = Random(game.key), list[Pad]()
    for matches in few(game), largest(game):
        moves = sorted(kinds(game, matches), key=lambda each: each[2].kind.name)
        for _, several in groupby(moves, key=lambda each: each[2].kind.name):
            listed = list(several)
            for position, seat, so_far in rng.sample(listed, min(len(listed), MOMENTS)):
                partial_moves = tuple(pad_taps.drawn(position, seat, so_far, rng))
                found += [
                    (position, seat, each)
                    for each in (*rng.sample(partial_moves, min(len(partial_moves), 2)), partial_moves[-1])
                ]
    return tuple(found)


@cache
def drawn(game: Game) -> tuple[tuple[Pad, tuple[Picture, ...]], ...]:
    """All of them with their pictures."""
    return tuple((pad, tuple(match_pictures.make_pictures(game, *pad))) for pad in chosen(game))


def kinds(game: Game, matches: tuple[Match, ...]) -> Iterator[Pad]:
    """What can be begun at some moments."""
    for match in matches:
        for seat in match.turn[:1]:
            position = match.position.seen_by(seat)
            begun = (
                partial_moves.begin_partial_move(position, seat, kind)
                for kind in pad_taps.kinds(game, position, seat)
                if kind.parts
            )
            yield from ((position, seat, so_far) for so_far in begun)


def marks(picture: Picture) -> list[Shape]:
    """What marks something chosen."""
    return [shape for shape in picture.shapes if shape.tag.startswith(frames.CHOSEN)]


@each_game
def test_what_is_chosen_is_marked(game: Game) -> None:
    for (position, _, so_far), pictures in drawn(game):
        tags = {mark.tag for picture in pictures for mark in marks(picture)}
        for name, value in match_pictures.collect_values(so_far).items():
            if name not in UNMARKED:
                missing = {frames.tag_of_mark(item) for item in value.split() if item[0] != "("} - tags
                assert not missing, f"{missing} on {so_far}"
        if so_far.is_whole:
            assert pictures != tuple(game.pictures(position))


@each_game
def test_a_square_is_framed_where_it_lies(game: Game) -> None:
    for (position, _, so_far), (board, *_) in drawn(game):
        squares = [part for part in so_far.kind.parts if part.kind == "square"]
        for part in squares:
            for name in match_pictures.collect_values(so_far).get(part.name, "").split():
                column, row = Square.parse(name, *part.bounds(position)[:2])
                middles = [middle(mark) for mark in marks(board) if mark.tag == frames.tag_of_mark(name)]
                assert pytest.approx((column + 0.5, row + 0.5)) in middles, f"{name}: {middles}"


def middle(shape: Shape) -> tuple[float, float]:
    left, top, right, bottom = area(shape)
    return (left + right) / 2, (top + bottom) / 2


@each_game
def test_marks_are_on_the_page_and_can_be_seen_on_a_phone(game: Game) -> None:
    for _, pictures in drawn(game):
        assert 0 < len(pictures) <= match_pictures.MOST
        assert len({picture.name for picture in pictures}) == len(pictures)
        for picture in pictures:
            assert_visible(picture)


def assert_visible(picture: Picture) -> None:
    left, top, right, bottom = picture.extent
    hair, phone = HAIR / picture.pixels_per_square, PHONE / (right - left)
    for mark in marks(picture):
        x1, y1, x2, y2 = area(mark)
        assert left - hair <= x1 and top - hair <= y1 and x2 <= right + hair and y2 <= bottom + hair, mark
        if isinstance(mark, Ring) or (isinstance(mark, Box) and mark.line):
            assert mark.weight * phone >= LEGIBLE, mark
        if isinstance(mark, Text):
            assert mark.size / picture.squares_per_point > LEAST - 0.01, mark
    assert not next(touching(uncovered(picture)), None)
    used = {ink for shape in (*picture.base, *picture.shapes) for ink in inks_of(shape) if ink}
    assert len(used) <= COLOURS_AT_MOST - 2


def uncovered(picture: Picture) -> Picture:
    """The picture without the texts over which something else is written."""
    covers = [area(mark) for mark in marks(picture) if isinstance(mark, Box) and mark.fill]
    covered = [shape for shape in picture.shapes if not shape.tag and any(inside(area(shape), it) for it in covers)]
    return replace(picture, shapes=tuple(shape for shape in picture.shapes if shape not in covered))


def inside(it: Area, other: Area) -> bool:
    return it[0] >= other[0] and it[1] >= other[1] and it[2] <= other[2] and it[3] <= other[3]


@each_game
def test_a_pad_opens_with_its_keys_and_its_board_on_the_screen(game: Game) -> None:
    """At the beginning of a match, in the middle of a recorded one and near its end."""
    usual = [each for each, _, _ in pad_taps.recorded(game) if each.options == game.configure({}, each.seats)]
    last = [each for each, after in pairwise(usual) if len(after.record) <= len(each.record)]
    for match in Match.start(game, {}, game.seats[0]), usual[len(usual) // 2], *last:
        position, seat = match.position.seen_by(match.turn[0]), match.turn[0]
        for kind in (kind for kind in pad_taps.kinds(game, position, seat) if kind.parts):
            assert height(
                game, position, seat, partial_moves.begin_partial_move(position, seat, kind)
            ) <= SCREEN + BELOW.get(game.key, 0), kind.name


@each_game
def test_a_pad_keeps_its_keys_and_its_board_on_the_screen_until_the_move_is_whole(game: Game) -> None:
    usual = [each for each in pad_taps.recorded(game) if each[0].options == game.configure({}, each[0].seats)]
    for match, seat, move in usual[:: max(1, len(usual) // STEPS_OF)]:
        position = match.position.seen_by(seat)
        for so_far in pad_taps.towards(position, seat, pad_taps.kind_of(game, position, seat, move), move):
            high = height(game, position, seat, so_far)
            assert high <= SCREEN + BELOW.get(game.key, 0), f"{so_far} in {len(match.record)}"


def height(game: Game, position: Position, seat: Seat, so_far: PartialMove) -> float:
    """How high a pad is on a phone."""
    leaves = keypad.split_pages(partial_moves.list_keys(position, seat, so_far), ROOM)
    rows = 1 + max(sum(-(-len(row) // ABREAST) for row in page) for page in leaves)
    extents = (picture.extent for picture in match_pictures.make_pictures(game, position, seat, so_far))
    high = sum(WIDE * (bottom - top) / (right - left) for left, top, right, bottom in extents)
    return high + rows * ROW_OF_KEYS + WORDS


@pytest.mark.parametrize(
    ("key", "seats", "seed"),
    [("binary-scramble", 3, 4), ("binary-scramble", 6, 5), ("combining-dividing", 4, 4), ("flipping-bits", 3, 4)],
)
def test_a_pad_fits_the_screen_late_in_a_match_of_several(key: str, seats: int, seed: int) -> None:
    for match in playout(Match.start(load_games()[key], {}, seats), Random(seed)):
        for seat in match.turn[:1]:
            for kind in pad_taps.kinds(match.game, match.position, seat):
                so_far = partial_moves.begin_partial_move(match.position, seat, kind)
                assert height(match.game, match.position, seat, so_far) <= SCREEN, (kind.name, len(match.record))


@each_game
def test_nothing_is_marked_where_nothing_is_chosen(game: Game) -> None:
    for (_, _, so_far), pictures in drawn(game):
        chosen_any = match_pictures.collect_values(so_far) or match_pictures.is_column(so_far)
        if not chosen_any and not game.secret:
            assert not any(map(marks, pictures))


def test_a_column_is_framed_before_its_row_is_chosen() -> None:
    game = load_games()["binary-primes"]
    position = game.start(game.configure({"size": 5}, 2), 2)
    so_far = partial_moves.press_key(position, 1, partial_moves.begin_partial_move(position, 1, game.moves[0]), "b")
    (board,) = match_pictures.make_pictures(game, position, 1, so_far)
    assert str(so_far) == "square: b…"
    (frame,) = (mark for mark in marks(board) if mark.tag == frames.tag_of_mark("b"))
    left, top, right, bottom = area(frame)
    assert (round(left), round(top), round(right), round(bottom)) == (1, 0, 2, 5)
