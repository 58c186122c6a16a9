"""The computer without a process: it answers in the event loop, as fast as the simulation says."""

from __future__ import annotations

import asyncio

from bot.search.thinking import answer
from bot.search.thoughts import Failure, Question, Thought


class InlineEngine:
    """An engine that searches where it stands."""

    alive = True

    @classmethod
    async def start(cls) -> InlineEngine:
        """Start one."""
        return cls()

    async def ask(self, question: Question) -> Thought | Failure:
        """The answer to a question."""
        await asyncio.sleep(0)
        return answer(question)

    async def close(self) -> None:
        """End it."""
        self.alive = False
