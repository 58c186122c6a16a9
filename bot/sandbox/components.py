"""Discord's rules for components and messages."""

import copy
from collections.abc import Callable, Container, Iterator
from typing import Any

from bot.sandbox.errors import ApiError, BodyCheck, Json, is_object, list_under, object_under

# Discord's rules for message components, and the form in which it returns them.


ROW, BUTTON, STRING_SELECT, TEXT_INPUT, USER_SELECT, ROLE_SELECT, MENTIONABLE_SELECT, CHANNEL_SELECT = range(1, 9)
SECTION, TEXT, THUMBNAIL, GALLERY, FILE, SEPARATOR = range(9, 15)
CONTAINER, LABEL, UPLOAD, RADIO, CHECKBOXES, CHECKBOX = 17, 18, 19, 21, 22, 23
SELECTS = (STRING_SELECT, USER_SELECT, ROLE_SELECT, MENTIONABLE_SELECT, CHANNEL_SELECT)
FILLED_BY_CLIENTS = SELECTS[1:]
# Which components may be children of which.
CHILDREN: dict[str | int, tuple[int, ...]] = {
    "legacy": (ROW,),
    "v2": (ROW, SECTION, TEXT, GALLERY, FILE, SEPARATOR, CONTAINER),
    "modal": (LABEL, TEXT, ROW),
    CONTAINER: (ROW, SECTION, TEXT, GALLERY, FILE, SEPARATOR),
    ROW: (BUTTON, *SELECTS),
    SECTION: (TEXT,),
    LABEL: (TEXT_INPUT, *SELECTS, UPLOAD, RADIO, CHECKBOXES, CHECKBOX),
}
MOST_COMPONENTS, MOST_TEXT, MOST_COLOUR, MOST_NUMBER = 40, 4000, 0xFFFFFF, 2**31 - 1
DEFAULT_KINDS: dict[int, tuple[str, ...]] = {
    USER_SELECT: ("user",),
    ROLE_SELECT: ("role",),
    MENTIONABLE_SELECT: ("user", "role"),
    CHANNEL_SELECT: ("channel",),
}

Path = tuple[str | int, ...]


def walk_components(components: list[Json]) -> Iterator[Json]:
    """Every component of a tree, parents first."""
    for one in components:
        yield one
        yield from walk_components(list_under(one, "components"))
        for key in ("accessory", "component"):
            if is_object(one.get(key)):
                yield from walk_components([one[key]])


def media_of(component: Json) -> Iterator[Json]:
    """The media objects (dicts with `url`) of one component, without its children."""
    if component["type"] == GALLERY:
        for item in list_under(component, "items"):
            yield item["media"]
    for key in ("media", "file"):
        if component["type"] != GALLERY and is_object(component.get(key)):
            yield component[key]


def normalise(components: list[Json], media: Callable[[str], Json]) -> list[Json]:
    """A copy as Discord returns it: with ids, media resolved by `media(url)`, and defaults filled in."""
    made = copy.deepcopy(components)
    used = {one["id"] for one in walk_components(made) if one.get("id")}
    free = (number for number in range(1, 1000) if number not in used)
    for one in walk_components(made):
        one["id"] = one.get("id") or next(free)
        for thing in media_of(one):
            thing.update(media(thing["url"]))
        one.update({key: value for key, value in DEFAULTS.get(one["type"], {}).items() if one.get(key) is None})
        for item in list_under(one, "items") if one["type"] == GALLERY else []:
            item.setdefault("description", None)
            item.setdefault("spoiler", False)
    return made


DEFAULTS: dict[int, Json] = {
    CONTAINER: {"accent_color": None, "spoiler": False},
    THUMBNAIL: {"description": None, "spoiler": False},
    FILE: {"name": None, "size": None, "spoiler": False},
    SEPARATOR: {"spacing": 1},
    **{select: {"min_values": 1, "max_values": 1} for select in SELECTS},
}


