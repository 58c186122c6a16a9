"""Lessons and reviews in sentences and charts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

from bot.engine.exact import to_percent
from bot.features.board import match_pictures
from bot.features.board import words as board_words
from bot.features.board.turn_words import SIGNS, format_changes
from bot.features.board.words import CHIPS, TO, format_number
from bot.games.game import Game
from bot.games.legs import LEGS, adapt_picture, seat_in
from bot.games.moves import describe_move
from bot.games.position import MOVE, Position, Seat, name_seats
from bot.games.reasons import list_reasons
from bot.games.wording import join_sentences, join_words, shorten_text
from bot.play.hints import SAYABLE
from bot.play.lessons import Exercise, Lesson
from bot.play.loaded_match import LoadedMatch
from bot.play.match import IN_LEG, Match, capitalize_name, split_legs
from bot.play.record import Entry
from bot.play.reviews import FALL, TOLD, Mistake, RetryVerdict, ReviewStep, legs_of, list_steps
from bot.play.rows import CostlyMove, Review
from rendering.charts import ChartLine, draw_chart
from rendering.shapes import Picture

TRY_AGAIN = "Try it again"


# Lessons: their steps and the verdict on the learner's own move.


MOVES_NAMED, LONGEST_LESSON_MOVE = 4, 40
"""The number of moves that are named since the last picture, and the characters of each."""
CHOOSE = "### Learn a game\nA few pictures with a sentence each, then one move of your own. Only you see them."
DRAWN = "That is a draw.", "That is a draw, {scores}."
YOU_WIN = "You win.", "You win, {scores}."
THEY_WIN = "The other side wins.", "The other side wins, {scores}."
"""The end of a match with the learner's move, without scores and with them."""
LOWEST = "The lowest score wins."
LESSON_BETTER: Mapping[tuple[bool, bool, bool], str] = {
    (True, True, True): "**{move}** would have won, {scores}: {changes}.",
    (True, True, False): "**{move}** would have won, {scores}.",
    (True, False, True): "**{move}** would have won: {changes}.",
    (True, False, False): "**{move}** would have won.",
    (False, False, True): "**{move}** would have done more: {changes}.",
    (False, False, False): "**{move}** would have done more.",
}
"""The effect of a better move, by whether it wins, with scores, and with changes of scores."""
PLAYED, PLAYED_AND = "You played **{move}**.", "You played **{move}**: {changes}."
PLAYED_FOR_NOTHING = "You played **{move}**. No score changes."
NO_MORE, WELL = "Well played: no move does more here.", "Well played."


def describe_step(lesson: Lesson, number: int) -> str:
    """The text above the picture of a step: the title, the moves since the last picture, the sentence."""
    since = format_played(lesson.list_entries_since(number))
    lines = [f"### {lesson.game.title} · {number} of {lesson.page_count}", since, lesson.steps[number - 1].say]
    return "\n".join(line for line in lines if line)


def format_played(entries: tuple[Entry, ...]) -> str:
    """The moves since the last picture, in small type."""
    return f"-# {format_moves(entries)}" if entries else ""


def format_moves(entries: tuple[Entry, ...]) -> str:
    """Some moves in a row, the last of them by name: "🟦 **b2** · 🟧 **a1**"."""
    said = [f"{CHIPS[entry.seat - 1]} **{shorten_text(entry.text, LONGEST_LESSON_MOVE)}**" for entry in entries]
    left = len(said) - MOVES_NAMED
    if left > 1:
        said = [f"{left} earlier moves", *said[-MOVES_NAMED:]]
    return " · ".join(said)


def format_proof(lesson: Lesson, number: int) -> str:
    """The text below the picture: the lines of the working that prove the sentence."""
    return "\n".join(f"-# {name_seats(line, SIGNS.__getitem__)}" for line in lesson.steps[number - 1].claims)


def describe_exercise(lesson: Lesson) -> str:
    return f"### {lesson.game.title} · {lesson.page_count} of {lesson.page_count}\n{lesson.trial.say}"


def describe_own_move(lesson: Lesson, move: str) -> str:
    """The effect of the learner's move, and the verdict on it."""
    trial, before, after = lesson.trial, lesson.trial.visible_position, lesson.trial.play_move(move)
    now = after.position.seen_by(trial.seat)
    done, follows = format_changes(lesson.game, before, now), after.record[len(trial.start.record) + 1 :]
    say = PLAYED_AND if done else PLAYED_FOR_NOTHING if lesson.game.scored else PLAYED
    own = say.format(move=shorten_text(move), changes=done)
    reasons = list_reasons(lesson.game, before, now, trial.seat)
    lines = [
        f"### {lesson.game.title} · your move",
        join_sentences(own, describe_end(after, trial)),
        *([f"-# Forced replies: {format_moves(follows)}"] if follows else []),
        *(f"-# {name_seats(one.text, SIGNS.__getitem__)}" for one in reasons),
        describe_verdict(lesson, move),
    ]
    return "\n".join(lines)


