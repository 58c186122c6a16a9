"""Every lesson keeps to the rules: it replays, no sentence of it lies, and the learner's move is answered truly.

What a sentence says of scores has to stand in the working of the position that it shows, or in its scores; what it says
of moves is tried. The trial's good moves are those that an exact search finds best, wherever one can be finished.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from itertools import islice
from typing import Any

import pytest

from bot.features.board import match_pictures
from bot.features.board.words import CHIPS
from bot.features.pads import keypad
from bot.features.pads.pad_loop import list_choices
from bot.features.study import lessons
from bot.features.study import words as study_words
from bot.games.catalogue import load_games, load_games_with_lesson, load_offered_games, read_recorded_matches
from bot.games.game import Game
from bot.games.position import MoveError
from bot.platform.ui import ACCENTS, Caption, Drawing, LessonButton
from bot.play import partial_moves as play_partial_moves
from bot.play.lessons import Exercise, Lesson, compute_value_for, find_forced_move
from bot.play.lessons import load_lesson as lesson_of
from bot.play.match import Match
from bot.play.partial_moves import PartialMove
from tests.support.pad_taps import towards

STEPS = 4
"""Steps of a walk; with the exercise that makes five pages."""
LONGEST = 250
"""Characters of a sentence that is read beside a picture on a phone."""
SAID = r"=|\b(?:scor(?:es?|ed|ing)|worth|makes?|costs?|counts?|leads?|wins?|ha(?:s|ve|d))"
SCORING = re.compile(rf"(?:{SAID}) (?:(?:by|for|with) )?([0-9]+)\b(?!×)")
SCORED = re.compile(r"\bscor(?:es?|ed|ing) (?:(?:by|for|with) )?([0-9]+)\b(?!×)")
ADDED = re.compile(r"(?:=|\+) ([0-9]+)|\b([0-9]+) \(")
"""Scores in a claim that does not say `scores 2`: what it comes to, and what is added up."""
POINTS = re.compile(r"\b([0-9]+) points?\b")
RESULT = re.compile(r"\b(?:by|with|at|is|are|now|has|have|ends|leads) ([0-9]+) to ([0-9]+)\b")
SUM = re.compile(r"[0-9]+(?: [+×−/] [0-9]+)+ = [0-9]+")
NODES = 2_500
"""How many positions a search for the best move may look at."""
TAUGHT = [*load_games_with_lesson().values()]


def name(game: Game) -> str:
    return game.key


@pytest.fixture(params=TAUGHT, ids=name)
def lesson(request: pytest.FixtureRequest) -> Lesson:
    found = lesson_of(request.param)
    assert found
    return found


def test_every_game_is_taught() -> None:
    untaught = [key for key in load_offered_games() if key not in load_games_with_lesson()]
    assert not untaught, f"these have no lesson.jsonl in their folder: {untaught}"


def test_a_walk_is_short_and_holds_the_ideas_it_must(lesson: Lesson) -> None:
    assert len(lesson.steps) == STEPS
    assert {"goal", "turn", "score", "end"} <= {step.idea for step in lesson.steps}
    assert lesson.steps[0].idea == "goal"
    ats = [step.at for step in lesson.steps]
    assert ats == sorted(ats) and ats[0] == 0, "a walk goes forward from the start"
    assert ats[-1] == len(lesson.walk) - 1 and lesson.walk[-1].is_over, "the last step shows the finished board"
    assert lesson.walk[-1].ending_kind == "play", "the rules end it"


def test_sentences_are_short_and_whole(lesson: Lesson) -> None:
    for said in (*(step.say for step in lesson.steps), lesson.trial.say):
        assert len(said) <= LONGEST, f"{len(said)} characters: {said}"
        assert said[-1] in ".!?" and "  " not in said and "\n" not in said, said


def test_what_a_step_rests_on_is_so(lesson: Lesson) -> None:
    for number, step in enumerate(lesson.steps, 1):
        seen = lesson.get_position(number)
        lines = {*seen.working(), *(line.strip() for line in str(seen).splitlines())}
        assert {*step.claims} <= lines, f"{ {*step.claims} - lines } is not in {lines}"
        assert step.scores in (None, seen.scores()), f"step {number}: the scores are {seen.scores()}"
        assert step.picture <= len(lesson.game.pictures(seen))


def test_no_sentence_says_more_than_it_rests_on(lesson: Lesson) -> None:
    for step in lesson.steps:
        backed = {int(number) for line in step.claims for number in re.findall("[0-9]+", line)} | {*(step.scores or ())}
        for number in (*SCORING.findall(step.say), *POINTS.findall(step.say)):
            assert int(number) in backed, f"{number} is in no claim: {step.say}"
        scored = {number for line in step.claims for number in scores_in(line)} | {*(step.scores or ())}
        for number in (*SCORED.findall(step.say), *POINTS.findall(step.say)):
            assert int(number) in scored, f"{number} is no score in a claim: {step.say}"
        for result in RESULT.findall(step.say):
            assert sorted(map(int, result)) == sorted(step.scores or ()), f"{result} are not the scores: {step.say}"


def scores_in(claim: str) -> set[int]:
    """The numbers of a claim that are scores."""
    said = SCORED.findall(claim) or POINTS.findall(claim) or [total or part for total, part in ADDED.findall(claim)]
    return {int(number) for number in said}


def test_sums_come_out(lesson: Lesson) -> None:
    for said in (*(step.say for step in lesson.steps), lesson.trial.say):
        for found in SUM.findall(said):
            left, right = found.split(" = ")
            worked = eval(re.sub("[×−]", lambda sign: {"×": "*", "−": "-"}[sign[0]], left))
            assert worked == int(right), found


def test_moves_that_a_step_names_can_or_cannot_be_made(lesson: Lesson) -> None:
    for step in lesson.steps:
        match = lesson.walk[step.at]
        for move in step.can:
            assert legal(match, move), f"{move} is refused: {step.say}"
        for move in step.cannot:
            assert not legal(match, move), f"{move} is accepted: {step.say}"


def legal(match: Match, move: str) -> bool:
    """Whether some seat that is to move may make a move."""
    for seat in match.turn:
        try:
            match.play(seat, move)
        except MoveError:
            continue
        return True
    return False


def test_nobody_is_shown_what_a_seat_may_not_see(lesson: Lesson) -> None:
    """In a game with secrets a step is somebody's view until the match is over; the trial is the learner's."""
    for step in lesson.steps:
        assert not lesson.game.secret or step.seat or lesson.walk[step.at].is_over or step.at == 0


# --- the trial


def listed(trial: Exercise) -> tuple[str, ...]:
    """All legal moves of the trial; none where they are open."""
    position = trial.start.position
    return () if position.open_to(trial.seat) else tuple(position.moves(trial.seat))


def test_the_trial_can_be_made(lesson: Lesson) -> None:
    trial = lesson.trial
    assert trial.seat in trial.start.turn
    assert trial.good
    assert trial.start.position not in [match.position for match in lesson.walk], "its answer was not shown before"
    for move in trial.good:
        trial.start.play(trial.seat, move)
        assert trial.visible_position.read(trial.seat, move) == move, "it is in canonical notation"
    assert trial.picture <= len(lesson.game.pictures(trial.visible_position))


def test_the_good_moves_do_the_most(lesson: Lesson) -> None:
    """By what they do at once, and so that a move is not called the best that an exact search finds worse."""
    trial = lesson.trial
    moves = listed(trial)
    worths = {move: trial.compute_value(move) for move in (*moves, *trial.good)}
    best = max(worths.values())
    assert {move for move, found in worths.items() if found == best} == {*trial.good}, worths
    if moves:
        assert len(moves) > len(trial.good), "there is something to choose"


def test_the_good_moves_are_the_best_in_the_end(lesson: Lesson) -> None:
    trial = lesson.trial
    found = values(trial)
    if found is None:
        at_once = {trial.compute_value(move)[0] for move in trial.good}
        assert at_once == {1} or trial.start.position.open_to(trial.seat), "it cannot be searched, so it has to win"
    else:
        assert {move for move, value in found.items() if value == max(found.values())} == {*trial.good}, found


class TooMany(Exception):
    """The search would take too long."""


def values(trial: Exercise) -> dict[str, tuple[int, int]] | None:
    """What every legal move comes to when both sides go on as well as can be; None where that is too much to search."""
    nodes = iter(range(NODES))
    if len(trial.start.position.scores()) > 2 or (trial.start.game.secret and trial.start.turn != (trial.seat,)):
        return None
    try:
        moves = listed(trial)
        return {move: value(trial.start.play(trial.seat, move), trial, nodes) for move in moves} or None
    except TooMany:
        return None


def value(match: Match, trial: Exercise, nodes: Iterator[int]) -> tuple[int, int]:
    """What a match comes to for the learner."""
    if next(nodes, None) is None:
        raise TooMany
    if match.is_over:
        return compute_value_for(match, trial.seat, trial.lowest)
    (mover,) = match.turn
    if match.position.open_to(mover):
        raise TooMany
    found = (value(match.play(mover, move), trial, nodes) for move in match.position.moves(mover))
    return max(found) if mover == trial.seat else min(found)


def test_who_has_least_wins_only_where_it_is_so(lesson: Lesson) -> None:
    """As the recorded matches of the game show that came to different scores and were played out."""
    for row in read_recorded_matches(lesson.game):
        ranks, scores = row["ranks"], row["scores"]
        played = not any(word in ("resign", "timeout", "draw") for _, word in row["moves"])
        if ranks and played and len({*scores}) > 1:
            winning = min(scores) if lesson.trial.lowest else max(scores)
            assert scores[ranks.index(1)] == winning


def test_every_move_is_answered_truly(lesson: Lesson) -> None:
    trial = lesson.trial
    for move in (*islice(listed(trial), 400), *trial.good):
        text = study_words.describe_own_move(lesson, move)
        assert len(text) <= 1500
        after = trial.play_move(move)
        assert ("You win" in text) == (compute_value_for(after, trial.seat, trial.lowest)[0] == 1)
        assert ("would have" in text) == (move not in trial.good), text
        assert (study_words.NO_MORE in text or study_words.WELL in text) == (move in trial.good)


def test_what_has_to_follow_leaves_no_choice(lesson: Lesson) -> None:
    """What is played behind the learner's move is the only legal one each time, and told; then somebody can choose."""
    trial = lesson.trial
    for move in (*islice(listed(trial), 50), *trial.good):
        match, after = trial.start.play(trial.seat, move), trial.play_move(move)
        for seat, text in after.record[len(match.record) :]:
            assert match.turn == (seat,) and [*match.position.moves(seat)] == [text]
            assert f"**{text}**" in study_words.describe_own_move(lesson, move)
            match = match.play(seat, text)
        assert match == after and find_forced_move(after) is None


