"""One run of the doctor, from the login to the last message that it deletes."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from dataclasses import dataclass
from platform import python_version
from typing import Any

import discord

from bot.client.runtime.error_codes import Code, is_code
from bot.core.values.plural import together
from bot.host.doctor.assumptions import ARRIVING, INVITED, THERE
from bot.host.doctor.database import looked
from bot.host.doctor.findings import Fails, Stop, Unanswered, Untried, Weight
from bot.host.doctor.verdict import Assumption, Verdict
from bot.host.doctor.visit import Visit
from bot.host.doctor.visitor import Visitor
from bot.host.exit_status import TOKEN, UNREACHED, Unreachable, ending
from bot.host.serving import ANSWERS_WITHIN, point_at
from bot.host.version import version
from bot.settings import Settings

SILENT_AT_MOST = 2
"""After so many tries in a row without an answer nothing else is tried."""
CLOSE_WITHIN = 5.0
"""Seconds to take leave of Discord."""
GIVEN_UP = "Discord no longer answers."
SERVER_AT_FAULT = 500
PLACES_TO_POST = ("view_channel", "send_messages", "attach_files")
NOWHERE = (
    "There is no text channel where the bot may post. Invite it to a server (the address is in README.md), or allow it "
    "View Channel, Send Messages and Attach Files in a channel."
)
TOO_MANY = "The bot is in too many servers to list their channels. Name one with --channel ID."
NOT_CHOSEN = "No channel was chosen. Name one with --channel ID."
UNSEEN = (
    "The bot can't see a channel {number}. Copy its ID again, and look whether the bot is in its server and has View "
    "Channel there."
)
AWAY = "Discord doesn't tell the bot of the server of channel {number} right now. Try again in a few minutes."
WHICH = "In which channel may the doctor post a few messages, and delete them again? Type its number."

Say = Callable[[str], None]
Ask = Callable[[], Awaitable[str]]
"""Reads a line from the host; an empty one at the end of input."""


@dataclass(frozen=True)
class Wanted:
    """What the host asked for: a channel's number (None: they are asked), and whether a person presses buttons."""

    channel: int | None = None
    press: bool = False


async def examine(
    settings: Settings, wanted: Wanted, say: Say, ask: Ask, wall: Callable[[], float], run: str, **options: Any
) -> int:
    """Try everything, say what it comes to, and delete what was posted; the exit status. `Stop` where nothing else can
    be tried. `run` tells this run's messages from those of others."""
    assert settings.token
    look = await looked(settings.database, wall)
    say(f"Graph Paper {version()}, discord.py {discord.__version__}, Python {python_version()}.")
    say(look.line)
    client = Visitor(run, wall, settings.gateway, **point_at(settings), **options)
    visit, verdict = Visit(client, look, run, say, wanted.press), Verdict()
    try:
        await log_in(client, settings.token)
        await choose_shard(client, wanted.channel)
        await run_through(ARRIVING, visit, verdict)
        if visit.serving is None or not client.is_ready():
            return verdict.status or int(Weight.NEEDED)
        visit.place = await channel_named(client, wanted.channel) if wanted.channel else await asked(client, say, ask)
        await run_through(THERE, visit, verdict)
    finally:
        await to_its_end(depart(visit))
    say(verdict.summary())
    return verdict.status


async def log_in(client: Visitor, token: str) -> None:
    """Log in, or `Stop` with the sentence for what is in the way."""
    try:
        async with asyncio.timeout(ANSWERS_WITHIN):
            await client.login(token)
    except discord.LoginFailure:
        raise Stop(TOKEN, Weight.YOURS) from None
    except UNREACHED as fault:
        raise Stop(unreachable(fault), Weight.NEEDED) from fault


def unreachable(fault: Exception) -> str:
    """The sentence for a Discord that cannot be reached."""
    end = ending(Unreachable(str(fault) or "no answer came in time"))
    assert end
    return end[0]


async def depart(visit: Visit) -> None:
    """Delete what was posted, say what stays, and leave Discord."""
    for line in dict.fromkeys(await visit.clean()):
        visit.say(line)
    await leave(visit.client, visit.serving)


async def to_its_end(work: Coroutine[Any, Any, None]) -> None:
    """Do some work even where the host breaks everything off meanwhile; that is heard afterwards."""
    task, broken = asyncio.create_task(work), False
    while not task.done():
        try:
            await asyncio.shield(task)
        except asyncio.CancelledError:
            broken = True
    await task
    if broken:
        raise asyncio.CancelledError


async def leave(client: Visitor, serving: asyncio.Task[None] | None) -> None:
    """Leave Discord, whatever hangs."""
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(CLOSE_WITHIN):
            await client.close()
    if serving:
        serving.cancel()
        await asyncio.wait((serving,), timeout=1)
        if serving.done() and not serving.cancelled():
            serving.exception()  # of a connection that is gone; what was tried on it has said so


# --- the tries


