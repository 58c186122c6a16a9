"""Random walks over pads: what somebody may choose tap by tap, and the pads shown on the way.

Nothing here goes through Discord. The pads are those that `tapping` shows, of matches as the umpire would read them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from random import Random
from typing import Any

from discord import ui

from bot.client.moves import pad_actions
from bot.client.views import pad_picture, pad_view, views
from bot.core.entry import pads as lines
from bot.core.entry.keyboards import Keyboard
from bot.core.entry.partial_move import PartialMove
from bot.core.game.game import Game
from bot.core.game.moves import MoveKind
from bot.core.game.position import Position
from bot.core.match.loaded_match import LoadedMatch, Sight
from bot.core.match.match import Match
from bot.core.values.seats import Seat, Viewer
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
    so_far = lines.begun(position, seat, kind)
    for _ in range(TAPS):
        board = lines.keyboard(position, seat, so_far)
        yield so_far, board
        if so_far.whole or not (board.done or board.fresh):
            return
        so_far = tapped(position, seat, so_far, board, rng)


def tapped(position: Position, seat: Seat, so_far: PartialMove, board: Keyboard, rng: Random) -> PartialMove:
    """What is chosen after one more tap."""
    if rng.random() < BACK:
        return lines.back(position, seat, so_far)
    if board.done and (not board.fresh or rng.random() < DONE):
        return lines.finished(position, seat, so_far)
    return lines.pressed(position, seat, so_far, rng.choice(board.fresh).sign)


def shown(seated: LoadedMatch, seat: Seat, so_far: PartialMove, board: Keyboard, page: int = 0) -> ui.LayoutView:
    """A pad as `tapping` shows it, but for its files."""
    position = Sight.of(seated, seat).position
    pictures = pad_picture.pictures(seated.game, position, seat, pad_actions.marked(so_far))
    return pad_view.view(
        so_far, board, pictures, str(position), views.ACCENTS[seat - 1], pad_actions.ids_of(seated, seat),
        where=pad_actions.where(seated), page=page,
    )  # fmt: skip


def flat(components: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """All components of a message, nested ones too, as they are sent."""
    for component in components:
        yield component
        yield from flat(component.get("components", []))
