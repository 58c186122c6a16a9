"""The pictures of (Not)Divisors Or (Not)Multiples: triangles, crosses, tints, letters for long numbers, and the end."""

from __future__ import annotations

import random
from itertools import islice

from bot.play.lessons import load_example
from cogs.not_divisors_not_multiples import GAME
from cogs.not_divisors_not_multiples import picture as not_divisors_not_multiples_picture
from cogs.not_divisors_not_multiples.picture import pictures
from cogs.not_divisors_not_multiples.rules import NotDivisorsNotMultiples, NotDivisorsNotMultiplesOptions
from rendering.shapes import Box, Chip, Line, Path, Picture, Shape, Text, text_width

HIGHEST = 1.6
"""The greatest height of a picture, in widths."""
INVENTORS_EXAMPLE = "d1 15, d2 5, c2 10, c3 2, b3 4, a3 8, c4 6, d4 3"


ORDER = ("d1", "d2", "c2", "c3", "b3", "a3", "c4", "d4")


def after(moves: str, size: int = 5, seats: int = 2) -> NotDivisorsNotMultiples:
    position = NotDivisorsNotMultiples.start(NotDivisorsNotMultiplesOptions(size=size), seats)
    for move in moves.split(", ") if moves else ():
        position = position.play(position.turn[0], position.read(position.turn[0], move))
    return position


FIRST = 500
"""Of so many numbers that fit into a square, the one of the most divisors is written."""


def rich(size: int, seats: int, seed: int) -> NotDivisorsNotMultiples:
    """The end of a random match with large numbers of many divisors."""
    lots, position = random.Random(seed), after("", size, seats)
    while position.turn:
        squares = list(position.open_squares())
        large = [square for square in squares if position.leasts[square] > 9999]
        square = lots.choice(large or squares)
        number = max(islice(position.fitting_numbers(square), FIRST), key=divisors)
        position = position.play(position.turn[0], f"{position.name(square)} {number}")
    return position


def divisors(number: int) -> tuple[int, int]:
    return sum(number % other == 0 for other in (2, 3, 4, 5, 7, 8, 9, 11, 13, 25)), number


def on_board(position: NotDivisorsNotMultiples) -> list[Shape]:
    """The shapes on the board, without what is below it."""
    shapes = pictures(position)[0].shapes
    return [shape for shape in shapes if top(shape) < position.size]


def top(shape: Shape) -> float:
    match shape:
        case Box():
            return shape.top
        case Line():
            return min(shape.y1, shape.y2)
        case Path():
            return min(y for _, y in shape.spots)
        case _:
            return shape.y


def square(x: float, y: float) -> str:
    return f"{chr(97 + int(x))}{int(y) + 1}"


def texts(picture: Picture) -> list[Text]:
    return [shape for shape in (*picture.base, *picture.shapes) if isinstance(shape, Text)]


def grounds(position: NotDivisorsNotMultiples, ink: str) -> set[str]:
    return {
        square(shape.left + 0.5, shape.top + 0.5)
        for shape in on_board(position)
        if isinstance(shape, Box) and shape.fill == ink
    }


def test_numbers_with_the_chips_of_their_seats() -> None:
    position = after(INVENTORS_EXAMPLE, 4)
    numbers = {square(it.x, it.y): it.text for it in on_board(position) if isinstance(it, Text)}
    assert ", ".join(f"{name} {numbers[name]}" for name in ORDER) == INVENTORS_EXAMPLE
    chips = {square(it.x, it.y): it.seat for it in on_board(position) if isinstance(it, Chip)}
    assert [chips[name] for name in ORDER] == [1, 2] * 4
    assert grounds(position, "gold") == {"d4"}


def test_triangles_point_from_divisors_to_multiples() -> None:
    arrows: dict[tuple[str, str], bool] = {}
    for shape in on_board(after(INVENTORS_EXAMPLE, 4)):
        if isinstance(shape, Path):
            (x, y), *others = shape.spots
            dx, dy = x - sum(a for a, _ in others) / 2, y - sum(b for _, b in others) / 2
            # A step of half a square from the tip, and from the other end.
            length = abs(dx) + abs(dy)
            ahead = square(x + dx / length / 2, y + dy / length / 2)
            behind = square(x - dx / length / 2 - dx, y - dy / length / 2 - dy)
            arrows[behind, ahead] = True
    assert set(arrows) == {
        ("d2", "d1"), ("d2", "c2"), ("c3", "c2"), ("c3", "b3"), ("b3", "a3"), ("c3", "c4"), ("d4", "c4"),
    }  # fmt: skip


