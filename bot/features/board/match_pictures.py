"""Pictures of matches: drawn in threads, charts, and what is marked on a pad."""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import groupby
from typing import Any, Literal, NamedTuple, TypeVar

from discord import ui

from bot.features.board import words
from bot.games.catalogue import load_offered_games
from bot.games.game import Game
from bot.games.legs import Leg, LegMove, Legs, adapt_picture, seat_in
from bot.games.moves import MoveKind
from bot.games.notation import Square
from bot.games.position import MoveError, Position, Seat
from bot.games.wording import Plural, join_words
from bot.platform.jobs import Rank, SingleFlight, ThreadPool, wait_for_result
from bot.platform.metrics import Metrics
from bot.platform.ui import Caption, Drawing, HasAltText, format_filename, make_galleries, make_thumbnail
from bot.play import match as match_scores
from bot.play.lessons import load_example, load_rules_example
from bot.play.loaded_match import LoadedMatch, MatchView
from bot.play.match import Courses, Match
from bot.play.partial_moves import PartialMove
from bot.play.record import Move
from rendering import frames
from rendering.charts import ChartLine, draw_chart
from rendering.pages import LegendEntry, make_round_card, seat_colour
from rendering.pages import make_thumbnail as pages_make_thumbnail
from rendering.painter import paint
from rendering.shapes import Picture, Shape, group_digits


def make_board_items(sight: MatchView, pictures: Sequence[HasAltText]) -> list[ui.Item[Any]]:
    """The large pictures of a match, that of a leg below the line about it. The small ones are those of
    `make_seats_items` and `make_text_item`."""
    items, leg, colours = list[ui.Item[Any]](), 0, words.describe_colours(sight.loaded)
    told = [replace(Caption.of(one), alt=f"{one.alt} {colours}") for one in pictures]
    for one, gallery in zip(pictures, make_galleries(told, str(sight.position)), strict=True):
        if not one.small:
            line = words.format_leg(sight, one.leg) if one.leg > leg else ""
            items += [ui.TextDisplay[Any](line), gallery] if line else [gallery]
            leg = one.leg
    return items


def make_seats_items(sight: MatchView, pictures: Sequence[HasAltText]) -> list[ui.Item[Any]]:
    """How the players of two legs stand, beside the small board of one of them; nothing elsewhere."""
    if not sight.loaded.game.single:
        return []
    seats, at = words.format_seats(sight), next((at for at, one in enumerate(pictures) if one.small and one.leg), None)
    if at is None:
        return [ui.TextDisplay[Any](seats)]
    text = ui.TextDisplay[Any](f"{seats}\n{words.format_leg(sight, pictures[at].leg, small=True)}")
    return [ui.Section[Any](text, accessory=make_thumbnail(format_filename(at), pictures[at]))]


def make_items_below(sight: MatchView, pictures: Sequence[HasAltText], head: str) -> list[ui.Item[Any]]:
    """The pictures of a match below what is said first; of two legs with how their players stand."""
    return [ui.TextDisplay[Any](head), *make_seats_items(sight, pictures), *make_board_items(sight, pictures)]


def make_text_item(pictures: Sequence[HasAltText], said: str) -> ui.Item[Any]:
    """What is said below the pictures of a match; beside it the small board of a round that has no move yet, or of the
    round before."""
    found = (at for at, one in enumerate(pictures) if one.small and not one.leg)
    at, text = next(found, None), ui.TextDisplay[Any](said)
    return text if at is None else ui.Section[Any](text, accessory=make_thumbnail(format_filename(at), pictures[at]))


# The board on a pad: the position with what has been chosen of a move marked on it.


MOST = 7
"""The most pictures of a pad: with more, its message could not hold a page of keys."""


