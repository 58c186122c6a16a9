"""Shows the daily puzzle to one person: the position, the pad on which it is solved, what tries come to, and figures.

A button holds the day, and of a puzzle that is practised how many tries are left; the tries of today stand in the
store. So it goes on after a restart, and a button of an earlier day is never taken for one of today.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import partial
from typing import Annotated, Any, Literal, NamedTuple

import discord
from discord import ui

from bot.client.background.engine_pool import EnginePool
from bot.client.interactions.context import Interaction, guild_of, is_ephemeral, user_of, values_of
from bot.client.interactions.custom_ids import CustomId, Tap
from bot.client.interactions.rate_limit import Price
from bot.client.interactions.routes import by_tap, on
from bot.client.lobby import onboarding
from bot.client.moves.trial_pad import Shown, Trial, TrialPad, turn_page
from bot.client.people.audience import seen_by
from bot.client.people.members import Members
from bot.client.people.remaining import absent, remaining
from bot.client.runtime.fair_queue import Asker, Order
from bot.client.runtime.thread_pool import Rank
from bot.client.solving import daily_text
from bot.client.study.public_posts import forgotten
from bot.client.views import edits, views
from bot.client.views.naming import REPLY
from bot.client.views.renderer import Renderer
from bot.client.views.views import Control, GameButton
from bot.core.game.game import Game
from bot.core.game.position import Position
from bot.core.library.catalogue import games
from bot.core.match.loaded_match import Refusal
from bot.core.match.record import Move
from bot.core.puzzle import puzzles, weekend
from bot.core.puzzle.puzzles import Day, Puzzle
from bot.core.puzzle.streaks import MOST_TRIES
from bot.core.rating.stored_standings import Best
from bot.core.values.ids import GuildId, UserId
from bot.search.thoughts import Thought
from bot.service.daily import posting, puzzle_tries
from bot.service.daily.puzzle_tries import Verdict
from bot.service.umpire.umpire import Umpire
from data.store import Reader

SHOWN_PAST = 25
LEADS_NOWHERE = "This button is out of date. /daily has today's puzzle."
SWITCHED_OFF = "The computer is switched off here, so I can't check your move."
TOO_EARLY = "There are no past puzzles yet."
PICK = "Which puzzle?"
PRIMARY = discord.ButtonStyle.primary


DayNumber = Annotated[Day, "[0-9]{1,7}"]


class PuzzleButton(CustomId, template="p:daily:{day}[-{left}]"):
    """Opens the pad of a day's puzzle, with so many tries left where it is practised."""

    day: DayNumber
    left: Annotated[int, "[1-3]"] = 0


class PuzzlesButton(CustomId, template="p:daily:{verb}"):
    """Shows how somebody has done, or the past puzzles, and is the select of those."""

    verb: Literal["stats", "past"]


class DailyId(CustomId, template="d:{day}:{left}:{tap}"):
    """A button of the pad, with the tries left where the puzzle is practised, or 0 where the store counts them."""

    day: DayNumber
    left: Annotated[int, "[0-3]"]
    tap: Tap


