"""What befalls the places where people play: permissions, threads, messages, whole servers, and AutoMod. One of them
at a time, and everything is given back in the end but what was deleted."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from bot.sandbox import threads
from bot.sandbox.client_checks import ClientRefusal
from bot.sandbox.interactions import NoAnswerInTime
from bot.sandbox.world import PUBLIC_THREAD, Server
from tests.simulation.life import kill_this
from tests.simulation.misfortunes import deaths
from tests.world.discord_faults import MESSAGES
from tests.world.visible_matches import CHANNEL

if TYPE_CHECKING:
    from tests.simulation.story import Story
    from tests.world.player_acts import Harness
    from tests.world.visible_matches import Board


TAKEN = (
    ("send_messages", "send_messages_in_threads"),
    ("send_messages_in_threads",),
    ("view_channel",),
    ("attach_files",),
    ("create_public_threads",),
)
"""Permissions that are taken away together."""
SECONDS = (0.5, 15.0)
"""How long it lasts, at least and at most."""
AUTOMOD = 200000
ASKED_FOR = 60
"""How often a user asks for a board that was deleted."""
CALM = 2.0
"""Seconds for what people have begun."""
PRESSED = 3
"""How often a board is pressed that its process has not noted."""


Change = Callable[[Server | None], object]
"""Changes something about a server."""


async def closed_channel(story: Story) -> None:
    """A channel is closed to the bot, and opened again."""
    home, names = story.rng.choice(story.town.homes), story.rng.choice(TAKEN)
    faults = story.sandbox.faults
    await for_a_while(
        story,
        lambda: faults.deny(CHANNEL, *names, server=home.server),
        lambda: faults.allow(CHANNEL, *names, server=home.server),
    )


async def locked_thread(story: Story) -> None:
    """A thread is archived and locked, and unlocked again."""
    if thread := _thread(story):
        await for_a_while(
            story,
            lambda: _locked(story, thread),
            lambda: _unlocked(story, thread),
        )


def _locked(story: Story, thread: dict[str, Any]) -> None:
    if thread["id"] in story.sandbox.world.channels:  # it may have been deleted while this waited for its turn
        story.sandbox.faults.archive(thread, locked=True)


def _unlocked(story: Story, thread: dict[str, Any]) -> None:
    if thread["id"] in story.sandbox.world.channels:
        threads.set_archived(story.sandbox.world, thread, False, locked=False)


async def archived_thread(story: Story) -> None:
    """A thread is archived; the next post in it revives it."""
    if thread := _thread(story):
        story.sandbox.faults.archive(thread)


async def deleted_thread(story: Story) -> None:
    """A thread is deleted with all that was in it, and a user who is to move asks where the match is now."""
    async with story.grounds:
        if thread := _thread(story):
            story.sandbox.faults.delete_channel(thread)
            for home in story.town.homes:
                for board in home.live_boards():
                    if board.message["channel_id"] == thread["id"]:
                        await _asked_for(story, home, board)


async def deleted_channel(story: Story) -> None:
    """The channel in which people play is deleted with all that was in it, there is a new one of that name, and a
    player of each match asks for its board there."""
    async with story.grounds:
        home = story.rng.choice(story.town.homes)
        boards = home.live_boards()
        story.sandbox.faults.delete_channel(story.sandbox.world.channel_named(CHANNEL, home.server))
        story.sandbox.moderation.open_channel(CHANNEL, server=home.server)
        story.reopened = story.loop.time()
        for board in boards:
            await _asked_for(story, home, board)


async def deleted_board(story: Story) -> None:
    """The board of a match is deleted, and a user who is to move asks for it."""
    async with story.grounds:
        home = story.rng.choice(story.town.homes)
        boards = [board for board in home.live_boards() if _there(story, board)]
        if boards:
            board = story.rng.choice(boards)
            story.sandbox.faults.delete_message(board.message)
            await _asked_for(story, home, board)


async def unnoted_board(story: Story) -> None:
    """The board of a match is deleted, a user asks for it, and the process that posts it dies before it has noted
    that. Then a user presses what stands there, and asks again."""
    async with story.changing, story.grounds:
        home = story.rng.choice(story.town.homes)
        home.resting = True
        await asyncio.sleep(CALM)
        if boards := [board for board in home.live_boards() if _there(story, board)]:
            await _unnoted(story, home, story.rng.choice(boards))
        home.resting = False


async def _unnoted(story: Story, home: Harness, board: Board) -> None:
    person = story.sandbox.person(board.movers[0], home.server)

    async def asks() -> None:
        with suppress(ClientRefusal, NoAnswerInTime):
            await deaths.cut_short(story, person.command("match board", CHANNEL, match=board.match))

    story.sandbox.faults.delete_message(board.message)
    story.listener.trap = f"posted {board.match}", kill_this
    for _ in range(ASKED_FOR):
        await asks()
        await asyncio.sleep(1)
        if deaths.is_any_dead(story):
            break
    story.listener.trap = None
    await deaths.reborn(story)
    for _ in range(PRESSED):
        with suppress(ClientRefusal, NoAnswerInTime):
            await deaths.cut_short(story, person.press(home.seen.boards[board.match].message, "Move"))
        await asks()
        await asyncio.sleep(story.rng.uniform(0.5, 3))


async def _asked_for(story: Story, home: Harness, board: Board) -> None:
    person = story.sandbox.person(board.movers[0], home.server)
    for _ in range(ASKED_FOR):
        await asyncio.sleep(story.rng.uniform(0.5, 5))
        if home.seen.boards[board.match].message["id"] != board.message["id"]:
            return
        try:
            await person.command("match board", CHANNEL, match=board.match)
        except (ClientRefusal, NoAnswerInTime):
            continue


async def kicked(story: Story) -> None:
    """The bot is kicked out of a server, and invited again."""
    faults = story.sandbox.faults

    def kick(server: Server | None) -> None:
        story.town.without.add(int(story.sandbox.world.server(server).id))
        faults.kick(server)

    await _without_server(story, kick, faults.invite)


async def server_away(story: Story) -> None:
    """Discord takes a server away for a while."""
    faults = story.sandbox.faults
    await _without_server(story, faults.start_outage, faults.introduce_server)


async def _without_server(story: Story, goes: Change, comes: Change) -> None:
    server = story.rng.choice(story.town.homes).server

    def back() -> None:
        comes(server)
        story.sandbox.world.tell("BOT", {"online": True})  # who waits for it looks again

    await for_a_while(story, lambda: goes(server), back)


async def automod(story: Story) -> None:
    """AutoMod lets no message of the bot through."""
    faults = story.sandbox.faults
    fault = faults.fail_requests("POST", MESSAGES, 400, times=1000, code=AUTOMOD)
    await asyncio.sleep(story.rng.uniform(*SECONDS))
    if fault in faults.pending:
        faults.pending.remove(fault)


async def for_a_while(story: Story, begin: Callable[[], object], end: Callable[[], object]) -> None:
    async with story.grounds:
        begin()
        await asyncio.sleep(story.rng.uniform(*SECONDS))
        end()
        story.reopened = story.loop.time()


def _there(story: Story, board: Board) -> bool:
    return board.message["id"] in story.sandbox.world.messages.get(board.message["channel_id"], {})


def _thread(story: Story) -> dict[str, Any] | None:
    """The thread of a match that is played."""
    channels = story.sandbox.world.channels
    boards = [board for home in story.town.homes for board in home.live_boards()]
    found = [channels.get(board.message["channel_id"]) for board in boards]
    threads_ = [one for one in found if one and one["type"] == PUBLIC_THREAD]
    return story.rng.choice(threads_) if threads_ else None
