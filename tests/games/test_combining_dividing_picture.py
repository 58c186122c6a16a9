"""The pictures of Combining And Dividing Integers: the list, what of it is prime, and the lists that it came from."""

from __future__ import annotations

import random
from itertools import islice

import pytest

from bot.games.primes import is_prime
from bot.play.lessons import load_example
from cogs.combining_dividing import GAME
from cogs.combining_dividing.picture import (
    PAGE,
    SMALL_STYLE,
    choose_style,
    describe_change,
    dots_width,
    pictures,
    visible_range,
)
from cogs.combining_dividing.rules import Change, CombiningDividing, iter_splits, prime_factors, proper_divisors
from rendering.shapes import LEAST, Box, Chip, Picture, Text, group_digits, text_width

HIGHEST = 1.6
"""The greatest height of a picture, in widths."""
INVENTORS_EXAMPLE = (
    "2, 4, 10, 4, 1, 10, split 3 2 5, add 5, add 2, add 4, add 3, add 1, split 2 4 5, add 1, split 1 2 3 2"
)


def after(moves: str, seats: int = 2, length: int = 6, largest: int = 100, limit: int = 100) -> CombiningDividing:
    position = CombiningDividing(length, largest, limit, seats)
    for move in moves.split(", ") if moves else ():
        position = position.play(position.turn[0], move)
    return position


def played(seats: int, length: int, largest: int, limit: int, how: str, seed: int = 1) -> list[CombiningDividing]:
    """A random match that nobody tries to win; or one in which powers of 2 are split into as much as there is."""
    lots, positions = random.Random(seed), [after("", seats, length, largest, limit)]
    while positions[-1].turn:
        position = positions[-1]
        moves = list(islice(_moves(position, how, lots), 30))
        tried = [position.play(position.turn[0], move) for move in moves]
        positions.append(next((each for each in tried if not each.winner), tried[0]))
    return positions


def _moves(position: CombiningDividing, how: str, lots: random.Random) -> list[str]:
    if position.is_building:
        return [str(lots.randint(1, position.largest) if how == "random" else 8192)]
    able = [place for place, number in enumerate(position.numbers) if proper_divisors(number)]
    whole = [f"split {place + 1} {' '.join(map(str, prime_factors(position.numbers[place])))}" for place in able]
    if how == "rich" and whole:
        return whole[:1]
    some = [(place, way) for place in able for way in islice(iter_splits(position.numbers[place]), 3)]
    moves = [f"split {place + 1} {' '.join(map(str, way))}" for place, way in some]
    moves += [f"add {position_}" for position_ in range(1, len(position.numbers))]
    return lots.sample(moves, len(moves))


def of(picture: Picture) -> list[Text]:
    return [shape for shape in picture.shapes if isinstance(shape, Text)]


def texts(picture: Picture) -> list[str]:
    return [shape.text for shape in of(picture)]


def large(picture: Picture) -> list[Text]:
    """The integers of the list as it is."""
    end = min((text.y for text in of(picture) if "changes" in text.text), default=1e9)
    return [
        text for text in of(picture) if text.text.replace(" ", "").isdigit() and text.ink != "faded" and text.y < end
    ]


def test_a_list_being_built_has_room_for_the_rest() -> None:
    (picture,) = pictures(after("2, 4, 10"))
    assert "3 of 6 numbers written, 1 to 100" in picture.alt
    assert [(text.text, text.ink, text.on) for text in large(picture)] == [
        ("2", "paper", "ink"),
        ("4", "ink", "paper"),
        ("10", "ink", "gold"),
    ]
    blank = [shape for shape in picture.shapes if isinstance(shape, Box) and shape.line == "faded"]
    assert len(blank) == 3
    assert [text for text in texts(picture) if text in "123456" and len(text) == 1][:3] == ["1", "2", "2"]
    assert picture.alt == ("Combining And Dividing Integers. 3 of 6 numbers written, 1 to 100. The list is 2 4 10.")


def test_primes_are_dark_and_what_the_last_change_made_is_on_gold() -> None:
    (picture,) = pictures(after("2, 4, 10, 4, 1, 10, split 3 2 5"))
    shown = [(text.text, text.on) for text in large(picture)]
    assert shown == [
        ("2", "ink"),
        ("4", "paper"),
        ("2", "ink"),
        ("5", "ink"),
        ("4", "paper"),
        ("1", "paper"),
        ("10", "paper"),
    ]
    gold = [shape for shape in picture.shapes if isinstance(shape, Box) and shape.fill == "gold" and not shape.line]
    middle = [text.x for text in large(picture)][2:4]
    # The grounds of both integers, the row of the change in the history, and no more.
    assert len(gold) == 3
    assert all(box.left < x < box.left + box.width for box, x in zip(gold, middle, strict=False))
    assert "Change 1 of 100. 3 of 7 numbers are prime" in picture.alt


