"""The record checker: `python -m bot replay FILE` replays match records and prints what the referee sees.

One JSON object a line goes in and one comes out: who is to move, scores, ranks; with ``--every`` for each position on
the way, with ``--legal`` the legal moves too. A record that breaks a rule is answered by the rule it breaks, and the
other lines are still done.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any, BinaryIO, TextIO

from bot.core.game.game import Game
from bot.core.game.notation import quote
from bot.core.game.position import Position
from bot.core.match.match import BrokenRecord, Match, entered, opened
from bot.core.values.typed_text import tidied

NO_JSON = "This line is not JSON."
LONG = "A number in this line has {digits} digits, and I read no such number."
TWICE = "The key {key} stands twice in the same place, so nobody can tell which is meant. Leave one of them out."
MOST_LEGAL = 5000
"""A seat with more legal moves than this gets null instead of a list."""


def described(match: Match, legal: bool) -> dict[str, Any]:
    """A position as the referee sees it."""
    answer: dict[str, Any] = {
        "to_move": list(match.turn),
        "scores": list(match.scores),
        "finished": match.finished,
        "ranks": list(match.ranks) if match.ranks else None,
    }
    if legal:
        answer["legal"] = {str(seat): listed(match.position, seat) for seat in match.turn}
    return answer


def listed(position: Position, seat: int) -> list[str] | None:
    """The legal moves of a seat, sorted as text; None where they are open or too many."""
    if position.open_to(seat):
        return None
    moves = list(islice(position.moves(seat), MOST_LEGAL + 1))
    return sorted(moves) if len(moves) <= MOST_LEGAL else None


def replayed(games: Mapping[str, Game], line: bytes, every: bool, legal: bool) -> dict[str, Any]:
    """The answer to one line of a file of records."""
    positions: list[dict[str, Any]] = []
    try:
        row = parsed(line)
        match = opened(games, row)
        if every:
            positions.append(described(match, legal))
        for at, move in enumerate(row["moves"]):
            match = entered(match, move, at)
            if every:
                positions.append(described(match, legal))
    except BrokenRecord as fault:
        answer: dict[str, Any] = {"error": str(fault), "at": fault.at}
        return {**answer, "positions": positions} if every else answer
    return {"positions": positions} if every else described(match, legal)


def parsed(line: bytes) -> Any:
    """The JSON value of a line, or `BrokenRecord`. One that a phone has made its quotes and spaces in is tidied."""
    try:
        return _value(line)
    except (ValueError, RecursionError):
        try:
            if not line.isascii():
                return _value(tidied(line.decode()))
        except (ValueError, RecursionError):
            pass
        raise BrokenRecord(NO_JSON, None) from None


def _value(text: bytes | str) -> Any:
    return json.loads(text, parse_constant=_no_json, parse_int=_whole, object_pairs_hook=_once)


def _whole(digits: str) -> int:
    try:
        return int(digits)
    except ValueError:  # Python reads 4,300 digits at most
        raise BrokenRecord(LONG.format(digits=len(digits)), None) from None


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    # Python would take the last of two, and other programs the first.
    found = dict(pairs)
    if len(found) < len(pairs):
        keys = [key for key, _ in pairs]
        raise BrokenRecord(TWICE.format(key=quote(next(key for key in keys if keys.count(key) > 1))), None)
    return found


def _no_json(constant: str) -> Any:
    # Python reads NaN and Infinity, which JSON does not know.
    raise ValueError(constant)


def lines(source: BinaryIO) -> Iterator[bytes]:
    """The lines of a file, blank ones left out."""
    for line in source:
        if line.strip():
            yield line.removesuffix(b"\n")


def replay(games: Mapping[str, Game], source: BinaryIO, out: TextIO, every: bool, legal: bool) -> int:
    """Answer every line of `source` on `out`; the exit status is 0 when every record was legal, else 1."""
    broken = False
    for line in lines(source):
        answer = replayed(games, line, every, legal)
        broken = broken or "error" in answer
        out.write(json.dumps(answer) + "\n")
    out.flush()
    return int(broken)


def main(file: str, every: bool, legal: bool) -> int:
    """Replay a file, or standard input for `-`."""
    from bot.core.library.catalogue import games

    if file == "-":
        return replay(games(), sys.stdin.buffer, sys.stdout, every, legal)
    try:
        with open(file, "rb") as source:
            return replay(games(), source, sys.stdout, every, legal)
    except BrokenPipeError:
        raise  # of the answers, not of the file
    except OSError as fault:
        print(f"{file} cannot be read: {fault.strerror}.", file=sys.stderr)
        return 2
