"""What the bot builds on: a table of sentences, each with how it is tried and what the bot does where it fails.

The facts come from `bot.client.views.edits`, which has to know how Discord edits messages, from Discord's
documentation, and from what is reported of Discord and not documented.
"""

from __future__ import annotations

from bot.host.doctor import presses, tries
from bot.host.doctor.findings import Weight
from bot.host.doctor.verdict import Assumption
from bot.host.doctor.visit import PRESS_WITHIN

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
"""The permissions that the invitation in README.md asks for, as Discord calls them, and what is without each."""


def permission(name: str) -> Assumption:
    """The row of a permission."""
    title, otherwise = INVITED[name]
    text = f"{otherwise}: allow it to the bot, in the channel's settings or in its role."
    return Assumption(f"{title} is allowed in the channel", tries.allowed(name), text, Weight.YOURS)


ARRIVING: tuple[Assumption, ...] = (
    Assumption(
        "The database fits this program", tries.database,
        "The bot does not start on it.", Weight.YOURS,
    ),
    Assumption(
        "This machine's clock agrees with Discord's", tries.clock,
        "The bot goes by Discord's clock. Set this machine's all the same, for its log.",
    ),
    Assumption(
        "Commands and presses come over the connection", tries.over_the_connection,
        "The bot hears nobody: empty “Interactions Endpoint URL” in the developer portal.", Weight.YOURS,
    ),
    Assumption(
        "Discord lets the bot connect, without privileged intents", tries.connects,
        "Nobody can play.", Weight.NEEDED, within=45.0,
    ),
)  # fmt: skip
"""What is tried before a channel is looked at."""

THERE: tuple[Assumption, ...] = (
    *map(permission, INVITED),
    Assumption(
        "Discord tells of members by their numbers, without a privileged intent", tries.members,
        "The bot asks for each of them by itself.",
    ),
    Assumption(
        "A board with a picture and a button is posted", tries.posts,
        "Nobody can play.", Weight.NEEDED, POST,
    ),
    Assumption(
        "The answer tells how often the bot may ask (X-RateLimit)", tries.tells_limits,
        "The bot learns of limits when it is refused, and waits then.", needs=POST,
    ),
    Assumption(
        "A picture carries its number where it is shown (attachment_id)", tries.picture_has_number,
        "The bot can't say which pictures stay, and uploads all of them with each edit.", needs=POST,
    ),
    Assumption(
        "A picture that is shown is none of the message's attachments", tries.no_attachments,
        "The bot looks for pictures where they are shown, and finds them all the same.", needs=POST,
    ),
    Assumption(
        "An edit keeps a picture that it names by id and filename", tries.edit_keeps,
        "The bot uploads the picture again with each edit.", needs=READ,
    ),
    Assumption(
        "An edit that says nothing of files keeps them", tries.edit_without_list,
        "The bot always says which pictures stay.", needs=READ,
    ),
    Assumption(
        "An edit keeps a picture that it names by its id alone", tries.edit_by_id,
        "The bot always names both, id and filename.", needs=READ,
    ),
    Assumption(
        "An edit keeps a picture that it shows by its address", tries.edit_by_address,
        "The bot never shows a picture so.", needs=READ,
    ),
    Assumption(
        "An edit brings a new picture", tries.edit_brings,
        "Boards stay as they are after a move.", Weight.NEEDED, READ,
    ),
    Assumption(
        "An edit keeps one picture and brings another", tries.edit_keeps_and_brings,
        "The bot uploads both.", needs=READ,
    ),
    Assumption(
        "A message that is edited as soon as it is posted stays edited", tries.edited_at_once,
        "People may see a board as it was before, until it changes again.", needs=READ,
    ),
    Assumption(
        "A post that is repeated gives the first message (nonce)", tries.repeated,
        "The bot looks for its message in the channel before it posts again after a lost answer.", needs=POST,
    ),
    Assumption(
        "A post that is repeated after its message was deleted is refused (10008)", tries.repeated_in_vain,
        "The bot takes the message that it is given.", needs=POST,
    ),
    Assumption(
        "A thread's name may hold a dot and a link", tries.linked_name,
        "The bot gives the thread a plain name, or plays in the channel.", needs=THREADED,
    ),
    Assumption(
        "A thread is made from a message", tries.thread,
        "The bot plays in the channel.", needs=THREADED,
    ),
    Assumption(
        "A thread is renamed", tries.renames,
        "The thread of a match that is over keeps its name.", needs=THREADED,
    ),
    Assumption(
        "A message wakes an archived thread", tries.wakes,
        "A match can't go on when its thread was archived.", Weight.NEEDED, TALKING,
    ),
    Assumption(
        "A mention that is to tell nobody tells nobody", tries.tells_nobody,
        "People are told of what is not for them.", Weight.NEEDED, POST,
    ),
    Assumption(
        "A press of a button arrives, with its message", presses.press_arrives,
        "Nobody can play.", Weight.NEEDED, READ, PATIENT,
    ),
    Assumption(
        "The answer to a press keeps a picture that it names", presses.answer_keeps,
        "The bot uploads the picture again with each answer.", needs=READ,
    ),
    Assumption(
        "The answer to a press brings a new picture", presses.answer_brings,
        "The bot acknowledges the press, and edits the message afterwards.", needs=READ, within=PATIENT,
    ),
    Assumption(
        "A press that was acknowledged is answered by an edit with a new picture", presses.deferred_brings,
        "Boards stay as they are after a press.", Weight.NEEDED, READ, PATIENT,
    ),
    Assumption(
        "A line after the answer is shown to one person only", presses.follow_up,
        "Others may read what is not for them.", Weight.NEEDED, READ,
    ),
    Assumption(
        "A form opens, and what is typed into it arrives", presses.form_opens,
        "The bot can't ask for a move in a form.", Weight.NEEDED, READ, 2 * PATIENT,
    ),
)  # fmt: skip
"""What is tried in a channel, in this order: later tries go on with what earlier ones have made."""
