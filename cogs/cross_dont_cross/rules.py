"""Cross, Don't Cross Circle Game (Leroy Quet, 2008)

**Example** In round 1, at the left, Blue drew *chords*, lines between points of the circle, here only two: from 1 to 2
and from 3 to 4. Orange then drew *segments*, lines between numbered points: from 1 to 3, which crosses no line, from 2
to 4, which crosses one, at 5, and from 2 to 3, which crosses none. The next had to cross one, and none could: 3 for
Orange. In round 2 Orange drew the chords, and Blue was stuck after one segment. Fewer wins: Blue, by 1 to 3.

**Goal** Draw few segments, and chords that make your opponent draw many.

**A turn** One of you draws 4 chords of the circle. Their ends and crossings are numbered as they appear. The other then
draws segments from number to number; new crossings get the next numbers.
- The 1st, 3rd, 5th … segment must cross no line. Touching a line at its end is not crossing it.
- The 2nd, 4th, 6th … must cross exactly one.

**Scoring** When no such segment is left, they score the number they drew. Then you swap roles. Fewer after both rounds
wins.

**Options** There are 2 to 8 chords in a round, usually 4; the inventor suggests 4 to 6 for beginners. There are 2, 4 or
6 rounds, and you swap roles after each.

**Rulings** Two lines cross when they share a point that is an end of neither. Chords are lines too. No segment may lie
on another line. Degrees are whole numbers from 0 to 359, clockwise from the top. Chords may cross and share ends, but
each is drawn only once and has two different ends. Points are numbered from 1 in the order in which they appear; the
new ones of one move clockwise from the top, then by their distance from the centre, the centre itself first. Whether a
segment is left is decided exactly, and three lines that truly meet in one point, like three diameters, meet in one
numbered point. With m chords there are at most (m - 1)(m + 6) segments. There may be none at all, for a score of 0.
Whole degrees are ours: on paper any point of the circle will do.

>>> board = CrossDontCross.start(CrossDontCrossOptions(chords=2), 2)
>>> for seat, move in (1, "0-90"), (1, "180-270"), (2, "1-3"), (2, "2-4"), (2, "2-3"):
...     board = board.play(seat, move)
>>> board.scores(), board.turn
((0, 3), (2,))
>>> for seat, move in (2, "0-180"), (2, "90-270"), (1, "1-4"):
...     board = board.play(seat, move)
>>> print(board)
round 1: player 1 drew the chords 0-90 180-270
1 at 0, 2 at 90, 3 at 180, 4 at 270, 5 on 2-4 and 1-3
player 2 drew 3 segments: 1-3 2-4 2-3
<BLANKLINE>
round 2: player 2 drew the chords 0-180 90-270
1 at 0, 2 at 180, 3 on 4-5 and 1-2, 4 at 90, 5 at 270
player 1 drew 1 segment: 1-4
>>> board.scores(), board.ranks()
((1, 3), (1, 2))
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Self

from bot.games.notation import parse_pair
from bot.games.options import Options, number_option
from bot.games.position import (
    BOTH,
    IN_ROUND,
    MOVE,
    Illegal,
    NameSeat,
    Opening,
    Position,
    ScorePart,
    Seat,
    Suggestion,
    Unreadable,
    expect_turn,
    rank_seats,
    tell_round,
)
from bot.games.wording import Plural, join_sentences, join_words
from cogs.cross_dont_cross.crossings import (
    Drawing,
    Line,
    Pair,
    format_line,
    format_pair,
    suggest_chords,
    suggest_segments,
)

LAST_DEGREE = 359
WHY_EVEN = "This way each of you draws the chords equally often."
MOST_NAMED = 4
"""A refusal names the segments that would be crossed, and those that are legal, when they are no more than this."""
ROUND = "round {number}"
SEGMENTS_AFTER = Plural("segments count after 1 more chord", "segments count after {number} more chords")
SEGMENTS = Plural("1 segment", "{number} segments")
NEXT_CHORD = "Then you draw chord {which} of {chords}."
NEXT_SEGMENT = Plural(
    "Then you draw segment {which}: 1 is legal.", "Then you draw segment {which}: {number} are legal."
)
DEFENCE = (
    "Round {round}: {{name}} begins and draws the {chords} chords.",
    "Round {round}: you begin and draw the {chords} chords.",
)
OFFENCE = (
    "All chords are drawn: {name} begins to draw segments, as few as possible.",
    "All chords are drawn: you begin to draw segments, as few as possible.",
)
AIM = (
    "All chords are drawn: {{name}} begins to draw segments, and wins with fewer than {number}.",
    "All chords are drawn: you begin to draw segments, and win with fewer than {number}.",
)
"""The beginning of a later round, of a round's segments, and of the last segments: to others and to the player."""
TIE_AT_BEST = "Segment {number} is one too many to win."
"""For the offence of the last round, which may still draw as many as the other."""
RESULT = "Fewer segments win: {winner} was stuck after {fewer}, {other} after {more}."
BOTH_STUCK = "Both were stuck after {counts}."
"""By what a match was decided."""
EVEN = "{name} would cross {crossed}, but segment {which} must cross exactly one."
ODD = "{name} would cross {crossed}, but segment {which} must cross none."


