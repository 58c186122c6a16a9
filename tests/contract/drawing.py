"""Promises about what is drawn: all of it is on its page, can be read on a phone, and has its glyphs and colours."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from itertools import chain, islice, product
from math import floor
from random import Random

from bot.features.board.match_pictures import make_score_chart
from bot.games.catalogue import load_offered_games
from bot.games.game import Game
from bot.play.match import Match
from rendering import pages as rendering_pages
from rendering.painter import brushes
from rendering.shapes import (
    DIGIT_HEIGHT,
    LEAST,
    Arc,
    Box,
    Chip,
    Disc,
    Ink,
    Line,
    Path,
    Picture,
    Ring,
    Shape,
    Text,
    inks_of,
    text_width,
)
from rendering.theme import COLOURS, COLOURS_AT_MOST
from tests.contract.playing import edge, expect, greedy, playout, playouts, records

ALT = 1024
"""The most characters of the description of a picture (Discord's limit)."""
GALLERY = 10
"""The most pictures of a message (Discord's limit)."""
PHONE = 350
"""How wide a picture is on a phone, in pixels."""
TALLEST = 1.75
"""No picture is higher than so many of its widths: more does not fit a phone's screen."""
LEGIBLE = 3.0
"""The least contrast of a text to its ground: what web pages ask of large type (WCAG 2.1, 1.4.3)."""
DECORATION: frozenset[str] = frozenset()
"""Tags of texts that no player needs, and that may be smaller than others."""
MOMENTS = 4
"""About how many moments of a match are looked at."""
PARTS, PLIES = 5, 400
"""How many moments of the largest match are looked at, beside its end, and how far it is played."""
HAIR = 0.6
"""How far a shape may lie beyond its page, in pixels: lines are as broad as whole pixels."""

Area = tuple[float, float, float, float]


def check_pictures(game: Game) -> None:
    """There are pictures for every position and viewer, each with a sentence for those who cannot see it."""
    if not is_drawn(game):
        assert game.key not in load_offered_games(), f"{game.key} has commands, and no pictures"
        return
    for match, drawn in shown(game):
        expect(0 < len(drawn) <= GALLERY, match, f"There are {len(drawn)} pictures.")
        names = [picture.name for picture in drawn]
        expect(len(set(names)) == len(names) and all(names), match, f"The pictures' names are {names}.")
        for picture in drawn:
            left, top, right, bottom = picture.extent
            expect(left < right and top < bottom, match, f"The picture's extent is {picture.extent}.")
            expect(picture.base or picture.shapes, match, "The picture is empty.")
            said = 0 < len(picture.alt) <= ALT and picture.alt.endswith(".")
            expect(said, match, f"No description: {picture.alt!r}")


def check_everything_is_on_its_page(game: Game) -> None:
    """No shape leaves its picture, and no picture is too high for a phone."""
    for match, picture in every_picture(game):
        left, top, right, bottom = picture.extent
        high = (bottom - top) / (right - left)
        expect(high <= TALLEST, match, f"{picture.name} is {high:.2f} of its width high.")
        # A sentence is made for what is wrong only: there are millions of shapes.
        off = next(outside(picture), None)
        expect(off is None, match, f"{picture.name}: off the page {picture.extent}: {off}")


def check_type_is_legible(game: Game) -> None:
    """Whatever a player needs is at least 1/30 of the picture's width high, and unlike its ground."""
    for match, picture in every_picture(game):
        fault = next((fault for text in texts(picture) if (fault := illegible(text, picture.squares_per_point))), None)
        expect(not fault, match, f"{picture.name}: {fault}")


def check_texts_do_not_touch(game: Game) -> None:
    """No text of a picture runs into another."""
    for match, picture in every_picture(game):
        met = next(touching(picture), None)
        expect(not met, match, f"{picture.name}: {met} touch.")


def check_nothing_covers_a_text(game: Game) -> None:
    """No shape is painted over the middle of a text."""
    for match, picture in every_picture(game):
        over = next(covered(picture), None)
        expect(not over, match, f"{picture.name}: {over} lies below a later shape.")


def check_digits_are_grouped(game: Game) -> None:
    """Numbers of four digits and more stand in groups of three."""
    for match, picture in every_picture(game):
        fault = next((text.text for text in texts(picture) if re.search("[0-9]{4}", text.text)), None)
        expect(not fault, match, f"{picture.name}: the digits of {fault!r} are not in groups.")


def check_players_are_named_by_their_colours(game: Game) -> None:
    """No picture calls a player by a number: the words beside it show each name with its colour."""
    for match, picture in every_picture(game):
        said = (picture.alt, *(text.text for text in texts(picture)))
        fault = next((text for text in said if re.search("(?i)(seat|player)s? [0-9]", text)), None)
        expect(not fault, match, f"{picture.name} names nobody: {fault!r}.")


def check_every_glyph_is_there(game: Game) -> None:
    """The typeface has every letter of a picture, and a picture makes do with sixteen colours."""
    for match, picture in every_picture(game):
        missing = brushes.find_missing_glyphs("".join({letter for text in texts(picture) for letter in text.text}))
        expect(not missing, match, f"{picture.name}: no glyph for {sorted(missing)}.")
        used = {ink for shape in (*picture.base, *picture.shapes) for ink in inks_of(shape) if ink}
        expect(len(used) <= COLOURS_AT_MOST - 2, match, f"{picture.name} uses {len(used)} inks.")


def check_a_legend_says_who_is_to_move(game: Game) -> None:
    """Some picture has every seat in its legend, and marks exactly who is to move."""
    if not is_drawn(game):
        return
    for match, drawn in shown(game):
        seats, marked = set[int](), set[int]()
        for picture in drawn:
            chips = [one for one in picture.shapes if isinstance(one, Chip) and one.tag == rendering_pages.SEAT]
            marks = [one for one in picture.shapes if isinstance(one, Path) and one.tag == rendering_pages.MOVES]
            seats |= {chip.seat for chip in chips}
            marked |= {chip.seat for chip in chips for mark in marks if pointed(mark, chip)}
        expect(seats == set(range(1, match.seats + 1)), match, f"The legend has the seats {sorted(seats)}.")
        expect(marked == set(match.turn), match, f"Seats {match.turn} are to move, {sorted(marked)} are marked.")


def check_finished_pictures_explain_the_scores(game: Game) -> None:
    """Every fact of the working of a finished match is shown by a shape of its pictures, which has it as its tag."""
    if not is_drawn(game):
        return
    for match in (played[-1] for played in playouts(game)):
        drawn = game.pictures(match.position)
        tags = {shape.tag for picture in drawn for shape in (*picture.base, *picture.shapes)}
        missing = [line for line in match.position.working() if line not in tags]
        expect(not missing, match, f"No shape shows {missing[:3]}: none has it as its tag.")


def is_drawn(game: Game) -> bool:
    """Whether the game has pictures yet."""
    return bool(pictures(playouts(game)[0][0]))


# What is looked at.


def pictures(match: Match, viewer: int | None = None) -> tuple[Picture, ...]:
    """The pictures of a match as somebody sees it."""
    return match.game.pictures(match.position.seen_by(viewer))


@cache
def scores(match: Match) -> tuple[Picture, ...]:
    """How the scores of a match went, where there is anything to see."""
    found = make_score_chart(match)
    return (found,) if found else ()


def recorded(game: Game) -> Iterator[tuple[Match, ...]]:
    """Every recorded match of a game, as the match at every ply."""
    for row in records(game):
        moments = [Match.start(game, row.get("options", {}), row["seats"])]
        for seat, text in row["moves"]:
            moments.append(moments[-1].enter(seat, text))
        yield tuple(moments)


def thinned(moments: tuple[Match, ...]) -> tuple[Match, ...]:
    """Some moments of a match, its start and its end among them: what is drawn after a move differs little from before,
    and there are as many matches as there are ways to fill a board."""
    inner, step = moments[1:-1], max(1, len(moments) // MOMENTS)
    return (moments[0], *inner[::step], *moments[-1:])


@cache
def largest(game: Game) -> tuple[Match, ...]:
    """Some moments of a match with the largest value of every option and the most seats, its start and end included."""
    seats = game.seats[-1]
    start = Match.start(game, greedy(game, edge(game.Options.bounds(), -1), seats), seats)
    played = list(islice(_as_far_as_lot_finds(start), PLIES))
    return (*(played[len(played) * part // PARTS] for part in range(PARTS)), played[-1])


def _as_far_as_lot_finds(match: Match) -> Iterator[Match]:
    """The match at every ply: in a game with open moves lot may find none although there are some."""
    moments = playout(match, Random(match.game.key))
    with suppress(AssertionError):
        yield from moments


@cache
def shown(game: Game) -> tuple[tuple[Match, tuple[Picture, ...]], ...]:
    """Positions on the way of every playout and every recorded match, and of the largest, as each viewer sees them."""
    found: list[tuple[Match, tuple[Picture, ...]]] = []
    matches = (*playouts(game), *recorded(game))
    for match in (*chain.from_iterable(map(thinned, matches)), *largest(game)):
        own = match.turn if game.secret else ()
        found += [(match, pictures(match, viewer)) for viewer in (None, *own)]
    return tuple(found)


@cache
def every_picture(game: Game) -> tuple[tuple[Match, Picture], ...]:
    """Every different picture that is shown, with a match at which it is; the scores of finished ones too."""
    found: dict[Picture, Match] = {}
    charts = ((match, scores(match)) for match, _ in shown(game) if match.is_over)
    for match, drawn in chain(shown(game), charts):
        for picture in drawn:
            found.setdefault(picture, match)
    return tuple((match, picture) for picture, match in found.items())


def texts(picture: Picture) -> list[Text]:
    """What is written on a picture."""
    return [shape for shape in (*picture.base, *picture.shapes) if isinstance(shape, Text)]


# Measuring.


def outside(picture: Picture) -> Iterator[Shape]:
    """The shapes of a picture that leave its page."""
    left, top, right, bottom = picture.extent
    hair = HAIR / picture.pixels_per_square
    for shape in (*picture.base, *picture.shapes):
        x1, y1, x2, y2 = area(shape)
        if not (left - hair <= x1 and top - hair <= y1 and x2 <= right + hair and y2 <= bottom + hair):
            yield shape


def illegible(text: Text, point: float) -> str | None:
    """Why a text cannot be read, where a point is so many squares; None if it can."""
    big = text.size / point
    if text.tag not in DECORATION and big <= LEAST - 0.01:
        return f"{big:.1f} points are too small to read: {text}"
    if contrast(text.ink, text.on) < LEGIBLE:
        return f"{text.ink} on {text.on} cannot be read: {text}"
    return None


def area(shape: Shape) -> Area:
    """The left, top, right and bottom of a shape."""
    match shape:
        case Box():
            return shape.left, shape.top, shape.left + shape.width, shape.top + shape.height
        case Line():
            return around([(shape.x1, shape.y1), (shape.x2, shape.y2)], shape.weight / 2)
        case Path():
            return around(shape.spots, shape.weight / 2 if shape.ink else 0)
        case Disc() | Arc() | Ring():
            return around([(shape.x, shape.y)], shape.radius)
        case Chip():
            return around([(shape.x, shape.y)], shape.size / 2)
        case Text():
            wide, half = text_width(shape.text, shape.size), DIGIT_HEIGHT * shape.size / 2
            left = shape.x - {"left": 0.0, "middle": 0.5, "right": 1.0}[shape.anchor] * wide
            return left, shape.y - half, left + wide, shape.y + half


def touching(picture: Picture) -> Iterator[tuple[str, str]]:
    """Texts of a picture that lie over each other by more than a point."""
    near: list[tuple[Area, str]] = []
    point = picture.squares_per_point
    for it, text in sorted((area(text), text.text) for text in texts(picture) if text.text):
        left, top, _, bottom = it
        near = [(other, said) for other, said in near if other[2] - point > left]
        for other, said in near:
            if other[1] + point < bottom and top + point < other[3]:
                yield said, text
        near.append((it, text))


def covered(picture: Picture) -> Iterator[str]:
    """The texts of a picture whose middle lies below a later shape that is filled."""
    # By the square that they stand in: most shapes are small, and large ones are grounds below everything.
    near: defaultdict[tuple[int, int], list[Text]] = defaultdict(list)
    for shape in (*picture.base, *picture.shapes):
        if isinstance(shape, Text):
            near[floor(shape.x), floor(shape.y)].append(shape)
        elif isinstance(shape, Disc) or (isinstance(shape, Chip) and not shape.corner) or getattr(shape, "fill", None):
            left, top, right, bottom = area(shape)
            squares = product(range(floor(left) - 1, floor(right) + 2), range(floor(top), floor(bottom) + 1))
            for text in chain.from_iterable(near[square] for square in squares if square in near):
                start, _, end, _ = area(text)
                if left < (start + end) / 2 < right and top < text.y < bottom:
                    yield text.text


def around(spots: list[tuple[float, float]] | tuple[tuple[float, float], ...], reach: float) -> Area:
    """The area of some spots and what is so near to them."""
    xs, ys = zip(*spots, strict=True)
    return min(xs) - reach, min(ys) - reach, max(xs) + reach, max(ys) + reach


def pointed(mark: Path, chip: Chip) -> bool:
    """Whether a mark stands at the left of a chip."""
    _, top, right, bottom = area(mark)
    return top < chip.y < bottom and 0 <= chip.x - chip.size / 2 - right < chip.size


@cache
def contrast(ink: Ink, on: Ink) -> float:
    """The contrast of an ink to its ground, as web pages reckon it: 1 for none, 21 for black on white."""
    light, dark = sorted((luminance(COLOURS[ink]), luminance(COLOURS[on])), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def luminance(colour: tuple[int, int, int]) -> float:
    """How bright a colour is, 0 to 1."""
    red, green, blue = (
        value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4
        for value in (channel / 255 for channel in colour)
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def smallest(game: Game) -> tuple[float, str]:
    """The smallest type of a game on a phone, in pixels, and a text that has it."""
    sizes = (
        (text.size / (picture.extent[2] - picture.extent[0]) * PHONE, text.text)
        for _, picture in every_picture(game)
        for text in texts(picture)
    )
    return min(chain(sizes, [(float("inf"), "")]))
