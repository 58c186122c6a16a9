"""Creating and editing messages: attachments, `attachment://` URLs, mentions, nonces and notifications."""

import mimetypes
import re
import struct
from dataclasses import dataclass, field
from itertools import takewhile
from typing import Any

from bot.sandbox import components
from bot.sandbox.errors import ApiError, BodyCheck, Json, is_list, is_object, list_under, object_under
from bot.sandbox.world import THREADS, World

# Keys of stored objects that are the sandbox's own and never sent to the bot.
PRIVATE = frozenset({"ephemeral_for", "thread_members"})
USER_MENTION = re.compile(r"<@!?([0-9]{15,20})>")
ROLE_MENTION = re.compile(r"<@&([0-9]{15,20})>")
CODE = re.compile(r"(?<!`)(`+)(?!`).*?(?<!`)\1(?!`)", re.DOTALL)
"""Code in backticks, where nothing is a mention."""


@dataclass
class MessageDraft:
    """A message in a request: the JSON body and the uploaded files, by their number in the form."""

    body: Json
    files: dict[int, tuple[str, bytes]] = field(default_factory=dict[int, tuple[str, bytes]])


def copy_for_clients(value: Any, base: str, keep: frozenset[str] = frozenset()) -> Any:
    """A copy to be sent: without private keys (except `keep`), with file URLs under `base`.

    Of a file that a component shows, bots get only the media item: it is not among the message's `attachments`. The
    chat page, which keeps private keys, gets all of them.
    """
    private = PRIVATE - keep

    def copy_value(value: Any) -> Any:
        if isinstance(value, str):
            return base + value if value.startswith("/attachments/") else value
        if is_object(value):
            bare = value if keep or not _is_v2(value) else {**value, "attachments": components.unshown_files(value)}
            return {key: copy_value(one) for key, one in bare.items() if key not in private}
        return [copy_value(one) for one in value] if is_list(value) else value

    return copy_value(value)


def _is_v2(value: Json) -> bool:
    """Whether an object is a components-v2 message."""
    return "attachments" in value and "components" in value and bool(int(value.get("flags") or 0) & components.V2)


def _image_size(data: bytes) -> tuple[int, int] | None:
    """Width and height of a PNG or GIF, from its first bytes."""
    if data.startswith(b"\x89PNG") and len(data) >= 24:
        return struct.unpack(">II", data[16:24])
    if data.startswith(b"GIF8") and len(data) >= 10:
        return struct.unpack("<HH", data[6:10])
    return None


def store_attachment(world: World, channel_id: str, name: str, data: bytes, entry: Json) -> Json:
    """Store an uploaded file; its attachment object."""
    file_id = world.new_id()
    if not data:
        world.complain(f"The file {name} was uploaded with 0 bytes.")
    world.files[file_id] = data
    filename = _safe_filename(name)
    address = f"/attachments/{channel_id}/{file_id}/{filename}"
    made: Json = {"id": file_id, "filename": filename, "size": len(data), "url": address, "proxy_url": address}
    made["content_type"] = mimetypes.guess_type(filename)[0] or "application/octet-stream"
    made |= {"description": entry["description"]} if entry.get("description") else {}
    if size := _image_size(data):
        made["width"], made["height"] = size
    return made


def _update_attachments(
    world: World, channel_id: str, draft: MessageDraft, old: list[Json]
) -> tuple[list[Json], list[Json]]:
    """The attachments after a request, kept ones first, then new ones; and those of them that the request lists with
    both id and filename."""
    given: list[Json] | None = draft.body.get("attachments")
    listed = [*({"id": one["id"]} for one in old), *({"id": number} for number in draft.files)]
    listed = listed if given is None else given
    known = {one["id"]: one for one in old}
    form, made, named, used = BodyCheck(), list[Json](), list[Json](), set[int]()
    for index, entry in enumerate(listed):
        key = str(entry.get("id"))
        if key in known:
            changed = {"description": entry["description"]} if entry.get("description") else {}
            made.append(known[key] | changed)
        elif key.isdigit() and int(key) in draft.files:
            used.add(int(key))
            name, data = draft.files[int(key)]
            made.append(store_attachment(world, channel_id, str(entry.get("filename") or name), data, entry))
        else:
            form.add_error(
                ("attachments", index, "id"), "ATTACHMENT_NOT_FOUND", f"There is no attachment or file {key}."
            )
            continue
        named += [made[-1]] if _safe_filename(str(entry.get("filename"))) == made[-1]["filename"] else []
    form.raise_errors()
    rest = [number for number in draft.files if number not in used]
    return made + [store_attachment(world, channel_id, *draft.files[number], {}) for number in rest], named