def make_pictures(game: Game, position: Position, seat: Seat, so_far: PartialMove) -> tuple[Picture, ...]:
    """The pictures that matter for this move, of the position as the seat sees it, with what is chosen marked."""
    if isinstance(position, Legs) and game.single and so_far.kind.single:
        leg, inner = so_far.kind.leg, replace(so_far, kind=so_far.kind.single)
        pages = make_pictures(game.single, position.get_position(leg), seat_in(leg, seat), inner)
        return tuple(adapt_picture(leg, page) for page in pages)
    values = collect_values(so_far)
    if game.sketch:
        pages = game.sketch(position, seat, so_far.kind.name, values)[:MOST]
    else:
        board = game.pictures(position)[0]
        marks = _frame_squares(position, so_far.kind, values, board.squares_per_point)
        pages = (_add_other_values(position, so_far.kind, values, frames.draw_over(board, marks)),)
    if not is_column(so_far):
        return pages
    return tuple(frames.draw_over(page, _frame_column(position, so_far, page.squares_per_point)) for page in pages)


def is_column(so_far: PartialMove) -> bool:
    """Whether the column of a square is chosen, and its row is not."""
    return not so_far.is_whole and so_far.current_part.kind == "square" and bool(so_far.typed_text)


def _frame_column(position: Position, so_far: PartialMove, unit: float) -> Iterator[Shape]:
    """A frame about the column that is chosen, without a rim, which would hide what its squares show at the edge."""
    rows = so_far.current_part.bounds(position)[1]
    column = ord(so_far.typed_text) - ord("a")
    return (mark for mark in frames.frame_box(column, 0, 1, rows, so_far.typed_text, unit) if mark.tag)


def foresee_position(position: Position, seat: Seat, so_far: PartialMove) -> Position | None:
    """The position after a whole move, as its seat would see it; None where players shall find that out themselves."""
    if not so_far.is_whole or not so_far.kind.foreseen:
        return None
    try:
        return position.play(seat, position.read(seat, so_far.line))
    except MoveError:
        return None


def make_foreseen_pictures(
    game: Game, before: Position, after: Position, seat: Seat, so_far: PartialMove
) -> tuple[Picture, ...]:
    """The pictures that matter for this move, of the position after it, which mark it as the last one."""
    if isinstance(before, Legs) and isinstance(after, Legs) and game.single and so_far.kind.single:
        leg, inner = so_far.kind.leg, replace(so_far, kind=so_far.kind.single)
        one, other = before.get_position(leg), after.get_position(leg)
        pages = make_foreseen_pictures(game.single, one, other, seat_in(leg, seat), inner)
        return tuple(adapt_picture(leg, page) for page in pages)
    if game.sketch and game.secret:
        return make_pictures(game, before, seat, so_far)  # a player's own work, as it would be
    if game.sketch and after.turn and after.round == before.round:
        return game.sketch(after, seat, so_far.kind.name, {})[:MOST]
    return (choose_last_round(game.pictures(after)).without_legend,)


def choose_board(pages: Sequence[Picture]) -> Picture:
    """Of the pictures of a position the board, or that of the round that has just ended."""
    return next((page for page in pages if page.ended), pages[0])


def choose_last_round(pages: Sequence[Picture]) -> Picture:
    """The same after a move that is not played yet; where it would end the match the round in which it is made."""
    return next((page for page in pages if page.last), choose_board(pages))


def collect_values(so_far: PartialMove) -> dict[str, str]:
    """The chosen values by the names of their parts: finished values, unfinished lists, and ranges that are drawn."""
    names = [part.name for part in so_far.kind.parts]
    chosen = dict(zip(names, so_far.done, strict=False))
    if not so_far.is_whole and so_far.items:
        chosen[names[len(so_far.done)]] = " ".join(so_far.items)
    elif not so_far.is_whole and so_far.typed_range and so_far.current_part.shows_range:
        chosen[names[len(so_far.done)]] = so_far.typed_text
    return {name: value for name, value in chosen.items() if value}


def _frame_squares(position: Position, kind: MoveKind, values: Mapping[str, str], unit: float) -> Iterator[Shape]:
    """Frames about the chosen squares."""
    for part in kind.parts:
        if part.kind == "square":
            for name in values.get(part.name, "").split():
                yield from frames.frame_square(*Square.parse(name, *part.bounds(position)[:2]), name, unit)