class DailyViewer:
    """Answers `/daily` and the buttons of puzzles."""

    def __init__(self, umpire: Umpire, engine_pool: EnginePool, members: Members, renderer: Renderer) -> None:
        self._umpire = umpire
        self._store = umpire.store
        self._engine_pool = engine_pool
        self._members = members
        self._renderer = renderer
        self._pad = TrialPad(renderer)

    async def show(self, interaction: Interaction) -> None:
        """Show today's puzzle to the asker alone."""
        day = await self._store.ask(puzzle_tries.today, guild_of(interaction), self._umpire.clock())
        tries = await self._store.ask(puzzle_tries.of_day, user_of(interaction), day)
        puzzle = await self._puzzle(day)
        left = daily_text.RESULT_IS_THERE if puzzle_tries.is_done(tries) else daily_text.tries_left(tries)
        seen = seen_by(interaction.guild, interaction.user)
        alone = await self._store.ask(alone_at, guild_of(interaction), day, seen)
        gone = await absent(self._members, guild_of(interaction), alone.people, REPLY)
        said = [f"{left}\n{daily_text.PRIVATE}", *alone.told(gone)]
        view, files = await face(self._renderer, day, puzzle, said, private=True)
        await edits.answer_anew(interaction, view, files)

    async def stats(self, interaction: Interaction) -> None:
        """Show how the asker has done, to them alone."""
        about = guild_of(interaction), user_of(interaction), self._umpire.clock()
        text = daily_text.stats(await self._store.ask(puzzle_tries.career_of, *about))
        await edits.answer_anew(interaction, views.notice(text))

    async def past(self, interaction: Interaction) -> None:
        """Offer the last puzzles whose day is over everywhere."""
        last = puzzle_tries.last_over(self._umpire.clock())
        days = [day for day in range(last, last - SHOWN_PAST, -1) if day >= puzzles.FIRST]
        if not days:
            raise Refusal(TOO_EARLY)
        named = [f"{puzzles.number(day)} · {(await self._puzzle(day)).game.title}" for day in days]
        options = [discord.SelectOption(label=name, value=str(day)) for name, day in zip(named, days, strict=True)]
        select = Control(PuzzlesButton("past"), PICK, options=options)
        view = views.framed(views.ACCENTS[0], ui.TextDisplay(daily_text.PRACTICE), views.row_of(select))
        await edits.answer_anew(interaction, view)

    @on(PuzzlesButton, price=Price(2, looks=True))
    async def chosen(self, interaction: Interaction, button: PuzzlesButton) -> None:
        """Show figures or the list of past puzzles, or open the pad of the one that was chosen in it."""
        chosen = values_of(interaction)
        if button.verb == "stats":
            return await self.stats(interaction)
        if not chosen:
            return await self.past(interaction)
        if not (opens := PuzzleButton.parse(f"p:daily:{chosen[0]}")):
            raise Refusal(LEADS_NOWHERE)
        return await self.opened(interaction, opens)

    @on(PuzzleButton, price=Price(2, looks=True))
    async def opened(self, interaction: Interaction, button: PuzzleButton) -> None:
        """Open the pad of a day's puzzle."""
        await self._open(interaction, button.day, button.left or MOST_TRIES)

    @on(DailyId, price=by_tap(play=Price(3), other=Price(0.5, looks=True)))
    async def tapped(self, interaction: Interaction, button: DailyId) -> None:
        """Answer a button of the pad."""
        counts = await self._counts(interaction, button.day)
        puzzle = await self._puzzle(button.day)
        left = 0 if counts else button.left or MOST_TRIES
        line = await self._pad.tapped(interaction, trial(button.day, puzzle, left), button.tap)
        if line is not None:
            await self._judge(interaction, button.day, puzzle, line, left)

    async def _open(self, interaction: Interaction, day: Day, left: int) -> None:
        """Show the pad; or how it ended, to those who are done with today's."""
        counts, asker = await self._counts(interaction, day), user_of(interaction)
        if not self._engine_pool.many:
            raise Refusal(SWITCHED_OFF)
        puzzle = await self._puzzle(day)
        tries = await self._store.ask(puzzle_tries.of_day, asker, day) if counts else ()
        if puzzle_tries.is_done(tries):
            await defer(interaction)
            await self._tell(interaction, day, puzzle, puzzle.best, 0, counts)
        else:
            await turn_page(interaction, *await self._pad.page(trial(day, puzzle, 0 if counts else left)))

    async def _judge(self, interaction: Interaction, day: Day, puzzle: Puzzle, line: str, left: int) -> None:
        """Keep a try of today's puzzle, then say what it comes to."""
        move = await self._renderer.run(partial(puzzle.position.read, puzzle.seat, line), Rank.LOOK)
        if not left:
            guild, now = guild_of(interaction), self._umpire.clock()
            await self._store.do(puzzle_tries.tried, guild, user_of(interaction), day, move, now)
        await defer(interaction)
        await self._tell(interaction, day, puzzle, move, max(0, left - 1), counts=not left)

    async def _tell(
        self, interaction: Interaction, day: Day, puzzle: Puzzle, move: str, left: int, counts: bool
    ) -> None:
        """Show the board after a move, what it comes to, and either the way to the next try or the proof."""
        asker = user_of(interaction)
        tries = await self._store.ask(puzzle_tries.of_day, asker, day) if counts else ()
        done = puzzle_tries.is_done(tries) if counts else not left or move == puzzle.best
        thinks = partial(self._think, puzzle, Asker(guild_of(interaction), asker))
        after = puzzle.position.play(puzzle.seat, move)
        found = puzzle_tries.verdict(puzzle, move, after, await thinks(after))
        said = [daily_text.tried(puzzle, found)]
        if done:
            said += await self._ending(interaction, day, puzzle, found, counts)
        else:
            said.append(daily_text.left(MOST_TRIES - len(tries) if counts else left))
        again = () if done else (Control(PuzzleButton(day, 0 if counts else left), daily_text.AGAIN, PRIMARY),)
        view, files = await board(self._renderer, puzzle, after, daily_text.headline(day, puzzle), said, again)
        with forgotten():
            await edits.answer(interaction, view, files)

    async def _ending(
        self, interaction: Interaction, day: Day, puzzle: Puzzle, found: Verdict, counts: bool
    ) -> list[str]:
        """The solution, the line that proves it, and of today's puzzle what can be shared, and the streak."""
        asker, guild = user_of(interaction), guild_of(interaction)
        thinks = partial(self._think, puzzle, Asker(guild, asker))
        line, position = [Move(puzzle.seat, puzzle.best)], puzzle.position.play(puzzle.seat, puzzle.best)
        while thought := await thinks(position):
            line.append(Move(position.turn[0], thought.move))
            position = position.play(*line[-1])
        solved = [] if found.move == puzzle.best else [daily_text.THE_MOVE.format(solution=daily_text.solution(puzzle))]
        told = [*solved, daily_text.proof(line)]
        if not counts:
            return told
        tries = await self._store.ask(puzzle_tries.of_day, asker, day)
        career = await self._store.ask(puzzle_tries.career_of, guild, asker, self._umpire.clock())
        return [*told, f"```\n{daily_text.share(day, puzzle, tries)}\n```{daily_text.streak(career)}"]

    async def _think(self, puzzle: Puzzle, asker: Asker, position: Position) -> Thought | None:
        """The best move in a position that follows; None where the match is over with it."""
        asked = puzzle_tries.question(puzzle, position)
        return await self._engine_pool.think(asked, Order.HINT, asker) if asked else None

    async def _counts(self, interaction: Interaction, day: Day) -> bool:
        return await self._store.ask(puzzle_tries.expect_open, guild_of(interaction), day, self._umpire.clock())

    async def _puzzle(self, day: Day) -> Puzzle:
        return await self._renderer.run(partial(puzzles.of_day, day), Rank.LOOK)


