"""The doctor's table of assumptions about Discord, and how each is tried."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from typing import Any

import discord
from discord import ui

from bot.games.wording import Plural, join_words
from bot.host.doctor_visit import (
    CHANNEL,
    FIRST,
    MESSAGE,
    PRESS_WITHIN,
    SECOND,
    THIRD,
    Assumption,
    AssumptionFails,
    DoctorRun,
    Severity,
    Untried,
    make_uploads,
    text_of,
)
from bot.host.exit_status import UNREACHED, explain_ending
from bot.host.serving import GREETS_WITHIN
from bot.platform.edits import ANSWER_CARRIES, ANSWER_KEEPS, EDIT_KEEPS, read_files
from bot.platform.interactions import Interaction, data_of
from bot.platform.messages import OVER_MINUTES, THREAD_MINUTES
from bot.platform.requests import MUCH

# Tries with a button and a form, for which a person must be present (`--press`).


PRESSES = 4
"""How often a person is asked to press the button."""
FORM_SECONDS = 900.0
"""Seconds after which discord.py forgets a form that was not sent."""


def button_label(number: int) -> str:
    """The label of the button before a press."""
    return f"Press here ({number} of {PRESSES})"


async def wait_for_press(visit: DoctorRun) -> None:
    """Post the button, and wait for the first press."""
    if not visit.press:
        await visit.wait_for_act()
    visit.pad = await visit.post("Press the button.", FIRST, label=button_label(1))
    visit.say(
        f"Now press the button in #{visit.channel.name}: {visit.pad.jump_url}\n"
        f"Do so {PRESSES} times, and send the form that opens at last. Each time you have {PRESS_WITHIN:.0f} seconds."
    )
    if (await visit.wait_for_act()).message is None:
        raise AssumptionFails("it comes without its message")


def current_press(visit: DoctorRun) -> tuple[Interaction, discord.Message]:
    """The press that is still unanswered, and the message with the button."""
    if visit.pad is None or visit.pressed is None:
        raise Untried("No press arrived.")
    return visit.pressed, visit.pad


async def answer_keeping_picture(visit: DoctorRun) -> None:
    """Answer a press as the bot does when a picture stays."""
    if not visit.press:
        await visit.wait_for_act()
    interaction, pad = current_press(visit)
    edits = visit.editor_of(pad)
    view = visit.make_card("Press it again.", FIRST, label=button_label(2))
    await edits.answer(interaction, view, make_uploads(FIRST), keep=True)
    if ANSWER_KEEPS not in edits.worked:
        raise AssumptionFails
    await visit.expect_pictures(pad, FIRST)


async def answer_with_new_picture(visit: DoctorRun) -> None:
    """Answer a press as the bot does when a picture is new."""
    interaction = await visit.wait_for_act()
    pad, edits = current_press(visit)[1], visit.editor_of(current_press(visit)[1])
    view = visit.make_card("Press it once more.", SECOND, label=button_label(3))
    await edits.answer(interaction, view, make_uploads(SECOND))
    await visit.expect_pictures(pad, SECOND)
    if ANSWER_CARRIES not in edits.worked:
        raise AssumptionFails


async def edit_after_deferral(visit: DoctorRun) -> None:
    """Acknowledge a press, and edit its message afterwards."""
    interaction = await visit.wait_for_act()
    pad = current_press(visit)[1]
    await interaction.response.defer()
    view = visit.make_card("Press it for the last time.", THIRD, label=button_label(4))
    await visit.editor_of(pad).answer(interaction, view, make_uploads(THIRD))
    await visit.expect_pictures(pad, THIRD)


async def send_follow_up(visit: DoctorRun) -> None:
    """Send an ephemeral message to the person who pressed."""
    if not visit.press:
        await visit.wait_for_act()
    interaction, _ = current_press(visit)
    if not interaction.response.is_done():
        raise Untried("No press was answered.")
    made = await interaction.followup.send("Only you see this line. It goes away again.", ephemeral=True, wait=True)
    with contextlib.suppress(discord.NotFound):
        await made.delete()
    if not made.flags.ephemeral:
        raise AssumptionFails


async def open_form(visit: DoctorRun) -> None:
    """Open a form, and read what the person typed into it."""
    interaction = await visit.wait_for_act()
    field: ui.TextInput[Any] = ui.TextInput(custom_id="word", default="graph paper", max_length=40)
    form = ui.Modal(title="Graph Paper doctor", custom_id=visit.client.mark, timeout=FORM_SECONDS)
    form.add_item(ui.Label(text="Any word", component=field))
    await interaction.response.send_modal(form)
    visit.say("Now send the form.")
    sent = await visit.wait_for_act()
    await visit.editor_of(current_press(visit)[1]).answer(sent, visit.make_card("Thank you, that was all."))
    if not read_typed_text(data_of(sent).get("components")):
        raise AssumptionFails("it comes empty")


def read_typed_text(components: Any) -> str:
    """What a person typed into the one field of the form."""
    with contextlib.suppress(KeyError, IndexError, TypeError):
        return str(components[0]["component"]["value"])
    return ""


# Tries in a channel, a function for each assumption: it raises `AssumptionFails` or `Untried` unless it holds.


FEW = Plural(
    "Only 1 connection is left today, and the bot may need it.",
    "Only {number} connections are left today, and the bot may need them.",
)

LEAST_SESSIONS = 20
"""The least number of connections that should be left for the day; when none is left, Discord resets the token."""
MEMBERS_WITHIN = 10.0
"""Seconds for Discord to send two members."""
PLAIN = "Graph Paper doctor"
LINKED = f"{PLAIN}: Ann v. Bea (https://example.com)"
MARKED = f"✔ {PLAIN}"
"""Names of threads: the usual one, one with a dot and a link, and one with the mark of a match that is over."""
LIMIT_HEADERS = ("X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset-After", "X-RateLimit-Bucket")
SETTLED = 1.0
"""Seconds after which a lost edit can be detected."""
# --- before a channel


async def compare_clocks(visit: DoctorRun) -> None:
    """Compare the date of Discord's last answer with this machine's clock."""
    ahead = visit.client.ahead
    if ahead is None:
        raise Untried("Discord's answers have no date.")
    if ahead > MUCH:
        raise AssumptionFails(f"it is {ahead:.0f} s ahead")
    if -ahead > MUCH:
        raise AssumptionFails(f"it is {-ahead:.0f} s behind")


async def check_endpoint_url(visit: DoctorRun) -> None:
    """Check that no interactions endpoint URL is set, to which Discord would send interactions instead."""
    if (await visit.client.application_info()).interactions_endpoint_url:
        raise AssumptionFails


async def report_database(visit: DoctorRun) -> None:
    """Report what was found when the run began."""
    if visit.database.fault:
        raise visit.database.fault


async def connect_shard(visit: DoctorRun) -> None:
    """Connect to the chosen shard with the bot's own intents."""
    client = visit.client
    _, _, sessions = await client.http.get_bot_gateway()
    if sessions["remaining"] < LEAST_SESSIONS:
        raise Untried(FEW.fill_in(sessions["remaining"]))
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
            end = explain_ending(fault)
            raise AssumptionFails(end[0].rstrip(".") if end else str(fault)) from None
    if not client.is_ready():
        raise TimeoutError


