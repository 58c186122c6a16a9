"""How matches went: every recorded match that ended has a chart whose lines end at its scores, and says who led."""

from __future__ import annotations

from functools import cache
from itertools import combinations

import pytest

from bot.features.board import match_pictures
from bot.features.board.match_pictures import Renderer
from bot.games.catalogue import load_games
from bot.games.game import Game
from bot.play import match as match_scores
from bot.play.loaded_match import MatchView
from bot.play.match import Lead, Match
from bot.play.record import Move
from rendering import pages as rendering_pages
from rendering.charts import RIGHT, WEIGHT
from rendering.shapes import Chip, Path, Picture, Text
from tests.contract.playing import records, staying
from tests.support.loaded_matches import begun
from tests.support.sampled import sampled

SCORED = [game for game in load_games().values() if game.scored]
PRIMES = load_games()["binary-primes"]


@cache
def played(game: Game) -> tuple[Match, ...]:
    """The recorded matches of a game."""
    found: list[Match] = []
    for row in records(game):
        match = Match.start(game, row.get("options", {}), row["seats"])
        for seat, text in row["moves"]:
            match = match.enter(seat, text)
        found.append(match)
    return tuple(found)


def named(game: Game) -> str:
    return game.key


def lines(picture: Picture) -> dict[str, Path]:
    return {it.tag: it for it in picture.shapes if isinstance(it, Path) and it.tag.startswith("line")}


courses = cache(match_scores.trace_scores)


def changed(match: Match) -> bool:
    """Whether any score ever did."""
    return any(len(set(course)) > 1 for course in courses(match))


@sampled("game", load_games().values(), few=2, ids=named)
def test_a_finished_match_has_a_line_for_each_seat_that_ends_at_its_score(game: Game) -> None:
    for match in played(game):
        picture = match_pictures.make_score_chart(match)
        assert (picture is not None) == (game.scored and changed(match))
        if picture:
            ends_at_the_scores(match, picture)


def ends_at_the_scores(match: Match, picture: Picture) -> None:
    told, moves = courses(match), sum(isinstance(line, Move) for line in match.standing)
    ends = {seat: lines(picture)[f"line {seat}"].spots[-1] for seat, course in enumerate(told, 1) if len(course) > 1}
    there = [seat for seat, course in enumerate(told, 1) if len(course) == moves + 1]
    assert set(staying(match)) <= set(there)
    for seat in there:
        assert told[seat - 1][-1] == match.scores[seat - 1]
        assert ends[seat][0] == RIGHT
    for one, other in combinations(there, 2):
        higher = match.scores[one - 1] - match.scores[other - 1]
        apart = ends[other][1] - ends[one][1]
        assert apart * higher >= 0 if higher else abs(apart) <= WEIGHT * match.seats
    chips = {it.seat for it in picture.shapes if isinstance(it, Chip) and it.tag != rendering_pages.SEAT}
    assert chips == set(range(1, match.seats + 1))
    totals = {it.text for it in picture.shapes if isinstance(it, Text)}
    assert {entry.total for entry in match_pictures.make_legend(match)} <= totals
    assert len(picture.alt) <= 1024 and picture.alt.endswith(".")


@pytest.mark.parametrize("game", SCORED, ids=named)
def test_games_say_whether_the_lowest_score_wins(game: Game) -> None:
    for match in played(game):
        if match.ranks and match.ending_kind == "play":
            ranked = [(match.scores[seat - 1], match.ranks[seat - 1]) for seat in staying(match)]
            for (score, rank), (other, below) in combinations(ranked, 2):
                assert (score == other) == (rank == below)
                assert score == other or (score < other) == ((rank < below) == game.lowest_wins)


def test_what_was_taken_back_leaves_no_trace() -> None:
    match = Match.start(PRIMES, {"size": 3}, 2)
    straight = match.play(1, "b2").play(2, "a1")
    detour = match.play(1, "c3").take_back(1).play(1, "b2").play(2, "b1").take_back(2).play(2, "a1")
    assert match_scores.trace_scores(straight) == match_scores.trace_scores(detour)


