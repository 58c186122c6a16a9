"""The last page of a lesson: the learner makes one move on a pad and is told what it did.

The line that has been chosen stands in the message, as on every pad, and the position in the lesson's file: nothing is
kept, nobody else sees it, and no match knows of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from discord import ui

from bot.client.interactions.context import Interaction, client_of
from bot.client.interactions.custom_ids import PageId, Tap, TrialId
from bot.client.lobby import challenges
from bot.client.moves import pad_actions
from bot.client.runtime.thread_pool import Rank
from bot.client.study import lesson_viewer
from bot.client.text import lesson_text
from bot.client.views import pad_view, views
from bot.client.views.views import Control
from bot.core.entry import pads as lines
from bot.core.entry.pads import Half, Keyboard
from bot.core.game.moves import MoveKind
from bot.core.library.lesson import Lesson
from bot.core.match.loaded_match import Refusal

LEADS_NOWHERE = "That button leads nowhere any more: /learn begins the lesson anew."
PLAY = "pick"
"""The page with the ways into a match of a game."""


async def tapped(interaction: Interaction, button: TrialId) -> None:
    """A button of a lesson's pad, or the one that opens it."""
    lesson = await lesson_viewer.found(interaction, challenges.named_game(button.game))
    kind, tap = expect_kind(lesson, button.tap.kind), button.tap
    half = pad_view.read(kind, interaction.message.components) if interaction.message else None
    position, seat = lesson.trial.seen, lesson.trial.seat
    if not kind.parts:
        await tell(interaction, lesson, kind.write({}))
    elif half is None:
        work = partial(lines.begun, position, seat, kind)
        await show(interaction, lesson, await client_of(interaction).renderer.run(work, Rank.LOOK))
    elif tap.does == "play" and half.whole and tap.step == pad_view.step(half):
        await tell(interaction, lesson, half.line)
    else:
        change = pad_actions.CHANGES.get(tap.does) if tap.step == pad_view.step(half) else None
        work = partial(change, position, seat, half, tap.key) if change else lambda: half
        after = await client_of(interaction).renderer.run(work, Rank.LOOK)
        leaf = int(tap.key) if tap.does == "page" and tap.key.isdecimal() else 0
        await show(interaction, lesson, after, half, leaf)


def expect_kind(lesson: Lesson, name: str) -> MoveKind:
    """The kind of move with a name, if one can be made in the trial."""
    kind = next((kind for kind in lesson_viewer.kinds(lesson) if kind.name == name), None)
    if kind is None:
        raise Refusal(LEADS_NOWHERE)
    return kind


async def show(interaction: Interaction, lesson: Lesson, half: Half, before: Half | None = None, leaf: int = 0) -> None:
    """Show the pad; with the pictures that stand there already, where nothing else is marked on them."""
    seen, seat, renderer = lesson.trial.seen, lesson.trial.seat, client_of(interaction).renderer
    keyboard = await renderer.run(partial(lines.keyboard, seen, seat, half), Rank.LOOK)
    drawing = await renderer.sketch(lesson.game, seen, seat, pad_actions.marked(half))
    same = before is not None and pad_actions.marked(before) == pad_actions.marked(half)
    view = laid_out(lesson, half, keyboard, drawing.pictures, leaf)
    await lesson_viewer.answer(interaction, view, drawing.files(str(seen)), same)


def laid_out(
    lesson: Lesson, half: Half, keyboard: Keyboard, pictures: Sequence[views.Told], leaf: int = 0
) -> ui.LayoutView:
    """The pad, with the way back to what was asked."""
    view = pad_view.view(
        half, keyboard, pictures, str(lesson.trial.seen), views.ACCENTS[lesson.trial.seat - 1], partial(tap_id, lesson),
        where=f"{lesson.game.title} · only you see this", page=leaf, form=False,
    )  # fmt: skip
    view.add_item(views.row_of(Control(lesson_viewer.page_id(lesson.game, lesson.length), "What was asked")))
    return view


def tap_id(lesson: Lesson, tap: Tap) -> TrialId:
    """The custom_id of a button of a lesson's pad."""
    return TrialId(lesson.game.key, tap)


async def tell(interaction: Interaction, lesson: Lesson, line: str) -> None:
    """Show the board after the move and what had to follow, and what it did; of the end one picture will do."""
    trial, renderer = lesson.trial, client_of(interaction).renderer
    move = trial.seen.read(trial.seat, line)
    text = await renderer.run(partial(lesson_text.told, lesson, move), Rank.LOOK)
    after = trial.played(move).position.seen_by(trial.seat)
    drawing = await renderer.draw(lesson.game, after, Rank.LOOK)
    drawing = drawing if after.turn else lesson_viewer.one_of(drawing, 1)
    view = views.framed(
        views.ACCENTS[trial.seat - 1],
        ui.TextDisplay[Any](text),
        *views.galleries(drawing.pictures, str(after)),
        views.row_of(*onward(lesson)),
    )
    await lesson_viewer.answer(interaction, view, drawing.files(str(after)))


def onward(lesson: Lesson) -> list[Control]:
    """Where it goes on from the end of a lesson."""
    return [
        Control(PageId(PLAY, lesson.game.key), "Play it", lesson_viewer.PRIMARY),
        Control(lesson_viewer.page_id(lesson.game, lesson.length), "Try again"),
        Control(lesson_viewer.page_id(lesson.game, 1), "From the start"),
    ]