def _add_other_values(position: Position, kind: MoveKind, values: Mapping[str, str], board: Picture) -> Picture:
    """The chosen values that are no squares: in the square where one fits, else below the board."""
    squares = [part for part in kind.parts if part.kind == "square" and not part.items and part.name in values]
    for part in kind.parts:
        value = values.get(part.name, "")
        if value and part.kind != "square":
            if len(squares) == 1 and frames.fits_in_square(value, board.squares_per_point):
                column, row = Square.parse(values[squares[0].name], *squares[0].bounds(position)[:2])
                board = frames.draw_over(board, frames.write_in_square(column, row, value, board.squares_per_point))
            else:
                board = frames.add_note_strip(board, f"{part.heading}: {value}", value)
    return board


# Draws the chart of a finished match, its scores after each move, with the text below it. Pure, and slow.


MOST_DIGITS = 100
"""Scores with more digits are not drawn: the board shows them, and their lines would never be close."""
MOST_PICTURES = 10
"""The most pictures of a message (Discord's limit)."""
SHOWN = {
    (False, False): "Scores after each move.",
    (False, True): "Scores after each move: the lowest wins.",
    (True, False): "Scores of both legs after each move.",
    (True, True): "Scores of both legs together after each move: the lowest wins.",
}
"""The caption of the lines, by whether there are two legs, and whether the lowest score wins."""
CHANGED = Plural("The lead changed once.", "The lead changed {number} times.")
SCORES = Plural("Scores over {number} move, at the end {finals}.", "Scores over {number} moves, at the end {finals}.")


def list_pictures(sight: MatchView) -> tuple[Picture, ...]:
    """The pictures of a board: those of its game; of a finished match the board alone, one of each leg."""
    game = sight.loaded.game
    found = game.pictures(sight.position)
    chosen = choose_shown(found, find_large_leg(sight), size_of(sight))
    shown = [fit_picture(found[one.at], one.size, find_round(sight.position, found[one.at].leg)) for one in chosen]
    ended = find_ended_round(sight)
    return (*shown, *(fit_picture(one, "small") for one in (game.pictures(ended) if ended else ()) if one.ended))


def is_legend_needed(sight: MatchView) -> bool:
    """Whether the legend says more than the message above it: not where that has the players' names and scores, nor
    where nothing but the winner stands there."""
    row, game = sight.loaded.row, sight.match.game
    named = row.state == "live" or (row.state == "finished" and row.seats > 1)
    return not named and bool(game.scored or game.sides)


Size = Literal["whole", "keyed", "known", "board", "small", "round"]
"""How a picture is shown: with its key and legend, without its legend, without what the rules explain too, without key
and legend, as a thumbnail, or as the thumbnail of a round that has no move yet."""


def size_of(sight: MatchView) -> Size:
    """How the picture of a board is shown that is not of a leg."""
    return "whole" if is_legend_needed(sight) else "known" if is_known(sight.loaded) else "keyed"


def is_known(loaded: LoadedMatch) -> bool:
    """Whether all players know what the signs on a board mean: each has finished a match of the game, whose options are
    those of its rules page."""
    known = loaded.row.state == "live" and loaded.practised
    return known and loaded.begun_match.options == loaded.game.configure({}, loaded.row.seats)


class ShownPicture(NamedTuple):
    """One of the pictures of a position, by index."""

    at: int
    size: Size


def find_round(position: Position, leg: Leg) -> int:
    """The round that is played, of two legs in this one."""
    return position.get_position(leg).round if isinstance(position, Legs) and leg else position.round


def fit_picture(picture: Picture, size: Size, round: int = 0) -> Picture:
    match size:
        case "whole":
            return picture
        case "keyed":
            return picture.with_key_alone
        case "known":
            return picture.without_explanations
        case "board":
            return picture.without_legend
        case "small":
            return pages_make_thumbnail(picture)
        case "round":
            return make_round_card(picture, round)


