"""Proves puzzles by plain minimax, which looks at everything that follows: neither a mind nor a bound helps."""

from __future__ import annotations

from collections import Counter
from functools import cache
from typing import Any

from bot.games.position import Position, Seat
from bot.play import puzzles
from bot.play.puzzles import Puzzle


def lines() -> tuple[dict[str, Any], ...]:
    """All puzzles, in the order of the days."""
    return puzzles.list_puzzles()


class Much(Exception):
    """Too much follows a position to look at all of it."""


def plain(puzzle: Puzzle, most: int) -> dict[str, int]:
    """By how much the mover is ahead at the end after each move, by minimax alone: neither a mind nor a bound helps."""
    seen, lowest = 0, puzzle.game.lowest_wins

    @cache
    def ahead(position: Position, seat: Seat) -> int:
        nonlocal seen
        seen += 1
        if seen > most:
            raise Much
        if not position.turn:
            mine, other = position.scores()[seat - 1], position.scores()[2 - seat]
            if not puzzle.game.scored:
                ranks = position.ranks() or ()
                mine, other = -ranks[seat - 1], -ranks[2 - seat]
            return other - mine if lowest else mine - other
        mover = position.turn[0]
        found = [ahead(position.play(mover, move), seat) for move in position.moves(mover)]
        return max(found) if mover == seat else min(found)

    position, seat = puzzle.position, puzzle.seat
    return {move: ahead(position.play(seat, move), seat) for move in position.moves(seat)}


def proves(puzzle: Puzzle, values: dict[str, int]) -> bool:
    """Whether values say of a puzzle what its line does: one move alone keeps the best result, and by how much."""
    second = max(value for move, value in values.items() if move != puzzle.best)
    kept = (puzzle.value > 0) - (puzzle.value < 0) > (second > 0) - (second < 0)
    return kept and (values[puzzle.best], second) == (puzzle.value, puzzle.second)


def proved(most: int, wanted: int) -> Counter[str]:
    """How many puzzles of each game plain minimax proves, those with the fewest moves to choose from first, as long as
    they take few positions; one that it refutes is a failure."""
    count = Counter[str]()
    read = [puzzles.parse_puzzle(line) for line in lines()]
    for puzzle in sorted(read, key=lambda one: sum(1 for _ in one.position.moves(one.seat))):
        try:
            values = plain(puzzle, most)
        except Much:
            continue
        assert proves(puzzle, values), (puzzle.game.key, puzzle.position)
        count[puzzle.game.key] += 1
        if count.total() == wanted:
            break
    return count
