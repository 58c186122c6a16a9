"""Makes a game's commands from its table: `/<key> challenge` from its options, `/<key> rules`, and one for each of its
kinds of move.

discord.py reads a command's options from the signature of its callback, so the signatures are made from the table.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Coroutine, Sequence
from dataclasses import dataclass
from functools import cache
from inspect import Parameter, Signature
from typing import Any, Literal, TypeVar, Union

import discord
from discord import app_commands

from bot.app.client import GraphPaper
from bot.features.board.directory import MatchDirectory
from bot.features.board.replies import Replies
from bot.features.challenges import service as challenges_service
from bot.features.challenges.service import Challenges
from bot.features.pads.handlers import LEG, MoveCommands
from bot.games.game import Game
from bot.games.legs import has_legs
from bot.games.moves import SELECT_LIMIT, MoveKind, Part
from bot.games.options import Bounds
from bot.platform.checks import MOVES, ROWS, costs
from bot.platform.interactions import Interaction

Command = app_commands.Command[Any, ..., None]
Completion = Callable[["GameCommands", Interaction, str], Coroutine[Any, Any, list[app_commands.Choice[Any]]]]
Function = TypeVar("Function", bound=Callable[..., object])
HELP_LIMIT = 100
"""The longest description of a command or an option (Discord's limit)."""
MATCH_HELP = "The match number or a link to it, if you play several"
LEG_HELP = "In a match with two legs: which leg; normally the one that has waited longest for you"


@dataclass(frozen=True, slots=True)
class Option:
    """An option of a command: its name, the type that discord.py reads, its help, its default if it is optional, and
    what suggests its values or which choices it has."""

    name: str
    type: Any
    help: str
    default: Any = Parameter.empty
    complete: Completion | None = None
    choices: Sequence[app_commands.Choice[Any]] = ()


def game_setup(game: Game) -> Callable[[GraphPaper], Awaitable[None]]:
    """The `setup` of a game's cog: it adds the game's commands to the bot."""

    async def setup(bot: GraphPaper) -> None:
        bot.tree.add_command(
            make_command_class(game)(
                bot.handlers.replies, bot.handlers.challenges, bot.handlers.move_commands, bot.handlers.directory
            )
        )

    return setup


class GameCommands(app_commands.Group):
    """All commands of one game, under its key: each game has its own subclass, and each bot an instance of that."""

    game: Game

    def __init__(
        self, replies: Replies, challenges: Challenges, moves: MoveCommands, directory: MatchDirectory
    ) -> None:
        super().__init__(name=self.game.key, description=self.game.goal)
        self.replies = replies
        self.challenges = challenges
        self.moves = moves
        self.directory = directory

    async def complete_match(self, interaction: Interaction, current: str) -> list[app_commands.Choice[Any]]:
        """Suggest the user's running matches of the game."""
        return await self.directory.suggest_live(interaction, current, self.game.key)


@cache
def make_command_class(game: Game) -> type[GameCommands]:
    """The class of a game's commands, made once: building it takes a while, and every bot in the process uses it."""
    commands = (rules_command(), *(move_command(game, kind) for kind in game.moves), challenge_command(game))
    return type(GameCommands.__name__, (GameCommands,), {"game": game} | {f"/{one.name}": one for one in commands})


def rules_command() -> Command:
    """`/<key> rules`, shown to the user alone."""

    async def rules(own: GameCommands, interaction: Interaction) -> None:
        await own.replies.show_rules(interaction, own.game)

    return costs(2, looks=True)(make_command("rules", "See how the game is played.", rules, ()))


def move_command(game: Game, kind: MoveKind) -> Command:
    """`/<key> <kind>`, with an option for each part of such a move, and one for the match."""

    async def move(
        own: GameCommands, interaction: Interaction, match: str | None, leg: int | None = None, **parts: str
    ) -> None:
        await own.moves.enter(interaction, game, kind, match, parts, leg)

    def make_completion(part: str) -> Completion:
        async def complete(own: GameCommands, interaction: Interaction, current: str) -> list[app_commands.Choice[Any]]:
            return await own.moves.complete(interaction, game, kind, part, current)

        return as_group_method(complete)

    parts = [part_option(part, make_completion(part.name)) for part in kind.parts]
    legs = [Option(LEG, Literal[1, 2] | None, LEG_HELP, None)] if has_legs(game) else []
    match = Option("match", str | None, MATCH_HELP, None, GameCommands.complete_match)
    command = make_command(kind.name, kind.help, move, (*parts, *legs, match))
    command.extras[MOVES] = {part.name for part in kind.parts}
    command.extras[ROWS] = {part.name for part in kind.parts if part.kind == "text"}
    return command


def challenge_command(game: Game) -> Command:
    """`/<key> challenge`, with an option for each of the game's options."""

    async def challenge(own: GameCommands, interaction: Interaction, **given: Any) -> None:
        await own.challenges.make(interaction, game, given)

    help = "Challenge somebody, or open a table that anybody can join."
    return costs(2)(make_command("challenge", help, challenge, challenge_options(game)))


def part_option(part: Part, complete: Completion) -> Option:
    """The option for one part of a move: a text, since Discord's integers end at 2^53, or some choices."""
    default = "" if part.optional else Parameter.empty
    if part.words and part.items is None:
        choices = [app_commands.Choice(name=part.name_word(word), value=word) for word in part.words]
        return Option(part.name, str, part.help, default, choices=choices)
    return Option(part.name, str, part.help, default, complete)


def challenge_options(game: Game) -> list[Option]:
    """The options of a challenge: the opponent, the game's own, and how it is played."""
    bounds = game.Options.bounds()
    several = {"seats": app_commands.Range[int, game.seats[0], game.seats[-1]]} if len(game.seats) > 1 else {}
    types: dict[str, Any] = {
        **dict.fromkeys(challenges_service.OPPONENTS[: max(1, game.seats[-1] - 1)], discord.User),
        **({"level": int} if game.seats[-1] > 1 else {}),
        **{name: option_type(one) for name, one in bounds.items()},
        "seat": Literal["me", "opponent", "lot"],
        **several,
        **({"fewer": bool} if game.seats[-1] > 2 else {}),
        **({"legs": Literal[1, 2]} if has_legs(game) else {}),
        "rated": bool,
        **({"pace": str} if game.seats[-1] > 1 else {}),
    }
    helps = {name: option_help(one) for name, one in bounds.items()} | challenges_service.HELP
    choices: dict[str, Sequence[app_commands.Choice[Any]]] = {
        "level": challenges_service.LEVELED,
        "pace": challenges_service.PACED,
    }
    return [
        Option(name, Union[kind, None], helps[name], None, choices=choices.get(name, ()))  # noqa: UP007  made at run time
        for name, kind in types.items()
    ]


def option_type(bounds: Bounds) -> Any:
    if bounds.words:
        return Literal[bounds.words]
    if bounds.step != 1 and len(bounds.values) <= SELECT_LIMIT:
        return Literal[tuple(bounds.values)]
    return app_commands.Range[int, bounds.low, bounds.high]


def option_help(bounds: Bounds) -> str:
    return f"{bounds.help}; normally {bounds.default}" if bounds.default is not None else bounds.help


def make_command(name: str, help: str, callback: Callable[..., Awaitable[None]], options: Sequence[Option]) -> Command:
    """A command whose callback gets these options by name."""
    parameters = [_parameter("own", GameCommands), _parameter("interaction", discord.Interaction)]
    parameters += [_parameter(f"{option.name}_", option.type, option.default) for option in options]

    async def call(own: GameCommands, interaction: Interaction, **given: Any) -> None:
        await callback(own, interaction, **{name.removesuffix("_"): value for name, value in given.items()})

    # A part of a move may be called `from`, a keyword in Python: hence the underscores, stripped on the way back.
    call.__signature__ = Signature(parameters)  # pyright: ignore[reportFunctionMemberAccess]  -- read by `inspect`
    app_commands.describe(**{f"{option.name}_": option.help[:HELP_LIMIT] for option in options})(call)
    app_commands.rename(**{f"{option.name}_": option.name for option in options})(call)
    app_commands.choices(**{f"{option.name}_": [*option.choices] for option in options if option.choices})(call)
    command: Command = app_commands.Command(name=name, description=help[:HELP_LIMIT], callback=as_group_method(call))
    for option in options:
        if option.complete:
            command.autocomplete(f"{option.name}_")(option.complete)
    return command


def as_group_method(function: Function) -> Function:
    """Make discord.py treat a function as a method of a game's commands: it goes by the qualified name."""
    function.__qualname__ = f"{GameCommands.__name__}.{function.__name__}"
    return function


def _parameter(name: str, type: Any, default: Any = Parameter.empty) -> Parameter:
    return Parameter(name, Parameter.POSITIONAL_OR_KEYWORD, default=default, annotation=type)
