"""The parts of every message: controls, pictures and frames.

Every interactive component is a `Control`, known by its custom_id alone, so that old messages and open forms keep
working after a restart.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal, Protocol, cast

import discord
from discord import ui

from bot.games.moves import SELECT_LIMIT
from bot.games.position import name_seats
from bot.games.wording import count_units, cut_text
from bot.platform.custom_ids import COMPONENT, CustomId, GameKey, MatchButton, renew_id
from bot.platform.edits import NAMED, RawComponentsView, StatelessView, Upload, read_files
from bot.platform.interactions import FILLED_BY_CLIENTS
from bot.platform.names import remove_names
from rendering.pages import seat_colour
from rendering.shapes import SEAT_INKS
from rendering.theme import HEX

ACCENTS = tuple(int(HEX[ink], 16) for ink in SEAT_INKS)
"""The seats' inks, as the coloured edge of the board of the seat to move."""
OVER = int(HEX["faded"], 16)
"""The edge of a board where no seat is to move."""
PLAYABLE = (
    discord.ChannelType.text, discord.ChannelType.news, discord.ChannelType.voice, discord.ChannelType.forum,
)  # fmt: skip
"""The channels in which matches are played, or in whose posts."""
POSTABLE = PLAYABLE[:2]
"""The channels for the bot's own posts."""
BROUGHT = "record.jsonl"
"""The name of the file with an imported record."""
REFUSAL = 1_000_000
"""The id of the component above a message that says why a choice was refused; the next such line replaces it. Discord
numbers the other components from 1."""
ALT_LIMIT = 1024
OBJECTS = 4000
"""Bytes of a drawing beside its files: captions, and the position under which it is cached."""
MOMENT = re.compile(r"<t:[0-9]+")
"""A timestamp in a text, without its format."""


class GameButton(CustomId, template="p:{verb}:[{game}][-x{legs}]"):
    """Opens the card of a game, or without one the games to begin with (as `first` does), or the list of all, starts a
    match of it, perhaps in `legs` legs, or a quick game, or shows its rules, or the page behind them."""

    verb: Literal["pick", "first", "all", "quick", "challenge", "computer", "table", "alone", "rules", "more"]
    game: GameKey = ""
    legs: Annotated[int, "[12]"] = 0


class LessonButton(CustomId, template="p:learn:[{game}][-{page}]"):
    """Opens a page of a game's lesson, counted from 1, or starts it; without a game a select of lessons."""

    game: GameKey = ""
    page: Annotated[int, "[1-9][0-9]?"] = 0


class Control(ui.DynamicItem[ui.Item[Any]], template=COMPONENT):
    """A button or a select. A select of `options` takes one, or any number with `several`; one of users takes at most
    `people`; one of channels at most one in which the bot can post, or with `several` any number in which matches can
    be played, preselecting `channels`. It shows the label until something is chosen; `again` distinguishes it from the
    previous version of itself. discord.py checks its custom_id against the pattern here, and the client routes by that
    alone.
    """

    def __init__(
        self,
        component: CustomId,
        label: str = "?",
        style: discord.ButtonStyle = discord.ButtonStyle.secondary,
        options: Sequence[discord.SelectOption] = (),
        people: int = 0,
        *,
        channels: Sequence[int] | None = None,
        several: bool = False,
        able: bool = True,
        again: int = 0,
    ):
        self.component, custom_id = component, renew_id(str(component), again)
        item: ui.Button[Any] | ui.Select[Any] | ui.UserSelect[Any] | ui.ChannelSelect[Any]
        if people:
            item = ui.UserSelect(placeholder=label, max_values=people, custom_id=custom_id)
        elif channels is not None:
            types, most = (PLAYABLE, SELECT_LIMIT) if several else (POSTABLE, 1)
            item = ui.ChannelSelect(
                placeholder=label, channel_types=[*types], min_values=0, max_values=most,
                default_values=[discord.Object(one, type=discord.abc.GuildChannel) for one in channels[:SELECT_LIMIT]],
                custom_id=custom_id,
            )  # fmt: skip
        elif options:
            least, most = (0, len(options)) if several else (1, 1)
            item = ui.Select(
                placeholder=label, options=[*options], min_values=least, max_values=most, custom_id=custom_id
            )
        else:
            item = ui.Button(label=label, style=style, custom_id=custom_id, disabled=not able)
        super().__init__(item)


class HasAltText(Protocol):
    """A picture in words: its alt text; its leg in a match of two, 0 for none; whether it shows a round that has just
    ended; and whether it stands beside a line."""

    @property
    def alt(self) -> str: ...
    @property
    def leg(self) -> int: ...
    @property
    def ended(self) -> bool: ...
    @property
    def small(self) -> bool: ...