def _safe_filename(name: str) -> str:
    """A filename as Discord stores it."""
    return re.sub(r"[^\w.\-]", "_", name)


class _Media:
    """Resolves the URLs in a message to media objects; collects the names that were not found."""

    def __init__(self, world: World, attachments: list[Json], nameable: list[Json]) -> None:
        self.world = world
        self.by_name = {one["filename"]: one for one in nameable}
        self.by_url = {one["url"]: one for one in attachments}
        self.form = BodyCheck()

    def find(self, url: str) -> Json | None:
        name = _safe_filename(url.removeprefix("attachment://"))
        found = self.by_name.get(name) if url.startswith("attachment://") else None
        if found is None and "/attachments/" in url:
            found = self.by_url.get("/attachments/" + url.partition("/attachments/")[2])
        if found is None and url.startswith("attachment://"):
            text = f"The attachment {name!r} is not among the message's files."
            self.form.add_error(("components",), "UNFURLED_MEDIA_ITEM_REFERENCED_ATTACHMENT_NOT_FOUND", text)
        return found

    def __call__(self, url: str) -> Json:
        found = self.find(url) or {}
        made: Json = {"id": self.world.new_id(), "url": found.get("url", url), "proxy_url": found.get("url", url)}
        made |= {key: found.get(key) for key in ("width", "height", "content_type")}
        return made | ({"attachment_id": found["id"]} if found else {})


def _resolve_embeds(embeds: list[Json], media: _Media) -> list[Json]:
    made = [{"type": "rich", **embed} for embed in embeds]
    for embed in made:
        for key in ("image", "thumbnail"):
            if url := str(object_under(embed, key).get("url") or ""):
                embed[key] = {"url": (media.find(url) or {"url": url})["url"]}
    return made


def text_of(message: Json) -> str:
    """All text of a message that can contain mentions: its content and its text components, without code."""
    parts = [
        one["content"] for one in components.walk_components(message["components"]) if one["type"] == components.TEXT
    ]
    return "\n".join(CODE.sub("", part) for part in (message["content"], *parts))


def mentioned_ids(message: Json) -> list[str]:
    """The ids of the users whom a message mentions, each once, whether they are notified or not."""
    return list(dict.fromkeys(USER_MENTION.findall(text_of(message))))


def _fill_mentions(world: World, message: Json, allowed: Json | None) -> None:
    """Set the message's mentions within `allowed_mentions`; an edit uses its own, not the original's."""
    text = text_of(message)
    parse: list[str] = ["users", "roles", "everyone"] if allowed is None else list_under(allowed, "parse")
    users = [str(one) for one in list_under(allowed or {}, "users")]
    told = [one for one in mentioned_ids(message) if one in world.users and ("users" in parse or one in users)]
    reference = message.get("referenced_message")
    if reference and (allowed is None or allowed.get("replied_user")):
        told = list(dict.fromkeys([*told, reference["author"]["id"]]))
    message["mentions"] = [world.users[one] for one in told]
    roles = [str(one) for one in list_under(allowed or {}, "roles")]
    message["mention_roles"] = [one for one in ROLE_MENTION.findall(text) if "roles" in parse or one in roles]
    may = world.has_permissions(message["author"]["id"], message["channel_id"], "mention_everyone")
    message["mention_everyone"] = may and "everyone" in parse and bool(re.search("@everyone|@here", text))