# --- a server and a channel


async def request_members(visit: DoctorRun) -> None:
    """Request two members by ID."""
    guild, me = visit.channel.guild, visit.client.user
    assert me
    asked = [me.id, guild.owner_id or me.id]
    try:
        async with asyncio.timeout(MEMBERS_WITHIN):
            found = await guild.query_members(user_ids=asked, limit=100, cache=False)
    except TimeoutError:
        raise AssumptionFails("no answer came") from None
    if {one.id for one in found} != {*asked}:
        raise AssumptionFails(f"of two members {len(found)} came")


def check_permission(name: str) -> Callable[[DoctorRun], Awaitable[None]]:
    """A try that checks whether the bot has a permission in the channel."""

    async def look(visit: DoctorRun) -> None:
        place = visit.channel
        if not getattr(place.permissions_for(place.guild.me), name):
            visit.lacking.add(name)
            raise AssumptionFails

    return look


# --- messages and their pictures


async def post_board(visit: DoctorRun) -> None:
    """Post a message that looks like a board."""
    visit.board = await visit.post("This is like a board.", FIRST, label="A button")
    visit.headers = dict(visit.client.headers)


async def check_rate_headers(visit: DoctorRun) -> None:
    """Check the rate limit headers of the answer to the board's post."""
    given = {name.casefold() for name in visit.headers}
    if visit.first_board and (lost := [name for name in LIMIT_HEADERS if name.casefold() not in given]):
        raise AssumptionFails(f"{join_words(lost)} not there")


