"""Random walks over pads: what a user may choose tap by tap, and the pads shown on the way.

Nothing here goes through Discord. The pads are those of `bot.features.pads`, of matches as the umpire would read them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from itertools import islice
from random import Random
from typing import Any

from discord import ui

from bot.features.board import match_pictures
from bot.features.board.words import format_mention
from bot.features.pads import keypad, pad_loop
from bot.games.game import Game
from bot.games.moves import MoveKind
from bot.games.position import Position, Seat, Viewer
from bot.platform import ui as platform_ui
from bot.platform.ui import Control
from bot.play import partial_moves as lines
from bot.play.loaded_match import LoadedMatch, MatchView
from bot.play.match import Match
from bot.play.partial_moves import Keyboard, PartialMove
from rendering.shapes import Picture
from tests.contract.playing import edge, greedy, playout

TAPS = 30
"""No walk is longer: random corners of a curve may never close it."""
DONE, BACK = 0.5, 0.12
"""How often a list ends where it may, and how often a step is taken back."""
USUAL, LARGEST = "the usual board", "the largest board"
BOARDS = (USUAL, LARGEST)


def started(game: Game, board: str) -> Match:
    """A match at its start: with the usual options and few seats, or the largest options and the most seats."""
    if board == USUAL:
        return Match.start(game, {}, game.seats[0])
    seats = game.seats[-1]
    return Match.start(game, greedy(game, edge(game.Options.bounds(), -1), seats), seats)


def moments(game: Game, board: str, plies: int, rng: Random) -> Iterator[Match]:
    """The first moments of a match drawn by lot, or all of them where it ends sooner."""
    return (match for match in islice(playout(started(game, board), rng), plies) if match.turn)


def kinds(match: Match, seats: Iterable[Viewer] | None = None) -> Iterator[tuple[Seat, Position, MoveKind]]:
    """The kinds of move that are put together on a pad by some of the seats to move, as they see the match: by the
    first of them, where none is named."""
    for seat in match.turn[:1] if seats is None else {*match.turn} & {*seats}:
        position = match.position.seen_by(seat)
        yield from ((seat, position, kind) for kind in match.game.moves if kind.parts and kind.when(position, seat))


def walk(position: Position, seat: Seat, kind: MoveKind, rng: Random) -> Iterator[tuple[PartialMove, Keyboard]]:
    """What is chosen after each tap, with what may be tapped next, until a move is whole or nobody wants to go on."""
    so_far = lines.begin_partial_move(position, seat, kind)
    for _ in range(TAPS):
        board = lines.list_keys(position, seat, so_far)
        yield so_far, board
        if so_far.is_whole or not (board.done or board.new_keys):
            return
        so_far = tapped(position, seat, so_far, board, rng)


def tapped(position: Position, seat: Seat, so_far: PartialMove, board: Keyboard, rng: Random) -> PartialMove:
    """What is chosen after one more tap."""
    if rng.random() < BACK:
        return lines.step_back(position, seat, so_far)
    if board.done and (not board.new_keys or rng.random() < DONE):
        return lines.finish_part(position, seat, so_far)
    return lines.press_key(position, seat, so_far, rng.choice(board.new_keys).sign)


def shown(loaded: LoadedMatch, seat: Seat, so_far: PartialMove, board: Keyboard, page: int = 0) -> ui.LayoutView:
    """A pad as it is shown, but for its files."""
    position = MatchView.of(loaded, seat).position
    foreseen = pad_loop.foresee_move(loaded.game, position, seat, so_far, partial(format_mention, loaded))
    return keypad.build_pad(
        so_far, board, draw(loaded.game, position, seat, so_far), str(foreseen.after if foreseen else position),
        platform_ui.ACCENTS[seat - 1], pad_loop.make_pad_ids(loaded, seat), where=pad_loop.format_match_line(loaded),
        effect=foreseen.effect if foreseen else "", page=page,
        below=[Control(platform_ui.GameButton("rules", loaded.game.key), "Rules")],
    )  # fmt: skip


def draw(game: Game, position: Position, seat: Seat, so_far: PartialMove) -> tuple[Picture, ...]:
    """The pictures of a pad: with what is chosen marked, or of the position after a whole move."""
    after = match_pictures.foresee_position(position, seat, so_far)
    if after is not None:
        return match_pictures.make_foreseen_pictures(game, position, after, seat, so_far)
    return match_pictures.make_pictures(game, position, seat, pad_loop.keep_visible_parts(so_far))


def flat(components: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """All components of a message, nested ones too, as they are sent."""
    for component in components:
        yield component
        yield from flat(component.get("components", []))
