"""What people try in the daily puzzle: three moves a day, each counted once, in whichever server they are.

A try is stored before its answer is shown. The same move again is the same try, so a press that is delivered twice, or
one after a restart, costs no second try. A day is the server's own; a puzzle whose day is over everywhere can be
practised, and nothing of that is kept.
"""

from __future__ import annotations

from typing import NamedTuple

from bot.core.game.mind import Budget
from bot.core.game.position import Position
from bot.core.match.loaded_match import Refusal
from bot.core.puzzle import puzzles
from bot.core.puzzle.puzzles import Puzzle
from bot.core.puzzle.stored_puzzles import PuzzleTry
from bot.core.puzzle.streaks import MOST_TRIES, Career, career
from bot.core.values.ids import GuildId, UserId
from bot.search.thoughts import Question, Thought
from bot.search.values import margins, results
from bot.service.time.calendars import Calendar
from data.store import Reader, Transaction

NODES = 10_000_000
"""More nodes than any puzzle needs: the verdict on a try is exact."""
WEST = "Etc/GMT+12"
"""Where a day ends last."""
NOT_YET = "This puzzle hasn't come yet."
HERE_OVER = "This puzzle's day is over. /daily has today's, and tomorrow this one is among the past puzzles."
USED_UP = "You have used your three tries."


class Verdict(NamedTuple):
    """The verdict on a try: the mover's margin at the end, and the best answer, empty where the mover goes on or the
    match is over."""

    move: str
    ahead: int
    answer: str


def today(reader: Reader, guild: GuildId, now: int) -> int:
    """The day that it is in a server."""
    return Calendar(reader.settings(guild).zone).today(now).toordinal()


def last_over(now: int) -> int:
    """The last day that is over everywhere."""
    return Calendar(WEST).today(now).toordinal() - 1


def of_day(reader: Reader, user: UserId, day: int) -> tuple[PuzzleTry, ...]:
    """A user's tries of the puzzle of a day."""
    return reader.puzzle_tries(user, day)


def expect_open(reader: Reader, guild: GuildId, day: int, now: int) -> bool:
    """Whether tries of a day's puzzle count here now; False where it is practised, a `Refusal` where it is neither."""
    here = today(reader, guild, now)
    if day == here:
        return True
    if day <= last_over(now):
        return False
    raise Refusal(NOT_YET if day > here else HERE_OVER)


def tried(tx: Transaction, guild: GuildId, user: UserId, day: int, move: str, now: int) -> tuple[PuzzleTry, ...]:
    """Keep a try of today's puzzle, and return all of the day; a `Refusal` after the third, or one that solved it."""
    tx.go_alone_for(user)
    before = tx.puzzle_tries(user, day)
    if any(one.move == move for one in before):
        return before
    if is_done(before):
        raise Refusal(USED_UP)
    one = PuzzleTry(day, move, len(before) + 1, guild, now, move == puzzles.of_day(day).best)
    tx.add_try(user, one)
    return (*before, one)


def is_done(tries: tuple[PuzzleTry, ...]) -> bool:
    """Whether the puzzle is solved or the tries are used up."""
    return len(tries) >= MOST_TRIES or any(one.solved for one in tries)


def career_of(reader: Reader, guild: GuildId, user: UserId, now: int) -> Career:
    """A user's results up to today in the server's time zone."""
    return career(reader.puzzle_tries(user), today(reader, guild, now))


def question(puzzle: Puzzle, position: Position) -> Question | None:
    """The search request about a position after a try; None where the match is over."""
    if not position.turn:
        return None
    return Question(puzzle.game.key, position, position.turn[0], Budget(1, NODES, others=False), "daily")


def verdict(puzzle: Puzzle, move: str, after: Position, thought: Thought | None) -> Verdict:
    """The verdict on a try, from the thought about the position after it."""
    if thought is None:
        return Verdict(move, round(margins(results(after, puzzle.game.mind))[puzzle.seat - 1]), "")
    mine = after.turn[0] == puzzle.seat
    return Verdict(move, round(thought.value if mine else -thought.value), "" if mine else thought.move)