async def check_picture_number(visit: DoctorRun) -> None:
    """Check that the media item of the board's picture has an ID."""
    if FIRST not in read_files(visit.first_board.components):
        raise AssumptionFails


async def check_no_attachments(visit: DoctorRun) -> None:
    if visit.first_board.attachments:
        raise AssumptionFails


async def edit_keeping_picture(visit: DoctorRun) -> None:
    """Edit as the bot does when a picture stays."""
    edits = visit.editor_of(await visit.fetch_message(visit.first_board))
    await edits.edit(
        visit.place_of(visit.first_board), visit.first_board.id, visit.make_card("Its picture stays.", FIRST), keep=True
    )
    if EDIT_KEEPS not in edits.worked:
        raise AssumptionFails
    await visit.expect_pictures(visit.first_board, FIRST)


async def edit_without_list(visit: DoctorRun) -> None:
    """Edit the components without a list of attachments."""
    await visit.edit_raw(
        visit.first_board, components=visit.make_card("Nothing is said of files.", FIRST).to_components()
    )
    await visit.expect_pictures(visit.first_board, FIRST)


async def edit_by_id(visit: DoctorRun) -> None:
    """Keep the picture by its ID, without a filename."""
    file = read_files((await visit.fetch_message(visit.first_board)).components).get(FIRST)
    if file is None:
        raise Untried("The picture has no number.")
    components = visit.make_card("Its picture is named by a number.", FIRST).to_components()
    await visit.edit_raw(visit.first_board, components=components, attachments=[{"id": str(file.id)}])
    await visit.expect_pictures(visit.first_board, FIRST)


async def edit_by_address(visit: DoctorRun) -> None:
    """Show the existing picture by its URL on Discord's servers."""
    media = read_files((await visit.fetch_message(visit.first_board)).components).get(FIRST)
    if media is None:
        raise Untried("The picture has no number.")
    await visit.edit_raw(
        visit.first_board, components=visit.make_card("It is named by its address.", media.url).to_components()
    )
    await visit.expect_pictures(visit.first_board, FIRST)


async def edit_with_new_picture(visit: DoctorRun) -> None:
    """Edit as the bot does when a picture is new."""
    edits = visit.editor_of(visit.first_board)
    view = visit.make_card("It has another picture.", SECOND)
    await edits.edit(visit.place_of(visit.first_board), visit.first_board.id, view, make_uploads(SECOND))
    await visit.expect_pictures(visit.first_board, SECOND)


async def edit_with_old_and_new(visit: DoctorRun) -> None:
    """Edit as the bot does when one picture stays and one is new."""
    edits = visit.editor_of(await visit.expect_pictures(visit.first_board, SECOND))
    view = visit.make_card("It has one more picture.", SECOND, THIRD)
    await edits.edit(
        visit.place_of(visit.first_board), visit.first_board.id, view, make_uploads(SECOND, THIRD), keep=True
    )
    if EDIT_KEEPS not in edits.worked:
        raise AssumptionFails
    await visit.expect_pictures(visit.first_board, SECOND, THIRD)


async def edit_right_after_post(visit: DoctorRun) -> None:
    """Edit a message right after posting it, and fetch it a second later."""
    made = await visit.post("This is older.")
    await visit.edit_raw(made, components=visit.make_card("This is newer.").to_components())
    await asyncio.sleep(SETTLED)
    if "This is newer." not in text_of(await visit.fetch_message(made)):
        raise AssumptionFails


async def post_twice(visit: DoctorRun) -> None:
    """Post the same message twice with one nonce, as after a lost answer."""
    one = await visit.post("This is posted twice.", nonce=visit.nonce)
    two = await visit.post("This is posted twice.", nonce=visit.nonce)
    visit.repeated = one
    if one.id != two.id:
        raise AssumptionFails