def test_only_who_may_see_the_record_sees_how_it_went() -> None:
    alone = next(match for match in played(load_games()["sums-grid"]) if match.seats == 1 and changed(match))
    assert match_pictures.is_chart_visible(MatchView.of(begun(alone), 1))
    assert not match_pictures.is_chart_visible(MatchView.of(begun(alone), None)), "what was played alone stays private"
    assert match_pictures.is_chart_visible(MatchView.of(begun(alone, published=True), None))
    live = Match.start(PRIMES, {"size": 3}, 2).play(1, "b2")
    assert not match_pictures.is_chart_visible(MatchView.of(begun(live), 1))


async def test_the_board_at_the_end_stands_alone_and_the_chart_is_a_detail(monkeypatch: pytest.MonkeyPatch) -> None:
    match = next(match for match in played(PRIMES) if changed(match))
    sight, boards, chart = (
        MatchView.of(begun(match), None),
        PRIMES.pictures(match.position),
        match_pictures.make_score_chart(match),
    )
    assert len(boards) > 1 and match_pictures.list_pictures(sight) == (boards[0].with_key_alone,)
    renderer = Renderer(1)
    shown = await renderer.draw_details(sight)
    assert chart and [one.alt for one in shown.pictures] == [one.alt for one in (*boards, chart)]
    monkeypatch.setattr(match_pictures, "MOST_PICTURES", len(boards))
    full = await renderer.draw_details(sight)
    renderer.close()
    assert full.pictures == shown.pictures[: len(boards)], "a message that is full has no chart"


def test_where_no_score_ever_changed_there_is_nothing_to_see() -> None:
    assert match_pictures.make_score_chart(Match.start(load_games()["plexus"], {}, 2).withdraw(1)) is None
    assert match_pictures.make_score_chart(Match.start(PRIMES, {}, 2).agree_draw(1)) is None


def test_who_led_is_said_in_words() -> None:
    assert match_scores.trace_lead([[0, 1, 1], [0, 0, 2], [0, 0]], lowest_wins=True) == Lead(1, 2, 0)
    said = [match_pictures.describe_lead(match, courses(match)) for match in played(PRIMES)[:2]]
    assert said == [["Rows led from move 3 on."], ["Columns led from move 10 on.", "The lead changed 3 times."]]
    level = next(match for match in played(load_games()["within-the-curve"]) if match.scores == (26, 24, 21, 26))
    assert match_pictures.describe_lead(level, courses(level)) == [
        "Nobody is ahead at the end.",
        "The lead changed once.",
    ]


def test_the_lowest_that_wins_is_said_in_a_word_and_who_left_too() -> None:
    match = next(match for match in played(load_games()["divisors-multiples-sequence"]) if match.scores == (7, 73, 82))
    assert match_pictures.describe_lines(match, courses(match)) == [
        "Scores after each move: the lowest wins.",
        "Orange took the lead with the last move.",
        "The lead changed once.",
        "Blue left after move 4.",
    ]
    picture = match_pictures.make_score_chart(match)
    assert picture and picture.alt == (
        "Scores over 12 moves, at the end blue 7, orange 73 and green 82. "
        "Orange took the lead with the last move. The lead changed once. Blue left after move 4."
    )


@pytest.mark.parametrize("game", [game for game in load_games().values() if not game.scored], ids=named)
def test_where_nothing_is_scored_the_legend_says_who_wins(game: Game) -> None:
    for match in played(game):
        totals = [entry.total for entry in match_pictures.make_legend(match)]
        decided = bool(match.ranks) and match.ranks.count(1) == 1
        assert totals == [("wins" if decided and rank == 1 else "") for rank in match.ranks or (0,) * match.seats]
