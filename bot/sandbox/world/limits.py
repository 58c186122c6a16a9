"""Discord's limits on messages, modals and autocompletion answers.

Each `check_…` raises ApiError with the code and place that Discord gives. What a message looks like *after* an edit is
judged by `check_outcome`, since an edit may be harmless by itself and still leave an empty message.
"""

from collections.abc import Container
from typing import Any

from bot.sandbox.world.api_errors import ApiError, Form, Json, items, part
from bot.sandbox.world.components import Checker, media_of, walk

V2, EPHEMERAL, LOADING, SUPPRESS_EMBEDS, SILENT, HAS_THREAD = 1 << 15, 1 << 6, 1 << 7, 1 << 2, 1 << 12, 1 << 5
MOST_CONTENT, MOST_FILES, MOST_FILE_BYTES = 2000, 10, 10 * 1024 * 1024
MOST_REQUEST_BYTES = 25 * 1024 * 1024
"""How large a whole request with a message may be."""
LEGACY_FIELDS = ("content", "embeds", "sticker_ids", "poll")
# field of an embed: most characters
EMBED_TEXTS = {"title": 256, "description": 4096}
EMBED_PARTS = {("footer", "text"): 2048, ("author", "name"): 256}
MOST_EMBED_TEXT = 6000


def _embed(form: Form, embed: Json, path: tuple[str | int, ...]) -> int:
    size = 0
    for key, high in EMBED_TEXTS.items():
        text = (embed.get(key) or "").strip()
        form.length((*path, key), text, 0, high)
        size += len(text)
    for (place, key), high in EMBED_PARTS.items():
        text = str(part(embed, place).get(key) or "").strip()
        form.length((*path, place, key), text, 0, high)
        size += len(text)
    for index, field in enumerate(form.count((*path, "fields"), items(embed, "fields"), 0, 25)):
        for key, high in (("name", 256), ("value", 1024)):
            text = str(field.get(key) or "").strip()
            form.length((*path, "fields", index, key), text, 1, high)
            size += len(text)
    return size


def _embeds(form: Form, embeds: Any) -> None:
    found = form.count(("embeds",), embeds, 0, 10)
    total = sum(_embed(form, embed, ("embeds", index)) for index, embed in enumerate(found))
    if total > MOST_EMBED_TEXT:
        form.wrong(("embeds",), "MAX_EMBED_SIZE_EXCEEDED", "Embed size exceeds maximum size of 6000")


def _mentions(form: Form, allowed: Json) -> None:
    parse: list[str] = items(allowed, "parse")
    for index, kind in enumerate(parse):
        form.one_of(("allowed_mentions", "parse", index), kind, ("roles", "users", "everyone"))
    for kind in ("users", "roles"):
        named = form.count(("allowed_mentions", kind), items(allowed, kind), 0, 100)
        form.snowflakes(("allowed_mentions", kind), named)
        if kind in parse and allowed.get(kind):
            text = f'parse:["{kind}"] and {kind}: [ids...] are mutually exclusive.'
            form.wrong(("allowed_mentions",), "MESSAGE_ALLOWED_MENTIONS_PARSE_EXCLUSIVE", text)


def _legacy(form: Form, body: Json, v2: bool) -> None:
    for key in LEGACY_FIELDS:
        if v2 and body.get(key):
            text = f"The '{key}' field cannot be used when using MessageFlags.IS_COMPONENTS_V2"
            form.wrong((key,), "MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2", text)


def check_message(body: Json, *, v2: bool, emojis: Container[str] = ()) -> None:
    """Check the body of a message to be created, or of an edit of a message that is (or becomes) `v2` or not;
    `emojis`: the ids of the custom ones that it may show."""
    form = Form()
    form.optional(("content",), body.get("content"), MOST_CONTENT)
    if body.get("embeds"):
        _embeds(form, body["embeds"])
    if body.get("nonce") is not None:
        form.length(("nonce",), str(body["nonce"]), 0, 25)
    _mentions(form, part(body, "allowed_mentions"))
    _legacy(form, body, v2)
    if body.get("components"):
        Checker(form, "v2" if v2 else "legacy", emojis).check(body["components"])
    for index, entry in enumerate(form.count(("attachments",), items(body, "attachments"), 0, MOST_FILES)):
        form.optional(("attachments", index, "description"), entry.get("description"), 1024)
    form.close()


def check_files(sizes: list[int], most: int = MOST_FILE_BYTES) -> None:
    """Check the sizes in bytes of the files of one request."""
    if any(size > most for size in sizes):
        raise ApiError(40005)
    form = Form()
    form.count(("attachments",), sizes, 0, MOST_FILES)
    form.close()


def check_outcome(message: Json) -> None:
    """Check a message as it would stand: it must show something, and its names of attachments must exist."""
    if not (message["content"] or message["embeds"] or message["attachments"] or message["components"]):
        raise ApiError(50006)
    if message["flags"] & V2 and not message["components"]:
        raise ApiError(50006)
    form = Form()
    form.count(("attachments",), message["attachments"], 0, MOST_FILES)
    if message["flags"] & V2 and (message["content"] or message["embeds"]):
        _legacy(form, message, True)
    form.close()


def unshown(message: Json) -> list[str]:
    """The names of a components-v2 message's attachments that no component shows: players never see them."""
    return [one["filename"] for one in unshown_files(message)] if message["flags"] & V2 else []


def unshown_files(message: Json) -> list[Json]:
    """The attachments of a message that none of its components shows."""
    shown = {media.get("attachment_id") for one in walk(message["components"]) for media in media_of(one)}
    return [one for one in message["attachments"] if one["id"] not in shown]


def check_modal(data: Json, emojis: Container[str] = ()) -> None:
    """Check the data of a modal (callback type 9)."""
    form = Form()
    form.length(("title",), data.get("title"), 1, 45)
    form.length(("custom_id",), data.get("custom_id"), 1, 100)
    Checker(form, "modal", emojis).check(data.get("components"))
    form.close()


def check_choices(choices: Any, kind: int) -> None:
    """Check an answer to autocompletion for an option of type `kind` (3 string, 4 integer, 10 number)."""
    form = Form()
    for index, choice in enumerate(form.count(("choices",), choices, 0, 25)):
        path = ("choices", index)
        form.length((*path, "name"), choice.get("name"), 1, 100)
        if kind == 3:
            form.length((*path, "value"), choice.get("value"), 1, 100)
        else:
            form.between((*path, "value"), choice.get("value"), -(2**53), 2**53)
    form.close()
