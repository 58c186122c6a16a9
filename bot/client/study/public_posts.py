"""Posts a film or a review for everybody, in the channel in which the match was challenged.

The match's own thread gets nothing: its last board stays the last message there. What a press posts has a nonce made of
the message that was pressed, so that pressing twice, or a press that Discord delivers twice, posts one message.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Generator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

import discord
from discord import ui

from bot.client.http.messages import Channels
from bot.client.interactions.context import Interaction, act_of, bot_of, is_ephemeral
from bot.client.publisher.orphans import NONCES
from bot.client.runtime.error_codes import Route, Then, follows, obstacle, refused
from bot.client.views import edits
from bot.core.match.loaded_match import LoadedMatch, Refusal
from bot.core.values.ids import ChannelId
from bot.service.umpire.umpire import Umpire
from data.store import Reader

EVERYBODY = "Show everybody"

log = logging.getLogger(__name__)


class Post(NamedTuple):
    """What everybody is shown: a view, made with some items below it, and its files."""

    view: Callable[[Sequence[ui.Item[Any]]], ui.LayoutView]
    files: edits.Files


class PublicPosts:
    """Posts what a person has asked to show to everybody."""

    def __init__(self, umpire: Umpire, channels: Channels) -> None:
        self._umpire = umpire
        self._channels = channels

    async def show(self, interaction: Interaction, seated: LoadedMatch, make: Callable[[], Awaitable[Post]]) -> None:
        """Make something and post it, then tell the person where; a `Refusal` where they or the bot may not write."""
        stage = self._stage(interaction, seated)
        await self._expect_free(interaction, stage)
        private = is_ephemeral(interaction)
        await (interaction.response.defer() if private else interaction.response.defer(ephemeral=True, thinking=True))
        post = await make()
        try:
            message = await self._channels.post(
                seated.row.guild, stage, post.view(()), post.files, (), nonce(interaction, seated)
            )
        except discord.HTTPException as fault:
            if not refused(fault):
                raise
            raise Refusal(f"I couldn't show it in <#{stage}>. {obstacle(fault)}") from fault
        told = f"Everybody can see it: https://discord.com/channels/{seated.row.guild}/{stage}/{message.id}"
        with forgotten():
            if private:
                await edits.answer(interaction, post.view([ui.TextDisplay(f"-# {told}")]), post.files, keep=True)
            else:
                await edits.answer_line(interaction, told)

    def _stage(self, interaction: Interaction, seated: LoadedMatch) -> ChannelId:
        """The channel to post in, or a refusal where the person or the bot may not write there."""
        number = seated.row.channel
        found = interaction.guild.get_channel_or_thread(number) if interaction.guild else None
        if isinstance(found, discord.Thread) and found.owner_id == bot_of(interaction) and found.parent:
            # A rematch can be asked for in the thread of another match, whose board stays the last message there.
            found, number = found.parent, ChannelId(found.parent.id)
        if found is None or not isinstance(interaction.user, discord.Member):
            raise Refusal(f"I can't see <#{number}>, where this match began, so I can't show anything there.")
        may = found.permissions_for(interaction.user)
        speak = may.send_messages_in_threads if isinstance(found, discord.Thread) else may.send_messages
        if not (may.view_channel and speak):
            raise Refusal(f"You can't write in <#{number}>, where this match began. Ask somebody who can.")
        if self._channels.closed(seated.row.guild, number):
            raise Refusal(f"I can't show it in <#{number}>. {self._channels.needs(seated.row.guild, number)}")
        return number

    async def _expect_free(self, interaction: Interaction, stage: ChannelId) -> None:
        """Refuse to post in a thread in which a match is played: its board is the last message there."""
        if interaction.guild is None or interaction.guild.get_thread(stage) is None:
            return
        rows = await self._umpire.store.ask(Reader.in_thread, stage)
        if live := next((row for row in rows if row.state == "live"), None):
            raise Refusal(f"Match {live.id} is being played in <#{stage}>, and its board stays the last message there.")


def may_be_shown(seated: LoadedMatch) -> bool:
    """Whether everybody may be shown a match: it is over, and not a private one that was played alone."""
    return seated.row.state in ("finished", "aborted") and (seated.row.seats > 1 or seated.row.published)


@contextmanager
def forgotten() -> Generator[None]:
    """Drop an answer that comes too late for the person who asked."""
    try:
        yield
    except discord.HTTPException as fault:
        if follows(fault, Route.ANSWER) not in (Then.GONE, Then.ELSEWHERE):  # also one that the asker has dismissed
            raise
        log.debug("An answer came too late for the person who asked: error %d.", fault.code)


def nonce(interaction: Interaction, seated: LoadedMatch) -> str:
    """The nonce of what a press posts, made of the message that was pressed, so that each is shown once."""
    pressed = interaction.message.id if interaction.message else act_of(interaction)
    return f"r{seated.id}.{pressed % NONCES}"
