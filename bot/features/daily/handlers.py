"""The daily puzzle as one user sees it: the position, the pad, the verdicts on tries, and statistics.

A button holds the day, and of a puzzle that is practised the tries left; those of today's are in the store. So it goes
on after a restart, and a button of an earlier day is never taken for one of today.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import partial
from typing import Annotated, Any, Literal, NamedTuple

import discord
from discord import ui

from bot.engine.levels import Thought
from bot.features.board.match_pictures import Renderer
from bot.features.challenges import onboarding
from bot.features.computer.service import EnginePool
from bot.features.daily import service, words
from bot.features.daily.service import PuzzleVerdict
from bot.features.pads.pad_loop import Pads, PadUse, Shown, list_choices, turn_page
from bot.features.study.posts import defer_answer, ignore_late_answer
from bot.games.catalogue import load_games
from bot.games.game import Game
from bot.games.position import Position, Seat
from bot.platform import edits
from bot.platform import ui as platform_ui
from bot.platform.checks import Price
from bot.platform.custom_ids import CustomId, Tap
from bot.platform.edits import REPLY
from bot.platform.interactions import Interaction, find_guild, is_outside, user_of, values_of
from bot.platform.jobs import Asker, JobPriority, Rank
from bot.platform.members import MemberCache, exclude_departed, fetch_departed, find_visible_channels
from bot.platform.routes import on, price_by_tap
from bot.platform.ui import Control, GameButton
from bot.play import puzzles
from bot.play.ids import NOWHERE, GuildId, UserId
from bot.play.loaded_match import Refusal
from bot.play.partial_moves import PartialMove
from bot.play.puzzles import MOST_TRIES, Day, Puzzle
from bot.play.ratings import BestResult
from bot.play.record import Move
from bot.umpire.umpire import Umpire
from data.store import Reader

SHOWN_PAST = 25
LEADS_NOWHERE = "This button is out of date. /daily has today's puzzle."
SWITCHED_OFF = "The computer is switched off here, so I can't check your move."
TOO_EARLY = "There are no past puzzles yet."
PICK = "Which puzzle?"
PRIMARY = discord.ButtonStyle.primary


DayNumber = Annotated[Day, "[0-9]{1,7}"]


class PuzzleButton(CustomId, template="p:daily:{day}[-{left}]"):
    """Opens the pad of a day's puzzle, with the tries left where it is practised."""

    day: DayNumber
    left: Annotated[int, "[1-3]"] = 0


class PuzzlesButton(CustomId, template="p:daily:{verb}"):
    """Shows the user's statistics or the past puzzles, and is the select of those."""

    verb: Literal["stats", "past"]


class DailyId(CustomId, template="d:{day}:{left}:{tap}"):
    """A button of the pad, with the tries left where the puzzle is practised, or 0 where the store counts them."""

    day: DayNumber
    left: Annotated[int, "[0-3]"]
    tap: Tap


