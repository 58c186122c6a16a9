"""Words and draws a review: the chances of each seat after every move, and the costliest moves.

Pure: a finished match and what was found in it come in, sentences and the description of a picture come out. Everybody
is shown the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from bot.client.text import match_chart, match_text
from bot.core.game.game import Game
from bot.core.game.legs import LEGS, seat_in
from bot.core.game.two_legs import dressed
from bot.core.match.leg_records import split
from bot.core.match.loaded_match import LoadedMatch, together
from bot.core.match.match import Match
from bot.core.match.stored_review import CostlyMove, Review
from bot.service.analysis.hints import SAYABLE
from rendering.charts import Course, chart
from rendering.shapes import Picture

LONGEST_MOVE = 40
"""Characters of a move in a line; a walk may be long."""
EDGES = 0, 100
NONE = "No move was found that cost anybody much."
FOOT = (
    "What a move cost is what its seat could expect of the match with the better one and with its own, if nobody errs."
)


def pictures(match: Match, reviews: Sequence[Review]) -> tuple[Picture, ...]:
    """The pictures of a match: one, or one of each leg in which anything was played."""
    if match.game.once is None:
        return tuple(picture(match, review) for review in reviews)
    each = zip(LEGS, split(match), reviews, strict=True)
    return tuple(dressed(leg, picture(one, review)) for leg, one, review in each if review.courses)


def picture(match: Match, review: Review) -> Picture:
    """What each seat could expect of the match, in percent, over its moves; the costly moves are marked."""
    courses = [Course(course, seat) for seat, course in enumerate(review.courses, 1)]
    marked = [(one.seat, one.number) for one in review.costly if is_there(review, one)]
    said, told = words(review), described(match, review)
    return chart(
        "review", told, courses, said, match_chart.entries(match), first=review.first, reach=EDGES, marked=marked
    )


def is_there(review: Review, costly: CostlyMove) -> bool:
    """Whether a seat's line goes on after a move; a player who leaves right then has none."""
    return costly.number - review.first < len(review.courses[costly.seat - 1])


def words(review: Review) -> list[str]:
    """What stands below the lines."""
    said = ["What each could expect of the match, in percent, after each move."]
    if review.certain is None or review.certain > review.first:
        said.append("Where it is not certain: on the mean of a round.")
    if review.first:
        said.append(f"A long match: from move {review.first} on.")
    if review.certain is not None and review.certain < last(review):
        said.append(f"For certain from move {review.certain} on.")
    if review.costly:
        said.append("Gold: the dearest moves.")
    return said


def last(review: Review) -> int:
    """The number of the last move."""
    return review.first + max(map(len, review.courses)) - 1


def described(match: Match, review: Review) -> str:
    """The picture for those who cannot see it."""
    finals = together(
        [f"{match_chart.name(match, seat)} {course[-1]}" for seat, course in enumerate(review.courses, 1)]
    )
    begin = together([f"{match_chart.name(match, seat)} {course[0]}" for seat, course in enumerate(review.courses, 1)])
    moves = last(review)
    over = f"What each seat could expect over {moves} move{'s' * (moves > 1)}, in percent: at first {begin}"
    return f"{over}; in the end {finals}."


def lines(seated: LoadedMatch, reviews: Sequence[Review]) -> str:
    """The costly moves of each seat, and the better ones."""
    if not any(review.costly for review in reviews):
        return NONE
    twice, told = len(reviews) > 1, list[str]()
    for leg, review in enumerate(reviews, 1):
        for seat, mine in groupby(review.costly, key=lambda one: one.seat):
            head = match_text.mention(seated, seat_in(leg, seat) if twice else seat)
            told.append(f"{head} · leg {leg}" if twice else head)
            told += [line(seated.game, one) for one in mine]
    return "\n".join([*told, f"-# {FOOT}"])


def line(game: Game, costly: CostlyMove) -> str:
    """A costly move: "Move 7, **b2**: better **c4**, 62 % instead of 31 %"."""
    played, better = (match_text.shortened(move, LONGEST_MOVE) for move in (costly.played, costly.better))
    said = f"- Move {costly.number}, **{played}**: better **{better}**, "
    if costly.ahead is None:
        return f"{said}{costly.had} % instead of {costly.kept} %"
    had, kept = (result(game, ahead) for ahead in costly.ahead)
    return f"{said}for certain: {had} instead of {kept}"


def result(game: Game, ahead: int) -> str:
    """What a certain margin is called."""
    if not ahead:
        return "level"
    if game.scored and abs(ahead) < SAYABLE:
        return f"{'ahead' if ahead > 0 else 'behind'} by {match_text.counted(abs(ahead))}"
    return "won" if ahead > 0 else "lost"