@dataclass(frozen=True, slots=True)
class CrossDontCrossOptions(Options):
    """How many chords there are in a round, and how many rounds."""

    chords: int = number_option(4, 2, 8, "Chords in a round: 2 to 8; for beginners 4 to 6")
    rounds: int = number_option(2, 2, 6, "Rounds: even, 2 to 6", step=2, why=WHY_EVEN)


@dataclass(frozen=True, slots=True)
class CrossDontCross(Position):
    """The drawings of all rounds that have begun, the last of which is being drawn unless the match is over."""

    chords: int
    rounds: int
    drawings: tuple[Drawing, ...] = (Drawing(),)

    @classmethod
    def start(cls, options: CrossDontCrossOptions, seats: int) -> Self:
        """The empty circle of round 1."""
        return cls(options.chords, options.rounds)

    @property
    def current_drawing(self) -> Drawing:
        """The drawing of the last round that has begun."""
        return self.drawings[-1]

    @property
    def round(self) -> int:
        """The number of that round, from 1."""
        return len(self.drawings)

    @property
    def opening(self) -> Opening | None:
        drawing = self.current_drawing
        if not self.turn:
            return None
        if self.round > 1 and not drawing.chords:
            defence = (words.format(round=self.round, chords=self.chords) for words in DEFENCE)
            return Opening(defending_seat(self.round), *defence)
        if self.is_chording or drawing.segments:
            return None
        lead = self.segments_to_win
        return Opening(attacking_seat(self.round), *((words.format(number=lead) for words in AIM) if lead else OFFENCE))

    @property
    def segments_to_win(self) -> int | None:
        """The offence of the last round wins with fewer segments in it than this; None before, or where it cannot."""
        return lead if self.round == self.rounds and (lead := self._count_lead()) > 0 else None

    def _count_lead(self) -> int:
        # By how many segments the offence of this round was ahead before it.
        seat = attacking_seat(self.round)
        return self.scores()[2 - seat] - sum(self.count_by_round(seat)[:-1])

    @property
    def certain_winner(self) -> Seat:
        # Whoever is to draw a segment of the last round has to draw one more at least.
        if not self.turn or self.round < self.rounds:
            return 0
        least = len(self.current_drawing.segments) + (not self.is_chording)
        return defending_seat(self.round) if least > self._count_lead() else 0

    def explain_certain(self, name: NameSeat) -> str:
        drawn = len(self.current_drawing.segments)
        if self.turn and not self.is_chording and drawn + 1 == self.segments_to_win:
            return TIE_AT_BEST.format(number=drawn + 1)
        return Position.explain_certain(self, name)

    @property
    def progress(self) -> str:
        begins = self.round > 1 and not self.current_drawing.chords
        return tell_round(self.round, self.rounds, begins) if self.turn else ""

    @property
    def move_label(self) -> str:
        return IN_ROUND.format(round=self.round) if self.rounds > 1 else MOVE

    @property
    def is_chording(self) -> bool:
        """Whether chords of that round are still to be drawn."""
        return len(self.current_drawing.chords) < self.chords

    @property
    def turn(self) -> tuple[Seat, ...]:
        if self.withdrawn:
            return ()
        if self.is_chording:
            return (defending_seat(self.round),)
        return (attacking_seat(self.round),) if self.current_drawing.crossings else ()

    @property
    def moving_again(self) -> str:
        drawing = self.current_drawing
        if self.is_chording:
            return NEXT_CHORD.format(which=len(drawing.chords) + 1, chords=self.chords)
        return NEXT_SEGMENT.fill_in(sum(1 for _ in drawing.legal_segments()), which=len(drawing.segments) + 1)

    def may_chord(self, seat: Seat) -> bool:
        return seat in self.turn and self.is_chording

    def may_segment(self, seat: Seat) -> bool:
        return seat in self.turn and not self.is_chording

    def open_to(self, seat: Seat) -> bool:
        return self.may_chord(seat)

    def moves(self, seat: Seat) -> Iterator[str]:
        if self.may_segment(seat):
            yield from map(format_line, self.current_drawing.legal_segments())

    def suggest(self, seat: Seat, typed: str) -> Iterator[Suggestion]:
        if seat in self.turn:
            yield from (suggest_chords if self.is_chording else suggest_segments)(self.current_drawing, typed)

    def read(self, seat: Seat, text: str) -> str:
        ends = parse_pair(text)
        if self.is_chording and ends[1] > LAST_DEGREE:
            raise Unreadable(
                f"Degrees are whole numbers from 0 to {LAST_DEGREE}, clockwise from the top, not {ends[1]}."
            )
        return format_pair(ends)

    def play(self, seat: Seat, move: str) -> Self:
        expect_turn(self, seat)
        ends = parse_pair(self.read(seat, move))
        drawing = self._with_chord(ends) if self.is_chording else self._with_segment(ends)
        return self._with_drawing(drawing)

    def _with_chord(self, ends: Pair) -> Drawing:
        drawing = self.current_drawing
        if ends[0] == ends[1]:
            raise Illegal(f"A chord joins two different points of the circle, so {format_pair(ends)} isn't one.")
        if ends in drawing.chords:
            raise Illegal(f"The chord {format_pair(ends)} is already there. Draw another one.")
        drawing = drawing.with_chord(ends)
        return drawing.begin_segments() if len(drawing.chords) == self.chords else drawing

    def _with_segment(self, ends: Pair) -> Drawing:
        drawing, last = self.current_drawing, len(self.current_drawing.points)
        for end in ends:
            if not 1 <= end <= last:
                raise Illegal(f"There is no point {end}. The points are numbered 1 to {last}.")
        if ends[0] == ends[1]:
            raise Illegal(f"A segment joins two different points, so {format_pair(ends)} isn't one.")
        segment = ends[0] - 1, ends[1] - 1
        if not drawing.partners(segment[0]) >> segment[1] & 1:
            raise Illegal(explain_forbidden(drawing, segment))
        return drawing.with_segment(segment)

    def _with_drawing(self, drawing: Drawing) -> Self:
        # After a move: the round goes on, or the next one begins, or the match is over.
        if drawing.crossings is None or next(drawing.legal_segments(), None):
            return replace(self, drawings=(*self.drawings[:-1], drawing))
        following = (Drawing(),) if self.round < self.rounds else ()
        return replace(self, drawings=(*self.drawings[:-1], drawing.close_round(), *following))

    def count_by_round(self, seat: Seat) -> tuple[int, ...]:
        """How many segments a seat has drawn in each round in which it is the offence."""
        rounds = enumerate(self.drawings, 1)
        return tuple(len(drawing.segments) for which, drawing in rounds if attacking_seat(which) == seat)

    def scores(self) -> tuple[int, ...]:
        return tuple(sum(self.count_by_round(seat)) for seat in BOTH)

    def ranks(self) -> tuple[int, ...] | None:
        return None if self.turn else rank_seats([-score for score in self.scores()], self.withdrawn)

    def explain_result(self, name: NameSeat) -> str:
        seat = self.winners[0]
        own, others = (self.count_by_round(one) for one in (seat, 3 - seat))
        if own == others and len(own) == 1:
            return BOTH_STUCK.format(counts=format_count(*own))
        fewer, more = (" + ".join(map(str, counts)) for counts in (own, others))
        return RESULT.format(winner=name(seat), fewer=fewer, other=name(3 - seat), more=more)

    def has_score(self, seat: Seat) -> bool:
        rounds = (which for which in range(1, self.round + 1) if attacking_seat(which) == seat)
        return not self.turn or any(which < self.round or self.current_drawing.segments for which in rounds)

    def working(self) -> tuple[str, ...]:
        rounds = (self.working_of_round(which) for which in range(1, self.round + 1))
        return (*rounds, *(self.working_of(seat) for seat in BOTH))

    def list_score_parts(self) -> tuple[ScorePart, ...]:
        return tuple(
            ScorePart(attacking_seat(which), ROUND.format(number=which), len(drawing.segments))
            for which, drawing in enumerate(self.drawings, 1)
        )

    @property
    def counts_later(self) -> bool:
        return self.is_chording

    def explain_unchanged(self, before: Position) -> tuple[str, ...]:
        left = self.chords - len(self.current_drawing.chords)
        return (SEGMENTS_AFTER.fill_in(left),) if left else ()

    def working_of_round(self, which: int) -> str:
        """What the offence of a round scored: "round 1: player 2 drew 16 segments"."""
        return (
            f"round {which}: player {attacking_seat(which)} drew {format_count(len(self.drawings[which - 1].segments))}"
        )

    def working_of(self, seat: Seat) -> str:
        """How a seat's score comes about: "player 1: 10 + 8 = 18"."""
        counts = self.count_by_round(seat)
        total = f" = {sum(counts)}" if len(counts) > 1 else ""
        return f"player {seat}: {' + '.join(map(str, counts)) or 0}{total}"

    def __str__(self) -> str:
        return "\n\n".join("\n".join(_board_lines(which, drawing)) for which, drawing in enumerate(self.drawings, 1))