async def repost_deleted(visit: DoctorRun) -> None:
    """Delete the message, and post it again with the same nonce."""
    if visit.repeated is None:
        raise Untried("Nothing could be posted.")
    about = {"channel_id": visit.channel.id, "message_id": visit.repeated.id}
    await visit.send_request("DELETE", MESSAGE, about=about)
    try:
        await visit.post("This is posted once more.", nonce=visit.nonce)
    except discord.NotFound:
        return
    raise AssumptionFails("it is posted again")


# --- threads


async def start_thread_with_link(visit: DoctorRun) -> None:
    """Start a thread as the bot does, with a name that Discord may reject."""
    await visit.begin_thread(LINKED, THREAD_MINUTES)


async def start_thread(visit: DoctorRun) -> None:
    """Start a thread with a plain name, unless there is one already."""
    await visit.begin_thread(PLAIN, THREAD_MINUTES)


async def rename_thread(visit: DoctorRun) -> None:
    """Rename the thread as after a match."""
    made = await visit.change_thread(name=MARKED, auto_archive_duration=OVER_MINUTES)
    if made["name"] != MARKED:
        raise AssumptionFails(f"it is called {made['name']}")


async def post_in_archived_thread(visit: DoctorRun) -> None:
    await visit.change_thread(archived=True)
    await visit.post("This wakes the thread.", place=visit.thread)
    now = await visit.send_request("GET", CHANNEL, about={"channel_id": visit.thread})
    visit.archived = bool(now["thread_metadata"]["archived"])
    if visit.archived:
        raise AssumptionFails


# --- everything that was posted


async def check_mentions(visit: DoctorRun) -> None:
    """Check that no message of this run notified the bot, which each of them mentions."""
    if visit.first_board and visit.told:
        raise AssumptionFails(f"{len(visit.told)} told")


# The table of assumptions: a sentence, how it is tried, and what the bot does where it fails.


POST = ("view_channel", "send_messages", "attach_files")
READ = (*POST, "read_message_history")
THREADED = (*READ, "create_public_threads")
TALKING = (*THREADED, "send_messages_in_threads")
PATIENT = 20.0 + PRESS_WITHIN
"""Seconds for a try that waits for a person."""
INVITED = {
    "view_channel": ("View Channel", "The bot shows nothing there"),
    "send_messages": ("Send Messages", "The bot posts no challenge and no board there"),
    "attach_files": ("Attach Files", "The bot can't show boards there"),
    "create_public_threads": ("Create Public Threads", "The bot plays every match in the channel itself"),
    "send_messages_in_threads": ("Send Messages in Threads", "The bot can't play in threads"),
    "read_message_history": ("Read Message History", "The bot can't find its own boards, and may post one twice"),
}
"""The permissions that the invitation in README.md asks for, in Discord's words, and what fails without each."""


def permission_assumption(name: str) -> Assumption:
    """The table's row for a permission."""
    title, otherwise = INVITED[name]
    text = f"{otherwise}: allow it to the bot, in the channel's settings or in its role."
    return Assumption(f"{title} is allowed in the channel", check_permission(name), text, Severity.YOURS)


ARRIVING: tuple[Assumption, ...] = (
    Assumption(
        "The database fits this program", report_database,
        "The bot does not start on it.", Severity.YOURS,
    ),
    Assumption(
        "This machine's clock agrees with Discord's", compare_clocks,
        "The bot goes by Discord's clock. Set this machine's all the same, for its log.",
    ),
    Assumption(
        "Commands and presses come over the connection", check_endpoint_url,
        "The bot hears nobody: empty “Interactions Endpoint URL” in the developer portal.", Severity.YOURS,
    ),
    Assumption(
        "Discord lets the bot connect, without privileged intents", connect_shard,
        "Nobody can play.", Severity.NEEDED, within=45.0,
    ),
)  # fmt: skip
"""Tried before a channel is chosen."""

