"""Tries in a channel, a function for each thing that the bot builds on: it raises `Fails` or `Untried`, or it holds."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import discord

from bot.client.http.messages import OVER_MINUTES, THREAD_MINUTES
from bot.client.runtime.discord_clock import MUCH
from bot.client.views.edits import EDIT_KEEPS, files_on
from bot.core.values.plural import Plural, together
from bot.host.doctor.cards import FIRST, SECOND, THIRD, text_of, uploads
from bot.host.doctor.findings import Fails, Untried
from bot.host.doctor.visit import CHANNEL, MESSAGE, Visit
from bot.host.exit_status import UNREACHED, ending
from bot.host.serving import GREETS_WITHIN

FEW = Plural(
    "Only 1 connection is left today, and the bot may need it.",
    "Only {number} connections are left today, and the bot may need them.",
)

LEAST_SESSIONS = 20
"""So many connections a day are left to the bot; when they are used up, Discord takes back the token."""
MEMBERS_WITHIN = 10.0
"""Seconds for Discord to tell of two members."""
PLAIN = "Graph Paper doctor"
LINKED = f"{PLAIN}: Ann v. Bea (https://example.com)"
MARKED = f"✔ {PLAIN}"
"""Names of threads: the usual one, one with a dot and a link, and one with the mark of a match that is over."""
LIMIT_HEADERS = ("X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset-After", "X-RateLimit-Bucket")
SETTLED = 1.0
"""Seconds after which an edit that was lost shows."""


# --- before a channel


async def clock(visit: Visit) -> None:
    """Compare the date of Discord's last answer with our clock."""
    ahead = visit.client.ahead
    if ahead is None:
        raise Untried("Discord's answers have no date.")
    if ahead > MUCH:
        raise Fails(f"it is {ahead:.0f} s ahead")
    if -ahead > MUCH:
        raise Fails(f"it is {-ahead:.0f} s behind")


async def over_the_connection(visit: Visit) -> None:
    """Look whether the host has named an address to which Discord sends interactions instead."""
    if (await visit.client.application_info()).interactions_endpoint_url:
        raise Fails


async def database(visit: Visit) -> None:
    """Say what was found when the run began."""
    if visit.database.fault:
        raise visit.database.fault


async def connects(visit: Visit) -> None:
    """Connect, with the bot's own intents, to the shard that has been chosen."""
    client = visit.client
    _, _, sessions = await client.http.get_bot_gateway()
    if sessions["remaining"] < LEAST_SESSIONS:
        raise Untried(FEW.of(sessions["remaining"]))
    serving, ready = asyncio.create_task(client.connect()), asyncio.create_task(client.wait_until_ready())
    visit.serving = serving
    try:
        await asyncio.wait((serving, ready), timeout=GREETS_WITHIN, return_when=asyncio.FIRST_COMPLETED)
    finally:
        ready.cancel()
    if serving.done():
        try:
            serving.result()
        except UNREACHED:
            raise
        except Exception as fault:
            end = ending(fault)
            raise Fails(end[0].rstrip(".") if end else str(fault)) from None
    if not client.is_ready():
        raise TimeoutError


# --- of a server and a channel


async def members(visit: Visit) -> None:
    """Ask for two members by their numbers."""
    guild, me = visit.channel.guild, visit.client.user
    assert me
    asked = [me.id, guild.owner_id or me.id]
    try:
        async with asyncio.timeout(MEMBERS_WITHIN):
            found = await guild.query_members(user_ids=asked, limit=100, cache=False)
    except TimeoutError:
        raise Fails("no answer came") from None
    if {one.id for one in found} != {*asked}:
        raise Fails(f"of two members {len(found)} came")


def allowed(name: str) -> Callable[[Visit], Awaitable[None]]:
    """A look whether the bot has a permission in the channel."""

    async def look(visit: Visit) -> None:
        place = visit.channel
        if not getattr(place.permissions_for(place.guild.me), name):
            visit.lacking.add(name)
            raise Fails

    return look


# --- messages and their pictures


async def posts(visit: Visit) -> None:
    """Post what looks like a board."""
    visit.board = await visit.post("This is like a board.", FIRST, label="A button")
    visit.headers = dict(visit.client.headers)


async def tells_limits(visit: Visit) -> None:
    """Look at the headers of the answer to the board."""
    given = {name.casefold() for name in visit.headers}
    if visit.first and (lost := [name for name in LIMIT_HEADERS if name.casefold() not in given]):
        raise Fails(f"{together(lost)} not there")


async def picture_has_number(visit: Visit) -> None:
    """Look at the media item of the board's picture."""
    if FIRST not in files_on(visit.first.components):
        raise Fails


async def no_attachments(visit: Visit) -> None:
    """Look at the attachments of the board."""
    if visit.first.attachments:
        raise Fails


