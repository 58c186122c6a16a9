"""Files of palette pictures: another decoder finds every pixel and colour in them, and every checksum right."""

from __future__ import annotations

from io import BytesIO
from itertools import cycle, islice

import pytest
from PIL import Image

from rendering.painter import paint
from rendering.painter.paint import encode_indexed_png
from rendering.shapes import Box, Picture
from tests.rendering.samples import drawn, others, seats


def pixels(file: bytes) -> bytes:
    image = Image.open(BytesIO(file))
    image.verify()
    return Image.open(BytesIO(file)).tobytes()


@pytest.mark.parametrize("picture", [seats(), drawn(), *others()], ids=lambda picture: picture.name)
def test_a_file_holds_what_was_painted(picture: Picture) -> None:
    painted, file = paint.paint_image(picture), paint.encode_png(picture)
    assert pixels(file) == painted.tobytes()
    assert Image.open(BytesIO(file)).convert("RGB").tobytes() == painted.convert("RGB").tobytes()


@pytest.mark.parametrize("width", [1, 2, 899, 900])
def test_rows_of_even_and_of_odd_width_end_where_they_should(width: int) -> None:
    row = bytes(islice(cycle(range(16)), width + width % 2))
    packed = b"\0" + bytes(a << 4 | b for a, b in zip(row[::2], row[1::2], strict=True))
    assert pixels(encode_indexed_png(width, 3, bytes(range(48)), packed * 3)) == row[:width] * 3


@pytest.mark.parametrize("width", [881, 900])
def test_a_picture_of_odd_width_is_not_sheared(width: int) -> None:
    picture = Picture("bar", (0, 0, width, 40), (), (Box(width - 3, 0, 3, 40, "seat1"),), "A bar.")
    rows = pixels(paint.encode_png(picture))
    assert len(rows) == 40 * width
    assert {rows[end - 3 : end] for end in range(width, len(rows) + 1, width)} == {rows[-3:]}
