"""Moves of all seats that a user tries out from a place of a match; they are not played.

What the viewer may not know is not in the position from which they are made, so nothing that follows tells of it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Self

from bot.core.entry.prepared import Line
from bot.core.game.moves import MoveKind
from bot.core.game.position import MOVE, MoveError
from bot.core.match.loaded_match import Refusal
from bot.core.match.match import Match
from bot.core.match.move_names import own
from bot.core.match.record import Move
from bot.core.values.seats import Seat
from bot.service.analysis.replay_steps import Replay

OUTDATED = "This board is out of date. Press Try out again to get a fresh one."
SECRET = "You can't try out moves here: what the players do now is secret. Once the match is over, you can."
OVER = "The match is over here. Go back a move in its replay, and try out moves from there."


@dataclass(frozen=True, slots=True)
class TryOut:
    """A place of a match as a user may see it, the moves tried from there, the match before each of them and after the
    last, and the name of the last move that was played."""

    replay: Replay
    at: int
    line: Line
    matches: tuple[Match, ...]
    name: str

    @classmethod
    def of(cls, replay: Replay, place: int, line: Line = ()) -> Self:
        """The match after some moves; a refusal where they cannot be made there."""
        at = min(place, replay.length)
        sight = replay.sight(at)
        matches = (sight.match if replay.open else replace(sight.match, position=sight.position),)
        name = "" if sight.match.game.secret else own(sight.match)
        it = cls(replay, at, (), matches, name or MOVE.format(number=at))
        try:
            for seat, text in line:
                it = it.after(seat, text)
        except MoveError as fault:
            raise Refusal(OUTDATED) from fault
        return it

    def after(self, seat: Seat, text: str) -> Self:
        """With one move more, or what its game refuses."""
        if not self.may_try(seat):
            raise Refusal(SECRET)
        then = self.match.play(seat, text)
        return replace(self, line=(*self.line, Move(*then.record[-1])), matches=(*self.matches, then))

    def taken_back(self) -> Self:
        """Without the last move."""
        return replace(self, line=self.line[:-1], matches=self.matches[:-1] or self.matches) if self.line else self

    @property
    def match(self) -> Match:
        """The match after all of them."""
        return self.matches[-1]

    @property
    def live(self) -> bool:
        """Whether the match goes on, so that no analysis of it may be shown."""
        return self.replay.seated.row.state == "live"

    def may_try(self, seat: Seat) -> bool:
        """Whether the viewer may see the moves of a seat."""
        return self.replay.open or not self.match.game.secret or seat == self.replay.viewer

    def choices(self) -> tuple[tuple[Seat, MoveKind], ...]:
        """The kinds of move that can be tried now, each with the seat that makes it."""
        position, seats = self.match.position, [seat for seat in self.match.turn if self.may_try(seat)]
        found = ((seat, kind) for kind in self.match.game.moves for seat in seats if kind.when(position, seat))
        return tuple({kind.name: (seat, kind) for seat, kind in found}.values())

    def expect_choices(self) -> Self:
        """Itself, if anything can be tried; else the refusal."""
        if not self.choices():
            raise Refusal(SECRET if self.match.turn else OVER)
        return self

    def answers(self, owner: Seat | None) -> Line:
        """The part of the line that its owner can premove: from a move of the opponent's on the current board to their
        own last move; empty without one."""
        if not self.live or self.at < self.replay.length or not self.line or self.line[0].seat == owner:
            return ()
        last = max((at for at, move in enumerate(self.line, 1) if move.seat == owner), default=0)
        return self.line[:last]