class DailyViewer:
    def __init__(self, umpire: Umpire, engine_pool: EnginePool, members: MemberCache, renderer: Renderer) -> None:
        self._umpire = umpire
        self._store = umpire.store
        self._engine_pool = engine_pool
        self._members = members
        self._renderer = renderer
        self._pads = Pads(renderer)

    async def show(self, interaction: Interaction) -> None:
        """Show today's puzzle in an ephemeral message."""
        about = place_of(interaction), user_of(interaction)
        day = await self._store.ask(service.find_today, *about, self._umpire.clock())
        tries = await self._store.ask(service.list_tries_of_day, user_of(interaction), day)
        puzzle = await self._load_puzzle(day)
        left = words.RESULT_IS_THERE if service.is_done(tries) else words.describe_tries(tries)
        seen = find_visible_channels(None if is_outside(interaction) else interaction.guild, interaction.user)
        alone = await self._store.ask(load_solo_board, place_of(interaction), day, seen)
        gone = await fetch_departed(self._members, place_of(interaction), alone.people, REPLY)
        said = [f"{left}\n{words.PRIVATE}", *alone.describe(gone)]
        view, files = await build_day_view(self._renderer, day, puzzle, said, private=True)
        await edits.answer_anew(interaction, view, files)

    async def show_stats(self, interaction: Interaction) -> None:
        about = place_of(interaction), user_of(interaction), self._umpire.clock()
        text = words.describe_stats(await self._store.ask(service.career_of, *about))
        await edits.answer_anew(interaction, platform_ui.build_notice(text))

    async def show_past(self, interaction: Interaction) -> None:
        """Show a select of the last puzzles whose day is over in all time zones."""
        last = service.find_last_finished_day(self._umpire.clock())
        days = [day for day in range(last, last - SHOWN_PAST, -1) if day >= puzzles.FIRST]
        if not days:
            raise Refusal(TOO_EARLY)
        named = [f"{puzzles.compute_puzzle_number(day)} · {(await self._load_puzzle(day)).game.title}" for day in days]
        options = [discord.SelectOption(label=name, value=str(day)) for name, day in zip(named, days, strict=True)]
        select = Control(PuzzlesButton("past"), PICK, options=options)
        view = platform_ui.frame_view(
            platform_ui.ACCENTS[0], ui.TextDisplay(words.PRACTICE), platform_ui.make_row(select)
        )
        await edits.answer_anew(interaction, view)

    @on(PuzzlesButton, price=Price(2, looks=True))
    async def answer_menu(self, interaction: Interaction, button: PuzzlesButton) -> None:
        """Show statistics or the past puzzles, or open the pad of the one that was chosen."""
        chosen = values_of(interaction)
        if button.verb == "stats":
            return await self.show_stats(interaction)
        if not chosen:
            return await self.show_past(interaction)
        if not (opens := PuzzleButton.parse(f"p:daily:{chosen[0]}")):
            raise Refusal(LEADS_NOWHERE)
        return await self.open_pad(interaction, opens)

    @on(PuzzleButton, price=Price(2, looks=True))
    async def open_pad(self, interaction: Interaction, button: PuzzleButton) -> None:
        """Show the pad; or the ending, to those who are done with today's puzzle."""
        day, asker = button.day, user_of(interaction)
        counts = await self._is_counted(interaction, day)
        if not self._engine_pool.many:
            raise Refusal(SWITCHED_OFF)
        puzzle = await self._load_puzzle(day)
        tries = await self._store.ask(service.list_tries_of_day, asker, day) if counts else ()
        if service.is_done(tries):
            await defer_answer(interaction)
            await self._show_result(interaction, day, puzzle, puzzle.best, 0, counts)
        else:
            use = self._make_use(interaction, day, puzzle, 0 if counts else button.left or MOST_TRIES)
            await turn_page(interaction, *await self._pads.build_page(use))

    @on(DailyId, price=price_by_tap(play=Price(3), other=Price(0.5, looks=True)))
    async def answer_tap(self, interaction: Interaction, button: DailyId) -> None:
        """Answer a button of the pad."""
        counts = await self._is_counted(interaction, button.day)
        puzzle = await self._load_puzzle(button.day)
        left = 0 if counts else button.left or MOST_TRIES
        await self._pads.answer_tap(interaction, self._make_use(interaction, button.day, puzzle, left), button.tap)

    def _make_use(self, interaction: Interaction, day: Day, puzzle: Puzzle, left: int) -> PadUse:
        """The use that tries a move of a day's puzzle, of which nothing is said beforehand; `left`: the tries
        left, or 0 where the store counts them."""
        number = puzzles.compute_puzzle_number(day)
        return PadUse(
            puzzle.game, puzzle.position, list_choices(puzzle.game, puzzle.position, puzzle.seat),
            f"{words.describe_task(puzzle)}\n-# {puzzle.game.title} · puzzle {number} · only you see this",
            partial(DailyId, day, left), LEADS_NOWHERE, partial(self._judge, interaction, day, puzzle, left),
            alt=str(puzzle.position), foresees=False,
        )  # fmt: skip

    async def _judge(
        self, interaction: Interaction, day: Day, puzzle: Puzzle, left: int, _seat: Seat, tried: PartialMove
    ) -> None:  # fmt: skip
        """Store a try of today's puzzle, then show the verdict."""
        move = await self._renderer.run(partial(puzzle.position.read, puzzle.seat, tried.line), Rank.LOOK)
        if not left:
            guild, now = place_of(interaction), self._umpire.clock()
            await self._store.do(service.keep_try, guild, user_of(interaction), day, move, now)
        await defer_answer(interaction)
        await self._show_result(interaction, day, puzzle, move, max(0, left - 1), counts=not left)

    async def _show_result(
        self, interaction: Interaction, day: Day, puzzle: Puzzle, move: str, left: int, counts: bool
    ) -> None:
        """Show the board after a move, the verdict, and either the button for the next try or the proof."""
        asker = user_of(interaction)
        tries = await self._store.ask(service.list_tries_of_day, asker, day) if counts else ()
        done = service.is_done(tries) if counts else not left or move == puzzle.best
        think = partial(self._think, puzzle, Asker(place_of(interaction), asker))
        after = puzzle.position.play(puzzle.seat, move)
        found = service.judge_try(puzzle, move, after, await think(after))
        said = [words.describe_try(puzzle, found)]
        if done:
            said += await self._describe_ending(interaction, day, puzzle, found, counts)
        else:
            said.append(words.format_tries_left(MOST_TRIES - len(tries) if counts else left))
        again = () if done else (Control(PuzzleButton(day, 0 if counts else left), words.AGAIN, PRIMARY),)
        view, files = await build_position_view(
            self._renderer, puzzle, after, words.format_headline(day, puzzle), said, again
        )
        with ignore_late_answer():
            await edits.answer(interaction, view, files)

    async def _describe_ending(
        self, interaction: Interaction, day: Day, puzzle: Puzzle, found: PuzzleVerdict, counts: bool
    ) -> list[str]:
        """The solution, the line that proves it, and of today's puzzle the line to share and the streak."""
        asker, guild = user_of(interaction), place_of(interaction)
        think = partial(self._think, puzzle, Asker(guild, asker))
        line, position = [Move(puzzle.seat, puzzle.best)], puzzle.position.play(puzzle.seat, puzzle.best)
        while thought := await think(position):
            line.append(Move(position.turn[0], thought.move))
            position = position.play(*line[-1])
        solved = [] if found.move == puzzle.best else [words.THE_MOVE.format(solution=words.describe_solution(puzzle))]
        lines = [*solved, words.format_proof(line)]
        if not counts:
            return lines
        tries = await self._store.ask(service.list_tries_of_day, asker, day)
        career = await self._store.ask(service.career_of, guild, asker, self._umpire.clock())
        return [*lines, f"```\n{words.format_share_line(day, puzzle, tries)}\n```{words.describe_streak(career)}"]

    async def _think(self, puzzle: Puzzle, asker: Asker, position: Position) -> Thought | None:
        """The best move in a position that follows; None where the match is over with it."""
        asked = service.make_puzzle_question(puzzle, position)
        return await self._engine_pool.think(asked, JobPriority.HINT, asker) if asked else None

    async def _is_counted(self, interaction: Interaction, day: Day) -> bool:
        about = place_of(interaction), user_of(interaction), day, self._umpire.clock()
        return await self._store.ask(service.expect_open, *about)

    async def _load_puzzle(self, day: Day) -> Puzzle:
        return await self._renderer.run(partial(puzzles.find_puzzle_of_day, day), Rank.LOOK)


