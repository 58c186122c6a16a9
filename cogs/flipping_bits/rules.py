"""Flipping Bits/Squares (Leroy Quet, 2011)

**Example** Read the picture from the top. Filled squares are dark: at the start 1, 3, 5 and 7. Blue flipped square 3,
from filled to empty, Orange 7, Blue 4, Orange 2 and Blue 7, each time making a new pattern. Then Orange flipped 3,
and square 6 was the only empty one: 6 points for Orange, and the round was over.

**Goal** Leave one square that differs from all the others, and you score its number.

**A turn** Flip one square of the row: filled to empty, or empty to filled. The pattern must be new in this round. If
every flip would bring back an earlier pattern, flip two squares at once, or as many as it takes.

**Scoring** If exactly one square is filled, or exactly one is empty, you score that square's number, counted from the
left. Then another round starts afresh; you take turns to begin one. After all rounds, usually 4, more points win.

**Options** A row has 7 to 15 squares for two players, usually 7, and 8 to 15 for more, usually 9. There are 1 to 12
rounds, usually 4, or a few more so that everybody begins equally often. With even numbers of squares and of players, it
is almost settled beforehand who scores.

**Rulings** Player 1 begins the first round, the next player the second one, and so on. The pattern at the start counts
as an earlier pattern. You always flip as few squares as will do. The inventor lets any number play; the limit of 6 is
ours.

>>> board = FlippingBits.start(FlippingBitsOptions(squares=7, rounds=1), 2)
>>> for ply, move in enumerate("3 7 4 2 7 3".split()):
...     board = board.play(1 + ply % 2, move)
>>> print(board)
 1 2 3 4 5 6 7
 # # # # # . #
start: 1010101
move 1, player 1: 1000101
move 2, player 2: 1000100
move 3, player 1: 1001100
move 4, player 2: 1101100
move 5, player 1: 1101101
move 6, player 2: 1111101
round 1: 1111101 after 6 moves, square 6 alone: 6 for player 2
>>> board.scores(), board.ranks()
((0, 6), (2, 1))
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from itertools import combinations
from typing import NamedTuple, Self

from bot.games.notation import expect_distinct, format_sum, join_items, parse_wholes, split_items
from bot.games.options import BadOptions, Options, number_option
from bot.games.position import (
    IN_ROUND,
    MOVE,
    Illegal,
    NameSeat,
    Opening,
    Position,
    RotatingSeats,
    ScorePart,
    Seat,
    Suggestion,
    Unreadable,
    expect_turn,
    find_uncatchable_seat,
    tell_round,
)
from bot.games.wording import join_sentences, join_words

USUAL, USUAL_FOR_MORE, USUAL_ROUNDS = 7, 9, 4
"""The usual number of squares for two seats and for more, and the least usual number of rounds."""
LEAST_FOR_MORE, MOST = 8, 15
"""The bounds of the number of squares for more than two seats."""
MOST_NAMED = 6
"""A refusal names the legal moves when they are no more than this."""
TEXT_MOVES = 12
"""How many moves of a round the text board shows."""
ROUND, ALONE = "round {number}", "square {square} is the only {state} one"
NONE_ALONE = "{filled} filled, {empty} empty: no square is alone"
WORDS = ("one flip", "two flips", "three flips")
SCORED, IN_THAT_ROUND = "{name} scored {rounds}.", "{points} in round {round}"
NOBODY = "Nobody who stayed scored."
FEW_ROUNDS = 6
"""Rounds that a sentence tells one by one."""
"""By what a match was decided."""
OPENING = "Round {round}: {{name}} begins.", "Round {round}: you begin."
"""The beginning of a later round, to others and to the player who begins."""


@dataclass(frozen=True, slots=True)
class FlippingBitsOptions(Options):
    squares: int = number_option(
        None, 7, MOST, "Squares in the row: 7 to 15, from 8 on for three or more; normally 7, or 9 for more"
    )
    rounds: int = number_option(
        None, 1, 12, "Rounds: 1 to 12, normally 4, or a bit more so that everybody starts equally often"
    )

    def settle(self, seats: int) -> Self:
        squares = self.squares or (USUAL if seats == 2 else USUAL_FOR_MORE)
        if seats > 2 and squares < LEAST_FOR_MORE:
            bounds = f"a whole number from {LEAST_FOR_MORE} to {MOST}"
            raise BadOptions(f"With more than two players squares must be {bounds}, not {squares}.")
        return replace(self, squares=squares, rounds=self.rounds or -(-USUAL_ROUNDS // seats) * seats)


class Flip(NamedTuple):
    """A move: whose it was, the positions that were flipped, and the pattern that came of it."""

    seat: Seat
    positions: tuple[int, ...]
    pattern: str


class RoundResult(NamedTuple):
    """How a round ended: who scored which position with which pattern, after how many moves."""

    seat: Seat
    points: int
    pattern: str
    moves: int

    def describe_alone(self) -> str:
        """Why it scored: "square 6 is the only empty one"."""
        state = "filled" if self.pattern[self.points - 1] == "1" else "empty"
        return ALONE.format(square=self.points, state=state)


def first_pattern(squares: int) -> str:
    """The pattern at the start of a round, "1" for a filled square: 1, 3, 5 and so on are filled."""
    return "".join("10"[at % 2] for at in range(squares))


def flip_positions(pattern: str, positions: tuple[int, ...]) -> str:
    """A pattern with some positions (from 1) flipped."""
    return "".join("10"[int(digit)] if at in positions else digit for at, digit in enumerate(pattern, 1))


def find_lone_square(pattern: str) -> int | None:
    """The position of the one square that is unlike all the others, if there is such a square.

    >>> find_lone_square("0000100"), find_lone_square("1101111"), find_lone_square("0010100")
    (5, 3, None)
    """
    return next((pattern.index(digit) + 1 for digit in "10" if pattern.count(digit) == 1), None)


@cache
def list_choices(squares: int, count: int) -> tuple[tuple[tuple[int, ...], int], ...]:
    """All ways to choose `count` positions, in order, each with its bit mask for a pattern read as a number."""
    ways = combinations(range(1, squares + 1), count)
    return tuple((way, sum(1 << squares - position for position in way)) for way in ways)


@lru_cache(maxsize=256)
def count_fewest_flips(pattern: str, seen: bytes) -> int:
    """The fewest flips that make a pattern which has not been there."""
    squares, now = len(pattern), int(pattern, 2)
    counts = (
        count
        for count in range(1, squares + 1)
        if any(_is_new(seen, now ^ it) for _, it in list_choices(squares, count))
    )
    # There always is one: a round is over before all patterns have been there.
    return next(counts)


def _is_new(seen: bytes, pattern: int) -> bool:
    return not seen[pattern >> 3] >> (pattern & 7) & 1


def _mark_seen(seen: bytes, pattern: str) -> bytes:
    # The patterns that have been there, with one more.
    more, value = bytearray(seen), int(pattern, 2)
    more[value >> 3] |= 1 << (value & 7)
    return bytes(more)


@dataclass(frozen=True, slots=True)
class FlippingBits(RotatingSeats, Position):
    """A row of squares as text, "1" for a filled one; `mover` is to move unless the match is over.

    `seen` is a bit set of the patterns of this round, each read as a binary number; `flips` are its moves, `outcomes`
    the ends of the rounds before. When the match has been played out they are those of the last round and of all.
    Until the first move of a round `ended` has the moves of the one before.
    """

    rounds: int
    seats: int
    pattern: str
    seen: bytes
    flips: tuple[Flip, ...] = ()
    outcomes: tuple[RoundResult, ...] = ()
    previous: Seat = 0
    ended: tuple[Flip, ...] = ()

    @classmethod
    def start(cls, options: FlippingBitsOptions, seats: int) -> Self:
        """The first pattern of the first round."""
        pattern = first_pattern(options.squares)
        return cls(options.rounds, seats, pattern, _mark_seen(bytes(2**options.squares // 8), pattern))

    @property
    def squares(self) -> int:
        """How many squares there are."""
        return len(self.pattern)

    @property
    def round(self) -> int:
        """The number of the round that is being played, or of the last one."""
        return min(len(self.outcomes) + 1, self.rounds)

    @property
    def opening(self) -> Opening | None:
        if not self.ended or not self.turn:
            return None
        return Opening(self.seat_to_move, *(words.format(round=self.round) for words in OPENING))

    @property
    def progress(self) -> str:
        begins = self.opening is not None
        return tell_round(self.round, self.rounds, begins) if self.turn and self.rounds > 1 else ""

    @property
    def move_label(self) -> str:
        return IN_ROUND.format(round=self.round) if self.rounds > 1 else MOVE

    @property
    def is_played_out(self) -> bool:
        """Whether all rounds are over."""
        return len(self.outcomes) == self.rounds

    @property
    def turn(self) -> tuple[Seat, ...]:
        return () if self.is_played_out or self.is_deserted else (self.seat_to_move,)

    @property
    def flips_needed(self) -> int:
        """How many flips a move must have now."""
        return count_fewest_flips(self.pattern, self.seen)

    def legal_flips(self) -> Iterator[tuple[int, ...]]:
        """The sets of positions that may be flipped now, ascending."""
        now = int(self.pattern, 2)
        return (
            way for way, change in list_choices(self.squares, self.flips_needed) if _is_new(self.seen, now ^ change)
        )

    def moves(self, seat: Seat) -> Iterator[str]:
        if seat in self.turn:
            yield from map(join_items, self.legal_flips())

    def suggest(self, seat: Seat, typed: str) -> Iterator[Suggestion]:
        """Moves that contain the positions typed so far, in any order, with the resulting pattern."""
        said = typed.replace(",", " ").split(" ")
        *named, last = [part for part in said[:-1] if part] + said[-1:]
        for way in self.legal_flips() if seat in self.turn else ():
            others = [str(position) for position in way if str(position) not in named]
            if len(others) == len(way) - len(named) and (not last or any(it.startswith(last) for it in others)):
                yield Suggestion(join_items(way), f"gives {flip_positions(self.pattern, way)}")

    def read(self, seat: Seat, text: str) -> str:
        said = "".join(split_items(text))
        if len(said) == self.squares and not said.strip("01"):
            return join_items(self._find_flips_to(said))
        return join_items(self._parse_positions(text))

    def _find_flips_to(self, pattern: str) -> tuple[int, ...]:
        # The flips of a move that is written as the row that it gives.
        changed = zip(self.pattern, pattern, strict=True)
        positions = tuple(at for at, (before, after) in enumerate(changed, 1) if before != after)
        if not positions:
            raise Unreadable(f"{pattern} is the row as it is now. Flip one of its squares.")
        return positions

    def _parse_positions(self, text: str) -> tuple[int, ...]:
        # The positions that a text names, ascending.
        positions = expect_distinct(parse_wholes(text))
        for position in positions:
            if not 1 <= position <= self.squares:
                raise Unreadable(f"There is no square {position}. The row has squares 1 to {self.squares}.")
        return tuple(sorted(positions))

    def play(self, seat: Seat, move: str) -> Self:
        expect_turn(self, seat)
        positions = self._parse_positions(move)
        pattern = flip_positions(self.pattern, positions)
        if len(positions) > self.flips_needed:
            enough = format_count(self.flips_needed).capitalize()
            refused = f"{enough} can make a new pattern, so flip no more than that."
            raise Illegal(join_sentences(refused, self._describe_legal_moves()))
        if not _is_new(self.seen, int(pattern, 2)):
            raise Illegal(self._explain_repeat(positions, pattern))
        flips = (*self.flips, Flip(seat, positions, pattern))
        after = replace(self, pattern=pattern, seen=_mark_seen(self.seen, pattern), flips=flips, ended=())
        if points := find_lone_square(pattern):
            return after._end_round(RoundResult(seat, points, pattern, len(flips)))
        return replace(after, previous=seat)

    def _explain_repeat(self, positions: tuple[int, ...], pattern: str) -> str:
        at = next((at for at, flip in enumerate(self.flips, 1) if flip.pattern == pattern), 0)
        was = f"It was there after move {at} of this round." if at else "It was there at the start of this round."
        more = f"It takes {format_count(self.flips_needed)} now." if len(positions) < self.flips_needed else ""
        back = f"Flipping {join_words(positions)} would bring back {pattern}, but a move has to make a new pattern."
        return join_sentences(back, was, more, self._describe_legal_moves())

    def _describe_legal_moves(self) -> str:
        legal = list(self.moves(self.seat_to_move))
        return f"You may flip {join_words(legal, ' or ')}." if len(legal) <= MOST_NAMED else ""

    def _end_round(self, outcome: RoundResult) -> Self:
        # After a round: the next begins with a fresh row, unless it was the last.
        after, first = replace(self, outcomes=(*self.outcomes, outcome)), self.flips[0].seat
        if after.is_played_out:
            return after
        pattern = first_pattern(self.squares)
        seen = _mark_seen(bytes(len(self.seen)), pattern)
        return replace(after, pattern=pattern, seen=seen, flips=(), previous=first, ended=after.flips)

    def round_points(self, seat: Seat) -> tuple[int, ...]:
        """What a seat has scored, round by round."""
        return tuple(outcome.points for outcome in self.outcomes if outcome.seat == seat)

    def scores(self) -> tuple[int, ...]:
        return tuple(sum(self.round_points(seat)) for seat in range(1, self.seats + 1))

    @property
    def certain_winner(self) -> Seat:
        # A round is worth the number of its last square at most.
        most = (self.rounds - len(self.outcomes)) * self.squares
        return find_uncatchable_seat(self.scores(), most, self.withdrawn) if self.turn else 0

    def explain_result(self, name: NameSeat) -> str:
        """What each has scored in which rounds, of many rounds the winners."""
        found: dict[Seat, list[str]] = {seat: [] for seat in self.winners}
        for at, outcome in enumerate(self.outcomes, 1):
            if outcome.seat in found or self.seats == 2 or self.rounds <= FEW_ROUNDS:
                found.setdefault(outcome.seat, []).append(IN_THAT_ROUND.format(points=outcome.points, round=at))
        each = (SCORED.format(name=name(seat), rounds=join_words(told)) for seat, told in found.items() if told)
        return join_sentences(*each) or NOBODY

    def list_score_parts(self) -> tuple[ScorePart, ...]:
        return tuple(
            ScorePart(
                outcome.seat,
                ROUND.format(number=at),
                outcome.points,
                outcome.describe_alone(),
            )
            for at, outcome in enumerate(self.outcomes, 1)
        )

    def explain_unchanged(self, before: Position) -> tuple[str, ...]:
        filled = self.pattern.count("1")
        return (NONE_ALONE.format(filled=filled, empty=self.squares - filled),)

    def working(self) -> tuple[str, ...]:
        totals = (self.describe_total(seat) for seat in range(1, self.seats + 1))
        return (*(self.explain(at) for at in range(len(self.outcomes))), *totals)

    def explain(self, at: int) -> str:
        """How a round ended: "round 1: 0000001 after 3 moves, square 7 alone: 7 for player 1"."""
        seat, points, pattern, moves = self.outcomes[at]
        return f"round {at + 1}: {pattern} after {moves} moves, square {points} alone: {points} for player {seat}"

    def describe_total(self, seat: Seat) -> str:
        """How a seat's score adds up: "player 1: 7 + 2 = 9"."""
        return f"player {seat}: {format_sum(self.round_points(seat))}"

    def __str__(self) -> str:
        wide = 3 if self.squares > 9 else 2
        names = "".join(f"{at:>{wide}}" for at in range(1, self.squares + 1))
        row = "".join(f"{'.#'[int(digit)]:>{wide}}" for digit in self.pattern)
        hidden = max(0, len(self.flips) - TEXT_MOVES)
        shown = enumerate(self.flips[hidden:], hidden + 1)
        moves = [f"move {at}, player {seat}: {pattern}" for at, (seat, _, pattern) in shown]
        latest = f"the latest {TEXT_MOVES} of {len(self.flips)} moves:"
        note = latest if hidden else f"start: {first_pattern(self.squares)}"
        return "\n".join([names, row, note, *moves, *(self.explain(at) for at in range(len(self.outcomes)))])


def format_count(flips: int) -> str:
    """A number of flips in words: "one flip", "4 flips"."""
    return WORDS[flips - 1] if flips <= len(WORDS) else f"{flips} flips"