class ComponentChecker:
    """The rules for one message or modal; `kind` is `legacy`, `v2` or `modal`; `emojis`: ids of the usable ones."""

    def __init__(self, form: BodyCheck, kind: str, emojis: Container[str] = ()) -> None:
        self.form = form
        self.kind = kind
        self.emojis = emojis
        self.seen: set[str] = set()
        self.numbers: set[str] = set()
        self.total = 0
        self.characters = 0

    def check(self, components: Any, path: Path = ("components",)) -> None:
        """Check a whole list of top-level components."""
        high = {"legacy": 5, "v2": MOST_COMPONENTS, "modal": 5}[self.kind]
        items = self.form.check_list(path, components, 1 if self.kind == "modal" else 0, high)
        self._each(items, path, CHILDREN[self.kind])
        if self.total > MOST_COMPONENTS:
            self.form.add_error(
                path, "COMPONENT_MAX_TOTAL_COMPONENTS_EXCEEDED", "The maximum number of components is 40."
            )
        if self.characters > MOST_TEXT and self.kind == "v2":
            text = f"The displayable text ({self.characters} characters) exceeds the maximum of {MOST_TEXT}."
            self.form.add_error(path, "COMPONENT_DISPLAYABLE_TEXT_SIZE_EXCEEDED", text)

    def _each(self, items: list[Any], path: Path, allowed: tuple[int, ...]) -> None:
        for index, one in enumerate(items):
            self._one(one, (*path, index), allowed)

    def _one(self, one: Any, path: Path, allowed: tuple[int, ...]) -> None:
        self.total += 1
        kind = one.get("type") if is_object(one) else None
        if kind not in allowed:
            return self.form.add_error(
                (*path, "type"), "UNION_TYPE_CHOICES", f"Value of field type must be one of {allowed}."
            )
        for flag in ("spoiler", "disabled", "divider", "required"):
            self.form.check_boolean((*path, flag), one.get(flag))
        self._number(one, path)
        rules: dict[int, Callable[[Json, Path], None]] = {
            ROW: self._row,
            BUTTON: self._button,
            SECTION: self._section,
            TEXT: self._text,
            GALLERY: self._gallery,
            FILE: self._file,
            THUMBNAIL: self._thumbnail,
            SEPARATOR: self._separator,
            CONTAINER: self._container,
            LABEL: self._label,
            TEXT_INPUT: self._text_input,
            **dict.fromkeys(SELECTS, self._select),
            UPLOAD: self._upload,
            RADIO: self._options(2),
            CHECKBOXES: self._options(1),
            CHECKBOX: self._custom_id,
        }
        return rules.get(kind, lambda _one, _path: None)(one, path)

    def _number(self, one: Json, path: Path) -> None:
        number = one.get("id") or 0
        if number:
            self.form.check_whole((*path, "id"), number, 0, MOST_NUMBER)
        if number and str(number) in self.numbers:
            self.form.add_error((*path, "id"), "COMPONENT_ID_DUPLICATED", "Component id cannot be duplicated")
        self.numbers.add(str(number))

    def _emoji(self, one: Json, path: Path) -> None:
        """Check that a custom emoji is usable, and that any other emoji is not ordinary text."""
        if one.get("emoji") is not None and not is_object(one["emoji"]):
            self.form.add_error((*path, "emoji"), "MODEL_TYPE_CONVERT", "Only dictionaries may be used in a ModelType")
            return
        emoji = object_under(one, "emoji")
        number, name = emoji.get("id"), str(emoji.get("name") or "")
        if number is not None and str(number) not in self.emojis:
            self.form.add_error((*path, "emoji", "id"), "BUTTON_COMPONENT_INVALID_EMOJI", "Invalid emoji")
        elif one.get("emoji") is not None and number is None and name.isascii():
            self.form.add_error((*path, "emoji", "name"), "BUTTON_COMPONENT_INVALID_EMOJI", "Invalid emoji")

    def _custom_id(self, one: Json, path: Path) -> None:
        value = one.get("custom_id")
        self.form.check_length((*path, "custom_id"), value, 1, 100)
        if value in self.seen:
            self.form.add_error(
                (*path, "custom_id"), "COMPONENT_CUSTOM_ID_DUPLICATED", "Component custom id cannot be duplicated"
            )
        self.seen.add(str(value))

    def _row(self, one: Json, path: Path) -> None:
        path = (*path, "components")
        items = self.form.check_list(path, one.get("components"), 1, 5)
        if self.kind == "modal":
            return self._each(items, path, (TEXT_INPUT,))
        if len(items) > 1 and any(item.get("type") in SELECTS for item in items):
            self.form.add_error(path, "COMPONENT_LAYOUT_WIDTH_EXCEEDED", "A select menu takes a whole row.")
        return self._each(items, path, CHILDREN[ROW])

    def _button(self, one: Json, path: Path) -> None:
        style = one.get("style")
        self.form.check_one_of((*path, "style"), style, (1, 2, 3, 4, 5, 6))
        self.form.check_optional((*path, "label"), one.get("label"), 80)
        if not one.get("label") and not one.get("emoji") and style != 6:
            self.form.add_error(path, "BUTTON_COMPONENT_REQUIRES_LABEL", "A button needs a label or an emoji.")
        self._emoji(one, path)
        needed = {5: "url", 6: "sku_id"}.get(style or 0, "custom_id")
        for key in ("custom_id", "url", "sku_id"):
            if key != needed and one.get(key) is not None:
                self.form.add_error(
                    (*path, key), "BUTTON_COMPONENT_INVALID", f"A button of style {style} has no {key}."
                )
        if needed == "custom_id":
            self._custom_id(one, path)
        elif needed == "url":
            self.form.check_length((*path, "url"), one.get("url"), 1, 512)
            if not str(one.get("url")).startswith(("http://", "https://", "discord://")):
                self.form.add_error((*path, "url"), "URL_TYPE_INVALID_SCHEME", "Scheme must be http, https or discord.")
        else:
            self.form.check_length((*path, "sku_id"), one.get("sku_id"), 1, 20)
            for key in ("label", "emoji"):
                if one.get(key):
                    self.form.add_error((*path, key), "BUTTON_COMPONENT_INVALID", f"A premium button has no {key}.")

    def _section(self, one: Json, path: Path) -> None:
        items = self.form.check_list((*path, "components"), one.get("components"), 1, 3)
        self._each(items, (*path, "components"), CHILDREN[SECTION])
        self._one(one.get("accessory"), (*path, "accessory"), (BUTTON, THUMBNAIL))

    def _text(self, one: Json, path: Path) -> None:
        content = one.get("content")
        self.form.check_length(
            (*path, "content"), content.strip() if isinstance(content, str) else content, 1, MOST_TEXT
        )
        self.characters += len(str(content).encode("utf-16-le")) // 2

    def _media(self, media: Any, path: Path) -> None:
        url = media.get("url") if is_object(media) else None
        if not isinstance(url, str) or not url.startswith(("attachment://", "http://", "https://")):
            self.form.add_error((*path, "url"), "URL_TYPE_INVALID_SCHEME", "Scheme must be http, https or attachment.")

    def _gallery(self, one: Json, path: Path) -> None:
        for index, item in enumerate(self.form.check_list((*path, "items"), one.get("items"), 1, 10)):
            self._media(item.get("media"), (*path, "items", index, "media"))
            self.form.check_optional((*path, "items", index, "description"), item.get("description"), 1024)
            self.form.check_boolean((*path, "items", index, "spoiler"), item.get("spoiler"))

    def _file(self, one: Json, path: Path) -> None:
        self._media(one.get("file"), (*path, "file"))
        url = str(object_under(one, "file").get("url"))
        if not url.startswith("attachment://"):
            self.form.add_error((*path, "file", "url"), "URL_TYPE_INVALID_SCHEME", "A file must be an attachment://.")

    def _thumbnail(self, one: Json, path: Path) -> None:
        self._media(one.get("media"), (*path, "media"))
        self.form.check_optional((*path, "description"), one.get("description"), 1024)

    def _separator(self, one: Json, path: Path) -> None:
        if one.get("spacing") is not None:
            self.form.check_one_of((*path, "spacing"), one["spacing"], (1, 2))

    def _container(self, one: Json, path: Path) -> None:
        if one.get("accent_color") is not None:
            self.form.check_whole((*path, "accent_color"), one["accent_color"], 0, MOST_COLOUR)
        path = (*path, "components")
        self._each(self.form.check_list(path, one.get("components"), 1, MOST_COMPONENTS), path, CHILDREN[CONTAINER])

    def _upload(self, one: Json, path: Path) -> None:
        self._custom_id(one, path)
        for key, low in (("min_values", 0), ("max_values", 1)):
            if one.get(key) is not None:
                self.form.check_range((*path, key), one[key], low, 10)

    def _select(self, one: Json, path: Path) -> None:
        self._custom_id(one, path)
        self.form.check_optional((*path, "placeholder"), one.get("placeholder"), 150)
        low, high = one.get("min_values"), one.get("max_values")
        low, high = 1 if low is None else low, 1 if high is None else high
        self.form.check_range((*path, "min_values"), low, 0, 25)
        self.form.check_range((*path, "max_values"), high, 1, 25)
        if low > high:
            self.form.add_error((*path, "min_values"), "SELECT_COMPONENT_MIN_MAX", "min_values is above max_values.")
        if self.kind == "modal":
            if one.get("required", True) and low < 1:
                self.form.add_error(
                    (*path, "min_values"), "SELECT_COMPONENT_REQUIRED", "A required select needs min_values 1."
                )
            if one.get("disabled"):
                self.form.add_error(
                    (*path, "disabled"), "SELECT_COMPONENT_DISABLED", "Modals take no disabled selects."
                )
        self._defaults(one, path, low, high)
        if one["type"] == STRING_SELECT:
            self._select_options(one, path, 1, 25)
            if low > len(list_under(one, "options")):
                self.form.add_error(
                    (*path, "min_values"), "SELECT_COMPONENT_MIN_MAX", "There are fewer options than that."
                )

    def _defaults(self, one: Json, path: Path, low: int, high: int) -> None:
        """Check the default values of a select: as many as may be chosen, and of the select's type."""
        if one.get("default_values") is None:
            return
        given = self.form.check_list((*path, "default_values"), one["default_values"], low, high)
        kinds = DEFAULT_KINDS.get(one["type"], ())
        for index, value in enumerate(given):
            self.form.check_one_of((*path, "default_values", index, "type"), value.get("type"), kinds)

    def _select_options(self, one: Json, path: Path, low: int, high: int) -> None:
        values: set[str] = set()
        for index, option in enumerate(self.form.check_list((*path, "options"), one.get("options"), low, high)):
            here = (*path, "options", index)
            self.form.check_length((*here, "label"), option.get("label"), 1, 100)
            self.form.check_length((*here, "value"), option.get("value"), 1, 100)
            self.form.check_optional((*here, "description"), option.get("description"), 100)
            self._emoji(option, here)
            if option.get("value") in values:
                self.form.add_error(
                    (*here, "value"), "SELECT_COMPONENT_OPTION_VALUE_DUPLICATED", "Value is already used."
                )
            values.add(str(option.get("value")))

    def _options(self, low: int) -> Callable[[Json, Path], None]:
        def check(one: Json, path: Path) -> None:
            self._custom_id(one, path)
            self._select_options(one, path, low, 10)

        return check

    def _label(self, one: Json, path: Path) -> None:
        self.form.check_length((*path, "label"), one.get("label"), 1, 45)
        self.form.check_optional((*path, "description"), one.get("description"), 100)
        self._one(one.get("component"), (*path, "component"), CHILDREN[LABEL])
        if (
            object_under(one, "component").get("type") == TEXT_INPUT
            and object_under(one, "component").get("label") is not None
        ):
            text = "The label of a text input in a Label is that of the Label."
            self.form.add_error((*path, "component", "label"), "TEXT_INPUT_LABEL_IN_LABEL", text)

    def _text_input(self, one: Json, path: Path) -> None:
        self._custom_id(one, path)
        self.form.check_one_of((*path, "style"), one.get("style"), (1, 2))
        self.form.check_optional((*path, "label"), one.get("label"), 45)
        self.form.check_optional((*path, "placeholder"), one.get("placeholder"), 100)
        low, high = one.get("min_length") or 0, one.get("max_length")
        high = 4000 if high is None else high
        self.form.check_range((*path, "min_length"), low, 0, 4000)
        self.form.check_range((*path, "max_length"), high, 1, 4000)
        if low > high:
            self.form.add_error((*path, "min_length"), "TEXT_INPUT_MIN_MAX", "min_length is above max_length.")
        self.form.check_optional((*path, "value"), one.get("value"), high)