def test_a_row_for_each_change_with_the_list_it_made() -> None:
    (picture,) = pictures(after(INVENTORS_EXAMPLE))
    rows: dict[float, list[str]] = {}
    for text in of(picture):
        rows.setdefault(round(text.y, 3), []).append(text.text)
    lines = [" ".join(row) for row in rows.values()]
    assert [line for line in lines if line.split()[0] in ("9", "8", "1", "start")][-4:] == [
        "9 split 12 2 3 2 5",
        "8 8 + 4 12 5",
        "1 split 10 2 4 2 5 4 1 10",
        "start 2 4 10 4 1 10",
    ]
    frames = [shape for shape in picture.shapes if isinstance(shape, Box) and shape.line in ("seat1", "seat2")]
    assert [box.line for box in frames] == ["seat1", "seat2"] * 4 + ["seat1"]
    # The frame of the first change is about the 2 and the 5 that 10 was split into.
    it = frames[-1]
    inside = [
        text for text in of(picture) if it.left < text.x < it.left + it.width and it.top < text.y < it.top + it.height
    ]
    assert [text.text for text in inside] == ["2", "5"]


def test_the_end_says_who_won() -> None:
    (picture,) = pictures(after(INVENTORS_EXAMPLE))
    assert "All prime: blue wins with change 9" in picture.alt
    assert texts(picture)[-3:] == ["blue", "wins", "orange"]
    assert [text.tag for text in of(picture) if text.tag] == list(after(INVENTORS_EXAMPLE).working())


def test_a_tie_and_a_withdrawal() -> None:
    tie = after("4, 6, 2, 2, 2, 2" + ", split 1 2 2, add 1" * 5, limit=10)
    board = pictures(tie)[0]
    assert "A draw after 10 changes. 4 of 6 numbers are prime" in board.alt
    assert texts(board)[-4:] == ["blue", "draw", "orange", "draw"]
    tagged = {text.tag: text.text for text in of(board) if text.tag}
    assert {fact: tagged[fact] for fact in tie.working()} == {
        "a draw: after 10 changes not all numbers are prime": "draw",
        "position 1: 4 = 2·2": "4",
        "position 2: 6 = 2·3": "6",
    }
    left = after("4, 6, 2", seats=3).withdraw(2)
    assert texts(pictures(left)[0])[-4:] == ["blue", "orange", "left", "green"]
    assert "Ended after 0 changes. 1 of 3 numbers are prime" in pictures(left.withdraw(1))[0].alt


@pytest.mark.parametrize(
    ("integers", "start", "end", "shown"),
    [
        ((2, 3, 5), 1, 2, (0, 3)),
        ((2,) * 40, 0, 1, (0, 12)),
        ((2,) * 40, 39, 40, (28, 40)),
        ((2,) * 40, 20, 21, (14, 26)),
        ((2,) * 40, 5, 35, (5, 17)),
    ],
)
def test_of_a_long_list_what_is_about_the_change_is_shown(
    integers: tuple[int, ...], start: int, end: int, shown: tuple[int, int]
) -> None:
    room = 12 * (SMALL_STYLE.box_width(2) + SMALL_STYLE.gap) + 2 * dots_width()
    assert visible_range(integers, start, end, room) == shown


def test_a_longer_list_has_smaller_boxes() -> None:
    heights = [choose_style((2,) * count, PAGE)[0].high for count in (4, 8, 16, 30, 60, 100, 130, 312)]
    assert heights == sorted(heights, reverse=True) and heights[0] == 96
    assert choose_style((2,) * 312, PAGE)[0].numbered is False
    assert choose_style((39996, 39996, 239976), PAGE)[0].high == 96


def test_a_long_split_is_cut_short_on_the_pages() -> None:
    cut = describe_change(Change(1, 0, (131072,), (2,) * 17), 300)
    assert cut.startswith("1: 131 072 = 2*2*") and cut.endswith("...") and 280 < text_width(cut, LEAST) <= 300
    assert describe_change(Change(1, 2, (4, 6), (10,)), 300) == "3: 4 + 6 = 10"


MATCHES = (
    (2, 4, 10, 10, "random"),
    (2, 6, 100, 100, "random"),
    (3, 6, 100, 500, "random"),
    (6, 24, 9999, 60, "random"),
    (4, 24, 9999, 30, "rich"),
)
"""Seats, length, the largest integer, the limit, and how it is played."""


def test_the_dark_boxes_are_the_primes() -> None:
    for position in played(6, 24, 9999, 60, "random")[::9]:
        shown = large(pictures(position)[0]) if position.numbers else []
        assert [text.text for text in shown] == list(map(group_digits, position.numbers))
        assert [text.ink == "paper" for text in shown] == list(map(is_prime, position.numbers))


def test_all_changes_of_a_long_match_are_listed() -> None:
    position = after("4, 6, 2, 2, 2, 2" + ", split 1 2 2, add 1" * 35, seats=3, limit=70)
    _, *pages = pictures(position)
    assert len({page.name for page in pages}) == len(pages) == 2
    listed = [text for page in pages for text in texts(page) if ":" in text]
    assert listed == ["1: 4 = 2*2", "1: 2 + 2 = 4"] * 35
    chips = [shape.seat for page in pages for shape in page.shapes if isinstance(shape, Chip)]
    assert chips == [change.seat for change in position.changes]


def test_no_match_has_more_than_ten_pictures() -> None:
    """Discord shows no more in a message."""
    position = after("4, 6, 2, 2, 2, 2" + ", split 1 2 2, add 1" * 250, limit=500)
    assert position.is_tied and len(pictures(position)) == 10


def test_a_long_match_has_its_latest_changes_on_the_board_and_all_on_another_picture() -> None:
    """A phone has no room for more of them below the list."""
    match = load_example(GAME)
    assert match and match.is_over
    board, history = match.game.pictures(match.position)
    assert "the latest 8 of 14 changes" in texts(board) and "all 14 changes" in history.alt
