"""Lessons: page by page for the learner alone, with a move of their own on a pad at the end.

Nothing is kept. The game and the page stand in the buttons, ``p:learn:<game>-<page>``, and the partial move of the last
page in its message, as on every pad; so a lesson goes on after a restart. ``p:learn:<game>`` begins a lesson.
"""

from __future__ import annotations

from functools import partial
from typing import Annotated, Any

import discord
from discord import app_commands, ui

from bot.features.board.match_pictures import Renderer
from bot.features.challenges import onboarding
from bot.features.challenges import service as challenges_service
from bot.features.pads.pad_loop import Pads, PadUse, Shown, list_choices, turn_page
from bot.features.study import words
from bot.games import reading
from bot.games.catalogue import load_games_with_lesson
from bot.games.game import Game
from bot.games.moves import MoveKind
from bot.games.position import Seat
from bot.platform import edits
from bot.platform import ui as platform_ui
from bot.platform.checks import Price
from bot.platform.custom_ids import CustomId, Tap
from bot.platform.interactions import Interaction, values_of
from bot.platform.jobs import Rank
from bot.platform.routes import on, price_by_tap
from bot.platform.ui import Control, Drawing, GameButton, LessonButton
from bot.play.lessons import Lesson
from bot.play.lessons import load_lesson as lesson_of
from bot.play.loaded_match import Refusal
from bot.play.partial_moves import PartialMove

PICK = "Learn …"
PRIMARY = discord.ButtonStyle.primary
NO_PAGE = "The lesson has changed since then. Use /learn to start it again."
LEADS_NOWHERE = "This button is out of date. Use /learn to start the lesson again."


class TrialId(CustomId, template="t:{game}:{tap}"):
    game: Annotated[str, "[0-9a-z-]{1,40}"]
    tap: Tap


class LessonViewer:
    def __init__(self, renderer: Renderer) -> None:
        self._renderer = renderer
        self._pads = Pads(renderer)

    async def offer(self, interaction: Interaction) -> None:
        """Show the list of games with a lesson."""
        select = Control(
            LessonButton(), PICK, options=onboarding.list_game_options(tuple(load_games_with_lesson().values()))
        )
        view = platform_ui.frame_view(
            platform_ui.ACCENTS[0], ui.TextDisplay(words.CHOOSE), platform_ui.make_row(select)
        )
        await edits.answer_anew(interaction, view)

    async def begin(self, interaction: Interaction, name: str) -> None:
        """Show the first page of a game's lesson, in a message of its own."""
        view, files = await self._build_page(challenges_service.find_game(name), 1)
        await edits.answer_anew(interaction, view, files)

    @on(LessonButton, price=Price(1, looks=True))
    async def answer_button(self, interaction: Interaction, button: LessonButton) -> None:
        """Turn to a page, or begin the lesson of the game that the button names or that was chosen in the list."""
        if button.game and not button.page:
            return await self.begin(interaction, button.game)
        name = button.game or next(iter(values_of(interaction)), "")
        return await turn_page(
            interaction, *await self._build_page(challenges_service.find_game(name), button.page or 1)
        )

    @on(TrialId, price=price_by_tap(play=Price(1, looks=True), other=Price(0.5, looks=True)))
    async def answer_tap(self, interaction: Interaction, button: TrialId) -> None:
        """Answer a button of the pad on the last page, or the one that opens it."""
        lesson = await self._expect_lesson(challenges_service.find_game(button.game))
        await self._pads.answer_tap(interaction, self._make_use(interaction, lesson), button.tap)

    def _make_use(self, interaction: Interaction, lesson: Lesson) -> PadUse:
        """The use that makes the learner's own move, with the way back to what was asked."""
        seen, asked = lesson.trial.visible_position, LessonButton(lesson.game.key, lesson.page_count)
        return PadUse(
            lesson.game, seen, list_choices(lesson.game, seen, lesson.trial.seat), lesson.game.title,
            partial(TrialId, lesson.game.key), LEADS_NOWHERE, partial(self._show_result, interaction, lesson),
            alt=str(seen), last_row=(Control(asked, "What was asked"),),
        )  # fmt: skip

    async def _expect_lesson(self, game: Game) -> Lesson:
        """The lesson of a game, or a refusal where there is none."""
        lesson = await self._renderer.run(partial(lesson_of, game), Rank.LOOK)
        if lesson is None:
            raise Refusal(f"There is no {game.title} lesson yet. /{game.key} rules shows how it is played.")
        return lesson

    async def _build_page(self, game: Game, number: int) -> Shown:
        """A page of a game's lesson with its picture; on the last the learner makes a move."""
        lesson = await self._expect_lesson(game)
        if number > lesson.page_count:
            raise Refusal(NO_PAGE)
        last = number == lesson.page_count
        position = lesson.trial.visible_position if last else lesson.get_position(number)
        picture = lesson.trial.picture if last else lesson.steps[number - 1].picture
        drawing = (await self._renderer.draw(game, position, Rank.LOOK)).pick_one(picture)
        return build_page_view(lesson, number, drawing, str(position)), drawing.make_files(str(position))

    async def _show_result(self, interaction: Interaction, lesson: Lesson, _seat: Seat, made: PartialMove) -> None:
        """Show the board after the learner's move and what had to follow, with what it did."""
        trial = lesson.trial
        move = reading.read_move(lesson.game, trial.visible_position, trial.seat, made.line)
        text = await self._renderer.run(partial(words.describe_own_move, lesson, move), Rank.LOOK)
        after = trial.play_move(move).position.seen_by(trial.seat)
        drawing = await self._renderer.draw(lesson.game, after, Rank.LOOK)
        drawing = drawing if after.turn else drawing.pick_one(1)
        view = platform_ui.frame_view(
            platform_ui.ACCENTS[trial.seat - 1],
            ui.TextDisplay[Any](text),
            *platform_ui.make_galleries(drawing.pictures, str(after)),
            platform_ui.make_row(*make_final_buttons(lesson)),
        )
        await turn_page(interaction, view, drawing.make_files(str(after)))


