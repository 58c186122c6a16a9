"""Plays for the computer seats: at once after an act that gives them the turn, and by a sweep every few seconds.

Everything is decided from the store, so after a restart the next process goes on. Each match has one job at a time;
while it waits for its turn in the fair queue it holds no resources. Where a job fails, the match is left alone for a
growing backoff, unless a player acts in it.
"""

from __future__ import annotations

import asyncio
import logging
from typing import Protocol

from bot.engine.levels import Thought
from bot.features.board import time_words
from bot.features.board.replies import is_secret_act
from bot.features.computer.service import EnginePool, StaleQuestion
from bot.games.position import MoveError
from bot.platform.jobs import NOBODY, Asker, Backoff, JobPriority, JobQueue
from bot.platform.machine import in_background, loop_time
from bot.play import challenges
from bot.play.challenges import ComputerTurn
from bot.play.ids import MatchId, is_computer
from bot.play.loaded_match import LoadedMatch, Refusal
from bot.umpire.umpire import Umpire
from data.engine.errors import Unavailable
from data.store import Reader

AT_A_LOOK = 200
"""How many matches in which a computer is to move are loaded at once."""
PLACES = 8
"""How many matches found by a poll are handled at a time; after an outage there may be thousands."""
HANDS = 12
"""The most moves in a `PAUSE`. Each is an act and a board: this bounds the moves a second, so that they neither delay
users' own acts nor use up Discord's rate limit."""
PATIENT = 10.0
"""Seconds of waiting for a turn after which the board says that others come first."""
PAUSE = 1.0
"""The least seconds for a move of the computer, so that players see their own before it answers."""
BACKOFF = Backoff(60.0, 3600.0)

log = logging.getLogger(__name__)
steps = logging.getLogger("graphpaper.steps")


class ShowMatch(Protocol):
    """Shows a match soon; a `quiet` act never makes a retry start sooner."""

    def __call__(self, match: MatchId, quiet: bool = False) -> None: ...


class TellWaiting(Protocol):
    """Shows on the board of a match that its computer waits for others; an empty sentence removes that."""

    async def __call__(self, match: MatchId, sentence: str) -> None: ...


class ComputerPlayer:
    def __init__(self, umpire: Umpire, engines: EnginePool, show: ShowMatch, tell: TellWaiting) -> None:
        self.umpire = umpire
        self.engines = engines
        self.show = show
        self.tell = tell
        self.umpire.computes = self.request_move
        self.jobs = JobQueue(self._run_job, BACKOFF, self._warn_failure)
        self._places, self._hands = asyncio.Semaphore(PLACES), asyncio.Semaphore(HANDS)
        self._told = set[MatchId]()
        """The matches that the log has named as failing."""
        self._idle = False
        self._closed = False

    def request_move(self, match: MatchId) -> None:
        """Play in a match now, after an act, when it is a computer's turn."""
        if not self._closed:
            self.jobs.ask(match)

    async def poll(self) -> None:
        """Start a job for each match in which a computer is to move."""
        in_background.set(True)
        due = await self._list_due()
        if due and not self.engines.many:
            self._warn_switched_off(len(due))
            return
        self._told &= set(due)
        for match in self.jobs.rests.keys() - set(due):
            del self.jobs.rests[match]
        for match in due:
            if match not in self.jobs.running and not self.jobs.is_resting(match):
                self.jobs.start(match)

    def _warn_switched_off(self, waiting: int) -> None:
        if not self._idle:
            log.warning("The computer is to move in %d matches, and is switched off (GRAPHPAPER_SEARCHERS).", waiting)
        self._idle = True

    async def _list_due(self) -> list[MatchId]:
        found: list[MatchId] = []
        while some := await self.umpire.store.ask(
            Reader.find_matches_to_think_on, AT_A_LOOK, found[-1] if found else 0
        ):
            found += some
        return found

    async def _run_job(self, match: MatchId) -> None:
        """Play one move in a match if it is a computer's turn. If it is again, the umpire requests the next job."""
        try:
            async with self._places:
                turn = await self._load_turn(match)
            if turn:
                await self._move(turn)
            self._told.discard(match)
        except Unavailable:
            log.warning("The computer waits in match %d: the database cannot be used.", match)

    async def _load_turn(self, match: MatchId) -> ComputerTurn | None:
        if not self.engines.many:
            return None
        loaded = await self.umpire.load(match)
        return challenges.find_computer_turn(loaded) if self.umpire.store.share.holds(loaded.row.guild) else None

    async def _move(self, turn: ComputerTurn) -> None:
        """Think, play, and have it shown. Where the match has changed meanwhile, think anew."""
        match, before = turn.loaded.id, turn.loaded.row.version
        begun = loop_time()
        steps.debug("thinking %d", match)
        try:
            thought = await self._think(turn)
        except StaleQuestion:
            self.jobs.ask(match)
            return
        await asyncio.sleep(begun + PAUSE - loop_time())
        await self._hands.acquire()
        asyncio.get_running_loop().call_later(PAUSE, self._hands.release)
        steps.debug("thought %d", match)
        try:
            done = await self.umpire.move(turn.act, match, turn.user, thought.move, turn.seen, start=turn.loaded)
        except (Refusal, MoveError):
            if (await self.umpire.load(match)).row.version == before:
                raise
            self.jobs.ask(match)
            return
        if done.after.row.version == before:
            raise Refusal("That act was noted already, and the match goes on without it.")
        self.show(match, quiet=is_secret_act(done))

    async def _think(self, turn: ComputerTurn) -> Thought:
        """The computer's move, searched when its asker's turn in the queue comes; after a long wait the board says
        so."""
        match, told = turn.loaded.id, False

        async def still() -> bool:
            return (await self.umpire.load(match)).row.version == turn.loaded.row.version

        asked = self.engines.think(turn.question, JobPriority.MOVE, asker_of(turn.loaded), still)
        finding = asyncio.ensure_future(asked)
        try:
            await asyncio.wait([finding], timeout=PATIENT)
            if not finding.done() and (wait := self.engines.queue.estimate_wait(turn.question)):
                told = True
                await self.tell(match, time_words.describe_wait(*wait, "The computer moves here in about {time}."))
            return await finding
        finally:
            finding.cancel()
            if told:
                await self.tell(match, "")

    def _warn_failure(self, match: MatchId, fault: Exception, _: float) -> None:
        """Log once that the computer cannot move in a match."""
        if match in self._told:
            return
        self._told.add(match)
        # The sentence of a refusal is for players, and may reveal moves.
        trace = None if isinstance(fault, Refusal | MoveError) else fault
        text = "The computer cannot move in match %d (%s), which is left for now."
        log.warning(text, match, type(fault).__name__, exc_info=trace)

    async def settle(self) -> None:
        """Wait until everything that was started has been tried."""
        await self.jobs.settle()

    async def close(self) -> None:
        """Stop; a move that is under way is played after the next start."""
        self._closed = True
        if jobs := self.jobs.cancel():
            await asyncio.wait(jobs)


def asker_of(loaded: LoadedMatch) -> Asker:
    """For whom the computer thinks in a match: its player, of several the one who moved last."""
    people = [player for player in loaded.players if not is_computer(player.user)]
    if not people:
        return Asker(loaded.row.guild, NOBODY.user)
    movers = {player.seat: player.user for player in people}
    last = next((movers[line.seat] for line in reversed(loaded.row.record) if line.seat in movers), None)
    host = loaded.row.host if loaded.row.host in movers.values() else people[0].user
    return Asker(loaded.row.guild, last or host)
