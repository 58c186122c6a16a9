"""The command `doctor`: one run, from the login to the last message that it deletes."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import signal
import sys
from argparse import Namespace
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from dataclasses import dataclass
from platform import python_version
from typing import Any

import discord

from bot.games.wording import join_words
from bot.host.commands import INTERRUPTED
from bot.host.doctor_tries import ARRIVING, INVITED, THERE
from bot.host.doctor_visit import (
    Assumption,
    AssumptionFails,
    DoctorClient,
    DoctorRun,
    DoctorVerdict,
    Severity,
    Stop,
    Unanswered,
    Untried,
    look_at_database,
)
from bot.host.exit_status import TOKEN, UNFIT, UNREACHED, Unreachable, complain, explain_ending
from bot.host.machine import rng, version, wall_time
from bot.host.serving import ANSWERS_WITHIN, point_at
from bot.platform.error_codes import Code, is_code
from bot.settings import Settings

SILENT_AT_MOST = 2
"""Consecutive tries without an answer after which the run is given up."""
CLOSE_WITHIN = 5.0
"""Seconds to close the connection to Discord."""
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
class ExaminationOptions:
    """What the host asked for: a channel's ID (None: choose at the terminal), and whether a person presses buttons."""

    channel: int | None = None
    press: bool = False


async def examine(
    settings: Settings,
    wanted: ExaminationOptions,
    say: Say,
    ask: Ask,
    clock: Callable[[], float],
    run: str,
    **options: Any,
) -> int:
    """Try everything, print the verdict, and delete what was posted; the exit status.

    Raises `Stop` where nothing else can be tried. `run` marks this run's messages.
    """
    assert settings.token
    look = await look_at_database(settings.database, clock)
    say(f"Graph Paper {version()}, discord.py {discord.__version__}, Python {python_version()}.")
    say(look.line)
    client = DoctorClient(run, clock, settings.gateway, **point_at(settings), **options)
    visit, verdict = DoctorRun(client, look, run, say, wanted.press), DoctorVerdict()
    try:
        await log_in(client, settings.token)
        await choose_shard(client, wanted.channel)
        await run_through(ARRIVING, visit, verdict)
        if visit.serving is None or not client.is_ready():
            return verdict.exit_status or int(Severity.NEEDED)
        visit.place = (
            await find_channel(client, wanted.channel) if wanted.channel else await choose_channel(client, say, ask)
        )
        await run_through(THERE, visit, verdict)
    finally:
        await run_shielded(clean_up(visit))
    say(verdict.summary())
    return verdict.exit_status


async def log_in(client: DoctorClient, token: str) -> None:
    """Log in, or raise `Stop` with the reason."""
    try:
        async with asyncio.timeout(ANSWERS_WITHIN):
            await client.login(token)
    except discord.LoginFailure:
        raise Stop(TOKEN, Severity.YOURS) from None
    except UNREACHED as fault:
        raise Stop(explain_unreachable(fault), Severity.NEEDED) from fault


def explain_unreachable(fault: Exception) -> str:
    """The sentence for a Discord that cannot be reached."""
    end = explain_ending(Unreachable(str(fault) or "no answer came in time"))
    assert end
    return end[0]


async def clean_up(visit: DoctorRun) -> None:
    """Delete what was posted, print what stays, and disconnect."""
    for line in dict.fromkeys(await visit.delete_all()):
        visit.say(line)
    await close_client(visit.client, visit.serving)


async def run_shielded(work: Coroutine[Any, Any, None]) -> None:
    """Finish a coroutine even if the host presses Ctrl+C meanwhile; the cancellation is raised afterwards."""
    task, broken = asyncio.create_task(work), False
    while not task.done():
        try:
            await asyncio.shield(task)
        except asyncio.CancelledError:
            broken = True
    await task
    if broken:
        raise asyncio.CancelledError


