"""Try-outs: a user tries moves of all seats, in private, from a match as it stands or from a page of its replay.

Nothing is kept: the match and the place stand in the buttons, and the moves in the message, so it goes on after a
restart. The boards and the scores are those that the match would have. Once it is over, the computer can be asked, too.
"""

from __future__ import annotations

import re
from functools import partial
from typing import Any

import discord
from discord import ui

from bot.features.board import words as board_words
from bot.features.board.ids import ActButton
from bot.features.board.match_pictures import Renderer
from bot.features.board.words import CHIPS
from bot.features.computer.service import EnginePool
from bot.features.pads import premove_pads
from bot.features.pads.pad_loop import Pads, PadUse, Shown, collect_texts, confirm_never, turn_page
from bot.features.study.posts import ignore_late_answer
from bot.features.study.replays import STEP, ReplayButton, ReplayViewer, TryOutButton
from bot.games.position import Seat
from bot.games.wording import Plural
from bot.platform import edits
from bot.platform import ui as platform_ui
from bot.platform.checks import USUAL, Price
from bot.platform.custom_ids import PadId
from bot.platform.interactions import Interaction, is_private, user_of
from bot.platform.jobs import Asker, JobPriority, Rank
from bot.platform.routes import on, on_match
from bot.platform.ui import Control
from bot.play import hints, premoves
from bot.play.loaded_match import LoadedMatch, MatchView, Refusal
from bot.play.partial_moves import PartialMove
from bot.play.premoves import Line
from bot.play.record import Move
from bot.play.replays import OUTDATED, ImaginedLine, Replay
from bot.umpire.acts import PremoveService
from bot.umpire.umpire import Umpire

PRICES = {"ready": USUAL, "word": Price(3)}
"""Prices of the buttons that cost more than a step."""
SO_FAR = "-# So far: "
LINE = re.compile(rf"^{SO_FAR}([{CHIPS}] .+)$", re.MULTILINE)
"""The moves so far, as they stand in a message, each behind the chip of its seat."""
BETWEEN = " · "
LONGEST = 2_500
"""Characters of a line: a message has no space for more beside the partial move and the words around."""
TOO_LONG = Plural(
    "A message holds no more than this move. Take it back to try others.",
    "A message holds no more than these {count} moves. Take some back to try others.",
)
TURN = "{who} is to move."
ENDS = "The match would be over here."
NO_COMPUTER = "The computer isn't available on this bot."
ASK, TAKE_BACK, PREPARE, REPLAY = "Ask the computer", "Take back", "Prepare this", "Replay"