async def edit_keeps(visit: Visit) -> None:
    """Edit as the bot does where a picture stays."""
    edits = visit.edits_on(await visit.look(visit.first))
    await edits.edit(visit.where(visit.first), visit.first.id, visit.card("Its picture stays.", FIRST), keep=True)
    if EDIT_KEEPS not in edits.worked:
        raise Fails
    await visit.expect(visit.first, FIRST)


async def edit_without_list(visit: Visit) -> None:
    """Edit the components alone."""
    await visit.change(visit.first, components=visit.card("Nothing is said of files.", FIRST).to_components())
    await visit.expect(visit.first, FIRST)


async def edit_by_id(visit: Visit) -> None:
    """Name the picture that stays by its number, without a filename."""
    file = files_on((await visit.look(visit.first)).components).get(FIRST)
    if file is None:
        raise Untried("The picture has no number.")
    components = visit.card("Its picture is named by a number.", FIRST).to_components()
    await visit.change(visit.first, components=components, attachments=[{"id": str(file.id)}])
    await visit.expect(visit.first, FIRST)


async def edit_by_address(visit: Visit) -> None:
    """Show the picture that is there by the address at which Discord keeps it."""
    media = files_on((await visit.look(visit.first)).components).get(FIRST)
    if media is None:
        raise Untried("The picture has no number.")
    await visit.change(visit.first, components=visit.card("It is named by its address.", media.url).to_components())
    await visit.expect(visit.first, FIRST)


async def edit_brings(visit: Visit) -> None:
    """Edit as the bot does where a picture is new."""
    edits = visit.edits_on(visit.first)
    view = visit.card("It has another picture.", SECOND)
    await edits.edit(visit.where(visit.first), visit.first.id, view, uploads(SECOND))
    await visit.expect(visit.first, SECOND)


async def edit_keeps_and_brings(visit: Visit) -> None:
    """Edit as the bot does where one picture stays and one is new."""
    edits = visit.edits_on(await visit.expect(visit.first, SECOND))
    view = visit.card("It has one more picture.", SECOND, THIRD)
    await edits.edit(visit.where(visit.first), visit.first.id, view, uploads(SECOND, THIRD), keep=True)
    if EDIT_KEEPS not in edits.worked:
        raise Fails
    await visit.expect(visit.first, SECOND, THIRD)


async def edited_at_once(visit: Visit) -> None:
    """Edit a message as soon as it is there, and look a second later."""
    made = await visit.post("This is older.")
    await visit.change(made, components=visit.card("This is newer.").to_components())
    await asyncio.sleep(SETTLED)
    if "This is newer." not in text_of(await visit.look(made)):
        raise Fails


async def repeated(visit: Visit) -> None:
    """Post the same twice, as after an answer that was lost."""
    one = await visit.post("This is posted twice.", nonce=visit.nonce)
    two = await visit.post("This is posted twice.", nonce=visit.nonce)
    visit.repeated = one
    if one.id != two.id:
        raise Fails


async def repeated_in_vain(visit: Visit) -> None:
    """Delete the message, and post it once more with the same nonce."""
    if visit.repeated is None:
        raise Untried("Nothing could be posted.")
    about = {"channel_id": visit.channel.id, "message_id": visit.repeated.id}
    await visit.request("DELETE", MESSAGE, about=about)
    try:
        await visit.post("This is posted once more.", nonce=visit.nonce)
    except discord.NotFound:
        return
    raise Fails("it is posted again")


# --- threads


async def linked_name(visit: Visit) -> None:
    """Begin a thread as the bot does, with a name that may offend Discord."""
    await visit.begin_thread(LINKED, THREAD_MINUTES)


async def thread(visit: Visit) -> None:
    """Begin one with a plain name, unless there is one already."""
    await visit.begin_thread(PLAIN, THREAD_MINUTES)


async def renames(visit: Visit) -> None:
    """Give the thread the mark of a match that is over."""
    made = await visit.change_thread(name=MARKED, auto_archive_duration=OVER_MINUTES)
    if made["name"] != MARKED:
        raise Fails(f"it is called {made['name']}")


async def wakes(visit: Visit) -> None:
    """Archive the thread, and post a message in it."""
    await visit.change_thread(archived=True)
    await visit.post("This wakes the thread.", place=visit.thread)
    now = await visit.request("GET", CHANNEL, about={"channel_id": visit.thread})
    visit.archived = bool(now["thread_metadata"]["archived"])
    if visit.archived:
        raise Fails


# --- of all that was posted


async def tells_nobody(visit: Visit) -> None:
    """Every message of this run mentions the bot, and is to tell nobody."""
    if visit.first and visit.told:
        raise Fails(f"{len(visit.told)} told")
