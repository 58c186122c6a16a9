"""Holds what hints say beside what became of it: of those said to be ahead or behind, how many won.

The match goes on with the move that was found, and then both sides play at a lower level.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from random import Random
from typing import NamedTuple

from bot.core.game.game import Game
from bot.search.levels import budget, highest
from bot.search.thinking import think
from bot.search.values import margins, results
from bot.service.analysis.hints import worth

ASKED, PLAYED = 5, 3
"""At which level a hint is found, and at which the match goes on."""
MOMENTS, LONGEST = 3, 250
"""How often a hint is asked for in a match, and after how many moves a match counts as it stands."""


class Said(NamedTuple):
    """What a hint said, by how much its seat was expected to be ahead, and by how much it was in the end."""

    words: str
    expected: float
    came: float


def hinted(game: Game, number: int) -> Iterator[Said]:
    """What was said in one match, and what became of it."""
    position, asked = game.start(game.configure({}, 2), 2), list[tuple[int, str, float]]()
    low = min(PLAYED, highest(game, position))
    moments = Random(f"{game.key}:{number}").sample(range(max(8, game.plies)), MOMENTS)
    for ply in range(LONGEST):
        if not position.turn:
            break
        seat = position.turn[0]
        level = ASKED if ply in moments else low
        found = think(position, seat, game.mind, budget(game, position, level), f"{number}:{ply}")
        if ply in moments:
            asked.append((seat, worth(game, found), found.value))
        position = position.play(seat, found.move)
    came = margins(results(position, game.mind))
    for seat, words, expected in asked:
        kind = "for certain" if words.startswith("For certain") else words or "(nothing)"
        yield Said(kind, expected, came[seat - 1])


def table(said: Iterable[Said]) -> Iterator[str]:
    """For each sentence how often it was said, and what share of the matches was won; of a tie, a half."""
    by_words: dict[str, list[float]] = defaultdict(list)
    for one in said:
        by_words[one.words].append(0.5 + 0.5 * ((one.came > 0) - (one.came < 0)))
    for words, won in sorted(by_words.items()):
        yield f"| {words} | {len(won)} | {sum(won) / len(won):.2f} |"