# --- what is shown of it


def partial_moves(lesson: Lesson, move: str) -> Iterator[PartialMove]:
    """A move put together on the pad, tap by tap."""
    choices = list_choices(lesson.game, lesson.trial.visible_position, lesson.trial.seat)
    kind = next(kind for _, kind in choices if kind.parse(move) is not None)
    return towards(lesson.trial.visible_position, lesson.trial.seat, kind, move)


def test_the_good_move_can_be_tapped(lesson: Lesson) -> None:
    """On pads that Discord takes: 40 components, 4000 characters."""
    for move in lesson.trial.good:
        line = [*partial_moves(lesson, move)]
        for so_far in line:
            keyboard = play_partial_moves.list_keys(lesson.trial.visible_position, lesson.trial.seat, so_far)
            pictures = [
                Caption(one.alt)
                for one in match_pictures.make_pictures(
                    lesson.game, lesson.trial.visible_position, lesson.trial.seat, so_far
                )
            ]
            ids = partial(lessons.TrialId, lesson.game.key)
            alt = str(lesson.trial.visible_position)
            view = keypad.build_pad(so_far, keyboard, pictures, alt, ACCENTS[0], ids, where=lesson.game.title)
            assert len([*view.walk_children()]) <= 40 and view.content_length() <= 4000
        assert lesson.trial.visible_position.read(lesson.trial.seat, line[-1].line) == move


