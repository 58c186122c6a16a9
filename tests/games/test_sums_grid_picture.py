"""The pictures of Sums Grid: what a player, a spectator and everybody at the end gets to see, legibly."""

from __future__ import annotations

import pytest

from bot.games.position import Viewer
from bot.play.match import Match
from cogs.sums_grid import GAME
from cogs.sums_grid.picture import pictures
from cogs.sums_grid.rules import SumsGrid
from rendering.shapes import Box, Picture, Shape, Text

HIS, TOP, PLAIN = "grid 2 9 8 / 3 1 10 / 7 6 15", "grid 3 16 2 / 5 4 11 / 17 6 1", "grid 1 2 3 / 4 5 6 / 7 8 9"
NONE = "grid 2 3 4 / 5 6 7 / 8 9 10"
GOOD = {
    2: "grid 1 3 / 6 2",
    3: TOP,
    4: "grid 19 9 26 10 / 8 5 7 29 / 16 20 11 1 / 22 17 4 2",
    5: "grid 31 21 27 5 2 / 16 30 17 14 7 / 9 23 20 28 1 / 33 39 6 12 3 / 8 24 41 10 25",
}
"""A good grid of each size."""
HUGE = {
    size: "grid "
    + " / ".join(" ".join(str(9999 - size * row - column) for column in range(size)) for row in range(size))
    for size in GOOD
}
"""The longest numbers there can be."""


def position(size: int, seats: int, *moves: tuple[int, str], viewer: Viewer = 0, diagonals: bool = False) -> SumsGrid:
    match = Match.start(GAME, {"size": size, "diagonals": "yes" if diagonals else "no"}, seats)
    for seat, text in moves:
        match = match.enter(seat, text)
    assert isinstance(match.position, SumsGrid)
    return match.position if viewer == 0 else match.position.seen_by(viewer)


def finished(size: int, seats: int, viewer: Viewer = None, diagonals: bool = False) -> SumsGrid:
    """Everybody's grid is good but orange's, and the last but one leaves."""
    moves = [(seat, HUGE[size] if seat == 2 else GOOD[size]) for seat in range(1, seats + 1)]
    ends = [(seat, "resign" if seat == seats - 1 > 2 else "done") for seat in range(1, seats + 1)]
    return position(size, seats, *moves, *ends, viewer=viewer, diagonals=diagonals)


def texts(picture: Picture) -> list[str]:
    return [shape.text for shape in (*picture.base, *picture.shapes) if isinstance(shape, Text)]


def box_around(picture: Picture, text: Text) -> Box:
    """The last box painted before a text on which it stands."""
    shapes: tuple[Shape, ...] = picture.shapes
    boxes = [shape for shape in shapes[: shapes.index(text)] if isinstance(shape, Box)]
    inside = [
        box for box in boxes if box.left < text.x < box.left + box.width and box.top < text.y < box.top + box.height
    ]
    return inside[-1]


def sign(picture: Picture, number: int, top: float) -> Box:
    """The box of a number of the strip, which is below this height."""
    (text,) = [it for it in picture.shapes if isinstance(it, Text) and it.text == str(number) and it.y > top]
    return box_around(picture, text)


# A player's own picture.


def test_a_player_sees_the_grid_and_what_it_reaches() -> None:
    (sheet,) = pictures(position(3, 3, (1, HIS), (2, TOP), (2, "done"), viewer=1))
    assert "3 by 3. Par: 26 is the maximum" in sheet.alt
    shown = texts(sheet)
    assert shown[:9] == HIS.replace("/", " ").split()[1:]
    assert {"best grid reaches", "19", "= 2 + 9 + 8", "20", "is missing"} <= set(shown)
    assert shown[-6:] == ["blue", "working", "orange", "done", "green", "working"]
    assert sheet.alt.endswith("Your best grid. 1 to 19 are sums, 20 is missing.")


