"""When a server gets its message of the day, and users' tries of the puzzle."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from datetime import date, timedelta
from typing import Any, NamedTuple

from bot.engine.exact import compute_margins, compute_results
from bot.engine.levels import SearchQuestion, Thought
from bot.games.game import Game
from bot.games.mind import Budget
from bot.games.position import Position
from bot.play import puzzles
from bot.play.calendars import Calendar
from bot.play.ids import NOWHERE, ChannelId, GuildId, MessageId, UserId
from bot.play.loaded_match import Refusal
from bot.play.puzzles import (
    MOST_TRIES,
    DailyChannel,
    DailyPost,
    Puzzle,
    PuzzleCareer,
    PuzzleTry,
    Series,
    compute_career,
)
from bot.play.ratings import BestResult
from bot.play.rows import ServerSettings
from data.store import Reader, Transaction

# When a server gets the message of the day, and of the week: once each, from its hour on, decided in the store.


LEASE, LONGEST = 120, 3600
"""Seconds of a process's lease of a message at first, and after many failures."""
UNSENT = MessageId(0)
OWED = 0
"""The lease of a message that was surely not sent, and that no process is sending."""
LATE = 1
"""The days after a Monday on which the week before is still posted."""


class YesterdayResults(NamedTuple):
    """The part of a server's message about the day before: who solved the puzzle, each with the number of tries, the
    number of consecutive days with a solver, and whether there were tries."""

    solvers: tuple[tuple[UserId, int], ...]
    streak: int
    tried: bool = False


class SeriesPost(NamedTuple):
    """A message to be sent: its series, server, day and channel; since when it may have been sent, in epoch seconds;
    whether it was tried before; and its part about the day before, None in the first message."""

    series: Series
    guild: GuildId
    day: int
    channel: ChannelId
    since: int
    again: bool
    yesterday: YesterdayResults | None


def find_series_day(series: Series, today: date) -> date:
    """The day of a series' message of today."""
    return today - timedelta(days=today.weekday() if series == "week" else 0)


def find_due_day(row: DailyChannel, now: int, series: Series = "daily") -> int | None:
    """The day whose message is due in a server; None for none."""
    calendar = Calendar(row.zone)
    today = calendar.find_local_date(now)
    first = find_series_day(series, today)
    day = first.toordinal()
    if today.toordinal() > day + LATE and day != row.day:
        return None
    if now < calendar.compute_moment(first, row.hour) or (row.day is not None and day < row.day):
        return None
    if day == row.day and (row.message is not None or now < row.due):
        return None
    return day


def claim_post(tx: Transaction, row: DailyChannel, now: int, series: Series = "daily") -> SeriesPost | None:
    """Claim a message that is due with a lease; None where another process has it."""
    tx.lock_guild(row.guild)
    before = tx.daily(row.guild, series)
    if before:
        row = row._replace(day=before.day, message=before.message, due=before.due)
    day = find_due_day(row, now, series)
    if day is None:
        return None
    again = before is not None and before.day == day and before.due != OWED
    tries = before.tries + 1 if before and again else 1
    channel = before.channel if before and again else row.channel
    first = before.first if before else day
    until = now + min(LEASE * 2 ** (tries - 1), LONGEST)
    tx.set_daily(row.guild, DailyPost(first, day, channel, None, until, tries), series)
    since = Calendar(row.zone).compute_moment(date.fromordinal(day), 0)
    told = _summarize_yesterday(tx, row.guild, day - 1) if first < day and series == "daily" else None
    return SeriesPost(series, row.guild, day, channel, since, again, told)


def find_last_post(reader: Reader, guild: GuildId, series: Series, message: MessageId) -> SeriesPost | None:
    """The last message of a series in a server; None where that is another one by now."""
    daily = reader.daily(guild, series)
    if daily is None or daily.message != message:
        return None
    told = _summarize_yesterday(reader, guild, daily.day - 1) if daily.first < daily.day and series == "daily" else None
    return SeriesPost(series, guild, daily.day, daily.channel, 0, True, told)


def record_sent(tx: Transaction, post: SeriesPost, message: MessageId) -> None:
    """Note the message of a day, `UNSENT` where there is none; nothing where a later day has come since."""
    tx.lock_guild(post.guild)
    daily = tx.daily(post.guild, post.series)
    if daily and daily.day == post.day and not daily.message:
        tx.set_daily(post.guild, replace(daily, message=message), post.series)


def record_refusal(tx: Transaction, post: SeriesPost, now: int) -> None:
    """Note that the message of a day is owed: Discord refuses it in its channel. An earlier attempt that may have been
    sent is still looked for."""
    tx.lock_guild(post.guild)
    daily = tx.daily(post.guild, post.series)
    if daily and daily.day == post.day and daily.message is None:
        tx.set_daily(post.guild, replace(daily, due=now if post.again else OWED), post.series)


def list_best_results(
    reader: Reader, guild: GuildId, game: Game, options: Mapping[str, Any], seen: Collection[int]
) -> tuple[BestResult, ...]:
    """The best results of all users in a server at a solo game, with some options, the best first; of matches in
    channels that are `seen`."""
    chosen = game.configure(options, 1).to_record()
    return next((bests for found, bests in reader.find_best_scores(guild, game.key, seen) if found == chosen), ())