def describe_verdict(lesson: Lesson, move: str) -> str:
    """Whether another move would have done more, and what."""
    start, seat, good = lesson.trial.start, lesson.trial.seat, lesson.trial.good
    if move in good or lesson.trial.compute_value(move) >= lesson.trial.compute_value(good[0]):
        return WELL if start.position.open_to(seat) else NO_MORE
    after = lesson.trial.play_move(good[0])
    done = format_changes(lesson.game, lesson.trial.visible_position, after.position.seen_by(seat))
    won = lesson.trial.compute_value(good[0])[0] == 1 > lesson.trial.compute_value(move)[0]
    scores = format_result(after) if won else ""
    return LESSON_BETTER[won, bool(scores), bool(done)].format(move=shorten_text(good[0]), scores=scores, changes=done)


def describe_end(match: Match, trial: Exercise) -> str:
    """The end of the match for the learner; empty where it goes on."""
    ranks = match.ranks
    if ranks is None:
        return ""
    drawn, first = ranks.count(1) == len(ranks) > 1, ranks[trial.seat - 1] == 1
    ending = DRAWN if drawn else YOU_WIN if first else THEY_WIN
    scores = format_result(match)
    return join_sentences(ending[1].format(scores=scores), LOWEST if trial.lowest else "") if scores else ending[0]


def format_result(match: Match) -> str:
    """The scores at the end, the best of them first: "245 : 27"; empty without."""
    scores = [score for _, score in sorted(zip(match.ranks or (), match.scores, strict=True))]
    return TO.join(map(format_number, scores)) if match.game.scored and len(scores) > 1 else ""


# Reviews: the chart of each seat's chances, and the costliest moves.


LONGEST_MOVE = 40
"""Characters of a move in a line; a walk may be long."""
EDGES = 0, 100
NONE = "No single move stands out as a costly mistake."
FOOT = "Where it says wins or loses, the computer has checked every move to the end. Percentages are estimates."
ESTIMATED = "“Looks better” is an estimate."
COSTLIEST_FIRST = "Each player's costliest move comes first."
ESTIMATE_FELL = "{move}: {who}'s chances fell from {before} to {after} percent, but no other move was better. {why}"
ESTIMATE_FELL_BEFORE = (
    "{move}: {who}'s chances fell from {before} to {after} percent, but nobody made a mistake there. {why}"
)
UNTIL = "Before it, the chances had been estimated too high."
THERE = "Before it, the chances had probably been estimated too high."
"""Why chances fall, by whether they are exact from that move on."""
OF_OTHERS = "{move}, played by {other}: {who}'s chances fell from {before} to {after} percent."
"""The sentences for chances that fall far at a move that is no mistake: of two players at an own move or the other's,
and of several at another's."""
ON_CHART = "{move} ({number} on the chart)"
LOOKS_BETTER = "- {move}: **{better}** looks better than **{played}**."
COMES_OUT = "- {move}: {said}"
NO_MISTAKE = "- {said}"
"""A line that falls without a mistake, among the costly moves of its seat."""
Outcomes = Mapping[tuple[int, bool], str]


def make_charts(match: Match, reviews: Sequence[Review]) -> tuple[Picture, ...]:
    """The charts of a match: one, or one of each leg with moves."""
    if match.game.single is None:
        return tuple(make_chart(match, review) for review in reviews)
    each = zip(LEGS, split_legs(match), reviews, strict=True)
    return tuple(adapt_picture(leg, make_chart(one, review)) for leg, one, review in each if review.courses)


def make_chart(match: Match, review: Review) -> Picture:
    """The chances of each seat, in percent, after every move; the costly moves are marked."""
    courses = [ChartLine(course, seat) for seat, course in enumerate(review.courses, 1)]
    marked = [(one.seat, one.number) for one in review.costly if is_on_chart(review, one)]
    said, alt = describe_lines(review), describe_chart(match, review)
    return draw_chart(
        "review", alt, courses, said, match_pictures.make_legend(match), first=review.first, reach=EDGES, marked=marked
    )


def is_on_chart(review: Review, costly: CostlyMove) -> bool:
    """Whether a seat's line goes on after a move; that of a player who leaves with it does not."""
    return costly.number - review.first < len(review.courses[costly.seat - 1])


def describe_lines(review: Review) -> list[str]:
    """The sentences below the chart."""
    said = ["Everybody's chance to win after each move, in percent."]
    if review.certain is None or review.certain > review.first:
        said.append("Estimates are averaged over one move of each player.")
    if review.first:
        said.append(f"This was a long match, so the chart begins at move {review.first}.")
    if review.certain is not None and review.certain < find_last_move(review):
        said.append(f"Exact from move {review.certain} on." if review.certain else "Exact from the start.")
    if review.costly:
        said.append("Gold: the costliest moves.")
    return said