def _notify(world: World, message: Json) -> None:
    told: list[Json] = [] if message["flags"] & components.SILENT or message["ephemeral_for"] else message["mentions"]
    if message["channel_id"] in world.private and not message["flags"] & components.SILENT:
        told = world.private[message["channel_id"]]["recipients"]
    for user in told:
        if user["id"] != message["author"]["id"] and world.has_permissions(
            user["id"], message["channel_id"], "view_channel"
        ):
            world.notified.append({"user": user["id"], "message": message["id"], "channel": message["channel_id"]})


def _blank_message(world: World, channel_id: str, author: str, kind: int) -> Json:
    return {
        "id": world.new_id(),
        "channel_id": channel_id,
        "type": kind,
        "author": world.users[author],
        "content": "",
        "embeds": [],
        "attachments": [],
        "components": [],
        "mentions": [],
        "mention_roles": [],
        "mention_everyone": False,
        "pinned": False,
        "tts": False,
        "flags": 0,
        "timestamp": world.timestamp(),
        "edited_timestamp": None,
        "ephemeral_for": None,
    }


def _fill_message(world: World, message: Json, draft: MessageDraft, edited: bool = False) -> None:
    """Apply the draft's content, embeds, files and components to a message; keys missing in it stay.

    In a strict sandbox the components of an edit find a file by name only if the same request lists it with id and
    filename, whether kept or uploaded.
    """
    body = draft.body
    if "content" in body:
        message["content"] = (body["content"] or "").strip()
    kept = {one["id"] for one in message["attachments"]}
    files, named = _update_attachments(world, message["channel_id"], draft, message["attachments"])
    message["attachments"] = files
    if edited and world.lost_files and any(one["id"] in kept for one in named):
        world.lost_files -= 1
        named = files = [one for one in named if one["id"] not in kept]
    media = _Media(world, files, named if edited and world.strict else files)
    if "embeds" in body:
        message["embeds"] = _resolve_embeds(body["embeds"] or [], media)
    if "components" in body:
        message["components"] = components.normalise(body["components"] or [], media)
    media.form.raise_errors()
    components.check_outcome(message)


def find_by_nonce(world: World, author: str, body: Json) -> Json | None:
    """The message with an enforced nonce, if its author posted it a short while ago in any channel; 10008 if it was
    deleted since."""
    if not body.get("enforce_nonce") or body.get("nonce") is None:
        return None
    channel_id, message_id, when = world.nonces.get(f"{author}:{body['nonce']}", ("", "", 0.0))
    fresh = world.clock() - when <= world.nonce_seconds
    return world.message(channel_id, message_id) if fresh and message_id else None


def _remember_nonce(world: World, message: Json) -> None:
    limit = world.clock() - world.nonce_seconds
    for key in [*takewhile(lambda key: world.nonces[key][2] < limit, world.nonces)]:
        del world.nonces[key]
    key = f"{message['author']['id']}:{message['nonce']}"
    world.nonces.pop(key, None)  # keeps the oldest first
    world.nonces[key] = [message["channel_id"], message["id"], world.clock()]


def _report_unshown(world: World, message: Json) -> None:
    for name in components.unshown_names(message):
        world.complain(f"Message {message['id']} carries {name}, which none of its components shows.")


def post_system_message(
    world: World, channel_id: str, author: str, kind: int, content: str = "", *, quiet: bool = False, **extra: Any
) -> Json:
    """Post a system message ("… started a thread"); `quiet`: the users in it were notified before."""
    return _add_message(
        world, _blank_message(world, channel_id, author, kind) | {"content": content} | extra, quiet=quiet
    )


def _add_message(world: World, message: Json, *, quiet: bool = False) -> Json:
    channel = world.channel(message["channel_id"])
    world.messages[message["channel_id"]][message["id"]] = message
    if not message["ephemeral_for"]:
        channel["last_message_id"] = message["id"]
        if channel["type"] in THREADS:
            channel["message_count"] += 1
            channel["total_message_sent"] += 1
    if not quiet:
        _notify(world, message)
    world.tell("MESSAGE_CREATE", world.with_guild_id(message))
    return message


