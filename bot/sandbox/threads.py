"""Threads: starting and archiving them, their members, and the effects of posting in them."""

from datetime import datetime
from math import inf

from bot.sandbox import posts, seed
from bot.sandbox.components import HAS_THREAD
from bot.sandbox.errors import ApiError, BodyCheck, Json
from bot.sandbox.world import (
    ANNOUNCEMENT,
    ANNOUNCEMENT_THREAD,
    FORUM,
    PRIVATE_THREAD,
    PUBLIC_THREAD,
    TEXT,
    THREADS,
    World,
)

ARCHIVE_MINUTES = (60, 1440, 4320, 10080)
MOST_SLOW_SECONDS = 21_600
MOST_ACTIVE = 1000
"""How many threads of a server may be active (not archived) at once. None is archived automatically: after its
`auto_archive_duration` a thread is hidden from the list, but still active."""
OLDER_SECONDS = 60.0
"""The age from which a message's thread is announced; Discord's own value is only known to be "very small"."""
# Types of system messages
RECIPIENT_ADD, CHANNEL_NAME_CHANGE, THREAD_CREATED, THREAD_STARTER = 1, 4, 18, 21


def check_thread(world: World, body: Json, *, creating: bool) -> None:
    """Check the name and archiving time of a new or changed thread. Names with harmful links are 240000."""
    form = BodyCheck()
    if creating or "name" in body:
        name = body.get("name")
        form.check_length(("name",), name.strip() if isinstance(name, str) else name, 1, 100)
    if body.get("auto_archive_duration") is not None:
        form.check_one_of(("auto_archive_duration",), body["auto_archive_duration"], ARCHIVE_MINUTES)
    if body.get("rate_limit_per_user") is not None:
        form.check_whole(("rate_limit_per_user",), body["rate_limit_per_user"], 0, MOST_SLOW_SECONDS)
    form.raise_errors()
    if any(link.casefold() in str(body.get("name")).casefold() for link in world.harmful):
        raise ApiError(240000)


def expect_free_thread(world: World, guild_id: str) -> None:
    """Refuse one more active thread in a server that has `MOST_ACTIVE`."""
    threads = (one for one in world.channels.values() if one["type"] in THREADS and one["guild_id"] == guild_id)
    if sum(not thread["thread_metadata"]["archived"] for thread in threads) >= MOST_ACTIVE:
        raise ApiError(160006)


def _make_thread(world: World, thread_id: str, parent: Json, owner: str, body: Json) -> Json:
    expect_free_thread(world, parent["guild_id"])
    minutes = body.get("auto_archive_duration") or 4320
    thread = seed.make_thread(thread_id, parent, body["name"].strip(), owner, world.timestamp(), minutes)
    if parent["type"] == ANNOUNCEMENT:
        thread["type"] = ANNOUNCEMENT_THREAD
    thread["rate_limit_per_user"] = body.get("rate_limit_per_user") or 0
    thread["thread_members"] = [owner]
    thread["member_count"] = 1
    return thread


def start_thread_on_message(world: World, message: Json, owner: str, body: Json) -> Json:
    """Start a thread on a message, with the message's id. A second one is 160004. Discord announces a thread on an
    older message in the parent channel."""
    parent = world.channel(message["channel_id"])
    if parent["type"] not in (TEXT, ANNOUNCEMENT):
        raise ApiError(50024)
    if message["id"] in world.channels or message["flags"] & HAS_THREAD:
        raise ApiError(160004)
    check_thread(world, body, creating=True)
    thread = _make_thread(world, message["id"], parent, owner, body)
    world.add_channel(thread, newly_created=True, member=make_thread_member(world, thread, owner))
    message["flags"] |= HAS_THREAD
    message["thread"] = {key: value for key, value in thread.items() if key != "thread_members"}
    world.tell("MESSAGE_UPDATE", world.with_guild_id(message))
    reference = {"type": 0, "channel_id": parent["id"], "message_id": message["id"], "guild_id": parent["guild_id"]}
    starter = {key: value for key, value in message.items() if key != "thread"}
    posts.post_system_message(
        world, thread["id"], owner, THREAD_STARTER, message_reference=reference, referenced_message=starter
    )
    if world.clock() - datetime.fromisoformat(message["timestamp"]).timestamp() > OLDER_SECONDS:
        _announce_thread(world, thread)
    return thread