def test_the_strip_tells_reached_missing_and_other_numbers_apart() -> None:
    (sheet,) = pictures(position(3, 2, (2, HIS), viewer=2))
    signs = {number: sign(sheet, number, 13) for number in (4, 18, 19, 20, 21, 22, 25, 26)}
    assert {signs[number].fill for number in (4, 18, 19)} == {"tint2"}
    assert signs[19].line == "seat2" and signs[18].line is None
    assert signs[20].fill == "ink"
    assert [(signs[number].fill, signs[number].line) for number in (21, 25)] == [(None, "seat2")] * 2
    assert [(signs[number].fill, signs[number].line) for number in (22, 26)] == [(None, "faded")] * 2
    shown = texts(sheet)
    assert {"2+9+8", "9+1+6", "8+10", "missing", "6+15"} <= set(shown)
    assert shown.count("28") == 1 and "29" not in shown


def test_the_squares_that_make_the_last_number_are_framed() -> None:
    # Row 1 makes 19; each square of the large grid is 4 wide.
    (sheet,) = pictures(position(3, 2, (1, HIS), viewer=1))
    frame = next(shape for shape in sheet.shapes if isinstance(shape, Box))
    assert (frame.left, frame.top, frame.width, frame.height) == (0, 0.4, 12, 4)
    (sheet,) = pictures(position(3, 2, (1, TOP), viewer=1))
    frame = next(shape for shape in sheet.shapes if isinstance(shape, Box))
    assert (frame.left, frame.top, frame.width, frame.height) == (4, 0.4, 4, 12)


def test_the_latest_grid_has_a_page_of_its_own_when_it_is_not_the_best() -> None:
    best, latest = pictures(position(3, 2, (1, HIS), (1, PLAIN), viewer=1))
    assert (best.name, latest.name) == ("sums-grid", "sums-grid-latest")
    assert "best grid reaches" in texts(best) and "latest grid reaches" in texts(latest)
    assert sign(latest, 10, 13).fill == "ink"
    assert len(pictures(position(3, 2, (1, PLAIN), (1, HIS), viewer=1))) == 1


def test_before_the_first_grid_the_task_is_told() -> None:
    (sheet,) = pictures(position(3, 2, viewer=1))
    assert "no grid yet" in texts(sheet) and "numbers whose sums are" in texts(sheet)
    assert sign(sheet, 1, 13).fill == "ink"


def test_who_is_done_is_told_so() -> None:
    (sheet,) = pictures(position(3, 2, (1, HIS), (1, "done"), viewer=1))
    assert "3 by 3. You are done. Par: 26 is the maximum" in sheet.alt
    (sheet,) = pictures(position(3, 3, (1, HIS), (1, "resign"), viewer=1))
    assert "3 by 3. You have left. Par: 26 is the maximum" in sheet.alt


@pytest.mark.parametrize("size", [4, 5])
def test_larger_grids_have_their_sums_listed(size: int) -> None:
    seen = position(size, 2, (1, GOOD[size]), viewer=1)
    sheet, listed = pictures(seen)
    reached = seen.scores()[0]
    assert f"How blue's best grid makes 1 to {reached}" in listed.alt
    entries = [text.partition(" = ") for text in texts(listed) if " = " in text]
    alone = [
        int(word.strip(",")) for text in texts(listed) if "," in text for word in text.split() if word[0].isdigit()
    ]
    assert sorted([*alone, *(int(number) for number, _, _ in entries)]) == list(range(1, reached + 1))
    assert all(int(number) == sum(map(int, words.split("+"))) for number, _, words in entries)
    assert texts(listed)[-2:] == [str(reached + 1), "is missing"]
    assert not any("+" in text for text in texts(sheet) if "=" not in text)


# Spectators.


def test_a_spectator_sees_who_works_and_nothing_else() -> None:
    one = position(3, 3, (1, HIS), (1, TOP), (2, "resign"), (1, "done"), viewer=None)
    other = position(3, 3, (1, PLAIN), (2, "resign"), (1, "done"), (3, HIS), viewer=None)
    (status,) = pictures(one)
    assert pictures(one) == pictures(other)
    assert [text for text in texts(status) if text in ("working", "done", "left")] == ["done", "left", "working"]
    assert texts(status).count("?") == 9
    assert status.alt.endswith("Blue done, orange left and green working.")


