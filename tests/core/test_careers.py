"""Rating histories: the history kept for a board is only continued from where it was read, charts give the count."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest

from bot.features.board.match_pictures import Renderer
from bot.features.ranking import handlers as ranking_handlers
from bot.features.ranking import words as ranking_words
from bot.features.ranking.handlers import CareerCache, make_rating_chart
from bot.play import ratings
from bot.play.ids import GuildId, UserId
from bot.play.ratings import (
    LAST,
    Careers,
    LeaderboardRow,
    RatingCareer,
    Result,
    ResultsMark,
    ResultsSince,
    extend_careers,
)
from rendering.shapes import Path, Picture, Text
from tests.support.waiting import PATIENCE, until

ANN, BEA = UserId(7), UserId(8)
BOARD = GuildId(1), ""


def wins(number: int, since: int = 0) -> ResultsSince:
    """Ann has won so many matches against Bea."""
    return ResultsSince(ResultsMark(since + number, None), since == 0, (Result((ANN, BEA), (1, 2)),) * number)


def spots(picture: Picture) -> int:
    (path,) = [shape for shape in picture.shapes if isinstance(shape, Path)]
    return len(path.spots)


@pytest.fixture
def archive() -> Iterator[CareerCache]:
    renderer = Renderer(threads=2)
    yield CareerCache(renderer)
    renderer.close()


async def test_a_career_is_gone_on_from_where_it_was_seen(archive: CareerCache) -> None:
    assert archive.get_mark(BOARD) is None
    assert await archive.draw_chart(BOARD, None, wins(1), ANN, "all games") is None, "one match is no line"
    seen = archive.get_mark(BOARD)
    assert seen == ResultsMark(1, None)
    drawing = await archive.draw_chart(BOARD, seen, wins(2, since=1), ANN, "all games")
    assert drawing and "each of 3 rated matches" in drawing.pictures[0].alt
    late = await archive.draw_chart(BOARD, seen, wins(2, since=1), ANN, "all games")
    assert late is None and archive.get_mark(BOARD) == ResultsMark(3, None), "nothing is counted twice"
    anew = await archive.draw_chart(
        BOARD, ResultsMark(3, None), ResultsSince(ResultsMark(3, -1), True, ()), ANN, "all games"
    )
    assert anew is None, "forgotten"


async def test_whose_turn_it_is_at_a_board_is_known_while_somebody_asks(archive: CareerCache) -> None:
    async with archive.get_lock(BOARD):
        assert archive.get_lock(BOARD).locked() and not archive.get_lock((GuildId(2), "")).locked()
    assert not archive.turns, "what nobody waits for is kept"


async def test_boards_that_nobody_asks_for_are_let_go(archive: CareerCache, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ranking_handlers, "KEPT", 2)
    for guild in (1, 2, 1, 3):
        await archive.draw_chart((GuildId(guild), ""), None, wins(2), ANN, "all games")
    assert [archive.get_mark((GuildId(guild), "")) is None for guild in (1, 2, 3)] == [False, True, False]


async def test_nobody_waits_too_long_and_what_they_asked_for_is_there_later(
    archive: CareerCache, monkeypatch: pytest.MonkeyPatch
) -> None:
    going, fold = threading.Event(), ratings.extend_careers

    def slow(before: Careers | None, came: ResultsSince) -> Careers:
        assert going.wait(PATIENCE)
        return fold(before, came)

    monkeypatch.setattr(ranking_handlers, "WITHIN", 0.05)
    monkeypatch.setattr(ratings, "extend_careers", slow)
    while not archive.folding:  # on a busy machine the time may be over before a thread has begun
        with pytest.raises(TimeoutError):
            await archive.draw_chart(BOARD, None, wins(2), ANN, "all games")
    assert archive.folding == {BOARD}, "it goes on"
    going.set()
    await until(lambda: not archive.folding)
    assert archive.get_mark(BOARD) == ResultsMark(2, None)


def test_of_many_matches_the_last_are_shown() -> None:
    career = extend_careers(None, wins(LAST + 20)).find_career(BEA)
    assert career and len(career.values) == LAST
    picture = make_rating_chart(career, "Plexus")
    assert picture.alt.startswith("Rating after the last 100 of 120 rated matches, Plexus. It is ")
    assert spots(picture) == LAST
    steps = {it.text for it in picture.base if isinstance(it, Text)}
    assert "120" in steps and "0" not in steps


def test_all_matches_are_shown_from_where_everybody_begins() -> None:
    picture = make_rating_chart(RatingCareer((1.0, 0.5, 1.0), 3), "all games")
    assert picture.alt == "Rating after each of 3 rated matches, all games. It is 1 530 now, higher than ever."
    assert spots(picture) == 4
    fallen = make_rating_chart(RatingCareer((1.0, 0.5), 2), "all games")
    assert fallen.alt.endswith("It is 1 515 now, and was 1 530 at best, after match 1.")


@pytest.mark.parametrize(
    ("played", "many", "late", "said"),
    [(0, True, True, ""), (1, False, False, ranking_words.ONE_MATCH), (9, True, False, ranking_words.MANY_MATCHES),
     (9, False, True, ranking_words.LATE), (9, False, False, "")],
)  # fmt: skip
def test_why_there_is_no_picture(played: int, many: bool, late: bool, said: str) -> None:
    standing = LeaderboardRow(ANN, None, 25, 8, played, played, 0, 0) if played else None
    assert ranking_words.explain_missing_chart(standing, many, late) == said
