"""Words and draws a review: the chances of each seat after every move, the costliest moves, and what is tried again.

Pure: a finished match and what was found in it come in, sentences and the description of a picture come out. Everybody
is shown the same.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby, pairwise

from bot.client.text import match_chart, match_text
from bot.core.game.game import Game
from bot.core.game.legs import LEGS, seat_in
from bot.core.game.moves import in_words
from bot.core.game.position import MOVE, Position
from bot.core.game.two_legs import dressed
from bot.core.match.leg_records import split
from bot.core.match.loaded_match import LoadedMatch
from bot.core.match.match import Match
from bot.core.match.move_names import IN_LEG, capital
from bot.core.match.stored_review import CostlyMove, Review
from bot.core.values.plural import sentences, together
from bot.core.values.seats import Seat
from bot.core.values.text_lengths import shortened
from bot.service.analysis.hints import SAYABLE
from bot.service.analysis.review_shares import percent
from bot.service.analysis.reviews import FALL, TOLD, Step, legs_of, steps
from bot.service.analysis.second_tries import Mistake, Verdict
from rendering.charts import Course, chart
from rendering.shapes import Picture

LONGEST_MOVE = 40
"""Characters of a move in a line; a walk may be long."""
EDGES = 0, 100
NONE = "No single move stands out as a costly mistake."
FOOT = "Wins and losses are certain with best play from there on."
ESTIMATED = "Where a move only looks better, that is an estimate."
TOO_HIGH = (
    "The drop at {move} was no mistake: nothing better was to be had. The computer had overrated {who}'s position."
)
TOO_HIGH_BEFORE = "The drop at {move} was nobody's mistake: the computer had overrated {who}'s position."
OF_OTHERS = "The drop at {move} came with somebody else's move."
"""What is said of a line that falls far at a move that is no mistake: in a match of two at a move of its own or of the
other, and by another of several."""
ON_CHART = "{move} ({number} on the chart)"
LOOKS_BETTER = "- {move}: **{better}** looks better than **{played}**."
COMES_OUT = "- {move}: {said}"
Outcomes = Mapping[tuple[int, bool], str]


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
    said = ["Everybody's chance to win after each move, in percent."]
    if review.certain is None or review.certain > review.first:
        said.append("Estimates are averaged over each round.")
    if review.first:
        said.append(f"This was a long match, so the chart begins at move {review.first}.")
    if review.certain is not None and review.certain < last(review):
        said.append(f"Exact from move {review.certain} on." if review.certain else "Exact from the start.")
    if review.costly:
        said.append("Gold: the costliest moves.")
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
    return f"Everybody's chances in percent, move by move: {begin} at the start, {finals} after move {moves}."


def lines(seated: LoadedMatch, reviews: Sequence[Review]) -> str:
    """The costly moves of each seat, and the better ones."""
    twice, told, fallen = len(reviews) > 1, list[str](), list[str]()
    legs = legs_of(seated.folded)
    for leg, review in enumerate(reviews, 1):
        made = {step.number: step for step in steps(legs[leg - 1])} if leg <= len(legs) else {}
        fallen += drops(seated, review, made, leg if twice else None)
        for seat, mine in groupby(review.costly, key=lambda one: one.seat):
            head = match_text.mention(seated, seat_in(leg, seat) if twice else seat)
            told.append(f"{head} · leg {leg}" if twice else head)
            told += [
                line(seated.game, named(made, one.number), worded(seated.game, made.get(one.number), one))
                for one in mine
            ]
    if not told:
        return sentences(NONE, *dict.fromkeys(fallen))
    every = [one.ahead is not None for review in reviews for one in review.costly]
    foot = [FOOT] * any(every) + [ESTIMATED] * (not all(every)) + [*dict.fromkeys(fallen)]
    return "\n".join([*told, f"-# {' '.join(foot)}"])


def named(made: Mapping[int, Step], number: int) -> str:
    """A move as its board names it, and where it is on the chart if that is another number."""
    plain = MOVE.format(number=number)
    name = made[number].name if number in made else plain
    return name if name == plain else ON_CHART.format(move=name, number=number)


def drops(seated: LoadedMatch, review: Review, made: Mapping[int, Step], leg: int | None) -> list[str]:
    """What is said of the line that falls farthest at a move that is no mistake; nothing where none falls far."""
    told = [(one.seat, one.number) for one in review.costly]
    full = {seat for seat, _ in told if sum(one == seat for one, _ in told) == TOLD}
    falls = [
        (before - after, -number, seat)
        for seat, course in enumerate(review.courses, 1)
        for number, (before, after) in enumerate(pairwise(course), review.first + 1)
        if before - after >= percent(FALL) and (seat, number) not in told and seat not in full
    ]
    if not falls:
        return []
    _, number, seat = max(falls)
    name, step = named(made, -number), made.get(-number)
    others = len(review.courses) > 2 and step is not None and step.seat != seat
    move = IN_LEG.format(leg=leg, move=name) if leg else name
    own = step is not None and step.seat == seat
    said = OF_OTHERS if others else TOO_HIGH if own else TOO_HIGH_BEFORE
    return [said.format(move=move, who=match_text.mention(seated, seat_in(leg, seat) if leg else seat))]


def worded(game: Game, step: Step | None, costly: CostlyMove) -> CostlyMove:
    """A costly move with its moves as their pads say them, where it is known after which moves it was made."""
    if step is None:
        return costly
    kinds, before, seat = (game.once or game).moves, step.before, step.seat
    played, better = (in_words(kinds, before, seat, one) for one in (costly.played, costly.better))
    return costly._replace(played=played, better=better)


def line(game: Game, name: str, costly: CostlyMove) -> str:
    """A costly move: "Move 7: **b2** loses by 1. **c4** would have won by 2."."""
    move = capital(name)
    played, better = (shortened(move, LONGEST_MOVE) for move in (costly.played, costly.better))
    if costly.ahead is None:
        return LOOKS_BETTER.format(move=move, better=better, played=played)
    had, kept = costly.ahead
    both = sentences(outcome(game, played, kept, COMES_TO), outcome(game, better, had, WOULD_HAVE))
    return COMES_OUT.format(move=move, said=both)


COMES_TO: Outcomes = {
    (-1, True): "**{move}** loses by {by}.",
    (-1, False): "**{move}** loses.",
    (0, False): "**{move}** draws.",
    (1, False): "**{move}** wins.",
    (1, True): "**{move}** wins by {by}.",
}
"""What a move leads to for certain: lost, drawn or won, and whether the margin is said."""
WOULD_HAVE: Outcomes = {
    (-1, True): "**{move}** would have lost by {by}.",
    (-1, False): "**{move}** would have lost.",
    (0, False): "**{move}** would have drawn.",
    (1, False): "**{move}** would have won.",
    (1, True): "**{move}** would have won by {by}.",
}


def outcome(game: Game, move: str, ahead: int, told: Outcomes = COMES_TO) -> str:
    """What a move comes to for certain, in a sentence."""
    said = ahead != 0 and game.scored and abs(ahead) < SAYABLE
    line = told[(ahead > 0) - (ahead < 0), said]
    return line.format(move=shortened(move, LONGEST_MOVE), by=match_text.counted(abs(ahead)))


# A costly move that is tried again.

LEFT = {1: "You have one try left.", 2: "You have two tries left."}
SOLVED = "✅ "
BEST = "That is the best there is."
BETTER = "That is better than **{played}**, but there is an even better move."
ANSWER = "The answer to it is **{answer}**."
THAT_ONE = "That was the better move."


def task(seated: LoadedMatch, it: Mistake, viewer: Seat | None) -> str:
    """What is to be done: "Move 7: you played **b2** here. Which move is better?"."""
    place = capital(IN_LEG.format(leg=it.leg, move=it.step.name) if seated.game.once else it.step.name)
    said = in_words((seated.game.once or seated.game).moves, it.step.before, it.step.seat, it.step.move)
    played = shortened(said, LONGEST_MOVE)
    if it.seat == viewer:
        return f"{place}: you played **{played}** here. Which move is better?"
    return f"{place}: {match_text.unmarked(seated, it.seat)} played **{played}** here. Which move is better?"


def verdict_worded(game: Game, step: Step, after: Position, found: Verdict) -> Verdict:
    """What a try comes to, with the try and the answer to it, in the position `after` it, as their pads say them."""
    move = in_words(game.moves, step.before, step.seat, found.move)
    answer = in_words(game.moves, after, after.turn[0], found.answer) if found.answer and after.turn else found.answer
    return found._replace(move=move, answer=answer)


def tried(game: Game, costly: CostlyMove, found: Verdict, left: int) -> str:
    """What a try comes to, and how it goes on: with so many tries that are left, or with the better move."""
    certain = costly.ahead is not None and found.ahead is not None
    said = _certain(game, costly, found) if certain else _estimated(costly, found)
    further = "" if found.solves else LEFT.get(left) or solution(game, costly)
    return "\n".join(line for line in (said, further, f"-# {FOOT if certain else ESTIMATED}") if line)


def _certain(game: Game, costly: CostlyMove, found: Verdict) -> str:
    played, answer = (shortened(one, LONGEST_MOVE) for one in (costly.played, found.answer))
    ends = outcome(game, found.move, found.ahead or 0)
    if found.solves:
        return SOLVED + sentences(ends, BEST)
    if found.better:
        return sentences(ends, BETTER.format(played=played))
    return sentences(ends, ANSWER.format(answer=answer) if answer else "")


def _estimated(costly: CostlyMove, found: Verdict) -> str:
    move, played = (shortened(one, LONGEST_MOVE) for one in (found.move, costly.played))
    if found.solves:
        return f"{SOLVED}**{move}** looks better than **{played}**."
    if found.move == costly.played:
        return f"**{played}** is the move that was played."
    return f"**{move}** doesn't look much better than **{played}**."


def solution(game: Game, costly: CostlyMove) -> str:
    """The better move, when all tries are used up."""
    better = shortened(costly.better, LONGEST_MOVE)
    if costly.ahead is None:
        return f"The better move was **{better}**."
    return sentences(outcome(game, better, costly.ahead[0], WOULD_HAVE), THAT_ONE)
