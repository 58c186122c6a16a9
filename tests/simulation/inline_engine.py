"""The computer without a process: it answers in the event loop, as fast as the simulation says."""

from __future__ import annotations

import asyncio

from bot.engine.levels import SearchFailure, SearchQuestion, Thought
from bot.engine.search import answer_question


class InlineEngine:
    """An engine that searches where it stands."""

    alive = True

    @classmethod
    async def start(cls) -> InlineEngine:
        """Start one."""
        return cls()

    async def ask(self, question: SearchQuestion) -> Thought | SearchFailure:
        """The answer to a question."""
        await asyncio.sleep(0)
        return answer_question(question)

    async def close(self) -> None:
        """End it."""
        self.alive = False
