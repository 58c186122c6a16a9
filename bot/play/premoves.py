"""Premoves: answers prepared for the opponent's possible moves, and playing them after an act."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Literal, Self, get_args

from bot.games.legs import LegMove, Legs
from bot.games.moves import MoveKind
from bot.games.position import MoveError, Seat
from bot.play.acts import (
    ClockEffects,
    NotPossibleNow,
    NotYourTurn,
    Outcome,
    StaleBoard,
    apply_outcome,
    expect_current,
    expect_seat,
    find_new_lines,
    has_ended,
    record_entry,
)
from bot.play.ids import UserId
from bot.play.loaded_match import LoadedMatch, Refusal
from bot.play.match import Match
from bot.play.partial_moves import sample_moves
from bot.play.record import Entry, Move
from bot.play.rows import MatchRow

# The tree of premoves.


MOST, DEEPEST = 20, 5
"""The most lines of a tree, and the most moves of its owner in a line."""
LONGEST = 2 * DEEPEST
"""The most moves of both in a line: in some games a seat makes several in a row."""

Line = tuple[Move, ...]
Dropped = Literal["other", "takeback", "illegal"]
"""Why premoves were dropped: the opponent played another move, a takeback, or the answer became illegal."""


@dataclass(frozen=True, slots=True)
class PremoveTree:
    """A player's premoves from the current position on, and why the last ones were dropped, until the owner moves or
    enters new ones."""

    lines: tuple[Line, ...] = ()
    dropped: Dropped | None = None

    def add_line(self, line: Line, owner: Seat) -> Self:
        """The tree with one more line. An answer replaces a different one to the same moves, with all that follows
        it."""
        kept = [one for one in self.lines if one != line[: len(one)] and not _contradict(one, line, owner)]
        if any(one[: len(line)] == line for one in kept):
            return replace(self, lines=tuple(kept), dropped=None)
        return replace(self, lines=(*kept, line), dropped=None)

    def find_due_move(self, owner: Seat) -> Move | None:
        """The owner's move to play now; None if the opponent is to move."""
        return next((line[0] for line in self.lines if line[0].seat == owner), None)

    def follow_entry(self, entry: Entry) -> Self:
        """The tree after a line of the record; moves in another leg leave it unchanged."""
        if not isinstance(entry, Move):
            return replace(self, lines=(), dropped="takeback") if self.lines else self
        leg = LegMove.parse(entry.text).leg
        apart = tuple(line for line in self.lines if LegMove.parse(line[0].text).leg != leg)
        here = [line for line in self.lines if line not in apart]
        left = tuple(line[1:] for line in here if line[0] == entry)
        dropped = "other" if here and not left else self.dropped
        return replace(self, lines=(*apart, *filter(None, left)), dropped=dropped)

    def __str__(self) -> str:
        return json.dumps({"lines": self.lines, **({"dropped": self.dropped} if self.dropped else {})})

    @classmethod
    def parse(cls, text: str | None) -> Self:
        """Parse what `str` has written, and None as an empty tree; ValueError for any other text."""
        if text is None:
            return cls()
        try:
            kept = json.loads(text)
            lines = tuple(tuple(Move(int(seat), str(move)) for seat, move in line) for line in kept["lines"])
            dropped = kept.get("dropped")
        except (KeyError, TypeError, AttributeError) as fault:
            raise ValueError("These are no prepared moves.") from fault
        if dropped not in (None, *get_args(Dropped)):
            raise ValueError(f"Nothing is dropped for {dropped!r}.")
        return cls(lines, dropped)

    @property
    def stored_text(self) -> str | None:
        """The text that is stored; None where there is nothing to be kept."""
        return str(self) if self.lines or self.dropped else None


def _contradict(one: Sequence[Move], other: Sequence[Move], owner: Seat) -> bool:
    """Whether two lines diverge at a move of the owner's, who can make only one of the two."""
    parting = next((pair for pair in zip(one, other, strict=False) if pair[0] != pair[1]), None)
    return parting is not None and parting[0].seat == owner


