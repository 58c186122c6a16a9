"""The moving picture of a match: for whoever asks for it, and for everybody once the match is over.

Everybody is shown what a spectator may see, whoever asks, in the channel where the challenge stands: in the match's own
thread its last board stays the last message. What a press posts has a nonce made of the message that was pressed, so
that pressing twice, or a press that Discord delivers twice, posts one message.
"""

from __future__ import annotations

import asyncio
import io
import logging
from collections.abc import Awaitable, Callable, Generator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import discord
from discord import ui

from bot.client.http.messages import CLOSED, UNKNOWN_MESSAGE, obstacle, refused
from bot.client.interactions.context import Interaction, act_of, user_of
from bot.client.interactions.custom_ids import ReplayId
from bot.client.publisher.orphans import NONCES
from bot.client.study.replay_film import Film
from bot.client.study.replay_viewer import replay_for
from bot.client.text import match_text
from bot.client.views import views
from bot.client.views.views import ALT_LIMIT, OVER, Control
from bot.core.match.loaded_match import Refusal, Seated, person
from bot.core.values.ids import ChannelId, UserId
from bot.service.analysis.replay_steps import Replay
from data.store import Reader

if TYPE_CHECKING:
    from bot.client.app.client import GraphPaper

FILE, EVERYBODY = "replay.gif", "Show everybody"
WITHIN = 720.0
"""Seconds in which a film is made; Discord takes an answer for a quarter of an hour."""
NO_TOKEN, NO_WEBHOOK = 50027, 10015
GONE = (NO_TOKEN, NO_WEBHOOK, UNKNOWN_MESSAGE)
"""Codes for an answer that nobody waits for any more: its time is over, or whoever asked has put it away."""
NOTHING = "Nothing has been played yet: there is nothing to be seen moving."
TOO_LONG = "There was no time to make that moving picture, since others play: try again in a while."
TOO_LARGE = "This match makes no moving picture that is small enough for Discord: Next shows it move by move."
GOES_ON = "This match goes on, so its moving picture stays with you: it can be shown to everybody when it is over."
ALONE = "This match was played alone and is yours to show: /match publish first, then press again."

log = logging.getLogger(__name__)


async def film(client: GraphPaper, interaction: Interaction, seated: Seated) -> None:
    """Make the film of a match as far as the asker may see it, for them alone."""
    replay = replay_for(interaction, seated)
    if not replay.length:
        raise Refusal(NOTHING)
    await interaction.response.defer(ephemeral=True, thinking=True)
    made = await _made(client, replay, user_of(interaction))
    row = views.row_of(Control(ReplayId(seated.id, replay.length, "show"), EVERYBODY))
    view = shown(replay, made, *([row] if may_be_shown(seated) else []))
    with forgotten():
        await interaction.edit_original_response(view=view, attachments=[attachment(replay, made)])


async def show(client: GraphPaper, interaction: Interaction, seated: Seated) -> None:
    """Post the film of a match that is over, as everybody may see it, where its challenge stands."""
    replay_for(interaction, seated)
    if not may_be_shown(seated):
        raise Refusal(ALONE if seated.row.state == "finished" else GOES_ON)
    stage = expect_stage(client, interaction, seated)
    await expect_free(client, interaction, stage)
    replay = Replay.of(seated, None)
    if not replay.length:
        raise Refusal(NOTHING)
    private = interaction.message is not None and interaction.message.flags.ephemeral
    await (interaction.response.defer() if private else interaction.response.defer(ephemeral=True, thinking=True))
    made = await _made(client, replay, user_of(interaction))
    try:
        view, files = shown(replay, made), [attachment(replay, made)]
        message = await client.publisher.channels.post(stage, view, files, (), nonce(interaction, seated))
    except discord.HTTPException as fault:
        if not refused(fault):
            raise
        raise Refusal(f"It could not be shown in <#{stage}>: {obstacle(fault)}.") from fault
    told = f"Everybody can see it: https://discord.com/channels/{seated.row.guild}/{stage}/{message.id}"
    with forgotten():
        if private:
            await interaction.edit_original_response(view=shown(replay, made, ui.TextDisplay(f"-# {told}")))
        else:
            await interaction.edit_original_response(content=told)