def post_placeholder(world: World, channel_id: str, author: str, draft: MessageDraft, **extra: Any) -> Json:
    """Post the "thinking …" placeholder of a deferral."""
    return _add_message(world, _blank_message(world, channel_id, author, 0) | extra)


def create_message(world: World, channel_id: str, author: str, draft: MessageDraft, **extra: Any) -> Json:
    """Create a message from a draft, checked against the limits, and send the event."""
    body = draft.body
    flags = int(body.get("flags") or 0) & (components.SUPPRESS_EMBEDS | components.SILENT | components.V2)
    components.check_message(body, v2=bool(flags & components.V2), emojis=world.usable_emojis())
    components.check_files([len(data) for _, data in draft.files.values()])
    message = _blank_message(world, channel_id, author, 0) | extra
    message["flags"] |= flags
    message["tts"] = bool(body.get("tts"))
    if body.get("nonce") is not None:
        message["nonce"] = str(body["nonce"])
        _remember_nonce(world, message)
    if reference := body.get("message_reference"):
        _set_reference(world, message, reference)
    _fill_message(world, message, draft)
    _fill_mentions(world, message, body.get("allowed_mentions"))
    _report_unshown(world, message)
    return _add_message(world, message)


def _set_reference(world: World, message: Json, reference: Json) -> None:
    target = world.messages.get(message["channel_id"], {}).get(str(reference.get("message_id")))
    if target is None or target["ephemeral_for"]:
        if reference.get("fail_if_not_exists", True):
            errors = {
                "message_reference": {"_errors": [{"code": "REPLIES_UNKNOWN_MESSAGE", "message": "Unknown message"}]}
            }
            raise ApiError(50035, errors)
        return
    message["type"] = message["type"] or 19
    message["message_reference"] = {"type": 0, "channel_id": target["channel_id"], "message_id": target["id"]}
    message["referenced_message"] = {key: value for key, value in target.items() if key != "referenced_message"}


def update_message(world: World, message: Json, draft: MessageDraft) -> Json:
    """Edit the pressed message, as an answer of type 7 does. Such an answer is reported to lose its files sometimes; in
    a strict sandbox it always does."""
    if world.strict and draft.files:
        listed: list[Json] = draft.body.get("attachments") or []
        kept = [one for one in listed if not (str(one.get("id")).isdigit() and int(one["id"]) in draft.files)]
        draft = MessageDraft({**draft.body, "attachments": kept})
    return edit_message(world, message, draft)


def edit_message(world: World, message: Json, draft: MessageDraft) -> Json:
    """Edit a message in place and send the event; an error leaves the message unchanged."""
    body = draft.body
    asked = body.get("flags")
    if asked is not None and message["flags"] & components.V2 and not int(asked) & components.V2:
        form = BodyCheck()
        form.add_error(
            ("flags",), "MESSAGE_CANNOT_REMOVE_COMPONENTS_V2_FLAG", "The IS_COMPONENTS_V2 flag cannot be removed."
        )
        form.raise_errors()
    flags = message["flags"] & ~components.LOADING | int(asked or 0) & (components.V2 | components.SUPPRESS_EMBEDS)
    components.check_message(body, v2=bool(flags & components.V2), emojis=world.usable_emojis())
    components.check_files([len(data) for _, data in draft.files.values()])
    changed = {**message, "flags": flags}
    _fill_message(world, changed, draft, edited=True)
    if body.get("allowed_mentions") is not None or "content" in body or "components" in body:
        _fill_mentions(world, changed, body.get("allowed_mentions"))
    changed["edited_timestamp"] = world.timestamp()
    gone = {one["id"] for one in message["attachments"]} - {one["id"] for one in changed["attachments"]}
    for file_id in gone:
        world.files.pop(file_id, None)
    message.update(changed)
    # Clients keep the chosen users, roles and channels as long as the select has the same custom_id.
    lasting = [
        one for one in components.walk_components(message["components"]) if one["type"] in components.FILLED_BY_CLIENTS
    ]
    world.reset_selects(message["id"], [one["custom_id"] for one in lasting])
    _report_unshown(world, message)
    world.tell("MESSAGE_UPDATE", world.with_guild_id(message))
    return message
