"""Plays matches on pads alone, and counts the taps that a move takes.

`python -m tests.support.pad_taps` prints, for each game, the mean, median and greatest number of taps to a move in the
recorded matches with the usual options, from *Move* to *Play*, both counted; and, in games of two without secrets, of
taps that prepare an answer to it, from *More …* to the answer. It can be typed too, which takes `TYPED` of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import pairwise
from random import Random
from statistics import fmean, median
from typing import NamedTuple

from bot.games.catalogue import load_games
from bot.games.game import Game
from bot.games.moves import MoveKind
from bot.games.position import Position, Seat
from bot.play import partial_moves
from bot.play.match import Match
from bot.play.partial_moves import PartialMove, read_range
from tests.contract.front import LEAVING, check_usual_rows
from tests.contract.playing import records

ENOUGH = 0.4
"""How often a list or a number ends where it may, when taps are drawn by lot."""
MOVE, PLAY = 1, 1
MORE, IF_THEN, TYPE_IT, SUBMIT = 1, 1, 1, 1
TYPED = MORE + IF_THEN + TYPE_IT + SUBMIT
"""To prepare an answer with the keyboard."""


class Taps(NamedTuple):
    """How many taps the moves of a game take, and how many moves were counted."""

    mean: float
    median: float
    most: int
    moves: int


def kinds(game: Game, position: Position, seat: Seat) -> list[MoveKind]:
    """What a seat can do now."""
    return [kind for kind in game.moves if kind.when(position, seat)]


def drawn(
    position: Position, seat: Seat, so_far: PartialMove, rng: Random, enough: float = ENOUGH
) -> Iterator[PartialMove]:
    """A partial move after each of some random taps, until it is whole."""
    yield so_far
    while not so_far.is_whole:
        board = partial_moves.list_keys(position, seat, so_far)
        if board.done and (not board.new_keys or rng.random() < enough):
            so_far = partial_moves.finish_part(position, seat, so_far)
        else:
            assert board.new_keys, f"A dead end after {so_far}"
            so_far = partial_moves.press_key(position, seat, so_far, rng.choice(board.new_keys).sign)
        yield so_far


def towards(position: Position, seat: Seat, kind: MoveKind, move: str) -> Iterator[PartialMove]:
    """A partial move after each tap towards a known move."""
    values = kind.parse(move)
    assert values is not None, f"{move} is no {kind.name}"
    so_far = partial_moves.begin_partial_move(position, seat, kind)
    yield so_far
    while not so_far.is_whole:
        if so_far.current_part.editable_squares:
            steps = list(changing(position, seat, so_far, values[so_far.current_part.name].replace("/", " ").split()))
            yield from steps
            so_far = steps[-1]
            continue
        items = values.get(so_far.current_part.name, "").replace("/", " ").split()
        token = _answer(position, seat, so_far, move) or _next(position, seat, so_far, items)
        before = so_far
        so_far = (
            partial_moves.press_key(position, seat, so_far, token)
            if token
            else partial_moves.finish_part(position, seat, so_far)
        )
        assert so_far != before, f"{token or 'Done'} does not lead from {so_far} to {move}"
        yield so_far


def changing(position: Position, seat: Seat, so_far: PartialMove, wanted: list[str]) -> Iterator[PartialMove]:
    """The next taps towards items that can be changed one by one, or, where most are to change, chosen anew."""
    assert so_far.current_part.editable_squares
    squares, items = so_far.current_part.editable_squares(position), so_far.items
    wrong = [at for at, (item, meant) in enumerate(zip(items, wanted, strict=False)) if item != meant]
    if len(items) < len(squares):
        value, start = wanted[len(items)], so_far
    elif not wrong:
        yield partial_moves.finish_part(position, seat, so_far)
        return
    elif 2 * len(wrong) > 1 + len(squares):
        yield partial_moves.clear_items(position, seat, so_far)
        return
    else:
        at = next((at for at in wrong if wanted[at] not in items), wrong[0])
        value, start = wanted[at], partial_moves.press_key(position, seat, so_far, squares[at])
        yield start
    while start.open_place is not None or start.typed_text or start == so_far:
        token = _next(position, seat, start, [*start.items, value])
        before = start
        start = (
            partial_moves.press_key(position, seat, start, token)
            if token
            else partial_moves.finish_part(position, seat, start)
        )
        assert start != before
        yield start


def _answer(position: Position, seat: Seat, so_far: PartialMove, move: str) -> str:
    """The key that makes the whole move at once; none where no key does."""
    keys = partial_moves.list_keys(position, seat, so_far).keys
    return next((key.sign for key in keys if key.answer and read(position, seat, key.answer) == move), "")


def _next(position: Position, seat: Seat, so_far: PartialMove, items: list[str]) -> str:
    """The key that leads on to these items; none where what is there is to be finished."""
    left = (
        [item for item in items if item not in so_far.items]
        if so_far.current_part.is_ascending
        else items[len(so_far.items) :]
    )
    if not left:
        return ""
    board = partial_moves.list_keys(position, seat, so_far)
    able = [*board.keys, *board.others]
    column = so_far.typed_text if so_far.current_part.kind == "square" else ""
    ending = [key for key in able if key.completes and column + key.token == left[0]]
    leading = ending or [key for key in able if not key.completes and _is_begun(left[0], key.token)]
    assert leading, f"No key leads from {so_far} to {left[0]}"
    return leading[0].sign


def _is_begun(value: str, token: str) -> bool:
    """Whether a value is in a column, or in a range."""
    span = read_range(token)
    return span[0] <= int(value) <= span[1] if span else value[0] == token


def read(position: Position, seat: Seat, so_far: PartialMove) -> str:
    """A whole move in canonical notation."""
    return position.read(seat, so_far.line)


def whole(game: Game, position: Position, seat: Seat, move: str) -> PartialMove:
    """A move as a pad has it when all of it is chosen."""
    kind = kind_of(game, position, seat, move)
    values = kind.parse(move) or {}
    parts = (values.get(part.name, "").replace("/", " ") for part in kind.parts)  # of a grid as on its pad
    return PartialMove(kind, tuple(" ".join(part.split()) for part in parts))


def beyond(game: Game, match: Match, seat: Seat, move: str) -> bool:
    """Whether a number stands in a move that its pad leaves to those who type."""
    kind = kind_of(game, match.position, seat, move)
    values = kind.parse(move) or {}
    tapped = [part.pad_part for part in kind.parts if part.pad_part]
    return any(
        number not in part.completions(match.position, seat, values | {part.name: ""}, "")
        for part in tapped
        for number in re.findall("[0-9]+", values[part.name])
        if part.completions
    )


def recorded(game: Game) -> Iterator[tuple[Match, Seat, str]]:
    """Every move of the recorded matches of a game that its pad can make, with the match before it."""
    for row in records(game):
        match = Match.start(game, row.get("options", {}), row["seats"])
        for seat, text in row["moves"]:
            if text not in LEAVING and not beyond(game, match, seat, text):
                yield match, seat, text
            match = match.enter(seat, text)


def kind_of(game: Game, position: Position, seat: Seat, move: str) -> MoveKind:
    """The kind of a move that is legal now."""
    return next(kind for kind in kinds(game, position, seat) if kind.parse(move) is not None)


def table() -> dict[str, Taps]:
    """For each game the taps of its recorded matches with the usual options."""
    return {key: counted(game) for key, game in load_games().items()}


@cache
def counted(game: Game, most: int = 10_000) -> Taps:
    """The taps of a game's recorded matches with the usual options, on pads alone; of about `most` moves."""
    check_usual_rows(game, records(game))
    counts: list[int] = []
    usual = list(usually(game))
    for match, seat, move in usual[:: max(1, len(usual) // most)]:
        position = match.position.seen_by(seat)
        kind = kind_of(game, position, seat, move)
        steps = list(towards(position, seat, kind, move))
        counts.append(
            MOVE + len(steps) - 1 + behind(position, seat, steps) + (0 if ends(position, seat, steps) else PLAY)
        )
    return Taps(fmean(counts), median(counts), max(counts), len(counts))


def usually(game: Game) -> Iterator[tuple[Match, Seat, str]]:
    """Those of the recorded matches with the usual options."""
    return (each for each in recorded(game) if each[0].options == game.configure({}, each[0].seats))


@cache
def prepared(game: Game, most: int = 10_000) -> Taps:
    """The taps, on pads alone, that prepare the answers of a game's recorded matches; of about so many of them."""
    check_usual_rows(game, records(game))
    pairs = list(answers(game))
    counts = [
        MORE + IF_THEN + sum(to_choose(game, match.position, seat, move) for match, seat, move in pair)
        for pair in pairs[:: max(1, len(pairs) // most)]
    ]
    return Taps(fmean(counts), median(counts), max(counts), len(counts))


def answers(game: Game) -> Iterator[tuple[tuple[Match, Seat, str], tuple[Match, Seat, str]]]:
    """Moves of two with the usual options and the answers to them, which could have been prepared."""
    for first, then in pairwise(usually(game)):
        follows = then[0].record[:-1] == first[0].record
        if first[0].seats == 2 and follows and first[1] != then[1]:
            yield first, then


def to_choose(game: Game, position: Position, seat: Seat, move: str) -> int:
    """The taps of a move on a pad on which it is prepared: its kind is chosen there, and nothing is confirmed."""
    able, kind = kinds(game, position, seat), kind_of(game, position, seat, move)
    steps = list(towards(position, seat, kind, move))
    return (len(able) > 1) + len(steps) - 1 + behind(position, seat, steps)


def ends(position: Position, seat: Seat, steps: Sequence[PartialMove]) -> bool:
    """Whether the last tap was *Play*: what was there was enough, but could have gone on."""
    return len(steps) > 1 and steps[-1] == partial_moves.finish_part(position, seat, steps[-2])


def behind(position: Position, seat: Seat, steps: Sequence[PartialMove]) -> int:
    """How many more taps it takes to find ranges behind the numbers that are mostly used."""
    pairs = zip(steps, steps[1:], strict=False)
    return sum(bool(partial_moves.list_keys(position, seat, one).others and after.typed_range) for one, after in pairs)


def preparable(game: Game) -> bool:
    """Whether moves can be prepared in a game."""
    return not game.secret and 2 in game.seats and any(kind.answered for kind in game.moves)


if __name__ == "__main__":
    print(f"{'game':30}{'mean':>6}{'median':>8}{'most':>6}{'moves':>7}   to prepare an answer (typed: {TYPED})")
    for key, it in table().items():
        of = prepared(load_games()[key]) if preparable(load_games()[key]) else None
        more = f"{of.mean:9.1f}{of.median:6g}{of.most:4}{of.moves:5}" if of else ""
        print(f"{key:30}{it.mean:6.1f}{it.median:8g}{it.most:6}{it.moves:7}{more}")
