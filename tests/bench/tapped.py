"""Pads: what a tap costs the processor, of every game on the usual and on the largest board, and twenty people who tap.

A tap is all that `tapping` computes for it: the line, what may come next, the message, and a picture where other
squares are marked than before. Each is timed once, as it comes on walks drawn by lot; the slowest is what counts.
"""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Callable
from functools import partial
from pathlib import Path
from random import Random

from bot.features.board.match_pictures import draw_position, paint_pictures
from bot.features.pads import pad_loop
from bot.games.catalogue import load_games
from bot.games.game import Game
from bot.games.position import Seat
from bot.play import partial_moves as lines
from bot.play.loaded_match import LoadedMatch
from bot.play.match import Match
from bot.play.partial_moves import PartialMove
from bot.sandbox import people
from bot.sandbox.client_checks import ClientRefusal
from bot.sandbox.errors import Json
from bot.sandbox.interactions import NoAnswerInTime
from bot.sandbox.people import BotReply
from rendering.painter import paint
from tests.bench.crowded import MOVES_A_SECOND, QUIET, WAIT, crowded, played, told
from tests.bench.figures import Sheet, effort, median, percentile
from tests.bench.hall import Hall, Live
from tests.bench.load import Boards
from tests.bench.worst import longest
from tests.support import pad_walks
from tests.support.loaded_matches import begun
from tests.support.pad_walks import BOARDS, LARGEST, kinds, moments, shown, tapped

BUDGET = 2.0
"""Seconds for the walks over one game's pads on one board."""
PLIES, LOOKED_AT = 40, 5
ENOUGH = 0.02
"""How often a walk ends before its move is whole."""
WITHIN = 300.0
"""Milliseconds of the processor that a tap takes at most."""
OPEN, PLAIN, DRAWN, PLAY = "open", "tap", "tap with a picture", "play"
TAPPERS, MATCHES, PLAYED, SIZE, GONE = 20, 4, 20, 11, 30
LOOK = 0.25
"""Seconds for which somebody looks at a pad: with less the bot has them wait."""
ANSWERED = 1000.0
"""Milliseconds until the next pad is there, beside others who play."""

Times = dict[str, list[float]]


