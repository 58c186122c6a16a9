"""The doctor's messages: a line of text, pictures, and at most one button; and what a message of Discord's shows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import PurePosixPath
from typing import Any
from urllib.parse import unquote, urlsplit

import discord
from discord import ui

from bot.client.views.edits import NAMED, Upload, media_on
from rendering.painter.paint import png
from rendering.shapes import Picture, Text

FIRST, SECOND, THIRD = "first.png", "second.png", "third.png"
"""The names of the pictures, each with its number on it."""
PICTURES = {FIRST: "1", SECOND: "2", THIRD: "3"}


def card(text: str, *pictures: str, button: tuple[str, str] | None = None) -> ui.LayoutView:
    """A message made as boards are; `pictures` are names of files, or addresses; a button has a label and a
    custom_id."""
    view, parts = ui.LayoutView(timeout=None), list[ui.Item[Any]]([ui.TextDisplay(text)])
    if pictures:
        named = [one if "://" in one else f"{NAMED}{one}" for one in pictures]
        parts.append(ui.MediaGallery(*(discord.MediaGalleryItem(one) for one in named)))
    if button:
        parts.append(ui.ActionRow(ui.Button(label=button[0], custom_id=button[1])))
    view.add_item(ui.Container(*parts))
    return view


def uploads(*names: str) -> list[Upload]:
    """The pictures of these names, to be sent."""
    return [Upload(drawn(name), name, f"The number {PICTURES[name]}.") for name in names]


@cache
def drawn(name: str) -> bytes:
    """A picture as a file."""
    number = PICTURES[name]
    return png(Picture(name, (0, 0, 3, 1), (), (Text(1.5, 0.5, number, 0.7),), number))


def shown(message: discord.Message) -> list[str]:
    """The names of the pictures that a message shows, whether they are files of its own or not."""
    return [unquote(PurePosixPath(urlsplit(media.url).path).name) for media, _ in media_on(message.components)]


def text_of(message: discord.Message) -> str:
    """All text of a message."""
    return "\n".join([message.content, *texts(message.components)])


def texts(components: Sequence[Any]) -> Iterator[str]:
    """The texts in the components of a message."""
    for one in components:
        if isinstance(one, discord.TextDisplay):
            yield one.content
        yield from texts(getattr(one, "children", ()))
