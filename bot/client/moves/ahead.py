"""A match as somebody imagines it, some moves further on, and those moves as they stand in a message.

Nothing is kept of them but that text, so pads on which moves are prepared go on after a restart.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

from bot.client.interactions.context import Interaction
from bot.core.entry.partial_move import PartialMove
from bot.core.entry.prepared import DEEPEST, LONGEST, Line
from bot.core.game.legs import Legs
from bot.core.game.moves import MoveKind
from bot.core.game.position import MoveError
from bot.core.match.loaded_match import LoadedMatch, Refusal, Sight
from bot.core.match.match import Match
from bot.core.match.record import Move
from bot.core.values.seats import Seat
from bot.service.rules.refusals import NotYourTurn, Stale
from bot.service.umpire import exchanges

IF, THEN = "if", "then"
PATH, BETWEEN = re.compile(f"^-# ((?:{IF}|{THEN}) .+)$", re.MULTILINE), " · "
"""The moves so far, as they stand in a message: the opponent's behind *if*, one's own behind *then*."""
LEADS_NOWHERE = "This pad is out of date. Use /match prepared to get a fresh one."
ENDS = "After that move the match is over, so there is nothing to answer."


@dataclass(frozen=True, slots=True)
class Ahead:
    """A match as somebody imagines it: their seat, the moves from where it stands, the match after them, and who is to
    move then; nobody where the match or the leg is over."""

    seated: LoadedMatch
    seat: Seat
    path: Line
    match: Match
    mover: Seat | None

    @classmethod
    def of(cls, seated: LoadedMatch, seat: Seat, path: Line) -> Self:
        """The match after some moves; a refusal where they cannot be made."""
        match, leg = seated.folded, next((seated.folded.leg_of(move) for move in path), None)
        try:
            for move in path:
                match = match.play(*move)
        except MoveError as fault:
            raise Stale(exchanges.MOVED_ON, seated) from fault
        position = match.position
        turn = [one for one in match.turn if not isinstance(position, Legs) or not leg or leg in position.waiting(one)]
        return cls(seated, seat, path, match, next((one for one in turn if path or one != seat), None))

    @property
    def kinds(self) -> list[MoveKind]:
        """The kinds of move that can be made next."""
        leg = next((self.match.leg_of(move) for move in self.path), None)
        kinds = (kind for kind in self.match.game.moves if not leg or kind.leg == leg)
        return [kind for kind in kinds if self.mover and kind.when(self.match.position, self.mover)]

    def kind(self, name: str) -> MoveKind:
        """The kind of move with a name, if one can be made next."""
        found = next((kind for kind in self.kinds if kind.name == name), None)
        if found is None:
            raise Refusal(LEADS_NOWHERE)
        return found

    def after(self, line: str) -> Self:
        """One move further on; a refusal where it cannot be made, or leaves nothing to answer."""
        assert self.mover
        with self.seated.naming(self.seat):
            text = self.match.play(self.mover, line).record[-1].text
        then = self.of(self.seated, self.seat, (*self.path, Move(self.mover, text)))
        if then.mover is None and self.mover != self.seat:
            raise Refusal(ENDS)
        return then

    @property
    def goes_on(self) -> bool:
        """Whether the line can become longer."""
        own = sum(move.seat == self.seat for move in self.path)
        return self.mover is not None and own < DEEPEST and len(self.path) < LONGEST - 1


def expect_current(seated: LoadedMatch, seat: Seat, seen: int, path: Line) -> Ahead:
    """The match as somebody imagines it, if it has not gone on since they saw it."""
    if seated.folded.has_moved_on(seat, seat, seen, seated.folded.leg_of(path[0]) if path else None):
        raise Stale(exchanges.MOVED_ON, seated)
    ahead = Ahead.of(seated, seat, path)
    if ahead.mover is None:
        raise NotYourTurn(ENDS if path else exchanges.YOUR_TURN)
    return ahead


def version(ahead: Ahead) -> int:
    """How many lines of the record the owner sees."""
    return Sight.of(ahead.seated, ahead.seat).version


def parts_of(match: Match, move: Move) -> PartialMove | None:
    """A move as its kind has it, by parts."""
    for kind in match.game.moves:
        if kind.when(match.position, move.seat) and (values := kind.parse(move.text)) is not None:
            parts = (values.get(part.name, "").replace("/", " ") for part in kind.parts)  # of a grid as on its pad
            return PartialMove(kind, tuple(" ".join(part.split()) for part in parts))
    return None


def written(ahead: Ahead) -> str:
    """The moves so far as they stand in a message; empty before the first."""
    words = BETWEEN.join(f"{THEN if move.seat == ahead.seat else IF} {move.text}" for move in ahead.path)
    return f"-# {words}" if words else ""


def read(interaction: Interaction, seat: Seat) -> Line:
    """The moves that stand in the message on which somebody acts."""
    found = PATH.search("\n".join(texts(interaction.message.components if interaction.message else ())))
    told = (move.partition(" ") for move in found[1].split(BETWEEN)) if found else ()
    return tuple(Move(seat if word == THEN else 3 - seat, text) for word, _, text in told)


def texts(components: Sequence[Any]) -> list[str]:
    """All texts of a message."""
    each = ((getattr(one, "content", None), texts(getattr(one, "children", ()))) for one in components)
    return [text for own, inner in each for text in (*([own] if own else []), *inner)]
