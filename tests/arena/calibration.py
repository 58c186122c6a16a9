"""Holds what hints and reviews say beside what became of it: of those said to be ahead, how many won; of chances in
percent, what share was won; of margins, whether they came.

A match goes on with the move that a hint found, and then both sides play at a lower level. Where a hint is certain, its
match is also played on by two who do not err.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from random import Random
from typing import NamedTuple

from bot.engine.exact import compute_margins, compute_results
from bot.engine.levels import find_highest_level, make_thorough_budget
from bot.engine.search import think
from bot.games.game import Game
from bot.games.mind import Budget
from bot.games.position import Position
from bot.play.hints import describe_value
from bot.play.match import Match
from tests.arena.blunders import reviewed

ASKED, PLAYED = 5, 3
"""At which level a hint is found, and at which the match goes on."""
MOMENTS, LONGEST = 3, 250
"""How often a hint is asked for in a match, and after how many moves a match counts as it stands."""
UNERRING = Budget(playouts=2, nodes=500_000, others=False)
"""What two who do not err look at."""
FEW = 1_000
"""Nodes for a position of a review: chances are said where nothing is solved."""
BAND = 10
"""Chances are put together that lie within so many percent."""


class Said(NamedTuple):
    """What was said, by how much its seat was expected to be ahead, and by how much it was in the end; after words that
    are certain also if nobody erred."""

    words: str
    expected: float
    came: float
    unerring: float | None = None


def hinted(game: Game, number: int) -> Iterator[Said]:
    """What was said in one match, and what became of it."""
    position, asked = game.start(game.configure({}, 2), 2), list[tuple[int, str, float, float | None]]()
    low = min(PLAYED, find_highest_level(game, position))
    moments = Random(f"{game.key}:{number}").sample(range(max(8, game.plies)), MOMENTS)
    for ply in range(LONGEST):
        if not position.turn:
            break
        seat = position.turn[0]
        level = ASKED if ply in moments else low
        found = think(position, seat, game.mind, make_thorough_budget(game, position, level), f"{number}:{ply}")
        if ply in moments:
            best = unerring(game, position.play(seat, found.move))[seat - 1] if found.exact else None
            asked.append((seat, describe_value(game, found), found.value, best))
        position = position.play(seat, found.move)
    came = compute_margins(compute_results(position, game.mind))
    for seat, words, expected, best in asked:
        kind = "for certain" if best is not None else words or "(nothing)"
        yield Said(kind, expected, came[seat - 1], best)


def unerring(game: Game, position: Position) -> tuple[float, ...]:
    """By how much each is ahead at the end when both play the best that can be proved."""
    while position.turn:
        position = position.play(
            position.turn[0], think(position, position.turn[0], game.mind, UNERRING, "unerring").move
        )
    return compute_margins(compute_results(position, game.mind))


def charted(game: Game, number: int) -> Iterator[Said]:
    """What a review says of seat 1's chances before each move of a match that is not certain, and what came."""
    match = Match.start(game, {}, 2)
    while not match.is_over:
        seat, position = match.turn[0], match.position
        allowed = make_thorough_budget(game, position, min(PLAYED, find_highest_level(game, position)))
        match = match.play(
            seat, think(position, seat, game.mind, allowed, f"{game.key}:{number}:{len(match.record)}").move
        )
    review, _ = reviewed(match, FEW)
    came = compute_margins(compute_results(match.position, game.mind))[0]
    for chance in review.courses[0][: None if review.certain is None else review.certain - review.first]:
        band = min(chance // BAND, 9) * BAND
        yield Said(f"{band} to {band + BAND} %", chance, came)


def table(said: Iterable[Said]) -> Iterator[str]:
    """For each sentence how often it was said, and what share of the matches was won; of a tie, a half. Of margins that
    are certain also how many came if nobody erred."""
    by_words: dict[str, list[Said]] = defaultdict(list)
    for one in said:
        by_words[one.words].append(one)
    for words, each in sorted(by_words.items()):
        won = sum(0.5 + 0.5 * ((one.came > 0) - (one.came < 0)) for one in each) / len(each)
        true = [one.unerring == one.expected for one in each if one.unerring is not None]
        yield f"| {words} | {len(each)} | {won:.2f} |" + (f" margins that came: {sum(true)}" if true else "")
