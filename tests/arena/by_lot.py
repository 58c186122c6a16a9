"""Measures what each level loses beside moves by lot, on the very positions in which the moves of people are judged:
late in matches on usual boards, here of the first level against itself."""

from __future__ import annotations

import time
from collections.abc import Iterator
from statistics import fmean, stdev
from typing import NamedTuple

from bot.engine.levels import Thought, make_budget
from bot.engine.search import answer_question, think
from bot.games.game import Game
from bot.games.position import LEVELS, Position
from bot.play import reviews
from bot.play.match import Match

TRIES = {1: 8, 2: 4, 3: 3, 4: 2, 5: 1, 6: 1}
"""How often each level thinks about a position, each time with other lots."""
LONGEST = 300


class Judged(NamedTuple):
    """A position, and what is known of all its moves."""

    position: Position
    thought: Thought

    @property
    def by_lot(self) -> float:
        """What a move by lot loses."""
        return fmean(self.thought.value - line.value for line in self.thought.table)

    def lost(self, game: Game, level: int, seed: str) -> float | None:
        """What a level loses; None where its move is not among those that can be best."""
        position, seat = self.position, self.position.turn[0]
        move = think(position, seat, game.mind, make_budget(game, position, level), seed).move
        return next((self.thought.value - line.value for line in self.thought.table if line.move == move), None)


def positions(game: Game, matches: int) -> Iterator[Judged]:
    """The positions that are judged in so many matches, always the same."""
    for number in range(matches):
        match = _played(game, number)
        work = reviews.judge_match(match, number, 0, (1, 2))
        asked, thought = next(work, None), None
        while asked:
            thought = answer_question(asked)
            solved = thought.exact and thought.nodes < asked.budget.nodes
            if asked.budget.others and solved and thought.nodes >= reviews.TRIVIAL:
                yield Judged(asked.position, thought)
            try:
                asked = work.send(thought)
            except StopIteration:
                break


def _played(game: Game, number: int) -> Match:
    match = Match.start(game, {}, 2)
    while match.turn and len(match.record) < LONGEST:
        seat, position = match.turn[0], match.position
        seed = f"by lot:{number}:{len(match.record)}"
        match = match.play(seat, think(position, seat, game.mind, make_budget(game, position, 1), seed).move)
    return match


def line(game: Game, matches: int) -> str:
    """A row of the table: what a move by lot loses, which part of that each level does, and how far single moves of
    the middle ones lie from that."""
    begun = time.process_time()
    found = [one for one in positions(game, matches) if one.by_lot]
    if len(found) < matches:
        return f"{game.key:<29}too little is solved on the usual board"
    judged, by_lot = time.process_time() - begun, fmean(one.by_lot for one in found)
    parts, spread = list[float](), list[float]()
    for level in LEVELS:
        tries = [
            (one.by_lot, lost)
            for at, one in enumerate(found)
            for number in range(TRIES[level])
            if (lost := one.lost(game, level, f"{at}:{number}:{level}")) is not None
        ]
        part = sum(lost for _, lost in tries) / sum(lot for lot, _ in tries)
        parts.append(part)
        if 1 < level < 5:
            spread.append(stdev((lost - part * lot) / by_lot for lot, lost in tries))
    told = " ".join(f"{part:5.2f}" for part in parts)
    return (
        f"{game.key:<29}{len(found):4} by lot {by_lot:6.2f}  levels {told}  spread {fmean(spread):.2f} {judged:4.0f} s"
    )
