"""Records: how fast they are replayed, beside chess as a game with a well-known library."""

from __future__ import annotations

import json
import subprocess
import sys
from functools import partial
from pathlib import Path
from random import Random

import chess

from bot.games.catalogue import load_games
from bot.play.match import Match
from bot.play.record import Entry
from tests.bench.figures import Sheet, in_turns, median, seconds
from tests.contract.playing import playout

RECORDS, SIZE = 1000, 7
FOLDED, CHESS_GAMES, CHESS_PLIES = 60, 20, 80


def played(rng: Random) -> Match:
    """A match that is over."""
    *_, last = playout(Match.start(load_games()["binary-primes"], {"size": SIZE}, 2), rng)
    return last


def fold(match: Match) -> Match:
    """The same match from its record."""
    again = Match.start(match.game, match.options.to_record(), match.seats)
    for entry in match.record:
        again = again.enter(*entry)
    return again


def chess_game(rng: Random) -> list[str]:
    """The moves of a game of chess, drawn by lot."""
    board = chess.Board()
    moves: list[str] = []
    while not board.is_game_over() and len(moves) < CHESS_PLIES:
        move = rng.choice(list(board.legal_moves))
        moves.append(move.uci())
        board.push(move)
    return moves


def fold_chess(moves: list[str]) -> chess.Board:
    """A game of chess from its moves, each checked."""
    board = chess.Board()
    for move in moves:
        board.push_uci(move)
    return board


def measure(sheet: Sheet, folder: Path) -> None:
    """The figures of replaying."""
    sheet.title(f"Records (Binary Primes, {SIZE}×{SIZE}, finished)")
    rng = Random(2)
    matches = [played(rng) for _ in range(RECORDS)]
    file = folder / "records.jsonl"
    file.write_text("".join(f"{json.dumps(match.to_json())}\n" for match in matches))
    command = [sys.executable, "-m", "bot", "replay", str(file)]
    run = partial(subprocess.run, command, check=True, stdout=subprocess.DEVNULL)
    sheet.add(f"python -m bot replay, {RECORDS} records", seconds(run), "s", 10.0)
    ours, theirs = matches[:FOLDED], [chess_game(rng) for _ in range(CHESS_GAMES)]
    times = in_turns(
        {"ours": lambda: [fold(match) for match in ours], "chess": lambda: [fold_chess(game) for game in theirs]}, 7
    )
    lines: list[Entry] = [entry for match in ours for entry in match.record]
    sheet.add("folding, moves a second", len(lines) / median(times["ours"]), "1/s")
    sheet.add("python-chess folding, moves a second", sum(map(len, theirs)) / median(times["chess"]), "1/s")
