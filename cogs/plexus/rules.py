"""Plexus Via Midpoints And Endpoints (Leroy Quet, 2011)

**Example** Nine dots; the thin line b2-b1 was given. A dot with one line is an *endpoint*, a ring; one with more is a
*midpoint*, a disc.
- Blue began with b2-b3, from an endpoint. Orange answered from one: b3-a3.
- Orange began with b2-a2, from a midpoint. Blue answered from one: b2-c2.
- Blue began with b3-c3, from a midpoint. No midpoint had an empty dot beside it, so Orange could not answer: a point
  for Blue.
- Orange began with b1-a1, Blue answered c2-c1. Blue wins 1 : 0.

**Goal** Draw lines that your opponent cannot answer. Each is a point for you.

**A turn** Draw a line from a dot that already has a line to an empty dot beside it: left, right, above or below. Lines
come in pairs. One of you begins, from either kind of dot. The other answers, from the same kind, and begins the next
pair.

**Scoring** If you can't answer, the other scores a point, and you begin the next pair. When every dot has a line, more
points win.

**Size** The board has n×n dots; n is odd, 3 to 15, usually 7, so that there is a middle dot. At the start a line joins
that dot and the dot above it; the direction is our choice, and by symmetry it does not matter.

**Rulings** It counts what the dots are at that moment. Player 1 begins the odd pairs and player 2 the even ones, also
after a turn that was lost. If the first player of a pair reaches the last dot, the other cannot do the same: the first
scores the point, and the match is over. So the points add up to an odd number, and there is never a draw.

>>> board = Plexus.start(PlexusOptions(size=3), 2)
>>> for seat, move in (1, "b2-b3"), (2, "b3-a3"), (2, "b2-a2"), (1, "b2-c2"), (1, "b3-c3"), (2, "b1-a1"), (1, "c2-c1"):
...     board = board.play(seat, move)
>>> print(board)
  a b c
1 o-+ o
    | |
2 o-+-+
    |
3 o-+-o
>>> board.scores(), board.ranks()
((1, 0), (1, 2))
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from typing import Literal, NamedTuple, Self

from bot.games.grids import format_column, list_square_names, squares_of
from bot.games.notation import join_items, parse_segment
from bot.games.options import Options, number_option
from bot.games.position import (
    BOTH,
    Illegal,
    NameSeat,
    Position,
    ScorePart,
    Seat,
    Suggestion,
    expect_turn,
    find_uncatchable_seat,
)
from bot.games.wording import Plural, join_sentences, join_words

Kind = Literal["endpoint", "midpoint"]
OTHER_KIND = Plural(
    "{dot} has 1 segment, so it is {kind}. Player {first} started from {wanted}, so you must too.",
    "{dot} has {number} segments, so it is {kind}. Player {first} started from {wanted}, so you must too.",
)
DOTS_LEFT = Plural("1 dot left", "{number} dots left")
IN_PAIR = "pair {pair}, turn {{number}}"
UNANSWERED = "{loser} could not answer {lines}."
MANY_UNANSWERED = "{loser} could not answer {number} of {winner}'s lines."
UNBROKEN = "\N{NON-BREAKING HYPHEN}"
MOST_LINES = 4
"""How many lines that could not be answered are named at most."""
SCORED = "pair {at}: {won} started from {kind}, and {lost} could not: 1 point for {won}"
SCORED_LAST = "pair {at}: {won} took the last dot, so {lost} could not answer: 1 point for {won}"
PAIR = "pair {number}"
COULD_NOT = "player {won} started from {kind}, and player {lost} could not"
TOOK_LAST = "player {won} took the last dot, so player {lost} could not answer"
CAN = Plural(
    "player {seat} must answer from {kind}, in 1 way", "player {seat} must answer from {kind}, in {number} ways"
)
DID = "player {other} answered from {kind}, so nobody scores"
AN: dict[Kind, str] = {"endpoint": "an endpoint", "midpoint": "a midpoint"}
MARKS: dict[Kind | None, str] = {None: ".", "endpoint": "o", "midpoint": "+"}
"""How the text board shows a dot."""

SIDES = {(0, -1): "above", (0, 1): "below", (-1, 0): "left of", (1, 0): "right of"}
"""Where a dot lies, seen from the one next to it."""

MOST_NAMED = 6
"""A refusal names the dots that one may start from when they are no more than this."""

WHY_ODD = "Only an odd number of dots in a row leaves a middle dot, where the first segment starts."


@dataclass(frozen=True, slots=True)
class PlexusOptions(Options):
    size: int = number_option(7, 3, 15, "Dots in a row: odd, 3 to 15", step=2, why=WHY_ODD)


class Segment(NamedTuple):
    """A segment: the dot it starts from, the dot it reaches, and the seat that drew it (0 for the one given)."""

    start: int
    end: int
    seat: Seat


class Point(NamedTuple):
    """A point: who scored it in which full-move, by starting from which kind, and how many segments there were then."""

    seat: Seat
    full_move: int
    kind: Kind
    segments: int


@cache
def neighbours_by_dot(size: int) -> tuple[int, ...]:
    """For each dot of a board the dots next to it, as a bit board."""

    def neighbours(dot: int) -> int:
        column, row = dot % size, dot // size
        steps = (dot - 1, column > 0), (dot + 1, column < size - 1), (dot - size, row > 0), (dot + size, row < size - 1)
        return sum(1 << other for other, exists in steps if exists)

    return tuple(neighbours(dot) for dot in range(size**2))


@dataclass(frozen=True, slots=True)
class Plexus(Position):
    """`size` × `size` dots; `endpoints` and `midpoints` are bit boards, bit row·size + column.

    `kind` is what the first half-move of this full-move started from; None while that half-move is still to be made.
    """

    size: int
    segments: tuple[Segment, ...]
    endpoints: int
    midpoints: int = 0
    full_move: int = 1
    kind: Kind | None = None
    points: tuple[Point, ...] = ()

    @classmethod
    def start(cls, options: PlexusOptions, seats: int) -> Self:
        """The dots with the one segment in the middle."""
        middle = options.size**2 // 2
        above = middle - options.size
        return cls(options.size, (Segment(middle, above, 0),), 1 << middle | 1 << above)

    @property
    def free_dots(self) -> int:
        """The dots without a segment, as a bit board."""
        return ((1 << self.size**2) - 1) & ~(self.endpoints | self.midpoints)

    @property
    def progress(self) -> str:
        return DOTS_LEFT.fill_in(self.free_dots.bit_count()) if self.turn else ""

    @property
    def move_label(self) -> str:
        return IN_PAIR.format(pair=self.full_move)

    @property
    def moving_again(self) -> str:
        return "Then you begin the next pair."

    @property
    def first(self) -> Seat:
        """The seat that begins this full-move."""
        return BOTH[(self.full_move - 1) % 2]

    @property
    def turn(self) -> tuple[Seat, ...]:
        if self.withdrawn or not self.free_dots:
            return ()
        return (self.first,) if self.kind is None else (3 - self.first,)

    @property
    def latest(self) -> tuple[Segment, ...]:
        """What the seat that drew last has drawn since the other did: an answer, the first of a pair, or both."""
        seat, drawn = self.segments[-1].seat, self.segments[1:]
        since = next((at for at in range(len(drawn), 0, -1) if drawn[at - 1].seat != seat), 0)
        return drawn[since:]

    def kind_of(self, dot: int) -> Kind | None:
        """What a dot is now; None for a dot without a segment."""
        if self.endpoints >> dot & 1:
            return "endpoint"
        return "midpoint" if self.midpoints >> dot & 1 else None

    def free_neighbours(self, dot: int) -> int:
        """The free dots next to a dot, as a bit board."""
        return neighbours_by_dot(self.size)[dot] & self.free_dots

    def starting_dots(self, kind: Kind | None) -> Iterator[int]:
        """The dots of a kind, or of either, from which a segment can start."""
        boards: dict[Kind | None, int] = {"endpoint": self.endpoints, "midpoint": self.midpoints}
        board = boards.get(kind, self.endpoints | self.midpoints)
        return (dot for dot in squares_of(board) if self.free_neighbours(dot))

    def moves(self, seat: Seat) -> Iterator[str]:
        if seat in self.turn:
            for start in self.starting_dots(self.kind):
                yield from (f"{self.name(start)}-{self.name(end)}" for end in squares_of(self.free_neighbours(start)))

    def suggest(self, seat: Seat, typed: str) -> Iterator[Suggestion]:
        """Moves with what the dot they start from is, and once that is typed, with where the dot they reach lies."""
        start, dash, end = typed.lower().replace(" ", "").partition("-")
        for move in self.moves(seat):
            source, reached = parse_segment(move, self.size, self.size)
            if not dash and str(source).startswith(start):
                yield Suggestion(move, self.kind_of(source.ordinal(self.size)) or "")
            elif dash and start in ("", str(source)) and str(reached).startswith(end):
                side = SIDES[reached.column - source.column, reached.row - source.row]
                yield Suggestion(move, f"{side} {source}")

    def read(self, seat: Seat, text: str) -> str:
        start, end = parse_segment(text, self.size, self.size)
        return f"{start}-{end}"

    def play(self, seat: Seat, move: str) -> Self:
        expect_turn(self, seat)
        start, end = (dot.ordinal(self.size) for dot in parse_segment(move, self.size, self.size))
        kind = self._check_segment(start, end)
        drawn = self._with_segment(Segment(start, end, seat))
        return (
            drawn._end_first_half(kind)
            if self.kind is None
            else replace(drawn, full_move=self.full_move + 1, kind=None)
        )

    def _check_segment(self, start: int, end: int) -> Kind:
        # The kind of dot that a segment starts from, or `Illegal` where it may not be drawn.
        kind = self.kind_of(start)
        if kind is None:
            turned = self.kind_of(end) and self.free_neighbours(end) >> start & 1
            refused = f"{self.name(start)} has no segment yet. Start from a dot that has one."
            raise Illegal(join_sentences(refused, f"{self.name(end)} has one, so write it first." if turned else ""))
        if not neighbours_by_dot(self.size)[start] >> end & 1:
            raise Illegal(
                f"{self.name(end)} isn't next to {self.name(start)}. A segment goes one dot left, right, up or down."
            )
        if not self.free_dots >> end & 1:
            raise Illegal(f"{self.name(end)} already has a segment. Draw to a dot that has none.")
        if self.kind and kind != self.kind:
            raise Illegal(self._explain_other_kind(start, kind, self.kind))
        return kind

    def _explain_other_kind(self, start: int, kind: Kind, wanted: Kind) -> str:
        had = sum(start in (segment.start, segment.end) for segment in self.segments)
        sources = [self.name(dot) for dot in self.starting_dots(wanted)]
        legal = f"You may start from {join_words(sources, ' or ')}." if len(sources) <= MOST_NAMED else ""
        facts = {"dot": self.name(start), "kind": AN[kind], "first": self.first, "wanted": AN[wanted]}
        return join_sentences(OTHER_KIND.fill_in(had, **facts), legal)

    def _with_segment(self, segment: Segment) -> Self:
        # A dot that a segment starts from has two or more from then on, and the dot it reaches has one.
        start, end = 1 << segment.start, 1 << segment.end
        endpoints, midpoints = self.endpoints & ~start | end, self.midpoints | start
        return replace(self, segments=(*self.segments, segment), endpoints=endpoints, midpoints=midpoints)

    def _end_first_half(self, kind: Kind) -> Self:
        # After the first half-move: the second is to move, or loses its half-move at once.
        if next(self.starting_dots(kind), None) is not None:
            return replace(self, kind=kind)
        point = Point(self.first, self.full_move, kind, len(self.segments))
        return replace(self, full_move=self.full_move + 1, kind=None, points=(*self.points, point))

    def name(self, dot: int) -> str:
        """A dot as notation writes it."""
        return list_square_names(self.size)[dot]

    def scores(self) -> tuple[int, ...]:
        return tuple(sum(point.seat == seat for point in self.points) for seat in BOTH)

    @property
    def certain_winner(self) -> Seat:
        # Each point takes a segment at least, and each segment a dot.
        return find_uncatchable_seat(self.scores(), self.free_dots.bit_count()) if self.turn else 0

    def explain_result(self, name: NameSeat) -> str:
        winner = self.winners[0]
        lines = [self.name_scoring_line(point).replace("-", UNBROKEN) for point in self.points if point.seat == winner]
        if len(lines) <= MOST_LINES:
            return UNANSWERED.format(loser=name(3 - winner), lines=join_words(lines))
        return MANY_UNANSWERED.format(winner=name(winner), loser=name(3 - winner), number=len(lines))

    def list_score_parts(self) -> tuple[ScorePart, ...]:
        return tuple(
            ScorePart(point.seat, PAIR.format(number=point.full_move), 1, self.describe_point(point))
            for point in self.points
        )

    def explain_unchanged(self, before: Position) -> tuple[str, ...]:
        if self.kind and not self.turn:
            return ()
        if self.kind:
            (seat,) = self.turn
            return (CAN.fill_in(sum(1 for _ in self.moves(seat)), seat=seat, kind=AN[self.kind]),)
        assert isinstance(before, Plexus)
        return (DID.format(other=3 - before.first, kind=AN[before.kind]),) if before.kind else ()

    def working(self) -> tuple[str, ...]:
        return tuple(self.explain(point) for point in self.points)

    def scoring_segment(self, point: Point) -> Segment:
        return self.segments[point.segments - 1]

    def name_scoring_line(self, point: Point) -> str:
        """The line that could not be answered: "c6-b6"."""
        start, end, _ = self.scoring_segment(point)
        return f"{self.name(start)}-{self.name(end)}"

    def lacking_kind(self, point: Point) -> Kind | None:
        """The kind of dot that the other seat had none of to start from; None if no dot was left to reach."""
        return point.kind if point.segments < self.size**2 - 1 else None

    def explain(self, point: Point) -> str:
        """How a point was scored: "Player 1 took the last dot, so player 2 could not …"."""
        told = SCORED if self.lacking_kind(point) else SCORED_LAST
        won, lost = f"player {point.seat}", f"player {3 - point.seat}"
        return told.format(at=point.full_move, won=won, lost=lost, kind=AN[point.kind])

    def describe_point(self, point: Point) -> str:
        """How a point was scored, where its pair and whose it is stand beside it."""
        told = COULD_NOT if self.lacking_kind(point) else TOOK_LAST
        return told.format(won=point.seat, lost=3 - point.seat, kind=AN[point.kind])

    def __str__(self) -> str:
        joined = {tuple(sorted(segment[:2])) for segment in self.segments}
        lines = ["  " + join_items(map(format_column, range(self.size)))]
        for row in range(self.size):
            line = range(row * self.size, (row + 1) * self.size)
            links = ["-" if (dot, dot + 1) in joined else " " for dot in line]
            below = ["|" if (dot, dot + self.size) in joined else " " for dot in line]
            marks = "".join(MARKS[self.kind_of(dot)] + link for dot, link in zip(line, links, strict=True))
            lines += [f"{row + 1:<2}{marks}".rstrip(), ("  " + " ".join(below)).rstrip()]
        return "\n".join(lines[:-1])
