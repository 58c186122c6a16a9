"""The matches to play: all games, mostly with their least options, so that a match takes a few moves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from random import Random

from bot.games.catalogue import load_games
from bot.games.game import Game
from bot.play.challenges import ChallengeTerms
from bot.play.ids import ChannelId, GuildId, UserId
from bot.play.match import Match
from bot.play.rows import ServerSettings
from data.store import Store, Transaction
from data.upkeep.upgrade import migrate
from tests.contract.playing import attempt, edge, greedy, proposals

GAMES = load_games()
KEYS = sorted(GAMES)
PACES = ("none", "1", "2", "3", "5", "7", "14", "bank")


def chosen(number: int, rng: Random) -> tuple[Game, int, dict[str, int | str]]:
    """The game of a match, with how many it is played and with what options; each game in turn."""
    game = GAMES[KEYS[number % len(KEYS)]]
    seats = rng.choice([seats for seats in game.seats if 2 <= seats <= 4])
    return game, seats, greedy(game, edge(game.Options.bounds(), 0), seats)


def drawn(match: Match, seat: int, rng: Random) -> str:
    """A legal move of a seat."""
    for text in proposals(match, seat, rng):
        if attempt(match, seat, text):
            return text
    raise AssertionError(f"Seat {seat} is to move, and no move was found for it: {match.to_json()}")


def challenge(
    game: Game, guild: int, users: Sequence[UserId], options: Mapping[str, int | str], pace: str | None
) -> ChallengeTerms:
    """The challenge of the first of some people to the others."""
    server, channel = GuildId(guild), ChannelId(20)
    return ChallengeTerms(server, channel, users[0], game, options, len(users), tuple(users[1:]), pace=pace)


async def prepare(url: str, zones: Mapping[int, str]) -> None:
    """An empty database with some servers, each with its zone and its usual pace."""
    await migrate(url)
    store = Store(url)
    many = ServerSettings(most_open=10_000, most_from_one=10_000, most_from_all=10_000)
    for (guild, zone), pace in zip(zones.items(), ("7", "3", "bank", "2"), strict=False):
        await store.do(Transaction.set_settings, guild, replace(many, zone=zone, pace=pace))
    await store.close()
