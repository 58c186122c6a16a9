"""Match records: the checker, uploaded files, AbstractPlay's format."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from typing import Any, BinaryIO, TextIO

from bot.games.catalogue import load_offered_games
from bot.games.game import Game
from bot.games.notation import LONGEST, quote
from bot.games.position import LEVELS, Position, Seat
from bot.games.reading import tidy_text
from bot.play.ids import ChannelId, GuildId, MatchId, UserId, level_of, make_computer_user, make_unnamed_user
from bot.play.loaded_match import FoldedMatch, LoadedMatch, Refusal
from bot.play.match import BrokenRecord, Match, enter_line, open_record
from bot.play.rows import MatchRecordRow, Player

# The record checker: `python -m bot replay FILE` replays match records and prints what the referee sees.


NO_JSON = "This line is not JSON."
LONG = "A number in this line has {digits} digits, and I read no such number."
TWICE = "The key {key} stands twice in the same place, so nobody can tell which is meant. Leave one of them out."
MOST_LEGAL = 5000
"""A seat with more legal moves than this gets null instead of a list."""


def describe_position(match: Match, legal: bool) -> dict[str, Any]:
    """A position as the referee sees it."""
    answer: dict[str, Any] = {
        "to_move": list(match.turn),
        "scores": list(match.scores),
        "finished": match.is_over,
        "ranks": list(match.ranks) if match.ranks else None,
    }
    if legal:
        answer["legal"] = {str(seat): list_legal_moves(match.position, seat) for seat in match.turn}
    return answer


def list_legal_moves(position: Position, seat: int) -> list[str] | None:
    """The legal moves of a seat, sorted as text; None where they are open or too many."""
    if position.open_to(seat):
        return None
    moves = list(islice(position.moves(seat), MOST_LEGAL + 1))
    return sorted(moves) if len(moves) <= MOST_LEGAL else None


def replay_record(games: Mapping[str, Game], line: bytes, every: bool, legal: bool) -> dict[str, Any]:
    """The answer to one line of a file of records."""
    positions: list[dict[str, Any]] = []
    try:
        row = parse_record(line)
        match = open_record(games, row)
        if every:
            positions.append(describe_position(match, legal))
        for at, move in enumerate(row["moves"]):
            match = enter_line(match, move, at)
            if every:
                positions.append(describe_position(match, legal))
    except BrokenRecord as fault:
        answer: dict[str, Any] = {"error": str(fault), "at": fault.at}
        return {**answer, "positions": positions} if every else answer
    return {"positions": positions} if every else describe_position(match, legal)


def parse_record(line: bytes) -> Any:
    """The JSON value of a line, or `BrokenRecord`. Typographic quotes and spaces, as phones type them, are accepted."""
    try:
        return _parse_json(line)
    except (ValueError, RecursionError):
        try:
            if not line.isascii():
                return _parse_json(tidy_text(line.decode()))
        except (ValueError, RecursionError):
            pass
        raise BrokenRecord(NO_JSON, None) from None


def _parse_json(text: bytes | str) -> Any:
    return json.loads(
        text, parse_constant=_refuse_constant, parse_int=_parse_whole, object_pairs_hook=_expect_distinct_keys
    )


def _parse_whole(digits: str) -> int:
    try:
        return int(digits)
    except ValueError:  # Python reads 4,300 digits at most
        raise BrokenRecord(LONG.format(digits=len(digits)), None) from None


def _expect_distinct_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    # Python takes the last of two, other programs the first.
    found = dict(pairs)
    if len(found) < len(pairs):
        keys = [key for key, _ in pairs]
        raise BrokenRecord(TWICE.format(key=quote(next(key for key in keys if keys.count(key) > 1))), None)
    return found


def _refuse_constant(constant: str) -> Any:
    # Python reads NaN and Infinity, which JSON does not know.
    raise ValueError(constant)


def read_lines(source: BinaryIO) -> Iterator[bytes]:
    """The lines of a file, blank ones left out."""
    for line in source:
        if line.strip():
            yield line.removesuffix(b"\n")


def replay(games: Mapping[str, Game], source: BinaryIO, out: TextIO, every: bool, legal: bool) -> int:
    """Answer every line of `source` on `out`; the exit status is 0 when every record was legal, else 1."""
    broken = False
    for line in read_lines(source):
        answer = replay_record(games, line, every, legal)
        broken = broken or "error" in answer
        out.write(json.dumps(answer) + "\n")
    out.flush()
    return int(broken)


def main(file: str, every: bool, legal: bool) -> int:
    """Replay a file, or standard input for `-`."""
    from bot.games.catalogue import load_games

    if file == "-":
        return replay(load_games(), sys.stdin.buffer, sys.stdout, every, legal)
    try:
        with open(file, "rb") as source:
            return replay(load_games(), source, sys.stdout, every, legal)
    except BrokenPipeError:
        raise  # an error of the output, not of the file
    except OSError as fault:
        print(f"{file} cannot be read: {fault.strerror}.", file=sys.stderr)
        return 2


# Writes finished matches as AbstractPlay's game records, which programs for other services read.


SITE = "Graph Paper"


@dataclass(frozen=True, slots=True)
class MatchDetails:
    """The details of a record beside its moves: the match's number, whether it was rated, and three moments in ISO
    8601; the users of computers by seat, and the names of people who want theirs shown."""

    number: str
    rated: bool
    started: str
    ended: str
    now: str
    computers: Mapping[Seat, int]
    names: Mapping[Seat, str]


def build_record(match: Match, about: MatchDetails) -> dict[str, Any]:
    """The record of a finished match, or of one of its legs, without moves that were taken back."""
    game, options = match.game, match.options.to_record()
    last: list[tuple[Seat, str]] = [(match.record[-1].seat, match.record[-1].text)] if match.agreed else []
    return {
        "header": {
            "game": {"name": game.title, "variants": [f"{name} {value}" for name, value in options.items()]},
            "site": {"name": SITE, "gameid": about.number},
            "date-start": about.started,
            "date-end": about.ended,
            "date-generated": about.now,
            "unrated": not about.rated,
            "players": [_build_player(match, seat, about) for seat in range(1, match.seats + 1)],
        },
        "moves": group_into_rounds(match.seats, [*((line.seat, line.text) for line in match.standing), *last]),
    }


def group_into_rounds(seats: int, lines: Iterable[tuple[Seat, str]]) -> list[list[str | None]]:
    """Moves in rounds, with a place for each seat."""
    found: list[list[str | None]] = []
    before = seats
    for seat, text in lines:
        if seat <= before:
            found.append([None] * seats)
        found[-1][seat - 1] = text
        before = seat
    return found


def _build_player(match: Match, seat: Seat, about: MatchDetails) -> dict[str, Any]:
    ranks: Sequence[int] = match.ranks or (1,) * match.seats
    computer = about.computers.get(seat)
    name = about.names.get(seat) or f"Player {seat}"
    told: dict[str, Any] = {"name": f"{name} (computer, level {level_of(computer)})", "is_ai": True} if computer else {}
    score = {"score": match.scores[seat - 1]} if match.game.scored else {}
    return {"name": name, **told, **score, "result": max(ranks) - ranks[seat - 1]}


# Reads a record from an uploaded file, which may hold anything, as a match that is not stored.


IMPORTED = MatchId(0)
"""The number of a match that is not stored."""
MOST_BYTES = 64 * 1024
MOST_STEPS = 2_000
"""The most lines that may be folded, with those that takebacks fold again."""
NO_FILE = "A record is a small text file, at most 64 KiB, as /match record gives it."
NO_RECORD = "There is no record in this file. /match record gives such files."
NO_SUCH = "This file has {count} records, so there is no record {number}."
NO_COMPUTERS = "The computers of a record are a list of seats with levels, like [[2, 3]]."
TOO_LONG = "This record is too long for me: I go through {most} lines, and takebacks count what they undo."
AT_LINE = "Line {line} of the record can't be played: {why}"
REMEMBERED = 32


def choose_record(data: bytes, number: int) -> bytes:
    """The record with a number, from 1, of those in a file: one to a line, or one that fills the file."""
    if len(data) > MOST_BYTES:
        raise Refusal(NO_FILE)
    try:
        whole = isinstance(json.loads(data, parse_int=str), dict)  # faults are reported by the parser below
    except (ValueError, RecursionError):
        whole = False
    lines = [data] if whole else [line for line in data.splitlines() if line.strip()]
    if not lines:
        raise Refusal(NO_RECORD)
    if not 1 <= number <= len(lines):
        raise Refusal(NO_SUCH.format(count=len(lines), number=number))
    return lines[number - 1]


@lru_cache(REMEMBERED)
def import_record(record: bytes, guild: GuildId, channel: ChannelId) -> LoadedMatch:
    """A record as a match that a user views in a channel; its players have no names."""
    try:
        row: Any = parse_record(record)
        fold = _fold_record(row)
    except BrokenRecord as fault:
        raise Refusal(str(fault) if fault.at is None else AT_LINE.format(line=fault.at + 1, why=fault)) from None
    except RecursionError:
        raise Refusal(NO_RECORD) from None
    match, computers = fold.match, _read_computers(row.get("computers", []), fold.match.seats)
    users = {seat: computers.get(seat) or make_unnamed_user(seat) for seat in range(1, match.seats + 1)}
    players = tuple(Player(user, seat, seat, False, False, None, None) for seat, user in users.items())
    stored = MatchRecordRow(
        id=IMPORTED, guild=guild, channel=channel, thread=None, game=match.game.key, game_version=match.game.version,
        options=match.options.to_record(), seats=match.seats, seating="order", rated=False, host=users[1],
        state="finished" if match.is_over else "live", version=1 + len(match.record), plies=len(match.record),
        turn=match.turn, created=0, expires=None, started=0, ended=None, shown_version=0, lobby_message=None,
        board_channel=None, board_message=None, shown_plies=0, publish_error=None, close_reason=None, published=True,
        rematch_of=None, rename_pending=False, pace="none", paused=None, proposal=None, proposed=None, refused=None,
        substitutions=None, legs=1, thinks=None, source_match=None, imported_plies=0, premove_plies=(),
        awaits_thread=False, told_version=0, told_message=None, announce_until=None, announcement=None, round=None,
        moved=None, players=players, record=match.record,
    )  # fmt: skip
    return LoadedMatch(stored, match.game, match, fold.starts[-1] if fold.starts else None)


def _fold_record(row: Any) -> FoldedMatch:
    fold, steps = FoldedMatch(open_record(load_offered_games(), row)), 0
    for at, line in enumerate(row["moves"]):
        match line:
            case [_, str(text)] if len(text) > LONGEST:
                raise BrokenRecord(f"I read at most {LONGEST} characters of a move.", at)
            case _:
                after = enter_line(fold.match, line, at)
        fold = fold.enter(after.record[-1], after)
        steps += 1 if after.record[-1].text != "takeback" else len(after.standing) + 1
        if steps > MOST_STEPS:
            raise BrokenRecord(TOO_LONG.format(most=MOST_STEPS), None)
    return fold


def _read_computers(given: Any, seats: int) -> Mapping[Seat, UserId]:
    """The computers of a record, by their seats."""
    found: dict[Seat, UserId] = {}
    listed: list[object] = given if isinstance(given, list) else [None]  # pyright: ignore[reportUnknownVariableType]
    for one in listed:
        match one:
            case [int(seat), int(level)] if 1 <= seat <= seats and level in LEVELS and seat not in found:
                found[seat] = make_computer_user(level, len(found) + 1)
            case _:
                raise Refusal(NO_COMPUTERS)
    return found