async def close_client(client: DoctorClient, serving: asyncio.Task[None] | None) -> None:
    """Disconnect within `CLOSE_WITHIN`, even if something hangs."""
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(CLOSE_WITHIN):
            await client.close()
    if serving:
        serving.cancel()
        await asyncio.wait((serving,), timeout=1)
        if serving.done() and not serving.cancelled():
            serving.exception()  # of a lost connection; the tries on it have reported it


# --- the tries


async def run_through(table: Sequence[Assumption], visit: DoctorRun, verdict: DoctorVerdict) -> None:
    """Try each assumption of a table and print its result."""
    silent = 0
    for one in table:
        fault = Unanswered(GIVEN_UP) if silent >= SILENT_AT_MOST else await try_assumption(one, visit)
        silent = silent + 1 if isinstance(fault, Unanswered) else 0
        visit.say(verdict.record_try(one, fault))


async def try_assumption(one: Assumption, visit: DoctorRun) -> AssumptionFails | Untried | None:
    """Try one assumption; None where it holds."""
    if lacking := [INVITED[name][0] for name in one.needs if name in visit.lacking]:
        return Untried(f"The bot lacks {join_words(lacking)} there.")
    try:
        async with asyncio.timeout(one.within):
            await one.attempt(visit)
    except (AssumptionFails, Untried) as fault:
        return fault
    except discord.RateLimited as fault:
        return Untried(f"Discord asks to wait {fault.retry_after:.0f} s.")
    except UNREACHED as fault:
        if pause := visit.client.pause_seconds:
            return Untried(f"Discord asks to wait {pause:.0f} s.")
        return Unanswered(f"Discord didn't answer ({' '.join(str(fault).split()) or 'in time'}).")
    except discord.HTTPException as fault:
        return explain_http_error(fault)
    return None


def explain_http_error(fault: discord.HTTPException) -> AssumptionFails | Untried:
    """What it means that Discord refuses a request."""
    if fault.status >= SERVER_AT_FAULT:
        return Unanswered(f"Discord has trouble of its own ({fault.status}).")
    if is_code(fault, Code.ALREADY_ANSWERED):
        return Untried("A bot with this token was quicker to answer: stop or update it meanwhile.")
    if not fault.code:
        return AssumptionFails(f"Discord answers {fault.status}")
    return AssumptionFails(f"Discord answers {fault.status} with code {fault.code}")


# --- the channel


async def choose_shard(client: DoctorClient, number: int | None) -> None:
    """Choose the shard that serves the channel; raises `Stop` where boards cannot be posted in it."""
    guild: int | None = None
    try:
        async with asyncio.timeout(ANSWERS_WITHIN):
            if number:
                guild = await server_of(client, number)
            count, _, _ = await client.http.get_bot_gateway()
    except discord.NotFound:
        raise Stop(UNSEEN.format(number=number), Severity.YOURS) from None
    except (*UNREACHED, discord.GatewayNotFound) as fault:
        raise Stop(explain_unreachable(fault), Severity.NEEDED) from fault
    if count > 1 and guild is None:
        raise Stop(UNSEEN.format(number=number) if number else TOO_MANY, Severity.YOURS)
    client.shard_count, client.shard_ids = count, [((guild or 0) >> 22) % count]


async def server_of(client: DoctorClient, number: int) -> int | None:
    """The ID of a channel's server; None where the bot cannot see the channel."""
    try:
        found: Any = await client.http.get_channel(number)
    except discord.Forbidden:
        return None
    refuse_kind(found.get("name") or number, discord.ChannelType(found["type"]), found.get("parent_id"))
    return int(found["guild_id"])


def refuse_kind(name: object, kind: discord.ChannelType, parent: object) -> None:
    """Raise `Stop` unless matches with threads can be played in channels of this kind."""
    kinds = discord.ChannelType
    if kind in (kinds.public_thread, kinds.private_thread, kinds.news_thread):
        raise Stop(f"“{name}” is a thread. Name the channel that it is in: --channel {parent}.", Severity.YOURS)
    if kind not in (kinds.text, kinds.news):
        raise Stop(f"“{name}” is no text channel. Name one with --channel ID.", Severity.YOURS)