# Discord's limits on messages, modals and autocompletion answers.


V2, EPHEMERAL, LOADING, SUPPRESS_EMBEDS, SILENT, HAS_THREAD = 1 << 15, 1 << 6, 1 << 7, 1 << 2, 1 << 12, 1 << 5
MOST_CONTENT, MOST_FILES, MOST_FILE_BYTES = 2000, 10, 10 * 1024 * 1024
MOST_REQUEST_BYTES = 25 * 1024 * 1024
"""The greatest size of a whole request with a message."""
LEGACY_FIELDS = ("content", "embeds", "sticker_ids", "poll")
# field of an embed: most characters
EMBED_TEXTS = {"title": 256, "description": 4096}
EMBED_PARTS = {("footer", "text"): 2048, ("author", "name"): 256}
MOST_EMBED_TEXT = 6000


def _check_embed(form: BodyCheck, embed: Json, path: tuple[str | int, ...]) -> int:
    size = 0
    for key, high in EMBED_TEXTS.items():
        text = (embed.get(key) or "").strip()
        form.check_length((*path, key), text, 0, high)
        size += len(text)
    for (place, key), high in EMBED_PARTS.items():
        text = str(object_under(embed, place).get(key) or "").strip()
        form.check_length((*path, place, key), text, 0, high)
        size += len(text)
    for index, field in enumerate(form.check_list((*path, "fields"), list_under(embed, "fields"), 0, 25)):
        for key, high in (("name", 256), ("value", 1024)):
            text = str(field.get(key) or "").strip()
            form.check_length((*path, "fields", index, key), text, 1, high)
            size += len(text)
    return size


