"""The pictures of Multiples/Divisors Blob: the blob, what each line is worth, and on a finished board its runs."""

from __future__ import annotations

import random

import pytest

from cogs.multiples_divisors_blob.picture import CELL, PITCH, START, STRIP, pictures
from cogs.multiples_divisors_blob.rules import MultiplesDivisorsBlob, find_clash, run_lengths
from rendering.shapes import SEAT_INKS, TINT_INKS, Box, Chip, Disc, Line, Picture, Text

SIZES = range(6, 17)


def played(size: int, plies: int | None = None, seed: int = 1) -> MultiplesDivisorsBlob:
    """A random position after so many plies; the end of the match if none are given."""
    lot, position = random.Random(seed), MultiplesDivisorsBlob(size)
    for _ in range(position.length if plies is None else plies):
        (seat,) = position.turn
        position = position.play(seat, lot.choice(list(position.moves(seat))))
    return position


def runs_of(text: Text) -> bool:
    """Whether a text is the length of a run in a list."""
    return text.anchor == "middle" and START < text.x < START + STRIP


def texts(picture: Picture) -> list[Text]:
    return [shape for shape in picture.shapes if isinstance(shape, Text)]


@pytest.mark.parametrize("size", [6, 9, 16])
@pytest.mark.parametrize("share", [0, 0.3, 1])
def test_pieces_the_last_move_and_where_the_blob_can_grow(size: int, share: float) -> None:
    position = played(size, int(share * MultiplesDivisorsBlob(size).length), seed=size)
    board = pictures(position)[0]
    chips = [shape for shape in board.shapes if isinstance(shape, Chip) and shape.y < size]
    owned = {index: position.owner(index) for index in range(size**2) if position.owner(index)}
    assert {int(chip.y) * size + int(chip.x): chip.seat for chip in chips} == owned
    gold = [shape for shape in board.shapes if isinstance(shape, Box) and shape.fill == "gold" and shape.top < size]
    assert [int(box.top) * size + int(box.left) for box in gold] == ([] if position.last is None else [position.last])
    dots = {(int(shape.x), int(shape.y)) for shape in board.shapes if isinstance(shape, Disc) and shape.y < size}
    growing = position.turn and position.plies
    assert len(dots) == (len(list(position.moves(position.turn[0]))) if growing else 0)
    assert {f"{chr(97 + x)}{y + 1}" for x, y in dots} <= {
        move for seat in position.turn for move in position.moves(seat)
    }


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("share", [0, 0.4, 1])
def test_the_margin_has_a_point_or_two_runs_that_fail(size: int, share: float) -> None:
    position = played(size, int(share * MultiplesDivisorsBlob(size).length), seed=size + 1)
    board = pictures(position)[0]
    for seat in (1, 2):
        *facts, total = position.working_of(seat)
        for place, (fact, line) in enumerate(zip(facts, position.list_lines(seat), strict=True)):
            shown = [text for text in texts(board) if text.tag == fact]
            runs = run_lengths(line)
            pair = find_clash(runs)
            wanted = sorted((runs[pair.one], runs[pair.other])) if pair else [1]
            assert [int(text.text) for text in shown] == wanted
            assert {text.on for text in shown} == {"paper" if pair else TINT_INKS[seat - 1]}
            for text in shown:
                along, away = (text.y, text.x) if seat == 1 else (text.x, text.y)
                assert along == place + 0.5 and away > size
        assert [text.text for text in texts(board) if text.tag == total] == [str(position.scores()[seat - 1])]


@pytest.mark.parametrize("size", SIZES)
def test_a_list_shows_every_line_run_by_run(size: int) -> None:
    position = played(size, seed=5)
    board, *lists = pictures(position)
    assert [board.name, *(page.name for page in lists)] == [
        "multiples-divisors-blob",
        "multiples-divisors-blob-rows",
        "multiples-divisors-blob-columns",
    ]
    for seat, page in zip((1, 2), lists, strict=True):
        *facts, total = position.working_of(seat)
        scale = min(CELL, STRIP / size)
        lines = sorted({text.y for text in texts(page) if runs_of(text)})
        for fact, line, y in zip(facts, position.list_lines(seat), lines, strict=True):
            runs = run_lengths(line)
            shown = [text for text in texts(page) if text.y == y and runs_of(text)]
            assert [int(text.text) for text in shown] == list(runs)
            squares = "".join(("1" if text.on == "ink" else "0") * int(text.text) for text in shown)
            assert squares == line
            bars = [
                it for it in page.shapes if isinstance(it, Line) and it.tag == fact and it.ink == SEAT_INKS[seat - 1]
            ]
            pair = find_clash(runs)
            under = [START + scale * (sum(runs[:place]) + runs[place] / 2) for place in pair] if pair else []
            assert [(bar.x1 + bar.x2) / 2 for bar in bars] == pytest.approx(under)
            assert all(y < bar.y1 < y + PITCH / 2 for bar in bars)
            result = [text.text for text in texts(page) if text.tag == fact]
            assert result[-1] == ("0" if pair else "1")
        assert [text.text for text in texts(page) if text.tag == total] == [str(position.scores()[seat - 1])]


def test_the_winner_stands_on_gold() -> None:
    position = played(16)
    assert (position.scores(), position.ranks()) == ((3, 11), (2, 1))
    board, rows, columns = pictures(position)
    assert [text.text for text in texts(board)][-4:] == ["rows", "3", "columns", "11"]
    assert [text.text for text in texts(board) if text.on == "gold"] == ["11"]
    assert [[text.text for text in texts(page) if text.on == "gold"] for page in (rows, columns)] == [[], ["11"]]
    assert board.alt == "Multiples/Divisors Blob. 16 by 16. Finished after 128 moves. Rows 3 and columns 11."
    assert rows.alt == "The runs of every row: 3 of 16 score."


def test_the_subtitle_says_how_far_the_match_is() -> None:
    assert "8 by 8. Move 12 of 32" in pictures(played(8, 12))[0].alt
    left = pictures(played(8, 12).withdraw(2))
    assert "8 by 8. Orange is out after 12 of 32 moves" in left[0].alt and len(left) == 3