THERE: tuple[Assumption, ...] = (
    *map(permission_assumption, INVITED),
    Assumption(
        "Discord tells of members by their numbers, without a privileged intent", request_members,
        "The bot asks for each of them by itself.",
    ),
    Assumption(
        "A board with a picture and a button is posted", post_board,
        "Nobody can play.", Severity.NEEDED, POST,
    ),
    Assumption(
        "The answer tells how often the bot may ask (X-RateLimit)", check_rate_headers,
        "The bot learns of limits when it is refused, and waits then.", needs=POST,
    ),
    Assumption(
        "A picture carries its number where it is shown (attachment_id)", check_picture_number,
        "The bot can't say which pictures stay, and uploads all of them with each edit.", needs=POST,
    ),
    Assumption(
        "A picture that is shown is none of the message's attachments", check_no_attachments,
        "The bot looks for pictures where they are shown, and finds them all the same.", needs=POST,
    ),
    Assumption(
        "An edit keeps a picture that it names by id and filename", edit_keeping_picture,
        "The bot uploads the picture again with each edit.", needs=READ,
    ),
    Assumption(
        "An edit that says nothing of files keeps them", edit_without_list,
        "The bot always says which pictures stay.", needs=READ,
    ),
    Assumption(
        "An edit keeps a picture that it names by its id alone", edit_by_id,
        "The bot always names both, id and filename.", needs=READ,
    ),
    Assumption(
        "An edit keeps a picture that it shows by its address", edit_by_address,
        "The bot never shows a picture so.", needs=READ,
    ),
    Assumption(
        "An edit brings a new picture", edit_with_new_picture,
        "Boards stay as they are after a move.", Severity.NEEDED, READ,
    ),
    Assumption(
        "An edit keeps one picture and brings another", edit_with_old_and_new,
        "The bot uploads both.", needs=READ,
    ),
    Assumption(
        "A message that is edited as soon as it is posted stays edited", edit_right_after_post,
        "People may see a board as it was before, until it changes again.", needs=READ,
    ),
    Assumption(
        "A post that is repeated gives the first message (nonce)", post_twice,
        "The bot looks for its message in the channel before it posts again after a lost answer.", needs=POST,
    ),
    Assumption(
        "A post that is repeated after its message was deleted is refused (10008)", repost_deleted,
        "The bot takes the message that it is given.", needs=POST,
    ),
    Assumption(
        "A thread's name may hold a dot and a link", start_thread_with_link,
        "The bot gives the thread a plain name, or plays in the channel.", needs=THREADED,
    ),
    Assumption(
        "A thread is made from a message", start_thread,
        "The bot plays in the channel.", needs=THREADED,
    ),
    Assumption(
        "A thread is renamed", rename_thread,
        "The thread of a match that is over keeps its name.", needs=THREADED,
    ),
    Assumption(
        "A message wakes an archived thread", post_in_archived_thread,
        "A match can't go on when its thread was archived.", Severity.NEEDED, TALKING,
    ),
    Assumption(
        "A mention that is to tell nobody tells nobody", check_mentions,
        "People are told of what is not for them.", Severity.NEEDED, POST,
    ),
    Assumption(
        "A press of a button arrives, with its message", wait_for_press,
        "Nobody can play.", Severity.NEEDED, READ, PATIENT,
    ),
    Assumption(
        "The answer to a press keeps a picture that it names", answer_keeping_picture,
        "The bot uploads the picture again with each answer.", needs=READ,
    ),
    Assumption(
        "The answer to a press brings a new picture", answer_with_new_picture,
        "The bot acknowledges the press, and edits the message afterwards.", needs=READ, within=PATIENT,
    ),
    Assumption(
        "A press that was acknowledged is answered by an edit with a new picture", edit_after_deferral,
        "Boards stay as they are after a press.", Severity.NEEDED, READ, PATIENT,
    ),
    Assumption(
        "A line after the answer is shown to one person only", send_follow_up,
        "Others may read what is not for them.", Severity.NEEDED, READ,
    ),
    Assumption(
        "A form opens, and what is typed into it arrives", open_form,
        "The bot can't ask for a move in a form.", Severity.NEEDED, READ, 2 * PATIENT,
    ),
)  # fmt: skip
"""Tried in a channel, in this order: later tries use what earlier ones have posted."""