def looked_at(game: Game, board: str) -> list[Match]:
    """Some moments of a match on a board; on the largest of one that has gone far."""
    found = longest(game) if board == LARGEST else list(moments(game, board, PLIES, Random(game.key)))
    live = [match for match in found if match.turn]
    return live[:: max(1, len(live) // LOOKED_AT)]


def walked(match: Match, times: Times, rng: Random, until: float) -> None:
    """Note what taps of a walk take, for each kind of move that can be made now."""
    loaded = begun(match)
    for seat, position, kind in kinds(match):
        so_far, spent = spending(partial(lines.begin_partial_move, position, seat, kind))
        times[OPEN].append(spent + effort(partial(pad, loaded, seat, so_far, True)))
        while not so_far.is_whole and time.perf_counter() < until and rng.random() > ENOUGH:
            before, board = so_far, lines.list_keys(position, seat, so_far)
            so_far, spent = spending(partial(tapped, position, seat, so_far, board, rng))
            picture = pad_loop.keep_visible_parts(before) != pad_loop.keep_visible_parts(so_far)
            times[DRAWN if picture else PLAIN].append(spent + effort(partial(pad, loaded, seat, so_far, picture)))
        if so_far.is_whole:
            times[PLAY].append(effort(partial(play, match, seat, so_far)))


def spending(work: Callable[[], PartialMove]) -> tuple[PartialMove, float]:
    """What is chosen after a tap, and how long it keeps the processor busy."""
    began = time.thread_time()
    so_far = work()
    return so_far, time.thread_time() - began


def pad(loaded: LoadedMatch, seat: Seat, so_far: PartialMove, picture: bool) -> None:
    """Make a pad, with its picture or without."""
    position = loaded.begun_match.position.seen_by(seat)
    if picture:
        paint_pictures(pad_walks.draw(loaded.game, position, seat, so_far))
    shown(loaded, seat, so_far, lines.list_keys(position, seat, so_far)).to_components()


def play(match: Match, seat: Seat, so_far: PartialMove) -> None:
    """Play what is whole, and draw the board that comes of it."""
    after = match.play(seat, so_far.line)
    draw_position(match.game, after.position.seen_by(None))


def slowest(sheet: Sheet, game: Game, board: str) -> None:
    """The figures of one game on one board."""
    found = looked_at(game, board)
    # What is loaded on first use is loaded by the bot's warming up.
    for match in (*found[:1], *found[-1:]):
        match.position.scores()
    times: Times = {act: [] for act in (OPEN, PLAIN, DRAWN, PLAY)}
    until, rng = time.perf_counter() + BUDGET, Random(game.key)
    for match in found:
        walked(match, times, rng, until)
    whole = median([effort(partial(draw_position, game, match.position)) for match in found])
    for act in (act for act in times if times[act]):
        limit = WITHIN if act in (PLAIN, DRAWN) else None
        worst = max(times[act])
        sheet.add(f"{game.title}, {board}: {act}", worst * 1e3, "ms", limit)
        sheet.add("  median / drawing the board", median(times[act]) / whole)


class Tappers:
    """People who open a pad of a match where they are to move, and tap on it without a halt, but for a look at each."""

    def __init__(self, matches: list[Live], rng: Random) -> None:
        self.matches = {live.mover.id: live for live in matches}
        self.rng = rng
        self.times: list[float] = []
        self.came: Counter[str] = Counter()

    async def go_on(self) -> None:
        """All of them at once, until they are stopped."""
        await asyncio.gather(*(self._taps(live) for live in self.matches.values()))

    async def _taps(self, live: Live) -> None:
        shown: BotReply | Json = board_of(live)
        while True:
            began = time.perf_counter()
            try:
                answer = await live.mover.press(shown, self.rng.choice(worth(shown)))
            except (NoAnswerInTime, ClientRefusal) as fault:
                self.came[str(fault)] += 1
                shown = board_of(live)
            else:
                refused = WAIT in answer.text
                self.came["too fast" if refused else "answered"] += 1
                if not refused:
                    shown = answer
                    self.times.append(time.perf_counter() - began)
            await asyncio.sleep(LOOK)


def board_of(live: Live) -> Json:
    """The board that all see."""
    return [message for message in live.mover.read_messages(live.thread) if message["attachments"]][-1]


def worth(shown: BotReply | Json) -> list[str]:
    """What to press: keys while there are some, then one step back; on a board the way to the pad."""
    message = shown.message if isinstance(shown, BotReply) else shown
    able = [one.label for one in people.list_buttons(message) if not one.disabled]
    return [label for label in able if label not in ("Back", "Type it", "Rules", f"Play {label[5:]}")] or ["Back"]


async def together(sheet: Sheet, folder: Path) -> None:
    """The figures of twenty people who tap while others play."""
    rng = Random(11)
    async with Hall(folder / "tapped", reconcile=0.05) as hall:
        people = hall.people(2 * PLAYED + TAPPERS)
        players, tappers = people[: 2 * PLAYED], people[2 * PLAYED :]
        live = [one for pair in zip(players[::2], players[1::2], strict=True)
                for one in await hall.seat(pair, 1, SIZE, GONE, rng)]  # fmt: skip
        pairs = zip(tappers, tappers[1:] + tappers[:1], strict=True)
        tapped_on = [one for pair in pairs for one in await hall.seat(pair, MATCHES, SIZE, GONE, rng)]
        await hall.serve("tests.bench.subject")
        boards = Boards(hall, {one.thread for one in live + tapped_on})
        await hall.sandbox.wait_for(lambda world: not boards.missing, 120)
        sheet.title(f"{MOVES_A_SECOND} moves a second, nobody else there")
        told(sheet, await played(hall, live, rng, QUIET))
        sheet.title(f"The same beside {TAPPERS} people who tap")
        tapping_on = Tappers(tapped_on, rng)
        await hall.report()
        told(sheet, await crowded(hall, live, tapping_on, rng), 500)
        report = await hall.report()
        sheet.add("event loop's lag, p99", report["lag"]["p99"] * 1e3, "ms")
        sheet.add("a tap's pad, p50", median(tapping_on.times or [60.0]) * 1e3, "ms")
        sheet.add("a tap's pad, p99", percentile(tapping_on.times or [60.0], 99) * 1e3, "ms", ANSWERED)
        for what, count in sorted(tapping_on.came.items()):
            sheet.add(f"taps {what}", count)


async def measure(sheet: Sheet, folder: Path) -> None:
    """The figures of pads."""
    paint.warm_up()
    sheet.title("Pads of every game: the slowest tap, in time of the processor")
    for game in load_games().values():
        for board in BOARDS:
            slowest(sheet, game, board)
    await together(sheet, folder)
