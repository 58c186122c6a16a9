"""`/learn`: a game in a few pictures for the learner alone, step by step, and a move of their own at the end.

Nothing is kept of it: which game and which page stand in the buttons, ``p:learn:<game>-<page>``, so that a lesson goes
on where it was whatever happened meanwhile. The game alone, ``p:learn:<game>``, begins one, from wherever it stands.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import partial
from typing import Any

import discord
from discord import app_commands, ui

from bot.client.interactions.context import Interaction, client_of
from bot.client.interactions.custom_ids import PageId, Tap, TrialId
from bot.client.lobby import challenges, game_picker
from bot.client.runtime.thread_pool import Rank
from bot.client.text import lesson_text
from bot.client.views import views
from bot.client.views.views import Control, Drawing
from bot.core.game.game import Game
from bot.core.game.moves import MoveKind
from bot.core.library.catalogue import lesson as lesson_of
from bot.core.library.catalogue import taught
from bot.core.library.lesson import Lesson
from bot.core.match.loaded_match import Refusal

PAGE = "learn"
LIST = PageId(PAGE)
PICK = "Learn …"
PRIMARY = discord.ButtonStyle.primary
NO_PAGE = "That page is not in the lesson any more: /learn begins it anew."
NUMBERED = re.compile("([a-z-]+)-([1-9][0-9]?)")
"""What a button in a lesson is about: a game's key, and a page."""

Shown = tuple[ui.LayoutView, list[discord.File]]


def page_id(game: Game, number: int) -> PageId:
    """What leads to a page of a lesson, counted from 1."""
    return PageId(PAGE, f"{game.key}-{number}")


async def offer(interaction: Interaction) -> None:
    """Show what can be learned, to the asker alone."""
    select = Control(LIST, PICK, options=game_picker.options(tuple(taught().values())))
    view = views.framed(views.ACCENTS[0], ui.TextDisplay(lesson_text.CHOOSE), views.row_of(select))
    await interaction.response.send_message(view=view, ephemeral=True)


async def begin(interaction: Interaction, name: str) -> None:
    """Show the first page of a game's lesson, in a message of its own."""
    view, files = await page(interaction, challenges.named_game(name), 1)
    await interaction.response.send_message(view=view, files=files, ephemeral=True)


async def pressed(interaction: Interaction, about: str) -> None:
    """Turn to a page, begin the lesson of a game, or of the one that was chosen in the list."""
    turned = NUMBERED.fullmatch(about)
    if turned is None and about:
        return await begin(interaction, about)
    name, number = (turned[1], int(turned[2])) if turned else (chosen(interaction), 1)
    await answer(interaction, *await page(interaction, challenges.named_game(name), number))
    return None


async def answer(interaction: Interaction, view: ui.LayoutView, files: list[discord.File], same: bool = False) -> None:
    """Show a page in place of the one before, `same` where its pictures stand there already; on a message that others
    see too, as one of the learner's own."""
    if not (interaction.message and interaction.message.flags.ephemeral):
        await interaction.response.send_message(view=view, files=files, ephemeral=True)
    elif same:
        await interaction.response.edit_message(view=view)
    else:
        await interaction.response.edit_message(view=view, attachments=files)


def game_choices(current: str) -> list[app_commands.Choice[str]]:
    """The games of which there is a lesson, by what has been typed of their name."""
    return [choice for choice in challenges.game_choices(current) if choice.value in taught()]


def chosen(interaction: Interaction) -> str:
    """The game that was chosen in the list."""
    data: Mapping[str, Any] = interaction.data or {}  # pyright: ignore[reportAssignmentType]  -- a TypedDict
    return str(next(iter(data.get("values") or ()), ""))


async def found(interaction: Interaction, game: Game) -> Lesson:
    """The lesson of a game, or a refusal where there is none."""
    lesson = await client_of(interaction).renderer.run(partial(lesson_of, game), Rank.LOOK)
    if lesson is None:
        raise Refusal(f"There is no lesson of {game.title} yet: /{game.key} rules tells how it is played.")
    return lesson


async def page(interaction: Interaction, game: Game, number: int) -> Shown:
    """A page of a game's lesson with its picture; the last is the trial."""
    lesson = await found(interaction, game)
    if number > lesson.length:
        raise Refusal(NO_PAGE)
    last = number == lesson.length
    position = lesson.trial.seen if last else lesson.shown(number)
    picture = lesson.trial.picture if last else lesson.steps[number - 1].picture
    drawing = one_of(await client_of(interaction).renderer.draw(game, position, Rank.LOOK), picture)
    return laid_out(lesson, number, drawing, str(position)), drawing.files(str(position))


def one_of(drawing: Drawing, number: int) -> Drawing:
    """One of the pictures of a position alone: a page holds one idea."""
    at = slice(number - 1, number)
    return Drawing(drawing.pictures[at], drawing.pngs[at])


def laid_out(lesson: Lesson, number: int, drawing: Drawing, board: str) -> ui.LayoutView:
    """A page of a lesson: what it says, its picture, what that rests on, and the ways on and back."""
    last = number == lesson.length
    text = lesson_text.trial(lesson) if last else lesson_text.step(lesson, number)
    proof = "" if last else lesson_text.proof(lesson, number)
    below = [ui.TextDisplay[Any](proof)] if proof else []
    head = ui.TextDisplay[Any](text)
    return views.framed(
        views.ACCENTS[lesson.trial.seat - 1 if last else 0],
        head,
        *views.galleries(drawing.pictures, board),
        *below,
        views.row_of(*turning(lesson, number)),
    )


def turning(lesson: Lesson, number: int) -> list[Control]:
    """The buttons under a page."""
    back = [Control(page_id(lesson.game, number - 1), "Back")] if number > 1 else []
    if number == lesson.length:
        return [*back, *(move_button(lesson.game, kind) for kind in kinds(lesson))]
    label = "Your turn" if number == lesson.length - 1 else "Next"
    return [*back, Control(page_id(lesson.game, number + 1), label, PRIMARY)]


def kinds(lesson: Lesson) -> list[MoveKind]:
    """The kinds of move that can be made in the trial."""
    return [kind for kind in lesson.game.moves if kind.when(lesson.trial.seen, lesson.trial.seat)]


def move_button(game: Game, kind: MoveKind) -> Control:
    """What opens the pad for a move of the trial."""
    return Control(TrialId(game.key, Tap(kind.name, 0, "pick")), kind.name.capitalize(), PRIMARY)