def choose_shown(pictures: Sequence[HasAltText], large: Leg = 0, alone: Size = "whole") -> list[ShownPicture]:
    """Which pictures of a position are on a board: the first of each leg, so that it fits a phone's screen. All that
    explains a result is behind *Details*. A round that has just ended is large, and the next one small below it. Where
    there are no legs, a picture is shown as `alone` says. So is of two legs the `large` one, without its legend, since
    the lines tell its sides and its score; the other is small, and a third board would not fit."""
    shown = list[ShownPicture]()
    for leg in dict.fromkeys(one.leg for one in pictures):
        ended = next((at for at, one in enumerate(pictures) if one.leg == leg and one.ended), None)
        board = next(at for at, one in enumerate(pictures) if one.leg == leg and not one.ended)
        size: Size = alone if not leg else "small" if leg != large else "keyed" if alone == "whole" else alone
        if ended is None or size == "small":
            shown.append(ShownPicture(board, size if ended is None else "round"))
        else:
            shown += [ShownPicture(ended, size), *([] if leg else [ShownPicture(board, "round")])]
    return shown


def find_ended_round(sight: MatchView) -> Position | None:
    """The position in which a round ended, where the last turn went on in the next one."""
    before, position = sight.before, sight.position
    if before is None or before.round >= position.round or sight.loaded.game.single:
        return None
    if position.opening or not position.turn:
        return None
    start = len(sight.loaded.before.record) if sight.loaded.before else len(sight.record)
    for line in sight.record[start:]:
        if not isinstance(line, Move):
            return None
        before = before.play(line.seat, line.text)
        if before.round == position.round and before.opening:
            return before
    return None


def find_large_leg(sight: MatchView) -> Leg:
    """Of two legs the one whose board is large: that in which a player is to move, of both that with the last move, on
    a player's own board that which has waited longest for them; 0 where there are none."""
    legs = sight.position
    if not isinstance(legs, Legs):
        return 0
    if sight.viewer and (own := sight.match.order_waiting_legs(sight.viewer)):
        return own[0]
    last = next((leg for line in reversed(sight.record) if (leg := LegMove.parse(line.text).leg)), 1)
    waiting = [leg for leg, position in legs.numbered_legs if position.turn]
    return last if last in waiting or not waiting else waiting[0]


def is_chart_visible(sight: MatchView) -> bool:
    """Whether a match has ended and the viewer may see its whole record."""
    return sight.match.is_over and sight.record == sight.match.record


def make_score_chart(match: Match) -> Picture | None:
    """The chart of a finished match's scores over its moves; None where there is nothing to see."""
    if not match.game.scored:
        return None
    told = match_scores.trace_scores(match)
    numbers = {score for course in told for score in course}
    if all(len(set(course)) == 1 for course in told) or max(map(abs, numbers)) >= 10**MOST_DIGITS:
        return None
    courses = [ChartLine(course, seat) for seat, course in enumerate(told, 1)]
    return draw_chart("scores", describe_chart(match, told), courses, describe_lines(match, told), make_legend(match))


def make_legend(match: Match) -> tuple[LegendEntry, ...]:
    """The legend: what each seat counts, and its final score, or the winner where nothing is scored."""
    ranks = match.ranks or (0,) * match.seats
    alone = "wins" if ranks.count(1) == 1 else ""
    totals = [
        group_digits(score) if match.game.scored else alone * (rank == 1)
        for score, rank in zip(match.scores, ranks, strict=True)
    ]
    lines = enumerate(zip(totals, ranks, strict=True), 1)
    return tuple(
        LegendEntry(seat, name_seat(match, seat), total, rank == 1 and bool(total)) for seat, (total, rank) in lines
    )


def name_seat(match: Match, seat: int) -> str:
    return match.game.sides[seat - 1] if match.game.sides else seat_colour(seat)


def capitalize(text: str) -> str:
    return text[:1].upper() + text[1:]


