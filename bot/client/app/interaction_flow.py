"""Runs every interaction from its arrival to its answer: times it, checks it, calls its callback, and turns errors
into a sentence.

In discord.py an error while reading one event ends the whole connection, and so the bot. Here such an event is left
out, with a line in the log; if it is an interaction, its author is told. Commands and autocompletion come through
discord.py's command tree, buttons and forms through `on_interaction`. Both end here, so that every error becomes one
ephemeral message. `before_callback` has the checks.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, MutableMapping
from functools import partial
from typing import Any

import aiohttp
import discord
from discord import app_commands
from discord.http import Route

from bot.client.app.before_callback import BeforeCallback
from bot.client.app.select_answers import SelectAnswers
from bot.client.interactions.context import Interaction, act_of, is_ephemeral
from bot.client.interactions.errors import UNREAD, note_unanswered, sentence, unanswerable
from bot.client.interactions.rate_limit import Gate, TooFast, Unheard, is_typing
from bot.client.interactions.response_deadline import FAULT, TooLate, counted, mark, unanswered_for
from bot.client.runtime.metrics import Metrics
from bot.client.views import edits, replies
from bot.client.views.replies import Replies
from bot.core.game.position import MoveError
from bot.core.match.loaded_match import Refusal
from bot.service.rules.refusals import Returned
from data.engine.commit_watch import watching_commits
from data.engine.database_errors import Unavailable, Unusable, reason
from data.store import Reader, Store

REFUSED = "The database could not be used, and %d requests were refused: %s."
DROPPED = "%d requests came too late for an answer and were dropped, the last one %s."
"""Lines for the host, with the number of requests and the latest cause."""
WARNED_EVERY = 60.0
"""Seconds between two lines of a kind."""

INTERACTION, READY = "INTERACTION_CREATE", "READY"
"""READY alone is not left out: without it there is nothing to serve."""
CALLBACK = "/interactions/{interaction_id}/{interaction_token}/callback"
AUTOCOMPLETE, MESSAGE, CHOICES, EPHEMERAL = 4, 4, 8, 64

Parse = Callable[[Any], Any]

UNDELIVERED = discord.HTTPException, discord.RateLimited, aiohttp.ClientError, OSError, TimeoutError
"""With what an answer fails that Discord does not take, or never gets."""

log = logging.getLogger(__name__)


class InteractionFlow:
    """Passes interactions through the checks and gives each an answer `within` so many seconds."""

    def __init__(
        self, gate: Gate, checks: BeforeCallback, replies: Replies, selects: SelectAnswers, store: Store,
        metrics: Metrics, within: float,
    ) -> None:  # fmt: skip
        self.gate = gate
        self.checks = checks
        self.replies = replies
        self.selects = selects
        self.store = store
        self.metrics = metrics
        self.within = within
        self.refused, self.dropped = WarningTally(REFUSED), WarningTally(DROPPED)

    async def answer(self, interaction: Interaction, callback: Callable[[], Awaitable[None]]) -> None:
        """Run the checks and the callback of a button or a form."""

        async def checked() -> None:
            await self.checks(interaction)
            await callback()

        await self.in_time(interaction, checked)

    async def in_time(self, interaction: Interaction, work: Callable[[], Awaitable[None]]) -> None:
        """Do the work within the time that Discord gives for an answer, and explain what goes wrong.

        An interaction that comes too late is dropped. (discord.py itself would try for half a minute.)
        """
        with counted(self.metrics, interaction), watching_commits():
            try:
                left = self.gate.expect_in_time(interaction, self.within)
                async with unanswered_for(interaction, left):
                    await work()
            except TooLate as late:
                log.debug("Interaction %d was dropped: %s", interaction.id, late)
                mark(interaction, late)
                self.dropped.note(late)
            except Exception as fault:
                await self.explain(interaction, fault)
            finally:
                self.gate.leave(interaction)
                if isinstance(fault := interaction.extras.get(FAULT), Unavailable):
                    self.refused.note(fault)

    async def explain(self, interaction: Interaction, fault: BaseException) -> None:
        """Answer an interaction with the sentence for what went wrong, visible to its author alone; what was chosen in
        a select can be chosen again."""
        if unanswerable(fault):
            note_unanswered(fault)
            return
        mark(interaction, fault)
        if isinstance(fault, Unheard):
            return
        try:
            async with asyncio.timeout(self.within), self.gate.refusing(fault):
                if not await self._repeated(interaction, fault):
                    await self._explain(interaction, fault)
        except Exception as late:
            if unanswerable(late):
                note_unanswered(late)
                return
            if not isinstance(
                late, discord.HTTPException | discord.RateLimited | aiohttp.ClientError | OSError | TimeoutError
            ):
                raise
            log.warning("A refusal could not be delivered: %s", str(late) or type(late).__name__)
        finally:
            self.selects.reset(interaction, fault)

    async def _repeated(self, interaction: Interaction, fault: BaseException) -> bool:
        """Whether this repeats an act that is committed: its first delivery sends the answer."""
        if not isinstance(fault, MoveError | Refusal) or isinstance(fault, TooFast):
            return False
        try:
            return await self.store.ask(Reader.seen, act_of(interaction)) is not None
        except Unavailable:
            return False

    async def _explain(self, interaction: Interaction, fault: BaseException) -> None:
        text = sentence(fault, interaction)
        if is_typing(interaction):
            await interaction.response.autocomplete([])
        elif seated := replies.stale_match(fault):
            await self.replies.own_board(interaction, seated, text, edit=is_ephemeral(interaction))
        elif isinstance(fault, Returned):
            await replies.hand_back(interaction, fault, text)
        elif await self.selects.refused(interaction, fault, text):
            return
        else:
            await edits.answer_anew(interaction, text)

    def close(self) -> None:
        """Write what is not in the log yet."""
        self.refused.close()
        self.dropped.close()


class FlowTree(app_commands.CommandTree[Any]):
    """discord.py's command tree, led through the flow; its check is the only one that autocompletion gets."""

    flow: InteractionFlow

    async def interaction_check(self, interaction: Interaction, /) -> bool:
        """Let an interaction through, or answer it with the refusal."""
        try:
            await self.flow.checks(interaction)
        except Exception as fault:
            # Nobody sees what is raised here: discord.py hands only its own errors to `on_error`.
            await self.flow.explain(interaction, fault)
            return False
        return True

    async def _call(self, interaction: Interaction) -> None:
        """Run a command or an autocompletion, in time."""
        await self.flow.in_time(interaction, lambda: super(FlowTree, self)._call(interaction))

    async def on_error(self, interaction: Interaction, error: app_commands.AppCommandError, /) -> None:
        """Explain what a command raised."""
        cause = error.original if isinstance(error, app_commands.CommandInvokeError) else error
        await self.flow.explain(interaction, cause)


