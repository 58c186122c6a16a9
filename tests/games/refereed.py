"""Plays random matches and compares each ply with a game's second referee."""

from __future__ import annotations

import random
from typing import Protocol

from bot.core.library.replay import described
from bot.core.match.match import Match
from tests.contract.playing import staying


class Referee(Protocol):
    """What a second referee of a game in which seats move in turn says of a match, and how it is told what happened."""

    @property
    def to_move(self) -> list[int]: ...
    @property
    def legal(self) -> list[str]: ...
    @property
    def scores(self) -> list[int]: ...
    @property
    def ranks(self) -> list[int] | None: ...
    def move(self, seat: int, move: str, /) -> None: ...


def agree(match: Match, referee: Referee, lots: random.Random, leaving: float = 0.01) -> None:
    """Play a match to its end, now and then by leaving it: rules and referee agree on turn, moves, scores and ranks."""
    while referee.to_move:
        (seat,) = referee.to_move
        seen = described(match, legal=True)
        assert (seen["to_move"], seen["scores"], seen["ranks"]) == ([seat], referee.scores, None)
        assert seen["legal"] == {str(seat): referee.legal}
        move = lots.choice(referee.legal)
        if lots.random() < leaving:
            seat, move = lots.choice(staying(match)), lots.choice(("resign", "timeout"))
        match = match.enter(seat, move)
        referee.move(seat, move)
    seen = described(match, legal=True)
    assert (seen["to_move"], seen["scores"], seen["ranks"]) == ([], referee.scores, referee.ranks)
