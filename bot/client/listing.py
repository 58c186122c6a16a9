"""Matches in lists: a line for each, in which order they stand, and which of them somebody may see.

A line is made from what the store keeps of a match, without its record: who is to move, who won, where it is. When a
secret move was made is nobody's business, so in games with secrets no order hangs on it.
"""

from __future__ import annotations

from collections.abc import Mapping

import discord

from bot.client import texts
from bot.client.interaction import Interaction, user_of
from bot.core.game import Game
from bot.core.ids import UserId
from bot.core.rows import MatchRow
from bot.service.seated import link_to, person, together


def line(row: MatchRow, game: Game, user: UserId | None = None) -> str:
    """A match in a line: its number, its game, its people, how it stands for somebody, and where it is."""
    people = " – ".join(person(player.user) for player in row.players)
    return f"{row.id} · **{game.title}** · {people} · {state(row, user)} {link_to(row)}"


def state(row: MatchRow, user: UserId | None) -> str:
    """How a match stands: what it waits for, or how it ended."""
    if row.state == "open":
        return _open(row, user)
    if row.state == "live":
        return _to_move(row, user)
    when = f" <t:{row.ended}:d>" if row.ended else ""
    return f"{_result(row) if row.state == 'finished' else 'called off'}{when}"


def _open(row: MatchRow, user: UserId | None) -> str:
    asked = [player.user for player in row.players if player.invited]
    if user in asked:
        return "you are asked"
    waiting = [f"{together([person(other) for other in asked])} asked"] if asked else []
    seats = free(row)
    told = [*waiting, *([f"{seats} of {row.seats} seats free"] if seats else [])]
    return ", ".join(told) or "about to begin"


def free(row: MatchRow) -> int:
    """How many seats nobody has taken yet or was asked to take."""
    return row.seats - len(row.players)


def _to_move(row: MatchRow, user: UserId | None) -> str:
    if user is not None and row.seat_of(user) in row.turn:
        return "**your move**"
    moving = [person(player.user) for player in row.players if player.seat in row.turn]
    return f"{together(moving)} {'is' if len(moving) == 1 else 'are'} to move"


def _result(row: MatchRow) -> str:
    if row.seats == 1:
        return "done"
    first = [person(player.user) for player in row.players if player.rank == 1]
    if len(first) > 1:
        return f"a draw between {together(first)}"
    if row.seats == 2:
        return f"{together(first)} won"
    placed = sorted((player for player in row.players if player.rank), key=lambda player: player.rank or 0)
    return ", ".join(f"{texts.place_name(player.rank or 0)} {person(player.user)}" for player in placed)


def table(row: MatchRow, game: Game) -> str:
    """A table with free seats in a line: who is there, how many are free, until when, and where it is."""
    come = together([person(player.user) for player in row.players])
    seats = f"{free(row)} of {row.seats} seats free"
    return f"**{game.title}** · {come} · {seats} · closes <t:{row.expires}:R> {link_to(row)}"


def urgency(row: MatchRow, user: UserId, games: Mapping[str, Game]) -> tuple[int, int]:
    """Sorting key: what waits for somebody first, then what waits for others, each by how long it has been waiting."""
    player = row.player(user)
    waiting = row.seat_of(user) in row.turn if row.state == "live" else bool(player and player.invited)
    moved = None if games[row.game].secret else row.moved
    return (0 if waiting else 1 if row.state == "live" else 2, moved or row.started or row.created)


def may_find(interaction: Interaction, row: MatchRow) -> bool:
    """Whether somebody may learn of a match: they are in it, or can see the channel in which it was challenged.

    A match alone is for others only once it is published.
    """
    user = interaction.user
    if row.player(user_of(interaction)):
        return True
    if row.seats == 1 and not row.published:
        return False
    channel = interaction.guild.get_channel_or_thread(row.channel) if interaction.guild else None
    if channel is None or not isinstance(user, discord.Member):
        return False
    if isinstance(channel, discord.Thread) and channel.is_private():
        return False
    return channel.permissions_for(user).view_channel