class WarningTally:
    """Logs the first request of a kind at once, and those of the next minute in one line, with the latest cause."""

    def __init__(self, line: str) -> None:
        self.line = line
        self.count, self.cause = 0, ""
        self.next: asyncio.TimerHandle | None = None

    def note(self, fault: Exception) -> None:
        """Count a request."""
        self.count += 1
        self.cause = (str(fault) if isinstance(fault, Unusable) else reason(fault)).rstrip(".")
        if self.next is None:
            self._write()

    def _write(self) -> None:
        self.next = asyncio.get_running_loop().call_later(WARNED_EVERY, self._write) if self.count else None
        self._flush()

    def _flush(self) -> None:
        if self.count:
            log.warning(self.line, self.count, self.cause)
        self.count = 0

    def close(self) -> None:
        """Write what is not in the log yet."""
        if self.next:
            self.next.cancel()
        self._flush()


# What discord.py reads.


def guard(client: discord.Client, parsers: MutableMapping[str, Parse], within: float) -> None:
    """Let no event end the connection that these parsers serve; an answer is given `within` so many seconds."""
    for name, parse in parsers.items():
        if name == INTERACTION:
            parsers[name] = Interactions(client, parse, within)
        elif name != READY:
            parsers[name] = partial(read, name, parse)


def read(name: str, parse: Parse, data: Any) -> bool:
    """Have an event read; False, and a line in the log, if that cannot be done."""
    try:
        parse(data)
    except Exception as fault:
        log.warning("An event of Discord's cannot be read and is left out: %s (%s).", name, type(fault).__name__)
        return False
    return True


class Interactions:
    """Has interactions read, and answers what cannot be."""

    def __init__(self, client: discord.Client, parse: Parse, within: float) -> None:
        self.client = client
        self.parse = parse
        self.within = within
        self.answers: set[asyncio.Task[None]] = set()

    def __call__(self, data: Any) -> None:
        """Read an interaction, or have somebody told that it could not be."""
        if read(INTERACTION, self.parse, data):
            return
        task = asyncio.create_task(self._answer(data), name="unread")
        self.answers.add(task)
        task.add_done_callback(self.answers.discard)

    async def _answer(self, data: Any) -> None:
        try:
            route = Route("POST", CALLBACK, interaction_id=int(data["id"]), interaction_token=str(data["token"]))
            typing = data.get("type") == AUTOCOMPLETE
        except (AttributeError, KeyError, TypeError, ValueError):
            return  # nobody can be answered
        said: dict[str, Any] = {"choices": []} if typing else {"content": UNREAD, "flags": EPHEMERAL}
        try:
            async with asyncio.timeout(self.within):
                await self.client.http.request(route, json={"type": CHOICES if typing else MESSAGE, "data": said})
        except (discord.HTTPException, discord.RateLimited, OSError, TimeoutError) as late:
            if not unanswerable(late):
                log.warning("A refusal could not be delivered: %s", " ".join(str(late).split()))