def describe_lines(match: Match, told: Courses) -> list[str]:
    """The text below the lines: what they show, who led, who left."""
    return [
        SHOWN[match.game.single is not None, match.game.lowest_wins],
        *describe_lead(match, told),
        *describe_leavers(match, told),
    ]


def describe_lead(match: Match, told: Courses) -> list[str]:
    """Who led from when on: "Rows led from move 7 on.", "The lead changed once."."""
    if match.seats == 1:
        return []
    seat, since, changes = match_scores.trace_lead(told, match.game.lowest_wins)
    if not seat:
        ahead = "Nobody is ahead at the end."
    elif not since:
        ahead = f"{capitalize(name_seat(match, seat))} led from start to finish."
    elif since < find_last_move(told):
        ahead = f"{capitalize(name_seat(match, seat))} led from move {since} on."
    else:
        ahead = f"{capitalize(name_seat(match, seat))} took the lead with the last move."
    return [ahead, CHANGED.fill_in(changes)] if changes else [ahead]


def describe_leavers(match: Match, told: Courses) -> list[str]:
    """Who left and after which move, where others played on."""
    at = {seat: len(told[seat - 1]) - 1 for seat in match.withdrawn_seats}
    return [
        (f"{names} left after move {move}." if move else f"{names} left at once.")
        for move, seats in groupby(match.withdrawn_seats, key=lambda seat: at[seat])
        if move < find_last_move(told) and (names := capitalize(join_words(name_seat(match, seat) for seat in seats)))
    ]


def find_last_move(told: Courses) -> int:
    return max(map(len, told)) - 1


def describe_chart(match: Match, told: Courses) -> str:
    """The alternative text of the chart: the number of moves, the final scores, the lead."""
    moves = find_last_move(told)
    finals = join_words(
        [f"{name_seat(match, seat)} {group_digits(score)}" for seat, score in enumerate(match.scores, 1)]
    )
    return " ".join([SCORES.fill_in(moves, finals=finals), *describe_lines(match, told)[1:]])


# Draws pictures in threads, each once for all callers who wait for it (single-flight), and caches the latest.


Result = TypeVar("Result")
Key = tuple[str, Hashable]
"""The key of a drawing: a position, a position with a partial move, or the chart of a match."""

MOST_BYTES = 8_000_000
"""The most bytes of cached pictures: those of some two hundred positions."""

log = logging.getLogger(__name__)


