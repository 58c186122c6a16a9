"""The pictures of Flipping Bits: the row, what may not be flipped, this round's patterns, and how rounds ended."""

from __future__ import annotations

import random
from itertools import combinations

import pytest

from bot.play.lessons import load_example
from cogs.flipping_bits import GAME
from cogs.flipping_bits.picture import CHANCE, GOAL, MOST_LISTED, ROWS, STRUCK, pictures
from cogs.flipping_bits.rules import FlippingBits, FlippingBitsOptions, flip_positions
from rendering.painter import paint
from rendering.shapes import Box, Chip, Line, Picture, Text
from rendering.theme import COLOURS_AT_MOST
from tests.games.test_flipping_bits import DEEP_TRAP, SHORTEST, TRAP

HIGHEST = 1.6
"""The greatest height of a picture, in widths."""


def after(*moves: str | int, seats: int = 2, squares: int = 7, rounds: int = 4) -> FlippingBits:
    position = FlippingBits.start(FlippingBitsOptions(squares, rounds), seats)
    for move in moves:
        position = position.play(position.seat_to_move, str(move))
    return position


def match(seats: int, squares: int, rounds: int, plies: int, seed: int = 1, keen: float = 0.5) -> FlippingBits:
    """Random moves, some of which go towards a square alone."""
    lots, position = random.Random(seed), after(seats=seats, squares=squares, rounds=rounds)
    for _ in range(plies):
        if position.turn:
            ways = lots.sample(list(position.legal_flips()), len(list(position.legal_flips())))
            if lots.random() < keen:
                ways.sort(key=lambda way: min(it := flip_positions(position.pattern, way).count("1"), squares - it))
            position = position.play(position.seat_to_move, " ".join(map(str, ways[0])))
    return position


