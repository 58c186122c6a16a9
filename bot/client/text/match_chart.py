"""Draws the chart of a finished match, its scores after each move, with the text below it. Pure, and slow for
long matches, since the record is folded anew.

Only a viewer who may see the whole record sees the chart, so it shows nothing that `/match record` would not give.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from bot.core.game.legs import Leg, LegMove, Legs
from bot.core.match import scores
from bot.core.match.loaded_match import Sight
from bot.core.match.match import Match
from bot.core.match.scores import Courses
from bot.core.values.plural import Plural, together
from rendering.charts import Course, chart
from rendering.legend import Entry, colour
from rendering.pages import squared
from rendering.shapes import Picture, grouped

MOST_DIGITS = 100
"""Scores with more digits are not drawn: the board shows them, and no two would be near each other."""
MOST_PICTURES = 10
"""Of a message (Discord's limit)."""
SHOWN = {
    (False, False): "Scores after each move.",
    (False, True): "Scores after each move: the lowest wins.",
    (True, False): "Scores of both legs after each move.",
    (True, True): "Scores of both legs together after each move: the lowest wins.",
}
"""What the lines show, by whether there are two legs, and whether the lowest score wins."""
CHANGED = Plural("The lead changed once.", "The lead changed {number} times.")
SCORES = Plural("Scores over {number} move, at the end {finals}.", "Scores over {number} moves, at the end {finals}.")


def pictures(sight: Sight) -> tuple[Picture, ...]:
    """The pictures of a board: those of its game; of a match that is over the board alone, one of each leg."""
    found = sight.seated.game.pictures(sight.position)
    return tuple(found[at] for at in shown_of([one.leg for one in found]))


def in_leg(picture: Picture, small: Leg) -> Picture:
    """A picture of one of two legs, the board alone: the lines say who plays which side and how it stands. It is a
    square where it is `small`."""
    return squared(picture) if picture.leg == small else picture.bare


def shown_of(legs: Sequence[int]) -> list[int]:
    """Which pictures stand on a board, of as many as are given by their legs: the first of each, so that it fits a
    phone's screen. All that explains a result is behind *Details*."""
    return [at for at, leg in enumerate(legs) if leg not in legs[:at]]


def small_leg(sight: Sight) -> Leg:
    """Of two legs the one whose board is shown small, that without the last move; 0 where there are none."""
    if not isinstance(sight.position, Legs):
        return 0
    moves = [entry.text for entry in sight.record]
    return next((3 - leg for text in reversed(moves) if (leg := LegMove.parse(text).leg)), 2)


def is_told(sight: Sight) -> bool:
    """Whether a match is over and the viewer may see all of its record."""
    return sight.match.finished and sight.record == sight.match.record


def of_scores(match: Match) -> Picture | None:
    """The chart of the scores of a finished match over its moves; None where there is nothing to see."""
    if not match.game.scored:
        return None
    told = scores.courses(match)
    numbers = {score for course in told for score in course}
    if all(len(set(course)) == 1 for course in told) or max(map(abs, numbers)) >= 10**MOST_DIGITS:
        return None
    courses = [Course(course, seat) for seat, course in enumerate(told, 1)]
    return chart("scores", described(match, told), courses, words(match, told), entries(match))


def entries(match: Match) -> tuple[Entry, ...]:
    """The legend: what each seat counts, and its final score, or who has won where nothing is scored."""
    ranks = match.ranks or (0,) * match.seats
    alone = "wins" if ranks.count(1) == 1 else ""
    totals = [
        grouped(score) if match.game.scored else alone * (rank == 1)
        for score, rank in zip(match.scores, ranks, strict=True)
    ]
    lines = enumerate(zip(totals, ranks, strict=True), 1)
    return tuple(Entry(seat, name(match, seat), total, rank == 1 and bool(total)) for seat, (total, rank) in lines)


def name(match: Match, seat: int) -> str:
    """The name of a seat on pictures."""
    return match.game.sides[seat - 1] if match.game.sides else colour(seat)


def capital(text: str) -> str:
    """A text as a sentence begins with it."""
    return text[:1].upper() + text[1:]


def words(match: Match, told: Courses) -> list[str]:
    """The text below the lines: what they show, who led, who left."""
    return [SHOWN[match.game.once is not None, match.game.lowest_wins], *leads(match, told), *left(match, told)]


def leads(match: Match, told: Courses) -> list[str]:
    """Who led from when on: "Rows led from move 7 on.", "The lead changed once."."""
    if match.seats == 1:
        return []
    seat, since, changes = scores.lead(told, match.game.lowest_wins)
    if not seat:
        ahead = "Nobody is ahead at the end."
    elif not since:
        ahead = f"{capital(name(match, seat))} led from start to finish."
    elif since < last(told):
        ahead = f"{capital(name(match, seat))} led from move {since} on."
    else:
        ahead = f"{capital(name(match, seat))} took the lead with the last move."
    return [ahead, CHANGED.of(changes)] if changes else [ahead]


def left(match: Match, told: Courses) -> list[str]:
    """Who left and after which move, where others played on."""
    at = {seat: len(told[seat - 1]) - 1 for seat in match.withdrawn}
    return [
        (f"{names} left after move {move}." if move else f"{names} left at once.")
        for move, seats in groupby(match.withdrawn, key=lambda seat: at[seat])
        if move < last(told) and (names := capital(together(name(match, seat) for seat in seats)))
    ]


def last(told: Courses) -> int:
    """The number of the last move."""
    return max(map(len, told)) - 1


def described(match: Match, told: Courses) -> str:
    """The alternative text of the chart: the number of moves, the final scores, the lead."""
    moves = last(told)
    finals = together([f"{name(match, seat)} {grouped(score)}" for seat, score in enumerate(match.scores, 1)])
    return " ".join([SCORES.of(moves, finals=finals), *words(match, told)[1:]])
