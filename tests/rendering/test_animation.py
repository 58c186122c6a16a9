"""Moving pictures: one page and one palette for all frames, each showing exactly what the painter painted."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence

import pytest
from PIL import Image

from rendering.boards import Layout, draw_grid, place_chip
from rendering.painter import paint
from rendering.painter.brushes import PixelLayout
from rendering.painter.paint import LAST, MOST_FRAMES, QUICK, SLOW, Work, frame_time, make_film, page_sizes, pick_evenly
from rendering.shapes import SEAT_INKS, TINT_INKS, Box, Ink, Picture
from tests.rendering import gifs
from tests.rendering.samples import picture


def growing(count: int, rows: int = 3) -> list[Picture]:
    """A board on which chips are placed, and which gets longer with them."""
    found: list[Picture] = []
    for place in range(count):
        layout = Layout(5, rows + place // 4, below=40)
        chips = [place_chip(at % 5, at // 5 % rows, 1 + at % 2) for at in range(place)]
        found.append(picture(layout, draw_grid(layout), chips))
    return found


def made(work: Work) -> bytes | None:
    """What comes of the work."""
    while True:
        try:
            next(work)
        except StopIteration as stop:
            return stop.value


def surely(pictures: Sequence[Picture], most_bytes: int = paint.MOST_BYTES) -> bytes:
    data = made(make_film(pictures, most_bytes))
    assert data is not None
    return data


def shown(data: bytes) -> Iterator[Image.Image]:
    """Each frame as a viewer shows it."""
    with Image.open(io.BytesIO(data)) as image:
        for place in range(getattr(image, "n_frames", 1)):
            image.seek(place)
            yield image.convert("RGB")


def painted(pictures: Sequence[Picture]) -> Iterator[Image.Image]:
    """The pictures one by one, each painted whole."""
    atlas, pages = paint.shared_atlas(frozenset[Ink]().union(*map(paint.used_inks, pictures))), page_sizes(pictures)
    for image in paint.paint_indexed(zip(pictures, pages, strict=True), atlas):
        image.putpalette(atlas.bytes)
        yield image.convert("RGB")


def test_every_frame_shows_exactly_what_the_painter_paints() -> None:
    pictures = growing(9)
    data = surely(pictures)
    pages = page_sizes(pictures)
    assert {(page.width, page.height) for page in pages} == {max(PixelLayout.for_picture(one)[1:3] for one in pictures)}
    frames = [frame.tobytes() for frame in shown(data)]
    assert frames == [whole.tobytes() for whole in painted(pictures)]
    assert frames[-1] == paint.paint_image(pictures[-1]).convert("RGB").tobytes()


def test_all_frames_share_a_page_and_a_palette_and_the_last_stays() -> None:
    gif = gifs.read(surely(growing(9)))
    assert (gif.loops, len(gif.frames), {frame.own_palette for frame in gif.frames}) == (0, 9, {False})
    assert (gif.frames[0].width, gif.frames[0].height) == (gif.width, gif.height)
    assert [frame.time for frame in gif.frames] == [SLOW] * 8 + [LAST]
    assert {frame.disposal for frame in gif.frames} == {paint.KEEP}
    assert all(one.width * one.height < gif.width * gif.height / 4 for one in gif.frames[1:4]), "more than the move"


def test_a_frame_in_which_nothing_changes_is_a_frame_all_the_same() -> None:
    pictures = growing(3)
    gif = gifs.read(surely([pictures[0], pictures[2], pictures[2], pictures[2]]))
    assert [(one.width, one.height) for one in gif.frames[2:]] == [(1, 1), (1, 1)]


def test_a_single_picture_is_a_film() -> None:
    gif = gifs.read(surely(growing(1)))
    assert [frame.time for frame in gif.frames] == [LAST]


def test_pictures_of_several_scales_lie_at_the_top_left_of_one_page() -> None:
    pictures = [*growing(2), *(picture(layout := Layout(7, 9), draw_grid(layout), ()) for _ in range(2))]
    assert len({one.pixels_per_square for one in pictures}) == 2
    data = surely(pictures)
    gif = gifs.read(data)
    assert (gif.width, gif.height) == tuple(max(one.pixel_size[side] for one in pictures) for side in (0, 1))
    for frame, one in zip(shown(data), pictures, strict=True):
        width, height = one.pixel_size
        inner = (0, 0, width - 1, height - 1)
        assert frame.crop(inner).tobytes() == paint.paint_image(one).convert("RGB").crop(inner).tobytes()


def test_more_inks_than_one_picture_may_have_share_a_palette() -> None:
    layout = Layout(8, 2, below=40)
    pictures = [
        picture(layout, draw_grid(layout), [Box(seat, 0, 1, 1, TINT_INKS[seat]), Box(seat, 1, 1, 1, SEAT_INKS[seat])])
        for seat in range(8)
    ]
    assert len(gifs.read(surely(pictures)).palette) > 3 * 16


def test_a_long_match_skips_evenly_and_keeps_both_ends() -> None:
    places = pick_evenly(1000, MOST_FRAMES)
    assert (len(places), places[0], places[-1]) == (MOST_FRAMES, 0, 999)
    assert {after - before for before, after in zip(places, places[1:], strict=False)} <= {3, 4}
    tiny = [picture(Layout(40, 1, below=0), (), [place_chip(at % 40, 0, 1)]) for at in range(MOST_FRAMES + 50)]
    frames = gifs.read(surely(tiny)).frames
    assert (len(frames), frames[0].time, frames[-1].time) == (MOST_FRAMES, QUICK, LAST)


@pytest.mark.parametrize(("frames", "time"), [(2, SLOW), (50, SLOW), (60, 1000), (80, 750), (300, QUICK)])
def test_a_long_film_is_quick_and_a_short_one_slow(frames: int, time: int) -> None:
    assert frame_time(frames) == time


def test_a_film_that_is_too_large_has_fewer_frames_then_smaller_ones() -> None:
    layout = Layout(5, 3, below=40)
    rows = [[place_chip(column, at % 3, 1 + at % 8) for column in range(5)] for at in range(16)]
    pictures = [picture(layout, draw_grid(layout), row) for row in rows]
    whole = surely(pictures)
    fewer = surely(pictures, len(whole) - 1)
    first, second = gifs.read(whole), gifs.read(fewer)
    assert len(fewer) < len(whole) - 1
    assert len(second.frames) < len(first.frames)
    assert (second.width, second.height) == (first.width, first.height)
    small = gifs.read(surely(pictures, len(surely(pictures[:1])) // 2))
    assert small.width < first.width and small.frames[-1].time == LAST
    assert made(make_film(pictures, 1000)) is None


def test_the_work_stops_when_a_picture_was_looked_at_and_when_it_was_painted() -> None:
    pictures = growing(6)
    assert len(list(make_film(pictures))) == 2 * len(pictures)
