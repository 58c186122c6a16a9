"""Other games than those that hands know by heart: short ones, whose moves are drawn from what is stored."""

from __future__ import annotations

import json
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bot.games.catalogue import load_games
from bot.games.legs import get_game_for_legs
from bot.games.position import MoveError
from bot.play.match import Match
from tests.contract.playing import attempt, edge, greedy, proposals
from tests.world.findings import Ledger

PLAYED: Mapping[str, Sequence[int]] = {
    "flipping-bits": (3, 4), "binary-scramble": (3,), "plexus": (2,), "palindromes-antipalindromes": (2,),
    "binary-primes": (2,),
}  # fmt: skip
"""The games, and for how many. Binary Primes is played in two legs here."""
LEGS = ("binary-primes",)


@dataclass(frozen=True)
class Challenge:
    """A game, for how many, and the options of its command."""

    game: str
    seats: int
    options: Mapping[str, int | str]

    @classmethod
    def drawn(cls, rng: random.Random, played: Mapping[str, Sequence[int]] = PLAYED) -> Challenge:
        """One by lot, with the least options."""
        key = rng.choice([*played])
        game, seats = load_games()[key], rng.choice(played[key])
        options = greedy(game, edge(game.Options.bounds(), 0), seats)
        return cls(key, seats, {**options, "legs": 2} if key in LEGS else options)


class Records:
    """Finds a legal move in a stored match."""

    def __init__(self, ledger: Ledger) -> None:
        self.ledger = ledger

    def line(self, match: int, user: str, rng: random.Random) -> str | None:
        """A move of a player who is to move, in canonical notation; None where they are not."""
        asked = self.ledger.ask(f"select game, options, seats, legs from matches where id = {match} and state = 'live'")
        loaded = self.ledger.ask(f'select seat from players where match = {match} and "user" = {user}')
        if not asked or not loaded:
            return None
        key, options, seats, legs = asked[0]
        played = Match.start(get_game_for_legs(load_games()[key], legs), json.loads(options), seats)
        for seat, text in self.ledger.ask(f"select seat, text from moves where match = {match} order by ply"):
            played = played.enter(seat, text)
        seat = loaded[0][0]
        if seat not in played.turn:
            return None
        return next(
            (after.record[-1].text for text in proposals(played, seat, rng) if (after := _after(played, seat, text))),
            None,
        )


def _after(match: Match, seat: int, text: str) -> Match | None:
    try:
        return attempt(match, seat, text)
    except MoveError:
        return None