def _check_embeds(form: BodyCheck, embeds: Any) -> None:
    found = form.check_list(("embeds",), embeds, 0, 10)
    total = sum(_check_embed(form, embed, ("embeds", index)) for index, embed in enumerate(found))
    if total > MOST_EMBED_TEXT:
        form.add_error(("embeds",), "MAX_EMBED_SIZE_EXCEEDED", "Embed size exceeds maximum size of 6000")


def _check_mentions(form: BodyCheck, allowed: Json) -> None:
    parse: list[str] = list_under(allowed, "parse")
    for index, kind in enumerate(parse):
        form.check_one_of(("allowed_mentions", "parse", index), kind, ("roles", "users", "everyone"))
    for kind in ("users", "roles"):
        named = form.check_list(("allowed_mentions", kind), list_under(allowed, kind), 0, 100)
        form.check_snowflakes(("allowed_mentions", kind), named)
        if kind in parse and allowed.get(kind):
            text = f'parse:["{kind}"] and {kind}: [ids...] are mutually exclusive.'
            form.add_error(("allowed_mentions",), "MESSAGE_ALLOWED_MENTIONS_PARSE_EXCLUSIVE", text)


def _check_legacy_fields(form: BodyCheck, body: Json, v2: bool) -> None:
    for key in LEGACY_FIELDS:
        if v2 and body.get(key):
            text = f"The '{key}' field cannot be used when using MessageFlags.IS_COMPONENTS_V2"
            form.add_error((key,), "MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2", text)


