"""Makes a database with any number of matches, quickly: copies of recorded ones, in some servers, with ratings.

Nothing is played; rows are written as a bot would have left them, so that `check` finds no fault. The same number of
matches is the same database, to the last bit.
"""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from sqlalchemy import create_engine

from bot.games.catalogue import load_games, read_recorded_matches
from bot.play.lessons import fold_record
from bot.play.match import Match
from data.queries import standings
from data.upkeep.upgrade import migrate

SERVERS, PEOPLE, APART, BEGAN = 40, 3_000, 300, 1_700_000_000
"""Servers, people in all of them, and seconds between one match and the next."""
RATED = 10
"""One in this many matches is rated; computing ratings takes longer than all else here."""
LIVE = 20
"""One in this many matches is still played."""
USER = 200_000_000_000_000_000
"""Numbers as long as Discord's."""


class Copy(NamedTuple):
    """A recorded match as what is written of it."""

    match: Match
    options: str
    record: tuple[tuple[int, str], ...]
    turn: tuple[int, ...]


@cache
def copies(finished: bool) -> tuple[Copy, ...]:
    """All recorded matches to their end, where they have one, or to the middle."""
    made: list[Copy] = []
    for game in load_games().values():
        for row in read_recorded_matches(game):
            whole = fold_record(game, row)
            unfinished = Match.start(game, row.get("options", {}), row["seats"])
            for entry in whole.record[: len(whole.record) // 2]:
                unfinished = unfinished.enter(*entry)
            made += [_copy(match) for match in (whole, unfinished) if match.seats > 1 and match.is_over == finished]
    return tuple(made)


def _copy(match: Match) -> Copy:
    record = tuple((entry.seat, entry.text) for entry in match.record)
    return Copy(match, json.dumps(match.options.to_record(), sort_keys=True), record, tuple(match.turn))


def rows(number: int, rng: Random) -> tuple[dict[str, Any], list[tuple[Any, ...]], list[tuple[Any, ...]]]:
    """What is written of one match: its row, its players, its moves."""
    copy = rng.choice(copies(finished=number % LIVE != 0))
    match, at = copy.match, BEGAN + number * APART
    people = rng.sample(range(USER, USER + PEOPLE), match.seats)
    finished, plies = match.is_over, len(copy.record)
    row = {
        "id": number, "guild": 10**18 + number % SERVERS, "channel": 10**17 + number, "game": match.game.key,
        "game_version": match.game.version, "options": copy.options, "seats": match.seats, "seating": "lot",
        "rated": number % RATED == 0 or number % RATED == 5, "host": people[0],
        "state": "finished" if finished else "live", "version": plies + 2, "plies": plies,
        "turn": json.dumps([] if finished else list(copy.turn)), "created": at, "started": at + 1,
        "ended": at + plies + 2 if finished else None, "shown_version": plies + 2, "shown_plies": plies, "published": 0,
    }  # fmt: skip
    ranks, scores = match.ranks if finished else None, match.scores if finished else None
    players = [
        (number, user, seat, seat, 0, 0, ranks and ranks[seat - 1], scores and str(scores[seat - 1]))
        for seat, user in enumerate(people, 1)
    ]
    moves = [(number, ply, seat, text, at + 1 + ply) for ply, (seat, text) in enumerate(copy.record, 1)]
    return row, players, moves


PLAYER = 'INSERT INTO players ("match", user, joined, seat, invited, consent, rank, score) VALUES (?,?,?,?,?,?,?,?)'
MOVE = 'INSERT INTO moves ("match", ply, seat, text, at) VALUES (?,?,?,?,?)'
DELIVERY = 'INSERT INTO deliveries (interaction, "match", at) VALUES (?,?,?)'


async def stock(file: Path, matches: int) -> None:
    """Make a database with a number of matches."""
    await migrate(f"sqlite:///{file}", anew=True)
    rng = Random(7)
    with closing(sqlite3.connect(file)) as connection, connection:
        for number in range(1, matches + 1):
            row, players, moves = rows(number, rng)
            connection.execute(
                f"INSERT INTO matches ({', '.join(row)}) VALUES ({', '.join('?' * len(row))})", [*row.values()]
            )
            connection.executemany(PLAYER, players)
            connection.executemany(MOVE, moves)
            connection.execute(DELIVERY, (10**18 + number, number, row["created"]))
    _rate(file)


def _rate(file: Path) -> None:
    """Write down all ratings."""
    engine = create_engine(f"sqlite:///{file}")
    with engine.begin() as connection:
        for board in standings.list_boards(connection):
            standings.rewrite_ratings(
                connection, board, {}, standings.read_results_mark(connection, board.guild)._replace(ended=None)
            )
    engine.dispose()