async def run_through(table: Sequence[Assumption], visit: Visit, verdict: Verdict) -> None:
    """Try each line of a table and say what it comes to."""
    silent = 0
    for one in table:
        fault = Unanswered(GIVEN_UP) if silent >= SILENT_AT_MOST else await tried(one, visit)
        silent = silent + 1 if isinstance(fault, Unanswered) else 0
        visit.say(verdict.judge(one, fault))


async def tried(one: Assumption, visit: Visit) -> Fails | Untried | None:
    """Try one thing; None where it holds."""
    if lacking := [INVITED[name][0] for name in one.needs if name in visit.lacking]:
        return Untried(f"The bot lacks {together(lacking)} there.")
    try:
        async with asyncio.timeout(one.within):
            await one.attempt(visit)
    except (Fails, Untried) as fault:
        return fault
    except discord.RateLimited as fault:
        return Untried(f"Discord asks to wait {fault.retry_after:.0f} s.")
    except UNREACHED as fault:
        if pause := visit.client.pause:
            return Untried(f"Discord asks to wait {pause:.0f} s.")
        return Unanswered(f"Discord didn't answer ({' '.join(str(fault).split()) or 'in time'}).")
    except discord.HTTPException as fault:
        return refused(fault)
    return None


def refused(fault: discord.HTTPException) -> Fails | Untried:
    """What it means that Discord refuses a request."""
    if fault.status >= SERVER_AT_FAULT:
        return Unanswered(f"Discord has trouble of its own ({fault.status}).")
    if is_code(fault, Code.ALREADY_ANSWERED):
        return Untried("A bot with this token was quicker to answer: stop or update it meanwhile.")
    if not fault.code:
        return Fails(f"Discord answers {fault.status}")
    return Fails(f"Discord answers {fault.status} with code {fault.code}")


# --- the channel


async def choose_shard(client: Visitor, number: int | None) -> None:
    """Decide which shard hears of the channel; `Stop` where that is known to be no channel for boards."""
    guild: int | None = None
    try:
        async with asyncio.timeout(ANSWERS_WITHIN):
            if number:
                guild = await server_of(client, number)
            count, _, _ = await client.http.get_bot_gateway()
    except discord.NotFound:
        raise Stop(UNSEEN.format(number=number), Weight.YOURS) from None
    except (*UNREACHED, discord.GatewayNotFound) as fault:
        raise Stop(unreachable(fault), Weight.NEEDED) from fault
    if count > 1 and guild is None:
        raise Stop(UNSEEN.format(number=number) if number else TOO_MANY, Weight.YOURS)
    client.shard_count, client.shard_ids = count, [((guild or 0) >> 22) % count]


async def server_of(client: Visitor, number: int) -> int | None:
    """The server of a channel; None where we may not see the channel."""
    try:
        found: Any = await client.http.get_channel(number)
    except discord.Forbidden:
        return None
    refuse_kind(found.get("name") or number, discord.ChannelType(found["type"]), found.get("parent_id"))
    return int(found["guild_id"])


def refuse_kind(name: object, kind: discord.ChannelType, parent: object) -> None:
    """`Stop` unless matches with threads can be played in channels of this kind."""
    kinds = discord.ChannelType
    if kind in (kinds.public_thread, kinds.private_thread, kinds.news_thread):
        raise Stop(f"“{name}” is a thread. Name the channel that it is in: --channel {parent}.", Weight.YOURS)
    if kind not in (kinds.text, kinds.news):
        raise Stop(f"“{name}” is no text channel. Name one with --channel ID.", Weight.YOURS)


async def channel_named(client: Visitor, number: int) -> discord.TextChannel:
    """The channel that the host has named."""
    found = client.get_channel(number)
    if isinstance(found, discord.TextChannel):
        return found
    if isinstance(found, discord.abc.GuildChannel):
        refuse_kind(found.name, found.type, None)
    away = any(guild.unavailable for guild in client.guilds)
    raise Stop((AWAY if away else UNSEEN).format(number=number), Weight.NEEDED if away else Weight.YOURS)


async def asked(client: Visitor, say: Say, ask: Ask) -> discord.TextChannel:
    """The channel that the host chooses from those where the bot may post."""
    found = [
        place
        for guild in sorted(client.guilds, key=lambda one: one.name)
        for place in guild.text_channels
        if all(getattr(place.permissions_for(guild.me), name) for name in PLACES_TO_POST)
    ]
    if not found:
        raise Stop(NOWHERE, Weight.YOURS)
    for number, place in enumerate(found, 1):
        say(f"{number:>4}  {place.guild.name}, #{place.name}")
    while True:
        say(WHICH)
        line = (await ask()).strip()
        if not line:
            raise Stop(NOT_CHOSEN, Weight.YOURS)
        if line.isascii() and line.isdecimal() and 0 < int(line[:9]) <= len(found):
            return found[int(line[:9]) - 1]
