"""Promises that what people see and read is true: what was moved last, whose is what, what is usual, and who wins."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import cache
from itertools import islice
from random import Random

from bot.games.game import Game
from bot.games.position import Seat
from bot.play.match import Match
from rendering import pages as rendering_pages
from rendering.shapes import SEAT_INKS, TINT_INKS, Chip, Picture, Shape, inks_of
from tests.contract.drawing import recorded
from tests.contract.playing import attempt, expect, listed, playouts, proposals

MATCHES, OTHERS, TRIED = 2, 6, 40
"""At how many matches it is looked, and how many moves are compared at a moment, of so many that are tried."""
FIRST_SEATS = 3
MARKED = 0.8
"""The least share of moves that are marked; one that changes nothing on the board, a divisor that is chosen, is not."""
FEW = re.compile(r"(?i)\b(few|fewer|fewest|least|lowest|smallest|cheap|cheaply|cheapest)\b")
"""Words of a goal of which less is better."""
USUAL = re.compile(r"\b(?:usual|usually|normally) ([0-9]+)(?: ?[×x] ?([0-9]+))?")
"""A number that is said to be usual, or a grid of so many squares each way."""
BOUNDED = re.compile(r"\b([0-9]+) to ([0-9]+)\b[^0-9]*?\b(?:usually|normally) ([0-9]+)")
"""The bounds of an option with the number that is usual."""


# What is looked at.


@cache
def branched(game: Game) -> tuple[tuple[Match, Seat, tuple[Match, ...]], ...]:
    """Some moments of the shortest recorded matches, each with a seat to move and the match after several moves."""
    rng = Random(game.key)
    matches = sorted((match for match in tuple(recorded(game)) or playouts(game) if len(match) > OTHERS), key=len)
    found: list[tuple[Match, Seat, tuple[Match, ...]]] = []
    for moments in matches[:MATCHES]:
        live = [match for match in moments if match.turn]
        for match in (live[len(live) // 3], live[2 * len(live) // 3], live[-1]):
            seat = match.turn[0]
            tried = (attempt(match, seat, text) for text in _neighbours(match, seat, rng))
            after = {other.record[-1].text: other for other in tried if other}
            found.append((match, seat, tuple(after.values())[:OTHERS]))
    return tuple(found)


def _neighbours(match: Match, seat: Seat, rng: Random) -> Iterable[str]:
    # Moves that are listed beside each other, like different numbers on the same square.
    if match.position.open_to(seat):
        return islice(proposals(match, seat, rng), TRIED)
    moves = listed(match.position, seat)
    first = rng.randrange(max(1, len(moves) - OTHERS))
    return moves[first : first + OTHERS]


@cache
def seen(match: Match, viewer: Seat | None) -> tuple[Picture, ...]:
    """The pictures of a match for a viewer."""
    return match.game.pictures(match.position.seen_by(viewer))


def marked(pictures: tuple[Picture, ...]) -> set[tuple[str, Shape]]:
    """All that stands on gold."""
    return {(one.name, shape) for one in pictures for shape in (*one.base, *one.shapes) if "gold" in inks_of(shape)}


def owners(pictures: tuple[Picture, ...]) -> set[Seat]:
    """The seats whose colours are on the boards, beside the legend."""
    shapes = [shape for one in pictures for shape in (*one.base, *one.shapes) if shape.tag != rendering_pages.SEAT]
    inks = {ink for shape in shapes for ink in inks_of(shape)}
    chips = {shape.seat for shape in shapes if isinstance(shape, Chip)}
    return chips | {at for at, both in enumerate(zip(SEAT_INKS, TINT_INKS, strict=True), 1) if inks & {*both}}


# What is drawn.


def check_the_last_move_is_marked(game: Game) -> None:
    """In a game without secrets, what a move has changed stands on gold, and what the one before changed no longer."""
    if game.secret:
        return
    moves = [(match, other) for match, _, after in branched(game) for other in after if other.turn]
    silent = [other for match, other in moves if not marked(seen(other, None)) - marked(seen(match, None))]
    expect(len(silent) <= (1 - MARKED) * len(moves), (silent or [moves[0][0]])[0], "The last move is not marked.")


def check_owners_differ(game: Game) -> None:
    """On finished boards each of the first seats has a colour of its own; of many some may have nothing there."""
    ends = [moments[-1] for moments in tuple(recorded(game)) or playouts(game) if moments[-1].is_over]
    drawn = {seat for match in ends for seat in owners(seen(match, None))}
    wanted = {*range(1, min(FIRST_SEATS, max(match.seats for match in ends)) + 1)}
    expect(drawn >= wanted, ends[0], f"Of the seats {sorted(wanted)} the boards have the colours of {sorted(drawn)}.")


def check_different_positions_look_different(game: Game) -> None:
    """After different moves a seat sees different pictures; and as a rule different boards, without what is worked out
    and written beside them."""
    blurred: list[list[str]] = []
    for match, seat, after in branched(game):
        alike = _find_alike(seat, after, lambda pictures: pictures)
        expect(not alike, match, f"After {alike} the pictures are the same.")
        blurred += [found] if (found := _find_alike(seat, after, _on_paper)) else []
    expect(2 * len(blurred) <= len(branched(game)), branched(game)[0][0], f"The boards are the same after {blurred}.")


def _find_alike(
    seat: Seat, after: tuple[Match, ...], looks: Callable[[tuple[Picture, ...]], tuple[Picture, ...]]
) -> list[str]:
    """Two moves after which a match differs for a seat, and looks the same to it; none where there are none."""
    drawn: dict[tuple[Picture, ...], Match] = {}
    for match in after:
        other = drawn.setdefault(looks(seen(match, seat)), match)
        if other.position.seen_by(seat) != match.position.seen_by(seat):
            return [other.record[-1].text, match.record[-1].text]
    return []


def _on_paper(pictures: tuple[Picture, ...]) -> tuple[Picture, ...]:
    # Without what is written or tinted beside the moves: sums, counts, the legend.
    bare = (one.without_legend for one in pictures)
    return tuple(replace(one, shapes=tuple(shape for shape in one.shapes if not shape.tag), alt="") for one in bare)


# What is said.


def check_the_goal_says_what_wins(game: Game) -> None:
    """Where the lowest score wins, the goal says so, and nowhere else; and who ranks first has the best score."""
    stated = (game.rules or "").partition("**Goal**")[2].partition("\n\n")[0]
    few = FEW.search(game.goal)
    if game.lowest_wins:
        assert few, f"the lowest score wins, and the goal does not say so: {game.goal!r}"
    else:
        found = few or FEW.search(stated)
        assert not found, f"the highest score wins, and the goal says {found and found[0]!r}: {game.goal!r}"
    if game.scored:
        best = min if game.lowest_wins else max
        for match in (moments[-1] for moments in playouts(game) if not moments[-1].withdrawn_seats):
            firsts = [score for score, rank in zip(match.scores, match.ranks or (), strict=True) if rank == 1]
            wins = f"the {'lowest' if game.lowest_wins else 'highest'} score does not win"
            expect(firsts and firsts[0] == best(match.scores), match, f"By the ranks {wins}: {match.ranks}.")


def check_what_is_usual_is_so(game: Game) -> None:
    """A number that the rules or the helps of options call usual is what some option, of those bounds, usually is."""
    bounds = game.Options.bounds()
    settled = [game.configure({}, seats).to_record() for seats in game.seats]
    usual = {name: {record[name] for record in settled if name in record} for name in bounds}
    every = {value for values in usual.values() for value in values}
    for text in (game.rules or "", *(bound.help for bound in bounds.values())):
        plain = " ".join(text.split())
        for said in USUAL.finditer(plain):
            wrong = [number for number in said.groups() if number and int(number) not in every]
            assert not wrong, f"“{said[0]}” is said of {game.key}, where {usual} is usual"
        for low, high, number in BOUNDED.findall(plain):
            these = [name for name, bound in bounds.items() if (bound.low, bound.high) == (int(low), int(high))]
            right = not these or any(int(number) in usual[name] for name in these)
            assert right, f"{low} to {high}, usually {number} is said of {game.key}, where {usual} is usual"