async def find_channel(client: DoctorClient, number: int) -> discord.TextChannel:
    """The channel that the host has named."""
    found = client.get_channel(number)
    if isinstance(found, discord.TextChannel):
        return found
    if isinstance(found, discord.abc.GuildChannel):
        refuse_kind(found.name, found.type, None)
    away = any(guild.unavailable for guild in client.guilds)
    raise Stop((AWAY if away else UNSEEN).format(number=number), Severity.NEEDED if away else Severity.YOURS)


async def choose_channel(client: DoctorClient, say: Say, ask: Ask) -> discord.TextChannel:
    """Let the host choose one of the channels where the bot may post."""
    found = [
        place
        for guild in sorted(client.guilds, key=lambda one: one.name)
        for place in guild.text_channels
        if all(getattr(place.permissions_for(guild.me), name) for name in PLACES_TO_POST)
    ]
    if not found:
        raise Stop(NOWHERE, Severity.YOURS)
    for number, place in enumerate(found, 1):
        say(f"{number:>4}  {place.guild.name}, #{place.name}")
    while True:
        say(WHICH)
        line = (await ask()).strip()
        if not line:
            raise Stop(NOT_CHOSEN, Severity.YOURS)
        if line.isascii() and line.isdecimal() and 0 < int(line[:9]) <= len(found):
            return found[int(line[:9]) - 1]


# The command `doctor`: whether the real Discord behaves as the bot assumes. It posts, and deletes what it posted.


NO_TOKEN = "There is no DISCORD_TOKEN. Set it to the bot's token from Discord's developer portal."
NO_SANDBOX = "The doctor tries the real Discord, so there is nothing for it in the sandbox: leave out --sandbox."
NO_CHANNEL = "Name a text channel with --channel ID: nobody can be asked here, since this is no terminal."
NO_NUMBER = "After --channel comes the channel's ID, a whole number (in Discord: Copy Channel ID)."
BROKEN_OFF = "Interrupted. All that was posted is deleted, but for what is named above."
MOST_DIGITS = 20


def doctor(given: Namespace) -> int:
    """Print a line for each assumption; the exit status is 0 where all hold or the bot copes, 1 where the bot needs one
    that fails or Discord is unreachable, 2 where the host has to fix something."""
    if given.sandbox:
        return complain(NO_SANDBOX, UNFIT)
    logging.getLogger("discord").setLevel(logging.CRITICAL)  # the printed lines report errors
    try:
        settings = Settings.read()
        if settings.token is None:
            return complain(NO_TOKEN, UNFIT)
        number: str | None = given.channel
        if number is not None and not (number.isascii() and number.isdecimal() and len(number) <= MOST_DIGITS):
            return complain(NO_NUMBER, UNFIT)
        if number is None and not sys.stdin.isatty():
            return complain(NO_CHANNEL, UNFIT)
        return asyncio.run(_run_examination(settings, ExaminationOptions(int(number) if number else None, given.press)))
    except Stop as fault:
        return complain(str(fault), fault.status)
    except (KeyboardInterrupt, asyncio.CancelledError):
        return complain(BROKEN_OFF, INTERRUPTED)
    except Exception as fault:
        if not (end := explain_ending(fault)):
            raise
        return complain(*end)


async def _run_examination(settings: Settings, wanted: ExaminationOptions) -> int:
    running = asyncio.current_task()
    assert running
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, running.cancel)  # as Ctrl+C: clean up, then end
    return await examine(settings, wanted, say, read_line, wall_time, f"{rng.getrandbits(32):08x}")


def say(line: str) -> None:
    """Print a line without buffering."""
    print(line, flush=True)


async def read_line() -> str:
    """The next line that the host types at the terminal."""
    loop = asyncio.get_running_loop()
    line: asyncio.Future[str] = loop.create_future()

    def read() -> None:
        if not line.done():
            line.set_result(sys.stdin.readline())

    loop.add_reader(sys.stdin, read)
    try:
        return await line
    finally:
        loop.remove_reader(sys.stdin)
