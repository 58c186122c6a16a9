"""Handles one engine process for `engine_pool`: asks it, reads its answer, and ends it when it hangs or talks nonsense.

The process gets nothing of the bot's environment but the path of programs, so it never sees the token.
"""

from __future__ import annotations

import asyncio
import os
import pickle
import signal
import sys
from asyncio.subprocess import PIPE, Process
from contextlib import suppress
from pathlib import Path
from typing import Any

import bot
from bot.search.thoughts import Failure, Question, Thought

COMMAND = (sys.executable, "-m", "bot.search.worker")
HOME = Path(bot.__file__).parent.parent
NEEDED = ("PATH", "LD_LIBRARY_PATH", "PYTHONHOME", "PYTHONPATH")
"""What of the environment a Python may need to be found and to find its parts."""
LENGTH, LONGEST = 4, 1 << 26
"""Bytes of a length, and of an answer at most."""
STILL = 30.0
"""Seconds in which a process that searches must have used some processor time, or it hangs. It yields to all others, so
on a busy machine that may be little; how much it may take in all is its own to see to."""
LITTLE = 5
"""Ticks, of a hundred a second as a rule, that are as good as nothing."""
UNSEEN = 10
"""So many times as long is waited where the system does not tell what a process has used."""
WORDS = 2000
"""Bytes of the last that a process says on its standard error."""


class Lost(Exception):
    """A search is lost: its process is dead, hangs, or gives an unreadable answer."""


class EngineProcess:
    """A process that thinks."""

    def __init__(self, process: Process) -> None:
        self.process = process
        self._said = b""
        self._listening = asyncio.create_task(self._listen())

    @classmethod
    async def start(cls, command: tuple[str, ...] = COMMAND) -> EngineProcess:
        """Start one, or `Lost`; in a session of its own, so that who ends the bot in a terminal does not meet it."""
        given = {name: os.environ[name] for name in NEEDED if name in os.environ}
        # Sets of texts have the same order in every process, or equal questions might have other answers.
        given |= {"PYTHONHASHSEED": "0"}
        try:
            process = await asyncio.create_subprocess_exec(
                *command, stdin=PIPE, stdout=PIPE, stderr=PIPE, cwd=HOME, env=given, start_new_session=True
            )
        except OSError as fault:
            raise Lost(f"it could not be started, {type(fault).__name__}") from fault
        return cls(process)

    @property
    def alive(self) -> bool:
        """Whether it is not known to have ended."""
        return self.process.returncode is None

    async def ask(self, question: Question) -> Thought | Failure:
        """The answer to a question, or `Lost`, after which it is of no more use."""
        assert self.process.stdin
        message = pickle.dumps(question)
        try:
            self.process.stdin.write(len(message).to_bytes(LENGTH) + message)
            await self.process.stdin.drain()
        except OSError as fault:
            raise Lost(await self._end()) from fault
        reading = asyncio.create_task(self._read())
        try:
            await self._watched(reading)
        finally:
            reading.cancel()
        return await reading

    async def _watched(self, reading: asyncio.Task[Any]) -> None:
        """Wait for an answer as long as the process works."""
        spent, still = ticks(self.process.pid), 0
        while not (await asyncio.wait((reading,), timeout=STILL))[0]:
            before, spent = spent, ticks(self.process.pid)
            if before is not None and spent is not None:
                still = still + UNSEEN if spent - before < LITTLE else 0
            else:
                still += 1
            if still >= UNSEEN:
                raise Lost("it hangs")

    async def _read(self) -> Thought | Failure:
        assert self.process.stdout
        try:
            length = int.from_bytes(await self.process.stdout.readexactly(LENGTH))
            if length > LONGEST:
                raise Lost("it answers at any length")
            found: object = pickle.loads(await self.process.stdout.readexactly(length))
        except (asyncio.IncompleteReadError, OSError) as fault:
            raise Lost(await self._end()) from fault
        except Lost:
            raise
        except Exception as fault:
            raise Lost(f"its answer cannot be read, {type(fault).__name__}") from fault
        if not isinstance(found, Thought | Failure):
            raise Lost(f"it answers with {type(found).__name__}")
        return found

    async def _end(self) -> str:
        """How it came to its end, with the last line it said."""
        self._kill()
        status = await self.process.wait()
        await asyncio.wait((self._listening,))
        lines = self._said.decode(errors="replace").split("\n")
        last = next((line.strip() for line in reversed(lines) if line.strip()), "")
        said = f"it ended with status {status} and said {last[:200]!r}"
        return said if last else f"it ended with status {status}"

    def _kill(self) -> None:
        # Its own `kill` would look first whether it has ended, and take its status away from who waits for it.
        if self.alive:
            with suppress(ProcessLookupError):
                os.kill(self.process.pid, signal.SIGKILL)

    async def _listen(self) -> None:
        assert self.process.stderr
        while said := await self.process.stderr.read(WORDS):
            self._said = (self._said + said)[-WORDS:]

    async def close(self) -> None:
        """End it: it holds nothing that could be lost."""
        self._kill()
        assert self.process.stdout and self.process.stdin
        self.process.stdin.close()
        await self.process.wait()
        await asyncio.wait((self._listening,))
        await self.process.stdout.read()


def ticks(process: int) -> int | None:
    """How much processor time a process has used, on systems that tell."""
    try:
        # Behind the name, which is in brackets and may hold anything: state is the third field, times are 14 and 15.
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
        return int(fields[11]) + int(fields[12])
    except (OSError, ValueError, IndexError):
        return None
