"""The picture of Dream Math: numbers, the scores of pairs between them, sums and what they earn, and the key."""

from __future__ import annotations

import random

import pytest

from cogs.dream_math.picture import pictures
from cogs.dream_math.rules import DreamMath, DreamMathOptions
from rendering.shapes import SEAT_INKS, TINT_INKS, Box, Picture, Text, text_width
from tests.support.sampled import sampled

SIZES = (3, 6, 7, 8)
VARIANTS = (
    {"variant": "dream"},
    {"variant": "simple"},
    {"variant": "house", "gcd2": "divisors", "gcd3": "divisors", "other": "divisors"},
    {"variant": "house", "gcd2": "product", "gcd3": "product", "other": "product"},
)


def played(size: int, plies: int | None = None, seed: int = 1, /, **options: str) -> DreamMath:
    """A random position after so many plies; the end of the match if none are given."""
    settled = DreamMathOptions.read({"size": size, **options}, 2)
    lot, position = random.Random(seed), DreamMath.start(settled, 2)
    for _ in range(size**2 if plies is None else plies):
        (seat,) = position.turn
        position = position.play(seat, lot.choice(list(position.moves(seat))))
    return position


def drawn(position: DreamMath) -> Picture:
    return pictures(position)[0]


def texts(picture: Picture) -> list[Text]:
    return [shape for shape in picture.shapes if isinstance(shape, Text)]


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("options", VARIANTS)
@pytest.mark.parametrize("share", [0.4, 1])
def test_numbers_and_the_scores_of_pairs(size: int, options: dict[str, str], share: float) -> None:
    position = played(size, int(share * size**2), size, **options)
    inside = [text for text in texts(drawn(position)) if 0 < text.x < size and 0 < text.y < size]
    numbers = [text for text in inside if not text.tag]
    assert [int(text.y) * size + int(text.x) for text in numbers] == list(position.placed)
    assert [text.text for text in numbers] == [str(value) for value in range(1, len(position.placed) + 1)]
    assert [text.text for text in numbers if text.on == "gold"] == [str(len(position.placed))] * bool(position.placed)
    for seat in (1, 2):
        for place, (fact, result) in enumerate(
            zip(position.working_of(seat), position.line_results(seat), strict=False)
        ):
            shown = [text for text in inside if text.tag == fact]
            listed = "product" in position.methods and size >= 7
            pairs = () if listed else result.pairs
            assert [text.text for text in shown] == [str(pair.score) for pair in pairs]
            for text, pair in zip(shown, pairs, strict=True):
                along, across = (text.x, text.y) if seat == 1 else (text.y, text.x)
                assert along == pair.place + 1 and place < across < place + 1
                dark = pair.coprime and position.variant != "simple"
                assert text.on == (SEAT_INKS if dark else TINT_INKS)[seat - 1]


@sampled("size", SIZES)
@pytest.mark.parametrize("options", VARIANTS)
def test_sums_and_what_they_earn(size: int, options: dict[str, str]) -> None:
    position = played(size, None, size, **options)
    for seat in (1, 2):
        *facts, total = position.working_of(seat)
        for place, (fact, result) in enumerate(zip(facts, position.line_results(seat), strict=True)):
            margin = [text for text in texts(drawn(position)) if text.tag == fact and max(text.x, text.y) > size]
            assert [text.text for text in margin] == [str(result.sum), *["+5"] * (result.bonus > 0)]
            assert [text.on for text in margin[1:]] == [TINT_INKS[seat - 1]] * (result.bonus > 0)
            if seat == 2:
                assert {text.x for text in margin} == {place + 0.5}
            else:
                assert all(place < text.y < place + 1 for text in margin)
        assert [text.text for text in texts(drawn(position)) if text.tag == total] == [str(position.scores()[seat - 1])]


@pytest.mark.parametrize("options", VARIANTS)
def test_nothing_in_the_grid_covers_a_number_or_another_score(options: dict[str, str]) -> None:
    for size in SIZES:
        picture = drawn(played(size, None, 2, **options))
        plates = [shape for shape in picture.shapes if isinstance(shape, Box) and shape.radius and shape.top < size]
        numbers = [text for text in texts(picture) if not text.tag and text.y < size]
        for text in numbers:
            wide, high = text_width(text.text, text.size), 0.7 * text.size
            for plate in plates:
                beside = abs(plate.left + plate.width / 2 - text.x) - (plate.width + wide) / 2
                below = abs(plate.top + plate.height / 2 - text.y) - (plate.height + high) / 2
                assert max(beside, below) > 0, (size, text.text)
        scores = [text for text in texts(picture) if text.tag and text.y < size and text.x < size]
        for score in scores:
            wide, high = text_width(score.text, score.size), 0.7 * score.size
            over = [it for it in plates if abs(it.left + it.width / 2 - score.x) < (it.width + wide) / 2 - 1e-6]
            over = [it for it in over if abs(it.top + it.height / 2 - score.y) < (it.height + high) / 2 - 1e-6]
            assert len(over) == 1, (size, score.text)


def keyed(position: DreamMath) -> list[str]:
    return [text.text for text in texts(drawn(position)) if len(text.text) > 2][:-2]


def test_the_key_says_what_pairs_score() -> None:
    prime = "the pairs of this line add up to a prime"
    assert keyed(played(4, 0)) == ["GCD is 1: scores the smaller number", "GCD is 2 or more: scores it", prime]
    assert keyed(played(4, 0, variant="simple")) == ["a pair scores its GCD"]
    house = keyed(played(4, 0, variant="house", gcd2="max", other="divisors"))
    assert house == [
        "GCD is 1: scores the smaller number",
        "GCD 2: larger, 3: GCD",
        "GCD 4 or more: divisors of sum",
        prime,
    ]


def test_scores_that_have_no_room_between_squares_are_listed() -> None:
    options = {"variant": "house", "gcd2": "product", "gcd3": "product", "other": "product"}
    assert len(pictures(played(8, 0, **options))) == 1
    position = played(8, **options)
    _, *listed = pictures(position)
    for seat, picture in enumerate(listed, 1):
        said = " ".join(text.text for text in texts(picture))
        assert all(fact in said for fact in position.working_of(seat)[:-1])


def test_the_next_number_is_shown() -> None:
    picture = drawn(played(4, 7))
    assert "4 by 4, dream. Orange places 8 of 16" in picture.alt
    assert [text.text for text in texts(picture)][-4::2] == ["rows", "columns, next 8"]
    assert "4 by 4, dream. Blue is out after 7 of 16 moves" in drawn(played(4, 7).withdraw(1)).alt
    assert "3 by 3, simple. Finished after 9 moves" in drawn(played(3, variant="simple")).alt


def test_the_winner_stands_on_gold() -> None:
    position = played(8)
    assert (position.scores(), position.ranks()) == ((800, 833), (2, 1))
    picture = drawn(position)
    assert [text.text for text in texts(picture) if text.on == "gold" and text.y > 8] == ["833"]
    assert picture.alt == "Dream Math. 8 by 8, dream. Finished after 64 moves. Rows 800 and columns 833."
