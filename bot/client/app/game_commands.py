"""Makes a game's commands from its table: `/<key> challenge` from its options, `/<key> rules`, and one for each of its
kinds of move.

discord.py reads a command's options from the signature of its callback, so the signatures are made from the table.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Coroutine, Sequence
from dataclasses import dataclass
from inspect import Parameter, Signature
from typing import Any, Literal, Union

import discord
from discord import app_commands

from bot.client.app.client import GraphPaper
from bot.client.interactions.context import Interaction
from bot.client.interactions.rate_limit import costs
from bot.client.lobby import challenges
from bot.client.lobby.challenges import Challenges
from bot.client.lobby.match_directory import MatchDirectory
from bot.client.moves.move_command import LEG, MoveCommands
from bot.client.views.replies import Replies
from bot.core.game.game import Game
from bot.core.game.moves import SELECT_LIMIT, MoveKind, Part
from bot.core.game.options import Bounds
from bot.core.game.two_legs import has_legs
from bot.core.match.clocks import PACES

Command = app_commands.Command[Any, ..., None]
Completion = Callable[[Interaction, str], Coroutine[Any, Any, list[app_commands.Choice[Any]]]]
HELP_LIMIT = 100
"""The longest description of a command or an option (Discord's limit)."""
MATCH_HELP = "The number of the match, when you play several"
LEG_HELP = "In a match of two legs, which of them you mean where both wait for you"


@dataclass(frozen=True, slots=True)
class Option:
    """An option of a command: its name, the type that discord.py reads, its help, its default if it may be left out,
    and what suggests values for it or which choices there are."""

    name: str
    type: Any
    help: str
    default: Any = Parameter.empty
    complete: Completion | None = None
    choices: Sequence[app_commands.Choice[Any]] = ()


def game_setup(game: Game) -> Callable[[GraphPaper], Awaitable[None]]:
    """The `setup` of a game's cog: it adds the game's commands to the bot."""

    async def setup(bot: GraphPaper) -> None:
        game_commands = GameCommands(game, bot.replies, bot.challenges, bot.move_commands, bot.directory)
        bot.tree.add_command(game_commands.group())

    return setup


class GameCommands:
    """Makes the commands of one game."""

    def __init__(
        self, game: Game, replies: Replies, challenges: Challenges, moves: MoveCommands, directory: MatchDirectory
    ) -> None:
        self._game = game
        self._replies = replies
        self._challenges = challenges
        self._moves = moves
        self._directory = directory

    def group(self) -> app_commands.Group:
        """All commands of the game, under its key."""
        group = app_commands.Group(name=self._game.key, description=self._game.goal)
        group.add_command(self._rules())
        for kind in self._game.moves:
            group.add_command(self._move(kind))
        group.add_command(self._challenge())
        return group

    def _rules(self) -> Command:
        """`/<key> rules`, for the asker alone."""

        async def rules(interaction: Interaction) -> None:
            await self._replies.rules(interaction, self._game)

        return costs(2, looks=True)(made("rules", "How the game is played.", rules, ()))

    def _move(self, kind: MoveKind) -> Command:
        """`/<key> <kind>`, with an option for each part of such a move, and one that names the match."""
        game = self._game

        async def move(interaction: Interaction, match: int | None, leg: int | None = None, **parts: str) -> None:
            await self._moves.enter(interaction, game, kind, match, parts, leg)

        async def complete_part(interaction: Interaction, current: str) -> list[app_commands.Choice[Any]]:
            return await self._moves.complete(interaction, game, kind, current)

        async def complete_match(interaction: Interaction, current: str) -> list[app_commands.Choice[Any]]:
            return await self._directory.live(interaction, current, game.key)

        parts = [part_option(part, complete_part) for part in kind.parts]
        legs = [Option(LEG, Literal[1, 2] | None, LEG_HELP, None)] if has_legs(game) else []
        match = Option("match", int | None, MATCH_HELP, None, complete_match)
        return made(kind.name, kind.help, move, (*parts, *legs, match))

    def _challenge(self) -> Command:
        """`/<key> challenge`, with an option for each of the game's options."""

        async def challenge(interaction: Interaction, **given: Any) -> None:
            await self._challenges.make(interaction, self._game, given)

        help = "Challenge somebody, or open a table for whoever comes."
        return costs(2)(made("challenge", help, challenge, challenge_options(self._game)))


def part_option(part: Part, complete: Completion) -> Option:
    """The option for one part of a move: a text, since Discord's own whole numbers end at 2^53, or some words."""
    default = "" if part.optional else Parameter.empty
    if part.words and part.items is None:
        return Option(part.name, Literal[part.words], part.help, default)
    return Option(part.name, str, part.help, default, complete)


def challenge_options(game: Game) -> list[Option]:
    """The options of a challenge: whom, the game's own, and how it is played."""
    bounds = game.Options.bounds()
    several = {"seats": app_commands.Range[int, game.seats[0], game.seats[-1]]} if len(game.seats) > 1 else {}
    types: dict[str, Any] = {
        **dict.fromkeys(challenges.OPPONENTS[: max(1, game.seats[-1] - 1)], discord.User),
        **({"level": int} if game.seats[-1] > 1 else {}),
        **{name: option_type(one) for name, one in bounds.items()},
        "seat": Literal["me", "opponent", "lot"],
        **several,
        **({"legs": Literal[1, 2]} if has_legs(game) else {}),
        "rated": bool,
        **({"pace": Literal[tuple(PACES)]} if game.seats[-1] > 1 else {}),
    }
    helps = {name: option_help(one) for name, one in bounds.items()} | challenges.HELP
    choices = {"level": challenges.LEVELED}
    return [
        Option(name, Union[kind, None], helps[name], None, choices=choices.get(name, ()))  # noqa: UP007  made at run time
        for name, kind in types.items()
    ]


def option_type(bounds: Bounds) -> Any:
    """The type of a slash option for one of a game's options."""
    if bounds.words:
        return Literal[bounds.words]
    if bounds.step != 1 and len(bounds.values) <= SELECT_LIMIT:
        return Literal[tuple(bounds.values)]
    return app_commands.Range[int, bounds.low, bounds.high]


def option_help(bounds: Bounds) -> str:
    """An option's help with its default."""
    return f"{bounds.help}; else {bounds.default}" if bounds.default is not None else bounds.help


def made(name: str, help: str, callback: Callable[..., Awaitable[None]], options: Sequence[Option]) -> Command:
    """A command whose callback is given these options by name."""
    parameters = [_parameter("interaction", discord.Interaction)]
    parameters += [_parameter(f"{option.name}_", option.type, option.default) for option in options]

    async def called(interaction: Interaction, **given: Any) -> None:
        await callback(interaction, **{name.removesuffix("_"): value for name, value in given.items()})

    # A part of a move may be called `from`, which no parameter can be: hence the underscores, and their way back.
    called.__signature__ = Signature(parameters)  # pyright: ignore[reportFunctionMemberAccess]  -- read by `inspect`
    app_commands.describe(**{f"{option.name}_": option.help[:HELP_LIMIT] for option in options})(called)
    app_commands.rename(**{f"{option.name}_": option.name for option in options})(called)
    app_commands.choices(**{f"{option.name}_": [*option.choices] for option in options if option.choices})(called)
    command: Command = app_commands.Command(name=name, description=help[:HELP_LIMIT], callback=called)
    for option in options:
        if option.complete:
            command.autocomplete(f"{option.name}_")(option.complete)
    return command


def _parameter(name: str, type: Any, default: Any = Parameter.empty) -> Parameter:
    return Parameter(name, Parameter.POSITIONAL_OR_KEYWORD, default=default, annotation=type)
