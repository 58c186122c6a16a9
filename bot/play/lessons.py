"""Reads lessons: a small recorded match to look at step by step, and a position in which the learner makes a move.

A lesson is in ``lesson.jsonl`` in its game's folder, one JSON object a line: the record, then the steps, then the
exercise. Each step names the ply of the record that it shows, its one idea, its sentence, and the proofs of it: lines
of the working or of the text board (`claims`), scores, moves that are legal there (`can`) and moves that are not
(`cannot`). tests/core/test_lessons.py checks all of it against the rules, so that no sentence can be wrong.

    {"game": "binary-primes", "options": {"size": 3}, "seats": 2, "moves": [[1, "b2"], …]}
    {"at": 1, "idea": "turn", "say": "…", "claims": ["row 2: …, 101 = 5"], "scores": [245, 245]}
    {"try": {"options": …, "seats": 2, "moves": […], "seat": 1}, "say": "…", "good": ["c3"]}
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import islice
from typing import Any, Literal

from bot.games.catalogue import is_usual, read_lines, read_recorded_matches
from bot.games.game import Game
from bot.games.position import Position, Seat, Viewer
from bot.play.match import Match, enter_line, open_record
from bot.play.record import Entry

Idea = Literal["goal", "turn", "score", "rule", "end"]
"""The subject of a step: the aim, a turn, the scoring, another rule, or the end."""


@dataclass(frozen=True, slots=True)
class LessonStep:
    """A moment of the recorded match, and the text about it."""

    at: int
    """How many lines of the record have been played."""
    idea: Idea
    say: str
    claims: tuple[str, ...] = ()
    scores: tuple[int, ...] | None = None
    can: tuple[str, ...] = ()
    cannot: tuple[str, ...] = ()
    seat: Viewer = None
    """The seat whose view is shown in a game with secrets; None for the referee, who sees everything."""
    picture: int = 1
    """Which of the position's pictures is shown."""


@dataclass(frozen=True, slots=True)
class Exercise:
    """A position in which the learner makes one move, and the best moves there."""

    start: Match
    seat: Seat
    say: str
    good: tuple[str, ...]
    lowest: bool = False
    """Whether the lowest score wins."""
    picture: int = 1

    @property
    def visible_position(self) -> Position:
        """What the learner sees before the move."""
        return self.start.position.seen_by(self.seat)

    def play_move(self, move: str) -> Match:
        """The match after a legal move and all forced moves that follow it."""
        match = self.start.play(self.seat, move)
        while only := find_forced_move(match):
            match = match.play(*only)
        return match

    def compute_value(self, move: str) -> tuple[int, int]:
        """The value of a legal move for the learner: 1 or -1 if it wins or loses at once, else 0; and the lead after
        it."""
        return compute_value_for(self.play_move(move), self.seat, self.lowest)


@dataclass(frozen=True, slots=True)
class Lesson:
    """The steps of a recorded match with the positions that they show, and the exercise."""

    game: Game
    walk: tuple[Match, ...]
    """The recorded match after each of its lines, from the start on."""
    steps: tuple[LessonStep, ...]
    trial: Exercise

    @property
    def page_count(self) -> int:
        """The number of pages: the steps, and the exercise as the last."""
        return len(self.steps) + 1

    def get_position(self, number: int) -> Position:
        """The position that a step, counted from 1, shows."""
        step = self.steps[number - 1]
        position = self.walk[step.at].position
        return position if step.seat is None else position.seen_by(step.seat)

    def list_entries_since(self, number: int) -> tuple[Entry, ...]:
        """The lines of the record between the step before and this one, as this one's viewer may know them."""
        step, before = self.steps[number - 1], self.steps[number - 2].at if number > 1 else 0
        if step.seat is None:
            return self.walk[step.at].record[before:]
        return self.walk[step.at].list_visible_entries(step.seat)[
            len(self.walk[before].list_visible_entries(step.seat)) :
        ]


def find_forced_move(match: Match) -> tuple[Seat, str] | None:
    """The only legal move in a match with its seat; None if there is a choice."""
    if len(match.turn) != 1 or match.position.open_to(match.turn[0]):
        return None
    found = [*islice(match.position.moves(match.turn[0]), 2)]
    return (match.turn[0], found[0]) if len(found) == 1 else None


def compute_value_for(match: Match, seat: Seat, lowest: bool) -> tuple[int, int]:
    """How a match stands for a seat: won (1), lost (-1) or neither yet, and its lead over the best of the others."""
    ranks, signed = match.ranks, [-score if lowest else score for score in match.scores]
    others = [score for other, score in enumerate(signed, 1) if other != seat]
    lead = signed[seat - 1] - max(others, default=0)
    if ranks is None or ranks.count(1) == len(ranks) > 1:
        return 0, lead
    return (1 if ranks[seat - 1] == 1 else -1), lead


def read_lesson(game: Game, rows: Sequence[dict[str, Any]]) -> Lesson:
    record, *steps, last = rows
    walk = [open_record({game.key: game}, record)]
    for at, line in enumerate(record["moves"]):
        walk.append(enter_line(walk[-1], line, at))
    return Lesson(game, tuple(walk), tuple(_read_step(row) for row in steps), _read_exercise(game, last))


def _read_step(row: dict[str, Any]) -> LessonStep:
    listed = {name: tuple(row.get(name, ())) for name in ("claims", "can", "cannot")}
    scores = tuple(row["scores"]) if "scores" in row else None
    return LessonStep(
        row["at"], row["idea"], row["say"], scores=scores, seat=row.get("seat"), picture=row.get("picture", 1), **listed
    )


def _read_exercise(game: Game, row: dict[str, Any]) -> Exercise:
    given = row["try"]
    start = open_record({game.key: game}, {"game": game.key, **given})
    for at, line in enumerate(given["moves"]):
        start = enter_line(start, line, at)
    lowest, picture = row.get("lowest", False), row.get("picture", 1)
    return Exercise(start, given["seat"], row["say"], tuple(row["good"]), lowest, picture)


TELLING = 6


@cache
def load_example(game: Game) -> Match | None:
    """The longest of a game's recorded matches with the usual options, at its end; None without one."""
    rows = read_recorded_matches(game)
    if not rows:
        return None
    longest = max(rows, key=lambda row: (is_usual(game, row) and len(row["moves"]) >= TELLING, len(row["moves"])))
    return fold_record(game, longest)


@cache
def load_rules_example(game: Game) -> Position | None:
    """The position in the example of a game's rules page, from the recorded match that is marked as it."""
    if game.example:
        return game.example()
    return next((fold_record(game, row).position for row in read_recorded_matches(game) if row.get("example")), None)


@cache
def load_lesson(game: Game) -> Lesson | None:
    rows = read_lines(game, "lesson.jsonl")
    return read_lesson(game, rows) if rows else None


def fold_record(game: Game, row: dict[str, Any]) -> Match:
    """A recorded match at its end."""
    match = Match.start(game, game.Options.complete_record(row.get("options", {})), row["seats"])
    for seat, text in row["moves"]:
        match = match.enter(seat, text)
    return match