def suggest_lessons(current: str) -> list[app_commands.Choice[str]]:
    """The games with a lesson whose names begin as typed."""
    return [choice for choice in challenges_service.suggest_games(current) if choice.value in load_games_with_lesson()]


def build_page_view(lesson: Lesson, number: int, drawing: Drawing, board: str) -> ui.LayoutView:
    """A page of a lesson: its text, its picture, the lines that prove the text, and buttons."""
    last = number == lesson.page_count
    text = words.describe_exercise(lesson) if last else words.describe_step(lesson, number)
    proof = "" if last else words.format_proof(lesson, number)
    below = [ui.TextDisplay[Any](proof)] if proof else []
    head = ui.TextDisplay[Any](text)
    return platform_ui.frame_view(
        platform_ui.ACCENTS[lesson.trial.seat - 1 if last else 0],
        head,
        *platform_ui.make_galleries(drawing.pictures, board),
        *below,
        platform_ui.make_row(*make_page_buttons(lesson, number)),
    )


def make_page_buttons(lesson: Lesson, number: int) -> list[Control]:
    back = [Control(LessonButton(lesson.game.key, number - 1), "Back")] if number > 1 else []
    if number == lesson.page_count:
        able = list_choices(lesson.game, lesson.trial.visible_position, lesson.trial.seat)
        return [*back, *(make_move_button(lesson, kind) for _, kind in able)]
    label = "Your turn" if number == lesson.page_count - 1 else "Next"
    return [*back, Control(LessonButton(lesson.game.key, number + 1), label, PRIMARY)]


def make_move_button(lesson: Lesson, kind: MoveKind) -> Control:
    """The button that opens the pad for the learner's own move."""
    return Control(TrialId(lesson.game.key, Tap(kind.name, 0, "pick")), kind.name.capitalize(), PRIMARY)


def make_final_buttons(lesson: Lesson) -> list[Control]:
    return [
        Control(GameButton("pick", lesson.game.key), "Play it", PRIMARY),
        Control(LessonButton(lesson.game.key, lesson.page_count), "Try again"),
        Control(LessonButton(lesson.game.key, 1), "From the start"),
    ]