# Playing premoves after an act.


MOVED_ON = "The match moved on while you were choosing. Here is the board now; nothing was prepared."
FOR_TWO = "You can prepare moves only in a match of two."
SECRET = "You can't prepare moves in {game}: its moves are secret."
YOUR_TURN = "It's your turn. Make your move first, then prepare an answer to the next one."
TOO_MANY = f"You have {MOST} lines ready, and that's the most. Clear them with /match prepared to begin anew."
TOO_DEEP = f"That line has {DEEPEST} answers, and that's the most. Prepare the next one when the match gets there."
ENDS_OPEN = "A line ends with an answer of yours."

GONE = {
    "other": "The match went another way, so your prepared moves are gone.",
    "takeback": "A move was taken back, so your prepared moves are gone.",
    "illegal": "The move that you had ready isn't legal any more, so it wasn't played.",
}

Trees = dict[UserId, PremoveTree]


def read_premoves(row: MatchRow) -> dict[UserId, str]:
    """The stored premoves that were loaded with a match, by user."""
    return {player.user: player.prepared for player in row.players if player.prepared is not None}


def play_premoves(loaded: LoadedMatch, outcome: Outcome) -> Outcome:
    """The outcome with the premoves that answer it, and with all trees cut to the branch that was played; they are
    cleared when the match ends, and for a substitute."""
    before, lines = read_premoves(loaded.row), find_new_lines(loaded.row, outcome.row)
    if not before or not (lines or has_ended(loaded.row, outcome.row) or outcome.handed):
        return outcome
    trees: Trees = {user: PremoveTree.parse(kept) for user, kept in before.items()}
    line = lines[0] if lines else None
    while line and outcome.match and not has_ended(loaded.row, outcome.row):
        trees = {user: _follow_line(tree, line, loaded.seat_of(user)) for user, tree in trees.items()}
        outcome, line = _play_next_premove(loaded, trees, outcome)
    row, ended = outcome.row, has_ended(loaded.row, outcome.row)
    for user, tree in trees.items():
        row = row.change_player(user, prepared=None if ended else tree.stored_text)
    row = row.change_player(outcome.handed[1], prepared=None) if outcome.handed else row
    ready = range(len(loaded.row.record) + 2, len(row.record) + 1) if lines else ()
    return replace(outcome, row=replace(row, premove_plies=(*row.premove_plies, *ready)))


def _follow_line(tree: PremoveTree, line: Entry, seat: Seat | None) -> PremoveTree:
    """The tree after a line; a player who moves by hand has seen why the last one was dropped."""
    by_hand = isinstance(line, Move) and line.seat == seat and tree.find_due_move(line.seat) != line
    return replace(tree.follow_entry(line), dropped=None) if by_hand else tree.follow_entry(line)


def _play_next_premove(loaded: LoadedMatch, trees: Trees, outcome: Outcome) -> tuple[Outcome, Entry | None]:
    """The outcome with the next premove, and its line; None if there is none, or it is illegal now."""
    assert outcome.match
    for user, tree in trees.items():
        seat = loaded.seat_of(user)
        move = tree.find_due_move(seat) if seat in outcome.match.turn else None
        if move is None:
            continue
        try:
            after = outcome.match.play(move.seat, move.text)
        except MoveError:
            waiting = tuple(line for line in tree.lines if line[0].seat != seat)
            trees[user] = PremoveTree(waiting, "illegal")
            continue
        then = record_entry(apply_outcome(loaded, outcome), after, user)
        return _join_outcomes(loaded, outcome, then), then.row.record[-1]
    return outcome, None


def _join_outcomes(loaded: LoadedMatch, first: Outcome, then: Outcome) -> Outcome:
    """The second of two outcomes with the events of both: the players to move at the end are told, and those who moved
    in between get a new turn."""
    told, turn = dict.fromkeys((*first.told, *then.told)), [loaded.user_at(seat) for seat in then.row.turn]
    return replace(
        then,
        told=tuple(user for user in told if then.row.state != "live" or user in turn),
        turned=_join_clock_effects(first.turned, then.turned) if first.turned and then.turned else None,
    )


