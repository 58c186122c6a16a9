"""Words the daily puzzle: the task, the result of a try, the line to share, streaks, and the day's message.

Pure: puzzles, tries and figures come in, sentences go out.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from bot.features.board.words import CHIPS, HELD
from bot.features.daily.service import PuzzleVerdict, YesterdayResults
from bot.features.study.words import ANSWER, LONGEST_MOVE, SOLVED, describe_outcome
from bot.games.game import Game
from bot.games.wording import Plural, join_sentences, join_words, shorten_text
from bot.play.ids import UserId
from bot.play.loaded_match import mention_user
from bot.play.puzzles import MOST_TRIES, Day, Puzzle, PuzzleCareer, PuzzleTry, compute_puzzle_number
from bot.play.ratings import BestResult
from bot.play.record import Move

SOLVE, AGAIN, STATS, PAST, RULES, ALONE = "Solve", "Try again", "Stats", "Past puzzles", "Rules", "Play alone"
PRIVATE = "-# Only you see your tries until the day is over."
FORGIVEN = "-# One missed day a week is forgiven."
PRACTICE = "Practise an old puzzle. This one doesn't count."
RESULT_IS_THERE = "You are done with this one. *Solve* shows how it ended."
WINNING = "{who} is to move. Only one move wins. Which one?"
SAVING = "{who} is to move. One move draws, and all others lose. Which one?"
THE_MOVE = "This was the move: {solution}"
RIGHT = "That is the move!"
NOBODY = "Nobody solved yesterday's puzzle."
LEFT = Plural("You have {number} try left.", "You have {number} tries left.")
STREAK = "Your streak is {number} days. Your longest was {best} days."
LONGEST = "Your streak is {number} days, your longest so far."
NO_STREAK = "Your longest streak was {best} days."
IN_A_ROW = Plural(
    "🔥 This server has solved it {number} day in a row.", "🔥 This server has solved it {number} days in a row."
)
TRIED = Plural(
    "You tried {number} daily puzzle and solved {solved}: {first} in one try, {second} in two, {third} in three.",
    "You tried {number} daily puzzles and solved {solved}: {first} in one try, {second} in two, {third} in three.",
)
RECORD = "The record to beat: {score}, by {user}."
NO_RECORD = "Set the first record here."
LONGEST_LINE, MOST_NAMED = 1_000, 30
A_STREAK = 2
"""The number of days in a row that make a streak."""


def format_headline(day: Day, puzzle: Puzzle) -> str:
    """The headline of a puzzle: "Daily puzzle 113 · Dream Math"."""
    return f"### Daily puzzle {compute_puzzle_number(day)} · {puzzle.game.title}"


def describe_task(puzzle: Puzzle) -> str:
    """The task: "🟦 (rows) is to move. Only one move wins. Which one?"."""
    chip = CHIPS[puzzle.seat - 1]
    who = f"{chip}{HELD}({puzzle.game.sides[puzzle.seat - 1]})" if puzzle.game.sides else chip
    return (WINNING if puzzle.value > 0 else SAVING).format(who=who)


MORNING = (
    "The puzzle of the day is number {number}, of {game}.\n`/daily` shows it, and `/preferences` stops these messages."
)
"""The direct message that is edited into the board: this is what a phone shows of it."""


def describe_tries(tries: Sequence[PuzzleTry]) -> str:
    """The user's tries today, and how many are left."""
    left = LEFT.fill_in(MOST_TRIES - len(tries))
    if not tries:
        return left
    return f"You tried {join_words([format_move(one.move) for one in tries])}. {left}"


def format_tries_left(tries: int) -> str:
    """How many tries are left."""
    return LEFT.fill_in(tries)


def describe_try(puzzle: Puzzle, found: PuzzleVerdict) -> str:
    """The result of a try, with the best answer to it."""
    ends, answer = describe_outcome(puzzle.game, found.move, found.ahead), shorten_text(found.answer, LONGEST_MOVE)
    if found.move == puzzle.best:
        return SOLVED + join_sentences(ends, RIGHT)  # the line below it goes on with the answer
    return join_sentences(ends, ANSWER.format(answer=answer) if answer else "")


def describe_solution(puzzle: Puzzle) -> str:
    """The solution, and its result."""
    return describe_outcome(puzzle.game, puzzle.best, puzzle.value)


def format_proof(line: Sequence[Move]) -> str:
    """The best play after it: "🟦 b2 🟧 c1 🟦 a3"."""
    return shorten_text(
        " ".join(f"{CHIPS[one.seat - 1]} {shorten_text(one.text, LONGEST_MOVE)}" for one in line), LONGEST_LINE
    )


def format_share_line(day: Day, puzzle: Puzzle, tries: Sequence[PuzzleTry]) -> str:
    """The line to share, without a spoiler: "Graph Paper 112 · Dream Math · 2/3"; X for a puzzle not solved."""
    solved = next((str(one.number) for one in tries if one.solved), "X")
    return f"Graph Paper {compute_puzzle_number(day)} · {puzzle.game.title} · {solved}/{MOST_TRIES}"


def describe_stats(career: PuzzleCareer) -> str:
    """A user's results."""
    if not career.tried:
        return "You haven't tried a daily puzzle yet. /daily shows today's."
    first, second, third = career.solved
    told = TRIED.fill_in(career.tried, solved=sum(career.solved), first=first, second=second, third=third)
    found = describe_streak(career)
    return "\n".join((told, found, FORGIVEN)) if found else told


def describe_streak(career: PuzzleCareer) -> str:
    """A user's streak, which a single day is not."""
    now, best = career.streak.now, career.streak.best
    if best < A_STREAK:
        return ""
    told = NO_STREAK if now < A_STREAK else LONGEST if now == best else STREAK
    return told.format(number=now, best=best)


def describe_yesterday(day: Day, puzzle: Puzzle, told: YesterdayResults, gone: Collection[UserId] = ()) -> str:
    """The part of the day's message about the day before: the solution behind a spoiler, who found it, and the streak.
    `gone` have left the server; where only they solved it, no user is named."""
    lines = [f"**Yesterday** · {puzzle.game.title} {compute_puzzle_number(day)}: ||{describe_solution(puzzle)}||"]
    here = [(user, tries) for user, tries in told.solvers if user not in gone]
    if here:
        named = [f"{mention_user(user)} ({tries}/{MOST_TRIES})" for user, tries in here[:MOST_NAMED]]
        more = len(here) - MOST_NAMED
        lines.append(f"Solved by {join_words([*named, f'{more} more'] if more > 0 else named)}.")
    elif told.tried and not told.solvers:
        lines.append(NOBODY)
    return "\n".join([*lines, IN_A_ROW.fill_in(told.streak)] if told.streak >= A_STREAK else lines)


def describe_weekend(game: Game, options: Mapping[str, Any], best: BestResult | None) -> str:
    """The weekend's puzzle, and the best result so far."""
    board = " · ".join([game.title, *game.configure(options, 1).describe()])
    mark = RECORD.format(score=best.score, user=mention_user(best.user)) if best else NO_RECORD
    return f"**Alone:** {board}\n{mark}"


def format_move(move: str) -> str:
    return f"**{shorten_text(move, LONGEST_MOVE)}**"
