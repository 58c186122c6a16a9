"""Writes finished matches as AbstractPlay's game records, which programs for other services read.

Their schema lists the players in order of seats, a higher result being a better one, and the moves in rounds with a
place for each seat; a seat that did not move in a round has null there. A round ends here as soon as the next move is
not of a later seat, so that the order of moves can be read from the rounds whatever the order of turns is.

>>> rounds(2, [(1, "a1"), (2, "b1"), (2, "c1"), (1, "resign")])
[['a1', 'b1'], [None, 'c1'], ['resign', None]]
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from bot.core.match.match import Match
from bot.core.values.computer_users import level_of
from bot.core.values.seats import Seat

SITE = "Graph Paper"


@dataclass(frozen=True, slots=True)
class Circumstances:
    """What a record says that its moves do not: the match's number, whether it was rated, and three moments as ISO 8601
    writes them; the users of computers by their seats, and the names of people who want theirs to stand there."""

    number: str
    rated: bool
    started: str
    ended: str
    now: str
    computers: Mapping[Seat, int]
    names: Mapping[Seat, str]


def written(match: Match, about: Circumstances) -> dict[str, Any]:
    """The record of a match that is over, or of one of its legs. What was taken back is left out."""
    game, options = match.game, match.options.record()
    last: list[tuple[Seat, str]] = [(match.record[-1].seat, match.record[-1].text)] if match.agreed else []
    return {
        "header": {
            "game": {"name": game.title, "variants": [f"{name} {value}" for name, value in options.items()]},
            "site": {"name": SITE, "gameid": about.number},
            "date-start": about.started,
            "date-end": about.ended,
            "date-generated": about.now,
            "unrated": not about.rated,
            "players": [_player(match, seat, about) for seat in range(1, match.seats + 1)],
        },
        "moves": rounds(match.seats, [*((line.seat, line.text) for line in match.standing), *last]),
    }


def rounds(seats: int, lines: Iterable[tuple[Seat, str]]) -> list[list[str | None]]:
    """Moves in rounds, with a place for each seat."""
    found: list[list[str | None]] = []
    before = seats
    for seat, text in lines:
        if seat <= before:
            found.append([None] * seats)
        found[-1][seat - 1] = text
        before = seat
    return found


def _player(match: Match, seat: Seat, about: Circumstances) -> dict[str, Any]:
    ranks: Sequence[int] = match.ranks or (1,) * match.seats
    computer = about.computers.get(seat)
    name = about.names.get(seat) or f"Player {seat}"
    told: dict[str, Any] = {"name": f"{name} (computer, level {level_of(computer)})", "is_ai": True} if computer else {}
    score = {"score": match.scores[seat - 1]} if match.game.scored else {}
    return {"name": name, **told, **score, "result": max(ranks) - ranks[seat - 1]}
