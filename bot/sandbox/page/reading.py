"""Reading a message as a person does: its text, buttons, pictures with their alt text, files."""

from dataclasses import dataclass

from bot.sandbox.world.api_errors import Json, items, part
from bot.sandbox.world.components import BUTTON, SELECTS, TEXT, media_of, walk
from bot.sandbox.world.world import World


@dataclass(frozen=True)
class Button:
    """A button or select: its label (or placeholder), custom_id (None for links) and whether it is disabled."""

    label: str
    custom_id: str | None
    disabled: bool
    url: str | None = None
    options: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class Media:
    """A picture or file that a message shows: its address, alt text and the attachment behind it, if it is one."""

    url: str
    alt: str | None
    attachment_id: str | None
    filename: str | None


def buttons(message: Json) -> list[Button]:
    """All buttons and selects, in reading order; a select lists its options as (label, value)."""
    found: list[Button] = []
    for one in walk(message["components"]):
        if one["type"] == BUTTON or one["type"] in SELECTS:
            label = one.get("label") or one.get("placeholder") or part(one, "emoji").get("name") or ""
            options = tuple((option["label"], option["value"]) for option in items(one, "options"))
            found.append(Button(label, one.get("custom_id"), bool(one.get("disabled")), one.get("url"), options))
    return found


def text(message: Json) -> str:
    """All text, a line each: content, embeds' titles, descriptions and fields, text components."""
    parts = [message["content"]]
    for embed in message["embeds"]:
        fields = [text for field in items(embed, "fields") for text in (field["name"], field["value"])]
        parts += [embed.get("title"), embed.get("description"), *fields, part(embed, "footer").get("text")]
    parts += [one["content"] for one in walk(message["components"]) if one["type"] == TEXT]
    return "\n".join(line for line in parts if line)


def media(message: Json) -> list[Media]:
    """Everything shown as a picture or file; in a components-v2 message only what a component shows."""
    files = {one["id"]: one for one in message["attachments"]}
    found: list[Media] = []
    for one in walk(message["components"]):
        alts = {id(item["media"]): item.get("description") for item in items(one, "items")}
        for thing in media_of(one):
            attachment = thing.get("attachment_id")
            own = files.get(attachment or "", {})
            alt = alts.get(id(thing)) or one.get("description") or own.get("description")
            found.append(Media(thing["url"], alt, attachment, own.get("filename")))
    if not message["flags"] & 1 << 15:
        found += [Media(one["url"], one.get("description"), one["id"], one["filename"]) for one in files.values()]
    return found


def data(world: World, thing: Media | Json | str) -> bytes:
    """The bytes of an attachment, by what `media` gave, an attachment object or an id; KeyError when it is gone."""
    if isinstance(thing, Media):
        return world.files[str(thing.attachment_id)]
    return world.files[thing if isinstance(thing, str) else thing["id"]]
