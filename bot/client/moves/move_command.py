"""Plays moves by command, and suggests moves while somebody types.

A game's own command takes the parts of one kind of move; `/move` takes a whole line of notation, of any kind.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from itertools import islice, zip_longest

from discord import app_commands

from bot.client.interactions.context import Interaction, MatchFinder, user_of
from bot.client.interactions.errors import suggesting
from bot.client.moves.submit_move import SubmitMove
from bot.client.runtime.thread_pool import Rank
from bot.client.views.renderer import Renderer
from bot.core.game import typed
from bot.core.game.game import Game
from bot.core.game.legs import Legs
from bot.core.game.moves import SELECT_LIMIT, MoveKind
from bot.core.game.position import MoveError, Position, Suggestion
from bot.core.match.loaded_match import LoadedMatch, Refusal, Sight
from bot.core.values.plural import together
from bot.core.values.seats import Seat
from bot.core.values.text_lengths import units

Choice = app_commands.Choice
LEG = "leg"
"""The option that names one of two legs."""
CHOICE_LIMIT = 100
"""The longest name or value of an autocompletion; Discord drops the whole list for one that is longer."""


class MoveCommands:
    """Plays the moves of slash commands and suggests what can be played."""

    def __init__(self, finder: MatchFinder, submit: SubmitMove, renderer: Renderer) -> None:
        self._finder = finder
        self._submit = submit
        self._renderer = renderer

    async def enter(
        self, interaction: Interaction, game: Game, kind: MoveKind, match: str | None, parts: Mapping[str, str],
        leg: int | None = None,
    ) -> None:  # fmt: skip
        """Play a move of some kind, by its parts, in the match that is meant, and of two legs in the one meant."""
        seated = await self._meant(interaction, game, match)
        seat = seated.seat_of(user_of(interaction))
        if seat and seat in seated.turn:
            kind = in_leg(seated.game, Sight.of(seated, seat).position, seat, kind, leg)
            expect_meant(seated.game, Sight.of(seated, seat).position, seat, kind, kind.write(parts))
        await self._submit.entered(interaction, seated, kind, parts)

    async def enter_line(self, interaction: Interaction, line: str, match: str | None) -> None:
        """Play a move that is written as a line, in the match that is meant."""
        seated = await self._meant(interaction, None, match)
        seat = seated.seat_of(user_of(interaction))
        found = kind_of_line(seated, seat, line) if seat and seat in seated.turn else None
        if found:
            kind, values = found
            values = {part.name: values.get(part.name, "") for part in kind.parts}
            await self._submit.entered(interaction, seated, kind, values)
        else:
            await self._submit.played(interaction, seated, line)

    @suggesting
    async def complete(
        self, interaction: Interaction, game: Game, kind: MoveKind, part: str, current: str
    ) -> list[Choice[str]]:
        """Suggest values for a part of a move, after those that were given for other parts."""
        space = interaction.namespace
        found = await self._to_move(interaction, game)
        if found is None:
            return []
        table, position, seat = found
        with suppress(Refusal):
            kind = in_leg(table, position, seat, kind, getattr(space, LEG, None))
        if table.once and not kind.once or not kind.when(position, seat):
            return []
        values = {name: str(value) for name, value in (*space, (part, current))}
        begun = typed.begun(kind.prefix(values, part))
        return await self._renderer.run(lambda: choices(kind, part, position.suggest(seat, begun)), Rank.TYPING)

    @suggesting
    async def complete_line(self, interaction: Interaction, current: str) -> list[Choice[str]]:
        """Suggest whole moves that begin with what has been typed, of every kind that can be made now."""
        found = await self._to_move(interaction, None)
        if found is None:
            return []
        game, position, seat = found
        begun = typed.begun(current).strip()
        return await self._renderer.run(lambda: offers(lines(game, position, seat, begun)), Rank.TYPING)

    async def _meant(self, interaction: Interaction, game: Game | None, match: str | None) -> LoadedMatch:
        user, key = user_of(interaction), game.key if game else None
        return await self._finder.find(interaction, match, game=key, wanted=lambda row: row.seat_of(user) in row.turn)

    async def _to_move(self, interaction: Interaction, game: Game | None) -> tuple[Game, Position, Seat] | None:
        """The game, the position as the asker may see it, and their seat; None where it is not their turn."""
        try:
            seated = await self._meant(interaction, game, getattr(interaction.namespace, "match", None))
        except Refusal:
            return None
        seat = seated.seat_of(user_of(interaction))
        if seat is None or seat not in seated.turn:
            return None
        return seated.game, Sight.of(seated, seat).position, seat


def in_leg(game: Game, position: Position, seat: Seat, kind: MoveKind, leg: int | None) -> MoveKind:
    """The kind of move in the leg that is named, or in the only one that waits for the seat; else a refusal."""
    if not isinstance(position, Legs):
        return kind
    waiting = position.waiting(seat)
    if leg is None and len(waiting) != 1:
        raise Refusal("Both legs are waiting for you. Add leg:1 or leg:2 to say which one you mean.")
    return next(one for one in game.moves if one.once == kind and one.leg == (leg or waiting[0]))


def expect_meant(game: Game, position: Position, seat: Seat, kind: MoveKind, text: str) -> None:
    """Refuse a move of a kind that cannot be made now if it would be read as a move of another kind."""
    if kind.when(position, seat):
        return
    able = [other for other in game.moves if other.when(position, seat) and other.parse(text) is not None]
    if others := [(other.once or other).name for other in able]:
        now = together((f"/{game.key} {name}" for name in others), " or ")
        this = f"/{game.key} {(kind.once or kind).name}"
        raise Refusal(f"{this} doesn't fit this part of the match, so nothing was played. Use {now}.")


def kind_of_line(seated: LoadedMatch, seat: Seat, text: str) -> tuple[MoveKind, dict[str, str]] | None:
    """The kind of move that a line is written in, of those that can be made now, and its parts; None for none."""
    position = Sight.of(seated, seat).position
    kinds = [kind for kind in seated.game.moves if kind.when(position, seat)]
    try:
        line = typed.read(seated.game, position, seat, text)
    except MoveError:
        line = text
    parsed = ((kind, kind.parse(line)) for kind in kinds)
    return next(((kind, values) for kind, values in parsed if values is not None), None)


def choices(kind: MoveKind, part: str, suggestions: Iterable[Suggestion]) -> list[Choice[str]]:
    """Distinct values of one part from suggested moves, as many as Discord shows."""
    return offers(Suggestion((kind.parse(move) or {}).get(part, ""), note) for move, note in suggestions)


def lines(game: Game, position: Position, seat: Seat, typed: str) -> Iterator[Suggestion]:
    """Moves of every kind that can be made, one of each kind in turn, so that none is crowded out."""
    able = [kind for kind in game.moves if kind.when(position, seat)]
    heads = [kind.pattern.partition("{")[0] for kind in able]
    begun = [typed, *(head for head in heads if head.startswith(typed) and head != typed)]
    sources = [islice(position.suggest(seat, text), SELECT_LIMIT) for text in begun]
    bare = (Suggestion(kind.pattern) for kind in able if not kind.parts and kind.pattern.startswith(typed))
    for row in zip_longest(bare, *sources):
        yield from (suggestion for suggestion in row if suggestion is not None)


def offers(suggestions: Iterable[Suggestion]) -> list[Choice[str]]:
    """Distinct suggestions with their notes, as many as Discord shows and none that is too long for it."""
    found: dict[str, str] = {}
    for value, note in suggestions:
        if value and units(value) <= CHOICE_LIMIT:
            noted = f"{value} ({note})" if note else value
            found.setdefault(value, noted if units(noted) <= CHOICE_LIMIT else value)
        if len(found) == SELECT_LIMIT:
            break
    return [Choice(name=name, value=value) for value, name in found.items()]