def trapped(squares: int, flips: int) -> FlippingBits:
    """A row whose patterns within fewer than so many flips have all been there."""
    pattern = "1" * (squares // 2) + "0" * (squares - squares // 2)
    seen = bytearray(2**squares // 8)
    for count in range(flips):
        for way in combinations(range(1, squares + 1), count):
            value = int(flip_positions(pattern, way), 2)
            seen[value >> 3] |= 1 << (value & 7)
    return FlippingBits(4, 2, pattern, bytes(seen))


SAMPLES = (
    *(after(seats=seats, squares=squares) for seats in (2, 6) for squares in (7, 15)),
    *(match(seats, squares, 12, plies) for seats in (2, 6) for squares in (8, 15) for plies in (1, 40, 900)),
    *(trapped(squares, flips) for squares in (7, 15) for flips in (2, 3, 5)),
    after(*TRAP),
    after(*DEEP_TRAP, squares=9),
    after(*SHORTEST, 2, seats=6).withdraw(3).withdraw(1),
    after(*SHORTEST, 2).withdraw(1),
)


def name(position: FlippingBits) -> str:
    return f"{position.seats} {position.pattern} {len(position.flips)} {len(position.outcomes)}"


def of(picture: Picture) -> list[Text]:
    return [shape for shape in picture.shapes if isinstance(shape, Text)]


def texts(picture: Picture) -> list[str]:
    return [text.text for text in of(picture)]


def row(picture: Picture) -> str:
    """The row as it is drawn."""
    boxes = [shape for shape in picture.shapes if isinstance(shape, Box) and shape.line and shape.height > 0.7]
    return "".join("1" if box.fill == "ink" else "0" for box in sorted(boxes, key=lambda box: box.left))


def struck(picture: Picture) -> list[int]:
    lines = [shape for shape in picture.shapes if isinstance(shape, Line) and shape.y1 < 0]
    return [round((line.x1 + line.x2) / 2 + 0.5) for line in lines]


def gold(picture: Picture) -> list[int]:
    return [
        round(shape.left) + 1
        for shape in picture.shapes
        if isinstance(shape, Box) and shape.fill == "gold" and not shape.line and (shape.top, shape.width) == (0, 1)
    ]


@pytest.mark.parametrize("position", SAMPLES, ids=name)
def test_the_row_is_drawn_as_it_is(position: FlippingBits) -> None:
    (board,) = pictures(position)
    assert row(board) == position.pattern
    assert gold(board) == list(position.flips[-1].positions if position.flips else ())


def test_the_board_says_that_a_flip_can_score() -> None:
    """1000100: a flip of either leaves the other alone."""
    assert GOAL in texts(pictures(after(3))[0])
    (board,) = pictures(after(3, 7))
    assert CHANCE in texts(board) and GOAL not in texts(board)


def test_positions_that_may_not_be_flipped_are_struck_out() -> None:
    (board,) = pictures(after())
    assert struck(board) == [] and GOAL in texts(board) and STRUCK not in texts(board)
    (board,) = pictures(after(1, 3, 1))
    assert struck(board) == [1, 3] and STRUCK in texts(board)
    assert [text.text for text in of(board) if text.y < 0 and text.ink == "faded"] == ["1", "3"]
    assert struck(pictures(after(1, 3, 1).withdraw(1))[0]) == []


def test_where_several_flips_are_needed_the_moves_are_listed() -> None:
    position = after(*TRAP)
    (board,) = pictures(position)
    assert "it takes two flips to make a new pattern now:" in texts(board)
    listed = [text.text for text in of(board) if text.on == "rule"]
    assert listed == list(position.moves(2)) and struck(board) == []
    deep = after(*DEEP_TRAP, squares=9)
    many = len(list(deep.moves(1)))
    assert many > MOST_LISTED
    said = texts(pictures(deep)[0])
    assert f"it takes three flips: {many} choices make a new pattern" in said


def test_patterns_of_the_round_stand_with_who_made_them_and_what_was_flipped() -> None:
    (board,) = pictures(after(1, 3))
    assert [it for it in texts(board) if it in ("2", "1", "start")][-3:] == ["2", "1", "start"]
    strips = [shape for shape in board.shapes if isinstance(shape, Box) and shape.line and shape.height < 0.7]
    drawn = "".join("1" if box.fill == "ink" else "0" for box in strips)
    assert drawn == "0000101" + "0010101" + "1010101"
    strokes = [shape for shape in board.shapes if isinstance(shape, Line) and shape.y1 > 1]
    assert [stroke.ink for stroke in strokes] == ["seat2", "seat1"]
    lefts = [box.left for box in strips[:7]]
    assert [sum(left < stroke.x1 for left in lefts) for stroke in strokes] == [3, 1]
    assert f"round 1 of 4, latest {ROWS} of 14" not in texts(board)
    (board,) = pictures(after(*TRAP))
    assert "round 1 of 4" in texts(board) and "start" in texts(board)
    long = pictures(after(*DEEP_TRAP, squares=9))[0]
    assert f"round 1 of 4, latest {ROWS} of 73" in texts(long) and "start" not in texts(long)


def test_rounds_that_are_over_stand_with_the_square_that_scored() -> None:
    position = after(*SHORTEST, *(7, 4, 2, 6), 5)
    (board,) = pictures(position)
    facts = position.working()[:2]
    chips = {shape.tag: shape.seat for shape in board.shapes if isinstance(shape, Chip) and shape.tag}
    assert [chips[fact] for fact in facts] == [1, 1]
    assert [text.text for text in of(board) if text.tag in facts] == ["7", "7"]
    assert "7 squares. Round 3 of 4, 1 move made" in board.alt


def test_a_new_round_shows_how_the_last_one_ended_on_gold() -> None:
    (board,) = pictures(after(*SHORTEST))
    assert "7 squares. Round 2 of 4, orange begins" in board.alt
    assert row(board) == "1010101" and gold(board) == []
    (line,) = [shape for shape in board.shapes if isinstance(shape, Box) and shape.fill == "gold" and not shape.line]
    (score,) = [text for text in of(board) if text.tag.startswith("round 1:")]
    assert score.on == "gold" and line.top < score.y < line.top + line.height
    (board,) = pictures(after(*SHORTEST, 2))
    assert [text.on for text in of(board) if text.tag.startswith("round 1:")] == ["paper"]


def test_the_last_round_stays_on_show_with_the_square_that_scored() -> None:
    (board,) = pictures(after(*SHORTEST, rounds=1))
    assert "7 squares. Finished after 1 round" in board.alt and row(board) == "0000001"
    assert "square 7 is unlike all others, 7 for blue" in texts(board) and GOAL not in texts(board)
    under = [shape for shape in board.shapes if isinstance(shape, Line) and 1 < shape.y1 < 1.2]
    assert [(int(stroke.x1), stroke.ink) for stroke in under] == [(6, "seat1")]
    assert board.alt == (
        "Flipping Bits. 7 squares. Finished after 1 round. The pattern is 0000001. Blue has 7 and orange has 0."
    )


def test_six_seats_do_with_the_colours_of_one_picture() -> None:
    (picture,) = pictures(match(6, 15, 12, 900))
    assert len(paint.paint_image(picture).getcolors() or []) <= COLOURS_AT_MOST


def test_how_the_match_stands_is_said() -> None:
    left = after(1, seats=6, squares=9, rounds=6).withdraw(3)
    assert "9 squares. Round 1 of 6, 1 move made. Green is out" in pictures(left)[0].alt
    left = left.withdraw(1).withdraw(6)
    assert "9 squares. Round 1 of 6, 1 move made. Blue, green and light blue are out" in pictures(left)[0].alt
    over = left.withdraw(2).withdraw(4)
    assert (
        "9 squares. Ended in round 1 of 6. Blue, orange, green, purple and light blue are out" in pictures(over)[0].alt
    )


def test_the_longest_recorded_match_is_finished() -> None:
    """It is what the gallery shows."""
    shown = load_example(GAME)
    assert shown and shown.is_over
