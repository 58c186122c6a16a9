"""The referee of the computer: each of its moves is found again from the record before it, and its processes are gone.

The same question has the same answer, so what it played while it was killed again and again is what it would have
played if nobody had disturbed it.
"""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

from bot.engine.search import answer_question
from bot.features.computer.service import HOME
from bot.games.catalogue import load_games
from bot.play import challenges
from bot.play.ids import MatchId, is_computer, level_of
from bot.play.loaded_match import FoldCache
from bot.play.record import Move
from bot.play.rows import MatchRecordRow
from data.store import Reader, Store

PATIENCE = 10.0
"""Seconds that a process may take to notice that its bot is dead."""


@dataclass
class Referee:
    """What the computer has played in a database, by level, and what of that it should not have played."""

    url: str
    moves: Counter[int] = field(default_factory=Counter[int])

    async def faults(self, matches: list[int]) -> list[str]:
        """The moves that an undisturbed computer would not have made."""
        store = Store(self.url)
        try:
            rows = [await store.ask(Reader.load_match, MatchId(match)) for match in matches]
        finally:
            await store.close()
        return [fault for row in rows if row for fault in await asyncio.to_thread(list, self._of(row))]

    def _of(self, row: MatchRecordRow) -> Iterator[str]:
        for ply, line in enumerate(row.record):
            user = row.user_at(line.seat)
            if user is None or not is_computer(user) or not isinstance(line, Move):
                continue
            before = replace(row, state="live", record=row.record[:ply], plies=ply, paused=None)
            turn = challenges.find_computer_turn(FoldCache(load_games())(before))
            wanted = answer_question(turn.question).move if turn and turn.user == user else "nothing"
            self.moves[level_of(user)] += 1
            if wanted != line.text:
                yield f"match {row.id}: the computer played {line.text} as line {ply + 1}, and would play {wanted}"


def left_running() -> list[str]:
    """Processes that think for a bot that is dead, after a while in which they should have noticed."""
    until = time.monotonic() + PATIENCE
    while (found := list(_orphans())) and time.monotonic() < until:
        time.sleep(0.2)
    return found


def _orphans() -> Iterator[str]:
    for process in Path("/proc").glob("[0-9]*"):
        try:
            command, folder = (process / "cmdline").read_bytes(), (process / "cwd").readlink()
            # Another run's bot may have been started from the same folder, but then it is the parent of its processes.
            parent = (process / "stat").read_text().rpartition(")")[2].split()[1]
            if b"bot.engine.worker" in command and folder == HOME and not _is_bot(parent):
                yield f"process {process.name} goes on thinking without its bot"
        except OSError:
            continue


def _is_bot(process: str) -> bool:
    return b"python" in Path(f"/proc/{process}/cmdline").read_bytes()