async def _made(client: GraphPaper, replay: Replay, asker: UserId) -> Film:
    try:
        async with asyncio.timeout(WITHIN):
            made = await client.films.make(replay, asker)
    except TimeoutError:
        raise Refusal(TOO_LONG) from None
    if not made.data:
        raise Refusal(TOO_LARGE)
    return made


@contextmanager
def forgotten() -> Generator[None]:
    """Let go of an answer that nobody waits for any more."""
    try:
        yield
    except discord.HTTPException as fault:
        if fault.code not in GONE:
            raise
        log.debug("A moving picture came too late for whoever asked for it: error %d.", fault.code)


# What is shown.


def may_be_shown(seated: Seated) -> bool:
    """Whether everybody may be shown the film: the match is over, and none that was played alone and is private."""
    return seated.row.state in ("finished", "aborted") and (seated.row.seats > 1 or seated.row.published)


def shown(replay: Replay, made: Film, *below: ui.Item[Any]) -> ui.LayoutView:
    """A film with what it is of."""
    seated, count = replay.seated, replay.length
    people = " – ".join(person(player.user) for player in seated.players)
    said = [f"{people} · {count} move{'s' if count > 1 else ''}"]
    if not seated.turn:
        said.append(match_text.result(seated))
    said.append(f"-# {seated.link}")
    gallery: ui.MediaGallery[Any] = ui.MediaGallery(views.attached(FILE, alt(replay, made)))
    foot = "\n".join(part for part in said if part)
    return views.framed(OVER, ui.TextDisplay(match_text.headline(seated)), gallery, ui.TextDisplay(foot), *below)


def attachment(replay: Replay, made: Film) -> discord.File:
    """The file of a film."""
    return discord.File(io.BytesIO(made.data), FILE, description=alt(replay, made))


def alt(replay: Replay, made: Film) -> str:
    """A film in words: what it goes through, and where it ends."""
    title, count = replay.seated.game.title, replay.length
    whole = f"A match of {title}, move by move, from the beginning to move {count}. At the end: {made.alt}"
    return match_text.shortened(whole, ALT_LIMIT)


# Where everybody is shown it.


def expect_stage(client: GraphPaper, interaction: Interaction, seated: Seated) -> ChannelId:
    """The channel in which everybody is shown a film, or the refusal where the asker or the bot may not write."""
    number = seated.row.channel
    found = interaction.guild.get_channel_or_thread(number) if interaction.guild else None
    if isinstance(found, discord.Thread) and client.user and found.owner_id == client.user.id and found.parent:
        # A rematch may be asked for in the thread of another match, whose board stays the last message there.
        found, number = found.parent, ChannelId(found.parent.id)
    if found is None or not isinstance(interaction.user, discord.Member):
        raise Refusal(f"I do not see <#{number}>, where this match was asked for: nothing can be shown there.")
    may = found.permissions_for(interaction.user)
    speak = may.send_messages_in_threads if isinstance(found, discord.Thread) else may.send_messages
    if not (may.view_channel and speak):
        raise Refusal(f"You may not write in <#{number}>, where this match was asked for: ask somebody who may.")
    if client.publisher.channels.closed(seated.row.guild, number):
        raise Refusal(f"It cannot be shown in <#{number}>: {CLOSED}.")
    return number


async def expect_free(client: GraphPaper, interaction: Interaction, stage: ChannelId) -> None:
    """Refuse to post in a thread in which a match is played: its board is the last message there."""
    if interaction.guild is None or interaction.guild.get_thread(stage) is None:
        return
    rows = await client.umpire.store.ask(Reader.in_thread, stage)
    if live := next((row for row in rows if row.state == "live"), None):
        raise Refusal(f"Match {live.id} is played in <#{stage}> just now, and its board stays the last message there.")


def nonce(interaction: Interaction, seated: Seated) -> str:
    """The nonce of what a press posts: made of the message that was pressed, so that each is shown once."""
    pressed = interaction.message.id if interaction.message else act_of(interaction)
    return f"r{seated.id}.{pressed % NONCES}"


ACTS: Mapping[str, Callable[[GraphPaper, Interaction, Seated], Awaitable[None]]] = {"film": film, "show": show}
"""What the buttons under a replay do that do not lead from place to place in it."""