def start_thread(world: World, parent: Json, owner: str, body: Json) -> Json:
    """Start a thread without a message; Discord announces it in the parent channel."""
    if parent["type"] not in (TEXT, ANNOUNCEMENT):
        raise ApiError(50024)
    check_thread(world, body, creating=True)
    form = BodyCheck()
    kinds = (ANNOUNCEMENT_THREAD,) if parent["type"] == ANNOUNCEMENT else (PUBLIC_THREAD, PRIVATE_THREAD)
    # Without a type, Discord creates a private thread.
    kind = PRIVATE_THREAD if body.get("type") is None else body["type"]
    form.check_one_of(("type",), kind, kinds)
    form.raise_errors()
    if kind == PRIVATE_THREAD:
        return start_private_thread(world, parent, owner, body)
    thread = _make_thread(world, world.new_id(), parent, owner, body)
    world.add_channel(thread, newly_created=True, member=make_thread_member(world, thread, owner))
    _announce_thread(world, thread)
    return thread


def start_private_thread(world: World, parent: Json, owner: str, body: Json) -> Json:
    """Start a private thread, of which only its members and those who manage threads are told."""
    if not world.has_permissions(owner, parent["id"], "create_private_threads"):
        raise ApiError(50013)
    thread = _make_thread(world, world.new_id(), parent, owner, body)
    thread["type"] = PRIVATE_THREAD
    thread["thread_metadata"]["invitable"] = body.get("invitable") is not False
    world.add_channel(thread, newly_created=True, member=make_thread_member(world, thread, owner))
    return thread


def _announce_thread(world: World, thread: Json) -> None:
    reference = {"type": 0, "channel_id": thread["id"], "guild_id": thread["guild_id"]}
    posts.post_system_message(
        world, thread["parent_id"], thread["owner_id"], THREAD_CREATED, thread["name"], message_reference=reference
    )


def start_post(world: World, forum: Json, owner: str, name: str, draft: posts.MessageDraft) -> Json:
    """Start a post in a forum: a thread whose first message has the thread's id."""
    if forum["type"] != FORUM:
        raise ApiError(50024)
    check_thread(world, {"name": name}, creating=True)
    thread = _make_thread(world, world.new_id(), forum, owner, {"name": name})
    world.add_channel(thread, newly_created=True, member=make_thread_member(world, thread, owner))
    posts.create_message(world, thread["id"], owner, draft, id=thread["id"])
    return thread


def make_thread_member(world: World, thread: Json, user_id: str) -> Json:
    """A thread member object, with the thread's creation as the time of joining."""
    joined = thread["thread_metadata"]["create_timestamp"]
    return {"id": thread["id"], "user_id": user_id, "join_timestamp": joined, "flags": 1}


def join(world: World, thread: Json, user_id: str) -> bool:
    """Add a user to the thread's members; whether that changed anything."""
    seen = world.permissions(user_id, thread["id"]) & seed.bits_of(("view_channel",))
    if user_id in thread["thread_members"] or not seen:
        return False
    thread["thread_members"].append(user_id)
    if thread["type"] == PRIVATE_THREAD and user_id == world.me:
        world.tell("THREAD_CREATE", thread | {"member": make_thread_member(world, thread, user_id)})
    _members_changed(world, thread, added=[make_thread_member(world, thread, user_id)], removed=[])
    return True


def leave(world: World, thread: Json, user_id: str) -> None:
    """Remove a user from the thread's members."""
    if user_id in thread["thread_members"]:
        thread["thread_members"].remove(user_id)
        _members_changed(world, thread, added=[], removed=[user_id])


def _members_changed(world: World, thread: Json, added: list[Json], removed: list[str]) -> None:
    thread["member_count"] = len(thread["thread_members"])
    event = {"id": thread["id"], "guild_id": thread["guild_id"], "member_count": thread["member_count"]}
    world.tell("THREAD_MEMBERS_UPDATE", event | {"added_members": added, "removed_member_ids": removed})


def expect_sender(world: World, channel: Json, person: str) -> None:
    """Refuse a message of a user without permission, or before slow mode allows the next; `bypass_slowmode` exempts."""
    in_thread = channel["type"] in THREADS
    needed = "send_messages_in_threads" if in_thread else "send_messages"
    if not world.has_permissions(person, channel["id"], "view_channel"):
        raise ApiError(50001)
    if not world.has_permissions(person, channel["id"], needed):
        raise ApiError(50013)
    pause = channel.get("rate_limit_per_user") or 0
    if not pause or world.has_permissions(person, channel["id"], "bypass_slowmode"):
        return
    written = [one for one in world.messages[channel["id"]].values() if one["author"]["id"] == person]
    when = max((datetime.fromisoformat(one["timestamp"]).timestamp() for one in written), default=-inf)
    if (left := when + pause - world.clock()) > 0:
        raise ApiError(20016, retry_after=round(left, 3))