def defending_seat(which: int) -> Seat:
    return 1 if which % 2 else 2


def attacking_seat(which: int) -> Seat:
    return 2 if which % 2 else 1


def format_count(segments: int) -> str:
    """How many segments, in words."""
    return SEGMENTS.fill_in(segments)


def explain_forbidden(drawing: Drawing, segment: Line) -> str:
    """Why a segment may not be drawn, in a sentence."""
    assert drawing.crossings
    name, which = format_line(segment), len(drawing.segments) + 1
    covered = drawing.crossings.find_overlapped_line(*segment)
    if covered is not None and set(drawing.lines[covered]) == set(segment):
        return f"{drawing.describe_line(covered).capitalize()} is already there. Draw another one."
    if covered is not None:
        return f"{name} would run along {drawing.describe_line(covered)}. A segment can't lie on another line."
    met = [drawing.describe_line(line) for line in drawing.crossings.crossed_lines(*segment)]
    crossed = f"{len(met)} lines" if len(met) > MOST_NAMED else join_words(met) or "no line"
    rule = EVEN if drawing.must_cross else ODD
    legal = [format_line(line) for line in drawing.legal_segments()]
    hint = f"You may draw {join_words(legal, ' or ')}." if len(legal) <= MOST_NAMED else ""
    return join_sentences(rule.format(name=name, crossed=crossed, which=which), hint)


def _board_lines(which: int, drawing: Drawing) -> Iterator[str]:
    # A round as text: its chords, where its intersections lie, its segments.
    chords = " ".join(map(format_pair, drawing.chords))
    drew = (
        "round {which}: player {seat} drew the chords {chords}"
        if chords
        else "round {which}: player {seat} drew no chord yet"
    )
    yield drew.format(which=which, seat=defending_seat(which), chords=chords)
    if drawing.points:
        yield ", ".join(f"{place} {drawing.describe_place(point)}" for place, point in enumerate(drawing.points, 1))
    segments = "".join(f" {format_line(segment)}" for segment in drawing.segments)
    drew = f"player {attacking_seat(which)} drew {format_count(len(drawing.segments))}"
    yield f"{drew}:{segments}" if segments else drew