class TryOutPads:
    """Shows the pads of try-outs, and answers their buttons."""

    def __init__(self, umpire: Umpire, renderer: Renderer, engine_pool: EnginePool, replays: ReplayViewer) -> None:
        self._renderer = renderer
        self._engine_pool = engine_pool
        self._replays = replays
        self._pads = Pads(renderer)
        self._prepared = PremoveService(umpire)

    @on_match(ActButton, words="tryout", price=Price(2, looks=True))
    async def begin(self, interaction: Interaction, loaded: LoadedMatch) -> None:
        """Show a pad for the match as it stands, in a message of its own."""
        replay = self._replays.expect_replay(interaction, loaded)
        it = await self._load_line(replay, replay.line_count)
        view, files = await self._build_page(interaction, it.expect_trials())
        await edits.answer_anew(interaction, view, files)

    @on(TryOutButton, price=lambda button: PRICES.get(button.does, STEP))
    async def answer_button(self, interaction: Interaction, button: TryOutButton) -> None:
        """Open the pad at a place of a replay; or take back, prepare or search the line in the message."""
        replay = self._replays.expect_replay(interaction, await self._replays.load(interaction, button.match))
        it = await self._load_line(replay, button.at, read_line(interaction) if button.does else ())
        if button.does == "ready":
            await self._prepare(interaction, it)
        elif button.does == "word":
            await self._ask(interaction, it)
        else:
            then = it.remove_last_move() if button.does else it.expect_trials()
            await turn_page(interaction, *await self._build_page(interaction, then))

    @on(PadId, words="o", price=STEP)
    async def answer_tap(self, interaction: Interaction, button: PadId) -> None:
        """Answer a button of the pad."""
        loaded = await self._replays.load(interaction, button.match)
        it = await self._load_line(self._replays.expect_replay(interaction, loaded), button.at, read_line(interaction))
        await self._pads.answer_tap(interaction, self._make_use(interaction, it), button.tap)

    def _make_use(self, interaction: Interaction, it: ImaginedLine, word: str = "") -> PadUse:
        """The use that adds a move to a line."""
        return PadUse(
            it.match.game, it.match.position, it.list_trials(), format_pad_heading(it, word),
            partial(PadId, "o", it.loaded.id, it.at), OUTDATED, partial(self._add_move, interaction, it),
            alt=str(it.match.position), confirms=confirm_never, below=make_line_buttons(interaction, it),
        )  # fmt: skip

    async def _add_move(self, interaction: Interaction, it: ImaginedLine, seat: Seat, move: PartialMove) -> None:
        after = await self._renderer.run(partial(it.add_move, seat, move.line), Rank.LOOK)
        if len(format_line(after.line)) > LONGEST:
            raise Refusal(TOO_LONG.fill_in(len(it.line), count=len(it.line)))
        await turn_page(interaction, *await self._build_page(interaction, after))

    async def _load_line(self, replay: Replay, place: int, line: Line = ()) -> ImaginedLine:
        return await self._renderer.run(partial(ImaginedLine.of, replay, place, line), Rank.LOOK)

    async def _build_page(self, interaction: Interaction, it: ImaginedLine, word: str = "") -> Shown:
        """The pad for the next move; where none can be tried, the board and the reason."""
        if it.list_trials():
            return await self._pads.build_page(self._make_use(interaction, it, word))
        drawing, alt = await self._renderer.draw(it.match.game, it.match.position, Rank.LOOK), str(it.match.position)
        said = f"**{it.reason if it.match.turn else ENDS}**\n{format_pad_heading(it, word)}"
        view = platform_ui.frame_view(
            platform_ui.OVER,
            ui.TextDisplay[Any](said),
            *platform_ui.make_galleries(drawing.pictures, alt),
            platform_ui.make_row(*make_line_buttons(interaction, it)),
        )
        return view, drawing.make_files(alt)

    async def _prepare(self, interaction: Interaction, it: ImaginedLine) -> None:
        """Make premoves of the line; the pad stays, for other lines."""
        loaded, user = it.loaded, user_of(interaction)
        seat = premoves.expect_premovable(loaded, user)
        line = it.find_premove_line(seat) or it.line
        now = await self._prepared.add(loaded.id, user, line, it.at)
        await edits.answer_anew(interaction, premove_pads.build_premove_list(premove_pads.imagine(now, seat)))

    async def _ask(self, interaction: Interaction, it: ImaginedLine) -> None:
        """Show what the computer would play, once the match is over."""
        if it.is_live or not it.list_choices():
            raise Refusal(OUTDATED)
        if not self._engine_pool.many:
            raise Refusal(NO_COMPUTER)
        if not interaction.response.is_done():
            await interaction.response.defer(ephemeral=True, thinking=not is_private(interaction))
        match, seat = it.match, it.list_choices()[0][0]
        scene = hints.scene_in(match.game, match.position.seen_by(seat), seat)
        asked = hints.make_scene_question(match, scene, f"try:{it.loaded.id}:{it.at}:{format_line(it.line)}")
        thought = await self._engine_pool.think(
            asked, JobPriority.HINT, Asker(it.loaded.row.guild, user_of(interaction))
        )
        word = await self._renderer.run(partial(hints.describe_best_move, scene, thought), Rank.LOOK)
        with ignore_late_answer():
            await turn_page(interaction, *await self._build_page(interaction, it, f"💡 {scene.name_leg(word)}"))


def format_pad_heading(it: ImaginedLine, word: str = "") -> str:
    """The player to move, the match and the place, the scores, and the moves so far."""
    loaded, seats = it.loaded, {seat for seat, _ in it.list_choices()}
    number = f"match {loaded.id}" if loaded.id else "an imported record"
    place = f"{loaded.game.title} · {number}, after {it.name} · only you see this"
    turn = [TURN.format(who=board_words.format_mention(loaded, seat)) for seat in seats] if len(seats) == 1 else []
    scores = board_words.format_seats(make_match_view(it))
    return "\n".join(filter(None, (" ".join((*turn, place)), scores, word, format_line(it.line))))


def make_match_view(it: ImaginedLine) -> MatchView:
    """The match after the moves that were tried, for the line of scores."""
    return MatchView(it.loaded, it.match, it.replay.viewer, it.match.position, it.match.record)


def make_line_buttons(interaction: Interaction, it: ImaginedLine) -> tuple[Control, ...]:
    loaded, at = it.loaded, it.at
    back = ReplayButton(loaded.id, at - 1, "next") if at else ReplayButton(loaded.id, 0, "first")
    two = loaded.row.seats == 2 and not loaded.game.secret and it.replay.viewer
    able = bool(two and it.find_premove_line(it.replay.viewer))
    ready = [Control(TryOutButton(loaded.id, at, "ready"), PREPARE, discord.ButtonStyle.primary)]
    word = [Control(TryOutButton(loaded.id, at, "word"), ASK)]
    taken = [Control(TryOutButton(loaded.id, at, "back"), TAKE_BACK)]
    return (
        *(taken if it.line else ()),
        *(ready if able else ()),
        *(word if not it.is_live and it.list_choices() else ()),
        *(() if able else (Control(back, REPLAY),)),  # A phone is too narrow for both.
    )


def format_line(line: Line) -> str:
    """The moves so far, as they stand in a message; empty before the first."""
    moves = BETWEEN.join(f"{CHIPS[seat - 1]} {text}" for seat, text in line)
    return f"{SO_FAR}{moves}" if moves else ""


def read_line(interaction: Interaction) -> Line:
    """The moves in the message whose button was pressed."""
    found = LINE.search("\n".join(collect_texts(interaction.message.components if interaction.message else ())))
    moves = found[1].split(BETWEEN) if found else []
    return tuple(Move(CHIPS.index(move[0]) + 1, move[2:]) for move in moves)
