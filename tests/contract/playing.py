"""Playouts: matches of a game with all kinds of options and seats, played out by drawing legal moves.

The same game gives the same playouts in every run. A failure names the record at which it happened, as the line of JSON
that `python -m bot replay` reads.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

import cogs as _cogs
from bot.games.game import Game
from bot.games.legs import LegMove, Legs
from bot.games.options import BadOptions, Bounds
from bot.games.position import MoveError, Position, Seat
from bot.play.match import Match
from tests.contract.movers import MOVERS

PLIES = 2000
"""No playout is longer."""
LISTED = 5000
"""No more moves of one position are looked at."""
PROPOSALS = 400
"""How often a move is drawn where moves are open."""
SAMPLE = 4
"""How many positions of a playout are looked at where looking is slow."""
LEAVING = 0.08
"""How likely a seat leaves before each ply of a playout with withdrawals."""


def expect(holds: object, match: Match, promise: str) -> None:
    """Raise AssertionError with the promise that is broken and the record that shows it."""
    if not holds:
        raise AssertionError(f"{promise}\n{json.dumps(match.to_json())}")


def records(game: Game) -> list[dict[str, Any]]:
    """The recorded matches of a game's folder; none where there is no such file."""
    files = [Path(folder, game.key.replace("-", "_"), "played.jsonl") for folder in _cogs.__path__]
    return [json.loads(line) for file in files if file.exists() for line in file.read_text().splitlines() if line]


# Options


def greedy(game: Game, wanted: dict[str, int | str], seats: int) -> dict[str, int | str]:
    """As many of the wanted options as go together for this number of seats."""
    given: dict[str, int | str] = {}
    for name, value in wanted.items():
        try:
            game.configure({**given, name: value}, seats)
            given[name] = value
        except BadOptions:
            continue
    return given


def edge(bounds: dict[str, Bounds], end: int) -> dict[str, int | str]:
    """The first (0) or last (-1) value of every option."""
    return {name: bound.values[end] for name, bound in bounds.items()}


def settings(game: Game, rng: Random) -> Iterator[tuple[dict[str, int | str], int]]:
    """Options and seats to play: the least of each with few and many seats, the usual ones, some drawn by lot."""
    bounds = game.Options.bounds()
    least, most = game.seats[0], game.seats[-1]
    for seats in sorted({least, least + (least < most), most}):
        yield greedy(game, edge(bounds, 0), seats), seats
    yield {}, least
    seats = rng.choice(game.seats)
    yield greedy(game, {name: rng.choice(bound.values) for name, bound in bounds.items()}, seats), seats


# Moves


def listed(position: Position, seat: Seat) -> list[str]:
    """The legal moves of a seat, or the first of very many."""
    return list(islice(position.moves(seat), LISTED))


def proposals(match: Match, seat: Seat, rng: Random) -> Iterator[str]:
    """Moves to try for a seat that is to move; where moves are not open, only legal ones."""
    position, game = match.position, match.game
    if not position.open_to(seat):
        moves = listed(position, seat)
        yield from rng.sample(moves, min(len(moves), PROPOSALS))
    elif game.key in MOVERS:
        legs = position.list_waiting_legs(seat) if isinstance(position, Legs) else ()
        for _ in range(PROPOSALS):
            text = MOVERS[game.key](match, seat, rng)
            yield str(LegMove(rng.choice(legs), text)) if legs else text
    else:
        suggested = [suggestion.move for suggestion in islice(position.suggest(seat, ""), PROPOSALS)]
        yield from rng.sample(suggested, len(suggested))
        yield from (text for row in records(game) for _, text in row["moves"])


def attempt(match: Match, seat: Seat, text: str) -> Match | None:
    """The match after a move; None where it is refused."""
    try:
        return match.play(seat, text)
    except MoveError:
        return None


def stepped(match: Match, rng: Random) -> Match:
    """The match after a move drawn by lot, by one of the seats to move."""
    seat = rng.choice(match.turn)
    after = (attempt(match, seat, text) for text in proposals(match, seat, rng))
    found = next((other for other in after if other), None)
    expect(found, match, f"Seat {seat} is to move, and no move was found for it.")
    assert found
    return found


def staying(match: Match) -> list[Seat]:
    """The seats that have not withdrawn."""
    return [seat for seat in range(1, match.seats + 1) if seat not in match.withdrawn_seats]


def leave(match: Match, seat: Seat) -> Match | None:
    """The match after a withdrawal; None where the seat may not leave, being done."""
    try:
        return match.withdraw(seat)
    except MoveError:
        return None


def playout(match: Match, rng: Random, leaving: float = 0.0) -> Iterator[Match]:
    """The match at every ply from here to its end."""
    yield match
    for _ in range(PLIES):
        if match.is_over:
            return
        left = leave(match, rng.choice(staying(match))) if rng.random() < leaving else None
        match = left or stepped(match, rng)
        yield match
    expect(match.is_over, match, f"The match is not over after {PLIES} plies.")


@cache
def playouts(game: Game) -> tuple[tuple[Match, ...], ...]:
    """Some playouts of a game, each as the match at every ply; where more than two can play, some with withdrawals."""
    rng = Random(game.key)
    chosen = list(settings(game, rng))
    played = [tuple(playout(Match.start(game, given, seats), rng)) for given, seats in chosen]
    leaving = [(given, seats) for given, seats in chosen[:3] if seats > 2]
    played += [tuple(playout(Match.start(game, given, seats), rng, LEAVING)) for given, seats in leaving]
    return tuple(played)


@cache
def sampled(game: Game) -> tuple[Match, ...]:
    """Some moments of every playout, its start and its end among them."""
    rng = Random(game.key)
    moments: list[Match] = []
    for played in playouts(game):
        inner = played[1:-1]
        moments += [played[0], *rng.sample(inner, min(len(inner), SAMPLE)), played[-1]]
    return tuple(moments)


@cache
def few(game: Game) -> tuple[Match, ...]:
    """One moment within every playout, and the ends of the first and the last: for what depends on the kind of position
    alone."""
    rng, every = Random(game.key), playouts(game)
    return (*(rng.choice(played[:-1] or played) for played in every), every[0][-1], every[-1][-1])


def everywhere(game: Game) -> Iterator[Match]:
    """Every moment of every playout."""
    return (match for played in playouts(game) for match in played)
