"""How long the highest level thinks about usual and largest boards, from the start on, and how long playouts take."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import suppress
from itertools import islice
from random import Random

from bot.engine.levels import compute_divisor, find_highest_level, make_budget
from bot.engine.search import TreeSearch, think
from bot.games.game import Game
from bot.games.position import Position
from bot.play.match import Match
from tests.contract.playing import edge, greedy, playout

MOST = 4.0
"""Seconds of processor time that no move may take."""
WALK = 60
"""How far a match is played by lot; some can go on for very long."""
MOMENTS = 4
"""At how many of its moments a move is looked for."""
PLAYOUTS, ENOUGH = 300, 2.0
"""How many playouts are timed, and after how many seconds no further one."""


def boards(game: Game, seats: int) -> dict[str, dict[str, int | str]]:
    """The usual and the largest options of a game for so many seats."""
    return {"usual": {}, "largest": greedy(game, edge(game.Options.bounds(), -1), seats)}


def moments(game: Game, given: dict[str, int | str], seats: int) -> Iterator[Position]:
    """Some moments of a match."""
    begin = Match.start(game, given, seats)
    played: list[Match] = []
    with suppress(AssertionError):  # where moves are open, lots do not always find one of few that are left
        played += (match for match in islice(playout(begin, Random(game.key)), WALK) if not match.is_over)
    return (played[len(played) * part // MOMENTS].position for part in range(MOMENTS))


def lines(game: Game) -> Iterator[str]:
    """The rows of a game: usual and largest options, for few and for many players."""
    for seats in sorted({max(2, game.seats[0]), game.seats[-1]}):
        for name, given in boards(game, seats).items():
            yield line(game, name, given, seats)


def line(game: Game, name: str, given: dict[str, int | str], seats: int) -> str:
    """A row of the table: the highest level, its playouts, and how long its moves take."""
    top, told = 1, list[str]()
    slowest = 0.0
    for position in moments(game, given, seats):
        seat = position.turn[0]
        top = find_highest_level(game, position) if not told else top
        allowed = make_budget(game, position, top)
        begun = time.process_time()
        found = think(position.seen_by(seat), seat, game.mind, allowed, "1:1:1:1")
        seconds = time.process_time() - begun
        slowest = max(slowest, seconds)
        told.append(f"{allowed.playouts}p {seconds:.2f} s{' exact' if found.exact else ''}")
    verdict = "ok" if slowest <= MOST else "TOO LONG"
    return f"{game.key:<29}{name:<8}{seats} seats, level {top}: {'; '.join(told):<72} {slowest:6.2f} s {verdict}"


def timed(game: Game, options: str, position: Position) -> str:
    """A row of the other table: how long a playout takes from the start, beside what the table of the levels says."""
    search = TreeSearch(position.seen_by(position.turn[0]), game.mind, Random(1))
    begun = time.process_time()
    done = 0
    while done < PLAYOUTS and time.process_time() - begun < ENOUGH:
        search.run(1)
        done += 1
    took = 1000 * (time.process_time() - begun) / done
    return f"{game.key:<29}{options:<8} {took:8.2f} ms, weight {compute_divisor(game, position)}"


def playouts(game: Game) -> Iterator[str]:
    """How long playouts of a game take with its usual and with its largest options."""
    seats = max(2, game.seats[0])
    for options, given in boards(game, seats).items():
        if not game.mind.ponder:
            yield timed(game, options, Match.start(game, given, seats).position)