@dataclass(frozen=True, slots=True)
class Caption:
    """The words of a picture that is rendered already."""

    alt: str
    leg: int = 0
    ended: bool = False
    small: bool = False

    @classmethod
    def of(cls, picture: HasAltText) -> Caption:
        """The words of a picture."""
        return cls(picture.alt, picture.leg, picture.ended, picture.small)


@dataclass(frozen=True, slots=True)
class Drawing:
    """The pictures of a position as PNG files, and in words."""

    pictures: tuple[Caption, ...]
    pngs: tuple[bytes, ...]

    @property
    def weight(self) -> int:
        """Approximate bytes in memory."""
        return sum(map(len, self.pngs)) + OBJECTS

    def pick_one(self, number: int) -> Drawing:
        """One of the pictures, counted from 1."""
        at = slice(number - 1, number)
        return Drawing(self.pictures[at], self.pngs[at])

    def __add__(self, other: Drawing) -> Drawing:
        return Drawing(self.pictures + other.pictures, self.pngs + other.pngs)

    def pick_some(self, numbers: Sequence[int]) -> Drawing:
        """Some of the pictures, by index."""
        return Drawing(tuple(self.pictures[at] for at in numbers), tuple(self.pngs[at] for at in numbers))

    def make_files(self, text: str) -> list[Upload]:
        """New attachments for a message, each with its alt text."""
        return [
            Upload(png, format_filename(index), format_alt_text(picture, text))
            for index, (picture, png) in enumerate(zip(self.pictures, self.pngs, strict=True))
        ]


def format_filename(index: int) -> str:
    """The file name of a message's picture; it reveals nothing of the match."""
    return f"board-{index + 1}.png"


def format_alt_text(picture: HasAltText, board: str, foot: str = "") -> str:
    """Alt text: sentences, and the board as text where it fits, with the seats named by colour as in the sentences; and
    below them always a `foot`."""
    whole = f"{picture.alt}\n{name_seats(board, seat_colour)}" if board else picture.alt
    room = ALT_LIMIT - (count_units(foot) + 1 if foot else 0)
    text = whole if count_units(whole) <= room else cut_text(picture.alt, room)
    return f"{text}\n{foot}" if foot else text


def make_galleries(pictures: Sequence[HasAltText], board: str, foot: str = "") -> list[ui.MediaGallery[Any]]:
    """The pictures of a message, by the names of its attachments; the first alt text ends with a `foot`. Discord lays
    out those of one gallery as small tiles, so each has a gallery of its own and is as wide as the message.
    """
    return [
        ui.MediaGallery(make_gallery_item(format_filename(index), format_alt_text(one, board, "" if index else foot)))
        for index, one in enumerate(pictures)
    ]


def make_thumbnail(name: str, board: HasAltText) -> ui.Thumbnail[Any]:
    """A small board beside a text, by the name of its attachment."""
    return ui.Thumbnail(f"attachment://{name}", description=format_alt_text(board, ""))


def make_gallery_item(name: str, description: str | None) -> discord.MediaGalleryItem:
    """A picture in a message, by the name of its attachment."""
    return discord.MediaGalleryItem(f"attachment://{name}", description=description)


def frame_view(accent: int, *items: ui.Item[Any]) -> ui.LayoutView:
    """A message of one container; the only place where views are made."""
    view = StatelessView(timeout=None)
    view.add_item(ui.Container(*items, accent_colour=accent))
    return view


def rebuild_components(message: discord.Message) -> list[dict[str, Any]]:
    """The components with which a message of ours is sent again; its pictures are named, to be kept."""
    names = {file.url: f"{NAMED}{file.filename}" for file in read_files(message.components).values()}

    def name_files(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: name_files(one) for key, one in cast(dict[str, Any], value).items()}
        if isinstance(value, list):
            return [name_files(one) for one in cast(list[Any], value)]
        return names.get(value, value) if isinstance(value, str) else value

    return [name_files(one.to_dict()) for one in message.components]


def build_refusal_view(components: Sequence[Mapping[str, Any]], line: str, number: int) -> ui.LayoutView:
    """A message with a line above it that says why a choice was refused. Clients reset a select when its message
    changes, but one of users or channels only where it has another custom_id: it gets the id of the interaction, which
    is unique."""

    def renew_selects(value: Any) -> Any:
        if isinstance(value, list):
            return [renew_selects(one) for one in cast(list[Any], value)]
        if not isinstance(value, dict):
            return value
        one = {key: renew_selects(inner) for key, inner in cast(dict[str, Any], value).items()}
        if one.get("type") in FILLED_BY_CLIENTS and "custom_id" in one:
            one["custom_id"] = renew_id(one["custom_id"], number)
        return one

    told = {"type": discord.ComponentType.text_display.value, "id": REFUSAL, "content": line}
    return RawComponentsView([told, *(renew_selects(one) for one in components if one.get("id") != REFUSAL)])


