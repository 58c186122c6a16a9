"""Films and reviews posted in public, and answers that take long."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Generator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple, TypeVar

import discord
from discord import ui

from bot.features.board import time_words
from bot.features.board.posts import NONCES
from bot.platform import edits
from bot.platform import ui as platform_ui
from bot.platform.error_codes import FailureAction, Route, choose_action, describe_obstacle, is_refusal
from bot.platform.interactions import IN_SERVERS, Interaction, bot_of, is_outside, is_private, key_of
from bot.platform.jobs import WaitEstimate
from bot.platform.messages import Channels
from bot.play.ids import ChannelId
from bot.play.loaded_match import LoadedMatch, Refusal
from bot.umpire.umpire import Umpire
from data.store import Reader

EVERYBODY = "Show everybody"

log = logging.getLogger(__name__)


class PublicPost(NamedTuple):
    """A view, made with some items below it, and its files."""

    view: Callable[[Sequence[ui.Item[Any]]], ui.LayoutView]
    files: edits.Files


class PublicPosts:
    """Posts films and reviews in the channel in which a match was challenged."""

    def __init__(self, umpire: Umpire, channels: Channels) -> None:
        self._umpire = umpire
        self._channels = channels

    async def show(
        self, interaction: Interaction, loaded: LoadedMatch, make: Callable[[], Awaitable[PublicPost]]
    ) -> None:
        """Make a post and send it, then tell the user where; raises a `Refusal` where the user or the bot may not
        write."""
        stage = self._expect_channel(interaction, loaded)
        await self._expect_free(interaction, stage)
        await defer_answer(interaction)
        post = await make()
        try:
            message = await self._channels.post(
                loaded.row.guild, stage, post.view(()), post.files, (), make_press_nonce(interaction, loaded)
            )
        except discord.HTTPException as fault:
            if not is_refusal(fault):
                raise
            raise Refusal(f"I couldn't show it in <#{stage}>. {describe_obstacle(fault)}") from fault
        said = f"Everybody can see it: https://discord.com/channels/{loaded.row.guild}/{stage}/{message.id}"
        with ignore_late_answer():
            if is_private(interaction):
                await edits.answer(interaction, post.view([ui.TextDisplay(f"-# {said}")]), post.files, keep=True)
            else:
                await edits.answer_line(interaction, said)

    def _expect_channel(self, interaction: Interaction, loaded: LoadedMatch) -> ChannelId:
        """The channel to post in; raises a refusal where the user or the bot may not write there."""
        if is_outside(interaction):
            raise Refusal(IN_SERVERS)
        number = loaded.row.channel
        found = interaction.guild.get_channel_or_thread(number) if interaction.guild else None
        if isinstance(found, discord.Thread) and found.owner_id == bot_of(interaction) and found.parent:
            # A rematch can be challenged in the thread of another match, whose board stays the last message there.
            found, number = found.parent, ChannelId(found.parent.id)
        if found is None or not isinstance(interaction.user, discord.Member):
            raise Refusal(f"I can't see <#{number}>, where this match began, so I can't show anything there.")
        may = found.permissions_for(interaction.user)
        speak = may.send_messages_in_threads if isinstance(found, discord.Thread) else may.send_messages
        if not (may.view_channel and speak):
            raise Refusal(f"You can't write in <#{number}>, where this match began. Ask somebody who can.")
        if self._channels.is_channel_closed(loaded.row.guild, number):
            raise Refusal(f"I can't show it in <#{number}>. {self._channels.describe_needs(loaded.row.guild, number)}")
        return number

    async def _expect_free(self, interaction: Interaction, stage: ChannelId) -> None:
        """Refuse to post in a thread in which a match is played: its board is the last message there."""
        if interaction.guild is None or interaction.guild.get_thread(stage) is None:
            return
        rows = await self._umpire.store.ask(Reader.in_thread, stage)
        if live := next((row for row in rows if row.state == "live"), None):
            raise Refusal(f"Match {live.id} is being played in <#{stage}>, and its board stays the last message there.")


def may_be_shown(loaded: LoadedMatch) -> bool:
    """Whether a match may be shown in public: it is over, and not an unpublished one that was played alone."""
    return loaded.row.state in ("finished", "aborted") and (loaded.row.seats > 1 or loaded.row.published)


@contextmanager
def ignore_late_answer() -> Generator[None]:
    """Ignore that an answer comes too late, or that the user has dismissed its message."""
    try:
        yield
    except discord.HTTPException as fault:
        if choose_action(fault, Route.ANSWER) not in (FailureAction.GONE, FailureAction.ELSEWHERE):
            raise
        log.debug("An answer came too late for the person who asked: error %d.", fault.code)


def make_press_nonce(interaction: Interaction, loaded: LoadedMatch) -> str:
    """The nonce of what a press posts, made of the message that was pressed, so that each is shown once."""
    pressed = interaction.message.id if interaction.message else key_of(interaction)
    return f"r{loaded.id}.{pressed % NONCES}"


# Answers that take long.


Result = TypeVar("Result")

PATIENT = 10.0
"""Seconds after which users are told of the queue before them."""


async def defer_answer(interaction: Interaction) -> None:
    """Defer an answer that replaces the user's own message, or is a new ephemeral one."""
    if is_private(interaction):
        await interaction.response.defer()
    else:
        await interaction.response.defer(ephemeral=True, thinking=True)


async def wait_patiently(
    interaction: Interaction, work: Awaitable[Result], wait: Callable[[], WaitEstimate | None], then: str
) -> Result:
    """The result of some work, for an ephemeral answer that is deferred; if it takes long, a sentence with the estimate
    of `wait` is shown in its place."""
    finding = asyncio.ensure_future(work)
    try:
        await asyncio.wait([finding], timeout=PATIENT)
        if not finding.done() and (found := wait()):
            with ignore_late_answer():
                await edits.answer(
                    interaction, platform_ui.build_notice(f"⏳ {time_words.describe_wait(*found, then)}")
                )
        return await finding
    finally:
        finding.cancel()
