"""A move by command: which match it means, its parts joined to a line of notation, and what is offered while typing."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from discord import app_commands

from bot.client import handlers
from bot.client.finding import find
from bot.client.interaction import Interaction, client_of
from bot.core.game import Game, Position, Suggestion
from bot.core.moves import SELECT_LIMIT, MoveKind
from bot.core.seats import Seat
from bot.service.seated import Refusal, Seated, Sight

Choice = app_commands.Choice
CHOICE_LIMIT = 100
"""The longest name or value of an autocompletion; Discord drops the whole list for one that is longer."""
NOTE = re.compile(r"\([^)]*\)?")
"""A note behind an offered value. Discord writes what is offered into the command, note and all, and sends it so when
somebody types on behind it, pastes it or changes another option."""


async def enter(
    interaction: Interaction, game: Game, kind: MoveKind, match: int | None, parts: Mapping[str, str]
) -> None:
    """Play a move of some kind in the match that the asker means."""
    text = kind.write({name: NOTE.sub("", value) for name, value in parts.items()})
    seated = await meant(interaction, game, match)
    seat = seated.seat_of(interaction.user.id)
    if seat and seat in seated.turn:
        expect_meant(game, Sight.of(seated, seat).position, seat, kind, text)
    await handlers.entered(client_of(interaction), interaction, seated.id, kind, text)


async def meant(interaction: Interaction, game: Game, match: int | None) -> Seated:
    """The match in which the asker means to move."""
    assert interaction.guild_id and interaction.channel_id
    return await find(
        client_of(interaction).umpire, interaction.guild_id, interaction.channel_id, interaction.user.id,
        game=game.key, named=match, moving=True,
    )  # fmt: skip


def expect_meant(game: Game, position: Position, seat: Seat, kind: MoveKind, text: str) -> None:
    """Refuse a move of a kind that cannot be made now where it would be read as one of another kind."""
    if kind.when(position, seat):
        return
    others = [other.name for other in game.moves if other.when(position, seat) and other.parse(text) is not None]
    if others:
        now = " or ".join(f"/{game.key} {name}" for name in others)
        raise Refusal(f"/{game.key} {kind.name} is not for this part of the match, and nothing was played: use {now}.")


async def complete(interaction: Interaction, game: Game, kind: MoveKind, current: str) -> list[Choice[str]]:
    """What is offered for the part of a move that is being typed, from the game's suggestions."""
    space, part = interaction.namespace, focused(interaction)
    try:
        seated = await meant(interaction, game, getattr(space, "match", None))
    except Refusal:
        return []
    seat = seated.seat_of(interaction.user.id)
    if seat not in seated.turn:
        return []
    values = {name: NOTE.sub("", str(value)) for name, value in (*space, (part, current))}
    position = Sight.of(seated, seat).position
    if not kind.when(position, seat):
        return []
    typed = kind.prefix(values, part)
    return await client_of(interaction).renderer.run(lambda: choices(kind, part, position.suggest(seat, typed)))


def focused(interaction: Interaction) -> str:
    """The option that is being typed."""
    data: Any = interaction.data
    options: list[Any] = data.get("options", [])
    while options and "options" in options[0]:
        options = options[0]["options"]
    return next((option["name"] for option in options if option.get("focused")), "")


def choices(kind: MoveKind, part: str, suggestions: Iterable[Suggestion]) -> list[Choice[str]]:
    """Distinct values of one part from suggested moves, as many as Discord shows."""
    found: dict[str, str] = {}
    for move, note in suggestions:
        value = (kind.parse(move) or {}).get(part)
        if value and len(value) <= CHOICE_LIMIT:
            noted = f"{value} ({note})" if note else value
            found.setdefault(value, noted if len(noted) <= CHOICE_LIMIT else value)
        if len(found) == SELECT_LIMIT:
            break
    return [Choice(name=name, value=value) for value, name in found.items()]
