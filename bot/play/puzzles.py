"""The daily puzzle of each day, tries, streaks and results."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from typing import Annotated, Any, ClassVar, Literal, NamedTuple

from bot.games.catalogue import load_games, read_puzzle_lines
from bot.games.game import Game
from bot.games.position import Position, Seat
from bot.play.columns import PLACE, Exported, Key, Moment, Person
from bot.play.ids import ChannelId, GuildId, MessageId, UserId
from bot.play.lessons import fold_record

# The stored rows of the daily puzzle. Days are ordinals, as of `datetime.date.toordinal`.


Series = Literal["daily", "week"]
"""The series of posts in a channel: one each day, or one each week, whose day is its Monday."""

TRIED = Exported("what you tried in the daily puzzle: which moves, on which day and in which server")


@dataclass(frozen=True, slots=True)
class PuzzleTry:
    """A user's try of the puzzle of a day: the first, second or third, in which server and when, and whether it solves
    the puzzle."""

    user: ClassVar[Annotated[UserId, Key(), Person(owns=True), TRIED]]
    day: Annotated[int, Key(), TRIED]
    move: Annotated[str, Key(), TRIED]
    number: Annotated[int, TRIED]
    guild: Annotated[GuildId, PLACE, TRIED]
    at: Annotated[Moment, TRIED]
    solved: Annotated[bool, TRIED]


@dataclass(frozen=True, slots=True)
class DailyPost:
    """The last message of a series in a server: the day of the first one, its own day and channel, its id (None: being
    sent; 0: none), the end of the lease of the process that sends it, and the number of tries."""

    guild: ClassVar[Annotated[GuildId, Key()]]
    first: int
    day: int
    channel: ChannelId
    message: MessageId | None
    due: Moment
    tries: int


class DailyChannel(NamedTuple):
    """A server's channel for a series, with its hour and zone; and of its last message the day, the id and the end of
    the lease."""

    guild: GuildId
    channel: ChannelId
    hour: int
    zone: str
    day: int | None
    message: MessageId | None
    due: int


# Streaks and results of users and servers.


MOST_TRIES = 3


class DayStreak(NamedTuple):
    """The current streak in days, and the longest ever."""

    now: int
    best: int


class PuzzleCareer(NamedTuple):
    """A user's results: puzzles tried, those solved in one, two and three tries, and the streak."""

    tried: int
    solved: tuple[int, int, int]
    streak: DayStreak


def compute_user_streak(days: Sequence[int], today: int) -> DayStreak:
    """The streak of a user, from the days of the solved puzzles, ascending; one missed day a week, from Monday to
    Sunday, is forgiven, and today is not missed yet.

    >>> compute_user_streak((8, 9, 11), 12), compute_user_streak((8, 9, 12), 12), compute_user_streak((8, 9), 13)
    (DayStreak(now=3, best=3), DayStreak(now=1, best=2), DayStreak(now=0, best=2))
    """
    run = best = 0
    forgiven, solved = set[int](), set(days)
    for day in range(min(days, default=today), today + 1):
        week = (day - 1) // 7
        if day in solved:
            run += 1
        elif run and day != today:
            run = 0 if week in forgiven else run
            forgiven.add(week)
        best = max(best, run)
    return DayStreak(run, best)


def compute_server_streak(days: Sequence[int], last: int) -> int:
    """The number of consecutive days until `last` on which a user of a server solved the puzzle; the latest day comes
    first.

    >>> compute_server_streak((12, 11, 9), 12), compute_server_streak((12, 11, 9), 13)
    (2, 0)
    """
    past = [day for day in days if day <= last]
    return next((at for at, day in enumerate(past) if day != last - at), len(past))


def compute_career(tries: Sequence[PuzzleTry], today: int) -> PuzzleCareer:
    """A user's results, from all their tries in order."""
    solved = [one for one in tries if one.solved]
    counts = [sum(one.number == number for one in solved) for number in range(1, MOST_TRIES + 1)]
    streak = compute_user_streak([one.day for one in solved], today)
    return PuzzleCareer(len({one.day for one in tries}), (counts[0], counts[1], counts[2]), streak)


# The daily puzzle of each day: a position of a game in which exactly one move keeps the best result.


Day = int
FIRST: Day = 739_621
"""The day of the puzzle with the number 1: Monday, January 5, 2026."""


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A position, its one best move, and the final margins of the mover after that move and after the next best;
    `grade` is the weakest level of the computer that always finds it."""

    game: Game
    position: Position
    best: str
    value: int
    second: int
    grade: int

    @property
    def seat(self) -> Seat:
        """Who is to move."""
        return self.position.turn[0]


def compute_puzzle_number(day: Day) -> int:
    return day - FIRST + 1


def find_puzzle_of_day(day: Day) -> Puzzle:
    """The puzzle of a day; before the first day they are counted backwards."""
    lines = list_puzzles()
    return parse_puzzle(lines[(day - FIRST) % len(lines)])


@cache
def list_puzzles() -> tuple[dict[str, Any], ...]:
    """All puzzles, in the order of their days."""
    mixed = defaultdict[str, list[dict[str, Any]]](list)
    for key, game in load_games().items():
        mixed[key] = sorted(read_puzzle_lines(game), key=_hash_line)
    placed = [
        ((at + int(_hash_line(line), 16) / 16**64) / len(lines), _hash_line(line), line)
        for lines in mixed.values()
        for at, line in enumerate(lines)
    ]
    return tuple(line for _, _, line in sorted(placed, key=lambda one: one[:2]))


def parse_puzzle(line: dict[str, Any]) -> Puzzle:
    game = load_games()[line["game"]]
    position = fold_record(game, line).position
    return Puzzle(game, position, line["best"], line["value"], line["second"], line["grade"])


@cache
def _hash_text(text: str) -> str:
    return sha256(text.encode()).hexdigest()


def _hash_line(line: dict[str, Any]) -> str:
    return _hash_text(json.dumps([line["game"], line["options"], line["moves"]], sort_keys=True))


# The weekend's puzzles: solo grids and curves, without a single best move; a server's best result is the target.


SATURDAY = 5


def find_weekend(day: Day) -> int | None:
    """The number of the weekend in which a day lies; None for other days."""
    week, weekday = divmod(day - 1, 7)
    return week if weekday >= SATURDAY else None


def choose_board(weekend: int) -> tuple[str, dict[str, Any]]:
    """The game and the options of a weekend."""
    boards = list_weekend_boards()
    return boards[weekend % len(boards)]


@cache
def list_weekend_boards() -> tuple[tuple[str, dict[str, Any]], ...]:
    """All boards for a weekend, as they follow one another: each game's in their order, evenly among the others'."""
    placed = [
        ((at + 0.5) / len(game.weekend_boards), key, options.to_record())
        for key, game in load_games().items()
        for at, options in enumerate(game.weekend_boards)
    ]
    return tuple((key, options) for _, key, options in sorted(placed, key=lambda one: one[:2]))