async def defer(interaction: Interaction) -> None:
    """Say that the answer takes a moment: in place of the asker's own message, or as a new one."""
    if is_ephemeral(interaction):
        await interaction.response.defer()
    else:
        await interaction.response.defer(ephemeral=True, thinking=True)


def trial(day: Day, puzzle: Puzzle, left: int) -> Trial:
    """What the pad of a day's puzzle is about, with so many tries left, or 0 where the store counts them."""

    def ids(tap: Tap) -> DailyId:
        return DailyId(day, left, tap)

    said = f"{daily_text.task(puzzle)}\n-# {puzzle.game.title} · puzzle {puzzles.number(day)} · only you see this"
    return Trial(puzzle.game, puzzle.position, puzzle.seat, said, ids, LEADS_NOWHERE)


class Alone(NamedTuple):
    """What there is to play alone on a Saturday or Sunday, with everybody's best result; without a game on other
    days."""

    game: Game | None
    options: Mapping[str, Any]
    bests: tuple[Best, ...] = ()

    @property
    def people(self) -> list[UserId]:
        """Whose results these are, the best first."""
        return [one.user for one in self.bests]

    def told(self, gone: Collection[UserId]) -> tuple[str, ...]:
        """The line about it, with the best result of those who have not left the server."""
        mark = next(iter(remaining(self.bests, gone)), None)
        return (daily_text.weekend(self.game, self.options, mark),) if self.game else ()


def alone_at(reader: Reader, guild: GuildId, day: Day, seen: Collection[int]) -> Alone:
    """What there is to play alone on a day, with results from channels that are `seen`."""
    number = weekend.of_day(day)
    key, options = weekend.board(number or 0)
    game = games().get(key)
    if number is None or game is None:
        return Alone(None, options)
    return Alone(game, options, posting.marks(reader, guild, game, options, seen))


async def face(
    renderer: Renderer, day: Day, puzzle: Puzzle, said: Sequence[str] = (), *, private: bool, before: str = ""
) -> Shown:
    """A day's puzzle, with the ways to its pad and to the game's rules, and in private to figures and past puzzles."""
    buttons = [
        Control(PuzzleButton(day), daily_text.SOLVE, PRIMARY),
        Control(GameButton("rules", puzzle.game.key), daily_text.RULES),
    ]
    if private:
        buttons += [
            Control(PuzzlesButton("stats"), daily_text.STATS),
            Control(PuzzlesButton("past"), daily_text.PAST),
        ]
    if number := weekend.of_day(day):
        buttons.append(Control(onboarding.WeekendButton(number), daily_text.ALONE))
    head = "\n".join(part for part in (before, daily_text.headline(day, puzzle), daily_text.task(puzzle)) if part)
    return await board(renderer, puzzle, puzzle.position, head, said, buttons)


async def board(
    renderer: Renderer, puzzle: Puzzle, position: Position, head: str, said: Sequence[str], buttons: Sequence[Control]
) -> Shown:
    """A position of a puzzle, with lines above and below it, and buttons."""
    drawing = await renderer.draw(puzzle.game, position, Rank.LOOK)
    below = [ui.TextDisplay[Any]("\n".join(said))] if said else []
    row = [views.row_of(*buttons)] if buttons else []
    view = views.framed(
        views.ACCENTS[puzzle.seat - 1],
        ui.TextDisplay[Any](head),
        *views.galleries(drawing.pictures, str(position)),
        *below,
        *row,
    )
    return view, drawing.files(str(position))