def check_message(body: Json, *, v2: bool, emojis: Container[str] = ()) -> None:
    """Check the body of a new message, or of an edit of a message that is (or becomes) `v2` or not; `emojis`: ids of
    the usable custom ones."""
    form = BodyCheck()
    form.check_optional(("content",), body.get("content"), MOST_CONTENT)
    if body.get("embeds"):
        _check_embeds(form, body["embeds"])
    if body.get("nonce") is not None:
        form.check_length(("nonce",), str(body["nonce"]), 0, 25)
    _check_mentions(form, object_under(body, "allowed_mentions"))
    _check_legacy_fields(form, body, v2)
    if body.get("components"):
        ComponentChecker(form, "v2" if v2 else "legacy", emojis).check(body["components"])
    for index, entry in enumerate(form.check_list(("attachments",), list_under(body, "attachments"), 0, MOST_FILES)):
        form.check_optional(("attachments", index, "description"), entry.get("description"), 1024)
    form.raise_errors()


def check_files(sizes: list[int], most: int = MOST_FILE_BYTES) -> None:
    """Check the sizes in bytes of the files of one request."""
    if any(size > most for size in sizes):
        raise ApiError(40005)
    form = BodyCheck()
    form.check_list(("attachments",), sizes, 0, MOST_FILES)
    form.raise_errors()