class ButtonRows(ui.View):
    """Buttons below a plain line, which discord.py does not keep either."""

    def is_finished(self) -> bool:
        return True


def build_button_rows(*rows: Sequence[Control]) -> ui.View:
    """Rows of buttons, or of one select, below a plain line."""
    view = ButtonRows(timeout=None)
    for number, row in enumerate(rows):
        for button in row:
            button.row = number
            view.add_item(cast(ui.Item[Any], button))
    return view


def find_view_buttons(view: ui.LayoutView) -> list[MatchButton]:
    """The buttons of a match on a message to be sent."""
    pressed = (MatchButton.parse(str(one.component)) for one in view.walk_children() if isinstance(one, Control))
    return [button for button in pressed if button]


def find_buttons(components: Sequence[Any]) -> list[MatchButton]:
    """The buttons of a match on a message that Discord has."""
    return [button for custom_id in find_custom_ids(components) if (button := MatchButton.parse(custom_id))]


def find_custom_ids(components: Sequence[Any]) -> list[str]:
    """The custom_ids of the buttons and selects on a received message."""
    found: list[str] = []
    for component in components:
        found += [custom_id] if (custom_id := getattr(component, "custom_id", None)) else []
        found += find_custom_ids(getattr(component, "children", ()))
    return found


def list_custom_ids(components: Sequence[Any]) -> list[str]:
    """The custom_ids on a received message, nested components included."""
    mine = (getattr(one, "custom_id", None) for one in components)
    return [
        *filter(None, mine),
        *(name for one in components for name in list_custom_ids(getattr(one, "children", ()))),
    ]


def list_contents(components: Sequence[Mapping[str, Any]]) -> list[str]:
    """The texts, alt texts and buttons of a message in order, to compare messages. Timestamps are left out, since a
    deadline moves until its board is shown, and users, since they are mentioned or named, and may be renamed."""
    found: list[str] = []
    for one in components:
        whole = (one.get("content"), one.get("custom_id"), *(item.get("description") for item in one.get("items", ())))
        found += [remove_names(MOMENT.sub("<t:", " ".join(text.split()))) for text in whole if text]
        found += list_contents(one.get("components", ()))
    return found


def make_row(*buttons: Control) -> ui.ActionRow[Any]:
    row: ui.ActionRow[Any] = ui.ActionRow()
    for button in buttons:
        row.add_item(cast(ui.Item[Any], button))
    return row


def has_pictures(components: Sequence[Any]) -> bool:
    """Whether a message shows pictures, as a board does."""
    return any(
        isinstance(one, discord.MediaGalleryComponent) or has_pictures(getattr(one, "children", ()))
        for one in components
    )


def build_without_buttons(message: discord.Message, line: str) -> ui.LayoutView:
    """A message of ours as it is, without its buttons and with a line at its end; its pictures are named, to be
    kept."""
    names = {file.url: file.filename for file in read_files(message.components).values()}
    kept: list[ui.Item[Any]] = [ui.TextDisplay(message.content)] if message.content else []
    for part in (part for whole in message.components for part in getattr(whole, "children", ())):
        if isinstance(part, discord.TextDisplay):
            kept.append(ui.TextDisplay(part.content))
        elif isinstance(part, discord.SectionComponent) and isinstance(part.accessory, discord.ThumbnailComponent):
            words, small = [one.content for one in part.children], part.accessory
            picture = ui.Thumbnail[Any](f"attachment://{names[small.media.url]}", description=small.description)
            kept.append(ui.Section(*words, accessory=picture))
        elif isinstance(part, discord.MediaGalleryComponent):
            shown = [
                make_gallery_item(names[one.media.url], one.description) for one in part.items if one.media.url in names
            ]
            kept += [ui.MediaGallery(*shown)] if shown else []
    return frame_view(OVER, *kept, ui.TextDisplay(f"-# {line}"))


def build_notice(sentence: str, *buttons: Control) -> ui.LayoutView:
    """A sentence with some buttons, or alone."""
    return frame_view(OVER, ui.TextDisplay(sentence), *([make_row(*buttons)] if buttons else []))


ABREAST = 5


MOST_CHOICES = 25
