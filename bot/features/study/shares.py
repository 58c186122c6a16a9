"""A finished match as a text to be copied anywhere: at most eight lines, with a picture of coloured squares."""

from __future__ import annotations

from collections.abc import Sequence

from bot.features.board.words import CHIPS, describe_outcome, format_mention, format_player, format_scores
from bot.games.wording import Plural
from bot.play.loaded_match import LoadedMatch
from bot.play.match import Match, find_leader, trace_scores
from bot.play.record import Move

ACROSS = 10
"""Squares in a row: the longest bar, and the moments at which it is said who led. More do not fit a phone."""
MOST_LINES = 8
HEAD = Plural("{title}, {number} move", "{title}, {number} moves")
LED, NOBODY_LED = "led: {squares}", "⬜"
"""Who led at ten moments of the match, a square of the leader's colour for each."""


def format_share(loaded: LoadedMatch) -> str:
    """How a match ended, who led when, and a bar for each player's score, the best of many; without scores, who made
    the last moves."""
    match = loaded.begun_match
    moves = [line.seat for line in match.standing if isinstance(line, Move)]
    lines = [HEAD.fill_in(len(moves), title=loaded.game.title), describe_outcome(loaded)]
    if not match.game.scored:
        lines.append(" ".join(format_player(loaded, seat) for seat in range(1, match.seats + 1)))
        rest = moves[-ACROSS * (MOST_LINES - len(lines)) :]
        return "\n".join([*lines, *("".join(map(_chip, rest[at : at + ACROSS])) for at in range(0, len(rest), ACROSS))])
    bars = _draw_bars(loaded)
    led = [_draw_lead(match)] if match.seats > 1 else []
    most = MOST_LINES - len(lines)
    return "\n".join([*lines, *(led if len(led) + len(bars) <= most else []), *bars[:most]])


def _chip(seat: int) -> str:
    return CHIPS[seat - 1]


def _draw_lead(match: Match) -> str:
    """The leader's square at evenly spaced moments, the last one at the end."""
    told = trace_scores(match)
    last = max(map(len, told)) - 1
    moments = [last * at // ACROSS for at in range(1, ACROSS + 1)] if last >= ACROSS else range(1, last + 1)
    leaders = (find_leader(told, moment, match.game.lowest_wins) for moment in moments)
    return LED.format(squares="".join(_chip(seat) if seat else NOBODY_LED for seat in leaders))


def _draw_bars(loaded: LoadedMatch) -> Sequence[str]:
    """A bar for each player, the winner's first, as long as the score is beside the highest one."""
    match = loaded.begun_match
    highest = max(*match.scores, loaded.best or 0, 1)
    said, ranks = format_scores(loaded.game, match.scores), match.ranks or ()
    order = sorted(range(1, match.seats + 1), key=lambda seat: ranks[seat - 1])
    lengths = {seat: -(-max(0, match.scores[seat - 1]) * ACROSS // highest) for seat in order}
    return [
        " ".join(filter(None, (_chip(seat) * lengths[seat], format_mention(loaded, seat), said[seat - 1])))
        for seat in order
    ]
