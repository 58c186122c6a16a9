"""The worst case of every game: options at their largest, most seats, a match to its end."""

from __future__ import annotations

import gc
import time
from contextlib import suppress
from functools import partial
from itertools import islice, pairwise
from random import Random

from bot.features.board.match_pictures import draw_position, draw_score_chart
from bot.games.catalogue import load_games
from bot.games.game import Game
from bot.games.moves import SELECT_LIMIT
from bot.games.position import Seat
from bot.play.lessons import load_example
from bot.play.match import Match
from bot.play.records import list_legal_moves
from rendering.painter import paint
from tests.bench.figures import Sheet, effort, percentile
from tests.contract.playing import edge, greedy, playout, records

BUDGET = 3.0
"""Seconds for playing one game; what it has got to by then is looked at."""
MOST_PLIES = 1500
"""Some matches can go on for very long by lot; by then they look as they will look."""
LOOKED_AT, AGAIN = 12, 4
ON_THE_LOOP = 20.0
"""Milliseconds that the event loop may be busy with one move."""
LISTED_WITHIN, DRAWN_WITHIN, PLOTTED_WITHIN = 250.0, 150.0, 1000.0
"""Milliseconds for a listing, for all pictures of a position, and once in a match for how its scores went."""


def longest(game: Game) -> list[Match]:
    """A match at every ply, with options and seats at their maxima."""
    seats = game.seats[-1]
    options = greedy(game, edge(game.Options.bounds(), -1), seats)
    until = time.perf_counter() + BUDGET
    moments = [Match.start(game, options, seats)]
    # What is loaded on first use is loaded by the bot's warming up.
    moments[0].position.scores()
    if warmed := load_example(game):
        warmed.position.scores()
    # Lots do not always find one of few moves that are left; what has been got to by then is looked at.
    with suppress(AssertionError):
        for match in islice(playout(moments[0], Random(game.key)), 1, MOST_PLIES):
            moments.append(match)
            if time.perf_counter() > until:
                break
    return moments


def entering(before: Match, after: Match) -> float:
    """Seconds of work for the last move of a match and the scores after it."""

    def work() -> None:
        before.enter(*after.record[-1]).position.scores()

    return effort(work)


def listing(match: Match, seat: Seat) -> None:
    """List the legal moves of a seat, and what is offered to it while it types."""
    list_legal_moves(match.position, seat)
    list(islice(match.position.suggest(seat, ""), SELECT_LIMIT))


def again(game: Game, match: Match) -> float:
    """The least seconds for drawing a position with nothing painted before, of a few times: caches that others on the
    machine have emptied make a single time up to half as long again."""
    times: list[float] = []
    for _ in range(AGAIN):
        paint.forget()
        times.append(effort(partial(draw_position, game, match.position)))
    return min(times)


def measure(sheet: Sheet) -> None:
    """The figures of each game."""
    sheet.title("Every game with its largest options: the slowest of a match")
    paint.warm_up()
    for game in load_games().values():
        moments = longest(game)
        # Of what is kept for the measurement alone, garbage collection is not part of a drawing; the bot exempts all
        # that it has loaded, too.
        gc.freeze()
        pairs = list(pairwise(moments))
        some = [*moments[:: max(1, len(moments) // LOOKED_AT)], moments[-1]]
        played = [entering(*pair) for pair in pairs[:: max(1, len(pairs) // 200)] + pairs[-3:]]
        sheet.add(f"{game.title}: play and score, {len(pairs)} moves", max(played) * 1e3, "ms", ON_THE_LOOP)
        offered = [effort(partial(listing, match, seat)) for match in some for seat in match.turn]
        sheet.add(f"{game.title}: list the legal moves, and suggest some", max(offered) * 1e3, "ms", LISTED_WITHIN)
        if game.pictures(moments[0].position):
            drawing = [effort(partial(draw_position, game, match.position)) for match in some]
            sheet.add(f"{game.title}: describe, draw, encode (median)", percentile(drawing, 50) * 1e3, "ms")
            slowest = again(game, some[drawing.index(max(drawing))])
            sheet.add(f"{game.title}: describe, draw, encode (slowest)", slowest * 1e3, "ms", DRAWN_WITHIN)
        if game.scored:
            went = effort(partial(draw_score_chart, moments[-1]))
            sheet.add(f"{game.title}: how the scores went", went * 1e3, "ms", PLOTTED_WITHIN)
    sheet.add(*recorded(), "ms", PLOTTED_WITHIN)


def recorded() -> tuple[str, float]:
    """The longest recorded match of all games, and the milliseconds for drawing how its scores went."""
    rows = [(game, row) for game in load_games().values() if game.scored for row in records(game)]
    game, row = max(rows, key=lambda it: len(it[1]["moves"]))
    match = Match.start(game, row.get("options", {}), row["seats"])
    for line in row["moves"]:
        match = match.enter(*line)
    draw_score_chart(match)
    paint.forget()
    name = f"How the scores went in the longest recorded match ({game.title}, {len(row['moves'])} moves)"
    return name, effort(partial(draw_score_chart, match)) * 1e3