def test_squares_to_write_into_have_the_tint_of_the_seat_to_move() -> None:
    assert grounds(after("c3 6, c2 2"), "tint1") == {"c1", "b2", "d2", "b3", "d3", "c4"}
    assert grounds(after("c3 6"), "tint2") == {"c2", "b3", "d3", "c4"}
    assert not grounds(after(""), "tint1")
    assert not grounds(after("c3 6").withdraw(1), "tint2")
    bound = [
        shape for shape in on_board(after("a2 59, a1 7906, b1 67")) if isinstance(shape, Text) and shape.text == "large"
    ]
    assert [square(text.x, text.y) for text in bound] == ["b2"]


def test_dead_squares_are_crossed_out_and_bold_arms_point_to_the_reason() -> None:
    position = after("b2 6, b1 2, a1 4", 3)
    crosses = [shape for shape in on_board(position) if isinstance(shape, Line)]
    thin, bold = crosses[:2], crosses[2:]
    assert {line.tag for line in thin} == set(position.working())
    assert [(round(line.x1 + line.x2, 6), round(line.y1 + line.y2, 6)) for line in thin] == [(1, 3), (1, 3)]
    # From the middle of a2 towards b1.
    assert [(line.x1, line.y1, line.x2 > line.x1, line.y2 < line.y1) for line in bold] == [(0.5, 1.5, True, True)]


def test_the_end_says_who_wrote_last() -> None:
    (picture,) = pictures(after(INVENTORS_EXAMPLE, 4))
    assert "4 by 4. Orange wrote the last of 8 numbers" in picture.alt
    assert [text.text for text in texts(picture)][-3:] == ["blue", "orange", "wins"]
    assert [text.text for text in texts(picture) if text.on == "gold"] == ["3", "wins"]
    assert "lies beside no number" in [text.text for text in texts(picture)]
    assert picture.alt == "(Not)Divisors Or (Not)Multiples. 4 by 4. Orange wrote the last of 8 numbers."


def test_how_the_match_stands() -> None:
    assert "5 by 5. The first number goes anywhere" in pictures(after(""))[0].alt
    assert "5 by 5. 1 number. 4 squares are open, 0 dead" in pictures(after("c3 6"))[0].alt
    left = after("c3 6", seats=3).withdraw(1)
    assert [text.text for text in texts(pictures(left)[0])][-4:] == ["blue", "left", "orange", "green"]
    assert "5 by 5. Ended after 1 number" in pictures(left.withdraw(2))[0].alt


def test_long_numbers_have_letters_and_stand_below_with_their_factors() -> None:
    """A square of the largest grid takes three digits."""
    position = after("a2 59, a1 7906, b1 67, b2 least", 10)
    (picture,) = pictures(position)
    written = [shape for shape in on_board(position) if isinstance(shape, Text) and square(shape.x, shape.y) == "b2"]
    assert [text.text for text in written] == ["B"]
    assert "11 859 = 3*59*67" in [text.text for text in texts(picture)]
    # On a smaller one it is written out.
    assert "11 859" in [text.text for text in texts(pictures(after("a2 59, a1 7906, b1 67, b2 least"))[0])]


def test_many_long_numbers_have_pages_of_their_own() -> None:
    position = rich(10, 8, seed=5)
    large = [str(position.cells[square]) for square, _ in position.log if position.cells[square] > 999]
    board, *pages = pictures(position)
    assert len(large) > 26 and pages
    listed = [text.text for page in pages for text in texts(page) if " = " in text.text]
    assert [text.partition(" = ")[0].replace(" ", "") for text in listed] == large
    for text in listed:
        number, product = text.split(" = ")
        assert eval(product.replace("^", "**")) == int(number.replace(" ", ""))
    letters = {text.text for text in texts(board) if text.text.isupper() and text.text.isalpha()}
    assert len(letters) == len(large) and {"A", "Z", "AA"} <= letters


def test_the_longest_numbers_fit_the_list() -> None:
    richest = 2 * 3 * 5 * 7 * 11 * 13 * 17 * 19 * 23 * 29 * 31 * 37 * 41 * 43 * 47
    listed = [
        not_divisors_not_multiples_picture.LongNumber(0, number, "AA")
        for number in (richest, 2**59, 897612484786617600, 10**18)
    ]
    (page,) = not_divisors_not_multiples_picture.make_pages(listed, "Title", "name")
    for text in texts(page):
        assert text.x + text_width(text.text, text.size) * (text.anchor == "left") < page.extent[2]


def test_a_usual_match_is_a_single_picture() -> None:
    """It is what the gallery shows."""
    match = load_example(GAME)
    assert match and match.is_over and len(match.game.pictures(match.position)) == 1