class Renderer:
    """Draws positions off the event loop."""

    def __init__(self, threads: int, metrics: Metrics | None = None) -> None:
        self._threads = ThreadPool(threads)
        self.metrics = metrics or Metrics()
        self._kept: OrderedDict[Key, Drawing] = OrderedDict()
        self._weight = 0
        self._under_way: dict[Key, SingleFlight[Drawing]] = {}

    async def draw(self, game: Game, seen: Position, rank: Rank = Rank.MOVE) -> Drawing:
        """The pictures of a position; `seen` has only what its viewer may know."""
        return await self._draw_once((game.key, seen), lambda: draw_position(game, seen), rank)

    async def draw_board(self, sight: MatchView, rank: Rank = Rank.MOVE) -> Drawing:
        """The pictures of a match as a viewer sees it; at its end the board alone."""
        earlier = sight.before if sight.before and sight.before.round < sight.position.round else None
        key = sight.position, find_large_leg(sight), size_of(sight), earlier
        return await self._draw_once((sight.match.game.key, key), lambda: paint_pictures(list_pictures(sight)), rank)

    async def draw_details(self, sight: MatchView, rank: Rank = Rank.LOOK) -> Drawing:
        """All pictures of a match; at its end also the chart of the scores, if the message can hold it."""
        match = sight.match
        drawing = await self.draw(match.game, sight.position, rank)
        if not match.is_over or not is_chart_visible(sight) or len(drawing.pngs) >= MOST_PICTURES:
            return drawing
        went = match.game.key, (match.options, match.seats, match.standing)
        return drawing + await self._draw_once(went, lambda: draw_score_chart(match), rank)

    async def sketch(
        self, game: Game, seen: Position, seat: Seat, so_far: PartialMove, rank: Rank = Rank.LOOK
    ) -> Drawing:
        """The pictures of a position with a seat's partial move marked on them."""
        return await self._draw_once(
            (game.key, (seen, seat, so_far)), lambda: draw_sketch(game, seen, seat, so_far), rank
        )

    async def draw_foreseen(
        self, game: Game, seen: Position, after: Position, seat: Seat, so_far: PartialMove
    ) -> Drawing:  # fmt: skip
        """The pictures of the position after a seat's move, before it is played."""
        work = partial(make_foreseen_pictures, game, seen, after, seat, so_far)
        return await self._draw_once(
            (game.key, (seen, seat, so_far, "foreseen")), lambda: paint_pictures(work()), Rank.LOOK
        )

    async def _draw_once(self, key: Key, make: Callable[[], Drawing], rank: Rank) -> Drawing:
        """A drawing from the cache or under way, or made now."""
        if kept := self._kept.get(key):
            self._kept.move_to_end(key)
            return kept
        found = self._under_way.get(key)
        if found is None or found.rank > rank:
            # A move does not wait in the queue of reads.
            found = self._under_way[key] = SingleFlight(asyncio.create_task(self._draw(key, make, rank)), rank)
        return await wait_for_result(key, found, self._under_way)

    async def run(self, work: Callable[[], Result], rank: Rank = Rank.MOVE) -> Result:
        """Do work that takes a while, such as listing moves, in a thread."""
        return await self._threads.do(work, rank)

    async def _draw(self, key: Key, make: Callable[[], Drawing], rank: Rank) -> Drawing:
        drawing, seconds = await self._threads.do(partial(run_timed, make, asyncio.get_running_loop().time), rank)
        self.metrics.observe_drawing(seconds)
        self._keep(key, drawing)
        return drawing

    def _keep(self, key: Key, drawing: Drawing) -> None:
        if key not in self._kept:
            self._weight += drawing.weight
        self._kept[key] = drawing
        while self._weight > MOST_BYTES and len(self._kept) > 1:
            _, oldest = self._kept.popitem(last=False)
            self._weight -= oldest.weight

    async def warm_up(self) -> None:
        """Draw every game's first board and its examples, so that the first user waits no longer than the next."""
        await self.run(paint.warm_up, Rank.IDLE)
        for game in load_offered_games().values():
            try:
                for position in await self.run(partial(_list_samples, game), Rank.IDLE):
                    await self.draw(game, position, Rank.IDLE)
            except Exception:
                log.exception("%s cannot be drawn.", game.title)

    def close(self) -> None:
        """Stop the threads."""
        self._threads.close()


def _list_samples(game: Game) -> list[Position]:
    """A game at the start of a match, and the positions of its examples."""
    first, shown = Match.start(game, {}, 2 if 2 in game.seats else game.seats[0]), load_example(game)
    found = (first.position, load_rules_example(game), shown.position if shown else None)
    return [position for position in found if position]


def run_timed(make: Callable[[], Result], clock: Callable[[], float]) -> tuple[Result, float]:
    """The result of some work in this thread, and its seconds."""
    began = clock()
    return make(), clock() - began


def draw_position(game: Game, seen: Position) -> Drawing:
    """Describe and paint the pictures of a position, in this thread."""
    return paint_pictures(game.pictures(seen))


def draw_sketch(game: Game, seen: Position, seat: Seat, so_far: PartialMove) -> Drawing:
    """Describe and paint a position with a seat's partial move, in this thread."""
    return paint_pictures(make_pictures(game, seen, seat, so_far))


def draw_score_chart(match: Match) -> Drawing:
    """Fold the scores of a finished match and paint them, in this thread; no picture where there is nothing to see."""
    found = make_score_chart(match)
    return paint_pictures([found] if found else [])


def paint_pictures(pictures: Sequence[Picture]) -> Drawing:
    return Drawing(tuple(map(Caption.of, pictures)), tuple(paint.encode_png(one) for one in pictures))
