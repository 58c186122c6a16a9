"""Threads: starting them, their members, archiving, and what posting in them does."""

from datetime import datetime

from bot.sandbox.world import posts, seed
from bot.sandbox.world.api_errors import ApiError, Form, Json
from bot.sandbox.world.limits import HAS_THREAD
from bot.sandbox.world.world import ANNOUNCEMENT, FORUM, PUBLIC_THREAD, TEXT, THREADS, World

ARCHIVE_MINUTES = (60, 1440, 4320, 10080)
MOST_ACTIVE = 1000
"""How many threads of a server may be active, which is not archived, at once."""
OLDER_SECONDS = 60.0
"""The age of a message whose thread is announced; of Discord's own it is known only that it is "very small"."""
# Discord's own messages
RECIPIENT_ADD, CHANNEL_NAME_CHANGE, THREAD_CREATED, THREAD_STARTER = 1, 4, 18, 21


def check(body: Json, *, creating: bool) -> None:
    """Check name and archiving time of a thread to be made or changed."""
    form = Form()
    if creating or "name" in body:
        form.length(("name",), body.get("name"), 1, 100)
    if body.get("auto_archive_duration") is not None:
        form.one_of(("auto_archive_duration",), body["auto_archive_duration"], ARCHIVE_MINUTES)
    form.close()


def expect_room(world: World, guild_id: str) -> None:
    """Refuse one more active thread in a server that has as many as there may be."""
    threads = (one for one in world.channels.values() if one["type"] in THREADS and one["guild_id"] == guild_id)
    if sum(not thread["thread_metadata"]["archived"] for thread in threads) >= MOST_ACTIVE:
        raise ApiError(160006)


def _new(world: World, thread_id: str, parent: Json, owner: str, body: Json) -> Json:
    expect_room(world, parent["guild_id"])
    minutes = body.get("auto_archive_duration") or 4320
    thread = seed.thread(thread_id, parent, body["name"].strip(), owner, world.now(), minutes)
    thread["rate_limit_per_user"] = body.get("rate_limit_per_user") or 0
    thread["thread_members"] = [owner]
    thread["member_count"] = 1
    return thread


def from_message(world: World, message: Json, owner: str, body: Json) -> Json:
    """Start a thread on a message; its id is the message's. A second time is 160004. Discord announces one on an older
    message in the parent channel."""
    parent = world.channel(message["channel_id"])
    if parent["type"] not in (TEXT, ANNOUNCEMENT):
        raise ApiError(50024)
    if message["id"] in world.channels or message["flags"] & HAS_THREAD:
        raise ApiError(160004)
    check(body, creating=True)
    thread = _new(world, message["id"], parent, owner, body)
    world.add_channel(thread, newly_created=True, member=member(world, thread, owner))
    message["flags"] |= HAS_THREAD
    message["thread"] = {key: value for key, value in thread.items() if key != "thread_members"}
    world.tell("MESSAGE_UPDATE", world.placed(message))
    reference = {"type": 0, "channel_id": parent["id"], "message_id": message["id"], "guild_id": parent["guild_id"]}
    starter = {key: value for key, value in message.items() if key != "thread"}
    posts.system(world, thread["id"], owner, THREAD_STARTER, message_reference=reference, referenced_message=starter)
    if world.clock() - datetime.fromisoformat(message["timestamp"]).timestamp() > OLDER_SECONDS:
        _announce(world, thread)
    return thread


def bare(world: World, parent: Json, owner: str, body: Json) -> Json:
    """Start a thread without a message; Discord announces it in the parent channel."""
    if parent["type"] not in (TEXT, ANNOUNCEMENT):
        raise ApiError(50024)
    check(body, creating=True)
    form = Form()
    # Without a type Discord makes a private thread, which the sandbox does not have.
    form.one_of(("type",), body.get("type"), (PUBLIC_THREAD,))
    form.close()
    thread = _new(world, world.new_id(), parent, owner, body)
    world.add_channel(thread, newly_created=True, member=member(world, thread, owner))
    _announce(world, thread)
    return thread


def _announce(world: World, thread: Json) -> None:
    reference = {"type": 0, "channel_id": thread["id"], "guild_id": thread["guild_id"]}
    posts.system(
        world, thread["parent_id"], thread["owner_id"], THREAD_CREATED, thread["name"], message_reference=reference
    )