def find_last_move(review: Review) -> int:
    return review.first + max(map(len, review.courses)) - 1


def describe_chart(match: Match, review: Review) -> str:
    """The alternative text of the chart."""
    finals = join_words(
        [f"{match_pictures.name_seat(match, seat)} {course[-1]}" for seat, course in enumerate(review.courses, 1)]
    )
    begin = join_words(
        [f"{match_pictures.name_seat(match, seat)} {course[0]}" for seat, course in enumerate(review.courses, 1)]
    )
    moves = find_last_move(review)
    return f"Everybody's chances in percent, move by move: {begin} at the start, {finals} after move {moves}."


def describe_costly_moves(loaded: LoadedMatch, reviews: Sequence[Review]) -> str:
    """The costly moves of each seat, and the better ones."""
    twice, lines, every = len(reviews) > 1, list[str](), list[str]()
    legs = legs_of(loaded.begun_match)
    for leg, review in enumerate(reviews, 1):
        made = {step.number: step for step in list_steps(legs[leg - 1])} if leg <= len(legs) else {}
        fallen = describe_drops(loaded, review, made, leg if twice else None)
        every += fallen.values()
        for seat in dict.fromkeys((*(one.seat for one in review.costly), *fallen)):
            head = board_words.format_player(loaded, seat_in(leg, seat) if twice else seat)
            lines.append(f"{head} · leg {leg}" if twice else head)
            lines += [
                format_costly_move(
                    loaded.game, name_move(made, one.number), word_costly_move(loaded.game, made.get(one.number), one)
                )
                for one in review.costly
                if one.seat == seat
            ]
            lines += [NO_MISTAKE.format(said=fallen[seat])] if seat in fallen else []
    certain = [one.ahead is not None for review in reviews for one in review.costly]
    if not certain:
        return join_sentences(NONE, *dict.fromkeys(every))
    several = any(len({*seats}) < len(seats) for seats in ([one.seat for one in review.costly] for review in reviews))
    foot = [COSTLIEST_FIRST] * several + [FOOT] * any(certain) + [ESTIMATED] * (not all(certain))
    return "\n".join([*lines, f"-# {' '.join(foot)}"])


def name_move(made: Mapping[int, ReviewStep], number: int) -> str:
    """The name of a move on its board, with its number on the chart if that differs."""
    plain = MOVE.format(number=number)
    name = made[number].name if number in made else plain
    return name if name == plain else ON_CHART.format(move=name, number=number)


def describe_drops(
    loaded: LoadedMatch, review: Review, made: Mapping[int, ReviewStep], leg: int | None
) -> dict[Seat, str]:
    """The sentence about the line that falls farthest at a move that is no mistake, by its seat; none where none falls
    far."""
    costly = [(one.seat, one.number) for one in review.costly]
    full = {seat for seat, _ in costly if sum(one == seat for one, _ in costly) == TOLD}
    falls = [
        (before - after, -number, seat, before, after)
        for seat, course in enumerate(review.courses, 1)
        for number, (before, after) in enumerate(pairwise(course), review.first + 1)
        if before - after >= to_percent(FALL) and (seat, number) not in costly and seat not in full
    ]
    if not falls:
        return {}
    _, number, seat, before, after = max(falls)
    name, step = name_move(made, -number), made.get(-number)
    others = len(review.courses) > 2 and step is not None and step.seat != seat
    move = IN_LEG.format(leg=leg, move=name) if leg else name
    own = step is not None and step.seat == seat
    said = OF_OTHERS if others else ESTIMATE_FELL if own else ESTIMATE_FELL_BEFORE
    who = board_words.format_mention(loaded, seat_in(leg, seat) if leg else seat)
    why = UNTIL if review.certain is not None and -number >= review.certain else THERE
    other = board_words.format_mention(loaded, seat_in(leg, step.seat) if leg else step.seat) if step else ""
    parts = {"who": who, "other": other, "before": before, "after": after, "why": why}
    return {seat: said.format(move=capitalize_name(move), **parts)}


def word_costly_move(game: Game, step: ReviewStep | None, costly: CostlyMove) -> CostlyMove:
    """A costly move with its moves in the words of their pads, where the position before it is known."""
    if step is None:
        return costly
    kinds, before, seat = (game.single or game).moves, step.before, step.seat
    played, better = (describe_move(kinds, before, seat, one) for one in (costly.played, costly.better))
    return costly._replace(played=played, better=better)


