"""The pictures of Binary Scramble: the list, its runs, what may not be flipped, and why every point was one."""

from __future__ import annotations

import random

import pytest

from bot.play.lessons import load_example
from cogs.binary_scramble import GAME
from cogs.binary_scramble import picture as binary_scramble_picture
from cogs.binary_scramble.picture import STRUCK, pictures
from cogs.binary_scramble.rules import BinaryScramble
from rendering.pages import seat_colour
from rendering.shapes import LEAST, Box, Chip, Line, Picture, Text, text_width

HIGHEST = 1.6
"""The greatest height of a picture, in widths."""
MATCHES = ((2, 4, 1), (3, 9, 5), (6, 12, 20), (6, 24, 20))
"""Seats, length and target."""


def written(seats: int, digits: str, target: int = 5) -> BinaryScramble:
    return flipped(BinaryScramble(len(digits), target, seats), *digits)


def flipped(position: BinaryScramble, *moves: int | str) -> BinaryScramble:
    for move in moves:
        position = position.play(position.turn[0], str(move))
    return position


def random_match(seats: int, length: int, target: int, seed: int = 1) -> list[BinaryScramble]:
    lots = random.Random(seed)
    positions = [BinaryScramble(length, target, seats)]
    while positions[-1].turn:
        positions.append(flipped(positions[-1], lots.choice(list(positions[-1].moves(positions[-1].turn[0])))))
    return positions


def of(picture: Picture) -> list[Text]:
    return [shape for shape in picture.shapes if isinstance(shape, Text)]


def texts(picture: Picture) -> list[str]:
    return [shape.text for shape in of(picture)]


def gold(picture: Picture) -> list[tuple[float, float]]:
    return [
        (box.left, box.top) for box in picture.shapes if isinstance(box, Box) and box.fill == "gold" and not box.line
    ]


def test_a_list_being_built_has_room_for_the_rest() -> None:
    (picture,) = pictures(flipped(BinaryScramble(9, 5, 3), *"00110"))
    assert len(picture.base) == 9
    assert "9 digits. 5 written. First to 5 points" in picture.alt
    assert texts(picture)[:9] == list("123456789")
    # Digits, then the lengths of their runs so far.
    assert texts(picture)[9:17] == [*"00110", "2", "2", "1"]
    # The digit written last stands on gold.
    assert gold(picture)[0] == (4, 0)
    assert STRUCK not in texts(picture)
    assert picture.alt == (
        "Binary Scramble. 9 digits. 5 written. First to 5 points. The list is 00110. Blue has 0, orange has 0 "
        "and green has 0."
    )


def test_positions_that_may_not_be_flipped_are_struck_out() -> None:
    position = flipped(written(2, "0110"), 1, 4, 1)
    (picture,) = pictures(position)
    above = [shape for shape in picture.shapes if isinstance(shape, Text) and shape.y < 0]
    assert [(text.text, text.ink) for text in above] == [("1", "faded"), ("2", "ink"), ("3", "ink"), ("4", "faded")]
    strokes = [(shape.x1 + shape.x2) / 2 for shape in picture.shapes if isinstance(shape, Line) and shape.y1 < 0]
    assert strokes == pytest.approx([0.5, 3.5])
    assert STRUCK in texts(picture)


def test_before_the_first_flip_nothing_is_struck_out() -> None:
    (picture,) = pictures(written(2, "01101001"))
    assert STRUCK not in texts(picture) and "start" in texts(picture)
    assert "8 digits. No flips so far. First to 5 points" in picture.alt
    assert not gold(picture)


def test_a_line_below_each_run_is_as_long_as_the_run() -> None:
    (picture,) = pictures(written(2, "00111010"))
    braces = [shape for shape in picture.shapes if isinstance(shape, Line) and 1 < shape.y1 < 1.3]
    assert [(round(line.x1), round(line.x2)) for line in braces] == [(0, 2), (2, 5), (5, 6), (6, 7), (7, 8)]


def test_every_list_stands_with_its_runs_and_a_point_with_the_list_it_took_after() -> None:
    position = flipped(written(3, "001110101"), 3, 6, 4)
    (picture,) = pictures(position)
    lines = [text.y for text in of(picture) if text.ink == "faded" and text.text in ("start", "1", "2", "3")]
    by_line = [[text.text for text in of(picture) if text.y == y] for y in lines]
    assert by_line == [
        ["3", "4 3 1 1", "2"],
        ["2", "4 3 1 1"],
        ["1", "3 2 1 1 1 1", "start"],
        ["start", "3 2 1 1 1 1"],
    ]
    chips = [shape for shape in picture.shapes if isinstance(shape, Chip) and shape.tag != "legend"]
    assert [(chip.seat, chip.tag) for chip in chips] == [
        (3, "flip 3, player 3: 000011101, runs 4 3 1 1 like flip 2"),
        (1, "flip 1, player 1: 000110101, runs 3 2 1 1 1 1 like the start"),
    ]
    # The digit flipped last is on gold, and so is the line of the list that the flip made.
    assert gold(picture)[0] == (3, 0) and len(gold(picture)) == 2


