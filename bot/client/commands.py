"""What every game's cog has: `/<key> challenge`, made from the game's Options, `/<key> rules`, and the way from a move
command to the umpire. It names no game.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Union, cast

import discord
from discord import app_commands
from discord.ext import commands

from bot.client import challenges, handlers, views
from bot.client.finding import find
from bot.client.views import Interaction as Interaction
from bot.core.game import Game, Position
from bot.core.moves import SELECT_LIMIT, MoveKind
from bot.core.options import Bounds
from bot.core.seats import Seat
from bot.service.seated import Refusal, Sight

if TYPE_CHECKING:
    from bot.client.client import GraphPaper

Choice = app_commands.Choice
CHOICE_LIMIT = 100
"""The longest name or value of an autocompletion; Discord drops the whole list for one that is longer."""
NOTE = re.compile(r"\([^)]*\)?")
"""A note behind an offered value. Discord writes what is offered into the command, note and all, and sends it so when
somebody types on behind it, pastes it or changes another option."""
MATCH_HELP = "The number of the match, when you play several"


def client_of(interaction: Interaction) -> GraphPaper:
    """The bot that an interaction came to."""
    return cast("GraphPaper", interaction.client)


class GameCog(commands.GroupCog):
    """The commands of one game. A game's own cog names its `game` and adds its move commands."""

    game: ClassVar[Game]

    def __init__(self) -> None:
        super().__init__()
        group = self.app_command
        assert isinstance(group, app_commands.Group)
        group.description = self.game.goal[:100]
        group.add_command(challenge_command(self.game))

    @app_commands.command(description="How the game is played.")
    async def rules(self, interaction: Interaction) -> None:
        """Show the rules page, to the asker alone."""
        await interaction.response.send_message(view=views.rules(self.game), ephemeral=True)

    async def enter(self, interaction: Interaction, name: str, match: int | None, **parts: object) -> None:
        """Play a move of the kind `name` in the match that the asker means."""
        kind = kind_named(self.game, name)
        text = kind.write({key: NOTE.sub("", str(value)) for key, value in parts.items()})
        seated = await self._meant(interaction, match)
        seat = seated.seat_of(interaction.user.id)
        if seat and seat in seated.turn:
            expect_meant(self.game, Sight.of(seated, seat).position, seat, kind, text)
        await handlers.entered(client_of(interaction), interaction, seated.id, kind, text)

    async def _meant(self, interaction: Interaction, match: int | None) -> Any:
        assert interaction.guild_id and interaction.channel_id
        return await find(
            client_of(interaction).umpire, interaction.guild_id, interaction.channel_id, interaction.user.id,
            game=self.game.key, named=match, moving=True,
        )  # fmt: skip

    async def complete(self, interaction: Interaction, current: str) -> list[Choice[str]]:
        """Autocompletion for the parts of a move, from the game's suggestions."""
        command, space = interaction.command, interaction.namespace
        assert isinstance(command, app_commands.Command)
        kind = kind_named(self.game, command.name)
        part = focused(interaction)
        try:
            seated = await self._meant(interaction, getattr(space, "match", None))
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

    async def complete_match(self, interaction: Interaction, current: str) -> list[Choice[int]]:
        """Autocompletion for the `match` option: the asker's live matches of this game."""
        return await challenges.live_matches(interaction, current, self.game.key)


def kind_named(game: Game, name: str) -> MoveKind:
    """A game's kind of move by the name of its command."""
    return next(kind for kind in game.moves if kind.name == name)


def expect_meant(game: Game, position: Position, seat: Seat, kind: MoveKind, text: str) -> None:
    """Refuse a move of a kind that cannot be made now where it would be read as one of another kind."""
    if kind.when(position, seat):
        return
    others = [other.name for other in game.moves if other.when(position, seat) and other.parse(text) is not None]
    if others:
        now = " or ".join(f"/{game.key} {name}" for name in others)
        raise Refusal(f"/{game.key} {kind.name} is not for this part of the match, and nothing was played: use {now}.")


def focused(interaction: Interaction) -> str:
    """The option that is being typed."""
    data: Any = interaction.data
    options: list[Any] = data.get("options", [])
    while options and "options" in options[0]:
        options = options[0]["options"]
    return next((option["name"] for option in options if option.get("focused")), "")


def choices(kind: MoveKind, part: str, suggestions: Iterable[Any]) -> list[Choice[str]]:
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


def annotation(bounds: Bounds) -> Any:
    """The type of a slash option for one of a game's options."""
    if bounds.words:
        return Literal[bounds.words]
    if bounds.step != 1 and len(bounds.values) <= SELECT_LIMIT:
        return Literal[tuple(bounds.values)]
    return app_commands.Range[int, bounds.low, bounds.high]


def challenge_command(game: Game) -> app_commands.Command[Any, ..., None]:
    """`/<key> challenge`, with an option for each of the game's options.

    discord.py reads a command's options from its callback's signature, so the signature is made from the declaration.
    """

    async def challenge(interaction: Interaction, **given: Any) -> None:
        await challenges.make(interaction, game, given)

    def parameter(name: str, kind: Any, default: Any = inspect.Parameter.empty) -> inspect.Parameter:
        return inspect.Parameter(name, inspect.Parameter.POSITIONAL_OR_KEYWORD, default=default, annotation=kind)

    options = game.Options.bounds()
    several = {"seats": app_commands.Range[int, game.seats[0], game.seats[-1]]} if len(game.seats) > 1 else {}
    kinds: dict[str, Any] = {
        "opponent": discord.User,
        **dict.fromkeys(challenges.OPPONENTS[1 : game.seats[-1] - 1], discord.User),
        **{name: annotation(bounds) for name, bounds in options.items()},
        "seat": Literal["me", "opponent", "lot"],
        **several,
        "rated": bool,
    }
    parameters = [parameter(name, Union[kind, None], None) for name, kind in kinds.items()]  # noqa: UP007  made at run time
    signature = inspect.Signature([parameter("interaction", discord.Interaction), *parameters])
    challenge.__signature__ = signature  # pyright: ignore[reportFunctionMemberAccess]  -- read by `inspect`
    helps = {name: help_text(bounds) for name, bounds in options.items()} | challenges.HELP
    app_commands.describe(**{name: helps[name][:100] for name in kinds})(challenge)
    return app_commands.Command(
        name="challenge", description="Challenge somebody, or open a table for whoever comes."[:100], callback=challenge
    )


def help_text(bounds: Bounds) -> str:
    """An option's help with its default."""
    return f"{bounds.help}; else {bounds.default}" if bounds.default is not None else bounds.help