def test_every_page_is_one_that_discord_takes(lesson: Lesson) -> None:
    drawing = Drawing((Caption("A picture."),), (b"",))
    for number in range(1, lesson.page_count + 1):
        view = lessons.build_page_view(lesson, number, drawing, "A board.")
        assert view.content_length() <= 1500
        assert len([*view.walk_children()]) <= 15


def test_pages_are_numbered_from_one_to_the_trial(lesson: Lesson) -> None:
    for number in range(1, lesson.page_count + 1):
        ids = [str(control.component) for control in lessons.make_page_buttons(lesson, number)]
        pages = [page for page in (number - 1, number + 1) if 1 <= page <= lesson.page_count]
        assert ids[: len(pages)] == [f"p:learn:{lesson.game.key}-{page}" for page in pages]
        read = [LessonButton.parse(one) for one in ids[: len(pages)]]
        assert read == [LessonButton(lesson.game.key, page) for page in pages]


def test_a_step_says_what_was_played_since_the_one_before(lesson: Lesson) -> None:
    for number, step in enumerate(lesson.steps, 1):
        text = study_words.describe_step(lesson, number)
        assert step.say in text
        before = lesson.steps[number - 2].at if number > 1 else 0
        if step.at > before and not lesson.game.secret:
            seat, move = lesson.walk[-1].record[step.at - 1]
            assert f"{CHIPS[seat - 1]} **{move}"[:20] in text