def before_posting(world: World, channel: Json, author: str) -> None:
    """Before a post in a thread: refuse it if the thread is locked, unarchive the thread if it is archived."""
    if channel["type"] not in THREADS:
        return
    if channel["thread_metadata"]["locked"] and not world.has_permissions(author, channel["id"], "manage_threads"):
        raise ApiError(160005)
    _revive(world, channel)


def before_answering(world: World, channel: Json, *, edits: bool = False) -> None:
    """Before the answer to an interaction in a thread, or an edit of one. Discord's error for a locked thread is that
    it is archived; for active locked threads, and for edits in archived ones, that is only reported."""
    if channel["type"] not in THREADS:
        return
    state, manages = channel["thread_metadata"], world.has_permissions(world.me, channel["id"], "manage_threads")
    locked = state["locked"] and not manages and (state["archived"] or world.strict)
    if locked or (edits and state["archived"] and world.strict):
        raise ApiError(50083)
    if not edits:
        _revive(world, channel)


def _revive(world: World, thread: Json) -> None:
    if thread["thread_metadata"]["archived"]:
        expect_free_thread(world, thread["guild_id"])
        set_archived(world, thread, False)


def after_posting(world: World, message: Json) -> None:
    """Add the author and the mentioned users to the thread. A system message about those mentioned is only reported.
    Answering a command in a private thread does not add the bot to it."""
    thread, author = world.channel(message["channel_id"]), message["author"]["id"]
    if thread["type"] not in THREADS or message["ephemeral_for"] or not world.is_admitted(author, thread["id"]):
        return
    join(world, thread, author)
    for user in message["mentions"]:
        if join(world, thread, user["id"]) and world.strict:
            posts.post_system_message(world, thread["id"], author, RECIPIENT_ADD, mentions=[user], quiet=True)


def refuse_archived(channel: Json) -> None:
    """Refuse what an archived thread does not allow: editing messages and adding members."""
    if channel["type"] in THREADS and channel["thread_metadata"]["archived"]:
        raise ApiError(50083)


def before_editing(world: World, channel: Json) -> None:
    """Refuse edits in an archived thread, and in a locked active one unless the bot manages threads; the latter is
    documented but not certain."""
    refuse_archived(channel)
    locked = channel["type"] in THREADS and channel["thread_metadata"]["locked"]
    if locked and world.strict and not world.has_permissions(world.me, channel["id"], "manage_threads"):
        raise ApiError(160005)


def set_archived(world: World, thread: Json, archived: bool, *, locked: bool | None = None) -> None:
    """Archive or unarchive a thread and send the event, without checking permissions."""
    state = thread["thread_metadata"]
    state |= {"archived": archived, "archive_timestamp": world.timestamp()}
    if locked is not None:
        state["locked"] = locked
    world.tell_channel_changed(thread)


def patch_thread(world: World, thread: Json, user_id: str, body: Json) -> Json:
    """Change a thread as a user: its owner may rename, archive and unarchive it; the rest needs manage_threads."""
    check_thread(world, body, creating=False)
    state = thread["thread_metadata"]
    manages = world.has_permissions(user_id, thread["id"], "manage_threads")
    may = manages or thread["owner_id"] == user_id
    if body.get("archived") is False and not state["locked"]:
        may = may or world.has_permissions(user_id, thread["id"], "send_messages_in_threads")
    managing = body.get("locked") is not None and body["locked"] != state["locked"]
    managing = managing or body.get("rate_limit_per_user") not in (None, thread["rate_limit_per_user"])
    if not may or ((managing or state["locked"]) and not manages):
        raise ApiError(50013)
    if state["archived"] and body.get("archived") is not False:
        raise ApiError(50083)
    if state["archived"]:
        expect_free_thread(world, thread["guild_id"])
    return _apply_changes(world, thread, user_id, body)


def _apply_changes(world: World, thread: Json, user_id: str, body: Json) -> Json:
    renamed = "name" in body and body["name"].strip() != thread["name"]
    if renamed:
        thread["name"] = body["name"].strip()
    state = thread["thread_metadata"]
    for key in ("auto_archive_duration", "locked"):
        if body.get(key) is not None:
            state[key] = body[key]
    if body.get("rate_limit_per_user") is not None:
        thread["rate_limit_per_user"] = body["rate_limit_per_user"]
    if body.get("archived") is not None:
        state |= {"archived": body["archived"], "archive_timestamp": world.timestamp()}
    world.tell_channel_changed(thread)
    if renamed and not state["archived"]:
        posts.post_system_message(world, thread["id"], user_id, CHANNEL_NAME_CHANGE, thread["name"])
    return thread