def place_of(interaction: Interaction) -> GuildId:
    """The server of an interaction, or `NOWHERE` in direct messages."""
    return find_guild(interaction) or NOWHERE


class SoloBoard(NamedTuple):
    """The game to play alone on a Saturday or Sunday, with the best results; no game on other days."""

    game: Game | None
    options: Mapping[str, Any]
    bests: tuple[BestResult, ...] = ()

    @property
    def people(self) -> list[UserId]:
        """The users of the results, the best first."""
        return [one.user for one in self.bests]

    def describe(self, gone: Collection[UserId]) -> tuple[str, ...]:
        """The line about it, with the best result of a member of the server."""
        mark = next(iter(exclude_departed(self.bests, gone)), None)
        return (words.describe_weekend(self.game, self.options, mark),) if self.game else ()


def load_solo_board(reader: Reader, guild: GuildId, day: Day, seen: Collection[int]) -> SoloBoard:
    """The game to play alone on a day, with results from channels that are `seen`."""
    number = puzzles.find_weekend(day)
    key, options = puzzles.choose_board(number or 0)
    game = load_games().get(key)
    if number is None or game is None:
        return SoloBoard(None, options)
    return SoloBoard(game, options, service.list_best_results(reader, guild, game, options, seen))


async def build_day_view(
    renderer: Renderer, day: Day, puzzle: Puzzle, said: Sequence[str] = (), *, private: bool, before: str = ""
) -> Shown:
    """A day's puzzle, with buttons for its pad and the game's rules, and in private for statistics and past puzzles."""
    buttons = [
        Control(PuzzleButton(day), words.SOLVE, PRIMARY),
        Control(GameButton("rules", puzzle.game.key), words.RULES),
    ]
    if private:
        buttons += [
            Control(PuzzlesButton("stats"), words.STATS),
            Control(PuzzlesButton("past"), words.PAST),
        ]
    if number := puzzles.find_weekend(day):
        buttons.append(Control(onboarding.WeekendButton(number), words.ALONE))
    head = "\n".join(part for part in (before, words.format_headline(day, puzzle), words.describe_task(puzzle)) if part)
    return await build_position_view(renderer, puzzle, puzzle.position, head, said, buttons)


async def build_position_view(
    renderer: Renderer, puzzle: Puzzle, position: Position, head: str, said: Sequence[str], buttons: Sequence[Control]
) -> Shown:
    """A position of a puzzle, with lines above and below it, and buttons."""
    drawing = await renderer.draw(puzzle.game, position, Rank.LOOK)
    below = [ui.TextDisplay[Any]("\n".join(said))] if said else []
    row = [platform_ui.make_row(*buttons)] if buttons else []
    view = platform_ui.frame_view(
        platform_ui.ACCENTS[puzzle.seat - 1],
        ui.TextDisplay[Any](head),
        *platform_ui.make_galleries(drawing.pictures, str(position)),
        *below,
        *row,
    )
    return view, drawing.make_files(str(position))