def post(world: World, forum: Json, owner: str, name: str, draft: posts.Draft) -> Json:
    """Start a post in a forum: a thread whose first message has the thread's id."""
    if forum["type"] != FORUM:
        raise ApiError(50024)
    check({"name": name}, creating=True)
    thread = _new(world, world.new_id(), forum, owner, {"name": name})
    world.add_channel(thread, newly_created=True, member=member(world, thread, owner))
    posts.create(world, thread["id"], owner, draft, id=thread["id"])
    return thread


def member(world: World, thread: Json, user_id: str) -> Json:
    """A thread member object; the time of joining is the thread's."""
    joined = thread["thread_metadata"]["create_timestamp"]
    return {"id": thread["id"], "user_id": user_id, "join_timestamp": joined, "flags": 1}


def join(world: World, thread: Json, user_id: str) -> bool:
    """Make a user a member of the thread; whether that changed anything."""
    if user_id in thread["thread_members"] or not world.may(user_id, thread["id"], "view_channel"):
        return False
    thread["thread_members"].append(user_id)
    _members_changed(world, thread, added=[member(world, thread, user_id)], removed=[])
    return True


def leave(world: World, thread: Json, user_id: str) -> None:
    """Take a user out of the thread's members."""
    if user_id in thread["thread_members"]:
        thread["thread_members"].remove(user_id)
        _members_changed(world, thread, added=[], removed=[user_id])


def _members_changed(world: World, thread: Json, added: list[Json], removed: list[str]) -> None:
    thread["member_count"] = len(thread["thread_members"])
    event = {"id": thread["id"], "guild_id": thread["guild_id"], "member_count": thread["member_count"]}
    world.tell("THREAD_MEMBERS_UPDATE", event | {"added_members": added, "removed_member_ids": removed})


def before_posting(world: World, channel: Json, author: str) -> None:
    """What posting in a thread needs and does: a locked one refuses, an archived one revives."""
    if channel["type"] not in THREADS:
        return
    state = channel["thread_metadata"]
    if state["locked"] and (state["archived"] or not world.may(author, channel["id"], "manage_threads")):
        raise ApiError(50083 if state["archived"] else 160005)
    if state["archived"]:
        expect_room(world, channel["guild_id"])
        set_archived(world, channel, False)


def after_posting(world: World, message: Json) -> None:
    """Make the author and the mentioned people members of the thread."""
    thread = world.channel(message["channel_id"])
    if thread["type"] in THREADS and not message["ephemeral_for"]:
        for user_id in (message["author"]["id"], *(user["id"] for user in message["mentions"])):
            join(world, thread, user_id)


def refuse_archived(channel: Json) -> None:
    """Editing messages and adding members is not possible in an archived thread."""
    if channel["type"] in THREADS and channel["thread_metadata"]["archived"]:
        raise ApiError(50083)


def set_archived(world: World, thread: Json, archived: bool, *, locked: bool | None = None) -> None:
    """Archive or revive a thread and tell; no permission is needed here."""
    state = thread["thread_metadata"]
    state |= {"archived": archived, "archive_timestamp": world.now()}
    if locked is not None:
        state["locked"] = locked
    world.channel_changed(thread)


def patch(world: World, thread: Json, user_id: str, body: Json) -> Json:
    """Change a thread as a user: its owner may rename, archive and revive it; the rest needs manage_threads."""
    check(body, creating=False)
    state = thread["thread_metadata"]
    manages = world.may(user_id, thread["id"], "manage_threads")
    may = manages or thread["owner_id"] == user_id
    if body.get("archived") is False and not state["locked"]:
        may = may or world.may(user_id, thread["id"], "send_messages_in_threads")
    changes_lock = body.get("locked") is not None and body["locked"] != state["locked"]
    if not may or ((changes_lock or state["locked"]) and not manages):
        raise ApiError(50013)
    if state["archived"] and body.get("archived") is not False:
        raise ApiError(50083)
    if state["archived"]:
        expect_room(world, thread["guild_id"])
    return _apply(world, thread, user_id, body)


def _apply(world: World, thread: Json, user_id: str, body: Json) -> Json:
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
        state |= {"archived": body["archived"], "archive_timestamp": world.now()}
    world.channel_changed(thread)
    if renamed and not state["archived"]:
        posts.system(world, thread["id"], user_id, CHANNEL_NAME_CHANGE, thread["name"])
    return thread
