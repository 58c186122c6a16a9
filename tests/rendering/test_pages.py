"""The parts below a board: the key, the legend with who is to move and who has won, and lists that go on."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from rendering import boards
from rendering import pages as rendering_pages
from rendering.boards import Layout, Sign
from rendering.pages import LegendEntry, ListRow
from rendering.shapes import EDGE, LEAST, Box, Chip, Disc, Path, Picture, Shape, Text, group_digits, text_width
from tests.rendering.samples import seats


class Running:
    """A match of two seats in which seat 2 is to move."""

    turn = (2,)

    def scores(self) -> tuple[int, ...]:
        return 3, 1

    def ranks(self) -> tuple[int, ...] | None:
        return None


def texts(shapes: Iterable[Shape]) -> list[Text]:
    return [shape for shape in shapes if isinstance(shape, Text)]


def board(entries: Iterable[LegendEntry], size: int = 8) -> Picture:
    return rendering_pages.make_page(Layout(size, size), "board", "A board.", (), (), tuple(entries))


def test_the_legend_points_at_who_is_to_move() -> None:
    entries = rendering_pages.make_legend_entries(
        Running(), ("rows", "columns"), ("6", "12"), ("row fact", "column fact")
    )
    shapes = board(entries).shapes
    (mark,) = [shape for shape in shapes if isinstance(shape, Path)]
    chips = [shape for shape in shapes if isinstance(shape, Chip)]
    tip, _, _ = mark.spots
    assert [chip.seat for chip in chips] == [1, 2]
    assert chips[0].x < tip[0] < chips[1].x and tip[1] == chips[1].y
    assert [(text.text, text.ink, text.tag) for text in texts(shapes)] == [
        ("rows", "faded", ""),
        ("6", "ink", "row fact"),
        ("columns", "ink", ""),
        ("12", "ink", "column fact"),
    ]


@pytest.mark.parametrize("count", range(1, 9))
@pytest.mark.parametrize("total", [9, 10**8, 2039**11])
def test_a_legend_stays_on_its_page(count: int, total: int) -> None:
    entries = [LegendEntry(seat, f"seat {seat}", group_digits(total), moves=True) for seat in range(1, count + 1)]
    picture = board(entries)
    unit, (left, _, right, bottom) = picture.squares_per_point, picture.extent
    assert [shape.seat for shape in picture.shapes if isinstance(shape, Chip)] == list(range(1, count + 1))
    written = texts(picture.shapes)
    assert "".join(text.text for text in written if text.anchor == "right").replace(" ", "") == str(total) * count
    assert all(text.size >= LEAST * unit * 0.999 and text.y + text.size / 2 < bottom for text in written)
    for text in written:
        start = text.x - (text_width(text.text, text.size) if text.anchor == "right" else 0)
        assert left < start and start + text_width(text.text, text.size) < right
    on_a_line = {round(chip.y, 6) for chip in picture.shapes if isinstance(chip, Chip)}
    assert len(on_a_line) == (-(-count // 2) if total < 10**9 else count)


def test_the_winner_stands_on_gold() -> None:
    shapes = seats().shapes
    assert [text.text for text in texts(shapes) if text.on == "gold"] == [group_digits(3 * 7919**2)]
    assert [box.fill for box in shapes if isinstance(box, Box) and box.radius] == ["gold"]


def test_a_key_has_a_line_for_each_sign() -> None:
    def dot(x: float, y: float) -> Iterable[Shape]:
        return (Disc(x, y, 0.1),)

    signs = [Sign("a sign and its words", 20, dot)] * 3
    layout = Layout(8, 8)
    shapes = list(boards.draw_key(layout, signs, 0))
    dots = [shape for shape in shapes if isinstance(shape, Disc)]
    assert len({place.y for place in dots}) == 3 and {place.x for place in dots} == {layout.edges[0]}
    assert boards.key_height(signs) == 3 * boards.KEY_ROW
    assert all(text.x + text_width(text.text, text.size) <= layout.edges[1] for text in texts(shapes))


def test_a_list_goes_on_on_a_further_picture() -> None:
    def row(number: int) -> ListRow:
        def draw(y: float) -> Iterable[Shape]:
            return (Text(EDGE, y, str(number), LEAST, anchor="left"),)

        return ListRow(300, draw)

    entries = [LegendEntry(1, "rows", "6")]
    first, second = rendering_pages.make_list_pages(
        "list", "A list.", [row(number) for number in range(6)], entries, rendering_pages.make_heading_row("rows")
    )
    assert (first.name, second.name) == ("list-1", "list-2")
    assert (first.alt, second.alt) == ("A list. Page 1 of 2.", "A list. Page 2 of 2.")
    assert [text.text for text in texts(first.shapes)] == ["rows", "0", "1", "2"]
    assert [text.text for text in texts(second.shapes)] == ["rows", "3", "4", "5", "rows", "6"]
    (short,) = rendering_pages.make_list_pages("list", "A list.", [row(1)])
    assert (short.name, short.alt) == ("list", "A list.") and short.pixel_size == (900, 320 + EDGE / 2)