def test_a_list_is_drawn_as_dark_and_light_boxes() -> None:
    (picture,) = pictures(written(2, "01101001"))
    small = [shape for shape in picture.shapes if isinstance(shape, Box) and shape.top > 1]
    assert "".join("1" if box.fill == "ink" else "0" for box in small) == "01101001"
    assert [box.left for box in small] == sorted(box.left for box in small)


def test_runs_of_long_lists_are_counted() -> None:
    assert binary_scramble_picture.format_runs("001110101") == "3 2 1 1 1 1"
    assert binary_scramble_picture.format_runs("0011101010101100111000") == "3x3 3x2 7x1"
    assert binary_scramble_picture.format_runs("0" * 10 + "1" * 3) == "10 3"


@pytest.mark.parametrize(("seats", "length", "target"), MATCHES)
def test_all_runs_that_have_been_there_can_be_seen(seats: int, length: int, target: int) -> None:
    """What may be matched is on the page: as lists, or as runs alone; only of very many the oldest are left out."""
    for position in random_match(seats, length, target)[::7]:
        if not position.lists:
            continue
        board = pictures(position)[0]
        seen = {binary_scramble_picture.format_runs(digits) for digits in position.lists}
        hidden = seen - set(texts(board))
        if hidden:
            (note,) = [text for text in texts(board) if text.startswith("runs of other lists, the latest 18 of ")]
            assert int(note.split()[-1]) - 18 == len(hidden)


@pytest.mark.parametrize("length", [12, 24])
def test_the_longest_runs_fit(length: int) -> None:
    """Every multiset of runs that a list can have, as text, fits its places on the page, legibly."""

    def parts(rest: int, most: int) -> list[list[int]]:
        return [[]] if not rest else [[a, *b] for a in range(min(rest, most), 0, -1) for b in parts(rest - a, a)]

    digits = ["".join("01"[at % 2] * run for at, run in enumerate(runs_)) for runs_ in parts(length, length)]
    widest = max((binary_scramble_picture.format_runs(it) for it in digits), key=lambda text: text_width(text, LEAST))
    room = binary_scramble_picture.PAGE / binary_scramble_picture.OTHERS_COLUMNS - binary_scramble_picture.LIST_STRIP
    assert text_width(widest, LEAST) <= room


def test_of_many_lists_the_points_stand_by_their_runs() -> None:
    position = random_match(6, 12, 5)[-1]
    board, *pages = pictures(position)
    assert [page.name for page in pages] == [f"binary-scramble-points-{at}" for at in range(1, len(pages) + 1)]
    headings = {text.text for page in pages for text in of(page) if text.ink == "ink"}
    scored = [position.lists[at] for at, flip in enumerate(position.flips, 1) if flip.like is not None]
    assert headings == {*map(binary_scramble_picture.format_runs, scored)}
    chips = [shape for page in pages for shape in page.shapes if isinstance(shape, Chip)]
    assert len(chips) == sum(position.scores())
    last = f"{seat_colour(position.flips[-1].seat).capitalize()} reached 5 points with flip {len(position.flips)}"
    assert f"12 digits. {last}" in board.alt


def test_how_the_match_stands_is_said() -> None:
    position = flipped(written(4, "01101001"), 1)
    assert "8 digits. 1 flip so far. First to 5 points" in pictures(position)[0].alt
    left = position.withdraw(3)
    assert "First to 5 points. Green is out" in pictures(left)[0].alt
    assert "First to 5 points. Blue and green are out" in pictures(left.withdraw(1))[0].alt
    over = left.withdraw(1).withdraw(4)
    assert "8 digits. Ended after 1 flip. Blue, green and purple are out" in pictures(over)[0].alt
    stuck = flipped(written(2, "1101", 20), 4, 1, 3, 2, 4, 1, 3, 1, 4, 1, 3, 2, 4, 1, 3)
    assert "4 digits. No flip is left after 15" in pictures(stuck)[0].alt


def test_the_longest_recorded_match_is_a_single_picture() -> None:
    """It is what the gallery shows."""
    match = load_example(GAME)
    assert match and match.is_over and len(match.game.pictures(match.position)) == 1