# --- that lies are found


LIES = (
    (test_what_a_step_rests_on_is_so, {"claims": ("rows: 7 × 5 × 7 = 246",)}),
    (test_what_a_step_rests_on_is_so, {"scores": (27, 246)}),
    (test_no_sentence_says_more_than_it_rests_on, {"say": "🟧 scores 246."}),
    (test_no_sentence_says_more_than_it_rests_on, {"say": "🟧 gets 4 points."}),
    (test_no_sentence_says_more_than_it_rests_on, {"say": "🟧 wins by 245 to 28."}),
    (
        test_no_sentence_says_more_than_it_rests_on,
        {"say": "Row 1 scores 2.", "claims": ("row 1: 2 < 4, scores 1",)},
    ),
    (test_sums_come_out, {"say": "7 × 5 × 7 = 246."}),
    (test_moves_that_a_step_names_can_or_cannot_be_made, {"can": ("c3",)}),
    (test_sentences_are_short_and_whole, {"say": "No end"}),
)


@pytest.mark.parametrize(("check", "lie"), LIES, ids=lambda it: it.__name__ if callable(it) else "")
def test_a_lie_is_found(check: Callable[[Lesson], None], lie: dict[str, Any]) -> None:
    honest = lesson_of(load_games()["binary-primes"])
    assert honest
    check(honest)
    steps = (*honest.steps[:-1], replace(honest.steps[-1], **lie))
    with pytest.raises(AssertionError):
        check(replace(honest, steps=steps))


def test_a_move_that_is_not_the_best_is_found() -> None:
    honest = lesson_of(load_games()["binary-primes"])
    assert honest
    for good in (("b1",), ("a2",), ("b1", "b3", "c1")):
        with pytest.raises(AssertionError):
            test_the_good_moves_do_the_most(replace(honest, trial=replace(honest.trial, good=good)))
