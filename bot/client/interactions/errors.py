"""Turns an error into the sentence that its user reads."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Coroutine
from functools import wraps
from typing import Any, Concatenate, ParamSpec, TypeVar

import aiohttp
import discord
from discord import app_commands

from bot.client.interactions.context import Interaction
from bot.client.interactions.response_deadline import mark
from bot.client.runtime import error_codes
from bot.client.runtime.error_codes import Code, Route, Then, entry, follows, is_code
from bot.core.game.options import BadOptions
from bot.core.game.position import MoveError
from bot.core.match.loaded_match import Refusal
from data.engine.commit_watch import may_be_written
from data.engine.database_errors import Unavailable, Uncertain, Unusable

ANSWERS = ("/interactions/", "/webhooks/")
"""What is in the paths of answers."""
SESSION_CLOSED = "Session is closed"
"""With what aiohttp, which has no class for it, refuses a request of a bot that has stopped."""
LOUD = re.compile("@(?=everyone|here|&)")
"""What begins a mention of many, which somebody may have typed and a refusal repeats."""
SORRY = "Something went wrong on my side. Everything played so far is safe; try again in a moment."
BUSY = "I can't save moves right now. Nothing was played; try again in a minute."
SLOW = "That took too long, and I can't tell whether it counted. Use /match board to see the match."
UNDONE = "That took too long, and nothing was changed. Try again in a moment."
UNREAD = "I couldn't make sense of what Discord sent. Close Discord, open it again and try once more."
CHANGED = "This command has changed since you opened Discord. Close Discord, open it again and try once more."
DELETED = "The message you used was deleted before I could answer. Use /match board to see the match."
NOT_HERE = "That person isn't in this server. You can only challenge members."

P = ParamSpec("P")
S = TypeVar("S")
T = TypeVar("T")
Suggest = Callable[Concatenate[S, Interaction, P], Coroutine[Any, Any, list[T]]]
"""A method that suggests values while somebody types."""

log = logging.getLogger(__name__)


class Unread(Refusal):
    """Something was sent in a form that Discord does not send."""

    def __init__(self) -> None:
        super().__init__(UNREAD)


def suggesting(complete: Suggest[S, P, T]) -> Suggest[S, P, T]:
    """Suggest nothing while the database cannot be used; discord.py would write a traceback at every key."""

    @wraps(complete)
    async def completed(self: S, interaction: Interaction, *given: P.args, **named: P.kwargs) -> list[T]:
        try:
            return await complete(self, interaction, *given, **named)
        except Unavailable as fault:
            mark(interaction, fault)
            return []

    return completed


def unanswerable(fault: BaseException) -> bool:
    """Whether Discord has an answer already (a repeated delivery, a 502 after it arrived) or takes none any more, since
    it is late or the thread was deleted or locked; or whether the bot has stopped."""
    if isinstance(fault, discord.HTTPException):
        return is_answer(fault) and follows(fault, Route.ANSWER) in (Then.GONE, Then.DONE)
    stopped = isinstance(fault, RuntimeError) and str(fault) == SESSION_CLOSED
    return stopped or isinstance(fault, discord.InteractionResponded)


def note_unanswered(fault: BaseException) -> None:
    """Write a line for the host where somebody has got no answer and may wonder why; not where they have one, or it was
    too late, which is told of in figures."""
    if isinstance(fault, discord.HTTPException) and not is_code(fault, Code.ALREADY_ANSWERED, Code.UNKNOWN_INTERACTION):
        log.info("Discord takes no answer there: error %d (%s).", fault.code, fault.text)


def is_answer(fault: discord.HTTPException) -> bool:
    """Whether what Discord has refused was an answer to an interaction."""
    return any(part in str(fault.response.url) for part in ANSWERS)


def sentence(fault: BaseException, interaction: Interaction) -> str:
    """What to tell the person; an error that is not foreseen is logged with its traceback."""
    if isinstance(fault, MoveError | Refusal | BadOptions):
        return LOUD.sub("@\N{ZERO WIDTH SPACE}", discord.utils.escape_markdown(str(fault)))
    if isinstance(fault, Unavailable):
        return str(fault) if isinstance(fault, Unusable | Uncertain) else BUSY
    if isinstance(fault, TimeoutError | aiohttp.ClientError):
        return SLOW if may_be_written() else UNDONE
    if isinstance(fault, discord.RateLimited):
        return error_codes.BUSY
    if isinstance(fault, discord.HTTPException):
        if is_answer(fault) and follows(fault, Route.ANSWER) is Then.ELSEWHERE:
            return DELETED
        if follows(fault, Route.POST) is Then.LATER and entry(fault).sentence:
            return entry(fault).sentence
    if isinstance(fault, app_commands.TransformerError):
        return NOT_HERE if fault.type is discord.AppCommandOptionType.user else f"That isn't a valid {fault.type.name}."
    if isinstance(fault, app_commands.CommandNotFound | app_commands.CommandSignatureMismatch):
        return CHANGED
    log.error("An interaction failed: %s", interaction.id, exc_info=fault)
    return SORRY