def format_costly_move(game: Game, name: str, costly: CostlyMove) -> str:
    """A costly move: "Move 7: **b2** loses by 1. **c4** would have won by 2."."""
    move = capitalize_name(name)
    played, better = (shorten_text(move, LONGEST_MOVE) for move in (costly.played, costly.better))
    if costly.ahead is None:
        return LOOKS_BETTER.format(move=move, better=better, played=played)
    had, kept = costly.ahead
    both = join_sentences(
        describe_outcome(game, played, kept, COMES_TO), describe_outcome(game, better, had, WOULD_HAVE)
    )
    return COMES_OUT.format(move=move, said=both)


COMES_TO: Outcomes = {
    (-1, True): "**{move}** loses by {by}.",
    (-1, False): "**{move}** loses.",
    (0, False): "**{move}** draws.",
    (1, False): "**{move}** wins.",
    (1, True): "**{move}** wins by {by}.",
}
"""The certain result of a move, by whether it loses, draws or wins, and whether the margin is given."""
WOULD_HAVE: Outcomes = {
    (-1, True): "**{move}** would have lost by {by}.",
    (-1, False): "**{move}** would have lost.",
    (0, False): "**{move}** would have drawn.",
    (1, False): "**{move}** would have won.",
    (1, True): "**{move}** would have won by {by}.",
}


def describe_outcome(game: Game, move: str, ahead: int, outcomes: Outcomes = COMES_TO) -> str:
    """The certain result of a move, `ahead` by a margin."""
    said = ahead != 0 and game.scored and abs(ahead) < SAYABLE
    line = outcomes[(ahead > 0) - (ahead < 0), said]
    return line.format(move=shorten_text(move, LONGEST_MOVE), by=board_words.format_number(abs(ahead)))


# Second tries of costly moves.


LEFT = {1: "You have one try left.", 2: "You have two tries left."}
SOLVED = "✅ "
BEST = "That is the best there is."
BETTER = "That is better than **{played}**, but there is an even better move."
ANSWER = "The answer to it is **{answer}**."
THAT_ONE = "That was the better move."


def describe_task(loaded: LoadedMatch, it: Mistake, viewer: Seat | None) -> str:
    """The task: "Move 7: you played **b2** here. Which move is better?"."""
    place = capitalize_name(IN_LEG.format(leg=it.leg, move=it.step.name) if loaded.game.single else it.step.name)
    said = describe_move((loaded.game.single or loaded.game).moves, it.step.before, it.step.seat, it.step.move)
    played = shorten_text(said, LONGEST_MOVE)
    if it.seat == viewer:
        return f"{place}: you played **{played}** here. Which move is better?"
    return f"{place}: {board_words.format_mention(loaded, it.seat)} played **{played}** here. Which move is better?"


def word_verdict(game: Game, step: ReviewStep, after: Position, found: RetryVerdict) -> RetryVerdict:
    """A verdict with the try and the answer to it, in the position `after` it, in the words of their pads."""
    move = describe_move(game.moves, step.before, step.seat, found.move)
    answer = (
        describe_move(game.moves, after, after.turn[0], found.answer) if found.answer and after.turn else found.answer
    )
    return found._replace(move=move, answer=answer)


def describe_try(game: Game, costly: CostlyMove, found: RetryVerdict, left: int) -> str:
    """The verdict on a try, and the number of tries left, or the better move."""
    certain = costly.ahead is not None and found.ahead is not None
    said = _describe_certain(game, costly, found) if certain else _describe_estimate(costly, found)
    further = "" if found.solves else LEFT.get(left) or describe_solution(game, costly)
    return "\n".join(line for line in (said, further, f"-# {FOOT if certain else ESTIMATED}") if line)


def _describe_certain(game: Game, costly: CostlyMove, found: RetryVerdict) -> str:
    played, answer = (shorten_text(one, LONGEST_MOVE) for one in (costly.played, found.answer))
    ends = describe_outcome(game, found.move, found.ahead or 0)
    if found.solves:
        return SOLVED + join_sentences(ends, BEST)
    if found.better:
        return join_sentences(ends, BETTER.format(played=played))
    return join_sentences(ends, ANSWER.format(answer=answer) if answer else "")


def _describe_estimate(costly: CostlyMove, found: RetryVerdict) -> str:
    move, played = (shorten_text(one, LONGEST_MOVE) for one in (found.move, costly.played))
    if found.solves:
        return f"{SOLVED}**{move}** looks better than **{played}**."
    if found.move == costly.played:
        return f"**{played}** is the move that was played."
    return f"**{move}** doesn't look much better than **{played}**."


def describe_solution(game: Game, costly: CostlyMove) -> str:
    better = shorten_text(costly.better, LONGEST_MOVE)
    if costly.ahead is None:
        return f"The better move was **{better}**."
    return join_sentences(describe_outcome(game, better, costly.ahead[0], WOULD_HAVE), THAT_ONE)
