"""Writes live matches into a database without playing them."""

from __future__ import annotations

import time
from dataclasses import dataclass
from random import Random

from bot.games.catalogue import load_games
from bot.play.ids import ChannelId, GuildId, MatchId, MessageId, UserId
from bot.play.match import Match
from bot.play.rows import MatchChanges, NewMatch
from data.store import Transaction

GAME = "binary-primes"


@dataclass(frozen=True)
class Place:
    """Where a match is played."""

    guild: int
    channel: int
    thread: int


def drawn(size: int, plies: int, rng: Random) -> Match:
    """A match of so many moves, drawn by lot."""
    match = Match.start(load_games()[GAME], {"size": size}, 2)
    while len(match.record) < plies:
        match = match.play(match.turn[0], rng.choice(list(match.position.moves(match.turn[0]))))
    return match


def write(tx: Transaction, match: Match, place: Place, users: tuple[int, int], shown: bool = False) -> MatchId:
    """Write a match with its record; its board has not been shown yet, unless it is said to be."""
    now = int(time.time())
    first, second = (UserId(user) for user in users)
    server, lobby = GuildId(place.guild), ChannelId(place.channel)
    number = tx.create(
        NewMatch(server, lobby, GAME, match.game.version, match.options.to_record(), 2, "lot", True, first, now)
    )
    tx.join(number, second)
    for seat, user in enumerate((first, second), 1):
        tx.set_player(number, user, seat=seat)
    for ply, (seat, text) in enumerate(match.record, 1):
        tx.append(number, ply, seat, text, now)
    columns: MatchChanges = {
        "state": "live",
        "started": now,
        "turn": match.turn,
        "plies": len(match.record),
        "thread": ChannelId(place.thread),
        "lobby_message": MessageId(place.thread),
    }
    for version in range(1, len(match.record) + 2):
        tx.update(number, version, **columns)
    if shown:
        tx.mark_shown(number, len(match.record) + 2, shown_plies=len(match.record))
    return number