def check_outcome(message: Json) -> None:
    """Check a message as it would become: it must not be empty, and the attachments it names must exist."""
    if not (message["content"] or message["embeds"] or message["attachments"] or message["components"]):
        raise ApiError(50006)
    if message["flags"] & V2 and not message["components"]:
        raise ApiError(50006)
    form = BodyCheck()
    form.check_list(("attachments",), message["attachments"], 0, MOST_FILES)
    if message["flags"] & V2 and (message["content"] or message["embeds"]):
        _check_legacy_fields(form, message, True)
    form.raise_errors()


def unshown_names(message: Json) -> list[str]:
    """The names of a components-v2 message's attachments that no component shows, which users never see."""
    return [one["filename"] for one in unshown_files(message)] if message["flags"] & V2 else []


def unshown_files(message: Json) -> list[Json]:
    """The attachments of a message that none of its components shows."""
    shown = {media.get("attachment_id") for one in walk_components(message["components"]) for media in media_of(one)}
    return [one for one in message["attachments"] if one["id"] not in shown]


def check_modal(data: Json, emojis: Container[str] = ()) -> None:
    """Check the data of a modal (callback type 9)."""
    form = BodyCheck()
    form.check_length(("title",), data.get("title"), 1, 45)
    form.check_length(("custom_id",), data.get("custom_id"), 1, 100)
    ComponentChecker(form, "modal", emojis).check(data.get("components"))
    form.raise_errors()


def check_choices(choices: Any, kind: int) -> None:
    """Check an answer to autocompletion for an option of type `kind` (3 string, 4 integer, 10 number)."""
    form = BodyCheck()
    for index, choice in enumerate(form.check_list(("choices",), choices, 0, 25)):
        path = ("choices", index)
        form.check_length((*path, "name"), choice.get("name"), 1, 100)
        if kind == 3:
            form.check_length((*path, "value"), choice.get("value"), 1, 100)
        else:
            form.check_range((*path, "value"), choice.get("value"), -(2**53), 2**53)
    form.raise_errors()