def _join_clock_effects(first: ClockEffects, then: ClockEffects) -> ClockEffects:
    fresh, spent = {*first.fresh, *then.fresh}, {*first.spent, *then.spent}
    return ClockEffects(tuple(sorted(fresh)), tuple(sorted(spent)))


# Which moves of the opponent's leave something to answer.


LISTED, EACH = 400, 5
"""The most moves that are looked at, and of a game with open moves so many for each beginning."""


def list_kinds_to_answer(match: Match, owner: Seat) -> list[MoveKind]:
    """The opponent's kinds of move to which an answer can be prepared."""
    other = 3 - owner
    return (
        [kind for kind in match.game.moves if kind.answered and kind.when(match.position, other)]
        if (other in match.turn)
        else []
    )


def iterate_moves(match: Match, seat: Seat, kind: MoveKind) -> Iterator[str]:
    """The moves of a kind that a seat can make, or some of them where the rules leave them open."""
    listed = [move for move in islice(match.position.moves(seat), LISTED) if kind.parse(move) is not None]
    return iter(listed) if listed else sample_moves(match.position, seat, kind, EACH)


def leaves_an_answer(match: Match, seat: Seat, move: str) -> bool:
    """Whether the match, or the leg of a move, goes on after it."""
    after = match.play(seat, move)
    leg, position = match.leg_of(Move(seat, move)), after.position
    return bool(position.get_position(leg).turn if isinstance(position, Legs) and leg else after.turn)


def can_prepare(loaded: LoadedMatch, owner: Seat) -> bool:
    """Whether the opponent can make a move to which an answer can be prepared."""
    match, other = loaded.begun_match, 3 - owner
    return any(
        leaves_an_answer(match, other, move)
        for kind in list_kinds_to_answer(match, owner)
        for move in iterate_moves(match, other, kind)
    )


# Entering premoves.


def expect_premovable(loaded: LoadedMatch, user: UserId) -> Seat:
    """The seat of a user who may premove in a match; raises a refusal."""
    seat = expect_seat(loaded, user)
    expect_current(loaded)
    if loaded.row.seats != 2:
        raise Refusal(FOR_TWO)
    if loaded.game.secret:
        raise Refusal(SECRET.format(game=loaded.game.title))
    return seat


def add_premoves(loaded: LoadedMatch, user: UserId, line: Line, seen: int | None) -> PremoveTree:
    """A user's premoves with one more line, which is checked by playing it; raises a refusal. `seen`: how many lines of
    the record the surface showed on which the line was entered."""
    seat, match = expect_premovable(loaded, user), loaded.begun_match
    legs = {match.leg_of(move) for move in line}
    if seen is not None and match.has_moved_on(seat, seat, seen, min((leg for leg in legs if leg), default=None)):
        raise StaleBoard(MOVED_ON, loaded)
    if not line or line[0].seat == seat:
        raise NotYourTurn(YOUR_TURN)
    if line[-1].seat != seat or len(legs) > 1:
        raise Refusal(ENDS_OPEN)
    if len(line) > LONGEST or sum(move.seat == seat for move in line) > DEEPEST:
        raise NotPossibleNow(TOO_DEEP)
    with loaded.name_seats(seat):
        for move in line:
            match = match.play(*move)
    made = tuple(Move(*one) for one in match.record[len(loaded.row.record) :])
    tree = find_premoves(loaded, user).add_line(made, seat)
    if len(tree.lines) > MOST:
        raise NotPossibleNow(TOO_MANY)
    return tree


def find_premoves(loaded: LoadedMatch, user: UserId) -> PremoveTree:
    own = loaded.row.find_player(user)
    return PremoveTree.parse(own.prepared if own else None)


def explain_dropped(loaded: LoadedMatch, user: UserId) -> str:
    """The sentence for a user whose premoves were dropped, until they move; empty for others."""
    dropped = find_premoves(loaded, user).dropped
    return GONE[dropped] if dropped else ""