def _summarize_yesterday(reader: Reader, guild: GuildId, day: int) -> YesterdayResults:
    solvers = reader.puzzle_solvers(guild, day)
    tried = bool(solvers) or reader.puzzle_tried(guild, day)
    return YesterdayResults(solvers, puzzles.compute_server_streak(reader.solved_days(guild), day), tried)


# Users' tries of the daily puzzle: three moves a day, each counted once, in whichever server they are.


NODES = 10_000_000
"""More nodes than any puzzle needs: the verdict on a try is exact."""
WEST = "Etc/GMT+12"
"""The time zone in which a day ends last."""
NOT_YET = "This puzzle hasn't come yet."
HERE_OVER = "This puzzle's day is over. /daily has today's, and tomorrow this one is among the past puzzles."
USED_UP = "You have used your three tries."


class PuzzleVerdict(NamedTuple):
    """The verdict on a try: the mover's margin at the end, and the best answer, empty where the mover goes on or the
    match is over."""

    move: str
    ahead: int
    answer: str


def find_today(reader: Reader, guild: GuildId, user: UserId, now: int) -> int:
    """The current day in a server; in direct messages, which belong to none, the user's own."""
    chosen = reader.load_preferences(user).zone if guild == NOWHERE else None
    return Calendar(chosen or reader.load_settings(guild).zone).find_local_date(now).toordinal()


def find_last_finished_day(now: int) -> int:
    """The last day that is over everywhere."""
    return Calendar(WEST).find_local_date(now).toordinal() - 1


def list_tries_of_day(reader: Reader, user: UserId, day: int) -> tuple[PuzzleTry, ...]:
    """A user's tries of the puzzle of a day."""
    return reader.puzzle_tries(user, day)


def expect_open(reader: Reader, guild: GuildId, user: UserId, day: int, now: int) -> bool:
    """Whether tries of a day's puzzle count here now; False where it is for practice, a `Refusal` where it is
    neither."""
    here = find_today(reader, guild, user, now)
    if day == here:
        return True
    if day <= find_last_finished_day(now):
        return False
    raise Refusal(NOT_YET if day > here else HERE_OVER)


def keep_try(tx: Transaction, guild: GuildId, user: UserId, day: int, move: str, now: int) -> tuple[PuzzleTry, ...]:
    """Store a try of today's puzzle, and return all of the day; a `Refusal` after the third, or one that solved it."""
    tx.lock_user(user)
    before = tx.puzzle_tries(user, day)
    if any(one.move == move for one in before):
        return before
    if is_done(before):
        raise Refusal(USED_UP)
    one = PuzzleTry(day, move, len(before) + 1, guild, now, move == puzzles.find_puzzle_of_day(day).best)
    tx.add_try(user, one)
    return (*before, one)


def claim_morning(tx: Transaction, user: UserId, now: int) -> int | None:
    """Take a user's puzzle that is due by direct message; the day, or None where there is none to be sent. It is due
    again after `LEASE`, if this process dies with it."""
    tx.lock_user(user)
    chosen = tx.load_preferences(user)
    if chosen.puzzle is None or chosen.puzzle > now:
        return None
    day = Calendar.of(chosen, ServerSettings(), ()).find_local_date(now).toordinal()
    if is_done(tx.puzzle_tries(user, day)):
        finish_morning(tx, user, now)
        return None
    put_off_morning(tx, user, now + LEASE)
    return day


def finish_morning(tx: Transaction, user: UserId, now: int) -> None:
    """Schedule the puzzle of a user's next morning, if they still want it."""
    tx.lock_user(user)
    calendar = Calendar.of(tx.load_preferences(user), ServerSettings(), ())
    put_off_morning(tx, user, calendar.find_next_hour(now, calendar.morning))


def put_off_morning(tx: Transaction, user: UserId, due: int | None) -> None:
    """Have a puzzle sent again later, or never (None) to a user who takes no direct messages."""
    tx.lock_user(user)
    tx.change_preferences(user, lambda kept: replace(kept, puzzle=kept.puzzle and due))


def is_done(tries: tuple[PuzzleTry, ...]) -> bool:
    """Whether the puzzle is solved or the tries are used up."""
    return len(tries) >= MOST_TRIES or any(one.solved for one in tries)


def career_of(reader: Reader, guild: GuildId, user: UserId, now: int) -> PuzzleCareer:
    """A user's results up to today in the server's time zone."""
    return compute_career(reader.puzzle_tries(user), find_today(reader, guild, user, now))


def make_puzzle_question(puzzle: Puzzle, position: Position) -> SearchQuestion | None:
    """The search request about a position after a try; None where the match is over."""
    if not position.turn:
        return None
    return SearchQuestion(puzzle.game.key, position, position.turn[0], Budget(1, NODES, others=False), "daily")


def judge_try(puzzle: Puzzle, move: str, after: Position, thought: Thought | None) -> PuzzleVerdict:
    """The verdict on a try, from the thought about the position after it."""
    if thought is None:
        return PuzzleVerdict(
            move, round(compute_margins(compute_results(after, puzzle.game.mind))[puzzle.seat - 1]), ""
        )
    mine = after.turn[0] == puzzle.seat
    return PuzzleVerdict(move, round(thought.value if mine else -thought.value), "" if mine else thought.move)
