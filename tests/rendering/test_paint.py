"""The painter: files of few colours, the same bytes every time, no slower than the encoder allows."""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image, ImageFont

from rendering import shapes
from rendering.boards import Layout, draw_grid
from rendering.painter import brushes, paint
from rendering.shapes import SEAT_INKS, SEAT_PENS, TINT_INKS, Anchor, Box, Chip, Disc, Line, Picture, Shape, Text
from rendering.theme import COLOURS, colour_ramp, palette_for
from tests.rendering.samples import drawn, others, seats

GOLDEN = Path(__file__).parent / "golden"
SAMPLES = [seats(), drawn(), *others()]


def name(picture: Picture) -> str:
    return picture.name


def opened(picture: Picture) -> Image.Image:
    return Image.open(BytesIO(paint.encode_png(picture)))


def page(*shapes: Shape, size: float = 9) -> Picture:
    return Picture("page", (0, 0, size, size), (), shapes, "A page.")


@pytest.mark.parametrize("picture", SAMPLES, ids=name)
def test_a_file_has_at_most_sixteen_colours_in_four_bits(picture: Picture) -> None:
    image = opened(picture)
    assert image.mode == "P" and image.size == picture.pixel_size
    assert len(image.getcolors() or range(99)) <= 16
    assert max(paint.paint_image(picture).tobytes()) < 16
    assert paint.encode_png(picture)[24] == 4, "bits a pixel, in the file's header"


@pytest.mark.parametrize("picture", SAMPLES, ids=name)
def test_the_same_picture_gives_the_same_bytes(picture: Picture) -> None:
    first = paint.encode_png(picture)
    paint.forget()
    assert paint.encode_png(picture) == first


def test_what_was_painted_before_leaves_no_trace() -> None:
    layout = Layout(3, 3)
    empty = Picture("three", layout.page_extent, draw_grid(layout), (), "Empty.")
    before = paint.encode_png(empty)
    paint.encode_png(replace(empty, shapes=(Chip(1.5, 1.5, 0.8, 1),)))
    paint.forget(bases=False)
    assert paint.encode_png(empty) == before


def test_threads_paint_one_picture_once(monkeypatch: pytest.MonkeyPatch) -> None:
    painted: list[Picture] = []
    image = paint.paint_image

    def slow(picture: Picture) -> Image.Image:
        painted.append(picture)
        time.sleep(0.05)
        return image(picture)

    paint.forget()
    monkeypatch.setattr(paint, "paint_image", slow)
    with ThreadPoolExecutor(4) as pool:
        files = list(pool.map(paint.encode_png, [seats(), drawn()] * 6))
    assert len(painted) == 2
    assert len(set(files)) == 2


def test_shapes_are_where_they_say() -> None:
    image = opened(page(Box(1, 1, 2, 1, "seat1"), Disc(6, 6, 1, "seat2"), Line(0, 8, 9, 8, "ink", 0.04))).convert("RGB")
    scale = 100
    assert image.getpixel((2 * scale, round(1.5 * scale))) == COLOURS["seat1"]
    assert image.getpixel((6 * scale, 6 * scale)) == COLOURS["seat2"]
    assert image.getpixel((round(6.8 * scale), round(6.8 * scale))) != COLOURS["seat2"]
    assert image.getpixel((450, 800)) == COLOURS["ink"]


@pytest.mark.parametrize("anchor", ["left", "middle", "right"])
def test_text_is_anchored_at_the_middle_of_its_digits(anchor: Anchor) -> None:
    image = opened(page(Text(4.5, 4.5, "888", 0.5, anchor=anchor))).convert("RGB")
    square = [(x, y) for x in range(340, 560) for y in range(420, 480)]
    dark = [spot for spot in square if image.getpixel(spot) == COLOURS["ink"]]
    left, right = min(x for x, _ in dark), max(x for x, _ in dark)
    edge = {"left": left, "middle": (left + right) / 2, "right": right}[anchor]
    assert edge == pytest.approx(450, abs=6)
    assert (min(y for _, y in dark) + max(y for _, y in dark)) / 2 == pytest.approx(450, abs=1.5)


def test_every_mark_is_visible_on_its_chip() -> None:
    images = {seat: opened(page(Chip(4.5, 4.5, 0.5, seat))).convert("RGB") for seat in range(1, 9)}
    marks = {
        seat: tuple(
            image.getpixel((x, y)) == COLOURS[SEAT_PENS[seat - 1]] for x in range(430, 470) for y in range(430, 470)
        )
        for seat, image in images.items()
    }
    assert not any(marks[1])
    assert all(any(marks[seat]) for seat in range(2, 9))
    assert len(set(marks.values())) == 8


def test_smoothed_edges_have_no_other_seats_colour() -> None:
    colours = palette_for(frozenset(SEAT_INKS))
    strangers = {colours.index[ink] for ink in SEAT_INKS if ink != "seat2"}
    assert not strangers.intersection(colour_ramp(colours, "seat2", "paper"))
    assert colour_ramp(colours, "seat2", "paper")[255] == colours.index["seat2"]


def test_more_than_sixteen_inks_are_refused() -> None:
    assert len(palette_for(frozenset((*SEAT_INKS, *TINT_INKS[:3]))).colours) == 16
    with pytest.raises(ValueError, match="A picture has at most 16 inks, this one 21: use fewer tints."):
        palette_for(frozenset((*SEAT_INKS, *TINT_INKS)))


def test_the_table_of_widths_is_that_of_the_typeface() -> None:
    font = ImageFont.load_default(1000)
    made = brushes.MADE_OF_PLUS
    widths = {one: round(font.getlength("+" if one in made else one)) for one in shapes.ADVANCES}
    assert widths == shapes.ADVANCES
    assert set(shapes.ADVANCES) == {*map(chr, range(32, 127)), *made}
    for size in range(22, 45):
        text = "737 789 columns"
        painted = sum(round(ImageFont.load_default(size).getlength(letter)) for letter in text)
        assert painted <= shapes.text_width(text, size) * 1.01


def test_missing_glyphs_are_found() -> None:
    assert brushes.find_missing_glyphs("abcXYZ 0189 .,:;+-=()/%°") == set()
    assert brushes.find_missing_glyphs("3×4 − ≡ é") == {"≡", "é"}


@pytest.mark.parametrize("picture", [seats(), drawn()], ids=name)
def test_golden(picture: Picture, image_snapshot: Callable[..., None]) -> None:
    image_snapshot(opened(picture).convert("RGB"), GOLDEN / f"{picture.name}.png", 0.1)