def test_a_spectator_of_somebody_alone_sees_the_score_and_no_grid() -> None:
    ended = position(3, 1, (1, HIS), (1, "done"))
    (status,) = pictures(ended.seen_by(None))
    assert {"19", "1 to 19 are sums,", "20 is missing"} <= set(texts(status)) and "15" not in texts(status)
    (sheet,) = pictures(ended.seen_by(1))
    assert "15" in texts(sheet) and "3 by 3. Finished. Par: 26 is the maximum" in sheet.alt


# The end.


def test_the_end_shows_everybodys_best_grid_and_the_winners_sums() -> None:
    ended = position(3, 2, (1, HIS), (2, TOP), (1, PLAIN), (1, "done"), (2, "done"), viewer=None)
    grids, listed = pictures(ended)
    assert texts(grids)[1:10] == HIS.replace("/", " ").split()[1:]
    gold = [shape for shape in grids.shapes if isinstance(shape, Box) and shape.fill == "gold"]
    assert len(gold) == 1 and gold[0].left > 14
    assert {"19", "26", "20 is missing", "27 is missing", "par 26"} <= set(texts(grids))
    assert listed.name == "sums-grid-sums-2" and "26 = 16+4+6" in texts(listed)
    assert [page.name for page in pictures(ended.seen_by(1))[1:]] == ["sums-grid-sums-1", "sums-grid-sums-2"]


def test_the_bar_is_filled_as_far_as_the_grid_reaches() -> None:
    ended = position(3, 2, (1, HIS), (2, TOP), (1, "done"), (2, "done"), viewer=None)
    bars = [shape for shape in pictures(ended)[0].shapes if isinstance(shape, Box) and shape.height == 0.9]
    first = [(round(box.left * 27 / 13, 6), round(box.width * 27 / 13, 6), box.fill) for box in bars[:4]]
    assert first == [(0, 19, "seat1"), (20, 1, "tint1"), (24, 1, "tint1"), (0, 27, None)]


def test_a_diagonal_has_a_frame_around_each_of_its_squares_and_no_par() -> None:
    ended = position(2, 2, (1, "grid 2 1 / 4 5"), (2, "grid 1 3 / 6 2"), (1, "done"), (2, "done"), diagonals=True)
    grids, *_ = pictures(ended.seen_by(None))
    assert ended.working()[1] == "player 1: 7 = 2 + 5"
    framed = [shape for shape in grids.shapes if isinstance(shape, Box) and shape.tag == "player 1: 7 = 2 + 5"]
    assert [(box.left, box.top) for box in framed] == [(0, 2.6), (6.5, 9.1)]
    assert not [text for text in texts(grids) if "par" in text] and "2 by 2 with diagonals. Finished" in grids.alt


def test_without_a_grid_the_end_says_so() -> None:
    ended = position(3, 3, (1, "resign"), (2, NONE), (2, "done"), (3, "resign"), viewer=None)
    (grids,) = pictures(ended)
    assert texts(grids).count("no grid") == 2 and {"blue, left", "green, left"} <= set(texts(grids))
    assert "no grid, so 0" in grids.alt


def moments(size: int, seats: int) -> list[SumsGrid]:
    """Positions as a player and as a spectator see them: at the start, in the middle, at the end."""
    return [seen.seen_by(v) for d in (False, True) for seen in stages(size, seats, d) for v in (None, 1, seats)]


def stages(size: int, seats: int, diagonals: bool) -> list[SumsGrid]:
    lines = ((), ((1, GOOD[size]), (1, HUGE[size])), ((1, HUGE[size]),))
    begun = [position(size, seats, *moves, diagonals=diagonals) for moves in lines]
    return [*begun, finished(size, seats, viewer=0, diagonals=diagonals)]
