"""Every error as a sentence for the person who caused it, or met it."""

from __future__ import annotations

import logging

import discord
from discord import app_commands

from bot.client.interaction import Interaction
from bot.core.game import MoveError
from bot.core.options import BadOptions
from bot.service.seated import Refusal
from data.engine import Unavailable

ALREADY_ANSWERED, UNKNOWN_INTERACTION = 40060, 10062
SORRY = "Something went wrong on my side. Nothing that was played is lost: try again in a moment."
BUSY = "Nothing was changed: my notebook cannot be written just now. Try again in a moment."
SLOW = "That took too long, and I cannot say whether it counted: /match board shows how the match stands."
NOT_HERE = "Whoever you named is not in this server: only members can be challenged here."

log = logging.getLogger(__name__)


def unanswerable(fault: BaseException) -> bool:
    """Whether Discord has an answer already (a repeated delivery, a 502 after the fact) or takes none any more."""
    return isinstance(fault, discord.InteractionResponded) or (
        isinstance(fault, discord.HTTPException) and fault.code in (ALREADY_ANSWERED, UNKNOWN_INTERACTION)
    )


def sentence(fault: BaseException, interaction: Interaction) -> str:
    """What to tell the person; what nobody foresaw is logged with its traceback."""
    if isinstance(fault, MoveError | Refusal | BadOptions):
        return discord.utils.escape_markdown(str(fault))
    if isinstance(fault, Unavailable):
        return BUSY
    if isinstance(fault, TimeoutError):
        return SLOW
    if isinstance(fault, app_commands.TransformerError):
        return NOT_HERE if fault.type is discord.AppCommandOptionType.user else f"That is no {fault.type.name}."
    if isinstance(fault, app_commands.CommandNotFound | app_commands.CommandSignatureMismatch):
        return "That command has changed since your Discord last looked: reload Discord (Ctrl+R) and try again."
    log.error("An interaction failed: %s", interaction.id, exc_info=fault)
    return SORRY
