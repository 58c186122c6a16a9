"""Draws moves where a game's rules leave them open (a number, a curve), and says which of its secrets come out.

A game that is not here draws its open moves from what it suggests. A mover proposes a move in any form that reading
accepts; it need not be legal, since proposals are made until one is.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from bot.games.notation import Square
from bot.games.position import Seat
from bot.play.match import Match
from bot.play.record import Entry

Mover = Callable[[Match, Seat, Random], str]


def _option(match: Match, name: str) -> int:
    value = match.options.to_record()[name]
    assert isinstance(value, int)
    return value


def least_fitting(match: Match, seat: Seat, rng: Random) -> str:
    """Not-divisors-not-multiples: some square and a small number, or the smallest number that fits the square."""
    size = _option(match, "size")
    square = Square(rng.randrange(size), rng.randrange(size))
    return f"{square} {rng.choice(('least', rng.randint(2, 40)))}"


def walk(match: Match, seat: Seat, rng: Random) -> str:
    """Divisors-multiples-sequence: to any number, by way of 1 where it is not a divisor or a multiple."""
    moves = [entry.text for entry in match.standing if entry.text[0].isdigit()]
    here = int(moves[-1].split()[-1]) if moves else 1
    there = rng.randint(2, _option(match, "r"))
    direct = here != there and (here % there == 0 or there % here == 0)
    return f"{there}" if direct else f"1 {there}"


def grid(match: Match, seat: Seat, rng: Random) -> str:
    """Sums-grid: different numbers, mostly small ones, or done when there is a grid."""
    if any(entry.seat == seat for entry in match.standing) and rng.random() < 0.5:
        return "done"
    size = _option(match, "size")
    numbers = rng.sample(range(1, 2 * size**2), size**2)
    return "grid " + " / ".join(" ".join(map(str, numbers[row * size :][:size])) for row in range(size))


def chord(match: Match, seat: Seat, rng: Random) -> str:
    """Cross-dont-cross: a chord, often between degrees at which three of them meet in a point."""
    step = rng.choice((1, 15, 30, 45))
    return f"{rng.randrange(0, 360, step)}-{rng.randrange(0, 360, step)}"


def curve(match: Match, seat: Seat, rng: Random) -> str:
    """Within-the-curve: a rectangle, or one without a corner of it, from any of its corners in either direction."""
    size = _option(match, "size")
    left, right = sorted(rng.sample(range(size), 2))
    top, bottom = sorted(rng.sample(range(size), 2))
    middle, waist = rng.randint(left, right), rng.randint(top, bottom)
    notched = left < middle < right and top < waist < bottom
    inner = [(right, waist), (middle, waist), (middle, bottom)] if notched else [(right, bottom)]
    corners = [(left, top), (right, top), *inner, (left, bottom)]
    first = rng.randrange(len(corners))
    turned = [*corners[first:], *corners[:first]][:: rng.choice((1, -1))]
    return "curve " + " ".join(str(Square(*corner)) for corner in turned)


MOVERS: dict[str, Mover] = {
    "not-divisors-not-multiples": least_fitting,
    "divisors-multiples-sequence": walk,
    "sums-grid": grid,
    "cross-dont-cross": chord,
    "within-the-curve": curve,
}


def _curve_is_out(match: Match, entry: Entry) -> bool:
    # The curves become known to all when the last one is drawn.
    drawing = any(match.position.open_to(seat) for seat in match.turn)
    return not drawing and entry.text.startswith("curve")


DISCLOSED: dict[str, Callable[[Match, Entry], bool]] = {"within-the-curve": _curve_is_out}
"""Whether a veiled move has become known to all by now, before the end of the match."""
